"""Ten thousand random games of 2 to 7 players, with and without people leaving: all of them end."""

from __future__ import annotations

import pytest

from croupier.games.faraway.rules import Offered, State
from croupier.kernel import Chance
from croupier.kernel.chance import QuickDice
from tests import laws
from tests.games.faraway.positions import FULL, QUIET, faraway, no_card_is_lost

GAMES = 1667
"""For each number of players: ten thousand in all."""


def random_game(seats: int, seed: int, leaving: bool) -> State:
    dice = QuickDice(seed)
    options = FULL if seats == 7 or seed % 2 else QUIET
    state = faraway.deal(options, seats, Chance(laws.seed_bytes(seed)), 0)
    for _ in range(300):
        awaited = faraway.awaited(state)
        if not awaited:
            return state
        if leaving and dice.below(40) == 0:
            # Sometimes several at once, sometimes somebody who has left already.
            faraway.leave(state, [dice.below(seats) for _ in range(1 + dice.below(3))], 0)
            continue
        seat = dice.choice(awaited)
        moves = faraway.moves(state, seat)
        assert moves, f"seat {seat} is awaited and has no move in {state}"
        for event in faraway.play(state, seat, dice.choice(moves), 0):
            if type(event) is Offered:
                # No offer is empty, holds a card twice, or one that is not there.
                assert 0 < event.count == len(set(event.cards)) == len(event.cards)
                assert set(event.cards) <= set(range(53))
    raise AssertionError(f"{seats} players, seed {seed}: the game does not end")


@pytest.mark.parametrize("leaving", [False, True], ids=["all stay", "some leave"])
@pytest.mark.parametrize("seats", range(2, 8))
def test_c34_every_game_ends(seats: int, leaving: bool) -> None:
    reasons = set()
    for seed in range(GAMES // 2 + leaving):
        state = random_game(seats, seed, leaving)
        no_card_is_lost(state)
        reasons.add(state.reason)
        result = faraway.result(state)
        assert result is not None and result.scores is not None
        assert sorted(sum(result.placings, ())) == list(range(seats))
        if state.reason == "completed":
            assert all(len(state.rows[seat]) == 8 and len(state.hands[seat]) == 2 for seat in state.players)
            assert result.scores[result.placings[0][0]] == max(score for score in result.scores if score is not None)
    assert reasons == ({"completed", "forfeit", "abandoned"} if leaving else {"completed"})
