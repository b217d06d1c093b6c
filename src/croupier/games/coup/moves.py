"""The moves of Coup: what a player may say."""

from __future__ import annotations

from typing import Literal

from croupier.games.coup.characters import Action, Character
from croupier.kernel import Move

WindowKind = Literal["action", "block"]


class Propose(Move, frozen=True):
    """The current player's action. INCOME and COUP happen at once, the others may be answered first."""

    action: Action
    target: int | None = None
    """The seat that is couped, assassinated or stolen from."""


class Allow(Move, frozen=True):
    """Let the open action or block pass. Binding: no BS and no block in this window any more."""

    to: WindowKind | None = None
    """What is meant, so that it can't hit a block that was quicker; None: whatever is open."""


class Accept(Move, frozen=True):
    """Let it pass and have it done as soon as may be, without its player's word.

    Only for the target of an action, and for the player whose action is blocked.
    """

    to: WindowKind | None = None
    allows: bool = True
    """Whether it is announced and binding like ``Allow``. False: only what has to be done is remembered."""


class CallBs(Move, frozen=True):
    """You don't have that card."""

    to: WindowKind | None = None


class Block(Move, frozen=True):
    """Stop the open action, claiming this character."""

    character: Character


class Confirm(Move, frozen=True):
    """Go ahead with your own action or block."""

    action: Action | Literal["block"] | None = None
    """What is meant; None: whatever is open. If it is something else the move is refused."""
    target: int | None = None
    """Likewise: the action's target; in a block, the player who is blocked."""
    patient: bool = True
    """When it is too early: True has it remembered until its time has come, False has it refused."""


class Withdraw(Move, frozen=True):
    """Give up your open action; its fee is lost. Only in the ruleset ``note``."""


class Lose(Move, frozen=True):
    """Turn over this one of your cards."""

    card: Character


class Keep(Move, frozen=True):
    """The end of an exchange: keep these, in the order of your slots."""

    cards: tuple[Character, ...]


AnyMove = Propose | Allow | Accept | CallBs | Block | Confirm | Withdraw | Lose | Keep
