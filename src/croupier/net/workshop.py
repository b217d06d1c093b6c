"""Where what takes long is worked out: once for all who ask, in turn, and only as long as somebody waits.

There is one worker. Whoever asks queues by address, and the addresses take turns, so that nobody waits for what
somebody else has asked for in bulk. What was made is kept for the next who asks, as long as there is room.
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
from croupier.net.worker import HEAD, Job, Made, Trade, framed
from croupier.tables import error_log

PER_ADDRESS = 8
"""Jobs of one address that may wait."""
IN_ALL = 64
SHELF = 16 << 20
"""Bytes of what was made that are kept."""
LONGEST = 60.0
"""Seconds for one job. No game takes that; rules that never return do."""
IDLE = 60.0
"""Seconds without a job after which the worker may go."""
SOON = 5
"""Seconds after which it is worth asking again."""


class Busy(Exception):
    """Too much waits already."""


class Worker:
    """The process. It is started when there is something to do, and again whenever it has gone."""

    def __init__(self, trade: Trade) -> None:
        self._trade = trade
        self._process: Process | None = None

    async def do(self, job: Job) -> Made:
        try:
            async with asyncio.timeout(LONGEST):
                if self._process is None:
                    await self._start()
                assert self._process is not None and self._process.stdout is not None
                self._say(msgspec.msgpack.encode(job))
                head = await self._process.stdout.readexactly(HEAD)
                answer = await self._process.stdout.readexactly(int.from_bytes(head, "big"))
                return msgspec.msgpack.decode(answer, type=Made)
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
        self._say(pickle.dumps(self._trade))

    def _say(self, message: bytes) -> None:
        assert self._process is not None and self._process.stdin is not None
        self._process.stdin.write(framed(message))

    def never_mind(self) -> None:
        """Nobody waits for what it is doing."""
        if self._process is not None:
            self._say(b"")

    async def end(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            process.kill()
            await process.wait()


class _Making:
    """A job that waits for its turn, or is being done."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.made: asyncio.Future[Made] = asyncio.get_running_loop().create_future()
        self.waiting = 0
        """How many wait for it."""


class Workshop:
    def __init__(self, trade: Trade) -> None:
        self._worker = Worker(trade)
        self._shelf: OrderedDict[Job, Made] = OrderedDict()
        """The latest last."""
        self._shelved = 0
        self._makings: dict[Job, _Making] = {}
        self._queues: OrderedDict[str, deque[_Making]] = OrderedDict()
        """By address; whose turn it is comes first. A job that several have asked for is in the queue of each."""
        self._current: _Making | None = None
        self._work: asyncio.Task[None] | None = None
        self._going: asyncio.TimerHandle | None = None

    @property
    def waiting(self) -> int:
        """Jobs that are not done yet."""
        return len(self._makings)

    async def make(self, job: Job, address: str, gone: Callable[[], Awaitable[None]]) -> Made | None:
        """What comes of a job. None when whoever asked does not wait for it any more, which ``gone`` tells."""
        if job in self._shelf:
            self._shelf.move_to_end(job)
            return self._shelf[job]
        making = self._join(job, address)
        making.waiting += 1
        left = asyncio.ensure_future(gone())
        try:
            await asyncio.wait((making.made, left), return_when=asyncio.FIRST_COMPLETED)
            return making.made.result() if making.made.done() and not making.made.cancelled() else None
        finally:
            left.cancel()
            making.waiting -= 1
            if not making.waiting and not making.made.done():
                self._give_up(making)

    def _join(self, job: Job, address: str) -> _Making:
        making = self._makings.get(job)
        queue = self._queues.get(address, ())
        if making is not None and (making is self._current or making in queue):
            return making
        if len(queue) >= PER_ADDRESS or (making is None and len(self._makings) >= IN_ALL):
            raise Busy
        making = self._makings.setdefault(job, making or _Making(job))
        self._queues.setdefault(address, deque()).append(making)
        if self._work is None:
            self._work = asyncio.ensure_future(self._do_all())
        return making

    def _give_up(self, making: _Making) -> None:
        self._take_out(making)
        if making is self._current:
            self._worker.never_mind()

    def _take_out(self, making: _Making) -> None:
        del self._makings[making.job]
        for address, queue in list(self._queues.items()):
            if making in queue:
                queue.remove(making)
            if not queue:
                del self._queues[address]

    def _next(self) -> _Making | None:
        if not self._queues:
            return None
        address, queue = self._queues.popitem(last=False)
        self._queues[address] = queue  # and it is the others' turn
        return queue[0]

    async def _do_all(self) -> None:
        if self._going is not None:
            self._going.cancel()
        while (making := self._next()) is not None:
            self._current = making
            try:
                made = await self._worker.do(making.job)
                if made.outcome == "failed":
                    error_log.report("server", "a log could not be played again", job=making.job.kind, trace=made.what)
                self._keep(making.job, made)
                if not making.made.done():
                    making.made.set_result(made)
            except Exception:
                error_log.report("server", "the worker failed", job=making.job.kind, table=making.job.table)
                if not making.made.done():
                    making.made.set_result(Made("failed"))
            finally:
                self._current = None
                if self._makings.get(making.job) is making:
                    self._take_out(making)
        self._work = None
        self._going = asyncio.get_running_loop().call_later(IDLE, self._rest)

    def _rest(self) -> None:
        if self._work is None:
            self._work = asyncio.ensure_future(self._let_go())

    async def _let_go(self) -> None:
        await self._worker.end()
        self._work = None
        if self._queues:
            self._work = asyncio.ensure_future(self._do_all())

    def _keep(self, job: Job, made: Made) -> None:
        size = len(made.body)
        if made.outcome != "made" or job.kind == "public" or size > SHELF // 4:
            return  # the journal keeps public records
        self._shelf[job] = made
        self._shelved += size
        while self._shelved > SHELF:
            _, oldest = self._shelf.popitem(last=False)
            self._shelved -= len(oldest.body)

    async def close(self) -> None:
        if self._going is not None:
            self._going.cancel()
        if self._work is not None:
            self._work.cancel()
            await asyncio.wait((self._work,))
        for making in self._makings.values():
            making.made.cancel()
        await self._worker.end()
