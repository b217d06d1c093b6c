"""What people have played and how good they are, as it follows from the games that are over.

Each game gets the next *rank* when it is its turn; what follows from it (``played``, ``ratings``) is written in the
same transaction. So a game counts once, whatever crashes and however many nodes are at it; and in the order of the
ranks everything can be worked out anew, to the same numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from croupier.journal import Journal, Row, Script, Statement
from croupier.people import played, ratings
from croupier.people.played import Participant
from croupier.people.ratings import Outcome, Rating

AT_ONCE = 25
"""Games in one transaction: others wait for its end."""
_PAGE = 500
"""Games that are read at a time, where nobody waits."""
_ROWS = 100
"""Rows in one statement."""

_NEXT = Statement(
    "SELECT table_id, seq, game, at, rated, shown, players FROM finished WHERE rank IS NULL "
    "ORDER BY at, table_id, seq LIMIT $1",
    (AT_ONCE,),
)
_LAST = Statement("SELECT max(rank) FROM finished WHERE rank IS NOT NULL")
_RANK = "UPDATE finished SET rank = $1 WHERE table_id = $2 AND seq = $3"
_RANKED = (
    "SELECT table_id, seq, game, at, rated, shown, players, rank FROM finished WHERE rank > $1 ORDER BY rank LIMIT $2"
)
_PLAYED = "INSERT INTO played (person, at, table_id, seq, game, place, side, won, shown, gain) VALUES "
_RATED = "INSERT INTO ratings (game, person, mu, sigma, games, at) VALUES "
_INSTEAD = (
    " ON CONFLICT (game, person) DO UPDATE SET mu = excluded.mu, sigma = excluded.sigma, games = excluded.games, "
    "at = excluded.at"
)

Ratings = dict[tuple[str, str], Rating]
"""By game and person."""


class Game(NamedTuple):
    """A row of ``finished``."""

    table: str
    seq: int
    game: str
    at: int
    rated: int
    shown: int
    players: str

    def participants(self) -> tuple[Participant, ...]:
        return played.kept(self.players)


class Counting:
    """Games that count one after the other, and what is to be written of them."""

    def __init__(self) -> None:
        self.ratings: Ratings = {}
        """Those that are known, as they are now."""
        self.changed: dict[tuple[str, str], int] = {}
        """Whose have changed, and when."""
        self.played: list[Row] = []

    def count(self, game: Game) -> None:
        players = game.participants()
        gains: dict[str, float] = {}
        forgotten = {player.formerly for player in players}
        if game.rated and ratings.counts(players):
            before = {player.rated_as: self.ratings.get((game.game, player.rated_as), Rating()) for player in players}
            for person, rating in ratings.rated(players, before).items():
                self.ratings[game.game, person] = rating
                if person not in forgotten:
                    self.changed[game.game, person] = game.at
                gains[person] = rating.mu - before[person].mu + 0.0  # SQLite knows no -0.0
        for person, outcome in ratings.outcomes(players).items():
            self.played.append(_row(game, person, outcome, gains.get(person)))

    def writing_played(self) -> Iterator[Statement]:
        """Once."""
        rows, self.played = self.played, []
        yield from _inserts(_PLAYED, rows)

    def writing_ratings(self) -> Iterator[Statement]:
        rows = [(game, person, *self.ratings[game, person], at) for (game, person), at in self.changed.items()]
        yield from _inserts(_RATED, rows, _INSTEAD)


def step() -> Script[int]:
    """Let the next games count. Returns how many there were."""
    games = [Game(*row) for row in (yield _NEXT)]
    if not games:
        return 0
    counting = Counting()
    rank = ((yield _LAST)[0][0] or 0) + 1
    people: dict[str, set[str]] = {}
    for game in games:
        people.setdefault(game.game, set()).update(each.person for each in game.participants() if each.person)
    for name, persons in people.items():
        yield from _known(counting.ratings, name, sorted(persons))
    for number, game in enumerate(games, start=rank):
        counting.count(game)
        yield Statement(_RANK, (number, game.table, game.seq))
    yield from counting.writing_played()
    yield from counting.writing_ratings()
    return len(games)


def _known(found: Ratings, game: str, people: Sequence[str]) -> Script[None]:
    for start in range(0, len(people), _ROWS):
        some = people[start : start + _ROWS]
        places = ", ".join(f"${n}" for n in range(2, len(some) + 2))
        query = f"SELECT person, mu, sigma, games FROM ratings WHERE game = $1 AND person IN ({places})"
        for person, *rating in (yield Statement(query, (game, *some))):
            found[game, person] = Rating(*rating)


async def catch_up(journal: Journal) -> None:
    """Let all games count that have not yet."""
    while await journal.transact(step()) == AT_ONCE:
        pass


async def rebuild(journal: Journal) -> int:
    """Work everything out anew, in the same order, while nobody else does. Returns how many games there were. Until all
    of it is done, the ratings are those that there were.
    """
    counting, rank, games = Counting(), 0, 0
    await journal.transact(_written([Statement("DELETE FROM played")]))
    while rows := await journal.query(_RANKED, rank, _PAGE):
        for row in rows:
            counting.count(Game(*row[:-1]))
        await journal.transact(_written(counting.writing_played()))
        rank, games = rows[-1][-1], games + len(rows)
    await journal.transact(_written([Statement("DELETE FROM ratings"), *counting.writing_ratings()]))
    await catch_up(journal)
    return games


def _written(statements: Iterable[Statement]) -> Script[None]:
    for statement in statements:  # noqa: UP028 - a list can't be sent what comes of them
        yield statement


def _row(game: Game, person: str, outcome: Outcome, gain: float | None) -> Row:
    place, side, won = outcome
    return (person, game.at, game.table, game.seq, game.game, place, side, won, game.shown, gain)


def _inserts(sql: str, rows: Sequence[Row], end: str = "") -> Iterator[Statement]:
    for start in range(0, len(rows), _ROWS):
        some = rows[start : start + _ROWS]
        width = len(some[0])
        marks = (f"({', '.join(f'${n * width + k}' for k in range(1, width + 1))})" for n in range(len(some)))
        values: list[Any] = [value for row in some for value in row]
        yield Statement(sql + ", ".join(marks) + end, values)
