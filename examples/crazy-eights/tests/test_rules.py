"""The rules of Crazy Eights, and the laws that every game is held to."""

from __future__ import annotations

import pytest
from croupier_crazy_eights import game
from croupier_crazy_eights.rules import points
from croupier_crazy_eights.state import Draw, Drew, HandEnded, Options, Pass, Passed, Play, Played, Reshuffled, State

from croupier import laws
from croupier.kernel import Chance, Illegal, OutOfTurn
from croupier.kernel.cards import DECK, rank
from croupier.kernel.chance import QuickDice


def dealt(*hands: str, top: str = "7♣", stock: str = "", seats: int = 0) -> State:
    """A hand in which the first seat is to move."""
    state = game.deal(Options(target=0, turn=30), seats or len(hands), Chance(bytes(32)), at=0)
    if hands:
        state.hands = [hand.split() for hand in hands]
        state.pile, state.suit, state.stock, state.active = [top], top[-1], stock.split(), 0
    return state


@pytest.mark.parametrize(("seats", "cards"), [(2, 7), (3, 5), (7, 5)])
def test_the_deal(seats: int, cards: int) -> None:
    for seed in range(30):
        state = game.deal(Options(), seats, Chance(bytes([seed] * 32)), at=0)
        assert [len(hand) for hand in state.hands] == [cards] * seats
        assert sorted([*state.stock, *state.pile, *(card for hand in state.hands for card in hand)]) == sorted(DECK)
        assert rank(state.pile[0]) != "8"
        assert game.awaited(state) == [1], "the player after the dealer begins"


def test_a_card_fits_in_suit_or_rank_and_an_eight_everywhere() -> None:
    state = dealt("2♣ 7♦ 9♥ 8♠", "2♦")
    assert {move.card for move in game.moves(state, 0) if isinstance(move, Play)} == {"2♣", "7♦", "8♠"}
    assert game.moves(state, 1) == []
    assert game.play(state, 0, Play("7♦"), 1) == [Played(0, "7♦", None)]
    assert (state.suit, state.active, state.hands[0]) == ("♦", 1, ["2♣", "9♥", "8♠"])


def test_an_eight_names_a_suit() -> None:
    state = dealt("8♠ 2♣", "3♥ 3♠")
    with pytest.raises(Illegal, match="an eight names a suit"):
        game.play(state, 0, Play("8♠"), 1)
    game.play(state, 0, Play("8♠", "♥"), 1)
    assert game.moves(state, 1) == [Play("3♥")]


@pytest.mark.parametrize(
    ("move", "why"),
    [
        (Play("9♥"), "that card does not fit"),
        (Play("A♦"), "you do not have that card"),
        (Draw(), "you can play a card, so you have to"),
        (Play("2♣", "♥"), "that card does not fit"),  # only an eight names a suit
    ],
)
def test_what_is_refused_changes_nothing(move: Play | Draw, why: str) -> None:
    state = dealt("2♣ 9♥", "3♥", stock="4♥")
    before = game.view(state, 0)
    with pytest.raises(Illegal, match=why):
        game.play(state, 0, move, 1)
    with pytest.raises(OutOfTurn):
        game.play(state, 1, Play("3♥"), 1)
    assert game.view(state, 0) == before


def test_who_can_not_play_draws_up_to_three() -> None:
    state = dealt("9♥", "3♥", stock="A♥ K♥ Q♥ J♥")
    assert game.moves(state, 0) == [Draw()]
    assert game.play(state, 0, Draw(), 1) == [Drew(0, "J♥")]
    assert game.play(state, 0, Draw(), 2) == [Drew(0, "Q♥")]
    assert game.play(state, 0, Draw(), 3) == [Drew(0, "K♥"), Passed(0)]
    assert (state.active, state.hands[0]) == (1, ["9♥", "J♥", "Q♥", "K♥"])
    assert Drew(0, "K♥").seen_by(1) == Drew(0, None)


def test_a_third_card_that_fits_may_be_played() -> None:
    state = dealt("9♥", "3♥", stock="2♣ Q♥ J♥")
    for at in (1, 2, 3):
        game.play(state, 0, Draw(), at)
    assert game.moves(state, 0) == [Play("2♣")]


def test_the_pile_becomes_the_stock() -> None:
    state = dealt("9♥", "3♥")
    state.pile = ["2♠", "3♠", "7♣"]
    events = game.play(state, 0, Draw(), 1)
    assert events[0] == Reshuffled()
    assert state.pile == ["7♣"]
    assert len(state.stock) == 1


def test_an_empty_hand_scores_what_the_others_are_left_with() -> None:
    state = dealt("2♣", "8♦ K♥ A♠", "10♥ 3♥")
    assert points(["8♦", "K♥", "A♠"]) == 61
    *_, ended = game.play(state, 0, Play("2♣"), 1)
    assert ended == HandEnded(((), ("8♦", "K♥", "A♠"), ("10♥", "3♥")), (74, 0, 0))
    result = game.result(state)
    assert result is not None
    assert (result.placings, result.scores) == (((0,), (1, 2)), (74, 0, 0))
    assert game.awaited(state) == []
    assert game.clocks(state) == []


def test_when_nobody_can_go_on_the_lowest_hand_scores_the_difference() -> None:
    state = dealt("9♥", "3♥ 2♦", "4♥")
    for seat in (0, 1):
        assert game.play(state, seat, Pass(), 1) == [Passed(seat)]
    *_, ended = game.play(state, 2, Pass(), 1)
    assert isinstance(ended, HandEnded)
    assert ended.points == (0, 0, 6)


def test_hands_are_dealt_until_somebody_has_the_points() -> None:
    state = dealt("2♣", "K♥", top="7♣")
    state.options = Options(target=30)
    game.play(state, 0, Play("2♣"), 1)
    assert (state.scores, game.result(state), state.dealer) == ([10, 0], None, 1)
    assert [len(hand) for hand in state.hands] == [7, 7]


def test_the_bot_saves_its_eights_and_stays_in_its_longest_suit() -> None:
    bot = game.bots["thrifty"]()
    state = dealt("8♠ 7♦ 2♣ 3♦ 4♦", "3♥")
    moves, view = game.moves(state, 0), game.view(state, 0)
    assert bot.choose(0, view, moves, QuickDice(1)) == Play("7♦")
    state = dealt("8♠ 2♥ 3♦ 4♦", "3♥")
    moves, view = game.moves(state, 0), game.view(state, 0)
    assert bot.choose(0, view, moves, QuickDice(1)) == Play("8♠", "♦")


def test_it_keeps_the_laws() -> None:
    """No view tells a secret, no position is stuck, the same moves lead to the same game, and so on."""
    laws.check(game)
