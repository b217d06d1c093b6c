"""The native protocol: every game, every table, in JSON. See docs/protocols/native.md.

Requests are the structs of ``tables.intents``; this module has what the server says.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence, Set
from typing import Any

import msgspec
from msgspec.structs import replace

from croupier import __version__
from croupier.kernel import Clock, Form, Result
from croupier.kernel.event import snake
from croupier.net.changes import Changes, changes
from croupier.net.game_info import GameInfo, describe
from croupier.tables import intents, languages, notices
from croupier.tables.chat import LINES_A_SECOND, Line
from croupier.tables.dialect import Dialect, Message
from croupier.tables.endpoint import ConnectionRequest
from croupier.tables.entries import AnyEntry, Expired, Moved, Reseated, Started, StoodIn
from croupier.tables.intents import Intent
from croupier.tables.notices import Fact, Listed, Refused
from croupier.tables.place import Place
from croupier.tables.summary import Summary
from croupier.tables.table import AnyGame

PROTOCOL = 1


class Told(msgspec.Struct, frozen=True, tag_field="type", tag=snake, omit_defaults=True):
    """What the server says."""


class Welcome(Told, frozen=True):
    """The first message."""

    protocol: int
    server: str
    games: tuple[GameInfo, ...]


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    code: str
    """For programs."""
    message: str
    """For people."""
    data: Mapping[str, Any] = {}
    """What more a game has to say to programs, such as how long to wait."""


class Sync(msgspec.Struct, frozen=True):
    """All there is to know from one place at a table."""

    table: Summary
    seat: int | None
    """Yours; null for a spectator."""
    seq: int
    """The next fact has the next number."""
    view: Any
    """The game as you see it; null before the first one."""
    moves: Sequence[Any]
    """What you may do now."""
    awaited: Sequence[int]
    """The seats that the game can't go on without. (Others may have moves, too.)"""
    clocks: Sequence[Clock]
    result: Result | None
    """Of the last game, if none is being played."""
    chat: Sequence[Line] = ()
    """What was said at the table, the last hundred lines since the server started."""
    forms: Sequence[Form] = ()
    """What else you may do now, too much to list: see docs/protocols/native.md."""
    labels: Sequence[str] | msgspec.UnsetType = msgspec.UNSET
    """With ``labels=1``: the moves in words, in the same order."""
    lesson: int | msgspec.UnsetType = msgspec.UNSET
    """At a table that is a lesson: how many moves of its script have been made. Left out where the game has left it."""
    hints: bool = False
    """You may ask for a hint now."""


class Reply(Told, frozen=True):
    """The end of a request."""

    id: int | None
    """The request's."""
    at: int | None = None
    """The server's time, by which ``due`` of a clock is to be understood."""
    error: Problem | None = None
    tables: Sequence[Summary] | None = None
    sync: Sync | None = None
    """After open, join, seek, watch, return and see."""
    token: str | None = None
    """After open, join, seek and return: the secret that holds your seat. Keep it: it brings you back."""
    person: str | None = None
    """After identify: who you are, for everybody to know."""


class Happened(Told, frozen=True, tag="fact"):
    """Something happened at your table."""

    seq: int
    at: int
    entry: AnyEntry
    events: Sequence[Any]
    """What happened in the game, as far as you may know."""
    clocks: Sequence[Clock]
    moves: Sequence[Any] = ()
    """What you may do now."""
    forms: Sequence[Form] = ()
    """What else you may do now, too much to list."""
    awaited: Sequence[int] = ()
    """The seats that the game can't go on without now. (Others may have moves, too.)"""
    seat: int | None = None
    """Yours, when it may be another one: a game begins and the seats are renumbered, or somebody has changed places."""
    table: Summary | None = None
    """When something about it has changed."""
    changes: Changes | None = None
    """With ``changes=1``, instead of it: what has changed."""
    result: Result | None = None
    """When the game is over."""
    seed: str | None = None
    """When the game is over: what its luck was drawn from, in hexadecimal; its hash was the pledge at the start."""
    view: Any = None
    """When a game begins, and always with ``views=1``: the game as you see it now."""
    story: Sequence[str] = ()
    """With ``views=1``: the events in words."""
    soft: bool = False
    """It is not in the table's log, and has no number of its own: ``seq`` is that of the last entry."""
    labels: Sequence[str] = ()
    """With ``labels=1``: the moves in words, in the same order."""
    lesson: int | None = None
    """At a table that is a lesson, as in ``Sync``."""
    hints: bool = False
    """You may ask for a hint now."""


