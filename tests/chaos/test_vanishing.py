"""People come and go as they like, and at the worst moment they are all gone: every table comes to an end by itself."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from croupier import laws
from croupier.games import catalogue
from croupier.journal.sqlite import SqliteJournal
from croupier.net.native import Native
from croupier.tables import error_log, intents
from croupier.tables.house import House
from croupier.tables.room import Room
from croupier.tables.session import Session
from croupier.tables.settings import Settings
from croupier.tables.timekeeping import next_due
from croupier.tables.wall_clock import Time

GAMES = catalogue().games
SETTINGS = Settings(bot_delay=0)
SCHEDULES = 30
"""For each game."""
MOST_STEPS = 20_000
TWO_DAYS = 2 * 86_400_000


class Still(Time):
    """Goes on only when it is told to; nobody is woken by it."""

    def __init__(self) -> None:
        super().__init__()
        self.at = 1_700_000_000_000

    def now(self) -> int:
        return self.at

    def until(self, due: int) -> float:
        return 1e6


class Somebody(Session):
    def __init__(self, token: str) -> None:
        super().__init__(Native(b""))
        self.dialect.token = token

    def send(self, message: bytes) -> None:
        pass

    def close(self, code: int, reason: str = "") -> None:
        raise AssertionError(reason)


class Evening:
    """One table, and people with their tokens: each is there, or not."""

    def __init__(self, journal: Path, game: str, dice: Random, options: Any = None) -> None:
        self.journal, self.time, self.dice = journal, Still(), dice
        self.house = self._house()
        rules = GAMES[game]
        chosen = rules.Options() if options is None else options
        possible = rules.seats_for(chosen)
        people = dice.choice([count for count in (2, 3, 4) if count in possible])
        bots = dice.choice([count for count in (0, 1) if people + count in possible])
        self.there: dict[str, Somebody] = {}
        self.gone: list[str] = []
        host = self._comes("p0")
        given = msgspec.to_builtins(chosen)
        self.house.perform(host, intents.Open(game=game, player="P0", seats=people + bots, options=given))
        assert host.place is not None
        self.table = host.place.table
        for number in range(1, people):
            self.house.perform(self._comes(f"p{number}"), intents.Join(table=self.table, player=f"P{number}"))
        if bots:
            self.house.perform(host, intents.AddBots())
        self.house.perform(host, intents.Start())
        self.last: Room = self.house.rooms[self.table]

    def _house(self) -> House:
        return House(GAMES, SqliteJournal(self.journal, "OFF"), SETTINGS, self.time)

    def _comes(self, token: str) -> Somebody:
        session = self.there[token] = Somebody(f"{token} {id(self)}")
        self.house.connected(session)
        return session

    @property
    def room(self) -> Room:
        """The table's, or the last it had."""
        self.last = self.house.rooms.get(self.table, self.last)
        return self.last

    @property
    def closed(self) -> bool:
        return self.room.table.phase == "closed"

    def step(self) -> None:
        """Somebody does something, or comes, or goes, or time passes."""
        dice = self.dice
        movers = [session for session in self.there.values() if session.place is not None and session.place.moves()]
        kind = dice.random()
        if kind < 0.6 and movers:
            mover = dice.choice(movers)
            assert mover.place is not None
            self.house.perform(mover, intents.Play(move=dice.choice(mover.place.moves())))
        elif kind < 0.75 and self.there:
            self.vanish(dice.choice(list(self.there)))
        elif kind < 0.9 and self.gone:
            token = self.gone.pop(dice.randrange(len(self.gone)))
            session = self._comes(token)
            self.house.perform(session, intents.Return(table=self.table, token=f"{token} {id(self)}"))
        else:
            self.wait()
        self.check()

    def rare_step(self) -> None:
        """Somebody leaves for good, is thrown out, or begins another game."""
        dice, table = self.dice, self.room.table
        somebody = dice.choice(list(self.there.values())) if self.there else None
        if somebody is None or somebody.place is None:
            return
        wishes: list[intents.Intent] = [intents.Start(), intents.Reopen(), intents.Leave()]
        wishes += [intents.Kick(seat=dice.choice(list(table.seats))), intents.Proceed()] * 3
        self.house.perform(somebody, dice.choice(wishes))
        self.check()

    async def restart(self) -> None:
        """The server stops and starts again: nobody is connected."""
        self.gone += self.there
        self.there.clear()
        await self.house.close()
        self.house = self._house()
        await self.house.open()
        self.check()

    def vanish(self, token: str) -> None:
        self.house.lost(self.there.pop(token))
        self.gone.append(token)

    def wait(self) -> None:
        """Until the next thing that happens by itself, and it happens."""
        self.time.at = max(self.time.at, next_due(self.room.table, self.room.bots, self.house.settings))
        self.room._look()

    def check(self) -> None:
        """The law: whoever waits here waits for somebody who can move, or for something that will happen by itself.

        (A game may stand still until somebody is back, if the host is there and can throw them out. Then it goes on.)
        """
        table = self.room.table
        if table.phase != "playing":
            return
        assert table.game.result(table.state) is None, f"over inside, and still played: {table.state}"
        if self._goes_on():
            return
        missing = [seat.number for seat in table.seats.values() if seat.human and not seat.present]
        here = {one.place.seat: one for one in self.there.values() if one.place is not None}
        host = here.get(table.summary.host)
        assert host is not None and missing, f"nobody can move and no clock runs in {table.state}"
        for seat in missing:
            self.house.perform(host, intents.Kick(seat=seat))
        assert table.phase != "playing" or self._goes_on(), f"it waits for somebody who was thrown out: {table.state}"

    def _goes_on(self) -> bool:
        """Whether somebody who is there can move, or end a pause, or something falls due."""
        table = self.room.table
        if any(session.place is not None and session.place.moves() for session in self.there.values()):
            return True
        if table.alone is not None and table.alone.present and table.look() is not None:
            return True
        return next_due(table, self.room.bots, SETTINGS) < table.at + round(1000 * SETTINGS.idle_after)


