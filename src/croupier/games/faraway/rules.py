"""The rules of Faraway. Lay eight regions from left to right; then walk back, and each scores what it still sees.

The numbers F1, F2, … are the rules as the game's page under ``docs/`` counts them; D8, D9, … are its decisions.
A card is the index that ``cards.py`` knows it by, regions and sanctuaries each by their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter

from croupier.games.faraway import rounds, sight, stories, terminal
from croupier.games.faraway.bot import LookAhead, Rising, Sightseer
from croupier.games.faraway.cards import REGION_DECKS, SANCTUARY_DECKS
from croupier.games.faraway.encoding import FarawayEncoding
from croupier.games.faraway.events import AnyEvent, Forfeited
from croupier.games.faraway.lesson import LESSON
from croupier.games.faraway.moves import CHOICES, PLAYS, TAKES, AnyMove, Choose, Play
from croupier.games.faraway.options import Options
from croupier.games.faraway.ranking import ranking
from croupier.games.faraway.rounds import draw, put_under, revealed, shop_size
from croupier.games.faraway.search import Cartographer
from croupier.games.faraway.state import Private, State, View
from croupier.kernel import (
    ENGLISH,
    Bot,
    Chance,
    Clock,
    Customs,
    Dice,
    Game,
    RandomBot,
    Result,
    Words,
)


class Faraway(Game[State, View, Options, AnyMove, AnyEvent]):
    """Faraway for 2 to 6, with the expansion for 7."""

    name = "faraway"
    title = "Faraway"
    about = "Explore eight regions, then score them on the way back: each sees only what you found after it."
    seats = range(2, 8)
    customs = Customs(seating="arrival", late="expire", absent="forfeit", grace=60.0, linger=600.0, idle=3600.0)
    obvious = (Choose,)
    bots: Mapping[str, type[Bot]] = {
        "look-ahead": LookAhead,
        "cartographer": Cartographer,
        "rising": Rising,
        "sightseer": Sightseer,
        "random": RandomBot,
    }
    lesson = LESSON
    encoding = FarawayEncoding

    def seats_for(self, options: Options) -> range:
        return range(1 if options.solo else 2, 8 if options.card_set == "full" else 7)  # F1

    def deal(self, options: Options, seats: int, chance: Chance, at: int) -> State:
        regions = list(REGION_DECKS[options.card_set])
        sanctuaries = list(SANCTUARY_DECKS[options.card_set])
        chance.shuffle(regions, "regions")  # F4
        chance.shuffle(sanctuaries, "sanctuaries")
        hands = [draw(regions, 3) for _ in range(seats)]  # F6
        # F8: the first round, play phase, as in every new state.
        return State(
            options=options,
            since=at,
            dealt=list(map(tuple, hands)),
            hands=hands,
            rows=[[] for _ in hands],
            sanctuaries=[[] for _ in hands],
            offers=[[] for _ in hands],
            seen=[[] for _ in hands],
            shop=draw(regions, shop_size(seats)),  # F7
            players=list(range(seats)),
            waiting=list(range(seats)),
            region_deck=regions,
            sanctuary_deck=sanctuaries,
        )

    def awaited(self, state: State) -> Sequence[int]:
        # F11: in the shop one after the other, otherwise all who have not chosen yet.
        return tuple(state.waiting[:1] if state.phase == "shop" else state.waiting)

    def moves(self, state: State, seat: int) -> Sequence[AnyMove]:
        waiting = state.waiting
        if seat not in waiting:
            return ()
        if state.phase == "play":
            return [PLAYS[card] for card in state.hands[seat]]
        if state.phase == "sanctuary":
            return [CHOICES[card] for card in state.offers[seat]]
        return [TAKES[card] for card in state.shop] if waiting[0] == seat else ()

    def play(self, state: State, seat: int, move: AnyMove, at: int) -> Sequence[AnyEvent]:
        if type(move) is Play:
            return rounds.play(state, seat, move.card, at)
        if type(move) is Choose:
            return rounds.choose(state, seat, move.card, at)
        return rounds.take(state, seat, move.card, at)

    # Leaving

    def leave(self, state: State, seats: Sequence[int], at: int) -> Sequence[AnyEvent]:
        gone = [seat for seat in state.players if seat in seats]
        if state.phase == "end" or not gone:  # D37: a game that is over stays as it is
            return []
        chooser = self.awaited(state)[0]
        for seat in gone:  # F60
            if state.phase == "play" and seat not in state.waiting:
                state.hands[seat].append(state.rows[seat].pop())  # nobody will see it
            put_under(state, seat)
            for some in (state.players, state.waiting, state.shop_order):
                if seat in some:
                    some.remove(seat)
        state.left.append(gone)
        return [*map(Forfeited, gone), *self._go_on(state, chooser, at)]

    def _go_on(self, state: State, chooser: int, at: int) -> list[AnyEvent]:
        """F61: a game never waits for somebody who is gone. F62: nor does anybody play alone."""
        if not state.players:  # R14
            return rounds.end(state, "abandoned")
        if len(state.players) == 1 and not state.options.solo:
            events: list[AnyEvent] = []
            if state.phase == "play" and not state.waiting:
                events = [revealed(state)]
            put_under(state, state.players[0])
            return events + rounds.end(state, "forfeit")
        if state.waiting:
            if state.phase == "shop" and state.waiting[0] != chooser:
                state.since = at
            return []
        if state.phase == "play":
            return rounds.reveal(state, at)
        if state.phase == "sanctuary":
            return rounds.after_sanctuaries(state, at)
        return rounds.next_round(state, at)

    # Time

    def clocks(self, state: State) -> Sequence[Clock]:
        seconds = state.options.action_timeout
        if seconds == 0 or state.phase == "end":  # R23
            return ()
        return (Clock(state.since + 1000 * seconds, tuple(self.awaited(state)), state.phase),)

    @property
    def heeds_absence(self) -> bool:
        return True  # R16, R18: it is shown in the state, which is numbered, and the numbers never go back

    def resume(self, state: State, at: int) -> None:
        state.since = at  # R20: time limits begin again in full

    def expire(self, state: State, clock: str, at: int) -> Sequence[AnyEvent]:
        """R24: the first who is late plays the lowest card, or takes the first.

        The clock stays where it is until the phase is over, so the others who are late follow at once: each of these
        is an action of its own.
        """
        seat = self.awaited(state)[0]
        moves = self.moves(state, seat)
        return self.play(state, seat, min(moves, key=attrgetter("card")) if state.phase == "play" else moves[0], at)

    # What can be known

    def view(self, state: State, seat: int | None) -> View:
        return sight.seen(state, seat, state.phase == "end" or state.options.open_information)

    def private(self, state: State, seat: int) -> Private | None:
        return sight.private(state, seat)

    def lay_open(self, state: State, seat: int | None) -> View:
        return sight.seen(state, seat, True)

    def imagine(self, state: State, seat: int | None, dice: Dice) -> State:
        return sight.imagined(state, seat, dice)

    def result(self, state: State) -> Result | None:
        if state.phase != "end":
            return None
        totals = tuple(map(sum, state.earned))
        places: list[tuple[int, ...]] = []
        for standing in ranking(state):
            if places and state.options.tie_break == "shared" and standing.total == totals[places[-1][0]]:
                places[-1] = tuple(sorted((*places[-1], standing.seat)))
            else:
                places.append((standing.seat,))
        places += map(tuple, reversed(state.left))  # who stayed longer comes before who left earlier
        return Result(tuple(places), totals)

    def tell(self, event: AnyEvent, names: Sequence[str], words: Words = ENGLISH) -> str:
        return stories.tell(event, names, words)

    def show(self, view: View, names: Sequence[str]) -> str:
        return terminal.show(view, names)

    def label(self, move: AnyMove, view: View, names: Sequence[str], words: Words = ENGLISH) -> str:
        return terminal.label(move, view, words)
