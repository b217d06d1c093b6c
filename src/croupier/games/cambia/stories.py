"""Cambia in words, for the log of a table and for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.games.cambia.events import (
    AnyEvent,
    Began,
    Called,
    CardGone,
    Dealt,
    Discarded,
    Drew,
    Ended,
    FirstLook,
    Forfeited,
    Given,
    GiveOwed,
    MatchEnded,
    Peeked,
    Penalised,
    Replaced,
    Reshuffled,
    Revealed,
    RoundEnded,
    RoundStarted,
    Skipped,
    SnapFailed,
    Snapped,
    SpecialOpened,
    Swapped,
    Turn,
)
from croupier.games.cambia.moves import (
    AnyMove,
    CallCambia,
    Discard,
    DrawDiscardpile,
    DrawStockpile,
    Give,
    Named,
    Replace,
    Snap,
    UseSpecial,
)
from croupier.games.cambia.state import Card, Spot, View
from croupier.kernel import ENGLISH, Words

BACK = "▒▒"

WAYS = {
    "peek_self": "look at one of your cards",
    "peek_other": "look at a card of somebody else",
    "swap_blind": "swap two cards",
    "swap_peek": "look at two cards",
    "swap_peek_swap": "swap the two",
    "skip": "leave it at that",
}


def face(face: str) -> str:
    return "Joker" if face.startswith("★") else face


def faces(cards: Sequence[Card]) -> str:
    return " ".join(face(card.face) for card in cards)


def short(id: str) -> str:
    """Enough of an id to tell the cards on a table apart."""
    return id[:6]


def tell(event: AnyEvent, names: Sequence[str], words: Words) -> str:
    seat = getattr(event, "seat", None)
    who = "" if seat is None else names[seat]

    def at(card: Spot) -> str:
        return where(card, seat, names, words)

    match event:
        case Dealt(round=number, top=Card() as top):
            return words("Round {number} is dealt. {card} starts the discard pile.", number=number, card=face(top.face))
        case Dealt(round=number):
            return words("Round {number} is dealt.", number=number)
        case FirstLook(_, cards):
            return words("{name} looks at {cards}.", name=who, cards=faces(cards)) if cards else ""
        case Began() | Turn() | SpecialOpened():
            return ""
        case Reshuffled(stockpile):
            return words.some(
                stockpile,
                "The discard pile is reshuffled: {count} card to draw from.",
                "The discard pile is reshuffled: {count} cards to draw from.",
            )
        case Drew(face=seen, source=source):
            drawn = face(seen) if seen else words("a card")
            if source == "discardpile":
                return words("{name} draws {card} from the discard pile.", name=who, card=drawn)
            return words("{name} draws {card}.", name=who, card=drawn)
        case Replaced(_, _, idx):
            return words("{name} keeps the drawn card, at {place}.", name=who, place=place(idx, words))
        case Discarded(face=thrown):
            return words("{name} throws {card}.", name=who, card=face(thrown))
        case Peeked(card=card, face=str(seen)):
            return words("{name} looks at {place}: {card}.", name=who, place=at(card), card=face(seen))
        case Peeked(card=card):
            return words("{name} looks at {place}.", name=who, place=at(card))
        case Revealed(card1=one, card2=other, faces=(first, second)):
            return words(
                "{name} looks at {one} and {other}: {first} and {second}.",
                name=who,
                one=at(one),
                other=at(other),
                first=face(first),
                second=face(second),
            )
        case Revealed(card1=one, card2=other):
            return words("{name} looks at {one} and {other}.", name=who, one=at(one), other=at(other))
        case Swapped(card1=one, card2=other):
            return words("{name} swaps {one} and {other}.", name=who, one=at(one), other=at(other))
        case CardGone():
            return words("{name} wanted to swap, but a card is not there any more.", name=who)
        case Skipped():
            return words("{name} leaves it at that.", name=who)
        case Called():
            return words("{name} calls Cambia!", name=who)
        case Snapped(face=seen, owner=owner):
            if owner == seat:
                return words("{name} snaps {card}.", name=who, card=face(seen))
            return words("{name} snaps {card} of {owner}.", name=who, card=face(seen), owner=names[owner])
        case SnapFailed(_, Spot() as missed, str(seen)):
            return words("{name} snaps {place}, but it is {card}.", name=who, place=at(missed), card=face(seen))
        case SnapFailed(_, Spot() as missed):
            return words("{name} snaps {place}, but too late.", name=who, place=at(missed))
        case SnapFailed():
            return words("{name} snaps a card that is not there.", name=who)
        case Penalised():
            return words("{name} takes a penalty card.", name=who)
        case GiveOwed(_, target):
            return words("{name} owes {target} a card.", name=who, target=names[target])
        case Given(_, target, None):
            return words("{name} gives {target} nothing, having no card left.", name=who, target=names[target])
        case Given(_, target):
            return words("{name} gives {target} a card.", name=who, target=names[target])
        case Forfeited():
            return words("{name} is out of the game.", name=who)
        case Ended(outcome):
            hands = zip(names, outcome.scores, outcome.hands, strict=True)
            return words(
                "All cards are turned over: {hands}. The winner is {winners}.",
                hands=words("; ").join(counted(name, score, hand, words) for name, score, hand in hands),
                winners=both([names[seat] for seat in outcome.winners], words) or words("nobody"),
            )
        case RoundEnded(round=number, totals=totals):
            return words("After round {number}: {points}.", number=number, points=points(totals, names))
        case RoundStarted(round=number):
            return words("Round {number} begins.", number=number)
        case MatchEnded(totals=totals, standings=standings):
            return words(
                "The match is over: {points}. The champion is {champions}.",
                points=points(totals, names),
                champions=both([names[seat] for seat in standings[0]], words),
            )


def counted(name: str, score: int | None, hand: Sequence[Card], words: Words) -> str:
    """How somebody's hand counts at the end."""
    cards = faces(hand) or words("no cards")
    if score is None:
        return words("{name} is out ({cards})", name=name, cards=cards)
    return words("{name} has {score} ({cards})", name=name, score=score, cards=cards)


