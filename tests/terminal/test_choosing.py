"""Every move can be said, by keys and in words, in positions of every game."""

from __future__ import annotations

import random
from itertools import chain

import pytest
from click import unstyle

from croupier import laws
from croupier.games import catalogue
from croupier.terminal.choosing import FEW, Question, Unclear


def keys_to(question: Question, move: object, depth: int = 0) -> list[str]:
    """How to get there."""
    if question.move is not None:
        return []
    assert depth < 10, "choosing does not come to an end"
    choice = next(choice for choice in question.choices if any(way.move == move for way in choice.ways))
    return [choice.key, *keys_to(question.answered(choice.key), move, depth + 1)]


@pytest.mark.parametrize("name", catalogue().games)
def test_every_move_can_be_said(name: str) -> None:
    game = catalogue().games[name]
    seats = min(4, game.seats[-1])
    names = [f"Player{seat}" for seat in range(seats)]
    dice = random.Random(1)
    said = 0
    walks = (laws.Walk(game, seats, game.Options(**game.usual), seed, 150) for seed in range(5))
    for state, _ in chain.from_iterable(walks):
        for seat in range(seats):
            moves = list(game.moves(state, seat))
            if not moves:
                continue
            view = game.view(state, seat)
            labels = {unstyle(game.label(move, view, names)) for move in moves}
            question = Question.about((game.label(move, view, names), move) for move in moves)
            assert len(question.ways) == len(labels)
            for way in dice.sample(list(question.ways), min(5, len(question.ways))):
                keys = keys_to(question, way.move)
                assert question.answered(" ".join(keys)).move == way.move
                said += 1
    assert said > 50


def test_long_lists_are_put_together_by_their_first_words() -> None:
    moves = {f"{verb} {number}": (verb, number) for verb in ("bid", "raise") for number in range(FEW)}
    question = Question.about([*moves.items(), ("bid", "bid"), ("pass", "pass")])
    assert [choice.text for choice in question.choices] == ["bid", "raise", "pass"]
    assert [choice.key for choice in question.choices] == ["1", "2", "3"], "r is for the rules"
    assert question.answered("bid 7").move == ("bid", 7), "a number is its own key"
    assert question.answered("bid that is all").move == "bid"
    assert question.answered("pass").move == "pass"


def test_the_same_words_mean_the_first_move() -> None:
    question = Question.about([("play › Squire", 1), ("play › Squire", 2), ("play › Archer", 3)])
    assert [choice.text for choice in question.choices] == ["Squire", "Archer"]
    assert question.answered("squire").move == 1
    assert question.topic == ("play",)


def test_suits_may_be_typed_as_letters() -> None:
    question = Question.about([("7♦", 1), ("7♠", 2), ("10♦", 3)])
    assert question.answered("7s").move == 2
    assert question.answered("10").move == 3
    with pytest.raises(Unclear, match=r"“7” could be “7d” or “7s”: say more of it\."):
        question.answered("7")


def test_what_is_named_in_any_order() -> None:
    question = Question.about(
        [("keep › Duke + Captain", 1), ("keep › Duke + Duke", 2), ("keep › Captain + Contessa", 3)]
    )
    assert question.answered("captain duke").move == question.answered("duke captain").move == 1
    assert question.answered("duke duke").move == 2
    assert question.answered("contessa").move == 3


def test_a_key_is_what_stands_beside_it_even_where_another_move_is_called_so() -> None:
    question = Question.about((f"ask › {rank}", rank) for rank in ("3", "4", "5", "10", "Q"))
    keys = {choice.text: choice.key for choice in question.choices}
    for rank, key in keys.items():
        assert question.answered(key).move == rank
