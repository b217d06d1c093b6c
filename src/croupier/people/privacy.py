"""What is kept of a person: all of it, to be taken along; and nothing of it any more."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from typing import Any

import msgspec

from croupier.journal import Journal, Row, Script, Statement
from croupier.people import played, reports
from croupier.people.played import Participant

SOMEBODY = "Somebody"
"""What a person is called in others' games who does not want to be in them any more."""
AT_ONCE = 200
"""Games that are read at a time."""

_OF_THEM = {
    "passkeys": "SELECT label, made_at FROM passkeys WHERE person = $1 ORDER BY made_at, id",
    "ratings": "SELECT game, mu, sigma, games, at FROM ratings WHERE person = $1 ORDER BY game",
    "opinions": "SELECT other, name, how, at FROM opinions WHERE person = $1 ORDER BY at, other",
    "reports": "SELECT at, person, name, table_id, game, number, why FROM reports WHERE reporter = $1 ORDER BY at, id",
}
"""What else there is to take along, by what it is called; its columns are what they are called in the answer."""

_FORGOTTEN = (
    "DELETE FROM persons WHERE id = $1",
    "DELETE FROM devices WHERE person = $1 OR former = $1",
    "DELETE FROM links WHERE person = $1",
    "DELETE FROM passkeys WHERE person = $1",
    "DELETE FROM played WHERE person = $1",
    "DELETE FROM ratings WHERE person = $1",
    "DELETE FROM opinions WHERE person = $1 OR other = $1",
    "DELETE FROM reports WHERE reporter = $1",
    f"UPDATE reports SET person = '', name = '{SOMEBODY}' WHERE person = $1",
    "DELETE FROM seats WHERE person = $1",
)


async def kept(journal: Journal, person: str) -> dict[str, list[dict[str, Any]]]:
    """What there is but games, which may be many."""
    found = {}
    for name, query in _OF_THEM.items():
        columns = query.removeprefix("SELECT ").partition(" FROM ")[0].split(", ")
        found[name] = [dict(zip(columns, row, strict=True)) for row in await journal.query(query, person)]
    return found


async def games(journal: Journal, person: str) -> AsyncIterator[dict[str, Any]]:
    """Those that they have played to the end, table by table."""
    query = (
        "SELECT f.table_id, f.seq, f.number, f.game, f.at, f.rated, f.shown, f.players FROM seats AS s"
        " JOIN finished AS f ON f.table_id = s.table_id"
        " WHERE s.person = $1 AND (f.table_id > $2 OR (f.table_id = $2 AND f.seq > $3))"
        f" ORDER BY f.table_id, f.seq LIMIT {AT_ONCE}"
    )
    last: Row = ("", 0)
    while rows := await journal.query(query, person, *last[:2]):
        for last in rows:
            players = played.participants(last[7])
            seat = next((n for n, player in enumerate(players) if player.person == person), None)
            if seat is not None:
                table, _, number, game, at, rated, shown, _ = last
                about = {"table": table, "number": number, "game": game, "at": at, "seat": seat}
                yield about | {"rated": bool(rated), "shown": bool(shown), "players": msgspec.to_builtins(players)}


async def sat_at(journal: Journal, person: str) -> list[Row]:
    """The tables where they have ever sat down, the open ones first: each id, and when it was closed."""
    query = (
        "SELECT t.id, t.closed_at FROM seats AS s JOIN tables AS t ON t.id = s.table_id WHERE s.person = $1"
        " ORDER BY t.closed_at IS NOT NULL, t.id"
    )
    return await journal.query(query, person)


def leave_table(
    person: str, formerly: str, table: str, names: Collection[str], log: dict[int, bytes], record: bytes | None
) -> Script[None]:
    """Nobody finds them at a closed table any more, where they had these names. ``formerly``: what they are to the
    ratings of others; ``log``: entries as they are from now on, by their numbers; ``record``: what strangers are told
    of it, likewise, if they are told anything."""
    for seq, entry in log.items():
        yield Statement("UPDATE entries SET entry = $1 WHERE table_id = $2 AND seq = $3", (entry, table, seq))
    if record is not None:
        yield Statement("UPDATE public SET record = $1 WHERE table_id = $2", (record, table))
    rows = yield Statement("SELECT seq, players FROM finished WHERE table_id = $1", (table,))
    for seq, players in rows:
        if any(player.person == person for player in played.kept(players)):  # what can't be read stays as it is
            nameless = without(person, formerly, players)
            yield Statement("UPDATE finished SET players = $1 WHERE table_id = $2 AND seq = $3", (nameless, table, seq))
    yield from reports.forget_lines(table, names)
    yield Statement("DELETE FROM seats WHERE person = $1 AND table_id = $2", (person, table))


def without(person: str, formerly: str, players: str) -> str:
    """Those who have played a game, one of them nameless."""
    return played.encode(
        [_nameless(each, formerly) if each.person == person else each for each in played.kept(players)]
    ).decode()


def _nameless(player: Participant, formerly: str) -> Participant:
    return msgspec.structs.replace(player, name=SOMEBODY, person="", avatar="", formerly=formerly)


def forget(person: str) -> Script[None]:
    """All that is known of them beside the tables where they have sat. Their devices are as new."""
    for statement in _FORGOTTEN:
        yield Statement(statement, (person,))
