"""What is lost when one of two processes is killed: with Croupier, and with Colyseus and its Redis presence.

People of many tables play. Then one process gets SIGKILL, and is started again at once, as whatever looks after it
would do. Everybody whose connection is lost comes back as a good client does, and does not give up.

    python -m benchmarks.killed
    python -m benchmarks.killed --tables 10 --seconds 2      a look
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import signal
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from time import monotonic
from typing import NamedTuple

import msgspec

from benchmarks import peers
from benchmarks.nodes import UNLIMITED, folder
from benchmarks.server import run
from croupier.journal.postgres_store import PostgresStore
from croupier.tables import entries
from services.postgres import Postgres
from services.processes import free_port
from services.redis import Redis
from tests.chaos.ledger import Json
from tests.chaos.people import Native, Party, Refusal
from tests.live import Live, process

SEATS = 4
PAUSE = 0.1
"""Seconds that somebody thinks about a move, on average."""
SECONDS_TO_SIT = 60
"""Until everybody plays."""


class Plan(NamedTuple):
    tables: int
    seconds: float
    """Of play before the kill."""
    patience: float
    """Seconds in which people try to come back."""


class Outcome(msgspec.Struct, kw_only=True):
    tables: int
    hit: int
    """Tables at which somebody has lost the connection."""
    acknowledged: int
    """Moves, until the kill."""
    moves_gone: int
    """Of those that were acknowledged."""
    tables_gone: int
    """That nobody could come back to."""
    people_out: int
    """Who could not come back to their seats."""
    went_on: int
    """Tables at which everybody sits, and moves have been made since."""
    refusal: str
    """What somebody was told who could not come back."""


class Person(Native):
    """Somebody at a table of ours. Nobody is sent away from it, so that whoever is missing was lost by the server."""

    lost = False
    connected = False
    refusal = ""

    async def visit(self) -> None:
        try:
            await super().visit()
        finally:
            self.lost, self.connected = self.lost or self.connected, False

    async def arrive(self) -> None:
        try:
            await super().arrive()
        except Refusal as refusal:
            self.refusal = refusal.args[0]
            raise
        self.connected = True

    def wish_of_host(self) -> Json | None:
        wish = super().wish_of_host()
        return None if wish is not None and wish["type"] == "kick" else wish

    @property
    def out(self) -> bool:
        """Whether they are not where they sat."""
        return not self.connected or self.attempts > 1


class Croupier:
    """Two nodes, and the people of some tables."""

    def __init__(self, where: Path, journal: str, bus: str, tables: int) -> None:
        self._where = where
        self._journal = journal
        self._flags = (*UNLIMITED, "--journal", journal, "--bus", bus)
        self._places = [Live({"http": free_port()}) for _ in range(2)]
        dice = Random(1)
        self.tables: list[list[Person]] = []
        for number in range(tables):
            party = Party(str(number), "palace", self._places, dice, PAUSE, 1 << 30)
            people = [Person(party) for _ in range(SEATS)]
            for person in people:
                person.server = number  # all of a table at one node, as the balancer of docs/cluster.md has it
            party.open.set()
            self.tables.append(people)

    async def killed(self, plan: Plan) -> Outcome:
        everybody = [person for people in self.tables for person in people]
        async with AsyncExitStack() as stack:
            first, _ = [await self._start(stack, number) for number in range(2)]
            living = [asyncio.create_task(host.live()) for host, *_ in self.tables]
            await until(lambda: all(host.party.table for host, *_ in self.tables), SECONDS_TO_SIT)
            living += [asyncio.create_task(person.live()) for _, *others in self.tables for person in others]
            await until(lambda: all(person.ledger.acknowledged for person in everybody), SECONDS_TO_SIT)
            await asyncio.sleep(plan.seconds)
            os.kill(first, signal.SIGKILL)
            before = [people[0].party.progress for people in self.tables]
            await self._start(stack, 0)

            def went_on() -> list[bool]:
                return [
                    not any(person.out for person in people) and people[0].party.progress > moves
                    for people, moves in zip(self.tables, before, strict=True)
                ]

            await until(lambda: all(went_on()), plan.patience)
            out = [person for person in everybody if person.out]
            outcome = Outcome(
                tables=plan.tables,
                hit=sum(any(person.lost for person in people) for people in self.tables),
                acknowledged=sum(before),
                moves_gone=0,
                tables_gone=sum(all(person.out for person in people) for people in self.tables),
                people_out=len(out),
                went_on=sum(went_on()),
                refusal=out[0].refusal if out else "",
            )
            for task in living:
                task.cancel()
            await asyncio.gather(*living, return_exceptions=True)
        outcome.moves_gone = await asyncio.to_thread(self.moves_gone)
        return outcome

    async def _start(self, stack: AsyncExitStack, number: int) -> int:
        flags = ("--node", f"n{number}", "--port", str(self._places[number].ports["http"]))
        return (await stack.enter_async_context(process(self._where, *self._flags, *flags))).pid

    def moves_gone(self) -> int:
        """How many were acknowledged and are not in the journal."""
        gone = 0
        with PostgresStore(self._journal) as store:
            for people in self.tables:
                written = [entries.decode(record.entry) for record in store.log(people[0].party.table)]
                keys = {entry.key for entry in written if isinstance(entry, entries.Moved)}
                gone += sum(key not in keys for person in people for key in person.ledger.acknowledged)
        return gone


async def until(happens: Callable[[], bool], patience: float) -> None:
    """Or until patience has run out."""
    end = monotonic() + patience
    while not happens() and monotonic() < end:  # noqa: ASYNC110 - it is told by many
        await asyncio.sleep(0.1)


async def at_colyseus(bus: str, plan: Plan) -> Outcome:
    """Colyseus' own client does all the rest."""
    ports = [free_port() for _ in range(2)]
    servers = [[*peers.server("colyseus_counting.mjs", peers.COLYSEUS_NODES), str(port), bus] for port in ports]
    asked = {
        "hosts": [f"127.0.0.1:{port}" for port in ports],
        "tables": plan.tables,
        "seats": SEATS,
        "pause": 1000 * PAUSE,
        "patience": plan.patience,
    }
    async with AsyncExitStack() as stack:
        first, _ = [await stack.enter_async_context(peers.started(server)) for server in servers]
        command = [*peers.server("colyseus_people.mjs", peers.COLYSEUS_NODES), msgspec.json.encode(asked).decode()]
        people = await stack.enter_async_context(_people(command))
        assert people.stdin is not None
        assert people.stdout is not None
        await _said(people.stdout, b'{"playing"')
        await asyncio.sleep(plan.seconds)
        os.kill(first.pid, signal.SIGKILL)
        await stack.enter_async_context(peers.started(servers[0]))
        people.stdin.write(b"killed\n")
        return msgspec.json.decode(await _said(people.stdout, b'{"tables"'), type=Outcome)


