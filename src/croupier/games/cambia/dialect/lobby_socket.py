"""Cambia's own protocol, the lobby socket: who is there, who is ready, by which rules; and that a game begins."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from croupier.games.cambia.dialect import ids
from croupier.games.cambia.dialect.game_socket import GONE, LEFT, NEWER, REFUSED, VANISHED, CambiaDialect
from croupier.games.cambia.dialect.guests import Guest
from croupier.games.cambia.dialect.house_rules import changed, circuit, house_rules, settings
from croupier.games.cambia.dialect.messages import LONG, PONG, Json, Misunderstood, error
from croupier.games.cambia.dialect.telling import Teller
from croupier.games.cambia.events import Ended, MatchEnded, RoundEnded, RoundStarted
from croupier.games.cambia.state import Outcome
from croupier.tables import entries, intents
from croupier.tables.chat import LONGEST_LINE
from croupier.tables.dialect import Hangup, Output
from croupier.tables.intents import Asked, Intent
from croupier.tables.notices import Fact, Refused, Reply
from croupier.tables.place import Place
from croupier.tables.summary import Player, Summary

NOT_NOW = ("game_in_progress", "A game is being played.")
ERRORS = {
    "started": NOT_NOW,
    "not_host": ("not_host", "Only the host can do that."),
    "silenced": ("bad_chat", "The host has silenced you."),
    "too_few": ("not_enough_players", "It takes at least two."),
}
NAMES = {"rule_update": "update_rules"}
"""What a message is called in the answer, if that is not what the client calls it."""


def kind(table: Summary) -> tuple[str, str]:
    """The lobby's type and mode; tables of other protocols have neither."""
    found = table.lobby.kind.split()
    return (found[0], found[1]) if len(found) == 2 else ("public", "custom")


_OF_THE_LOBBY = frozenset({Ended, RoundEnded, RoundStarted, MatchEnded})
"""What happens in a game and is news here."""


