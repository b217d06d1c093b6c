"""What the arena's games say of its bots, in the terms by which people are rated."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

import msgspec
from msgspec.structs import replace

from croupier.arena.record import Record
from croupier.arena.results import Played
from croupier.arena.tournament import BadTournament, Tournament
from croupier.journal import Script, Statement
from croupier.people import played
from croupier.people.played import Participant
from croupier.people.projection import Game

Results = tuple[Tournament, Sequence[Played]]
"""A file of them."""

PERSON = "bot:"
"""A bot that is rated like a person has its kind, after this, for an id."""

SETTLED, COUNTED = 4, 4
"""How often games are looked at before ratings have settled, and from then on."""

_KEPT = (
    "INSERT INTO finished (table_id, seq, number, game, at, rated, shown, players) "
    "VALUES ($1, $2, 0, $3, $4, $5, $6, $7) ON CONFLICT (table_id, seq) DO NOTHING"
)
_COUNT = "SELECT count(*) FROM finished WHERE table_id = $1"


def over(results: Results, at: int) -> list[Game]:
    """As if the bots were people who have met at a table: one for the whole tournament."""
    tournament, games = results
    if len(set(tournament.bots)) < len(tournament.bots) or tournament.seats > len(tournament.sides):
        raise BadTournament("only games of bots that all play for themselves, and never against themselves, can count")
    if len(tournament.sides) > 2:
        raise BadTournament("only games for two can count: in others, one bot has several seats")
    table = "arena-" + hashlib.sha256(msgspec.json.encode(tournament)).hexdigest()[:26]
    return [
        Game(table, number, tournament.game, at, 1, 1, _players(tournament, game)) for number, game in enumerate(games)
    ]


def _players(tournament: Tournament, game: Played) -> str:
    places = {seat: place for place, seats in enumerate(game.placings, start=1) for seat in seats}
    kinds = [tournament.bots[bot] for bot in tournament.lineup(game.fixture)]
    players = [Participant(kind, places[seat], PERSON + kind, kind) for seat, kind in enumerate(kinds)]
    return played.encode(players).decode()


def kept(games: Sequence[Game]) -> Script[int]:
    """Write them down with those that people have played. Returns how many were not there."""
    tables = {game.table for game in games}
    before = after = 0
    for table in tables:
        before += (yield Statement(_COUNT, (table,)))[0][0]
    for game in games:
        yield Statement(_KEPT, (game.table, game.seq, game.game, game.at, game.rated, game.shown, game.players))
    for table in tables:
        after += (yield Statement(_COUNT, (table,)))[0][0]
    return after - before


def worth(files: Iterable[Results]) -> dict[tuple[str, str], float]:
    """What each bot of a game is worth. A tournament of bots some of which are in an earlier one is brought in line
    with that by those."""
    found: dict[tuple[str, str], float] = {}
    for tournament, games in files:
        means = _means(tournament, games)
        known = [found[tournament.game, bot] - mean for bot, mean in means.items() if (tournament.game, bot) in found]
        shift = sum(known) / len(known) if known else 0.0
        for bot, mean in means.items():
            found.setdefault((tournament.game, bot), round(mean + shift, 1))
    return found


def _means(tournament: Tournament, games: Sequence[Played]) -> dict[str, float]:
    """A rating goes up and down with the last games: so they all are looked at several times, and it is the mean that
    counts of what the rating was after each, when it had settled. To them come, for each pairing, one game that either
    has won: nobody is infinitely better because of a few games (as in ``Tally.variance``)."""
    record, sides = Record(tournament), len(tournament.sides)
    deals = [games[start : start + sides] for start in range(0, len(games) - sides + 1, sides)]
    if not deals:
        raise BadTournament("there are too few games to say anything")
    deals += _of_each(games)
    sums = [0.0] * len(tournament.bots)
    for time in range(SETTLED + COUNTED):
        for deal in deals:
            record.add(deal)
            if time >= SETTLED:
                sums = [total + row.rating.mu for total, row in zip(sums, record.rows, strict=True)]
    return {bot: total / (len(deals) * COUNTED) for bot, total in zip(tournament.bots, sums, strict=True)}


def _of_each(games: Sequence[Played]) -> list[Sequence[Played]]:
    first = {game.pairing: game for game in reversed(games)}
    orders = [(game, tuple(game.placings)) for game in first.values()]
    return [[replace(game, placings=order), replace(game, placings=order[::-1])] for game, order in orders]
