"""The first version of Coup's own protocol. See docs/protocols/coup-v1.md.

The numbers D1, D2, … are the decisions of the game's page; F1, F2, … the rows about frames of the protocol's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from croupier.games.coup import events as ev
from croupier.games.coup import moves as mv
from croupier.games.coup.characters import ACTIONS, CHARACTERS, Action, Character
from croupier.games.coup.dialect.connection import MAIN, ClientMessage, CoupDialect, Entrant, Joining
from croupier.games.coup.dialect.errors import TEXTS, ProtocolError, Spelling
from croupier.games.coup.dialect.names import named, suggestion, valid_name
from croupier.games.coup.dialect.v1_messages import REASONS, SAID, hand, joined, state, told, welcome, your_hand
from croupier.games.coup.rules import Coup
from croupier.games.coup.state import View
from croupier.tables import entries, intents
from croupier.tables.dialect import Deadline, Hangup, Output
from croupier.tables.intents import Asked, Intent
from croupier.tables.notices import Fact, Refused, Reply
from croupier.tables.place import Place
from croupier.tables.summary import Summary

UNKNOWN_TABLE = 4004
DESTROYED = 4010
OPTIONS: Mapping[str, Any] = {"ruleset": "note", "auto_kick_ms": 0}
"""What is different at tables made through this version (D1)."""

JOIN = "PLAYER_JOIN_GAME"
WHILE_PAUSED = ("KICK_PLAYER", "GET_STATE", "PLAY_SOUND")


class V1(CoupDialect):
    name = "coup v1"
    deadline = Deadline(60.0, Hangup(4001, "nobody has joined on this connection"))
    cards: ClassVar[Mapping[str, Character]] = {character.upper(): character for character in CHARACTERS}
    actions: ClassVar[Mapping[str, Action]] = {action.upper(): action for action in ACTIONS}
    spelled: ClassVar[Spelling] = Spelling(
        {character: character.upper() for character in CHARACTERS},
        {action: action.upper() for action in ACTIONS},
        ", written like this; without /v1 in the address of the connection, any way of writing them will do",
    )

    def __init__(self, code: str, username: str | None, token: str | None) -> None:
        super().__init__()
        self._code = code
        self._username = username
        """From the address of the connection."""
        self._url_token = token
        self._token: str | None = None
        """The seat's secret, if this client knows it."""
        self._held: list[bytes] = []
        """What comes last of what is being told."""

    # Requests

    def greet(self) -> Iterable[Output | Intent]:
        if self._username is not None:
            try:
                yield self._join(self._username, self._url_token, None)
            except ProtocolError as fault:
                yield self._error(fault, None, b"")
        elif self._code != MAIN:
            yield intents.Look(table=self._code)

    def _heed(self, asked: ClientMessage) -> Iterable[Intent | Output]:
        event, user, data, _ = asked
        if event not in HEEDED and event != JOIN:
            raise ProtocolError("UNKNOWN_EVENT", f"an event is {JOIN} or one of {', '.join(HEEDED)}")  # F9
        if self._place is None:
            if event != JOIN:
                raise ProtocolError("NOT_JOINED", "join first")  # F10
            token = data.get("token")
            yield self._join(user, token if type(token) is str else None, event)
            return
        if event == JOIN:
            raise ProtocolError("ALREADY_JOINED", "you have joined already")  # F11
        own = self._names[self._seated.seat or 0]
        if user is not None and user != own:
            raise ProtocolError("USER_MISMATCH", f"you are {own}")  # F12, D60
        if event not in WHILE_PAUSED and self._paused:
            raise ProtocolError("PAUSED", TEXTS["PAUSED"])  # F13
        yield Asked(HEEDED[event](self, data), asked)

    def _join(self, user: str | None, token: str | None, event: str | None) -> Intent:
        if user is None or not valid_name(user):
            raise ProtocolError("BAD_USERNAME", Coup.customs.naming.hint)
        return self._look(Entrant(self._code, user, token), event)

    def _confirm(self, data: Mapping[str, Any]) -> Intent:
        action = data.get("action")
        known: Any = "block" if action == "BLOCK" else self._action(action)
        target = self._seat(data.get("targetPlayer"))
        return intents.Play(move=mv.Confirm(known, target, patient=False))

    def _allow(self, data: Mapping[str, Any]) -> Intent:
        to, place = _to(data), self._seated
        view: View = place.view()
        if place.seat in view.responders:
            # A client of the second version can't confirm its own targeted action or block: who is concerned does.
            owner, concerned = (view.current, view.target) if view.blocker is None else (view.blocker, view.current)
            if place.seat == concerned and owner is not None and place.dialect_of(owner) == "coup v2":
                return intents.Play(move=mv.Accept(to))
        return intents.Play(move=mv.Allow(to))

    # Answers

    def on_reply(self, reply: Reply) -> Iterable[Output | Intent]:
        place = reply.place
        match reply.intent:
            case intents.Look() if reply.context is not None:
                assert reply.tables is not None
                return self._found(reply.context, reply.tables[0])
            case intents.Join() | intents.OpenAs():
                assert place is not None
                self._arrive(place)
                self._token = reply.token
                return (welcome(place, self._token), joined(place, place.seat or 0), hand(place))
            case intents.See():
                assert place is not None
                return (told("GAME_STATE", state(place, reply.at)),)
        return ()

    def on_refused(self, reply: Reply, refusal: Refused) -> Iterable[Output | Intent]:
        asked, fault = reply.context, self._explained(reply, refusal)
        if isinstance(reply.intent, intents.Look):
            return self._not_found(asked, refusal, fault)
        if refusal.code in ("no_such_player", "connected", "bad_token"):
            fault.code = "BAD_TOKEN" if refusal.code == "bad_token" else "GAME_STARTED"
        return (self._error(fault, JOIN if isinstance(asked, Joining) else asked.event, b""),)

    def on_concluded(self) -> Iterable[Output | Intent]:
        held, self._held = self._held, []
        return held

    def on_resync(self, place: Place) -> Iterable[Output | Intent]:
        self._arrive(place)
        return (told("GAME_STATE", state(place, place.at)),)

    def _found(self, joining: Joining, table: Summary) -> Iterable[Output | Intent]:
        who = joining.who
        try:
            self._token = who.token
            return (Asked(self._admit(who, table), joining),)
        except ProtocolError as fault:
            if fault.code != "USERNAME_TAKEN":
                return (self._error(fault, joining.event, b""),)
            instead = suggestion(who.name, table.players)  # D43
            return (told("USERNAME_TAKEN", {"username": who.name, "suggestion": instead}),)

    def _not_found(self, joining: Joining | None, refusal: Refused, fault: ProtocolError) -> Iterable[Output | Intent]:
        if joining is None:
            return self._nowhere(None)
        if refusal.code != "no_such_table":
            return (self._error(fault, joining.event, b""),)
        if joining.who.code != MAIN:
            return self._nowhere(joining.event)
        opens = intents.OpenAs(
            game=Coup.name,
            player=joining.who.name,
            name="Main table",
            seats=Coup.seats[-1],
            options=dict(OPTIONS),
            code=MAIN,
            keeps=0,
        )
        return (Asked(opens, joining),)

    def _nowhere(self, event: str | None) -> Iterable[Output]:
        fault = ProtocolError("UNKNOWN_TABLE", "there is no such table")
        return (self._error(fault, event, b""), Hangup(UNKNOWN_TABLE, str(fault)))

    def _error(self, fault: ProtocolError, event: str | None, raw: bytes) -> bytes:
        return told("ERROR", {"code": fault.code, "message": str(fault), "inReplyTo": event, **fault.data})

    # Events

    def on_fact(self, fact: Fact) -> Iterable[Output | Intent]:
        place, entry = fact.place, fact.entry
        if isinstance(entry, entries.Moved | entries.Expired):
            return self._events(fact)
        before, self._names = self._names, named(place.summary.players)
        names = self._names
        match entry:
            case entries.Joined():
                return (fact.once("v1", lambda shown: joined(shown, entry.seat)),)
            case entries.Left():
                return self._left(fact, entry, before.get(entry.seat, ""))
            case entries.Started():
                turn = told("nextTurn", {"currentPlayerName": names[0]})
                return (told("START_GAME", {}), turn, *self._events(fact))
            case entries.Reopened():
                host = place.summary.host
                data = {"playerNames": list(names.values()), "host": None if host is None else names[host]}
                return (fact.once("v1", lambda _: told("NEW_GAME", data)), hand(place))
            case entries.Absent():
                self._held += self._events(fact)
                return (told("PLAYER_DISCONNECT", {"playerName": names[entry.seat], "removed": False}),)
            case entries.Back():
                return self._back(fact, entry.seat)
            case entries.HandedOver():
                return (told("HOST_CHANGED", {"host": names[entry.seat]}),)
            case entries.Sounded():
                return (told("SOUND", {"playerName": names[entry.seat], "sound": entry.sound}),)
            case entries.Closed():
                self._place = None
                return (Hangup(DESTROYED, "the table is no more"),)
        return ()

    def _left(self, fact: Fact, entry: entries.Left, name: str) -> Iterable[Output]:
        if fact.place.lost:
            self._place = None
            return (told("PLAYER_KICKED", {"playerName": name}),)
        if entry.why == "gone":  # NEW_GAME will tell who is still there
            return ()
        if not fact.events or isinstance(fact.events[0], ev.Rose):
            return (told("PLAYER_DISCONNECT", {"playerName": name, "removed": bool(fact.events)}),)
        return self._events(fact)

    def _back(self, fact: Fact, seat: int) -> Iterable[Output]:
        place = fact.place
        resumed = any(isinstance(event, ev.Resumed) for event in fact.events)
        if resumed:
            self._held.append(told("GAME_RESUMED", {}))
        reconnected = told("PLAYER_RECONNECT", {"playerName": self._names[seat]})
        if seat != place.seat:
            return (reconnected,)
        self._arrive(place)
        known = state(place, fact.at)
        if resumed:
            known["paused"] = True  # that it goes on is told in a moment
        elif known["paused"]:
            missing = [self._names[other] for other in place.view().missing]
            self._held.append(told("GAME_PAUSED", {"reason": f"{missing[0]} is missing", "waitingFor": missing}))
        return (welcome(place, self._token), told("GAME_STATE", known), reconnected)

    def _events(self, fact: Fact) -> list[bytes]:
        if fact.audience is None:  # nothing of it is only for somebody
            return fact.once("v1 events", lambda _: [told for event in fact.events for told in self._public(event)])
        found: list[bytes] = []
        for event in fact.events:
            found += fact.once(("v1", event), lambda _, event=event: self._public(event))  # type: ignore[misc]
            private = self._private(event, fact.place)
            if private is not None:
                found.append(private)
        return found

    def _public(self, event: Any) -> list[bytes]:
        """What everybody is told."""
        say = SAID.get(type(event))
        return [] if say is None else say(event, self._names)

    def _private(self, event: Any, place: Place) -> bytes | None:
        """What only the player is told to whom it happened."""
        match event:
            case ev.Losing(asked=True) if event.cards is not None:
                cards = [card.upper() for card in event.cards]
                data = {"reason": REASONS[event.reason], "cards": cards, "timeoutMs": event.timeout_ms}
                return told("PLAYER_LOSE_CARD", data)
            case ev.Drew() if event.pool is not None:
                cards = [card.upper() for card in event.pool]
                return told("EXCHANGE_OPTIONS", {"cards": cards, "keep": event.keep, "timeoutMs": event.timeout_ms})
            case ev.Revealed() if event.hand is not None and event.reason != "kicked":
                return your_hand(event.hand, event.revealed)
            case ev.Swapped() | ev.Exchanged() if event.hand is not None:
                view: View = place.view()
                return your_hand(event.hand, view.revealed[view.seats.index(event.seat)])
        return None


