"""People of the page at a table of Coup who leave, are sent away, or stay when others go. (Their connections are told
everything in words, and with views.)"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from croupier.tables import error_log
from tests.client import Client, client, play_out
from tests.games.coup.wire import Hall, hall


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Hall]:
    before = error_log.seen.copy()
    async with hall(tmp_path, bot_delay=0) as found:
        yield found
    assert error_log.seen == before


def page(place: Hall) -> AbstractAsyncContextManager[Client]:
    return client(place.live.ws("/ws?views=1"))


async def players(somebody: Client) -> list[str]:
    return [player["name"] for player in (await somebody.ask("see"))["sync"]["table"]["players"]]


async def test_somebody_leaves_a_waiting_room_and_another_takes_the_seat(place: Hall) -> None:
    async with page(place) as ann, page(place) as ben, page(place) as cy:
        await ann.ask("open", game="coup", player="Ann", seats=2)
        await ben.ask("join", table=ann.table, player="Ben")
        await ben.ask("leave")
        assert await players(ann) == ["Ann"]
        await cy.ask("join", table=ann.table, player="Cy")
        await ann.ask("start")
        assert (await cy.entry("started"))["seat"] == 1


async def test_the_first_of_three_leaves_and_the_others_are_called_by_their_names(place: Hall) -> None:
    async with page(place) as ann, page(place) as ben, page(place) as cy:
        await ann.ask("open", game="coup", player="Ann", seats=3)
        await ben.ask("join", table=ann.table, player="Ben")
        await cy.ask("join", table=ann.table, player="Cy")
        await ann.ask("leave")
        await ben.ask("start")
        await ben.entry("started")
        await ben.ask("play", move={"move": "propose", "action": "income"})
        (moved,) = [(await cy.entry("moved"))["story"]]
        assert moved[0].startswith("Ben ")


async def test_somebody_is_sent_away_from_a_waiting_room(place: Hall) -> None:
    async with page(place) as ann, page(place) as ben:
        await ann.ask("open", game="coup", player="Ann", seats=2)
        await ben.ask("join", table=ann.table, player="Ben")
        await ann.ask("kick", seat=1)
        assert (await ben.entry("left"))["entry"] == {"entry": "left", "seat": 1, "why": "kicked"}
        assert await players(ann) == ["Ann"]


async def test_a_host_who_has_added_a_bot_leaves(place: Hall) -> None:
    async with page(place) as ann, page(place) as ben:
        await ann.ask("open", game="coup", player="Ann", seats=3)
        await ann.ask("add_bots")
        await ben.ask("join", table=ann.table, player="Ben")
        await ann.ask("leave")
        assert (await ben.entry("left"))["entry"]["seat"] == 0
        assert (await ben.ask("see"))["sync"]["table"]["host"] == 2


async def test_there_is_a_rematch_after_somebody_has_left(place: Hall) -> None:
    async with page(place) as ann, page(place) as ben, page(place) as cy:
        await ann.ask("open", game="coup", player="Ann", seats=3)
        await ben.ask("join", table=ann.table, player="Ben")
        await cy.ask("join", table=ann.table, player="Cy")
        await ann.ask("start")
        await cy.entry("started")
        await cy.ask("leave")
        await ben.ask("leave")  # nobody is left to play against
        assert (await ann.entry("left"))["entry"]["seat"] == 2
        await ann.ask("reopen")
        assert await players(ann) == ["Ann"]
        await ann.ask("add_bots", count=2)
        await ann.ask("start")
        assert len((await ann.ask("see"))["sync"]["table"]["cast"]) == 3


async def test_a_client_of_the_games_own_protocol_goes_from_the_last_seat(place: Hall) -> None:
    async with page(place) as ann, page(place) as ben:
        await ann.ask("open", game="coup", player="Ann", seats=2)
        code = (await ann.ask("see"))["sync"]["table"]["code"]
        bob = await place.first("bob", code)
        await bob.joins()
        await ann.entry("joined")
        await bob.socket.close()
        await ann.entry("left")
        assert await players(ann) == ["Ann"]
        await ben.ask("join", table=ann.table, player="bob")  # the name is free again
        await ann.ask("start")
        await ben.entry("started")


async def test_an_action_goes_ahead_by_itself_when_everybody_has_allowed_it(place: Hall) -> None:
    """Tables of the page wait for everybody; those of the game's own protocol for a while (U23, U24)."""
    async with page(place) as ann, page(place) as ben:
        await ann.ask("open", game="coup", player="Ann", seats=2)
        await ben.ask("join", table=ann.table, player="Ben")
        options = (await ann.ask("see"))["sync"]["table"]["options"]
        assert options["confirm_policy"] == "all"
        await ann.ask("start")
        await ben.entry("started")
        await ann.ask("play", move={"move": "propose", "action": "tax"})
        asked = await ben.entry("moved")
        assert asked["awaited"] == [1]
        await ben.ask("play", move=asked["moves"][0])
        assert (await ann.ask("see"))["sync"]["view"]["coins"] == [5, 2]


async def test_a_whole_game_against_bots_and_another(place: Hall) -> None:
    async with page(place) as ann:
        await ann.ask("open", game="coup", player="Ann", seats=3)
        await ann.ask("add_bots", count=2)
        await ann.ask("start")
        assert (await play_out(ann))["result"]
        await ann.ask("reopen")
        await ann.ask("start")
        assert (await play_out(ann))["result"]
