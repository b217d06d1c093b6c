"""docs/fair-deals.md is enough to check a deal: here is a checker that was written from it, with nothing of ours."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.games import catalogue
from croupier.kernel import Chance
from croupier.tables.records import keep
from tests.diary import Diary, plain

PAGE = (Path(__file__).parents[1] / "docs" / "fair-deals.md").read_text()
GAMES = catalogue().games
Json = dict[str, Any]


# The checker.


def words(seed: bytes) -> Iterator[int]:
    block = 0
    while True:
        digest = hashlib.sha256(seed + block.to_bytes(8, "big")).digest()
        for start in range(0, 32, 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


def below(n: int, stream: Iterator[int]) -> int:
    while True:
        word = next(stream)
        if word < 2**32 - 2**32 % n:
            return word % n


def shuffled(items: list[Any], stream: Iterator[int]) -> list[Any]:
    items = list(items)
    for i in range(len(items) - 1, 0, -1):
        j = below(i + 1, stream)
        items[i], items[j] = items[j], items[i]
    return items


def follow(draws: list[Json], stream: Iterator[int]) -> None:
    for draw in draws:
        if draw["draw"] == "number":
            assert draw["out"] == below(draw["below"], stream)
        else:
            assert draw["out"] == shuffled(draw["in"], stream)


def vectors_of_the_page() -> Json:
    (block,) = re.findall(r"^```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    vectors: Json = json.loads(block)
    return vectors


def test_the_vectors() -> None:
    vectors = vectors_of_the_page()
    seed = bytes.fromhex(vectors["seed"])
    assert hashlib.sha256(seed).hexdigest() == vectors["pledge"]
    first = words(seed)
    assert [next(first) for _ in range(8)] == vectors["first_words"]
    follow(vectors["draws"], words(seed))
    # The server's own luck says the same.
    chance = Chance(seed)
    for draw in vectors["draws"]:
        if draw["draw"] == "number":
            assert chance.below(draw["below"]) == draw["out"]
        else:
            items = list(draw["in"])
            chance.shuffle(items, draw["name"])
            assert items == draw["out"]
    # They would be of little use if no word had to be dropped on the way.
    spent = 0

    def counted() -> Iterator[int]:
        nonlocal spent
        for word in words(seed):
            spent += 1
            yield word

    follow(vectors["draws"], counted())
    assert spent > sum(len(draw["in"]) - 1 if draw["draw"] == "shuffle" else 1 for draw in vectors["draws"])


def record(name: str, seats: int = 3) -> Json:
    found: Json = plain(keep("t", GAMES[name], Diary(GAMES[name], seats).play().log, 1))
    return found


def at(view: Any, pointer: str) -> Any:
    for step in pointer.split("/")[1:]:
        view = view[int(step)] if isinstance(view, list) else view[step.replace("~1", "/").replace("~0", "~")]
    return view


@pytest.mark.parametrize("name", GAMES)
def test_a_record_of_every_game_is_checked_with_nothing_but_that(name: str) -> None:
    kept = record(name)
    seed = bytes.fromhex(kept["about"]["seed"])
    stream = words(seed)
    draws: list[Json] = []
    seen = 0
    for line in kept["log"]:
        follow(line.get("draws", []), stream)
        draws += line.get("draws", [])
        if line["entry"]["entry"] == "started":
            assert line["entry"]["pledge"] == hashlib.sha256(seed).hexdigest()
            order = [draw["out"] for draw in draws if draw.get("name") == "seats"]
            assert order in ([], [line["entry"]["order"]])
        for pointer, draw, place in line.get("whence", []):
            assert at(line["view"], pointer) == draws[draw]["out"][place]
            seen += 1
    assert draws
    assert seen


# What goes in, and who gets what, as the table of the page has it.


def draws_of(kept: Json) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for line in kept["log"]:
        for draw in line.get("draws", []):
            found.setdefault(draw.get("name", "number"), draw)
    return found


def deal_view(kept: Json) -> Any:
    return next(line["view"] for line in kept["log"] if "whence" in line)


def palace(seats: int) -> None:
    kept = record("palace", seats)
    deck = draws_of(kept)["deck"]
    suits = "♣♦♥♠"[:seats]
    ranks = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
    assert deck["in"] == [
        rank + suits[(batch + place) % len(suits)] for batch in range(seats) for place, rank in enumerate(ranks)
    ]
    for seat in range(seats):
        twelve = deck["out"][12 * seat : 12 * seat + 12]
        view = deal_view(kept)
        assert sorted(view["face_up"][seat]) == sorted(twelve[:3])
        assert view["open_face_down"][seat] == twelve[3:6]
        assert sorted(view["open_hands"][seat]) == sorted(twelve[6:])


def cambia(seats: int) -> None:
    kept = record("cambia", seats)
    numbers = [draw for draw in kept["log"][0]["draws"] if draw["draw"] == "number"]
    assert [draw["below"] for draw in numbers] == [2**32] * 8
    found, view = draws_of(kept), deal_view(kept)
    ranks = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
    assert found["first"]["in"] == list(range(seats))
    decks = 1 if seats < 7 else 2
    assert found["deck"]["in"][:52] == [rank + suit for rank in ranks for suit in "♣♦♥♠"]
    assert found["deck"]["in"] == found["deck"]["in"][:54] * decks
    for seat, player in enumerate(view["players"]):
        hand = [view["faces"][card] for card in player["hand"]]
        assert hand == found["deck"]["out"][seat :: len(view["players"])][: len(hand)]
    assert view["top"]["face"] == found["deck"]["out"][seats * len(hand)]


def coup(seats: int) -> None:
    kept = record("coup", seats)
    deck, view = draws_of(kept)["deck"], deal_view(kept)
    characters = ["duke", "ambassador", "assassin", "contessa", "captain"]
    assert deck["in"] == [character for character in characters for _ in range(3)]
    assert [[slot["card"] for slot in hand] for hand in view["cards"]] == [
        deck["out"][2 * seat : 2 * seat + 2] for seat in range(seats)
    ]


def faraway(seats: int) -> None:
    kept = record("faraway", seats)
    found, view = draws_of(kept), deal_view(kept)
    regions, sanctuaries = found["regions"], found["sanctuaries"]
    assert regions["in"] == list(range(1, len(regions["in"]) + 1))
    assert sanctuaries["in"] == list(range(len(sanctuaries["in"])))
    assert view["hands"] == [regions["out"][3 * seat : 3 * seat + 3] for seat in range(seats)]
    assert view["shop"] == regions["out"][3 * seats :][: len(view["shop"])]


def fortress(seats: int) -> None:
    kept = record("fortress", seats)
    found, view = draws_of(kept), deal_view(kept)
    brought = [line["entry"] for line in kept["log"] if line["entry"].get("move", {}).get("move") == "bring_deck"]
    for entry in brought:
        deck = found[f"deck {entry['seat']}"]
        assert deck["in"] == entry["move"]["cards"][:-1]
        assert view["sides"][entry["seat"]]["hand"] == deck["out"][-6:][::-1]
    assert len(brought) == 2


@pytest.mark.parametrize("seats", [2, 3, 6])
@pytest.mark.parametrize("check", [palace, cambia, coup, faraway, fortress])
def test_what_goes_in_and_who_gets_it(check: Callable[[int], None], seats: int) -> None:
    if check is not fortress or seats == 2:
        check(seats)


def test_the_table_names_every_game() -> None:
    assert [game.title for game in GAMES.values() if f"\n| {game.title} |" not in PAGE] == []
