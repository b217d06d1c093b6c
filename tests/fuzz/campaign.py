"""An attack on a server with hostile input in every protocol, while a table plays on beside it.

    python -m tests.fuzz.campaign --inputs 1000000

Most of the input is handed to the house as if it had come from a socket, so that no limit of a protocol keeps it from
being understood; the rest is written to real sockets: frames, HTTP, polling, lines and datagrams.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import tempfile
import time
from collections import Counter, deque
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

import uvloop

from croupier.games import catalogue
from croupier.net import native
from croupier.tables import error_log
from croupier.tables.dialect import Dialect, Hangup
from croupier.tables.endpoint import ConnectionRequest, Endpoint
from croupier.tables.house import House
from croupier.tables.session import Session
from croupier.wire.http import HttpRequest, HttpResponse
from tests.client import Client, client
from tests.fuzz import socketio, sockets
from tests.fuzz.inputs import PATHS, REQUESTS, Mill, samples
from tests.live import LiveHere, server

BROKEN = 1011
"""With what a connection is closed when the server has failed."""
SOFT = ("said", "sounded", "watched", "unwatched")
"""Facts that have no number of their own."""
AT_A_TIME = 60
"""Connections of the attacker."""
SETTINGS: dict[str, Any] = {
    "bot_delay": 0, "lobby_grace": 5, "patience": 5, "test_clock_speed": 10, "max_tables": 100, "synchronous": "OFF",
    "message_rate": 0, "max_tables_per_address": 0, "table_count": ("fortress=99",),
}  # fmt: skip
PORTS = ("fortress=127.0.0.1:0", "fortress-reference=127.0.0.1:0", "fortress-lan=127.0.0.1:0")


class Victim(Session):
    """A connection as the house sees it, without a socket."""

    def __init__(self, dialect: Dialect, mill: Mill, samples: list[str], endpoint: str) -> None:
        super().__init__(dialect)
        self.endpoint = endpoint
        self.mill = mill
        self.samples = samples
        self.packets = False
        """Whether it takes packets with attachments."""
        self.open = True
        self.closed_with = 0

    def send(self, message: bytes) -> None:
        self.mill.learn(message)

    def close(self, code: int, reason: str = "") -> None:
        self.open = False
        self.closed_with = code

    def end(self, last: Hangup | HttpResponse) -> None:
        if isinstance(last, HttpResponse):
            self.mill.learn(last.body)
        self.open = False


class Attack:
    def __init__(self, live: LiveHere, dice: Random) -> None:
        self.house: House = live.house
        self.dice = dice
        self.mill = Mill(dice)
        self.endpoints = [*catalogue().endpoints, _native(self.house)]
        said = {each.name: samples(each.name.partition("-")[0]) for each in self.endpoints}
        self.said = {name: messages for name, (messages, _) in said.items()}
        self.asked = {name: [*asked, *REQUESTS.get(name, ())] for name, (_, asked) in said.items()}
        self.victims: list[Victim] = []
        self.errands: deque[Victim] = deque()
        """Requests by HTTP."""
        self.inputs = 0

    def step(self) -> None:
        """One input, somewhere."""
        self.inputs += 1
        if self.dice.random() < 0.03:
            self._ask()
            return
        if len(self.victims) < AT_A_TIME:
            self._enter()
            return
        place = self.dice.randrange(len(self.victims))
        victim = self.victims[place]
        if victim.packets and self.dice.random() < 0.3:
            messages = socketio.packet(self.mill, victim.samples)
            self.inputs += len(messages) - 1
        else:
            text = self.dice.random() > 0.03 if not victim.dialect.binary else self.dice.random() < 0.01
            messages = [(self.mill.message(victim.samples), text)]
        for message, text in messages:
            if victim.open:
                self.house.receive(victim, message, text)
        assert victim.closed_with != BROKEN, f"{victim.dialect} broke"
        if not victim.open or self.dice.random() < 0.01:
            del self.victims[place]
            self.house.lost(victim)

    def _enter(self) -> None:
        # Those that are easily offended would be seen little of: half of the newcomers go where the fewest are.
        there = Counter(victim.endpoint for victim in self.victims)
        fewest = min(self.endpoints, key=lambda each: (there[each.name], self.dice.random()))
        endpoint = fewest if self.dice.random() < 0.5 else self.dice.choice(self.endpoints)
        url = urlsplit(self.mill.filled(self.dice.choice(PATHS.get(endpoint.name, [""]))))
        if self.dice.random() < 0.05:
            url = url._replace(path="/" + str(self.mill.odd()))
        found = endpoint.accept(ConnectionRequest(url.path, dict(parse_qsl(url.query)), {}, self.house))
        if isinstance(found, HTTPStatus):
            return
        victim = Victim(found, self.mill, self.said[endpoint.name], endpoint.name)
        self.house.connected(victim)
        if endpoint.transport == "engine.io":
            self.house.receive(victim, b"0", True)
            victim.samples = [f"2{sample}" for sample in victim.samples]
            victim.packets = True
        self.victims.append(victim)

    def _ask(self) -> None:
        """By HTTP."""
        endpoint = self.dice.choice([each for each in self.endpoints if each.http is not None])
        assert endpoint.http is not None
        method, path, *body = self.mill.filled(self.dice.choice(self.asked[endpoint.name])).split(" ", 2)
        content = self.mill.message(body) if body or self.dice.random() < 0.2 else b""
        headers = {"authorization": f"Bearer {self.mill.word()}"} if self.dice.random() < 0.7 else {}
        request = HttpRequest(method, path, {"token": self.mill.word()}, content, headers)
        found = endpoint.http(request, self.house)
        if not isinstance(found, Dialect):
            self.mill.learn(found.body)
            return
        errand = Victim(found, self.mill, [], endpoint.name)
        self.house.connected(errand)
        self.errands.append(errand)
        if len(self.errands) > AT_A_TIME:  # answered by now, or given up
            self.house.lost(self.errands.popleft())


def _native(house: House) -> Endpoint:
    greeting = native.welcome(house.games)
    return Endpoint("native", "/ws", lambda request: native.Native(greeting, request.query.get("views") == "1"))


class Control:
    """A table of somebody who plays on, and notices everything."""

    def __init__(self, player: Client) -> None:
        self.player = player
        self.moves = self.games = 0
        self.slowest = 0.0
        """Seconds that a move took, at worst."""

    async def play(self) -> None:
        player = self.player
        await player.ask("open", game="palace", player="Control", seats=3, options={"turn_timer": 0})
        await player.ask("add_bots", count=2)
        await player.ask("start")
        seq = None
        while True:
            fact = await player.hear(lambda message: message["type"] == "fact")
            player.forget()
            if fact["entry"]["entry"] in SOFT:  # of somebody who looks on or talks
                assert seq is None or fact["seq"] == seq, "something was not told"
                continue
            assert seq is None or fact["seq"] == seq + 1, "something was not told"
            seq = fact["seq"]
            if "result" in fact:
                self.games += 1
                await player.ask("start")
            elif fact.get("moves"):
                begun = time.perf_counter()
                await player.ask("play", move=fact["moves"][0])
                self.moves += 1
                self.slowest = max(self.slowest, time.perf_counter() - begun)


class Outcome(NamedTuple):
    inputs: int
    on_sockets: int
    """So many of them."""
    control_moves: int
    control_games: int
    memory: tuple[int, ...]
    """Of the process, attacker and all, in MiB, at every tenth of the way."""


async def attack(
    data: Path, *, inputs: int, seed: int, wild: float = 0.03, told: Callable[[str], None] = lambda line: None
) -> Outcome:
    """``wild``: how much of it goes over real sockets."""
    dice = Random(seed)
    error_log.seen.clear()
    async with server(data, listen=PORTS, **SETTINGS) as live, client(live.ws("/ws"), ping_interval=None) as player:
        control = Control(player)
        playing = asyncio.create_task(control.play())
        attack = Attack(live, dice)
        memory: list[int] = []
        on_sockets = 0
        while attack.inputs + on_sockets < inputs:
            for _ in range(100):
                attack.step()
            if dice.random() < 100 * wild / 20:
                on_sockets += await sockets.assault(live, attack.mill, 20)
            await asyncio.sleep(0)
            assert not playing.done(), playing.result()
            assert not error_log.seen, f"something went wrong: {error_log.seen}; see the log"
            if (attack.inputs + on_sockets) * 10 // inputs > len(memory):
                gc.collect()
                memory.append(resident())
                told(
                    f"{attack.inputs + on_sockets:,} inputs, {on_sockets:,} of them on sockets; "
                    f"control table: {control.moves} moves, {control.games} games, slowest {control.slowest:.2f} s; "
                    f"{len(live.house.rooms)} tables, {memory[-1]} MiB"
                )
        moves = control.moves
        while control.moves == moves:  # it still goes on
            await asyncio.sleep(0.01)
            assert not playing.done(), playing.result()
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        for victim in (*attack.victims, *attack.errands):
            live.house.lost(victim)
    return Outcome(attack.inputs + on_sockets, on_sockets, control.moves, control.games, tuple(memory))


def resident() -> int:
    """MiB of memory that this process has."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    def told(line: str) -> None:
        print(line, flush=True)  # noqa: T201 - this is a command

    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        outcome = uvloop.run(attack(Path(folder), told=told, **vars(options)))
    told(f"{outcome} in {time.monotonic() - begun:.0f} s")
    warm, last = outcome.memory[2], outcome.memory[-1]
    assert last < 1.25 * warm, f"memory has grown from {warm} to {last} MiB"


if __name__ == "__main__":
    main()
