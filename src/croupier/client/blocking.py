"""The same client for scripts and notebooks, without ``async`` and ``await``.

    with Client("http://localhost:8080") as client:
        table = client.open("palace", player="Ann", seats=2)
        table.add_bots(1)
        table.start()
        for happening in table:
            if table.awaited:
                table.play(table.moves[0])
            if happening.result:
                break

A thread beside yours keeps the connections. What a table says about itself changes only while you wait for something
at that table: what you read between two calls is from one and the same moment.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from croupier.client import client, table
from croupier.client.place import Happening, Placed
from croupier.client.protocol import GameInfo, Line
from croupier.client.vocabulary import AnyGame

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")


class _Loop:
    """An event loop in a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="croupier client", daemon=True)
        self._thread.start()

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """What comes of it. Whoever does not want to wait any more (Ctrl-C) wants it no more, either."""
        future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


def _waits(method: Callable[Concatenate[Any, P], Coroutine[Any, Any, R]]) -> Callable[Concatenate[Any, P], R]:
    """The same method, for those who wait until it is done."""

    @wraps(method)
    def wait(self: Client | Table, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return self._wait(method(self._under, *args, **kwargs))

    return wait


def _arrives(
    method: Callable[Concatenate[client.Client, P], Coroutine[Any, Any, table.Table]],
) -> Callable[Concatenate[Client, P], Table]:
    @wraps(method)
    def wait(self: Client, /, *args: P.args, **kwargs: P.kwargs) -> Table:
        return Table(self._wait(method(self._under, *args, **kwargs)), self._loop)

    return wait


class Table(Placed):
    """``croupier.client.Table``, with all that it can do."""

    def __init__(self, under: table.Table, loop: _Loop) -> None:
        self._under = under
        self._loop = loop
        self._place = under.place

    def _wait(self, coroutine: Coroutine[Any, Any, T]) -> T:
        try:
            return self._loop.run(coroutine)
        finally:
            self._place = self._under.place

    def __iter__(self) -> Iterator[Happening]:
        return self

    def __next__(self) -> Happening:
        happening = self._wait(self._read())
        if happening is None:
            raise StopIteration
        return happening

    async def _read(self) -> Happening | None:
        return await anext(self._under, None)

    def play(self, move: Any) -> None:
        """Make a move, chosen by what the table says now: see ``croupier.client.Table.play``."""
        self._wait(self._under.play(move, self._place))

    proceed = _waits(table.Table.proceed)
    hint = _waits(table.Table.hint)
    say = _waits(table.Table.say)
    sound = _waits(table.Table.sound)
    ready = _waits(table.Table.ready)
    sit = _waits(table.Table.sit)
    leave = _waits(table.Table.leave)
    close = _waits(table.Table.close)
    start = _waits(table.Table.start)
    reopen = _waits(table.Table.reopen)
    add_bots = _waits(table.Table.add_bots)
    configure = _waits(table.Table.configure)
    kick = _waits(table.Table.kick)
    hand_over = _waits(table.Table.hand_over)
    bench = _waits(table.Table.bench)
    silence = _waits(table.Table.silence)

    @property
    def token(self) -> str | None:
        """The secret that holds our seat; None for a spectator. ``Client.resume`` comes back with it."""
        return self._under.token

    @property
    def gone(self) -> str:
        """Why we are not at the table any more; empty while we are."""
        return self._under.gone

    @property
    def chat(self) -> Sequence[Line]:
        """What was said last."""
        return tuple(self._under.chat)

    @property
    def unread(self) -> int:
        """How many happenings have not been read."""
        return self._under.unread

    @property
    def connected(self) -> bool:
        """Whether we are at the table right now. If not, and not ``gone``, we are on the way back."""
        return self._under.connected

    @property
    def now(self) -> float:
        """The time at the server, in milliseconds since 1970."""
        return self._under.now


class Client:
    """``croupier.client.Client``, with all that it can do."""

    def __init__(self, server: str, known: Mapping[str, AnyGame] | None = None) -> None:
        self._server, self._known = server, known

    def __enter__(self) -> Self:
        self._loop = _Loop()
        try:
            self._under = self._loop.run(self._connect())
        except BaseException:
            self._loop.stop()
            raise
        return self

    async def _connect(self) -> client.Client:
        return await client.Client(self._server, self._known).__aenter__()

    def __exit__(self, *error: object) -> None:
        try:
            self._wait(self._under.__aexit__(*error))
        finally:
            self._loop.stop()

    def _wait(self, coroutine: Coroutine[Any, Any, T]) -> T:
        return self._loop.run(coroutine)

    open = _arrives(client.Client.open)
    join = _arrives(client.Client.join)
    seek = _arrives(client.Client.seek)
    watch = _arrives(client.Client.watch)
    resume = _arrives(client.Client.resume)
    identify = _waits(client.Client.identify)
    tables = _waits(client.Client.tables)
    find = _waits(client.Client.find)

    @property
    def games(self) -> dict[str, GameInfo]:
        """What can be played there, by name."""
        return self._under.games
