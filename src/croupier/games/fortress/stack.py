"""The stack (T104 to T106): actions and responses are declared on it and wait to be answered; then they resolve."""

from __future__ import annotations

from croupier.games.fortress.cards import CARDS, KIND, OF_KIND, ON_LVL, ON_PLAY
from croupier.games.fortress.effect_handlers import DRAWING
from croupier.games.fortress.events import (
    AbilityDeclared,
    AttackDeclared,
    DrawDeclared,
    ItemKind,
    LayDeclared,
    LevelDeclared,
    PlayDeclared,
    TricksterDeclared,
)
from croupier.games.fortress.places import FIELD, HAND, SLOT, Place
from croupier.games.fortress.position import item_numbered
from croupier.games.fortress.state import Item, State
from croupier.games.fortress.zones import Out


def _put(state: State, item: Item, holder: int) -> None:
    state.stack.append(item)
    state.holder = holder
    state.phase = "window"


def declare_draw(state: State, seat: int, out: Out) -> None:
    state.must_draw = False
    state.actions += 1
    _put(state, Item(state.actions, seat, "draw"), 1 - seat)
    out.append(DrawDeclared(state.actions, seat, 1 - seat))


def declare_play(state: State, seat: int, index: int, slot: int, out: Out) -> None:
    """T34: when it is paid for. The card stays in the hand until it resolves."""
    side = state.sides[seat]
    card = side.hand[index]
    kind = KIND[card]
    start, end, enemy = HAND[seat][index], FIELD[seat][slot], 1 - seat
    state.actions += 1
    number = state.actions
    _put(state, Item(number, seat, "play", start, card, 0, end, 0, ON_PLAY[card]), enemy)
    if kind == "trickster":
        side.clues[index] &= OF_KIND["trickster"]
        out.append(LayDeclared(number, seat, start, end, card, enemy))
        return
    side.clues[index] = 1 << card
    if kind == "soldier" or kind == "mage":
        side.played.append(kind)
    out.append(PlayDeclared(number, seat, start, end, card, enemy))


def declare_level(state: State, seat: int, slot: int, out: Out) -> None:
    unit = state.sides[seat].field[slot]
    assert unit is not None
    level = unit.level + 1
    state.actions += 1
    place = FIELD[seat][slot]
    item = Item(state.actions, seat, "level", place, unit.card, unit.serial, text=ON_LVL[unit.card][level], level=level)
    _put(state, item, 1 - seat)
    out.append(LevelDeclared(item.number, seat, place, level, 1 - seat, unit.card))


def declare_ability(
    state: State, seat: int, slot: int, text: int, out: Out, responds_to: int = 0, named: Place | None = None
) -> None:
    unit = state.sides[seat].field[slot]
    assert unit is not None
    unit.used = True
    state.actions += 1
    place = FIELD[seat][slot]
    item = Item(
        state.actions, seat, "ability", place, unit.card, unit.serial, text=text, responds_to=responds_to, named=named
    )
    _put(state, item, 1 - seat)
    answers, answered = _answered(state, responds_to) if responds_to else (None, None)
    out.append(
        AbilityDeclared(item.number, seat, place, unit.card, named, responds_to or None, 1 - seat, answers, answered)
    )


def declare_attack(state: State, seat: int, slot: int, target: Place, target_serial: int, out: Out) -> None:
    unit = state.sides[seat].field[slot]
    assert unit is not None
    state.actions += 1
    place = FIELD[seat][slot]
    item = Item(state.actions, seat, "attack", place, unit.card, unit.serial, target, target_serial)
    _put(state, item, 1 - seat)
    prey = None if target.zone == "castle" else state.sides[target.seat].field[SLOT[target]]
    out.append(
        AttackDeclared(item.number, seat, place, target, 1 - seat, unit.card, None if prey is None else prey.card)
    )


def declare_trickster(
    state: State, seat: int, slot: int, responds_to: int, more: bool, named: Place | None, out: Out
) -> None:
    """T88: it is turned face up. With ``more`` the player keeps the window, once (D23)."""
    unit = state.sides[seat].field[slot]
    assert unit is not None
    unit.face_down = False
    state.kept = more and not state.kept
    holder = seat if state.kept else 1 - seat
    state.actions += 1
    place = FIELD[seat][slot]
    item = Item(
        state.actions, seat, "trickster", place, unit.card, unit.serial, text=0, responds_to=responds_to, named=named
    )
    _put(state, item, holder)
    answers, answered = _answered(state, responds_to)
    out.append(TricksterDeclared(item.number, seat, place, unit.card, named, responds_to, holder, answers, answered))


def _answered(state: State, number: int) -> tuple[ItemKind, int | None]:
    """What an answer is about, as far as everybody may know it."""
    item = item_numbered(state, number)
    assert item is not None
    covert = item.kind == "play" and KIND[item.card] == "trickster"
    return item.kind, None if covert or item.card < 0 else item.card


ABILITIES: tuple[ItemKind, ...] = ("play", "level", "ability")


def answerable(item: Item, condition: str) -> bool:
    """T87: whether a response of this kind may answer that item."""
    if item.cancelled:
        return False
    kind = item.kind
    if condition == "any":
        return True
    if condition == "trickster":
        return kind == "trickster"
    if condition == "attack":
        return kind == "attack"
    if condition == "soldier attack":
        return kind == "attack" and KIND[item.card] == "soldier"
    # D50: only what soldiers and mages do is an ability
    if item.text < 0 or kind not in ABILITIES or KIND[item.card] not in ("soldier", "mage"):
        return False
    if condition == "in play or on lvl":
        return kind != "play"
    if condition == "draw or add":
        return any(type(step) in DRAWING for step in CARDS[item.card].texts[item.text].effects)
    return True


def topmost_enemy(state: State, seat: int) -> Item | None:
    """T105: what a response answers unless it says otherwise."""
    for item in reversed(state.stack):
        if item.seat != seat:
            return item
    return None
