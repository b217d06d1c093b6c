"""The rules of Sample, and the laws that every game is held to."""

import pytest
from croupier import laws
from croupier.kernel import Chance, Illegal, OutOfTurn

from croupier_sample.rules import SampleGame
from croupier_sample.state import Options, Play, Played, State, Took

game = SampleGame()


@pytest.fixture
def state() -> State:
    """A game of three, with hands that are easy to think about."""
    state = game.deal(Options(), 3, Chance(bytes(32)), at=0)
    state.hands = [["2♥", "K♠"], ["A♣", "9♥"], ["10♥", "3♠"]]
    return state


def test_everybody_is_dealt_a_hand() -> None:
    state = game.deal(Options(cards=8), 6, Chance(bytes(32)), at=0)
    cards = [card for hand in state.hands for card in hand]
    assert len(set(cards)) == 6 * 8
    assert len(state.stock) == 52 - 6 * 8


def test_the_highest_card_of_the_suit_that_was_led_takes_the_trick(state: State) -> None:
    assert game.play(state, 0, Play("2♥"), at=1) == [Played(0, "2♥")]
    assert game.play(state, 1, Play("A♣"), at=2) == [Played(1, "A♣")]
    assert game.play(state, 2, Play("10♥"), at=3) == [Played(2, "10♥"), Took(2)]
    assert state.taken == [0, 0, 1]
    assert game.awaited(state) == [2], "whoever has taken a trick leads to the next"


def test_what_is_refused_has_changed_nothing(state: State) -> None:
    before = game.view(state, 0)
    with pytest.raises(Illegal, match="you do not have that card"):
        game.play(state, 0, Play("A♣"), at=1)
    with pytest.raises(OutOfTurn):
        game.play(state, 1, Play("A♣"), at=1)
    assert game.view(state, 0) == before


def test_most_tricks_win(state: State) -> None:
    for seat, card in ((0, "2♥"), (1, "A♣"), (2, "10♥"), (2, "3♠"), (0, "K♠"), (1, "9♥")):
        assert game.result(state) is None
        game.play(state, seat, Play(card), at=1)
    result = game.result(state)
    assert result is not None
    assert result.placings == ((0, 2), (1,))
    assert result.scores == (1, 0, 1)


def test_it_keeps_the_laws() -> None:
    """No view tells a secret, no position is stuck, the same moves lead to the same game, and so on."""
    laws.check(game)
