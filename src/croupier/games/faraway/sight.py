"""What a player of Faraway can see, and what could be true of the rest.

The numbers F1, F2, … are the rules as the game's page under ``docs/`` counts them; D8, D9, … are its decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain

import msgspec

from croupier.games.faraway.ranking import ranking, score, winners
from croupier.games.faraway.state import Private, State, View
from croupier.kernel import Dice


def seen(state: State, seat: int | None, open_cards: bool) -> View:
    """The table from this seat; with ``open_cards`` nothing is hidden."""
    phase, waiting, players = state.phase, state.waiting, state.players
    over, everybody = phase == "end", range(len(state.hands))
    hands: list[tuple[int | None, ...]] = [(None,) * len(hand) for hand in state.hands]
    rows, sanctuaries = list(map(tuple, state.rows)), list(map(tuple, state.sanctuaries))
    offers: list[tuple[int | None, ...]] = [()] * len(hands)
    done = [owner not in waiting for owner in everybody]
    choosers = () if phase == "play" else waiting[:1] if phase == "shop" else waiting
    choosing = [owner in choosers for owner in everybody]
    for owner in everybody:
        if owner not in players:  # F60
            hands[owner] = rows[owner] = sanctuaries[owner] = ()
        elif open_cards or owner == seat:
            hands[owner] = tuple(state.hands[owner])
        elif phase == "play" and done[owner]:
            rows[owner] = rows[owner][:-1]  # F13
        if phase == "sanctuary" and not done[owner]:  # D41
            offer = state.offers[owner]
            offers[owner] = tuple(offer) if open_cards or owner == seat else (None,) * len(offer)
    # In the order of its fields: to name so many takes longer than all the rest.
    return View(
        seat,
        state.options.card_set,
        phase,
        state.turn,
        tuple(players),
        tuple(hands),
        tuple(rows),
        tuple(sanctuaries),
        tuple(offers),
        tuple(done),
        tuple(choosing),
        tuple(state.shop),
        tuple(state.shop_order),
        tuple(state.discarded),
        len(state.region_deck),
        len(state.sanctuary_deck),
        tuple(sorted(state.region_deck)) if open_cards else None,
        tuple(sorted(state.sanctuary_deck)) if open_cards else None,
        winners(state) if over else (),
        state.reason,
        tuple(score(state, owner) for owner in everybody) if over else (),
        ranking(state) if over else (),
    )


def private(state: State, seat: int) -> Private | None:
    """What is this seat's alone to see: the same as in its view. None for who has left."""
    if seat not in state.players:
        return None
    offered = state.phase == "sanctuary" and seat in state.waiting
    return Private(tuple(state.hands[seat]), tuple(state.rows[seat]), tuple(state.offers[seat]) if offered else ())


def imagined(state: State, seat: int | None, dice: Dice) -> State:
    """Another table that this seat could not tell from the real one."""
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
    # Which of their cards the others have laid face down, they alone know. Not even the order of the rest may tell.
    for owner in face_down:
        hand, row = imagined.hands[owner], imagined.rows[owner]
        hand.append(row.pop())
        dice.shuffle(hand, "face down")
        row.append(hand.pop())
    return imagined


def mixed(groups: Iterable[list[int]], dice: Dice) -> Callable[[int], int]:
    """A card for every card: those of one group have changed places, all others are themselves."""
    places: dict[int, int] = {}
    for group in groups:
        others = group.copy()
        dice.shuffle(others, "unseen")
        places.update(zip(group, others, strict=True))
    return lambda card: places.get(card, card)
