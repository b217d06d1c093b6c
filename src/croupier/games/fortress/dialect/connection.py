"""Fortress' own protocol: a JSON object on each line, over TCP. See docs/protocols/fortress.md.

The names D1, D2, … are that page's decisions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from croupier.games.fortress import moves as mv
from croupier.games.fortress.dialect.command_to_move import answers_level, move_of
from croupier.games.fortress.dialect.commands import Command, Misread, read
from croupier.games.fortress.dialect.joining import GAME, NotJoined, admitted, token
from croupier.games.fortress.dialect.messages import (
    Message,
    encode,
    error,
    game_state,
    name_of,
    names,
    not_joined,
    open_question,
    rejection,
)
from croupier.games.fortress.dialect.telling import told
from croupier.games.fortress.events import AnyEvent, Ended
from croupier.games.fortress.view import View
from croupier.tables import entries, intents, keys
from croupier.tables.dialect import Deadline, Dialect, Hangup, Output
from croupier.tables.endpoint import ConnectionRequest, HouseQueries
from croupier.tables.intents import Asked, Intent
from croupier.tables.notices import Fact, Refused, Reply
from croupier.tables.place import Place

GOODBYE = 1000
LINGER = 10.0
"""Seconds for which a connection stays after the end of a game."""
MOST_ERRORS = 100
"""In a row."""


Outcome = Message | Intent | Hangup
"""What a dialect has to say before it is written down."""


class FortressDialect(Dialect):
    name = "fortress"
    game = GAME
    consults = True
    rate = 0  # who sends nonsense without end is shown the door otherwise
    keeps_seat = False
    anybody_starts = True
    can_host = False
    deadline = Deadline(60.0, Hangup(GOODBYE, "join within a minute"))

    def __init__(self, house: HouseQueries, address: str) -> None:
        self._house = house
        self._address = address
        self.handle = keys.new_handle()
        """Somebody who comes back on another connection is somebody new to the other player, with the same seat."""
        self._place: Place | None = None
        self._deck: tuple[int, ...] = ()
        self._alone = False
        """Against a bot."""
        self._errors = 0
        self._final: Message | None = None
        """The state at the end of the game; before, None."""
        self._gone = False
        """Has said goodbye, or was shown the door: there is nothing more to say."""

    # From the client

    def receive(self, message: bytes, text: bool) -> Iterable[Intent | Output]:
        return self._written(self._heard(message))

    def overlong(self) -> Iterable[Output]:
        yield from self._written(self._failed(error("LINE_TOO_LONG", "a line has 65536 bytes at most")))  # type: ignore[misc]

    def _heard(self, line: bytes) -> Iterable[Outcome]:
        if self._gone:
            return
        try:
            said = read(line)
        except Misread as misread:
            yield from self._failed(self._misread(misread))
            return
        command = said.name
        if command == "TERMINATE_CONN":
            self._gone = True
            if self._place is not None and self._final is None:
                yield intents.Leave()
            yield Hangup(GOODBYE)
        elif command == "JOIN_GAME" and self._place is None:
            yield from self._join(said)
        elif command == "JOIN_GAME":
            yield from self._failed(error("ALREADY_JOINED", "you have joined already", command))
        elif self._place is None:
            yield from self._failed(error("NOT_JOINED", "join the game first", command))
        else:
            yield from self._in_game(said, self._place)

    def _misread(self, misread: Misread) -> Message:
        if misread.said is not None:
            return rejection(misread.said, misread.code, str(misread), self._seat)
        return error(misread.code, str(misread), misread.named)

    @property
    def _seat(self) -> int | None:
        return None if self._place is None else self._place.seat

    def _join(self, said: Command) -> Iterable[Outcome]:
        try:
            entry = admitted(said.fields, self._house, self._address)
        except NotJoined as reason:
            yield from self._turned_away(reason.code, str(reason))
            return
        self._deck, self._alone = entry.deck, entry.alone
        yield entry.wish

    def _turned_away(self, code: str, sentence: str) -> Iterable[Outcome]:
        self._gone = True
        yield not_joined(code, sentence)
        yield Hangup(GOODBYE)  # D43: after that is on its way

    def _in_game(self, said: Command, place: Place) -> Iterable[Outcome]:
        if self._final is not None:
            yield from self._after_game(said)
            return
        if not place.playing:
            yield from self._rejected(said, "NOT_STARTED", "there is nobody to play with yet")
            return
        if said.name == "GET_STATE":
            yield Asked(intents.See(), said)
            return
        view: View = place.view()
        assert place.seat is not None
        yield Asked(intents.Play(move=move_of(said, place.seat, view)), _as_wish(said, place.seat, view))

    def _after_game(self, said: Command) -> Iterable[Outcome]:
        assert self._final is not None
        if said.name == "GET_STATE":
            self._errors = 0
            yield self._final
        else:
            yield from self._rejected(said, "GAME_OVER", "the game is over")

    def _rejected(self, said: Command, code: str, sentence: str) -> Iterable[Outcome]:
        return self._failed(rejection(said, code, sentence, self._seat))

    def _failed(self, message: Message) -> Iterable[Outcome]:
        """A command that was none, or changes nothing."""
        self._errors += 1
        yield message
        if self._errors >= MOST_ERRORS:
            self._gone = True
            yield error("TOO_MANY_ERRORS", f"{MOST_ERRORS} errors without anything that made sense")
            yield Hangup(GOODBYE)

    # To the client

    def on_reply(self, reply: Reply) -> Iterable[Output | Intent]:
        return () if self._gone else self._written(self._granted(reply))

    def on_refused(self, reply: Reply, refusal: Refused) -> Iterable[Output | Intent]:
        return () if self._gone else self._written(self._refused(reply, refusal))

    def on_fact(self, fact: Fact) -> Iterable[Output | Intent]:
        return () if self._gone or self._final is not None else self._written(self._happened(fact))

    def on_resync(self, place: Place) -> Iterable[Output | Intent]:
        self._place = place
        return self._written((game_state(place.view(), _own(place)),) if place.playing else ())

    def on_replaced(self) -> Iterable[Output | Intent]:
        self._gone = True
        return (Hangup(GOODBYE, "another connection has the seat"),)

    def _written(self, outcomes: Iterable[Outcome]) -> Iterable[Output | Intent]:
        for outcome in outcomes:
            if isinstance(outcome, dict):
                yield encode(outcome)
            else:
                yield outcome

    def _granted(self, reply: Reply) -> Iterable[Outcome]:
        intent, place = reply.intent, reply.place
        if isinstance(intent, intents.Arrival):
            assert place is not None and reply.token is not None
            self._errors = 0
            self._place = place
            arrived = self._returned if isinstance(intent, intents.Return) else self._seated
            return arrived(place, token(place.table, reply.token))
        if reply.context is not None:
            self._errors = 0
        if not isinstance(intent, intents.See):
            return ()
        assert place is not None
        return (game_state(place.view(), _own(place)),)

    def _refused(self, reply: Reply, refusal: Refused) -> Iterable[Outcome]:
        intent, said = reply.intent, reply.context
        if isinstance(intent, intents.Arrival):
            return self._turned_away("BAD_TOKEN" if isinstance(intent, intents.Return) else "GAME_FULL", str(refusal))
        if said is None:  # what was done for the client, and not asked for by it
            return ()
        return self._rejected(said, refusal.code.upper(), str(refusal))

    def _seated(self, place: Place, token: str) -> Iterable[Outcome]:
        table = place.summary
        yield _joined(place, token)
        if place.playing:  # who was there has begun as soon as the newcomer was
            yield from self._begun(place)
        elif len(table.players) == table.seats:
            yield intents.Start()
        elif self._alone:
            yield intents.AddBots()

    def _returned(self, place: Place, token: str) -> Iterable[Outcome]:
        seat, view = _own(place), place.view()
        yield {**_joined(place, token), "RESUMED": True}
        yield game_state(view, seat)
        question = open_question(view, seat)
        if question is not None:
            yield question

    def _begun(self, place: Place) -> Iterable[Outcome]:
        """D6; and the deck, which was brought with the first word, is laid on the table."""
        yield {"COMMAND": "GAME_INIT", "PLAYER_LIST": names(place.summary)}
        yield intents.Play(move=mv.BringDeck(self._deck))

    def _happened(self, fact: Fact) -> Iterable[Outcome]:
        place, entry = fact.place, fact.entry
        self._place = place
        table = place.summary
        match entry:
            case entries.Joined(seat) if seat != place.seat:
                player = next(player for player in table.players if player.seat == seat)
                yield {"COMMAND": "PLAYER_JOINED", "USERNAME": name_of(player), "PLAYER_ID": seat}
                if len(table.players) == table.seats:
                    yield intents.Start()
            case entries.Started():
                yield from self._begun(place)
            case entries.Back(seat) if seat != place.seat and place.playing:
                player = next(player for player in table.players if player.seat == seat)
                yield {"COMMAND": "PLAYER_JOINED", "USERNAME": name_of(player), "PLAYER_ID": seat, "RESUMED": True}
            case entries.Left() | entries.Closed() if not fact.events:
                # Nobody else can be there before a game; so it is this player's seat, or the whole table.
                self._gone = True
                yield Hangup(GOODBYE, "the table is closed")
        if fact.events:
            yield from self._told(cast(Sequence[AnyEvent], fact.events), place)

    def _told(self, events: Sequence[AnyEvent], place: Place) -> Iterable[Outcome]:
        seat = _own(place)
        yield from told(events, seat, place.view, place.summary)
        ended = next((event for event in events if isinstance(event, Ended)), None)
        if ended is not None:
            self._final = game_state(place.view(), seat)
            yield intents.Leave()
            # Whoever has left is not waited for; after all other endings there is a moment to look at it.
            yield Hangup(GOODBYE, "the game is over", after=0 if ended.reason == "forfeit" else LINGER)


def _joined(place: Place, token: str) -> Message:
    others = names(place.summary, but=place.seat)  # D7
    about = {"PLAYER_LIST": others, "PLAYER_ID": place.seat, "TOKEN": token}
    return {"COMMAND": "JOIN_GAME_RESP", "SUCCESS": True, **about}


def _own(place: Place) -> int:
    assert place.seat is not None
    return place.seat


def _as_wish(said: Command, seat: int, view: View) -> Command:
    """D30: LEVEL_MAGE_RESP without an offer is a wish like any other, and refused like one."""
    asked = view.request if view.request is not None and view.request.seat == seat else None
    if said.name == "LEVEL_MAGE_RESP" and not answers_level(said, seat, asked):
        return Command("LEVEL_MAGE", {"TARGET": said.fields["TARGET"]})
    return said


def accept(request: ConnectionRequest) -> FortressDialect:
    return FortressDialect(request.house, request.address)
