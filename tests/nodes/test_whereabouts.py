"""Who is at a table by way of which node: nobody is away who is there, or there who is not, whatever nodes do."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from websockets.exceptions import ConnectionClosed

from croupier import nodes as joining
from croupier.bus.local import Hub
from croupier.journal.postgres import PostgresJournal
from croupier.tables.shared_room import SharedRoom
from tests.client import Client, client
from tests.live import LiveHere, process, server
from tests.nodes.crowd import play_on
from tests.nodes.several import Shared, cluster, local, nodes


@pytest.fixture
def house(tmp_path: Path) -> Shared:
    return Shared(tmp_path)


async def sit_down(ann: Client, bob: Client, game: str = "palace") -> None:
    await ann.ask("open", game=game, player="Ann", seats=2)
    await bob.ask("join", table=ann.table, player="Bob")
    await ann.entry("joined")


async def comes_true(found: Callable[[], bool]) -> None:
    for _ in range(400):
        if found():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("it never came true")


async def away(somebody: Client) -> list[str]:
    """Who is, as somebody is told."""
    table = (await somebody.ask("see"))["sync"]["table"]
    return [player["name"] for player in table["players"] if player.get("away")]


async def test_whose_node_was_killed_is_away_though_a_node_of_that_name_is_there_again_at_once(house: Shared) -> None:
    async with server(house.data, **house.settings("other")) as here, client(here.ws("/ws")) as bob:
        async with process(house.data, *house.flags("mine")) as there, client(there.ws("/ws")) as ann:
            await sit_down(ann, bob)
            await there.kill()
        async with process(house.data, *house.flags("mine")):
            assert (await bob.entry("absent"))["entry"]["seat"] == 0
            assert await away(bob) == ["Ann"]


async def test_who_was_at_a_node_that_slept_too_long_is_there_again_when_it_wakes(house: Shared) -> None:
    async with (
        server(house.data, **house.settings("other")) as here,
        process(house.data, *house.flags("sleepy")) as there,
        client(here.ws("/ws")) as bob,
        client(there.ws("/ws")) as ann,
    ):
        await sit_down(ann, bob)
        os.kill(there.pid, signal.SIGSTOP)
        await bob.entry("absent")
        os.kill(there.pid, signal.SIGCONT)
        await bob.entry("back")
        assert await away(bob) == await away(ann) == []


async def test_who_returns_elsewhere_while_their_node_believes_in_the_old_connection_replaces_it(house: Shared) -> None:
    async with (
        server(house.data, **house.settings("a")) as here,
        server(house.data, **house.settings("b")) as there,
        client(here.ws("/ws")) as old,
        client(there.ws("/ws")) as bob,
        client(there.ws("/ws")) as new,
    ):
        await sit_down(old, bob)
        await new.ask("return", table=old.table, token=old.token)
        await old.hear(lambda told: told["type"] == "replaced")
        await new.ask("say", text="it's me")
        said = await bob.hear(lambda told: told["type"] == "fact")
        while said["entry"]["entry"] != "said":
            assert said["entry"]["entry"] not in ("absent", "left")
            said = await bob.hear(lambda told: told["type"] == "fact")
        assert await away(bob) == await away(new) == []


async def test_who_is_told_to_go_by_a_node_that_stops_is_taken_over_at_once(house: Shared) -> None:
    async with server(house.data, **house.settings("stays")) as here, client(here.ws("/ws")) as bob:
        async with process(house.data, *house.flags("stops")) as there, client(there.ws("/ws")) as ann:
            await sit_down(ann, bob)
            await ann.ask("start")
            assert await there.terminate() == 0
            with pytest.raises(ConnectionClosed) as caught:
                while True:
                    await ann.hear()
            assert caught.value.rcvd is not None
            assert caught.value.rcvd.code == 1012
        async with client(here.ws("/ws")) as again:
            sync = (await again.ask("return", table=ann.table, token=ann.token))["sync"]
            assert sync["table"]["phase"] == "playing"
            assert await away(bob) == await away(again) == []


async def test_whose_node_was_killed_plays_on_at_another_and_no_clock_has_run_out(house: Shared) -> None:
    async with server(house.data, **house.settings("stays")) as here, client(here.ws("/ws")) as bob:
        async with process(house.data, *house.flags("dies")) as there, client(there.ws("/ws")) as ann:
            await ann.ask("open", game="palace", player="Ann", seats=2, options={"turn_timer": 6})
            await bob.ask("join", table=ann.table, player="Bob")
            await ann.entry("joined")
            await ann.ask("start")
            await there.kill()
        await bob.entry("resumed")
        async with client(here.ws("/ws")) as again:
            await again.ask("return", table=ann.table, token=ann.token)
            assert await away(bob) == []
            await asyncio.gather(play_on(again, Random(1)), play_on(bob, Random(2)))
        assert not any(told["type"] == "fact" and told["entry"]["entry"] == "stood_in" for told in bob.told)


async def test_who_never_comes_back_after_their_node_was_killed_is_given_up(house: Shared) -> None:
    patience: dict[str, Any] = {"restart_patience": 1, "restart_grace": 1, "bot_delay": 0}
    async with server(house.data, **house.settings("stays"), **patience) as here, client(here.ws("/ws")) as bob:
        async with process(house.data, *house.flags("dies")) as there, client(there.ws("/ws")) as ann:
            await ann.ask("open", game="palace", player="Ann", seats=2, options={"turn_timer": 5})
            await bob.ask("join", table=ann.table, player="Bob")
            await ann.entry("joined")
            await ann.ask("start")
            await there.kill()
        await play_on(bob, Random(1))
        given_up = [told["entry"] for told in bob.told if told.get("entry", {}).get("entry") in ("stood_in", "gone")]
        assert given_up


async def test_a_table_that_nobody_has_in_memory_is_read_again_with_who_is_away_and_since_when(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.tables.cluster.KEPT_FOR", 0)
    async with nodes(tmp_path, 2, lobby_grace=600) as (one, two):
        async with client(one.ws("/ws")) as ann:
            async with client(one.ws("/ws")) as bob:
                await sit_down(ann, bob)
            await ann.entry("absent")
            (room,) = one.house.rooms.values()
            before = {seat.token: (seat.away_since, seat.keeps_until) for seat in room.table.seats.values()}
        await comes_true(lambda: not one.house.rooms)
        async with client(two.ws("/ws")) as again:
            await again.ask("return", table=ann.table, token=ann.token)
            (room,) = two.house.rooms.values()
            after = {seat.token: (seat.away_since, seat.keeps_until) for seat in room.table.seats.values()}
            assert await away(again) == ["Bob"]
            (bobs,) = [token for token, (since, _) in before.items() if since is not None]
            assert after[bobs] == before[bobs]
        assert cluster(two).alive


async def play_alone(ann: Client) -> None:
    await ann.ask("open", game="palace", player="Ann")
    await ann.ask("add_bots", count=1)
    await ann.ask("start")


async def taken_over(node: LiveHere, table: str) -> SharedRoom:
    """The table, once its person has been given up there."""
    rooms = node.house.registry.rooms

    def given_up() -> bool:
        return table in rooms and any(not seat.present for seat in rooms[table].table.people)

    while not given_up():  # noqa: ASYNC110 - nobody tells
        await asyncio.sleep(0.05)
    room = rooms[table]
    assert isinstance(room, SharedRoom)
    return room


async def test_a_table_is_found_though_its_node_was_killed_before_it_had_said_who_is_there(house: Shared) -> None:
    async with process(house.data, *house.flags("dies")) as there, client(there.ws("/ws")) as ann:
        await play_alone(ann)
        await there.kill()
    async with server(house.data, **house.settings("heir")) as here, asyncio.timeout(60):
        await taken_over(here, ann.table)


async def test_a_table_that_was_taken_over_falls_due_in_the_journal_when_it_does_in_memory(
    house: Shared, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or else, if the node that has taken it over dies as well, nobody looks at the table for a day."""
    monkeypatch.setattr("croupier.tables.cluster.KEPT_FOR", 600_000)
    async with server(house.data, **house.settings("heir")) as here, asyncio.timeout(60):
        journal = here.house.journal
        assert isinstance(journal, PostgresJournal)
        async with process(house.data, *house.flags("dies")) as there, client(there.ws("/ws")) as ann:
            await play_alone(ann)
            while not await journal.attendance.attending([ann.table]):  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.05)
            await there.kill()
        room = await taken_over(here, ann.table)
        while await journal.due(room.next_due() or 0, 9) != [ann.table]:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.05)


