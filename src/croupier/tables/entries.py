"""The log of a table: what can happen at one, in the order it happened. A table is the fold of these.

Every entry shows itself to outsiders through ``public``, which leaves out what only the journal may hold: the hash
of a seat's token, the password's hash, the seed before the game is over, and what a move was (the game's own
events tell that, to those who may know).
"""

from __future__ import annotations

import hashlib
from typing import Any, Literal, Self

import msgspec

from croupier.kernel import Rig
from croupier.kernel.event import snake
from croupier.tables.lobby_options import Lobby

EDITION = 3
"""How a log is to be understood that this server writes. In the first edition a game was over only by a move, by a
clock, or by somebody who left; now it is over when the rules say so, whatever happened. In the first two a log said
whenever somebody came or went; now it does only where that makes a difference (``history.belongs``)."""


class Entry(msgspec.Struct, frozen=True, tag_field="entry", tag=snake, omit_defaults=True):
    def public(self) -> Self:
        return self


class Opened(Entry, frozen=True):
    """Somebody opened the table. The first person to join is its host."""

    game: str
    name: str
    seats: int
    """How many places there are."""
    options: Any
    """The game's own options."""
    password: str | None = None
    """Argon2 hash."""
    seed: bytes | None = None
    """Of the first game, where that deals as people sit down."""
    rig: Rig | None = None
    """How a test has fixed the luck of this table."""
    code: str = ""
    """A short name for people to tell each other; unique among the open tables of the game."""
    keeps: int | None = None
    """For how many milliseconds it stays open with nobody there and no game on; None: as long as seats are kept."""
    lobby: Lobby = Lobby()
    edition: int = 1
    """How the log is to be understood."""
    rules: int = 1
    """Of the first game, where that deals as people sit down: see ``Started``."""

    def public(self) -> Opened:
        return msgspec.structs.replace(self, password=None, seed=None, rig=None)


class Joined(Entry, frozen=True):
    """A person or a bot took a seat."""

    seat: int
    name: str
    token: str | None = None
    """SHA-256 of the secret that holds the seat."""
    bot: str | None = None
    handle: str | None = None
    """What the seat's protocol calls whoever is at the connection; others get a handle made up."""
    by_name: bool = False
    """Whether the name is enough to come back."""
    user: str | None = None
    """The person's public id, where their protocol has such; they always say themselves when they are ready."""
    until: int | None = None
    """They are not there yet; so long the seat is kept for them."""
    avatar: str = ""
    """The name of their picture; empty for those who have chosen none."""
    unhurried: bool = False
    """Whether they play in their own time where everybody else is a bot."""
    client: str = ""
    """What their protocol wants to remember of the program they use, in its own words."""
    can_host: bool = True
    """Whether their protocol can let them know that they have become the host."""
    house: bool = False
    """A bot that the house has sent, to keep people company."""
    marks_ready: bool = False
    """Whether they say themselves when they are ready, at a table that begins by itself (``Lobby.auto_start``)."""
    person: str = ""
    """Who it is beyond this table, for those who have said so (``intents.Identify``)."""

    def public(self) -> Joined:
        return msgspec.structs.replace(self, token=None, unhurried=False, client="", marks_ready=False)


class Recognised(Entry, frozen=True):
    """Somebody's protocol has found out more about the program they use, or they use another."""

    seat: int
    client: str = ""
    """As in ``Joined``."""

    def public(self) -> Recognised:
        return Recognised(self.seat)


class Left(Entry, frozen=True):
    """A seat was given up, or taken away. In a running game the rules decide what that means."""

    seat: int
    why: Literal["left", "kicked", "gone"] = "left"


class Reseated(Entry, frozen=True):
    """Before the game: somebody has chosen another place. If a bot has it, the two change places."""

    seat: int
    to: int


class Gone(Entry, frozen=True):
    """Some were away for too long: their seats in the running game are given up, all at once."""

    who: tuple[int, ...]


