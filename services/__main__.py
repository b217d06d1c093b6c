"""``make cluster``: a whole house on this machine, in one folder: PostgreSQL, Redis, nodes, and nginx before them."""

from __future__ import annotations

import argparse
import shlex
import signal
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from types import FrameType

from services.nginx import ClusterNginx
from services.node import Node
from services.postgres import Postgres
from services.processes import CanNotStart, is_free
from services.redis import Redis

DATABASE = "croupier"
_LOOK = 0.5
"""Seconds between two looks whether all still run."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m services", description=__doc__)
    parser.add_argument("--nodes", type=int, default=3, help="how many (default: 3)")
    parser.add_argument("--port", type=int, default=8080, help="nginx's; the nodes have the next ones (default: 8080)")
    parser.add_argument("--folder", type=Path, default=Path(".cluster"), help="of everything (default: .cluster)")
    asked = parser.parse_args()
    if asked.nodes < 1:
        parser.error("a house has at least one node")
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        run(asked.folder.absolute(), asked.port, asked.nodes)
    except CanNotStart as problem:
        raise SystemExit(f"{problem}") from None
    except KeyboardInterrupt:
        say("all stopped; make cluster goes on where it was")


def run(folder: Path, port: int, count: int) -> None:
    """Until somebody interrupts. Then nginx is stopped, so that nobody new comes, then the nodes, which finish what
    they are doing, and last what they need for that."""
    for taken in (each for each in range(port, port + count + 1) if not is_free(each)):
        raise CanNotStart(
            f"port {taken} is in use; nginx and the nodes take {port} to {port + count}, and PORT=… chooses others"
        )
    with ExitStack() as running:
        say("starting PostgreSQL")
        postgres = running.enter_context(Postgres(folder / "postgres"))
        journal = postgres.url(DATABASE)
        if not postgres.run(f"SELECT 1 FROM pg_database WHERE datname = '{DATABASE}'"):
            postgres.create(DATABASE)
        say("starting Redis")
        redis = running.enter_context(Redis(folder / "redis"))
        nodes = []
        for number in range(1, count + 1):
            # Only one program of a machine can have the ports that a game's own clients expect.
            settings = () if number == 1 else ("--no-game-ports",)
            node = Node(folder / f"node-{number}", port + number, journal, redis.url, *settings)
            say(f"starting {node.name}")
            nodes.append(running.enter_context(node))
        say("starting nginx")
        nginx = running.enter_context(ClusterNginx(folder / "nginx", port, [node.port for node in nodes]))
        running.callback(say, "stopping: nginx, the nodes, Redis, PostgreSQL")
        say(f"open {nginx.url}")
        for node in nodes:
            print(f"   {node.name}  http://127.0.0.1:{node.port}  kill -9 {node.pid}  log: {node.log}")
        print(f"   logs of the others: {folder}/{{postgres,redis,nginx}}/log")
        print("   Ctrl-C stops all", flush=True)
        watch(nodes)


def watch(nodes: Sequence[Node]) -> None:
    """Say when a node has gone. Nothing is started again: that is for whoever tries what happens then to see."""
    left = list(nodes)
    while True:
        time.sleep(_LOOK)
        for node in [each for each in left if not each.running]:
            left.remove(node)
            say(f"{node.name} has gone; {len(left)} left")
            print(f"   to start it again: {shlex.join(map(str, node.command()))}", flush=True)


def say(sentence: str) -> None:
    print(f"\033[1m── {sentence}\033[0m", flush=True)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()
