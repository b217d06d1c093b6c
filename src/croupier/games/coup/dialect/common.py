"""What the two versions of Coup's own protocol have in common. See docs/protocols/coup-v1.md and coup-v2.md.

The numbers D1, D2, … are the decisions of the game's page; F1, F2, … the rows about frames of the protocol's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import msgspec

from croupier.games.coup import moves as mv
from croupier.games.coup.characters import BLOCKS, Action, Character
from croupier.games.coup.rules import Coup
from croupier.tables import intents, names
from croupier.tables.dialect import Dialect, Hangup, Message, Output, Pace
from croupier.tables.intents import Intent
from croupier.tables.notices import Answer, Notice, Player, Refused, Summary
from croupier.tables.place import Place

COUP = Coup()
SERVER = "__server"
LONGEST = 4096
"""Bytes of a message that is read at all (F3)."""
MAIN = "main"
"""The table for those who don't name one (D65)."""
KEEPS = 600.0
"""Seconds that an empty table waits for somebody to come."""

encode = msgspec.json.Encoder().encode


def valid_name(name: Any) -> bool:
    """D45: words with single spaces between them, 1 to 20 characters. What looks like a bot is no name either."""
    try:
        return type(name) is str and names.of_person(name, COUP) == name
    except Refused:
        return False


def taken(name: str, players: Iterable[Player]) -> bool:
    """D44: whether somebody has that name, perhaps in other case."""
    return names.folded(name) in {names.folded(player.name) for player in players}


def named(players: Iterable[Player]) -> dict[int, str]:
    return {player.seat: player.name for player in players}


def game_code(table: Summary) -> str:
    return table.code or table.id


def is_open(table: Summary) -> bool:
    """Whether anybody can still sit down."""
    return table.phase == "waiting" and len(table.players) < table.seats and not table.locked


class Spelling(NamedTuple):
    """How a version writes cards and actions."""

    cards: Mapping[Character, str]
    actions: Mapping[Action, str]
    hint: str = ""
    """What to say besides to who spells them otherwise."""


class Fault(Exception):
    """A message that is refused before anybody at the table hears of it."""

    def __init__(self, code: str, text: str, **data: Any) -> None:
        super().__init__(text)
        self.code = code
        self.data = data


class Asked(NamedTuple):
    """A message, as far as it is one."""

    event: str
    user: str | None
    data: dict[str, Any]


class Entrant(NamedTuple):
    """Who wants to sit down where."""

    code: str
    name: str
    token: str | None


class Joining(intents.Look, frozen=True, kw_only=True):
    """Somebody wants to sit down: what kind of table is it?"""

    who: Entrant
    asked: bool
    """By a message, and not by the address of the connection."""


CODES: Mapping[str, str] = {
    "started": "WRONG_PHASE",
    "not_started": "WRONG_PHASE",
    "not_over": "WRONG_PHASE",
    "too_few": "NOT_ENOUGH_PLAYERS",
    "full": "GAME_FULL",
    "house_full": "GAME_FULL",
    "bad_password": "NOT_ALLOWED",
    "name_taken": "GAME_FULL",  # never: it has been looked at
    "bad_name": "BAD_USERNAME",  # never: so has this
    "not_seated": "NOT_JOINED",
    "no_sounds": "NOT_ALLOWED",
    "silenced": "NOT_ALLOWED",
    "no_such_sound": "UNKNOWN_SOUND",
    "too_fast": "RATE_LIMITED",
    "internal": "INTERNAL",
    "unavailable": "INTERNAL",
}
"""What the house's own refusals are called. Those of the rules have the same codes in small letters."""

TEXTS: Mapping[str, str] = {
    "WRONG_PHASE": "not possible now",
    "NOT_HOST": "only the host may do that",
    "NOT_ENOUGH_PLAYERS": "it takes two players at least",
    "UNKNOWN_SOUND": "no such sound",
    "PAUSED": "the game is paused",
}


def explained(refusal: Refused, intent: Intent, place: Place | None, spell: Spelling) -> Fault:
    """A refusal in the words of the protocol. It names nothing but what is public or was sent."""
    code = CODES.get(refusal.code) or refusal.code.upper()
    text = TEXTS.get(code) or str(refusal)
    wait = refusal.data.get("retry_ms")
    if isinstance(intent, intents.Play) and place is not None:
        text = _in_game(code, intent.move, place, spell) or text
    elif isinstance(intent, intents.Sound) and wait is not None:
        every = Coup.customs.sound_every
        text = f"one sound every {every:g} seconds" if wait <= every * 1000 else "the table has heard enough for now"
    return Fault(code, text, **({} if wait is None else {"retryAfterMs": wait}))


