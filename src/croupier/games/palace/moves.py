"""The moves of Palace."""

from __future__ import annotations

from croupier.kernel import Move


class Choose(Move, frozen=True):
    """Lay these three of your nine known cards face up; the other six are your hand."""

    cards: tuple[str, ...]


class Play(Move, frozen=True):
    """Play these cards, all of one rank. No cards: turn over a face-down one."""

    cards: tuple[str, ...]


AnyMove = Choose | Play
