"""A player's connection, as far as the two versions of Coup's own protocol agree.

See docs/protocols/coup-v1.md and coup-v2.md.

The numbers D1, D2, … are the decisions of the game's page; F1, F2, … the rows about frames of the protocol's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, NamedTuple

import msgspec

from croupier.games.coup import moves as mv
from croupier.games.coup.characters import Action, Character
from croupier.games.coup.dialect.errors import TEXTS, ProtocolError, Spelling, explained
from croupier.games.coup.dialect.names import named, taken
from croupier.games.coup.rules import Coup
from croupier.tables import intents
from croupier.tables.dialect import Dialect, Hangup, Message, Output, Pace
from croupier.tables.intents import Asked, Intent
from croupier.tables.notices import Refused, Reply
from croupier.tables.place import Place
from croupier.tables.summary import Summary

SERVER = "__server"
LONGEST = 4096
"""Bytes of a message that is read at all (F3)."""
MAIN = "main"
"""The table for those who don't name one (D65)."""
KEEPS = 600.0
"""Seconds that an empty table waits for somebody to come."""

encode = msgspec.json.Encoder().encode


class ClientMessage(NamedTuple):
    """A message, as far as it is one: the context of what it asks for."""

    event: str
    user: str | None
    data: dict[str, Any]
    raw: bytes
    """As it came."""


class Entrant(NamedTuple):
    """Who wants to sit down where."""

    code: str
    name: str
    token: str | None


class Joining(NamedTuple):
    """Somebody wants to sit down: the context of the question what kind of table it is, and of sitting down there."""

    who: Entrant
    event: str | None
    """Of the message that asked for it; None: the address of the connection did."""


