"""Somebody to play Hearts with."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.kernel import Bot, Dice
from croupier.kernel.cards import suit
from croupier_hearts.events import AnyMove, Pass, Play
from croupier_hearts.state import BY_SUIT, HEIGHT, QUEEN, SEATS, View

JACK = HEIGHT["J♠"]


class Careful(Bot):
    """Takes as few points as it can, and gives the queen away at the first opportunity."""

    name = "careful"
    about = "Ducks under what it can, and throws its dangerous cards away early."
    strength = "medium"

    def choose(self, seat: int, view: View, moves: Sequence[AnyMove], dice: Dice) -> AnyMove:
        if view.phase == "pass":
            worst = sorted(view.hand, key=lambda card: danger(card, view.hand))[-3:]
            return Pass(tuple(sorted(worst, key=BY_SUIT)))
        cards = [move.card for move in moves if isinstance(move, Play)]
        if not view.trick:
            return Play(min(cards, key=lambda card: led(card, view)))
        if suit(cards[0]) == suit(view.trick[0]):
            return Play(followed(cards, view))
        return Play(max(cards, key=lambda card: discarded(card, view)))


def danger(card: str, hand: Sequence[str]) -> float:
    """How much somebody with this hand would like to be rid of a card."""
    length = sum(suit(other) == suit(card) for other in hand)
    if card == QUEEN:
        return 20 if length < 5 else 0  # among many spades it can wait
    if suit(card) == "♠":
        return HEIGHT[card] + 6 if HEIGHT[card] > JACK and length < 5 else -5
    return HEIGHT[card] + 3 * (suit(card) == "♥") + 2 * max(0, 4 - length)


def gone(card: str, view: View) -> bool:
    return any(card in cards for cards in view.taken)


def led(card: str, view: View) -> float:
    """The less the better: low cards, and of spades none above a queen that is still out."""
    risky = suit(card) == "♠" and HEIGHT[card] > JACK and not gone(QUEEN, view)
    length = sum(suit(other) == suit(card) for other in view.hand)
    return HEIGHT[card] + 20 * risky + 0.3 * length


def followed(cards: Sequence[str], view: View) -> str:
    """The highest that does not take the trick; where there is none, the highest if it takes the trick
    anyway, and the lowest while somebody may still be higher."""
    there = [card for card in view.trick if suit(card) == suit(view.trick[0])]
    top = max(map(HEIGHT.__getitem__, there))
    below = [card for card in cards if HEIGHT[card] < top]
    if below:
        return QUEEN if QUEEN in below else max(below, key=HEIGHT.__getitem__)
    harmless = [card for card in cards if card != QUEEN] or list(cards)
    takes_it = len(view.trick) == SEATS - 1
    return (max if takes_it else min)(harmless, key=HEIGHT.__getitem__)


def discarded(card: str, view: View) -> float:
    """The more the better to get rid of."""
    if card == QUEEN:
        return 100
    if suit(card) == "♠" and HEIGHT[card] > JACK and not gone(QUEEN, view):
        return 50 + HEIGHT[card]
    length = sum(suit(other) == suit(card) for other in view.hand)
    return HEIGHT[card] + 10 * (suit(card) == "♥") - length
