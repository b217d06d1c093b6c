"""Hints: what the strongest bot would do in a person's place, from what that seat has seen.

They are for those who play against bots alone, and nobody else hears of them; what they are told changes nothing at the
table. The bot is made for the one question. What its seat has seen is in the log: it is gone through again, so that a
hint is the same after a restart, at another node, and for somebody who was away for a while.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence

import msgspec

from croupier.journal import JournalDown, Record
from croupier.kernel import Bot, Move, Searcher, Weighed
from croupier.tables import advice, error_log, intents, logbook, notices, thoughts
from croupier.tables.bots import TooSlow, budget, redacted
from croupier.tables.entries import Started
from croupier.tables.loading import read_game
from croupier.tables.notices import Refused
from croupier.tables.place import Place
from croupier.tables.purses import Purse, Purses
from croupier.tables.room import Room
from croupier.tables.seat import Seat
from croupier.tables.session import Session
from croupier.tables.table import Table
from croupier.tables.thinking import seen
from croupier.tables.thoughts import USUALLY, Answer, Question
from croupier.tables.turns import Turns
from croupier.tables.wall_clock import ms

EVERY, AT_ONCE = 2_000, 10
"""So many hints an address may have at once, and then one in so many milliseconds."""
PATIENCE = 8_000
"""Milliseconds that a thought may take beyond its budget. Nobody else waits, and who has asked would rather wait than
be told something worse."""
PIECE = 20
"""Entries of the log that are gone through before others are served."""


class Hints:
    """What hints cost, and who may have them."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._purses = Purses(lambda address: Purse(EVERY, AT_ONCE))

    def begin(self, session: Session, room: Room, seat: Seat | None, intent: intents.Hint) -> None:
        """Look for one. Raises ``Refused``."""
        table, shell = room.table, room.shell
        why_not = advice.withheld(table, seat)
        if why_not is None and not any(Place(table, seat).offers()):
            why_not = "out_of_turn", "it is not your turn"
        if why_not is not None:
            raise Refused(*why_not)
        running = room.errand
        if isinstance(running, Hint) and running.wanted:
            raise Refused("thinking", "a hint is being thought about already")
        if not self._purses.of(session.address).pay(1, self._now()):
            raise Refused("too_fast", "so many hints at once are too many; think about it yourself for a moment")
        if running is not None:
            running.give_up()
        kind = advice.adviser(table.game, shell.thinkers is not None)
        assert seat is not None and kind is not None
        room.errand = Hint(room, session, seat, intent, kind)


