"""How to look ahead in Palace: low cards first, from what everybody can see and what they make of it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import combinations

from croupier.bots.search import AnyGame, Guide, Master
from croupier.games.palace.beliefs import NONE, Beliefs
from croupier.games.palace.bot import READINESS, LowAndSteady
from croupier.games.palace.moves import AnyMove, Choose, Play
from croupier.games.palace.pile import PLAYABLE, effective_top
from croupier.games.palace.state import BY_RANK, State
from croupier.kernel import Dice, Event
from croupier.kernel.cards import RANK

READY = {rank: place for place, rank in enumerate(READINESS)}
OPENED = ("7", "10", "J", "A", "6", "K", "3", "8", "4", "9", "5", "2", "Q")
"""What is best laid open at the start, to be played near the end: a Seven stops whoever has kept the high cards.

Found by climbing uphill, over millions of games of low-and-steady against low-and-steady for two and for four.
"""
OPEN = {rank: place for place, rank in enumerate(OPENED)}
FINALISTS = 4
"""Cards, the best of the nine, of which three are laid open at the start."""
PATIENCE = 75
"""Moves for each player until a playout is cut: two that never bluff can go in circles."""
OVERTAKEN = 0.05
"""What a game is worth that somebody else has won, where it was not played to its end."""
TRUST = 20
"""One time in so many, somebody has kept a card for later that would have fitted."""
TRIES = 20
"""Places that are looked at for a card that somebody should not hold."""


class PalaceGuide(Guide):
    """Everybody plays like low-and-steady, which is quick and hard to improve on where nothing is at stake."""

    def __init__(self, game: AnyGame, seat: int, bot: Chancellor) -> None:
        super().__init__(game, seat, bot)
        self.lacks = bot.beliefs.lacks
        self.undecided = False
        """Whether nobody was out when the playout began."""

    def imagine(self, world: State, dice: Dice) -> State:
        """A world in which nobody has kept what they could have played before something else."""
        state: State = self.game.imagine(world, self.seat, dice)
        if self.lacks:
            places = list(self._hidden(state))
            for zone, at, lacking in places:
                if RANK[zone[at]] in lacking and dice.below(TRUST):
                    _exchange(zone, at, lacking, places, dice)
            for hand in state.hands:
                hand.sort(key=BY_RANK)
        return state

    def _hidden(self, state: State) -> Iterator[tuple[list[str], int, frozenset[str]]]:
        """Where the cards lie that the seat has not seen, and which ranks should not lie there."""
        for seat, hand in enumerate(state.hands):
            if seat != self.seat:
                known = state.known[seat].copy()
                for at, card in enumerate(hand):
                    if card in known:
                        known.remove(card)
                    else:
                        yield hand, at, self.lacks.get(seat, NONE)
        for down in (*state.face_down, state.undealt):
            for at in range(len(down)):
                yield down, at, NONE

    def play_on(self, state: State, seat: int, moves: Sequence[AnyMove], dice: Dice) -> AnyMove:
        if state.phase == "setup":
            return Choose(_opened(state, seat, 3)[0] if seat == self.seat else tuple(state.face_up[seat]))
        playable = PLAYABLE[effective_top(state.pile)]
        best: AnyMove | None = None
        readiness = len(READINESS)
        last: AnyMove = moves[0]
        lowest = len(READINESS)
        for move in moves:
            rank = RANK[move.cards[0]]
            ready = READY[rank]
            if rank in playable:
                if ready <= readiness:
                    best, readiness = move, ready  # of one rank, all: they come last
            elif ready < lowest:
                last, lowest = move, ready
        if best is not None:
            return best
        return dice.choice(moves) if state.hands[seat] else last

    def worth_a_look(self, state: State, moves: Sequence[AnyMove]) -> Sequence[AnyMove]:
        """What fits; where nothing does, it is all the same from the hand. At the start, the best cards go down."""
        seat = self.seat
        if state.phase == "setup":
            return [Choose(three) for three in _opened(state, seat, FINALISTS)]
        if not (state.hands[seat] or state.face_up[seat]):
            return moves
        playable = PLAYABLE[effective_top(state.pile)]
        fitting = [move for move in moves if RANK[move.cards[0]] in playable]
        return fitting or (moves[:1] if state.hands[seat] else moves)

    def situation(self, state: State, moves: Sequence[AnyMove]) -> Hashable:
        return (
            effective_top(state.pile),
            len(state.pile) > 2,
            tuple([RANK[m.cards[0]] for m in moves if type(m) is Play]),
        )

    def begin(self, state: State) -> None:
        self.undecided = not state.order

    def is_over(self, state: State, steps: int) -> bool:
        """Once somebody has won, the rest of a game for four is two fifths of its moves, and says little more."""
        return (self.undecided and bool(state.order)) or steps > PATIENCE * len(state.hands)

    def worth(self, state: State) -> float:
        """Whoever has fewer cards left is nearer to the end."""
        if state.order:
            return 1.0 if state.order[0] == self.seat else OVERTAKEN
        nearness = [
            1 / (1 + len(hand) + 1.5 * len(up) + 2 * len(down))
            for hand, up, down in zip(state.hands, state.face_up, state.face_down, strict=True)
        ]
        return nearness[self.seat] / sum(nearness)


def _opened(state: State, seat: int, finalists: int) -> list[tuple[str, ...]]:
    """Three of the best cards to lay open, in every way."""
    nine = sorted(state.hands[seat] + state.face_up[seat], key=lambda card: OPEN[RANK[card]])
    return [tuple(sorted(three, key=BY_RANK)) for three in combinations(nine[:finalists], 3)]


def _exchange(
    zone: list[str],
    at: int,
    lacking: frozenset[str],
    places: Sequence[tuple[list[str], int, frozenset[str]]],
    dice: Dice,
) -> None:
    """Let this card and another change places, so that both may lie there."""
    card = zone[at]
    for _ in range(TRIES):
        others, where, others_lack = dice.choice(places)
        other = others[where]
        if RANK[other] not in lacking and RANK[card] not in others_lack:
            zone[at], others[where] = other, card
            return


class Chancellor(Master):
    """Plays many games to their end before it plays a card."""

    name = "chancellor"
    about = "Imagines what you hold, and plays hundreds of games to their end before it plays a card."
    worth = 41.3
    guide = PalaceGuide
    fallback = LowAndSteady

    def __init__(self) -> None:
        super().__init__()
        self.beliefs = Beliefs()

    def observe(self, seat: int, events: Sequence[Event]) -> None:
        super().observe(seat, events)
        self.beliefs.follow(events)
