"""Where tables of Coup are made and found by plain HTTP requests, in both versions of its protocol."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import msgspec

from croupier.games.coup.dialect import v1, v2
from croupier.games.coup.dialect.connection import KEEPS, encode
from croupier.games.coup.dialect.names import game_code, is_open
from croupier.games.coup.options import Options
from croupier.games.coup.rules import Coup
from croupier.tables import intents
from croupier.tables.dialect import Dialect, Output
from croupier.tables.endpoint import HouseQueries
from croupier.tables.intents import Intent
from croupier.tables.notices import Refused, Reply
from croupier.tables.summary import Summary
from croupier.wire.http import HttpRequest, HttpResponse

MOST_TABLES = 1000
LONGEST = 4096
CORS = {"Access-Control-Allow-Origin": "*"}
PREFLIGHT = {
    **CORS,
    "Access-Control-Allow-Methods": "GET,HEAD,PUT,PATCH,POST,DELETE",
    "Access-Control-Allow-Headers": "*",
}
SOCKETS = ("", "/v1", "/v2/ws", "/ws")
"""Where only WebSockets are served."""
RESERVED = ("v1", "v2", "ws", "game", "games")
"""Of the addresses below the root: all others are names of players."""


class Version(NamedTuple):
    first: bool
    options: Mapping[str, Any]

    def created(self, table: Summary) -> Any:
        code = {"gameCode": game_code(table)}
        return {**code, "ruleset": table.options.ruleset} if self.first else code

    def listed(self, tables: Iterable[Summary]) -> Any:
        if not self.first:
            return {"games": [game_code(table) for table in tables]}
        found = [
            {
                "gameCode": game_code(table),
                "phase": "PRE_GAME",
                "players": len(table.players),
                "maxPlayers": table.seats,
                "ruleset": table.options.ruleset,
            }
            for table in tables
        ]
        return {"games": found}


FIRST, SECOND = Version(True, v1.OPTIONS), Version(False, v2.OPTIONS)
VERSIONS = {"/v1": FIRST, "/v2": SECOND, "": SECOND}

OPTIONS = {
    re.sub("_(.)", lambda found: found[1].upper(), field.name): field.name for field in msgspec.structs.fields(Options)
}
"""By how they are spelled here."""


def answer(status: int, content: Any, **headers: str) -> HttpResponse:
    kind = {"Content-Type": "application/json"}
    return HttpResponse(status, encode(content), {**kind, **CORS, **headers})


def problem(status: int, text: str, **headers: str) -> HttpResponse:
    return answer(status, {"error": text}, **headers)


def serve(request: HttpRequest, house: HouseQueries) -> Dialect | HttpResponse:
    path = request.path.rstrip("/")
    if path in SOCKETS:
        return problem(426, "this speaks WebSocket only", Upgrade="websocket")
    above, _, what = path.rpartition("/")
    version = VERSIONS.get(above)
    if version is None or what not in ("game", "games"):
        return problem(404, "there is nothing here")
    if request.method == "OPTIONS":
        return HttpResponse(200, b"", PREFLIGHT)
    method = "POST" if what == "game" else "GET"
    if request.method != method:
        return problem(405, f"{method} only", Allow=f"{method}, OPTIONS")
    return _creating(request.body, version) if what == "game" else ListTables(version)


def _creating(body: bytes, version: Version) -> Dialect | HttpResponse:
    if len(body) > LONGEST:
        return problem(413, f"{LONGEST} bytes are enough")
    try:
        given = msgspec.json.decode(body) if body.strip() else {}
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return problem(400, "not JSON")
    if type(given) is not dict:
        return problem(400, "not an object")
    seats = given.pop("maxPlayers", Coup.seats[-1])
    if type(seats) is not int or seats not in Coup.seats:
        return problem(400, f"maxPlayers is {Coup.seats[0]} to {Coup.seats[-1]}")
    for name in given:
        if name not in OPTIONS:
            return problem(400, f"there is no option {name!r}")
    options = {**version.options, **{OPTIONS[name]: value for name, value in given.items()}}
    return CreateTable(version, seats, options)


def _respelled(text: str) -> str:
    """A sentence about options, by their names here."""
    for name, field in OPTIONS.items():
        text = text.replace(field, name)
    return text


class CreateTable(Dialect):
    """A table is to be made, if there are not too many of them."""

    game = Coup.name

    def __init__(self, version: Version, seats: int, options: dict[str, Any]) -> None:
        self._version = version
        self._table = intents.OpenUnattended(game=Coup.name, seats=seats, options=options, keeps=KEEPS)

    def greet(self) -> Iterable[Output | Intent]:
        yield intents.List(game=Coup.name)

    def on_reply(self, reply: Reply) -> Iterable[Output | Intent]:
        assert reply.tables is not None
        if isinstance(reply.intent, intents.List):
            yield problem(503, "too many games") if len(reply.tables) >= MOST_TABLES else self._table
        else:
            yield answer(200, self._version.created(reply.tables[0]))

    def on_refused(self, reply: Reply, refusal: Refused) -> Iterable[Output]:
        if refusal.code in ("bad_options", "bad_seats"):
            yield problem(400, _respelled(str(refusal)))
        else:
            yield problem(503, "too many games" if refusal.code == "house_full" else str(refusal))


class ListTables(Dialect):
    """The tables at which anybody can still sit down."""

    game = Coup.name

    def __init__(self, version: Version) -> None:
        self._version = version

    def greet(self) -> Iterable[Output | Intent]:
        yield intents.List(game=Coup.name)

    def on_reply(self, reply: Reply) -> Iterable[Output]:
        yield answer(200, self._version.listed(filter(is_open, reply.tables or ())))

    def on_refused(self, reply: Reply, refusal: Refused) -> Iterable[Output]:
        yield problem(503, str(refusal))
