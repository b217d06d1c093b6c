"""What existing clients of Faraway leave behind, and how they come back: finished rooms, bots that answer every list of
rooms, a second game, a server that is stopped under somebody who polls.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import socketio  # type: ignore[import-untyped]

from tests.client import client
from tests.games.faraway.test_restart import FLAGS, Traveller, play, travellers
from tests.games.faraway.wire import Hall, Player, hall, play_on
from tests.live import process
from tests.socketio_clients import PATIENCE, Sessions, bare_client


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Hall]:
    async with hall(tmp_path) as found:
        yield found


async def finished(here: Hall) -> list[Player]:
    players = await here.playing(2)
    await play_on(*players)
    return players


# Rooms of finished games


async def test_who_sits_down_where_everybody_has_gone_is_the_host(here: Hall) -> None:
    ann, bob = await finished(here)
    await ann.tear()
    await bob.tear()
    await here.empty()
    async with client(here.live.ws("/ws")) as dora:
        table = (await dora.ask("join", table=ann.room, player="Dora"))["sync"]["table"]
        mine = next(player["seat"] for player in table["players"] if player["name"] == "Dora")
        assert table["host"] == mine
        await dora.ask("add_bots", bot="random", count=1)
        await dora.ask("start")
        started = (await dora.ask("see"))["sync"]["table"]
        assert [player["name"] for player in started["players"]] == ["Dora", "BOT Ada"]  # and nobody's ghost


async def test_a_host_who_goes_after_the_game_is_succeeded_by_who_is_there(here: Hall) -> None:
    """It was a client's room; the one from the page plays on, while the client is there and when it is gone."""
    bob = await here.enter()
    room = await bob.creates()
    async with client(here.live.ws("/ws")) as ann:
        await ann.ask("join", table=room, player="Ann")
        await bob.updated()
        await bob.emit("startGame", room)
        await bob.hears("beginGame")
        await bob.updated()
        await ann.ask("leave")  # a forfeit: the game is over
        assert (await bob.updated())["endReason"] == "forfeit"
    async with client(here.live.ws("/ws")) as dora:
        table = (await dora.ask("join", table=room, player="Dora"))["sync"]["table"]
        mine = next(player["seat"] for player in table["players"] if player["name"] == "Dora")
        assert table["host"] == mine  # a client has no word for another game
        await dora.ask("start")
        await bob.hears("beginGame")
        assert (await bob.updated())["turn"] == 0


async def test_a_host_whose_connection_is_lost_after_the_game_is_succeeded_at_once(here: Hall) -> None:
    bob = await here.enter()
    async with client(here.live.ws("/ws")) as dora:
        async with client(here.live.ws("/ws")) as ann:
            room = (await ann.ask("open", game="faraway", player="Ann"))["sync"]["table"]["code"]
            await bob.emit("joinRoom", room)
            await bob.hears("roomJoined")
            await ann.ask("start")
            await bob.emit("leaveRoom")
            await ann.entry("left")
            table = (await dora.ask("join", table=room, player="Dora"))["sync"]["table"]
            assert table["host"] == 0  # who is there
        handed = await dora.entry("handed_over")
        assert handed["entry"]["seat"] != 0


async def test_a_room_that_everybody_has_gone_from_is_not_listed(here: Hall) -> None:
    ann, bob = await finished(here)
    assert ann.room in await here.list_rooms()  # somebody looks at the result
    await ann.tear()
    await bob.tear()
    await here.empty()
    assert await here.list_rooms() == {}
    ann = await here.back(ann)  # and still it is there for those who come back
    assert ann.rooms == {ann.room: {"users": [ann.id, bob.id], "state": True, "maxPlayers": 6}}
    assert ann.state["phase"] == "end"
    assert ann.room in await here.list_rooms()


async def test_the_second_game_of_the_same_clients_is_in_another_room(here: Hall) -> None:
    ann, bob = await finished(here)
    assert await ann.refused("startGame", ann.room) == "alreadyStarted"
    first = ann.room
    await ann.creates()
    await bob.joins(ann, ann)
    assert set(await here.list_rooms()) == {ann.room} != {first}  # nobody is left in the first
    await ann.emit("startGame", ann.room)
    for player in (ann, bob):
        await player.hears("beginGame")
        await player.updated()
    await play_on(ann, bob)
    assert ann.state["endReason"] == "completed"


# A bot that answers every list of rooms


async def answers_rooms(bot: Player) -> None:
    """As the bots do that people have: the first room that is open, or one of their own."""
    open_rooms = [id for id, room in bot.rooms.items() if not room["state"] and len(room["users"]) < 4]
    if open_rooms:
        await bot.emit("joinRoom", open_rooms[0])
    else:
        await bot.emit("createRoom")


