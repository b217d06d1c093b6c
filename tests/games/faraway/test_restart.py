"""Games of Faraway outlive the server: killed in the middle of anything, it comes back with what anybody was told.

The names r17, r18, … are the rules of docs/protocols/faraway.md, c62 is a line of its checklist.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed

from tests.games.faraway.wire import Json, hall
from tests.live import LiveProcess, process
from tests.socketio_clients import Client, bare_client, node_client, python_client

FLAGS = ("--listen", "faraway=127.0.0.1:0", "--test-mode", "--test-rigging")


class Traveller:
    """Somebody with a client that people use, who does the first thing that is legal."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.token = ""
        self.state: Json = {}
        """As it was told last."""

    async def arrives(self) -> Json:
        """What is said to who comes in."""
        await self.client.hears("wellConnected")
        self.rooms: Json = await self.client.hears("rooms")
        session: Json = await self.client.hears("session")
        self.token = session["token"]
        return session

    async def hears_until(self, step: int) -> None:
        while self.state.get("stateSeq", 0) < step:
            name, *payload = await self.client.next()
            if name == "update":
                self.state = payload[0]

    async def acts(self) -> int:
        """One action. The number of the state that it led to, which is acknowledged: from now on it counts."""
        action = self.state["legalActions"][0]
        await self.client.ask(action["type"], action["cardIndex"])
        while True:
            name, *payload = await self.client.next()
            if name == "update":
                self.state = payload[0]
            if name == "ack":
                assert payload[0]["ok"], payload
                return int(payload[0]["stateSeq"])


@asynccontextmanager
async def travellers(live: LiveProcess, *tokens: str | None) -> AsyncIterator[list[Traveller]]:
    """Three of them: Python's client by polling, Python's by WebSocket, and JavaScript's."""
    url = f"http://127.0.0.1:{live.ports['faraway']}"
    auth = [{"token": token} if token else None for token in tokens]
    async with AsyncExitStack() as stack:
        polling = await stack.enter_async_context(python_client(url, ["polling"], auth=auth[0]))
        direct = await stack.enter_async_context(python_client(url, ["websocket"], auth=auth[1]))
        node = await stack.enter_async_context(node_client(url, reconnection=False, auth=auth[2] or {}))
        await node.happens("connect")
        yield [Traveller(client) for client in (polling, direct, node)]


async def play(everybody: list[Traveller], until: str = "end", turn: int = 0) -> None:
    """On, until the phase is this one, in this turn or later, and everybody knows."""
    while True:
        state = everybody[0].state
        if state["phase"] in (until, "end") and state["turn"] >= turn:
            return
        step = await next(one for one in everybody if one.state["legalActions"]).acts()
        for one in everybody:
            await one.hears_until(step)


def renamed(state: Json, names: dict[str, str]) -> Json:
    """A state with everybody's new name in it; without what a return changes."""

    def rename(told: Any) -> Any:
        if isinstance(told, dict):
            return {names.get(key, key): rename(value) for key, value in told.items()}
        if isinstance(told, list):
            return [rename(value) for value in told]
        return names.get(told, told) if isinstance(told, str) else told

    found: Json = rename({key: value for key, value in state.items() if key not in ("stateSeq", "serverTime")})
    return found


async def test_r5_r9_r17_r18_r20_c62_d44_killed_in_the_middle_and_played_to_the_end(tmp_path: Path) -> None:
    """What anybody has seen is there after ``kill -9``: the same decks, the same seats, the next number."""
    async with process(tmp_path, *FLAGS) as live, travellers(live, None, None, None) as before:
        for one in before:
            await one.arrives()
        ann, bob, carl = before
        room = (await ann.client.call("createRoom", {"seed": 1, "tieBreak": "published"}))["roomId"]
        for one in (bob, carl):
            await one.client.emit("joinRoom", room)
            while (await one.client.next())[0] != "roomJoined":
                pass
        await carl.client.emit("startGame", room)
        for one in before:
            await one.hears_until(1)
        await play(before, "sanctuary", turn=2)
        await play(before, "shop", turn=2)
        await live.kill()
    async with (
        process(tmp_path, *FLAGS) as live,
        travellers(live, *(one.token for one in before)) as after,
    ):
        names = {old.client.id: new.client.id for old, new in zip(before, after, strict=True)}
        for old, new in zip(before, after, strict=True):
            session = await new.arrives()
            assert session == {"token": old.token, "playerId": new.client.id, "resumed": True, "roomId": room}
            assert list(new.rooms) == [room]
            joined = await new.client.hears("roomJoined")
            assert joined["stateSeq"] > old.state["stateSeq"]
        last = old.state["stateSeq"] + len(after)  # each return is a step
        for old, new in zip(before, after, strict=True):
            await new.hears_until(last)
            assert renamed(new.state, {}) == renamed(old.state, names)
        await play(after)
        assert after[0].state["endReason"] == "completed"
        assert after[0].state["score"] == after[1].state["score"] == after[2].state["score"]


