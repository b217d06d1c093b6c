"""Points: of a game, of a round of a match, of a match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from croupier.games.cambia.cards import VALUE
from croupier.games.cambia.state import Card, Match, Outcome, Reason, State

MISSED = 41
"""C67: what a round counts for somebody who is not there."""

SUBSIDIES: Mapping[int, tuple[int, ...]] = {2: (-3,), 3: (-5, -2), 4: (-5, -2)}
"""C64: by place, for so many players."""
SUBSIDIES_OF_MANY = (-5, -2, -1)


def outcome(state: State, reason: Reason) -> Outcome:
    """How the game, or the round, has ended."""
    seats = range(len(state.hands))
    raw = [
        None if state.forfeited[seat] else sum(VALUE[state.faces[card]] for card in state.hands[seat])  # C58
        for seat in seats
    ]
    winners = _winners(state, raw, reason)
    scores = raw.copy()
    rules, caller = state.rules, state.caller
    elimination = rules.circuit and rules.circuit_mode == "elimination"
    false_call = caller is not None and raw[caller] is not None and caller not in winners
    if elimination:  # C66; C60: nowhere else
        for seat in seats:
            score = scores[seat]
            if score is not None:
                bonus = rules.win_bonus if seat in winners else 0
                penalty = rules.false_cambia_penalty if seat == caller and false_call else 0
                scores[seat] = score + bonus + penalty
    return Outcome(
        reason=reason,
        caller=caller,
        winners=winners,
        scores=tuple(scores),
        raw=tuple(raw),
        forfeited=tuple(seat for seat in seats if state.forfeited[seat]),
        hands=tuple(tuple(Card(card, state.faces[card]) for card in hand) for hand in state.hands),  # C57
        penalty_applied=elimination and false_call,
        win_bonus_applied=elimination and bool(winners),
    )


def _winners(state: State, raw: Sequence[int | None], reason: Reason) -> tuple[int, ...]:
    """C59: the lowest score; the caller alone, if among them."""
    scores = {seat: score for seat, score in enumerate(raw) if score is not None and not state.missing[seat]}
    if reason == "forfeit":
        return tuple(scores)
    lowest = [seat for seat, score in scores.items() if score == min(scores.values())]
    return (state.caller,) if state.caller in lowest else tuple(lowest)


def placings(outcome: Outcome) -> tuple[tuple[int, ...], ...]:
    """Seats from first to last; who has forfeited comes last."""
    scores = {
        seat: score for seat, score in enumerate(outcome.raw) if score is not None and seat not in outcome.winners
    }
    groups = [tuple(seat for seat in scores if scores[seat] == score) for score in sorted(set(scores.values()))]
    return tuple(group for group in (outcome.winners, *groups, outcome.forfeited) if group)


def subsidies(scores: Mapping[int, int], caller: int | None, players: int) -> dict[int, int]:
    """C64: what the places in a round are worth.

    >>> subsidies({0: 2, 1: 23}, caller=0, players=2)
    {0: -3, 1: 0}
    >>> subsidies({0: 7, 1: 7, 2: 9}, caller=None, players=3)
    {0: -5, 1: -5, 2: 0}
    >>> subsidies({0: 7, 1: 7, 2: 9}, caller=1, players=3)
    {0: -2, 1: -5, 2: 0}
    """
    table = SUBSIDIES.get(players, SUBSIDIES_OF_MANY)
    found = {}
    for seat, score in scores.items():
        place = sum(other < score for other in scores.values())
        if caller is not None and caller != seat and scores.get(caller) == score:
            place += 1
        found[seat] = table[place] if place < len(table) else 0
    return found


def standings(match: Match) -> tuple[tuple[int, ...], ...]:
    """C65: the champion first. Seat numbers break the last ties, so nobody shares a place."""
    seats = range(len(match.totals))
    raw = [sum(scores[seat] for scores in match.history) for seat in seats]
    duels = [sum(_duels_won(scores, caller, seat) for scores, caller in _rounds(match)) for seat in seats]
    best = [min((scores[seat] for scores in match.history), default=0) for seat in seats]
    order = sorted(seats, key=lambda seat: (match.totals[seat], raw[seat], -duels[seat], best[seat], seat))
    return tuple((seat,) for seat in order)


def survivors(match: Match) -> tuple[tuple[int, ...], ...]:
    """C66: the last one left, or the lowest of those who went last; then the others, back to those who went first.

    >>> survivors(Match(totals=(90, 120, 104, 101), out=((1,), (2, 3))))
    ((0,), (3,), (2,), (1,))
    """
    gone = {seat for group in match.out for seat in group}
    left = [seat for seat in range(len(match.totals)) if seat not in gone]
    found = []
    for group in (left, *match.out[::-1]):
        ranking = {seat: (seat in match.abandoned, match.totals[seat]) for seat in group}
        found += [tuple(seat for seat in group if ranking[seat] == mine) for mine in sorted(set(ranking.values()))]
    return tuple(found)


def _rounds(match: Match) -> list[tuple[tuple[int, ...], int | None]]:
    return list(zip(match.history, match.callers, strict=True))


def _duels_won(scores: Sequence[int], caller: int | None, seat: int) -> int:
    """How many others somebody has beaten in a round; the caller wins a tie."""
    return sum(
        scores[seat] < score or (scores[seat] == score and seat == caller)
        for other, score in enumerate(scores)
        if other != seat
    )
