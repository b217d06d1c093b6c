"""The bots of the examples that have taught themselves, at a real server and as a package. What they have learnt is in
the tests of their own."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pytest

from tests.client import client, play_out
from tests.installing import ROOT, build
from tests.live import process, request

FOLDER = ROOT / "examples" / "learning"


@pytest.mark.parametrize(("game", "bot", "count"), [("palace", "LearntPalace", 3), ("faraway", "LearntFaraway", 2)])
async def test_they_play_whole_games_at_a_table(game: str, bot: str, count: int, tmp_path: Path) -> None:
    flags = ("--bot-delay", "0", "--bot", f"croupier_learning:{bot}")
    async with (
        process(tmp_path, *flags, inside=("env", "-C", str(FOLDER))) as live,
        client(live.ws("/ws")) as ann,
    ):
        (offered,) = [each for each in ann.welcome["games"] if each["name"] == game]
        assert "learnt" in [each["name"] for each in offered["bots"]]
        await ann.ask("open", game=game, player="Ann")
        await ann.ask("add_bots", bot="learnt", count=count)
        for _ in range(2):
            await ann.ask("start")
            assert (await play_out(ann))["result"]["placings"]
        metrics = (await request(live.ports["http"], "GET", "/metrics")).body.decode()
    # A bot that fails is passed over without a word to anybody else.
    assert re.search(r'^croupier_troubles_total\{kind="bot"\} 0', metrics, re.MULTILINE), metrics


def test_its_wheel_has_what_they_have_learnt_and_names_them(tmp_path: Path) -> None:
    built = build(FOLDER, tmp_path)
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
        (points,) = [packed.read(name).decode() for name in names if name.endswith("entry_points.txt")]
    assert {"croupier_learning/trained/palace.npz", "croupier_learning/trained/faraway.npz"} <= set(names)
    assert "[croupier.bots]" in points
    assert "croupier_learning:LearntPalace" in points
