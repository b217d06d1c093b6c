"""Cambia's own protocol before a game: HTTP requests, the lobby socket, and bad input on any socket."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from croupier.games.cambia.dialect import ids
from tests.client import client
from tests.games.cambia.wire import Hall, Person, hall
from tests.live import server

UNKNOWN = "12345678-1234-4234-9234-123456789abc"
WORDS = ("ready", "unready", "chat", "update_rules", "start_game", "invite", "leave_lobby")
ACTIONS = (
    "action_draw_stockpile", "action_draw_discardpile", "action_discard", "action_replace", "action_special",
    "action_cambia", "action_snap", "action_snap_give", "request_sync",
)  # fmt: skip


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Hall]:
    async with hall(tmp_path) as found:
        yield found


# HTTP (3.2)


async def test_a_guest_is_known_again(here: Hall) -> None:
    made = await here.ask("POST", "/user/guest", body={"username": "Ann"})
    assert made.status == 200 and made.json["username"] == "Ann"
    assert f"auth_token={made.json['token']}" in made.headers["Set-Cookie"]
    ann = Person(here, made.json)
    assert (await here.ask("GET", "/user/guest", ann)).json == made.json
    me = {"id": ann.id, "username": "Ann", "is_ephemeral": True, "is_admin": False}
    assert (await here.ask("GET", "/user/me", ann)).json == me
    assert (await here.ask("GET", f"/user/me?token={ann.token}")).json == me
    assert (await here.ask("GET", "/user/me", Cookie=f"x=y; auth_token={ann.token}")).json == me
    assert (await here.ask("GET", "/user/guest")).json["username"].startswith("Guest")


@pytest.mark.parametrize("name", ["", "  ", 7, "x" * 41, "Ann\x1b[2J", "a\nb", "a\u202eb", "BOT Ada", "__server"])
async def test_a_guest_has_a_name_that_can_be_seen_and_is_no_bots(here: Hall, name: object) -> None:
    made = await here.ask("POST", "/user/guest", body={"username": name})
    assert made.status == 400
    assert "Set-Cookie" not in made.headers


async def test_d75_no_token_and_bad_tokens_over_http(here: Hall) -> None:
    assert (await here.ask("GET", "/user/me")).status == 403
    assert (await here.ask("GET", "/user/me?token=x.y")).status == 403
    assert (await here.ask("POST", "/lobby/create")).status == 401
    assert (await here.ask("POST", "/lobby/create?token=nonsense")).status == 403


async def test_a_token_outlives_the_server(tmp_path: Path) -> None:
    async with hall(tmp_path) as before:
        ann = await before.guest("Ann")
    async with hall(tmp_path) as after:
        assert (await after.ask("GET", "/user/me", ann)).json["id"] == ann.id


async def test_c1_d77_d97_create_answers_with_the_lobby(here: Hall) -> None:
    ann = await here.guest("Ann")
    asked = {
        "type": "public",
        "gameMode": "group_of_4",
        "houseRules": {"snapRace": True},
        "lobbySettings": {"countdownSec": 3},
    }
    lobby = (await here.ask("POST", "/lobby/create", ann, asked)).json
    assert lobby["hostUserID"] == ann.id
    assert (lobby["type"], lobby["gameMode"], lobby["maxPlayers"]) == ("public", "group_of_4", 4)
    assert (lobby["inGame"], lobby["gameId"]) == (False, None)
    assert len(lobby["houseRules"]) == 19 and lobby["houseRules"]["snapRace"]
    assert lobby["lobbySettings"] == {"autoStart": True, "countdownSec": 3}
    match = {"rounds": 8, "targetScore": 100, "winBonus": -1, "falseCambiaPenalty": 1}
    match |= {"freezeUserOnDisconnect": True, "roundPauseSec": 10}
    assert lobby["circuit"] == {"enabled": False, "mode": "rounds", "rules": match}
    plain = (await here.ask("POST", "/lobby/create", ann)).json
    assert (plain["type"], plain["gameMode"], plain["maxPlayers"]) == ("private", "head_to_head", 8)  # C1, D97
    assert plain["lobbySettings"] == {"autoStart": True, "countdownSec": 10}  # D77


@pytest.mark.parametrize(
    "body",
    [
        b"{", b"[]", b'"x"', {"type": "secret"}, {"gameMode": "poker"}, {"houseRules": {"turnTimerSec": 601}},
        {"houseRules": {"turnTimerSec": True}}, {"houseRules": {"snapRace": 1}}, {"houseRules": []},
        {"houseRules": {"turnTimerSec": 1.5}}, {"circuit": {"mode": "x"}}, {"circuit": {"rules": {"rounds": 0}}},
        {"settings": {"countdownSec": 61}}, {"houseRules": {"initialViewCount": 5}},
    ],
)  # fmt: skip
async def test_create_refuses_bad_bodies(here: Hall, body: Any) -> None:
    ann = await here.guest("Ann")
    assert (await here.ask("POST", "/lobby/create", ann, body)).status == 400
    assert not here.house.rooms


async def test_d76_join_by_http(here: Hall) -> None:
    ann, ben, cleo = [await here.guest(name) for name in ("Ann", "Ben", "Cleo")]
    lobby = (await here.ask("POST", "/lobby/create", ann, {"gameMode": "head_to_head"})).json["id"]
    assert (await here.ask("POST", f"/lobby/{lobby}/join", ben)).json == {"lobby_id": lobby}
    assert (await here.ask("POST", "/lobby/join", ben, {"lobby_id": lobby.upper()})).json == {"lobby_id": lobby}
    assert (await here.ask("POST", f"/lobby/{lobby}/join", cleo)).status == 409
    assert (await here.ask("POST", f"/lobby/{UNKNOWN}/join", cleo)).status == 404
    assert (await here.ask("POST", "/lobby/nonsense/join", cleo)).status == 400
    assert (await here.ask("POST", f"/lobby/{lobby}/join")).status == 401
    assert (await here.ask("GET", "/elsewhere")).status == 404


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/user/guest", "GET, POST"),
        ("POST", "/user/me", "GET"),
        ("GET", "/lobby/create", "POST"),
        ("GET", "/lobby/join", "POST"),
        ("DELETE", f"/lobby/{UNKNOWN}/join", "POST"),
        ("POST", "/lobby/list", "GET"),
    ],
)
async def test_a_wrong_method_is_told_the_right_ones(here: Hall, method: str, path: str, allowed: str) -> None:
    """As RFC 9110 wants it (15.5.6)."""
    found = await here.ask(method, path, await here.guest("Ann"))
    assert (found.status, found.headers["Allow"]) == (405, allowed)


async def test_who_joins_by_http_and_does_not_come_is_forgotten(here: Hall) -> None:
    (ann,) = await here.gather("Ann")
    ben = await here.guest("Ben")
    await here.ask("POST", f"/lobby/{here.lobby}/join", ben)
    assert await ann.lobby.silent()
    await here.time.to_pass(61)
    assert (await ann.lobby.hears("lobby_update"))["user_left"] == ben.id


async def test_list_shows_public_lobbies_and_ones_own(here: Hall) -> None:
    ann, ben = await here.guest("Ann"), await here.guest("Ben")
    public = (await here.ask("POST", "/lobby/create", ann, {"type": "public"})).json
    private = (await here.ask("POST", "/lobby/create", ann)).json
    assert set((await here.ask("GET", "/lobby/list", ann)).json) == {public["id"], private["id"]}
    for somebody in (ben, None):
        listed = (await here.ask("GET", "/lobby/list", somebody)).json
        assert listed == {public["id"]: {"lobby": public, "playerCount": 1, "maxPlayers": 8}}


async def test_a_private_lobby_is_shown_to_nobody_else(tmp_path: Path) -> None:
    async with hall(tmp_path) as here, client(here.live.ws("/ws")) as somebody:
        await here.gather("Ann")
        assert (await somebody.ask("list"))["tables"] == []


async def test_everything_is_below_cambia_on_the_shared_port(tmp_path: Path) -> None:
    async with server(tmp_path) as live:
        live.ports["cambia"] = live.ports["http"]
        here = Hall(live)
        made = (await here.ask("POST", "/cambia/user/guest", body={"username": "Ann"})).json
        ann = Person(here, made)
        lobby = (await here.ask("POST", "/cambia/lobby/create", ann)).json["id"]
        socket = await here.socket(f"/cambia/lobby/ws/{lobby}", ann, "lobby")
        assert (await socket.hears("lobby_state"))["your_id"] == ann.id
        assert await here.turned_away(f"/cambia/lobby/ws/{UNKNOWN}") == 404
        await here.leave()


# Connecting (3.1)


async def test_before_the_upgrade(here: Hall) -> None:
    assert await here.turned_away("/lobby/ws/nonsense") == 400
    assert await here.turned_away("/game/ws/nonsense") == 400
    assert await here.turned_away(f"/lobby/ws/{UNKNOWN}") == 404
    assert await here.turned_away(f"/game/ws/{UNKNOWN}") == 404
    assert await here.turned_away("/elsewhere") == 404


async def test_d74_subprotocols(here: Hall) -> None:
    """D74: the right one is chosen, none is fine, a wrong one is closed with 3000."""
    (ann,) = await here.gather("Ann")
    assert ann.lobby.connection.subprotocol == "lobby"
    path = f"/lobby/ws/{here.lobby}"
    several = await here.socket(path, subprotocols=["x", "lobby"])
    assert several.connection.subprotocol == "lobby"
    await several.hears("lobby_state")
    none = await here.socket(path)
    assert none.connection.subprotocol is None
    await none.hears("lobby_state")
    wrong = await here.socket(path, subprotocols=["game"])
    assert await wrong.closed() == 3000


async def test_d75_a_stranger_on_a_socket_is_a_new_guest(here: Hall) -> None:
    await here.gather("Ann")
    stranger = await here.socket(f"/lobby/ws/{here.lobby}?token=nonsense")
    assert stranger.connection.response is not None
    cookie = stranger.connection.response.headers["Set-Cookie"]
    told = await stranger.hears("lobby_state")
    me = await here.ask("GET", "/user/me", Cookie=cookie.split(";")[0])
    assert me.json["id"] == told["your_id"]
    assert told["lobby_status"]["users"][1]["username"].startswith("Guest")


async def test_full_and_running_lobbies_are_closed_with_1008(here: Hall) -> None:
    ann, ben = await here.gather("Ann", "Ben", gameMode="head_to_head")
    assert await (await here.socket(f"/lobby/ws/{here.lobby}")).closed() == 1008
    await here.start(ann, ben)
    assert await (await here.socket(f"/lobby/ws/{here.lobby}")).closed() == 1008


async def test_k82_a_newer_lobby_connection_replaces_the_older(here: Hall) -> None:
    ann, ben = await here.gather("Ann", "Ben")
    old = ann.lobby
    await ann.enter_lobby()
    assert await old.closed() == 3004
    assert len((await ann.lobby.hears("lobby_state"))["lobby_status"]["users"]) == 2
    assert await ben.lobby.silent()
    await ann.lobby.send("chat", msg="here")
    assert (await ben.lobby.hears("chat"))["msg"] == "here"


# Bad input (5.1)


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("{", "bad_json"), ("", "bad_json"), ('{"type":"ping",}', "bad_json"), ('{"type":1e999}', "bad_json"),
        ('{"type":"ping","x":NaN}', "bad_json"), ('{"type":"ping","x":' + "[" * 33 + "]" * 33 + "}", "bad_json"),
        ('{"type":"chat","msg":"\\ud800"}', "bad_json"),
        ("[]", "bad_message"), ('"ping"', "bad_message"), ("7", "bad_message"), ("null", "bad_message"),
        ("{}", "bad_message"), ('{"type":7}', "bad_message"), ('{"type":""}', "bad_message"),
        ('{"type":null}', "bad_message"), ('{"type":"x"}', "unknown_type"), ('{"type":"PING"}', "unknown_type"),
        ('{"type":"game_start"}', "unknown_type"), ('{"type":"player_discard"}', "unknown_type"),
        ('{"type":"private_sync_state"}', "unknown_type"),
    ],
)  # fmt: skip
async def test_k83_bad_input_on_both_sockets(here: Hall, message: str, code: str) -> None:
    ann, ben = await here.gather("Ann", "Ben")
    await here.start(ann, ben)
    await here.settle(ann.game, ben.game, ann.lobby, ben.lobby)
    for socket, other in ((ann.lobby, ben.lobby), (ann.game, ben.game)):
        await socket.send_raw(message)
        told = await socket.hears("error")
        assert told["code"] == code
        if code == "unknown_type":
            assert told["action"] == json.loads(message)["type"]
        assert await socket.silent() and await other.silent()


async def test_d95_words_of_the_other_socket_are_unknown(here: Hall) -> None:
    ann, ben = await here.gather("Ann", "Ben")
    await here.start(ann, ben)
    await here.settle(ann.game, ben.game, ann.lobby, ben.lobby)
    for word in WORDS:
        assert (await ann.game.refused("unknown_type", word))["action"] == word
    for word in ACTIONS:
        assert (await ann.lobby.refused("unknown_type", word))["action"] == word


async def test_oddities_that_are_fine(here: Hall) -> None:
    """Binary frames are ignored; of two equal keys the last counts; depth 32 is deep enough."""
    (ann,) = await here.gather("Ann")
    await ann.lobby.send_raw(b'{"type":"ping"}')
    assert await ann.lobby.silent()
    await ann.lobby.send_raw('{"type":"nonsense","type":"ping"}')
    await ann.lobby.hears("pong")
    await ann.lobby.send_raw('{"type":"ping","x":' + "[" * 31 + "]" * 31 + "}")
    await ann.lobby.hears("pong")


async def test_k84_a_long_frame_closes_only_its_connection(here: Hall) -> None:
    ann, ben = await here.gather("Ann", "Ben")
    await here.play(ann, ben)
    await ann.lobby.send("chat", msg="x" * 40000)
    assert await ann.lobby.closed() == 1009
    await ann.game.send_raw(json.dumps({"type": "ping", "x": "y" * 40000}))
    assert await ann.game.closed() == 1009
    await ben.game.until("private_sync_state")
    assert await ben.lobby.silent()
    fits = json.dumps({"type": "ping", "x": ""})
    await ben.game.send_raw(json.dumps({"type": "ping", "x": "y" * (32768 - len(fits))}))
    await ben.game.hears("pong")


async def test_a_flood_is_told_once_a_second_and_dropped(here: Hall) -> None:
    (ann,) = await here.gather("Ann")
    await here.time.to_pass(1)
    for second in range(10):
        for _ in range(501):
            await ann.lobby.send_raw('{"type":"ping"}')
        for _ in range(500):
            await ann.lobby.hears("pong")
        assert (await ann.lobby.hears("error"))["code"] == "rate_limited", second
        await here.time.to_pass(1)
    assert await ann.lobby.closed() == 1008


# The lobby (3.4, 5.2)


async def test_k85_d73_ping_is_answered_in_every_phase(here: Hall) -> None:
    ann, ben = await here.gather("Ann", "Ben")
    assert await ann.lobby.silent()
    await here.start(ann, ben)
    await here.settle(ann.game, ben.game)
    await here.time.to_pass(10)
    await here.settle(ann.game, ben.game)
    await ben.lobby.send("leave_lobby")
    await ann.game.until("game_end")
    assert await ann.game.silent()


async def test_k10_all_ready_countdown_game_start(here: Hall) -> None:
    ann, ben = await here.gather("Ann", "Ben", settings={"countdownSec": 5})
    await ann.lobby.send("ready")
    for person in (ann, ben):
        told = await person.lobby.hears("ready_update")
        assert told == {"type": "ready_update", "user_id": ann.id, "username": "Ann", "is_ready": True}
    await ann.lobby.send("ready")  # no change: nothing
    assert await ann.lobby.silent() and await ben.lobby.silent()
    await ben.lobby.send("ready")
    for person in (ann, ben):
        assert await person.lobby.hears("ready_update", "lobby_countdown_start") == {
            "type": "lobby_countdown_start",
            "seconds": 5,
        }
    await here.time.to_pass(4.9)
    assert await ann.lobby.silent()
    await here.time.to_pass(0.1)
    first = await ann.lobby.hears("game_start")
    assert await ben.lobby.hears("game_start") == first


@pytest.mark.parametrize("how", ["unready", "leave", "drop", "join"])
async def test_k11_d94_what_stops_a_countdown(here: Hall, how: str) -> None:
    ann, ben, cleo = await here.gather("Ann", "Ben", "Cleo", settings={"countdownSec": 5})
    for person in (ann, ben, cleo):
        await person.lobby.send("ready")
    await ann.lobby.until("lobby_countdown_start")
    match how:
        case "unready":
            await cleo.lobby.send("unready")
            await ann.lobby.hears("ready_update", "lobby_countdown_cancel")
        case "leave":
            await cleo.lobby.send("leave_lobby")
            assert (await ann.lobby.hears("lobby_update"))["user_left"] == cleo.id
            await ann.lobby.hears("lobby_countdown_cancel")
        case "drop":
            await cleo.lobby.close()
            await ann.lobby.hears("lobby_update", "lobby_countdown_cancel")
        case "join":
            dan = await here.guest("Dan")
            await dan.enter_lobby()
            assert (await ann.lobby.hears("lobby_update"))["user_join"] == dan.id
            await ann.lobby.hears("lobby_countdown_cancel")
    await here.time.to_pass(60)
    assert await ann.lobby.silent()


async def test_without_auto_start_the_host_starts(here: Hall) -> None:
    ann, ben = await here.gather("Ann", "Ben", settings={"autoStart": False})
    for person in (ann, ben):
        await person.lobby.send("ready")
    await ann.lobby.hears("ready_update", "ready_update")
    assert await ann.lobby.silent()
    await ann.lobby.send("start_game")
    await ann.lobby.hears("game_start")


async def test_k12_start_game_is_refused(here: Hall) -> None:
    ann, ben = await here.gather("Ann", "Ben", settings={"countdownSec": 5})
    assert (await ben.lobby.refused("not_host", "start_game"))["action"] == "start_game"
    await ann.lobby.refused("not_ready", "start_game")
    await ben.lobby.send("leave_lobby")
    assert await ben.lobby.closed() == 1000
    await ann.lobby.hears("lobby_update")
    await ann.lobby.refused("not_enough_players", "start_game")


async def test_somebody_by_the_native_protocol_says_when_they_are_ready(here: Hall) -> None:
    ann, ben = await here.gather("Ann", "Ben", gameMode="group_of_4", settings={"countdownSec": 5})
    async with client(here.live.ws("/ws")) as native:
        await native.ask("join", table=ids.table_of(here.lobby), player="Nat")
        status = (await ann.lobby.hears("lobby_update"))["lobby_status"]["users"]
        assert [user["is_ready"] for user in status] == [False, False, False]
        for person in (ann, ben):
            await person.lobby.send("ready")
            await ann.lobby.hears("ready_update")
        assert await ann.lobby.silent()
        await native.ask("ready", ready=True)
        told = await ann.lobby.hears("ready_update")
        assert (told["username"], told["is_ready"]) == ("Nat", True)
        assert (await ann.lobby.hears("lobby_countdown_start"))["seconds"] == 5
        await here.time.to_pass(5)
        assert (await native.entry("started"))["table"]["phase"] == "playing"


async def test_start_game_cuts_the_countdown_short(here: Hall) -> None:
    ann, ben = await here.gather("Ann", "Ben", settings={"countdownSec": 60})
    for person in (ann, ben):
        await person.lobby.send("ready")
    await ann.lobby.until("lobby_countdown_start")
    await ann.lobby.send("start_game")
    await ann.lobby.hears("game_start")
    await here.time.to_pass(61)
    assert await ann.lobby.silent()


async def test_during_a_game_the_lobby_waits(here: Hall) -> None:
    ann, ben = await here.gather("Ann", "Ben")
    await here.start(ann, ben)
    await here.settle(ann.lobby, ben.lobby)
    await ann.lobby.send("ready")  # ready already: nothing
    assert await ann.lobby.silent()
    for word in ("unready", "start_game"):
        await ann.lobby.refused("game_in_progress", word)
    await ann.lobby.refused("game_in_progress", "update_rules", rules={"turnTimerSec": 30})
    await ann.lobby.send("chat", msg="good luck")
    assert (await ben.lobby.hears("chat"))["msg"] == "good luck"


@pytest.mark.parametrize("msg", [None, 7, "", "  ", "x" * 501, ["x"]])
async def test_bad_chat(here: Hall, msg: Any) -> None:
    ann, ben = await here.gather("Ann", "Ben")
    await ann.lobby.refused("bad_chat", "chat", msg=msg)
    assert await ben.lobby.silent()


async def test_chat_is_trimmed_and_told_to_all(here: Hall) -> None:
    ann, ben = await here.gather("Ann", "Ben")
    await ann.lobby.send("chat", msg="  " + "x" * 500 + "\n")
    now = here.time.now() // 1000
    for person in (ann, ben):
        told = await person.lobby.hears("chat")
        assert told == {"type": "chat", "user_id": ann.id, "username": "Ann", "msg": "x" * 500, "ts": now}


async def test_invite(here: Hall) -> None:
    ann, ben = await here.gather("Ann", "Ben")
    await ann.lobby.send("invite", userID=UNKNOWN.upper())
    for person in (ann, ben):
        assert await person.lobby.hears("lobby_invite") == {"type": "lobby_invite", "invitedID": UNKNOWN}
    for bad in (None, 7, "", "nonsense"):
        await ann.lobby.refused("bad_invite", "invite", userID=bad)


@pytest.mark.parametrize(
    "rules",
    [
        None, [], "x", {"houseRules": 7}, {"houseRules": {"turnTimerSec": 601}}, {"turnTimerSec": -1},
        {"turnTimerSec": 1.5}, {"turnTimerSec": "15"}, {"turnTimerSec": True}, {"snapRace": 0},
        {"penaltyDrawCount": 11}, {"autoKickTurnCount": 101}, {"cardsPerPlayer": 0}, {"cardsPerPlayer": 7},
        {"initialViewCount": 5}, {"cardsPerPlayer": 1}, {"cambiaAllowedRound": 101}, {"numDecks": 5},
        {"maxGameTurns": 10001}, {"preGameSec": 121}, {"snapGiveSec": 0}, {"snapGiveSec": 61},
        {"disconnectGraceSec": 601}, {"useJokers": "yes"}, {"settings": {"autoStart": 1}},
        {"settings": {"countdownSec": 61}}, {"circuit": {"mode": "x"}}, {"circuit": {"enabled": 1}},
        {"circuit": {"rules": {"winBonus": 1}}}, {"circuit": {"rules": 7}},
    ],
)  # fmt: skip
async def test_k13_one_bad_value_and_nothing_is_changed(here: Hall, rules: Any) -> None:
    ann, ben = await here.gather("Ann", "Ben")
    if isinstance(rules, dict) and not rules.keys() & {"houseRules", "circuit", "settings"}:
        rules = {"snapGiveSec": 5, **rules}
    elif isinstance(rules, dict):
        rules = {"settings": {"countdownSec": 7}, **rules}
    await ann.lobby.refused("bad_rules", "update_rules", rules=rules)
    assert await ann.lobby.silent() and await ben.lobby.silent()
    await ann.enter_lobby()
    state = await ann.lobby.hears("lobby_state")
    assert state["house_rules"]["snapGiveSec"] == 10 and state["settings"]["countdownSec"] == 0


async def test_d78_d79_update_rules(here: Hall) -> None:
    ann, ben = await here.gather("Ann", "Ben")
    nested = {"houseRules": {"turnTimerSec": 30, "snapRace": True}, "settings": {"autoStart": False}}
    await ann.lobby.send("update_rules", rules={**nested, "circuit": {"rules": {"rounds": 4}}})
    for person in (ann, ben):
        rules = (await person.lobby.hears("lobby_rules_updated"))["rules"]
        assert len(rules["house_rules"]) == 19 and rules["house_rules"]["turnTimerSec"] == 30
        assert rules["circuit"]["rules"]["rounds"] == 4
        assert rules["settings"] == {"autoStart": False, "countdownSec": 0}
    await ann.lobby.send("rule_update", rules={"turnTimerSec": 20, "nonsense": 7, "snapRace": None})
    flat = (await ann.lobby.hears("lobby_rules_updated"))["rules"]["house_rules"]
    assert (flat["turnTimerSec"], flat["snapRace"]) == (20, True)
    await ann.lobby.send("update_rules", rules={"turnTimerSec": 20.0, "nonsense": 8})  # no change: nothing
    assert await ann.lobby.silent()
    await ben.lobby.hears("lobby_rules_updated")
    await ben.lobby.refused("not_host", "update_rules", rules={})


async def test_the_longest_member_is_the_next_host(here: Hall) -> None:
    ann, ben, cleo = await here.gather("Ann", "Ben", "Cleo")
    await ann.lobby.send("leave_lobby")
    assert await ann.lobby.closed() == 1000
    told = await cleo.lobby.hears("lobby_update")
    users = told["lobby_status"]["users"]
    assert (told["user_left"], told["username"], told["host_id"]) == (ann.id, "Ann", ben.id)
    assert [(user["id"], user["is_host"]) for user in users] == [(ben.id, True), (cleo.id, False)]
    await ben.lobby.close()
    assert (await cleo.lobby.hears("lobby_update"))["host_id"] == cleo.id
    await cleo.lobby.send("leave_lobby")
    assert await cleo.lobby.closed() == 1000
    assert await here.turned_away(f"/lobby/ws/{here.lobby}") == 404


async def test_c7_d88_seats_are_in_the_order_of_joining(here: Hall) -> None:
    ann, ben, cleo = await here.gather("Ann", "Ben", "Cleo")
    await ann.lobby.send("leave_lobby")
    dan = await here.guest("Dan")
    await dan.enter_lobby()
    await here.settle(ben.lobby, cleo.lobby, dan.lobby)
    await here.start(ben, cleo, dan)
    players = (await ben.sync())["players"]
    assert [player["playerId"] for player in players] == [ben.id, cleo.id, dan.id]


async def test_d98_only_who_is_connected_plays(here: Hall) -> None:
    ann, ben = await here.gather("Ann", "Ben")
    cleo = await here.guest("Cleo")
    assert (await here.ask("POST", f"/lobby/{here.lobby}/join", cleo)).status == 200
    await here.start(ann, ben)
    assert [player["username"] for player in (await ann.sync())["players"]] == ["Ann", "Ben"]


async def test_a_native_player_at_a_lobby_is_a_member_like_any_other(here: Hall) -> None:
    async with client(here.live.ws("/ws")) as native:
        await native.ask("open", game="cambia", player="Nat", seats=3)
        here.lobby = str(UUID(int=int(native.table, 16)))
        ann = await here.guest("Ann")
        await ann.enter_lobby()
        state = await ann.lobby.hears("lobby_state")
        assert [user["username"] for user in state["lobby_status"]["users"]] == ["Nat", "Ann"]
        assert [user["is_ready"] for user in state["lobby_status"]["users"]] == [True, False]


async def test_whom_a_native_host_has_silenced_is_told_so_by_the_nearest_error(here: Hall) -> None:
    async with client(here.live.ws("/ws")) as native:
        await native.ask("open", game="cambia", player="Nat", seats=3)
        here.lobby = str(UUID(int=int(native.table, 16)))
        ann = await here.guest("Ann")
        await ann.enter_lobby()
        await ann.lobby.hears("lobby_state")
        await ann.lobby.hears("lobby_update")
        await native.ask("silence", seat=1, silent=True)
        await ann.lobby.refused("bad_chat", "chat", msg="hello")
        await native.ask("silence", seat=1, silent=False)
        await ann.lobby.send("chat", msg="hello")
        assert (await ann.lobby.hears("chat"))["msg"] == "hello"