class LobbyRoom:
    """A lobby as its members are told of it."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.gone: set[str] = set()
        """Who has left a running game: their seats stay until it is over."""
        self.announced = {player.user for player in place.summary.players if not player.away}
        """Who is known to have come."""
        self._known = place.summary.players
        """Before what is told next."""
        self._leaver: Player | None = None
        """Somebody who has gone, until it is known who is the host now."""

    def __copy__(self) -> LobbyRoom:
        room = LobbyRoom(self.place)
        room.gone, room.announced = self.gone.copy(), self.announced.copy()
        room._known, room._leaver = self._known, self._leaver
        return room

    @property
    def me(self) -> Player | None:
        seat = self.place.seat
        return next((player for player in self.place.summary.players if player.seat == seat), None)

    @property
    def host(self) -> str | None:
        table = self.place.summary
        return next((player.user for player in table.players if player.seat == table.host), None)

    @property
    def headless(self) -> bool:
        """Whether the host has gone, and who succeeds is told next."""
        return self._leaver is not None

    @property
    def game_id(self) -> str | None:
        return ids.present(self.place).id if self.place.playing else None

    def status(self) -> Json:
        host = self.host
        return {
            "users": [
                {"id": player.user, "username": player.name, "is_host": player.user == host, "is_ready": player.ready}
                for player in self.place.summary.players
                if player.user not in self.gone
            ]
        }

    def rules(self) -> Json:
        table = self.place.summary
        return {
            "house_rules": house_rules(table.options),
            "circuit": circuit(table.options),
            "settings": settings(table.lobby),
        }

    def state(self, user: str) -> Json:
        table = self.place.summary
        type, mode = kind(table)
        return {
            "type": "lobby_state",
            "lobby_id": ids.lobby_id(table.id),
            "host_id": self.host,
            "your_id": user,
            "your_is_host": user == self.host,
            "lobby_type": type,
            "game_mode": mode,
            "in_game": self.place.playing,
            "game_id": self.game_id,
            "max_players": table.seats,
            **self.rules(),
            "lobby_status": self.status(),
        }

    def countdown(self, at: int) -> Json | None:
        """For who comes back while one runs."""
        starts_at = self.place.starts_at
        return None if starts_at is None else _countdown(math.ceil(max(0, starts_at - at) / 1000))

    def came(self, player: Player) -> Json:
        self.announced.add(player.user)
        who = {"user_join": player.user, "username": player.name, "is_host": player.user == self.host}
        return {"type": "lobby_update", **who, "host_id": self.host, "lobby_status": self.status()}

    def went(self, player: Player) -> Json:
        self.announced.discard(player.user)
        who = {"user_left": player.user, "username": player.name}
        return {"type": "lobby_update", **who, "host_id": self.host, "lobby_status": self.status()}

    def tell(self, fact: Fact) -> Iterator[Json]:
        """What happened, in the lobby's words."""
        entry = fact.entry
        table = self.place.summary
        if type(entry) is not entries.Moved:
            yield from self._entry(entry, fact.at, table)
        for event in fact.events:
            if type(event) in _OF_THE_LOBBY:
                yield from self._game(fact)
                break
        if not fact.place.playing:
            self.gone &= {player.user for player in table.players}
        self._known = table.players

    def _entry(self, entry: entries.AnyEntry, at: int, table: Summary) -> Iterator[Json]:
        players = {player.seat: player for player in table.players}
        match entry:
            case entries.Joined(until=None):
                yield self.came(players[entry.seat])
            case entries.Back() if not self.place.playing and players[entry.seat].user not in self.announced:
                yield self.came(players[entry.seat])
            case entries.Left():
                yield from self._left(next(player for player in self._known if player.seat == entry.seat), table)
            case entries.HandedOver():
                leaver, self._leaver = self._leaver, None
                if leaver is not None:
                    yield self.went(leaver)
                else:
                    yield {"type": "lobby_update", "host_id": self.host, "lobby_status": self.status()}
            case entries.Readied(seat, ready):
                who = {"user_id": players[seat].user, "username": players[seat].name}
                yield {"type": "ready_update", **who, "is_ready": ready}
            case entries.CountdownBegun(seconds):
                yield _countdown(seconds)
            case entries.CountdownStopped():
                yield {"type": "lobby_countdown_cancel"}
            case entries.Configured():
                yield {"type": "lobby_rules_updated", "rules": self.rules()}
            case entries.Said(seat, name, text):
                user = players[seat].user if seat in players else ids.NIL
                yield {"type": "chat", "user_id": user, "username": name, "msg": text, "ts": at // 1000}
            case entries.Invited(user=invited):
                yield {"type": "lobby_invite", "invitedID": invited}
            case entries.Started():
                yield {"type": "game_start", "game_id": self.game_id}

    def _left(self, player: Player, table: Summary) -> Iterator[Json]:
        if player.user in self.gone:
            return  # that was said when it happened
        if self.place.playing:
            self.gone.add(player.user)
        if table.host in (None, player.seat) and table.phase != "closed":
            self._leaver = player
        else:
            yield self.went(player)

    def _game(self, fact: Fact) -> Iterator[Json]:
        events: Sequence[Any] = fact.events
        teller = Teller(self.place, LONG)
        outcome: Outcome | None = None
        last: RoundEnded | None = None
        for event in events:
            match event:
                case Ended():
                    outcome = event.outcome
                case RoundEnded(last=True):
                    last = event
                case RoundEnded(number, rounds):
                    yield {"type": "round_end", "round": number, "total_rounds": rounds, **_counted(teller, event)}
                case RoundStarted(number, rounds, dealer):
                    begun = {"round": number, "total_rounds": rounds, "dealer_seat": dealer, "game_id": self.game_id}
                    yield {"type": "round_start", **begun}
                    yield {"type": "game_start", "game_id": self.game_id}
                case MatchEnded(totals, history, standings):
                    scores = _counted(teller, last) if last is not None else {}
                    scores["cumulative_scores"] = teller.points(totals)
                    scores["round_history"] = [teller.points(scored) for scored in history]
                    order = [teller.players[seat].user for group in standings for seat in group]
                    yield {"type": "match_end", **scores, "standings": order, "final": True}
                    yield self._results(teller, teller.winner(standings[0]), teller.points(totals))
        if outcome is not None and not fact.place.playing and not fact.place.summary.options.circuit:
            yield self._results(teller, teller.winner(outcome.winners), teller.points(outcome.scores))

    def _results(self, teller: Teller, winner: Json, scores: Json) -> Json:
        told = {"type": "game_results", "game_id": teller.game.id, **winner, "scores": scores}
        return {**told, "lobby_status": self.status()}


def _countdown(seconds: int) -> Json:
    return {"type": "lobby_countdown_start", "seconds": seconds}


def _counted(teller: Teller, event: RoundEnded) -> Json:
    return {
        "round_scores": teller.points(event.scores),
        "subsidies": teller.points(event.subsidies),
        "cumulative_scores": teller.points(event.totals),
    }


class LobbyDialect(CambiaDialect):
    attends = frozenset({"waiting"})
    copied = (*CambiaDialect.copied, LobbyRoom)

    def __init__(self, guest: Guest, table: str, hangup: Hangup | None = None) -> None:
        self._guest = guest
        self.user, self.token = guest.id, guest.token
        self._table = table
        self._hangup = hangup
        """Why the connection is closed as soon as it is open."""
        self._room: LobbyRoom | None = None

    def greet(self) -> Iterable[Output | Intent]:
        yield self._hangup or intents.Join(table=self._table, player=self._guest.name)

    # Requests

    def _asked(self, asked: Json) -> Iterable[Intent | Output]:
        if self._room is None:
            return
        kind = asked["type"]
        try:
            wished = wish(kind, asked, self._room)
        except Misunderstood as fault:
            yield self._say(error(fault.code, str(fault), kind))
            return
        if wished is not None:
            yield Asked(wished, NAMES.get(kind, kind)) if isinstance(wished, Intent) else self._say(wished)

    # Answers and facts

    def on_reply(self, reply: Reply) -> Iterable[Output]:
        match reply.intent:
            case intents.Join():
                return self._arrived(reply)
            case intents.Leave():
                return (Hangup(LEFT, "you have left"),)
        return ()

    def on_refused(self, reply: Reply, refused: Refused) -> Iterable[Output]:
        if isinstance(reply.intent, intents.Join):
            return (Hangup(GONE.get(refused.code, REFUSED)),)
        code, sentence = ERRORS.get(refused.code, (refused.code, str(refused)))
        return (self._say(error(code, sentence, reply.context)),)

    def on_replaced(self) -> Iterable[Output]:
        return (Hangup(NEWER, "there is a newer connection"),)

    def on_resync(self, place: Place) -> Iterable[Output]:
        self._room = LobbyRoom(place)
        return (self._say(self._room.state(self._guest.id)),)

    def _arrived(self, reply: Reply) -> Iterator[Output]:
        assert reply.place is not None
        self._room = room = LobbyRoom(reply.place)
        yield self._say(room.state(self._guest.id))
        if reply.entered and room.me is not None and not reply.place.playing:
            yield self._say(room.came(room.me))
        if (countdown := room.countdown(reply.at)) is not None:
            yield self._say(countdown)

    def on_fact(self, fact: Fact) -> Iterator[Output]:
        room = self._room
        if room is None:
            return
        if isinstance(fact.entry, entries.Closed):
            if not fact.own:  # else it was the last who has left
                yield Hangup(VANISHED, "the lobby is closed")
            return
        if fact.place.lost:
            if not fact.own:
                yield Hangup(REFUSED, "your seat was taken away")
            return
        for told in room.tell(fact):
            yield self._say(told)


def wish(kind: str, asked: Json, room: LobbyRoom) -> Intent | Json | None:
    """What a message of the lobby asks for; or what answers it at once. Raises ``Misunderstood``."""
    match kind:
        case "ping":
            return PONG
        case "ready" | "unready":
            return _ready(room, kind == "ready")
        case "chat":
            return _chat(asked.get("msg"))
        case "update_rules" | "rule_update":
            return _update(room, asked.get("rules"))
        case "start_game":
            return _start(room)
        case "invite":
            invited = ids.read(asked.get("userID"))
            if invited is None:
                raise Misunderstood("bad_invite", "That is not the id of anybody.")
            return intents.Invite(user=invited)
        case "leave_lobby":
            return intents.Leave()
    raise Misunderstood("unknown_type", "There is no such message here.")


def _ready(room: LobbyRoom, ready: bool) -> Intent | None:
    if room.me is None or room.me.ready == ready:
        return None
    return intents.Ready(ready=ready)


def _chat(text: Any) -> Intent:
    text = text.strip() if isinstance(text, str) else ""
    if not 1 <= len(text) <= LONGEST_LINE:
        raise Misunderstood("bad_chat", "A message has 1 to 500 characters.")
    return intents.Say(text=text)


def _must_wait(room: LobbyRoom) -> None:
    if room.place.playing:
        raise Misunderstood(*NOT_NOW)


def _must_be_host(room: LobbyRoom, what: str) -> None:
    if room.me is None or room.me.user != room.host:
        raise Misunderstood("not_host", f"Only the host can {what}.")


def _update(room: LobbyRoom, asked: Any) -> Intent | None:
    _must_wait(room)
    _must_be_host(room, "change the rules")
    table = room.place.summary
    change = changed(asked, table.options)
    known = msgspec.to_builtins(table.options)
    options = {name: value for name, value in change.options.items() if known[name] != value}
    if not options and msgspec.structs.replace(table.lobby, **change.lobby) == table.lobby:
        return None
    return intents.Configure(options=options, **change.lobby)


def _start(room: LobbyRoom) -> Intent:
    _must_wait(room)
    _must_be_host(room, "start the game")
    there = [player for player in room.place.summary.players if not player.away]
    if len(there) < 2:
        raise Misunderstood("not_enough_players", "It takes at least two.")
    if not all(player.ready for player in there):
        raise Misunderstood("not_ready", "Not everybody is ready.")
    return intents.Start()
