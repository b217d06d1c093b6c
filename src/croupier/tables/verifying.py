"""Whether the record of a game is right: its seed is the one that was promised, and everything follows from it.

The game is played again by its rules, with nothing but the record. What differs first is said in a sentence. See
docs/fair-deals.md.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import msgspec

from croupier.journal import Record
from croupier.kernel import Illegal, Rig, UnknownRules
from croupier.tables import entries
from croupier.tables.beginning import table_before
from croupier.tables.differences import difference, placed, shown
from croupier.tables.entries import AnyEntry
from croupier.tables.logbook import is_time
from croupier.tables.luck_log import SEATS, Draw, Shuffle, listening
from croupier.tables.records import GameRecord, RecordedLine, Scribe
from croupier.tables.replay import FORMAT, Happening, Played, played
from croupier.tables.table import AnyGame, Table

OLDER = "this record was made before deals could be checked: download it once more"
UNFINISHED = "this is the record of a table whose game is not over: only a finished game can be checked"
TABLE = "this is what there is to know of a table, and not the record of a game"
FIXED = (
    "the luck of this game was fixed by a test on its server, or by a lesson: the deal does not follow from the seed"
)

_decode = msgspec.json.Decoder(GameRecord).decode


class NoRecord(Exception):
    """It can't be checked at all. The message is for people."""


class Wrong(Exception):
    """The record is not right. The message says what differs first."""


class Verified(msgspec.Struct, frozen=True):
    """What was found to be right."""

    pledge: str
    moves: int
    shuffles: int
    numbers: int
    places: int
    """Where the replay shows what came out of a shuffle."""


def read(written: bytes) -> GameRecord:
    """A record as it was downloaded. Raises ``NoRecord``."""
    try:
        record = _decode(written)
    except (msgspec.DecodeError, RecursionError) as error:
        raise NoRecord(_no_record(written, error)) from None
    about = record.about
    if about.format != FORMAT:
        raise NoRecord(f"this record is of format {about.format}, and this croupier reads format {FORMAT}")
    if len(_seed(about)) != 32 or not record.log:
        raise NoRecord("this is no record of a game: it has no seed or no log")
    if record.before is None and not isinstance(record.log[0].entry, entries.Opened):
        raise NoRecord(OLDER)
    return record


def _no_record(written: bytes, error: Exception) -> str:
    try:
        found = msgspec.json.decode(written)
        if "about" not in found and found["table"]["phase"]:
            return UNFINISHED if found["table"]["phase"] == "playing" else TABLE
    except (msgspec.DecodeError, LookupError, TypeError, RecursionError):
        pass
    return f"this is no record of a game: {error}"


def verify(record: GameRecord, game: AnyGame, pledge: str | None = None) -> Verified:
    """Play the game again. ``pledge`` is the hash that somebody saw at its start. Raises ``Wrong`` or ``NoRecord``."""
    seed = _seed(record.about)
    found = _pledged(record, hashlib.sha256(seed).hexdigest(), pledge)
    if isinstance(record.about.rig, Rig):
        raise Wrong(FIXED)
    rerun = _Rerun(record, game, seed)
    for line in record.log:
        rerun.follow(line)
    rerun.conclude()
    return Verified(found, rerun.moves, rerun.shuffles, rerun.numbers, rerun.places)


def _seed(about: Played) -> bytes:
    try:
        return bytes.fromhex(about.seed)
    except ValueError:
        return b""


def _pledged(record: GameRecord, hash: str, seen: str | None) -> str:
    if seen is not None and seen.strip().lower() != hash:
        raise Wrong(f"the hash of the seed is {hash}, and you were shown {seen.strip()}")
    for line in record.log:
        if isinstance(line.entry, entries.Started) and line.entry.pledge != hash:
            raise Wrong(f"the hash of the seed is {hash}, and {line.entry.pledge} was shown at the start")
    return hash


