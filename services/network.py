"""A network of one's own, with hosts whose lines to it can be cut: what is sent there is lost, and nobody is told.

Each host is a network namespace with one end of a veth pair; the other ends are at a switch, a namespace with a bridge,
and so is this machine. Packets are dropped by the switch. Nothing of the system's own network is changed, and when
whoever has made it is gone, however that happened, so is all of it: a namespace lives as long as a process in it.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import subprocess
from collections.abc import Sequence
from contextlib import ExitStack
from ipaddress import IPv4Address, IPv4Network
from types import TracebackType

from services.processes import CanNotStart, die_with_parent

_NETWORKS = list(IPv4Network("198.51.100.0/24").subnets(new_prefix=28))
"""For documentation (RFC 5737): nobody has these addresses. One is for each network of this machine."""
_CLONE_NEWNET = 0x40000000

_SWITCH = """
table bridge lines {
    set cut { type ipv4_addr . inet_service; }
    set cut_off { type ipv4_addr; }
    chain forward {
        type filter hook forward priority 0;
        ip saddr . tcp dport @cut drop
        ip daddr . tcp sport @cut drop
        ip saddr @cut_off drop
        ip daddr @cut_off drop
    }
}
"""
"""Of a host, the lines to some ports of others; or all of them."""


class Namespace:
    """A network namespace, and the process that keeps it."""

    def __init__(self) -> None:
        unshare, dies = ctypes.CDLL(None, use_errno=True).unshare, die_with_parent(signal.SIGKILL)

        def leave() -> None:
            dies()
            if unshare(_CLONE_NEWNET):
                raise OSError(ctypes.get_errno(), "no namespace")

        try:
            self._keeper = subprocess.Popen(["sleep", "infinity"], process_group=0, preexec_fn=leave)
        except subprocess.SubprocessError:
            raise CanNotStart("a network of one's own takes root, and a kernel with namespaces") from None
        self.pid = self._keeper.pid
        self.inside = (_program("nsenter"), f"--net=/proc/{self.pid}/ns/net")
        """What a command begins with that is to run there."""
        run(*self.inside, _program("ip"), "link", "set", "lo", "up")

    def close(self) -> None:
        self._keeper.kill()
        self._keeper.wait()


class Host:
    """A place for a node. Made by ``Network.host``."""

    def __init__(self, switch: Namespace, namespace: Namespace, address: IPv4Address) -> None:
        self.address = str(address)
        self.inside = namespace.inside
        """What a command begins with that is to run there."""
        self._switch = switch

    def cut(self, *ports: int) -> None:
        """The lines from here to these ports of others."""
        for port in ports:
            self._drop("add", "cut", f"{self.address} . {port}")

    def mend(self, *ports: int) -> None:
        for port in ports:
            self._drop("delete", "cut", f"{self.address} . {port}")

    def cut_off(self) -> None:
        """From everybody."""
        self._drop("add", "cut_off", self.address)

    def reconnect(self) -> None:
        self._drop("delete", "cut_off", self.address)

    def _drop(self, change: str, lines: str, element: str) -> None:
        nft(self._switch, f"{change} element bridge lines {lines} {{ {element} }}")


class Network:
    """Made by ``with``, in a thread that stays: it ends with that one."""

    def __init__(self) -> None:
        self._made = ExitStack()
        self._hosts = 0

    def __enter__(self) -> Network:
        with ExitStack() as made:
            self._switch = self._namespace(made)
            run(*self._switch.inside, _program("ip"), "link", "add", "switch", "type", "bridge")
            run(*self._switch.inside, _program("ip"), "link", "set", "switch", "up")
            nft(self._switch, _SWITCH)
            self._addresses = self._claim()
            self.address = str(self._addresses[1])
            """Of this machine there."""
            self._made = made.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._made.close()

    def host(self) -> Host:
        self._hosts += 1
        namespace, address = self._namespace(self._made), self._addresses[1 + self._hosts]
        link, peer = "line", f"host-{self._hosts}"
        ip = (*namespace.inside, _program("ip"))
        run(*ip, "link", "add", link, "type", "veth", "peer", "name", peer, "netns", str(self._switch.pid))
        self._plug_in(ip, link, peer, address)
        return Host(self._switch, namespace, address)

    def _claim(self) -> IPv4Network:
        """Connect this machine, by the first addresses that nobody else here has: a link's name can be had once."""
        ip = (_program("ip"),)
        for number, addresses in enumerate(_NETWORKS):
            link = f"croupier-{number}"
            made = subprocess.run(
                [*ip, "link", "add", link, "type", "veth", "peer", "name", "here", "netns", str(self._switch.pid)],
                capture_output=True,
                text=True,
                check=False,
            )
            if made.returncode == 0:
                self._plug_in(ip, link, "here", addresses[1])
                return addresses
            if "File exists" not in made.stderr:
                raise CanNotStart(f"this machine can't be connected to a network of its own: {made.stderr.strip()}")
        raise CanNotStart(f"there are {len(_NETWORKS)} networks on this machine already (ip link)")

    def _plug_in(self, ip: Sequence[str], link: str, peer: str, address: IPv4Address) -> None:
        run(*self._switch.inside, _program("ip"), "link", "set", peer, "master", "switch", "up")
        run(*ip, "addr", "add", f"{address}/{_NETWORKS[0].prefixlen}", "dev", link)
        run(*ip, "link", "set", link, "up")

    def _namespace(self, made: ExitStack) -> Namespace:
        namespace = Namespace()
        made.callback(namespace.close)
        return namespace


def nft(switch: Namespace, rules: str) -> None:
    run(*switch.inside, _program("nft"), "-f", "-", said=rules)


def run(*command: str, said: str = "") -> None:
    done = subprocess.run(command, input=said, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CanNotStart(f"{command} fails: {done.stderr.strip()}")


def _program(name: str) -> str:
    # Not everybody looks for programs in /usr/sbin.
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    if found is None:
        raise CanNotStart(f"{name} is not installed; scripts/install-services does it")
    return found
