"""What a game is. Pure: no I/O, no wall clock, no global randomness.

A whole game, and all that is ever asked of one. Everybody has three cards and lays one in turn; the highest wins:

>>> import msgspec
>>> class Lay(Move, frozen=True):
...     card: int
>>> class Laid(Event, frozen=True):
...     seat: int
...     card: int
>>> class Options(msgspec.Struct, frozen=True):
...     cards: int = 3
>>> class State(msgspec.Struct):
...     chance: Chance
...     since: int
...     hands: list[list[int]]
...     laid: list[int]
>>> class View(msgspec.Struct, frozen=True):
...     hand: tuple[int, ...]
...     laid: tuple[int, ...]
>>> class HighCard(Game[State, View, Options, Lay, Laid]):
...     name, title, about, seats = "high-card", "High card", "The highest card wins.", range(2, 6)
...     customs = Customs(absent="stand_in")
...     def deal(self, options, seats, chance, at):
...         deck = list(range(1, 21))
...         chance.shuffle(deck, "deck")
...         return State(chance, at, [sorted(deck.pop() for _ in range(options.cards)) for _ in range(seats)], [])
...     def awaited(self, state):
...         return [len(state.laid)] if len(state.laid) < len(state.hands) else []
...     def moves(self, state, seat):
...         return [Lay(card) for card in state.hands[seat]] if seat in self.awaited(state) else []
...     def play(self, state, seat, move, at):
...         if seat not in self.awaited(state):
...             raise OutOfTurn
...         if move.card not in state.hands[seat]:
...             raise Illegal("you do not have that card")
...         state.hands[seat].remove(move.card)
...         state.laid.append(move.card)
...         state.since = at
...         return [Laid(seat, move.card)]
...     def clocks(self, state):
...         return [Clock(state.since + 30_000, (seat,)) for seat in self.awaited(state)]
...     def expire(self, state, clock, at):
...         seat, = self.awaited(state)
...         return self.play(state, seat, self.moves(state, seat)[0], at)
...     def view(self, state, seat):
...         return View(() if seat is None else tuple(state.hands[seat]), tuple(state.laid))
...     def hidden(self, state, seat):
...         return [Pool([hand for owner, hand in enumerate(state.hands) if owner != seat])]
...     def result(self, state):
...         return None if self.awaited(state) else Result.by_score(state.laid)

Everything at a table follows from asking it these questions:

>>> game = HighCard()
>>> state = game.deal(Options(), 3, Chance(bytes(32)), at=0)
>>> game.awaited(state), game.moves(state, 0), game.moves(state, 1)
([0], [Lay(card=2), Lay(card=3), Lay(card=4)], [])
>>> game.clocks(state)
[Clock(due=30000, seats=(0,), name='turn')]
>>> game.play(state, 0, Lay(4), at=1000)
[Laid(seat=0, card=4)]
>>> game.play(state, 0, Lay(3), at=2000)
Traceback (most recent call last):
    ...
croupier.kernel.game.OutOfTurn: it is not your turn
>>> game.view(state, 0), game.view(state, None)
(View(hand=(2, 3), laid=(4,)), View(hand=(), laid=(4,)))
>>> imagined = game.imagine(state, 0, Chance(bytes(32)))
>>> imagined.hands == state.hands, game.view(imagined, 0) == game.view(state, 0)
(False, True)
>>> game.expire(state, "turn", at=31_000)
[Laid(seat=1, card=6)]
>>> game.result(state) is None
True
>>> game.play(state, 2, game.moves(state, 2)[-1], at=32_000)
[Laid(seat=2, card=18)]
>>> game.result(state)
Result(placings=((2,), (1,), (0,)), scores=(4, 6, 18), teams=UNSET)
"""

from croupier.kernel.bot import Advice, Bot, Budget, RandomBot, Searcher, Strength, Weighed
from croupier.kernel.chance import Chance, Dice, Rig
from croupier.kernel.encoding import Encoding, Notes, Section
from croupier.kernel.event import Event, Move
from croupier.kernel.forms import Form, NumberIn, OneOf, SomeOf
from croupier.kernel.game import Clock, Customs, Game, Illegal, Naming, OutOfTurn, UnknownRules
from croupier.kernel.hidden import Pool
from croupier.kernel.layout import shown
from croupier.kernel.legacy import Legacy
from croupier.kernel.lesson import Explain, Lesson, Meanwhile, Try
from croupier.kernel.options import option
from croupier.kernel.result import Result
from croupier.kernel.words import ENGLISH, Words

__all__ = [
    "ENGLISH",
    "Advice",
    "Bot",
    "Budget",
    "Chance",
    "Clock",
    "Customs",
    "Dice",
    "Encoding",
    "Event",
    "Explain",
    "Form",
    "Game",
    "Illegal",
    "Legacy",
    "Lesson",
    "Meanwhile",
    "Move",
    "Naming",
    "Notes",
    "NumberIn",
    "OneOf",
    "OutOfTurn",
    "Pool",
    "RandomBot",
    "Result",
    "Rig",
    "Searcher",
    "Section",
    "SomeOf",
    "Strength",
    "Try",
    "UnknownRules",
    "Weighed",
    "Words",
    "option",
    "shown",
]
