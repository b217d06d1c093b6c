"""Finding a game: who looks for one sits down where others do, and it begins as soon as it can. By the native protocol,
on a real server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from croupier.journal import Statement
from croupier.people.identity import person_of
from croupier.plugins import catalogue
from croupier.tables import seeking
from tests.client import Client, Json, Refusal, client, play_out
from tests.clock import ManualTime
from tests.example_pages import ROOT
from tests.live import LiveHere, server
from tests.tables.test_lobby import refused


class Hall:
    """A server, and people who come to it one after the other."""

    def __init__(self, live: LiveHere, time: ManualTime, stack: AsyncExitStack) -> None:
        self.live = live
        self.time = time
        self._stack = stack

    async def comes(self) -> Client:
        return await self._stack.enter_async_context(client(self.live.ws("/ws?views=1")))

    async def seeks(self, name: str, game: str = "palace") -> tuple[Client, Json]:
        """Somebody looks for a game, and is shown the table that they are at."""
        somebody = await self.comes()
        return somebody, (await somebody.ask("seek", game=game, player=name))["sync"]

    async def tables(self) -> list[Json]:
        found: list[Json] = (await (await self.comes()).ask("list"))["tables"]
        return found


@pytest.fixture
async def hall(tmp_path: Path) -> AsyncIterator[Hall]:
    time = ManualTime()
    async with server(tmp_path, time=time, bot_delay=0) as live, AsyncExitStack() as stack:
        yield Hall(live, time, stack)


def names(table: Json) -> list[str]:
    return [player["name"] for player in table["players"]]


async def test_who_finds_nobody_waits_at_a_table_where_others_find_them(hall: Hall) -> None:
    _, sync = await hall.seeks("Ann")
    table = sync["table"]
    assert (table["phase"], table["seats"], table["locked"], names(table)) == ("waiting", 4, False, ["Ann"])
    assert table["lobby"]["seekers"] == 1 and table["lobby"]["rated"] and table["lobby"].get("listed", True)
    assert "starts_at" not in table and "ready" not in table["players"][0]
    _, other = await hall.seeks("Ben", "coup")
    assert other["table"]["id"] != table["id"], "who looks for another game is somewhere else"
    _, found = await hall.seeks("Cleo")
    assert found["table"]["id"] == table["id"]
    assert found["seat"] == 1


async def test_it_begins_with_those_who_are_there_a_moment_after_it_could(hall: Hall) -> None:
    ann, _ = await hall.seeks("Ann")
    ben, _ = await hall.seeks("Ben")
    begun = (await ann.entry("countdown_begun"))["entry"]
    assert begun["seconds"] == seeking.COUNTDOWN
    await hall.time.to_pass(seeking.COUNTDOWN - 1)
    cleo, sync = await hall.seeks("Cleo")
    assert sync["table"]["starts_at"] == begun["until"], "who waits does not wait longer for each who comes"
    await hall.time.to_pass(1)
    for somebody in (ann, ben, cleo):
        assert len((await somebody.entry("started"))["entry"]["order"]) == 3


async def test_when_nobody_else_can_come_it_begins_at_once(hall: Hall) -> None:
    people = [await hall.seeks(name) for name in ("Ann", "Ben", "Cleo", "Dan")]
    await hall.time.to_pass(0)
    assert all([len((await somebody.entry("started"))["entry"]["order"]) == 4 for somebody, _ in people])
    _, sync = await hall.seeks("Eve")
    assert names(sync["table"]) == ["Eve"]
    assert sync["table"]["lobby"]["seekers"] == 1, "those who play gather nobody any more"


@pytest.mark.parametrize(
    ("game", "package", "seats", "fewest"),
    [
        ("fortress", "", 2, 2),
        ("faraway", "", 4, 2),
        ("hearts", "croupier_hearts:game", 4, 4),
        ("crazy-eights", "croupier_crazy_eights:game", 4, 2),
    ],
)
async def test_games_for_few_and_games_from_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, package: str, seats: int, fewest: int
) -> None:
    monkeypatch.syspath_prepend(ROOT / "examples" / game)
    games, time = catalogue([package] if package else []), ManualTime()
    async with server(tmp_path, games, time=time) as live, AsyncExitStack() as stack:
        hall = Hall(live, time, stack)
        people = [await hall.seeks(f"P{number}", game) for number in range(fewest)]
        assert people[0][1]["table"]["seats"] == seats
        assert len({sync["table"]["id"] for _, sync in people}) == 1
        await time.to_pass(0 if seats == fewest else seeking.COUNTDOWN)
        assert all([await somebody.entry("started") for somebody, _ in people])


async def test_who_leaves_or_loses_the_line_is_not_waited_for(hall: Hall) -> None:
    ann, _ = await hall.seeks("Ann")
    ben, _ = await hall.seeks("Ben")
    assert await ann.entry("countdown_begun")
    await ben.socket.close()
    assert await ann.entry("countdown_stopped")
    cleo, sync = await hall.seeks("Cleo")
    assert names(sync["table"]) == ["Ann", "Ben", "Cleo"]
    assert await ann.entry("countdown_begun")
    await hall.time.to_pass(seeking.COUNTDOWN)
    assert len((await cleo.entry("started"))["entry"]["order"]) == 2
    back = await hall.comes()
    assert await refused(back.ask("return", table=sync["table"]["id"], token=ben.token)) == "no_such_seat"


async def test_whose_line_is_gone_for_a_moment_is_found_all_the_same(hall: Hall) -> None:
    """Otherwise they and whoever comes meanwhile would wait at two tables."""
    ann, sync = await hall.seeks("Ann")
    await ann.socket.close()
    await hall.time.to_pass(1)
    ben, found = await hall.seeks("Ben")
    assert found["table"]["id"] == sync["table"]["id"]
    again = await hall.comes()
    await again.ask("return", table=ann.table, token=ann.token)
    assert await ben.entry("countdown_begun")


async def test_nobody_has_to_say_that_they_are_ready_or_can_hold_the_others_up(hall: Hall) -> None:
    ann, _ = await hall.seeks("Ann")
    ben, _ = await hall.seeks("Ben")
    await ben.ask("ready", ready=False)
    assert await ann.entry("countdown_stopped")
    cleo = await hall.comes()
    joined = await cleo.ask("join", table=ann.table, player="Cleo")
    assert "ready" not in joined["sync"]["table"]["players"][2]
    assert await ann.entry("countdown_begun")


async def test_bots_fill_the_table_and_it_begins(hall: Hall) -> None:
    ann, _ = await hall.seeks("Ann")
    await ann.ask("add_bots", count=3)
    await hall.time.to_pass(0)
    assert await ann.entry("started")


async def test_nobody_changes_the_game_that_others_are_looking_for(hall: Hall) -> None:
    ann, _ = await hall.seeks("Ann")
    assert await refused(ann.ask("configure", options={"turn_timer": 5})) == "seekers"


async def test_after_the_first_game_nobody_is_sent_to_those_who_still_look_at_it(hall: Hall) -> None:
    people = [(await hall.seeks(name))[0] for name in ("Ann", "Ben", "Cleo")]
    await hall.time.to_pass(seeking.COUNTDOWN)
    await asyncio.gather(*(play_out(somebody) for somebody in people))
    ann, ben, cleo = people
    _, sync = await hall.seeks("Dan")
    assert names(sync["table"]) == ["Dan"]
    await cleo.ask("leave")
    for somebody in (ann, ben):
        await somebody.ask("ready", ready=True)
    assert (await ann.entry("countdown_begun"))["table"]["id"] == ann.table, "they play on without her"
    found = await cleo.ask("seek", game="palace", player="Cleo")
    assert found["sync"]["table"]["id"] == sync["table"]["id"], "where people look for a first game"


async def test_those_who_want_another_game_find_somebody_for_it(hall: Hall) -> None:
    people = [(await hall.seeks(name))[0] for name in ("Ann", "Ben")]
    await hall.time.to_pass(seeking.COUNTDOWN)
    await asyncio.gather(*(play_out(somebody) for somebody in people))
    ann, ben = people
    await ben.ask("leave")
    await ann.ask("ready", ready=True)
    _, sync = await hall.seeks("Cleo")
    assert sorted(names(sync["table"])) == ["Ann", "Cleo"]
    assert await ann.entry("countdown_begun")


async def test_somebody_who_waits_at_a_table_of_their_own_is_company(hall: Hall) -> None:
    ann = await hall.comes()
    await ann.ask("open", game="coup", player="Ann", seats=3)
    _, sync = await hall.seeks("Ben", "coup")
    assert sync["table"]["id"] == ann.table
    cleo = await hall.comes()
    await cleo.ask("seek", game="coup", player="Cleo")
    assert cleo.table == ann.table, "the place of somebody who begins when it is full"


async def test_where_people_look_for_a_game_comes_before_where_somebody_waits_for_friends(hall: Hall) -> None:
    friend = await hall.comes()
    await friend.ask("open", game="palace", player="Friend", listed=False)
    await hall.seeks("Ann")
    ben = await hall.comes()
    await ben.ask("open", game="palace", player="Ben")
    await hall.seeks("Cleo")
    assert [len(table["players"]) for table in await hall.tables()] == [2, 1]


@pytest.mark.parametrize(
    "about",
    [
        {"listed": False},
        {"password": "plum"},
        {"options": {"turn_timer": 5}},
        {"lesson": True},
    ],
    ids=str,
)
async def test_nobody_is_sent_to_a_table_that_is_not_for_everybody(hall: Hall, about: Json) -> None:
    ann = await hall.comes()
    await ann.ask("open", game="palace", player="Ann", **about)
    _, sync = await hall.seeks("Ben")
    assert names(sync["table"]) == ["Ben"]


async def test_nobody_is_sent_to_a_table_whose_host_is_not_there(hall: Hall) -> None:
    ann = await hall.comes()
    await ann.ask("open", game="palace", player="Ann")
    await ann.socket.close()
    await hall.time.to_pass(1)
    _, sync = await hall.seeks("Ben")
    assert names(sync["table"]) == ["Ben"]


async def test_where_names_are_unique_the_second_of_a_name_has_a_number(hall: Hall) -> None:
    await hall.seeks("A name as long as it", "coup")
    _, sync = await hall.seeks("A name as long as it", "coup")
    assert names(sync["table"]) == ["A name as long as it", "A name as long as 2"]
    _, sync = await hall.seeks("A name as long as it", "coup")
    assert names(sync["table"])[-1] == "A name as long as 3"


async def test_what_is_refused(hall: Hall) -> None:
    ann = await hall.comes()
    assert await refused(ann.ask("seek", game="bridge", player="Ann")) == "no_such_game"
    assert await refused(ann.ask("seek", game="palace", player="")) == "bad_name"
    assert await refused(ann.ask("seek", game="palace")) == "bad_request"
    assert await hall.tables() == []


async def test_who_looks_for_a_game_gives_up_a_seat_that_still_waits(hall: Hall) -> None:
    ann, _ = await hall.seeks("Ann")
    before = ann.table
    found = await ann.ask("seek", game="coup", player="Ann")
    assert [table["id"] for table in await hall.tables()] == [found["sync"]["table"]["id"]] != [before]


async def test_by_rating_where_there_are_enough_people(hall: Hall) -> None:
    ratings = {"strong": 40.0, "good": 36.0}

    def rated() -> Any:
        for key, mu in ratings.items():
            row = ("palace", person_of(f"the long key of {key}"), mu, 1.0, 30, 0)
            yield Statement("INSERT INTO ratings VALUES ($1, $2, $3, $4, $5, $6)", row)

    await hall.live.house.journal.transact(rated())

    async def comes(who: str) -> Json:
        somebody = await hall.comes()
        await somebody.ask("identify", key=f"the long key of {who}")
        found: Json = (await somebody.ask("seek", game="palace", player=who))["sync"]["table"]
        return found

    assert names(await comes("strong")) == ["strong"]
    assert names(await comes("anybody")) == ["strong", "anybody"], "there are too few to be choosy"
    for number in range(seeking.CROWD - 2):
        await comes(f"anybody {number}")
    newcomer = await comes("anybody")
    assert names(newcomer) == ["anybody"]
    strong = await comes("strong")
    assert names(strong) == ["strong"]
    assert strong["lobby"]["seekers"] == 2
    assert names(await comes("good")) == ["strong", "good"]
    assert names(await comes("anybody else")) == ["anybody", "anybody else"]


async def test_a_flood_of_those_who_look_for_games_is_priced_like_one_of_tables(tmp_path: Path) -> None:
    async with server(tmp_path, max_seats_per_address=10, max_tables_per_address=3) as live, AsyncExitStack() as stack:
        hall = Hall(live, ManualTime(), stack)
        codes = []
        for number in range(20):
            try:
                await hall.seeks(f"Mallory {number}")
            except Refusal as refusal:
                codes.append(refusal.code)
        assert codes and set(codes) == {"house_full"}


async def test_whole_games_come_of_it(tmp_path: Path) -> None:
    async with server(tmp_path, time=ManualTime(), message_rate=0) as live, AsyncExitStack() as stack:
        time = live.house.time
        assert isinstance(time, ManualTime)
        hall = Hall(live, time, stack)
        people = [await hall.seeks(name) for name in ("Ann", "Ben", "Cleo", "Dan")]
        await time.to_pass(0)
        ends = await asyncio.gather(*(play_out(somebody) for somebody, _ in people))
        assert all(end["result"] == ends[0]["result"] for end in ends)
