"""Coming and going in Faraway's protocol, over real sockets, with a clock that the tests set by hand.

The names r1, r2, … are the rules of docs/protocols/faraway.md, c57, c58, … the lines of its checklist.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from croupier.games import Catalogue, catalogue
from croupier.games.faraway import Faraway
from croupier.net import engineio
from tests.client import client
from tests.games.faraway.wire import Hall, Player, hall, play_on, start
from tests.socketio_clients import node_client


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Hall]:
    async with hall(tmp_path) as found:
        yield found


async def lost(gone: Player, *others: Player) -> None:
    """Somebody's connection breaks; the others are told."""
    await gone.tear()
    for other in others:
        state = await other.updated()
        assert state["players"][gone.id]["connected"] is False


# Before the game


async def test_r1_c15_d35_a_lost_connection_in_a_lobby_is_a_seat_given_up(here: Hall) -> None:
    ann, bob, carl = await here.lobby(3)
    await ann.tear()
    for player in (bob, carl):
        assert (await player.updated())["users"] == [bob.id, carl.id]
    again = await here.enter({"token": ann.token})
    assert again.session == {"token": ann.token, "playerId": again.id, "resumed": False, "roomId": None}
    await bob.tear()
    await carl.updated()
    await carl.tear()
    while await here.list_rooms():
        pass


async def test_r2_a_lobby_in_which_nothing_happens_is_closed(here: Hall) -> None:
    ann, bob = await here.lobby(2)
    await here.time.to_pass(3599)
    carl = await here.enter()
    await carl.joins(ann, ann, bob)  # a lobby event
    await here.time.to_pass(3599)
    assert await ann.silent()
    await here.time.to_pass(1)
    for player in (ann, bob, carl):
        assert await player.next() == ["roomNotFound"]
        player.room = ""
        assert await player.refused("playCard", 5) == "notInRoom"
    assert await here.list_rooms() == {}
    await ann.creates()


# Sessions


async def test_r3_r4_r5_r6_c57_c58_d43_coming_back(here: Hall, tmp_path: Path) -> None:
    ann, bob, carl = await here.playing(3)
    await play_on(ann, bob, carl, until="shop", turn=1)
    before = bob.state
    await lost(bob, ann, carl)
    step = ann.state["stateSeq"]
    assert step == before["stateSeq"] + 1
    again = await here.back(bob, ann, carl)
    assert again.id != bob.id
    # The seat is renamed before the rooms are listed, and nothing else has changed.
    users = [ann.id, again.id, carl.id]
    assert again.rooms[ann.room]["users"] == users
    state = again.state
    assert state["stateSeq"] == step + 1
    assert state["users"] == list(state["players"]) == users
    renamed = msgspec.json.decode(msgspec.json.encode(before).replace(bob.id.encode(), again.id.encode()))
    differing = {key for key in state if state[key] != renamed[key]}
    assert differing <= {"stateSeq", "serverTime"}
    assert again.id in state["shopOrder"]
    assert not any(packet.startswith('42["beginGame"') for packet in again.raw)
    await play_on(ann, again, carl)
    assert again.id in [ranked["id"] for ranked in again.state["ranking"]]
    # The secret is in the journal as a hash only.
    data = b"".join(file.read_bytes() for file in tmp_path.glob("journal.sqlite*"))  # noqa: ASYNC240
    assert again.id.encode() in data
    assert bob.token.encode() not in data


async def test_r9_coming_back_in_every_phase_and_any_number_of_times(here: Hall) -> None:
    ann, bob = await here.playing(2, seed=1)
    for phase, turn in (("play", 0), ("shop", 0), ("play", 1), ("sanctuary", 1), ("shop", 1), ("end", 7)):
        await play_on(ann, bob, until=phase, turn=turn)
        if phase == "end":
            await bob.tear()
        else:
            await lost(bob, ann)
        bob = await here.back(bob, ann)
        assert bob.state["phase"] == phase
        ann = await here.back(ann, bob)  # without having been away


async def test_r7_c59_the_newest_connection_wins(here: Hall) -> None:
    ann, bob = await here.playing(2)
    again = await here.back(bob, ann)
    assert await bob.next() == ["sessionReplaced"]
    assert await bob.packet() == "41"  # so that the client does not come back by itself
    assert await bob.closed() is not None
    assert ann.state["users"] == [ann.id, again.id]
    assert ann.state["players"][again.id]["connected"] is True
    assert ann.state["stateSeq"] == 2
    await again.acts(*again.action, ann)


