"""A table of Fortress for tests: positions in words, and a clock that the test sets.

Places are words: ``"soldier 1"`` is seat 0's own, ``"their soldier 1"`` is seat 1's. Seat 0 is Ann, seat 1 is Bob.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any, TypeVar

import pytest

from croupier import laws
from croupier.games.fortress import Fortress
from croupier.games.fortress import events as ev
from croupier.games.fortress import moves as mv
from croupier.games.fortress.cards import CARDS, KIND
from croupier.games.fortress.options import Options
from croupier.games.fortress.places import SLOT, Place
from croupier.games.fortress.state import Side, State, Unit
from croupier.games.fortress.tasks import enter
from croupier.games.fortress.view import View
from croupier.kernel import Chance, Illegal, Rig

fortress = Fortress()
START = 1_700_000_000_000
ANN, BOB = 0, 1

FILLER = [33, 33, 37, 37, 41, 41, 28, 28]
"""What lies in the decks if a test does not say: tricksters, which hardly any search asks for."""

EventT = TypeVar("EventT", bound=ev.AnyEvent)


def at(words: str) -> Place:
    """A place in words."""
    seat = 1 if words.startswith("their ") else 0
    zone, _, number = words.removeprefix("their ").partition(" ")
    return Place(seat, zone, int(number or 1))  # type: ignore[arg-type]


class Table:
    """A game in the main part of Ann's third turn, with empty fields and hands, unless it is told otherwise."""

    def __init__(
        self,
        castles: tuple[int, int] = (3, 3),
        turn: int = 3,
        hand: Sequence[int] = (),
        their_hand: Sequence[int] = (),
        deck: Sequence[int] = FILLER,
        their_deck: Sequence[int] = FILLER,
        **options: Any,
    ) -> None:
        self.at = START
        sides = [
            Side(castle=castle, health=CARDS[castle].health, deck=list(cards), accepted=True, dealt=6)
            for castle, cards in zip(castles, (deck, their_deck), strict=True)
        ]
        chance = Chance(laws.seed_bytes(7), rig=Rig(shuffle=False))
        self.state = State(
            options=Options(**options), chance=chance, sides=sides, waits=[START, START], phase="main", since=START,
            turn=turn, active=ANN if turn % 2 else BOB,
        )  # fmt: skip
        self.events: list[ev.AnyEvent] = []
        for side, cards in zip(sides, (hand, their_hand), strict=True):
            side.hand = list(cards)
            side.clues = [-1] * len(cards)
            side.fewer = [0] * len(cards)

    # Positions that it would take long to play to

    def put(self, words: str, card: int, **fields: Any) -> Unit:
        """Put a card on the field, as if it had been there for a while."""
        place = at(words)
        assert KIND[card] == place.zone
        unit = enter(self.state, place.seat, card, SLOT[place])
        unit.entered = 0
        for name, value in fields.items():
            setattr(unit, name, value)
        return unit

    # Moves

    def act(self, seat: int, move: mv.AnyMove) -> list[ev.AnyEvent]:
        self.events = list(fortress.play(self.state, seat, move, self.at))
        return self.events

    def play(self, hand: int, to: str, seat: int = ANN) -> list[ev.AnyEvent]:
        return self.act(seat, mv.PlayCard(Place(seat, "hand", hand), at(to)))

    def attack(self, attacker: str, target: str) -> list[ev.AnyEvent]:
        return self.act(at(attacker).seat, mv.AttackCard(at(attacker), at(target)))

    def level(self, mage: str) -> list[ev.AnyEvent]:
        return self.act(at(mage).seat, mv.LevelMage(at(mage)))

    def use(self, place: str, **fields: Any) -> list[ev.AnyEvent]:
        return self.act(at(place).seat, mv.UseAbility(at(place), **fields))

    def activate(self, place: str, **fields: Any) -> list[ev.AnyEvent]:
        return self.act(at(place).seat, mv.ActivateTrickster(at(place), **fields))

    def allow(self, seat: int | None = None) -> list[ev.AnyEvent]:
        """Whoever holds the window lets it pass."""
        holder = self.state.holder
        assert holder is not None, "there is no window"
        assert seat in (None, holder)
        return self.act(holder, mv.AllowAction())

    def choose(self, place: str | None, **fields: Any) -> list[ev.AnyEvent]:
        """Whoever is asked chooses this; None declines."""
        assert self.state.request is not None, "nothing is asked"
        where = None if place is None else at(place)
        return self.act(self.state.request.seat, mv.ChooseCard(where, **fields))

    def answer(self, yes: bool) -> list[ev.AnyEvent]:
        assert self.state.request is not None, "nothing is asked"
        return self.act(self.state.request.seat, mv.Answer(yes))

    def end_turn(self) -> list[ev.AnyEvent]:
        return self.act(self.state.active, mv.EndTurn())

    def draw(self) -> list[ev.AnyEvent]:
        """The turn's draw, allowed."""
        self.act(self.state.active, mv.DrawCard())
        return self.allow()

    def pass_time(self, seconds: float) -> list[ev.AnyEvent]:
        """Let time pass; what is due by its end happens then."""
        self.at += int(1000 * seconds)
        happened: list[ev.AnyEvent] = []
        while due := [clock for clock in fortress.clocks(self.state) if clock.due <= self.at]:
            first = min(due, key=lambda clock: clock.due)
            happened += fortress.expire(self.state, first.name, max(first.due, self.state.since))
        self.events = happened
        return happened

    def refused(self, seat: int, move: mv.AnyMove) -> str:
        """The code of a refusal, which changes nothing."""
        before = deepcopy(self.state)
        with pytest.raises(Illegal) as caught:
            fortress.play(self.state, seat, move, self.at)
        assert self.state == before
        assert str(caught.value)
        return caught.value.code

    # What is there

    def unit(self, words: str) -> Unit:
        found = self.state.sides[at(words).seat].field[SLOT[at(words)]]
        assert found is not None, f"there is nothing at {words}"
        return found

    def card(self, words: str) -> int | None:
        found = self.state.sides[at(words).seat].field[SLOT[at(words)]]
        return None if found is None else found.card

    def points(self, words: str) -> int | None:
        found = self.view(ANN).sides[at(words).seat].field[SLOT[at(words)]]
        assert found is not None
        return found.points

    @property
    def ann(self) -> Side:
        return self.state.sides[ANN]

    @property
    def bob(self) -> Side:
        return self.state.sides[BOB]

    @property
    def health(self) -> tuple[int, int]:
        return self.ann.health, self.bob.health

    @property
    def region(self) -> list[str]:
        """What may be chosen now, in words."""
        assert self.state.request is not None, "nothing is asked"
        return [words(place) for place in self.state.request.region]

    def view(self, seat: int | None = None) -> View:
        return fortress.view(self.state, seat)

    def moves(self, seat: int) -> Sequence[mv.AnyMove]:
        return fortress.moves(self.state, seat)

    def told(self, kind: type[EventT]) -> list[EventT]:
        """Events of this kind that the last move made."""
        return [event for event in self.events if isinstance(event, kind)]


def words(place: Place) -> str:
    zone = place.zone if place.zone in ("castle", "decree") else f"{place.zone} {place.number}"
    return f"their {zone}" if place.seat else zone


def new_game(first: int = ANN, decks: Sequence[Sequence[int]] | None = None, **options: Any) -> Table:
    """A game from its very beginning, without shuffling."""
    table = Table(**options)
    chance = Chance(laws.seed_bytes(1), rig=Rig(shuffle=False, orders={"first": [first, 1 - first]}))
    table.state = fortress.deal(Options(**options), 2, chance, START)
    for seat, deck in enumerate(decks or ()):
        table.act(seat, mv.BringDeck(tuple(deck)))
    return table
