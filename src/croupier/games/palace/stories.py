"""Palace in words, for the log of a table and for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.games.palace.events import AnyEvent, Burned, Chose, Ended, Flipped, PickedUp, Played, Turn, WentOut
from croupier.kernel import Words


def tell(event: AnyEvent, names: Sequence[str], words: Words) -> str:
    match event:
        case Chose(seat, cards):
            return words("{name} [lay|lays] {cards} face up.", name=names[seat], cards=" ".join(cards))
        case Played(seat, "hand", cards):
            return words("{name} [play|plays] {cards}.", name=names[seat], cards=" ".join(cards))
        case Played(seat, _, cards):
            return words(
                "{name} [play|plays] {cards} from [your|the] face-up cards.",
                name=names[seat],
                cards=" ".join(cards),
            )
        case Flipped(seat, card):
            return words("{name} [turn|turns] over {card}.", name=names[seat], card=card)
        case PickedUp(seat, count):
            return words("{name} [take|takes] the pile: {amount}.", name=names[seat], amount=amount(count, words))
        case Burned(_, count):
            return words("The pile burns: {amount}.", amount=amount(count, words))
        case WentOut(seat, place):
            return words("{name} [are|is] out, in place {place}.", name=names[seat], place=place)
        case Turn():
            return ""
        case Ended(order):
            return words(
                "The game is over. [last:You are|{last} is] left with cards; [first:you were|{first} was] out first.",
                last=names[order[-1]],
                first=names[order[0]],
            )


def amount(count: int, words: Words) -> str:
    return words.some(count, "{count} card", "{count} cards")
