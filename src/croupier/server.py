"""The server: journal, house and ports, put together from one configuration."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

import structlog

from croupier.config import Address, Config
from croupier.games import Catalogue
from croupier.journal.sqlite import SqliteJournal
from croupier.journal.upkeep import held, mend
from croupier.net import http, lan, native
from croupier.net.engineio import Engine
from croupier.net.port import Port
from croupier.net.tcp import Lines
from croupier.net.websocket import Door, Find, Porter
from croupier.tables import troubles
from croupier.tables.dialect import Beacon, Doorway
from croupier.tables.house import House
from croupier.tables.timekeeping import Time

log = structlog.get_logger()

DOORS: dict[str, type[Door]] = {"websocket": Door, "engine.io": Engine, "lines": Lines}

PAGE = Path(__file__).parents[2] / "web" / "dist"


class Server:
    """``async with Server(config, catalogue()) as server: ...`` is open for players inside."""

    def __init__(self, config: Config, catalogue: Catalogue, time: Time | None = None) -> None:
        self._config = config
        self._catalogue = catalogue
        self._time = time or Time(config.test_clock_speed)
        self._ports: dict[str, Port] = {}

    @property
    def ports(self) -> dict[str, int]:
        """Where it listens: ``http``, and the dialects that have a port of their own."""
        return {name: port.number for name, port in self._ports.items()}

    async def __aenter__(self) -> Self:
        config, (games, doorways, beacons) = self._config, self._catalogue
        async with AsyncExitStack() as undo:
            undo.enter_context(held(config.journal))
            if missing := mend(config.journal):
                troubles.report("journal", "the journal is cut off", file=str(config.journal), missing=missing)
            journal = SqliteJournal(config.journal, config.synchronous)
            self.house = House(games, journal, config.settings(games), self._time)
            limits = config.limits()
            self.porter = porter = Porter(self.house, limits, frozenset(config.allow_origin))
            door = Doorway("native", "/ws", native.Entrance(games), True)
            doors = [DOORS[doorway.transport](porter, doorway) for doorway in (door, *doorways)]
            find = by_path(doors)
            app = http.application(self.house, porter, doors, PAGE if PAGE.is_dir() else None, config.host)
            openers: dict[str, Callable[[Address], Awaitable[Port]]] = {
                door.doorway.name: partial(self._own_port, door) for door in doors
            }
            openers |= {beacon.name: partial(self._shine, beacon) for beacon in beacons}
            asked = config.listeners(openers)
            undo.push_async_callback(self._drain)
            undo.callback(porter.farewell)
            undo.push_async_callback(self.house.close)
            await self.house.open()
            await self._listen("http", http.listen(app, limits, find, config.host, config.port), undo)
            for name, address in asked:
                await self._listen(name, openers[name](address), undo)
            usual = [(each.name, each.port) for each in doorways] + [(each.name, each.port) for each in beacons]
            for name, port in usual:
                if port is not None and name not in self._ports and not config.no_game_ports:
                    await self._try_to_listen(name, openers[name](Address(config.host, port)), undo)
            self._undo = undo.pop_all()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._undo.aclose()

    async def _own_port(self, door: Door, address: Address) -> Port:
        """A dialect on a port of its own: over plain WebSockets whatever the path, else where its clients expect it."""
        if isinstance(door, Lines):
            return await door.listen(address.host, address.port)
        find: Find = by_path([door]) if isinstance(door, Engine) else lambda path: (door, path)
        app = http.alone(self.house, door)
        return await http.listen(app, door.porter.limits, find, address.host, address.port)

    async def _shine(self, beacon: Beacon, address: Address) -> Port:
        return await lan.listen(beacon, self.house, lambda: self.ports, address.host, address.port)

    async def _listen(self, name: str, coming: Awaitable[Port], undo: AsyncExitStack) -> None:
        self._ports[name] = await coming
        undo.callback(self._ports[name].close)

    async def _try_to_listen(self, name: str, coming: Awaitable[Port], undo: AsyncExitStack) -> None:
        """A port that nobody has asked for: another server may have it already."""
        try:
            await self._listen(name, coming, undo)
        except OSError as error:
            log.warning("a game's own port is not open", dialect=name, reason=error.strerror)

    async def _drain(self) -> None:
        for port in self._ports.values():
            await port.drain()


def by_path(doors: Iterable[Door]) -> Find:
    """Where a path of the shared port leads: to the door of that path, or of the nearest one above it."""
    known = {door.doorway.path: door for door in doors if door.doorway.path}

    def find(path: str) -> tuple[Door, str] | None:
        above = path
        while above and above not in known:
            above = above.rpartition("/")[0]
        return (known[above], path[len(above) :]) if above in known else None

    return find
