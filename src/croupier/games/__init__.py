"""The games. Each lives in a folder of its own and nothing outside it knows its name."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from croupier.kernel import Game
from croupier.tables.endpoint import Beacon, Endpoint


class Catalogue(NamedTuple):
    games: dict[str, Game[Any, Any, Any, Any, Any]]
    endpoints: list[Endpoint]
    """The games' own protocols."""
    beacons: Sequence[Beacon] = ()
    """Where their clients look for servers."""
    sources: Mapping[str, str] = {}
    """By name, where a game comes from that is not one of our own."""
    left_out: Sequence[str] = ()
    """What was to be here and is not, a sentence for each."""


def catalogue() -> Catalogue:
    """Every game there is a folder for: its ``game``, its protocols' ``endpoints``, and its ``beacons`` if any.

    (``croupier.plugins`` has those from elsewhere besides.)
    """
    games: dict[str, Game[Any, Any, Any, Any, Any]] = {}
    endpoints: list[Endpoint] = []
    beacons: list[Beacon] = []
    for module in pkgutil.iter_modules(__path__):
        package = importlib.import_module(f"{__name__}.{module.name}")
        games[package.game.name] = package.game
        endpoints += package.endpoints
        beacons += getattr(package, "beacons", ())
    return Catalogue(games, endpoints, beacons)
