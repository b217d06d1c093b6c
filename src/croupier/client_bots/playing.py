"""A seat that is played by a bot: what the bot is handed and when it is asked, just as if the server played it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec

from croupier.client import Happening, Table, blocking
from croupier.client.entries import Started, Synced
from croupier.foreign_bots.failing import BotFailed
from croupier.kernel import Bot, Form
from croupier.kernel.chance import QuickDice

T = TypeVar("T")

FILLED = 8
"""Ways to fill in each form that a bot is shown."""
LONGEST = 200
"""Characters of a wrong answer that are shown: who echoes the question gives a whole game."""


class Player:
    """Asks a bot. What becomes of the answers is for somebody else to see to."""

    def __init__(self, make: Callable[[], Bot]) -> None:
        self._make = make
        """Another one for every game, and whenever something was missed: it has to begin anew."""
        self._bot: Bot | None = None
        self._dice = QuickDice()
        self._unasked = False
        """Whether the game has gone on since the bot was last asked whether it interjects."""

    def answer(self, table: Table | blocking.Table, happening: Happening) -> Any:
        """The move that the bot makes, now that this has happened; None where it makes none."""
        entry, seat = happening.entry, happening.seat
        if seat is None:
            return None
        afresh = isinstance(entry, Started) or (isinstance(entry, Synced) and entry.missed)
        if self._bot is None or afresh:
            self._bot = _consult(self._make)
        bot, events = self._bot, happening.events
        if events:
            _consult(lambda: bot.observe(seat, events))
        self._unasked |= bool(events) or isinstance(entry, Started | Synced)
        if table.unread:
            return None
        if table.awaited:
            return self._choice(table, bot.choose)
        if self._unasked and (table.moves or table.forms) and type(bot).interject is not Bot.interject:
            self._unasked = False
            return self._choice(table, bot.interject)
        return None

    def _choice(self, table: Table | blocking.Table, question: Callable[..., Any]) -> Any:
        forms = table.forms
        filled = [table.place.words.move(form.filled(self._dice)) for form in forms for _ in range(FILLED)]
        moves = [*table.moves, *filled]
        move = _consult(lambda: question(table.seat, table.view, moves, self._dice))
        if move is not None and not _offered(move, moves, forms):
            raise BotFailed(f"the bot chose a move that it was not offered: {_text(move)}")
        if move is None and table.awaited:
            raise BotFailed("the bot chose no move")
        return move


def _consult(question: Callable[[], T]) -> T:
    try:
        return question()
    except BotFailed:
        raise
    except Exception as error:
        raise BotFailed(f"the bot failed: {type(error).__name__}: {error}") from error


def _offered(move: Any, moves: Sequence[Any], forms: Sequence[Form]) -> bool:
    if move in moves:
        return True
    chosen = _plain(move)
    return chosen in map(_plain, moves) or any(_fits(chosen, form) for form in forms)


def _fits(chosen: Any, form: Form) -> bool:
    if not isinstance(chosen, dict) or chosen.get("move") != form.move:
        return False
    return all(field.takes(chosen.get(name)) for name, field in form.fields.items())


def _plain(move: Any) -> Any:
    """As JSON has it; a bot may return anything."""
    try:
        return msgspec.json.decode(msgspec.json.encode(move))
    except (TypeError, ValueError):
        return None


def _text(move: Any) -> str:
    plain = _plain(move)
    text = repr(move) if plain is None else msgspec.json.encode(plain).decode()
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
