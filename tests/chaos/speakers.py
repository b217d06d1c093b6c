"""People who speak their games' own protocols, and keep a ledger all the same.

Those have no keys for moves: what is known is which moves were asked for, and which of them were answered as done.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from croupier.games.cambia.dialect.ids import lobby_id
from croupier.games.fortress import moves as mv
from croupier.games.fortress.dialect.place_names import READ
from tests.chaos.ledger import Json, plain, written
from tests.chaos.people import SILENT, Person
from tests.games.fortress.wire import ALICE as DECK
from tests.games.palace.wire import SUITS, VALUES
from tests.live import request


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


class Asking(Person):
    """Whose protocol does not say that a move is done. But what is asked is answered in turn: so each move is followed
    by a question, and what was not refused before that is answered is done."""

    questions: list[str]
    """That are under way: for each the move before it, empty where there was none, or it was refused."""

    def refused(self) -> None:
        if self.questions:
            self.questions[0] = ""

    def answered(self) -> None:
        if self.questions and (move := self.questions.pop(0)):
            self.acknowledged(move)


class OfCoup(Asking):
    """Coup's own protocol: takes an income until a coup can be paid for, and never answers anybody."""

    path = "/coup/v1?table={table}"

    async def play(self) -> None:
        self.questions = []
        event = ""
        await self.say("PLAYER_JOIN_GAME")
        while self.generation == self.party.generation:
            said = await self.said()
            before, event, data = event, said["event"], said["data"]
            match event:
                case "USERNAME_TAKEN":
                    return
                case "ERROR" if data["code"] == "GAME_STARTED":
                    await asyncio.sleep(0.5)
                    return
                case "ERROR" if data["inReplyTo"] == "GET_STATE":
                    self.questions.pop(0)
                case "ERROR":
                    self.refused()
                case "WELCOME":
                    self.seated = True
                case "nextTurn" if data["currentPlayerName"] == self.name:
                    await self.look()
                case "GAME_RESUMED" | "PLAYER_LOSE_CARD":
                    await self.look()
                case "GAME_STATE":
                    # Who was taken for absent is welcomed again, and told this without having asked.
                    if before != "WELCOME":
                        self.answered()
                    if not data["paused"]:
                        await self.act(data)

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
            self.ledger.sent[written(move)] += 1
        await self.socket.send(json.dumps({"event": event, "user": self.name, "data": data}))
        if move is not None:
            await self.look(written(move))

    async def look(self, asked: str = "") -> None:
        self.questions.append(asked)
        await self.say("GET_STATE")


class OfFaraway(Person):
    """Faraway's own protocol, over Socket.IO: the first thing that is legal."""

    path = "/socket.io/?EIO=4&transport=websocket"

    def renew(self) -> None:
        super().renew()
        self.token = ""

    async def play(self) -> None:
        self.asked: dict[int, str] = {}
        await self.socket.recv()  # Engine.IO is open
        await self.socket.send("40" + (json.dumps({"token": self.token}) if self.token else ""))
        while self.generation == self.party.generation:
            packet = await self.packet()
            kind, at = packet[:2], packet.find("[")
            if kind == "43":
                (answer,) = json.loads(packet[at:])
                asked = self.asked.pop(int(packet[2:at]))
                if answer["ok"]:
                    self.acknowledged(asked)
            elif kind == "42":
                name, *payload = json.loads(packet[at:])
                if name in ("roomNotFound", "roomStarted", "roomFull", "sessionReplaced"):
                    await asyncio.sleep(0.2)
                    return
                await self.heard(name, *payload)

    async def packet(self) -> str:
        async with asyncio.timeout(SILENT):
            while True:
                packet = str(await self.socket.recv())
                if packet != "2":
                    return packet
                await self.socket.send("3")

    async def heard(self, name: str, told: Any = None) -> None:
        if name == "session":
            self.token = told["token"]
            if told["roomId"] is None:
                # Who has no name is called by the connection that the seat was taken with.
                self.called(f"Guest {told['playerId'][:4]}")
                await self.socket.send("42" + json.dumps(["joinRoom", self.party.code]))
        elif name in ("update", "roomJoined") and told["legalActions"]:
            await self.think()
            action = told["legalActions"][0]
            verb = {"playCard": "play", "sanctuaryChoose": "choose", "shopChooseCard": "take"}[action["type"]]
            move = written({"move": verb, "card": action["cardIndex"]})
            self.requests += 1
            self.asked[self.requests] = move
            self.ledger.sent[move] += 1
            await self.socket.send(f"42{self.requests}" + json.dumps([action["type"], action["cardIndex"]]))


