"""What is known of people: for themselves, and for whoever may know it.

Games at private tables are known to those who have played them. Somebody who hides their page is found nowhere.

Each question is a script that only reads, so that a server's journal can be asked as well as a command's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import msgspec

from croupier.journal import Journal, Row, Script, Statement, T
from croupier.people import ratings
from croupier.people.played import Participant, participants
from croupier.people.ratings import FEWEST_GAMES, SURE, Rating

PAGE = 20
"""Games on a page."""
LEADERS = 50
"""People on a page."""
DEEPEST = 1000
"""Places of a list that are shown."""
EVENING = 12 * 60 * 60 * 1000
"""Milliseconds: what was played at a table earlier was another evening."""
LONGEST_EVENING = 200
"""Games."""

Result = Literal["won", "drawn", "lost"]
_RESULTS: dict[Result, int] = {"won": 1, "drawn": 0, "lost": -1}

_SAME_GAME = "{0}.at = p.at AND {0}.table_id = p.table_id AND {0}.seq = p.seq"
_LAST_GAME = (
    "(SELECT f.players FROM played q JOIN finished f ON f.table_id = q.table_id AND f.seq = q.seq "
    "WHERE q.person = {} ORDER BY q.at DESC LIMIT 1)"
)


class Standing(msgspec.Struct, omit_defaults=True):
    """Of a person in a game."""

    game: str
    won: int = 0
    drawn: int = 0
    lost: int = 0
    rating: int | None = None
    margin: int | None = None
    """The rating is right give or take so much, as far as anybody can tell."""
    rated: int = 0
    """Games that have counted for it."""
    provisional: bool = False


class Profile(msgspec.Struct, omit_defaults=True):
    person: str
    name: str
    avatar: str
    since: int
    games: list[Standing]
    own: bool = False
    """It is who asks."""


class Played(msgspec.Struct, omit_defaults=True):
    """A game that somebody has played."""

    table: str
    number: int
    game: str
    at: int
    players: Sequence[Participant]
    rated: bool
    place: int | None = None
    result: Result | None = None
    gain: int | None = None
    cursor: str = ""
    """What comes after it is asked for by this."""


class Against(msgspec.Struct):
    """How often somebody was ahead of somebody else."""

    game: str
    won: int
    lost: int
    drawn: int


class Leader(msgspec.Struct):
    place: int
    person: str
    name: str
    avatar: str
    rating: int
    margin: int
    games: int


class Guest(msgspec.Struct, omit_defaults=True):
    """Somebody who has played at a table this evening."""

    name: str
    won: int = 0
    person: str = ""
    avatar: str = ""
    bot: str = ""


class Evening(msgspec.Struct, omit_defaults=True):
    games: int
    people: list[Guest]
    last: int = 0
    """The number of the last game that was played to its end."""
    gains: dict[str, int] = {}
    """What that has changed in the ratings of people."""
    counting: bool = False
    """It has not counted yet."""


async def read(journal: Journal, script: Script[T]) -> T:
    try:
        statement = next(script)
        while True:
            statement = script.send(await journal.query(statement.sql, *statement.values))
    except StopIteration as end:
        found: T = end.value
        return found


def read_now(query: Callable[..., Sequence[Row]], script: Script[T]) -> T:
    """The same for a command, which can wait."""
    try:
        statement = next(script)
        while True:
            statement = script.send(list(query(statement.sql, *statement.values)))
    except StopIteration as end:
        found: T = end.value
        return found


def profile(person: str, asker: str | None) -> Script[Profile | None]:
    """None: nothing is known of such a person, or nothing that the asker may know."""
    known = yield Statement("SELECT name, avatar, made_at, hidden FROM persons WHERE id = $1", (person,))
    if known and known[0][3] and asker != person:
        return None
    sql = "SELECT p.game, p.won, count(*), min(p.at) FROM played p WHERE p.person = $1"
    sight, values = _visible(person, asker, 2)
    rows = yield Statement(f"{sql}{sight} GROUP BY p.game, p.won", (person, *values))
    if not known and not rows:
        return None
    standings: dict[str, Standing] = {}
    for game, won, count, _ in rows:
        standing = standings.setdefault(game, Standing(game))
        if won is not None:
            result = "won" if won > 0 else "lost" if won < 0 else "drawn"
            setattr(standing, result, count)
    numbers = yield Statement("SELECT game, mu, sigma, games FROM ratings WHERE person = $1", (person,))
    for game, mu, sigma, count in numbers:
        rating, standing = Rating(mu, sigma, count), standings.setdefault(game, Standing(game))
        standing.rating, standing.margin = rating.shown, rating.margin
        standing.rated, standing.provisional = rating.games, rating.provisional
    if known:
        name, avatar, since, _ = known[0]
    else:
        last = yield Statement(f"SELECT {_LAST_GAME.format('$1')}", (person,))
        (name, avatar), since = _called(person, last[0][0]), min(row[3] for row in rows)
    ordered = sorted(standings.values(), key=lambda each: each.game)
    return Profile(person, name, avatar, since, ordered, asker == person)


def games(
    person: str,
    asker: str | None,
    *,
    game: str | None = None,
    result: Result | None = None,
    against: str | None = None,
    before: tuple[int, str, int] | None = None,
) -> Script[list[Played]]:
    """The latest of them, or the latest ``before`` one of them: a page."""
    values: list[Any] = [person]

    def mark(value: Any) -> str:
        values.append(value)
        return f"${len(values)}"

    sql = (
        "SELECT p.table_id, f.number, p.game, p.at, f.players, f.rated, p.place, p.won, p.gain, p.seq FROM played p "
        "JOIN finished f ON f.table_id = p.table_id AND f.seq = p.seq"
    )
    if against is not None:
        sql += f" JOIN played o ON o.person = {mark(against)} AND {_SAME_GAME.format('o')}"
    sql += " WHERE p.person = $1"
    if game is not None:
        sql += f" AND p.game = {mark(game)}"
    if result is not None:
        sql += f" AND p.won = {mark(_RESULTS[result])}"
    if before is not None:
        sql += f" AND (p.at, p.table_id, p.seq) < ({', '.join(map(mark, before))})"
    sight, more = _visible(person, asker, len(values) + 1)
    sql += f"{sight} ORDER BY p.at DESC, p.table_id DESC, p.seq DESC LIMIT {PAGE}"
    names = {won: name for name, won in _RESULTS.items()}
    return [
        Played(
            table, number, of, at, participants(players), bool(rated), place, names.get(won),
            None if gain is None else ratings.gain_shown(gain), f"{at}.{seq}.{table}",
        )
        for table, number, of, at, players, rated, place, won, gain, seq in (yield Statement(sql, (*values, *more)))
    ]  # fmt: skip


def against(person: str, other: str, asker: str | None) -> Script[list[Against]]:
    """Where they have played for different sides."""
    sight, values = _visible(person, asker, 3)
    rows = yield Statement(
        "SELECT p.game, SUM(CASE WHEN p.place < o.place THEN 1 ELSE 0 END), "
        "SUM(CASE WHEN p.place > o.place THEN 1 ELSE 0 END), SUM(CASE WHEN p.place = o.place THEN 1 ELSE 0 END) "
        f"FROM played p JOIN played o ON o.person = $2 AND {_SAME_GAME.format('o')} "
        f"WHERE p.person = $1 AND p.side <> o.side AND p.place IS NOT NULL AND o.place IS NOT NULL{sight} "
        "GROUP BY p.game ORDER BY p.game",
        (person, other, *values),
    )
    return [Against(*row) for row in rows]


def leaders(game: str, after: int = 0) -> Script[list[Leader]]:
    """Those whose ratings are known well enough, best first."""
    rows = yield Statement(
        f"SELECT r.person, r.mu, r.sigma, r.games, k.name, k.avatar, {_LAST_GAME.format('r.person')} FROM ratings r "
        "LEFT JOIN persons k ON k.id = r.person "
        "WHERE r.game = $1 AND r.games >= $2 AND r.sigma <= $3 AND COALESCE(k.hidden, 0) = 0 "
        f"ORDER BY r.mu DESC, r.person LIMIT {LEADERS} OFFSET $4",
        (game, FEWEST_GAMES, SURE, after),
    )
    found = []
    for place, (person, mu, sigma, count, name, avatar, last) in enumerate(rows, start=after + 1):
        if name is None:
            name, avatar = _called(person, last)
        rating = Rating(mu, sigma, count)
        found.append(Leader(place, person, name, avatar, rating.shown, rating.margin, rating.games))
    return found


def evening(table: str, asker: str | None, now: int) -> Script[Evening]:
    """Who has won what at a table, the last winner first."""
    rows = yield Statement(
        "SELECT seq, number, at, shown, players, rank FROM finished WHERE table_id = $1 AND at > $2 "
        f"ORDER BY seq DESC LIMIT {LONGEST_EVENING}",
        (table, now - EVENING),
    )
    known = [(row, participants(row[4])) for row in rows]
    known = [(row, people) for row, people in known if row[3] or asker in {each.person for each in people} - {""}]
    found = Evening(len(known), [])
    guests: dict[str, Guest] = {}
    for _, people in known:
        winners = ratings.winners(people)
        for seat, each in enumerate(people):
            key = each.person or f"{each.bot} {each.name}"
            guest = guests.setdefault(key, Guest(each.name, 0, each.person, each.avatar, each.bot))
            guest.won += seat in winners
    found.people = sorted(guests.values(), key=lambda guest: (-guest.won, bool(guest.bot)))
    if known:
        (seq, found.last, at, _, _, rank), people = known[0]
        found.counting = rank is None
        for each in people:
            if each.person and rank is not None:
                about = (each.person, at, table, seq)
                sql = "SELECT gain FROM played WHERE person = $1 AND at = $2 AND table_id = $3 AND seq = $4"
                for (gain,) in (yield Statement(sql, about)):
                    if gain is not None:
                        found.gains[each.person] = ratings.gain_shown(gain)
    return found


def _visible(person: str, asker: str | None, number: int) -> tuple[str, Row]:
    """What of a person's games somebody may know; ``number`` is that of the next value."""
    if asker == person:
        return "", ()
    if asker is None:
        return " AND p.shown = 1", ()
    there = f"SELECT 1 FROM played a WHERE a.person = ${number} AND {_SAME_GAME.format('a')}"
    return f" AND (p.shown = 1 OR EXISTS ({there}))", (asker,)


def _called(person: str, players: str | None) -> tuple[str, str]:
    """Name and picture, as they were in a game."""
    for each in participants(players or "[]"):
        if each.person == person:
            return each.name, each.avatar
    return "", ""
