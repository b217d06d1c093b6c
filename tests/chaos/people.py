"""People who play on whatever happens to the server, and keep a ledger of what they were told.

Another protocol takes another ``Person``: how to sit down and come back, and what to say when it is their turn. Here is
the native one; ``speakers`` has those of the games.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Any, ClassVar

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, WebSocketException

from tests.chaos.ledger import Json, Ledger
from tests.live import Live

SILENT = 12.0
"""Seconds after which somebody who hears nothing at all connects again, as one does who sees no others at a table."""
LOST = (WebSocketException, InvalidHandshake, OSError, EOFError, TimeoutError)

OPTIONS: Mapping[str, Json] = {
    "palace": {"turn_timer": 5},
    "coup": {
        "min_wait_ms": 0, "response_timeout_ms": 1000, "choice_timeout_ms": 2000, "turn_timeout_ms": 2000,
        "auto_kick_ms": 10_000,
    },
    "faraway": {"action_timeout": 5},
    "cambia": {"turn_timer_sec": 3, "pre_game_sec": 0, "snap_give_sec": 1},
    "fortress": {"mulligan_timeout": 5, "response_timeout": 3, "choice_timeout": 5, "turn_timeout": 5},
}  # fmt: skip
"""So that nobody waits long for somebody who does not come back. Other games are played as they are."""


class Party:
    """Some people who want to play together: at one table, and after some games at another."""

    def __init__(self, name: str, game: str, servers: Sequence[Live], dice: Random, pause: float, games: int) -> None:
        self.name = name
        self.game = game
        self.servers = servers
        """The one that there is, or the nodes of a house."""
        self.dice = dice
        self.pause = pause
        """Seconds between two moves of one person, on average."""
        self.games = games
        self.people: list[Person] = []
        self.open = asyncio.Event()
        """Whether there is a server: it is quicker when nobody knocks at its door while it gets up."""
        self.table = ""
        """Where they meet; empty until the host has opened it."""
        self.code = ""
        self.generation = 0
        self.made: Counter[str] = Counter()
        """Moves that were acknowledged, by what their players speak."""
        self.left: list[tuple[str, list[Ledger]]] = []
        """Tables they are done with, and what they know of them."""

    @property
    def progress(self) -> int:
        return self.made.total()

    @property
    def host(self) -> Person:
        return self.people[0]

    def move_on(self) -> None:
        """Enough of this table."""
        if self.table:
            # Somebody may not have noticed yet that the others are at another table.
            there = [person.ledger for person in self.people if person.generation == self.generation]
            self.left.append((self.table, there))
        self.table = self.code = ""
        self.generation += 1


class Person:
    """Somebody with a connection that they open again whenever it is lost."""

    path: ClassVar[str] = ""
    keyed: ClassVar[bool] = False
    finds: ClassVar[bool] = True
    """Whether they can be told where to meet; others have to be there first."""
    bots: int = 0
    """That are to play too, where they are the host."""
    speaks: ClassVar[str] = "its own"

    def __init__(self, party: Party) -> None:
        self.party = party
        self.number = len(party.people)
        party.people.append(self)
        self.generation = -1
        self.seated = False
        self.attempts = 0
        self.requests = 0
        self.name = ""
        self.token = ""
        self.ledger = Ledger(self.keyed)
        self.server = self.number
        """Which one of them is asked next: everybody begins at another."""
        self.socket: ClientConnection

    @property
    def at(self) -> Live:
        return self.party.servers[self.server % len(self.party.servers)]

    async def live(self) -> None:
        """For ever."""
        while True:
            await self.party.open.wait()
            with suppress(*LOST):
                if self.generation != self.party.generation:
                    self.generation, self.seated = self.party.generation, False
                    self.renew()
                await self.visit()
            self.server += 1
            await asyncio.sleep(self.party.dice.uniform(0.02, 0.2))

    def renew(self) -> None:
        """At a table where nobody has seen them yet."""
        self.ledger = Ledger(self.keyed)
        self.renew_name()

    def renew_name(self) -> None:
        """Sit down anew at the same table: what was told before still holds."""
        self.attempts += 1
        self.called(f"p{self.party.name} {self.number} {self.attempts}")

    def called(self, name: str) -> None:
        self.name = name
        self.ledger.names.append(name)

    async def visit(self) -> None:
        """One connection: sit down or come back, and play until it is lost."""
        if self is not self.party.host and not self.party.table:
            return
        url = self.at.ws(self.where())
        async with connect(url, open_timeout=5, close_timeout=0.2, ping_interval=None, max_queue=None) as self.socket:
            await self.play()

    def where(self) -> str:
        return self.path.format(table=self.party.table)

    async def play(self) -> None:
        raise NotImplementedError

    def tear(self) -> None:
        """The connection is gone, without a word."""
        self.socket.transport.abort()

    async def said(self) -> Any:
        async with asyncio.timeout(SILENT):
            return json.loads(await self.socket.recv())

    async def think(self) -> None:
        await asyncio.sleep(self.party.dice.expovariate(1 / self.party.pause) if self.party.pause else 0)

    def acknowledged(self, move: str) -> None:
        self.ledger.acknowledged[move] += 1
        self.party.made[self.speaks] += 1


class Refusal(Exception):
    pass


class Native(Person):
    """Any move that is offered, each with a key; one whose answer was lost is sent again with the same key."""

    path = "/ws"
    keyed = True
    speaks = "native"

    def __init__(self, party: Party, bots: int = 0) -> None:
        super().__init__(party)
        self.bots = bots
        self.table: Json = {}
        self.moves: list[Json] = []
        self.seat: int | None = None
        self.unanswered: Json | None = None

    def renew(self) -> None:
        super().renew()
        self.unanswered = None

    async def play(self) -> None:
        await self.said()  # the welcome
        if self.generation != self.party.generation:
            return
        try:
            await self.arrive()
        except Refusal as refusal:
            if refusal.args[0] == "unavailable":
                return  # and come again
            # The seat is gone: kicked out of the lobby, or the table was closed meanwhile.
            if refusal.args[0] not in ("no_such_seat", "no_such_table", "kicked", "started", "full", "name_taken"):
                raise
            self.seated = False
            if self is self.party.host:
                self.party.move_on()
            elif refusal.args[0] != "no_such_table":
                self.renew_name()
            await asyncio.sleep(0.1)
            return
        while self.generation == self.party.generation:
            if self.table["phase"] == "closed":  # its host was taken for absent when the game ended
                self.seated = False
                if self is self.party.host:
                    self.party.move_on()
                return
            wish = self.wish()
            if wish is None and self.generation == self.party.generation:
                await self.hear()
            elif wish is not None:
                with suppress(Refusal):
                    await self.fulfil(wish)
        with suppress(Refusal):
            await self.ask({"type": "leave"})

    async def arrive(self) -> None:
        party = self.party
        if self.seated:
            await self.ask({"type": "return", "table": party.table, "token": self.token})
        elif self is party.host:
            seats = len(party.people) + self.bots
            opened = {"type": "open", "game": party.game, "player": self.name, "seats": seats}
            await self.ask({**opened, "options": OPTIONS.get(party.game, {})})
            party.table, party.code = self.table["id"], self.table["code"]
        else:
            await self.ask({"type": "join", "table": party.table, "player": self.name})
        self.seated = True
        if self.unanswered is not None:
            with suppress(Refusal):
                await self.fulfil(self.unanswered)

    def wish(self) -> Json | None:
        """What to ask for now."""
        if self.moves and self.table["phase"] == "playing":
            # In Cambia one may snap at any time; who always does so never sees the end of it.
            sober = [move for move in self.moves if move["move"] != "snap"] or self.moves
            move = self.party.dice.choice(sober)
            return {"type": "play", "move": move, "key": f"{self.name} {self.requests} {self.table['id']}"}
        if self.table["phase"] == "playing":
            return None
        # The table may have another host by now, who was there when its own was not.
        if self.table["games"] >= self.party.games and self is self.party.host:
            self.party.move_on()
            return None
        return self.wish_of_host() if self.table["host"] == self.seat else None

    def wish_of_host(self) -> Json | None:
        table = self.table
        if table["phase"] == "over":
            return {"type": "reopen"}
        gone = [player for player in table["players"] if player.get("away")]
        if gone:
            return {"type": "kick", "seat": gone[0]["seat"]}
        bots = sum("bot" in player for player in table["players"])
        if bots < self.party.host.bots:
            return {"type": "add_bots", "count": self.party.host.bots - bots}
        return {"type": "start"} if len(table["players"]) == table["seats"] else None

    async def fulfil(self, wish: Json) -> None:
        if wish["type"] == "play":
            if wish is not self.unanswered:
                await self.think()
            self.unanswered = wish
            self.ledger.sent[wish["key"]] += 1
        try:
            await self.ask(wish)
        except Refusal:
            self.moves, self.unanswered = [], None
            await asyncio.sleep(0.05)
            await self.ask({"type": "see"})
        else:
            if wish["type"] == "play":
                self.unanswered = None
                self.acknowledged(wish["key"])

    async def ask(self, request: Json) -> None:
        self.requests += 1
        await self.socket.send(json.dumps({**request, "id": self.requests}))
        while (reply := await self.hear()).get("id") != self.requests or reply["type"] != "reply":
            pass
        if "error" in reply:
            raise Refusal(reply["error"]["code"])

    async def hear(self) -> Json:
        told: Json = await self.said()
        if told["type"] == "fact":
            if told["entry"]["entry"] == "started":
                self.seat = told.get("seat")
            self.ledger.fact(self.seat, told)
            self.table = told.get("table", self.table)
            self.moves = told.get("moves", [])
        elif sync := told.get("sync"):
            self.table, self.moves, self.seat = sync["table"], sync["moves"], sync["seat"]
            self.token = told.get("token", self.token)
            self.ledger.sync(sync)
        return told
