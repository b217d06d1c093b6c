"""The bots of a tournament, by their names: ``random``, ``my_bots:Cautious``, ``my_bot.py``, ``node bot.js``."""

from __future__ import annotations

import shlex
import shutil
from contextlib import ExitStack
from typing import Protocol

from croupier.arena.tournament import AnyGame, BadTournament, Tournament
from croupier.foreign_bots import programs
from croupier.foreign_bots.failing import BotFailed
from croupier.foreign_bots.loading import NoBot, is_python, load
from croupier.kernel import Bot


class Contender(Protocol):
    def bot(self, seat: int) -> Bot:
        """Another one, for one game at this seat."""

    def drop(self, seat: int) -> None:
        """What played at this seat has failed, and is not to be asked again."""


class _Class:
    """A bot that is written in Python."""

    def __init__(self, kind: type[Bot]) -> None:
        self._kind = kind

    def bot(self, seat: int) -> Bot:
        return self._kind()

    def drop(self, seat: int) -> None:
        pass


class _Program:
    """A bot in any language. It plays one game at a time: so one of it is running for every seat, game after game."""

    def __init__(self, command: list[str], interjects: bool) -> None:
        self._command = command
        self._interjects = interjects
        self._running: dict[int, tuple[programs.Program, ExitStack]] = {}

    def bot(self, seat: int) -> Bot:
        if seat not in self._running:
            stack = ExitStack()
            try:
                program = stack.enter_context(programs.running(self._command, self._interjects))
            except OSError as error:
                raise BotFailed(f"{self._command[0]} can't be started: {error.strerror}") from None
            self._running[seat] = program, stack
        return self._running[seat][0].bot()

    def drop(self, seat: int) -> None:
        if seat in self._running:
            self._running.pop(seat)[1].close()


def contenders(tournament: Tournament, game: AnyGame) -> list[Contender]:
    """Raises ``BadTournament`` when there is no such bot."""
    return [_contender(bot, game, tournament.interject) for bot in tournament.bots]


def _contender(named: str, game: AnyGame, interjects: bool) -> Contender:
    if named in game.bots:
        return _Class(game.bots[named])
    if is_python(named):
        try:
            kind = load(named)
        except (NoBot, BotFailed) as error:
            raise BadTournament(str(error)) from None
        if kind.plays not in ("", game.name):
            raise BadTournament(f"{named} plays {kind.plays}, and not {game.name}")
        return _Class(kind)
    command = shlex.split(named)
    if len(command) < 2 and "/" not in named:
        raise BadTournament(f"{game.title} has no bot {named!r}; known: {', '.join(game.bots)}")
    if shutil.which(command[0]) is None:
        raise BadTournament(f"{named!r} can't be started: there is no program {command[0]!r}")
    return _Program(command, interjects)