class OfCambia(Asking):
    """Cambia's own protocol, in its second dialect: draws and throws away, and calls Cambia now and then.

    The question is a ping.
    """

    path = "/cambia/ws/{lobby}?token={token}"

    def renew(self) -> None:
        super().renew()
        self.token = ""

    async def visit(self) -> None:
        if not self.party.table:
            return
        if not self.token:
            body = json.dumps({"username": self.name}).encode()
            at = self.at
            made = await request(at.ports["http"], "POST", "/cambia/user/guest", body, at.host)
            guest = json.loads(made.body)
            self.id, self.token = guest["id"], guest["token"]
        await super().visit()

    def where(self) -> str:
        return self.path.format(lobby=lobby_id(self.party.table), token=self.token)

    async def play(self) -> None:
        self.questions = []
        while self.generation == self.party.generation:
            frame = await self.said()
            told = frame["payload"]
            mine = isinstance(told.get("user"), dict) and told["user"]["id"] == self.id
            match frame["type"]:
                case "lobby_state" if not told["in_game"]:
                    users = told["lobby_status"]["users"]
                    if any(user["id"] == self.id and not user["is_ready"] for user in users):
                        await self.socket.send(json.dumps({"type": "ready"}))
                case "game_player_turn" | "player_special_choice" if mine:
                    await self.socket.send(json.dumps({"type": "request_sync"}))
                case "private_draw_stockpile":
                    await self.socket.send(json.dumps({"type": "request_sync"}))
                case "private_sync_state":
                    await self.act(told["state"])
                case "private_special_action_fail" | "error":
                    self.refused()
                case "pong":
                    self.answered()

    async def act(self, state: Json) -> None:
        if state["currentPlayerId"] != self.id or not state["started"] or state["gameOver"]:
            return
        await self.think()
        me = next(player for player in state["players"] if player["playerId"] == self.id)
        if state["specialAction"] is not None and state["specialAction"]["active"]:
            await self.say({"move": "use_special", "special": "skip"}, "action_special", special="skip")
        elif card := me.get("drawnCard"):
            await self.say({"move": "discard", "card": card["id"]}, "action_discard", card={"id": card["id"]})
        elif self.party.dice.random() < 0.1:
            await self.say({"move": "call_cambia"}, "action_cambia")
        else:
            await self.say({"move": "draw_stockpile"}, "action_draw_stockpile")

    async def say(self, move: Json, kind: str, **members: Any) -> None:
        self.questions.append(written(move))
        self.ledger.sent[written(move)] += 1
        await self.socket.send(json.dumps({"type": kind, **members}))
        await self.socket.send(json.dumps({"type": "ping"}))


