"""Cambia's own protocol, the game socket: actions in, what happens out. See docs/protocols/cambia.md.

The numbers D1, D2, … are that page's decisions; T1, T2, … the rules about time and absence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from croupier.games.cambia.dialect import ids
from croupier.games.cambia.dialect.guests import Guest
from croupier.games.cambia.dialect.ids import LobbyGame
from croupier.games.cambia.dialect.messages import (
    PONG,
    SHORT,
    Faces,
    Json,
    Misunderstood,
    card_id,
    decode,
    echoed,
    encode,
    error,
    named,
    own_card,
)
from croupier.games.cambia.dialect.telling import Teller, in_order
from croupier.games.cambia.events import AnyEvent, CardGone, Ended, MatchEnded, RoundEnded, RoundStarted
from croupier.games.cambia.moves import (
    AnyMove,
    CallCambia,
    Discard,
    DrawDiscardpile,
    DrawStockpile,
    Give,
    Replace,
    Snap,
    UseSpecial,
)
from croupier.games.cambia.rules import Cambia, not_started, out
from croupier.games.cambia.state import View
from croupier.tables import entries, intents
from croupier.tables.dialect import Dialect, Hangup, Message, Output, Pace
from croupier.tables.intents import Asked, Intent
from croupier.tables.notices import Fact, Refused, Reply
from croupier.tables.place import Place

LEFT = 1000
SHUTDOWN = 1001
REFUSED = 1008
BROKEN = 1011
WRONG_SUBPROTOCOL = 3000
VANISHED = 3003
NEWER = 3004
GONE = {"no_such_table": VANISHED, "unavailable": BROKEN, "internal": BROKEN}
"""How somebody is turned away, where that is not just refused."""
LINGER = 30
"""T9: seconds that a finished game can still be looked at."""

SPECIALS = {"blind_swap": "swap_blind", "peek_swap": "swap_peek", "swap_look": "swap_peek"}  # D1, D2
OPEN_DRAWS = ("action_draw_discardpile", "action_draw_discard")  # D4
CARRIED = ("action_discard", "action_replace", "action_snap", "action_snap_give")
"""The actions whose card may be called ``payload``."""


_UNTOLD = frozenset({CardGone, RoundStarted, RoundEnded, MatchEnded})
"""Events for which a game has no message of its own."""


class CambiaDialect(Dialect):
    """What all sockets of this protocol have in common."""

    game = Cambia.name
    ends_with_host = False
    restart = SHUTDOWN
    pace = Pace(500, 1.0, 10, 11.0, Hangup(REFUSED, "too many messages"), once=True)

    def receive(self, message: Message, text: bool) -> Iterable[Intent | Output]:
        if not text:
            return
        try:
            asked = decode(message)
        except Misunderstood as fault:
            yield self._say(error(fault.code, str(fault)))
            return
        yield from self._asked(asked)

    def _asked(self, asked: Json) -> Iterable[Intent | Output]:
        raise NotImplementedError

    def slow_down(self, message: Message, text: bool, wait: int) -> Iterable[Message]:
        yield self._say(error("rate_limited", "You are sending too much; this was not done."))

    def _say(self, told: Json) -> Message:
        return encode(told)


def action(asked: Json, seats: Mapping[str, int]) -> AnyMove | None:
    """The move that a message asks for; None when it asks for none. Whether it is any good is for the rules to say."""
    kind = asked["type"]
    card = asked.get("card")
    if card is None and kind in CARRIED and isinstance(asked.get("payload"), dict):
        card = asked["payload"]
    match kind:
        case "action_draw_stockpile":
            return DrawStockpile()
        case "action_draw_discardpile" | "action_draw_discard":
            return DrawDiscardpile()
        case "action_discard":
            return Discard(card_id(card))
        case "action_replace":
            return Replace(*own_card(card))
        case "action_cambia":
            return CallCambia()
        case "action_snap":
            return Snap(card_id(card))
        case "action_snap_give":
            return Give(*own_card(card))
        case "action_special":
            special = canonical(asked.get("special"))
            if special == "cambia":  # D3
                return CallCambia()
            first = asked.get("card1")
            if first is None and special in ("peek_self", "peek_other"):
                first = card  # D8
            return UseSpecial(special, named(first, seats), named(asked.get("card2"), seats))
    return None


def canonical(special: Any) -> str:
    return SPECIALS.get(special, special) if isinstance(special, str) else ""


def refusal(asked: Json, code: str, sentence: str) -> Json:
    """The answer to an action that can't be done."""
    if asked["type"] != "action_special":
        return error(code, sentence, asked["type"])
    if canonical(asked.get("special")) == "cambia":
        return error(code, sentence, "action_cambia")
    return special_failed(asked, code, sentence)


def special_failed(asked: Json, code: str, sentence: str) -> Json:
    told: Json = {"type": "private_special_action_fail"}
    if isinstance(asked.get("special"), str):
        told["special"] = canonical(asked["special"])
    for name in ("card", "card1", "card2"):
        if (card := echoed(asked.get(name))) is not None:
            told[name] = card
    return {**told, "payload": {"code": code, "message": sentence}}


