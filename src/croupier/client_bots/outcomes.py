"""How a game ended for a bot: a line for people, a line of JSON for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import msgspec

from croupier.client import Happening
from croupier.client.blocking import Table
from croupier.kernel import Result


class Opponent(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who played, the bot itself included."""

    name: str
    bot: str | None = None
    """Of the server's bots: which kind."""


class Outcome(msgspec.Struct, frozen=True):
    """Of one game."""

    at: int
    """When it ended, in milliseconds since 1970."""
    game: str
    table: str
    """Its id."""
    code: str
    seat: int
    """The bot's."""
    players: tuple[Opponent, ...]
    """By seat."""
    result: Result

    @classmethod
    def of(cls, table: Table, end: Happening) -> Self:
        assert end.result is not None and end.seat is not None
        cast = {player.seat: Opponent(player.name, player.bot) for player in end.cast}
        seats = 1 + max(seat for seats in end.result.placings for seat in seats)
        players = tuple(cast.get(seat, Opponent("somebody who left")) for seat in range(seats))
        return cls(end.at, table.game, table.id, table.code, end.seat, players, end.result)

    @property
    def labels(self) -> Sequence[str]:
        """The players in words, no two of them the same."""
        labels: list[str] = []
        for player in self.players:
            label = f"{player.name} ({player.bot})" if player.bot else player.name
            while label in labels:
                label += ", too"
            labels.append(label)
        return labels

    def __str__(self) -> str:
        place = next(at for at, seats in enumerate(self.result.placings, 1) if self.seat in seats)
        scores = self.result.scores
        points = "" if scores is None or scores[self.seat] is None else f" with {scores[self.seat]} points"
        winners = " and ".join(self.labels[seat] for seat in self.result.placings[0] if seat != self.seat)
        return f"{self.code}: place {place} of {len(self.players)}{points}" + (
            f"; won by {winners}" if place > 1 else ""
        )
