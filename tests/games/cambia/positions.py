"""Positions of Cambia for tests, written down in a line, and short ways to play on from them.

Ids are short here: the cards of seat 0 are ``a0``, ``a1``, …, those of seat 1 ``b0``, …; the stockpile is ``s0``,
``s1``, … in the order of drawing, the discard pile ``p0``, ``p1``, … from the bottom to the top.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import pytest

from croupier import laws
from croupier.games.cambia.cards import Ids, deck
from croupier.games.cambia.events import AnyEvent
from croupier.games.cambia.moves import AnyMove, Discard, DrawStockpile, Named, UseSpecial
from croupier.games.cambia.options import Options, in_force
from croupier.games.cambia.rules import Cambia
from croupier.games.cambia.state import EVERYBODY, Match, State
from croupier.kernel import Chance, Illegal, Rig

cambia = Cambia()
SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
UNKNOWN = "00000000-0000-4000-8000-000000000000"
"""A well-formed id that no card has."""

NOBODY = "7s 5c 4d 3c 6h 2h Ac 6c 4c 5d"


def faces(text: str) -> list[str]:
    """
    >>> faces("10h Kd R B")
    ['10♥', 'K♦', '★R', '★B']
    """
    return [f"★{card}" if card in "RB" else card[:-1] + SIGNS[card[-1]] for card in text.split()]


def table(*hands: str, stock: str = NOBODY, pile: str = "10h", current: int = 0, turn: int = 0, **rules: Any) -> State:
    """A position at the start of a turn."""
    options = in_force(Options(**rules))
    seats = len(hands)
    found: dict[str, str] = {}

    def lay(name: str, text: str) -> list[str]:
        ids = [f"{name}{number}" for number, _ in enumerate(faces(text))]
        found.update(zip(ids, faces(text), strict=True))
        return ids

    laid = [lay("abcdefgh"[seat], hand) for seat, hand in enumerate(hands)]
    open_cards = lay("p", pile)
    state = State(
        rules=options,
        chance=Chance(bytes(32)),
        ids=Ids(bytes(32)),
        since=0,
        first=0,
        faces=found,
        seen=dict.fromkeys(open_cards, EVERYBODY),
        stock=lay("s", stock)[::-1],
        hands=laid,
        pile=open_cards,
        away=[None] * seats,
        forfeited=[False] * seats,
        locked=[False] * seats,
        missed=[0] * seats,
        missing=[False] * seats,
        players=seats,
        phase="playing",
        current=current,
        turn=turn,
        match=Match(totals=(0,) * seats, missed=(0,) * seats) if options.circuit else None,
    )
    state.due = 1000 * options.turn_timer_sec or None
    return state


def dealt(seats: int = 2, seed: int = 0, order: str = "", first: int | None = None, **rules: Any) -> State:
    """A new game, before anybody has sat down. ``order``: how the deck begins."""
    orders: dict[str, list[Any]] = {"deck": faces(order)} if order else {}
    if first is not None:
        orders["first"] = [first]
    return cambia.deal(Options(**rules), seats, Chance(laws.seed_bytes(seed), rig=Rig(orders=orders)), 0)


def begun(seats: int = 2, seed: int = 0, order: str = "", first: int | None = None, **rules: Any) -> State:
    """A new game on turn 0."""
    state = dealt(seats, seed, order, first, **rules)
    expire(state, "gathering", 0)
    if state.phase == "pregame":
        expire(state, "pregame", 0)
    return state


def cards_on(state: State) -> list[str]:
    """C6: every card, wherever it is."""
    held = [state.held] if state.held else []
    return [*state.stock, *state.pile, *(card for hand in state.hands for card in hand), *held]


def conserved(state: State) -> None:
    """C6, K74: no card is lost or doubled; and K2: the faces are those of the deck."""
    ids = cards_on(state)
    assert Counter(ids) == Counter(dict.fromkeys(state.faces, 1))
    decks = state.rules.num_decks or (1 if state.players <= 6 else 2)
    assert Counter(state.faces.values()) == Counter(deck(decks, state.rules.use_jokers))


def checked(state: State, before: State, events: Sequence[AnyEvent]) -> list[AnyEvent]:
    assert Counter(cards_on(state)) == Counter(dict.fromkeys(state.faces, 1))
    assert Counter(state.faces.values()) == Counter(before.faces.values())
    return list(events)


def play(state: State, seat: int, move: AnyMove, at: int = 0) -> list[AnyEvent]:
    before = deepcopy(state)
    return checked(state, before, cambia.play(state, seat, move, at))


def expire(state: State, clock: str, at: int) -> list[AnyEvent]:
    before = deepcopy(state)
    assert clock in [each.name for each in cambia.clocks(state)]
    events = list(cambia.expire(state, clock, at))
    return events if state.phase == "gathering" else checked(state, before, events)


def leave(state: State, *seats: int, at: int = 0) -> list[AnyEvent]:
    return checked(state, deepcopy(state), cambia.leave(state, seats, at))


def refused(state: State, seat: int, move: AnyMove) -> str:
    """The code with which a move is refused, having changed nothing."""
    before = deepcopy(state)
    with pytest.raises(Illegal) as refusal:
        cambia.play(state, seat, move, 999)
    assert state == before
    assert str(refusal.value)[0].isupper() and str(refusal.value).endswith(".")
    return refusal.value.code


def use(special: str, *cards: str) -> UseSpecial:
    """A special; a card may say its owner: ``"b1@1"``."""
    named = []
    for card in cards:
        id, _, owner = card.partition("@")
        named.append(Named(id, int(owner) if owner else None))
    return UseSpecial(special, *named)


def throw(state: State, at: int = 0) -> list[AnyEvent]:
    """The current player draws and throws the card away."""
    seat = state.current
    play(state, seat, DrawStockpile(), at)
    assert state.held is not None
    return play(state, seat, Discard(state.held), at)


def kinds(events: Sequence[AnyEvent]) -> str:
    return " ".join(type(event).__name__ for event in events)


def seen(events: Sequence[AnyEvent], seat: int | None) -> list[AnyEvent]:
    return [event for each in events if (event := each.seen_by(seat)) is not None]
