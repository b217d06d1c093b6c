"""What clients are told of a game's lesson: the steps of its script, in the language of whoever learns.

What bots do meanwhile, and what is dealt, is not told: whoever learns is to see it happen.
"""

from __future__ import annotations

from typing import Any

import msgspec

from croupier.kernel.lesson import LEARNER
from croupier.tables import languages
from croupier.tables.table import AnyGame


class LessonStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the one who learns is told, and when: see ``Sync.lesson``."""

    text: str
    first: int
    """How many moves of the script have been made when it begins."""
    last: int | None = None
    """It is over when more than these have been made; left out: it stays."""
    asks: bool = False
    """Whether it asks for a move; otherwise it is there to be read."""
    move: Any = None
    """The move; left out where none is made, but the client says ``proceed``."""
    at: tuple[str, ...] = ()
    """What it speaks of, by the names that the game's page has for it."""


Steps = tuple[LessonStep, ...]


def address(game: AnyGame, language: str) -> str | None:
    """Of the lesson, as JSON."""
    return None if game.lesson is None else f"/api/games/{game.name}/lesson?language={language}"


def steps(game: AnyGame, language: str) -> Steps | None:
    """In the order of the script; None where there is no lesson."""
    lesson = game.lesson
    if lesson is None:
        return None
    words = languages.words(language, game)
    moves = {number: made.move for number, made in enumerate(lesson.moves) if made.seat == LEARNER}
    return tuple(
        LessonStep(
            words.said(step.text), step.first, step.last, step.asks, moves[step.first] if step.asks else None, step.at
        )
        for step in lesson.steps
    )
