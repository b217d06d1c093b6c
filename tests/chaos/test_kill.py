"""kill -9 in the middle of everything: nothing acknowledged is lost, and everybody finds their seat again."""

from __future__ import annotations

import asyncio
import json
import signal
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from croupier.journal.reading import read_log
from tests.client import Client, Json, Refusal, client, play_out
from tests.live import process, server


async def hash_of(http: str, table: str) -> str:
    def fetch() -> Any:
        with urllib.request.urlopen(f"{http}/api/tables/{table}", timeout=20) as response:
            return json.load(response)

    return str((await asyncio.to_thread(fetch))["hash"])


async def started(url: str, clients: list[Client], bots: int) -> Json:
    host = clients[0]
    await host.ask("open", game="palace", player="Player 0", seats=len(clients) + bots)
    for number, guest in enumerate(clients[1:], start=1):
        await guest.ask("join", table=host.table, player=f"Player {number}")
    if bots:
        await host.ask("add_bots", count=bots)
    await host.ask("start")
    return await host.entry("started")


async def test_the_table_is_there_after_a_kill_clock_and_all(tmp_path: Path) -> None:
    async with process(tmp_path) as live, client(live.ws("/ws")) as ann, client(live.ws("/ws")) as bob:
        await started(live.ws("/ws"), [ann, bob], 0)
        players = {0: ann, 1: bob}
        await bob.entry("started")
        players = {player.seat: player for player in (ann, bob)}  # type: ignore[misc]
        sync = (await players[0].ask("see"))["sync"]
        for _ in range(7):
            mover = players[sync["view"]["active"]]
            moves = (await mover.ask("see"))["sync"]["moves"]
            await mover.ask("play", move=moves[0])
            sync = (await mover.ask("see"))["sync"]
        before = await hash_of(live.http, ann.table)
        seen = {seat: (await player.ask("see"))["sync"] for seat, player in players.items()}
        port = live.ports["http"]
        await live.kill()
    async with process(tmp_path, "--port", str(port)) as live:
        assert await hash_of(live.http, ann.table) == before
        async with client(live.ws("/ws")) as ann2, client(live.ws("/ws")) as bob2:
            for old, new in ((ann, ann2), (bob, bob2)):
                sync = (await new.ask("return", table=old.table, token=old.token))["sync"]
                was = seen[sync["seat"]]
                assert sync["view"] == was["view"]
                assert sync["moves"] == was["moves"]
                assert sync["clocks"] == was["clocks"]
            mover = ann2 if (await ann2.ask("see"))["sync"]["moves"] else bob2
            moves = (await mover.ask("see"))["sync"]["moves"]
            await mover.ask("play", move=moves[0])


async def test_no_acknowledged_move_is_lost_however_often_it_is_killed(tmp_path: Path) -> None:
    """Many kills in the middle of moves: every move that was acknowledged is in the log afterwards."""
    port = 0
    table = token = ""
    acknowledged = 0
    for attempt in range(4):
        flags = ("--port", str(port)) if port else ()
        async with process(tmp_path, "--bot-delay", "0", *flags) as live:
            port = live.ports["http"]
            async with client(live.ws("/ws")) as ann:
                if not table:
                    await started(live.ws("/ws"), [ann], 3)
                    table, token = ann.table, ann.token
                reply = await ann.ask("return", table=table, token=token)
                assert reply["sync"]["seq"] >= acknowledged, "something that was told is gone"

                async def race(ann: Client = ann, moves: list[Json] = reply["sync"]["moves"]) -> None:
                    nonlocal acknowledged
                    if moves:
                        await ann.ask("play", move=moves[0])
                    while True:
                        fact = await ann.hear(lambda m: m["type"] == "fact")
                        acknowledged = max(acknowledged, fact["seq"])
                        if "result" in fact:
                            await ann.ask("start")
                        elif fact.get("moves"):
                            await ann.ask("play", move=fact["moves"][0])

                racing = asyncio.create_task(race())
                await asyncio.sleep(0.1 + 0.1 * attempt)
                await live.kill()
                racing.cancel()
                await asyncio.gather(racing, return_exceptions=True)
    assert acknowledged > 20
    async with process(tmp_path, "--bot-delay", "0") as live, client(live.ws("/ws")) as ann:
        sync = (await ann.ask("return", table=table, token=token))["sync"]
        assert sync["seq"] >= acknowledged
        if sync["table"]["phase"] == "waiting":
            await ann.ask("start")
        elif sync["moves"]:
            await ann.ask("play", move=sync["moves"][0])
        await play_out(ann)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
