"""What a result is worth to those who have played for it."""

from __future__ import annotations

from croupier.kernel import Result


def rewards(result: Result) -> list[float]:
    """By seat: 1 for the first place, -1 for the last, and the places between them evenly spread; those who share a
    place get the mean of what they take up. The sum is 0.

    >>> rewards(Result(((2,), (0,), (1,))))
    [0.0, -1.0, 1.0]
    >>> rewards(Result(((0, 1), (2,))))
    [0.5, 0.5, -1.0]
    """
    seats = sum(map(len, result.placings))
    found = [0.0] * seats
    better = 0
    for place in result.placings:
        middle = better + (len(place) - 1) / 2
        for seat in place:
            found[seat] = 1 - 2 * middle / (seats - 1) if seats > 1 else 0.0
        better += len(place)
    return found
