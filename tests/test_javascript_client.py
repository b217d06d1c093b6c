"""``@croupier/client``: programs in Node, with the package as others get it, at real servers that are killed."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from croupier import __version__
from croupier.journal.reading import read_log
from tests.browser.line import Line, line
from tests.client import client, play_out
from tests.live import LiveHere, process, server
from tests.page_sources import CLIENT, WEB, newer_than

PACKAGE = CLIENT.parent
README = (PACKAGE / "README.md").read_text()
BOT, WATCHER = re.findall(r"^```js\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
PATIENCE = 60
"""Seconds after which what does not come is given up: a test fails, it never hangs."""

PRELUDE = """
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Client, Lost, Refused, TooLate } from '@croupier/client'
import WebSocket from 'ws'

const say = (...what) => console.log(JSON.stringify(what))
const lines = createInterface({ input: process.stdin })
const told = () => once(lines, 'line')
const client = new Client('http://localhost:8080', { WebSocket })
"""
"""What the programs of these tests begin with. They wait until they are ``told`` to go on, and ``say`` how far they are."""
AGAINST_A_BOT = """
const table = await client.open('palace', { player: 'Ann', seats: 2 })
await table.addBots()
await table.start()
"""


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder where ``npm install`` has put the package."""
    assert (changed := newer_than(WEB / "dist" / "index.html")) is None, f"{changed} is newer than the packed client"
    folder = tmp_path_factory.mktemp("node")
    modules = folder / "node_modules"
    with tarfile.open(packed()) as package:
        package.extractall(folder, filter="data")
    (modules / "@croupier").mkdir(parents=True)
    (folder / "package").rename(modules / "@croupier" / "client")
    (modules / "ws").symlink_to(WEB / "node_modules" / "ws")
    return folder


def packed() -> str:
    command = [sys.executable, "-m", "croupier.cli", "client-library"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


class Program:
    """One that runs."""

    def __init__(self, node: asyncio.subprocess.Process) -> None:
        self._node = node

    async def says(self) -> list[Any]:
        """Its next line."""
        assert self._node.stdout is not None
        text = await asyncio.wait_for(self._node.stdout.readline(), PATIENCE)
        found: list[Any] = json.loads(text or b"null")
        assert found is not None, "the program has ended"
        return found

    def tell(self) -> None:
        """It may go on."""
        assert self._node.stdin is not None
        self._node.stdin.write(b"\n")

    async def rest(self) -> str:
        """Whatever else it says, up to its end."""
        assert self._node.stdout is not None
        text = await asyncio.wait_for(self._node.stdout.read(), PATIENCE)
        assert await asyncio.wait_for(self._node.wait(), PATIENCE) == 0
        return text.decode()


@asynccontextmanager
async def running(installed: Path, text: str, http: str) -> AsyncIterator[Program]:
    """A program, in whose text the server has the address that docs give it."""
    pipe = asyncio.subprocess.PIPE
    text = text.replace("http://localhost:8080", http)
    command = ["node", "--input-type=module", "--eval", text]
    node = await asyncio.create_subprocess_exec(*command, cwd=installed, stdin=pipe, stdout=pipe)
    try:
        yield Program(node)
    finally:
        if node.returncode is None:
            node.kill()
            await node.wait()


# What the README shows.


async def test_the_bot_of_the_readme(installed: Path, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as live, running(installed, BOT, live.http) as bot:
        assert re.fullmatch(r"(?:BOT \w+|Ann) has won\.\n", await bot.rest())


async def test_watching_as_the_readme_does(installed: Path, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as live, client(live.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann", seats=2)
        await ann.ask("add_bots")
        await ann.ask("start")
        async with running(installed, WATCHER, live.http) as watcher:
            offered = (await ann.entry("watched"))["moves"]  # with two, Ann leads or chooses
            await ann.ask("play", move=offered[0])
            await play_out(ann)
            told = await watcher.rest()
    assert "Ann plays" in told
    assert told.count("\n") > 20
