"""Whole games by bots, made without a server: their logs, and what everybody was shown while they were played."""

from __future__ import annotations

import json
from typing import Any, Self

import msgspec

from croupier.journal import Record
from croupier.kernel import Chance
from croupier.kernel.chance import QuickDice
from croupier.tables import entries
from croupier.tables.bots import Bots
from croupier.tables.entries import AnyEntry
from croupier.tables.house import House
from croupier.tables.table import AnyGame, Table
from tests.journal.settled import Awaited

SEED = bytes(range(32))
NAMES = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay")


class Diary:
    """A table as it is played, its log, and what everybody was shown while it was."""

    def __init__(self, game: AnyGame, seats: int = 3, id: str = "t", shown: bool = True) -> None:
        seats = min(seats, game.seats[-1])
        self.table = Table(id, game)
        self.bots = Bots(self.table)
        self.log: list[Record] = []
        self.seen: dict[int | None, list[tuple[Any, Any, list[str]]]] = {}
        self.places = [*range(seats), None] if shown else []
        self._at = 1000
        self._dice = QuickDice(7)
        early = SEED if game.deals_early else None
        self.happens(
            entries.Opened(game.name, "Ann's table", seats, msgspec.to_builtins(game.Options()), "hash", early)
        )
        bot = next(iter(game.bots))
        for seat in range(seats):
            self.happens(
                entries.Joined(
                    seat, NAMES[seat] if seat < len(NAMES) else f"Bot {seat}", token=f"token {seat}", bot=bot
                )
            )

    def happens(self, entry: AnyEntry) -> None:
        self._at += 10
        written = entries.encode(entry)
        events = self.table.apply(entries.decode(written), self._at)
        self.bots.follow(entry, events)
        self.log.append(Record(self.table.seq, self._at, written))
        if not isinstance(entry, entries.Started | entries.Moved | entries.Expired):
            return
        names = [seat.name for seat in self.table.seats.values()]
        for place in self.places:
            seen = [event for each in events if (event := each.seen_by(place)) is not None]
            told = [sentence for event in seen if (sentence := self.table.game.tell(event, names))]
            self.seen.setdefault(place, []).append((plain(seen), plain(self.shown(place)), told))

    def shown(self, place: int | None) -> Any:
        return self.table.game.view(self.table.state, place)

    def play(self, seed: bytes = SEED) -> Self:
        table, game = self.table, self.table.game
        self.seen = {}
        order = list(table.seats)
        if game.customs.seating == "shuffled":
            Chance(seed).shuffle(order, "seats")
        self.happens(entries.Started(tuple(order), seed))
        return self.finish()

    def finish(self) -> Self:
        """From wherever the game is to its end."""
        table, game = self.table, self.table.game
        while table.result is None:
            awaited = game.awaited(table.state)
            if awaited:
                seat = table.seats[awaited[0]]
                self.happens(entries.Moved(seat.number, self.bots.move(seat, self._dice), bot=True))
            else:
                clock = min(game.clocks(table.state), key=lambda clock: clock.due)
                self._at = max(self._at, clock.due)
                self.happens(entries.Expired(clock.name))
        return self

    def another(self) -> Self:
        """One more game at the same table."""
        seed = self.table.seed[1:] + b"!"
        if self.table.game.deals_early:
            self.happens(entries.Reopened(seed))
        return self.play(seed)

    async def put_into(self, house: House) -> str:
        """Into a server's journal, as a table that is closed: its id, once it is there for whoever asks."""
        self.happens(entries.Closed("over"))
        append = Awaited(self.table.id, self.log, self.table.game.name, True)
        house.journal.append(append)
        assert await append.outcome is None
        return self.table.id


def plain(value: Any) -> Any:
    """As it would come over the wire."""
    return json.loads(msgspec.json.encode(value))
