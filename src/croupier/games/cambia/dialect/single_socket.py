"""Cambia's second dialect, as the web client of its reference speaks it: one socket for lobby and game, in envelopes.

Everything is told as in the first, but for what docs/protocols/cambia.md lists: that client follows some things by
itself and others not at all, and has to be shown the table anew after those.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from croupier.games.cambia.dialect.game_socket import (
    GONE,
    LEFT,
    REFUSED,
    VANISHED,
    CambiaDialect,
    action,
    special_failed,
)
from croupier.games.cambia.dialect.guests import Guest
from croupier.games.cambia.dialect.lobby_socket import ERRORS, LobbyRoom, wish
from croupier.games.cambia.dialect.messages import PONG, SHORT, Json, Misunderstood, card_id, encode
from croupier.games.cambia.dialect.telling import Teller
from croupier.games.cambia.events import (
    AnyEvent,
    CardGone,
    Drew,
    Ended,
    Given,
    MatchEnded,
    Peeked,
    Penalised,
    Replaced,
    Reshuffled,
    RoundEnded,
    RoundStarted,
    SpecialOpened,
    Swapped,
    Turn,
)
from croupier.games.cambia.moves import SWAP, AnyMove, UseSpecial
from croupier.games.cambia.state import View
from croupier.tables import entries, intents
from croupier.tables.dialect import Hangup, Message, Output
from croupier.tables.intents import Asked, Intent
from croupier.tables.notices import Fact, Refused, Reply
from croupier.tables.place import Place

NOT_FOLLOWED = (Replaced, Swapped, Given, Penalised)
"""What the client does not do to its picture of the hands."""
PHASES = {
    "lobby_countdown_start": "countdown",
    "lobby_countdown_cancel": "open",
    "game_start": "in_game",
    "game_results": "post_game",
    "round_end": "round_end",
    "match_end": "match_end",
}
FRAMES_PER_ENTRY = 16


def _not_followed(event: AnyEvent, seat: int | None) -> bool:
    """Whether the client has to be shown the table anew after this. Who looks at an own card sees it there, and who has
    something to choose sees there for how long."""
    match event:
        case Peeked(special="peek_self") | SpecialOpened():
            return event.seat == seat
    return isinstance(event, NOT_FOLLOWED)


class SingleSocketDialect(CambiaDialect):
    copied = (*CambiaDialect.copied, LobbyRoom)

    def __init__(self, guest: Guest, table: str, hangup: Hangup | None = None) -> None:
        self._guest = guest
        self.user, self.token = guest.id, guest.token
        self._table = table
        self._hangup = hangup
        self._seq = 0
        self._phase = "open"
        self._room: LobbyRoom | None = None
        self._teller: Teller | None = None
        """While a game is on the table."""
        self._special: Json = {}
        self._displaced = False
        """Whether the same person has come in a newer tab."""

    def greet(self) -> Iterable[Output | Intent]:
        yield self._hangup or intents.Join(table=self._table, player=self._guest.name)

    def _say(self, told: Json) -> Message:
        """A message of the lobby, or a complaint: its members without the type."""
        kind = told["type"]
        payload = {name: value for name, value in told.items() if name != "type"}
        if kind == "error":
            payload = {"error": told["message"], "message": told["message"], "code": told["code"]}
        elif kind == "chat":
            payload["userID"] = payload.pop("user_id")
        return self._frame(kind, payload)

    def _play(self, told: Json) -> Message:
        """A message of the game: with its type inside too."""
        return self._frame(told["type"], told)

    def _frame(self, kind: str, payload: Json) -> Message:
        self._seq += 1
        return encode({"seq": self._seq, "type": kind, "payload": payload})

    # Requests

    def _asked(self, asked: Json) -> Iterable[Intent | Output]:
        if self._room is None and not self._displaced:
            return
        body = asked.get("body")
        asked = {**body, "type": asked["type"]} if isinstance(body, dict) else asked
        if asked["type"] == "ping":
            yield self._say(PONG)
            return
        if self._displaced:  # who goes on in the older tab is there again
            self._displaced = False
            yield from self.greet()
        room, teller = self._room, self._teller
        if room is None:
            return
        if asked["type"] == "request_sync" and teller is not None:
            yield intents.See()
            return
        move = action(asked, {} if teller is None else teller.seats)
        if move is not None:
            self._special = asked
            if teller is None or not room.place.playing:
                yield from self._failed(asked, "game_over", "The game is over.")
            else:
                yield Asked(intents.Play(move=self._meant(move, asked, room.place)), asked)
            return
        try:
            wished = wish(asked["type"], asked, room)
        except Misunderstood as fault:
            yield self._say({"type": "error", "code": fault.code, "message": str(fault)})
            return
        if isinstance(wished, Intent):
            yield wished

    def _meant(self, move: AnyMove, asked: Json, place: Place) -> AnyMove:
        """The client has no button for the King's second step: to look at the same two again is to swap them."""
        view: View = place.view()
        choice = view.choice
        if isinstance(move, UseSpecial) and move.special == "swap_peek" and choice is not None:
            again = {card_id(asked.get("card1")), card_id(asked.get("card2"))}
            if choice.step == "decide" and again == {card.id for card in choice.cards}:
                return SWAP
        return move

    # Answers

    def on_reply(self, reply: Reply) -> Iterable[Output | Intent]:
        match reply.intent:
            case intents.Join():
                assert reply.place is not None
                return self._arrived(reply.place, reply.at)
            case intents.Leave():
                return (Hangup(LEFT, "you have left"),)
            case intents.See():
                return self._shown(reply.at)
        return ()

    def on_refused(self, reply: Reply, refused: Refused) -> Iterable[Output | Intent]:
        match reply.intent:
            case intents.Play():
                return self._failed(reply.context, refused.code, str(refused), reply.at)
            case intents.Join():
                return (Hangup(GONE.get(refused.code, REFUSED)),)
        code, sentence = ERRORS.get(refused.code, (refused.code, str(refused)))
        return (self._say({"type": "error", "code": code, "message": sentence}),)

    def on_replaced(self) -> Iterable[Output]:
        # Not hung up: the client would come again at once, and throw out the newer one, and so on.
        self._displaced, self._room, self._teller = True, None, None
        return ()

    def on_resync(self, place: Place) -> Iterable[Output | Intent]:
        self._room = LobbyRoom(place)
        return self._all(place, None)

    def _failed(self, asked: Json, code: str, sentence: str, at: int | None = None) -> Iterator[Output | Intent]:
        """Never an error, which takes the table off the screen; and the table anew, for the client has lost track."""
        yield self._play(special_failed(asked, code, sentence))
        if self._teller is not None:
            yield from (intents.See(),) if at is None else self._shown(at)

    def _arrived(self, place: Place, at: int) -> Iterator[Output | Intent]:
        self._room = LobbyRoom(place)
        # Higher than all before: what is no entry, as chat, is said less often than once a millisecond.
        self._seq = max(self._seq, FRAMES_PER_ENTRY * place.seq + at - place.summary.opened_at)
        yield from self._all(place, at)

    def _all(self, place: Place, at: int | None) -> Iterator[Output | Intent]:
        room = self._room
        assert room is not None
        self._phase = "in_game" if place.playing else "open"
        if room.me is not None:
            room.announced.add(room.me.user)
        yield self._lobby(room)
        now = place.at if at is None else at
        if (countdown := room.countdown(now)) is not None:
            yield from self._told(countdown, place, now)
        else:
            yield self._turn_to(self._phase)
        if place.playing:
            self._teller = Teller(place, SHORT)
            yield self._frame("game_started", self._started(self._teller))
            yield from (intents.See(),) if at is None else self._shown(at)

    def _lobby(self, room: LobbyRoom) -> Message:
        return self._say({**room.state(self._guest.id), "phase": self._phase})

    def _started(self, teller: Teller) -> Json:
        return {"game_id": teller.game.id, "players": [player.user for player in teller.players]}

    def _shown(self, at: int) -> Iterator[Output]:
        """The table anew; and since that makes the client forget an open special, that too."""
        teller = self._teller
        if teller is None:
            return
        view: View = teller.place.view()
        yield self._play(teller.sync(at))
        if view.phase == "pregame" and view.seat is not None:
            yield self._play(teller.first_look(view.shown, view.seat))
        choice = view.choice
        if choice is not None and choice.seat == view.seat:
            told = teller.special_choice(choice.seat, choice.card, choice.rank, choice.special, view.due, at)
            yield self._play(told)

    # Facts

    def on_fact(self, fact: Fact) -> Iterator[Output]:
        room, place = self._room, fact.place
        if room is None:
            return
        if isinstance(fact.entry, entries.Closed):
            if not fact.own:
                yield self._say({"type": "error", "code": "lobby_not_found", "message": "The lobby is closed."})
                yield Hangup(VANISHED, "the lobby is closed")
            return
        if place.lost:
            if not fact.own:
                yield Hangup(REFUSED, "your seat was taken away")
            return
        if self._teller is not None:
            yield from self._game(self._teller, fact)
        for told in room.tell(fact):
            yield from self._told(told, place, fact.at)
        match fact.entry:
            case entries.Absent() | entries.Back() if place.playing and self._teller is not None:
                yield from self._shown(fact.at)
            case entries.Joined() | entries.Left() | entries.Readied() | entries.HandedOver() if not place.playing:
                if not room.headless:
                    yield self._lobby(room)
            case _ if fact.events and place.just_ended:  # the marks are cleared, which the client does not do by itself
                yield self._lobby(room)

    def _told(self, told: Json, place: Place, at: int) -> Iterator[Output]:
        kind = told["type"]
        if kind == "game_results" and self._phase == "match_end":
            return  # the client shows what it is told last, and has been told the standings
        if kind == "ready_update" and self._phase in ("post_game", "match_end"):
            yield self._turn_to("open")
        if kind in PHASES:
            seconds = {"seconds": told["seconds"]} if kind == "lobby_countdown_start" else {}
            yield self._turn_to(PHASES[kind], **seconds)
        if kind != "game_start":
            yield self._say(told)
            return
        self._teller = Teller(place, SHORT)
        yield self._frame("game_started", self._started(self._teller))
        yield from self._shown(at)

    def _turn_to(self, phase: str, **more: Any) -> Message:
        self._phase = phase
        return self._frame("phase_change", {"phase": phase, **more})

    def _game(self, teller: Teller, fact: Fact) -> Iterator[Output]:
        events: Sequence[Any] = fact.events
        for event in events:
            for told in self._adapted(teller, event, fact.at):
                yield self._play(told)
        ended = any(isinstance(event, Ended) for event in events)
        if not ended and any(_not_followed(event, fact.place.seat) for event in events):
            yield from self._shown(fact.at)

    def _adapted(self, teller: Teller, event: AnyEvent, at: int) -> Iterator[Json]:
        match event:
            case Replaced() | RoundStarted() | RoundEnded() | MatchEnded():
                return
            case CardGone():
                yield special_failed(self._special, "card_gone", "A card is not there any more.")
                return
            case Swapped():
                one, other = event.card1, event.card2
                now = [
                    {"id": other.id, "idx": one.idx, "user": {"id": teller.players[one.owner or 0].user}},
                    {"id": one.id, "idx": other.idx, "user": {"id": teller.players[other.owner or 0].user}},
                ]
                (told,) = teller.tell(event, at)
                yield {**told, "card1": now[0], "card2": now[1]}
                return
        messages = list(teller.tell(event, at))
        match event:
            case Drew():
                messages.reverse()  # the client counts on the private one, and is set right by the public one
                public = messages[-1]
                size = public.pop("stockpileSize")
                if event.source == "stockpile":
                    public["payload"]["stockpileSize"] = size
            case Reshuffled(stockpile):
                messages = [{"type": messages[0]["type"], "payload": {"stockpileSize": stockpile}}]
            case Peeked():
                for told in messages:
                    told["card1"] = told.pop("card")
            case Turn(turn=turn):
                messages[0]["turn"] = turn
        yield from messages
