"""Requests: a task that needs somebody's word puts itself back on the agenda and waits for it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress

from croupier.games.fortress.cards import ANY_ID, unmask
from croupier.games.fortress.events import Asked, Purpose, RequestKind
from croupier.games.fortress.places import DECK, HAND, SLOT, Place
from croupier.games.fortress.state import AnyTask, Perform, Request, State
from croupier.games.fortress.zones import Out


def ask(
    state: State,
    task: AnyTask,
    out: Out,
    seat: int,
    kind: RequestKind,
    source: Place,
    card: int,
    *,
    purpose: Purpose | None = None,
    region: Sequence[Place] = (),
    optional: bool = False,
    look: bool = False,
    place: Place | None = None,
    level: int | None = None,
) -> None:
    """Wait for this player's word about it."""
    if type(task) is Perform and task.asker >= 0:
        card = task.asker
    state.agenda.append(task)
    state.requests += 1
    request = Request(state.requests, seat, kind, source, card, purpose, optional, list(region), look, place, level)
    state.request = request
    state.phase = "choice"
    if look:
        _remember(state, region)
    out.append(asked(state, request))


def asked(state: State, request: Request) -> Asked:
    return Asked(
        request.seat,
        request.number,
        request.kind,
        request.purpose,
        request.source,
        request.card,
        request.place,
        request.level,
        request.optional,
        tuple(request.region),
        known(state, request),
    )


def known(state: State, request: Request) -> tuple[int | None, ...]:
    """Which cards those of a request are, as far as the chooser may know."""
    if request.kind != "target":
        return ()
    cards: list[int | None] = []
    for place in request.region:
        side = state.sides[place.seat]
        zone = place.zone
        if zone == "deck":
            cards.append(side.deck[place.number - 1])
        elif zone == "hand":
            cards.append(side.hand[place.number - 1])
        else:
            unit = side.field[SLOT[place]]
            assert unit is not None
            hidden = unit.face_down and place.seat != request.seat and not request.look
            cards.append(None if hidden else unit.card)
    return tuple(cards)


def _remember(state: State, region: Sequence[Place]) -> None:
    """The chooser has seen these cards, and knows them from now on."""
    for place in region:
        side = state.sides[place.seat]
        if place.zone == "hand":
            side.clues[place.number - 1] = 1 << side.hand[place.number - 1]
        else:
            unit = side.field[SLOT[place]]
            assert unit is not None
            unit.clue = 1 << unit.card


def offer_draw(state: State, task: AnyTask, out: Out, seat: int, source: Place, card: int) -> None:
    """An optional draw: from where, and to where."""
    side = state.sides[seat]
    place = HAND[seat][len(side.hand)]
    ask(state, task, out, seat, "draw", source, card, region=(DECK[seat][len(side.deck) - 1],), place=place)


def in_deck(deck: Sequence[int], seat: int, wanted: int) -> list[Place]:
    """The places of those cards of a deck that are in a set."""
    places = DECK[seat]
    if wanted == ANY_ID:
        return list(places[: len(deck)])
    return list(compress(places, map(unmask(wanted).__contains__, deck)))