class Worth(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is thought of a move."""

    move: Any
    label: str
    """The move in words."""
    chance: float | None = None
    """Of winning with it, from 0 to 1."""
    points: float | None = None
    """Those that one is likely to end with; in games in which that says more."""


class Hinted(Told, frozen=True):
    """The hint that was asked for; or an ``error``, if there is none after all."""

    id: int | None
    """The request's."""
    seq: int
    """What was known: the last entry at that time."""
    move: Any = None
    label: str = ""
    """The move in words."""
    weighed: Sequence[Worth] = ()
    """What is thought of the best moves, if anything is: of this one, and then of the others."""
    error: Problem | None = None


class TableListed(Told, frozen=True, tag="listed"):
    """To those who follow the list of tables: this one is new, has changed, or is closed."""

    table: Summary


class SeatReplaced(Told, frozen=True, tag="replaced"):
    """Another connection has taken your seat: this one receives nothing more from the table."""


class Resynced(Told, frozen=True, tag="resync"):
    """What you were told last may not have happened; this is how things are."""

    sync: Sync


SYNCS = (intents.Open, intents.Join, intents.Seek, intents.Watch, intents.Return, intents.See)
"""What is answered with all there is to know."""
_RENUMBER = (Started, Reseated)
"""After these, people may have other seats."""
_QUIET = (Moved, Expired)
"""These change nothing about the table, unless they end the game."""
_OVER = "native: the game is over"
"""What is known of a fact when it has been told once."""
Heard = intents.Request
Said = Welcome | Reply | Happened | Hinted | TableListed | SeatReplaced | Resynced

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Heard).decode


class Native(Dialect):
    keeps_seat = True
    unhurried = True
    marks_ready = True
    lines_a_second = LINES_A_SECOND

    def __init__(
        self,
        welcome: bytes,
        views: bool = False,
        language: str = "en",
        changes: bool = False,
        unlabelled: Container[str] | None = None,
    ) -> None:
        self._welcome = welcome
        self._views = views
        self._language = language
        self._changes = changes
        self._unlabelled = unlabelled
        """The games whose moves are not put into words; None: no game's are."""
        self._known: Summary | None = None
        """How the client knows its table, if it wants to be told only what has changed."""
        self._learning = False
        """Whether its table is a lesson."""

    def greet(self) -> Iterable[Message]:
        yield self._welcome

    def receive(self, message: Message, text: bool) -> Iterable[Intent | Message]:
        try:
            return (_decode(message),)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            return (_encode(_misunderstood(message, error)),)

    def slow_down(self, message: Message, text: bool, wait: int) -> Iterable[Message]:
        warning = languages.words(self._language).said("you are sending too much; this was not done")
        yield _encode(Reply(None, error=Problem("too_fast", warning)))

    def on_reply(self, reply: notices.Reply) -> Iterable[Message]:
        told = _reply(reply, self.unheard)
        if told.sync is not None and reply.place is not None:
            told = replace(told, sync=self._synced(told.sync, reply.place))
        return (_encode(told),)

    def on_refused(self, reply: notices.Reply, refusal: Refused) -> Iterable[Message]:
        sentence = languages.words(self._language, refusal.game).said(refusal.sentence, refusal.data)
        problem = Problem(refusal.code, sentence, refusal.data)
        return (_encode(Reply(reply.intent.id, reply.at, problem)),)

    def on_hint(self, hint: notices.Hint) -> Iterable[Message]:
        place, refusal, found = hint.place, hint.refusal, None if hint.move is None else [hint.move]
        if refusal is not None:
            sentence = languages.words(self._language).said(refusal.sentence, refusal.data)
            problem = Problem(refusal.code, sentence, refusal.data)
            yield _encode(Hinted(hint.intent.id, place.seq, error=problem))
        elif found is not None:
            moves = [*found, *(each.move for each in hint.weighed)]
            label, *labels = place.label(moves, self._language) or [""] * len(moves)
            weighed = [
                Worth(each.move, label, each.chance, each.points)
                for each, label in zip(hint.weighed, labels, strict=True)
            ]
            yield _encode(Hinted(hint.intent.id, place.seq, hint.move, label, weighed))

    def on_listed(self, listed: Listed) -> Iterable[Message]:
        told = listed.shared.get("native")
        if told is None:
            told = listed.shared["native"] = _encode(TableListed(listed.table))
        return (told,)

    def on_replaced(self) -> Iterable[Message]:
        return (_encode(SeatReplaced()),)

    def on_resync(self, place: Place) -> Iterable[Message]:
        return (_encode(Resynced(self._synced(_sync(place, self.unheard), place))),)

    def _synced(self, sync: Sync, place: Place) -> Sync:
        """How things are, for this client, who knows it from now on."""
        self._learning = sync.table.lobby.lesson
        if place.lesson is not None:
            sync = replace(sync, lesson=place.lesson)
        if self._changes:
            self._known = sync.table
        labels = self._labels(place, sync.moves)
        return replace(sync, labels=labels) if labels else sync

    def on_fact(self, fact: Fact) -> Iterable[Message]:
        moves, forms = fact.place.offers()
        kind = type(fact.entry)
        quiet = kind is Moved or kind is Expired
        told: bytes | None
        if moves or forms or (self._views and fact.place.seat is not None) or (not quiet and kind in _RENUMBER):
            told = self._told(fact, moves, forms)
        else:
            # Most receivers of a fact are told the same: it is written once for all of them.
            key = ("native", self._views, self._language, fact.audience, quiet or id(self._known))
            told = fact.shared.get(key)
            if told is None:
                told = fact.shared[key] = self._told(fact, (), ())
        if self._changes and (not quiet or _OVER in fact.shared):
            self._known = fact.place.summary
        return (told,)

    def _told(self, fact: Fact, moves: Sequence[Any], forms: Sequence[Form]) -> bytes:
        place = fact.place
        started = type(fact.entry) is Started
        over = place.just_ended
        if over:
            fact.shared[_OVER] = True
        table, news = self._summary(fact) if over or type(fact.entry) not in _QUIET else (None, None)
        # With more than 15 names, Python makes a dict of them first, which takes as long as all the rest.
        told = Happened(
            fact.seq,
            fact.at,
            fact.entry,
            fact.events,
            place.clocks(),
            moves=moves,
            forms=forms,
            awaited=place.awaited(),
            seat=place.seat if type(fact.entry) in _RENUMBER else None,
            table=table,
            changes=news,
            result=place.result() if over else None,
            seed=place.seed() if over else None,
            view=place.view() if self._views or started else None,
            story=self._story(fact) if self._views else (),
            soft=place.mentioned,
            hints=bool(moves or forms) and place.hintable,
        )
        if self._learning:
            told = replace(told, lesson=place.lesson)
        if moves and self._unlabelled is not None:
            told = replace(told, labels=self._labels(place, moves))
        return _encode(told)

    def _labels(self, place: Place, moves: Sequence[Any]) -> Sequence[str]:
        """The moves in words, if this client wants those of the game."""
        if self._unlabelled is None or place.game in self._unlabelled:
            return ()
        return place.label(moves, self._language)

    def _summary(self, fact: Fact) -> tuple[Summary | None, Changes | None]:
        """The table, or what has changed about it since the client was last told."""
        now, known = fact.place.summary, self._known
        if known is None or type(fact.entry) in _QUIET:
            return now, None
        key = ("changes", id(known))
        if key not in fact.shared:
            fact.shared[key] = changes(known, now)
        news: Changes | None = fact.shared[key]
        return (now, None) if news is None else (None, news)

    def _story(self, fact: Fact) -> list[str]:
        late = fact.place.tell_late(self._language) if type(fact.entry) in (Expired, StoodIn) else []
        return late + fact.place.tell(fact.events, self._language)


