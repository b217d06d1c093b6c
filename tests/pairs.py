"""Pairs: a toy with all that few games need. Partners sit opposite, moves are too many to list, games make a match.

Everybody lays three of their thirteen cards face down at once. When all have, they are turned over, and each is worth
its number. Then the dealer gives somebody else up to twenty points: partners have their points together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import msgspec
from msgspec.structs import replace

from croupier.kernel import (
    Chance,
    Clock,
    Event,
    Form,
    Game,
    Illegal,
    Legacy,
    Move,
    NumberIn,
    OneOf,
    OutOfTurn,
    Pool,
    Result,
    SomeOf,
)


class Options(msgspec.Struct, frozen=True):
    partners: bool = True
    goal: int = 2000


class Lay(Move, frozen=True):
    cards: tuple[int, ...]


class Give(Move, frozen=True):
    points: int
    seat: int


class Laid(Event, frozen=True):
    seat: int
    cards: tuple[int, ...]

    def seen_by(self, seat: int | None) -> Self | None:
        return self if seat == self.seat else replace(self, cards=(0,) * len(self.cards))


class Shown(Event, frozen=True):
    reveals = True
    laid: tuple[tuple[int, ...], ...]


class Given(Event, frozen=True):
    seat: int
    to: int
    points: int


class Gone(Event, frozen=True):
    seats: tuple[int, ...]


AnyEvent = Laid | Shown | Given | Gone


class State(msgspec.Struct):
    options: Options
    chance: Chance
    since: int
    dealer: int
    hands: list[list[int]]
    laid: list[list[int]]
    deck: list[int]
    totals: list[int]
    phase: str = "lay"
    out: bool = False


class View(msgspec.Struct, frozen=True):
    phase: str
    dealer: int
    hand: tuple[int, ...]
    laid: tuple[tuple[int, ...], ...]
    totals: tuple[int, ...]


class Pairs(Game[State, View, Options, Lay | Give, AnyEvent]):
    name, title, about, seats = "pairs", "Pairs", "Lay three cards with your partner.", range(2, 5)

    def teams(self, options: Options, seats: int) -> tuple[tuple[int, ...], ...]:
        return ((0, 2), (1, 3)) if options.partners and seats == 4 else ()

    def deal(self, options: Options, seats: int, chance: Chance, at: int) -> State:
        deck = list(range(1, 53))
        chance.shuffle(deck, "deck")
        hands = [sorted(deck.pop() for _ in range(13)) for _ in range(seats)]
        return State(options, chance, at, 0, hands, [[] for _ in hands], deck, [0] * seats)

    def legacy(self, state: State) -> Legacy | None:
        over = state.out or max(state.totals) >= state.options.goal
        return None if over else Legacy(tuple(state.totals), state.dealer)

    def deal_next(self, options: Options, seats: int, chance: Chance, at: int, legacy: Any) -> State:
        state = self.deal(options, seats, chance, at)
        state.totals, state.dealer = list(legacy.scores), (legacy.dealer + 1) % seats
        return state

    def awaited(self, state: State) -> Sequence[int]:
        if state.phase == "lay":
            return [seat for seat, laid in enumerate(state.laid) if not laid]
        return [state.dealer] if state.phase == "give" else []

    def moves(self, state: State, seat: int) -> Sequence[Lay | Give]:
        return []

    def forms(self, state: State, seat: int) -> Sequence[Form]:
        if seat not in self.awaited(state):
            return []
        if state.phase == "lay":
            return [Form.of(Lay, cards=SomeOf(state.hands[seat], 3, 3))]
        others = [other for other in range(len(state.hands)) if other != seat]
        return [Form.of(Give, points=NumberIn(1, 20), seat=OneOf(others))]

    def play(self, state: State, seat: int, move: Lay | Give, at: int) -> list[AnyEvent]:
        if seat not in self.awaited(state):
            raise OutOfTurn
        if not self.offers(state, seat, move):
            raise Illegal("that is not what you can do now")
        state.since = at
        if isinstance(move, Give):
            for partner in self._with(state, move.seat):
                state.totals[partner] += move.points
            state.phase = "over"
            return [Given(seat, move.seat, move.points)]
        for card in move.cards:
            state.hands[seat].remove(card)
        state.laid[seat] = list(move.cards)
        if not all(state.laid):
            return [Laid(seat, move.cards)]
        for owner, cards in enumerate(state.laid):
            for partner in self._with(state, owner):
                state.totals[partner] += sum(cards)
        state.phase = "give"
        return [Laid(seat, move.cards), Shown(tuple(map(tuple, state.laid)))]

    def _with(self, state: State, seat: int) -> Sequence[int]:
        """The seat's team."""
        return next((team for team in self.teams(state.options, len(state.hands)) if seat in team), (seat,))

    def clocks(self, state: State) -> Sequence[Clock]:
        seats = tuple(self.awaited(state))
        return [Clock(state.since + 10_000, seats)] if seats else []

    def expire(self, state: State, clock: str, at: int) -> list[AnyEvent]:
        found: list[AnyEvent] = []
        for seat in self.awaited(state):
            # Time takes the lowest cards, or is mean: the same each time.
            cards = state.hands[seat][:3]
            move = Lay(tuple(cards)) if state.phase == "lay" else Give(1, (seat + 1) % len(state.hands))
            found += self.play(state, seat, move, at)
        return found

    def leave(self, state: State, seats: Sequence[int], at: int) -> list[AnyEvent]:
        state.phase, state.out = "over", True
        return [Gone(tuple(seats))]

    def view(self, state: State, seat: int | None) -> View:
        hand = () if seat is None else tuple(state.hands[seat])
        open_cards = state.phase != "lay"
        laid = tuple(
            tuple(cards) if open_cards or owner == seat else (0,) * len(cards) for owner, cards in enumerate(state.laid)
        )
        return View(state.phase, state.dealer, hand, laid, tuple(state.totals))

    def hidden(self, state: State, seat: int | None) -> Sequence[Pool]:
        others = [owner for owner in range(len(state.hands)) if owner != seat]
        laid = [state.laid[owner] for owner in others] if state.phase == "lay" else []
        return [Pool([state.deck, *laid, *(state.hands[owner] for owner in others)])]

    def result(self, state: State) -> Result | None:
        if state.phase != "over":
            return None
        teams = self.teams(state.options, len(state.hands))
        return Result.by_score([state.totals[team[0]] for team in teams] or state.totals, teams)