async def test_who_is_gone_before_they_are_answered_is_not_there(house: Shared) -> None:
    """A session is lost while its request waits for the journal."""
    async with (
        server(house.data, **house.settings("a")) as here,
        server(house.data, **house.settings("b")) as there,
        client(here.ws("/ws")) as ann,
        client(there.ws("/ws")) as eve,
    ):
        await ann.ask("open", game="palace", player="Ann", seats=5)
        await eve.ask("watch", table=ann.table)
        for number in range(20):
            async with client(there.ws("/ws")) as bob:
                join = {"type": "join", "id": 1, "table": ann.table, "player": f"B{number}"}
                await bob.socket.send(json.dumps(join))
                await bob.socket.send(json.dumps({"type": "leave", "id": 2}))
                for _ in range(number % 5):
                    await asyncio.sleep(0)
                bob.socket.transport.abort()
        (room,) = here.house.rooms.values()
        await comes_true(lambda: all(seat is room.table.host or not seat.present for seat in room.table.seats.values()))
        assert (await eve.ask("see"))["sync"]["table"]["players"] == (await ann.ask("see"))["sync"]["table"]["players"]


async def test_a_node_that_dies_before_it_has_told_what_it_wrote_last_leaves_the_grace_for_clocks_to_its_people(
    house: Shared, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others hear nothing of it, and look into the journal only when it is gone."""
    monkeypatch.setattr("croupier.tables.cluster.LOOK_EVERY", 1000.0)
    hub, stays = Hub(), house.settings("stays")
    silent = [word for word in house.flags("dies") if word not in ("--bus", house.bus)]
    with patch.object(joining, "_bus", local(hub)):
        async with server(house.data, **stays) as here, client(here.ws("/ws")) as bob:
            async with process(house.data, *silent) as there, client(there.ws("/ws")) as ann:
                await ann.ask("open", game="palace", player="Ann", seats=2, options={"turn_timer": 30})
                await bob.ask("join", table=ann.table, player="Bob")
                await ann.entry("joined")
                await ann.ask("start")
                await there.kill()
            resumed = await bob.entry("resumed")
            assert resumed["entry"]["until"] > resumed["at"]
            started = [told["entry"]["entry"] for told in bob.told if told["type"] == "fact"]
            assert started.index("started") < started.index("resumed")
