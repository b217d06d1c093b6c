"""How a table of Fortress looks from a seat (T7)."""

from __future__ import annotations

from typing import Annotated

import msgspec

from croupier.games.fortress.asking import known
from croupier.games.fortress.events import ItemKind, Purpose, Reason, RequestKind
from croupier.games.fortress.places import Place
from croupier.games.fortress.position import attacks_left, points
from croupier.games.fortress.state import Item, Phase, Request, State, Unit
from croupier.kernel import shown


class CardView(msgspec.Struct, frozen=True):
    """A card on the field."""

    card: Annotated[int | None, shown(kind="hidden")]
    """None: face down, and not yours."""
    points: int | None
    """Of soldiers and mages."""
    level: int | None
    """Of mages."""
    stunned: bool
    face_down: bool
    attacks_left: Annotated[int, shown(kind="hidden")]
    """This turn, regardless of level and stun."""
    used: Annotated[bool, shown(kind="hidden")]
    """The ability of this turn."""
    owner: Annotated[int, shown(kind="hidden")]


class SideView(msgspec.Struct, frozen=True):
    """What one player has, as far as it can be seen."""

    castle: Annotated[int | None, shown(kind="hidden")]
    """None: not revealed yet, and not yours."""
    health: int
    deck: int
    """How many cards are left."""
    hand: Annotated[tuple[int, ...] | None, shown(kind="hidden")]
    """None: not yours."""
    hand_size: int
    discard: Annotated[tuple[int, ...], shown(kind="hidden")]
    """The oldest comes first."""
    field: tuple[CardView | None, ...]
    """Two soldiers, two mages, two tricksters, the decree."""
    brought: Annotated[bool, shown(kind="hidden")]
    """Whether there is a deck already."""
    accepted: Annotated[bool, shown(kind="hidden")]
    """Whether the first hand is kept."""
    dealt: Annotated[int, shown(kind="hidden")]
    """The size of the last deal; a mulligan would be one card fewer."""
    missing: Annotated[bool, shown("Away")]
    """Whether the connection is lost."""


class StackView(msgspec.Struct, frozen=True):
    """An action or a response that waits."""

    number: int
    seat: int
    kind: ItemKind
    place: Place | None
    target: Place | None
    card: int | None
    """None: of a draw; and of a trickster that is laid face down, not by you."""
    responds_to: int | None
    level: int | None
    """That a mage is to reach."""
    named: Place | None
    """If it was named beforehand what is to be destroyed (D27)."""


class RequestView(msgspec.Struct, frozen=True):
    """What somebody is asked; for everybody else without the details."""

    seat: int
    number: int
    kind: RequestKind
    purpose: Purpose | None
    source: Place | None
    card: int | None
    place: Place | None
    level: int | None
    optional: bool
    region: tuple[Place, ...]
    cards: tuple[int | None, ...]


class View(msgspec.Struct, frozen=True):
    """The table as one player sees it."""

    seat: int | None
    """Whose view it is; None for a spectator."""
    phase: Annotated[Phase, shown(kind="hidden")]
    turn: int
    """0 before the first."""
    active: int | None
    """Whose turn it is; None before the first."""
    must_draw: Annotated[bool, shown(kind="hidden")]
    responder: Annotated[int | None, shown("May answer", "seat")]
    """Who may answer the topmost item of the stack."""
    kept: Annotated[bool, shown(kind="hidden")]
    """Whether the responder has kept the window for another trickster."""
    sides: tuple[SideView, ...]
    stack: Annotated[tuple[StackView, ...], shown(kind="hidden")]
    """Bottom first."""
    request: Annotated[RequestView | None, shown(kind="hidden")]
    closes: int | None
    """When the current wait ends by itself; None: never."""
    winner: int | None
    reason: Annotated[Reason | None, shown(kind="hidden")]


def seen(state: State, seat: int | None, closes: int | None, laid_open: bool = False) -> View:
    """``laid_open``: with both sides as their owners see them, for replays of what is over."""
    begun, asked = state.turn > 0, state.request
    request = None if asked is None else _request(state, asked, laid_open or asked.seat == seat)
    # In the order of the fields, here and below: to name so many takes longer than all the rest.
    return View(
        seat,
        state.phase,
        state.turn,
        state.active if begun else None,
        state.must_draw,
        state.holder,
        state.kept,
        (_side(state, 0, laid_open or seat == 0), _side(state, 1, laid_open or seat == 1)),
        tuple([_item(item, laid_open or item.seat == seat) for item in state.stack]),
        request,
        closes,
        state.winner,
        state.reason,
    )


def _side(state: State, whose: int, own: bool) -> SideView:
    side = state.sides[whose]
    field = [None if unit is None else _unit(state, whose, unit, slot, own) for slot, unit in enumerate(side.field)]
    return SideView(
        side.castle if (own or state.turn > 0) and side.castle >= 0 else None,  # T12
        side.health if own or state.turn > 0 else 0,
        len(side.deck),
        tuple(side.hand) if own else None,
        len(side.hand),
        tuple(side.discard),
        tuple(field),
        side.castle >= 0,
        side.accepted,
        side.dealt,
        state.away[whose] is not None,
    )


def _unit(state: State, seat: int, unit: Unit, slot: int, own: bool) -> CardView:
    fights = slot < 4
    return CardView(
        unit.card if own or not unit.face_down else None,
        points(state, seat, unit) if fights else None,
        unit.level or None,
        unit.stunned,
        unit.face_down,
        attacks_left(unit) if fights else 0,
        unit.used,
        unit.owner,
    )


def _item(item: Item, own: bool) -> StackView:
    laid = item.kind == "play" and item.target is not None and item.target.zone == "trickster" and not own
    return StackView(
        number=item.number,
        seat=item.seat,
        kind=item.kind,
        place=item.place,
        target=item.target,
        card=None if laid or item.card < 0 else item.card,
        responds_to=item.responds_to or None,
        level=item.level or None,
        named=item.named,
    )


def _request(state: State, request: Request, own: bool) -> RequestView:
    open = own or request.source.zone not in ("hand", "deck")
    return RequestView(
        seat=request.seat,
        number=request.number,
        kind=request.kind,
        purpose=request.purpose,
        source=request.source if open else None,
        card=request.card if open else None,
        place=request.place,
        level=request.level,
        optional=request.optional and own,
        region=tuple(request.region) if own else (),
        cards=known(state, request) if own else (),
    )
