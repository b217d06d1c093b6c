"""A room: a table and the connections around it. Here entries happen: applied, journaled, told, in this order.

What an entry makes known is held back until the journal says that it is safe (``Batch``). So a table can go on to
the next move while the last one is on its way to the disk, and still nobody hears of anything that could be lost.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol

from croupier.journal import Append, Journal, JournalDown, Record
from croupier.kernel import Dice, Event, Illegal
from croupier.tables import entries, error_log, luck, rulings, snapshot, timekeeping
from croupier.tables.board import Board
from croupier.tables.bots import Bots
from croupier.tables.dialect import Hangup, Output
from croupier.tables.entries import AnyEntry
from croupier.tables.intents import Intent
from croupier.tables.loading import load
from croupier.tables.notices import Fact, Refused, Reply
from croupier.tables.place import Place
from croupier.tables.public import public_record
from croupier.tables.purses import Purse
from croupier.tables.seat import Seat
from croupier.tables.session import Batch, Session
from croupier.tables.summary import Summary
from croupier.tables.table import Table
from croupier.tables.timekeeping import Settings, Time
from croupier.tables.turns import Turns, share_of_the_loop
from croupier.wire.http import HttpResponse

FIRST_REST, LONGEST_REST = 500, 60_000
"""Milliseconds before a table whose rules have failed tries again; twice as long every time, up to a minute."""


_UNSEATS = (entries.Left, entries.Gone, entries.Kicked)
"""After these, somebody may be at the table no more."""


BOTS_SHARE, BOTS_AT_ONCE = 0.05, 0.01
"""Of the event loop's time, and seconds of it at once: so much the tables of one address may use for what happens there
by itself, most of all for bots. What is more waits for its turn, and nobody waits for it."""


def bots_purse() -> Purse:
    return share_of_the_loop(BOTS_SHARE, BOTS_AT_ONCE)


class Shell(Protocol):
    """What rooms need of the server around them."""

    settings: Settings
    time: Time
    turns: Turns
    dice: Dice
    journal: Journal
    board: Board
    closing: bool

    def next_number(self) -> int:
        """Of a batch: those of all rooms are counted together."""

    def commit(self, append: Append) -> None:
        """Send entries to the journal."""

    def perform(self, session: Session, intent: Intent) -> None:
        """Carry out what a connection asks for."""

    def post(self, session: Session, told: Iterable[Output | Intent], after: Batch | None = None) -> None:
        """Tell one connection what its dialect has to say, in its turn."""

    def end(self, session: Session, last: Hangup | HttpResponse) -> None:
        """Say what nothing follows."""

    def update(self, room: Room) -> None:
        """Who is at the room's table has changed, or its code."""

    def remove(self, room: Room) -> None:
        """There is no such table any more."""


