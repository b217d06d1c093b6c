"""People of several languages at one table: everybody reads their own."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.client import Client, Refusal, client, play_out
from tests.live import LiveHere, request, server


@pytest.fixture
async def live(tmp_path: Path) -> AsyncIterator[LiveHere]:
    async with server(tmp_path, bot_delay=0) as running:
        yield running


async def begin(ann: Client, anne: Client) -> None:
    """A game between somebody who reads English and somebody who reads French."""
    await ann.ask("open", game="faraway", player="Ann", seats=2)
    await anne.ask("join", table=ann.table, player="Anne")
    await ann.ask("start")


async def refusal(player: Client, request: str, **fields: Any) -> str:
    with pytest.raises(Refusal) as caught:
        await player.ask(request, **fields)
    return str(caught.value)


async def test_the_same_move_is_told_to_each_in_their_language(live: LiveHere) -> None:
    async with client(live.ws("/ws?views=1")) as ann, client(live.ws("/ws?views=1&language=fr")) as anne:
        await begin(ann, anne)
        first = (await ann.entry("started"))["moves"][0]
        second = (await anne.entry("started"))["moves"][0]
        await ann.ask("play", move=first)
        assert (await ann.entry("moved"))["story"] == [f"You choose region {first['card']}."]
        assert (await anne.entry("moved"))["story"] == []
        await anne.ask("play", move=second)
        ann_first = first["card"] < second["card"]
        assert (await ann.entry("moved"))["story"] == [
            f"The regions: you {first['card']}, Anne {second['card']}.",
            f"The shop opens, for {'you, then Anne' if ann_first else 'Anne, then you'}.",
        ]
        assert (await anne.entry("moved"))["story"] == [
            f"Vous choisissez la région {second['card']}.",
            f"Les régions\u202f: Ann {first['card']}, vous {second['card']}.",
            f"À la rivière\u202f: {'Ann, puis vous' if ann_first else 'vous, puis Ann'}.",
        ]


async def test_what_the_rules_refuse_is_explained_to_each_in_their_language(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann, client(live.ws("/ws?language=fr")) as anne:
        await begin(ann, anne)
        early, strange = {"move": "take", "card": 1}, {"move": "play", "card": 76}
        assert await refusal(ann, "play", move=early) == "regions are taken in the shop phase"
        assert await refusal(anne, "play", move=early) == "on prend une région de la rivière à la fin du tour"
        assert await refusal(ann, "play", move=strange) == "region 76 is not in your hand"
        assert await refusal(anne, "play", move=strange) == "la région 76 n'est pas dans votre main"


async def test_so_is_what_the_table_refuses(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann, client(live.ws("/ws?language=fr")) as anne:
        for player in (ann, anne):
            await player.ask("open", game="faraway", player="Ann", seats=2)
        assert await refusal(ann, "start") == "Faraway takes at least 2 players"
        assert await refusal(anne, "start") == "pour jouer à Faraway, il faut être au moins 2"
        await anne.ask("join", table=ann.table, player="Anne")
        assert await refusal(anne, "start") == "seul l'hôte peut le faire"


async def test_the_welcome_describes_the_games_in_that_language(live: LiveHere) -> None:
    async with client(live.ws("/ws?language=fr")) as anne, client(live.ws("/ws?language=tlh")) as worf:
        options = {}
        for player in (anne, worf):
            palace = next(game for game in player.welcome["games"] if game["name"] == "palace")
            options[player] = palace["options"]["properties"]["turn_timer"]
        assert options[anne]["title"] == "Temps par tour"
        assert options[worf]["title"] == "Time for a turn"
        assert options[anne]["default"] == options[worf]["default"]


async def test_a_replay_is_told_in_the_language_that_is_asked_for(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann", seats=2)
        await ann.ask("add_bots")
        await ann.ask("start")
        await play_out(ann)

        async def get(path: str) -> Any:
            return json.loads(
                (await request(live.ports["http"], "GET", f"/api/tables/{ann.table}/games/{path}", b"")).body
            )

        async def told(path: str, steps: str) -> list[str]:
            return [sentence for step in (await get(path))[steps] for sentence in step["story"]]

        english, french = await told("1", "steps"), await told("1?language=fr", "steps")
        assert len(english) == len(french)
        assert not set(english) & set(french)
        assert french[-1].startswith("La partie est finie. ")
        assert await told("1/record", "log") == english
        assert await told("1/record?language=fr", "log") == french
        missing = await get("2?language=fr")
        assert missing == {"error": "cette partie n'a pas été jouée jusqu'au bout à cette table"}