@asynccontextmanager
async def _people(command: Sequence[str]) -> AsyncIterator[asyncio.subprocess.Process]:
    people = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE)
    try:
        yield people
    finally:
        if people.returncode is None:
            people.kill()
        await people.wait()


async def _said(lines: asyncio.StreamReader, begins: bytes) -> bytes:
    while line := await lines.readline():
        if line.startswith(begins):
            return line
    raise RuntimeError("Colyseus' people have given up")


ROWS: dict[str, Callable[[Outcome], object]] = {
    "tables, of four people each": lambda found: found.tables,
    "… at the process that was killed": lambda found: found.hit,
    "moves that were acknowledged before that": lambda found: f"{found.acknowledged:,}",
    "**tables that are gone**": lambda found: found.tables_gone,
    "**acknowledged moves that are gone**": lambda found: f"{found.moves_gone:,}",
    "**people who could not return to their seat**": lambda found: found.people_out,
    "tables that went on, with everybody": lambda found: found.went_on,
    "what those who could not return were told": lambda found: re.sub(r'"\w+"', "…", found.refusal) or "–",
}


def table(found: dict[str, Outcome]) -> str:
    lines = [f"| | {' | '.join(found)} |", "|---" * (len(found) + 1) + "|"]
    lines += [f"| {title} | {' | '.join(str(row(each)) for each in found.values())} |" for title, row in ROWS.items()]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=5.0, help="of play before the kill")
    parser.add_argument("--patience", type=float, default=20.0, help="seconds in which people try to come back")
    plan = Plan(**vars(parser.parse_args()))
    found: dict[str, Outcome] = {}
    with folder() as where, Postgres(where / "postgres") as postgres, Redis(where / "redis") as redis:
        try:
            found["Colyseus, two processes and Redis"] = run(at_colyseus(redis.url, plan))
        except peers.Missing as reason:
            print(f"Colyseus is missing, it can't be installed here: {reason}")
        ours = Croupier(where, postgres.create("killed"), redis.url, plan.tables)
        found["Croupier, two nodes, PostgreSQL and Redis"] = run(ours.killed(plan))
    print(table(found))


if __name__ == "__main__":
    main()
