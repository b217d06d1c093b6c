"""What Fortress offers to whom. Moves are made once: playouts ask for them in every position."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations

from croupier.games.fortress import moves as mv
from croupier.games.fortress.actions import DISCARDS
from croupier.games.fortress.cards import CARDS, IN_PLAY, KIND, REACHES_CASTLE, SHIELDS_MAGES, TAUNTS
from croupier.games.fortress.costs import TOLL, means, openings
from croupier.games.fortress.decks import STARTERS
from croupier.games.fortress.places import (
    CASTLE,
    DECK,
    DECREE,
    FIELD,
    FIGHTERS,
    HAND,
    MAGES,
    SLOTS,
    SOLDIERS,
    TRICKSTERS,
    Place,
)
from croupier.games.fortress.position import mage_may_attack
from croupier.games.fortress.stack import answerable
from croupier.games.fortress.state import Phase, State, Unit

SEATS = (0, 1)
BRINGS = tuple(mv.BringDeck(deck) for deck in STARTERS.values())
ACCEPT, MULLIGAN, DRAW, END, ALLOW = mv.AcceptHand(), mv.Mulligan(), mv.DrawCard(), mv.EndTurn(), mv.AllowAction()
RETURN = tuple(tuple(mv.ReturnCard(place) for place in HAND[seat]) for seat in SEATS)
CHOICES = [
    some for slots in SLOTS.values() for count in range(1, len(slots) + 1) for some in combinations(slots, count)
]
"""The slots that may be open to a card: one or two."""
PLAY = tuple(
    tuple(
        {slots: tuple(mv.PlayCard(start, FIELD[seat][slot]) for slot in slots) for slots in CHOICES}
        for start in HAND[seat]
    )
    for seat in SEATS
)
ATTACK = tuple(
    tuple(
        tuple(mv.AttackCard(FIELD[seat][slot], target) for target in (*FIELD[1 - seat][:4], CASTLE[1 - seat]))
        for slot in FIGHTERS
    )
    for seat in SEATS
)
AT_CASTLE = 4
LEVEL = tuple(tuple(mv.LevelMage(place) for place in FIELD[seat]) for seat in SEATS)
USE = tuple(tuple(mv.UseAbility(place) for place in FIELD[seat]) for seat in SEATS)
ACTIVATE = tuple(
    tuple(tuple(mv.ActivateTrickster(place, more=more) for more in (False, True)) for place in FIELD[seat])
    for seat in SEATS
)
CHOOSE: dict[Place, mv.ChooseCard] = {
    place: mv.ChooseCard(place) for seat in SEATS for zone in (HAND, DECK, FIELD) for place in zone[seat]
}
DECLINE = mv.ChooseCard(None)
YES_NO = (mv.Answer(True), mv.Answer(False))

ANSWERS = {
    card.id: answers for card in CARDS if card.kind == "trickster" and (answers := card.texts[0].answers) is not None
}
SPECIAL = tuple(card.kind == "trickster" and card.texts[0].special for card in CARDS)
CANCELS = tuple((text := IN_PLAY[card.id]) >= 0 and card.texts[text].answers is not None for card in CARDS)
"""T62: an In play ability that is a response."""
NEVER = 9
ABLE = tuple(
    NEVER if (text := IN_PLAY[card.id]) < 0 or CANCELS[card.id] else card.texts[text].level * (card.kind == "mage")
    for card in CARDS
)
"""T59: the level from which on a card's ability can be used in the main part."""


def _decks(state: State, seat: int) -> Sequence[mv.AnyMove]:
    return () if state.sides[seat].deck else BRINGS


def _first_hand(state: State, seat: int) -> Sequence[mv.AnyMove]:
    side = state.sides[seat]
    if side.accepted:
        return ()
    keep: tuple[mv.AnyMove, ...] = (ACCEPT, MULLIGAN) if side.dealt > 1 else (ACCEPT,)  # T15
    return keep + RETURN[seat][: len(side.hand)]


def _choices(state: State, seat: int) -> Sequence[mv.AnyMove]:
    request = state.request
    assert request is not None
    if seat != request.seat:
        return ()
    if request.kind != "target":
        return YES_NO
    found: list[mv.AnyMove] = [CHOOSE[place] for place in request.region]
    if request.optional:
        found.append(DECLINE)
    return found


