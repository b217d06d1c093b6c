"""What may be used, by whom, and what is left of it."""

from __future__ import annotations

from croupier.tables.purses import MOST_ADDRESSES, Holdings, Purse, Purses


def test_what_can_not_be_paid_costs_nothing() -> None:
    purse = Purse(each=0.1, at_once=10)
    assert [purse.pay(1, 100.0) for _ in range(12)] == [True] * 10 + [False] * 2
    assert sum(purse.pay(1, 100.5) for _ in range(100)) == 5
    assert sum(purse.pay(1, 101.0) for _ in range(100)) == 5


def test_a_debt_is_paid_before_anything_else_and_has_an_end() -> None:
    purse = Purse(each=0.25, at_once=4, debt=8)
    for _ in range(11):
        purse.charge(1, 100.0)
    assert purse.overdrawn(100.0) and not purse.exhausted(100.0)
    purse.charge(1, 100.0)
    assert purse.exhausted(100.0)
    purse.charge(1000, 100.0)
    assert not purse.pay(1, 102.0) and not purse.overdrawn(102.0)  # all is paid back, and nothing is in it
    assert purse.pay(1, 102.25)


def test_an_address_is_remembered_and_not_for_ever() -> None:
    purses = Purses(lambda address: Purse(each=1, at_once=1))
    purses.of("first").charge(1, 0)
    purses.of("second").charge(1, 0)
    assert not purses.of("first").holds(1, 0)
    for number in range(MOST_ADDRESSES - 1):
        purses.of(str(number))
    assert not purses.of("first").holds(1, 0)
    assert purses.of("second").holds(1, 0), "who has not come for longest is forgotten first"


def test_what_is_kept_is_counted_by_address_and_keeper() -> None:
    seats = Holdings(most=3)
    seats.enter("a table", ["here", "here", "there"])
    seats.enter("another", ["here"])
    assert seats.full("here") and not seats.full("there", more=2) and seats.full("there", more=3)
    seats.enter("a table", ["there"])
    assert not seats.full("here", more=2)
    assert not Holdings(most=0).full("here", more=1_000_000)
