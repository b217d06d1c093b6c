"""Bids: a whole game in under a hundred lines of code; below it, what it looks like when a game leaks.

Everybody secretly bids a card; the highest takes the point, and luck decides between equals. Who is too slow bids the
lowest card; who leaves is out of it. It ends when the cards are gone.
"""

from collections.abc import Sequence
from typing import Annotated, Self

import msgspec
from msgspec.structs import replace

from croupier.kernel import ENGLISH, Chance, Clock, Customs, Dice, Event, Game, Illegal, Move, OutOfTurn, Result, Words


class Options(msgspec.Struct, frozen=True):
    seconds: Annotated[int, msgspec.Meta(ge=1, le=60, title="Seconds for a bid")] = 10


class Bid(Move, frozen=True):
    card: int


class Bidden(Event, frozen=True):
    seat: int
    card: int | None

    def seen_by(self, seat: int | None) -> Self | None:
        return self if seat == self.seat else replace(self, card=None)


class Won(Event, frozen=True):
    reveals = True
    seat: int
    bids: tuple[int | None, ...]


class Left(Event, frozen=True):
    seat: int


AnyEvent = Bidden | Won | Left


class State(msgspec.Struct):
    seconds: int
    chance: Chance
    since: int
    hands: list[list[int]]
    bids: list[int | None]
    points: list[int]
    players: list[int]


class View(msgspec.Struct, frozen=True):
    hand: tuple[int, ...]
    bid: int | None
    has_bid: tuple[bool, ...]
    points: tuple[int, ...]
    players: tuple[int, ...]


class Bids(Game[State, View, Options, Bid, AnyEvent]):
    name, title, about, seats = "bids", "Bids", "The highest card takes the point.", range(2, 7)

    def deal(self, options: Options, seats: int, chance: Chance, at: int) -> State:
        hands = [sorted(1 + chance.below(6) for _ in range(4)) for _ in range(seats)]
        return State(options.seconds, chance, at, hands, [None] * seats, [0] * seats, list(range(seats)))

    def awaited(self, state: State) -> Sequence[int]:
        return [s for s in state.players if state.hands[s] and state.bids[s] is None and len(state.players) > 1]

    def moves(self, state: State, seat: int) -> Sequence[Bid]:
        return [Bid(card) for card in sorted(set(state.hands[seat]))] if seat in self.awaited(state) else []

    def play(self, state: State, seat: int, move: Bid, at: int) -> list[AnyEvent]:
        if seat not in self.awaited(state):
            raise OutOfTurn
        if move.card not in state.hands[seat]:
            raise Illegal("you do not have that card")
        state.hands[seat].remove(move.card)
        state.bids[seat] = move.card
        return [Bidden(seat, move.card), *self._turn_over(state, at)]

    def _turn_over(self, state: State, at: int) -> list[AnyEvent]:
        bids = {seat: bid for seat in state.players if (bid := state.bids[seat]) is not None}
        if len(bids) < max(2, len(state.players)):
            return []
        winner = state.chance.choice([seat for seat, bid in bids.items() if bid == max(bids.values())])
        events: list[AnyEvent] = [Won(winner, tuple(state.bids))]
        state.points[winner] += 1
        state.bids = [None] * len(state.bids)
        state.since = at
        return events

    def clocks(self, state: State) -> Sequence[Clock]:
        seats = tuple(self.awaited(state))
        return [Clock(state.since + 1000 * state.seconds, seats, "bid")] if seats else []

    def expire(self, state: State, clock: str, at: int) -> list[AnyEvent]:
        return [
            event for seat in self.awaited(state) for event in self.play(state, seat, self.moves(state, seat)[0], at)
        ]

    def leave(self, state: State, seats: Sequence[int], at: int) -> list[AnyEvent]:
        state.players = [seat for seat in state.players if seat not in seats]
        return [*map(Left, seats), *self._turn_over(state, at)]

    def view(self, state: State, seat: int | None) -> View:
        hand, bid = ((), None) if seat is None else (tuple(state.hands[seat]), state.bids[seat])
        has_bid = tuple(bid is not None for bid in state.bids)
        return View(hand, bid, has_bid, tuple(state.points), tuple(state.players))

    def imagine(self, state: State, seat: int | None, dice: Dice) -> State:
        imagined = self.clone(state)
        imagined.chance = Chance(bytes(dice.below(256) for _ in range(32)))
        for other in set(range(len(state.hands))) - {seat}:
            imagined.hands[other] = sorted(1 + dice.below(6) for _ in state.hands[other])
            imagined.bids[other] = None if state.bids[other] is None else 1 + dice.below(6)
        return imagined

    def result(self, state: State) -> Result | None:
        if self.awaited(state):
            return None
        standing = [(seat in state.players, points) for seat, points in enumerate(state.points)]
        places = sorted(set(standing), reverse=True)
        placings = tuple(tuple(seat for seat, mine in enumerate(standing) if mine == place) for place in places)
        return Result(placings, tuple(state.points))

    def tell(self, event: AnyEvent, names: Sequence[str], words: Words = ENGLISH) -> str:
        return f"{names[event.seat]} has {msgspec.to_builtins(event)['event']}."


