"""Who is at a connection, beyond the seat they have: for those who have said who they are."""

from __future__ import annotations

from typing import NamedTuple


class Visitor(NamedTuple):
    person: str
    """Their id, for everybody to know."""
