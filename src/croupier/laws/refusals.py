"""The law of refusals: an illegal move is refused in words and changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from croupier.kernel import Dice, Illegal, Move
from croupier.kernel.chance import QuickDice
from croupier.laws.differences import in_json
from croupier.laws.steps import START, AnyGame, Moved, encode
from croupier.laws.walking import Walk, refused


def check_refusals(game: AnyGame, seats: int, options: Any, seed: int, *, limit: int = 1000, sample: int = 3) -> int:
    """A refused move changes nothing, is never offered, and is refused in words. Returns how many were refused.

    Anybody tries at any time what somebody could do before; and moves that are a little wrong, such as card number -1,
    or no cards at all.

    >>> from croupier.games.palace import game
    >>> check_refusals(game, 3, game.Options(), seed=1, limit=20) > 100
    True
    """
    walk = Walk(game, seats, options, seed, limit)
    dice = QuickDice(seed)
    count = 0
    known: list[Move] = []
    with walk.blamed():
        for state, step in walk:
            for seat in range(seats):
                for move in [dice.choice(known) for _ in range(sample if known else 0)]:
                    count += _attempt(walk, state, seat, move)
            if isinstance(step, Moved):
                count += sum(_attempt(walk, state, step.seat, move) for move in _wrong(game, step.move, dice))
                known.append(step.move)
    return count


def _attempt(walk: Walk, state: Any, seat: int, move: Move) -> bool:
    attempt = walk.game.clone(state)
    try:
        walk.game.play(attempt, seat, move, START)
    except Illegal as illegal:
        said = f"seat {seat} is refused {encode(move).decode()}"
        if encode(attempt) != encode(state):
            changed = in_json("state", encode(state), encode(attempt), ("before", "afterwards"))
            raise walk.broken(
                f"{said}, “{illegal}”, and yet something has changed: {changed}.",
                "`play` checks everything before it changes anything: raise `Illegal` first.",
            ) from illegal
        if walk.game.offers(state, seat, move):
            raise refused(walk, Moved(START, seat, move), illegal) from illegal
        if not str(illegal) or not illegal.code:
            raise walk.broken(f"{said} without a reason.", "`Illegal` has a sentence for the player.") from illegal
        return True
    except Exception as error:
        raise walk.broken(
            f"`play` fails when seat {seat} tries {encode(move).decode()}: {type(error).__name__}: {error}",
            "Anything that its types allow can be sent as a move, at any time and by anybody: what is not legal raises "
            "`Illegal`.",
        ) from error
    return False


def _wrong(game: AnyGame, move: Move, dice: Dice) -> Iterator[Move]:
    """The move with one of its fields changed, as far as its types allow that."""
    plain = msgspec.to_builtins(move)
    for name, value in plain.items():
        others = _others(value)
        if name == "move" or not others:
            continue
        try:
            yield game.understand(plain | {name: dice.choice(others)})
        except msgspec.ValidationError:
            continue


def _others(value: Any) -> list[Any]:
    match value:
        case bool():
            return [not value]
        case int():
            return [-1, value + 1, value - 1, 1_000_000]
        case str():
            return ["", "no such thing"]
        case list() | tuple():
            return [[], [*value, *value], *([other, *value[1:]] for item in value[:1] for other in _others(item))]
    return []
