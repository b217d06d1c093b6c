"""The rules of Faraway. Lay eight regions from left to right; then walk back, and each scores what it still sees.

The numbers F1, F2, … are the rules as the game's page under ``docs/`` counts them; D8, D9, … are its decisions.
A card is the index that ``cards.py`` knows it by, regions and sanctuaries each by their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from operator import attrgetter
from typing import ClassVar

import msgspec

from croupier.games.faraway import stories, terminal
from croupier.games.faraway.bot import LookAhead, Rising
from croupier.games.faraway.cards import (
    REGION_DECKS,
    REGIONS,
    REGIONS_WITH_CLUE,
    SANCTUARIES_WITH_CLUE,
    SANCTUARY_DECKS,
)
from croupier.games.faraway.scoring import ROUNDS, Score, earned, explained
from croupier.games.faraway.vocabulary import (
    CHOICES,
    PLAYS,
    TAKES,
    AnyEvent,
    AnyMove,
    Choose,
    Chose,
    Ended,
    EndReason,
    Forfeited,
    Offered,
    Options,
    Play,
    Played,
    Revealed,
    RoundBegan,
    ShopOpened,
    Standing,
    State,
    Took,
    View,
)
from croupier.kernel import (
    ENGLISH,
    Bot,
    Chance,
    Clock,
    Customs,
    Dice,
    Game,
    Illegal,
    OutOfTurn,
    RandomBot,
    Result,
    Words,
)

LAST_TURN = ROUNDS - 1


def shop_size(players: int) -> int:
    return max(players + 1, 3)  # F7, D18


def draw(deck: list[int], count: int) -> list[int]:
    """F5: from the top, as far as there are cards."""
    drawn = deck[:count]
    del deck[:count]
    return drawn


def by_hour(state: State) -> list[int]:
    """F18, F23: the players from the lowest region of this round to the highest; no two are equal."""
    rows = state.rows
    return sorted(state.players, key=lambda seat: rows[seat][-1])


def clues(state: State, seat: int) -> int:
    """F16, D11: in the row, with the card just played, and on the sanctuaries."""
    return len(REGIONS_WITH_CLUE.intersection(state.rows[seat])) + len(
        SANCTUARIES_WITH_CLUE.intersection(state.sanctuaries[seat])
    )


def put_under(state: State, seat: int) -> None:
    """F20: the sanctuaries that were offered to a player and not chosen go under the deck, in the order offered."""
    state.sanctuary_deck += state.offers[seat]
    state.offers[seat] = []


def revealed(state: State) -> Revealed:
    return Revealed(tuple(row[-1] if seat in state.players else None for seat, row in enumerate(state.rows)))


def ranking(state: State) -> tuple[Standing, ...]:
    """Best first; between equals the lowest region in the row decides (F32)."""
    found = [(-sum(state.earned[seat]), min(state.rows[seat], default=len(REGIONS)), seat) for seat in state.players]
    return tuple(
        Standing(seat, rank, -loss, lowest if state.rows[seat] else None)
        for rank, (loss, lowest, seat) in enumerate(sorted(found), start=1)
    )


def winners(state: State) -> tuple[int, ...]:
    """F31: all with the highest total; with the published tie-break only one of them (F32)."""
    best = ranking(state)
    if state.options.tie_break == "published":
        return tuple(standing.seat for standing in best[:1])
    return tuple(sorted(standing.seat for standing in best if standing.total == best[0].total))


def score(state: State, seat: int) -> Score | None:
    return explained(state.rows[seat], state.sanctuaries[seat]) if seat in state.players else None


def mixed(groups: Iterable[list[int]], dice: Dice) -> Callable[[int], int]:
    """A card for every card: those of one group have changed places, all others are themselves."""
    places: dict[int, int] = {}
    for group in groups:
        others = group.copy()
        dice.shuffle(others, "unseen")
        places.update(zip(group, others, strict=True))
    return lambda card: places.get(card, card)


class Faraway(Game[State, View, Options, AnyMove, AnyEvent]):
    """Faraway for 2 to 6, with the expansion for 7."""

    name = "faraway"
    title = "Faraway"
    about = "Explore eight regions, then score them on the way back: each sees only what you found after it."
    seats = range(2, 8)
    customs = Customs(seating="arrival", late="expire", absent="forfeit", grace=60.0, linger=600.0, idle=3600.0)
    obvious = (Choose,)
    bots: ClassVar[Mapping[str, type[Bot]]] = {"look-ahead": LookAhead, "rising": Rising, "random": RandomBot}

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
            return self._play(state, seat, move.card, at)
        if type(move) is Choose:
            return self._choose(state, seat, move.card, at)
        return self._take(state, seat, move.card, at)

    # The play phase

    def _play(self, state: State, seat: int, card: int, at: int) -> list[AnyEvent]:
        """F12: one card from the hand to the end of the row."""
        if state.phase != "play":
            raise Illegal("regions are played in the play phase", "wrong_phase")
        if seat not in state.waiting:
            raise Illegal("you have played in this round", "already_played") if seat in state.players else OutOfTurn
        try:
            state.hands[seat].remove(card)
        except ValueError:
            raise Illegal("region {card} is not in your hand", "not_in_hand", card=card) from None
        state.rows[seat].append(card)
        state.waiting.remove(seat)
        events: list[AnyEvent] = [Played(seat, card, state.options.open_information)]
        if not state.waiting:
            events += self._reveal(state, at)
        return events

    def _reveal(self, state: State, at: int) -> list[AnyEvent]:
        """F13: all have played. F14: on to the sanctuaries, or in the first round to the shop."""
        events: list[AnyEvent] = [revealed(state)]
        if state.turn > 0:
            events += self._offer_sanctuaries(state, at)
        if not state.waiting:  # F21: no sanctuary phase without anybody who may choose
            events += self._after_sanctuaries(state, at)
        return events

    # The sanctuary phase

    def _offer_sanctuaries(self, state: State, at: int) -> list[AnyEvent]:
        """F15 to F18: to those who went on to a higher number, one and another for each clue."""
        rows, deck = state.rows, state.sanctuary_deck
        eligible = [seat for seat in by_hour(state) if rows[seat][-1] > rows[seat][-2]]  # F15
        if not eligible:
            return []
        events: list[AnyEvent] = []
        later = len(eligible)
        for seat in eligible:
            later -= 1
            offer = draw(deck, min(1 + clues(state, seat), len(deck) - later))  # F17, F18: one is left for the others
            state.offers[seat] = offer
            state.seen[seat] += offer
            events.append(Offered(seat, len(offer), tuple(offer), state.options.open_information))
        state.phase = "sanctuary"
        state.waiting = sorted(eligible)
        state.since = at
        return events

    def _choose(self, state: State, seat: int, card: int, at: int) -> list[AnyEvent]:
        """F19: one of those on offer."""
        if state.phase != "sanctuary":
            raise Illegal("sanctuaries are chosen in the sanctuary phase", "wrong_phase")
        if seat not in state.waiting:
            raise Illegal("you have no sanctuary to choose now", "not_eligible")
        try:
            state.offers[seat].remove(card)
        except ValueError:
            raise Illegal("sanctuary {card} is not offered to you", "not_offered", card=card) from None
        state.sanctuaries[seat].append(card)
        state.waiting.remove(seat)
        events: list[AnyEvent] = [Chose(seat, card)]
        if not state.waiting:
            events += self._after_sanctuaries(state, at)
        return events

    def _after_sanctuaries(self, state: State, at: int) -> list[AnyEvent]:
        """F22: on to the shop, or in the last round to the end (F10)."""
        order = by_hour(state)
        for seat in order:  # F20, D9: what nobody wanted goes under the deck
            if state.offers[seat]:
                put_under(state, seat)
        if state.turn == LAST_TURN:
            return self._end(state, "completed")
        state.phase = "shop"
        state.shop_order = order  # F23
        state.waiting = order.copy()
        state.since = at
        events: list[AnyEvent] = [ShopOpened(tuple(order))]
        if not state.shop:  # F25
            events += self._next_round(state, at)
        return events

    # The shop

    def _take(self, state: State, seat: int, card: int, at: int) -> list[AnyEvent]:
        """F24: one after the other takes a card."""
        if state.phase != "shop":
            raise Illegal("regions are taken in the shop phase", "wrong_phase")
        if seat != state.waiting[0]:
            raise Illegal("it is not your turn in the shop", "not_your_turn")
        try:
            state.shop.remove(card)
        except ValueError:
            raise Illegal("region {card} is not in the shop", "not_in_shop", card=card) from None
        state.hands[seat].append(card)
        del state.waiting[0]
        state.since = at
        events: list[AnyEvent] = [Took(seat, card)]
        if not state.waiting or not state.shop:  # F25: with nothing left to take, the others pass
            events += self._next_round(state, at)
        return events

    def _next_round(self, state: State, at: int) -> list[AnyEvent]:
        """F26: what is left in the shop is gone; a new one, but in the last round (F27)."""
        state.turn += 1
        state.discarded += state.shop
        state.shop = draw(state.region_deck, shop_size(len(state.players))) if state.turn < LAST_TURN else []
        state.phase = "play"
        state.waiting = state.players.copy()
        state.since = at
        return [RoundBegan(state.turn, tuple(state.shop))]

    # The end

    def _end(self, state: State, reason: EndReason) -> list[AnyEvent]:
        """F29: scored once and for all."""
        state.phase = "end"  # D15: the turn stays 7
        state.reason = reason
        state.waiting = []
        state.earned = [[] for _ in state.hands]
        for seat in state.players:
            state.earned[seat] = earned(state.rows[seat], state.sanctuaries[seat])
        totals = tuple(sum(points) if points else None for points in state.earned)
        return [
            Ended(
                reason,
                winners(state),
                totals,
                tuple(tuple(hand) if seat in state.players else () for seat, hand in enumerate(state.hands)),
                tuple(sorted(state.region_deck)),
                tuple(sorted(state.sanctuary_deck)),
            )
        ]

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
            return self._end(state, "abandoned")
        if len(state.players) == 1 and not state.options.solo:
            events: list[AnyEvent] = []
            if state.phase == "play" and not state.waiting:
                events = [revealed(state)]
            put_under(state, state.players[0])
            return events + self._end(state, "forfeit")
        if state.waiting:
            if state.phase == "shop" and state.waiting[0] != chooser:
                state.since = at
            return []
        if state.phase == "play":
            return self._reveal(state, at)
        if state.phase == "sanctuary":
            return self._after_sanctuaries(state, at)
        return self._next_round(state, at)

    # Time

    def clocks(self, state: State) -> Sequence[Clock]:
        seconds = state.options.action_timeout
        if seconds == 0 or state.phase == "end":  # R23
            return ()
        return (Clock(state.since + 1000 * seconds, tuple(self.awaited(state)), state.phase),)

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
        return self._seen(state, seat, state.phase == "end" or state.options.open_information)

    def lay_open(self, state: State, seat: int | None) -> View:
        return self._seen(state, seat, True)

    def _seen(self, state: State, seat: int | None, open_cards: bool) -> View:
        phase, waiting = state.phase, state.waiting
        over = phase == "end"
        hands: list[tuple[int | None, ...]] = []
        rows: list[tuple[int, ...]] = []
        offers: list[tuple[int | None, ...]] = []
        for owner, (hand, row, offer) in enumerate(zip(state.hands, state.rows, state.offers, strict=True)):
            if owner not in state.players:  # F60
                hands.append(())
                rows.append(())
                offers.append(())
                continue
            chosen = owner not in waiting
            if chosen:
                offer = []  # D41
            if open_cards or owner == seat:
                hands.append(tuple(hand))
                rows.append(tuple(row))
                offers.append(tuple(offer))
            else:
                hands.append((None,) * len(hand))
                rows.append(tuple(row[:-1] if chosen and phase == "play" else row))  # F13
                offers.append((None,) * len(offer))
        choosing: Iterable[int] = () if phase == "play" else self.awaited(state)
        return View(
            seat=seat,
            card_set=state.options.card_set,
            phase=phase,
            turn=state.turn,
            players=tuple(state.players),
            hands=tuple(hands),
            rows=tuple(rows),
            sanctuaries=tuple(
                tuple(cards) if owner in state.players else () for owner, cards in enumerate(state.sanctuaries)
            ),
            offers=tuple(offers),
            done=tuple(owner not in waiting for owner in range(len(hands))),
            choosing=tuple(owner in choosing for owner in range(len(hands))),
            shop=tuple(state.shop),
            shop_order=tuple(state.shop_order),
            discarded=tuple(state.discarded),
            regions_left=len(state.region_deck),
            sanctuaries_left=len(state.sanctuary_deck),
            region_deck=tuple(sorted(state.region_deck)) if open_cards else None,
            sanctuary_deck=tuple(sorted(state.sanctuary_deck)) if open_cards else None,
            winners=winners(state) if over else (),
            reason=state.reason,
            scores=tuple(score(state, owner) for owner in range(len(hands))) if over else (),
            ranking=ranking(state) if over else (),
        )

    def imagine(self, state: State, seat: int | None, dice: Dice) -> State:
        open_cards = state.options.open_information
        others = [owner for owner in range(len(state.hands)) if owner != seat]
        face_down: list[int] = []  # who has laid a card that this seat can't see
        if state.phase == "play" and not open_cards:
            face_down = [owner for owner in others if owner in state.players and owner not in state.waiting]
        secrets = {}  # of the cards in their hands, those that nobody has seen in the shop
        for owner in others:
            row = state.rows[owner][:-1] if owner in face_down else state.rows[owner]
            secrets[owner] = [card for card in state.dealt[owner] if card not in row]

        # The regions of which this seat can't tell which is which, then the sanctuaries.
        if open_cards:
            regions = [state.region_deck]
        elif state.phase == "end":
            regions = [state.region_deck, [card for owner in chain(*state.left) for card in secrets.get(owner, ())]]
        else:
            regions = [[*state.region_deck, *chain(*secrets.values())]]
        # A sanctuary that was offered once is recognised wherever it goes. (Not quite: what another leaves of an offer
        # goes under the deck in an order that can't always be told. That much more is taken for known.)
        seen = set(chain(*state.seen) if open_cards else () if seat is None else state.seen[seat])
        sanctuaries = [[card for card in chain(state.sanctuary_deck, *state.offers) if card not in seen]]
        region, sanctuary = mixed(regions, dice), mixed(sanctuaries, dice)

        imagined = msgspec.structs.replace(
            state,
            region_deck=[region(card) for card in state.region_deck],
            sanctuary_deck=[sanctuary(card) for card in state.sanctuary_deck],
            dealt=[tuple(map(region, cards)) for cards in state.dealt],
            hands=[list(map(region, cards)) for cards in state.hands],
            rows=[list(map(region, cards)) for cards in state.rows],
            sanctuaries=[cards.copy() for cards in state.sanctuaries],
            offers=[list(map(sanctuary, cards)) for cards in state.offers],
            seen=[list(map(sanctuary, cards)) for cards in state.seen],
            shop=state.shop.copy(),
            players=state.players.copy(),
            waiting=state.waiting.copy(),
            discarded=state.discarded.copy(),
            shop_order=state.shop_order.copy(),
            left=[together.copy() for together in state.left],
            earned=[points.copy() for points in state.earned],
        )
        # Which of their cards the others have laid face down, they alone know.
        for owner in face_down:
            hand, row = imagined.hands[owner], imagined.rows[owner]
            other = dice.below(len(hand) + 1)
            if other < len(hand):
                hand[other], row[-1] = row[-1], hand[other]
        return imagined

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

    def label(self, move: AnyMove, view: View, names: Sequence[str]) -> str:
        return terminal.label(move, view)
