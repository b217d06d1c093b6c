"""The handlers of effects that bring cards from deck to hand, from hand to the pile, and from both to the field."""

from __future__ import annotations

from croupier.games.fortress import effects as fx
from croupier.games.fortress.asking import ask, in_deck, offer_draw
from croupier.games.fortress.cards import ANY_ID, CARDS, FREE, KIND, OF_KIND, mask
from croupier.games.fortress.choosing import amount
from croupier.games.fortress.costs import COSTS, entrances, frees, means, skips_of
from croupier.games.fortress.places import DECK, HAND, SLOT, SLOTS, Kind, Place
from croupier.games.fortress.position import free_slots
from croupier.games.fortress.state import Pay, Perform, Side, State
from croupier.games.fortress.zones import Out, discard, draw, shuffle, take

# Cards to hand


def draw_cards(state: State, task: Perform, effect: fx.Draw, out: Out) -> bool:
    count = amount(state, task, effect.count)
    if count:
        draw(state, task.seat, count, out)
    return True


def add(state: State, task: Perform, effect: fx.Add, out: Out) -> bool:
    seat = task.seat
    side = state.sides[seat]
    wanted = searched(effect, task.about)
    if task.asked:
        task.asked = False
        if task.choice is None:
            shuffle(state, seat, out)
            return True
        take(state, seat, task.choice.number - 1, out, wanted, effect.fewer)
        task.done += 1
    if task.done < effect.count:
        found = in_deck(side.deck, seat, wanted)
        if found:
            ask(
                state, task, out, seat, "target", task.place, task.card,
                purpose="add", region=found, optional=effect.optional,
            )  # fmt: skip
            return False
        side.lacks |= wanted
    if task.done:  # T71: where nothing was found nothing is shuffled
        shuffle(state, seat, out)
    return True


def searched(effect: fx.Add, about: int) -> int:
    """The cards that a search may find, as a set."""
    if effect.card is not None:
        return 1 << effect.card
    if effect.kind is None:
        return ANY_ID
    kind: Kind = KIND[about] if effect.kind in ("attacker's", "victim's") else effect.kind  # type: ignore[assignment]
    return OF_KIND[kind]


def look_at_top(state: State, task: Perform, effect: fx.LookAtTop, out: Out) -> bool:
    seat = task.seat
    if task.asked:
        task.asked = False
        assert task.choice is not None
        task.memory.append(take(state, seat, task.choice.number - 1, out, ANY_ID))
        task.done += 1
    size = len(state.sides[seat].deck)
    seen = DECK[seat][max(0, size - effect.count + task.done) : size]
    if task.done < effect.take and seen:
        ask(state, task, out, seat, "target", task.place, task.card, purpose="add", region=seen[::-1])
        return False
    if task.done:
        shuffle(state, seat, out)
    return True


def offer_copy(state: State, task: Perform, effect: fx.OfferCopy, out: Out) -> bool:
    other = 1 - task.seat
    side = state.sides[other]
    wanted = mask(task.memory)
    if task.asked:
        task.asked = False
        if task.choice is not None:
            take(state, other, task.choice.number - 1, out, wanted)
        shuffle(state, other, out)
        return True
    found = in_deck(side.deck, other, wanted)
    # The opponent learns something of the cards that were taken: either of these, or none of the own deck.
    seen = mask(side.deck[place.number - 1] for place in found)
    own = state.sides[task.seat]
    for index in range(len(own.hand) - len(task.memory), len(own.hand)):
        own.clues[index] &= seen | ~mask(side.deck)
    if not found:
        return True
    ask(state, task, out, other, "target", task.place, task.card, purpose="add", region=found, optional=True)
    return False


def offer(state: State, task: Perform, effect: fx.OfferDraw, out: Out) -> bool:
    if task.asked:
        task.asked = False
        if task.yes:
            draw(state, task.seat, 1, out)
        return True
    if not state.sides[task.seat].deck:  # T107
        return True
    offer_draw(state, task, out, task.seat, task.place, task.card)
    return False


