"""What else could be true for somebody who has seen what a seat has seen.

A player knows the own cards but not the order of the own deck, and of the enemy's hidden cards only what events have
told: that a card in hand came from a search for soldiers, that a trickster was looked at, that a search found nothing.
The state keeps that as sets of cards (``clues``, ``clue``, ``lacks``). Which 50 cards the enemy has brought is unknown:
any legal deck will do.
"""

from __future__ import annotations

from collections import Counter
from copy import copy

import msgspec

from croupier.games.fortress.asking import in_deck
from croupier.games.fortress.cards import ANY_ID, CARDS, KIND, OF_KIND, mask
from croupier.games.fortress.decks import ALLOWED
from croupier.games.fortress.effects import Add, LookAtTop, Muster, OfferCopy
from croupier.games.fortress.places import TRICKSTERS, Place
from croupier.games.fortress.recruiting import hand_recruits, recruits, searched
from croupier.games.fortress.state import AnyTask, Pay, Perform, State
from croupier.kernel import Chance, Dice

STOCK = tuple(card for card, copies in enumerate(ALLOWED) for _ in range(copies))
"""T9: whatever can be in a deck, as often as it can be."""
CASTLES = tuple(card.id for card in CARDS if card.kind == "castle")
TRIES = 20


def imagined(state: State, seat: int | None, dice: Dice) -> State:
    """Another state that this seat (None: a spectator) could not tell from the real one."""
    for _ in range(TRIES):
        fancy = copied(state)
        fancy.chance = Chance(bytes(dice.below(256) for _ in range(32)))
        if all(
            _reorder(fancy, whose, dice) if whose == seat else _redeal(fancy, whose, seat is None, dice)
            for whose in range(2)
        ) and _refit(fancy, seat):
            return fancy
    # The clues leave next to no room: everything is where it is, but for the order of decks that nobody looks at.
    fancy = copied(state)
    fancy.chance = Chance(bytes(dice.below(256) for _ in range(32)))
    for whose in range(2):
        _reorder(fancy, whose, dice)
    return fancy


def copied(state: State) -> State:
    """A copy that shares nothing that changes."""
    return msgspec.structs.replace(
        state,
        sides=[
            msgspec.structs.replace(
                side,
                deck=side.deck.copy(),
                hand=side.hand.copy(),
                clues=side.clues.copy(),
                fewer=side.fewer.copy(),
                discard=side.discard.copy(),
                field=[copy(unit) for unit in side.field],
                played=side.played.copy(),
            )
            for side in state.sides
        ],
        waits=state.waits.copy(),
        stack=[copy(item) for item in state.stack],
        agenda=[_copied(task) for task in state.agenda],
        request=None if state.request is None else msgspec.structs.replace(state.request),
        strikes=state.strikes.copy(),
        away=state.away.copy(),
    )


def _copied(task: AnyTask) -> AnyTask:
    twin = copy(task)
    for name in twin.__struct_fields__:
        value = getattr(twin, name)
        if isinstance(value, list):
            setattr(twin, name, value.copy())
    return twin


def _searching(state: State, seat: int) -> bool:
    """Whether this player is looking through the own deck, or has a card of it in hand: then its order is known."""
    request = state.request
    if request is not None and request.seat == seat and any(place.zone == "deck" for place in request.region):
        return request.kind == "target"
    return any(isinstance(task, Pay) and task.mustered and task.seat == seat for task in state.agenda)


def _reorder(state: State, seat: int, dice: Dice) -> bool:
    """Nobody knows the order of a deck (T7), but for who is searching it."""
    if not _searching(state, seat):
        dice.shuffle(state.sides[seat].deck, "unseen")
    return True


