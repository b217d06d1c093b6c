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
from croupier.kernel.encoding import MOST, capped, others

KIND = {card: RANKS.index(rank(card)) for card in DECK}
KINDS = len(RANKS)


ONE = {card: 1 << 8 * kind for card, kind in KIND.items()}
"""A number with a byte for each rank, of which a sum counts cards."""


def counted(cards: Iterable[str]) -> int:
    """How many there are of each rank, as such a number."""
    return sum(map(ONE.__getitem__, cards))


def row(count: int) -> bytes:
    """A count, rank by rank.

    >>> list(row(counted(["2♣", "2♥", "A♠"])))
    [2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
    """
    return count.to_bytes(KINDS, "little")


@lru_cache(1 << 12)
def open_cards(cards: tuple[str, ...]) -> bytes:
    """A row of a few cards that are seen again and again."""
    return row(counted(cards))


@lru_cache
def flags(ranks: tuple[str, ...]) -> bytes:
    return bytes(each in ranks for each in RANKS)


@lru_cache(1 << 12)
def said(cards: tuple[str, ...]) -> int:
    """The number of playing these."""
    return KINDS * len(cards) + KIND[cards[0]]


class SeenByAll(Notes):
    """What everybody has seen, and no view shows any more."""

    known: list[list[str]]
    """By seat: cards in hand that were picked up."""
    counts: list[int]
    """Of these, by rank."""
    pile: list[str]
    burned: int = 0
    """By rank."""

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
                self.counts[event.seat] += counted(self.pile)
                self.pile = []
            elif type(event) is Burned:
                self.burned += counted(self.pile)
                self.pile = []

    def _forget(self, seat: int, cards: Sequence[str]) -> None:
        known = self.known[seat]
        for card in cards:
            if card in known:
                known.remove(card)
                self.counts[seat] -= ONE[card]


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
        count = self.seats - 1
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
            Section("hands", count, "how many cards each of the others holds", MOST),
            Section("known", count * KINDS, "which of these they have picked up, by rank", self.seats),
            Section("others_face_up", count * KINDS, "their face-up cards, by rank", 3),
            Section("others_face_down", count, "how many cards they have face down", 3),
            Section("out", count, "who of them is out"),
        ]

    def notes(self) -> SeenByAll:
        return SeenByAll([[] for _ in range(self.seats)], [0] * self.seats, [])

    def spell(self, seat: int, view: View, moves: Sequence[AnyMove]) -> Sequence[int | tuple[int, ...]]:
        if view.phase == "setup":
            return [tuple(map(KIND.__getitem__, move.cards)) for move in moves]
        flip = self.starts["flip"]
        return [said(move.cards) if move.cards else flip for move in moves]

    def see(self, seat: int, view: View, notes: SeenByAll) -> bytes:
        pile, out = view.pile, view.order
        face_down, face_up = view.face_down, view.face_up
        return b"".join(
            (
                b"\1" if view.phase == "setup" else b"\0",
                row(counted(view.hand)),
                open_cards(face_up[seat]),
                bytes((face_down[seat],)),
                flags(view.playable),
                row(counted(pile)),
                open_cards(pile[-1:]),
                bytes((run_on_top(pile) if pile else 0,)),
                row(notes.burned),
                capped(others(view.hands, seat)),
                *map(row, others(notes.counts, seat)),
                *map(open_cards, others(face_up, seat)),
                bytes(others(face_down, seat)),
                bytes([other in out for other in self.order[seat][1:]]) if out else bytes(self.seats - 1),
            )
        )
