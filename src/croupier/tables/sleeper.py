"""A table that a server knows of, and has not read yet since it has just started."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from croupier.tables.summary import Summary


class Sleeper(NamedTuple):
    summary: Summary
    """With nobody connected."""
    names: Sequence[str]
    """By which it is found, besides its id."""
    at: int
    """When something last happened there."""