async def test_r7_r8_without_a_seat_too(here: Hall) -> None:
    ann = await here.enter()
    again = await here.enter({"token": ann.token})
    assert again.session == {"token": ann.token, "playerId": again.id, "resumed": False, "roomId": None}
    assert await ann.next() == ["sessionReplaced"]
    assert await ann.packet() == "41"
    assert await ann.closed() is not None
    # In a lobby the seat goes with the old connection.
    await again.creates()
    bob = await here.enter()
    await bob.joins(again, again)
    third = await here.enter({"token": ann.token})
    assert third.session["resumed"] is False
    assert await again.next() == ["sessionReplaced"]
    assert (await bob.updated())["users"] == [bob.id]
    await third.tear()
    fourth = await here.enter({"token": ann.token})
    assert fourth.token == ann.token


async def test_r8_an_unknown_token_is_a_new_session(here: Hall) -> None:
    ann = await here.enter({"token": "f" * 32})
    assert ann.token != "f" * 32
    assert ann.session["resumed"] is False


async def test_r10_the_javascript_client_comes_back_by_itself(here: Hall) -> None:
    ann = await here.enter()
    await ann.creates()
    async with node_client(here.url) as bob:
        first = await bob.happens("connect")
        for name in ("wellConnected", "rooms", "session"):
            await bob.hears(name)
        await bob.emit("joinRoom", ann.room)
        await bob.hears("roomJoined")
        await bob.hears("update")
        await ann.updated()
        await ann.emit("startGame", ann.room)
        await ann.hears("beginGame")
        await ann.updated()
        await bob.hears("beginGame")
        hand = (await bob.hears("update"))["players"][first]["hand"]
        await bob.tear()
        assert (await ann.updated())["players"][first]["connected"] is False
        second = await bob.happens("connect")
        assert second != first
        for name in ("wellConnected", "rooms"):
            await bob.hears(name)
        session = await bob.hears("session")
        assert (session["resumed"], session["roomId"]) == (True, ann.room)
        assert (await bob.hears("roomJoined"))["players"][second]["hand"] == hand
        await bob.hears("update")
        assert (await ann.updated())["users"] == [ann.id, second]
        await bob.emit("playCard", hand[0])
        assert (await ann.updated())["players"][second]["hasPlayed"] is True


async def test_a_client_may_go_out_of_the_namespace_and_in_again(here: Hall) -> None:
    ann, bob = await here.playing(2)
    await ann.say("41")
    assert (await bob.updated())["players"][ann.id]["connected"] is False
    before = ann.id
    await ann.enters({"token": ann.token})
    assert ann.id != before
    for name in ("wellConnected", "rooms", "session", "roomJoined", "update"):
        assert (await ann.next())[0] == name
    assert (await bob.updated())["users"] == [ann.id, bob.id]
    await ann.acts(*ann.action, bob)


# In a game


async def test_r11_c57_the_game_waits(here: Hall) -> None:
    ann, bob = await here.playing(2)
    await lost(bob, ann)
    await ann.acts(*ann.action)
    assert ann.state["phase"] == "play"
    await here.time.to_pass(59.9)
    assert await ann.silent()
    bob = await here.back(bob, ann)
    await here.time.to_pass(100)
    await bob.acts(*bob.action, ann)
    assert ann.state["phase"] == "shop"


async def test_r12_c60_c61_after_a_minute_the_seat_is_forfeited(here: Hall) -> None:
    ann, bob, carl = await here.playing(3)
    await play_on(ann, bob, carl, until="shop")
    chooser = next(player for player in (ann, bob, carl) if player.me["hasToChoose"])
    others = [player for player in (ann, bob, carl) if player is not chooser]
    await lost(chooser, *others)
    await here.time.to_pass(60)
    for other in others:
        state = await other.updated()
        assert state["users"] == [player.id for player in (ann, bob, carl) if player is not chooser]
        assert chooser.id not in state["shopOrder"]
        assert state["phase"] == "shop"
    assert any(player.me["hasToChoose"] for player in others)
    gone = await here.enter({"token": chooser.token})
    assert gone.session["resumed"] is False
    first, second = others
    await lost(second, first)
    await here.time.to_pass(60)
    state = await first.updated()
    assert (state["phase"], state["endReason"], state["winner"]) == ("end", "forfeit", [first.id])
    assert state["users"] == [first.id]
    assert len(state["score"]) == 1


