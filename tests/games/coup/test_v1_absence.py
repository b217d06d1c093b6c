"""Lost connections, pauses, returns, kicks and hosts in the first version of Coup's own protocol, over real sockets.

The names c68, c69, … are the lines of the checklist in docs/protocols/coup-v1.md; d47, d48, … the decisions, there and
in docs/games/coup.md; u60, u61, … the rules.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.client import client
from tests.games.coup.wire import Hall, Said, Table, events, hall


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Hall]:
    async with hall(tmp_path) as found:
        yield found


def paused(reason: str, *missing: str) -> Said:
    return ("GAME_PAUSED", {"reason": reason, "waitingFor": list(missing)})


def lost(name: str) -> Said:
    return ("PLAYER_DISCONNECT", {"playerName": name, "removed": False})


async def turn(table: Table) -> None:
    """Ann's turn."""


async def window(table: Table) -> None:
    await table.propose("ann", "STEAL", "bob")


async def block_window(table: Table) -> None:
    await window(table)
    await table.does("bob", "BLOCK_ACTION", blockAs="CAPTAIN")


async def losing(table: Table) -> None:
    await table.propose("ann", "TAX")
    await table.does("bob", "CALL_BS")


async def exchanging(table: Table) -> None:
    await table.propose("ann", "EXCHANGE")
    await table.passes(5000)
    await table.does("ann", "CONFIRM_ACTION", action="EXCHANGE")


WAITS = [turn, window, block_window, losing, exchanging]


@pytest.mark.parametrize("wait", WAITS)
@pytest.mark.parametrize("name", ["ann", "bob", "cy"])
async def test_c68_c69_c70_d47_d49_d55_any_wait_survives_any_loss(here: Hall, wait: Any, name: str) -> None:
    table = await here.playing(3)
    await wait(table)
    await table.passes(2000)
    before = {other: player.state for other, player in table.players.items()}
    told = await table.loses(name)
    for other in table.players:
        change = [("HOST_CHANGED", {"host": "bob"})] if name == "ann" else []
        assert told[other] == [lost(name), *change, paused(f"{name} lost connection", name)]
        assert table.players[other].state["paused"] is True
    assert not any((await table.passes(3_000_000 if len(before) > 3 else 300_000)).values())  # u61
    told_back = await table.first(name)
    assert events(told_back) == ["WELCOME", "GAME_STATE", "PLAYER_RECONNECT", "GAME_RESUMED"]
    told = await table.heard()
    for other in set(table.players) - {name}:
        assert told[other] == [("PLAYER_RECONNECT", {"playerName": name}), ("GAME_RESUMED", {})]
    host = "bob" if name == "ann" else "ann"  # c75, d52: the old host does not get it back
    assert told_back[0][1]["host"] == host
    for other, player in table.players.items():
        assert player.state == before[other] | {"host": host}  # hand, coins, duty, and the time that is left
    # What he is told on his return is what he is shown afterwards, but for the pause.
    assert told_back[1][1] == table.players[name].state | {"paused": True}
    # And the wait is still ended by time, when the rest of it has passed.
    rest = {turn: 118_000, window: 58_000, block_window: 58_000, losing: 58_000, exchanging: 58_000}[wait]
    assert not any((await table.passes(rest - 1)).values())
    assert events((await table.passes(1))["cy"])[-1] == "nextTurn"


@pytest.mark.parametrize("wait", WAITS)
@pytest.mark.parametrize("name", ["ann", "bob", "cy"])
async def test_c72_d50_d51_u63_any_wait_survives_any_kick(here: Hall, wait: Any, name: str) -> None:
    table = await here.playing(3)
    await wait(table)
    await table.loses(name)
    host, other = (n for n in ("ann", "bob", "cy") if n != name)
    told = await table.does(host, "KICK_PLAYER", playerName=name)
    assert told[host] == told[other]
    found = events(told[host])
    assert found[:5] == ["PLAYER_KICKED", "revealCards", "revealCards", "PLAYER_OUT", "COINS_CHANGED"]
    assert all(data["reason"] == "KICKED" for event, data in told[host] if event == "revealCards")
    assert found[5] == "GAME_RESUMED"
    state = table.players[host].state
    kicked = next(player for player in state["players"] if player["playerName"] == name)
    assert (kicked["isConnected"], kicked["isOut"], kicked["cardCount"], kicked["coins"]) == (True, True, 0, 0)
    assert not state["paused"]
    concerned = {turn: "ann", window: "ann bob", block_window: "ann bob", losing: "bob", exchanging: "ann"}[wait]
    settled = name in concerned.split()
    dropped = settled and wait in (window, block_window)
    assert found[6:] == (["passAction"] if dropped else []) + (["nextTurn"] if settled else [])
    if dropped:
        assert told[host][6][1] == {"reason": "KICKED", "playerName": name}
    # d50: back as an onlooker, whose departure pauses nothing (c74).
    assert events(await table.first(name)) == ["WELCOME", "GAME_STATE", "PLAYER_RECONNECT"]
    await table.heard()
    assert (await table.loses(name))[host] == [lost(name)]