class Hint:
    """A hint that somebody waits for."""

    def __init__(self, room: Room, session: Session, seat: Seat, intent: intents.Hint, kind: type[Bot]) -> None:
        self._room = room
        self._session = session
        self._place = session.place
        self._seat = seat
        self._intent = intent
        self._bot = kind()
        self._seq = room.table.seq
        self._step = room.table.step
        self._seen = seen(room.table, seat)
        """What the seat saw when it was asked for."""
        self._question: Question | None = None
        self._patience: asyncio.TimerHandle | None = None
        self._task = asyncio.get_running_loop().create_task(self._begin())

    @property
    def wanted(self) -> bool:
        """Whether whoever asked is still there."""
        return not self._session.lost and self._session.place is self._place

    # What may come between.

    def look_again(self) -> None:
        """The game may have moved on."""
        table = self._room.table
        if self.wanted and self._step == table.step:
            return
        self._step = table.step
        if not self.wanted or advice.withheld(table, self._seat) or seen(table, self._seat) != self._seen:
            self.give_up()

    def give_up(self) -> None:
        self._refuse("moved_on", "the game has gone on meanwhile")

    def _end(self) -> bool:
        """Nothing follows. Returns whether this is news, and to anybody."""
        if self._room.errand is not self:
            return False
        self._room.errand = None
        if self._patience is not None:
            self._patience.cancel()
        if self._question is not None and self._room.shell.thinkers is not None:
            self._room.shell.thinkers.cancel(self._question)
        if asyncio.current_task() is not self._task:
            self._task.cancel()
        return self.wanted

    # What the bot has to know.

    async def _begin(self) -> None:
        room = self._room
        try:
            table = Table(room.table.id, room.table.game)
            await in_turns(room.shell.turns, room.payer, self._look_back(table, await self._written(table)))
            self._ask()
        except JournalDown:
            self._refuse("unavailable", "the table can't be read just now; try again in a moment")
        except (Exception, TooSlow):
            self._fail("hint failed")

    async def _written(self, table: Table) -> Sequence[Record]:
        """What there is to look back on, as soon as the journal has it."""
        while True:
            table.clear()
            records = await read_game(self._room.shell.journal, table, self._seq)
            if (records[-1].seq if records else table.seq) >= self._seq:
                return records

    def _look_back(self, table: Table, records: Sequence[Record]) -> Iterator[None]:
        """Let the bot see what the seat has seen of this game."""
        number, begun = self._seat.number, False
        for first in range(0, len(records), PIECE):
            with budget():
                for record in records[first : first + PIECE]:
                    entry, events = logbook.follow(table, record)
                    begun = begun or type(entry) is Started
                    if begun and events:
                        self._bot.observe(number, redacted(events, number))
            yield

    # What it says.

    def _ask(self) -> None:
        room, bot, number = self._room, self._bot, self._seat.number
        table, shell, thinkers = room.table, room.shell, room.shell.thinkers
        if thinkers is None or not isinstance(bot, Searcher):
            self._choose()
            return
        problem = thoughts.put(table.game, table.state, number, bot, shell.dice, advises=True)
        self._question = Question(table.id, number, room.opener or table.id, bot.budget, problem)
        seconds = USUALLY if bot.budget.seconds is None else bot.budget.seconds
        due = shell.time.now() + ms(seconds) + PATIENCE
        if thinkers.ask(self._question, self._answered):
            self._wait(due)
        else:
            self._question = None
            self._choose()

    def _wait(self, due: int) -> None:
        """Until the bot has thought, or it takes too long."""
        time, loop = self._room.shell.time, asyncio.get_running_loop()
        if time.now() >= due:
            self._choose()
        else:
            self._patience = loop.call_later(time.until(due), self._wait, due)

    def _answered(self, answer: Answer) -> None:
        if self._room.errand is not self:
            return
        self._question = None
        game = self._room.table.game
        if answer.outcome in ("killed", "failed"):
            self._report("bot failed", answer.what)
        elif answer.outcome == "found":
            try:
                move = game.understand(answer.move)
                weighed = [Weighed(game.understand(one), *worth) for one, *worth in answer.weighed]
            except (msgspec.ValidationError, TypeError):
                self._report("bot's answer is no move", answer.what)
            else:
                if self._offered(move):
                    self._tell(move, [each for each in weighed if self._offered(each.move)])
                    return
        self._choose()

    def _choose(self) -> None:
        """On the spot, where nothing has been thought."""
        bot, number, table, dice = self._bot, self._seat.number, self._room.table, self._room.shell.dice
        game, state = table.game, table.state
        try:
            with budget():
                moves, view = game.candidates(state, number, dice), game.view(state, number)
                move = bot.choose(number, view, moves, dice)
            if self._offered(move):
                self._tell(move, ())
                return
        except (Exception, TooSlow):
            pass
        self._fail("bot failed")

    def _offered(self, move: Move) -> bool:
        table = self._room.table
        return table.game.offers(table.state, self._seat.number, move)

    def _tell(self, move: Move, weighed: Sequence[Weighed]) -> None:
        self._hear(notices.Hint(self._intent, Place(self._room.table, self._seat), move, weighed))

    def _refuse(self, code: str, sentence: str) -> None:
        place = Place(self._room.table, self._seat)
        self._hear(notices.Hint(self._intent, place, refusal=Refused(code, sentence)))

    def _fail(self, what: str) -> None:
        self._report(what, "")
        self._refuse("no_hint", "nobody can say just now what would be best")

    def _report(self, what: str, trace: str) -> None:
        game, bot = self._room.table.game.name, type(self._bot).__name__
        error_log.report("bot", what, game=game, bot=bot, trace=trace)

    def _hear(self, hint: notices.Hint) -> None:
        if self._end():
            self._room.shell.post(self._session, self._session.dialect.on_hint(hint))


async def in_turns(turns: Turns, payer: Purse, steps: Iterator[None]) -> None:
    """Do this piece by piece, each in its turn."""
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def piece() -> bool:
        if done.done():
            return False  # nobody waits for it any more
        try:
            next(steps)
            return True
        except StopIteration:
            done.set_result(None)
        except (Exception, TooSlow) as error:
            done.set_exception(error)
        return False

    turns.serve(payer, piece)
    await done
