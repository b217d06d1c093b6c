"""The law for players made of code: they play what they are offered."""

from __future__ import annotations

from typing import Any

from croupier.kernel.chance import QuickDice
from croupier.laws.looking import heard
from croupier.laws.steps import AnyGame, Expired, Moved, Step
from croupier.laws.walking import Walk, deal


def check_bots(game: AnyGame, seats: int, options: Any, seed: int, *, limit: int = 300) -> int:
    """Each kind of bot plays with its like, and chooses what is offered. Returns how many moves they have made.

    >>> from croupier.games.palace import game
    >>> check_bots(game, 2, game.Options(), seed=1, limit=20)
    100
    """
    return sum(_evening(game, name, seats, options, seed, limit) for name in game.bots)


def _evening(game: AnyGame, name: str, seats: int, options: Any, seed: int, limit: int) -> int:
    walk = Walk(game, seats, options, seed)
    bots = [game.bots[name]() for _ in range(seats)]
    dice = QuickDice(seed)
    made = 0
    with walk.blamed():
        state = deal(game, seats, options, seed)
        for walk.taken in range(limit):
            step: Step
            if awaited := game.awaited(state):
                seat = awaited[0]
                moves = game.candidates(state, seat, dice)
                move = bots[seat].choose(seat, game.view(state, seat), moves, dice)
                if not game.offers(state, seat, move):
                    raise walk.broken(
                        f"the bot {name} of seat {seat} chooses {move}, which is not offered.",
                        "`choose` returns one of the moves.",
                    )
                step = Moved(walk.at, seat, move)
                made += 1
            elif clocks := game.clocks(state):  # nobody has anything to say: time goes on
                clock = min(clocks, key=lambda clock: clock.due)
                step = Expired(max(walk.at, clock.due), clock.name)
            else:
                break
            walk.at = step.at
            events = step.take(game, state)
            for seat, bot in enumerate(bots):
                bot.observe(seat, heard(events, seat))
    return made
