"""The rules of Crazy Eights."""

from collections.abc import Iterable, Sequence

import msgspec

from croupier.kernel import (
    ENGLISH,
    Chance,
    Clock,
    Customs,
    Game,
    Illegal,
    OutOfTurn,
    Pool,
    RandomBot,
    Result,
    Words,
)
from croupier.kernel.cards import DECK, ORDER, SUITS, rank, suit
from croupier_crazy_eights.bot import Thrifty
from croupier_crazy_eights.encoding import CrazyEightsEncoding
from croupier_crazy_eights.state import (
    Dealt,
    Draw,
    Drew,
    HandEnded,
    Options,
    Pass,
    Passed,
    Play,
    Played,
    Reshuffled,
    State,
    View,
)

AnyMove = Play | Draw | Pass
AnyEvent = Dealt | Played | Drew | Reshuffled | Passed | HandEnded
POINTS = {"8": 50, "K": 10, "Q": 10, "J": 10, "A": 1}
"""What cards count that are left in a hand; all others count their number."""
MOST_DRAWN = 3
SUIT_NAMES = {"♣": "clubs", "♦": "diamonds", "♥": "hearts", "♠": "spades"}


def by_suit(cards: Iterable[str]) -> list[str]:
    return sorted(cards, key=lambda card: (SUITS.index(suit(card)), ORDER[card]))


def points(hand: Iterable[str]) -> int:
    return sum(POINTS[rank(card)] if rank(card) in POINTS else int(rank(card)) for card in hand)


