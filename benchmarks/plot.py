"""Bars in an SVG, for the docs: on a scale of powers of ten, since the longest are a hundred times the shortest."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import ceil, floor, log10
from typing import NamedTuple

WIDTH, LABEL, VALUE, BAR, GAP, HEAD = 820, 290, 90, 18, 6, 46
OURS, THEIRS, LINE, TEXT = "#2f7d5b", "#9aa5b1", "#d5dae0", "#1f2933"


class Bar(NamedTuple):
    label: str
    value: float
    shown: str
    """The value as people read it."""
    ours: bool


class Panel(NamedTuple):
    title: str
    bars: Sequence[Bar]


def svg(panels: Sequence[Panel]) -> str:
    """One panel below the other. The background is drawn, so that it can be read on a dark page too."""
    height = 16 + sum(HEAD + len(panel.bars) * (BAR + GAP) + 24 for panel in panels)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" '
        f'font-size="12" fill="{TEXT}">',
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
    ]
    top = 16
    for panel in panels:
        parts += _panel(panel, top)
        top += HEAD + len(panel.bars) * (BAR + GAP) + 24
    return "\n".join([*parts, "</svg>", ""])


def _panel(panel: Panel, top: int) -> list[str]:
    values = [bar.value for bar in panel.bars]
    low, high = floor(log10(min(values)) - 0.01), ceil(log10(max(values)))
    room = WIDTH - LABEL - VALUE

    def across(value: float) -> float:
        return LABEL + room * (log10(value) - low) / (high - low)

    bottom = top + HEAD + len(panel.bars) * (BAR + GAP)
    parts = [f'<text x="12" y="{top + 14}" font-size="14" font-weight="bold">{escape(panel.title)}</text>']
    for power in range(low, high + 1):
        x = across(10**power)
        parts.append(f'<line x1="{x:.1f}" y1="{top + 34}" x2="{x:.1f}" y2="{bottom}" stroke="{LINE}"/>')
        parts.append(f'<text x="{x:.1f}" y="{top + 30}" text-anchor="middle" fill="#616e7c">{10**power:,}</text>')
    for number, bar in enumerate(panel.bars):
        y = top + HEAD + number * (BAR + GAP)
        end = across(bar.value)
        colour = OURS if bar.ours else THEIRS
        parts += [
            f'<text x="{LABEL - 8}" y="{y + 13}" text-anchor="end">{escape(bar.label)}</text>',
            f'<rect x="{LABEL}" y="{y}" width="{end - LABEL:.1f}" height="{BAR}" fill="{colour}"/>',
            f'<text x="{end + 6:.1f}" y="{y + 13}">{escape(bar.shown)}</text>',
        ]
    return parts
