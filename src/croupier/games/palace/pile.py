"""The pile of Palace: what may be laid on it, and when it burns.

The numbers P1, P2, … are the rules as the game's page under ``docs/`` counts them; D3, D4, … are its decisions.
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.kernel.cards import RANK, RANKS


def fits(played: str, top: str) -> bool:
    """P12: whether a rank may be played when the effective top is that other one."""
    if played in ("2", "4"):
        return True
    if played == "10":
        return top != "7"
    if top == "7":
        return RANKS.index(played) <= RANKS.index("7")
    return RANKS.index(played) >= RANKS.index(top)


PLAYABLE = {top: tuple(played for played in RANKS if fits(played, top)) for top in RANKS}
"""P12 as a table: the ranks that fit on each effective top."""


def effective_top(pile: Sequence[str]) -> str:
    """P11: the rank that a play is compared with, which is the topmost but for Fours."""
    for card in reversed(pile):
        if (top := RANK[card]) != "4":
            return top
    return "2"


def run_on_top(pile: Sequence[str]) -> int:
    """How many cards of the top rank lie together on top, Fours between them overlooked."""
    top = RANK[pile[-1]]
    count = 0
    for card in reversed(pile):
        if RANK[card] == top:
            count += 1
        elif RANK[card] != "4":
            break
    return count


def burns(pile: Sequence[str], seats: int) -> bool:
    """P15: a ten burns the pile; P16: so does the last card of a rank, where all of them lie together on top."""
    return RANK[pile[-1]] == "10" or run_on_top(pile) >= seats  # D4
