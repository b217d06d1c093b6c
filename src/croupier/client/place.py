"""A place at a table, as a client knows it: the state that it was shown, and how that changes with what happens."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import msgspec

from croupier.client.entries import AnyEntry, Reopened, Started
from croupier.client.protocol import Fact, Player, Summary, Sync
from croupier.client.vocabulary import Vocabulary
from croupier.kernel import Clock, Form, Result


class Happening(msgspec.Struct, frozen=True):
    """Something that has happened at a table."""

    entry: AnyEntry | dict[str, Any]
    """What it was: one of ``croupier.client.entries``; plain, if it is of a kind that this client does not know."""
    seq: int
    """Its number in the table's log."""
    at: int
    """When, by the server's clock, in milliseconds since 1970."""
    seat: int | None = None
    """Ours, at that moment; None for a spectator."""
    events: tuple[Any, ...] = ()
    """What happened in the game, as far as this place may know."""
    story: tuple[str, ...] = ()
    """The same in words."""
    result: Result | None = None
    """If this was the end of a game: how it ended."""
    cast: tuple[Player, ...] = ()
    """The same: who played, by seat."""
    seed: str | None = None
    """The same: what its luck was drawn from, in hexadecimal."""


class Place:
    """All that is known from one place at a table, at one moment. It does not change: the next moment is another."""

    def __init__(self, words: Vocabulary, told: Sync | Fact, summary: Summary, seat: int | None, result: Result | None):
        self.words = words
        self._told = told
        self.summary = summary
        self.seat = seat
        self.result = result
        self.waiting_for = told.awaited
        self.clocks = told.clocks

    @classmethod
    def of(cls, sync: Sync, words: Vocabulary) -> Place:
        return cls(words, sync, sync.table, sync.seat, sync.result)

    def after(self, fact: Fact, entry: AnyEntry | dict[str, Any]) -> Place:
        """The place as it is when this has happened."""
        result = None if isinstance(entry, Started | Reopened) else fact.result or self.result
        seat = self.seat if fact.seat is None else fact.seat
        return Place(self.words, fact, fact.table or self.summary, seat, result)

    @cached_property
    def view(self) -> Any:
        return self.words.view(self._told.view)

    @cached_property
    def moves(self) -> tuple[Any, ...]:
        return self.words.moves(self._told.moves)

    @cached_property
    def forms(self) -> tuple[Any, ...]:
        return self.words.forms(self._told.forms)

    @cached_property
    def options(self) -> Any:
        return self.words.options(self.summary.options)

    @property
    def playing(self) -> bool:
        return self.summary.phase == "playing"

    @property
    def player(self) -> Player | None:
        """Who is here."""
        return next((player for player in self.summary.players if player.seat == self.seat), None)

    @property
    def hints(self) -> bool:
        return self._told.hints

    @property
    def awaited(self) -> bool:
        return self._waits_for_us and bool(self._told.moves or self._told.forms)

    @property
    def looking(self) -> bool:
        """Whether the game goes on as soon as we say that we have seen enough."""
        return self._waits_for_us and not (self.awaited or self.player is None or self.player.stood_in)

    @property
    def _waits_for_us(self) -> bool:
        return self.playing and self.seat in self.waiting_for

    @property
    def _due(self) -> int | None:
        """When our time is up."""
        return min((clock.due for clock in self.clocks if self.seat in clock.seats), default=None)

    def offers_as(self, other: Place) -> bool:
        """Whether it is still the moment it was there: we may do the same, for the same reason."""
        if (self._told.moves, self._told.forms) != (other._told.moves, other._told.forms):
            return False
        # What others do meanwhile makes no difference to whoever is waited for.
        waited_for = self.awaited and other.awaited and self._due == other._due
        return waited_for or self._told.view == other._told.view


class Placed:
    """What there is to know about a table for somebody who is there."""

    _place: Place

    @property
    def place(self) -> Place:
        """All of the following as it is at this moment, for those who think about it for longer."""
        return self._place

    @property
    def id(self) -> str:
        return self._place.summary.id

    @property
    def code(self) -> str:
        """As good as the id while the table is open, and easier to say."""
        return self._place.summary.code

    @property
    def game(self) -> str:
        """Its name."""
        return self._place.summary.game

    @property
    def summary(self) -> Summary:
        """What everybody may know of the table: its players, its phase, and so on."""
        return self._place.summary

    @property
    def options(self) -> Any:
        return self._place.options

    @property
    def seat(self) -> int | None:
        """Ours, which may be another one in the next game; None for a spectator."""
        return self._place.seat

    @property
    def player(self) -> Player | None:
        """Who we are at the table; None for a spectator."""
        return self._place.player

    @property
    def hosting(self) -> bool:
        """Whether we are the host."""
        return self._place.seat is not None and self._place.summary.host == self._place.seat

    @property
    def playing(self) -> bool:
        """Whether a game is on."""
        return self._place.playing

    @property
    def view(self) -> Any:
        """The game as we see it; None before the first one."""
        return self._place.view

    @property
    def moves(self) -> tuple[Any, ...]:
        """What we may do now. It may be something out of turn, for which nobody waits."""
        return self._place.moves

    @property
    def forms(self) -> tuple[Form, ...]:
        """What else we may do now, too much to list."""
        return self._place.forms

    @property
    def hints(self) -> bool:
        """Whether we may ask for a hint now."""
        return self._place.hints

    @property
    def awaited(self) -> bool:
        """Whether the game waits for a move of ours."""
        return self._place.awaited

    @property
    def waiting_for(self) -> tuple[int, ...]:
        """The seats that the game can't go on without."""
        return self._place.waiting_for

    @property
    def clocks(self) -> tuple[Clock, ...]:
        """The waits that end by themselves, in the server's time: see ``now``."""
        return self._place.clocks

    @property
    def result(self) -> Result | None:
        """Of the last game, if none is being played."""
        return self._place.result
