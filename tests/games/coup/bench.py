"""A table of Coup for tests: positions in words, and a clock that the test sets."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from itertools import chain
from typing import Any, get_args

import pytest

from croupier import laws
from croupier.games.coup.characters import CHARACTERS, DECK, Character
from croupier.games.coup.events import AnyEvent
from croupier.games.coup.moves import AnyMove, Propose
from croupier.games.coup.options import Options
from croupier.games.coup.rules import Coup
from croupier.games.coup.state import State, View
from croupier.kernel import Chance, Illegal, Rig

coup = Coup()
START = 1_700_000_000_000

INJECTED: tuple[Character, ...] = (
    "duke", "captain", "assassin", "contessa", "ambassador", "duke", "contessa", "captain", "duke", "assassin",
    "ambassador", "contessa", "captain", "assassin", "ambassador",
)  # fmt: skip
"""Ann gets Duke and Captain, Bob Assassin and Contessa, Cy Ambassador and Duke."""

ANN, BOB, CY, DEE = range(4)


def cards(words: str) -> tuple[Character, ...]:
    """``"duke captain"`` for short; the first three letters will do."""
    return tuple(_character(word) for word in words.split())


def _character(word: str) -> Character:
    (found,) = (character for character in CHARACTERS if character.startswith(word))
    return found


class Table:
    """A game, its clock, and what the last step made known."""

    def __init__(self, seats: int = 3, deck: Sequence[Character] = INJECTED, **options: Any) -> None:
        rig = Rig(orders={"deck": list(deck)}, shuffle=False)
        self.at = START
        self.state: State = coup.deal(Options(**options), seats, Chance(laws.seed_bytes(0), rig=rig), START)
        self.events: list[AnyEvent] = []

    def act(self, seat: int, move: AnyMove) -> list[AnyEvent]:
        return self._told(coup.play(self.state, seat, move, self.at))

    def propose(self, seat: int, action: Any, target: Any = None) -> list[AnyEvent]:
        return self.act(seat, Propose(action, target))

    def income(self, *seats: int) -> None:
        for seat in seats:
            self.propose(seat, "income")

    def pass_time(self, ms: int) -> list[AnyEvent]:
        """Let time pass; what is due by its end happens then."""
        self.at += ms
        happened: list[AnyEvent] = []
        while due := [clock for clock in coup.clocks(self.state) if clock.due <= self.at]:
            happened += coup.expire(self.state, min(due, key=lambda clock: clock.due).name, self.at)
        return self._told(happened)

    def absent(self, seat: int) -> list[AnyEvent]:
        return self._told(coup.absent(self.state, seat, self.at))

    def back(self, seat: int) -> list[AnyEvent]:
        return self._told(coup.back(self.state, seat, self.at))

    def kick(self, *seats: int) -> list[AnyEvent]:
        return self._told(coup.leave(self.state, seats, self.at))

    def _told(self, events: Sequence[AnyEvent]) -> list[AnyEvent]:
        self.events = list(events)
        assert sorted([*self.state.deck, *chain(*self.state.hands), *self.state.drawn]) == list(range(15))  # U49
        assert sorted(self.state.faces) == sorted(DECK)
        return self.events

    def refusal(self, seat: int, move: AnyMove) -> Illegal:
        """A refusal changes nothing."""
        before = deepcopy(self.state)
        with pytest.raises(Illegal) as caught:
            coup.play(self.state, seat, move, self.at)
        assert self.state == before
        assert str(caught.value)
        return caught.value

    def refused(self, seat: int, move: AnyMove) -> str:
        return self.refusal(seat, move).code

    # Positions that it would take long to play to

    def holds(self, seat: int, words: str) -> None:
        """Give somebody these cards, by exchanging them with wherever they are; never out of another live hand."""
        for slot, wanted in enumerate(cards(words)):
            mine = self.state.hands[seat][slot]
            if self.state.faces[mine] == wanted:
                continue
            elsewhere = next(card for card in self.state.deck if self.state.faces[card] == wanted)
            faces = self.state.faces
            faces[mine], faces[elsewhere] = faces[elsewhere], faces[mine]

    def lost(self, seat: int, slot: int) -> None:
        self.state.lost[seat].append(slot)
        if len(self.state.lost[seat]) == 2:
            self.state.out.append(seat)
            self.state.coins[seat] = 0

    @property
    def coins(self) -> list[int]:
        return self.state.coins

    @property
    def phase(self) -> str:
        return self.state.phase

    @property
    def deck(self) -> tuple[Character, ...]:
        return tuple(self.state.faces[card] for card in self.state.deck)

    def hand(self, seat: int) -> tuple[Character, ...]:
        slots = self.view(seat).cards[seat]
        return tuple(slot.card for slot in slots if slot.card is not None and not slot.revealed)

    def view(self, seat: int | None = None) -> View:
        return coup.view(self.state, seat)

    def moves(self, seat: int) -> Sequence[AnyMove]:
        return coup.moves(self.state, seat)


def kinds(events: Sequence[AnyEvent]) -> list[str]:
    return [type(event).__name__ for event in events]


EVENTS = {kind.__name__: kind for kind in get_args(AnyEvent)}
