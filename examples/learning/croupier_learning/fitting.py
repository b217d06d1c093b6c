"""One set of weights for tables of every size.

An encoding has more numbers the more people play. Which of them belong to whom can be seen from how its sections grow:
those that do consist of equal shares, one for each player, from the own seat on. A network has room for the shares of
``WIDEST`` players. At a larger table those who sit further away share the last place, and what is known of them is
averaged.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.kernel import Encoding, Section

WIDEST = 4
"""At so many seats, and at fewer, everybody has a place of their own."""

AnyEncoding = Encoding[Any, Any]


class Fit(NamedTuple):
    """How the numbers of a table of one size become those of the network."""

    inputs: NDArray[np.intp]
    """For each number of a row, its place in the network."""
    shares: NDArray[np.float32]
    """How much it counts there: less than 1 if several have the same place."""
    outputs: NDArray[np.intp]
    """For each number of a move, its place in the network."""
    scale: NDArray[np.float32]
    """By which the logarithm of a number of a row is multiplied, so that none is larger than 1."""

    def look(self, rows: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Rows as a network likes them. One card more or less matters most where there are few."""
        return np.log1p(rows, dtype=np.float32) * self.scale


def fit(encoding: AnyEncoding) -> Fit:
    """For tables of the size that this encoding is for."""
    kind = type(encoding)
    widest, wider = kind(WIDEST), kind(WIDEST + 1)
    outputs = _places(encoding.actions, widest.actions, wider.actions)
    facts = len(encoding.observation) - encoding.in_steps
    inputs = _places(encoding.observation[:facts], widest.observation[:facts], wider.observation[:facts])
    if encoding.in_steps:  # what was said so far, by the numbers of moves
        start = widest.observation_size - widest.action_count
        inputs = np.concatenate([inputs, start + outputs])
    shares = 1 / np.bincount(inputs)[inputs]
    most = np.repeat([each.most for each in encoding.observation], [each.size for each in encoding.observation])
    return Fit(inputs, shares.astype(np.float32), outputs, (1 / np.log1p(most)).astype(np.float32))


def _places(here: Sequence[Section], widest: Sequence[Section], wider: Sequence[Section]) -> NDArray[np.intp]:
    places, start = list[NDArray[np.intp]](), 0
    for section, room, more in zip(here, widest, wider, strict=True):
        numbers = np.arange(section.size)
        if share := more.size - room.size:
            players = np.minimum(numbers // share, room.size // share - 1)
            numbers = players * share + numbers % share
        places.append(start + numbers)
        start += room.size
    return np.concatenate(places)
