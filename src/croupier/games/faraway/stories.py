"""Faraway in words: what happened, how the table looks, what can be done."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from croupier.games.faraway.cards import REGIONS, SANCTUARIES, describe
from croupier.games.faraway.scoring import ROUNDS
from croupier.games.faraway.vocabulary import (
    AnyEvent,
    AnyMove,
    Choose,
    Chose,
    Ended,
    Forfeited,
    Offered,
    Play,
    Played,
    Revealed,
    RoundBegan,
    ShopOpened,
    Take,
    Took,
    View,
)
from croupier.kernel import Words


def tell(event: AnyEvent, names: Sequence[str], words: Words) -> str:
    match event:
        case Played(seat, None):
            return words("{name} has chosen a region.", name=names[seat])
        case Played(seat, card):
            return words("{name} chooses region {card}.", name=names[seat], card=card)
        case Revealed(cards):
            return words("The regions: {regions}.", regions=each(names, cards))
        case Offered(seat, count, ()):
            return words("{name} may choose from {amount}.", name=names[seat], amount=amount(count, words))
        case Offered(seat, count, cards):
            return words(
                "{name} may choose from {amount}: {cards}.",
                name=names[seat],
                amount=amount(count, words),
                cards=tiles(cards),
            )
        case Chose(seat, card):
            return words(
                "{name} keeps sanctuary {tile}: {description}.",
                name=names[seat],
                tile=tiles([card]),
                description=describe(SANCTUARIES[card], words),
            )
        case ShopOpened(order):
            return words("The shop opens, for {order}.", order=words(", then ").join(names[seat] for seat in order))
        case Took(seat, card):
            return words("{name} takes region {card}.", name=names[seat], card=card)
        case RoundBegan(turn, ()):
            return words("Round {number}, the last.", number=turn + 1)
        case RoundBegan(turn, shop):
            return words("Round {number}. In the shop: {cards}.", number=turn + 1, cards=", ".join(map(str, shop)))
        case Forfeited(seat):
            return words("{name} has left the game.", name=names[seat])
        case Ended("abandoned"):
            return words("Everybody has left.")
        case Ended(_, best, totals):
            return words(
                "The game is over. {points}. {winners} won.",
                points=each(names, totals),
                winners=words(" and ").join(names[seat] for seat in best),
            )


def show(view: View, names: Sequence[str]) -> str:
    lines = [f"Round {view.turn + 1} of {ROUNDS}, {view.phase}"]
    if view.shop:
        lines.append("  shop: " + "; ".join(describe(REGIONS[card]) for card in view.shop))
    for seat in view.players:
        busy = "▸" if not view.done[seat] and (view.phase == "play" or view.choosing[seat]) else " "
        lines.append(f"{busy} {names[seat]}: {' '.join(map(str, view.rows[seat])) or 'no region yet'}")
        if view.sanctuaries[seat]:
            kept = "; ".join(describe(SANCTUARIES[card]) for card in view.sanctuaries[seat])
            lines.append(f"    sanctuaries: {kept}")
        if seat == view.seat:
            lines += [f"    in hand: {describe(REGIONS[card])}" for card in view.hands[seat] if card is not None]
    for standing in view.ranking:
        found = view.scores[standing.seat]
        assert found is not None
        points = " + ".join(map(str, found.rounds))
        lines.append(f"{standing.rank}. {names[standing.seat]}: {points} = {standing.total}")
    return "\n".join(lines)


def label(move: AnyMove) -> str:
    match move:
        case Choose(card):
            return f"sanctuary {tiles([card])}: {describe(SANCTUARIES[card])}"
        case Play(card) | Take(card):
            return describe(REGIONS[card])


def amount(count: int, words: Words) -> str:
    return words.some(count, "{count} sanctuary", "{count} sanctuaries")


def each(names: Iterable[str], numbers: Iterable[int | None]) -> str:
    """Everybody with a number of theirs."""
    return ", ".join(f"{name} {number}" for name, number in zip(names, numbers, strict=True) if number is not None)


def tiles(cards: Iterable[int]) -> str:
    """Sanctuaries by their printed numbers."""
    return ", ".join(str(SANCTUARIES[card].tile) for card in cards)
