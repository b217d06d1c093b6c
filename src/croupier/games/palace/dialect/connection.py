"""Palace's own protocol: JSON in binary WebSocket messages, in three vintages. See docs/protocols/palace.md.

The numbers B1, B2, … are that page's list of bad input; D1, D2, … are its decisions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, get_args

import msgspec
from msgspec import UNSET, UnsetType

from croupier.games.palace.dialect.messages import (
    ILLEGAL,
    INTERNAL_ERROR,
    LONGEST,
    ChooseFaceup,
    JoinLobby,
    KickPlayer,
    MakePlay,
    NewLobby,
    OfPlayer,
    Page,
    Payload,
    RequestAi,
    StartGame,
    TakeTurn,
    accepted,
    canonical,
    decode,
    encode,
    hand,
    list_response,
    names,
    read,
    refused,
    state_event,
    turn_timer,
)
from croupier.games.palace.events import Ended
from croupier.games.palace.moves import AnyMove, Choose, Play
from croupier.games.palace.rules import Palace
from croupier.tables import entries, intents
from croupier.tables.dialect import Dialect, Hangup, Message
from croupier.tables.endpoint import ConnectionRequest
from croupier.tables.intents import Asked, Intent
from croupier.tables.notices import Fact, Refused, Reply
from croupier.tables.place import Place

Vintage = Literal["note", "modern", "draft"]
"""Which generation of clients is spoken to (D1)."""
VINTAGES: tuple[Vintage, ...] = get_args(Vintage)

UNSUPPORTED = 1003
ONLY_MODERN = (Page, RequestAi, KickPlayer, TakeTurn, str)
"""Requests that no older client sends; the last is SpectateLobby."""


Request = Payload | str | None
"""As ``messages.decode`` finds it; every intent has the request that asked for it as its context."""
NAMES: Mapping[type[Any], str] = {Page: "ListLobbies", type(None): "ListLobbies", str: "SpectateLobby"}
"""Of the requests that are not called what their payload is."""

_TURN = {
    "no_such_table": "LobbyNotFound",
    "not_started": "GameNotStarted",
    "not_seated": "PlayerNotFound",
    "stood_in": "PlayerNotFound",  # D18
    "out_of_turn": "NotYourTurn",
}
ERRORS: Mapping[str, Mapping[str, str]] = {
    "NewLobby": {},
    "JoinLobby": {
        "no_such_table": "LobbyNotFound",
        "started": "GameInProgress",
        "bad_password": "BadPassword",
        "full": "LobbyFull",
        "house_full": "LobbyFull",  # as far as their address is concerned
    },
    "ListLobbies": {},
    "StartGame": {
        "no_such_table": "LobbyNotFound",
        "started": "GameInProgress",
        "not_host": "NotLobbyOwner",
        "too_few": "LessThanTwoPlayers",
    },
    "ChooseFaceup": _TURN,
    "MakePlay": _TURN,
    "TakeTurn": _TURN,
    "Reconnect": {"no_such_table": "LobbyNotFound", "no_such_seat": "PlayerNotFound", "kicked": "PlayerKicked"},
    "RequestAi": {
        "no_such_table": "LobbyNotFound",
        "not_host": "NotLobbyOwner",
        "full": "LobbyTooSmall",
        "house_full": "LobbyTooSmall",  # the same
        "started": "GameInProgress",
    },
    "KickPlayer": {
        "no_such_table": "LobbyNotFound",
        "not_host": "NotLobbyOwner",
        "no_such_seat": "TargetPlayerNotFound",
        "host": "CantKickLobbyOwner",
        "bot_playing": "CantKickAiDuringGame",
    },
    "SpectateLobby": {
        "no_such_table": "LobbyNotFound",
        "bad_password": "LobbyNotFound",  # D39 is about lobbies that were opened here; others may ask for one
        "bench_full": "SpectateLobbyFull",
        "bench_closed": "SpectateLobbyFull",  # there is no nearer one
    },
}
"""What a refusal is called in the answer to each request. Any other is a failure of ours: InternalServerError."""

DONE = {asked: accepted(asked) for asked in ERRORS}

NOT_IN_DRAFT = frozenset(
    ["PlayerLeaveEvent", "LobbyCloseEvent", "GameCompleteEvent", "SpectatorJoinEvent", "SpectatorLeaveEvent"]
)


class PalaceDialect(Dialect):
    binary = True
    game = Palace.name
    patience = 30.0
    keeps_seat = False
    ends_with_host = True
    can_host = False
    rate = 0

    def __init__(self, pinned: Vintage | None, usual: Vintage) -> None:
        self.vintage: Vintage = pinned or usual
        self._settled = pinned is not None
        """Whether the client has said which one it is, or shown it: then that stays."""
        self._guessed = pinned is None
        """Whether it is taken for what is usual here, since nothing is known of it."""
        self.client = self.vintage if self._settled or usual != "note" else ""
        """Of a client that is only taken for the note's nothing is remembered: the server may be told better."""
        self._ejected = False
        """A bot has the seat, and the connection is about to be detached from it."""
        self._held: bytes | None = None
        """Draft: the state event that the answer to the connection's own request goes before (D33)."""

    # Requests

    def receive(self, message: Message, text: bool) -> Iterable[Intent | Message]:
        if text:
            raise Hangup(UNSUPPORTED, "binary messages only")  # B1
        request = decode(message)
        if not self._settled and _marks_modern(request):
            self._settled = True
            self._speak("modern")
            return (intents.Recognise(client="modern"), self._asked(request))
        return (self._asked(request),)

    def _speak(self, vintage: Vintage) -> None:
        self.vintage = self.client = vintage
        self._guessed = False

    def _asked(self, request: Request) -> Intent | Message:
        found = self._intent(request)
        return found if isinstance(found, bytes) else Asked(found, request)

    def _intent(self, request: Request) -> Intent | Message:
        match request:
            case ChooseFaceup():
                return _turn(request, Choose(read((request.card_one, request.card_two, request.card_three))))
            case MakePlay():
                # TakeTurn too: only when it turns out that the game is in its setup is it another move.
                return _turn(request, Play(read(request.cards)))
            case None | Page():
                return intents.List(game=self.game)
            case NewLobby():
                return _new_lobby(request)
            case JoinLobby():
                fault = _name_fault(request.player_name)
                if fault is not None:
                    return refused("JoinLobby", fault)
                return intents.Join(
                    table=canonical(request.lobby_id), player=request.player_name, password=request.password
                )
            case str():
                return intents.Watch(table=canonical(request))
            case OfPlayer():
                return _of_player(request, canonical(request.lobby_id), canonical(request.player_id))
        raise AssertionError(f"unknown request: {request}")

    # Answers

    def on_reply(self, reply: Reply) -> Iterable[Message | Intent]:
        intent, place, request = reply.intent, reply.place, reply.context
        if isinstance(intent, intents.Recognise):
            return ()
        held, self._held = self._held, None
        if isinstance(intent, intents.Play):
            assert place is not None
            if self.vintage != "draft":
                return (DONE[_name(request)],)
            first = accepted(_name(request), {"hand": hand(place)})
            return (first,) if held is None else (first, held)
        if isinstance(intent, intents.List):
            # D2: the note's form is answered with all of them.
            return (list_response(reply.tables or (), None if request is None else request.page, reply.at),)
        if isinstance(intent, intents.Arrival):
            return self._arrived(reply)
        return () if isinstance(intent, intents.Detach) else (DONE[_name(request)],)

    def on_refused(self, reply: Reply, refusal: Refused) -> Iterable[Message | Intent]:
        intent, code, asked = reply.intent, refusal.code, _name(reply.context)
        if isinstance(intent, intents.Recognise):
            return ()
        self._held = None
        if isinstance(intent, intents.Play):
            if code == "wrong_phase" and asked == "TakeTurn" and isinstance(intent.move, Play):
                return (Asked(msgspec.structs.replace(intent, move=Choose(intent.move.cards)), reply.context),)
            if code in ("illegal", "wrong_phase"):
                return (ILLEGAL if self.vintage == "draft" else refused(asked, {"GameError": str(refusal)}),)
        if code == "bad_name":
            # No error is about what names are made of: one that nobody can see, or that is a bot's, is as good as none.
            return (refused(asked, "EmptyLobbyName" if refusal.data["field"] == "name" else "EmptyPlayerName"),)
        error = ERRORS.get(asked, {}).get(code)
        return (INTERNAL_ERROR if error is None else refused(asked, error),)

    def on_resync(self, place: Place) -> Iterable[Message]:
        self._ejected = False
        return (INTERNAL_ERROR,)

    # D17: who is replaced gets no notice.

    def _arrived(self, reply: Reply) -> Iterable[Message | Intent]:
        place = reply.place
        assert place is not None
        self._ejected = False
        inherited = _vintage(place.client)
        if inherited is not None and self._guessed:
            self._speak(inherited)
        told = self._welcomed(reply, place)
        known = place.seat is None or self.client in ("", place.client)
        return told if known else (*told, intents.Recognise(client=self.client))

    def _welcomed(self, reply: Reply, place: Place) -> Iterable[Message]:
        table, token = place.summary, reply.token
        seen = {"num_spectators": table.watchers, "turn_timer": turn_timer(table)}
        match reply.intent:
            case intents.Open():
                ok: Any = {"player_id": token, "lobby_id": table.id, "max_players": table.seats}
            case intents.Join():
                before = names(table, but=place.seat)
                ok = {"player_id": token, "lobby_players": before, "max_players": table.seats, **seen}
            case intents.Watch():
                ok = {"lobby_players": names(table), "max_players": table.seats, **seen}
            case _:
                ok = {"max_players": table.seats, **seen} if self.vintage == "modern" else None  # D32
        response = accepted(_name(reply.context), ok)
        if not place.playing:
            return (response,)
        running = (self._start_event(place), state_event(place))
        return (response, *running) if place.seat is None else (*running, response)

    # Events

    def on_fact(self, fact: Fact) -> Iterable[Message | Intent]:
        place, entry = fact.place, fact.entry
        if self._ejected:
            return ()
        match entry:
            case entries.Moved():
                return self._moved(fact, entry)
            case entries.Started():
                return (self._start_event(place), fact.once("palace state", state_event))
            case entries.Joined() if not (fact.own and entry.bot is None):  # never about one's own arrival
                return (self._join_event(place, entry),)
            case entries.Left(seat) if seat != place.seat:
                players = len(place.summary.players)
                return self._event("PlayerLeaveEvent", {"total_num_players": players, "slot": seat})
            case entries.Left() | entries.Kicked() if entry.seat == place.seat:
                return self._event("LobbyCloseEvent", "Kicked")
            case entries.StoodIn(seat) if seat == place.seat:
                self._ejected = True
                return (*self._event("LobbyCloseEvent", "Afk"), intents.Detach())
            case entries.Closed():
                return self._event("LobbyCloseEvent", "OwnerLeft")
            case entries.Benched(open=False) if place.seat is None:
                return self._event("LobbyCloseEvent", "Kicked")
            case entries.Watched() if not fact.own:
                return self._event("SpectatorJoinEvent", None)
            case entries.Unwatched():
                return self._event("SpectatorLeaveEvent", None)
        return ()

    def _moved(self, fact: Fact, entry: entries.Moved) -> Iterable[Message]:
        place = fact.place
        state: bytes = fact.once("palace state", state_event)
        if self.vintage == "draft":
            if not fact.own:
                return (state,)
            self._held = state
            return ()
        told = [state]
        if place.seat == entry.seat:
            told.insert(0, encode({"HandEvent": hand(place)}))  # D10
        last = fact.events[-1]
        if isinstance(last, Ended):
            told.append(encode({"GameCompleteEvent": last.order}))
        return told

    def _start_event(self, place: Place) -> bytes:
        players = {player.seat: player.name for player in place.summary.players}
        if place.seat is None:
            return encode({"SpectateGameStartEvent": {"players": players}})
        name = "GameStartEvent" if self.vintage == "modern" else "GameStartedEvent"  # D1
        return encode({name: {"hand": hand(place), "turn_number": place.seat, "players": players}})

    def _join_event(self, place: Place, entry: entries.Joined) -> bytes:
        players = len(place.summary.players)
        told: dict[str, Any] = {"total_num_players": players, "new_player_name": entry.name, "slot": entry.seat}
        if self.vintage == "draft":
            told = {"num_players": players, **told}
        return encode({"PlayerJoinEvent": told})

    def _event(self, name: str, payload: Any) -> tuple[Message, ...]:
        return () if self.vintage == "draft" and name in NOT_IN_DRAFT else (encode({name: payload}),)


