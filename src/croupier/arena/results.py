"""Results as a file: a line of JSON for the tournament, and then one for each game, in their order.

A file of a tournament that was interrupted is gone on with: what is there is not played again. A deal of which some
games are missing is played anew, since the file may have been cut off in the middle of a line.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO, Self

import msgspec

from croupier import __version__
from croupier.arena.tournament import BadTournament, Fixture, Tournament
from croupier.kernel.result import Teams


class Played(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a game ended."""

    deal: int
    pairing: tuple[int, int]
    """The bots, by their numbers."""
    side: int
    """That of the first."""
    won: float
    """By the first: all of it, none of it, or its part where several share the first place."""
    placings: Teams
    """Seats, from first to last; who has failed is last."""
    moves: tuple[int, int]
    """How often the first has moved, and the second."""
    seconds: tuple[float, float]
    """Of the processor, that they have thought; not those of programs, which think elsewhere."""
    scores: tuple[int | None, ...] | None = None
    """By seat, in games that count points."""
    failed: int | None = None
    """The bot that has failed, by its number, and lost."""
    why: str = ""
    unfinished: bool = False
    """It came to no end, and everybody is first."""

    @property
    def fixture(self) -> Fixture:
        return Fixture(self.deal, self.pairing, self.side)


class Header(msgspec.Struct, frozen=True):
    """The first line."""

    arena: Tournament
    croupier: str = __version__


def first_share(sides: Teams, side: int, placings: Teams) -> float:
    """What a side has of the win.

    >>> first_share(((0,), (1,), (2,)), 1, ((1, 2), (0,)))
    0.5
    """
    best = [number for number, seats in enumerate(sides) if set(seats) <= set(placings[0])]
    return 1 / len(best) if side in best else 0.0


def read(path: Path) -> tuple[Tournament, list[Played]]:
    """What was played, from a file of results. Raises ``BadTournament`` if it is none."""
    try:
        lines = path.read_bytes().splitlines(keepends=True)
        tournament = msgspec.json.decode(lines[0] if lines else b"", type=Header).arena
    except OSError as error:
        raise BadTournament(f"{path} can't be read: {error.strerror}") from None
    except msgspec.DecodeError:
        raise BadTournament(f"{path} is not a file of results") from None
    return tournament, _games(path, lines[1:])


class Results:
    """A file of results that is being written."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    @classmethod
    def open(cls, path: Path, tournament: Tournament) -> tuple[Self, list[Played]]:
        """The file and what is in it already. Raises ``BadTournament`` if that is of another tournament."""
        try:
            file = path.open("r+b" if path.exists() else "w+b")
        except OSError as error:
            raise BadTournament(f"{path} can't be written: {error.strerror}") from None
        lines = file.read().splitlines(keepends=True)
        if not lines or not lines[0].endswith(b"\n"):
            file.seek(0)
            file.truncate()
            file.write(msgspec.json.encode(Header(tournament)) + b"\n")
            file.flush()
            return cls(file), []
        _compare(path, lines[0], Header(tournament))
        played = _games(path, lines[1:])
        whole = len(played) - len(played) % len(tournament.sides)
        file.seek(sum(map(len, lines[: whole + 1])))
        file.truncate()
        return cls(file), played[:whole]

    def add(self, games: Iterable[Played]) -> None:
        """The games of a deal."""
        self._file.write(b"".join(msgspec.json.encode(game) + b"\n" for game in games))
        self._file.flush()

    def close(self) -> None:
        self._file.close()


def _compare(path: Path, line: bytes, ours: Header) -> None:
    try:
        theirs = msgspec.json.decode(line, type=Header)
    except msgspec.DecodeError:
        raise BadTournament(f"{path} is not a file of results") from None
    for there, here in ((theirs, ours), (theirs.arena, ours.arena)):
        for name in here.__struct_fields__:
            before, now = getattr(there, name), getattr(here, name)
            if before != now and not isinstance(now, Tournament):
                raise BadTournament(
                    f"{path} is of another tournament: there, {name} is {_shown(before)}, and not {_shown(now)}"
                )


def _games(path: Path, lines: Sequence[bytes]) -> list[Played]:
    decode = msgspec.json.Decoder(Played).decode
    played = []
    for number, line in enumerate(lines, 2):
        try:
            played.append(decode(line))
        except msgspec.DecodeError:
            if line.endswith(b"\n"):
                raise BadTournament(f"{path}, line {number}: this is not the result of a game") from None
    return played


def _shown(value: object) -> str:
    return msgspec.json.encode(value).decode()
