"""The record of a finished game: a file to keep, with all it takes to play the game again and to check its deal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from croupier.journal import Record
from croupier.tables import entries
from croupier.tables.beginning import Beginning
from croupier.tables.entries import AnyEntry
from croupier.tables.luck_log import Draw, Shadow, Whence
from croupier.tables.replay import Again, Happening, Played
from croupier.tables.table import AnyGame

_encode = msgspec.json.Encoder().encode


class RecordedLine(msgspec.Struct, frozen=True):
    seq: int
    at: int
    entry: AnyEntry
    events: Sequence[Any]
    """All of them, with nothing left out."""
    story: Sequence[str]
    draws: Sequence[Draw] | UnsetType = UNSET
    """What luck it took, in the order of the seed's numbers."""
    view: Any = UNSET
    """With all cards open, from a spectator's place: where cards of a shuffle are seen for the first time."""
    whence: Sequence[Whence] | UnsetType = UNSET
    """Which ones those are."""


class GameRecord(msgspec.Struct, frozen=True):
    """All that is needed to play a finished game again: the log as it was, and what came of it."""

    about: Played
    log: Sequence[RecordedLine]
    before: Beginning | None = None
    """What the table was before that; null where the log begins with its opening."""
    omitted: Sequence[int] = ()
    """The numbers of entries in between that were none of the game's business."""


class Scribe:
    """Writes the lines of a record while the game is played again."""

    def __init__(self, beginning: Beginning | None, id: str, game: AnyGame, number: int, language: str) -> None:
        self._shadow = Shadow(beginning, id, game, number)
        self._language = language

    def line(self, now: Happening, draws: Iterable[Draw]) -> RecordedLine:
        self._shadow.follow(now.entry, now.record.at)
        whence = self._shadow.look() if now.is_step else ()
        opened = now.table.game.lay_open(now.table.state, None) if whence else UNSET
        return RecordedLine(
            seq=now.record.seq,
            at=now.record.at,
            entry=now.entry if type(now.entry) is entries.Moved else now.entry.public(),
            events=now.events,
            story=now.story(now.events, self._language) if now.begun else (),
            draws=list(draws) or UNSET,
            view=UNSET if opened is UNSET else msgspec.Raw(_encode(opened)),  # it may be made of what the next changes
            whence=whence or UNSET,
        )


def keep(id: str, game: AnyGame, log: Iterable[Record], number: int, language: str = "en") -> GameRecord:
    """Everything about a game that is over."""
    again = Again(id, game, log, number, listens=True)
    lines: list[RecordedLine] = []
    scribe: Scribe | None = None
    for now in again:
        scribe = scribe or Scribe(again.beginning, id, game, number, language)
        lines.append(scribe.line(now, again.draws))
    numbers = range(lines[0].seq, lines[-1].seq)
    return GameRecord(again.about(), lines, again.beginning, sorted({*numbers} - {line.seq for line in lines}))
