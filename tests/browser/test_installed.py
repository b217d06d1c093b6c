"""As a stranger has it: an empty environment, two wheels, and nothing else."""

from __future__ import annotations

import asyncio
import random
import subprocess
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.browser.person import PHONE, Person
from tests.browser.test_hearts import gather, play_to_the_end
from tests.example_pages import build
from tests.installing import ROOT, environment
from tests.live import process
from tests.terminal.person import at_terminal


@pytest.fixture(scope="module")
def python(built: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    build("hearts")
    return environment(tmp_path_factory.mktemp("installed"), ROOT, ROOT / "examples" / "hearts")


async def test_two_people_and_two_bots_play_hearts_to_the_end(browser: Browser, python: Path, tmp_path: Path) -> None:
    command = [str(python.with_name("croupier")), "games"]
    listed = await asyncio.to_thread(subprocess.check_output, command, cwd=tmp_path, text=True)
    assert "from croupier-hearts " in listed
    async with process(tmp_path, "--bot-delay", "0", python=python, inside=("env", "-C", str(tmp_path))) as live:
        ann = await Person.arrive(browser, "Ann", live.http)
        ben = await Person.arrive(browser, "Ben", live.http, **PHONE)
        await gather(ann, ben)
        await play_to_the_end(ann, ben)
        for person in (ann, ben):
            await expect(person.page.get_by_role("region", name="Result")).to_be_visible()
        assert ann.complaints == ben.complaints == []


@pytest.mark.parametrize("game", ["palace", "hearts"])
def test_a_game_in_the_terminal(python: Path, tmp_path: Path, game: str) -> None:
    with at_terminal("play", game, "--pace", "0", python=python, folder=tmp_path) as person:
        assert "── The end ──" in person.play_out(random.Random(1))
