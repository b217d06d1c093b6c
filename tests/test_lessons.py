"""Games that teach themselves: their scripts, and the tables at which they are played."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier import laws
from croupier.games import catalogue
from croupier.games.palace.moves import Choose
from croupier.journal.reading import read_log
from croupier.kernel import Explain, Lesson, Rig, Try
from croupier.kernel.lesson import Meanwhile
from croupier.laws import Broken
from croupier.net import lessons
from croupier.tables import records, verifying
from croupier.tables.course import Course, alike
from tests.client import Client, Json, Refusal, client, play_out
from tests.live import LiveHere, request, server
from tests.toys import Bid, Bids

GAMES = catalogue().games
TAUGHT = [name for name, game in GAMES.items() if game.lesson is not None]
LONGEST_TEXT = 260
"""Characters. People came to play."""


def script_of(name: str) -> Lesson:
    lesson = GAMES[name].lesson
    assert lesson is not None
    return lesson


# Scripts.


@pytest.mark.parametrize("name", TAUGHT)
def test_a_script_is_a_game_by_the_rules(name: str) -> None:
    assert laws.check_lesson(GAMES[name]) >= 8


@pytest.mark.parametrize("name", TAUGHT)
def test_what_is_said_is_short_and_there_in_every_language(name: str) -> None:
    english, french = (lessons.steps(GAMES[name], language) for language in ("en", "fr"))
    assert english is not None
    assert french is not None
    assert 8 <= sum(bool(step.text) for step in english) <= 20
    for one, other in zip(english, french, strict=True):
        assert one.text != other.text or (one.asks and not one.text)
        assert len(one.text) <= LONGEST_TEXT
        assert len(other.text) <= LONGEST_TEXT * 1.25


def toy(*script: Explain | Try | Meanwhile, **table: Any) -> type[Bids]:
    """A game with this lesson."""

    class Taught(Bids):
        lesson = Lesson(script, **{"seats": 2, "bot": "random", "rig": Rig(), **table})

    return Taught


MINE, ADAS = (Bids().moves(laws.deal(Bids(), 2, Bids.Options(), 0), seat)[0] for seat in (0, 1))
THE_END = Explain("That is all.")
SHORT = (Try("Bid.", MINE), Meanwhile(1, ADAS), THE_END)


def test_a_game_from_elsewhere_can_be_taught() -> None:
    assert laws.check_lesson(toy(*SHORT)()) == 2


@pytest.mark.parametrize(
    ("game", "what"),
    [
        (toy(Try("Bid.", Bid(99)), THE_END), "is not offered"),
        (toy(Try("Bid.", MINE), Try("Bid.", MINE), THE_END), "is not offered"),
        (toy(Try("Look.", None), THE_END), "nothing to look at"),
        (toy(Explain("Look."), THE_END), "asks for no move"),
        (toy(*SHORT[:2]), "has no end"),
        (toy(*SHORT, seats=7), "is not for 7"),
        (toy(*SHORT, bot="nobody"), "none of its bots"),
    ],
)
def test_a_script_that_cannot_be_followed_is_found(game: type[Bids], what: str) -> None:
    with pytest.raises(Broken, match=what):
        laws.check_lesson(game())


def test_the_order_in_which_several_move_makes_no_difference() -> None:
    course = Course(Lesson(SHORT, seats=2, bot="random", rig=Rig()))
    course.follow(1, ADAS)
    assert course.position == 0
    assert course.next(1) is None
    course.follow(0, MINE)
    assert (course.position, course.on) == (2, False)
    course.follow(0, Bid(99))  # what comes after the script is nobody's business
    assert course.position == 2


def test_another_move_leaves_the_lesson_for_good() -> None:
    course = Course(Lesson(SHORT, seats=2, bot="random", rig=Rig()))
    course.follow(0, Bid(99))
    assert (course.position, course.on, course.next(1), course.interjection(1)) == (None, False, None, None)
    course.follow(0, MINE)
    assert course.position is None


def test_cards_may_be_named_in_any_order() -> None:
    assert alike(Choose(("2♣", "10♦", "A♣")), Choose(("A♣", "2♣", "10♦")))
    assert not alike(Choose(("2♣", "10♦", "A♣")), Choose(("A♣", "2♣", "10♣")))
    assert not alike(Choose(("2♣", "10♦", "A♣")), None)


# Tables.


@pytest.fixture
async def live(tmp_path: Path) -> AsyncIterator[LiveHere]:
    async with server(tmp_path, bot_delay=0) as running:
        yield running


async def steps_of(live: LiveHere, name: str) -> list[Json]:
    answer = await request(live.ports["http"], "GET", f"/api/games/{name}/lesson?language=fr")
    assert answer.status == 200
    found: list[Json] = json.loads(answer.body)
    return found


async def opened(person: Client, name: str) -> Json:
    sync: Json = (await person.ask("open", game=name, player="Ann", lesson=True))["sync"]
    return sync


async def follow(person: Client, steps: list[Json], position: int, until: int | None = None) -> int | None:
    """Do all that is asked for, up to a step; returns how many moves have been made then."""
    asked = {step["first"]: step for step in steps if step.get("asks")}
    end = until if until is not None else steps[-1]["first"]
    reached: int | None = position
    while reached is not None and reached < end:
        if reached in asked:
            step = asked.pop(reached)
            if "move" in step:
                await person.ask("play", move=step["move"])
            else:
                await person.ask("proceed")
        reached = (await person.hear(lambda told: told["type"] == "fact")).get("lesson")
    return reached


@pytest.mark.parametrize("name", TAUGHT)
async def test_a_lesson_is_a_table_where_bots_do_as_the_script_says(name: str, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as live, client(live.ws("/ws")) as ann:
        steps = await steps_of(live, name)
        sync = await opened(ann, name)
        assert (sync["seat"], sync["table"]["phase"]) == (0, "playing")
        assert await follow(ann, steps, sync["lesson"]) == len(script_of(name).moves)


REFUSED: dict[str, Json] = {"join": {"player": "Ben"}, "watch": {}}


async def assert_nobody_is_let_in(ben: Client, code: str, *, waiting: bool) -> None:
    for name, wish in REFUSED.items():
        with pytest.raises(Refusal) as refused:
            await ben.ask(name, table=code, **wish)
        assert refused.value.code == ("bench_closed" if name == "watch" else "full" if waiting else "started")


async def test_nobody_else_comes_to_a_lesson_and_its_record_says_that_it_was_one(
    live: LiveHere, tmp_path: Path
) -> None:
    async with client(live.ws("/ws")) as ann, client(live.ws("/ws")) as ben:
        table = (await opened(ann, "palace"))["table"]
        assert table["lobby"] == {"listed": False, "lesson": True}
        assert (await ben.ask("list"))["tables"] == []
        await assert_nobody_is_let_in(ben, table["code"], waiting=False)
        await ann.ask("play", move=(await ann.ask("see"))["sync"]["moves"][0])  # off the script: it is a game like any
        await play_out(ann)
        await assert_nobody_is_let_in(ben, table["code"], waiting=True)
        with pytest.raises(Refusal):
            await ann.ask("kick", seat=1)  # and somebody else could sit down with the cards that are known
    record = records.keep(table["id"], GAMES["palace"], read_log(tmp_path / "journal.sqlite", table["id"]), 1)
    with pytest.raises(verifying.Wrong, match="lesson"):
        verifying.verify(verifying.read(msgspec.json.encode(record)), GAMES["palace"])


async def test_whoever_plays_again_gets_the_lesson_again(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann:
        sync = await opened(ann, "palace")
        await ann.ask("play", move=sync["moves"][0])
        assert "lesson" not in (await ann.ask("see"))["sync"]
        await play_out(ann)
        await ann.ask("start")
        again = (await ann.ask("see"))["sync"]
        assert (again["view"]["hand"], again["lesson"]) == (sync["view"]["hand"], 0)


async def test_a_lesson_goes_on_after_a_restart(tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as live, client(live.ws("/ws")) as ann:
        steps = await steps_of(live, "palace")
        position = await follow(ann, steps, (await opened(ann, "palace"))["lesson"], until=5)
    async with server(tmp_path, bot_delay=0) as live, client(live.ws("/ws")) as again:
        sync = (await again.ask("return", table=ann.table, token=ann.token))["sync"]
        assert sync["lesson"] == position == 5
        assert sync["table"]["lobby"]["lesson"]
        assert await follow(again, steps, 5) == len(script_of("palace").moves)


@pytest.mark.parametrize("limit", [{"max_tables_per_address": 1}, {"max_bots_per_address": 1}])
async def test_lessons_are_paid_for_like_other_tables(tmp_path: Path, limit: dict[str, Any]) -> None:
    async with server(tmp_path, **limit) as live, client(live.ws("/ws")) as ann, client(live.ws("/ws")) as ben:
        await opened(ann, "palace")
        with pytest.raises(Refusal) as refused:
            await opened(ben, "palace")
        assert refused.value.code == "house_full"
        assert len(live.house.rooms) == 1


async def test_a_game_without_a_lesson_says_so(tmp_path: Path) -> None:
    games = catalogue()
    games = games._replace(games={**games.games, "bids": Bids()})
    async with server(tmp_path, games) as live, client(live.ws("/ws")) as ann:
        with pytest.raises(Refusal, match="there is no lesson of Bids") as refused:
            await opened(ann, "bids")
        assert refused.value.code == "no_lesson"
        assert next(game["lesson"] for game in ann.welcome["games"] if game["name"] == "bids") is None
        for path in ("/api/games/bids/lesson", "/api/games/nothing/lesson", "/learn/bids"):
            assert (await request(live.ports["http"], "GET", path, Accept="text/html")).status == 404


@pytest.mark.parametrize(
    ("wish", "fields"),
    [
        ("add_bots", {}),
        ("kick", {"seat": 1}),
        ("configure", {"options": {"turn_timer": 5}}),
        ("hand_over", {"seat": 0}),
        ("bench", {"open": False}),
    ],
)
async def test_a_lesson_stays_as_it_is(live: LiveHere, wish: str, fields: Json) -> None:
    async with client(live.ws("/ws")) as ann:
        await opened(ann, "palace")
        with pytest.raises(Refusal) as refused:
            await ann.ask(wish, **fields)
        assert refused.value.code == "lesson"


@pytest.mark.parametrize("more", [{"seats": 4}, {"options": {"turn_timer": 5}}, {"password": "secret"}, {"rig": {}}])
async def test_a_lesson_is_dealt_as_it_is_written(live: LiveHere, more: Json) -> None:
    async with client(live.ws("/ws")) as ann:
        with pytest.raises(Refusal) as refused:
            await ann.ask("open", game="palace", player="Ann", lesson=True, **more)
        assert refused.value.code == "bad_options"
        assert live.house.rooms == {}
