"""How often one bot wins against others of another kind: ``python -m benchmarks.contests coup believer honest``.

The contender takes every seat in turn. Games are played without a server, and time passes only when everybody has had
their say.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from math import sqrt
from typing import Any

import msgspec

from croupier.games import catalogue
from croupier.kernel import Bot, Chance, Game, Result
from croupier.kernel.chance import QuickDice

AnyGame = Game[Any, Any, Any, Any, Any]


def play(game: AnyGame, bots: Sequence[Bot], options: Any, seed: int) -> Result | None:
    """One game among bots, each handed only its own view, moves and events; None when it does not end."""
    dice = QuickDice(seed)
    at = 0
    state = game.deal(options, len(bots), Chance(seed.to_bytes(32, "big")), at)
    for _ in range(100_000):
        if awaited := game.awaited(state):
            seat = awaited[0]
            moves = game.moves(state, seat)
            events = game.play(state, seat, bots[seat].choose(seat, game.view(state, seat), moves, dice), at)
        elif clocks := game.clocks(state):
            clock = min(clocks, key=lambda clock: clock.due)
            at = max(at, clock.due)
            events = game.expire(state, clock.name, at)
        else:
            break
        for number, bot in enumerate(bots):
            bot.observe(number, [seen for event in events if (seen := event.seen_by(number)) is not None])
    return game.result(state)


def wins(
    game: AnyGame, contender: type[Bot], others: type[Bot], seats: int, games: int, options: Any, first: int = 0
) -> int:
    """How many of so many games the contender wins, alone or together with others."""
    won = 0
    for number in range(first, first + games):
        own = number % seats
        bots = [contender() if seat == own else others() for seat in range(seats)]
        result = play(game, bots, options, number)
        won += result is not None and own in result.placings[0]
    return won


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("contender")
    parser.add_argument("others")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--options", type=json.loads, default={}, help="the game's, as JSON")
    arguments = parser.parse_args()
    game = catalogue().games[arguments.game]
    options = msgspec.convert(arguments.options, game.Options)
    contender, others = game.bots[arguments.contender], game.bots[arguments.others]
    won = wins(game, contender, others, arguments.seats, arguments.games, options)
    share = won / arguments.games
    error = 1.96 * sqrt(share * (1 - share) / arguments.games)
    rest = "one" if arguments.seats == 2 else str(arguments.seats - 1)
    print(
        f"{game.title}, {json.dumps(arguments.options)}: {contender.name} against {rest} {others.name}: "
        f"{won} of {arguments.games} won, {share:.1%} ± {error:.1%}"
    )


if __name__ == "__main__":
    main()