def accept(request: ConnectionRequest) -> PalaceDialect:
    asked = _vintage(request.query.get("dialect"))  # B26
    return PalaceDialect(asked, _vintage(request.variant) or "note")


def _vintage(named: str | None) -> Vintage | None:
    return next((vintage for vintage in VINTAGES if vintage == named), None)


def _name(request: Request) -> str:
    kind = type(request)
    return NAMES.get(kind) or kind.__name__


def _marks_modern(request: Request) -> bool:
    if isinstance(request, NewLobby):
        return request.turn_timer is not UNSET or request.turn_timer_secs is not UNSET
    return isinstance(request, ONLY_MODERN)


def _turn(request: OfPlayer, move: AnyMove) -> Intent:
    return intents.Play(table=canonical(request.lobby_id), token=canonical(request.player_id), move=move)


def _of_player(request: OfPlayer, table: str, token: str) -> Intent | Message:
    match request:
        case StartGame():
            return intents.Start(table=table, token=token)
        case RequestAi(num_ai=0):
            return refused("RequestAi", "LessThanOneAiRequested")
        case RequestAi():
            return intents.AddBots(table=table, token=token, count=request.num_ai)
        case KickPlayer():
            return intents.Kick(table=table, token=token, seat=request.slot)
    return intents.Return(table=table, token=token)


def _new_lobby(request: NewLobby) -> Intent | Message:
    fault = _new_lobby_fault(request)
    if fault is not None:
        return refused("NewLobby", fault)
    return intents.Open(
        game=Palace.name,
        player=request.player_name,
        name=request.lobby_name,
        seats=request.max_players,
        options={} if isinstance(request.turn_timer, UnsetType) else {"turn_timer": request.turn_timer},
        password=request.password,
    )


def _new_lobby_fault(request: NewLobby) -> str | None:
    if request.max_players < 2:
        return "LessThanTwoMaxPlayers"  # D9
    if not request.lobby_name.strip():
        return "EmptyLobbyName"
    if not request.player_name.strip():
        return "EmptyPlayerName"
    if len(request.lobby_name) > LONGEST:
        return "LobbyNameTooLong"
    if len(request.player_name) > LONGEST:
        return "PlayerNameTooLong"
    return "PasswordTooLong" if len(request.password) > LONGEST else None


def _name_fault(name: str) -> str | None:
    if not name.strip():
        return "EmptyPlayerName"  # D7
    return "PlayerNameTooLong" if len(name) > LONGEST else None
