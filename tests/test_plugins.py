"""Games from elsewhere: what is taken in, what is left out, and what is said about it."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount, Route

from croupier import games, logs, plugins
from croupier.cli import main
from croupier.config import load
from croupier.plugins import BadPlugin, catalogue
from croupier.tables.records import keep
from tests.client import client, play_out
from tests.diary import Diary
from tests.live import process, server
from tests.packages import INIT, RULES, installed
from tests.toys import Bids

OURS = list(games.catalogue().games)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of packages that Python finds, and forgets again."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    before = set(sys.modules)
    yield folder
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", None)).startswith(str(tmp_path)):
            del sys.modules[name]


def croupier(*arguments: str, site: Path, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(site)}
    command = [str(Path(sys.executable).with_name("croupier")), *arguments]  # which does not look in the current folder
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("target", ["croupier_bids", "croupier_bids:game", "croupier_bids.rules:Bids"])
def test_an_installed_game_comes_after_our_own(site: Path, target: str) -> None:
    folder = installed(site, target="croupier_bids")
    (folder.parent / "croupier_bids-1.2.dist-info" / "entry_points.txt").write_text(f"[croupier.games]\nb = {target}\n")
    found = catalogue()
    assert list(found.games) == [*OURS, "bids"]
    assert found.sources == {"bids": "croupier-bids 1.2"}
    assert not found.left_out
    assert games.catalogue().games.keys() == set(OURS)


GAME = "game = Bids()"
PROTOCOL = """
from croupier.tables.endpoint import Beacon, Endpoint
endpoints = [Endpoint({!r}, {!r}, lambda request: None)]
"""
WRONG = {
    "import nonsense": "it can't be imported: ModuleNotFoundError: No module named 'nonsense'",
    "raise SystemExit(3)": "it can't be imported: SystemExit: 3",
    "def f(:": "it can't be imported: SyntaxError: invalid syntax (__init__.py, line 1)",
    "raise ValueError('one\\ntwo')": "it can't be imported: ValueError: one two",
    "": "it is not a game: neither a croupier.kernel.Game, nor something with one called `game`",
    "game = 5": "it is not a game: neither a croupier.kernel.Game, nor something with one called `game`",
    f"{INIT}Bids.name = 'palace'": "there is a game 'palace' already",
    f"{INIT}Bids.name = 'Bids!'": "'Bids!' is not a valid game name: use lowercase letters, digits, - and _, as ",
    f"{INIT}Bids.title = None": "Bids has no title, which is a str",
    f"{INIT}Bids.seats = range(0)": "Bids has no seats, which is a range",
    f"{INIT}del Bids.Options": "Bids does not declare its types: Game[State, View, Options, Move, Event]",
    f"{INIT}Bids.Options = int": "Bids can't be described: ",
    f"{INIT}Bids.usual = {{'nonsense': 1}}": "Bids can't be described: TypeError: ",
    "from croupier.kernel import Game\nclass game(Game): pass": "it can't be imported: TypeError: game has to name",
    "from croupier.kernel import Game\nclass Half(Game): pass\ngame = Half()": "it can't be imported: TypeError: ",
    f"{INIT}endpoints = [5]": "5 is neither an endpoint nor a beacon",
    INIT + PROTOCOL.format("palace", "/bids"): "there is a protocol 'palace' already",
    INIT + PROTOCOL.format("http", "/bids"): "there is a protocol 'http' already",
    INIT + PROTOCOL.format("bids", "/palace"): "bids: the path /palace is taken, by /palace",
    INIT + PROTOCOL.format("bids", "/palace/2"): "bids: the path /palace/2 is taken, by /palace",
    INIT + PROTOCOL.format("bids", "/api/bids"): "bids: the path /api/bids is taken, by /api",
    INIT + PROTOCOL.format("bids", "bids"): "bids: 'bids' is not a path, such as /hearts",
    INIT + PROTOCOL.format("bids", "/") + "\n": "bids: '/' is not a path, such as /hearts",
    INIT + "from croupier.tables.endpoint import Endpoint\nendpoints = [Endpoint('b', '/b', None, transport='x')]": (
        "b: there is no transport 'x'; known: websocket, engine.io, lines"
    ),
    INIT + "from croupier.tables.endpoint import Beacon\nbeacons = [Beacon('fortress-lan', 1, None)]": (
        "there is a protocol 'fortress-lan' already"
    ),
    INIT
    + "class Local(Bids): pass\nLocal.__qualname__ = 'nowhere.Local'\ngame = Local()": "Local can't be described: ",
    INIT + "class Given(Bids):\n def __init__(self, x): pass\ngame = Given(1)": "Given can't be described: TypeError: ",
}


@pytest.mark.parametrize("init", WRONG, ids=WRONG.values())
def test_a_package_that_is_no_good_is_left_out_with_a_sentence(site: Path, init: str) -> None:
    installed(site, files={"__init__.py": init, "rules.py": RULES})
    good = {"__init__.py": INIT.replace("croupier_bids", "good"), "rules.py": RULES.replace('"bids"', '"good"')}
    installed(site, "a-good-one", "good", good)
    found = catalogue()
    (sentence,) = found.left_out
    assert sentence.startswith(f"the games of the package croupier-bids 1.2 are left out: {WRONG[init]}")
    assert "\n" not in sentence
    assert found.sources == {"good": "a-good-one 1.2"}, "nothing else suffers"


def test_of_two_games_with_one_name_the_second_is_left_out(site: Path) -> None:
    installed(site)
    installed(site, "zz-bids", "zz_bids", {"__init__.py": INIT.replace("croupier_bids", "zz_bids"), "rules.py": RULES})
    found = catalogue()
    assert found.sources == {"bids": "croupier-bids 1.2"}
    (sentence,) = found.left_out
    assert sentence.endswith("there is a game 'bids' already, from croupier-bids 1.2")


async def test_the_server_starts_all_the_same_and_says_so(site: Path, tmp_path: Path) -> None:
    installed(site, files={"__init__.py": "import nonsense"})
    log = tmp_path / "log"
    async with process(tmp_path, log=log, inside=("env", f"PYTHONPATH={site}")) as live, client(live.ws("/ws")) as ann:
        assert [game["name"] for game in ann.welcome["games"]] == OURS
    (line,) = log.read_text().splitlines()
    assert "[warning" in line
    assert "the games of the package croupier-bids 1.2 are left out: it can't be imported: ModuleNotFoundError" in line
    listed = await asyncio.to_thread(croupier, "games", site=site)
    assert listed.returncode == 0
    assert listed.stderr.startswith("croupier: the games of the package croupier-bids 1.2 are left out: it can't be")
    assert listed.stderr.count("\n") == 1


async def test_an_installed_game_is_played_and_watched_again(site: Path, tmp_path: Path) -> None:
    installed(site)
    inside = ("env", f"PYTHONPATH={site}")
    async with process(tmp_path, "--bot-delay", "0", inside=inside) as live, client(live.ws("/ws")) as ann:
        await ann.ask("open", game="bids", player="Ann")
        await ann.ask("add_bots", count=2)
        await ann.ask("start")
        assert (await play_out(ann))["result"]
        status = "import sys, urllib.request as r; print(r.urlopen(sys.argv[1]).status)"
        replay = [sys.executable, "-c", status, f"{live.http}/api/tables/{ann.table}/games/1"]
        assert await asyncio.to_thread(subprocess.check_output, replay) == b"200\n"
    done = await asyncio.to_thread(croupier, "check", "--data", str(tmp_path), site=site)
    assert done.stdout == "1 table replayed, no faults\n"


UNCHECKED = "the game, 'bids', is not installed here; name it with --game MODULE:OBJECT, or install it"


async def test_a_table_of_a_game_that_is_not_installed_is_no_fault_of_the_journal(site: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    async with server(data, games.catalogue()) as live:
        for game, id in ((games.catalogue().games["palace"], "p"), (Bids(), "b"), (Bids(), "d")):
            await Diary(game, 2, id, shown=False).play().put_into(live.house)

    def check(*arguments: str) -> tuple[int, list[str]]:
        done = croupier("check", "--data", str(data), *arguments, site=site)
        return done.returncode, done.stdout.splitlines()

    assert await asyncio.to_thread(check) == (
        0,
        [f"2 tables were read and not replayed: {UNCHECKED}", "1 table replayed, no faults"],
    )
    (site / "bids.py").write_text(RULES)
    assert await asyncio.to_thread(check, "--game", "bids:Bids") == (0, ["3 tables replayed, no faults"])
    # What is damaged all the same is seen without the rules, too.
    for damage, fault in {
        "UPDATE entries SET entry = 'x' WHERE table_id = 'b' AND seq = 7": "its log can't be replayed: entry 7 can't",
        "DELETE FROM entries WHERE table_id = 'b' AND seq > 6": "it is open, and listed as if it were not",
        "DELETE FROM entries WHERE table_id = 'b'": "its log is empty",
    }.items():
        with closing(sqlite3.connect(data / "journal.sqlite")) as connection, connection:
            connection.execute(damage)
        code, (broken, unchecked, summary) = await asyncio.to_thread(check)
        assert broken.startswith(f"table b: {fault}")
        assert (code, unchecked) == (1, f"1 table was read and not replayed: {UNCHECKED}")
        assert summary == "2 tables replayed, 1 fault"


def test_games_says_where_each_comes_from(site: Path) -> None:
    installed(site)
    lines = croupier("games", site=site).stdout.splitlines()
    assert "from croupier 0.1.0" in lines[1]
    bids = lines.index("bids       The highest card takes the point. 2 to 6 players.")
    assert "from croupier-bids 1.2" in lines[bids + 1]


# What is tried out.


@pytest.fixture
def workshop(tmp_path: Path) -> Path:
    """A folder that somebody works in."""
    folder = tmp_path / "workshop"
    folder.mkdir()
    (folder / "bids.py").write_text(RULES + "\n\ngame = Bids()\nnumber = 5\n")
    (folder / "broken.py").write_text("import nonsense\n")
    (folder / "half.py").write_text(
        "from croupier.kernel import Game\n\nclass Half(Game):\n    def deal(self): ...\n    def view(self): ...\n"
    )
    return folder


def test_a_module_of_the_current_folder_is_tried_out(workshop: Path, tmp_path: Path) -> None:
    done = croupier("play", "bids", "--game", "bids:game", "--bots", "1", site=tmp_path, folder=workshop)
    assert done.returncode == 0, done.stderr
    assert "── Bids ──" in done.stdout


@pytest.mark.parametrize("name", ["bids", "bids:game", "bids:Bids"])
def test_a_module_the_game_or_its_class_is_named(
    workshop: Path, site: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(workshop)
    monkeypatch.setattr(sys, "path", sys.path[:])
    assert catalogue([name]).sources == {"bids": f"--game {name}"}


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("nowhere:game", "there is no module 'nowhere', neither installed nor in {folder}"),
        ("nowhere.at.all:game", "there is no module 'nowhere', neither installed nor in {folder}"),
        ("bids:nothing", "the module bids has no 'nothing'"),
        ("bids:number", "it is not a game: neither a croupier.kernel.Game, nor something with one called `game`"),
        ("broken:game", "it can't be imported: ModuleNotFoundError: No module named 'nonsense'"),
        (
            "half:Half",
            "it can't be imported: TypeError: Half has to name its five types: "
            "class Half(Game[State, View, Options, Move, Event])",
        ),
        ("croupier.games.palace", "there is a game 'palace' already"),
        ("./bids.py", "this is not of the form MODULE:OBJECT, such as hearts:game"),
        (":game", "this is not of the form MODULE:OBJECT, such as hearts:game"),
    ],
)
def test_a_mistake_is_one_sentence(
    workshop: Path,
    site: Path,
    name: str,
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(workshop)
    monkeypatch.setattr(sys, "path", sys.path[:])
    monkeypatch.setattr(logs, "configure", lambda format: None)  # it would outlast this test
    for command in (["serve", "--port", "0"], ["games"], ["play", "bids"]):
        monkeypatch.setattr(sys, "argv", ["croupier", *command, "--game", name])
        with pytest.raises(SystemExit) as done:
            main()
        assert done.value.code == 2
        assert capsys.readouterr() == ("", f"croupier: --game {name}: {sentence.format(folder=workshop)}\n")


def test_a_record_of_a_game_that_is_tried_out_is_verified(workshop: Path, tmp_path: Path) -> None:
    record = workshop / "record.json"
    record.write_bytes(msgspec.json.encode(keep("t", Bids(), Diary(Bids(), shown=False).play().log, 1)))
    done = croupier("verify", str(record), "--game", "bids", site=tmp_path, folder=workshop)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("All is right with game 1 of “Ann's table” (Bids: Ann, Ben, Cat).")
    done = croupier("verify", str(record), site=tmp_path, folder=workshop)
    sentence = (
        "the game of this record, 'bids', is not installed here; name it with --game MODULE:OBJECT, or install it"
    )
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"croupier: {sentence}\n")


async def test_it_is_a_setting_like_every_other(workshop: Path, tmp_path: Path) -> None:
    file = workshop / "croupier.toml"
    file.write_text('game = ["bids:game"]\n')
    assert load({}, file).game == load({"game": ("bids:game",)}).game == ("bids:game",)
    inside = ("env", "-C", str(workshop), "CROUPIER_GAME=bids:game")
    async with process(tmp_path / "data", inside=inside) as live, client(live.ws("/ws")) as ann:
        assert [game["name"] for game in ann.welcome["games"]] == [*OURS, "bids"]


def test_the_same_game_is_not_tried_out_twice(site: Path) -> None:
    installed(site)
    with pytest.raises(BadPlugin, match=r"there is a game 'bids' already, from croupier-bids 1\.2"):
        catalogue(["croupier_bids:game"])


async def test_no_path_of_the_server_itself_can_be_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is answered begins with a path of our own or of a known protocol, but for files of the page."""
    paths: list[str] = []

    def noted(routes: list[Route | Mount], **rest: Any) -> Starlette:
        paths.extend(route.path for route in routes)
        return Starlette(routes=routes, **rest)

    monkeypatch.setattr("croupier.net.application.Starlette", noted)
    async with server(tmp_path):
        pass
    known = (*plugins.OWN_PATHS, *(each.path for each in games.catalogue().endpoints if each.path))
    assert {"/api/games", "/palace", "/t/{table}"} < set(paths)
    assert [path for path in paths if path not in ("/", "") and not path.startswith(known)] == []
