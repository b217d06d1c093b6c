"""Bots rest where nobody is, and what they do is paid for by whoever opened their tables."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from croupier.kernel import Event
from croupier.kernel.bot import Bot
from croupier.tables import bots, error_log
from croupier.tables.table import Seat
from tests.client import client
from tests.clock import ManualTime
from tests.live import server
from tests.toys import Bidden


async def until(done: Callable[[], bool]) -> None:
    while not done():  # noqa: ASYNC110 - nobody tells
        await asyncio.sleep(0)


async def test_a_game_of_bots_stands_still_until_its_person_is_back(tmp_path: Path) -> None:
    clock = ManualTime()
    async with server(tmp_path, time=clock) as live:
        async with client(live.ws("/ws")) as ann:
            await ann.ask("open", game="palace", player="Ann", seats=4)
            await ann.ask("add_bots", count=3)
            await ann.ask("start")
            token = ann.token
        room = live.house.rooms[ann.table]
        await until(lambda: not room.sessions)
        before = room.table.seq
        for _ in range(20):
            await clock.to_pass(20)
        assert room.table.seq == before, "nobody is there"
        async with client(live.ws("/ws")) as ann:
            sync = (await ann.ask("return", table=room.table.id, token=token))["sync"]
            if sync["awaited"] != [sync["seat"]]:
                await clock.to_pass(2)
                await ann.entry("moved")


async def test_what_a_table_does_by_itself_waits_for_its_turn_when_it_has_used_too_much(tmp_path: Path) -> None:
    clock = ManualTime()
    async with server(tmp_path, time=clock) as live, client(live.ws("/ws")) as ann, client(live.ws("/ws")) as bob:
        for person in (ann, bob):
            await person.ask("open", game="palace", player="Ann", seats=2)
        rooms = [live.house.rooms[person.table] for person in (ann, bob)]
        assert rooms[0].payer is rooms[1].payer, "both were opened from one address"
        now = time.monotonic()
        rooms[0].payer.charge(now - 1, now)
        live.house.turns.spend(1, now)  # and nothing is left of this turn
        waiting = live.house.turns._waiting
        rooms[1]._wake()
        assert len(waiting) == 1, "it waits, though this one has done nothing"
        await until(lambda: not waiting)
        assert rooms[1]._timer is not None, "and then it was looked at"


class Watcher(Bot):
    name = "watcher"

    def __init__(self, fault: type[BaseException] | None = None) -> None:
        self.seen: list[Event] = []
        self.fault = fault

    def observe(self, seat: int, events: object) -> None:
        if self.fault is not None:
            raise self.fault
        self.seen += events  # type: ignore[arg-type]


@pytest.mark.parametrize("fault", [RuntimeError, bots.TooSlow])
def test_one_bot_that_can_not_look_on_keeps_no_other_from_it(fault: type[BaseException]) -> None:
    brains = [Watcher(), Watcher(fault), Watcher(fault), Watcher()]
    seats = [Seat(number, f"Bot {number}", None, "watcher") for number in range(4)]
    for seat, brain in zip(seats, brains, strict=True):
        seat.brain = brain
    before = error_log.seen.copy()
    bots.observe(seats, "bids", [Bidden(0, 6)])
    assert [seat.brain is brain for seat, brain in zip(seats, brains, strict=True)] == [True, False, False, True]
    assert brains[0].seen == [Bidden(0, 6)]
    assert brains[3].seen == [Bidden(0, None)], "only what that seat may see"
    error_log.seen.clear()
    error_log.seen.update(before)
