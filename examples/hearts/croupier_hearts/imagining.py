"""What a seat may think that the others have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from croupier.kernel import Chance, Dice
from croupier_hearts.state import BY_SUIT, LEADS, SEATS, State, receiver

TRIES = 60
"""Hardly ever more than a few: what is known of the others leaves many deals."""


def imagined(state: State, seat: int | None, dice: Dice) -> State:
    """The state with another deal that goes with all that this seat has seen."""
    state.chance = Chance(bytes(dice.below(256) for _ in range(32)))
    others = [other for other in range(SEATS) if other != seat]
    known = _known(state, seat)
    for _ in range(TRIES):
        hands = _dealt(state, others, known, dice)
        if hands is not None:
            for other, hand in hands.items():
                state.hands[other] = sorted(hand, key=BY_SUIT)
            break
    state.given = [_given(state, other, seat, dice) for other in range(SEATS)]
    return state


def _known(state: State, seat: int | None) -> dict[str, int]:
    """Cards in the hands of others of which this seat knows."""
    known = {}
    if state.phase == "play" and not state.tricks and not state.trick:
        known[LEADS] = state.leader
    if state.phase == "play" and seat is not None:
        target = receiver(seat, state.number)
        known |= {card: target for card in state.given[seat] if card in state.hands[target]}
    return {card: holder for card, holder in known.items() if holder != seat}


def _dealt(state: State, others: Sequence[int], known: Mapping[str, int], dice: Dice) -> dict[int, list[str]] | None:
    """The cards of the others dealt out anew; None if it did not work out this time."""
    hands: dict[int, list[str]] = {other: [] for other in others}
    for card, holder in known.items():
        hands[holder].append(card)
    cards = [card for other in others for card in state.hands[other] if card not in known]
    dice.shuffle(cards, "imagined")
    room = {card: [other for other in others if _may_have(state, other, card)] for card in cards}
    for card in sorted(cards, key=lambda card: len(room[card])):
        free = [other for other in room[card] for _ in range(len(state.hands[other]) - len(hands[other]))]
        if not free:
            return None
        hands[dice.choice(free)].append(card)
    return hands


def _may_have(state: State, seat: int, card: str) -> bool:
    return card not in state.lacks[seat] and card[-1] not in state.lacks[seat]


def _given(state: State, other: int, seat: int | None, dice: Dice) -> tuple[str, ...]:
    """What somebody may have passed: three of the cards that are, or were, where they went."""
    real, target = state.given[other], receiver(other, state.number)
    if not real or (seat is not None and seat in (other, target) and (state.phase != "pass" or seat == other)):
        return real
    holder = other if state.phase == "pass" else target
    cards = [*state.hands[holder], *(state.played(holder) if state.phase != "pass" else ())]
    dice.shuffle(cards, "imagined")
    return tuple(sorted(cards[:3], key=BY_SUIT))
