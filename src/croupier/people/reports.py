"""What people have told the operator of others: a list to be looked through."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from croupier.journal import Journal, Script, Statement

MOST_OPEN = 2000
"""Reports that wait to be looked at; further ones are not taken before some are done."""
KEPT = 5000
"""Reports in all; the oldest of those that are done are forgotten first."""
_FIELDS = "id, at, reporter, person, name, table_id, game, number, why, said, done_at"


class Heard(msgspec.Struct, frozen=True, array_like=True):
    """A line of the chat, as the reporter had it before them."""

    name: str
    text: str
    at: int


class Report(msgspec.Struct, frozen=True):
    id: str
    at: int
    reporter: str
    """The id of a person."""
    person: str
    """Of whom it is; empty where they are nobody beyond that table."""
    name: str
    table: str
    game: str
    number: int
    """Which of the table's games was being played, or was played last; 0: it is not known."""
    why: str
    said: tuple[Heard, ...] = ()
    """The last lines of the chat."""
    done_at: int | None = None


class TooMany(Exception):
    """There is no room for another report."""


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(tuple[Heard, ...]).decode


def file(report: Report) -> Script[None]:
    """Raises ``TooMany``."""
    ((waiting,),) = yield Statement("SELECT COUNT(*) FROM reports WHERE done_at IS NULL")
    if waiting >= MOST_OPEN:
        raise TooMany
    ((count,),) = yield Statement("SELECT COUNT(*) FROM reports")
    if count >= KEPT:
        yield Statement(
            "DELETE FROM reports WHERE id IN (SELECT id FROM reports WHERE done_at IS NOT NULL ORDER BY at LIMIT $1)",
            (count - KEPT + 1,),
        )
    values = (
        *msgspec.structs.astuple(report)[:-2],
        _encode(report.said).decode(),
        None,
    )
    places = ", ".join(f"${n}" for n in range(1, len(values) + 1))
    yield Statement(f"INSERT INTO reports ({_FIELDS}) VALUES ({places})", values)


def forget_lines(table: str, names: Collection[str]) -> Script[None]:
    """Nothing that these have said at that table is kept with a report."""
    for id, said in (yield Statement("SELECT id, said FROM reports WHERE table_id = $1", (table,))):
        lines = [line for line in _decode(said) if line.name not in names]
        yield Statement("UPDATE reports SET said = $1 WHERE id = $2", (_encode(lines).decode(), id))


async def listed(journal: Journal, done: bool, offset: int, limit: int) -> Sequence[Report]:
    """The latest first."""
    which = "IS NOT NULL" if done else "IS NULL"
    rows = await journal.query(
        f"SELECT {_FIELDS} FROM reports WHERE done_at {which} ORDER BY at DESC, id LIMIT $1 OFFSET $2", limit, offset
    )
    return [Report(*[*row[:9], _decode(row[9]), row[10]]) for row in rows]


async def waiting(journal: Journal) -> int:
    """How many nobody has looked at."""
    ((count,),) = await journal.query("SELECT COUNT(*) FROM reports WHERE done_at IS NULL")
    return int(count)


def mark(id: str, done_at: int | None) -> Script[bool]:
    """It has been looked at, or has to be once more. Returns whether there is such a report."""
    found = yield Statement("SELECT id FROM reports WHERE id = $1", (id,))
    yield Statement("UPDATE reports SET done_at = $2 WHERE id = $1", (id, done_at))
    return bool(found)