class CrazyEightsGame(Game[State, View, Options, AnyMove, AnyEvent]):
    name = "crazy-eights"
    title = "Crazy Eights"
    about = "Follow suit or rank until your hand is empty. Eights go on anything, and name the suit."
    seats = range(2, 8)
    bots = {"thrifty": Thrifty, "random": RandomBot}
    customs = Customs(late="stand_in", absent="stand_in")
    encoding = CrazyEightsEncoding

    def deal(self, options: Options, seats: int, chance: Chance, at: int) -> State:
        state = State(options, chance, at, [[] for _ in range(seats)], [], [], "", 0, [0] * seats)
        self._deal_hand(state)
        return state

    def _deal_hand(self, state: State) -> Dealt:
        seats = len(state.hands)
        deck = list(DECK)
        state.chance.shuffle(deck, "deck")
        state.hands = [by_suit(deck.pop() for _ in range(7 if seats == 2 else 5)) for _ in range(seats)]
        first = next(card for card in reversed(deck) if rank(card) != "8")
        deck.remove(first)
        state.stock, state.pile, state.suit = deck, [first], suit(first)
        state.dealer = (state.dealer + 1) % seats
        state.active, state.drawn, state.passes = (state.dealer + 1) % seats, 0, 0
        return Dealt(tuple(map(tuple, state.hands)), first)

    def awaited(self, state: State) -> Sequence[int]:
        return [] if self.result(state) else [state.active]

    def moves(self, state: State, seat: int) -> Sequence[AnyMove]:
        if seat not in self.awaited(state):
            return []
        return self._plays(state, seat) or [Draw() if state.stock or len(state.pile) > 1 else Pass()]

    def _plays(self, state: State, seat: int) -> list[AnyMove]:
        fitting = [card for card in state.hands[seat] if self._fits(state, card)]
        return [Play(card, named) for card in fitting for named in (SUITS if rank(card) == "8" else [None])]

    def _fits(self, state: State, card: str) -> bool:
        return suit(card) == state.suit or rank(card) in ("8", rank(state.pile[-1]))

    def play(self, state: State, seat: int, move: AnyMove, at: int) -> Sequence[AnyEvent]:
        if seat not in self.awaited(state):
            raise OutOfTurn
        if move not in self.moves(state, seat):
            raise Illegal(self._why_not(state, seat, move))
        # From here on nothing is refused: a refused move must not have changed anything.
        state.since = at
        events: list[AnyEvent] = []
        match move:
            case Play():
                events.append(self._lay(state, seat, move))
            case Draw():
                events += self._draw(state, seat)
                if state.drawn < MOST_DRAWN or self._plays(state, seat):
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
            return "you can play a card, so you have to"
        if move.card not in state.hands[seat]:
            return "you do not have that card"
        return "an eight names a suit" if rank(move.card) == "8" else "that card does not fit"

    def _lay(self, state: State, seat: int, move: Play) -> Played:
        state.hands[seat].remove(move.card)
        state.pile.append(move.card)
        state.suit = move.suit or suit(move.card)
        state.passes = 0
        return Played(seat, move.card, move.suit)

    def _draw(self, state: State, seat: int) -> list[AnyEvent]:
        events: list[AnyEvent] = []
        if not state.stock:
            *state.stock, top = state.pile
            state.pile = [top]
            state.chance.shuffle(state.stock, "pile")
            events.append(Reshuffled())
        card = state.stock.pop()
        state.hands[seat] = by_suit([*state.hands[seat], card])
        state.drawn += 1
        return [*events, Drew(seat, card)]

    def _end_hand(self, state: State) -> Sequence[AnyEvent]:
        counts = [points(hand) for hand in state.hands]
        gain = sum(counts) - len(counts) * min(counts)
        gains = tuple(gain if count == min(counts) else 0 for count in counts)
        state.scores = [score + more for score, more in zip(state.scores, gains, strict=True)]
        ended = HandEnded(tuple(map(tuple, state.hands)), gains)
        return [ended] if self.result(state) else [ended, self._deal_hand(state)]

    def result(self, state: State) -> Result | None:
        if max(state.scores) < max(1, state.options.target):
            return None
        return Result.by_score(state.scores)

    def clocks(self, state: State) -> Sequence[Clock]:
        if self.result(state) or not state.options.turn:
            return []
        return [Clock(state.since + 1000 * state.options.turn, (state.active,))]

    def view(self, state: State, seat: int | None) -> View:
        return View(
            hands=tuple(len(hand) for hand in state.hands),
            scores=tuple(state.scores),
            stock=len(state.stock),
            top=state.pile[-1],
            suit=state.suit,
            active=state.active,
            hand=() if seat is None else tuple(state.hands[seat]),
        )

    def lay_open(self, state: State, seat: int | None) -> View:
        return msgspec.structs.replace(self.view(state, seat), open_hands=tuple(map(tuple, state.hands)))

    def hidden(self, state: State, seat: int | None) -> Sequence[Pool]:
        return [Pool([state.stock, *(hand for owner, hand in enumerate(state.hands) if owner != seat)])]

    def label(self, move: AnyMove, view: View, names: Sequence[str], words: Words = ENGLISH) -> str:
        match move:
            case Play(card, None):
                return words("play") + f" › {card}"
            case Play(card, named):
                return words("play") + f" › {card} › {named} " + words(SUIT_NAMES[named or ""])
            case Draw():
                return words("draw a card")
        return words("pass")

    def tell(self, event: AnyEvent, names: Sequence[str], words: Words = ENGLISH) -> str:
        match event:
            case Dealt(_, top):
                return words("The cards are dealt. The pile begins with {card}.", card=top)
            case Played(seat, card, None):
                return words("{name} [play|plays] {card}.", name=names[seat], card=card)
            case Played(seat, card, named):
                asked = words(SUIT_NAMES[named or ""])
                return words(
                    "{name} [play|plays] {card} and [name|names] {suit}.", name=names[seat], card=card, suit=asked
                )
            case Drew(seat, None):
                return words("{name} [draw|draws] a card.", name=names[seat])
            case Drew(seat, card):
                return words("{name} [draw|draws] {card}.", name=names[seat], card=card)
            case Passed(seat):
                return words("{name} [pass|passes].", name=names[seat])
            case Reshuffled():
                return words("The pile is shuffled and becomes the stock.")
        scored = [(names[seat], gain) for seat, gain in enumerate(event.points) if gain]
        told = [words("{name} [score|scores] {points}.", name=name, points=gain) for name, gain in scored]
        return " ".join(told) or words("Nobody scores.")
