"""What is written down of a game that is over, for those who want to look it up."""

from __future__ import annotations

from croupier.journal import Finished
from croupier.people import played
from croupier.people.played import Participant
from croupier.tables.table import Table


def finished(table: Table) -> Finished | None:
    """The game that has just ended; None if nobody has played it who could look it up."""
    if table.lobby.lesson or not any(seat.person for seat in table.lineup):
        return None
    assert table.over_at is not None
    return Finished(
        number=table.games,
        game=table.game.name,
        at=table.over_at,
        rated=int(table.lobby.rated),
        shown=int(table.lobby.listed and table.password is None),
        players=played.encode(_participants(table)).decode(),
    )


def _participants(table: Table) -> list[Participant]:
    result = table.result
    assert result is not None
    places = {seat: place for place, seats in enumerate(result.placings, start=1) for seat in seats}
    teams = {seat: min(team) for team in result.teams or () for seat in team}
    bots = table.game.bots
    return [
        Participant(
            name=seat.name,
            place=places.get(number, len(result.placings) + 1),
            person=seat.person,
            bot=seat.bot or "",
            worth=None if seat.bot is None or seat.bot not in bots else bots[seat.bot].worth,
            avatar=seat.avatar,
            score=None if result.scores is None else result.scores[number],
            team=teams.get(number),
            left=number in table.deserted and not seat.expelled,
            expelled=seat.expelled,
        )
        for number, seat in enumerate(table.lineup)
    ]
