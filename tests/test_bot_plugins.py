"""Bots from elsewhere: a package or a module of the current folder adds one to a game that it has not written."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.cli import main
from croupier.plugins import BadPlugin, catalogue
from tests.client import client, play_out
from tests.installing import ROOT
from tests.live import process

BLOCKS = re.findall(r"^```py\n(.*?)^```$", (ROOT / "docs" / "bots.md").read_text(), re.MULTILINE | re.DOTALL)
(SHOWN,) = (block for block in BLOCKS if "class First(" in block)
"""The bot of the docs that is a plug-in."""
OTHERS = """
class Nameless(First):
    name = ""

class Weak(First):
    strength = "feeble"

class Shouting(First):
    name = "First!"

class Elsewhere(First):
    plays = "bridge"

class Taken(First):
    name = "random"

class Choosy(First):
    def __init__(self, mood): ...

number = 5
"""


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that somebody works in."""
    (tmp_path / "mine.py").write_text(SHOWN + OTHERS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    yield tmp_path
    sys.modules.pop("mine", None)


def test_it_is_among_the_bots_of_its_game_and_of_no_other_catalogue(workshop: Path) -> None:
    known, found = catalogue(), catalogue(tried_bots=["mine:First"])
    assert list(found.games["palace"].bots) == [*known.games["palace"].bots, "first"]
    assert "first" not in catalogue().games["palace"].bots
    assert found.games["coup"].bots == known.games["coup"].bots


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("mine:number", "it is not a bot: a class that is a croupier.kernel.Bot"),
        ("mine", "it is not a bot: a class that is a croupier.kernel.Bot"),
        ("mine:Nameless", "Nameless has no name, which is a str"),
        ("mine:Weak", "Weak: 'feeble' is no strength; known: easy, medium, strong, master"),
        ("mine:Shouting", "'First!' is not a valid bot name: use lowercase letters, digits, - and _"),
        ("mine:Elsewhere", "there is no game 'bridge'; known: cambia, coup, faraway, fortress, palace"),
        ("mine:Taken", "Palace has a bot 'random' already"),
        (
            "mine:Choosy",
            "it can't be imported: TypeError: Choosy.__init__() missing 1 required positional argument: 'mood'",
        ),
    ],
)
def test_a_mistake_is_one_sentence(
    workshop: Path,
    name: str,
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(BadPlugin) as bad:
        catalogue(tried_bots=[name])
    assert str(bad.value) == f"--bot {name}: {sentence}"
    monkeypatch.setattr("croupier.logs.configure", lambda format: None)  # it would outlast this test
    monkeypatch.setattr(sys, "argv", ["croupier", "serve", "--port", "0", "--bot", name])
    with pytest.raises(SystemExit) as done:
        main()
    assert done.value.code == 2
    assert capsys.readouterr() == ("", f"croupier: --bot {name}: {sentence}\n")


def test_a_bot_of_a_package_that_is_no_good_is_left_out_with_a_sentence(
    workshop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(workshop)
    for name in ("First", "Weak"):
        about = workshop / f"{name}-1.2.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n")
        (about / "entry_points.txt").write_text(f"[croupier.bots]\nany = mine:{name}\n")
    found = catalogue()
    assert "first" in found.games["palace"].bots
    assert found.left_out == [
        "the bots of the package Weak 1.2 are left out: "
        "Weak: 'feeble' is no strength; known: easy, medium, strong, master"
    ]


async def test_it_plays_and_when_it_is_gone_another_plays_on(workshop: Path) -> None:
    data, quick = workshop / "data", ("--bot-delay", "0")
    here = ("env", "-C", str(workshop))
    async with (
        process(data, *quick, "--bot", "mine:First", inside=here) as live,
        client(live.ws("/ws?language=fr")) as ann,
    ):
        (palace,) = [game for game in ann.welcome["games"] if game["name"] == "palace"]
        assert {"name": "first", "about": "Plays the first move there is.", "strength": "easy"} in palace["bots"]
        await ann.ask("open", game="palace", player="Ann")
        await ann.ask("add_bots", bot="first", count=2)
        await ann.ask("start")
        assert (await play_out(ann))["result"]["placings"]
        token, table = ann.token, ann.table
    async with process(data, *quick) as live, client(live.ws("/ws")) as ann:
        await ann.ask("return", table=table, token=token)
        await ann.ask("start")
        assert (await play_out(ann))["result"]["placings"]
