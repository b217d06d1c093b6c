"""Games with a mistake each that authors make. The laws have to find every one, and name it."""

from __future__ import annotations

import random
import secrets
import time
from collections.abc import Sequence
from copy import copy, deepcopy
from datetime import datetime
from typing import Any, cast

from msgspec.structs import replace

from croupier.kernel import ENGLISH, Bot, Chance, Clock, Dice, Event, Game, Illegal, OutOfTurn, RandomBot, Result, Words
from tests.toys import AnyEvent, Bid, Bidden, Bids, Options, Spoken, State, View, Won

# What people imagine.


class RealImagination(Bids):
    """Nothing is copied at all."""

    def imagine(self, state: State, seat: int | None, dice: Dice) -> State:
        return state


class ShallowImagination(Bids):
    """The copy has the lists of the original."""

    def imagine(self, state: State, seat: int | None, dice: Dice) -> State:
        imagined = copy(super().imagine(state, seat, dice))
        imagined.points = state.points
        return imagined


class Foresight(Bids):
    """All cards are forgotten, but not what will come."""

    def imagine(self, state: State, seat: int | None, dice: Dice) -> State:
        imagined = super().imagine(state, seat, dice)
        imagined.chance = deepcopy(state.chance)
        return imagined


class OpenCards(Bids):
    """Only the luck to come is forgotten."""

    def imagine(self, state: State, seat: int | None, dice: Dice) -> State:
        imagined = deepcopy(state)
        imagined.chance = super().imagine(state, seat, dice).chance
        return imagined


class Amnesia(Bids):
    """A seat forgets its own cards, too."""

    def imagine(self, state: State, seat: int | None, dice: Dice) -> State:
        return super().imagine(state, None, dice)


class Shown(Event, frozen=True, tag="won"):
    """The bids are turned over, and it is not said that nobody could know them."""

    seat: int
    bids: tuple[int | None, ...]


class Unrevealed(Bids):
    def _turn_over(self, state: State, at: int) -> list[AnyEvent]:
        found = super()._turn_over(state, at)
        return [cast(Any, Shown(event.seat, event.bids)) if isinstance(event, Won) else event for event in found]


# Whether it goes on.


class Refusing(Bids):
    """The highest card is offered, and not accepted."""

    def play(self, state: State, seat: int, move: Bid, at: int) -> list[AnyEvent]:
        if move.card == 6:
            raise Illegal("that one is too good to be played")
        return super().play(state, seat, move, at)


class Hanging(Bids):
    """When somebody has bid, nobody is asked any more."""

    def awaited(self, state: State) -> Sequence[int]:
        return [] if any(state.bids) else super().awaited(state)

    def result(self, state: State) -> Result | None:
        return None if len(state.players) > 1 else super().result(state)


class Speechless(Bids):
    """Is waited for, and can do nothing."""

    def moves(self, state: State, seat: int) -> Sequence[Bid]:
        return () if seat == 1 else super().moves(state, seat)


class Patient(Bids):
    """Its clock runs out, again and again."""

    def expire(self, state: State, clock: str, at: int) -> list[AnyEvent]:
        return []


class NoFarewell(Bids):
    """Nobody has thought of people who leave."""

    leave = Game.leave  # type: ignore[assignment]


class Endless(Bids):
    """When everybody has left, there is nobody to win."""

    def result(self, state: State) -> Result | None:
        return super().result(state) if state.players else None


class Stuttering(Bids):
    """Of two equal cards, both are offered."""

    def moves(self, state: State, seat: int) -> Sequence[Bid]:
        return [Bid(card) for card in state.hands[seat]] if seat in self.awaited(state) else []


class WinnersOnly(Bids):
    """Who has not won is in no place."""

    def result(self, state: State) -> Result | None:
        result = super().result(state)
        return result and replace(result, placings=result.placings[:1])


# What is refused.


class Sloppy(Bids):
    """Takes the card before it looks whether it may be played."""

    def play(self, state: State, seat: int, move: Bid, at: int) -> list[AnyEvent]:
        state.hands[seat].sort(reverse=True)
        return super().play(state, seat, move, at)


