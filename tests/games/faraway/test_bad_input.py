"""Everything that clients of Faraway's protocol get wrong, over real sockets: b1, b2, … are the rows of
docs/protocols/faraway.md, c50, c51, … the lines of its checklist.

In every row the server stays up and nobody else notices; that is looked after once more at the end of every test.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from croupier.games.faraway.dialect.connection import FarawayDialect
from croupier.games.faraway.rules import Faraway
from croupier.journal import Append
from tests.games.faraway.wire import Hall, Player, hall, play_on, start
from tests.socketio_clients import BareClient, python_client

ACTIONS = ("playCard", "shopChooseCard", "sanctuaryChoose")
NO_NUMBER: list[Any] = ["5", "", True, False, None, [], [5], {}, {"cardIndex": 5}, 5.5]


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Hall]:
    async with hall(tmp_path) as found:
        witnesses = await found.playing(2)
        yield found
        # c55: another room goes on as if nothing had happened.
        for witness in witnesses:
            assert await witness.silent()
        await witnesses[0].acts(*witnesses[0].action, witnesses[1])


async def in_phase(here: Hall, phase: str) -> tuple[Player, Player]:
    """Two players in a phase in which the first has something to do."""
    ann, bob = await here.playing(2, seed=1)
    await play_on(ann, bob, until=phase, turn=0 if phase != "sanctuary" else 1)
    return (ann, bob) if ann.state["legalActions"] else (bob, ann)


# Moves


@pytest.mark.parametrize("phase", ["play", "shop", "sanctuary"])
async def test_b1_c50_c51_d38_what_is_no_number(here: Hall, phase: str) -> None:
    ann, bob = await in_phase(here, phase)
    for event in ACTIONS:
        for payload in NO_NUMBER:
            assert await ann.refused(event, payload) == "badPayload"
        assert await ann.refused(event) == "badPayload"
        await ann.say(f'42["{event}",1e400]')
        assert await ann.rejected(event) == "badPayload"
    assert await ann.call("playCard", "5") == {"ok": False, "code": "badPayload"}
    await ann.hears("actionRejected")
    assert await bob.silent()
    await ann.acts(*ann.action, bob)


@pytest.mark.parametrize(("phase", "code"), [("play", "notInHand"), ("shop", "notInShop"), ("sanctuary", "notOffered")])
async def test_b2_b6_b9_cards_that_are_not_there(here: Hall, phase: str, code: str) -> None:
    ann, bob = await in_phase(here, phase)
    event, _ = ann.action
    theirs = bob.me["hand"] + bob.me["sanctuaryChoose"]
    legal = [action["cardIndex"] for action in ann.state["legalActions"]]
    for card in (-1, 99, 10**12, -(10**30), *(card for card in theirs if card not in legal)):
        assert await ann.refused(event, card) == code
    assert await bob.silent()
    await ann.acts(event, legal[-1], bob)


async def test_b3_c51_a_whole_number_may_be_written_with_a_point(here: Hall) -> None:
    ann, bob = await here.playing(2, seed=1)
    await ann.say('42["playCard",19.0]')
    assert (await ann.updated())["players"][ann.id]["playedCards"] == [19]
    await bob.updated()
    await bob.say('42["playCard",6.0e1]')
    assert (await bob.updated())["players"][bob.id]["playedCards"] == [60]


async def test_b4_b5_b7_b8_not_now(here: Hall) -> None:
    ann, bob = await here.playing(2, seed=1)
    assert await ann.refused("shopChooseCard", 3) == "wrongPhase"
    assert await ann.refused("sanctuaryChoose", 3) == "wrongPhase"
    await ann.acts("playCard", 19, bob)
    for card in (19, 20, 99):
        assert await ann.refused("playCard", card) == "alreadyPlayed"
    await bob.acts("playCard", 60, ann)
    assert await ann.refused("playCard", 20) == "wrongPhase"
    assert await ann.refused("sanctuaryChoose", 3) == "wrongPhase"
    assert await bob.refused("shopChooseCard", 3) == "notYourTurn"
    await ann.acts("shopChooseCard", 3, bob)
    assert await ann.refused("shopChooseCard", 17) == "notYourTurn"
    await bob.acts("shopChooseCard", 43, ann)
    await ann.acts("playCard", 20, bob)
    await bob.acts("playCard", 43, ann)
    assert ann.state["phase"] == "sanctuary"
    assert await bob.refused("sanctuaryChoose", 17) == "notEligible"
    await ann.acts("sanctuaryChoose", 17, bob)
    # c49: what is accepted is what is on the list, and that was all.
    assert ann.state["phase"] == "shop"
    assert await ann.silent()
    assert await bob.silent()


async def test_b8_choosing_twice(here: Hall) -> None:
    ann, bob = await here.playing(2, seed=1)
    await play_on(ann, bob, until="sanctuary", turn=2)
    while not all(player.me["hasToChoose"] for player in (ann, bob)):
        await play_on(ann, bob, until="play", turn=ann.state["turn"] + 1)
        await play_on(ann, bob, until="sanctuary", turn=ann.state["turn"])
    await ann.acts(*ann.action, bob)
    assert await ann.refused("sanctuaryChoose", 1) == "notEligible"


async def test_b10_b11_c52_moves_in_a_lobby(here: Hall) -> None:
    ann, bob = await here.lobby(2)
    for event in ACTIONS:
        assert await ann.refused(event, 5) == "notStarted"
        assert await ann.refused(event, "5") == "badPayload"
    assert await bob.silent()
    await start(ann, bob)


async def test_b12_moves_without_a_room(here: Hall) -> None:
    ann = await here.enter()
    for event in ACTIONS:
        assert await ann.refused(event, 5) == "notInRoom"
        assert await ann.refused(event, None) == "badPayload"


async def test_b13_moves_after_the_end(here: Hall) -> None:
    ann, bob = await here.playing(2)
    await play_on(ann, bob)
    for event in ACTIONS:
        assert await ann.refused(event, ann.me["hand"][0]) == "wrongPhase"
    assert await bob.silent()


# Rooms

STRANGE: list[Any] = [
    "zzzzz", "", None, 5, {}, [], True, "__proto__", "constructor", "toString", "hasOwnProperty", "prototype",
    " 05p8u", "../..", "\ud800", "x" * 10_000, "null", "0",
]  # fmt: skip


async def test_b14_b15_b26_c10_d30_rooms_that_are_not_there(here: Hall) -> None:
    ann = await here.enter()
    for event in ("joinRoom", "startGame", "getRoomSummary"):
        for room in STRANGE:
            await ann.emit(event, room)
            assert await ann.next() == ["roomNotFound"]
        await ann.emit(event)
        assert await ann.next() == ["roomNotFound"]
    for room in STRANGE:
        if room is not None:
            await ann.emit("getRoomState", room)
            assert await ann.next() == ["roomNotFound"]
    assert await ann.silent()


async def test_b43_the_id_of_a_room_is_exact(here: Hall) -> None:
    ann, bob = await here.enter(), await here.enter()
    room = await ann.creates()
    table = here.house.registry.by_code["faraway", room].table.id
    for wrong in (room.upper() + "Z", f" {room}", f"{room} ", room[:4], f"{room}a", table):
        await bob.emit("joinRoom", wrong)
        assert await bob.next() == ["roomNotFound"]


async def test_b16_b17_b21_who_is_refused_stays_where_they_are(here: Hall) -> None:
    ann, bob = await here.lobby(2, maxPlayers=2)
    carl, dora = await here.playing(2)
    eve, finn = await here.lobby(2)
    for room, answer in ((ann.room, "roomFull"), (carl.room, "roomStarted"), ("zzzzz", "roomNotFound")):
        await eve.emit("joinRoom", room)
        assert await eve.next() == [answer]
    assert await finn.silent()
    assert (await here.list_rooms())[eve.room]["users"] == [eve.id, finn.id]
    await play_on(carl, dora)
    await eve.emit("joinRoom", carl.room)
    assert await eve.next() == ["roomStarted"]
    await start(ann, bob)
    await eve.emit("joinRoom", ann.room)
    assert await eve.next() == ["roomFull"]


async def test_b18_joining_ones_own_room(here: Hall) -> None:
    ann, bob = await here.lobby(2, maxPlayers=2)  # that it is full is no matter
    await ann.emit("joinRoom", ann.room)
    assert (await ann.hears("roomJoined"))["users"] == [ann.id, bob.id]
    await ann.updated()
    assert await bob.silent()


@pytest.mark.parametrize("how", ["createRoom", "joinRoom"])
async def test_b19_b20_d36_going_elsewhere_is_leaving(here: Hall, how: str) -> None:
    host = await here.enter()
    await host.creates()
    ann, bob, carl = await here.lobby(3)
    await start(ann, bob, carl)
    for gone, others in ((carl, [ann, bob]), (bob, [ann])):
        if how == "createRoom":
            await gone.creates()
        else:
            await gone.emit("joinRoom", host.room)
            await gone.hears("roomJoined")
        for other in others:
            state = await other.updated()
            assert gone.id not in state["users"]
    assert ann.state["phase"] == "end"
    assert ann.state["endReason"] == "forfeit"
    assert ann.state["winner"] == [ann.id]
    # In a lobby they are just gone.
    await ann.creates()
    assert set((await here.list_rooms())[ann.room]["users"]) == {ann.id}


async def test_b22_b23_what_is_no_option(here: Hall) -> None:
    ann = await here.enter()
    arguments: list[Any] = [None, 5, "x", [], [1], True]
    for argument in arguments:
        await ann.emit("createRoom", argument)
        await ann.hears("joinedRoom")
    await ann.emit("createRoom", {"colour": "red", "__proto__": {"maxPlayers": 1}, "maxplayers": 99})
    ann.room = await ann.hears("joinedRoom")
    await ann.emit("getRoomState")
    assert (await ann.hears("roomState"))["maxPlayers"] == 6


BAD_VALUES: dict[str, list[Any]] = {
    "maxPlayers": [0, 1, 7, 8, -2, 4.5, "4", None, True, [4], 10**30],
    "cardSet": ["", "huge", None, 1, ["base"]],
    "openInformation": [1, 0, "true", None],
    "tieBreak": ["", "random", None, 1],
    "actionTimeoutSec": [-1, 3601, "60", None, True, 1.5],
    "seed": ["1", None, True, 1.5, []],
}
BAD_OPTIONS: list[dict[str, Any]] = [
    *({option: value} for option, values in BAD_VALUES.items() for value in values),
    {"maxPlayers": 7, "cardSet": "base"},
    {"maxPlayers": 8, "cardSet": "full"},
    {"seed": 1, "cardSet": "huge"},
    {"seed": 1, "cardSet": ["base"]},
]


async def test_b24_the_message_says_which_option_as_clients_call_it(here: Hall) -> None:
    ann, _ = await here.lobby(2)
    for options in ({"cardSet": "huge"}, {"actionTimeoutSec": 3601}, {"openInformation": 1}, {"tieBreak": "random"}):
        await ann.emit("createRoom", options)
        assert next(iter(options)) in (await ann.hears("actionRejected"))["message"]


async def test_b24_bad_options(here: Hall) -> None:
    ann, bob = await here.lobby(2)
    rooms = len(here.house.rooms)
    for options in BAD_OPTIONS:
        assert await ann.refused("createRoom", options) == "badPayload", options
    assert await ann.call("createRoom", {"maxPlayers": 1}) == {"ok": False, "code": "badPayload"}
    await ann.hears("actionRejected")
    assert len(here.house.rooms) == rooms
    assert await bob.silent()
    await ann.emit("createRoom", {"maxPlayers": 2.0, "actionTimeoutSec": 60.0})
    ann.room = await ann.hears("joinedRoom")
    await bob.updated()
    await bob.joins(ann, ann)
    assert (ann.state["maxPlayers"], ann.state["options"]["actionTimeoutSec"]) == (2, 60)


async def test_b25_seeds_are_for_tests(tmp_path: Path) -> None:
    async with hall(tmp_path, test_rigging=False) as here:
        ann = await here.enter()
        assert await ann.refused("createRoom", {"seed": 1}) == "forbiddenOption"
        assert await ann.call("createRoom", {"seed": 1}) == {"ok": False, "code": "forbiddenOption"}
        await ann.hears("actionRejected")
        assert await here.list_rooms() == {}
        # Who is in a room stays there.
        await ann.creates()
        assert await ann.refused("createRoom", {"seed": 1}) == "forbiddenOption"
        assert list(await here.list_rooms()) == [ann.room]


# Beginning


async def test_b27_b28_b29_c53_d25_beginning_when_one_should_not(here: Hall) -> None:
    ann, eve = await here.enter(), await here.enter()
    await ann.creates()
    await ann.emit("startGame", ann.room)
    assert await ann.next() == ["notEnoughPlayers"]
    bob = await here.enter()
    await bob.joins(ann, ann)
    assert await eve.refused("startGame", ann.room) == "notMember"
    # Both at the same instant: it is dealt once.
    await asyncio.gather(ann.emit("startGame", ann.room), bob.emit("startGame", ann.room))
    heard = []
    for player in (ann, bob):
        assert (await player.next())[0] == "beginGame"
        assert (await player.updated())["stateSeq"] == 1
        await player.emit("getRooms")
        heard += [name for name, *_ in [await player.next()]]
    assert sorted(heard) == ["actionRejected", "rooms"]
    for player in (ann, bob):
        assert sum(packet.startswith('42["beginGame"') for packet in player.raw) == 1


async def test_b30_joining_in_the_same_instant(here: Hall) -> None:
    ann, bob = await here.lobby(2)
    late = await here.enter()
    await ann.emit("startGame", ann.room)
    await ann.hears("beginGame")
    await late.emit("joinRoom", ann.room)
    assert await late.next() == ["roomStarted"]
    assert (await ann.updated())["users"] == [ann.id, bob.id]


async def test_b31_all_leave_right_after_the_beginning(here: Hall) -> None:
    players = await here.lobby(3)
    await players[0].emit("startGame", players[0].room)
    for player in players:
        await player.emit("leaveRoom")
    room = players[0].room
    while room in await here.list_rooms():
        pass
    assert room not in [code for _, code in here.house.registry.by_code]


async def test_b32_b33_leaving_nothing(here: Hall) -> None:
    ann = await here.enter()
    await ann.emit("leaveRoom")
    await ann.emit("leaveRoom", "zzzzz", {"x": 1})
    assert await ann.silent()
    await ann.creates()
    await ann.emit("leaveRoom", None, 5, "zzzzz")
    assert await ann.silent()
    assert ann.room not in await here.list_rooms()


async def test_b34_c54_d28_any_updateack_is_ignored(here: Hall) -> None:
    ann, bob = await here.playing(2)
    payloads: list[Any] = [None, "x", [], 10**30, {"stateSeq": None}, {"stateSeq": 1, "clientTime": 2}, True]
    for payload in payloads:
        await ann.emit("updateAck", payload)
    await ann.emit("updateAck")
    assert await ann.silent()
    assert await bob.silent()


async def test_b35_c55_unknown_events_are_ignored(here: Hall) -> None:
    ann = await here.enter()
    for event in ("dance", "", "connect", "disconnect", "update", "__proto__", "x" * 1000):
        await ann.emit(event, {"x": 1})
        assert await ann.call(event) == {"ok": False, "code": "badPayload"}
    await ann.say("42[7]")
    assert await ann.silent()


async def test_b36_binary_payloads(here: Hall) -> None:
    async with python_client(here.url) as ann:
        for name in ("wellConnected", "rooms", "session"):
            await ann.hears(name)
        for event in ACTIONS:
            await ann.emit(event, b"\x05")
            assert (await ann.hears("actionRejected"))["code"] == "badPayload"
        for event in ("joinRoom", "startGame", "getRoomSummary", "getRoomState"):
            await ann.emit(event, b"05p8u")
            assert await ann.next() == ["roomNotFound"]
        for argument in (b"", {"maxPlayers": b"4"}, {"cardSet": b"base"}):
            await ann.emit("createRoom", argument)
            assert (await ann.hears("actionRejected"))["code"] == "badPayload"
        await ann.emit("updateAck", b"x")
        assert await ann.call("getRooms", b"x") == {"ok": True}


async def test_b37_a_message_that_is_too_long(here: Hall) -> None:
    ann, bob = await here.playing(2)
    await ann.say('42["updateAck","' + "x" * 999_982 + '"]')
    assert await ann.silent()
    await ann.say('42["updateAck","' + "x" * 1_000_000 + '"]')
    assert await ann.closed() == 1009
    assert (await bob.updated())["players"][ann.id]["connected"] is False


@pytest.mark.parametrize("nonsense", ["4", "4hello", "42", "42{}", '42["playCard"', "42[]", "47", "40", "\x00", "44"])
async def test_b38_what_is_no_packet(here: Hall, nonsense: str) -> None:
    ann, bob = await here.playing(2)
    await ann.say(nonsense)
    assert await ann.closed() is not None
    assert (await bob.updated())["players"][ann.id]["connected"] is False


async def test_b39_another_namespace(here: Hall) -> None:
    ann = await here.enter()
    await ann.say("40/admin,")
    assert (await ann.packet()).startswith("44/admin,")
    assert await ann.silent()


async def test_b40_too_many_events(here: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    assert FarawayDialect.rate == 2000
    monkeypatch.setattr(FarawayDialect, "rate", 20.0)
    ann = await here.enter()
    for _ in range(500):
        await ann.say('427["playCard",5]')
    answers: list[str] = []
    while "rateLimited" not in answers:
        packet = await ann.packet()
        assert packet.startswith("437[")
        answers.append(json.loads(packet[3:])[0]["code"])
        assert json.loads((await ann.packet())[2:])[1]["code"] == answers[-1]
    assert set(answers[:-1]) == {"notInRoom"}
    assert len(answers) >= 20
    # The connection lives, and one such answer is all that there is in a second.
    await asyncio.sleep(0.2)
    await ann.emit("getRooms")
    while (await ann.packet()).startswith("437"):
        await ann.packet()


@pytest.mark.parametrize(
    "auth", [None, 5, "x", [], {}, {"token": None}, {"token": 5}, {"token": "x" * 201}, {"token": ""},
             {"token": "unknown"}, {"token": "é\ud800"}, {"pid": "unknown"}, {"pid": 5, "token": []}],
)  # fmt: skip
async def test_b41_c63_a_token_that_nobody_knows(here: Hall, auth: Any) -> None:
    ann = await here.enter(auth)
    assert ann.session["resumed"] is False
    assert ann.session["roomId"] is None
    assert not isinstance(auth, dict) or ann.token not in auth.values()


async def test_b42_the_state_of_another_room(here: Hall) -> None:
    ann, _ = await here.playing(2)
    eve = await here.enter()
    assert await eve.refused("getRoomState", ann.room) == "notMember"
    assert await eve.refused("getRoomState") == "notMember"
    await eve.creates()
    assert await eve.refused("getRoomState", ann.room) == "notMember"


async def test_b44_a_failure_of_the_server_itself(here: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob = await here.playing(2)
    before = ann.state
    play = Faraway.play

    def fails(self: Faraway, state: Any, seat: int, move: Any, at: int) -> Any:
        play(self, state, seat, move, at)
        raise RuntimeError("a bug")

    monkeypatch.setattr(Faraway, "play", fails)
    assert await ann.refused(*ann.action) == "internalError"
    monkeypatch.undo()
    while (await ann.call("playCard", 99))["code"] == "internalError":  # the table is being read again
        await ann.hears("actionRejected")
    assert await ann.rejected("playCard") == "notInHand"
    await ann.emit("getRoomState")
    assert await ann.hears("roomState") == before
    assert await bob.silent()
    await ann.acts(*ann.action, bob)


async def test_a_journal_that_can_not_be_written(here: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob = await here.playing(2)
    append = here.house.journal.append

    def fails(batch: Append) -> None:
        asyncio.get_running_loop().call_soon(batch.settled, OSError("the disk is full"))

    monkeypatch.setattr(here.house.journal, "append", fails)
    await ann.emit(*ann.action)
    assert (await ann.hears("actionRejected"))["code"] == "internalError"
    # It has not happened, and everybody is told how things are.
    for player in (ann, bob):
        assert (await player.updated())["stateSeq"] == 1
    eve = await here.enter()
    assert await eve.refused("createRoom") == "internalError"
    monkeypatch.setattr(here.house.journal, "append", append)
    await eve.creates()
    await ann.acts(*ann.action, bob)


async def test_c55_anything_at_all(here: Hall) -> None:
    """Random events with random payloads, in every state; nothing comes of it but refusals."""
    dice = random.Random(5)
    events = [*ACTIONS, "getRooms", "createRoom", "joinRoom", "leaveRoom", "startGame", "updateAck", "getRoomSummary"]
    events += ["getRoomState", "dance", "__proto__", "connect"]
    payloads: list[Any] = [None, True, 5, -1, 1.5, 10**30, "", "zzzzz", "__proto__", [], [[]], {}, {"maxPlayers": 3}]
    payloads += [{"token": "x"}, {"seed": 3}, {"cardSet": {}}, "\ud800", "x" * 3000]
    players = [await here.enter() for _ in range(4)]
    rooms: list[str] = []
    for number in range(1500):
        player = dice.choice(players)
        rooms += [json.loads(packet[2:])[1] for packet in player.raw if packet.startswith('42["joinedRoom"')][-1:]
        event = dice.choice(events)
        payload = [dice.choice([*payloads, *rooms[-3:]]) for _ in range(dice.randrange(3))]
        await BareClient.emit(player, event, *payload)
        if number % 50 == 0:
            for one in players:
                await one.ask("getRooms")
                while not (await one.packet()).startswith("43"):
                    pass
    codes = {
        json.loads(packet[2:])[1]["code"]
        for player in players
        for packet in player.raw
        if packet.startswith('42["actionRejected"')
    }
    assert "internalError" not in codes
    assert {"badPayload", "notInRoom", "notStarted"} <= codes
