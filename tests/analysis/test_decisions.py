"""What the teacher says of a decision: from what its seat knew, and of the move that was made."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from croupier.analysis import brief, problems
from croupier.analysis.adviser import Improviser, adviser
from croupier.analysis.problems import DecisionProblem, Judgement
from croupier.bots.search import Master
from croupier.games import catalogue
from croupier.games.palace.moves import Play
from croupier.games.palace.search import Chancellor
from croupier.kernel import Bot, Budget, Dice, Searcher
from croupier.kernel.chance import QuickDice
from croupier.laws.steps import AnyGame
from croupier.laws.walking import Walk, seed_bytes
from croupier.tables.thoughts import Problem
from tests.bots.test_search import duel
from tests.test_thinking_secrecy import OrderlyDice, different
from tests.toys import Bids

GAMES = catalogue().games
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def told(game: AnyGame, state: Any, seat: int, bot: Searcher, dice: Dice) -> bytes:
    """What is sent to whoever solves a problem, in the form in which bots are asked."""
    made = game.candidates(state, seat, dice)[-1]
    asked = brief.question(game, state, seat, made, bot, dice)  # type: ignore[arg-type]
    if asked is None:
        return pickle.dumps(Problem(game.name, game.rules, None, seat, [made], bot, 0))
    return pickle.dumps(Problem(asked.game, asked.rules, asked.world, asked.seat, [*asked.moves], bot, asked.seed))


@every_game
def test_a_problem_holds_what_its_seat_can_know(game: AnyGame) -> None:
    """The same byte for byte, in every position of a game, for the real state and for one that the seat imagines."""
    found, compared = different(game, min(game.seats), 4, told)
    assert compared > 0
    assert found == 0


@every_game
def test_and_what_comes_of_it_is_the_same_for_an_imagined_state(game: AnyGame) -> None:
    judged = 0
    for state, _ in Walk(game, min(game.seats), game.Options(), 3, 30):
        for seat in game.awaited(state):
            twin = game.imagine(state, seat, QuickDice(5))
            made = game.candidates(state, seat, QuickDice(1))[0]
            asked = [
                brief.question(game, each, seat, made, adviser(game, min(game.seats)), OrderlyDice(2))
                for each in (state, twin)
            ]
            if asked[0] is None or asked[1] is None or asked[0].world != asked[1].world:
                continue  # luck has picked another one of several hidden cards: see the test above
            first, second = (msgspec.json.encode(each.solved(GAMES, Budget(nodes=16))) for each in asked if each)
            assert first == second
            judged += 1
            if judged == 4:
                return
    assert judged > 0


def test_what_was_dealt_cannot_be_found_in_what_is_sent() -> None:
    for game in GAMES.values():
        walk = Walk(game, min(game.seats), game.Options(), 1, 20)
        for state, _ in walk:
            for seat in game.awaited(state):
                made = game.candidates(state, seat, QuickDice(1))[0]
                asked = brief.question(game, state, seat, made, adviser(game, min(game.seats)), QuickDice(1))
                assert asked is None or seed_bytes(1) not in pickle.dumps(asked)


def judged(state: Any, moves: Sequence[Any], made: int, nodes: int = 200, seed: int = 1) -> Judgement:
    return DecisionProblem("palace", 1, state, 0, moves, made, Chancellor(), seed).solved(GAMES, Budget(nodes=nodes))


LAST_CARD = duel(hands=[["3♣", "K♦"], ["Q♣"]], known=[[], ["Q♣"]])
"""All know the Queen. Who lays the Three has lost; a King makes the enemy pick up."""


@pytest.mark.parametrize("seed", range(3))
def test_a_blunder_is_found_and_what_it_cost(seed: int) -> None:
    found = judged(LAST_CARD, [Play(("3♣",)), Play(("K♦",))], made=0, seed=seed)
    assert found.best == 1
    assert found.cost > 0.7
    assert found.chance > 0.9
    assert found.worlds >= 40


def test_the_best_move_costs_nothing() -> None:
    found = judged(LAST_CARD, [Play(("3♣",)), Play(("K♦",))], made=1)
    assert (found.best, found.cost) == (1, 0.0)
    assert found.chance > 0.9


def test_a_move_that_is_not_worth_a_look_is_looked_at_if_it_was_made() -> None:
    """The Three does not fit: the guide would never try it, and who lays it takes the pile."""
    state = duel(hands=[["3♣", "K♦"], ["Q♣"]], known=[[], ["Q♣"]], pile=["9♣", "9♦", "J♠"])
    moves = [Play(("3♣",)), Play(("K♦",))]
    guide = Chancellor.guide(GAMES["palace"], 0, Chancellor())
    assert guide.worth_a_look(state, moves) == [Play(("K♦",))]
    found = judged(state, moves, made=0)
    assert found.best == 1
    assert found.cost > 0.3


def test_two_that_are_the_same_are_not_told_apart() -> None:
    """A Seven is a Seven: whoever made the one is not told that the other would have been better."""
    state = duel(hands=[["7♣", "7♦", "K♦"], ["Q♣", "3♥"]], undealt=["4♠", "J♠"])
    moves = [Play(("7♣",)), Play(("7♦",)), Play(("K♦",))]
    for seed in range(3):
        found = judged(state, moves, made=1, seed=seed)
        assert found.best == 1 or abs(found.cost) < 3 * found.cost_error + 0.05


class Failing(Bot):
    name, about = "failing", "Raises whatever it is asked."

    def observe(self, seat: int, events: Sequence[Any]) -> None:
        raise ValueError

    def choose(self, seat: int, view: Any, moves: Sequence[Any], dice: Dice) -> Any:
        raise ValueError


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("kind", [None, Failing])
def test_games_without_a_master_are_played_on_by_their_quick_bots(name: str, kind: type[Bot] | None) -> None:
    game = GAMES[name]
    seats = min(game.seats)
    quick = [bot for bot in game.bots.values() if not issubclass(bot, Searcher)]
    bot = Improviser(kind or quick[0], seats)
    for state, _ in Walk(game, seats, game.Options(), 1, 12):
        seat = next(iter(game.awaited(state)), None)
        moves = () if seat is None else game.candidates(state, seat, QuickDice(1))
        if seat is not None and len(moves) > 1:
            world = game.imagine(state, seat, QuickDice(1))
            problem = DecisionProblem(name, game.rules, world, seat, moves, 0, bot, 1)
            found = pickle.loads(pickle.dumps(problem)).solved(GAMES, Budget(nodes=16))
            assert 0 <= found.chance <= 1
            return
    raise AssertionError("nobody had a choice")


def test_who_is_asked() -> None:
    """The strongest master of the game; where there is none, its strongest quick bot, with a search around it."""
    bids = adviser(Bids(), 2)
    assert isinstance(bids, Improviser)
    assert bids.kind is next(iter(Bids.bots.values()))
    for game in GAMES.values():
        found = adviser(game, 2)
        masters = [kind for kind in game.bots.values() if issubclass(kind, Master)]
        assert type(found) in masters if masters else isinstance(found, Improviser)


@every_game
def test_a_deal_is_worth_something_between_lost_and_won(game: AnyGame) -> None:
    seats = min(game.seats)
    state = next(iter(Walk(game, seats, game.Options(), 1, 1)))[0]
    world = game.imagine(state, 0, QuickDice(1))
    problem = problems.DealProblem(
        game.name, game.rules, world, 0, seats, game.Options(), None, adviser(game, seats), 1
    )
    found = problem.solved(GAMES, Budget(nodes=24))
    assert 0 <= found.chance <= 1
    assert 0 < found.average < 1


def test_a_good_deal_is_worth_more_than_others() -> None:
    """One has the best cards there are, and the other the worst."""
    best = duel(
        hands=[["A♠", "A♥", "10♠"], ["3♠", "3♥", "5♠"]],
        face_up=[["10♥", "10♦", "2♠"], ["3♦", "5♥", "5♦"]],
        face_down=[["A♦", "A♣", "2♥"], ["5♣", "6♠", "6♥"]],
    )
    game = GAMES["palace"]
    problem = problems.DealProblem("palace", game.rules, best, 0, 2, game.Options(), None, Chancellor(), 1)
    found = problem.solved(GAMES, Budget(nodes=200))
    assert found.chance > found.average + 2 * (found.error**2 + found.average_error**2) ** 0.5
