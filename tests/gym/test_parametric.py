"""Games that have no numbers of their own."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from croupier import laws
from croupier.gym.parametric import LISTED, PLACES, TRAITS, Parametric
from croupier.kernel import Move
from tests.toys import Bid, Bids, Options, State


class Numbered(Bids):
    """As the laws meet it: with its generic numbers for its own."""

    class encoding(Parametric):  # noqa: N801
        def __init__(self, seats: int) -> None:
            super().__init__(seats, (Move,))


def test_generic_numbers_keep_the_law_of_numbers() -> None:
    for seed in range(5):
        assert laws.check_encoding(Numbered(), 3, Options(), seed) > 10


def state() -> State:
    made = laws.deal(Bids(), 3, Options(), 1)
    assert isinstance(made, State)
    return made


def test_the_same_facts_are_in_the_same_places_whoever_looks() -> None:
    game, encoding, table = Bids(), Parametric(3, (Move,)), state()
    table.hands = [[2, 5], [2, 5], [2, 6]]
    table.points = [1, 0, 0]
    rows = [encoding.observe(seat, game.view(table, seat), None)[:PLACES] for seat in range(3)]
    assert rows[0] != rows[1]  # who has a point is somebody else to each
    table.points = [0, 0, 0]
    alike = [encoding.observe(seat, game.view(table, seat), None)[:PLACES] for seat in range(3)]
    assert alike[0] == alike[1]
    assert alike[0] != alike[2]


def test_a_move_comes_with_what_it_is() -> None:
    game, encoding, table = Bids(), Parametric(2, (Move,)), state()
    view, moves = game.view(table, 0), [Bid(2), Bid(5)]
    choices = encoding.choices(0, view, moves)
    row = encoding.observe(0, view, None, choices=choices)
    two, five = row[PLACES : PLACES + TRAITS], row[PLACES + TRAITS : PLACES + 2 * TRAITS]
    assert any(two)
    assert two != five
    other = encoding.choices(0, view, moves[::-1])
    assert encoding.observe(0, view, None, choices=other)[PLACES : PLACES + TRAITS] == five


@pytest.mark.parametrize("count", [1, LISTED, LISTED + 1, LISTED**2, LISTED**2 + 1])
def test_however_many_moves_there_are_each_can_be_said(count: int) -> None:
    encoding = Parametric(2, (Move,))
    moves: Sequence[Bid] = [Bid(number) for number in range(count)]
    choices = encoding.choices(0, Bids().view(state(), 0), moves)
    for place in (0, count // 2, count - 1):
        (numbers,) = encoding.spell(0, Bids().view(state(), 0), moves)[place : place + 1]
        here = choices
        for number in numbers[:-1]:
            further = here[number]
            assert callable(further)
            here = further()
        assert here[numbers[-1]] == moves[place]
        assert max(here) < LISTED
