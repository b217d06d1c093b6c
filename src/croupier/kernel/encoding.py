"""A game in numbers, for agents that learn: a move is a number, and what a seat may know is a row of numbers.

There is no NumPy here, for which a server has no use: a row is ``bytes``, of which arrays are made at no cost. And
there is no state: an encoding is made of what a bot is handed, which is the view, the moves, and whatever it has noted
of the events. So what has learnt to play can sit down at any table, and an observation can't tell more than was seen.

Some moves name several things, such as three cards to be passed on. They are said in steps, one number after the other,
so that 52 numbers do where it would take 22,100. ``Encoding.choices`` has what can be said next:

>>> class Pass(Move, frozen=True):
...     cards: tuple[str, ...]
>>> class Passing(Encoding[Any, Pass]):
...     in_steps = True
...     def numbers(self):
...         return [Section("pass", 3, "a card that you pass on; two steps")]
...     def facts(self):
...         return [Section("hand", 3, "the cards that you hold")]
...     def spell(self, seat, view, moves):
...         return [tuple("♣♦♥".index(card) for card in move.cards) for move in moves]
...     def see(self, seat, view, notes):
...         return bytes([1, 1, 1])
>>> passing = Passing(seats=2)
>>> choices = passing.choices(0, None, [Pass(("♣", "♦")), Pass(("♣", "♥")), Pass(("♦", "♥"))])
>>> list(choices)
[0, 1]
>>> choices[0]()
{1: Pass(cards=('♣', '♦')), 2: Pass(cards=('♣', '♥'))}
>>> list(passing.observe(0, None, None, said=[1]))
[1, 1, 1, 0, 1, 0]
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from typing import Any, ClassVar, Generic, Literal, TypeVar

import msgspec

from croupier.kernel.event import Event, Move

SequenceT = TypeVar("SequenceT", tuple[Any, ...], list[Any], bytes, bytearray)
MOST = 255
"""What a number of a row can be at most."""


class Section(msgspec.Struct, frozen=True):
    """Numbers that belong together: so many moves, or so many entries of a row."""

    name: str
    size: int
    meaning: str
    """For whoever trains an agent; in a row, what each number says."""
    most: int = 1
    """In a row: no number of the section is larger. Where there is more of something, it is said that there is so
    much."""


def starts(sections: Iterable[Section]) -> dict[str, int]:
    """By name, where each section begins.

    >>> starts([Section("hand", 52, "…"), Section("pile", 13, "…"), Section("turn", 1, "…")])
    {'hand': 0, 'pile': 52, 'turn': 65}
    """
    found, at = dict[str, int](), 0
    for section in sections:
        found[section.name] = at
        at += section.size
    return found


@lru_cache(1 << 12)
def which(of: tuple[str, ...], one: str | None) -> bytes:
    """Which of these it is, if any.

    >>> list(which(("♣", "♦", "♥"), "♦"))
    [0, 1, 0]
    """
    return bytes(each == one for each in of)


class Which(dict[Any, bytes]):
    """The same, looked up among all the answers: for games of which millions of steps are wanted.

    >>> suit = Which(("♣", "♦", "♥"))
    >>> list(suit["♦"]), list(suit[None])
    ([0, 1, 0], [0, 0, 0])
    """

    def __init__(self, of: Sequence[Any]) -> None:
        super().__init__({one: bytes(each == one for each in of) for one in of})
        self._none = bytes(len(of))

    def __missing__(self, other: Any) -> bytes:
        return self._none


def turned(of: SequenceT, by: int) -> SequenceT:
    """The same, from that place on.

    >>> turned((2, 7, 5), by=1)
    (7, 5, 2)
    """
    return of[by:] + of[:by]


def others(of: SequenceT, own: int) -> SequenceT:
    """The same without one, from the next on.

    >>> others((2, 7, 5), own=1)
    (5, 2)
    """
    return of[own + 1 :] + of[:own]


def capped(numbers: Sequence[int]) -> bytes:
    """These as they are, but for those that are larger than a number of a row can be.

    >>> list(capped((7, 260)))
    [7, 255]
    """
    try:
        return bytes(numbers)
    except ValueError:
        return bytes(min(number, MOST) for number in numbers)


class Notes(msgspec.Struct):
    """What somebody has made a note of, because no view will show it again. Begins empty, like the game."""

    def observe(self, events: Sequence[Event]) -> None:
        """Take note of what was just seen."""


Choices = dict[int, Move | Callable[[], "Choices"] | None]
"""By number, the move that is said with it; or what can be said next, which is worked out when somebody asks. None: to
let it be."""
NOTHING: Choices = {}

ViewT = TypeVar("ViewT", bound=msgspec.Struct)
MoveT = TypeVar("MoveT", bound=Move)


class Encoding(ABC, Generic[ViewT, MoveT]):
    """The numbers of one game, with so many at the table. It has no state of its own.

    Seats are told as they look from the own one: oneself, then the others in the order of the seats.
    """

    version: ClassVar[int] = 1
    """Raised whenever a number means something else: an agent knows the numbers that it was trained with."""
    memory: ClassVar[Literal["none", "shared", "own"]] = "none"
    """Whose notes it takes beside the view: nobody's; one set for all, of what a spectator sees; or each seat's own."""
    in_steps: ClassVar[bool] = False
    """Whether there are moves that are said in several steps. Then the row ends with what was said of one so far."""
    interrupts: ClassVar[tuple[type[Event], ...]] = ()
    """What may be answered out of turn. After such an event seats are asked that nobody waits for, too, and may pass:
    that is the last of the numbers."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.order = [[*range(seat, seats), *range(seat)] for seat in range(seats)]
        """By seat, all of them from that one on."""
        self.who = list(map(Which, self.order))
        """By seat: which of all it is, from that one on."""
        self.actions = tuple(self.numbers())
        """What the numbers of moves are, in order."""
        if self.interrupts:
            self.actions += (Section("pass", 1, "let it be, where you may interject something out of turn"),)
        self.starts = starts(self.actions)
        """By the name of a section of these, its first number."""
        self.action_count = sum(section.size for section in self.actions)
        self.observation = tuple(self.facts())
        """What the numbers of a row are, in order."""
        if self.in_steps:
            said = "what you have said so far of a move in steps, by the numbers of moves"
            self.observation += (Section("said", self.action_count, said),)
        self.observation_size = sum(section.size for section in self.observation)

    @abstractmethod
    def numbers(self) -> Iterable[Section]:
        """How moves are numbered."""

    @abstractmethod
    def facts(self) -> Iterable[Section]:
        """What ``see`` tells. All that a player needs who wants to play well."""

    @abstractmethod
    def spell(self, seat: int, view: ViewT, moves: Sequence[MoveT]) -> Sequence[int | tuple[int, ...]]:
        """The number of each of these moves, which this seat may make now; several where it is said in steps.

        Moves that make no difference may have the same. None of those in steps begins with what says another.
        """

    @abstractmethod
    def see(self, seat: int, view: ViewT, notes: Any) -> bytes:
        """What this seat may know, as numbers."""

    def notes(self) -> Notes | None:
        """An empty set, for whoever is to take notes."""
        return None

    def tempts(self, seat: int, moves: Sequence[MoveT], notes: Any) -> bool:
        """Whether this seat, which nobody waits for, is asked if it makes one of these moves. Asking for nothing costs
        a step."""
        return True

    def observe(
        self, seat: int, view: ViewT, notes: Any, said: Sequence[int] = (), choices: Choices = NOTHING
    ) -> bytes:
        """The row of this seat, which has said so much of a move and may go on with these choices."""
        seen = self.see(seat, view, notes)
        if not self.in_steps:
            return seen
        if not said:
            return seen + bytes(self.action_count)
        steps = bytearray(self.action_count)
        for number in said:
            steps[number] = 1
        return seen + steps

    def choices(self, seat: int, view: ViewT, moves: Sequence[MoveT]) -> Choices:
        """What this seat can say now."""
        spelled = self.spell(seat, view, moves)
        if self.in_steps and tuple in map(type, spelled):
            return _next(zip(spelled, moves, strict=True), 0)
        return dict(zip(spelled, moves, strict=True))  # type: ignore[arg-type]

    def mask(self, choices: Iterable[int]) -> bytearray:
        """For each number, whether it is one of these."""
        mask = bytearray(self.action_count)
        for number in choices:
            mask[number] = 1
        return mask


def _next(begun: Iterable[tuple[int | tuple[int, ...], Move]], step: int) -> Choices:
    """What can be said next, of moves of which so many steps have been said."""
    found: Choices = {}
    longer: dict[int, list[tuple[tuple[int, ...], Move]]] = {}
    for said, move in begun:
        if isinstance(said, int):
            found[said] = move
        elif len(said) == step + 1:
            found[said[step]] = move
        else:
            longer.setdefault(said[step], []).append((said, move))
    return found | {number: partial(_next, moves, step + 1) for number, moves in longer.items()}
