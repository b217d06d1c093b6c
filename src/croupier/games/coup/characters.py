"""The characters of Coup and the actions: what an action needs, costs and brings in, and who can block it.

The numbers U1, U2, … are the rules as the game's page under ``docs/`` counts them.
"""

from __future__ import annotations

from typing import Literal, get_args

Character = Literal["duke", "ambassador", "assassin", "contessa", "captain"]
CHARACTERS: tuple[Character, ...] = get_args(Character)
DECK: tuple[Character, ...] = tuple(character for character in CHARACTERS for _ in range(3))
"""U1: three of each."""

Action = Literal["income", "foreign_aid", "coup", "tax", "assassinate", "steal", "exchange"]
ACTIONS: tuple[Action, ...] = get_args(Action)

CLAIMS: dict[Action, Character] = {
    "tax": "duke", "assassinate": "assassin", "steal": "captain", "exchange": "ambassador",
}  # fmt: skip
"""The character that an action needs, or pretends to."""
FEES: dict[Action, int] = {**dict.fromkeys(ACTIONS, 0), "coup": 7, "assassinate": 3}
GAINS: dict[Action, int] = {"income": 1, "foreign_aid": 2, "tax": 3}
MUST_COUP = 10
"""U13: with so many coins there is nothing else to do."""
TARGETED: frozenset[Action] = frozenset(("coup", "assassinate", "steal"))
IMMEDIATE: frozenset[Action] = frozenset(("income", "coup"))
BLOCKS: dict[Action, tuple[Character, ...]] = {
    "foreign_aid": ("duke",), "assassinate": ("contessa",), "steal": ("captain", "ambassador"),
}  # fmt: skip
"""U26: as what an action can be blocked; by its target, or by anybody when it has none."""
