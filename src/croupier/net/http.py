"""A port for HTTP, and the way in for WebSockets."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from functools import partial
from typing import Any

from starlette.types import ASGIApp
from uvicorn import Config as UvicornConfig
from uvicorn.server import ServerState

from croupier.net.admission import Admission
from croupier.net.http_connection import HttpConnection
from croupier.net.port import ProtocolFactory, TcpPort
from croupier.net.request_turns import RequestTurns
from croupier.net.websocket import LINGER
from croupier.net.websocket_listener import Find, WebSocketProtocol


class HttpPort(TcpPort):
    def __init__(
        self, admission: Admission, make: ProtocolFactory, state: ServerState, sockets: Sequence[socket.socket]
    ) -> None:
        super().__init__(admission, make, sockets)
        self._state = state

    async def drain(self) -> None:
        await super().drain()
        for connection in list(self._state.connections):
            connection.shutdown()
        if self._state.tasks:
            await asyncio.wait(list(self._state.tasks), timeout=LINGER)
        await asyncio.sleep(0)  # a connection is closed in the next round of the loop


def listen(app: ASGIApp, admission: Admission, find: Find, sockets: Sequence[socket.socket]) -> HttpPort:
    """Serve an application, and WebSockets of the endpoints that ``find`` finds by their path, on one port."""
    config = UvicornConfig(
        RequestTurns(admission, app),
        http="httptools",
        ws=partial(_web_socket, admission, find),  # type: ignore[arg-type]
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # ``RequestTurns`` knows whom to believe
        limit_concurrency=admission.limits.connections,
    )
    config.load()
    state = ServerState()
    make = partial(HttpConnection, admission, config=config, server_state=state, app_state={})
    return HttpPort(admission, make, state, sockets)


def _web_socket(admission: Admission, find: Find, **_: Any) -> WebSocketProtocol:
    return WebSocketProtocol(admission, find)
