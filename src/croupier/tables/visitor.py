"""Who is at a connection, beyond the seat they have: for those who have said who they are."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from croupier.people.opinions import Relations


class Visitor(NamedTuple):
    person: str
    """Their id, for everybody to know."""
    key: str
    """The hash of the key that says so, for when its owner signs it out."""
    levels: Mapping[str, float] = MappingProxyType({})
    """How well they play, by game, where they have a rating."""
    relations: Relations = Relations()
    """How they stand to others."""
    reading: int = 0
    """Which reading of the journal says so: a later one knows better."""
