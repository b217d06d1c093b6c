"""Palace in numbers. Suits have no influence (P1), so cards are counted by rank, from the two to the ace."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from croupier.games.palace.events import Burned, Flipped, PickedUp, Played
from croupier.games.palace.moves import AnyMove
from croupier.games.palace.pile import run_on_top
from croupier.games.palace.state import View
from croupier.kernel import Encoding, Event, Notes, Section
from croupier.kernel.cards import DECK, RANKS, rank
from croupier.kernel.encoding import MOST, capped

KIND = {card: RANKS.index(rank(card)) for card in DECK}
KINDS = len(RANKS)


def add(cards: Iterable[str], counts: bytearray) -> bytearray:
    """Count them in, by rank."""
    for card in cards:
        counts[KIND[card]] += 1
    return counts


@lru_cache(1 << 16)
def counted(cards: tuple[str, ...]) -> bytes:
    """How many there are of each rank, for what is seen again and again."""
    return bytes(add(cards, bytearray(KINDS)))


@lru_cache
def flags(ranks: tuple[str, ...]) -> bytes:
    return bytes(each in ranks for each in RANKS)


class SeenByAll(Notes):
    """What everybody has seen, and no view shows any more."""

    pile: list[str]
    burned: bytearray
    """By rank."""
    known: list[list[str]]
    """By seat: cards in hand that were picked up."""
    counts: list[bytearray]
    """Of these, by rank."""

    def observe(self, events: Sequence[Event]) -> None:
        for event in events:  # by type: what does not fit a ``case`` takes as long as the rest of a note
            if type(event) is Played:
                self.pile += event.cards
                if self.known[event.seat]:
                    self._forget(event.seat, event.cards)
            elif type(event) is Flipped:
                self.pile.append(event.card)
            elif type(event) is PickedUp:
                self.known[event.seat] += self.pile
                add(self.pile, self.counts[event.seat])
                self.pile = []
            elif type(event) is Burned:
                add(self.pile, self.burned)
                self.pile = []

    def _forget(self, seat: int, cards: Sequence[str]) -> None:
        known, counts = self.known[seat], self.counts[seat]
        for card in cards:
            if card in known:
                known.remove(card)
                counts[KIND[card]] -= 1


class PalaceEncoding(Encoding[View, AnyMove]):
    memory = "shared"
    in_steps = True

    def numbers(self) -> Iterable[Section]:
        return [
            Section("choose", KINDS, "a rank that you lay face up in the setup; three steps, from low to high"),
            Section("play", KINDS * self.seats, "a rank, once; every rank twice; and so on, as many as there are"),
            Section("flip", 1, "turn over a face-down card"),
        ]

    def facts(self) -> Iterable[Section]:
        others = self.seats - 1
        return [
            Section("setup", 1, "face-up cards are being chosen"),
            Section("hand", KINDS, "your hand, by rank", self.seats),
            Section("face_up", KINDS, "your face-up cards, by rank", 3),
            Section("face_down", 1, "how many cards you have face down", 3),
            Section("playable", KINDS, "the ranks that fit on the pile"),
            Section("pile", KINDS, "the pile, by rank", self.seats),
            Section("top", KINDS, "the rank on top of the pile"),
            Section("run", 1, "how many cards of that rank lie together on top, Fours overlooked", self.seats),
            Section("burned", KINDS, "what was burned, by rank", self.seats),
            Section("hands", others, "how many cards each of the others holds", MOST),
            Section("known", others * KINDS, "which of these they have picked up, by rank", self.seats),
            Section("others_face_up", others * KINDS, "their face-up cards, by rank", 3),
            Section("others_face_down", others, "how many cards they have face down", 3),
            Section("out", others, "who of them is out"),
        ]

    def notes(self) -> SeenByAll:
        seats = range(self.seats)
        return SeenByAll([], bytearray(KINDS), [[] for _ in seats], [bytearray(KINDS) for _ in seats])

    def spell(self, seat: int, view: View, moves: Sequence[AnyMove]) -> Sequence[int | tuple[int, ...]]:
        if view.phase == "setup":
            return [tuple(KIND[card] for card in move.cards) for move in moves]
        flip = self.starts["flip"]
        return [KINDS * len(cards) + KIND[cards[0]] if (cards := move.cards) else flip for move in moves]

    def see(self, seat: int, view: View, notes: SeenByAll) -> bytes:
        pile, others = view.pile, self.order[seat][1:]
        face_down, face_up, counts = view.face_down, view.face_up, notes.counts
        return b"".join(
            (
                b"\1" if view.phase == "setup" else b"\0",
                add(view.hand, bytearray(KINDS)),
                counted(face_up[seat]),
                bytes((face_down[seat],)),
                flags(view.playable),
                add(pile, bytearray(KINDS)),
                counted(pile[-1:]),
                bytes((run_on_top(pile) if pile else 0,)),
                notes.burned,
                capped([view.hands[other] for other in others]),
                *[counts[other] for other in others],
                *[counted(face_up[other]) for other in others],
                bytes([face_down[other] for other in others]),
                bytes([other in view.order for other in others]),
            )
        )
