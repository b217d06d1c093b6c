"""The JSON API, and what balancers ask."""

from __future__ import annotations

import re
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from croupier.net import game_info, lessons
from croupier.net.addresses import LOCAL, counted_as, lan_address
from croupier.tables.board import LobbyQuery
from croupier.tables.house import House
from croupier.tables.recovery import LOBBY

FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip")
"""Of these a request has some that a proxy has passed on."""

PAGING = set(LobbyQuery.__struct_fields__) - {"game"}
"""Who asks for one of these wants a page of the tables, and not all of them."""

_encode = msgspec.json.Encoder().encode


class Json(Response):
    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return _encode(content)


class Api:
    def __init__(self, house: House, host: str) -> None:
        self._house = house
        self._host = host
        """What the port listens on."""

    def routes(self) -> list[Route]:
        return [
            Route("/api/games", self._games),
            Route("/api/games/{game}/layout", self._layout),
            Route("/api/games/{game}/lesson", self._lesson),
            Route("/api/tables", self._tables),
            Route("/api/network", self._network),
            Route("/healthz", self._healthz),
            Route("/readyz", self._readyz),
        ]

    async def _games(self, request: Request) -> Response:
        language, ahead = request.query_params.get("language", "en"), self._house.thinkers is not None
        return Json([game_info.describe(game, language, ahead) for game in self._house.games.values()])

    async def _layout(self, request: Request) -> Response:
        game = self._house.games.get(request.path_params["game"])
        if game is None:
            raise HTTPException(404, "there is no such game")
        return Json(game_info.laid_out(game, request.query_params.get("language", "en")))

    async def _lesson(self, request: Request) -> Response:
        game = self._house.games.get(request.path_params["game"])
        steps = None if game is None else lessons.steps(game, request.query_params.get("language", "en"))
        if steps is None:
            raise HTTPException(404, "there is no such lesson")
        return Json(steps)

    async def _tables(self, request: Request) -> Response:
        asked = dict(request.query_params)
        if asked.keys() & PAGING:
            try:
                query = msgspec.convert(asked, LobbyQuery, strict=False)
            except msgspec.ValidationError as error:
                raise HTTPException(400, str(error)) from None
            listing = await self._house.lobby(query)
        else:
            await self._house.fetch((LOBBY,))
            listing = self._house.board.encoded(asked.get("game"))
        return Response(listing, media_type="application/json")

    async def _network(self, request: Request) -> Response:
        # For people who have opened the page on the server's own machine. Others have an address that works for them,
        # and the one in the server's network is none of their business.
        lan = lan_address(self._host) if _from_here(request) else None
        address = lan and f"http://{lan}:{request.scope['server'][1]}"
        return Json({"address": address}, headers={"Cache-Control": "no-store"})

    async def _healthz(self, request: Request) -> Response:
        return PlainTextResponse("ok\n")

    async def _readyz(self, request: Request) -> Response:
        fault = self._house.journal.fault if self._house.ready else "starting"
        return PlainTextResponse(f"{fault or 'ready'}\n", 200 if fault is None else 503)


def _from_here(request: Request) -> bool:
    """Whether somebody on the server's own machine asks. The address alone does not tell, since a stranger's page may
    have a name that leads here, and a proxy here asks for strangers; nor the name, since they write what they like."""
    asked = re.sub(r":\d+$", "", request.headers.get("host", "")).strip("[]")
    asker = request.client.host if request.client else ""
    here = asker.startswith("127.") or asker == counted_as("::1")
    return here and asked in LOCAL and not any(name in request.headers for name in FORWARDED)
