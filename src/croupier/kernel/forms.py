"""Offers too many to list: a move described by its form, of which people fill in the fields.

To pass three of thirteen cards there are 286 ways. As a form that is one offer:

>>> from croupier.kernel import Move
>>> class Pass(Move, frozen=True):
...     cards: tuple[str, ...]
>>> form = Form.of(Pass, cards=SomeOf(("2♣", "7♦", "Q♠", "A♥"), least=3, most=3))
>>> form.fits(Pass(("A♥", "2♣", "7♦")))
True
>>> form.fits(Pass(("A♥", "2♣")))
False
>>> from croupier.kernel.chance import QuickDice
>>> form.filled(QuickDice(1))
{'move': 'pass', 'cards': ['2♣', 'Q♠', 'A♥']}
>>> len(list(form.ways()))
4

A field is one of three kinds; a form has as many fields as the move. Every way to fill it in has to be legal, so that a
page, a terminal or a bot can fill it in without knowing the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any, Self

import msgspec

from croupier.kernel.chance import Dice
from croupier.kernel.event import Move


class _Kind(msgspec.Struct, frozen=True, tag_field="kind"):
    """What can be filled in. Values are written as they are in the move."""


class SomeOf(_Kind, frozen=True, tag="some_of"):
    """So many of these, for a field that is a list. Their order makes no difference."""

    of: Sequence[Any]
    """Where the same thing is there twice, both may be chosen."""
    least: int
    most: int

    def __post_init__(self) -> None:
        if not 0 <= self.least <= self.most <= len(self.of):
            raise ValueError(f"nobody can choose {self.least} to {self.most} of {len(self.of)} things")

    def filled(self, dice: Dice) -> list[Any]:
        places = list(range(len(self.of)))
        dice.shuffle(places, "form")
        count = self.least + dice.below(self.most - self.least + 1)
        return [self.of[place] for place in sorted(places[:count])]

    def ways(self) -> Iterable[tuple[Any, ...]]:
        counts = range(self.least, self.most + 1)
        return dict.fromkeys(some for count in counts for some in combinations(self.of, count))

    def takes(self, value: Any) -> bool:
        if not isinstance(value, list) or not self.least <= len(value) <= self.most:
            return False
        left = _plain(self.of)
        for each in value:
            if each not in left:
                return False
            left.remove(each)
        return True


class OneOf(_Kind, frozen=True, tag="one_of"):
    """One of these."""

    of: Sequence[Any]

    def __post_init__(self) -> None:
        if not self.of:
            raise ValueError("nobody can choose one of no things")

    def filled(self, dice: Dice) -> Any:
        return dice.choice(self.of)

    def ways(self) -> Iterable[Any]:
        return self.of

    def takes(self, value: Any) -> bool:
        return value in _plain(self.of)


class NumberIn(_Kind, frozen=True, tag="number_in"):
    """A whole number, the least and the most included."""

    least: int
    most: int

    def __post_init__(self) -> None:
        if self.least > self.most:
            raise ValueError(f"there is no number from {self.least} to {self.most}")

    def filled(self, dice: Dice) -> int:
        return self.least + dice.below(self.most - self.least + 1)

    def ways(self) -> Iterable[int]:
        return range(self.least, self.most + 1)

    def takes(self, value: Any) -> bool:
        return type(value) is int and self.least <= value <= self.most


FormField = SomeOf | OneOf | NumberIn


def _plain(value: Any) -> Any:
    """As JSON has it, which knows no tuples."""
    return msgspec.json.decode(msgspec.json.encode(value))


class Form(msgspec.Struct, frozen=True):
    """A move that is to be filled in. Made with ``Form.of``."""

    move: str
    """The kind of move, as the move itself says it."""
    fields: Mapping[str, FormField]
    """What is to be filled in, by its name in the move."""

    @classmethod
    def of(cls, kind: type[Move], **fields: FormField) -> Self:
        """``Form.of(Bid, tricks=NumberIn(0, 13))``. Fields that are not named have their defaults."""
        known = {field.name: field.required for field in msgspec.structs.fields(kind)}
        missing = [name for name, required in known.items() if required and name not in fields]
        if fields.keys() - known.keys() or missing:
            raise TypeError(f"a form of {kind.__name__} has to name its fields: {', '.join(known)}")
        tag = kind.__struct_config__.tag
        assert isinstance(tag, str)
        return cls(tag, fields)

    def filled(self, dice: Dice) -> dict[str, Any]:
        """Filled in at random, as JSON has it: ``Game.understand`` makes a move of it."""
        return {"move": self.move} | {name: field.filled(dice) for name, field in self.fields.items()}

    def ways(self) -> Iterator[dict[str, Any]]:
        """Every way to fill it in, likewise. There may be very many."""
        for values in product(*(field.ways() for field in self.fields.values())):
            yield {"move": self.move, **dict(zip(self.fields, values, strict=True))}

    def fits(self, move: Move) -> bool:
        """Whether it is a way to fill in the form."""
        if type(move).__struct_config__.tag != self.move:
            return False
        chosen = {name: getattr(move, name) for name in self.fields}
        return type(move)(**chosen) == move and all(
            field.takes(_plain(chosen[name])) for name, field in self.fields.items()
        )
