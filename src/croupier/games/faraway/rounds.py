"""A round of Faraway: everybody plays a region; who may, chooses a sanctuary; then all take from the shop.

The numbers F1, F2, … are the rules as the game's page under ``docs/`` counts them; D8, D9, … are its decisions.
"""

from __future__ import annotations

from croupier.games.faraway.cards import REGIONS_WITH_CLUE, SANCTUARIES_WITH_CLUE
from croupier.games.faraway.events import (
    AnyEvent,
    Chose,
    Ended,
    EndReason,
    Offered,
    Played,
    Revealed,
    RoundBegan,
    ShopOpened,
    Took,
)
from croupier.games.faraway.ranking import winners
from croupier.games.faraway.scoring import ROUNDS, earned
from croupier.games.faraway.state import State
from croupier.kernel import Illegal, OutOfTurn

LAST_TURN = ROUNDS - 1


# The play phase


def play(state: State, seat: int, card: int, at: int) -> list[AnyEvent]:
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
        events += reveal(state, at)
    return events


def reveal(state: State, at: int) -> list[AnyEvent]:
    """F13: all have played. F14: on to the sanctuaries, or in the first round to the shop."""
    events: list[AnyEvent] = [revealed(state)]
    if state.turn > 0:
        events += offer_sanctuaries(state, at)
    if not state.waiting:  # F21: no sanctuary phase without anybody who may choose
        events += after_sanctuaries(state, at)
    return events


def revealed(state: State) -> Revealed:
    """The cards of this round, now open."""
    return Revealed(tuple(row[-1] if seat in state.players else None for seat, row in enumerate(state.rows)))


# The sanctuary phase


def offer_sanctuaries(state: State, at: int) -> list[AnyEvent]:
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


def by_hour(state: State) -> list[int]:
    """F18, F23: the players from the lowest region of this round to the highest; no two are equal."""
    rows = state.rows
    return sorted(state.players, key=lambda seat: rows[seat][-1])


def clues(state: State, seat: int) -> int:
    """F16, D11: in the row, with the card just played, and on the sanctuaries."""
    return len(REGIONS_WITH_CLUE.intersection(state.rows[seat])) + len(
        SANCTUARIES_WITH_CLUE.intersection(state.sanctuaries[seat])
    )


def choose(state: State, seat: int, card: int, at: int) -> list[AnyEvent]:
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
        events += after_sanctuaries(state, at)
    return events


def after_sanctuaries(state: State, at: int) -> list[AnyEvent]:
    """F22: on to the shop, or in the last round to the end (F10)."""
    order = by_hour(state)
    for seat in order:  # F20, D9: what nobody wanted goes under the deck
        if state.offers[seat]:
            put_under(state, seat)
    if state.turn == LAST_TURN:
        return end(state, "completed")
    state.phase = "shop"
    state.shop_order = order  # F23
    state.waiting = order.copy()
    state.since = at
    events: list[AnyEvent] = [ShopOpened(tuple(order))]
    if not state.shop:  # F25
        events += next_round(state, at)
    return events


def put_under(state: State, seat: int) -> None:
    """F20: the sanctuaries that were offered to a player and not chosen go under the deck, in the order offered."""
    state.sanctuary_deck += state.offers[seat]
    state.offers[seat] = []


# The shop


def take(state: State, seat: int, card: int, at: int) -> list[AnyEvent]:
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
        events += next_round(state, at)
    return events


def next_round(state: State, at: int) -> list[AnyEvent]:
    """F26: what is left in the shop is gone; a new one, but in the last round (F27)."""
    state.turn += 1
    state.discarded += state.shop
    state.shop = draw(state.region_deck, shop_size(len(state.players))) if state.turn < LAST_TURN else []
    state.phase = "play"
    state.waiting = state.players.copy()
    state.since = at
    return [RoundBegan(state.turn, tuple(state.shop))]


def shop_size(players: int) -> int:
    return max(players + 1, 3)  # F7, D18


def draw(deck: list[int], count: int) -> list[int]:
    """F5: from the top, as far as there are cards."""
    drawn = deck[:count]
    del deck[:count]
    return drawn


# The end


def end(state: State, reason: EndReason) -> list[AnyEvent]:
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
