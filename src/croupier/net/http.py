"""The HTTP port: the web page, a small JSON API, metrics, and the way in for WebSockets."""

from __future__ import annotations

import asyncio
import logging
import re
import socket
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
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
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn import Config as UvicornConfig
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from croupier.journal import JournalDown
from croupier.net import native, origins
from croupier.net.addresses import household
from croupier.net.companions import Companions
from croupier.net.engineio import Engine
from croupier.net.guards import Guarded
from croupier.net.inbox import Inbox
from croupier.net.pages import Pages
from croupier.net.port import Make, TcpPort, bind
from croupier.net.porter import Porter
from croupier.net.replays import Replays
from croupier.net.websocket import LINGER, Door, Find, Upgraded
from croupier.net.workshop import SOON, Workshop
from croupier.tables import languages, troubles
from croupier.tables.dialect import Dialect, Hangup, HttpRequest, HttpResponse
from croupier.tables.house import House
from croupier.tables.purses import Purse
from croupier.tables.session import Session
from croupier.tables.turns import Turns

logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # it warns of every stranger's bad request

LONGEST_HEAD = 65536
"""Bytes of a request before its body."""

PIECE = 1024
"""Bytes that are read at once: there may be many requests in them."""

TURNS = "croupier.turns"
"""Where a request's scope has those that it waits for."""

LOCAL = ("localhost", "127.0.0.1", "::1")
"""What a machine calls itself."""

FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip")
"""Of these a request has some that a proxy has passed on."""

NO_HTTP = HttpResponse(426, b"this speaks WebSocket only\n", {"Upgrade": "websocket"})

_encode = msgspec.json.Encoder().encode


class Json(Response):
    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return _encode(content)


def application(
    house: House, porter: Porter, workshop: Workshop, doors: Sequence[Door], page: Path | None, host: str
) -> ASGIApp:
    """What the shared port answers to plain HTTP.

    ``page``: the folder of the built web client, if there is one. ``host``: what the port listens on.
    """

    async def games(request: Request) -> Response:
        language = request.query_params.get("language", "en")
        return Json([native.describe(game, language) for game in house.games.values()])

    async def tables(request: Request) -> Response:
        return Response(house.board.encoded(request.query_params.get("game")), media_type="application/json")

    async def network(request: Request) -> Response:
        # For people who have opened the page on the server's own machine. Others have an address that works for them,
        # and the one in the server's network is none of their business.
        lan = lan_address(host) if _from_here(request) else None
        address = lan and f"http://{lan}:{request.scope['server'][1]}"
        return Json({"address": address}, headers={"Cache-Control": "no-store"})

    async def healthz(request: Request) -> Response:
        return PlainTextResponse("ok\n")

    async def readyz(request: Request) -> Response:
        fault = house.journal.fault if house.ready else "starting"
        return PlainTextResponse(f"{fault or 'ready'}\n", 200 if fault is None else 503)

    registry = CollectorRegistry()
    registry.register(Meter(house, porter))
    ProcessCollector(registry=registry)

    async def metrics(request: Request) -> Response:
        return PlainTextResponse(generate_latest(registry))

    routes: list[Route | Mount] = [
        Route("/api/games", games),
        Route("/api/tables", tables),
        Route("/api/network", network),
        *Replays(house, workshop).routes(),
        Route("/healthz", healthz),
        Route("/readyz", readyz),
        Route("/metrics", metrics),
        *(route for door in doors if door.doorway.path for route in _served(house, door, door.doorway.path)),
    ]
    pages = None if page is None else Pages(house, page)
    if page is not None and pages is not None:
        routes += [*pages.routes(), Mount("/", PageFiles(directory=page))]
    handlers: dict[Any, Callable[[Request, Exception], Awaitable[Response]]] = {
        HTTPException: partial(_problem, pages),
        ClientDisconnect: _gone,
        JournalDown: _down,
        Exception: _failed,
    }
    protocols = [door.doorway.path for door in doors if door.doorway.path]
    return Guarded(Starlette(routes=routes, exception_handlers=handlers), protocols)


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


async def _problem(pages: Pages | None, request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if pages is not None and error.status_code == 404 and _by_somebody(request):
        return pages.nothing(request)
    words = languages.words(request.query_params.get("language", "en"))
    return Json({"error": words.said(error.detail)}, status_code=error.status_code, headers=error.headers)


def _from_here(request: Request) -> bool:
    """Whether somebody on the server's own machine asks. The address alone does not tell, since a stranger's page may
    have a name that leads here, and a proxy here asks for strangers; nor the name, since they write what they like."""
    asked = re.sub(r":\d+$", "", request.headers.get("host", "")).strip("[]")
    asker = request.client.host if request.client else ""
    here = asker.startswith("127.") or asker == household("::1")
    return here and asked in LOCAL and not any(name in request.headers for name in FORWARDED)


def _by_somebody(request: Request) -> bool:
    """Whether a person has come to this address, with a browser; programs want what they can read."""
    return "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/")


