"""The HTTP port: the web page, a small JSON API, metrics, and the way in for WebSockets."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from uvicorn import Config as UvicornConfig
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from croupier.net import native
from croupier.net.engineio import Engine
from croupier.net.websocket import LINGER, Door, Find, Limits, Porter, Upgraded
from croupier.tables.house import House

logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # it warns of every stranger's bad request

_encode = msgspec.json.Encoder().encode


class Json(Response):
    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return _encode(content)


def application(house: House, porter: Porter, doors: Sequence[Door], find: Find, page: Path | None) -> Starlette:
    """What the shared port answers to plain HTTP. ``page``: the folder of the built web client, if there is one."""

    async def games(request: Request) -> Response:
        return Json([native.describe(game) for game in house.games.values()])

    async def tables(request: Request) -> Response:
        return Json(house.summaries(request.query_params.get("game")))

    async def table(request: Request) -> Response:
        found = await house.record(request.path_params["table"])
        if found is None:
            raise HTTPException(404, "there is no such table")
        return Json(found)

    async def healthz(request: Request) -> Response:
        return PlainTextResponse("ok\n")

    async def readyz(request: Request) -> Response:
        return PlainTextResponse("ready\n" if house.ready else "starting\n", 200 if house.ready else 503)

    registry = CollectorRegistry()
    registry.register(Meter(house, porter))

    async def metrics(request: Request) -> Response:
        return PlainTextResponse(generate_latest(registry))

    routes: list[Route | Mount] = [
        Route("/api/games", games),
        Route("/api/tables", tables),
        Route("/api/tables/{table}", table),
        Route("/healthz", healthz),
        Route("/readyz", readyz),
        Route("/metrics", metrics),
        *_polled(doors),
    ]
    if page is not None:
        index = page / "index.html"

        async def home(request: Request) -> Response:
            return FileResponse(index, headers={"Cache-Control": "no-cache"})

        routes += [Route("/", home), Route("/t/{table}", home), Mount("/", StaticFiles(directory=page))]

    async def problem(request: Request, error: Exception) -> Response:
        if find(request.url.path) is not None:
            return await _websocket_only(request)
        return await _problem(request, error)

    return Starlette(routes=routes, exception_handlers={HTTPException: problem})


async def _websocket_only(request: Request) -> Response:
    return PlainTextResponse("this speaks WebSocket only\n", 426, headers={"Upgrade": "websocket"})


async def _problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return Json({"error": error.detail}, status_code=error.status_code)


def _polled(doors: Sequence[Door]) -> list[Route | Mount]:
    """The doors that have a way in by HTTP too."""
    return [Mount(door.doorway.path, door) for door in doors if isinstance(door, Engine)]


def alone(door: Door) -> Starlette:
    """What a port of a dialect's own answers to plain HTTP: whatever does not ask for a WebSocket is turned away."""
    methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    return Starlette(routes=[*_polled([door]), Route("/{path:path}", _websocket_only, methods=methods)])


class Meter:
    """Metrics, read off the house when somebody asks, so that counting costs nothing in between."""

    def __init__(self, house: House, porter: Porter) -> None:
        self._house = house
        self._porter = porter

    def collect(self) -> Sequence[Any]:
        house = self._house
        tables = GaugeMetricFamily("croupier_tables", "Open tables.", labels=["game", "phase"])
        for game in house.games:
            for phase in ("waiting", "playing"):
                count = sum(table.phase == phase for table in house.summaries(game))
                tables.add_metric([game, phase], count)
        connections = GaugeMetricFamily("croupier_connections", "Open connections.", value=len(self._porter.guests))
        entries = CounterMetricFamily("croupier_entries", "Log entries since the start.", value=house.entries)
        return [tables, connections, entries]


class Port:
    """A port that is open."""

    def __init__(self, server: asyncio.Server, state: ServerState) -> None:
        self._server = server
        self._state = state

    @property
    def number(self) -> int:
        """The one asked for, or the free one that was found."""
        return int(self._server.sockets[0].getsockname()[1])

    def close(self) -> None:
        """Nobody else comes in."""
        self._server.close()

    async def drain(self) -> None:
        """Let those who wait for an answer have it, and hang up."""
        for connection in list(self._state.connections):
            connection.shutdown()
        if self._state.tasks:
            await asyncio.wait(list(self._state.tasks), timeout=LINGER)
        await asyncio.sleep(0)  # a connection is closed in the next round of the loop


async def listen(app: Starlette, limits: Limits, find: Find, host: str, port: int) -> Port:
    """Serve an application, and the doors that ``find`` finds by their path, on one port."""
    config = UvicornConfig(
        app,
        http="httptools",
        ws=partial(_upgraded, limits, find),  # type: ignore[arg-type]
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
    )
    config.load()
    state = ServerState()
    make = partial(HttpToolsProtocol, config=config, server_state=state, app_state={})
    return Port(await asyncio.get_running_loop().create_server(make, host or None, port, backlog=1024), state)


def _upgraded(limits: Limits, find: Find, **_: Any) -> Upgraded:
    return Upgraded(limits, find)


def lan_address() -> str | None:
    """This machine's address as others on the network see it; None without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: it only asks which way a packet would go
        except OSError:
            return None
        return str(probe.getsockname()[0])
