"""The chancellor: what it makes of what others play, and which cards it lays open."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from croupier.games.palace.beliefs import Beliefs
from croupier.games.palace.bot import LowAndSteady
from croupier.games.palace.moves import AnyMove, Choose, Play
from croupier.games.palace.options import Options
from croupier.games.palace.rules import Palace
from croupier.games.palace.search import OPEN, Chancellor, PalaceGuide
from croupier.games.palace.state import State, View
from croupier.kernel import Budget, Chance, Dice
from croupier.kernel.cards import RANK
from croupier.kernel.chance import QuickDice
from croupier.laws import seed_bytes

palace = Palace()


class Opener(LowAndSteady):
    """Low-and-steady with the chancellor's choice of what lies open."""

    def choose(self, seat: int, view: View, moves: Sequence[AnyMove], dice: Dice) -> AnyMove:
        if view.phase == "setup":
            return min(moves, key=lambda move: sum(2 ** OPEN[RANK[card]] for card in move.cards))
        return super().choose(seat, view, moves, dice)


def test_what_others_have_not_played_they_do_not_hold() -> None:
    """Of what low-and-steady was dealt and nobody has seen, for four: never a card that it would have played."""
    checked = 0
    for seed in range(20):
        beliefs = Beliefs()
        state, bots, dice = (
            palace.deal(Options(), 4, Chance(seed_bytes(seed)), 0),
            [LowAndSteady()] * 4,
            QuickDice(seed),
        )
        while palace.awaited(state):
            seat = state.active
            move = bots[seat].choose(seat, palace.view(state, seat), palace.moves(state, seat), dice)
            beliefs.follow(palace.play(state, seat, move, 0))
            for other, hand in enumerate(state.hands):
                secret = hand.copy()
                for card in state.known[other]:
                    secret.remove(card)
                for card in secret:
                    checked += 1
                    assert RANK[card] not in beliefs.lacks.get(other, ())
    assert checked > 1000


def test_worlds_are_dealt_by_what_others_have_played() -> None:
    """Seat 1 has laid a Nine on a Five. In nearly no world it holds what it would have played before; in every world
    there are the same cards."""
    state = palace.deal(Options(), 2, Chance(seed_bytes(3)), 0)
    bot = Chancellor()
    bot.beliefs.lacks[1] = frozenset(("5", "6", "7", "8", "9"))
    before = sorted(_all(state))
    guide, dice = PalaceGuide(palace, 0, bot), QuickDice(1)
    secret = [len(hand) for hand in state.hands][1]
    held = 0
    for _ in range(100):
        world = guide.imagine(state, dice)
        assert sorted(_all(world)) == before
        assert world.hands[0] == state.hands[0]
        held += sum(RANK[card] in bot.beliefs.lacks[1] for card in world.hands[1])
    assert held < 0.05 * 100 * secret


def _all(state: State) -> list[str]:
    return [card for cards in (*state.hands, *state.face_up, *state.face_down, state.undealt) for card in cards]


def test_who_comes_late_concludes_nothing_until_the_pile_is_known() -> None:
    state = palace.deal(Options(), 2, Chance(seed_bytes(3)), 0)
    beliefs = Beliefs()
    for seat in (0, 1):
        palace.play(state, seat, Choose(tuple(state.face_up[seat])), 0)
    highest = state.hands[0][-1]
    beliefs.follow(palace.play(state, 0, Play((highest,)), 0))
    assert not beliefs.lacks


def test_a_new_game_is_a_new_deal() -> None:
    state = palace.deal(Options(), 2, Chance(seed_bytes(3)), 0)
    beliefs = Beliefs()
    beliefs.lacks = {0: frozenset("5"), 1: frozenset("6")}
    for seat in (0, 1):
        beliefs.follow(palace.play(state, seat, Choose(tuple(state.face_up[seat])), 0))
    assert beliefs.lacks == {}


def test_without_a_thought_it_lays_open_what_is_best_there() -> None:
    state = palace.deal(Options(), 4, Chance(seed_bytes(5)), 0)
    move = Chancellor().search(palace, state, 0, palace.moves(state, 0), QuickDice(1), Budget(nodes=0))
    nine = sorted(state.hands[0] + state.face_up[0], key=lambda card: OPEN[RANK[card]])
    assert isinstance(move, Choose)
    assert [OPEN[RANK[card]] for card in sorted(move.cards, key=lambda card: OPEN[RANK[card]])] == [
        OPEN[RANK[card]] for card in nine[:3]
    ]


def test_the_choice_of_what_lies_open_wins_games() -> None:
    """Against three who play just the same, but leave lying what was dealt open: a fair share is a quarter."""
    won = games = 0
    for seed in range(100):
        for own in range(4):
            state = palace.deal(Options(), 4, Chance(seed_bytes(seed)), 0)
            bots = [Opener() if seat == own else LowAndSteady() for seat in range(4)]
            dice = QuickDice(seed)
            while not state.order:
                seat = state.active
                move = bots[seat].choose(seat, palace.view(state, seat), palace.moves(state, seat), dice)
                palace.play(state, seat, move, 0)
            won += state.order[0] == own
            games += 1
    assert won / games > 0.27


@pytest.mark.parametrize("seats", [2, 4])
def test_where_a_playout_is_cut_one_of_all_will_win(seats: int) -> None:
    """If the chances of all were more than one, going in circles would look better than to go on."""
    state = palace.deal(Options(), seats, Chance(seed_bytes(3)), 0)
    state.hands[1].pop()
    chances = [PalaceGuide(palace, seat, Chancellor()).worth(state) for seat in range(seats)]
    assert sum(chances) == pytest.approx(1)
    assert max(chances) == chances[1]
