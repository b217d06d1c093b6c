"""A game whose cards have ids that everybody sees, and a pile that is shuffled into the stock when that is gone."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Self

import msgspec
from msgspec.structs import replace

from croupier.kernel import Chance, Clock, Customs, Dice, Event, Game, Illegal, Move, OutOfTurn, Result

FACES = ["♠", "♥", "♦", "♣"] * 4


class Options(msgspec.Struct, frozen=True):
    pass


class Discard(Move, frozen=True):
    card: str


class Discarded(Event, frozen=True):
    reveals = True
    seat: int
    card: str


class Drew(Event, frozen=True):
    reveals = True
    seat: int
    face: str | None

    def seen_by(self, seat: int | None) -> Self | None:
        return self if seat == self.seat else replace(self, face=None)


class Reshuffled(Event, frozen=True):
    pass


AnyEvent = Discarded | Drew | Reshuffled


class State(msgspec.Struct):
    chance: Chance
    faces: dict[str, str]
    stock: list[str]
    hands: list[list[str]]
    pile: list[str]
    turns: int = 0
    ids: int = len(FACES)


class View(msgspec.Struct, frozen=True):
    hands: tuple[tuple[str, ...], ...]
    """By their ids."""
    pile: tuple[str, ...]
    faces: dict[str, str]
    """Of the cards on the pile, and one's own."""


class FreshIds(Game[State, View, Options, Discard, AnyEvent]):
    """Cards get new ids with every shuffle."""

    name, title, about, seats = "ids", "Ids", "Discard and draw.", range(2, 5)
    customs = Customs(late="stand_in", absent="stand_in")

    def deal(self, options: Options, seats: int, chance: Chance, at: int) -> State:
        cards = [f"c{number}" for number in range(len(FACES))]
        faces = list(FACES)
        chance.shuffle(faces, "faces")
        hands = [[cards.pop() for _ in range(3)] for _ in range(seats)]
        return State(chance, {f"c{number}": face for number, face in enumerate(faces)}, cards, hands, [])

    def awaited(self, state: State) -> Sequence[int]:
        return [state.turns % len(state.hands)] if state.turns < 40 else []

    def moves(self, state: State, seat: int) -> Sequence[Discard]:
        return [Discard(card) for card in state.hands[seat]] if seat in self.awaited(state) else []

    def play(self, state: State, seat: int, move: Discard, at: int) -> list[AnyEvent]:
        if seat not in self.awaited(state):
            raise OutOfTurn
        if move.card not in state.hands[seat]:
            raise Illegal("you do not have that card")
        state.hands[seat].remove(move.card)
        state.pile.append(move.card)
        state.turns += 1
        events: list[AnyEvent] = [Discarded(seat, state.faces[move.card])]
        if not state.stock:
            self.reshuffle(state)
            events.append(Reshuffled())
        card = state.stock.pop()
        state.hands[seat].append(card)
        return [*events, Drew(seat, state.faces[card])]

    def reshuffle(self, state: State) -> None:
        faces = [state.faces.pop(card) for card in state.pile]
        state.chance.shuffle(faces, "reshuffle")
        state.stock = [f"c{state.ids + number}" for number in range(len(faces))]
        state.faces |= dict(zip(state.stock, faces, strict=True))
        state.ids += len(faces)
        state.pile = []

    def clocks(self, state: State) -> Sequence[Clock]:
        return []

    def view(self, state: State, seat: int | None) -> View:
        own = [] if seat is None else state.hands[seat]
        faces = {card: state.faces[card] for card in (*state.pile, *own)}
        return View(tuple(map(tuple, state.hands)), tuple(state.pile), faces)

    def imagine(self, state: State, seat: int | None, dice: Dice) -> State:
        imagined = deepcopy(state)
        imagined.chance = Chance(bytes(dice.below(256) for _ in range(32)))
        hidden = [card for other, hand in enumerate(state.hands) if other != seat for card in hand] + state.stock
        faces = [state.faces[card] for card in hidden]
        dice.shuffle(faces, "hidden")
        imagined.faces |= dict(zip(hidden, faces, strict=True))
        return imagined

    def result(self, state: State) -> Result | None:
        return None if self.awaited(state) else Result((tuple(range(len(state.hands))),))


class LastingIds(FreshIds):
    """The mistake: a card that everybody has seen on the pile is the same card in somebody's hand."""

    def reshuffle(self, state: State) -> None:
        state.chance.shuffle(state.pile, "reshuffle")
        state.stock, state.pile = state.pile, []
