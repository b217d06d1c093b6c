"""All that somebody is shown of a state, and hears of what happens: what two worlds are compared by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from croupier.kernel import Event
from croupier.laws.steps import AnyGame, encode

Encoder = Callable[[AnyGame, Any, int | None], bytes]
"""What else a seat (None: a spectator) is shown of a state, such as the messages of a wire protocol."""

Shown = dict[str, bytes]
"""By the question that it answers, as JSON."""


def who(seat: int | None) -> str:
    return "a spectator" if seat is None else f"seat {seat}"


def shown(game: AnyGame, state: Any, seat: int | None, encoders: Sequence[Encoder] = ()) -> Shown:
    found = {
        "view": encode(game.view(state, seat)),
        "private": b"null" if seat is None else encode(game.private(state, seat)),
        "recall": encode(game.recall(state, seat)),
        "moves": b"[]" if seat is None else encode(game.moves(state, seat)),
        "forms": b"[]" if seat is None else encode(game.forms(state, seat)),
        "awaited": encode(game.awaited(state)),
        "clocks": encode(game.clocks(state)),
        "result": encode(game.result(state)),
    }
    for number, encoder in enumerate(encoders):
        found[f"encoder {number}"] = encoder(game, state, seat)
    return found


def heard(events: Sequence[Event], seat: int | None) -> list[Event]:
    return [seen for event in events if (seen := event.seen_by(seat)) is not None]


def surprises(events: Sequence[Event], seat: int | None) -> bytes:
    """What nobody could know before it was turned over."""
    return encode(heard([event for event in events if event.reveals], seat))
