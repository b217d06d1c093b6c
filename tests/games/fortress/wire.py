"""Clients of Fortress' own protocol, for tests."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from croupier.games.fortress import moves as mv
from croupier.games.fortress.dialect.place_names import WRITTEN
from croupier.games.fortress.places import FIELD, Place
from croupier.games.fortress.state import State, Unit
from tests.clock import ManualTime
from tests.live import LiveHere, server

Json = dict[str, Any]
PATIENCE = 20
"""Seconds after which a message that does not come is given up: a test fails, it never hangs."""

ALICE = [
    8, 10, 14, 14, 15, 16, 16, 17, 17, 18, 19, 19, 20, 20, 21, 22, 22, 23, 23, 24, 25, 25, 26, 26, 27, 30, 31, 32, 37,
    40, 41, 50, 27, 38, 15, 36, 33, 21, 29, 18, 10, 43, 28, 24, 13, 13, 12, 12, 11, 11, 3,
]  # fmt: skip
"""Unshuffled, her first hand is 11, 11, 12, 12, 13, 13."""
BOB = [
    9, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15, 16, 16, 17, 17, 18, 18, 19, 19, 20, 20, 21, 21, 22, 22, 23, 24, 25, 25,
    26, 26, 27, 29, 32, 34, 36, 41, 44, 45, 47, 31, 37, 24, 33, 46, 42, 23, 30, 35, 27, 5,
]  # fmt: skip
"""Unshuffled, his first hand is 27, 35, 30, 23, 42, 46."""
S1, S2, M1, M2, T1, T2, D = range(7)
"""The slots of a field."""


class Client:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.seat = -1
        self.token = ""
        self.started = False
        """Whether there is a game."""
        self.bytes = b""
        """All that was ever received."""

    async def raw(self, line: bytes) -> None:
        self.writer.write(line)
        await self.writer.drain()

    async def send(self, command: str, **fields: Any) -> None:
        await self.raw(json.dumps({"COMMAND": command, **fields}).encode() + b"\n")

    async def next(self) -> Json:
        async with asyncio.timeout(PATIENCE):
            line = await self.reader.readline()
        assert line.endswith(b"\n"), f"the connection is closed: {line!r}"
        self.bytes += line
        message: Json = json.loads(line)
        self.started |= message["COMMAND"] == "GAME_INIT" or message.get("RESUMED", False)
        return message

    async def hears(self, command: str) -> Json:
        """The next message, which has to be this one."""
        message = await self.next()
        assert message["COMMAND"] == command, message
        return message

    async def until(self, command: str, **fields: Any) -> Json:
        """The next message of this kind; others before it are passed over."""
        while True:
            message = await self.next()
            if message["COMMAND"] == command and fields.items() <= message.items():
                return message

    async def error(self) -> tuple[str, str | None]:
        message = await self.hears("ERROR")
        assert message["MESSAGE"]
        return message["CODE"], message["REPLY_TO"]

    async def refused(self, command: str, **fields: Any) -> str:
        """Say something that is refused; returns the code. Nothing else is said about it."""
        code = await self.said_no(command, **fields)
        assert await self.rest() == []
        return code

    async def said_no(self, command: str, **fields: Any) -> str:
        await self.send(command, **fields)
        message = await self.next()
        own = message["COMMAND"] in (f"{command}_RESP", "LEVEL_MAGE_RESP")
        assert own or message["COMMAND"] == "ERROR", message
        assert message["MESSAGE"] and "PENDING" not in message
        assert message["SUCCESS"] is False if own else message["REPLY_TO"] == command
        return str(message["CODE"])

    async def rest(self) -> list[Json]:
        """All that was said and not heard yet. In a game it is asked for the state, since errors are counted."""
        await self.send("GET_STATE" if self.started else "BARRIER")
        told: list[Json] = []
        while True:
            message = await self.next()
            if message["COMMAND"] == "GAME_STATE" or message.get("REPLY_TO") == "BARRIER":
                return told
            told.append(message)

    async def closed(self) -> list[Json]:
        """The server closes the connection; what it said before."""
        async with asyncio.timeout(PATIENCE):
            lines = (await self.reader.read()).splitlines()
        return [json.loads(line) for line in lines]

    async def joins(self, deck: Sequence[Any] = tuple(ALICE), name: str = "alice", **fields: Any) -> Json:
        await self.send("JOIN_GAME", USERNAME=name, DECK_DATA=list(deck), **fields)
        told = await self.hears("JOIN_GAME_RESP")
        if told["SUCCESS"]:
            self.seat, self.token = told["PLAYER_ID"], told["TOKEN"]
        return told

    async def state(self) -> Json:
        await self.send("GET_STATE")
        return await self.until("GAME_STATE")


class Hall:
    """A server, its clients, and its clock."""

    def __init__(self, live: LiveHere, time: ManualTime) -> None:
        self.live = live
        self.house = live.house
        self.time = time
        self._clients: list[Client] = []

    async def enter(self, port: str = "fortress") -> Client:
        streams = await asyncio.open_connection("127.0.0.1", self.live.ports[port], limit=1 << 20)
        client = Client(*streams)
        self._clients.append(client)
        return client

    def leave(self) -> None:
        for client in self._clients:
            client.writer.transport.abort()

    @property
    def tables(self) -> list[Any]:
        return [room.table for room in self.house.rooms.values()]

    async def joined(self) -> tuple[Client, Client]:
        """Alice and bob, who have joined one game; what they were told is passed over."""
        alice, bob = await self.enter(), await self.enter()
        await alice.joins()
        await bob.joins(BOB, "bob")
        for player in (alice, bob):
            await player.until("MULLIGAN_OFFER")
        return alice, bob

    async def duel(self, turn: int = 1) -> Duel:
        """The same on this turn, which is alice's if it is odd."""
        alice, bob = await self.joined()
        duel = Duel(alice, bob, self.tables[-1])
        for player in (alice, bob):
            await player.send("GAME_START_ACCEPT")
        await duel.both("TURN_START")
        for _ in range(1, turn):
            await duel.ends_turn()
        await duel.hush()
        return duel


