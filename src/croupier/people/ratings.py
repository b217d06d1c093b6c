"""How good somebody is at a game, and what a game changes in that: pure arithmetic, the same numbers every time.

A rating is what openskill's Plackett-Luce model believes: ``mu``, how good somebody is, and ``sigma``, how sure it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from openskill.models import PlackettLuce, PlackettLuceRating

from croupier.people.played import Participant

_MODEL = PlackettLuce()

BOT_SIGMA = 1.0
"""What bots are worth is measured, and they learn nothing from a game: as good as certain, and never changed."""

CENTRE, UNIT = 1500, 40
"""A rating is shown as ``CENTRE + UNIT * (mu - 25)``, give or take ``UNIT * 2 * sigma``."""

FEWEST_GAMES, SURE = 10, 6.0
"""Until somebody has played so many games, and ``sigma`` is no larger, their rating is provisional. Who always beats
the same one gets there late: the model learns little from what it has expected."""


_TEAMS = 1000
"""No game has as many seats: a team is not taken for that of its seats which has left it."""


class Rating(NamedTuple):
    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma
    games: int = 0

    @property
    def shown(self) -> int:
        """
        >>> Rating().shown, Rating().margin
        (1500, 667)
        """
        return round(CENTRE + UNIT * (self.mu - _MODEL.mu))

    @property
    def margin(self) -> int:
        return round(UNIT * 2 * self.sigma)

    @property
    def provisional(self) -> bool:
        return self.games < FEWEST_GAMES or self.sigma > SURE


class Outcome(NamedTuple):
    """How a person did in a game."""

    place: int | None
    """From 1, equals share one; None: the host has thrown them out, and they have neither won nor lost."""
    side: int
    """Those with the same number have played together."""
    won: int | None
    """1: alone, or with partners; 0: others are first as well; -1: others are first."""


def gain_shown(gain: float) -> int:
    return round(UNIT * gain)


def outcomes(players: Sequence[Participant]) -> dict[str, Outcome]:
    """Of each person who has played. Of somebody who had several seats, that of the first."""
    places = _places(players)
    first = {_side(seat, players[seat]) for seat, place in places.items() if place == 1}
    found: dict[str, Outcome] = {}
    for seat, player in enumerate(players):
        if not player.person or player.person in found:
            continue
        place = places.get(seat)
        won = None if place is None else -1 if place > 1 else 1 if len(first) == 1 else 0
        found[player.person] = Outcome(place, _side(seat, player), won)
    return found


def winners(players: Sequence[Participant]) -> set[int]:
    """Their seats; nobody's where several are first."""
    first = [seat for seat, place in _places(players).items() if place == 1]
    return set(first) if len({_side(seat, players[seat]) for seat in first}) == 1 else set()


def counts(players: Sequence[Participant]) -> bool:
    """Whether a game says anything about how good people are: at least two of them have played it, for themselves and
    not against themselves."""
    persons = [player.rated_as for player in players if player.rated_as and not player.expelled]
    return len(persons) == len(set(persons)) >= 2 and len(_sides(players)) >= 2


def rated(players: Sequence[Participant], before: Mapping[str, Rating]) -> dict[str, Rating]:
    """The ratings of people after a game that ``counts``; ``before`` has those of them who have one."""
    places, sides = _places(players), _sides(players)
    ratings = [[_entering(players[seat], before) for seat in side] for side in sides]
    after = _MODEL.rate(ratings, [places[side[0]] for side in sides])
    found: dict[str, Rating] = {}
    for side, results in zip(sides, after, strict=True):
        for seat, result in zip(side, results, strict=True):
            if person := players[seat].rated_as:
                found[person] = Rating(result.mu, result.sigma, before.get(person, Rating()).games + 1)
    return found


def _entering(player: Participant, before: Mapping[str, Rating]) -> PlackettLuceRating:
    if player.worth is not None:
        return _MODEL.rating(mu=player.worth, sigma=BOT_SIGMA)
    known = before.get(player.rated_as, Rating())
    return _MODEL.rating(mu=known.mu, sigma=known.sigma)


def _sides(players: Sequence[Participant]) -> list[list[int]]:
    """The seats of those about whom something is known, partners together."""
    sides: dict[int, list[int]] = {}
    for seat, player in enumerate(players):
        if not player.expelled and (player.rated_as or player.worth is not None):
            sides.setdefault(_side(seat, player), []).append(seat)
    return list(sides.values())


def _side(seat: int, player: Participant) -> int:
    """Whoever has left has left their partners, too."""
    return seat if player.team is None or player.left else _TEAMS + player.team


def _places(players: Sequence[Participant]) -> dict[int, int]:
    """By seat, of all but those who were thrown out. Leaving costs what losing costs: who left comes last, whatever the
    rules say.

    >>> ann, ben = Participant("Ann", 1, left=True), Participant("Ben", 2)
    >>> _places([ann, ben])
    {0: 2, 1: 1}
    """
    ranks = {seat: (player.left, 0 if player.left else player.place) for seat, player in _there(players)}
    ordered = sorted(set(ranks.values()))
    sides = {rank: {_side(seat, players[seat]) for seat, other in ranks.items() if other == rank} for rank in ordered}
    before = {rank: sum(len(sides[other]) for other in ordered if other < rank) for rank in ordered}
    return {seat: before[rank] + 1 for seat, rank in ranks.items()}


def _there(players: Sequence[Participant]) -> Iterable[tuple[int, Participant]]:
    return ((seat, player) for seat, player in enumerate(players) if not player.expelled)
