"""A game is over when its rules say so, whatever has happened: and then it is over at the table too."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from croupier.games import Catalogue
from croupier.journal import Append, Record
from croupier.journal.reading import read_log
from croupier.journal.sqlite import SqliteJournal
from croupier.journal.stores import SqliteStore
from croupier.kernel import Customs, Result
from croupier.tables import audit, entries, error_log
from croupier.tables.house import House
from croupier.tables.logbook import fold
from croupier.tables.settings import Settings
from croupier.tables.table import AnyGame, Table
from tests.client import client, play_out
from tests.live import server
from tests.toys import AnyEvent, Bids, State

AT = 1_700_000_000_000
SEED = bytes(32)


class Brittle(Bids):
    """Who loses the connection has lost."""

    name = "brittle"

    def absent(self, state: State, seat: int, at: int) -> Sequence[AnyEvent]:
        return self.leave(state, [seat], at) if len(state.players) > 1 else ()


class Silent(Brittle):
    """The same, without a word about it."""

    name = "silent"

    def absent(self, state: State, seat: int, at: int) -> Sequence[AnyEvent]:
        super().absent(state, seat, at)
        return ()


class Hollow(Bids):
    """It is over when it begins."""

    name = "hollow"

    def result(self, state: State) -> Result | None:
        return Result(((0, 1),))


class Forgetful(Bids):
    """Who is not there at the end has no seat any more."""

    name = "forgetful"
    customs = Customs(keep_absent=False)


GAMES: dict[str, AnyGame] = {game.name: game for game in (Brittle(), Silent(), Hollow(), Forgetful())}
CATALOGUE = Catalogue(GAMES, [], [])


@pytest.mark.parametrize("game", ["brittle", "silent"])
async def test_a_lost_connection_that_ends_a_game_ends_it_at_the_table(tmp_path: Path, game: str) -> None:
    async with server(tmp_path, CATALOGUE) as live, client(live.ws("/ws")) as ada:
        async with client(live.ws("/ws")) as bob:
            await ada.ask("open", game=game, player="Ada", seats=2)
            await bob.ask("join", table=ada.table, player="Bob")
            await ada.ask("start")
        fact = await ada.hear(lambda told: told["type"] == "fact" and told["entry"]["entry"] == "absent")
        assert fact["result"]["placings"] == [[0], [1]]
        assert fact["seed"]
        assert (fact["table"]["phase"], fact["table"]["games"]) == ("waiting", 1)
        assert fact["clocks"] == []
        await ada.ask("say", text="oh")
        assert "result" not in ada.told[-1], "it is told once"
        table = ada.table
    assert [found for found in audit.check(SqliteStore(tmp_path / "journal.sqlite"), GAMES) if found.fault] == []
    journal = SqliteJournal(tmp_path / "journal.sqlite")
    replayed = Table(table, GAMES[game])
    fold(replayed, [record async for piece in journal.logs({table: 0}) for record in piece.records])
    assert (replayed.phase, replayed.games) == ("waiting", 1)
    await journal.close()


async def test_a_game_that_is_over_when_it_begins_is_over(tmp_path: Path) -> None:
    async with server(tmp_path, CATALOGUE) as live, client(live.ws("/ws")) as ada:
        await ada.ask("open", game="hollow", player="Ada", seats=2)
        await ada.ask("add_bots")
        await ada.ask("start")
        fact = await ada.hear(lambda told: told["type"] == "fact" and told["entry"]["entry"] == "started")
        assert fact["result"] and fact["table"]["phase"] == "waiting"


async def test_after_the_end_nobody_inherits_a_closed_table(tmp_path: Path) -> None:
    before = error_log.seen.copy()
    async with server(tmp_path, CATALOGUE) as live, client(live.ws("/ws")) as ada:
        async with client(live.ws("/ws")) as bob:
            await ada.ask("open", game="forgetful", player="Ada", seats=2)
            await bob.ask("join", table=ada.table, player="Bob")
            await ada.ask("start")
        await ada.hear(lambda told: told["type"] == "fact" and told["entry"]["entry"] == "absent")
        await ada.ask("leave")  # so the game is over, and nobody is left
        assert (await ada.ask("list"))["tables"] == []
    assert error_log.seen == before


def first_edition() -> list[entries.AnyEntry]:
    """A log as it was written before games were asked for their end at every entry: this one was over, and played."""
    return [
        entries.Opened("brittle", "Old", 3, {}, code="OLDIE"),
        entries.Joined(0, "Ada", "a" * 64),
        entries.Joined(1, "Bob", "b" * 64),
        entries.Started((0, 1), SEED),
        entries.Absent(1, AT + 600_000),
    ]


def applied(log: Sequence[entries.AnyEntry]) -> Table:
    table = Table("t", GAMES["brittle"])
    for entry in log:
        table.apply(entries.decode(entries.encode(entry)), AT)
    return table


def test_an_old_log_means_what_it_meant() -> None:
    log = first_edition()
    stuck = applied(log)
    assert stuck.phase == "playing" and stuck.game.result(stuck.state) is not None
    ended = applied([*log, entries.Left(0), entries.HandedOver(1), entries.Left(0, "gone")])
    assert (ended.phase, ended.games, list(ended.seats)) == ("waiting", 1, [1])


async def test_a_game_that_was_stuck_comes_to_its_end_when_the_server_starts(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    journal = SqliteJournal(path)
    house = House(GAMES, journal, Settings())
    await house.open()
    records = [Record(seq, AT, entries.encode(entry)) for seq, entry in enumerate(first_edition(), 1)]
    journal.append(Append("t", records, "brittle", False))
    await house.close()

    house = House(GAMES, SqliteJournal(path), Settings())
    await house.open()
    table = house.rooms["t"].table
    assert (table.phase, table.games) == ("waiting", 1)
    assert table.result is not None
    await house.close()
    await asyncio.sleep(0)
    assert [found for found in audit.check(SqliteStore(path), GAMES) if found.fault] == []


async def test_nothing_is_written_after_the_end_of_a_table(tmp_path: Path) -> None:
    """A node may have heard that the host is connected elsewhere, and not yet that they are back, when a game ends of
    which an absent host closes the table."""
    async with server(tmp_path, bot_delay=0) as here, client(here.ws("/ws")) as ann, client(here.ws("/ws")) as bob:
        await ann.ask("open", game="palace", player="Ann", seats=2)
        await bob.ask("join", table=ann.table, player="Bob")
        await ann.ask("start")
        (room,) = here.house.rooms.values()
        seat = room.table.host
        assert seat is not None
        room.record([entries.StoodIn(seat.number, "left")])
        seat.go_away(here.house.now(), here.house.now() + 60_000)
        await play_out(bob)
        await ann.entry("closed")
        table = room.table
    log = list(read_log(tmp_path / "journal.sqlite", table.id))
    assert entries.decode(log[-1].entry) == entries.Closed("host left")
    fold(again := Table(table.id, table.game), log)
    assert again.phase == "closed"
