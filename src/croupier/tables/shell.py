"""What rooms need of the server around them: the house, as they know it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from croupier.journal import Journal
from croupier.kernel import Dice
from croupier.tables.batch import Batch
from croupier.tables.board import Board
from croupier.tables.dialect import Hangup, Output
from croupier.tables.intents import Intent
from croupier.tables.scorekeeper import Scorekeeper
from croupier.tables.session import Session
from croupier.tables.settings import Settings
from croupier.tables.thoughts import Thinkers
from croupier.tables.turns import Turns
from croupier.tables.wall_clock import Time
from croupier.wire.http import HttpResponse


class Rooms(Protocol):
    """Who finds a room."""

    def update(self, room: Any) -> None:
        """Who is at the room's table has changed, or its code."""

    def remove(self, room: Any) -> None:
        """There is no such table any more."""


class Errand(Protocol):
    """Something that is being found out for somebody at a table, as long as the game waits for them."""

    def look_again(self) -> None:
        """The game may have moved on."""

    def give_up(self) -> None:
        """It is of no use any more."""


class Shell(Protocol):
    settings: Settings
    time: Time
    turns: Turns
    dice: Dice
    journal: Journal
    batches: Iterator[int]
    """Their numbers: those of all rooms are counted together, and who is told by several of them is told in order."""
    entries: int
    """Sent to the journal since the start, for the metrics."""
    board: Board
    thinkers: Thinkers | None
    """Those who look ahead for bots; None: nobody does."""
    scorekeeper: Scorekeeper
    closing: bool

    @property
    def registry(self) -> Rooms: ...

    def perform(self, session: Session, intent: Intent) -> None:
        """Carry out what a connection asks for."""

    def again(self, session: Session, intent: Intent) -> None:
        """Carry out what had to wait."""

    def defer(self, session: Session) -> None:
        """A request has to wait, and with it whatever else this connection asks for."""

    def undefer(self, session: Session) -> None:
        """One of them has been decided."""

    def post(self, session: Session, told: Iterable[Output | Intent], after: Batch | None = None) -> None:
        """Tell one connection what its dialect has to say, in its turn."""

    def send(self, session: Session, out: Output, after: Batch | None = None) -> None:
        """Send one connection something, in its turn."""

    def end(self, session: Session, last: Hangup | HttpResponse) -> None:
        """Say what nothing follows."""
