"""What others install: one wheel, which serves the page with nothing beside it."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from croupier.commands.serve import serve
from croupier.config import load
from tests.installing import ROOT, build
from tests.live import process, request


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the wheel holds, and nothing else."""
    folder = tmp_path_factory.mktemp("wheel")
    built = build(ROOT, folder)
    assert built.returncode == 0, built.stderr
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder / "site")
    return folder / "site"


async def test_the_wheel_serves_the_page(installed: Path, tmp_path: Path) -> None:
    ours = f"import croupier; assert croupier.__file__.startswith({str(installed)!r}), croupier.__file__"
    async with process(tmp_path, sabotage=ours, inside=("env", f"PYTHONPATH={installed}")) as live:
        page = await request(live.ports["http"], "GET", "/")
        assert page.status == 200
        assert b"<title>Croupier" in page.body
        script = page.body.split(b'src="')[1].split(b'"')[0].decode()
        assert (await request(live.ports["http"], "GET", script)).status == 200


@pytest.mark.parametrize("library", ["page-library", "client-library"])
def test_the_wheel_brings_along_what_there_is_for_javascript(installed: Path, tmp_path: Path, library: str) -> None:
    env = {**os.environ, "PYTHONPATH": str(installed)}
    command = [sys.executable, "-m", "croupier.cli", library]
    said = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=True).stdout
    assert Path(said.strip()).is_relative_to(installed)
    assert Path(said.strip()).is_file()


def test_the_wheel_says_what_it_is_and_under_which_licence(installed: Path) -> None:
    (about,) = installed.glob("*.dist-info")
    assert "License-Expression: MIT" in (about / "METADATA").read_text()
    assert (about / "licenses" / "LICENSE").read_text().startswith("MIT License")
    assert (installed / "croupier" / "docs" / "games" / "palace.md").is_file()


def test_no_wheel_is_built_without_the_page(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE", "src", "docs"):
        (source / name).symlink_to(ROOT / name)
    failed = build(source, tmp_path)
    assert failed.returncode != 0
    assert "make wheel" in failed.stderr
    assert not list(tmp_path.glob("*.whl"))


@pytest.mark.parametrize("line", ["ExecStart=", "CMD "])
def test_the_examples_start_it_as_it_can_be_started(line: str) -> None:
    """A service of systemd, and a container: no machine that runs tests has both."""
    (example,) = [
        found.removeprefix(line)
        for name in ("croupier.service", "Containerfile")
        for found in (ROOT / "examples" / name).read_text().splitlines()
        if found.startswith(line)
    ]
    program, command, *flags = json.loads(example) if example.startswith("[") else shlex.split(example)
    assert (Path(program).name, command) == ("croupier", "serve")
    context = serve.make_context("serve", flags)
    given = {name: value for name, value in context.params.items() if value not in (None, ())}
    assert load(given).port == 8080