class _Rerun:
    """A game that is played again from its record."""

    def __init__(self, record: GameRecord, game: AnyGame, seed: bytes) -> None:
        about = record.about
        self._about = about
        self._seed = seed
        self._draws: list[Draw] = []
        self._started_at = 0
        self._omitted = frozenset(record.omitted)
        self._next: int | None = None
        """The number of the entry that is expected."""
        self.moves = self.shuffles = self.numbers = self.places = 0
        try:
            chance = listening(self._draws)
            self._table: Table = table_before(record.before, about.table, game, about.number, chance)
            self._scribe = Scribe(record.before, about.table, game, about.number, "en")
        except msgspec.ValidationError as error:
            raise NoRecord(f"{game.title} has no such options: {error}") from None

    def follow(self, line: RecordedLine) -> None:
        """Let the next line happen, and hold against it what should have come of it."""
        table, seq = self._table, line.seq
        self._expect(line)
        entry = self._whole(line.entry)
        self._draws.clear()
        try:
            events = table.apply(entry, line.at)
        except UnknownRules as error:
            raise NoRecord(str(error)) from None
        except Illegal as error:
            raise Wrong(f"entry {seq} can't have happened{self._by(entry)}: {error}") from None
        except Exception as error:
            raise Wrong(f"entry {seq} can't have happened{self._by(entry)} ({type(error).__name__})") from error
        if isinstance(entry, entries.Started):
            self._started_at = line.at
            self._seated(entry)
        self.moves += isinstance(entry, entries.Moved)
        self.shuffles += sum(isinstance(draw, Shuffle) for draw in self._draws)
        self.numbers += sum(not isinstance(draw, Shuffle) for draw in self._draws)
        now = Happening(table, Record(seq, line.at, b""), entry, events)
        self._compare(line, _plain(line), _plain(self._scribe.line(now, self._draws)), entry)

    def _expect(self, line: RecordedLine) -> None:
        """Whether this can be the next line at all."""
        table = self._table
        if table.result is not None:
            raise Wrong(f"the game is over, and the record goes on with entry {line.seq}")
        if self._next is not None:
            while self._next in self._omitted:
                self._next += 1
            if line.seq != self._next:
                raise Wrong(f"entry {self._next} is missing, and entry {line.seq} is in its place")
        elif isinstance(line.entry, entries.Opened | entries.Reopened) != table.game.deals_early:
            raise Wrong(f"no game of {table.game.title} begins with {line.entry.__struct_config__.tag}")
        if not is_time(line.at):
            raise Wrong(f"entry {line.seq} has a time that can't be")
        begun = self._next is not None and isinstance(line.entry, entries.Opened | entries.Reopened)
        if begun or (table.phase == "playing" and isinstance(line.entry, entries.Started)):
            raise Wrong(f"the game begins once more with entry {line.seq}")
        self._next = line.seq + 1
        table.seq = line.seq - 1

    def _whole(self, entry: AnyEntry) -> AnyEntry:
        """With what is only said once in the record, for the whole game; and whatever it says, with no rigged luck."""
        match entry:
            case entries.Started() | entries.Opened():
                return msgspec.structs.replace(entry, seed=self._seed, rig=None)
            case entries.Reopened():
                return msgspec.structs.replace(entry, seed=self._seed, rig=None, rules=self._about.rules)
        return entry

    def _by(self, entry: AnyEntry) -> str:
        seat = getattr(entry, "seat", None)
        names = self._names
        return f" (by {names[seat]})" if isinstance(seat, int) and 0 <= seat < len(names) else ""

    @property
    def _names(self) -> Sequence[str]:
        return [seat.name for seat in self._table.lineup]

    def _seated(self, entry: entries.Started) -> None:
        """The table takes the order as it is written; here it has to be the one that was drawn."""
        drawn = next((d for d in self._draws if isinstance(d, Shuffle) and d.name == SEATS), None)
        if self._table.game.customs.seating == "shuffled" and drawn is not None and drawn.order != list(entry.order):
            taken, ours = shown(entry.order), shown(drawn.order)
            raise Wrong(f"people have the seats {taken} in the record and {ours} by the seed")

    def _compare(self, line: RecordedLine, found: Any, expected: Any, entry: AnyEntry) -> None:
        if (where := difference(found.get("draws", []), expected.get("draws", []))) is not None:
            raise Wrong(f"{_misdrawn(line.seq, where.path, expected)} {where.told('the seed')}")
        for what in ("view", "whence"):
            if (where := difference(found.get(what), expected.get(what))) is not None:
                raise Wrong(f"{placed(where.path, expected.get(what), self._names) or what} {where.told('the seed')}")
        if (where := difference(found["events"], expected["events"])) is not None:
            what = placed(where.path, expected["events"], ()) or "what came of it"
            raise Wrong(f"after entry {line.seq}{self._by(entry)}, {what} {where.told('the rules')}")
        self.places += len(expected.get("whence", ()))

    def conclude(self) -> None:
        """How it ended."""
        if self._table.result is None:
            raise Wrong("the record ends before the game is over")
        about, names = self._about, self._names
        found, expected = _plain(about), _plain(played(self._table, about.number, self._started_at, None))
        ended, should_have = (_standing(each["result"], names) for each in (found, expected))
        if found["result"] != expected["result"]:
            raise Wrong(f"the result is {ended} in the record and {should_have} by the moves")
        for player in (*found["players"], *expected["players"]):
            del player["avatar"]  # nobody's business but the page's
        for what in ("players", "options", "rules", "started_at", "ended_at", "hash"):
            if (where := difference(found[what], expected[what], (what,))) is not None:
                raise Wrong(f"{placed(where.path, expected, ())} {where.told('the moves')}")


def _misdrawn(seq: int, path: Sequence[str | int], expected: Any) -> str:
    """Which draw of an entry it is about, and what of it."""
    match path:
        case [int(number), "in" | "out" as side, *rest] if expected["draws"][number]["draw"] == "shuffle":
            which = f"the shuffle “{expected['draws'][number]['name']}”"
            what = placed(rest, None, ()) or "all"
            return f"{what} of {'what went into' if side == 'in' else 'what came out of'} {which} (entry {seq})"
    return f"{placed(path, None, ()) or 'all'} of the luck that entry {seq} took"


def _standing(result: Any, names: Sequence[str]) -> str:
    """A result in words."""
    places = [
        " and ".join(names[seat] if 0 <= seat < len(names) else f"seat {seat}" for seat in place)
        for place in result["placings"]
    ]
    scores = result["scores"]
    return ", then ".join(places) + (f" ({shown(scores)})" if scores is not None else "")


def _plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))
