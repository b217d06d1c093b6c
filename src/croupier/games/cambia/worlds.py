"""How the hidden cards may lie, by what was done with them: one deal after the other, the likely ones more often.

Two cards change faces, again and again. Where somebody would then have done what they would not usually do, the change
is taken back most of the time (a Markov chain, by Metropolis). Dealing anew until everything fits would take for ever.
"""

from __future__ import annotations

from collections import defaultdict
from math import ceil

from croupier.games.cambia.beliefs import HIGHEST, UNKNOWN, Beliefs
from croupier.games.cambia.bot import LOW_ENOUGH
from croupier.games.cambia.cards import FACES, RANK, VALUE
from croupier.games.cambia.state import State
from croupier.kernel import Chance, Dice

DOUBT = 12
"""How many times as unlikely a deal is for each thing that somebody would not usually have done."""
SHUFFLED, STIRRED = 25, 3
"""Changes for each card that something is believed of: until it lies no matter how, and from one deal to the next."""
LUCKS = 1 << 48
"""How many ways there are for what is shuffled later on."""
MOST_SURPRISING = 3
"""How many unusual things it is worth at most to have called Cambia with a high sum."""


class Worlds:
    def __init__(self, state: State, seat: int, beliefs: Beliefs, dice: Dice) -> None:
        """``state`` is an imagined one. It is changed from deal to deal."""
        self.state = state
        faces, seen = state.faces, state.seen
        unseen = {card for card in faces if not seen.get(card, 0) >> seat & 1 and card not in state.leftovers}
        self._fitting = {card: fitting for card in unseen if (fitting := _fitting(state, beliefs, card)) is not None}
        self._pairs: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for lower, higher in beliefs.pairs:
            if lower in faces and higher in faces:
                for card in unseen.intersection((lower, higher)):
                    self._pairs[card].append((lower, higher))
        self._sums: dict[str, list[tuple[tuple[str, ...], float, bool]]] = defaultdict(list)
        for whose, (known, unknown, called) in beliefs.sums.items():
            if whose != seat and all(card in faces for card in known):
                for card in unseen.intersection(known):
                    self._sums[card].append((known, UNKNOWN * unknown, called))
        bound = self._fitting.keys() | self._pairs.keys() | self._sums.keys()
        self._bound = [card for card in faces if card in bound]
        # Who counts along knows which faces are on the cards of each shuffle: they change places among themselves.
        self._alike: dict[int, list[str]] = defaultdict(list)
        self._free: dict[int, list[str]] = defaultdict(list)
        for card in faces:
            if card in unseen:
                epoch = state.epochs.get(card, 0)
                self._alike[epoch].append(card)
                if card not in bound:
                    self._free[epoch].append(card)
        self._stir(SHUFFLED, dice)

    def deal(self, dice: Dice) -> None:
        """Another one."""
        self.state.chance = Chance(dice.below(LUCKS).to_bytes(32))
        faces = self.state.faces
        for cards in self._free.values():
            dealt = [faces[card] for card in cards]
            dice.shuffle(dealt, "unknown")
            faces.update(zip(cards, dealt, strict=True))
        self._stir(STIRRED, dice)

    def _stir(self, times: int, dice: Dice) -> None:
        faces, epochs, bound = self.state.faces, self.state.epochs, self._bound
        for _ in range(times * len(bound)):
            one = dice.choice(bound)
            other = dice.choice(self._alike[epochs.get(one, 0)])
            if faces[one] == faces[other]:
                continue
            before = self._unusual(one) + self._unusual(other)
            faces[one], faces[other] = faces[other], faces[one]
            more = self._unusual(one) + self._unusual(other) - before
            if more > 0 and dice.below(DOUBT**more):
                faces[one], faces[other] = faces[other], faces[one]

    def _unusual(self, card: str) -> int:
        """How many things nobody would usually have done if it had this face."""
        faces = self.state.faces
        fitting = self._fitting.get(card)
        found = 0 if fitting is None or faces[card] in fitting else 1
        for lower, higher in self._pairs.get(card, ()):
            found += VALUE[faces[lower]] > VALUE[faces[higher]]
        for known, unknown, called in self._sums.get(card, ()):
            above = sum([VALUE[faces[each]] for each in known]) + unknown - LOW_ENOUGH
            if called:
                found += min(MOST_SURPRISING, max(0, ceil(above / 2)))
            else:
                found += above <= 0
        return found


def _fitting(state: State, beliefs: Beliefs, card: str) -> frozenset[str] | None:
    """The faces that are believed of a card by itself; None if there is nothing to believe."""
    highest, lowest = beliefs.limits.get(card, HIGHEST), beliefs.floors.get(card, -1)
    unlike = beliefs.unlike.get(card, frozenset())
    if highest >= HIGHEST and lowest < 0 and not unlike:
        return None
    return frozenset(
        face for face in FACES if lowest <= VALUE[face] <= highest and (VALUE[face] <= 0 or RANK[face] not in unlike)
    )