class Kicked(Entry, frozen=True):
    """The host threw somebody out of a running game whose custom is that a bot plays on."""

    seat: int


class Configured(Entry, frozen=True):
    options: Any
    lobby: Lobby | None = None
    """None: as it was."""


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
    """Somebody would like this person to come. (It is written down no more: see ``tables.soft``.)"""

    seat: int
    user: str


class HandedOver(Entry, frozen=True):
    """Another seat is the host's now."""

    seat: int


class Started(Entry, frozen=True):
    """A game began, the first one or another. People were renumbered: who sat at ``order[i]`` is now seat i."""

    order: tuple[int, ...]
    seed: bytes | None = None
    rig: Rig | None = None
    pledge: str | None = None
    """In public: SHA-256 of the seed, so that the deal can be checked once the seed is shown."""
    rules: int = 1
    """The version of the game's rules: it is played to its end by these, whatever the server knows by then."""

    def public(self) -> Started:
        assert self.seed is not None
        return Started(self.order, pledge=hashlib.sha256(self.seed).hexdigest(), rules=self.rules)


class Reopened(Entry, frozen=True):
    """After a game that deals as people sit down: it is put away, and who is still there is dealt in for the next."""

    seed: bytes | None = None
    rig: Rig | None = None
    rules: int = 1
    """Of the next game: see ``Started``."""

    def public(self) -> Reopened:
        return Reopened()


class Moved(Entry, frozen=True):
    seat: int
    move: Any = None
    bot: bool = False
    """Whether a bot made the move, for itself or standing in."""
    key: str | None = None
    """What the client calls the move, so that it can't be made twice."""

    def public(self) -> Moved:
        return Moved(self.seat, None, self.bot)


class Expired(Entry, frozen=True):
    """A clock of the game ran out."""

    clock: str
    by: int | None = None
    """Who did not want to wait for that, where nobody else does."""


class StoodIn(Entry, frozen=True):
    """A bot took over the seat of somebody who was late, or left a game that goes on; they may take it back."""

    seat: int
    why: Literal["late", "left"] = "late"


# Presence is not history: the next two are written down only where they mean something (``history.belongs``).


class Absent(Entry, frozen=True):
    """Somebody's connection is gone."""

    seat: int
    until: int
    """How long they keep the table alive."""


class Back(Entry, frozen=True):
    """Somebody is at the table again, or on another connection, and plays the seat themselves."""

    seat: int
    handle: str | None = None
    """What they are called from now on, where that goes with the connection."""
    avatar: str | None = None
    """Their new picture; None: as it was."""


# ``Watched``, ``Unwatched``, ``Said`` and ``Sounded`` are written down no more, and change nothing where old logs have
# them: see ``tables.soft``.


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
    name: str
    text: str
    person: str = ""
    """Who it is beyond this table; of those who look on, nobody is told."""

    def public(self) -> Said:
        return Said(self.seat, self.name, self.text) if self.person else self


class Sounded(Entry, frozen=True):
    """Somebody has made a sound for all to hear."""

    seat: int
    sound: str


class Resumed(Entry, frozen=True):
    """The server came back after a stop or a crash: nobody is connected, and no clock runs out before ``until``."""

    until: int
    absent_until: int
    edition: int = 1
    """How the log is to be understood from here on."""
    who: tuple[int, ...] | None = None
    """Whose connections are lost, where other nodes go on; None: everybody's."""

    def concerns(self, seat: int) -> bool:
        return self.who is None or seat in self.who


class Closed(Entry, frozen=True):
    why: Literal["host left", "abandoned", "idle", "over"]
    operator: bool = False
    """The operator of the server has closed it. It counts as abandoned for those who don't know of that."""


Soft = Watched | Unwatched | Said | Sounded | Invited | Absent | Back
"""What may happen at a table and not be in its log."""

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
)

decode = msgspec.json.Decoder(AnyEntry).decode
encode = msgspec.json.Encoder().encode
