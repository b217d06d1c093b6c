"""Who polls has a connection at one node; the next request comes to another."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from aiohttp import ClientSession
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from croupier.games import Catalogue, catalogue
from croupier.net.relay import NodeAddress
from tests import services
from tests.client import Json, client
from tests.conformance.test_faraway_mixed_table import Visitor, play_native
from tests.live import LiveHere, process, request, server
from tests.net.test_engineio import OPEN, echoes, fetch, nobody, post, url
from tests.socketio_clients import node_client, python_client

UNKNOWN = {"code": 1, "message": "Session ID unknown"}


def shared() -> dict[str, Any]:
    return {"journal": services.database(), "bus": services.bus()}


@asynccontextmanager
async def two(data: Path, games: Catalogue) -> AsyncIterator[list[LiveHere]]:
    settings = shared()
    async with server(data, games, **settings) as one, server(data, games, **settings) as other:
        yield [one, other]


@pytest.fixture
async def nodes(tmp_path: Path) -> AsyncIterator[list[LiveHere]]:
    async with two(tmp_path, echoes()) as started:
        yield started


@pytest.fixture
async def https(nodes: list[LiveHere]) -> AsyncIterator[list[ClientSession]]:
    async with ClientSession(nodes[0].http) as one, ClientSession(nodes[1].http) as other:
        yield [one, other]


@asynccontextmanager
async def balancer(nodes: list[LiveHere]) -> AsyncIterator[str]:
    """Every request comes to another node than the one before."""
    turns: Iterator[LiveHere] = itertools.cycle(nodes)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        if b"upgrade: websocket" not in head.lower():  # otherwise there would be more requests on this connection
            lines = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"connection:")]
            head = b"\r\n".join([lines[0], b"Connection: close", *lines[1:]])
        node_reader, node_writer = await asyncio.open_connection("127.0.0.1", next(turns).ports["http"])
        node_writer.write(head)
        await asyncio.gather(pump(reader, node_writer), pump(node_reader, writer))

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as listening:
        yield f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"


async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()


async def begin(http: ClientSession, where: str = "") -> str:
    """Open a connection by polling; returns where it polls."""
    (packet,) = await fetch(http, where + OPEN)
    return url(EIO="4", transport="polling", sid=json.loads(packet[1:])["sid"])


async def test_polls_and_posts_come_to_either_node(nodes: list[LiveHere], https: list[ClientSession]) -> None:
    one, other = https
    mine = await begin(one)
    assert len(nodes[0].admission.connections) == 1
    await post(other, mine, "40")
    assert (await fetch(other, mine))[1:] == ['42["welcome",null]']
    for http, reader in itertools.product(https, https):
        poll = asyncio.create_task(fetch(reader, mine))
        await post(http, mine, '42["dance"]', '42["sing"]')
        heard = await poll
        while len(heard) < 2:
            heard += await fetch(reader, mine)
        assert heard == ['42["dance"]', '42["sing"]']
    await post(other, mine, "1")
    await nobody(nodes[0])


async def test_what_is_too_long_is_too_long_at_either_node(nodes: list[LiveHere], https: list[ClientSession]) -> None:
    mine = await begin(https[0])
    async with https[1].post(mine, data=b"4" * 1_000_001) as response:
        assert response.status == 413
    await nobody(nodes[0])


async def test_who_hangs_up_at_the_other_node_is_gone(nodes: list[LiveHere], https: list[ClientSession]) -> None:
    mine = await begin(https[0])
    poll = asyncio.create_task(fetch(https[1], mine))
    await polled(nodes[0])
    poll.cancel()
    await nobody(nodes[0])


async def test_a_page_of_another_site_is_told_what_it_is_told_elsewhere(https: list[ClientSession]) -> None:
    mine = await begin(https[0])
    for http in https:
        async with http.post(mine, data="40", headers={"Origin": "http://localhost:5173"}) as response:
            assert response.status == 200
            assert response.headers["Access-Control-Allow-Origin"] == "http://localhost:5173"
        async with http.post(mine, data="40", headers={"Origin": "http://evil.example"}) as response:
            assert response.status == 403


async def test_the_connection_s_node_is_killed(tmp_path: Path) -> None:
    settings = shared()
    flags = [f"--{name}={value}" for name, value in settings.items()]
    async with (
        server(tmp_path, **settings) as here,
        ClientSession(here.http) as http,
        process(tmp_path, *flags) as other,
    ):
        async with ClientSession(other.http) as away:
            mine = await begin(away)
        await post(http, mine, "40")
        await fetch(http, mine)
        poll = asyncio.create_task(outcome(http, mine))
        await other.kill()
        assert await poll == (400, UNKNOWN)
        assert await outcome(http, mine) == (400, UNKNOWN)
        again = await begin(http)
        await post(http, again, "1")


async def outcome(http: ClientSession, where: str) -> tuple[int, object]:
    async with http.get(where) as response:
        return response.status, await response.json()


async def test_the_node_between_goes_down_while_it_passes_on_a_poll(tmp_path: Path) -> None:
    settings = shared()
    async with server(tmp_path, echoes(), **settings) as owner, ClientSession() as http:
        mine = await begin(http, owner.http)
        async with server(tmp_path, echoes(), **settings) as node:
            poll = asyncio.create_task(outcome(http, node.http + mine))
            await polled(owner)
        assert await poll == (400, UNKNOWN)
        await nobody(owner)


async def test_the_node_between_goes_down_while_it_passes_on_a_websocket(tmp_path: Path) -> None:
    settings = shared()
    async with server(tmp_path, echoes(), **settings) as owner, ClientSession(owner.http) as http:
        mine = await begin(http)
        async with server(tmp_path, echoes(), **settings) as node:
            socket = await connect(node.ws(mine.replace("polling", "websocket")))
            await socket.send("2probe")
            assert await socket.recv() == "3probe"
            await socket.send("5")
        with pytest.raises(ConnectionClosed):
            await socket.recv()
        await nobody(owner)


async def polled(node: LiveHere) -> None:
    """Returns when a poll waits there."""
    async with asyncio.timeout(10):
        while not next(iter(node.admission.connections))._poll:  # type: ignore[attr-defined]  # noqa: ASYNC110
            await asyncio.sleep(0.001)


async def test_the_private_port_makes_no_connections(nodes: list[LiveHere]) -> None:
    for node in nodes:
        assert node.house.cluster is not None
        private = msgspec.msgpack.decode(node.house.cluster.about, type=NodeAddress)
        assert private.host == "127.0.0.1"
        reply = await request(private.port, "GET", OPEN)
        assert (reply.status, json.loads(reply.body)) == (400, UNKNOWN)
        with pytest.raises(InvalidStatus):
            async with connect(f"ws://127.0.0.1:{private.port}{url(EIO='4', transport='websocket')}"):
                pass
        assert (await request(private.port, "GET", "/")).status == 404
        assert (await request(private.port, "GET", "/metrics")).status == 200
        assert not node.admission.connections


@pytest.mark.parametrize("sid", ["nobody", "nobody.here", "nobody."])
async def test_a_connection_that_is_nowhere(nodes: list[LiveHere], https: list[ClientSession], sid: str) -> None:
    for transport in ("polling", "websocket"):
        async with https[1].get(url(EIO="4", transport=transport, sid=sid)) as response:
            assert (response.status, await response.json()) == (400, UNKNOWN)
    with pytest.raises(InvalidStatus) as rejected:
        async with connect(nodes[1].ws(url(EIO="4", transport="websocket", sid=sid))):
            pass
    assert json.loads(rejected.value.response.body or b"") == UNKNOWN


@pytest.mark.parametrize("transports", [["polling"], None])
async def test_the_python_client_meets_both_nodes(nodes: list[LiveHere], transports: list[str] | None) -> None:
    async with balancer(nodes) as address, python_client(address, transports, auth={"token": "t"}) as ann:
        assert ann.transport == ("websocket" if transports is None else "polling")
        assert await ann.hears("welcome") == {"token": "t"}
        for number in range(50):
            await ann.emit("count", number)
        assert [await ann.hears("count") for _ in range(50)] == list(range(50))
        await ann.emit("long", "x" * 900_000)
        assert len(await ann.hears("long")) >= 900_000
    for node in nodes:
        await nobody(node)


@pytest.mark.parametrize("transports", [["polling"], ["polling", "websocket"]])
async def test_the_javascript_client_meets_both_nodes(nodes: list[LiveHere], transports: list[str]) -> None:
    async with balancer(nodes) as address, node_client(address, transports=transports, auth={"token": "t"}) as ann:
        assert (await ann.happens("connect")).startswith("echo")
        assert await ann.hears("welcome") == {"token": "t"}
        if ann.transport != transports[-1]:
            assert await ann.happens("upgrade") == transports[-1]
        for number in range(50):
            await ann.emit("count", number)
        assert [await ann.hears("count") for _ in range(50)] == list(range(50))
        await ann.command("disconnect")
        for node in nodes:
            await nobody(node)


async def test_real_clients_that_poll_play_a_game(tmp_path: Path) -> None:
    async with (
        two(tmp_path, catalogue()) as nodes,
        balancer(nodes) as address,
        client(nodes[0].ws("/ws?views=1")) as ann,
        python_client(address, ["polling"]) as bob,
        node_client(address, transports=["polling"]) as carl,
    ):
        opened = await ann.ask("open", game="faraway", player="Ann", seats=3)
        code = opened["sync"]["table"]["code"]
        async with asyncio.timeout(20):
            for node in nodes:  # both have heard of it
                while code not in (await request(node.ports["http"], "GET", "/api/tables")).body.decode():
                    pass
        await carl.happens("connect")
        visitors = [Visitor(bob), Visitor(carl)]
        for visitor in visitors:
            await visitor.join(code)
        await ann.ask("start")
        views: dict[int, Json] = {}
        async with asyncio.timeout(60):
            _, *ends = await asyncio.gather(play_native(ann, views), *(visitor.play() for visitor in visitors))
        assert ends[0]["ranking"] == ends[1]["ranking"]
        assert {bob.transport, carl.transport} == {"polling"}
        await carl.command("disconnect")
