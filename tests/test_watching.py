"""The dashboard and the alerts for several nodes: what they name is there, and what there is they show."""

from __future__ import annotations

import json
import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from tests.live import request
from tests.nodes.several import nodes

DOCS = Path(__file__).parents[1] / "docs"
EXAMPLES = Path(__file__).parents[1] / "examples"
ALERTS = (EXAMPLES / "alerts-cluster.yml").read_text()
DASHBOARD: dict[str, Any] = json.loads((EXAMPLES / "grafana-cluster.json").read_text())
PANELS = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]


def named(expression: str) -> set[str]:
    return set(re.findall(r"\b(?:croupier|process)_\w+", expression))


@pytest.fixture
async def exported(tmp_path: Path) -> set[str]:
    """What a node tells, or would tell when there is something to tell."""
    async with nodes(tmp_path, 1) as (node,):
        text = (await request(node.ports["http"], "GET", "/metrics")).body.decode()
    kinds = dict(re.findall(r"^# TYPE (\S+) (\S+)$", text, re.MULTILINE))
    ends = {"histogram": ("_bucket", "_sum", "_count")}
    return {name + end for name, kind in kinds.items() for end in ends.get(kind, ("",))}


def test_alerts_are_of_the_simple_form_that_is_read_here() -> None:
    rules = re.split(r"^      - alert: ", ALERTS.partition("    rules:\n")[2], flags=re.MULTILINE)[1:]
    form = r'\w+ # .+\n        expr: .+\n(        for: \d+m\n)?        labels: \{.+\}\n        annotations: \{.+" \}\n'
    assert [rule for rule in rules if not re.fullmatch(form, rule)] == []
    assert len(rules) == ALERTS.count("alert:") > 0


async def test_alerts_name_what_is_exported(exported: set[str]) -> None:
    expressions = re.findall(r"expr: (.+)", ALERTS)
    assert [each for each in expressions if not named(each) or named(each) - exported] == []


async def test_the_page_names_what_is_exported_and_all_that_only_a_cluster_has(exported: set[str]) -> None:
    page, of_any = [named((DOCS / file).read_text()) for file in ("cluster.md", "operations.md")]
    assert page <= exported
    assert {name for name in exported if name.startswith("croupier_")} <= page | of_any


async def test_the_dashboard_names_what_is_exported_and_all_that_only_a_cluster_has(exported: set[str]) -> None:
    expressions = [target["expr"] for panel in PANELS for target in panel["targets"]]
    assert [each for each in expressions if not named(each) or named(each) - exported] == []
    variables = {variable["name"]: variable for variable in DASHBOARD["templating"]["list"]}
    assert named(variables["node"]["query"]["query"]) <= exported
    shown = set().union(*map(named, expressions))
    assert {name for name in exported if name.startswith("croupier_")} - shown == {"croupier_tasks"}


def test_the_dashboard_asks_the_chosen_source_of_the_chosen_nodes() -> None:
    sources = {target["datasource"]["uid"] for panel in PANELS for target in [panel, *panel["targets"]]}
    assert sources == {"${datasource}"}
    graphs = [panel for panel in PANELS if panel["type"] != "stat"]
    for target in (target for panel in graphs for target in panel["targets"]):
        assert len(re.findall(r"\{instance=~\"\$node\"\}", target["expr"])) == len(
            re.findall("croupier_|process_", target["expr"])
        )


def test_no_panel_lies_on_another() -> None:
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])
    for one, two in combinations([panel["gridPos"] for panel in DASHBOARD["panels"]], 2):
        beside = one["x"] + one["w"] <= two["x"] or two["x"] + two["w"] <= one["x"]
        above = one["y"] + one["h"] <= two["y"] or two["y"] + two["h"] <= one["y"]
        assert beside or above
