"""The course of a tournament.

Games are played in any order and counted in their own. So it comes out the same however many play at once, also where
it is ended early; and a file of results is always the beginning of the whole one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future

from croupier.arena.crew import Crew
from croupier.arena.record import Record
from croupier.arena.results import Played
from croupier.arena.tournament import Fixture


def run(record: Record, deals: int, crew: Crew, before: Sequence[Played], keep: Callable[[list[Played]], None]) -> None:
    """Play what is missing after what was played ``before``. Each deal of a pairing is ``kept`` when it is complete.

    Raises ``CrewFailed``.
    """
    sides = len(record.tournament.sides)
    for start in range(0, len(before), sides):
        record.add(before[start : start + sides])
    deal: list[Played] = []
    for played in _played(record, deals, crew, {game.fixture for game in before}):
        deal.append(played)
        if len(deal) == sides:
            record.add(deal)
            keep(deal)
            deal = []


def _played(record: Record, deals: int, crew: Crew, before: set[Fixture]) -> Iterator[Played]:
    """The games that count, in their order. Those of a deal are counted together, when the last of them is there: until
    then nothing is decided."""
    ahead: deque[tuple[Fixture, Future[Played]]] = deque()
    for fixture in record.tournament.fixtures(deals):
        if fixture in before or record.decided(fixture.pairing):
            continue
        ahead.append((fixture, crew.submit(fixture)))
        while len(ahead) > crew.ahead:
            yield from _next(record, ahead)
    while ahead:
        yield from _next(record, ahead)


def _next(record: Record, ahead: deque[tuple[Fixture, Future[Played]]]) -> Iterator[Played]:
    fixture, future = ahead.popleft()
    if record.decided(fixture.pairing):
        future.cancel()
    else:
        yield future.result()
