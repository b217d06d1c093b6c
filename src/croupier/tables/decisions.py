"""Requests into entries: what somebody asks for at a table, decided by the rulings. No connection, clock or journal.

The same request can be decided again when somebody else was first, on what the table is by then.
"""

from __future__ import annotations

import msgspec

from croupier.kernel import Move
from croupier.tables import intents, rulings
from croupier.tables.entries import AnyEntry, Moved, Recognised
from croupier.tables.notices import Refused
from croupier.tables.rulings import Luck
from croupier.tables.seat import Seat
from croupier.tables.table import Table

_ARRANGING = (intents.Configure, intents.AddBots, intents.Kick, intents.HandOver, intents.Bench)


def decide(
    table: Table, seat: Seat | None, request: intents.Act, luck: Luck, anybody_starts: bool = False
) -> list[AnyEntry]:
    """What is to happen because somebody at this seat, or without one, asks for something; or it is ``Refused``."""
    if isinstance(request, _ARRANGING):
        rulings.arranged(table)
    match request:
        case intents.See():
            return []
        case intents.Start():
            return rulings.started(table, seat, luck, anybody_starts)
        case intents.Reopen():
            return rulings.reopened(table, seat, luck)
        case intents.Ready():
            return rulings.readied(table, seat, request.ready)
        case intents.Sit():
            return rulings.reseated(table, seat, request.seat)
        case intents.Recognise():
            known = seat is None or seat.client == request.client
            return [] if known or seat is None else [Recognised(seat.number, request.client)]
        case intents.Configure():
            return rulings.configured(
                table, seat, request.options, request.auto_start, request.countdown, request.rated
            )
        case intents.AddBots():
            return rulings.bots_added(table, seat, request.bot, request.count)
        case intents.Kick():
            return rulings.kicked(table, seat, request.seat)
        case intents.Proceed():
            return rulings.proceeded(table, seat)
        case intents.Silence():
            return rulings.silenced(table, seat, request.seat, request.silent)
        case intents.Bench():
            return rulings.benched(table, seat, request.open)
        case intents.HandOver():
            return rulings.handed_over(table, seat, request.seat)
        case intents.Play():
            return move(table, seat, request)
    raise Refused("unknown", "nobody knows how to do that")


def move(table: Table, seat: Seat | None, request: intents.Play) -> list[AnyEntry]:
    """A move, which the rules may still refuse; nothing if it was made already and only its reply was lost."""
    if seat is not None and request.key in seat.move_keys:
        return []
    if table.phase != "playing":
        raise Refused("not_started", "no game is being played at this table")
    if seat is None or seat.kicked:
        raise Refused("not_seated", "you have no seat in this game")
    if seat.stood_in:
        raise Refused("stood_in", "a bot plays for you: take your seat back first")
    chosen = request.move
    if not isinstance(chosen, Move):
        try:
            chosen = table.game.understand(chosen)
        except (msgspec.ValidationError, RecursionError) as error:
            raise Refused("bad_move", str(error)) from None
    return [Moved(seat.number, chosen, key=request.key)]
