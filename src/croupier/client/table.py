"""A table that one is at: how it is, what happens there, and what one can do about it.

It has a connection of its own, which comes back by itself. What is asked for while there is none waits for the next.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Self

import msgspec

from croupier.client import entries
from croupier.client.connection import Connection, Pause, dial
from croupier.client.entries import Synced
from croupier.client.place import Happening, Place, Placed
from croupier.client.protocol import Fact, Hinted, Line, Message, Player, Replaced, Reply, Resync, Sync
from croupier.client.refusals import Lost, Refused, TooLate, wait_out
from croupier.client.vocabulary import AnyGame, Vocabulary

MOST_UNREAD = 1000
"""Happenings that are kept for somebody who does not read. What is more is forgotten, and they are told so."""
LINES_KEPT = 100
"""Of chat."""

_GONE = {"no_such_table": "closed", "no_such_seat": "left", "bench_closed": "benched"}
"""Why we have no place any more, by the code of what we are told when we want to come back to it."""

Request = dict[str, Any]


def not_done() -> bool:
    """Of requests that do no harm if they are granted twice."""
    return False


class Table(Placed):
    """Made by ``Client.open``, ``join``, ``seek``, ``watch`` and ``resume``.

    All that it says about itself, ``view`` and ``moves`` and the rest, is how things are now, as far as the server has
    told. ``async for`` has what happened, in order, none of it twice: first a ``Synced``, and another one whenever the
    connection was lost. It ends when we have no place here any more, and then ``gone`` says why.

    Every request waits for a connection, if there is none, and raises ``Refused`` if the server says no. It waits out
    what passes by itself. If the connection is lost before the answer is there, it is sent again where that does no
    harm; where it might, ``Lost`` is raised, once the table has been seen again.
    """

    def __init__(
        self, url: str, games: Callable[[str], AnyGame | None], kind: str, arrival: Request, key: str | None = None
    ) -> None:
        self._url = url
        self._key = key
        """Whose seat it is to be, if that is to be known."""
        self._games = games
        self._arrival = kind, arrival
        """What brings us to the table: at first how we come, afterwards a return."""
        self.token: str | None = None
        """The secret that holds our seat; None for a spectator. ``Client.resume`` comes back with it."""
        self.gone = ""
        """Why we are not at the table any more: it is ``closed``, or we have ``left``, were ``kicked``, ``replaced`` by
        another connection with our token, or ``benched`` as a spectator, or have ``hung up``. Empty while we are."""
        self.chat: deque[Line] = deque(maxlen=LINES_KEPT)
        """What was said last."""
        self._unread: deque[Happening] = deque()
        self._news = asyncio.Event()
        """Set when there is something to read, or will never be again."""
        self._connection: Connection | None = None
        self._here = asyncio.Event()
        """Set while requests may be sent, or will never be again."""
        self._disturbed = asyncio.Event()
        """Set when we have to come to the table once more, on this connection or on another."""
        self._looked: Place | None = None
        """When we last said that we had seen enough."""
        self._hint: asyncio.Future[Hinted] | None = None
        """The one that we have asked for."""
        self._failure: Exception | None = None
        self._seq: int | None = None
        self._cast: dict[int, Player] = {}
        """Who plays, or has played and left the game, by seat."""
        """The last entry of the table's log that we know of; None before we are there."""
        self._clock = (0, 0.0)
        """What time it was at the server, and by our own clock."""
        self._arrived: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._staying = asyncio.create_task(self._stay())

    # What there is to know, beyond what a place tells

    @property
    def unread(self) -> int:
        """How many happenings have not been read."""
        return len(self._unread)

    @property
    def connected(self) -> bool:
        """Whether we are at the table right now. If not, and not ``gone``, we are on the way back."""
        return self._here.is_set() and not self.gone

    @property
    def now(self) -> float:
        """The time at the server, in milliseconds since 1970, by which ``due`` of a clock is to be understood."""
        at, then = self._clock
        return at + 1000 * (time.monotonic() - then)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Happening:
        """Whoever asks what happens next has seen all that there was to see: nobody has to say ``proceed``."""
        while not self._unread:
            if self._failure is not None:
                raise self._failure
            if self.gone:
                raise StopAsyncIteration
            if self._place.looking and self._looked is not self._place and self.connected:
                self._looked = self._place
                with suppress(Refused, Lost):
                    await self.proceed()
                continue
            self._news.clear()
            await self._news.wait()
        return self._unread.popleft()

    # What everybody can ask for

    async def play(self, move: Any, place: Place | None = None) -> None:
        """Make a move: one of ``moves``, or one that fits a form. Returns when it is in the journal.

        It is never made twice. Raises ``TooLate`` if the game had gone on before it arrived: since now, or since the
        moment that the move was chosen for (``place``). Raises ``Lost`` if the connection was lost and, by the time
        there was another one, our seat, too: nobody is left to ask whether it was made.
        """
        key, chosen_at, meant = secrets.token_hex(8), place or self._place, True

        def request() -> Request:
            # Where the game has gone on, the key only asks whether the move was made.
            nonlocal meant
            meant = self._place.offers_as(chosen_at)
            return {"move": move if meant else None, "key": key}

        while True:
            try:
                return await self._ask("play", request, not_done)
            except Refused as refusal:
                if self.gone or not self._place.offers_as(chosen_at):
                    message = "the game had gone on before the move arrived"
                    raise TooLate(refusal.code, message, refusal.data) from None
                if meant:
                    raise
                # The moment is here again: a game that waited for somebody goes on.

    async def proceed(self) -> None:
        """Alone against bots: enough seen, let the game go on. Reading on says it, too."""
        await self._ask("proceed")

    async def hint(self) -> Hinted:
        """Alone against bots, where ``hints`` says so: what would the strongest of them do? Nobody else is told.

        Raises ``TooLate`` if the game has gone on before it was found, ``Lost`` if the connection was lost.
        """
        hint: asyncio.Future[Hinted] = asyncio.get_running_loop().create_future()
        self._hint = hint
        try:
            await self._ask("hint")
            found = await hint
        finally:
            if self._hint is hint:
                self._hint = None
        if found.error is not None:
            kind = TooLate if found.error.code == "moved_on" else Refused
            raise kind(found.error.code, found.error.message, found.error.data)
        words = self._place.words
        weighed = tuple(msgspec.structs.replace(each, move=words.move(each.move)) for each in found.weighed)
        return msgspec.structs.replace(found, move=words.move(found.move), weighed=weighed)

    async def say(self, text: str) -> None:
        """Chat. Spectators may talk, too."""
        await self._ask("say", {"text": text})

    async def sound(self, sound: str) -> None:
        """Let everybody hear one of the game's sounds."""
        await self._ask("sound", {"sound": sound})

    async def ready(self, ready: bool = True) -> None:
        """Ready for the game, or no more: at tables that begin by themselves."""
        await self._ask("ready", {"ready": ready}, not_done)

    async def sit(self, seat: int) -> None:
        """Before the game, where there are teams: take another place, which is free or a bot's."""
        await self._ask("sit", {"seat": seat}, not_done)

    async def leave(self) -> None:
        """Give up the seat, or stop watching."""
        with suppress(Refused, Lost):
            await self._ask("leave", {}, lambda: bool(self.gone))
        self._end("left")
        await self.close()

    async def close(self) -> None:
        """Hang up. The seat is kept for a while, and whoever has the ``token`` can come back to it."""
        self._end("hung up")
        self._staying.cancel()
        await asyncio.gather(self._staying, return_exceptions=True)

    # What the host can ask for

    async def start(self) -> None:
        """Begin the game, or another one after it; a finished one that is still on the table is put away first."""
        if self._place.summary.phase == "over":
            await self.reopen()
        games = self._place.summary.games
        await self._ask("start", {}, lambda: self.playing or self._place.summary.games > games)

    async def reopen(self) -> None:
        """When the table is ``over``: put the finished game away, and deal everybody in for another."""
        await self._ask("reopen", {}, lambda: self._place.summary.phase != "over")

    async def add_bots(self, count: int = 1, bot: str | None = None) -> None:
        """Before the game: seat some bots, of this kind or the game's usual one."""

        def here() -> int:
            return sum(player.bot is not None for player in self._place.summary.players)

        enough = here() + count
        await self._ask("add_bots", lambda: {"bot": bot, "count": enough - here()}, lambda: here() >= enough)

    async def configure(
        self,
        options: Any = None,
        auto_start: bool | None = None,
        countdown: int | None = None,
        rated: bool | None = None,
    ) -> None:
        """Before the game: change options, and how it begins. What is left out stays as it is."""
        request = {"options": options or {}, "auto_start": auto_start, "countdown": countdown, "rated": rated}
        await self._ask("configure", request, not_done)

    async def kick(self, seat: int) -> None:
        """Take somebody's seat away, a bot's too."""
        await self._ask("kick", {"seat": seat})

    async def hand_over(self, seat: int) -> None:
        """Make somebody else the host."""
        await self._ask("hand_over", {"seat": seat})

    async def bench(self, open: bool) -> None:
        """Send all spectators away, and let nobody look on; or let people look on again."""
        await self._ask("bench", {"open": open}, not_done)

    async def silence(self, seat: int | None, silent: bool = True) -> None:
        """Let somebody (None: all spectators) be heard no more; or let them be heard again."""
        await self._ask("silence", {"seat": seat, "silent": silent})

    async def _ask(
        self,
        kind: str,
        request: Request | Callable[[], Request] = {},  # noqa: B006 - nobody changes it
        done: Callable[[], bool] | None = None,
    ) -> None:
        """``done``: whether it can be seen, after a lost connection, that it need not be sent again; None: whether it
        was done can't be seen, and to do it twice might do harm."""
        while True:
            connection = await self._line()
            try:
                await connection.ask(kind, **(request() if callable(request) else request))
                return
            except Refused as refusal:
                await wait_out(refusal)
            except Lost as lost:
                try:
                    await self._line()
                except Refused:
                    raise lost from None
                if done is None:
                    raise
                if done():
                    return

    async def _line(self) -> Connection:
        """The connection that we are at the table by, as soon as there is one."""
        await self._here.wait()
        if self.gone:
            raise Refused("not_seated", f"you are not at the table any more: {self.gone}")
        assert self._connection is not None
        return self._connection

    # Coming and going

    async def arrive(self) -> Self:
        """Wait until we are at the table for the first time."""
        try:
            await self._arrived
        except BaseException:
            await self.close()
            raise
        return self

    async def _stay(self) -> None:
        """Be at the table, on one connection after the other, until we have no place there any more."""
        pause = Pause()
        try:
            while not self.gone:
                with suppress(ConnectionError):
                    connection = await dial(self._url, self._hear, self._lost)
                    try:
                        await self._attend(connection, pause)
                    finally:
                        await connection.close()
                if not self.gone:
                    await pause.take()
        except Exception as error:
            self._fail(error)

    async def _attend(self, connection: Connection, pause: Pause) -> None:
        """Be at the table while this connection lasts."""
        while not (connection.lost or self.gone):
            self._disturbed.clear()
            if not await self._arrive(connection):
                break
            pause.over()
            self._connection = connection
            self._here.set()
            await self._disturbed.wait()
        if connection.error is not None:
            raise connection.error

    async def _arrive(self, connection: Connection) -> bool:
        """Whether we are at the table now. How it is there has been heard by then (``_hear``)."""
        kind, request = self._arrival
        first = not self._arrived.done()
        try:
            while True:
                try:
                    if first and self._key is not None:
                        await connection.ask("identify", key=self._key)
                    await connection.ask(kind, **request)
                    break
                except Refused as refusal:
                    await wait_out(refusal)
        except Refused as refusal:
            if first:
                raise
            self._end(_GONE.get(refusal.code, refusal.code))
        except Lost:
            if first and kind in ("open", "join", "seek"):
                # It may have been done: asked again, there might be two tables, or two of us at one.
                raise
            return False
        if first:
            self._arrived.set_result(None)
        return True

    def _lost(self) -> None:
        if self._hint is not None and not self._hint.done():
            self._hint.set_exception(Lost("the connection was lost before a hint was found"))
            self._hint.exception()  # nobody may be waiting for it yet
        if not self.gone:
            self._here.clear()
        self._disturbed.set()

    def _end(self, why: str) -> None:
        self.gone = self.gone or why
        if self._hint is not None and not self._hint.done():
            self._hint.set_exception(Refused("not_seated", f"you are not at the table any more: {self.gone}"))
            self._hint.exception()
        for event in (self._news, self._here, self._disturbed):
            event.set()

    def _fail(self, error: Exception) -> None:
        """Something is wrong that no other connection would mend."""
        if self._arrived.done():
            self._failure = error
        else:
            self._arrived.set_exception(error)
        self._end("failed")

    # What the server says

    def _hear(self, message: Message) -> None:
        match message:
            case Reply():
                self._set_clock(message.at)
                if message.sync is not None:
                    self._adopt(message.sync)
                    self._remember(message.sync.table.id, message.token)
            case Resync():
                self._adopt(message.sync)
            case Fact():
                self._set_clock(message.at)
                self._follow(message)
            case Hinted():
                if self._hint is not None and not self._hint.done():
                    self._hint.set_result(message)
            case Replaced():
                self._end("replaced")

    def _set_clock(self, at: int | None) -> None:
        if at is not None:
            self._clock = at, time.monotonic()

    def _remember(self, table: str, token: str | None) -> None:
        """How to come back."""
        if token is not None:
            self.token = token
            self._arrival = "return", {"table": table, "token": token}

    def _adopt(self, sync: Sync) -> None:
        """See the table as a whole."""
        self._place = Place.of(sync, Vocabulary(self._games(sync.table.game)))
        missed = self.playing if self._seq is None else sync.seq != self._seq
        self._seq = sync.seq
        self._know_cast(anew=missed)
        self.chat.clear()
        self.chat.extend(sync.chat)
        self._tell(Happening(Synced(missed), sync.seq, int(self.now), sync.seat))

    def _know_cast(self, anew: bool) -> None:
        """The server tells who is in the game: we remember who was."""
        if anew:
            self._cast.clear()
        self._cast |= {player.seat: player for player in self._place.summary.cast}

    def _follow(self, fact: Fact) -> None:
        """See what has changed."""
        if self._seq is None or fact.seq < (expected := self._seq if fact.soft else self._seq + 1):
            return
        if fact.seq > expected:  # something did not reach us
            self._disturbed.set()
            return
        before, entry = self._place, entries.read(fact.entry)
        self._place, self._seq = before.after(fact, entry), fact.seq
        place = self._place
        events = place.words.events(fact.events)
        self._know_cast(anew=isinstance(entry, entries.Started))
        cast = () if fact.result is None else tuple(self._cast[seat] for seat in sorted(self._cast))
        self._tell(Happening(entry, fact.seq, fact.at, place.seat, events, fact.story, fact.result, cast, fact.seed))
        match entry:
            case entries.Said():
                self.chat.append(Line(entry.seat, entry.name, entry.text, fact.at))
            case entries.Closed():
                self._end("closed")
            case entries.Benched(open=False) if before.seat is None:
                self._end("benched")
            case entries.Left(seat, why) if seat == before.seat and why != "kicked":
                self._end("left")
            case entries.StoodIn(seat, "left") if seat == before.seat:
                self._end("left")
            case entries.Left(seat) | entries.Kicked(seat) | entries.StoodIn(seat) if seat == before.seat:
                self._disturbed.set()  # take the seat back, or find out that it is lost
            case entries.Gone(who) if before.seat in who:
                self._disturbed.set()

    def _tell(self, happening: Happening) -> None:
        if len(self._unread) >= MOST_UNREAD:
            self._unread.clear()
            happening = Happening(Synced(missed=True), happening.seq, happening.at, happening.seat)
        self._unread.append(happening)
        self._news.set()