async def test_a_polite_stop_keeps_seats_even_before_the_game(tmp_path: Path, how: signal.Signals) -> None:
    """SIGHUP: somebody has closed the terminal."""
    async with process(tmp_path) as live, client(live.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann")
        assert await live.terminate(how) == 0
        with pytest.raises(ConnectionClosed) as caught:
            await ann.socket.recv()
        assert caught.value.rcvd is not None
        assert caught.value.rcvd.code == 1012  # come back in a moment
    async with process(tmp_path) as live, client(live.ws("/ws")) as again:
        sync = (await again.ask("return", table=ann.table, token=ann.token))["sync"]
        assert sync["table"]["phase"] == "waiting"
        assert [(player["seat"], player["name"]) for player in sync["table"]["players"]] == [(0, "Ann")]


BETWEEN_COMMIT_AND_ANSWER = """
import os, signal
from croupier.tables import room

def settled(self, error):
    if any(b'"key":"fatal"' in record.entry for record in self.records):
        os.kill(os.getpid(), signal.SIGKILL)
    answer(self, error)

answer, room.Batch.settled = room.Batch.settled, settled
"""


async def test_a_move_whose_answer_was_lost_is_not_made_twice(tmp_path: Path) -> None:
    """The server dies when the move is in the journal and nobody has heard of it yet; the client sends it again."""
    move = {"move": "propose", "action": "income"}
    async with process(tmp_path, sabotage=BETWEEN_COMMIT_AND_ANSWER) as live, client(live.ws("/ws")) as ann:
        await ann.ask("open", game="coup", player="Ann", seats=2)
        async with client(live.ws("/ws")) as ben:
            await ben.ask("join", table=ann.table, player="Ben")
            await ann.ask("start")
            tokens = {ann.token, ben.token}
            mover = ann if (await ann.ask("see"))["sync"]["moves"] else ben
            with pytest.raises(ConnectionClosed):
                await mover.ask("play", move=move, key="fatal")
    async with process(tmp_path) as live, client(live.ws("/ws")) as again, client(live.ws("/ws")) as other:
        await other.ask("return", table=ann.table, token=(tokens - {mover.token}).pop())
        before = (await again.ask("return", table=ann.table, token=mover.token))["sync"]
        await again.ask("play", move=move, key="fatal")
        await again.ask("play", move=move, key="fatal")  # and once more: the connection may be lost again
        after = (await again.ask("see"))["sync"]
        assert (after["seq"], after["view"]) == (before["seq"], before["view"])
        with pytest.raises(Refusal) as refused:
            await again.ask("play", move=move, key="another")
        assert refused.value.code == "not_your_turn"
    made = [entry.entry for entry in read_log(tmp_path / "journal.sqlite", ann.table) if b'"moved"' in entry.entry]
    assert len(made) == 1


async def test_the_last_move_of_a_game_can_be_sent_again_too(tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as live, client(live.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann", seats=2)
        await ann.ask("add_bots")
        await ann.ask("start")
        last = ""
        while True:
            fact = await ann.hear(lambda message: message["type"] == "fact")
            if "result" in fact:
                break
            if fact.get("moves"):
                last = str(fact["seq"])
                await ann.ask("play", move=fact["moves"][0], key=last)
        await ann.ask("play", move={}, key=last)  # who knows the key need not know the rest
        with pytest.raises(Refusal) as refused:
            await ann.ask("play", move={}, key="another")
        assert refused.value.code == "not_started"
        assert not any("key" in fact["entry"] for fact in ann.told if fact["type"] == "fact")


@pytest.mark.parametrize("key", ["", "x" * 65, 5])
async def test_a_key_is_a_short_text(tmp_path: Path, key: object) -> None:
    async with server(tmp_path) as live, client(live.ws("/ws")) as ann:
        with pytest.raises(Refusal) as refused:
            await ann.ask("play", move={}, key=key)
        assert refused.value.code == "bad_request"
