"""What Prometheus is told: see docs/operations.md."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from croupier.journal.latency import BOUNDS, Latency
from croupier.net.admission import Admission
from croupier.net.thinking import ThinkingPool
from croupier.tables import error_log
from croupier.tables.cluster import Cluster
from croupier.tables.house import House


def routes(house: House, admission: Admission) -> list[Route]:
    registry = CollectorRegistry()
    registry.register(Metrics(house, admission))
    ProcessCollector(registry=registry)

    async def metrics(request: Request) -> Response:
        return PlainTextResponse(generate_latest(registry))

    return [Route("/metrics", metrics)]


class Metrics:
    """Read off the house when somebody asks, so that counting costs nothing in between."""

    def __init__(self, house: House, admission: Admission) -> None:
        self._house = house
        self._admission = admission

    def collect(self) -> Sequence[Any]:
        house = self._house
        tables = GaugeMetricFamily("croupier_tables", "Open tables in memory.", labels=["game", "phase"])
        counts = Counter((room.table.game.name, room.table.phase) for room in house.rooms.values())
        counts.update((each.summary.game, each.summary.phase) for each in house.registry.sleepers.values())
        for game in house.games:
            for phase in ("waiting", "playing", "over"):
                tables.add_metric([game, phase], counts[game, phase])
        connections = GaugeMetricFamily(
            "croupier_connections", "Open connections.", value=len(self._admission.connections)
        )
        entries = CounterMetricFamily("croupier_entries", "Log entries since the start.", value=house.entries)
        frozen = GaugeMetricFamily(
            "croupier_frozen_tables",
            "Open tables that can't go on before somebody has looked at the log.",
            value=len(house.registry.left_alone) + sum(room.frozen for room in house.rooms.values()),
        )
        errors = CounterMetricFamily("croupier_troubles", "Errors in the log since the start.", labels=["kind"])
        for kind in error_log.KINDS:
            errors.add_metric([kind], error_log.seen[kind])
        tasks = GaugeMetricFamily("croupier_tasks", "Tasks of the event loop.", value=len(asyncio.all_tasks()))
        commits = _commits(house.journal.latency)
        among_others = () if house.cluster is None else _cluster(house.cluster)
        thinking = _thinking(house.thinkers) if isinstance(house.thinkers, ThinkingPool) else ()
        return [tables, connections, entries, frozen, errors, tasks, commits, *thinking, *among_others]


def _commits(latency: Latency) -> HistogramMetricFamily:
    bounds = [*map(str, BOUNDS), "+Inf"]
    return HistogramMetricFamily(
        "croupier_commit_seconds",
        "From handing entries to the journal until they are safe; of a group, as of its first.",
        buckets=list(zip(bounds, accumulate(latency.counts), strict=True)),
        sum_value=latency.seconds,
    )


def _thinking(pool: ThinkingPool) -> Sequence[Any]:
    """What there is to know of bots that look ahead."""
    return [
        GaugeMetricFamily("croupier_thinkers", "Processes that think for bots.", pool.processes),
        GaugeMetricFamily("croupier_thinking", "Bots that think at the moment.", pool.thinking),
        GaugeMetricFamily("croupier_thinking_queued", "Bots that wait for a process to think in.", pool.waiting),
        CounterMetricFamily("croupier_thinking_questions", "How often a bot was to think.", pool.questions),
        CounterMetricFamily(
            "croupier_thinking_fallbacks", "How often it had to move without having thought.", pool.fallbacks
        ),
        CounterMetricFamily("croupier_thinking_killed", "Processes that have ended while thinking.", pool.killed),
        CounterMetricFamily("croupier_thinking_cpu_seconds", "Of processors, for thinking.", pool.seconds),
    ]


def _cluster(cluster: Cluster) -> Sequence[Any]:
    """What there is to know of a node among others."""
    bus, counts = cluster.bus, cluster.bus.counts
    lag = GaugeMetricFamily("croupier_bus_lag_seconds", "That the last message to oneself took.", labels=[])
    if bus.lag is not None:
        lag.add_metric([], bus.lag)
    return [
        GaugeMetricFamily(
            "croupier_nodes", "Nodes that this one knows to be alive, with itself.", len(cluster.alive) + 1
        ),
        CounterMetricFamily("croupier_lost_races", "Appends that another node's came before.", cluster.lost_races),
        CounterMetricFamily("croupier_catch_ups", "How often a table's log was read anew.", cluster.catch_ups),
        GaugeMetricFamily("croupier_bus_up", "Whether anything is heard on the bus.", int(bus.fault is None)),
        lag,
        CounterMetricFamily("croupier_bus_published", "Messages to other nodes.", counts.published),
        CounterMetricFamily("croupier_bus_dropped", "Those of them that were not even sent.", counts.dropped),
        CounterMetricFamily("croupier_bus_heard", "Messages of other nodes.", counts.heard),
        CounterMetricFamily("croupier_bus_gaps", "How often messages may have been lost.", counts.gaps),
    ]
