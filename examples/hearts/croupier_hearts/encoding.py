"""Hearts in numbers. There is one for each card, whether it is played or passed.

Three cards are passed in three steps. With a number for each of the 22,100 threes there are, an agent would have to
learn every one by itself; so it learns which cards to pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from croupier.kernel import Encoding, Event, Notes, Section
from croupier.kernel.cards import DECK, ORDER, SUITS, suit
from croupier.kernel.encoding import MOST, which
from croupier_hearts.events import AnyMove, Dealt, Pass, Played, TookTrick
from croupier_hearts.state import DIRECTIONS, MOON, SEATS, View, points

CARDS = len(DECK)


def flags(cards: Iterable[str]) -> bytes:
    found = bytearray(CARDS)
    for card in cards:
        found[ORDER[card]] = 1
    return bytes(found)


class Watched(Notes):
    """What everybody has seen in this hand."""

    gone: list[str]
    """The cards that were played."""
    trick: list[str]
    void: list[bytearray]
    """By seat, the suits that somebody could not follow."""

    def observe(self, events: Sequence[Event]) -> None:
        for event in events:
            match event:
                case Dealt():
                    self.gone, self.trick = [], []
                    self.void = [bytearray(len(SUITS)) for _ in range(SEATS)]
                case Played(seat=seat, card=card):
                    if self.trick and suit(card) != suit(self.trick[0]):
                        self.void[seat][SUITS.index(suit(self.trick[0]))] = 1
                    self.trick.append(card)
                    self.gone.append(card)
                case TookTrick():
                    self.trick = []


class HeartsEncoding(Encoding[View, AnyMove]):
    memory = "shared"
    in_steps = True

    def numbers(self) -> Iterable[Section]:
        return [Section("card", CARDS, "play this card; or pass it, three steps, from the lowest number on")]

    def facts(self) -> Iterable[Section]:
        return [
            Section("passing", 1, "cards are passed"),
            Section("direction", len(DIRECTIONS), f"where to: {', '.join(DIRECTIONS)}"),
            Section("hand", CARDS, "the cards in your hand"),
            Section("given", CARDS, "what you have passed"),
            Section("received", CARDS, "what you have got for it"),
            Section("trick", SEATS * CARDS, "everybody's card in the trick, yours first"),
            Section("gone", CARDS, "the cards that were played in this hand"),
            Section("void", SEATS * len(SUITS), f"everybody's suits that are gone: {', '.join(SUITS)}"),
            Section("taken", SEATS, "everybody's points in this hand", MOON),
            Section("broken", 1, "hearts may be led"),
            Section("scores", SEATS, "everybody's points before it", MOST),
            Section("limit", 1, "with so many the game ends", MOST),
        ]

    def notes(self) -> Watched:
        return Watched([], [], [bytearray(len(SUITS)) for _ in range(SEATS)])

    def spell(self, seat: int, view: View, moves: Sequence[AnyMove]) -> Sequence[int | tuple[int, ...]]:
        return [
            tuple(sorted(ORDER[card] for card in move.cards)) if isinstance(move, Pass) else ORDER[move.card]
            for move in moves
        ]

    def see(self, seat: int, view: View, notes: Watched) -> bytes:
        order = self.order[seat]
        trick = {(view.leader + place) % SEATS: card for place, card in enumerate(view.trick)}
        return b"".join(
            (
                bytes((view.phase == "pass",)),
                which(DIRECTIONS, view.direction),
                flags(view.hand),
                flags(view.given),
                flags(view.received),
                *(which(DECK, trick.get(each)) for each in order),
                flags(notes.gone),
                *(notes.void[each] for each in order),
                bytes(sum(map(points, view.taken[each])) for each in order),
                bytes((view.broken,)),
                bytes(min(view.scores[each], MOST) for each in order),
                bytes((min(view.limit, MOST),)),
            )
        )
