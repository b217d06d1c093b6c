"""Who has won a game of Faraway.

The numbers F1, F2, … are the rules as the game's page under ``docs/`` counts them; D8, D9, … are its decisions.
"""

from __future__ import annotations

from functools import lru_cache

from croupier.games.faraway.cards import REGIONS
from croupier.games.faraway.scoring import Score, explained
from croupier.games.faraway.state import Standing, State


def ranking(state: State) -> tuple[Standing, ...]:
    """Best first; between equals the lowest region in the row decides (F32)."""
    found = [(-sum(state.earned[seat]), min(state.rows[seat], default=len(REGIONS)), seat) for seat in state.players]
    return tuple(
        Standing(seat, rank, -loss, lowest if state.rows[seat] else None)
        for rank, (loss, lowest, seat) in enumerate(sorted(found), start=1)
    )


def winners(state: State) -> tuple[int, ...]:
    """F31: all with the highest total; with the published tie-break only one of them (F32)."""
    best = ranking(state)
    if state.options.tie_break == "published":
        return tuple(standing.seat for standing in best[:1])
    return tuple(sorted(standing.seat for standing in best if standing.total == best[0].total))


def score(state: State, seat: int) -> Score | None:
    """How somebody's points come about; None for who has left."""
    return _explained(tuple(state.rows[seat]), tuple(state.sanctuaries[seat])) if seat in state.players else None


@lru_cache(maxsize=64)
def _explained(row: tuple[int, ...], sanctuaries: tuple[int, ...]) -> Score:
    """When a game ends, everybody is shown the scores of all."""
    return explained(row, sanctuaries)
