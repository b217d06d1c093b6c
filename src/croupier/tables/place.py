"""A place at a table: a seat or the spectators' bench. It is all that a connection can see of the table."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Any

import msgspec
from click import unstyle

from croupier.kernel import Clock, Form, Move, Result
from croupier.kernel.words import Reader
from croupier.tables import advice, error_log, languages
from croupier.tables.chat import Line
from croupier.tables.seat import Seat
from croupier.tables.summary import Player, Summary
from croupier.tables.table import Table


class Place:
    """Nothing here tells more than the seat may know; spectators are told what everybody may know."""

    __slots__ = ("_seat", "_table")

    def __init__(self, table: Table, seat: Seat | None) -> None:
        self._table = table
        self._seat = seat

    def holds(self, seat: Seat) -> bool:
        """Whether it is this very seat."""
        return self._seat is seat

    def set_dialect(self, dialect: str) -> None:
        """A connection that speaks this has the place now."""
        if self._seat is not None:
            self._seat.dialect = dialect

    def for_spectators(self) -> Place:
        """The same table, as everybody may see it."""
        return Place(self._table, None)

    @property
    def lost(self) -> bool:
        """Whether the seat has been given up or taken away."""
        seat = self._seat
        return seat is not None and (seat.kicked or self._table.seats.get(seat.number) is not seat)

    def again(self) -> Place | None:
        """The same place after the table has been read from the journal again; None when the seat is gone."""
        if self._seat is None:
            return self
        seat = self._table.by_token.get(self._seat.token or "")
        return None if seat is None else Place(self._table, seat)

    @property
    def table(self) -> str:
        return self._table.id

    @property
    def game(self) -> str:
        return self._table.game.name

    @property
    def seat(self) -> int | None:
        """The seat's number, which changes when a game begins; None for a spectator."""
        return None if self._seat is None else self._seat.number

    def dialect_of(self, seat: int) -> str:
        """The dialect of somebody's connection, where it makes a difference to others."""
        return self._table.seats[seat].dialect

    @property
    def client(self) -> str:
        """What the seat's protocol remembers of the program that is used there."""
        return "" if self._seat is None else self._seat.client

    @property
    def seq(self) -> int:
        return self._table.seq

    @property
    def at(self) -> int:
        """When something last happened."""
        return self._table.at

    @property
    def step(self) -> int:
        """How often the game has changed, or who is there to play it; for protocols that number what they tell."""
        return self._table.step

    @property
    def summary(self) -> Summary:
        return self._table.summary

    @property
    def name(self) -> str:
        """What somebody is called here; empty for a spectator."""
        return "" if self._seat is None else self._seat.name

    def lines(self, unheard: Set[str] = frozenset()) -> Sequence[Line]:
        """What was said at the table, the last of it, but by these persons."""
        return self._table.soft.chat.lines({seat.user: number for number, seat in self._table.seats.items()}, unheard)

    @property
    def person(self) -> str:
        """Who has the seat, beyond this table."""
        return "" if self._seat is None else self._seat.person

    @property
    def playing(self) -> bool:
        return self._table.phase == "playing"

    @property
    def starts_at(self) -> int | None:
        """When a countdown that runs before the game is over."""
        return self._table.starts_at

    @property
    def just_ended(self) -> bool:
        """Whether the last thing that happened has ended a game."""
        return self._table.ended_by == self._table.seq and not self._table.mentioned

    @property
    def mentioned(self) -> bool:
        """Whether the last thing that happened is not in the log."""
        return self._table.mentioned

    @property
    def stood_in(self) -> bool:
        """Whether a bot plays for this seat."""
        return self._seat is not None and self._seat.stood_in

    def view(self) -> Any:
        """The game as this place sees it; None before there is one."""
        table, seat = self._table, self._seat
        if table.state is None:
            return None
        # Who has joined after a game sees it as a spectator does.
        return table.game.view(table.state, seat.number if seat is not None and seat.dealt_in else None)

    def private(self) -> Any:
        """What only this place sees of the game; None where that is nothing, or the game can't say it by itself."""
        table, seat = self._table, self._seat
        if table.state is None or seat is None or not seat.dealt_in:
            return None
        return table.game.private(table.state, seat.number)

    def recall(self) -> Any:
        """What this place was shown before and the view keeps no more; None in most games."""
        table, seat = self._table, self._seat
        if table.state is None:
            return None
        return table.game.recall(table.state, seat.number if seat is not None and seat.dealt_in else None)

    def lineup(self) -> Sequence[Player]:
        """Who plays, or played last; some of them may have gone since."""
        return [msgspec.structs.replace(seat.player(), seat=n) for n, seat in enumerate(self._table.lineup)]

    def moves(self) -> Sequence[Move]:
        table, seat = self._table, self._seat
        if seat is None or seat.stood_in or table.state is None or table.phase != "playing":
            return ()
        return table.game.moves(table.state, seat.number)

    def offers(self) -> tuple[Sequence[Move], Sequence[Form]]:
        """The moves of this seat, and forms for those that are too many to list."""
        table, seat = self._table, self._seat
        if seat is None or seat.stood_in or table.state is None or table.phase != "playing":
            return (), ()
        game, state, number = table.game, table.state, seat.number
        return game.moves(state, number), game.forms(state, number) if game.has_forms else ()

    @property
    def hintable(self) -> bool:
        """Whether somebody here may ask for a hint, if there is anything that they may do."""
        table, seat = self._table, self._seat
        return table.soloist is seat and advice.withheld(table, seat) is None

    def clocks(self) -> Sequence[Clock]:
        return self._table.clocks()

    @property
    def lesson(self) -> int | None:
        """How many moves of a lesson's script have been made; None where it is none, or has been left."""
        course = self._table.course
        return None if course is None else course.position

    def awaited(self) -> Sequence[int]:
        """The seats that the game can't go on without; this one's if it is to move."""
        return self._table.awaited()

    def result(self) -> Result | None:
        return self._table.result

    def seed(self) -> str | None:
        """What the luck of the last game was drawn from, once it is over."""
        return self._table.seed.hex() if self._table.result is not None else None

    def _names(self) -> Sequence[str]:
        """By seat, this one's marked as that of whoever reads."""
        seat, names = self.seat, self._table.names
        return names if seat is None else [Reader(name) if n == seat else name for n, name in enumerate(names)]

    def tell_late(self, language: str = "en") -> list[str]:
        """Whose time has just run out, as sentences."""
        names, words = self._names(), languages.words(language)
        return [words("{name} [have|has] run out of time.", name=names[seat]) for seat in self._table.late]

    def tell(self, events: Sequence[Any], language: str = "en") -> list[str]:
        """The events as sentences; nothing of what can't be put into words: that is no reason not to go on."""
        table, names = self._table, self._names()
        game = table.game
        if game.customs.memory:
            events = [seen for event in events if (seen := event.seen_by(None)) is not None]
        words = languages.words(language, game)
        try:
            return [sentence for event in events if (sentence := game.tell(event, names, words))]
        except Exception:
            error_log.report("story", "events can't be told", table=table.id, game=game.name)
            return []

    def label(self, moves: Sequence[Move], language: str = "en") -> Sequence[str]:
        """These moves of ours in words, each in one line and without colours; none of them where one can't be put into
        words: that is no reason not to go on."""
        table = self._table
        game, view, names, words = table.game, self.view(), self._names(), languages.words(language, table.game)
        try:
            return [" ".join(unstyle(game.label(move, view, names, words)).split()) for move in moves]
        except Exception:
            error_log.report("story", "moves can't be put into words", table=table.id, game=game.name)
            return ()