async def _gone(request: Request, error: Exception) -> Response:
    return Response(status_code=400)  # which nobody hears: they have hung up in the middle of it


async def _down(request: Request, error: Exception) -> Response:
    words = languages.words(request.query_params.get("language", "en"))
    sentence = words.said("the journal can't be read just now; try again in a moment")
    return Json({"error": sentence}, status_code=503, headers={"Retry-After": str(SOON)})


async def _failed(request: Request, error: Exception) -> Response:
    troubles.report("server", "HTTP request failed", path=request.url.path)
    return Json({"error": "something went wrong on the server"}, status_code=500)


def alone(house: House, door: Door) -> ASGIApp:
    """What a dialect's own port answers to plain HTTP."""
    handlers = {ClientDisconnect: _gone, Exception: _failed}
    return Guarded(Starlette(routes=_served(house, door, ""), exception_handlers=handlers), [""])


def _served(house: House, door: Door, above: str) -> list[Route | Mount]:
    polled: list[Route | Mount] = []
    if isinstance(door, Engine):  # on whatever port, at the path that its clients know
        polled.append(Mount(door.doorway.path, door))
    requests = Requests(house, door, above)
    return [*polled, Route(above or "/", requests), Route(f"{above}/{{below:path}}", requests)]


class Requests:
    """Where a protocol's requests without a WebSocket are served. Most have none, and are told what they need."""

    def __init__(self, house: House, door: Door, above: str) -> None:
        self._house = house
        self._porter = door.porter
        self._http = door.doorway.http
        self._above = above
        """The doorway's own path here."""
        self._companions = Companions()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._http is None:
            await _respond(NO_HTTP, scope, receive, send)
            return
        request = Request(scope, receive)
        path = scope["raw_path"].decode("latin-1").removeprefix(self._above)
        body = await _body(request, 65536)
        said, query = dict(request.headers), dict(request.query_params)
        secure = origins.secure(said, request.url.scheme)
        at_home = self._porter.at_home(said, secure)
        headers = said if at_home else origins.without(said, "cookie")
        found = self._http(HttpRequest(request.method, path, query, body, headers, self._house, secure))
        address = request.client.host if request.client else ""
        response = await served(self._house, found, address) if isinstance(found, Dialect) else found
        if not at_home:
            response = response._replace(headers=origins.without(response.headers, "set-cookie"))
        if response.after:
            await self._companions.let_pass(response.after, address, said)
        await _respond(response, scope, receive, send)
        self._companions.answered(f"{request.method} {path}", address, said)


async def _respond(response: HttpResponse, scope: Scope, receive: Receive, send: Send) -> None:
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
        counts = Counter((room.table.game.name, room.table.phase) for room in house.rooms.values())
        for game in house.games:
            for phase in ("waiting", "playing", "over"):
                tables.add_metric([game, phase], counts[game, phase])
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


class Gate:
    """Every request, before the application sees it: who it is from, and whether it is their turn."""

    def __init__(self, porter: Porter, app: ASGIApp) -> None:
        self._porter = porter
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        porter, headers = self._porter, Headers(scope=scope)
        peer, port = scope["client"] or ("", 0)
        address = porter.address(peer, headers)
        scope["client"] = (address, port)
        if porter.proxies.secure(peer, headers):
            scope["scheme"] = "https"
        turns, purse = porter.house.turns, porter.request_purses.of(address)
        turn: Callable[[], Awaitable[bool]] = partial(scope["extensions"][TURNS].next, turns, purse)
        if await turn():
            await turns.metered(purse, self._app(scope, receive, partial(_say, send, turn)))


async def _say(send: Send, turn: Callable[[], Awaitable[bool]], message: Message) -> None:
    """Say it, if anybody is there. uvicorn notices that nobody is later than uvloop, to which it is an error."""
    try:
        await send(message)
    except RuntimeError as error:
        if "the handler is closed" not in str(error):
            raise
    if message.get("more_body"):  # and each further piece in its turn
        await turn()


class Awaited:
    """The turns that the requests of one connection wait for, as long as it is there."""

    def __init__(self) -> None:
        self._turns: set[asyncio.Future[bool]] = set()
        self._gone = False

    async def next(self, turns: Turns, purse: Purse) -> bool:
        """Whether it has come, and somebody is still there."""
        come = turns.turn(purse)
        if not (come.done() or self._gone):
            self._turns.add(come)
            await come
            self._turns.discard(come)
        return not self._gone

    def gone(self) -> None:
        self._gone = True
        for come in self._turns:
            if not come.done():
                come.set_result(False)


class Flow(FlowControl):
    """uvicorn's, which must not read on while there is something unread, or where nobody is any more."""

    held = False

    def hold(self, on: bool) -> None:
        self.held = on
        if on:
            self._transport.pause_reading()
        else:
            self._go_on()

    def resume_reading(self) -> None:
        self.read_paused = False
        self._go_on()

    def _go_on(self) -> None:
        if not (self.held or self.read_paused or self._transport.is_closing()):
            self._transport.resume_reading()


