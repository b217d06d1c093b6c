"""The tutorial is followed from the first line to the last, and ends at the example that it says it writes."""

from __future__ import annotations

import asyncio
import re
import shlex
import subprocess
import sys
from importlib.metadata import metadata
from pathlib import Path

from tests.client import client, play_out
from tests.installing import ROOT, environment
from tests.live import process
from tests.tutorial import blocks, definitions, write

EXAMPLE = ROOT / "examples" / "crazy-eights" / "croupier_crazy_eights"


class Reader:
    """Who does what the page says, one thing after the other."""

    def __init__(self, folder: Path) -> None:
        self.top = self.folder = folder
        self.python = Path(sys.executable)

    async def run(self, command: str) -> str:
        program, *arguments = shlex.split(command)
        match program, arguments:
            case "cd", [there]:
                self.folder /= there
                return ""
            case "rm", files:
                for file in files:
                    (self.folder / file).unlink()
                return ""
            case "pip", ["install", "."]:
                (self.top / "installed").mkdir()
                self.python = await asyncio.to_thread(environment, self.top / "installed", ROOT, self.folder)
                return ""
            case "pip", ["install", package, "pytest"]:
                assert package == metadata("croupier")["Name"]
                return ""
            case "croupier", ["serve", *flags]:
                return await self.serve(*flags)
            case "croupier", ["check-game", _]:
                return await self.does(
                    "-m", "croupier.cli", *arguments, "--games", "8"
                )  # the example's tests take more
            case "croupier", _:
                return await self.does("-m", "croupier.cli", *arguments)
            case "pytest", _:
                return await self.does("-m", "pytest", "-p", "no:cacheprovider", "-p", "no:asyncio", *arguments)
        raise AssertionError(f"nobody knows how to run {command!r}")

    async def does(self, *arguments: str) -> str:
        command = [str(self.python), *arguments]
        done = await asyncio.to_thread(
            subprocess.run, command, cwd=self.folder, input="q\ny\n", capture_output=True, text=True
        )
        assert not done.stderr, done.stderr
        return done.stdout

    async def serve(self, *flags: str) -> str:
        """A game against bots, and another one at the same table."""
        here = ("env", "-C", str(self.folder))
        async with (
            process(self.top / "data", "--bot-delay", "0", *flags, inside=here) as live,
            client(live.ws("/ws?language=fr")) as ann,
        ):
            await ann.ask("open", game="crazy-eights", player="Ann", options={"target": 0})
            await ann.ask("add_bots", count=3)
            for _ in range(2):
                await ann.ask("start")
                assert (await play_out(ann))["result"]["placings"]
        return ""


def as_shown(shown: str) -> re.Pattern[str]:
    """Lines that are printed in this order, among others."""
    lines = (re.escape(line.strip()).replace("…", ".*") for line in shown.splitlines())
    return re.compile(r"(?:.*\n)*?".join(rf".*{line}.*\n" for line in lines))


async def test_whoever_follows_it_has_the_game_of_the_examples(tmp_path: Path) -> None:
    reader, printed = Reader(tmp_path), ""
    compared = 0
    for block in blocks():
        match block.kind:
            case "sh":
                printed = "".join([await reader.run(command) for command in block.text.splitlines()])
            case "text":
                assert as_shown(block.text).search(printed), f"{block.text}\n is not in what is printed:\n{printed}"
                compared += 1
            case _:
                assert block.file, "every piece of code says where it belongs"
                write(reader.folder, block)
    assert compared > 5
    made = reader.folder / "croupier_crazy_eights"
    for name in ("rules.py", "state.py", "bot.py", "encoding.py"):
        assert definitions((made / name).read_text()) == definitions((EXAMPLE / name).read_text())
    for name in ("rules.md", "fr.json"):
        assert (made / name).read_text() == (EXAMPLE / name).read_text()
