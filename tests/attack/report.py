"""What came of it, for people."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.attack.stage import Outcome

MIB = 1 << 20
BEGIN, END = "<!-- attack -->", "<!-- /attack -->"
FACTOR, NEWCOMER, MEMORY, LINES = 3.0, 1.0, 64, 10
"""What is promised: how many times slower a move may be (p99), seconds until somebody sits, MiB, lines of the log."""
WORTH = 0.005
"""Processor time of the server per second of flood below which an attack is none, and its price says nothing."""


def quantile(took: Sequence[float], part: float) -> float:
    """Of those seconds, in milliseconds."""
    ordered = sorted(took)
    return 1000 * ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else float("inf")


def factor(outcome: Outcome) -> float:
    return quantile(outcome.took, 0.99) / quantile(outcome.calm.took, 0.99)


def leverage(outcome: Outcome) -> float:
    """Milliseconds of the server's for one of the attacker's."""
    return outcome.server / max(outcome.attacker, 0.001)


def per_kilobyte(outcome: Outcome) -> float:
    """Milliseconds of the server's for a kilobyte that was sent."""
    return 1000 * outcome.server / max(outcome.sent / 1000, 0.001)


def failures(outcome: Outcome) -> list[str]:
    """Which promises were not kept."""
    before, most, after = (size / MIB for size in outcome.memory)
    found = []
    if factor(outcome) > FACTOR:
        found.append(f"p99 of the control tables × {factor(outcome):.1f}")
    if outcome.lost:
        found.append(f"disconnected: {', '.join(outcome.lost)}")
    if outcome.newcomer > NEWCOMER or outcome.turned_away:
        found.append(f"a newcomer sat after {outcome.newcomer:.1f} s, {len(outcome.turned_away)} did not at all")
    if most - before > MEMORY or after - before > MEMORY:
        found.append(f"memory {before:.0f} → {most:.0f} → {after:.0f} MiB")
    if len(outcome.log) > LINES:
        found.append(f"{len(outcome.log)} log lines, such as: {outcome.log[0][:300]}")
    return found


def described(outcome: Outcome) -> list[str]:
    calm, took = outcome.calm.took, outcome.took
    before, most, after = (size / MIB for size in outcome.memory)
    return [
        f"control p50 {quantile(calm, 0.5):.1f} → {quantile(took, 0.5):.1f} ms, p99 {quantile(calm, 0.99):.1f} → "
        f"{quantile(took, 0.99):.1f} ms (× {factor(outcome):.1f}); {len(calm)} and {len(took)} moves",
        f"bystanders lost: {', '.join(outcome.lost) or 'none'}; newcomers: {outcome.newcomers} seated, the slowest "
        f"after {outcome.newcomer:.2f} s, {len(outcome.turned_away)} turned away",
        f"memory {before:.0f} → {most:.0f} → {after:.0f} MiB; {len(outcome.log)} log lines",
        f"server {1000 * outcome.server:.0f} ms, attacker {1000 * outcome.attacker:.0f} ms and "
        f"{outcome.sent / 1000:,.0f} kB in {outcome.seconds:.1f} s, cut off {outcome.cut} times: "
        f"{leverage(outcome):.2f} ms per ms, {per_kilobyte(outcome):.3f} ms per kB",
        *(f"PROMISE NOT KEPT: {failure}" for failure in failures(outcome)),
    ]


def summary(outcomes: Sequence[Outcome]) -> str:
    kept = sum(not failures(outcome) for outcome in outcomes)
    worth = [outcome for outcome in outcomes if outcome.server > WORTH * outcome.seconds] or list(outcomes)
    cheapest = max(worth, key=leverage)
    least = max(worth, key=per_kilobyte)
    return (
        f"{kept} of {len(outcomes)} attacks were not noticed. Least of an attacker's own processor time for a "
        f"millisecond of the server's: {cheapest.attack.name}, {1 / max(leverage(cheapest), 0.001):.2f} ms. "
        f"Least sent for it: {least.attack.name}, {1000 / max(per_kilobyte(least), 0.001):,.0f} bytes."
    )


def markdown(outcomes: Sequence[Outcome], file: Path) -> None:
    """The figures as a table, between the marks in this file."""
    rows = [
        "| attack | control p50, calm → attacked | p99 | × | newcomers' worst | lost | memory before → most → after "
        "| log lines | server ms per attacker's ms | per kB |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for outcome in outcomes:
        calm, took = outcome.calm.took, outcome.took
        before, most, after = (size / MIB for size in outcome.memory)
        rows.append(
            f"| `{outcome.attack.name}`: {outcome.attack.about} "
            f"| {quantile(calm, 0.5):.1f} → {quantile(took, 0.5):.1f} ms "
            f"| {quantile(calm, 0.99):.1f} → {quantile(took, 0.99):.1f} ms | {factor(outcome):.1f} "
            f"| {outcome.newcomer:.2f} s | {len(outcome.lost) + len(outcome.turned_away)} "
            f"| {before:.0f} → {most:.0f} → {after:.0f} MiB | {len(outcome.log)} "
            f"| {leverage(outcome):.2f} | {per_kilobyte(outcome):.3f} |"
        )
    text = file.read_text()
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    file.write_text("\n".join((head + BEGIN, "", *rows, "", summary(outcomes), "", END)) + tail)
