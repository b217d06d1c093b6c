"""The clients that exist, as they act around a game: the next one, a server that comes back, a second connection.

Which there are is told in docs/clients.md, what their owners see in docs/protocols/fortress.md.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.games.fortress.wire import BOB, Client, Hall, hall

PORTS = ("fortress", "fortress-reference")


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Hall]:
    async with hall(tmp_path) as found:
        yield found


async def pair(here: Hall, port: str = "fortress") -> tuple[Client, Client]:
    """Alice, and bob on that port, on turn 1."""
    alice, bob = await here.enter(), await here.enter(port)
    await alice.joins()
    await bob.joins(BOB, "bob")
    for player in (alice, bob):
        await player.send("DIAG_RESP", BOOL=False)
    for player in (alice, bob):
        await player.until("TURN_START")
    return alice, bob


@pytest.mark.parametrize("port", PORTS)
async def test_a_second_game_and_a_third(here: Hall, port: str) -> None:
    """Each begins with JOIN_GAME on a new connection: the old ones are closed after the end."""
    for _ in range(3):
        alice, bob = await pair(here, port)
        assert [table.phase for table in here.tables].count("playing") == 1
        await alice.send("TERMINATE_CONN")
        assert (await bob.until("GAME_END"))["REASON"] == "FORFEIT"
        assert await bob.closed() == []


async def test_the_second_game_does_not_wait_for_who_looks_at_the_end_of_the_first(here: Hall) -> None:
    alice, bob = await pair(here)
    await alice.send("TERMINATE_CONN")
    await bob.until("GAME_END")
    cy = await here.enter()
    assert (await cy.joins(name="cy"))["PLAYER_ID"] == 0


@pytest.mark.parametrize("port", PORTS)
async def test_a_restart_while_somebody_waits_for_an_opponent(tmp_path: Path, port: str) -> None:
    async with hall(tmp_path) as here:
        waiting = await here.enter(port)
        await waiting.joins()
    async with hall(tmp_path) as here:
        late = await here.enter()
        assert (await late.joins(BOB, "bob"))["PLAYER_LIST"] == {}  # nobody sits down with a ghost
        back = await here.enter(port)
        await back.send("JOIN_GAME", USERNAME="alice", DECK_DATA=[], TOKEN=waiting.token)
        (told,) = await back.closed()
        assert told["CODE"] == "BAD_TOKEN"  # a token is for a game
        waiting = await here.enter(port)
        assert (await waiting.joins())["PLAYER_LIST"] == {"0": "bob"}
        await late.until("GAME_INIT")


async def test_a_restart_in_mid_game(tmp_path: Path) -> None:
    async with hall(tmp_path) as here:
        alice, bob = await pair(here)
        await alice.send("TURN_END")
        await bob.until("TURN_START", PLAYER_ID=1)
    async with hall(tmp_path) as here:
        for old, turn in ((bob, True), (alice, False)):
            back = await here.enter()
            await back.send("JOIN_GAME", USERNAME="whoever", TOKEN=old.token)
            told = await back.hears("JOIN_GAME_RESP")
            assert (told["RESUMED"], told["PLAYER_ID"]) == (True, old.seat)
            state = await back.hears("GAME_STATE")
            assert (state["PHASE"], state["CURRENT_PLAYER_ID"] == old.seat, state["MUST_DRAW"]) == ("MAIN", turn, True)
            if turn:
                drawing = back
        await drawing.hears("PLAYER_JOINED")
        await drawing.send("DRAW_CARD")
        assert (await back.hears("DRAW_CARD_RESP"))["PENDING"]


async def test_a_restart_of_the_oldest_clients_game_leaves_the_other_the_winner(tmp_path: Path) -> None:
    """They know of no token: for them a lost connection is a lost game, and the next one can begin."""
    async with hall(tmp_path) as here:
        alice, _ = await pair(here, "fortress-reference")
    async with hall(tmp_path) as here:
        back = await here.enter()
        await back.send("JOIN_GAME", USERNAME="alice", TOKEN=alice.token)
        await back.until("GAME_STATE")
        stranger = await here.enter("fortress-reference")
        assert (await stranger.joins(BOB, "bob"))["CODE"] == "GAME_FULL"
        await here.time.to_pass(30)
        assert (await back.until("GAME_END"))["REASON"] == "DISCONNECT"
        assert (await (await here.enter("fortress-reference")).joins(BOB, "bob"))["PLAYER_ID"] == 0


async def test_a_restart_on_the_result(tmp_path: Path) -> None:
    async with hall(tmp_path) as here:
        alice, bob = await pair(here)
        await alice.send("TERMINATE_CONN")
        await bob.until("GAME_END")
    async with hall(tmp_path) as here:
        back = await here.enter()
        await back.send("JOIN_GAME", USERNAME="bob", TOKEN=bob.token)
        (told,) = await back.closed()
        assert told["CODE"] == "BAD_TOKEN"
        await pair(here)


@pytest.mark.parametrize("port", PORTS)
async def test_a_second_connection_without_a_token_is_somebody_else(here: Hall, port: str) -> None:
    """The same name twice: whoever it is, they play against each other."""
    first, second = await here.enter(port), await here.enter(port)
    await first.joins()
    assert (await second.joins())["PLAYER_LIST"] == {"0": "alice"}
    assert (await (await here.enter(port)).joins())["CODE"] == "GAME_FULL"
    for player in (first, second):
        await player.until("DRAW_CARD_RESP")


async def test_a_second_connection_with_the_token_has_the_seat_and_the_first_may_not_take_it_back_by_dying(
    here: Hall,
) -> None:
    alice, bob = await pair(here)
    second = await here.enter()
    await second.send("JOIN_GAME", USERNAME="alice", TOKEN=alice.token)
    await second.until("GAME_STATE")
    assert await alice.closed() == []
    alice.writer.close()
    assert [told.get("RESUMED") for told in await bob.rest()] == [True]  # and nobody has been lost
    await second.send("TURN_END")
    assert (await bob.hears("TURN_START"))["PLAYER_ID"] == 1


async def test_who_opened_the_table_is_gone_before_the_other_comes(here: Hall) -> None:
    gone = await here.enter()
    await gone.joins()
    gone.writer.transport.abort()
    async with asyncio.timeout(10):
        while here.tables:  # noqa: ASYNC110
            await asyncio.sleep(0.001)
    bob, cy = await here.enter(), await here.enter()
    assert (await bob.joins(BOB, "bob"))["PLAYER_ID"] == 0
    assert (await cy.joins(name="cy"))["PLAYER_LIST"] == {"0": "bob"}
    await bob.until("MULLIGAN_OFFER")