class Trusting(Bids):
    """Does not look whether there is such a card."""

    def play(self, state: State, seat: int, move: Bid, at: int) -> list[AnyEvent]:
        if seat not in self.awaited(state):
            raise OutOfTurn
        state.hands[seat].remove(move.card)
        state.hands[seat].append(move.card)
        return super().play(state, seat, move, at)


class Curt(Bids):
    """Refuses without a word."""

    def play(self, state: State, seat: int, move: Bid, at: int) -> list[AnyEvent]:
        if seat not in self.awaited(state):
            raise Illegal("")
        return super().play(state, seat, move, at)


# What is not data.


class GlobalLuck(Bids):
    """Luck that nobody can replay."""

    def deal(self, options: Options, seats: int, chance: Chance, at: int) -> State:
        state = super().deal(options, seats, chance, at)
        random.shuffle(state.hands)
        return state


class SecretLuck(Bids):
    def deal(self, options: Options, seats: int, chance: Chance, at: int) -> State:
        state = super().deal(options, seats, chance, at)
        state.hands[0][0] = 1 + secrets.randbelow(6)
        return state


class WallClock(Bids):
    """Time that nobody can replay; rounded, so that a quick test does not see it."""

    def clocks(self, state: State) -> Sequence[Clock]:
        hour = int(time.time()) // 3600
        return [replace(clock, due=clock.due + hour * 0) for clock in super().clocks(state)]


class Calendar(Bids):
    def deal(self, options: Options, seats: int, chance: Chance, at: int) -> State:
        year = datetime.now().year  # noqa: DTZ005
        return super().deal(options, seats, chance, at + year * 0)


class Moody(Bids):
    """Depends on something that no journal knows."""

    games = 0

    def deal(self, options: Options, seats: int, chance: Chance, at: int) -> State:
        self.games += 1
        return super().deal(options, seats, chance, at + self.games)


DECK = [1, 2, 3, 4, 5, 6]


class OneDeck(Bids):
    """Shuffles the only deck there is, in its place."""

    def deal(self, options: Options, seats: int, chance: Chance, at: int) -> State:
        state = super().deal(options, seats, chance, at)
        chance.shuffle(DECK, "deck")
        state.hands[0] = sorted(DECK[:4])
        return state


class OneScoreboard(Bids):
    """All games count on the same list."""

    board: list[int]

    def deal(self, options: Options, seats: int, chance: Chance, at: int) -> State:
        state = super().deal(options, seats, chance, at)
        if len(getattr(self, "board", ())) != seats:
            self.board = state.points
        state.points = self.board
        return state


class Halves(Bids):
    """What is a whole number is not."""

    def _turn_over(self, state: State, at: int) -> list[AnyEvent]:
        events = super()._turn_over(state, at)
        state.points = [points / 1 for points in state.points]  # type: ignore[misc]
        return events


class Unheard(Event, frozen=True):
    seat: int


class UnknownEvent(Bids):
    """Says something that is not in its vocabulary."""

    def play(self, state: State, seat: int, move: Bid, at: int) -> list[AnyEvent]:
        return [*super().play(state, seat, move, at), Unheard(seat)]  # type: ignore[list-item]


class HashOrder(Bids):
    """Offers what is in a set of texts, in no order."""

    def moves(self, state: State, seat: int) -> Sequence[Bid]:
        return [Bid(int(card)) for card in {str(move.card) for move in super().moves(state, seat)}]


# What is said.


class Wide(Bids):
    def show(self, view: View, names: Sequence[str]) -> str:
        return " ".join(f"{name} is still in the game." for name in [*names, *names, *names])


class Nameless(Bids):
    def label(self, move: Bid, view: View, names: Sequence[str], words: Words = ENGLISH) -> str:
        return ""


class TongueTied(Bids):
    """Can't say what it does not know."""

    def tell(self, event: AnyEvent, names: Sequence[str], words: Words = ENGLISH) -> str:
        return f"{names[event.seat]} has bid {event.card + 0}." if isinstance(event, Bidden) else ""  # type: ignore[operator]


# What it says about itself.


class Shouting(Bids):
    name = "BIDS!"


class Contrary(Bot):
    name, about = "contrary", "Plays something else."

    def choose(self, seat: int, view: View, moves: Sequence[Bid], dice: Dice) -> Bid:
        return Bid(7)


