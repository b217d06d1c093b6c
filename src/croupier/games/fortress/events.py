"""What happens in Fortress, as everybody may see it.

An action is declared, and later it has a result (in between it may be answered). What follows from it comes after the
result, in the order in which it happens. Every message of the game's own protocol can be told from these.
"""

from __future__ import annotations

from typing import Literal, Self

from msgspec.structs import replace

from croupier.games.fortress.places import Place
from croupier.kernel import Event

Result = Literal["done", "ability_cancelled", "cancelled", "fizzled"]
Blow = Literal["castle_hit", "target_loses", "attacker_loses", "both_lose", "void", "fizzled"]
Purpose = Literal[
    "cost", "add", "play", "destroy", "stun", "discard", "points", "extra_attack", "take", "swap", "redirect",
    "hand_limit",
]  # fmt: skip
RequestKind = Literal["target", "protect", "last_stand", "draw", "level"]
Reason = Literal["castle", "deck_out", "forfeit", "disconnect", "timeout"]
ItemKind = Literal["draw", "play", "level", "ability", "attack", "trickster"]


# Before the first turn


class Brought(Event, frozen=True):
    """Somebody has chosen a deck."""

    seat: int


class Dealt(Event, frozen=True):
    """A first hand, or the next one after a mulligan (T14, T15): the hand before is in the deck again."""

    reveals = True

    seat: int
    cards: tuple[int, ...] | None
    """None for everybody else. Hand 1 came from the top of the deck."""
    count: int
    deck: int
    """How many cards are left in the deck."""

    def seen_by(self, seat: int | None) -> Self:
        return self if seat == self.seat else replace(self, cards=None)


class Returned(Event, frozen=True):
    """A card of the first hand went to the bottom of the deck (T17), which is shuffled then."""

    fleeting = True  # from which place of the hand it came

    seat: int
    hand: int
    left: int
    """How many cards the hand has now."""


class Accepted(Event, frozen=True):
    """Somebody keeps the hand."""

    seat: int


class CastlesRevealed(Event, frozen=True):
    """Both hands are accepted (T12)."""

    reveals = True

    castles: tuple[int, int]
    health: tuple[int, int]
    first: int
    """Who takes the first turn (T13)."""


class TurnStarted(Event, frozen=True):
    """T19"""

    seat: int
    turn: int
    must_draw: bool


# Actions and responses are declared: now the responder may answer. ``number`` counts them through the game.


class DrawDeclared(Event, frozen=True):
    """The turn's draw."""

    number: int
    seat: int
    responder: int


class PlayDeclared(Event, frozen=True):
    """A soldier, mage or decree from hand."""

    reveals = True

    number: int
    seat: int
    start: Place
    end: Place
    card: int
    responder: int


class LayDeclared(Event, frozen=True):
    """A trickster from hand, face down."""

    number: int
    seat: int
    start: Place
    end: Place
    card: int | None
    """None for everybody else."""
    responder: int

    def seen_by(self, seat: int | None) -> Self:
        return self if seat == self.seat else replace(self, card=None)


class LevelDeclared(Event, frozen=True):
    """A mage is to reach this level."""

    number: int
    seat: int
    mage: Place
    level: int
    responder: int
    card: int
    """The mage's."""


class AbilityDeclared(Event, frozen=True):
    """An In play ability, or the decree of that kind."""

    number: int
    seat: int
    place: Place
    card: int
    target: Place | None
    """If it was named beforehand what is to be destroyed (D27)."""
    responds_to: int | None
    responder: int
    answers: ItemKind | None
    """What that is, if it answers anything."""
    answered: int | None
    """And the card of that."""


class AttackDeclared(Event, frozen=True):
    """One card attacks another, or the castle."""

    number: int
    seat: int
    attacker: Place
    target: Place
    responder: int
    card: int
    """The attacker's."""
    prey: int | None
    """The card that is attacked; None: a castle."""


class TricksterDeclared(Event, frozen=True):
    """A trickster is turned face up (T88)."""

    reveals = True

    number: int
    seat: int
    place: Place
    card: int
    target: Place | None
    """If it was named beforehand what is to be destroyed (D27)."""
    responds_to: int
    responder: int
    """The player itself when another trickster is to follow (D23)."""
    answers: ItemKind
    """What ``responds_to`` is."""
    answered: int | None
    """And the card of that; None: a draw, or a trickster that is laid face down."""


class WindowPassed(Event, frozen=True):
    """Who had kept the window for another trickster lets it go: now this player may answer (T106)."""

    responder: int


# Results, at once or when the stack resolves. Without a ``number`` it was an effect, which nobody could answer.


class Drew(Event, frozen=True):
    """Cards went from deck to hand: drawn, or found by a search."""

    reveals = True
    fleeting = True  # from which places of the deck they came, as the protocol wants it

    seat: int
    deck: tuple[int, ...]
    """The numbers of their places in the deck, one after the other."""
    hand: int
    """The number of the first one's place in the hand; the others follow."""
    cards: tuple[int, ...] | None
    """None for everybody else."""
    number: int | None

    def seen_by(self, seat: int | None) -> Self:
        return self if seat == self.seat else replace(self, cards=None)


class Played(Event, frozen=True):
    """A soldier, mage or decree has entered the field."""

    reveals = True

    seat: int
    start: Place
    end: Place
    card: int
    points: int | None
    level: int | None
    result: Result
    number: int | None


