"""An index: things by the keys that they have at the moment, as rooms by their code or by the tokens of their seats."""

from __future__ import annotations

from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Index(dict[Key, Value], Generic[Key, Value]):
    """Two may have the same key: who came by it last is found."""

    def __init__(self) -> None:
        super().__init__()
        self._keys: dict[Value, tuple[Key, ...]] = {}  # a set weighs three times as much

    def enter(self, value: Value, keys: set[Key]) -> None:
        """These are its keys from now on; without any it is not found."""
        known = self._keys.pop(value, ())
        for key in known:
            if key not in keys and self.get(key) is value:
                del self[key]
        for key in keys.difference(known):
            self[key] = value
        if keys:
            self._keys[value] = tuple(keys)
