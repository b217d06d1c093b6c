"""Clients of Cambia's own protocol, for tests; decks that are stacked, and games that have gone on for some turns."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from croupier.games.cambia.cards import FACES, SPECIAL
from croupier.games.cambia.dialect.messages import LONG
from croupier.kernel import Rig
from tests.clock import ManualTime
from tests.live import LiveHere, server

Json = dict[str, Any]
PATIENCE = 20
"""Seconds after which a message that does not come is given up: a test fails, it never hangs."""

ANN = ["5♥", "Q♣", "2♠", "9♦"]
BEN = ["K♦", "8♣", "3♥", "J♠"]
CLEO = ["A♠", "9♥", "6♦", "10♦"]
DEFAULTS: Json = {"gameMode": "custom", "settings": {"countdownSec": 0}, "houseRules": {}}
DEADLINES = ("turnDeadline", "serverNow", "deadline")


def stacked(hands: Sequence[Sequence[str]], flip: str, *draws: str, turns: int = 0) -> list[str]:
    """A deck that deals these hands, turns this card over, and then lets these be drawn, after so many other turns."""
    dealt = [hand[number] for number in range(len(hands[0])) for hand in hands]
    rest = [face for face in FACES if face not in (*dealt, flip, *draws)]
    rest.sort(key=lambda face: face in SPECIAL)
    return [*dealt, flip, *rest[:turns], *draws]


class Response(NamedTuple):
    status: int
    body: bytes
    headers: Any

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def _ask(request: Request) -> Response:
    try:
        with urlopen(request, timeout=PATIENCE) as found:
            return Response(found.status, found.read(), found.headers)
    except HTTPError as found:
        return Response(found.code, found.read(), found.headers)


class Socket:
    """A WebSocket of a client, whose messages are JSON."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    async def send(self, kind: str, **members: Any) -> None:
        await self.connection.send(json.dumps({"type": kind, **members}))

    async def send_raw(self, message: str | bytes) -> None:
        await self.connection.send(message)

    async def next(self) -> Json:
        async with asyncio.timeout(PATIENCE):
            message = await self.connection.recv()
        assert isinstance(message, str), "every message is text"
        told: Json = json.loads(message)
        return told

    async def hears(self, *kinds: str) -> Json:
        """The next messages, which must be of these types. Returns the last one."""
        told: Json = {}
        for kind in kinds:
            told = await self.next()
            assert told["type"] == kind, f"instead of {kind}: {told}"
        return told

    async def until(self, kind: str) -> Json:
        """The next message of this type; others are passed over."""
        while True:
            told = await self.next()
            if told["type"] == kind:
                return told

    async def refused(self, code: str, kind: str, **members: Any) -> Json:
        """Ask for something, and be refused with this code."""
        await self.send(kind, **members)
        return await self.hears_refusal(code)

    async def hears_refusal(self, code: str) -> Json:
        told = await self.next()
        found = told["payload"]["code"] if told["type"] == "private_special_action_fail" else told.get("code")
        assert found == code, f"instead of {code}: {told}"
        return told

    async def rest(self) -> list[Json]:
        """All that has been told and not been heard: what comes before the answer to a ping."""
        await self.send("ping")
        found = []
        while (told := await self.next())["type"] != "pong":
            found.append(told)
        return found

    async def silent(self) -> bool:
        return not await self.rest()

    async def closed(self) -> int | None:
        """The code with which the server closes the connection, without another word."""
        try:
            async with asyncio.timeout(PATIENCE):
                told = await self.connection.recv()
        except ConnectionClosed:
            return self.connection.close_code
        raise AssertionError(f"told instead of closed: {told!r}")

    async def close(self) -> None:
        await self.connection.close()


class Person:
    """Somebody with an id; with a socket for the lobby and one for the game."""

    def __init__(self, hall: Hall, told: Json) -> None:
        self._hall = hall
        self.id: str = told["id"]
        self.name: str = told["username"]
        self.token: str = told["token"]
        self.lobby: Socket
        self.game: Socket

    @property
    def me(self) -> Json:
        return {"id": self.id}

    async def enter_lobby(self, **changes: Any) -> Socket:
        self.lobby = await self._hall.socket(f"/lobby/ws/{self._hall.lobby}", self, "lobby", **changes)
        return self.lobby

    async def enter_game(self, query: str = "", **changes: Any) -> Socket:
        self.game = await self._hall.socket(f"/game/ws/{self._hall.game}{query}", self, "game", **changes)
        return self.game

    async def sync(self) -> Json:
        await self.game.send("request_sync")
        state: Json = (await self.game.until("private_sync_state"))["state"]
        return state

    async def hand(self, whose: Person | None = None) -> list[str]:
        """The ids of somebody's cards."""
        whose = whose or self
        players = (await self.sync())["players"]
        return next([card["id"] for card in p["revealedHand"]] for p in players if p["playerId"] == whose.id)


