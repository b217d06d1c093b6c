"""The table of Coup: the whole of it, and as one player sees it.

The numbers U1, U2, … are the rules as the game's page under ``docs/`` counts them.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from croupier.games.coup.characters import Action, Character
from croupier.games.coup.events import LossReason
from croupier.games.coup.options import Options
from croupier.kernel import Chance, shown

Phase = Literal[
    "pre_game", "awaiting_action", "action_window", "block_window", "losing_card", "exchanging", "game_over"
]
Then = Literal["turn", "continue", "execute"]
"""What follows when a card is lost: the turn is over; the action goes on (U35); the action is executed (U36)."""


class Clue(msgspec.Struct):
    """What somebody knows of hidden cards: that these characters are among the cards of these numbers."""

    characters: list[Character]
    cards: list[int]
    seat: int | None = None
    """Who knows it; None: everybody."""


class Lack(msgspec.Struct):
    """What everybody knows since a bluff was caught: none of these cards is this character."""

    character: Character
    cards: list[int]


class State(msgspec.Struct):
    """The whole table, secrets included. A card is a number from 0 to 14; what it shows is in ``faces``."""

    options: Options
    chance: Chance
    faces: list[Character]
    deck: list[int]
    """U2: the top comes first."""
    phase: Phase = "pre_game"
    seats: list[int] = []
    """Before the game: the numbers of those who sit. All lists by player are in this order."""
    hands: list[list[int]] = []
    """Two slots for everybody, face down or revealed."""
    lost: list[list[int]] = []
    """Which slots are revealed, in the order in which that happened."""
    coins: list[int] = []
    current: int = 0
    since: int = 0
    """When the current wait began; while the game is paused, as if it had been now."""
    action: Action | None = None
    """The one that is open, or will go on when a card is lost."""
    target: int | None = None
    blocker: int | None = None
    block_as: Character | None = None
    block_only: bool = False
    allowed: list[int] = []
    responders: list[int] = []
    """Who may still answer, in turn order after the owner."""
    confirmed: bool = False
    """The word to go ahead has come early and is remembered."""
    loser: int | None = None
    reason: LossReason | None = None
    then: Then = "turn"
    drawn: list[int] = []
    """The two cards of an exchange."""
    out: list[int] = []
    """Who is out, first to last."""
    kicked: list[int] = []
    paused_at: int | None = None
    away: list[tuple[int, int]] = []
    """Living players who are missing, in turn order, and since when."""
    clues: list[Clue] = []
    lacks: list[Lack] = []


class Slot(msgspec.Struct, frozen=True):
    """Where a card lies."""

    card: Character | None
    """None: face down, and not yours."""
    revealed: bool


class View(msgspec.Struct, frozen=True):
    """The table as one player sees it. Tuples with one entry per player are in turn order."""

    seat: int | None
    """Whose view it is; None for a spectator."""
    phase: Annotated[Phase, shown(kind="hidden")]
    ruleset: Annotated[Literal["note", "official"], shown(kind="hidden")]
    """As it is in the game; before it, see the table's options."""
    seats: Annotated[tuple[int, ...], shown(kind="hidden")]
    """The seats' numbers. They have gaps only before the game."""
    current: int | None
    """Whose turn it is, or was when the game ended; None before the game."""
    deck: int
    """How many cards are in it, without those drawn for an exchange."""
    coins: tuple[int, ...]
    cards: tuple[tuple[Slot, Slot], ...]
    """By player and slot."""
    revealed: Annotated[tuple[tuple[Character, ...], ...], shown(kind="hidden")]
    """Everybody's open cards, in the order in which they were turned over."""
    out: tuple[int, ...]
    """Who is out, first to last."""
    kicked: Annotated[tuple[int, ...], shown(kind="hidden")]
    """Who of them was kicked, and counts as online."""
    action: Action | None
    """The one that is open; while somebody loses a card, the one that will go on after that."""
    target: int | None
    blocker: Annotated[int | None, shown("Blocks", "seat")]
    """Who blocks it, in the block window."""
    block_as: Annotated[Character | None, shown("Claims")]
    block_only: Annotated[bool, shown(kind="hidden")]
    """The action is proven already: only its target may answer (U35)."""
    allowed: Annotated[tuple[int, ...], shown("Lets it pass", "seats", by_seat=False)]
    """Who lets it pass, in the order of their saying so."""
    responders: Annotated[tuple[int, ...], shown("May answer", "seats", by_seat=False)]
    """Who may still answer."""
    confirmed: Annotated[bool, shown(kind="hidden")]
    """Whether it goes ahead by itself as soon as ``opens``."""
    opens: int | None
    """From when on the open action or block may be confirmed; None where it goes ahead when all have allowed it."""
    closes: int | None
    """When the current wait ends by itself; None: never."""
    losing: Annotated[int | None, shown("Loses a card", "seat")]
    """Who has to lose a card."""
    reason: Annotated[LossReason | None, shown(kind="hidden")]
    pool: Annotated[tuple[Character, ...] | None, shown("To choose from")]
    """What you may choose from in an exchange of yours: your cards, then the two you have drawn."""
    paused_since: int | None
    """If the game is paused. ``opens`` and ``closes`` are as they were at that moment, and move on when it resumes."""
    missing: Annotated[tuple[int, ...], shown("Away", "seats", by_seat=False)]
    """Who it is paused for."""
    winner: int | None
