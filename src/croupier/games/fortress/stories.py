"""Fortress in words: events, positions and moves, for logs and terminals."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.games.fortress import events as ev
from croupier.games.fortress import moves as mv
from croupier.games.fortress.cards import CARDS
from croupier.games.fortress.decks import STARTERS
from croupier.games.fortress.places import Place, Zone
from croupier.games.fortress.view import CardView, SideView, StackView, View
from croupier.kernel import ENGLISH, Words

REASONS: dict[ev.Reason, str] = {
    "castle": "the enemy castle has fallen",
    "deck_out": "the opponent can't draw any more",
    "forfeit": "the opponent has left",
    "disconnect": "the opponent did not come back",
    "timeout": "the opponent's time was up three times in a row",
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
    "castle_hit": "The castle is hit.",
    "target_loses": "The attacker wins.",
    "attacker_loses": "The attacker loses.",
    "both_lose": "Both are lost.",
    "void": "The attack is as if it had not been.",
    "fizzled": "The attack comes to nothing.",
}

FAILURES: dict[ev.Result, str] = {
    "cancelled": "{card} is cancelled.",
    "fizzled": "{card} is fizzled.",
}


def name(card: int | None, words: Words = ENGLISH) -> str:
    return words("a card") if card is None else words.said(CARDS[card].name)


def spot(place: Place, words: Words = ENGLISH) -> str:
    return words(SPOTS[place.zone], number=place.number)


def amount(count: int, words: Words = ENGLISH) -> str:
    return words("a card") if count == 1 else words.some(count, "{count} card", "{count} cards")


def tell(event: ev.AnyEvent, names: Sequence[str], words: Words) -> str:
    """What everybody at the table would say about it."""
    who = names[event.seat] if isinstance(getattr(event, "seat", None), int) else ""  # type: ignore[union-attr]
    match event:
        case ev.Brought():
            return words("{name} has chosen a deck.", name=who)
        case ev.Dealt(count=count):
            return words("{name} is dealt {cards}.", name=who, cards=amount(count, words))
        case ev.Returned():
            return words("{name} gives a card back.", name=who)
        case ev.Accepted():
            return words("{name} keeps the hand.", name=who)
        case ev.CastlesRevealed(castles):
            return words("{one} against {other}.", one=name(castles[0], words), other=name(castles[1], words))
        case ev.TurnStarted(turn=turn):
            return words("Turn {number}: {name}.", number=turn, name=who)
        case ev.DrawDeclared():
            return words("{name} is going to draw.", name=who)
        case ev.PlayDeclared(card=card):
            return words("{name} plays {card}.", name=who, card=name(card, words))
        case ev.LayDeclared() | ev.Laid(number=None):
            return words("{name} lays a trickster face down.", name=who)
        case ev.LevelDeclared(mage=mage, level=level) | ev.Levelled(mage=mage, level=level, result="done", number=None):
            return words("{name} raises {mage} to level {level}.", name=who, mage=spot(mage, words), level=level)
        case ev.AbilityDeclared(card=card):
            return words("{name} uses {card}.", name=who, card=name(card, words))
        case ev.AttackDeclared(attacker=attacker, target=target):
            return words(
                "{name} attacks {target} with {attacker}.",
                name=who,
                target=spot(target, words),
                attacker=spot(attacker, words),
            )
        case ev.TricksterDeclared(card=card):
            return words("{name} answers with {card}.", name=who, card=name(card, words))
        case ev.WindowPassed():
            return ""
        case ev.Drew(deck=deck):
            return words("{name} gets {cards}.", name=who, cards=amount(len(deck), words))
        case ev.Played(card=card, result="done", number=None):
            return words("{name} brings in {card}.", name=who, card=name(card, words))
        case ev.Played(card=card, result="ability_cancelled"):
            return words("{card} enters, and nothing comes of its text.", card=name(card, words))
        case ev.Levelled(mage=mage, result="fizzled"):
            return words("Mage {number} is gone and reaches no level.", number=mage.number)
        case ev.AbilityUsed(card=card, result=result) | ev.TricksterUsed(card=card, result=result):
            return words(FAILURES[result], card=name(card, words)) if result in FAILURES else ""
        case ev.Attacked(result=blow):
            return words(BLOWS[blow])
        case ev.Discarded(card=card):
            return words("{name} discards {card}.", name=who, card=name(card, words))
        case ev.Destroyed(cards=cards):
            return words("Destroyed: {cards}.", cards=", ".join(name(card, words) for card in cards))
        case ev.ChangedSides(places):
            return " ".join(words("{name} has a new soldier.", name=names[to.seat]) for _, to in places)
        case ev.CastleHit(castle=castle, health=health):
            return words("{name}'s castle has {health} health left.", name=names[castle], health=health)
        case ev.Shuffled():
            return words("{name}'s deck is shuffled.", name=who)
        case ev.Asked(kind="target", purpose=purpose):
            return words("{name} chooses {what}.", name=who, what=words(PURPOSES[purpose])) if purpose else ""
        case ev.Asked():
            return words("{name} is asked a question.", name=who)
        case ev.TimedOut():
            return words("{name}'s time is up.", name=who)
        case ev.Missing(grace=grace):
            return words("{name} has lost the connection, and has {grace} seconds to come back.", name=who, grace=grace)
        case ev.Rejoined():
            return words("{name} is back.", name=who)
        case ev.Ended(winner, reason):
            return words("{name} wins: {reason}.", name=names[winner], reason=words(REASONS[reason]))
    return ""


def show(view: View, names: Sequence[str]) -> str:
    """The table as lines of text."""
    lines = []
    for seat, side in enumerate(view.sides):
        turn = "▸" if seat == view.active and view.phase != "over" else " "
        lines.append(f"{turn} {names[seat]}: {_castle(side)}, deck {side.deck}, discard {len(side.discard)}")
        cards = [_card(card) for card in side.field if card is not None]
        if cards:
            lines.append(f"    field: {', '.join(cards)}")
        hand = amount(side.hand_size) if side.hand is None else ", ".join(map(name, side.hand))
        lines.append(f"    hand: {hand if side.hand_size else 'empty'}")
    if view.stack:
        lines.append(f"  stack: {', '.join(map(_waiting, view.stack))}")
    if view.request is not None and view.request.purpose is not None:
        lines.append(f"  {names[view.request.seat]} chooses {PURPOSES[view.request.purpose]}")
    return "\n".join(lines)


def _waiting(item: StackView) -> str:
    return f"{item.number} {item.kind}" + ("" if item.card is None else f" {name(item.card)}")


def _castle(side: SideView) -> str:
    return "castle not revealed" if side.castle is None else f"{name(side.castle)} {side.health}"


def _card(card: CardView) -> str:
    if card.card is None:
        return "a trickster"
    parts = [name(card.card)]
    if card.points is not None:
        parts.append(str(card.points))
    if card.level is not None:
        parts.append(f"level {card.level}")
    if card.stunned:
        parts.append("stunned")
    if card.face_down:
        parts.append("face down")
    return " ".join(parts)


def label(move: mv.AnyMove) -> str:
    """A move in a few words."""
    match move:
        case mv.BringDeck(cards):
            known = [deck for deck, listed in STARTERS.items() if listed == cards]
            return f"deck {known[0]}" if known else f"deck {' '.join(map(str, cards))}"
        case mv.Mulligan():
            return "mulligan"
        case mv.AcceptHand():
            return "keep this hand"
        case mv.ReturnCard(place):
            return f"give back {spot(place)}"
        case mv.DrawCard():
            return "draw"
        case mv.PlayCard(start, end):
            return f"play {spot(start)} to {spot(end)}"
        case mv.AttackCard(attacker, target):
            return f"attack {spot(target)} with {spot(attacker)}"
        case mv.LevelMage(mage):
            return f"level {spot(mage)}"
        case mv.UseAbility(place, responds_to):
            return f"use {spot(place)}{_to(responds_to)}"
        case mv.DestroyCard(target, _, responds_to):
            return f"destroy {spot(target)}{_to(responds_to)}"
        case mv.EndTurn():
            return "end the turn"
        case mv.AllowAction():
            return "allow"
        case mv.ActivateTrickster(place, responds_to, more):
            return f"activate {spot(place)}{_to(responds_to)}{' and keep the window' if more else ''}"
        case mv.ChooseCard(None):
            return "none"
        case mv.ChooseCard(place, to):
            assert place is not None
            side = "" if place.zone in ("deck",) else f" of player {place.seat + 1}"
            return f"choose {spot(place)}{side}{'' if to is None else f' to {spot(to)}'}"
        case mv.Answer(yes):
            return "yes" if yes else "no"


def _to(number: int | None) -> str:
    return "" if number is None else f" against {number}"
