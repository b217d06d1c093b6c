"""What a server says in the native protocol, as a client reads it: docs/protocols/native.md.

These are not the server's own structs, so that a client needs no server; ``tests/clients/test_protocol.py`` holds them
against those. A newer server may say more: fields that are not here are passed over, and what has names for its values
is any text.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Raw

from croupier.kernel import Clock, Result
from croupier.kernel.event import snake


class Player(msgspec.Struct, frozen=True):
    """Who sits where."""

    seat: int
    name: str
    bot: str | None = None
    """The kind of bot; None for people, and for programs that play as people do."""
    away: bool = False
    """Not connected."""
    stood_in: bool = False
    """A bot plays for them until they return."""
    handle: str = ""
    user: str = ""
    """Who it is: an id that stays the same while they are at the table."""
    ready: bool = True
    """For the next game. False only where it matters: at a table that begins when everybody is."""
    avatar: str = ""
    silent: bool = False
    """The host has silenced them."""
    gone: bool = False
    """They have left, or were thrown out: the seat is theirs in this game only."""
    house: bool = False
    """A bot that nobody at the table has asked for."""
    can_host: bool = True
    person: str = ""
    """Who it is beyond this table, if they have said so."""
    score: int | None = None
    """Between two games of a match: what they have in it."""


class Bench(msgspec.Struct, frozen=True):
    """What the host has decided about those who look on."""

    closed: bool = False
    silent: bool = False


class Lobby(msgspec.Struct, frozen=True):
    """How people come together at a table before a game."""

    auto_start: bool = False
    """When everybody is ready, a countdown begins, and the game at its end."""
    countdown: int = 10
    """Its seconds."""
    listed: bool = True
    private: bool = False
    """Whether looking on takes the table's password, too."""
    kind: str = ""
    lesson: bool = False
    """It is for one person alone, who learns the game there."""
    rated: bool = False
    """Whether its games count for ratings."""
    seekers: int = 0
    """Other than 0: it is for people who look for a game, and the first one begins as soon as it can."""
    level: int | None = None
    """About how well they play it, where there are so many that they are brought together by rating."""


class Summary(msgspec.Struct, frozen=True):
    """A table as everybody may know it, from outside."""

    id: str
    code: str
    """As good as the id while the table is open, and easier to say."""
    game: str
    name: str
    seats: int
    """How many places there are, taken or not."""
    players: tuple[Player, ...]
    cast: tuple[Player, ...]
    """Who is in the game, or was when the last one ended, whether they are still at the table or not."""
    host: int | None
    """The host's seat."""
    phase: str
    """``waiting``, ``playing``, ``over`` (the host has to reopen the table before another game) or ``closed``."""
    locked: bool
    """Whether joining takes a password."""
    watchers: int
    options: Any
    """As plain values; ``Table.options`` has them as the game's own struct."""
    games: int
    """How many have been finished here."""
    opened_at: int
    over_at: int | None = None
    lobby: Lobby = Lobby()
    starts_at: int | None = None
    """When the game begins, while a countdown runs."""
    quiet: bool = False
    """Whether an option of the game keeps people from making sounds."""
    bench: Bench = Bench()
    teams: tuple[tuple[int, ...], ...] = ()
    """Which seats play together; empty where everybody plays alone."""


class Line(msgspec.Struct, frozen=True):
    """Something that was said."""

    seat: int | None
    """None for spectators, and for who has gone."""
    name: str
    """Empty for spectators."""
    text: str
    at: int


class BotInfo(msgspec.Struct, frozen=True):
    """A kind of bot that a server has for a game."""

    name: str
    about: str
    strength: str


class NameInfo(msgspec.Struct, frozen=True):
    """What people may be called at a game's tables."""

    longest: int
    pattern: str = ""
    """A regular expression for the whole name; empty: any will do."""
    hint: str = ""
    """The pattern in words."""


class GameInfo(msgspec.Struct, frozen=True):
    """A game that a server has."""

    name: str
    title: str
    about: str
    fewest: int
    most: int
    options: dict[str, Any]
    """Their JSON Schema, with defaults, limits and descriptions."""
    bots: tuple[BotInfo, ...]
    """The usual one first."""
    naming: NameInfo
    sounds: tuple[str, ...]
    page: str | None
    emblem: str | None
    rules: str | None
    """The address of how it is played, as HTML."""
    lesson: str | None = None
    """The address of the steps of its lesson, as JSON."""
    step: int = 1
    """From one number of players to the next: 2, for a game of two or four."""


class Said(msgspec.Struct, frozen=True, tag_field="type", tag=snake):
    """A message of the server."""


class Welcome(Said, frozen=True):
    """The first message."""

    protocol: int
    server: str
    games: tuple[GameInfo, ...]


class Problem(msgspec.Struct, frozen=True):
    code: str
    message: str
    data: dict[str, Any] = {}


class Sync(msgspec.Struct, frozen=True):
    """All there is to know from one place at a table. What is the game's own is read when it is known which game."""

    table: Summary
    seat: int | None
    seq: int
    view: Raw
    moves: tuple[Raw, ...]
    awaited: tuple[int, ...]
    clocks: tuple[Clock, ...]
    result: Result | None
    chat: tuple[Line, ...] = ()
    forms: tuple[Raw, ...] = ()
    lesson: int | None = None
    """How many moves of a lesson's script have been made."""
    hints: bool = False


class Reply(Said, frozen=True):
    id: int | None
    at: int | None = None
    error: Problem | None = None
    tables: tuple[Summary, ...] | None = None
    sync: Sync | None = None
    token: str | None = None
    person: str | None = None
    """Who we are, after we have said so."""


class Fact(Said, frozen=True):
    """Something happened at the table."""

    seq: int
    at: int
    entry: Raw
    events: tuple[Raw, ...]
    clocks: tuple[Clock, ...]
    moves: tuple[Raw, ...] = ()
    forms: tuple[Raw, ...] = ()
    awaited: tuple[int, ...] = ()
    seat: int | None = None
    table: Summary | None = None
    result: Result | None = None
    seed: str | None = None
    view: Raw = Raw(b"null")
    story: tuple[str, ...] = ()
    soft: bool = False
    lesson: int | None = None
    hints: bool = False


class Worth(msgspec.Struct, frozen=True):
    """What is thought of a move."""

    move: Any
    label: str
    """The move in words."""
    chance: float | None = None
    """Of winning with it, from 0 to 1."""
    points: float | None = None
    """Those that one is likely to end with; in games in which that says more."""


class Hinted(Said, frozen=True):
    """The hint that was asked for; or why there is none."""

    id: int | None
    seq: int
    move: Any = None
    """One of those that were offered, as the table has them."""
    label: str = ""
    """The move in words."""
    weighed: tuple[Worth, ...] = ()
    """What is thought of the best moves, if anything is: of this one, and then of the others."""
    error: Problem | None = None


class Replaced(Said, frozen=True):
    """The seat has another connection now."""


class Resync(Said, frozen=True):
    """What was told last has not happened."""

    sync: Sync


Message = Welcome | Reply | Fact | Hinted | Replaced | Resync

_TYPES = ("welcome", "reply", "fact", "hinted", "replaced", "resync")
_decode = msgspec.json.Decoder(Message).decode


class _Other(msgspec.Struct):
    type: str


def read(message: bytes) -> Message | None:
    """None: a kind of message that this client does not know, and can do without."""
    try:
        known: Message = _decode(message)
        return known
    except msgspec.ValidationError:
        if msgspec.json.decode(message, type=_Other).type in _TYPES:
            raise
        return None
