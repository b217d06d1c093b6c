"""Crazy Eights in numbers, for agents that learn."""

from collections.abc import Iterable, Sequence

from croupier.kernel import Encoding, Section
from croupier.kernel.cards import DECK, ORDER, SUITS
from croupier.kernel.encoding import MOST, which
from croupier_crazy_eights.state import Draw, Pass, Play, View


class CrazyEightsEncoding(Encoding[View, Play | Draw | Pass]):
    in_steps = True

    def numbers(self) -> Iterable[Section]:
        return [
            Section("play", 52, "play this card"),
            Section("name", 4, "the suit that an eight names: the second step, after the eight"),
            Section("draw", 1, "draw a card"),
            Section("pass", 1, "pass"),
        ]

    def facts(self) -> Iterable[Section]:
        return [
            Section("hand", 52, "the cards in your hand"),
            Section("top", 52, "the card on top of the pile"),
            Section("suit", 4, "the suit to follow"),
            Section("stock", 1, "how many cards are in the stock", 52),
            Section("hands", self.seats, "how many cards everybody has, you first", 52),
            Section("scores", self.seats, "everybody's points", MOST),
        ]

    def spell(self, seat: int, view: View, moves: Sequence[Play | Draw | Pass]) -> Sequence[int | tuple[int, ...]]:
        return [self._spelled(move) for move in moves]

    def _spelled(self, move: Play | Draw | Pass) -> int | tuple[int, ...]:
        match move:
            case Play(card, None):
                return ORDER[card]
            case Play(card, suit):
                return ORDER[card], self.starts["name"] + SUITS.index(suit or "")
            case Draw():
                return self.starts["draw"]
        return self.starts["pass"]

    def see(self, seat: int, view: View, notes: None) -> bytes:
        return b"".join(
            [
                bytes(card in view.hand for card in DECK),
                which(DECK, view.top),
                which(SUITS, view.suit),
                bytes([view.stock]),
                bytes(view.hands[each] for each in self.order[seat]),
                bytes(min(view.scores[each], MOST) for each in self.order[seat]),
            ]
        )