class OfFortress(Asking):
    """Fortress' own protocol, lines over TCP: attacks castles, plays what fits, and answers nothing."""

    finds = False

    async def visit(self) -> None:
        async with asyncio.timeout(5):
            at = self.at
            self.lines, self.writer = await asyncio.open_connection(at.host, at.ports["fortress"], limit=1 << 20)
        try:
            await self.play()
        finally:
            self.tear()

    def tear(self) -> None:
        self.writer.transport.abort()

    async def said(self) -> Any:
        async with asyncio.timeout(SILENT):
            line = await self.lines.readline()
        if not line:
            raise EOFError
        return json.loads(line)

    async def play(self) -> None:
        self.questions = []
        joins: Json = {"TOKEN": self.token} if self.seated else {"DECK_DATA": DECK}
        self.ledger.sent[written(plain(mv.BringDeck(tuple(DECK))))] += 1  # made for them as soon as the game begins
        self.say("JOIN_GAME", USERNAME=self.name, **joins)
        while self.generation == self.party.generation:
            told = await self.said()
            match told["COMMAND"]:
                case "JOIN_GAME_RESP" if not told["SUCCESS"]:  # the game is over, or never began
                    self.party.move_on()
                    return
                case "JOIN_GAME_RESP":
                    self.token, self.seat, self.seated = told["TOKEN"], told["PLAYER_ID"], True
                    self.party.table = self.token.partition("-")[0]
                case "GAME_START":
                    self.seat = told["PLAYER_ID"]
                case "MULLIGAN_OFFER":
                    self.act(mv.AcceptHand(), "GAME_START_ACCEPT")
                case "GAME_STATE":
                    self.answered()
                    await self.decide(told)
                case "GAME_END":
                    self.party.move_on()
                case "ERROR" if told["REPLY_TO"] == "GET_STATE":
                    self.questions.pop(0)
                case _ if "CODE" in told:
                    self.refused()
                case _ if not self.questions:
                    self.look()

    async def decide(self, state: Json) -> None:
        mine = state["CURRENT_PLAYER_ID"] == self.seat and state["PHASE"] == "MAIN"
        asked = state["REQUEST"]
        if not mine and asked is None and state["RESPONDER_ID"] != self.seat:
            return
        await self.think()
        if asked is not None:
            self.answer(asked)
        elif state["RESPONDER_ID"] == self.seat:
            self.act(mv.AllowAction(), "ALLOW_ACTION")
        elif state["MUST_DRAW"]:
            self.act(mv.DrawCard(), "DRAW_CARD")
        else:
            self.turn(state)

    def answer(self, asked: Json) -> None:
        where = READ[self.seat]
        match asked["COMMAND"]:
            case "TARGET_CARD":
                chosen = None if asked["OPTIONAL"] else self.party.dice.choice(asked["VALID_REGION"])
                move = mv.ChooseCard(None if chosen is None else where[chosen])
                self.act(move, "TARGET_CARD_RESP", CARD_POS=chosen)
            case "DRAW_CARD_OFFER":
                self.act(mv.Answer(False, "draw"), "DRAW_CARD_OFFER_IGNORE")
            case "LEVEL_MAGE":
                self.act(mv.Answer(False, "level"), "LEVEL_MAGE_RESP", TARGET=asked["TARGET"], OPT=False)
            case _:
                self.act(mv.Answer(False, "question"), "DIAG_RESP", BOOL=False)

    def turn(self, state: Json) -> None:
        """Many of these are refused."""
        where, dice, cards = READ[self.seat], self.party.dice, state["CARDS"]
        soldiers = [name for name in cards if name.startswith("MY_SOLDIER")]
        hand = [name for name in cards if name.startswith("MY_HAND")]
        kind = dice.random()
        if kind < 0.3 and soldiers:
            attacker = dice.choice(soldiers)
            move = mv.AttackCard(where[attacker], where["THEIR_CASTLE"])
            self.act(move, "ATTACK_CARD", ATTACKER=attacker, TARGET="THEIR_CASTLE")
        elif kind < 0.7 and hand:
            start, end = dice.choice(hand), dice.choice(("MY_SOLDIER_1", "MY_SOLDIER_2", "MY_MAGE_1", "MY_TRICKSTER_1"))
            card = cards[start]["CARD_ID"]
            played = mv.PlayCard(where[start], where[end], card)
            self.act(played, "PLAY_CARD", START_POS=start, END_POS=end, CARD_ID=card)
        else:
            self.act(mv.EndTurn(), "TURN_END")

    def act(self, move: mv.AnyMove, command: str, **fields: Any) -> None:
        asked = written(plain(move))
        self.ledger.sent[asked] += 1
        self.say(command, **fields)
        self.look(asked)

    def look(self, asked: str = "") -> None:
        self.questions.append(asked)
        self.say("GET_STATE")

    def say(self, command: str, **fields: Any) -> None:
        self.writer.write(json.dumps({"COMMAND": command, **fields}).encode() + b"\n")


SPEAKERS: Mapping[str, type[Person]] = {
    "cambia": OfCambia,
    "coup": OfCoup,
    "faraway": OfFaraway,
    "fortress": OfFortress,
    "palace": OfPalace,
}
"""By game: who speaks its own protocol."""
