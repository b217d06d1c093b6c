"""The table of Cambia: as it is, and as a seat may see it."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Literal

import msgspec

from croupier import kernel
from croupier.games.cambia.cards import SPECIALS, Ids, Special
from croupier.games.cambia.moves import Snap
from croupier.games.cambia.options import Options
from croupier.kernel import Chance, Illegal

Phase = Literal["gathering", "pregame", "playing", "pause", "over"]
"""Waiting for everybody to be there; the first look; the game; between two rounds of a match; the end."""
Step = Literal["start", "holding", "choosing", "deciding"]
"""Of a turn: before drawing; with a drawn card; with a special to use; after a King's look."""
Source = Literal["stockpile", "discardpile"]
Reason = Literal["cambia", "deck_exhausted", "forfeit", "max_turns"]

SPECTATOR = 8
"""The bit of those who look on, beside the seats' bits, in ``State.seen``."""
EVERYBODY = (1 << SPECTATOR + 1) - 1


class Card(msgspec.Struct, frozen=True, gc=False):
    """A card with its face."""

    id: str
    face: str


class Spot(msgspec.Struct, frozen=True, gc=False):
    """A card and where it lies: whose it is, and its position there. Neither, when it has left that hand."""

    id: str
    owner: int | None
    idx: int | None


class Debt(msgspec.Struct, frozen=True, gc=False):
    """C43: who has snapped a card of another player owes them one."""

    seat: int
    target: Annotated[int, kernel.shown("Owes a card to")]
    idx: Annotated[int, kernel.shown(kind="hidden")]
    """Where the card that is given goes."""
    due: int


class Outcome(msgspec.Struct, frozen=True):
    """How a game, or a round of a match, ended. Tuples with one entry per player are in the order of the seats."""

    reason: Reason
    caller: int | None
    winners: tuple[int, ...]
    scores: tuple[int | None, ...]
    """C58: none for who has forfeited. In a match by elimination, with bonus and penalty."""
    raw: tuple[int | None, ...]
    """The plain sums."""
    forfeited: tuple[int, ...]
    hands: tuple[tuple[Card, ...], ...]
    penalty_applied: bool = False
    win_bonus_applied: bool = False


class Match(msgspec.Struct, frozen=True):
    """C62: where a match stands after the rounds that are over."""

    totals: Annotated[tuple[int, ...], kernel.shown("Points so far", "number", by_seat=False)]
    history: Annotated[tuple[tuple[int, ...], ...], kernel.shown(kind="hidden")] = ()
    """The scores of each round, without subsidies."""
    callers: Annotated[tuple[int | None, ...], kernel.shown(kind="hidden")] = ()
    """Who called Cambia, round by round."""
    subsidies: Annotated[tuple[int, ...], kernel.shown(kind="hidden")] = ()
    """Of the last round: what was added to its scores."""
    missed: Annotated[tuple[int, ...], kernel.shown(kind="hidden")] = ()
    """C67: how many rounds in a row everybody has missed."""
    abandoned: Annotated[tuple[int, ...], kernel.shown(kind="hidden")] = ()
    """Seats that are not played any more."""
    out: Annotated[tuple[tuple[int, ...], ...], kernel.shown(kind="hidden")] = ()
    """C66: who has reached the target score, first to last; seats that went in the same round stand together."""
    standings: Annotated[tuple[tuple[int, ...], ...], kernel.shown(kind="hidden")] = ()
    """At the end: seats from first to last; seats that share a place stand together."""


class OfferedSnaps(msgspec.Struct):
    """The snaps that were last offered. Most cards lie where they did a move ago, and to make all the offers again for
    each decision was a fifth of a playout."""

    hands: list[list[str]]
    """As they lay then."""
    snaps: list[list[Snap]]
    """By hand."""
    together: list[Snap]
    """The same in one."""


