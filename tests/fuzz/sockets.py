"""Hostile input on real sockets: broken HTTP, frames that break WebSocket, polling, lines without an end, datagrams."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Coroutine, Mapping
from contextlib import suppress

from tests.fuzz import socketio
from tests.fuzz.inputs import Mill, samples
from tests.live import LiveHere

LINES, _ = samples("fortress")
ROOMS, _ = samples("faraway")
COUP, _ = samples("coup")
SPOKEN: Mapping[str, list[str]] = {
    "/ws": [],
    "/palace": samples("palace")[0],
    "/coup/v1": COUP,
    "/coup/v2/ws?username=Eve&gameCode=<T>": COUP,
    "/cambia/ws/<L>": samples("cambia")[0],
    "/cambia/game/ws/<L>?token=<K>": samples("cambia")[0],
    "/socket.io/?EIO=4&transport=websocket": ["40", "3probe", *(f"42{said}" for said in ROOMS)],
    "/nowhere": [],
}
"""By the path of a WebSocket: what its clients say; the native protocol's requests are made by their types."""
QUESTIONS = ['{"COMMAND":"FIND_SERVER","GAME":"LastOfUs"}']
HEADS = (
    "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET /api/tables/<T> HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET /t/<T> HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET /..%2f..%2fetc/passwd HTTP/1.1\r\nHost: x\r\n\r\n",
    "POST /cambia/lobby/create HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer <K>\r\nContent-Length: 2\r\n\r\n{}",
    "POST /coup/v1/game HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n",
    "GET /socket.io/?EIO=4&transport=polling HTTP/1.1\r\nHost: x\r\n\r\n",
    "POST /socket.io/?EIO=4&transport=polling&sid=<S> HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n40\x1e",
    "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET /metrics HTTP/1.0\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
)

SID = re.compile(rb'"sid":"([^"]+)"')
BROKEN = re.compile(rb"\x88.\x03\xf3|HTTP/1.1 500 ", re.DOTALL)
"""What says that the server has failed: a WebSocket closed with 1011, an answer with 500."""


