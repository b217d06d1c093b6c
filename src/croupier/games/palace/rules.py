"""The rules of Palace. Get rid of all your cards: first the hand, then the open ones, then the hidden ones, blindly.

The numbers P1, P2, … are the rules as the game's page under ``docs/`` counts them; D3, D4, … are its decisions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain, islice
from typing import Literal

import msgspec

from croupier.games.palace import offers, stories, terminal
from croupier.games.palace.bot import ByNumber, LowAndSteady, RandomCard, Spendthrift
from croupier.games.palace.encoding import PalaceEncoding
from croupier.games.palace.events import AnyEvent, Burned, Chose, Ended, Flipped, PickedUp, Played, Turn, WentOut
from croupier.games.palace.lesson import LESSON
from croupier.games.palace.moves import AnyMove, Choose
from croupier.games.palace.options import Options
from croupier.games.palace.pile import PLAYABLE, burns, effective_top
from croupier.games.palace.search import Chancellor
from croupier.games.palace.state import BY_RANK, State, View, Zone
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
    OutOfTurn,
    Result,
    Words,
)
from croupier.kernel.cards import RANK, RANKS, SUITS, rank


@cache
def deck(seats: int) -> Sequence[str]:
    """P2: a card of every rank for every player, the suits going round."""
    suits = SUITS[: min(seats, 4)]  # D5
    return tuple(value + suits[(batch + v) % len(suits)] for batch in range(seats) for v, value in enumerate(RANKS))


def take(cards: Sequence[str], zone: list[str], otherwise: str) -> None:
    """Take these cards out of the zone, if they are all there (D25: as a multiset)."""
    before = zone.copy()
    try:
        for card in cards:
            zone.remove(card)
    except ValueError:
        zone[:] = before  # P25
        raise Illegal(otherwise) from None


def forget(cards: Sequence[str], known: list[str]) -> None:
    """These cards are not in the hand any more, whether they were known or not."""
    for card in cards:
        if card in known:
            known.remove(card)


class Palace(Game[State, View, Options, AnyMove, AnyEvent]):
    """Palace for 2 to 255. A seat's number is its turn number: the table seats the players at random first (P5)."""

    name = "palace"
    title = "Palace"
    about = "Get rid of all your cards, the last three of them blindly. Whoever is left holding some loses."
    seats = range(2, 256)
    customs = Customs(
        seating="shuffled",  # P5
        late="stand_in",  # P29
        absent="stand_in",
        away_limit=50.0,  # D16
        keep_absent=False,
        absent_host="close",  # D21
        leisure=(3.5, 9.0),  # 6.4: within a second
        naming=Naming(longest=20),  # D8
    )
    bots: Mapping[str, type[Bot]] = {
        "low-and-steady": LowAndSteady,
        "chancellor": Chancellor,
        "by-number": ByNumber,
        "spendthrift": Spendthrift,
        "random": RandomCard,
    }
    lesson = LESSON
    encoding = PalaceEncoding

    def deal(self, options: Options, seats: int, chance: Chance, at: int) -> State:
        cards = list(deck(seats))
        chance.shuffle(cards, "deck")  # P3
        # P4: three face up, three face down, six in hand; the rest is never seen.
        dealt = [cards[i : i + 12] for i in range(0, 12 * seats, 12)]
        # P6: the phase is setup and player 0 active, as in every new state.
        return State(
            turn_timer=options.turn_timer,
            since=at,
            hands=[sorted(twelve[6:], key=BY_RANK) for twelve in dealt],
            known=[[] for _ in dealt],
            face_up=[sorted(twelve[:3], key=BY_RANK) for twelve in dealt],
            face_down=[twelve[3:6] for twelve in dealt],
            undealt=cards[12 * seats :],
        )

    def awaited(self, state: State) -> Sequence[int]:
        return () if state.phase == "complete" else (state.active,)

    def moves(self, state: State, seat: int) -> Sequence[AnyMove]:
        return offers.offered(state, seat)

    def play(self, state: State, seat: int, move: AnyMove, at: int) -> Sequence[AnyEvent]:
        if seat != state.active:
            raise OutOfTurn
        if type(move) is Choose:
            return self._choose(state, seat, move.cards, at)
        return self._play(state, seat, move.cards, at)

    def _choose(self, state: State, seat: int, cards: tuple[str, ...], at: int) -> Sequence[AnyEvent]:
        if state.phase != "setup":
            raise Illegal("face-up cards can only be chosen in the setup phase", "wrong_phase")
        if len(cards) != 3:
            raise Illegal("exactly three face-up cards are required")
        # P7: any three of the nine; the other six are the hand.
        dealt = state.face_up[seat]
        hand = sorted(state.hands[seat] + dealt, key=BY_RANK)
        take(cards, hand, "those cards are not all yours to choose from")
        state.hands[seat] = hand
        state.face_up[seat] = sorted(cards, key=BY_RANK)
        state.known[seat] = dealt
        forget(cards, dealt)
        state.since = at
        # P8: everybody chooses once, in turn; then player 0 leads.
        state.active = (seat + 1) % len(state.hands)
        if state.active == 0:
            state.phase = "play"
        return [Chose(seat, tuple(state.face_up[seat])), Turn(state.active, state.phase)]

    def _play(self, state: State, seat: int, cards: tuple[str, ...], at: int) -> Sequence[AnyEvent]:
        if state.phase != "play":
            raise Illegal("cards can only be played in the play phase", "wrong_phase")
        events = [self._put_down(state, seat, cards)]
        state.since = at  # P28, D15: every action has a clock of its own, also the one after a burn
        pile = state.pile
        hand = state.hands[seat]
        played = RANK[state.last_cards[0]]
        playable = played in PLAYABLE[effective_top(pile)]  # P12
        pile += state.last_cards

        if not playable:  # P14, P19: an unplayable play is a pick-up
            events.append(PickedUp(seat, len(pile)))
            hand += pile
            hand.sort(key=BY_RANK)
            state.known[seat] += pile
            pile.clear()
            self._pass_turn(state)
            events.append(Turn(state.active, "play"))
            return events

        out = not (hand or state.face_up[seat] or state.face_down[seat])
        if out:  # P20
            state.order.append(seat)
            events.append(WentOut(seat, len(state.order)))
            if len(state.order) == len(state.hands) - 1:
                return [*events, self._end(state)]
        burnt = burns(pile, len(state.hands))  # P15, P16
        if burnt:
            events.append(Burned(seat, len(pile)))
            state.cleared += pile
            pile.clear()
        if out or not burnt:  # P17, P18, P21: who burns the pile plays again, but for somebody who is out
            self._pass_turn(state)
        events.append(Turn(state.active, "play"))
        return events

    def _put_down(self, state: State, seat: int, cards: tuple[str, ...]) -> AnyEvent:
        """P9, P10: cards of one rank from the hand; else from the face-up cards; else blindly, the one dealt last."""
        hand = state.hands[seat]
        face_up = state.face_up[seat]
        if not (hand or face_up):
            if cards:
                raise Illegal("a face-down play must name no cards")
            card = state.face_down[seat].pop()
            state.last_cards = (card,)
            state.last_zone = "face_down"
            return Flipped(seat, card)
        if not cards:
            raise Illegal("name at least one card")
        if len(cards) > 1 and len(set(map(rank, cards))) > 1:
            raise Illegal("all played cards must have the same value")
        zone: Literal["hand", "face_up"] = "hand" if hand else "face_up"
        take(cards, hand or face_up, "you do not have those cards there")
        known = state.known[seat]
        if known and zone == "hand":
            forget(cards, known)
        state.last_cards = cards
        state.last_zone = zone
        return Played(seat, zone, cards)

    def _end(self, state: State) -> Ended:
        """P22: one player is left, and has lost."""
        last_to_act = state.active
        self._pass_turn(state)
        state.order.append(state.active)
        state.active = last_to_act  # P23, D11: no turn passes any more, and no pile burns
        state.phase = "complete"
        return Ended(tuple(state.order))

    def _pass_turn(self, state: State) -> None:
        """P5: to the next player who is not out."""
        seats = len(state.hands)
        seat = (state.active + 1) % seats
        while seat in state.order:
            seat = (seat + 1) % seats
        state.active = seat

    def clocks(self, state: State) -> Sequence[Clock]:
        if state.turn_timer == 0 or state.phase == "complete":
            return ()
        return (Clock(due=state.since + 1000 * state.turn_timer, seats=(state.active,)),)  # P28

    def done(self, state: State, seat: int) -> bool:
        return seat in state.order

    def view(self, state: State, seat: int | None) -> View:
        # P27: of the other hands and of what lies face down, only how many cards there are.
        hand: tuple[str, ...] = ()
        zone: Zone | None = None
        if seat is not None:
            hand = tuple(state.hands[seat])
            if hand:
                zone = "hand"
            elif state.face_up[seat]:
                zone = "face_up"
            elif state.face_down[seat]:
                zone = "face_down"
        # In the order of its fields: to name so many takes longer than all the rest.
        return View(
            seat,
            state.phase,
            state.active,
            hand,
            zone,
            tuple(map(len, state.hands)),
            tuple(map(tuple, state.face_up)),
            tuple(map(len, state.face_down)),
            tuple(state.pile),
            PLAYABLE[effective_top(state.pile)],
            len(state.cleared),
            state.last_cards,
            state.last_zone,
            tuple(state.order),
        )

    def lay_open(self, state: State, seat: int | None) -> View:
        return msgspec.structs.replace(
            self.view(state, seat),
            open_hands=tuple(map(tuple, state.hands)),
            open_face_down=tuple(map(tuple, state.face_down)),
        )

    def imagine(self, state: State, seat: int | None, dice: Dice) -> State:
        # Nobody knows what lies face down or was not dealt; of other hands, everybody knows what they have seen.
        unseen = [*state.undealt, *chain.from_iterable(state.face_down)]
        hands = []
        for owner, hand in enumerate(state.hands):
            if owner == seat:
                hands.append(hand.copy())
                continue
            secret = hand.copy()
            for card in state.known[owner]:
                secret.remove(card)
            unseen += secret
            hands.append(state.known[owner].copy())
        dice.shuffle(unseen, "unseen")
        draw = iter(unseen)
        for imagined, hand in zip(hands, state.hands, strict=True):
            imagined += islice(draw, len(hand) - len(imagined))
            imagined.sort(key=BY_RANK)
        return msgspec.structs.replace(
            state,
            hands=hands,
            known=[cards.copy() for cards in state.known],
            face_up=[cards.copy() for cards in state.face_up],
            face_down=[list(islice(draw, len(cards))) for cards in state.face_down],
            undealt=list(draw),
            pile=state.pile.copy(),
            cleared=state.cleared.copy(),
            order=state.order.copy(),
        )

    def result(self, state: State) -> Result | None:
        if state.phase != "complete":
            return None
        return Result(tuple((seat,) for seat in state.order))

    def tell(self, event: AnyEvent, names: Sequence[str], words: Words = ENGLISH) -> str:
        return stories.tell(event, names, words)

    def show(self, view: View, names: Sequence[str]) -> str:
        return terminal.show(view, names)

    def label(self, move: AnyMove, view: View, names: Sequence[str], words: Words = ENGLISH) -> str:
        return terminal.label(move, view, words)