class Room:
    __slots__ = (
        "_due", "_reloading", "_rests_until", "_stumbles", "_timer", "bots", "holders", "opener", "payer",
        "sessions", "shell", "stale", "table", "tail",
    )  # fmt: skip

    def __init__(self, shell: Shell, table: Table, bots: Bots | None = None) -> None:
        self.shell = shell
        self.table = table
        self.bots = bots or Bots(table)
        self.sessions: list[Session] = []
        self.tail: Batch | None = None
        """The last batch that was sent to the journal."""
        self.stale = False
        """What is in memory is not what is in the journal: it has to be read again."""
        self.opener: str | None = None
        """The address that it was opened from, since the server has started."""
        self.holders: dict[str, str] = {}
        """From which addresses seats were taken since then, by the hashes of their secrets."""
        self.payer = bots_purse()
        """Who pays for what happens here by itself: the address it was opened from, if that is known."""
        self._stumbles = 0
        """How often in a row what was due could not happen."""
        self._rests_until = 0
        self._reloading: asyncio.Task[None] | None = None
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
        self.sessions.remove(session)

    def record(self, found: Iterable[AnyEntry], cause: Session | None = None) -> Batch:
        """Let entries happen. They are taken one by one, so that a later one may depend on what the first did.

        Raises ``Illegal`` when the rules refuse the first one, and then nothing has happened.
        """
        shell, table = self.shell, self.table
        at = max(shell.time.now(), table.at)
        batch = Batch(self, table.id, shell.next_number())
        requests: list[tuple[Session, Intent]] = []
        records: list[Record] = []
        batch.records = records
        known, games = table.summary, table.games
        try:
            for entry in self._with_aftermath(found):
                if type(entry) is entries.Opened:
                    batch.opens = entry.game
                if type(entry) is not entries.Moved and snapshot.belongs_before(entry, table):
                    batch.snapshot = snapshot.take(table)
                events = table.apply(entry, at)
                if not table.calm:
                    self.bots.follow(entry, events)
                elif self.bots.waits:
                    self.bots.waits = {}
                records.append(Record(table.seq, at, entries.encode(entry)))
                if self.sessions:
                    table.clocks()  # if the rules can't say, it is their fault, and not that of whoever is told
                    self._broadcast(entry, events, batch, cause, requests)
            self._conclude(batch, requests)
        except Exception as error:
            if records or not isinstance(error, Illegal):
                batch.done = batch.failed = True  # nobody is to wait for it
                self.mark_stale()
            raise
        self._rests_until = 0
        batch.closes = table.phase == "closed"
        if batch.closes:
            batch.public = public_record(table)
        if table.games > games:
            batch.ends = table.fingerprint()
        self.tail = batch
        shell.commit(batch)
        if batch.closes:
            self.close()
        else:
            self.arm()
        if table.summary is not known:
            self.shell.update(self)
            batch.summary = table.summary
        for session, request in requests:
            shell.perform(session, request)
        return batch

    def _with_aftermath(self, found: Iterable[AnyEntry]) -> Iterator[AnyEntry]:
        table = self.table
        for entry in found:
            games, phase = table.games, table.phase
            missed = rulings.missing(table) if phase == "waiting" else 0
            yield entry
            if table.phase != phase:
                if table.games > games:
                    yield from rulings.after_game(table)
                if "playing" in (phase, table.phase) and table.phase != "closed":
                    yield from self._attendance_changes()
            if table.phase == "closed":
                return
            if table.phase == "waiting":
                yield from rulings.countdown(table, entry, missed, self.shell.time.now())

    def _attendance_changes(self) -> Iterator[AnyEntry]:
        """The table waited and plays now, or the other way round: not everybody is there for both."""
        settings = self.shell.settings
        wait = settings.patience if self.table.phase == "playing" else settings.lobby_grace
        for seat in list(self.table.seats.values()):
            if seat.human and seat.present and self.connections(seat) and not self.attended(seat):
                yield from rulings.absent(self.table, seat, self.shell.time.now() + timekeeping.ms(wait))
            elif seat.human and not seat.present and self.attended(seat):
                yield from rulings.back(self.table, seat)

    def _broadcast(
        self,
        entry: AnyEntry,
        events: Sequence[Event],
        batch: Batch,
        cause: Session | None,
        requests: list[tuple[Session, Intent]],
    ) -> None:
        table, outputs = self.table, batch.outputs
        seq, at, public = table.seq, table.at, entry.public()
        shared: dict[Any, Any] = {}
        seen = tuple(events)
        # Redacting for each connection was a tenth of a move, and most events have nothing to hide.
        redacts = False
        for event in events:
            if type(event).seen_by is not Event.seen_by:
                redacts = True
                break
        for session in self.sessions:
            place = session.place
            assert place is not None
            if redacts:
                seat = place.seat
                seen = tuple([view for event in events if (view := event.seen_by(seat)) is not None])
            fact = Fact(place, seq, at, public, seen, session is cause, shared, not redacts)
            session.tail = batch
            try:
                for out in session.dialect.on_fact(fact):
                    if type(out) is bytes or not isinstance(out, Intent):
                        outputs.append((session, out))
                    else:
                        requests.append((session, out))
            except Exception:
                self._cut_off(session, batch)
        if type(entry) in _UNSEATS:
            for session in self.sessions[:]:
                if session.place is not None and session.place.lost:
                    self.detach(session)

    def _conclude(self, batch: Batch, requests: list[tuple[Session, Intent]]) -> None:
        for session in self.sessions:
            if not session.dialect.concludes:
                continue
            try:
                for out in session.dialect.on_concluded():
                    if isinstance(out, Intent):
                        requests.append((session, out))
                    else:
                        batch.outputs.append((session, out))
            except Exception:
                self._cut_off(session, batch)

    def _cut_off(self, session: Session, batch: Batch | None) -> None:
        """What happened can't be put into words for somebody. It has happened all the same: they have to look anew."""
        error_log.report("dialect", "what happened can't be told", table=self.table.id, dialect=session.dialect.name)
        hangup = Hangup(1011, "something went wrong on the server")
        if batch is None:
            self.shell.end(session, hangup)
        else:
            batch.outputs.append((session, hangup))

    def mention(self, entry: entries.Soft, cause: Session | None = None) -> None:
        """Tell everybody of something that is not for the log. It has no number of its own, and waits for nothing but
        what was told before: to be heard in its order, and at a table that is as it was when it happened."""
        shell, table = self.shell, self.table
        at = max(shell.time.now(), table.at)
        known = table.summary
        table.mention(entry, at)
        if self.stale:
            return  # all of it is told anew
        shared: dict[Any, Any] = {}
        for session in self.sessions[:]:
            place, dialect = session.place, session.dialect
            if place is None:
                continue
            try:
                fact = Fact(place, table.seq, at, entry, (), session is cause, shared, True)
                shell.post(session, dialect.on_fact(fact), self.tail)
                if dialect.concludes:
                    shell.post(session, dialect.on_concluded(), self.tail)
            except Exception:
                self._cut_off(session, None)
        if table.summary is not known:
            self.arm()
            if self.tail is None or self.tail.done:
                shell.board.change(table.summary)
            else:
                self.tail.summary = table.summary

    def publish(self, summary: Summary) -> None:
        self.shell.board.change(summary)

    def end(self, session: Session, last: Hangup | HttpResponse) -> None:
        self.shell.end(session, last)

    def close(self) -> None:
        """Nobody comes back here."""
        self.shell.remove(self)
        self._stop_timer()
        for session in self.sessions:
            session.place = None
        self.sessions.clear()

    # Time.

    def arm(self) -> None:
        """See to it that the table is looked at when something falls due."""
        try:
            # To ask for all that may fall due was a tenth of a move. Where only clocks can, a look at them is enough:
            # the end of an idle table moves away with every entry.
            if self._timer is not None and self.table.calm:
                for clock in self.table.clocks():
                    if clock.due < self._due:
                        break
                else:
                    return
            due = max(timekeeping.next_due(self.table, self.bots, self.shell.settings), self._rests_until)
        except Exception:
            error_log.report("table", "table can't tell what comes next", table=self.table.id)
            due = self.shell.time.now() + LONGEST_REST
        # A timer that goes off too early is cheaper than a new one for every move: it looks, and is set again.
        if self._timer is None or due < self._due:
            self._stop_timer()
            self._due = due
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(self.shell.time.until(due), self._wake)

    def _stop_timer(self) -> None:
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

    # When the journal fails, or the rules do.

    def failed(self, batch: Batch, error: Exception) -> None:
        """Entries did not get into the journal: they have not happened."""
        error_log.report("journal", "the journal refused entries", table=batch.table, error=str(error))
        refusal = Refused("unavailable", "that could not be written down, so it has not happened; try again")
        for session, intent, context in batch.requests:
            reply = Reply(intent, self.shell.time.now(), refusal, context=context)
            self.shell.post(session, session.dialect.on_refused(reply, refusal))
        self.mark_stale()

    def mark_stale(self) -> None:
        """Forget what is in memory, and go back to what the journal says."""
        self._stop_timer()
        self.stale = True
        if self._reloading is None:
            self._reloading = asyncio.get_running_loop().create_task(self._reload())

    @property
    def frozen(self) -> bool:
        """Whether there is no bringing it back before the server starts again."""
        return self.stale and self._reloading is None

    async def _reload(self) -> None:
        try:
            bots = await self._written()
            vars(self.table).update(vars(bots.table))
            bots.table, self.bots = self.table, bots
            self._resync()
        except Exception:
            self.stale = True
            error_log.report("table", "table can't be replayed and is frozen", table=self.table.id)
        finally:
            self._reloading = None

    async def _written(self) -> Bots:
        """The table and its bots as the journal says, when all that is on its way has arrived and it can be read."""
        wait = 1
        while True:
            tail = self.tail
            settled = tail is None or tail.done  # before it is read: what arrives meanwhile may not be seen
            try:
                ((bots, fault),) = await load(self.shell.journal, [Table(self.table.id, self.table.game)])
                if fault is not None:
                    raise fault
            except JournalDown as error:
                error_log.report("journal", "the journal can't be read", table=self.table.id, error=str(error))
                await asyncio.sleep(wait)
                wait = min(60, 2 * wait)
                continue
            if settled and self.tail is tail:
                return bots

    def _resync(self) -> None:
        """The table is what its log says: let everybody know."""
        table = self.table
        if table.seq == 0 or table.phase == "closed":
            self.close()
            return
        for session in self.sessions[:]:
            assert session.place is not None
            session.place = session.place.again()
            if session.place is None:
                self.sessions.remove(session)
            else:
                session.place.set_dialect(session.dialect.name)
        self.shell.update(self)
        table.soft.watchers = sum(1 for s in self.sessions if s.place is not None and s.place.seat is None)
        self.stale = False
        for session in self.sessions:
            assert session.place is not None
            self.shell.post(session, session.dialect.on_resync(session.place))
        self.arm()
        self._record_absences()

    def _record_absences(self) -> None:
        """Whose connection was lost while that could not be written down is away from now on."""
        settings = self.shell.settings
        wait = settings.lobby_grace if self.table.phase == "waiting" else settings.patience
        until = self.shell.time.now() + timekeeping.ms(wait)
        seats = self.table.seats.values()
        lost = [seat for seat in seats if seat.human and seat.present and not self.attended(seat)]
        if lost:
            self.record(entry for seat in lost for entry in rulings.absent(self.table, seat, until))