class Duel:
    """A game of two clients in its main part. Its position can be arranged, behind their backs."""

    def __init__(self, alice: Client, bob: Client, table: Any) -> None:
        self.alice = alice
        self.bob = bob
        self.players = (alice, bob)
        self.table = table

    @property
    def position(self) -> State:
        state: State = self.table.state
        return state

    async def ends_turn(self) -> None:
        """Whose turn it is draws if need be, and is done with it."""
        await self.hush()
        active, other = self.players[self.position.active], self.players[1 - self.position.active]
        if self.position.must_draw:
            await self.draws()
        await active.send("TURN_END")
        for player in (active, other):
            await player.until("TURN_START")

    async def draws(self) -> None:
        active, other = self.players[self.position.active], self.players[1 - self.position.active]
        await active.send("DRAW_CARD")
        await other.until("DRAW_CARD_RESP", PENDING=True)
        await other.send("ALLOW_ACTION")
        await self.hush()

    async def hush(self) -> None:
        for player in self.players:
            await player.rest()

    def hand(self, seat: int, *cards: int) -> None:
        side = self.position.sides[seat]
        side.hand = list(cards)
        side.clues, side.fewer = [(1 << 59) - 1] * len(cards), [0] * len(cards)

    def put(self, seat: int, slot: int, card: int, **traits: Any) -> None:
        """A card on the field that has been there since the turn before last."""
        state = self.position
        state.serials += 1
        usual: Json = {"entered": state.turn - 2, "level": int(slot in (M1, M2)), "face_down": slot in (T1, T2)}
        state.sides[seat].field[slot] = Unit(card, seat, state.serials, **{**usual, **traits})

    async def both(self, command: str) -> tuple[Json, Json]:
        return await self.alice.until(command), await self.bob.until(command)


