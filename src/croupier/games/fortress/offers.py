"""What Fortress offers to whom. Moves are made once: playouts ask for them in every position."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.games.fortress import moves as mv
from croupier.games.fortress.actions import DISCARDS
from croupier.games.fortress.cards import CARDS, IN_PLAY, KIND, REACHES_CASTLE, SHIELDS_MAGES, TAUNTS
from croupier.games.fortress.costs import COSTS, TOLL, affords_toll, enterable, means
from croupier.games.fortress.decks import STARTERS
from croupier.games.fortress.places import (
    CASTLE,
    DECK,
    FIELD,
    FIGHTERS,
    HAND,
    MAGES,
    SOLDIERS,
    TRICKSTERS,
    Place,
)
from croupier.games.fortress.position import attacks_left, controls, mage_may_attack
from croupier.games.fortress.stack import answerable
from croupier.games.fortress.state import Request, State, Unit

SEATS = (0, 1)
BRINGS = tuple(mv.BringDeck(deck) for deck in STARTERS.values())
ACCEPT, MULLIGAN, DRAW, END, ALLOW = mv.AcceptHand(), mv.Mulligan(), mv.DrawCard(), mv.EndTurn(), mv.AllowAction()
RETURN = tuple(tuple(mv.ReturnCard(place) for place in HAND[seat]) for seat in SEATS)
PLAY = tuple(tuple(tuple(mv.PlayCard(start, end) for end in FIELD[seat]) for start in HAND[seat]) for seat in SEATS)
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

ANSWERS = tuple(card.texts[0].answers if card.kind == "trickster" else None for card in CARDS)
SPECIAL = tuple(card.kind == "trickster" and card.texts[0].special for card in CARDS)
CANCELS = tuple((text := IN_PLAY[card.id]) >= 0 and card.texts[text].answers is not None for card in CARDS)
"""T62: an In play ability that is a response."""
NEVER = 9
ABLE = tuple(
    NEVER if (text := IN_PLAY[card.id]) < 0 or CANCELS[card.id] else card.texts[text].level * (card.kind == "mage")
    for card in CARDS
)
"""T59: the level from which on a card's ability can be used in the main part."""


def offered(state: State, seat: int) -> Sequence[mv.AnyMove]:
    """Everything that makes a difference."""
    phase = state.phase
    if phase == "window":
        return _answers(state, seat) if seat == state.holder else ()
    if phase == "main":
        if seat != state.active:
            return ()
        return (DRAW,) if state.must_draw else _actions(state, seat)
    if phase == "choice":
        request = state.request
        assert request is not None
        return _choices(request) if seat == request.seat else ()
    side = state.sides[seat]
    if phase == "mulligan":
        if side.accepted:
            return ()
        keep: tuple[mv.AnyMove, ...] = (ACCEPT, MULLIGAN) if side.dealt > 1 else (ACCEPT,)  # T15
        return (*keep, *RETURN[seat][: len(side.hand)])
    return BRINGS if phase == "decks" and not side.deck else ()


def _choices(request: Request) -> Sequence[mv.AnyMove]:
    if request.kind != "target":
        return YES_NO
    found: list[mv.AnyMove] = [CHOOSE[place] for place in request.region]
    if request.optional:
        found.append(DECLINE)
    return found


def _actions(state: State, seat: int) -> list[mv.AnyMove]:
    found: list[mv.AnyMove] = [END]
    _plays(state, seat, found)
    side, enemy = state.sides[seat], state.sides[1 - seat]
    turn = state.turn
    aims: list[int] | None = None
    for slot, unit in enumerate(side.field):
        if unit is None or unit.stunned or unit.face_down:
            continue
        if slot < 4:
            if turn > 1 and attacks_left(unit) > 0 and (slot < 2 or mage_may_attack(side, unit)):  # T42, T43
                if aims is None:
                    aims = _aims(enemy.field)
                found += [ATTACK[seat][slot][aim] for aim in aims]
                if unit.card in REACHES_CASTLE and aims[-1:] != [AT_CASTLE] and not controls(enemy, TAUNTS):  # T46
                    found.append(ATTACK[seat][slot][AT_CASTLE])
            if 0 < unit.level < 3 and unit.entered != turn and not unit.levelled:  # T57
                found.append(LEVEL[seat][slot])
        card = unit.card
        if unit.level >= ABLE[card] and not unit.used and len(side.hand) >= DISCARDS[card]:
            found.append(USE[seat][slot])
    return found


def _aims(field: Sequence[Unit | None]) -> list[int]:
    """T44 to T48: what can be attacked, by slot; the castle comes last."""
    guards = [slot for slot in SOLDIERS if field[slot] is not None]
    taunting = [slot for slot in guards if field[slot].card in TAUNTS]  # type: ignore[union-attr]
    if taunting:
        return taunting
    if any(field[slot].card in SHIELDS_MAGES for slot in guards):  # type: ignore[union-attr]
        return guards
    mages = [slot for slot in MAGES if field[slot] is not None]
    return guards + mages if guards else [*mages, AT_CASTLE]


def _plays(state: State, seat: int, found: list[mv.AnyMove]) -> None:
    side = state.sides[seat]
    held, played, rows = means(side), side.played, PLAY[seat]
    for index, card in enumerate(side.hand):
        if KIND[card] in played:  # T26
            continue
        slots = enterable(card, held, side.discount + side.fewer[index] if COSTS[card] else 0)
        if slots and (not TOLL[card] or affords_toll(side, card)):
            row = rows[index]
            for slot in slots:
                found.append(row[slot])  # noqa: PERF401  of two at most, that is quicker


def _answers(state: State, seat: int) -> Sequence[mv.AnyMove]:
    side = state.sides[seat]
    field = side.field
    own_turn = seat == state.active
    set_down = [slot for slot in TRICKSTERS if (unit := field[slot]) is not None and unit.face_down]
    found: list[mv.AnyMove] = [ALLOW]
    for slot in set_down:
        card = field[slot].card  # type: ignore[union-attr]
        if not SPECIAL[card] and (own_turn or field[slot].entered == state.turn):  # type: ignore[union-attr]
            continue
        condition = ANSWERS[card]
        assert condition is not None
        keeps = (False, True) if len(set_down) > 1 and not state.kept else (False,)  # D23
        found += [
            mv.ActivateTrickster(FIELD[seat][slot], number, more) if number else ACTIVATE[seat][slot][more]
            for number in _answerable(state, seat, condition)
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


ALLOWED = (ALLOW,)


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
