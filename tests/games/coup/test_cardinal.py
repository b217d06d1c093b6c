"""The cardinal: it finds what is best where that is known, lies sometimes, and knows no more than its seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import Any

import msgspec
import pytest

from croupier.arena import playing
from croupier.arena.tournament import Tournament
from croupier.games.coup.characters import CLAIMS
from croupier.games.coup.moves import AnyMove, Block, CallBs, Propose
from croupier.games.coup.rules import Coup
from croupier.games.coup.search import Cardinal
from croupier.games.coup.state import State
from croupier.kernel import Budget, Chance
from croupier.kernel.chance import QuickDice
from tests.games.coup.counter_strategies import Cutthroat

coup = Coup()
both = pytest.mark.parametrize("ruleset", ["note", "official"])


def last_cards(ruleset: Any, cards: Sequence[str], coins: Sequence[int]) -> State:
    """One card each, in a new deck; seat 0 is to move."""
    options = coup.Options(ruleset=ruleset, confirm_policy="all")
    state = coup.deal(options, len(cards), Chance(bytes(32)), 0)
    for seat, card in enumerate(cards):
        place = 2 * seat
        found = next(
            other for other, face in enumerate(state.faces) if face == card and (other >= place or other % 2 == 1)
        )
        state.faces[place], state.faces[found] = state.faces[found], state.faces[place]
    return msgspec.structs.replace(state, lost=[[1] for _ in cards], coins=list(coins))


def duel(ruleset: Any, own: str, other: str, coins: tuple[int, int]) -> State:
    return last_cards(ruleset, (own, other), coins)


def says(state: State, seat: int, seed: int = 1, nodes: int = 40, heard: list[Any] | None = None) -> AnyMove:
    bot, dice = Cardinal(), QuickDice(seed)
    bot.observe(seat, heard or [])
    world = coup.imagine(state, seat, dice)
    move: AnyMove = bot.search(coup, world, seat, coup.moves(state, seat), dice, Budget(nodes=nodes))
    return move


@both
def test_a_coup_that_wins_is_made(ruleset: str) -> None:
    assert says(duel(ruleset, "duke", "captain", (7, 6)), 0) == Propose("coup", 1)


@both
def test_the_last_card_is_not_given_away_to_an_assassin(ruleset: str) -> None:
    """Whoever lets it pass has lost: a Contessa blocks, and all others lie or doubt."""
    for own, others in product(("contessa", "duke"), ((), ("captain", "ambassador"))):
        state = last_cards(ruleset, ("assassin", own, *others), (3, 2, 1, 1)[: 2 + len(others)])
        events = coup.play(state, 0, Propose("assassinate", 1), 0)
        for seed in range(5):
            answer = says(state, 1, seed, heard=list(events))
            assert isinstance(answer, Block | CallBs)
            assert own != "contessa" or answer == Block("contessa")


@both
def test_whoever_would_strike_next_is_struck_first(ruleset: str) -> None:
    """With three left, and seven coins: the next one has seven, too, and the third one nothing."""
    state = last_cards(ruleset, ("duke", "captain", "ambassador"), (7, 7, 0))
    assert {says(state, 0, seed) for seed in range(3)} == {Propose("coup", 1)}


@both
def test_with_a_seed_and_a_number_of_nodes_it_says_the_same(ruleset: str) -> None:
    state = coup.deal(coup.Options(ruleset=ruleset, confirm_policy="all"), 4, Chance(bytes(32)), 0)
    assert says(state, 0, 5, 24) == says(state, 0, 5, 24)


@both
def test_a_claim_that_all_open_cards_refute_is_called(ruleset: str) -> None:
    """Two Dukes lie open and the third is in one's own hand: nobody else can have one."""
    state = duel(ruleset, "captain", "duke", (2, 2))
    dukes = [place for place, face in enumerate(state.faces) if face == "duke" and place != 2]
    for slot, place in zip((1, 3), dukes, strict=True):
        state.faces[slot], state.faces[place] = state.faces[place], state.faces[slot]
        if slot == 1:
            dukes[1:] = [p for p, face in enumerate(state.faces) if face == "duke" and p not in (1, 2)]
    assert [state.faces[place] for place in (1, 2, 3)] == ["duke"] * 3
    events = coup.play(state, 0, Propose("tax"), 0)
    assert {type(says(state, 1, seed, heard=list(events))) for seed in range(5)} == {CallBs}


def test_two_who_block_each_other_come_to_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """One assassinates and the other one steals, again and again, and both have what blocks it, or say so."""
    monkeypatch.setattr(playing, "LONGEST", 500)
    options = coup.Options(confirm_policy="all")
    seed = Tournament("coup", ("cardinal", "cutthroat"), ((0,), (1,)), seed=2201).deal_seed(1)
    contest = playing.Contest(coup, options, seed, (Cardinal(), Cutthroat()), Budget(nodes=60))
    assert contest.play() is not None


@both
def test_who_doubts_everything_is_lied_to_sometimes_and_not_always(ruleset: str) -> None:
    """Without a Duke, at the beginning of a game, against somebody who has called every time so far."""
    found: Counter[bool] = Counter()
    for deal in range(15):
        state = coup.deal(coup.Options(ruleset=ruleset, confirm_policy="all"), 2, Chance(bytes([deal]) * 32), 0)
        hand = [state.faces[card] for card in state.hands[0]]
        if "duke" in hand:
            continue
        for seed in range(4):
            bot, dice = Cardinal(), QuickDice(seed)
            bot.ledger.listener.called[1] = bot.ledger.listener.answered[1] = 9
            move = bot.search(coup, state, 0, coup.moves(state, 0), dice, Budget(nodes=30))
            assert isinstance(move, Propose)
            found[CLAIMS.get(move.action, hand[0]) not in hand] += 1
    assert min(found[True], found[False]) >= 3


@both
def test_what_the_given_world_hides_makes_no_difference(ruleset: str) -> None:
    for seed in range(3):
        answers = {str(says(duel(ruleset, "duke", other, (4, 4)), 0, seed, 12)) for other in ("captain", "contessa")}
        assert len(answers) == 1
