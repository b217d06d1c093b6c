"""What can happen at a table (``Happening.entry``): the entries of its log, as far as people are told of them.

What happens in the game itself is in ``Happening.events``.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Raw

from croupier.client.protocol import Lobby
from croupier.kernel.event import snake


class Entry(msgspec.Struct, frozen=True, tag_field="entry", tag=snake):
    """Something that has happened."""


class Opened(Entry, frozen=True):
    """Somebody opened the table. (It is the first entry of every log, and nobody is there yet to be told of it.)"""

    game: str
    name: str
    seats: int
    options: Any
    code: str = ""
    keeps: int | None = None
    lobby: Lobby = Lobby()
    edition: int = 1
    rules: int = 1


class Joined(Entry, frozen=True):
    """A person or a bot took a seat."""

    seat: int
    name: str
    bot: str | None = None
    """The kind of bot; None for people."""
    handle: str | None = None
    by_name: bool = False
    user: str | None = None
    until: int | None = None
    avatar: str = ""
    can_host: bool = True
    house: bool = False
    """A bot that the house has sent, to keep people company."""
    person: str = ""
    """Who it is beyond this table, if they have said so."""


class Recognised(Entry, frozen=True):
    """More is known about the program that somebody uses."""

    seat: int


class Left(Entry, frozen=True):
    """A seat was given up, or taken away."""

    seat: int
    why: str = "left"
    """``left``, ``kicked`` or ``gone``."""


class Reseated(Entry, frozen=True):
    """Before the game: somebody has chosen another place. If a bot has it, the two change places."""

    seat: int
    to: int


class Gone(Entry, frozen=True):
    """Some were away for too long: their seats in the running game are given up."""

    who: tuple[int, ...]


class Kicked(Entry, frozen=True):
    """The host threw somebody out of a running game, and a bot plays on."""

    seat: int


class Configured(Entry, frozen=True):
    """The host has changed the options, or how the game begins."""

    options: Any
    lobby: Lobby | None = None


class Readied(Entry, frozen=True):
    """Somebody is ready for the game, or no more."""

    seat: int
    ready: bool


class CountdownBegun(Entry, frozen=True):
    """Everybody is ready."""

    seconds: int
    until: int


class CountdownStopped(Entry, frozen=True):
    """Somebody came, went, or is not ready any more."""


class Invited(Entry, frozen=True):
    """Somebody would like this person to come."""

    seat: int
    user: str


class HandedOver(Entry, frozen=True):
    """Another seat is the host's now."""

    seat: int


class Started(Entry, frozen=True):
    """A game began. People were renumbered: who sat at ``order[i]`` is now seat i."""

    order: tuple[int, ...]
    pledge: str | None = None
    """SHA-256 of the seed, so that the deal can be checked once the seed is shown."""
    rules: int = 1


class Reopened(Entry, frozen=True):
    """The finished game is put away, and who is still there is dealt in for the next."""

    rules: int = 1


class Moved(Entry, frozen=True):
    """Somebody made a move. What it was, the events tell, to those who may know."""

    seat: int
    bot: bool = False
    """Whether a bot made it, for itself or standing in."""


class Expired(Entry, frozen=True):
    """A clock of the game ran out."""

    clock: str
    by: int | None = None
    """Who did not want to wait for that, where nobody else does."""


class StoodIn(Entry, frozen=True):
    """A bot took over a seat."""

    seat: int
    why: str = "late"
    """``late`` or ``left``."""


class Absent(Entry, frozen=True):
    """Somebody's connection is gone."""

    seat: int
    until: int


class Back(Entry, frozen=True):
    """Somebody is at the table again, and plays the seat themselves."""

    seat: int
    handle: str | None = None
    avatar: str | None = None


class Watched(Entry, frozen=True):
    """A spectator came."""


class Unwatched(Entry, frozen=True):
    """A spectator went."""


class Benched(Entry, frozen=True):
    """The host has sent the spectators away, or lets people look on again."""

    open: bool


class Silenced(Entry, frozen=True):
    """The host has silenced somebody, or lets them be heard again."""

    seat: int | None
    """None: all spectators."""
    silent: bool


class Said(Entry, frozen=True):
    """Chat."""

    seat: int | None
    """None: a spectator."""
    name: str
    text: str
    person: str = ""
    """Who it is beyond this table; of a spectator, that is not told."""


class Sounded(Entry, frozen=True):
    """Somebody has made a sound for all to hear."""

    seat: int
    sound: str


class Resumed(Entry, frozen=True):
    """The server came back after a stop or a crash."""

    until: int
    absent_until: int
    edition: int = 1
    who: tuple[int, ...] | None = None


class Closed(Entry, frozen=True):
    """The table is closed."""

    why: str
    """``host left``, ``abandoned``, ``idle`` or ``over``."""
    operator: bool = False
    """The operator of the server has closed it."""


class Synced(Entry, frozen=True):
    """The client's own, and in no log: the table was seen as a whole, on arrival or after a lost connection."""

    missed: bool
    """Whether something may have happened in the game that nobody was told here."""


AnyEntry = (
    Opened
    | Joined
    | Recognised
    | Left
    | Reseated
    | Gone
    | Kicked
    | Configured
    | Readied
    | CountdownBegun
    | CountdownStopped
    | Invited
    | HandedOver
    | Started
    | Reopened
    | Moved
    | Expired
    | StoodIn
    | Absent
    | Back
    | Watched
    | Unwatched
    | Benched
    | Silenced
    | Said
    | Sounded
    | Resumed
    | Closed
    | Synced
)

_decode = msgspec.json.Decoder(AnyEntry).decode


def read(entry: Raw) -> AnyEntry | dict[str, Any]:
    """A kind of entry that this client does not know stays as it came."""
    try:
        known: AnyEntry = _decode(entry)
        return known
    except msgspec.ValidationError:
        plain: dict[str, Any] = msgspec.json.decode(entry)
        return plain
