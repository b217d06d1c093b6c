"""One table of Faraway, two protocols: a native client, two of Socket.IO and a bot play to the end, the same game."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.client import Client, Json, Refusal, client
from tests.live import server
from tests.socketio_clients import Client as SocketIOClient
from tests.socketio_clients import node_client, python_client


class Visitor:
    """Plays by Faraway's own protocol: the first thing that is legal."""

    def __init__(self, client: SocketIOClient) -> None:
        self.client = client
        self.states: dict[int, Json] = {}

    async def join(self, code: str) -> None:
        for name in ("wellConnected", "rooms", "session"):
            await self.client.hears(name)
        await self.client.emit("getRooms")
        assert (await self.client.hears("rooms"))[code]["state"] is False
        await self.client.emit("joinRoom", code)
        await self.client.hears("roomJoined")

    async def play(self) -> Json:
        while True:
            name, *payload = await self.client.next()
            # As all play at once, an update may come before one's own move is in it, and the move is made twice.
            assert name in ("update", "beginGame", "actionRejected"), (name, payload)
            if name == "update" and payload[0]["state"]:
                state: Json = payload[0]
                self.states[state["stateSeq"]] = state
                if state["phase"] == "end":
                    return state
                if state["legalActions"]:
                    first = state["legalActions"][0]
                    await self.client.emit(first["type"], first["cardIndex"])


async def play_native(player: Client, views: dict[int, Json]) -> Json:
    """The views by the number that the other protocol gives them."""
    step = 0
    while True:
        fact = await player.hear(lambda message: message["type"] == "fact")
        if fact["entry"]["entry"] in ("started", "moved"):
            step += 1
            views[step] = fact["view"]
        if "result" in fact:
            return fact
        if fact.get("moves"):
            with suppress(Refusal):
                await player.ask("play", move=fact["moves"][0])


def same_game(view: Json, state: Json) -> None:
    """What a native client sees and what another is told, of the same moment."""
    users = state["users"]
    assert view["turn"] == state["turn"]
    assert view["phase"] == state["phase"]
    assert view["shop"] == state["shop"]
    assert [users[seat] for seat in view["shop_order"]] == state["shopOrder"]
    assert view["regions_left"] == len(state["pool"])
    assert view["sanctuaries_left"] == len(state["sanctuaryPool"])
    for seat, user in enumerate(users):
        player = state["players"][user]
        assert len(view["hands"][seat]) == len(player["hand"])
        assert view["sanctuaries"][seat] == player["playedSanctuaries"]
        assert view["done"][seat] == player["hasPlayed"]
        assert view["choosing"][seat] == player["hasToChoose"]
        if view["phase"] != "play":
            assert view["rows"][seat] == player["playedCards"]


async def test_a_native_client_two_of_socketio_and_a_bot_play_to_the_end(tmp_path: Path) -> None:
    async with (
        server(tmp_path, bot_delay=0) as live,
        client(live.ws("/ws?views=1")) as ann,
        python_client(live.http) as bob,
        node_client(live.http) as carl,
    ):
        reply = await ann.ask("open", game="faraway", player="Ann", seats=5)
        code = reply["sync"]["table"]["code"]
        visitors = [Visitor(bob), Visitor(carl)]
        await carl.happens("connect")
        for visitor in visitors:
            await visitor.join(code)
        await ann.ask("add_bots", bot="random")
        await ann.ask("start")
        views: dict[int, Json] = {}
        async with asyncio.timeout(60):
            end, *states = await asyncio.gather(play_native(ann, views), *(visitor.play() for visitor in visitors))

        # Everybody was told the same game, each in their own words.
        for visitor in visitors:
            assert visitor.states.keys() == views.keys()
            for step, view in views.items():
                same_game(view, visitor.states[step])
        last: Any = states[0]
        assert last["users"] == [player["handle"] for player in end["table"]["players"]]
        assert last["users"][1:3] == [bob.id, carl.id]
        assert states[1]["score"] == last["score"]
        assert end["result"]["scores"] == [score["total"] for score in last["score"]]
        best = end["result"]["placings"][0]
        assert [last["users"][seat] for seat in best] == last["winner"]
