"""Moves and events in words."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.kernel import Words
from croupier_crazy_eights.moves import AnyEvent, AnyMove, Dealt, Draw, Drew, Passed, Play, Played, Reshuffled

SUITS: dict[str, str] = {"♣": "clubs", "♦": "diamonds", "♥": "hearts", "♠": "spades"}


def label(move: AnyMove, words: Words) -> str:
    match move:
        case Play(card, None):
            return words("play") + f" › {card}"
        case Play(card, named):
            return words("play") + f" › {card} › {named} " + words(SUITS[named or ""])
        case Draw():
            return words("draw a card")
    return words("pass")


def tell(event: AnyEvent, names: Sequence[str], words: Words) -> str:
    match event:
        case Dealt(_, top):
            return words("The cards are dealt. The pile begins with {card}.", card=top)
        case Played(seat, card, None):
            return words("{name} [play|plays] {card}.", name=names[seat], card=card)
        case Played(seat, card, named):
            suit = words(SUITS[named or ""])
            return words("{name} [play|plays] {card} and [name|names] {suit}.", name=names[seat], card=card, suit=suit)
        case Drew(seat, None):
            return words("{name} [draw|draws] a card.", name=names[seat])
        case Drew(seat, card):
            return words("{name} [draw|draws] {card}.", name=names[seat], card=card)
        case Passed(seat):
            return words("{name} [pass|passes].", name=names[seat])
        case Reshuffled():
            return words("The pile is shuffled and becomes the stock.")
    scored = [(names[seat], gain) for seat, gain in enumerate(event.points) if gain]
    told = [words("{name} [score|scores] {points}.", name=name, points=gain) for name, gain in scored]
    return " ".join(told) or words("Nobody scores.")
