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
        match event:
            case Dealt(top=top):
                faces.clear()
                if top is not None:
                    faces[top.id] = top.face
            case FirstLook(cards=cards):
                faces.update((card.id, card.face) for card in cards)
            case Drew(card=card, face=str(face)) | Discarded(card=card, face=face) | Snapped(card=card, face=face):
                faces[card] = face
            case Peeked(card=spot, face=str(face)) | SnapFailed(card=spot, face=str(face)) if spot is not None:
                faces[spot.id] = face
            case Revealed(card1=one, card2=other, faces=(first, second)):
                faces[one.id], faces[other.id] = first, second
