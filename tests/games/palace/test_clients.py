"""The clients that exist, as each of them acts: what it sends, in its order, and what it stumbles over.

Which there are is told in docs/clients.md, what their owners see in docs/protocols/palace.md.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.client import client
from tests.games.palace.wire import Hall, Player, hall, start

BOTH_PORTS = ("palace=127.0.0.1:0", "palace+modern=127.0.0.1:0")


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Hall]:
    async with hall(tmp_path) as found:
        yield found


class Middle(Player):
    """A browser client of 2018: it knows the modern names, and has not yet a word that would give it away."""

    async def finds_and_joins(self, name: str) -> None:
        """It asks for the list in the old form, and joins the first lobby there is."""
        (lobby, *_) = await self.ask("ListLobbies")
        joined = await self.ask({"JoinLobby": {"lobby_id": lobby["lobby_id"], "player_name": name, "password": ""}})
        self.lobby, self.id = lobby["lobby_id"], joined["Ok"]["player_id"]

    async def hears_of_the_start(self) -> dict[str, Any]:
        """*Waiting for Game to Begin*, until the one event that it knows."""
        started: dict[str, Any] = await self.hears("GameStartEvent")
        await self.hears("PublicGameStateEvent")
        return started


async def middle(here: Hall, path: str = "/", port: str = "palace") -> Middle:
    return Middle((await here.enter(path, port)).socket)


@pytest.mark.parametrize(
    ("settings", "path", "port"),
    [
        ({"listen": BOTH_PORTS}, "/", "palace+modern"),
        ({"variant": ("palace=modern",)}, "/", "palace"),
        ({"variant": ("palace=modern",)}, "/?dialect=nonsense", "palace"),
        ({}, "/?dialect=modern", "palace"),
    ],
)
async def test_a_joiner_without_any_mark_hears_of_the_start(
    settings: dict[str, Any], path: str, port: str, tmp_path: Path
) -> None:
    async with hall(tmp_path, **settings) as here:
        matt, joiner = await here.enter("/?dialect=note"), await middle(here, path, port)
        await matt.opens()
        await joiner.finds_and_joins("Uma")
        await matt.hears("PlayerJoinEvent")
        await matt.send({"StartGame": matt.me})
        assert (await joiner.hears_of_the_start())["players"] == {"0": "Matt", "1": "Uma"}
        await matt.hears("GameStartedEvent")  # the other at the same table has said what it wants to hear


async def test_a_port_for_a_vintage_leaves_the_others_as_they_are(tmp_path: Path) -> None:
    async with hall(tmp_path, listen=(*BOTH_PORTS, "palace+draft=127.0.0.1:0")) as here:
        matt, ann = await here.two(max_players=5)
        uma, old = await here.enter(port="palace+modern"), await here.enter(port="palace+draft")
        pinned = await here.enter("/?dialect=note", "palace+modern")
        for number, player in enumerate((uma, old, pinned)):
            await player.joins(matt, f"player {number}")
        await matt.send({"StartGame": matt.me})
        heard = []
        for player in (matt, ann, uma, old, pinned):
            name, _ = await player.next()
            while name == "PlayerJoinEvent":
                name, _ = await player.next()
            heard.append(name)
        started = "GameStartedEvent"
        assert heard == [started, started, "GameStartEvent", started, started]


async def test_a_mark_makes_a_modern_one_of_any_default(tmp_path: Path) -> None:
    """The draft's joining event has a member of its own: it tells what is spoken."""
    async with hall(tmp_path, variant=("palace=draft",)) as here:
        draft, marked = await here.enter(), await here.enter()
        await draft.opens()
        await marked.opens(turn_timer=50)
        for host, old in ((draft, True), (marked, False)):
            await (await here.enter()).joins(host)
            assert ("num_players" in await host.hears("PlayerJoinEvent")) is old


# Around a game: the next one, a server that comes back, a second tab, an owner who is gone.


class Modern(Middle):
    """The last browser client: its first message is a page of the list."""

    async def looks_around(self) -> None:
        await self.ask({"ListLobbies": {"page": 0}})