# Leaks: each gives away in another way what somebody else holds or has bid.


class LeakyView(Bids):
    """Whether a bid has been made is only said of high ones."""

    def view(self, state: State, seat: int | None) -> View:
        view = super().view(state, seat)
        return replace(view, has_bid=tuple(bid is not None and bid > 3 for bid in state.bids))


class LeakyMoves(Bids):
    """The order of the offers depends on a card that somebody else holds."""

    def moves(self, state: State, seat: int) -> Sequence[Bid]:
        moves = super().moves(state, seat)
        return moves[::-1] if any(6 in hand for hand in state.hands) else moves


class LeakyClock(Bids):
    """There is more time to beat a high bid."""

    def clocks(self, state: State) -> Sequence[Clock]:
        bonus = sum(bid or 0 for bid in state.bids)
        return [Clock(clock.due + bonus, clock.seats, clock.name) for clock in super().clocks(state)]


class Spoken(Bidden, frozen=True, tag="bidden"):
    """A bid that is not redacted."""

    def seen_by(self, seat: int | None) -> Self | None:
        return self


class LeakyEvent(Bids):
    """The others are told the bid as it is made."""

    def play(self, state: State, seat: int, move: Bid, at: int) -> list[AnyEvent]:
        _, *others = super().play(state, seat, move, at)
        return [Spoken(seat, move.card), *others]


class Whispered(Bidden, frozen=True, tag="bidden"):
    """A bid of which the others hear only when it is a high one."""

    def seen_by(self, seat: int | None) -> Self | None:
        return super().seen_by(seat) if seat == self.seat or self.card in (4, 5, 6) else None


class LeakySilence(Bids):
    """That an event is missing says something too."""

    def play(self, state: State, seat: int, move: Bid, at: int) -> list[AnyEvent]:
        _, *others = super().play(state, seat, move, at)
        return [Whispered(seat, move.card), *others]


class LazyImagination(Bids):
    """Imagines what is, which would make any leak look harmless."""

    def imagine(self, state: State, seat: int | None, dice: Dice) -> State:
        return self.clone(state)


# Something else that a game may do.


class Looking(Bids):
    """Before the first bid everybody looks at their cards, and a bot bids for whoever is late."""

    customs = Customs(late="stand_in", absent="stand_in", looks=("look",))

    def deal(self, options: Options, seats: int, chance: Chance, at: int) -> State:
        state = super().deal(options, seats, chance, at)
        state.players = []
        return state

    def clocks(self, state: State) -> Sequence[Clock]:
        return super().clocks(state) if state.players else [Clock(state.since + 5000, name="look")]

    def expire(self, state: State, clock: str, at: int) -> list[AnyEvent]:
        state.players, state.since = list(range(len(state.hands))), at
        return []

    def result(self, state: State) -> Result | None:
        return super().result(state) if state.players else None
