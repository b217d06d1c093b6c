"""Engine.IO and Socket.IO by themselves, under a protocol that only echoes: real clients, and rough handling."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterable
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from croupier.games import Catalogue
from croupier.net import engineio
from croupier.net.engineio import EngineIoConnection
from croupier.tables.dialect import Message
from croupier.tables.endpoint import ConnectionRequest, Endpoint
from croupier.tables.intents import Intent
from croupier.tables.socketio_dialect import SocketIoDialect
from croupier.wire.socketio import acknowledgement, connected, event
from tests.live import LiveHere, server
from tests.socketio_clients import bare_client, node_client, python_client

PAGE = "http://localhost:5173"


class Echo(SocketIoDialect):
    numbers = count(1)
    rate = 0.0

    def entered(self, auth: Any) -> Iterable[Intent | Message]:
        yield connected(f"echo{next(self.numbers)}")
        yield event("welcome", auth)

    def left(self) -> Iterable[Intent | Message]:
        return ()

    def heard(self, name: str, argument: Any, ack: int | None) -> Iterable[Intent | Message]:
        told = [] if argument is None else [str(argument) if isinstance(argument, bytes) else argument]
        if ack is not None:
            yield acknowledgement(ack, told)
        yield event(name, *told)

    def slow_down(self, message: Message, text: bool, wait: int) -> Iterable[Message]:
        yield event("slower", message.decode())


def echoes(dialect: type[Echo] = Echo) -> Catalogue:
    def accept(request: ConnectionRequest) -> Echo:
        return dialect()

    endpoint = Endpoint("echo", "/socket.io", accept, checks_origin=True, origins=(PAGE,), transport="engine.io")
    return Catalogue({}, [endpoint])


@pytest.fixture
async def live(tmp_path: Path) -> AsyncIterator[LiveHere]:
    async with server(tmp_path, echoes(), listen=("echo=127.0.0.1:0",)) as running:
        yield running


@pytest.fixture
async def http(live: LiveHere) -> AsyncIterator[ClientSession]:
    async with ClientSession(live.http) as session:
        yield session


def url(**query: str) -> str:
    return "/socket.io/?" + "&".join(f"{key}={value}" for key, value in query.items())


OPEN = url(EIO="4", transport="polling")


async def fetch(http: ClientSession, where: str) -> list[str]:
    """The packets of one poll."""
    async with http.get(where) as response:
        assert response.status == 200, await response.text()
        assert response.content_type == "text/plain"
        return (await response.text()).split("\x1e")


async def enter(http: ClientSession) -> str:
    """Open a connection by polling, and the namespace; returns where it polls."""
    (packet,) = await fetch(http, OPEN)
    mine = url(EIO="4", transport="polling", sid=json.loads(packet[1:])["sid"])
    await post(http, mine, "40")
    assert (await fetch(http, mine))[1:] == ['42["welcome",null]']
    return mine


async def post(http: ClientSession, where: str, *packets: str) -> None:
    async with http.post(where, data="\x1e".join(packets)) as response:
        assert (response.status, await response.text()) == (200, "ok")


async def waiting_poll(live: LiveHere, http: ClientSession, mine: str) -> asyncio.Task[list[str]]:
    """A poll that has arrived and finds nothing to fetch."""
    poll = asyncio.create_task(fetch(http, mine))
    async with asyncio.timeout(10):
        while not any(isinstance(each, EngineIoConnection) and each._poll for each in live.admission.connections):  # noqa: ASYNC110
            await asyncio.sleep(0.001)
    return poll


async def nobody(live: LiveHere) -> None:
    """Returns when no connection is left."""
    async with asyncio.timeout(10):
        while live.admission.connections:  # noqa: ASYNC110
            await asyncio.sleep(0.005)


# Clients that people use


@pytest.mark.parametrize("where", ["http", "echo"])
@pytest.mark.parametrize("transports", [["polling"], ["websocket"], None])
async def test_the_python_client(live: LiveHere, transports: list[str] | None, where: str) -> None:
    address = f"http://127.0.0.1:{live.ports[where]}"
    async with python_client(address, transports, auth={"token": "t"}) as ann:
        assert ann.transport == ("polling" if transports == ["polling"] else "websocket")
        assert await ann.hears("welcome") == {"token": "t"}
        assert await ann.call("dance", "é", "of no interest") == ["é"]
        assert await ann.next() == ["dance", "é"]
        for number in range(200):
            await ann.emit("count", number)
        assert [await ann.hears("count") for _ in range(200)] == list(range(200))
        await ann.emit("long", "x" * 900_000)
        assert len(await ann.hears("long")) >= 900_000
        await ann.emit("binary", b"\x00\xff")
        assert await ann.hears("binary") == str(b"\x00\xff")
    await nobody(live)


@pytest.mark.parametrize("transports", [["polling"], ["websocket"], ["polling", "websocket"]])
async def test_the_javascript_client(live: LiveHere, transports: list[str]) -> None:
    async with node_client(live.http, transports=transports, auth={"token": "t"}) as ann:
        assert (await ann.happens("connect")).startswith("echo")
        assert await ann.hears("welcome") == {"token": "t"}
        if ann.transport != transports[-1]:
            assert await ann.happens("upgrade") == transports[-1]
        assert ann.transport == transports[-1]
        assert await ann.call("dance", "é", "of no interest") == ["é"]
        assert await ann.next() == ["dance", "é"]
        for number in range(200):
            await ann.emit("count", number)
        assert [await ann.hears("count") for _ in range(200)] == list(range(200))
        await ann.command("binary", "blob")
        assert await ann.hears("blob") == str(b"bytes")
        # Out of the namespace and in again, and back by itself after a torn line.
        await ann.command("disconnect")
        await ann.happens("disconnect")
        await ann.command("connect")
        await ann.happens("connect")
        await ann.hears("welcome")
        await ann.tear()
        await ann.happens("connect")
        await ann.hears("welcome")
        await ann.command("disconnect")  # says goodbye: who vanishes between two polls is missed at the next ping
        await nobody(live)


async def test_events_during_the_change_of_transport_are_neither_lost_nor_doubled(live: LiveHere) -> None:
    async with node_client(live.http) as ann:
        for number in range(300):
            await ann.emit("count", number)
        await ann.hears("welcome")
        assert [await ann.hears("count") for _ in range(300)] == list(range(300))
        assert ann.transport == "websocket" or await ann.happens("upgrade") == "websocket"


# The handshake


async def test_the_open_packet(live: LiveHere, http: ClientSession) -> None:
    (packet,) = await fetch(http, OPEN)
    told = json.loads(packet[1:])
    assert len(told.pop("sid")) > 20
    assert told == {"upgrades": ["websocket"], "pingInterval": 25000, "pingTimeout": 20000, "maxPayload": 1000000}
    async with connect(live.ws(url(EIO="4", transport="websocket"))) as socket:
        assert json.loads(str(await socket.recv())[1:])["upgrades"] == []


@pytest.mark.parametrize(
    ("method", "query", "code", "message"),
    [
        ("GET", {"EIO": "4"}, 0, "Transport unknown"),
        ("GET", {"EIO": "4", "transport": "pigeon"}, 0, "Transport unknown"),
        ("GET", {"EIO": "4", "transport": "polling", "sid": "nobody"}, 1, "Session ID unknown"),
        ("POST", {"EIO": "4", "transport": "polling", "sid": "nobody"}, 1, "Session ID unknown"),
        ("POST", {"EIO": "4", "transport": "polling"}, 2, "Bad handshake method"),
        ("PUT", {"EIO": "4", "transport": "polling"}, 2, "Bad handshake method"),
        ("GET", {"EIO": "4", "transport": "websocket"}, 3, "Bad request"),
        ("GET", {"EIO": "3", "transport": "polling"}, 5, "Unsupported protocol version"),
        ("GET", {"transport": "polling"}, 5, "Unsupported protocol version"),
    ],
)
async def test_bad_requests(http: ClientSession, method: str, query: dict[str, str], code: int, message: str) -> None:
    async with http.request(method, url(**query)) as response:
        assert response.status == 400
        assert await response.json() == {"code": code, "message": message}


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ({"EIO": "4"}, 0),
        ({"EIO": "4", "transport": "websocket", "sid": "nobody"}, 1),
        ({"EIO": "4", "transport": "polling"}, 3),
        ({"EIO": "3", "transport": "websocket"}, 5),
    ],
)
async def test_bad_requests_for_a_websocket(live: LiveHere, query: dict[str, str], code: int) -> None:
    with pytest.raises(InvalidStatus) as caught:
        await connect(live.ws(url(**query)))
    assert caught.value.response.status_code == 400
    assert json.loads(caught.value.response.body or b"")["code"] == code


async def test_a_port_of_its_own_has_nothing_else(live: LiveHere) -> None:
    async with ClientSession(f"http://127.0.0.1:{live.ports['echo']}") as http:
        assert (await fetch(http, OPEN))[0].startswith("0{")
        async with http.get("/") as response:
            assert response.status == 426
    with pytest.raises(InvalidStatus) as caught:
        await connect(live.own("echo", "/"))
    assert caught.value.response.status_code == 404


async def test_pages_of_other_sites(tmp_path: Path) -> None:
    async with (
        server(tmp_path, echoes(), allow_origin=("https://friend.example",)) as live,
        ClientSession(live.http) as http,
    ):
        for origin in (PAGE, "https://friend.example", live.http):
            async with http.get(OPEN, headers={"Origin": origin}) as response:
                assert response.status == 200
                assert response.headers["Access-Control-Allow-Origin"] == origin
                assert response.headers["Access-Control-Allow-Credentials"] == "true"
            asked = {"Origin": origin, "Access-Control-Request-Headers": "content-type"}
            async with http.options(OPEN, headers=asked) as response:
                assert response.status == 204
                assert response.headers["Access-Control-Allow-Origin"] == origin
                assert "POST" in response.headers["Access-Control-Allow-Methods"]
                assert response.headers["Access-Control-Allow-Headers"] == "content-type"
            async with connect(live.ws(url(EIO="4", transport="websocket")), origin=origin):  # type: ignore[arg-type]
                pass
        # An error can be read by the page too.
        async with http.get(url(EIO="3", transport="polling"), headers={"Origin": PAGE}) as response:
            assert (response.status, response.headers["Access-Control-Allow-Origin"]) == (400, PAGE)
        for origin in ("https://evil.example", "null", "http://["):
            async with http.get(OPEN, headers={"Origin": origin}) as response:
                assert response.status == 403
                assert await response.json() == {"code": 4, "message": "Forbidden"}
                assert "Access-Control-Allow-Origin" not in response.headers
            with pytest.raises(InvalidStatus) as caught:
                await connect(live.ws(url(EIO="4", transport="websocket")), origin=origin)  # type: ignore[arg-type]
            assert caught.value.response.status_code == 403
        async with http.get(OPEN) as response:
            assert response.status == 200
            assert "Access-Control-Allow-Origin" not in response.headers
    async with (
        server(tmp_path, echoes(), allow_origin=("*",)) as live,
        ClientSession(live.http, headers={"Origin": "https://evil.example"}) as http,
        http.get(OPEN) as response,
    ):
        assert response.headers["Access-Control-Allow-Origin"] == "https://evil.example"


# Polling


async def test_several_packets_travel_together(http: ClientSession) -> None:
    mine = await enter(http)
    await post(http, mine, '42["a",1]', '42["b"]', "b" + "AP8=")
    # The last one is an attachment that nobody announced.
    assert await fetch(http, mine) == ['42["a",1]', '42["b"]', "1"]
    async with http.get(mine) as response:
        assert (await response.json())["code"] == 1


async def test_a_poll_waits_for_something_to_fetch(live: LiveHere, http: ClientSession) -> None:
    mine = await enter(http)
    waiting = await waiting_poll(live, http, mine)
    await post(http, mine, '42["a"]')
    assert await waiting == ['42["a"]']


async def test_two_polls_at_a_time_end_the_connection(live: LiveHere, http: ClientSession) -> None:
    mine = await enter(http)
    waiting = await waiting_poll(live, http, mine)
    async with http.get(mine) as response:
        assert (response.status, (await response.json())["code"]) == (400, 3)
    assert await waiting == ["1"]
    await nobody(live)


async def test_who_breaks_off_a_poll_is_gone(live: LiveHere, http: ClientSession) -> None:
    mine = await enter(http)
    waiting = await waiting_poll(live, http, mine)
    waiting.cancel()
    await nobody(live)


async def test_too_much_at_once_ends_the_connection(live: LiveHere, http: ClientSession) -> None:
    mine = await enter(http)
    await post(http, mine, '42["' + "x" * (1_000_000 - 6) + '"]')
    await fetch(http, mine)
    async with http.post(mine, data='42["' + "x" * (1_000_000 - 5) + '"]') as response:
        assert response.status == 413
    await nobody(live)


async def test_a_client_may_take_its_leave(live: LiveHere, http: ClientSession) -> None:
    mine = await enter(http)
    await post(http, mine, "1")
    await nobody(live)


async def test_what_is_never_fetched_ends_the_connection(tmp_path: Path) -> None:
    async with server(tmp_path, echoes(), outbox_size=65536) as live, ClientSession(live.http) as http:
        mine = await enter(http)
        for _ in range(10):
            async with http.post(mine, data='42["' + "x" * 10_000 + '"]') as response:
                if response.status == 400:
                    break
        await nobody(live)


async def test_a_server_that_goes_says_goodbye(tmp_path: Path) -> None:
    async with ClientSession() as http, server(tmp_path, echoes()) as live:
        async with http.get(live.http + OPEN) as response:
            sid = json.loads((await response.text())[1:])["sid"]
        waiting = asyncio.create_task(fetch(http, live.http + url(EIO="4", transport="polling", sid=sid)))
        async with bare_client(live.http) as other:
            await asyncio.sleep(0.05)
            live.admission.close_all()
            assert await waiting == ["1"]
            assert await other.closed() == 1012


# The change to a WebSocket


async def test_an_upgrade_step_by_step(live: LiveHere, http: ClientSession) -> None:
    mine = await enter(http)
    over = live.ws(mine.replace("polling", "websocket"))
    async with connect(over) as socket:
        waiting = await waiting_poll(live, http, mine)
        await socket.send("2probe")
        assert await socket.recv() == "3probe"
        assert await waiting == ["6"]  # the poll goes home, and so would another one
        assert await fetch(http, mine) == ["6"]
        await post(http, mine, '42["before"]')
        with pytest.raises(InvalidStatus):
            await connect(over)
        await socket.send("5")
        assert await socket.recv() == '42["before"]'
        await socket.send('42["after"]')
        assert await socket.recv() == '42["after"]'
        for method in ("GET", "POST"):
            async with http.request(method, mine) as response:
                assert (response.status, (await response.json())["code"]) == (400, 3)
        with pytest.raises(InvalidStatus):
            await connect(over)
    await nobody(live)


@pytest.mark.parametrize("nonsense", ["2", "5", '42["a"]', "", b"2probe2"])
async def test_a_failed_probe_harms_nobody(live: LiveHere, http: ClientSession, nonsense: str | bytes) -> None:
    mine = await enter(http)
    async with connect(live.ws(mine.replace("polling", "websocket"))) as socket:
        await socket.send(nonsense)
        with pytest.raises(ConnectionClosed):
            await socket.recv()
    await post(http, mine, '42["still here"]')
    assert await fetch(http, mine) == ['42["still here"]']


async def test_a_probe_that_gives_up_leaves_the_polling_as_it_was(live: LiveHere, http: ClientSession) -> None:
    mine = await enter(http)
    over = live.ws(mine.replace("polling", "websocket"))
    async with connect(over) as socket:
        await socket.send("2probe")
        assert await socket.recv() == "3probe"
    async with connect(over) as socket:
        await socket.send("2probe")
        assert await socket.recv() == "3probe"
    await post(http, mine, '42["still here"]')
    assert await fetch(http, mine) == ['42["still here"]']


async def test_a_probe_has_ten_seconds(live: LiveHere, http: ClientSession, monkeypatch: pytest.MonkeyPatch) -> None:
    assert engineio.UPGRADE_TIMEOUT == 10
    monkeypatch.setattr(engineio, "UPGRADE_TIMEOUT", 0.01)
    mine = await enter(http)
    async with connect(live.ws(mine.replace("polling", "websocket"))) as socket:
        with pytest.raises(ConnectionClosed):
            await socket.recv()
    await post(http, mine, '42["still here"]')
    assert await fetch(http, mine) == ['42["still here"]']


# Signs of life


async def test_who_does_not_answer_a_ping_is_gone(live: LiveHere, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engineio, "PING_EVERY", 0.01)
    async with connect(live.ws(url(EIO="4", transport="websocket"))) as socket:
        assert str(await socket.recv()).startswith("0")
        for _ in range(10):
            assert await socket.recv() == "2"
            await socket.send("3")
        assert await socket.recv() == "2"
        monkeypatch.setattr(engineio, "PING_TIMEOUT", 0.01)
        await socket.send("3")
        assert await socket.recv() == "2"
        with pytest.raises(ConnectionClosed):
            await socket.recv()
    async with ClientSession(live.http) as http:
        await fetch(http, OPEN)
        await nobody(live)


# Nonsense


@pytest.mark.parametrize(
    "nonsense",
    [
        "",
        "9",
        "x",
        "2",
        "2probe",
        "4",
        "4x",
        "49",
        "42",
        "42{}",
        "42[]",
        "42[null]",
        "42[{}]",
        '42["a"',
        '42["a",NaN]',
        "42" + "[" * 100_000,
        "40",
        '42/other,["a"]',
        "44",
        '452-["a",{"_placeholder":true,"num":0}]' + "\n",
        '4511-["a"]',
        '421-["a"]',
        b"\x00\x01",
    ],
)
async def test_nonsense_ends_the_connection_and_nothing_else(live: LiveHere, nonsense: str | bytes) -> None:
    async with bare_client(live.http) as other, bare_client(live.http) as ann:
        await other.enters()
        await other.hears("welcome")
        await ann.enters()
        await ann.hears("welcome")
        await ann.say(nonsense)
        if isinstance(nonsense, str) and nonsense.startswith("45"):
            await ann.say("no attachment")
        assert await ann.closed() is not None
        await other.emit("still here")
        await other.hears("still here")


async def test_before_the_namespace_nothing_else_makes_sense(live: LiveHere) -> None:
    async with bare_client(live.http) as ann:
        await ann.say('42["a"]')
        assert await ann.closed() is not None


async def test_another_namespace_is_refused(live: LiveHere) -> None:
    async with bare_client(live.http) as ann:
        await ann.say("40/admin,")
        assert await ann.packet() == '44/admin,{"message":"Invalid namespace"}'
        await ann.enters()
    async with node_client(live.http + "/admin") as nan:
        assert await nan.happens("connect_error") == "Invalid namespace"


async def test_what_javascript_calls_json(live: LiveHere) -> None:
    async with bare_client(live.http) as ann:
        await ann.enters()
        await ann.hears("welcome")
        await ann.say('421["a",1e400,' + "9" * 5000 + "]")
        assert (await ann.packet()).startswith("431[")
        await ann.next()
        await ann.say('3["an acknowledgement of nothing"]')
        await ann.say('43["an acknowledgement of nothing"]')
        await ann.say('46-1["another"]')
        assert await ann.closed() is not None


async def test_a_message_that_is_too_long_ends_the_connection(live: LiveHere) -> None:
    async with bare_client(live.http) as ann:
        await ann.enters()
        await ann.hears("welcome")
        await ann.say('42["' + "x" * 999_994 + '"]')
        await ann.next()
        await ann.say('42["' + "x" * 999_995 + '"]')
        assert await ann.closed() == 1009


# Limits


async def test_every_kind_of_connection_counts(tmp_path: Path) -> None:
    async with server(tmp_path, echoes(), max_connections_per_address=2) as live, ClientSession(live.http) as http:
        mine = await enter(http)
        async with connect(live.ws(mine.replace("polling", "websocket"))) as socket:  # the same one, on its way over
            await socket.send("2probe")
            async with bare_client(live.http):
                async with http.get(OPEN) as response:
                    assert response.status == 503
                with pytest.raises(InvalidStatus) as caught:
                    await connect(live.ws(url(EIO="4", transport="websocket")))
                assert caught.value.response.status_code == 503
        await post(http, mine, "1")
        await nobody(live)
        await enter(http)


async def test_too_much_is_said_once_a_second_and_dropped(tmp_path: Path) -> None:
    class Hurried(Echo):
        rate = 5.0

    async with server(tmp_path, echoes(Hurried)) as live, bare_client(live.http) as ann:
        await ann.enters()
        await ann.hears("welcome")
        for number in range(1000):
            await ann.emit("count", number)
        await ann.say("41")
        heard: list[list[Any]] = []
        while not heard or heard[-1][0] != "slower":
            heard.append(await ann.next())
        assert heard[:-1] == [["count", number] for number in range(len(heard) - 1)]
        assert len(heard) >= 5
        assert live.admission.connections
