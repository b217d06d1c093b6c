"""Mistakes that are easy to make in a game's class: each is answered with a sentence that says what to write."""

from __future__ import annotations

from collections.abc import Callable
from types import new_class
from typing import Any, Generic, TypeVar

import msgspec
import pytest

from croupier.kernel import Chance, Event, Game, Move
from croupier.kernel.game import EventT, MoveT, OptionsT, StateT, ViewT
from tests import toys


class FrozenState(msgspec.Struct, frozen=True):
    cards: int


class Demanding(msgspec.Struct, frozen=True):
    rounds: int


class Loose(Move, frozen=False):  # type: ignore[misc]
    card: int


class Bid(Move, frozen=True):
    """Called like that of the toy."""


class Noisy(Event, frozen=True):
    reveals: bool = True  # type: ignore[misc]


class Blind(Event, frozen=True):
    def seen_by(self) -> Any:  # type: ignore[override]
        return None


def game(**changed: Any) -> Any:
    """A class with these types."""
    right = {"state": toys.State, "view": toys.View, "options": toys.Options, "move": toys.Bid, "event": toys.AnyEvent}
    return new_class("Mine", (Game.__class_getitem__(tuple((right | changed).values())),))


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: game(state=dict), "the State of Mine has to be a struct: class State"),
        (lambda: game(state=FrozenState), "the State of Mine changes in place: leave out frozen=True"),
        (lambda: game(view=dict), "the View of Mine has to be a struct"),
        (lambda: game(options=None), "the Options of Mine has to be a struct"),
        (lambda: game(options=Demanding), "every option of Mine needs a value of its own, and rounds has none"),
        (lambda: game(move=int), r"int is no Move of Mine: class int\(Move, frozen=True\)"),
        (lambda: game(move=toys.Bid | toys.Won), "Won is no Move of Mine"),
        (lambda: game(move=Loose), r"nobody may change a Move when it is made: class Loose\(Move, frozen=True\)"),
        (lambda: game(move=toys.Bid | Bid), "Bid and Bid are both called 'bid' in JSON"),
        (lambda: game(event=toys.Won | toys.Bid), "Bid is no Event of Mine"),
        (lambda: game(event=Noisy), "whether Noisy reveals something is said of all of them: reveals = True"),
        (lambda: game(event=Blind), r"Blind is asked who sees what of it: def seen_by\(self, seat\)"),
        (lambda: Game[toys.State, toys.View], "a game has five types, in this order: Game"),  # type: ignore[misc]
        (lambda: Game[toys.State], "a game has five types, in this order: Game"),  # type: ignore[misc]
        (lambda: type("Mine", (Game,), {}), r"Mine has to name its five types: class Mine\(Game\[State, View"),
    ],
)
def test_a_sentence_says_what_to_write(make: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(TypeError, match=sentence):
        make()


def test_what_is_right_is_let_be() -> None:
    assert game().Move is toys.Bid

    class Template(Game[StateT, ViewT, OptionsT, MoveT, EventT], Generic[StateT, ViewT, OptionsT, MoveT, EventT]):
        """For others to fill in."""

    assert isinstance(Template.State, TypeVar)


def test_moves_are_frozen_without_saying_so() -> None:
    class Careless(Move):  # type: ignore[misc]
        card: int

    assert hash(Careless(1)) == hash(Careless(1))


def test_a_shuffle_has_a_name() -> None:
    with pytest.raises(TypeError, match="'what'"):
        Chance(bytes(32)).shuffle([1, 2])  # type: ignore[call-arg]
