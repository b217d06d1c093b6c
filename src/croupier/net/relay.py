"""Whoever polls has a connection at one node, and the next request may come to another: it is passed on.

The id of a connection ends with that of its node, and nodes tell each other where they are with every sign of life. A
node's private port, to which requests are passed, knows the connections that are there and makes no new ones: who has
the id of one could as well come by the front door.
"""

from __future__ import annotations

import asyncio
import http.client
import socket
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from io import BytesIO
from ipaddress import ip_address
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from croupier.net.asgi import disconnection
from croupier.net.engineio import PING_EVERY, PING_TIMEOUT, UNKNOWN_SID, rejection
from croupier.net.websocket import LINGER
from croupier.tables import keys
from croupier.tables.cluster import BEAT_EVERY, Cluster

ANSWERED_WITHIN = PING_EVERY + 2 * PING_TIMEOUT
"""Seconds. No poll takes longer, unless the node is gone without a word."""
CONNECTS_WITHIN = 5.0
PASSED_BACK = ("content-type", "cache-control")
"""Headers of the answer; the others are about the way between the nodes."""


class NodeAddress(msgspec.Struct, frozen=True, array_like=True):
    """What a node tells the others."""

    id: str
    """A new one whenever it starts: connections are gone then."""
    host: str
    port: int
    machine: str

    @property
    def reachable(self) -> bool:
        """Every machine calls itself 127.0.0.1."""
        with suppress(ValueError):
            return not ip_address(self.host).is_loopback or self.machine == socket.gethostname()
        return True


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(NodeAddress).decode


class Relay:
    """Passes on what belongs to another node."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._id = keys.new_id()[:8]
        self._open = set[asyncio.WriteTransport]()
        """Connections to other nodes."""

    def listens(self, host: str, port: int) -> None:
        """This node's private port is open."""
        self._cluster.about = _encode(NodeAddress(self._id, host, port, socket.gethostname()))

    def new_id(self) -> str:
        return f"{keys.new_id()}.{self._id}"

    def foreign(self, id: str) -> bool:
        """Whether it is the id of a connection at another node."""
        return id.partition(".")[2] not in ("", self._id)

    async def _find(self, id: str) -> NodeAddress | None:
        if not (found := self._known(id)):
            await asyncio.sleep(1.5 * BEAT_EVERY)  # it may have started since the last beat
            found = self._known(id)
        return found

    def _known(self, id: str) -> NodeAddress | None:
        for about in self._cluster.nodes.values():
            with suppress(msgspec.DecodeError):  # some have no address, and other releases may say it differently
                node = _decode(about)
                if node.id == id.partition(".")[2] and node.reachable:
                    return node
        return None

    def close(self) -> None:
        for connection in list(self._open):
            connection.abort()

    # Polls and posts.

    async def ask(self, id: str, path: str, request: Request) -> Response:
        """The answer of the other node, where it is asked at this path."""
        node = await self._find(id)
        try:
            if node is not None:
                async with asyncio.timeout(ANSWERED_WITHIN):
                    return _response(await self._exchange(node, path, request))
        except (OSError, http.client.HTTPException, ValueError):
            pass  # it is gone, or something else listens there now
        raise rejection(UNKNOWN_SID)

    async def _exchange(self, node: NodeAddress, path: str, request: Request) -> bytes:
        async with asyncio.timeout(CONNECTS_WITHIN):
            reader, writer = await asyncio.open_connection(node.host, node.port)
        self._open.add(writer.transport)
        try:
            target = f"{path}/?{request.scope['query_string'].decode('latin-1')}"
            headers = ["Host: node", "Connection: close", "Transfer-Encoding: chunked"]
            head = [f"{request.method} {target} HTTP/1.1", *headers, "\r\n"]
            writer.write("\r\n".join(head).encode("latin-1"))
            async for chunk in request.stream():
                writer.write(b"%x\r\n%b\r\n" % (len(chunk), chunk))  # the last is empty, and ends it
                await writer.drain()
            return await _unless_gone(reader.read(), request)
        finally:
            self._open.discard(writer.transport)
            writer.transport.abort()

    # WebSockets.

    async def connect(self, id: str, client: asyncio.Transport, request: bytes) -> bool:
        """Let a client speak with the other node itself, beginning with its request. False if there is none."""
        node = await self._find(id)
        if node is None:
            return False
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(CONNECTS_WITHIN):
                server, pipe = await loop.create_connection(lambda: Pipe(client), node.host, node.port)
        except OSError:
            return False
        if client.is_closing():
            server.abort()
            return True
        client.set_protocol(Pipe(server))
        self._open.add(server)
        pipe.closed = partial(self._open.discard, server)
        server.write(request)
        client.resume_reading()
        return True


class Pipe(asyncio.Protocol):
    """Hands on to one connection what another one says."""

    def __init__(self, other: asyncio.Transport) -> None:
        self._other = other
        self.closed: Callable[[], None] | None = None

    def data_received(self, data: bytes) -> None:
        self._other.write(data)

    def pause_writing(self) -> None:
        self._other.pause_reading()

    def resume_writing(self) -> None:
        if not self._other.is_closing():
            self._other.resume_reading()

    def connection_lost(self, error: Exception | None) -> None:
        if self.closed is not None:
            self.closed()
        self._other.close()
        asyncio.get_running_loop().call_later(LINGER, self._other.abort)


async def _unless_gone(answer: Coroutine[Any, Any, bytes], request: Request) -> bytes:
    """Wait for an answer; if the client does not, give up."""
    coming, left = asyncio.ensure_future(answer), asyncio.ensure_future(disconnection(request.receive))
    try:
        await asyncio.wait((coming, left), return_when=asyncio.FIRST_COMPLETED)
        return coming.result() if coming.done() else b""
    finally:
        coming.cancel()
        left.cancel()


def _response(answer: bytes) -> Response:
    read = BytesIO(answer)
    line, headers, body = read.readline(), http.client.parse_headers(read), read.read()
    if len(body) != int(headers.get("content-length", "-1")):
        raise http.client.IncompleteRead(body)
    status = int(line[len("HTTP/1.1 ") :][:3])
    return Response(body, status, {name: headers[name] for name in PASSED_BACK if name in headers})
