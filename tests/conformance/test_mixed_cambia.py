"""One table of Cambia, three protocols: a native client and one of each of its own dialects play to the end."""

from __future__ import annotations

import asyncio
from pathlib import Path

from croupier.games.cambia.dialect import ids
from tests.client import Client, Json, client
from tests.games.cambia.wire import Hall, Person, Socket
from tests.live import server


async def play_native(player: Client, turns: int) -> Json:
    """Draws and throws away, and calls Cambia when it has had so many turns."""
    wanted = ["draw_stockpile", "discard", "use_special"]
    while True:
        fact = await player.hear(lambda message: message["type"] == "fact")
        if "result" in fact:
            return fact
        moves = {move["move"]: move for move in reversed(fact.get("moves", ()))}
        if "call_cambia" in moves and (turns := turns - 1) < 0:
            await player.ask("play", move=moves["call_cambia"])
        elif found := [moves[kind] for kind in wanted if kind in moves]:
            await player.ask("play", move=found[0])


async def play(socket: Socket, me: str) -> Json:
    """The same by its own protocol, in either dialect; never calls."""
    while True:
        told = await socket.next()
        told = told.get("payload", {}) if "seq" in told else told
        mine = told.get("user", {}).get("id") == me
        match told.get("type"):
            case "game_end":
                return told
            case "game_player_turn" if mine:
                await socket.send("action_draw_stockpile")
            case "private_draw_stockpile":
                await socket.send("action_discard", card={"id": told["card"]["id"]})
            case "player_special_choice" if mine:
                await socket.send("action_special", special="skip")


async def in_lobby(socket: Socket, kind: str) -> Json:
    while (told := await socket.next())["type"] != kind:
        pass
    return told


async def test_three_protocols_at_one_table(tmp_path: Path) -> None:
    async with server(tmp_path) as live, client(live.ws("/ws")) as nat:
        live.ports["cambia"] = live.ports["http"]
        here = Hall(live)
        await nat.ask("open", game="cambia", player="Nat", seats=3, options={"pre_game_sec": 0})
        lobby = ids.lobby_id(nat.table)
        ann, web = [
            Person(here, (await here.ask("POST", "/cambia/user/guest", body={"username": name})).json)
            for name in ("Ann", "Web")
        ]
        ann.lobby = await here.socket(f"/cambia/lobby/ws/{lobby}", ann, "lobby")
        both = await here.socket(f"/cambia/ws/{lobby}", web, "cambia")
        await in_lobby(both, "lobby_state")
        await nat.ask("start")
        game = (await in_lobby(ann.lobby, "game_start"))["game_id"]
        ann.game = await here.socket(f"/cambia/game/ws/{game}", ann, "game")
        native, first, second = await asyncio.gather(play_native(nat, 3), play(ann.game, ann.id), play(both, web.id))

        # All three were told the same end, each in its own words.
        (ended,) = [event for event in native["events"] if event["event"] == "ended"]
        assert first["payload"]["scores"] == second["payload"]["scores"]
        assert sorted(first["payload"]["scores"].values()) == sorted(ended["outcome"]["scores"])
        seats = [first["payload"]["hands"][id] for id in first["payload"]["hands"]]
        for hand, told in zip(ended["outcome"]["hands"], seats, strict=True):
            assert [card["id"] for card in hand] == [card["id"] for card in told]
        assert (await in_lobby(ann.lobby, "game_results"))["scores"] == first["payload"]["scores"]
        await here.leave()
