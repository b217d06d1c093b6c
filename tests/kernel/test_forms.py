"""Moves that are described by their form: filled in, checked, offered to bots and people."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest

from croupier import laws
from croupier.kernel import Form, Illegal, Move, NumberIn, OneOf, SomeOf
from croupier.kernel.chance import QuickDice
from tests import pairs
from tests.seeds import seeds

GAME = pairs.Pairs()


class Trade(Move, frozen=True):
    give: tuple[str, ...]
    suit: str
    price: int = 0


FORM = Form.of(Trade, give=SomeOf(("7♣", "7♣", "Q♠"), 0, 2), suit=OneOf("♣♠"), price=NumberIn(-1, 1))


@pytest.mark.parametrize(
    ("move", "fits"),
    [
        (Trade((), "♣", -1), True),
        (Trade(("Q♠", "7♣"), "♠", 1), True),
        (Trade(("7♣", "7♣"), "♠"), True),
        (Trade(("Q♠", "Q♠"), "♠"), False),
        (Trade(("7♣", "7♣", "Q♠"), "♠"), False),
        (Trade(("A♣",), "♠"), False),
        (Trade((), "♥"), False),
        (Trade((), "♣", 2), False),
        (Trade((), "♣", -2), False),
        (pairs.Lay((1, 2, 3)), False),
    ],
)
def test_what_fits(move: Move, fits: bool) -> None:
    assert FORM.fits(move) == fits


def test_a_field_that_is_not_to_be_filled_in_keeps_its_default() -> None:
    form = Form.of(Trade, give=SomeOf((), 0, 0), suit=OneOf("♣"))
    assert form.fits(Trade((), "♣"))
    assert not form.fits(Trade((), "♣", 1))


def test_all_ways_to_fill_it_in_are_found_and_fit() -> None:
    dice = QuickDice(1)
    found = set()
    for _ in range(2000):
        plain = FORM.filled(dice)
        assert plain.pop("move") == "trade"
        move = Trade(tuple(plain["give"]), plain["suit"], plain["price"])
        assert FORM.fits(move)
        found.add(move)
    gifts = {cards for count in range(3) for cards in combinations(("7♣", "7♣", "Q♠"), count)}
    assert len(found) == len(gifts) * 2 * 3


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda: SomeOf((1, 2), 3, 3), "nobody can choose 3 to 3 of 2 things"),
        (lambda: SomeOf((1, 2), 2, 1), "nobody can choose 2 to 1 of 2 things"),
        (lambda: OneOf(()), "nobody can choose one of no things"),
        (lambda: NumberIn(2, 1), "there is no number from 2 to 1"),
        (lambda: Form.of(Trade, give=SomeOf((), 0, 0)), "a form of Trade has to name its fields: give, suit, price"),
        (lambda: Form.of(pairs.Lay, cards=NumberIn(1, 2), coins=NumberIn(1, 2)), "a form of Lay has to name"),
    ],
)
def test_a_form_that_nobody_could_fill_in(wrong: Any, sentence: str) -> None:
    with pytest.raises((ValueError, TypeError), match=sentence):
        wrong()


def test_bots_choose_among_some_ways_to_fill_it_in() -> None:
    state = laws.deal(GAME, 4, pairs.Options(), 1)
    found = GAME.candidates(state, 0, QuickDice(2))
    assert len(found) == 8 and len(set(found)) > 4
    assert all(GAME.offers(state, 0, move) for move in found)
    assert not GAME.offers(state, 1, found[0]), "those are cards of somebody else"
    assert not GAME.offers(state, 0, pairs.Give(1, 1))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_game_of_forms_keeps_the_laws(seats: int) -> None:
    for seed in seeds(8):
        assert laws.check_liveness(GAME, seats, pairs.Options(), seed) > seats
        laws.check_refusals(GAME, seats, pairs.Options(), seed)
        assert laws.check_replay(GAME, seats, pairs.Options(), seed)
        positions, steps = laws.check_secrecy(GAME, seats, pairs.Options(), seed)
        assert positions and steps


class Greedy(pairs.Pairs):
    """A form that promises more than the rules keep."""

    def forms(self, state: pairs.State, seat: int) -> Sequence[Form]:
        found = super().forms(state, seat)
        return [Form.of(pairs.Lay, cards=SomeOf(state.hands[seat], 1, 3))] if found and state.phase == "lay" else found

    def play(self, state: pairs.State, seat: int, move: Any, at: int) -> Any:
        if isinstance(move, pairs.Lay) and len(move.cards) != 3:
            raise Illegal("three cards")
        return super().play(state, seat, move, at)


class Telling(pairs.Pairs):
    """A form that shows a card of somebody else."""

    def forms(self, state: pairs.State, seat: int) -> Sequence[Form]:
        found = super().forms(state, seat)
        return found[::-1] if state.hands[0][0] < 3 else [*found, *found] if found else []


def test_the_laws_notice_a_form_that_lies_or_tells() -> None:
    with pytest.raises(laws.Broken, match="is refused by `play`: “three cards”"):
        for seed in range(20):
            laws.check_liveness(Greedy(), 3, pairs.Options(), seed)
    with pytest.raises(AssertionError, match=r"imagined one: (after the step, )?forms"):
        for seed in range(20):
            laws.check_secrecy(Telling(), 3, pairs.Options(), seed)
