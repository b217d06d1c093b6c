"""``croupier verify``: whoever has played checks the deal afterwards, and nobody can before."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.client import Client, client, play_out
from tests.live import LiveHere, request, server
from tests.test_cli import run


@pytest.fixture
async def live(tmp_path: Path) -> AsyncIterator[LiveHere]:
    async with server(tmp_path, bot_delay=0) as running:
        yield running


async def verify(*arguments: str, typed: str = "") -> tuple[int, str]:
    """The exit code, and what it says."""
    done = await asyncio.to_thread(run, "verify", *arguments, typed=typed)
    return done.returncode, done.stdout + done.stderr


async def get(live: LiveHere, path: str) -> tuple[int, str]:
    reply = await request(live.ports["http"], "GET", f"/api/tables/{path}")
    return reply.status, reply.body.decode()


async def record_of(live: LiveHere, path: str) -> Any:
    status, body = await get(live, f"{path}/record")
    assert status == 200, body
    return json.loads(body)


async def play(ann: Client) -> tuple[str, str]:
    """One game, to its end: the hash that was shown at its start, and the seed at its end."""
    await ann.ask("start")
    last = await play_out(ann)
    pledges = [told["entry"]["pledge"] for told in ann.told if told["entry"]["entry"] == "started"]
    return pledges[-1], last["seed"]


@pytest.mark.parametrize("game", ["palace", "coup", "fortress"])
async def test_whoever_played_checks_each_game_of_the_table(live: LiveHere, game: str, tmp_path: Path) -> None:
    async with client(live.ws("/ws")) as ann:
        await ann.ask("open", game=game, player="Ann", seats=2)
        await ann.ask("add_bots")
        pledges = []
        for number in (1, 2):
            if number == 2 and game == "coup":
                await ann.ask("reopen")
            pledge, seed = await play(ann)
            assert hashlib.sha256(bytes.fromhex(seed)).hexdigest() == pledge
            pledges.append(pledge)
        for number, pledge in enumerate(pledges, 1):
            record = await record_of(live, f"{ann.table}/games/{number}")
            file = tmp_path / f"record-{number}.json"
            file.write_text(json.dumps(record))
            code, said = await verify(str(file), "--pledge", pledge)
            assert (code, f"the hash that you were shown at the start, {pledge}" in said) == (0, True), said
        # Another game's hash is not this one's.
        code, said = await verify(str(file), "--pledge", pledges[0])
        assert (code, f"and you were shown {pledges[0]}" in said) == (1, True), said
        code, said = await verify("-", typed=file.read_text())
        assert code == 0, said
        assert said.startswith("All is right with game 2 of ")


async def test_the_address_of_a_replay_or_of_a_record_is_enough(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann", seats=2)
        await ann.ask("add_bots")
        await play(ann)
        await play(ann)
        for path, number in {
            f"/t/{ann.table}/replay?game=1&seat=1&open=1&step=7": 1,
            f"/t/{ann.table}/replay": 2,
            f"/t/{ann.table}": 2,
            f"/api/tables/{ann.table}/games/1/record?language=fr": 1,
            f"/api/tables/{ann.table}/games/2?seat=1": 2,
        }.items():
            code, said = await verify(live.http + path)
            assert (code, said.startswith(f"All is right with game {number} of ")) == (0, True), said


async def test_before_the_end_there_is_nothing_to_check(live: LiveHere, tmp_path: Path) -> None:
    async with client(live.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann", seats=2)
        await ann.ask("add_bots")
        await ann.ask("start")
        for path in (
            f"/t/{ann.table}/replay",
            f"/t/{ann.table}/replay?game=1",
            f"/api/tables/{ann.table}/games/1/record",
        ):
            code, said = await verify(live.http + path)
            assert code == 2
            assert said.startswith("croupier: ")
            assert said.endswith("only a finished game can be checked\n")
        code, said = await verify("-", typed=(await get(live, ann.table))[1])
        assert (code, "only a finished game can be checked" in said) == (2, True), said


async def test_nothing_tells_the_luck_of_a_game_before_its_end(live: LiveHere) -> None:
    """Neither of the first nor, while everybody may read the record of the first, of the second."""
    async with client(live.ws("/ws?views=1")) as ann, client(live.ws("/ws?views=1")) as eve:
        await ann.ask("open", game="palace", player="Ann", seats=2)
        await ann.ask("add_bots")
        heard: list[str] = []
        for number in (1, 2):
            await ann.ask("start")
            if number == 1:
                await eve.ask("watch", table=ann.table)
            for path in ("", f"/games/{number}", f"/games/{number}?open=1", f"/games/{number}/record"):
                status, body = await get(live, ann.table + path)
                assert status == (200 if not path else 404)
                assert not {"draws", "whence", "seed", "rig"} & set(json.loads(body))
                heard.append(body)
            if number == 2:
                heard.append((await get(live, f"{ann.table}/games/1/record"))[1])
            heard.append(json.dumps(await ann.ask("see")))
            last = await play_out(ann)
            for told in (ann.told, eve.told):
                heard += [json.dumps(message) for message in told if message["seq"] < last["seq"]]
            assert len(heard) > 10
            assert not [message for message in heard if last["seed"] in message]
            assert not [message for message in heard if '"draws"' in message and f'"number":{number}' in message]
            record = await record_of(live, f"{ann.table}/games/{number}")
            assert record["about"]["seed"] == last["seed"]
            assert record["log"][0]["draws"]


async def test_what_somebody_has_changed_is_found(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann", seats=2)
        await ann.ask("add_bots")
        await play(ann)
        record = await record_of(live, f"{ann.table}/games/1")
    hands = record["log"][0]["view"]["open_hands"]
    hands[0][0], hands[1][0] = hands[1][0], hands[0][0]
    if hands[0][0] == hands[1][0]:
        hands[0][0] = "?"
    code, said = await verify("-", typed=json.dumps(record))
    assert code == 1
    assert said.startswith("This record is not right: the first of ")
    assert f"'s open hands is {hands[0][0]} in the record and" in said


async def test_names_do_nothing_to_a_terminal(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann", seats=2)
        await ann.ask("add_bots")
        await play(ann)
        record = await record_of(live, f"{ann.table}/games/1")
    record["about"]["name"] = "\x1b[2Jgone"
    code, said = await verify("-", typed=json.dumps(record))
    assert (code, "\x1b" in said, "\\x1b[2Jgone" in said) == (0, False, True), said


@pytest.mark.parametrize(
    ("record", "typed", "said"),
    [
        ("-", "{}", "this is no record of a game"),
        ("/nowhere.json", "", "/nowhere.json can't be read: No such file or directory"),
        ("/", "", "/ can't be read: Is a directory"),
        ("http://127.0.0.1:1/t/abc/replay", "", "can't be reached: [Errno 111] Connection refused"),
        ("http://127.0.0.1:1/elsewhere", "", "is neither a replay nor a record"),
        ("http://[/t/abc", "", "is neither a replay nor a record"),
        ("http://\x1b[/t/abc", "", "is neither a replay nor a record"),
    ],
)
async def test_what_is_no_record(record: str, typed: str, said: str) -> None:
    code, told = await verify(record, typed=typed)
    assert (code, said in told) == (2, True), told
    assert told.startswith("croupier: ")
    assert told.count("\n") == 1


async def test_a_table_that_is_nowhere(live: LiveHere) -> None:
    code, told = await verify(f"{live.http}/t/nowhere/replay")
    assert (code, "there is no such table" in told) == (2, True), told
