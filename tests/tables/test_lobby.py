"""What people can do around a game, through the native protocol, on a real server."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from croupier.config import BadConfig
from croupier.tables.logbook import fold
from croupier.tables.table import Table
from tests.client import Client, Refusal, client, play_out
from tests.live import LiveHere, server


@pytest.fixture
async def live(tmp_path: Path) -> AsyncIterator[LiveHere]:
    async with server(tmp_path, bot_delay=0) as running:
        yield running


async def refused(asking: object) -> str:
    with pytest.raises(Refusal) as caught:
        await asking  # type: ignore[misc]
    return str(caught.value.code)


async def opened(player: Client, name: str = "Ann", **fields: object) -> str:
    await player.ask("open", game="palace", player=name, **fields)
    return player.table


async def test_open_join_and_everybody_is_told(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann, client(live.ws("/ws")) as bob:
        reply = await ann.ask("open", game="palace", player="Ann", name="Fun", seats=3, options={"turn_timer": 30})
        table = reply["sync"]["table"]
        assert (table["name"], table["seats"], table["host"], table["phase"]) == ("Fun", 3, 0, "waiting")
        assert table["options"] == {"turn_timer": 30}
        assert reply["sync"]["view"] is None
        joined = await bob.ask("join", table=table["id"], player="Bob")
        assert joined["sync"]["seat"] == 1
        assert joined["token"] != reply["token"]
        fact = await ann.entry("joined")
        assert fact["entry"] == {"entry": "joined", "seat": 1, "name": "Bob"}
        assert [player["name"] for player in fact["table"]["players"]] == ["Ann", "Bob"]


async def test_refusals_have_a_code_and_a_sentence(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann, client(live.ws("/ws")) as bob:
        assert await refused(ann.ask("open", game="chess", player="Ann")) == "no_such_game"
        assert await refused(ann.ask("open", game="palace", player="Ann", seats=300)) == "bad_seats"
        assert await refused(ann.ask("open", game="palace", player="Ann", options={"x": 1})) == "bad_options"
        assert await refused(ann.ask("open", game="palace", player="Ann", options={"turn_timer": 999})) == "bad_options"
        assert await refused(ann.ask("open", game="palace", player="  ")) == "bad_name"
        assert await refused(ann.ask("start")) == "not_seated"
        table = await opened(ann, seats=2, password="plum")
        assert await refused(ann.ask("start")) == "too_few"
        assert await refused(bob.ask("join", table="nope", player="Bob")) == "no_such_table"
        assert await refused(bob.ask("join", table=table, player="Bob")) == "bad_password"
        assert await refused(bob.ask("join", table=table, player="Bob", password="pear")) == "bad_password"
        await bob.ask("join", table=table, player="Bob", password="plum")
        assert await refused(bob.ask("start")) == "not_host"
        assert await refused(bob.ask("kick", seat=0)) == "not_host"
        assert await refused(ann.ask("kick", seat=0)) == "host"
        assert await refused(ann.ask("kick", seat=7)) == "no_such_seat"
        assert await refused(ann.ask("add_bots")) == "full"
        assert await refused(ann.ask("play", move={"move": "play", "cards": []})) == "not_started"
        async with client(live.ws("/ws")) as eve:
            assert await refused(eve.ask("join", table=table, player="Eve", password="plum")) == "full"
            assert await refused(eve.ask("return", table=table, token="guess")) == "no_such_seat"
        await ann.ask("start")
        assert await refused(ann.ask("start")) == "started"
        assert await refused(ann.ask("configure", options={"turn_timer": 1})) == "started"
        first, second = (ann, bob) if (await ann.entry("started")).get("moves") else (bob, ann)
        assert await refused(second.ask("play", move={"move": "play", "cards": []})) == "out_of_turn"
        assert await refused(first.ask("play", move={"move": "choose", "cards": []})) == "illegal"
        assert await refused(first.ask("play", move={"move": "dance"})) == "bad_move"
        assert await refused(first.ask("play", move=7)) == "bad_move"


async def test_kick_hand_over_configure_bots_and_chat(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann, client(live.ws("/ws")) as bob:
        table = await opened(ann)
        await bob.ask("join", table=table, player="Bob")
        await ann.ask("configure", options={"turn_timer": 20})
        assert (await bob.entry("configured"))["table"]["options"] == {"turn_timer": 20}
        await ann.ask("add_bots", bot="random", count=2)
        assert (await bob.entry("joined"))["entry"] == {
            "entry": "joined", "seat": 2, "name": "BOT Ada", "bot": "random",
        }  # fmt: skip
        assert await refused(ann.ask("add_bots", bot="genius")) == "full"
        await ann.ask("kick", seat=2)
        assert await refused(ann.ask("add_bots", bot="genius")) == "no_such_bot"
        await bob.ask("say", text="hello")
        assert (await ann.entry("said"))["entry"] == {"entry": "said", "seat": 1, "name": "Bob", "text": "hello"}
        await ann.ask("hand_over", seat=1)
        assert (await bob.entry("handed_over"))["table"]["host"] == 1
        await bob.ask("kick", seat=0)
        assert (await ann.entry("left"))["entry"] == {"entry": "left", "seat": 0, "why": "kicked"}
        assert await refused(ann.ask("say", text="still here?")) == "not_seated"


async def test_the_host_leaves_and_the_next_one_takes_over(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann, client(live.ws("/ws")) as bob:
        table = await opened(ann)
        await bob.ask("join", table=table, player="Bob")
        await ann.ask("leave")
        fact = await bob.entry("handed_over")
        assert fact["table"]["host"] == 1
        await bob.ask("leave")
        assert live.house.summaries() == []


async def test_watch_and_see(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann, client(live.ws("/ws")) as eve:
        table = await opened(ann)
        await ann.ask("add_bots")
        await ann.ask("start")
        watched = await eve.ask("watch", table=table)
        assert watched["sync"]["seat"] is None
        assert watched["sync"]["view"]["hand"] == []
        assert (await ann.entry("watched"))["table"]["watchers"] == 1
        seen = await eve.ask("see")
        assert seen["sync"]["view"]["seat"] is None
        assert seen["sync"]["moves"] == []
        assert await refused(eve.ask("play", move={"move": "play", "cards": []})) == "not_seated"
        await eve.ask("say", text="good luck")
        assert (await ann.entry("said"))["entry"]["seat"] is None
        await eve.ask("leave")
        assert (await ann.entry("unwatched"))["table"]["watchers"] == 0


async def test_facts_are_numbered_without_a_gap(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann:
        await opened(ann)
        await ann.ask("add_bots", count=3)
        await ann.ask("start")
        await play_out(ann)
        facts = [message["seq"] for message in ann.told if message["type"] == "fact"]
        assert facts == list(range(3, 3 + len(facts)))


async def test_a_rematch_deals_anew(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann:
        await opened(ann)
        await ann.ask("add_bots", count=1)
        pledges = []
        for games in (1, 2):
            await ann.ask("start")
            pledges.append((await ann.entry("started"))["entry"]["pledge"])
            if ann.told[-1].get("moves"):
                await ann.ask("play", move=ann.told[-1]["moves"][0])
            last = await play_out(ann)
            assert last["table"]["phase"] == "waiting"
            assert last["table"]["games"] == games
            assert sha256(bytes.fromhex(last["seed"])).hexdigest() == pledges[-1]
            assert sorted(seat for place in last["result"]["placings"] for seat in place) == [0, 1]
        assert pledges[0] != pledges[1]


async def test_coming_back_from_another_connection(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann, client(live.ws("/ws")) as bob:
        table = await opened(ann)
        await bob.ask("join", table=table, player="Bob")
        await ann.ask("start")
        async with client(live.ws("/ws")) as phone:
            reply = await phone.ask("return", table=table, token=ann.token)
            assert reply["sync"]["view"]["hand"]
            assert reply["token"] == ann.token
            assert (await ann.hear(lambda m: m["type"] == "replaced")) == {"type": "replaced"}
            assert await refused(ann.ask("say", text="who am I?")) == "not_seated"
        assert (await bob.entry("absent"))["entry"]["seat"] == reply["sync"]["seat"]
        again = await ann.ask("return", table=table, token=ann.token)
        assert again["sync"]["view"] == reply["sync"]["view"]
        assert (await bob.entry("back"))["entry"]["seat"] == reply["sync"]["seat"]


async def test_a_picture_goes_with_the_player(live: LiveHere) -> None:
    def pictures(sync: dict[str, Any]) -> list[str | None]:
        return [player.get("avatar") for player in sync["table"]["players"]]

    async with client(live.ws("/ws")) as ann, client(live.ws("/ws")) as ben:
        table = await opened(ann, avatar="fox")
        await ben.ask("join", table=table, player="Ben", avatar="owl")
        await ann.ask("add_bots")
        assert (await ann.entry("joined"))["entry"]["avatar"] == "owl"
        assert pictures((await ann.ask("see"))["sync"]) == ["fox", "owl", None]

        # Who comes back may have another one; who says nothing keeps it.
        await ben.ask("return", table=table, token=ben.token, avatar="bear")
        assert (await ann.entry("back"))["entry"] == {"entry": "back", "seat": 1, "avatar": "bear"}
        for request in ({}, {"avatar": "bear"}):
            reply = await ben.ask("return", table=table, token=ben.token, **request)
            assert pictures(reply["sync"]) == ["fox", "bear", None]
        assert await ann.silent()
        assert await refused(ben.ask("return", table=table, token=ben.token, avatar="<b>")) == "bad_request"
    replayed = Table(table, live.house.games["palace"])
    fold(replayed, [record async for piece in live.house.journal.logs({table: 0}) for record in piece.records])
    assert [seat.avatar for seat in replayed.seats.values()] == ["fox", "bear", ""]


async def test_acting_by_table_and_token_without_a_place(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann, client(live.ws("/ws")) as other:
        table = await opened(ann)
        await other.ask("add_bots", table=table, token=ann.token)
        assert (await ann.entry("joined"))["entry"]["bot"] == "low-and-steady"
        assert await refused(other.ask("start", table=table, token="wrong")) == "not_host"
        assert await other.silent()


async def test_following_the_list_of_tables(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann, client(live.ws("/ws")) as eve:
        assert (await eve.ask("follow"))["tables"] == []
        table = await opened(ann)
        news = await eve.hear()
        assert (news["type"], news["table"]["id"], news["table"]["phase"]) == ("listed", table, "waiting")
        await ann.ask("leave")
        assert (await eve.hear(lambda m: m["table"]["phase"] == "closed"))["table"]["id"] == table
        await eve.ask("unfollow")
        await opened(ann)
        assert await eve.silent()
        assert len((await eve.ask("list", game="palace"))["tables"]) == 1
        assert (await eve.ask("list", game="chess"))["tables"] == []


async def test_a_second_table_gives_up_the_first(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann, client(live.ws("/ws")) as bob:
        first = await opened(ann)
        await bob.ask("join", table=first, player="Bob")
        await opened(ann, "Ann again")
        await bob.entry("left")
        fact = await bob.entry("handed_over")
        assert [player["name"] for player in fact["table"]["players"]] == ["Bob"]


async def test_a_closed_table_stays_readable(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann:
        table = await opened(ann)
        await ann.ask("leave")
    record = await live.house.record(table)
    assert record is not None
    assert json.loads(record)["table"]["phase"] == "closed"
    assert await live.house.record("nonsense") is None


async def test_a_table_is_found_by_its_code_while_it_is_open(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann, client(live.ws("/ws")) as bob:
        reply = await ann.ask("open", game="palace", player="Ann")
        code = reply["sync"]["table"]["code"]
        assert len(code) == 5
        assert code.isalnum()
        assert code == code.lower()
        assert [table["id"] for table in (await bob.ask("list", table=code))["tables"]] == [ann.table]
        assert (await bob.ask("list", table=ann.table))["tables"][0]["code"] == code
        assert (await bob.ask("list", table=code.upper() + "!"))["tables"] == []
        await bob.ask("join", table=code, player="Bob")
        assert bob.table == ann.table
        await bob.ask("leave")
        await ann.ask("leave")
        assert await refused(bob.ask("join", table=code, player="Bob")) == "no_such_table"
        assert not live.house.registry.by_code
        assert not live.house.registry.by_token


async def test_options_that_the_server_wants(tmp_path: Path) -> None:
    async with server(tmp_path, option=("palace.turn_timer=7",)) as live, client(live.ws("/ws")) as ann:
        reply = await ann.ask("open", game="palace", player="Ann")
        assert reply["sync"]["table"]["options"] == {"turn_timer": 7}
        reply = await ann.ask("open", game="palace", player="Ann", options={"turn_timer": 8})
        assert reply["sync"]["table"]["options"] == {"turn_timer": 8}


@pytest.mark.parametrize("option", ["palace.turn_timer=soon", "palace.turn_timer", "palace.colour=red", "chess.x=1"])
async def test_options_that_make_no_sense(tmp_path: Path, option: str) -> None:
    with pytest.raises(BadConfig, match="option"):
        async with server(tmp_path, option=(option,)):
            pass


async def test_nobody_can_fix_the_luck_of_a_table_unless_the_server_is_there_for_tests(tmp_path: Path) -> None:
    rig = {"orders": {"seats": [1, 0]}}
    async with server(tmp_path) as live, client(live.ws("/ws")) as ann:
        assert await refused(ann.ask("open", game="palace", player="Ann", rig=rig)) == "forbidden"
    async with (
        server(tmp_path, test_rigging=True) as live,
        client(live.ws("/ws")) as ann,
        client(live.ws("/ws")) as bob,
    ):
        for _ in range(4):
            await ann.ask("open", game="palace", player="Ann", rig=rig)
            await bob.ask("join", table=ann.table, player="Bob")
            await ann.ask("start")
            started = await bob.entry("started")
            assert started["entry"]["order"] == [1, 0]
            assert "rig" not in json.dumps(started)


async def test_many_bots_sit_down_one_after_the_other_and_what_is_asked_next_waits_for_them(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann, client(live.ws("/ws")) as bob:
        await ann.ask("open", game="palace", player="Ann", seats=60)
        await bob.ask("watch", table=ann.table)
        for wish in ({"id": 100, "type": "add_bots", "count": 59}, {"id": 101, "type": "start"}):
            await ann.socket.send(json.dumps(wish))
        await ann.reply(100)
        await ann.reply(101)
        await bob.entry("started")
        told = [fact["entry"]["entry"] for fact in bob.told if "table" in fact]
        assert told[-60:] == ["joined"] * 59 + ["started"]


async def test_many_bots_are_refused_at_once_or_not_at_all(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann", seats=30)
        assert await refused(ann.ask("add_bots", count=30)) == "full"
        assert await refused(ann.ask("add_bots", bot="genius", count=29)) == "no_such_bot"
        (table,) = (await ann.ask("list", table=ann.table))["tables"]
        assert [player["name"] for player in table["players"]] == ["Ann"]
