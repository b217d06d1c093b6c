"""How stable the teacher's verdicts are: ``python -m benchmarks.teaching palace coup``.

Bots play games, and each is analysed twice, with other worlds imagined the second time. What is counted is how often
both found the same move best, called the move that was made the same (best, fine, slip, mistake, blunder), and agreed
whether it was a mistake at all; and how long an analysis takes in two processes.
"""

from __future__ import annotations

import argparse
import pickle
import time
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from croupier.analysis.brief import Brief, prepare
from croupier.analysis.report import Analysis, report
from croupier.games import catalogue
from croupier.kernel import Budget
from croupier.tables.replay import Again
from croupier.tables.table import AnyGame
from tests.diary import SEED, Diary

GAMES = catalogue().games
WORSE = ("slip", "mistake", "blunder")


def solved(piece: bytes, budget: Budget) -> Any:
    return pickle.loads(piece).solved(GAMES, budget)


def analysed(brief: Brief, pool: ProcessPoolExecutor, budget: Budget) -> Analysis:
    dealt, *judgements = pool.map(solved, brief.pieces, [budget] * len(brief.pieces))
    return report(brief, dealt, judgements)


def compared(game: AnyGame, seats: int, games: int, pool: ProcessPoolExecutor, budget: Budget) -> None:
    decisions = best = verdict = worse = close = 0
    longest = (0.0, 0)
    for number in range(games):
        diary = Diary(game, seats, shown=False)
        if not game.deals_early:
            diary.play(bytes([number, *SEED[1:]]))
        else:
            diary.play()
            for _ in range(number):
                diary.another()
        played = diary.table.games
        found = []
        for seed in (1, 2):
            brief = prepare(Again("t", game, diary.log, played), number % len(diary.table.lineup), seed=seed)
            begun = time.perf_counter()
            found.append(analysed(brief, pool, budget))
            longest = max(longest, (time.perf_counter() - begun, len(brief.choices)))
        for one, other in zip(found[0].decisions, found[1].decisions, strict=True):
            decisions += 1
            best += one.best == other.best
            verdict += one.verdict == other.verdict
            worse += (one.verdict in WORSE) == (other.verdict in WORSE)
            close += abs(one.cost - other.cost) < 0.05
    shares = " ".join(f"{100 * count / decisions:12.0f} %" for count in (best, verdict, worse, close))
    print(f"{game.name:10} {decisions:9} {shares}   {longest[0]:5.1f} s for {longest[1]} decisions", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=list(GAMES), metavar="GAME")
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each decision")
    parser.add_argument("--nodes", type=int, help="for each decision, instead")
    asked = parser.parse_args()
    budget = Budget(nodes=asked.nodes) if asked.nodes else Budget(asked.seconds)
    print(
        f"{'game':10} {'decisions':>9} {'same best':>14} {'same verdict':>14} {'same if worse':>14} {'cost ± 5 %':>14}"
    )
    with ProcessPoolExecutor(2) as pool:
        for name in asked.names:
            compared(GAMES[name], asked.seats, asked.games, pool, budget)


if __name__ == "__main__":
    main()
