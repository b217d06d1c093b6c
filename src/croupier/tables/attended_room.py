"""A room at whose table people are by way of several nodes: who is where, and what it means that a node is gone."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Sequence
from functools import partial
from typing import Any, Protocol

from croupier.journal import Attending, Record
from croupier.tables import entries, history, rulings
from croupier.tables.bots import Bots
from croupier.tables.entries import AnyEntry
from croupier.tables.place import Place
from croupier.tables.room import Room
from croupier.tables.seat import Seat
from croupier.tables.session import Session
from croupier.tables.shell import Shell
from croupier.tables.summary import Summary
from croupier.tables.table import Table
from croupier.tables.wall_clock import ms
from croupier.tables.whereabouts import WATCHERS, Key, Whereabouts, kind_of

HEAD_START = 0.3
"""Seconds that a node has before the next one sees to what is due."""
UNSEEN_FOR = 5_000
"""Milliseconds after which somebody of whom no node has heard is not there."""
BOTH = kind_of(("waiting", "playing"))


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

    def touch(self, room: AttendedRoom) -> None:
        """Have it report who is there, when all is done that is done just now."""

    def attend(self, rows: Sequence[Attending]) -> None:
        """Write down and tell the others who is where."""

    def set_going(self, work: Coroutine[Any, Any, None]) -> None:
        """Have this done beside everything else."""

    def forget(self, table: str) -> None:
        """Nobody here wants to hear of it any more."""

    def leave_to_others(self, table: str, why: str) -> None:
        """A newer release has written what can't be read here: one of its nodes has to see to the table."""

    def rank(self, table: str, nodes: Iterable[str]) -> int:
        """How many of these nodes come before this one where something is to be done once."""


class AttendedRoom(Room):
    __slots__ = ("_mine", "_visited", "findable", "idle_since", "loaded_at", "meanwhile", "node", "presence")

    def __init__(self, shell: Shell, node: Node, table: Table, bots: Bots | None = None) -> None:
        super().__init__(shell, table, bots)
        self.node = node
        self.loaded_at = self.idle_since = shell.time.now()
        """Since when it is in memory; and when somebody was last here, where nobody is."""
        self.presence = Whereabouts(table.id, node.name)
        self.findable = False
        """Whether the journal knows of somebody here: if this node is gone, others find the table by its people. Until
        then, they find it by when it falls due."""
        self._mine: set[str] = set()
        """The secrets of those whose absence this node writes down: they were here, or at a node that is gone."""
        self._visited: set[Key] = set()
        """Who has come here since others were last told who is."""
        self.meanwhile: list[Callable[[], None]] = []
        """Who has gone while nothing could be decided, and what else was heard that is in no log."""

    def attended(self, seat: Seat) -> bool:
        if super().attended(seat):
            return True
        return self.presence.attended(seat.token or "", self.table.attended, self.node.alive)

    def attach(self, session: Session, place: Place) -> None:
        super().attach(session, place)
        seat = None if place.seat is None else self.table.seats[place.seat]
        if seat is not None and seat.token is not None:
            self._visited.add((seat.token, kind_of(session.dialect.attends)))
        self.node.touch(self)

    def remove(self, session: Session) -> None:
        super().remove(session)
        self.idle_since = self.shell.time.now()
        self.findable = self.findable and bool(self.sessions)
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
        now = self.shell.time.now()
        away = {token: (seat.away_since or now, seat.keeps_until) for seat, token in seats.items()}
        visited, self._visited = self._visited, set()
        rows = self.presence.update(here, visited, watchers, now, away)
        self._mine |= {token for token, _ in visited.union(here)}
        if rows:
            self.node.attend(rows)

    def hear_of(self, rows: Iterable[Attending]) -> None:
        """Who is at other nodes."""
        if self.stale:  # what is on its way may be taken back, and with it where everybody is
            self.meanwhile.append(partial(self.hear_of, list(rows)))
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
        rows = self.orphans()
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

    def orphans(self) -> list[Attending]:
        """Those whose node is gone."""
        return self.presence.orphaned(self.node.alive) + self._unseen(self.shell.time.now())

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

    def came_elsewhere(self, seat: Seat) -> None:
        """Somebody has come to another node: what is known here of where they were is out of date."""
        self._mine.discard(seat.token or "")
        self.presence.forget(seat.token or "")

    def head_start(self) -> float:
        others = self.presence.nodes(self.node.alive)
        return HEAD_START * self.node.rank(self.table.id, others) if others else 0.0
