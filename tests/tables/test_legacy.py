"""What a game passes on to the next one at its table: to whom, when not, and that no restart and no node loses it."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from croupier.games import Catalogue
from croupier.kernel import Chance, Legacy
from croupier.tables import entries, records, snapshot
from croupier.tables.entries import AnyEntry, Configured, Joined, Left, Moved, Opened, Started
from croupier.tables.lobby_options import Lobby
from croupier.tables.table import Table
from tests.client import Client, client, play_out
from tests.live import LiveHere, server
from tests.nodes.several import nodes
from tests.rubber import Rubber, ShuffledRubber, Tally
from tests.tables.test_rules_versions import EarlyBids
from tests.tables.test_snapshot import everything
from tests.toys import Options

GAMES = Catalogue({game.name: game for game in (Rubber(), ShuffledRubber())}, [])


class Here:
    """A table in memory, and another that is made from its last snapshot."""

    def __init__(self, game: Rubber) -> None:
        self.table = Table("t", game)
        self.short: Table | None = None
        self.at = 0
        self.happens(Opened(game.name, "T", 4, Options(), edition=entries.EDITION))

    def happens(self, *found: AnyEntry) -> None:
        for entry in found:
            entry = entries.decode(entries.encode(entry))
            self.at += 1
            if snapshot.belongs_before(entry, self.table):
                self.short = Table("t", self.table.game)
                assert snapshot.restore(self.short, snapshot.take(self.table))
            self.table.apply(entry, self.at)
            if self.short is not None:
                self.short.apply(entry, self.at)
                assert everything(self.short) == everything(self.table)

    def sits(self, *names: str) -> None:
        for name in names:
            free = next(number for number in range(4) if number not in self.table.seats)
            self.happens(Joined(free, name, token=name))

    def leaves(self, name: str) -> None:
        (number,) = (number for number, seat in self.table.seats.items() if seat.name == name)
        self.happens(Left(number))

    def plays(self, seed: int, order: tuple[int, ...] | None = None) -> dict[str, int]:
        """A whole game; with how many points everybody began it."""
        table = self.table
        self.happens(Started(order or tuple(table.seats), bytes([seed] * 32)))
        began = self.points()
        while table.phase == "playing":
            seat = table.awaited()[0]
            self.happens(Moved(seat, table.game.moves(table.state, seat)[0]))
        return began

    def points(self) -> dict[str, int]:
        return {seat.name: self.table.state.points[number] for number, seat in enumerate(self.table.lineup)}

    def shown(self) -> dict[str, int | None]:
        """What the lobby shows of the match."""
        return {player.name: player.score for player in self.table.summary.players}


def test_points_follow_people_through_a_match() -> None:
    here = Here(Rubber())
    here.sits("Ann", "Ben", "Cleo")
    assert here.shown() == {"Ann": None, "Ben": None, "Cleo": None}
    assert here.plays(1) == {"Ann": 0, "Ben": 0, "Cleo": 0}
    first = here.points()
    assert sum(first.values()) == 4 and here.shown() == first
    assert here.plays(2, order=(2, 0, 1)) == first, "whatever seats they have now"
    second = here.points()
    assert sum(second.values()) == 8 and here.shown() == second
    assert here.plays(3) == second


def test_a_match_ends() -> None:
    here = Here(Rubber())
    here.sits("Ann", "Ben")
    for seed in range(4):
        here.plays(seed)
        if here.table.legacy is None:
            break
    assert max(here.points().values()) >= 9
    assert here.shown() == {"Ann": None, "Ben": None}
    assert here.plays(9) == {"Ann": 0, "Ben": 0}


def test_who_comes_takes_the_place_of_who_has_gone() -> None:
    here = Here(Rubber())
    here.sits("Ann", "Ben", "Cleo")
    here.plays(1)
    first = here.points()
    here.leaves("Ann")
    here.leaves("Cleo")
    here.sits("Dan")
    assert here.shown() == {"Ben": first["Ben"], "Dan": None}, "what will be Dan's is seen when the game begins"
    here.sits("Eve")
    began = here.plays(2, order=(1, 2, 0))
    assert began == {"Ben": first["Ben"], "Dan": first["Cleo"], "Eve": first["Ann"]}


@pytest.mark.parametrize("change", ["fewer", "more", "options"])
def test_another_match_begins(change: str) -> None:
    here = Here(Rubber())
    here.sits("Ann", "Ben", "Cleo")
    here.plays(1)
    match change:
        case "fewer":
            here.leaves("Ben")
        case "more":
            here.sits("Dan")
        case "options":
            here.happens(Configured(Options(), Lobby(auto_start=True)))
            assert any(here.shown().values()), "those of the lobby are none of the game's"
            here.happens(Configured(Options(seconds=11)))
            assert not any(here.shown().values())
    assert not any(here.plays(2).values())


def test_a_snapshot_whose_legacy_makes_no_sense_is_not_used() -> None:
    here = Here(Rubber())
    here.sits("Ann", "Ben")
    here.plays(1)
    taken = json.loads(snapshot.take(here.table))
    assert snapshot.restore(Table("t", Rubber()), json.dumps(taken).encode())
    taken["legacy"]["scores"] = "many"
    assert not snapshot.restore(Table("t", Rubber()), json.dumps(taken).encode())


async def play(live: LiveHere, begun: list[dict[str, Any]], people: list[Client]) -> dict[str, int]:
    """A game that has begun, to its end. Returns the points of everybody."""

    async def plays(person: Client, started: dict[str, Any]) -> None:
        await person.ask("play", move=started["moves"][0])
        await play_out(person)

    await asyncio.gather(*map(plays, people, begun))
    table = live.house.rooms[people[0].table].table
    return {seat.name: table.state.points[number] for number, seat in enumerate(table.lineup)}


async def begin(people: list[Client]) -> tuple[dict[str, int], list[dict[str, Any]]]:
    """The next game: with what people begin it, and what they are told."""
    await people[0].ask("start")
    begun = [await person.entry("started") for person in people]
    names = {player["seat"]: player["name"] for player in begun[0]["table"]["players"]}
    assert not any("score" in player for player in begun[0]["table"]["players"])
    return {names[seat]: points for seat, points in enumerate(begun[0]["view"]["points"])}, begun


@pytest.mark.parametrize("game", ["rubber", "shuffled"])
async def test_a_match_survives_restarts(tmp_path: Path, game: str) -> None:
    async with server(tmp_path, GAMES) as live, client(live.ws("/ws")) as ann, client(live.ws("/ws")) as ben:
        await ann.ask("open", game=game, player="Ann", seats=2)
        await ben.ask("join", table=ann.table, player="Ben")
        _, begun = await begin([ann, ben])
        points = await play(live, begun, [ann, ben])
        shown = (await ann.ask("see"))["sync"]["table"]["players"]
        assert {player["name"]: player["score"] for player in shown} == points
    for _ in range(2):
        async with server(tmp_path, GAMES) as live, client(live.ws("/ws")) as ann2, client(live.ws("/ws")) as ben2:
            for person, token in ((ann2, ann.token), (ben2, ben.token)):
                await person.ask("return", table=ann.table, token=token)
            began, begun = await begin([ann2, ben2])
            assert began == points
            points = await play(live, begun, [ann2, ben2])
            log = [record async for piece in live.house.journal.logs({ann.table: 0}) for record in piece.records]
            kept = records.keep(ann.table, GAMES.games[game], log, 2)
            assert isinstance(kept.about.legacy, Tally) and sum(kept.about.legacy.scores) == 4


async def test_all_nodes_know_what_is_passed_on(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        one, other = await stack.enter_async_context(nodes(tmp_path, games=GAMES))
        ann, ben = [await stack.enter_async_context(client(node.ws("/ws"))) for node in (one, other)]
        await ann.ask("open", game="shuffled", player="Ann", seats=2)
        await ben.ask("join", table=ann.table, player="Ben")
        await ann.entry("joined")
        points: dict[str, int] = {"Ann": 0, "Ben": 0}
        for number in range(2):
            began, begun = await begin([ann, ben])
            assert began == points
            points = await play(one, begun, [ann, ben])
            assert sum(points.values()) == 4 * (number + 1)
            hashes = {node.house.rooms[ann.table].table.fingerprint() for node in (one, other)}
            assert len(hashes) == 1


def test_a_game_that_deals_as_people_sit_down_has_no_place_for_it() -> None:
    with pytest.raises(TypeError, match="Early deals as people sit down"):

        class Early(EarlyBids):
            def legacy(self, state: Any) -> Legacy:
                return Legacy()


def test_who_does_not_care_is_dealt_to_as_always() -> None:
    class Careless(Rubber):
        deal_next = Rubber.__mro__[2].deal_next  # type: ignore[attr-defined]

    state = Careless().deal_next(Options(), 2, Chance(bytes(32)), 0, Tally((1, 2)))
    assert state == Rubber().deal(Options(), 2, Chance(bytes(32)), 0)
