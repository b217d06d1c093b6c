"""Palace in a terminal: how the table looks, and what can be done."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.games.palace.moves import AnyMove
from croupier.games.palace.state import View
from croupier.kernel import ink
from croupier.kernel.cards import rank

TOP = 8
"""As much of the pile is drawn."""
NUMBERS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def show(view: View, names: Sequence[str]) -> str:
    lines = []
    for seat, name in enumerate(names):
        head = ink.name(name, seat == view.active and view.phase != "complete")
        if seat in view.order[: len(names) - 1]:
            lines.append(head + ink.quiet(f"is out, in place {view.order.index(seat) + 1}"))
            continue
        zones = [ink.backs(view.face_down[seat]), ink.cards(view.face_up[seat])]
        if view.open_hands:
            zones.append(f"\n{'':14}{ink.cards(view.open_hands[seat])}" if view.open_hands[seat] else "")
        elif view.hands[seat] and seat != view.seat:
            zones.append(f"{view.hands[seat]} in hand")
        lines.append(head + "   ".join(filter(None, zones)))
    lines.append("")
    top, more = view.pile[-TOP:], len(view.pile) - TOP
    under = f"{more} more, " if more > 0 else ""
    lines.append(f"  {'pile':<12}{under}{ink.cards(top) or 'empty'}")
    if view.phase == "play":
        lines.append(f"  {'what fits':<12}{' '.join(view.playable)}")
    if view.hand and not view.open_hands:
        lines.append(f"  {'your hand':<12}{ink.cards(view.hand)}")
    return "\n".join(lines)


def label(move: AnyMove, view: View) -> str:
    if view.phase == "setup":
        return f"three to lay face up › {' + '.join(map(ink.card, move.cards))}"
    if not move.cards:
        return "turn over a face-down card"
    played = rank(move.cards[0])
    assert view.seat is not None
    zone = view.hand or view.face_up[view.seat]
    same = [card for card in zone if rank(card) == played]
    fits = "" if played in view.playable else " — does not fit: you take the pile"
    if len(same) == 1:
        return " ".join(map(ink.card, same)) + fits
    count = len(move.cards)
    many = "all of them" if count == len(same) else NUMBERS[count] if count < len(NUMBERS) else str(count)
    return f"{' '.join(map(ink.card, same))}{fits} › {many}"
