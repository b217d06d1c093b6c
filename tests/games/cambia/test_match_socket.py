"""A match of several rounds (C62 to C68) as Cambia's own protocol tells it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import pytest

from croupier.tables.batch import Batch
from tests.games.cambia.wire import Hall, Json, Person, hall


async def one_round(here: Hall, ann: Person, ben: Person) -> Json:
    """Both are in the game that was announced last; somebody calls, the other plays on."""
    for person in (ann, ben):
        await person.enter_game()
    for person in (ann, ben):
        await person.game.until("private_initial_cards")
    await here.time.to_pass(10)
    turn = await ann.game.until("game_player_turn")
    caller, other = (ann, ben) if turn["user"] == ann.me else (ben, ann)
    await caller.game.send("action_cambia")
    await other.game.until("player_cambia")
    await here.throws_last(other)
    payload: Json = (await ann.game.until("game_end"))["payload"]
    return payload


async def test_two_rounds(tmp_path: Path) -> None:
    async with hall(tmp_path) as here:
        match = {"enabled": True, "rules": {"rounds": 2, "roundPauseSec": 5}}
        ann, ben = await here.gather("Ann", "Ben", circuit=match)
        for person in (ann, ben):
            await person.lobby.send("ready")
        first = here.game = (await ann.lobby.until("game_start"))["game_id"]
        scores = (await one_round(here, ann, ben))["rawScores"]
        told = await ann.lobby.hears("round_end")
        assert (told["round"], told["total_rounds"], told["round_scores"]) == (1, 2, scores)
        assert {person.id: scores[person.id] + told["subsidies"][person.id] for person in (ann, ben)} == told[
            "cumulative_scores"
        ]
        old = ann.game
        await here.time.to_pass(5)
        told = await ann.lobby.hears("round_start")
        assert (told["round"], told["total_rounds"]) == (2, 2) and told["dealer_seat"] in (0, 1)
        assert await ann.lobby.hears("game_start") == {"type": "game_start", "game_id": told["game_id"]}
        assert told["game_id"] != first
        assert await old.closed() == 1000
        here.game = told["game_id"]
        last = (await one_round(here, ann, ben))["rawScores"]
        told = await ann.lobby.hears("match_end")
        assert told["round_history"] == [scores, last] and told["final"] is True
        assert told["round_scores"] == last and set(told["standings"]) == {ann.id, ben.id}
        results = await ann.lobby.hears("game_results")
        assert results["scores"] == told["cumulative_scores"] and results["winner"] == told["standings"][0]


@contextmanager
def slow_disk(here: Hall) -> Iterator[None]:
    """Meanwhile nothing gets to the journal, and so nothing to clients."""
    journal = here.house.journal
    append, held = journal.append, list[Batch]()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(journal, "append", held.append)
        yield
    for batch in held:
        append(batch)


@asynccontextmanager
async def second_round(tmp_path: Path) -> AsyncIterator[tuple[Hall, Person, Person]]:
    """It has been announced, and everybody still has the socket of the first one. The first look takes no time."""
    async with hall(tmp_path) as here:
        match = {"enabled": True, "rules": {"rounds": 2, "roundPauseSec": 5}}
        ann, ben = await here.gather("Ann", "Ben", circuit=match, houseRules={"preGameSec": 0})
        await here.start(ann, ben)
        turn = await ann.game.until("game_player_turn")
        caller, other = (ann, ben) if turn["user"] == ann.me else (ben, ann)
        await caller.game.send("action_cambia")
        await other.game.until("player_cambia")
        await here.throws_last(other)
        await ann.game.until("game_end")
        with slow_disk(here):
            await here.time.to_pass(5)
        here.game = (await ann.lobby.until("round_start"))["game_id"]
        yield here, ann, ben


async def test_t1_every_round_waits_for_its_own_sockets(tmp_path: Path) -> None:
    """Who is not waited for would never see the first cards (C12, K6)."""
    async with second_round(tmp_path) as (_, ann, ben):
        await ann.enter_game()
        state = (await ann.game.hears("private_sync_state"))["state"]
        assert not state["started"] and state["stockpileSize"] == 54, "nothing is dealt before Ben is there"
        assert [player["connected"] for player in state["players"]] == [True, False]
        assert await ann.game.silent()
        await ben.enter_game()
        for person in (ann, ben):
            told = await person.game.until("private_initial_cards")
            assert all(card["user"] == person.me for card in told["cards"])
            await person.game.until("game_player_turn")
            assert await person.game.silent()


async def test_t1_c67_whoever_does_not_come_in_ten_seconds_has_missed_the_round(tmp_path: Path) -> None:
    async with second_round(tmp_path) as (here, ann, ben):
        await ann.enter_game()
        await ann.game.hears("private_sync_state")
        await here.time.to_pass(10)
        await ann.game.until("private_initial_cards")
        turn = await ann.game.until("game_player_turn")
        if turn["user"] == ben.me:
            await here.time.to_pass(15)
            await ann.game.until("game_player_turn")
        await ann.game.send("action_cambia")
        await ann.game.until("game_player_turn")
        await here.time.to_pass(15)
        await ann.game.until("game_end")
        assert (await ann.lobby.until("match_end"))["round_scores"][ben.id] == 41
