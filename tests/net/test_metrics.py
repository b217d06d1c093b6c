"""What a server tells Prometheus, alone and among others."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from croupier.journal.latency import BOUNDS, Latency
from croupier.tables import cluster
from tests.client import PATIENCE, client
from tests.live import LiveHere, request, server
from tests.nodes.several import nodes


async def metrics(live: LiveHere) -> dict[str, float]:
    """All without labels, and of the others the sum."""
    text = (await request(live.ports["http"], "GET", "/metrics")).body.decode()
    found: dict[str, float] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            found[sample.name] = found.get(sample.name, 0) + sample.value
    return found


async def test_a_server_alone_tells_nothing_of_nodes(tmp_path: Path) -> None:
    async with server(tmp_path, journal="") as live, client(live.ws("/ws")) as ann:
        assert (await metrics(live))["croupier_commit_seconds_count"] == 0
        await ann.ask("open", game="palace", player="Ann")
        await ann.ask("add_bots", count=1)
        found = await metrics(live)
        assert found["croupier_commit_seconds_count"] == 2
        assert found["croupier_commit_seconds_sum"] > 0
        assert not [name for name in found if name.startswith(("croupier_bus", "croupier_nodes", "croupier_lost"))]


async def test_nodes_that_hear_each_other(tmp_path: Path) -> None:
    async with nodes(tmp_path) as (one, two), client(one.ws("/ws")) as ann, client(two.ws("/ws")) as bob:
        await ann.ask("open", game="palace", player="Ann")
        await bob.ask("join", table=ann.table, player="Bob")
        await ann.entry("joined")
        here, there = await metrics(one), await metrics(two)
        assert here["croupier_nodes"] == there["croupier_nodes"] == 2
        assert here["croupier_tables"] == there["croupier_tables"] == 1
        assert here["croupier_bus_up"] == 1
        assert here["croupier_bus_heard_total"] > 0
        assert there["croupier_bus_published_total"] > 0
        assert min(here["croupier_commit_seconds_count"], there["croupier_commit_seconds_count"]) > 0
        assert {"croupier_bus_dropped_total", "croupier_bus_gaps_total"} <= here.keys()
        async with asyncio.timeout(PATIENCE):
            while "croupier_bus_lag_seconds" not in here:
                here = await metrics(one)
        assert here["croupier_bus_lag_seconds"] > 0


async def test_who_is_late_has_lost_a_race_and_catches_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "BEAT_EVERY", 3600.0)  # nobody looks into the journal without a reason
    async with (
        nodes(tmp_path, bus="") as (one, two),
        client(one.ws("/ws")) as ann,
        client(two.ws("/ws")) as bob,
    ):
        await ann.ask("open", game="palace", player="Ann")
        await bob.ask("join", table=ann.table, player="Bob")
        before = await metrics(one)
        await ann.ask("add_bots", count=1)
        found = await metrics(one)
        assert found["croupier_lost_races_total"] == before["croupier_lost_races_total"] + 1
        assert found["croupier_catch_ups_total"] == before["croupier_catch_ups_total"] + 1
        assert found["croupier_bus_up"] == 0
        assert found["croupier_bus_dropped_total"] == found["croupier_bus_published_total"] > 0
        assert "croupier_bus_lag_seconds" not in found


def test_latency_is_counted_by_its_bounds() -> None:
    latency = Latency()
    latency.note(BOUNDS[1], 3)
    latency.note(BOUNDS[1] + 0.0001, 1)
    latency.note(BOUNDS[-1] + 1, 2)
    assert latency.counts == [0, 3, 1, *[0] * (len(BOUNDS) - 3), 2]
    assert latency.seconds == pytest.approx(3 * BOUNDS[1] + BOUNDS[1] + 0.0001 + 2 * (BOUNDS[-1] + 1))
