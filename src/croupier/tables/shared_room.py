"""A room at a table that other nodes may write at, too.

Here what has been decided is not certain before the journal has it: another node may have been first. So one thing is
decided at a time, everything that depends on it waits, and what was done in memory can be taken back. Then what came
between is read and told to everybody here, and the same request is decided again.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Sequence
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple

import structlog

from croupier.journal import Attending, Conflict, Directory, JournalDown, NameTaken, Record
from croupier.tables import directory, entries, error_log, intents, logbook, seeking, timekeeping
from croupier.tables.attended_room import UNSEEN_FOR, AttendedRoom, Node
from croupier.tables.batch import Batch
from croupier.tables.bots import Bots
from croupier.tables.entries import AnyEntry
from croupier.tables.intents import Intent
from croupier.tables.loading import load_until, read_after
from croupier.tables.place import Place
from croupier.tables.public import public_record
from croupier.tables.recovery import Stale
from croupier.tables.seat import Seat
from croupier.tables.session import Session, newer_elsewhere
from croupier.tables.shell import Shell
from croupier.tables.summary import Summary
from croupier.tables.table import Table
from croupier.tables.wall_clock import ms

MOST_RACES = 100
"""That a table may lose in a row before its requests are refused."""
PRESENCE = ("away_since", "keeps_until", "dialect")
"""Fields of a seat that no log speaks of."""

log = structlog.get_logger()


class SharedBatch(Batch):
    __slots__ = ("changed",)

    def __init__(self, room: SharedRoom, number: int, at: int, cause: Session | None) -> None:
        super().__init__(room, room.table.id, number, at, cause)
        self.then = []
        self.changed = False
        """Whether the house has to know who is there now."""

    def settled(self, error: Exception | None) -> None:
        room, caused = self.recorder, self.caused
        assert isinstance(room, SharedRoom)
        super().settled(error)
        if error is None:
            room.committed(self, caused)


class Saved(NamedTuple):
    """A connection before something that may turn out not to have happened."""

    session: Session
    place: Place | None
    memory: dict[str, Any]
    """What its dialect remembered."""


class SharedRoom(AttendedRoom):
    __slots__ = (
        "_audience",
        "_claims",
        "_heard",
        "_last_written",
        "_losses",
        "_news",
        "_saved",
        "_seats",
        "_sessions",
        "_told",
)  # fmt: skip

    def __init__(self, shell: Shell, node: Node, table: Table, bots: Bots | None = None) -> None:
        super().__init__(shell, node, table, bots)
        self._told = table.seq
        """The last entry that everybody here has been told."""
        self._saved: list[Saved] = []
        self._sessions: list[Session] = []
        self._seats: dict[str, Seat] = {}
        self._heard: list[Sequence[Record]] = []
        """What others have written, while something of ours is on its way."""
        self._news: list[Record] = []
        """What has been read and not been told."""
        self._losses = 0
        self._last_written: Sequence[Record] = ()
        """What was written last by this node."""
        self._audience = False
        """Whether another node has had the table in memory, too. Where none has, nobody is told what is written, which
        was a tenth of a move."""
        self._claims = True
        """Whether its number is its own, where people look for a game. (Nodes of the release before give it away.)"""

    # What is decided here.

    def record(self, found: Iterable[AnyEntry], cause: Session | None = None) -> Batch | None:
        if self.stale:
            raise Stale(self)
        self._save(cause)
        wanted = list(found)
        try:
            waits = super().record(wanted, cause)
        except Exception:
            if self.stale:  # the rules have failed in the midst of it: none of it has happened
                self._take_back(())
            raise
        for entry in wanted:
            if isinstance(entry, entries.Said | entries.Sounded | entries.Invited):
                self.node.mention(self.table.id, entry)
        return waits

    def new_batch(self, cause: Session | None) -> Batch:
        return SharedBatch(self, next(self.shell.batches), max(self.shell.time.now(), self.table.at), cause)

    def _save(self, cause: Session | None) -> None:
        self._told, self._seats, self._sessions = self.table.seq, self.table.by_token.copy(), self.sessions[:]
        sessions = self.sessions if cause is None or cause in self.sessions else [*self.sessions, cause]
        self._saved = [Saved(session, session.place, session.dialect.memento()) for session in sessions]

    def commit(self, batch: Batch) -> None:
        table = self.table
        # Only what this has changed is taken back: a dialect goes on reading meanwhile.
        for session, _, memory in self._saved:
            now = vars(session.dialect)
            for name in [name for name, value in memory.items() if now.get(name) is value]:
                del memory[name]
        batch.closes = table.phase == "closed"
        if batch.closes:
            batch.public = public_record(table)
        batch.due = None if self.findable else self.looked_at()  # to be found by an index makes an entry dearer
        self.stale, self.unanswered = True, []
        self.tail = batch
        self.shell.entries += len(batch.records)
        self.shell.journal.append(batch)

    def recorded(self, batch: Batch, changed: bool) -> None:
        if batch.records:
            assert isinstance(batch, SharedBatch)
            batch.changed = changed
        else:
            super().recorded(batch, changed)

    def committed(self, batch: SharedBatch, caused: Sequence[tuple[Session, Intent]]) -> None:
        """What was decided is in the journal: now everything follows that had to wait for it."""
        unanswered, heard = self._go_on()
        self._losses, self._last_written = 0, batch.records
        if self._audience:
            self.node.committed(self.table.id, batch.records)
        if batch.changed:
            self.shell.registry.update(self)
        if batch.closes:
            self.close()
        else:
            self.arm()
        # Answers first: they show the table, and what dialects want done now is not in the journal yet.
        for conclude in batch.then or ():
            conclude()
        for session, request in caused:
            self.shell.perform(session, request)
        if heard or self.meanwhile or batch.changed:  # seldom: a move says nothing of who is there
            self._settle(heard)
        self.decide_again(unanswered)

    def _settle(self, heard: Iterable[Sequence[Record]] = ()) -> None:
        """See to what has come meanwhile from other nodes, and who has gone."""
        for records in heard:
            self.hear(records)
        waiting, self.meanwhile = self.meanwhile, []
        for happens in waiting:
            happens()
        self.check()

    def put_off_departure(self, session: Session, leave: Callable[[], None]) -> None:
        self.meanwhile.append(leave)
        # Whatever becomes of what is on its way, they are not here: they may be at another table by now.
        self._sessions = [each for each in self._sessions if each is not session]
        self._saved = [saved for saved in self._saved if saved.session is not session]

    def attach(self, session: Session, place: Place) -> None:
        super().attach(session, place)
        if self.stale and session not in self._sessions:
            self._sessions.append(session)  # the next thing is on its way already, and may be taken back without them

    def _go_on(self) -> tuple[Sequence[tuple[Session, Intent, Any]], list[Sequence[Record]]]:
        """Something can be decided again: what waits for that, and what was heard meanwhile."""
        self.stale, self._saved, self._told = False, [], self.table.seq
        unanswered, self.unanswered = self.unanswered, None
        heard, self._heard = self._heard, []
        return unanswered or (), heard

    def failed(self, batch: Batch, error: Exception) -> None:
        self._take_back(batch.requests)
        waiting, self.unanswered = self.unanswered or [], []
        if isinstance(error, Conflict):
            self.node.lost_races += 1
            self._losses += 1
        if isinstance(error, Conflict) and self._losses <= MOST_RACES:
            waiting = [*batch.requests, *waiting]
        else:
            error_log.report("journal", "the journal refused entries", table=batch.table, error=str(error))
            self.refuse(batch.requests)
            for session, _, _ in batch.requests:
                self.shell.undefer(session)
        if batch.opens is None:
            self._claims = self._claims and not isinstance(error, NameTaken)
            self.unanswered = waiting
            self.mark_stale()
        else:
            self.unanswered = None
            self.shell.registry.remove(self)
            names = self.directory().names if isinstance(error, NameTaken) else ()
            self.node.forget(self.table.id)
            self.node.seek(names, lambda _: self.decide_again(waiting))

    def decide_again(self, requests: Sequence[tuple[Session, Intent, Any]]) -> None:
        super().decide_again(requests)
        if not self.stale:
            self._losses = 0  # whoever had lost has been answered: the next one begins anew

    def _take_back(self, requests: Sequence[tuple[Session, Intent, Any]]) -> None:
        """It has not happened: everybody here is where they were, and their dialects know nothing of it."""
        for session, place, memory in self._saved:
            if not session.lost:
                session.place = place
            session.dialect.revert(memory)
        self.sessions[:] = [session for session in self._sessions if not session.lost]
        for session, intent, _ in requests:
            if isinstance(intent, intents.Reclaim) and session in self.sessions:
                self.detach(session)
        self._saved = []

    # What is read again.

    async def read(self) -> Bots:
        journal, id = self.shell.journal, self.table.id
        bots, news = await load_until(journal, Table(id, self.table.game), self._told)
        # To play all of it again has taken a while, in which others have gone on: who does not look again loses the
        # next race as well, and all that follow.
        self._news = news + await read_after(journal, id, news[-1].seq if news else self._told)
        return bots

    def replace(self, bots: Bots) -> None:
        """The table as everybody here knows it; and then what they don't know yet."""
        self._take_back_seats(bots.table)
        bots.table.soft = self.table.soft
        vars(self.table).update(vars(bots.table))
        bots.table, self.bots = self.table, bots
        bots.look_again()
        self.node.catch_ups += 1
        news, self._news = self._news, []
        heard, self._heard = self._heard, []
        self.stale = False
        try:
            self._follow_all(news)
        except logbook.Newer as newer:
            self._give_up(str(newer))
        self._settle(heard)

    def _take_back_seats(self, table: Table) -> None:
        """Places go on referring to the seats that they know: they become what the log says."""
        known: dict[int, Seat] = {}
        for token, seat in table.by_token.items():
            old = self._seats.get(token)
            if old is not None:
                for field in Seat.__struct_fields__:
                    if field not in PRESENCE:
                        setattr(old, field, getattr(seat, field))
                known[id(seat)] = old
        table.seats = {number: known.get(id(seat), seat) for number, seat in table.seats.items()}
        table.by_token = {token: known.get(id(seat), seat) for token, seat in table.by_token.items()}
        table.host = table.host and known.get(id(table.host), table.host)
        table.cast = [known.get(id(seat), seat) for seat in table.cast]
        table.lineup = tuple(known.get(id(seat), seat) for seat in table.lineup)

    # What others have written.

    def hear(self, records: Sequence[Record]) -> None:
        """Another node has written this."""
        if self.stale:
            self._heard.append(records)
            return
        fresh = [record for record in records if record.seq > self.table.seq]
        if fresh and fresh[0].seq == self.table.seq + 1:
            if self.follow(fresh):
                self.check()
        elif fresh:
            self.catch_up()

    def catch_up(self) -> None:
        """Read what others have written."""
        if not self.stale:
            self.node.set_going(self.caught_up())

    def caught_up(self) -> Coroutine[Any, Any, None]:
        """From now on nothing is decided here until all is known that others have written."""
        self.stale, self.unanswered = True, []
        self.node.catch_ups += 1
        return self._catch_up()

    async def _catch_up(self) -> None:
        try:
            records = await read_after(self.shell.journal, self.table.id, self.table.seq)
        except JournalDown:
            records = []  # it is looked at again soon
        except Exception:
            self._save(None)
            self.mark_stale()
            return
        unanswered, heard = self._go_on()
        self.follow(records)
        self._settle(heard)
        self.decide_again(unanswered)

    def follow(self, records: Sequence[Record]) -> bool:
        """Let what others have written happen here, and tell everybody. Returns whether it may matter to who is there,
        which moves do not."""
        try:
            return self._follow_all(records)
        except logbook.Newer as newer:
            self._give_up(str(newer))
        except Exception:
            error_log.report("table", "what another node has written can't be followed", table=self.table.id)
            self._save(None)
            self.mark_stale()
        return False

    def _follow_all(self, records: Sequence[Record]) -> bool:
        known = self.table.summary
        for at, together in groupby(records, key=lambda record: record.at):
            self._follow(at, list(together))
        changed = self.table.summary is not known
        if changed:
            self.shell.registry.update(self)
            super().publish(self.table.summary)  # which the others know already
        if self.table.phase == "closed":
            self.close()
        elif records:
            self.arm()
        return changed

    def _follow(self, at: int, records: Sequence[Record]) -> None:
        table, shell = self.table, self.shell
        batch = SharedBatch(self, next(shell.batches), at, None)
        for record in records:
            entry, events = logbook.follow(table, record)
            if isinstance(entry, entries.Back | entries.Joined):
                self.came_elsewhere(table.seats[entry.seat])
            if not table.calm:
                self.bots.follow(entry, events)
            elif self.bots.waits:
                self.bots.waits = {}
            if self.sessions:
                self.broadcast(entry, events, batch)
        self.conclude(batch)
        self._told = table.seq
        self.tell(batch, False)
        for session, request in batch.caused:
            shell.perform(session, request)

    def hear_of(self, rows: Iterable[Attending]) -> None:
        rows = list(rows)
        if any(row.node not in (None, self.node.name) for row in rows):
            self.listened_to()
        super().hear_of(rows)

    def listened_to(self, new: bool = False) -> None:
        """Another node has the table in memory. It may have read it before what was written here last, of which nobody
        was told: it hears of that now, and reads what it has missed. ``new``: it has said so, and knows of nobody."""
        if new or not self._audience:
            self._audience = True
            self.node.committed(self.table.id, self._last_written)

    def _give_up(self, why: str) -> None:
        """A newer release has written what this one can't read. Nothing more is written here, and everybody is told to
        come back: another node can go on."""
        sessions, now = self.sessions[:], self.shell.time.now()
        for seat in self.table.seats.values():
            if self.connections(seat):
                seat.go_away(now, now + ms(self.shell.settings.restart_patience))
        for session in sessions:
            self.detach(session)
        self.report()
        self.stale = True
        self.stop_timer()
        self.bots.forget_thoughts()
        self.give_up_errand()
        self.shell.registry.remove(self)
        self.node.leave_to_others(self.table.id, why)
        for session in sessions:
            self.shell.send(session, newer_elsewhere(session))

    def mentioned(self, entry: AnyEntry) -> None:
        """Something has been said or heard at another node."""
        if not isinstance(entry, entries.Said | entries.Sounded | entries.Invited):
            return
        if self.stale:
            self.meanwhile.append(partial(self.mentioned, entry))
        elif entry.seat is None or entry.seat in self.table.seats:
            super().record([entry])

    # Time.

    def next_due(self) -> int | None:
        """When the table has to be looked at, if nobody has it in memory; None: nobody can tell."""
        try:
            if self.table.calm:
                return min((clock.due for clock in self.table.clocks()), default=None)
            return timekeeping.next_due(self.table, self.bots, self.shell.settings)
        except Exception:
            return None  # the rules fail: that is reported where it matters

    def looked_at(self) -> int | None:
        """When others have to look at the table if this node is gone. Soon, if nobody could know yet who is here."""
        due, soon = self.next_due(), self.shell.time.now() + UNSEEN_FOR
        present = any(seat.present for seat in self.table.people)
        return due if not present or (due is not None and due < soon) else soon

    def publish(self, summary: Summary) -> None:
        super().publish(summary)
        self.node.announce(summary)

    def close(self) -> None:
        super().close()
        self.node.forget(self.table.id)

    def listing(self, before: Summary) -> Directory | None:
        return self.directory()

    def directory(self) -> Directory:
        """How the table is found and shown, by all nodes."""
        summary = self.table.summary
        aliases = [name for known in self.node.aliases for name in known(summary)]
        claims = seeking.claims(summary) if self._claims else ()
        return directory.of(self.table, (*aliases, *claims))
