"""The rules of Cambia. Everybody wants the lowest sum, and nobody sees their own cards again.

The numbers C1, C2, … are the rules as the game's page under ``docs/`` counts them; T1, T2, … are those about time and
absence, D1, D2, … its decisions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from croupier.games.cambia import debts, ending, rounds, scoring, sight, snaps, specials, stock, stories, turns
from croupier.games.cambia.bot import Elephant, Scatterbrain
from croupier.games.cambia.cards import is_id
from croupier.games.cambia.events import AnyEvent, Called, Drew, Replaced
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
from croupier.games.cambia.state import State, View, no_card
from croupier.kernel import ENGLISH, Bot, Chance, Clock, Customs, Dice, Game, Illegal, Result, Words

DRAW = DrawStockpile()
DRAW_OPEN = DrawDiscardpile()
CALL = CallCambia()


def not_started() -> Illegal:
    return Illegal("The game has not started yet.", "not_started")  # C12


def out() -> Illegal:
    return Illegal("You are out of this game.", "forfeited")  # T13


def already_drawn() -> Illegal:
    return Illegal("You have drawn a card already.", "already_drawn")  # C15


AT_ANY_TIME = (Snap, UseSpecial, Give)
"""Moves that look for themselves whether they are in time."""


class Cambia(Game[State, View, Options, AnyMove, AnyEvent]):
    """Cambia for 2 to 8 (C1). Seats are those of the table, in the order of joining (C7)."""

    name = "cambia"
    title = "Cambia"
    about = "Remember your cards, get rid of the high ones, and call Cambia when you have the lowest sum."
    seats = range(2, 9)
    customs = Customs(
        seating="queued", late="expire", absent="forfeit", players="present", pace=10.0, memory=True
    )  # C7
    bots: ClassVar[Mapping[str, type[Bot]]] = {"elephant": Elephant, "random": Scatterbrain}

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
            found = [Discard(state.held), *[Replace(card) for card in state.hands[seat]]]
        elif state.special is not None:
            found = specials.offers(state)
        else:  # C14
            found = [DRAW]
            if state.rules.allow_draw_from_discard_pile and state.pile:
                found.append(DRAW_OPEN)
            if state.caller is None and not self._too_early(state):
                found.append(CALL)
        if state.debts and debts.owed_by(state, seat):
            found += [Give(card) for card in state.hands[seat]]
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
        if not state.missed[seat] and not state.whole:
            return self._play(state, seat, move, at)
        # T12: whoever acts has not missed the turn; unless the move is refused.
        before = state.missed[seat], state.whole
        state.missed[seat] = 0
        if seat == state.current:
            state.whole = False
        try:
            return self._play(state, seat, move, at)
        except Illegal:
            state.missed[seat], state.whole = before
            raise

    def _play(self, state: State, seat: int, move: AnyMove, at: int) -> Sequence[AnyEvent]:
        if isinstance(move, AT_ANY_TIME):
            return self._interject(state, seat, move, at)
        if seat != state.current:
            raise Illegal("It is not your turn.", "not_your_turn")  # C13
        if state.special is not None:
            raise Illegal("First use your special action, or skip it.", "special_pending")
        if isinstance(move, Replace):
            return self._replace(state, seat, move, at)
        if isinstance(move, DrawStockpile):
            return self._draw(state, seat, at)
        if isinstance(move, Discard):
            return self._discard(state, move.card, at)
        if isinstance(move, DrawDiscardpile):
            return self._draw_open(state, seat)
        return self._call(state, seat, at)

    def _interject(self, state: State, seat: int, move: Snap | UseSpecial | Give, at: int) -> Sequence[AnyEvent]:
        match move:
            case Snap():
                return snaps.snap(state, seat, move.card, at)
            case UseSpecial():
                return specials.use(state, seat, move, at)
            case Give():
                return debts.give(state, seat, move.card, move.idx)

    def _draw(self, state: State, seat: int, at: int) -> Sequence[AnyEvent]:
        if state.held is not None:
            raise already_drawn()
        happened: list[AnyEvent] = []
        if not stock.drawn(state, seat, happened):
            ending.finish(state, "deck_exhausted", at, happened)  # C54
        return happened

    def _draw_open(self, state: State, seat: int) -> Sequence[AnyEvent]:
        if state.held is not None:
            raise already_drawn()
        if not state.rules.allow_draw_from_discard_pile:
            raise Illegal("Drawing from the discard pile is not allowed.", "not_allowed")
        if not state.pile:
            raise Illegal("The discard pile is empty.", "pile_empty")
        card = state.held = state.pile.pop()
        state.source = "discardpile"  # C17
        state.step = "holding"
        return [Drew(seat, card, state.faces[card], "discardpile", len(state.stock), len(state.pile))]

    def _discard(self, state: State, card: str, at: int) -> Sequence[AnyEvent]:
        if state.held is None:
            raise Illegal("Draw a card first.", "must_draw_first")
        if card != state.held:
            if card not in state.faces and not is_id(card):
                raise no_card()
            raise Illegal("That is not the card you have drawn.", "wrong_card")
        happened: list[AnyEvent] = []
        stock.throw_drawn(state, happened)
        # C23a, C17: a card from the discard pile is only put back
        if state.source == "discardpile" or not specials.opens(state, card, at, happened):
            turns.end(state, at, happened)
        return happened

    def _replace(self, state: State, seat: int, move: Replace, at: int) -> Sequence[AnyEvent]:
        held = state.held
        if held is None:
            raise Illegal("Draw a card first.", "must_draw_first")
        # D14: the drawn card's id says nothing about which one to throw
        named = None if move.card == held and move.idx is not None else move.card
        if named == held:
            raise no_card()
        idx = debts.own_card(state, seat, named, move.idx)
        hand = state.hands[seat]
        card, hand[idx] = hand[idx], held  # C19
        state.held = None
        happened: list[AnyEvent] = [Replaced(seat, held, idx)]
        stock.throw(state, seat, card, idx, happened)
        triggers = state.rules.allow_replace_abilities and state.source == "stockpile"  # C23b
        if not triggers or not specials.opens(state, card, at, happened):
            turns.end(state, at, happened)
        return happened

    def _call(self, state: State, seat: int, at: int) -> Sequence[AnyEvent]:
        if state.caller is not None:
            raise Illegal("Cambia has been called already.", "cambia_called")
        if state.held is not None:
            raise Illegal("Too late: Cambia is called instead of drawing.", "cambia_after_draw")  # D40
        if self._too_early(state):
            raise Illegal("It is too early to call Cambia.", "cambia_too_early")
        happened: list[AnyEvent] = []
        debts.settle_all(state, happened, seat)  # C44, D91
        state.caller = seat
        state.locked[seat] = state.rules.lock_caller_hand  # C36, C38
        happened.append(Called(seat))
        turns.end(state, at, happened)  # C35
        return happened

    def _too_early(self, state: State) -> bool:
        """C34."""
        rounds = state.rules.cambia_allowed_round
        return rounds > 0 and state.turn // state.players < rounds

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
        return stories.show(view, names)

    def label(self, move: AnyMove) -> str:
        return stories.label(move)
