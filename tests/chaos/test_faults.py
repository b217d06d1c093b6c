"""Disks, clocks, bots and rules that fail: what is hit is told so, everybody else plays on, and it is in the log."""

from __future__ import annotations

import asyncio
import re
import resource
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from croupier.games import Catalogue, catalogue
from croupier.journal import Append, Piece, Record
from croupier.journal.reading import read_log
from croupier.journal.sqlite import SqliteJournal
from croupier.kernel import ENGLISH, Bot, Clock, Dice, Event, Words
from croupier.tables import bots, entries, error_log, keys
from tests.chaos.recovery import played
from tests.client import Client, Json, Refusal, client, play_out
from tests.clock import ManualTime
from tests.live import process, server
from tests.test_cli import run
from tests.toys import AnyEvent, Bid, Bidden, Bids, State, View


async def alone(player: Client, game: str = "palace", bots: int = 1, **options: Any) -> None:
    await player.ask("open", game=game, player="Ann", seats=bots + 1, options=options)
    await player.ask("add_bots", count=bots)
    await player.ask("start")


async def together(player: Client, other: Client, **options: Any) -> None:
    """Two people at a table of Palace: there are clocks."""
    await player.ask("open", game="palace", player="Ann", seats=2, options=options)
    await other.ask("join", table=player.table, player="Ben")
    await player.ask("start")


async def my_turn(player: Client) -> list[Json]:
    """What can be done, as soon as something can; in another game, if need be."""
    while True:
        sync = (await player.ask("see"))["sync"]
        found: list[Json] = sync["moves"]
        if found:
            return found
        if sync["table"]["phase"] == "waiting":
            await player.ask("start")
        await player.hear()


# The disk


def size_of(file: Path) -> int:
    return file.stat().st_size


async def test_a_full_disk_refuses_moves_and_goes_on_by_itself_when_there_is_room_again(tmp_path: Path) -> None:
    async with process(tmp_path, "--bot-delay", "0") as live, client(live.ws("/ws")) as ann:
        await alone(ann)
        moves = await my_turn(ann)
        before = (await ann.ask("see"))["sync"]
        _, most = resource.prlimit(live.pid, resource.RLIMIT_FSIZE)
        full = size_of(tmp_path / "journal.sqlite-wal")
        resource.prlimit(live.pid, resource.RLIMIT_FSIZE, (full, most))
        for _ in range(3):
            with pytest.raises(Refusal) as refused:
                await ann.ask("play", move=moves[0], key="mine")
            assert refused.value.code == "unavailable"
            resync = await ann.hear(lambda message: message["type"] == "resync")
            assert (resync["sync"]["seq"], resync["sync"]["view"]) == (before["seq"], before["view"])
        with pytest.raises(Refusal) as refused:
            async with client(live.ws("/ws")) as ben:
                await ben.ask("open", game="coup", player="Ben")
        assert refused.value.code == "unavailable"
        resource.prlimit(live.pid, resource.RLIMIT_FSIZE, (most, most))
        await ann.ask("play", move=moves[0], key="mine")
        assert (await ann.ask("see"))["sync"]["seq"] > before["seq"]
        await play_out(ann)
    assert run("check", "--data", str(tmp_path)).stdout == "1 table replayed, no faults\n"


READ_ONLY = """
import sqlite3, pathlib
from croupier.journal import sqlite

def commit(connection, appends, last):
    locked = pathlib.Path({switch!r}).exists()
    connection.execute(f"PRAGMA query_only = {{'ON' if locked else 'OFF'}}")
    return real(connection, appends, last)

real, sqlite.commit = sqlite.commit, commit
"""


async def test_a_read_only_journal_refuses_moves_and_goes_on_by_itself_when_it_can_be_written(tmp_path: Path) -> None:
    switch = tmp_path / "read-only"
    sabotage = READ_ONLY.format(switch=str(switch))
    async with process(tmp_path, "--bot-delay", "0", sabotage=sabotage) as live, client(live.ws("/ws")) as ann:
        await alone(ann)
        moves = await my_turn(ann)
        switch.touch()
        with pytest.raises(Refusal) as refused:
            await ann.ask("play", move=moves[0])
        assert refused.value.code == "unavailable"
        switch.unlink()
        await ann.hear(lambda message: message["type"] == "resync")
        await ann.ask("play", move=moves[0])
        await play_out(ann)
    assert run("check", "--data", str(tmp_path)).returncode == 0


