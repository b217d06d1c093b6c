"""Faraway in words, for the log of a table and for a terminal: what has happened."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from croupier.games.faraway.cards import SANCTUARIES, describe
from croupier.games.faraway.events import (
    AnyEvent,
    Chose,
    Ended,
    Forfeited,
    Offered,
    Played,
    Revealed,
    RoundBegan,
    ShopOpened,
    Took,
)
from croupier.kernel import Words
from croupier.kernel.words import Reader


def tell(event: AnyEvent, names: Sequence[str], words: Words) -> str:
    match event:
        case Played(_, None) | Offered(_, _, ()):
            return ""  # what comes of it is told soon: one line each would bury what matters
        case Played(seat, card):
            return words("{name} [choose|chooses] region {card}.", name=names[seat], card=card)
        case Revealed(cards):
            return words("The regions: {regions}.", regions=each(names, cards, words))
        case Offered(seat, 1, _):
            return words("{name} [find|finds] a sanctuary.", name=names[seat])
        case Offered(seat, count, cards):
            return words(
                "{name} [may|may] keep one of {count} sanctuaries: {cards}.",
                name=names[seat],
                count=count,
                cards=tiles(cards),
            )
        case Chose(seat, card):
            return words(
                "{name} [keep|keeps] sanctuary {tile}: {description}.",
                name=names[seat],
                tile=tiles([card]),
                description=describe(SANCTUARIES[card], words),
            )
        case ShopOpened(order):
            return words(
                "The shop opens, for {order}.",
                order=words(", then ").join(called(names[seat], words) for seat in order),
            )
        case Took(seat, card):
            return words("{name} [take|takes] region {card}.", name=names[seat], card=card)
        case RoundBegan(_, ()):
            return words("The last round, without a shop.")
        case RoundBegan(_, shop):
            return words("New in the shop: {cards}.", cards=", ".join(map(str, shop)))
        case Forfeited(seat):
            return words("{name} [have|has] left the game.", name=names[seat])
        case Ended("abandoned"):
            return words("Everybody has left.")
        case Ended(_, best, totals):
            return words(
                "The game is over: {points}. Won by {winners}.",
                points=each(names, totals, words),
                winners=words(" and ").join(called(names[seat], words) for seat in best),
            )


def called(name: str, words: Words) -> str:
    """Somebody among others, in the middle of a sentence."""
    return words("you") if isinstance(name, Reader) else name


def each(names: Iterable[str], numbers: Iterable[int | None], words: Words) -> str:
    """Everybody with a number of theirs."""
    return ", ".join(
        f"{called(name, words)} {number}" for name, number in zip(names, numbers, strict=True) if number is not None
    )


def tiles(cards: Iterable[int]) -> str:
    """Sanctuaries by their printed numbers."""
    return ", ".join(str(SANCTUARIES[card].tile) for card in cards)
