"""``@croupier/client``: programs in Node, with the package as others get it, at real servers that are killed."""

from __future__ import annotations

import asyncio
import json
import re
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
from tests.browser.line import line
from tests.client import client, play_out
from tests.clock import ManualTime
from tests.live import process, server
from tests.page_sources import CLIENT, WEB, newer_than

PACKAGE = CLIENT.parent
README = (PACKAGE / "README.md").read_text()
BOT, WATCHER = re.findall(r"^```js\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
PATIENCE = 60
"""Seconds after which what does not come is given up: a test fails, it never hangs."""

PRELUDE = """
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Client } from '@croupier/client'
import WebSocket from 'ws'

const say = (...what) => console.log(JSON.stringify(what))
const lines = createInterface({ input: process.stdin })
process.stdin.unref() // who has nothing left to do need not be told
const told = async () => JSON.parse((await once(lines, 'line'))[0])
const client = new Client('http://localhost:8080', { WebSocket, lost: () => say('lost') })
"""
"""What programs begin with here: they ``say`` how far they are, and wait until they are ``told`` to go on."""
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

    def tell(self, *what: Any) -> None:
        """It may go on."""
        assert self._node.stdin is not None
        self._node.stdin.write(json.dumps(what).encode() + b"\n")

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


# Who looks for a game.

SEEKS = """
const table = await client.seek('fortress', { player: (await told())[0] })
say(table.id)
for await (const _ of table) if (table.playing) break
say(table.summary.players.length)
client.close()
"""


async def test_two_who_look_for_a_game_find_each_other(installed: Path, tmp_path: Path) -> None:
    async with (
        server(tmp_path) as live,
        running(installed, PRELUDE + SEEKS, live.http) as ann,
        running(installed, PRELUDE + SEEKS, live.http) as ben,
    ):
        ann.tell("Ann")
        table = await ann.says()
        ben.tell("Ben")
        assert await ben.says() == table
        assert await ann.says() == await ben.says() == [2]


# Lost connections, and servers that are killed.


PLAYS_ON = """
for await (const { result } of table) {
  if (table.awaited) {
    const [move] = table.moves
    say('chosen')
    await told()
    await table.play(move)
    say('made', move)
  }
  if (result) break
}
say('over', table.id)
client.close()
"""


async def test_no_move_is_lost_or_made_twice(installed: Path, tmp_path: Path) -> None:
    """The server's answers get lost, it is killed, the line is cut: and in the log is what the program was told."""
    made: list[Any] = []
    table = ""

    async def hear(program: Program, word: str) -> None:
        """Wait until it says this. Moves that it has chosen before that may be made, and are kept once they are."""
        nonlocal table
        while True:
            said, *more = await program.says()
            if said == "made":
                made.extend(more)
            elif said == "over":
                (table,) = more
            if said == word:
                return
            if said == "chosen":
                program.tell()

    flags = ("--bot-delay", "0", "--test-mode", "--test-seed", "33" * 32)
    async with (
        process(tmp_path, *flags) as live,
        line(live.ports["http"]) as wire,
        running(installed, PRELUDE + AGAINST_A_BOT + PLAYS_ON, wire.http) as program,
    ):
        await hear(program, "chosen")
        wire.deaf = True
        program.tell()
        await hear(program, "lost")
        wire.revive()
        await hear(program, "chosen")
        program.tell()
        await live.kill()
        await hear(program, "lost")
        async with process(tmp_path, *flags, "--port", str(live.ports["http"])):
            await hear(program, "chosen")
            program.tell()
            wire.cut()
            await hear(program, "over")
    log = [json.loads(record.entry) for record in read_log(tmp_path / "journal.sqlite", table)]
    moved = [entry["move"] for entry in log if entry["entry"] == "moved" and not entry.get("bot")]
    assert len(moved) > 4
    assert moved == made


async def test_too_many_requests_are_found_out_about_and_a_move_among_them_is_made(
    installed: Path, tmp_path: Path
) -> None:
    """The server reads no more for a while, and says so without saying of what."""
    flood = """
    const asked = Promise.allSettled(Array.from({ length: 300 }, () => client.tables()))
    await table.play(table.moves[0])
    say(...(await asked).map(({ reason }) => reason ? reason.code : 'ok'))
    client.close()
    """
    async with server(tmp_path, test_first=0) as live:
        async with running(installed, PRELUDE + AGAINST_A_BOT + flood, live.http) as program:
            answers = await program.says()
        (room,) = live.house.rooms.values()
        assert [len(seat.move_keys) for seat in room.table.seats.values() if seat.human] == [1]
    assert len(answers) == 300
    assert set(answers) == {"ok", "too_fast"}


# Coming and going.


FOLLOWS = """
for (;;) {
  const [way, ...how] = await told()
  const table = await client[way](...how)
  say('at', table.id, table.token)
  for await (const happening of table);
  say('gone', table.gone)
}
"""


async def test_who_is_not_at_a_table_any_more_is_told_why(installed: Path, tmp_path: Path) -> None:
    async with (
        server(tmp_path) as live,
        client(live.ws("/ws")) as ann,
        running(installed, PRELUDE + FOLLOWS, live.http) as ben,
    ):

        async def at(way: str, *how: Any) -> list[Any]:
            ben.tell(way, *how)
            at, *where = await ben.says()
            assert at == "at"
            return where

        await ann.ask("open", game="palace", player="Ann")
        host = {"table": ann.table, "token": ann.token}
        await at("join", ann.table, {"player": "Ben"})
        await ann.ask("kick", seat=1)
        assert await ben.says() == ["gone", "kicked"]
        table, token = await at("join", ann.table, {"player": "Ben"})
        await ann.ask("return", table=table, token=token)
        assert await ben.says() == ["gone", "replaced"]
        await at("watch", ann.table)
        await ann.ask("bench", open=False, **host)
        assert await ben.says() == ["gone", "benched"]
        await at("resume", table, token)
        await ann.ask("leave", table=table, token=token)
        assert await ben.says() == ["gone", "left"]
        await ann.ask("bench", open=True, **host)
        await at("watch", ann.table)
        await ann.ask("leave", **host)
        assert await ben.says() == ["gone", "closed"]


async def test_a_seat_that_a_bot_has_taken_over_is_taken_back(installed: Path, tmp_path: Path) -> None:
    """By a program that goes on; and the move that it was slow to make is not made."""
    slow = """
    const table = await client.join(...(await told()))
    say('here')
    for await (const { entry } of table) {
      if (entry.missed) say('back', Boolean(table.player.stood_in))
      if (!table.awaited) continue
      const [move] = table.moves
      say('chosen')
      await told()
      await table.play(move).catch((error) => say('refused', error.code))
    }
    """
    time = ManualTime()
    async with (
        server(tmp_path, time=time, bot_delay=0, test_first=1) as live,
        client(live.ws("/ws")) as ann,
        running(installed, PRELUDE + slow, live.http) as ben,
    ):
        await ann.ask("open", game="palace", player="Ann", seats=2)
        ben.tell(ann.table, {"player": "Ben"})
        assert await ben.says() == ["here"]
        await ann.ask("start")
        assert await ben.says() == ["chosen"]
        await time.to_pass(3600)
        await ann.entry("stood_in")
        ben.tell()
        assert await ben.says() == ["refused", "stood_in"]
        assert await ben.says() == ["back", False]


async def test_who_reads_on_has_seen_enough(installed: Path, tmp_path: Path) -> None:
    """In Cambia everybody looks at some cards first, and alone against bots the game waits until that is done."""
    looks = """
    const table = await client.open('cambia', { player: 'Ann', seats: 2 })
    await table.addBots()
    await table.start()
    for await (const happening of table) if (table.awaited) break
    say(table.moves.length > 0)
    """
    async with (
        server(tmp_path, bot_delay=0, test_first=0) as live,
        running(installed, PRELUDE + looks, live.http) as ann,
    ):
        assert await ann.says() == [True]


async def test_without_a_server_the_first_request_says_so(installed: Path, tmp_path: Path) -> None:
    async with server(tmp_path) as live:
        nobody = live.http
    text = PRELUDE + "await client.tables().catch((error) => say(error.message))\nclient.close()"
    async with running(installed, text, nobody) as program:
        assert await program.says() == ["lost"]
        (said,) = await program.says()
        assert said.startswith(f"there is no server at {nobody.replace('http', 'ws')}/ws")
        assert await program.rest() == ""


# The package.


TYPED = """
import { Client, type Table } from '@croupier/client'
import type { Sync } from '@croupier/client/native'

interface View { hand: string[] }
interface Move { move: 'play'; cards: string[] }

export async function play(client: Client, then: Sync): Promise<string[] | undefined> {
  const table: Table<View, Move> = await client.open('palace', { player: 'Ann', seats: then.table.seats })
  for await (const { entry, events } of table) {
    if (entry.entry === 'moved' && events.length) await table.play({ move: 'play', cards: [] })
    // @ts-expect-error There is no such move.
    await table.play({ move: 'bluff' })
    // @ts-expect-error The client's own affair.
    table.told(then)
  }
  return table.view?.hand
}
"""
STRICT = {"strict": True, "noEmit": True, "module": "nodenext", "target": "es2022", "lib": ["es2022"], "types": []}


def test_it_is_typed_and_needs_no_browser(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "play.mts").write_text(TYPED)
    (tmp_path / "tsconfig.json").write_text(json.dumps({"compilerOptions": STRICT, "files": ["play.mts"]}))
    (tmp_path / "node_modules").symlink_to(installed / "node_modules")
    done = subprocess.run([WEB / "node_modules" / ".bin" / "tsc", "-p", tmp_path], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_it_has_the_version_of_the_server_and_all_that_it_exports(installed: Path) -> None:
    package = installed / "node_modules" / "@croupier" / "client"
    about = json.loads((package / "package.json").read_text())
    assert about["version"] == __version__
    entries = [{"": entry} if isinstance(entry, str) else entry for entry in about["exports"].values()]
    needed = [file for entry in entries for file in entry.values()] + ["README.md"]
    assert [file for file in needed if not (package / file).is_file()] == []


def test_its_readme_names_what_it_has(installed: Path) -> None:
    package = installed / "node_modules" / "@croupier" / "client" / "dist"
    members: list[str] = []
    for name in ("client", "table"):
        text = (package / f"{name}.d.ts").read_text()
        (declared,) = re.findall(r"export declare class \w+.*?^}", text, re.MULTILINE | re.DOTALL)
        members += re.findall(r"^    (?:readonly |get )?(?!constructor)(\w+)[<(:]", declared, re.MULTILINE)
    assert len(members) > 40
    assert [name for name in members if not re.search(rf"`{name}[`(]", README)] == []


def test_our_own_page_speaks_to_the_server_by_it() -> None:
    """By its name, as others have to; and nothing in it reaches out of it."""
    sources = [file for kind in ("*.ts", "*.svelte") for file in (WEB / "src").rglob(kind)]
    # The first connection is made before the client is there (see start.js).
    assert [file.name for file in sources if "new WebSocket" in file.read_text()] == ["early.ts"]
    assert "from '@croupier/client'" in (WEB / "src" / "lib" / "house.svelte.ts").read_text()
    imported = {path for file in CLIENT.rglob("*.ts") for path in re.findall(r"from '([^']*)'", file.read_text())}
    assert [path for path in imported if not re.fullmatch(r"\./[\w/]+\.ts", path)] == []
