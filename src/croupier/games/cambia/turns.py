"""The way of a turn: who has it, how long, how it ends; and what becomes of the turn of somebody who is out."""

from __future__ import annotations

from collections.abc import Iterable

from croupier.games.cambia import debts, ending, stock
from croupier.games.cambia.events import AnyEvent, Forfeited, Skipped, Turn
from croupier.games.cambia.sight import view
from croupier.games.cambia.state import State, spot

ABSENT_TURN = 15
"""T11: seconds for the turn of somebody who is away, where there is no limit otherwise."""


def begin(state: State, seat: int, at: int, happened: list[AnyEvent]) -> None:
    state.current = seat
    state.step = "start"
    state.whole = state.away[seat] is not None
    state.due = deadline(state, at)
    happened.append(Turn(seat, state.turn, state.due))


def deadline(state: State, at: int) -> int | None:
    """T3: the time of a turn; it runs from its beginning, and again from a special choice and from a King's look."""
    seconds = state.rules.turn_timer_sec
    if not seconds and state.away[state.current] is not None:
        seconds = ABSENT_TURN
    return at + 1000 * seconds if seconds else None


def end(state: State, at: int, happened: list[AnyEvent]) -> None:
    """C21: the turn is over. T12: so is the game, for somebody who was away for too many of them."""
    if state.whole:
        state.missed[state.current] += 1
        if state.missed[state.current] == state.rules.auto_kick_turn_count:
            forfeit(state, (state.current,), at, happened)
            return
    pass_on(state, at, happened)


def pass_on(state: State, at: int, happened: list[AnyEvent]) -> None:
    """The next seat that has not forfeited becomes current; or the game is over."""
    if state.special is not None:
        close_choice(state)
    seats, seat = len(state.hands), state.current
    while True:
        seat = (seat + 1) % seats
        if seat == state.caller:  # C37, D42: reached, whether the caller is still there or not
            ending.finish(state, "cambia", at, happened)
            return
        if not state.forfeited[seat]:
            break
    if state.turn + 1 == state.rules.max_game_turns:  # C56
        ending.finish(state, "max_turns", at, happened)
        return
    state.turn += 1
    begin(state, seat, at, happened)


def close_choice(state: State) -> None:
    state.special = state.thrown = None
    state.revealed = ()


def skip(state: State, happened: list[AnyEvent]) -> None:
    """D36: a special that is not used is announced; after a King's look with the two cards."""
    happened.append(Skipped(state.current, tuple(spot(state, looked_at.id) for looked_at in state.revealed)))
    close_choice(state)


def run_out(state: State, at: int, happened: list[AnyEvent]) -> None:
    """The time of the turn is up. D26: what is thrown now has no special."""
    seat = state.current
    if state.special is not None:
        skip(state, happened)  # T7, T8
    else:
        if state.held is None and not stock.drawn(state, seat, happened):  # T5
            ending.finish(state, "deck_exhausted", at, happened)  # C54
            return
        stock.throw_drawn(state, happened)  # T6
    end(state, at, happened)


def forfeit(state: State, seats: Iterable[int], at: int, happened: list[AnyEvent]) -> None:
    """T13: these players are out of the game."""
    for seat in seats:
        if state.forfeited[seat]:
            continue
        debts.settle_all(state, happened, seat)
        if seat == state.current and state.phase == "playing":
            if state.special is not None:
                skip(state, happened)
            if state.held is not None:
                stock.throw_drawn(state, happened)  # D92
            state.step = "start"
        state.forfeited[seat] = state.locked[seat] = True
        watchers = (*range(len(state.hands)), None)
        happened.append(Forfeited(seat, tuple(view(state, watcher) for watcher in watchers)))
    if state.forfeited.count(False) <= 1:  # C56
        ending.finish(state, "forfeit", at, happened)
    elif state.phase == "playing" and state.forfeited[state.current]:
        pass_on(state, at, happened)
