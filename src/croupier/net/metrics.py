"""What Prometheus is told: see docs/operations.md."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import Any

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from croupier.net.admission import Admission
from croupier.tables import error_log
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
        tables = GaugeMetricFamily("croupier_tables", "Open tables.", labels=["game", "phase"])
        counts = Counter((room.table.game.name, room.table.phase) for room in house.rooms.values())
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
        return [tables, connections, entries, frozen, errors, tasks]
