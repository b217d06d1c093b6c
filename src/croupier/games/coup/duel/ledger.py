"""What everybody at the table has heard: in this turn, and what it was worth before."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from croupier.games.coup.bot import Believer
from croupier.games.coup.characters import CHARACTERS, Character
from croupier.games.coup.duel.hands import HANDS
from croupier.games.coup.duel.solving import Path
from croupier.games.coup.duel.tree import Said
from croupier.games.coup.events import Blocked, Challenged, Passed, Proposed, Revealed, Turn
from croupier.kernel import Event

NOBODY = -1


class Ledger:
    """Claims and proofs of all players, as somebody hears them who holds no cards; so also what one's own say."""

    def __init__(self) -> None:
        self.listener = Believer()
        self.before: dict[int, dict[Character, float]] = {}
        """What spoke for whom having what when the turn began."""
        self.said: Path = ()
        """In this turn: the action, then BS or a block, and so on."""
        self.lost: list[tuple[int, Character]] = []
        """Who has lost what in this turn."""
        self.vain: dict[int, Said] = {}
        """By player: the last action, where trying it again at once leads nowhere: an exchange, or what was blocked.
        Otherwise two who always block each other would go on for ever."""

    def observe(self, events: Sequence[Event]) -> None:
        for event in events:
            self.listener.observe(NOBODY, (event,))
            match event:
                case Turn():
                    self.before = {player: dict(known) for player, known in self.listener.evidence.items()}
                    self.said = ()
                    self.lost = []
                case Proposed(player, action, _, _, False):
                    self.said = (action,)
                    self.vain.pop(player, None)
                    if action == "exchange":
                        self.vain[player] = action
                case Blocked(_, character):
                    self.said = (*self.said, character)
                case Passed("blocked", _, player) if self.said:
                    self.vain[player] = self.said[0]
                case Challenged():
                    self.said = (*self.said, "bs")
                case Revealed(player, card):
                    self.lost.append((player, card))

    def trust(self, player: int) -> float:
        """How much somebody believes others, from 0 to 1; until they have shown otherwise, entirely."""
        called, answered = self.listener.called[player], self.listener.answered[player]
        return max(0.0, 1 - 2 * called / (answered + 3))

    def beliefs(self, player: int, held: int) -> list[float]:
        """By hand: how much likelier it has become by what was heard before this turn."""
        known = self.before.get(player) or dict.fromkeys(CHARACTERS, 0.0)
        return [exp(sum(known[character] for character in set(hand))) for hand in HANDS[held]]
