"""Discovery on the local network: somebody asks into the round, and servers that have a table for them answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, cast

import structlog

from croupier.net.port import Port
from croupier.net.websocket import Allowance
from croupier.tables.dialect import Beacon, Desk

ANSWERS = 50
"""That are given in a second, to everybody together."""

log = structlog.get_logger()


class Listener(asyncio.DatagramProtocol):
    def __init__(self, beacon: Beacon, desk: Desk, ports: Callable[[], Mapping[str, int]]) -> None:
        self._beacon = beacon
        self._desk = desk
        self._ports = ports
        self._allowance = Allowance(ANSWERS, ANSWERS, 0)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.DatagramTransport, transport)

    def datagram_received(self, data: bytes, address: tuple[str | Any, int]) -> None:
        try:
            answer = self._beacon.answer(data, self._desk, self._ports())
        except Exception:
            log.exception("beacon failed", beacon=self._beacon.name)
            return
        # Anybody can write any sender on a datagram: nobody is to be flooded with our answers.
        if answer is not None and self._allowance.spend():
            self._transport.sendto(answer, address)


class LanPort(Port):
    def __init__(self, transport: asyncio.DatagramTransport) -> None:
        self._transport = transport

    @property
    def number(self) -> int:
        return int(self._transport.get_extra_info("sockname")[1])

    def close(self) -> None:
        self._transport.close()


async def listen(beacon: Beacon, desk: Desk, ports: Callable[[], Mapping[str, int]], host: str, port: int) -> LanPort:
    """Answer the questions of a beacon; ``ports`` are the server's, by name."""
    make = lambda: Listener(beacon, desk, ports)  # noqa: E731
    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_datagram_endpoint(make, (host or "0.0.0.0", port), allow_broadcast=True)
    return LanPort(transport)
