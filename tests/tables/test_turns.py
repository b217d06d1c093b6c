"""The event loop is shared out: who asks for much waits for those who ask for little."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import TypeVar

import pytest

from croupier.tables import turns
from croupier.tables.purses import Purse
from croupier.tables.turns import SLICE, Turns, share_of_the_loop

T = TypeVar("T")


def rich() -> Purse:
    return share_of_the_loop(1, burst=1000)


def poor() -> Purse:
    purse = share_of_the_loop(0.001, burst=0)
    purse.charge(1, time.monotonic())
    return purse


async def slices() -> None:
    """Enough of them, on a busy machine too: each may end after one piece."""
    for _ in range(200):
        await asyncio.sleep(0)


def note(heard: list[str], what: str, done: asyncio.Event | None = None) -> Callable[[], bool]:
    """Work of one piece."""

    def work() -> bool:
        heard.append(what)
        if done is not None:
            done.set()
        return False

    return work


async def test_who_has_something_left_is_served_at_once() -> None:
    done = list[str]()
    Turns().serve(rich(), note(done, "at once"))
    assert done == ["at once"]


async def test_who_is_overdrawn_waits_for_a_turn_and_keeps_the_order() -> None:
    turns, purse, done = Turns(), poor(), list[int]()
    left = list(range(100))

    def work() -> bool:
        if left:
            done.append(left.pop(0))
        return bool(left)

    turns.serve(purse, work)
    assert done == [0]  # there is time for one piece in every turn
    turns.spend(SLICE, time.monotonic())
    turns.serve(purse, work)
    assert done == [0]
    await slices()
    assert done == list(range(100))


async def test_a_slice_ends_and_others_have_their_turn_in_between() -> None:
    turns, heard = Turns(), list[str]()
    left = 10

    def dear() -> bool:
        nonlocal left
        left -= 1
        time.sleep(0.005)  # more than a slice
        heard.append("dear")
        return left > 0

    turns.queue(share_of_the_loop(0.1, burst=0), dear)
    while left:
        await asyncio.sleep(0)
        heard.append("other")
    assert heard.count("dear") == 10
    assert "dear dear" not in " ".join(heard)


async def test_while_others_are_there_the_loop_pauses_between_two_slices_and_for_nobody_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shared, heard, all_heard = Turns(), list[str](), asyncio.Event()
    shared.served_at = time.monotonic() + 1000  # they are there for as long as this takes
    monkeypatch.setattr(turns, "PAUSE", 1000.0)

    def dear() -> bool:
        time.sleep(SLICE)
        heard.append("dear")
        return False

    shared.queue(poor(), dear)
    shared.queue(poor(), note(heard, "much"))
    await asyncio.sleep(0)
    shared.queue(poor(), note(heard, "more", all_heard))
    await slices()
    assert heard == ["dear"]
    monkeypatch.setattr(turns, "PAUSE", 0.0)
    shared.queue(rich(), note(heard, "little"))
    await asyncio.sleep(0)
    assert heard[1] == "little", "who is within their share does not wait for the pause to end"
    await all_heard.wait()
    assert heard == ["dear", "little", "much", "more"]


async def test_where_nobody_else_is_there_is_no_pause() -> None:
    turns, heard = Turns(), list[str]()

    def dear() -> bool:
        time.sleep(SLICE)
        heard.append("dear")
        return len(heard) < 5

    turns.queue(poor(), dear)
    for _ in range(5):
        await asyncio.sleep(0)
    assert heard == ["dear"] * 5


async def test_in_the_queue_who_has_used_least_goes_first() -> None:
    turns, heard = Turns(), list[str]()
    much, little = poor(), rich()
    turns.queue(much, note(heard, "much"))
    turns.queue(little, note(heard, "little"))
    await slices()
    assert heard == ["little", "much"]


async def test_those_of_an_address_that_has_used_its_share_wait_together_in_their_order() -> None:
    turns, heard = Turns(), list[str]()
    address = poor()
    turns.queue(poor(), note(heard, "first"), address)
    turns.queue(rich(), note(heard, "second"), address)
    turns.queue(rich(), note(heard, "from elsewhere"), rich())
    await slices()
    assert heard == ["from elsewhere", "first", "second"]


async def test_work_that_fails_keeps_nobody_else_waiting() -> None:
    turns, heard = Turns(), list[str]()

    def fails() -> bool:
        raise RuntimeError

    turns.queue(rich(), fails)
    turns.queue(rich(), note(heard, "next"))
    await slices()
    assert heard == ["next"]


async def test_of_those_who_set_something_going_one_has_a_turn_and_who_has_gone_has_none() -> None:
    purse, here = poor(), Turns()
    here.served_at = time.monotonic() + 1000  # there are others all the time
    first, second, third = (here.turn(purse) for _ in range(3))
    second.set_result(False)
    assert here.turn(rich()).done()
    assert not first.done()
    await asyncio.sleep(0)
    assert first.result() is True
    assert not third.done(), "what the first one takes is not known yet"
    assert await third is True
    assert second.result() is False


async def test_what_is_metered_is_paid_for_and_not_what_it_waits_for(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(turns, "monotonic", lambda: now)
    purse, come = Purse(each=1, at_once=0), asyncio.get_running_loop().create_future()

    async def work() -> str:
        nonlocal now
        now += 1
        heard = await come
        now += 2
        return str(heard)

    task = asyncio.ensure_future(metered_by(purse, work()))
    await asyncio.sleep(0)
    assert purse.full_at == 101
    now = 200
    come.set_result("done")
    assert await task == "done"
    assert purse.full_at == 202


async def test_what_is_metered_fails_and_is_given_up_like_anything_else() -> None:
    told = list[str]()

    async def fails() -> None:
        await asyncio.sleep(0)
        raise RuntimeError("as it would")

    async def waits() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            told.append("cleared away")

    with pytest.raises(RuntimeError, match="as it would"):
        await metered_by(rich(), fails())
    task = asyncio.ensure_future(metered_by(rich(), waits()))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert told == ["cleared away"]


async def metered_by(purse: Purse, work: Coroutine[None, None, T]) -> T:
    result: T = await Turns().metered(purse, work)
    return result
