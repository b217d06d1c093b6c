"""What takes long: worked out once for all who ask, in turn, and only as long as somebody waits."""

from __future__ import annotations

import asyncio
import gzip
import itertools
import json
import os
import pickle
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from croupier import server as croupier_server
from croupier.games import Catalogue
from croupier.journal import Record
from croupier.net import job_queue
from croupier.net.job_queue import Busy, JobQueue
from croupier.net.worker import Job, JobResult, WorkerSetup
from croupier.tables import entries, error_log
from tests.client import client, play_out
from tests.diary import Diary
from tests.live import LiveHere, Reply, process, request, server
from tests.toys import Bids

TOY = Catalogue({"bids": Bids()}, [])


# What the worker reads; it is another process, and knows these by name.


def read(folder: Path, table: str) -> Iterator[Record]:
    """A game of Bids, whatever the table; those called ``endless`` go on for ever, and of others nobody hears before
    there is a file ``gate``. Which were read, and in which order, is written down."""
    with (folder / "read").open("a") as noted:
        noted.write(f"{table}\n")
    log: list[Record] = pickle.loads((folder / "log").read_bytes())
    if table.startswith("endless"):
        said = entries.encode(entries.Said(0, "Ann", "and another thing"))
        yield from log[:2]
        yield from (Record(seq, log[1].at, said) for seq in itertools.count(3))
    while not (folder / "gate").exists():
        time.sleep(0.001)
    yield from log


class Folder:
    """What the worker is to find, and what it has done."""

    def __init__(self, path: Path) -> None:
        self.path = path
        (path / "log").write_bytes(pickle.dumps(Diary(Bids()).play().log))

    def open_gate(self) -> None:
        (self.path / "gate").touch()

    def read(self) -> list[str]:
        noted = self.path / "read"
        return noted.read_text().split() if noted.exists() else []

    async def until_read(self, *tables: str) -> None:
        while self.read() != list(tables):  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.005)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


@pytest.fixture
async def jobs(folder: Folder) -> AsyncIterator[JobQueue]:
    opened = JobQueue(WorkerSetup({"bids": Bids}, partial(read, folder.path)))
    yield opened
    await opened.close()


def watch(table: str, **about: Any) -> Job:
    return Job("watch", table, "bids", 1, **about)


async def never() -> None:
    await asyncio.Event().wait()


def ask(
    jobs: JobQueue, table: str, address: str = "a", gone: Callable[[], Awaitable[None]] = never
) -> asyncio.Task[JobResult | None]:
    return asyncio.ensure_future(jobs.run(watch(table), address, gone))


def told(made: JobResult | None) -> Any:
    assert made is not None
    assert made.outcome == "made", made
    return json.loads(gzip.decompress(made.body))


async def test_all_who_ask_for_the_same_share_the_work_and_it_is_kept(jobs: JobQueue, folder: Folder) -> None:
    asked = [ask(jobs, "t", f"address {number}") for number in range(20)]
    await folder.until_read("t")
    folder.open_gate()
    found = await asyncio.gather(*asked)
    assert told(found[0])["count"] > 2
    assert len({made.body for made in found if made is not None}) == 1
    assert await ask(jobs, "t") == found[0]
    assert folder.read() == ["t"]
    await jobs.run(watch("t", open=True), "a", never)
    assert folder.read() == ["t", "t"], "that is another answer"


async def test_addresses_take_turns(jobs: JobQueue, folder: Folder) -> None:
    many = [ask(jobs, f"a{number}", "a") for number in range(4)]
    few = [ask(jobs, "b0", "b"), ask(jobs, "c0", "c"), ask(jobs, "c1", "c")]
    await folder.until_read("a0")
    folder.open_gate()
    await asyncio.gather(*many, *few)
    assert folder.read() == ["a0", "b0", "c0", "a1", "c1", "a2", "a3"]


