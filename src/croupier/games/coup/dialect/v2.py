"""The second version of Coup's own protocol, which an existing web page speaks. See docs/protocols/coup-v2.md.

The numbers B1, B2, … are that page's list of faults that are not repeated; D1, D2, … the decisions of the game's page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from croupier.games.coup import events as ev
from croupier.games.coup import moves as mv
from croupier.games.coup.characters import ACTIONS, CHARACTERS, Action, Character
from croupier.games.coup.dialect.connection import SERVER, ClientMessage, CoupDialect, Entrant, Joining, encode
from croupier.games.coup.dialect.errors import TEXTS, ProtocolError, Spelling
from croupier.games.coup.dialect.names import named, valid_name
from croupier.games.coup.state import Phase, View
from croupier.tables import entries, intents
from croupier.tables.dialect import Hangup, Output
from croupier.tables.intents import Asked, Intent
from croupier.tables.notices import Fact, Refused, Reply
from croupier.tables.place import Place
from croupier.tables.summary import Summary

MISSING = 4002
REFUSED = 4004
LONGEST_ECHO = 500
"""Characters of a refused message that are sent back."""
OPTIONS: Mapping[str, Any] = {"ruleset": "official", "auto_kick_ms": 300_000}
"""What is different at tables made through this version (D1, D53)."""

CARDS: dict[Character, str] = {character: character.capitalize() for character in CHARACTERS}
NAMES: dict[Action, str] = {action: action.replace("_", " ").title() for action in ACTIONS}
HIDDEN = "HIDDEN_CARD"
STATUS: dict[Phase, str] = {
    "pre_game": "Pre-Game",
    "awaiting_action": "Awaiting Action",
    "action_window": "Action Selected",
    "block_window": "Action Blocked",
    "losing_card": "Player Losing Card",
    "exchanging": "Awaiting Exchange",
    "game_over": "Game Over",
}
BECAUSE: dict[ev.LossReason, str] = {
    "bs_wrong": "the challenge was wrong",
    "bs_caught": "the bluff was called",
    "coup": "of a coup",
    "assassinate": "of an assassination",
}
"""The web page puts these behind that word."""


def told(event: str, user: str = SERVER, data: Mapping[str, Any] | None = None) -> bytes:
    return encode({"event": event, "user": user} if data is None else {"event": event, "user": user, "data": data})


class V2(CoupDialect):
    name = "coup v2"
    cards: ClassVar[Mapping[str, Character]] = {spelling: character for character, spelling in CARDS.items()}
    actions: ClassVar[Mapping[str, Action]] = {spelling: action for action, spelling in NAMES.items()}
    spelled = Spelling(CARDS, NAMES)
    _minds_user = False  # D60

    def __init__(self, username: str, code: str, sounds: bool) -> None:
        super().__init__()
        self._username = username
        self._code = code
        self._sounds = sounds
        """Whether the client has said that it knows sounds."""
        self._stale = False
        """Whether something has happened since the client was shown the state."""

    # Requests

    def greet(self) -> Iterable[Output | Intent]:
        if not self._username:  # B10
            yield Hangup(MISSING, "missing username")
        elif not self._code:
            yield Hangup(MISSING, "missing gameCode")
        else:
            yield self._look(Entrant(self._code, self._username, None), None)

    def _heed(self, asked: ClientMessage) -> Iterable[Intent | Output]:
        if asked.event not in HEEDED or (asked.event == "Play Sound" and not self._sounds):
            raise ProtocolError("UNKNOWN_EVENT", "no such event")  # B8
        if self._place is None:
            yield Hangup(4000, "not a player of any game")
            return
        if self._paused and asked.event not in ("Kick Player", "Play Sound"):
            raise ProtocolError("PAUSED", TEXTS["PAUSED"])
        yield Asked(HEEDED[asked.event](self, asked.data), asked)

    def _confirm(self, data: Mapping[str, Any]) -> Intent:
        """The player of an untargeted action; of a targeted one, the target (D25). Too early, it is remembered."""
        view: View = self._seated.view()
        if view.phase == "action_window" and view.target is None:
            return intents.Play(move=mv.Confirm())
        return self._accept("action", view.current)

    def _accept_block(self, data: Mapping[str, Any]) -> Intent:
        """D26: the player whose action is blocked."""
        return self._accept("block", self._seated.view().blocker)

    def _accept(self, to: mv.WindowKind, owner: int | None) -> Intent:
        # For somebody who knows what it means to allow something, it is that too.
        allows = owner is not None and self._seated.dialect_of(owner) != self.name
        return intents.Play(move=mv.Accept(to, allows))

    # Answers

    def on_reply(self, reply: Reply) -> Iterable[Output | Intent]:
        place = reply.place
        match reply.intent:
            case intents.Look():
                assert reply.tables is not None
                return self._found(reply.context, reply.tables[0])
            case intents.Join():
                assert place is not None
                self._arrive(place)
                return (told("Player Join Game", self._username), state(place))
        return ()

    def on_refused(self, reply: Reply, refusal: Refused) -> Iterable[Output | Intent]:
        match reply.intent:
            case intents.Look() if refusal.code == "no_such_table":
                return (Hangup(REFUSED, f"game code '{self._code}' not found"),)
            case intents.Arrival() if refusal.code == "bad_token":
                return (Hangup(REFUSED, "coming back takes a token"),)
            case intents.Look() | intents.Arrival():
                return (Hangup(REFUSED, str(refusal)),)
        return (self._error(self._explained(reply, refusal), None, reply.context.raw),)

    def on_concluded(self) -> Iterable[Output]:
        if not self._stale or self._place is None:
            return ()
        self._stale = False
        return (state(self._place),)

    def on_resync(self, place: Place) -> Iterable[Output]:
        self._arrive(place)
        return (state(place),)

    def _found(self, joining: Joining, table: Summary) -> Iterable[Output | Intent]:
        if not valid_name(joining.who.name):
            return (Hangup(REFUSED, "invalid username"),)
        try:
            return (Asked(self._admit(joining.who, table), joining),)
        except ProtocolError as fault:
            return (Hangup(REFUSED, str(fault)),)

    def _error(self, fault: ProtocolError, event: str | None, raw: bytes) -> bytes:
        received = raw.decode(errors="replace")[:LONGEST_ECHO]
        return encode({"error": f"{fault.code}: {fault}", "receivedData": received})

    # Events

    def on_fact(self, fact: Fact) -> Iterable[Output]:
        place, entry = fact.place, fact.entry
        match entry:
            case entries.Moved() | entries.Expired():
                self._stale = self._stale or bool(fact.events)  # what is only remembered is not to be seen
                return self._events(fact)
            case entries.Said() | entries.Watched() | entries.Unwatched() | entries.Benched() | entries.Silenced():
                return ()
            case entries.Sounded():
                sound = {"sound": entry.sound}
                return (told("Sound", self._names[entry.seat], sound),) if self._sounds else ()
            case entries.Closed():
                self._place = None
                return (Hangup(REFUSED, "the game is no more"),)
        before, self._names = self._names, named(place.summary.players)
        self._stale = True
        match entry:
            case entries.Joined():
                return (told("Player Join Game", entry.name),)
            case entries.Left() if place.lost:
                self._place = None
                return (Hangup(REFUSED, "the host has taken your seat"),)
            case entries.Left() if fact.events and isinstance(fact.events[0], ev.Rose):
                return (told("Player Disconnected", before.get(entry.seat, "")),)
            case entries.Started():
                return (told("Start Game", data={}), *self._events(fact))
            case entries.Reopened():
                return (told("New Game", data={}),)  # B1
            case entries.Back() if entry.seat == place.seat:
                self._arrive(place)
                return (*self._still_paused(place), *self._events(fact))
        return self._events(fact)

    def _still_paused(self, place: Place) -> Iterable[Output]:
        """Who comes back while others are missing has not heard of it: the page would show them nothing at all."""
        if self._paused:
            missing = " and ".join(self._names[seat] for seat in place.view().missing)
            yield told("Pause Game", data={"reason": f"{missing} lost connection"})

    def _events(self, fact: Fact) -> list[bytes]:
        found: list[bytes] = []
        for event in fact.events:
            say = SAID.get(type(event))
            if say is not None:
                message = fact.once(("v2", event), lambda _, say=say, event=event: say(event, self._names))  # type: ignore[misc]
                if message is not None:
                    found.append(message)
        return found


HEEDED: Mapping[str, Callable[[V2, Mapping[str, Any]], Intent]] = {
    "Start Game": lambda self, data: intents.Start(),
    "Choose Action": V2._proposal,
    "Confirm Action": V2._confirm,
    "Challenge Action": lambda self, data: intents.Play(move=mv.CallBs("action")),
    "Block Action": lambda self, data: intents.Play(move=mv.Block(self._card(data.get("card")))),
    "Accept Block": V2._accept_block,
    "Challenge Block": lambda self, data: intents.Play(move=mv.CallBs("block")),
    "Player Reveal Card": lambda self, data: intents.Play(move=mv.Lose(self._card(data.get("card")))),
    "Exchange Cards": lambda self, data: self._keep(data.get("exchangeKeeping")),
    "New Game": lambda self, data: intents.Reopen(),
    "Kick Player": lambda self, data: self._kick(data.get("targetPlayer")),
    "Play Sound": lambda self, data: self._sound(data.get("sound")),
}

Names = Mapping[int, str]


def _action(action: Action, target: int | None, names: Names) -> dict[str, Any]:
    return {"action": NAMES[action]} if target is None else {"action": NAMES[action], "targetPlayer": names[target]}


def _proposed(event: ev.Proposed, names: Names) -> bytes | None:
    if event.block_only:
        return None
    return told("Choose Action", names[event.seat], _action(event.action, event.target, names))


def _executed(event: ev.Executed, names: Names) -> bytes | None:
    if event.after != "window":
        return None
    return told("Confirm Action", names[event.seat if event.target is None else event.target], {})


def _passed(event: ev.Passed, names: Names) -> bytes | None:
    return told("Accept Block", names[event.proposer], {}) if event.reason == "blocked" else None


def _challenged(event: ev.Challenged, names: Names) -> bytes:
    return told("Challenge Block" if event.on_block else "Challenge Action", names[event.seat], {})


def _losing(event: ev.Losing, names: Names) -> bytes:
    data = {"targetPlayer": names[event.seat], "reason": BECAUSE[event.reason]}
    return told("Player Lose Card", data=data)


SAID: Mapping[type[Any], Callable[[Any, Names], bytes | None]] = {
    ev.Proposed: _proposed,
    ev.Executed: _executed,
    ev.Blocked: lambda event, names: told("Block Action", names[event.seat], {"card": CARDS[event.character]}),
    ev.Passed: _passed,
    ev.Challenged: _challenged,
    ev.Losing: _losing,
    ev.Revealed: lambda event, names: told("Player Reveal Card", names[event.seat], {"card": CARDS[event.card]}),
    ev.WentOut: lambda event, names: told("Player Out", data={"name": names[event.seat]}),
    ev.Exchanged: lambda event, names: told("Exchange Cards", names[event.seat]),
    ev.Turn: lambda event, names: told("Next Turn", data={"name": names[event.seat]}),
    ev.Ended: lambda event, names: told("Game Over", data={"name": names[event.seat]}),
    ev.Paused: lambda event, names: told("Pause Game", data={"reason": f"{names[event.seat]} lost connection"}),
    ev.Resumed: lambda event, names: told("Resume Game", data={"reason": "everyone is here"}),
}
"""What everybody is told of an event; all else is seen in the state that follows."""


def state(place: Place) -> bytes:
    """Everything, as this player may see it. What does not apply is left out."""
    table = place.summary
    view: View = place.view()
    names = named(table.players)
    found: dict[str, Any] = {
        "currentPlayerName": names[view.seats[0] if view.current is None else view.current],
        "isPaused": view.paused_since is not None,
        "status": STATUS[view.phase],
    }
    if view.action is not None:
        found["currentAction"] = _action(view.action, view.target, names)
    if view.blocker is not None and view.block_as is not None:
        card = {"card": CARDS[view.block_as]}
        found["blockAction"] = {"event": "Block Action", "user": names[view.blocker], "data": card}
    if view.losing is not None and view.reason is not None:
        found["playerLosingCard"] = {"player": names[view.losing], "reason": BECAUSE[view.reason]}
    found["players"] = [
        {
            "name": player.name,
            "coins": coins,
            "isHost": player.seat == table.host,
            "isOut": player.seat in view.out,
            "cards": [
                {"card": HIDDEN if slot.card is None else CARDS[slot.card], "isRevealed": slot.revealed}
                for slot in slots
            ],
        }
        for player, coins, slots in zip(table.players, view.coins, view.cards, strict=True)
    ]
    found["deckCount"] = view.deck
    if view.pool is not None:
        found["exchangeCards"] = [CARDS[card] for card in view.pool[-2:]]
    return told("Current State", data={"state": found})
