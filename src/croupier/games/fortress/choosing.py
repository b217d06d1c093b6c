"""How much a step is about, and which cards on the field: what the handlers of many effects begin with."""

from __future__ import annotations

from croupier.games.fortress import effects as fx
from croupier.games.fortress.asking import ask
from croupier.games.fortress.events import Purpose
from croupier.games.fortress.places import MAGES, SLOT, Place
from croupier.games.fortress.position import choosable, controls_ally, item_numbered
from croupier.games.fortress.state import Perform, State, Target, Unit
from croupier.games.fortress.zones import Out


def amount(state: State, task: Perform, value: fx.Amount) -> int:
    if isinstance(value, int):
        return value
    seat = task.seat if task.stolen_from is None else task.stolen_from  # D82
    if isinstance(value, fx.IfAlly):
        return value.then if controls_ally(state.sides[seat], value.card) else value.otherwise
    enemy = state.sides[1 - seat].field
    mages = [unit.level for slot in MAGES if (unit := enemy[slot]) is not None]
    return sum(mages) if isinstance(value, fx.Levels) else value.amount * len(mages)


def chosen(
    state: State,
    task: Perform,
    out: Out,
    region: fx.Region,
    purpose: Purpose,
    count: int = 1,
    look: bool = False,
) -> bool:
    """T63, T69: have the controller choose so many cards, one after the other; fewer if there are no more (T64)."""
    if task.asked:
        task.asked = False
        assert task.choice is not None
        task.picked.append(task.choice)
    if len(task.picked) >= count:
        return True
    attack = item_numbered(state, task.item) if region.spares_attacker else None
    left = choosable(
        state, task.seat, region, task.serial, attack.serial if attack else 0, task.card, purpose == "stun"
    )
    if task.picked:
        left = [place for place in left if place not in task.picked]
    if not left:
        return True
    if task.named is not None and task.named in left:  # D27
        task.picked.append(task.named)
        task.named = None
        return chosen(state, task, out, region, purpose, count, look)
    ask(state, task, out, task.seat, "target", task.place, task.card, purpose=purpose, region=left, look=look)
    return False


def there(state: State, place: Place) -> Unit:
    unit = state.sides[place.seat].field[SLOT[place]]
    assert unit is not None
    return unit


def targets(state: State, acting: int, places: list[Place]) -> list[Target]:
    """T81: in the order in which destroyed cards are listed."""
    found = [Target(place.seat, SLOT[place], there(state, place).serial) for place in places]
    if len(found) > 1:
        found.sort(key=lambda target: (target.seat != acting, target.slot))
    return found
