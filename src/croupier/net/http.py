"""The HTTP port: the web page, a small JSON API, metrics, and the way in for WebSockets."""

from __future__ import annotations

import asyncio
import logging
import re
import socket
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send
from uvicorn import Config as UvicornConfig
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from croupier.net import native, replays
from croupier.net.engineio import Engine
from croupier.net.port import Port
from croupier.net.websocket import LINGER, Door, Find, Limits, Porter, Upgraded
from croupier.tables import languages, troubles
from croupier.tables.dialect import Dialect, Doorway, Hangup, HttpRequest, HttpResponse
from croupier.tables.house import House
from croupier.tables.session import Session

logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # it warns of every stranger's bad request

LONGEST_HEAD = 65536
"""Bytes of a request before its body."""

LOCAL = ("localhost", "127.0.0.1", "::1")
"""What a machine calls itself."""

_encode = msgspec.json.Encoder().encode


class Json(Response):
    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return _encode(content)


def application(house: House, porter: Porter, doors: Sequence[Door], page: Path | None, host: str) -> Starlette:
    """What the shared port answers to plain HTTP.

    ``page``: the folder of the built web client, if there is one. ``host``: what the port listens on.
    """

    async def games(request: Request) -> Response:
        language = request.query_params.get("language", "en")
        return Json([native.describe(game, language) for game in house.games.values()])

    async def tables(request: Request) -> Response:
        return Json(house.listed(request.query_params.get("game")))

    async def table(request: Request) -> Response:
        found = await house.record(request.path_params["table"])
        if found is None:
            raise HTTPException(404, "there is no such table")
        return Json(found)

    async def network(request: Request) -> Response:
        # For people who have opened the page on the server's own machine. Others have an address that works for them,
        # and the one in the server's network is none of their business.
        asked = re.sub(r":\d+$", "", request.headers.get("host", "")).strip("[]")
        lan = lan_address(host) if asked in LOCAL else None
        return Json({"address": lan and f"http://{lan}:{request.scope['server'][1]}"})

    async def healthz(request: Request) -> Response:
        return PlainTextResponse("ok\n")

    async def readyz(request: Request) -> Response:
        return PlainTextResponse("ready\n" if house.ready else "starting\n", 200 if house.ready else 503)

    registry = CollectorRegistry()
    registry.register(Meter(house, porter))
    ProcessCollector(registry=registry)

    async def metrics(request: Request) -> Response:
        return PlainTextResponse(generate_latest(registry))

    routes: list[Route | Mount] = [
        Route("/api/games", games),
        Route("/api/tables", tables),
        Route("/api/tables/{table}", table),
        Route("/api/network", network),
        *replays.routes(house),
        Route("/healthz", healthz),
        Route("/readyz", readyz),
        Route("/metrics", metrics),
        *(route for door in doors if door.doorway.path for route in _served(house, door, door.doorway.path)),
    ]
    if page is not None:
        index = page / "index.html"

        async def home(request: Request) -> Response:
            return FileResponse(index, headers={"Cache-Control": "no-cache"})

        routes += [
            Route("/", home),
            Route("/t/{table}", home),
            Route("/t/{table}/replay", home),
            Mount("/", PageFiles(directory=page)),
        ]

    handlers = {HTTPException: _problem, ClientDisconnect: _gone, Exception: _failed}
    return Starlette(routes=routes, exception_handlers=handlers)


