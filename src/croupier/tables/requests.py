"""Requests: what a connection asks for is decided here, and let happen in its room.

Nothing here waits: a request is decided and applied at once, and answered when the journal has it. What may be done is
said by ``rulings``, which know tables and no connections.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import Any, Protocol

import msgspec

from croupier.kernel import Illegal
from croupier.tables import decisions, entries, intents, keys, luck, manners, names, rulings, seeking
from croupier.tables.batch import Batch
from croupier.tables.dialect import Hangup
from croupier.tables.directory import token_name
from croupier.tables.guesses import Guesses
from croupier.tables.hints import Hints
from croupier.tables.intents import Intent
from croupier.tables.lobby_options import Lobby
from croupier.tables.notices import Refused, Reply
from croupier.tables.persons import Persons
from croupier.tables.place import Place
from croupier.tables.presence import Presence
from croupier.tables.recovery import LOBBY, Stale, Unknown
from croupier.tables.registry import Registry
from croupier.tables.room import Room
from croupier.tables.seat import Seat
from croupier.tables.session import Session
from croupier.tables.shell import Shell
from croupier.tables.summary import Summary
from croupier.tables.table import AnyGame, Table
from croupier.tables.wall_clock import ms

BOTS_AT_ONCE = 8
"""That sit down before others are served."""
FETCHED = 3
"""Tables that are read from the journal for somebody who looks for a game: the first may not be there any more."""

Outcome = tuple[Reply | None, Batch | None]
"""An answer, or None if it follows later; and what has to be in the journal before it may be given."""


class RequestShell(Shell, Protocol):
    """What requests need of the server around them."""

    games: Mapping[str, AnyGame]

    def seeks(self, session: Session, unknown: Unknown) -> bool:
        """Whether a table that is not here may be elsewhere, and that is still to be found out."""

    persons: Persons

    def listed(self, game: str | None = None) -> list[Summary]:
        """The tables that strangers are shown."""

    def new_room(self, table: Table) -> Room:
        """A room for a table that nobody has heard of."""

    def later(self, due: int, action: Callable[[], None]) -> None:
        """Do something at that time of the tables."""


class Requests:
    def __init__(
        self, house: RequestShell, registry: Registry, presence: Presence, guesses: Guesses, hints: Hints
    ) -> None:
        self._house = house
        self._registry = registry
        self._presence = presence
        self._guesses = guesses
        self._hints = hints

    def decide(self, session: Session, intent: Intent, context: Any = None) -> Outcome:
        match intent:
            case intents.Play():
                return self._play(session, intent)
            case intents.List():
                return self._list(session, intent), None
            case intents.Follow():
                self._know_lobby(session)
                self._house.board.follow(session)
                return Reply(intent, self._now(), listing=self._house.board.encoded()), None
            case intents.Unfollow():
                self._house.board.followers.pop(session, None)
                return Reply(intent, self._now()), None
            case intents.Identify():
                self._house.persons.identify(session, intent, context)
                return None, None
            case intents.Open():
                return self._open(session, intent)
            case intents.OpenUnattended():
                return self._open_unattended(session, intent)
            case intents.Look():
                tables = [self._registry.find(intent.table, session.dialect.game).table.summary]
                return Reply(intent, self._now(), tables=tables), None
            case intents.Reclaim():
                return self._reclaim(session, intent)
            case intents.Join():
                return self._join(session, intent)
            case intents.Seek():
                return self._seek(session, intent)
            case intents.Watch():
                return self._watch(session, intent)
            case intents.Return():
                return self._return(session, intent)
            case intents.Resume():
                return self._resume(session, intent)
            case intents.Detach():
                self._presence.vacate(session)
                return Reply(intent, self._now()), None
            case intents.Later():
                self._house.later(self._now() + ms(intent.seconds), lambda: self._house.perform(session, intent.intent))
                return Reply(intent, self._now()), None
            case intents.HangUp():
                self._house.send(session, Hangup(1000))
                return Reply(intent, self._now()), None
            case intents.Leave():
                return self._leave(session, intent)
            case intents.Hint():
                return self._hint(session, intent)
            case intents.Say() | intents.Sound() | intents.Invite():
                return self._mention(session, intent)
            case intents.Act():
                return self._act(session, intent, context)
        raise Refused("unknown", "nobody knows how to do that")

    def _play(self, session: Session, intent: intents.Play) -> Outcome:
        room, seat = self._whereabouts(session, intent)
        table = room.table
        found = decisions.move(table, seat, intent)
        try:
            batch = room.record(found, session) if found else room.tail
        except Illegal as illegal:
            raise Refused(illegal.code, illegal.sentence, illegal.data, table.game) from None
        return Reply(intent, table.at, place=Place(table, seat)), batch

    def _act(self, session: Session, intent: intents.Act, context: Any) -> Outcome:
        room, seat = self._whereabouts(session, intent)
        table = room.table
        found = decisions.decide(table, seat, intent, self._luck(table), session.dialect.anybody_starts)
        if isinstance(intent, intents.AddBots):
            self._registry.limits.check_new_bots(room.opener, len(found))
            if intent.count > BOTS_AT_ONCE:
                room.record(found[:BOTS_AT_ONCE], session)
                self._add_more_bots(session, intent, context)
                return None, None
        batch = room.record(found, session) if found else room.tail
        if isinstance(intent, intents.Bench) and not intent.open:
            self._clear_bench(room)
            batch = room.tail
        return self._reply(intent, Place(table, seat)), batch

    def _hint(self, session: Session, intent: intents.Hint) -> Outcome:
        room, seat = self._whereabouts(session, intent)
        self._hints.begin(session, room, seat, intent)
        return self._reply(intent, Place(room.table, seat)), room.tail

    def _add_more_bots(self, session: Session, intent: intents.AddBots, context: Any) -> None:
        """The others after the first ones: everybody at the table is told of each, which takes a while. The last of
        them are answered for all."""
        more = msgspec.structs.replace(intent, count=intent.count - BOTS_AT_ONCE)

        def go_on() -> bool:
            self._house.perform(session, intents.Asked(more, context))
            return False

        session.go_on(go_on)

    def _mention(self, session: Session, intent: intents.Say | intents.Sound | intents.Invite) -> Outcome:
        """What is said or heard, and written down nowhere."""
        room, seat = self._whereabouts(session, intent)
        table, now = room.table, max(self._now(), room.table.at)
        if isinstance(intent, intents.Sound):
            room.record([rulings.sounded(table, seat, intent.sound, now)], session)
        elif isinstance(intent, intents.Invite):
            if seat is not None:
                room.record([entries.Invited(seat.number, intent.user)], session)
        else:
            said = rulings.said(table, seat, intent.text, session.person)
            if not (session.may_say(now) and table.soft.chat.has_room(1 + len(room.sessions), now)):
                raise Refused("too_fast", "not so fast: others want to read it, too")
            if said is not None:
                room.record([said], session)
        return self._reply(intent, Place(table, seat)), None

    def _clear_bench(self, room: Room) -> None:
        """Send all spectators away."""
        for other in room.sessions[:]:
            if other.place is not None and other.place.seat is None:
                self._presence.vacate(other)

    def _list(self, session: Session, intent: intents.List) -> Reply:
        if intent.table is None:
            self._know_lobby(session)
        if intent.table is None and session.dialect.game is None:
            return Reply(intent, self._now(), listing=self._house.board.encoded(intent.game))
        if intent.table is None:
            return Reply(intent, self._now(), tables=self._house.listed(intent.game))
        try:
            tables = [self._registry.find(intent.table, session.dialect.game).table.summary]
        except Refused as refusal:
            there = isinstance(refusal, Stale) or (refusal.code == "unavailable" and session.dialect.game is None)
            if there or (isinstance(refusal, Unknown) and self._house.seeks(session, refusal)):
                raise
            tables = []
        return Reply(intent, self._now(), tables=tables)

    def _know_lobby(self, session: Session) -> None:
        """Where there are other nodes, what they have opened a moment ago has to be read first."""
        unknown = Unknown(LOBBY)
        if self._house.seeks(session, unknown):
            raise unknown

    def _open(self, session: Session, intent: intents.Open) -> Outcome:
        if intent.lesson:
            return self._open_lesson(session, intent)
        room, dialect, settings = self._new_room(intent.game, session), session.dialect, self._house.settings
        game = room.table.game
        if intent.rig is not None and not settings.rigging:
            raise Refused("forbidden", "nobody can fix the luck of a table here")
        code = keeps = level = None
        # Clients of the games' own protocols know of no password for looking on.
        private = intent.password != "" and dialect.game is None
        kind, seekers = "", 0
        if isinstance(intent, intents.OpenAs):
            code, keeps, kind = intent.code, intent.keeps, intent.kind
            seekers, level = intent.seekers, intent.level
            if code is not None and self._registry.has_code(intent.game, code):
                raise Refused("code_taken", "there is such a table already")
        host = self._newcomer(session, intent, game)
        self._seat(room, session, host.token)
        title = intent.name
        if title.strip():
            title = self._called(session, title, names.of_table(title))
        found = rulings.opened(
            game,
            title,
            intent.seats,
            {**self._usual(game, session), **intent.options},
            intent.password,
            host,
            self._luck(room.table),
            code=code or self._registry.new_code(),
            keeps=None if keeps is None else ms(keeps),
            rig=intent.rig,
            lobby=Lobby(
                intent.auto_start,
                intent.countdown,
                intent.listed,
                private,
                kind,
                rated=_rated(intent),
                seekers=seekers,
                level=level,
            ),
        )
        self._registry.add(room, session.address)
        batch = room.record(found)
        return self._reply(intent, Place(room.table, room.table.seats[0]), host.token), batch

    def _usual(self, game: AnyGame, session: Session) -> dict[str, Any]:
        """The options of a table of which nothing else is said."""
        usual = game.usual if session.dialect.game is None else session.dialect.usual
        return {**usual, **self._house.settings.options.get(game.name, {})}

    def _open_lesson(self, session: Session, intent: intents.Open) -> Outcome:
        """A table for one, where the game begins at once."""
        room = self._new_room(intent.game, session)
        game = room.table.game
        host = self._newcomer(session, intent, game)
        title = self._called(session, intent.name, names.of_table(intent.name)) if intent.name.strip() else ""
        found = rulings.taught(game, intent, title, host, self._registry.new_code())
        _, _, *bots = found
        self._registry.limits.check_new_bots(session.address, len(bots))
        self._seat(room, session, host.token)
        self._registry.add(room, session.address)
        room.record(found)
        batch = room.record(rulings.launched(room.table, self._luck(room.table)))
        return self._reply(intent, Place(room.table, room.table.seats[0]), host.token), batch

    def _newcomer(self, session: Session, intent: intents.Open | intents.Join, game: AnyGame) -> rulings.Newcomer:
        dialect = session.dialect
        name = self._called(session, intent.player, names.of_person(intent.player, game))
        self._house.persons.check(session.person)
        # Who has taken a seat and can't stay, as by an HTTP request, is waited for.
        until = None if dialect.attends else self._now() + ms(self._house.settings.lobby_grace)
        return rulings.Newcomer(
            name,
            dialect.token or keys.new_id(),
            dialect.handle,
            dialect.by_name,
            dialect.user,
            until,
            intent.avatar,
            dialect.unhurried,
            dialect.client,
            dialect.can_host,
            dialect.marks_ready,
            session.person,
        )

    @staticmethod
    def _called(session: Session, said: str, tidy: str) -> str:
        """Clients of a game's own protocol look for their own names in what they are told: those stay as they were."""
        return tidy if session.dialect.game is None else said

    def _open_unattended(self, session: Session, intent: intents.OpenUnattended) -> Outcome:
        room = self._new_room(intent.game, session)
        game, code = room.table.game, self._registry.new_code()
        drawn, keeps = self._luck(room.table), ms(intent.keeps)
        found = rulings.opened(game, "", intent.seats, intent.options, "", None, drawn, code=code, keeps=keeps)
        self._registry.add(room, session.address)
        batch = room.record(found)
        return Reply(intent, self._now(), tables=[room.table.summary]), batch

    def _game(self, name: str) -> AnyGame:
        game = self._house.games.get(name)
        if game is None:
            raise Refused("no_such_game", f"there is no game {name!r} here")
        return game

    def _new_room(self, name: str, session: Session) -> Room:
        game = self._game(name)
        self._registry.check_new_table(session.address)
        return self._house.new_room(Table(keys.new_id(), game))

    def _seek(self, session: Session, intent: intents.Seek) -> Outcome:
        """Sit down where others wait for players, or where others will be sent to."""
        game = self._game(intent.game)
        if not session.sought:
            self._know_lobby(session)
        usual = rulings.checked(game, self._usual(game, session))
        tables = self._house.listed(game.name)
        level = _level(session, game) if seeking.crowded(tables) else None
        here = None if session.place is None else session.place.table
        possible = [table for table in tables if table.id != here and manners.may_meet(session.visitor, table)]
        found = seeking.fitting(possible, game, usual, level)
        elsewhere = Unknown(*[table.id for table in found[:FETCHED] if table.id not in self._registry.rooms])
        if elsewhere.names and self._house.seeks(session, elsewhere):
            raise elsewhere
        for table in found:
            name = intent.player
            if game.customs.names == "unique":
                name = names.distinct(name, {names.folded(player.name) for player in table.players}, game)
            try:
                return self._join(session, seeking.joining(intent, table, name), ready=True)
            except Stale as stale:
                if stale.room.unanswered is not None:  # it is known in a moment
                    raise
            except Refused:
                pass  # another may let them sit down, or tells the reason
        return self._open(session, seeking.opening(intent, tables, game, usual, level))

    def _join(self, session: Session, intent: intents.Join, ready: bool = False) -> Outcome:
        room = self._registry.find(intent.table, session.dialect.game)
        newcomer = self._newcomer(session, intent, room.table.game)
        token, secret = newcomer.token, keys.digest(newcomer.token)
        if newcomer.user is not None and secret in room.table.by_token:
            return self._come_back(session, intent, room, room.table.by_token[secret], token)
        manners.welcome(session.visitor, room.table)
        with self._guesses.priced(session.address, room.table):
            found = rulings.joined(room.table, newcomer, intent.password, ready)
        self._seat(room, session, token)
        room.record(found, session)
        # The answer shows the table as it is: somebody may have begun the game because the newcomer is there.
        return self._reply(intent, Place(room.table, room.table.by_token[secret]), token), room.tail

    def _seat(self, room: Room, session: Session, token: str) -> None:
        """Somebody is about to sit down: remember from where, if there are not too many from there already."""
        self._registry.limits.check_new_seat(session.address)
        room.holders[keys.digest(token)] = session.address

    def _watch(self, session: Session, intent: intents.Watch) -> Outcome:
        room = self._registry.find(intent.table, session.dialect.game)
        manners.welcome(session.visitor, room.table)
        with self._guesses.priced(session.address, room.table) if room.table.lobby.private else nullcontext():
            watched = rulings.watched(room.table, intent.password)
        room.record([watched], session)
        return self._reply(intent, Place(room.table, None)), room.tail

    def _return(self, session: Session, intent: intents.Return) -> Outcome:
        room = self._registry.find(intent.table, session.dialect.game)
        seat = _seat_of(session, room.table, intent.token)
        if seat is None and intent.token is None:
            raise Refused("no_such_seat", "you have no seat at this table")
        if seat is None:
            raise Refused("no_such_seat", "that is not the secret of a seat at this table")
        return self._come_back(session, intent, room, seat, intent.token, intent.avatar)

    def _come_back(
        self, session: Session, intent: Intent, room: Room, seat: Seat, token: str | None, avatar: str | None = None
    ) -> Outcome:
        if seat.kicked:
            raise Refused("kicked", "you have been thrown out of this game")
        self._house.persons.check(seat.person)
        entered = self._presence.take_back(session, room, seat, avatar)
        place = Place(room.table, seat)
        return Reply(intent, self._now(), place=place, token=token, entered=entered), room.tail

    def _resume(self, session: Session, intent: intents.Resume) -> Outcome:
        token = session.dialect.token
        assert token is not None
        secret = keys.digest(token)
        room, rival = self._registry.by_token.get(secret), self._presence.bearer(secret)
        seat = None if room is None else room.table.by_token.get(secret)
        if room is None:
            unknown = Unknown(token_name(secret))
            if self._house.seeks(session, unknown):
                raise unknown
        if seat is None and rival is None and not intent.known:
            raise Refused("no_such_seat", "nobody knows that secret")
        if room is not None and room.stale:
            raise Stale(room)
        self._presence.set_token(session, secret)
        # A seat that goes with its connection is not there any more, unless a game has been played.
        if seat is None or seat.kicked or (seat.bound and room is not None and room.table.state is None):
            room = seat = None
        if rival not in (None, session) and (room is None or seat is None or rival not in room.connections(seat)):
            assert rival is not None
            self._presence.vacate(rival)
            self._house.post(rival, rival.dialect.on_replaced())
        if room is None or seat is None:
            return Reply(intent, self._now()), None
        self._presence.take_back(session, room, seat)
        return self._reply(intent, Place(room.table, seat)), room.tail

    def _reclaim(self, session: Session, intent: intents.Reclaim) -> Outcome:
        room = self._registry.find(intent.table, session.dialect.game)
        table = room.table
        seat = next((seat for seat in table.seats.values() if seat.human and seat.name == intent.player), None)
        if seat is None or table.game.customs.names != "unique":
            raise Refused("no_such_player", "nobody of that name is at the table")
        if seat.present:
            raise Refused("connected", "they are there")
        known = intent.token is not None and keys.digest(intent.token) == seat.token
        if not known and not (intent.by_name and seat.by_name):
            raise Refused("bad_token", "that is not the secret of the seat")
        place = Place(table, seat)
        room.attach(session, place)  # before it happens: they are told of their own return like everybody else
        try:
            batch = room.record(rulings.back(table, seat), session)
        except Exception:
            room.detach(session)
            raise
        return self._reply(intent, place, intent.token), batch

    def _leave(self, session: Session, intent: intents.Leave) -> Outcome:
        room, seat = self._whereabouts(session, intent)
        if seat is None:
            self._presence.vacate(session)
            return Reply(intent, self._now()), room.tail
        if seat.kicked:
            raise Refused("kicked", "you have no seat in this game any more")
        batch = room.record(rulings.left(room.table, seat, closes=session.dialect.ends_with_host), session)
        for other in room.connections(seat):
            room.detach(other)
        return Reply(intent, self._now()), batch

    def _whereabouts(self, session: Session, intent: intents.Act) -> tuple[Room, Seat | None]:
        """The table, and the seat somebody acts from: the connection's own, or the one whose secret they know."""
        if intent.table is not None:
            room = self._registry.find(intent.table, session.dialect.game)
            return room, _seat_of(session, room.table, intent.token)
        place = session.place
        if place is None:
            raise Refused("not_seated", "you are at no table")
        room = self._registry.find(place.table, session.dialect.game)
        return room, None if place.seat is None else room.table.seats[place.seat]

    def room_of(self, session: Session, intent: Intent) -> Room | None:
        """The room that a request is about, if it is here and can go on."""
        table = getattr(intent, "table", None)
        if isinstance(intent, intents.Act) and table is None and session.place is not None:
            table = session.place.table
        try:
            return None if table is None else self._registry.find(table, session.dialect.game)
        except Refused:
            return None

    def _now(self) -> int:
        return self._house.time.now()

    def _luck(self, table: Table) -> rulings.Luck:
        return luck.draw(table, self._house.settings)

    def _reply(self, intent: Intent, place: Place, token: str | None = None) -> Reply:
        return Reply(intent, self._now(), place=place, token=token)


def _rated(intent: intents.Open) -> bool:
    """Whether the games of a new table count for ratings: among friends they don't, unless somebody says so."""
    return intent.listed and not intent.password if intent.rated is None else intent.rated


def _level(session: Session, game: AnyGame) -> float:
    """How well somebody plays, as far as that is known."""
    visitor = session.visitor
    return seeking.NEWCOMER if visitor is None else visitor.levels.get(game.name, seeking.NEWCOMER)


def _seat_of(session: Session, table: Table, token: str | None) -> Seat | None:
    """The seat that this is the secret of; without one, the seat of the person who is there, rather one that nobody is
    connected to."""
    if token is not None or session.visitor is None:
        return table.by_token.get(keys.digest(token or ""))
    person = session.visitor.person
    own = [seat for seat in table.seats.values() if seat.human and seat.person == person]
    return min(own, key=lambda seat: seat.present, default=None)
