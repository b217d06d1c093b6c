"""What is played: which game, by whom, from which deals.

Two bots meet in a *pairing*. In every deal of it the first bot has each side of the game once (each seat, or each
team), and the second one all the others: so no luck of the cards is on anybody's side. Deals, and the dice of a seat,
follow from the seed and the deal's number alone. A bot that meets itself therefore plays the same game from every side.

>>> palace = Tournament("palace", ("low-and-steady", "random"), sides=((0,), (1,)))
>>> [palace.lineup(fixture) for fixture in palace.fixtures(1)]
[(0, 1), (1, 0)]
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Any, NamedTuple, Self

import msgspec

from croupier.kernel import Game
from croupier.kernel.bot import Budget
from croupier.kernel.result import Teams

AnyGame = Game[Any, Any, Any, Any, Any]

Pairing = tuple[int, int]
"""Two bots, by their numbers: the one who plays a side alone, and the one who has all others."""


class BadTournament(Exception):
    """What can't be played, in a sentence."""


class Fixture(NamedTuple):
    """One game that is to be played."""

    deal: int
    pairing: Pairing
    side: int
    """The side of the first bot, by its number."""


class Tournament(msgspec.Struct, frozen=True):
    """All that a game follows from. The first line of a file of results, so that it can be gone on with."""

    game: str
    bots: tuple[str, ...]
    """As they were named; a name may be there twice."""
    sides: Teams
    """The seats of each side: of a team, or a single one."""
    options: dict[str, Any] = {}
    rules: int = 1
    seed: int = 1
    seconds: float | None = None
    """What bots that search may spend on a move; if neither is said, it is up to them."""
    nodes: int | None = None
    interject: bool = False
    """Whether programs are asked for moves out of turn."""
    tried: tuple[str, ...] = ()
    """Games that are not installed: where they are."""

    @classmethod
    def of(cls, game: AnyGame, bots: tuple[str, ...], options: dict[str, Any], seats: int | None, **more: Any) -> Self:
        """Unless it is said otherwise: for as few as can play, with the options of tables opened on the page."""
        if len(bots) < 2:
            raise BadTournament("a tournament takes two bots at least")
        options = {**game.usual, **options}
        chosen = msgspec.convert(options, game.Options)
        possible = game.seats_for(chosen)
        if seats is None:
            seats = possible[0]
        if seats not in possible:
            many = f"{possible[0]} to {possible[-1]}" if len(possible) > 1 else str(possible[0])
            raise BadTournament(f"{game.title} is for {many} players with these options, and not for {seats}")
        sides = game.teams(chosen, seats) or tuple((seat,) for seat in range(seats))
        if len(sides) < 2:
            raise BadTournament(f"{game.title} for {seats} has nobody to play against")
        return cls(game.name, bots, sides, options, game.rules, **more)

    @property
    def seats(self) -> int:
        return sum(map(len, self.sides))

    @property
    def fair(self) -> float:
        """The share of wins of somebody who is as good as the others."""
        return 1 / len(self.sides)

    @property
    def labels(self) -> list[str]:
        """The bots in words, no two of them the same."""
        labels: list[str] = []
        for number, bot in enumerate(self.bots):
            times = self.bots[:number].count(bot)
            labels.append(f"{bot} ({times + 1})" if times else bot)
        return labels

    @property
    def budget(self) -> Budget | None:
        """What is said for everybody; None: each bot has its own."""
        return None if self.seconds is None and self.nodes is None else Budget(self.seconds, self.nodes)

    @property
    def pairings(self) -> list[Pairing]:
        """Everybody against everybody. Where one plays against several, it makes a difference who that one is, except
        that of two bots the first is meant."""
        everybody = range(len(self.bots))
        return list((combinations if len(self.sides) == 2 or len(self.bots) == 2 else permutations)(everybody, 2))

    def deals(self, games: int) -> int:
        """How many deals it takes for so many games of each pairing."""
        return -(-games // len(self.sides))

    def fixtures(self, deals: int) -> Iterator[Fixture]:
        """All games, in their order: every pairing with the same deal before the next one is dealt."""
        for deal in range(deals):
            for pairing in self.pairings:
                for side in range(len(self.sides)):
                    yield Fixture(deal, pairing, side)

    def lineup(self, fixture: Fixture) -> tuple[int, ...]:
        """Who plays, by seat."""
        alone = self.sides[fixture.side]
        first, second = fixture.pairing
        return tuple(first if seat in alone else second for seat in range(self.seats))

    def deal_seed(self, deal: int) -> bytes:
        return hashlib.sha256(f"croupier arena {self.seed} {deal}".encode()).digest()