class CoupDialect(Dialect):
    """One player's connection, in either version."""

    game = Coup.name
    patience = 600.0
    keeps_seat = False
    by_name = True
    ends_with_host = False
    concludes = True
    pace = Pace(20, 1.0, 100, 60.0, Hangup(4008, "too many messages"))  # F4
    restart = 1001

    cards: ClassVar[Mapping[str, Character]]
    """By how they are spelled here."""
    actions: ClassVar[Mapping[str, Action]]
    spelled: ClassVar[Spelling]
    """The same, the other way round."""

    def __init__(self) -> None:
        self._place: Place | None = None
        self._names: dict[int, str] = {}

    # Messages

    def receive(self, message: Message, text: bool) -> Iterable[Intent | Output]:
        event = None
        try:
            asked = self._read(message, text)
            event = asked.event
            yield from self._heed(asked)
        except ProtocolError as fault:
            yield self._error(fault, event or _event(message, text), message if text else b"")

    def slow_down(self, message: Message, text: bool, wait: int) -> Iterable[Message]:
        try:
            _check_frame(message, text)
            fault = ProtocolError("RATE_LIMITED", "too many messages", retryAfterMs=wait)
        except ProtocolError as worse:
            fault = worse
        yield self._error(fault, _event(message, text), message if text else b"")

    def _read(self, message: Message, text: bool) -> ClientMessage:
        """F1 to F8: a frame, and what is in it."""
        _check_frame(message, text)
        found = _decoded(message)
        if type(found) is not dict:
            raise ProtocolError("BAD_ENVELOPE", "not an object")
        event, user, data = found.get("event"), found.get("user"), found.get("data", {})
        if type(event) is not str:
            raise ProtocolError("BAD_ENVELOPE", "event must be a string")
        if "user" in found and type(user) is not str and self._minds_user:
            raise ProtocolError("BAD_ENVELOPE", "user must be a string")
        if type(data) is not dict:
            raise ProtocolError("BAD_ENVELOPE", "data must be an object")
        return ClientMessage(event, user if type(user) is str else None, data, message)

    _minds_user: ClassVar[bool] = True

    def _heed(self, asked: ClientMessage) -> Iterable[Intent | Output]:
        raise NotImplementedError

    def _error(self, fault: ProtocolError, event: str | None, raw: bytes) -> bytes:
        raise NotImplementedError

    # What the data of messages mean. What makes no sense becomes something that the rules refuse, in their order.

    def _known(self, spelled: Mapping[str, Any], given: Any) -> Any:
        return spelled.get(given, "") if type(given) is str else ""

    def _card(self, given: Any) -> Any:
        return self._known(self.cards, given)

    def _action(self, given: Any) -> Any:
        return self._known(self.actions, given)

    def _seat(self, given: Any) -> int | None:
        """The seat of that name; -1 for nobody's, None when none is given."""
        if given is None:
            return None
        return next((seat for seat, name in self._names.items() if name == given), -1)

    def _proposal(self, data: Mapping[str, Any]) -> Intent:
        move = mv.Propose(self._action(data.get("action")), self._seat(data.get("targetPlayer")))
        return intents.Play(move=move)

    def _keep(self, given: Any) -> Intent:
        cards = tuple(self._card(card) for card in given) if type(given) is list else ()
        return intents.Play(move=mv.Keep(cards))

    def _kick(self, given: Any) -> Intent:
        place = self._seated
        table, view = place.summary, place.view()
        if table.host != place.seat:
            raise ProtocolError("NOT_HOST", TEXTS["NOT_HOST"])
        if not self._paused:
            raise ProtocolError("NOT_PAUSED", "nobody is missing")
        player = next((player for player in table.players if player.name == given), None)
        if player is None:
            raise ProtocolError("UNKNOWN_PLAYER", "nobody here has that name")
        if not player.away or player.seat in view.out:
            raise ProtocolError("NOT_DISCONNECTED", f"{player.name} is not missing")
        return intents.Kick(seat=player.seat)

    def _sound(self, given: Any) -> Intent:
        return intents.Sound(sound=given if type(given) is str else "")

    @property
    def _seated(self) -> Place:
        assert self._place is not None
        return self._place

    @property
    def _paused(self) -> bool:
        place = self._seated
        return place.playing and place.view().paused_since is not None

    # Joining

    def _look(self, who: Entrant, event: str | None) -> Intent:
        return Asked(intents.Look(table=who.code), Joining(who, event))

    def _admit(self, who: Entrant, table: Summary) -> Intent:
        """Have them sit down, or come back; the checks are in the order of the protocol. Raises ``ProtocolError``."""
        if table.phase == "waiting":
            if taken(who.name, table.players):
                raise ProtocolError("USERNAME_TAKEN", f"username '{who.name}' is taken, choose another one")
            if len(table.players) >= table.seats:
                raise ProtocolError("GAME_FULL", "game is full")
            return intents.Join(table=table.id, player=who.name)
        player = next((player for player in table.players if player.name == who.name), None)
        if player is None:
            raise ProtocolError("GAME_STARTED", "game has already started")
        if not player.away:
            raise ProtocolError("ALREADY_CONNECTED", f"username '{who.name}' is taken, choose another one")
        by_name = not table.options.require_token  # D54
        return intents.Reclaim(table=table.id, player=who.name, token=who.token, by_name=by_name)

    def _arrive(self, place: Place) -> None:
        self._place = place
        self._names = named(place.summary.players)

    def on_replaced(self) -> Iterable[Output]:
        self._place = None
        return (Hangup(1000, "you are here on another connection"),)

    def _explained(self, reply: Reply, refusal: Refused) -> ProtocolError:
        return explained(refusal, reply.intent, self._place, self.spelled)


def _check_frame(message: Message, text: bool) -> None:
    if not text:
        raise ProtocolError("BAD_FRAME", "text frames only")  # F1
    if len(message) > LONGEST:
        raise ProtocolError("TOO_BIG", f"{LONGEST} bytes are enough")  # F3


def _decoded(message: Message) -> Any:
    try:
        return msgspec.json.decode(message)  # F14: of two equal keys the last one counts
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise ProtocolError("BAD_JSON", "not JSON") from None  # F5


def _event(message: Message, text: bool) -> str | None:
    """The event of a message that is refused, if it has one."""
    try:
        found = _decoded(message) if text else None
    except ProtocolError:
        return None
    event = found.get("event") if type(found) is dict else None
    return event if type(event) is str else None
