"""What may be known of people, over HTTP."""

from __future__ import annotations

import re
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from croupier.journal import Script, T
from croupier.net.api import Json
from croupier.net.asker import asker
from croupier.people import history
from croupier.tables.house import House

_NAME = re.compile(r"[\w:.-]{1,80}", re.ASCII)
"""Of a person, a table or a game, as far as it may be looked for: a database does not take every text."""

KEPT_FOR = 5000
"""Milliseconds that a page of leaders is good for: however many ask, it is worked out once."""
MOST_KEPT = 100
"""Pages."""

_encode = msgspec.json.Encoder().encode


class PeopleApi:
    def __init__(self, house: House) -> None:
        self._house = house
        self._leaders: dict[tuple[str, int], tuple[int, bytes]] = {}
        """As they are sent, and until when."""

    def routes(self) -> list[Route]:
        return [
            Route("/api/people/{person}", self._person),
            Route("/api/people/{person}/games", self._games),
            Route("/api/people/{person}/against/{other}", self._against),
            Route("/api/leaders/{game}", self._leading),
            Route("/api/tables/{table}/evening", self._evening),
        ]

    async def _person(self, request: Request) -> Response:
        return self._own(await self._profile(request, await asker(self._house.journal, request)))

    async def _games(self, request: Request) -> Response:
        who = await asker(self._house.journal, request)
        profile = await self._profile(request, who)
        asked = {name: value for name, value in request.query_params.items() if value}
        result: Any = asked.get("result")
        if result not in (None, "won", "drawn", "lost"):
            raise HTTPException(400, "a result is won, drawn or lost")
        game, other = asked.get("game"), asked.get("against")
        if not all(_NAME.fullmatch(name) for name in (game, other) if name is not None):
            return self._own([])
        before = _cursor(asked.get("before"))
        script = history.games(profile.person, who, game=game, result=result, against=other, before=before)
        return self._own(await self._read(script))

    async def _against(self, request: Request) -> Response:
        who = await asker(self._house.journal, request)
        profile = await self._profile(request, who)
        other = await self._profile(request, who, "other")
        return self._own(await self._read(history.against(profile.person, other.person, who)))

    async def _leading(self, request: Request) -> Response:
        game = request.path_params["game"]
        if game not in self._house.games:
            raise HTTPException(404, "there is no such game")
        try:
            after = int(request.query_params.get("after", "0"))
        except ValueError:
            after = -1
        if not 0 <= after < history.DEEPEST:
            raise HTTPException(400, "that is no place in the list")
        now = self._house.now()
        until, page = self._leaders.get((game, after), (0, b""))
        if until < now:
            page = _encode(await self._read(history.leaders(game, after)))
            while len(self._leaders) >= MOST_KEPT:
                del self._leaders[next(iter(self._leaders))]
            self._leaders[game, after] = now + KEPT_FOR, page
        return Response(page, media_type="application/json")

    async def _evening(self, request: Request) -> Response:
        """Nothing, of a table that there is not, or of which the asker may know nothing."""
        who, table = await asker(self._house.journal, request), request.path_params["table"]
        if not _NAME.fullmatch(table):
            raise HTTPException(404, "there is no such table")
        return self._own(await self._read(history.evening(table, who, self._house.now())))

    async def _profile(self, request: Request, who: str | None, named: str = "person") -> history.Profile:
        person = request.path_params[named]
        found = await self._read(history.profile(person, who)) if _NAME.fullmatch(person) else None
        if found is None:
            raise HTTPException(404, "nothing is known of such a person")
        return found

    async def _read(self, script: Script[T]) -> T:
        return await history.read(self._house.journal, script)

    def _own(self, content: Any) -> Response:
        """It depends on who asks: nobody may keep it for others."""
        return Json(content, headers={"Cache-Control": "no-store"})


def _cursor(text: str | None) -> tuple[int, str, int] | None:
    if text is None:
        return None
    at, _, rest = text.partition(".")
    seq, _, table = rest.partition(".")
    if not (re.fullmatch("[0-9]{1,15}", at) and re.fullmatch("[0-9]{1,9}", seq) and _NAME.fullmatch(table)):
        raise HTTPException(400, "no game is meant by that")
    return int(at), table, int(seq)
