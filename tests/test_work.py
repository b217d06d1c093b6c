"""What a move takes in work, which is the same on every machine: calls, encodings, messages, bytes, entries.

Time is measured by ``benchmarks``. Here the same game is played each time, and no count may grow by more than a few
percent over what ``work.json`` has. Where more work is worth it, ``CROUPIER_REWRITE=1`` writes the file anew, and its
diff says what the change costs.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

import msgspec
import pytest

from benchmarks.hotpath import Bench, Listener, Nowhere
from croupier.games import catalogue
from croupier.journal import Append
from croupier.tables.house import House
from croupier.tables.settings import Settings
from tests.clock import ManualTime

FILE = Path(__file__).with_name("work.json")
MOVES = 300
SEATS = {"palace, 64 seats": 64}
GROWTH = 0.03
"""A guard that fails at every helper function that somebody names would soon be rewritten without a look."""
PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
RECORDED_WITH = "3.11"
"""Another interpreter counts other calls; all the rest is the same."""


class Bookkeeper(Nowhere):
    """A journal that counts."""

    def __init__(self, work: Counter[str]) -> None:
        super().__init__()
        self._work = work

    def append(self, append: Append) -> None:
        self._work["appends"] += 1
        self._work["entries"] += len(append.records)
        self._work["bytes for the journal"] += sum(len(record.entry) for record in append.records)
        super().append(append)


@contextmanager
def counted(work: Counter[str]) -> Iterator[None]:
    def look(frame: FrameType, event: str, called: Any) -> None:
        if event == "call":
            work["calls"] += 1
        elif event == "c_call" and "encode" in called.__name__:
            work["encodings"] += 1

    sys.setprofile(look)
    try:
        yield
    finally:
        sys.setprofile(None)


async def played(name: str) -> dict[str, float]:
    """What each of a game's moves takes, with all that comes between two games."""
    game = name.split(",")[0]
    games, work = catalogue().games, Counter[str]()
    journal = Bookkeeper(work)
    house = House(games, journal, Settings(seed=bytes(32)), time=ManualTime())
    seats = SEATS.get(name, 4 if 4 in games[game].seats else 2)
    bench = Bench(house, journal, game, seats)
    bench.dice = Random(1)
    for seat in bench.seats:
        _listen(seat, work)
    await bench.play(MOVES)  # what is worked out once and kept is not a move's
    work.clear()
    with counted(work):
        await bench.play(MOVES)
    return {what: round(count / MOVES, 3) for what, count in sorted(work.items())}


def _listen(seat: Listener, work: Counter[str]) -> None:
    send = seat.send

    def heard(message: bytes) -> None:
        work["messages"] += 1
        work["bytes for clients"] += len(message)
        send(message)

    seat.send = heard  # type: ignore[method-assign]


def check(name: str, now: dict[str, float]) -> None:
    """Nothing has grown since it was written down."""
    known = msgspec.json.decode(FILE.read_bytes()) if FILE.exists() else {}
    if os.environ.get("CROUPIER_REWRITE"):
        FILE.write_bytes(msgspec.json.format(msgspec.json.encode(known | {name: now}, order="sorted")) + b"\n")
        return
    compared = now.keys() - (set() if PYTHON == RECORDED_WITH else {"calls"})
    grown = {
        what: f"{known[name].get(what, 0)} → {now[what]}"
        for what in compared
        if now[what] > known[name].get(what, 0) * (1 + GROWTH)
    }
    assert grown == {}, "a move takes more work; CROUPIER_REWRITE=1 accepts it"


@pytest.mark.parametrize("name", [*catalogue().games, *SEATS])
async def test_a_move_takes_no_more_work_than_it_did(name: str) -> None:
    check(name, await played(name))


async def test_the_same_game_takes_the_same_work() -> None:
    # Ids and codes are drawn anew each time, and take a byte more or less.
    assert await played("coup") == pytest.approx(await played("coup"), rel=GROWTH / 5)
