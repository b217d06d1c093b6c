"""Seats at tables that wait for players: who takes another gives up the one before, and an address has only so many."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.client import Refusal, client
from tests.live import server


async def test_one_connection_can_not_fill_the_tables_of_others(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as live,
        client(live.ws("/ws")) as ann,
        client(live.ws("/ws")) as bob,
        client(live.ws("/ws")) as eve,
    ):
        for host in (ann, bob):
            await host.ask("open", game="palace", player="Host", seats=2)
        for _ in range(20):
            for host in (ann, bob):
                await eve.ask("join", table=host.table, player="Eve")
        tables = (await eve.ask("list"))["tables"]
        assert [len(table["players"]) for table in tables] == [1, 2]
        await ann.entry("left")


async def test_a_table_that_its_only_player_has_left_for_another_is_closed(tmp_path: Path) -> None:
    async with server(tmp_path) as live, client(live.ws("/ws")) as ann:
        for _ in range(20):
            await ann.ask("open", game="palace", player="Ann")
        assert [room.table.id for room in live.house.rooms.values()] == [ann.table]


async def test_a_seat_in_a_running_game_is_kept(tmp_path: Path) -> None:
    async with server(tmp_path) as live, client(live.ws("/ws")) as ann, client(live.ws("/ws")) as bob:
        await ann.ask("open", game="palace", player="Ann", seats=2)
        await bob.ask("join", table=ann.table, player="Bob")
        await ann.ask("start")
        first, token = bob.table, bob.token
        await bob.ask("open", game="palace", player="Bob")
        assert (await ann.entry("absent"))["table"]["phase"] == "playing"
        await bob.ask("return", table=first, token=token)
        await ann.entry("back")


async def test_looking_on_elsewhere_gives_up_nothing_at_once(tmp_path: Path) -> None:
    async with server(tmp_path) as live, client(live.ws("/ws")) as ann, client(live.ws("/ws")) as bob:
        await ann.ask("open", game="palace", player="Ann", seats=2)
        await bob.ask("open", game="palace", player="Bob", seats=2)
        first, token = bob.table, bob.token
        await bob.ask("watch", table=ann.table)
        await bob.ask("return", table=first, token=token)


async def test_one_address_holds_only_so_many_seats_at_tables_that_wait(tmp_path: Path) -> None:
    async with (
        server(tmp_path, max_seats_per_address=3) as live,
        client(live.ws("/ws")) as ann,
        client(live.ws("/ws")) as bob,
        client(live.ws("/ws")) as cat,
        client(live.ws("/ws")) as dan,
    ):
        await ann.ask("open", game="palace", player="Ann", seats=2)
        await ann.ask("add_bots")  # they hold nothing
        await bob.ask("open", game="palace", player="Bob", seats=3)
        await cat.ask("join", table=bob.table, player="Cat")
        for wish in ({"kind": "join", "table": bob.table}, {"kind": "open", "game": "palace"}):
            with pytest.raises(Refusal) as refused:
                await dan.ask(player="Dan", **wish)
            assert refused.value.code == "house_full"
            assert "your address" in str(refused.value)
        await ann.ask("start")  # who plays holds no seat that others wait for
        await dan.ask("join", table=bob.table, player="Dan")
        await dan.ask("leave")
        await cat.ask("leave")
        await bob.ask("leave")
        assert not live.house.registry.limits.seats.full("127.0.0.1", more=3)
        assert all(not room.holders or room.table.id == ann.table for room in live.house.rooms.values())


async def test_who_joins_and_hangs_up_keeps_only_so_many_seats(tmp_path: Path) -> None:
    async with server(tmp_path, max_kept_seats_per_address=2) as live, client(live.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann", seats=8)
        for number in range(5):
            async with client(live.ws("/ws")) as mallory:
                await mallory.ask("join", table=ann.table, player=f"Mallory {number}")
            await ann.entry("absent" if number < 2 else "left")
        assert [player["name"] for player in ann.told[-1]["table"]["players"]] == ["Ann", "Mallory 0", "Mallory 1"]


async def test_one_address_seats_only_so_many_bots(tmp_path: Path) -> None:
    async with (
        server(tmp_path, max_bots_per_address=5) as live,
        client(live.ws("/ws")) as ann,
        client(live.ws("/ws")) as bob,
    ):
        await ann.ask("open", game="palace", player="Ann", seats=5)
        await ann.ask("add_bots", count=4)
        await ann.ask("start")
        await bob.ask("open", game="palace", player="Bob", seats=5)
        await bob.ask("add_bots", count=1)
        with pytest.raises(Refusal) as refused:
            await bob.ask("add_bots", count=1)
        assert refused.value.code == "house_full"
        await bob.ask("kick", seat=1)
        await bob.ask("add_bots", count=1)
        await bob.ask("leave")
        assert live.house.registry.limits.bots.full("127.0.0.1", more=2) and not live.house.registry.limits.bots.full(
            "127.0.0.1"
        )
