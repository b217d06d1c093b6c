"""Jobs for the worker: each is done once for all who ask, in turn, and only as long as somebody waits.

There is one worker. Whoever asks queues by address, and the addresses take turns, so that nobody waits for what
somebody else has asked for in bulk. What came of a job is kept for the next who asks, as long as there is room.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable

import msgspec

from croupier.net import worker
from croupier.net.pipes import HEAD, framed
from croupier.net.worker import Job, JobResult, WorkerSetup
from croupier.tables import error_log

PER_ADDRESS = 8
"""Jobs of one address that may wait."""
IN_ALL = 64
CACHE_SIZE = 16 << 20
"""Bytes of results that are kept."""
LONGEST = 60.0
"""Seconds for one job. No game takes that; rules that never return do."""
IDLE = 60.0
"""Seconds without a job after which the worker may go."""
RETRY_AFTER = 5
"""Seconds after which it is worth asking again."""


class Busy(Exception):
    """Too much waits already."""


class WorkerProcess:
    """Started when there is something to do, and again whenever it has gone."""

    def __init__(self, setup: WorkerSetup) -> None:
        self._setup = setup
        self._process: Process | None = None

    async def do(self, job: Job) -> JobResult:
        try:
            async with asyncio.timeout(LONGEST):
                if self._process is None:
                    await self._start()
                assert self._process is not None and self._process.stdout is not None
                self._send(msgspec.msgpack.encode(job))
                head = await self._process.stdout.readexactly(HEAD)
                answer = await self._process.stdout.readexactly(int.from_bytes(head, "big"))
                return msgspec.msgpack.decode(answer, type=JobResult)
        except BaseException:
            await self.end()
            raise

    async def _start(self) -> None:
        # In a session of its own: Ctrl-C is for the server, which ends its worker itself. Should the server be killed,
        # the worker sees the end of its input.
        command = [sys.executable, "-m", worker.__name__]
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        self._process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env=env, start_new_session=True
        )
        self._send(pickle.dumps(self._setup))

    def _send(self, message: bytes) -> None:
        assert self._process is not None and self._process.stdin is not None
        self._process.stdin.write(framed(message))

    def cancel(self) -> None:
        """Nobody waits for what it is doing."""
        if self._process is not None:
            self._send(b"")

    async def end(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            process.kill()
            await process.wait()


class _PendingJob:
    """A job that waits for its turn, or is being done."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.future: asyncio.Future[JobResult] = asyncio.get_running_loop().create_future()
        self.waiting = 0
        """How many wait for it."""


class JobQueue:
    def __init__(self, setup: WorkerSetup) -> None:
        self._worker = WorkerProcess(setup)
        self._cache: OrderedDict[Job, JobResult] = OrderedDict()
        """The latest last."""
        self._cached_size = 0
        self._pending: dict[Job, _PendingJob] = {}
        self._queues: OrderedDict[str, deque[_PendingJob]] = OrderedDict()
        """By address; whose turn it is comes first. A job that several have asked for is in the queue of each."""
        self._current: _PendingJob | None = None
        self._task: asyncio.Task[None] | None = None
        self._idle_timer: asyncio.TimerHandle | None = None

    @property
    def waiting(self) -> int:
        """Jobs that are not done yet."""
        return len(self._pending)

    async def run(self, job: Job, address: str, disconnected: Callable[[], Awaitable[None]]) -> JobResult | None:
        """What comes of a job. None when whoever asked does not wait for it any more, which ``disconnected`` tells."""
        if job in self._cache:
            self._cache.move_to_end(job)
            return self._cache[job]
        pending = self._join(job, address)
        pending.waiting += 1
        left = asyncio.ensure_future(disconnected())
        try:
            await asyncio.wait((pending.future, left), return_when=asyncio.FIRST_COMPLETED)
            return pending.future.result() if pending.future.done() and not pending.future.cancelled() else None
        finally:
            left.cancel()
            pending.waiting -= 1
            if not pending.waiting and not pending.future.done():
                self._give_up(pending)

    def _join(self, job: Job, address: str) -> _PendingJob:
        pending = self._pending.get(job)
        queue = self._queues.get(address, ())
        if pending is not None and (pending is self._current or pending in queue):
            return pending
        if len(queue) >= PER_ADDRESS or (pending is None and len(self._pending) >= IN_ALL):
            raise Busy
        pending = self._pending.setdefault(job, pending or _PendingJob(job))
        self._queues.setdefault(address, deque()).append(pending)
        if self._task is None:
            self._task = asyncio.ensure_future(self._work_off())
        return pending

    def _give_up(self, pending: _PendingJob) -> None:
        self._remove(pending)
        if pending is self._current:
            self._worker.cancel()

    def _remove(self, pending: _PendingJob) -> None:
        del self._pending[pending.job]
        for address, queue in list(self._queues.items()):
            if pending in queue:
                queue.remove(pending)
            if not queue:
                del self._queues[address]

    def _next(self) -> _PendingJob | None:
        if not self._queues:
            return None
        address, queue = self._queues.popitem(last=False)
        self._queues[address] = queue  # and it is the others' turn
        return queue[0]

    async def _work_off(self) -> None:
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        while (pending := self._next()) is not None:
            self._current = pending
            try:
                result = await self._worker.do(pending.job)
                if result.outcome == "failed":
                    error_log.report(
                        "server", "a log could not be played again", job=pending.job.kind, trace=result.what
                    )
                self._store(pending.job, result)
                if not pending.future.done():
                    pending.future.set_result(result)
            except Exception:
                error_log.report("server", "the worker failed", job=pending.job.kind, table=pending.job.table)
                if not pending.future.done():
                    pending.future.set_result(JobResult("failed"))
            finally:
                self._current = None
                if self._pending.get(pending.job) is pending:
                    self._remove(pending)
        self._task = None
        self._idle_timer = asyncio.get_running_loop().call_later(IDLE, self._idle)

    def _idle(self) -> None:
        if self._task is None:
            self._task = asyncio.ensure_future(self._end_worker())

    async def _end_worker(self) -> None:
        await self._worker.end()
        self._task = None
        if self._queues:
            self._task = asyncio.ensure_future(self._work_off())

    def _store(self, job: Job, result: JobResult) -> None:
        size = len(result.body)
        if result.outcome != "made" or job.kind == "public" or size > CACHE_SIZE // 4:
            return  # the journal keeps public records
        self._cache[job] = result
        self._cached_size += size
        while self._cached_size > CACHE_SIZE:
            _, oldest = self._cache.popitem(last=False)
            self._cached_size -= len(oldest.body)

    def forget(self, table: str) -> None:
        """What came of it is not what would come of it now."""
        for job in [job for job in self._cache if job.table == table]:
            self._cached_size -= len(self._cache.pop(job).body)

    async def close(self) -> None:
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        for pending in self._pending.values():
            pending.future.cancel()  # before the one in hand is taken out: nobody may wait for what never comes
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait((self._task,))
        await self._worker.end()