async def test_several_are_missing(here: Hall) -> None:
    table = await here.playing(4)
    await table.loses("bob")
    told = await table.loses("cy")
    assert told["ann"] == [lost("cy"), paused("cy lost connection", "bob", "cy")]
    back = await table.first("bob")
    assert events(back) == ["WELCOME", "GAME_STATE", "PLAYER_RECONNECT", "GAME_PAUSED"]
    assert back[-1][1]["waitingFor"] == ["cy"]
    assert events((await table.heard())["ann"]) == ["PLAYER_RECONNECT"]
    told = await table.loses("dee")
    assert told["ann"][-1] == paused("dee lost connection", "cy", "dee")
    told = await table.does("ann", "KICK_PLAYER", playerName="cy")
    assert "GAME_RESUMED" not in events(told["ann"])
    assert table.players["ann"].state["paused"] is True
    told = await table.does("ann", "KICK_PLAYER", playerName="dee")
    assert events(told["bob"])[-1] == "GAME_RESUMED"
    await table.players["ann"].says("KICK_PLAYER", playerName="dee")
    await table.players["ann"].errs("NOT_PAUSED")


async def test_c71_the_kicked_are_not_missing(here: Hall) -> None:
    table = await here.playing(4)
    await table.loses("cy")
    await table.does("ann", "KICK_PLAYER", playerName="cy")
    await table.loses("bob")
    await table.players["ann"].says("KICK_PLAYER", playerName="cy")
    await table.players["ann"].errs("NOT_DISCONNECTED")


async def test_c73_a_kick_that_ends_the_game(here: Hall) -> None:
    table = await here.playing(2)
    await table.loses("bob")
    told = await table.does("ann", "KICK_PLAYER", playerName="bob")
    assert events(told["ann"]) == [
        "PLAYER_KICKED", "revealCards", "revealCards", "PLAYER_OUT", "COINS_CHANGED", "GAME_OVER",
    ]  # fmt: skip
    assert table.players["ann"].state["paused"] is False
    assert events(await table.first("bob")) == ["WELCOME", "GAME_STATE", "PLAYER_RECONNECT"]  # 6.5
    await table.heard()
    assert (await table.loses("ann"))["bob"] == [lost("ann"), ("HOST_CHANGED", {"host": "bob"})]


async def test_d52_nobody_is_there_and_then_somebody(here: Hall) -> None:
    table = await here.playing(3)
    await table.loses("bob")
    await table.loses("cy")
    await table.loses("ann")
    told = await table.first("cy")
    assert events(told) == ["WELCOME", "GAME_STATE", "PLAYER_RECONNECT", "HOST_CHANGED", "GAME_PAUSED"]
    assert told[3][1] == {"host": "cy"}
    assert told[4][1]["waitingFor"] == ["ann", "bob"]
    await table.does("cy", "KICK_PLAYER", playerName="ann")
    assert table.players["cy"].state["host"] == "cy"


async def test_6_3_8_who_is_there_can_not_be_replaced(here: Hall) -> None:
    table = await here.playing(2)
    again = await here.first("bob", table.code)
    await again.says("PLAYER_JOIN_GAME")
    await again.errs("ALREADY_CONNECTED")
    assert await table.players["bob"].heard() == []


async def test_c82_d54_a_table_that_takes_tokens(here: Hall) -> None:
    table = await here.table(requireToken=True)
    welcome = (await table.first("ann"))[0][1]
    token = (await table.first("bob"))[0][1]["token"]
    assert token != welcome["token"]
    await table.does("ann", "START_GAME")
    await table.loses("bob")
    thief = await here.first("bob", table.code)
    for data in ({}, {"token": "x"}, {"token": None}, {"token": 7}, {"token": welcome["token"]}):
        await thief.says("PLAYER_JOIN_GAME", **data)
        await thief.errs("BAD_TOKEN")
    assert await thief.heard() == []
    assert not any((await table.heard()).values())
    await thief.says("PLAYER_JOIN_GAME", token=token)
    told = await thief.heard()
    assert events(told) == ["WELCOME", "GAME_STATE", "PLAYER_RECONNECT", "GAME_RESUMED"]
    assert told[0][1]["token"] == token


async def test_a_native_players_name_is_not_enough(here: Hall) -> None:
    async with client(here.live.ws("/ws")) as native:
        await native.ask("open", game="coup", player="Hanna")
        table = Table(here, (await native.ask("list"))["tables"][0]["code"])
        await table.first("ann")
        await native.ask("start")
        token = native.token
    told = await table.heard()
    while "GAME_PAUSED" not in events(told["ann"]):
        told = await table.heard()
    thief = await here.first("Hanna", table.code)
    await thief.says("PLAYER_JOIN_GAME")
    await thief.errs("BAD_TOKEN")
    await thief.says("PLAYER_JOIN_GAME", token=token)
    assert events(await thief.heard())[-1] == "GAME_RESUMED"


