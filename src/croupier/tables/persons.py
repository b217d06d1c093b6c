"""Who people are at the connections of this server, whatever they play: they say so, are signed out, banned, forgotten.

What is written down of them is in ``people``; here is what that means for who is connected.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Protocol

from croupier.journal import Journal, JournalDown
from croupier.people import bans, devices, identity, levels, privacy
from croupier.people.bans import Bans
from croupier.tables import error_log, keys
from croupier.tables.batch import Batch
from croupier.tables.forgetting import Forgetting
from croupier.tables.intents import Identify
from croupier.tables.node_messages import AboutPeople, Forgotten, Renewed, SignedOut
from croupier.tables.notices import Refused, Reply
from croupier.tables.session import Session
from croupier.tables.visitor import Visitor
from croupier.tables.visitors import Visitors

SIGNED_OUT = 4001
"""Why a connection ends whose device was signed out, for programs."""
BANNED = "you have been banned from this server"


class PersonShell(Protocol):
    """What is needed of the server around it."""

    journal: Journal

    def now(self) -> int:
        """The time of the tables."""

    def defer(self, session: Session) -> None:
        """A request has to wait, and with it whatever else this connection asks for."""

    def undefer(self, session: Session) -> None:
        """One of them has been decided."""

    def reply(self, session: Session, reply: Reply, after: Batch | None) -> None:
        """Answer a request."""


class Persons:
    def __init__(self, shell: PersonShell, tell: Callable[[AboutPeople], None] | None) -> None:
        """``tell`` tells the other nodes, where there are any."""
        self._shell = shell
        self._journal = shell.journal
        self._tell = tell or _nobody
        self.visitors = Visitors(shell.journal)
        self.bans = Bans()
        self.keepers: list[Callable[[str], None]] = []
        """Called with each closed table that is not what it was: they keep what is told of tables."""
        self._identifying: set[asyncio.Task[None]] = set()
        """The event loop itself holds on to none of them."""

    # Who they are.

    def identify(self, session: Session, intent: Identify, context: Any) -> None:
        """Find out who is at a connection; whatever else it asks for waits for that."""
        self._shell.defer(session)
        task = asyncio.get_running_loop().create_task(self._identify(session, intent, context))
        self._identifying.add(task)
        task.add_done_callback(self._identifying.discard)

    async def _identify(self, session: Session, intent: Identify, context: Any) -> None:
        refusal = person = None
        try:
            person = await self._let_in(session, intent.key)
        except Refused as why:
            refusal = why.with_traceback(None)
        except JournalDown:
            refusal = Refused("unavailable", "it can't be found out just now who you are; try again in a moment")
        except Exception:  # whatever it is, the connection must not wait for ever
            error_log.report("request", "request failed", request=type(intent).__name__)
            refusal = Refused("internal", "something went wrong on the server")
        if not session.lost:
            reply = Reply(intent, self._shell.now(), refusal, person=person, context=context)
            self._shell.reply(session, reply, None)
        self._shell.undefer(session)

    async def _let_in(self, session: Session, key: str) -> str:
        """Whose key it is. Raises ``Refused``."""
        person = await identity.recognise(self._journal, key)
        self.visitors.leave(session)
        if person is None:
            raise Refused("revoked", identity.SIGNED_OUT)
        self.check(person)
        plays = await levels.levels_of(self._journal, person)
        if not session.lost:
            await self.visitors.enter(session, Visitor(person, identity.hashed(key), plays))
            # Whoever has signed the device out meanwhile has not found this connection.
            if await identity.recognise(self._journal, key) != person:
                self.visitors.leave(session)
                raise Refused("revoked", identity.SIGNED_OUT)
        return person

    def sign_out(self, key: str) -> None:
        """The key of this hash is nobody's any more: whoever has said that they are somebody by it is not, here or at
        another node."""
        self.signed_out(key)
        self._tell(SignedOut(key))

    def signed_out(self, key: str) -> None:
        """The same, at this node."""
        for session in self.visitors.with_key(key):
            self.visitors.leave(session)
            session.close(SIGNED_OUT, identity.SIGNED_OUT)  # they find out why when they say again who they are

    # How they stand to others, and to the operator.

    async def renewed(self, what: Renewed) -> None:
        """Something is written down of people that holds at once, on all nodes."""
        self._tell(what)
        await self.renew(what)

    async def renew(self, what: Renewed) -> None:
        """The same, at this node."""
        if what.bans:
            await self.read_bans()
        await self.visitors.renew(what.persons)

    async def read_bans(self) -> None:
        if self.bans.set(await bans.read(self._journal)):
            for look in self.bans.changed:
                look()

    def check(self, person: str) -> None:
        """Whoever has been banned gets no seat, and none back. Raises ``Refused``."""
        if self.bans.of_person(person, self._shell.now()) is not None:
            raise Refused("banned", BANNED)

    # Those who go.

    async def forget(self, person: str) -> None:
        """Leave nothing of somebody but what others' games need. (At open tables they are in many memories: those have
        to be closed first.)"""
        tables = [id for id, closed_at in await privacy.sat_at(self._journal, person) if closed_at is not None]
        formerly = keys.new_id()
        for id in tables:
            forgetting = Forgetting(person, id)
            async for piece in self._journal.logs({id: 0}):
                if piece.error is not None:
                    raise piece.error
                forgetting.read(piece.records)
            told = await self._journal.public(id)
            record = None if told is None else forgetting.record(told)
            leaving = privacy.leave_table(person, formerly, id, forgetting.names, forgetting.log(), record)
            await self._journal.transact(leaving)
            self.changed(id)
            self._tell(Forgotten(id))
        known = await devices.listed(self._journal, person)
        await self._journal.transact(privacy.forget(person))
        await self._journal.scrub(tables)
        for device in known:
            self.sign_out(device.key)

    def changed(self, table: str) -> None:
        """What is told of a closed table is not what it was: whoever keeps something of it has to look again."""
        for forget in self.keepers:
            forget(table)


def _nobody(what: AboutPeople) -> None:
    """Is told where there are no other nodes."""