class GameDialect(CambiaDialect):
    attends = frozenset({"playing"})

    def __init__(self, guest: Guest, game: LobbyGame, faces: Faces, hangup: Hangup | None = None) -> None:
        self._guest = guest
        self._game = game
        self._faces = faces
        self._hangup = hangup
        """Why the connection is closed as soon as it is open."""
        self._teller: Teller | None = None
        """Once there is a place at the table."""
        self._past = False
        """Whether another game, or another round, has come after this connection's."""
        self._special: Json = {}
        """The last special that was asked for."""

    def greet(self) -> Iterable[Output | Intent]:
        yield self._hangup or intents.Return(table=self._game.table, token=self._guest.token)

    # Requests

    def _asked(self, asked: Json) -> Iterable[Intent | Output]:
        kind = asked["type"]
        teller = self._teller
        if kind == "ping":
            yield self._say(PONG)
            return
        if kind == "request_sync" and teller is not None:
            yield intents.See()
            return
        move = action(asked, {} if teller is None else teller.seats)
        if move is None:
            yield self._say(error("unknown_type", "There is no such message here.", kind))
        elif teller is None or not teller.place.playing or self._past:
            yield self._say(refusal(asked, "game_over", "The game is over."))
        elif teller.place.seat is None:  # T13
            refused = not_started() if teller.place.view().phase in ("gathering", "pregame") else out()
            yield self._say(refusal(asked, refused.code, str(refused)))
        else:
            if kind == "action_special":
                self._special = asked
            yield Asked(intents.Play(move=move), asked)

    # Answers

    def on_reply(self, reply: Reply) -> Iterable[Output | Intent]:
        match reply.intent:
            case intents.Return() | intents.Watch():
                assert reply.place is not None
                return self._arrived(reply.place, reply.at)
            case intents.See():
                return self._synced(reply.at)
        return ()

    def on_refused(self, reply: Reply, refused: Refused) -> Iterable[Output | Intent]:
        code = refused.code
        match reply.intent:
            case intents.Play():
                code = "game_over" if code == "not_started" and not self._running() else code
                return (self._say(refusal(reply.context, code, str(refused))),)
            case intents.Return() | intents.Watch() if code == "kicked":
                return (intents.Watch(table=self._game.table),)  # T13: who has left has no seat, but may look on
            case intents.Return() | intents.Watch():
                return (Hangup(GONE.get(code, REFUSED)),)
            case intents.See():
                return self._synced(reply.at)
        return ()

    def on_replaced(self) -> Iterable[Output]:
        return (Hangup(NEWER, "there is a newer connection"),)

    def on_resync(self, place: Place) -> Iterable[Output | Intent]:
        self._teller = Teller(place, self._faces)
        self._past = self._teller.game != self._game
        return (intents.See(),)

    def _synced(self, at: int) -> Iterable[Output]:
        return () if self._teller is None else (self._say(self._teller.sync(at)),)

    def _running(self) -> bool:
        return self._teller is not None and self._teller.place.playing

    def _arrived(self, place: Place, at: int) -> Iterator[Output]:
        if self._guest.id not in [player.user for player in place.lineup()]:
            yield Hangup(REFUSED, "you are not in this game")
            return
        if ids.present(place) != self._game:
            yield Hangup(LEFT, "the game is over")
            return
        self._teller = teller = Teller(place, self._faces)
        view: View = place.view()
        yield self._say(teller.sync(at))
        if view.phase == "pregame" and view.seat is not None:
            yield self._say(teller.first_look(view.shown, view.seat))
        if view.outcome is not None:
            yield self._say(teller.end(view.outcome))
        if not place.playing:
            passed = at - (place.summary.over_at or 0)
            yield Hangup(LEFT, "the game is over", max(0.001, LINGER - passed / 1000))

    # Facts

    def on_fact(self, fact: Fact) -> Iterator[Output]:
        teller = self._teller
        if teller is None:
            return
        if type(fact.entry) is not entries.Moved:  # mostly it is, and ``match`` takes its time to find that out
            match fact.entry:
                case entries.Started() | entries.Closed():
                    self._past = True
                    self.attends = frozenset()  # T1: it takes another socket to be at the next game
                    yield Hangup(LEFT, "the game is over")
                    return
                case entries.Absent() | entries.Back() if fact.place.playing:
                    yield self._say(teller.sync(fact.at))
        if fact.place.lost:
            yield Hangup(LEFT, "you have left")
            return
        events: Sequence[Any] = fact.events
        for event in events:
            if type(event) in _UNTOLD:
                yield from self._untold(event)
                if self._past:
                    return
            else:
                yield from self._news(teller, event, fact)
                if type(event) is Ended and not fact.place.playing:
                    yield Hangup(LEFT, "the game is over", LINGER)

    def _untold(self, event: AnyEvent) -> Iterator[Output]:
        """What the client has to know of it all the same."""
        match event:
            case CardGone():
                yield self._say(special_failed(self._special, "card_gone", "A card is not there any more."))
            case RoundStarted():
                self._past = True
                self.attends = frozenset()  # T1: each round is a game of its own
                yield Hangup(LEFT, "the next round has an id of its own")

    def _news(self, teller: Teller, event: AnyEvent, fact: Fact) -> Sequence[Output]:
        def make(_: Place) -> list[Output]:
            return [encode(told) for told in teller.public(event, fact.at)]

        # Put into words once for all who are dealt the same cards: those with long names, or with short ones.
        public = fact.once(("cambia", self._faces is SHORT, event), make)
        return in_order(event, public, [encode(told) for told in teller.private(event, fact.at)])
