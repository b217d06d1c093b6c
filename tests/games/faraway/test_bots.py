"""The bots: what they do in a given position, and how strong they are. Figures of many games: benchmarks/faraway.py."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from croupier import laws
from croupier.games.faraway.bot import LookAhead, Rising, Sightseer
from croupier.games.faraway.moves import Choose, Play, Take
from croupier.games.faraway.options import Options
from croupier.games.faraway.search import Cartographer
from croupier.games.faraway.state import State
from croupier.kernel import Bot, Chance, RandomBot
from croupier.kernel.chance import QuickDice
from tests.games.faraway.positions import FULL, OPEN, QUIET, SOLO, faraway, golden, table


def contest(bots: Sequence[Bot], seed: int, options: Options = QUIET) -> State:
    """A game among bots, each handed only its own view and moves."""
    state = faraway.deal(options, len(bots), Chance(laws.seed_bytes(seed)), 0)
    dice = QuickDice(seed)
    while awaited := faraway.awaited(state):
        seat = awaited[0]
        moves = faraway.moves(state, seat)
        move = bots[seat].choose(seat, faraway.view(state, seat), moves, dice)
        assert move in moves
        assert isinstance(move, Play | Choose | Take)
        faraway.play(state, seat, move, 0)
    return state


def won(kind: type[Bot], other: type[Bot], games: int) -> tuple[float, float]:
    """The share of games that one of the first kind wins against one of the other, and the mean score of the first."""
    wins = points = 0
    for seed in range(games):
        own = seed % 2
        state = contest([kind() if seat == own else other() for seat in range(2)], seed)
        wins += faraway.view(state, None).winners == (own,)
        points += sum(state.earned[own])
    return wins / games, points / games


def choice(bot: Bot, state: State, seat: int = 0, seed: int = 0) -> int:
    move = bot.choose(seat, faraway.view(state, seat), faraway.moves(state, seat), QuickDice(seed))
    assert isinstance(move, Play | Choose | Take)
    return move.card


def test_the_first_bot_is_the_usual_one() -> None:
    assert list(faraway.bots.values()) == [LookAhead, Cartographer, Rising, Sightseer, RandomBot]


@pytest.mark.parametrize(
    ("row", "hand", "played"),
    [("", "40 7 22", 7), ("20", "40 7 22", 22), ("20", "40 7 19", 40), ("50", "40 7 19", 7), ("6", "40 7 19", 7)],
)
def test_rising_plays_the_lowest_card_that_goes_up_else_the_lowest(row: str, hand: str, played: int) -> None:
    assert choice(Rising(), table(f"{row}/{hand}", f"{row and 21}/60 61 62")) == played


def test_rising_takes_anything() -> None:
    state = golden(3)
    assert {choice(Rising(), state, seed=seed) for seed in range(50)} == {3, 17, 43}


def test_rising_beats_random() -> None:
    share, _ = won(Rising, RandomBot, 600)
    assert 0.70 < share < 0.82


def test_the_sightseer_is_between_random_and_rising() -> None:
    assert won(Sightseer, RandomBot, 200)[0] >= 0.55
    assert won(Rising, Sightseer, 200)[0] >= 0.55


def test_the_sightseer_takes_what_counts_at_once() -> None:
    """Or anything, where nothing does."""
    other = "1 2 3"
    assert {choice(Sightseer(), table("/60 9 10", f"/{other}"), seed=seed) for seed in range(20)} == {9}
    assert {choice(Sightseer(), table("/60 63 62", f"/{other}"), seed=seed) for seed in range(50)} == {60, 62, 63}


def test_look_ahead_beats_random() -> None:
    share, points = won(LookAhead, RandomBot, 100)
    assert share >= 0.94
    assert points > 56


def test_look_ahead_beats_rising() -> None:
    share, _ = won(LookAhead, Rising, 40)
    assert share > 0.8


def test_look_ahead_sees_what_the_last_card_is_worth() -> None:
    # 60 gives 16 if two stones and two chimeras are in sight; those in the row are not, since they lie to its left.
    row, other = "1 2 4 6 7 8 67", "3 5 11 12 13 14 15/61 62 63"
    assert choice(LookAhead(), table(f"{row}/60 9 10", other)) == 9
    assert choice(LookAhead(), table(f"{row}/60 9 10/45 10 13", other)) == 60


def test_look_ahead_takes_the_sanctuary_that_pays() -> None:
    state = table("10 20 21 22 23 24 25/26 1 3", "2 4 5 6 7 8 9/60 61 62", sanctuary_deck=[17, 33, 20, 10, 11])
    for seat, card in ((0, 26), (1, 60)):
        faraway.play(state, seat, Play(card), 0)
    # Six nights in the row: the one that pays for each is worth most.
    assert 33 in state.offers[0]
    assert choice(LookAhead(), state) == 33


@pytest.mark.parametrize("kind", faraway.bots.values())
@pytest.mark.parametrize(("seats", "options"), [(1, SOLO), (3, OPEN), (6, QUIET), (7, FULL)])
def test_bots_play_to_the_end_at_every_table(kind: type[Bot], seats: int, options: Options) -> None:
    for seed in range(2):
        state = contest([kind() for _ in range(seats)], seed, options)
        assert state.reason == "completed"


def test_random_play_scores_about_29_whatever_the_number_of_players() -> None:
    actions = Counter[int]()
    for seats in (2, 4, 6):
        points = 0
        for seed in range(100):
            state = contest([RandomBot() for _ in range(seats)], seed)
            points += sum(map(sum, state.earned))
            actions[seats] += sum(map(len, (*state.rows, *state.sanctuaries))) + 7 * seats
        assert abs(points / 100 / seats - 28.8) < 3
    assert [round(actions[seats] / 100) for seats in (2, 4, 6)] == pytest.approx([37, 74, 111], abs=2)