async def many_tables(data: Path, count: int) -> list[tuple[str, str]]:
    """So many games in the middle. Their ids and tokens, in the order in which they lie in the file."""
    journal = SqliteJournal(data / "journal.sqlite", "OFF")
    found, dice = [], Random(8)
    for _ in range(count):
        id, token = dice.randbytes(16).hex(), keys.new_id()  # so that they lie in the file as they always did
        records = played(catalogue().games["palace"], id, token, dice)
        last, chat = records[-1], entries.encode(entries.Said(0, "A", "what fills the pages of the file"))
        records += [Record(last.seq + number, last.at, chat) for number in range(1, 200)]
        journal.append(Append(id, records, "palace", False))
        found.append((id, token))
    await journal.close()
    with closing(sqlite3.connect(data / "journal.sqlite")) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return sorted(found)


def damage(journal: Path, tables: set[str], cut_off: bool) -> set[str]:
    """Overwrite a page that holds a part of one table's log only, or cut off the file in its last one. Whose it was."""
    with closing(sqlite3.connect(journal)) as connection:
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    whole = journal.read_bytes()
    pages = [whole[start : start + size] for start in range(0, len(whole), size)]
    owners = [{table for table in tables if table.encode() in page} for page in pages]
    if cut_off:
        journal.write_bytes(whole[: -size // 2])
        return owners[-1]
    number = next(number for number, found in enumerate(owners) if len(found) == 1 and number > len(pages) // 2)
    journal.write_bytes(b"".join([*pages[:number], b"\xaa" * size, *pages[number + 1 :]]))
    return owners[number]


@pytest.mark.parametrize("cut_off", [False, True])
async def test_damage_is_reported_and_the_healthy_tables_go_on(tmp_path: Path, cut_off: bool) -> None:
    journal, log = tmp_path / "journal.sqlite", tmp_path / "log"
    tokens = dict(await many_tables(tmp_path, 11))
    hurt = damage(journal, set(tokens), cut_off)
    checked = run("check", "--data", str(tmp_path))
    assert checked.returncode == 1
    assert "malformed" in checked.stdout
    # The log is sorted by table: who lies right beside a damaged page may need it to grow.
    order = list(tokens)
    beside = {order[place] for one in hurt for place in range(len(order)) if abs(place - order.index(one)) <= 1}
    async with process(tmp_path, log=log) as live:
        for table in hurt:
            async with client(live.ws("/ws")) as ann:
                with pytest.raises(Refusal) as refused:
                    await ann.ask("return", table=table, token=tokens[table])
                assert refused.value.code == "unavailable"
        for table in tokens.keys() - beside:
            async with client(live.ws("/ws")) as ann:
                await ann.ask("return", table=table, token=tokens[table])
                await ann.ask("say", text="still here")
        metrics = (await asyncio.to_thread(_get, live.http + "/metrics")).decode()
        (frozen,) = re.findall(r"^croupier_frozen_tables (\S+)$", metrics, re.MULTILINE)
        assert float(frozen) >= len(hurt) > 0
        checked = run("check", "--data", str(tmp_path))
        assert all(table in checked.stdout for table in hurt)
    told = log.read_text().replace("\x1b[0m", "")
    assert all(f"table={table}" in told for table in hurt)
    assert ("the journal is cut off" in told) == cut_off


def _get(url: str) -> bytes:
    from urllib.request import urlopen

    with urlopen(url, timeout=20) as answer:
        return bytes(answer.read())


async def test_a_journal_that_cannot_be_read_at_all_stops_the_start_with_one_sentence(tmp_path: Path) -> None:
    await many_tables(tmp_path, 2)
    journal = tmp_path / "journal.sqlite"
    whole = journal.read_bytes()
    journal.write_bytes(whole[:4096] + b"\xaa" * (len(whole) - 4096))
    started = run("serve", "--port", "0", "--data", str(tmp_path))
    assert started.returncode == 2
    assert started.stderr.startswith("croupier: the journal ") and started.stderr.count("\n") == 1
    journal.write_bytes(whole[: len(whole) // 2])
    assert run("check", "--data", str(tmp_path)).returncode == 1  # and a truncated one is noticed


# Clocks


async def test_the_clock_on_the_wall_may_jump(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An hour forward, and nobody is late; an hour back, and nobody waits for an hour."""
    real, jump = time.time, 0.0
    monkeypatch.setattr(time, "time", lambda: real() + jump)
    async with server(tmp_path) as live, client(live.ws("/ws")) as ann, client(live.ws("/ws")) as ben:
        await together(ann, ben, turn_timer=50)
        for jump in (3600.0, -3600.0, 0.0):  # noqa: B007 - the lambda above reads it
            for player in (ann, ben):
                sync = (await player.ask("see"))["sync"]
                assert 0 < sync["clocks"][0]["due"] - live.house.now() <= 50_000
                if sync["moves"]:
                    await player.ask("play", move=sync["moves"][0])


async def test_a_server_whose_clock_is_behind_its_journal_goes_on_from_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with monkeypatch.context() as tomorrow:
        real = time.time
        tomorrow.setattr(time, "time", lambda: real() + 86400)
        async with server(tmp_path) as live, client(live.ws("/ws")) as ann, client(live.ws("/ws")) as ben:
            await together(ann, ben, turn_timer=50)
            due = (await ann.ask("see"))["sync"]["clocks"][0]["due"]
    async with server(tmp_path) as live, client(live.ws("/ws")) as again:
        sync = (await again.ask("return", table=ann.table, token=ann.token))["sync"]
        assert sync["clocks"][0]["due"] >= due
        assert 0 < sync["clocks"][0]["due"] - live.house.now() <= 50_000


# Bots


class Broken(Bot):
    name, about = "broken", "Has a fault in every way that a bot can have one."
    fault: Callable[[Sequence[Any]], Any]

    def choose(self, seat: int, view: Any, moves: Sequence[Any], dice: Dice) -> Any:
        return type(self).fault(moves)


class Forgetful(Bot):
    name, about = "forgetful", "Can't stand to see anything."

    def observe(self, seat: int, events: Sequence[Event]) -> None:
        raise RuntimeError("no")

    def choose(self, seat: int, view: Any, moves: Sequence[Any], dice: Dice) -> Any:
        return moves[0]


def raises(moves: Sequence[Any]) -> Any:
    raise RuntimeError("no")


def hangs(moves: Sequence[Any]) -> Any:
    while True:
        with suppress(Exception):  # as careless code does
            sum(range(1000))


def sleeps(moves: Sequence[Any]) -> Any:
    time.sleep(3600)


def cheats(moves: Sequence[Any]) -> Any:
    return Bid(99)


def names_nothing(moves: Sequence[Any]) -> Any:
    return None


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(bots, "BUDGET", 0.05)
    monkeypatch.setattr(bots, "PATIENCE", 0.5)
    error_log.seen.clear()
    yield
    error_log.seen.clear()


def bids(game: type[Bids] = Bids, *more: type[Bot]) -> Catalogue:
    class Played(game):  # type: ignore[misc, valid-type]
        bots = {bot.name: bot for bot in more} or game.bots

    known = catalogue()
    return known._replace(games={**known.games, "bids": Played()})


@pytest.mark.parametrize("fault", [raises, hangs, sleeps, cheats, names_nothing])
async def test_a_bot_with_a_fault_harms_nobody(tmp_path: Path, quick: None, fault: Callable[..., Any]) -> None:
    kind = type("Faulty", (Broken,), {"fault": staticmethod(fault)})
    async with server(tmp_path, bids(Bids, kind), bot_delay=0) as live, client(live.ws("/ws")) as ann:
        await alone(ann, "bids")
        assert (await play_out(ann))["result"]
    assert error_log.seen["bot"] == {raises: 4, hangs: 1, sleeps: 1, cheats: 4, names_nothing: 0}[fault]
    assert error_log.seen.total() == error_log.seen["bot"]


async def test_a_bot_is_not_to_blame_for_a_busy_machine(
    tmp_path: Path, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "PATIENCE", 3600)

    def kept_waiting(moves: Sequence[Any]) -> Any:
        time.sleep(2 * bots.BUDGET)  # as long as it takes, it has used next to nothing of the processor
        return moves[0]

    kind = type("KeptWaiting", (Broken,), {"fault": staticmethod(kept_waiting)})
    async with server(tmp_path, bids(Bids, kind), bot_delay=0) as live, client(live.ws("/ws")) as ann:
        await alone(ann, "bids")
        assert (await play_out(ann))["result"]
    assert not error_log.seen


async def test_a_bot_that_cannot_see_is_relieved_also_after_a_restart(tmp_path: Path, quick: None) -> None:
    async with server(tmp_path, bids(Bids, Forgetful), bot_delay=0) as live, client(live.ws("/ws")) as ann:
        await alone(ann, "bids")
        await ann.ask("play", move=(await my_turn(ann))[0])
    async with server(tmp_path, bids(Bids, Forgetful), bot_delay=0) as live, client(live.ws("/ws")) as again:
        await again.ask("return", table=ann.table, token=ann.token)
        await again.ask("play", move=(await my_turn(again))[0])
        assert (await play_out(again))["result"]
    assert set(error_log.seen) == {"bot"}


# Rules


class BrokenPlay(Bids):
    def play(self, state: State, seat: int, move: Bid, at: int) -> list[AnyEvent]:
        if seat == 0 and len(state.hands[0]) == 3:
            state.hands[0].clear()  # half of it is done when it fails
            raise KeyError("A♠")
        return super().play(state, seat, move, at)


class BrokenClock(Bids):
    def expire(self, state: State, clock: str, at: int) -> list[AnyEvent]:
        raise KeyError("A♠")


class BrokenView(Bids):
    def view(self, state: State, seat: int | None) -> View:
        if len(state.hands[0]) == 3:
            raise KeyError("A♠")
        return super().view(state, seat)


class BrokenClocks(Bids):
    def clocks(self, state: State) -> Sequence[Clock]:
        if len(state.hands[0]) == 3:
            raise KeyError("A♠")
        return super().clocks(state)


@pytest.mark.parametrize("game", [BrokenPlay, BrokenClock, BrokenView, BrokenClocks])
async def test_a_fault_in_the_rules_hits_one_table(tmp_path: Path, quick: None, game: type[Bids]) -> None:
    """It is in the log, what is in the journal can be replayed, and another table plays on beside it."""
    clock = ManualTime()
    async with (
        server(tmp_path, bids(game), clock, bot_delay=0) as live,
        client(live.ws("/ws")) as ann,
        client(live.ws("/ws")) as cleo,
        client(live.ws("/ws")) as ben,
    ):
        await ann.ask("open", game="bids", player="Ann", seats=2)
        await ben.ask("join", table=ann.table, player="Ben")
        await ann.ask("start")
        players = {player.seat: player for player in (ann, ben)}
        for player in (ann, ben):
            await player.entry("started")
        players = {player.seat: player for player in (ann, ben)}
        for _ in range(6):
            for seat in (0, 1):
                try:
                    moves = (await players[seat].ask("see"))["sync"]["moves"]
                    if moves:
                        await players[seat].ask("play", move=moves[0])
                except Refusal as refusal:
                    assert refusal.code in ("internal", "unavailable")
                await clock.to_pass(11)
        assert error_log.seen.total() > 0
        assert error_log.seen.total() < 60, "it is not tried all the time"
        await alone(cleo)
        await cleo.ask("play", move=(await my_turn(cleo))[0])
    assert list(read_log(tmp_path / "journal.sqlite", ann.table))


async def test_what_is_on_its_way_to_the_journal_when_the_rules_fail_is_not_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It arrives just after the table has been read to find out what it was before."""
    file = tmp_path / "journal.sqlite"
    async with server(tmp_path) as live, client(live.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann")
        room, logs = live.house.rooms[ann.table], live.house.journal.logs
        with closing(sqlite3.connect(file)) as lock:
            lock.execute("BEGIN IMMEDIATE")

            async def too_early(tables: Mapping[str, int]) -> AsyncIterator[Piece]:
                pieces = [piece async for piece in logs(tables)]
                lock.rollback()
                while not room.tail or not room.tail.done:  # noqa: ASYNC110 - nobody tells
                    await asyncio.sleep(0.01)
                for piece in pieces:
                    yield piece

            monkeypatch.setattr(live.house.journal, "logs", too_early)
            batch = room.record([entries.HandedOver(0)])
            room.mark_stale()
            assert (await ann.hear())["entry"]["entry"] == "handed_over"
            synced = await ann.hear(lambda message: message["type"] == "resync")
        assert batch is not None and batch.done
        assert synced["sync"]["seq"] == batch.records[-1].seq
        await ann.ask("configure", options={"turn_timer": 20})
    assert [record.seq for record in read_log(file, ann.table)] == [1, 2, 3, 4]


async def test_a_table_whose_rules_fail_still_closes_when_everybody_has_left(tmp_path: Path, quick: None) -> None:
    clock = ManualTime()
    async with server(tmp_path, bids(BrokenClock), clock, bot_delay=0, patience=20) as live:
        async with client(live.ws("/ws")) as ann:
            await alone(ann, "bids")
            await clock.to_pass(11)
        async with client(live.ws("/ws")) as ben:
            await ben.ask("follow")
            for _ in range(10):
                await clock.to_pass(10)
                while any(room.stale for room in live.house.rooms.values()):  # noqa: ASYNC110 - nobody tells
                    await asyncio.sleep(0.01)
            assert (await ben.ask("list"))["tables"] == []


# Words


class BrokenTale(Bids):
    """Nobody can say what happened when a card was bid."""

    def tell(self, event: AnyEvent, names: Sequence[str], words: Words = ENGLISH) -> str:
        if isinstance(event, Bidden):
            raise IndexError("list index out of range")
        return super().tell(event, names, words)


async def test_what_can_not_be_put_into_words_has_happened_all_the_same(tmp_path: Path, quick: None) -> None:
    async with (
        server(tmp_path, bids(BrokenTale), bot_delay=0) as live,
        client(live.ws("/ws?views=1")) as ann,
        client(live.ws("/ws")) as ben,
    ):
        await ann.ask("open", game="bids", player="Ann", seats=2)
        await ben.ask("join", table=ann.table, player="Ben")
        await ann.ask("start")
        fact = await ann.entry("started")
        await ann.ask("play", move=fact["moves"][0])
        moved = await ann.entry("moved")
        assert moved.get("story", []) == []
        assert moved["view"]["has_bid"] == [True, False]
        assert await ben.entry("moved")
    assert error_log.seen["story"] == 1


class BrokenSight(Bids):
    """Somebody's view can't be worked out any more."""

    def view(self, state: State, seat: int | None) -> View:
        if seat == 0 and any(bid is not None for bid in state.bids):
            raise KeyError("A♠")
        return super().view(state, seat)


async def test_who_can_not_be_told_loses_the_connection_and_the_table_goes_on(tmp_path: Path, quick: None) -> None:
    async with (
        server(tmp_path, bids(BrokenSight), bot_delay=0) as live,
        client(live.ws("/ws?views=1")) as ann,
        client(live.ws("/ws?views=1")) as ben,
    ):
        await ann.ask("open", game="bids", player="Ann", seats=2)
        await ben.ask("join", table=ann.table, player="Ben")
        await ann.ask("start")
        blind, other = (ann, ben) if (await ann.entry("started"))["seat"] == 0 else (ben, ann)
        moves = (await other.ask("see"))["sync"]["moves"]
        await other.ask("play", move=moves[0])
        assert (await other.entry("moved"))["view"]["bid"] is not None
        with pytest.raises(ConnectionClosed) as caught:
            await blind.hear(lambda told: told["type"] == "fact" and told["entry"]["entry"] == "moved")
        assert caught.value.rcvd is not None
        assert caught.value.rcvd.code == 1011
        assert (await other.entry("absent"))["entry"]["seat"] == 0
