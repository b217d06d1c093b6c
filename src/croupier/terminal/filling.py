"""How a person fills in a form: field by field, each by keys or by a number.

>>> from croupier.kernel import Form, NumberIn, SomeOf
>>> filling = Filling(Form("lay", {"cards": SomeOf(("2♣", "7♦", "Q♠"), 2, 2), "bid": NumberIn(1, 500)}))
>>> filling.topic, [choice.text for choice in filling.choices]
('lay: cards, 2 more', ['2♣', '7♦', 'Q♠'])
>>> filling = filling.answered("qs").answered("1")
>>> filling.topic, filling.choices
('lay: bid, a number from 1 to 500', [])
>>> filling.answered("120").filled
{'move': 'lay', 'cards': ['Q♠', '2♣'], 'bid': 120}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from croupier.kernel import Form, NumberIn, OneOf, SomeOf
from croupier.terminal.choosing import ALL, FEW, Choice, Question, Unclear


class Filling:
    """A form as far as it is filled in. A field called seat is about somebody: they have names."""

    def __init__(
        self,
        form: Form,
        names: Sequence[str] = (),
        done: Mapping[str, Any] | None = None,
        chosen: Sequence[int] = (),
        question: Question | None = None,
    ) -> None:
        self._form = form
        self._names = names
        self._done = done or {}
        self._chosen = chosen
        """Of the things that can be chosen for the next field, those that are: by their places."""
        self._name = next((name for name in form.fields if name not in self._done), None)
        self._question = question or self._ask()

    @property
    def filled(self) -> dict[str, Any] | None:
        """The move, as JSON has it, when nothing is left to be said."""
        return None if self._name is not None else {"move": self._form.move, **self._done}

    @property
    def topic(self) -> str:
        """What is to be said next."""
        assert self._name is not None
        match self._form.fields[self._name]:
            case NumberIn(least, most):
                more = f", a number from {least} to {most}"
            case SomeOf(_, least, most):
                fewest, left = max(0, least - len(self._chosen)), most - len(self._chosen)
                more = f", {left} more" if fewest == left else f", {fewest} to {left} more"
            case _:
                more = ""
        return f"{spoken(self._form.move)}: {spoken(self._name)}{more}"

    @property
    def choices(self) -> list[Choice]:
        """By their keys; none where a number is to be typed."""
        return [] if self._question is None else self._question.choices

    def _ask(self) -> Question | None:
        match self._form.fields.get(self._name or ""):
            case SomeOf(of, least):
                left = [(self._text(of[place]), place) for place in range(len(of)) if place not in self._chosen]
                return Question.about([*left, *([(ALL, ALL)] if len(self._chosen) >= least else [])])
            case OneOf(of):
                return Question.about((self._text(value), value) for value in of)
            case NumberIn(least, most) if most - least < FEW:
                return Question.about((str(number), number) for number in range(least, most + 1))
        return None

    def answered(self, line: str) -> Filling:
        """What is left after a line that says one thing, or several one after the other."""
        try:
            return self._answered(line)
        except Unclear:
            if " " not in line:
                raise
        filling = self
        for word in line.split():
            if filling.filled is not None:
                raise Unclear(f"Nothing can be made of “{word}” at the end.")
            filling = filling._answered(word)
        return filling

    def _answered(self, said: str) -> Filling:
        assert self._name is not None
        field = self._form.fields[self._name]
        if self._question is None:
            assert isinstance(field, NumberIn)
            if not (said.removeprefix("-").isdecimal() and field.takes(int(said))):
                raise Unclear(f"Type a number from {field.least} to {field.most}, or ? for help.")
            return self._with(int(said))
        left = self._question.answered(said)
        if (found := left.move) is None:  # of many things, those that begin with the same word
            return Filling(self._form, self._names, self._done, self._chosen, left)
        if not isinstance(field, SomeOf):
            return self._with(found)
        chosen = self._chosen if found is ALL else (*self._chosen, found)
        if found is ALL or len(chosen) == field.most:
            return self._with([field.of[place] for place in chosen])
        return Filling(self._form, self._names, self._done, chosen)

    def _with(self, value: Any) -> Filling:
        assert self._name is not None
        return Filling(self._form, self._names, {**self._done, self._name: value})

    def _text(self, value: Any) -> str:
        if self._name in ("seat", "seats") and isinstance(value, int) and value < len(self._names):
            return self._names[value]
        return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def spoken(name: str) -> str:
    return name.replace("_", " ")
