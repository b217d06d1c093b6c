"""The nginx configuration of the docs, with a real nginx before nodes that only say who they are."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from http import HTTPStatus
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.http11 import Request, Response

from services.nginx import ClusterNginx
from services.processes import free_port

NODES = 3


class Cluster:
    def __init__(self, nginx: ClusterNginx, nodes: dict[str, Server]) -> None:
        self._nginx = nginx
        self.nodes = nodes

    async def get(self, path: str) -> str:
        """Who answers."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._nginx.port)
        writer.write(
            f"GET {path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 6.6.6.6\r\nConnection: close\r\n\r\n".encode()
        )
        answer = await reader.read()
        writer.close()
        head, _, body = answer.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200"), answer
        node, address = body.decode().split()
        assert address == "127.0.0.1"
        return node

    async def get_many(self, *paths: str) -> set[str]:
        return {await self.get(path) for path in paths}

    async def talk(self, path: str) -> str:
        """The same over a WebSocket."""
        async with connect(f"ws://127.0.0.1:{self._nginx.port}{path}") as connection:
            await connection.send("who is there?")
            return str(await connection.recv())

    async def kill(self, node: str) -> None:
        self.nodes[node].close()
        await self.nodes[node].wait_closed()


@pytest.fixture
async def cluster(tmp_path: Path) -> AsyncIterator[Cluster]:
    nodes = {}
    for number in range(NODES):
        name = f"node-{number}"

        def answer(connection: ServerConnection, request: Request, name: str = name) -> Response | None:
            if "Upgrade" in request.headers:
                return None
            return connection.respond(HTTPStatus.OK, f"{name} {request.headers['X-Forwarded-For']}")

        async def echo(connection: ServerConnection, name: str = name) -> None:
            async for _ in connection:
                await connection.send(name)

        nodes[name] = await serve(echo, "127.0.0.1", 0, process_request=answer)
    ports = [next(iter(node.sockets)).getsockname()[1] for node in nodes.values()]
    with ClusterNginx(tmp_path / "nginx", free_port(), ports) as nginx:
        yield Cluster(nginx, nodes)
        for name in nodes:
            nodes[name].close()


async def test_what_names_a_table_meets_at_one_node(cluster: Cluster) -> None:
    for table in ("k7x2p", "00000000-0000-0000-0000-000000000000"):
        node = await cluster.get(f"/t/{table}")
        paths = [
            f"/t/{table}?language=fr",
            f"/t/{table}/replay",
            f"/api/tables/{table}",
            f"/api/tables/{table}/games/1",
            f"/cambia/lobby/{table}/join",
        ]
        assert await cluster.get_many(*paths) == {node}
        sockets = [
            f"/ws?language=en&table={table}",
            f"/coup/v2/ws?username=Ann&gameCode={table}",
            f"/cambia/lobby/ws/{table}",
            f"/cambia/game/ws/{table}?cards=short",
            f"/cambia/ws/{table}",
        ]
        assert {await cluster.talk(path) for path in sockets} == {node}


async def test_tables_and_all_that_names_none_are_spread(cluster: Cluster) -> None:
    tables = [f"/t/{number}" for number in range(50)]
    assert await cluster.get_many(*tables) == set(cluster.nodes)
    assert await cluster.get_many(*["/"] * 50) == set(cluster.nodes)
    assert {await cluster.talk("/ws") for _ in range(50)} == set(cluster.nodes)


async def test_who_polls_stays_at_one_node(cluster: Cluster) -> None:
    polls = [f"/socket.io/?EIO=4&transport=polling&sid={number}" for number in range(20)]
    (node,) = await cluster.get_many("/socket.io/?EIO=4&transport=polling", *polls)
    assert await cluster.talk("/socket.io/?EIO=4&transport=websocket&sid=1") == node


async def test_that_a_node_is_killed_is_not_noticed(cluster: Cluster) -> None:
    tables = [f"/t/{number}" for number in range(30)]
    before = {table: await cluster.get(table) for table in tables}
    await cluster.kill("node-1")
    after = {table: await cluster.get(table) for table in tables}
    assert {after[table] for table in tables if before[table] == "node-1"} == {"node-0", "node-2"}
    assert all(after[table] == before[table] for table in tables if before[table] != "node-1")
    assert {await cluster.talk(f"/ws?table={number}") for number in range(30)} == {"node-0", "node-2"}
