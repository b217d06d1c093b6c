"""Cambia in numbers. A card goes by its place: whose it is, and its position in that hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from operator import attrgetter
from typing import get_args

from croupier.games.cambia.cards import FACES, RANK, VALUE, Special
from croupier.games.cambia.events import Dealt, Discarded, Drew, Snapped
from croupier.games.cambia.memory import remember
from croupier.games.cambia.moves import (
    SKIP,
    SWAP,
    AnyMove,
    CallCambia,
    Discard,
    DrawDiscardpile,
    DrawStockpile,
    Give,
    Replace,
    Snap,
    UseSpecial,
)
from croupier.games.cambia.state import Step, View
from croupier.kernel import Encoding, Event, Notes, Section
from croupier.kernel.cards import RANKS
from croupier.kernel.encoding import MOST, Choices, Which, capped

PLACES = 8
"""Positions that are told apart in a hand. Hardly any hand has more cards; those beyond share the last one's number."""
KINDS = (*RANKS, "★")
STEPS = get_args(Step)
SPECIALS = get_args(Special)
STEP, SPECIAL = Which(STEPS), Which(SPECIALS)
RULES = (
    "allow_draw_from_discard_pile",
    "allow_replace_abilities",
    "snap_race",
    "allow_opponent_snapping",
    "lock_caller_hand",
)

LOWEST = min(VALUE.values())
HIGHEST = max(VALUE.values())
CARD = 3 + len(KINDS)
"""Numbers of a card: it is there; you know it; what it counts, from the lowest; and its rank."""
NONE = bytes(CARD)
UNKNOWN = bytes((1, *[0] * (CARD - 1)))
KNOWN: dict[str | None, bytes] = {None: UNKNOWN} | {
    face: bytes((1, 1, VALUE[face] - LOWEST, *(RANK[face] == kind for kind in KINDS))) for face in FACES
}


house_rules = attrgetter(*RULES)


class Remembered(Notes):
    """Every face that a seat has been shown."""

    faces: dict[str, str]
    top: str | None = None
    """Of the discard pile, as long as it lies there as it was thrown."""

    def observe(self, events: Sequence[Event]) -> None:
        remember(self.faces, events)
        for event in events:
            if type(event) is Discarded or type(event) is Snapped:
                self.top = event.face
            elif type(event) is Dealt:
                self.top = None if event.top is None else event.top.face
            elif type(event) is Drew and event.source == "discardpile":
                self.top = None