async def test_auto_kick(here: Hall) -> None:
    table = await here.playing(3, autoKickMs=10_000)
    await table.loses("bob")
    assert not any((await table.passes(9_999)).values())
    told = await table.passes(1)
    assert events(told["ann"])[0] == "PLAYER_KICKED"
    assert events(told["ann"])[-1] == "GAME_RESUMED"


async def test_by_default_nobody_is_kicked_by_time(here: Hall) -> None:
    table = await here.playing(3)
    await table.loses("bob")
    assert not any((await table.passes(80_000_000)).values())


async def test_an_abandoned_game_is_gone_after_ten_minutes(here: Hall) -> None:
    table = await here.playing(2)
    await table.loses("bob")
    await table.loses("ann")
    await here.time.to_pass(599.9)
    assert len(here.house.rooms) == 1
    await here.time.to_pass(0.2)
    assert not here.house.rooms


async def test_a_table_that_is_closed(here: Hall) -> None:
    table = await here.lobby(2)
    await here.time.to_pass(86_400)  # nothing has happened for a day
    for player in table.players.values():
        assert (await player.closed())[0] == 4010


async def test_6_6_the_server_goes_down_and_comes_back(tmp_path: Path) -> None:
    async with hall(tmp_path) as here:
        table = await here.playing(2)
        await table.propose("ann", "TAX")
        player = table.players["ann"]
        code = table.code
        here.stay()
    assert (await player.closed())[0] == 1001
    async with hall(tmp_path) as here:
        table = Table(here, code)
        here.time._now += 1_000
        assert events(await table.first("bob"))[-2:] == ["HOST_CHANGED", "GAME_PAUSED"]
        assert table.players["bob"].state["current"]["action"] == "TAX"
        assert events(await table.first("ann"))[-1] == "GAME_RESUMED"


async def test_a_native_host_throws_somebody_out_before_the_game(here: Hall) -> None:
    async with client(here.live.ws("/ws")) as host:
        await host.ask("open", game="coup", player="Hanna")
        summary = (await host.ask("list"))["tables"][0]
        table = Table(here, summary["code"])
        assert (await table.first("ann"))[0][1]["playerNames"] == ["Hanna", "ann"]
        await table.first("bob")
        await host.ask("kick", seat=1)
        told = await table.heard()
        assert told["ann"][-1] == ("PLAYER_KICKED", {"playerName": "ann"})
        assert told["bob"] == [("PLAYER_DISCONNECT", {"playerName": "ann", "removed": True})]
        assert (await table.players["ann"].joins())[0][1]["playerNames"] == ["Hanna", "bob", "ann"]
        # A native player's seat outlives the connection for a while, also before the game.
        await host.socket.close()
        told = await table.heard()
        while len(told["bob"]) < 2:
            told = {name: told[name] + more for name, more in (await table.heard()).items()}
        assert told["bob"][-2:] == [lost("Hanna"), ("HOST_CHANGED", {"host": "bob"})]


async def test_d50_who_is_thrown_out_of_the_game_while_they_are_there_looks_on(here: Hall) -> None:
    """A native host can do that. In both versions they stay, without a pause and without a card."""
    async with client(here.live.ws("/ws")) as host:
        await host.ask("open", game="coup", player="Hanna", options={"turn_timeout_ms": 0})
        table = Table(here, (await host.ask("list"))["tables"][0]["code"])
        await table.first("ann")
        await table.second("bob")
        await table.first("cy")
        await host.ask("start")
        await table.heard()
        await host.ask("kick", seat=1)
        told = await table.heard()
        assert told["ann"] == told["cy"]
        assert events(told["ann"]) == ["PLAYER_KICKED", "revealCards", "revealCards", "PLAYER_OUT", "COINS_CHANGED"]
        assert table.players["ann"].state["you"]["cards"] == []
        await host.ask("kick", seat=2)
        told = await table.heard()
        assert events(told["bob"]) == ["Player Reveal Card", "Player Reveal Card", "Player Out", "Current State"]
        assert table.players["bob"].state["isPaused"] is False
        await host.ask("play", move={"move": "propose", "action": "income"})
        told = await table.heard()
        assert events(told["ann"]) == ["CONFIRM_ACTION", "COINS_CHANGED", "nextTurn"]
        assert events(told["bob"]) == ["Choose Action", "Next Turn", "Current State"]
        await table.players["ann"].says("PROPOSE_ACTION", action="INCOME")
        await table.players["ann"].errs("YOU_ARE_OUT")
        assert (await table.loses("ann"))["cy"] == [lost("ann")]  # and nobody waits