def _to(data: Mapping[str, Any]) -> Any:
    """D32: what is answered, if the client says so."""
    to = data.get("to")
    return None if to is None else {"ACTION": "action", "BLOCK": "block"}.get(to if type(to) is str else "", "")


HEEDED: Mapping[str, Callable[[V1, Mapping[str, Any]], Intent]] = {
    "START_GAME": lambda self, data: intents.Start(),
    "PROPOSE_ACTION": V1._proposal,
    "CONFIRM_ACTION": lambda self, data: self._confirm(data),
    "CALL_BS": lambda self, data: intents.Play(move=mv.CallBs(_to(data))),
    "BLOCK_ACTION": lambda self, data: intents.Play(move=mv.Block(self._card(data.get("blockAs")))),
    "PLAYER_LOSE_CARD": lambda self, data: intents.Play(move=mv.Lose(self._card(data.get("card")))),
    "ALLOW_ACTION": V1._allow,
    "NEVERMIND_ACTION": lambda self, data: intents.Play(move=mv.Withdraw()),
    "EXCHANGE_CARDS": lambda self, data: self._keep(data.get("keep")),
    "KICK_PLAYER": lambda self, data: self._kick(data.get("playerName")),
    "NEW_GAME": lambda self, data: intents.Reopen(),
    "GET_STATE": lambda self, data: intents.See(),
    "PLAY_SOUND": lambda self, data: self._sound(data.get("sound")),
}
"""What the events of somebody who has joined ask for."""
