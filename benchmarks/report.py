"""The figures as people read them: in a few sentences, in tables, in a plot, and what became of the goals."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from typing import NamedTuple

from benchmarks import plot
from benchmarks.figures import Found, Growth, Turns, cpu_ratio, middle, ratio
from benchmarks.server import CONTENDERS, OURS

CRAZY_EIGHTS, UNO = "OpenSpiel: crazy_eights", "RLCard: UNO, environment"
BESIDE = {CRAZY_EIGHTS: "crazy_eights", "OpenSpiel: hearts": "hearts", UNO: "UNO", "RLCard: UNO, engine": "its engine"}
RLCARD, MEDIAN_STEPS = "RLCard: ", "RLCard: the median of its games"
STEPS_BESIDE = {MEDIAN_STEPS: "RLCard's median", "RLCard: uno": "its UNO", "OpenSpiel: hearts": "OpenSpiel's hearts"}
ALONE = ", by PettingZoo"
"""One game at a time, in the form of that package."""
BEGIN, END = "<!-- figures: written by python -m benchmarks -->\n", "<!-- end of the figures -->\n"
SHORT, REST = "<!-- in short: written by python -m benchmarks -->\n", "<!-- the rest is for those who have time -->\n"


def markdown(found: Found) -> str:
    """All of it, for the docs."""
    parts = [f"{found.made[:10]}, {found.machine}, Python {found.python}: `{found.command}`."]
    parts += [part for _, part in sections(found)]
    return "\n\n".join(parts) + "\n"


def sections(found: Found) -> Iterator[tuple[str, str]]:
    """Each part's tables, by the name of the part."""
    if judged := list(goals(found)):
        yield "goals", "\n".join(["### Goals", "", "| goal | reached | |", "|---|---|---|", *map(str, judged)])
    if found.kernel is not None:
        yield "kernel", "### Random playouts\n\n" + playouts(found.kernel)
    if found.gym is not None:
        yield "gym", "### Environments for agents\n\n" + environments(found.gym)
    for tables, figures in (found.server or {}).items():
        yield "server", f"### {tables:,} tables\n\n" + servers(figures)
    if (half := found.half) is not None:
        at = middle(half.turns)
        sentence = f"{half.tables} tables, {at.moves:,.0f} of {half.most:,.0f} moves/s: p50 {at.p50:.1f} ms, "
        sentence += f"p99 {spread([t.p99 for t in half.turns], 1)} ms."
        if half.unsynced:
            p50, p99 = middle(half.unsynced).p50, spread([t.p99 for t in half.unsynced], 1)
            sentence += f" Where no commit waits for the disk (`--synchronous NORMAL`): p50 {p50:.1f} ms, p99 {p99} ms."
        yield "half", f"### At half of the greatest load\n\n{sentence}"
    if (weight := found.memory) is not None:
        sentence = (
            f"{weight.connection:.1f} kB per idle connection; {weight.table:.1f} kB per table of four in the middle "
        )
        yield "memory", f"### Memory\n\n{sentence}of a game, beyond its connections."
    if found.growth is not None:
        yield "growth", "### Growth\n\n" + growth(found.growth)


def in_short(found: Found) -> str:
    """What the figures mean, for somebody who has twenty seconds."""
    parts = [*_a_move(found), *_load(found), *_a_playout(found), *_trust(found)]
    return "\n".join(f"- {part}" for part in parts) + "\n"


def _a_move(found: Found) -> Iterator[str]:
    tables, figures = next(iter((found.server or {}).items()), (0, {}))
    if "palace" not in figures:
        return
    ours = figures["palace"]
    peers = {
        "boardgame": "boardgame.io (in memory only)",
        "colyseus": "Colyseus (in memory only)",
        "picows": "a bare fan-out (no rules, no secrets, no journal)",
    }
    beside = [f"{_times(cpu_ratio(ours, figures[peer]))} {title}" for peer, title in peers.items() if peer in figures]
    yield (
        f"**A move** costs the server {middle(ours).cpu:.0f} µs of CPU time (Palace, {tables:,} tables), with rules, "
        f"secrets and a journal on disk{': ' if beside else ''}{', '.join(beside)}."
    )


