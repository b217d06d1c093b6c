"""Closed tables and finished games over HTTP: to be watched again step by step, and to be kept. See docs/replays.md."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Iterator, Mapping
from functools import partial

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from croupier.journal import Append
from croupier.net.asgi import disconnection
from croupier.net.job_queue import RETRY_AFTER, Busy, JobQueue
from croupier.net.worker import Job, JobResult
from croupier.tables.house import House
from croupier.tables.languages import LANGUAGES
from croupier.tables.replay import NEVER_PLAYED

NOT_INSTALLED = "the game of this table is not installed here; it is kept as it is"
CHUNK = 1 << 16
"""Bytes of an answer that are under way at a time: who reads slowly has not all of it in our memory."""


class ReplayQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The parameters of a request for a replay."""

    seat: int | None = None
    """From whose place; nothing: as a spectator."""
    open: int = 0
    """1: with all cards open."""
    first: int = 0
    """The step to begin with."""
    language: str = "en"
    """Of the words in it."""


class Replays:
    def __init__(self, house: House, job_queue: JobQueue) -> None:
        self._house = house
        self._job_queue = job_queue

    def routes(self) -> list[Route]:
        table = "/api/tables/{table}"
        game = f"{table}/games/{{number:int}}"
        return [Route(table, self._table), Route(game, self._watch), Route(f"{game}/record", self._keep)]

    async def _table(self, request: Request) -> Response:
        id = request.path_params["table"]
        record = await self._house.record(id)
        if record is None:
            result = await self.run(request, Job("public", id, await self.game(id)))
            record = result.body
            if result.closed:  # it was before such records were kept: now it is
                append = Append(id, [], None, False)
                append.public = record
                self._house.journal.append(append)
        return Response(record, media_type="application/json")

    async def _watch(self, request: Request) -> Response:
        try:
            asked = msgspec.convert(dict(request.query_params), ReplayQuery, strict=False)
        except msgspec.ValidationError as error:
            raise HTTPException(400, str(error)) from None
        table, number = request.path_params["table"], self.number(request)
        job = Job(
            "watch", table, await self.game(table), number,
            asked.seat, bool(asked.open), max(0, asked.first), known_language(asked.language),
        )  # fmt: skip
        return _answer(request, await self.run(request, job))

    async def _keep(self, request: Request) -> Response:
        table, number = request.path_params["table"], self.number(request)
        language = known_language(request.query_params.get("language", "en"))
        job = Job("keep", table, await self.game(table), number, language=language)
        response = _answer(request, await self.run(request, job))
        response.headers["Content-Disposition"] = f'attachment; filename="croupier-{table}-{number}.json"'
        return response

    def number(self, request: Request) -> int:
        """Which game of the table; of those that are open it is known what there is."""
        number: int = request.path_params["number"]
        summary = self._house.look(request.path_params["table"])
        if not 0 < number < 1 << 31 or (summary is not None and number > summary.games):
            raise HTTPException(404, NEVER_PLAYED)
        return number

    async def game(self, table: str) -> str:
        """What is played at a table."""
        if (summary := self._house.look(table)) is not None:
            return summary.game
        if (opening := await self._house.opening(table)) is None:
            raise HTTPException(404, "there is no such table")
        if opening.game not in self._house.games:
            raise HTTPException(503, NOT_INSTALLED)
        return opening.game

    async def run(self, request: Request, job: Job) -> JobResult:
        """What came of a job. Raises ``HTTPException`` where nothing did."""
        address = request.client.host if request.client else ""
        try:
            result = await self._job_queue.run(job, address, partial(disconnection, request.receive))
        except Busy:
            later = {"Retry-After": str(RETRY_AFTER)}
            raise HTTPException(503, "too many ask for such things just now; try again in a moment", later) from None
        if result is None:
            raise ClientDisconnect
        match result.outcome:
            case "made":
                return result
            case "no such game":
                raise HTTPException(404, result.what)
            case "unreadable":
                raise HTTPException(503, "the table can't be read any more; it is kept as it is")
        raise HTTPException(500, "something went wrong on the server")


def known_language(asked: str) -> str:
    return asked if asked in LANGUAGES else "en"


def _answer(request: Request, result: JobResult) -> Response:
    headers = {"Vary": "Accept-Encoding", "Cache-Control": "max-age=3600"}  # what is over stays as it is
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers |= {"Content-Encoding": "gzip", "Content-Length": str(len(result.body))}
        return PiecewiseResponse(_pieces(result.body), headers)
    headers["Content-Length"] = str(int.from_bytes(result.body[-4:], "little"))  # so gzip's format ends
    return PiecewiseResponse(_unpacked(result.body), headers)


class PiecewiseResponse(Response):
    """An answer of which each piece has its turn. Starlette's has a task of its own for it, which nobody pays for."""

    media_type = "application/json"

    def __init__(self, pieces: Iterator[bytes], headers: Mapping[str, str]) -> None:
        self.status_code = 200
        self.background = None
        self._pieces = pieces
        self.init_headers(headers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        left = asyncio.ensure_future(disconnection(receive))
        try:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            for piece in self._pieces:
                await send({"type": "http.response.body", "body": piece, "more_body": True})
                if left.done():
                    return
            await send({"type": "http.response.body"})
        finally:
            left.cancel()


def _pieces(body: bytes) -> Iterator[bytes]:
    for start in range(0, len(body), CHUNK):
        yield body[start : start + CHUNK]


def _unpacked(body: bytes) -> Iterator[bytes]:
    unpacking = zlib.decompressobj(wbits=31)
    while body:
        yield unpacking.decompress(body, CHUNK)
        body = unpacking.unconsumed_tail
