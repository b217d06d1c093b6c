"""Finding a game of Fortress on the local network.

The names d2, c12, … are decisions and checklist lines of docs/protocols/fortress.md.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.client import client
from tests.games.fortress.wire import BOB, Hall, asked, hall
from tests.live import process

QUESTION = b'{"COMMAND": "FIND_SERVER", "GAME": "LastOfUs"}'


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Hall]:
    async with hall(tmp_path) as found:
        yield found


async def found(here: Hall, *before: bytes) -> dict[str, str]:
    told: dict[str, str] = json.loads(await asked(here.live.ports["fortress-lan"], *before, QUESTION))
    return told


async def silent(here: Hall) -> bool:
    """Whether the question is not answered: another one would be, if there were a table for it."""
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.2):
            await found(here)
    return True


async def test_c12_c13_d74_what_is_told_while_a_game_waits(here: Hall) -> None:
    port = str(here.live.ports["fortress"])
    told = {"COMMAND": "FIND_SERVER_RESP", "GAME_NAME": "Unnamed game", "IS_PASSWORDED": "false", "TCP_PORT": port}
    assert await found(here) == {**told, "PLAYER_COUNT": "0"}
    alice = await here.enter()
    await alice.joins()
    assert await found(here) == {**told, "PLAYER_COUNT": "1"}
    bob = await here.enter()
    await bob.joins(BOB, "bob")
    assert await silent(here)
    await bob.send("TERMINATE_CONN")
    await alice.closed()
    assert (await found(here))["PLAYER_COUNT"] == "0"


async def test_c13_a_server_with_a_password_says_so(tmp_path: Path) -> None:
    async with hall(tmp_path, table_password=("fortress=x",), table_name=("fortress=Friday",)) as here:
        told = await found(here)
        assert (told["GAME_NAME"], told["IS_PASSWORDED"], told["PLAYER_COUNT"]) == ("Friday", "true", "0")


async def test_the_table_of_a_browser_is_found_too(here: Hall) -> None:
    async with client(here.live.ws("/ws")) as ann:
        await ann.ask("open", game="fortress", player="Ann", name="Come in", password="tuna")
        told = await found(here)
        assert (told["GAME_NAME"], told["IS_PASSWORDED"], told["PLAYER_COUNT"]) == ("Come in", "true", "1")


@pytest.mark.parametrize("padding", [b"\0" * 200, b"\r\n", b" \0 \n\0"])
async def test_trailing_noughts_and_white_space_are_ignored(here: Hall, padding: bytes) -> None:
    assert json.loads(await asked(here.live.ports["fortress-lan"], QUESTION + padding))


async def test_everything_else_is_ignored(here: Hall) -> None:
    nonsense = [
        b"",
        b"\0",
        b"\xff",
        b"FIND_SERVER",
        b"[]",
        b"{}",
        b'{"COMMAND":"FIND_SERVER"}',
        b'{"COMMAND":"FIND_SERVER","GAME":"lastofus"}',
        b'{"COMMAND":"find_server","GAME":"LastOfUs"}',
        b'{"command":"FIND_SERVER","game":"LastOfUs"}',
        b'{"COMMAND":["FIND_SERVER"],"GAME":"LastOfUs"}',
        b"[" * 2000,
    ]
    for question in nonsense:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.02):
                await asked(here.live.ports["fortress-lan"], question)
    assert (await found(here, *nonsense))["PLAYER_COUNT"] == "0"


@pytest.mark.parametrize("name", ["x" * 400, "é" * 300, "🏰" * 200, '"' * 300, "\\n" * 200])
async def test_c14_a_reply_has_256_bytes_at_most_and_is_cut_between_characters(tmp_path: Path, name: str) -> None:
    async with hall(tmp_path, table_name=(f"fortress={name}",)) as here:
        reply = await asked(here.live.ports["fortress-lan"], QUESTION)
        assert 240 < len(reply) <= 256
        assert name.startswith(json.loads(reply)["GAME_NAME"])


async def test_without_the_port_of_the_game_there_is_nothing_to_be_found(tmp_path: Path) -> None:
    async with hall(tmp_path, listen=("fortress-lan=127.0.0.1:0",)) as here:
        assert await silent(here)


# On a chosen interface


async def test_a_question_into_the_round_is_heard_on_a_chosen_interface(here: Hall) -> None:
    """The server is bound to 127.0.0.1; the whole of that network is asked."""
    reply = await asked(here.live.ports["fortress-lan"], QUESTION, address="127.255.255.255")
    assert json.loads(reply)["TCP_PORT"] == str(here.live.ports["fortress"])


ASKER = """
import socket, sys
line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
line.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
line.bind(("", int(sys.argv[3])))
line.settimeout(10)
line.sendto(sys.argv[4].encode(), (sys.argv[1], int(sys.argv[2])))
reply, (address, port) = line.recvfrom(256)
print(address, port, reply.decode())
"""


class Net:
    """Where a server and a client are: in two network namespaces, or on the loopback network of this one."""

    def __init__(self, server: tuple[str, ...], client: tuple[str, ...], host: str, everybody: str) -> None:
        self.server = server
        """What a command begins with that is to run there."""
        self.client = client
        self.host = host
        self.everybody = everybody


@contextmanager
def two_hosts() -> Iterator[Net]:
    """Two namespaces with a cable between them, where they can be made; otherwise the loopback network."""
    ip = shutil.which("ip") or "/sbin/ip"
    one, two = "croupier-one", "croupier-two"

    def run(*arguments: str) -> None:
        subprocess.run([ip, *arguments], check=True, capture_output=True)

    def clear() -> None:
        for name in (one, two):
            with suppress(OSError, subprocess.CalledProcessError):
                run("netns", "del", name)

    net = Net((ip, "netns", "exec", one), (ip, "netns", "exec", two), "10.77.0.1", "255.255.255.255")
    try:
        for name in (one, two):
            run("netns", "add", name)
        run("link", "add", "fort-one", "netns", one, "type", "veth", "peer", "name", "fort-two", "netns", two)
        for name, link, address in ((one, "fort-one", "10.77.0.1/24"), (two, "fort-two", "10.77.0.2/24")):
            run("-n", name, "addr", "add", address, "brd", "+", "dev", link)
            run("-n", name, "link", "set", "lo", "up")
            run("-n", name, "link", "set", link, "up")
            run("-n", name, "route", "add", "default", "dev", link)
    except (OSError, subprocess.CalledProcessError):
        clear()
        net = Net((), (), "127.0.0.1", "127.255.255.255")
    try:
        yield net
    finally:
        clear()


@pytest.mark.parametrize("chosen", [True, False])
async def test_d2_c12_a_server_is_found_from_another_host(tmp_path: Path, chosen: bool) -> None:
    """Also by the oldest clients, which listen on the port they ask from."""
    with two_hosts() as net:
        host = net.host if chosen or not net.server else "0.0.0.0"
        ports = ("--listen", f"fortress={host}:0", "--listen", f"fortress-lan={host}:0")
        async with process(tmp_path, *ports, inside=net.server) as live:
            port, command = live.ports["fortress-lan"], [sys.executable, "-c", ASKER]
            arguments = [net.everybody, str(port), "3981" if net.client else "0", QUESTION.decode()]
            asker: Any = await asyncio.create_subprocess_exec(
                *net.client, *command, *arguments, stdout=asyncio.subprocess.PIPE
            )
            out, _ = await asyncio.wait_for(asker.communicate(), 20)
            address, source, reply = out.decode().split(" ", 2)
            assert (address, int(source)) == (net.host, port)
            assert json.loads(reply)["TCP_PORT"] == str(live.ports["fortress"])
