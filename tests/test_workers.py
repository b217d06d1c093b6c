"""``--workers``: several nodes on one port, and a parent that looks after them."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from services.processes import free_port
from tests import services
from tests.client import client
from tests.live import LiveProcess, process, request

WORKERS = 3
PORTS = ("--listen", "fortress=127.0.0.1:0", "--listen", "fortress-lan=127.0.0.1:0")
"""One that all nodes share, and one that only one of them can have."""


def children(pid: int) -> set[int]:
    """Processes whose parent it is."""
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return {int(child) for child in found.split()}


def running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes() != b""  # which a zombie has none of
    except FileNotFoundError:
        return False


async def until_gone(pid: int) -> None:
    async with asyncio.timeout(20):
        while running(pid):  # noqa: ASYNC110
            await asyncio.sleep(0.01)


@asynccontextmanager
async def workers(data: Path, *flags: str) -> AsyncIterator[LiveProcess]:
    shared = ("--journal", services.database(), "--bus", services.bus(), "--workers", str(WORKERS))
    async with process(data, *shared, *flags, log=data / "log") as live:
        yield live


async def answering(live: LiveProcess, count: int) -> None:
    """Returns when that many nodes have answered on the port: what polls has the node's id in its own."""
    found: set[str] = set()
    async with asyncio.timeout(20):
        while len(found) < count:
            with suppress(ConnectionError):  # of one that has just been killed
                reply = await request(live.ports["http"], "GET", "/socket.io/?EIO=4&transport=polling")
                found.add(json.loads(reply.body[1:])["sid"].partition(".")[2])


async def test_people_at_one_port_are_at_several_nodes_and_meet(tmp_path: Path) -> None:
    async with workers(tmp_path, *PORTS) as live:
        assert len(children(live.pid)) == WORKERS
        await answering(live, WORKERS)
        async with client(live.ws("/ws")) as ann:
            await ann.ask("open", game="palace", player="Ann", seats=2 * WORKERS)
            for number in range(WORKERS):
                async with client(live.ws("/ws")) as other:
                    await other.ask("join", table=ann.table, player=f"P{number}")
                    assert (await ann.entry("joined"))["entry"]["name"] == f"P{number}"
        with socket.create_connection(("127.0.0.1", live.ports["fortress"])):
            pass
        nodes = children(live.pid)
        assert await live.terminate() == 0
        assert not any(map(running, nodes))
    assert (tmp_path / "log").read_text() == ""


async def test_each_node_has_metrics_of_its_own(tmp_path: Path) -> None:
    base = free_port(WORKERS)
    async with workers(tmp_path, "--node-address", f"127.0.0.1:{base}") as live:
        seen = [await request(base + number, "GET", "/metrics") for number in range(WORKERS)]
        assert [reply.status for reply in seen] == [200] * WORKERS
        assert await live.terminate() == 0


async def test_a_node_that_is_killed_is_started_again(tmp_path: Path) -> None:
    async with workers(tmp_path) as live:
        before = children(live.pid)
        for victim in before:  # the first one, too, which has opened the port
            os.kill(victim, signal.SIGKILL)
            await until_gone(victim)
        await answering(live, WORKERS)
        assert len(children(live.pid)) == WORKERS
        assert not before & children(live.pid)
        said = (tmp_path / "log").read_text()
        assert said.count("a node has exited and is being restarted") == WORKERS
        assert await live.terminate() == 0


async def test_nodes_do_not_outlive_a_parent_that_is_killed(tmp_path: Path) -> None:
    async with workers(tmp_path) as live:
        nodes = children(live.pid)
        await live.kill()
        for node in nodes:
            await until_gone(node)
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", live.ports["http"]))


@pytest.mark.parametrize("sharing", [False, True])
async def test_a_port_that_somebody_has_is_said_once(tmp_path: Path, sharing: bool) -> None:
    with socket.create_server(("127.0.0.1", 0), reuse_port=sharing) as taken:
        port = str(taken.getsockname()[1])
        done = await asyncio.to_thread(serve, "--journal", services.database(), "--workers", "2", "--port", port)
        assert done.returncode == 2
        problem = f"can't listen on 127.0.0.1:{port} for http: Address already in use; --port chooses another"
        assert done.stderr == f"croupier: {problem}\n"
        assert done.stdout == ""


async def test_a_journal_that_is_not_there_is_said_once(tmp_path: Path) -> None:
    done = await asyncio.to_thread(serve, "--journal", "postgresql://127.0.0.1:1/x", "--workers", "2", "--port", "0")
    assert done.returncode == 2
    assert done.stderr.startswith("croupier: ")
    assert done.stderr.count("\n") == 1


def serve(*flags: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "croupier.cli", "serve", "--host", "127.0.0.1", "--no-game-ports", *flags]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)
