"""``croupier ratings`` on the command line: games of the arena count, and all of it is worked out anew."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from croupier.arena import results
from croupier.arena.record import Record
from croupier.games import catalogue
from tests.live import process
from tests.nodes.several import Shared
from tests.test_cli import run
from tests.test_move_journal import refused, said

BOTS = ("believer", "honest", "greenhorn", "random")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Real games of quick bots: 40 of each of the six pairings."""
    file = tmp_path_factory.mktemp("arena") / "results.jsonl"
    done = run("arena", "coup", *BOTS, "--games", "40", "--processes", "1", "--results", str(file))
    assert done.returncode == 0, done.stderr
    return file


@pytest.fixture(params=["file", "postgres"])
async def journal(request: pytest.FixtureRequest, tmp_path: Path) -> list[str]:
    """The switches for one that a server has made, and that none uses."""
    shared = Shared(tmp_path)
    flags = shared.flags("n1") if request.param == "postgres" else []
    async with process(tmp_path, *flags) as live:
        await live.terminate()
    return ["--journal", shared.journal] if flags else ["--data", str(tmp_path)]


def order(shown: str) -> list[str]:
    return [line.split()[-1] for line in shown.splitlines()]


def test_games_of_the_arena_count_once_and_come_to_the_same_numbers_anew(played: Path, journal: list[str]) -> None:
    assert said("ratings", "show", "coup", *journal) == "nobody has played enough games of coup that count\n"
    assert said("ratings", "import", str(played), *journal) == "240 games counted\n"
    shown = said("ratings", "show", "coup", *journal)
    record = Record(*results.read(played)[:1])
    games = results.read(played)[1]
    for start in range(0, len(games), 2):
        record.add(games[start : start + 2])
    by_arena = sorted(zip(record.rows, BOTS, strict=True), key=lambda known: -known[0].rating.mu)
    assert order(shown) == [bot for _, bot in by_arena]
    assert said("ratings", "import", str(played), *journal) == "0 games counted, 240 were there\n"
    assert said("ratings", "rebuild", *journal) == "240 games counted, 4 ratings, all of them as before\n"
    assert said("ratings", "show", "coup", *journal) == shown


def test_what_was_spoilt_is_put_right(played: Path, tmp_path: Path) -> None:
    said("ratings", "import", str(played), "--data", str(made(tmp_path)))
    shown = said("ratings", "show", "coup", "--data", str(tmp_path))
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as journal:
        journal.execute("UPDATE ratings SET mu = mu + 1 WHERE person = 'bot:honest'")
        journal.execute("DELETE FROM played WHERE person = 'bot:honest'")
        journal.commit()
    rebuilt = said("ratings", "rebuild", "--data", str(tmp_path))
    assert rebuilt == "240 games counted, 4 ratings, 1 of them otherwise than before\n"
    assert said("ratings", "show", "coup", "--data", str(tmp_path)) == shown
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as journal:
        assert journal.execute("SELECT count(*) FROM played WHERE person = 'bot:honest'").fetchone() == (120,)


def made(data: Path) -> Path:
    async def once() -> None:
        async with process(data) as live:
            await live.terminate()

    asyncio.run(once())
    return data


@pytest.mark.parametrize("kind", ["file", "postgres"])
async def test_nothing_is_written_while_a_server_uses_the_journal(played: Path, tmp_path: Path, kind: str) -> None:
    shared = Shared(tmp_path)
    flags = shared.flags("n1") if kind == "postgres" else []
    where = ["--journal", shared.journal] if flags else ["--data", str(tmp_path)]
    async with process(tmp_path, *flags):
        for command in (["rebuild"], ["import", str(played)]):
            assert " in use" in await asyncio.to_thread(refused, "ratings", *command, *where)
        assert "nobody has played" in await asyncio.to_thread(said, "ratings", "show", "coup", *where)


def test_what_can_not_be_imported_is_said_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "none").write_text("Ann has won")
    assert refused("ratings", "import", str(tmp_path / "none")).endswith("none is not a file of results")
    crowd = tmp_path / "crowd"
    run(
        "arena", "coup", "random", "honest", "--seats", "3", "--games", "6", "--processes", "1", "--results", str(crowd)
    )
    assert "only games for two can count" in refused("ratings", "import", str(crowd))
    assert "there is no journal" in refused("ratings", "rebuild", "--data", str(tmp_path / "nowhere"))


def test_the_stronger_a_bot_the_more_it_is_worth(played: Path) -> None:
    lines = [line.split() for line in said("ratings", "bots", str(played)).splitlines()]
    assert [game for game, *_ in lines] == ["coup"] * 4
    assert lines[0][1] == "believer" and float(lines[0][2]) > float(lines[-1][2]) + 5


@pytest.mark.parametrize("game", ["cambia", "coup", "faraway", "fortress", "palace"])
def test_what_the_bots_of_our_games_are_worth_is_known_and_told(game: str) -> None:
    """Whatever is called stronger is worth more; and the docs say the same as the bots."""
    bots = catalogue().games[game].bots
    worth = {name: bot.worth for name, bot in bots.items()}
    by_strength = sorted(bots, key=lambda name: ["easy", "medium", "strong", "master"].index(bots[name].strength))
    ranked = [worth[name] for name in by_strength if bots[name].strength != "easy"]
    assert None not in ranked and ranked == sorted(ranked, key=lambda value: value or 0)
    table = (Path(__file__).parents[2] / "docs" / "people.md").read_text()
    for name, value in worth.items():
        if value is not None:
            assert re.search(rf"\| {name} \| [a-z]+ \| {value} \|", table), name
