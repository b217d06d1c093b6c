"""The server: journal, house and ports, put together from one configuration."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import AsyncExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from croupier.config import Address, Config
from croupier.games import Catalogue
from croupier.journal.sqlite import SqliteJournal
from croupier.net import http, native
from croupier.net.websocket import Door, Porter
from croupier.tables.dialect import Doorway
from croupier.tables.house import House
from croupier.tables.timekeeping import Time

PAGE = Path(__file__).parents[2] / "web" / "dist"


class Server:
    """``async with Server(config, catalogue()) as server: ...`` is open for players inside."""

    def __init__(self, config: Config, catalogue: Catalogue) -> None:
        self._config = config
        self._catalogue = catalogue
        self.ports: dict[str, int] = {}
        """Where it listens: ``http``, and the dialects that have a port of their own."""

    async def __aenter__(self) -> Self:
        config, (games, doorways) = self._config, self._catalogue
        journal = SqliteJournal(config.journal, config.synchronous)
        self.house = House(games, journal, config.settings(), Time(config.test_clock_speed))
        self._porter = Porter(self.house, config.limits(), frozenset(config.allow_origin))
        greeting = native.welcome(games)
        door = Doorway(
            "native", "/ws", lambda entering: native.Native(greeting, entering.query.get("views") == "1"), True
        )
        find = by_path([door, *doorways])
        app = http.application(self.house, self._porter, doorways, find, PAGE if PAGE.is_dir() else None)
        async with AsyncExitStack() as undo:
            undo.callback(self._porter.farewell)
            undo.push_async_callback(self.house.close)
            await self.house.open()
            await self._listen("http", http.listen(app, self._porter, find, config.host, config.port), undo)
            by_name = {doorway.name: doorway for doorway in [door, *doorways]}
            for name, address in config.listeners(by_name):
                await self._listen(name, self._own_port(by_name[name], address), undo)
            self._undo = undo.pop_all()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._undo.aclose()

    async def _own_port(self, doorway: Doorway, address: Address) -> asyncio.Server:
        """A dialect on a port of its own, at the root: whatever the path."""
        app = http.alone(self.house, self._porter, doorway)
        return await http.listen(app, self._porter, lambda path: (doorway, path), address.host, address.port)

    async def _listen(self, name: str, coming: Awaitable[asyncio.Server], undo: AsyncExitStack) -> None:
        server = await coming
        self.ports[name] = http.port_of(server)
        undo.callback(server.close)


def by_path(doorways: Iterable[Doorway]) -> Callable[[str], Door | None]:
    """Where a path of the shared port leads: to the doorway of that path, or of the nearest one above it."""
    known = {doorway.path: doorway for doorway in doorways}

    def find(path: str) -> Door | None:
        above = path
        while above and above not in known:
            above = above.rpartition("/")[0]
        return (known[above], path.removeprefix(above)) if above in known else None

    return find
