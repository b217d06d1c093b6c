"""Where tables are found, and what addresses hold of them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from croupier.journal.sqlite import SqliteJournal
from croupier.tables import entries
from croupier.tables.guesses import Guesses
from croupier.tables.house import House
from croupier.tables.index import Index
from croupier.tables.keys import GUESSES, lock
from croupier.tables.notices import Refused
from croupier.tables.registry import Registry
from croupier.tables.room import Room
from croupier.tables.settings import Settings
from croupier.tables.table import Table
from tests.toys import Bids


class Others(Bids):
    name = "others"


GAMES = {"bids": Bids(), "others": Others()}


def test_an_index_finds_who_came_by_a_key_last() -> None:
    index: Index[str, object] = Index()
    one, two = object(), object()
    index.enter(one, {"a", "b"})
    index.enter(two, {"b", "c"})
    assert (index["a"], index["b"], index["c"]) == (one, two, two)
    index.enter(one, {"d"})
    assert dict(index) == {"b": two, "c": two, "d": one}, "what another has by now stays theirs"
    index.enter(two, set())
    assert dict(index) == {"d": one}


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    house = House(GAMES, SqliteJournal(tmp_path / "journal.sqlite"), Settings(max_tables=3, max_tables_per_address=2))
    await house.open()
    yield house
    await house.close()


def opened(house: House, game: str = "bids") -> Room:
    room = house.open_for_bots(GAMES[game])
    assert room is not None
    return room


def refused(registry: Registry, id: str, game: str | None = None) -> str:
    with pytest.raises(Refused) as refusal:
        registry.find(id, game)
    return refusal.value.code


async def test_a_table_is_found_by_its_id_and_by_its_code(house: House) -> None:
    room, registry = opened(house), house.registry
    for name in (room.table.id, room.table.code):
        assert registry.find(name, None) is registry.find(name, "bids") is room
        assert refused(registry, name, "others") == "no_such_table"
    assert refused(registry, "nobody's") == "no_such_table"
    room.stale = True
    assert refused(registry, room.table.id) == "unavailable"
    registry.left_alone.add("damaged")
    assert refused(registry, "damaged") == "unavailable"


async def test_a_table_that_is_closed_is_found_no_more(house: House) -> None:
    room, registry = opened(house), house.registry
    room.record([entries.Joined(0, "Ann", token="a")])
    assert registry.by_token["a"] is room
    room.record([entries.Closed("idle")])
    assert refused(registry, room.table.code) == "no_such_table"
    assert not registry.rooms and not registry.by_token and not registry.by_code


async def test_tables_are_counted_by_address_and_in_all(house: House) -> None:
    registry = house.registry
    for _ in range(2):
        registry.check_new_table("near")
        registry.add(opened(house), "near")
    with pytest.raises(Refused, match="from your address"):
        registry.check_new_table("near")
    registry.check_new_table("far")
    last = opened(house)
    with pytest.raises(Refused, match="too many tables already"):
        registry.check_new_table("far")
    assert house.open_for_bots(GAMES["bids"]) is None
    last.record([entries.Closed("idle")])
    registry.check_new_table("far")


def test_wrong_passwords_have_a_price_and_right_ones_have_none() -> None:
    table, clock = Table("t", Bids()), [0]
    table.password = lock("plum")
    guesses = Guesses(lambda: clock[0])
    for _ in range(GUESSES):
        with pytest.raises(Refused), guesses.priced("near", table):
            raise Refused("bad_password", "no")
    assert not guesses.may_guess("near") and guesses.may_guess("far")
    with pytest.raises(Refused, match="too many"), guesses.priced("near", table):
        pytest.fail("it was looked at")
    with guesses.priced("far", table):
        pass
    assert guesses.unlocks(table, "plum", "far") and not guesses.unlocks(table, "pear", "far")
    clock[0] = 10**9
    assert guesses.may_guess("near")