class Hall:
    """A server with Cambia on a port of its own, its people, and one lobby."""

    def __init__(self, live: LiveHere, time: ManualTime | None = None) -> None:
        self.live = live
        self.house = live.house
        self.time = time or ManualTime()
        self.people: list[Person] = []
        self.lobby = ""
        self.game = ""
        self._sockets: list[Socket] = []

    async def guest(self, name: str) -> Person:
        person = Person(self, (await self.ask("POST", "/user/guest", body={"username": name})).json)
        self.people.append(person)
        return person

    async def ask(
        self, method: str, path: str, person: Person | None = None, body: Any = None, **headers: str
    ) -> Response:
        """An HTTP request. The body is sent as JSON, or as it is."""
        if person is not None:
            headers["Authorization"] = f"Bearer {person.token}"
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        url = f"http://127.0.0.1:{self.live.ports['cambia']}{path}"
        return await asyncio.to_thread(_ask, Request(url, data, headers, method=method))

    async def socket(
        self, path: str, person: Person | None = None, subprotocol: str | None = None, **changes: Any
    ) -> Socket:
        headers = {"Cookie": f"auth_token={person.token}"} if person else {}
        protocols: Any = [subprotocol] if subprotocol else None
        url = self.live.own("cambia", path)
        given: Json = {"additional_headers": headers, "subprotocols": protocols, "compression": None, "max_queue": None}
        socket = Socket(await connect(url, **given | changes))
        self._sockets.append(socket)
        return socket

    async def turned_away(self, path: str, person: Person | None = None) -> int:
        """The status with which a WebSocket is refused."""
        try:
            await self.socket(path, person)
        except InvalidStatus as refused:
            return refused.response.status_code
        raise AssertionError(f"{path} let somebody in")

    async def leave(self) -> None:
        await asyncio.gather(*(socket.close() for socket in self._sockets))

    async def gather(self, *names: str, **settings: Any) -> list[Person]:
        """People in a lobby; the first is its host. All that was told on the way is heard."""
        people = [await self.guest(name) for name in names]
        created = await self.ask("POST", "/lobby/create", people[0], DEFAULTS | settings)
        assert created.status == 200, created.body
        self.lobby = created.json["id"]
        for person in people:
            await person.enter_lobby()
        await self.settle(*(person.lobby for person in people))
        return people

    async def settle(self, *sockets: Socket) -> None:
        """Everybody has heard everything. Whoever came later may have caused something for those before."""
        for _ in range(2):
            for socket in sockets:
                await socket.rest()

    async def start(self, *people: Person) -> None:
        """All are ready, the game starts, all have their game sockets, and are having the first look."""
        for person in people:
            await person.lobby.send("ready")
        for person in people:
            self.game = (await person.lobby.until("game_start"))["game_id"]
        for person in people:
            await person.enter_game()
        for person in people:
            await person.game.until("private_initial_cards")

    async def play(self, *people: Person) -> None:
        """The same, and the first look is over: it is the first player's turn."""
        await self.start(*people)
        await self.time.to_pass(10)
        for person in people:
            await person.game.until("game_player_turn")

    async def turns(self, number: int, *people: Person) -> None:
        """So many turns in which somebody draws a card and throws it away. The others hear of it."""
        for turn in range(number):
            await self.throws(people[turn % len(people)], *people)

    async def throws(self, player: Person, *people: Person) -> None:
        await player.game.send("action_draw_stockpile")
        drawn = await player.game.until("private_draw_stockpile")
        await player.game.send("action_discard", card={"id": drawn["card"]["id"]})
        await player.game.hears("player_discard")
        told = await player.game.next()
        if told["type"] == "player_special_choice":
            await player.game.send("action_special", special="skip")
            await player.game.hears("player_special_action", "game_player_turn")
        for person in people:
            if person is not player:
                await person.game.until("game_player_turn")

    async def throws_last(self, player: Person) -> None:
        """The last turn of a game: draw, throw away, and use no special."""
        await player.game.send("action_draw_stockpile")
        drawn = await player.game.until("private_draw_stockpile")
        await player.game.send("action_discard", card={"id": drawn["card"]["id"]})
        if drawn["card"]["rank"] in {LONG[face]["rank"] for face in SPECIAL}:
            await player.game.send("action_special", special="skip")

    async def playing(
        self, *hands: Sequence[str], flip: str = "10♥", draws: Sequence[str] = (), turns: int = 0, **rules: Any
    ) -> list[Person]:
        """Ann, Ben and maybe others in a game with these hands, after so many turns."""
        hands = hands or (ANN, BEN)
        self.stack(stacked(hands, flip, *draws, turns=turns))
        people = await self.gather(*["Ann", "Ben", "Cleo", "Dan", "Eve"][: len(hands)], houseRules=rules)
        await self.play(*people)
        await self.turns(turns, *people)
        return people

    def stack(self, deck: Sequence[str], first: int = 0) -> None:
        self.house.settings = replace(self.house.settings, rig=Rig(orders={"deck": list(deck), "first": [first]}))


@asynccontextmanager
async def hall(data: Path, time: ManualTime | None = None, **settings: Any) -> AsyncIterator[Hall]:
    """With a clock that the test sets by hand; after a restart, the same that there was before."""
    time = time or ManualTime()
    usual: Json = {"listen": ("cambia=127.0.0.1:0",), "synchronous": "OFF"}
    async with server(data, time=time, **usual | settings) as live:
        found = Hall(live, time)
        try:
            yield found
        finally:
            await found.leave()


class Building:
    """Where a server is, and another after it: with the same journal, by the same clock."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._time = ManualTime()
        self._stack = AsyncExitStack()

    async def open(self, **settings: Any) -> Hall:
        return await self._stack.enter_async_context(hall(self._data, self._time, **settings))

    async def restart(self, old: Hall, **settings: Any) -> Hall:
        """The server goes down, with everybody connected, and comes back. It is the people who have to come again."""
        old._sockets.clear()
        await self._stack.aclose()
        new = await self.open(**settings)
        new.lobby, new.game, new.people = old.lobby, old.game, old.people
        for person in new.people:
            person._hall = new
        return new

    async def close(self) -> None:
        await self._stack.aclose()


def without_times(told: Any) -> Any:
    """A message without what depends on the clock."""
    if isinstance(told, dict):
        return {key: without_times(value) for key, value in told.items() if key not in DEADLINES}
    return [without_times(one) for one in told] if isinstance(told, list) else told