class Laid(Event, frozen=True):
    """A trickster lies face down on the field."""

    fleeting = True  # from which place of the hand it came

    seat: int
    start: Place
    end: Place
    card: int | None
    """None for everybody else."""
    number: int | None

    def seen_by(self, seat: int | None) -> Self:
        return self if seat == self.seat else replace(self, card=None)


class Levelled(Event, frozen=True):
    """A mage has reached this level; if it fizzled, the level is the old one."""

    seat: int
    mage: Place
    level: int
    result: Result
    number: int | None
    card: int


class AbilityUsed(Event, frozen=True):
    seat: int
    place: Place
    card: int
    responds_to: int | None
    result: Result
    number: int


class TricksterUsed(Event, frozen=True):
    seat: int
    place: Place
    card: int
    responds_to: int
    result: Result
    number: int


class Attacked(Event, frozen=True):
    fleeting = True  # which of two cards a Mirage has led it to

    seat: int
    attacker: Place
    target: Place
    """After a Mirage, the new one."""
    result: Blow
    number: int


# What follows


class GapClosed(Event, frozen=True):
    """The cards of a hand above this place have moved down by one (T5)."""

    seat: int
    gap: int
    left: int
    """How many cards the hand has now."""


class Discarded(Event, frozen=True):
    """A card went from hand to the discard pile, and the hand has closed up (T76)."""

    reveals = True

    seat: int
    hand: int
    card: int
    discard: int
    left: int
    """How many cards the hand has now."""


class Retired(Event, frozen=True):
    """A used trickster went to the discard pile (T88)."""

    place: Place
    card: int
    grave: Place


class Shuffled(Event, frozen=True):
    """A deck was shuffled (T72)."""

    reveals = True  # that there was something to be found in it

    seat: int
    size: int


class Destroyed(Event, frozen=True):
    """Cards went from the field to the discard piles of their owners, together (T81)."""

    reveals = True  # face-down tricksters

    places: tuple[Place, ...]
    graves: tuple[Place, ...]
    cards: tuple[int, ...]
    in_response: bool
    """Whether an answer was the cause."""


class ChangedSides(Event, frozen=True):
    """Soldiers went over to the other side, at the same time."""

    places: tuple[tuple[Place, Place], ...]
    """From where to where."""
    cards: tuple[int, ...]


class CastleHit(Event, frozen=True):
    """An attack or an effect has damaged a castle."""

    source: Place
    castle: int
    """Whose."""
    health: int


class HealthChanged(Event, frozen=True):
    """The health of both castles, after every change of one."""

    health: tuple[int, int]


class Updated(Event, frozen=True):
    """Points, level, stun or granted attacks of a card on the field have changed, or it has come over."""

    place: Place
    card: int
    points: int
    level: int | None
    stunned: bool
    attacks_left: int


class Asked(Event, frozen=True):
    """Somebody has to choose, or to answer a question."""

    reveals = True  # whether there is something to choose from

    seat: int
    number: int
    """Counts through the game."""
    kind: RequestKind
    purpose: Purpose | None
    """Of a ``target`` request."""
    source: Place | None
    """Where the card lies that asks; None for everybody else when that is a hand or a deck."""
    card: int | None
    """Which card it is; likewise."""
    place: Place | None
    """What it is about: the card to be saved, the castle, the mage to be levelled."""
    level: int | None
    """The level that is offered."""
    optional: bool
    region: tuple[Place, ...]
    """What may be chosen; none for everybody else."""
    cards: tuple[int | None, ...]
    """Which cards those are, as far as the chooser may know."""

    def seen_by(self, seat: int | None) -> Self:
        if seat == self.seat:
            return self
        open = self.source is not None and self.source.zone not in ("hand", "deck")
        return replace(
            self,
            source=self.source if open else None,
            card=self.card if open else None,
            optional=False,
            region=(),
            cards=(),
        )


class Declined(Event, frozen=True):
    """Somebody was asked, and would rather not."""

    seat: int
    number: int
    """Of what they were asked."""
    kind: RequestKind
    purpose: Purpose | None
    """Of a ``target`` request."""


# People


class TimedOut(Event, frozen=True):
    """Time was up, and the rules have acted for somebody."""

    seat: int
    strikes: int
    """How often in a row; the third time loses (T109). Windows don't count."""


class Missing(Event, frozen=True):
    """Somebody has lost the connection, and loses the game when it isn't back in time."""

    seat: int
    grace: int
    """Seconds."""


class Rejoined(Event, frozen=True):
    """Somebody is back."""

    seat: int


class Ended(Event, frozen=True):
    """The game is over."""

    winner: int
    reason: Reason


AnyEvent = (
    Brought
    | Dealt
    | Returned
    | Accepted
    | CastlesRevealed
    | TurnStarted
    | DrawDeclared
    | PlayDeclared
    | LayDeclared
    | LevelDeclared
    | AbilityDeclared
    | AttackDeclared
    | TricksterDeclared
    | WindowPassed
    | Drew
    | Played
    | Laid
    | Levelled
    | AbilityUsed
    | TricksterUsed
    | Attacked
    | GapClosed
    | Discarded
    | Retired
    | Shuffled
    | Destroyed
    | ChangedSides
    | CastleHit
    | HealthChanged
    | Updated
    | Asked
    | Declined
    | TimedOut
    | Missing
    | Rejoined
    | Ended
)
