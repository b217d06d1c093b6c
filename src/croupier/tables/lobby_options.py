"""How people come together at a table before a game."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

Countdown = Annotated[int, Meta(ge=0, le=60)]


class Lobby(msgspec.Struct, frozen=True, omit_defaults=True):
    auto_start: bool = False
    """When everybody is ready, a countdown begins, and the game at its end."""
    countdown: Countdown = 10
    """Its seconds."""
    listed: bool = True
    """Whether strangers are shown the table."""
    private: bool = False
    """Whether looking on takes the table's password too."""
    kind: str = ""
    """What else its protocol wants to remember about the table, in its own words."""
    lesson: bool = False
    """It is for one person alone, who learns the game there (``Game.lesson``)."""
    rated: bool = False
    """Whether its games count for the ratings of those who play them."""
    seekers: int = 0
    """It is for people who look for a game, and begins as soon as it can; which one it is of those that gathered people
    when it was opened, from 1. 0: it is no such table."""
    level: int | None = None
    """About how well they play it; None: that is not asked."""


class StandingTables(msgspec.Struct, frozen=True):
    """What the tables of a game are like whose own protocol has no word for opening one: clients find a game there."""

    name: str = ""
    password: str = ""
    count: int = 1
    """How many there may be at a time; more are for clients that take the next one as they would the first."""
