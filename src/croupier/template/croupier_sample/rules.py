"""The rules of Sample: a small game of tricks to begin with.

Everybody is dealt five cards. Whoever leads plays any card, and then everybody else plays one; the highest card of the
suit that was led takes the trick, and leads to the next one. Whoever has taken most tricks has won.

Nothing here reads a clock, makes its own luck, or talks to anybody: time and luck come in, and events go out.
"""

from collections.abc import Sequence

from croupier.kernel import ENGLISH, Chance, Clock, Customs, Game, Illegal, OutOfTurn, Pool, Result, Words
from croupier.kernel.cards import DECK, ORDER

from croupier_sample.bot import Thrifty
from croupier_sample.state import Options, Play, Played, State, Took, View, best


class SampleGame(Game[State, View, Options, Play, Played | Took]):
    name = "sample"
    title = "Sample"
    about = "The highest card of the suit takes the trick; most tricks win."
    seats = range(2, 7)
    bots = {"thrifty": Thrifty}  # the usual one first
    # A bot takes the seat of whoever is late or leaves, so that the rules need not say what happens then.
    customs = Customs(late="stand_in", absent="stand_in")

    def deal(self, options: Options, seats: int, chance: Chance, at: int) -> State:
        deck = list(DECK)
        chance.shuffle(deck, "deck")
        hands = [sorted((deck.pop() for _ in range(options.cards)), key=ORDER.__getitem__) for _ in range(seats)]
        return State(hands, deck, [], [], 0, [0] * seats, options.turn, at)

    def awaited(self, state: State) -> Sequence[int]:
        seat = (state.leader + len(state.trick)) % len(state.hands)
        return [seat] if state.hands[seat] else []

    def moves(self, state: State, seat: int) -> Sequence[Play]:
        return [Play(card) for card in state.hands[seat]] if seat in self.awaited(state) else []

    def play(self, state: State, seat: int, move: Play, at: int) -> Sequence[Played | Took]:
        if seat not in self.awaited(state):
            raise OutOfTurn
        if move.card not in state.hands[seat]:
            raise Illegal("you do not have that card")
        # Nothing is refused from here on: what is refused must not have changed anything.
        state.hands[seat].remove(move.card)
        state.trick.append(move.card)
        state.since = at
        if len(state.trick) < len(state.hands):
            return [Played(seat, move.card)]
        state.leader = (state.leader + best(state.trick)) % len(state.hands)
        state.taken[state.leader] += 1
        state.trick, state.last = [], state.trick
        return [Played(seat, move.card), Took(state.leader)]

    def clocks(self, state: State) -> Sequence[Clock]:
        awaited = tuple(self.awaited(state))
        return [Clock(state.since + 1000 * state.turn, awaited)] if awaited else []

    def result(self, state: State) -> Result | None:
        if self.awaited(state):
            return None
        places = sorted(set(state.taken), reverse=True)
        placings = tuple(tuple(seat for seat, tricks in enumerate(state.taken) if tricks == place) for place in places)
        return Result(placings, tuple(state.taken))

    def view(self, state: State, seat: int | None) -> View:
        return View(
            hand=() if seat is None else tuple(state.hands[seat]),
            hands=tuple(map(len, state.hands)),
            trick=tuple(state.trick),
            last=tuple(state.last),
            leader=state.leader,
            taken=tuple(state.taken),
        )

    def hidden(self, state: State, seat: int | None) -> Sequence[Pool]:
        """What this seat can't see: the others' hands and the stock might have each other's cards. So bots and laws
        imagine other deals that look the same to it."""
        return [Pool([state.stock, *(hand for owner, hand in enumerate(state.hands) if owner != seat)])]

    def tell(self, event: Played | Took, names: Sequence[str], words: Words = ENGLISH) -> str:
        """For the log of the table. How it looks follows from the view, unless you draw it yourself."""
        name = names[event.seat]
        if isinstance(event, Played):
            return words("{name} [play|plays] {card}.", name=name, card=event.card)
        return words("{name} [take|takes] the trick.", name=name)
