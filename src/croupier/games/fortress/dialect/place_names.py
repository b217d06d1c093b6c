"""The names of places in the game's own protocol: always as the receiver sees them, ``MY_...`` and ``THEIR_...``."""

from __future__ import annotations

from croupier.games.fortress.places import CASTLE, DECK, DISCARD, FIELD, HAND, Place

NOWHERE = Place(-1, "discard", 0)
"""What a name means that nobody knows: a place where no card ever is, so that the rules find the right refusal."""


def _name(place: Place) -> str:
    zone = place.zone.upper()
    return zone if place.zone in ("decree", "castle") else f"{zone}_{place.number}"


def _written(seat: int) -> dict[Place, str]:
    return {
        place: f"{'MY' if whose == seat else 'THEIR'}_{_name(place)}"
        for whose in range(2)
        for place in (*HAND[whose], *FIELD[whose], CASTLE[whose], *DISCARD[whose], *DECK[whose])
    }


WRITTEN = tuple(_written(seat) for seat in range(2))
"""By receiver, then by place."""
READ = tuple({name: place for place, name in names.items()} for names in WRITTEN)
"""By sender, then by name."""
