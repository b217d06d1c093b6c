"""A room: a table and the connections around it. Here entries happen: applied, journaled, told, in this order.

What an entry makes known is held back until the journal says that it is safe (``Batch``). So a table can go on to
the next move while the last one is on its way to the disk, and still nobody hears of anything that could be lost.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any

from croupier.journal import Directory, Record
from croupier.kernel import Event, Illegal
from croupier.tables import (
    aftermath,
    directory,
    entries,
    error_log,
    history,
    luck,
    rulings,
    snapshot,
    timekeeping,
)
from croupier.tables.aftermath import Before
from croupier.tables.batch import Batch
from croupier.tables.bots import Bots
from croupier.tables.dialect import Hangup
from croupier.tables.entries import AnyEntry
from croupier.tables.finished import finished
from croupier.tables.intents import Intent
from croupier.tables.notices import Fact
from croupier.tables.place import Place
from croupier.tables.public import public_record
from croupier.tables.recovery import Recoverable
from croupier.tables.seat import Seat
from croupier.tables.session import Session
from croupier.tables.shell import Shell
from croupier.tables.summary import Summary
from croupier.tables.table import Table
from croupier.tables.thinking import Thinking
from croupier.tables.turns import bots_purse
from croupier.tables.wall_clock import ms
from croupier.wire.http import HttpResponse

FIRST_REST, LONGEST_REST = 500, 60_000
"""Milliseconds before a table whose rules have failed tries again; twice as long every time, up to a minute."""


_UNSEATS = (entries.Left, entries.Gone, entries.Kicked)
"""After these, somebody may be at the table no more."""


class Room(Recoverable):
    __slots__ = (
        "_due", "_rests_until", "_stumbles", "_timer", "holders", "opener", "payer",
    )  # fmt: skip

    def __init__(self, shell: Shell, table: Table, bots: Bots | None = None) -> None:
        super().__init__(shell, table, bots)
        self.opener: str | None = None
        """The address that it was opened from, since the server has started."""
        self.holders: dict[str, str] = {}
        """From which addresses seats were taken since then, by the hashes of their secrets."""
        self.payer = bots_purse()
        """Who pays for what happens here by itself: the address it was opened from, if that is known."""
        self._stumbles = 0
        """How often in a row what was due could not happen."""
        self._rests_until = 0
        self._timer: asyncio.TimerHandle | None = None
        self._due = 0

    def connections(self, seat: Seat) -> list[Session]:
        """Those that have this seat: one for all, or one for the lobby and one for the game."""
        return [s for s in self.sessions if s.place is not None and s.place.holds(seat)]

    def attended(self, seat: Seat) -> bool:
        """Whether somebody is there, in what the table does now."""
        return any(self.table.attended in s.dialect.attends for s in self.connections(seat))

    def attach(self, session: Session, place: Place) -> None:
        session.place = place
        place.set_dialect(session.dialect.name)
        if session not in self.sessions:
            self.sessions.append(session)

    def detach(self, session: Session) -> None:
        session.place = None
        self.remove(session)

    def remove(self, session: Session) -> None:
        """A connection has gone from here, wherever it is now."""
        self.sessions.remove(session)

    def record(self, found: Iterable[AnyEntry], cause: Session | None = None) -> Batch | None:
        """Let entries happen, with all that follows from them: they are told when the journal has them. What is not for
        the log is told in its turn, with no number of its own. Returns what an answer has to wait for.

        Raises ``Illegal`` when the rules refuse the first one, and then nothing has happened.
        """
        table = self.table
        batch = self.new_batch(cause)
        known, games = table.summary, table.games
        try:
            for entry in found:
                self._happen(entry, batch)
                if table.phase == "closed":
                    break
            self.conclude(batch)
        except Exception as error:
            if batch.records or not isinstance(error, Illegal):
                batch.done = batch.failed = True  # nobody is to wait for it
                self.mark_stale()
            raise
        self._rests_until = 0
        changed = table.summary is not known
        if not batch.records:
            self.tell(batch, changed)
        else:
            if changed:
                batch.summary = table.summary
                batch.directory = self.listing(known)
            if table.games > games:
                batch.ends = table.fingerprint()
                batch.finished = finished(table)
            self.commit(batch)
        waits = self.tail
        if changed or batch.caused:  # seldom
            self.recorded(batch, changed)
        return waits

    def new_batch(self, cause: Session | None) -> Batch:
        table, shell = self.table, self.shell
        return Batch(self, table.id, next(shell.batches), max(shell.time.now(), table.at), cause)

    def recorded(self, batch: Batch, changed: bool) -> None:
        """Entries have happened: what the house has to know of it, and what dialects want done."""
        if changed:
            self.shell.registry.update(self)
        for session, request in batch.caused:
            self.shell.perform(session, request)

    def listing(self, before: Summary) -> Directory | None:
        """How the table, which was like this before, is now found and shown by a server that starts: if that does not
        read it anyway, because it is not played at."""
        return directory.of(self.table) if "playing" in (before.phase, self.table.phase) else None

    def commit(self, batch: Batch) -> None:
        """Send what has happened to the journal: it is told when it is there."""
        batch.closes = self.table.phase == "closed"
        if batch.closes:
            batch.public = public_record(self.table)
        if self.tail is not None and not self.tail.done:
            batch.follows = self.tail
        self.tail = batch
        self.shell.entries += len(batch.records)
        self.shell.journal.append(batch)
        if batch.closes:
            self.close()
        else:
            self.arm()

    def tell(self, batch: Batch, changed: bool) -> None:
        """What is not for the log waits for nothing but what was told before: to be heard in its order, and at a table
        that is as it was when it happened."""
        batch.done = True
        # Messages first: the end of a connection may cause something that the others are told at once.
        for session, out in sorted(batch.outputs, key=lambda output: not isinstance(output[1], bytes)):
            self.shell.send(session, out, self.tail)
        if not changed:
            return
        self.arm()
        if self.tail is None or self.tail.done:
            self.publish(self.table.summary)
        else:
            self.tail.summary = self.table.summary

    def _happen(self, entry: AnyEntry, batch: Batch) -> None:
        """Let an entry happen, and what follows from it."""
        table = self.table
        if type(entry) is entries.Moved and table.phase == "playing":
            games = table.games
            self._apply(entry, batch)
            if table.games == games:
                return  # nearly always
            before = Before("playing", games, 0)
        else:
            before = Before.of(table)
            if type(entry) is entries.Opened:
                batch.opens = entry.game
            elif type(entry) is entries.Joined and entry.person:
                batch.persons = (*batch.persons, entry.person)
            elif snapshot.belongs_before(entry, table):
                batch.snapshot = snapshot.take(table)
            self._apply(entry, batch)
        for following in aftermath.follows(table, entry, before, batch.at):
            self._apply(following, batch)
        if table.phase == "closed":
            return
        if table.phase != before.phase and "playing" in (before.phase, table.phase):
            # The table waited and plays now, or the other way round: not everybody is there for both.
            for seat in list(table.seats.values()):
                for following in self.attendance(seat, batch.at):
                    self._apply(following, batch)
        if type(entry) is entries.StoodIn and entry.why == "late":
            # One indivisible step: who is late loses the seat to a bot, and it makes the move that is overdue.
            move = self.bots.move(table.seats[entry.seat], self.shell.dice)
            self._happen(entries.Moved(entry.seat, move, bot=True), batch)

    def attendance(self, seat: Seat, at: int) -> list[AnyEntry]:
        """Whether somebody who is connected is there, in what the table does now."""
        settings = self.shell.settings
        wait = settings.patience if self.table.phase == "playing" else settings.lobby_grace
        if seat.human and seat.present and self.connections(seat) and not self.attended(seat):
            return rulings.absent(self.table, seat, at + ms(wait))
        if seat.human and not seat.present and self.attended(seat):
            return rulings.back(self.table, seat)
        return []

    def _apply(self, entry: AnyEntry, batch: Batch) -> None:
        """Let just this happen, and put into words what everybody here is told of it."""
        table, at = self.table, batch.at
        audience: Sequence[Session] = self.sessions
        if type(entry) is entries.Moved or history.belongs(entry, table):
            events = table.apply(entry, at)
            batch.records.append(Record(table.seq, at, entries.encode(entry)))
        else:
            assert isinstance(entry, entries.Soft)
            events = ()
            table.mention(entry, at)
            audience = self._audience_of(entry)
        if not table.calm:
            self.bots.follow(entry, events)
        elif self.bots.waits:
            self.bots.waits = {}
        if audience:
            table.clocks()  # if the rules can't say, it is their fault, and not that of whoever is told
            self.broadcast(entry, events, batch, audience)

    def _audience_of(self, entry: entries.Soft) -> Sequence[Session]:
        """Who is told: not those who don't want to hear whoever it is."""
        if not isinstance(entry, entries.Said | entries.Sounded):
            return self.sessions
        person = entry.person if isinstance(entry, entries.Said) else ""
        if entry.seat is not None:
            person = self.table.seats[entry.seat].person
        if not person:
            return self.sessions
        return [session for session in self.sessions if person not in session.dialect.unheard]

    def broadcast(
        self, entry: AnyEntry, events: Sequence[Event], batch: Batch, audience: Sequence[Session] | None = None
    ) -> None:
        """``audience``: of those who are here, who is told; None: everybody."""
        table, cause, outputs, caused = self.table, batch.cause, batch.outputs, batch.caused
        seq, at, public = table.seq, batch.at, entry.public()
        waits = bool(batch.records)
        shared: dict[Any, Any] = {}
        seen = tuple(events)
        fact: Fact | None = None
        # Redacting for each connection was a tenth of a move, and most events have nothing to hide.
        redacts = False
        for event in events:
            if type(event).seen_by is not Event.seen_by:
                redacts = True
                break
        for session in self.sessions if audience is None else audience:
            place = session.place
            assert place is not None
            if redacts:
                seat = place.seat
                seen = tuple([view for event in events if (view := event.seen_by(seat)) is not None])
            if fact is None or redacts:
                fact = Fact(place, seq, at, public, seen, session is cause, shared, not redacts)
            else:  # the same for the next one, too: dialects make bytes of it at once, and keep nothing
                fact.place, fact.own = place, session is cause
            if waits:
                session.tail = batch
            try:
                for out in session.dialect.on_fact(fact):
                    if type(out) is bytes or not isinstance(out, Intent):
                        outputs.append((session, out))
                    else:
                        caused.append((session, out))
            except Exception:
                self._cut_off(session, batch)
        if type(entry) in _UNSEATS:
            for session in self.sessions[:]:
                if session.place is not None and session.place.lost:
                    self.detach(session)

    def conclude(self, batch: Batch) -> None:
        for session in self.sessions:
            if not session.dialect.concludes:
                continue
            try:
                for out in session.dialect.on_concluded():
                    if isinstance(out, Intent):
                        batch.caused.append((session, out))
                    else:
                        batch.outputs.append((session, out))
            except Exception:
                self._cut_off(session, batch)

    def _cut_off(self, session: Session, batch: Batch) -> None:
        """What happened can't be put into words for somebody. It has happened all the same: they have to look anew."""
        error_log.report("dialect", "what happened can't be told", table=self.table.id, dialect=session.dialect.name)
        batch.outputs.append((session, Hangup(1011, "something went wrong on the server")))

    def publish(self, summary: Summary) -> None:
        self.shell.board.change(summary)

    def counts(self) -> None:
        self.shell.scorekeeper.game_over()

    def end(self, session: Session, last: Hangup | HttpResponse) -> None:
        self.shell.end(session, last)

    def close(self) -> None:
        """Nobody comes back here."""
        self.shell.registry.remove(self)
        self.stop_timer()
        self.bots.forget_thoughts()
        for session in self.sessions:
            session.place = None
        self.sessions.clear()
        self.give_up_errand()

    # Time.

    def arm(self) -> None:
        """See to it that the table is looked at when something falls due."""
        if self.errand is not None:
            self.errand.look_again()
        try:
            # To ask for all that may fall due was a tenth of a move. Where only clocks can, a look at them is enough:
            # the end of an idle table moves away with every entry.
            if self._timer is not None and self.table.calm:
                for clock in self.table.clocks():
                    if clock.due < self._due:
                        break
                else:
                    return
            self._think()
            due = max(timekeeping.next_due(self.table, self.bots, self.shell.settings), self._rests_until)
        except Exception:
            error_log.report("table", "table can't tell what comes next", table=self.table.id)
            due = self.shell.time.now() + LONGEST_REST
        # A timer that goes off too early is cheaper than a new one for every move: it looks, and is set again.
        if self._timer is None or due < self._due:
            self.stop_timer()
            self._due = due
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(self.shell.time.until(due) + self.head_start(), self._wake)

    def _think(self) -> None:
        """Have those bots look ahead that are to move, and no others. Where several nodes could, the first one does."""
        bots, shell = self.bots, self.shell
        if shell.thinkers is None or not (bots.searching or bots.thoughts) or shell.closing:
            return
        now = shell.time.now()
        thinking = Thinking(bots, shell.thinkers, shell.dice, self._found)
        thinking.go_on(timekeeping.thinking(self.table, bots, now), now, not self.head_start(), self.opener or "")

    def _found(self) -> None:
        """A bot has found its move."""
        if not self.shell.closing and not self.stale:
            self.arm()

    def head_start(self) -> float:
        """Seconds that others have to see to what is due."""
        return 0.0

    def stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _wake(self) -> None:
        self._timer = None
        self.shell.turns.serve(self.payer, self._look)

    def _look(self) -> bool:
        """Let the first thing happen that is due; the next has a turn of its own."""
        shell = self.shell
        if self.stale or shell.closing or self.table.phase == "closed":
            return False
        try:
            self._think()
            table, now = self.table, shell.time.now()
            if table.starts_at is not None and table.starts_at <= now:
                found: Iterable[AnyEntry] = rulings.counted_down(table, luck.draw(table, shell.settings))
            else:
                found = timekeeping.fall_due(table, self.bots, shell.settings, now, shell.dice)
            if found:
                self.record(found)
            else:
                self.arm()
            self._stumbles = 0
        except Exception:
            error_log.report("table", "table can't go on", table=self.table.id, game=self.table.game.name)
            self._stumble()
        return False

    def _stumble(self) -> None:
        """What was due can't happen: a fault in the rules. Not to try it all the time is all that can be done; what
        people do, and the end of a table that everybody has left, is not held up by it."""
        self._stumbles += 1
        self._rests_until = self.shell.time.now() + min(LONGEST_REST, FIRST_REST << self._stumbles)
        self.mark_stale()
