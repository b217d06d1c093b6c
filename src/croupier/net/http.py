"""The HTTP port: the web page, a small JSON API, metrics, and the way in for WebSockets."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable, Iterable, Sequence
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
from croupier.net.websocket import Door, Porter, Upgraded
from croupier.tables.dialect import Dialect, Doorway, Hangup, HttpRequest, HttpResponse, Message
from croupier.tables.house import House
from croupier.tables.session import Session

logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # it warns of every stranger's bad request

_encode = msgspec.json.Encoder().encode


class Json(Response):
    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return _encode(content)


Find = Callable[[str], Door | None]
"""Which doorway a path leads to."""

METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
PATIENCE = 30.0
"""Seconds after which a request that nobody answers is given up."""


def application(house: House, porter: Porter, doorways: Iterable[Doorway], find: Find, page: Path | None) -> Starlette:
    """What the shared port answers to plain HTTP. ``page``: the folder of the built web client, if there is one."""

    async def games(request: Request) -> Response:
        return Json([native.describe(game) for game in house.games.values()])

    async def tables(request: Request) -> Response:
        return Json(house.listed(request.query_params.get("game")))

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
        *(_requests(house, porter, doorway, doorway.path) for doorway in doorways if doorway.http is not None),
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


def alone(house: House, porter: Porter, doorway: Doorway) -> Starlette:
    """What a port of a dialect's own answers to plain HTTP: its own requests; all else asks for a WebSocket."""
    if doorway.http is not None:
        return Starlette(routes=[_requests(house, porter, doorway, "")])
    return Starlette(routes=[Route("/{path:path}", _websocket_only, methods=METHODS)])


class Caller(Session):
    """An HTTP request that a dialect answers, as the house sees it: a connection of one message."""

    def __init__(self, dialect: Dialect) -> None:
        super().__init__(dialect)
        self.response: asyncio.Future[HttpResponse] = asyncio.get_running_loop().create_future()

    def send(self, message: Message) -> None:
        pass

    def close(self, code: int, reason: str = "") -> None:
        self.end(HttpResponse(500))

    def end(self, last: Hangup | HttpResponse) -> None:
        if not self.response.done():
            self.response.set_result(last if isinstance(last, HttpResponse) else HttpResponse(500))


def _requests(house: House, porter: Porter, doorway: Doorway, root: str) -> Route:
    """A dialect's HTTP requests, below this path."""

    async def answer(request: Request) -> Response:
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > porter.limits.message_size:
                return Response(status_code=413)
        assert doorway.http is not None
        path = request.url.path.removeprefix(root)
        headers = {name.lower(): value for name, value in request.headers.items()}
        found = doorway.http(HttpRequest(request.method, path, dict(request.query_params), body, headers, house))
        if isinstance(found, Dialect):
            caller = Caller(found)
            house.connected(caller)
            try:
                async with asyncio.timeout(PATIENCE):
                    found = await caller.response
            finally:
                house.lost(caller)
        return Response(found.body, found.status, dict(found.headers))

    return Route(f"{root}/{{path:path}}", answer, methods=METHODS)


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
        connections = GaugeMetricFamily("croupier_connections", "Open WebSockets.", value=len(self._porter.sockets))
        entries = CounterMetricFamily("croupier_entries", "Log entries since the start.", value=house.entries)
        return [tables, connections, entries]


async def listen(app: Starlette, porter: Porter, find: Find, host: str, port: int) -> asyncio.Server:
    """Serve an application, and the doorways that ``find`` finds by their path, on one port."""
    config = UvicornConfig(
        app,
        http="httptools",
        ws=partial(_upgraded, porter, find),  # type: ignore[arg-type]
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
    )
    config.load()
    make = partial(HttpToolsProtocol, config=config, server_state=ServerState(), app_state={})
    return await asyncio.get_running_loop().create_server(make, host or None, port, backlog=1024)


def _upgraded(porter: Porter, find: Find, **_: Any) -> Upgraded:
    return Upgraded(porter, find)


def port_of(server: asyncio.Server) -> int:
    """The port a server listens on: the one asked for, or the free one it found."""
    return int(server.sockets[0].getsockname()[1])


def lan_address() -> str | None:
    """This machine's address as others on the network see it; None without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: it only asks which way a packet would go
        except OSError:
            return None
        return str(probe.getsockname()[0])
