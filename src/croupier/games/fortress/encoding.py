"""Fortress in numbers. What lies on the table goes by its place, what is in a hand or a deck by its card."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import get_args

from croupier.games.fortress import moves as mv
from croupier.games.fortress.cards import CARDS
from croupier.games.fortress.decks import STARTERS
from croupier.games.fortress.events import ItemKind, Purpose, RequestKind
from croupier.games.fortress.places import CASTLE, FIELD, FIGHTERS, MAGES, MOST, SLOT, SLOTS, TRICKSTERS, Place
from croupier.games.fortress.view import CardView, RequestView, StackView, View
from croupier.kernel import Encoding, Section
from croupier.kernel.encoding import MOST as LARGEST
from croupier.kernel.encoding import Which

COUNT = len(CARDS)
PHASES = ("decks", "mulligan", "main", "window", "choice")
CASTLES = tuple(card.id for card in CARDS if card.kind == "castle")
ITEMS, REQUESTS, PURPOSES = get_args(ItemKind), get_args(RequestKind), get_args(Purpose)
DEPTH = 3
"""Items of the stack that are told apart, from the top."""
FIELD_SIZE = len(FIELD[0])
PLACES = 2 * (FIELD_SIZE + 1)
"""The own field and castle, then the enemy's."""
UNIT = ("there", "face_down", "points", "level", "stunned", "attacks_left", "used")
SLOT_SIZE = len(UNIT) + COUNT
ITEM_SIZE = 1 + len(ITEMS) + COUNT + PLACES
REQUEST_SIZE = len(REQUESTS) + len(PURPOSES) + 1 + COUNT + PLACES
STRONGEST = 100

PHASE, ITEM, REQUEST, PURPOSE = map(Which, (PHASES, ITEMS, REQUESTS, PURPOSES))
WHICH_CASTLE, CARD = Which(CASTLES), Which(range(COUNT))
NO_UNIT, NO_STACK, NO_REQUEST = bytes(SLOT_SIZE), bytes(DEPTH * ITEM_SIZE), bytes(REQUEST_SIZE)


def _nth(place: Place) -> int:
    """Which of the slots of its kind it is."""
    return SLOTS[place.zone].index(SLOT[place])  # type: ignore[index]


