"""How many steps a second environments make, with an observation and what is legal at each: every game here, many games
at once, and beside them all of RLCard's environments and some of OpenSpiel's. Then the same by way of PettingZoo, one
game at a time, as its users have it: ours, and its own ones of RLCard's games.

Agents choose any legal action, which is part of what is measured. All run on one core in turns, each in a process that
does nothing else; the speed counts CPU time, which is what a shared machine leaves of the truth.

    python -m benchmarks.gym
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from time import process_time

import numpy as np

from benchmarks import peers, report
from croupier import gym
from croupier.games import catalogue

GAMES_AT_ONCE = 64

# Driven as their own examples do it, but for agents: what is said is chosen right here.
RLCARD = """
import random, sys
from time import process_time
import rlcard

env = rlcard.make(sys.argv[1])
steps, start, seconds = 0, process_time(), float(sys.argv[2])
while process_time() - start < seconds:
    state, player = env.reset()
    while not env.is_over():
        state, player = env.step(random.choice(list(state["legal_actions"])))
        steps += 1
print(steps / (process_time() - start))
"""
OPEN_SPIEL = """
import random, sys
from time import process_time
from open_spiel.python import rl_environment

env = rl_environment.Environment(sys.argv[1])
steps, start, seconds = 0, process_time(), float(sys.argv[2])
while process_time() - start < seconds:
    step = env.reset()
    while not step.last():
        player = step.observations["current_player"]
        step = env.step([random.choice(step.observations["legal_actions"][player])])
        steps += 1
print(steps / (process_time() - start))
"""
MANY = """
import sys
from benchmarks.gym import many

name, seats = sys.argv[1].split()
print(many(name, int(seats), float(sys.argv[2])))
"""
PETTINGZOO = """
import random, sys
from time import process_time

exec(sys.argv[1])
steps, start, seconds = 0, process_time(), float(sys.argv[2])
while process_time() - start < seconds:
    env.reset()
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        if termination or truncation:
            env.step(None)
            continue
        env.step(random.choice(observation["action_mask"].nonzero()[0].tolist()))
        steps += 1
print(steps / (process_time() - start))
"""
OUR_ENV = "from croupier import gym; env = gym.env({name!r}, seats={seats})"
THEIR_ENV = "from pettingzoo.classic import {name} as game; env = game.{how}()"

# All games that RLCard has, with as many players as it takes unless it is told otherwise.
RLCARD_GAMES = (
    "blackjack",
    "bridge",
    "doudizhu",
    "gin-rummy",
    "leduc-holdem",
    "limit-holdem",
    "mahjong",
    "no-limit-holdem",
    "uno",
)
PETTINGZOO_GAMES = {
    "leduc-holdem": "leduc_holdem_v4",
    "limit-holdem": "texas_holdem_v4",
    "no-limit-holdem": "texas_holdem_no_limit_v6",
}
THEIRS = (
    {f"{report.RLCARD}{game}": (peers.RLCARD, RLCARD, game) for game in RLCARD_GAMES}
    | {f"OpenSpiel: {game}": (peers.OPEN_SPIEL, OPEN_SPIEL, game) for game in ("crazy_eights", "hearts")}
    | {
        f"{report.RLCARD}{game}{report.ALONE}": (peers.PETTINGZOO, PETTINGZOO, THEIR_ENV.format(name=name, how="env"))
        for game, name in PETTINGZOO_GAMES.items()
    }
    # Without the wrappers that check the order of calls, the actions and the mask: no part of the median.
    | {
        f"raw_env of {game}{report.ALONE}": (peers.PETTINGZOO, PETTINGZOO, THEIR_ENV.format(name=name, how="raw_env"))
        for game, name in PETTINGZOO_GAMES.items()
    }
)


def many(name: str, seats: int, seconds: float) -> float:
    """Steps per CPU second of so many games at once."""
    games = gym.vector(name, GAMES_AT_ONCE, seats, seed=1)
    batch = games.reset()
    luck = np.random.default_rng(1)
    steps, start = 0, process_time()
    while process_time() - start < seconds:
        actions = (batch.masks * luck.random(batch.masks.shape, np.float32)).argmax(axis=1)
        batch = games.step(actions)
        steps += GAMES_AT_ONCE
    return steps / (process_time() - start)


def ours() -> dict[str, tuple[str, int]]:
    """Every game, for four where four can play, and for two."""
    return {
        f"Croupier: {game.title}, {seats} seats": (game.name, seats)
        for game in catalogue().games.values()
        for seats in (4, 2)
        if seats in game.seats
    }


def another(python: str | Path, program: str, what: str, seconds: float) -> float:
    run = [str(python), "-W", "ignore", "-c", program, what, str(seconds)]
    return float(subprocess.run(run, check=True, capture_output=True, text=True).stdout)


def compare(seconds: float, repeats: int) -> dict[str, list[float]]:
    """All speeds of each, in turns. Peers that can't be had are left out, and it is said why."""
    speeds: dict[str, list[float]] = {}
    missing: set[peers.Peer] = set()
    for repeat in range(repeats):
        for title, (name, seats) in ours().items():
            print(f"\r{repeat + 1}/{repeats} {title:60}", end="", flush=True)
            speeds.setdefault(title, []).append(another(sys.executable, MANY, f"{name} {seats}", seconds))
            env = OUR_ENV.format(name=name, seats=seats)
            speeds.setdefault(f"{title}{report.ALONE}", []).append(another(sys.executable, PETTINGZOO, env, seconds))
        for title, (peer, program, what) in THEIRS.items():
            if peer in missing:
                continue
            print(f"\r{repeat + 1}/{repeats} {title:60}", end="", flush=True)
            try:
                speeds.setdefault(title, []).append(another(peers.python(peer), program, what, seconds))
            except (peers.Missing, subprocess.CalledProcessError) as error:
                missing.add(peer)
                speeds = {name: each for name, each in speeds.items() if name not in THEIRS or THEIRS[name][0] != peer}
                print(f"\r{peer.name} can't be had here, so there is no comparison: {error}")
    print(f"\r{'':79}\r", end="")
    return speeds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0, help="of every measurement")
    asked = parser.parse_args()
    print(f"Python {sys.version.split()[0]}, median of {asked.repeats} and the range")
    print(report.environments(compare(asked.seconds, asked.repeats)))


if __name__ == "__main__":
    main()