class Acceptor:
    """Makes the dialects of connections: ``views=1`` for clients that want to be shown everything, ``changes=1`` for
    those that remember how their table was, ``labels=1`` for those that want the moves in words, except of the games
    that they draw themselves (``drawn=palace,coup``), ``language=fr`` for all that is in words."""

    def __init__(self, games: Mapping[str, AnyGame], ahead: bool = True) -> None:
        self._welcomes = {language: welcome(games, language, ahead) for language in languages.LANGUAGES}

    def __call__(self, request: ConnectionRequest) -> Native:
        language = request.query.get("language", "")
        if language not in self._welcomes:
            language = "en"
        views, changes, labels = (request.query.get(name) == "1" for name in ("views", "changes", "labels"))
        unlabelled = request.query.get("drawn", "").split(",") if labels else None
        return Native(self._welcomes[language], views, language, changes, unlabelled)


def welcome(games: Mapping[str, AnyGame], language: str = "en", ahead: bool = True) -> bytes:
    """The first message, the same for everybody who speaks the language."""
    described = tuple(describe(game, language, ahead) for game in games.values())
    return _encode(Welcome(PROTOCOL, f"croupier {__version__}", described))


def _reply(reply: notices.Reply, unheard: Set[str]) -> Reply:
    if type(reply.intent) is intents.Play:  # nearly all of them
        return Reply(reply.intent.id, reply.at)
    if reply.listing is not None:
        listing: Any = msgspec.Raw(reply.listing)
        return Reply(reply.intent.id, reply.at, tables=listing)
    syncs = isinstance(reply.intent, SYNCS)
    return Reply(
        reply.intent.id,
        reply.at,
        tables=reply.tables,
        sync=_sync(reply.place, unheard) if syncs and reply.place is not None else None,
        token=reply.token,
        person=reply.person,
    )


def _sync(place: Place, unheard: Set[str]) -> Sync:
    moves, forms = place.offers()
    return Sync(
        table=place.summary,
        seat=place.seat,
        seq=place.seq,
        view=place.view(),
        moves=moves,
        awaited=place.awaited(),
        clocks=place.clocks(),
        result=place.result(),
        chat=place.lines(unheard),
        forms=forms,
        hints=bool(moves or forms) and place.hintable,
    )


def _misunderstood(message: Message, error: Exception) -> Reply:
    try:
        found = msgspec.json.decode(message)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as worse:
        return Reply(None, error=Problem("bad_json", f"that is not JSON: {worse}"))
    request = found.get("id") if type(found) is dict else None
    return Reply(request if type(request) is int else None, error=Problem("bad_request", str(error)))
