"""The scene of an attack: a server, people who must not notice, and what it costs whom."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.attack.lines import answer, connect, request
from tests.attack.people import Bystanders, Control, Newcomers
from tests.attack.siege import Attack
from tests.live import LiveProcess, process

PORTS = ("--listen", "fortress=127.0.0.1:0", "--listen", "fortress-lan=127.0.0.1:0")
ENOUGH_MOVES = 20
"""That the control tables have to make during a short flood."""
PATIENCE = 20.0
"""Seconds for that."""
TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


class Calm(NamedTuple):
    """How it is when nobody attacks."""

    took: list[float]
    """Seconds, of each move."""
    usual: float
    """Seconds of the server's processor time in every second."""


class Outcome(NamedTuple):
    attack: Attack
    seconds: float
    calm: Calm
    took: list[float]
    """Seconds that each move of the control tables took meanwhile."""
    moves: int
    """That they made during the flood."""
    lost: dict[str, BaseException | None]
    """Bystanders who were disconnected."""
    newcomers: int
    """Who took a seat meanwhile."""
    newcomer: float
    """Seconds until the slowest sat."""
    turned_away: list[str]
    """Newcomers who got no seat."""
    memory: tuple[int, int, int]
    """Bytes of the server's: before, at the most, and some seconds afterwards."""
    log: list[str]
    """What the server wrote to its log meanwhile."""
    server: float
    """Seconds of processor time that the attack took from the server."""
    attacker: float
    """And from the attacker."""
    sent: int
    """Bytes, by the attacker."""
    cut: int
    """How often the attacker was turned away or cut off."""


class Attacker:
    """The process that attacks."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def order(self, what: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(what.encode() + b"\n")
        await self._process.stdin.drain()

    async def hear(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        async with asyncio.timeout(3 * PATIENCE):
            line = await self._process.stdout.readline()
        assert line, "the attacker is dead"
        found: dict[str, Any] = json.loads(line)
        assert found["said"] != "failed", f"the attack failed: {found['why']}"
        return found


class Stage:
    def __init__(self, live: LiveProcess, log: Path, attacker: Attacker) -> None:
        self.live = live
        self._log = log
        self._attacker = attacker
        self.controls = [Control("palace"), Control("coup")]
        self.bystanders = Bystanders(live.ports)
        self.newcomers = Newcomers(live.ports["http"], self.bystanders.inns)
        self._tasks: list[asyncio.Task[None]] = []
        self.calm = Calm([], 0)
        self._peak = 0

    async def enter(self) -> None:
        for control in self.controls:
            await control.sit(self.live.ports["http"])
            self._tasks.append(asyncio.create_task(control.play()))
        await self.bystanders.come()
        self._tasks.append(asyncio.create_task(self.newcomers.come()))
        self._tasks.append(asyncio.create_task(self._watch()))
        await self._until(lambda: all(control.moves for control in self.controls))

    async def leave(self) -> None:
        for task in self._tasks:
            task.cancel()
        self.bystanders.leave()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def rest(self, seconds: float) -> None:
        """How it is without an attack, for comparison."""
        begun, cpu = time.monotonic(), self._cpu()
        await asyncio.sleep(seconds)
        now = time.monotonic()
        self.calm = Calm(self._took(begun, now), (self._cpu() - cpu) / (now - begun))

    async def suffer(self, attack: Attack, seconds: float, enough: bool = False, afterwards: float = 0) -> Outcome:
        """``enough``: the flood goes on until the control tables have made some moves, and somebody has come.

        ``afterwards``: seconds until it is looked how much memory was given back.
        """
        self._check()
        memory, cpu, lines = self._resident(), self._cpu(), self._logged()
        self._peak = memory
        seated, away = self.newcomers.seated, len(self.newcomers.turned_away)
        begun = time.monotonic()
        await self._attacker.order(attack.name)
        await self._attacker.hear()
        flooding, moves, came = time.monotonic(), self.moves, self.newcomers.seated
        await asyncio.sleep(seconds)
        if enough:
            await self._until(lambda: self.moves >= moves + ENOUGH_MOVES and self.newcomers.seated > came)
        ended, made = time.monotonic(), self.moves - moves
        await self._attacker.order("stop")
        report = await self._attacker.hear()
        await self._until(self._healthy)  # what had piled up is worked off by then
        spent = self._cpu() - cpu - self.calm.usual * (time.monotonic() - begun)
        await asyncio.sleep(afterwards)
        self._check()
        return Outcome(
            attack,
            ended - flooding,
            self.calm,
            self._took(begun, ended),
            made,
            self.bystanders.lost,
            self.newcomers.seated - seated,
            self.newcomers.worst(begun, ended),
            self.newcomers.turned_away[away:],
            (memory, self._peak, self._resident()),
            self._log.read_text().splitlines()[lines:],
            max(0.0, spent),
            report["cpu"],
            report["sent"],
            report["cut"],
        )

    def _check(self) -> None:
        for task in self._tasks:
            if task.done():
                raise AssertionError("somebody who must not notice has noticed") from task.exception()

    async def _until(self, happened: Callable[[], bool | Awaitable[bool]]) -> None:
        """Whatever there was to wait for; what does not happen in time is seen in the figures."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            found = happened()
            if found if isinstance(found, bool) else await found:
                return
            await asyncio.sleep(0.05)

    async def _healthy(self) -> bool:
        line = await connect(self.live.ports["http"])
        try:
            await line.push(request("GET", "/readyz"))
            return (await answer(line)).status == 200
        except (ConnectionError, TimeoutError):
            return False
        finally:
            line.hang_up()

    @property
    def moves(self) -> int:
        """Of the control tables."""
        return sum(control.moves for control in self.controls)

    def _took(self, begun: float, until: float) -> list[float]:
        return [took for control in self.controls for took in control.since(begun, until)]

    async def _watch(self) -> None:
        while True:
            self._peak = max(self._peak, self._resident())
            await asyncio.sleep(0.02)

    def _resident(self) -> int:
        return int(Path(f"/proc/{self.live.pid}/statm").read_text().split()[1]) * PAGE

    def _cpu(self) -> float:
        """Seconds of processor time that the server has had."""
        fields = Path(f"/proc/{self.live.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def _logged(self) -> int:
        return len(self._log.read_text().splitlines())


@asynccontextmanager
async def stage(folder: Path, *flags: str) -> AsyncIterator[Stage]:
    log = folder / "log"
    log.touch()
    async with process(folder / "data", *PORTS, *flags, log=log) as live:
        command = (sys.executable, "-m", "tests.attack.attacker", json.dumps(live.ports))
        pipe = asyncio.subprocess.PIPE
        child = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)
        try:
            attacker = Attacker(child)
            await attacker.hear()
            found = Stage(live, log, attacker)
            try:
                await found.enter()
                yield found
            finally:
                await found.leave()
        finally:
            child.kill()
            await child.wait()
