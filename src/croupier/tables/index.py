"""An index: things by the keys that they have at the moment, as rooms by their code or by the tokens of their seats."""

from __future__ import annotations

from collections.abc import Set
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Index(dict[Key, Value], Generic[Key, Value]):
    """Two may have the same key: who came by it last is found."""

    def __init__(self) -> None:
        super().__init__()
        self._keys: dict[Value, Set[Key]] = {}

    def enter(self, value: Value, keys: Set[Key]) -> None:
        """These are its keys from now on; without any it is not found."""
        known = self._keys.pop(value, frozenset())
        for key in known - keys:
            if self.get(key) is value:
                del self[key]
        for key in keys - known:
            self[key] = value
        if keys:
            self._keys[value] = keys