def _times(ratio: float) -> str:
    """How dear something is beside something else."""
    if 0.9 <= ratio <= 1.1:
        return "about as much as"
    return f"{ratio:.1f} times more than" if ratio > 1 else f"{1 / ratio:.1f} times less than"


def _load(found: Found) -> Iterator[str]:
    if (half := found.half) is None:
        return
    at = middle(half.turns)
    yield (
        f"**Under load**, with {half.tables:,} tables, one server makes {half.most:,.0f} moves a second. At half of "
        f"that, half of the moves are on disk and acknowledged within {at.p50:.1f} ms, and 99 of 100 within "
        f"{at.p99:.0f} ms."
    )


def _a_playout(found: Found) -> Iterator[str]:
    speeds, beside = found.kernel or {}, []
    for peer, title in ((UNO, "RLCard's UNO"), (CRAZY_EIGHTS, "OpenSpiel's crazy_eights, which is C++")):
        if peer in speeds:
            ours = [ratio(speed, speeds[peer]) for name, speed in speeds.items() if name.startswith("Croupier")]
            beside.append(f"{min(ours):.1f} to {max(ours):.1f} times as fast as {title}")
    if beside:
        yield f"**Random playouts** of our games, in plain Python, are {', and '.join(beside)}."


def _trust(found: Found) -> Iterator[str]:
    """What was wanted and not reached, and how far turns of the same thing lie apart."""
    if judged := list(goals(found)):
        reached = sum(goal.good for goal in judged)
        yield f"**Goals**: {reached} of {len(judged)} [are reached](#goals)."
    turns = [each for figures in (found.server or {}).values() for each in figures.values()]
    spreads = [max(turn.cpu for turn in each) / min(turn.cpu for turn in each) - 1 for each in turns if len(each) > 1]
    if spreads:
        yield (
            f"**Noise**: the CPU time of the same server, measured again minutes later, differs by "
            f"{100 * median(spreads):.0f} % as a rule and by {100 * max(spreads):.0f} % at worst. Make nothing of "
            "smaller differences."
        )


def playouts(speeds: dict[str, list[float]]) -> str:
    return _beside("random playouts", "decisions per CPU second", speeds, BESIDE)


def environments(speeds: dict[str, list[float]]) -> str:
    alone = {name.removesuffix(ALONE): speed for name, speed in speeds.items() if name.endswith(ALONE)}
    together = {name: speed for name, speed in speeds.items() if not name.endswith(ALONE)}
    tables = {"environments": together, "the same by PettingZoo, one game at a time": alone}
    return "\n\n".join(
        _beside(what, "steps per CPU second", _with_median(each), STEPS_BESIDE) for what, each in tables.items() if each
    )


def _with_median(speeds: dict[str, list[float]]) -> dict[str, list[float]]:
    """RLCard's games differ by a factor of twenty: beside them all, what is in the middle of each turn."""
    theirs = [speed for name, speed in speeds.items() if name.startswith(RLCARD)]
    return speeds | ({MEDIAN_STEPS: [median(turn) for turn in zip(*theirs, strict=True)]} if theirs else {})


def _beside(what: str, unit: str, speeds: dict[str, list[float]], peers: dict[str, str]) -> str:
    beside = [peer for peer in peers if peer in speeds]
    head = [f"| {what}", unit, *(f"to {peers[peer]}" for peer in beside)]
    lines = [" | ".join(head) + " |", "|---" * len(head) + "|"]
    for name, speed in speeds.items():
        ratios = [f"{ratio(speed, speeds[peer]):.2f}×" for peer in beside]
        lines.append(f"| {name} | {' | '.join([spread(speed), *ratios])} |")
    return "\n".join(lines)


