"""The search: it knows no more than its seat, answers within any budget, and finds what is best."""

from __future__ import annotations

import pickle
from typing import Any

import msgspec
import pytest

from croupier.bots.search import Master
from croupier.games import catalogue
from croupier.games.palace.moves import Play
from croupier.games.palace.rules import Palace
from croupier.games.palace.search import Chancellor
from croupier.games.palace.state import State
from croupier.kernel import Budget, Chance, Searcher
from croupier.kernel.chance import QuickDice

GAMES = catalogue().games
MASTERS = [(name, bot) for name, game in GAMES.items() for bot in game.bots.values() if issubclass(bot, Master)]


def position(name: str, choices: int) -> tuple[Any, Any, int]:
    """A position after some moves of the usual bot, where somebody has a choice."""
    game, dice = GAMES[name], QuickDice(7)
    state = game.deal(game.Options(), 2, Chance(bytes(32)), 0)
    bots = [next(iter(game.bots.values()))() for _ in range(2)]
    while True:
        while not game.awaited(state):
            clock = min(game.clocks(state), key=lambda clock: clock.due)
            game.expire(state, clock.name, clock.due)
        seat = game.awaited(state)[0]
        moves = game.candidates(state, seat, dice)
        choices -= len(moves) > 1
        if choices < 0:
            return game, state, seat
        game.play(state, seat, bots[seat].choose(seat, game.view(state, seat), moves, dice), 0)


def asked(bot: Searcher, game: Any, world: Any, seat: int, budget: Budget, seed: int = 1) -> Any:
    dice = QuickDice(seed)
    return bot.search(game, world, seat, game.candidates(world, seat, dice), dice, budget)


@pytest.mark.parametrize(("name", "kind"), MASTERS)
@pytest.mark.parametrize("nodes", [0, 1, 40])
def test_any_budget_is_enough_for_an_answer_and_the_same_dice_give_the_same_one(
    name: str, kind: type[Master], nodes: int
) -> None:
    for choices in (0, 4, 9):
        game, state, seat = position(name, choices)
        before = msgspec.json.encode(state)
        first, second = (asked(kind(), game, state, seat, Budget(nodes=nodes)) for _ in range(2))
        assert first == second
        assert game.offers(state, seat, first)
        assert msgspec.json.encode(state) == before


@pytest.mark.parametrize(("name", "kind"), MASTERS)
def test_a_master_can_be_sent_to_another_process(name: str, kind: type[Master]) -> None:
    game, state, seat = position(name, 4)
    bot = pickle.loads(pickle.dumps(kind()))
    assert asked(bot, game, state, seat, Budget(nodes=8)) == asked(kind(), game, state, seat, Budget(nodes=8))


def duel(**changes: Any) -> State:
    state = State(
        turn_timer=0, since=0, hands=[[], []], known=[[], []], face_up=[[], []], face_down=[[], []], undealt=[],
        phase="play",
    )  # fmt: skip
    return msgspec.structs.replace(state, **changes)


def test_palace_a_high_card_stops_the_last_card_of_the_enemy() -> None:
    """All know the Queen. Low-and-steady lays the Three, and has lost; a King makes the enemy pick up."""
    state = duel(hands=[["3♣", "K♦"], ["Q♣"]], known=[[], ["Q♣"]])
    assert asked(Chancellor(), Palace(), state, 0, Budget(nodes=0)) == Play(("3♣",))
    assert asked(Chancellor(), Palace(), state, 0, Budget(nodes=60)) == Play(("K♦",))


@pytest.mark.parametrize("enemy", ["A♣", "3♦", "3♥"])
def test_what_the_given_world_hides_makes_no_difference(enemy: str) -> None:
    """A King stops a Three and a Seven stops an Ace. Who knows what is hidden would choose by it; who only knows that
    it is a Three in two of three worlds plays the King in all of them."""
    unseen = ["A♣", "3♦", "3♥"]
    unseen.remove(enemy)
    world = duel(hands=[["7♣", "K♦"], [enemy]], undealt=unseen)
    for seed in range(5):
        assert asked(Chancellor(), Palace(), world, 0, Budget(nodes=300), seed) == Play(("K♦",))
