"""Every command, every program and every example that the docs and docstrings show is run here."""

from __future__ import annotations

import asyncio
import doctest
import importlib
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import metadata
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from croupier.config import load
from croupier.tables import error_log
from tests import services
from tests.client import client, play_out
from tests.live import process, request, server

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
PAGES.remove(ROOT / "docs" / "tutorial.md")  # whose steps build on each other: tests/test_tutorial.py


LINKED = [*PAGES, ROOT / "CHANGELOG.md", ROOT / "SECURITY.md", *sorted((ROOT / "web").glob("*/README.md"))]
LINKED += [ROOT / "docs" / "tutorial.md", *sorted((ROOT / "examples").glob("*/README.md"))]


def blocks(kind: str) -> list[tuple[str, str]]:
    """All code blocks of this kind, with the page each stands on."""
    fence = re.compile(rf"^```{kind}\n(.*?)^```", re.MULTILINE | re.DOTALL)
    return [(str(page.relative_to(ROOT)), block) for page in PAGES for block in fence.findall(page.read_text())]


COMMANDS = sorted({line for _, block in blocks("sh") for line in block.splitlines()})


def croupier(arguments: list[str], folder: Path, typed: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "croupier.cli", *arguments]
    return subprocess.run(command, cwd=folder, input=typed, capture_output=True, text=True, timeout=300)


def real(argument: str) -> str:
    """An address of the docs is that of a fresh database, or of a bus; where there are several hosts, of the last."""
    if argument.startswith("postgresql://"):
        given, ours = urlsplit(argument), urlsplit(services.database())
        access, _, host = ours.netloc.rpartition("@")
        dead = "127.0.0.1:1," * given.netloc.count(",")
        return given._replace(netloc=f"{access}@{dead}{host}", path=ours.path).geturl()
    return services.bus() if argument.startswith("redis://") else argument


