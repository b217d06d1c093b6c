"""One of several nodes that share a journal: what it hears of the others, and what it tells them.

The journal is the truth, and the bus a hint: whatever is not heard is read, sooner or later. No table belongs to a
node. Each has those in memory that somebody is at, and they agree without a word on who goes first where something is
to be done once: by hashing their names with the table's.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence, Set
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import Any, Protocol

import msgspec
import structlog

from croupier.bus import Bus
from croupier.bus.silent import SilentBus
from croupier.journal import Append, Attending, JournalDown, Record, SharedJournal
from croupier.tables import entries, error_log, node_messages
from croupier.tables.attended_room import AttendedRoom
from croupier.tables.board import LobbyQuery
from croupier.tables.bots import Bots
from croupier.tables.entries import AnyEntry
from croupier.tables.fetching import Fetcher
from croupier.tables.loading import report_missing_games
from croupier.tables.node_messages import (
    LISTENS,
    AboutPeople,
    Attended,
    Committed,
    Forgotten,
    Mentioned,
    Renewed,
    SignedOut,
)
from croupier.tables.persons import Persons
from croupier.tables.recovery import LOBBY
from croupier.tables.registry import Registry
from croupier.tables.room import Room
from croupier.tables.shared_room import SharedRoom
from croupier.tables.shell import Shell
from croupier.tables.summary import Summary
from croupier.tables.table import AnyGame, Table

BEAT_EVERY = 1.0
"""Seconds from one sign of life to the next, and from one look for what nobody has in memory to the next."""
LOOK_EVERY = 5.0
"""Seconds after which the journal is asked whether a table is still where it is in memory; with each beat while any
node is off the bus."""
DOZE = 2.5
"""Seconds without a sign of life of one's own, after which nobody else is taken for gone for as long."""
KEPT_FOR = 5_000
"""Milliseconds that a table without anybody stays in memory."""
AT_ONCE = 50
"""Tables that are taken over at a time."""
LISTED = 1000
"""Tables that are shown to strangers, and kept in mind for that."""
BANS_EVERY = 5.0
"""Seconds after which the journal is asked who is banned: a message of that may have been missed."""
NODES, PEOPLE = "nodes", "people"

log = structlog.get_logger()


_encode_summary = msgspec.json.Encoder().encode
_decode_summary = msgspec.json.Decoder(Summary).decode


class ClusterShell(Shell, Protocol):
    """What a node needs of the house in it."""

    games: Mapping[str, AnyGame]

    @property
    def registry(self) -> Registry: ...

    persons: Persons


