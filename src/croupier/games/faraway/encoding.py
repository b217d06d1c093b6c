"""Faraway in numbers. A card goes by its index, as it does everywhere in this game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from croupier.games.faraway.cards import REGIONS, SANCTUARIES
from croupier.games.faraway.events import Revealed, Took
from croupier.games.faraway.moves import AnyMove
from croupier.games.faraway.scoring import ROUNDS, SYMBOLS, in_numbers, walked
from croupier.games.faraway.state import View
from croupier.kernel import Encoding, Event, Notes, Section
from croupier.kernel.encoding import MOST, Which, turned

PHASES = ("play", "sanctuary", "shop")
SHOWN = 30
"""So often at most is a symbol in sight."""

PHASE = Which(PHASES)
REGION_COUNT, SANCTUARY_COUNT = len(REGIONS), len(SANCTUARIES)


@lru_cache(1 << 16)
def regions(cards: tuple[int, ...]) -> bytes:
    """Which ones these are."""
    found = bytearray(REGION_COUNT)
    for card in cards:
        found[card] = 1
    return bytes(found)


@lru_cache(1 << 16)
def sanctuaries(cards: tuple[int, ...]) -> bytes:
    found = bytearray(SANCTUARY_COUNT)
    for card in cards:
        found[card] = 1
    return bytes(found)


@lru_cache(1 << 16)
def journey(row: tuple[int, ...], kept: tuple[int, ...]) -> tuple[bytes, bytes, bytes, int]:
    """What somebody has before them: where each region lies, the sanctuaries, what they show, and the points."""
    places = bytearray(REGION_COUNT)
    for place, card in enumerate(row, start=1):
        places[card] = place
    points, shown = walked(row, kept)
    return (
        bytes(places),
        sanctuaries(kept),
        bytes([min(count, SHOWN) for count in in_numbers(shown)]),
        min(sum(points), MOST),
    )


@lru_cache(1 << 12)
def shop_places(order: tuple[int, ...], seats: int) -> bytes:
    """By seat, the place in the order of the shop."""
    return bytes([order.index(seat) + 1 if seat in order else 0 for seat in range(seats)])


class Taken(Notes):
    """What everybody has seen going into hands."""

    hands: list[bytearray]
    """By seat and region."""

    def observe(self, events: Sequence[Event]) -> None:
        for event in events:
            if type(event) is Took:
                self.hands[event.seat][event.card] = 1
            elif type(event) is Revealed:
                for hand, played in zip(self.hands, event.cards, strict=True):
                    if played is not None:
                        hand[played] = 0


class FarawayEncoding(Encoding[View, AnyMove]):
    memory = "shared"

    def numbers(self) -> Iterable[Section]:
        return [
            Section("play", REGION_COUNT, "play this region"),
            Section("take", REGION_COUNT, "take this region from the shop"),
            Section("choose", SANCTUARY_COUNT, "keep this sanctuary"),
        ]

    def facts(self) -> Iterable[Section]:
        seats, others = self.seats, self.seats - 1
        return [
            Section("phase", len(PHASES), ", ".join(PHASES)),
            Section("turn", 1, "rounds completed", ROUNDS),
            Section("done", seats, "who has nothing left to do in this phase, you first"),
            Section("shop_order", seats, "everybody's place in the order of the shop", seats),
            Section("hand", REGION_COUNT, "the regions in your hand"),
            Section("offers", SANCTUARY_COUNT, "the sanctuaries that you may choose from"),
            Section("shop", REGION_COUNT, "the regions in the shop"),
            Section("discarded", REGION_COUNT, "those that are out of the game"),
            Section("rows", seats * REGION_COUNT, "everybody's regions: 1 for the first, 2 for the second …", ROUNDS),
            Section("sanctuaries", seats * SANCTUARY_COUNT, "everybody's sanctuaries"),
            Section("symbols", seats * len(SYMBOLS), f"what all of these show: {', '.join(SYMBOLS)}", SHOWN),
            Section("points", seats, "what they would score now", MOST),
            Section("hands", others * REGION_COUNT, "the regions that the others are known to hold"),
        ]

    def notes(self) -> Taken:
        return Taken([bytearray(REGION_COUNT) for _ in range(self.seats)])

    def spell(self, seat: int, view: View, moves: Sequence[AnyMove]) -> Sequence[int]:
        first = {"play": 0, "shop": REGION_COUNT}.get(view.phase, 2 * REGION_COUNT)
        return [first + move.card for move in moves]

    def see(self, seat: int, view: View, notes: Taken) -> bytes:
        journeys = map(journey, turned(view.rows, seat), turned(view.sanctuaries, seat))
        rows, kept, symbols, points = zip(*journeys, strict=True)
        return b"".join(
            (
                PHASE[view.phase],
                bytes((view.turn,)),
                bytes(turned(view.done, seat)),
                turned(shop_places(view.shop_order, self.seats), seat),
                regions(view.hands[seat]),
                sanctuaries(view.offers[seat]),
                regions(view.shop),
                regions(view.discarded),
                *rows,
                *kept,
                *symbols,
                bytes(points),
                *[self._hand(view, other, notes) for other in self.order[seat][1:]],
            )
        )

    def _hand(self, view: View, other: int, notes: Taken) -> bytes | bytearray:
        """What others hold is told by what they took; and where cards lie open, by looking."""
        hand = view.hands[other]
        return notes.hands[other] if None in hand else regions(hand)
