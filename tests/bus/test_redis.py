"""The bus by a real Redis, which is killed, frozen, flushed and started again."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from croupier.bus import redis as redis_bus
from croupier.bus.redis import RedisBus
from services.redis import Redis
from tests.bus.listening import Listener, until

Join = Callable[..., Awaitable[tuple[RedisBus, Listener]]]


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[Redis]:
    with Redis(tmp_path / "redis") as running:
        yield running


@pytest.fixture
async def join(redis: Redis) -> AsyncIterator[Join]:
    buses = []

    async def join(prefix: str = "house") -> tuple[RedisBus, Listener]:
        listener = Listener()
        buses.append(await RedisBus.open(redis.url, "node", listener.gap, prefix))
        return buses[-1], listener

    yield join
    for bus in buses:
        await bus.close()


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is, a Redis that runs is not taken for dead."""
    monkeypatch.setattr(redis_bus, "PATIENCE", 1e6)


async def test_others_hear_it_in_order_and_oneself_does_not(join: Join) -> None:
    (one, own), (two, other) = await join(), await join()
    await own.follow(one, "table", "all")
    await other.follow(two, "table", "all")
    sent = [b"%d" % number for number in range(1000)]
    for message in sent:
        one.publish("table", message)
        one.publish("all", message)
        await asyncio.sleep(0)
    two.publish("table", b"\x00\r\n")
    await until(lambda: len(other.heard["all"]) == 1000 and bool(own.heard["table"]))
    assert other.heard == {"table": sent, "all": sent}
    assert own.heard == {"table": [b"\x00\r\n"], "all": []}
    assert own.gaps == other.gaps == 0
    assert one.counts.published == two.counts.heard == 2000


async def test_houses_that_share_a_redis_do_not_hear_each_other(join: Join) -> None:
    (one, _), (stranger, strange), (two, other) = await join(), await join("another"), await join()
    await strange.follow(stranger, "table")
    await other.follow(two, "table")
    one.publish("table", b"hello")
    await until(lambda: bool(other.heard["table"]))
    again, _ = await join("another")
    again.publish("table", b"end")
    await until(lambda: bool(strange.heard["table"]))
    assert strange.heard == {"table": [b"end"]}
    assert other.heard == {"table": [b"hello"]}


async def test_a_thousand_channels_come_and_go(join: Join) -> None:
    (one, _), (two, other) = await join(), await join()
    channels = [f"table-{number}" for number in range(1000)]
    await other.follow(two, *channels)
    for channel in channels[::2]:
        two.unsubscribe(channel)
    for channel in channels:
        one.publish(channel, channel.encode())
    await until(lambda: bool(other.heard[channels[-1]]))
    assert all(other.heard[channel] == [channel.encode()] for channel in channels[1::2])
    assert not any(other.heard[channel] for channel in channels[::2])
    await until(lambda: bool(two.lag))


async def test_others_have_their_turn_between_many_messages(join: Join) -> None:
    (one, _), (two, other) = await join(), await join()
    await other.follow(two, "table")
    turn = 0
    turns: Counter[int] = Counter()
    two.subscribe("table", lambda _: turns.update([turn]))
    for _ in range(1000):
        one.publish("table", b"")
    while turns.total() < 1000:
        turn += 1
        await asyncio.sleep(0)
    assert max(turns.values()) <= 2 * redis_bus.AT_ONCE


async def test_who_comes_back_at_once_is_heard_and_who_leaves_is_not(join: Join, redis: Redis) -> None:
    (one, _), (two, other) = await join(), await join()
    other.begin(two, "table")
    await asyncio.sleep(0)
    two.unsubscribe("table")
    await asyncio.sleep(0)
    await other.follow(two, "table")
    one.publish("table", b"hello")
    await until(lambda: bool(other.heard["table"]))
    two.unsubscribe("table")
    two.unsubscribe("table")
    await until(lambda: redis.run("PUBLISH house:table nobody-hears-it") == ":0")