class State(msgspec.Struct, dict=True):
    """The whole table, secrets included. Lists with one entry per player are in the order of the seats."""

    rules: Options
    """Those in force."""
    chance: Chance
    ids: Ids
    since: int
    """When the phase began."""
    first: int
    """C11: who has the first turn."""
    faces: dict[str, str]
    """Of every card, by id."""
    seen: dict[str, int]
    """By id, a bit for everybody who has been shown the face: 1 << seat."""
    stock: list[str]
    """Bottom to top."""
    hands: list[list[str]]
    pile: list[str]
    """Bottom to top."""
    away: list[int | None]
    """Since when somebody is not connected."""
    forfeited: list[bool]
    locked: list[bool]
    """C36, D93: whose cards can't be moved: the caller's, and those of players who have forfeited."""
    missed: list[int]
    """T12: own turns in a row that somebody was away for."""
    missing: list[bool]
    """C67: who was away when the round was dealt."""
    players: int
    """How many were dealt in."""
    phase: Phase = "gathering"
    round: int = 1
    current: int = 0
    turn: int = 0
    step: Step = "start"
    whole: bool = False
    """T12: whether the current player has been away from the beginning of the turn."""
    held: str | None = None
    """The card that is drawn and neither thrown nor placed."""
    source: Source = "stockpile"
    special: Special | None = None
    """The one that is open."""
    thrown: Card | None = None
    """The card that opened it."""
    revealed: tuple[Spot, ...] = ()
    """The King's two cards, where they lay when they were looked at."""
    due: int | None = None
    """When the turn's time is up."""
    caller: int | None = None
    snapped: bool = False
    """C49: whether there was a successful snap since the last discard."""
    debts: list[Debt] = []
    epochs: dict[str, int] = {}
    """Of the cards that have got new ids: in which reshuffle. For ``imagine``: who knows what was in the pile knows
    that it is not in a hand that was there before."""
    leftovers: list[str | None] = []
    """Of every reshuffle, the id that the card left over in the stockpile got; None when there was none."""
    outcome: Outcome | None = None
    match: Match | None = None

    @cached_property
    def offered(self) -> OfferedSnaps:
        """No part of the state, only remembered."""
        seats = len(self.hands)
        return OfferedSnaps([[] for _ in range(seats)], [[] for _ in range(seats)], [])


class Player(msgspec.Struct, frozen=True):
    """Somebody at the table."""

    hand: tuple[str, ...]
    """The ids of the cards, which lie face down."""
    away: bool
    """Not connected."""
    forfeited: bool


class Held(msgspec.Struct, frozen=True):
    """A drawn card."""

    seat: int
    id: str
    face: str | None
    """For whoever holds it; for everybody when it came from the discard pile."""
    source: Annotated[Source, kernel.shown(kind="hidden")]


class Choice(msgspec.Struct, frozen=True):
    """A special that is open."""

    seat: int
    special: Annotated[Special, kernel.shown("Special action", labels=SPECIALS)]
    card: Annotated[str, kernel.shown(kind="hidden")]
    """The id of the card that opened it."""
    rank: Annotated[str, kernel.shown(kind="hidden")]
    step: Annotated[Literal["choose", "decide"], kernel.shown(kind="hidden")]
    cards: Annotated[tuple[Spot, ...], kernel.shown(kind="hidden")]
    """After a King's look, the two cards."""
    faces: Annotated[tuple[str, ...], kernel.shown("Looked at")]
    """Of the two; only for who has looked."""


class View(msgspec.Struct, frozen=True):
    """The table as one seat sees it now. What was shown before has to be remembered."""

    seat: int | None
    """Whose view it is; None for a spectator."""
    rules: Annotated[Options, kernel.shown(kind="hidden")]
    phase: Annotated[Phase, kernel.shown(kind="hidden")]
    round: int
    players: tuple[Player, ...]
    """In the order of the seats."""
    current: int | None
    """Whose turn it is."""
    turn: int
    """Counts from 0."""
    step: Annotated[Step, kernel.shown(kind="hidden")]
    due: int | None
    """When the time of the turn is up."""
    stockpile: int
    discard: Annotated[int, kernel.shown(kind="hidden")]
    top: Annotated[Card | None, kernel.shown("Discard pile")]
    """Of the discard pile."""
    held: Annotated[Held | None, kernel.shown("Drawn card")]
    choice: Choice | None
    debts: tuple[Debt, ...]
    snapped: Annotated[bool, kernel.shown(kind="hidden")]
    """Whether a card has been snapped since the last discard; then it is too late where the first snap counts."""
    caller: Annotated[int | None, kernel.shown("Cambia!", "seat")]
    shown: Annotated[tuple[Card, ...], kernel.shown("Remember")]
    """Your own cards that lie open for you: during the first look."""
    outcome: Annotated[Outcome | None, kernel.shown(kind="hidden")]
    """At the end of a game, and in the pause after a round."""
    match: Match | None
    faces: Annotated[dict[str, str] | msgspec.UnsetType, kernel.shown(kind="hidden")] = msgspec.UNSET
    """Of the cards in hands and of the drawn one, by id: only where all cards are laid open, in a replay."""


def owner(state: State, card: str) -> int | None:
    """In whose hand the card is."""
    for seat, hand in enumerate(state.hands):
        if card in hand:
            return seat
    return None


def spot(state: State, card: str) -> Spot:
    seat = owner(state, card)
    return Spot(card, seat, None if seat is None else state.hands[seat].index(card))


def no_index() -> Illegal:
    return Illegal("There is no card at that position.", "bad_index")


def no_card() -> Illegal:
    return Illegal("That is not the id of a card.", "bad_card")
