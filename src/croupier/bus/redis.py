"""The bus by Redis or Valkey: their publish and subscribe, which keeps nothing.

Two connections, one to publish and one to listen, live and die together. Once a second a message to oneself goes
through both: how long it takes is the lag, and when it does not come back, they are opened anew. What may have been
lost meanwhile is not only what was to be heard here: others have missed what was published here. They are told.
"""

from __future__ import annotations

import asyncio
import secrets
import struct
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from itertools import count
from math import inf
from time import monotonic

from redis.asyncio.connection import AbstractConnection, ConnectionPool
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from croupier.bus import Confirmed, Counts, Gap, Heard

QUEUE = 10_000
"""Messages that wait to be sent at most."""
AT_ONCE = 32
"""Messages that are heard in one turn of the event loop: others want their turn, too."""
PING_INTERVAL = 1.0
PATIENCE = 3.0
"""Seconds for a ping to come back, and for a connection to be made."""
SHORTEST_PAUSE, LONGEST_PAUSE = 0.05, 1.0
"""Seconds between two attempts to connect, doubled with each."""
MOMENT = 1.0
"""Seconds that opening waits for Redis at most."""

SENDER = 8
"""Bytes at the beginning of every message that say whose it is."""
_TIME = struct.Struct("!d")


class _Subscription:
    __slots__ = ("confirmed", "heard")

    def __init__(self, heard: Heard, confirmed: Confirmed | None) -> None:
        self.heard = heard
        self.confirmed = confirmed


