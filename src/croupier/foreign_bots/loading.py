"""Somebody's bot, found in a file or a module."""

from __future__ import annotations

import inspect
import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from croupier.foreign_bots.failing import BotFailed
from croupier.kernel import Bot


class NoBot(Exception):
    """There is no bot where somebody said, in a sentence."""


def is_python(what: str) -> bool:
    """Whether it names a ``Bot``, as ``my_bot.py``, ``my_bot.py:Cautious`` or ``my_bots.cautious:Cautious``, and not a
    program."""
    place, colon, _ = what.partition(":")
    return place.endswith(".py") or (colon != "" and all(part.isidentifier() for part in place.split(".")))


def load(what: str) -> type[Bot]:
    """Raises ``NoBot``; and ``BotFailed`` if the code there fails."""
    place, _, name = what.partition(":")
    if place.endswith(".py") and not Path(place).is_file():
        raise NoBot(f"there is no file {place}")
    try:
        module = _of_file(Path(place)) if place.endswith(".py") else _of_name(place)
    except NoBot:
        raise
    except (Exception, SystemExit) as error:
        raise BotFailed(f"{place} can't be imported: {type(error).__name__}: {error}") from error
    if name:
        found = getattr(module, name, None)
        if not (inspect.isclass(found) and issubclass(found, Bot)):
            raise NoBot(f"{place} has no bot {name!r}: a subclass of croupier.kernel.Bot")
        return found
    own = [kind for kind in vars(module).values() if inspect.isclass(kind) and kind.__module__ == module.__name__]
    bots = [kind for kind in own if issubclass(kind, Bot)]
    if not bots:
        raise NoBot(f"{place} has no bot: a subclass of croupier.kernel.Bot")
    if len(bots) > 1:
        raise NoBot(f"{place} has several bots; say which, as in {place}:{bots[0].__name__}")
    return bots[0]


def _of_file(file: Path) -> ModuleType:
    """With its folder as a place to import from, as if it were run."""
    sys.path.insert(0, str(file.parent.resolve()))
    spec = spec_from_file_location(file.stem, file)
    assert spec is not None and spec.loader is not None
    module = sys.modules[file.stem] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _of_name(name: str) -> ModuleType:
    sys.path.insert(0, str(Path.cwd()))
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{name}.".startswith(f"{error.name}."):
            raise NoBot(f"there is no module {error.name!r}, neither installed nor in this folder") from None
        raise
