"""The law of replay across processes: texts have other hashes in each, so that sets come in another order.

A game that relies on their order comes out differently on another server, and never in a test.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import msgspec

from croupier.laws.broken import Broken
from croupier.laws.differences import in_json
from croupier.laws.steps import AnyGame, encode
from croupier.laws.walking import Walk

CHILD = "from croupier.laws.processes import main; main()"


class Task(msgspec.Struct):
    """What a process is asked to play."""

    game: str
    rules: int
    seats: int
    options: msgspec.Raw
    seed: int
    limit: int


def check_processes(game: AnyGame, seats: int, options: Any, seed: int, *, limit: int = 100) -> int:
    """Two processes play the same game and it is the same: states, views, and moves with their order.

    Returns how many positions were compared: none where another process can't find the game by the name of its class.

    >>> from croupier.games.palace import game
    >>> check_processes(game, 3, game.Options(), seed=1, limit=20)
    20
    """
    if (name := _importable(game)) is None:
        return 0
    task = encode(Task(name, game.rules, seats, msgspec.Raw(encode(options)), seed, limit))
    one, other = _played(task, seeds=("1", "2"))
    walk = Walk(game, seats, options, seed, limit)
    for walk.taken, (here, there) in enumerate(zip_longest(one, other, fillvalue=b"null")):
        if here != there:
            found = in_json("position", here, there, ("in one process", "in another"))
            raise walk.broken(
                f"it comes out differently in another process: {found.replace('position.', '')}.",
                "The order of a set of strings is another one in each process: put it in order with `sorted`, or use "
                "dict.fromkeys(…) instead of a set. The same goes for hash() and id().",
            )
    return len(one)


def _importable(game: AnyGame) -> str | None:
    """The name of its class, if that leads back to it."""
    kind = type(game)
    if kind.__module__ == "__main__" or "<locals>" in kind.__qualname__:
        return None
    return f"{kind.__module__}:{kind.__qualname__}"


def _played(task: bytes, seeds: Sequence[str]) -> list[list[bytes]]:
    path = os.pathsep.join(entry or str(Path.cwd()) for entry in sys.path)
    children = [
        subprocess.Popen(
            [sys.executable, "-c", CHILD],
            env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": seed},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        for seed in seeds
    ]  # fmt: skip
    for child in children:
        assert child.stdin is not None
        child.stdin.write(task)
        child.stdin.close()
        child.stdin = None
    outcomes = [child.communicate() for child in children]
    for child, (_, error) in zip(children, outcomes, strict=True):
        if child.returncode:
            raise Broken(
                f"a game can't be played in another process: {error.decode(errors='replace').strip().splitlines()[-1]}",
                "A game is one object that is made without arguments, and has no state of its own.",
            )
    return [out.splitlines() for out, _ in outcomes]


def main() -> None:
    """In the other process."""
    task = msgspec.json.decode(sys.stdin.buffer.read(), type=Task)
    game: AnyGame = resolve_name(task.game)().by_rules(task.rules)
    options = msgspec.json.decode(task.options, type=game.Options)
    for line in _told(Walk(game, task.seats, options, task.seed, task.limit)):
        sys.stdout.buffer.write(line + b"\n")


def _told(walk: Walk) -> Iterator[bytes]:
    for state, _ in walk:
        seats = range(walk.seats)
        views = [walk.game.view(state, seat) for seat in (None, *seats)]
        moves = [walk.game.moves(state, seat) for seat in seats]
        yield encode({"state": state, "views": views, "moves": moves})
