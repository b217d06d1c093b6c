"""The attacker's process: what it is told on standard input is an attack's name, and then when to stop.

python -m tests.attack.attacker '{"http": 8080}'
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import sys
import time
from collections.abc import Mapping

import uvloop

from tests.attack.attacks import ATTACKS
from tests.attack.siege import Siege

FILES = 8192
"""That this process may have open."""


def say(**words: object) -> None:
    print(json.dumps(words), flush=True)  # noqa: T201 - this is what it is asked for


async def attack(name: str, number: int, ports: Mapping[str, int], orders: asyncio.StreamReader) -> None:
    """Each attack has addresses of its own, so that nobody pays for the one before."""
    chosen = ATTACKS[name]
    sources = [f"127.1.{number}.{last}" for last in range(1, chosen.addresses + 1)]
    before = time.process_time()
    siege = Siege(ports, sources, lambda: say(said="begun"))
    flood = asyncio.ensure_future(chosen.run(siege))
    stop = asyncio.ensure_future(orders.readline())
    await asyncio.wait((flood, stop), return_when=asyncio.FIRST_COMPLETED)
    if flood.done():
        problem = flood.exception()
        say(said="failed", why=repr(problem) if problem is not None else "it came to an end")
        await stop
        siege.end()
        return
    flood.cancel()
    await asyncio.wait((flood,))
    cpu = time.process_time() - before
    siege.end()
    say(said="done", cpu=cpu, sent=siege.sent, cut=siege.cut)


async def main() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, max(FILES, resource.getrlimit(resource.RLIMIT_NOFILE)[1])))
    os.nice(10)  # an attacker has a machine of its own, and must not win against the server for this one
    orders = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(orders), sys.stdin)
    ports = json.loads(sys.argv[1])
    say(said="here")
    number = 0
    while name := (await orders.readline()).decode().strip():
        number += 1
        await attack(name, number, ports, orders)


if __name__ == "__main__":
    uvloop.run(main())
