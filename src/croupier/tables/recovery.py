"""When the journal fails, or somebody else was first, or the rules fail: a table is read from the journal again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import structlog

from croupier.journal import Conflict, JournalDown
from croupier.tables import error_log, intents, rulings
from croupier.tables.batch import Batch
from croupier.tables.bots import Bots
from croupier.tables.entries import AnyEntry
from croupier.tables.intents import Intent
from croupier.tables.loading import load
from croupier.tables.notices import Refused, Reply
from croupier.tables.seat import Seat
from croupier.tables.session import Session
from croupier.tables.shell import Errand, Shell
from croupier.tables.table import Table
from croupier.tables.wall_clock import ms

LONGEST_WAIT = 2
"""Seconds from one attempt to read a table to the next: the journal may be back, and nobody can play before."""

log = structlog.get_logger()


class Stale(Refused):
    """A table has to be read from the journal, or what was decided last has to get there, before anything else is."""

    def __init__(self, room: Recoverable) -> None:
        super().__init__("unavailable", "the table can't go on just now; try again in a moment")
        self.room = room


LOBBY = "lobby"
"""In the place of a table's name: the list of them."""


class Unknown(Refused):
    """There is no table of these names in this server's memory, and other nodes may know better."""

    def __init__(self, *names: str) -> None:
        super().__init__("no_such_table", "there is no such table, or it is closed")
        self.names = names


class Recoverable:
    """The part of a room that brings its table back."""

    __slots__ = ("_reloading", "bots", "errand", "sessions", "shell", "stale", "table", "tail", "unanswered")

    def __init__(self, shell: Shell, table: Table, bots: Bots | None = None) -> None:
        self.shell = shell
        self.table = table
        self.bots = bots or Bots(table)
        self.sessions: list[Session] = []
        self.tail: Batch | None = None
        """The last batch that was sent to the journal."""
        self.stale = False
        """What is in memory is not what is in the journal: it has to be read again."""
        self.unanswered: list[tuple[Session, Intent, Any]] | None = None
        """While what somebody else has written is being read: what is to be decided then."""
        self._reloading: asyncio.Task[None] | None = None
        self.errand: Errand | None = None

    def record(self, found: Iterable[AnyEntry], cause: Session | None = None) -> Batch | None:
        raise NotImplementedError

    def attended(self, seat: Seat) -> bool:
        raise NotImplementedError

    def arm(self) -> None:
        raise NotImplementedError

    def stop_timer(self) -> None:
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError

    def failed(self, batch: Batch, error: Exception) -> None:
        """Entries did not get into the journal: they have not happened."""
        if isinstance(error, Conflict):
            # Somebody else was first. What came between is read, and the same requests are decided again.
            log.info("another was first", table=batch.table)
            self.unanswered = self.unanswered or []
            for request in batch.requests:
                self.put_off(*request)
        else:
            error_log.report("journal", "the journal refused entries", table=batch.table, error=str(error))
            self.refuse(batch.requests)
        self.mark_stale()

    def refuse(self, requests: Sequence[tuple[Session, Intent, Any]]) -> None:
        refusal = Refused("unavailable", "that could not be written down, so it has not happened; try again")
        for session, intent, context in requests:
            reply = Reply(intent, self.shell.time.now(), refusal, context=context)
            self.shell.post(session, session.dialect.on_refused(reply, refusal))

    def mark_stale(self) -> None:
        """Forget what is in memory, and go back to what the journal says."""
        self.stop_timer()
        self.bots.forget_thoughts()
        self.give_up_errand()
        self.stale = True
        if self._reloading is None:
            self._reloading = asyncio.get_running_loop().create_task(self._reload())

    def give_up_errand(self) -> None:
        if self.errand is not None:
            self.errand.give_up()

    @property
    def frozen(self) -> bool:
        """Whether there is no bringing it back before the server starts again."""
        return self.stale and self._reloading is None

    async def _reload(self) -> None:
        unanswered: Sequence[tuple[Session, Intent, Any]] | None = None
        try:
            bots = await self._written()
            unanswered, self.unanswered = self.unanswered, None
            self._reloading = None
            self.replace(bots)
        except Exception:
            self.stale = True
            error_log.report("table", "table can't be replayed and is frozen", table=self.table.id)
            unanswered, self.unanswered = unanswered or self.unanswered, None
            self._reloading = None
        self.decide_again(unanswered or ())

    def put_off(self, session: Session, intent: Intent, context: Any) -> None:
        """This has to be decided when the table can go on."""
        assert self.unanswered is not None
        self.unanswered.append((session, intent, context))
        self.shell.defer(session)

    def put_off_departure(self, session: Session, leave: Callable[[], None]) -> None:
        """Somebody has gone: that is looked for when the table has been read again."""

    def decide_again(self, requests: Sequence[tuple[Session, Intent, Any]]) -> None:
        for session, intent, context in requests:
            self.shell.again(session, intents.Asked(intent=intent, context=context))

    def replace(self, bots: Bots) -> None:
        """The table is what its log says, and so are its bots."""
        self._keep_presence(bots.table)
        vars(self.table).update(vars(bots.table))
        bots.table, self.bots = self.table, bots
        self._resync()

    def _keep_presence(self, table: Table) -> None:
        """Hand on what no log says to the table that takes the place of this one."""
        table.soft = self.table.soft
        for token, seat in table.by_token.items():
            known = self.table.by_token.get(token)
            if known is not None:
                seat.away_since, seat.keeps_until, seat.dialect = known.away_since, known.keeps_until, known.dialect

    async def read(self) -> Bots:
        """The table as the journal says."""
        ((bots, fault),) = await load(self.shell.journal, [Table(self.table.id, self.table.game)])
        if fault is not None:
            raise fault
        return bots

    async def _written(self) -> Bots:
        """The table and its bots as the journal says, when all that is on its way has arrived and it can be read."""
        wait = 1
        while True:
            tail = self.tail
            settled = tail is None or tail.done  # before it is read: what arrives meanwhile may not be seen
            try:
                bots = await self.read()
            except JournalDown as error:
                error_log.report("journal", "the journal can't be read", table=self.table.id, error=str(error))
                unanswered, self.unanswered = self.unanswered, None
                self.refuse(unanswered or ())
                for session, _, _ in unanswered or ():
                    self.shell.undefer(session)
                await asyncio.sleep(wait)
                wait = min(LONGEST_WAIT, 2 * wait)
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
        self.shell.registry.update(self)
        table.soft.watchers = sum(1 for s in self.sessions if s.place is not None and s.place.seat is None)
        self.stale = False
        for session in self.sessions:
            assert session.place is not None
            self.shell.post(session, session.dialect.on_resync(session.place))
        self.arm()
        self._restore_presence()

    def _restore_presence(self) -> None:
        """Who came or went while that could not be written down did so just now."""
        settings = self.shell.settings
        wait = settings.lobby_grace if self.table.phase == "waiting" else settings.patience
        until = self.shell.time.now() + ms(wait)
        heeded = self.table.game.heeds_absence and self.table.phase == "playing"
        for seat in list(self.table.seats.values()):
            if not seat.human:
                continue
            if self.attended(seat):
                if not seat.present or seat.missed:
                    self.record(rulings.back(self.table, seat))
            elif seat.present or (heeded and not seat.missed):
                self.record(rulings.absent(self.table, seat, until))
