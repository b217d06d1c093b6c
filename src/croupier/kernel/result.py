"""How a game ended: places, points, and who had them together.

>>> Result.by_score((12, 30, 12)).placings
((1,), (0, 2))
>>> Result.by_score((12, 30, 12), lowest=True).placings
((0, 2), (1,))
>>> Result.by_score((520, 480), teams=((0, 2), (1, 3)))
Result(placings=((0, 2), (1, 3)), scores=(520, 480, 520, 480), teams=((0, 2), (1, 3)))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import msgspec
from msgspec import UNSET, UnsetType

Teams = tuple[tuple[int, ...], ...]
"""The seats of each team."""


class Result(msgspec.Struct, frozen=True):
    """How a game ended."""

    placings: tuple[tuple[int, ...], ...]
    """Seats from first to last; seats that share a place stand together, and so do those of a team."""
    scores: tuple[int | None, ...] | None = None
    """By seat, in games that count points; none for somebody who was not there to be counted."""
    teams: Teams | UnsetType = UNSET
    """Who has won or lost together; left out where everybody plays alone."""

    @classmethod
    def by_score(cls, scores: Sequence[int | None], teams: Teams = (), lowest: bool = False) -> Self:
        """The most points win, or the fewest (``lowest``); who has none (None) comes last, and equals share a place.

        The scores are by seat; where there are teams, by team.
        """
        sides = teams or tuple((seat,) for seat in range(len(scores)))
        points = dict(zip(sides, scores, strict=True))
        counted = sorted({score for score in scores if score is not None}, reverse=not lowest)
        order: list[int | None] = [*counted, *([None] if None in scores else [])]
        placings = tuple(
            tuple(sorted(seat for side in sides if points[side] == score for seat in side)) for score in order
        )
        by_seat = {seat: score for side, score in points.items() for seat in side}
        return cls(placings, tuple(by_seat[seat] for seat in sorted(by_seat)), teams or UNSET)

    @property
    def sides(self) -> list[Teams]:
        """The placings again: at each place, the teams that share it; whoever plays alone is one of their own."""
        teams = self.teams or ()
        return [
            tuple(dict.fromkeys(next((team for team in teams if seat in team), (seat,)) for seat in seats))
            for seats in self.placings
        ]

    @property
    def splits(self) -> bool:
        """Whether some are not placed together who have played together: no game may say so."""
        return any(
            set(team) - set(seats) for seats, sides in zip(self.placings, self.sides, strict=True) for team in sides
        )
