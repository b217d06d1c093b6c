"""People who play on whatever happens to the server, and keep a ledger of what they were told.

Another dialect takes another ``Person``: how to sit down and come back, and what to say when it is their turn.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from random import Random
from typing import Any, ClassVar

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, WebSocketException

from tests.chaos.ledger import Json, Ledger, written
from tests.games.palace.wire import SUITS, VALUES

LOST = (WebSocketException, InvalidHandshake, OSError, EOFError, TimeoutError)

OPTIONS: Mapping[str, Json] = {
    "palace": {"turn_timer": 5},
    "coup": {
        "min_wait_ms": 0, "response_timeout_ms": 1000, "choice_timeout_ms": 2000, "turn_timeout_ms": 2000,
        "auto_kick_ms": 10_000,
    },
    "faraway": {"action_timeout": 5},
    "cambia": {"turn_timer_sec": 3, "pre_game_sec": 0, "snap_give_sec": 1},
}  # fmt: skip
"""So that nobody waits long for somebody who does not come back. Other games are played as they are."""


class Party:
    """Some people who want to play together: at one table, and after some games at another."""

    def __init__(self, game: str, port: int, dice: Random, pause: float, games: int) -> None:
        self.game = game
        self.port = port
        self.dice = dice
        self.pause = pause
        """Seconds between two moves of one person, on average."""
        self.games = games
        self.people: list[Person] = []
        self.table = ""
        """Where they meet; empty until the host has opened it."""
        self.generation = 0
        self.progress = 0
        """Moves that were acknowledged."""
        self.left: list[tuple[str, list[Ledger]]] = []
        """Tables they are done with, and what they know of them."""

    @property
    def host(self) -> Person:
        return self.people[0]

    def move_on(self) -> None:
        """Enough of this table."""
        if self.table:
            self.left.append((self.table, [person.ledger for person in self.people]))
        self.table = ""
        self.generation += 1


class Person:
    """Somebody with a connection that they open again whenever it is lost."""

    path: ClassVar[str] = ""
    keyed: ClassVar[bool] = False

    def __init__(self, party: Party) -> None:
        self.party = party
        self.number = len(party.people)
        party.people.append(self)
        self.generation = -1
        self.seated = False
        self.attempts = 0
        self.name = ""
        self.ledger = Ledger("")
        self.socket: ClientConnection

    async def live(self) -> None:
        """For ever."""
        while True:
            with suppress(*LOST):
                if self.generation != self.party.generation:
                    self.generation, self.seated = self.party.generation, False
                    self.renew()
                await self.visit()
            await asyncio.sleep(self.party.dice.uniform(0.02, 0.2))

    def renew(self) -> None:
        """At a table where nobody has seen them yet."""
        self.attempts += 1
        self.name = f"p{self.number} {self.attempts}"
        self.ledger = Ledger(self.name)
        self.ledger.keyed = self.keyed

    async def visit(self) -> None:
        """One connection: sit down or come back, and play until it is lost."""
        if self is not self.party.host and not self.party.table:
            return
        url = f"ws://127.0.0.1:{self.party.port}{self.path.format(table=self.party.table)}"
        async with connect(url, open_timeout=5, close_timeout=0.2, ping_interval=None, max_queue=None) as self.socket:
            await self.play()

    async def play(self) -> None:
        raise NotImplementedError

    async def said(self) -> Any:
        async with asyncio.timeout(30):
            return json.loads(await self.socket.recv())

    async def think(self) -> None:
        await asyncio.sleep(self.party.dice.expovariate(1 / self.party.pause) if self.party.pause else 0)

    def acknowledged(self, move: str) -> None:
        self.ledger.acknowledged[move] += 1
        self.party.progress += 1


class Refusal(Exception):
    pass


class Native(Person):
    """Any move that is offered, each with a key; one whose answer was lost is sent again with the same key."""

    path = "/ws"
    keyed = True

    def __init__(self, party: Party, bots: int = 0) -> None:
        super().__init__(party)
        self.bots = bots
        self.token = ""
        self.table: Json = {}
        self.moves: list[Json] = []
        self.seat: int | None = None
        self.unanswered: Json | None = None
        self._requests = 0

    def renew(self) -> None:
        super().renew()
        self.unanswered = None

    async def play(self) -> None:
        await self.said()  # the welcome
        try:
            await self.arrive()
        except Refusal as refusal:
            # The seat is gone: kicked out of the lobby, or the table was closed meanwhile.
            if refusal.args[0] in ("no_such_seat", "no_such_table", "kicked", "started", "full"):
                self.seated = False
                if self is self.party.host:
                    self.party.move_on()
                elif refusal.args[0] != "no_such_table":
                    self.renew_name()
                await asyncio.sleep(0.1)
                return
        while self.generation == self.party.generation:
            wish = self.wish()
            if wish is None:
                await self.hear()
            else:
                with suppress(Refusal):
                    await self.fulfil(wish)
        with suppress(Refusal):
            await self.ask({"type": "leave"})

    def renew_name(self) -> None:
        """Sit down anew at the same table: what was told before still holds."""
        self.attempts += 1
        self.name = f"p{self.number} {self.attempts}"

    async def arrive(self) -> None:
        party = self.party
        if self.seated:
            await self.ask({"type": "return", "table": party.table, "token": self.token})
        elif self is party.host:
            seats = len(party.people) + self.bots
            opened = {"type": "open", "game": party.game, "player": self.name, "seats": seats}
            await self.ask({**opened, "options": OPTIONS.get(party.game, {})})
            party.table = self.table["id"]
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
            return {"type": "play", "move": move, "key": f"{self.name} {self._requests} {self.table['id']}"}
        return self.wish_of_host() if self.table["host"] == self.seat else None

    def wish_of_host(self) -> Json | None:
        table = self.table
        if table["phase"] == "playing":
            return None
        if table["games"] >= self.party.games and self is self.party.host:
            self.party.move_on()
            return None
        if table["phase"] == "over":
            return {"type": "reopen"}
        gone = [player for player in table["players"] if player.get("away")]
        if gone:
            return {"type": "kick", "seat": gone[0]["seat"]}
        bots = sum("bot" in player for player in table["players"])
        if bots < self.party.host.bots:  # type: ignore[attr-defined]
            return {"type": "add_bots", "count": self.party.host.bots - bots}  # type: ignore[attr-defined]
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
        self._requests += 1
        await self.socket.send(json.dumps({**request, "id": self._requests}))
        while (reply := await self.hear()).get("id") != self._requests or reply["type"] != "reply":
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


class OfPalace(Person):
    """Palace's own protocol: keeps the cards that lie face up, and plays the first that fits."""

    path = "/palace"

    async def play(self) -> None:
        self.ids: Json
        self.asked: list[str] = []
        self.hand: list[Json] = []
        self.turn = -1
        if self.seated:
            await self.say("Reconnect", self.ids)
        else:
            await self.say("JoinLobby", {"lobby_id": self.party.table, "player_name": self.name, "password": ""})
        while self.generation == self.party.generation:
            said = await self.said()
            if isinstance(said, str):
                return
            ((name, content),) = said.items()
            match name:
                case "JoinLobbyResponse" if "Ok" in content:
                    self.ids = {"lobby_id": self.party.table, "player_id": content["Ok"]["player_id"]}
                    self.seated = True
                case "JoinLobbyResponse" | "LobbyCloseEvent":
                    self.seated = self.seated and content == "Afk"
                    return
                case "ReconnectResponse" if "Err" in content:
                    self.seated = False
                    return
                case "GameStartedEvent" | "GameStartEvent":
                    self.hand, self.turn = content["hand"], content["turn_number"]
                case "HandEvent":
                    self.hand = content
                case "PublicGameStateEvent" if content["active_player"] == self.turn:
                    await self.act(content)
                case "ChooseFaceupResponse" | "MakePlayResponse":
                    # After a burn the next move may be under way when this one is answered.
                    asked = self.asked.pop(0)
                    if "Ok" in content:
                        self.acknowledged(asked)

    async def act(self, state: Json) -> None:
        if state["cur_phase"] == "Complete":
            return
        await self.think()
        face_up = state["face_up_three"][self.turn]
        if state["cur_phase"] == "Setup":
            cards = face_up
            names = dict(zip(("card_one", "card_two", "card_three"), cards, strict=True))
            await self.say("ChooseFaceup", self.ids | names, cards)
        else:
            zone, top = self.hand or face_up, state["top_card"]
            ranks = list(VALUES.values())
            fits = [card for card in zone if top is None or ranks.index(card["value"]) >= ranks.index(top["value"])]
            cards = (fits or zone)[:1]
            await self.say("MakePlay", {**self.ids, "cards": cards}, cards)

    async def say(self, name: str, content: Json, cards: list[Json] | None = None) -> None:
        if cards is not None:
            short = [RANKS[card["value"]] + SIGNS[card["suit"]] for card in cards]
            move = {"move": "choose" if name == "ChooseFaceup" else "play", "cards": short}
            self.asked.append(written(move))
            self.ledger.sent[self.asked[-1]] += 1
        await self.socket.send(json.dumps({name: content}).encode())


