"""The rules of Coup. Everybody has two cards face down; who has none left is out, and the last one wins.

The numbers U1, U2, … are the rules as the game's page under ``docs/`` counts them; D1, D2, … are its decisions.
The codes of refusals are those of the game's own protocol in small letters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from croupier.games.coup import (
    absence,
    actions,
    answers,
    challenges,
    exchange,
    memory,
    offers,
    position,
    stories,
    terminal,
)
from croupier.games.coup.bot import Believer, Honest
from croupier.games.coup.characters import (
    DECK,
    MUST_COUP,
)
from croupier.games.coup.deck import reshuffle, shuffled_deck
from croupier.games.coup.encoding import CoupEncoding
from croupier.games.coup.events import (
    AnyEvent,
    Dealt,
    Events,
    Rose,
)
from croupier.games.coup.greenhorn import Greenhorn
from croupier.games.coup.lesson import LESSON
from croupier.games.coup.moves import (
    Accept,
    Allow,
    AnyMove,
    Block,
    CallBs,
    Confirm,
    Keep,
    Lose,
    Propose,
    Withdraw,
)
from croupier.games.coup.options import Options
from croupier.games.coup.position import (
    faces,
    live,
    next_living,
    opens,
    owner,
)
from croupier.games.coup.search import Cardinal
from croupier.games.coup.state import Slot, State, View
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

FIRST_COINS = 2
AWAY = "away "
"""The clock of a missing player: this and the seat."""

SOUNDS = ("airhorn", "applause", "coins", "crickets", "drumroll", "gasp", "liar", "sadTrombone")

PLAYS: dict[type[Any], Callable[[State, int, Any, int], Events]] = {
    Propose: actions.propose,
    Allow: answers.allow,
    Accept: answers.accept,
    CallBs: challenges.call_bs,
    Block: answers.block,
    Confirm: answers.confirm,
    Withdraw: answers.withdraw,
    Lose: actions.lose,
    Keep: exchange.keep,
}
"""Where each move is looked at. The order of the checks there decides which code a refusal has."""


class Coup(Game[State, View, Options, AnyMove, AnyEvent]):
    """Coup for 2 to 6 (U3)."""

    name = "coup"
    title = "Coup"
    about = "Claim to be whoever you need to be, and call the bluffs of others. The last one with a card wins."
    seats = range(2, 7)
    usual: ClassVar[Mapping[str, Any]] = {"confirm_policy": "all"}
    customs = Customs(
        seating="queued",  # U5
        late="expire",  # U50
        absent="forfeit",  # U62
        host="present",  # U6
        kicked="onlooker",  # D50
        names="unique",  # D44
        naming=Naming(  # what its own protocol can say
            longest=20,
            pattern=r"[A-Za-z0-9_\-]+( [A-Za-z0-9_\-]+)*",
            hint="a name is 1 to 20 letters, digits, _ and -, with single spaces",
        ),
        pace=(3.0, 15.0),  # 8.1: how long an answer takes must not tell what somebody holds
    )
    asides = ()
    bots: Mapping[str, type[Bot]] = {
        "believer": Believer,
        "cardinal": Cardinal,
        "honest": Honest,
        "greenhorn": Greenhorn,
        "random": RandomBot,
    }
    lesson = LESSON
    encoding = CoupEncoding

    # Before the game

    def deal(self, options: Options, seats: int, chance: Chance, at: int) -> State:
        """What ``lobby``, ``sit`` and ``begin`` come to, in one go: a random game is over after twenty moves."""
        return State(
            options=options,
            chance=chance,
            faces=shuffled_deck(chance),
            deck=list(range(2 * seats, len(DECK))),
            phase="awaiting_action",  # U11
            seats=list(range(seats)),
            hands=[[2 * seat, 2 * seat + 1] for seat in range(seats)],  # U4
            lost=[[] for _ in range(seats)],
            coins=[FIRST_COINS] * seats,
            since=at,
        )

    def lobby(self, options: Options, chance: Chance, at: int) -> State:
        return State(options=options, chance=chance, faces=shuffled_deck(chance), deck=list(range(len(DECK))))

    def sit(self, state: State, seat: int, at: int) -> Sequence[AnyEvent]:
        hand = [state.deck.pop(0), state.deck.pop(0)]  # U4
        state.seats.append(seat)
        state.hands.append(hand)
        state.lost.append([])
        state.coins.append(FIRST_COINS)
        return [Dealt(seat, faces(state, hand), FIRST_COINS, len(state.deck))]

    def rise(self, state: State, seat: int, at: int) -> Sequence[AnyEvent]:
        player = state.seats.index(seat)
        state.deck += state.hands.pop(player)  # U7
        reshuffle(state)  # D9
        del state.seats[player], state.lost[player], state.coins[player]
        return [Rose(seat, len(state.deck))]

    def begin(self, state: State, options: Options, order: Sequence[int], at: int) -> State:
        state.hands = [state.hands[state.seats.index(seat)] for seat in order]
        state.seats = list(range(len(order)))
        state.options = options
        state.phase = "awaiting_action"  # U11: nothing is dealt, and player 0 begins
        state.since = at
        return state

    # Whose word is awaited

    def awaited(self, state: State) -> Sequence[int]:
        if state.paused_at is not None:
            return ()
        phase = state.phase
        if phase == "awaiting_action":
            return (state.current,)
        if phase == "action_window" or phase == "block_window":
            if state.confirmed or state.options.confirm_policy == "all":
                return tuple(state.responders)
            return (*state.responders, state.current if state.blocker is None else state.blocker)
        if phase == "exchanging":
            return (state.current,)
        return () if state.loser is None else (state.loser,)

    def moves(self, state: State, seat: int) -> Sequence[AnyMove]:
        return offers.offered(state, seat)

    # Moves

    def play(self, state: State, seat: int, move: AnyMove, at: int) -> Sequence[AnyEvent]:
        if state.paused_at is not None:
            raise Illegal("the game is paused", "paused")  # U61
        return PLAYS[type(move)](state, seat, move, at)

    # Time

    def clocks(self, state: State) -> Sequence[Clock]:
        options = state.options
        if state.paused_at is not None:  # U61: all others stand still
            if not options.auto_kick_ms:
                return ()
            return [Clock(since + options.auto_kick_ms, (seat,), f"{AWAY}{seat}") for seat, since in state.away]
        found = []
        match state.phase:
            case "action_window" | "block_window":
                if state.confirmed:
                    found.append(Clock(opens(state), (), "confirm"))
                if options.response_timeout_ms:
                    waits = tuple(state.responders) if options.confirm_policy == "all" else (owner(state),)
                    found.append(Clock(state.since + options.response_timeout_ms, waits, "response"))
            case "losing_card" | "exchanging" if options.choice_timeout_ms:
                chooser = state.current if state.loser is None else state.loser
                found.append(Clock(state.since + options.choice_timeout_ms, (chooser,), "choice"))
            case "awaiting_action" if options.turn_timeout_ms:
                found.append(Clock(state.since + options.turn_timeout_ms, (state.current,), "turn"))
        return found

    def expire(self, state: State, clock: str, at: int) -> Sequence[AnyEvent]:
        """U50: what happens to the silent. Auto-kick is the clock of those who are missing."""
        if clock == "confirm" or clock == "response":
            return answers.close_window(state, at, [])  # U23, U24
        if clock.startswith(AWAY):
            return self.leave(state, (int(clock.removeprefix(AWAY)),), at)
        seat = state.current
        if clock == "turn":
            if state.coins[seat] >= MUST_COUP:
                return actions.propose(state, seat, Propose("coup", next_living(state, seat)), at)
            return actions.propose(state, seat, Propose("income"), at)
        if state.phase == "exchanging":
            return exchange.finish(state, live(state, seat).copy(), state.drawn, at)
        assert state.loser is not None
        return actions.lose_slot(state, state.loser, 0, at)

    # Absence

    def absent(self, state: State, seat: int, at: int) -> Sequence[AnyEvent]:
        return absence.absent(state, seat, at)

    def back(self, state: State, seat: int, at: int) -> Sequence[AnyEvent]:
        return absence.resume(state, seat, at)

    def leave(self, state: State, seats: Sequence[int], at: int) -> Sequence[AnyEvent]:
        return absence.leave(state, seats, at)

    # What can be seen

    def view(self, state: State, seat: int | None) -> View:
        return position.seen(state, seat)

    def done(self, state: State, seat: int) -> bool:
        return seat in state.out

    def lay_open(self, state: State, seat: int | None) -> View:
        cards = tuple(
            [
                tuple([Slot(state.faces[card], slot in lost) for slot, card in enumerate(hand)])
                for hand, lost in zip(state.hands, state.lost, strict=True)
            ]
        )
        return msgspec.structs.replace(self.view(state, seat), cards=cards)

    def imagine(self, state: State, seat: int | None, dice: Dice) -> State:
        own = None if seat is None else state.seats.index(seat)
        cards = memory.imagined(state, own, dice)
        return msgspec.structs.replace(
            state,
            chance=Chance(bytes(dice.below(256) for _ in range(32))),
            faces=cards,
            deck=state.deck.copy(),
            seats=state.seats.copy(),
            hands=[hand.copy() for hand in state.hands],
            lost=[lost.copy() for lost in state.lost],
            coins=state.coins.copy(),
            allowed=state.allowed.copy(),
            responders=state.responders.copy(),
            drawn=state.drawn.copy(),
            out=state.out.copy(),
            kicked=state.kicked.copy(),
            away=state.away.copy(),
            clues=memory.remembered(state.clues, own, cards, dice),
            lacks=[msgspec.structs.replace(lack) for lack in state.lacks],
        )

    def result(self, state: State) -> Result | None:
        if state.phase != "game_over":
            return None
        winner = next_living(state, state.current)
        return Result(((winner,), *((seat,) for seat in reversed(state.out))))

    def sounds(self, options: Options) -> Sequence[str]:
        return SOUNDS if options.sounds else ()  # D64

    def tell(self, event: AnyEvent, names: Sequence[str], words: Words = ENGLISH) -> str:
        return stories.tell(event, names, words)

    def show(self, view: View, names: Sequence[str]) -> str:
        return terminal.show(view, names)

    def label(self, move: AnyMove, view: View, names: Sequence[str], words: Words = ENGLISH) -> str:
        return terminal.label(move, view, names, words)
