"""Who may ask for a hint, and which bot is asked for it."""

from __future__ import annotations

from typing import get_args

from croupier.kernel import Bot, Searcher, Strength
from croupier.tables.seat import Seat
from croupier.tables.table import AnyGame, Table

STRENGTHS: tuple[Strength, ...] = get_args(Strength)


def adviser(game: AnyGame, ahead: bool = True) -> type[Bot] | None:
    """Whose advice is the best; None: that of nobody, since easy bots make the mistakes that people make. ``ahead``:
    whether bots can look ahead here."""
    kinds = [kind for kind in game.bots.values() if kind.strength != "easy"]
    quick = [kind for kind in kinds if not issubclass(kind, Searcher)]
    return max(kinds if ahead else quick or kinds, key=lambda kind: STRENGTHS.index(kind.strength), default=None)


def withheld(table: Table, seat: Seat | None) -> tuple[str, str] | None:
    """Why somebody at this seat can't be given a hint now, as a code and a sentence; None: they can, if there is
    anything that they may do."""
    if table.phase != "playing":
        return "not_started", "no game is being played at this table"
    if seat is None or seat.kicked or seat not in table.cast:
        return "not_seated", "you have no seat in this game"
    if table.soloist is not seat:
        return "no_hints", "there are no hints in a game with other people"
    if seat.stood_in:
        return "stood_in", "a bot plays for you: take your seat back first"
    if seat.number not in table.awaited():
        return "out_of_turn", "it is not your turn"
    if adviser(table.game) is None:
        return "no_hints", "no bot here plays this game well enough to give hints"
    return None
