"""Connections with no socket behind them: what a house is asked on them, and what it tells."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence

from croupier.tables import intents
from croupier.tables.dialect import Dialect, Message, Output
from croupier.tables.entries import AnyEntry
from croupier.tables.house import House
from croupier.tables.intents import Intent
from croupier.tables.notices import Fact, Refused, Reply
from croupier.tables.place import Place
from croupier.tables.session import Session


class Line(Dialect):
    """Takes note of what it is told."""

    keeps_seat = True

    def __init__(self) -> None:
        self.facts: list[AnyEntry] = []
        self.replies: list[Reply] = []
        self.replaced = False

    def on_fact(self, fact: Fact) -> Iterable[Output | Intent]:
        self.facts.append(fact.entry)
        return ()

    def on_reply(self, reply: Reply) -> Iterable[Output | Intent]:
        self.replies.append(reply)
        return ()

    def on_refused(self, reply: Reply, refusal: Refused) -> Iterable[Output | Intent]:
        self.replies.append(reply)
        return ()

    def on_replaced(self) -> Iterable[Output | Intent]:
        self.replaced = True
        return ()

    def on_resync(self, place: Place) -> Iterable[Output | Intent]:
        return (b"look again",)


class Connection(Session):
    def __init__(self, house: House, dialect: Line | None = None) -> None:
        self.line = dialect or Line()
        super().__init__(self.line)
        self._house = house
        self.reached = asyncio.Event()
        """Set when something goes out to the client: that it has to look again, or that this is the end."""
        self.closed: int | None = None
        """The code."""

    def send(self, message: Message) -> None:
        self.reached.set()

    def close(self, code: int, reason: str = "") -> None:
        self.closed = code
        self.reached.set()

    def ask(self, intent: Intent) -> Reply:
        self._house.perform(self, intent)
        return self.line.replies[-1]

    def sits_down(self, table: str, player: str) -> str:
        """Returns the secret of the seat."""
        token = self.ask(intents.Join(table=table, player=player)).token
        assert token is not None
        return token

    def hears(self) -> Sequence[AnyEntry]:
        """What has happened since this was asked for the last time."""
        heard, self.line.facts = self.line.facts, []
        return heard

    def refused(self, intent: Intent) -> str:
        refusal = self.ask(intent).refusal
        return "" if refusal is None else refusal.code


def opened(house: House, game: str = "bids") -> tuple[Connection, str]:
    """Ann, who hosts a table of four seats, and its id."""
    ann = Connection(house)
    place = ann.ask(intents.Open(game=game, player="Ann", seats=4)).place
    assert place is not None
    return ann, place.table
