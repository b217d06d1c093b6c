"""A finished game once more: step by step from somebody's place, or with all cards open. (To keep: ``records``.)

Only of games that are over: then their seeds are public, and with them all cards. See docs/replays.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from croupier.journal import Record
from croupier.kernel import Chance, Event, Result, Rig
from croupier.tables import entries, languages, logbook
from croupier.tables.beginning import Beginning
from croupier.tables.entries import AnyEntry
from croupier.tables.luck_log import Draw, listening
from croupier.tables.table import AnyGame, Table

FORMAT = 1
NEVER_PLAYED = "that game has not been played to its end at this table"
AT_ONCE = 200
"""So many steps are told in one answer: a view of Palace with 255 players is large, and its games are long."""

_STEPS = (
    entries.Started,
    entries.Moved,
    entries.Expired,
    entries.StoodIn,
    entries.Kicked,
    entries.Left,
    entries.Gone,
)
"""To be seen even where no events of the game come with them; presence is only where it means something in the game."""
_UNHEARD = (
    entries.Said,
    entries.Sounded,
    entries.Watched,
    entries.Unwatched,
    entries.Invited,
    entries.Recognised,
    entries.Benched,
    entries.Silenced,
)
"""What people do at a table that the rules never hear of; it is nobody else's business either."""

_encode = msgspec.json.Encoder().encode


class NoSuchGame(Exception):
    """The table has not played that game to its end, or there is no such seat. The message is for people."""


class Actor(msgspec.Struct, frozen=True):
    """Who played."""

    seat: int
    name: str
    bot: str | None
    """Which bot it was; None for a person."""
    avatar: str = ""
    """The name of their picture, if they have chosen one."""


class Played(msgspec.Struct, frozen=True):
    """A game that is over, in short."""

    format: int
    table: str
    name: str
    """The table's."""
    game: str
    number: int
    """The table's first game is 1."""
    rules: int
    """The version of the rules it was played by."""
    players: tuple[Actor, ...]
    options: Any
    seed: str
    """What its luck was drawn from, in hexadecimal."""
    started_at: int
    ended_at: int
    result: Result
    hash: str
    """Of the whole state at the end, as in the table's public record."""
    legacy: Any = UNSET
    """What the game before has passed on to this one, by the seats of this one; left out where it was nothing."""
    rig: Rig | UnsetType = UNSET
    """How a test has fixed the luck of this game, which does not follow from the seed alone then."""


class Step(msgspec.Struct, frozen=True):
    """Something happened, and how the game looked then."""

    seq: int
    """In the table's log."""
    at: int
    entry: AnyEntry
    events: Sequence[Any]
    story: Sequence[str]
    """The events in words."""
    awaited: Sequence[int]
    """The seats the game can't go on without."""
    view: Any


class Replay(msgspec.Struct, frozen=True):
    """Some steps of a finished game, all seen from one place."""

    about: Played
    seat: int | None
    """Whose eyes it is seen with; None: a spectator's."""
    open: bool
    """Whether all cards lie open."""
    count: int
    """How many steps the game has, from the deal to its end."""
    first: int
    """The number of the first step that is here; the deal is 0."""
    steps: Sequence[Step]


class Happening:
    """One entry of a finished game, and the table just after it."""

    __slots__ = ("entry", "events", "record", "table")

    def __init__(self, table: Table, record: Record, entry: AnyEntry, events: Sequence[Event]) -> None:
        self.table = table
        self.record = record
        self.entry = entry
        self.events = events

    @property
    def begun(self) -> bool:
        """False while people are dealt in before the start, in games that do so."""
        return self.table.phase == "playing" or self.table.result is not None

    @property
    def is_step(self) -> bool:
        return self.begun and (bool(self.events) or isinstance(self.entry, _STEPS))

    def story(self, events: Sequence[Event], language: str) -> list[str]:
        table = self.table
        names, words = [seat.name for seat in table.lineup], languages.words(language, table.game)
        return [sentence for event in events if (sentence := table.game.tell(event, names, words))]


class Again:
    """A table whose log is played again up to the end of one of its games."""

    def __init__(self, id: str, game: AnyGame, log: Iterable[Record], number: int, listens: bool = False) -> None:
        self._listens = listens
        self.draws: list[Draw] = []
        """What luck the latest entry took, if that is listened to."""
        self.table = Table(id, game, listening(self.draws) if listens else Chance)
        self._log = log
        self._number = number
        self.beginning: Beginning | None = None
        """What the table was before all that, likewise."""
        self._started_at = 0
        self._rig: Rig | None = None

    def __iter__(self) -> Iterator[Happening]:
        """What made the game, from its first card on."""
        table, begun = self.table, False
        for record in self._log:
            earlier = table.games
            if self._listens and earlier == self._number - 1 and not begun:
                self.beginning = Beginning.of(table)
            self.draws.clear()
            entry, events = logbook.follow(table, record)
            if earlier != self._number - 1:
                continue
            over = table.games == self._number
            if type(entry) is entries.Started:
                self._started_at = record.at
            if isinstance(entry, entries.Opened | entries.Reopened | entries.Started):
                self._rig = entry.rig or (self._rig if begun else None)
            if (over or table.phase == "playing" or table.gathering) and not isinstance(entry, _UNHEARD):
                begun = True
                yield Happening(table, record, entry, events)
            if over:
                return
        raise NoSuchGame(NEVER_PLAYED)

    def about(self) -> Played:
        return played(self.table, self._number, self._started_at, self._rig)


def played(table: Table, number: int, started_at: int, rig: Rig | None) -> Played:
    """The game that is just over at a table."""
    assert table.result is not None
    return Played(
        format=FORMAT,
        table=table.id,
        name=table.name,
        game=table.game.name,
        number=number,
        rules=table.game.rules,
        players=tuple(Actor(number, seat.name, seat.bot, seat.avatar) for number, seat in enumerate(table.lineup)),
        options=table.options,
        seed=table.seed.hex(),
        started_at=started_at,
        ended_at=table.at,
        result=table.result,
        hash=table.fingerprint(),
        legacy=UNSET if table.inherited is None else table.inherited,
        rig=UNSET if rig is None else rig,
    )


def watch(
    id: str,
    game: AnyGame,
    log: Iterable[Record],
    number: int,
    seat: int | None,
    laid_open: bool,
    first: int = 0,
    language: str = "en",
) -> Replay:
    """The game as that seat saw it (None: a spectator), or would have with all cards open."""
    again = Again(id, game, log, number)
    steps: list[Step] = []
    count = 0
    for now in again:
        if not now.is_step:
            continue
        if seat is not None and not 0 <= seat < len(again.table.lineup):
            raise NoSuchGame("there was no such seat in that game")
        if first <= count < first + AT_ONCE:
            steps.append(_step(now, seat, laid_open, language))
        count += 1
    return Replay(again.about(), seat, laid_open, count, first, steps)


def _step(now: Happening, seat: int | None, laid_open: bool, language: str) -> Step:
    game, state = now.table.game, now.table.state
    if laid_open:
        events, view = now.events, game.lay_open(state, seat)
    else:
        events = [seen for event in now.events if (seen := event.seen_by(seat)) is not None]
        view = game.view(state, seat)
    return Step(
        seq=now.record.seq,
        at=now.record.at,
        entry=now.entry.public(),
        events=events,
        story=now.story(events, language),
        awaited=game.awaited(state),
        view=msgspec.Raw(_encode(view)),  # at once: it may be made of what the next move changes
    )
