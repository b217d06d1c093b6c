"""Lost connections and servers that die: a client comes back by itself, and no move is lost or made twice."""

from __future__ import annotations

import asyncio
import ssl
import subprocess
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from croupier.client import Client, Lost, Table, TooLate, connection
from croupier.client.entries import Moved, Started, Synced
from services.processes import free_port
from tests.browser.line import Line, line
from tests.chaos.ledger import plain
from tests.chaos.nursery import nursery
from tests.clients.reading import PATIENCE, become, moves_in_journal, play_out, until_awaited, until_end, until_entry
from tests.clock import ManualTime
from tests.live import LiveHere, server

DIES = """
import os, signal
from croupier.journal.sqlite import SqliteJournal
from croupier.tables.batch import Batch

def dies(self, first, *others):
    records = getattr(self, "records", None) or first.records
    if any(b'"{what}"' in record.entry for record in records):
        os.kill(os.getpid(), signal.SIGKILL)
    return goes_on(self, first, *others)

goes_on, {where} = {where}, dies
"""
"""A server that dies with an entry of this kind: before it is in the journal, or when it is and nobody has heard."""
BEFORE_COMMIT, BEFORE_ANSWER = "SqliteJournal.append", "Batch.settled"


def dies(what: str, where: str) -> str:
    return DIES.format(what=what, where=where)


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits long to find out that a line is dead."""
    monkeypatch.setattr(connection, "QUIET", 1.0)
    monkeypatch.setattr(connection, "PATIENCE", 2.0)


@pytest.fixture
async def live(tmp_path: Path) -> AsyncIterator[LiveHere]:
    async with server(tmp_path, bot_delay=0) as running:
        yield running


@pytest.fixture
async def through(live: LiveHere) -> AsyncIterator[Line]:
    async with line(live.ports["http"]) as found:
        yield found


async def alone(client: Client) -> Table:
    """In a game against a bot, to move."""
    table = await client.open("palace", player="Ann", seats=2)
    await table.add_bots()
    await table.start()
    await until_awaited(table)
    return table


class Chooser:
    """Remembers what it has chosen, as the journal has it."""

    def __init__(self) -> None:
        self.chosen: list[tuple[str, Any]] = []

    def __call__(self, table: Table) -> Any:
        self.chosen.append(("Ann", plain(table.moves[0])))
        return table.moves[0]


async def test_a_line_that_is_cut(live: LiveHere, through: Line, tmp_path: Path) -> None:
    async with Client(through.http) as client:
        table, choose = await alone(client), Chooser()
        for _ in range(3):
            through.cut()
            await until_entry(table, Synced)
            await table.play(choose(table))
            await until_awaited(table)
        await play_out(table, choose)
        assert moves_in_journal(tmp_path, table.id) == choose.chosen
        assert await client.tables()  # its own line was cut, too


async def test_what_is_missed_is_said(live: LiveHere, through: Line) -> None:
    async with Client(through.http) as client, Client(live.http) as other:
        ann = await client.open("palace", player="Ann", seats=2)
        assert (await anext(ann)).entry == Synced(missed=False)
        through.cut()
        assert (await until_entry(ann, Synced)).entry == Synced(missed=False)
        through.die()
        through.cut()
        ben = await other.join(ann.id, player="Ben")
        through.revive()
        synced = await until_entry(ann, Synced)
        assert synced.entry == Synced(missed=True)
        assert [player.name for player in ann.summary.players] == ["Ann", "Ben"]
        await ann.kick(1)  # and she is the host still
        await until_end(ben)


async def test_a_line_that_dies_without_a_word(live: LiveHere, through: Line, tmp_path: Path) -> None:
    async with Client(through.http) as client:
        table, choose = await alone(client), Chooser()
        through.die()
        playing = asyncio.create_task(table.play(choose(table)))
        await asyncio.sleep(0)
        through.revive()  # what was connected stays dead
        await asyncio.wait_for(playing, PATIENCE)
        await play_out(table, choose)
        assert moves_in_journal(tmp_path, table.id) == choose.chosen


async def test_a_move_whose_answer_is_lost_is_made_once(live: LiveHere, through: Line, tmp_path: Path) -> None:
    async with Client(through.http) as client, Client(live.http) as other:
        table, choose = await alone(client), Chooser()
        spectator = await other.watch(table.id)
        through.deaf = True
        playing = asyncio.create_task(table.play(choose(table)))
        await until_entry(spectator, Moved)
        through.revive()
        await asyncio.wait_for(playing, PATIENCE)
        await play_out(table, choose)
        assert moves_in_journal(tmp_path, table.id) == choose.chosen


async def test_a_move_that_did_not_arrive_before_the_game_went_on(tmp_path: Path) -> None:
    """A bot has moved instead: the same move now would be another one."""
    time = ManualTime()
    async with (
        server(tmp_path, time=time, bot_delay=0) as live,
        line(live.ports["http"]) as through,
        Client(through.http) as client,
    ):
        ann = await client.open("palace", player="Ann", seats=2, options={"turn_timer": 20})
        ben = await client.join(ann.id, player="Ben")
        await ann.start()
        await until_entry(ben, Started)
        mover = ann if ann.awaited else ben
        through.die()
        playing = asyncio.create_task(mover.play(mover.moves[0]))
        await asyncio.sleep(0)
        await time.to_pass(60)
        through.revive()
        with pytest.raises(TooLate):
            await asyncio.wait_for(playing, PATIENCE)
        assert mover.player is not None and not mover.player.stood_in
        assert moves_in_journal(tmp_path, mover.id) == []


REQUESTS: dict[str, Callable[[Table, Chooser], Coroutine[Any, Any, None]]] = {
    "bot": lambda table, choose: table.add_bots(2),
    "started": lambda table, choose: table.start(),
    "key": lambda table, choose: table.play(choose(table)),
}
"""By what is in the journal of each."""


async def test_a_server_that_dies_in_the_middle_of_something(tmp_path: Path) -> None:
    """It dies twice with each request, before it is done and when nobody has heard of it yet: it is done once."""
    choose, log = Chooser(), tmp_path / "log"
    flags = ("--data", str(tmp_path), "--port", str(free_port()), "--bot-delay", "0")
    async with nursery(tmp_path) as servers:
        async with servers.server(*flags, log=log) as life:
            await life.opened()
            client = await Client(f"localhost:{flags[3]}").__aenter__()
            table = await client.open("palace", player="Ann", seats=3)
            assert await life.terminate() == 0
        for what, ask in REQUESTS.items():
            async with servers.server(*flags, log=log, sabotage=dies(what, BEFORE_COMMIT)) as life:
                await life.opened()
                asking = asyncio.create_task(ask(table, choose))
                await asyncio.wait_for(life.died(), PATIENCE)
            async with servers.server(*flags, log=log, sabotage=dies(what, BEFORE_ANSWER)) as life:
                await asyncio.wait_for(life.died(), PATIENCE)
            async with servers.server(*flags, log=log):
                await asyncio.wait_for(asking, PATIENCE)
                if what == "started":
                    await until_awaited(table)
        async with servers.server(*flags, log=log):
            await play_out(table, choose)
            assert len(table.summary.cast) == 3
            assert table.summary.games == 1
            await client.__aexit__()
    assert moves_in_journal(tmp_path, table.id) == choose.chosen


async def test_no_table_is_opened_twice(tmp_path: Path) -> None:
    flags = ("--data", str(tmp_path), "--port", str(free_port()))
    async with nursery(tmp_path) as servers:
        async with servers.server(*flags, log=tmp_path / "log", sabotage=dies("opened", BEFORE_ANSWER)) as life:
            await life.opened()
            client = await Client(f"localhost:{flags[3]}").__aenter__()
            with pytest.raises(Lost):
                await client.open("palace", player="Ann")
            await life.died()
        async with servers.server(*flags, log=tmp_path / "log"):
            assert len(await client.tables()) == 1
            await client.__aexit__()


async def test_a_table_that_is_closed_meanwhile(tmp_path: Path) -> None:
    time = ManualTime()
    async with (
        server(tmp_path, time=time) as live,
        line(live.ports["http"]) as through,
        Client(through.http) as client,
    ):
        ann = await client.open("palace", player="Ann")
        cat = await client.watch(ann.id)
        through.die()
        through.cut()
        await become(lambda: not live.house.registry.rooms[ann.id].sessions)
        await time.to_pass(61)
        through.revive()
        for table in (ann, cat):
            await until_end(table)
            assert table.gone == "closed"


async def test_who_is_thrown_out_meanwhile(live: LiveHere, through: Line) -> None:
    async with Client(through.http) as client, Client(live.http) as other:
        ann = await other.open("palace", player="Ann")
        ben = await client.join(ann.id, player="Ben")
        through.die()
        through.cut()
        await ann.kick(1)
        through.revive()
        await until_end(ben)
        assert ben.gone == "left"


async def test_hanging_up_while_there_is_no_connection(live: LiveHere, through: Line) -> None:
    """Between two attempts, and in the middle of one: nothing is left behind."""
    async with Client(through.http) as client:
        tables = [await client.open("palace", player=name) for name in ("Ann", "Ben")]
        through.die()
        through.cut()
        await become(lambda: not any(table.connected for table in tables))
        await tables[0].close()
        dialled = len(through._transports)
        await become(lambda: len(through._transports) > dialled)
        await asyncio.wait_for(tables[1].close(), PATIENCE)
    left = [str(task.get_coro()) for task in asyncio.all_tasks()]
    assert not [coroutine for coroutine in left if "Table" in coroutine or "WS" in coroutine or "ws_" in coroutine]


async def test_over_tls(live: LiveHere, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
    command += f" -addext subjectAltName=DNS:localhost -keyout {key} -out {certificate}"
    await asyncio.to_thread(subprocess.run, command.split(), check=True, capture_output=True)
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(certificate, key)
    through = Line(live.ports["http"])
    async with await asyncio.start_server(through.accept, "127.0.0.1", 0, ssl=tls) as listener:
        address = f"https://localhost:{listener.sockets[0].getsockname()[1]}"
        with pytest.raises(ConnectionError, match=r"(?i)certificate.verify.failed"):
            await Client(address).__aenter__()
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        async with Client(address) as client:
            table = await alone(client)
            through.cut()
            await until_entry(table, Synced)
            await play_out(table)
        through.cut()
