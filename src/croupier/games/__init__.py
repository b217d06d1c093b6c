"""The games. Each lives in a folder of its own and nothing outside it knows its name."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any, NamedTuple

from croupier.kernel import Game
from croupier.tables.dialect import Doorway


class Catalogue(NamedTuple):
    games: dict[str, Game[Any, Any, Any, Any, Any]]
    doorways: list[Doorway]
    """The games' own protocols."""


def catalogue() -> Catalogue:
    """Every game there is a folder for: its ``game``, and the ``doorways`` of its protocols."""
    found = Catalogue({}, [])
    for module in pkgutil.iter_modules(__path__):
        package = importlib.import_module(f"{__name__}.{module.name}")
        found.games[package.game.name] = package.game
        found.doorways.extend(package.doorways)
    return found
