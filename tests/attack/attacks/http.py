"""Plain HTTP on the shared port."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress

from tests.attack.attacks.native import said
from tests.attack.lines import Socket, request
from tests.attack.siege import Siege, attack
from tests.fuzz.sockets import frame

READ = {"Accept": "text/html", "Accept_Encoding": "gzip"}


@attack("http")
async def http_tables(siege: Siege) -> None:
    """The list of 100 tables, 50 requests per write."""
    await siege.coup_tables(100)
    siege.begin()
    await siege.requests(request("GET", "/api/tables"))


@attack("http", always=False)
async def http_games(siege: Siege) -> None:
    """The games there are, with their options, 50 requests per write."""
    siege.begin()
    await siege.requests(request("GET", "/api/games"), request("GET", "/api/games?language=fr"))


@attack("http")
async def http_metrics(siege: Siege) -> None:
    """The metrics, 50 requests per write."""
    siege.begin()
    await siege.requests(request("GET", "/metrics"))


@attack("http")
async def http_page(siege: Siege) -> None:
    """The page itself, 50 requests per write."""
    siege.begin()
    await siege.requests(request("GET", "/", **READ), request("GET", "/t/nowhere", **READ))


@attack("http")
async def http_files(siege: Siege) -> None:
    """All files that the page begins with, 20 requests per write."""
    page = (await siege.ask("GET", "/")).body.decode()
    files = re.findall(r"/(?:assets/[\w.-]+|icon[\w.-]+)", page) or ["/icon.svg"]
    siege.begin()
    await siege.requests(*(request("GET", file) for file in files), pipelined=20 // len(files) + 1)


@attack("http", always=False)
async def http_wrong_paths(siege: Siege) -> None:
    """Paths that lead nowhere, 50 requests per write."""
    siege.begin()
    await siege.requests(request("GET", "/" + "x/" * 200), request("GET", "/assets/" + "%2e%2e/" * 100))


@attack("http", always=False)
async def http_long_heads(siege: Siege) -> None:
    """Requests with 60 kB of headers."""
    siege.begin()
    headers = {f"X_{number}": "x" * 90 for number in range(600)}
    await siege.requests(request("GET", "/healthz", **headers), pipelined=2)


@attack("http", always=False)
async def http_bodies(siege: Siege) -> None:
    """Bodies of 64 kB that say nothing, where a table can be made."""
    siege.begin()
    await siege.requests(request("POST", "/coup/v1/game", b"[" * 65_000), pipelined=4)


@attack("http", always=False)
async def http_chunks(siege: Siege) -> None:
    """Bodies in chunks of one byte that never end."""
    siege.begin()

    async def once() -> None:
        line = await siege.line()
        await line.push(b"POST /coup/v1/game HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        await siege.pour(line, b"1\r\nx\r\n" * 5000)

    await siege.again(once, 4)


@attack("http", 3)
async def http_slowly(siege: Siege) -> None:
    """2,000 requests that arrive byte by byte."""
    siege.begin()

    async def once() -> None:
        line = await siege.line()
        await line.push(b"GET / HTTP/1.1\r\nX-Slow: ")
        while True:
            await line.push(b"x")
            await asyncio.sleep(0.5)

    await siege.again(once, 2000)


@attack("http")
async def http_unread(siege: Siege) -> None:
    """100 who ask for the list of 100 tables again and again, and read nothing."""
    await siege.coup_tables(100)
    siege.begin()

    async def once() -> None:
        line = await siege.line()
        line.transport.pause_reading()
        while True:
            await line.push(request("GET", "/api/tables") * 20)
            await asyncio.sleep(0.2)

    await siege.again(once, 100)


@attack("http")
async def http_logs(siege: Siege) -> None:
    """A closed table whose log is long, 24 requests at a time."""
    table = await long_log(siege)
    siege.begin()
    await siege.requests(request("GET", f"/api/tables/{table}"), pipelined=1, connections=24)


@attack("http", always=False)
async def http_logs_unread(siege: Siege) -> None:
    """The same, by 24 who read nothing."""
    table = await long_log(siege)
    siege.begin()

    async def once() -> None:
        line = await siege.line()
        line.transport.pause_reading()
        while True:
            await line.push(request("GET", f"/api/tables/{table}"))
            await asyncio.sleep(0.2)

    await siege.again(once, 24)


@attack("http")
async def http_replays(siege: Siege) -> None:
    """Replays of a finished game, each from another step on, by 60 at a time who hang up at once."""
    table = await finished(siege)
    siege.begin()
    steps = iter(range(10**9))

    async def once() -> None:
        line = await siege.line()
        await line.push(request("GET", f"/api/tables/{table}/games/1?open=1&first={next(steps) % 150}"))
        await asyncio.sleep(0.05)
        line.hang_up()

    await siege.again(once, 60)


@attack("http", always=False)
async def http_records(siege: Siege) -> None:
    """The record of a finished game, 20 requests per write."""
    table = await finished(siege)
    siege.begin()
    await siege.requests(request("GET", f"/api/tables/{table}/games/1/record"), pipelined=20)


async def long_log(siege: Siege) -> str:
    """The id of a table that is closed, of which there is much to say."""
    host, table = await siege.seated("palace", seats=255)
    host.line.deaf()
    talk = [said("watch", table=table), *[said("say", text="x" * 400)] * 180]
    crowd = [said("join", table=table, player="Malory"), said("leave")] * 90
    with suppress(ConnectionError):
        for messages in (talk, crowd) * 5:
            somebody = await siege.websocket("/ws")
            await somebody.line.push(b"".join(frame(message) for message in messages))
            await asyncio.sleep(0.1)
            somebody.line.hang_up()
    for _ in range(80):
        await host.line.push(frame(said("configure", options={"turn_timer": 5})))
        await host.line.push(frame(said("configure", options={"turn_timer": 6})))
    await asyncio.sleep(0.2)
    await host.line.push(frame(said("leave")))
    return table


async def finished(siege: Siege) -> str:
    """The id of a table where a game has been played to its end."""
    host, table = await siege.seated("palace", seats=2)
    other = await siege.websocket("/ws")
    await other.ask("join", table=table, player="Malory")
    await host.say({"type": "start"})

    async def play(player: Socket) -> None:
        while "result" not in (told := await player.json()):
            if told.get("moves"):
                await player.say({"type": "play", "move": told["moves"][0]})

    await asyncio.gather(play(host), play(other))
    return table
