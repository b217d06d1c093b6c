"""Ten thousand random games of 2 to 7 players, with and without people leaving: all of them end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain

import pytest

from croupier import laws
from croupier.games.faraway.cards import SANCTUARY_DECKS
from croupier.games.faraway.events import AnyEvent, Offered
from croupier.games.faraway.moves import AnyMove, Play, Take
from croupier.games.faraway.state import State
from croupier.kernel import Chance
from croupier.kernel.chance import QuickDice
from tests.games.faraway.positions import FULL, QUIET, faraway, no_card_is_lost

SEATS = range(2, 8)
GAMES = {"all stay": 834, "some leave": 833}
"""For each number of players."""
LONGEST = 300
"""Actions, with people leaving; seven players need about 130."""


def test_there_are_ten_thousand() -> None:
    assert len(SEATS) * sum(GAMES.values()) >= 10_000


def random_game(seats: int, seed: int, leaving: bool) -> Iterator[tuple[State, AnyMove | None, list[AnyEvent]]]:
    """The table after the deal and after everything that happens: a move, or None when somebody leaves."""
    dice = QuickDice(seed)
    options = FULL if seats == 7 or seed % 2 else QUIET
    state = faraway.deal(options, seats, Chance(laws.seed_bytes(seed)), 0)
    yield state, None, []
    for _ in range(LONGEST):
        awaited = faraway.awaited(state)
        if not awaited:
            return
        if leaving and dice.below(40) == 0:
            # Sometimes several at once, sometimes somebody who has left already.
            gone = [dice.below(seats) for _ in range(1 + dice.below(3))]
            yield state, None, list(faraway.leave(state, gone, 0))
            continue
        seat = dice.choice(awaited)
        moves = faraway.moves(state, seat)
        assert moves, f"seat {seat} is awaited and has no move in {state}"
        move = dice.choice(moves)
        yield state, move, list(faraway.play(state, seat, move, 0))
    raise AssertionError(f"{seats} players, seed {seed}: the game does not end")


def offers_are_real(state: State, events: list[AnyEvent]) -> None:
    """Nothing is offered that isn't there: each card is of the set, in nobody else's hands, and not in the deck."""
    offered = [event for event in events if type(event) is Offered]
    if not offered:
        return
    cards = [card for event in offered for card in event.cards]
    assert all(event.count == len(event.cards) > 0 for event in offered)
    assert len(set(cards)) == len(cards)
    elsewhere = {*state.sanctuary_deck, *chain(*state.sanctuaries)}
    assert elsewhere.isdisjoint(cards)
    assert set(SANCTUARY_DECKS[state.options.card_set]).issuperset(cards)


@pytest.mark.parametrize("company", GAMES)
@pytest.mark.parametrize("seats", SEATS)
def test_c34_every_game_ends_and_no_offer_holds_what_is_not_there(seats: int, company: str) -> None:
    leaving = company == "some leave"
    reasons = set()
    for seed in range(GAMES[company]):
        for state, _, events in random_game(seats, seed, leaving):
            offers_are_real(state, events)
        no_card_is_lost(state)
        reasons.add(state.reason)
        result = faraway.result(state)
        assert result is not None and result.scores is not None
        assert sorted(sum(result.placings, ())) == list(range(seats))
        if state.reason == "completed":
            assert all(len(state.rows[seat]) == 8 and len(state.hands[seat]) == 2 for seat in state.players)
            assert result.scores[result.placings[0][0]] == max(score for score in result.scores if score is not None)
    assert reasons == ({"completed", "forfeit", "abandoned"} if leaving else {"completed"})


@pytest.mark.parametrize("company", GAMES)
@pytest.mark.parametrize("seats", SEATS)
def test_f11_f30_c28_c31_c49_what_is_true_after_every_step(seats: int, company: str) -> None:
    for seed in range(20):
        for state, _, _ in random_game(seats, seed, company == "some leave"):
            no_card_is_lost(state)
            assert 0 <= state.turn <= 7
            view = faraway.view(state, None)
            choosing = sum(view.choosing)
            assert {"play": choosing == 0, "sanctuary": choosing > 0, "shop": choosing == 1, "end": choosing == 0}[
                state.phase
            ]
            for seat in state.players:
                may = bool(faraway.moves(state, seat))
                assert may == (seat in faraway.awaited(state))
                assert may == (view.choosing[seat] or (state.phase == "play" and not view.done[seat]))
                if state.phase != "end":
                    assert len(state.rows[seat]) == state.turn + (state.phase != "play" or view.done[seat])
            for score in view.scores:
                assert score is None or sum(score.rounds) == score.total


def test_c32_how_many_actions_a_game_of_two_has() -> None:
    for seed in range(200):
        moves = Counter(type(move) for _, move, _ in random_game(2, seed, leaving=False) if move is not None)
        assert (moves[Play], moves[Take]) == (16, 14)
        assert moves.total() - 30 <= 14  # sanctuaries
