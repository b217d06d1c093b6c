"""People come and go as they like, and at the worst moment they are all gone: every table comes to an end by itself."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from croupier.games import catalogue
from croupier.journal.sqlite import SqliteJournal
from croupier.net.native import Native
from croupier.tables import intents, troubles
from croupier.tables.house import House
from croupier.tables.room import Room
from croupier.tables.session import Session
from croupier.tables.timekeeping import Settings, Time, next_due

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

    def __init__(self, house: House, time: Still, game: str, dice: Random) -> None:
        self.house, self.time, self.dice = house, time, dice
        rules = house.games[game]
        people = dice.choice([count for count in (2, 3, 4) if count in rules.seats])
        bots = dice.choice([count for count in (0, 1) if people + count in rules.seats])
        self.there: dict[str, Somebody] = {}
        self.gone: list[str] = []
        host = self._comes("p0")
        house.perform(host, intents.Open(game=game, player="P0", seats=people + bots))
        assert host.place is not None
        self.room: Room = house.rooms[host.place.table]
        for number in range(1, people):
            house.perform(self._comes(f"p{number}"), intents.Join(table=self.room.table.id, player=f"P{number}"))
        if bots:
            house.perform(host, intents.AddBots())
        house.perform(host, intents.Start())

    def _comes(self, token: str) -> Somebody:
        session = self.there[token] = Somebody(f"{token} {id(self)}")
        self.house.connected(session)
        return session

    @property
    def closed(self) -> bool:
        return self.room.table.phase == "closed"

    def step(self) -> None:
        """Somebody does something, or comes, or goes, or time passes."""
        dice, table = self.dice, self.room.table
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
            self.house.perform(session, intents.Return(table=table.id, token=f"{token} {id(self)}"))
        else:
            self.wait()

    def vanish(self, token: str) -> None:
        self.house.lost(self.there.pop(token))
        self.gone.append(token)

    def wait(self) -> None:
        """Until the next thing that happens by itself, and it happens."""
        self.time.at = max(self.time.at, next_due(self.room.table, self.house.settings))
        self.room._wake()


@pytest.mark.parametrize("game", list(catalogue().games))
async def test_a_table_that_everybody_has_left_comes_to_its_end(tmp_path: Path, game: str) -> None:
    troubles.seen.clear()
    games, time = catalogue().games, Still()
    journal = SqliteJournal(tmp_path / "journal.sqlite", "OFF")
    house = House(games, journal, Settings(bot_delay=0), time)
    ends: set[str] = set()
    for seed in range(SCHEDULES):
        dice = Random(seed)
        evening = Evening(house, time, game, dice)
        for _ in range(dice.choice((3, 20, 60, 200))):
            if evening.closed:
                break
            evening.step()
        for token in list(evening.there):
            evening.vanish(token)
        left_at, played = time.at, evening.room.table.games
        for _ in range(MOST_STEPS):
            if evening.closed:
                break
            evening.wait()
        assert evening.closed, f"schedule {seed}: still {evening.room.table.phase} after {MOST_STEPS} steps"
        assert time.at - left_at < TWO_DAYS, f"schedule {seed}"
        ends.add("result" if evening.room.table.games > played else "closed")
        await asyncio.sleep(0)
    assert not troubles.seen
    assert ends
    await house.close()