async def test_who_asks_for_what_waits_in_somebody_elses_long_queue_need_not_wait_for_that(
    jobs: JobQueue, folder: Folder
) -> None:
    many = [ask(jobs, f"a{number}", "a") for number in range(4)]
    same = ask(jobs, "a3", "b")
    await folder.until_read("a0")
    folder.open_gate()
    await asyncio.gather(*many, same)
    assert folder.read() == ["a0", "a3", "a1", "a2"]


async def test_one_address_may_ask_for_so_much_and_all_together_for_so_much(
    jobs: JobQueue, folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_queue, "IN_ALL", job_queue.PER_ADDRESS + 1)
    many = [ask(jobs, f"a{number}", "a") for number in range(job_queue.PER_ADDRESS)]
    await folder.until_read("a0")
    with pytest.raises(Busy):
        await ask(jobs, "another", "a")
    other = ask(jobs, "b0", "b")
    same = ask(jobs, "a3", "c")
    await asyncio.sleep(0)
    with pytest.raises(Busy):
        await ask(jobs, "c0", "c")
    folder.open_gate()
    await asyncio.gather(*many, other, same)
    assert told(await ask(jobs, "another", "a"))


async def test_what_nobody_waits_for_is_given_up(jobs: JobQueue, folder: Folder) -> None:
    folder.open_gate()
    left = asyncio.Event()
    first = ask(jobs, "endless", "a", left.wait)  # type: ignore[arg-type]
    second = ask(jobs, "endless", "b")
    queued = ask(jobs, "nobody's", "a", left.wait)  # type: ignore[arg-type]
    last = ask(jobs, "t", "b")
    await folder.until_read("endless")
    left.set()
    assert (await first, await queued) == (None, None)
    assert not second.done(), "somebody still waits for that"
    second.cancel()
    assert told(await last)
    assert folder.read() == ["endless", "t"]


