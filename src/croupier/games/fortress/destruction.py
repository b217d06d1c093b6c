"""How cards are destroyed (T81 to T84), and what follows from it."""

from __future__ import annotations

from croupier.games.fortress.asking import ask
from croupier.games.fortress.cards import SOLDIER_LOST, WOULD_BE_DESTROYED
from croupier.games.fortress.effect_handlers import come_over
from croupier.games.fortress.events import Destroyed
from croupier.games.fortress.places import CASTLE, FIELD, MAGES, SOLDIERS
from croupier.games.fortress.position import free_slots
from croupier.games.fortress.state import Demolish, Perform, Side, Spoils, State, Target, Unit
from croupier.games.fortress.zones import Out, bury


def demolish(state: State, task: Demolish, out: Out) -> None:
    """T81 to T84"""
    sides = state.sides
    if task.asked:
        task.asked = False
        if task.yes:
            victim = task.victims[task.next]
            task.saved.append(victim.serial)
            protector = _protector(sides[victim.seat])
            assert protector is not None
            protector[1].spent = True
        task.next += 1
    if not task.final:
        while task.next < len(task.victims):
            victim = task.victims[task.next]
            side = sides[victim.seat]
            if side.field[victim.slot] is None:
                pass
            elif side.protected:  # T82
                task.saved.append(victim.serial)
            elif (protector := _protector(side)) is not None:  # T83
                slot, unit = protector
                ask(
                    state, task, out, victim.seat, "protect", FIELD[victim.seat][slot], unit.card,
                    place=FIELD[victim.seat][victim.slot],
                )  # fmt: skip
                return
            task.next += 1
    _destroy(state, [victim for victim in task.victims if victim.serial not in task.saved], task.in_response, out)


def _protector(side: Side) -> tuple[int, Unit] | None:
    for slot in MAGES:
        unit = side.field[slot]
        if unit is not None and unit.card in WOULD_BE_DESTROYED and not unit.spent and not unit.stunned:
            return slot, unit
    return None


def _destroy(state: State, victims: list[Target], in_response: bool, out: Out) -> None:
    places, graves, cards, released = [], [], [], []
    bereaved: set[int] = set()
    for victim in victims:
        field = state.sides[victim.seat].field
        unit = field[victim.slot]
        if unit is None or unit.serial != victim.serial:
            continue
        field[victim.slot] = None
        grave = bury(state, unit.owner, unit.card)
        places.append(FIELD[victim.seat][victim.slot])
        graves.append(grave)
        cards.append(unit.card)
        for task in state.agenda:
            if (type(task) is Perform or type(task) is Spoils) and task.serial == victim.serial:
                task.place = grave
        if victim.slot in SOLDIERS:
            bereaved.add(victim.seat)
        elif victim.slot in MAGES:
            released.append(victim.serial)
    if not places:
        return
    out.append(Destroyed(tuple(places), tuple(graves), tuple(cards), in_response))
    # What follows, last things first, as the agenda is done from its end.
    for seat in bereaved:
        _console(state, seat)
    for serial in released:
        _release(state, serial, out)


def _console(state: State, seat: int) -> None:
    """T98: a castle's offer, once in each turn of its owner, after a soldier was lost."""
    side = state.sides[seat]
    if seat == state.active and not side.offered and side.castle in SOLDIER_LOST and side.deck:
        side.offered = True
        text = SOLDIER_LOST[side.castle]
        state.agenda.append(Perform(seat=seat, card=side.castle, text=text, place=CASTLE[seat], serial=0))


def _release(state: State, holder: int, out: Out) -> None:
    """D60: a soldier that was held goes back, or is destroyed where there is no room."""
    for seat, side in enumerate(state.sides):
        for slot in SOLDIERS:
            unit = side.field[slot]
            if unit is None or unit.held_by != holder:
                continue
            free = free_slots(state, unit.owner, SOLDIERS)
            if free:
                side.field[slot] = None
                come_over(state, [(unit, FIELD[seat][slot], FIELD[unit.owner][free[0]])], out)
            else:
                state.agenda.append(Demolish(victims=[Target(seat, slot, unit.serial)], final=True))