@pytest.mark.parametrize("asked", ["joinRoom", "createRoom"])
async def test_who_has_just_come_back_forfeits_nothing_by_answering_the_list(here: Hall, asked: str) -> None:
    ann, bob = await here.playing(2)
    if asked == "joinRoom":
        await (await here.enter()).creates()
    await bob.tear()
    await ann.updated()
    bob = await here.back(bob, ann)
    await answers_rooms(bob)
    assert await bob.rejected(asked) == "inGame"
    await bob.emit("getRooms")  # and again, as they do
    bob.rooms = await bob.hears("rooms")
    await answers_rooms(bob)
    assert await bob.rejected(asked) == "inGame"
    assert await ann.silent()
    await play_on(ann, bob)
    assert ann.state["endReason"] == "completed"


async def test_after_a_moment_it_is_meant(here: Hall) -> None:
    ann, bob = await here.playing(2)
    await bob.tear()
    await ann.updated()
    bob = await here.back(bob, ann)
    await here.time.to_pass(4.9)
    assert await bob.refused("createRoom") == "inGame"
    await here.time.to_pass(0.1)
    await bob.creates()
    assert (await ann.updated())["endReason"] == "forfeit"


async def test_leaving_is_meant_at_once(here: Hall) -> None:
    ann, bob = await here.playing(2)
    await bob.tear()
    await ann.updated()
    bob = await here.back(bob, ann)
    await bob.emit("leaveRoom")  # R15: never delayed
    assert (await ann.updated())["endReason"] == "forfeit"


async def test_an_acknowledgement_says_so_too(here: Hall) -> None:
    ann, bob = await here.playing(2)
    await bob.tear()
    await ann.updated()
    bob = await here.back(bob, ann)
    assert await bob.call("createRoom") == {"ok": False, "code": "inGame"}


# Restarts


@pytest.mark.parametrize("how", ["stopped", "killed"])
async def test_a_restart_on_the_result(tmp_path: Path, how: str) -> None:
    async with process(tmp_path, *FLAGS) as live, travellers(live, None, None, None) as before:
        for one in before:
            await one.arrives()
        ann, *others = before
        room = (await ann.client.call("createRoom"))["roomId"]
        for one in others:
            await one.client.emit("joinRoom", room)
            while (await one.client.next())[0] != "roomJoined":
                pass
        await ann.client.emit("startGame", room)
        for one in before:
            await one.hears_until(1)
        await play(before)
        await (live.kill() if how == "killed" else live.terminate())
    async with process(tmp_path, *FLAGS) as live:
        async with bare_client(f"http://127.0.0.1:{live.ports['faraway']}") as eve:
            await eve.enters()
            stranger = Traveller(eve)
            await stranger.arrives()
            assert stranger.rooms == {}  # nobody is there yet
        async with travellers(live, *(one.token for one in before)) as after:
            for old, new in zip(before, after, strict=True):
                session = await new.arrives()
                assert (session["resumed"], session["roomId"]) == (True, room)
                joined = await new.client.hears("roomJoined")
                assert joined["score"] == old.state["score"]
                assert list(new.rooms) == [room]


class Returning:
    """python-socketio's client as people use it: it polls, keeps its token, and comes back by itself."""

    def __init__(self) -> None:
        self.token = ""
        self.sessions: asyncio.Queue[Any] = asyncio.Queue()
        self.http = Sessions()
        self.sio = socketio.AsyncClient(reconnection_delay=0.05, reconnection_delay_max=0.2, http_session=self.http)
        self.sio.on("session", self._session)

    async def _session(self, session: Any) -> None:
        self.token = session["token"]
        self.sessions.put_nowait(session)

    def auth(self) -> Any:
        return {"token": self.token} if self.token else {}

    async def session(self) -> Any:
        async with asyncio.timeout(PATIENCE):
            return await self.sessions.get()


@pytest.mark.parametrize("how", ["stopped", "killed"])
async def test_who_polls_with_the_python_client_comes_back_from_a_restart(tmp_path: Path, how: str) -> None:
    ann, bob = Returning(), Returning()
    try:
        async with process(tmp_path, *FLAGS) as live:
            port = live.ports["faraway"]
            for one in (ann, bob):
                await one.sio.connect(f"http://127.0.0.1:{port}", auth=one.auth, transports=["polling"])
                assert (await one.session())["resumed"] is False
            room = (await ann.sio.call("createRoom"))["roomId"]
            assert (await bob.sio.call("joinRoom", room))["ok"]
            assert (await ann.sio.call("startGame", room))["ok"]
            await (live.kill() if how == "killed" else live.terminate())
        flags = ("--listen", f"faraway=127.0.0.1:{port}", *FLAGS[2:])
        async with process(tmp_path, *flags):
            for one in (ann, bob):
                session = await one.session()
                assert (session["resumed"], session["roomId"]) == (True, room)
    finally:
        for one in (ann, bob):
            await one.sio.disconnect()
            await one.http.close()
