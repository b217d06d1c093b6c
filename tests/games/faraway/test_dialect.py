"""Rooms, games and secrets of Faraway's own protocol, over real sockets.

The names c1, c2, … are the lines of the checklist in docs/protocols/faraway.md, d21, d22, … its decisions, k1, k2, …
what existing clients rely on, b1, b2, … its rows of bad input.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession

from croupier import laws
from croupier.games import faraway
from croupier.games.faraway.dialect.announcement import Announcement
from croupier.games.faraway.dialect.messages import state_of
from croupier.games.faraway.options import Options
from croupier.kernel import Game
from croupier.tables.summary import Player as Guest
from croupier.tables.summary import Summary
from tests.games.faraway.positions import GOLDEN, no_card_is_lost
from tests.games.faraway.wire import (
    ENDED,
    LOBBY,
    SUMMARY,
    USUAL,
    Hall,
    Json,
    golden,
    hall,
    play_on,
    start,
    written,
)
from tests.socketio_clients import node_client, python_client


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Hall]:
    async with hall(tmp_path) as found:
        yield found


# Connecting


@pytest.mark.parametrize("transports", [["polling"], ["websocket"], ["polling", "websocket"]])
async def test_c1_polling_and_websocket_on_the_shared_port_and_on_its_own(here: Hall, transports: list[str]) -> None:
    for url in (here.url, here.live.http):
        async with python_client(url, transports) as ann:
            assert await ann.next() == ["wellConnected"]
            assert await ann.next() == ["rooms", {}]
            assert (await ann.hears("session"))["playerId"] == ann.id


async def test_c2_c3_the_reply_then_wellconnected_rooms_and_session(here: Hall) -> None:
    ann = await here.enter()
    assert ann.session == {"token": ann.token, "playerId": ann.id, "resumed": False, "roomId": None}
    assert ann.rooms == {}
    names = [packet[:18] for packet in ann.raw[1:]]
    assert names[0].startswith("40{")
    assert ann.raw[2] == '42["wellConnected"]'
    assert [json.loads(packet[2:])[0] for packet in ann.raw[3:]] == ["rooms", "session"]
    assert len(ann.token) * 4 >= 120  # R3
    assert await ann.silent()


async def test_d43_d46_c46_ids_are_public_and_transports_secret(here: Hall) -> None:
    ann, bob = await here.playing(2)
    transport = json.loads(ann.raw[0][1:])["sid"]
    assert ann.state["users"] == [ann.id, bob.id]
    everything = "".join(bob.raw)
    assert transport not in everything
    assert ann.token not in everything
    assert ann.token not in "".join(ann.raw[5:])
    assert '"_' not in everything


async def test_cors_origins_and_credentials(here: Hall) -> None:
    where = "/socket.io/?EIO=4&transport=polling"
    async with ClientSession(here.url) as http:
        async with http.get(where, headers={"Origin": "http://localhost:5173"}) as response:
            assert response.status == 200
            assert response.headers["Access-Control-Allow-Origin"] == "http://localhost:5173"
            assert response.headers["Access-Control-Allow-Credentials"] == "true"
        async with http.get(where, headers={"Origin": "http://elsewhere.example"}) as response:
            assert response.status == 403
        async with http.get(where) as response:
            assert response.status == 200
            assert response.headers["Cache-Control"] == "no-store"  # nobody between us keeps it
            told = json.loads((await response.text())[1:])
            assert (told["pingInterval"], told["pingTimeout"], told["maxPayload"]) == (25000, 20000, 1000000)
        async with http.get("/socket.io/?EIO=3&transport=polling") as response:
            assert (response.status, (await response.json())["code"]) == (400, 5)


# Rooms


async def test_c4_d24_d46_a_summary_has_three_keys(here: Hall) -> None:
    ann, bob = await here.lobby(2)
    assert await here.list_rooms() == {ann.room: {"users": [ann.id, bob.id], "state": False, "maxPlayers": 6}}
    await start(ann, bob)
    rooms = await here.list_rooms()
    assert rooms == {ann.room: {"users": [ann.id, bob.id], "state": True, "maxPlayers": 6}}
    assert set(rooms[ann.room]) == SUMMARY


async def test_c5_c6_k9_rooms_are_listed_to_who_asks_and_to_nobody_else(here: Hall) -> None:
    ann, bob, eve = await here.enter(), await here.enter(), await here.enter()
    await ann.creates()
    await bob.joins(ann, ann)
    await start(ann, bob)
    await play_on(ann, bob)
    await eve.emit("getRooms")
    assert list(await eve.hears("rooms")) == [ann.room]
    for player in (ann, bob, eve):
        heard = [packet for packet in player.raw if packet.startswith('42["rooms"')]
        assert len(heard) == (2 if player is eve else 1)
        assert await player.silent()


async def test_c7_d49_k12_creating_a_room(here: Hall) -> None:
    ann = await here.enter()
    room = await ann.creates()
    assert len(room) == 5
    assert set(room) <= set("abcdefghijklmnopqrstuvwxyz0123456789")
    assert await ann.silent()  # no update
    codes = {await (await here.enter()).creates() for _ in range(5)}
    assert len(codes | {room}) == 6


async def test_creating_a_room_with_options(here: Hall) -> None:
    ann, bob = await here.enter(), await here.enter()
    await ann.creates(
        maxPlayers=7, cardSet="full", openInformation=True, tieBreak="published", actionTimeoutSec=3600, seed=7
    )
    joined = await bob.joins(ann, ann)
    assert joined["maxPlayers"] == 7
    assert joined["options"] == {
        "cardSet": "full", "openInformation": True, "tieBreak": "published", "actionTimeoutSec": 3600
    }  # fmt: skip
    await start(ann, bob)
    assert len(ann.state["pool"]) == 77 - 6 - 3
    assert ann.state["actionDeadline"] == ann.state["serverTime"] + 3_600_000


async def test_c8_c9_d21_d22_d23_k5_joining_a_room(here: Hall) -> None:
    ann, bob, carl = await here.lobby(3)
    state = carl.state
    assert set(state) == LOBBY
    assert state == {
        "roomId": ann.room,
        "users": [ann.id, bob.id, carl.id],
        "state": False,
        "maxPlayers": 6,
        "protocolVersion": 1,
        "serverTime": here.time.now(),
        "stateSeq": 0,
        "options": USUAL,
        "legalActions": [],
    }
    assert ann.state == bob.state == state
    for player in (ann, bob, carl):
        assert await player.silent()


async def test_c11_d31_the_seventh_finds_the_room_full(here: Hall) -> None:
    players = await here.lobby(6)
    late = await here.enter()
    await late.emit("joinRoom", players[0].room)
    assert await late.next() == ["roomFull"]
    await start(*players)
    await late.emit("joinRoom", players[0].room)
    assert await late.next() == ["roomFull"]  # that comes first
    assert await players[0].silent()


async def test_c12_joining_a_started_game(here: Hall) -> None:
    ann, bob = await here.playing(2)
    late = await here.enter()
    await late.emit("joinRoom", ann.room)
    assert await late.next() == ["roomStarted"]
    await play_on(ann, bob)
    await late.emit("joinRoom", ann.room)
    assert await late.next() == ["roomStarted"]


async def test_c13_d32_k7_joining_ones_own_room_again_changes_nothing(here: Hall) -> None:
    ann, bob = await here.lobby(2)
    await bob.emit("joinRoom", ann.room)
    again = await bob.hears("roomJoined")
    assert await bob.updated() == again
    assert again["users"] == [ann.id, bob.id]
    await start(ann, bob)
    await ann.acts(*ann.action, bob)
    before = bob.state
    await bob.emit("joinRoom", ann.room)
    assert await bob.hears("roomJoined") == before
    assert await bob.updated() == before
    await play_on(ann, bob)
    await bob.emit("joinRoom", ann.room)
    assert await bob.hears("roomJoined") == await bob.updated()
    assert await ann.silent()
    assert await bob.silent()


async def test_c14_c15_c16_d33_d34_d35_k8_one_room_at_a_time(here: Hall) -> None:
    ann, bob, carl = await here.lobby(3)
    first = ann.room
    second = await bob.creates()
    for player in (ann, carl):
        assert (await player.updated())["users"] == [ann.id, carl.id]
    third = await bob.creates()  # as a bot does that is in a hurry
    assert set(await here.list_rooms()) == {first, third} != {first, second}
    await carl.emit("joinRoom", third)
    assert (await carl.hears("roomJoined"))["users"] == [bob.id, carl.id]
    await carl.updated()
    await bob.updated()
    assert (await ann.updated())["users"] == [ann.id]
    await ann.emit("leaveRoom")
    assert set(await here.list_rooms()) == {third}
    for player in (ann, bob, carl):
        assert await player.silent()


async def test_c15_people_are_listed_as_they_came(here: Hall) -> None:
    ann, bob, carl = await here.lobby(3)
    await ann.emit("leaveRoom")
    await bob.updated()
    await carl.updated()
    dora = await here.enter()
    await dora.joins(bob, bob, carl)
    assert dora.state["users"] == [bob.id, carl.id, dora.id]
    await start(bob, carl, dora)
    assert dora.state["users"] == [bob.id, carl.id, dora.id]


async def test_d46_the_summary_of_a_room_and_its_state_are_two_things(here: Hall) -> None:
    ann, bob = await here.playing(2)
    eve = await here.enter()
    await eve.emit("getRoomSummary", ann.room)
    summary = await eve.hears("roomSummary")
    assert summary == {"roomId": ann.room, "users": [ann.id, bob.id], "state": True, "maxPlayers": 6}
    await ann.emit("getRoomState")
    assert await ann.hears("roomState") == ann.state
    await ann.emit("getRoomState", ann.room)
    await ann.hears("roomState")
    assert ann.state["stateSeq"] == 1
    await eve.emit("getRoomSummary", "zzzzz")
    assert await eve.next() == ["roomNotFound"]


# Beginning


async def test_c17_d29_d39_d47_who_may_begin_and_when(here: Hall) -> None:
    ann, eve = await here.enter(), await here.enter()
    await ann.creates()
    await ann.emit("startGame", ann.room)
    assert await ann.next() == ["notEnoughPlayers"]
    bob = await here.enter()
    await bob.joins(ann, ann)
    assert await eve.refused("startGame", ann.room) == "notMember"
    await start(bob, ann)  # not only who created it
    assert await ann.refused("startGame", ann.room) == "alreadyStarted"
    await play_on(ann, bob)
    assert await ann.refused("startGame", ann.room) == "alreadyStarted"
    for player in (ann, bob, eve):
        assert await player.silent()
        assert '42["roomStarted"]' not in player.raw


async def test_c18_d25_d26_d27_k6_begingame_and_the_first_update(here: Hall) -> None:
    ann, bob = await here.lobby(2)
    await ann.emit("startGame", ann.room)
    for player in (ann, bob):
        begun = await player.hears("beginGame")
        assert begun == {"protocolVersion": 1, "serverTime": here.time.now(), "gameId": ann.room}
        first = await player.updated()
        assert (first["stateSeq"], first["state"], first["turn"], first["phase"]) == (1, True, 0, "play")
        assert "serverSent" not in first
        assert first["shopOrder"] == []  # D40
        assert len(first["pool"]) == 59  # c19
        assert len(first["sanctuaryPool"]) == 45
    assert (await here.list_rooms())[ann.room]["state"] is True


async def test_f1_d1_one_player_is_enough_where_the_server_says_so(tmp_path: Path) -> None:
    async with hall(tmp_path, option=("faraway.solo=true",)) as here:
        ann = await here.enter()
        await ann.creates()
        await start(ann)
        assert len(ann.state["shop"]) == 3  # D18
        await play_on(ann)
        assert (ann.state["endReason"], ann.state["winner"]) == ("completed", [ann.id])


async def test_what_is_usual_is_for_the_operator_to_say(tmp_path: Path) -> None:
    usual = ("card_set=full", "open_information=true", "tie_break=published", "action_timeout=30")
    async with hall(tmp_path, option=tuple(f"faraway.{option}" for option in usual)) as here:
        ann, bob = await here.enter(), await here.enter()
        await ann.creates(maxPlayers=7, openInformation=True)
        options = {"cardSet": "full", "openInformation": True, "tieBreak": "published", "actionTimeoutSec": 30}
        assert (await bob.joins(ann, ann))["options"] == options
        # Who creates a room may want it otherwise; and with a seed the cards are the base game's unless said.
        await ann.creates(cardSet="base", openInformation=False, tieBreak="shared", actionTimeoutSec=0)
        await bob.updated()
        assert (await bob.joins(ann, ann))["options"] == USUAL
        await ann.creates(seed=1, openInformation=False)
        await bob.updated()
        assert (await bob.joins(ann, ann))["options"]["cardSet"] == "base"


# A game


async def test_c20_c32_c33_d40_d41_d42_d45_the_golden_game(here: Hall) -> None:
    players = await here.playing(2, seed=1)
    ann, bob = players
    assert ann.me["hand"] == [20, 19, 24]
    assert ann.state["shop"] == [3, 17, 43]
    for who, event, card in golden(GOLDEN):
        await players[who].acts(event, card, players[1 - who])
    assert ann.state["stateSeq"] == 40
    assert [score["total"] for score in ann.state["score"]] == [40, 21]
    assert ann.state["winner"] == [ann.id]
    assert ann.state["ranking"] == [
        {"id": ann.id, "rank": 1, "total": 40, "lowestValue": 3},
        {"id": bob.id, "rank": 2, "total": 21, "lowestValue": 11},
    ]
    assert set(ann.state) == ENDED
    assert {key: ann.state[key] for key in ENDED - {"legalActions"}} == {
        key: bob.state[key] for key in ENDED - {"legalActions"}
    }


@pytest.mark.parametrize(("count", "options"), [(6, {}), (7, {"maxPlayers": 7, "cardSet": "full"})])
async def test_c34_large_games_finish(here: Hall, count: int, options: Json) -> None:
    players = await here.playing(count, **options)
    await play_on(*players)
    for player in players:
        assert player.state["phase"] == "end"
        assert len(player.me["playedCards"]) == 8
        assert len(player.me["hand"]) == 2
        assert await player.silent()


async def test_c32_one_update_for_an_action_that_ends_a_phase(here: Hall) -> None:
    ann, bob = await here.playing(2)
    await ann.acts(*ann.action, bob)
    await bob.acts(*bob.action, ann)
    assert ann.state["phase"] == "shop"
    assert ann.state["stateSeq"] == 3
    assert await ann.silent()


async def test_c56_acknowledgements_come_before_the_update(here: Hall) -> None:
    ann, bob = await here.enter(), await here.enter()
    await ann.ask("createRoom")
    packet = await ann.packet()
    room = await ann.hears("joinedRoom")
    assert packet == f"431[{written({'ok': True, 'roomId': room})}]"
    assert await bob.call("joinRoom", room) == {"ok": True, "roomId": room}
    await bob.hears("roomJoined")
    await bob.updated()
    await ann.updated()
    assert await ann.call("startGame", room) == {"ok": True, "roomId": room}
    for player in (ann, bob):
        await player.hears("beginGame")
        await player.updated()
    for mover, other in ((ann, bob), (bob, ann)):
        event, card = mover.action
        assert await mover.call(event, card) == {"ok": True, "stateSeq": mover.state["stateSeq"] + 1}
        await mover.updated()
        await other.updated()
    assert await bob.call("playCard", 1) == {"ok": False, "code": "wrongPhase"}
    assert await bob.hears("actionRejected")
    for event in ("updateAck", "getRooms", "getRoomState", "leaveRoom"):
        assert await ann.call(event) == {"ok": True}
        if event.startswith("get"):
            await ann.next()
    assert await ann.call("leaveRoom") == {"ok": True}
    assert await ann.call("joinRoom", "zzzzz") == {"ok": False, "code": "roomNotFound"}
    assert await ann.next() == ["roomNotFound"]
    assert await ann.call("joinRoom", room) == {"ok": False, "code": "roomStarted"}
    assert await ann.next() == ["roomStarted"]
    assert await ann.call("getRoomSummary", room) == {"ok": True}
    await ann.hears("roomSummary")
    assert await ann.call("startGame", await ann.creates()) == {"ok": False, "code": "notEnoughPlayers"}
    assert await ann.next() == ["notEnoughPlayers"]


async def test_c32_c56_what_is_asked_in_one_breath_is_done_and_answered_in_order(here: Hall) -> None:
    """Nobody has to wait for an answer. Arguments that nobody asked for are ignored."""
    ann, bob = await here.enter(), await here.enter()
    for packet in ('420["createRoom",{"seed":1},7]', '421["getRoomState"]', '422["leaveRoom"]', '423["getRoomState"]'):
        await ann.say(packet)
    answers = [await ann.answer(0), await ann.next(), await ann.answer(1), await ann.next(), await ann.answer(2)]
    room = answers[0]["roomId"]
    assert (answers[0]["ok"], answers[1]) == (True, ["joinedRoom", room])
    assert (answers[2], answers[3][0], answers[4]) == ({"ok": True}, "roomState", {"ok": True})
    assert await ann.answer(3) == {"ok": False, "code": "notMember"}
    await ann.hears("actionRejected")

    await ann.creates(seed=1)
    await bob.say(f'421["joinRoom","{ann.room}","x"]')
    await bob.say(f'422["startGame","{ann.room}",{{}}]')
    await bob.say('423["playCard",60,13]')
    await bob.say('424["playCard",23]')
    assert (await bob.answer(1))["ok"]
    assert [(await bob.next())[0] for _ in range(2)] == ["roomJoined", "update"]
    assert (await bob.answer(2))["ok"]
    assert [(await bob.next())[0] for _ in range(2)] == ["beginGame", "update"]
    assert await bob.answer(3) == {"ok": True, "stateSeq": 2}
    assert (await bob.updated())["players"][bob.id]["playedCards"] == [60]
    assert await bob.answer(4) == {"ok": False, "code": "alreadyPlayed"}
    await bob.hears("actionRejected")
    assert [(await ann.next())[0] for _ in range(4)] == ["update", "beginGame", "update", "update"]
    assert await bob.silent()
    assert await ann.silent()


# Secrets


async def test_c43_c44_c45_what_the_others_may_not_see(here: Hall) -> None:
    ann, bob = await here.playing(2, seed=1)
    await ann.acts("playCard", 19, bob)
    assert ann.me["playedCards"] == [19]
    theirs = bob.state["players"][ann.id]
    assert (theirs["hasPlayed"], theirs["playedCards"], theirs["hand"]) == (True, [], [-1, -1])
    await bob.acts("playCard", 60, ann)
    assert bob.state["players"][ann.id]["playedCards"] == [19]
    await play_on(ann, bob, until="sanctuary", turn=1)
    for player, other in ((ann, bob), (bob, ann)):
        seen = player.state["players"][other.id]["sanctuaryChoose"]
        assert len(seen) == len(other.me["sanctuaryChoose"])
        assert set(seen) <= {-1}


async def test_c47_d6_d7_open_information(here: Hall) -> None:
    ann, bob = await here.playing(2, openInformation=True, seed=1)
    assert ann.state["players"][bob.id]["hand"] == [23, 13, 60]
    assert ann.state["pool"] == sorted(ann.state["pool"])
    assert len(ann.state["pool"]) == 59
    await bob.acts("playCard", 60, ann)
    assert ann.state["players"][bob.id]["playedCards"] == [60]
    await play_on(ann, bob)


async def test_c48_who_is_not_in_the_room_never_sees_its_state(here: Hall) -> None:
    ann, bob = await here.playing(2)
    eve = await here.enter()
    for request in (["joinRoom", ann.room], ["getRoomState", ann.room], ["getRoomState"], ["startGame", ann.room]):
        await eve.emit(*request)
        await eve.next()
    await play_on(ann, bob, turn=2, until="play")
    assert await eve.silent()
    assert '"hand"' not in "".join(eve.raw)


def updates(game: Game[Any, Any, Any, Any, Any], state: Any, seat: int | None) -> bytes:
    """What the dialect tells a seat of a state; a spectator is told nothing."""
    if seat is None:
        return b""
    cast = tuple(Guest(number, f"P{number}", handle=f"handle{number}") for number in state.players)
    table = Summary("id", "code5", "faraway", "", 7, cast, cast, 0, "playing", False, 0, state.options, 0, opened_at=0)
    if seat not in state.players:
        return b""
    announcement = Announcement("update", state_of(table, game.view(state, None), 1, 0), state.players)
    return announcement.for_member(seat, game.private(state, seat), game.moves(state, seat), 0)


@pytest.mark.parametrize("options", [Options(), Options(card_set="full", action_timeout=0)])
def test_c43_d7_the_bytes_of_an_update_give_nothing_away(options: Options) -> None:
    for seed in range(6):
        laws.check_secrecy(faraway.game, 3, options, seed, encoders=[updates], conserved=no_card_is_lost, tries=5)


# Clients that exist


async def test_k1_k2_k3_k4_k10_c66_what_the_website_draws(here: Hall) -> None:
    """Its view goes wrong when something is missing; every update of these games is looked through (see wire.py)."""
    ann, bob, carl = await here.playing(3)
    await play_on(ann, bob, carl, until="shop", turn=1)
    await carl.emit("leaveRoom")
    for player in (ann, bob):
        state = await player.updated()
        assert list(state["players"]) == state["users"] == [ann.id, bob.id]
    await play_on(ann, bob)
    assert len(ann.state["score"]) == 2


class ReferenceBot:
    """Does what the bot does that people have: everything twice, and without looking."""

    def __init__(self, client: Any, seed: int) -> None:
        self.client = client
        self.dice = random.Random(seed)
        self.users: list[str] = []
        self.ended: Json = {}

    async def run(self) -> None:
        emit = self.client.emit
        await emit("getRooms")
        playing = False
        while not self.ended:
            name, *payload = await self.client.next()
            match name:
                case "rooms":
                    free = [room for room, told in payload[0].items() if len(told["users"]) < 4 and not told["state"]]
                    await emit("joinRoom", free[0]) if free else await emit("createRoom")
                case "roomJoined" if len(payload[0]["users"]) >= 2:
                    await emit("startGame", payload[0]["roomId"])
                case "beginGame":
                    playing = True
                case "update" if playing:
                    await self._act(payload[0])

    async def _act(self, state: Json) -> None:
        emit, me = self.client.emit, state["players"][self.client.id]
        await emit("updateAck", {"stateSeq": state["stateSeq"], "clientTime": 0})
        self.users = state["users"]
        match state["phase"]:
            case "play":
                await emit("playCard", self.dice.choice(me["hand"]))  # whether it has played or not
            case "shop" if me["hasToChoose"]:
                await emit("shopChooseCard", self.dice.choice(state["shop"]))
            case "sanctuary" if me["hasToChoose"]:
                await emit("sanctuaryChoose", me["sanctuaryChoose"][0])
            case "end":
                self.ended = state


async def test_c67_k5_k7_k8_k9_k10_k11_two_bots_that_people_have_play_a_game(here: Hall) -> None:
    async with python_client(here.url) as one, node_client(here.url) as two:
        first = ReferenceBot(one, 1)
        running = asyncio.create_task(first.run())
        while not await here.list_rooms():
            pass
        second = ReferenceBot(two, 2)
        await two.happens("connect")
        async with asyncio.timeout(60):
            await asyncio.gather(running, second.run())
    assert len(set(first.users)) == 2
    assert first.ended["score"] == second.ended["score"]
    assert first.ended["endReason"] == "completed"
