"""The host and those who look on, or talk too much."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.client import Refusal, client
from tests.games.palace.wire import Hall, hall
from tests.live import server


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Hall]:
    async with hall(tmp_path) as found:
        yield found


async def refused(asking: object) -> str:
    with pytest.raises(Refusal) as caught:
        await asking  # type: ignore[misc]
    return str(caught.value.code)


async def test_the_host_sends_spectators_away(here: Hall) -> None:
    async with (
        client(here.live.ws("/ws")) as ann,
        client(here.live.ws("/ws")) as bob,
        client(here.live.ws("/ws")) as eve,
    ):
        table = (await ann.ask("open", game="palace", player="Ann"))["sync"]["table"]
        assert "bench" not in table
        await bob.ask("join", table=ann.table, player="Bob")
        await eve.ask("watch", table=ann.table)
        assert await refused(bob.ask("bench", open=False)) == "not_host"
        assert await refused(eve.ask("bench", open=False)) == "not_host"
        await ann.ask("bench", open=False)
        fact = await eve.entry("benched")
        assert fact["entry"] == {"entry": "benched", "open": False}
        assert fact["table"]["bench"] == {"closed": True}
        assert await refused(eve.ask("say", text="hello?")) == "not_seated"
        assert await refused(eve.ask("watch", table=ann.table)) == "bench_closed"
        await ann.ask("say", text="alone at last")
        assert (await bob.entry("said"))["table"]["watchers"] == 0
        assert await eve.silent(), "and they are told nothing more"
        await ann.ask("bench", open=True)
        assert "bench" not in (await eve.ask("watch", table=ann.table))["sync"]["table"]


async def test_palaces_spectators_are_told_in_their_own_words(here: Hall) -> None:
    async with client(here.live.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann")
        matt, eve = await here.enter(), await here.enter()
        await matt.ask({"JoinLobby": {"lobby_id": ann.table, "player_name": "Matt", "password": ""}})
        await eve.ask({"SpectateLobby": ann.table})
        await matt.hears("SpectatorJoinEvent")
        await ann.ask("bench", open=False)
        assert await eve.hears("LobbyCloseEvent") == "Kicked"
        assert await matt.hears("SpectatorLeaveEvent") is None
        assert await eve.ask({"SpectateLobby": ann.table}) == {"Err": "SpectateLobbyFull"}


async def test_the_host_silences_somebody(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as live,
        client(live.ws("/ws")) as ann,
        client(live.ws("/ws")) as bob,
        client(live.ws("/ws")) as eve,
    ):
        await ann.ask("open", game="coup", player="Ann")
        await bob.ask("join", table=ann.table, player="Bob")
        await eve.ask("watch", table=ann.table)
        assert await refused(bob.ask("silence", seat=0, silent=True)) == "not_host"
        assert await refused(ann.ask("silence", seat=0, silent=True)) == "host"
        assert await refused(ann.ask("silence", seat=5, silent=True)) == "no_such_seat"
        await ann.ask("silence", seat=1, silent=True)
        fact = await bob.entry("silenced")
        assert fact["entry"] == {"entry": "silenced", "seat": 1, "silent": True}
        assert [player.get("silent") for player in fact["table"]["players"]] == [None, True]
        assert await refused(bob.ask("say", text="but")) == "silenced"
        assert await refused(bob.ask("sound", sound="airhorn")) == "silenced"
        await eve.ask("say", text="hello")
        await ann.ask("silence", seat=None, silent=True)
        assert "bench" not in (await eve.entry("silenced"))["table"]  # Bob's
        assert (await eve.entry("silenced"))["table"]["bench"] == {"silent": True}
        assert await refused(eve.ask("say", text="hello")) == "silenced"
        await ann.ask("silence", seat=1, silent=False)
        await ann.ask("silence", seat=None, silent=False)
        await bob.ask("say", text="thanks")
        await eve.ask("say", text="thanks")
        assert [(await ann.entry("said"))["entry"]["text"] for _ in range(3)] == ["hello", "thanks", "thanks"]


async def test_what_the_host_has_decided_outlives_a_restart(tmp_path: Path) -> None:
    async with server(tmp_path) as live, client(live.ws("/ws")) as ann, client(live.ws("/ws")) as bob:
        await ann.ask("open", game="palace", player="Ann")
        await bob.ask("join", table=ann.table, player="Bob")
        await ann.ask("silence", seat=1, silent=True)
        await ann.ask("bench", open=False)
        await ann.ask("start")  # who was silenced keeps it, whatever their seat is now
    async with server(tmp_path) as live, client(live.ws("/ws")) as again, client(live.ws("/ws")) as eve:
        await again.ask("return", table=ann.table, token=bob.token)
        assert await refused(again.ask("say", text="but")) == "silenced"
        assert await refused(eve.ask("watch", table=ann.table)) == "bench_closed"
