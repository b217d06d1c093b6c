"""What an attack is, and what all of them are made of."""

from __future__ import annotations

import asyncio
import itertools
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any, NamedTuple

from tests.attack import lines
from tests.attack.lines import Line, Reply, Socket, answer, connect, request
from tests.fuzz.sockets import frame

BREATH = 0.02
"""Seconds after which who was turned away tries again."""


class Attack(NamedTuple):
    name: str
    protocol: str
    about: str
    run: Callable[[Siege], Awaitable[None]]
    addresses: int
    """From so many."""
    always: bool
    """Whether it is in every test run, and not only in long ones."""


ATTACKS: dict[str, Attack] = {}


def attack(
    protocol: str, addresses: int = 1, always: bool = True
) -> Callable[[Callable[[Siege], Awaitable[None]]], Any]:
    """An attack, by the name of the function; its docstring says what is done."""

    def known(run: Callable[[Siege], Awaitable[None]]) -> Any:
        name = run.__name__.replace("_", "-")
        assert name not in ATTACKS, name
        assert run.__doc__, f"{name} says nothing of itself"
        ATTACKS[name] = Attack(name, protocol, " ".join(run.__doc__.split()), run, addresses, always)
        return run

    return known


class Siege:
    """One attack under way: it never ends by itself, and goes on when its connections are cut off."""

    def __init__(self, ports: Mapping[str, int], sources: Iterable[str], begun: Callable[[], None]) -> None:
        self.ports = ports
        self._sources = itertools.cycle(sources)
        self._begun = begun
        self._lines: list[Line] = []
        self._gone = 0
        """Bytes that were sent on lines which are no more."""
        self.datagrams = 0
        """Bytes."""
        self.cut = 0
        """How often a connection was refused, or ended by the server."""

    def begin(self) -> None:
        """All is prepared: what follows is the flood."""
        self._begun()

    @property
    def sent(self) -> int:
        """Bytes."""
        return self.datagrams + self._gone + sum(line.sent for line in self._lines)

    def end(self) -> None:
        for line in self._lines:
            line.hang_up()

    # Connections

    async def line(self, port: str = "http", source: str = "", line: Line | None = None) -> Line:
        return self._kept(await connect(self.ports[port], source or next(self._sources), line))

    async def websocket(self, path: str, source: str = "") -> Socket:
        found = await lines.websocket(self.ports["http"], path, source or next(self._sources))
        self._kept(found.line)
        return found

    def _kept(self, line: Line) -> Line:
        if len(self._lines) > 5000:
            self._gone += sum(line.sent for line in self._lines if line.lost.is_set())
            self._lines = [line for line in self._lines if not line.lost.is_set()]
        self._lines.append(line)
        return line

    async def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Reply:
        """One request by HTTP."""
        line = await self.line()
        try:
            await line.push(request(method, path, b"" if body is None else json.dumps(body).encode(), **headers))
            return await answer(line)
        finally:
            line.hang_up()

    # Floods

    async def pour(self, line: Line, block: bytes) -> None:
        """Write this again and again, as fast as it is taken, until the line is cut."""
        line.deaf()
        while True:
            await line.push(block)

    async def again(self, once: Callable[[], Awaitable[None]], side_by_side: int = 1) -> None:
        """Do this for ever: whoever is cut off or turned away comes again."""

        async def one() -> None:
            while True:
                begun = time.monotonic()
                try:
                    await once()
                except (ConnectionError, TimeoutError, OSError):
                    self.cut += 1
                    if time.monotonic() - begun < BREATH:
                        await asyncio.sleep(BREATH)

        async with asyncio.TaskGroup() as group:
            for _ in range(side_by_side):
                group.create_task(one())

    async def flood(
        self,
        path: str,
        message: bytes,
        *,
        at_once: int = 200,
        opcode: int = lines.TEXT,
        opening: Iterable[bytes] = (),
        connections: int = 4,
    ) -> None:
        """The same message on WebSockets, so many in every write, each on its way before the last is answered."""
        block = frame(message, opcode) * at_once
        said = b"".join(frame(each, opcode) for each in opening)

        async def once() -> None:
            socket = await self.websocket(path)
            if said:
                await socket.line.push(said)
            await self.pour(socket.line, block)

        await self.again(once, connections)

    async def bursts(
        self, path: str, messages: Iterable[bytes], *, opcode: int = lines.TEXT, connections: int = 4
    ) -> None:
        """As much as a newcomer may say at once; then the same as another newcomer."""
        block = b"".join(frame(each, opcode) for each in messages)

        async def once() -> None:
            socket = await self.websocket(path)
            socket.line.deaf()
            await socket.line.push(block)
            await asyncio.sleep(0.05)
            socket.line.hang_up()

        await self.again(once, connections)

    async def requests(self, *asked: bytes, pipelined: int = 50, connections: int = 4) -> None:
        """HTTP requests without waiting for answers, which are read and thrown away."""
        block = b"".join(asked) * pipelined

        async def once() -> None:
            await self.pour(await self.line(), block)

        await self.again(once, connections)

    # Things to prepare

    @asynccontextmanager
    async def native(self) -> AsyncIterator[Socket]:
        """Somebody who is gone at the end of it."""
        socket = await self.websocket("/ws")
        try:
            yield socket
        finally:
            socket.line.hang_up()

    async def seated(self, game: str, **fields: Any) -> tuple[Socket, str]:
        """Somebody who has opened a table, and the table's id."""
        socket = await self.websocket("/ws")
        told = await socket.ask("open", game=game, player="Mallory", **fields)
        return socket, told["sync"]["table"]["id"] if "sync" in told else ""

    async def coup_tables(self, count: int) -> list[str]:
        """Tables that nobody sits at, as Coup's own clients make them; as many of them as we are given."""
        line = await self.line()
        codes: list[str] = []
        with suppress(ConnectionError):
            while len(codes) < count:
                some = min(50, count - len(codes))
                await line.push(request("POST", "/coup/v1/game") * some)
                for _ in range(some):
                    reply = await answer(line)
                    if reply.status != 200:
                        return codes
                    codes.append(reply.json["gameCode"])
        line.hang_up()
        return codes


async def for_ever() -> None:
    await asyncio.get_running_loop().create_future()
