"""The server: journal, house and ports, put together from one configuration."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import AsyncExitStack
from ctypes import CDLL
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

import structlog
from starlette.types import ASGIApp

from croupier import nodes
from croupier.config import Address, BadConfig, Config
from croupier.games import Catalogue
from croupier.journal import Journal
from croupier.journal.reading import read_log
from croupier.journal.sqlite import SqliteJournal
from croupier.journal.upkeep import held, mend
from croupier.net import http, lan, native
from croupier.net.addresses import EVERYBODY, Proxies
from croupier.net.admission import Admission
from croupier.net.application import alone, application, for_nodes
from croupier.net.engineio_listener import EngineIoListener, PrivateListener
from croupier.net.job_queue import JobQueue
from croupier.net.listener import Listener
from croupier.net.port import Port, Sharing, bind
from croupier.net.relay import Relay
from croupier.net.tcp import LineListener
from croupier.net.thinking import ThinkingPool, analysts_size, pool_size
from croupier.net.websocket_listener import Find, WebSocketListener
from croupier.net.worker import Read, WorkerSetup
from croupier.tables import error_log
from croupier.tables.cluster import Cluster
from croupier.tables.company import Company
from croupier.tables.endpoint import Beacon, Endpoint, Transport
from croupier.tables.house import House
from croupier.tables.wall_clock import Time

log = structlog.get_logger()

LISTENERS: dict[Transport, type[Listener]] = {
    "websocket": WebSocketListener,
    "engine.io": EngineIoListener,
    "lines": LineListener,
}
"""By transport."""

SWITCH = 0.0001
"""Seconds after which a thread that waits for the interpreter gets it. With Python's own five milliseconds, the
journal's thread, which needs it several times for each commit, would let everybody wait while somebody keeps the loop
busy."""

LARGE = 64 * 1024
"""Bytes from which on memory is given back to the system as soon as it is free. glibc would learn from the first large
message to keep such pieces, and what a few slow readers have left unread would stay with the server for ever."""
_MMAP_THRESHOLD = -3

PAGE = Path(__file__).parent / "page"
"""In the package; in a checkout, where it is built."""
if not PAGE.is_dir():
    PAGE = Path(__file__).parents[2] / "web" / "dist"


class Server:
    """``async with Server(config, catalogue()) as server: ...`` is open for players inside."""

    def __init__(
        self, config: Config, catalogue: Catalogue, time: Time | None = None, sharing: Sharing = Sharing.NONE
    ) -> None:
        self._config = config
        self._sharing = sharing
        self._catalogue = catalogue
        self._time = time or Time(config.test_clock_speed)
        self._ports: dict[str, Port] = {}

    @property
    def ports(self) -> dict[str, int]:
        """Where it listens: ``http``, and the dialects that have a port of their own."""
        return {name: port.number for name, port in self._ports.items()}

    async def __aenter__(self) -> Self:
        config, games = self._config, self._catalogue.games
        endpoints, beacons = self._catalogue.endpoints, self._catalogue.beacons
        sys.setswitchinterval(SWITCH)
        if hasattr(libc := CDLL(None), "mallopt"):
            libc.mallopt(_MMAP_THRESHOLD, LARGE)
        async with AsyncExitStack() as undo:
            settings = config.settings(games)
            journal, cluster = await _journal(config, undo)
            if cluster is not None:
                cluster.aliases = [each.aliases for each in endpoints if each.aliases is not None]
            kinds = {name: type(game) for name, game in games.items()}
            thinkers = pool_size(config.thinkers, config.workers)
            self.thinking = ThinkingPool(kinds, thinkers) if thinkers else None
            self.house = House(games, journal, settings, self._time, cluster, self.thinking)
            if self.thinking is not None:
                undo.push_async_callback(self.thinking.close)
            undo.push_async_callback(self.house.close)  # if there is something wrong before it is open
            proxies = Proxies(config.trusted_proxy)
            self.admission = admission = Admission(self.house, config.limits(), frozenset(config.allow_origin), proxies)
            own = Endpoint("native", "/ws", native.Acceptor(games, self.thinking is not None), True)
            usual = config.variants(endpoints)
            chosen = [each.usually(usual[each.name]) if each.name in usual else each for each in endpoints]
            listeners = [LISTENERS[each.transport](admission, each) for each in (own, *chosen)]
            find = by_path(listeners)
            self.job_queue = job_queue = JobQueue(WorkerSetup(kinds, _reader(config)))
            undo.push_async_callback(job_queue.close)
            page = PAGE if PAGE.is_dir() else None
            analysts = ThinkingPool(kinds, analysts_size(config.workers), patient=True) if thinkers else None
            if analysts is not None:
                undo.push_async_callback(analysts.close)
            app = application(
                self.house, admission, job_queue, analysts, listeners, page, config.host, config.operator_token
            )
            openers: dict[str, Callable[[Address], Awaitable[Port]]] = {
                listener.endpoint.name: partial(self._own_port, listener) for listener in listeners
            }
            openers |= {
                f"{each.name}+{variant}": partial(
                    self._own_port, LISTENERS[each.transport](admission, each.usually(variant))
                )
                for each in endpoints
                for variant in each.variants
            }
            openers |= {beacon.name: partial(self._beacon_port, beacon) for beacon in beacons}
            asked = config.listeners(openers)
            undo.push_async_callback(self._drain)
            undo.callback(admission.close_all)
            if cluster is not None:
                await self._listen_for_nodes(cluster, listeners, undo)
            undo.push_async_callback(self.house.close)
            await self.house.open()
            for game, count in self.house.settings.house_bots.items():
                Company(self.house, self.house.games[game], count).begin()
            shared = Address(config.host, config.port)
            await self._listen("http", self._http_port(app, admission, find, shared), shared, undo)
            for name, address in asked:
                await self._listen(name, openers[name](address), address, undo)
            expected = [(each.name, each.port) for each in endpoints] + [(each.name, each.port) for each in beacons]
            for name, port in expected:
                if port is not None and name not in self._ports and not config.no_game_ports:
                    address = Address(config.host, port)
                    await self._try_to_listen(name, openers[name](address), address, undo)
            self._undo = undo.pop_all()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._undo.aclose()

    async def _own_port(self, listener: Listener, address: Address) -> Port:
        """A dialect on a port of its own: over plain WebSockets whatever the path, else where its clients expect it."""
        if isinstance(listener, LineListener):
            return listener.listen(await bind(*address, self._sharing))
        assert isinstance(listener, WebSocketListener)
        find: Find = by_path([listener]) if isinstance(listener, EngineIoListener) else lambda path: (listener, path)
        return await self._http_port(alone(self.house, listener), listener.admission, find, address)

    async def _listen_for_nodes(self, cluster: Cluster, listeners: Sequence[Listener], undo: AsyncExitStack) -> None:
        """What the others pass on comes here, and on their behalf: they see to it that nobody asks for too much."""
        relay, address = Relay(cluster), self._config.private_address()
        polled = [each for each in listeners if isinstance(each, EngineIoListener)]
        for listener in polled:
            listener.relay = relay
        private = [PrivateListener(each) for each in polled]
        app = for_nodes(self.house, self.admission, private)
        admission = Admission(self.house, self.admission.limits, frozenset(), Proxies(EVERYBODY))
        try:
            port = http.listen(app, admission, by_path(private), await bind(*address))
        except OSError as error:
            raise _cannot_listen("other nodes", address, "--node-address", error) from None
        undo.push_async_callback(port.drain)
        undo.callback(relay.close)
        undo.callback(port.close)
        relay.listens(address.host, port.number)

    async def _http_port(self, app: ASGIApp, admission: Admission, find: Find, address: Address) -> Port:
        return http.listen(app, admission, find, await bind(*address, self._sharing))

    async def _beacon_port(self, beacon: Beacon, address: Address) -> Port:
        return await lan.listen(beacon, self.house, lambda: self.ports, address.host, address.port)

    async def _listen(self, name: str, coming: Awaitable[Port], address: Address, undo: AsyncExitStack) -> None:
        try:
            self._ports[name] = await coming
        except OSError as error:
            setting = "--port" if name == "http" else f"--listen {name}=HOST:PORT"
            raise _cannot_listen(name, address, setting, error) from None
        undo.callback(self._ports[name].close)

    async def _try_to_listen(self, name: str, coming: Awaitable[Port], address: Address, undo: AsyncExitStack) -> None:
        """A port that nobody has asked for: another server may have it already."""
        try:
            await self._listen(name, coming, address, undo)
        except BadConfig as error:
            log.warning("a game's own port is not open", dialect=name, reason=str(error))

    async def _drain(self) -> None:
        for port in self._ports.values():
            await port.drain()


def _cannot_listen(name: str, address: Address, setting: str, error: OSError) -> BadConfig:
    number = error.errno or 0
    what = os.strerror(number) if number > 0 else error.strerror  # asyncio would tell a longer story
    hint = f"; {setting} chooses another" if number == errno.EADDRINUSE else ""
    return BadConfig(f"can't listen on {address.host}:{address.port} for {name}: {what}{hint}")


async def _journal(config: Config, undo: AsyncExitStack) -> tuple[Journal, Cluster | None]:
    """Where it is all written down; and with whom that is shared, if it is."""
    if config.journal:
        return await nodes.join(config, _journal_news)
    file = config.journal_file
    undo.enter_context(held(file))
    if missing := mend(file):
        error_log.report("journal", "the journal is cut off", file=str(file), missing=missing)
    return SqliteJournal(file, config.synchronous, news=_journal_news), None


def _reader(config: Config) -> Read:
    """How a worker reads the log of a table."""
    if config.journal:
        from croupier.journal import postgres_store

        return partial(postgres_store.read_log, config.journal)
    return partial(read_log, config.journal_file.absolute())


def _journal_news(fault: str | None) -> None:
    """What the journal says of itself."""
    if fault is None:
        log.info("the journal can be written again")
    else:
        error_log.report("journal", fault)


def by_path(listeners: Iterable[Listener]) -> Find:
    """Where a path of the shared port leads: to the endpoint of that path, or of the nearest one above it."""
    known = {
        each.endpoint.path: each for each in listeners if isinstance(each, WebSocketListener) and each.endpoint.path
    }

    def find(path: str) -> tuple[WebSocketListener, str] | None:
        above = path
        while above and above not in known:
            above = above.rpartition("/")[0]
        return (known[above], path[len(above) :]) if above in known else None

    return find
