"""The events of Coup: what has happened at the table, and what of it everybody else is told.

The numbers U1, U2, … are the rules as the game's page under ``docs/`` counts them; D1, D2, … are its decisions.
"""

from __future__ import annotations

from typing import Literal, Self

from msgspec.structs import replace

from croupier.games.coup.characters import Action, Character
from croupier.games.coup.moves import WindowKind
from croupier.kernel import Event

LossReason = Literal["coup", "assassinate", "bs_wrong", "bs_caught"]


class Dealt(Event, frozen=True):
    """Before the game: who sat down has got two cards and two coins."""

    seat: int
    cards: tuple[Character, ...] | None
    """None for everybody else."""
    coins: int
    deck: int
    """How many cards are left."""

    def seen_by(self, seat: int | None) -> Self:
        return self if seat == self.seat else replace(self, cards=None)


class Rose(Event, frozen=True):
    """Before the game: somebody has gone; the cards are in the deck again, and it has been shuffled."""

    seat: int
    deck: int


class Proposed(Event, frozen=True):
    """An action has been announced, and may be answered if it is not immediate.

    Once more with ``block_only`` when it was called BS wrongly and goes on (U35).
    """

    seat: int
    action: Action
    target: int | None
    immediate: bool
    block_only: bool
    responders: tuple[int, ...]
    """Who may answer."""
    wait_ms: int
    """How long until it may be confirmed."""
    timeout_ms: int
    """How long until it is confirmed by itself; 0: never."""


class Executed(Event, frozen=True):
    """An action takes place."""

    seat: int
    action: Action
    target: int | None
    after: Literal["at_once", "window", "challenge"]
    """Without a window; because its window is over; because a BS call did not stop it."""


class CoinsChanged(Event, frozen=True):
    """The new balances of exactly those players whose balance has changed."""

    coins: tuple[tuple[int, int], ...]
    """Seat and coins."""


class Passed(Event, frozen=True):
    """The open action comes to nothing, and nobody was called BS (D19)."""

    reason: Literal["blocked", "withdrawn", "target_out", "kicked"]
    seat: int
    """The blocker, the proposer, the target, who was kicked."""
    proposer: int


class Allowed(Event, frozen=True):
    """Somebody lets the open action or block pass."""

    seat: int
    to: WindowKind
    responders: tuple[int, ...]
    """Who may still answer."""


class Blocked(Event, frozen=True):
    """Somebody claims a character that stops the action; that may be answered in its turn."""

    seat: int
    character: Character
    action: Action
    target: int | None
    proposer: int
    responders: tuple[int, ...]
    wait_ms: int
    timeout_ms: int


class Challenged(Event, frozen=True):
    """BS was called, and the accused's cards have been looked at."""

    reveals = True

    seat: int
    """The accuser."""
    accused: int
    character: Character
    """What was claimed."""
    on_block: bool
    correct: bool
    """Whether the accused did not have it."""
    loser: int


class Swapped(Event, frozen=True):
    """The card that was proved went into the deck, it was shuffled, and another one was drawn (U34)."""

    reveals = True

    seat: int
    hand: tuple[Character, ...] | None
    """The face-down cards now; None for everybody else."""

    def seen_by(self, seat: int | None) -> Self:
        return self if seat == self.seat else replace(self, hand=None)


class Losing(Event, frozen=True):
    """Somebody has to turn over a card."""

    seat: int
    reason: LossReason
    asked: bool
    """Whether there is a choice: the last card is turned over at once."""
    cards: tuple[Character, ...] | None
    """What there is to choose from; None for everybody else."""
    timeout_ms: int

    def seen_by(self, seat: int | None) -> Self:
        return self if seat == self.seat or self.cards is None else replace(self, cards=None)


class Revealed(Event, frozen=True):
    """A card has been turned over for good."""

    reveals = True

    seat: int
    card: Character
    slot: int
    reason: LossReason | Literal["kicked"]
    revealed: tuple[Character, ...]
    """All of this player's, in the order in which they were turned over."""
    hand: tuple[Character, ...] | None
    """What is still face down; None for everybody else."""

    def seen_by(self, seat: int | None) -> Self:
        return self if seat == self.seat else replace(self, hand=None)


class WentOut(Event, frozen=True):
    """Somebody has no face-down card any more."""

    seat: int


class Drew(Event, frozen=True):
    """An exchange: two cards have been drawn, and some are to be kept."""

    reveals = True

    seat: int
    pool: tuple[Character, ...] | None
    """The face-down cards, then the two that were drawn; None for everybody else."""
    keep: int
    timeout_ms: int

    def seen_by(self, seat: int | None) -> Self:
        return self if seat == self.seat else replace(self, pool=None)


class Exchanged(Event, frozen=True):
    """An exchange is over."""

    seat: int
    hand: tuple[Character, ...] | None
    """The face-down cards now; None for everybody else."""

    def seen_by(self, seat: int | None) -> Self:
        return self if seat == self.seat else replace(self, hand=None)


class Turn(Event, frozen=True):
    """Whose turn it is now."""

    seat: int


class Ended(Event, frozen=True):
    """One is left."""

    reveals = True

    seat: int
    cards: tuple[Character, ...]
    """The winner's, now open."""


class Paused(Event, frozen=True):
    """Somebody who is in the game has lost the connection: it stands still until nobody is missing."""

    seat: int
    missing: tuple[int, ...]


class Resumed(Event, frozen=True):
    """Nobody is missing any more."""


class Kicked(Event, frozen=True):
    """Somebody is out of the game: thrown out, missing for too long, or gone of their own will."""

    seat: int


AnyEvent = (
    Dealt
    | Rose
    | Proposed
    | Executed
    | CoinsChanged
    | Passed
    | Allowed
    | Blocked
    | Challenged
    | Swapped
    | Losing
    | Revealed
    | WentOut
    | Drew
    | Exchanged
    | Turn
    | Ended
    | Paused
    | Resumed
    | Kicked
)

Events = list[AnyEvent]
"""What a move has brought so far: one list, which is handed on from step to step."""
