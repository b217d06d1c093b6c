"""Engine.IO that is asked for: its handshakes, polls and posts."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from croupier.net import origins
from croupier.net.admission import Admission, Rejected
from croupier.net.engineio import (
    BAD_METHOD,
    BAD_REQUEST,
    FORBIDDEN,
    UNKNOWN_SID,
    UNKNOWN_TRANSPORT,
    UNSUPPORTED_VERSION,
    EngineIoConnection,
    EngineIoWebSocket,
    rejection,
)
from croupier.net.relay import Relay
from croupier.net.slow_readers import UNCOUNTED
from croupier.net.websocket import TOO_BIG, WebSocket
from croupier.net.websocket_listener import WebSocketListener
from croupier.tables import keys
from croupier.tables.endpoint import ConnectionRequest, Endpoint

VERSION = "4"
TRANSPORTS = ("polling", "websocket")

PAYLOAD = 1_000_000
"""Bytes that a client may send at once, unless the endpoint says otherwise."""


class EngineIoListener(WebSocketListener):
    """Admits connections to an endpoint over Engine.IO: WebSockets, and an ASGI application for the polling."""

    pings = False  # the protocol has its own

    def __init__(self, admission: Admission, endpoint: Endpoint) -> None:
        super().__init__(admission, endpoint)
        self.message_size = endpoint.message_size or PAYLOAD
        self.connections: dict[str, EngineIoConnection] = {}
        self.relay: Relay | None = None
        """To other nodes, if there are any."""

    def elsewhere(self, query: Mapping[str, str]) -> bool:
        return self.relay is not None and self.relay.foreign(query.get("sid", ""))

    async def pass_on(self, query: Mapping[str, str], client: asyncio.Transport, request: bytes) -> bool:
        return self.relay is not None and await self.relay.connect(query.get("sid", ""), client, request)

    def admit(self, request: ConnectionRequest, address: str) -> WebSocket:
        query = request.query
        self._check_origin(request.headers, request.secure)
        connection = self._existing(query)
        if query["transport"] != "websocket":
            raise rejection(BAD_REQUEST)
        if connection is None:
            return EngineIoWebSocket(self._new_connection(query, address), self.message_size, probing=False)
        if not connection.may_upgrade:
            raise rejection(BAD_REQUEST)
        return EngineIoWebSocket(connection, self.message_size, probing=True)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        headers: dict[str, str] = {}
        try:
            self._check_origin(request.headers, origins.secure(request.headers, request.url.scheme))
            headers = _cross_origin(request.headers)
            response = await self._answer(request)
        except Rejected as rejected:
            response = Response(rejected.body, rejected.status, media_type="application/json")
        response.headers.update(headers)
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        if request.method == "OPTIONS":
            return Response(status_code=HTTPStatus.NO_CONTENT, headers=_preflight(request.headers))
        query = request.query_params
        if self.relay is not None and self.elsewhere(query):
            return await self.relay.ask(query["sid"], self.endpoint.path, request)
        connection = self._existing(query)
        if connection is None:
            if request.method != "GET":
                raise rejection(BAD_METHOD)
            if query["transport"] != "polling":
                raise rejection(BAD_REQUEST)
            connection = self._new_connection(query, request.client.host if request.client else "")
            connection.open(None)
        elif query["transport"] != "polling" or not connection.polling:
            raise rejection(BAD_REQUEST)
        elif request.method == "POST":
            return await self._post(request, connection)
        elif request.method != "GET":
            raise rejection(BAD_REQUEST)
        headers = {"Cache-Control": "no-store"}  # a poll is for one client, and for once
        return Response(await connection.poll(request.receive), headers=headers, media_type="text/plain")

    async def _post(self, request: Request, connection: EngineIoConnection) -> Response:
        """Packets from a client that polls."""
        if connection.posting:
            connection.close(1002, "two requests at a time")
            raise rejection(BAD_REQUEST)
        connection.posting = True
        payload = bytearray()
        try:
            async for chunk in request.stream():
                payload += chunk
                if len(payload) > UNCOUNTED:
                    self.admission.unfinished.update(connection, len(payload))
                if len(payload) > self.message_size:
                    connection.close(TOO_BIG, "the message is too long")
                    return Response(status_code=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        finally:
            connection.posting = False
            self.admission.unfinished.remove(connection)
        await connection.packets(bytes(payload))
        return Response(b"ok", media_type="text/html")

    def _check_origin(self, headers: Mapping[str, str], secure: bool) -> None:
        try:
            self.admission.check_origin(headers, secure, self.endpoint)
        except Rejected:
            raise rejection(FORBIDDEN) from None

    def _existing(self, query: Mapping[str, str]) -> EngineIoConnection | None:
        """The connection a request belongs to; None for a new one."""
        if query.get("transport") not in TRANSPORTS:
            raise rejection(UNKNOWN_TRANSPORT)
        id = query.get("sid")
        if not id:
            return None
        if id not in self.connections:
            raise rejection(UNKNOWN_SID)
        return self.connections[id]

    def _new_connection(self, query: Mapping[str, str], address: str) -> EngineIoConnection:
        if query.get("EIO") != VERSION:
            raise rejection(UNSUPPORTED_VERSION)
        self.admission.check(address)
        dialect = self.accept(ConnectionRequest("", query, {}, self.admission.house, address))
        id = keys.new_id() if self.relay is None else self.relay.new_id()
        return EngineIoConnection(self.admission, dialect, address, self.message_size, id, self.connections)


class PrivateListener(EngineIoListener):
    """For other nodes: the same connections, and no new ones."""

    def __init__(self, listener: EngineIoListener) -> None:
        super().__init__(listener.admission, listener.endpoint)
        self.connections = listener.connections

    def _new_connection(self, query: Mapping[str, str], address: str) -> EngineIoConnection:
        raise rejection(UNKNOWN_SID)


def _cross_origin(headers: Mapping[str, str]) -> dict[str, str]:
    """For pages of other sites that are welcome, cookies and all."""
    origin = headers.get("origin")
    if origin is None:
        return {}
    return {"Access-Control-Allow-Origin": origin, "Access-Control-Allow-Credentials": "true", "Vary": "Origin"}


def _preflight(headers: Mapping[str, str]) -> dict[str, str]:
    allowed = {"Access-Control-Allow-Methods": "GET,POST,OPTIONS", "Access-Control-Max-Age": "600"}
    asked = headers.get("access-control-request-headers")
    return allowed if asked is None else {**allowed, "Access-Control-Allow-Headers": asked}
