"""A table in short: what everybody may know of it, and of who is there."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from croupier.kernel.result import Teams
from croupier.tables.lobby_options import Lobby

Attended = Literal["waiting", "playing"]
"""What a table does, while somebody is at it."""


class Player(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who sits where, as everybody may know it."""

    seat: int
    name: str
    bot: str | None = None
    away: bool = False
    """Not connected."""
    stood_in: bool = False
    """A bot plays for them until they return."""
    handle: str = ""
    """What protocols call them that have no names. It may change when they come back on another connection."""
    user: str = ""
    """Who it is: an id that stays the same while they are at the table."""
    ready: bool = True
    """For the next game. False only where it matters: at a table that begins when everybody is (``lobby.auto_start``),
    and of people whose protocol always has them say so."""
    avatar: str = ""
    """The name of a picture, if they have chosen one; bots and people of other protocols have not."""
    silent: bool = False
    """The host has silenced them."""
    gone: bool = False
    """They have left, or were thrown out: the seat is theirs in the game only, and free for the next one."""
    house: bool = False
    """A bot that nobody at the table has asked for: the house has sent it."""
    can_host: bool = True
    """Whether their protocol can let them know that they have become the host."""
    person: str = ""
    """Who it is beyond this table: an id that stays the same for ever, if they have said who they are."""
    score: int | None = None
    """Between two games of a match: what they have in it."""


class BenchState(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the host has decided about those who look on."""

    closed: bool = False
    """Nobody may."""
    silent: bool = False
    """They are not heard."""


class Summary(msgspec.Struct, frozen=True):
    """A table as everybody may know it, from outside."""

    id: str
    code: str
    """A short name by which people can tell each other where to come: as good as the id while the table is open."""
    game: str
    name: str
    seats: int
    """How many places there are, taken or not."""
    players: tuple[Player, ...]
    cast: tuple[Player, ...]
    """Who is in the game, or was when the last one ended, whether they are still at the table or not."""
    host: int | None
    """The host's seat."""
    phase: Literal["waiting", "playing", "over", "closed"]
    """Over: a game has ended, and the host has to reopen the table before people join and another begins."""
    locked: bool
    """Whether joining takes a password."""
    watchers: int
    options: Any
    games: int
    """How many games have been finished here."""
    opened_at: int
    over_at: int | None = None
    """When the last game ended."""
    lobby: Lobby = Lobby()
    starts_at: int | UnsetType = UNSET
    """When the game begins, while a countdown runs."""
    quiet: bool | UnsetType = UNSET
    """True where an option of the game keeps people from making sounds."""
    bench: BenchState | UnsetType = UNSET
    """Left out where everybody may look on, and be heard."""
    teams: Teams | UnsetType = UNSET
    """Which seats play together: in this game, or in the next one if all places are taken by then. Left out where
    everybody plays alone."""
