"""The law of the terminal: whatever happens, it can be put into words, and they fit the screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from click import unstyle

from croupier.kernel import ENGLISH, Event, Game, Words
from croupier.kernel.chance import QuickDice
from croupier.kernel.ink import WIDTH
from croupier.laws.looking import heard, who
from croupier.laws.steps import AnyGame
from croupier.laws.translations import untranslatable
from croupier.laws.walking import Walk

FEW = 20
"""Of more moves than these, some are put into words."""


def check_terminal(
    game: AnyGame, seats: int, options: Any, seed: int, *, languages: Sequence[Words] = (ENGLISH,), limit: int = 1000
) -> int:
    """``show``, ``label`` and ``tell`` have an answer to everything. Returns how many texts they were asked for.

    >>> from croupier.games.palace import game
    >>> check_terminal(game, 3, game.Options(), seed=1, limit=20) > 200
    True
    """
    walk = Walk(game, seats, options, seed, limit)
    names = [f"player {seat}" for seat in range(seats)]
    dice = QuickDice(seed)
    texts = 0
    with walk.blamed():
        for state, step in walk:
            for seat in (None, *range(seats)):
                texts += 1 + _check_view(walk, state, seat, names, dice, len(languages) > 1)
            if step is not None:
                events = step.take(game, game.clone(state))
                texts += sum(
                    _check_events(walk, heard(events, seat), names, languages) for seat in (None, *range(seats))
                )
    return texts


def _check_view(walk: Walk, state: Any, seat: int | None, names: Sequence[str], dice: QuickDice, foreign: bool) -> int:
    """``foreign``: the game speaks other languages than English."""
    game = walk.game
    view = game.view(state, seat)
    lines = unstyle(game.show(view, names)).splitlines()
    if not lines:
        raise walk.broken(f"`show` says nothing to {who(seat)}.", "There is always something to be seen at a table.")
    wide = next((line for line in lines if len(line) > WIDTH), None)
    if wide is not None and type(game).show is not Game.show:
        raise walk.broken(
            f"a line that `show` makes for {who(seat)} is {len(wide)} characters long: {wide.strip()[:40]}…",
            f"A terminal has 80 columns, and the last is for the cursor: {WIDTH} at most. `croupier.kernel.ink.flow` "
            "goes on below where there is no more room.",
        )
    moves = [] if seat is None else list(game.candidates(state, seat, dice, each=1))
    dice.shuffle(moves, "sample")
    del moves[FEW:]
    for move in moves:
        if not game.label(move, view, names).strip():
            raise walk.broken(f"{move} has no label.", "`label` says every move in a few words.")
        if foreign and (word := untranslatable(game, move, view)) is not None:
            raise walk.broken(
                f"the label of {move} says “{word}” in every language.",
                "What `label` says it gives to `words`, and what it names to `words.said`, which know other languages.",
            )
    return len(moves)


def _check_events(walk: Walk, events: Sequence[Event], names: Sequence[str], languages: Sequence[Words]) -> int:
    for event in events:
        for words in languages:
            told = walk.game.tell(event, names, words)
            if not isinstance(told, str) or "\n" in told:
                raise walk.broken(
                    f"`tell` makes {told!r} of {type(event).__name__}.",
                    "An event is one sentence for the log; an empty text where there is nothing to say.",
                )
    return len(events) * len(languages)
