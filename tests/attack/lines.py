"""Raw connections: bytes are written as they are, and what comes back is thrown away unless somebody wants it."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from typing import Any, cast

from tests.fuzz.sockets import frame, handshake

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
PATIENCE = 20.0
"""Seconds after which an answer is given up."""
HELLO = 120
"""Bytes that a connection takes before anything is said on it: three packets with nothing in them."""
ASKED = 1
"""The number of requests that are waited for."""
AT_ONCE = struct.pack("ii", 1, 0)
"""For SO_LINGER: the connection is reset when it is closed, and its port is free again."""


class Refused(ConnectionError):
    """The server did not let us in."""


class Line(asyncio.Protocol):
    """A TCP connection."""

    def __init__(self) -> None:
        self.lost = asyncio.Event()
        self.sent = HELLO
        """Bytes."""
        self.keeps = True
        """Whether what is said here is kept until somebody asks for it."""
        self.patience: float | None = PATIENCE
        """Seconds; None: whoever waits here waits for ever."""
        self._heard = bytearray()
        self._news = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        if self.keeps:
            self._heard += data
            self._news.set()

    def pause_writing(self) -> None:
        self._room.clear()

    def resume_writing(self) -> None:
        self._room.set()

    def connection_lost(self, error: Exception | None) -> None:
        self.lost.set()
        self._news.set()
        self._room.set()

    def write(self, data: bytes) -> None:
        self.sent += len(data)
        self.transport.write(data)

    async def push(self, data: bytes) -> None:
        """Write, and wait while the other side does not read as fast. Raises when the line is gone."""
        if self.lost.is_set() or self.transport.is_closing():
            raise ConnectionResetError
        self.write(data)
        if self._room.is_set():
            await asyncio.sleep(0)
        else:
            await self._room.wait()

    async def until(self, mark: bytes) -> bytes:
        """All that is said up to this."""
        async with asyncio.timeout(self.patience):
            while (at := self._heard.find(mark)) < 0:
                await self._more()
        return self._take(at + len(mark))

    async def exactly(self, size: int) -> bytes:
        async with asyncio.timeout(self.patience):
            while len(self._heard) < size:
                await self._more()
        return self._take(size)

    def deaf(self) -> None:
        """From now on nothing that is said here is kept."""
        self.keeps = False
        self._heard.clear()

    def hang_up(self) -> None:
        self.transport.abort()

    def _take(self, size: int) -> bytes:
        taken = bytes(self._heard[:size])
        del self._heard[:size]
        return taken

    async def _more(self) -> None:
        if self.lost.is_set():
            raise ConnectionResetError
        self._news.clear()
        await self._news.wait()


async def connect(port: int, source: str = "127.0.0.1", line: Line | None = None) -> Line:
    """A line from this address of ours."""
    found = line or Line()
    plug = socket.socket()
    plug.setblocking(False)
    plug.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
    plug.setsockopt(socket.IPPROTO_IP, 24, 1)  # IP_BIND_ADDRESS_NO_PORT: which port is found when it connects
    try:
        plug.bind((source, 0))
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(PATIENCE):
            await loop.sock_connect(plug, ("127.0.0.1", port))
    except BaseException:
        plug.close()
        raise
    await loop.create_connection(lambda: found, sock=plug)
    return found


class Reply:
    """An answer by HTTP."""

    def __init__(self, status: int, body: bytes) -> None:
        self.status = status
        self.body = body

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def request(method: str, path: str, body: bytes = b"", /, **headers: str) -> bytes:
    """As it is written on the line."""
    named = {"Host": "x", **{name.replace("_", "-"): value for name, value in headers.items()}}
    if body or method == "POST":
        named["Content-Length"] = str(len(body))
    head = "".join(f"{name}: {value}\r\n" for name, value in named.items())
    return f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + body


async def answer(line: Line) -> Reply:
    """The next one on this line."""
    head = (await line.until(b"\r\n\r\n")).lower()
    status = int(head.split(b" ", 2)[1])
    if b"transfer-encoding: chunked" in head:
        body = b""
        while size := int(await line.until(b"\r\n"), 16):
            body += (await line.exactly(size + 2))[:-2]
        await line.until(b"\r\n")
        return Reply(status, body)
    _, found, rest = head.partition(b"content-length:")
    return Reply(status, await line.exactly(int(rest.split(b"\r", 1)[0])) if found else b"")


class Socket:
    """A WebSocket on such a line."""

    def __init__(self, line: Line) -> None:
        self.line = line

    async def say(self, message: Any, opcode: int = TEXT) -> None:
        content = message if isinstance(message, bytes) else json.dumps(message).encode()
        await self.line.push(frame(content, opcode))

    async def message(self) -> bytes:
        """The next one; pings are answered. Raises when it is closed."""
        while True:
            first, size = await self.line.exactly(2)
            if size == 126:
                size = int.from_bytes(await self.line.exactly(2), "big")
            elif size == 127:
                size = int.from_bytes(await self.line.exactly(8), "big")
            content = await self.line.exactly(size)
            match first & 15:
                case 9:
                    self.line.write(frame(content, PONG))
                case 8:
                    raise Closed(int.from_bytes(content[:2], "big"), content[2:].decode(errors="replace"))
                case _:
                    return content

    async def json(self) -> Any:
        return json.loads(await self.message())

    async def ask(self, kind: str, **fields: Any) -> Any:
        """A request of the native protocol, and its reply; what is told before it is passed over."""
        await self.say({"type": kind, "id": ASKED, **fields})
        while True:
            told = await self.json()
            if told["type"] == "reply" and told["id"] in (ASKED, None):
                return told


class Closed(ConnectionError):
    def __init__(self, code: int, reason: str) -> None:
        super().__init__(f"closed with {code}: {reason}")
        self.code = code


async def websocket(port: int, path: str, source: str = "127.0.0.1", line: Line | None = None) -> Socket:
    found = await connect(port, source, line)
    try:
        await found.push(handshake(path))
        head = await found.until(b"\r\n\r\n")
        if b" 101 " not in head.partition(b"\r\n")[0]:
            raise Refused(head.partition(b"\r\n")[0].decode())
    except BaseException:
        found.hang_up()
        raise
    return Socket(found)