def _actions(state: State, seat: int) -> Sequence[mv.AnyMove]:
    if seat != state.active:
        return ()
    if state.must_draw:
        return DRAWING
    found: list[mv.AnyMove] = [END]
    _plays(state, seat, found)
    side = state.sides[seat]
    field = side.field
    turn = state.turn
    attacks = None
    for slot in ACTORS:
        unit = field[slot]
        if unit is None or unit.stunned:
            continue
        card, level = unit.card, unit.level
        # T42, T43
        if slot < 4 and unit.attacks <= unit.extra and turn > 1 and (not level or mage_may_attack(side, unit)):
            if attacks is None:
                attacks = _attacks(seat, _posture(state.sides[1 - seat].field))
            found += attacks[card in REACHES_CASTLE][slot]
        if level and level < 3 and unit.entered != turn and not unit.levelled:  # T57
            found.append(LEVEL[seat][slot])
        if level >= ABLE[card] and not unit.used and len(side.hand) >= DISCARDS[card]:
            found.append(USE[seat][slot])
    return found


ACTORS = (*FIGHTERS, DECREE)


def _posture(field: Sequence[Unit | None]) -> int:
    """What attackers care about in an enemy field, as a number."""
    one, two, three, four = field[:4]
    return (
        (0 if one is None else STANCE[one.card])
        | (0 if two is None else STANCE[two.card] << 2)
        | (0 if three is None else 16)
        | (0 if four is None else 32)
    )


GUARDING, TAUNTING, SHIELDING = 1, 2, 3
STANCE = tuple(TAUNTING if id in TAUNTS else SHIELDING if id in SHIELDS_MAGES else GUARDING for id in range(len(CARDS)))


@cache
def _attacks(seat: int, posture: int) -> tuple[tuple[tuple[mv.AttackCard, ...], ...], ...]:
    """T44 to T48: the attacks of each slot, first of cards that don't reach a guarded castle, then of those that do."""
    soldiers = {slot: stance for slot, stance in zip(SOLDIERS, (posture & 3, posture >> 2 & 3), strict=True) if stance}
    aims = [slot for slot, stance in soldiers.items() if stance == TAUNTING]
    reach = aims
    if not aims:
        aims = list(soldiers)
        if SHIELDING not in soldiers.values():
            aims += [slot for slot in MAGES if posture >> slot + 2 & 1]
        reach = [*aims, AT_CASTLE]  # T46
        if not soldiers:
            aims = reach
    return tuple(tuple(tuple(row[aim] for aim in found) for row in ATTACK[seat]) for found in (aims, reach))


def _plays(state: State, seat: int, found: list[mv.AnyMove]) -> None:
    side = state.sides[seat]
    held, discount, played, health = means(side), side.discount, side.played, side.health
    usual, fewer, plays = openings(held, discount), side.fewer, PLAY[seat]
    for index, card in enumerate(side.hand):
        slots = (openings(held, discount + fewer[index]) if fewer[index] else usual)[card]
        if slots and KIND[card] not in played and health > TOLL[card]:  # T26, D64
            found += plays[index][slots]


def _answers(state: State, seat: int) -> Sequence[mv.AnyMove]:
    if seat != state.holder:
        return ()
    field = state.sides[seat].field
    own_turn = seat == state.active
    found: list[mv.AnyMove] = [ALLOW]
    for slot, other_slot in EACH_TRICKSTER:
        unit = field[slot]
        if unit is None or not unit.face_down:
            continue
        card = unit.card
        if not SPECIAL[card] and (own_turn or unit.entered == state.turn):
            continue
        numbers = _answerable(state, seat, ANSWERS[card])
        if numbers:
            other = field[other_slot]
            keeps = (False,) if other is None or not other.face_down or state.kept else (False, True)  # D23
            found += [
                mv.ActivateTrickster(FIELD[seat][slot], number, more) if number else ACTIVATE[seat][slot][more]
                for number in numbers
                for more in keeps
            ]
    if own_turn:  # T62
        for slot in SOLDIERS:
            unit = field[slot]
            if unit is not None and CANCELS[unit.card] and not unit.stunned and not unit.used:
                found += [
                    mv.UseAbility(FIELD[seat][slot], number) if number else USE[seat][slot]
                    for number in _answerable(state, seat, "trickster")
                ]
    return found if len(found) > 1 else ALLOWED


ALLOWED, DRAWING = (ALLOW,), (DRAW,)
EACH_TRICKSTER = (TRICKSTERS, TRICKSTERS[::-1])
"""With the slot of the other one."""


def _answerable(state: State, seat: int, condition: str) -> list[int | None]:
    """T105: the items of the enemy that such a response may answer; None for the topmost."""
    found: list[int | None] = []
    topmost = True
    for item in reversed(state.stack):
        if item.seat == seat:
            continue
        if answerable(item, condition):
            found.append(None if topmost else item.number)
        topmost = False
    return found


OFFERS: dict[Phase, Callable[[State, int], Sequence[mv.AnyMove]]] = {
    "decks": _decks,
    "mulligan": _first_hand,
    "main": _actions,
    "window": _answers,
    "choice": _choices,
    "over": lambda state, seat: (),
}
"""By phase: everything that makes a difference."""
