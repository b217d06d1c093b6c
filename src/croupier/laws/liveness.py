"""The law of liveness: a game never hangs, and takes every move it offers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from croupier.kernel import Illegal, Move
from croupier.kernel.chance import QuickDice
from croupier.laws.steps import START, AnyGame, Back, Expired, Left, Moved, encode
from croupier.laws.walking import Walk, refused


def check_liveness(game: AnyGame, seats: int, options: Any, seed: int, *, limit: int = 1000, sample: int = 6) -> int:
    """A game never hangs, and takes every move it offers; what is over is over. Returns how many moves were tried.

    >>> from croupier.games.palace import game
    >>> check_liveness(game, 3, game.Options(), seed=1, limit=20)
    90
    """
    walk = Walk(game, seats, options, seed, limit)
    dice = QuickDice(seed)
    tried = 0
    with walk.blamed():
        for state, step in walk:
            if game.result(state) is not None:
                _check_end(walk, state)
                continue
            _check_wait(walk, state)
            if game.customs.absent == "forfeit" and walk.taken % 10 == 0:
                _check_farewell(walk, state)
            if isinstance(step, Expired):
                _check_expiry(walk, state, step)
            for seat in range(seats):
                moves = list(game.moves(state, seat))
                if len(set(moves)) != len(moves):
                    twice = next(move for move in moves if moves.count(move) > 1)
                    raise walk.broken(
                        f"seat {seat} is offered {encode(twice).decode()} twice.",
                        "`moves` has one move for everything that makes a difference.",
                    )
                if game.has_forms:
                    moves = list(game.candidates(state, seat, dice))
                    _check_forms(walk, state, seat, moves)
                dice.shuffle(moves, "sample")
                for move in moves[:sample]:
                    try:
                        game.play(game.clone(state), seat, move, max(START, walk.at))
                    except Illegal as illegal:
                        raise refused(walk, Moved(START, seat, move), illegal) from illegal
                    tried += 1
    return tried


def _check_forms(walk: Walk, state: Any, seat: int, moves: Sequence[Move]) -> None:
    for move in moves:
        if not walk.game.offers(state, seat, move):
            raise walk.broken(
                f"seat {seat} fills in a form, and what comes out does not fit it: {encode(move).decode()}",
                "Every way to fill in a form has to be legal, and of what it describes `moves` lists nothing.",
            )


def _check_wait(walk: Walk, state: Any) -> None:
    game = walk.game
    awaited, clocks = game.awaited(state), game.clocks(state)
    paused = isinstance(walk.step, Back | Left)  # for somebody to come back, or to be given up
    if not (awaited or paused or clocks):
        raise walk.broken(
            "it hangs: nobody is awaited, no clock runs, and there is no result.",
            "`awaited` names the seats that the game can't go on without; where it waits for nobody, a clock ends it.",
        )
    for seat in awaited:
        if seat not in range(walk.seats):
            raise walk.broken(f"seat {seat} is awaited, and there is no such seat.", "Seats are numbered from 0 on.")
        if not game.moves(state, seat) and not game.forms(state, seat):
            raise walk.broken(
                f"seat {seat} is awaited and has no move.",
                "Whoever is in `awaited` finds something in `moves` or `forms`, if only a move to pass.",
            )
    names = [clock.name for clock in clocks]
    if len(set(names)) != len(names):
        raise walk.broken(
            f"two clocks are called {max(names, key=names.count)!r}.",
            "`expire` is told the name of the clock that has run out: give each one of a moment its own.",
        )


def _check_expiry(walk: Walk, state: Any, step: Expired) -> None:
    after = walk.game.clone(state)
    step.take(walk.game, after)
    if encode(after) == encode(state):
        raise walk.broken(
            f"the clock {step.clock!r} runs out and nothing changes, so that it runs out for ever.",
            "`expire` does what ends the wait: it makes a move for somebody who is late, or goes on to the next phase.",
        )


def _check_farewell(walk: Walk, state: Any) -> None:
    after = walk.game.clone(state)
    if there := sorted([*walk.here, *walk.away]):
        walk.game.leave(after, there, walk.at)
    if walk.game.result(after) is None and not walk.game.clocks(after):
        raise walk.broken(
            "it hangs if everybody leaves now: no clock runs, and there is no result.",
            "`leave` is told who goes, maybe all at once: then there is a `result`, also if nobody has won.",
        )


def _check_end(walk: Walk, state: Any) -> None:
    game, result = walk.game, walk.game.result(state)
    assert result is not None
    movers = [seat for seat in range(walk.seats) if game.moves(state, seat) or game.forms(state, seat)]
    for still, what in ((game.awaited(state), "somebody is awaited"), (game.clocks(state), "a clock runs")):
        if still:
            raise walk.broken(f"the game is over and {what}.", "With a `result`, nobody is awaited and no clock runs.")
    if movers:
        raise walk.broken(
            f"the game is over and seat {movers[0]} still has a move.", "With a `result`, `moves` has none for anybody."
        )
    placed = sorted(seat for place in result.placings for seat in place)
    if placed != list(range(walk.seats)):
        raise walk.broken(
            f"the result places seats {placed}, and seats 0 to {walk.seats - 1} have played.",
            "`Result.placings` has every seat once, from first to last; also those who have left.",
        )
    if (result.teams or ()) != walk.game.teams(walk.options, walk.seats) or result.splits:
        raise walk.broken(
            f"the result is not by team: {result}.", "`Result.by_score` names the teams, and splits none of them."
        )
    if result.scores is not None and len(result.scores) != walk.seats:
        raise walk.broken(
            f"the result has {len(result.scores)} scores for {walk.seats} seats.",
            "`Result.scores` has one for every seat, None for somebody who was not there to be counted.",
        )
