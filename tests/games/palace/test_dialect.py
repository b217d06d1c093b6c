"""Lobbies, games and vintages over real sockets.

The names c1, c2, … are the lines of the checklist, d1, d2, … the decisions, in docs/protocols/palace.md.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from websockets.asyncio.client import connect

from croupier.games import catalogue
from croupier.games.palace import Palace
from croupier.games.palace.dialect import messages
from croupier.games.palace.dialect.connection import accept
from croupier.laws import check_secrecy
from croupier.tables import entries, intents, rulings
from croupier.tables.notices import Fact, Refused, Reply
from croupier.tables.place import Place
from croupier.tables.seat import Seat
from croupier.tables.table import AnyGame, Table
from tests.client import Refusal, client
from tests.games.palace.wire import VALUES, Hall, Player, card, cards, hall, set_up, start, trio
from tests.live import connection_request
from tests.net.test_http import get
from tests.toys import Bids

NOBODY = "ffffffffffffffffffffffffffffffff"
SEED = "5eed" * 16


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Hall]:
    async with hall(tmp_path) as found:
        yield found


# Transport


async def test_c1_every_message_is_a_binary_one(here: Hall) -> None:
    player = await here.enter()
    await player.send("ListLobbies")
    assert await player.socket.recv() == b'{"ListLobbiesResponse":[]}'


async def test_d40_any_path_and_no_http(here: Hall) -> None:
    for path in ("/", "/palace", "/some/where?x=1", "/?dialect=nonsense"):
        assert await (await here.enter(path)).silent()
    for method in ("GET", "POST"):
        status, _ = await get(f"http://127.0.0.1:{here.live.ports['palace']}/", method)
        assert status == 426


async def test_the_shared_port_has_it_at_its_path_and_below(here: Hall) -> None:
    for path in ("/palace", "/palace/", "/palace/lobby?dialect=draft"):
        async with connect(here.live.ws(path)) as socket:
            await socket.send(b'"ListLobbies"')
            assert await socket.recv() == b'{"ListLobbiesResponse":[]}'
    status, _ = await get(f"{here.live.http}/palace")
    assert status == 426


async def test_no_origin_check_and_no_rate_limit(here: Hall) -> None:
    async with connect(here.live.own("palace"), additional_headers={"Origin": "https://elsewhere.example"}) as socket:
        for _ in range(1000):
            await socket.send(b'"ListLobbies"')
        for _ in range(1000):
            assert await socket.recv() == b'{"ListLobbiesResponse":[]}'


async def test_fragments_are_one_message(here: Hall) -> None:
    player = await here.enter()
    await player.socket.send([b'"List', b"", b'Lobbies"'])
    assert await player.hears("ListLobbiesResponse") == []


async def test_c11_the_offender_leaves_by_the_usual_rules(here: Hall) -> None:
    matt, ann = await here.two()
    await ann.send_bytes(b"garbage")
    assert await ann.closed() == 1007
    assert await matt.hears("PlayerLeaveEvent") == {"total_num_players": 1, "slot": 1}
    await matt.send_bytes(b'{"ListLobbies":null,"ListLobbies":null}')
    assert await matt.closed() == 1007
    assert await here.lobbies() == []


async def test_nothing_after_the_offence_is_processed(here: Hall) -> None:
    player = await here.enter()
    await player.send_bytes(b"garbage")
    await player.send({"NewLobby": {"max_players": 4, "password": "", "lobby_name": "L", "player_name": "P"}})
    assert await player.closed() == 1007
    assert await here.lobbies() == []


# Ids


async def test_c10_ids_are_short_hexadecimal_numbers(here: Hall) -> None:
    for _ in range(40):
        player = await here.enter()
        opened = await player.opens()
        for id in (opened["player_id"], opened["lobby_id"]):
            assert re.fullmatch("[1-9a-f][0-9a-f]{0,31}", id)


async def test_c10_b21_ids_are_compared_as_numbers(here: Hall) -> None:
    matt, ann = await here.enter(), await here.enter()
    await matt.opens()
    matt.lobby, matt.id = matt.lobby.upper().zfill(32), matt.id.upper().zfill(32)
    await ann.joins(matt)
    await matt.hears("PlayerJoinEvent")
    await start(matt, ann)
    assert "GameStartedEvent" in await matt.reconnects()


async def test_c6_d28_an_unknown_id_is_answered(here: Hall) -> None:
    player = await here.enter()
    for id in (NOBODY, "0", "1"):
        assert await player.ask({"SpectateLobby": id}) == {"Err": "LobbyNotFound"}


# Refusals: every row, and which comes first


def new_lobby(max_players: int, lobby: str, player: str, password: str = "") -> dict[str, Any]:
    payload = {"max_players": max_players, "password": password, "lobby_name": lobby, "player_name": player}
    return {"NewLobby": payload}


@pytest.mark.parametrize(
    ("request_", "error"),
    [
        (new_lobby(0, "", "", "x" * 21), "LessThanTwoMaxPlayers"),
        (new_lobby(1, "L", "P"), "LessThanTwoMaxPlayers"),
        (new_lobby(2, "", "", "x" * 21), "EmptyLobbyName"),
        (new_lobby(2, " \t\u2003", "P"), "EmptyLobbyName"),
        (new_lobby(2, "L" * 21, "", "x" * 21), "EmptyPlayerName"),
        (new_lobby(2, "L", "   "), "EmptyPlayerName"),
        (new_lobby(2, "L" * 21, "P" * 21, "x" * 21), "LobbyNameTooLong"),
        (new_lobby(2, "🂡" * 21, "P"), "LobbyNameTooLong"),
        (new_lobby(2, "L", "P" * 21, "x" * 21), "PlayerNameTooLong"),
        (new_lobby(2, "L", "P", "x" * 21), "PasswordTooLong"),
        (new_lobby(2, "L\x1b[2J", "P"), "EmptyLobbyName"),
        (new_lobby(2, "L", "P\u202e"), "EmptyPlayerName"),
        (new_lobby(2, "L", "BOT Ada"), "EmptyPlayerName"),
    ],
)
async def test_c14_c15_c16_d7_d8_d9_refusals_of_new_lobby(here: Hall, request_: Any, error: str) -> None:
    player = await here.enter()
    assert await player.ask(request_) == {"Err": error}
    assert await here.lobbies() == []
    assert await player.silent()


async def test_c14_c15_the_largest_lobby_and_the_longest_names(here: Hall) -> None:
    for size, name in ((2, "L" * 20), (255, "🂡" * 20)):
        player = await here.enter()
        opened = await player.opens(max_players=size, lobby_name=name, player_name=name, password=name)
        assert opened["max_players"] == size
        assert [(one["name"], one["owner"]) for one in await here.lobbies()][-1] == (name, name)


async def test_d7_names_are_kept_as_they_were_sent(here: Hall) -> None:
    name = ' <b> "\\  \u00a0é 🃏'
    matt, ann = await here.enter(), await here.enter()
    await matt.opens(lobby_name=name, player_name=name)
    assert (await here.lobbies())[0]["name"] == name
    assert (await ann.joins(matt, name))["lobby_players"] == [name]
    assert (await matt.hears("PlayerJoinEvent"))["new_player_name"] == name


async def test_c19_c20_refusals_of_join_lobby(here: Hall) -> None:
    matt, ann = await here.two(max_players=2, password="plum")
    bob = await here.enter()

    async def refused(name: str, password: str, lobby: str = matt.lobby) -> Any:
        answer = await bob.ask({"JoinLobby": {"lobby_id": lobby, "player_name": name, "password": password}})
        return answer["Err"]

    assert await refused("", "pear", NOBODY) == "EmptyPlayerName"
    assert await refused(" \n", "plum") == "EmptyPlayerName"
    assert await refused("B" * 21, "plum", NOBODY) == "PlayerNameTooLong"
    assert await refused("bot ada", "plum") == "EmptyPlayerName"
    assert await refused("B\x07", "plum") == "EmptyPlayerName"
    assert await refused("B" * 20, "plum", NOBODY) == "LobbyNotFound"
    for wrong in ("pear", "", "Plum", "plum ", "x" * 5000):
        assert await refused("Bob", wrong) == "BadPassword"
    assert await refused("Bob", "plum") == "LobbyFull"
    await start(matt, ann)
    assert await refused("Bob", "pear") == "GameInProgress"

    eve = await here.enter()
    await eve.opens()
    assert await refused("Bob", "plum", eve.lobby) == "BadPassword"
    for player in (matt, ann, bob, eve):
        assert await player.silent()


async def test_c30_refusals_of_start_game(here: Hall) -> None:
    matt = await here.enter()
    await matt.opens()
    assert await matt.ask({"StartGame": {**matt.me, "lobby_id": NOBODY}}) == {"Err": "LobbyNotFound"}
    assert await matt.ask({"StartGame": {**matt.me, "player_id": NOBODY}}) == {"Err": "NotLobbyOwner"}
    assert await matt.ask({"StartGame": matt.me}) == {"Err": "LessThanTwoPlayers"}
    ann = await here.enter()
    await ann.joins(matt)
    await matt.hears("PlayerJoinEvent")
    assert await ann.ask({"StartGame": ann.me}) == {"Err": "NotLobbyOwner"}
    await start(matt, ann)
    assert await ann.ask({"StartGame": ann.me}) == {"Err": "GameInProgress"}
    assert await matt.ask({"StartGame": matt.me}) == {"Err": "GameInProgress"}


TURNS: dict[str, dict[str, Any]] = {
    "ChooseFaceup": trio("9♣ J♦ Q♣"),
    "MakePlay": {"cards": cards("5♣")},
    "TakeTurn": {"cards": cards("9♣ J♦ Q♣")},
}


@pytest.mark.parametrize("name", TURNS)
async def test_refusals_common_to_all_turns(here: Hall, name: str) -> None:
    matt, ann = await here.two()
    turn = TURNS[name]
    # Each request has every later fault too: the first one in the list of checks is reported.
    stranger = {"lobby_id": matt.lobby, "player_id": NOBODY}
    assert await matt.ask({name: {**stranger, "lobby_id": NOBODY, **turn}}) == {"Err": "LobbyNotFound"}
    assert await matt.ask({name: {**stranger, **turn}}) == {"Err": "GameNotStarted"}
    await start(matt, ann)
    assert await matt.ask({name: {**stranger, **turn}}) == {"Err": "PlayerNotFound"}
    assert await ann.ask({name: {**ann.me, **turn}}) == {"Err": "NotYourTurn"}
    assert await matt.silent()
    assert await ann.silent()


async def game_error(player: Player, name: str, **turn: Any) -> str:
    answer = await player.ask({name: {**player.me, **turn}})
    error: str = answer["Err"]["GameError"]
    assert error
    return error


async def test_c37_game_errors_of_the_setup(here: Hall) -> None:
    matt, ann = await here.playing()
    for wrong in ("5♣ 5♣ 9♣", "2♣ 5♣ 9♣", "3♦ 5♣ 9♣", "3♣ 5♣ 9♣"):
        assert "yours" in await game_error(matt, "ChooseFaceup", **trio(wrong))
        assert "yours" in await game_error(matt, "TakeTurn", cards=cards(wrong))
    assert "play phase" in await game_error(matt, "MakePlay", cards=cards("5♣"))
    for count in ("", "9♣", "9♣ J♦", "9♣ J♦ Q♣ 4♦"):
        assert "three" in await game_error(matt, "TakeTurn", cards=cards(count))
    assert await ann.silent()
    await matt.chooses(cards("9♣ J♦ Q♣"), ann)


async def test_c40_c47_c48_c50_game_errors_of_play(here: Hall) -> None:
    matt, ann = await here.playing()
    await set_up(matt, ann)
    for name in ("MakePlay", "TakeTurn"):
        assert "same value" in await game_error(matt, name, cards=cards("4♦ 5♣"))
        for wrong in ("5♦", "9♣", "5♣ 5♣", "2♠", "8♦"):  # another's, face up, twice, of another deck, face down
            assert "do not have" in await game_error(matt, name, cards=cards(wrong))
        assert "at least one" in await game_error(matt, name, cards=[])
    assert "setup" in await game_error(matt, "ChooseFaceup", **trio("9♣ J♦ Q♣"))
    assert await ann.silent()
    state = await matt.plays("5♣", ann)
    assert state["hands"] == [5, 6]
    for player in (matt, ann):
        assert await player.silent()


async def test_c48_a_blind_play_names_no_card(tmp_path: Path) -> None:
    deck = ["2♣", "2♦", "10♣", "3♣", "3♦", "4♣", "5♣", "5♦", "6♣", "6♦", "7♣", "7♦"]
    async with hall(tmp_path, test_orders={"deck": deck, "seats": [0, 1]}) as here:
        matt, ann = await here.playing()
        await set_up(matt, ann)
        for pair in ("5♣ 5♦", "6♣ 6♦", "7♣ 7♦"):
            await matt.plays(pair, ann)
        assert matt.hand == []
        await matt.plays("10♣", ann)
        state = await matt.plays("2♣ 2♦", ann)
        assert (state["face_up_three"][0], state["last_played_zone"]) == ([], "FaceUpThree")
        assert "no cards" in await game_error(matt, "MakePlay", cards=cards("4♣"))
        state = await matt.plays("", ann)
        assert (state["last_cards_played"], state["last_played_zone"]) == (cards("4♣"), "FaceDownThree")


async def test_c28_refusals_of_request_ai(here: Hall) -> None:
    matt, ann = await here.two(max_players=4)
    assert await matt.ask({"RequestAi": {**matt.me, "lobby_id": NOBODY, "num_ai": 0}}) == {
        "Err": "LessThanOneAiRequested"
    }
    assert await matt.ask({"RequestAi": {**matt.me, "lobby_id": NOBODY, "num_ai": 1}}) == {"Err": "LobbyNotFound"}
    assert await ann.ask({"RequestAi": {**ann.me, "num_ai": 255}}) == {"Err": "NotLobbyOwner"}
    assert await matt.ask({"RequestAi": {**matt.me, "player_id": NOBODY, "num_ai": 1}}) == {"Err": "NotLobbyOwner"}
    assert await matt.ask({"RequestAi": {**matt.me, "num_ai": 3}}) == {"Err": "LobbyTooSmall"}
    assert len(await here.lobbies()) == 1
    assert (await here.lobbies())[0]["cur_players"] == 2
    await start(matt, ann)
    assert await matt.ask({"RequestAi": {**matt.me, "num_ai": 3}}) == {"Err": "LobbyTooSmall"}
    assert await matt.ask({"RequestAi": {**matt.me, "num_ai": 2}}) == {"Err": "GameInProgress"}
    assert await ann.silent()


async def test_d20_refusals_of_kick_player(tmp_path: Path) -> None:
    async with hall(tmp_path, test_orders={"seats": [2, 0, 1]}) as here:
        matt = await here.enter()
        await matt.opens()
        await matt.send({"RequestAi": {**matt.me, "num_ai": 1}})
        await matt.hears("PlayerJoinEvent")
        await matt.hears("RequestAiResponse")
        ann = await here.enter()
        await ann.joins(matt)
        await matt.hears("PlayerJoinEvent")
        assert await matt.ask({"KickPlayer": {**matt.me, "lobby_id": NOBODY, "slot": 9}}) == {"Err": "LobbyNotFound"}
        assert await ann.ask({"KickPlayer": {**ann.me, "slot": 9}}) == {"Err": "NotLobbyOwner"}
        assert await matt.ask({"KickPlayer": {**matt.me, "slot": 9}}) == {"Err": "TargetPlayerNotFound"}
        assert await matt.ask({"KickPlayer": {**matt.me, "slot": 0}}) == {"Err": "CantKickLobbyOwner"}
        await start(matt, ann)  # which makes Ann player 0, the owner player 1 and the bot player 2
        assert await matt.ask({"KickPlayer": {**matt.me, "slot": 3}}) == {"Err": "TargetPlayerNotFound"}
        assert await matt.ask({"KickPlayer": {**matt.me, "slot": 1}}) == {"Err": "CantKickLobbyOwner"}
        assert await matt.ask({"KickPlayer": {**matt.me, "slot": 2}}) == {"Err": "CantKickAiDuringGame"}
        assert await matt.ask({"KickPlayer": {**matt.me, "slot": 0}}) == {"Ok": None}
        assert await ann.hears("LobbyCloseEvent") == "Kicked"


async def test_c61_refusals_of_reconnect(here: Hall) -> None:
    matt, ann = await here.playing()
    stranger = await here.enter()
    assert await stranger.ask({"Reconnect": {**matt.me, "lobby_id": NOBODY}}) == {"Err": "LobbyNotFound"}
    assert await stranger.ask({"Reconnect": {**matt.me, "player_id": NOBODY}}) == {"Err": "PlayerNotFound"}
    assert await matt.ask({"KickPlayer": {**matt.me, "slot": 1}}) == {"Ok": None}
    assert await ann.hears("LobbyCloseEvent") == "Kicked"
    assert await ann.ask({"Reconnect": ann.me}) == {"Err": "PlayerKicked"}
    await ann.socket.close()  # D19
    assert await stranger.ask({"Reconnect": ann.me}) == {"Err": "PlayerKicked"}
    answer = await stranger.ask({"MakePlay": {**ann.me, "cards": []}})
    assert answer == {"Err": "PlayerNotFound"}


async def test_refusals_of_spectate_lobby(here: Hall) -> None:
    matt, _ = await here.playing(password="plum")
    crowd = [await here.enter() for _ in range(255)]
    for number, spectator in enumerate(crowd, start=1):
        assert (await spectator.spectates(matt))["num_spectators"] == number  # D39: no password is asked
    late = await here.enter()
    assert await late.ask({"SpectateLobby": NOBODY}) == {"Err": "LobbyNotFound"}
    assert await late.ask({"SpectateLobby": matt.lobby}) == {"Err": "SpectateLobbyFull"}
    assert (await here.lobbies())[0]["cur_spectators"] == 255
    await crowd[7].socket.close()
    for _ in range(255):
        await matt.hears("SpectatorJoinEvent")
    await matt.hears("SpectatorLeaveEvent")
    assert (await late.spectates(matt))["num_spectators"] == 255


# Lobbies


async def test_c13_c17_c18_d10_d24_d27_creating_and_joining(here: Hall) -> None:
    matt = await here.enter()
    opened = await matt.opens()
    assert list(opened) == ["player_id", "lobby_id", "max_players"]
    spectator = await here.enter()
    await spectator.spectates(matt)
    assert await matt.hears("SpectatorJoinEvent") is None
    others: list[Player] = []
    for number, name in enumerate(["Ann", "Ann", "Bob"], start=1):  # two of a name are no trouble
        player = await here.enter()
        joined = await player.joins(matt, name)
        assert list(joined) == ["player_id", "lobby_players", "max_players", "num_spectators", "turn_timer"]
        assert joined["lobby_players"] == ["Matt", "Ann", "Ann"][:number]
        assert (joined["max_players"], joined["num_spectators"], joined["turn_timer"]) == (4, 1, 50)
        for listener in (matt, spectator, *others):
            event = await listener.hears("PlayerJoinEvent")
            assert event == {"total_num_players": number + 1, "new_player_name": name, "slot": number}
        others.append(player)
        assert await player.silent()


async def test_c21_the_lowest_free_slot_is_taken(here: Hall) -> None:
    matt = await here.enter()
    await matt.opens(max_players=5)
    players = []
    for slot in (1, 2, 3):
        player = await here.enter()
        await player.joins(matt)
        assert (await matt.hears("PlayerJoinEvent"))["slot"] == slot
        players.append(player)
    for gone, left in ((1, 3), (0, 2)):
        await players[gone].socket.close()
        assert await matt.hears("PlayerLeaveEvent") == {"total_num_players": left, "slot": gone + 1}
    await matt.send({"RequestAi": {**matt.me, "num_ai": 3}})
    assert [(await matt.hears("PlayerJoinEvent"))["slot"] for _ in range(3)] == [1, 2, 4]
    await matt.hears("RequestAiResponse")


async def test_c22_d2_both_forms_of_the_list(here: Hall) -> None:
    player = await here.enter("/?dialect=note")
    for _ in range(2):
        assert await player.ask("ListLobbies") == []
        assert await player.ask({"ListLobbies": {"page": 0}}) == {"lobbies": [], "has_next_page": False}
        await player.send({"ListLobbies": None})
        assert await player.hears("ListLobbiesResponse") == []


async def test_c23_d23_d24_pages(here: Hall) -> None:
    for number in range(51):
        await (await here.enter()).opens(lobby_name=f"L{number}")
    player = await here.enter()
    first, second, third, last = [
        await player.ask({"ListLobbies": {"page": page}}) for page in (0, 1, 2, 18446744073709551615)
    ]
    assert [lobby["name"] for lobby in first["lobbies"]] == [f"L{number}" for number in range(50)]  # oldest first
    assert [lobby["name"] for lobby in second["lobbies"]] == ["L50"]
    assert (first["has_next_page"], second["has_next_page"]) == (True, False)
    assert third == last == {"lobbies": [], "has_next_page": False}
    assert len(await player.ask("ListLobbies")) == 51


async def test_c24_an_entry_of_the_list(here: Hall) -> None:
    matt, ann = await here.two(password="plum", turn_timer=30, lobby_name="Cards")
    await matt.send({"RequestAi": {**matt.me, "num_ai": 1}})
    await matt.hears("PlayerJoinEvent")
    await matt.hears("RequestAiResponse")
    await (await here.enter()).spectates(matt)
    await here.time.to_pass(7.9)
    player = await here.enter()
    await player.send("ListLobbies")
    answer = await player.socket.recv()
    assert isinstance(answer, bytes)
    assert answer.decode() == (
        '{"ListLobbiesResponse":[{"cur_players":3,"ai_players":1,"max_players":4,"started":false,"has_password":true,'
        f'"owner":"Matt","name":"Cards","age":7,"lobby_id":"{matt.lobby}","cur_spectators":1,"turn_timer":30,'
        '"games_completed":0}]}'
    )
    await here.time.to_pass(1)
    assert (await here.lobbies())[0]["age"] == 8
    for _ in range(2):
        assert (await ann.next())[0] in ("PlayerJoinEvent", "SpectatorJoinEvent")


async def test_c25_c26_leaving_a_waiting_lobby(here: Hall) -> None:
    matt, ann = await here.two()
    spectator = await here.enter()
    await spectator.spectates(matt)
    bob = await here.enter()
    await bob.joins(matt, "Bob")
    for player in (matt, ann):
        assert (await player.next())[0] == "SpectatorJoinEvent"
    for player in (matt, ann, spectator):
        await player.hears("PlayerJoinEvent")
    await ann.socket.close()
    for player in (matt, bob, spectator):
        assert await player.hears("PlayerLeaveEvent") == {"total_num_players": 2, "slot": 1}
    await matt.socket.close()
    for player in (bob, spectator):
        assert await player.hears("LobbyCloseEvent") == "OwnerLeft"
        assert await player.silent()
    assert await here.lobbies() == []
    assert await bob.ask({"Reconnect": bob.me}) == {"Err": "LobbyNotFound"}


async def test_c27_who_joins_another_lobby_leaves_the_first(here: Hall) -> None:
    matt, ann = await here.two()
    eve = await here.enter()
    await eve.opens(player_name="Eve")
    await ann.joins(eve)
    assert await matt.hears("PlayerLeaveEvent") == {"total_num_players": 1, "slot": 1}
    assert (await eve.hears("PlayerJoinEvent"))["slot"] == 1
    # A refused request leaves everything as it is.
    assert await ann.ask({"JoinLobby": {"lobby_id": NOBODY, "player_name": "Ann", "password": ""}}) == {
        "Err": "LobbyNotFound"
    }
    assert await eve.silent()
    # Opening a lobby leaves the old one too; so does watching one.
    await ann.opens(player_name="Ann")
    assert await eve.hears("PlayerLeaveEvent") == {"total_num_players": 1, "slot": 1}
    await ann.spectates(eve)
    await eve.hears("SpectatorJoinEvent")
    assert [lobby["owner"] for lobby in await here.lobbies()] == ["Matt", "Eve"]


async def test_d38_an_owner_who_joins_the_own_lobby_closes_it(here: Hall) -> None:
    matt, ann = await here.two()
    joined = await matt.joins(matt, "Again")
    assert joined["lobby_players"] == ["Matt", "Ann"]
    assert await matt.hears("LobbyCloseEvent") == "OwnerLeft"
    assert (await ann.hears("PlayerJoinEvent"))["new_player_name"] == "Again"
    assert await ann.hears("LobbyCloseEvent") == "OwnerLeft"
    assert await here.lobbies() == []


async def test_d38_a_player_who_joins_again_gives_up_the_first_seat(here: Hall) -> None:
    matt, ann = await here.two()
    await ann.joins(matt, "Anna")
    assert (await matt.hears("PlayerJoinEvent"))["slot"] == 2
    for player in (matt, ann):
        assert await player.hears("PlayerLeaveEvent") == {"total_num_players": 2, "slot": 1}


async def test_c28_bots_are_announced_one_by_one(here: Hall) -> None:
    matt, ann = await here.two(max_players=255)
    spectator = await here.enter()
    await spectator.spectates(matt)
    for player in (matt, ann):
        await player.hears("SpectatorJoinEvent")
    await matt.send({"RequestAi": {**matt.me, "num_ai": 253}})
    names = set()
    for player in (matt, ann, spectator):
        for slot in range(2, 255):
            event = await player.hears("PlayerJoinEvent")
            assert (event["slot"], event["total_num_players"]) == (slot, slot + 1)
            assert event["new_player_name"].startswith("BOT ")
            assert len(event["new_player_name"]) <= 20
            names.add(event["new_player_name"])
    assert await matt.hears("RequestAiResponse") == {"Ok": None}
    assert len(names) == 253
    assert (await here.lobbies())[0]["ai_players"] == 253


async def test_c29_a_kick_while_waiting(here: Hall) -> None:
    matt, ann = await here.two()
    bob = await here.enter()
    await bob.joins(matt, "Bob")
    for player in (matt, ann):
        await player.hears("PlayerJoinEvent")
    await matt.send({"KickPlayer": {**matt.me, "slot": 1}})
    for player in (matt, bob):
        assert await player.hears("PlayerLeaveEvent") == {"total_num_players": 2, "slot": 1}
    assert await matt.hears("KickPlayerResponse") == {"Ok": None}
    assert await ann.hears("LobbyCloseEvent") == "Kicked"
    assert await ann.ask({"Reconnect": ann.me}) == {"Err": "PlayerNotFound"}
    assert (await ann.joins(matt, "Ann again"))["lobby_players"] == ["Matt", "Bob"]
    assert (await matt.hears("PlayerJoinEvent"))["slot"] == 1
    assert await ann.silent()


async def test_d18_ids_authorise_from_any_connection(here: Hall) -> None:
    matt, ann = await here.two()
    stranger = await here.enter()
    assert await stranger.ask({"StartGame": matt.me}) == {"Ok": None}
    for player in (matt, ann):
        await player.hears("GameStartedEvent")
        await player.hears("PublicGameStateEvent")
    assert await stranger.ask({"ChooseFaceup": {**matt.me, **trio("9♣ J♦ Q♣")}}) == {"Ok": None}
    await matt.hears("HandEvent")
    for player in (matt, ann):
        await player.hears("PublicGameStateEvent")
        assert await player.silent()
    assert await stranger.silent()


async def test_the_tables_of_other_games_do_not_exist_for_it(tmp_path: Path) -> None:
    games = catalogue()
    games.games["bids"] = Bids()
    async with hall(tmp_path, games) as here, client(here.live.ws("/ws")) as host:
        await host.ask("open", game="bids", player="Nat")
        player = await here.enter()
        player.lobby, player.id = host.table, host.token
        assert await player.ask("ListLobbies") == []
        for name, payload in (
            ("JoinLobby", {"lobby_id": host.table, "player_name": "Ann", "password": ""}),
            ("SpectateLobby", host.table),
            ("Reconnect", player.me),
            ("StartGame", player.me),
            ("RequestAi", {**player.me, "num_ai": 1}),
            ("MakePlay", {**player.me, "cards": []}),
        ):
            assert await player.ask({name: payload}) == {"Err": "LobbyNotFound"}


async def test_a_native_player_sits_at_the_same_table(here: Hall) -> None:
    matt = await here.enter()
    await matt.opens()
    async with client(here.live.ws("/ws")) as ann:
        with pytest.raises(Refusal) as refused:  # D8: his client would not know what to do with it
            await ann.ask("join", table=matt.lobby, player="Ann with more than twenty letters")
        assert refused.value.code == "bad_name"
        await ann.ask("join", table=matt.lobby, player="Ann")
        assert (await matt.hears("PlayerJoinEvent"))["slot"] == 1
        await start(matt)
        await matt.chooses(cards("9♣ J♦ Q♣"))
        await ann.ask("play", move={"move": "choose", "cards": ["6♣", "10♦", "A♦"]})
        assert (await matt.hears("PublicGameStateEvent"))["cur_phase"] == "Play"
        await matt.plays("5♣")
        await ann.ask("play", move={"move": "play", "cards": ["5♦"]})
        state = await matt.hears("PublicGameStateEvent")
        assert (state["cleared_size"], state["active_player"]) == (2, 1)
        await matt.ask({"KickPlayer": {**matt.me, "slot": 1}})


async def test_the_host_by_another_protocol_may_hand_the_lobby_over(here: Hall) -> None:
    async with client(here.live.ws("/ws")) as host:
        await host.ask("open", game="palace", player="Nat", name="Native, and longer than D8 allows")
        ann, owner = await here.enter(), Player.__new__(Player)
        owner.lobby = host.table
        await ann.joins(owner)
        assert [(one["owner"], one["name"]) for one in await here.lobbies()] == [("Nat", "Native, and longer t")]
        await host.ask("hand_over", seat=1)
        assert (await here.lobbies())[0]["owner"] == "Ann"
        assert await ann.ask({"KickPlayer": {**ann.me, "slot": 1}}) == {"Err": "CantKickLobbyOwner"}
        await ann.send({"KickPlayer": {**ann.me, "slot": 0}})
        assert await ann.hears("PlayerLeaveEvent") == {"total_num_players": 1, "slot": 0}
        assert await ann.hears("KickPlayerResponse") == {"Ok": None}


# The game


async def test_c31_c33_c34_what_a_start_is(tmp_path: Path) -> None:
    async with hall(tmp_path, test_orders={}) as here:
        orders = set()
        for _ in range(12):
            matt = await here.enter()
            await matt.opens(player_name="P0", max_players=8)
            players = [matt]
            for number in range(1, 4):
                player = await here.enter()
                await player.joins(matt, f"P{number}")
                for other in players:
                    await other.hears("PlayerJoinEvent")
                players.append(player)
            await matt.send({"StartGame": matt.me})
            maps, numbers = set(), []
            for number, player in enumerate(players):
                begun = await player.hears("GameStartedEvent")
                assert len(begun["hand"]) == 6
                assert begun["players"][str(begun["turn_number"])] == f"P{number}"
                maps.add(tuple(begun["players"].items()))
                numbers.append(begun["turn_number"])
                state = await player.hears("PublicGameStateEvent")
            assert await matt.hears("StartGameResponse") == {"Ok": None}
            assert len(maps) == 1
            assert sorted(numbers) == [0, 1, 2, 3]
            orders.add(tuple(numbers))
            assert (state["hands"], state["face_down_three"]) == ([6] * 4, [3] * 4)
            assert [len(three) for three in state["face_up_three"]] == [3] * 4
            assert (state["cur_phase"], state["active_player"], state["top_card"]) == ("Setup", 0, None)
            assert (state["pile_size"], state["cleared_size"]) == (0, 0)
            assert (state["last_cards_played"], state["last_played_zone"]) == ([], None)
        assert len(orders) > 1


async def test_c36_d10_only_the_chooser_is_told_the_hand(here: Hall) -> None:
    matt, ann = await here.playing()
    state = await matt.chooses(cards("10♣ K♣ Q♣"), ann)
    assert matt.hand == cards("4♦ 5♣ 7♦ 9♣ 9♦ J♦")
    assert state["face_up_three"][0] == cards("10♣ Q♣ K♣")
    assert await ann.silent()


async def test_last_cards_played_keep_their_order(here: Hall) -> None:
    matt, ann = await here.playing()
    await matt.chooses(cards("10♣ K♣ Q♣"), ann)
    await ann.chooses(cards("6♣ 10♦ A♦"), matt)
    state = await matt.plays("9♦ 9♣", ann)
    assert state["last_cards_played"] == cards("9♦ 9♣")
    assert state["cleared_size"] == 2


async def test_c54_c55_d11_d12_a_game_ends_and_another_begins(tmp_path: Path) -> None:
    async with hall(tmp_path, test_orders={}, test_seed=SEED) as here:
        matt, ann = await here.two()
        spectator = await here.enter()
        await spectator.spectates(matt)
        for player in (matt, ann):
            await player.hears("SpectatorJoinEvent")
        for completed in (1, 2):
            await start(matt, ann, spectator)
            order = await play_out([matt, ann], [spectator])
            assert sorted(order) == [0, 1]
            (listed,) = await here.lobbies()
            assert (listed["started"], listed["games_completed"], listed["cur_players"]) == (False, completed, 2)
            for player in (matt, ann):
                answer = await player.ask({"MakePlay": {**player.me, "cards": []}})
                assert answer == {"Err": "GameNotStarted"}


async def play_out(players: list[Player], watching: list[Player]) -> list[int]:
    """Everybody plays until the game is over. Everything that anybody is told is checked."""
    luck = Random(1)
    by_number = {player.number: player for player in players}
    everybody = [*players, *watching]
    state: Any = None
    while state is None or state["cur_phase"] != "Complete":
        active = by_number[state["active_player"] if state else 0]
        others = [player for player in everybody if player is not active]
        if state is None or state["cur_phase"] == "Setup":
            shown = (await active.reconnects())["PublicGameStateEvent"]
            state = await active.chooses(shown["face_up_three"][active.number or 0], *others)
        else:
            turn = sensible(active.hand or state["face_up_three"][active.number or 0], state, luck)
            await active.send({"MakePlay": {**active.me, "cards": turn}})
            active.hand = await active.hears("HandEvent")
            state = await active.hears("PublicGameStateEvent")
            assert len(active.hand) == state["hands"][active.number or 0]
            for other in others:
                assert await other.hears("PublicGameStateEvent") == state
            if state["cur_phase"] != "Complete":
                assert await active.hears("MakePlayResponse") == {"Ok": None}
        total = sum(state["hands"]) + sum(state["face_down_three"]) + state["pile_size"] + state["cleared_size"]
        assert total + sum(map(len, state["face_up_three"])) == 12 * len(state["hands"])  # c51
    orders = [await player.hears("GameCompleteEvent") for player in everybody]
    assert await active.hears("MakePlayResponse") == {"Ok": None}
    assert all(order == orders[0] for order in orders)
    order: list[int] = orders[0]
    return order


def sensible(zone: list[Any], state: Any, luck: Random) -> list[Any]:
    """All cards of a value that fits, as far as the top card tells; now and then of any."""
    ranks = list(VALUES.values())
    top = state["top_card"]["value"] if state["top_card"] else "Two"
    values = {one["value"] for one in zone}
    fitting = {"Two", "Four", "Ten"} | set(ranks[ranks.index(top) :]) if top != "Seven" else set(ranks[:6])
    chosen = luck.choice(sorted((values & fitting if luck.random() < 0.9 else values) or values or {""}))
    return [one for one in zone if one["value"] == chosen]


# Secrets


async def test_c52_nobody_is_told_what_others_hold(tmp_path: Path) -> None:
    async with hall(tmp_path, test_orders={}, test_seed=SEED) as here:
        matt, ann = await here.two(max_players=3)
        bob, spectator = await here.enter(), await here.enter()
        await bob.joins(matt, "Bob")
        await spectator.spectates(matt)
        for player, events in ((matt, 2), (ann, 2), (bob, 1)):
            for _ in range(events):
                await player.next()
        await start(matt, ann, bob, spectator)
        state = here.house.rooms[matt.lobby].table.state
        for player in (matt, ann, bob):
            assert player.hand == [card(one) for one in state.hands[player.number or 0]]
        assert spectator.hand == []
        await play_out([matt, ann, bob], [spectator])  # which insists on every message that anybody gets


def shown(game: AnyGame, state: Any, seat: int | None) -> bytes:
    """All that the protocol can say about a state, in every vintage."""
    seats = range(len(state.hands))
    table = Table("t", game)
    table.options, table.state, table.phase = game.Options(), state, "playing"
    table.seats = {number: Seat(number, f"P{number}", None, None) for number in seats}
    for dealt_in in table.seats.values():
        dealt_in.dealt_in = True
    place = Place(table, None if seat is None else table.seats[seat])
    told: list[Any] = []
    for vintage in ("note", "modern", "draft"):
        dialect = accept(connection_request({"dialect": vintage}))
        arrival = intents.Watch(table="t") if seat is None else intents.Return(table="t", token="x")
        request = "t" if seat is None else messages.Reconnect("t", "x")
        told += dialect.on_reply(Reply(arrival, 0, place=place, context=request))
        happened = [entries.Started((), bytes(32)).public(), *(entries.Moved(mover) for mover in seats)]
        for entry in happened:
            told += dialect.on_fact(Fact(place, 1, 0, entry, (object(),), False, {}))  # type: ignore[arg-type]
    return b"\n".join(message for message in told if isinstance(message, bytes))


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_c52_no_vintage_tells_the_real_state_from_an_imagined_one(seats: int) -> None:
    game = Palace()
    for seed in range(3):
        positions, steps = check_secrecy(game, seats, game.Options(), seed, encoders=[shown], limit=120)
        assert positions > 50
        assert steps > 50


def test_the_secrecy_test_would_notice() -> None:
    game = Palace()

    def blabs(game: AnyGame, state: Any, seat: int | None) -> bytes:
        return shown(game, state, 0)

    with pytest.raises(AssertionError, match="can tell the real state from an imagined one"):
        check_secrecy(game, 2, game.Options(), 1, encoders=[blabs], limit=50)


# Vintages


async def test_c32_d1_names_of_the_start_event(here: Hall) -> None:
    async def start_event(path: str, *requests: Any) -> str:
        owner, other = await here.enter(path), await here.enter()
        for request in requests:
            await owner.send(request)
            name, _ = await owner.next()
            assert name.endswith("Response")
        await owner.opens()
        await other.joins(owner)
        await owner.hears("PlayerJoinEvent")
        await owner.send({"StartGame": owner.me})
        name, _ = await owner.next()
        await owner.hears("PublicGameStateEvent")
        await owner.hears("StartGameResponse")
        assert (await other.next())[0] == "GameStartedEvent"
        for player in (owner, other):
            await player.socket.close()
        return name

    ids = {"lobby_id": NOBODY, "player_id": NOBODY}
    marks: list[Any] = [
        {"ListLobbies": {"page": 0}},
        {"NewLobby": {"max_players": 0, "password": "", "lobby_name": "", "player_name": "", "turn_timer": 50}},
        {"NewLobby": {"max_players": 0, "password": "", "lobby_name": "", "player_name": "", "turn_timer_secs": 60}},
        {"RequestAi": {**ids, "num_ai": 0}},
        {"KickPlayer": {**ids, "slot": 0}},
        {"SpectateLobby": NOBODY},
        {"TakeTurn": {**ids, "cards": []}},
    ]
    old: list[Any] = ["ListLobbies", {"ListLobbies": None}, {"StartGame": ids}, {"Reconnect": ids}]
    old += [{"MakePlay": {**ids, "cards": []}}, {"JoinLobby": {"lobby_id": NOBODY, "player_name": "A", "password": ""}}]
    assert await start_event("/", *old) == "GameStartedEvent"
    for mark in marks:
        assert await start_event("/", mark) == "GameStartEvent"
        assert await start_event("/?dialect=nonsense", mark) == "GameStartEvent"  # B26
    assert await start_event("/?dialect=note", *marks) == "GameStartedEvent"
    assert await start_event("/?dialect=modern") == "GameStartEvent"
    assert await start_event("/?dialect=draft", *marks) == "GameStartedEvent"


async def test_d31_turn_timer_secs_is_a_mark_and_no_value(here: Hall) -> None:
    matt = await here.enter()
    await matt.opens(turn_timer_secs=7)
    assert (await here.lobbies())[0]["turn_timer"] == 50
    assert await matt.reconnects() == {
        "ReconnectResponse": {"Ok": {"max_players": 4, "num_spectators": 0, "turn_timer": 50}}
    }


@pytest.mark.parametrize(
    ("before", "after", "spoken"),
    [
        ("/", "/", "note"),
        ("/?dialect=note", "/", "note"),
        ("/?dialect=modern", "/", "modern"),
        ("/?dialect=draft", "/", "draft"),
        ("/?dialect=modern", "/?dialect=note", "note"),
        ("/?dialect=draft", "/?dialect=modern", "modern"),
        ("/", "/?dialect=draft", "draft"),
    ],
)
async def test_c66_d32_the_vintage_is_inherited(here: Hall, before: str, after: str, spoken: str) -> None:
    matt, ann = await here.enter(before), await here.enter()
    await matt.opens()
    await ann.joins(matt)
    await matt.hears("PlayerJoinEvent")
    await start(matt, ann)
    again = await here.enter(after)
    told = await again.reconnects(matt)
    start_event = "GameStartEvent" if spoken == "modern" else "GameStartedEvent"
    assert list(told) == [start_event, "PublicGameStateEvent", "ReconnectResponse"]
    full = {"max_players": 4, "num_spectators": 0, "turn_timer": 50}
    assert told["ReconnectResponse"] == {"Ok": full if spoken == "modern" else None}
    await again.send({"ChooseFaceup": {**matt.me, **trio("9♣ J♦ Q♣")}})
    first, _ = await again.next()
    assert first == ("ChooseFaceupResponse" if spoken == "draft" else "HandEvent")


async def test_c66_an_upgrade_after_sitting_down_is_inherited_too(here: Hall) -> None:
    matt, ann = await here.playing()
    await matt.ask({"ListLobbies": {"page": 0}})
    assert "GameStartEvent" in await (await here.enter()).reconnects(matt)
    # Who has been upgraded stays so, whoever had the seat before.
    modern = await here.enter()
    await modern.ask({"ListLobbies": {"page": 0}})
    assert "GameStartEvent" in await modern.reconnects(ann)


async def test_c67_d33_the_draft_vintage(tmp_path: Path) -> None:
    async with hall(tmp_path, test_orders={}, test_seed=SEED) as here:
        host, guest = await here.enter("/?dialect=draft"), await here.enter("/?dialect=draft")
        await host.opens(max_players=3)
        await guest.joins(host, "guest")
        joined = await host.hears("PlayerJoinEvent")
        assert joined == {"num_players": 2, "total_num_players": 2, "new_player_name": "guest", "slot": 1}
        passer_by = await here.enter()
        await passer_by.joins(host)
        assert (await host.hears("PlayerJoinEvent"))["num_players"] == 3
        assert (await guest.hears("PlayerJoinEvent"))["num_players"] == 3
        await passer_by.spectates(host)  # neither its leaving nor its watching is told
        assert await host.silent()
        await start(host, guest)
        players = {player.number: player for player in (host, guest)}
        luck = Random(1)
        state: Any = None
        while state is None or state["cur_phase"] != "Complete":
            number = state["active_player"] if state else 0
            active, other = players[number], players[1 - number]
            if state is None or state["cur_phase"] == "Setup":
                name = "ChooseFaceup"
                shown = (await active.reconnects())["PublicGameStateEvent"]["face_up_three"][number]
                turn: Any = dict(zip(("card_one", "card_two", "card_three"), shown, strict=True))
            else:
                name = "MakePlay"
                turn = {"cards": sensible(active.hand or state["face_up_three"][number], state, luck)}
            await active.send({name: {**active.me, **turn}})
            active.hand = (await active.hears(f"{name}Response"))["Ok"]["hand"]
            state = await active.hears("PublicGameStateEvent")
            assert len(active.hand) == state["hands"][number]
            assert await other.hears("PublicGameStateEvent") == state
        for player in (host, guest):
            assert await player.silent()
        await host.socket.close()
        assert await guest.silent()


async def test_c67_draft_errors(here: Hall) -> None:
    matt, ann = await here.enter("/?dialect=draft"), await here.enter()
    await matt.opens()
    await ann.joins(matt)
    await matt.hears("PlayerJoinEvent")
    await start(matt, ann)
    for name in ("MakePlay", "TakeTurn"):
        await matt.send({name: {**matt.me, "cards": []}})
        assert await matt.next() == ("illegal", None)
    assert await matt.ask({"MakePlay": {**matt.me, "player_id": NOBODY, "cards": []}}) == {"Err": "PlayerNotFound"}
    assert await matt.ask({"MakePlay": {**ann.me, "cards": []}}) == {"Err": "NotYourTurn"}


async def test_c67_c69_draft_take_turn(here: Hall) -> None:
    matt, ann = await here.enter("/?dialect=draft"), await here.enter()
    await matt.opens()
    await ann.joins(matt)
    await matt.hears("PlayerJoinEvent")
    await start(matt, ann)
    answer = await matt.ask({"TakeTurn": {**matt.me, "cards": cards("9♣ J♦ Q♣")}})
    assert answer == {"Ok": {"hand": cards("4♦ 5♣ 7♦ 9♦ 10♣ K♣")}}
    await matt.hears("PublicGameStateEvent")
    assert await matt.silent()


async def test_d33_draft_the_response_comes_first_even_for_another_seat(here: Hall) -> None:
    matt, ann = await here.enter(), await here.enter("/?dialect=draft")
    await matt.opens()
    await ann.joins(matt)
    await matt.hears("PlayerJoinEvent")
    await start(matt, ann)
    answer = await ann.ask({"ChooseFaceup": {**matt.me, **trio("9♣ J♦ Q♣")}})
    assert answer == {"Ok": {"hand": cards("4♦ 5♣ 7♦ 9♦ 10♣ K♣")}}
    await ann.hears("PublicGameStateEvent")
    await matt.hears("HandEvent")
    # And from a connection that is not at the table at all.
    stranger = await here.enter("/?dialect=draft")
    answer = await stranger.ask({"ChooseFaceup": {**ann.me, **trio("6♣ 10♦ A♦")}})
    assert answer == {"Ok": {"hand": cards("3♦ 5♦ 6♦ 7♣ Q♦ A♣")}}
    assert await stranger.silent()


async def test_c68_d26_spectators(here: Hall) -> None:
    matt, ann = await here.two()
    early = await here.enter()
    answer = await early.spectates(matt)
    assert answer == {"lobby_players": ["Matt", "Ann"], "max_players": 4, "num_spectators": 1, "turn_timer": 50}
    for player in (matt, ann):
        assert await player.hears("SpectatorJoinEvent") is None
    await matt.send({"StartGame": matt.me})
    assert await early.hears("SpectateGameStartEvent") == {"players": {"0": "Matt", "1": "Ann"}}
    await early.hears("PublicGameStateEvent")
    for player in (matt, ann):
        await player.hears("GameStartedEvent")
        await player.hears("PublicGameStateEvent")
    await matt.hears("StartGameResponse")
    late = await here.enter()
    await late.send({"SpectateLobby": matt.lobby})
    assert (await late.hears("SpectateLobbyResponse"))["Ok"]["num_spectators"] == 2
    assert await late.hears("SpectateGameStartEvent") == {"players": {"0": "Matt", "1": "Ann"}}
    assert (await late.hears("PublicGameStateEvent"))["cur_phase"] == "Setup"
    for player in (matt, ann, early):
        await player.hears("SpectatorJoinEvent")
    await matt.chooses(cards("9♣ J♦ Q♣"), ann, early, late)
    await late.socket.close()
    for player in (matt, ann, early):
        assert await player.hears("SpectatorLeaveEvent") is None
    # Watching again from the same place: the new visit is nothing to tell oneself, the end of the old one is.
    await early.send({"SpectateLobby": matt.lobby})
    assert [(await early.next())[0] for _ in range(4)] == [
        "SpectateLobbyResponse", "SpectateGameStartEvent", "PublicGameStateEvent", "SpectatorLeaveEvent",
    ]  # fmt: skip


async def test_c69_take_turn(here: Hall) -> None:
    matt, ann = await here.playing()
    await matt.send({"TakeTurn": {**matt.me, "cards": cards("9♣ J♦ Q♣")}})
    for name in ("HandEvent", "PublicGameStateEvent", "TakeTurnResponse"):
        await matt.hears(name)
    await ann.hears("PublicGameStateEvent")
    await ann.chooses(cards("6♣ 10♦ A♦"), matt)
    await matt.send({"TakeTurn": {**matt.me, "cards": cards("5♣")}})
    await matt.hears("HandEvent")
    assert (await matt.hears("PublicGameStateEvent"))["top_card"] == card("5♣")
    assert await matt.hears("TakeTurnResponse") == {"Ok": None}


# When the server fails


def test_a_failure_is_an_internal_server_error() -> None:
    dialect = accept(connection_request())
    for code in ("internal", "unavailable", "house_full"):
        for intent in (intents.Start(table="1", token="2"), intents.Detach()):
            refusal = Refused(code, "oh")
            assert list(dialect.on_refused(Reply(intent, 0, refusal), refusal)) == [b'"InternalServerError"']
    assert list(dialect.on_resync(cast(Place, None))) == [b'"InternalServerError"']
    assert list(dialect.on_replaced()) == []


async def test_the_connection_survives_a_failure(here: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    def explode(*_: Any) -> None:
        raise RuntimeError("boom")

    matt, ann = await here.two()
    monkeypatch.setattr(rulings, "started", explode)
    await matt.send({"StartGame": matt.me})
    assert await matt.next() == ("InternalServerError", None)
    monkeypatch.undo()
    await start(matt, ann)


async def test_a_journal_that_fails_is_an_internal_server_error(here: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    matt, ann = await here.playing()
    append = here.house.journal.append

    def fails(batch: Any) -> None:
        asyncio.get_running_loop().call_soon(batch.settled, OSError("the disk is full"))

    monkeypatch.setattr(here.house.journal, "append", fails)
    await matt.send({"ChooseFaceup": {**matt.me, **trio("9♣ J♦ Q♣")}})
    assert await matt.next() == ("InternalServerError", None)
    monkeypatch.setattr(here.house.journal, "append", append)
    assert await ann.next() == ("InternalServerError", None)  # in place of the event that did not happen
    assert await matt.next() == ("InternalServerError", None)
    told = await (await here.enter()).reconnects(matt)
    assert told["PublicGameStateEvent"]["active_player"] == 0