class PageFiles(StaticFiles):
    """The files of the page; packed ones for browsers that take them, which all do."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        if not path.startswith("assets/"):
            response = await super().get_response(path, scope)
            response.headers["Cache-Control"] = "no-cache"  # the service worker among them, which must not grow old
            return response
        packed = "gzip" in Headers(scope=scope).get("accept-encoding", "")
        try:
            response = await super().get_response(f"{path}.gz" if packed else path, scope)
        except HTTPException:
            if not packed:
                raise
            return await super().get_response(path, scope)
        if packed:
            response.headers["Content-Encoding"] = "gzip"
        response.headers["Vary"] = "Accept-Encoding"
        response.headers["Cache-Control"] = "max-age=31536000, immutable"  # another content has another name
        return response


async def _problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    words = languages.words(request.query_params.get("language", "en"))
    return Json({"error": words.said(error.detail)}, status_code=error.status_code)


async def _gone(request: Request, error: Exception) -> Response:
    return Response(status_code=400)  # which nobody hears: they have hung up in the middle of it


async def _failed(request: Request, error: Exception) -> Response:
    troubles.report("server", "HTTP request failed", path=request.url.path)
    return Json({"error": "something went wrong on the server"}, status_code=500)


def alone(house: House, door: Door) -> Starlette:
    """What a dialect's own port answers to plain HTTP."""
    return Starlette(routes=_served(house, door, ""), exception_handlers={ClientDisconnect: _gone, Exception: _failed})


def _served(house: House, door: Door, above: str) -> list[Route | Mount]:
    polled: list[Route | Mount] = []
    if isinstance(door, Engine):  # on whatever port, at the path that its clients know
        polled.append(Mount(door.doorway.path, door))
    requests = Requests(house, door.doorway, above)
    return [*polled, Route(above or "/", requests), Route(f"{above}/{{below:path}}", requests)]


class Requests:
    """Where a protocol's requests without a WebSocket are served. Most have none, and are told what they need."""

    def __init__(self, house: House, doorway: Doorway, above: str) -> None:
        self._house = house
        self._http = doorway.http
        self._above = above
        """The doorway's own path here."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._http is None:
            response = HttpResponse(426, b"this speaks WebSocket only\n", {"Upgrade": "websocket"})
        else:
            request = Request(scope, receive)
            path = scope["raw_path"].decode("latin-1").removeprefix(self._above)
            body = await _body(request, 65536)
            headers, query = dict(request.headers), dict(request.query_params)
            found = self._http(HttpRequest(request.method, path, query, body, headers, self._house))
            address = request.client.host if request.client else ""
            response = await served(self._house, found, address) if isinstance(found, Dialect) else found
        kind = None if "Content-Type" in response.headers else "text/plain"
        await Response(response.body, response.status, dict(response.headers), kind)(scope, receive, send)


async def _body(request: Request, most: int) -> bytes:
    """What was sent, if it is not more than that; else the beginning, so that the protocol can say what it thinks."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            break
    return body


class Errand(Session):
    """A request without a WebSocket, as the house sees it: a connection that ends with its answer."""

    def __init__(self, dialect: Dialect, address: str) -> None:
        super().__init__(dialect)
        self.address = address
        self.answer: asyncio.Future[HttpResponse] = asyncio.get_running_loop().create_future()

    def close(self, code: int, reason: str = "") -> None:
        self.end(HttpResponse(500, reason.encode()))

    def end(self, last: Hangup | HttpResponse) -> None:
        if not self.answer.done():
            self.answer.set_result(last if isinstance(last, HttpResponse) else HttpResponse(500))


async def served(house: House, dialect: Dialect, address: str) -> HttpResponse:
    """What comes of a request that is made at once and answered when the journal has it."""
    errand = Errand(dialect, address)
    house.connected(errand)
    try:
        return await errand.answer
    finally:
        house.lost(errand)


class Meter:
    """Metrics, read off the house when somebody asks, so that counting costs nothing in between."""

    def __init__(self, house: House, porter: Porter) -> None:
        self._house = house
        self._porter = porter

    def collect(self) -> Sequence[Any]:
        house = self._house
        tables = GaugeMetricFamily("croupier_tables", "Open tables.", labels=["game", "phase"])
        for game in house.games:
            for phase in ("waiting", "playing", "over"):
                count = sum(table.phase == phase for table in house.summaries(game))
                tables.add_metric([game, phase], count)
        connections = GaugeMetricFamily("croupier_connections", "Open connections.", value=len(self._porter.guests))
        entries = CounterMetricFamily("croupier_entries", "Log entries since the start.", value=house.entries)
        frozen = GaugeMetricFamily(
            "croupier_frozen_tables",
            "Open tables that can't go on before somebody has looked at the log.",
            value=len(house.left_alone) + sum(room.frozen for room in house.rooms.values()),
        )
        trouble = CounterMetricFamily("croupier_troubles", "Errors in the log since the start.", labels=["kind"])
        for kind in troubles.KINDS:
            trouble.add_metric([kind], troubles.seen[kind])
        tasks = GaugeMetricFamily("croupier_tasks", "Tasks of the event loop.", value=len(asyncio.all_tasks()))
        return [tables, connections, entries, frozen, trouble, tasks]