class FortressEncoding(Encoding[View, mv.AnyMove]):
    def __init__(self, seats: int) -> None:
        super().__init__(seats)
        self._spelled = [self._alphabet(seat) for seat in range(seats)]
        self._places = [
            {place: n for n, place in enumerate((*FIELD[seat], CASTLE[seat], *FIELD[1 - seat], CASTLE[1 - seat]))}
            for seat in range(seats)
        ]
        """By seat: places on the table, the own ones first."""
        self._aims = [Which(list(places)) for places in self._places]

    def numbers(self) -> Iterable[Section]:
        return [
            Section("bring", len(STARTERS), f"the deck to play with: {', '.join(STARTERS)}"),
            Section("accept", 1, "keep this hand"),
            Section("mulligan", 1, "another hand, one card smaller"),
            Section("return", COUNT, "give back this card of the first hand"),
            Section("draw", 1, "the turn's draw"),
            Section("end", 1, "end the turn"),
            Section("play", 2 * COUNT, "play this card into the first of its slots, or the second"),
            Section("attack", len(FIGHTERS) * 5, "by attacker: the enemy's four fighters, and the castle"),
            Section("level", len(MAGES), "raise this mage by a level"),
            Section("use", FIELD_SIZE * DEPTH, "the ability in this slot, against which item of the stack"),
            Section("allow", 1, "don't answer"),
            Section("activate", 2 * len(TRICKSTERS) * DEPTH, "this trickster, likewise; then the same, keeping the "
                    "window for the other one"),
            Section("choose", PLACES, "this card on the table, yours first"),
            Section("choose_in_hand", COUNT, "this card in your hand"),
            Section("choose_in_enemy_hand", COUNT, "this card in the enemy's hand"),
            Section("choose_in_deck", COUNT, "this card in your deck"),
            Section("decline", 1, "no card"),
            Section("answer", 2, "yes, no"),
        ]  # fmt: skip

    def facts(self) -> Iterable[Section]:
        unit = f"{', '.join(UNIT)}, which card"
        return [
            Section("phase", len(PHASES), ", ".join(PHASES)),
            Section("turn", 1, "number of the turn", LARGEST),
            Section("active", 2, "whose turn it is, yours first"),
            Section("must_draw", 1, "the turn's draw is due"),
            Section("kept", 1, "the window was kept for another trickster"),
            Section("castle", 2 * len(CASTLES), "the castles, yours first"),
            Section("health", 2, "their health", LARGEST),
            Section("deck", 2, "how many cards are left in the decks", MOST),
            Section("hands", 2, "how many cards are in the hands", MOST),
            Section("accepted", 2, "who has accepted the first hand"),
            Section("dealt", 2, "the size of that hand", 6),
            Section("hand", COUNT, "your hand, by card", 2),
            Section("discard", 2 * COUNT, "the discard piles, by card", LARGEST),
            Section("field", 2 * FIELD_SIZE * SLOT_SIZE, f"each slot: {unit}", STRONGEST),
            Section("stack", DEPTH * ITEM_SIZE, f"each item from the top: it is yours; {', '.join(ITEMS)}; which card; "
                    "the place that it is aimed at"),
            Section("request", REQUEST_SIZE, "what you are asked for: "
                    f"{', '.join(REQUESTS)}; why: {', '.join(PURPOSES)}; you may decline; by which card; about which "
                    "place"),
        ]  # fmt: skip

    def _alphabet(self, seat: int) -> dict[mv.AnyMove, int]:
        """What means the same whatever lies on the table."""
        at, own, enemy = self.starts, FIELD[seat], FIELD[1 - seat]
        aims = (*enemy[:4], CASTLE[1 - seat])
        found: dict[mv.AnyMove, int] = {
            mv.AcceptHand(): at["accept"],
            mv.Mulligan(): at["mulligan"],
            mv.DrawCard(): at["draw"],
            mv.EndTurn(): at["end"],
            mv.AllowAction(): at["allow"],
            mv.Answer(True): at["answer"],
            mv.Answer(False): at["answer"] + 1,
        }
        found |= {mv.BringDeck(deck): at["bring"] + n for n, deck in enumerate(STARTERS.values())}
        found |= {
            mv.AttackCard(own[slot], aim): at["attack"] + 5 * n + m
            for n, slot in enumerate(FIGHTERS)
            for m, aim in enumerate(aims)
        }
        found |= {mv.LevelMage(own[slot]): at["level"] + n for n, slot in enumerate(MAGES)}
        found |= {mv.UseAbility(place): self._use(place, 0) for place in own}
        found |= {
            mv.ActivateTrickster(own[slot], more=more): self._activate(own[slot], more, 0)
            for slot in TRICKSTERS
            for more in (False, True)
        }
        return found

    def _use(self, place: Place, depth: int) -> int:
        return self.starts["use"] + DEPTH * SLOT[place] + depth

    def _activate(self, place: Place, more: bool, depth: int) -> int:
        return self.starts["activate"] + DEPTH * (len(TRICKSTERS) * more + _nth(place)) + depth

    def spell(self, seat: int, view: View, moves: Sequence[mv.AnyMove]) -> Sequence[int]:
        spelled = self._spelled[seat]
        if view.request is not None and view.request.kind == "target":
            targets = self._targets(seat, view.request)
            return [targets.get(move, self.starts["decline"]) for move in moves]
        return [self._number(seat, view, move) if (n := spelled.get(move)) is None else n for move in moves]

    def _number(self, seat: int, view: View, move: mv.AnyMove) -> int:
        """What depends on the hand, or on the stack."""
        hand = view.sides[seat].hand or ()
        match move:
            case mv.PlayCard(start=start, end=end):
                return self.starts["play"] + 2 * hand[start.number - 1] + _nth(end)
            case mv.ReturnCard(place=place):
                return self.starts["return"] + hand[place.number - 1]
            case mv.UseAbility(place=place, responds_to=number):
                return self._use(place, _depth(seat, view, number))
            case mv.ActivateTrickster(place=place, responds_to=number, more=more):
                return self._activate(place, more, _depth(seat, view, number))
        raise AssertionError(f"nobody is offered {move}")

    def _targets(self, seat: int, request: RequestView) -> dict[mv.AnyMove, int]:
        """What there is to choose from."""
        at, places = self.starts, self._places[seat]
        found: dict[mv.AnyMove, int] = {}
        for place, card in zip(request.region, request.cards, strict=True):
            if place in places:
                found[mv.ChooseCard(place)] = at["choose"] + places[place]
            else:
                assert card is not None
                zone = "choose_in_deck" if place.zone == "deck" else "choose_in_hand"
                found[mv.ChooseCard(place)] = at[zone if place.seat == seat else "choose_in_enemy_hand"] + card
        return found

    def see(self, seat: int, view: View, notes: None) -> bytes:
        own, enemy = view.sides[seat], view.sides[1 - seat]
        request = view.request
        return b"".join(
            (
                PHASE[view.phase],
                bytes((min(view.turn, LARGEST), view.active == seat, view.active == 1 - seat)),
                bytes((view.must_draw, view.kept)),
                WHICH_CASTLE[own.castle],
                WHICH_CASTLE[enemy.castle],
                bytes((own.health, enemy.health, own.deck, enemy.deck, own.hand_size, enemy.hand_size)),
                bytes((own.accepted, enemy.accepted, own.dealt, enemy.dealt)),
                counted(own.hand or ()),
                counted(own.discard),
                counted(enemy.discard),
                *[NO_UNIT if unit is None else _unit(unit) for unit in own.field + enemy.field],
                self._stack(seat, view.stack) if view.stack else NO_STACK,
                NO_REQUEST if request is None or request.seat != seat else self._request(seat, request),
            )
        )

    def _stack(self, seat: int, stack: Sequence[StackView]) -> bytes:
        aims = self._aims[seat]
        items = [
            (b"\1" if item.seat == seat else b"\0") + ITEM[item.kind] + CARD[item.card] + aims[item.target]
            for item in stack[: -DEPTH - 1 : -1]
        ]
        return b"".join(items).ljust(len(NO_STACK), b"\0")

    def _request(self, seat: int, request: RequestView) -> bytes:
        kind, purpose = REQUEST[request.kind], PURPOSE[request.purpose]
        optional = b"\1" if request.optional else b"\0"
        return kind + purpose + optional + CARD[request.card] + self._aims[seat][request.place]


@lru_cache(1 << 14)
def counted(cards: tuple[int, ...]) -> bytes:
    """How many there are of each card."""
    found = bytearray(COUNT)
    for card in cards:
        found[card] += 1
    return bytes(found)


def _unit(unit: CardView) -> bytes:
    points, level = min(unit.points or 0, STRONGEST), unit.level or 0
    numbers = (1, unit.face_down, points, level, unit.stunned, unit.attacks_left, unit.used)
    return bytes(numbers) + CARD[unit.card]


def _depth(seat: int, view: View, number: int | None) -> int:
    """Which of the enemy's items it is, from the top."""
    theirs = [item.number for item in reversed(view.stack) if item.seat != seat]
    return 0 if number is None else min(theirs.index(number), DEPTH - 1)
