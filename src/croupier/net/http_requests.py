"""HTTP requests of a game's own protocol: each is a session as short as the request."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from croupier.net import origins
from croupier.net.http_answer_order import AnswerOrder
from croupier.net.listener import Listener
from croupier.tables.dialect import Dialect, Hangup
from croupier.tables.house import House
from croupier.tables.session import Session
from croupier.wire.http import HttpRequest, HttpResponse

LONGEST_BODY = 65536
"""Bytes."""

NO_HTTP = HttpResponse(426, b"this speaks WebSocket only\n", {"Upgrade": "websocket"})
ELSEWHERE = HttpResponse(503, b"the table goes on at another node; ask again in a moment\n")


class HttpRequests:
    """Where a protocol's requests without a WebSocket are served. Most have none, and are told what they need."""

    def __init__(self, house: House, listener: Listener, above: str) -> None:
        self._house = house
        self._admission = listener.admission
        self._http = listener.endpoint.http
        self._names = listener.endpoint.names
        self._above = above
        """The endpoint's own path here."""
        self._order = AnswerOrder()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._http is None:
            await _respond(NO_HTTP, scope, receive, send)
            return
        request = Request(scope, receive)
        path = scope["raw_path"].decode("latin-1").removeprefix(self._above)
        body = await _body(request, LONGEST_BODY)
        said, query = dict(request.headers), dict(request.query_params)
        secure = origins.secure(said, request.url.scheme)
        trusted = self._admission.trusts_cookies(said, secure)
        headers = said if trusted else origins.without(said, "cookie")
        if self._names is not None and not await self._house.fetch(self._names(path, body)):
            await _respond(ELSEWHERE, scope, receive, send)
            return
        found = self._http(HttpRequest(request.method, path, query, body, headers, secure), self._house)
        address = request.client.host if request.client else ""
        response = await served(self._house, found, address) if isinstance(found, Dialect) else found
        if not trusted:
            response = response._replace(headers=origins.without(response.headers, "set-cookie"))
        if response.after:
            await self._order.wait_for(response.after, address, said)
        await _respond(response, scope, receive, send)
        self._order.answered(f"{request.method} {path}", address, said)


async def _respond(response: HttpResponse, scope: Scope, receive: Receive, send: Send) -> None:
    kind = None if "Content-Type" in response.headers else "text/plain"
    await Response(response.body, response.status, dict(response.headers), kind)(scope, receive, send)


async def _body(request: Request, most: int) -> bytes:
    """What was sent, if it is not more than that; else the beginning, so that the protocol can say what it thinks."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            break
    return body


class RequestSession(Session):
    """A request without a WebSocket, as the house sees it: a connection that ends with its answer."""

    def __init__(self, dialect: Dialect, address: str) -> None:
        super().__init__(dialect)
        self.address = address
        self.answer: asyncio.Future[HttpResponse] = asyncio.get_running_loop().create_future()

    def close(self, code: int, reason: str = "") -> None:
        self.end(HttpResponse(500, reason.encode()))

    def end(self, last: Hangup | HttpResponse) -> None:
        if not self.answer.done():
            self.answer.set_result(last if isinstance(last, HttpResponse) else HttpResponse(500))


async def served(house: House, dialect: Dialect, address: str) -> HttpResponse:
    """What comes of a request that is made at once and answered when the journal has it."""
    session = RequestSession(dialect, address)
    house.connected(session)
    try:
        return await session.answer
    finally:
        house.lost(session)
