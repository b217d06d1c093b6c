"""Clients of Socket.IO for tests, all driven alike: two that people use, and a bare one for what those never say."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import socketio  # type: ignore[import-untyped]
from aiohttp import ClientSession
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

WEB = Path(__file__).parents[1] / "web"
PATIENCE = 60
"""Seconds after which what does not come is given up: a test fails, it never hangs."""


class Client:
    """Events that were heard wait in a queue, each as a list of its name and its payload."""

    def __init__(self) -> None:
        self.id = ""
        self.transport = ""
        self.events: asyncio.Queue[list[Any]] = asyncio.Queue()
        self.news: asyncio.Queue[list[Any]] = asyncio.Queue()
        """Of the connection itself: connect, upgrade, disconnect, connect_error."""

    async def emit(self, name: str, *payload: Any) -> None:
        raise NotImplementedError

    async def call(self, name: str, *payload: Any) -> Any:
        """An event with an acknowledgement."""
        raise NotImplementedError

    async def ask(self, name: str, *payload: Any) -> Any:
        """The same without waiting: the acknowledgement is heard in its turn, as an event of the name ``ack``."""
        raise NotImplementedError

    async def tear(self) -> None:
        """Lose the connection, without a word."""
        raise NotImplementedError

    async def next(self) -> list[Any]:
        async with asyncio.timeout(PATIENCE):
            return await self.events.get()

    async def hears(self, name: str) -> Any:
        """The payload of the next event, which must be this one; None when it has none."""
        heard, *payload = await self.next()
        assert heard == name, f"{heard}: {payload}"
        assert len(payload) <= 1
        return payload[0] if payload else None

    async def happens(self, what: str) -> Any:
        async with asyncio.timeout(PATIENCE):
            while True:
                found, *rest = await self.news.get()
                if found == what:
                    return rest[0] if rest else None


class Sessions:
    """The HTTP sessions of python-socketio's client: when a connection is lost, it forgets some unclosed."""

    def __init__(self) -> None:
        self._opened: list[ClientSession] = []

    def __call__(self) -> ClientSession:
        self._opened.append(ClientSession())
        return self._opened[-1]

    async def close(self) -> None:
        for session in self._opened:
            await session.close()


class PythonClient(Client):
    """python-socketio's."""

    def __init__(self) -> None:
        super().__init__()
        self.http = Sessions()
        self.sio = socketio.AsyncClient(reconnection=False, http_session=self.http)
        self.sio.on("*", self._heard)
        self.sio.on("disconnect", self._disconnected)

    async def _heard(self, name: str, *payload: Any) -> None:
        self.events.put_nowait([name, *payload])

    async def _disconnected(self, reason: str) -> None:
        self.news.put_nowait(["disconnect", reason])

    async def emit(self, name: str, *payload: Any) -> None:
        await self.sio.emit(name, payload)

    async def call(self, name: str, *payload: Any) -> Any:
        return await self.sio.call(name, payload, timeout=PATIENCE)

    async def ask(self, name: str, *payload: Any) -> None:
        await self.sio.emit(name, payload, callback=lambda answer: self.events.put_nowait(["ack", answer]))

    async def tear(self) -> None:
        await self.http.close()


@asynccontextmanager
async def python_client(url: str, transports: list[str] | None = None, **options: Any) -> AsyncIterator[PythonClient]:
    client = PythonClient()
    try:
        await client.sio.connect(url, transports=transports, **options)
        client.id = client.sio.get_sid() or ""
        client.transport = client.sio.transport()
        yield client
    finally:
        await client.sio.disconnect()
        await client.http.close()


