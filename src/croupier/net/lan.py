"""Discovery on the local network: a client broadcasts a question, and servers that have a table for it answer."""

from __future__ import annotations

import asyncio
import fcntl
import socket
import struct
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from ipaddress import IPv4Interface
from time import monotonic
from typing import Any, cast

import structlog

from croupier.net.inbox import BURST, SHARE
from croupier.net.port import Port
from croupier.tables import error_log
from croupier.tables.endpoint import Beacon, HouseQueries
from croupier.tables.purses import Purse
from croupier.tables.turns import share_of_the_loop

ANSWERS = 50
"""That are given in a second, to everybody together."""
ANY_ADDRESS = "0.0.0.0"
BROADCAST = "255.255.255.255"
GET_ADDRESS, GET_NETMASK = 0x8915, 0x891B
"""What Linux calls SIOCGIFADDR and SIOCGIFNETMASK."""

log = structlog.get_logger()


class BeaconListener(asyncio.DatagramProtocol):
    def __init__(self, beacon: Beacon, house: HouseQueries, ports: Callable[[], Mapping[str, int]]) -> None:
        self._beacon = beacon
        self._house = house
        self._ports = ports
        self._answers = Purse(1 / ANSWERS, ANSWERS)
        self._purse = share_of_the_loop(SHARE, 5 * BURST)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.DatagramTransport, transport)

    def datagram_received(self, data: bytes, address: tuple[str | Any, int]) -> None:
        begun = monotonic()
        if self._purse.overdrawn(begun):  # who broadcasts a question asks again
            return
        try:
            answer = self._beacon.answer(data, self._house, self._ports())
        except Exception:
            error_log.report("dialect", "beacon failed", beacon=self._beacon.name)
            return
        # Anybody can write any sender on a datagram: nobody is to be flooded with our answers.
        if answer is not None and self._answers.pay(1, begun):
            self._transport.sendto(answer, address)
        self._purse.charge(monotonic() - begun, begun)


class BroadcastListener(asyncio.DatagramProtocol):
    """Hands over broadcasts, which do not reach the listener's own socket."""

    def __init__(self, listener: BeaconListener) -> None:
        self._listener = listener

    def datagram_received(self, data: bytes, address: tuple[str | Any, int]) -> None:
        self._listener.datagram_received(data, address)


class LanPort(Port):
    def __init__(self, transport: asyncio.BaseTransport, broadcasts: Sequence[asyncio.BaseTransport]) -> None:
        self._transport = transport
        self._broadcasts = broadcasts

    @property
    def number(self) -> int:
        return int(self._transport.get_extra_info("sockname")[1])

    def close(self) -> None:
        for transport in (self._transport, *self._broadcasts):
            transport.close()


async def listen(
    beacon: Beacon, house: HouseQueries, ports: Callable[[], Mapping[str, int]], host: str, port: int
) -> LanPort:
    """Answer the questions of a beacon; ``ports`` are the server's, by name."""
    loop = asyncio.get_running_loop()
    transport, listener = await loop.create_datagram_endpoint(
        lambda: BeaconListener(beacon, house, ports), (host or ANY_ADDRESS, port), allow_broadcast=True
    )
    number = transport.get_extra_info("sockname")[1]
    broadcasts = [
        await loop.create_datagram_endpoint(lambda: BroadcastListener(listener), sock=sock)
        for sock in _broadcast_sockets(host, number)
    ]
    return LanPort(transport, [each for each, _ in broadcasts])


def _broadcast_sockets(host: str, port: int) -> Iterator[socket.socket]:
    """A broadcast does not reach a socket with one address of its own: it takes others for that, bound to the interface
    with that address and hearing nothing else. Only Linux knows how."""
    found = _interface(host) if sys.platform == "linux" and host not in ("", ANY_ADDRESS) else None
    if found is None:
        return
    name, interface = found
    for address in (BROADCAST, str(interface.network.broadcast_address)):
        sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            sock.setblocking(False)
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, name.encode())
            sock.bind((address, port))
        except OSError as error:
            sock.close()
            log.warning("can't hear what is asked into the round", address=address, reason=error.strerror)
        else:
            yield sock


def _interface(host: str) -> tuple[str, IPv4Interface] | None:
    """The name of the interface with this address, and the network it is in."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        for _, name in socket.if_nameindex():
            try:
                address, mask = (_ask(sock, what, name) for what in (GET_ADDRESS, GET_NETMASK))
            except OSError:  # it has none
                continue
            if address == host:
                return name, IPv4Interface(f"{address}/{mask}")
    return None


def _ask(sock: socket.socket, what: int, name: str) -> str:
    return socket.inet_ntoa(fcntl.ioctl(sock.fileno(), what, struct.pack("256s", name.encode()))[20:24])
