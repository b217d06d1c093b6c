"""All laws, over numbers of players, options at their extremes and seeds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any

from croupier.kernel import ENGLISH
from croupier.laws.bots import check_bots
from croupier.laws.encodings import check_encoding
from croupier.laws.introduction import check_introduction
from croupier.laws.lessons import check_lesson
from croupier.laws.liveness import check_liveness
from croupier.laws.lobby import check_lobby
from croupier.laws.looking import Encoder
from croupier.laws.processes import check_processes
from croupier.laws.purity import check_purity
from croupier.laws.refusals import check_refusals
from croupier.laws.replay import check_replay
from croupier.laws.reporting import Report
from croupier.laws.secrecy import check_secrecy
from croupier.laws.shuffles import check_shuffles
from croupier.laws.steps import AnyGame, Conserved
from croupier.laws.terminal import check_terminal
from croupier.laws.translations import check_translations, languages
from croupier.laws.walking import extremes

MOST_SEATS = 6
"""At larger tables everybody looks at everybody for minutes, and finds little that is new."""
LARGEST = 10
"""So there is one of them in a plan, with no more seats than these, and it is left off earlier."""
FEWEST_GAMES = 50


def plan(game: AnyGame, seats: Sequence[int] | None = None) -> list[tuple[int, Any]]:
    """Tables to play at: the usual options at every size, each other set of options at the smallest and a larger one;
    and once as many as there can be, within reason.

    >>> from croupier.games.palace import game
    >>> [(seats, options.turn_timer) for seats, options in plan(game)]
    [(2, 50), (3, 50), (4, 50), (5, 50), (6, 50), (2, 0), (4, 0), (2, 255), (4, 255), (10, 50)]
    """
    found: list[tuple[int, Any]] = []
    large: list[tuple[int, Any]] = []
    for options in extremes(game):
        possible = [size for size in game.seats_for(options) if seats is None or size in seats]
        some = [size for size in possible if size <= MOST_SEATS] or possible[:1]
        found += [(size, options) for size in (some[:3:2] if found else some)]
        large += [(size, options) for size in possible if MOST_SEATS < size <= LARGEST and size not in some]
    return found + ([max(large, key=itemgetter(0))] if large else [])


def check(
    game: AnyGame,
    *,
    games: int | None = None,
    seed: int = 0,
    seats: Sequence[int] | None = None,
    limit: int = 200,
    encoders: Sequence[Encoder] = (),
    conserved: Conserved | None = None,
    progress: Callable[[Report], None] = lambda report: None,
) -> Report:
    """Hold a game to all laws, in so many random games; raises ``Broken`` for the first that it does not keep.

    Game number n is played at table n of the ``plan``, with n for its seed: ``games=1, seed=17`` plays that one again.
    Unless it is said how many, there is one at each table of the plan, and fifty at least. Each is left off after
    ``limit`` steps, at a large table before that. ``conserved`` looks whether a state has lost or invented a card;
    ``encoders`` are what else people are shown, such as the messages of a protocol.

    >>> from croupier.games.palace import game
    >>> report = check(game, games=2, limit=20)
    >>> report.games, report.positions > 100, report.refusals > 50
    (2, True, True)
    """
    tables = plan(game, seats)
    if not tables:
        raise ValueError(f"{game.title} is not for {' or '.join(map(str, seats or ()))} players")
    versions = check_introduction(game)
    check_lesson(game)
    report = Report(game.title)
    spoken = [ENGLISH, *languages(game)]
    ways: set[str] = set()
    for number in range(seed, seed + (max(FEWEST_GAMES, len(tables)) if games is None else games)):
        size, options = tables[number % len(tables)]
        table = (game, size, options, number)
        steps = limit if size <= MOST_SEATS else limit * MOST_SEATS**2 // (2 * size**2)
        report.moves += check_liveness(*table, limit=steps, sample=2)
        if number == seed:
            check_purity(*table)
        report.steps += check_replay(*table, limit=steps, conserved=conserved)
        report.refusals += check_refusals(*table, limit=steps, sample=1)
        report.texts += check_terminal(*table, limit=steps, languages=spoken)
        check_shuffles(*table, limit=steps)
        if game.deals_early:
            report.positions += check_lobby(game, options, number, conserved=conserved, steps=10)
        compared = check_secrecy(*table, limit=steps, tries=8, encoders=encoders, conserved=conserved)
        report.positions += compared.positions
        report.alike += compared.steps
        report.observations += check_encoding(*table, limit=steps)
        if number == seed:
            check_bots(*table)
            report.processes += check_processes(*table)
        if versions > 1:
            old = game.by_rules(1 + number % (versions - 1))
            check_liveness(old, size, options, number, limit=steps, sample=2)
            check_replay(old, size, options, number, limit=steps, conserved=conserved)
        report.games += 1
        report.seats = tuple(sorted({*report.seats, size}))
        ways.add(repr(options))
        report.options = len(ways)
        progress(report)
    report.texts += check_translations(game)  # last: whoever changes rules translates them when they are right
    return report
