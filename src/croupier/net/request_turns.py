"""HTTP requests in their turn: each waits until its address has some of the event loop's time left."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from croupier.net.admission import Admission
from croupier.tables.persons import BANNED
from croupier.tables.purses import Purse
from croupier.tables.turns import Turns

_SHUT = PlainTextResponse(f"{BANNED[0].upper()}{BANNED[1:]}.\n", 403)
"""For everything that comes from a banned address."""
TURNS = "croupier.turns"
"""The extension of a request's scope in which its connection's ``PendingTurns`` are."""


class RequestTurns:
    """Middleware: finds the address that a request is from, and waits for its turn before the application sees it."""

    def __init__(self, admission: Admission, app: ASGIApp) -> None:
        self._admission = admission
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        admission, headers = self._admission, Headers(scope=scope)
        peer, port = scope["client"] or ("", 0)
        address = admission.address(peer, headers)
        scope["client"] = (address, port)
        if admission.proxies.secure(peer, headers):
            scope["scheme"] = "https"
        turns, purse = admission.house.turns, admission.request_purses.of(address)
        turn: Callable[[], Awaitable[bool]] = partial(scope["extensions"][TURNS].next, turns, purse)
        banned = admission.house.persons.bans.of_address(address, admission.house.now()) is not None
        if await turn():
            app = _SHUT if banned else self._app
            await turns.metered(purse, app(scope, receive, partial(_send, send, turn)))


async def _send(send: Send, turn: Callable[[], Awaitable[bool]], message: Message) -> None:
    """Send it, if the connection is still there: to uvloop it is an error if not, and uvicorn notices that later."""
    try:
        await send(message)
    except RuntimeError as error:
        if "the handler is closed" not in str(error):
            raise
    if message.get("more_body"):  # and each further piece in its turn
        await turn()


class PendingTurns:
    """The turns that the requests of one connection wait for, until it is closed."""

    def __init__(self) -> None:
        self._turns: set[asyncio.Future[bool]] = set()
        self._closed = False

    async def next(self, turns: Turns, purse: Purse) -> bool:
        """Wait for the next turn; False when the connection is closed."""
        future = turns.turn(purse)
        if not (future.done() or self._closed):
            self._turns.add(future)
            await future
            self._turns.discard(future)
        return not self._closed

    def close(self) -> None:
        self._closed = True
        for future in self._turns:
            if not future.done():
                future.set_result(False)