async def modern(here: Hall) -> Modern:
    found = Modern((await here.enter()).socket)
    await found.looks_around()
    return found


async def pair(here: Hall) -> tuple[Modern, Modern]:
    """Uma, who owns a lobby for three, and Vic, who has joined it."""
    uma, vic = await modern(here), await modern(here)
    await uma.opens(max_players=3, player_name="Uma", turn_timer=30)
    await vic.joins(uma, "Vic")
    await uma.hears("PlayerJoinEvent")
    return uma, vic


async def turn(player: Player, state: dict[str, Any], *others: Player) -> Any:
    """The player keeps what lies face up, or plays the first card there is. Returns the new state."""
    face_up = state["face_up_three"][state["active_player"]]
    if state["cur_phase"] == "Setup":
        return await player.chooses(face_up, *others)
    return await player.lays((player.hand or face_up)[:1], *others)


async def to_the_end(*players: Player) -> None:
    """Everybody plays what they have, one card at a time, until the game is over; what is told then is heard."""
    by_number = {player.number: player for player in players}
    state = (await players[0].reconnects())["PublicGameStateEvent"]
    while state["cur_phase"] != "Complete":
        player = by_number[state["active_player"]]
        state = await turn(player, state, *(other for other in players if other is not player))
    order = await players[0].hears("GameCompleteEvent")
    for other in players[1:]:
        assert await other.hears("GameCompleteEvent") == order
    await by_number[state["active_player"]].hears("MakePlayResponse")


async def test_three_games_at_a_table(here: Hall) -> None:
    uma, vic = await pair(here)
    for game in range(3):
        (lobby,) = (await uma.ask({"ListLobbies": {"page": 0}}))["lobbies"]
        assert (lobby["games_completed"], lobby["started"]) == (game, False)
        await start(uma, vic)
        await to_the_end(uma, vic)


async def test_somebody_new_joins_the_second_game(here: Hall) -> None:
    uma, vic = await pair(here)
    await start(uma, vic)
    await to_the_end(uma, vic)
    joiner = await middle(here, "/?dialect=modern")
    await joiner.finds_and_joins("Wim")
    for player in (uma, vic):
        assert (await player.hears("PlayerJoinEvent"))["slot"] == 2
    await start(uma, vic, joiner)


@pytest.mark.parametrize("marked_by", ["page", "bots", "url"])
@pytest.mark.parametrize("stage", ["lobby", "game", "result"])
async def test_a_restart_and_the_vintage_of_the_seat(tmp_path: Path, stage: str, marked_by: str) -> None:
    """After it the client sends Reconnect and nothing else, and hears the names it knows."""
    async with hall(tmp_path) as here:
        uma = await here.enter("/?dialect=modern" if marked_by == "url" else "/")
        vic = await here.enter()  # of the note's: it has said nothing of itself
        if marked_by == "page":
            await uma.ask({"ListLobbies": {"page": 0}})
        await uma.opens(max_players=3)
        if marked_by == "bots":
            assert await uma.ask({"RequestAi": {**uma.me, "num_ai": 0}}) == {"Err": "LessThanOneAiRequested"}
        await vic.joins(uma, "Vic")
        await uma.hears("PlayerJoinEvent")
        if stage != "lobby":
            await start(uma, vic)
        if stage == "result":
            await to_the_end(uma, vic)
    async with hall(tmp_path) as here:
        again, other = await here.enter(), await here.enter()
        told = await again.reconnects(uma)
        assert told["ReconnectResponse"] == {"Ok": {"max_players": 3, "num_spectators": 0, "turn_timer": 50}}
        assert (await other.reconnects(vic))["ReconnectResponse"] == {"Ok": None}
        if stage == "game":
            assert list(told) == ["GameStartEvent", "PublicGameStateEvent", "ReconnectResponse"]
            again.hand, other.hand = uma.hand, vic.hand
            await to_the_end(again, other)
        await again.send({"StartGame": again.me})
        await again.hears("GameStartEvent")
        await other.hears("GameStartedEvent")