def handshake(path: str) -> bytes:
    return (
        f"GET {path} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    ).encode()


def frame(payload: bytes, opcode: int = 1, fin: bool = True, masked: bool = True) -> bytes:
    """A WebSocket frame as a client sends it. The mask is zero, so the payload is as it is."""
    head = bytes([(0x80 if fin else 0) | opcode])
    size, mask = len(payload), 0x80 if masked else 0
    if size < 126:
        head += bytes([mask | size])
    elif size < 65536:
        head += bytes([mask | 126]) + size.to_bytes(2, "big")
    else:
        head += bytes([mask | 127]) + size.to_bytes(8, "big")
    return head + (bytes(4) if masked else b"") + payload


def _frames(mill: Mill, said: list[str]) -> bytes:
    dice = mill.dice
    match dice.randrange(6):
        case 0:  # a flood of pings
            return frame(b"x" * dice.randrange(126), 9) * dice.randint(1, 300)
        case 1:  # a flood of fragments
            return frame(b"{", 1, fin=False) + frame(b"", 0, fin=False) * dice.randint(1, 6000)
        case 2:  # what RFC 6455 forbids
            odd = (frame(b"x", 3), frame(b"x", 1, masked=False), frame(b"x" * 200, 9), frame(b"", 0), frame(b"\x03", 8))
            return dice.choice(odd)
        case 3:  # a length that is a lie
            return b"\x81\xff" + dice.randbytes(8) + bytes(4)
        case 4:
            return dice.randbytes(dice.randrange(300))
    opcode = dice.choice((1, 1, 2))
    return b"".join(frame(mill.message(said), opcode) for _ in range(dice.randint(1, 20)))


def _packets(mill: Mill) -> bytes:
    """Socket.IO in frames, attachments and all."""
    packets = (socketio.packet(mill, ROOMS) for _ in range(mill.dice.randint(1, 5)))
    messages = [(b"4" + part if text else part, 1 if text else 2) for packet in packets for part, text in packet]
    return b"".join(frame(message, opcode) for message, opcode in [(b"40", 1), *messages])


async def _connection(port: int, *parts: bytes) -> bytes:
    """Say it, hear some of the answer, and go without a goodbye."""
    heard = b""
    with suppress(OSError, asyncio.IncompleteReadError):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            for part in parts:
                if writer.transport.is_closing():
                    break
                writer.write(part)
                await writer.drain()
                with suppress(TimeoutError):
                    async with asyncio.timeout(0.005):
                        heard += await reader.read(4096)
        finally:
            writer.transport.abort()
    assert not BROKEN.search(heard), f"the server failed: {heard!r}"
    return heard


async def _polling(port: int, mill: Mill) -> None:
    """A connection by polling, and what it sends: in order or not, and now and then on the way to a WebSocket."""
    path = "/socket.io/?EIO=4&transport=polling"
    heard = await _connection(port, b"GET %s HTTP/1.1\r\nHost: x\r\n\r\n" % path.encode())
    if found := SID.search(heard):
        path += f"&sid={found[1].decode()}"
    if mill.dice.random() < 0.2:
        upgrade = (frame(each) for each in (b"2probe", b"5", b"40", b"4" + mill.message(ROOMS)))
        await _connection(port, handshake(path.replace("=polling", "=websocket")), *upgrade)
        return
    bodies = (b"40", *(socketio.body(mill, ROOMS) for _ in range(mill.dice.randint(1, 4))))
    requests = [_post(path, body) for body in bodies]
    requests.insert(mill.dice.randrange(len(requests) + 1), f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    if mill.dice.random() < 0.5:  # all at once
        requests = [b"".join(requests)]
    await _connection(port, *requests)


def _post(path: str, body: bytes) -> bytes:
    return b"POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % (path.encode(), len(body)) + body


async def assault(live: LiveHere, mill: Mill, count: int) -> int:
    """So many inputs, each on a connection of its own. Returns how many it were."""
    dice, ports = mill.dice, live.ports
    attempts: list[Coroutine[None, None, object]] = []
    for _ in range(count):
        match dice.randrange(8):
            case 0:
                request = mill.filled(dice.choice(HEADS)).encode()
                attempts.append(_connection(ports["http"], mill.garbled(request) if dice.random() < 0.7 else request))
            case 1:
                attempts.append(_connection(ports["http"], mill.noise()))
            case 4:  # many requests, none of which waits for an answer
                several = [mill.filled(dice.choice(HEADS)).encode() for _ in range(dice.randint(2, 40))]
                if dice.random() < 0.3:
                    several.insert(dice.randrange(len(several)), mill.garbled(several[0]))
                attempts.append(_connection(ports["http"], b"".join(several)))
            case 5:
                attempts.append(_polling(ports["http"], mill))
            case 6:
                said = handshake("/socket.io/?EIO=4&transport=websocket"), _packets(mill), _packets(mill)
                attempts.append(_connection(ports["http"], *said))
            case 2 | 3:
                path = dice.choice(list(SPOKEN))
                said = handshake(mill.filled(path)), _frames(mill, SPOKEN[path]), _frames(mill, SPOKEN[path])
                attempts.append(_connection(ports["http"], *said))
            case _:
                lines = dice.choice((b"\n", b"\n", b"\r\n", b"\n\n\n", b"\r", b"\0")).join(
                    mill.message(LINES) for _ in range(dice.choice((1, 3, 10, 300)))
                )
                attempts.append(_connection(ports[dice.choice(("fortress", "fortress-reference"))], lines + b"\n"))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams:
        for _ in range(count // 4):
            datagrams.sendto(
                mill.message(QUESTIONS)[: dice.choice((0, 20, 1400, 60_000))], ("127.0.0.1", ports["fortress-lan"])
            )
    await asyncio.gather(*attempts)
    return count + count // 4
