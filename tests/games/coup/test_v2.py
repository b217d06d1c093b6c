"""The second version of Coup's own protocol, over real sockets; and both versions at one table.

The names c83, c84, … are the lines of the checklist in docs/protocols/coup-v1.md, b1, b2, … the faults that are not
repeated in docs/protocols/coup-v2.md.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from croupier.games.coup.rules import Coup
from tests.client import client
from tests.games.coup.wire import NAMES, Hall, Said, Table, events, hall

STATE = "Current State"


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Hall]:
    async with hall(tmp_path) as found:
        yield found


async def lobby(here: Hall, people: int = 3, **options: Any) -> Table:
    table = await here.table(2, **options)
    for name in NAMES[:people]:
        await table.second(name)
    await table.heard()
    return table


async def playing(here: Hall, people: int = 3, **options: Any) -> Table:
    table = await lobby(here, people, **options)
    await table.does("ann", "Start Game")
    return table


def frame(event: str, user: str = "__server", **data: Any) -> Said:
    return event, {"event": event, "user": user, "data": data}


async def everybody(table: Table, who: str, event: str, **data: Any) -> list[Said]:
    """What all are told when somebody does this, the same; a state comes last."""
    told = await table.does(who, event, **data)
    first = next(iter(told.values()))
    assert all(one == first for one in told.values())
    assert events(first).count(STATE) == 1
    assert first[-1] == (STATE, None)
    return first[:-1]


async def refused(table: Table, who: str, event: str, code: str, **data: Any) -> None:
    told = await table.does(who, event, **data)
    assert told.pop(who) == [("error", code)]
    assert not any(told.values())


# Connecting


async def test_c84_joining(here: Hall) -> None:
    table = await here.table(2)
    for name in ("ann", "bob"):
        joined = {"event": "Player Join Game", "user": name}
        assert await table.second(name) == [("Player Join Game", joined), (STATE, None)]
    assert events((await table.heard())["ann"]) == ["Player Join Game", STATE]
    for name, own in (("ann", ["Duke", "Captain"]), ("bob", ["Assassin", "Contessa"])):  # c85
        state = table.players[name].state
        assert state["status"] == "Pre-Game"
        assert state["currentPlayerName"] == "ann"
        assert state["deckCount"] == 11
        assert [player["isHost"] for player in state["players"]] == [True, False]
        for player in state["players"]:
            shown = own if player["name"] == name else ["HIDDEN_CARD", "HIDDEN_CARD"]
            assert player["cards"] == [{"card": card, "isRevealed": False} for card in shown]


async def test_names_with_spaces_and_the_root_alias(here: Hall) -> None:
    table = await here.table(2)
    peer = await here.peer(f"/ws?username=Ann%20Lee&gameCode={table.code}")
    assert (await peer.next())["user"] == "Ann Lee"


TURNED_AWAY = [
    ("", 4002, "missing username"),
    ("?gameCode=CODE", 4002, "missing username"),
    ("?username=&gameCode=CODE", 4002, "missing username"),
    ("?username=eve", 4002, "missing gameCode"),
    ("?username=eve&gameCode=", 4002, "missing gameCode"),
    ("?username=eve&gameCode=zzzzz", 4004, "game code 'zzzzz' not found"),
    ("?username=eve&gameCode=main", 4004, "game code 'main' not found"),
    ("?username=ann&gameCode=CODE", 4004, "username 'ann' is taken, choose another one"),
    ("?username=ANN&gameCode=CODE", 4004, "username 'ANN' is taken, choose another one"),
    ("?username=%3Cb%3E&gameCode=CODE", 4004, "invalid username"),
    ("?username=__server&gameCode=CODE", 4004, "invalid username"),
    ("?username=BOT%20Ada&gameCode=CODE", 4004, "invalid username"),
    (f"?username={'x' * 21}&gameCode=CODE", 4004, "invalid username"),
    ("?username=undefined%00&gameCode=CODE", 4004, "invalid username"),
]


async def test_b10_d43_refused_connections(here: Hall) -> None:
    table = await lobby(here, 1)
    for query, code, reason in TURNED_AWAY:
        peer = await here.peer("/v2/ws" + query.replace("CODE", table.code))
        assert await peer.closed() == (code, reason)
        assert await table.players["ann"].heard() == []


async def test_b11_full_and_started(here: Hall) -> None:
    full = await lobby(here, 6)
    assert await (await here.second("gus", full.code)).closed() == (4004, "game is full")
    table = await playing(here, 2)
    assert await (await here.second("eve", table.code)).closed() == (4004, "game has already started")
    taken = (4004, "username 'bob' is taken, choose another one")
    assert await (await here.second("bob", table.code)).closed() == taken


async def test_a_wrong_path(here: Hall) -> None:
    for path in ("/v2", "/game", "/games", "/v2/wss", "/v2/ws/x", "/v3/ws", "/v1/a/b"):
        with pytest.raises(InvalidStatus) as refusal:
            await here.connect(path)
        assert refusal.value.response.status_code == 400


async def test_on_the_shared_port(here: Hall) -> None:
    table = await lobby(here, 1)
    async with connect(here.live.ws(f"/coup/v2/ws?username=bob&gameCode={table.code}")) as socket:
        assert json.loads(await socket.recv()) == {"event": "Player Join Game", "user": "bob"}
    async with connect(here.live.ws(f"/coup/v1/bob?table={table.code}")) as socket:
        assert json.loads(await socket.recv())["event"] == "WELCOME"


# The game


async def test_b8_b9_d5_the_frames_of_a_game(here: Hall) -> None:
    table = await lobby(here)
    assert await everybody(table, "ann", "Start Game") == [frame("Start Game")]
    assert await everybody(table, "ann", "Choose Action", action="Income", junk="xyzzy") == [
        frame("Choose Action", "ann", action="Income"),
        frame("Next Turn", name="bob"),
    ]
    assert await everybody(table, "bob", "Choose Action", action="Foreign Aid") == [
        frame("Choose Action", "bob", action="Foreign Aid")
    ]
    assert table.players["cy"].state["currentAction"] == {"action": "Foreign Aid"}
    assert await everybody(table, "cy", "Block Action", card="Duke") == [frame("Block Action", "cy", card="Duke")]
    state = table.players["ann"].state
    assert state["status"] == "Action Blocked"
    assert state["blockAction"] == {"event": "Block Action", "user": "cy", "data": {"card": "Duke"}}
    await here.time.to_pass(5)
    assert await everybody(table, "bob", "Accept Block") == [
        frame("Accept Block", "bob"),
        frame("Next Turn", name="cy"),
    ]
    table.game.coins[2] = 7
    assert await everybody(table, "cy", "Choose Action", action="Coup", targetPlayer="ann") == [
        frame("Choose Action", "cy", action="Coup", targetPlayer="ann"),
        frame("Player Lose Card", targetPlayer="ann", reason="of a coup"),
    ]
    state = table.players["bob"].state
    assert (state["status"], state["playerLosingCard"]["player"]) == ("Player Losing Card", "ann")
    assert "currentAction" not in state
    assert await everybody(table, "ann", "Player Reveal Card", card="Captain") == [
        frame("Player Reveal Card", "ann", card="Captain"),
        frame("Next Turn", name="ann"),
    ]
    assert table.players["bob"].state["players"][0]["cards"] == [
        {"card": "HIDDEN_CARD", "isRevealed": False},
        {"card": "Captain", "isRevealed": True},
    ]


async def test_c86_c79_exchanging(here: Hall) -> None:
    table = await playing(here)
    await table.does("ann", "Choose Action", action="Exchange")
    await here.time.to_pass(5)
    assert await everybody(table, "ann", "Confirm Action") == [frame("Confirm Action", "ann")]
    assert table.players["ann"].state["exchangeCards"] == ["Contessa", "Captain"]
    for name in ("ann", "bob"):
        state = table.players[name].state
        assert (state["status"], state["currentAction"], state["deckCount"]) == (
            "Awaiting Exchange",
            {"action": "Exchange"},
            7,
        )
    assert "exchangeCards" not in table.players["bob"].state
    for keeping in (None, [], ["Duke"], ["Duke", "Duke"], ["HIDDEN_CARD", "Duke"], "Duke", [1, 2]):  # b3
        await refused(table, "ann", "Exchange Cards", "BAD_KEEP", exchangeKeeping=keeping)
    assert await everybody(table, "ann", "Exchange Cards", exchangeKeeping=["Captain", "Contessa"]) == [
        ("Exchange Cards", {"event": "Exchange Cards", "user": "ann"}),
        frame("Next Turn", name="bob"),
    ]
    assert "exchangeCards" not in table.players["ann"].state


async def test_official_a_wrong_challenge_and_a_caught_block(here: Hall) -> None:
    table = await playing(here)
    table.game.coins[0] = 3
    table.game.faces[0] = "assassin"  # ann has one, for once
    table.game.faces[2] = "duke"
    await table.does("ann", "Choose Action", action="Assassinate", targetPlayer="bob")
    assert await everybody(table, "cy", "Challenge Action") == [
        frame("Challenge Action", "cy"),
        frame("Player Lose Card", targetPlayer="cy", reason="the challenge was wrong"),
    ]
    assert table.players["bob"].state["currentAction"] == {"action": "Assassinate", "targetPlayer": "bob"}
    # b12: the target may still block; the window is seen in the state alone.
    assert await everybody(table, "cy", "Player Reveal Card", card="Duke") == [
        frame("Player Reveal Card", "cy", card="Duke")
    ]
    assert table.players["bob"].state["status"] == "Action Selected"
    await table.does("bob", "Block Action", card="Contessa")
    table.game.faces[3] = "captain"
    assert await everybody(table, "ann", "Challenge Block") == [
        frame("Challenge Block", "ann"),
        frame("Player Lose Card", targetPlayer="bob", reason="the bluff was called"),
    ]
    assert table.players["bob"].state["currentAction"]["action"] == "Assassinate"
    # The action goes on, with no frame of its own, and takes the last card.
    assert await everybody(table, "bob", "Player Reveal Card", card="Duke") == [
        frame("Player Reveal Card", "bob", card="Duke"),
        frame("Player Lose Card", targetPlayer="bob", reason="of an assassination"),
        frame("Player Reveal Card", "bob", card="Captain"),
        frame("Player Out", name="bob"),
        frame("Next Turn", name="cy"),
    ]
    assert table.players["cy"].state["players"][1]["isOut"] is True


async def test_c85_c89_b1_b2_the_end_and_a_new_game(here: Hall) -> None:
    table = await playing(here, 2)
    await refused(table, "ann", "New Game", "WRONG_PHASE")
    table.game.lost[1].append(0)
    table.game.coins[0] = 7
    assert await everybody(table, "ann", "Choose Action", action="Coup", targetPlayer="bob") == [
        frame("Choose Action", "ann", action="Coup", targetPlayer="bob"),
        frame("Player Lose Card", targetPlayer="bob", reason="of a coup"),
        frame("Player Reveal Card", "bob", card="Contessa"),
        frame("Player Out", name="bob"),
        frame("Game Over", name="ann"),
    ]
    state = table.players["bob"].state
    assert state["status"] == "Game Over"
    assert [card["card"] for card in state["players"][0]["cards"]] == ["Duke", "Captain"]
    await refused(table, "bob", "New Game", "NOT_HOST")
    assert await everybody(table, "ann", "New Game") == [frame("New Game")]
    state = table.players["bob"].state
    assert (state["status"], state["deckCount"]) == ("Pre-Game", 11)
    assert [(player["coins"], player["isHost"]) for player in state["players"]] == [(2, True), (2, False)]


# Confirming


async def test_c88_an_early_word_is_remembered(here: Hall) -> None:
    table = await playing(here)
    await table.does("ann", "Choose Action", action="Tax")
    for _ in range(2):  # a second one is ignored
        assert not any((await table.does("ann", "Confirm Action")).values())
    assert not any((await table.passes(4_999)).values())
    told = await table.passes(1)
    for name in NAMES[:3]:
        assert told[name] == [frame("Confirm Action", "ann"), frame("Next Turn", name="bob"), (STATE, None)]
    # A challenge in between wins.
    await table.does("bob", "Choose Action", action="Tax")
    await table.does("bob", "Confirm Action")
    await table.does("ann", "Challenge Action")
    assert table.players["ann"].state["status"] == "Player Losing Card"


async def test_d25_d26_b17_who_confirms(here: Hall) -> None:
    table = await playing(here)
    await table.does("ann", "Choose Action", action="Steal", targetPlayer="bob")
    await refused(table, "ann", "Confirm Action", "NOT_YOUR_ACTION")
    await refused(table, "cy", "Confirm Action", "NOT_YOUR_ACTION")  # b4
    await refused(table, "ann", "Accept Block", "WRONG_PHASE")
    await refused(table, "cy", "Challenge Block", "WRONG_PHASE")
    assert not any((await table.does("bob", "Confirm Action")).values())
    told = await table.passes(5_000)
    assert told["cy"][0] == frame("Confirm Action", "bob")
    assert table.players["cy"].state["players"][0]["coins"] == 4
    await table.does("bob", "Choose Action", action="Foreign Aid")
    await refused(table, "cy", "Confirm Action", "NOT_YOUR_ACTION")
    await table.does("ann", "Block Action", card="Duke")
    await refused(table, "ann", "Accept Block", "NOT_YOUR_ACTION")
    await refused(table, "bob", "Confirm Action", "WRONG_PHASE")
    await refused(table, "cy", "Challenge Action", "WRONG_PHASE")
    await refused(table, "cy", "Block Action", "WRONG_PHASE", card="Duke")
    assert not any((await table.does("bob", "Accept Block")).values())
    told = await table.passes(5_000)
    assert told["cy"] == [frame("Accept Block", "bob"), frame("Next Turn", name="cy"), (STATE, None)]


async def test_without_a_least_wait_it_is_as_it_was(here: Hall) -> None:
    table = await playing(here, minWaitMs=0)
    await table.does("ann", "Choose Action", action="Steal", targetPlayer="bob")
    assert await everybody(table, "bob", "Confirm Action") == [
        frame("Confirm Action", "bob"),
        frame("Next Turn", name="bob"),
    ]


# Refusals


FRAMES: list[tuple[Any, str]] = [
        (b"{}", "BAD_FRAME"),
        ("x" * 4097, "TOO_BIG"),
        ("{", "BAD_JSON"),
        ("", "BAD_JSON"),
        ("[]", "BAD_ENVELOPE"),
        ('{"event":7}', "BAD_ENVELOPE"),
        ('{"user":"ann"}', "BAD_ENVELOPE"),
        ('{"event":"Choose Action","data":[]}', "BAD_ENVELOPE"),
        *(
            (json.dumps({"event": event}), "UNKNOWN_EVENT")
            for event in (
                "Player Join Game", "Player Disconnected", "Current State", "Pause Game", "Resume Game", "Next Turn",
                "Player Out", "Game Over", "Player Lose Card", "START_GAME", "start game", "Play Sound", "",
            )
        ),
        ('{"event":"Start Game","user":7}', "WRONG_PHASE"),  # what it says of itself does not matter
    ]  # fmt: skip


async def test_b8_frames(here: Hall) -> None:
    table = await playing(here, 2)
    for message, code in FRAMES:
        await table.players["ann"].send(message)
        error = await table.players["ann"].next()
        assert error["error"].startswith(f"{code}: ")
        assert error["receivedData"] == ("" if isinstance(message, bytes) else message[:500])
        assert not any((await table.heard()).values())


async def test_what_is_refused(here: Hall) -> None:
    table = await playing(here)
    await refused(table, "bob", "Choose Action", "NOT_YOUR_TURN", action="Tax")
    await refused(table, "ann", "Choose Action", "BAD_ACTION", action="TAX")
    await refused(table, "ann", "Choose Action", "BAD_ACTION", action="NONE")
    await refused(table, "ann", "Choose Action", "BAD_ACTION", action="Lose Card")
    await refused(table, "ann", "Choose Action", "BAD_TARGET", action="Tax", targetPlayer="bob")  # b9
    await refused(table, "ann", "Choose Action", "BAD_TARGET", action="Steal")
    await refused(table, "ann", "Choose Action", "NOT_ENOUGH_COINS", action="Coup", targetPlayer="bob")
    await refused(table, "ann", "Confirm Action", "WRONG_PHASE")
    await refused(table, "ann", "Start Game", "WRONG_PHASE")
    await refused(table, "bob", "Kick Player", "NOT_HOST", targetPlayer="cy")
    await refused(table, "ann", "Kick Player", "NOT_PAUSED", targetPlayer="cy")
    table.game.coins[0] = 11
    await refused(table, "ann", "Choose Action", "MUST_COUP", action="Tax")  # b7
    table.game.coins[0] = 2
    await table.does("ann", "Choose Action", action="Steal", targetPlayer="bob")
    await refused(table, "cy", "Block Action", "NOT_TARGET", card="Captain")  # b6
    await refused(table, "bob", "Block Action", "BAD_CARD", card="HIDDEN_CARD")
    await refused(table, "bob", "Block Action", "BAD_CARD", card="CAPTAIN")
    await refused(table, "bob", "Block Action", "BAD_BLOCK_CARD", card="Duke")
    await refused(table, "ann", "Challenge Action", "OWN_ACTION")
    await table.passes(60_000)
    await table.does("bob", "Choose Action", action="Foreign Aid")
    await refused(table, "ann", "Challenge Action", "NOT_CHALLENGEABLE")  # b4


async def test_b5_who_is_out_may_look_but_not_act(here: Hall) -> None:
    table = await playing(here)
    await table.loses("bob")
    await table.does("ann", "Kick Player", targetPlayer="bob")
    assert await table.second("bob") == [(STATE, None)]
    await table.does("ann", "Choose Action", action="Tax")
    for event in ("Challenge Action", "Block Action", "Confirm Action"):
        told = await table.does("bob", event, card="Duke")
        assert told["bob"][-1] == ("error", "YOU_ARE_OUT")


async def test_flooding(tmp_path: Path) -> None:
    async with hall(tmp_path, paced=True) as here:
        table = await here.table(2)
        ann = await here.second("ann", table.code)
        await ann.next()
        await ann.next()
        for _ in range(20):
            await ann.says("nonsense")
            assert (await ann.next())["error"].startswith("UNKNOWN_EVENT")
        for _ in range(100):
            await ann.says("nonsense")
            assert (await ann.next())["error"].startswith("RATE_LIMITED")
        assert await ann.closed() == (4008, "too many messages")


async def test_a_failure_of_the_server(here: Hall) -> None:
    table = await playing(here, 2)

    def fails(*_: Any) -> None:
        raise RuntimeError("on purpose")

    with patch.object(Coup, "play", fails):
        await table.players["ann"].says("Choose Action", action="Tax")
        assert (await table.players["ann"].next())["error"].startswith("INTERNAL")
    for player in table.players.values():
        assert (await player.next())["event"] == STATE
    assert events(await everybody(table, "ann", "Choose Action", action="Income")) == ["Choose Action", "Next Turn"]


# Absence


async def test_leaving_before_the_start(here: Hall) -> None:
    table = await lobby(here)
    told = await table.loses("ann")
    assert told["bob"] == [("Player Disconnected", {"event": "Player Disconnected", "user": "ann"}), (STATE, None)]
    state = table.players["bob"].state
    assert [(player["name"], player["isHost"]) for player in state["players"]] == [("bob", True), ("cy", False)]


async def test_b15_b16_d48_d53_pausing_returning_kicking(here: Hall) -> None:
    table = await playing(here, 4)
    told = await table.loses("ann")
    assert told["bob"] == [frame("Pause Game", reason="ann lost connection"), (STATE, None)]
    state = table.players["bob"].state
    assert state["isPaused"] is True
    assert [player["isHost"] for player in state["players"]] == [False, True, False, False]
    await refused(table, "bob", "Choose Action", "PAUSED", action="Tax")
    await refused(table, "bob", "nonsense", "UNKNOWN_EVENT")
    await table.loses("cy")
    assert await table.second("ann") == [frame("Pause Game", reason="cy lost connection"), (STATE, None)]
    assert events((await table.heard())["bob"]) == [STATE]
    told_back = await table.second("cy")
    assert told_back == [frame("Resume Game", reason="everyone is here"), (STATE, None)]
    assert events((await table.heard())["bob"]) == ["Resume Game", STATE]
    await table.loses("ann")
    assert await everybody(table, "bob", "Kick Player", targetPlayer="ann") == [
        frame("Player Reveal Card", "ann", card="Duke"),
        frame("Player Reveal Card", "ann", card="Captain"),
        frame("Player Out", name="ann"),
        frame("Resume Game", reason="everyone is here"),
        frame("Next Turn", name="bob"),
    ]
    # Nobody has to be the host for ever: five minutes, and who is missing is out.
    await table.loses("cy")
    assert not any((await table.passes(299_999)).values())
    assert events((await table.passes(1))["bob"])[-3:] == ["Player Out", "Resume Game", STATE]
    told = await table.loses("dee")
    assert events((await table.passes(300_000))["bob"])[-2:] == ["Game Over", STATE]


async def test_the_host_is_gone_between_two_games(here: Hall) -> None:
    """On the result, before the game and in it: who is there can always go on."""
    table = await playing(here)
    await table.loses("ann")
    await table.does("bob", "Kick Player", targetPlayer="ann")
    await table.loses("cy")
    assert events((await table.does("bob", "Kick Player", targetPlayer="cy"))["bob"])[-2:] == ["Game Over", STATE]
    assert await table.second("cy") == [(STATE, None)]
    await table.loses("bob")
    assert [player["name"] for player in table.players["cy"].state["players"] if player["isHost"]] == ["cy"]
    assert events((await table.does("cy", "New Game"))["cy"]) == ["New Game", STATE]
    assert [player["name"] for player in table.players["cy"].state["players"]] == ["cy"]
    await table.second("ann")
    await table.second("bob")
    await table.loses("cy")
    assert events((await table.does("ann", "Start Game"))["bob"])[-2:] == ["Start Game", STATE]
    assert events((await table.does("ann", "Choose Action", action="Income"))["bob"])[-2:] == ["Next Turn", STATE]


async def test_a_return_takes_more_than_a_name_where_tokens_are_asked_for(here: Hall) -> None:
    table = await playing(here, 2, requireToken=True)
    await table.loses("bob")
    thief = await here.second("bob", table.code)
    assert await thief.closed() == (4004, "coming back takes a token")


async def test_sounds_are_for_those_who_ask_for_them(here: Hall) -> None:
    table = await here.table(2)
    await table.second("ann", "&sounds=1")
    await table.second("bob")
    await table.first("cy")
    await table.heard()
    told = await table.does("ann", "Play Sound", sound="gasp")
    assert told == {
        "ann": [frame("Sound", "ann", sound="gasp")],
        "bob": [],
        "cy": [("SOUND", {"playerName": "ann", "sound": "gasp"})],
    }
    await refused(table, "ann", "Play Sound", "RATE_LIMITED", sound="gasp")
    await refused(table, "ann", "Play Sound", "UNKNOWN_SOUND", sound="moo")
    await refused(table, "bob", "Play Sound", "UNKNOWN_EVENT", sound="gasp")


async def test_a_seat_that_is_taken_away(here: Hall) -> None:
    async with client(here.live.ws("/ws")) as host:
        await host.ask("open", game="coup", player="Hanna")
        table = Table(here, (await host.ask("list"))["tables"][0]["code"])
        await table.second("ann")
        await table.second("bob")
        await host.ask("kick", seat=1)
        told = await table.players["bob"].heard()
        assert events(told) == ["Player Disconnected", STATE]
        assert await table.players["ann"].next()
        assert await table.players["ann"].next()  # bob's arrival, and the state
        assert await table.players["ann"].closed() == (4004, "the host has taken your seat")


# Both versions at one table


async def mixed(here: Hall, **options: Any) -> Table:
    """ann and cy speak the first version, bob and dee the second; it is ann's turn."""
    table = await here.table(2, **options)
    await table.first("ann")
    await table.second("bob")
    await table.first("cy")
    await table.second("dee")
    await table.heard()
    told = await table.does("ann", "START_GAME")
    assert told["cy"] == [("START_GAME", {}), ("nextTurn", {"currentPlayerName": "ann"})]
    assert told["dee"] == [frame("Start Game"), (STATE, None)]
    return table