class Visit(HttpToolsProtocol):
    """uvicorn's HTTP, but not with any patience: there are people who send a byte a second, never end a header, or ask
    for a lot and never read it."""

    def __init__(self, seconds: float, **given: Any) -> None:
        super().__init__(**given)
        self._seconds = seconds
        self._arriving: asyncio.TimerHandle | None = None
        """Runs from the first byte of a request to its last."""
        self._taking: asyncio.TimerHandle | None = None
        """Runs while the answer waits to be read."""
        self._head: int | None = 0
        """Bytes of the request's head so far; None when it is complete."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._arriving = self.loop.call_later(self._seconds, transport.abort)

    def data_received(self, data: bytes) -> None:
        if self._head is not None:
            self._head += len(data)
            if self._arriving is None:
                self._arriving = self.loop.call_later(self._seconds, self.transport.abort)
        super().data_received(data)
        if self._head is not None and self._head > LONGEST_HEAD and not self.transport.is_closing():
            self.send_400_response("The head of the request is too long.")

    def on_headers_complete(self) -> None:
        self._head = None
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._head = 0
        self._arrived()
        super().on_message_complete()

    def _arrived(self) -> None:
        if self._arriving is not None:
            self._arriving.cancel()
            self._arriving = None

    def pause_writing(self) -> None:
        super().pause_writing()
        self._hurry()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._taken()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._hurry()  # a connection is not closed before all that was said is taken

    def _hurry(self) -> None:
        self._taken()
        self._taking = self.loop.call_later(self._seconds, self.transport.abort)

    def _taken(self) -> None:
        if self._taking is not None:
            self._taking.cancel()
            self._taking = None

    def handle_websocket_upgrade(self) -> None:
        self._arrived()
        super().handle_websocket_upgrade()

    def connection_lost(self, error: Exception | None) -> None:
        self._arrived()
        self._taken()
        super().connection_lost(error)


class HttpPort(Port):
    def __init__(self, server: asyncio.Server, state: ServerState) -> None:
        super().__init__(server)
        self._state = state

    async def drain(self) -> None:
        for connection in list(self._state.connections):
            connection.shutdown()
        if self._state.tasks:
            await asyncio.wait(list(self._state.tasks), timeout=LINGER)
        await asyncio.sleep(0)  # a connection is closed in the next round of the loop


async def listen(app: Starlette, limits: Limits, find: Find, host: str, port: int) -> HttpPort:
    """Serve an application, and the doors that ``find`` finds by their path, on one port."""
    config = UvicornConfig(
        app,
        http="httptools",
        ws=partial(_upgraded, limits, find),  # type: ignore[arg-type]
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        limit_concurrency=limits.connections,
    )
    config.load()
    state = ServerState()
    make = partial(Visit, limits.request_seconds, config=config, server_state=state, app_state={})
    return HttpPort(await asyncio.get_running_loop().create_server(make, host or None, port, backlog=1024), state)


def _upgraded(limits: Limits, find: Find, **_: Any) -> Upgraded:
    return Upgraded(limits, find)


def lan_address(host: str) -> str | None:
    """Where others on the network find what listens on this; None when they don't, or there is no network."""
    if host in LOCAL or host.startswith("127."):
        return None
    if host not in ("0.0.0.0", "::", ""):
        return f"[{host}]" if ":" in host else host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: it only asks which way a packet would go
        except OSError:
            return None
        return str(probe.getsockname()[0])