RANKS = {name: rank for rank, name in VALUES.items()}
SIGNS = {name: sign for sign, name in SUITS.items()}


class OfCoup(Person):
    """Coup's own protocol: takes an income until a coup can be paid for, and never answers anybody."""

    path = "/coup/v1?table={table}"

    async def play(self) -> None:
        self.asked = ""
        await self.say("PLAYER_JOIN_GAME")
        while self.generation == self.party.generation:
            said = await self.said()
            data = said["data"]
            mine = data.get("playerName") == self.name
            match said["event"]:
                case "USERNAME_TAKEN":
                    return
                case "ERROR" if data["code"] == "GAME_STARTED":
                    await asyncio.sleep(0.5)
                    return
                case "WELCOME":
                    self.seated = True
                case "nextTurn" if data["currentPlayerName"] == self.name:
                    await self.say("GET_STATE")
                case "GAME_RESUMED" | "PLAYER_LOSE_CARD":
                    await self.say("GET_STATE")
                case "GAME_STATE" if not data["paused"]:
                    await self.act(data)
                case "CONFIRM_ACTION" | "revealCards" if mine and self.asked:
                    self.acknowledged(self.asked)
                    self.asked = ""
                case "NEW_GAME" | "ERROR":
                    self.asked = ""

    async def act(self, state: Json) -> None:
        await self.think()
        if state["phase"] == "AWAITING_ACTION" and state["currentPlayerName"] == self.name:
            mine = next(player for player in state["players"] if player["playerName"] == self.name)
            others = [p for p in state["players"] if not p["isOut"] and p is not mine]
            if mine["coins"] >= 7:
                target = others[0]
                move = {"move": "propose", "action": "coup", "target": state["players"].index(target)}
                await self.say("PROPOSE_ACTION", move, action="COUP", targetPlayer=target["playerName"])
            else:
                await self.say("PROPOSE_ACTION", {"move": "propose", "action": "income"}, action="INCOME")
        elif state["losing"] is not None and state["losing"]["playerName"] == self.name:
            card = state["you"]["cards"][0]
            await self.say("PLAYER_LOSE_CARD", {"move": "lose", "card": card.lower()}, card=card)

    async def say(self, event: str, move: Json | None = None, **data: Any) -> None:
        if move is not None:
            self.asked = written(move)
            self.ledger.sent[self.asked] += 1
        await self.socket.send(json.dumps({"event": event, "user": self.name, "data": data}))


SPEAKERS: Mapping[str, type[Person]] = {"palace": OfPalace, "coup": OfCoup}
"""By game: who speaks its own protocol."""
