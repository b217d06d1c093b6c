"""Copies of states, and what is imagined of cards that nobody sees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from croupier import laws
from croupier.games import catalogue
from croupier.kernel import Chance, Game, Pool, Rig
from croupier.kernel.chance import QuickDice
from croupier.kernel.cloning import cloner
from tests import pairs, toys
from tests.seeds import seeds

GAMES: list[laws.AnyGame] = [*catalogue().games.values(), toys.Bids(), pairs.Pairs()]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_clone_is_the_same_and_its_own(game: laws.AnyGame) -> None:
    seats = min(4, game.seats_for(game.Options())[-1])
    for state, step in laws.Walk(game, seats, game.Options(), 5, limit=60):
        before = laws.encode(state)
        clone = game.clone(state)
        assert clone == state and type(clone) is type(state)
        if step is None:
            break
        assert laws.encode(step.take(game, clone)) == laws.encode(step.take(game, game.clone(state)))
        assert laws.encode(state) == before
        assert game.fingerprint(game.clone(clone), b"") == game.fingerprint(clone, b"")


def test_the_luck_of_a_clone_goes_on_as_it_would_have() -> None:
    chance = Chance(bytes(32), rig=Rig(orders={"deck": [3, 1]}))
    chance.below(6)
    clone = cloner(Chance)(chance)
    for luck in (chance, clone):
        deck = [1, 2, 3]
        luck.shuffle(deck, "deck")
        assert deck == [3, 1, 2]
    assert [clone.below(6) for _ in range(20)] == [chance.below(6) for _ in range(20)]


class Loose(msgspec.Struct):
    """A state whose types don't say what is in it."""

    anything: Any
    own: list[int]


def test_what_types_do_not_say_is_copied_all_the_same() -> None:
    state = Loose((toys.Bid(1), {2}), [1])
    clone = cloner(Loose)(state)
    assert clone == state and type(clone.anything[0]) is toys.Bid and clone.own is not state.own


class Derived(toys.State):
    more: tuple[int, ...] = ()


def test_a_state_may_be_of_a_subclass() -> None:
    game = toys.Bids()
    state = laws.deal(game, 2, toys.Options(), 1)
    derived = Derived(**{name: getattr(state, name) for name in state.__struct_fields__}, more=(1,))
    assert game.clone(derived) == derived


def cards(state: pairs.State) -> None:
    """No card is lost or invented."""
    found = Counter(card for zone in (state.deck, *state.hands, *state.laid) for card in zone)
    assert found == Counter(range(1, 53))


@pytest.mark.parametrize("seats", [2, 4])
def test_a_game_that_names_what_is_hidden_imagines(seats: int) -> None:
    game = pairs.Pairs()
    state = laws.deal(game, seats, pairs.Options(), 1)
    fancies = [game.imagine(state, 0, QuickDice(n)) for n in range(9)]
    assert all(fancy.hands[0] == state.hands[0] for fancy in fancies)
    assert len({tuple(fancy.hands[1]) for fancy in fancies}) == 9
    assert len({fancy.chance.seed for fancy in fancies} | {state.chance.seed}) == 10
    for seed in seeds(8):
        positions, steps = laws.check_secrecy(game, seats, pairs.Options(), seed, conserved=cards)
        assert positions and steps


class Careless(pairs.Pairs):
    """Takes the seat's own cards for hidden."""

    def hidden(self, state: pairs.State, seat: int | None) -> Sequence[Pool]:
        return [Pool([state.deck, *state.hands])]


class Silent(pairs.Pairs):
    """Says nothing of it."""

    name = "silent"
    hidden = Game.hidden


def test_what_is_imagined_wrongly_is_noticed() -> None:
    with pytest.raises(AssertionError, match=r"can tell the real state from an imagined one: view\.hand"):
        laws.check_secrecy(Careless(), 2, pairs.Options(), 1)
    with pytest.raises(laws.Broken, match=r"silent can't imagine other cards: write hidden\(state, seat\)"):
        laws.check_secrecy(Silent(), 2, pairs.Options(), 1)


def test_what_is_known_stays_where_it_is() -> None:
    hands = [list(range(10)), list(range(10, 20))]
    Pool(hands, known={3, 15}).mix(QuickDice(1))
    assert hands[0][3] == 3 and hands[1][5] == 15
    assert sorted([*hands[0], *hands[1]]) == list(range(20)) and sorted(hands[0]) != list(range(10))
