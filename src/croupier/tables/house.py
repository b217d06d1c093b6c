"""The house: every table this server knows, who is connected to which, and the way of a move through all of them.

Everything here happens on the event loop and never waits. A request is decided and applied at once; what it makes
known is held back until the journal says that it is safe (``Batch``). So a table can go on to the next move while
the last one is on its way to the disk, and still nobody hears of anything that could be lost.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Iterator, Mapping

import msgspec
import structlog

from croupier.journal import Append, Journal, Record
from croupier.kernel import Illegal, Move, RandomBot, Result, Rig
from croupier.kernel.chance import QuickDice
from croupier.tables import entries, intents, keys, rulings
from croupier.tables.dialect import Hangup, Message
from croupier.tables.entries import AnyEntry
from croupier.tables.intents import Intent
from croupier.tables.notices import Answer, Fact, Listed, Notice, Refused, Replaced, Resync, Summary
from croupier.tables.place import Place
from croupier.tables.session import Session
from croupier.tables.table import AnyGame, Seat, Table

log = structlog.get_logger()


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How long the house waits for what, in seconds."""

    bot_delay: float = 0.1
    """How long a bot seems to think."""
    lobby_grace: float = 60.0
    """How long a seat at a table that waits for players is kept for somebody who lost the connection."""
    patience: float = 600.0
    """How long a running game waits for the return of the last person, unless their protocol says otherwise."""
    restart_grace: float = 15.0
    """After a restart no clock runs out earlier."""
    restart_patience: float = 120.0
    """After a restart, how long tables wait for anybody to come back."""
    idle_after: float = 86400.0
    """A table at which nothing happens for so long is closed."""
    max_tables: int = 20000
    rig: Rig | None = None
    """For tests only: fixed luck."""
    first: int | None = None
    """For tests only: the place that leads in every game."""
    seed: bytes | None = None
    """For tests only: the seed of every game."""


class Time:
    """The time of all tables, in milliseconds since 1970. Tests may let it run faster."""

    def __init__(self, speed: float = 1.0) -> None:
        self._speed = speed
        self._start = time.time()

    def now(self) -> int:
        return int((self._start + (time.time() - self._start) * self._speed) * 1000)

    def until(self, due: int) -> float:
        """How many real seconds it takes until then."""
        return max(0, due - self.now()) / 1000 / self._speed


class PublicRecord(msgspec.Struct, frozen=True):
    """A table as it is, or was when it was closed."""

    table: Summary
    seq: int
    at: int
    """When something last happened."""
    result: Result | None
    """Of the last game."""
    hash: str
    """Of the game's whole state. It tells nothing to those who don't know the seed, and is the same after a replay."""


class Room:
    """A table and the connections around it."""

    __slots__ = ("due", "ruined", "sessions", "table", "tail", "timer")

    def __init__(self, table: Table) -> None:
        self.table = table
        self.sessions: list[Session] = []
        self.timer: asyncio.TimerHandle | None = None
        self.due = 0
        self.tail: Batch | None = None
        """The last batch on its way to the journal."""
        self.ruined = False
        """What is in memory is not what is in the journal: it is being read again."""

    def session(self, seat: Seat) -> Session | None:
        return next((s for s in self.sessions if s.place is not None and s.place._seat is seat), None)


class Batch(Append):
    """Entries on their way to the journal, and what must not be said before they have arrived."""

    __slots__ = ("_house", "_waiters", "done", "number", "outputs", "requests", "room")

    def __init__(self, house: House, room: Room, number: int) -> None:
        super().__init__(room.table.id, [], None, False)
        self._house = house
        self.room = room
        self.number = number
        self.outputs: list[tuple[Session, Message]] = []
        self.requests: list[tuple[Session, Intent]] = []
        self.done = False
        self._waiters: list[asyncio.Future[None]] = []

    async def waited(self) -> None:
        """Until it is settled, one way or the other."""
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiters.append(waiter)
        await waiter

    def settled(self, error: Exception | None) -> None:
        self.done = True
        for waiter in self._waiters:
            waiter.set_result(None)
        if error is None:
            for session, message in self.outputs:
                session.send(message)
        else:
            self._house.failed(self, error)


