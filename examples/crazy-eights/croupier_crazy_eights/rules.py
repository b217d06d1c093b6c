"""The rules of Crazy Eights. Follow the top card in suit or rank; eights fit everywhere and name a suit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import ClassVar

import msgspec

from croupier.kernel import (
    ENGLISH,
    Bot,
    Chance,
    Clock,
    Customs,
    Dice,
    Game,
    Illegal,
    OutOfTurn,
    RandomBot,
    Result,
    Words,
)
from croupier.kernel.cards import DECK, SUITS, rank, suit
from croupier_crazy_eights import stories
from croupier_crazy_eights.bot import Thrifty
from croupier_crazy_eights.moves import (
    AnyEvent,
    AnyMove,
    Dealt,
    Draw,
    Drew,
    HandEnded,
    Pass,
    Passed,
    Play,
    Played,
    Reshuffled,
)
from croupier_crazy_eights.state import Options, State, View

POINTS = {"8": 50, "K": 10, "Q": 10, "J": 10, "A": 1}
"""What cards count that are left in a hand; all others count their number."""
MOST_DRAWN = 3
BY_SUIT = {card: (SUITS.index(suit(card)), DECK.index(card)) for card in DECK}.__getitem__


def points(hand: Sequence[str]) -> int:
    return sum(POINTS[rank(card)] if rank(card) in POINTS else int(rank(card)) for card in hand)


class CrazyEights(Game[State, View, Options, AnyMove, AnyEvent]):
    name = "crazy-eights"
    title = "Crazy Eights"
    about = "Follow suit or rank until your hand is empty. Eights go on anything, and name the suit."
    seats = range(2, 8)
    customs = Customs(late="stand_in", absent="stand_in")
    bots: ClassVar[Mapping[str, type[Bot]]] = {"thrifty": Thrifty, "random": RandomBot}

    def deal(self, options: Options, seats: int, chance: Chance, at: int) -> State:
        state = State(options, chance, at, [[] for _ in range(seats)], [], [], "♣", 0, [0] * seats)
        self._deal_hand(state)
        return state

    def _deal_hand(self, state: State) -> Dealt:
        """Seven cards for each of two players, five for each of more. The pile begins with no eight."""
        seats = len(state.hands)
        cards = [*DECK]
        state.chance.shuffle(cards, "deck")
        state.hands = [sorted((cards.pop() for _ in range(7 if seats == 2 else 5)), key=BY_SUIT) for _ in range(seats)]
        first = next(card for card in reversed(cards) if rank(card) != "8")
        cards.remove(first)
        state.stock, state.pile, state.suit = cards, [first], suit(first)
        state.dealer = (state.dealer + 1) % seats
        state.active, state.drawn, state.passes = (state.dealer + 1) % seats, 0, 0
        return Dealt(tuple(map(tuple, state.hands)), first)

    def awaited(self, state: State) -> Sequence[int]:
        return () if self.result(state) else (state.active,)

    def moves(self, state: State, seat: int) -> Sequence[AnyMove]:
        """A card that fits; if there is none, a card from the stock; if there is none either, to pass."""
        if seat not in self.awaited(state):
            return ()
        top = rank(state.pile[-1])
        fitting = [card for card in state.hands[seat] if rank(card) in ("8", top) or suit(card) == state.suit]
        plays = [Play(card, named) for card in fitting for named in (SUITS if rank(card) == "8" else (None,))]
        return plays or [Draw() if state.stock or len(state.pile) > 1 else Pass()]

    def play(self, state: State, seat: int, move: AnyMove, at: int) -> Sequence[AnyEvent]:
        if seat not in self.awaited(state):
            raise OutOfTurn
        if move not in self.moves(state, seat):
            raise Illegal(self._why_not(state, seat, move))
        state.since = at
        events: list[AnyEvent] = []
        match move:
            case Play(card, named):
                state.hands[seat].remove(card)
                state.pile.append(card)
                state.suit, state.passes = named or suit(card), 0
                events.append(Played(seat, card, named))
            case Draw():
                events += self._draw(state, seat)
                if state.drawn < MOST_DRAWN or isinstance(self.moves(state, seat)[0], Play):
                    return events
                events.append(Passed(seat))
            case Pass():
                state.passes += 1
                events.append(Passed(seat))
        if not state.hands[seat] or state.passes == len(state.hands):
            return [*events, *self._end_hand(state)]
        state.active, state.drawn = (seat + 1) % len(state.hands), 0
        return events

    def _why_not(self, state: State, seat: int, move: AnyMove) -> str:
        if not isinstance(move, Play):
            return "who can play a card plays one"
        if move.card not in state.hands[seat]:
            return "you do not have that card"
        return "an eight names a suit" if rank(move.card) == "8" else "that card does not fit"

    def _draw(self, state: State, seat: int) -> list[AnyEvent]:
        """One card. An empty stock is made of the pile, but for its top card."""
        events: list[AnyEvent] = []
        if not state.stock:
            *state.stock, top = state.pile
            state.pile = [top]
            state.chance.shuffle(state.stock, "pile")
            events.append(Reshuffled(len(state.stock)))
        card = state.stock.pop()
        state.hands[seat] = sorted([*state.hands[seat], card], key=BY_SUIT)
        state.drawn += 1
        return [*events, Drew(seat, card)]

    def _end_hand(self, state: State) -> Sequence[AnyEvent]:
        """Who has the fewest points in hand scores what all others have more than that."""
        counts = [points(hand) for hand in state.hands]
        gain = sum(counts) - len(counts) * min(counts)
        gains = tuple(gain if count == min(counts) else 0 for count in counts)
        state.scores = [score + more for score, more in zip(state.scores, gains, strict=True)]
        ended = HandEnded(tuple(map(tuple, state.hands)), gains)
        return [ended] if self.result(state) else [ended, self._deal_hand(state)]

    def result(self, state: State) -> Result | None:
        if max(state.scores) < max(1, state.options.target):
            return None
        ranks = sorted(set(state.scores), reverse=True)
        placings = (tuple(seat for seat, mine in enumerate(state.scores) if mine == score) for score in ranks)
        return Result(tuple(placings), tuple(state.scores))

    def clocks(self, state: State) -> Sequence[Clock]:
        if self.result(state) or not state.options.turn:
            return ()
        return (Clock(state.since + 1000 * state.options.turn, (state.active,)),)

    def view(self, state: State, seat: int | None) -> View:
        return View(
            hands=tuple(map(len, state.hands)),
            scores=tuple(state.scores),
            stock=len(state.stock),
            top=state.pile[-1],
            suit=state.suit,
            active=state.active,
            hand=() if seat is None else tuple(state.hands[seat]),
        )

    def lay_open(self, state: State, seat: int | None) -> View:
        return msgspec.structs.replace(self.view(state, seat), open_hands=tuple(map(tuple, state.hands)))

    def imagine(self, state: State, seat: int | None, dice: Dice) -> State:
        """What lies in the stock and in other hands could be any other way round."""
        imagined = deepcopy(state)
        imagined.chance = Chance(bytes(dice.below(256) for _ in range(32)))
        others = [other for other in range(len(state.hands)) if other != seat]
        unseen = [*state.stock, *(card for other in others for card in state.hands[other])]
        dice.shuffle(unseen, "unseen")
        for other in others:
            imagined.hands[other] = sorted((unseen.pop() for _ in state.hands[other]), key=BY_SUIT)
        imagined.stock = unseen
        return imagined

    def label(self, move: AnyMove, view: View, names: Sequence[str], words: Words = ENGLISH) -> str:
        return stories.label(move, words)

    def tell(self, event: AnyEvent, names: Sequence[str], words: Words = ENGLISH) -> str:
        return stories.tell(event, names, words)
