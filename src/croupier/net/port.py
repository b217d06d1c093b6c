"""Ports that are open, and how connections are accepted on them."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Callable, Sequence
from enum import Enum
from functools import partial
from typing import Any

from croupier.net.admission import Admission
from croupier.tables import error_log
from croupier.tables.purses import Purse

BACKLOG = 1024
EXHAUSTED = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
RETRY = 1.0
"""Seconds until it is tried again when the system has no more sockets."""
UNKNOWN = (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL)
"""Of an address that this machine can't have: one without IPv6 is still found by its name."""

ProtocolFactory = Callable[[], asyncio.BaseProtocol]


class Sharing(Enum):
    """Whether several processes accept connections on one port."""

    NONE = "none"
    FIRST = "first"
    """Others will, but nobody does so far."""
    JOINED = "joined"
    """Others do already."""


class Port:
    @property
    def number(self) -> int:
        """The one asked for, or the free one that was found."""
        raise NotImplementedError

    def close(self) -> None:
        """Accept no further connection."""
        raise NotImplementedError

    async def drain(self) -> None:
        """Let those who wait for an answer have it, and hang up."""


class TcpPort(Port):
    """Accepts connections one by one; those of an address that has used its share, in their turn."""

    def __init__(self, admission: Admission, make: ProtocolFactory, sockets: Sequence[socket.socket]) -> None:
        self._admission = admission
        self._make = make
        self._sockets = sockets
        self._loop = asyncio.get_running_loop()
        self._waiting: set[socket.socket] = set()
        """Connections whose turn has not come yet."""
        self._connecting: set[asyncio.Task[None]] = set()
        for listening in sockets:
            self._loop.add_reader(listening, self._accept, listening)

    @property
    def number(self) -> int:
        return int(self._sockets[0].getsockname()[1])

    def close(self) -> None:
        for listening in self._sockets:
            self._loop.remove_reader(listening)
            listening.close()
        self._sockets = ()
        for connection in self._waiting:
            connection.close()
        self._waiting.clear()
        for task in self._connecting:
            task.cancel()

    async def drain(self) -> None:
        if self._connecting:
            await asyncio.wait(self._connecting)

    def _accept(self, listening: socket.socket) -> None:
        """One of those who have come; libuv would accept them all in one turn of the loop."""
        try:
            connection, peer = listening.accept()
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            return
        except OSError as error:
            if error.errno not in EXHAUSTED:
                raise
            error_log.report("server", "no connection can be accepted", error=error.strerror)
            self._loop.remove_reader(listening)
            self._loop.call_later(RETRY, self._resume, listening)
            return
        # The rest of an answer is not to wait for a sign that its beginning has arrived.
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        admission = self._admission
        purse = admission.request_purses.of(admission.address(peer[0], {}))
        self._waiting.add(connection)
        admission.house.turns.serve(purse, partial(self._start, connection, purse))

    def _resume(self, listening: socket.socket) -> None:
        if listening in self._sockets:
            self._loop.add_reader(listening, self._accept, listening)

    def _start(self, connection: socket.socket, purse: Purse) -> bool:
        if connection in self._waiting:
            self._waiting.remove(connection)
            task = self._loop.create_task(self._connect(connection, purse))
            self._connecting.add(task)
            task.add_done_callback(self._connecting.discard)
        return False

    async def _connect(self, connection: socket.socket, purse: Purse) -> None:
        made = self._loop.connect_accepted_socket(self._make, connection)
        try:
            await self._admission.house.turns.metered(purse, made)
        except OSError:
            connection.close()  # they have hung up


async def bind(host: str, port: int, sharing: Sharing = Sharing.NONE) -> list[socket.socket]:
    """Sockets that listen there: one for each address that the host's name stands for, all of the machine if empty."""
    if sharing is Sharing.FIRST:
        for alone in await bind(host, port):  # or another server that shares its port would not be noticed
            alone.close()
    shared = sharing is not Sharing.NONE
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    sockets: list[socket.socket] = []
    problem: OSError | None = None
    try:
        for family, address in dict.fromkeys((each[0], each[4]) for each in found):
            where: Any = address
            try:
                sockets.append(socket.create_server(where, family=family, backlog=BACKLOG, reuse_port=shared))
            except OSError as error:
                if error.errno not in UNKNOWN:
                    raise
                problem = error
        if problem is not None and not sockets:
            raise problem
    except OSError:
        for opened in sockets:
            opened.close()
        raise
    for opened in sockets:
        opened.setblocking(False)
    return sockets
