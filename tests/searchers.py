"""Bots that look ahead, each in its own way, and a game for them. They think in processes of their own: what they have
done there they leave in a folder."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from croupier.games import Catalogue
from croupier.kernel import Bot, Budget, Dice, Searcher
from tests.toys import Bid, Bids


class Lowest(Bot):
    """Bids its lowest card: who sees that knows that nobody has thought."""

    name, about = "lowest", "Bids its lowest card."

    def choose(self, seat: int, view: Any, moves: Sequence[Any], dice: Dice) -> Any:
        return moves[0]


class Thoughtful(Searcher):
    """Bids its highest card, as soon as there is a file ``gate``."""

    name, about = "thoughtful", "Bids its highest card."
    budget = Budget(seconds=1.0)
    fallback = Lowest
    folder: ClassVar[Path]

    def __init__(self, label: str = "") -> None:
        super().__init__()
        self.path = self.folder
        self.label = label

    def search(self, game: Any, world: Any, seat: int, moves: Sequence[Any], dice: Dice, budget: Budget) -> Any:
        self.note(seat, budget)
        return self.think(moves)

    def note(self, seat: int, budget: Budget) -> None:
        noted = {
            "label": self.label, "pid": os.getpid(), "nice": os.nice(0), "seat": seat, "seconds": budget.seconds
        }  # fmt: skip
        with (self.path / "thoughts").open("a") as file:
            file.write(json.dumps(noted) + "\n")

    def think(self, moves: Sequence[Any]) -> Any:
        while not (self.path / "gate").exists():
            time.sleep(0.001)
        return moves[-1]


class Endless(Thoughtful):
    name, about = "endless", "Never comes to an end, until it is told to."

    def think(self, moves: Sequence[Any]) -> Any:
        while True:
            pass


class Stubborn(Thoughtful):
    name, about = "stubborn", "Never comes to an end, whatever it is told."

    def think(self, moves: Sequence[Any]) -> Any:
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass


class Crashing(Thoughtful):
    name, about = "crashing", "Takes its process down."

    def think(self, moves: Sequence[Any]) -> Any:
        os._exit(3)


class Raising(Thoughtful):
    name, about = "raising", "Raises."

    def think(self, moves: Sequence[Any]) -> Any:
        raise ValueError(f"{moves} are what it holds")


class Cheating(Thoughtful):
    name, about = "cheating", "Makes a move that it does not have."

    def think(self, moves: Sequence[Any]) -> Any:
        return Bid(99)


class Babbling(Thoughtful):
    name, about = "babbling", "Says what is no move."

    def think(self, moves: Sequence[Any]) -> Any:
        return ["no", "move"]


KINDS = (Thoughtful, Endless, Stubborn, Crashing, Raising, Cheating, Babbling)


class Pondered(Bids):
    bots: Mapping[str, type[Bot]] = {"lowest": Lowest} | {kind.name: kind for kind in KINDS}


PONDERED_GAME = Pondered()
PONDERED = Catalogue({"bids": PONDERED_GAME}, [])


class Folder:
    """What thinkers are to find, and what they have done."""

    def __init__(self, path: Path) -> None:
        self.path = path
        Thoughtful.folder = path

    def open_gate(self) -> None:
        (self.path / "gate").touch()

    def thoughts(self) -> list[dict[str, Any]]:
        noted = self.path / "thoughts"
        return [json.loads(line) for line in noted.read_text().splitlines()] if noted.exists() else []

    def labels(self) -> list[str]:
        return [thought["label"] for thought in self.thoughts()]


def alive(pid: int) -> bool:
    """Whether the process still runs; one that has ended and that nobody has asked for does not."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"
