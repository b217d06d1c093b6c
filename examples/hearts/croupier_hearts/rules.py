"""The rules of Hearts. Take no hearts and not the queen of spades; or take all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from croupier.kernel import (
    ENGLISH,
    Bot,
    Chance,
    Clock,
    Customs,
    Dice,
    Form,
    Game,
    Illegal,
    OutOfTurn,
    RandomBot,
    Result,
    SomeOf,
    Words,
)
from croupier.kernel.cards import DECK, suit
from croupier_hearts import imagining, stories, terminal
from croupier_hearts.bot import Careful
from croupier_hearts.encoding import HeartsEncoding
from croupier_hearts.events import (
    AnyEvent,
    AnyMove,
    Begun,
    Dealt,
    Pass,
    Passed,
    Play,
    Played,
    Received,
    Scored,
    TookTrick,
)
from croupier_hearts.state import (
    BY_SUIT,
    HEIGHT,
    LEADS,
    MOON,
    QUEEN,
    SEATS,
    Options,
    State,
    Trick,
    View,
    giver,
    points,
)


class Hearts(Game[State, View, Options, AnyMove, AnyEvent]):
    name = "hearts"
    title = "Hearts"
    about = "Take no hearts and not the queen of spades; or dare to take them all. Four players."
    seats = range(SEATS, SEATS + 1)
    customs = Customs(late="expire", absent="stand_in", grace=90.0, leisure=(4.0, 9.0), looks=("score",))
    bots: Mapping[str, type[Bot]] = {"careful": Careful, "random": RandomBot}
    encoding = HeartsEncoding

    def deal(self, options: Options, seats: int, chance: Chance, at: int) -> State:
        state = State(options, chance, at, [0] * SEATS, [], [], [])
        self._deal(state, at)
        return state

    def _deal(self, state: State, at: int) -> list[AnyEvent]:
        deck = list(DECK)
        state.chance.shuffle(deck, f"deck {state.number + 1}")
        state.hands = [sorted(deck[13 * seat : 13 * seat + 13], key=BY_SUIT) for seat in range(SEATS)]
        state.given = [()] * SEATS
        state.trick, state.tricks, state.broken = [], [], False
        state.lacks = [[] for _ in range(SEATS)]
        state.phase, state.since = "pass", at
        dealt = Dealt(state.number, state.direction, tuple(map(tuple, state.hands)))
        return [dealt, *(self._begin(state, at) if state.direction == "hold" else ())]

    def _begin(self, state: State, at: int) -> list[AnyEvent]:
        state.phase, state.since = "play", at
        state.leader = next(seat for seat, hand in enumerate(state.hands) if LEADS in hand)
        return [Begun(state.leader)]

    def awaited(self, state: State) -> Sequence[int]:
        match state.phase:
            case "pass":
                return [seat for seat in range(SEATS) if not state.given[seat]]
            case "play":
                return [state.mover]
        return ()

    def moves(self, state: State, seat: int) -> Sequence[AnyMove]:
        return [Play(card) for card in playable(state, seat)] if state.phase == "play" and seat == state.mover else ()

    def forms(self, state: State, seat: int) -> Sequence[Form]:
        if state.phase != "pass" or state.given[seat]:
            return ()
        return [Form.of(Pass, cards=SomeOf(state.hands[seat], 3, 3))]  # 286 ways

    def play(self, state: State, seat: int, move: AnyMove, at: int) -> Sequence[AnyEvent]:
        if isinstance(move, Pass):
            return self._pass(state, seat, move.cards, at)
        if state.phase != "play" or seat != state.mover:
            raise OutOfTurn
        refuse(state, seat, move.card)
        return self._play(state, seat, move.card, at)

    def _pass(self, state: State, seat: int, cards: tuple[str, ...], at: int) -> list[AnyEvent]:
        if state.phase != "pass":
            raise Illegal("cards are passed before the first trick", "wrong_phase")
        if state.given[seat]:
            raise OutOfTurn("you have passed your cards already")
        if len(set(cards)) != 3 or not set(cards) <= set(state.hands[seat]):
            raise Illegal("pass three cards out of your hand")
        state.given[seat] = tuple(sorted(cards, key=BY_SUIT))
        events: list[AnyEvent] = [Passed(seat, state.given[seat])]
        if not all(state.given):
            return events
        for each, gift in enumerate(state.given):
            state.hands[each] = [card for card in state.hands[each] if card not in gift]
        for each in range(SEATS):
            gift = state.given[giver(each, state.number)]
            state.hands[each] = sorted([*state.hands[each], *gift], key=BY_SUIT)
            events.append(Received(each, giver(each, state.number), gift))
        return [*events, *self._begin(state, at)]

    def _play(self, state: State, seat: int, card: str, at: int) -> list[AnyEvent]:
        take_note(state, seat, card)
        breaks = suit(card) == "♥" and not state.broken
        state.broken |= breaks
        state.hands[seat].remove(card)
        state.trick.append(card)
        state.since = at
        events: list[AnyEvent] = [Played(seat, card, breaks)]
        if len(state.trick) < SEATS:
            return events
        highest = max((card for card in state.trick if suit(card) == suit(state.trick[0])), key=HEIGHT.__getitem__)
        trick = Trick(state.leader, tuple(state.trick), (state.leader + state.trick.index(highest)) % SEATS)
        state.tricks.append(trick)
        state.leader, state.trick = trick.winner, []
        events.append(TookTrick(trick.winner, trick.cards, trick.points))
        if not state.hands[seat]:
            events += self._score(state, at)
        return events

    def _score(self, state: State, at: int) -> list[AnyEvent]:
        scored = [sum(map(points, state.taken(seat))) for seat in range(SEATS)]
        shooter = scored.index(MOON) if MOON in scored else None
        if shooter is not None:
            scored = [0 if seat == shooter else MOON for seat in range(SEATS)]
        state.history.append(scored)
        state.scores = [total + more for total, more in zip(state.scores, scored, strict=True)]
        over = max(state.scores) >= state.options.points
        state.phase, state.since = "over" if over else "score", at
        events: list[AnyEvent] = [Scored(tuple(scored), tuple(state.scores), shooter)]
        return events if over or state.options.pause else [*events, *self._next(state, at)]

    def _next(self, state: State, at: int) -> list[AnyEvent]:
        state.number += 1
        return self._deal(state, at)

    def clocks(self, state: State) -> Sequence[Clock]:
        if state.phase == "score":
            return [Clock(state.since + 1000 * state.options.pause, name="score")]
        seats, seconds = tuple(self.awaited(state)), state.options.turn
        if not seats or not seconds:
            return ()
        # To choose three out of thirteen takes longer than to play a card.
        return [Clock(state.since + (3000 if state.phase == "pass" else 1000) * seconds, seats, state.phase)]

    def expire(self, state: State, clock: str, at: int) -> Sequence[AnyEvent]:
        if clock == "score":
            return self._next(state, at)
        # Nobody thinks for those who are late: their highest cards are passed, and the lowest one is played.
        if clock == "pass":
            late = {seat: sorted(state.hands[seat], key=HEIGHT.__getitem__)[-3:] for seat in self.awaited(state)}
            return [event for seat, cards in late.items() for event in self._pass(state, seat, tuple(cards), at)]
        lowest = min(playable(state, state.mover), key=HEIGHT.__getitem__)
        return self._play(state, state.mover, lowest, at)

    def view(self, state: State, seat: int | None) -> View:
        hand: Sequence[str] = ()
        given: tuple[str, ...] = ()
        received: tuple[str, ...] = ()
        if seat is not None:
            hand, given = state.hands[seat], state.given[seat]
            received = state.given[giver(seat, state.number)] if state.phase != "pass" else ()
        return View(
            seat=seat,
            phase=state.phase,
            number=state.number,
            direction=state.direction,
            hand=tuple(hand),
            given=given,
            received=received,
            chosen=tuple(map(bool, state.given)),
            held=tuple(map(len, state.hands)),
            leader=state.leader if state.phase == "play" else 0,
            trick=tuple(state.trick),
            last=state.tricks[-1] if state.tricks else None,
            tricks=tuple(sum(trick.winner == each for trick in state.tricks) for each in range(SEATS)),
            taken=tuple(tuple(filter(points, state.taken(each))) for each in range(SEATS)),
            mover=state.mover if state.phase == "play" else None,
            broken=state.broken,
            scores=tuple(state.scores),
            history=tuple(map(tuple, state.history)),
            limit=state.options.points,
        )

    def lay_open(self, state: State, seat: int | None) -> View:
        return replace(self.view(state, seat), open_hands=tuple(map(tuple, state.hands)))

    def imagine(self, state: State, seat: int | None, dice: Dice) -> State:
        return imagining.imagined(self.clone(state), seat, dice)

    def result(self, state: State) -> Result | None:
        if state.phase != "over":
            return None
        places = sorted(set(state.scores))
        return Result(
            tuple(tuple(seat for seat in range(SEATS) if state.scores[seat] == place) for place in places),
            tuple(state.scores),
        )

    def tell(self, event: AnyEvent, names: Sequence[str], words: Words = ENGLISH) -> str:
        return stories.tell(event, names, words)

    def show(self, view: View, names: Sequence[str]) -> str:
        return terminal.show(view, names)

    def label(self, move: AnyMove, view: View, names: Sequence[str], words: Words = ENGLISH) -> str:
        return terminal.label(move, view, names, words)


def playable(state: State, seat: int) -> list[str]:
    """The cards that this seat, whose turn it is, may play."""
    hand = state.hands[seat]
    if not state.trick:
        if not state.tricks:
            return [LEADS]
        return hand if state.broken else [card for card in hand if suit(card) != "♥"] or hand
    following = [card for card in hand if suit(card) == suit(state.trick[0])]
    if following:
        return following
    return ([card for card in hand if not points(card)] or hand) if not state.tricks else hand


def refuse(state: State, seat: int, card: str) -> None:
    """Say why a card may not be played, if it may not."""
    if card not in state.hands[seat]:
        raise Illegal("you do not have that card")
    if card in playable(state, seat):
        return
    if not state.trick and not state.tricks:
        raise Illegal("the two of clubs is led first")
    if not state.trick:
        raise Illegal("hearts may not be led before one has been played")
    if any(suit(other) == suit(state.trick[0]) for other in state.hands[seat]):
        raise Illegal("you have to follow suit")
    raise Illegal("there are no points in the first trick")


def take_note(state: State, seat: int, card: str) -> None:
    """What a card says about those that are not played, to everybody who knows the rules."""
    lacks = state.lacks[seat]
    if state.trick and suit(card) != suit(state.trick[0]):
        lacks.append(suit(state.trick[0]))
        if not state.tricks and points(card):
            lacks += ["♦", *(other for other in DECK if suit(other) == "♠" and other != QUEEN)]
    elif not state.trick and suit(card) == "♥" and not state.broken:
        lacks += ["♣", "♦", "♠"]
