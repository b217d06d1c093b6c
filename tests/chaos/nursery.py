"""Servers that start quickly, for tests that start hundreds: a process that has imported everything is forked for each.

What it brings forth is a process like any other, with sockets, a journal and a death of its own; only the second that
Python takes to read the program is spared.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path

from croupier.cli import main as croupier
from croupier.plugins import catalogue

STARTED = "Ctrl-C stops it"
"""In what the server says when it is open."""


class Life:
    """Of one server."""

    def __init__(self, nursery: Nursery, pid: int, said: Path) -> None:
        self._nursery = nursery
        self._said = said
        self.pid = pid
        self.over = False

    async def opened(self) -> None:
        """It serves; or it has ended without."""
        while STARTED not in self._said.read_text():
            os.kill(self.pid, 0)
            await asyncio.sleep(0.02)

    async def kill(self) -> None:
        """As if the power had gone."""
        assert await self._end(signal.SIGKILL) == -signal.SIGKILL

    async def terminate(self) -> int:
        return await self._end(signal.SIGTERM)

    async def died(self) -> None:
        """By its own hand, as it was made to."""
        self.over = True
        assert int(await self._nursery.read()) == -signal.SIGKILL

    async def _end(self, sign: signal.Signals) -> int:
        os.kill(self.pid, sign)
        self.over = True
        return int(await self._nursery.read())


class Nursery:
    """One server at a time."""

    def __init__(self, process: asyncio.subprocess.Process, folder: Path) -> None:
        self._process = process
        self._said = folder / "said"

    @asynccontextmanager
    async def server(self, *flags: str, log: Path, sabotage: str = "") -> AsyncIterator[Life]:
        """One that is about to start. ``sabotage``: code that runs before it, to plant a fault."""
        self._said.write_text("")
        command = ["serve", "--no-game-ports", *flags]
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([command, str(self._said), str(log), sabotage]).encode() + b"\n")
        life = Life(self, int(await self.read()), self._said)
        try:
            yield life
        finally:
            if not life.over:
                await life.kill()

    async def read(self) -> str:
        assert self._process.stdout is not None
        return (await self._process.stdout.readline()).decode()


@asynccontextmanager
async def nursery(folder: Path, inside: Sequence[str] = ()) -> AsyncIterator[Nursery]:
    """``inside``: what the command begins with, such as one that enters a network namespace."""
    command = [*inside, sys.executable, "-m", "tests.chaos.nursery"]
    process = await asyncio.create_subprocess_exec(*command, stdin=-1, stdout=-1)
    try:
        yield Nursery(process, folder)
    finally:
        assert process.stdin is not None
        process.stdin.close()
        await process.wait()


def main() -> None:
    """Each line is an order: what to run, files for what it says and what it complains about, and code to run first."""
    import_module("croupier.commands.serve")
    catalogue()  # with all the games
    answers = os.dup(1)
    for line in sys.stdin:
        command, said, log, sabotage = json.loads(line)
        pid = os.fork()
        if not pid:
            os.close(answers)
            for number, path in ((0, "/dev/null"), (1, said), (2, log)):
                os.dup2(os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT), number)
            sys.argv[1:] = command
            exec(sabotage, {})
            croupier()
        os.write(answers, b"%d\n" % pid)
        _, status = os.waitpid(pid, 0)
        os.write(answers, b"%d\n" % os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main()
