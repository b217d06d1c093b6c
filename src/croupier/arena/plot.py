"""A tournament as a picture: shares of wins and ratings, each with where it may be (95 %)."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from croupier.arena.record import Record
from croupier.arena.report import heading, pairing_label, percent
from croupier.arena.statistics import SURE
from croupier.arena.tournament import AnyGame

WIDTH, LABEL, VALUE, LINE, HEAD, FOOT = 820, 300, 170, 26, 40, 28
INK, MARK, GRID = "#1f2933", "#2f7d5b", "#d5dae0"


class Point(NamedTuple):
    label: str
    value: float
    low: float
    high: float
    shown: str
    """The value as people read it."""


class Panel(NamedTuple):
    title: str
    points: Sequence[Point]
    low: float
    high: float
    expected: float
    """Where somebody is who is as good as the others."""


def plot(record: Record, game: AnyGame) -> str:
    """As SVG. The background is drawn, so that it can be read on a dark page too."""
    panels = [_shares(record), _ratings(record)]
    height = HEAD + sum(_height(panel) for panel in panels)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" '
        f'font-size="12" fill="{INK}">',
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        f'<text x="12" y="24" font-size="15" font-weight="bold">{escape(heading(record, game))}</text>',
    ]
    top = HEAD
    for panel in panels:
        parts += _panel(panel, top)
        top += _height(panel)
    return "\n".join([*parts, "</svg>", ""])


def _shares(record: Record) -> Panel:
    points = [
        Point(
            pairing_label(record, pairing),
            tally.share,
            *tally.interval,
            f"{percent(tally.share)} ({100 * tally.interval[0]:.1f} to {100 * tally.interval[1]:.1f})",
        )
        for pairing, tally in record.tallies.items()
        if tally.deals
    ]
    return Panel("share of wins", points, 0.0, 1.0, record.tournament.fair)


def _ratings(record: Record) -> Panel:
    points = []
    for label, row in zip(record.tournament.labels, record.rows, strict=True):
        spread = SURE * row.rating.sigma
        points.append(
            Point(
                label,
                row.rating.mu,
                row.rating.mu - spread,
                row.rating.mu + spread,
                f"{row.rating.mu:.1f} ± {spread:.1f}",
            )
        )
    points.sort(key=lambda point: -point.value)
    return Panel(
        "rating (openskill)",
        points,
        min(0.0, *(point.low for point in points)),
        max(50.0, *(point.high for point in points)),
        25.0,
    )


def _height(panel: Panel) -> int:
    return HEAD + LINE * len(panel.points) + FOOT


def _panel(panel: Panel, top: int) -> list[str]:
    def across(value: float) -> float:
        return LABEL + (WIDTH - LABEL - VALUE) * (value - panel.low) / (panel.high - panel.low)

    bottom, fair = top + HEAD + LINE * len(panel.points), across(panel.expected)
    parts = [
        f'<text x="12" y="{top + 22}" font-weight="bold">{escape(panel.title)}</text>',
        f'<rect x="{LABEL}" y="{top + HEAD - 6}" width="{WIDTH - LABEL - VALUE}" height="{bottom - top - HEAD + 6}" '
        f'fill="none" stroke="{GRID}"/>',
        f'<line x1="{fair:.1f}" y1="{top + HEAD - 6}" x2="{fair:.1f}" y2="{bottom}" stroke="{INK}" '
        f'stroke-dasharray="4 3"/>',
        f'<text x="{fair:.1f}" y="{bottom + 16}" text-anchor="middle">as good as the others</text>',
    ]
    for number, point in enumerate(panel.points):
        y = top + HEAD + LINE * number + 10
        parts += [
            f'<text x="{LABEL - 10}" y="{y + 4}" text-anchor="end">{escape(point.label)}</text>',
            f'<line x1="{across(point.low):.1f}" y1="{y}" x2="{across(point.high):.1f}" y2="{y}" stroke="{MARK}" '
            f'stroke-width="3"/>',
            f'<circle cx="{across(point.value):.1f}" cy="{y}" r="5" fill="{MARK}"/>',
            f'<text x="{WIDTH - VALUE + 10}" y="{y + 4}">{escape(point.shown)}</text>',
        ]
    return parts
