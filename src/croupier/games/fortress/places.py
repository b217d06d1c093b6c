"""Where cards lie. Places are made once, since every move and every event names some.

Numbers start at 1, as on the table: ``deck 1`` is the bottom card (T4), ``discard 1`` the oldest (T5).
"""

from __future__ import annotations

from typing import Literal

import msgspec

Kind = Literal["castle", "decree", "soldier", "trickster", "mage"]
Zone = Literal["hand", "deck", "discard", "castle", "decree", "soldier", "trickster", "mage"]


class Place(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """Where a card lies, on whose side."""

    seat: int
    zone: Zone
    number: int = 1


# A field is a list of seven slots, in the order in which positions are always listed (T81).
SOLDIERS, MAGES, TRICKSTERS, DECREE = (0, 1), (2, 3), (4, 5), 6
FIGHTERS = (*SOLDIERS, *MAGES)
SLOTS: dict[Kind, tuple[int, ...]] = {
    "soldier": SOLDIERS, "mage": MAGES, "trickster": TRICKSTERS, "decree": (DECREE,), "castle": (),
}  # fmt: skip
"""T2: two slots each for soldiers, mages and tricksters, one for a decree."""

MOST = 50
"""T8: a deck has so many cards, so that no hand and no pile can have more."""


def _row(seat: int, zone: Zone, count: int) -> tuple[Place, ...]:
    return tuple(Place(seat, zone, number) for number in range(1, count + 1))


HAND = tuple(_row(seat, "hand", MOST) for seat in range(2))
DECK = tuple(_row(seat, "deck", MOST) for seat in range(2))
DISCARD = tuple(_row(seat, "discard", MOST) for seat in range(2))
CASTLE = tuple(Place(seat, "castle") for seat in range(2))
FIELD = tuple(
    (*_row(seat, "soldier", 2), *_row(seat, "mage", 2), *_row(seat, "trickster", 2), Place(seat, "decree"))
    for seat in range(2)
)
SLOT = {place: slot for field in FIELD for slot, place in enumerate(field)}
"""The slot of a place on a field."""
