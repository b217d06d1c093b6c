"""The house: every table this server knows, who is connected to which, and what they may ask for.

Everything here happens on the event loop and never waits: a request is decided and applied at once, and answered
when the journal has it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

import msgspec
import structlog

from croupier.journal import Append, Journal, Listing
from croupier.kernel import Illegal, Move, Rig
from croupier.kernel.chance import QuickDice
from croupier.tables import entries, error_log, intents, keys, logbook, names, rulings, snapshot
from croupier.tables.board import Board
from croupier.tables.bots import Bots
from croupier.tables.dialect import Deadline, Hangup, HttpResponse, Output
from croupier.tables.entries import AnyEntry
from croupier.tables.guests import Guest, Guests
from croupier.tables.index import Index
from croupier.tables.intents import Intent
from croupier.tables.lobby import Lobby, StandingTables
from croupier.tables.notices import Answer, Listed, Notice, Refused, Replaced
from croupier.tables.place import Place
from croupier.tables.public import public_record
from croupier.tables.purses import Holdings, Purses
from croupier.tables.room import Batch, Room, bots_purse
from croupier.tables.seat import Seat
from croupier.tables.session import Session
from croupier.tables.summary import Summary
from croupier.tables.table import AnyGame, Table
from croupier.tables.timekeeping import Settings, Time, ms
from croupier.tables.turns import Turns

log = structlog.get_logger()

BOTS_AT_ONCE = 8
"""That sit down before others are served."""

Outcome = tuple[Answer | None, Batch | None]
"""An answer, or None if it follows later; and what has to be in the journal before it may be given."""


class House:
    def __init__(
        self, games: Mapping[str, AnyGame], journal: Journal, settings: Settings, time: Time | None = None
    ) -> None:
        self.games = games
        self.journal = journal
        self.settings = settings
        self.time = time or Time()
        self.turns = Turns()
        self.guests = Guests(keys.new_seed())
        """Until the journal is open and has told the secret."""
        self.dice = QuickDice()
        """The bots' luck; the games' own comes from their seeds."""
        self.rooms: dict[str, Room] = {}
        """By table id, oldest first."""
        self.rooms_by_code: Index[tuple[str, str], Room] = Index()
        """By game and short code."""
        self.rooms_by_token: Index[str, Room] = Index()
        """Where somebody has a seat, by the hash of their secret."""
        self.seats = Holdings(settings.max_seats_per_address)
        """Those at tables that wait for players."""
        self.kept = Holdings(settings.max_kept_seats_per_address)
        """Of these, the seats of those who have lost their connection."""
        self.bots = Holdings(settings.max_bots_per_address)
        """By the address from which their tables were opened."""
        self.left_alone: set[str] = set()
        """Open tables whose logs make no sense any more; they stay in the journal as they are."""
        self.entries = 0
        """Sent to the journal since the start, for the metrics."""
        self.ready = False
        self.closing = False
        self.board = Board(self.turns, self._tell_news)
        self._expected: dict[Session, asyncio.TimerHandle] = {}
        """Connections that have to take a place soon."""
        self._sessions_by_token: dict[str, Session] = {}
        """The connections of those who have a secret before they have a seat, by its hash."""
        self._batches = 0
        self._opened = Holdings(settings.max_tables_per_address)
        """The tables, by the address they were opened from."""
        self._payers = Purses(lambda address: bots_purse())
        """What they use of the event loop, by the same."""
        self._guesses = Purses(lambda address: keys.guesses())

    async def open(self) -> None:
        """Bring every table of the journal back to life."""
        self.guests = Guests(await self.journal.secret())
        tables = {listing.id: self._revived(listing) for listing in await self.journal.tables(live=True)}
        found = {id: Bots(table) for id, table in tables.items() if table is not None}
        for id, taken in (await self.journal.snapshots(list(found))).items():
            snapshot.restore(found[id].table, taken)
        async for piece in self.journal.logs({id: bots.table.seq for id, bots in found.items()}):
            bots = found[piece.table]
            table = bots.table
            if table.id in self.left_alone:
                continue
            try:
                for record in piece.records:
                    bots.look_back(*logbook.follow(table, record))
                if piece.error is not None:
                    raise piece.error
            except logbook.Unreadable as error:
                self._leave_alone(table.id, str(error))
            except Exception as error:
                self._leave_alone(table.id, type(error).__name__)
        for bots in found.values():
            table = bots.table
            if table.id not in self.left_alone and (table.seq == 0 or table.phase == "closed"):
                self._leave_alone(table.id, "it is listed as open, and its log is empty or at its end")
            if table.id not in self.left_alone:
                self.rooms[table.id] = Room(self, table, bots)
                self.board.change(table.summary)
        self.time.not_before(max((room.table.at for room in self.rooms.values()), default=0))
        for room in list(self.rooms.values()):
            now = self.now()
            until, absent_until = now + ms(self.settings.restart_grace), now + ms(self.settings.restart_patience)
            try:
                room.record([entries.Resumed(until, absent_until, entries.EDITION)])
                self._clear_out(room)
            except Exception:
                error_log.report("table", "table can't go on after the restart", table=room.table.id)
        self.ready = True

    def _revived(self, listing: Listing) -> Table | None:
        """A table of the journal, whose log is still to be read."""
        if (what := logbook.misfiled(listing)) is not None:
            self._leave_alone(listing.id, what)
            return None
        game = self.games.get(listing.game)
        if game is None:
            log.warning("table of an unknown game is left alone", table=listing.id, game=listing.game)
            return None
        return Table(listing.id, game)

    def _leave_alone(self, id: str, reason: str) -> None:
        self.left_alone.add(id)
        error_log.report("table", "table can't be replayed and is left alone", table=id, reason=reason)

    def _clear_out(self, room: Room) -> None:
        """Where nothing is played yet, seats that go with their connections have not outlived the server."""
        table = room.table
        for seat in list(table.seats.values()):
            if table.phase == "waiting" and (seat.by_name if table.gathering else seat.bound and table.state is None):
                room.record(rulings.left(table, seat, closes=False))

    async def close(self) -> None:
        """Stop, so that everybody can come back to where they were."""
        self.closing = True
        self.ready = False
        await self.journal.close()

    # Connections.

    def connected(self, session: Session) -> None:
        if session.dialect.deadline is not None:
            self._expect(session, session.dialect.deadline, self.now() + ms(session.dialect.deadline.seconds))
        self._process(session, session.dialect.greet)

    def _expect(self, session: Session, deadline: Deadline, due: int) -> None:
        """Look again when the connection should have taken a place."""
        self._expected.pop(session, None)
        if session.place is not None:
            return
        if self.now() >= due:
            session.end(deadline.hangup)
            return
        loop = asyncio.get_running_loop()
        self._expected[session] = loop.call_later(self.time.until(due), self._expect, session, deadline, due)

    def receive(self, session: Session, message: bytes, text: bool) -> None:
        """A message has come in. Whatever it is, it disturbs nobody else."""
        self._process(session, session.dialect.receive, message, text)

    def overlong(self, session: Session) -> None:
        """A message has come in that nobody wants to read."""
        self._process(session, session.dialect.overlong)

    def _process(self, session: Session, said: Callable[..., Iterable[Intent | Output]], *message: Any) -> None:
        try:
            for found in said(*message):
                if isinstance(found, Intent):
                    self.perform(session, found)
                else:
                    self._send(session, found, None)
        except Hangup as hangup:
            session.close(hangup.code, str(hangup))
        except Exception:
            error_log.report("dialect", "dialect failed", dialect=type(session.dialect).__name__)
            session.close(1011, "something went wrong on the server")

    def lost(self, session: Session) -> None:
        """The connection is gone."""
        self.board.followers.pop(session, None)
        expected = self._expected.pop(session, None)
        if expected is not None:
            expected.cancel()
        self._unmask(session)
        if not self.closing:
            self._vacate(session)

    def perform(self, session: Session, intent: Intent) -> None:
        """Carry out what a connection asks for, and answer."""
        old = session.place
        batch: Batch | None = None
        try:
            answer, batch = self._dispatch(session, intent)
        except Refused as refusal:
            answer = Answer(intent, self.now(), refusal.with_traceback(None))  # which would hold on to all of this
        except Exception:
            error_log.report("request", "request failed", request=type(intent).__name__)
            answer = Answer(intent, self.now(), Refused("internal", "something went wrong on the server"))
        if answer is None:
            return
        if batch is not None and not batch.done:
            batch.requests.append((session, intent))
        arrived = answer.place if isinstance(intent, intents.Arrival) and session.dialect.attends else None
        if arrived is not None:
            self.rooms[arrived.table].attach(session, arrived)
        try:
            self.post(session, answer, batch)
        except Exception:
            error_log.report("request", "answer failed", request=type(intent).__name__)
            self.post(session, Answer(intent, self.now(), Refused("internal", "something went wrong on the server")))
        if arrived is not None and old is not None:
            self._give_up(session, old, isinstance(intent, intents.Open | intents.Join))

    def post(self, session: Session, notice: Notice, after: Batch | None = None) -> None:
        """Tell one connection something, in its turn: not before ``after`` is safe, not before what it waits for."""
        for out in session.dialect.notify(notice):
            if isinstance(out, Intent):
                self.perform(session, out)
            else:
                self._send(session, out, after)

    def end(self, session: Session, last: Hangup | HttpResponse) -> None:
        """Say what nothing follows; some of it in a while."""
        if isinstance(last, Hangup) and last.after > 0:
            self.later(self.now() + ms(last.after), lambda: session.end(last))
        else:
            session.end(last)

    def later(self, due: int, action: Callable[[], None]) -> None:
        """Do something at that time of the tables."""

        def look() -> None:
            if self.closing:
                return
            if self.now() >= due:
                action()
            else:
                asyncio.get_running_loop().call_later(self.time.until(due), look)

        look()

    def _send(self, session: Session, out: Output, after: Batch | None) -> None:
        tail, needs = session.tail, after
        if after is None or (tail is not None and tail.number > after.number):
            after = tail
        if after is not None and not after.done:
            session.tail = after
            after.queue(session, out, needs)
        elif isinstance(out, bytes):
            session.send(out)
        else:
            self.end(session, out)

    def _vacate(self, session: Session) -> None:
        """The connection serves no place any more."""
        old, session.place = session.place, None
        if old is not None:
            self._give_up(session, old)

    def _give_up(self, session: Session, old: Place, taken: bool = False) -> None:
        """A connection has gone from this place: it is lost, or has another place now. ``taken``: a new seat."""
        room = self.rooms.get(old.table)
        if room is None:
            return
        if session.place is None or session.place.table != old.table:
            room.sessions.remove(session)
        seat = room.table.seats.get(old.seat) if old.seat is not None else None
        if old.seat is None:
            room.mention(entries.Unwatched())
        elif seat is not None and old.holds(seat) and seat.present and not room.attended(seat):
            room.record(self._absence(session, room.table, seat, taken))

    def _absence(self, session: Session, table: Table, seat: Seat, taken: bool) -> Iterable[AnyEntry]:
        dialect = session.dialect
        moved_on = session.place is not None and dialect.one_table
        # Nobody holds the seats of several tables that wait for players; and some protocols' seats go with the line.
        # Who joins and hangs up, again and again, would keep all seats of the house.
        fleeting = taken or not dialect.keeps_seat or self.kept.full(session.address)
        fleeting = fleeting and table.phase == "waiting" and not table.lingers
        if moved_on or fleeting:
            return rulings.left(table, seat, closes=dialect.ends_with_host)
        if table.phase == "waiting":
            wait = self.settings.lobby_grace
        else:
            wait = self.settings.patience if dialect.patience is None else dialect.patience
        return rulings.absent(table, seat, self.now() + ms(wait))

    # Requests.

    def _dispatch(self, session: Session, intent: Intent) -> Outcome:
        match intent:
            case intents.Play():
                return self._play(session, intent)
            case intents.List():
                return self._list(session, intent), None
            case intents.Follow():
                self.board.follow(session)
                return Answer(intent, self.now(), listing=self.board.encoded()), None
            case intents.Unfollow():
                self.board.followers.pop(session, None)
                return Answer(intent, self.now()), None
            case intents.Open():
                return self._open(session, intent)
            case intents.OpenUnattended():
                return self._open_unattended(session, intent)
            case intents.Look():
                tables = [self._room(intent.table, session).table.summary]
                return Answer(intent, self.now(), tables=tables), None
            case intents.Reclaim():
                return self._reclaim(session, intent)
            case intents.Join():
                return self._join(session, intent)
            case intents.Watch():
                return self._watch(session, intent)
            case intents.Return():
                return self._return(session, intent)
            case intents.Resume():
                return self._resume(session, intent)
            case intents.Detach():
                self._vacate(session)
                return Answer(intent, self.now()), None
            case intents.Later():
                self.later(self.now() + ms(intent.seconds), lambda: self.perform(session, intent.intent))
                return Answer(intent, self.now()), None
            case intents.HangUp():
                self._send(session, Hangup(1000), None)
                return Answer(intent, self.now()), None
            case intents.Leave():
                return self._leave(session, intent)
            case intents.Say() | intents.Sound():
                return self._mention(session, intent)
            case intents.Act():
                return self._act(session, intent)
        raise Refused("unknown", "nobody knows how to do that")

    def _play(self, session: Session, intent: intents.Play) -> Outcome:
        room, seat = self._whereabouts(session, intent)
        table = room.table
        if seat is not None and intent.key in seat.move_keys:  # its answer was lost, and it may have been the last one
            return self._answer(intent, Place(table, seat)), room.tail
        if table.phase != "playing":
            raise Refused("not_started", "no game is being played at this table")
        if seat is None or seat.kicked:
            raise Refused("not_seated", "you have no seat in this game")
        if seat.stood_in:
            raise Refused("stood_in", "a bot plays for you: take your seat back first")
        move = intent.move
        if not isinstance(move, Move):
            try:
                move = table.game.understand(move)
            except (msgspec.ValidationError, RecursionError) as error:
                raise Refused("bad_move", str(error)) from None
        try:
            batch = room.record([entries.Moved(seat.number, move, key=intent.key)], session)
        except Illegal as illegal:
            raise Refused(illegal.code, illegal.sentence, illegal.data, table.game) from None
        return Answer(intent, table.at, place=Place(table, seat)), batch

    def _act(self, session: Session, intent: intents.Act) -> Outcome:
        room, seat = self._whereabouts(session, intent)
        table = room.table
        match intent:
            case intents.See():
                found = []
            case intents.Start():
                found = rulings.started(table, seat, self.luck(table), session.dialect.anybody_starts)
            case intents.Reopen():
                found = rulings.reopened(table, seat, self.luck(table))
            case intents.Ready():
                found = rulings.readied(table, seat, intent.ready)
            case intents.Recognise():
                known = seat is None or seat.client == intent.client
                found = [] if known or seat is None else [entries.Recognised(seat.number, intent.client)]
            case intents.Invite():
                found = [] if seat is None else [entries.Invited(seat.number, intent.user)]
            case intents.ConfigureLobby():
                found = rulings.configured(table, seat, intent.options, intent.lobby)
            case intents.Configure():
                found = rulings.configured(table, seat, intent.options)
            case intents.AddBots():
                found = rulings.bots_added(table, seat, intent.bot, intent.count)
                self._may_seat_bots(room, len(found))
                if intent.count > BOTS_AT_ONCE:
                    room.record(found[:BOTS_AT_ONCE], session)
                    self._add_more_bots(session, intent)
                    return None, None
            case intents.Kick():
                found = rulings.kicked(table, seat, intent.seat)
            case intents.Proceed():
                found = rulings.proceeded(table, seat)
            case intents.Silence():
                found = rulings.silenced(table, seat, intent.seat, intent.silent)
            case intents.Bench():
                return self._bench(session, intent, room, seat)
            case intents.HandOver():
                found = rulings.handed_over(table, seat, intent.seat)
            case _:
                raise Refused("unknown", "nobody knows how to do that")
        batch = room.record(found, session) if found else room.tail
        return self._answer(intent, Place(table, seat)), batch

    def _add_more_bots(self, session: Session, intent: intents.AddBots) -> None:
        """The others after the first ones: everybody at the table is told of each, which takes a while. The last of
        them are answered for all."""
        more = msgspec.structs.replace(intent, count=intent.count - BOTS_AT_ONCE)

        def go_on() -> bool:
            self.perform(session, more)
            return False

        session.go_on(go_on)

    def _mention(self, session: Session, intent: intents.Say | intents.Sound) -> Outcome:
        """What is said or heard, and written down nowhere."""
        room, seat = self._whereabouts(session, intent)
        table, now = room.table, max(self.now(), room.table.at)
        if isinstance(intent, intents.Sound):
            room.mention(rulings.sounded(table, seat, intent.sound, now), session)
        else:
            said = rulings.said(table, seat, intent.text)
            if not (session.may_say(now) and table.soft.purse.pay(1 + len(room.sessions), now)):
                raise Refused("too_fast", "not so fast: others want to read it, too")
            if said is not None:
                room.mention(said, session)
        return self._answer(intent, Place(table, seat)), None

    def _bench(self, session: Session, intent: intents.Bench, room: Room, seat: Seat | None) -> Outcome:
        found = rulings.benched(room.table, seat, intent.open)
        if found:
            room.record(found, session)
        if not intent.open:
            for other in room.sessions[:]:
                if other.place is not None and other.place.seat is None:
                    self._vacate(other)
        return self._answer(intent, Place(room.table, seat)), room.tail

    def _list(self, session: Session, intent: intents.List) -> Answer:
        if intent.table is None and session.dialect.game is None:
            return Answer(intent, self.now(), listing=self.board.encoded(intent.game))
        if intent.table is None:
            return Answer(intent, self.now(), tables=self.listed(intent.game))
        try:
            tables = [self._room(intent.table, session).table.summary]
        except Refused:
            tables = []
        return Answer(intent, self.now(), tables=tables)

    def _open(self, session: Session, intent: intents.Open) -> Outcome:
        room, dialect, settings = self._new_room(intent.game, session), session.dialect, self.settings
        game = room.table.game
        if intent.rig is not None and not settings.rigging:
            raise Refused("forbidden", "nobody can fix the luck of a table here")
        code = keeps = guest = None
        # Clients of the games' own protocols know of no password for looking on.
        lobby = Lobby(listed=intent.listed, private=intent.password != "" and dialect.game is None)
        if isinstance(intent, intents.OpenAs):
            code, keeps, lobby, guest = intent.code, intent.keeps, intent.lobby, intent.guest
            if (intent.game, code) in self.rooms_by_code:
                raise Refused("code_taken", "there is such a table already")
        host = self._newcomer(session, intent, guest, game)
        self._seat(room, session, host)
        title = intent.name
        if title.strip():
            title = self._called(session, title, names.of_table(title))
        usual = game.usual if dialect.game is None else dialect.usual
        found = rulings.opened(
            game,
            title,
            intent.seats,
            {**usual, **settings.options.get(game.name, {}), **intent.options},
            intent.password,
            host,
            self.luck(room.table),
            code=code or self._new_code(game),
            keeps=None if keeps is None else ms(keeps),
            rig=intent.rig,
            lobby=lobby,
        )
        self._keep(room, session)
        batch = room.record(found)
        return self._answer(intent, Place(room.table, room.table.seats[0]), host.token), batch

    def _newcomer(
        self, session: Session, intent: intents.Open | intents.Join, guest: Guest | None, game: AnyGame
    ) -> rulings.Newcomer:
        dialect, avatar = session.dialect, intent.avatar
        name = self._called(session, intent.player, names.of_person(intent.player, game))
        # Who has taken a seat and can't stay, as by an HTTP request, is waited for.
        until = None if dialect.attends else self.now() + ms(self.settings.lobby_grace)
        can_host = dialect.can_host
        if guest is not None:
            return rulings.Newcomer(name, guest.token, user=guest.id, until=until, avatar=avatar, can_host=can_host)
        return rulings.Newcomer(
            name,
            dialect.token or keys.new_id(),
            dialect.handle,
            dialect.by_name,
            None,
            until,
            avatar,
            dialect.unhurried,
            dialect.client,
            can_host,
        )

    @staticmethod
    def _called(session: Session, said: str, tidy: str) -> str:
        """Clients of a game's own protocol look for their own names in what they are told: those stay as they were."""
        return tidy if session.dialect.game is None else said

    def _open_unattended(self, session: Session, intent: intents.OpenUnattended) -> Outcome:
        room = self._new_room(intent.game, session)
        game, code = room.table.game, self._new_code(room.table.game)
        luck, keeps = self.luck(room.table), ms(intent.keeps)
        found = rulings.opened(game, "", intent.seats, intent.options, "", None, luck, code=code, keeps=keeps)
        self._keep(room, session)
        batch = room.record(found)
        return Answer(intent, self.now(), tables=[room.table.summary]), batch

    def _new_room(self, name: str, session: Session) -> Room:
        game = self.games.get(name)
        if game is None:
            raise Refused("no_such_game", f"there is no game {name!r} here")
        if len(self.rooms) >= self.settings.max_tables:
            raise Refused("house_full", "there are too many tables already; try again later")
        if self._opened.full(session.address):
            raise Refused("house_full", "too many tables have been opened from your address; try again later")
        return Room(self, Table(keys.new_id(), game))

    def _may_seat_bots(self, room: Room, count: int) -> None:
        if room.opener is not None and self.bots.full(room.opener, count):
            raise Refused(
                "house_full", "too many bots are at tables that were opened from your address; try again later"
            )

    def _seat(self, room: Room, session: Session, newcomer: rulings.Newcomer) -> None:
        """Somebody is about to sit down: remember from where, if there are not too many from there already."""
        if self.seats.full(session.address):
            raise Refused("house_full", "too many seats are held from your address; try again later")
        room.holders[keys.digest(newcomer.token)] = session.address

    def open_for_bots(self, game: AnyGame) -> Room | None:
        """A table that nobody has asked for, if there is room for one: somebody has to sit down there at once."""
        if len(self.rooms) >= self.settings.max_tables:
            return None
        room = Room(self, Table(keys.new_id(), game))
        options, keeps = self.settings.options.get(game.name, {}), ms(self.settings.idle_after)
        self.rooms[room.table.id] = room
        luck, code = self.luck(room.table), self._new_code(game)
        room.record(rulings.opened(game, "", None, options, "", None, luck, code=code, keeps=keeps))
        return room

    def _keep(self, room: Room, session: Session) -> None:
        self.rooms[room.table.id] = room
        room.opener = session.address
        room.payer = self._payers.of(session.address)
        self._opened.enter(room, (session.address,))

    def let_go(self, room: Room) -> None:
        """There is no such table any more."""
        self.rooms.pop(room.table.id, None)
        self._opened.enter(room, ())

    def _new_code(self, game: AnyGame) -> str:
        """One that no open table of the game has."""
        while (game.name, code := keys.new_code()) in self.rooms_by_code:
            pass
        return code

    def _join(self, session: Session, intent: intents.Join) -> Outcome:
        room = self._room(intent.table, session)
        guest = intent.guest if isinstance(intent, intents.JoinAs) else None
        newcomer = self._newcomer(session, intent, guest, room.table.game)
        token, secret = newcomer.token, keys.digest(newcomer.token)
        if guest is not None and secret in room.table.by_token:
            return self._come_back(session, intent, room, room.table.by_token[secret], token)
        with self._priced(session, room.table):
            found = rulings.joined(room.table, newcomer, intent.password)
        self._seat(room, session, newcomer)
        room.record(found, session)
        # The answer shows the table as it is: somebody may have begun the game because the newcomer is there.
        return self._answer(intent, Place(room.table, room.table.by_token[secret]), token), room.tail

    @contextmanager
    def _priced(self, session: Session, table: Table) -> Iterator[None]:
        """A wrong password has its price, by address: some are free, and then they have to wait."""
        if table.password is not None and not self.may_guess(session.address):
            raise Refused("bad_password", keys.TOO_MANY_GUESSES)
        try:
            yield
        except Refused as refusal:
            if refusal.code == "bad_password":
                self.guessed(session.address)
            raise

    def _watch(self, session: Session, intent: intents.Watch) -> Outcome:
        room = self._room(intent.table, session)
        with self._priced(session, room.table) if room.table.lobby.private else nullcontext():
            watched = rulings.watched(room.table, intent.password)
        room.mention(watched, session)
        return self._answer(intent, Place(room.table, None)), room.tail

    def _return(self, session: Session, intent: intents.Return) -> Outcome:
        room = self._room(intent.table, session)
        seat = room.table.by_token.get(keys.digest(intent.token))
        if seat is None:
            raise Refused("no_such_seat", "that is not the secret of a seat at this table")
        return self._come_back(session, intent, room, seat, intent.token, intent.avatar)

    def _come_back(
        self, session: Session, intent: Intent, room: Room, seat: Seat, token: str, avatar: str | None = None
    ) -> Outcome:
        if seat.kicked:
            raise Refused("kicked", "you have been thrown out of this game")
        entered = self._take_back(session, room, seat, avatar)
        place = Place(room.table, seat)
        return Answer(intent, self.now(), place=place, token=token, entered=entered), room.tail

    def _resume(self, session: Session, intent: intents.Resume) -> Outcome:
        token = session.dialect.token
        assert token is not None
        secret = keys.digest(token)
        room, rival = self.rooms_by_token.get(secret), self._sessions_by_token.get(secret)
        seat = None if room is None else room.table.by_token.get(secret)
        if seat is None and rival is None and not intent.known:
            raise Refused("no_such_seat", "nobody knows that secret")
        if room is not None and room.stale:
            raise Refused("unavailable", "your table can't go on just now; try again in a moment")
        self._unmask(session)
        self._sessions_by_token[secret] = session
        session.secret = secret
        # A seat that goes with its connection is not there any more, unless a game has been played.
        if seat is None or seat.kicked or (seat.bound and room is not None and room.table.state is None):
            room = seat = None
        if rival not in (None, session) and (room is None or seat is None or rival not in room.connections(seat)):
            assert rival is not None
            self._vacate(rival)
            self.post(rival, Replaced())
        if room is None or seat is None:
            return Answer(intent, self.now()), None
        self._take_back(session, room, seat)
        return self._answer(intent, Place(room.table, seat)), room.tail

    def _unmask(self, session: Session) -> None:
        """Whoever was at the connection is not any more."""
        if session.secret is not None and self._sessions_by_token.get(session.secret) is session:
            del self._sessions_by_token[session.secret]

    def _take_back(self, session: Session, room: Room, seat: Seat, avatar: str | None = None) -> bool:
        """The seat's connection is this one now. Returns whether it had none that counts."""
        attends, handle = session.dialect.attends, session.dialect.handle
        for other in room.connections(seat):
            if other is not session and other.dialect.attends & attends:
                room.detach(other)
                self.post(other, Replaced(), room.tail)
        # Whoever is awaited may have noticed before us that the line was dead.
        interrupted = room.table.alone is None and room.table.excusable(seat) is not None
        entered = room.table.attended in attends and (not seat.present or seat.stood_in or interrupted)
        if entered or handle not in (None, seat.handle) or avatar not in (None, seat.avatar):
            room.record(rulings.back(room.table, seat, handle, None if avatar == seat.avatar else avatar))
        return entered

    def _reclaim(self, session: Session, intent: intents.Reclaim) -> Outcome:
        room = self._room(intent.table, session)
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
        return self._answer(intent, place, intent.token), batch

    def _leave(self, session: Session, intent: intents.Leave) -> Outcome:
        room, seat = self._whereabouts(session, intent)
        if seat is None:
            self._vacate(session)
            return Answer(intent, self.now()), room.tail
        if seat.kicked:
            raise Refused("kicked", "you have no seat in this game any more")
        batch = room.record(rulings.left(room.table, seat, closes=session.dialect.ends_with_host), session)
        for other in room.connections(seat):
            room.detach(other)
        return Answer(intent, self.now()), batch

    def _answer(self, intent: Intent, place: Place, token: str | None = None) -> Answer:
        return Answer(intent, self.now(), place=place, token=token)

    def _room(self, id: str, session: Session) -> Room:
        room = self.rooms.get(id) or self._coded(id, session.dialect.game)
        if id in self.left_alone:
            raise Refused("unavailable", "the table can't be read any more; it is kept as it is")
        if room is None or session.dialect.game not in (None, room.table.game.name):
            raise Refused("no_such_table", "there is no such table, or it is closed")
        if room.stale:
            raise Refused("unavailable", "the table can't go on just now; try again in a moment")
        return room

    def _coded(self, code: str, game: str | None) -> Room | None:
        """The table with this code."""
        games = self.games if game is None else (game,)
        return next((room for name in games if (room := self.rooms_by_code.get((name, code))) is not None), None)

    def _whereabouts(self, session: Session, intent: intents.Act) -> tuple[Room, Seat | None]:
        """The table, and the seat somebody acts from: the connection's own, or the one whose secret they know."""
        if intent.table is not None:
            room = self._room(intent.table, session)
            return room, room.table.by_token.get(keys.digest(intent.token or ""))
        place = session.place
        if place is None:
            raise Refused("not_seated", "you are at no table")
        room = self._room(place.table, session)
        return room, None if place.seat is None else room.table.seats[place.seat]

    def luck(self, table: Table) -> rulings.Luck:
        settings = self.settings
        rig, first = table.rig or settings.rig, settings.first
        if first is not None:
            order = sorted(table.seats, key=lambda number: (number < first, number))
            leads = {"seats": order, "first": order[:1]}
            rig = msgspec.structs.replace(rig or Rig(), orders={**leads, **(rig.orders if rig else {})})
        return settings.seed or keys.new_seed(), rig

    # What rooms need of the house.

    def next_number(self) -> int:
        self._batches += 1
        return self._batches

    def commit(self, append: Append) -> None:
        self.entries += len(append.records)
        self.journal.append(append)

    def _tell_news(self, session: Session, news: Sequence[Listed]) -> None:
        """What has changed in the list of tables, in one piece."""
        outputs = [out for notice in news for out in session.dialect.notify(notice)]
        if session.tail is None or session.tail.done:
            session.send_all([out for out in outputs if isinstance(out, bytes)])
        else:
            for out in outputs:
                assert not isinstance(out, Intent)
                self._send(session, out, None)

    # What anybody may know.

    def now(self) -> int:
        return self.time.now()

    def look(self, table: str) -> Summary | None:
        """A table from outside; None when there is no such, or it is closed."""
        room = self.rooms.get(table)
        return None if room is None else room.table.summary

    def unlocks(self, table: str, password: str, address: str) -> bool:
        room = self.rooms.get(table)
        if room is None:
            return False
        locked = room.table.password
        if locked is None or keys.knows(locked):
            return locked is None or keys.unlocks(password, locked)
        if not self.may_guess(address):
            return False
        right = keys.unlocks(password, locked)
        if not right:
            self.guessed(address)
        return right

    def may_guess(self, address: str) -> bool:
        return self._guesses.of(address).holds(1, self.now())

    def guessed(self, address: str) -> None:
        self._guesses.of(address).charge(1, self.now())

    def standing(self, game: str) -> StandingTables:
        return self.settings.standing.get(game, StandingTables())

    def listed(self, game: str | None = None) -> list[Summary]:
        """The tables that strangers are shown."""
        return [summary for summary in self.summaries(game) if summary.lobby.listed]

    def summaries(self, game: str | None = None) -> list[Summary]:
        return [room.table.summary for room in self.rooms.values() if game is None or room.table.game.name == game]

    async def record(self, id: str) -> bytes | None:
        """A table's public record, in JSON, if it is ready: of those that are open, and of those that were closed
        since it is kept."""
        room = self.rooms.get(id)
        return await self.journal.public(id) if room is None else public_record(room.table)

    async def opening(self, id: str) -> entries.Opened | None:
        """How a table began, open or closed; None when there never was one, or nobody can play its game here."""
        first = await self.journal.first(id)
        try:
            entry = None if first is None else entries.decode(first.entry)
        except msgspec.DecodeError:
            return None
        return entry if isinstance(entry, entries.Opened) and entry.game in self.games else None
