"""A directory: rooms by names that they have at the moment, such as their code or the secrets that hold their seats."""

from __future__ import annotations

from collections.abc import Set
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from croupier.tables.room import Room

Name = TypeVar("Name")


class Directory(dict[Name, "Room"], Generic[Name]):
    """Two rooms may have the same name: who came by it last is found."""

    def __init__(self) -> None:
        super().__init__()
        self._names: dict[Room, Set[Name]] = {}

    def enter(self, room: Room, names: Set[Name]) -> None:
        """These are the room's names from now on; without any it is not listed."""
        known = self._names.pop(room, frozenset())
        for name in known - names:
            if self.get(name) is room:
                del self[name]
        for name in names - known:
            self[name] = room
        if names:
            self._names[room] = names
