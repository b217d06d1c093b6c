"""What is answered to plain HTTP, on the shared port and on those of dialects; and what to errors."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp

from croupier.journal import JournalDown
from croupier.net import game_pages, metrics
from croupier.net.admission import Admission
from croupier.net.analyses import Analyses
from croupier.net.api import Api, Json
from croupier.net.engineio_listener import EngineIoListener, PrivateListener
from croupier.net.http_requests import HttpRequests
from croupier.net.job_queue import RETRY_AFTER, JobQueue
from croupier.net.listener import Listener
from croupier.net.manners_api import Manners
from croupier.net.me_api import MeApi
from croupier.net.operator_api import Operator
from croupier.net.pages import PageFiles, Pages
from croupier.net.passkeys_api import PasskeysApi
from croupier.net.people_api import PeopleApi
from croupier.net.replays import Replays
from croupier.net.security_headers import SecurityHeaders
from croupier.net.thinking import ThinkingPool
from croupier.tables import error_log, languages
from croupier.tables.house import House


def application(
    house: House,
    admission: Admission,
    job_queue: JobQueue,
    analysts: ThinkingPool | None,
    listeners: Sequence[Listener],
    page: Path | None,
    host: str,
    operator_token: str = "",
) -> ASGIApp:
    """What the shared port answers to plain HTTP.

    ``analysts``: who thinks about games that are over. ``page``: the folder of the built web client, if there is one.
    ``host``: what the port listens on. ``operator_token``: what the operator shows; empty: there is none.
    """
    replays, me = Replays(house, job_queue), MeApi(house)
    routes: list[Route | Mount] = [
        *Api(house, host).routes(),
        *PeopleApi(house).routes(),
        *me.routes(),
        *PasskeysApi(house, me).routes(),
        *Manners(house, bool(operator_token)).routes(),
        *(Operator(house, admission, operator_token).routes() if operator_token else ()),
        *replays.routes(),
        *Analyses(replays, analysts, house.time.now).routes(),
        *game_pages.routes(house.games.values()),
        *metrics.routes(house, admission),
        *(
            route
            for listener in listeners
            if listener.endpoint.path
            for route in _served(house, listener, listener.endpoint.path)
        ),
    ]
    pages = None if page is None else Pages(house, page, bool(operator_token))
    house.persons.keepers.append(job_queue.forget)
    if pages is not None:
        house.persons.keepers.append(pages.forget)
    if page is not None and pages is not None:
        routes += [*pages.routes(), Mount("/", PageFiles(directory=page))]
    handlers: dict[Any, Callable[[Request, Exception], Awaitable[Response]]] = {
        HTTPException: partial(_problem, pages),
        ClientDisconnect: _gone,
        JournalDown: _down,
        Exception: _failed,
    }
    protocols = [listener.endpoint.path for listener in listeners if listener.endpoint.path]
    return SecurityHeaders(Starlette(routes=routes, exception_handlers=handlers), protocols)


def alone(house: House, listener: Listener) -> ASGIApp:
    """What a dialect's own port answers to plain HTTP."""
    handlers = {ClientDisconnect: _gone, Exception: _failed}
    return SecurityHeaders(Starlette(routes=_served(house, listener, ""), exception_handlers=handlers), [""])


def for_nodes(house: House, admission: Admission, listeners: Sequence[PrivateListener]) -> ASGIApp:
    """What a node's private port answers: what others pass on, and how it is."""
    polled = [Mount(listener.endpoint.path, listener) for listener in listeners]
    handlers = {ClientDisconnect: _gone, Exception: _failed}
    return Starlette(routes=[*metrics.routes(house, admission), *polled], exception_handlers=handlers)


def _served(house: House, listener: Listener, above: str) -> list[Route | Mount]:
    polled: list[Route | Mount] = []
    if isinstance(listener, EngineIoListener):  # on whatever port, at the path that its clients know
        polled.append(Mount(listener.endpoint.path, listener))
    requests = HttpRequests(house, listener, above)
    return [*polled, Route(above or "/", requests), Route(f"{above}/{{below:path}}", requests)]


async def _problem(pages: Pages | None, request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if pages is not None and error.status_code == 404 and _by_somebody(request):
        return pages.nothing(request)
    words = languages.words(request.query_params.get("language", "en"))
    return Json({"error": words.said(error.detail)}, status_code=error.status_code, headers=error.headers)


def _by_somebody(request: Request) -> bool:
    """Whether a person has come to this address, with a browser; programs want what they can read."""
    return "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/")


async def _gone(request: Request, error: Exception) -> Response:
    return Response(status_code=400)  # which nobody hears: they have hung up in the middle of it


async def _down(request: Request, error: Exception) -> Response:
    words = languages.words(request.query_params.get("language", "en"))
    sentence = words.said("the journal can't be read just now; try again in a moment")
    return Json({"error": sentence}, status_code=503, headers={"Retry-After": str(RETRY_AFTER)})


async def _failed(request: Request, error: Exception) -> Response:
    error_log.report("server", "HTTP request failed", path=request.url.path)
    return Json({"error": "something went wrong on the server"}, status_code=500)