def servers(figures: dict[str, Turns]) -> str:
    lines = [
        "| | moves/s | server CPU per move, µs | to bare picows | p50, ms | p99, ms |",
        "|---|---|---|---|---|---|",
    ]
    bare = figures.get("picows")
    for name, turns in figures.items():
        at = middle(turns)
        to_bare = f"{cpu_ratio(turns, bare):.1f}×" if bare else ""
        cpu = spread([turn.cpu for turn in turns])
        lines.append(
            f"| {CONTENDERS[name].title} | {at.moves:,.0f} | {cpu} | {to_bare} | {at.p50:.1f} | {at.p99:.1f} |"
        )
    return "\n".join(lines)


def growth(found: Growth) -> str:
    start = found.start
    costs = {move: median(costs) for move, costs in found.length.items()}
    early, late = costs.values()
    return "\n\n".join(
        [
            _sizes("tables of 4", found.tables),
            _sizes("seats, 512 in all", found.seats, each=True),
            "A long game (Cambia, 8 seats) in the house's own code, between the sockets and the disk: "
            + ", ".join(f"{cost:.1f} µs at move {move:,} of a table" for move, cost in costs.items())
            + f" ({late / early:.2f}×).",
            f"Start with {start.tables:,} tables in the journal, {start.entries:,} entries: {start.seconds:.1f} s, "
            f"{start.cpu:.1f} s of CPU.",
        ]
    )


def _sizes(title: str, sizes: dict[int, Turns], each: bool = False) -> str:
    lines = [
        f"| {title} | moves/s | server CPU per move, µs | to the first |{' a seat, µs |' if each else ''}",
        "|---|---|---|---|" + ("---|" if each else ""),
    ]
    first = next(iter(sizes.values()))
    for size, turns in sizes.items():
        at = middle(turns)
        cpu = spread([turn.cpu for turn in turns])
        seat = f" {at.cpu / size:.1f} |" if each else ""
        lines.append(f"| {size:,} | {at.moves:,.0f} | {cpu} | {cpu_ratio(turns, first):.2f}× |{seat}")
    return "\n".join(lines)


def spread(values: list[float], digits: int = 0) -> str:
    """The median, and the range where there is one."""
    low, high = f"{min(values):,.{digits}f}", f"{max(values):,.{digits}f}"
    return f"{median(values):,.{digits}f}" + (f" ({low} … {high})" if low != high else "")


class Goal(NamedTuple):
    text: str
    reached: str
    good: bool

    def __str__(self) -> str:
        return f"| {self.text} | {self.reached} | {'yes' if self.good else 'no'} |"


def goals(found: Found) -> Iterator[Goal]:
    """What this project wants to be, and whether it was, this time."""
    if found.kernel is not None:
        yield from _playout_goals(found.kernel)
    if found.gym is not None:
        yield from _step_goals(found.gym)
    if found.server is not None:
        yield from _server_goals(found.server)
    if found.half is not None:
        p99 = middle(found.half.turns).p99
        yield Goal("p99 below 20 ms at half of the greatest load, commit included", f"{p99:.1f} ms", p99 < 20)
        if found.half.unsynced:
            p99 = middle(found.half.unsynced).p99
            yield Goal("the same below 5 ms where no commit waits for the disk", f"{p99:.1f} ms", p99 < 5)
    if (weight := found.memory) is not None:
        yield Goal("below 10 kB per idle connection", f"{weight.connection:.1f} kB", weight.connection < 10)
        yield Goal("below 20 kB per table of 4 beyond its connections", f"{weight.table:.1f} kB", weight.table < 20)
    if (grown := found.growth) is not None:
        most = max(grown.tables)
        if 50 in grown.tables and most >= 1000:
            more = cpu_ratio(grown.tables[most], grown.tables[50])
            yield Goal(f"a move at {most:,} tables at most 1.3× that at 50", f"{more:.2f}×", more <= 1.3)
        if 255 in grown.seats:
            each = middle(grown.seats[255]).cpu / 255
            yield Goal("a move at a table of 255 at most 4 µs a seat", f"{each:.1f} µs", each <= 4)
        if (start := grown.start).tables >= 10_000:
            yield Goal(
                f"start with {start.tables:,} tables in less than 3 s", f"{start.seconds:.1f} s", start.seconds < 3
            )
        early, late = (median(costs) for costs in grown.length.values())
        yield Goal("move 1,000 of a table at most 1.1× move 10", f"{late / early:.2f}×", late <= 1.1 * early)


