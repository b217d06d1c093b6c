"""The benchmarks themselves: everybody plays, and the docs say what was measured. Nothing here is timed."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import sys
from pathlib import Path

import msgspec
import pytest

from benchmarks import cluster_costs, killed, million, report
from benchmarks.__main__ import DOCS
from benchmarks.figures import Figures, Found, Half, Weight
from benchmarks.server import CONTENDERS, OURS, playing
from tests.services import bus, database, folder


@pytest.mark.parametrize("name", [*OURS, "picows"])
async def test_a_load_of_one_table_plays(name: str) -> None:
    contender = CONTENDERS[name]
    async with contender.start() as running, playing(contender, running, 1) as load:
        await load.made(20)
        assert load.refused <= load.moves


def test_the_page_and_the_plot_show_the_figures() -> None:
    found = msgspec.json.decode((DOCS / "speed.json").read_bytes(), type=Found, strict=False)
    page = (DOCS / "speed.md").read_text()
    assert report.fill(page, found) == page
    assert report.draw(found) == (DOCS / "speed.svg").read_text()


def test_goals_are_judged_by_the_medians() -> None:
    def turns(*cpu: float) -> list[Figures]:
        return [Figures(1000, each, 1, 25, 0) for each in cpu]

    found = Found(made="", command="", machine="", python="", seconds=1)
    found.server = {50: {"palace": turns(30, 90, 30), "picows": turns(20, 20, 20), "palace-own": turns(46, 46, 46)}}
    found.server[500] = {"palace": turns(30, 30, 30), "colyseus": turns(29, 29, 29)}
    found.half = Half(50, 2000, turns(30), [Figures(1000, 30, 1, 4, 0)])
    found.memory = Weight(connection=9, table=21)
    found.kernel = {"Croupier: A": [80, 90], "Croupier: B": [30, 30], report.UNO: [20, 20]}
    found.gym = {"Croupier: A, 4 seats": [60, 70], "RLCard: uno": [90, 90], "RLCard: a": [1, 20], "RLCard: b": [20, 7]}
    found.gym |= {f"Croupier: A, 4 seats{report.ALONE}": [59, 59], f"RLCard: uno{report.ALONE}": [20, 20]}
    judged = {goal.text: goal.good for goal in report.goals(found)}
    assert judged == {
        "every game's playouts at least 4× RLCard's UNO": False,
        "every game's environment at least 3× the median of RLCard's": True,
        "the same by PettingZoo, one game at a time, at least 3× the median of RLCard's": False,
        "server CPU per move, native, 50 tables, at most 4× the bare picows fan-out": True,
        "server CPU per move, native, 500 tables, below Colyseus's": False,
        "every game by its own protocol at most 1.5× the same by the native one": False,
        "p99 below 20 ms at half of the greatest load, commit included": False,
        "the same below 5 ms where no commit waits for the disk": True,
        "below 10 kB per idle connection": True,
        "below 20 kB per table of 4 beyond its connections": False,
    }


def test_what_is_said_in_short_goes_by_the_figures() -> None:
    def turns(*cpu: float) -> list[Figures]:
        return [Figures(1000, each, 1, 25, 0) for each in cpu]

    found = Found(made="", command="", machine="", python="", seconds=1)
    assert report.in_short(found) == "\n"
    found.server = {50: {"palace": turns(30, 30, 45), "picows": turns(29, 29, 29), "colyseus": turns(60, 60, 60)}}
    found.half = Half(500, 2000, turns(30))
    found.kernel = {"Croupier: A": [80, 90], "Croupier: B": [30, 30], report.UNO: [20, 20]}
    move, load, playouts, judged, noise = report.in_short(found).splitlines()
    assert "30 µs" in move
    assert "2.0 times less than Colyseus" in move
    assert "about as much as a bare fan-out" in move
    assert "boardgame" not in move
    assert "2,000 moves a second" in load
    assert "99 of 100 within 25 ms" in load
    assert "1.5 to 4.2 times as fast as RLCard's UNO." in playouts
    assert "1 of 3 " in judged
    assert "0 % as a rule and by 50 % at worst" in noise
    found.server[50]["palace"] = turns(120, 120, 120)
    assert "2.0 times more than Colyseus" in report.in_short(found)


def test_the_page_shows_what_a_million_tables_would_need(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["million"])
    million.main()
    page = DOCS / "cluster.md"
    before, shown, after = re.split(r"<!-- /?million -->\n", page.read_text())
    table = f"\n{capsys.readouterr().out}\n"
    if os.environ.get("CROUPIER_REWRITE"):
        page.write_text(f"{before}<!-- million -->\n{table}<!-- /million -->\n{after}")
    else:
        assert shown == table


def test_what_is_needed_grows_with_what_is_asked_for() -> None:
    costs = million.Costs()
    house = million.House(100_000, 6, 4, 0.1, 0.1, 0.003, 900, 20_000)
    needed = million.need(house, costs)
    assert needed.because == "connections"
    assert million.need(house._replace(moves=60), costs).because == "CPU"
    for more in ({"tables": 200_000}, {"moves": 12}, {"spread": 0.9}, {"listed": 1}):
        asked = million.need(house._replace(**more), costs)
        assert asked >= needed
        assert asked.redis > needed.redis
    with pytest.raises(million.TooMuch, match="the lobby"):
        million.need(house._replace(tables=10_000_000, listed=1), costs)


async def test_what_the_parts_of_a_cluster_cost_can_be_measured(capsys: pytest.CaptureFixture[str]) -> None:
    where = folder("costs")
    try:
        await cluster_costs.measure(where, 4)
    finally:
        shutil.rmtree(where)
    said = capsys.readouterr().out
    assert len(said.splitlines()) == 11
    assert "nan" not in said


async def test_what_is_lost_with_a_process_is_counted(tmp_path: Path) -> None:
    house = killed.Croupier(tmp_path, database(), bus(), 4)
    found = await house.killed(killed.Plan(tables=4, seconds=0.5, patience=90))
    assert (found.hit, found.went_on) == (2, 4)
    assert found.acknowledged >= 16  # everybody has moved
    assert (found.tables_gone, found.moves_gone, found.people_out, found.refusal) == (0, 0, 0, "")
    somebody = house.tables[0][0]
    somebody.ledger.acknowledged["a move that is nowhere"] += 1
    assert await asyncio.to_thread(house.moves_gone) == 1


def test_what_is_lost_with_a_process_is_shown_side_by_side() -> None:
    other = killed.Outcome(
        tables=50, hit=24, acknowledged=6609, moves_gone=2787, tables_gone=24, people_out=96, went_on=26,
        refusal='room "1P54P84j8" has been disposed.',
    )  # fmt: skip
    ours = msgspec.structs.replace(other, moves_gone=0, tables_gone=0, people_out=0, went_on=50, refusal="")
    shown = killed.table({"theirs": other, "ours": ours}).splitlines()
    assert shown[:2] == ["| | theirs | ours |", "|---|---|---|"]
    assert "| **acknowledged moves that are gone** | 2,787 | 0 |" in shown
    assert shown[-1] == "| what those who could not return were told | room … has been disposed. | – |"
