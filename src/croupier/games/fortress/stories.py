"""Fortress in words, for the log of a table and for a terminal: what has happened."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.games.fortress import events as ev
from croupier.games.fortress.cards import CARDS
from croupier.games.fortress.places import Place, Zone
from croupier.kernel import ENGLISH, Words

REASONS: dict[ev.Reason, str] = {
    "castle": "[loser:Your|{loser}'s] castle has fallen: [you win|{name} wins].",
    "deck_out": "[loser:You have|{loser} has] nothing left to draw: [you win|{name} wins].",
    "forfeit": "[loser:You have|{loser} has] given up: [you win|{name} wins].",
    "disconnect": "[loser:You|{loser}] did not come back in time: [you win|{name} wins].",
    "timeout": "[loser:Your|{loser}'s] time was up three times in a row: [you win|{name} wins].",
}

PURPOSES: dict[ev.Purpose, str] = {
    "cost": "what to pay with",
    "add": "a card to add to the hand",
    "play": "a card to play",
    "destroy": "a card to destroy",
    "stun": "a card to stun",
    "discard": "a card to discard",
    "points": "a card whose points change",
    "extra_attack": "a soldier to attack once more",
    "take": "a soldier to take over",
    "swap": "a soldier to swap",
    "redirect": "what the attack is to hit",
    "hand_limit": "a card to discard, down to ten",
}


SPOTS: dict[Zone, str] = {
    "hand": "hand {number}",
    "deck": "deck {number}",
    "discard": "discard {number}",
    "castle": "castle",
    "decree": "decree",
    "soldier": "soldier {number}",
    "trickster": "trickster {number}",
    "mage": "mage {number}",
}

BLOWS: dict[ev.Blow, str] = {
    "void": "The attack is stopped, and may be made again.",
    "fizzled": "The attack comes to nothing.",
}
"""What else comes of an attack can be seen from who is destroyed and which castle is hit."""

FAILURES: dict[ev.Result, str] = {
    "cancelled": "{card} is cancelled.",
    "fizzled": "{card} comes to nothing.",
}


def name(card: int | None, words: Words = ENGLISH) -> str:
    return words("a card") if card is None else words.said(CARDS[card].name)


def spot(place: Place, words: Words = ENGLISH) -> str:
    return words(SPOTS[place.zone], number=place.number)


def amount(count: int, words: Words = ENGLISH) -> str:
    return words("a card") if count == 1 else words.some(count, "{count} card", "{count} cards")


def cards(drawn: ev.Drew, words: Words) -> str:
    """By name for who may know them."""
    return (
        amount(len(drawn.deck), words) if drawn.cards is None else ", ".join(name(card, words) for card in drawn.cards)
    )


def answer(event: ev.AbilityDeclared | ev.TricksterDeclared, who: str, words: Words) -> str:
    card = name(event.card, words)
    if event.answers == "draw":
        return words("{name} [answer|answers] the draw with {card}.", name=who, card=card)
    if event.answers == "attack":
        return words("{name} [answer|answers] the attack with {card}.", name=who, card=card)
    if event.answered is None:
        return words("{name} [answer|answers] with {card}.", name=who, card=card)
    answered = name(event.answered, words)
    return words("{name} [answer|answers] {answered} with {card}.", name=who, card=card, answered=answered)


def tell(event: ev.AnyEvent, names: Sequence[str], words: Words) -> str:
    """What everybody at the table would say about it. What is asked and then decided is told when it is done."""
    who = names[event.seat] if isinstance(getattr(event, "seat", None), int) else ""  # type: ignore[union-attr]
    return declared(event, who, words) or done(event, who, names, words) or besides(event, who, names, words)


def declared(event: ev.AnyEvent, who: str, words: Words) -> str:
    """What somebody is about to do, and may be answered; or does without that, where there is no number to answer."""
    match event:
        case ev.PlayDeclared(card=card):
            return words("{name} [play|plays] {card}.", name=who, card=name(card, words))
        case ev.LayDeclared(card=None) | ev.Laid(card=None, number=None):
            return words("{name} [lay|lays] a trickster face down.", name=who)
        case ev.LayDeclared(card=card) | ev.Laid(card=card, number=None):
            return words("{name} [lay|lays] {card} face down.", name=who, card=name(card, words))
        case ev.LevelDeclared(card=mage, level=level) | ev.Levelled(card=mage, level=level, result="done", number=None):
            return words(
                "{name} [raise|raises] {mage} to level {level}.", name=who, mage=name(mage, words), level=level
            )
        case ev.AbilityDeclared(card=card, answers=None):
            return words("{name} [use|uses] {card}.", name=who, card=name(card, words))
        case ev.AbilityDeclared() | ev.TricksterDeclared():
            return answer(event, who, words)
        case ev.AttackDeclared(card=card, prey=None):
            return words("{name} [attack|attacks] the castle with {card}.", name=who, card=name(card, words))
        case ev.AttackDeclared(card=card, prey=prey):
            return words(
                "{name} [attack|attacks] {prey} with {card}.", name=who, prey=name(prey, words), card=name(card, words)
            )
    return ""


def done(event: ev.AnyEvent, who: str, names: Sequence[str], words: Words) -> str:
    """What has come of it on the field."""
    match event:
        case ev.Levelled(card=mage, level=level, result="ability_cancelled"):
            return words(
                "{mage} reaches level {level}, but its text does nothing.", mage=name(mage, words), level=level
            )
        case ev.Levelled(card=mage, result="fizzled"):
            return words("{mage} is gone and reaches no level.", mage=name(mage, words))
        case ev.Drew(number=None):
            return words("{name} [take|takes] {cards} from the deck.", name=who, cards=cards(event, words))
        case ev.Drew():
            return words("{name} [draw|draws] {cards}.", name=who, cards=cards(event, words))
        case ev.Played(card=card, result="done", number=None):
            return words("{name} [bring|brings] in {card}.", name=who, card=name(card, words))
        case ev.Played(card=card, result="ability_cancelled"):
            return words("{card} comes in, but its text does nothing.", card=name(card, words))
        case ev.AbilityUsed(card=card, result=result) | ev.TricksterUsed(card=card, result=result):
            return words(FAILURES[result], card=name(card, words)) if result in FAILURES else ""
        case ev.Attacked(result=blow):
            return words(BLOWS[blow]) if blow in BLOWS else ""
        case ev.Discarded(card=card):
            return words("{name} [discard|discards] {card}.", name=who, card=name(card, words))
        case ev.Destroyed(places=places, cards=lost):
            of = [
                words("[your {card}|{name}'s {card}]", name=names[place.seat], card=name(card, words))
                for place, card in zip(places, lost, strict=True)
            ]
            return words("Destroyed: {cards}.", cards=", ".join(of))
        case ev.ChangedSides(places, moved):
            return " ".join(
                words("{card} goes over to [you|{name}].", card=name(card, words), name=names[to.seat])
                for (_, to), card in zip(places, moved, strict=True)
            )
        case ev.Updated(card=card, stunned=True):
            return words("{card} is stunned.", card=name(card, words))
        case ev.CastleHit(castle=castle, health=health) if health:
            return words("[Your|{name}'s] castle is down to {health}.", name=names[castle], health=health)
    return ""


def besides(event: ev.AnyEvent, who: str, names: Sequence[str], words: Words) -> str:
    """Before the first turn and after the last, questions, and time."""
    match event:
        case ev.Brought():
            return words("{name} [have|has] chosen a deck.", name=who)
        case ev.Dealt(count=count):
            return words("{name} [get|gets] a hand of {cards}.", name=who, cards=amount(count, words))
        case ev.Returned():
            return words("{name} [give|gives] a card back.", name=who)
        case ev.Accepted():
            return words("{name} [keep|keeps] the hand.", name=who)
        case ev.CastlesRevealed(castles):
            return words(
                "{name} [hold|holds] {castle}, {other} [other:hold|holds] {against}.",
                name=names[0],
                castle=name(castles[0], words),
                other=names[1],
                against=name(castles[1], words),
            )
        case ev.Asked(kind="protect"):
            return words("[You|{name}] may save it from being destroyed.", name=who)
        case ev.Asked(kind="last_stand"):
            return words("[Your|{name}'s] castle may hold out at 1.", name=who)
        case ev.Declined():
            return words("{name} [decline|declines].", name=who)
        case ev.TimedOut(strikes=strikes):
            return words("Out of time, {strikes} of 3 times in a row.", strikes=strikes)
        case ev.Missing(grace=grace):
            return words("{name} [have|has] {grace} seconds to come back.", name=who, grace=grace)
        case ev.Ended(winner, reason):
            return words(REASONS[reason], name=names[winner], loser=names[1 - winner])
    return ""
