"""Games and bots from elsewhere: packages that are installed beside Croupier, and modules that somebody tries out.

For a game, either names a module with what the folders of our own games have, a ``game`` and, where it has a protocol
of its own, ``endpoints`` and ``beacons``; or the game itself. For a bot, it names the class.
"""

from __future__ import annotations

import copy
import pickle
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any, get_args

from croupier import games
from croupier.games import Catalogue
from croupier.kernel import Bot, Game
from croupier.kernel.bot import Strength
from croupier.net import game_info
from croupier.tables.endpoint import Beacon, Endpoint, Transport
from croupier.tables.languages import LANGUAGES
from croupier.tables.table import AnyGame

GAMES, BOTS = "croupier.games", "croupier.bots"
"""Groups of entry points, in a package's ``pyproject.toml``."""
NAME = re.compile("[a-z][a-z0-9_-]*")
"""What a game or a bot may be called in addresses and commands."""
OWN_PATHS = (
    "/api",
    "/assets",
    "/games",
    "/healthz",
    "/leaders",
    "/learn",
    "/me",
    "/metrics",
    "/operator",
    "/people",
    "/previews",
    "/readyz",
    "/t",
    "/ws",
)
"""Addresses of the server itself."""
OWN_NAMES = ("http", "native")


class BadPlugin(Exception):
    """What is wrong with a game or a bot from elsewhere, in words for whoever wrote or installed it."""


def catalogue(tried: Sequence[str] = (), tried_bots: Sequence[str] = ()) -> Catalogue:
    """Our own games, those of installed packages, and those to be tried out, each ``MODULE:OBJECT`` or ``MODULE``; with
    the bots from elsewhere that play them.

    With a package that is no good we do without. Who names a game or a bot means it: then it raises ``BadPlugin``.
    """
    own, left_out = games.catalogue(), list[str]()
    found = own._replace(sources={}, left_out=left_out)
    for group, names, flag, take_in in ((GAMES, tried, "--game", _with), (BOTS, tried_bots, "--bot", _with_bot)):
        for point in sorted(entry_points(group=group), key=_package):
            package = _package(point)
            try:
                found = take_in(found, _made(point.load), package)
            except BadPlugin as error:
                left_out.append(f"the {group.partition('.')[2]} of the package {package} are left out: {error}")
        for name in names:
            try:
                found = take_in(found, _tried(name), f"{flag} {name}")
            except BadPlugin as error:
                raise BadPlugin(f"{flag} {name}: {error}") from None
    return found


def is_module(name: str) -> bool:
    """Whether there is a module of this name, installed or in the current folder."""
    _look_here()
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def find(name: str) -> AnyGame:
    """The game at ``MODULE:OBJECT`` or ``MODULE``, whatever others there are. Raises ``BadPlugin``."""
    try:
        offered = _tried(name)
        return _game(getattr(offered, "game", offered))
    except BadPlugin as error:
        raise BadPlugin(f"{name}: {error}") from None


def _package(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist is not None else point.value


def _tried(name: str) -> Any:
    module, _, attribute = name.partition(":")
    if not re.fullmatch(r"[^\W\d]\w*(\.[^\W\d]\w*)*", module):
        raise BadPlugin("this is not of the form MODULE:OBJECT, such as hearts:game")
    here = _look_here()
    try:
        made = _made(lambda: import_module(module))
    except BadPlugin as error:
        missing = error.__cause__
        if isinstance(missing, ModuleNotFoundError) and f"{module}.".startswith(f"{missing.name}."):
            raise BadPlugin(f"there is no module {missing.name!r}, neither installed nor in {here}") from None
        raise
    for part in attribute.split(".") if attribute else ():
        if not hasattr(made, part):
            raise BadPlugin(f"the module {module} has no {attribute!r}")
        made = getattr(made, part)
    return made


def _look_here() -> str:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    return here


def _made(load: Callable[[], Any]) -> Any:
    try:
        return load()
    except (Exception, SystemExit) as error:
        raise BadPlugin(f"it can't be imported: {_said(error)}") from error


def _said(error: BaseException) -> str:
    """An error in one line."""
    return " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")


