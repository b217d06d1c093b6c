"""Faraway's own protocol: events over Socket.IO. See docs/protocols/faraway.md.

The numbers B1, B2, … are that page's list of bad input; D1, D2, … are its decisions, R1, R2, … its rules of coming and
going, K1, K2, … what existing clients need.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from croupier.games.faraway import rules
from croupier.games.faraway.dialect import messages
from croupier.games.faraway.dialect.announcement import Announcement, announcements, update
from croupier.games.faraway.dialect.messages import MOVES, BadPayload, begin_game, room_summary
from croupier.tables import entries, intents, keys
from croupier.tables.dialect import Dialect, Message
from croupier.tables.endpoint import ConnectionRequest
from croupier.tables.intents import Asked, Intent
from croupier.tables.notices import Fact, Refused, Reply
from croupier.tables.place import Place
from croupier.tables.socketio_dialect import SocketIoDialect
from croupier.tables.summary import Summary
from croupier.wire.socketio import DISCONNECTED, EVENT, Malformed, acknowledgement, called, connected, event, read

ROOM_ID = re.compile("[a-z0-9]{5}")
LONGEST_TOKEN = 200
SESSIONS_REMEMBERED = 20_000

Outputs = Iterable[Message | Intent]
SETTLES = 5_000
"""Milliseconds after a return in which entering another room forfeits no game: there are bots that answer every list of
rooms with ``joinRoom`` or ``createRoom``, and who comes back is told one before anything else (R6)."""


class Call(NamedTuple):
    """An event of the client: the context of what it asks for."""

    name: str
    ack: int | None
    """The number of the acknowledgement, if one is wanted."""


class RoomChange(NamedTuple):
    """The context of a question: somebody wants another room while a game is on; is it meant?"""

    call: Call
    wanted: Intent


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

EVENTS = {
    *MOVES, "getRooms", "createRoom", "joinRoom", "leaveRoom", "startGame", "getRoomSummary", "getRoomState",
    "updateAck",
}  # fmt: skip

NOTICES = {"no_such_table": "roomNotFound", "bad_password": "roomNotFound", "too_few": "notEnoughPlayers"}
"""Refusals that have an event of their own."""


class FarawayDialect(SocketIoDialect):
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
        yield self._rooms(Call("getRooms", None))
        told = {"token": self.token, "playerId": self.handle, "resumed": place is not None, "roomId": room}
        yield event("session", told)
        if place is not None:
            yield from self._joined(place)  # R6

    # Requests

    def heard(self, name: str, argument: Any, ack: int | None) -> Outputs:
        call = Call(name, ack)
        match name:
            case "playCard" | "sanctuaryChoose" | "shopChooseCard":
                return self._turn(call, argument)
            case "getRooms":
                return (self._rooms(call),)
            case "createRoom":
                return self._create(call, argument)
            case "getRoomState" if argument is None:
                if self._place is None:
                    return self._rejected(call, "notMember", "you are in no room")
                return (Asked(intents.See(), call),)
            case "joinRoom" | "startGame" | "getRoomSummary" | "getRoomState":
                if not isinstance(argument, str) or not ROOM_ID.fullmatch(argument):
                    return self._notice(call, "roomNotFound")  # B14, B15, B26, B43
                return (Asked(intents.List(game=self.game, table=argument), call),)
            case "leaveRoom":
                return self._done(call) if self._place is None else (Asked(intents.Leave(), call),)  # B32
            case "updateAck":
                return self._done(call)  # B34, D28
        return _answered(call, {"ok": False, "code": "badPayload"})  # B35

    def _turn(self, call: Call, argument: Any) -> Outputs:
        try:
            move = MOVES[call.name](messages.integer(argument))
        except BadPayload as error:
            return self._rejected(call, "badPayload", str(error))  # B1
        return (Asked(intents.Play(move=move), call),)

    def _rooms(self, call: Call) -> Intent:
        return Asked(intents.List(game=self.game), call)

    def _create(self, call: Call, argument: Any) -> Outputs:
        assert self.handle is not None
        try:
            wanted = messages.wanted(argument)
        except BadPayload as error:
            return self._rejected(call, "badPayload", str(error))  # B24
        room = intents.Open(
            game=rules.Faraway.name,
            player=_name(self.handle),
            seats=wanted.seats,
            options=wanted.options,
            rig=wanted.rig,
        )
        return (self._wants_room(call, room),)

    def _wants_room(self, call: Call, room: Intent) -> Intent:
        """What would give up a game, if there is one that somebody has only just come back to."""
        wanted = Asked(room, call)
        in_game = self._returned is not None and self._place is not None and self._place.playing
        return Asked(intents.See(), RoomChange(call, wanted)) if in_game else wanted

    def _changes_room(self, change: RoomChange, at: int) -> Outputs:
        if self._returned is not None and at < self._returned + SETTLES:
            return self._rejected(change.call, "inGame", "you have just come back to a game")
        self._returned = None
        return (change.wanted,)

    def _looked(self, call: Call, table: Summary | None) -> Outputs:
        """The room is found, or not. The order of these checks is part of the protocol."""
        if table is None or (table.locked and not self._in(table)):
            return self._notice(call, "roomNotFound")
        if call.name == "getRoomSummary":
            summary = room_summary(table)
            told = {"roomId": table.code, "users": summary.users, "state": summary.state}
            return (*self._done(call), event("roomSummary", {**told, "maxPlayers": summary.max_players}))
        if call.name == "joinRoom":
            return self._join(call, table)
        if not self._in(table):
            return self._rejected(call, "notMember", "you are not in that room")  # B27, B42
        if call.name == "getRoomState":
            return (Asked(intents.See(), call),)
        if messages.started(table):
            return self._rejected(call, "alreadyStarted", "the game has started")  # D39, D47
        return (Asked(intents.Start(), call),)

    def _join(self, call: Call, table: Summary) -> Outputs:
        assert self.handle is not None
        if self._in(table):
            return (Asked(intents.See(), call),)  # D32, K7
        if len(messages.users(table)) >= table.seats:
            return self._notice(call, "roomFull")  # D31
        if messages.started(table):
            return self._notice(call, "roomStarted")
        return (self._wants_room(call, intents.Join(table=table.code, player=_name(self.handle))),)

    def _in(self, table: Summary) -> bool:
        return self._place is not None and self._place.table == table.id

    # Answers

    def on_reply(self, reply: Reply) -> Outputs:
        intent, place, call = reply.intent, reply.place, reply.context
        held, self._held = self._held, []
        match intent:
            case intents.Play():
                assert place is not None
                return (*_answered(call, {"ok": True, "stateSeq": place.step}), *held)
            case intents.List(table=None):
                return (*self._done(call), messages.rooms(reply.tables or ()))
            case intents.List():
                return self._looked(call, next(iter(reply.tables or ()), None))
            case intents.Resume():
                self._arrival = intent
                self._returned = None if place is None else reply.at
                return self._admitted(place)
            case intents.See() if isinstance(call, RoomChange):
                return self._changes_room(call, reply.at)
            case intents.Leave():
                self._place = None
                return self._done(call)
        return () if place is None else self._granted(reply, place, held)

    def _granted(self, reply: Reply, place: Place, held: Sequence[bytes]) -> Outputs:
        intent, call = reply.intent, reply.context
        done = _answered(call, {"ok": True, "roomId": place.summary.code})
        match intent:
            case intents.Open():
                self._place, self._arrival, self._told = place, intent, 0
                return (*done, event("joinedRoom", place.summary.code))  # K12
            case intents.Join():
                self._place, self._arrival = place, intent
                return (*done, *self._joined(place))
            case intents.Start():
                return (*done, *held)
            case intents.See() if call.name == "joinRoom":
                return (*done, *self._states(place, reply.at, "roomJoined", "update"))
            case intents.See():
                return (*self._done(call), *self._states(place, reply.at, "roomState"))
        return ()

    def on_refused(self, reply: Reply, refusal: Refused) -> Outputs:
        intent, context, code = reply.intent, reply.context, refusal.code
        self._held = []
        if isinstance(intent, intents.Resume):
            if code != "no_such_seat":
                return (intents.HangUp(),)
            self.token = keys.new_id()  # R8: whoever it is, they are new
            return (intents.Resume(known=True),)
        if intent is self._arrival:
            self._place = None  # it could not be written down
        if context is None:
            return ()
        call = context.call if isinstance(context, RoomChange) else context
        if code in NOTICES:
            return self._notice(call, NOTICES[code])
        if code == "not_started" and self._place is not None and messages.started(self._place.summary):
            code = "wrong_phase"  # B13
        return self._rejected(call, CODES.get(code, "internalError"), str(refusal))

    def on_replaced(self) -> Outputs:
        """R7: the newest connection wins. Who is told to stay away does not come back by itself."""
        self._place = None
        if self._connected:
            self._connected = False
            yield messages.SESSION_REPLACED
            yield DISCONNECTED
        yield intents.HangUp()

    def on_resync(self, place: Place) -> Outputs:
        self._place = place
        return () if place.step == self._told else self._states(place, place.at, "update")

    # News

    def on_fact(self, fact: Fact) -> Outputs:
        place = fact.place
        entry = type(fact.entry)
        if place.lost or entry is entries.Closed:
            self._place = None
            # R2; and for whom the host has thrown out. A result that is taken away was there long enough (R16).
            return () if fact.own or place.result() is not None else (event("roomNotFound"),)
        told: list[bytes] = []
        if entry is entries.Started:
            told.append(begin_game(place, self._now(fact.at)))  # K6
        if self._is_news(fact):
            told.append(self._shown(fact.once("faraway", update), place, fact.at))
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

    def _states(self, place: Place, at: int, *names: str) -> list[bytes]:
        """The state of the room, in one event or two."""
        rooms = announcements(place.for_spectators(), *names)
        return [self._shown(room, place, at) for room in rooms]

    def _shown(self, room: Announcement, place: Place, at: int) -> bytes:
        self._told = place.step
        return room.for_member(place.seat, place.private(), place.moves(), self._now(at))

    def _now(self, at: int) -> int:
        self._time = max(self._time, at)
        return self._time

    # Answers in short

    def _done(self, call: Call) -> tuple[Message, ...]:
        return _answered(call, {"ok": True})

    def _notice(self, call: Call, name: str) -> tuple[Message, ...]:
        """A refusal that has an event of its own."""
        return (*_answered(call, {"ok": False, "code": name}), event(name))

    def _rejected(self, call: Call, code: str, sentence: str) -> tuple[Message, ...]:
        step = 0 if self._place is None else self._place.step
        told = {"event": call.name, "code": code, "message": sentence, "stateSeq": step}
        return (*_answered(call, {"ok": False, "code": code}), event("actionRejected", told))

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
        return self._rejected(Call(asked, packet.ack), "rateLimited", sentence)


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


def _answered(call: Call, answer: dict[str, Any]) -> tuple[Message, ...]:
    return () if call.ack is None else (acknowledgement(call.ack, answer),)
