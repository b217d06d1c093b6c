"""Cambia in numbers. A card goes by its place: whose it is, and its position in that hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
from croupier.kernel.encoding import MOST, which, who

PLACES = 8
"""Positions that are told apart in a hand. Hardly any hand has more cards; those beyond share the last one's number."""
KINDS = (*RANKS, "★")
STEPS = get_args(Step)
SPECIALS = get_args(Special)
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
KNOWN: dict[str | None, bytes] = {
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
            match event:
                case Dealt(top=top):
                    self.top = None if top is None else top.face
                case Discarded(face=face) | Snapped(face=face):
                    self.top = face
                case Drew(source="discardpile"):
                    self.top = None


class CambiaEncoding(Encoding[View, AnyMove]):
    memory = "own"
    in_steps = True
    interrupts = (Discarded, Snapped)

    def __init__(self, seats: int) -> None:
        super().__init__(seats)
        at = self.starts
        self._plain: dict[AnyMove, int] = {
            DrawStockpile(): at["draw"],
            DrawDiscardpile(): at["draw_open"],
            CallCambia(): at["call"],
            SKIP: at["skip"],
            SWAP: at["swap"],
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
            Section("card", cards, "use a special on this card, by seat and position; two steps where it takes two"),
            Section("snap", cards, "snap this card, likewise"),
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

    def spell(self, seat: int, view: View, moves: Sequence[AnyMove]) -> Sequence[int | tuple[int, ...]]:
        at, plain, places = self.starts, self._plain, self._places(seat, view)
        snap, use = at["snap"], at["card"]
        found: list[int | tuple[int, ...]] = []
        for move in moves:
            match move:
                case Snap(card=card):
                    found.append(snap + places[card])
                case Replace(card=str(card)):
                    found.append(at["replace"] + places[card])
                case Give(card=str(card)):
                    found.append(at["give"] + places[card])
                case Discard():
                    found.append(at["discard"])
                case UseSpecial(card1=one, card2=other) if one is not None and other is not None:
                    found.append(tuple(sorted((use + places[one.card], use + places[other.card]))))
                case UseSpecial(card1=one) if one is not None:
                    found.append(use + places[one.card])
                case _:
                    found.append(plain[move])
        return found

    def _places(self, seat: int, view: View) -> dict[str, int]:
        """By id, where the cards in hands are, from the own ones on."""
        return {
            card: distance * PLACES + min(place, PLACES - 1)
            for distance, owner in enumerate(self.order[seat])
            for place, card in enumerate(view.players[owner].hand)
        }

    def see(self, seat: int, view: View, notes: Remembered) -> bytes:
        seats, order, faces = self.seats, self.order[seat], notes.faces
        hands = [view.players[each].hand for each in order]
        held = view.held
        cards: list[bytes] = []
        for hand in hands:
            cards += [KNOWN[faces[card]] if card in faces else UNKNOWN for card in hand[:PLACES]]
            cards.append(NONE * (PLACES - len(hand)))
        looked_at = bytearray(seats * PLACES)
        if view.choice is not None and view.choice.cards:
            places = self._places(seat, view)
            for spot in view.choice.cards:
                if spot.id in places:
                    looked_at[places[spot.id]] = 1
        return b"".join(
            (
                which(STEPS, view.step),
                which(SPECIALS, view.choice and view.choice.special),
                who(seats, seat, view.current),
                who(seats, seat, view.caller),
                bytes([any(debt.seat == each for debt in view.debts) for each in order]),
                bytes([any(debt.target == each for debt in view.debts) for each in order]),
                bytes([view.players[each].forfeited for each in order]),
                bytes([min(len(hand), MOST) for hand in hands]),
                bytes(seats) if view.match is None else bytes([_points(view.match.totals[each]) for each in order]),
                bytes((min(view.stockpile, MOST), min(view.turn, MOST), view.snapped)),
                bytes(house_rules(view.rules)),
                NONE if view.top is None else KNOWN[view.top.face],
                NONE if held is None else KNOWN.get(held.face, UNKNOWN),
                *cards,
                looked_at,
            )
        )


def _points(total: int) -> int:
    return max(0, min(total, MOST))
