"""A match of Bids: points are added up over several games at a table, until somebody has enough of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import msgspec

from croupier.kernel import Chance, Customs, Legacy
from tests.toys import Bids, Options, State

ENOUGH = 9


class Tally(Legacy, frozen=True):
    """With a field of its own that goes by seat."""

    best: tuple[int, ...] = ()

    def reseated(self, formerly: Sequence[int]) -> Self:
        return msgspec.structs.replace(super().reseated(formerly), best=tuple(self.best[seat] for seat in formerly))


class Rubber(Bids):
    name, title = "rubber", "Rubber"
    Legacy = Tally

    def legacy(self, state: State) -> Tally | None:
        if max(state.points) >= ENOUGH:
            return None
        winner = state.points.index(max(state.points))
        return Tally(tuple(state.points), winner, tuple(10 * points for points in state.points))

    def deal_next(self, options: Options, seats: int, chance: Chance, at: int, legacy: Any) -> State:
        assert isinstance(legacy, Tally)
        assert legacy.best == tuple(10 * score for score in legacy.scores)
        assert legacy.dealer is not None and legacy.scores[legacy.dealer] == max(legacy.scores)
        state = self.deal(options, seats, chance, at)
        state.points = list(legacy.scores)
        return state


class ShuffledRubber(Rubber):
    name = "shuffled"
    customs = Customs(seating="shuffled")
