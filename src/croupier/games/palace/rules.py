"""The rules of Palace. Get rid of all your cards: first the hand, then the open ones, then the hidden ones, blindly.

The numbers P1, P2, … are the rules as the game's page under ``docs/`` counts them; D3, D4, … are its decisions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import chain, combinations, islice
from typing import Annotated, ClassVar, Literal

import msgspec

from croupier.games.palace import terminal
from croupier.games.palace.bot import LowAndSteady, RandomCard
from croupier.kernel import (
    ENGLISH,
    Bot,
    Chance,
    Clock,
    Customs,
    Dice,
    Event,
    Game,
    Illegal,
    Move,
    Naming,
    OutOfTurn,
    Result,
    Words,
    option,
)
from croupier.kernel.cards import ORDER, RANK, RANKS, SUITS, rank

Phase = Literal["setup", "play", "complete"]
Zone = Literal["hand", "face_up", "face_down"]


class Options(msgspec.Struct, frozen=True):
    """What the host of a table may choose."""

    turn_timer: Annotated[
        int,
        option(
            "Time for a turn",
            "Who takes longer has a bot in their place, until they take it back.",
            ge=0,
            le=255,
            unit="s",
            zero="no limit",
        ),
    ] = 50


class Choose(Move, frozen=True):
    """Lay these three of your nine known cards face up; the other six are your hand."""

    cards: tuple[str, ...]


class Play(Move, frozen=True):
    """Play these cards, all of one rank. No cards: turn over a face-down one."""

    cards: tuple[str, ...]


AnyMove = Choose | Play


class Chose(Event, frozen=True):
    """A player has laid three cards face up."""

    seat: int
    cards: tuple[str, ...]


class Played(Event, frozen=True):
    """Cards were put on the pile, from the hand or from the face-up cards."""

    seat: int
    zone: Literal["hand", "face_up"]
    cards: tuple[str, ...]


class Flipped(Event, frozen=True):
    """A face-down card was turned over and put on the pile."""

    reveals = True

    seat: int
    card: str


class PickedUp(Event, frozen=True):
    """The play did not fit: the whole pile, ``count`` cards with those just played, has gone into the hand."""

    seat: int
    count: int


class Burned(Event, frozen=True):
    """The pile, ``count`` cards with those just played, is out of the game."""

    seat: int
    count: int


class WentOut(Event, frozen=True):
    """A player has got rid of all cards."""

    seat: int
    place: int


class Turn(Event, frozen=True):
    """Who acts next, in which phase. Ends every action but the last."""

    seat: int
    phase: Literal["setup", "play"]


class Ended(Event, frozen=True):
    """The game is over; the loser comes last."""

    order: tuple[int, ...]


AnyEvent = Chose | Played | Flipped | PickedUp | Burned | WentOut | Turn | Ended


class State(msgspec.Struct):
    """The whole table, secrets included. Lists with one entry per player are in turn order."""

    turn_timer: int
    since: int
    """When the action that is awaited now became due."""
    hands: list[list[str]]
    """Sorted, like the face-up cards."""
    known: list[list[str]]
    """The part of each hand that everybody has seen: picked up from the pile, or face up before the setup."""
    face_up: list[list[str]]
    face_down: list[list[str]]
    """In the order dealt."""
    undealt: list[str]
    pile: list[str] = []
    """Bottom to top."""
    cleared: list[str] = []
    phase: Phase = "setup"
    active: int = 0
    last_cards: tuple[str, ...] = ()
    """The latest play, in the order in which its cards were named."""
    last_zone: Zone | None = None
    order: list[int] = []
    """Who is out, first to last; at the end, the loser too."""


class View(msgspec.Struct, frozen=True):
    """The table as one player sees it. Tuples with one entry per player are in turn order."""

    seat: int | None
    """Whose view it is; None for a spectator."""
    phase: Phase
    active: int
    """Whose action is awaited; when the game is complete, who made the last one."""
    hand: tuple[str, ...]
    """Your own; a spectator has none."""
    zone: Zone | None
    """Where you play from; None for spectators and who is out."""
    hands: tuple[int, ...]
    """How many cards everybody holds."""
    face_up: tuple[tuple[str, ...], ...]
    face_down: tuple[int, ...]
    pile: tuple[str, ...]
    """Bottom to top."""
    playable: tuple[str, ...]
    """The ranks that fit on the pile; any other means to pick it up."""
    cleared: int
    """How many cards have been burned."""
    last_cards: tuple[str, ...]
    """The latest play, also if it was picked up or burned."""
    last_zone: Zone | None
    order: tuple[int, ...]
    """Who is out, first to last; at the end, the loser too."""
    open_hands: tuple[tuple[str, ...], ...] | msgspec.UnsetType = msgspec.UNSET
    """What everybody holds: only where all cards are laid open, in the replay of a game that is over."""
    open_face_down: tuple[tuple[str, ...], ...] | msgspec.UnsetType = msgspec.UNSET
    """What lies face down: likewise."""


@cache
def deck(seats: int) -> Sequence[str]:
    """P2: a card of every rank for every player, the suits going round."""
    suits = SUITS[: min(seats, 4)]  # D5
    return tuple(value + suits[(batch + v) % len(suits)] for batch in range(seats) for v, value in enumerate(RANKS))


def fits(played: str, top: str) -> bool:
    """P12: whether a rank may be played when the effective top is that other one."""
    if played in ("2", "4"):
        return True
    if played == "10":
        return top != "7"
    if top == "7":
        return RANKS.index(played) <= RANKS.index("7")
    return RANKS.index(played) >= RANKS.index(top)


PLAYABLE = {top: tuple(played for played in RANKS if fits(played, top)) for top in RANKS}
"""P12 as a table: the ranks that fit on each effective top."""


def effective_top(pile: Sequence[str]) -> str:
    """P11: the rank that a play is compared with, which is the topmost but for Fours."""
    for card in reversed(pile):
        if (top := RANK[card]) != "4":
            return top
    return "2"


def completes_rank(pile: Sequence[str], seats: int) -> bool:
    """P16: whether all cards of the top rank lie together on top, Fours between them overlooked."""
    top = RANK[pile[-1]]
    count = 0
    for card in reversed(pile):
        if RANK[card] == top:
            count += 1
        elif RANK[card] != "4":
            break
    return count >= seats  # D4


BY_RANK = ORDER.__getitem__


class Group(dict[str, "Group"]):
    """Cards of one rank. Looking up the next card of a sorted zone gives the group that it belongs to in its turn.

    Playouts ask for the moves of every position. Walking from group to group along a zone finds the moves without
    making them anew; that is three times as fast as grouping the cards each time.
    """

    __slots__ = ("play",)

    def __init__(self, cards: tuple[str, ...]) -> None:
        self.play = Play(cards)

    def __missing__(self, card: str) -> Group:
        cards = self.play.cards
        goes_on = not cards or rank(cards[0]) == rank(card)
        group = Group((*cards, card)) if goes_on else NO_CARDS[card]
        if len(cards) < 4:  # Larger groups are rare, and too many to remember them all.
            self[card] = group
        return group


NO_CARDS = Group(())


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


def amount(count: int, words: Words = ENGLISH) -> str:
    return words.some(count, "{count} card", "{count} cards")


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
    bots: ClassVar[Mapping[str, type[Bot]]] = {"low-and-steady": LowAndSteady, "random": RandomCard}

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
        if seat != state.active or state.phase == "complete":
            return ()
        if state.phase == "setup":
            nine = sorted(state.hands[seat] + state.face_up[seat], key=BY_RANK)
            threes: Iterable[tuple[str, ...]] = combinations(nine, 3)  # P7
            if len(set(nine)) < len(nine):  # P2: with more than four players there are two of a card
                threes = dict.fromkeys(threes)
            return list(map(Choose, threes))
        zone = state.hands[seat] or state.face_up[seat]  # P9
        if not zone:
            return (NO_CARDS.play,)
        # One play for each number of cards of a rank, since suits have no influence (P1).
        group = NO_CARDS
        return [(group := group[card]).play for card in zone]

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
        burns = played == "10" or completes_rank(pile, len(state.hands))  # P15, P16
        if burns:
            events.append(Burned(seat, len(pile)))
            state.cleared += pile
            pile.clear()
        if out or not burns:  # P17, P18, P21: who burns the pile plays again, but for somebody who is out
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
        return View(
            seat=seat,
            phase=state.phase,
            active=state.active,
            hand=hand,
            zone=zone,
            hands=tuple(map(len, state.hands)),
            face_up=tuple(map(tuple, state.face_up)),
            face_down=tuple(map(len, state.face_down)),
            pile=tuple(state.pile),
            playable=PLAYABLE[effective_top(state.pile)],
            cleared=len(state.cleared),
            last_cards=state.last_cards,
            last_zone=state.last_zone,
            order=tuple(state.order),
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
        match event:
            case Chose(seat, cards):
                return words("{name} [lay|lays] {cards} face up.", name=names[seat], cards=" ".join(cards))
            case Played(seat, "hand", cards):
                return words("{name} [play|plays] {cards}.", name=names[seat], cards=" ".join(cards))
            case Played(seat, _, cards):
                return words(
                    "{name} [play|plays] {cards} from [your|the] face-up cards.",
                    name=names[seat],
                    cards=" ".join(cards),
                )
            case Flipped(seat, card):
                return words("{name} [turn|turns] over {card}.", name=names[seat], card=card)
            case PickedUp(seat, count):
                return words("{name} [take|takes] the pile: {amount}.", name=names[seat], amount=amount(count, words))
            case Burned(_, count):
                return words("The pile burns: {amount}.", amount=amount(count, words))
            case WentOut(seat, place):
                return words("{name} [are|is] out, in place {place}.", name=names[seat], place=place)
            case Turn():
                return ""
            case Ended(order):
                return words(
                    "The game is over. [last:You are|{last} is] left with cards; "
                    "[first:you were|{first} was] out first.",
                    last=names[order[-1]],
                    first=names[order[0]],
                )

    def show(self, view: View, names: Sequence[str]) -> str:
        return terminal.show(view, names)

    def label(self, move: AnyMove, view: View, names: Sequence[str]) -> str:
        return terminal.label(move, view)