async def test_r12_a_grace_of_nothing_forfeits_at_once(tmp_path: Path) -> None:
    class Strict(Faraway):
        customs = msgspec.structs.replace(Faraway.customs, grace=0.0)

    found = catalogue()
    async with hall(tmp_path, Catalogue({**found.games, "faraway": Strict()}, found.endpoints)) as here:
        ann, bob = await here.playing(2)
        await lost(bob, ann)
        assert (await ann.updated())["endReason"] == "forfeit"


async def test_r13_a_dead_peer_is_noticed_after_45_seconds(here: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    assert engineio.PING_EVERY + engineio.PING_TIMEOUT == 45
    ann = await here.enter()
    await ann.creates()
    monkeypatch.setattr(engineio, "PING_EVERY", 0.0)
    bob = await here.enter()  # who is asked for signs of life all the time, and gives them
    await bob.joins(ann, ann)
    await start(ann, bob)
    monkeypatch.setattr(engineio, "PING_TIMEOUT", 0.0)
    await bob.say("3")
    assert (await ann.updated())["players"][bob.id]["connected"] is False
    await here.time.to_pass(59.9)  # from now on
    assert await ann.silent()
    await here.time.to_pass(0.1)
    assert (await ann.updated())["endReason"] == "forfeit"


async def test_r14_all_at_the_same_instant(here: Hall) -> None:
    players = await here.playing(3)
    for player in players:
        await player.tear()
    await here.empty()
    room = players[0].room
    await here.time.to_pass(60)
    assert room not in await here.list_rooms()
    assert not here.house.rooms


async def test_r14_one_after_the_other_the_last_one_wins(here: Hall) -> None:
    ann, bob = await here.playing(2)
    await lost(bob, ann)
    here.time._now += 1
    await ann.tear()
    await here.empty()
    await here.time.to_pass(60)
    again = await here.back(ann)
    assert again.state["endReason"] == "forfeit"
    assert again.state["winner"] == [again.id]


async def test_r15_c16_leaving_is_never_delayed(here: Hall) -> None:
    ann, bob, carl = await here.playing(3)
    await carl.emit("leaveRoom")
    for player in (ann, bob):
        assert (await player.updated())["users"] == [ann.id, bob.id]
    assert await carl.silent()
    again = await here.enter({"token": carl.token})
    assert again.session["resumed"] is False
    await ann.acts(*ann.action, bob)
    assert await again.silent()


# After the end


async def test_r16_c64_d37_the_result_stays_for_a_while(here: Hall) -> None:
    ann, bob, carl = await here.playing(3)
    await play_on(ann, bob, carl)
    end = ann.state
    await carl.tear()
    await bob.emit("leaveRoom")
    assert await bob.silent()
    assert await ann.silent()
    await here.time.to_pass(300)
    carl = await here.back(carl, ann)
    state = ann.state
    assert state["stateSeq"] == end["stateSeq"] + 1
    assert state["users"] == [ann.id, bob.id, carl.id]
    assert state["score"] == end["score"]
    assert len(state["winner"]) == len(end["winner"])
    assert state["players"][bob.id]["connected"] is False
    rooms = await here.list_rooms()
    assert rooms[ann.room] == {"users": [ann.id, bob.id, carl.id], "state": True, "maxPlayers": 6}
    gone = await here.enter({"token": bob.token})
    assert gone.session["resumed"] is False
    await gone.emit("joinRoom", ann.room)
    assert await gone.next() == ["roomStarted"]
    await here.time.to_pass(299.9)
    assert ann.room in await here.list_rooms()
    await here.time.to_pass(0.1)
    assert await here.list_rooms() == {}
    assert await ann.silent()


async def test_r16_r22_a_room_that_all_have_left_is_gone(here: Hall) -> None:
    ann, bob = await here.playing(2)
    await play_on(ann, bob)
    await ann.emit("leaveRoom")
    assert await ann.silent()
    assert ann.room in await here.list_rooms()
    await bob.emit("leaveRoom")
    assert await bob.silent()
    assert await here.list_rooms() == {}
    assert not here.house.rooms
    assert not here.house.registry.by_token
    assert not here.house.registry.by_code


# Time limits


async def test_r23_c65_without_a_limit_there_is_time_for_ever(here: Hall) -> None:
    ann, bob = await here.playing(2)
    assert "actionDeadline" not in ann.state
    await here.time.to_pass(80_000)
    assert await ann.silent()
    await ann.acts(*ann.action, bob)


async def test_r24_c65_the_server_plays_for_who_is_late(here: Hall) -> None:
    ann, bob = await here.playing(2, actionTimeoutSec=30, seed=1)
    assert ann.state["actionDeadline"] == here.time.now() + 30_000
    await here.time.to_pass(29.9)
    assert await ann.silent()
    await here.time.to_pass(0.1)
    for player in (ann, bob):
        state = await player.updated()
        assert state["stateSeq"] == 2
        assert state["players"][ann.id]["hasPlayed"] is True
        state = await player.updated()
        assert (state["stateSeq"], state["phase"]) == (3, "shop")
        assert state["players"][ann.id]["playedCards"] == [19]  # the lowest
        assert state["players"][bob.id]["playedCards"] == [13]
        assert state["actionDeadline"] == here.time.now() + 30_000
    await here.time.to_pass(30)
    for player in (ann, bob):
        assert (await player.updated())["shop"] == [17, 43]  # the first one is taken
    assert await ann.silent()


async def test_r24_for_who_is_away_too(here: Hall) -> None:
    ann, bob = await here.playing(2, actionTimeoutSec=10)
    await lost(bob, ann)
    await ann.acts(*ann.action)
    await here.time.to_pass(10)
    assert (await ann.updated())["phase"] == "shop"


# With people of other protocols


async def test_a_seat_can_be_returned_to_by_another_protocol(here: Hall) -> None:
    ann, bob = await here.playing(2)
    table = here.house.registry.by_code["faraway", ann.room].table.id
    await lost(bob, ann)
    async with client(here.live.ws("/ws")) as native:
        reply = await native.ask("return", table=table, token=bob.token)
        assert reply["sync"]["seat"] == 1
        state = await ann.updated()
        assert state["users"] == [ann.id, bob.id]  # it has no name of its own
        assert state["players"][bob.id]["connected"] is True
        again = await here.back(bob, ann)
        assert (await native.hear())["type"] in ("fact", "replaced")
        await again.acts(*again.action, ann)


async def test_who_is_thrown_out_by_a_host_of_another_protocol(here: Hall) -> None:
    ann, bob = await here.enter(), await here.enter()
    async with client(here.live.ws("/ws")) as host:
        reply = await host.ask("open", game="faraway", player="Host", seats=4)
        code = reply["sync"]["table"]["code"]
        for player, others in ((ann, []), (bob, [ann])):
            await player.emit("joinRoom", code)
            player.room = code
            await player.hears("roomJoined")
            for one in (player, *others):
                await one.updated()
        assert ann.state["maxPlayers"] == 4
        assert ann.state["options"]["actionTimeoutSec"] == 90
        await host.ask("configure", options={"action_timeout": 20})
        for player in (ann, bob):
            assert (await player.updated())["options"]["actionTimeoutSec"] == 20
        await host.ask("kick", seat=1)
        assert await ann.next() == ["roomNotFound"]
        assert (await bob.updated())["users"][1] == bob.id
        await host.ask("say", text="hello")
        await host.ask("start")
        await bob.hears("beginGame")
        await bob.updated()
        assert await ann.silent()


async def test_a_locked_table_is_not_there_for_who_knows_no_passwords(here: Hall) -> None:
    ann = await here.enter()
    async with client(here.live.ws("/ws")) as host:
        reply = await host.ask("open", game="faraway", player="Host", password="plum")
        for event in ("joinRoom", "getRoomSummary", "startGame"):
            await ann.emit(event, reply["sync"]["table"]["code"])
            assert await ann.next() == ["roomNotFound"]
        await ann.emit("getRooms")
        assert await ann.hears("rooms") == {}


async def test_another_game_at_the_same_table(here: Hall) -> None:
    """This protocol knows no rematch, but people of others do, and everybody at the table is in it."""
    bob = await here.enter()
    async with client(here.live.ws("/ws")) as ann:
        code = (await ann.ask("open", game="faraway", player="Ann"))["sync"]["table"]["code"]
        await bob.emit("joinRoom", code)
        bob.room = code
        await bob.hears("roomJoined")
        await bob.updated()
        await ann.ask("start")
        await bob.hears("beginGame")
        await bob.updated()
        await bob.emit("leaveRoom")
        await ann.entry("left")
        assert (await here.list_rooms())[code]["state"] is True
        carl = await here.enter()
        await carl.emit("joinRoom", code)
        assert await carl.next() == ["roomStarted"]
        async with client(here.live.ws("/ws")) as dora:
            await dora.ask("join", table=code, player="Dora")
            rooms = await here.list_rooms()
            assert len(rooms[code]["users"]) == 1  # of the game that is over
            await ann.ask("start")
            await dora.entry("started")
            assert len((await here.list_rooms())[code]["users"]) == 2
