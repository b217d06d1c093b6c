"""The words of Coup: characters and actions, what the host may choose, moves, events, the state and its view.

The numbers U1, U2, … are the rules as the game's page under ``docs/`` counts them; D1, D2, … are its decisions.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self, get_args

import msgspec
from msgspec.structs import replace

from croupier.kernel import Chance, Event, Move, option

Character = Literal["duke", "ambassador", "assassin", "contessa", "captain"]
CHARACTERS: tuple[Character, ...] = get_args(Character)
DECK: tuple[Character, ...] = tuple(character for character in CHARACTERS for _ in range(3))
"""U1: three of each."""

Action = Literal["income", "foreign_aid", "coup", "tax", "assassinate", "steal", "exchange"]
ACTIONS: tuple[Action, ...] = get_args(Action)

CLAIMS: dict[Action, Character] = {
    "tax": "duke", "assassinate": "assassin", "steal": "captain", "exchange": "ambassador",
}  # fmt: skip
"""The character that an action needs, or pretends to."""
FEES: dict[Action, int] = {**dict.fromkeys(ACTIONS, 0), "coup": 7, "assassinate": 3}
GAINS: dict[Action, int] = {"income": 1, "foreign_aid": 2, "tax": 3}
MUST_COUP = 10
"""U13: with so many coins there is nothing else to do."""
TARGETED: frozenset[Action] = frozenset(("coup", "assassinate", "steal"))
IMMEDIATE: frozenset[Action] = frozenset(("income", "coup"))
BLOCKS: dict[Action, tuple[Character, ...]] = {
    "foreign_aid": ("duke",), "assassinate": ("contessa",), "steal": ("captain", "ambassador"),
}  # fmt: skip
"""U26: as what an action can be blocked; by its target, or by anybody when it has none."""

Phase = Literal[
    "pre_game", "awaiting_action", "action_window", "block_window", "losing_card", "exchanging", "game_over"
]
WindowKind = Literal["action", "block"]
LossReason = Literal["coup", "assassinate", "bs_wrong", "bs_caught"]
Then = Literal["turn", "continue", "execute"]
"""What follows when a card is lost: the turn is over; the action goes on (U35); the action is executed (U36)."""


class Options(msgspec.Struct, frozen=True):
    """What is chosen when a table is opened. Times are in milliseconds."""

    ruleset: Annotated[
        Literal["note", "official"],
        option(
            "After a wrong call of BS",
            "Who was wrong loses a card either way.",
            labels={"note": "the turn is over", "official": "the action goes on, as in the printed game"},
        ),
    ] = "note"
    confirm_policy: Annotated[
        Literal["wait", "all"],
        option(
            "An action goes ahead",
            labels={"wait": "when its player says so", "all": "when everybody lets it pass"},
        ),
    ] = "wait"
    min_wait_ms: Annotated[
        int,
        option("At the earliest after", ge=0, le=60_000, unit="ms", zero="no time", when={"confirm_policy": "wait"}),
    ] = 5_000
    response_timeout_ms: Annotated[
        int,
        option(
            "Time to answer",
            "Then an action or a block goes ahead by itself.",
            ge=0,
            le=600_000,
            unit="ms",
            zero="no limit",
            least=1_000,
        ),
    ] = 60_000
    choice_timeout_ms: Annotated[
        int, option("Time to choose cards", ge=0, le=600_000, unit="ms", zero="no limit", least=1_000)
    ] = 60_000
    turn_timeout_ms: Annotated[
        int, option("Time for a turn", ge=0, le=600_000, unit="ms", zero="no limit", least=1_000)
    ] = 120_000
    auto_kick_ms: Annotated[
        int,
        option(
            "Who has lost the connection is out after",
            ge=0,
            le=3_600_000,
            unit="ms",
            zero="never: the host decides",
            least=10_000,
        ),
    ] = 300_000
    require_token: Annotated[bool, option("Names are not enough", hidden=True)] = False
    """Whether coming back takes the seat's secret in protocols that go by name."""
    sounds: Annotated[
        bool, option("Sounds for everybody", "Players can let the whole table hear applause, a drum roll and the like.")
    ] = True

    def __post_init__(self) -> None:
        for name, least in (
            ("response_timeout_ms", 1_000), ("choice_timeout_ms", 1_000), ("turn_timeout_ms", 1_000),
            ("auto_kick_ms", 10_000),
        ):  # fmt: skip
            if 0 < getattr(self, name) < least:
                raise ValueError(f"{name} is 0 or at least {least}")
        if 0 < self.response_timeout_ms < self.min_wait_ms:
            raise ValueError("response_timeout_ms is 0 or at least min_wait_ms")


# Moves


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


# Events


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


# The table


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
    phase: Phase
    ruleset: Literal["note", "official"]
    """As it is in the game; before it, see the table's options."""
    seats: tuple[int, ...]
    """The seats' numbers. They have gaps only before the game."""
    current: int | None
    """Whose turn it is, or was when the game ended; None before the game."""
    deck: int
    """How many cards are in it, without those drawn for an exchange."""
    coins: tuple[int, ...]
    cards: tuple[tuple[Slot, Slot], ...]
    """By player and slot."""
    revealed: tuple[tuple[Character, ...], ...]
    """Everybody's open cards, in the order in which they were turned over."""
    out: tuple[int, ...]
    """Who is out, first to last."""
    kicked: tuple[int, ...]
    """Who of them was kicked, and counts as online."""
    action: Action | None
    """The one that is open; while somebody loses a card, the one that will go on after that."""
    target: int | None
    blocker: int | None
    """Who blocks it, in the block window."""
    block_as: Character | None
    block_only: bool
    """The action is proven already: only its target may answer (U35)."""
    allowed: tuple[int, ...]
    """Who lets it pass, in the order of their saying so."""
    responders: tuple[int, ...]
    """Who may still answer."""
    confirmed: bool
    """Whether it goes ahead by itself as soon as ``opens``."""
    opens: int | None
    """From when on the open action or block may be confirmed; None where it goes ahead when all have allowed it."""
    closes: int | None
    """When the current wait ends by itself; None: never."""
    losing: int | None
    """Who has to lose a card."""
    reason: LossReason | None
    pool: tuple[Character, ...] | None
    """What you may choose from in an exchange of yours: your cards, then the two you have drawn."""
    paused_since: int | None
    """If the game is paused. ``opens`` and ``closes`` are as they were at that moment, and move on when it resumes."""
    missing: tuple[int, ...]
    """Who it is paused for."""
    winner: int | None
