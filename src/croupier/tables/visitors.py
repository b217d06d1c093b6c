"""Which connections people are at, and what has to be known there of how they stand to others."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from croupier.journal import Journal
from croupier.people import opinions
from croupier.tables.session import Session
from croupier.tables.visitor import Visitor


class Visitors:
    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._sessions: dict[str, set[Session]] = {}
        self._readings = itertools.count(1)

    async def enter(self, session: Session, visitor: Visitor) -> None:
        """Somebody has said who they are."""
        self.leave(session)
        session.visitor = visitor
        # Before it is read, so that nothing that changes meanwhile is missed.
        self._sessions.setdefault(visitor.person, set()).add(session)
        await self.renew((visitor.person,))
        if session.lost:
            self.leave(session)

    def leave(self, session: Session) -> None:
        visitor, session.visitor = session.visitor, None
        if visitor is None:
            return
        session.dialect.unheard = frozenset()
        others = self._sessions.get(visitor.person, set())
        others.discard(session)
        if not others:
            self._sessions.pop(visitor.person, None)

    def with_key(self, key: str) -> list[Session]:
        """The connections at which somebody has said who they are by the key of this hash."""
        everybody = (session for sessions in self._sessions.values() for session in sessions)
        return [session for session in everybody if session.visitor is not None and session.visitor.key == key]

    async def renew(self, persons: Iterable[str]) -> None:
        """Somebody thinks otherwise of somebody: read it again for those of them who are here."""
        for person in persons:
            if person not in self._sessions:
                continue
            reading = next(self._readings)
            relations = await opinions.relations(self._journal, person)
            for session in self._sessions.get(person, ()):
                visitor = session.visitor
                if visitor is not None and visitor.reading < reading:
                    session.visitor = visitor._replace(relations=relations, reading=reading)
                    session.dialect.unheard = relations.unheard
