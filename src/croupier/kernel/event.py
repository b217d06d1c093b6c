"""Moves and events: the vocabulary in which a game and its players talk."""

from __future__ import annotations

import re
from typing import ClassVar, Self

import msgspec


def snake(name: str) -> str:
    """The name of a struct as it is written in JSON.

    >>> snake("PickedUp")
    'picked_up'
    """
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.rsplit(".", 1)[-1]).lower()


# They can't refer to themselves, so that no collector has to look for it: gc=False, here for all games.


class Move(msgspec.Struct, frozen=True, gc=False, tag_field="move", tag=snake):
    """Something a player may do. Every game has its own kinds."""


class Event(msgspec.Struct, frozen=True, gc=False, tag_field="event", tag=snake):
    """Something that happened at the table. Every game has its own kinds.

    An event redacts itself: whoever passes it on hands out ``event.seen_by(seat)`` and nothing else.
    """

    reveals: ClassVar[bool] = False
    """True where the event turns something over that nobody could know before, such as a card from a closed deck:
    ``reveals = True``, in the class. Without it the secrecy law takes the card for something that was given away: in an
    imagined game it is another one."""
    fleeting: ClassVar[bool] = False
    """True where the event tells something that no view keeps, such as who has looked at which card:
    people have to remember it."""

    def seen_by(self, seat: int | None) -> Self | None:
        """What this seat (None: a spectator) sees of the event; None when it sees nothing.

        >>> class Drew(Event, frozen=True):
        ...     seat: int
        ...     card: str | None
        ...     def seen_by(self, seat):
        ...         return self if seat == self.seat else msgspec.structs.replace(self, card=None)
        >>> Drew(0, "A♥").seen_by(0), Drew(0, "A♥").seen_by(None)
        (Drew(seat=0, card='A♥'), Drew(seat=0, card=None))

        An event can't be changed: return another one. Hide what tells something, and no more: that a card was drawn is
        seen by everybody. A method that returns nothing hides the event from all.
        Returns the event itself when nothing has to be hidden, so that it is encoded only once for everybody.
        """
        return self
