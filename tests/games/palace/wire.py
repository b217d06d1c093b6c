"""Clients of Palace's own protocol, for tests."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from croupier.games import Catalogue
from tests.clock import ManualTime
from tests.live import LiveHere, server

PATIENCE = 20
"""Seconds after which a message that does not come is given up: a test fails, it never hangs."""

DECK = [
    "9♣", "J♦", "Q♣", "8♦", "3♣", "K♦", "4♦", "5♣", "7♦", "9♦", "10♣", "K♣",
    "6♣", "10♦", "A♦", "2♣", "J♣", "8♣", "3♦", "5♦", "6♦", "7♣", "Q♦", "A♣",
    "4♣", "2♦",
]  # fmt: skip
"""The deal that most tests use: for player 0, then for player 1, three face up, three face down, six in hand."""

VALUES = dict(
    zip(
        ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"],
        ["Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Jack", "Queen", "King", "Ace"],
        strict=True,
    )
)
SUITS = {"♣": "Clubs", "♦": "Diamonds", "♥": "Hearts", "♠": "Spades"}


def card(short: str) -> dict[str, str]:
    """
    >>> card("10♦")
    {'value': 'Ten', 'suit': 'Diamonds'}
    """
    return {"value": VALUES[short[:-1]], "suit": SUITS[short[-1]]}


def cards(short: str) -> list[dict[str, str]]:
    return [card(one) for one in short.split()]


def trio(short: str) -> dict[str, Any]:
    """Three cards as ChooseFaceup names them."""
    return dict(zip(("card_one", "card_two", "card_three"), cards(short), strict=True))


class Hall:
    """A server with Palace on a port of its own, and its clients."""

    def __init__(self, live: LiveHere, time: ManualTime) -> None:
        self.live = live
        self.house = live.house
        self.time = time
        self._players: list[Player] = []

    async def enter(self, path: str = "/", port: str = "palace") -> Player:
        # No limit to what waits to be heard: a test may never ask, and must still be able to say goodbye.
        player = Player(await connect(self.live.own(port, path), compression=None, max_queue=None))
        self._players.append(player)
        return player

    async def leave(self) -> None:
        await asyncio.gather(*(player.socket.close() for player in self._players))

    async def two(self, **settings: Any) -> tuple[Player, Player]:
        """Matt, who owns a lobby for two (or more), and Ann, who has joined it."""
        matt, ann = await self.enter(), await self.enter()
        await matt.opens(**settings)
        await ann.joins(matt, password=settings.get("password", ""))
        await matt.hears("PlayerJoinEvent")
        return matt, ann

    async def playing(self, **settings: Any) -> tuple[Player, Player]:
        """The same in a running game."""
        matt, ann = await self.two(**settings)
        await start(matt, ann)
        return matt, ann

    async def lobbies(self) -> list[Any]:
        somebody = await self.enter()
        listed: list[Any] = await somebody.ask("ListLobbies")
        await somebody.socket.close()
        return listed


@asynccontextmanager
async def hall(data: Path, games: Catalogue | None = None, **settings: Any) -> AsyncIterator[Hall]:
    """With a clock that the test sets by hand. The first player to sit down leads, with the usual deal."""
    orders = {"deck": DECK, "seats": [0, 1]}
    usual: dict[str, Any] = {"listen": ("palace=127.0.0.1:0",), "test_orders": orders, "synchronous": "OFF"}
    time = ManualTime()
    async with server(data, games, time, **usual | settings) as live:
        found = Hall(live, time)
        yield found
    await found.leave()  # after the server: for its tables they have not gone, it has


async def start(owner: Player, *others: Player) -> None:
    """The owner starts; what everybody is told about it is heard and passed over."""
    await owner.send({"StartGame": owner.me})
    for player in (owner, *others):
        name, told = await player.next()
        assert name in ("GameStartedEvent", "GameStartEvent", "SpectateGameStartEvent")
        player.hand = told.get("hand", [])
        player.number = told.get("turn_number")
        await player.hears("PublicGameStateEvent")
    assert await owner.hears("StartGameResponse") == {"Ok": None}


async def set_up(*players: Player) -> Any:
    """Everybody in turn keeps the cards that lie face up. Returns the state in which play begins."""
    state = None
    for number, player in enumerate(players):
        others = [other for other in players if other is not player]
        seen = (await player.reconnects())["PublicGameStateEvent"]
        state = await player.chooses(seen["face_up_three"][number], *others)
    return state


class Player:
    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.lobby = ""
        self.id = ""
        self.number: int | None = None
        self.hand: list[Any] = []

    @property
    def me(self) -> dict[str, str]:
        return {"lobby_id": self.lobby, "player_id": self.id}

    async def send(self, message: Any) -> None:
        await self.send_bytes(json.dumps(message, ensure_ascii=False).encode())

    async def send_bytes(self, message: bytes) -> None:
        await self.socket.send(message)

    async def next(self) -> tuple[str, Any]:
        """The next message: its name and its payload."""
        async with asyncio.timeout(PATIENCE):
            message = await self.socket.recv()
        assert isinstance(message, bytes), "every message is a binary one"
        told = json.loads(message)
        if isinstance(told, str):
            return told, None
        ((name, payload),) = told.items()
        return name, payload

    async def hears(self, name: str) -> Any:
        """The payload of the next message, which must be this one."""
        got, told = await self.next()
        assert got == name, f"{got}: {told}"
        return told

    async def ask(self, message: Any) -> Any:
        """Send a request; the next message is its answer."""
        await self.send(message)
        name = message if isinstance(message, str) else next(iter(message))
        return await self.hears(f"{name}Response")

    async def closed(self) -> int | None:
        """The code with which the server closes the connection, without another word."""
        try:
            async with asyncio.timeout(PATIENCE):
                told = await self.socket.recv()
        except ConnectionClosed:
            return self.socket.close_code
        raise AssertionError(f"told instead of closed: {told!r}")

    async def silent(self) -> bool:
        """Whether nothing has been told that was not heard: the answer to a new question is the next message."""
        await self.send("ListLobbies")
        name, _ = await self.next()
        return name == "ListLobbiesResponse"

    async def opens(self, **settings: Any) -> Any:
        given = {"max_players": 4, "password": "", "lobby_name": "Lobby", "player_name": "Matt"} | settings
        answer = await self.ask({"NewLobby": given})
        self.lobby, self.id = answer["Ok"]["lobby_id"], answer["Ok"]["player_id"]
        return answer["Ok"]

    async def joins(self, host: Player, name: str = "Ann", password: str = "") -> Any:
        answer = await self.ask({"JoinLobby": {"lobby_id": host.lobby, "player_name": name, "password": password}})
        self.lobby, self.id = host.lobby, answer["Ok"]["player_id"]
        return answer["Ok"]

    async def spectates(self, host: Player) -> Any:
        self.lobby = host.lobby
        return (await self.ask({"SpectateLobby": host.lobby}))["Ok"]

    async def reconnects(self, other: Player | None = None) -> dict[str, Any]:
        """Return to one's own seat, or to the other's. What is told, by name."""
        other = other or self
        self.lobby, self.id, self.number = other.lobby, other.id, other.number
        await self.send({"Reconnect": other.me})
        told: dict[str, Any] = {}
        while "ReconnectResponse" not in told:
            name, payload = await self.next()
            told[name] = payload
        return told

    async def chooses(self, three: list[Any], *others: Player) -> Any:
        """Lay three cards face up. The others hear of it; returns the new state."""
        one, two, last = three
        chosen = {"card_one": one, "card_two": two, "card_three": last}
        return await self._acts({"ChooseFaceup": {**self.me, **chosen}}, others)

    async def plays(self, short: str, *others: Player) -> Any:
        """Play some cards, or none."""
        return await self.lays(cards(short), *others)

    async def lays(self, chosen: list[Any], *others: Player) -> Any:
        """The same, of cards as the server writes them."""
        return await self._acts({"MakePlay": {**self.me, "cards": chosen}}, others)

    async def _acts(self, turn: dict[str, Any], others: tuple[Player, ...]) -> Any:
        await self.send(turn)
        self.hand = await self.hears("HandEvent")
        state = await self.hears("PublicGameStateEvent")
        for other in others:
            assert await other.hears("PublicGameStateEvent") == state
        if state["cur_phase"] != "Complete":
            assert await self.hears(f"{next(iter(turn))}Response") == {"Ok": None}
        return state
