"""Ordinary cards as they are drawn in a terminal: in colour, and just as readable without it."""

from __future__ import annotations

from collections.abc import Sequence

from click import style, unstyle

from croupier.kernel.cards import recognised, suit

BACK = "▒▒▒▒"
WIDTH = 79
"""A terminal has eighty columns, and the last one is for its cursor."""


def card(face: str) -> str:
    """One card, four columns wide."""
    return style(f"{face:>3} ", fg="red" if suit(face) in "♦♥" else "black", bg="bright_white", bold=True)


def tile(text: str) -> str:
    """A card of any game: an ordinary one as such, another by what it is called."""
    face = recognised(text)
    if face is None:
        return style(f" {text} ", fg="black", bg="bright_white", bold=True)
    if face.startswith("★"):
        return style("Jok ", fg="red" if face == "★R" else "black", bg="bright_white", bold=True)
    return card(face)


def cards(faces: Sequence[str]) -> str:
    return row([card(face) for face in faces])


def row(tiles: Sequence[str], wide: int = 12) -> str:
    """Side by side after a name, and below each other when there are many."""
    lines = [" ".join(tiles[i : i + wide]) for i in range(0, len(tiles), wide)]
    return ("\n" + " " * 14).join(lines)


def flow(parts: Sequence[str], indent: int = 14, gap: str = "  ") -> str:
    """One after the other after a name, going on below where there is no more room."""
    text, *rest = parts
    for part in rest:
        line = (" " * indent + text).rsplit("\n", 1)[-1] + gap + part
        text += gap + part if len(unstyle(line)) <= WIDTH else "\n" + " " * indent + part
    return text


def backs(count: int) -> str:
    return " ".join([style(BACK, fg="blue")] * count)


def quiet(text: str) -> str:
    """What is there to be read, but need not be."""
    return style(text, dim=True)


def name(text: str, acts: bool = False) -> str:
    """Somebody at the table, with a sign for who is to act, in twelve columns."""
    short = text if len(text) <= 12 else text[:11] + "…"
    return style(f"{'▸' if acts else ' '} {short:<12}", bold=acts)