class House:
    def __init__(
        self, games: Mapping[str, AnyGame], journal: Journal, settings: Settings, time: Time | None = None
    ) -> None:
        self.games = games
        self.settings = settings
        self.rooms: dict[str, Room] = {}
        """By table id, oldest first."""
        self.moves = 0
        """Made since the start, for the metrics."""
        self.ready = False
        self._time = time or Time()
        self._now = self._time.now
        self._journal = journal
        self._dice = QuickDice()
        self._followers: dict[Session, None] = {}
        self._batches = 0
        self._repairs: set[asyncio.Task[None]] = set()
        self._closing = False

    # Opening and closing the house.

    async def open(self) -> None:
        """Bring every table of the journal back to life."""
        for listing in await self._journal.tables(live=True):
            game = self.games.get(listing.game)
            if game is None:
                log.warning("table of an unknown game is left alone", table=listing.id, game=listing.game)
                continue
            room = Room(Table(listing.id, game))
            try:
                fold(room.table, await self._journal.read(listing.id))
            except Exception:
                log.exception("table can't be replayed and is left alone", table=listing.id, game=listing.game)
                continue
            self.rooms[listing.id] = room
            now = self._now()
            until = now + _ms(self.settings.restart_grace)
            self._record(room, [entries.Resumed(until, now + _ms(self.settings.restart_patience))])
        self.ready = True

    async def close(self) -> None:
        """Stop, so that everybody can come back to where they were."""
        self._closing = True
        for room in self.rooms.values():
            if room.timer is not None:
                room.timer.cancel()
        await self._journal.close()

    # Connections.

    def connected(self, session: Session) -> None:
        for message in session.dialect.greet():
            session.send(message)

    def receive(self, session: Session, message: Message, text: bool) -> None:
        """A message has come in. Whatever it is, it disturbs nobody else."""
        try:
            for wish in session.dialect.receive(message, text):
                if isinstance(wish, Intent):
                    self.perform(session, wish)
                else:
                    self._send(session, wish, None)
        except Hangup as hangup:
            session.close(hangup.code, str(hangup))

    def lost(self, session: Session) -> None:
        """The connection is gone."""
        self._followers.pop(session, None)
        if not self._closing:
            self._vacate(session, session.place)

    def perform(self, session: Session, intent: Intent) -> None:
        """Carry out what a connection asks for, and answer."""
        batch: Batch | None = None
        try:
            answer, batch = self._dispatch(session, intent)
        except Refused as refusal:
            answer = Answer(intent, self._now(), refusal)
        except Illegal as illegal:
            answer = Answer(intent, self._now(), Refused(illegal.code, str(illegal)))
        except Exception:
            log.exception("request failed", request=type(intent).__name__)
            answer = Answer(intent, self._now(), Refused("internal", "something went wrong on the server"))
        old, moved = session.place, answer.place is not None and isinstance(intent, _ARRIVALS)
        if moved and batch is not None:
            self._attach(session, answer.place)
        if batch is not None:
            batch.requests.append((session, intent))
        self._post(session, answer, batch)
        if moved:
            self._vacate(session, old)

    def _dispatch(self, session: Session, intent: Intent) -> tuple[Answer, Batch | None]:
        match intent:
            case intents.Play():
                return self._play(session, intent)
            case intents.List():
                return Answer(intent, self._now(), tables=self.summaries(intent.game)), None
            case intents.Follow():
                self._followers[session] = None
                return Answer(intent, self._now(), tables=self.summaries()), None
            case intents.Unfollow():
                self._followers.pop(session, None)
                return Answer(intent, self._now()), None
            case intents.Open():
                return self._open(intent)
            case intents.Join():
                return self._join(session, intent)
            case intents.Watch():
                room = self._room(intent.table)
                batch = self._record(room, [entries.Watched()], session)
                return self._answer(intent, Place(room.table, None)), batch
            case intents.Return():
                return self._return(intent)
            case intents.Detach():
                old, session.place = session.place, None
                self._vacate(session, old)
                return Answer(intent, self._now()), None
            case intents.Act():
                return self._act(session, intent)
        raise Refused("unknown", "nobody knows how to do that")

    def _act(self, session: Session, intent: intents.Act) -> tuple[Answer, Batch | None]:
        room, seat = self._whereabouts(session, intent)
        table = room.table
        found: list[AnyEntry]
        match intent:
            case intents.See():
                return self._answer(intent, Place(table, seat)), room.tail
            case intents.Start():
                rig, seed = self._luck(table)
                found = rulings.started(table, seat, seed, rig)
            case intents.Configure():
                found = rulings.configured(table, seat, intent.options)
            case intents.AddBots():
                found = rulings.bots_added(table, seat, intent.bot, intent.count)
            case intents.Kick():
                found = rulings.kicked(table, seat, intent.seat)
            case intents.HandOver():
                found = rulings.handed_over(table, seat, intent.seat)
            case intents.Say():
                name = "" if seat is None else seat.name
                found = [entries.Said(None if seat is None else seat.number, name, intent.text)]
            case intents.Leave():
                if seat is None:
                    return self.perform_detach(session, intent)
                found = rulings.left(table, seat, closes=not session.dialect.keeps_seat)
            case _:
                raise Refused("unknown", "nobody knows how to do that")
        batch = self._record(room, found, session) if found else room.tail
        return self._answer(intent, Place(table, seat)), batch

    def perform_detach(self, session: Session, intent: Intent) -> tuple[Answer, Batch | None]:
        """A spectator goes."""
        old, session.place = session.place, None
        self._vacate(session, old)
        return Answer(intent, self._now()), None

    def _open(self, intent: intents.Open) -> tuple[Answer, Batch]:
        game = self.games.get(intent.game)
        if game is None:
            raise Refused("no_such_game", f"there is no game {intent.game!r} here")
        if len(self.rooms) >= self.settings.max_tables:
            raise Refused("house_full", "there are too many tables already; try again later")
        token = keys.new_id()
        found = rulings.opened(game, intent.name, intent.seats, intent.options, intent.password, intent.player, token)
        table = Table(keys.new_id(), game)
        room = self.rooms[table.id] = Room(table)
        batch = self._record(room, found)
        return self._answer(intent, Place(table, table.seats[0]), token), batch

    def _join(self, session: Session, intent: intents.Join) -> tuple[Answer, Batch]:
        room = self._room(intent.table)
        token = keys.new_id()
        batch = self._record(room, rulings.joined(room.table, intent.player, intent.password, token), session)
        return self._answer(intent, Place(room.table, room.table.by_token[keys.digest(token)]), token), batch

    def _return(self, intent: intents.Return) -> tuple[Answer, Batch | None]:
        room = self._room(intent.table)
        seat = room.table.by_token.get(keys.digest(intent.token))
        if seat is None:
            raise Refused("no_such_seat", "that is not the secret of a seat at this table")
        if seat.kicked:
            raise Refused("kicked", "you have been thrown out of this game")
        batch = room.tail
        other = room.session(seat)
        if other is not None:
            room.sessions.remove(other)
            other.place = None
            self._post(other, Replaced(), batch)
        if not seat.present or seat.stood_in:
            batch = self._record(room, [entries.Back(seat.number)])
        return self._answer(intent, Place(room.table, seat), intent.token), batch

    def _play(self, session: Session, intent: intents.Play) -> tuple[Answer, Batch]:
        room, seat = self._whereabouts(session, intent, playing=True)
        table = room.table
        if seat is None or seat.kicked:
            raise Refused("not_seated", "you have no seat in this game")
        if seat.stood_in:
            raise Refused("stood_in", "a bot plays for you: take your seat back first")
        move = intent.move
        if not isinstance(move, Move):
            try:
                move = msgspec.convert(move, table.game.Move)
            except msgspec.ValidationError as error:
                raise Refused("bad_move", str(error)) from None
        batch = self._record(room, [entries.Moved(seat.number, move)], session)
        return self._answer(intent, Place(table, seat)), batch

    def _answer(self, intent: Intent, place: Place, token: str | None = None) -> Answer:
        return Answer(intent, self._now(), place=place, token=token)

    def _room(self, id: str) -> Room:
        room = self.rooms.get(id)
        if room is None:
            raise Refused("no_such_table", "there is no such table, or it is closed")
        if room.ruined:
            raise Refused("unavailable", "the table can't go on just now; try again in a moment")
        return room

    def _whereabouts(self, session: Session, intent: intents.Act, playing: bool = False) -> tuple[Room, Seat | None]:
        """The table, and the seat somebody acts from: the connection's own, or the one whose secret they know."""
        if intent.table is None:
            if session.place is None:
                raise Refused("not_seated", "you are at no table")
            room, seat = self._room(session.place.table), session.place._seat
        else:
            room = self._room(intent.table)
            seat = room.table.by_token.get(keys.digest(intent.token or ""))
        if playing and room.table.phase != "playing":
            raise Refused("not_started", "no game is being played at this table")
        return room, seat

    def _luck(self, table: Table) -> tuple[Rig | None, bytes]:
        rig, first = self.settings.rig, self.settings.first
        if first is not None:
            order = sorted(table.seats, key=lambda number: (number < first, number))
            rig = msgspec.structs.replace(rig or Rig(), orders={"seats": order, **(rig.orders if rig else {})})
        return rig, self.settings.seed or keys.new_seed()

    def _attach(self, session: Session, place: Place | None) -> None:
        assert place is not None
        room = self.rooms[place.table]
        if session in room.sessions:
            room.sessions.remove(session)
        session.place = place
        room.sessions.append(session)

    def _vacate(self, session: Session, place: Place | None) -> None:
        """The connection no longer serves this place: lost, or gone to another."""
        if place is None:
            return
        room = self.rooms.get(place.table)
        if session.place is place:
            session.place = None
        if room is None:
            return
        if session in room.sessions and (session.place is None or session.place.table != place.table):
            room.sessions.remove(session)
        table, seat = room.table, place._seat
        if seat is None:
            if place is not session.place:
                self._record(room, [entries.Unwatched()])
        elif table.seats.get(seat.number) is seat and seat.present and not room.session(seat):
            self._record(room, self._absence(session, table, seat))

    def _absence(self, session: Session, table: Table, seat: Seat) -> list[AnyEntry]:
        dialect = session.dialect
        if table.phase == "waiting" and not dialect.keeps_seat:
            return rulings.left(table, seat, closes=True)
        if table.phase == "waiting":
            wait = self.settings.lobby_grace
        else:
            wait = self.settings.patience if dialect.patience is None else dialect.patience
        return [entries.Absent(seat.number, self._now() + _ms(wait))]

    # The way of entries: applied, journaled, told.

    def _record(self, room: Room, found: Iterable[AnyEntry], cause: Session | None = None) -> Batch:
        """Let entries happen. They are taken one by one, so that a later one may depend on what the first did."""
        table = room.table
        at = max(self._now(), table.at)
        self._batches += 1
        batch = Batch(self, room, self._batches)
        wishes: list[tuple[Session, Intent]] = []
        records: list[Record] = []
        batch.records = records
        known = table.summary
        try:
            for entry in self._with_aftermath(table, found):
                if type(entry) is entries.Opened:
                    batch.opens = entry.game
                elif type(entry) is entries.Moved:
                    self.moves += 1
                events = table.apply(entry, at)
                records.append(Record(table.seq, at, entries.encode(entry)))
                self._tell(room, entry, events, batch, cause, wishes)
        except Illegal:
            if not records:
                raise
            self._ruin(room)
            raise
        except Exception:
            self._ruin(room)
            raise
        batch.closes = table.phase == "closed"
        room.tail = batch
        self._journal.append(batch)
        if batch.closes:
            self._closed(room)
        else:
            self._arm(room)
        if table.summary is not known:
            for follower in self._followers:
                self._post(follower, Listed(table.summary), batch)
        for session, wish in wishes:
            self.perform(session, wish)
        return batch

    def _with_aftermath(self, table: Table, found: Iterable[AnyEntry]) -> Iterator[AnyEntry]:
        for entry in found:
            games = table.games
            yield entry
            if table.games > games:
                yield from rulings.after_game(table)

    def _tell(
        self,
        room: Room,
        entry: AnyEntry,
        events: Iterable[object],
        batch: Batch,
        cause: Session | None,
        wishes: list[tuple[Session, Intent]],
    ) -> None:
        table = room.table
        public = entry.public()
        shared: dict[object, object] = {}
        outputs = batch.outputs
        for session in room.sessions:
            place = session.place
            assert place is not None
            seat = place.seat
            seen = tuple([view for event in events if (view := event.seen_by(seat)) is not None])  # type: ignore[attr-defined]
            fact = Fact(place, table.seq, table.at, public, seen, session is cause, shared)
            session.tail = batch
            for out in session.dialect.notify(fact):
                if isinstance(out, Intent):
                    wishes.append((session, out))
                else:
                    outputs.append((session, out))
        if type(entry) in _REMOVALS:
            for session in room.sessions[:]:
                place = session.place
                if place is not None and place._seat is not None and not _sits(table, place._seat):
                    room.sessions.remove(session)
                    session.place = None

    def _closed(self, room: Room) -> None:
        self.rooms.pop(room.table.id, None)
        if room.timer is not None:
            room.timer.cancel()
        for session in room.sessions:
            session.place = None
        room.sessions.clear()

    def _post(self, session: Session, notice: Notice, after: Batch | None) -> None:
        """Tell one connection something, in its turn: not before ``after`` is safe, not before what it waits for."""
        for out in session.dialect.notify(notice):
            if isinstance(out, Intent):
                self.perform(session, out)
            else:
                self._send(session, out, after)

    def _send(self, session: Session, message: Message, after: Batch | None) -> None:
        tail = session.tail
        if after is None or (tail is not None and tail.number > after.number):
            after = tail
        if after is None or after.done:
            session.send(message)
        else:
            session.tail = after
            after.outputs.append((session, message))

    # When the journal fails, or the rules do.

    def failed(self, batch: Batch, error: Exception) -> None:
        """Entries did not get into the journal: they have not happened."""
        log.error("journal refused entries", table=batch.table, error=str(error))
        for session, intent in batch.requests:
            refusal = Refused("unavailable", "that could not be written down, so it has not happened; try again")
            for out in session.dialect.notify(Answer(intent, self._now(), refusal)):
                if not isinstance(out, Intent):
                    session.send(out)
        self._ruin(batch.room)

    def _ruin(self, room: Room) -> None:
        if not room.ruined:
            room.ruined = True
            if room.timer is not None:
                room.timer.cancel()
                room.timer = None
            task = asyncio.get_running_loop().create_task(self._repair(room))
            self._repairs.add(task)
            task.add_done_callback(self._repairs.discard)

    async def _repair(self, room: Room) -> None:
        """Go back to what the journal says."""
        table = room.table
        if room.tail is not None and not room.tail.done:
            await room.tail.waited()
        fold(table, await self._journal.read(table.id))
        room.tail = None
        if table.seq == 0 or table.phase == "closed":
            self._closed(room)
            return
        for session in room.sessions[:]:
            assert session.place is not None
            old = session.place._seat
            seat = table.by_token.get(old.token or "") if old is not None else None
            if old is not None and seat is None:
                room.sessions.remove(session)
                session.place = None
            else:
                session.place = Place(table, seat)
        table.watchers = sum(1 for s in room.sessions if s.place is not None and s.place._seat is None)
        room.ruined = False
        for session in room.sessions:
            self._post(session, Resync(session.place), None)
        self._arm(room)

    # Time.

    def _arm(self, room: Room) -> None:
        """See to it that the table is looked at when something falls due. A timer that is set too early is left."""
        due = self._due(room)
        if due is None or (room.timer is not None and room.due <= due):
            return
        if room.timer is not None:
            room.timer.cancel()
        room.due = due
        loop = asyncio.get_running_loop()
        room.timer = loop.call_later(self._time.until(due), self._wake, room)

    def _wake(self, room: Room) -> None:
        room.timer = None
        if room.ruined or self._closing:
            return
        try:
            due = self._due(room)
            if due is not None and due <= self._now():
                self._fall_due(room)
            elif room.timer is None:
                self._arm(room)
        except Exception:
            log.exception("table can't go on", table=room.table.id)
            self._ruin(room)

    def _due(self, room: Room) -> int | None:
        """When the next thing happens by itself."""
        table = room.table
        dues = [table.at + _ms(self.settings.idle_after)]
        if table.phase == "playing":
            for number in table.game.awaited(table.state):
                seat = table.seats[number]
                if seat.automatic:
                    dues.append(table.acted_at + _ms(self.settings.bot_delay))
                elif not seat.present:
                    dues.append(self._given_up(table, seat))
            dues.extend(clock.due for clock in table.clocks())
        else:
            dues.extend(seat.keeps_until for seat in table.seats.values() if not seat.present)
        if _empty(table):
            dues.append(_kept_until(table))
        return min(dues)

    def _given_up(self, table: Table, seat: Seat) -> int:
        """Until when somebody who is away is waited for, when no clock runs."""
        if table.game.clocks(table.state):
            return table.at + _ms(self.settings.idle_after)
        since = max(table.acted_at, seat.away_since or 0, table.grace_until)
        return since + _ms(table.game.customs.away_limit)

    def _fall_due(self, room: Room) -> None:
        """Do the first thing that is due; the table is armed again afterwards."""
        table, now = room.table, self._now()
        if _empty(table) and _kept_until(table) <= now:
            self._record(room, [entries.Closed("abandoned")])
            return
        if now >= table.at + _ms(self.settings.idle_after):
            self._record(room, [entries.Closed("idle")])
            return
        if table.phase != "playing":
            for seat in table.seats.values():
                if not seat.present and seat.keeps_until <= now:
                    self._record(room, rulings.left(table, seat, closes=False))
                    return
        else:
            self._go_on(room, now)
        if room.timer is None and room.table.phase != "closed":
            self._arm(room)

    def _go_on(self, room: Room, now: int) -> None:
        """Let a bot move, or time."""
        table = room.table
        stand_in = table.game.customs.late == "stand_in"
        for number in table.game.awaited(table.state):
            seat = table.seats[number]
            if seat.automatic:
                if now >= table.acted_at + _ms(self.settings.bot_delay):
                    self._record(room, [self._bot_move(table, seat)])
                    return
            elif stand_in and not seat.present and now >= self._given_up(table, seat):
                self._record(room, self._late(table, seat))
                return
        for clock in table.clocks():
            if clock.due <= now:
                if not stand_in:
                    self._record(room, [entries.Expired(clock.name)])
                    return
                for number in clock.seats:
                    if not table.seats[number].automatic:
                        self._record(room, self._late(table, table.seats[number]))
                        return

    def _late(self, table: Table, seat: Seat) -> Iterator[AnyEntry]:
        yield entries.StoodIn(seat.number, "late")
        yield self._bot_move(table, seat)

    def _bot_move(self, table: Table, seat: Seat) -> AnyEntry:
        game, number = table.game, seat.number
        moves = game.moves(table.state, number)
        assert seat.brain is not None
        try:
            move = seat.brain.choose(number, game.view(table.state, number), moves, self._dice)
        except Exception:
            log.exception("bot failed", game=game.name, bot=seat.brain.name)
            move = RandomBot().choose(number, None, moves, self._dice)
        return entries.Moved(number, move, bot=True)

    # What anybody may know.

    async def record(self, id: str) -> PublicRecord | None:
        """A table's public record, open or closed; None when there never was one."""
        room = self.rooms.get(id)
        if room is not None:
            table = room.table
        else:
            records = await self._journal.read(id)
            first = entries.decode(records[0].entry) if records else None
            if not isinstance(first, entries.Opened) or first.game not in self.games:
                return None
            table = Table(id, self.games[first.game])
            fold(table, records)
        return public_record(table)

    def summaries(self, game: str | None = None) -> list[Summary]:
        return [room.table.summary for room in self.rooms.values() if game is None or room.table.game.name == game]


_ARRIVALS = (intents.Open, intents.Join, intents.Watch, intents.Return)
_REMOVALS = (entries.Left, entries.Kicked)


def _sits(table: Table, seat: Seat) -> bool:
    return table.seats.get(seat.number) is seat and not seat.kicked


def public_record(table: Table) -> PublicRecord:
    return PublicRecord(table.summary, table.seq, table.at, table.result, table.fingerprint())


def _empty(table: Table) -> bool:
    """Whether nobody is there, neither at the table nor watching. Bots don't keep a table alive."""
    return not table.watchers and not any(seat.human and seat.present for seat in table.seats.values())


def _kept_until(table: Table) -> int:
    return max((seat.keeps_until for seat in table.seats.values()), default=0)


def fold(table: Table, records: Iterable[Record]) -> None:
    """Make a table what its log says."""
    table.clear()
    for record in records:
        table.apply(entries.decode(record.entry), record.at)


def _ms(seconds: float) -> int:
    return round(seconds * 1000)