class NodeClient(Client):
    """socket.io-client's, in a process of its own."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        super().__init__()
        self._process = process

    async def listen(self) -> None:
        assert self._process.stdout is not None
        while line := await self._process.stdout.readline():
            what, *rest = json.loads(line)
            if what == "event":
                self.events.put_nowait(rest)
            elif what == "ack":
                self.events.put_nowait([what, *rest])
            else:
                if what == "connect":
                    self.id, self.transport = rest
                elif what == "upgrade":
                    (self.transport,) = rest
                self.news.put_nowait([what, *rest])

    async def command(self, *what: Any) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(what).encode() + b"\n")
        await self._process.stdin.drain()

    async def emit(self, name: str, *payload: Any) -> None:
        await self.command("emit", name, *payload)

    async def ask(self, name: str, *payload: Any) -> None:
        await self.command("call", name, *payload)

    async def call(self, name: str, *payload: Any) -> Any:
        await self.ask(name, *payload)
        return await self.hears("ack")

    async def tear(self) -> None:
        await self.command("tear")


@asynccontextmanager
async def node_client(url: str, **options: Any) -> AsyncIterator[NodeClient]:
    arguments = json.dumps({"url": url, "options": options})
    process = await asyncio.create_subprocess_exec(
        "node", "../tests/socketio_client.mjs", arguments, cwd=WEB, stdin=-1, stdout=-1, limit=1 << 24
    )
    client = NodeClient(process)
    listening = asyncio.create_task(client.listen())
    try:
        yield client
    finally:
        assert process.stdin is not None
        process.stdin.close()
        await process.wait()
        await listening


class BareClient(Client):
    """A WebSocket that says and hears packets as they are written, and answers nothing by itself but pings."""

    def __init__(self, socket: ClientConnection) -> None:
        super().__init__()
        self.socket = socket
        self.transport = "websocket"
        self.raw: list[str] = []
        """All that was heard."""
        self._acks = 0

    async def say(self, packet: str | bytes) -> None:
        await self.socket.send(packet)

    async def packet(self) -> str:
        """The next packet that is no ping."""
        async with asyncio.timeout(PATIENCE):
            while True:
                packet = await self.socket.recv()
                assert isinstance(packet, str)
                self.raw.append(packet)
                if packet != "2":
                    return packet
                await self.say("3")

    async def enters(self, auth: Any = None) -> dict[str, Any]:
        """Into the default namespace; returns the reply."""
        await self.say("40" if auth is None else "40" + json.dumps(auth))
        packet = await self.packet()
        assert packet.startswith("40{"), packet
        reply: dict[str, Any] = json.loads(packet[2:])
        self.id = reply["sid"]
        return reply

    async def emit(self, name: str, *payload: Any) -> None:
        await self.say("42" + json.dumps([name, *payload]))

    async def ask(self, name: str, *payload: Any) -> int:
        """The acknowledgement is no event here: see ``answer``."""
        self._acks += 1
        await self.say(f"42{self._acks}" + json.dumps([name, *payload]))
        return self._acks

    async def call(self, name: str, *payload: Any) -> Any:
        return await self.answer(await self.ask(name, *payload))

    async def answer(self, number: int) -> Any:
        """The next packet, which must be this acknowledgement."""
        packet = await self.packet()
        assert packet.startswith(f"43{number}["), packet
        (answer,) = json.loads(packet.removeprefix(f"43{number}"))
        return answer

    async def next(self) -> list[Any]:
        packet = await self.packet()
        assert packet.startswith("42["), packet
        told: list[Any] = json.loads(packet[2:])
        return told

    async def tear(self) -> None:
        await self.socket.close()

    async def closed(self) -> int | None:
        """The code with which the server closes the connection; what it says before is kept in ``raw``."""
        try:
            while True:
                await self.packet()
        except ConnectionClosed:
            return self.socket.close_code


@asynccontextmanager
async def bare_client(url: str, **options: Any) -> AsyncIterator[BareClient]:
    """At the door: Engine.IO is open, and nothing else has been said."""
    query = "/socket.io/?EIO=4&transport=websocket"
    socket = await connect(url.replace("http", "ws", 1) + query, compression=None, max_queue=None, **options)
    client = BareClient(socket)
    try:
        handshake = await client.packet()
        assert handshake.startswith("0{")
        yield client
    finally:
        await socket.close()
