"""The process beside the server where logs are played again: ``python -m croupier.net.worker``.

A thread would have the interpreter half of the time, and everybody's moves would wait for it. The worker is told on its
standard input what to do, one thing at a time, and answers on its standard output. An empty message means that nobody
waits for the answer any more; and the end of the input, that there is no server any more.
"""

from __future__ import annotations

import gzip
import os
import pickle
import select
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Literal, NamedTuple

import msgspec

from croupier.analysis.brief import prepare
from croupier.journal import JournalDown, Record
from croupier.logs import trace
from croupier.net.pipes import Ended, framed, received
from croupier.tables import logbook, records, replay
from croupier.tables.public import public_record
from croupier.tables.table import AnyGame, Table

_LOOKS_EVERY = 16
"""Entries, for news of whether anybody waits."""
_NICENESS = 10
"""The worker has what the server leaves of a processor, where they have to share one."""


class Job(msgspec.Struct, frozen=True):
    """What is to be worked out of a table's log. All that the answer depends on is in it."""

    kind: Literal["public", "watch", "keep", "analyse"]
    """The table's public record; a finished game step by step, as a file to keep, or as the problems of a seat."""
    table: str
    game: str
    number: int = 0
    seat: int | None = None
    open: bool = False
    first: int = 0
    language: str = "en"


class JobResult(msgspec.Struct, frozen=True):
    """What came of a job."""

    outcome: Literal["made", "given up", "no such game", "unreadable", "failed"]
    body: bytes = b""
    """Games are packed with gzip; a seat's problems are a ``Brief`` in msgpack, for the server itself."""
    what: str = ""
    """Why there is nothing: for people, or for the log."""
    closed: bool = False
    """Whether the table is; then its public record stays as it is."""


Read = Callable[[str], Iterable[Record]]


class WorkerSetup(NamedTuple):
    """What a worker has to know before it begins."""

    games: Mapping[str, type[AnyGame]]
    """By their names. (The rules are code, and code does not travel: only what it is called.)"""
    read: Read
    """The log of a table."""


class _Cancelled(Exception):
    pass


def main() -> None:
    os.nice(_NICENESS)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever else is printed is no answer
    with suppress(Ended):
        setup: WorkerSetup = pickle.loads(received(0))
        games = {name: game() for name, game in setup.games.items()}
        while True:
            if message := received(0):
                result = _run(games, setup.read, msgspec.msgpack.decode(message, type=Job))
                answers.write(framed(msgspec.msgpack.encode(result)))
                answers.flush()


def _run(games: Mapping[str, AnyGame], read: Read, job: Job) -> JobResult:
    game, log = games[job.game], _until_cancelled(read(job.table))
    try:
        match job.kind:
            case "public":
                table = Table(job.table, game)
                logbook.fold(table, log)
                return JobResult("made", public_record(table), closed=table.phase == "closed")
            case "watch":
                return _packed(
                    replay.watch(
                        job.table, game, log, job.number, job.seat, job.open, job.first, job.language
                    )
                )  # fmt: skip
            case "keep":
                return _packed(records.keep(job.table, game, log, job.number, job.language))
            case "analyse":
                happenings = replay.Again(job.table, game, log, job.number)
                return JobResult("made", msgspec.msgpack.encode(prepare(happenings, job.seat or 0, job.language)))
    except _Cancelled:
        return JobResult("given up")
    except replay.NoSuchGame as error:
        return JobResult("no such game", what=str(error))
    except (logbook.Unreadable, JournalDown) as error:
        return JobResult("unreadable", what=str(error))
    except Exception as error:
        return JobResult("failed", what=trace((type(error), error, error.__traceback__)))


def _until_cancelled(log: Iterable[Record]) -> Iterator[Record]:
    for number, record in enumerate(log):
        if number % _LOOKS_EVERY == 0 and select.select([0], [], [], 0)[0]:
            raise _Cancelled
        yield record


def _packed(found: msgspec.Struct) -> JobResult:
    return JobResult("made", gzip.compress(msgspec.json.encode(found), 6, mtime=0))


if __name__ == "__main__":
    main()
