"""A match of several rounds (C62 to C68) as Cambia's own protocol tells it."""

from __future__ import annotations

from pathlib import Path

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
