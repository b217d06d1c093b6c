"""What a run of the benchmarks has found, all of it as it was measured: medians and ranges are made of it later."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import msgspec


class Figures(msgspec.Struct, frozen=True):
    """Of one server under load for some seconds."""

    moves: float
    """A second."""
    cpu: float
    """Of the server per move, user and system, in microseconds."""
    p50: float
    """From a move's sending to its acknowledgement, in milliseconds."""
    p99: float
    refused: float
    """Moves that came too late because somebody else's was quicker; per accepted move."""


Turns = list[Figures]
"""Of the same thing, one after the other."""


class Half(msgspec.Struct, frozen=True):
    """A load that is half of what the server can do."""

    tables: int
    most: float
    """Moves a second, at full load."""
    turns: Turns
    unsynced: Turns = []
    """Where a commit does not wait for the disk, which tells the share of the disk apart."""


class Weight(msgspec.Struct, frozen=True):
    """In kB."""

    connection: float
    """Idle."""
    table: float
    """In the middle of a game, beyond its connections."""


class StartUp(msgspec.Struct, frozen=True):
    tables: int
    """In the journal, each in the middle of a game."""
    entries: int
    seconds: float
    cpu: float


class Growth(msgspec.Struct, frozen=True):
    tables: dict[int, Turns]
    seats: dict[int, Turns]
    length: dict[int, list[float]]
    """Microseconds of the house's own code per move, by how many moves the table has seen."""
    start: StartUp


class Found(msgspec.Struct, omit_defaults=True):
    made: str
    command: str
    machine: str
    python: str
    seconds: float
    """Of each measurement."""
    kernel: dict[str, list[float]] | None = None
    """Decisions per CPU second of random playouts."""
    gym: dict[str, list[float]] | None = None
    """Steps per CPU second of environments, with an observation and a mask at each."""
    server: dict[int, dict[str, Turns]] | None = None
    """By the number of tables, and by contender."""
    half: Half | None = None
    memory: Weight | None = None
    growth: Growth | None = None


def middle(turns: Sequence[Figures]) -> Figures:
    return Figures(*(median(values) for values in zip(*map(msgspec.structs.astuple, turns), strict=True)))


def ratio(one: Sequence[float], other: Sequence[float]) -> float:
    """The median of the ratios of each turn, so that a moment in which the machine was slow falls on both."""
    return median(a / b for a, b in zip(one, other, strict=False))


def cpu_ratio(one: Turns, other: Turns) -> float:
    return ratio([each.cpu for each in one], [each.cpu for each in other])
