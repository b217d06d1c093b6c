"""A room at a table that other nodes may write at, too.

Here what has been decided is not certain before the journal has it: another node may have been first. So one thing is
decided at a time, everything that depends on it waits, and what was done in memory can be taken back. Then what came
between is read and told to everybody here, and the same request is decided again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple, Protocol

import msgspec
import structlog

from croupier.journal import Attending, Conflict, Directory, JournalDown, NameTaken, Record
from croupier.tables import entries, error_log, history, intents, logbook, rulings, timekeeping
from croupier.tables.batch import Batch
from croupier.tables.bots import Bots
from croupier.tables.entries import AnyEntry
from croupier.tables.intents import Intent
from croupier.tables.loading import load_until, read_after
from croupier.tables.place import Place
from croupier.tables.public import public_record
from croupier.tables.recovery import Stale
from croupier.tables.registry import code_name, token_name
from croupier.tables.room import Room
from croupier.tables.seat import Seat
from croupier.tables.session import Session
from croupier.tables.shell import Shell
from croupier.tables.summary import Summary
from croupier.tables.table import Table
from croupier.tables.wall_clock import ms
from croupier.tables.whereabouts import WATCHERS, Key, Whereabouts, kind_of

MOST_RACES = 100
"""That a table may lose in a row before its requests are refused."""
HEAD_START = 0.3
"""Seconds that a node has before the next one sees to what is due."""
UNSEEN_FOR = 5_000
"""Milliseconds after which somebody of whom no node has heard is not there."""
BOTH = kind_of(("waiting", "playing"))
PRESENCE = ("away_since", "keeps_until", "dialect")
"""Fields of a seat that no log speaks of."""

log = structlog.get_logger()
_encode = msgspec.json.Encoder().encode


class Node(Protocol):
    """What a room needs of the node that it is at."""

    name: str
    alive: set[str]
    """The other nodes that can be heard of."""
    aliases: Sequence[Callable[[Summary], Sequence[str]]]
    lost_races: int
    catch_ups: int

    def committed(self, table: str, records: Sequence[Record]) -> None:
        """Tell the other nodes."""

    def mention(self, table: str, entry: AnyEntry) -> None:
        """Tell the other nodes what is in no log."""

    def announce(self, summary: Summary) -> None:
        """The table is to be shown to strangers like this, everywhere."""

    def seek(self, names: Sequence[str], then: Callable[[bool], None]) -> None:
        """Read the open tables of these names, and then do this; it is told whether they could be read."""

    def touch(self, room: SharedRoom) -> None:
        """Have it report who is there, when all is done that is done just now."""

    def attend(self, rows: Sequence[Attending]) -> None:
        """Write down and tell the others who is where."""

    def forget(self, table: str) -> None:
        """Nobody here wants to hear of it any more."""

    def rank(self, table: str, nodes: Iterable[str]) -> int:
        """How many of these nodes come before this one where something is to be done once."""


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


class SharedRoom(Room):
    __slots__ = (
        "_departures",
        "_heard",
        "_losses",
        "_mine",
        "_news",
        "_saved",
        "_seats",
        "_sessions",
        "_told",
        "_visited",
        "idle_since",
        "loaded_at",
        "node",
        "presence",
    )  # fmt: skip

    def __init__(self, shell: Shell, node: Node, table: Table, bots: Bots | None = None) -> None:
        super().__init__(shell, table, bots)
        self.node = node
        self.loaded_at = self.idle_since = shell.time.now()
        """When somebody was last here, where nobody is."""
        self.presence = Whereabouts(table.id, node.name)
        self._mine: set[str] = set()
        """The secrets of those whose absence this node writes down: they were here, or at a node that is gone."""
        self._visited: set[Key] = set()
        """Who has come here since others were last told who is."""
        self._told = table.seq
        """The last entry that everybody here has been told."""
        self._saved: list[Saved] = []
        self._sessions: list[Session] = []
        self._seats: dict[str, Seat] = {}
        self._departures: list[Callable[[], None]] = []
        """Who has gone meanwhile, and what else was heard that is in no log."""
        self._heard: list[Sequence[Record]] = []
        """What others have written, while something of ours is on its way."""
        self._news: list[Record] = []
        """What has been read and not been told."""
        self._losses = 0

    # What is decided here.

    def record(self, found: Iterable[AnyEntry], cause: Session | None = None) -> Batch | None:
        if self.stale:
            raise Stale(self)
        self._save(cause)
        wanted = list(found)
        waits = super().record(wanted, cause)
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
        if batch.summary is not None:
            batch.directory = self.directory()
        batch.due = self.next_due()
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
        self._losses = 0
        self.node.committed(self.table.id, batch.records)
        if batch.changed:
            self.shell.registry.update(self)
        if batch.closes:
            self.close()
        else:
            self.arm()
        for session, request in caused:
            self.shell.perform(session, request)
        for conclude in batch.then or ():
            conclude()
        self._settle(heard)
        self.decide_again(unanswered)

    def _settle(self, heard: Iterable[Sequence[Record]] = ()) -> None:
        """See to what has come meanwhile from other nodes, and who has gone."""
        for records in heard:
            self.hear(records)
        departures, self._departures = self._departures, []
        for leave in departures:
            leave()
        self.check()

    def put_off_departure(self, session: Session, leave: Callable[[], None]) -> None:
        self._departures.append(leave)
        # Whatever becomes of what is on its way, they are not here: they may be at another table by now.
        self._sessions = [each for each in self._sessions if each is not session]
        self._saved = [saved for saved in self._saved if saved.session is not session]

    def _go_on(self) -> tuple[Sequence[tuple[Session, Intent, Any]], list[Sequence[Record]]]:
        """Something can be decided again: what waits for that, and what was heard meanwhile."""
        self.stale, self._saved, self._told = False, [], self.table.seq
        unanswered, self.unanswered = self.unanswered, None
        heard, self._heard = self._heard, []
        return unanswered or (), heard

    def failed(self, batch: Batch, error: Exception) -> None:
        self._take_back(batch)
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
            self.unanswered = waiting
            self.mark_stale()
        else:
            self.unanswered = None
            self.shell.registry.remove(self)
            names = self.directory().names if isinstance(error, NameTaken) else ()
            self.node.forget(self.table.id)
            self.node.seek(names, lambda _: self.decide_again(waiting))

    def _take_back(self, batch: Batch) -> None:
        """It has not happened: everybody here is where they were, and their dialects know nothing of it."""
        for session, place, memory in self._saved:
            if not session.lost:
                session.place = place
            session.dialect.revert(memory)
        self.sessions[:] = [session for session in self._sessions if not session.lost]
        for session, intent, _ in batch.requests:
            if isinstance(intent, intents.Reclaim) and session in self.sessions:
                self.detach(session)
        self._saved = []

    # What is read again.

    async def read(self) -> Bots:
        bots, self._news = await load_until(self.shell.journal, Table(self.table.id, self.table.game), self._told)
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
        self.stale = False
        self._heard.clear()
        self.follow(news)
        self._settle()

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
            self.follow(fresh)
            self.check()
        elif fresh:
            self.catch_up()

    def catch_up(self) -> None:
        """Read what others have written."""
        if not self.stale:
            self.stale, self.unanswered = True, []
            self.node.catch_ups += 1
            asyncio.get_running_loop().create_task(self._catch_up())

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

    def follow(self, records: Sequence[Record]) -> None:
        """Let what others have written happen here, and tell everybody."""
        try:
            for at, together in groupby(records, key=lambda record: record.at):
                self._follow(at, list(together))
        except Exception:
            error_log.report("table", "what another node has written can't be followed", table=self.table.id)
            self._save(None)
            self.mark_stale()
            return
        if records:
            self.shell.registry.update(self)
            self.publish(self.table.summary)
        if self.table.phase == "closed":
            self.close()
        elif records:
            self.arm()

    def _follow(self, at: int, records: Sequence[Record]) -> None:
        table, shell = self.table, self.shell
        batch = SharedBatch(self, next(shell.batches), at, None)
        for record in records:
            entry, events = logbook.follow(table, record)
            if isinstance(entry, entries.Back | entries.Joined):
                self._is_elsewhere(table.seats[entry.seat])
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

    def _is_elsewhere(self, seat: Seat) -> None:
        """Somebody has come to another node: what is known here of where they were is out of date."""
        self._mine.discard(seat.token or "")
        self.presence.forget(seat.token or "")

    def mentioned(self, entry: AnyEntry) -> None:
        """Something has been said or heard at another node."""
        if not isinstance(entry, entries.Said | entries.Sounded | entries.Invited):
            return
        if self.stale:
            self._departures.append(partial(self.mentioned, entry))
        elif entry.seat is None or entry.seat in self.table.seats:
            super().record([entry])

    # Who is there.

    def attended(self, seat: Seat) -> bool:
        if super().attended(seat):
            return True
        return self.presence.attended(seat.token or "", self.table.attended, self.node.alive)

    def attach(self, session: Session, place: Place) -> None:
        super().attach(session, place)
        if self.stale and session not in self._sessions:
            self._sessions.append(session)  # the next thing is on its way already, and may be taken back without them
        seat = None if place.seat is None else self.table.seats[place.seat]
        if seat is not None and seat.token is not None:
            self._visited.add((seat.token, kind_of(session.dialect.attends)))
        self.node.touch(self)

    def remove(self, session: Session) -> None:
        super().remove(session)
        self.idle_since = self.shell.time.now()
        self.node.touch(self)

    def report(self) -> None:
        """Write down who is here, if that has changed."""
        if self.stale:
            return  # it is asked for again
        seats = {seat: token for token, seat in self.table.by_token.items()}
        here: list[Key] = []
        for seat, token in seats.items():
            here += [(token, kind_of(session.dialect.attends)) for session in self.connections(seat)]
        watchers = sum(1 for session in self.sessions if session.place is not None and session.place.seat is None)
        kept = {token: seat.keeps_until for seat, token in seats.items()}
        visited, self._visited = self._visited, set()
        rows = self.presence.update(here, visited, watchers, self.shell.time.now(), kept)
        self._mine |= {token for token, _ in visited.union(here)}
        if rows:
            self.node.attend(rows)

    def hear_of(self, rows: Iterable[Attending]) -> None:
        """Who is at other nodes."""
        if self.stale:  # what is on its way may be taken back, and with it where everybody is
            self._departures.append(partial(self.hear_of, list(rows)))
            return
        for token, kind in self.presence.hear(rows):
            seat = self.table.by_token.get(token)
            for session in [] if seat is None else self.connections(seat):
                if kind_of(session.dialect.attends) == kind:
                    self.detach(session)
                    self.shell.post(session, session.dialect.on_replaced())
            self._mine.discard(token)
        self.check()

    def check(self) -> None:
        """See whether everybody is there who is said to be, and the other way round."""
        table, now = self.table, self.shell.time.now()
        for seat in list(table.seats.values()):
            if self.stale or table.phase == "closed":
                return
            if seat.human and (found := self._whereabouts(seat, now)):
                self.record(found)
        if not self.stale:
            self._count_watchers()
            self.node.touch(self)

    def _whereabouts(self, seat: Seat, now: int) -> list[AnyEntry]:
        """What has to happen since somebody is there, or is not."""
        here, token = super().attended(seat), seat.token or ""
        heeded = self.table.game.heeds_absence and self.table.phase == "playing"
        if here or self.attended(seat):
            found: list[AnyEntry] = rulings.back(self.table, seat) if not seat.present or seat.missed else []
        elif seat.present or (heeded and not seat.missed):
            row, settings = self.presence.last_seen(token), self.shell.settings
            patience = settings.lobby_grace if self.table.phase == "waiting" else settings.patience
            until = row.until if row is not None and row.node is None else now + ms(patience)
            gone = token in self._mine or (row is not None and row.node is None)
            found = rulings.absent(self.table, seat, until) if gone else []
            here = token in self._mine
        else:
            found = []
        # What has to be in the log is written by whoever has the connection, or had it.
        return found if here or not any(history.belongs(entry, self.table) for entry in found) else []

    def _count_watchers(self) -> None:
        sessions = self.sessions
        here = sum(1 for session in sessions if session.place is not None and session.place.seat is None)
        differ = here + self.presence.watchers(self.node.alive) - self.table.soft.watchers
        for _ in range(abs(differ)):
            super().record([entries.Watched() if differ > 0 else entries.Unwatched()])

    def adopt(self) -> None:
        """People of a node that is gone: they are absent from now on, and get the time to come back."""
        now, settings = self.shell.time.now(), self.shell.settings
        rows = self.presence.orphaned(self.node.alive) + self._unseen(now)
        others = self.presence.nodes(self.node.alive)
        first = not others or (self.sessions and self.node.rank(self.table.id, others) == 0)
        if self.stale or not rows or not first:
            return
        kept = now + ms(settings.restart_patience)
        gone = [row._replace(node=None, since=now, until=0 if row.token == WATCHERS else kept) for row in rows]
        self.presence.hear(gone)
        self._mine |= {row.token for row in gone}
        self.node.attend(gone)
        if self.table.phase == "playing":
            self.record([entries.Resumed(now + ms(settings.restart_grace), kept, entries.EDITION, who=())])
        self.check()

    def _unseen(self, now: int) -> list[Attending]:
        """Who has a seat, and nobody has ever seen them: the journal comes from a server that wrote down nothing of
        the kind; or their node was killed in the very moment in which they sat down."""
        if now - max(self.table.at, self.loaded_at) < UNSEEN_FOR:
            return []
        seats = [seat for seat in self.table.seats.values() if seat.human and seat.present and seat.token is not None]
        known = self._mine | {row.token for row in self.presence.elsewhere.values()}
        return [Attending(self.table.id, seat.token, BOTH, "", 0, 0) for seat in seats if seat.token not in known]  # type: ignore[arg-type]

    def restore_presence(self, rows: Sequence[Attending]) -> None:
        """A table that was just read: who is there, and since when the others are not."""
        self.presence.hear(rows)
        for seat in self.table.seats.values():
            row = self.presence.last_seen(seat.token or "")
            if row is not None and row.node is None:
                seat.go_away(row.since, row.until)
        self.table.soft.watchers = self.presence.watchers(self.node.alive)
        self.adopt()
        if not self.stale:
            self.arm()

    # Time.

    def next_due(self) -> int | None:
        """When the table has to be looked at, if nobody has it in memory; None: nobody can tell."""
        try:
            if self.table.calm:
                return min((clock.due for clock in self.table.clocks()), default=None)
            return timekeeping.next_due(self.table, self.bots, self.shell.settings)
        except Exception:
            return None  # the rules fail: that is reported where it matters

    def head_start(self) -> float:
        others = self.presence.nodes(self.node.alive)
        return HEAD_START * self.node.rank(self.table.id, others) if others else 0.0

    def publish(self, summary: Summary) -> None:
        super().publish(summary)
        self.node.announce(summary)

    def close(self) -> None:
        super().close()
        self.node.forget(self.table.id)

    def directory(self) -> Directory:
        """How the table is found and shown, by all nodes."""
        table, summary = self.table, self.table.summary
        names = [token_name(token) for token in table.by_token]
        names += [name for aliases in self.node.aliases for name in aliases(summary)]
        if table.code:
            names.append(code_name(table.game.name, table.code))
        free = len(rulings.free_seats(table)) if table.phase == "waiting" else 0
        return Directory(tuple(names), table.phase, summary.lobby.listed, free, _encode(summary))
