"""The house: it connects what comes in from clients with what happens at tables, and sends what they are told.

Everything here happens on the event loop and never waits.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import Any

import msgspec

from croupier.journal import Journal
from croupier.kernel import Dice
from croupier.kernel.chance import QuickDice
from croupier.tables import entries, error_log, intents, keys, luck, restart, rulings
from croupier.tables.batch import Batch
from croupier.tables.board import Board, LobbyQuery
from croupier.tables.bots import Bots
from croupier.tables.cluster import Cluster
from croupier.tables.dialect import Deadline, Hangup, Output
from croupier.tables.guesses import Guesses
from croupier.tables.hints import Hints
from croupier.tables.intents import Intent
from croupier.tables.loading import load_all, makes_sense
from croupier.tables.lobby_options import StandingTables
from croupier.tables.notices import Listed, Refused, Reply
from croupier.tables.oversight import Oversight
from croupier.tables.persons import Persons
from croupier.tables.place import Place
from croupier.tables.presence import Presence
from croupier.tables.public import public_record
from croupier.tables.recovery import LOBBY, Stale, Unknown
from croupier.tables.registry import Registry
from croupier.tables.requests import Requests
from croupier.tables.room import Room
from croupier.tables.scorekeeper import Scorekeeper
from croupier.tables.session import Pending, Session, newer_elsewhere
from croupier.tables.settings import Settings
from croupier.tables.summary import Summary
from croupier.tables.table import AnyGame, Table
from croupier.tables.thoughts import Thinkers
from croupier.tables.turns import Turns
from croupier.tables.waking import Waker
from croupier.tables.wall_clock import Time, ms
from croupier.wire.http import HttpResponse

CERTAIN = {"bad_move", "bad_name", "bad_password", "too_fast", "unknown"}
"""Refusals that nothing which other nodes may have written would change, or that have been paid for."""


class House:
    def __init__(
        self,
        games: Mapping[str, AnyGame],
        journal: Journal,
        settings: Settings,
        time: Time | None = None,
        cluster: Cluster | None = None,
        thinkers: Thinkers | None = None,
    ) -> None:
        """``cluster``: where other nodes write to the same journal. ``thinkers``: who looks ahead for bots, if any."""
        self.games = games
        self.journal = journal
        self.settings = settings
        self.time = time or Time()
        self.cluster = cluster
        self.thinkers = thinkers
        self.turns = Turns()
        self.scorekeeper = Scorekeeper(journal)
        self.secret = keys.new_seed()
        """Until the journal is open and has told the secret."""
        self.dice: Dice = QuickDice()
        """The bots' luck; the games' own comes from their seeds."""
        self.registry = Registry(games, settings)
        self.rooms = self.registry.rooms
        self.batches: Iterator[int] = itertools.count(1)
        self.entries = 0
        self.ready = False
        self.closing = False
        self.board = Board(self.turns, self._send_news)
        self._waker = Waker(journal, games, self.registry, self._admit)
        self._guesses = Guesses(self.now)
        self._presence = Presence(self.registry, settings, self.now, self.post)
        self._requests = Requests(self, self.registry, self._presence, self._guesses, Hints(self.now))
        self.persons = Persons(self, None if cluster is None else cluster.tell_of_people)
        self.oversight = Oversight(self)
        self._expected: dict[Session, asyncio.TimerHandle] = {}
        """Connections that have to take a place soon."""

    async def open(self) -> None:
        """Bring every table of the journal back to life; where others have them too, each when somebody comes."""
        self.secret = await self.journal.secret()
        self.scorekeeper.open()
        await self.persons.read_bans()
        if self.cluster is not None:
            await self.cluster.open(self)
            self.ready = True
            return
        tables, sleepers, left_alone, without_game = await load_all(self.journal, self.games)
        self.registry.left_alone |= left_alone
        self.registry.without_game |= without_game
        for bots in tables:
            self.rooms[bots.table.id] = self.new_room(bots.table, bots)
        for sleeper in sleepers:
            self.registry.put_to_sleep(sleeper)
        for summary in self.registry.summaries():
            self.board.change(summary)
        last = [room.table.at for room in self.rooms.values()] + [sleeper.at for sleeper in sleepers]
        self.time.not_before(max(last, default=0))
        for room in list(self.rooms.values()):
            self._go_on(room)
        if sleepers:
            self._waker.begin()
        self.ready = True

    def _admit(self, bots: Bots, error: Exception | None) -> None:
        """A table has been read that was known since the start."""
        table = bots.table
        if not makes_sense(table, error):
            self.registry.left_alone.add(table.id)
            self.board.remove(table.id)
            return
        self.rooms[table.id] = self.new_room(table, bots)
        self._go_on(self.rooms[table.id])

    def _go_on(self, room: Room) -> None:
        try:
            restart.go_on(room, self.settings, self.now())
        except Exception:
            error_log.report("table", "table can't go on after the restart", table=room.table.id)

    async def close(self) -> None:
        """Stop, so that everybody can come back to where they were."""
        if self.closing:
            return
        self.closing = True
        self.ready = False
        self.scorekeeper.close()
        if self.cluster is not None:
            await self.cluster.close()
        await self._waker.close()
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
        if session.dialect.consults and self.cluster is not None and session.place is None:
            self.defer(session)
            self.cluster.seek((LOBBY,), partial(self._receive_now, session, message, text))
        else:
            self._process(session, session.dialect.receive, message, text)

    def _receive_now(self, session: Session, message: bytes, text: bool, known: bool) -> None:
        if not session.lost:
            self._process(session, session.dialect.receive, message, text)
        self.undefer(session)

    def overlong(self, session: Session) -> None:
        """A message has come in that nobody wants to read."""
        self._process(session, session.dialect.overlong)

    def _process(self, session: Session, said: Callable[..., Iterable[Intent | Output]], *message: Any) -> None:
        try:
            self.post(session, said(*message))
        except Hangup as hangup:
            session.close(hangup.code, str(hangup))
        except Exception:
            error_log.report("dialect", "dialect failed", dialect=type(session.dialect).__name__)
            session.close(1011, "something went wrong on the server")

    def defer(self, session: Session) -> None:
        """A request has to wait, and with it whatever else this connection asks for."""
        session.deferred += 1
        session.pause()

    def undefer(self, session: Session) -> None:
        """One of them has been decided: go on with what has waited for it, if it was the last."""
        session.deferred -= 1
        while session.then and not session.deferred:
            self._process(session, partial(session.then.pop, 0))
        if not session.deferred:
            session.resume()

    def again(self, session: Session, intent: Intent, sought: tuple[str, ...] = ()) -> None:
        """Carry out what had to wait. ``sought``: the journal has been asked for tables of these names."""
        if not session.lost:
            session.sought = sought
            self.perform(session, intent)
            session.sought = ()
        self.undefer(session)

    def _sought(self, session: Session, asked: intents.Asked, names: tuple[str, ...], known: bool) -> None:
        """Others may have had it. ``known``: that could be found out; if not, nobody is to believe that there is none,
        and the lobby is shown as it was."""
        if self._too_new(names) and not session.lost:
            self.send(session, newer_elsewhere(session))
            self.undefer(session)
            return
        if known or LOBBY in names or session.lost:
            self.again(session, asked, names)
            return
        refusal = Refused("unavailable", "the table can't be read just now; try again in a moment")
        self.reply(session, Reply(asked.intent, self.now(), refusal, context=asked.context), None)
        self.undefer(session)

    def lost(self, session: Session) -> None:
        """The connection is gone."""
        session.lost = True
        self.board.followers.pop(session, None)
        expected = self._expected.pop(session, None)
        if expected is not None:
            expected.cancel()
        self.persons.visitors.leave(session)
        if not self.closing:
            self._presence.lost(session)

    def perform(self, session: Session, intent: Intent) -> None:
        """Carry out what a connection asks for, and reply."""
        old, context = session.place, None
        if type(intent) is intents.Asked:
            context, intent = intent.context, intent.intent
        batch: Batch | None = None
        try:
            reply, batch = self._requests.decide(session, intent, context)
        except Stale as stale:
            if stale.room.unanswered is not None:
                stale.room.put_off(session, intent, context)
                return
            reply = Reply(intent, self.now(), stale.with_traceback(None))
        except Unknown as unknown:
            if self.seeks(session, unknown):
                self.defer(session)
                asked = intents.Asked(intent, context)
                seek = self._waker.seek if self.cluster is None else self.cluster.seek
                seek(unknown.names, partial(self._sought, session, asked, unknown.names))
                return
            reply = Reply(intent, self.now(), unknown.with_traceback(None))
        except Refused as refusal:
            if self._doubts(session, intent, context, refusal):
                return
            reply = Reply(intent, self.now(), refusal.with_traceback(None))  # which would hold on to all of this
        except Exception:
            error_log.report("request", "request failed", request=type(intent).__name__)
            reply = Reply(intent, self.now(), Refused("internal", "something went wrong on the server"))
        if reply is None:
            return
        if batch is not None and not batch.done:
            batch.requests.append((session, intent, context))
            if batch.then is not None:
                self.defer(session)
                batch.then.append(partial(self._conclude, session, intent, context, reply, old))
                return
        self._grant(session, intent, context, reply, batch, old)

    def _doubts(self, session: Session, intent: Intent, context: Any, refusal: Refused) -> bool:
        """Whether a refusal has to wait, since other nodes may have written what makes the request possible, and this
        one has not heard of it: somebody moves who knows from elsewhere that it is their turn. The journal is asked,
        and then it is decided again."""
        if self.cluster is None or refusal.code in CERTAIN:
            return False
        room = self._requests.room_of(session, intent)
        if room is None or room.table.id in session.sought:
            return False
        self.defer(session)
        asked = intents.Asked(intent, context)
        self.cluster.confirm(room, partial(self.again, session, asked, (room.table.id,)))
        return True

    def _conclude(self, session: Session, intent: Intent, context: Any, reply: Reply, old: Place | None) -> None:
        """What was asked for is in the journal."""
        self._grant(session, intent, context, reply, None, old)
        if session.lost:
            self._presence.lost(session)
        self.undefer(session)

    def _grant(
        self, session: Session, intent: Intent, context: Any, reply: Reply, batch: Batch | None, old: Place | None
    ) -> None:
        arrived = reply.place if isinstance(intent, intents.Arrival) and session.dialect.attends else None
        if arrived is not None:
            self.rooms[arrived.table].attach(session, arrived)
        reply.context = context
        try:
            self.reply(session, reply, batch)
        except Exception:
            error_log.report("request", "answer failed", request=type(intent).__name__)
            failure = Refused("internal", "something went wrong on the server")
            self.reply(session, Reply(intent, self.now(), failure, context=context), None)
        if arrived is not None and old is not None:
            self._presence.left(session, old, isinstance(intent, intents.Open | intents.Join | intents.Seek))

    def reply(self, session: Session, reply: Reply, after: Batch | None) -> None:
        dialect, refusal = session.dialect, reply.refusal
        told = dialect.on_reply(reply) if refusal is None else dialect.on_refused(reply, refusal)
        self.post(session, told, after)

    def post(self, session: Session, told: Iterable[Output | Intent], after: Batch | None = None) -> None:
        """Tell one connection what its dialect has to say, in its turn: not before ``after`` is safe, not before what
        it waits for. And do what it wants to be done."""
        left = iter(told)
        for out in left:
            if not isinstance(out, Intent):
                self.send(session, out, after)
                continue
            self.perform(session, out)
            if session.deferred:
                session.then.append(left)
                return

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

    def send(self, session: Session, out: Output, after: Pending | None = None) -> None:
        """Send one connection something: not before ``after`` is safe, not before what it waits for."""
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

    # What rooms need of the house.

    def new_room(self, table: Table, bots: Bots | None = None) -> Room:
        return Room(self, table, bots) if self.cluster is None else self.cluster.new_room(table, bots)

    def seeks(self, session: Session, unknown: Unknown) -> bool:
        """Whether a table that is not here may be elsewhere, or be still to be read, and that is to be found out."""
        if self.cluster is None:
            return bool(self.registry.asleep(unknown.names))
        return session.sought != unknown.names

    def open_for_bots(self, game: AnyGame) -> Room | None:
        """A table that nobody has asked for, with a bot of the house as its host, if there is room for one."""
        if self.registry.full:
            return None
        room = self.new_room(Table(keys.new_id(), game))
        options, keeps = self.settings.options.get(game.name, {}), ms(self.settings.idle_after)
        self.rooms[room.table.id] = room
        drawn, code = luck.draw(room.table, self.settings), self.registry.new_code()
        opened = rulings.opened(game, "", None, options, "", None, drawn, code=code, keeps=keeps)
        foreseen = Table(room.table.id, game)
        for entry in opened:
            foreseen.apply(entry, self.now())
        bot = rulings.kept_company(foreseen, self.dice)
        room.record([*opened, bot, entries.HandedOver(bot.seat)])
        return room

    def _send_news(self, session: Session, news: Sequence[Listed]) -> None:
        """What has changed in the list of tables, in one piece."""
        outputs = [out for listed in news for out in session.dialect.on_listed(listed)]
        if session.tail is None or session.tail.done:
            session.send_all([out for out in outputs if isinstance(out, bytes)])
        else:
            for out in outputs:
                self.send(session, out, None)

    # What anybody may know.

    def now(self) -> int:
        return self.time.now()

    async def fetch(self, names: Sequence[str]) -> bool:
        """Have the tables of these ids or aliases in memory, if there are such and other nodes may have them. Returns
        whether it is of any use to ask this node for them: a newer release may know better."""
        if self.cluster is not None:
            await self.cluster.fetch(names)
        else:
            await self._waker.fetch(names)
        return not self._too_new(names)

    def _too_new(self, names: Sequence[str]) -> bool:
        return self.cluster is not None and not self.cluster.too_new.isdisjoint(names)

    def look(self, table: str) -> Summary | None:
        """A table from outside; None when there is no such, or it is closed."""
        room = self.rooms.get(table)
        if room is not None:
            return room.table.summary
        if self.cluster is not None:
            return self.board.shown.get(table)
        sleeper = self.registry.sleepers.get(table)
        return None if sleeper is None else sleeper.summary

    def unlocks(self, table: str, password: str, address: str) -> bool:
        room = self.rooms.get(table)
        return room is not None and self._guesses.unlocks(room.table, password, address)

    def may_guess(self, address: str) -> bool:
        return self._guesses.may_guess(address)

    def guessed(self, address: str) -> None:
        self._guesses.guessed(address)

    def standing(self, game: str) -> StandingTables:
        return self.settings.standing.get(game, StandingTables())

    def summaries(self, game: str | None = None) -> list[Summary]:
        if self.cluster is None:
            return self.registry.summaries(game)
        elsewhere = [
            each for id, each in self.board.shown.items() if id not in self.rooms and game in (None, each.game)
        ]
        return sorted(elsewhere + self.registry.summaries(game), key=attrgetter("opened_at"))

    async def lobby(self, query: LobbyQuery) -> bytes:
        """Some of the tables that strangers are shown, as JSON."""
        if self.cluster is None:
            rows = self.board.page(query)
        else:
            rows = await self.cluster.lobby(query)
        return b"[" + b",".join(rows) + b"]"

    def listed(self, game: str | None = None) -> list[Summary]:
        """The tables that strangers are shown."""
        return [summary for summary in self.summaries(game) if summary.lobby.listed]

    async def record(self, id: str) -> bytes | None:
        """A table's public record, in JSON, if it is ready: of those that are open, and of those that were closed
        since it is kept."""
        await self._waker.fetch((id,))
        room = self.rooms.get(id)
        if room is None or room.stale:  # what is in memory may not have happened
            return await self.journal.public(id)
        return public_record(room.table)

    async def opening(self, id: str) -> entries.Opened | None:
        """How a table began, open or closed; None when there never was one. Its game may not be installed here."""
        first = await self.journal.first(id)
        try:
            entry = None if first is None else entries.decode(first.entry)
        except msgspec.DecodeError:
            return None
        return entry if isinstance(entry, entries.Opened) else None
