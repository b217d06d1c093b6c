"""A tournament in tables, for people."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from croupier.arena.record import Record
from croupier.arena.statistics import SURE, Tally
from croupier.arena.tournament import AnyGame, Pairing


def heading(record: Record, game: AnyGame) -> str:
    tournament = record.tournament
    deals = max(tally.deals for tally in record.tallies.values())
    from_all = "both sides" if len(tournament.sides) == 2 else f"all {len(tournament.sides)} sides"
    return f"{game.title} for {tournament.seats}: {deals} deals, each played from {from_all}, seed {tournament.seed}"


def report(record: Record, game: AnyGame) -> RenderableType:
    """All there is to say, as long as something was played."""
    parts: list[RenderableType] = [Text(heading(record, game)), _pairings(record)]
    if len(record.tournament.bots) > 2:
        parts.append(_cross_table(record))
    parts.append(_standings(record))
    parts += [Text(sentence) for sentence in remarks(record)]
    return Group(*parts)


def pairing_label(record: Record, pairing: Pairing) -> str:
    labels, others = record.tournament.labels, len(record.tournament.sides) - 1
    return f"{labels[pairing[0]]} against {'' if others == 1 else f'{others} '}{labels[pairing[1]]}"


def percent(share: float) -> str:
    """
    >>> percent(0.7)
    '70.0 %'
    """
    return f"{100 * share:.1f} %"


def remarks(record: Record) -> list[str]:
    """What has gone wrong, a sentence for each bot."""
    said = [
        f"{label} failed in {row.failures} of {row.games} games, and lost them: {row.why}."
        for label, row in zip(record.tournament.labels, record.rows, strict=True)
        if row.failures
    ]
    if record.unfinished:
        said.append(f"Games that came to no end, and count as shared by all: {record.unfinished}.")
    return said


def _table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for number, one in enumerate(headings):
        table.add_column(one, justify="left" if number == 0 else "right", no_wrap=True)
    return table


def _pairings(record: Record) -> Table:
    table = _table("", "games", "share of wins", "95 %", *(["test"] if record.sprt else []))
    sides = len(record.tournament.sides)
    for pairing, tally in record.tallies.items():
        if tally.deals:
            low, high = tally.interval
            cells = [str(sides * tally.deals), percent(tally.share), f"{100 * low:.1f} to {percent(high)}"]
            table.add_row(Text(pairing_label(record, pairing)), *cells, *_verdict(record, tally))
    return table


def _verdict(record: Record, tally: Tally) -> list[str]:
    if record.sprt is None:
        return []
    low, high = record.sprt
    said = {"high": f"rather {percent(high)} than {percent(low)}", "low": f"rather {percent(low)} than {percent(high)}"}
    verdict = record.sprt.verdict(tally)
    return ["undecided" if verdict is None else said[verdict]]


def _cross_table(record: Record) -> Table:
    """Who wins how often against whom; where two play, what one wins the other loses."""
    labels, two = record.tournament.labels, len(record.tournament.sides) == 2
    table = _table("share of wins against", *labels)
    for first, label in enumerate(labels):
        cells = []
        for second in range(len(labels)):
            tally, mirrored = record.tallies.get((first, second)), record.tallies.get((second, first))
            if tally is not None and tally.deals:
                cells.append(percent(tally.share))
            elif two and mirrored is not None and mirrored.deals:
                cells.append(percent(1 - mirrored.share))
            else:
                cells.append("")
        table.add_row(Text(label), *cells)
    return table


def _standings(record: Record) -> Table:
    table = _table("", "rating", "", "moves", "ms a move")
    for label, row in sorted(
        zip(record.tournament.labels, record.rows, strict=True), key=lambda one: -one[1].rating.mu
    ):
        per_move = f"{1000 * row.seconds / row.moves:.2f}" if row.moves else ""
        spread = f"± {SURE * row.rating.sigma:.1f}"
        table.add_row(Text(label), f"{row.rating.mu:.1f}", spread, str(row.moves), per_move)
    return table
