"""The rules of Fortress. Bring the enemy castle down, behind its soldiers; whatever you do may be answered.

The numbers T1, T2, … are the rules as the game's page under ``docs/`` counts them; D1, D2, … are its decisions.
Where to find what: moves are checked in ``actions.py`` and ``answers.py``, wait on the ``stack.py``, and are carried
out by ``resolution.py``, ``tasks.py`` and ``effect_handlers.py``. The cards are in ``catalogue.py``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from croupier.games.fortress import decks, memory, stories, terminal
from croupier.games.fortress import moves as mv
from croupier.games.fortress.actions import act
from croupier.games.fortress.answers import reply, respond
from croupier.games.fortress.bot import Warden
from croupier.games.fortress.cards import CARDS
from croupier.games.fortress.encoding import FortressEncoding
from croupier.games.fortress.events import (
    Accepted,
    AnyEvent,
    Brought,
    CastlesRevealed,
    Dealt,
    Missing,
    Rejoined,
    Returned,
    TimedOut,
)
from croupier.games.fortress.lesson import LESSON
from croupier.games.fortress.moves import AnyMove
from croupier.games.fortress.offers import ALLOW, OFFERS
from croupier.games.fortress.options import Options
from croupier.games.fortress.recruits import Recruit, Sergeant
from croupier.games.fortress.resolution import run
from croupier.games.fortress.search import Castellan
from croupier.games.fortress.stack import declare_draw
from croupier.games.fortress.state import FinishTurn, Side, State
from croupier.games.fortress.tasks import start_turn
from croupier.games.fortress.view import View, seen
from croupier.games.fortress.zones import Out, end, from_deck, out_of_hand, shuffle
from croupier.kernel import (
    ENGLISH,
    Bot,
    Chance,
    Clock,
    Customs,
    Dice,
    Game,
    Illegal,
    Naming,
    RandomBot,
    Result,
    Words,
)

FIRST_HAND = 6
STRIKES = 3
"""T109"""
DECK, MULLIGAN, AWAY = "deck ", "mulligan ", "away "
"""Clocks of one player: this and the seat."""
LIMITS = {"window": "response_timeout", "choice": "choice_timeout", "main": "turn_timeout"}
"""By phase, the option that says how many seconds it waits for an answer; 0: as long as it takes."""
ABOUT_HANDS = (mv.Mulligan, mv.AcceptHand, mv.ReturnCard)


def _due(state: State) -> int | None:
    """When time is up for the answer that the game waits for."""
    limit = LIMITS.get(state.phase)
    seconds = getattr(state.options, limit) if limit else 0
    return state.since + 1000 * seconds if seconds else None


class Fortress(Game[State, View, Options, AnyMove, AnyEvent]):
    """Fortress for two (T1)."""

    name = "fortress"
    title = "Fortress"
    about = "Two castles, two armies. Break through to the enemy castle, and keep your tricks face down till it counts."
    seats = range(2, 3)
    customs = Customs(late="expire", absent="forfeit", naming=Naming(longest=32, taken=("AI",)))  # D72
    obvious = (mv.AllowAction, mv.DrawCard)
    bots: Mapping[str, type[Bot]] = {
        "warden": Warden,
        "castellan": Castellan,
        "sergeant": Sergeant,
        "recruit": Recruit,
        "random": RandomBot,
    }
    lesson = LESSON
    encoding = FortressEncoding

    def deal(self, options: Options, seats: int, chance: Chance, at: int) -> State:
        # Nothing is dealt before both have brought a deck.
        sides = [Side(castle=-1, health=0, deck=[]) for _ in range(seats)]
        return State(options=options, chance=chance, sides=sides, waits=[at] * seats, since=at)

    def awaited(self, state: State) -> Sequence[int]:
        phase = state.phase
        if phase == "window":
            return (state.holder,)  # type: ignore[return-value]
        if phase == "main":
            return (state.active,)
        if phase == "choice":
            return (state.request.seat,)  # type: ignore[union-attr]
        if phase == "mulligan":
            return [seat for seat, side in enumerate(state.sides) if not side.accepted]
        if phase == "decks":
            return [seat for seat, side in enumerate(state.sides) if side.castle < 0]
        return ()

    def moves(self, state: State, seat: int) -> Sequence[AnyMove]:
        return OFFERS[state.phase](state, seat)

    def play(self, state: State, seat: int, move: AnyMove, at: int) -> Sequence[AnyEvent]:
        out: Out = []
        phase = state.phase
        if phase == "window":
            respond(state, seat, move, out)
        elif phase == "main":
            act(state, seat, move, out)
        elif phase == "choice":
            reply(state, seat, move, out)
        elif phase == "over":
            raise Illegal("the game is over", "game_over")
        else:
            return self._prepare(state, seat, move, at)
        if state.phase == "main":
            run(state, out)
        state.since = at
        state.strikes[seat] = 0
        return out

    # Before the first turn

    def _prepare(self, state: State, seat: int, move: AnyMove, at: int) -> Out:
        out: Out = []
        side = state.sides[seat]
        if state.phase == "decks":
            if type(move) is not mv.BringDeck:
                raise Illegal("both have to choose a deck first", "not_started")
            if side.castle >= 0:
                raise Illegal("you have a deck already", "already_accepted")
            self._bring(state, seat, move.cards, at, out)
        else:
            if type(move) not in ABOUT_HANDS:
                raise Illegal("the game starts when both have accepted their hands", "not_started")
            if side.accepted:
                raise Illegal("you have accepted your hand", "already_accepted")  # T16
            if type(move) is mv.Mulligan:
                self._mulligan(state, seat, out)
            elif type(move) is mv.ReturnCard:
                place = move.place
                if place.seat != seat or place.zone != "hand" or not 1 <= place.number <= len(side.hand):
                    raise Illegal("there is no card of yours", "bad_position")
                self._return(state, seat, place.number - 1, out)
            else:
                self._accept(state, seat, out)
            state.waits[seat] = state.since = at
        state.strikes[seat] = 0
        return out

    def _bring(self, state: State, seat: int, cards: Sequence[int], at: int, out: Out) -> None:
        reason = decks.refusal(cards)
        if reason is not None:
            raise Illegal(reason, "bad_deck")
        side = state.sides[seat]
        *side.deck, side.castle = cards  # T11
        side.health = CARDS[side.castle].health  # T18
        out.append(Brought(seat))
        if all(each.castle >= 0 for each in state.sides):
            state.phase = "mulligan"
            state.waits = [at, at]
            for each in range(2):
                state.chance.shuffle(state.sides[each].deck, f"deck {each}")  # T13
                self._deal_hand(state, each, FIRST_HAND, out)

    def _deal_hand(self, state: State, seat: int, count: int, out: Out) -> None:
        """T14: the first card drawn is hand 1."""
        side = state.sides[seat]
        side.dealt = count
        from_deck(side, count)
        out.append(Dealt(seat, tuple(side.hand), count, len(side.deck)))

    def _mulligan(self, state: State, seat: int, out: Out) -> None:
        """T15"""
        side = state.sides[seat]
        if side.dealt == 1:
            raise Illegal("one card is the smallest hand", "no_mulligan_left")  # D13
        side.deck[:0] = side.hand
        side.hand, side.clues, side.fewer = [], [], []
        state.chance.shuffle(side.deck, f"deck {seat}")
        self._deal_hand(state, seat, side.dealt - 1, out)

    def _return(self, state: State, seat: int, index: int, out: Out) -> None:
        """T17: without another card for it."""
        side = state.sides[seat]
        side.deck.insert(0, out_of_hand(side, index))
        out.append(Returned(seat, index + 1, len(side.hand)))
        shuffle(state, seat, out)

    def _accept(self, state: State, seat: int, out: Out) -> None:
        state.sides[seat].accepted = True
        out.append(Accepted(seat))
        if not all(side.accepted for side in state.sides):
            return
        one, two = state.sides
        order = [0, 1]
        state.chance.shuffle(order, "first")  # T13
        out.append(CastlesRevealed((one.castle, two.castle), (one.health, two.health), order[0]))
        start_turn(state, order[0], out)
        state.phase = "main"

    # Time

    def clocks(self, state: State) -> Sequence[Clock]:
        found = [
            Clock(since + 1000 * state.options.grace, (seat,), f"{AWAY}{seat}")
            for seat, since in enumerate(state.away)
            if since is not None and state.winner is None
        ]
        if state.phase == "mulligan" and state.options.mulligan_timeout:
            found += [
                Clock(state.waits[seat] + 1000 * state.options.mulligan_timeout, (seat,), f"{MULLIGAN}{seat}")
                for seat in self.awaited(state)
            ]
        if (due := _due(state)) is not None:
            found.append(Clock(due, tuple(self.awaited(state)), state.phase))
        return found

    def expire(self, state: State, clock: str, at: int) -> Sequence[AnyEvent]:
        out: Out = []
        if clock.startswith(AWAY):
            end(state, 1 - int(clock[len(AWAY) :]), "disconnect", out)
            return out
        if clock.startswith(DECK):  # in logs from before: nobody is hurried any more while they build a deck
            self._bring(state, int(clock[len(DECK) :]), next(iter(decks.STARTERS.values())), at, out)
            return out
        (seat,) = next(each.seats for each in self.clocks(state) if each.name == clock)
        if clock == "window":  # the only wait that does not count as a strike
            respond(state, seat, ALLOW, out)
        else:
            state.strikes[seat] += 1
            out.append(TimedOut(seat, state.strikes[seat]))
            if state.strikes[seat] >= STRIKES:
                end(state, 1 - seat, "timeout", out)  # T109
                return out
            if clock.startswith(MULLIGAN):
                self._accept(state, seat, out)
                state.since = at
                return out
            if clock == "choice":
                self._default(state, seat, out)
            elif state.must_draw:
                state.ending = True
                declare_draw(state, seat, out)
            else:
                state.agenda.append(FinishTurn())
        run(state, out)
        state.since = at
        return out

    def _default(self, state: State, seat: int, out: Out) -> None:
        """What is answered for somebody: no; and where a card has to be chosen, the first one."""
        request = state.request
        assert request is not None
        if request.kind != "target":
            reply(state, seat, mv.Answer(False), out)
        else:
            reply(state, seat, mv.ChooseCard(None if request.optional else request.region[0]), out)

    # Presence

    def absent(self, state: State, seat: int, at: int) -> Sequence[AnyEvent]:
        if state.winner is not None or state.away[seat] is not None:
            return ()
        out: Out = [Missing(seat, state.options.grace)]
        state.away[seat] = at
        if state.options.grace == 0:
            end(state, 1 - seat, "disconnect", out)
        return out

    def back(self, state: State, seat: int, at: int) -> Sequence[AnyEvent]:
        if state.away[seat] is None:
            return ()
        state.away[seat] = None
        return [Rejoined(seat)] if state.winner is None else ()

    def leave(self, state: State, seats: Sequence[int], at: int) -> Sequence[AnyEvent]:
        """T109; T110: of two who leave together, the first has lost."""
        out: Out = []
        for seat in seats:
            end(state, 1 - seat, "forfeit", out)
        return out

    # What can be seen

    def view(self, state: State, seat: int | None) -> View:
        return seen(state, seat, self._closes(state))

    def lay_open(self, state: State, seat: int | None) -> View:
        return seen(state, seat, self._closes(state), laid_open=True)

    def _closes(self, state: State) -> int | None:
        if state.phase == "mulligan":
            return min((clock.due for clock in self.clocks(state) if clock.name.startswith(MULLIGAN)), default=None)
        return _due(state)

    def imagine(self, state: State, seat: int | None, dice: Dice) -> State:
        return memory.imagined(state, seat, dice)

    def result(self, state: State) -> Result | None:
        if state.winner is None:
            return None
        return Result(((state.winner,), (1 - state.winner,)))

    def tell(self, event: AnyEvent, names: Sequence[str], words: Words = ENGLISH) -> str:
        return stories.tell(event, names, words)

    def show(self, view: View, names: Sequence[str]) -> str:
        return terminal.show(view, names)

    def label(self, move: AnyMove, view: View, names: Sequence[str], words: Words = ENGLISH) -> str:
        return terminal.label(move, view, names, words)
