"""The command line, as a newcomer meets it."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from croupier import cli, logs
from croupier.cli import main
from croupier.config import BadConfig, Config, load
from croupier.games import catalogue
from croupier.journal import Append, Record
from croupier.journal.sqlite import SqliteJournal
from croupier.tables import entries
from croupier.tables.advice import STRENGTHS
from tests.client import client, play_out
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
        (["serve", "--prot", "1"], "No such option '--prot'. (Did you mean one of: '--bot', '--host', '--port'?)"),
        (["serve", "--port", "99999"], "--port: expected a whole number from 0 to 65535, not '99999'"),
        (["serve", "--port", "x"], "--port: expected a whole number from 0 to 65535, not 'x'"),
        (["serve", "--bot-delay", "5"], "--bot-delay: expected a number from 0 to 1, not '5'"),
        (
            ["serve", "--request-timeout", "0"],
            "--request-timeout: expected a number above 0 and up to 1000000000, not '0'",
        ),
        (["serve", "--patience", "inf"], "--patience: expected a number from 0 to 1000000000, not 'inf'"),
        (["serve", "--idle-after", "inf"], "--idle-after: expected a number above 0 and up to 1000000000, not 'inf'"),
        (["serve", "--test-mode", "--test-clock-speed", "inf"], "--test-clock-speed: expected a number from 0.001 to "),
        (
            ["serve", "--operator-token", "a secret with an ä"],
            "--operator-token expects letters without accents, digits and signs, and no space at its ends",
        ),
        (
            ["serve", "--allow-origin", "example.org"],
            "--allow-origin: 'example.org' is not what browsers call a site, such as https://example.org",
        ),
        (["serve", "--allow-origin", "https://example.org/"], "--allow-origin: 'https://example.org/' is not what "),
        (
            ["serve", "--workers", "2"],
            "--workers requires --journal postgresql://…: a journal in a folder can have only one writer",
        ),
        (["serve", "--node-address", "here"], "--node-address: 'here' is not of the form HOST:PORT"),
        (["serve", "--log-format", "xml"], "--log-format: expected json or text, not 'xml'"),
        (["serve", "--option", "coup"], "option: 'coup' is not of the form GAME.NAME=VALUE"),
        (
            ["serve", "--option", "chess.x=1"],
            f"option: there is no game 'chess'; known: {', '.join(catalogue().games)}",
        ),
        (["serve", "--option", "palace.x=1"], "option: palace has no option 'x'; known: turn_timer"),
        (
            ["serve", "--option", "palace.turn_timer=soon"],
            "option palace.turn_timer: expected a whole number from 0 to 255, not 'soon'",
        ),
        (["serve", "--table-count", "fortress=x"], "table-count: 'fortress=x' is not of the form GAME=COUNT"),
        (["serve", "--listen", "palace"], "listen: 'palace' is not of the form NAME=HOST:PORT"),
        (["serve", "--listen", "chess=:1"], "listen: there is no dialect 'chess'; known: native, "),
        (["serve", "--listen", "palace+x=:1"], "listen: there is no dialect 'palace+x'; known: native, "),
        (["serve", "--house-bots", "palace"], "house-bots: 'palace' is not of the form GAME=COUNT"),
        (["serve", "--house-bots", "chess=1"], "house-bots: there is no game 'chess'; known: "),
        (["serve", "--variant", "palace"], "variant: 'palace' is not of the form NAME=VARIANT"),
        (["serve", "--variant", "coup=x"], "variant: there is no dialect 'coup' with variants; known: palace"),
        (["serve", "--variant", "palace=x"], "variant: palace has no variant 'x'; known: note, modern, draft"),
        (["serve", "--config", "/nowhere.toml"], "/nowhere.toml can't be read: No such file or directory"),
        (
            ["serve", "--test-first", "0"],
            "--test-first is a test switch: it requires --test-mode, which is not for public servers",
        ),
        (["serve", "--test-mode", "--test-seed", "12"], "--test-seed expects 64 hexadecimal digits"),
        (["play", "chess"], f"there is no game 'chess'; known: {', '.join(catalogue().games)}"),
        (["play"], f"say which game to play: {', '.join(catalogue().games)}"),
        (["play", "palace", "--bots", "0"], "Palace is for 2 to 255 players, including you"),
        (["play", "fortress", "--bots", "2"], "Fortress is for 2 players, including you"),
        (
            ["play", "fortress", "--strength", "easy", "--bot", "warden"],
            "Fortress has no bot warden that is easy; warden is strong, castellan is master, sergeant is medium, "
            "recruit is easy, random is easy",
        ),
        (
            ["play", "coup", "--strength", "easy", "--bot", "believer"],
            "Coup has no bot believer that is easy; believer is strong, cardinal is master, honest is medium, "
            "greenhorn is easy, random is easy",
        ),
        (
            ["play", "palace", "--bot", "x"],
            "Palace has no bot 'x'; known: low-and-steady, chancellor, by-number, spendthrift, random",
        ),
        (["bot", "nowhere.py"], "there is no file nowhere.py"),
        (
            ["bot", "nowhere:Bot", "--game", "coup"],
            "there is no module 'nowhere', neither installed nor in this folder",
        ),
        (["bot", "json:Bot"], "json has no bot 'Bot': a subclass of croupier.kernel.Bot"),
        (["bot", "/nowhere"], "/nowhere can't be started: No such file or directory"),
        (
            ["bot", "croupier.kernel:RandomBot", "--game", "coup", "--server", "http://127.0.0.1:1"],
            "there is no server at ws://127.0.0.1:1/ws: Connection refused\n",
        ),
        (
            ["bot", "croupier.kernel:RandomBot", "--game", "coup", "--server", "http://localhost:99999"],
            "'http://localhost:99999' is not the address of a server, such as http://localhost:8080",
        ),
        (
            ["bot", "croupier.kernel:RandomBot", "--game", "coup", "--server", "ftp://x"],
            "'ftp://x' is not the address of a server, such as http://localhost:8080",
        ),
        (
            ["bot", "croupier.kernel:RandomBot", "--games", "0"],
            "Invalid value for '--games': 0 is not in the range x>=1.",
        ),
        (
            ["table", "show", "1", "--data", "/nowhere"],
            "there is no journal /nowhere/journal.sqlite; name its folder with --data",
        ),
    ],
)
def test_a_mistake_gets_one_sentence_and_exit_code_2(
    arguments: list[str],
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if arguments[0] == "serve":
        arguments = [*arguments, "--data", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", ["croupier", *arguments])
    monkeypatch.setattr(logs, "configure", lambda format: None)  # it would outlast this test
    with pytest.raises(SystemExit) as done:
        main()
    said = capsys.readouterr()
    assert done.value.code == 2
    assert said.err.startswith(f"croupier: {sentence}")
    assert said.err.count("\n") == 1
    assert said.out == ""


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"port = [", "is not TOML: "),
        (b"\xff\xfe", "is not TOML: "),
        (b"prot = 1", "there is no setting 'prot'; did you mean 'port'?"),
        (b"nonsense = 1", "there is no setting 'nonsense'\n"),
        (b'port = "x"', "port: expected a whole number from 0 to 65535, not 'x'"),
        (b"listen = 5", "listen: expected a list of strings, not 5"),
        (b"listen = [5]", "listen: expected a list of strings, not [5]"),
    ],
)
def test_a_mistake_in_a_file_names_it(text: bytes, sentence: str, tmp_path: Path) -> None:
    file = tmp_path / "croupier.toml"
    file.write_bytes(text)
    done = run("serve", "--config", str(file))
    assert done.returncode == 2
    assert re.match(f"croupier: {re.escape(str(file))}:? {re.escape(sentence)}", done.stderr)
    assert done.stderr.count("\n") == 1


def test_a_mistake_in_the_environment_names_it() -> None:
    done = run("serve", CROUPIER_PORT="abc")
    assert done.returncode == 2
    assert done.stderr == "croupier: CROUPIER_PORT: expected a whole number from 0 to 65535, not 'abc'\n"


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
    for command in (["table", "list"], ["table", "show", "1"], ["backup", str(tmp_path / "copy")]):
        done = run(*command, "--data", str(tmp_path))
        assert done.returncode == 2
        assert re.fullmatch(f"croupier: .*{re.escape(str(tmp_path))}/journal.sqlite .*\n", done.stderr)
    done = run("serve", "--port", "0", "--data", str(tmp_path / "journal.sqlite"))
    assert done.returncode == 2
    assert done.stderr.endswith(f"can't be opened: {tmp_path}/journal.sqlite is not a folder\n")


def test_games_lists_them_with_their_bots() -> None:
    done = run("games")
    assert "palace" in done.stdout
    assert "low-and-steady" in done.stdout
    for title in done.stdout.split("players.")[1:]:
        found = re.findall(r"^ +bot [\w-]+ \((\w+)(, the usual one)?\): .", title, re.MULTILINE)
        levels = [STRENGTHS.index(strength) for strength, _ in found]
        assert levels == sorted(levels) and len(levels) > 1
        assert [usual for _, usual in found].count(", the usual one") == 1


def test_a_game_in_a_pipe_to_its_end() -> None:
    done = run("play", "palace", "--bots", "2", "--name", "Ann", typed="1\n2\n3\n" * 1000)
    assert done.returncode == 0
    assert "three to lay face up" in done.stdout
    assert "── The end ──" in done.stdout
    assert "\n  1. " in done.stdout
    assert "\n  3. " in done.stdout
    assert "\x1b" not in done.stdout
    assert done.stdout.endswith("Goodbye.\n")


def test_a_game_that_is_tried_need_not_be_named_twice() -> None:
    done = run("play", "--game", "tests.toys:Bids", typed="")
    assert done.returncode == 0
    assert done.stdout.startswith("\n── Bids ──")


def test_the_game_in_this_folder_is_offered(tmp_path: Path) -> None:
    (tmp_path / "croupier_bids.py").write_text("")
    command = [sys.executable, "-m", "croupier.cli", "play", "bids"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.endswith("; to try the one in this folder, add --game croupier_bids\n")


@pytest.mark.parametrize("game", catalogue().games)
def test_every_game_begins_with_as_many_bots_as_it_takes(game: str) -> None:
    done = run("play", game, typed="")
    assert done.returncode == 0
    assert done.stdout.startswith(f"\n── {catalogue().games[game].title} ──")
    assert done.stdout.endswith("Goodbye.\n")


async def test_a_table_is_told_from_the_journal(tmp_path: Path) -> None:
    async with process(tmp_path, "--bot-delay", "0") as live, client(live.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann")
        await ann.ask("add_bots", count=1)
        await ann.ask("start")
        await ann.ask("say", text="hello")
        await ann.hear(lambda told: bool(told.get("moves")))
        running = await asyncio.to_thread(run, "table", "show", ann.table, "--data", str(tmp_path))
        await play_out(ann)
    listed = await asyncio.to_thread(run, "table", "list", "--data", str(tmp_path))
    assert ann.table in listed.stdout
    shown = await asyncio.to_thread(run, "table", "show", ann.table[:10], "--data", str(tmp_path))
    for sentence in (
        "Ann's table: Palace, hosted by Ann\n",
        "2 of 4 seats taken",
        "BOT Ada (bot, low-and-steady)",
        "  Ann takes a seat.\n",
        "  BOT Ada, a bot (low-and-steady), takes a seat.\n",
        "  Game 1 begins: ",
        "The game is over. ",
        "\n  1. ",
    ):
        assert sentence in shown.stdout
    assert "hello" not in shown.stdout, "chat is in no journal"
    assert "a game is on" in running.stdout
    assert not re.search(r'[{}"_]|=', shown.stdout), "nothing of what programs say"
    assert ann.token not in shown.stdout
    missing = await asyncio.to_thread(run, "table", "show", "xyz", "--data", str(tmp_path))
    assert missing.returncode == 2
    assert missing.stderr == f"croupier: there is no table xyz in {tmp_path}/journal.sqlite\n"
    record = await asyncio.to_thread(run, "table", "show", ann.table, "--json", "--data", str(tmp_path))
    assert '"hash"' in record.stdout


async def test_old_names_and_chat_do_nothing_to_the_terminal(tmp_path: Path) -> None:
    """As they were let in before names had rules: the clipboard is not theirs to write (OSC 52), nor the lines."""
    evil = "\x1b]52;c;aGk=\x07\x9b2J\n\u202e"
    written = [
        entries.Opened("palace", f"Table{evil}", 2, {}),
        entries.Joined(0, f"Ann{evil}", "t"),
        entries.Said(0, f"Ann{evil}", f"hello{evil}"),
        entries.Closed("host left"),
    ]
    journal = SqliteJournal(tmp_path / "journal.sqlite")
    records = [Record(seq, 1000, entries.encode(entry)) for seq, entry in enumerate(written, start=1)]
    journal.append(Append("0123", records, "palace", True))
    await journal.close()
    shown = run("table", "show", "0", "--data", str(tmp_path)).stdout
    assert r"Ann\x1b]52;c;aGk=\x07\x9b2J\n\u202e: “hello\x1b]52" in shown
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", shown)
    record = run("table", "show", "0", "--data", str(tmp_path), "--json").stdout
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", record)
    assert json.loads(record)["table"]["name"] == f"Table{evil}"


def test_ones_own_name_does_nothing_to_the_terminal() -> None:
    done = run("play", "palace", "--bots", "1", "--name", "Ann\x1b]52;c;aGk=\x07", typed="1\n2\n3\n" * 1000)
    assert r"Ann\x1b]52;c;aGk=\x07" in done.stdout
    assert "\x1b" not in done.stdout


async def test_as_long_as_a_game_is_on_its_secrets_are_not_told(tmp_path: Path) -> None:
    async with process(tmp_path, "--bot-delay", "0") as live, client(live.ws("/ws")) as ann:
        await ann.ask("open", game="cambia", player="Ann")
        await ann.ask("add_bots", count=1)
        await ann.ask("start")
        shown = await asyncio.to_thread(run, "table", "show", ann.table, "--data", str(tmp_path))
    assert "Round 1 is dealt." in shown.stdout
    assert "looks at" not in shown.stdout


async def test_a_port_that_is_taken(tmp_path: Path) -> None:
    async with process(tmp_path / "a") as live:
        port = str(live.ports["http"])
        done = await asyncio.to_thread(run, "serve", "--port", port, "--data", str(tmp_path / "b"))
        assert done.returncode == 2
        assert done.stderr == (
            f"croupier: can't listen on 0.0.0.0:{port} for http: Address already in use; --port chooses another\n"
        )
        assert done.stderr.count("\n") == 1


def test_flag_beats_environment_beats_file_beats_default(tmp_path: Path) -> None:
    file = tmp_path / "croupier.toml"
    file.write_text('port = 1\nmessage_rate = 2\nlisten = ["palace=:3012"]\n')
    config = load({"port": "3"}, file)
    assert (config.port, config.message_rate, config.listen) == (3, 2.0, ("palace=:3012",))
    assert config.host == Config().host
    done = run("serve", "--config", str(file), CROUPIER_PORT="99999")
    assert done.stderr == "croupier: CROUPIER_PORT: expected a whole number from 0 to 65535, not '99999'\n"
    file.write_text("prot = 1\n")
    with pytest.raises(BadConfig, match="prot"):
        load({}, file)
    file.write_text("port = \n")
    with pytest.raises(BadConfig, match="not TOML"):
        load({}, file)


@pytest.mark.parametrize("flag", ["--version", "--help"])
def test_nobody_waits_for_a_server_to_be_told_the_version(flag: str) -> None:
    program = f"""
import sys
sys.argv = ["croupier", {flag!r}]
from croupier import cli
try:
    cli.main()
finally:
    print(*sorted(sys.modules), file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    imported = done.stderr.split()
    assert "croupier.cli" in imported
    assert [name for name in imported if name.startswith("croupier")] == ["croupier", "croupier.cli"]


def test_what_the_commands_do_is_said_in_the_same_words_everywhere() -> None:
    context = click.Context(cli.commands)
    for name, (_, about) in cli.COMMANDS.items():
        command = cli.commands.get_command(context, name)
        assert command is not None and command.help is not None
        assert " ".join(command.help.split()).startswith(about), name
