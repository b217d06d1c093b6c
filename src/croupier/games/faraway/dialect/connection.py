"""Faraway's own protocol: events over Socket.IO. See docs/protocols/faraway.md.

The numbers B1, B2, … are that page's list of bad input; D1, D2, … are its decisions, R1, R2, … its rules of coming and
going, K1, K2, … what existing clients need.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Literal, get_args

from croupier.games.faraway import rules
from croupier.games.faraway.dialect import messages
from croupier.games.faraway.dialect.messages import MOVES, BadPayload, begin_game, room_state, room_summary
from croupier.tables import entries, intents, keys
from croupier.tables.dialect import ConnectionRequest, Dialect, Message
from croupier.tables.intents import Intent
from croupier.tables.notices import Answer, Fact, Notice, Refused, Replaced, Resync
from croupier.tables.place import Place
from croupier.tables.socketio import (
    DISCONNECTED,
    EVENT,
    Conversation,
    Malformed,
    acknowledgement,
    called,
    connected,
    event,
    read,
)
from croupier.tables.summary import Summary

ROOM_ID = re.compile("[a-z0-9]{5}")
LONGEST_TOKEN = 200
SESSIONS_REMEMBERED = 20_000

Outputs = Iterable[Message | Intent]
OfRoom = Literal["joinRoom", "startGame", "getRoomSummary", "getRoomState"]
SETTLES = 5_000
"""Milliseconds after a return in which entering another room forfeits no game: there are bots that answer every list of
rooms with ``joinRoom`` or ``createRoom``, and who comes back is told one before anything else (R6)."""


# Intents that remember which event they come from. Their ``id`` is the number of the acknowledgement, if one is wanted.


class Rooms(intents.List, frozen=True, kw_only=True):
    """``getRooms``; and what everybody is told at first."""


class FindRoom(intents.List, frozen=True, kw_only=True):
    """What room is that? For an event that names one."""

    asked: OfRoom


class ChangeRoom(intents.See, frozen=True, kw_only=True):
    """Who wants another room while a game is on: is it meant?"""

    asked: Literal["joinRoom", "createRoom"]
    wish: Intent


class Refresh(intents.See, frozen=True, kw_only=True):
    """The state of one's own room."""

    asked: Literal["joinRoom", "getRoomState"]


class RequestedPlay(intents.Play, frozen=True, kw_only=True):
    """A move, and the event that asked for it."""

    asked: str


ASKED: Mapping[type[Intent], str] = {
    intents.Open: "createRoom",
    intents.Join: "joinRoom",
    intents.Start: "startGame",
    intents.Leave: "leaveRoom",
    Rooms: "getRooms",
}

CODES = {
    "not_seated": "notInRoom",
    "not_started": "notStarted",
    "wrong_phase": "wrongPhase",
    "already_played": "alreadyPlayed",
    "not_eligible": "notEligible",
    "not_your_turn": "notYourTurn",
    "not_in_hand": "notInHand",
    "not_offered": "notOffered",
    "not_in_shop": "notInShop",
    "bad_seats": "badPayload",
    "bad_options": "badPayload",
    "forbidden": "forbiddenOption",
}
"""What refusals are called here. Any other is a failure of ours: internalError (B44)."""

EVENTS = {*MOVES, *ASKED.values(), *get_args(OfRoom), "updateAck"}

NOTICES = {"no_such_table": "roomNotFound", "bad_password": "roomNotFound", "too_few": "notEnoughPlayers"}
"""Refusals that have an event of their own."""


