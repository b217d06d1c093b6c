"""How many decisions a second random playouts make: every game here, and beside them OpenSpiel's and RLCard's.

All run on one core in turns, each in a process that does nothing else, so that whatever else the machine does falls on
all. The speed counts CPU time, which is what a shared machine leaves of the truth.

    python -m benchmarks.playouts
"""

from __future__ import annotations

import argparse
import gc
import subprocess
import sys
from collections.abc import Callable, Sequence
from time import process_time
from typing import Any, get_args

import msgspec

from benchmarks import peers, report
from croupier.games import catalogue
from croupier.games.cambia.moves import CallCambia, Snap
from croupier.kernel import Chance, Game
from croupier.kernel.chance import QuickDice

# Driven from Python, as both are by their users. The engine is RLCard's rules alone, the environment what its users
# run: rules, encoded observations and agents. Of OpenSpiel's chance nodes (deals and draws) only the outcome is drawn:
# they are no decisions, but they are part of a game.
OPEN_SPIEL = """
import random, sys
from time import process_time
import pyspiel

name, seats, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
game = pyspiel.load_game(name, {"players": seats} if name == "crazy_eights" else {})
decisions, start = 0, process_time()
while process_time() - start < seconds:
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes())
            state.apply_action(random.choices(outcomes, odds)[0])
        else:
            state.apply_action(random.choice(state.legal_actions()))
            decisions += 1
print(decisions / (process_time() - start))
"""
RLCARD = """
import random, sys
from time import process_time
import rlcard
from rlcard.agents import RandomAgent
from rlcard.games.uno import Game

what, seats, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
decisions = 0
if what == "environment":
    env = rlcard.make("uno", config={"game_num_players": seats})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(seats)])
    start = process_time()
    while process_time() - start < seconds:
        trajectories, _ = env.run(is_training=False)
        decisions += sum(len(trajectory) // 2 for trajectory in trajectories)
else:
    start = process_time()
    while process_time() - start < seconds:
        game = Game(num_players=seats)
        game.init_game()
        while not game.is_over():
            game.step(random.choice(game.get_legal_actions()))
            decisions += 1
print(decisions / (process_time() - start))
"""
THEIRS = {
    "OpenSpiel: crazy_eights": (peers.OPEN_SPIEL, OPEN_SPIEL, "crazy_eights"),
    "OpenSpiel: hearts": (peers.OPEN_SPIEL, OPEN_SPIEL, "hearts"),
    "RLCard: UNO, engine": (peers.RLCARD, RLCARD, "engine"),
    "RLCard: UNO, environment": (peers.RLCARD, RLCARD, "environment"),
}

Pick = Callable[[Sequence[Any]], Any]


def restrained(dice: QuickDice) -> Pick:
    """In Cambia any move but a snap, since blind snaps would fill the hands until the deck is gone; and a call in one
    turn of fifty, since a game would be over before it has begun."""

    def pick(moves: Sequence[Any]) -> Any:
        others = 0  # snaps are offered last
        for move in moves:
            if type(move) is Snap:
                break
            others += 1
        move = moves[dice.below(others)]
        return moves[0] if type(move) is CallCambia and dice.below(50) else move

    return pick


PICKS: dict[str, Callable[[QuickDice], Pick]] = {"cambia": restrained}
"""How moves are picked, where any of them would not do. Elsewhere they are as in the peers' loops: by one call."""


def rulesets(game: Game[Any, Any, Any, Any, Any]) -> list[dict[str, str]]:
    """The options that choose each ruleset of a game; most have but one."""
    kinds = {field.name: field.type for field in msgspec.structs.fields(game.Options)}
    return [{"ruleset": name} for name in get_args(get_args(kinds["ruleset"])[0])] if "ruleset" in kinds else [{}]


def croupier(game: Game[Any, Any, Any, Any, Any], seats: int, seconds: float, **chosen: str) -> float:
    """Decisions a second of random games, all included. Where nobody has anything to say, time goes on."""
    options = game.Options(**chosen)
    dice = QuickDice(1)
    pick = PICKS[game.name](dice) if game.name in PICKS else dice.choice
    decisions = games = 0
    start = process_time()
    while process_time() - start < seconds:
        at = 0
        state = game.deal(options, seats, Chance(games.to_bytes(32, "big")), at)
        games += 1
        while True:
            if awaited := game.awaited(state):
                seat = awaited[0]
                game.play(state, seat, pick(game.moves(state, seat)), at)
                decisions += 1
            elif clocks := game.clocks(state):
                clock = min(clocks, key=lambda clock: clock.due)
                at = clock.due
                game.expire(state, clock.name, at)
            else:
                break
    return decisions / (process_time() - start)


def ours() -> dict[str, tuple[Game[Any, Any, Any, Any, Any], int, dict[str, str]]]:
    """Every game with every ruleset, for four where four can play, and for two."""
    found = {}
    for game in catalogue().games.values():
        for chosen in rulesets(game):
            for seats in (4, 2):
                if seats in game.seats:
                    name = ", ".join([f"Croupier: {game.title}", *chosen.values(), f"{seats} seats"])
                    found[name] = (game, seats, chosen)
    return found


def another(peer: peers.Peer, program: str, what: str, seats: int, seconds: float) -> float:
    run = [str(peers.python(peer)), "-c", program, what, str(seats), str(seconds)]
    return float(subprocess.run(run, check=True, capture_output=True, text=True).stdout)


def compare(seconds: float, repeats: int) -> dict[str, list[float]]:
    """All speeds of each, in turns. Peers that can't be had are left out, and it is said why."""
    speeds: dict[str, list[float]] = {}
    missing: set[peers.Peer] = set()
    for repeat in range(repeats):
        for name, (game, seats, chosen) in ours().items():
            print(f"\r{repeat + 1}/{repeats} {name:60}", end="", flush=True)
            gc.collect()
            speeds.setdefault(name, []).append(croupier(game, seats, seconds, **chosen))
        for name, (peer, program, what) in THEIRS.items():
            if peer in missing:
                continue
            print(f"\r{repeat + 1}/{repeats} {name:60}", end="", flush=True)
            try:
                speeds.setdefault(name, []).append(another(peer, program, what, 4, seconds))
            except (peers.Missing, subprocess.CalledProcessError) as error:
                missing.add(peer)
                speeds.pop(name, None)
                print(f"\r{peer.name} can't be had here, so there is no comparison: {error}")
    print(f"\r{'':79}\r", end="")
    return speeds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0, help="of every measurement")
    asked = parser.parse_args()
    print(f"Python {sys.version.split()[0]}, median of {asked.repeats} and the range")
    print(report.playouts(compare(asked.seconds, asked.repeats)))


if __name__ == "__main__":
    main()
