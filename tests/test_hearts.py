"""Hearts, the game of the examples that has a page of its own: the laws of the house, a terminal, and its package."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from collections import Counter
from pathlib import Path

import pytest
from croupier_hearts import game
from croupier_hearts.state import Options, State

from croupier import laws
from croupier.kernel.cards import DECK
from tests.example_pages import ROOT, build
from tests.seeds import seeds
from tests.test_package import build as build_wheel


def no_card_is_lost(state: State) -> None:
    cards = [*state.trick, *(card for hand in state.hands for card in hand)]
    assert Counter([*cards, *(card for trick in state.tricks for card in trick.cards)]) == Counter(DECK)


@pytest.mark.parametrize("options", laws.extremes(game), ids=str)
def test_the_laws(options: Options) -> None:
    for seed in seeds(1):
        positions, steps = laws.check_secrecy(game, 4, options, seed, conserved=no_card_is_lost, limit=80)
        assert positions > 200
        assert steps > 200
        assert laws.check_liveness(game, 4, options, seed, limit=200) > 20
        assert laws.check_refusals(game, 4, options, seed, limit=100) > 20
        assert laws.check_replay(game, 4, options, seed, conserved=no_card_is_lost, limit=200) > 20


def test_its_wheel_brings_its_page_along(tmp_path: Path) -> None:
    build("hearts")
    built = build_wheel(ROOT / "examples" / "hearts", tmp_path)
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        names = {name.partition("/")[2] for name in packed.namelist() if name.startswith("croupier_hearts/")}
        page = packed.read("croupier_hearts/page/page.js").decode()
    assert {"page/page.js", "emblem.svg", "rules.md", "rules.fr.md", "fr.json", "rules.py"} <= names
    assert "import(" not in page and "from'./" not in page, "it is one file"


def test_in_a_terminal_from_its_folder(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "croupier.cli", "play", "hearts", "--game", "croupier_hearts:game", "--pace", "0"]
    folder = ROOT / "examples" / "hearts"
    played = subprocess.run(command, cwd=folder, input="q\n", capture_output=True, text=True, timeout=60)
    assert played.returncode == 0, played.stderr
    assert "passing to the left" in played.stdout
