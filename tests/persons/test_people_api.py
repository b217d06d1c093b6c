"""What HTTP tells of people: to themselves, to others, and to nobody."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from croupier.journal import Script, Statement
from croupier.people import history, played, projection
from croupier.people.played import Participant
from services.processes import LOOPBACK
from tests.client import Client, Json, client
from tests.live import LiveHere, request, server
from tests.nodes.several import nodes
from tests.persons.test_projection import over
from tests.persons.test_scorekeeping import IDS, KEYS, counted, gathered, play

NAMES = ("Ann", "Ben", "Cleo")


async def get(live: LiveHere, path: str, who: str = "", status: int = 200) -> Any:
    headers = {"Authorization": f"Bearer {KEYS[who]}"} if who else {}
    reply = await request(live.ports["http"], "GET", path, b"", LOOPBACK, **headers)
    assert reply.status == status, reply.body
    return json.loads(reply.body)


@asynccontextmanager
async def people(*houses: LiveHere, names: tuple[str, ...] = NAMES) -> AsyncIterator[list[Client]]:
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(client(houses[n % len(houses)].ws("/ws"))) for n, _ in enumerate(names)]


async def two_games(*houses: LiveHere, **wish: Any) -> str:
    """Ann wins the first, Cleo is second, Ben third; Ben wins the second, of two."""
    async with people(*houses) as (ann, ben, cleo):
        table = await gathered((ann, "Ann"), (ben, "Ben"), (cleo, "Cleo"), **wish)
        await play(ann, ben, cleo)
    async with people(*houses) as (ann, ben, _):
        await gathered((ben, "Ben"), (ann, "Ann"), **wish)
        await play(ben, ann)
    await counted(houses[0], 2)
    return table


async def right_on(live: LiveHere, table: str) -> None:
    """Whatever is asked about the two games, and of whichever node."""
    ann = await get(live, f"/api/people/{IDS['Ann']}")
    assert (ann["name"], ann["person"]) == ("Ann", IDS["Ann"])
    (coup,) = ann["games"]
    assert (coup["game"], coup["won"], coup["lost"], coup["rated"]) == ("coup", 1, 1, 2)
    assert coup["provisional"] is True and coup["margin"] > 400
    first, second = reversed(await get(live, f"/api/people/{IDS['Ann']}/games"))
    assert (first["table"], first["number"], first["place"], first["result"]) == (table, 1, 1, "won")
    assert {player["name"] for player in first["players"]} == set(NAMES)
    assert (second["place"], second["result"], len(second["players"])) == (2, "lost", 2)
    assert first["gain"] > 0 > second["gain"]
    assert first["gain"] + second["gain"] == pytest.approx(coup["rating"] - 1500, abs=1)
    head_to_head = f"/api/people/{IDS['Ann']}/against/{IDS['Ben']}"
    assert await get(live, head_to_head) == [{"game": "coup", "won": 1, "lost": 1, "drawn": 0}]
    assert await get(live, "/api/leaders/coup") == [], "all of them are provisional"
    evening = await get(live, f"/api/tables/{table}/evening")
    best = evening["people"][0]
    assert (best["name"], best["won"], len(evening["people"])) == ("Ann", 1, 3)
    assert (evening["games"], evening["last"]) == (1, 1)
    assert evening["gains"][IDS["Ann"]] == first["gain"]


async def test_three_people_play_two_games_and_all_that_is_told_is_right(tmp_path: Path) -> None:
    async with server(tmp_path) as live:
        await right_on(live, await two_games(live))


async def test_the_same_on_two_nodes(tmp_path: Path) -> None:
    async with nodes(tmp_path) as houses:
        table = await two_games(*houses)
        for live in houses:
            await right_on(live, table)


async def test_games_are_found_by_game_result_and_opponent(tmp_path: Path) -> None:
    async with server(tmp_path) as live:
        await two_games(live)
        mine = f"/api/people/{IDS['Ann']}/games"

        async def found(**asked: str) -> list[tuple[int, int]]:
            query = "&".join(f"{name}={value}" for name, value in asked.items())
            return [(len(game["players"]), game["place"]) for game in await get(live, f"{mine}?{query}")]

        assert await found(result="won") == [(3, 1)]
        assert await found(result="lost") == [(2, 2)]
        assert await found(result="drawn") == []
        assert await found(against=IDS["Cleo"]) == [(3, 1)]
        assert await found(game="coup", against=IDS["Ben"]) == [(2, 2), (3, 1)]
        assert await found(game="palace") == []


async def test_what_was_played_in_private_is_known_to_those_who_have_played_it(tmp_path: Path) -> None:
    async with server(tmp_path) as live:
        async with people(live) as (ann, ben, _):
            table = await gathered((ann, "Ann"), (ben, "Ben"), password="plum")
            await play(ann, ben)
        await counted(live, 1)
        for who in ("", "Cleo"):
            await get(live, f"/api/people/{IDS['Ann']}", who, status=404)
            assert (await get(live, f"/api/tables/{table}/evening", who)) == {"games": 0, "people": []}
        for who in ("Ann", "Ben"):
            assert (await get(live, f"/api/people/{IDS['Ann']}", who))["games"][0]["won"] == 1
            (game,) = await get(live, f"/api/people/{IDS['Ann']}/games", who)
            assert game["table"] == table and "gain" not in game
            assert len(await get(live, f"/api/people/{IDS['Ann']}/against/{IDS['Ben']}", who)) == 1
            assert (await get(live, f"/api/tables/{table}/evening", who))["games"] == 1

        # A public game of the same people brings nothing of the private one to light.
        async with people(live) as (ann, ben, _):
            await gathered((ben, "Ben"), (ann, "Ann"))
            await play(ben, ann)
        await counted(live, 2)
        seen = await get(live, f"/api/people/{IDS['Ann']}")
        assert (seen["games"][0]["lost"], seen["games"][0].get("won", 0)) == (1, 0)
        assert len(await get(live, f"/api/people/{IDS['Ann']}/games", "Cleo")) == 1
        assert (await get(live, f"/api/people/{IDS['Ann']}/against/{IDS['Ben']}", "Cleo"))[0]["won"] == 0


async def test_who_hides_their_page_is_found_nowhere(tmp_path: Path) -> None:
    def hidden() -> Script[None]:
        yield Statement("INSERT INTO persons VALUES ($1, 'Annie', '', 1, 1)", (IDS["Ann"],))

    async with server(tmp_path) as live:
        await two_games(live)
        await live.house.journal.transact(hidden())
        for path in ("", "/games", f"/against/{IDS['Ben']}"):
            await get(live, f"/api/people/{IDS['Ann']}{path}", "Ben", status=404)
        await get(live, f"/api/people/{IDS['Ben']}/against/{IDS['Ann']}", status=404)
        assert (await get(live, f"/api/people/{IDS['Ann']}", "Ann"))["name"] == "Annie"


def duels(count: int, *, at: int = 10_000) -> list[tuple[Any, ...]]:
    """One of three is better than the others, and one is worse."""
    pairs = [("Ann", "Ben"), ("Ben", "Cleo"), ("Ann", "Cleo"), ("Ben", "Ann"), ("Cleo", "Ben")]
    rows = []
    for n in range(count):
        players = [Participant(name, place, IDS[name]) for place, name in enumerate(pairs[n % 5], start=1)]
        rows.append((f"t{n}", 5, 1, "coup", at + n, 1, 1, played.encode(players).decode()))
    return rows


async def test_who_is_known_well_enough_leads_and_a_list_is_paged(tmp_path: Path) -> None:
    async with server(tmp_path) as live:
        await live.house.journal.transact(over(duels(100)))
        await projection.catch_up(live.house.journal)
        leaders = await get(live, "/api/leaders/coup")
        assert [(leader["place"], leader["name"]) for leader in leaders] == [(1, "Ann"), (2, "Ben"), (3, "Cleo")]
        assert leaders[0]["rating"] > leaders[1]["rating"] and leaders[0]["games"] == 60
        assert [leader["name"] for leader in await get(live, "/api/leaders/coup?after=1")] == ["Ben", "Cleo"]

        pages: list[Json] = []
        before = ""
        while page := await get(live, f"/api/people/{IDS['Ben']}/games{before}"):
            assert len(page) <= history.PAGE
            pages += page
            before = f"?before={page[-1]['cursor']}"
        assert len(pages) == 80 and len({game["table"] for game in pages}) == 80


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/people/nobody", 404),
        ("/api/people/%00", 404),
        ("/api/people/" + "x" * 500, 404),
        ("/api/people/nobody/games", 404),
        ("/api/people/nobody/against/%F0%9F%98%80", 404),
        ("/api/people/{ann}/games?result=cheated", 400),
        ("/api/people/{ann}/games?before=yesterday", 400),
        ("/api/people/{ann}/games?before=1.99999999999.t", 400),
        ("/api/people/{ann}/games?before=999999999999999.999999999.t", 200),
        ("/api/people/{ann}/games?against=%00", 200),
        ("/api/leaders/chess", 404),
        ("/api/leaders/coup?after=-1", 400),
        ("/api/leaders/coup?after=1000", 400),
        ("/api/leaders/coup?after=x", 400),
        ("/api/tables/%00/evening", 404),
        ("/api/tables/nowhere/evening", 200),
    ],
)
@pytest.mark.parametrize("kind", ["file", "postgres"])
async def test_what_makes_no_sense_is_answered_in_a_sentence(tmp_path: Path, path: str, status: int, kind: str) -> None:
    async with AsyncExitStack() as stack:
        if kind == "file":
            live = await stack.enter_async_context(server(tmp_path))
        else:
            (live,) = await stack.enter_async_context(nodes(tmp_path, 1))
        await live.house.journal.transact(over(duels(1)))
        await projection.catch_up(live.house.journal)
        found = await get(live, path.format(ann=IDS["Ann"]), status=status)
        assert status == 200 or set(found) == {"error"}
