"""What somebody can remember of a game of Cambia who forgets nothing."""

from __future__ import annotations

from collections.abc import Iterable

from croupier.games.cambia.events import Dealt, Discarded, Drew, FirstLook, Peeked, Revealed, SnapFailed, Snapped
from croupier.kernel import Event

TELLING = {Dealt, Discarded, Drew, FirstLook, Peeked, Revealed, SnapFailed, Snapped}


def remember(faces: dict[str, str], events: Iterable[Event]) -> None:
    """Add the faces that these events have shown, by the ids of the cards."""
    for event in events:
        if type(event) not in TELLING:  # most of them: to try all cases took longer than the move itself
            continue
        if type(event) is Discarded or type(event) is Snapped:
            faces[event.card] = event.face
        elif type(event) is Drew:
            if event.face is not None:
                faces[event.card] = event.face
        elif type(event) is Peeked or type(event) is SnapFailed:
            if event.card is not None and event.face is not None:
                faces[event.card.id] = event.face
        elif type(event) is Revealed:
            if event.faces:
                faces[event.card1.id], faces[event.card2.id] = event.faces
        elif type(event) is FirstLook:
            faces.update((card.id, card.face) for card in event.cards)
        elif type(event) is Dealt:
            faces.clear()
            if event.top is not None:
                faces[event.top.id] = event.top.face
