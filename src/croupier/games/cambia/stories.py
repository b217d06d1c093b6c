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
from croupier.games.cambia.state import Card, Spot
from croupier.kernel import Words


def face(face: str) -> str:
    return "Joker" if face.startswith("★") else face


def faces(cards: Sequence[Card]) -> str:
    return " ".join(face(card.face) for card in cards)


def tell(event: AnyEvent, names: Sequence[str], words: Words) -> str:
    match event:
        case Began() | Turn() | SpecialOpened() | GiveOwed():
            return ""
        case Peeked() | Revealed() | Swapped() | CardGone() | Skipped():
            return special(event, names, words)
        case Snapped() | SnapFailed() | Penalised() | Given():
            return snap(event, names, words)
        case Dealt() | Ended() | RoundEnded() | RoundStarted() | MatchEnded():
            return course(event, names, words)
        case Reshuffled(stockpile):
            return words.some(
                stockpile,
                "The discard pile is reshuffled: {count} card to draw from.",
                "The discard pile is reshuffled: {count} cards to draw from.",
            )
    who = names[event.seat]
    match event:
        case FirstLook(_, cards):
            return words("{name} [look|looks] at {cards}.", name=who, cards=faces(cards)) if cards else ""
        case Drew(face=seen, source=source):
            drawn = face(seen) if seen else words("a card")
            if source == "discardpile":
                return words("{name} [draw|draws] {card} from the discard pile.", name=who, card=drawn)
            return words("{name} [draw|draws] {card}.", name=who, card=drawn)
        case Replaced(_, _, idx):
            return words("{name} [keep|keeps] it as card {number}.", name=who, number=idx + 1)
        case Discarded(face=thrown):
            return words("{name} [throw|throws] {card}.", name=who, card=face(thrown))
        case Called():
            return words("{name} [call|calls] Cambia!", name=who)
        case Forfeited():
            return words("{name} [are|is] out of the game.", name=who)


def special(event: Peeked | Revealed | Swapped | CardGone | Skipped, names: Sequence[str], words: Words) -> str:
    """What somebody does with a card that was thrown for its special."""
    seat = event.seat
    who = names[seat]

    def at(card: Spot) -> str:
        return where(card, seat, names, words)

    match event:
        case Peeked(card=card, face=str(seen)):
            return words("{name} [look|looks] at {card}: {face}.", name=who, card=at(card), face=face(seen))
        case Peeked(card=card):
            return words("{name} [look|looks] at {card}.", name=who, card=at(card))
        case Revealed(card1=one, card2=other, faces=(first, second)):
            return words(
                "{name} [look|looks] at {one} and {other}: {first} and {second}.",
                name=who,
                one=at(one),
                other=at(other),
                first=face(first),
                second=face(second),
            )
        case Revealed(card1=one, card2=other):
            return words("{name} [look|looks] at {one} and {other}.", name=who, one=at(one), other=at(other))
        case Swapped(card1=one, card2=other):
            return words("{name} [swap|swaps] {one} and {other}.", name=who, one=at(one), other=at(other))
        case CardGone():
            return words("{name} [are|is] too late to swap: a card is gone.", name=who)
        case Skipped():
            return words("{name} [leave|leaves] it at that.", name=who)


def snap(event: Snapped | SnapFailed | Penalised | Given, names: Sequence[str], words: Words) -> str:
    """A snap, and what follows from it: penalties, or a card for whose card it was."""
    seat = event.seat
    who = names[seat]

    def at(card: Spot) -> str:
        return where(card, seat, names, words)

    match event:
        case Snapped(face=seen, owner=owner):
            if owner == seat:
                return words("{name} [snap|snaps] {card}.", name=who, card=face(seen))
            return words("{name} [snap|snaps] {card} of {owner}.", name=who, card=face(seen), owner=names[owner])
        case SnapFailed(_, Spot() as missed, str(seen)):
            return words("{name} [snap|snaps] {card}, but it is {face}.", name=who, card=at(missed), face=face(seen))
        case SnapFailed(_, Spot() as missed):
            return words("{name} [snap|snaps] {card}, but too late.", name=who, card=at(missed))
        case SnapFailed():
            return words("{name} [snap|snaps] a card that is gone.", name=who)
        case Penalised(count=count, total=total):
            if count < total:
                return ""
            return words.some(
                total,
                "{name} [take|takes] {count} penalty card.",
                "{name} [take|takes] {count} penalty cards.",
                name=who,
            )
        case Given(_, target, None):
            return words("{name} [give|gives] {target} nothing, having no card left.", name=who, target=names[target])
        case Given(_, target):
            return words("{name} [give|gives] {target} a card.", name=who, target=names[target])


def course(event: Dealt | Ended | RoundEnded | RoundStarted | MatchEnded, names: Sequence[str], words: Words) -> str:
    """How rounds and matches begin and end."""
    match event:
        case Dealt(round=number, top=Card() as top):
            return words("Round {number} is dealt. {card} starts the discard pile.", number=number, card=face(top.face))
        case Dealt(round=number):
            return words("Round {number} is dealt.", number=number)
        case Ended(outcome):
            hands = zip(names, outcome.scores, outcome.hands, strict=True)
            told = [words(WHY[outcome.reason]), *(counted(name, score, hand, words) for name, score, hand in hands)]
            return " ".join([*told, won([names[winner] for winner in outcome.winners], words)])
        case RoundEnded(round=number, totals=totals):
            return words("After round {number}: {points}.", number=number, points=points(totals, names, words))
        case RoundStarted(round=number):
            return words("Round {number} begins.", number=number)
        case MatchEnded(totals=totals, standings=standings):
            over = words("The match is over: {points}.", points=points(totals, names, words))
            return f"{over} {won([names[winner] for winner in standings[0]], words)}"


WHY: dict[str, str] = {
    "cambia": "All cards are turned over.",
    "deck_exhausted": "There is no card left to draw: all cards are turned over.",
    "forfeit": "Nobody else is left: all cards are turned over.",
    "max_turns": "That was the last turn: all cards are turned over.",
}


def counted(name: str, score: int | None, hand: Sequence[Card], words: Words) -> str:
    """How somebody's hand counts at the end."""
    cards = faces(hand) or words("no cards")
    if score is None:
        return words("{name} [are|is] out ({cards}).", name=name, cards=cards)
    return words("{name} [have|has] {score} ({cards}).", name=name, score=score, cards=cards)


def won(people: Sequence[str], words: Words) -> str:
    if not people:
        return words("Nobody wins.")
    if len(people) == 1:
        return words("{name} [win|wins]!", name=people[0])
    return words("The win is shared by {people}.", people=words(" and ").join(called(name, words) for name in people))


def called(name: str, words: Words) -> str:
    """Somebody in a list, who may be the reader."""
    return words("[you|{name}]", name=name)


def points(totals: Sequence[int], names: Sequence[str], words: Words) -> str:
    return ", ".join(f"{called(name, words)} {total}" for name, total in zip(names, totals, strict=True))


def where(card: Spot, seat: int | None, names: Sequence[str], words: Words) -> str:
    """A card in words, as the acting player's own or somebody's."""
    if card.owner is None or card.idx is None:
        return words("a card")
    if card.owner == seat:
        return words("[your|their own] card {number}", name=names[seat], number=card.idx + 1)
    return words("[owner:your|{owner}'s] card {number}", owner=names[card.owner], number=card.idx + 1)