class RedisBus:
    def __init__(self, url: str, node: str, gap: Gap, prefix: str) -> None:
        self.counts = Counts()
        self.fault: str | None = "not connected yet"
        self.lag: float | None = None
        self._connections = ConnectionPool.from_url(
            url, protocol=2, client_name=f"croupier-{node}", socket_timeout=None, retry=Retry(NoBackoff(), 0)
        )
        self._gap = gap
        self._prefix = prefix.encode() + b":"
        """Of all channels: a Redis may serve several houses, and its databases do not keep channels apart."""
        self._me = secrets.token_bytes(SENDER)
        """Not made from the node's name: killed and started again it is another, and so are two of one name."""
        # No channel that somebody subscribes has such a name: theirs follow the colon of the prefix.
        self._to_me = b"%b/node/%b" % (prefix.encode(), self._me.hex().encode())
        self._to_all = b"%b/all" % prefix.encode()
        self._subscriptions: dict[bytes, _Subscription] = {}
        self._changed: dict[bytes, None] = {}
        """Channels that have been subscribed or unsubscribed, which Redis has not been told."""
        self._queue: deque[bytes] = deque(maxlen=QUEUE)
        self._connected = False
        self._owing = False
        """Whether the others have missed something that was published here, and have not been told so."""
        self._pinged: float | None = None
        """When the ping was sent that has not come back."""
        self._to_send = asyncio.Event()
        self._to_change = asyncio.Event()
        self._first = asyncio.Event()
        """Set once something has been heard for the first time."""
        self._loop = asyncio.get_running_loop()
        self._running = self._loop.create_task(self._run())

    @classmethod
    async def open(cls, url: str, node: str, gap: Gap, prefix: str) -> RedisBus:
        """Whether Redis is there or not; if it is, most probably connected to it. ``prefix`` names the house, and
        ``node`` this process, for those who look into Redis."""
        bus = cls(url, node, gap, prefix)
        with suppress(TimeoutError):
            async with asyncio.timeout(MOMENT):
                await bus._first.wait()
        return bus

    def publish(self, channel: str, message: bytes) -> None:
        self.counts.published += 1
        if self._connected:
            self._send(self._name(channel), message)
        else:
            self.counts.dropped += 1
            self._owing = True

    def subscribe(self, channel: str, heard: Heard, confirmed: Confirmed | None = None) -> None:
        name = self._name(channel)
        if name in self._subscriptions:
            self._subscriptions[name].heard = heard
        else:
            self._subscriptions[name] = _Subscription(heard, confirmed)
            self._change(name)

    def unsubscribe(self, channel: str) -> None:
        name = self._name(channel)
        if self._subscriptions.pop(name, None) is not None:
            self._change(name)

    async def close(self) -> None:
        self._running.cancel()  # in its next turn: what has been published until now is sent first
        await asyncio.wait([self._running])

    def _name(self, channel: str) -> bytes:
        return self._prefix + channel.encode()

    def _send(self, channel: bytes, message: bytes) -> None:
        if len(self._queue) == QUEUE:
            self.counts.dropped += 1
            self._owing = True
        self._queue.append(self._command(channel, message))
        self._to_send.set()

    def _command(self, channel: bytes, message: bytes) -> bytes:
        # By hand: redis-py takes several times as long, and this is on the way of every move.
        return b"*3\r\n$7\r\nPUBLISH\r\n$%d\r\n%b\r\n$%d\r\n%b%b\r\n" % (
            len(channel),
            channel,
            SENDER + len(message),
            self._me,
            message,
        )

    def _change(self, name: bytes) -> None:
        self._changed[name] = None
        self._to_change.set()

    async def _run(self) -> None:
        """Be connected, and when that fails, try again, for ever."""
        pause = SHORTEST_PAUSE
        while True:
            try:
                await self._talk()
            except* Exception as errors:
                if self.fault is None:
                    pause = SHORTEST_PAUSE
                self._lost(_first_of(errors))
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _talk(self) -> None:
        """Connect, and publish and listen as long as that goes well."""
        async with self._connection() as listening, self._connection() as publishing:
            self._changed = dict.fromkeys((*self._subscriptions, self._to_all, self._to_me))
            self._to_change.set()
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._subscribe(listening))
                tasks.create_task(self._listen(listening))
                tasks.create_task(self._publish(publishing))
                tasks.create_task(self._notice_end(publishing))
                tasks.create_task(self._ping())

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[AbstractConnection]:
        connection: AbstractConnection = self._connections.make_connection()  # type: ignore[no-untyped-call]
        try:
            async with asyncio.timeout(PATIENCE):
                await connection.connect()  # type: ignore[no-untyped-call]
            yield connection
        finally:
            await connection.disconnect(nowait=True)

    def _lost(self, error: Exception) -> None:
        if not isinstance(error, RedisError | OSError):
            self._report("the bus has failed, and is connected again", error)
        self.fault = f"Redis can't be reached: {str(error) or type(error).__name__}"
        self.lag = None
        if self._connected:
            self._connected, self._owing = False, True
        self._pinged = None
        self._queue.clear()

    async def _publish(self, connection: AbstractConnection) -> None:
        """Send what was published in one turn of the event loop, or while the last was being sent, in one piece."""
        # Nobody reads the answers (how many have heard it), and so they need not be written.
        await connection.send_command("CLIENT", "REPLY", "OFF")
        self._connected = True
        self._to_send.set()
        while True:
            await self._to_send.wait()
            self._to_send.clear()
            batch = b"".join(self._queue)
            self._queue.clear()
            if self._owing:
                self._owing = False
                batch += self._command(self._to_all, b"")
            await connection.send_packed_command(batch, check_health=False)

    async def _notice_end(self, connection: AbstractConnection) -> None:
        """Nothing is ever answered on this connection: this waits until it is closed."""
        while True:
            await connection.read_response(timeout=inf, disconnect_on_error=False)

    async def _ping(self) -> None:
        while True:
            now = monotonic()
            if self._pinged is None:
                self._pinged = now
            elif now - self._pinged > PATIENCE:
                raise ConnectionError(f"no answer for {PATIENCE:.0f} s")
            self._send(self._to_me, _TIME.pack(now))
            await asyncio.sleep(PING_INTERVAL)

    async def _subscribe(self, connection: AbstractConnection) -> None:
        """Tell Redis which channels are listened to, in one command for all changes of one turn of the event loop."""
        while True:
            await self._to_change.wait()
            self._to_change.clear()
            new = [name for name in self._changed if name in self._subscriptions or name in (self._to_all, self._to_me)]
            gone = self._changed.keys() - set(new)
            self._changed = {}
            for command, names in (("SUBSCRIBE", new), ("UNSUBSCRIBE", gone)):
                if names:
                    await connection.send_command(command, *names, check_health=False)

    async def _listen(self, connection: AbstractConnection) -> None:
        for number in count(1):
            kind, channel, message = await connection.read_response(timeout=inf, disconnect_on_error=False)
            if kind == b"message":
                self._hear(channel, message)
            elif kind == b"subscribe":
                self._confirm(channel)
            if number % AT_ONCE == 0:
                await asyncio.sleep(0)

    def _hear(self, channel: bytes, message: bytes) -> None:
        if message.startswith(self._me):
            if channel == self._to_me:
                self.lag = monotonic() - _TIME.unpack_from(message, SENDER)[0]
                self._pinged = None
        elif channel == self._to_all:
            self._tell_gap()
        elif (subscription := self._subscriptions.get(channel)) is not None:
            self.counts.heard += 1
            self._call(subscription.heard, message[SENDER:])

    def _confirm(self, channel: bytes) -> None:
        if channel == self._to_me:
            self._connected_again()
        elif (subscription := self._subscriptions.get(channel)) is not None and subscription.confirmed is not None:
            self._call(subscription.confirmed)

    def _connected_again(self) -> None:
        """The channel to oneself was the last: all that were subscribed before are, too."""
        self.fault = None
        self._first.set()
        if self._subscriptions:
            self._tell_gap()

    def _tell_gap(self) -> None:
        self.counts.gaps += 1
        self._call(self._gap)

    def _call(self, call: Callable[..., None], *about: bytes) -> None:
        try:
            call(*about)
        except Exception as error:
            self._report("what was heard on the bus has caused an error", error)

    def _report(self, what: str, error: Exception) -> None:
        self._loop.call_exception_handler({"message": what, "exception": error})


def _first_of(errors: ExceptionGroup[Exception]) -> Exception:
    first = errors.exceptions[0]
    return _first_of(first) if isinstance(first, ExceptionGroup) else first