async def test_d25_mixed_a_target_of_the_second_version_confirms(here: Hall) -> None:
    table = await mixed(here)
    await table.propose("ann", "STEAL", "bob")
    told = await table.does("bob", "Confirm Action")
    assert told["cy"] == [("ACTION_ALLOWED", {"playerName": "bob"})]  # allow, and confirm
    assert told["dee"] == [(STATE, None)]
    told = await table.passes(5_000)
    assert events(told["cy"]) == ["CONFIRM_ACTION", "COINS_CHANGED", "nextTurn"]
    assert told["dee"][0] == frame("Confirm Action", "bob")


async def test_d25_mixed_the_owner_of_the_first_version_confirms_too(here: Hall) -> None:
    table = await mixed(here)
    await table.propose("ann", "STEAL", "bob")
    await table.passes(5_000)
    told = await table.does("ann", "CONFIRM_ACTION", action="STEAL")
    assert told["dee"][0] == frame("Confirm Action", "bob")


async def test_d25_mixed_allowing_an_action_of_the_second_version(here: Hall) -> None:
    table = await mixed(here)
    await table.propose("ann", "INCOME")
    await table.does("bob", "Choose Action", action="Steal", targetPlayer="cy")
    told = await table.does("cy", "ALLOW_ACTION", to="ACTION")
    assert told["ann"] == told["cy"] == [("ACTION_ALLOWED", {"playerName": "cy"})]
    await table.players["cy"].says("ALLOW_ACTION")
    await table.players["cy"].errs("ALREADY_RESPONDED")
    assert events((await table.passes(5_000))["ann"]) == ["CONFIRM_ACTION", "COINS_CHANGED", "nextTurn"]


