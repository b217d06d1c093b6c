"""The law of numbers, for games that have an encoding: it says what it says it does, and no more than was seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from croupier.kernel import Encoding, Event, Move, Notes
from croupier.kernel.chance import QuickDice
from croupier.laws.looking import heard, who
from croupier.laws.steps import AnyGame, encode
from croupier.laws.walking import Walk

Spelled = Sequence[int | tuple[int, ...]]


def check_encoding(game: AnyGame, seats: int, options: Any, seed: int, *, limit: int = 1000) -> int:
    """What each seat observes is of the size, and within the limits, that the encoding's sections say, and is the same
    in a state that the seat imagines. Every move has a number of its own, or one of a move that is as good. Shared
    notes are the same whoever has taken them.

    Returns how many observations were compared; none where the game has no encoding.

    >>> from croupier.games.palace import game
    >>> check_encoding(game, 3, game.Options(), seed=1, limit=20)
    60
    """
    if game.encoding is None:
        return 0
    walk = Walk(game, seats, options, seed, limit)
    with walk.blamed():
        table = _Table(walk, game.encoding(seats))
        for state, _ in walk:
            table.look(state)
    return table.compared


class _Table:
    """One game, observed by everybody at once."""

    def __init__(self, walk: Walk, encoding: Encoding[Any, Any]) -> None:
        self.walk = walk
        self.game = walk.game
        self.encoding = encoding
        self.dice = QuickDice(walk.seed)
        self.most = [section.most for section in encoding.observation for _ in range(section.size)]
        self.shared = encoding.notes()
        self.own = [encoding.notes() for _ in range(walk.seats)]
        self.compared = 0

    def look(self, state: Any) -> None:
        events = self.walk.events
        _take_note(self.shared, heard(events, None))
        for seat, notes in enumerate(self.own):
            _take_note(notes, heard(events, seat))
        self.walk.events = ()
        for seat in range(self.walk.seats):
            self._look_as(seat, state)

    def _look_as(self, seat: int, state: Any) -> None:
        view, notes = self.game.view(state, seat), self.own[seat]
        row = self.encoding.observe(seat, view, notes)
        self._check_row(seat, row)
        if self.encoding.observe(seat, view, notes) != row:
            raise self.walk.broken(
                f"what seat {seat} observes is something else when it looks again.",
                "`see` only looks: it changes neither the notes nor the encoding.",
            )
        if self.encoding.memory == "shared" and self.encoding.observe(seat, view, self.shared) != row:
            raise self.walk.broken(
                f"what seat {seat} observes depends on who has taken the notes, {who(None)} or the seat itself.",
                'Where `memory` is "shared", notes are of what everybody sees. Of what only some see, each takes their '
                'own: "own".',
            )
        moves = self.game.every_move(state, seat)
        spelled = self._check_spelling(seat, view, moves)
        imagined = self.game.imagine(state, seat, self.dice)
        fancy = self.game.view(imagined, seat)
        if self.encoding.observe(seat, fancy, notes) != row:
            raise self._told_apart(seat, "what it observes is not the same.")
        if self.encoding.spell(seat, fancy, self.game.every_move(imagined, seat)) != spelled:
            raise self._told_apart(seat, "its moves have other numbers.")
        self.compared += 1

    def _check_row(self, seat: int, row: bytes) -> None:
        if len(row) != len(self.most):
            raise self.walk.broken(
                f"what seat {seat} observes is {len(row)} numbers, and its sections have {len(self.most)}.",
                "`facts` says how many numbers there are of everything that `see` tells.",
            )
        for place, (number, most) in enumerate(zip(row, self.most, strict=True)):
            if number > most:
                raise self.walk.broken(
                    f"seat {seat} observes {self._section(place)}: {number}, which is {most} at most.",
                    "A `Section` says how large its numbers can be. Of what there can be more of, say the most.",
                )

    def _section(self, place: int) -> str:
        for section in self.encoding.observation:
            if place < section.size:
                return f"{section.name}[{place}]"
            place -= section.size
        raise IndexError(place)

    def _check_spelling(self, seat: int, view: Any, moves: Sequence[Move]) -> Spelled:
        spelled = self.encoding.spell(seat, view, moves)
        if len(spelled) != len(moves):
            raise self.walk.broken(
                f"seat {seat} has {len(moves)} moves, and {len(spelled)} are spelled.", "`spell` spells each move."
            )
        words = [(said,) if isinstance(said, int) else said for said in spelled]
        count = self.encoding.action_count - bool(self.encoding.interrupts)
        for move, said in zip(moves, words, strict=True):
            several = len(said) != 1 and not (said and self.encoding.in_steps)
            if several or not all(0 <= number < count for number in said):
                raise self.walk.broken(
                    f"the move {encode(move).decode()} of seat {seat} is spelled {said}.",
                    f"`numbers` has {count} of them, from 0 on. A move takes one; or several, with in_steps = True.",
                )
        whole = set(words)
        for said in words:
            if any(said[:length] in whole for length in range(1, len(said))):
                raise self.walk.broken(
                    f"a move of seat {seat} is spelled {said}, and another one with the beginning of it.",
                    "Whoever says a move in steps says another only when it is complete: begin it with another number.",
                )
        return spelled

    def _told_apart(self, seat: int, found: str) -> Exception:
        return self.walk.broken(
            f"{who(seat)} can tell the real state from an imagined one: {found}",
            "An encoding is made of the view, the moves and the notes alone.",
        )


def _take_note(notes: Notes | None, events: Sequence[Event]) -> None:
    if notes is not None:
        notes.observe(events)
