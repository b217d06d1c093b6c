"""One connection to a server: a WebSocket, requests and their replies, and whatever else the server says.

When it is lost, it is lost; who needs another dials again, after a ``Pause``.
"""

from __future__ import annotations

import asyncio
import os
import random
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import msgspec
from picows import WSError, WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from croupier.client import protocol
from croupier.client.protocol import Message, Reply, Welcome
from croupier.client.refusals import Lost, Refused

FIRST_WAIT, LONGEST_WAIT = 0.25, 8.0
"""Seconds between two attempts to connect."""
QUIET = 6.0
"""Seconds of silence before we ask whether anybody is there, and as many for the answer: a line may die without a
word."""
PATIENCE = 5.0
"""Seconds for a new connection until the server has said its first word."""

TEXT, BINARY, CONTINUATION, CLOSE = WSMsgType.TEXT, WSMsgType.BINARY, WSMsgType.CONTINUATION, WSMsgType.CLOSE


def address(server: str, **wishes: int) -> str:
    """Where the native protocol is to be found.

    >>> address("https://cards.example.org/games/", views=1)
    'wss://cards.example.org/games/ws?views=1'
    >>> address("localhost:8080")
    'ws://localhost:8080/ws'
    """
    schemes = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}
    try:
        found = urlsplit(server if "://" in server else f"http://{server}")
        possible = found.scheme in schemes and found.hostname and found.port != 0
    except ValueError:
        possible = False
    if not possible:
        raise ValueError(f"{server!r} is not the address of a server, such as http://localhost:8080")
    path = found.path.rstrip("/").removesuffix("/ws") + "/ws"
    query = "&".join(f"{name}={value}" for name, value in wishes.items())
    return found._replace(scheme=schemes[found.scheme], path=path, query=query, fragment="").geturl()


class Pause:
    """Between two attempts to connect: longer each time, and never quite the same. Many clients lose their server at
    the same moment, and should not all come back at the same moment."""

    def __init__(self) -> None:
        self.over()

    def over(self) -> None:
        """An attempt has led somewhere."""
        self._wait = FIRST_WAIT

    async def take(self) -> None:
        await asyncio.sleep(self._wait * random.uniform(0.75, 1.25))
        self._wait = min(2 * self._wait, LONGEST_WAIT)


class Connection(WSListener):
    """``hear`` is called with every message at once, replies too: what is told next builds on it. ``lose`` is called
    when the connection is gone."""

    def __init__(self, hear: Callable[[Message], None], lose: Callable[[], None]) -> None:
        self._hear = hear
        self._lose = lose
        self._transport: WSTransport | None = None
        self._welcome: asyncio.Future[Welcome] = asyncio.get_running_loop().create_future()
        self._replies: dict[int, asyncio.Future[Reply]] = {}
        self._last_id = 0
        self._turn = asyncio.Lock()
        """One request at a time: where one comes too fast, the server does not say which."""
        self._fragments: list[bytes] = []
        self.error: Exception | None = None
        """What went wrong on our side, if that was the end of the connection."""

    @property
    def lost(self) -> bool:
        return self._transport is None

    async def ask(self, kind: str, **fields: Any) -> Reply:
        """Raises ``Refused`` or ``Lost``."""
        async with self._turn:
            if self._transport is None:
                raise Lost("there is no connection to the server")
            self._last_id = number = self._last_id + 1
            reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
            self._replies[number] = reply
            try:
                self._transport.send(TEXT, msgspec.json.encode({"type": kind, "id": number, **fields}))
                found = await reply
            finally:
                del self._replies[number]
        if found.error is not None:
            raise Refused(found.error.code, found.error.message, found.error.data)
        return found

    async def welcomed(self) -> Welcome:
        return await self._welcome

    async def close(self) -> None:
        """Hang up."""
        transport = self._transport
        if transport is not None:
            transport.send_close()
            transport.disconnect(graceful=False)
            await transport.wait_disconnected()
            await asyncio.sleep(0)  # for picows to end its pings

    def _receive(self, text: bytes) -> None:
        message = protocol.read(text)
        if message is None:
            return
        self._hear(message)
        if isinstance(message, Welcome):
            self._welcome.set_result(message)
        elif isinstance(message, Reply):
            # A request that was not even read, being too many, is answered without its id: it is the oldest.
            number = next(iter(self._replies), None) if message.id is None else message.id
            reply = self._replies.get(number or 0)
            if reply is not None and not reply.done():
                reply.set_result(message)

    # picows' side

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._transport = transport

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        kind = frame.msg_type
        if kind == CLOSE:
            transport.disconnect()
        elif kind in (TEXT, BINARY, CONTINUATION):
            self._fragments.append(frame.get_payload_as_bytes())
            if frame.fin:
                text, self._fragments = b"".join(self._fragments), []
                try:
                    self._receive(text)
                except Exception as error:
                    self.error = error
                    transport.disconnect(graceful=False)

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self._transport = None
        lost = Lost("the connection was lost before the server answered")
        if not self._welcome.done():
            self._welcome.set_exception(lost)
            self._welcome.exception()  # nobody may be waiting for it
        for reply in self._replies.values():
            if not reply.done():
                reply.set_exception(lost)
        self._lose()


async def dial(url: str, hear: Callable[[Message], None], lose: Callable[[], None] = lambda: None) -> Connection:
    """A connection on which the server has said its first word. Raises ``ConnectionError``."""
    connection = Connection(hear, lose)
    try:
        async with asyncio.timeout(PATIENCE):
            await _open(connection, url)
            await connection.welcomed()
    except (OSError, WSError, Lost) as error:
        await connection.close()
        why = getattr(error, "strerror", None) or str(error) or "it does not answer"
        raise ConnectionError(f"there is no server at {url.partition('?')[0]}: {why}") from error
    except asyncio.CancelledError:
        await connection.close()
        raise
    return connection


async def _open(connection: Connection, url: str) -> None:
    """picows can't be interrupted while hands are shaken. It understands a line that is cut."""
    line = await _reach(url)
    opening = asyncio.ensure_future(
        ws_connect(
            lambda: connection,
            url,
            socket_factory=lambda at: line,
            max_redirects=0,
            enable_auto_ping=True,
            auto_ping_idle_timeout=QUIET,
            auto_ping_reply_timeout=QUIET,
        )
    )
    try:
        await asyncio.shield(opening)
    except asyncio.CancelledError:
        with suppress(OSError):
            line.shutdown(socket.SHUT_RDWR)
        await asyncio.gather(opening, return_exceptions=True)
        raise
    if connection.lost:
        raise Lost("it hung up")


async def _reach(url: str) -> socket.socket:
    """A socket that is connected, at the first of the server's addresses where one answers."""
    loop, at = asyncio.get_running_loop(), urlsplit(url)
    port = at.port or (443 if at.scheme == "wss" else 80)
    failure = OSError("it has no address")
    for family, kind, proto, _, where in await loop.getaddrinfo(at.hostname, port, type=socket.SOCK_STREAM):
        line = socket.socket(family, kind, proto)
        line.setblocking(False)
        try:
            await loop.sock_connect(line, where)
            return line
        except OSError as error:
            line.close()
            failure = OSError(error.errno, os.strerror(error.errno or 0))  # asyncio has words of its own
        except asyncio.CancelledError:
            line.close()
            raise
    raise failure
