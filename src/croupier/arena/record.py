"""A tournament as it stands: what has been played, and what follows from it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from openskill.models import PlackettLuce, PlackettLuceRating

from croupier.arena.results import Played
from croupier.arena.statistics import Sprt, Tally
from croupier.arena.tournament import Pairing, Tournament


class Row(msgspec.Struct):
    """Of one bot."""

    rating: PlackettLuceRating
    games: int = 0
    moves: int = 0
    seconds: float = 0.0
    """Of the processor, for all its moves."""
    failures: int = 0
    why: str = ""
    """How it first failed."""


class Record:
    def __init__(self, tournament: Tournament, sprt: Sprt | None = None) -> None:
        self.tournament = tournament
        self.sprt = sprt
        self.tallies: dict[Pairing, Tally] = {pairing: Tally() for pairing in tournament.pairings}
        self._model = PlackettLuce()
        self.rows = [Row(self._model.rating()) for _ in tournament.bots]
        self.unfinished = 0

    def add(self, games: Sequence[Played]) -> None:
        """All games of a deal of a pairing."""
        for played in games:
            self._count(played)
            self._rate(played)
        self.tallies[games[0].pairing].add(sum(played.won for played in games) / len(games))

    def decided(self, pairing: Pairing) -> bool:
        """Whether no more has to be played."""
        return self.sprt is not None and self.sprt.verdict(self.tallies[pairing]) is not None

    def _count(self, played: Played) -> None:
        for which, bot in enumerate(played.pairing):
            row = self.rows[bot]
            row.games += 1
            row.moves += played.moves[which]
            row.seconds += played.seconds[which]
        if played.failed is not None:
            row = self.rows[played.failed]
            row.failures += 1
            row.why = row.why or played.why
        self.unfinished += played.unfinished

    def _rate(self, played: Played) -> None:
        """As if the bot at each seat were somebody else, with the rating of all; what they gain or lose is shared."""
        tournament, lineup = self.tournament, self.tournament.lineup(played.fixture)
        places = {seat: place for place, seats in enumerate(played.placings) for seat in seats}
        sides = [[self.rows[lineup[seat]].rating for seat in side] for side in tournament.sides]
        rated = self._model.rate(sides, [places[side[0]] for side in tournament.sides])
        after: dict[int, list[PlackettLuceRating]] = {}
        for side, ratings in zip(tournament.sides, rated, strict=True):
            for seat, rating in zip(side, ratings, strict=True):
                after.setdefault(lineup[seat], []).append(rating)
        for bot, ratings in after.items():
            mu, sigma = (sum(getattr(one, name) for one in ratings) / len(ratings) for name in ("mu", "sigma"))
            self.rows[bot].rating = self._model.rating(mu=mu, sigma=sigma)
