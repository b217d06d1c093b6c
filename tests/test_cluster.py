"""``make cluster``, as somebody tries it: play through nginx, kill a node, come back."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

from websockets.exceptions import ConnectionClosed

from services.processes import free_port
from tests import services
from tests.client import Client, Refusal, client

NODES = 2
ROOT = Path(__file__).parent.parent


class Program:
    def __init__(self, process: asyncio.subprocess.Process, port: int, said: list[str]) -> None:
        self._process = process
        self.port = port
        self.said = said

    @property
    def pids(self) -> list[int]:
        """Of the nodes."""
        return [int(found[1]) for line in self.said if (found := re.search(r"kill -9 (\d+)", line))]

    async def says(self, what: str) -> None:
        assert self._process.stdout is not None
        async with asyncio.timeout(60):
            while not self.said or what not in self.said[-1]:
                line = (await self._process.stdout.readline()).decode()
                assert line, self.said
                self.said.append(line)

    async def interrupt(self) -> int:
        self._process.send_signal(signal.SIGINT)
        return await self._process.wait()


@asynccontextmanager
async def started(folder: Path, port: int) -> AsyncIterator[Program]:
    command = [sys.executable, "-m", "services", f"--nodes={NODES}", f"--port={port}", f"--folder={folder}"]
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=asyncio.subprocess.PIPE)
    try:
        program = Program(process, port, [])
        await program.says("Ctrl-C stops all")
        yield program
    finally:
        if process.returncode is None:
            process.terminate()
            await process.wait()


async def back(person: Client, url: str, stack: AsyncExitStack) -> Client:
    """The same person, with another connection, as soon as there is somebody to connect to."""
    async with asyncio.timeout(30):
        while True:
            try:
                found = await stack.enter_async_context(client(url))
                reply = await found.ask("return", table=person.table, token=person.token)
                found.told.append({**reply, "type": "resync"})
                return found
            except (ConnectionClosed, OSError):
                await asyncio.sleep(0.05)


async def play(person: Client, moves: Iterator[int]) -> None:
    """As long as there is one left for everybody together."""
    while True:
        told = await person.hear(lambda message: message["type"] in ("fact", "resync"))
        offered = told["sync"]["moves"] if told["type"] == "resync" else told.get("moves")
        if offered:
            if next(moves, None) is None:
                return
            with suppress(Refusal):  # what is told of others says again what may be done, also what was just done
                await person.ask("play", move=offered[0])


async def play_together(*people: Client) -> None:
    moves = iter(range(5 * len(people)))
    playing = [asyncio.create_task(play(person, moves)) for person in people]
    try:
        done, _ = await asyncio.wait(playing, timeout=60, return_when=asyncio.FIRST_COMPLETED)
        assert [task.result() for task in done] == [None]
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)


async def test_a_game_goes_on_when_a_node_is_killed_and_when_all_are_started_again() -> None:
    folder, port = services.folder("cluster"), free_port(NODES + 1)
    url = f"ws://127.0.0.1:{port}/ws"
    try:
        async with started(folder, port) as cluster, AsyncExitStack() as stack:
            people = [await stack.enter_async_context(client(url)) for _ in range(2 * NODES)]
            first, *others = people
            await first.ask("open", game="palace", player="P0", seats=len(people))
            for number, other in enumerate(others, 1):
                await other.ask("join", table=first.table, player=f"P{number}")
            await first.ask("start")
            await play_together(*people)
            os.kill(cluster.pids[0], signal.SIGKILL)
            await cluster.says("to start it again")
            assert f"{NODES - 1} left" in cluster.said[-2]
            people = [await back(person, url, stack) for person in people]
            await play_together(*people)
            assert await cluster.interrupt() == 0
        async with started(folder, port) as cluster, AsyncExitStack() as stack:
            people = [await back(person, url, stack) for person in people]
            await play_together(*people)
            assert await cluster.interrupt() == 0
            await cluster.says("all stopped")
    finally:
        shutil.rmtree(folder)


def test_a_port_that_is_in_use_is_said_before_anything_is_started(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        command = [sys.executable, "-m", "services", f"--port={port - 1}", f"--folder={tmp_path / 'cluster'}"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert done.stderr.startswith(f"port {port} is in use; ") or done.stderr.startswith(f"port {port - 1} is in use; ")
    assert done.stdout == ""
    assert not (tmp_path / "cluster").exists()
