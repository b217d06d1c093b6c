"""A network of one's own, with hosts whose lines to it can be cut: what is sent there is lost, and nobody is told.

Each host is a network namespace with one end of a veth pair; the other ends are at a switch, a namespace with a bridge.
Whoever makes the network is at it, too: the thread moves into a namespace for as long as it is there, with what it
starts and connects meanwhile. Packets are dropped by the switch. The system's own network notices nothing (a browser on
it would break off what it loads as soon as there is another link), and when whoever has made it is gone, however that
happened, so is all of it: a namespace lives as long as a process in it.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from ipaddress import IPv4Address, IPv4Network
from types import TracebackType

from services.processes import CanNotStart, die_with_parent

_ADDRESSES = IPv4Network("198.51.100.0/24")
"""For documentation (RFC 5737): nobody has these addresses."""
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


_libc = ctypes.CDLL(None, use_errno=True)


class Namespace:
    """A network namespace, and the process that keeps it."""

    def __init__(self) -> None:
        dies = die_with_parent(signal.SIGKILL)

        def leave() -> None:
            dies()
            if _libc.unshare(_CLONE_NEWNET):
                raise OSError(ctypes.get_errno(), "no namespace")

        try:
            self._keeper = subprocess.Popen(["sleep", "infinity"], process_group=0, preexec_fn=leave)
        except subprocess.SubprocessError:
            raise CanNotStart("a network of one's own takes root, and a kernel with namespaces") from None
        self.pid = self._keeper.pid
        self.inside = (_program("nsenter"), f"--net=/proc/{self.pid}/ns/net")
        """What a command begins with that is to run there."""
        run(*self.inside, _program("ip"), "link", "set", "lo", "up")

    @contextmanager
    def entered(self) -> Iterator[None]:
        """By this thread, and by the threads and processes that it starts."""
        outside = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
        try:
            inside = os.open(f"/proc/{self.pid}/ns/net", os.O_RDONLY)
            try:
                _move(inside)
            finally:
                os.close(inside)
            try:
                yield
            finally:
                _move(outside)
        finally:
            os.close(outside)

    def close(self) -> None:
        self._keeper.kill()
        self._keeper.wait()


def _move(namespace: int) -> None:
    if _libc.setns(namespace, _CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), "a namespace can't be entered")


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
    """Made by ``with``, in a thread that stays: it ends with that one, which is at it meanwhile, by ``address``."""

    def __init__(self) -> None:
        self._made = ExitStack()
        self._addresses = _ADDRESSES.hosts()

    def __enter__(self) -> Network:
        with ExitStack() as made:
            self._switch = self._namespace(made)
            run(*self._switch.inside, _program("ip"), "link", "add", "switch", "type", "bridge")
            run(*self._switch.inside, _program("ip"), "link", "set", "switch", "up")
            nft(self._switch, _SWITCH)
            here, address = self._join(made)
            made.enter_context(here.entered())
            self.address = str(address)
            self._made = made.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._made.close()

    def host(self) -> Host:
        return Host(self._switch, *self._join(self._made))

    def _join(self, made: ExitStack) -> tuple[Namespace, IPv4Address]:
        """One more namespace at the switch, and its address."""
        namespace, address = self._namespace(made), next(self._addresses)
        peer, ip = f"host-{int(address) & 0xFF}", (*namespace.inside, _program("ip"))
        run(*ip, "link", "add", "line", "type", "veth", "peer", "name", peer, "netns", str(self._switch.pid))
        run(*self._switch.inside, _program("ip"), "link", "set", peer, "master", "switch", "up")
        run(*ip, "addr", "add", f"{address}/{_ADDRESSES.prefixlen}", "dev", "line")
        run(*ip, "link", "set", "line", "up")
        return namespace, address

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