def _playout_goals(speeds: dict[str, list[float]]) -> Iterator[Goal]:
    for peer, times, title in ((UNO, 4, "4× RLCard's UNO"), (CRAZY_EIGHTS, 1, "level with OpenSpiel's crazy_eights")):
        if peer not in speeds:
            continue
        ours = {name: ratio(speed, speeds[peer]) for name, speed in speeds.items() if name.startswith("Croupier")}
        least = min(ours, key=ours.__getitem__)
        reached = f"{sum(each >= times for each in ours.values())} of {len(ours)}; least {ours[least]:.2f}× ({least})"
        yield Goal(f"every game's playouts at least {title}", reached, ours[least] >= times)


def _step_goals(speeds: dict[str, list[float]]) -> Iterator[Goal]:
    for alone, title in ((False, "every game's environment"), (True, "the same by PettingZoo, one game at a time,")):
        each = _with_median({name: speed for name, speed in speeds.items() if name.endswith(ALONE) == alone})
        ours = [name for name in each if name.startswith("Croupier")]
        if not ours or MEDIAN_STEPS not in each:
            continue
        times = {name: ratio(each[name], each[MEDIAN_STEPS]) for name in ours}
        least = min(times, key=times.__getitem__)
        reached = f"{sum(times[name] >= 3 for name in ours)} of {len(ours)}; least {times[least]:.2f}× ({least})"
        yield Goal(f"{title} at least 3× the median of RLCard's", reached, times[least] >= 3)


def _server_goals(servers: dict[int, dict[str, Turns]]) -> Iterator[Goal]:
    limits = (
        (50, "picows", 4.0, "at most 4× the bare picows fan-out"),
        (50, "boardgame", 0.5, "at most half of boardgame.io's"),
        (500, "colyseus", 1.0, "below Colyseus's"),
    )
    for tables, peer, limit, title in limits:
        figures = servers.get(tables, {})
        if peer in figures and "palace" in figures:
            found = cpu_ratio(figures["palace"], figures[peer])
            yield Goal(f"server CPU per move, native, {tables} tables, {title}", f"{found:.2f}×", found <= limit)
    few = servers.get(50, {})
    times = {game: cpu_ratio(few[f"{game}-own"], few[game]) for game in few if f"{game}-own" in few}
    if times:
        most = max(times, key=times.__getitem__)
        good = sum(each <= 1.5 for each in times.values())
        reached = f"{good} of {len(times)}; most {times[most]:.2f}× ({CONTENDERS[f'{most}-own'].title})"
        yield Goal(
            "every game by its own protocol at most 1.5× the same by the native one", reached, times[most] <= 1.5
        )


def draw(found: Found) -> str:
    """The two figures that matter most."""
    panels = []
    if found.server:
        tables, figures = next(iter(found.server.items()))
        costs = {name: middle(turns).cpu for name, turns in figures.items()}
        bars = [
            plot.Bar(CONTENDERS[name].title, costs[name], f"{costs[name]:.0f} µs", name in OURS)
            for name in sorted(costs, key=costs.__getitem__)
        ]
        panels.append(plot.Panel(f"Server CPU per move, {tables} tables, in µs: shorter is better", bars))
    if found.kernel:
        speeds = {name: median(each) for name, each in found.kernel.items()}
        bars = [
            plot.Bar(name, speeds[name], f"{speeds[name]:,.0f}", name.startswith("Croupier"))
            for name in sorted(speeds, key=speeds.__getitem__, reverse=True)
        ]
        panels.append(plot.Panel("Decisions of random playouts per CPU second: longer is better", bars))
    return plot.svg(panels)


def fill(page: str, found: Found) -> str:
    """The page of the docs, with these figures between its marks, and what they mean before them."""
    for begin, end, text in ((SHORT, REST, in_short(found)), (BEGIN, END, markdown(found))):
        before, _, rest = page.partition(begin)
        _, _, after = rest.partition(end)
        page = f"{before}{begin}\n{text}\n{end}{after}"
    return page
