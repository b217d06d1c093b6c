"""A picture of a table as SVG."""

from __future__ import annotations

from html import escape

from croupier.gym.screen import COLUMNS, FELT, height, runs

WIDE, HIGH = 9, 20
"""Of a character."""


def written(text: str) -> str:
    """Of what the game shows in a terminal."""
    size = COLUMNS * WIDE, height(text) * HIGH
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]} {size[1]}" '
        f'font-family="monospace" font-size="15">',
        f'<rect width="{size[0]}" height="{size[1]}" fill="{FELT}"/>',
    ]
    for run in runs(text):
        x, y, wide = run.column * WIDE, run.line * HIGH, len(run.text) * WIDE
        if run.background is not None:
            parts.append(
                f'<rect x="{x}" y="{y + 1}" width="{wide}" height="{HIGH - 2}" rx="3" fill="{run.background}"/>'
            )
        if run.text.strip():
            weight = ' font-weight="bold"' if run.bold else ""
            parts.append(
                f'<text x="{x}" y="{y + 15}" textLength="{wide}" xml:space="preserve" fill="{run.colour}"{weight}>'
                f"{escape(run.text)}</text>"
            )
    return "\n".join([*parts, "</svg>", ""])
