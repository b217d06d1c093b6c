"""Connections are accepted one by one, and again when the system has room for them."""

from __future__ import annotations

import asyncio
import os
import resource
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from croupier.net import port
from croupier.net.port import TcpPort, bind
from tests.live import server

CALLERS = 40
TRUSTED = ("127.0.0.1",)
"""Nobody there has to wait for a turn."""


@contextmanager
def callers(number: int) -> Iterator[None]:
    """People whose connections wait to be accepted."""
    connected = [socket.create_connection(("127.0.0.1", number)) for _ in range(CALLERS)]
    try:
        yield
    finally:
        for caller in connected:
            caller.close()


class Heard(asyncio.Protocol):
    delays = True

    def __init__(self, came: list[Heard]) -> None:
        came.append(self)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        line = transport.get_extra_info("socket")
        self.delays = not line.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


async def test_of_those_who_come_at_once_one_is_accepted_in_each_turn_of_the_loop(tmp_path: Path) -> None:
    came = list[Heard]()
    async with server(tmp_path, trusted_proxy=TRUSTED) as live:
        opened = TcpPort(live.admission, lambda: Heard(came), await bind("127.0.0.1", 0))
        with callers(opened.number):
            async with asyncio.timeout(20):
                while (before := len(came)) < CALLERS:
                    await asyncio.sleep(0)
                    assert len(came) <= before + 1
                await asyncio.sleep(0)
                assert not any(heard.delays for heard in came)
        opened.close()


async def test_when_the_system_has_no_more_sockets_those_who_wait_are_accepted_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(port, "RETRY", 0.01)
    came = list[Heard]()
    async with server(tmp_path, trusted_proxy=TRUSTED) as live:
        opened = TcpPort(live.admission, lambda: Heard(came), await bind("127.0.0.1", 0))
        with callers(opened.number):
            soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
            free = os.dup(0)  # the lowest number that is not used
            os.close(free)
            resource.setrlimit(resource.RLIMIT_NOFILE, (free, hard))
            try:
                for _ in range(10):
                    await asyncio.sleep(0.01)
                assert not came
            finally:
                resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
            async with asyncio.timeout(20):
                while len(came) < CALLERS:  # noqa: ASYNC110 - nobody tells
                    await asyncio.sleep(0.01)
        opened.close()


async def test_an_empty_host_is_every_address_of_the_machine() -> None:
    sockets = await bind("", 0)
    families = {each.family for each in sockets}
    for each in sockets:
        each.close()
    assert socket.AF_INET in families
    assert (socket.AF_INET6 in families) == socket.has_dualstack_ipv6()


async def test_a_port_that_is_taken_is_an_error() -> None:
    (taken,) = await bind("127.0.0.1", 0)
    with taken, pytest.raises(OSError, match="in use"):
        await bind("127.0.0.1", taken.getsockname()[1])