class Cheating(Bids):
    bots = {"contrary": Contrary, "random": RandomBot}  # noqa: RUF012


class Reformed(Bids):
    """The old rules have been forgotten."""

    rules = 2

    def clocks(self, state: State) -> Sequence[Clock]:
        return super().clocks(state) if self.rules == 2 else [*super().clocks(state)] * 2


class OpenGame(Bids):
    """No mistake: all cards lie open, and only luck is still to come."""

    def view(self, state: State, seat: int | None) -> View:
        return replace(super().view(state, None), hand=tuple(card for hand in state.hands for card in hand))

    def play(self, state: State, seat: int, move: Bid, at: int) -> list[AnyEvent]:
        found = super().play(state, seat, move, at)
        return [Spoken(event.seat, event.card) if isinstance(event, Bidden) else event for event in found]

    def imagine(self, state: State, seat: int | None, dice: Dice) -> State:
        return OpenCards().imagine(state, seat, dice)


FOUND: list[tuple[type[Bids], str, str]] = [
    # (the game, what is said of it, and what to do)
    (RealImagination, "imagines is the real state itself", "`imagine` returns a copy"),
    (ShallowImagination, "happens in the real one: state.points is the same object in both", "a copy of its own"),
    (Foresight, "imagines the luck to come as it will really be", "gives the copy another `Chance`"),
    (OpenCards, "nothing but what is real has been imagined", "draws the cards of others"),
    (Amnesia, "seat 0 can tell the real state from an imagined one: view.hand", "`imagine` has to leave it as it is"),
    (Unrevealed, "event won.bids[", "`reveals = True`"),
    (Refusing, "a move that `moves` offers to seat 1 is refused by `play`: “that one is too good", "have to agree"),
    (Hanging, "it hangs: nobody has a move, no clock runs", "a clock that ends it"),
    (Speechless, "seat 1 is awaited and has no move", "if only a move to pass"),
    (Patient, "the clock 'bid' runs out and nothing changes", "`expire` does what ends the wait"),
    (NoFarewell, "NotImplementedError: nobody can leave a game of bids", 'absent="stand_in"'),
    (Endless, "it hangs if everybody leaves now", "also if nobody has won"),
    (Stuttering, 'is offered {"move":"bid","card":', "one move for everything"),
    (WinnersOnly, "the result places seats [", "every seat once"),
    (Sloppy, "and yet something has changed: state.hands[", "checks everything before it changes anything"),
    (Trusting, "`play` fails when seat", "what is not legal raises `Illegal`"),
    (Curt, "without a reason", "a sentence for the player"),
    (GlobalLuck, "in deal, draws luck from elsewhere (random.", "draw it from `chance`"),
    (SecretLuck, "in deal, draws luck from elsewhere (posix.urandom)", "draw it from `chance`"),
    (WallClock, "in clocks, reads a clock (time.time)", "Time is data: `at`"),
    (Calendar, "in deal, reads a clock (datetime.now)", "Time is data: `at`"),
    (Moody, "the same seed has led to another state: state.since is", "the game object and its module keep nothing"),
    (OneDeck, "the same seed has led to another state: state.hands[0]", "copy a list before you shuffle"),
    (OneScoreboard, "the same seed is dealt differently after a game: state.points[", "keep nothing"),
    (Halves, "Expected `int`, got `float` - at `$.points[0]`", "use `//`"),
    (
        UnknownEvent,
        "event Unheard can't be read back from JSON",
        "every kind of move and event is one of those in Game[",
    ),
    (HashOrder, "it comes out differently in another process: moves[", "put it in order with `sorted`"),
    (Wide, "a line that `show` makes for a spectator is", "80 columns"),
    (Nameless, "has no label", "says every move in a few words"),
    (TongueTied, "Bids fails in tell, ", "None of a game's answers may fail"),
    (Shouting, "can't be called 'BIDS!'", "lowercase letters"),
    (Cheating, "the bot contrary of seat 0 chooses Bid(card=7)", "one of the moves"),
    (Reformed, "two clocks are called 'bid'", "give each one of a moment its own"),
]