def _with(known: Catalogue, offered: Any, source: str) -> Catalogue:
    """The catalogue with what is offered; raises ``BadPlugin`` if it can't be."""
    game = _game(getattr(offered, "game", offered))
    if game.name in known.games:
        other = known.sources.get(game.name)
        raise BadPlugin(f"there is a game {game.name!r} already" + (f", from {other}" if other else ""))
    endpoints, beacons = list(getattr(offered, "endpoints", ())), list(getattr(offered, "beacons", ()))
    _check_endpoints(known, endpoints, beacons)
    try:
        # Which is asked of every game before the first client is there; whoever has no answer is not let in.
        for language in LANGUAGES:
            game_info.describe(game, language)
        pickle.dumps(type(game))  # by its name, so that replays can be made in a process of their own
        type(game)()
    except Exception as error:
        raise BadPlugin(f"{type(game).__name__} can't be described: {_said(error)}") from error
    return known._replace(
        games=known.games | {game.name: game},
        endpoints=[*known.endpoints, *endpoints],
        beacons=[*known.beacons, *beacons],
        sources={**known.sources, game.name: source},
    )


def _game(offered: Any) -> AnyGame:
    kind = offered if isinstance(offered, type) else type(offered)
    if not issubclass(kind, Game):
        raise BadPlugin("it is not a game: neither a croupier.kernel.Game, nor something with one called `game`")
    if missing := sorted(kind.__abstractmethods__):
        raise BadPlugin(f"{kind.__name__} is not a complete game: it has no {', '.join(missing)}")
    for field, wanted in (("name", str), ("title", str), ("about", str), ("seats", range)):
        if not isinstance(getattr(kind, field, None), wanted) or not getattr(kind, field):
            raise BadPlugin(f"{kind.__name__} has no {field}, which is a {wanted.__name__}")
    if not NAME.fullmatch(kind.name):
        raise BadPlugin(
            f"{kind.name!r} is not a valid game name: use lowercase letters, digits, - and _, as in 'crazy-eights'"
        )
    if not hasattr(kind, "Options"):
        raise BadPlugin(f"{kind.__name__} does not declare its types: Game[State, View, Options, Move, Event]")
    made: AnyGame = _made(offered) if isinstance(offered, type) else offered
    return made


def _with_bot(known: Catalogue, offered: Any, source: str) -> Catalogue:
    """The catalogue with this bot among those of its game; raises ``BadPlugin`` if it can't be."""
    if not isinstance(offered, type) or not issubclass(offered, Bot):
        raise BadPlugin("it is not a bot: a class that is a croupier.kernel.Bot")
    for field in ("name", "about", "plays"):
        if not isinstance(getattr(offered, field, None), str) or not getattr(offered, field):
            raise BadPlugin(f"{offered.__name__} has no {field}, which is a str")
    if offered.strength not in (strengths := get_args(Strength)):
        raise BadPlugin(f"{offered.__name__}: {offered.strength!r} is no strength; known: {', '.join(strengths)}")
    if not NAME.fullmatch(offered.name):
        raise BadPlugin(f"{offered.name!r} is not a valid bot name: use lowercase letters, digits, - and _")
    if offered.plays not in known.games:
        raise BadPlugin(f"there is no game {offered.plays!r}; known: {', '.join(known.games)}")
    game = copy.copy(known.games[offered.plays])
    if offered.name in game.bots:
        raise BadPlugin(f"{game.title} has a bot {offered.name!r} already")
    _made(offered)
    game.bots = {**game.bots, offered.name: offered}
    return known._replace(games=known.games | {game.name: game})


def _check_endpoints(known: Catalogue, endpoints: Iterable[Any], beacons: Iterable[Any]) -> None:
    names = {*OWN_NAMES, *(each.name for each in known.endpoints), *(each.name for each in known.beacons)}
    paths = [*OWN_PATHS, *(each.path for each in known.endpoints if each.path)]
    for each in (*endpoints, *beacons):
        if not isinstance(each, Endpoint | Beacon):
            raise BadPlugin(f"{each!r} is neither an endpoint nor a beacon")
        if each.name in names:
            raise BadPlugin(f"there is a protocol {each.name!r} already")
        names.add(each.name)
        if isinstance(each, Endpoint) and each.transport not in (there := get_args(Transport)):
            raise BadPlugin(f"{each.name}: there is no transport {each.transport!r}; known: {', '.join(there)}")
        if isinstance(each, Endpoint) and each.path:
            _check_path(each, paths)


def _check_path(endpoint: Endpoint, taken: Sequence[str]) -> None:
    path = endpoint.path
    if not re.fullmatch(r"(/[\w.-]+)+", path, re.ASCII):
        raise BadPlugin(f"{endpoint.name}: {path!r} is not a path, such as /hearts")
    for other in taken:
        if f"{path}/".startswith(f"{other}/") or f"{other}/".startswith(f"{path}/"):
            raise BadPlugin(f"{endpoint.name}: the path {path} is taken, by {other}")
