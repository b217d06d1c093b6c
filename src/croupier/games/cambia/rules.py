"""The rules of Cambia. Everybody wants the lowest sum, and nobody sees their own cards again.

The numbers C1, C2, … are the rules as docs/games/cambia.md counts them; T1, T2, … are those about time and absence,
D1, D2, … its decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from croupier.games.cambia import (
    actions,
    debts,
    ending,
    rounds,
    scoring,
    sight,
    snaps,
    specials,
    stories,
    terminal,
    turns,
)
from croupier.games.cambia.bot import Elephant, Goldfish, Magpie, Scatterbrain
from croupier.games.cambia.encoding import CambiaEncoding
from croupier.games.cambia.events import AnyEvent
from croupier.games.cambia.lesson import LESSON
from croupier.games.cambia.moves import (
    AnyMove,
    CallCambia,
    Discard,
    DrawDiscardpile,
    DrawStockpile,
    Give,
    Replace,
    Snap,
    UseSpecial,
)
from croupier.games.cambia.options import Options
from croupier.games.cambia.search import Chronicler
from croupier.games.cambia.state import State, View
from croupier.kernel import ENGLISH, Bot, Chance, Clock, Customs, Dice, Game, Illegal, Result, Words

DRAW = DrawStockpile()
DRAW_OPEN = DrawDiscardpile()
CALL = CallCambia()


def not_started() -> Illegal:
    return Illegal("The game has not started yet.", "not_started")  # C12


def out() -> Illegal:
    return Illegal("You are out of this game.", "forfeited")  # T13


# By the kind of move: asking a move whether it is of this kind or that one took as long as drawing a card.
Action = Callable[[State, int, Any, int], list[AnyEvent]]
IN_TURN: Mapping[type[AnyMove], Action] = {
    DrawStockpile: actions.draw,
    DrawDiscardpile: actions.draw_open,
    Discard: actions.discard,
    Replace: actions.replace,
    CallCambia: actions.call,
}
AT_ANY_TIME: Mapping[type[AnyMove], Action] = {Snap: snaps.snap, UseSpecial: specials.use, Give: debts.give}
"""Moves that look for themselves whether they are in time."""


class Cambia(Game[State, View, Options, AnyMove, AnyEvent]):
    """Cambia for 2 to 8 (C1). Seats are those of the table, in the order of joining (C7)."""

    name = "cambia"
    title = "Cambia"
    about = "Remember your cards, get rid of the high ones, and call Cambia when you have the lowest sum."
    seats = range(2, 9)
    customs = Customs(
        seating="queued",  # C7
        late="expire",
        absent="forfeit",
        players="present",
        memory=True,
        pace=(10.0, 10.0),
        leisure=(8.0, 16.0),
        looks=("pregame", "pause"),
    )
    bots: Mapping[str, type[Bot]] = {
        "elephant": Elephant,
        "chronicler": Chronicler,
        "magpie": Magpie,
        "goldfish": Goldfish,
        "random": Scatterbrain,
    }
    lesson = LESSON
    encoding = CambiaEncoding

    def deal(self, options: Options, seats: int, chance: Chance, at: int) -> State:
        return rounds.new(options, seats, chance, at)

    def awaited(self, state: State) -> Sequence[int]:
        if state.phase != "playing":
            return ()
        if not state.debts:
            return (state.current,)
        debtors = [debt.seat for debt in state.debts if state.hands[debt.seat] and debt.seat != state.current]
        return (state.current, *debtors)

    def moves(self, state: State, seat: int) -> Sequence[AnyMove]:
        if state.phase != "playing" or state.forfeited[seat]:
            return ()
        if seat != state.current:
            found: list[AnyMove] = []
        elif state.held is not None:  # C15; C20: without a hand there is nothing to replace
            found = [Discard(state.held), *map(Replace, state.hands[seat])]
        elif state.special is not None:
            found = specials.offers(state)
        else:  # C14
            found = [DRAW]
            if state.rules.allow_draw_from_discard_pile and state.pile:
                found.append(DRAW_OPEN)
            if state.caller is None and not actions.too_early(state):
                found.append(CALL)
        if state.debts and debts.owed_by(state, seat):
            found += map(Give, state.hands[seat])
        else:
            found += snaps.offers(state, seat)  # C39
        return found

    def play(self, state: State, seat: int, move: AnyMove, at: int) -> Sequence[AnyEvent]:
        if state.phase != "playing":
            if state.phase in ("gathering", "pregame"):
                raise not_started()
            raise Illegal("The game is over.", "game_over")  # C61
        if state.forfeited[seat]:
            raise out()
        action = AT_ANY_TIME.get(type(move))
        if action is None:
            if seat != state.current:
                raise Illegal("It is not your turn.", "not_your_turn")  # C13
            if state.special is not None:
                raise Illegal("First use your special action, or skip it.", "special_pending")
            action = IN_TURN[type(move)]
        if not state.missed[seat] and not state.whole:
            return action(state, seat, move, at)
        # T12: whoever acts has not missed the turn; unless the move is refused.
        before = state.missed[seat], state.whole
        state.missed[seat] = 0
        if seat == state.current:
            state.whole = False
        try:
            return action(state, seat, move, at)
        except Illegal:
            state.missed[seat], state.whole = before
            raise

    def clocks(self, state: State) -> Sequence[Clock]:
        rules, since = state.rules, state.since
        match state.phase:
            case "gathering":  # T1: at once, if everybody is there
                missing = [seat for seat, away in enumerate(state.away) if away is not None]
                late = any(not state.forfeited[seat] for seat in missing)
                return (Clock(since + 1000 * rounds.GATHERING * late, name="gathering"),)
            case "pause":
                return (Clock(since + 1000 * rules.round_pause_sec, name="pause"),)  # C68
            case "over":
                return ()
        found = []
        if state.phase == "pregame":
            found.append(Clock(since + 1000 * rules.pre_game_sec, name="pregame"))  # T2
        elif state.due is not None:
            found.append(Clock(state.due, (state.current,), "turn"))  # T3
        found += [Clock(debt.due, (debt.seat,), f"give {debt.seat}") for debt in state.debts]  # C44
        if rules.forfeit_on_disconnect:  # T10
            found += [
                Clock(away + 1000 * rules.disconnect_grace_sec, (seat,), f"grace {seat}")
                for seat, away in enumerate(state.away)
                if away is not None and not state.forfeited[seat]
            ]
        return sorted(found, key=lambda clock: clock.due)

    def expire(self, state: State, clock: str, at: int) -> Sequence[AnyEvent]:
        happened: list[AnyEvent] = []
        match clock.split():
            case ["gathering"]:
                rounds.deal(state, at, happened)
            case ["pregame"]:
                rounds.start(state, at, happened)
            case ["turn"]:
                turns.run_out(state, at, happened)
            case ["give", seat]:
                debts.run_out(state, int(seat), happened)
            case ["grace", seat]:
                turns.forfeit(state, (int(seat),), at, happened)
            case ["pause"]:
                rounds.next_round(state, at, happened)
        return happened

    def leave(self, state: State, seats: Sequence[int], at: int) -> Sequence[AnyEvent]:
        happened: list[AnyEvent] = []
        ending.abandon(state, seats)
        if state.phase in ("gathering", "pregame", "playing"):
            turns.forfeit(state, seats, at, happened)
        elif state.phase == "pause":
            ending.end_early(state, happened)
        return happened

    def absent(self, state: State, seat: int, at: int) -> Sequence[AnyEvent]:
        state.away[seat] = at
        if state.phase == "playing" and seat == state.current and state.due is None:
            state.due = turns.deadline(state, at)  # T11
        return ()

    def back(self, state: State, seat: int, at: int) -> Sequence[AnyEvent]:
        state.away[seat] = None
        state.missed[seat] = 0  # T12
        if state.phase == "playing" and seat == state.current:
            state.whole = False
            if not state.rules.turn_timer_sec:
                state.due = None  # T11; T14: any other clock goes on
        return ()

    def view(self, state: State, seat: int | None) -> View:
        return sight.view(state, seat)

    def done(self, state: State, seat: int) -> bool:
        return state.match is None and state.forfeited[seat]

    def lay_open(self, state: State, seat: int | None) -> View:
        return sight.lay_open(state, seat)

    def recall(self, state: State, seat: int | None) -> dict[str, str]:
        return sight.recall(state, seat)

    def imagine(self, state: State, seat: int | None, dice: Dice) -> State:
        return sight.imagine(state, seat, dice)

    def result(self, state: State) -> Result | None:
        if state.phase != "over" or state.outcome is None:
            return None
        if state.match is not None:
            return Result(state.match.standings, state.match.totals)
        return Result(scoring.placings(state.outcome), state.outcome.scores)

    def tell(self, event: AnyEvent, names: Sequence[str], words: Words = ENGLISH) -> str:
        return stories.tell(event, names, words)

    def show(self, view: View, names: Sequence[str]) -> str:
        return terminal.show(view, names)

    def label(self, move: AnyMove, view: View, names: Sequence[str], words: Words = ENGLISH) -> str:
        return terminal.label(move, view, names, words)