class Visit(HttpToolsProtocol, Inbox):
    """uvicorn's HTTP, but not with any patience: there are people who send a byte a second, never end a header, ask for
    a lot and never read it, or for a thousand things at once."""

    def __init__(self, porter: Porter, **given: Any) -> None:
        HttpToolsProtocol.__init__(self, **given)
        self._porter = porter
        self._seconds = porter.limits.request_seconds
        # uvicorn's five seconds are what many clients keep a connection for, which then ask just when it is closed.
        self.timeout_keep_alive = self._seconds  # type: ignore[assignment]
        self._awaited = Awaited()
        self._answering: RequestResponseCycle | None = None
        """The request that is being answered; uvicorn only knows the one that was read last."""
        self._stalled = False
        """Whether there is more to read when the answers are given."""
        self._arriving: asyncio.TimerHandle | None = None
        """Runs from the first byte of a request to its last."""
        self._taking: asyncio.TimerHandle | None = None
        """Runs while the answer waits to be read."""
        self._head: int | None = 0
        """Bytes of the request's head so far; None when it is complete."""
        self._upgraded = False
        """Whether it is a WebSocket now. What else came with the request is not heard: nobody may speak before the
        handshake is answered."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.flow = self._flow = Flow(transport)
        peer = transport.get_extra_info("peername")
        porter = self._porter
        Inbox.__init__(self, porter.house.turns, porter.request_purses.of(porter.address(peer[0] if peer else "", {})))
        self._arriving = self.loop.call_later(self._seconds, transport.abort)

    def data_received(self, data: bytes) -> None:
        self._unset_keepalive_if_required()  # what was asked may have to wait for its turn, and is answered then
        for start in range(0, len(data), PIECE):
            self.arrived(data[start : start + PIECE], None)

    def arrived(self, data: bytes, _: None) -> None:
        if self.pipeline:
            self._wait(data, None)
        else:
            super().arrived(data, None)

    def _next(self) -> bool:
        # What is asked for next is not even read before all that was asked for is answered: it would be kept in memory.
        self._stalled = bool(self.pipeline)
        return not self._stalled and super()._next()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._stalled and not self.pipeline:
            self._stalled = False
            self._turns.queue(self._purse, self._next, address=self._address_purse)

    def hold(self, on: bool) -> None:
        self._flow.hold(on)

    def take(self, data: bytes, _: None) -> None:
        if self.transport.is_closing() or self._upgraded:
            return
        if self._head is not None:
            self._head += len(data)
            if self._arriving is None:
                self._arriving = self.loop.call_later(self._seconds, self.transport.abort)
        super().data_received(data)
        if self._head is not None and self._head > LONGEST_HEAD and not self.transport.is_closing():
            self.send_400_response("The head of the request is too long.")

    def on_headers_complete(self) -> None:
        self._head = None
        self.scope["extensions"] = {TURNS: self._awaited}  # type: ignore[dict-item]
        super().on_headers_complete()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._answering = cycle
        super()._start_asgi_task(cycle, app)

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
        self.forget()
        self._upgraded = True
        super().handle_websocket_upgrade()
        self.parser = None  # type: ignore[assignment]  # they would hold on to each other, and to the connection

    def connection_lost(self, error: Exception | None) -> None:
        self.forget()
        self._awaited.gone()
        if self._answering is not None:
            self._answering.disconnected = True
            self._answering.message_event.set()
            self._answering = None
        self._arrived()
        self._taken()
        self._unset_keepalive_if_required()  # uvicorn forgets it of those who have just cut the line
        super().connection_lost(error)
        self.pipeline.clear()
        self.cycle = None  # type: ignore[assignment]  # what is not answered any more would hold on to the connection


class HttpPort(TcpPort):
    def __init__(self, porter: Porter, make: Make, state: ServerState, sockets: Sequence[socket.socket]) -> None:
        super().__init__(porter, make, sockets)
        self._state = state

    async def drain(self) -> None:
        await super().drain()
        for connection in list(self._state.connections):
            connection.shutdown()
        if self._state.tasks:
            await asyncio.wait(list(self._state.tasks), timeout=LINGER)
        await asyncio.sleep(0)  # a connection is closed in the next round of the loop


async def listen(app: ASGIApp, porter: Porter, find: Find, host: str, port: int) -> HttpPort:
    """Serve an application, and the doors that ``find`` finds by their path, on one port."""
    config = UvicornConfig(
        Gate(porter, app),
        http="httptools",
        ws=partial(_upgraded, porter, find),  # type: ignore[arg-type]
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # the gate knows whom to believe
        limit_concurrency=porter.limits.connections,
    )
    config.load()
    state = ServerState()
    make = partial(Visit, porter, config=config, server_state=state, app_state={})
    return HttpPort(porter, make, state, await bind(host, port))


def _upgraded(porter: Porter, find: Find, **_: Any) -> Upgraded:
    return Upgraded(porter, find)


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
