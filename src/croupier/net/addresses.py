"""Addresses: of whoever is at the other end, by which limits are counted; and of this server in its network."""

from __future__ import annotations

import socket
from collections.abc import Iterable, Mapping
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Network = IPv4Network | IPv6Network

LOCAL = ("localhost", "127.0.0.1", "::1")
"""What a machine calls itself."""

EVERYBODY = ("0.0.0.0/0", "::/0")


def counted_as(address: str) -> str:
    """The address that limits count it by. Of IPv6 everybody has a network with more than there are to count.

    >>> counted_as("2001:db8:1:2:3:4:5:6"), counted_as("::ffff:192.0.2.7"), counted_as("192.0.2.7"), counted_as("")
    ('2001:db8:1:2::/64', '192.0.2.7', '192.0.2.7', '')
    """
    found = _read(address)
    if isinstance(found, IPv6Address):
        return str(ip_network((found, 64), strict=False))
    return address if found is None else str(found)


class Proxies:
    """Those whose word is taken for it on whose behalf they call, and nobody else's.

    >>> proxies = Proxies(["192.0.2.1", "10.0.0.0/8"])
    >>> proxies.client("192.0.2.1", {"x-forwarded-for": "198.51.100.1, 203.0.113.9, 10.1.2.3"})
    '203.0.113.9'
    >>> proxies.client("198.51.100.1", {"x-forwarded-for": "203.0.113.9"})
    '198.51.100.1'
    """

    def __init__(self, trusted: Iterable[str] = ()) -> None:
        self._networks: list[Network] = [ip_network(one, strict=False) for one in trusted]

    def trusts(self, address: str) -> bool:
        found = _read(address) if self._networks else None
        return found is not None and any(found in network for network in self._networks)

    def overlaps(self, network: Network) -> bool:
        """Whether one of them is in that network."""
        return any(network.version == one.version and network.overlaps(one) for one in self._networks)

    def client(self, peer: str, headers: Mapping[str, str]) -> str:
        """Where a request comes from: the last address on its way that no proxy of ours has."""
        address = peer
        for hop in reversed(headers.get("x-forwarded-for", "").split(",")):
            if not self.trusts(address) or _read(hop.strip()) is None:
                break
            address = hop.strip()
        return address

    def secure(self, peer: str, headers: Mapping[str, str]) -> bool:
        """Whether a request came to the proxy by https."""
        return self.trusts(peer) and headers.get("x-forwarded-proto", "").strip() == "https"


def _read(address: str) -> IPv4Address | IPv6Address | None:
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return mapped or found


def lan_address(host: str) -> str | None:
    """Where others on the network find what listens on this; None when they don't, or there is no network."""
    if host in LOCAL or host.startswith("127."):
        return None
    if host not in ("0.0.0.0", "::", ""):
        return f"[{host}]" if ":" in host else host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: it only asks which way a packet would go
        except OSError:
            return None
        return str(probe.getsockname()[0])