@pytest.mark.parametrize("game", list(GAMES))
async def test_a_table_that_everybody_has_left_comes_to_its_end(tmp_path: Path, game: str) -> None:
    error_log.seen.clear()
    for seed in range(SCHEDULES):
        evening = Evening(tmp_path / f"{seed}.sqlite", game, Random(seed))
        for _ in range(evening.dice.choice((3, 20, 60, 200))):
            if not evening.closed:
                evening.step()
        await come_to_its_end(evening, f"schedule {seed}")
    assert not error_log.seen


@pytest.mark.parametrize("game", list(GAMES))
async def test_no_table_is_stuck_whatever_its_options(tmp_path: Path, game: str) -> None:
    """Every option at its extremes, while people go, come, leave and are thrown out, and the server starts again."""
    error_log.seen.clear()
    extremes = laws.extremes(GAMES[game])
    for seed, options in enumerate(extremes * (1 + 60 // len(extremes))):
        evening = Evening(tmp_path / f"{seed}.sqlite", game, Random(seed), options)
        for _ in range(120):
            if evening.closed:
                break
            kind = evening.dice.random()
            if kind < 0.01:
                await evening.restart()
            elif kind < 0.05:
                evening.rare_step()
            else:
                evening.step()
        await come_to_its_end(evening, str(options))
    assert not error_log.seen


async def come_to_its_end(evening: Evening, where: str) -> None:
    for token in list(evening.there):
        evening.vanish(token)
    left_at = evening.time.at
    for _ in range(MOST_STEPS):
        if evening.closed:
            break
        evening.wait()
    assert evening.closed, f"{where}: still {evening.room.table.phase} after {MOST_STEPS} steps"
    assert evening.time.at - left_at < TWO_DAYS, where
    await asyncio.sleep(0)
    await evening.house.close()
