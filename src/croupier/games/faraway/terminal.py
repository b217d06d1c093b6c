"""Faraway in a terminal: how the table looks, and what can be done."""

from __future__ import annotations

from collections.abc import Sequence

from click import style

from croupier.games.faraway.cards import REGIONS, SANCTUARIES, Biome, Card, describe
from croupier.games.faraway.moves import AnyMove, Choose, Play
from croupier.games.faraway.state import View
from croupier.kernel import ENGLISH, Words, ink

ROUNDS = 8
COLOURS: dict[Biome, str] = {
    "red": "red", "green": "green", "blue": "blue", "yellow": "yellow", "colorless": "white",
}  # fmt: skip
PHASES = {
    "play": "choose a region to play",
    "sanctuary": "choose sanctuaries",
    "shop": "take a region from the shop",
    "end": "the end",
}


def show(view: View, names: Sequence[str]) -> str:
    lines = [f"  Round {min(view.turn + 1, ROUNDS)} of {ROUNDS}: {PHASES[view.phase]}", ""]
    for seat in view.players:
        busy = not view.done[seat] and (view.phase == "play" or view.choosing[seat])
        row = " ".join(_region(card) for card in view.rows[seat]) or ink.quiet("no region yet")
        lines.append(ink.name(names[seat], busy) + row)
        own = seat == view.seat
        if view.sanctuaries[seat]:
            kept = [describe(SANCTUARIES[card]) for card in view.sanctuaries[seat]]
            lines += [f"{'':14}{ink.quiet('sanctuary: ' + text)}" for text in (kept if own else ())]
            if not own:
                lines.append(f"{'':14}{ink.quiet(_count(len(kept)))}")
    me = view.seat
    if me is not None and view.phase != "end":
        if view.rows[me]:
            lines += ["", "  your row, from the first region to the last:"]
            lines += [f"    {_whole(REGIONS[card])}" for card in view.rows[me]]
        hand = [card for card in view.hands[me] if card is not None]
        if hand and view.phase != "play":
            lines += ["", "  in your hand:"]
            lines += [f"    {_whole(REGIONS[card])}" for card in hand]
    if view.shop and view.phase == "play":
        lines += ["", "  in the shop, for who plays the lowest number first:"]
        lines += [f"    {_whole(REGIONS[card])}" for card in view.shop]
    for standing in view.ranking:
        found = view.scores[standing.seat]
        assert found is not None
        points = " + ".join(map(str, found.rounds))
        lines.append(f"  {names[standing.seat]}: {points} = {standing.total}")
    return "\n".join(lines)


def _count(sanctuaries: int) -> str:
    return f"{sanctuaries} sanctuar{'y' if sanctuaries == 1 else 'ies'}"


def _region(card: int) -> str:
    region = REGIONS[card]
    return style(f"{card:>3}{'☾' if region.night else ' '}", fg="black", bg=COLOURS[region.biome])


def _whole(card: Card, words: Words = ENGLISH) -> str:
    """A card with all that is on it, in the colour of its biome."""
    return style(describe(card, words), fg=COLOURS[card.biome])


def label(move: AnyMove, view: View, words: Words) -> str:
    match move:
        case Choose(card):
            return f"{words('keep the sanctuary')} › {_whole(SANCTUARIES[card], words)}"
        case Play(card):
            after = f" — {words('brings a sanctuary')}" if _rises(card, view) else ""
            return f"{words('play')} › {_whole(REGIONS[card], words)}{after}"
    return f"{words('take')} › {_whole(REGIONS[move.card], words)}"


def _rises(card: int, view: View) -> bool:
    """Whether a region goes up from the last one, which brings a sanctuary."""
    assert view.seat is not None
    row = view.rows[view.seat]
    return bool(row) and card > row[-1]
