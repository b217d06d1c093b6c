"""Fortress in words: events, positions and moves, for logs and terminals."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.games.fortress import events as ev
from croupier.games.fortress import moves as mv
from croupier.games.fortress.cards import CARDS
from croupier.games.fortress.decks import STARTERS
from croupier.games.fortress.places import Place
from croupier.games.fortress.view import CardView, SideView, StackView, View

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


def name(card: int | None) -> str:
    return "a card" if card is None else CARDS[card].name


def spot(place: Place) -> str:
    return place.zone if place.zone in ("castle", "decree") else f"{place.zone} {place.number}"


def amount(count: int) -> str:
    return "a card" if count == 1 else f"{count} cards"


def tell(event: ev.AnyEvent, names: Sequence[str]) -> str:
    """What everybody at the table would say about it."""
    who = names[event.seat] if isinstance(getattr(event, "seat", None), int) else ""  # type: ignore[union-attr]
    match event:
        case ev.Brought():
            return f"{who} has chosen a deck."
        case ev.Dealt(count=count):
            return f"{who} is dealt {amount(count)}."
        case ev.Returned():
            return f"{who} gives a card back."
        case ev.Accepted():
            return f"{who} keeps the hand."
        case ev.CastlesRevealed(castles):
            return f"{name(castles[0])} against {name(castles[1])}."
        case ev.TurnStarted(turn=turn):
            return f"Turn {turn}: {who}."
        case ev.DrawDeclared():
            return f"{who} is going to draw."
        case ev.PlayDeclared(card=card):
            return f"{who} plays {name(card)}."
        case ev.LayDeclared():
            return f"{who} lays a trickster face down."
        case ev.LevelDeclared(mage=mage, level=level):
            return f"{who} raises {spot(mage)} to level {level}."
        case ev.AbilityDeclared(card=card):
            return f"{who} uses {name(card)}."
        case ev.AttackDeclared(attacker=attacker, target=target):
            return f"{who} attacks {spot(target)} with {spot(attacker)}."
        case ev.TricksterDeclared(card=card):
            return f"{who} answers with {name(card)}."
        case ev.WindowPassed():
            return ""
        case ev.Drew(deck=deck):
            return f"{who} gets {amount(len(deck))}."
        case ev.Played(card=card, result="done", number=None):
            return f"{who} brings in {name(card)}."
        case ev.Played(card=card, result="ability_cancelled"):
            return f"{name(card)} enters, and nothing comes of its text."
        case ev.Laid(number=None):
            return f"{who} lays a trickster face down."
        case ev.Levelled(mage=mage, level=level, result="done", number=None):
            return f"{who} raises {spot(mage)} to level {level}."
        case ev.Levelled(mage=mage, result="fizzled"):
            return f"{spot(mage).capitalize()} is gone and reaches no level."
        case ev.AbilityUsed(card=card, result=result) | ev.TricksterUsed(card=card, result=result):
            return "" if result == "done" else f"{name(card)} is {result}."
        case ev.Attacked(result=result):
            return {
                "castle_hit": "The castle is hit.",
                "target_loses": "The attacker wins.",
                "attacker_loses": "The attacker loses.",
                "both_lose": "Both are lost.",
                "void": "The attack is as if it had not been.",
                "fizzled": "The attack comes to nothing.",
            }[result]
        case ev.Discarded(card=card):
            return f"{who} discards {name(card)}."
        case ev.Destroyed(cards=cards):
            return f"Destroyed: {', '.join(map(name, cards))}."
        case ev.ChangedSides(places):
            return " ".join(f"{names[to.seat]} has a new soldier." for _, to in places)
        case ev.CastleHit(castle=castle, health=health):
            return f"{names[castle]}'s castle has {health} health left."
        case ev.Shuffled():
            return f"{who}'s deck is shuffled."
        case ev.Asked(kind="target", purpose=purpose):
            return f"{who} chooses {PURPOSES[purpose]}." if purpose else ""
        case ev.Asked():
            return f"{who} is asked a question."
        case ev.TimedOut():
            return f"{who}'s time is up."
        case ev.Missing(grace=grace):
            return f"{who} has lost the connection, and has {grace} seconds to come back."
        case ev.Rejoined():
            return f"{who} is back."
        case ev.Ended(winner, reason):
            return f"{names[winner]} wins: {REASONS[reason]}."
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
    words = [name(card.card)]
    if card.points is not None:
        words.append(str(card.points))
    if card.level is not None:
        words.append(f"level {card.level}")
    if card.stunned:
        words.append("stunned")
    if card.face_down:
        words.append("face down")
    return " ".join(words)


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
