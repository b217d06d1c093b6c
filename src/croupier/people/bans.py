"""Who is not welcome on this server: addresses, networks, and persons; for a while, or for good."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Literal

import msgspec

from croupier.journal import Journal, Script, Statement

Network = IPv4Network | IPv6Network

MOST = 10_000
"""Bans that there may be."""
_IPV6 = 64
"""Bits of the network that an IPv6 address counts by: everybody has one with more addresses than there are to ban."""


class Ban(msgspec.Struct, frozen=True):
    what: Literal["address", "person"]
    value: str
    """An address or a network; or the id of a person."""
    until: int | None
    """None: for good."""
    why: str
    """For the operator."""
    at: int


class TooMany(Exception):
    """There is no room for another ban."""


def network(given: str) -> Network:
    """What is banned with an address or a network. Raises ``ValueError`` where it is neither.

    >>> [str(network(given)) for given in ("192.0.2.7", "192.0.2.0/24", "2001:db8:1:2:3::4", "::ffff:192.0.2.7")]
    ['192.0.2.7/32', '192.0.2.0/24', '2001:db8:1:2::/64', '192.0.2.7/32']
    """
    found = ip_network(given.strip(), strict=False)
    if isinstance(found, IPv4Network):
        return found
    mapped = found.network_address.ipv4_mapped
    if mapped is not None and found.prefixlen >= 96:
        return ip_network((mapped, found.prefixlen - 96), strict=False)
    return found if found.prefixlen <= _IPV6 else found.supernet(new_prefix=_IPV6)


def within(address: str, among: Network) -> bool:
    """Whether a network has this address."""
    try:
        found = network(address)
    except ValueError:
        return False
    return found.overlaps(among)


class Bans:
    """All of them, as this node knows them.

    >>> bans = Bans()
    >>> bans.set([Ban("address", "192.0.2.0/24", None, "", 0), Ban("person", "ann", 5, "", 0)])
    True
    >>> bans.of_address("192.0.2.7", now=1) is not None, bans.of_address("198.51.100.1", now=1) is not None
    (True, False)
    >>> bans.of_person("ann", now=4) is not None, bans.of_person("ann", now=5) is not None
    (True, False)
    """

    def __init__(self) -> None:
        self._all: Sequence[Ban] = ()
        self._persons: dict[str, Ban] = {}
        self._networks: dict[tuple[int, int], dict[int, Ban]] = {}
        """By version and bits, and by address."""
        self.changed: list[Callable[[], None]] = []
        """Who sees to it that nobody stays who is banned."""

    def set(self, bans: Sequence[Ban]) -> bool:
        """These are all. Returns whether that is new."""
        if bans == self._all:
            return False
        self._all = bans
        self._persons = {ban.value: ban for ban in bans if ban.what == "person"}
        self._networks = {}
        for ban in bans:
            if ban.what == "address":
                net = network(ban.value)
                known = self._networks.setdefault((net.version, net.prefixlen), {})
                known[int(net.network_address)] = ban
        return True

    def __len__(self) -> int:
        return len(self._all)

    def of_person(self, person: str, now: int) -> Ban | None:
        return _lasting((self._persons.get(person),), now) if self._persons else None

    def of_address(self, address: str, now: int) -> Ban | None:
        """``address``: as limits count it."""
        if not self._networks:
            return None
        try:
            net = network(address)
        except ValueError:
            return None  # a Unix socket has none
        number, bits = int(net.network_address), net.max_prefixlen
        return _lasting(
            (
                known.get(number >> (bits - prefix) << (bits - prefix))
                for (version, prefix), known in self._networks.items()
                if version == net.version
            ),
            now,
        )


def _lasting(found: Iterable[Ban | None], now: int) -> Ban | None:
    return next((ban for ban in found if ban is not None and (ban.until is None or ban.until > now)), None)


async def read(journal: Journal) -> Sequence[Ban]:
    """The latest first."""
    rows = await journal.query(
        "SELECT what, value, until, why, at FROM bans ORDER BY at DESC, what, value LIMIT $1", MOST
    )
    return [Ban(*row) for row in rows]


def ban(made: Ban) -> Script[None]:
    """It takes the place of an earlier one. Raises ``TooMany``."""
    yield Statement("DELETE FROM bans WHERE what = $1 AND value = $2", (made.what, made.value))
    yield Statement("DELETE FROM bans WHERE until <= $1", (made.at,))
    ((count,),) = yield Statement("SELECT COUNT(*) FROM bans")
    if count >= MOST:
        raise TooMany
    yield Statement(
        "INSERT INTO bans (what, value, until, why, at) VALUES ($1, $2, $3, $4, $5)", msgspec.structs.astuple(made)
    )


def lift(what: str, value: str) -> Script[bool]:
    """Returns whether there was one."""
    found = yield Statement("SELECT what FROM bans WHERE what = $1 AND value = $2", (what, value))
    yield Statement("DELETE FROM bans WHERE what = $1 AND value = $2", (what, value))
    return bool(found)
