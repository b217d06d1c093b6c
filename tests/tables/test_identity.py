"""Who people say they are, and what is written down of their games."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from croupier.journal import Journal, Script, Statement
from croupier.people import identity, levels
from tests.client import Client, Json, Refusal, client
from tests.live import LiveHere, server

KEY, OTHER = "a key of at least sixteen", "another one of that length"


def person(table: Json, name: str) -> str:
    found: str = next(player.get("person", "") for player in table["players"] if player["name"] == name)
    return found


def signed_out(key: str) -> Script[None]:
    yield Statement("INSERT INTO devices VALUES ($1, NULL, NULL, '', 1, 1)", (identity.hashed(key),))


async def finished(live: LiveHere) -> list[tuple[Any, ...]]:
    rows = await live.house.journal.query("SELECT number, game, rated, shown, players FROM finished ORDER BY number")
    return [(*row[:4], json.loads(row[4])) for row in rows]


async def ends(*players: Client) -> None:
    """All leave but the last, who has won."""
    for player in players[:-1]:
        await player.ask("leave")
    await players[-1].hear(lambda message: message.get("result") is not None)


async def test_who_has_a_key_is_the_same_person_at_every_table_and_others_know_the_id_alone(tmp_path: Path) -> None:
    async with server(tmp_path) as live, client(live.ws("/ws")) as ann, client(live.ws("/ws")) as ben:
        said = await ann.ask("identify", key=KEY)
        assert said["person"] == identity.person_of(KEY)
        opened = await ann.ask("open", game="palace", player="Ann")
        joined = await ben.ask("join", table=opened["sync"]["table"]["id"], player="Ben")
        assert person(joined["sync"]["table"], "Ann") == said["person"]
        assert person(joined["sync"]["table"], "Ben") == "", "who says nothing is nobody"
        assert KEY not in json.dumps(joined) and identity.hashed(KEY) not in json.dumps(joined)
        again = await ann.ask("open", game="coup", player="Annie")
        assert person(again["sync"]["table"], "Annie") == said["person"]


async def test_a_device_that_was_signed_out_is_nobody_any_more(tmp_path: Path) -> None:
    async with server(tmp_path) as live, client(live.ws("/ws")) as ann:
        await ann.ask("identify", key=KEY)
        await live.house.journal.transact(signed_out(KEY))
        with pytest.raises(Refusal) as refusal:
            await ann.ask("identify", key=KEY)
        assert refusal.value.code == "revoked"
        opened = await ann.ask("open", game="palace", player="Ann")
        assert person(opened["sync"]["table"], "Ann") == ""


@pytest.mark.parametrize("key", ["", "short", "x" * 129])
async def test_a_key_that_could_be_guessed_is_none(tmp_path: Path, key: str) -> None:
    async with server(tmp_path) as live, client(live.ws("/ws")) as ann:
        with pytest.raises(Refusal) as refusal:
            await ann.ask("identify", key=key)
        assert refusal.value.code == "bad_request"


async def test_what_follows_in_the_same_breath_waits_until_it_is_known_who_asks(tmp_path: Path) -> None:
    async with server(tmp_path) as live, client(live.ws("/ws")) as ann:
        await ann.socket.send(json.dumps({"type": "identify", "id": 1, "key": KEY}))
        await ann.socket.send(json.dumps({"type": "open", "id": 2, "game": "palace", "player": "Ann"}))
        await ann.reply(1)
        opened = await ann.reply(2)
        assert person(opened["sync"]["table"], "Ann") == identity.person_of(KEY)


async def test_a_game_that_is_over_is_written_down_with_those_who_have_played_it(tmp_path: Path) -> None:
    async with server(tmp_path) as live, client(live.ws("/ws")) as ann, client(live.ws("/ws")) as ben:
        await ann.ask("identify", key=KEY)
        opened = await ann.ask("open", game="fortress", player="Ann")
        await ben.ask("join", table=opened["sync"]["table"]["id"], player="Ben")
        await ann.ask("start")
        await ends(ben, ann)
        ((number, game, rated, shown, players),) = await finished(live)
        assert (number, game, rated, shown) == (1, "fortress", 1, 1)
        by_name = {player["name"]: player for player in players}
        assert by_name["Ann"]["place"] == 1 and by_name["Ann"]["person"] == identity.person_of(KEY)
        assert by_name["Ben"]["place"] == 2 and by_name["Ben"]["left"] is True
        assert "person" not in by_name["Ben"]


async def test_of_games_that_nobody_could_look_up_nothing_is_written(tmp_path: Path) -> None:
    async with server(tmp_path) as live, client(live.ws("/ws")) as ann, client(live.ws("/ws")) as ben:
        opened = await ann.ask("open", game="fortress", player="Ann")
        await ben.ask("join", table=opened["sync"]["table"]["id"], player="Ben")
        await ann.ask("start")
        await ends(ben, ann)
        assert await finished(live) == []


@pytest.mark.parametrize(
    ("wish", "rated", "shown"),
    [
        ({}, 1, 1),
        ({"listed": False}, 0, 0),
        ({"password": "plum"}, 0, 0),
        ({"listed": False, "rated": True}, 1, 0),
        ({"rated": False}, 0, 1),
    ],
)
async def test_among_friends_a_game_is_not_rated_unless_somebody_says_so(
    tmp_path: Path, wish: Json, rated: int, shown: int
) -> None:
    async with server(tmp_path) as live, client(live.ws("/ws")) as ann, client(live.ws("/ws")) as ben:
        await ann.ask("identify", key=KEY)
        opened = await ann.ask("open", game="fortress", player="Ann", **wish)
        table = opened["sync"]["table"]["id"]
        await ben.ask("join", table=table, player="Ben", password=wish.get("password", ""))
        await ann.ask("start")
        await ends(ben, ann)
        assert [row[2:4] for row in await finished(live)] == [(rated, shown)]


async def test_the_host_decides_before_a_game_whether_it_counts(tmp_path: Path) -> None:
    async with server(tmp_path) as live, client(live.ws("/ws")) as ann:
        opened = await ann.ask("open", game="fortress", player="Ann")
        assert opened["sync"]["table"]["lobby"]["rated"] is True
        await ann.ask("configure", rated=False)
        table = (await ann.ask("see"))["sync"]["table"]
        assert "rated" not in table["lobby"]


async def test_whom_the_host_throws_out_has_neither_won_nor_lost(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as live,
        client(live.ws("/ws")) as ann,
        client(live.ws("/ws")) as ben,
        client(live.ws("/ws")) as cleo,
    ):
        await ann.ask("identify", key=KEY)
        await ben.ask("identify", key=OTHER)
        opened = await ann.ask("open", game="coup", player="Ann")
        for other, name in ((ben, "Ben"), (cleo, "Cleo")):
            await other.ask("join", table=opened["sync"]["table"]["id"], player=name)
        await ann.ask("start")
        seat = next(p["seat"] for p in (await ann.ask("see"))["sync"]["table"]["players"] if p["name"] == "Ben")
        await ann.ask("kick", seat=seat)
        await ends(cleo, ann)
        players = {player["name"]: player for player in (await finished(live))[0][4]}
        assert players["Ben"].get("expelled") and not players["Ben"].get("left")
        assert players["Cleo"].get("left") and not players["Cleo"].get("expelled")


async def test_whatever_goes_wrong_with_it_the_connection_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_: Any) -> None:
        raise LookupError("a fault of ours")

    async with server(tmp_path) as live, client(live.ws("/ws")) as ann:
        monkeypatch.setattr(levels, "levels_of", fails)
        with pytest.raises(Refusal) as refusal:
            await ann.ask("identify", key=KEY)
        assert refusal.value.code == "internal"
        opened = await ann.ask("open", game="palace", player="Ann")
        assert person(opened["sync"]["table"], "Ann") == ""


async def test_a_device_that_is_signed_out_just_then_is_nobody_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with server(tmp_path) as live, client(live.ws("/ws")) as ann:
        levels_of = levels.levels_of

        async def meanwhile(journal: Journal, person: str) -> Mapping[str, float]:
            await journal.transact(signed_out(KEY))
            live.house.persons.sign_out(identity.hashed(KEY))
            return await levels_of(journal, person)

        monkeypatch.setattr(levels, "levels_of", meanwhile)
        with pytest.raises(Refusal) as refusal:
            await ann.ask("identify", key=KEY)
        assert refusal.value.code == "revoked"
        opened = await ann.ask("open", game="palace", player="Ann")
        assert person(opened["sync"]["table"], "Ann") == ""