def discard_cards(state: State, task: Perform, effect: fx.Discard, out: Out) -> bool:
    whose = task.seat if effect.whose == "own" else 1 - task.seat
    hand = state.sides[whose].hand
    if task.asked:
        task.asked = False
        assert task.choice is not None
        discard(state, whose, task.choice.number - 1, out)
        task.done += 1
    if effect.at_random:
        for _ in range(min(effect.count, len(hand))):
            discard(state, whose, state.chance.below(len(hand)), out)
        return True
    if task.done >= effect.count or not hand:
        return True
    ask(
        state, task, out, task.seat, "target", task.place, task.card,
        purpose="discard", region=HAND[whose][: len(hand)], look=whose != task.seat,
    )  # fmt: skip
    return False


# Cards to the field


def muster(state: State, task: Perform, effect: fx.Muster, out: Out) -> bool:
    seat = task.seat
    side = state.sides[seat]
    if task.asked:
        task.asked = False
        searched_deck = task.done == 1
        if task.choice is None:
            if searched_deck:
                shuffle(state, seat, out)
            return True
        _pay_for(state, side, task, effect, searched_deck)
        return True
    region: list[Place] = []
    if "hand" in effect.zones:
        region += hand_recruits(state, seat, effect)
    if "deck" in effect.zones:
        wanted = recruits(state, seat, effect)
        found = in_deck(side.deck, seat, wanted)
        if found:
            task.done = 1
            region += found
        else:
            side.lacks |= wanted
    if not region:
        return True
    ask(state, task, out, seat, "target", task.place, task.card, purpose="play", region=region, optional=True)  # T65
    return False


def recruits(state: State, seat: int, effect: fx.Muster) -> int:
    """T74: the cards that could be played from the deck, as a set."""
    side = state.sides[seat]
    held = means(side)
    found = 0
    for kind in effect.kinds:
        if free_slots(state, seat, SLOTS[kind]):
            found |= OF_KIND[kind] & FREE
        if effect.free:
            continue
        for card in COSTLY[kind]:
            if entrances(state, seat, card, side.discount, held):
                found |= 1 << card
    return found


COSTLY: dict[Kind, tuple[int, ...]] = {
    kind: tuple(card.id for card in CARDS if card.kind == kind and card.cost) for kind in SLOTS
}


def hand_recruits(state: State, seat: int, effect: fx.Muster) -> list[Place]:
    """T74: where the cards in hand are that could be played."""
    side = state.sides[seat]
    held = means(side)
    return [
        HAND[seat][index]
        for index, card in enumerate(side.hand)
        if KIND[card] in effect.kinds
        and not (effect.free and COSTS[card])
        and entrances(state, seat, card, skips_of(side, card, index), held)
    ]


def _pay_for(state: State, side: Side, task: Perform, effect: fx.Muster, searched_deck: bool) -> None:
    start = task.choice
    assert start is not None
    index = start.number - 1
    if start.zone == "hand":
        card = side.hand[index]
        skips = skips_of(side, card, index)
    else:
        card = side.deck.pop(index)
        skips = skips_of(side, card)
    slots = [SLOT[task.to]] if task.to is not None else entrances(state, task.seat, card, skips, means(side))
    if COSTS[card]:
        side.discount = 0  # T36
    # T74: the lowest free slot; where none is free, whichever the cost frees.
    free = [slot for slot in slots if side.field[slot] is None]
    texts = CARDS[task.card].texts[task.text].effects
    dooms = any(isinstance(step, fx.Doom) for step in texts)
    state.agenda.append(
        Pay(
            seat=task.seat,
            card=card,
            start=start,
            slot=free[0] if free else slots[0] if len(slots) == 1 else -1,
            skips=skips,
            must=frees(side, slots),
            mustered=True,
            silent=effect.silent,
            bonus=effect.bonus,
            level_to=effect.level_to,
            shuffles=searched_deck,
            dooms=task.serial if dooms else 0,
        )
    )