async def test_d26_mixed_blocks(here: Hall) -> None:
    table = await mixed(here)
    # A block by the second version: the proposer, of the first, settles it by allowing it.
    await table.propose("ann", "STEAL", "bob")
    await table.does("bob", "Block Action", card="Captain")
    await table.does("cy", "ALLOW_ACTION")
    await table.does("ann", "ALLOW_ACTION")
    told = await table.passes(5_000)
    assert told["cy"] == [
        ("passAction", {"reason": "BLOCKED", "playerName": "bob"}),
        ("nextTurn", {"currentPlayerName": "bob"}),
    ]
    assert told["dee"][0] == frame("Accept Block", "ann")
    # A block by the first version of an action of the second: either can settle it.
    await table.does("bob", "Choose Action", action="Steal", targetPlayer="cy")
    await table.does("cy", "BLOCK_ACTION", blockAs="CAPTAIN")
    assert (await table.does("bob", "Accept Block"))["ann"] == [("ACTION_ALLOWED", {"playerName": "bob"})]
    assert events((await table.passes(5_000))["ann"]) == ["passAction", "nextTurn"]


async def test_mixed_an_owner_of_the_first_version_is_not_hurried(here: Hall) -> None:
    table = await mixed(here)
    await table.propose("ann", "STEAL", "cy")
    await table.does("cy", "ALLOW_ACTION")
    assert not any((await table.passes(30_000)).values())


async def test_c87_nothing_of_the_first_version_is_said_in_the_second(here: Hall) -> None:
    table = await mixed(here)
    told = await table.propose("ann", "TAX")
    assert told["dee"] == [frame("Choose Action", "ann", action="Tax"), (STATE, None)]
    told = await table.does("cy", "ALLOW_ACTION")
    assert told["dee"] == [(STATE, None)]
    told = await table.does("cy", "PLAY_SOUND", sound="gasp")
    assert told["dee"] == []
    told = await table.does("ann", "NEVERMIND_ACTION")
    assert told["dee"] == []  # refused in the ruleset official
    assert table.players["cy"].state["ruleset"] == "official"
    told = await table.loses("cy")
    assert told["dee"] == [frame("Pause Game", reason="cy lost connection"), (STATE, None)]
