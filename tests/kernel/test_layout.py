"""What the fields of a view are, by their types, their names and what their author says."""

from __future__ import annotations

import doctest
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
import pytest
from click import unstyle

from croupier import laws
from croupier.games import catalogue
from croupier.kernel import Move, Words, cards, layout, shown
from croupier.kernel.ink import WIDTH
from croupier.kernel.plain import plain_label, plain_show
from croupier.kernel.words import ENGLISH


class Box(msgspec.Struct, frozen=True):
    card: str | None
    open: bool


class Table(msgspec.Struct, frozen=True):
    seat: int | None
    turn: int
    dealer: int
    hand: tuple[str, ...]
    hands: tuple[int, ...]
    stock: int
    deck_left: int
    pile: tuple[str, ...]
    top: str | None
    trick: tuple[str | None, ...]
    market: tuple[str, ...]
    scores: tuple[int, ...]
    coins: Mapping[int, int]
    passed: tuple[int, ...]
    has_bid: tuple[bool, ...]
    boxes: tuple[Box, ...]
    phase: Literal["bidding", "play"]
    turn_limit: int
    closes_at: int
    card_id: str
    bid: Annotated[int, shown("Highest bid", labels={0: "none yet"})] = 0
    order: Annotated[tuple[int, ...], shown(kind="number", by_seat=True)] = ()


def found() -> dict[str, layout.Field]:
    return {field.name: field for field in layout.layout(Table)}


@pytest.mark.parametrize(
    ("name", "kind", "by_seat"),
    [
        ("seat", "hidden", False),
        ("turn", "turn", False),
        ("dealer", "seat", False),
        ("hand", "hand", False),
        ("hands", "count", True),
        ("stock", "deck", False),
        ("deck_left", "deck", False),
        ("pile", "pile", False),
        ("top", "pile", False),
        ("trick", "cards", True),
        ("market", "cards", False),
        ("scores", "score", True),
        ("coins", "number", True),
        ("passed", "seats", False),
        ("has_bid", "flag", True),
        ("boxes", "parts", True),
        ("phase", "text", False),
        ("turn_limit", "number", False),
        ("closes_at", "hidden", False),
        ("card_id", "hidden", False),
        ("bid", "number", False),
        ("order", "number", True),  # as it is said, and not as one would guess
    ],
)
def test_a_field_is_what_its_type_and_name_say_or_its_author(name: str, kind: str, by_seat: bool) -> None:
    field = found()[name]
    assert (field.kind, field.by_seat) == (kind, by_seat)


def test_it_is_called_what_its_author_says_in_every_language() -> None:
    assert [part.kind for part in found()["boxes"].parts] == ["cards", "flag"]
    assert found()["has_bid"].title == "Has bid"
    french = Words("fr", {"Highest bid": "Meilleure enchère", "none yet": "aucune"}, bool)
    bid = {field.name: field for field in layout.translated(layout.layout(Table), french)}["bid"]
    assert (bid.title, bid.labels) == ("Meilleure enchère", {"0": "aucune"})


class Tree(msgspec.Struct, frozen=True):
    cards: tuple[str, ...]
    branches: tuple[Tree, ...] = ()


def test_nothing_is_drawn_inside_itself() -> None:
    assert layout.layout(Tree)[1].parts == ()
    assert "your" not in plain_show(Tree(("7♣",), (Tree(("8♣",)),)), ["Ann"])


def test_any_view_is_drawn_in_a_terminal() -> None:
    view = Table(
        seat=0,
        turn=1,
        dealer=0,
        hand=("T♥", "Qs", "JK", "Duke"),
        hands=(4, 1),
        stock=12,
        deck_left=0,
        pile=("2♣", "3♣", "4♣", "5♣", "6♣", "7♣", "8♣", "9♣", "10♣"),
        top=None,
        trick=("A♠", None),
        market=(),
        scores=(3, 0),
        coins={0: 2, 1: 5},
        passed=(1,),
        has_bid=(False, True),
        boxes=(Box(None, False), Box("K♦", True)),
        phase="bidding",
        turn_limit=9,
        closes_at=1,
        card_id="5e1e60c9",
    )
    lines = [line.rstrip() for line in unstyle(plain_show(view, ["Ann", "Bo"])).splitlines()]
    ann, bo, _, *table = lines
    assert ann.split() == ["Ann", "dealer", "▒▒▒▒", "×", "4", "A♠", "scores", "3", "coins", "2"]
    assert bo.split() == ["▸", "Bo", "▒▒▒▒", "×", "1", "scores", "0", "coins", "5", "has", "bid", "K♦", "open"]
    rows = {" ".join(line[:15].split()): line[15:].split() for line in table}
    assert rows["stock"] == ["▒▒▒▒", "×", "12"]
    assert rows["deck left"] == rows["top"] == ["empty"]
    assert rows["pile"][:3] == ["1", "more,", "3♣"]
    assert rows["highest bid"] == ["none", "yet"]
    assert rows["passed"] == ["Bo"]
    assert rows["your hand"] == ["10♥", "Q♠", "Jok", "Duke"]
    assert "closes at" not in rows


@pytest.mark.parametrize("game", catalogue().games.values(), ids=lambda game: game.name)
def test_every_game_could_do_without_a_drawing_of_its_own(game: laws.AnyGame) -> None:
    names = [f"player {seat}" for seat in range(2)]
    for state, _ in laws.Walk(game, 2, game.Options(), 1, limit=60):
        for seat in (None, 0, 1):
            shown = unstyle(plain_show(game.view(state, seat), names))
            assert all(name in shown for name in names)
            assert max(map(len, shown.splitlines())) <= WIDTH
        for move in game.moves(state, 0):
            assert plain_label(move, names, ENGLISH)


class Give(Move, frozen=True):
    target: int
    cards: tuple[str, ...]
    face_up: bool = False
    note: str | None = None


@pytest.mark.parametrize(
    ("move", "label"),
    [
        (Give(1, ("7♣", "Ts")), "give › Bo › 7♣ + 10♠"),
        (Give(0, (), True), "give › Ann › face up"),
        (Give(9, ("7♣",), note="thanks"), "give › 9 › 7♣ › thanks"),
    ],
)
def test_any_move_has_words(move: Give, label: str) -> None:
    assert plain_label(move, ["Ann", "Bo"], ENGLISH) == label
    french = Words("fr", {"give": "donner", "face up": "face visible"}, bool)
    assert plain_label(move, ["Ann", "Bo"], french).startswith("donner › ")


@pytest.mark.parametrize("module", [cards, layout], ids=lambda module: module.__name__)
def test_what_they_show_is_so(module: Any) -> None:
    failed, tried = doctest.testmod(module)
    assert tried > 0
    assert failed == 0
