"""Who is connected is no history: a log says it only where that means something. Everybody is told all the same."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from croupier.games.coup.rules import Coup
from croupier.games.faraway.rules import Faraway
from croupier.games.palace import Palace
from croupier.journal.reading import read_log
from croupier.tables import entries, history, rulings
from croupier.tables.batch import Batch
from croupier.tables.entries import Absent, Back
from croupier.tables.rulings import Newcomer
from croupier.tables.table import AnyGame, Table
from tests.client import client
from tests.happening import happen
from tests.live import LiveHere, server

NOW = 1_000_000_000_000
LUCK = (bytes(32), None)


def table_of(game: AnyGame, playing: bool, unhurried: bool = False) -> Table:
    table = Table("t", game)
    host = Newcomer("Ann", "a", unhurried=unhurried)
    happen(table, rulings.opened(game, "", 2, {}, "", host, LUCK), NOW)
    happen(table, rulings.joined(table, Newcomer("Ben", "b"), ""), NOW)
    if playing:
        happen(table, rulings.started(table, table.host, LUCK), NOW)
    return table


@pytest.mark.parametrize("game", [Palace(), Coup(), Faraway()], ids=lambda game: game.name)
def test_before_a_game_a_log_does_not_say_who_is_there(game: AnyGame) -> None:
    table = table_of(game, playing=False)
    assert not history.belongs(Absent(1, NOW), table)
    assert not history.belongs(Back(1), table)


def test_in_a_game_it_does_where_the_rules_have_to_know() -> None:
    palace, coup = table_of(Palace(), playing=True), table_of(Coup(), playing=True)
    assert not history.belongs(Absent(1, NOW), palace)
    assert not history.belongs(Back(1), palace)
    assert history.belongs(Absent(1, NOW), coup), "the game pauses"
    assert history.belongs(Back(1), coup)


def test_r18_in_faraway_it_is_part_of_a_numbered_state() -> None:
    assert history.belongs(Absent(1, NOW), table_of(Faraway(), playing=True))


def test_who_comes_back_to_a_seat_that_a_bot_plays_takes_it_back() -> None:
    table = table_of(Palace(), playing=True)
    happen(table, [entries.StoodIn(1)], NOW)
    assert history.belongs(Back(1), table)
    assert not history.belongs(Back(0), table)


def test_a_clock_that_waits_for_somebody_who_is_back_does_so_in_every_replay() -> None:
    table = table_of(Palace(), playing=True, unhurried=True)
    (clock,) = table.clocks()
    assert clock.seats == (0,)
    assert history.belongs(Back(0), table)
    happen(table, [Back(0)], NOW)
    assert not history.belongs(Back(0), table), "once"


def test_a_new_picture_or_another_handle_stays() -> None:
    table = table_of(Palace(), playing=False)
    assert history.belongs(Back(0, avatar="fox"), table)
    assert history.belongs(Back(0, handle="line-2"), table)


def test_the_game_is_told_of_those_who_are_not_there_when_it_begins() -> None:
    table = table_of(Coup(), playing=False)
    table.mention(Absent(1, NOW + 60_000), NOW)
    told = [entry for entry, _ in happen(table, rulings.started(table, table.host, LUCK), NOW)]
    assert told[-1] == Absent(1, NOW + 60_000)
    assert Coup().view(table.state, 0).missing == (1,)


def test_after_a_restart_nobody_is_told_of_twice() -> None:
    table = table_of(Coup(), playing=True)
    happen(table, [Absent(1, NOW + 60_000)], NOW)
    away = list(table.state.away)
    happen(table, [entries.Resumed(NOW + 90_000, NOW + 90_000, entries.EDITION)], NOW + 9_000)
    assert table.state.away == [(0, NOW + 9_000), *away]


@pytest.fixture
async def live(tmp_path: Path) -> AsyncIterator[LiveHere]:
    async with server(tmp_path, bot_delay=0) as running:
        yield running


async def test_people_come_and_go_and_the_log_says_nothing_of_it(live: LiveHere, tmp_path: Path) -> None:
    async with client(live.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann", seats=2)
        async with client(live.ws("/ws")) as ben:
            joined = await ben.ask("join", table=ann.table, player="Ben")
        gone = await ann.entry("absent")
        assert gone["entry"]["seat"] == 1
        assert gone["table"]["players"][1]["away"]
        async with client(live.ws("/ws")) as ben:
            await ben.ask("return", table=ann.table, token=joined["token"])
            back = await ann.entry("back")
            assert "away" not in back["table"]["players"][1]
            assert back["seq"] == gone["seq"], "it has no number of its own"
            assert back["soft"] and gone["soft"]
    await live.house.journal.close()
    written = [entries.decode(record.entry) for record in read_log(tmp_path / "journal.sqlite", ann.table)]
    assert [type(entry) for entry in written] == [entries.Opened, entries.Joined, entries.Joined]


async def test_a_loss_that_could_not_be_written_down_is_noticed_later(
    live: LiveHere, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(batch: Batch) -> None:
        asyncio.get_running_loop().call_soon(batch.settled, OSError("the disk is full"))

    async with client(live.ws("/ws")) as ann:
        await ann.ask("open", game="coup", player="Ann", seats=2)
        async with client(live.ws("/ws")) as ben:
            await ben.ask("join", table=ann.table, player="Ben")
            await ann.ask("start")
            monkeypatch.setattr(live.house.journal, "append", fails)
        with monkeypatch.context():
            synced = await ann.hear(lambda told: told["type"] == "resync")
            monkeypatch.undo()
        assert synced["sync"]["view"]["missing"] == []
        gone = await ann.entry("absent")
        assert [event["event"] for event in gone["events"]] == ["paused"]
        assert "soft" not in gone
