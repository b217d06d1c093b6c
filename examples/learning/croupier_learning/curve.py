"""How a training went, and a plot of it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

WIDTH, HEIGHT = 720, 360
LEFT, RIGHT, TOP, BOTTOM = 56, 96, 44, 52
COLOURS = ("#2f7d5b", "#b4532a")
LINE, TEXT, FAINT = "#d5dae0", "#1f2933", "#616e7c"


class Point(msgspec.Struct, frozen=True):
    decisions: int
    """Learnt from so far."""
    reward: float
    """Its mean against random bots."""
    error: float
    """Half the width of the 95 % confidence interval."""


class Curve(msgspec.Struct):
    title: str
    """Of the game."""
    seed: int
    seats: int
    """At the table at which it was tested."""
    games: int
    """For each point."""
    cpu_seconds: float
    """That the training took, without the tests."""
    points: list[Point]


def draw(curves: Sequence[Curve]) -> str:
    """All curves in one SVG, with their confidence intervals. The background is drawn, so that it can be read on a dark
    page too."""
    longest = max(curve.points[-1].decisions for curve in curves)
    title = "Mean reward against random bots, at a table of four: 1 is always first, 0 is chance"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
        f'font-size="12" fill="{TEXT}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<text x="12" y="24" font-size="14" font-weight="bold">{title}</text>',
        *_grid(longest),
    ]
    for curve, colour in zip(curves, COLOURS, strict=False):
        parts += _line(curve, colour, longest)
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(
        f'<text x="{middle}" y="{HEIGHT - 10}" text-anchor="middle">decisions learnt from, in thousands</text>'
    )
    return "\n".join([*parts, "</svg>", ""])


def _across(decisions: float, longest: int) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * decisions / longest


def _up(reward: float) -> float:
    """From -0.25 at the bottom to 1 at the top."""
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - reward) / 1.25


def _grid(longest: int) -> list[str]:
    parts = []
    for quarter in range(-1, 5):
        y, colour = _up(quarter / 4), LINE if quarter else FAINT
        parts += [
            f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="{colour}"/>',
            f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end" fill="{FAINT}">{quarter / 4:.2f}</text>',
        ]
    for decisions in range(0, longest + 1, 200_000):
        x = _across(decisions, longest)
        y = HEIGHT - BOTTOM + 16
        parts.append(f'<text x="{x:.1f}" y="{y}" text-anchor="middle" fill="{FAINT}">{decisions // 1000:,}</text>')
    return parts


def _line(curve: Curve, colour: str, longest: int) -> list[str]:
    def path(points: Sequence[tuple[int, float]]) -> str:
        return " ".join(f"{_across(decisions, longest):.1f},{_up(min(reward, 1)):.1f}" for decisions, reward in points)

    upper = [(each.decisions, each.reward + each.error) for each in curve.points]
    lower = [(each.decisions, each.reward - each.error) for each in reversed(curve.points)]
    last = curve.points[-1]
    return [
        f'<polygon points="{path([*upper, *lower])}" fill="{colour}" fill-opacity="0.18"/>',
        f'<polyline points="{path([(each.decisions, each.reward) for each in curve.points])}" fill="none" '
        f'stroke="{colour}" stroke-width="2"/>',
        f'<text x="{_across(last.decisions, longest) + 8:.1f}" y="{_up(last.reward) + 4:.1f}" '
        f'fill="{colour}">{curve.title}</text>',
    ]
