"""Finished games over HTTP: to be watched again step by step, and to be kept. See docs/replays.md."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from croupier.journal import Record
from croupier.tables import replay
from croupier.tables.house import House
from croupier.tables.table import AnyGame

Make = Callable[[str, AnyGame, list[Record], int], msgspec.Struct]

_encode = msgspec.json.Encoder().encode


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the query may say."""

    seat: int | None = None
    """From whose place; nothing: as a spectator."""
    open: int = 0
    """1: with all cards open."""
    first: int = 0
    """The step to begin with."""
    language: str = "en"
    """Of the words in it."""


def routes(house: House) -> list[Route]:
    """Where finished games are found."""
    one_at_a_time = asyncio.Lock()

    async def answer(request: Request, make: Make) -> Response:
        table, number = request.path_params["table"], request.path_params["number"]
        packed = "gzip" in request.headers.get("accept-encoding", "")
        # In a thread, so that no table waits for it; and one at a time, so that tables have the rest of the machine.
        async with one_at_a_time:
            found = await house.log(table)
            if found is None:
                raise HTTPException(404, "there is no such table")
            try:
                body = await asyncio.to_thread(_written, make, table, *found, number, packed)
            except replay.NoSuchGame as error:
                raise HTTPException(404, str(error)) from None
        headers = {"Vary": "Accept-Encoding", "Cache-Control": "max-age=3600"}  # what is over stays as it is
        if packed:
            headers["Content-Encoding"] = "gzip"
        return Response(body, headers=headers, media_type="application/json")

    async def watch(request: Request) -> Response:
        try:
            asked = msgspec.convert(dict(request.query_params), Asked, strict=False)
        except msgspec.ValidationError as error:
            raise HTTPException(400, str(error)) from None
        return await answer(
            request,
            lambda id, game, log, number: replay.watch(
                id, game, log, number, asked.seat, bool(asked.open), max(0, asked.first), asked.language
            ),
        )

    async def keep(request: Request) -> Response:
        language = request.query_params.get("language", "en")
        response = await answer(request, lambda id, game, log, number: replay.keep(id, game, log, number, language))
        name = "croupier-{table}-{number}.json".format(**request.path_params)
        response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return response

    path = "/api/tables/{table}/games/{number:int}"
    return [Route(path, watch), Route(f"{path}/record", keep)]


def _written(
    make: Make,
    table: str,
    game: AnyGame,
    log: list[Record],
    number: int,
    packed: bool,
) -> bytes:
    body = _encode(make(table, game, log, number))
    return gzip.compress(body, 6) if packed else body