class Cluster:
    def __init__(self, name: str, journal: SharedJournal) -> None:
        self.name = name
        self.aliases: Sequence[Callable[[Summary], Sequence[str]]] = ()
        """By what protocols find a table besides."""
        self.bus: Bus = SilentBus()
        self._journal = journal
        self.alive: set[str] = set()
        self.about = b""
        """What the others should know of this node."""
        self.nodes: dict[str, bytes] = {}
        """What the others that are alive have said of themselves."""
        self._deaf = False
        """Whether any node, this one or another, is off the bus."""
        self.lost_races = self.catch_ups = 0
        self._beaten = self._awake_since = monotonic()
        self._shell: ClusterShell
        self._tasks: set[asyncio.Task[None]] = set()
        """The event loop itself holds on to none of them."""
        self._fetcher = Fetcher(self, journal)
        self._touched: dict[str, AttendedRoom] = {}
        self._rows: list[Attending] = []
        """Who has come and gone, not yet written down."""
        self._undated: set[str] = set()
        """Tables of which it is not yet written down when others have to look at them."""
        self._writing: asyncio.Task[None] | None = None
        self._since = 0
        """The moment of the journal's clock up to which the lobby is known."""
        self._reading: asyncio.Task[None] | None = None
        self._next_reading: asyncio.Task[None] | None = None
        self._doubted: list[tuple[Room, Callable[[], None]]] = []
        """Rooms that are to be compared with the journal, and what is done then."""
        self._confirming: asyncio.Task[None] | None = None
        self._overdue: dict[str, int] = {}
        """Tables that nobody has in memory and somebody should: how often that was so in a row."""
        self._puzzled = False
        """Whether something was heard that this release does not understand."""
        self._suspects: set[str] = set()
        """Tables at which something may have been missed."""
        self._missed = False
        """Whether that is so at all of them."""
        self._doubt = asyncio.Event()

    @property
    def registry(self) -> Registry:
        return self._shell.registry

    @property
    def too_new(self) -> Set[str]:
        return self._fetcher.too_new

    @property
    def games(self) -> Mapping[str, AnyGame]:
        return self._shell.games

    async def open(self, shell: ClusterShell) -> None:
        """Become one of the nodes."""
        self._shell = shell
        await self._beat()
        _, self._since = await self._journal.changed(0, 0)
        report_missing_games(await self._journal.open_by_game(), shell.games)
        for row in await self._journal.lobby(list(shell.games), limit=LISTED):
            self._show(row)
        self.bus.subscribe(LOBBY, self._show)
        self.bus.subscribe(NODES, self._heard_of_node)
        self.bus.subscribe(PEOPLE, self._heard_of_people)
        routines: Sequence[tuple[Callable[[], Awaitable[None]], float]] = (
            (self._pulse, BEAT_EVERY),
            (self._sweep, BEAT_EVERY),
            (self._compare, LOOK_EVERY),
            (shell.persons.read_bans, BANS_EVERY),
        )
        for work, every in routines:
            self.set_going(self._again_and_again(work, every))

    async def close(self) -> None:
        """Hand everybody on: the others know at once that this node is none any more."""
        for task in list(self._tasks):
            task.cancel()
        try:
            await self._journal.attendance.retire(self.name)
        except JournalDown:
            log.warning("the others will notice by themselves that this node is gone")
        self.bus.publish(NODES, self.name.encode())
        await self.bus.close()

    def set_going(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def gap(self) -> None:
        """The bus may have lost something."""
        self._missed = True
        self._doubt.set()

    def _suspect(self, table: str) -> None:
        self._suspects.add(table)
        self._doubt.set()

    async def _again_and_again(self, work: Callable[[], Awaitable[None]], every: float) -> None:
        while True:
            try:
                if work == self._compare:
                    await self._until_in_doubt(every)
                else:
                    await asyncio.sleep(every)
                await work()
            except JournalDown:
                pass  # which is reported by the journal itself
            except Exception:
                error_log.report("server", "a node's routine has failed", routine=work.__name__)

    async def _until_in_doubt(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._doubt.wait()
        except TimeoutError:
            self._missed = True
        self._doubt.clear()

    # Nodes.

    async def _pulse(self) -> None:
        await self._beat()
        if self._deaf:
            self.gap()

    async def _beat(self) -> None:
        nodes = await self._journal.attendance.beat(self.name, self.about, self.bus.fault is not None)
        self._deaf = any(node.deaf for node in nodes.values())
        self.nodes = {name: node.about for name, node in nodes.items() if name != self.name}
        alive = set(self.nodes)
        # After a while without the journal, or asleep, the others' last signs of life are as old as one's own.
        now, last = monotonic(), self._beaten
        self._beaten = now
        if now - last > DOZE:
            self._awake_since = now
        if now - self._awake_since < DOZE:
            alive |= self.alive
        gone, self.alive = self.alive - alive, alive
        if gone:
            await self._take_over()

    def _heard_of_node(self, name: bytes) -> None:
        """Another node says that it is going down."""
        self.alive.discard(name.decode(errors="replace"))
        self.nodes.pop(name.decode(errors="replace"), None)
        self.set_going(self._take_over())

    async def _take_over(self) -> None:
        """Some nodes are gone: see to those who were there."""
        with suppress(JournalDown):
            await self._adopt(self._rooms())
            await self._sweep()

    async def _adopt(self, rooms: Iterable[SharedRoom]) -> None:
        """See to those whose node is gone. What it wrote last may not have been heard of: that is read first, and they
        are seen to the next time."""
        orphaned = {room.table.id: room for room in rooms if room.orphans()}
        positions = await self._journal.positions(list(orphaned)) if orphaned else {}
        for id, room in orphaned.items():
            if positions.get(id) == room.table.seq:
                room.adopt()
            else:
                room.catch_up()

    def rank(self, table: str, nodes: Iterable[str]) -> int:
        """Rendezvous hashing: every node comes to the same order, and each table has another."""

        def weight(node: str) -> bytes:
            return hashlib.blake2b(f"{table} {node}".encode(), digest_size=8).digest()

        own = weight(self.name)
        return sum(weight(node) > own for node in nodes if node != self.name)

    # People.

    def tell_of_people(self, what: AboutPeople) -> None:
        """Who does not hear of it finds it in the journal, the next time that they look."""
        self.bus.publish(PEOPLE, node_messages.encode(what))

    def _heard_of_people(self, message: bytes) -> None:
        match node_messages.understand_of_people(message):
            case Renewed() as what:
                self.set_going(self._renew(what))
            case SignedOut(key):
                self._shell.persons.signed_out(key)
            case Forgotten(table):
                self._shell.persons.changed(table)
            case None:
                self._wonder(PEOPLE)

    async def _renew(self, what: Renewed) -> None:
        with suppress(JournalDown):  # which is reported by the journal itself
            await self._shell.persons.renew(what)

    # Tables.

    def new_room(self, table: Table, bots: Bots | None = None) -> SharedRoom:
        room = SharedRoom(self._shell, self, table, bots)
        # What comes between reading a table and hearing of it may be missed; of a new one there is nothing to miss.
        confirmed = None if table.seq == 0 else partial(self._listens, table.id)
        self.bus.subscribe(table.id, partial(self._heard, room), confirmed)
        return room

    def _listens(self, table: str) -> None:
        """Say so to the others who have that table: from now on they tell what they write."""
        self.bus.publish(table, node_messages.encode(LISTENS))
        self._suspect(table)

    def _rooms(self) -> Iterable[SharedRoom]:
        return (room for room in self.registry.rooms.values() if isinstance(room, SharedRoom))

    def seek(self, names: Sequence[str], then: Callable[[bool], None]) -> None:
        async def fetch() -> None:
            then(await self.fetch(names))

        self.set_going(fetch())

    async def fetch(self, names: Sequence[str]) -> bool:
        """Have the open tables of these names in memory. Returns whether it could be found out which there are."""
        missing = [name for name in names if name not in self.registry.rooms and name != LOBBY]
        try:
            if LOBBY in names:
                await self._refresh()
        except JournalDown:
            return False
        return not missing or await self._fetcher.fetch(missing)

    def admit(self, bots: Bots, rows: Sequence[Attending]) -> None:
        """A table was read, and who is there."""
        table, registry = bots.table, self.registry
        if table.phase == "closed" or table.id in registry.rooms:
            return
        room = self.new_room(table, bots)
        registry.rooms[table.id] = room
        registry.update(room)
        self._shell.time.not_before(table.at)
        room.restore_presence(rows)

    def leave_to_others(self, table: str, why: str) -> None:
        self._fetcher.leave_to_others(table, why)
        self.forget(table)

    async def attending(self, tables: Sequence[str]) -> list[Attending]:
        """Who is at these tables, by way of any node."""
        rows = await self._journal.attendance.attending(tables)
        if {row.node for row in rows} - self.alive - {self.name, None}:
            await self._beat()  # whoever has just come is not to be taken for gone
        return rows

    def forget(self, table: str) -> None:
        self.bus.unsubscribe(table)
        self._touched.pop(table, None)

    async def _drop(self, room: SharedRoom) -> None:
        """Nobody is here any more: the table is in the journal, with when it has to be looked at."""
        await self._journal.set_due({room.table.id: room.looked_at()})
        if not room.sessions and not room.stale:
            self.forget(room.table.id)
            room.stop_timer()
            room.bots.forget_thoughts()
            self.registry.remove(room)

    # What is heard, and told.

    def _heard(self, room: SharedRoom, message: bytes) -> None:
        told = node_messages.understand(message)
        room.listened_to(new=told == LISTENS)
        match told:
            case Committed(records):
                room.hear([Record(*record) for record in records])
            case Attended(rows):
                self.alive |= {node for _, _, _, node, _, _ in rows if node is not None and node != self.name}
                room.hear_of([Attending(*row) for row in rows])
            case None:
                self._wonder(room.table.id)
                self._suspect(room.table.id)  # as good as not heard: the journal is read
            case said:
                room.mentioned(said)

    def _wonder(self, about: str) -> None:
        """Something was heard that this release can't read. Nothing is lost by that, so it is said once."""
        if not self._puzzled:
            log.warning("another node says what this release does not understand, and it is passed over", about=about)
        self._puzzled = True

    def committed(self, table: str, records: Sequence[Record]) -> None:
        self.bus.publish(table, node_messages.encode(Committed(list(records))))

    def mention(self, table: str, entry: AnyEntry) -> None:
        self.bus.publish(table, node_messages.encode(Mentioned(entries.encode(entry))))

    def touch(self, room: AttendedRoom) -> None:
        if not self._touched:
            asyncio.get_running_loop().call_soon(self._report)
        self._touched[room.table.id] = room

    def _report(self) -> None:
        touched, self._touched = self._touched, {}
        for id, room in touched.items():
            room.report()
            if not room.sessions:  # who is given up changes when it falls due, and no entry says so
                self._undated.add(id)
        self._write_soon()

    def attend(self, rows: Sequence[Attending]) -> None:
        if not self._silent:
            self._tell(rows)
        self._rows += rows
        self._undated |= {row.table for row in rows}
        self._write_soon()

    def _write_soon(self) -> None:
        if self._writing is None and self._undated:
            self._writing = asyncio.get_running_loop().create_task(self._write())

    async def _write(self) -> None:
        while self._undated:
            rows, self._rows = self._rows, []
            tables, self._undated = self._undated, set()
            try:
                if silent := self._silent:
                    await self._beat()
                # By one or the other the table is found at any moment: by when it falls due, or by its people.
                await self._note_due(tables)
                await self._journal.attendance.attend(rows)
                await self._found_by_people(rows)
                if silent:
                    self._tell(rows)
            except Exception as error:
                if not isinstance(error, JournalDown):
                    error_log.report("server", "who is where can't be written down")
                self._rows = rows + self._rows
                self._undated |= tables
                await asyncio.sleep(BEAT_EVERY)
        self._writing = None

    @property
    def _silent(self) -> bool:
        """Whether the others may have given this node up. Then nobody is here, for them, before it has said in the
        journal that it is alive: they would be there and gone again with each message."""
        return monotonic() - self._beaten > DOZE

    def _tell(self, rows: Iterable[Attending]) -> None:
        tables: dict[str, list[tuple[str, str, str, str | None, int, int]]] = {}
        for row in rows:
            tables.setdefault(row.table, []).append(row)
        for table, known in tables.items():
            self.bus.publish(table, node_messages.encode(Attended(known)))

    async def _note_due(self, tables: Iterable[str]) -> None:
        """Where nobody is any more, something may still fall due."""
        dues: dict[str, int | None] = {}
        for table in tables:
            room = self.registry.rooms.get(table)
            if isinstance(room, SharedRoom) and not room.sessions:
                dues[table] = room.looked_at()
            elif table in self.too_new:
                dues[table] = self._shell.time.now()  # whoever can read it knows better
        if dues:
            await self._journal.set_due(dues)

    async def _found_by_people(self, rows: Iterable[Attending]) -> None:
        """Where somebody is, nobody else need know what falls due: if this node is gone, others find its people."""
        dues: dict[str, int | None] = {}
        for row in rows:
            room = self.registry.rooms.get(row.table)
            if isinstance(room, SharedRoom) and not room.findable and (row.token, row.kind) in room.presence.mine:
                room.findable = True
                dues[row.table] = None
        if dues:
            await self._journal.set_due(dues)

    def announce(self, summary: Summary) -> None:
        if summary.lobby.listed:
            self.bus.publish(LOBBY, _encode_summary(summary))

    async def lobby(self, query: LobbyQuery) -> list[bytes]:
        wanted = msgspec.structs.asdict(query)
        game = wanted.pop("game")
        return await self._journal.lobby([name for name in self.games if game in (None, name)], **wanted)

    async def open_tables(self) -> int:
        return await self._journal.open_count()

    async def every_table(self, game: str, phase: str, search: str, offset: int, limit: int) -> Sequence[Summary]:
        rows = await self._journal.every_table(game, phase, search, offset, limit)
        return [_decode_summary(row) for row in rows]

    def _show(self, row: bytes) -> None:
        """A table as strangers are shown it."""
        try:
            summary = _decode_summary(row)
            game = self.games.get(summary.game)
            options = None if game is None else msgspec.convert(summary.options, game.Options)
        except msgspec.DecodeError:
            self._wonder(LOBBY)
            return  # nobody could sit down there by this node
        if game is not None:
            self._shell.board.change(msgspec.structs.replace(summary, options=options))
            self._shell.board.limit(LISTED)

    # What nobody has heard of.

    async def _sweep(self) -> None:
        """Take over tables that nobody has in memory: their people's node is gone, or something falls due."""
        unreadable = self.registry.left_alone | self.too_new
        limit = AT_ONCE + len(unreadable)
        wanted = await self._journal.attendance.orphans(limit)
        wanted += await self._journal.due(self._shell.time.now(), limit)
        # Who comes first may not be able to read it: the next one's turn is the next time.
        self._overdue = {table: self._overdue.get(table, -1) + 1 for table in wanted if table not in unreadable}
        mine = [table for table, times in self._overdue.items() if self.rank(table, self.alive) <= times]
        unknown = []
        for listing in (await self._journal.find(mine)).values() if mine else ():
            room = self.registry.rooms.get(listing.id)
            if room is None:
                unknown.append(listing)
            elif isinstance(room, SharedRoom):
                room.hear_of(await self.attending([listing.id]))
        await self._fetcher.load(unknown)
        for listing in unknown:
            self._enter(listing.id)
        await self._adopt(self._rooms())
        now = self._shell.time.now()
        for room in list(self._rooms()):
            if not room.sessions and not room.stale and room.idle_since + KEPT_FOR < now:
                await self._drop(room)

    def _enter(self, table: str) -> None:
        """How a table is found and shown: a journal that was copied from a single server's says nothing of it."""
        room = self.registry.rooms.get(table)
        if isinstance(room, SharedRoom) and not room.stale:
            about = Append(table, [], None, False)
            about.directory = room.directory()
            self._journal.append(about)

    async def _compare(self) -> None:
        """See whether anything was missed."""
        suspects, self._suspects, missed, self._missed = self._suspects, set(), self._missed, False
        rooms = {room.table.id: room for room in self._rooms() if missed or room.table.id in suspects}
        if rooms:
            positions = await self._journal.positions(list(rooms))
            rows: dict[str, list[Attending]] = {}
            for row in await self.attending(list(rooms)):
                rows.setdefault(row.table, []).append(row)
            for id, room in rooms.items():
                if positions.get(id, room.table.seq + 1) > room.table.seq:
                    room.catch_up()
                room.hear_of(rows.get(id, ()))
        if missed:
            await self._refresh()

    def confirm(self, room: Room, then: Callable[[], None]) -> None:
        """See whether anything has been missed at a table, and then do this: when the room is up to date, or on its way
        there. However many ask, the journal is asked one question at a time."""
        self._doubted.append((room, then))
        if self._confirming is None:
            self._confirming = asyncio.get_running_loop().create_task(self._confirm())

    async def _confirm(self) -> None:
        while self._doubted:
            doubted, self._doubted = self._doubted, []
            try:
                positions = await self._journal.positions(list({room.table.id for room, _ in doubted}))
            except JournalDown:
                positions = {}  # nobody knows better than this node
            for room, then in doubted:
                table = room.table
                if isinstance(room, SharedRoom) and positions.get(table.id, table.seq) > table.seq:
                    room.catch_up()
                then()
        self._confirming = None

    async def _refresh(self) -> None:
        """Know the lobby as it is now. Who asks while it is being read waits for the next reading: the present one may
        have begun before what they have to see."""
        if self._next_reading is None:
            self._next_reading = asyncio.create_task(self._read_lobby(self._reading))
        await asyncio.shield(self._next_reading)

    async def _read_lobby(self, before: asyncio.Task[None] | None) -> None:
        if before is not None:
            await asyncio.wait([before])
        self._reading, self._next_reading = self._next_reading, None
        changes, self._since = await self._journal.changed(self._since, LISTED)
        for change in changes:
            if change.summary is not None:
                self._show(change.summary)
            else:
                self._shell.board.remove(change.table)
