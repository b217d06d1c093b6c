"""The table of Palace: the whole of it, and as one player sees it."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from croupier.kernel import shown
from croupier.kernel.cards import ORDER

Phase = Literal["setup", "play", "complete"]
Zone = Literal["hand", "face_up", "face_down"]


BY_RANK = ORDER.__getitem__
"""How hands and face-up cards are sorted."""


class State(msgspec.Struct):
    """The whole table, secrets included. Lists with one entry per player are in turn order."""

    turn_timer: int
    since: int
    """When the action that is awaited now became due."""
    hands: list[list[str]]
    """Sorted, like the face-up cards."""
    known: list[list[str]]
    """The part of each hand that everybody has seen: picked up from the pile, or face up before the setup."""
    face_up: list[list[str]]
    face_down: list[list[str]]
    """In the order dealt."""
    undealt: list[str]
    pile: list[str] = []
    """Bottom to top."""
    cleared: list[str] = []
    phase: Phase = "setup"
    active: int = 0
    last_cards: tuple[str, ...] = ()
    """The latest play, in the order in which its cards were named."""
    last_zone: Zone | None = None
    order: list[int] = []
    """Who is out, first to last; at the end, the loser too."""


class View(msgspec.Struct, frozen=True):
    """The table as one player sees it. Tuples with one entry per player are in turn order."""

    seat: int | None
    """Whose view it is; None for a spectator."""
    phase: Annotated[Phase, shown(kind="hidden")]
    active: int
    """Whose action is awaited; when the game is complete, who made the last one."""
    hand: tuple[str, ...]
    """Your own; a spectator has none."""
    zone: Annotated[Zone | None, shown(kind="hidden")]
    """Where you play from; None for spectators and who is out."""
    hands: tuple[int, ...]
    """How many cards everybody holds."""
    face_up: tuple[tuple[str, ...], ...]
    face_down: tuple[int, ...]
    pile: tuple[str, ...]
    """Bottom to top."""
    playable: Annotated[tuple[str, ...], shown("What fits")]
    """The ranks that fit on the pile; any other means to pick it up."""
    cleared: Annotated[int, shown("Burned")]
    """How many cards have been burned."""
    last_cards: Annotated[tuple[str, ...], shown(kind="hidden")]
    """The latest play, also if it was picked up or burned."""
    last_zone: Annotated[Zone | None, shown(kind="hidden")]
    order: Annotated[tuple[int, ...], shown("Out", "seats")]
    """Who is out, first to last; at the end, the loser too."""
    open_hands: tuple[tuple[str, ...], ...] | msgspec.UnsetType = msgspec.UNSET
    """What everybody holds: only where all cards are laid open, in the replay of a game that is over."""
    open_face_down: tuple[tuple[str, ...], ...] | msgspec.UnsetType = msgspec.UNSET
    """What lies face down: likewise."""
