"""What an operator may set about tables: how long they wait for what, and how much one address may have."""

from __future__ import annotations

from typing import Any

import msgspec

from croupier.kernel import Rig
from croupier.tables.lobby_options import StandingTables


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How long the house waits for what, in seconds; and how tests may fix its luck."""

    bot_delay: float = 0.1
    """How long a bot seems to think at least; where people follow a game, most take between three and fifteen times as
    long (``Customs.leisure``, ``Bot.reacts``)."""
    lobby_grace: float = 60.0
    """How long a seat at a table that waits for players is kept for somebody who lost the connection."""
    patience: float = 600.0
    """How long a running game waits for the return of the last person, unless their protocol says otherwise."""
    restart_grace: float = 15.0
    """After a restart no clock runs out earlier."""
    restart_patience: float = 120.0
    """After a restart, how long tables wait for anybody to come back."""
    idle_after: float = 86400.0
    """A table at which nothing happens for so long is closed."""
    max_tables: int = 20000
    max_tables_per_address: int = 1000
    """That were opened from one address and are still there; 0: no limit."""
    max_seats_per_address: int = 5000
    """At tables that wait for players, taken from one address; 0: no limit."""
    max_kept_seats_per_address: int = 8
    """Of these, by who has lost the connection; 0: no limit."""
    max_bots_per_address: int = 5000
    """At tables that were opened from one address; 0: no limit."""
    rig: Rig | None = None
    first: int | None = None
    """The place that leads in every game."""
    seed: bytes | None = None
    """The seed of every game."""
    options: dict[str, dict[str, Any]] = {}
    """By game: options of the tables at which nobody says otherwise."""
    standing: dict[str, StandingTables] = {}
    """By game: the tables that are opened for clients whose protocol can't say how."""
    house_bots: dict[str, int] = {}
    """By game in which bots of the house keep people company: how many tables they see to (``tables.company``)."""
    rigging: bool = False
    """Whether who opens a table may fix its luck."""
