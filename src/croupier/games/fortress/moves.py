"""What the players of Fortress may do.

Places are named as they are on the table, with their seat: a dialect turns them round for each receiver.
"""

from __future__ import annotations

from typing import Literal

from croupier.games.fortress.places import Place
from croupier.kernel import Move


class BringDeck(Move, frozen=True):
    """Before anything else: the deck you play with, 50 cards and then the castle (T11)."""

    cards: tuple[int, ...]


class Mulligan(Move, frozen=True):
    """Shuffle the whole hand into the deck and draw one card fewer (T15)."""


class AcceptHand(Move, frozen=True):
    """Keep this hand; final (T16)."""


class ReturnCard(Move, frozen=True):
    """Give back a single card of the first hand, without another for it (T17)."""

    place: Place


class DrawCard(Move, frozen=True):
    """The turn's draw (T21)."""


class PlayCard(Move, frozen=True):
    """Play a card from hand into a slot (T26)."""

    start: Place
    end: Place
    card: int | None = None
    """Which card is meant, so that it can't be another one."""


class AttackCard(Move, frozen=True):
    """Attack an enemy soldier, mage or castle (T43)."""

    attacker: Place
    target: Place


class LevelMage(Move, frozen=True):
    """Raise a mage of yours by one level (T57)."""

    mage: Place


class UseAbility(Move, frozen=True):
    """Use an In play ability, or the decree of that kind; in a window, one that cancels a trickster (T62)."""

    place: Place
    responds_to: int | None = None
    """In a window: the action that is answered; None: the topmost of the enemy (T105)."""


class DestroyCard(Move, frozen=True):
    """Use a card of yours that destroys this enemy card: the first that can (D27)."""

    target: Place
    source: Place | None = None
    """Which card is to do it."""
    responds_to: int | None = None


class EndTurn(Move, frozen=True):
    """T23"""


class AllowAction(Move, frozen=True):
    """Don't answer: the stack resolves (T106)."""


class ActivateTrickster(Move, frozen=True):
    """Answer with a face-down trickster (T86)."""

    place: Place
    responds_to: int | None = None
    """The action that is answered; None: the topmost of the enemy (T105)."""
    more: bool = False
    """Keep the window for another trickster (D23)."""


class ChooseCard(Move, frozen=True):
    """Answer to a request: this card. None declines."""

    place: Place | None
    to: Place | None = None
    """Where a card is played that way: the slot; None: the lowest free one (T74)."""
    card: int | None = None
    """Which card is meant, so that it can't be another one."""
    request: int | None = None
    """Which request is meant."""


class Answer(Move, frozen=True):
    """Answer to a question or an offer."""

    yes: bool
    kind: Literal["question", "draw", "level"] | None = None
    """Which kind of question is meant; None: whatever is asked."""
    request: int | None = None


AnyMove = (
    BringDeck
    | Mulligan
    | AcceptHand
    | ReturnCard
    | DrawCard
    | PlayCard
    | AttackCard
    | LevelMage
    | UseAbility
    | DestroyCard
    | EndTurn
    | AllowAction
    | ActivateTrickster
    | ChooseCard
    | Answer
)
