"""A game that is over, as the teacher sees it: one seat's decisions, and what happened in between."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from click import unstyle

from croupier.analysis.adviser import adviser
from croupier.analysis.problems import SEEDS, DealProblem, DecisionProblem
from croupier.bots.search import AnyGame, Master
from croupier.journal import Record
from croupier.kernel import Chance, Dice, Event, Rig
from croupier.kernel.chance import QuickDice
from croupier.tables import entries, languages
from croupier.tables.beginning import table_before
from croupier.tables.records import GameRecord
from croupier.tables.replay import Happening, NoSuchGame
from croupier.tables.table import Table

MOST = 250
"""Decisions that are looked at; the rest of such a long game goes without."""


class Choice(msgspec.Struct, frozen=True):
    """A decision of the seat."""

    step: int
    """Of the replay: the one in which the move was made."""
    labels: list[str]
    """The moves that it had, in words."""
    made: int
    """Which of them it made."""
    problem: bytes
    """What there is to find out, as it is sent to whoever does."""


class Brief(msgspec.Struct, frozen=True):
    """All that has to be known about a game to analyse it, and to tell what came of that."""

    seat: int
    name: str
    points: float
    """Where it is points that are counted: how many are worth 1. 0: chances of winning."""
    choices: list[Choice]
    deal: bytes
    """What there is to find out about the deal."""
    stories: list[list[str]]
    """What happened, as the seat saw it, by the steps of the replay; up to where it had nothing more to do."""
    gain: float
    """What the end was worth."""

    @property
    def pieces(self) -> list[bytes]:
        """What there is to find out: the deal, and then each decision."""
        return [self.deal, *(choice.problem for choice in self.choices)]


def prepare(happenings: Iterable[Happening], seat: int, language: str = "en", seed: int = 0) -> Brief:
    """Raises ``NoSuchGame``."""
    pupil: _Pupil | None = None
    for now in happenings:
        if not 0 <= seat < len(now.table.lineup) and now.begun:
            raise NoSuchGame("there was no such seat in that game")
        pupil = pupil or _Pupil(seat, language, seed)
        pupil.follow(now)
    if pupil is None or pupil.deal is None:
        raise NoSuchGame("that game was never dealt")
    return pupil.brief()


def again(record: GameRecord, game: AnyGame) -> Iterator[Happening]:
    """The game of a record once more, which has to be right (``tables.verifying``)."""
    about = record.about
    seed, rig = bytes.fromhex(about.seed), about.rig if isinstance(about.rig, Rig) else None
    table = table_before(record.before, about.table, game, about.number, Chance)
    for line in record.log:
        entry = line.entry
        if isinstance(entry, entries.Started | entries.Opened | entries.Reopened):
            entry = msgspec.structs.replace(entry, seed=seed, rig=rig)
        if isinstance(entry, entries.Reopened):
            entry = msgspec.structs.replace(entry, rules=about.rules)
        table.seq = line.seq - 1
        yield Happening(table, Record(line.seq, line.at, b""), entry, table.apply(entry, line.at))


class _Pupil:
    """The seat whose game it is, while that is played again."""

    def __init__(self, seat: int, language: str, seed: int) -> None:
        self._seat = seat
        self._language = language
        self._adviser: Master | None = None
        """Who is asked, with all that the seat has seen so far."""
        self._dice: Dice = QuickDice(seed)
        self._before: Any = None
        """The game before the next entry, if the seat is awaited there."""
        self._choices: list[Choice] = []
        self._stories: list[list[str]] = []
        self._done = False
        """Whether it can only watch from now on."""
        self._table: Table | None = None
        self.deal: bytes | None = None

    def follow(self, now: Happening) -> None:
        table, seat = now.table, self._seat
        self._table = table
        if type(now.entry) is entries.Moved and now.entry.seat == seat and self._before is not None:
            assert self._adviser is not None
            self._decided(now, now.entry, self._adviser)
        if type(now.entry) is entries.Started:
            self._adviser = adviser(table.game, len(table.lineup))
            self.deal = self._dealt(table, self._adviser)
        seen: list[Event] = [view for event in now.events if (view := event.seen_by(seat)) is not None]
        if seen and self._adviser is not None:
            self._adviser.observe(seat, seen)
        if now.is_step and not self._done:
            self._stories.append(now.story(seen, self._language))
            self._done = table.game.done(table.state, seat)
        awaited = table.phase == "playing" and seat in table.game.awaited(table.state)
        self._before = table.game.clone(table.state) if awaited else None

    def _dealt(self, table: Table, adviser: Master) -> bytes:
        game, dice = table.game, self._dice
        world = game.imagine(table.state, self._seat, dice)
        problem = DealProblem(
            game.name, game.rules, world, self._seat, len(table.lineup), table.options, table.inherited,
            adviser, dice.below(SEEDS),
        )  # fmt: skip
        return pickle.dumps(problem)

    def _decided(self, now: Happening, entry: entries.Moved, adviser: Master) -> None:
        """The seat had a choice, perhaps."""
        if len(self._choices) == MOST:
            return
        game, state, seat = now.table.game, self._before, self._seat
        made = game.understand(entry.move) if type(entry.move) is dict else entry.move
        view, names = game.view(state, seat), [player.name for player in now.table.lineup]
        words = languages.words(self._language, game)
        problem = question(game, state, seat, made, adviser, self._dice)
        if problem is None:
            return
        labels = [" ".join(unstyle(game.label(move, view, names, words)).split()) for move in problem.moves]
        step = len(self._stories)
        self._choices.append(Choice(step, labels, problem.made, pickle.dumps(problem)))

    def brief(self) -> Brief:
        table = self._table
        adviser = self._adviser
        assert table is not None and table.result is not None and self.deal is not None and adviser is not None
        guide = adviser.guide(table.game, self._seat, adviser)
        return Brief(
            seat=self._seat,
            name=table.lineup[self._seat].name,
            points=guide.points,
            choices=self._choices,
            deal=self.deal,
            stories=self._stories,
            gain=guide.gain(table.result, table.state),
        )


def question(game: AnyGame, state: Any, seat: int, made: Any, adviser: Master, dice: Dice) -> DecisionProblem | None:
    """A decision as it is sent: of the real state it holds nothing but what the seat can know. None: there was no
    choice."""
    world = game.imagine(state, seat, dice)
    moves = list(game.candidates(world, seat, dice))
    if made not in moves:
        moves.append(made)  # said in another way than it is listed, or filled in
    if len(moves) < 2:
        return None
    return DecisionProblem(game.name, game.rules, world, seat, moves, moves.index(made), adviser, dice.below(SEEDS))
