"""HTTP requests in their turn: each waits until its address has some of the event loop's time left."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from croupier.net.admission import Admission
from croupier.tables.purses import Purse
from croupier.tables.turns import Turns

TURNS = "croupier.turns"
"""The extension of a request's scope in which its connection's ``PendingTurns`` are."""


class RequestTurns:
    """Every request, before the application sees it: who it is from, and whether it is their turn."""

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
        if await turn():
            await turns.metered(purse, self._app(scope, receive, partial(_say, send, turn)))


async def _say(send: Send, turn: Callable[[], Awaitable[bool]], message: Message) -> None:
    """Say it, if anybody is there. uvicorn notices that nobody is later than uvloop, to which it is an error."""
    try:
        await send(message)
    except RuntimeError as error:
        if "the handler is closed" not in str(error):
            raise
    if message.get("more_body"):  # and each further piece in its turn
        await turn()


class PendingTurns:
    """The turns that the requests of one connection wait for, as long as it is there."""

    def __init__(self) -> None:
        self._turns: set[asyncio.Future[bool]] = set()
        self._gone = False

    async def next(self, turns: Turns, purse: Purse) -> bool:
        """Whether it has come, and somebody is still there."""
        come = turns.turn(purse)
        if not (come.done() or self._gone):
            self._turns.add(come)
            await come
            self._turns.discard(come)
        return not self._gone

    def gone(self) -> None:
        self._gone = True
        for come in self._turns:
            if not come.done():
                come.set_result(False)
