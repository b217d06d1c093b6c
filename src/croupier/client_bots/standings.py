"""How somebody has done so far against whom: games, wins, and ratings that follow from the placings.

>>> standings = Standings()
>>> for placings in (((0,), (1,)), ((0,), (1,)), ((1,), (0,))):
...     standings.add(["Ann", "Ben"], Result(placings))
>>> print(standings)
     games  wins  share of wins, 95 %  rating
Ann      3     2  67 % (21 to 94 %)    26 ± 15
Ben      3     1  33 % (6 to 79 %)     24 ± 15

A rating is openskill's, with what it may be off by (95 %): everybody begins with 25 ± 16, and the winner of two equals
gains what the other loses.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from openskill.models import PlackettLuce, PlackettLuceRating

from croupier.kernel import Result

SURE = 1.96
"""Standard deviations to either side, in which 95 % are."""
HEADINGS = ("", "games", "wins", "share of wins, 95 %", "rating")


class Row:
    """Of one player."""

    def __init__(self, rating: PlackettLuceRating) -> None:
        self.rating = rating
        self.games = 0
        self.wins = 0

    @property
    def share(self) -> str:
        low, high = wilson(self.wins, self.games)
        return f"{100 * self.wins / self.games:.0f} % ({100 * low:.0f} to {100 * high:.0f} %)"


class Standings:
    def __init__(self) -> None:
        self._model = PlackettLuce()
        self._rows: dict[str, Row] = {}
        self.games = 0

    def add(self, names: Sequence[str], result: Result) -> None:
        """A game of these, by seat, no two of the same name."""
        rows = [self._rows.setdefault(name, Row(self._model.rating())) for name in names]
        for seat, row in enumerate(rows):
            row.games += 1
            row.wins += seat in result.placings[0]
        sides = [(place, side) for place, sides in enumerate(result.sides) for side in sides]
        rated = self._model.rate([[rows[seat].rating for seat in side] for _, side in sides], [at for at, _ in sides])
        for (_, side), ratings in zip(sides, rated, strict=True):
            for seat, rating in zip(side, ratings, strict=True):
                rows[seat].rating = rating
        self.games += 1

    def __str__(self) -> str:
        cells = [HEADINGS]
        for name, row in sorted(self._rows.items(), key=lambda item: -item[1].rating.mu):
            rating = f"{row.rating.mu:.0f} ± {SURE * row.rating.sigma:.0f}"
            cells.append((name, str(row.games), str(row.wins), row.share, rating))
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        return "\n".join(
            "  ".join(
                cell.rjust(width) if column in (1, 2) else cell.ljust(width)
                for column, (cell, width) in enumerate(zip(line, widths, strict=True))
            ).rstrip()
            for line in cells
        )


def wilson(wins: int, games: int) -> tuple[float, float]:
    """Between what the chance to win may be, with 95 % certainty, after so many wins in so many games (Wilson's
    interval, which is right after few games, too)."""
    share, part = wins / games, SURE**2 / games
    middle = (share + part / 2) / (1 + part)
    spread = SURE * sqrt(share * (1 - share) / games + part / (4 * games)) / (1 + part)
    return middle - spread, middle + spread