async def test_a_server_that_is_told_better_after_a_restart_is_believed(tmp_path: Path) -> None:
    """The owner of a client that waits for ever looks it up, and starts the server for it."""
    async with hall(tmp_path) as here:
        matt, joiner = await here.enter(), await middle(here)
        await matt.opens()
        await joiner.finds_and_joins("Uma")
        await matt.hears("PlayerJoinEvent")
        await start(matt, joiner)
    async with hall(tmp_path, variant=("palace=modern",)) as here:
        assert "GameStartEvent" in await (await here.enter()).reconnects(joiner)


async def test_a_second_tab_with_the_same_player_has_the_seat_and_the_first_hears_nothing_more(here: Hall) -> None:
    uma, vic = await pair(here)
    await start(uma, vic)
    second = await modern(here)
    assert "GameStartEvent" in await second.reconnects(uma)
    await uma.socket.close()  # and that does not make anybody absent
    await start_over(second, vic)
    assert (await second.ask("ListLobbies"))[0]["cur_players"] == 2


async def start_over(*players: Player) -> None:
    """The game that runs is played to its end, and another begins."""
    for player in players:
        told = await player.reconnects()
        player.hand, player.number = told["GameStartEvent"]["hand"], told["GameStartEvent"]["turn_number"]
    await to_the_end(*players)
    await start(*players)


async def test_a_second_tab_that_joins_anew_is_another_player(here: Hall) -> None:
    uma, vic = await pair(here)
    tab = await modern(here)
    assert (await tab.joins(uma, "Vic"))["lobby_players"] == ["Uma", "Vic"]
    await uma.hears("PlayerJoinEvent")
    await vic.hears("PlayerJoinEvent")
    await tab.socket.close()
    assert (await vic.hears("PlayerLeaveEvent"))["slot"] == 2


async def test_an_owner_who_is_gone_in_the_lobby_closes_it_and_who_waited_joins_another(here: Hall) -> None:
    uma, vic = await pair(here)
    await uma.socket.close()
    assert await vic.hears("LobbyCloseEvent") == "OwnerLeft"
    assert await vic.ask("ListLobbies") == []
    again = await modern(here)
    await again.opens(player_name="Uma")
    await vic.joins(again, "Vic")


async def test_an_owner_who_is_gone_in_the_game_and_back_owns_the_lobby_after_it(here: Hall) -> None:
    uma, vic = await pair(here)
    await start(uma, vic)
    await uma.socket.close()
    back = await modern(here)
    await back.reconnects(uma)
    back.hand = uma.hand
    await to_the_end(back, vic)
    await start(back, vic)


async def test_an_owner_who_is_gone_at_the_end_of_the_game_leaves_no_lobby(here: Hall) -> None:
    uma, vic = await pair(here)
    await start(uma, vic)
    await uma.socket.close()
    state = (await vic.reconnects())["PublicGameStateEvent"]
    await here.time.to_pass(30)  # her time is up, and from then on she is played for
    while state["cur_phase"] != "Complete":
        if state["active_player"] == vic.number:
            state = await turn(vic, state)
        else:
            await here.time.to_pass(1)
            state = await vic.hears("PublicGameStateEvent")
    await vic.hears("GameCompleteEvent")
    assert await vic.hears("LobbyCloseEvent") == "OwnerLeft"


async def test_everybody_can_see_who_could_not_know_that_they_are_the_host(here: Hall) -> None:
    async with client(here.live.ws("/ws")) as ann, client(here.live.ws("/ws")) as ben:
        table = (await ann.ask("open", game="palace", player="Ann"))["sync"]["table"]["id"]
        vic = await modern(here)
        vic.lobby = table
        await vic.joins(vic, "Vic")
        joined = await ben.ask("join", table=table, player="Ben")
        able = {player["name"]: player.get("can_host", True) for player in joined["sync"]["table"]["players"]}
        assert able == {"Ann": True, "Vic": False, "Ben": True}
        await ann.ask("leave")
        # Of the two who are still there it is the one who can.
        assert (await ben.ask("see"))["sync"]["table"]["host"] == 2
