"""The server: journal, house and ports, put together from one configuration."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable
from contextlib import AsyncExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from croupier.config import Address, Config
from croupier.games import Catalogue
from croupier.journal.sqlite import SqliteJournal
from croupier.net import http, native
from croupier.net.engineio import Engine
from croupier.net.websocket import Door, Find, Porter
from croupier.tables.dialect import Doorway
from croupier.tables.house import House
from croupier.tables.timekeeping import Time

PAGE = Path(__file__).parents[2] / "web" / "dist"


class Server:
    """``async with Server(config, catalogue()) as server: ...`` is open for players inside."""

    def __init__(self, config: Config, catalogue: Catalogue, time: Time | None = None) -> None:
        self._config = config
        self._catalogue = catalogue
        self._time = time or Time(config.test_clock_speed)
        self._ports: dict[str, http.Port] = {}

    @property
    def ports(self) -> dict[str, int]:
        """Where it listens: ``http``, and the dialects that have a port of their own."""
        return {name: port.number for name, port in self._ports.items()}

    async def __aenter__(self) -> Self:
        config, (games, doorways) = self._config, self._catalogue
        journal = SqliteJournal(config.journal, config.synchronous)
        self.house = House(games, journal, config.settings(games), self._time)
        limits = config.limits()
        self.porter = porter = Porter(self.house, limits, frozenset(config.allow_origin))
        greeting = native.welcome(games)
        door = Doorway(
            "native", "/ws", lambda entering: native.Native(greeting, entering.query.get("views") == "1"), True
        )
        doors = [Engine(porter, d) if d.transport == "engine.io" else Door(porter, d) for d in (door, *doorways)]
        find = by_path(doors)
        app = http.application(self.house, porter, doors, PAGE if PAGE.is_dir() else None)
        async with AsyncExitStack() as undo:
            undo.push_async_callback(self._drain)
            undo.callback(porter.farewell)
            undo.push_async_callback(self.house.close)
            await self.house.open()
            await self._listen("http", http.listen(app, limits, find, config.host, config.port), undo)
            by_name = {door.doorway.name: door for door in doors}
            for name, address in config.listeners(by_name):
                await self._listen(name, self._own_port(by_name[name], address), undo)
            self._undo = undo.pop_all()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._undo.aclose()

    async def _own_port(self, door: Door, address: Address) -> http.Port:
        """A dialect on a port of its own: over plain WebSockets whatever the path, else where its clients expect it."""
        find: Find = by_path([door]) if isinstance(door, Engine) else lambda path: (door, path)
        app = http.alone(self.house, door)
        return await http.listen(app, door.porter.limits, find, address.host, address.port)

    async def _listen(self, name: str, coming: Awaitable[http.Port], undo: AsyncExitStack) -> None:
        self._ports[name] = await coming
        undo.callback(self._ports[name].close)

    async def _drain(self) -> None:
        for port in self._ports.values():
            await port.drain()


def by_path(doors: Iterable[Door]) -> Find:
    """Where a path of the shared port leads: to the door of that path, or of the nearest one above it."""
    known = {door.doorway.path: door for door in doors}

    def find(path: str) -> tuple[Door, str] | None:
        above = path
        while above and above not in known:
            above = above.rpartition("/")[0]
        return (known[above], path[len(above) :]) if above in known else None

    return find
