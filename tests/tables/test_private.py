"""Tables that are not for everybody: a password is for looking on too, and some are in no list."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import ClientSession

from croupier.tables import entries, keys
from tests.client import Client, Refusal, client
from tests.games.palace.wire import Hall, hall
from tests.live import server


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Hall]:
    async with hall(tmp_path) as found:
        yield found


async def refusal(asking: object) -> Refusal:
    with pytest.raises(Refusal) as caught:
        await asking  # type: ignore[misc]
    return caught.value


async def opened(player: Client, **fields: object) -> str:
    await player.ask("open", game="palace", player="Ann", **fields)
    return player.table


async def test_looking_on_takes_the_password(here: Hall) -> None:
    async with client(here.live.ws("/ws")) as ann, client(here.live.ws("/ws")) as eve:
        table = await opened(ann, password="plum")
        assert (await refusal(eve.ask("watch", table=table))).code == "bad_password"
        assert (await refusal(eve.ask("watch", table=table, password="pear"))).code == "bad_password"
        assert await ann.silent()
        reply = await eve.ask("watch", table=table, password="plum")
        assert reply["sync"]["table"]["lobby"]["private"] is True
        async with client(here.live.ws("/ws")) as again:  # a seat is its own key
            assert (await again.ask("return", table=table, token=ann.token))["sync"]["seat"] == 0


async def test_guesses_of_those_who_look_on_have_their_price(here: Hall) -> None:
    async with client(here.live.ws("/ws")) as ann, client(here.live.ws("/ws")) as eve:
        table = await opened(ann, password="plum")
        for number in range(keys.GUESSES):
            assert "not the table's password" in str(await refusal(eve.ask("watch", table=table, password=f"{number}")))
        assert str(await refusal(eve.ask("watch", table=table, password="plum"))) == keys.TOO_MANY_GUESSES
        await here.time.to_pass(keys.GUESS_EVERY / 1000)
        await eve.ask("watch", table=table, password="plum")


async def test_palaces_spectators_do_not_find_a_private_table(here: Hall) -> None:
    async with client(here.live.ws("/ws")) as ann:
        private = await opened(ann, password="plum")
        matt, eve = await here.enter(), await here.enter()
        assert await eve.ask({"SpectateLobby": private}) == {"Err": "LobbyNotFound"}
        await matt.opens(password="plum")
        assert "Ok" in await eve.ask({"SpectateLobby": matt.lobby})  # D39: no password is asked
    async with client(here.live.ws("/ws")) as nat:
        await nat.ask("watch", table=matt.lobby)


async def test_private_stays_private_after_a_restart(tmp_path: Path) -> None:
    async with server(tmp_path) as live, client(live.ws("/ws")) as ann:
        table = await opened(ann, password="plum", listed=False)
    async with server(tmp_path) as live, client(live.ws("/ws")) as eve:
        assert (await refusal(eve.ask("watch", table=table))).code == "bad_password"
        assert (await eve.ask("list"))["tables"] == []
        await eve.ask("watch", table=table, password="plum")


def test_old_tables_are_not_private() -> None:
    written = (
        b'{"entry":"opened","game":"palace","name":"T","seats":2,"options":{},"password":"x","lobby":{"listed":false}}'
    )
    entry = entries.decode(written)
    assert isinstance(entry, entries.Opened)
    assert (entry.lobby.private, entry.lobby.listed) == (False, False)


async def test_an_unlisted_table_is_found_by_those_who_know_it(here: Hall) -> None:
    async with client(here.live.ws("/ws")) as ann, client(here.live.ws("/ws")) as bob, ClientSession() as http:
        await bob.ask("follow")
        table = await opened(ann, listed=False)
        code = (await ann.ask("see"))["sync"]["table"]["code"]
        assert (await bob.ask("list"))["tables"] == []
        assert await here.lobbies() == []
        async with http.get(here.live.http + "/api/tables") as response:
            assert await response.json() == []
        assert await bob.silent(), "nor is anything about it told to those who follow the list"
        assert [one["id"] for one in (await bob.ask("list", table=code))["tables"]] == [table]
        await bob.ask("join", table=code, player="Bob")
        async with http.get(here.live.http + f"/api/tables/{table}") as response:
            assert response.status == 200


async def test_a_link_to_a_private_table_tells_its_name_and_that_it_takes_a_password(here: Hall) -> None:
    async with client(here.live.ws("/ws")) as ann, ClientSession() as http:
        table = await opened(ann, name="Us", password="plum", seats=3)
        async with http.get(here.live.http + f"/t/{table}") as response:
            page = await response.text()
        assert "Us – Palace" in page and "It takes a password to come in." in page
        assert "Seats taken" not in page and "Ann" not in page
        matt = await here.enter()
        await matt.opens(password="plum")
        async with http.get(here.live.http + f"/t/{matt.lobby}") as response:
            assert "Come and play! It takes a password to sit down." in await response.text()
