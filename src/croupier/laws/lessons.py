"""The law of lessons: what a script says can be done, move by move, with the cards that its rig deals."""

from __future__ import annotations

from typing import Any

import msgspec

from croupier.kernel import Chance, Illegal, Move
from croupier.kernel.lesson import LEARNER, Lesson, Made
from croupier.laws.broken import Broken, blame
from croupier.laws.steps import START, AnyGame

SECOND = 1000


def check_lesson(game: AnyGame) -> int:
    """A game's lesson, if it has one, is a game by its rules from the first to the last move of its script.

    Returns how many moves there are.

    >>> from croupier.games.palace import game
    >>> check_lesson(game) > 10
    True
    """
    lesson = game.lesson
    if lesson is None:
        return 0
    with blame(game):
        _check_table(game, lesson)
        state = dealt(game, lesson)
        for number, made in enumerate(lesson.moves):
            _make(game, state, made, START + (number + 1) * SECOND, f"move {number + 1} of the lesson")
    return len(lesson.moves)


def _check_table(game: AnyGame, lesson: Lesson) -> None:
    options = _options(game, lesson)
    if lesson.seats not in game.seats_for(options) or any(not 0 <= made.seat < lesson.seats for made in lesson.moves):
        raise Broken(f"{game.title}: its lesson is not for {lesson.seats}.", "Say how many `seats` it takes.")
    if lesson.bot not in game.bots:
        raise Broken(f"{game.title}: the lesson's bot {lesson.bot!r} is none of its bots.", "Name one of `bots`.")
    if not any(step.asks for step in lesson.steps):
        raise Broken(f"{game.title}: its lesson asks for no move.", "People learn by doing: add a `Try`.")
    if lesson.steps[-1].asks or lesson.steps[-1].first < len(lesson.moves):
        raise Broken(f"{game.title}: its lesson has no end.", "The last part is something to read: an `Explain`.")


def _options(game: AnyGame, lesson: Lesson) -> Any:
    return msgspec.convert({**game.usual, **lesson.options}, game.Options)


def dealt(game: AnyGame, lesson: Lesson) -> Any:
    """The state in which a lesson begins."""
    options, chance = _options(game, lesson), Chance(lesson.seed, rig=lesson.rig)
    if not game.deals_early:
        return game.deal(options, lesson.seats, chance, START)
    state = game.lobby(options, chance, START)
    for seat in range(lesson.seats):
        game.sit(state, seat, START)
    return game.begin(state, options, range(lesson.seats), START)


def _make(game: AnyGame, state: Any, made: Made, at: int, which: str) -> None:
    while (clock := _nobodys(game, state, at)) is not None:
        game.expire(state, clock, at)
    who = "whoever learns" if made.seat == LEARNER else f"seat {made.seat}"
    if made.move is None:
        look = next((clock.name for clock in game.clocks(state) if clock.name in game.customs.looks), None)
        if look is None:
            raise Broken(f"{game.title}: {which}: there is nothing to look at.", "A `Try` without a move ends a look.")
        game.expire(state, look, at)
    elif not game.offers(state, made.seat, made.move):
        raise Broken(
            f"{game.title}: {which}: {who} is not offered {made.move}, but {_some(game.moves(state, made.seat))}.",
            "The script goes through a game that can be played: look at the rig, and at the moves before.",
        )
    else:
        try:
            game.play(state, made.seat, made.move, at)
        except Illegal as illegal:
            raise Broken(f"{game.title}: {which}: {illegal}.", "A move of the script is one by the rules.") from None


def _nobodys(game: AnyGame, state: Any, at: int) -> str | None:
    """A clock that is nobody's, and runs out by itself before anybody moves."""
    looks = game.customs.looks
    return next((c.name for c in game.clocks(state) if not c.seats and c.name not in looks and c.due < at), None)


def _some(moves: Any) -> str:
    found: list[Move] = list(moves)
    return ", ".join(map(str, found[:8])) + (", …" if len(found) > 8 else "") or "nothing"