def both(people: Sequence[str], words: Words) -> str:
    return words(" and ").join(people)


def points(totals: Sequence[int], names: Sequence[str]) -> str:
    return ", ".join(f"{name} {total}" for name, total in zip(names, totals, strict=True))


def place(idx: int, words: Words = ENGLISH) -> str:
    return words("place {number}", number=idx + 1)


def where(card: Spot, seat: int | None, names: Sequence[str], words: Words) -> str:
    """A card in words, as the acting player's own or somebody's."""
    if card.owner is None or card.idx is None:
        return words("a card")
    if card.owner == seat:
        return place(card.idx, words)
    return words("{place} of {owner}", place=place(card.idx, words), owner=names[card.owner])


def show(view: View, names: Sequence[str]) -> str:
    open_cards = {card.id: card.face for card in view.shown}
    if view.choice is not None:
        open_cards |= dict(zip([card.id for card in view.choice.cards], view.choice.faces, strict=False))
    if view.outcome is not None:
        open_cards |= {card.id: card.face for hand in view.outcome.hands for card in hand}
    lines = []
    for seat, (name, player) in enumerate(zip(names, view.players, strict=True)):
        cards = [f"{face(open_cards[card]) if card in open_cards else BACK} {short(card)}" for card in player.hand]
        notes = [
            "Cambia!" if seat == view.caller else "",
            "out" if player.forfeited else "",
            "away" if player.away else "",
            f"draws {face(view.held.face) if view.held.face else BACK}" if view.held and view.held.seat == seat else "",
            WAYS[view.choice.special] if view.choice and view.choice.seat == seat else "",
            *(f"owes {names[debt.target]} a card" for debt in view.debts if debt.seat == seat),
        ]
        turn = "▸" if seat == view.current else " "
        lines.append(f"{turn} {name}: {' | '.join(filter(None, [', '.join(cards) or 'no cards', *notes]))}")
    top = face(view.top.face) if view.top else "empty"
    lines.append(f"  discard pile: {top}; stockpile: {view.stockpile}")
    if view.match is not None:
        lines.append(f"  round {view.round}: {points(view.match.totals, names)}")
    return "\n".join(lines)


def label(move: AnyMove) -> str:
    match move:
        case DrawStockpile():
            return "draw from the stockpile"
        case DrawDiscardpile():
            return "draw from the discard pile"
        case CallCambia():
            return "call Cambia"
        case Discard():
            return "throw it away"
        case Replace(card, idx):
            return f"keep it for {named(card, idx)}"
        case Give(card, idx):
            return f"give {named(card, idx)}"
        case Snap(card):
            return f"snap {short(card)}"
        case UseSpecial(special, one, other):
            cards = " ".join(short(card.card) for card in (one, other) if isinstance(card, Named))
            return f"{WAYS.get(special, special)} {cards}".strip()


def named(card: str | None, idx: int | None) -> str:
    return short(card) if card is not None else "" if idx is None else place(idx)
