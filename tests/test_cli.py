"""The command line, as a newcomer meets it."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.config import BadConfig, Config, load
from croupier.games import catalogue
from tests.client import client
from tests.live import process


def run(*arguments: str, typed: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "croupier.cli", *arguments],
        input=typed, capture_output=True, text=True, timeout=60, env={**os.environ, **env},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["dance"], "No such command 'dance'."),
        (["serve", "--prot", "1"], "No such option '--prot'. (Did you mean one of: '--host', '--port'?)"),
        (["serve", "--port", "99999"], "port: Expected `int` <= 65535"),
        (["serve", "--port", "x"], "port: Expected `int`, got `str`"),
        (["serve", "--listen", "palace"], "listen: 'palace' is not of the form NAME=HOST:PORT"),
        (["serve", "--listen", "chess=:1"], "listen: there is no dialect 'chess'"),
        (["serve", "--config", "/nowhere.toml"], "/nowhere.toml can't be read: No such file or directory"),
        (
            ["serve", "--test-first", "0"],
            "--test-first is a test switch: it takes --test-mode too, which no public server has on",
        ),
        (["serve", "--test-mode", "--test-seed", "12"], "--test-seed takes 64 hexadecimal digits"),
        (["play", "chess"], f"there is no game 'chess'; there is {', '.join(catalogue().games)}"),
        (["play", "palace", "--bots", "0"], "Palace is for 2 to 255 players, you included"),
        (["play", "palace", "--bot", "x"], "Palace has no bot 'x'; there is low-and-steady, random"),
        (["table", "show", "1", "--data", "/nowhere"], "there is no journal in /nowhere"),
    ],
)
def test_a_mistake_gets_one_sentence_and_exit_code_2(arguments: list[str], sentence: str, tmp_path: Path) -> None:
    if arguments[0] == "serve":
        arguments = [*arguments, "--data", str(tmp_path)]
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stderr == f"croupier: {sentence}\n"
    assert done.stdout == ""


@pytest.mark.parametrize("command", [[], ["serve"], ["play"], ["games"], ["table"], ["table", "show"]])
def test_every_command_has_help(command: list[str]) -> None:
    done = run(*command, "--help")
    assert done.returncode == 0
    assert "Usage: " in done.stdout


def test_no_command_at_all_shows_the_help() -> None:
    done = run()
    assert done.returncode == 2
    assert done.stdout.startswith("Usage: ")


def test_a_journal_that_cannot_be_opened(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite").write_text("this is not a database, and long enough to tell" * 100)
    done = run("serve", "--port", "0", "--data", str(tmp_path))
    assert done.returncode == 2
    assert done.stderr == f"croupier: the journal {tmp_path}/journal.sqlite can't be opened: file is not a database\n"
    done = run("serve", "--port", "0", "--data", str(tmp_path / "journal.sqlite"))
    assert done.returncode == 2
    assert "can't be opened" in done.stderr


def test_games_lists_them_with_their_bots() -> None:
    done = run("games")
    assert "palace" in done.stdout
    assert "low-and-steady" in done.stdout


def test_a_game_in_the_terminal_to_its_end() -> None:
    done = run("play", "palace", "--bots", "2", "--name", "Ann", typed="1\n" * 3000)
    assert done.returncode == 0
    assert "Ann plays" in done.stdout
    assert "\n1. " in done.stdout
    assert "\n3. " in done.stdout


def test_a_game_in_the_terminal_by_naming_cards_and_stopping() -> None:
    done = run("play", "palace", "--bots", "1", typed="none of these\nq\n")
    assert "That is not one of them." in done.stdout
    assert "Good-bye." in done.stdout


async def test_a_table_is_shown_from_the_journal(tmp_path: Path) -> None:
    async with process(tmp_path, "--bot-delay", "0") as live, client(live.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann")
        await ann.ask("add_bots", count=1)
        await ann.ask("start")
        await ann.ask("say", text="hello")
    listed = await asyncio.to_thread(run, "table", "list", "--data", str(tmp_path))
    assert ann.table in listed.stdout
    shown = await asyncio.to_thread(run, "table", "show", ann.table, "--data", str(tmp_path))
    assert "joined seat=0 name=Ann" in shown.stdout
    assert "hello" in shown.stdout
    assert ann.token not in shown.stdout
    missing = await asyncio.to_thread(run, "table", "show", "123", "--data", str(tmp_path))
    assert missing.returncode == 2
    record = await asyncio.to_thread(run, "table", "show", ann.table, "--json", "--data", str(tmp_path))
    assert '"hash"' in record.stdout


async def test_a_port_that_is_taken(tmp_path: Path) -> None:
    async with process(tmp_path / "a") as live:
        port = str(live.ports["http"])
        done = await asyncio.to_thread(run, "serve", "--port", port, "--data", str(tmp_path / "b"))
        assert done.returncode == 2
        assert "can't listen" in done.stderr
        assert done.stderr.count("\n") == 1


def test_flag_beats_environment_beats_file_beats_default(tmp_path: Path) -> None:
    file = tmp_path / "croupier.toml"
    file.write_text('port = 1\nmessage_rate = 2\nlisten = ["palace=:3012"]\n')
    config = load({"port": "3"}, file)
    assert (config.port, config.message_rate, config.listen) == (3, 2.0, ("palace=:3012",))
    assert config.host == Config().host
    done = run("serve", "--config", str(file), CROUPIER_PORT="99999")
    assert done.stderr == "croupier: port: Expected `int` <= 65535\n"
    file.write_text("prot = 1\n")
    with pytest.raises(BadConfig, match="prot"):
        load({}, file)
    file.write_text("port = \n")
    with pytest.raises(BadConfig, match="not TOML"):
        load({}, file)
