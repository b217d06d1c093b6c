"""The law of secrecy before the game begins, where cards are dealt as people sit down."""

from __future__ import annotations

from typing import Any

from croupier.kernel import Chance
from croupier.kernel.chance import QuickDice
from croupier.laws.broken import Broken, blame
from croupier.laws.differences import in_json
from croupier.laws.looking import Shown, heard, shown, who
from croupier.laws.steps import START, AnyGame, Conserved, encode
from croupier.laws.walking import seed_bytes

REMEDY = (
    "Who sits down is dealt cards that nobody else may see: hide them in `view` and `seen_by`, and forget them in "
    "`imagine`."
)


def check_lobby(game: AnyGame, options: Any, seed: int, *, conserved: Conserved | None = None, steps: int = 40) -> int:
    """In a game that deals as people sit down: nobody learns what others get, or what was put back.

    Returns how many positions were compared.

    >>> from croupier.games.coup import game
    >>> check_lobby(game, game.Options(), seed=1, steps=10)
    37
    """
    with blame(game):
        return _check(game, options, seed, conserved, steps)


def _check(game: AnyGame, options: Any, seed: int, conserved: Conserved | None, steps: int) -> int:
    dice = QuickDice(seed)
    state = game.lobby(options, Chance(seed_bytes(seed)), START)
    seated: list[int] = []
    positions = number = 0
    for taken in range(steps):
        rises = bool(seated) and (len(seated) == game.seats[-1] or dice.below(3) == 0)
        seat = dice.choice(seated) if rises else number
        change = game.rise if rises else game.sit
        after = game.clone(state)
        events = change(after, seat, START)
        where = f"{game.title}, before the game, with seed {seed}, when {taken} have come or gone"
        if conserved:
            conserved(after)
        if game.awaited(after) or game.clocks(after) or game.result(after) is not None:
            raise Broken(f"{where}: the game has begun already.", "Nobody is awaited and no clock runs before `begin`.")
        for observer in (None, *(other for other in seated if other != seat)):
            imagined = game.imagine(state, observer, dice)
            _compare(shown(game, state, observer), shown(game, imagined, observer), observer, where)
            fancied = change(imagined, seat, START)
            told, else_told = ({"events": encode(heard(some, observer))} for some in (events, fancied))
            _compare(told, else_told, observer, where)
            _compare(shown(game, after, observer), shown(game, imagined, observer), observer, where)
            positions += 1
        if rises:
            seated.remove(seat)
        else:
            seated.append(seat)
            number += 1
        state = after
    return positions


def _compare(real: Shown, imagined: Shown, observer: int | None, where: str) -> None:
    for what, truth in real.items():
        if truth != imagined[what]:
            found = in_json(what, truth, imagined[what])
            raise Broken(f"{where}: {who(observer)} can tell the real state from an imagined one: {found}.", REMEDY)
