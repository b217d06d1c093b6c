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
from croupier.journal.sqlite import SqliteJournal
from croupier.kernel import Customs
from croupier.tables import entries, history, intents, rulings
from croupier.tables.batch import Batch
from croupier.tables.entries import Absent, Back
from croupier.tables.house import House
from croupier.tables.rulings import Newcomer
from croupier.tables.settings import Settings
from croupier.tables.table import AnyGame, Table
from tests.client import client
from tests.clock import ManualTime
from tests.happening import happen
from tests.lines import Connection, Line, opened
from tests.live import LiveHere, server
from tests.toys import AnyEvent, Bids, State

NOW = 1_000_000_000_000
LUCK = (bytes(32), None)


class Lingering(Bids):
    name = "lingering"
    customs = Customs(linger=60.0)


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


def test_in_such_a_game_it_does_also_afterwards_where_the_table_lingers() -> None:
    class Heeding(Lingering):
        def absent(self, state: State, seat: int, at: int) -> list[AnyEvent]:
            return []

    for game, belongs in ((Heeding(), True), (Lingering(), False)):
        table = table_of(game, playing=True)
        while table.phase == "playing":
            happen(table, [entries.Expired("bid")], NOW)
        assert history.belongs(Absent(1, NOW), table) == belongs


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


# Connections, with no socket behind them: what it means that one is gone, and that another takes its place.


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    games = {"bids": Bids(), "lingering": Lingering()}
    house = House(games, SqliteJournal(tmp_path / "journal.sqlite"), Settings(), ManualTime())
    await house.open()
    yield house
    await house.close()


class Fleeting(Line):
    keeps_seat = False


async def test_before_a_game_a_seat_outlives_its_connection_where_the_protocol_says_so(house: House) -> None:
    ann, table = opened(house)
    for line, gone in ((Line(), Absent(1, house.now() + 60_000)), (Fleeting(), entries.Left(2))):
        other = Connection(house, line)
        other.sits_down(table, "Ben")
        ann.hears()
        house.lost(other)
        assert ann.hears() == [gone]


async def test_where_a_table_lingers_no_seat_goes_with_its_connection(house: House) -> None:
    ann, table = opened(house, "lingering")
    ben = Connection(house, Fleeting())
    ben.sits_down(table, "Ben")
    ann.ask(intents.Start())
    while house.rooms[table].table.phase == "playing":
        house.rooms[table].record([entries.Expired("bid")])
    ann.hears()
    house.lost(ben)
    assert ann.hears() == [Absent(1, house.now() + 60_000)]


class Patient(Line):
    patience = 7.0


async def test_in_a_game_a_protocol_may_have_a_patience_of_its_own(house: House) -> None:
    ann, table = opened(house)
    ben, cleo = Connection(house), Connection(house, Patient())
    ben.sits_down(table, "Ben")
    cleo.sits_down(table, "Cleo")
    ann.ask(intents.Start())
    ann.hears()
    house.lost(ben)
    house.lost(cleo)
    assert ann.hears() == [Absent(1, house.now() + 600_000), Absent(2, house.now() + 7_000)]


class OneTable(Line):
    one_table = True


async def test_who_takes_another_place_has_given_up_a_game_where_the_protocol_says_so(house: House) -> None:
    ann, table = opened(house)
    others = [Connection(house, line) for line in (Line(), OneTable(), OneTable())]
    for name, other in zip(("Ben", "Cleo", "Dan"), others, strict=True):
        other.sits_down(table, name)
    ann.ask(intents.Start())
    ann.hears()
    ben, cleo, dan = others
    for other in (ben, cleo):
        other.ask(intents.Open(game="bids", player="Somebody"))
    house.lost(dan)
    until = house.now() + 600_000
    assert ann.hears() == [Absent(1, until), entries.Left(2), Absent(3, until)], "a lost line is no other place"


class ForTheLobby(Line):
    attends = frozenset({"waiting"})


class ForTheGame(Line):
    attends = frozenset({"playing"})


async def test_a_new_connection_replaces_an_old_one_of_the_same_kind(house: House) -> None:
    _, table = opened(house)
    lobby, game, again = (Connection(house, line) for line in (ForTheLobby(), ForTheGame(), ForTheGame()))
    token = lobby.sits_down(table, "Ben")
    back = intents.Return(table=table, token=token)
    for line in (game, again):
        assert not line.ask(back).entered, "they were there"
    assert [line.line.replaced for line in (lobby, game, again)] == [False, True, False]
    again.ask(back)
    assert not again.line.replaced and again.place is not None, "none replaces itself"