async def test_an_error_of_a_subscriber_is_reported_and_the_next_message_is_heard(join: Join) -> None:
    (one, _), (two, other) = await join(), await join()
    await other.follow(two, "table")
    reported: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, about: reported.append(about["exception"]))

    def fails(message: bytes) -> None:
        other.heard["table"].append(message)
        raise ValueError(message)

    two.subscribe("table", fails)
    one.publish("table", b"1")
    one.publish("table", b"2")
    await until(lambda: len(other.heard["table"]) == 2)
    assert len(reported) == 2
    assert two.fault is None


async def test_redis_is_killed_and_started_again(join: Join, redis: Redis) -> None:
    (one, own), (two, other) = await join(), await join()
    await own.follow(one, "table")
    await other.follow(two, "table")
    redis.kill()
    await until(lambda: one.fault is not None and two.fault is not None)
    assert one.lag is None
    one.publish("table", b"lost")
    assert one.counts.dropped == 1
    other.begin(two, "later")
    redis.start()
    await until(lambda: own.gaps > 0 and other.gaps > 0 and "later" in other.confirmed)
    assert one.fault is two.fault is None
    one.publish("table", b"heard")
    one.publish("later", b"heard")
    await until(lambda: bool(other.heard["later"]))
    assert other.heard == {"table": [b"heard"], "later": [b"heard"]}


async def test_a_redis_that_is_not_there_yet_keeps_nobody_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_bus, "MOMENT", 0.1)
    redis = Redis(tmp_path / "redis")
    listener = Listener()
    bus = await RedisBus.open(redis.url, "node", listener.gap, "house")
    assert bus.fault is not None
    assert "Redis" in bus.fault
    following = asyncio.create_task(listener.follow(bus, "table"))
    with redis:
        await following
        await until(lambda: listener.gaps == 1)
        assert bus.fault is None
        await bus.close()


async def test_a_frozen_redis_is_noticed_and_everything_looked_up_when_it_wakes(
    join: Join, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_bus, "PING_INTERVAL", 0.05)
    monkeypatch.setattr(redis_bus, "PATIENCE", 0.5)
    (one, own), (two, other) = await join(), await join()
    await own.follow(one, "table")
    await other.follow(two, "table")
    redis.freeze()
    await until(lambda: one.fault is not None and two.fault is not None)
    monkeypatch.setattr(redis_bus, "PATIENCE", 1e6)
    redis.wake()
    await until(lambda: own.gaps > 0 and other.gaps > 0 and one.fault is two.fault is None)
    one.publish("table", b"heard")
    await until(lambda: b"heard" in other.heard["table"])


async def test_what_can_not_be_sent_is_dropped_and_the_others_are_told(
    join: Join, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_bus, "QUEUE", 100)
    (one, own), (two, other) = await join(), await join()
    await other.follow(two, "table")
    redis.freeze()
    while not one.counts.dropped:
        one.publish("table", bytes(10_000))
        if one.counts.published % 50 == 0:
            await asyncio.sleep(0)
    redis.wake()
    await until(lambda: other.gaps > 0)
    assert two.fault is None
    assert own.gaps == 0
    assert 0 < one.counts.dropped < one.counts.published


async def test_a_flushed_redis_is_no_different(join: Join, redis: Redis) -> None:
    (one, _), (two, other) = await join(), await join()
    await other.follow(two, "table")
    redis.run("FLUSHALL")
    one.publish("table", b"heard")
    await until(lambda: bool(other.heard["table"]))
    assert other.gaps == 0


@pytest.mark.parametrize("kind", ["normal", "pubsub"])
async def test_either_connection_may_be_cut(
    join: Join, redis: Redis, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_bus, "PING_INTERVAL", 1e6)  # nobody has to say anything for it to be noticed
    (one, own), (two, other) = await join(), await join()
    await own.follow(one, "table")
    await other.follow(two, "table")
    redis.run(f"CLIENT KILL TYPE {kind}")
    await until(lambda: own.gaps > 0 and other.gaps > 0 and one.fault is two.fault is None)
    one.publish("table", b"heard")
    await until(lambda: b"heard" in other.heard["table"])


async def test_what_was_published_just_before_closing_is_sent(join: Join) -> None:
    (one, _), (two, other) = await join(), await join()
    await other.follow(two, "table")
    one.publish("table", b"goodbye")
    await one.close()
    await until(lambda: bool(other.heard["table"]))
    assert other.heard["table"] == [b"goodbye"]
