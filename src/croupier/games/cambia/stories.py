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


def tell(event: AnyEvent, names: Sequence[str]) -> str:
    match event:
        case Dealt(round=number, top=top):
            start = f" {face(top.face)} starts the discard pile." if top else ""
            return f"Round {number} is dealt.{start}"
        case FirstLook(seat, cards):
            return f"{names[seat]} looks at {faces(cards)}." if cards else ""
        case Began() | Turn() | SpecialOpened():
            return ""
        case Reshuffled(stockpile):
            return f"The discard pile is reshuffled: {stockpile} cards to draw from."
        case Drew(seat=seat, face=seen, source=source):
            what = face(seen) if seen else "a card"
            return f"{names[seat]} draws {what}{' from the discard pile' if source == 'discardpile' else ''}."
        case Replaced(seat, _, idx):
            return f"{names[seat]} keeps the drawn card, at {place(idx)}."
        case Discarded(seat=seat, face=thrown):
            return f"{names[seat]} throws {face(thrown)}."
        case Peeked(seat=seat, card=card, face=seen):
            return f"{names[seat]} looks at {where(card, seat, names)}{f': {face(seen)}' if seen else ''}."
        case Revealed(seat=seat, card1=one, card2=other, faces=seen):
            both = f"{where(one, seat, names)} and {where(other, seat, names)}"
            return f"{names[seat]} looks at {both}{f': {face(seen[0])} and {face(seen[1])}' if seen else ''}."
        case Swapped(seat=seat, card1=one, card2=other):
            return f"{names[seat]} swaps {where(one, seat, names)} and {where(other, seat, names)}."
        case CardGone(seat):
            return f"{names[seat]} wanted to swap, but a card is not there any more."
        case Skipped(seat):
            return f"{names[seat]} leaves it at that."
        case Called(seat):
            return f"{names[seat]} calls Cambia!"
        case Snapped(seat=seat, face=seen, owner=owner):
            whose = "" if owner == seat else f" of {names[owner]}"
            return f"{names[seat]} snaps {face(seen)}{whose}."
        case SnapFailed(seat, missed, seen):
            if missed is None:
                return f"{names[seat]} snaps a card that is not there."
            why = f"but it is {face(seen)}" if seen else "but too late"
            return f"{names[seat]} snaps {where(missed, seat, names)}, {why}."
        case Penalised(seat=seat):
            return f"{names[seat]} takes a penalty card."
        case GiveOwed(seat, target):
            return f"{names[seat]} owes {names[target]} a card."
        case Given(seat, target, card):
            return f"{names[seat]} gives {names[target]} {'a card' if card else 'nothing, having no card left'}."
        case Forfeited(seat):
            return f"{names[seat]} is out of the game."
        case Ended(outcome):
            hands = "; ".join(
                f"{names[seat]} {'is out' if score is None else f'has {score}'} ({faces(hand) or 'no cards'})"
                for seat, (score, hand) in enumerate(zip(outcome.scores, outcome.hands, strict=True))
            )
            winners = " and ".join(names[seat] for seat in outcome.winners) or "nobody"
            return f"All cards are turned over: {hands}. The winner is {winners}."
        case RoundEnded(round=number, totals=totals):
            return f"After round {number}: {points(totals, names)}."
        case RoundStarted(round=number):
            return f"Round {number} begins."
        case MatchEnded(totals=totals, standings=standings):
            champions = " and ".join(names[seat] for seat in standings[0])
            return f"The match is over: {points(totals, names)}. The champion is {champions}."


def points(totals: Sequence[int], names: Sequence[str]) -> str:
    return ", ".join(f"{name} {total}" for name, total in zip(names, totals, strict=True))


def place(idx: int) -> str:
    return f"place {idx + 1}"


def where(card: Spot, seat: int, names: Sequence[str]) -> str:
    """A card in words, as the acting player's own or somebody's."""
    if card.owner is None or card.idx is None:
        return "a card"
    return place(card.idx) if card.owner == seat else f"{place(card.idx)} of {names[card.owner]}"


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
