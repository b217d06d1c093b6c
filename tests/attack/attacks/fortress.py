"""Fortress' own protocol: lines over TCP without a rate limit, and questions by UDP."""

from __future__ import annotations

import asyncio
import json
import socket

from tests.attack.lines import Line
from tests.attack.siege import Siege, attack
from tests.games.fortress.wire import ALICE

STATE = b'{"COMMAND":"GET_STATE"}\n'


async def joined(siege: Siege, **fields: bool) -> Line:
    """Somebody at the table."""
    line = await siege.line("fortress")
    join = {"COMMAND": "JOIN_GAME", "USERNAME": "mallory", "DECK_DATA": ALICE, **fields}
    await line.push(json.dumps(join).encode() + b"\n")
    if b'"SUCCESS":true' not in await line.until(b"\n"):
        raise ConnectionRefusedError
    return line


@attack("fortress")
async def fortress_states(siege: Siege) -> None:
    """`GET_STATE`, 100 per write, from both seats of a game."""
    lines = [await joined(siege), await joined(siege)]
    siege.begin()

    async def once() -> None:
        await siege.pour(lines.pop() if lines else await joined(siege), STATE * 100)

    await siege.again(once, 2)


@attack("fortress", always=False)
async def fortress_nonsense(siege: Siege) -> None:
    """Lines that are no command, 1,000 per write."""
    siege.begin()

    async def once() -> None:
        await siege.pour(await siege.line("fortress"), b'{"COMMAND":"X"}\n{}\n[]\n\xff\n' * 250)

    await siege.again(once, 4)


@attack("fortress")
async def fortress_blank_lines(siege: Siege) -> None:
    """Blank lines, 60,000 per write."""
    siege.begin()

    async def once() -> None:
        await siege.pour(await siege.line("fortress"), b"\n" * 60_000)

    await siege.again(once, 4)


@attack("fortress", always=False)
async def fortress_endless_lines(siege: Siege) -> None:
    """Lines that never end."""
    siege.begin()

    async def once() -> None:
        await siege.pour(await siege.line("fortress"), b"x" * 60_000)

    await siege.again(once, 4)


@attack("fortress", always=False)
async def fortress_deep_lines(siege: Siege) -> None:
    """JSON of 30,000 levels on each line."""
    siege.begin()

    async def once() -> None:
        await siege.pour(await siege.line("fortress"), b'{"COMMAND":' + b"[" * 30_000 + b"]" * 30_000 + b"}\n")

    await siege.again(once, 4)


@attack("fortress", 3)
async def fortress_joins(siege: Siege) -> None:
    """Joins a table with a bot, and hangs up, again and again."""
    siege.begin()

    async def once() -> None:
        (await joined(siege, VS_AI=True)).hang_up()

    await siege.again(once, 8)


@attack("fortress")
async def fortress_questions(siege: Siege) -> None:
    """Questions into the round by UDP, as fast as they can be sent."""
    siege.begin()
    question = b'{"COMMAND":"FIND_SERVER","GAME":"LastOfUs"}'
    address = ("127.0.0.1", siege.ports["fortress-lan"])
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as plug:
        while True:
            for _ in range(100):
                plug.sendto(question, address)
            siege.datagrams += 100 * len(question)
            await asyncio.sleep(0.001)
