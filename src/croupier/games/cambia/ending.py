"""The end of a game, of a round, of a match."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from croupier.games.cambia import debts, scoring
from croupier.games.cambia.events import AnyEvent, Ended, MatchEnded, RoundEnded
from croupier.games.cambia.state import Match, Reason, State


def finish(state: State, reason: Reason, at: int, happened: list[AnyEvent]) -> None:
    """C56: the game is over, or the round."""
    debts.settle_all(state, happened)  # C44
    state.outcome = scoring.outcome(state, reason)
    state.phase = "over"  # C61
    state.since = at
    state.due = None
    happened.append(Ended(state.outcome))
    if state.match is not None:
        _count_round(state, state.match, happened)


def _count_round(state: State, match: Match, happened: list[AnyEvent]) -> None:
    """C64, C66: add up, and see whether there is another round."""
    outcome, rules = state.outcome, state.rules
    assert outcome is not None
    seats = range(len(state.hands))
    scores = [
        scoring.MISSED if raw is None or state.missing[seat] else raw  # C67
        for seat, raw in enumerate(outcome.raw)
    ]
    there = {seat: scores[seat] for seat in seats if outcome.raw[seat] is not None and not state.missing[seat]}
    if rules.circuit_mode == "elimination":
        added = {seat: (outcome.scores[seat] or 0) - score for seat, score in there.items()}
    else:
        added = scoring.subsidies(there, outcome.caller, state.players)
    subsidies = tuple(added.get(seat, 0) for seat in seats)
    missed = tuple(0 if seat in there else match.missed[seat] + 1 for seat in seats)
    patience = 2 if rules.freeze_user_on_disconnect else 1  # C67
    match = replace(
        match,
        totals=tuple(match.totals[seat] + scores[seat] + subsidies[seat] for seat in seats),
        history=(*match.history, tuple(scores)),
        callers=(*match.callers, outcome.caller),
        subsidies=subsidies,
        missed=missed,
        abandoned=tuple(seat for seat in seats if seat in match.abandoned or missed[seat] >= patience),
    )
    if rules.circuit_mode == "elimination":
        gone = {seat for group in match.out for seat in group}
        out = tuple(
            seat
            for seat in seats
            if seat not in gone and (match.totals[seat] >= rules.target_score or seat in match.abandoned)
        )
        if out:
            match = replace(match, out=(*match.out, out))
    state.match = match
    last = is_last(state, match)
    state.phase = "over" if last else "pause"
    happened.append(RoundEnded(state.round, rounds(state), match.history[-1], match.subsidies, match.totals, last))
    if last:
        end_match(state, match, happened)


def rounds(state: State) -> int | None:
    return state.rules.rounds if state.rules.circuit_mode == "rounds" else None


def left_in(match: Match) -> list[int]:
    """The seats that are dealt in the next round."""
    gone = {*match.abandoned, *(seat for group in match.out for seat in group)}
    return [seat for seat in range(len(match.totals)) if seat not in gone]


def is_last(state: State, match: Match) -> bool:
    """Whether no round comes after this one."""
    return len(left_in(match)) < 2 or len(match.history) == rounds(state)


def end_match(state: State, match: Match, happened: list[AnyEvent]) -> None:
    if state.rules.circuit_mode == "rounds":
        # C67: rounds that are not played any more count for who is to blame for it.
        rest = scoring.MISSED * (state.rules.rounds - len(match.history))
        totals = tuple(total + rest * (seat in match.abandoned) for seat, total in enumerate(match.totals))
        match = replace(match, totals=totals)
        match = replace(match, standings=scoring.standings(match))
    else:
        match = replace(match, standings=scoring.survivors(match))
    state.match = match
    state.phase = "over"
    happened.append(MatchEnded(match.totals, match.history, match.standings))


def abandon(state: State, seats: Sequence[int]) -> None:
    """C67: who leaves for good has abandoned the match, whatever becomes of the round."""
    match = state.match
    if match is not None and state.phase != "over":
        state.match = replace(match, abandoned=tuple(sorted({*match.abandoned, *seats})))


def end_early(state: State, happened: list[AnyEvent]) -> None:
    """In the pause: end the match if there is nobody left to play against."""
    match = state.match
    assert match is not None
    if is_last(state, match):
        end_match(state, match, happened)
