"""The law that luck and time are data: a game reads no clock and draws no luck of its own."""

from __future__ import annotations

import gc
import sys
import sysconfig
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from croupier.laws.broken import OURS
from croupier.laws.steps import AnyGame
from croupier.laws.walking import Walk

CLOCKS = {
    *(f"time.{name}{ns}" for name in ("time", "monotonic", "perf_counter", "process_time") for ns in ("", "_ns")),
    *(f"datetime.{name}" for name in ("now", "utcnow", "today")),
    *(f"time.{name}" for name in ("localtime", "gmtime", "sleep")),
}
LUCK = {"posix.urandom", "nt.urandom", "random.random", "random.getrandbits", "random.seed"}
"""All that ``random``, ``secrets`` and ``uuid`` draw from."""
WATCHED = CLOCKS | LUCK
THROUGH = {"random.py", "secrets.py", "uuid.py", "datetime.py", "_pydatetime.py"}
"""Modules that pass a question for luck or time on: who has asked them is the one to blame."""
LIBRARY = Path(sysconfig.get_path("stdlib"))


def check_purity(game: AnyGame, seats: int, options: Any, seed: int, *, limit: int = 100) -> int:
    """Nothing decides a game but its seed, its moves and their times. Returns how many steps were watched.

    >>> from croupier.games.palace import game
    >>> check_purity(game, 3, game.Options(), seed=1, limit=20)
    20
    """
    walk = Walk(game, seats, options, seed, limit)
    asked: dict[str, str] = {}

    def watch(frame: FrameType, event: str, called: Any) -> None:
        if event == "c_call" and (name := _name(called)) in WATCHED and (line := _asker(frame)):
            asked.setdefault(name, line)

    with walk.blamed(), _watched(watch):
        for state, _ in walk:
            for seat in (None, *range(seats)):
                game.view(state, seat)
            if asked:
                break
    for name, line in asked.items():
        if name in CLOCKS:
            raise walk.broken(
                f"{line} reads a clock ({name}).",
                "Time is data: `at` comes in with every step, in milliseconds. A replay would read another time.",
            )
        raise walk.broken(
            f"{line} draws luck from elsewhere ({name}).",
            "Luck is data: draw it from `chance`, and keep `chance` in the state if you need more later. A replay "
            "would draw something else, and nobody could check the deal.",
        )
    return walk.taken


@contextmanager
def _watched(watch: Callable[[FrameType, str, Any], None]) -> Iterator[None]:
    """What is called in here is passed on, but for what the collector calls: some test tools time it."""
    before, collects = sys.getprofile(), gc.isenabled()
    gc.disable()
    sys.setprofile(watch)
    try:
        yield
    finally:
        sys.setprofile(before)
        if collects:
            gc.enable()


def _name(called: Any) -> str:
    """A builtin by the module or the type that it belongs to: ``time.time``, ``datetime.now``, ``random.random``."""
    name = getattr(called, "__name__", "")
    module = getattr(called, "__module__", None)
    if isinstance(module, str):
        return f"{module}.{name}"
    owner = getattr(called, "__self__", None)
    kind = owner if isinstance(owner, type) else type(owner)
    return f"{kind.__module__.strip('_')}.{name}"


def _asker(frame: FrameType | None) -> str | None:
    """The line of the game that a call comes from; None when it is not the game's."""
    while frame is not None:
        file = Path(frame.f_code.co_filename)
        if file.name not in THROUGH or not _in_library(file):
            break
        frame = frame.f_back
    if frame is None or _in_library(file) or any(file.is_relative_to(folder) for folder in OURS):
        return None
    return f"{file.name}, line {frame.f_lineno}, in {frame.f_code.co_name},"


def _in_library(file: Path) -> bool:
    return file.is_relative_to(LIBRARY) and "site-packages" not in file.parts
