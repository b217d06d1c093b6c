"""The bus within one process: it keeps the promises of a real one, and can break all that a real one may break."""

from __future__ import annotations

import asyncio

from croupier.bus.local import Hub, LocalBus
from tests.bus.listening import Listener, until


def joined(hub: Hub) -> tuple[LocalBus, Listener]:
    listener = Listener()
    return LocalBus(hub, listener.gap), listener


async def test_others_hear_it_in_order_and_never_at_once() -> None:
    hub = Hub()
    (one, own), (two, other) = joined(hub), joined(hub)
    await own.follow(one, "table")
    await other.follow(two, "table", "chat")
    for number in range(3):
        one.publish("table", b"%d" % number)
    assert not other.heard["table"]
    await until(lambda: len(other.heard["table"]) == 3)
    assert other.heard == {"table": [b"0", b"1", b"2"], "chat": []}
    assert own.heard == {"table": []}


async def test_nothing_is_heard_after_unsubscribing_or_closing() -> None:
    hub = Hub()
    (one, _), (two, other), (three, third) = joined(hub), joined(hub), joined(hub)
    await other.follow(two, "table")
    await third.follow(three, "table")
    one.publish("table", b"late")
    two.unsubscribe("table")
    await three.close()
    await asyncio.sleep(0)
    assert other.heard == third.heard == {"table": []}


async def test_messages_can_get_lost() -> None:
    hub = Hub()
    (one, _), (two, other) = joined(hub), joined(hub)
    await other.follow(two, "table")
    hub.lose = 0.5
    sent = [b"%d" % number for number in range(100)]
    for message in sent:
        one.publish("table", message)
    hub.lose = 0.0
    one.publish("table", b"end")
    await until(lambda: b"end" in other.heard["table"])
    *heard, _ = other.heard["table"]
    assert 0 < len(heard) < 100
    assert heard == [message for message in sent if message in heard]


async def test_messages_can_overtake_each_other() -> None:
    hub = Hub()
    (one, _), (two, other) = joined(hub), joined(hub)
    await other.follow(two, "table")
    hub.delay = 0.05
    sent = [b"%d" % number for number in range(100)]
    for message in sent:
        one.publish("table", message)
    await until(lambda: len(other.heard["table"]) == 100)
    assert other.heard["table"] != sent
    assert sorted(other.heard["table"]) == sorted(sent)


async def test_a_cut_is_a_fault_and_a_gap_for_everybody() -> None:
    hub = Hub()
    (one, own), (two, other) = joined(hub), joined(hub)
    await other.follow(two, "table")
    hub.cut = "nobody is connected"
    assert one.fault == two.fault == "nobody is connected"
    one.publish("table", b"lost")
    other.begin(two, "later")
    await asyncio.sleep(0.01)
    assert "later" not in other.confirmed
    hub.mend()
    await until(lambda: own.gaps == other.gaps == 1 and "later" in other.confirmed)
    one.publish("table", b"heard")
    await until(lambda: bool(other.heard["table"]))
    assert other.heard["table"] == [b"heard"]
    assert one.fault is None
    assert one.counts.dropped == 1
