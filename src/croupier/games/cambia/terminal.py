"""Cambia in a terminal: how the table looks, and what can be done."""

from __future__ import annotations

from collections.abc import Sequence

from click import style

from croupier.games.cambia.cards import SPECIAL, SPECIALS, VALUE
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
from croupier.games.cambia.state import View
from croupier.games.cambia.stories import face, points
from croupier.kernel import ENGLISH, Words, ink

VERBS: dict[str, str] = {
    "peek_self": "look at",
    "peek_other": "look at",
    "swap_blind": "exchange",
    "swap_peek": "peek at two",
}


def show(view: View, names: Sequence[str]) -> str:
    known = {card.id: card.face for card in view.shown}
    if view.choice is not None:
        known |= dict(zip([card.id for card in view.choice.cards], view.choice.faces, strict=False))
    if view.outcome is not None:
        known |= {card.id: card.face for hand in view.outcome.hands for card in hand}
    known |= view.faces or {}
    lines = []
    for seat, (name, player) in enumerate(zip(names, view.players, strict=True)):
        cards = [_card(known[id]) if id in known else _back(n) for n, id in enumerate(player.hand, start=1)]
        notes = [
            style("Cambia!", bold=True) if seat == view.caller else "",
            "out" if player.forfeited else "",
            "away" if player.away else "",
            *(f"owes {names[debt.target]} a card" for debt in view.debts if debt.seat == seat),
        ]
        if view.outcome is not None and (score := view.outcome.scores[seat]) is not None:
            notes.append(f"counts {score}")
        elif view.held is not None and view.held.seat == seat and view.held.face is None:
            notes.append("has drawn a card")
        lines.append(
            ink.name(name, seat == view.current) + ink.flow([ink.row(cards, 8) or "no cards", *filter(None, notes)])
        )
    lines.append("")
    lines.append(f"  {'discard pile':<14}{_card(view.top.face) if view.top else 'empty'}   {ink.quiet(_left(view))}")
    if view.held is not None and view.held.face is not None:
        whose = "you have drawn" if view.held.seat == view.seat else f"{names[view.held.seat]} has drawn"
        lines.append(f"  {whose}  {_card(view.held.face)}   {ink.quiet(f'counts {VALUE[view.held.face]}')}")
        special = SPECIAL.get(view.held.face)
        if special is not None and view.held.source == "stockpile":
            lines.append(ink.quiet(f"  thrown away, it allows to {SPECIALS[special]}"))
    elif view.choice is not None:
        who = "you may" if view.choice.seat == view.seat else f"{names[view.choice.seat]} may"
        lines.append(f"  {who} {SPECIALS[view.choice.special]}")
    if view.phase == "pregame" and view.shown:
        lines.append("  Remember these: from now on they lie face down.")
    if view.match is not None:
        lines.append(f"  round {view.round}: {points(view.match.totals, names, ENGLISH)}")
    return "\n".join(lines)


def _left(view: View) -> str:
    return f"{view.stockpile} cards to draw from"


def _card(shown: str) -> str:
    if shown.startswith("★"):
        return style("Jok ", fg="red" if shown == "★R" else "black", bg="bright_white", bold=True)
    return ink.card(shown)


def _back(number: int) -> str:
    return style(f"▒{number}".ljust(4, "▒"), fg="blue")


def label(move: AnyMove, view: View, names: Sequence[str], words: Words) -> str:
    match move:
        case DrawStockpile():
            return words("draw a card")
        case DrawDiscardpile():
            top = words.said(face(view.top.face)) if view.top else words("the top card")
            return words("take {card} from the discard pile", card=top)
        case CallCambia():
            return words("call Cambia — everybody else has one more turn, then all cards are counted")
        case Discard():
            return words("throw it away")
        case Replace(card, idx):
            return f"{words('keep it in place of')} › {_where(card, idx, view, names, words)}"
        case Give(card, idx):
            return f"{words('give away')} › {_where(card, idx, view, names, words)}"
        case Snap(card):
            return f"{words('snap')} › {_owner_first(card, view, names, words)}"
        case UseSpecial("skip"):
            return words("do nothing")
        case UseSpecial("swap_peek_swap"):
            return words("exchange the two")
        case UseSpecial(special, one, other):
            cards = [_where(card.card, None, view, names, words) for card in (one, other) if isinstance(card, Named)]
            return f"{words(VERBS[special])} › {' + '.join(cards)}"


def _where(card: str | None, idx: int | None, view: View, names: Sequence[str], words: Words) -> str:
    if card is None:
        return words("your card {number}", number=(idx or 0) + 1)
    seat, number = _place(card, view)
    if seat is None:
        return words("a card that is gone")
    if seat == view.seat:
        return words("your card {number}", number=number)
    return words("{owner}'s card {number}", owner=names[seat], number=number)


def _owner_first(card: str, view: View, names: Sequence[str], words: Words) -> str:
    """Step by step, for many cards of several people."""
    seat, number = _place(card, view)
    if seat is None:
        return words("a card that is gone")
    whose = words("yours") if seat == view.seat else words("{owner}'s", owner=names[seat])
    return f"{whose} › {words('card {number}', number=number)}"


def _place(card: str, view: View) -> tuple[int | None, int]:
    """Whose it is, and which of theirs."""
    for seat, player in enumerate(view.players):
        if card in player.hand:
            return seat, player.hand.index(card) + 1
    return None, 0
