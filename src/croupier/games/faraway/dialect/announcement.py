"""The state of a room as its members are told it: after every move, all of it.

Next to everything in it is the same for all of them. So it is written down once, with gaps for what is not, and the
message for a member is that text with the gaps filled in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from croupier.games.faraway.dialect.messages import ACTIONS, Action, RoomState, state_of
from croupier.games.faraway.state import Private
from croupier.tables.place import Place
from croupier.wire.socketio import event

GAP = b"\0"
"""No JSON has such a byte in it."""
TIME, LEGAL_ACTIONS, PLAYERS = 1, 3, 5
"""The gaps, among the pieces of a text: they come in this order, and every second piece is one."""

_GAP = msgspec.Raw(GAP)
_encode = msgspec.json.Encoder().encode


class Announcement:
    """An event that shows a room to one member after another."""

    def __init__(self, name: str, room: RoomState, seats: Sequence[int]) -> None:
        """``room``: as everybody may know it; ``seats``: those of its players."""
        self._seats = seats
        self._players: list[Any] = [] if room.players is UNSET else [*room.players.values()]
        gaps = UNSET if room.players is UNSET else dict.fromkeys(room.players, _GAP)
        text = event(name, replace(room, server_time=_GAP, legal_actions=_GAP, players=gaps)).split(GAP)
        self._pieces = [b""] * (2 * len(text) - 1)
        self._pieces[::2] = text
        self._pieces[PLAYERS::2] = map(_encode, self._players)

    def for_member(self, seat: int | None, mine: Private | None, moves: Sequence[Any], at: int) -> bytes:
        """``mine``: what nobody else sees of this seat's cards; nothing, for who only looks on."""
        pieces = self._pieces.copy()
        pieces[TIME] = b"%d" % at
        pieces[LEGAL_ACTIONS] = _encode([Action(ACTIONS[type(move)], move.card) for move in moves])  # D45
        if mine is not None:
            player = self._seats.index(seat)
            shown = replace(self._players[player], hand=mine.hand, played_cards=mine.row, sanctuary_choose=mine.offer)
            pieces[PLAYERS + 2 * player] = _encode(shown)
        return b"".join(pieces)


def announcements(place: Place, *names: str) -> list[Announcement]:
    """Events of these names, for ``place``: that of somebody who only looks on."""
    view = place.view()
    deadline = next((clock.due for clock in place.clocks()), UNSET)
    room = state_of(place.summary, view, place.step, deadline)
    return [Announcement(name, room, () if view is None else view.players) for name in names]


def update(place: Place) -> Announcement:
    return announcements(place, "update")[0]