async def test_only_so_much_is_kept_and_the_oldest_goes_first(
    jobs: JobQueue, folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.open_gate()
    size = len((await ask(jobs, "0") or JobResult("failed")).body)
    monkeypatch.setattr(job_queue, "CACHE_SIZE", 5 * size)
    for table in ("1", "2", "3", "0", "4", "5", "6"):  # the first is asked for again, and stays
        await ask(jobs, table)
    assert folder.read() == ["0", "1", "2", "3", "4", "5", "6"]
    await ask(jobs, "0")
    await ask(jobs, "6")
    assert folder.read() == ["0", "1", "2", "3", "4", "5", "6"]
    await ask(jobs, "1")
    assert folder.read()[-1] == "1"


async def test_nobody_waits_for_a_queue_that_is_closed(jobs: JobQueue, folder: Folder) -> None:
    in_hand, queued = ask(jobs, "endless"), ask(jobs, "t")
    await folder.until_read("endless")
    await jobs.close()
    assert (await in_hand, await queued) == (None, None)


async def test_a_worker_that_is_killed_costs_what_it_had_in_hand(jobs: JobQueue, folder: Folder) -> None:
    error_log.seen.clear()
    asked = ask(jobs, "endless")
    await folder.until_read("endless")
    (worker,) = children(os.getpid())
    os.kill(worker, signal.SIGKILL)
    made = await asked
    assert made is not None
    assert made.outcome == "failed"
    assert error_log.seen["server"] == 1
    folder.open_gate()
    assert told(await ask(jobs, "t"))


async def test_rules_that_never_return_cost_a_worker(
    jobs: JobQueue, folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_queue, "LONGEST", 2.0)
    made = await ask(jobs, "behind a gate that nobody opens")
    assert made is not None
    assert made.outcome == "failed"
    monkeypatch.undo()
    folder.open_gate()
    assert told(await ask(jobs, "t"))


async def test_a_worker_with_nothing_to_do_goes(
    jobs: JobQueue, folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_queue, "IDLE", 0.01)
    folder.open_gate()
    assert told(await ask(jobs, "t"))
    while children(os.getpid()):  # noqa: ASYNC110 - nobody tells
        await asyncio.sleep(0.01)
    assert told(await ask(jobs, "another"))


# Over HTTP, by real sockets.


def read_beside(journal: Path, table: str) -> Iterator[Record]:
    """What a server's worker finds in the folder of its journal, instead of that."""
    return read(journal.parent, "endless" if (journal.parent / "endless").exists() else table)


async def get(live: LiveHere, path: str, **headers: str) -> Reply:
    return await request(live.ports["http"], "GET", f"/api/tables/{path}", b"", **headers)


async def hurried(live: LiveHere, path: str) -> asyncio.StreamWriter:
    """Somebody who asks, and does not mean to wait for the answer."""
    _, writer = await asyncio.open_connection("127.0.0.1", live.ports["http"])
    writer.write(f"GET /api/tables/{path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    await writer.drain()
    return writer


@pytest.fixture
async def site(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[LiveHere, str]]:
    """A server, and where a finished game is to be found on it."""
    monkeypatch.setattr(croupier_server, "read_log", read_beside)
    async with server(folder.path, TOY, bot_delay=0) as live, client(live.ws("/ws")) as ann:
        await ann.ask("open", game="bids", player="Ann", seats=2)
        await ann.ask("add_bots")
        await ann.ask("start")
        await play_out(ann)
        yield live, f"{ann.table}/games/1"


async def test_sixty_who_have_hung_up_shut_nobody_out(site: tuple[LiveHere, str], folder: Folder) -> None:
    live, game = site
    (folder.path / "endless").touch()
    first = await hurried(live, f"{game}?first=0")
    await folder.until_read("endless")
    for step in range(1, 60):
        (await hurried(live, f"{game}?first={step}")).close()
    (folder.path / "endless").unlink()
    folder.open_gate()
    first.close()
    while (reply := await get(live, f"{game}?open=1")).status == 503:  # until it is noticed that they are gone
        assert reply.headers["retry-after"]
    assert reply.status == 200
    assert len(folder.read()) < 10, "hardly anything was begun for those who were queued"


async def test_who_asks_for_too_much_is_asked_to_wait(site: tuple[LiveHere, str], folder: Folder) -> None:
    live, game = site
    waiting = [await hurried(live, f"{game}?first={step}") for step in range(job_queue.PER_ADDRESS)]
    while live.job_queue.waiting < job_queue.PER_ADDRESS:  # noqa: ASYNC110 - nobody tells
        await asyncio.sleep(0.005)
    reply = await get(live, f"{game}?open=1&language=fr")
    assert (reply.status, reply.headers["retry-after"]) == (503, "5")
    assert "trop de gens" in json.loads(reply.body)["error"]
    assert (await get(live, f"{game}/record")).status == 503
    folder.open_gate()
    for writer in waiting:
        writer.close()


async def test_games_that_an_open_table_has_not_played_are_not_looked_for(
    site: tuple[LiveHere, str], folder: Folder
) -> None:
    live, game = site
    for number in (0, 2, 10**30):
        assert (await get(live, f"{game[:-1]}{number}")).status == 404
    assert folder.read() == []


def children(of: int) -> list[int]:
    """The workers of a process."""
    everybody = [int(folder.name) for folder in Path("/proc").iterdir() if folder.name.isdigit()]
    return [
        pid
        for pid in everybody
        if parent(pid) == of and b"croupier.net.worker" in Path(f"/proc/{pid}/cmdline").read_bytes()
    ]


def parent(pid: int) -> int | None:
    """Whose child a process is; None when it has ended."""
    try:
        state, parent, *_ = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if state == "Z" else int(parent)


@pytest.mark.parametrize("end", ["kill", "terminate"])
async def test_a_worker_goes_with_its_server_however_that_ends(tmp_path: Path, end: str) -> None:
    async with process(tmp_path, "--bot-delay", "0") as live, client(live.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann", seats=2)
        await ann.ask("add_bots")
        await ann.ask("start")
        await play_out(ann)
        path = f"/api/tables/{ann.table}/games/1"
        assert (await request(live.ports["http"], "GET", path)).status == 200
        (worker,) = await asyncio.to_thread(children, live.pid)
        await getattr(live, end)()
        while parent(worker) is not None:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)
