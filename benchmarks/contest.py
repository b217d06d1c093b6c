"""How strong a bot is: one of a kind against others of another kind, seats changing, many games.

``python -m benchmarks.contest faraway look-ahead random --games 1000``
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from math import sqrt
from time import perf_counter

from croupier.games import catalogue
from croupier.kernel import Bot, Chance, Result
from croupier.kernel.chance import QuickDice
from croupier.tables.table import AnyGame


def play(game: AnyGame, bots: Sequence[Bot], seed: int) -> Result:
    """One game, with luck drawn from the seed; every bot is handed what its seat may know."""
    state = game.deal(game.Options(), len(bots), Chance(seed.to_bytes(32, "big")), 0)
    dice = QuickDice(seed)
    while (result := game.result(state)) is None:
        seat = game.awaited(state)[0]
        move = bots[seat].choose(seat, game.view(state, seat), game.moves(state, seat), dice)
        events = game.play(state, seat, move, 0)
        for other, bot in enumerate(bots):
            bot.observe(other, [seen for event in events if (seen := event.seen_by(other)) is not None])
    return result


def main() -> None:
    games = catalogue().games
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=games)
    parser.add_argument("bot")
    parser.add_argument("others")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seats", type=int, default=2)
    arguments = parser.parse_args()
    game = games[arguments.game]
    for kind in (arguments.bot, arguments.others):
        if kind not in game.bots:
            parser.error(f"{game.title} has no bot {kind!r}; there is {', '.join(game.bots)}")

    wins = ties = own_points = other_points = 0
    start = perf_counter()
    for seed in range(arguments.games):
        own = seed % arguments.seats
        kinds = [arguments.bot if seat == own else arguments.others for seat in range(arguments.seats)]
        result = play(game, [game.bots[kind]() for kind in kinds], seed)
        first = result.placings[0]
        wins += first == (own,)
        ties += own in first and len(first) > 1
        if result.scores is not None:
            own_points += result.scores[own]
            other_points += sum(result.scores) - result.scores[own]
    count = arguments.games
    share = wins / count
    print(f"{arguments.bot} against {arguments.others}, {game.title}, {arguments.seats} seats, {count} games")
    print(
        f"  won {share:.1%} (± {2 * sqrt(share * (1 - share) / count):.1%}), shared the first place {ties / count:.1%}"
    )
    if own_points or other_points:
        print(f"  points {own_points / count:.1f}, the others {other_points / count / (arguments.seats - 1):.1f}")
    print(f"  {1000 * (perf_counter() - start) / count:.1f} ms a game")


if __name__ == "__main__":
    main()
