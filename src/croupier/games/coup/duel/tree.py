"""A turn of a duel as a tree of what may be said. Who holds what, and how many coins, is no part of it.

Player 0 is the one whose turn it is. What follows a turn is the next one, of the other player.
"""

from __future__ import annotations

from functools import cache
from typing import Literal, NamedTuple, TypeAlias

from croupier.games.coup.characters import BLOCKS, CLAIMS, FEES, GAINS, MUST_COUP, Action, Character
from croupier.games.coup.duel.hands import Fate

Ruleset = Literal["note", "official"]
Said = Literal["allow", "bs"] | Action | Character
"""A character stands for a block."""
Purses = tuple[int, int]
Node: TypeAlias = "Leaf | Proof | Choice"


class Leaf(NamedTuple):
    """The end of the turn."""

    gained: int
    """By player 0."""
    stolen: bool
    fates: tuple[Fate, Fate]

    def coins(self, purses: Purses) -> Purses:
        one, other = purses
        theft = min(2, other) if self.stolen else 0
        return one + self.gained + theft, other - theft


class Proof(NamedTuple):
    """BS was called: somebody shows the character, or can't."""

    accused: int
    character: Character
    shown: Node
    caught: Node


class Choice(NamedTuple):
    """Somebody says something."""

    player: int
    said: tuple[Said, ...]
    then: tuple[Node, ...]


STAYS = Fate()


def possible(purses: Purses) -> dict[Action, bool]:
    """Which actions player 0 may propose."""
    own, other = purses
    free = own < MUST_COUP
    return {
        "income": free, "foreign_aid": free, "coup": own >= FEES["coup"], "tax": free,
        "assassinate": free and own >= FEES["assassinate"], "steal": free and other > 0, "exchange": free,
    }  # fmt: skip


@cache
def turn(ruleset: Ruleset, lives: tuple[int, int]) -> Choice:
    """The turn of somebody with so many cards against somebody with so many."""
    said = tuple(possible((0, 0)))
    return Choice(0, said, tuple(_Turn(ruleset, lives, action).begin() for action in said))


class _Turn:
    """One action, and all that may come of it."""

    def __init__(self, ruleset: Ruleset, lives: tuple[int, int], action: Action) -> None:
        self.official = ruleset == "official"
        self.lives = lives
        self.action = action
        self.claim = CLAIMS.get(action)
        self.fee = -FEES[action]

    def begin(self) -> Node:
        if self.action in ("income", "coup"):
            return self._done()
        said: list[Said] = ["allow"]
        then: list[Node] = [self._done()]
        if self.claim is not None:
            said.append("bs")
            then.append(self._doubted(self.claim))
        for character in BLOCKS.get(self.action, ()):
            said.append(character)
            then.append(self._blocked(character))
        return Choice(1, tuple(said), tuple(then))

    def _done(self, own: Fate = STAYS, lost: int = 0) -> Leaf:
        """The action takes place; the other one may have lost a card before."""
        hits = self.action in ("coup", "assassinate")
        return Leaf(
            GAINS.get(self.action, 0) + self.fee,
            self.action == "steal",
            (own._replace(exchanged=self.action == "exchange"), Fate(lost=lost + hits)),
        )

    def _off(self, own: Fate = STAYS, other: Fate = STAYS, *, refunded: bool = False) -> Leaf:
        """The action does not take place."""
        return Leaf(0 if refunded else self.fee, False, (own, other))

    def _doubted(self, claim: Character) -> Proof:
        caught = self._off(Fate(lost=1), refunded=True)
        if not self.official:
            return Proof(0, claim, self._off(other=Fate(lost=1), refunded=True), caught)
        proven = Fate(swapped=claim)
        if self.lives[1] == 1 or self.action not in BLOCKS:
            return Proof(0, claim, self._done(proven, lost=1), caught)
        said: list[Said] = ["allow"]
        then: list[Node] = [self._done(proven, lost=1)]
        for character in BLOCKS[self.action]:
            said.append(character)
            then.append(self._blocked(character, proven, lost=1))
        return Proof(0, claim, Choice(1, tuple(said), tuple(then)), caught)

    def _blocked(self, character: Character, own: Fate = STAYS, lost: int = 0) -> Choice:
        """The other one blocks, and may have lost a card before that."""
        swapped = character if self.official else None
        shown = self._off(own._replace(lost=1), Fate(lost=lost, swapped=swapped))
        caught = self._done(own, lost + 1) if self.official else self._off(own, Fate(lost=1))
        stands = self._off(own, Fate(lost=lost))
        return Choice(0, ("allow", "bs"), (stands, Proof(1, character, shown, caught)))
