"""What Palace offers to whom. Moves are made once: playouts ask for them in every position.

The numbers P1, P2, … are the rules as the game's page under ``docs/`` counts them; D3, D4, … are its decisions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from croupier.games.palace.moves import AnyMove, Choose, Play
from croupier.games.palace.state import BY_RANK, State
from croupier.kernel.cards import rank


class RankGroup(dict[str, "RankGroup"]):
    """Cards of one rank. Looking up the next card of a sorted zone gives the group that it belongs to in its turn.

    Playouts ask for the moves of every position. Walking from group to group along a zone finds the moves without
    making them anew; that is three times as fast as grouping the cards each time.
    """

    __slots__ = ("play",)

    def __init__(self, cards: tuple[str, ...]) -> None:
        self.play = Play(cards)

    def __missing__(self, card: str) -> RankGroup:
        cards = self.play.cards
        goes_on = not cards or rank(cards[0]) == rank(card)
        group = RankGroup((*cards, card)) if goes_on else NO_CARDS[card]
        if len(cards) < 4:  # Larger groups are rare, and too many to remember them all.
            self[card] = group
        return group


NO_CARDS = RankGroup(())


def offered(state: State, seat: int) -> Sequence[AnyMove]:
    if seat != state.active or state.phase == "complete":
        return ()
    if state.phase == "setup":
        nine = sorted(state.hands[seat] + state.face_up[seat], key=BY_RANK)
        threes: Iterable[tuple[str, ...]] = combinations(nine, 3)  # P7
        if len(set(nine)) < len(nine):  # P2: with more than four players there are two of a card
            threes = dict.fromkeys(threes)
        return list(map(Choose, threes))
    zone = state.hands[seat] or state.face_up[seat]  # P9
    if not zone:
        return (NO_CARDS.play,)
    # One play for each number of cards of a rank, since suits have no influence (P1).
    group = NO_CARDS
    return [(group := group[card]).play for card in zone]