def _in_game(code: str, move: Any, place: Place, spell: Spelling) -> str | None:
    called, view = named(place.summary.players), place.view()
    match code:
        case "NOT_YOUR_TURN":
            return f"it is {called[view.current]}'s turn"
        case "NOT_TARGET":
            return f"only {called[view.target]} may {'block' if type(move) is mv.Block else 'answer'} this"
        case "CARD_NOT_HELD":
            return f"you do not hold {spell.cards[move.card]}"
        case "BAD_KEEP" if view.pool is not None:
            return f"keep must be {len(view.pool) - 2} of the offered cards"
        case "BAD_ACTION":
            return f"an action is one of {', '.join(spell.actions.values())}{spell.hint}"
        case "BAD_CARD":
            return f"a card is one of {', '.join(spell.cards.values())}{spell.hint}"
        case "ACTION_MISMATCH":
            return f"what is open is {spell.actions[view.action] if view.blocker is None else 'BLOCK'}"
        case "BAD_BLOCK_CARD":
            cards = " or ".join(spell.cards[card] for card in BLOCKS[view.action])
            return f"{spell.actions[view.action]} is blocked as {cards}"
    return None


class Speaker(Dialect):
    """One player's connection."""

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
        except Fault as fault:
            yield self._error(fault, event or _event(message, text), message if text else b"")

    def slow_down(self, message: Message, text: bool, wait: int) -> Iterable[Message]:
        try:
            _check_frame(message, text)
            fault = Fault("RATE_LIMITED", "too many messages", retryAfterMs=wait)
        except Fault as worse:
            fault = worse
        yield self._error(fault, _event(message, text), message if text else b"")

    def _read(self, message: Message, text: bool) -> Asked:
        """F1 to F8: a frame, and what is in it."""
        _check_frame(message, text)
        found = _decoded(message)
        if type(found) is not dict:
            raise Fault("BAD_ENVELOPE", "not an object")
        event, user, data = found.get("event"), found.get("user"), found.get("data", {})
        if type(event) is not str:
            raise Fault("BAD_ENVELOPE", "event must be a string")
        if "user" in found and type(user) is not str and self._minds_user:
            raise Fault("BAD_ENVELOPE", "user must be a string")
        if type(data) is not dict:
            raise Fault("BAD_ENVELOPE", "data must be an object")
        return Asked(event, user if type(user) is str else None, data)

    _minds_user: ClassVar[bool] = True

    def _heed(self, asked: Asked) -> Iterable[Intent | Output]:
        raise NotImplementedError

    def _error(self, fault: Fault, event: str | None, raw: bytes) -> bytes:
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
            raise Fault("NOT_HOST", TEXTS["NOT_HOST"])
        if not self._paused:
            raise Fault("NOT_PAUSED", "nobody is missing")
        player = next((player for player in table.players if player.name == given), None)
        if player is None:
            raise Fault("UNKNOWN_PLAYER", "nobody here has that name")
        if not player.away or player.seat in view.out:
            raise Fault("NOT_DISCONNECTED", f"{player.name} is not missing")
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

    def _look(self, who: Entrant, asked: bool) -> Intent:
        return Joining(table=who.code, who=who, asked=asked)

    def _admit(self, who: Entrant, table: Summary) -> Intent:
        """Whether they can sit down, or come back; the checks in the order of the protocol. Raises ``Fault``."""
        if table.phase == "waiting":
            if taken(who.name, table.players):
                raise Fault("USERNAME_TAKEN", f"username '{who.name}' is taken, choose another one")
            if len(table.players) >= table.seats:
                raise Fault("GAME_FULL", "game is full")
            return intents.Join(table=table.id, player=who.name)
        player = next((player for player in table.players if player.name == who.name), None)
        if player is None:
            raise Fault("GAME_STARTED", "game has already started")
        if not player.away:
            raise Fault("ALREADY_CONNECTED", f"username '{who.name}' is taken, choose another one")
        by_name = not table.options.require_token  # D54
        return intents.Reclaim(table=table.id, player=who.name, token=who.token, by_name=by_name)

    def _arrive(self, place: Place) -> None:
        self._place = place
        self._names = named(place.summary.players)

    def notify(self, notice: Notice) -> Iterable[Output | Intent]:
        raise NotImplementedError

    def _refused(self, answer: Answer) -> Fault:
        assert answer.refusal is not None
        return explained(answer.refusal, answer.intent, self._place, self.spelled)


def _check_frame(message: Message, text: bool) -> None:
    if not text:
        raise Fault("BAD_FRAME", "text frames only")  # F1
    if len(message) > LONGEST:
        raise Fault("TOO_BIG", f"{LONGEST} bytes are enough")  # F3


def _decoded(message: Message) -> Any:
    try:
        return msgspec.json.decode(message)  # F14: of two equal keys the last one counts
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Fault("BAD_JSON", "not JSON") from None  # F5


def _event(message: Message, text: bool) -> str | None:
    """The event of a message that is refused, if it has one."""
    try:
        found = _decoded(message) if text else None
    except Fault:
        return None
    event = found.get("event") if type(found) is dict else None
    return event if type(event) is str else None


def suggestion(name: str, players: Sequence[Player]) -> str:
    """The first free name that looks like it.

    >>> suggestion("Ann", [Player(0, "ann"), Player(1, "ann-2")])
    'Ann-3'
    """
    number = 2
    while True:
        ending = f"-{number}"
        found = name[: 20 - len(ending)].rstrip(" ") + ending
        if not taken(found, players):
            return found
        number += 1
