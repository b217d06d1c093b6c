"""Hearts in a terminal: how the table looks, and what can be done."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.kernel import ENGLISH, Words, ink
from croupier.kernel.cards import suit
from croupier_hearts.events import AnyMove, Pass
from croupier_hearts.state import SEATS, View, points, receiver

DIRECTIONS = {"left": "to the left", "right": "to the right", "across": "across", "hold": "none"}


def show(view: View, names: Sequence[str]) -> str:
    lines = [f"  {'hand':<12}{view.number + 1}, passing {DIRECTIONS[view.direction]}; to {view.limit} points", ""]
    for seat, name in enumerate(names):
        acts = seat == view.mover or (view.phase == "pass" and not view.chosen[seat])
        score = f"{view.scores[seat]:>4}"
        more = sum(map(points, view.taken[seat])) if view.phase in ("pass", "play") else 0
        place = (seat - view.leader) % SEATS
        card = ink.card(view.trick[place]) if view.phase == "play" and place < len(view.trick) else "    "
        lines.append(f"{ink.name(name, acts)}{card}  {score}{f' +{more}' if more else ''}")
        if view.open_hands:
            lines.append(" " * 14 + ink.cards(view.open_hands[seat]))
    if view.last and not view.trick and view.phase != "pass":
        lines += ["", f"  {'last trick':<12}{ink.cards(view.last.cards)}  to {names[view.last.winner]}"]
    if view.received and view.phase == "play" and not view.last:
        lines += ["", f"  {'you got':<12}{ink.cards(view.received)}"]
    if view.hand:
        lines += ["", f"  {'your hand':<12}{by_suit(view.hand)}"]
    return "\n".join(lines)


def by_suit(hand: Sequence[str]) -> str:
    suits = dict.fromkeys(map(suit, hand))
    return ("\n" + " " * 14).join(ink.cards([card for card in hand if suit(card) == one]) for one in suits)


def label(move: AnyMove, view: View, names: Sequence[str], words: Words = ENGLISH) -> str:
    if isinstance(move, Pass):
        assert view.seat is not None
        to = words("to {name}", name=names[receiver(view.seat, view.number)])
        return f"{to} › {' + '.join(map(ink.card, move.cards))}"
    return ink.card(move.card)