class CambiaEncoding(Encoding[View, AnyMove]):
    memory = "own"
    in_steps = True
    interrupts = (Discarded, Snapped)

    def __init__(self, seats: int) -> None:
        super().__init__(seats)
        at = self.starts
        self._plain: dict[type[AnyMove], int] = {
            DrawStockpile: at["draw"],
            DrawDiscardpile: at["draw_open"],
            CallCambia: at["call"],
            Discard: at["discard"],
        }

    def numbers(self) -> Iterable[Section]:
        cards = self.seats * PLACES
        return [
            Section("draw", 1, "draw from the stockpile"),
            Section("draw_open", 1, "draw from the discard pile"),
            Section("call", 1, "call Cambia"),
            Section("discard", 1, "throw the drawn card away"),
            Section("skip", 1, "don't use a special"),
            Section("swap", 1, "after a King's look: exchange the two"),
            Section("replace", PLACES, "put the drawn card in the place of this one of yours"),
            Section("give", PLACES, "give this one of yours for one you have snapped"),
            Section("snap", 1, "snap a card; which one, is said in a second step"),
            Section(
                "card", cards, "a card, by seat and position: after *snap*; for a special, in two steps if it takes two"
            ),
        ]

    def facts(self) -> Iterable[Section]:
        seats = self.seats
        card = "it is there; you know its face; what it counts, from the lowest; its rank"
        most = HIGHEST - LOWEST
        return [
            Section("step", len(STEPS), f"of the turn: {', '.join(STEPS)}"),
            Section("special", len(SPECIALS), f"the open special: {', '.join(SPECIALS)}"),
            Section("current", seats, "whose turn it is, you first"),
            Section("caller", seats, "who has called Cambia"),
            Section("owes", seats, "who owes a card for one they have snapped"),
            Section("owed", seats, "and to whom"),
            Section("out", seats, "who has forfeited"),
            Section("hands", seats, "how many cards everybody has", MOST),
            Section("points", seats, "in a match, everybody's points so far", MOST),
            Section("stockpile", 1, "how many cards there are to draw from", MOST),
            Section("turn", 1, "how many turns have been played", MOST),
            Section("snapped", 1, "a card has been snapped since the last discard"),
            Section("rules", len(RULES), f"house rules: {', '.join(RULES)}"),
            Section("top", CARD, f"on the discard pile: {card}", most),
            Section("held", CARD, "the drawn card, likewise", most),
            Section("cards", seats * PLACES * CARD, "all cards in hands, by seat and position, likewise", most),
            Section("looked_at", seats * PLACES, "the two cards of a King's look"),
        ]

    def notes(self) -> Remembered:
        return Remembered({})

    def tempts(self, seat: int, moves: Sequence[AnyMove], notes: Remembered) -> bool:
        """Somebody who knows a card that matches. (In their own turn, people may also snap what they don't know.)"""
        if notes.top is None:
            return False
        faces, rank = notes.faces, RANK[notes.top]
        return any(type(move) is Snap and (face := faces.get(move.card)) and RANK[face] == rank for move in moves)

    def choices(self, seat: int, view: View, moves: Sequence[AnyMove]) -> Choices:
        """Nearly all moves are snaps, and hardly any is made: they are looked at when somebody says so."""
        others = [move for move in moves if type(move) is not Snap]
        found = super().choices(seat, view, others)
        if len(others) < len(moves):
            found[self.starts["snap"]] = partial(self._snaps, seat, view, moves)
        return found

    def _snaps(self, seat: int, view: View, moves: Sequence[AnyMove]) -> Choices:
        first, places = self.starts["card"], self._places(seat, view)
        return {first + places[move.card]: move for move in moves if isinstance(move, Snap)}

    def spell(self, seat: int, view: View, moves: Sequence[AnyMove]) -> Sequence[int | tuple[int, ...]]:
        found: list[int | tuple[int, ...]] = []
        places: dict[str, int] = {}
        hand = view.players[seat].hand
        for move in moves:
            if (number := self._plain.get(type(move))) is not None:
                found.append(number)
            elif type(move) is Replace or type(move) is Give:
                assert move.card is not None
                place = min(hand.index(move.card), PLACES - 1)
                found.append(self.starts["replace" if type(move) is Replace else "give"] + place)
            elif move in (SKIP, SWAP):
                found.append(self.starts["skip" if move == SKIP else "swap"])
            else:
                places = places or self._places(seat, view)
                found.append(self._of_cards(move, places))
        return found

    def _of_cards(self, move: AnyMove, places: dict[str, int]) -> int | tuple[int, ...]:
        """What is said by naming cards in anybody's hand."""
        first = self.starts["card"]
        if type(move) is Snap:
            return self.starts["snap"], first + places[move.card]
        assert type(move) is UseSpecial and move.card1 is not None
        one = first + places[move.card1.card]
        if move.card2 is None:
            return one
        other = first + places[move.card2.card]
        return (one, other) if one < other else (other, one)

    def _places(self, seat: int, view: View) -> dict[str, int]:
        """By id, where the cards in hands are, from the own ones on."""
        return {
            card: distance * PLACES + min(place, PLACES - 1)
            for distance, owner in enumerate(self.order[seat])
            for place, card in enumerate(view.players[owner].hand)
        }

    def see(self, seat: int, view: View, notes: Remembered) -> bytes:
        order, who, choice, held, match = self.order[seat], self.who[seat], view.choice, view.held, view.match
        face = notes.faces.get
        hands = [view.players[each].hand for each in order]
        cards: list[bytes] = []
        for hand in hands:
            cards += map(KNOWN.__getitem__, map(face, hand[:PLACES]))
            cards.append(NONE * (PLACES - len(hand)))
        return b"".join(
            (
                STEP[view.step],
                SPECIAL[None if choice is None else choice.special],
                who[view.current],
                who[view.caller],
                self._debts(view, order),
                bytes([view.players[each].forfeited for each in order]),
                capped([len(hand) for hand in hands]),
                bytes(self.seats) if match is None else bytes([_points(match.totals[each]) for each in order]),
                capped((view.stockpile, view.turn, view.snapped)),
                bytes(house_rules(view.rules)),
                NONE if view.top is None else KNOWN[view.top.face],
                NONE if held is None else KNOWN[held.face],
                *cards,
                self._looked_at(seat, view),
            )
        )

    def _debts(self, view: View, order: Sequence[int]) -> bytes:
        if not view.debts:
            return bytes(2 * self.seats)
        owes, owed = {debt.seat for debt in view.debts}, {debt.target for debt in view.debts}
        return bytes([*(each in owes for each in order), *(each in owed for each in order)])

    def _looked_at(self, seat: int, view: View) -> bytes:
        found = bytearray(self.seats * PLACES)
        if view.choice is not None and view.choice.cards:
            places = self._places(seat, view)
            for spot in view.choice.cards:
                if spot.id in places:
                    found[places[spot.id]] = 1
        return bytes(found)


def _points(total: int) -> int:
    return max(0, min(total, MOST))
