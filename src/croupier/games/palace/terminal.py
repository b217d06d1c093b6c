"""Palace in a terminal: how the table looks, and what can be done."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.games.palace.moves import AnyMove
from croupier.games.palace.state import View
from croupier.kernel import Words, ink
from croupier.kernel.cards import rank

TOP = 8
"""As much of the pile is drawn."""
NUMBERS: dict[int, str] = {
    1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", 10: "ten",
}  # fmt: skip


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


def label(move: AnyMove, view: View, words: Words) -> str:
    if view.phase == "setup":
        return f"{words('three to lay face up')} › {' + '.join(map(ink.card, move.cards))}"
    if not move.cards:
        return words("turn over a face-down card")
    played = rank(move.cards[0])
    assert view.seat is not None
    zone = view.hand or view.face_up[view.seat]
    same = [card for card in zone if rank(card) == played]
    fits = "" if played in view.playable else f" — {words('does not fit: you take the pile')}"
    if len(same) == 1:
        return " ".join(map(ink.card, same)) + fits
    count = len(move.cards)
    many = words(NUMBERS[count]) if count in NUMBERS else str(count)
    if count == len(same):
        many = words("all of them")
    return f"{' '.join(map(ink.card, same))}{fits} › {many}"
