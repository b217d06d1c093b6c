"""Coming together in the game's own protocol: JOIN_GAME and what follows, passwords, bots, many tables at once.

The names d7, c5, … are decisions and checklist lines of docs/protocols/fortress.md.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from croupier.config import BadConfig, load
from croupier.games import catalogue
from tests.client import client
from tests.clock import ManualTime
from tests.games.fortress.wire import ALICE, BOB, Client, Hall, Json, hall
from tests.live import server

WRONG_PASSWORD = "Incorrect game password provided."


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Hall]:
    async with hall(tmp_path) as found:
        yield found


@pytest.fixture
async def many(tmp_path: Path) -> AsyncIterator[Hall]:
    """A hall for more than one pair of clients."""
    async with hall(tmp_path, table_count=("fortress=9",)) as found:
        yield found


async def turned_away(somebody: Client, deck: Any = tuple(ALICE), name: Any = "eve", **fields: Any) -> Json:
    """They are told why, and then the connection is closed (d43)."""
    await somebody.send("JOIN_GAME", USERNAME=name, DECK_DATA=deck, **fields)
    (told,) = await somebody.closed()
    assert told.keys() == {"COMMAND", "SUCCESS", "MESSAGE", "CODE"} and told["SUCCESS"] is False
    return told


def test_c1_d1_d2_the_ports_that_clients_know() -> None:
    endpoints = {each.name: (each.transport, each.port, each.message_size) for each in catalogue().endpoints}
    assert endpoints["fortress"] == ("lines", 3789, 65536)
    assert endpoints["fortress-reference"] == ("lines", 3979, 65536)
    assert [beacon.port for beacon in catalogue().beacons if beacon.name == "fortress-lan"] == [3980]


async def test_c5_c6_c7_c11_d6_d7_d73_who_is_told_what_when_two_join(here: Hall) -> None:
    alice, bob = await here.enter(), await here.enter()
    await bob.rest()  # d73: ids go by who joins first, not by who connects first
    told = await alice.joins()
    assert (told["PLAYER_LIST"], told["PLAYER_ID"]) == ({}, 0)
    assert await alice.rest() == []
    told = await bob.joins(BOB, "bob")
    assert (told["PLAYER_LIST"], told["PLAYER_ID"]) == ({"0": "alice"}, 1)
    order = [message["COMMAND"] for message in (await bob.next(), await bob.next(), *await bob.rest())]
    assert order == ["GAME_INIT", "GAME_START", "DRAW_CARD_RESP", "MULLIGAN_OFFER"]
    told = await alice.next()
    assert told == {"COMMAND": "PLAYER_JOINED", "USERNAME": "bob", "PLAYER_ID": 1}
    told = await alice.next()
    assert told == {"COMMAND": "GAME_INIT", "PLAYER_LIST": {"0": "alice", "1": "bob"}}
    assert [message["COMMAND"] for message in await alice.rest()] == ["GAME_START", "DRAW_CARD_RESP", "MULLIGAN_OFFER"]


@pytest.mark.parametrize("spelling", [str.upper, str.lower, str.title])
async def test_c3_d3_fields_in_any_case(here: Hall, spelling: Any) -> None:
    alice = await here.enter()
    await alice.send("JOIN_GAME", **{spelling("USERNAME"): "alice", spelling("DECK_DATA"): ALICE})
    assert (await alice.hears("JOIN_GAME_RESP"))["SUCCESS"]


async def test_c4_d4_integral_floats_are_card_ids(here: Hall) -> None:
    assert (await (await here.enter()).joins([float(card) for card in ALICE]))["SUCCESS"]


# Refusals, in the order of the checks


@pytest.mark.parametrize(
    "fields",
    [
        {"USERNAME": "eve"},
        {"DECK_DATA": ALICE},
        {"USERNAME": 7, "DECK_DATA": ALICE},
        {"USERNAME": None, "DECK_DATA": ALICE},
        {"USERNAME": "x" * 99, "DECK_DATA": "cards"},
        {"USERNAME": "eve", "DECK_DATA": {"0": 10}},
        {"USERNAME": "eve", "DECK_DATA": ALICE, "TOKEN": 7},
    ],
)
async def test_malformed(here: Hall, fields: Json) -> None:
    eve = await here.enter()
    await eve.send("JOIN_GAME", **fields)
    (told,) = await eve.closed()
    assert (told["CODE"], told["MESSAGE"]) == ("MALFORMED", "Received malformed JOIN_GAME command")


@pytest.mark.parametrize("name", ["x" * 33, "a\nb", "a\x00b", "\x7f", "a\u202eb", "BOT Ada", "AI"])
async def test_d72_bad_username_before_a_bad_deck(here: Hall, name: str) -> None:
    assert (await turned_away(await here.enter(), [1], name))["CODE"] == "BAD_USERNAME"


async def test_d72_names_that_are_fine(many: Hall) -> None:
    alice, bob = await many.enter(), await many.enter()
    await alice.joins(name=f"  {'x' * 32}  ")
    assert (await bob.joins(BOB, " \t "))["PLAYER_LIST"] == {"0": "x" * 32}
    assert (await alice.hears("PLAYER_JOINED"))["USERNAME"] == "Player 1"
    third, fourth = await many.enter(), await many.enter()
    await third.joins(name="")
    assert (await fourth.joins(name="Player 0"))["PLAYER_LIST"] == {"0": "Player 0"}  # duplicates are allowed


def with_card(number: int, card: Any) -> list[Any]:
    return [*ALICE[:number], card, *ALICE[number + 1 :]]


@pytest.mark.parametrize(
    "deck",
    [
        [],
        ALICE[1:],
        [*ALICE[:10], *ALICE],
        with_card(0, 10),  # a third copy
        with_card(1, 8),  # a second decree of that name
        with_card(1, 3),  # a castle inside
        with_card(50, 24),  # no castle at the end
        with_card(1, 59),
        with_card(1, -1),
        with_card(1, 10.5),
        with_card(1, "10"),
        with_card(1, True),
        with_card(1, None),
        with_card(1, [10]),
    ],
)
async def test_c10_d44_d45_bad_deck(here: Hall, deck: list[Any]) -> None:
    told = await turned_away(await here.enter(), deck)
    assert told["CODE"] == "BAD_DECK" and len(told["MESSAGE"]) > 10
    assert here.tables == []


async def test_d43_bad_token(here: Hall) -> None:
    for wrong in ("", "nonsense", "6f1c-0f6c"):
        eve = await here.enter()
        await eve.send("JOIN_GAME", USERNAME="eve", TOKEN=wrong)
        (told,) = await eve.closed()
        assert told["CODE"] == "BAD_TOKEN"
    alice = await here.enter()
    await alice.joins()
    eve = await here.enter()  # nobody can come back to a game that has not begun
    assert (await turned_away(eve, TOKEN=alice.token))["CODE"] == "BAD_TOKEN"
    await (await here.enter()).joins(BOB, "bob")
    eve = await here.enter()
    assert (await turned_away(eve, TOKEN=alice.token[:-1] + "?"))["CODE"] == "BAD_TOKEN"


# Many tables


async def test_c9_d75_a_third_player_is_turned_away(here: Hall) -> None:
    alice, bob = await here.joined()
    third = await here.enter()
    assert (await turned_away(third, [1], "cy"))["CODE"] == "GAME_FULL"  # before BAD_DECK
    await alice.send("TERMINATE_CONN")
    await bob.closed()
    assert (await (await here.enter()).joins(name="cy"))["PLAYER_LIST"] == {}  # their game is over


async def test_c9_d75_vs_ai_of_a_second_player_is_not_looked_at(here: Hall) -> None:
    alice, bob = await here.enter(), await here.enter()
    await alice.joins()
    assert (await bob.joins(BOB, "bob", VS_AI=True))["PLAYER_LIST"] == {"0": "alice"}


async def test_a_game_in_browsers_is_in_nobodys_way(here: Hall) -> None:
    async with client(here.live.ws("/ws")) as ann:
        await ann.ask("open", game="fortress", player="Ann")
        await ann.ask("add_bots")
        await ann.ask("start")
        assert (await (await here.enter()).joins())["PLAYER_LIST"] == {}


async def test_where_there_may_be_many_games_a_third_player_opens_another(many: Hall) -> None:
    await many.joined()
    third, fourth, fifth = await many.enter(), await many.enter(), await many.enter()
    assert (await third.joins(name="cy"))["PLAYER_ID"] == 0
    assert (await fourth.joins(BOB, "dee"))["PLAYER_LIST"] == {"0": "cy"}
    assert (await fifth.joins(name="eve"))["PLAYER_LIST"] == {}
    assert [table.phase for table in many.tables] == ["playing", "playing", "waiting"]


async def test_c9_d75_game_full_where_there_is_no_room_for_another_table(tmp_path: Path) -> None:
    async with hall(tmp_path, max_tables=1) as here:
        await here.joined()
        assert (await turned_away(await here.enter()))["CODE"] == "GAME_FULL"


async def test_a_seat_whose_player_has_gone_is_free_again(here: Hall) -> None:
    alice, bob = await here.enter(), await here.enter()
    await alice.joins()
    await alice.send("TERMINATE_CONN")
    assert await alice.closed() == []
    assert here.tables == []
    assert (await bob.joins(BOB, "bob"))["PLAYER_ID"] == 0


# Passwords


async def test_d42_without_a_password_the_field_is_ignored(here: Hall) -> None:
    alice, bob = await here.enter(), await here.enter()
    await alice.joins(PASSWORD="whatever")
    assert (await bob.joins(BOB, "bob", PASSWORD=None))["PLAYER_ID"] == 1


async def test_c8_d42_the_password_of_the_server_is_needed_and_nothing_happens_without(tmp_path: Path) -> None:
    async with hall(tmp_path, table_password=("fortress=Swordfish",), table_name=("fortress=Friday",)) as here:
        for wrong in ({}, {"PASSWORD": ""}, {"PASSWORD": "swordfish"}, {"PASSWORD": 7}, {"PASSWORD": None}):
            told = await turned_away(await here.enter(), **wrong)
            assert (told["CODE"], told["MESSAGE"]) == ("BAD_PASSWORD", WRONG_PASSWORD)
        assert here.tables == []
        assert (await turned_away(await here.enter(), [1]))["CODE"] == "BAD_PASSWORD"  # before the deck is looked at
        alice, bob = await here.enter(), await here.enter()
        await alice.joins(PASSWORD="Swordfish")
        assert (here.tables[0].name, here.tables[0].summary.locked) == ("Friday", True)
        assert (await turned_away(await here.enter(), PASSWORD="tuna"))["CODE"] == "BAD_PASSWORD"
        assert await alice.rest() == []
        assert (await bob.joins(BOB, "bob", PASSWORD="Swordfish"))["PLAYER_ID"] == 1
        eve = await here.enter()  # and to come back
        assert (await turned_away(eve, TOKEN=bob.token))["CODE"] == "BAD_PASSWORD"


async def test_a_table_of_a_browser_with_a_password(here: Hall) -> None:
    async with client(here.live.ws("/ws")) as ann:
        await ann.ask("open", game="fortress", player="Ann", password="tuna")
        wrong = await here.enter()
        assert (await turned_away(wrong, PASSWORD="salmon"))["CODE"] == "BAD_PASSWORD"
        stranger = await here.enter()
        assert (await stranger.joins())["PLAYER_LIST"] == {}  # wants nothing of it
        friend = await here.enter()
        assert (await friend.joins(BOB, "bob", PASSWORD="tuna"))["PLAYER_LIST"] == {"0": "Ann"}
        await ann.entry("started")


async def test_a_table_of_a_browser_is_joined_and_the_game_begins_by_itself(here: Hall) -> None:
    async with client(here.live.ws("/ws")) as ann:
        await ann.ask("open", game="fortress", player="Ann")
        bob = await here.enter()
        assert (await bob.joins(BOB, "bob"))["PLAYER_LIST"] == {"0": "Ann"}
        assert (await bob.hears("GAME_INIT"))["PLAYER_LIST"] == {"0": "Ann", "1": "bob"}
        # She has not chosen a deck yet: to bob, the game has not begun.
        assert (await bob.rest()) == []
        assert await bob.refused("GAME_START_ACCEPT") == "NOT_STARTED"
        await ann.ask("play", move={"move": "bring_deck", "cards": ALICE})
        assert (await bob.hears("GAME_START"))["THEIR_NAME"] == "Ann"


async def test_a_browser_joins_the_table_of_a_client(here: Hall) -> None:
    alice = await here.enter()
    await alice.joins()
    async with client(here.live.ws("/ws")) as ann:
        reply = await ann.ask("join", table=here.tables[0].id, player="Ann")
        assert reply["sync"]["table"]["phase"] == "playing" and reply["sync"]["moves"]
        assert (await alice.hears("PLAYER_JOINED"))["USERNAME"] == "Ann"
        assert (await alice.hears("GAME_INIT"))["PLAYER_LIST"] == {"0": "alice", "1": "Ann"}
        await ann.ask("play", move={"move": "bring_deck", "cards": BOB})
        assert len((await alice.hears("GAME_START"))["DECK"]) == 6


async def test_a_table_that_is_not_listed_is_nobodys(here: Hall) -> None:
    alice = await here.enter()
    await alice.joins()
    lobby = here.tables[0].lobby
    here.tables[0].lobby = type(lobby)(listed=False)
    here.tables[0]._summary = None
    assert (await (await here.enter()).joins(BOB, "bob"))["PLAYER_LIST"] == {}


# Alone


async def test_vs_ai_has_a_table_of_its_own(many: Hall) -> None:
    waiting, ann, bob = await many.enter(), await many.enter(), await many.enter()
    await waiting.joins()
    await ann.joins(BOB, "ann", VS_AI=True)
    assert (await ann.hears("PLAYER_JOINED"))["USERNAME"] == "AI"
    await ann.hears("GAME_INIT")
    for _ in range(5):
        await many.time.to_pass(0.2)
    started = await ann.hears("GAME_START")
    assert (started["MY_NAME"], started["THEIR_NAME"]) == ("ann", "AI")
    assert (await bob.joins(BOB, "bob"))["PLAYER_LIST"] == {"0": "alice"}


@pytest.mark.parametrize("wish", [False, None, 1, "true"])
async def test_vs_ai_takes_a_true(here: Hall, wish: Any) -> None:
    ann = await here.enter()
    await ann.joins(VS_AI=wish)
    assert await ann.rest() == []


# Settings


def test_settings_of_standing_tables() -> None:
    games = catalogue().games
    given = {"table_name": ["fortress=A = B"], "table_password": ["fortress=x=y"]}
    standing = load(given).settings(games).standing["fortress"]
    assert (standing.name, standing.password) == ("A = B", "x=y")
    for wrong, why in (("fortress", "GAME=PASSWORD"), ("chess=x", "no game 'chess'")):
        with pytest.raises(BadConfig, match=why):
            load({"table_password": [wrong]}).settings(games)


async def test_options_of_the_game_are_options_of_the_server(tmp_path: Path) -> None:
    given = ("fortress.grace=7", "fortress.turn_timeout=0")
    async with server(tmp_path, listen=("fortress=127.0.0.1:0",), option=given) as live:
        here = Hall(live, ManualTime())
        alice = await here.enter()
        await alice.joins()
        assert (here.tables[0].options.grace, here.tables[0].options.turn_timeout) == (7, 0)
        here.leave()


@pytest.mark.parametrize("first", [0, 1])
async def test_d15_who_begins_can_be_fixed_for_tests(tmp_path: Path, first: int) -> None:
    async with hall(tmp_path, test_first=first, test_no_shuffle=False, test_seed="01" * 32) as here:
        for player in await here.joined():
            await player.send("GAME_START_ACCEPT")
        duel = here.tables[0]
        await (await here.enter()).rest()
        alice = here._clients[0]
        assert (await alice.until("TURN_START"))["PLAYER_ID"] == first == duel.state.active
