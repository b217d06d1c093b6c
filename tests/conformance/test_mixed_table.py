"""One table, many protocols: a native client, a client of Palace's own protocol and two bots play to the end."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from tests.client import Client, Json, client
from tests.live import server

PATIENCE = 20
VALUES = {
    "2": "Two", "3": "Three", "4": "Four", "5": "Five", "6": "Six", "7": "Seven", "8": "Eight", "9": "Nine",
    "10": "Ten", "J": "Jack", "Q": "Queen", "K": "King", "A": "Ace",
}  # fmt: skip
SUITS = {"♣": "Clubs", "♦": "Diamonds", "♥": "Hearts", "♠": "Spades"}


def wire(card: str) -> Json:
    return {"value": VALUES[card[:-1]], "suit": SUITS[card[-1]]}


class PalaceClient:
    """Plays by its own protocol: keeps the dealt face-up cards, then the first card of its zone."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.states: list[Json] = []
        self.order: list[int] | None = None
        self.hand: list[Json] = []

    async def send(self, name: str, content: Any) -> None:
        await self.socket.send(json.dumps({name: content}).encode())

    async def hear(self) -> tuple[str, Any]:
        async with asyncio.timeout(PATIENCE):
            message = json.loads(await self.socket.recv())
        ((name, content),) = message.items()
        return name, content

    async def join(self, table: str) -> None:
        await self.send("JoinLobby", {"lobby_id": table, "player_name": "Old client", "password": ""})
        name, content = await self.hear()
        assert name == "JoinLobbyResponse"
        self.own = {"lobby_id": table, "player_id": content["Ok"]["player_id"]}

    async def play(self) -> None:
        while self.order is None:
            name, content = await self.hear()
            if name == "GameStartedEvent":
                self.turn, self.hand, self.names = content["turn_number"], content["hand"], content["players"]
            elif name == "HandEvent":
                self.hand = content
            elif name == "GameCompleteEvent":
                self.order = content
            elif name == "PublicGameStateEvent":
                self.states.append(content)
                if content["active_player"] == self.turn and content["cur_phase"] != "Complete":
                    await self.act(content)

    async def act(self, state: Json) -> None:
        face_up = state["face_up_three"][self.turn]
        if state["cur_phase"] == "Setup":
            one, two, three = face_up
            await self.send("ChooseFaceup", {**self.own, "card_one": one, "card_two": two, "card_three": three})
        else:
            await self.send("MakePlay", {**self.own, "cards": (self.hand or face_up)[:1]})


async def play_native(player: Client, views: list[Json]) -> Json:
    while True:
        fact = await player.hear(lambda message: message["type"] == "fact")
        if fact["entry"]["entry"] in ("started", "moved"):
            views.append(fact["view"])
        if "result" in fact:
            return fact
        if fact.get("moves"):
            await player.ask("play", move=fact["moves"][0])


def assert_told_the_same(views: list[Json], states: list[Json]) -> None:
    """Both were told the same game, each in its own words."""
    assert len(views) == len(states)
    for view, state in zip(views, states, strict=True):
        assert list(view["hands"]) == state["hands"]
        assert view["face_down"] == state["face_down_three"]
        assert [[wire(card) for card in cards] for cards in view["face_up"]] == state["face_up_three"]
        assert len(view["pile"]) == state["pile_size"]
        assert (wire(view["pile"][-1]) if view["pile"] else None) == state["top_card"]
        assert view["cleared"] == state["cleared_size"]
        assert view["active"] == state["active_player"]
        assert view["phase"].capitalize() == state["cur_phase"]
        assert [wire(card) for card in view["last_cards"]] == state["last_cards_played"]


async def test_a_native_client_a_palace_client_and_two_bots_play_to_the_end(tmp_path: Path) -> None:
    async with (
        server(tmp_path, bot_delay=0) as live,
        client(live.ws("/ws?views=1")) as ann,
        connect(live.ws("/palace")) as socket,
    ):
        old = PalaceClient(socket)
        await ann.ask("open", game="palace", player="Ann")
        await old.join(ann.table)
        await ann.ask("add_bots", count=2)
        await ann.ask("start")
        views: list[Json] = []
        end, _ = await asyncio.gather(play_native(ann, views), old.play())

        assert_told_the_same(views, old.states)
        assert [seat for (seat,) in end["result"]["placings"]] == old.order
        names = {str(player["seat"]): player["name"] for player in end["table"]["players"]}
        assert names == old.names


async def test_a_seat_taken_by_one_protocol_can_be_returned_to_by_another(tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as live, client(live.ws("/ws")) as ann:
        async with connect(live.ws("/palace")) as socket:
            old = PalaceClient(socket)
            await ann.ask("open", game="palace", player="Ann")
            await old.join(ann.table)
            await ann.ask("start")
            name, content = await old.hear()
            assert name == "GameStartedEvent"
        assert (await ann.entry("absent"))["entry"]["seat"] == content["turn_number"]
        async with client(live.ws("/ws")) as browser:
            reply = await browser.ask("return", table=ann.table, token=old.own["player_id"])
            assert reply["sync"]["seat"] == content["turn_number"]
            assert [wire(card) for card in reply["sync"]["view"]["hand"]] == content["hand"]
