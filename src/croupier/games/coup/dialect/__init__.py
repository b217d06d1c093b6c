"""Coup's own protocol, in two versions: which of them a connection speaks is in its address."""

from __future__ import annotations

from http import HTTPStatus
from urllib.parse import unquote

from croupier.games.coup.dialect.connection import MAIN
from croupier.games.coup.dialect.http_api import RESERVED, serve
from croupier.games.coup.dialect.note import ByNote
from croupier.games.coup.dialect.v1 import V1
from croupier.games.coup.dialect.v2 import V2
from croupier.tables.dialect import Dialect
from croupier.tables.endpoint import ConnectionRequest, Endpoint

__all__ = ["endpoints"]


def accept(request: ConnectionRequest) -> Dialect | HTTPStatus:
    query = request.query
    match [unquote(part) for part in request.path.split("/") if part]:
        case []:
            return ByNote(_code(query.get("table", MAIN)), None, None)
        case ["v1"]:
            return V1(_code(query.get("table", MAIN)), None, None)
        case ["v1", username]:
            return V1(_code(query.get("table", MAIN)), username, query.get("token"))
        case ["v2", "ws"] | ["ws"]:
            code = _code(query.get("gameCode", ""))
            return V2(query.get("username", ""), code, query.get("sounds") == "1")
        case [username] if username not in RESERVED:
            return ByNote(_code(query.get("table", MAIN)), username, query.get("token"))
    return HTTPStatus.BAD_REQUEST


def _code(given: str) -> str:
    return given.strip().lower()


endpoints = [Endpoint("coup", "/coup", accept, http=serve)]