@asynccontextmanager
async def hall(data: Path, **settings: Any) -> AsyncIterator[Hall]:
    """With a clock that the test sets by hand, and decks as they are brought; player 0 begins."""
    ports = ("fortress=127.0.0.1:0", "fortress-reference=127.0.0.1:0", "fortress-lan=127.0.0.1:0")
    usual: Json = {"listen": ports, "synchronous": "OFF", "test_no_shuffle": True, "test_first": 0}
    time = ManualTime()
    async with server(data, time=time, **usual | settings) as live:
        found = Hall(live, time)
        yield found
    found.leave()  # after the server: for its tables they have not gone, it has


class Questioner(asyncio.DatagramProtocol):
    def __init__(self) -> None:
        self.heard: asyncio.Queue[bytes] = asyncio.Queue()

    def datagram_received(self, data: bytes, address: object) -> None:
        self.heard.put_nowait(data)


async def asked(port: int, *questions: bytes, address: str = "127.0.0.1") -> bytes:
    """Ask by UDP, one after the other; the first answer that comes. As a client does, the last question is asked again
    and again: a datagram may get lost, and a server that is kept busy drops it."""
    loop = asyncio.get_running_loop()
    transport, questioner = await loop.create_datagram_endpoint(Questioner, ("127.0.0.1", 0), allow_broadcast=True)
    try:
        for question in questions:
            transport.sendto(question, (address, port))
        async with asyncio.timeout(PATIENCE):
            while True:
                with suppress(TimeoutError):
                    async with asyncio.timeout(1):
                        return await questioner.heard.get()
                transport.sendto(questions[-1], (address, port))
    finally:
        transport.close()


def spoken(move: mv.AnyMove, seat: int, state: State) -> Json:
    """A move as its player says it."""
    where = WRITTEN[seat]
    match move:
        case mv.Mulligan():
            return {"COMMAND": "GAME_START_MULLIGAN"}
        case mv.AcceptHand():
            return {"COMMAND": "GAME_START_ACCEPT"}
        case mv.ReturnCard(place):
            return {"COMMAND": "RETURN_CARD", "START_POS": where[place]}
        case mv.DrawCard():
            return {"COMMAND": "DRAW_CARD"}
        case mv.PlayCard(start, end):
            card = state.sides[seat].hand[start.number - 1]
            return {"COMMAND": "PLAY_CARD", "START_POS": where[start], "END_POS": where[end], "CARD_ID": card}
        case mv.AttackCard(attacker, target):
            return {"COMMAND": "ATTACK_CARD", "ATTACKER": where[attacker], "TARGET": where[target]}
        case mv.LevelMage(mage):
            return {"COMMAND": "LEVEL_MAGE", "TARGET": where[mage]}
        case mv.UseAbility(place, responds_to):
            return {"COMMAND": "USE_ABILITY", "CARD_POS": where[place], "RESPONDS_TO": responds_to}
        case mv.EndTurn():
            return {"COMMAND": "TURN_END"}
        case mv.AllowAction():
            return {"COMMAND": "ALLOW_ACTION"}
        case mv.ActivateTrickster(place, responds_to, more):
            about = {"TARGET": where[place], "RESPONDS_TO": responds_to, "MORE": more}
            return {"COMMAND": "ACTIVATE_TRICKSTER", **about}
        case mv.ChooseCard(chosen):
            return {"COMMAND": "TARGET_CARD_RESP", "CARD_POS": None if chosen is None else where[chosen]}
        case mv.Answer(yes):
            return _answer(yes, seat, state)
    raise AssertionError(f"nobody says {move}")


def _answer(yes: bool, seat: int, state: State) -> Json:
    assert state.request is not None
    match state.request.kind:
        case "draw":
            return {"COMMAND": "DRAW_CARD" if yes else "DRAW_CARD_OFFER_IGNORE"}
        case "level":
            assert state.request.place is not None
            return {"COMMAND": "LEVEL_MAGE_RESP", "TARGET": WRITTEN[seat][state.request.place], "OPT": yes}
    return {"COMMAND": "DIAG_RESP", "BOOL": yes}


def slot_name(slot: int, mine: bool = True) -> str:
    place: Place = FIELD[0][slot]
    return WRITTEN[0 if mine else 1][place]
