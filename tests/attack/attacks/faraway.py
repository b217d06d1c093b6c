"""Faraway's own protocol: Socket.IO over WebSocket and by polling."""

from __future__ import annotations

import json

from tests.attack.lines import TEXT, Line, answer, request
from tests.attack.siege import Siege, attack
from tests.fuzz.sockets import frame

SOCKET = "/socket.io/?EIO=4&transport=websocket"
POLLING = "/socket.io/?EIO=4&transport=polling"
CONNECT = b"40"


async def say(siege: Siege, *messages: bytes, connections: int = 4) -> None:
    """These, without pause; the protocol's own limit is high."""
    block = b"".join(frame(message) for message in messages)

    async def once() -> None:
        socket = await siege.websocket(SOCKET)
        await socket.line.push(frame(CONNECT))
        await siege.pour(socket.line, block)

    await siege.again(once, connections)


async def polling(siege: Siege) -> tuple[Line, str]:
    """A connection by polling, and where its requests go."""
    line = await siege.line()
    await line.push(request("GET", POLLING))
    reply = await answer(line)
    if reply.status != 200:
        raise ConnectionRefusedError
    return line, f"{POLLING}&sid={json.loads(reply.body[1:])['sid']}"


async def post(siege: Siege, body: bytes, connections: int = 4) -> None:
    """This body again and again, each on a connection that was made by polling."""

    async def once() -> None:
        line, path = await polling(siege)
        await line.push(request("POST", path, CONNECT))
        await answer(line)
        asked = request("POST", path, body)
        while True:
            await line.push(asked)
            if (await answer(line)).status != 200:
                raise ConnectionResetError

    await siege.again(once, connections)


@attack("faraway", always=False)
async def faraway_rooms(siege: Siege) -> None:
    """Asks for the list of rooms, 200 times per write."""
    siege.begin()
    await say(siege, *[b'42["getRooms"]'] * 200)


@attack("faraway", 3)
async def faraway_many_rooms(siege: Siege) -> None:
    """The same with 100 rooms there."""
    for _ in range(100):
        socket = await siege.websocket(SOCKET)
        await socket.line.push(frame(CONNECT) + frame(b'42["createRoom"]'))
        socket.line.deaf()
    siege.begin()
    await say(siege, *[b'42["getRooms"]'] * 200)


@attack("faraway")
async def faraway_room_after_room(siege: Siege) -> None:
    """Creates rooms, 200 per write: each is left for the next."""
    siege.begin()
    await say(siege, *[b'42["createRoom"]'] * 200)


@attack("faraway", always=False)
async def faraway_unknown_events(siege: Siege) -> None:
    """Events that nobody knows, with a number to be answered under, 2,000 per write."""
    siege.begin()
    await say(siege, *[b'421["x"]'] * 2000)


@attack("faraway", always=False)
async def faraway_packets_of_nothing(siege: Siege) -> None:
    """Packets that say nothing, 20,000 per write."""
    siege.begin()
    await say(siege, *[b"6"] * 20_000)


@attack("faraway")
async def faraway_attachments(siege: Siege) -> None:
    """A packet of 840 kB of brackets whose attachment is one byte."""
    siege.begin()
    packet = frame(b'451-["x",[' + b",".join([b"[[[]]]"] * 120_000) + b"]]") + frame(b"x", 2)

    async def once() -> None:
        socket = await siege.websocket(SOCKET)
        await socket.line.push(frame(CONNECT))
        await siege.pour(socket.line, packet)

    await siege.again(once, 4)


@attack("faraway")
async def faraway_depths(siege: Siege) -> None:
    """Nested JSON, 100 to 400,000 levels deep, with attachments and without."""
    siege.begin()
    depths = (100, 500, 900, 990, 1000, 1100, 3000, 30_000, 400_000)
    nested = [b"[" * depth + b"]" * depth for depth in depths]
    packets = [frame(b'42["x",' + each + b"]") for each in nested]
    packets += [frame(b'451-["x",' + each + b"]") + frame(b"x", 2) for each in nested]

    async def each_alone(packet: bytes) -> None:
        socket = await siege.websocket(SOCKET)
        await socket.line.push(frame(CONNECT) + packet)
        socket.line.deaf()

    async def once() -> None:
        for packet in packets:
            await each_alone(packet)

    await siege.again(once, 4)


@attack("faraway", always=False)
async def faraway_half_characters(siege: Siege) -> None:
    """900 kB of text with half a character in it, which takes a slower way."""
    siege.begin()
    await say(siege, b'42["x","\\ud800' + b"a" * 900_000 + b'"]')


@attack("faraway")
async def faraway_half_characters_in_lists(siege: Siege) -> None:
    """900 kB of small lists with half a character in front, which take a slower way."""
    siege.begin()
    await say(siege, b'42["x","\\ud800"' + b",[]" * 300_000 + b"]")


@attack("faraway", always=False)
async def faraway_long_numbers(siege: Siege) -> None:
    """A number of 900,000 digits."""
    siege.begin()
    await say(siege, b'42["playCard",' + b"9" * 900_000 + b"]")


@attack("faraway")
async def faraway_posts_of_nothing(siege: Siege) -> None:
    """By polling: 500,000 packets that say nothing in each request."""
    siege.begin()
    await post(siege, b"\x1e".join([b"6"] * 499_000))


@attack("faraway", always=False)
async def faraway_posts(siege: Siege) -> None:
    """By polling: 70,000 events in each request."""
    siege.begin()
    await post(siege, b"\x1e".join([b'42["x"]'] * 70_000))


@attack("faraway", always=False)
async def faraway_posted_depths(siege: Siege) -> None:
    """By polling: nested JSON of 450,000 levels."""
    siege.begin()
    await post(siege, b'42["x",' + b"[" * 450_000 + b"]" * 450_000 + b"]")


@attack("faraway", 3)
async def faraway_pollers(siege: Siege) -> None:
    """Connections by polling, one after the other, 50 requests per write; nobody polls."""
    siege.begin()
    await siege.requests(request("GET", POLLING))


@attack("faraway", 3)
async def faraway_upgrades(siege: Siege) -> None:
    """From polling to a WebSocket, and gone, again and again."""
    siege.begin()

    async def once() -> None:
        line, path = await polling(siege)
        socket = await siege.websocket(path.replace("=polling", "=websocket"))
        await socket.line.push(frame(b"2probe", TEXT))
        await socket.message()
        await socket.line.push(frame(b"5") + frame(CONNECT))
        line.hang_up()
        socket.line.hang_up()

    await siege.again(once, 8)
