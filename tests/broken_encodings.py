"""Numbers with a mistake each. The law of numbers has to find every one, and name it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from croupier.kernel import Encoding, Event, Notes, Section
from tests.toys import Bid, Bidden, Bids, View

Spelled = Sequence[int | tuple[int, ...]]


class Numbers(Encoding[View, Bid]):
    """As they should be."""

    def numbers(self) -> Iterable[Section]:
        return [Section("bid", 7, "this card")]

    def facts(self) -> Iterable[Section]:
        return [Section("hand", 7, "your cards", 4), Section("points", self.seats, "everybody's points", 4)]

    def spell(self, seat: int, view: View, moves: Sequence[Bid]) -> Spelled:
        return [move.card for move in moves]

    def see(self, seat: int, view: View, notes: Any) -> bytes:
        return bytes([*map(view.hand.count, range(7)), *(view.points[each] for each in self.order[seat])])


class Forgetful(Numbers):
    """The points are announced, and left out."""

    def see(self, seat: int, view: View, notes: Any) -> bytes:
        return super().see(seat, view, notes)[:7]


class Overflowing(Numbers):
    """Nobody has thought of three equal cards."""

    def facts(self) -> Iterable[Section]:
        hand, points = super().facts()
        return [Section("hand", 7, hand.meaning, 1), points]


class OneTooMany(Numbers):
    """The highest card has no number."""

    def numbers(self) -> Iterable[Section]:
        return [Section("bid", 6, "this card")]


class Unannounced(Numbers):
    """Steps that nobody has been told of."""

    def spell(self, seat: int, view: View, moves: Sequence[Bid]) -> Spelled:
        return [(0, move.card) for move in moves]


class Ambiguous(Unannounced):
    """Whoever says a low card has said the beginning of a higher one."""

    in_steps = True

    def spell(self, seat: int, view: View, moves: Sequence[Bid]) -> Spelled:
        return [(move.card,) if move.card < 4 else (move.card - 3, 6) for move in moves]


class Silent(Numbers):
    """The lowest card is not spelled."""

    def spell(self, seat: int, view: View, moves: Sequence[Bid]) -> Spelled:
        return super().spell(seat, view, moves)[1:]


class Counting(Numbers):
    """Every look is counted."""

    def __init__(self, seats: int) -> None:
        super().__init__(seats)
        self.looks = 0

    def see(self, seat: int, view: View, notes: Any) -> bytes:
        self.looks += 1
        return bytes([self.looks % 2]) + super().see(seat, view, notes)[1:]


class Overheard(Notes):
    """The last bid that was said aloud."""

    bid: int = 0

    def observe(self, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, Bidden) and event.card is not None:
                self.bid = 1


class Whispering(Numbers):
    """What only the bidder has seen is told as if all had."""

    memory = "shared"

    def notes(self) -> Overheard:
        return Overheard()

    def see(self, seat: int, view: View, notes: Overheard) -> bytes:
        return bytes([notes.bid]) + super().see(seat, view, notes)[1:]


class Peeping(Numbers):
    """It has another way to the cards than the view: the state in which everybody's are."""

    def see(self, seat: int, view: View, notes: Any) -> bytes:
        others = sum(sum(hand) for other, hand in enumerate(Leaking.hands) if other != seat)
        return bytes([others % 2]) + super().see(seat, view, notes)[1:]


class Leaking(Bids):
    """Its views say no more than they should, but it leaves the state lying about."""

    encoding = Peeping
    hands: ClassVar[list[list[int]]] = []

    def view(self, state: Any, seat: int | None) -> View:
        Leaking.hands = state.hands
        return super().view(state, seat)


FOUND: list[tuple[type[Encoding[View, Bid]], str, str]] = [
    # (the encoding, what is said of it, and what to do)
    (Forgetful, "what seat 0 observes is 7 numbers, and its sections have 10", "`facts` says how many"),
    (Overflowing, "observes hand[", "say the most"),
    (OneTooMany, 'the move {"move":"bid","card":6} of seat', "`numbers` has 6 of them"),
    (Unannounced, "is spelled (0, ", "with in_steps = True"),
    (Ambiguous, "and another one with the beginning of it", "begin it with another number"),
    (Silent, "are spelled", "`spell` spells each move"),
    (Counting, "is something else when it looks again", "`see` only looks"),
    (Whispering, "depends on who has taken the notes, a spectator or the seat itself", 'own: "own"'),
]
