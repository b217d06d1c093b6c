"""What a server writes about a whole game, faults and all: structured, and without a card, a token or a password."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import structlog

from croupier.journal import JournalDown
from croupier.logs import configure, trace
from tests.client import Refusal, client, play_out
from tests.live import process

TALKATIVE = """
from croupier.games.palace import bot, rules
from croupier.journal import sqlite
from croupier.net import native

def choose(self, seat, view, moves, dice):
    raise ValueError(f"{moves[0]} is not in {view}")

bot.LowAndSteady.choose = choose
played = rules.Palace.play
moves = 0

def play(self, state, seat, move, at):
    global moves
    moves += 1
    if moves == 9:
        raise KeyError(f"{move} of {state}")
    return played(self, state, seat, move, at)

rules.Palace.play = play
misheard = native.Native.receive

def receive(self, message, text):
    if b"trip" in message:
        raise TypeError(message.decode())
    return misheard(self, message, text)

native.Native.receive = receive
"""
"""Everything that can fail does, and says all it knows."""


def test_what_people_write_does_nothing_to_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    configured = structlog.get_config()
    try:
        configure("text")
        structlog.get_logger().warning("a name", name="Ann\x1b]52;c;aGk\x07")
    finally:
        structlog.configure(**configured)
    said = capsys.readouterr().err
    assert r"Ann\x1b]52;c;aGk\x07" in said
    assert "\x1b" not in said and "\x07" not in said


async def test_the_log_of_a_whole_game_tells_no_secret(tmp_path: Path) -> None:
    log = tmp_path / "log"
    flags = ("--log-format", "json", "--bot-delay", "0")
    async with process(tmp_path, *flags, sabotage=TALKATIVE, log=log) as live, client(live.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann", seats=3, password="open sesame")
        await ann.ask("add_bots", count=2)
        with pytest.raises(Refusal):
            async with client(live.ws("/ws")) as eve:
                await eve.ask("join", table=ann.table, player="Eve", password="swordfish")
        async with client(live.ws("/ws")) as eve:
            await eve.socket.send(json.dumps({"type": "return", "table": "trip", "token": ann.token}))
            await eve.socket.wait_closed()
        await ann.ask("start")
        seed = (await play_out(ann))["seed"]
        await live.terminate()
    lines = log.read_text().splitlines()
    written = [json.loads(line) for line in lines]
    assert {"bot failed", "dialect failed"} <= {line["event"] for line in written}
    assert any("KeyError" in line.get("exception", "") for line in written)
    assert all(line["level"] and line["timestamp"] for line in written)
    secrets = [*"♣♦♥♠", ann.token, seed, "sesame", "swordfish"]
    assert [secret for secret in secrets if secret in log.read_text()] == []


def test_what_an_error_says_is_left_out_unless_it_is_harmless() -> None:
    try:
        try:
            raise ValueError("A♠")
        except ValueError:
            raise JournalDown("the disk is full") from None
    except JournalDown as error:
        told = trace((type(error), error, error.__traceback__))
    assert told.endswith("JournalDown: the disk is full")
    assert "ValueError" in told
    assert "test_logs.py" in told
    assert "A♠" not in told.replace('raise ValueError("A♠")', "")
