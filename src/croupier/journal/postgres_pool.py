"""Connections to PostgreSQL: one to write by, and a few to read by."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Sequence
from typing import Any, TypeAlias

import asyncpg

from croupier.journal import Damaged, JournalDown, Script, T

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"

_READERS = 4
CONNECTS_WITHIN = 2.0
ANSWERS_WITHIN = 4.0
"""Seconds. Who takes longer is as good as gone."""

_DAMAGED = "XX"
"""The class of PostgreSQL's errors that are about a page which makes no sense."""
_SETTINGS = {
    "application_name": "croupier",
    "jit": "off",  # nothing here takes long enough to be worth a compiler
    # When a node has vanished without a word, the database lets go of its connections, too.
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "2",
    "tcp_keepalives_count": "3",
    "tcp_user_timeout": "10000",
}
_ONE_AT_A_TIME = 0x70656F70
"""Those who hold this lock change what is known of people one after the other."""
_FORGET = struct.pack("ii", 1, 0)
"""The value of SO_LINGER: on, for no time."""


async def connect(url: str, answers_within: float | None) -> Connection:
    return await asyncpg.connect(
        url, timeout=CONNECTS_WITHIN, command_timeout=answers_within, server_settings=_SETTINGS
    )


def forget_unsent(connection: Connection) -> None:
    """When it is ended, what it was to send is gone. Otherwise the kernel would go on sending that for a minute or two,
    and when a line is mended, what was given up long ago would still be done."""
    line = connection._transport.get_extra_info("socket")  # type: ignore[attr-defined]  # nobody else has it
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _FORGET)


class Pool:
    """What is read. A connection that was lost since it was used last is replaced, and nobody hears of it."""

    def __init__(self, pool: asyncpg.Pool[asyncpg.Record]) -> None:
        self._pool = pool

    @classmethod
    async def open(cls, url: str) -> Pool:
        return cls(
            await asyncpg.create_pool(
                url, min_size=0, max_size=_READERS, timeout=CONNECTS_WITHIN, command_timeout=ANSWERS_WITHIN,
                server_settings=_SETTINGS,
            )
        )  # fmt: skip

    async def fetch(self, query: str, *values: Any) -> Sequence[Any]:
        try:
            async with asyncio.timeout(CONNECTS_WITHIN + ANSWERS_WITHIN):
                try:
                    return await self._fetch(query, values)
                except Exception as error:
                    if not lost(error) or isinstance(error, TimeoutError):
                        raise
                    return await self._fetch(query, values)
        except Exception as error:
            if self._pool.is_closing():
                raise JournalDown("the server is shutting down") from None
            damaged = str(getattr(error, "sqlstate", "")).startswith(_DAMAGED)
            raise (Damaged if damaged else JournalDown)(f"the journal can't be read: {said(error)}") from None

    async def _fetch(self, query: str, values: Sequence[Any]) -> Sequence[Any]:
        connection = await self._pool.acquire()
        try:
            return await connection.fetch(query, *values)
        except BaseException as error:
            if not isinstance(error, Exception) or lost(error):
                connection.terminate()  # or the pool would wait for an answer, before it lets somebody else have it
            raise
        finally:
            await self._pool.release(connection)

    async def transact(self, script: Script[T]) -> T:
        """A transaction that decides, as it goes on, what to do next: one at a time, on all nodes."""
        try:
            async with asyncio.timeout(CONNECTS_WITHIN + 2 * ANSWERS_WITHIN):
                connection = await self._pool.acquire()
                try:
                    async with connection.transaction():
                        await connection.execute("SELECT pg_advisory_xact_lock($1)", _ONE_AT_A_TIME)
                        return await _run(connection, script)
                except BaseException as error:
                    if not isinstance(error, Exception) or lost(error):
                        connection.terminate()
                    raise
                finally:
                    await self._pool.release(connection)
        except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            raise JournalDown(f"the journal can't be written: {said(error)}") from None

    async def close(self) -> None:
        self._pool.terminate()


async def _run(connection: Any, script: Script[T]) -> T:
    try:
        statement = next(script)
        while True:
            sql, values = statement
            statement = script.send([tuple(row) for row in await connection.fetch(sql, *values)])
    except StopIteration as end:
        result: T = end.value
        return result


_BROKEN = (OSError, asyncpg.PostgresConnectionError, asyncpg.OperatorInterventionError, asyncpg.InternalClientError)
"""The last is what asyncpg says when the database has ended the connection just when something was to be asked."""


def lost(error: Exception) -> bool:
    """Whether the connection broke, so that nobody knows what became of what was asked."""
    if isinstance(error, asyncpg.InterfaceError):
        return not isinstance(error, ValueError)  # of values that can't be sent
    return isinstance(error, _BROKEN)


def said(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "the database does not answer"
    what = " ".join(str(error).split()) or type(error).__name__
    return what if isinstance(error, OSError | asyncpg.PostgresError) else f"{type(error).__name__}: {what}"
