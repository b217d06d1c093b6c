"""What was learnt, at the table: bots that are handed what every bot is handed, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from croupier.games.faraway.encoding import FarawayEncoding
from croupier.games.palace.encoding import PalaceEncoding
from croupier.kernel import Bot, Dice, Event, Move
from croupier.kernel.encoding import Notes
from croupier_learning.fitting import AnyEncoding
from croupier_learning.network import Network

TRAINED = Path(__file__).parent / "trained"


@cache
def trained(encoding: type[AnyEncoding], name: str) -> Network:
    """What was learnt of a game: read once, for all tables."""
    return Network.load(encoding, TRAINED / f"{name}.npz")


@cache
def numbers(encoding: type[AnyEncoding], seats: int) -> AnyEncoding:
    return encoding(seats)


class Learnt(Bot):
    """Plays what its network likes best. Subclasses say which game, and how many play."""

    encoding: ClassVar[type[AnyEncoding]]

    def __init__(self, network: Network | None = None) -> None:
        self.network = network or trained(self.encoding, self.plays)
        self._notes: Notes | None = None
        self._unseen: list[Event] = []
        """What has happened since it was last asked: only the view says for how many it has to take notes."""

    def seats(self, view: Any) -> int:
        """How many play, those who are out included."""
        raise NotImplementedError

    def observe(self, seat: int, events: Sequence[Event]) -> None:
        self._unseen += events

    def choose(self, seat: int, view: Any, moves: Sequence[Any], dice: Dice) -> Move:
        encoding = numbers(self.encoding, self.seats(view))
        notes = self._noted(encoding)
        choices, said = encoding.choices(seat, view, moves), list[int]()
        while True:
            number = next(iter(choices))
            if len(choices) > 1:
                row = encoding.observe(seat, view, notes, said, choices)
                number = self._best(encoding.seats, row, encoding.mask(choices))
            choice = choices[number]
            if not callable(choice):
                assert choice is not None, "it can be let be only out of turn"
                return choice
            said.append(number)
            choices = choice()

    def _noted(self, encoding: AnyEncoding) -> Notes | None:
        """Bring the notes up to date."""
        if self._notes is None:
            self._notes = encoding.notes()
        if self._notes is not None:
            events: Sequence[Event] = self._unseen
            if encoding.memory == "shared":  # notes that all could have taken
                events = [seen for event in events if (seen := event.seen_by(None)) is not None]
            self._notes.observe(events)
        self._unseen = []
        return self._notes

    def _best(self, seats: int, row: bytes, mask: bytearray) -> int:
        looks = self.network.fit(seats).look(np.frombuffer(row, np.uint8)[None])
        answer = self.network.answer(seats, looks, np.frombuffer(mask, np.int8)[None])
        return int(answer.preferences.argmax())


class LearntPalace(Learnt):
    name = "learnt"
    about = "Has taught itself, in a few minutes of playing against itself."
    plays = "palace"
    strength = "medium"
    encoding = PalaceEncoding

    def seats(self, view: Any) -> int:
        return len(view.hands)


class LearntFaraway(Learnt):
    name = "learnt"
    about = "Has taught itself, in a few minutes of playing against itself."
    plays = "faraway"
    strength = "medium"
    encoding = FarawayEncoding

    def seats(self, view: Any) -> int:
        return len(view.rows)


BOTS: dict[str, type[Learnt]] = {bot.plays: bot for bot in (LearntPalace, LearntFaraway)}
