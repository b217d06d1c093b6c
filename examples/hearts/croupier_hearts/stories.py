"""What happens in Hearts, in words."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.kernel import ENGLISH, Words
from croupier_hearts.events import AnyEvent, Begun, Dealt, Passed, Played, Received, Scored, TookTrick

DEALT = {
    "left": "A new hand: three cards go to the left.",
    "right": "A new hand: three cards go to the right.",
    "across": "A new hand: three cards go across.",
    "hold": "A new hand: nothing is passed.",
}


def tell(event: AnyEvent, names: Sequence[str], words: Words = ENGLISH) -> str:
    match event:
        case Dealt(_, direction):
            return words(DEALT[direction])
        case Passed(seat, cards):
            if cards:
                return words("{name} [pass|passes] {cards}.", name=names[seat], cards=" ".join(cards))
            return words("{name} [have|has] chosen.", name=names[seat])
        case Received(seat, giver, cards):
            if not cards:
                return ""
            there = " ".join(cards)
            return words("{name} [get|gets] {cards} from {giver}.", name=names[seat], cards=there, giver=names[giver])
        case Begun(seat):
            return words("{name} [have|has] the two of clubs and [lead|leads].", name=names[seat])
        case Played(seat, card, breaks):
            told = words("{name} [play|plays] {card}.", name=names[seat], card=card)
            return f"{told} {words('Hearts are broken.')}" if breaks else told
        case TookTrick(seat, _, points):
            if not points:
                return words("{name} [take|takes] the trick.", name=names[seat])
            count = words.some(points, "{count} point", "{count} points")
            return words("{name} [take|takes] the trick, with {points}.", name=names[seat], points=count)
        case Scored(points, _, shooter):
            each = zip(names, points, strict=True)
            gained = ", ".join(words("[You|{name}] {count}", name=name, count=count) for name, count in each)
            told = words("The hand is over: {points}.", points=gained)
            if shooter is None:
                return told
            return f"{words('{name} [have|has] shot the moon!', name=names[shooter])} {told}"
