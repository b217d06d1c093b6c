"""Clocks, lost connections and what becomes of lobbies, over real sockets, with a clock that the tests set by hand.

The names c56, c57, … are the lines of the checklist, d14, d15, … the decisions, in docs/protocols/palace.md.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect

from croupier.tables.settings import Settings
from tests.client import client
from tests.games.palace.wire import DECK, Hall, Player, card, cards, hall, set_up, start, trio
from tests.live import server

SHORT_DECK = [
    "2♣", "10♦", "10♣", "3♣", "8♣", "9♣", "5♣", "5♦", "6♣", "6♦", "7♣", "7♦",
    "J♣", "J♦", "Q♣", "8♦", "9♦", "K♣", "3♦", "4♦", "Q♦", "K♦", "A♣", "A♦",
    "2♦", "4♣",
]  # fmt: skip
"""Player 0 gets rid of the hand by pairs that burn, and of the tens; then of a Two, which does not."""


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Hall]:
    async with hall(tmp_path) as found:
        yield found


async def ejected(player: Player) -> None:
    assert await player.hears("LobbyCloseEvent") == "Afk"


# The turn clock


@pytest.mark.parametrize(("settings", "limit"), [({}, 50), ({"turn_timer": 1}, 1), ({"turn_timer": 255}, 255)])
async def test_c56_c57_d13_d14_who_is_late_is_ejected(here: Hall, settings: Any, limit: int) -> None:
    matt, ann = await here.playing(**settings)
    await here.time.to_pass(limit - 0.001)
    assert await matt.silent()
    assert await ann.silent()
    await here.time.to_pass(0.001)
    await ejected(matt)
    # In the same step a bot has made the move, of which the ejected is told nothing.
    state = await ann.hears("PublicGameStateEvent")
    assert state["active_player"] == 1
    assert await matt.silent()


async def test_c58_d18_an_ejected_seat_is_played_at_once_and_can_be_taken_back(here: Hall) -> None:
    matt, ann = await here.playing()
    await here.time.to_pass(50)
    await ejected(matt)
    await ann.hears("PublicGameStateEvent")
    await ann.chooses(cards("6♣ 10♦ A♦"))
    for name, turn in (("MakePlay", {"cards": cards("5♣")}), ("ChooseFaceup", trio("9♣ J♦ Q♣"))):
        assert await matt.ask({name: {**matt.me, **turn}}) == {"Err": "PlayerNotFound"}
    await here.time.to_pass(1)
    assert (await ann.hears("PublicGameStateEvent"))["active_player"] == 1
    told = await matt.reconnects()
    assert list(told) == ["GameStartedEvent", "PublicGameStateEvent", "ReconnectResponse"]
    assert len(told["GameStartedEvent"]["hand"]) == 5
    assert await ann.silent()
    # A full clock at the next turn.
    await here.time.to_pass(10)
    state = await ann.plays("5♦", matt)
    if state["active_player"] == 1:  # it was a Five that the bot played: they burn
        await ann.plays("3♦", matt)
    await here.time.to_pass(49.9)
    assert await matt.silent()
    await here.time.to_pass(0.1)
    await ejected(matt)


async def test_d14_a_return_in_time_does_not_restart_the_clock(here: Hall) -> None:
    matt, ann = await here.playing()
    await here.time.to_pass(40)
    await matt.socket.close()
    again = await here.enter()
    await again.reconnects(matt)
    await here.time.to_pass(9.9)
    assert await ann.silent()
    await here.time.to_pass(0.1)
    await ejected(again)
    await ann.hears("PublicGameStateEvent")


async def test_refused_turns_kicks_and_spectators_do_not_touch_the_clock(here: Hall) -> None:
    matt, _ = await here.playing()
    await here.time.to_pass(49)
    assert "Err" in await matt.ask({"MakePlay": {**matt.me, "cards": []}})
    await (await here.enter()).spectates(matt)
    await matt.hears("SpectatorJoinEvent")
    assert await matt.ask({"KickPlayer": {**matt.me, "slot": 1}}) == {"Ok": None}
    await here.time.to_pass(1)
    await ejected(matt)


async def test_c59_d15_a_play_after_a_burn_has_its_own_clock(tmp_path: Path) -> None:
    async with hall(tmp_path, test_orders={"deck": SHORT_DECK, "seats": [0, 1]}) as here:
        matt, ann = await here.playing()
        await set_up(matt, ann)
        for pair in ("5♣ 5♦", "6♣ 6♦", "7♣ 7♦"):
            await here.time.to_pass(49.9)
            state = await matt.plays(pair, ann)
            assert state["active_player"] == 0
        await here.time.to_pass(49.9)
        assert await matt.silent()
        await here.time.to_pass(0.1)
        await ejected(matt)


async def test_c65_d16_without_a_limit(here: Hall) -> None:
    matt, ann = await here.playing(turn_timer=0)
    assert (await here.lobbies())[0]["turn_timer"] == 0
    await here.time.to_pass(3600)
    assert await matt.silent()
    # Who is away is waited for, for 50 seconds from when they went, or from when it is their turn.
    await matt.socket.close()
    await here.time.to_pass(49.9)
    assert await ann.silent()
    await here.time.to_pass(0.1)
    assert (await ann.hears("PublicGameStateEvent"))["active_player"] == 1
    # From then on the bot plays at once.
    await ann.chooses(cards("6♣ 10♦ A♦"))
    await here.time.to_pass(1)
    assert (await ann.hears("PublicGameStateEvent"))["active_player"] == 1


async def test_d16_away_before_the_turn_begins(here: Hall) -> None:
    matt, ann = await here.playing(turn_timer=0)
    await ann.socket.close()
    await here.time.to_pass(20)
    await matt.chooses(cards("9♣ J♦ Q♣"))
    await here.time.to_pass(49.9)
    assert await matt.silent()
    await here.time.to_pass(0.1)
    assert (await matt.hears("PublicGameStateEvent"))["cur_phase"] == "Play"


async def test_bots_are_neither_early_nor_late(here: Hall) -> None:
    matt = await here.enter()
    await matt.opens()
    await matt.send({"RequestAi": {**matt.me, "num_ai": 1}})
    await matt.hears("PlayerJoinEvent")
    await matt.hears("RequestAiResponse")
    await start(matt)
    await matt.chooses(cards("9♣ J♦ Q♣"))
    await here.time.to_pass(1)
    assert (await matt.hears("PublicGameStateEvent"))["active_player"] == 0


async def test_d37_an_ejected_seat_keeps_its_name_and_is_no_bot(here: Hall) -> None:
    matt, ann = await here.playing()
    await here.time.to_pass(50)
    await ejected(matt)
    (listed,) = await here.lobbies()
    assert (listed["cur_players"], listed["ai_players"], listed["owner"]) == (2, 0, "Matt")
    told = await ann.reconnects()
    assert told["GameStartedEvent"]["players"] == {"0": "Matt", "1": "Ann"}


async def test_all_may_be_ejected_and_the_game_goes_on(here: Hall) -> None:
    matt, ann = await here.playing(turn_timer=5)
    watcher = await here.enter()
    await watcher.spectates(matt)
    for _ in range(2):
        await watcher.next()
    for player in (matt, ann):
        await player.hears("SpectatorJoinEvent")
    await here.time.to_pass(5)
    await ejected(matt)
    await ann.hears("PublicGameStateEvent")
    await here.time.to_pass(5)
    await ejected(ann)
    state: Any = {}
    while state.get("cur_phase") != "Complete":
        await here.time.to_pass(0.1)
        state = await watcher.hears("PublicGameStateEvent")
    order = await watcher.hears("GameCompleteEvent")
    assert sorted(order) == [0, 1]
    assert await watcher.hears("LobbyCloseEvent") == "OwnerLeft"  # D21: the owner is not there any more
    assert await here.lobbies() == []
    for player in (matt, ann):
        assert await player.silent()


# Connections


async def test_c60_a_lost_connection_in_a_game_is_told_to_nobody(here: Hall) -> None:
    matt, ann = await here.playing()
    await set_up(matt, ann)
    await matt.plays("5♣", ann)
    await matt.socket.close()
    assert await ann.silent()
    again = await here.enter()
    told = await again.reconnects(matt)
    assert list(told) == ["GameStartedEvent", "PublicGameStateEvent", "ReconnectResponse"]
    assert told["GameStartedEvent"] == {
        "hand": cards("4♦ 7♦ 9♦ 10♣ K♣"), "turn_number": 0, "players": {"0": "Matt", "1": "Ann"},
    }  # fmt: skip
    assert told["PublicGameStateEvent"]["top_card"] == card("5♣")
    assert await ann.silent()
    await ann.plays("6♦", again)


async def test_c62_d17_another_connection_replaces_the_first(here: Hall) -> None:
    matt, ann = await here.playing()
    second = await here.enter()
    await second.reconnects(matt)
    await second.chooses(cards("9♣ J♦ Q♣"), ann)
    assert await matt.silent()
    await matt.socket.close()
    await ann.chooses(cards("6♣ 10♦ A♦"), second)
    (listed,) = here.house.summaries()
    assert not any(player.away for player in listed.players)
    # The same while waiting: neither does the lobby end with the first connection.
    eve, evil_twin = await here.enter(), await here.enter()
    await eve.opens()
    assert await evil_twin.reconnects(eve) == {"ReconnectResponse": {"Ok": None}}
    await eve.socket.close()
    assert len(await here.lobbies()) == 2
    await evil_twin.socket.close()
    await ann.silent()
    assert len(await here.lobbies()) == 1


async def test_a_return_on_the_same_connection_changes_nothing(here: Hall) -> None:
    matt, ann = await here.playing()
    for _ in range(3):
        assert list(await matt.reconnects()) == ["GameStartedEvent", "PublicGameStateEvent", "ReconnectResponse"]
    assert await ann.silent()
    await matt.chooses(cards("9♣ J♦ Q♣"), ann)
    assert await matt.silent()


async def test_who_goes_elsewhere_is_away(here: Hall) -> None:
    matt, ann = await here.playing()
    eve = await here.enter()
    await eve.opens(player_name="Eve")
    first = matt.me
    await matt.joins(eve)
    assert await ann.silent()
    assert [player.away for player in here.house.summaries()[0].players] == [True, False]
    # A turn can still be taken from there, for ids are enough; but its events go to nobody.
    assert await matt.ask({"ChooseFaceup": {**first, **trio("9♣ J♦ Q♣")}}) == {"Ok": None}
    await ann.hears("PublicGameStateEvent")
    # Coming back leaves the other lobby.
    await eve.hears("PlayerJoinEvent")
    await matt.send({"Reconnect": first})
    assert [(await matt.next())[0] for _ in range(3)] == [
        "GameStartedEvent", "PublicGameStateEvent", "ReconnectResponse",
    ]  # fmt: skip
    assert await eve.hears("PlayerLeaveEvent") == {"total_num_players": 1, "slot": 1}


async def test_kicked_in_a_game(here: Hall) -> None:
    matt, ann = await here.playing()
    spectator = await here.enter()
    await spectator.spectates(matt)
    for _ in range(2):
        await spectator.next()
    for player in (matt, ann):
        await player.hears("SpectatorJoinEvent")
    assert await matt.ask({"KickPlayer": {**matt.me, "slot": 1}}) == {"Ok": None}
    assert await ann.hears("LobbyCloseEvent") == "Kicked"
    assert await spectator.silent()
    assert await matt.ask({"KickPlayer": {**matt.me, "slot": 1}}) == {"Ok": None}  # again: fine
    await matt.chooses(cards("9♣ J♦ Q♣"), spectator)
    await here.time.to_pass(1)
    assert (await matt.hears("PublicGameStateEvent"))["cur_phase"] == "Play"  # the bot has chosen for Ann
    assert await ann.silent()
    assert (await here.lobbies())[0]["cur_players"] == 2


# The end of a game


def about_to_end(here: Hall, lobby: str) -> None:
    """Two players have a card each, player 0 to move; the others are out."""
    state = here.house.rooms[lobby].table.state
    seats = len(state.hands)
    everything = [
        *state.undealt,
        *(one for zone in (state.hands, state.face_up, state.face_down) for c in zone for one in c),
    ]
    everything.remove("5♣")
    everything.remove("6♦")
    state.cleared, state.undealt = everything, []
    state.hands = [["5♣"], ["6♦"], *([] for _ in range(seats - 2))]
    state.face_up = [[] for _ in range(seats)]
    state.face_down = [[] for _ in range(seats)]
    state.phase, state.active, state.order = "play", 0, list(range(2, seats))


async def test_c64_d12_d22_who_is_not_there_is_removed(tmp_path: Path) -> None:
    async with hall(tmp_path, test_orders={"seats": [0, 1, 2, 3]}) as here:
        matt = await here.enter()
        await matt.opens(max_players=5)
        others: list[Player] = []
        for name in ("Ann", "Bob", "Cat"):
            player = await here.enter()
            await player.joins(matt, name)
            for listener in (matt, *others):
                await listener.hears("PlayerJoinEvent")
            others.append(player)
        ann, bob, cat = others
        await start(matt, *others)
        spectator = await here.enter()
        await spectator.spectates(matt)
        for _ in range(2):
            await spectator.next()
        for player in (matt, ann, bob, cat):
            await player.hears("SpectatorJoinEvent")
        await ann.socket.close()
        assert await matt.ask({"KickPlayer": {**matt.me, "slot": 2}}) == {"Ok": None}
        assert await bob.hears("LobbyCloseEvent") == "Kicked"

        about_to_end(here, matt.lobby)
        await matt.send({"MakePlay": {**matt.me, "cards": cards("5♣")}})
        assert await matt.hears("HandEvent") == []
        final = await matt.hears("PublicGameStateEvent")
        assert (final["cur_phase"], final["active_player"], final["pile_size"]) == ("Complete", 0, 1)
        for player in (cat, spectator):
            assert await player.hears("PublicGameStateEvent") == final
        for player in (matt, cat, spectator):
            assert await player.hears("GameCompleteEvent") == [2, 3, 0, 1]
            assert await player.hears("PlayerLeaveEvent") == {"total_num_players": 3, "slot": 1}
            assert await player.hears("PlayerLeaveEvent") == {"total_num_players": 2, "slot": 2}
        assert await matt.hears("MakePlayResponse") == {"Ok": None}
        assert await bob.silent()

        (listed,) = await here.lobbies()
        assert (listed["cur_players"], listed["started"], listed["games_completed"]) == (2, False, 1)
        for gone in (ann, bob):
            assert await bob.ask({"Reconnect": gone.me}) == {"Err": "PlayerNotFound"}
        # The numbers stay as slots, the lowest free one is given away next, and a new start numbers everybody anew.
        await bob.joins(matt, "Bob again")
        for player in (matt, cat, spectator):
            assert (await player.hears("PlayerJoinEvent"))["slot"] == 1
        assert await matt.ask({"KickPlayer": {**matt.me, "slot": 2}}) == {"Err": "TargetPlayerNotFound"}
        here.house.settings = Settings()  # with its own luck: the seats of the first start are not the same
        await start(matt, cat, bob, spectator)
        assert sorted([matt.number, cat.number, bob.number]) == [0, 1, 2]  # type: ignore[type-var]


async def test_c64_d21_without_its_owner_the_lobby_closes(here: Hall) -> None:
    matt, ann = await here.playing()
    await matt.socket.close()
    about_to_end(here, ann.lobby)
    await here.time.to_pass(50)  # a bot makes Matt's last move
    assert (await ann.hears("PublicGameStateEvent"))["cur_phase"] == "Complete"
    assert await ann.hears("GameCompleteEvent") == [0, 1]
    assert await ann.hears("LobbyCloseEvent") == "OwnerLeft"
    assert await here.lobbies() == []


async def test_d21_the_response_comes_after_the_end_of_the_lobby(tmp_path: Path) -> None:
    async with hall(tmp_path, test_orders={"seats": [1, 0]}) as here:
        matt, ann = await here.playing()
        await matt.socket.close()
        about_to_end(here, ann.lobby)
        await ann.send({"MakePlay": {**ann.me, "cards": cards("5♣")}})
        assert [(await ann.next())[0] for _ in range(5)] == [
            "HandEvent", "PublicGameStateEvent", "GameCompleteEvent", "LobbyCloseEvent", "MakePlayResponse",
        ]  # fmt: skip


async def test_an_ejection_may_end_the_game(here: Hall) -> None:
    matt, ann = await here.two()
    stranger = await here.enter()
    await start(matt, ann)
    about_to_end(here, matt.lobby)
    await here.time.to_pass(50)
    await ejected(matt)
    for name in ("PublicGameStateEvent", "GameCompleteEvent", "LobbyCloseEvent"):
        await ann.hears(name)
    assert await matt.silent()
    # Its connection is free for something else.
    await stranger.opens()
    await matt.joins(stranger)
    assert (await stranger.hears("PlayerJoinEvent"))["slot"] == 1


# Abandoned lobbies


async def solo(here: Hall) -> Player:
    """A game of one person and a bot."""
    matt = await here.enter()
    await matt.opens()
    await matt.send({"RequestAi": {**matt.me, "num_ai": 1}})
    await matt.hears("PlayerJoinEvent")
    await matt.hears("RequestAiResponse")
    await start(matt)
    return matt


async def test_c63_a_game_without_people_is_gone_after_30_seconds(here: Hall) -> None:
    matt = await solo(here)
    await matt.socket.close()
    await here.time.to_pass(29.9)
    assert len(await here.lobbies()) == 1
    await here.time.to_pass(0.1)
    assert await here.lobbies() == []


async def test_c63_a_return_in_time_keeps_it(here: Hall) -> None:
    matt = await solo(here)
    await matt.socket.close()
    await here.time.to_pass(29.9)
    again = await here.enter()
    await again.reconnects(matt)
    await here.time.to_pass(20)
    assert len(await here.lobbies()) == 1
    await again.socket.close()
    await here.time.to_pass(29.9)
    assert len(await here.lobbies()) == 1
    await here.time.to_pass(0.1)
    assert await here.lobbies() == []


async def test_c63_the_last_one_counts(here: Hall) -> None:
    matt, ann = await here.playing(turn_timer=0)
    await matt.socket.close()
    await here.time.to_pass(40)
    await ann.socket.close()
    await here.time.to_pass(29.9)
    assert len(await here.lobbies()) == 1
    await here.time.to_pass(0.1)
    assert await here.lobbies() == []


async def test_c63_a_spectator_keeps_it_and_is_the_last_to_go(here: Hall) -> None:
    matt = await solo(here)
    spectator = await here.enter()
    await spectator.spectates(matt)
    await matt.socket.close()
    await here.time.to_pass(100)
    assert len(await here.lobbies()) == 1
    await spectator.socket.close()
    await here.time.to_pass(29.9)
    assert len(await here.lobbies()) == 1
    await here.time.to_pass(0.1)
    assert await here.lobbies() == []


async def test_c63_the_ejected_do_not_keep_it(here: Hall) -> None:
    matt = await solo(here)
    await here.time.to_pass(50)
    await ejected(matt)
    await here.time.to_pass(29.9)
    assert len(await here.lobbies()) == 1
    await here.time.to_pass(0.1)
    assert await here.lobbies() == []
    assert await matt.silent()


async def test_an_idle_owner_who_is_there_keeps_the_lobby(here: Hall) -> None:
    matt = await here.enter()
    await matt.opens()
    await here.time.to_pass(12 * 3600)
    assert len(await here.lobbies()) == 1
    assert await matt.silent()


async def test_a_table_where_nothing_happens_for_a_day_is_closed(here: Hall) -> None:
    matt, ann = await here.two()
    await here.time.to_pass(24 * 3600)
    for player in (matt, ann):
        assert await player.hears("LobbyCloseEvent") == "OwnerLeft"


# Restarts and other protocols


async def test_a_game_survives_a_restart(tmp_path: Path) -> None:
    given: dict[str, Any] = {"listen": ("palace=127.0.0.1:0",), "test_orders": {"deck": DECK, "seats": [0, 1]}}
    matt, ann, again = (Player.__new__(Player) for _ in range(3))
    async with server(tmp_path, **given) as live:
        for player in (matt, ann):
            Player.__init__(player, await connect(live.own("palace"), compression=None))
        await matt.opens()
        await ann.joins(matt)
        await matt.hears("PlayerJoinEvent")
        await start(matt, ann)
        await matt.chooses(cards("10♣ K♣ Q♣"), ann)
    for player in (matt, ann):
        await player.socket.close()
    async with server(tmp_path, **given) as live:
        for old in (matt, ann):
            Player.__init__(again, await connect(live.own("palace"), compression=None))
            told = await again.reconnects(old)
            assert told["GameStartedEvent"]["hand"] == old.hand
            assert told["PublicGameStateEvent"]["active_player"] == 1
        again.number = 1
        assert (await again.chooses(cards("6♣ 10♦ A♦")))["cur_phase"] == "Play"
        await again.socket.close()


async def test_a_loss_is_noticed_though_nothing_can_be_written_down(
    here: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    matt, ann = await here.playing()

    def fails(batch: Any) -> None:
        asyncio.get_running_loop().call_soon(batch.settled, OSError("the disk is full"))

    monkeypatch.setattr(here.house.journal, "append", fails)
    await ann.socket.close()
    assert await matt.silent()
    monkeypatch.undo()
    assert [player.away for player in here.house.summaries()[0].players] == [False, True]


async def test_a_seat_given_up_by_the_native_protocol(here: Hall) -> None:
    matt, ann = await here.two()
    async with client(here.live.ws("/ws")) as twin:
        await twin.ask("leave", table=ann.lobby, token=ann.id)
    assert await ann.hears("LobbyCloseEvent") == "Kicked"
    assert await matt.hears("PlayerLeaveEvent") == {"total_num_players": 1, "slot": 1}
    await ann.joins(matt)
    await matt.hears("PlayerJoinEvent")
    await start(matt, ann)
    async with client(here.live.ws("/ws")) as twin:
        await twin.ask("leave", table=ann.lobby, token=ann.id)
    await ejected(ann)
    await matt.chooses(cards("9♣ J♦ Q♣"))
    await here.time.to_pass(1)
    assert (await matt.hears("PublicGameStateEvent"))["cur_phase"] == "Play"
    assert await ann.silent()
