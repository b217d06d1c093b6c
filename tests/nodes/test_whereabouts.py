"""Who is at a table by way of which node: nobody is away who is there, or there who is not, whatever nodes do."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from tests import services
from tests.client import Client, Json, client
from tests.live import process, server


class House:
    """A journal and a bus, for nodes of this process and of others."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.journal, self.bus = services.database(), services.bus()

    def settings(self, node: str) -> Json:
        return {"node": node, "journal": self.journal, "bus": self.bus}

    def flags(self, node: str) -> list[str]:
        return [word for name, value in self.settings(node).items() for word in (f"--{name}", value)]


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


async def sit_down(ann: Client, bob: Client, game: str = "palace") -> None:
    await ann.ask("open", game=game, player="Ann", seats=2)
    await bob.ask("join", table=ann.table, player="Bob")
    await ann.entry("joined")


async def away(somebody: Client) -> list[str]:
    """Who is, as somebody is told."""
    table = (await somebody.ask("see"))["sync"]["table"]
    return [player["name"] for player in table["players"] if player.get("away")]


async def test_whose_node_was_killed_is_away_though_a_node_of_that_name_is_there_again_at_once(house: House) -> None:
    async with server(house.data, **house.settings("other")) as here, client(here.ws("/ws")) as bob:
        async with process(house.data, *house.flags("mine")) as there, client(there.ws("/ws")) as ann:
            await sit_down(ann, bob)
            await there.kill()
        async with process(house.data, *house.flags("mine")):
            assert (await bob.entry("absent"))["entry"]["seat"] == 0
            assert await away(bob) == ["Ann"]


async def test_who_was_at_a_node_that_slept_too_long_is_there_again_when_it_wakes(house: House) -> None:
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


async def test_who_returns_elsewhere_while_their_node_believes_in_the_old_connection_replaces_it(house: House) -> None:
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


async def test_who_is_told_to_go_by_a_node_that_stops_is_taken_over_at_once(house: House) -> None:
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
