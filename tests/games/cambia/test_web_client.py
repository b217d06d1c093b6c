"""Where the web client of Cambia's reference, or its owner, once stumbled: what it sends, and what it has to hear."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.games.cambia.web import chooses, enter, finish, game, hand, lobby, ready, throw
from tests.games.cambia.wire import PATIENCE, Hall, hall


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Hall]:
    async with hall(tmp_path) as found:
        yield found


async def test_a_second_game_and_a_third_in_the_same_lobby(here: Hall) -> None:
    """The client believes what it was told last of who is ready, and offers no button to who seems to be."""
    ann, ben = await game(here, "4♦")
    for _ in range(2):
        await finish(ann, ben)
        for web in (ann, ben):
            assert await web.hears("phase_change") == {"phase": "post_game"}
            await web.hears("game_results")
            state = await web.hears("lobby_state")
            assert ready(state) == [False, False] and state["phase"] == "post_game" and not state["in_game"]
        await ann.send("start_game")
        assert (await ann.hears("error"))["code"] == "not_ready"
        for web in (ann, ben):
            await web.send("ready")
        for web in (ann, ben):
            await web.until("game_started")
            await web.until("private_initial_cards")
        await here.time.to_pass(10)
        await ann.until("game_player_turn")


async def test_a_peeked_card_is_shown_to_who_peeks_and_the_timer_begins_again(here: Hall) -> None:
    ann, ben = await game(here, "7♠", turnTimerSec=20)
    card = (await hand(ann, 0))[2]
    await here.time.to_pass(5)
    await throw(ann, ben)
    await ann.hears("player_special_choice")
    state = (await ann.hears("private_sync_state"))["state"]
    assert state["turnDeadline"] == here.time.now() + 20_000
    await ann.hears("player_special_choice")
    await ann.send("action_special", special="peek_self", card1={"id": card, "idx": 2})
    await ann.hears("player_special_action", "private_special_action_success", "game_player_turn")
    state = (await ann.hears("private_sync_state"))["state"]
    seen = state["players"][0]["revealedHand"][2]
    assert seen["known"] and (seen["id"], seen["rank"], seen["suit"]) == (card, "2", "S")
    kinds = [kind for kind, _ in await ben.rest()]
    assert kinds == ["player_special_choice", "player_special_action", "game_player_turn"]


async def test_another_s_card_is_in_no_sync(here: Hall) -> None:
    ann, ben = await game(here, "9♠")
    card = (await hand(ann, 1))[0]
    await throw(ann, ben)
    await chooses(ann)
    await ann.send("action_special", special="peek_other", card1={"id": card, "idx": 0, "user": {"id": ben.person.id}})
    await ann.hears("player_special_action", "private_special_action_success", "game_player_turn")
    assert await ann.rest() == []


async def test_a_host_who_leaves_is_succeeded_before_anybody_looks(here: Hall) -> None:
    """A lobby without a host was told first."""
    ann, ben = await lobby(here)
    await ann.send("leave_lobby")
    told = await ben.hears("lobby_update")
    assert (told["user_left"], told["host_id"]) == (ann.person.id, ben.person.id)
    state = await ben.hears("lobby_state")
    assert state["host_id"] == ben.person.id and state["your_is_host"]
    assert await ben.rest() == []


async def test_the_standings_of_a_circuit_are_told_last(here: Hall) -> None:
    """The client would show ``Game over`` instead."""
    ann, ben = await game(here, "4♦", circuit={"enabled": True, "rules": {"rounds": 1}})
    await finish(ann, ben)
    assert await ann.hears("phase_change") == {"phase": "match_end"}
    assert len((await ann.hears("match_end"))["standings"]) == 2
    state = await ann.hears("lobby_state")
    assert state["phase"] == "match_end" and ready(state) == [False, False]
    assert await ann.rest() == []


async def test_a_second_tab_in_the_lobby_leaves_the_first_open_and_silent(here: Hall) -> None:
    """Closed, it would come again, and the two would throw each other out for as long as they are there."""
    first, ben = await lobby(here)
    second = await enter(here, first.person)
    await second.hears("lobby_state", "phase_change")
    await ben.send("chat", {"msg": "hello"})
    assert (await second.hears("chat"))["msg"] == "hello"
    await second.send("ready")
    await second.hears("ready_update", "lobby_state")
    assert await first.rest() == []
    await ben.hears("chat", "ready_update")
    assert ready(await ben.hears("lobby_state")) == [True, False]
    await first.socket.close()
    assert await second.rest() == [] and await ben.rest() == []


async def test_a_second_tab_in_mid_game_plays_on(here: Hall) -> None:
    first, ben = await game(here, "4♦")
    second = await enter(here, first.person)
    await second.hears("lobby_state", "phase_change", "game_started", "private_sync_state")
    await throw(second, ben)
    await second.hears("game_player_turn")
    assert await first.rest() == []


async def test_who_goes_on_in_the_older_tab_has_the_seat_there(here: Hall) -> None:
    first, ben = await game(here, "4♦")
    second = await enter(here, first.person)
    await second.hears("lobby_state", "phase_change", "game_started", "private_sync_state")
    await first.send("action_draw_stockpile")
    await first.hears("lobby_state", "phase_change", "game_started", "private_sync_state", "private_draw_stockpile")
    await ben.hears("player_draw_stockpile")
    assert await second.rest() == []
    await first.socket.close()
    await ben.hears("private_sync_state")
    await second.send("request_sync")
    await second.hears("lobby_state", "phase_change", "game_started", "private_sync_state")
    assert (await ben.hears("private_sync_state"))["state"]["players"][0]["connected"]


BROWSER = "User-Agent: Mozilla/5.0\r\nSec-Fetch-Mode: cors\r\n"


@pytest.mark.parametrize("headers", [BROWSER, ""], ids=["in a browser", "in a program"])
@pytest.mark.parametrize("first", ["POST /user/guest", "GET /user/me"])
async def test_continue_as_guest(here: Hall, first: str, headers: str) -> None:
    """The client becomes a guest and asks who it is, at once. That it is nobody must not be what it hears last."""
    port = here.live.ports["cambia"]
    requests = sorted(["POST /user/guest", "GET /user/me"], key=lambda request: request != first)
    lines = [await asyncio.open_connection("127.0.0.1", port) for _ in requests]
    for request, (_, writer) in zip(requests, lines, strict=True):
        writer.write(f"{request} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{headers}Content-Length: 0\r\n\r\n".encode())
    heard: list[bytes] = []

    async def hear(reader: asyncio.StreamReader) -> None:
        async with asyncio.timeout(PATIENCE):
            heard.append(await reader.readuntil(b"\r\n\r\n"))

    await asyncio.gather(*(hear(reader) for reader, _ in lines))
    assert [head.split()[1] for head in heard] == [b"403", b"200"]
    assert b"set-cookie: auth_token=" in heard[1].lower()
    for _, writer in lines:
        writer.close()


async def test_a_guest_with_nothing_else_to_ask_is_answered_too(here: Hall) -> None:
    assert (await here.ask("POST", "/user/guest")).status == 200
    assert (await here.ask("POST", "/user/guest", Origin=here.live.http)).status == 200
