"""The operator's page over HTTP: what goes on, on all nodes, and what can be done about it. See docs/operations.md.

Whoever has the token may see where people come from, and who they are; never what they hold, nor what lets anybody in.
"""

from __future__ import annotations

import asyncio
import hmac
import re
import resource
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import wraps
from pathlib import Path
from time import monotonic
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from croupier import __version__
from croupier.journal.latency import BOUNDS
from croupier.net import json_body
from croupier.net.admission import Admission
from croupier.net.api import Json
from croupier.people import bans, reports
from croupier.people.bans import Ban
from croupier.tables import error_log, names
from croupier.tables.house import House
from croupier.tables.node_messages import Renewed
from croupier.tables.purses import Purse, Purses
from croupier.tables.session import Session

PAGE = 50
"""Rows that are told at once."""
GUESSES, GUESS_EVERY = 5, 60_000
"""Wrong tokens that cost an address nothing, and milliseconds after which another one is forgiven."""
BRIEFLY = 0.02
"""Seconds after which it is looked how late the event loop is."""
CLOSES_WITHIN = 10.0
"""Seconds. It only takes as long where the journal can't be written."""
PRIVATE = {"Cache-Control": "no-store"}

_PERSON = re.compile("[0-9a-f]{32}")
Handler = Callable[[Request], Awaitable[Response]]


class Done(msgspec.Struct, frozen=True):
    done: bool


class NewBan(msgspec.Struct, frozen=True):
    what: Literal["address", "person"]
    value: Annotated[str, Meta(min_length=1, max_length=100)]
    hours: Annotated[float, Meta(gt=0, le=1_000_000)] | None = None
    """None: for good."""
    why: Annotated[str, Meta(max_length=500)] = ""