class FarawayDialect(Conversation):
    game = rules.Faraway.name
    patience = 660.0  # R12, R16: a minute for the game, and ten to see how it ended
    keeps_seat = False  # R1
    one_table = True  # D33
    anybody_starts = True  # D29
    usual: ClassVar[Mapping[str, Any]] = {"action_timeout": 0}  # R23
    rate = 2000.0  # B40

    def __init__(self, entrance: Entrance) -> None:
        super().__init__()
        self._entrance = entrance
        self._place: Place | None = None
        """The seat of this connection."""
        self._arrival: Intent | None = None
        """What it was asked for with."""
        self._returned: int | None = None
        """When the seat was taken back, if that was not long ago."""
        self._told = 0
        """The last step of the game that was told."""
        self._held: list[bytes] = []
        """News that the acknowledgement of the connection's own request goes before."""
        self._time = 0

    # Coming and going

    def entered(self, auth: Any) -> Outputs:
        claimed = _token(auth)
        self.handle = keys.new_handle()  # R5: a new name with every connection
        self.token = claimed or keys.new_id()
        return (intents.Resume(known=claimed is None or self._entrance.knows(claimed)),)

    def left(self) -> Outputs:
        self._place = None
        return (intents.Detach(),)

    def _admitted(self, place: Place | None) -> Outputs:
        assert self.handle is not None and self.token is not None
        self._entrance.remember(self.token)
        self._place = place
        room = None if place is None else place.summary.code
        yield connected(self.handle, pid=self.token)  # R10
        yield messages.WELL_CONNECTED
        yield Rooms(game=self.game)
        told = {"token": self.token, "playerId": self.handle, "resumed": place is not None, "roomId": room}
        yield event("session", told)
        if place is not None:
            yield from self._joined(place)  # R6

    # Requests

    def heard(self, name: str, argument: Any, ack: int | None) -> Outputs:
        match name:
            case "playCard" | "sanctuaryChoose" | "shopChooseCard":
                return self._turn(name, argument, ack)
            case "getRooms":
                return (Rooms(id=ack, game=self.game),)
            case "createRoom":
                return self._create(argument, ack)
            case "getRoomState" if argument is None:
                if self._place is None:
                    return self._rejected(name, "notMember", "you are in no room", ack)
                return (Refresh(id=ack, asked=name),)
            case "joinRoom" | "startGame" | "getRoomSummary" | "getRoomState":
                if not isinstance(argument, str) or not ROOM_ID.fullmatch(argument):
                    return self._notice("roomNotFound", ack)  # B14, B15, B26, B43
                return (FindRoom(id=ack, game=self.game, table=argument, asked=name),)
            case "leaveRoom":
                return self._done(ack) if self._place is None else (intents.Leave(id=ack),)  # B32
            case "updateAck":
                return self._done(ack)  # B34, D28
        return _answered(ack, {"ok": False, "code": "badPayload"})  # B35

    def _turn(self, name: str, argument: Any, ack: int | None) -> Outputs:
        try:
            move = MOVES[name](messages.integer(argument))
        except BadPayload as error:
            return self._rejected(name, "badPayload", str(error), ack)  # B1
        return (RequestedPlay(id=ack, move=move, asked=name),)

    def _create(self, argument: Any, ack: int | None) -> Outputs:
        assert self.handle is not None
        try:
            wanted = messages.wanted(argument)
        except BadPayload as error:
            return self._rejected("createRoom", "badPayload", str(error), ack)  # B24
        room = intents.Open(
            id=ack,
            game=rules.Faraway.name,
            player=_name(self.handle),
            seats=wanted.seats,
            options=wanted.options,
            rig=wanted.rig,
        )
        return (self._wants_room("createRoom", room),)

    def _wants_room(self, asked: Literal["joinRoom", "createRoom"], wish: Intent) -> Intent:
        """What would give up a game, if there is one that somebody has only just come back to."""
        in_game = self._returned is not None and self._place is not None and self._place.playing
        return ChangeRoom(id=wish.id, asked=asked, wish=wish) if in_game else wish

    def _changes_room(self, change: ChangeRoom, at: int) -> Outputs:
        if self._returned is not None and at < self._returned + SETTLES:
            return self._rejected(change.asked, "inGame", "you have just come back to a game", change.id)
        self._returned = None
        return (change.wish,)

    def _looked(self, look: FindRoom, table: Summary | None, at: int) -> Outputs:
        """The room is found, or not. The order of these checks is part of the protocol."""
        ack = look.id
        if table is None or (table.locked and not self._in(table)):
            return self._notice("roomNotFound", ack)
        if look.asked == "getRoomSummary":
            summary = room_summary(table)
            told = {"roomId": table.code, "users": summary.users, "state": summary.state}
            return (*self._done(ack), event("roomSummary", {**told, "maxPlayers": summary.max_players}))
        if look.asked == "joinRoom":
            return self._join(table, ack)
        if not self._in(table):
            return self._rejected(look.asked, "notMember", "you are not in that room", ack)  # B27, B42
        if look.asked == "getRoomState":
            return (Refresh(id=ack, asked="getRoomState"),)
        if messages.started(table):
            return self._rejected("startGame", "alreadyStarted", "the game has started", ack)  # D39, D47
        return (intents.Start(id=ack),)

    def _join(self, table: Summary, ack: int | None) -> Outputs:
        assert self.handle is not None
        if self._in(table):
            return (Refresh(id=ack, asked="joinRoom"),)  # D32, K7
        if len(messages.users(table)) >= table.seats:
            return self._notice("roomFull", ack)  # D31
        if messages.started(table):
            return self._notice("roomStarted", ack)
        join = intents.Join(id=ack, table=table.code, player=_name(self.handle))
        return (self._wants_room("joinRoom", join),)

    def _in(self, table: Summary) -> bool:
        return self._place is not None and self._place.table == table.id

    # Answers

    def notify(self, notice: Notice) -> Outputs:
        match notice:
            case Fact():
                return self._fact(notice)
            case Answer():
                held, self._held = self._held, []
                if notice.refusal is not None:
                    return self._refused(notice.intent, notice.refusal)
                return self._granted(notice, held)
            case Replaced():
                return self._replaced()
            case Resync():
                self._place = notice.place
                return () if notice.place.step == self._told else (self._update(notice.place, notice.place.at),)
        return ()

    def _granted(self, answer: Answer, held: Sequence[bytes]) -> Outputs:
        intent, place = answer.intent, answer.place
        match intent:
            case RequestedPlay():
                assert place is not None
                return (*_answered(intent.id, {"ok": True, "stateSeq": place.step}), *held)
            case Rooms():
                return (*self._done(intent.id), messages.rooms(answer.tables or ()))
            case FindRoom():
                return self._looked(intent, next(iter(answer.tables or ()), None), answer.at)
            case intents.Resume():
                self._arrival = intent
                self._returned = None if place is None else answer.at
                return self._admitted(place)
            case ChangeRoom():
                return self._changes_room(intent, answer.at)
            case intents.Leave():
                self._place = None
                return self._done(intent.id)
        if place is None:
            return ()
        done = _answered(intent.id, {"ok": True, "roomId": place.summary.code})
        match intent:
            case intents.Open():
                self._place, self._arrival, self._told = place, intent, 0
                return (*done, event("joinedRoom", place.summary.code))  # K12
            case intents.Join():
                self._place, self._arrival = place, intent
                return (*done, *self._joined(place))
            case intents.Start():
                return (*done, *held)
            case Refresh(asked="joinRoom"):
                return (*done, *self._states(place, answer.at, "roomJoined", "update"))
            case Refresh():
                return (*self._done(intent.id), *self._states(place, answer.at, "roomState"))
        return ()

    def _refused(self, intent: Intent, refusal: Refused) -> Outputs:
        code, sentence, ack = refusal.code, str(refusal), intent.id
        if isinstance(intent, intents.Resume):
            if code != "no_such_seat":
                return (intents.HangUp(),)
            self.token = keys.new_id()  # R8: whoever it is, they are new
            return (intents.Resume(known=True),)
        if intent is self._arrival:
            self._place = None  # it could not be written down
        if code in NOTICES:
            return self._notice(NOTICES[code], ack)
        if code == "not_started" and self._place is not None and messages.started(self._place.summary):
            code = "wrong_phase"  # B13
        asked = (
            intent.asked
            if isinstance(intent, RequestedPlay | FindRoom | Refresh | ChangeRoom)
            else ASKED.get(type(intent))
        )
        return () if asked is None else self._rejected(asked, CODES.get(code, "internalError"), sentence, ack)

    def _replaced(self) -> Outputs:
        """R7: the newest connection wins. Who is told to stay away does not come back by itself."""
        self._place = None
        if self._connected:
            self._connected = False
            yield messages.SESSION_REPLACED
            yield DISCONNECTED
        yield intents.HangUp()

    # News

    def _fact(self, fact: Fact) -> Outputs:
        place = fact.place
        if place.lost or isinstance(fact.entry, entries.Closed):
            self._place = None
            # R2; and for whom the host has thrown out. A result that is taken away was there long enough (R16).
            return () if fact.own or place.result() is not None else (event("roomNotFound"),)
        told: list[bytes] = []
        if isinstance(fact.entry, entries.Started):
            told.append(begin_game(place, self._now(fact.at)))  # K6
        if self._is_news(fact):
            told.append(self._update(place, fact.at))
        if fact.own:
            self._held += told
            return ()
        return told

    def _is_news(self, fact: Fact) -> bool:
        """Before the first game who comes and goes; then every step, and nothing else (R16)."""
        if fact.place.step == 0:
            return isinstance(fact.entry, entries.Joined | entries.Left | entries.Configured)
        return fact.place.step != self._told

    def _joined(self, place: Place) -> Iterable[Message]:
        return self._states(place, place.at, "roomJoined", "update")

    def _update(self, place: Place, at: int) -> bytes:
        (told,) = self._states(place, at, "update")
        return told

    def _states(self, place: Place, at: int, *names: str) -> list[bytes]:
        """The state of the room, in one event or two."""
        self._told = place.step
        state = room_state(place, self._now(at))
        return [event(name, state) for name in names]

    def _now(self, at: int) -> int:
        self._time = max(self._time, at)
        return self._time

    # Answers in short

    def _done(self, ack: int | None) -> tuple[Message, ...]:
        return _answered(ack, {"ok": True})

    def _notice(self, name: str, ack: int | None) -> tuple[Message, ...]:
        """A refusal that has an event of its own."""
        return (*_answered(ack, {"ok": False, "code": name}), event(name))

    def _rejected(self, asked: str, code: str, sentence: str, ack: int | None) -> tuple[Message, ...]:
        step = 0 if self._place is None else self._place.step
        told = {"event": asked, "code": code, "message": sentence, "stateSeq": step}
        return (*_answered(ack, {"ok": False, "code": code}), event("actionRejected", told))

    def slow_down(self, message: Message, text: bool, wait: int) -> Iterable[Message]:
        try:
            packet = read(message) if text and self._connected else None
            if packet is None or packet.kind != EVENT:
                return ()
            asked, _ = called(packet.data)
        except Malformed:
            return ()
        if asked not in EVENTS:
            return ()
        sentence = f"more than {self.rate:.0f} events in a second; this one and others were dropped"
        return self._rejected(asked, "rateLimited", sentence, packet.ack)


class Entrance:
    """The way in. Behind it is remembered who has been here, for those who come back without having a seat (R8)."""

    def __init__(self) -> None:
        self._known: dict[str, None] = {}

    def __call__(self, request: ConnectionRequest) -> Dialect:
        return FarawayDialect(self)

    def knows(self, token: str) -> bool:
        return keys.digest(token) in self._known

    def remember(self, token: str) -> None:
        secret = keys.digest(token)
        self._known.pop(secret, None)
        self._known[secret] = None
        if len(self._known) > SESSIONS_REMEMBERED:
            del self._known[next(iter(self._known))]


def _token(auth: Any) -> str | None:
    """The secret that a client shows, in its own field or in the library's (R4, R10); None when there is none (B41)."""
    for key in ("token", "pid"):
        token = auth.get(key) if isinstance(auth, dict) else None
        if isinstance(token, str) and 0 < len(token) <= LONGEST_TOKEN and token.isascii():
            return token
    return None


def _name(handle: str) -> str:
    """What players of other protocols call somebody who has no name."""
    return f"Guest {handle[:4]}"


def _answered(ack: int | None, answer: dict[str, Any]) -> tuple[Message, ...]:
    return () if ack is None else (acknowledgement(ack, answer),)
