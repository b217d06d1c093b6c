"""What the last game at a table passes on to the next: who gets what was whose."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from croupier.kernel import Legacy
from croupier.kernel.result import Teams
from croupier.tables.seat import Seat
from croupier.tables.summary import Player


def inherited(legacy: Legacy | None, lineup: Sequence[Seat], seats: Sequence[Seat], teams: Teams) -> Legacy | None:
    """What was passed on, by the seats of the new game. ``lineup``: who played the last one, by their seats then.

    Whoever has stayed has what was theirs; who has come takes the place of somebody who has gone, as a substitute does.
    If more or fewer play than before there is nobody to take what is left over, or nothing to give to a newcomer, and
    points of three players are none of four; and partners have theirs together: when they part, it ends here.
    """
    if legacy is None or len(lineup) != len(seats):
        return None
    before = {id(seat): number for number, seat in enumerate(lineup)}
    stay = [before.get(id(seat)) for seat in seats]
    left = iter(sorted({*before.values()}.difference(stay)))
    formerly = [next(left) if number is None else number for number in stay]
    if {frozenset(team) for team in teams} != {frozenset(formerly[seat] for seat in team) for team in teams}:
        return None
    return legacy.reseated(formerly)


def with_scores(
    players: Sequence[Player], seats: Sequence[Seat], legacy: Legacy, lineup: Sequence[Seat]
) -> tuple[Player, ...]:
    """The people at a table between two games of a match, and what each has in it."""
    scores = {id(seat): score for seat, score in zip(lineup, legacy.scores, strict=False)}
    return tuple(
        [
            msgspec.structs.replace(player, score=scores.get(id(seat)))
            for player, seat in zip(players, seats, strict=True)
        ]
    )