@pytest.mark.parametrize("command", COMMANDS)
async def test_commands(command: str, tmp_path: Path) -> None:
    program, *arguments = shlex.split(command)
    if program == "make":
        # CI is one of them and this is inside it: here, that make knows what to do.
        done = await asyncio.to_thread(
            subprocess.run, ["make", "--dry-run", *arguments], cwd=ROOT, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return
    if program == ".venv/bin/pytest":
        # All of them are run anyway: here, that there are such.
        found = [sys.executable, "-m", "pytest", "--collect-only", "-q", *arguments]
        collected = await asyncio.to_thread(subprocess.run, found, cwd=ROOT, capture_output=True, text=True)
        assert collected.returncode == 0, collected.stdout
        return
    if program == "python":
        # These take minutes, and shorter runs of them are tests of their own: here, that they know their flags.
        _, module, *flags = arguments
        shown = await asyncio.to_thread(
            subprocess.run, [sys.executable, "-m", module, "--help"], cwd=ROOT, capture_output=True, text=True
        )
        assert [flag for flag in flags if flag.startswith("-") and flag not in shown.stdout] == []
        return
    if program == "pip":
        # From where there is no network: here, that there is such an extra.
        (extra,) = re.findall(r"croupier\[(\w+)\]", command)
        assert extra in (metadata("croupier").get_all("Provides-Extra") or ())
        return
    if program == "curl":
        token = "the operator's, long enough"
        async with server(tmp_path, operator_token=token) as here:
            there = [
                argument.replace("http://localhost:8080", here.http).replace("$CROUPIER_OPERATOR_TOKEN", token)
                for argument in arguments
            ]
            answered = await asyncio.to_thread(subprocess.run, ["curl", "-sf", *there], capture_output=True, text=True)
        assert answered.returncode == 0 and answered.stdout.startswith("{"), answered.stderr
        return
    assert program == "croupier", f"no test knows how to run {command!r}"
    arguments = [real(argument) for argument in arguments]
    if arguments[0] == "serve" and "--help" not in arguments:
        # On other ports, since those of the docs may be taken.
        flags = [re.sub(r":\d+$", ":0", argument) for argument in arguments[1:]]
        if "--port" in flags:
            flags[flags.index("--port") + 1] = "0"
        async with process(tmp_path, *flags) as live, client(live.ws("/ws")) as anybody:
            assert anybody.welcome["type"] == "welcome"
        return
    if arguments[0] in ("verify", "analyse"):
        async with server(tmp_path / "data", bot_delay=0) as here, client(here.ws("/ws")) as ann:
            await ann.ask("open", game="palace", player="Ann", seats=2)
            await ann.ask("add_bots")
            await ann.ask("start")
            await play_out(ann)
            table = f"{here.http}/t/{ann.table}"
            record = await request(here.ports["http"], "GET", f"/api/tables/{ann.table}/games/1/record")
            (tmp_path / "record.json").write_bytes(record.body)
            there = [argument.replace("http://localhost:8080/t/TABLE", table) for argument in arguments]
            if arguments[0] == "analyse":
                there += ["--nodes", "20"]  # as few as can be: here, that something comes of it
            done = await asyncio.to_thread(croupier, there, tmp_path)
        assert done.returncode == 0, done.stderr
        assert "All is right" in done.stdout or "on average at this seat" in done.stdout
        return
    if arguments[0] == "bot":
        shutil.copytree(ROOT / "examples" / "bots", tmp_path, dirs_exist_ok=True)
        async with server(tmp_path / "data", bot_delay=0) as here:
            there = [argument.replace("http://localhost:8080", here.http) for argument in arguments]
            done = await asyncio.to_thread(croupier, there, tmp_path)
        assert (done.returncode, " of " in done.stdout) == (0, True), done.stderr
        return
    elsewhere = arguments[arguments.index("--journal") :][:2] if "--journal" in arguments else []
    async with process(tmp_path / "data", *elsewhere) as live, client(live.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann")
    if arguments[0] == "ratings":
        await asyncio.to_thread(results, tmp_path)
    done = await asyncio.to_thread(croupier, arguments, tmp_path, "q\n")
    assert done.returncode == 0, done.stderr
    assert done.stdout


def results(folder: Path) -> None:
    """What the docs have the arena write, with fewer games."""
    bots = ["believer", "honest", "greenhorn", "random"]
    done = croupier(["arena", "coup", *bots, "--games", "4", "--processes", "1", "--results", "coup.jsonl"], folder)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("file", sorted((ROOT / "examples" / "bots").glob("*.*")), ids=lambda file: file.name)
def test_the_bots_on_the_page_are_the_examples(file: Path) -> None:
    assert file.read_text() in (ROOT / "docs" / "bots.md").read_text()


@pytest.mark.parametrize(("page", "program"), blocks("python"))
async def test_programs(page: str, program: str, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as live:
        program = program.replace("localhost:8080", f"127.0.0.1:{live.ports['http']}")
        running = await asyncio.create_subprocess_exec(
            sys.executable, "-c", program, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
        )
        out, err = await asyncio.wait_for(running.communicate(), 60)
    assert running.returncode == 0, err.decode()
    assert re.search(rb"placings: (\[\[|\(\()", out)


@pytest.mark.parametrize(("page", "text"), blocks("toml"))
def test_configurations(page: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / "croupier.toml"
    file.write_text(text)
    assert load({}, file).data


def tokens(page: Path) -> Iterator[Token]:
    """The page as GitHub reads it: CommonMark with tables."""
    for token in MarkdownIt().enable("table").parse(page.read_text()):
        yield token
        yield from token.children or ()


def anchors(page: Path) -> set[str]:
    """What GitHub calls the headings of a page; where two are the same, the second gets a number."""
    blocks = MarkdownIt().enable("table").parse(page.read_text())
    texts = [
        "".join(part.content for part in text.children or ())
        for opened, text in pairwise(blocks)
        if opened.type == "heading_open"
    ]
    names = [re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-") for text in texts]
    return {f"{name}-{before}" if (before := names[:at].count(name)) else name for at, name in enumerate(names)}


@pytest.mark.parametrize("page", LINKED, ids=lambda page: str(page.relative_to(ROOT)))
def test_links(page: Path) -> None:
    """As GitHub follows them; tests/test_site.py does the same on the site."""
    for token in tokens(page):
        target = urlsplit(str(token.attrs.get("href") or token.attrs.get("src") or ""))
        if target.scheme:
            continue
        file = page.parent / unquote(target.path) if target.path else page
        assert file.exists(), f"{page.name} links to {target.path}, which is not there"
        if target.fragment:
            assert unquote(target.fragment) in anchors(file), f"{file.name} has no heading #{target.fragment}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_of_the_project_that_a_page_names(page: Path) -> None:
    named = re.findall(r"`((?:tests|src|docs|web|scripts|benchmarks)/[\w./-]+)`", page.read_text())
    assert [file for file in named if not (ROOT / file).exists()] == []


async def test_the_metrics_that_the_docs_name_are_those_there_are(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "operations.md").read_text()
    async with server(tmp_path) as live:
        text = (await request(live.ports["http"], "GET", "/metrics")).body.decode()
    named = set(re.findall(r"\b(?:croupier|process)_[a-z_]+\b", page))
    known = set(re.findall(r"^(\w+)", text, re.MULTILINE))
    assert named <= known
    assert {metric for metric in known if metric.startswith("croupier_")} <= named
    kinds = {kind for kinds in re.findall(r'kind=~?"([a-z|]+)"', page) for kind in kinds.split("|")}
    assert kinds == set(error_log.KINDS)


def test_every_option_of_the_help_is_what_the_configuration_has(tmp_path: Path) -> None:
    shown = croupier(["serve", "--help"], tmp_path).stdout
    assert "--message-rate" in shown
    assert "[default: 65536]" in shown


EXAMPLES = [file for file in sorted((ROOT / "src").rglob("*.py")) if ">>>" in file.read_text()]


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: str(file.relative_to(ROOT)))
def test_examples_in_docstrings(file: Path) -> None:
    parts = file.relative_to(ROOT / "src").with_suffix("").parts
    result = doctest.testmod(importlib.import_module(".".join(parts)))
    assert result.attempted > 0
    assert result.failed == 0
