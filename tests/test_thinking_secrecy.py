"""What a bot is told in the process that it thinks in, held against the law of secrecy.

A question is made of the state of the game and of luck. Here shuffles first sort what they shuffle, so that their
result does not depend on the order that it was in: a uniform shuffle has the same results whatever that was, and this
only makes them comparable. Then a question that depends on the real order of hidden cards, or on anything else that the
seat can't know, is another one for a state that looks the same to the seat. In every position of random games of all
games, and for every seat that may move, it is the same byte for byte with the same luck. Where luck picks one of
several hidden cards, the same luck may mean another card; then all that luck could pick is gone through, and the same
questions have to come up, each as often: exactly the same distribution.
"""

from __future__ import annotations

import asyncio
import copy
import pickle
from collections.abc import Callable, Iterable, MutableSequence, Sequence
from fractions import Fraction
from math import prod
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest

from croupier.games import catalogue
from croupier.journal.sqlite import SqliteJournal
from croupier.kernel import Budget, Dice, RandomBot, Searcher
from croupier.kernel.chance import QuickDice
from croupier.laws.steps import AnyGame
from croupier.laws.walking import Walk, seed_bytes
from croupier.tables import intents, thoughts
from croupier.tables.entries import Started
from croupier.tables.house import House
from croupier.tables.notices import Fact, Hint
from croupier.tables.settings import Settings
from croupier.tables.thoughts import Answer, Problem, Question
from tests.client import PATIENCE
from tests.clock import ManualTime
from tests.lines import Connection, Line

T = TypeVar("T")
GAMES = catalogue().games
POSITIONS = 60
MOST_PICKED_FROM, MOST_WAYS = 200, 2000
HINTS = 5
"""That are asked for in a game."""
Put = Callable[[AnyGame, Any, int, Searcher, Dice], bytes]


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


class OrderlyDice:
    """Luck that is the same for all who shuffle the same cards, in whatever order they have them."""

    def __init__(self, seed: int) -> None:
        self._dice = QuickDice(seed)

    def below(self, n: int) -> int:
        return self._dice.below(n)

    def shuffle(self, items: MutableSequence[Any], what: str) -> None:
        items[:] = sorted(items, key=_order)
        self._dice.shuffle(items, what)

    def choice(self, items: Sequence[T]) -> T:
        return sorted(items, key=_order)[self.below(len(items))]


class TriedDice(OrderlyDice):
    """The same, but whatever is picked by luck is picked as the test wants it."""

    def __init__(self, seed: int, picks: Sequence[int]) -> None:
        super().__init__(seed)
        self.picks = list(picks)
        self.ways: list[int] = []
        """How many there were to pick from, each time."""

    def below(self, n: int) -> int:
        if n > MOST_PICKED_FROM:  # a byte of luck to come, and not a card
            return super().below(n)
        self.ways.append(n)
        if len(self.ways) > len(self.picks):
            self.picks.append(0)
        return self.picks[len(self.ways) - 1]


def all_told(put: Put, game: AnyGame, state: Any, seat: int, bot: Searcher, seed: int) -> dict[bytes, Fraction]:
    """All questions that may come up, with how likely each is."""
    found: dict[bytes, Fraction] = {}
    picks: list[int] = []
    for _ in range(MOST_WAYS):
        dice = TriedDice(seed, picks)
        question = told(put(game, state, seat, bot, dice))
        found[question] = found.get(question, Fraction()) + Fraction(1, prod(dice.ways))
        picks = dice.picks[: len(dice.ways)]
        while picks and picks[-1] == dice.ways[len(picks) - 1] - 1:
            picks.pop()
        if not picks:
            return found
        picks[-1] += 1
    raise AssertionError("there is too much luck in this to go through")


def told(problem: bytes) -> bytes:
    """All that a question says, whatever objects it is made of."""
    said: Problem = pickle.loads(problem)
    assert isinstance(said.bot, Remembering)
    plain = {"world": said.world, "moves": said.moves, "memory": said.bot.seen, "second": vars(said.bot.second)}
    rest = (said.game, said.rules, said.seat, said.seed)
    return msgspec.json.encode([plain, rest], order="deterministic")


def different(game: AnyGame, seats: int, seed: int, put: Put = thoughts.put) -> tuple[int, int]:
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
            real, imagined = (put(game, each, seat, bot, OrderlyDice(seed)) for each in (state, twin))
            assert seed_bytes(seed) not in real, "the game's luck to come is nobody's"
            if told(real) != told(imagined):
                asked = (all_told(put, game, each, seat, bot, seed) for each in (state, twin))
                found += next(asked) != next(asked)
            compared += 1
    return found, compared


@pytest.mark.parametrize("name", GAMES)
def test_what_a_bot_is_told_is_what_its_seat_can_know(name: str) -> None:
    game = GAMES[name]
    for seed in (1, 2, 3):
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


class Eavesdropper:
    """Thinkers who only keep what they are asked."""

    def __init__(self) -> None:
        self.fallbacks = 0
        self.asked: list[Question] = []

    def ask(self, question: Question, answered: Callable[[Answer], None]) -> bool:
        self.asked.append(question)
        return False

    def cancel(self, question: Question) -> None:
        raise AssertionError("nobody thinks")


class Watcher(Line):
    """Somebody who keeps all that they have seen of the game that runs, and the hints that they were given."""

    unhurried = True

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[Any] = []
        self.hinted = asyncio.Event()

    def on_fact(self, fact: Fact) -> Iterable[Any]:
        if isinstance(fact.entry, Started):
            self.seen.clear()
        self.seen += fact.events
        return super().on_fact(fact)

    def on_hint(self, hint: Hint) -> Iterable[Any]:
        self.hinted.set()
        return ()


@pytest.mark.parametrize("name", GAMES)
async def test_who_is_asked_for_a_hint_has_seen_what_the_seat_has_seen(name: str, tmp_path: Path) -> None:
    game, asked, clock = copy.copy(GAMES[name]), Eavesdropper(), ManualTime()
    game.bots = {"usual": next(iter(game.bots.values())), "remembering": Remembering}
    journal = SqliteJournal(tmp_path / "journal.sqlite")
    house = House({name: game}, journal, Settings(seed=bytes(32)), clock, thinkers=asked)
    await house.open()
    watcher = Watcher()
    person = Connection(house, watcher)
    place = person.ask(intents.Open(game=name, player="Ann", seats=min(4, max(game.seats)))).place
    assert place is not None
    person.ask(intents.AddBots(count=1))
    person.ask(intents.Start())
    table, dice = house.rooms[place.table].table, QuickDice(7)
    while len(asked.asked) < HINTS and table.phase == "playing":
        if not place.hintable or not any(place.offers()):
            if table.alone is not None and table.look() is not None:
                person.ask(intents.Proceed())
            await clock.to_pass(20)
            continue
        watcher.hinted.clear()
        house.dice, seat = OrderlyDice(11), place.seat
        assert seat is not None and person.ask(intents.Hint()).refusal is None
        await asyncio.wait_for(watcher.hinted.wait(), PATIENCE)
        bot = Remembering()
        bot.observe(seat, watcher.seen)
        same = thoughts.put(game, table.state, seat, bot, OrderlyDice(11), advises=True)
        assert told(asked.asked[-1].problem) == told(same)
        house.dice = dice
        person.ask(intents.Play(move=dice.choice(game.candidates(table.state, seat, dice))))
        await clock.to_pass(0)
    assert asked.asked
    assert watcher.seen, "something was seen"
    await house.close()
