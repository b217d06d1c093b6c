"""Real servers for tests: in this process, or in one of its own that can be killed."""

from __future__ import annotations

import asyncio
import http.client
import itertools
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple, cast

from croupier.config import load
from croupier.games import Catalogue, catalogue
from croupier.server import Server
from croupier.tables.endpoint import ConnectionRequest, HouseQueries
from croupier.tables.house import House
from croupier.tables.wall_clock import Time
from services.processes import LOOPBACK
from tests import services


def connection_request(query: Mapping[str, str] | None = None) -> ConnectionRequest:
    """For a dialect that asks the house nothing, in tests without a server."""
    return ConnectionRequest("", query or {}, {}, cast(HouseQueries, None))


class Live:
    """Where a running server is to be found."""

    def __init__(self, ports: dict[str, int], host: str = LOOPBACK) -> None:
        self.ports = ports
        self.host = host

    @property
    def http(self) -> str:
        return f"http://{self.host}:{self.ports['http']}"

    def ws(self, path: str) -> str:
        """A WebSocket on the shared port."""
        return f"ws://{self.host}:{self.ports['http']}{path}"

    def own(self, dialect: str, path: str = "/") -> str:
        """A WebSocket on a dialect's own port."""
        return f"ws://{self.host}:{self.ports[dialect]}{path}"


class LiveHere(Live):
    def __init__(self, server: Server) -> None:
        super().__init__(dict(server.ports))
        self.house = server.house
        self.admission = server.admission
        self.job_queue = server.job_queue


class Houses:
    """What is asked is asked of the first, and what is set is set in all of them."""

    def __init__(self, houses: Sequence[House]) -> None:
        vars(self)["_all"] = houses

    def __getattr__(self, name: str) -> Any:
        return getattr(self._all[0], name)

    def __setattr__(self, name: str, value: Any) -> None:
        for house in self._all:
            setattr(house, name, value)


class Spread(LiveHere):
    """Several nodes of one house: whoever comes next is at the next of them."""

    def __init__(self, nodes: Sequence[LiveHere]) -> None:
        self._nodes = nodes
        self.host = LOOPBACK
        self._next = itertools.cycle(nodes)
        self.house = cast(House, Houses([node.house for node in nodes]))
        self.admission, self.job_queue = nodes[0].admission, nodes[0].job_queue

    @property
    def ports(self) -> dict[str, int]:  # type: ignore[override]
        return next(self._next).ports


NODES = int(os.environ.get("CROUPIER_TEST_NODES", "0"))
"""How many a server of a test is; 0: one, with a journal in a file."""
_databases: dict[Path, str] = {}
"""In the place of the files in these folders."""


@asynccontextmanager
async def server(
    data: Path, games: Catalogue | None = None, time: Time | None = None, **settings: Any
) -> AsyncIterator[LiveHere]:
    """A server in this process, on free ports, with real sockets and a real journal. Switches may be set freely."""
    given = {"host": LOOPBACK, "port": 0, "data": str(data), "test_mode": True, "no_game_ports": True} | settings
    if NODES and "journal" not in given:
        if data not in _databases:  # who comes back finds what was there
            _databases[data] = services.database()
        given = {"journal": _databases[data], "bus": services.bus()} | given
        time = time or Time(load(given).test_clock_speed)
        async with AsyncExitStack() as stack:
            nodes = [Server(load({**given, "node": f"n{n}"}), games or catalogue(), time) for n in range(NODES)]
            yield Spread([LiveHere(await stack.enter_async_context(node)) for node in nodes])
        return
    async with Server(load(given), games or catalogue(), time) as running:
        yield LiveHere(running)


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


async def request(
    port: int, method: str, path: str, body: bytes = b"", address: str = LOOPBACK, **headers: str
) -> Reply:
    """A plain HTTP request, exactly as given."""

    def ask() -> Reply:
        connection = http.client.HTTPConnection(address, port, timeout=20)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return Reply(answer.status, dict(answer.getheaders()), answer.read())
        finally:
            connection.close()

    return await asyncio.to_thread(ask)


class LiveProcess(Live):
    def __init__(self, process: asyncio.subprocess.Process, ports: dict[str, int], host: str) -> None:
        super().__init__(ports, host)
        self._process = process

    @property
    def pid(self) -> int:
        return self._process.pid

    async def kill(self) -> None:
        """As if the power had gone."""
        self._process.send_signal(signal.SIGKILL)
        await self._process.wait()

    async def terminate(self, how: signal.Signals = signal.SIGTERM) -> int:
        self._process.send_signal(how)
        return await self._process.wait()


async def spawn(
    data: Path,
    *flags: str,
    sabotage: str = "",
    log: Path | None = None,
    inside: Sequence[str] = (),
    host: str = LOOPBACK,
    python: str | Path = sys.executable,
) -> asyncio.subprocess.Process:
    """The process of a server that is about to start."""
    program = ["-m", "croupier.cli"]
    if sabotage:
        program = ["-c", f"{sabotage}\nfrom croupier.cli import main\nmain()"]
    command = [*inside, str(python), *program, "serve", "--host", host, "--data", str(data), *flags]
    command += ["--no-game-ports"]
    if "--port" not in flags:
        command += ["--port", "0"]
    env = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with log.open("ab") if log is not None else nullcontext() as errors:
        return await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE, stderr=errors, env=env)


@asynccontextmanager
async def process(
    data: Path,
    *flags: str,
    sabotage: str = "",
    log: Path | None = None,
    inside: Sequence[str] = (),
    host: str = LOOPBACK,
    python: str | Path = sys.executable,
) -> AsyncIterator[LiveProcess]:
    """A server in a process of its own, as ``croupier serve`` starts it.

    ``sabotage``: code that runs before it, to plant a fault. ``log``: a file for what it writes to standard error.
    ``inside``: what the command begins with, such as one that enters a network namespace. ``host``: its address there.
    ``python``: whose packages.
    """
    child = await spawn(data, *flags, sabotage=sabotage, log=log, inside=inside, host=host, python=python)
    try:
        assert child.stdout is not None
        ports: dict[str, int] = {}
        while line := (await child.stdout.readline()).decode():
            if found := re.search(r"http://localhost:(\d+)/", line):
                ports["http"] = int(found[1])
            if line.startswith("  other ports"):
                ports |= {name: int(number) for number, name in re.findall(r"(\d+) ([\w+-]+)", line)}
            if line.startswith("Ctrl-C") or "journal:" in line:  # which the release before says last
                break
        assert ports, "the server did not start"
        yield LiveProcess(child, ports, host)
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()
