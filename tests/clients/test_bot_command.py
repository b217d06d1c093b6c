"""``croupier bot``: real programs at real servers, from the table they sit down at to the standings at the end."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple, Union, get_args

import msgspec
import pytest

from croupier.client import Client, Refused
from croupier.client.entries import Joined
from croupier.net import native
from croupier.tables import intents
from croupier.tables.wall_clock import Time
from services.processes import free_port
from tests.chaos.nursery import nursery
from tests.clients.reading import PATIENCE, become, play_out, until
from tests.live import LiveHere, server

BOTS = Path(__file__).parents[2] / "examples" / "bots"


class Done(NamedTuple):
    code: int
    out: str
    err: str


async def start(*arguments: str | Path, folder: Path | None = None) -> Process:
    command = [sys.executable, "-m", "croupier.cli", "bot", *map(str, arguments)]
    return await asyncio.create_subprocess_exec(*command, cwd=folder, stdout=PIPE, stderr=PIPE)


async def done(running: Process) -> Done:
    out, err = await asyncio.wait_for(running.communicate(), PATIENCE)
    assert running.returncode is not None
    return Done(running.returncode, out.decode(), err.decode())


async def run(*arguments: str | Path, folder: Path | None = None) -> Done:
    return await done(await start(*arguments, folder=folder))


@pytest.fixture
async def live(tmp_path: Path) -> AsyncIterator[LiveHere]:
    async with server(tmp_path / "data", bot_delay=0, message_rate=0) as running:
        yield running


@pytest.mark.parametrize(
    ("command", "name", "game"),
    [([BOTS / "cautious.py"], "cautious", "coup"), (["node", BOTS / "anything.js"], "anything", "cambia")],
)
async def test_the_examples_play_whole_games(
    live: LiveHere, tmp_path: Path, command: list[str | Path], name: str, game: str
) -> None:
    results = tmp_path / "results.jsonl"
    against = ("--game", game, "--server", live.http, "--bots", "2", "--bot", "random", "--games", "3")
    ended = await run(*command, *against, "--results", results)
    assert (ended.code, ended.err) == (0, "")
    lines = [json.loads(line) for line in results.read_text().splitlines()]
    assert len(lines) == 3
    assert {(line["game"], len(line["players"])) for line in lines} == {(game, 3)}
    assert {line["players"][line["seat"]]["name"] for line in lines} == {name}
    wins = sum(line["seat"] in line["result"]["placings"][0] for line in lines)
    assert re.search(rf"^{name} +3 +{wins} +\d+ % \(\d+ to \d+ %\) +\d+ ± \d+$", ended.out, re.MULTILINE)
    assert len(re.findall(r"^BOT \w+ \(random\) ", ended.out, re.MULTILINE)) == 2
    async with Client(live.http) as client:
        assert await client.tables() == ()  # it has left


async def test_two_that_are_started_at_once_find_each_other(live: LiveHere) -> None:
    """Whichever table they meet at, one of them starts each game."""
    both = [
        await start(BOTS / "cautious.py", *("--game", "coup", "--server", live.http, "--seats", "2"),
                    *("--games", "2", "--name", name))
        for name in ("Ann", "Ben")
    ]  # fmt: skip
    for ended in await asyncio.gather(*map(done, both)):
        assert (ended.code, ended.err) == (0, "")
        assert re.search(r"^Ann +2 ", ended.out, re.MULTILINE)
        assert re.search(r"^Ben +2 ", ended.out, re.MULTILINE)


async def test_two_that_look_for_others_are_brought_together(tmp_path: Path) -> None:
    """They have sat down before there are enough, whoever came first."""
    async with server(tmp_path / "data", time=Time(20.0), bot_delay=0, message_rate=0) as live:
        about = ("--game", "coup", "--server", live.http, "--games", "2")
        both = [await start(BOTS / "cautious.py", *about, "--name", name) for name in ("Ann", "Ben")]
        for ended in await asyncio.gather(*map(done, both)):
            assert (ended.code, ended.err) == (0, "")
            assert re.search(r"^Ann +2 ", ended.out, re.MULTILINE)
            assert re.search(r"^Ben +2 ", ended.out, re.MULTILINE)


async def test_at_a_server_that_looks_for_nobody_it_looks_through_the_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of a release that did not know such a request."""
    known: Any = Union[tuple(intent for intent in get_args(intents.Request) if intent is not intents.Seek)]  # noqa: UP007
    monkeypatch.setattr(native, "_decode", msgspec.json.Decoder(known).decode)
    async with server(tmp_path / "data", bot_delay=0, message_rate=0) as live, Client(live.http) as client:
        with pytest.raises(Refused, match="seek"):
            await client.seek("coup", player="Ann")
        table = await client.open("coup", player="Ann", seats=2)
        bot = await start(BOTS / "cautious.py", "--game", "coup", "--server", live.http, "--games", "1")
        await until(table, lambda happening: isinstance(happening.entry, Joined))
        await table.start()
        await play_out(table)
        ended = await done(bot)
        assert (ended.code, ended.err) == (0, "")


