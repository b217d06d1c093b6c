"""The ways in to Cambia's own protocol: HTTP requests, the lobby socket, the game socket, and the one for both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus
from typing import Any

import msgspec

from croupier.games.cambia.dialect import ids
from croupier.games.cambia.dialect.game_socket import LINGER, WRONG_SUBPROTOCOL, GameDialect
from croupier.games.cambia.dialect.guests import Guest, Guests
from croupier.games.cambia.dialect.house_rules import changed, circuit, house_rules, settings
from croupier.games.cambia.dialect.lobby_socket import LobbyDialect, kind
from croupier.games.cambia.dialect.messages import LONG, SHORT, Json, Misunderstood, encode
from croupier.games.cambia.dialect.single_socket import SingleSocketDialect
from croupier.games.cambia.options import Options
from croupier.games.cambia.rules import Cambia
from croupier.tables import intents, names
from croupier.tables.dialect import Dialect, Hangup, Output
from croupier.tables.endpoint import ConnectionRequest, HouseQueries
from croupier.tables.intents import Intent
from croupier.tables.notices import Refused, Reply
from croupier.tables.recovery import LOBBY
from croupier.tables.summary import Summary
from croupier.wire.http import HttpRequest, HttpResponse, cookie

MODES = {"head_to_head": 2, "group_of_4": 4, "circuit_4p": 4, "circuit_7p8p": 8, "custom": 8}
"""C1: how many a lobby takes when its creator has chosen the mode."""
TYPES = ("private", "public", "matchmaking")
MOST = Cambia.seats[-1]
CAMBIA = Cambia()
NO_ACCOUNTS = encode({"message": "There are no accounts here. Continue as a guest: you stay the same person."})
"""Where the web client looks for what to show."""


# Who somebody is


def tokens(headers: Mapping[str, str], query: Mapping[str, str]) -> list[str]:
    """What somebody shows to prove who they are."""
    scheme, _, bearer = headers.get("authorization", "").partition(" ")
    shown = [cookie(headers, "auth_token"), bearer.strip() if scheme.lower() == "bearer" else None, query.get("token")]
    return [token for token in shown if token]


def guest(house: HouseQueries, headers: Mapping[str, str], query: Mapping[str, str]) -> Guest | None:
    return next((found for token in tokens(headers, query) if (found := Guests(house.secret).known(token))), None)


def new_guest(house: HouseQueries, name: str | None = None) -> Guest:
    guests = Guests(house.secret)
    return guests.new(name) if name else guests.new(f"Guest {guests.new('Guest').id[:4]}")


def set_cookie(person: Guest, secure: bool) -> dict[str, str]:
    kept = "; Path=/; HttpOnly; SameSite=Lax" + ("; Secure" if secure else "")
    return {"Set-Cookie": f"auth_token={person.token}{kept}"}


def concerns(path: str, body: bytes) -> list[str]:
    """The lobby that a request is about, as a table; or the alias of the one whose game it is about."""
    match path.strip("/").split("/"):
        case ["game", "ws", given] if id := ids.read(given):
            return [ids.alias(id)]
        case ["lobby", "ws", given] | ["ws", given] | ["lobby", given, "join"] if id := ids.read(given):
            return [ids.table_of(id)]
        case ["lobby", "list"]:
            return [LOBBY]
        case ["lobby", "join"]:
            try:
                asked = msgspec.json.decode(body)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                return []
            id = ids.read(asked.get("lobby_id")) if isinstance(asked, dict) else None
            return [] if id is None else [ids.table_of(id)]
    return []


# WebSockets


def accept(request: ConnectionRequest) -> Dialect | HTTPStatus:
    match request.path.strip("/").split("/"):
        case ["lobby", "ws", lobby]:
            return _accept(request, "lobby", lobby, _accept_lobby)
        case ["game", "ws", game]:
            return _accept(request, "game", game, _accept_game)
        case ["ws", lobby]:
            return _accept(request, "cambia", lobby, _accept_both)
    return HTTPStatus.NOT_FOUND


Find = Callable[[ConnectionRequest, str, Guest, Hangup | None], Dialect | HTTPStatus]


def _accept(request: ConnectionRequest, subprotocol: str, given: str, find: Find) -> Dialect | HTTPStatus:
    id = ids.read(given)
    if id is None:
        return HTTPStatus.BAD_REQUEST
    known = guest(request.house, request.headers, request.query)
    person = known or new_guest(request.house)
    offered = [name.strip() for name in request.headers.get("sec-websocket-protocol", "").split(",") if name.strip()]
    right = subprotocol in offered
    wrong = Hangup(WRONG_SUBPROTOCOL, "wrong subprotocol") if offered and not right else None  # D74
    dialect = find(request, id, person, wrong)
    if isinstance(dialect, Dialect):
        accepted = {"Sec-WebSocket-Protocol": subprotocol} if right else {}
        dialect.handshake = accepted if known else {**accepted, **set_cookie(person, request.secure)}
    return dialect


def _accept_lobby(request: ConnectionRequest, id: str, person: Guest, hangup: Hangup | None) -> Dialect | HTTPStatus:
    table = _lobby(request.house, id)
    return HTTPStatus.NOT_FOUND if table is None else LobbyDialect(person, table.id, hangup)


def _accept_game(request: ConnectionRequest, id: str, person: Guest, hangup: Hangup | None) -> Dialect | HTTPStatus:
    house = request.house
    found = ids.find(house.summaries(Cambia.name), id)
    if found is None:
        return HTTPStatus.NOT_FOUND
    table, game = found
    over = game.number < ids.count(table)
    if over or (table.phase != "playing" and house.now() >= (table.over_at or 0) + 1000 * LINGER):  # T9
        return HTTPStatus.GONE
    return GameDialect(person, game, SHORT if request.query.get("cards") == "short" else LONG, hangup)


def _accept_both(request: ConnectionRequest, id: str, person: Guest, hangup: Hangup | None) -> Dialect | HTTPStatus:
    table = _lobby(request.house, id)
    if table is None:
        return HTTPStatus.NOT_FOUND
    inside = any(player.user == person.id for player in table.players)
    if not inside and (table.phase == "playing" or len(table.players) >= table.seats):
        return HTTPStatus.FORBIDDEN
    return SingleSocketDialect(person, table.id, hangup)


def _lobby(house: HouseQueries, id: str) -> Summary | None:
    table = house.look(ids.table_of(id))
    return None if table is None or table.game != Cambia.name else table


# HTTP


def http(request: HttpRequest, house: HouseQueries) -> Dialect | HttpResponse:
    try:
        return _answer(request, house)
    except Refusal as refusal:
        headers = {"Content-Type": "text/plain; charset=utf-8", **refusal.headers}
        return HttpResponse(refusal.status, str(refusal).encode(), headers)


class Refusal(Exception):
    def __init__(self, status: int, sentence: str, **headers: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.headers = headers


def _answer(request: HttpRequest, house: HouseQueries) -> Dialect | HttpResponse:
    match request.method, request.path.strip("/").split("/"):
        case "POST" | "GET", ["user", "guest"]:
            return _guest(request, house)
        case "GET", ["user", "me"]:
            return _me(request, house)
        case "POST", ["lobby", "create"]:
            return _create(request, house)
        case "POST", ["lobby", "join"]:
            return _join(request, house, _body(request).get("lobby_id"))
        case "POST", ["lobby", id, "join"]:
            return _join(request, house, id)
        case "GET", ["lobby", "list"]:
            return _list(request, house)
        case "GET", ["matchmaking", "queues"] | ["friends", "list"]:
            return ok([])  # the web client's dashboard asks, and shows an error for what is not there
        case _, ["user", "login" | "create" | "claim" | "logout"]:
            return HttpResponse(501, NO_ACCOUNTS, {"Content-Type": "application/json"})
        case _, ["user", "guest"]:
            raise Refusal(405, "not with this method", Allow="GET, POST")
        case _, ["user", "me"] | ["lobby", "list"] | ["matchmaking", "queues"] | ["friends", "list"]:
            raise Refusal(405, "not with this method", Allow="GET")
        case _, ["lobby", "create" | "join"] | ["lobby", _, "join"]:
            raise Refusal(405, "not with this method", Allow="POST")
        case _, ["lobby" | "game", "ws", _] | ["ws", _]:
            raise Refusal(426, "this speaks WebSocket only")
    raise Refusal(404, "there is nothing here")


def ok(body: Any, headers: Mapping[str, str] | None = None) -> HttpResponse:
    return HttpResponse(200, encode(body), {"Content-Type": "application/json", **(headers or {})})


def _body(request: HttpRequest) -> Json:
    """The body, an object; an empty one may be left out."""
    if not request.body.strip():
        return {}
    try:
        found = msgspec.json.decode(request.body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Refusal(400, "that is not JSON") from None
    if not isinstance(found, dict):
        raise Refusal(400, "the body is an object")
    return found


def _person(request: HttpRequest, house: HouseQueries) -> Guest:
    """Who asks, and must be known."""
    found = guest(house, request.headers, request.query)
    if found is None:
        shown = tokens(request.headers, request.query)
        raise Refusal(403, "nobody has such a token") if shown else Refusal(401, "who are you?")
    return found


def _guest(request: HttpRequest, house: HouseQueries) -> HttpResponse:
    found = guest(house, request.headers, request.query)
    # A link may have brought a token here that is somebody else's, so that whoever follows it goes on as them.
    by_link = request.method == "GET" and found is not None and guest(house, request.headers, {}) is None
    after = ""
    if found is None:
        name = _body(request).get("username")
        # The web client's guests have none. It asks who it is in the same moment, and would believe that it is nobody.
        after = "" if name else "GET /user/me"
        if name is not None:
            try:
                name = names.of_person(name if isinstance(name, str) else "", CAMBIA)
            except Refused as refusal:
                raise Refusal(400, str(refusal)) from None
        found = new_guest(house, name)
    kept = {} if by_link else set_cookie(found, request.secure)
    made = ok({"id": found.id, "username": found.name, "token": found.token}, kept)
    return made._replace(after=after)


def _me(request: HttpRequest, house: HouseQueries) -> HttpResponse:
    found = guest(house, request.headers, request.query)
    if found is None:
        raise Refusal(403, "who are you?")
    return ok({"id": found.id, "username": found.name, "is_ephemeral": True, "is_admin": False})


def _create(request: HttpRequest, house: HouseQueries) -> Dialect:
    person = _person(request, house)
    body = _body(request)
    type, mode = body.get("type") or "private", body.get("gameMode") or "head_to_head"
    if type not in TYPES:
        raise Refusal(400, "there is no such type")
    if mode not in MODES:
        raise Refusal(400, "there is no such mode")
    try:
        parts = ("houseRules", "house_rules", "circuit", "settings", "lobbySettings")
        change = changed({"circuit": {}} | {part: body[part] for part in parts if part in body}, Options())
    except Misunderstood as fault:
        raise Refusal(400, str(fault)) from None
    settings_asked: Json = {"auto_start": True} | change.lobby
    seats = MODES[mode] if body.get("gameMode") else MOST  # C1, D97
    return HouseRequest(
        person,
        intents.OpenAs(
            game=Cambia.name,
            player=person.name,
            seats=seats,
            options=change.options,
            listed=type == "public",
            kind=f"{type} {mode}",
            **settings_asked,
        ),
        lambda answer: lobby_object(answer.place.summary),  # type: ignore[union-attr]
    )


def _join(request: HttpRequest, house: HouseQueries, given: Any) -> Dialect:
    person = _person(request, house)
    id = ids.read(given)
    if id is None:
        raise Refusal(400, "that is not the id of a lobby")
    table = _lobby(house, id)
    if table is None:
        raise Refusal(404, "there is no such lobby")
    joining = intents.Join(table=table.id, player=person.name)
    return HouseRequest(person, joining, lambda answer: {"lobby_id": id})


def _list(request: HttpRequest, house: HouseQueries) -> HttpResponse:
    person = guest(house, request.headers, request.query)
    found = {}
    for table in house.summaries(Cambia.name):
        inside = person is not None and any(player.user == person.id for player in table.players)
        if table.lobby.listed or inside:
            counted = {"playerCount": len(table.players), "maxPlayers": table.seats}
            found[ids.lobby_id(table.id)] = {"lobby": lobby_object(table), **counted}
    return ok(found)


def lobby_object(table: Summary) -> Json:
    type, mode = kind(table)
    playing = table.phase == "playing"
    return {
        "id": ids.lobby_id(table.id),
        "hostUserID": next((player.user for player in table.players if player.seat == table.host), ids.NIL),
        "type": type,
        "gameMode": mode,
        "inGame": playing,
        "gameId": ids.LobbyGame(table.id, ids.count(table), 1).id if playing else None,
        "maxPlayers": table.seats,
        "houseRules": house_rules(table.options),
        "circuit": circuit(table.options),
        "lobbySettings": settings(table.lobby),
    }


class HouseRequest(Dialect):
    """An HTTP request that the house answers: it opens a lobby, or joins one."""

    game = Cambia.name
    attends = frozenset()

    def __init__(self, person: Guest, intent: Intent, body: Callable[[Reply], Json]) -> None:
        self.user, self.token = person.id, person.token
        self._intent = intent
        self._body = body

    def greet(self) -> Iterable[Output | Intent]:
        yield self._intent

    def on_reply(self, reply: Reply) -> Iterable[Output]:
        yield ok(self._body(reply))

    def on_refused(self, reply: Reply, refusal: Refused) -> Iterable[Output]:
        status = {"no_such_table": 404, "unavailable": 503, "house_full": 503, "internal": 500}
        yield HttpResponse(status.get(refusal.code, 409), str(refusal).encode(), {"Content-Type": "text/plain"})
