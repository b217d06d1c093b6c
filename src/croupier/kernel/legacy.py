"""What a game passes on to the next one at the same table: whose deal it is, the scores of a match.

>>> Legacy(scores=(10, 26, 0), dealer=1).reseated((2, 0, 1))
Legacy(scores=(0, 10, 26), dealer=2)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import msgspec


class Legacy(msgspec.Struct, frozen=True, omit_defaults=True):
    """By the seats of the game that passes it on. A game that has more to pass on than this makes a subclass, and names
    it as its ``Legacy``. Everybody may know what is in it."""

    scores: tuple[int, ...] = ()
    """By seat: what everybody has in the match. Between two games people see it beside the names."""
    dealer: int | None = None
    """Whose deal it was."""

    def reseated(self, formerly: Sequence[int]) -> Self:
        """The same for the next game, in which seat i is who had seat ``formerly[i]``. It is always as many people.

        A subclass with more fields that go by seat has to arrange those, too.
        """
        return msgspec.structs.replace(
            self,
            scores=tuple([self.scores[seat] for seat in formerly]) if self.scores else (),
            dealer=None if self.dealer is None else formerly.index(self.dealer),
        )