def _redeal(state: State, seat: int, spectator: bool, dice: Dice) -> bool:
    """Other cards for everything of this player that the observer has not seen. False when it does not come out."""
    side = state.sides[seat]
    if side.castle < 0:
        return True
    if state.turn == 0:
        side.castle = dice.choice(CASTLES)  # T12
        side.health = CARDS[side.castle].health
    stock = Counter(STOCK)
    stock.subtract(side.discard)
    stock.subtract(
        unit.card
        for each in state.sides
        for unit in each.field
        if unit is not None and unit.owner == seat and not unit.face_down
    )
    pinned = _pinned(state, seat)
    stock.subtract(side.hand[index] for index in pinned)
    stock.subtract(
        task.card for task in state.agenda if isinstance(task, Pay) and task.seat == seat and task.start.zone == "deck"
    )
    pool = list(stock.elements())
    dice.shuffle(pool, "unseen")

    def pick(allowed: int) -> int | None:
        for position, card in enumerate(pool):
            if allowed >> card & 1:
                return pool.pop(position)
        return None

    # First what most is known of.
    units = [unit for slot in TRICKSTERS if (unit := side.field[slot]) is not None and unit.face_down]
    open_cards = [index for index in range(len(side.hand)) if index not in pinned]
    slots = [(unit.clue & OF_KIND["trickster"], -1 - n) for n, unit in enumerate(units)]
    slots += [(side.clues[index], index) for index in open_cards]
    if spectator:
        slots = [(_kinds(allowed), which) for allowed, which in slots]
    for allowed, which in sorted(slots, key=lambda slot: slot[0].bit_count()):
        card = pick(allowed)
        if card is None:
            return False
        if which < 0:
            units[-1 - which].card = card
        else:
            side.hand[which] = card
    deck = [card for _ in side.deck if (card := pick(ANY_ID & ~side.lacks)) is not None]
    if len(deck) < len(side.deck):
        return False
    side.deck = deck
    for item in state.stack:
        if item.kind == "play" and item.seat == seat and item.place is not None:
            item.card = side.hand[item.place.number - 1]
    return True


def _pinned(state: State, seat: int) -> set[int]:
    """Cards in hand that something is being done with: they stay what they are."""
    found = {
        item.place.number - 1
        for item in state.stack
        if item.kind == "play" and item.seat == seat and item.place is not None and KIND[item.card] != "trickster"
    }
    for task in state.agenda:
        if isinstance(task, Pay) and task.seat == seat and task.start.zone == "hand":
            found.add(task.start.number - 1)
        elif isinstance(task, Perform) and task.seat == seat and LOOKS[task.card]:
            size = len(state.sides[seat].hand)
            found.update(range(size - len(task.memory), size))
    return found


LOOKS = tuple(any(isinstance(step, LookAtTop) for text in card.texts for step in text.effects) for card in CARDS)
"""Cards that remember what was taken from the top of the deck."""


def _kinds(allowed: int) -> int:
    """A spectator was not shown what a player looked at, but knows what kind of card a search was for."""
    if allowed == ANY_ID:
        return allowed
    return mask(
        card for card in range(len(CARDS)) if any(allowed & OF_KIND[kind] and KIND[card] == kind for kind in OF_KIND)
    )


def _refit(state: State, seat: int | None) -> bool:
    """An open search of somebody else has to find something in the imagined cards, too."""
    request = state.request
    if request is None or request.seat == seat or request.kind != "target":
        return True
    if all(place.zone not in ("hand", "deck") for place in request.region):
        return True
    request.region = _findable(state, request.seat)
    return bool(request.region)


def _findable(state: State, seat: int) -> list[Place]:
    request = state.request
    assert request is not None
    task = state.agenda[-1]
    side = state.sides[seat]
    if not isinstance(task, Perform):
        return request.region
    effect = CARDS[task.card].texts[task.text].effects[task.step]
    if isinstance(effect, Add):
        return in_deck(side.deck, seat, searched(effect, task.about))
    if isinstance(effect, OfferCopy):
        return in_deck(side.deck, seat, mask(task.memory))
    if isinstance(effect, Muster):
        found = hand_recruits(state, seat, effect) if "hand" in effect.zones else []
        deck = in_deck(side.deck, seat, recruits(state, seat, effect)) if "deck" in effect.zones else []
        task.done = int(bool(deck))
        return found + deck
    assert isinstance(effect, LookAtTop) or request.purpose == "discard"
    return request.region