class Operator:
    def __init__(self, house: House, admission: Admission, token: str) -> None:
        self._house = house
        self._admission = admission
        self._token = token.encode()
        self._guesses = Purses(lambda address: Purse(GUESS_EVERY, GUESSES))
        self._begun = monotonic()

    def routes(self) -> list[Route]:
        known: list[tuple[str, str, Handler]] = [
            ("GET", "", self._overview),
            ("GET", "/tables", self._tables),
            ("DELETE", "/tables/{table}", self._close),
            ("GET", "/people", self._people),
            ("GET", "/troubles", self._troubles),
            ("GET", "/reports", self._reports),
            ("PUT", "/reports/{report}", self._mark),
            ("GET", "/bans", self._bans),
            ("POST", "/bans", self._ban),
            ("DELETE", "/bans/{what}/{value:path}", self._lift),
        ]
        return [Route(f"/api/operator{path}", self._asked(handler), methods=[how]) for how, path, handler in known]

    def _asked(self, handler: Handler) -> Handler:
        """Whoever asks has to show the token. Where too many wrong ones came from, the right one is not looked at."""

        @wraps(handler)
        async def asked(request: Request) -> Response:
            kind, _, token = request.headers.get("authorization", "").partition(" ")
            guesses, now = self._guesses.of(_address(request)), self._house.now()
            if not guesses.holds(1, now):
                raise HTTPException(429, "too many wrong tokens came from your address; wait a moment")
            if kind.lower() != "bearer" or not hmac.compare_digest(token.encode(), self._token):
                guesses.charge(1, now)
                raise HTTPException(401, "this is for the operator of the server", {"WWW-Authenticate": "Bearer"})
            return await handler(request)

        return asked

    # What goes on.

    async def _overview(self, request: Request) -> Response:
        house, cluster = self._house, self._house.cluster
        begun = monotonic()
        await asyncio.sleep(BRIEFLY)
        late = max(0.0, monotonic() - begun - BRIEFLY)
        counts = Counter((summary.game, summary.phase) for summary in house.registry.summaries())
        about = {
            "version": __version__,
            "at": house.now(),
            "uptime": round(monotonic() - self._begun),
            "node": None if cluster is None else cluster.name,
            "nodes": [] if cluster is None else sorted({cluster.name, *cluster.alive}),
            "bus": None if cluster is None else cluster.bus.fault or "",
            "connections": len(self._admission.connections),
            "tables": [
                {"game": game, "phase": phase, "count": count} for (game, phase), count in sorted(counts.items())
            ],
            "open_tables": await house.oversight.open_tables(),
            "frozen_tables": len(house.registry.left_alone) + sum(room.frozen for room in house.rooms.values()),
            "entries": house.entries,
            "commit_ms": _median_commit(house.journal.latency.counts),
            "late_ms": round(late * 1000, 1),
            "waiting": house.turns.waiting,
            "memory": _memory(),
            "journal": house.journal.fault or "",
            "troubles": sum(error_log.seen.values()),
            "reports": await reports.waiting(house.journal),
            "bans": len(house.persons.bans),
        }
        return Json(about, headers=PRIVATE)

    async def _tables(self, request: Request) -> Response:
        offset, asked = json_body.offset(request), request.query_params
        found = await self._house.oversight.tables(
            asked.get("game", ""), asked.get("phase", ""), asked.get("search", ""), offset, PAGE + 1
        )
        rows = []
        for summary in found[:PAGE]:
            row = msgspec.to_builtins(summary)
            room = self._house.rooms.get(summary.id)
            if room is not None:
                by_seat = {number: room.holders.get(seat.token or "", "") for number, seat in room.table.seats.items()}
                for session in room.sessions:
                    if session.place is not None and session.place.seat is not None:
                        by_seat[session.place.seat] = session.address
                for player in row["players"]:
                    player["address"] = by_seat.get(player["seat"], "")
                row["opener"] = room.opener or ""
                row["latest"] = max(room.table.at, room.table.soft.heard_at)
            rows.append(row)
        return _page("tables", rows, found, offset)

    async def _people(self, request: Request) -> Response:
        """Those who are connected to this node."""
        offset, search = json_body.offset(request), request.query_params.get("search", "").casefold()
        known = [_connection(session) for session in self._admission.connections]
        found = [row for row in known if any(search in str(value).casefold() for value in row.values())]
        found.sort(key=lambda row: (row["name"] == "", row["name"].casefold(), row["address"], row["person"]))
        return _page("people", found[offset : offset + PAGE], found[offset:], offset, total=len(found))

    async def _troubles(self, request: Request) -> Response:
        latest = list(reversed(error_log.latest))
        offset = json_body.offset(request)
        return _page("troubles", latest[offset : offset + PAGE], latest[offset:], offset)

    # What people have told.

    async def _reports(self, request: Request) -> Response:
        offset, done = json_body.offset(request), request.query_params.get("done") == "1"
        found = await reports.listed(self._house.journal, done, offset, PAGE + 1)
        rows = [
            msgspec.to_builtins(report)
            | {"said": [{"name": each.name, "text": each.text, "at": each.at} for each in report.said]}
            for report in found[:PAGE]
        ]
        return _page("reports", rows, found, offset)

    async def _mark(self, request: Request) -> Response:
        done = (await json_body.read(request, Done)).done
        script = reports.mark(request.path_params["report"], self._house.now() if done else None)
        if not await self._house.journal.transact(script):
            raise HTTPException(404, "there is no such report")
        return Response(status_code=204)

    # What can be done.

    async def _bans(self, request: Request) -> Response:
        offset, found = json_body.offset(request), await bans.read(self._house.journal)
        return _page("bans", list(found[offset : offset + PAGE]), found[offset:], offset)

    async def _ban(self, request: Request) -> Response:
        wish, now = await json_body.read(request, NewBan), self._house.now()
        value = self._network(wish.value, request) if wish.what == "address" else wish.value
        if wish.what == "person" and not _PERSON.fullmatch(value):
            raise HTTPException(400, "that is not the id of a person")
        until = None if wish.hours is None else now + round(wish.hours * 3_600_000)
        made = Ban(wish.what, value, until, names.line(wish.why), now)
        try:
            await self._house.journal.transact(bans.ban(made))
        except bans.TooMany:
            raise HTTPException(409, "there are too many bans: lift some first") from None
        await self._house.persons.renewed(Renewed([], bans=True))
        return Json(made, status_code=201)

    def _network(self, given: str, request: Request) -> str:
        """An address or a network as it is banned, if that does not shut out those whom nobody means."""
        try:
            network = bans.network(given)
        except ValueError:
            raise HTTPException(400, "that is not an address or a network, such as 192.0.2.7 or 192.0.2.0/24") from None
        if self._admission.proxies.overlaps(network):
            raise HTTPException(400, "that is a trusted proxy, through which others come")
        if bans.within(_address(request), network):
            raise HTTPException(400, "that is your own address")
        single = network.prefixlen == network.max_prefixlen
        return str(network.network_address if single else network)

    async def _lift(self, request: Request) -> Response:
        script = bans.lift(request.path_params["what"], request.path_params["value"])
        if not await self._house.journal.transact(script):
            raise HTTPException(404, "there is no such ban")
        await self._house.persons.renewed(Renewed([], bans=True))
        return Response(status_code=204)

    async def _close(self, request: Request) -> Response:
        try:
            async with asyncio.timeout(CLOSES_WITHIN):
                closed = await self._house.oversight.close(request.path_params["table"])
        except TimeoutError:
            raise HTTPException(503, "the table can't go on just now; try again in a moment") from None
        if not closed:
            raise HTTPException(404, "there is no such table, or it is closed")
        return Response(status_code=204)


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


def _page(what: str, rows: list[Any], found: Any, offset: int, **more: Any) -> Response:
    """Some of them, and where the next ones begin, if there are any."""
    return Json({what: rows, "next": offset + PAGE if len(found) > PAGE else None, **more}, headers=PRIVATE)


def _connection(session: Session) -> dict[str, Any]:
    place = session.place
    summary = None if place is None else place.summary
    return {
        "address": session.address,
        "person": session.person or ("" if place is None else place.person),
        "name": "" if place is None else place.name,
        "protocol": session.dialect.name or type(session.dialect).__module__.split(".")[-1],
        "table": None if summary is None else {"id": summary.id, "name": summary.name, "game": summary.game},
        "seat": None if place is None else place.seat,
    }


def _median_commit(counts: list[int]) -> float | None:
    """Milliseconds that half of all commits took no longer than, by the bounds that they are counted by."""
    half, so_far = sum(counts) / 2, 0
    for bound, count in zip(BOUNDS, counts, strict=False):
        so_far += count
        if so_far and so_far >= half:
            return bound * 1000
    return None


def _memory() -> int | None:
    """Bytes that the process has; None where the system does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    except OSError:
        return None
