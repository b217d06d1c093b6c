"""What results mean, held against figures that were worked out elsewhere, and against many simulated tournaments."""

from __future__ import annotations

from math import sqrt
from random import Random
from statistics import fmean, variance

import pytest

from croupier.arena.statistics import Sprt, Tally


def tally(*shares: float) -> Tally:
    made = Tally()
    for share in shares:
        made.add(share)
    return made


def test_the_interval_is_that_of_the_deals_and_two_more() -> None:
    shares = [1.0, 0.5, 0.0, 0.5, 1.0, 1.0]
    counted = [*shares, 0.0, 1.0]
    spread = 1.96 * sqrt(variance(counted) / len(counted))
    expected = max(0.0, fmean(counted) - spread), min(1.0, fmean(counted) + spread)
    assert tally(*shares).interval == pytest.approx(expected)
    assert tally(*shares).share == pytest.approx(4 / 6)


def test_a_few_wins_are_no_certainty() -> None:
    low, high = tally(*[1.0] * 8).interval
    assert low == pytest.approx(0.7040, abs=1e-4)  # 0.9 - 1.96 * sqrt(0.1 / 10)
    assert high == 1.0


def deals(dice: Random, share: float, alike: float, count: int) -> list[float]:
    """Deals for two, of which some (``alike``) are won from both seats by the same."""
    found = []
    for _ in range(count):
        first = dice.random() < share
        second = first if dice.random() < alike else dice.random() < share
        found.append((first + second) / 2)
    return found


@pytest.mark.parametrize("share", [0.5, 0.7, 0.9])
@pytest.mark.parametrize("alike", [0.0, 0.6])
def test_nineteen_of_twenty_intervals_hold_the_true_share(share: float, alike: float) -> None:
    dice, held = Random(1), 0
    for _ in range(1000):
        low, high = tally(*deals(dice, share, alike, 100)).interval
        held += low <= share <= high
    assert 930 <= held <= 975


def test_the_bounds_of_the_test_are_those_of_wald() -> None:
    assert Sprt(0.5, 0.55).bound == pytest.approx(2.9444, abs=1e-4)  # log(0.95 / 0.05)
    seen = tally(*[1.0, 0.0] * 49)  # with the two that are added, 50 of each: a variance of 25 / 99
    assert seen.log_likelihood_ratio(0.5, 0.6) == pytest.approx(-98 * 0.1 * 0.1 / (2 * 25 / 99))
    assert seen.log_likelihood_ratio(0.4, 0.6) == pytest.approx(0)


@pytest.mark.parametrize(("share", "expected"), [(0.5, "low"), (0.6, "high")])
def test_the_test_is_right_nineteen_times_out_of_twenty(share: float, expected: str) -> None:
    dice, test, right = Random(2), Sprt(0.5, 0.6), 0
    for _ in range(300):
        seen, verdict = Tally(), None
        while verdict is None:
            seen.add(deals(dice, share, 0.3, 1)[0])
            verdict = test.verdict(seen)
        right += verdict == expected
    assert right >= 275
