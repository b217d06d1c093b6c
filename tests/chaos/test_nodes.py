"""Three nodes, PostgreSQL and Redis, and each of them goes down: nothing is lost."""

from __future__ import annotations

from pathlib import Path

from croupier.games import catalogue
from services.network import Network
from services.redis import Redis
from tests import services
from tests.chaos.nodes import storm_on_nodes

PLAN = (
    "kill a node",
    "kill PostgreSQL",
    "freeze a node",
    "cut a node off from PostgreSQL",
    "kill Redis",
    "stop a node",
    "empty Redis",
    "cut a node off from Redis",
    "kill a node",
    "restart PostgreSQL",
    "freeze Redis",
)


async def test_nothing_that_any_node_acknowledged_is_lost_or_doubled_and_all_agree_and_nobody_is_stuck(
    tmp_path: Path,
) -> None:
    games = len(catalogue().games)
    with (
        Network() as network,
        services.own_postgres(network.address) as postgres,
        Redis(services.folder("redis"), address=network.address) as redis,
    ):
        outcome = await storm_on_nodes(tmp_path, network, postgres, redis, PLAN, parties=games, seed=8, pause=0.03)
    assert outcome.tables >= games
    assert outcome.compared.moves > 100
    assert outcome.compared.facts > outcome.compared.moves
    assert outcome.compared.syncs > 20
    assert outcome.hashes > games
    assert len(outcome.made) == 2 * games  # the native protocol and its own, for each
