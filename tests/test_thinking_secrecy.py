"""What a bot is told in the process that it thinks in, held against the law of secrecy.

A question is made of the state of the game and of luck. Of the luck, every shuffle is replaced by its result's only
part that does not depend on the order of what is shuffled: the cards themselves, sorted. A shuffle that is uniform
leaves nothing else behind, so this loses nothing; but then a question that depended on the real order of hidden cards,
or on anything else that the seat can't know, would be another one for a state that looks the same to the seat. In every
position of random games of all games, and for every seat that may move, the question is the same, byte for byte.
"""

from __future__ import annotations

import pickle
from collections.abc import MutableSequence, Sequence
from typing import Any, TypeVar

import msgspec
import pytest

from croupier.games import catalogue
from croupier.kernel import Budget, Dice, RandomBot, Searcher
from croupier.kernel.chance import QuickDice
from croupier.laws.steps import AnyGame
from croupier.laws.walking import Walk, seed_bytes
from croupier.tables import thoughts
from croupier.tables.thoughts import Problem

T = TypeVar("T")
GAMES = catalogue().games
POSITIONS = 60


class Remembering(Searcher):
    """Keeps all that its seat has seen, as no bot could keep more."""

    fallback = RandomBot

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[Any] = []

    def observe(self, seat: int, events: Sequence[Any]) -> None:
        self.seen += events

    def search(self, game: Any, world: Any, seat: int, moves: Sequence[Any], dice: Dice, budget: Budget) -> Any:
        raise NotImplementedError


def _order(item: Any) -> bytes:
    return msgspec.json.encode(item, order="deterministic")


class SortingDice:
    """Luck that is the same for all who shuffle the same cards, in whatever order they have them."""

    def below(self, n: int) -> int:
        return 0

    def shuffle(self, items: MutableSequence[Any], what: str) -> None:
        items[:] = sorted(items, key=_order)

    def choice(self, items: Sequence[T]) -> T:
        return min(items, key=_order)


def told(problem: bytes) -> bytes:
    """All that a question says, whatever objects it is made of."""
    said: Problem = pickle.loads(problem)
    assert isinstance(said.bot, Remembering)
    plain = {"world": said.world, "moves": said.moves, "memory": said.bot.seen, "second": vars(said.bot.second)}
    rest = (said.game, said.rules, said.seat, said.seed)
    return msgspec.json.encode([plain, rest], order="deterministic")


def different(game: AnyGame, seats: int, seed: int, put: Any = thoughts.put) -> tuple[int, int]:
    """In how many positions a seat's question tells the real state from one that the seat imagines; of how many."""
    walk = Walk(game, seats, game.Options(), seed, POSITIONS)
    bots = [Remembering() for _ in range(seats)]
    found = compared = 0
    imagination = QuickDice(seed)
    for state, _ in walk:
        for seat, bot in enumerate(bots):
            bot.observe(seat, [view for event in walk.events if (view := event.seen_by(seat)) is not None])
            if not game.candidates(state, seat, QuickDice(1)):
                continue
            twin = game.imagine(state, seat, imagination)
            real, imagined = (put(game, each, seat, bot, SortingDice()) for each in (state, twin))
            assert seed_bytes(seed) not in real, "the game's luck to come is nobody's"
            found += told(real) != told(imagined)
            compared += 1
    return found, compared


@pytest.mark.parametrize("name", GAMES)
def test_what_a_bot_is_told_is_what_its_seat_can_know(name: str) -> None:
    game = GAMES[name]
    for seed in range(3):
        for seats in {min(game.seats), min(4, max(game.seats))}:
            found, compared = different(game, seats, seed)
            assert compared > 0
            assert found == 0, f"{seats} seats, seed {seed}: {found} of {compared}"


@pytest.mark.parametrize("name", GAMES)
def test_the_real_state_would_be_noticed(name: str) -> None:
    def put(game: AnyGame, state: Any, seat: int, bot: Searcher, dice: Dice) -> bytes:
        world = game.clone(state)
        for field in world.__struct_fields__:  # the luck to come is left out: the cards alone tell
            if field == "chance":
                setattr(world, field, None)
        return pickle.dumps(Problem(game.name, game.rules, world, seat, [], bot, 0))

    found, _ = different(GAMES[name], min(GAMES[name].seats), 1, put)
    assert found > 0
