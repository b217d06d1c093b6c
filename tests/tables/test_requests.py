"""What a connection asks for, and whom it is then: with no socket behind it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import ClassVar

import pytest

from croupier.journal.sqlite import SqliteJournal
from croupier.kernel import Customs
from croupier.tables import intents
from croupier.tables.entries import Back, Joined
from croupier.tables.house import House
from croupier.tables.settings import Settings
from tests.clock import ManualTime
from tests.lines import Connection, Line, opened
from tests.toys import Bids


class ByName(Bids):
    name = "by name"
    customs = Customs(names="unique", absent="stand_in")


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    games = {"bids": Bids(), "by name": ByName()}
    house = House(games, SqliteJournal(tmp_path / "journal.sqlite"), Settings(), ManualTime())
    await house.open()
    yield house
    await house.close()


async def test_a_table_as_everybody_may_know_it(house: House) -> None:
    _, table = opened(house)
    stranger = Connection(house)
    for intent in (intents.Look(table=table), intents.List(table=table)):
        tables = stranger.ask(intent).tables
        assert tables is not None and [each.id for each in tables] == [table]
    assert stranger.refused(intents.Look(table="nowhere")) == "no_such_table"
    assert stranger.ask(intents.List(table="nowhere")).tables == []


class OfBids(Line):
    game = "bids"
    usual: ClassVar = {"seconds": 20}


async def test_a_protocol_may_have_options_that_are_usual_there(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Bids, "usual", {"seconds": 30})
    for line, seconds in ((Line(), 30), (OfBids(), 20)):
        place = Connection(house, line).ask(intents.Open(game="bids", player="Ann")).place
        assert place is not None
        assert house.rooms[place.table].table.options.seconds == seconds


async def test_spectators_are_sent_away_when_the_bench_is_closed_and_not_when_it_is_opened(house: House) -> None:
    ann, table = opened(house)
    stranger = Connection(house)
    stranger.ask(intents.Watch(table=table))
    ann.ask(intents.Bench(open=True))
    assert stranger.place is not None
    ann.ask(intents.Bench(open=False))
    assert stranger.place is None and ann.place is not None


class Known(Line):
    """Somebody who has a secret before they have a seat."""

    token = "ben's secret"


async def test_who_has_a_seat_takes_no_other_at_the_table(house: House) -> None:
    _, table = opened(house)
    Connection(house, Known()).sits_down(table, "Ben")
    assert Connection(house, Known()).refused(intents.Join(table=table, player="Ben")) == "seated"


class Visiting(Line):
    attends = frozenset()


async def test_who_has_taken_a_seat_and_can_not_stay_is_waited_for(house: House) -> None:
    ann, table = opened(house)
    visitor = Connection(house, Visiting())
    visitor.sits_down(table, "Ben")
    (joined,) = ann.hears()
    assert isinstance(joined, Joined) and joined.until == house.now() + 60_000
    assert visitor.place is None


class User(Known):
    user = "ben"


async def test_who_is_known_before_they_have_a_seat_comes_back_to_it_by_joining(house: House) -> None:
    _, table = opened(house)
    first, second = Connection(house, User()), Connection(house, User())
    first.sits_down(table, "Ben")
    assert not second.refused(intents.Join(table=table, player="Ben"))
    assert first.place is None and second.place is not None and second.place.seat == 1


async def test_who_resumes_is_at_their_seat_and_at_no_other_connection(house: House) -> None:
    ann, table = opened(house)
    resume = intents.Resume(known=False)
    first, second = Connection(house, Known()), Connection(house, Known())
    assert first.refused(resume) == "no_such_seat"
    first.ask(intents.Resume(known=True))
    first.sits_down(table, "Ben")
    ann.hears()
    place = second.ask(resume).place
    assert place is not None and (place.table, place.seat) == (table, 1)
    assert first.line.replaced and first.place is None
    assert ann.hears() == [], "they were there all the time"
    assert not second.refused(resume) and second.place is not None, "nobody replaces themselves"
    second.ask(intents.Leave())
    assert second.ask(resume).place is None, "they are known, and have no seat"


async def test_at_a_table_that_was_opened_for_others_the_first_to_come_is_the_host(house: House) -> None:
    tables = Connection(house).ask(intents.OpenUnattended(game="bids", seats=3, keeps=60)).tables
    assert tables is not None
    (table,) = tables
    assert (table.seats, table.players) == (3, ())
    Connection(house).sits_down(table.id, "Ben")
    host = house.rooms[table.id].table.host
    assert host is not None and host.name == "Ben"


class Names(Line):
    by_name = True


async def test_who_has_lost_the_connection_reclaims_the_seat_by_its_secret_or_where_names_are_enough(
    house: House,
) -> None:
    ann, table = opened(house, "by name")
    ben, cleo = Connection(house, Names()), Connection(house)
    ben.sits_down(table, "Ben")
    secret = cleo.sits_down(table, "Cleo")
    ann.ask(intents.AddBots())
    bot = house.rooms[table].table.seats[3].name

    def reclaim(player: str, token: str | None = None, by_name: bool = True) -> str:
        return Connection(house).refused(intents.Reclaim(table=table, player=player, token=token, by_name=by_name))

    assert reclaim("Ben") == "connected"
    assert reclaim("Dan") == reclaim(bot) == "no_such_player"
    house.lost(ben)
    house.lost(cleo)
    ann.hears()
    assert reclaim("Cleo") == reclaim("Cleo", "guessed") == reclaim("Ben", by_name=False) == "bad_token"
    assert not reclaim("Cleo", secret)
    assert not reclaim("Ben")
    assert ann.hears() == [Back(2), Back(1)]
    _, table = opened(house)
    assert reclaim("Ann") == "no_such_player", "where two may have the same name, it says nothing"


async def test_who_was_thrown_out_has_nothing_to_leave_or_to_come_back_to(house: House) -> None:
    ann, table = opened(house, "by name")
    token = Connection(house).sits_down(table, "Ben")
    ann.ask(intents.Start())
    ann.ask(intents.Kick(seat=1))
    other = Connection(house)
    assert other.refused(intents.Leave(table=table, token=token)) == "kicked"
    assert other.refused(intents.Return(table=table, token=token)) == "kicked"


async def test_what_is_to_be_done_in_a_while_is_done_then(house: House) -> None:
    clock = house.time
    assert isinstance(clock, ManualTime)
    ann, _ = opened(house)
    ann.ask(intents.Later(seconds=5, intent=intents.AddBots()))
    ann.hears()
    await clock.to_pass(4.9)
    assert ann.hears() == []
    await clock.to_pass(0.1)
    assert len(ann.hears()) == 1


async def test_who_does_not_follow_the_list_of_tables_any_more_is_told_nothing_of_it(house: House) -> None:
    ann = Connection(house)
    ann.ask(intents.Follow())
    assert list(house.board.followers) == [ann]
    ann.ask(intents.Unfollow())
    assert not house.board.followers
