"""Presence: which connection serves which place, and what it means at a table that somebody has none any more."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from croupier.tables import entries, rulings
from croupier.tables.batch import Batch
from croupier.tables.dialect import Output
from croupier.tables.entries import AnyEntry
from croupier.tables.intents import Intent
from croupier.tables.place import Place
from croupier.tables.registry import Registry
from croupier.tables.room import Room
from croupier.tables.seat import Seat
from croupier.tables.session import Session
from croupier.tables.settings import Settings
from croupier.tables.table import Table
from croupier.tables.wall_clock import ms

Post = Callable[[Session, Iterable[Output | Intent], Batch | None], None]
"""Tell one connection what its dialect has to say, not before the batch is safe."""


class Presence:
    def __init__(self, registry: Registry, settings: Settings, now: Callable[[], int], post: Post) -> None:
        self._registry = registry
        self._settings = settings
        self._now = now
        self._post = post
        self._by_token: dict[str, Session] = {}
        """The connections of those who have a secret before they have a seat, by its hash."""

    def lost(self, session: Session) -> None:
        """The connection is gone."""
        self.forget_token(session)
        self.vacate(session)

    def vacate(self, session: Session) -> None:
        """The connection serves no place any more."""
        old, session.place = session.place, None
        if old is not None:
            self.left(session, old)

    def left(self, session: Session, old: Place, taken: bool = False) -> None:
        """A connection has gone from this place: it is lost, or has another place now. ``taken``: a new seat."""
        room = self._registry.rooms.get(old.table)
        if room is None:
            return
        if session in room.sessions and (session.place is None or session.place.table != old.table):
            room.remove(session)
        if room.stale:
            room.put_off_departure(session, lambda: self.left(session, old, taken))
            return
        seat = room.table.seats.get(old.seat) if old.seat is not None else None
        if old.seat is None:
            room.record([entries.Unwatched()])
        elif seat is not None and old.holds(seat) and seat.present and not room.attended(seat):
            room.record(self._absence(session, room.table, seat, taken))

    def _absence(self, session: Session, table: Table, seat: Seat, taken: bool) -> Iterable[AnyEntry]:
        dialect = session.dialect
        moved_on = session.put_out or (session.place is not None and dialect.one_table)
        # Nobody holds the seats of several tables that wait for players; and some protocols' seats go with the line.
        # Who joins and hangs up, again and again, would keep all seats of the house.
        fleeting = taken or not dialect.keeps_seat or self._registry.limits.kept.full(session.address)
        fleeting = fleeting and table.phase == "waiting" and not table.lingers
        if moved_on or fleeting:
            return rulings.left(table, seat, closes=dialect.ends_with_host)
        if table.phase == "waiting":
            wait = self._settings.lobby_grace
        else:
            wait = self._settings.patience if dialect.patience is None else dialect.patience
        return rulings.absent(table, seat, self._now() + ms(wait))

    def take_back(self, session: Session, room: Room, seat: Seat, avatar: str | None = None) -> bool:
        """The seat's connection is this one now. Returns whether it had none that counts."""
        attends, handle = session.dialect.attends, session.dialect.handle
        for other in room.connections(seat):
            if other is not session and other.dialect.attends & attends:
                room.detach(other)
                self._post(other, other.dialect.on_replaced(), room.tail)
        # Whoever is awaited may have noticed before us that the line was dead.
        interrupted = room.table.alone is None and room.table.excusable(seat) is not None
        entered = room.table.attended in attends and (not seat.present or seat.stood_in or interrupted)
        if entered or handle not in (None, seat.handle) or avatar not in (None, seat.avatar):
            room.record(rulings.back(room.table, seat, handle, None if avatar == seat.avatar else avatar))
        return entered

    def bearer(self, secret: str) -> Session | None:
        """The connection of whoever has this secret, by its hash."""
        return self._by_token.get(secret)

    def set_token(self, session: Session, secret: str) -> None:
        """Whoever has this secret is at this connection now."""
        self.forget_token(session)
        self._by_token[secret] = session
        session.secret = secret

    def forget_token(self, session: Session) -> None:
        """Whoever was at the connection is not any more."""
        if session.secret is not None and self._by_token.get(session.secret) is session:
            del self._by_token[session.secret]