async def test_r17_r19_c62_nothing_acknowledged_is_lost_however_often_it_is_killed(tmp_path: Path) -> None:
    """Killed while actions are on their way: what was acknowledged has happened, the rest may or may not."""
    tokens: list[str | None] = [None, None]
    known, ended = 0, False
    for kill in range(4):
        async with process(tmp_path, *FLAGS) as live, AsyncExitStack() as stack:
            url = f"http://127.0.0.1:{live.ports['faraway']}"
            players = []
            for number, token in enumerate(tokens):
                client = await stack.enter_async_context(bare_client(url))
                await client.enters({"token": token} if token else None)
                players.append(player := Traveller(client))
                session = await player.arrives()
                tokens[number] = player.token
                assert session["resumed"] is (kill > 0)
                if kill:
                    player.state = await client.hears("roomJoined")
                    assert player.state["stateSeq"] > known
            if not kill:
                ann, bob = (player.client for player in players)
                room = (await ann.call("createRoom"))["roomId"]
                await bob.call("joinRoom", room)
                await bob.emit("startGame", room)

            far_enough, goal = asyncio.Event(), known + 8

            async def race(player: Traveller, far_enough: asyncio.Event = far_enough, goal: int = goal) -> None:
                nonlocal known, ended
                while not ended:
                    name, *payload = await player.client.next()
                    if name == "update":
                        player.state = payload[0]
                        known = max(known, player.state["stateSeq"])
                        ended = player.state.get("phase") == "end"
                        if known >= goal or ended:
                            far_enough.set()
                        if player.state["legalActions"]:
                            action = player.state["legalActions"][0]
                            await player.client.emit(action["type"], action["cardIndex"])

            racing = [asyncio.create_task(race(player)) for player in players]
            reached = asyncio.create_task(far_enough.wait())
            await asyncio.wait([reached, *racing], return_when=asyncio.FIRST_COMPLETED)
            assert far_enough.is_set()
            await live.kill()
            for task in racing:
                with suppress(ConnectionClosed):
                    await task
    assert known > 30


async def test_r20_c62_lobbies_are_gone_and_so_are_their_tokens(tmp_path: Path) -> None:
    async with process(tmp_path, *FLAGS) as live, bare_client(f"http://127.0.0.1:{live.ports['faraway']}") as eve:
        await eve.enters()
        traveller = Traveller(eve)
        await traveller.arrives()
        assert (await eve.call("createRoom"))["ok"]
        await live.kill()
    async with process(tmp_path, *FLAGS) as live, bare_client(f"http://127.0.0.1:{live.ports['faraway']}") as eve:
        await eve.enters({"token": traveller.token})
        again = Traveller(eve)
        session = await again.arrives()
        assert again.rooms == {}
        assert session["resumed"] is False
        assert again.token != traveller.token


async def test_r14_r20_after_a_restart_everybody_has_a_minute(tmp_path: Path) -> None:
    async with hall(tmp_path) as here:
        ann, bob = await here.playing(2, actionTimeoutSec=100)
        await here.time.to_pass(90)
        here.house.closing = True
    async with hall(tmp_path, time=here.time) as here:
        ann = await here.back(ann)
        assert ann.state["players"][bob.id]["connected"] is False
        assert ann.state["actionDeadline"] == here.time.now() + 100_000  # in full
        await here.time.to_pass(59.9)
        assert await ann.silent()
        await here.time.to_pass(0.1)
        assert (await ann.updated())["endReason"] == "forfeit"


async def test_r14_r20_nobody_comes_back_after_a_restart(tmp_path: Path) -> None:
    async with hall(tmp_path) as here:
        await here.playing(3)
        here.house.closing = True
    async with hall(tmp_path, time=here.time) as here:
        assert len(await here.list_rooms()) == 1
        await here.time.to_pass(60)
        assert await here.list_rooms() == {}


async def test_r21_a_record_that_can_not_be_read_is_left_alone(tmp_path: Path) -> None:
    async with hall(tmp_path) as here:
        ann, _ = await here.playing(2)
        carl, _ = await here.playing(2)
        broken = here.house.registry.by_code["faraway", ann.room].table.id
        here.house.closing = True
    with sqlite3.connect(tmp_path / "journal.sqlite") as database:
        database.execute('UPDATE entries SET entry = \'{"entry":"nonsense"}\' WHERE table_id = ? AND seq = 3', [broken])
    database.close()
    async with hall(tmp_path) as here:
        assert list(await here.list_rooms()) == [carl.room]
