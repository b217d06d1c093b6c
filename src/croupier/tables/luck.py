"""The luck of a table's next game: drawn from the operating system, unless a test has fixed it, or a lesson."""

from __future__ import annotations

import msgspec

from croupier.kernel import Rig
from croupier.tables import keys
from croupier.tables.rulings import Luck
from croupier.tables.settings import Settings
from croupier.tables.table import Table


def draw(table: Table, settings: Settings) -> Luck:
    lesson = table.game.lesson if table.lobby.lesson else None
    if lesson is not None:
        return lesson.seed, lesson.rig
    rig, first = table.rig or settings.rig, settings.first
    if first is not None:
        order = sorted(table.seats, key=lambda number: (number < first, number))
        leads = {"seats": order, "first": order[:1]}
        rig = msgspec.structs.replace(rig or Rig(), orders={**leads, **(rig.orders if rig else {})})
    return settings.seed or keys.new_seed(), rig