async def test_at_a_given_table_it_waits_for_its_host(live: LiveHere) -> None:
    async with Client(live.http) as client:
        table = await client.open("palace", player="Ann", seats=2, password="plum", auto_start=True, countdown=0)
        await table.ready()
        bot = await start("croupier.games.palace.bot:LowAndSteady", "--table", table.code, "--server", live.http,
                          "--password", "plum", "--games", "1")  # fmt: skip
        await until(table, lambda happening: isinstance(happening.entry, Joined))
        await play_out(table)
        ended = await done(bot)
        assert (ended.code, ended.err) == (0, "")
        assert re.search(r"^LowAndSteady +1 ", ended.out, re.MULTILINE)
        await until(table, lambda happening: len(table.summary.players) == 1)


async def test_it_survives_a_server_that_is_killed(tmp_path: Path) -> None:
    flags = ("--data", str(tmp_path), "--port", str(free_port()), "--bot-delay", "0", "--message-rate", "0")
    results = tmp_path / "results.jsonl"
    results.touch()
    async with nursery(tmp_path) as servers:
        async with servers.server(*flags, log=tmp_path / "log") as life:
            await life.opened()
            bot = await start(BOTS / "cautious.py", "--game", "coup", "--server", f"localhost:{flags[3]}",
                              "--bots", "1", "--results", results)  # fmt: skip
            await become(lambda: results.read_text().count("\n") >= 2)
            await life.kill()
        games = results.read_text().count("\n")
        async with servers.server(*flags, log=tmp_path / "log"):
            await become(lambda: results.read_text().count("\n") >= games + 3)
            bot.send_signal(signal.SIGTERM)
            ended = await done(bot)
    assert (ended.code, ended.err) == (0, "")
    assert "The connection was lost, and is back." in ended.out


async def test_ctrl_c_leaves_the_table_and_shows_the_standings(live: LiveHere) -> None:
    async with Client(live.http) as client:
        table = await client.open("palace", player="Ann", seats=3)
        bot = await start(BOTS / "cautious.py", "--table", table.id, "--server", live.http)
        await until(table, lambda happening: isinstance(happening.entry, Joined))
        await table.add_bots()
        await table.start()
        await play_out(table)
        assert bot.stdout is not None
        async with asyncio.timeout(PATIENCE):
            while b"place" not in await bot.stdout.readline():
                pass
        bot.send_signal(signal.SIGINT)
        ended = await done(bot)
        assert (ended.code, ended.err) == (0, "")
        assert re.search(r"^cautious +1 ", ended.out, re.MULTILINE)
        await until(table, lambda happening: len(table.summary.players) == 2)


async def test_an_error_of_the_bot_is_shown_where_it_is(live: LiveHere, tmp_path: Path) -> None:
    (tmp_path / "helpful.py").write_text("def best(moves):\n    return moves['best']\n")
    (tmp_path / "failing.py").write_text(
        "from croupier.kernel import Bot\nfrom helpful import best\n\n\nclass Failing(Bot):\n"
        "    def choose(self, seat, view, moves, dice):\n        return best(moves)\n"
    )
    against = ("--game", "palace", "--server", live.http, "--bots", "1")
    ended = await run("failing.py", *against, folder=tmp_path)
    assert ended.code == 1
    first, *_, last = ended.err.splitlines()
    assert first == "Traceback (most recent call last):"
    assert last == "croupier: the bot failed: TypeError: list indices must be integers or slices, not str"
    files = re.findall(r'File "(.*?)", line (\d+)', ended.err)
    assert [(Path(file).name, line) for file, line in files] == [("failing.py", "7"), ("helpful.py", "2")]
    async with Client(live.http) as client:
        assert await client.tables() == ()  # it has left


async def test_a_program_that_fails_says_why_itself(live: LiveHere, tmp_path: Path) -> None:
    (tmp_path / "failing.js").write_text("throw new Error('too early')\n")
    ended = await run("node", "failing.js", "--game", "palace", "--server", live.http, "--bots", "1", folder=tmp_path)
    assert ended.code == 1
    assert "Error: too early" in ended.err
    assert ended.err.endswith("croupier: the program ended with exit code 1, and was to answer\n")


async def test_a_table_that_ends(live: LiveHere) -> None:
    async with Client(live.http) as client:
        table = await client.open("coup", player="Ann", seats=2)
        bot = await start(BOTS / "cautious.py", "--table", table.id, "--server", live.http)
        await until(table, lambda happening: isinstance(happening.entry, Joined))
        await table.kick(1)
        ended = await done(bot)
        assert (ended.code, ended.err) == (0, "")
        assert f"It is over at {table.code}: left.\n" in ended.out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--game", "chess"], "there is no game 'chess' here"),
        (
            ["--game", "coup", "--bots", "1", "--bot", "x"],
            "there is no bot 'x'; there is believer, cardinal, honest, greenhorn, random",
        ),
        (["--table", "nowhere"], "there is no table 'nowhere'"),
    ],
)
async def test_what_the_server_does_not_have_is_said_in_a_sentence(
    live: LiveHere, arguments: list[str], sentence: str
) -> None:
    ended = await run(BOTS / "cautious.py", "--server", live.http, *arguments)
    assert (ended.code, ended.err) == (2, f"croupier: {sentence}\n")