async def test_who_is_there_for_the_lobby_alone_is_missed_once(house: House) -> None:
    ann, table = opened(house)
    lobby = Connection(house, ForTheLobby())
    lobby.sits_down(table, "Ben")
    ann.ask(intents.Start())
    assert [entry for entry in ann.hears() if isinstance(entry, Absent)] == [Absent(1, house.now() + 600_000)]
    house.lost(lobby)
    assert ann.hears() == []


async def test_who_was_stood_in_for_takes_the_seat_back_from_another_connection(house: House) -> None:
    ann, table = opened(house)
    ben = Connection(house)
    token = ben.sits_down(table, "Ben")
    ann.ask(intents.Start())
    house.rooms[table].record([entries.StoodIn(1)])
    ann.hears()
    assert Connection(house).ask(intents.Return(table=table, token=token)).entered
    assert ann.hears() == [Back(1)]


class Unhurried(Line):
    unhurried = True


async def test_whose_move_it_is_may_have_noticed_first_that_the_line_was_dead(house: House) -> None:
    ann, table = opened(house)
    token = Connection(house, Unhurried()).sits_down(table, "Ben")
    ann.ask(intents.Start())
    ann.hears()
    back = intents.Return(table=table, token=token)
    assert Connection(house, Unhurried()).ask(back).entered
    assert ann.hears() == [Back(1)], "the clock waits a little"
    assert not Connection(house, Unhurried()).ask(back).entered
    assert ann.hears() == [], "once"


class Named(Line):
    def __init__(self, handle: str) -> None:
        super().__init__()
        self.handle = handle


async def test_others_are_told_by_what_name_somebody_goes_who_has_another_connection(house: House) -> None:
    ann, table = opened(house)
    token = Connection(house, Named("line-1")).sits_down(table, "Ben")
    ann.hears()
    back = intents.Return(table=table, token=token)
    Connection(house, Named("line-1")).ask(back)
    assert ann.hears() == []
    Connection(house, Named("line-2")).ask(back)
    assert ann.hears() == [Back(1, "line-2")]


async def test_a_picture_is_told_of_when_it_is_another(house: House) -> None:
    ann, table = opened(house)
    ben = Connection(house)
    token = ben.ask(intents.Join(table=table, player="Ben", avatar="owl")).token
    assert token is not None
    house.lost(ben)
    ann.hears()
    for avatar, told in (("owl", [Back(1)]), ("owl", []), ("fox", [Back(1, avatar="fox")])):
        Connection(house).ask(intents.Return(table=table, token=token, avatar=avatar))
        assert ann.hears() == told


class Known(Line):
    token = "ann's secret"


async def test_who_is_known_without_a_seat_is_so_until_their_last_connection_is_gone(house: House) -> None:
    first, second = Connection(house, Known()), Connection(house, Known())
    first.ask(intents.Resume(known=True))
    second.ask(intents.Resume(known=False))
    assert (first.line.replaced, second.line.replaced) == (True, False)
    house.lost(first)
    third = Connection(house, Known())
    assert not third.refused(intents.Resume(known=False))
    house.lost(second)
    house.lost(third)
    assert Connection(house, Known()).refused(intents.Resume(known=False)) == "no_such_seat"


async def test_who_is_somebody_else_now_is_not_who_they_were(house: House) -> None:
    somebody = Connection(house, Known())
    somebody.ask(intents.Resume(known=True))
    somebody.line.token = "ben's secret"
    somebody.ask(intents.Resume(known=True))
    assert Connection(house, Known()).refused(intents.Resume(known=False)) == "no_such_seat"


@pytest.mark.parametrize(("playing", "wait"), [(False, 60_000), (True, 600_000)])
async def test_a_connection_that_is_lost_while_the_table_is_read_again_is_noticed_then(
    house: House, playing: bool, wait: int
) -> None:
    ann, table = opened(house)
    ben = Connection(house)
    ben.sits_down(table, "Ben")
    if playing:
        ann.ask(intents.Start())
    house.rooms[table].mark_stale()
    ann.hears()
    house.lost(ben)
    assert ann.hears() == []
    await ann.reached.wait()
    assert ann.hears() == [Absent(1, house.now() + wait)]


# The same with real ones.


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
