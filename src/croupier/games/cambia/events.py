"""What can happen in a game of Cambia. An event tells each seat no more than that seat may know.

``idx`` is a card's position before the event, unless it says otherwise; ``due`` is when time is up, None without limit.
"""

from __future__ import annotations

from typing import Literal, Self

from msgspec.structs import replace

from croupier.games.cambia.cards import Special
from croupier.games.cambia.state import Card, Outcome, Source, Spot, View
from croupier.kernel import Event


class Dealt(Event, frozen=True):
    """The cards are on the table, and the first look begins."""

    reveals = True

    round: int
    hands: tuple[tuple[str, ...], ...]
    """The ids."""
    top: Card | None
    stockpile: int
    discard: int


class FirstLook(Event, frozen=True):
    """C12: a player is shown the first cards of the own hand. Nobody else hears of it."""

    reveals = True

    seat: int
    cards: tuple[Card, ...]

    def seen_by(self, seat: int | None) -> Self | None:
        return self if seat == self.seat else None


class Began(Event, frozen=True):
    """The first look is over."""


class Turn(Event, frozen=True):
    """Whose turn it is."""

    seat: int
    turn: int
    due: int | None


class Reshuffled(Event, frozen=True):
    """C52: the discard pile but for its top has become the stockpile. All its cards have new ids."""

    stockpile: int


class Drew(Event, frozen=True):
    """A card was drawn."""

    reveals = True

    seat: int
    card: str
    face: str | None
    """From the stockpile, only the drawer sees it."""
    source: Source
    stockpile: int
    discard: int

    def seen_by(self, seat: int | None) -> Self | None:
        return self if seat == self.seat or self.source == "discardpile" else replace(self, face=None)


class Replaced(Event, frozen=True):
    """C19: the drawn card lies in the hand now, at ``idx``. The card that lay there is thrown at once."""

    seat: int
    card: str
    idx: int


class Discarded(Event, frozen=True):
    """A card was thrown on the discard pile."""

    reveals = True

    seat: int
    card: str
    face: str
    idx: int | None
    """Where in the hand it lay; None for the drawn card."""
    discard: int


class SpecialOpened(Event, frozen=True):
    """C25: the thrown card has a special, to be used or skipped."""

    seat: int
    card: str
    rank: str
    special: Special
    due: int | None


class Peeked(Event, frozen=True):
    """C26: somebody has looked at a card."""

    reveals = True
    fleeting = True  # who has looked at which card is seen by all and kept by no view: memory is the game

    seat: int
    special: Literal["peek_self", "peek_other"]
    card: Spot
    face: str | None
    """For who has looked."""

    def seen_by(self, seat: int | None) -> Self | None:
        return self if seat == self.seat else replace(self, face=None)


class Swapped(Event, frozen=True):
    """C27, C31: two cards have changed places. The positions are those before it."""

    seat: int
    special: Literal["swap_blind", "swap_peek_swap"]
    card1: Spot
    card2: Spot


class Revealed(Event, frozen=True):
    """C29: somebody has looked at two cards."""

    reveals = True
    fleeting = True

    seat: int
    card1: Spot
    card2: Spot
    faces: tuple[str, ...]
    """For who has looked."""
    decides: bool
    """Whether the two may be swapped now. C30: not if one is locked."""
    due: int | None

    def seen_by(self, seat: int | None) -> Self | None:
        return self if seat == self.seat else replace(self, faces=())


class CardGone(Event, frozen=True):
    """C32: it was too late for the swap, since a card has left its hand. Only who tried hears of it."""

    seat: int

    def seen_by(self, seat: int | None) -> Self | None:
        return self if seat == self.seat else None


class Skipped(Event, frozen=True):
    """A special was not used; after a King's look, the two cards stay where they are."""

    fleeting = True

    seat: int
    cards: tuple[Spot, ...]
    """After a King's look, the two."""


class Called(Event, frozen=True):
    """C34: somebody has called Cambia."""

    seat: int


class Snapped(Event, frozen=True):
    """C42, C43: a snap has succeeded."""

    reveals = True

    seat: int
    card: str
    face: str
    owner: int
    idx: int
    discard: int


class SnapFailed(Event, frozen=True):
    """C46, C47: a snap was wrong."""

    reveals = True
    fleeting = True

    seat: int
    card: Spot | None
    """None when it is in no hand, or there is nothing to snap on."""
    face: str | None
    """None when it was only too late (C49)."""


class Penalised(Event, frozen=True):
    """C46: a card for a wrong snap, unseen by everybody."""

    seat: int
    card: str
    idx: int
    """Where it lies now."""
    count: int
    total: int
    """This is the penalty's card number ``count`` of so many."""
    stockpile: int


class GiveOwed(Event, frozen=True):
    """C43: somebody owes the target a card, which will lie at ``idx``."""

    seat: int
    target: int
    idx: int
    due: int


class Given(Event, frozen=True):
    """C43: the card was given; or none, when there was none left."""

    seat: int
    target: int
    card: str | None
    idx: int | None
    """Where it lies now."""
    from_idx: int | None


class Forfeited(Event, frozen=True):
    """T13: somebody is out of the game."""

    seat: int
    views: tuple[View, ...]
    """The table as it was then, before the turn passed on: one view, yours."""

    def seen_by(self, seat: int | None) -> Self | None:
        return replace(self, views=(self.views[-1 if seat is None else seat],))


class Ended(Event, frozen=True):
    """C57: the game is over, or a round of a match, and all hands are turned over."""

    reveals = True

    outcome: Outcome


class RoundEnded(Event, frozen=True):
    """C64, C66: what a round of a match counts, after ``Ended``."""

    round: int
    rounds: int | None
    """How many there are; None in a match by elimination."""
    scores: tuple[int, ...]
    subsidies: tuple[int, ...]
    totals: tuple[int, ...]
    last: bool
    """Whether the match is over."""


class RoundStarted(Event, frozen=True):
    """C62: another round of a match; it is dealt when everybody is there."""

    round: int
    rounds: int | None
    dealer: int
    """The seat before the one that begins."""


class MatchEnded(Event, frozen=True):
    """C65, C66: a match is over."""

    totals: tuple[int, ...]
    history: tuple[tuple[int, ...], ...]
    standings: tuple[tuple[int, ...], ...]
    """Seats from first to last; seats that share a place stand together."""


AnyEvent = (
    Dealt
    | FirstLook
    | Began
    | Turn
    | Reshuffled
    | Drew
    | Replaced
    | Discarded
    | SpecialOpened
    | Peeked
    | Swapped
    | Revealed
    | CardGone
    | Skipped
    | Called
    | Snapped
    | SnapFailed
    | Penalised
    | GiveOwed
    | Given
    | Forfeited
    | Ended
    | RoundEnded
    | RoundStarted
    | MatchEnded
)
