"""The players of Cambia that are made of code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from croupier.games.cambia.cards import RANK, SPECIAL, VALUE
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
    Named,
    Replace,
    Snap,
    UseSpecial,
)
from croupier.games.cambia.state import View
from croupier.kernel import Bot, Dice, Event
from croupier.kernel.bot import Strength

UNKNOWN = 6.2
"""What a card counts whose face is not known: the mean of the deck."""
LOW_ENOUGH = 5
"""The sum with which the elephant calls Cambia."""
LONG_GAME = 12
"""Rounds after which the elephant calls Cambia with any sum."""
REMEMBERED = 8
"""Cards, by a magpie; those on the discard pile count."""
HELD_ON_TO = 3
"""Cards, by a goldfish."""
HOPED = 4
"""What a goldfish counts a card of which it knows nothing."""
LATE = 7
"""Rounds after which the goldfish calls Cambia, if it has not found out before how low it is."""
RARELY = 50
"""One turn in so many, the scatterbrain calls Cambia."""


class Elephant(Bot):
    """Remembers every face it was ever shown, and follows the cards by their ids."""

    name = "elephant"
    about = "Forgets no card it has seen, and calls Cambia with a low sum."
    worth = 38.0
    strength: ClassVar[Strength] = "strong"
    reacts = (3.5, 10.5)

    def __init__(self) -> None:
        self.faces: dict[str, str] = {}

    def observe(self, seat: int, events: Sequence[Event]) -> None:
        remember(self.faces, events)

    def choose(self, seat: int, view: View, moves: Sequence[AnyMove], dice: Dice) -> AnyMove:
        hand = view.players[seat].hand
        if any(debt.seat == seat for debt in view.debts) and hand:
            return Give(self.worst(hand))
        snap = self.interject(seat, view, moves, dice)
        if snap is not None:
            return snap
        match view.step:
            case "start":
                return self._start(view, hand, moves)
            case "holding":
                return self._keep(view, hand)
            case "choosing":
                return self._special(seat, view, hand)
            case "deciding":
                return self._decide(seat, view, moves)

    def interject(self, seat: int, view: View, moves: Sequence[AnyMove], dice: Dice) -> AnyMove | None:
        """Snap what is known to match: the own cards that count something, and the cards of others."""
        if view.top is None or (view.rules.snap_race and view.snapped):
            return None
        top = RANK[view.top.face]
        own = view.players[seat].hand
        for move in moves:
            if isinstance(move, Snap) and (face := self.faces.get(move.card)) and RANK[face] == top:  # noqa: SIM102
                if VALUE[face] > 0 or move.card not in own:
                    return move
        return None

    def value(self, card: str) -> float:
        face = self.faces.get(card)
        return UNKNOWN if face is None else VALUE[face]

    def worst(self, hand: Sequence[str]) -> str:
        return max(hand, key=self.value)

    def unknown(self, cards: Iterable[str]) -> list[str]:
        return [card for card in cards if card not in self.faces]

    def _start(self, view: View, hand: Sequence[str], moves: Sequence[AnyMove]) -> AnyMove:
        unknown = len(self.unknown(hand))
        knows = unknown == 0 or len(hand) - unknown >= 3
        low = knows and sum(map(self.value, hand)) <= LOW_ENOUGH
        if (low or view.turn >= LONG_GAME * len(view.players)) and CallCambia() in moves:
            return CallCambia()
        if view.top is not None and hand and DrawDiscardpile() in moves:
            value = VALUE[view.top.face]
            if value <= 4 and value <= self.value(self.worst(hand)) - 3:
                return DrawDiscardpile()
        return DrawStockpile()

    def _keep(self, view: View, hand: Sequence[str]) -> AnyMove:
        held = view.held
        assert held is not None and held.face is not None
        if hand:
            worst = self.worst(hand)
            gain = self.value(worst) - VALUE[held.face]
            # A look at an own card is worth a little by itself.
            looks = SPECIAL.get(held.face) == "peek_self" and held.source == "stockpile" and self.unknown(hand)
            if gain > (2 if looks else 0):
                return Replace(worst)
        return Discard(held.id)

    def _special(self, seat: int, view: View, hand: Sequence[str]) -> AnyMove:
        assert view.choice is not None
        special = view.choice.special
        others = [card for other, player in enumerate(view.players) if other != seat for card in player.hand]
        if special == "peek_self":
            unknown = self.unknown(hand)
            return UseSpecial(special, Named(unknown[0])) if unknown else SKIP
        if special == "peek_other":
            unknown = self.unknown(others)
            return UseSpecial(special, Named(unknown[0])) if unknown else SKIP
        movable = [card for other in self._movable(seat, view) for card in view.players[other].hand]
        if not hand or not movable:
            return SKIP
        worst, best = self.worst(hand), min(movable, key=self.value)
        if special == "swap_blind" and self.value(worst) - self.value(best) <= 1:
            return SKIP
        # In the order in which moves are offered: by seat, then by position.
        cards = [card for player in view.players for card in player.hand]
        first, second = sorted((worst, best), key=cards.index)
        return UseSpecial(special, Named(first), Named(second))

    def _movable(self, seat: int, view: View) -> list[int]:
        """The others whose cards can be swapped."""
        return [
            other
            for other, player in enumerate(view.players)
            if other != seat and not player.forfeited and not (other == view.caller and view.rules.lock_caller_hand)
        ]

    def _decide(self, seat: int, view: View, moves: Sequence[AnyMove]) -> AnyMove:
        assert view.choice is not None
        if SWAP not in moves:
            return SKIP
        (mine, theirs) = sorted(view.choice.cards, key=lambda card: card.owner != seat)
        return SWAP if self.value(theirs.id) < self.value(mine.id) else SKIP


class Magpie(Elephant):
    """Plays like the elephant, with the memory of a person: it knows the last few cards it was shown."""

    name = "magpie"
    about = "Remembers the last few cards it has seen, and takes its time to snap."
    strength = "medium"
    worth = 30.2
    reacts = (7.0, 15.0)

    def observe(self, seat: int, events: Sequence[Event]) -> None:
        super().observe(seat, events)
        for forgotten in list(self.faces)[:-REMEMBERED]:
            del self.faces[forgotten]


class Goldfish(Elephant):
    """Makes the mistakes of somebody who plays for the first time: it forgets its cards and hopes for the best of them,
    does not dare to look at what others have, swaps whatever comes first, and calls when others have called long since.
    """

    name = "goldfish"
    about = "Forgets its cards, hopes for the best, wastes what they can do, and calls Cambia late."
    strength = "easy"
    worth = 20.6
    reacts = (9.0, 18.0)

    def observe(self, seat: int, events: Sequence[Event]) -> None:
        super().observe(seat, events)
        for forgotten in list(self.faces)[:-HELD_ON_TO]:
            del self.faces[forgotten]

    def value(self, card: str) -> float:
        face = self.faces.get(card)
        return HOPED if face is None else VALUE[face]

    def _start(self, view: View, hand: Sequence[str], moves: Sequence[AnyMove]) -> AnyMove:
        late = view.turn >= LATE * len(view.players)
        sure = not self.unknown(hand) and sum(map(self.value, hand)) <= LOW_ENOUGH
        return CallCambia() if (late or sure) and CallCambia() in moves else DrawStockpile()

    def _special(self, seat: int, view: View, hand: Sequence[str]) -> AnyMove:
        assert view.choice is not None
        special = view.choice.special
        if special == "peek_self":
            return super()._special(seat, view, hand)
        movable = [card for other in self._movable(seat, view) for card in view.players[other].hand]
        if special == "peek_other" or not hand or not movable:
            return SKIP
        cards = [card for player in view.players for card in player.hand]
        first, second = sorted((hand[0], movable[0]), key=cards.index)
        return UseSpecial(special, Named(first), Named(second))


class Scatterbrain(Bot):
    """Any move, each as likely as the others; but it snaps nothing, since it knows no card, and seldom calls Cambia."""

    name = "random"
    about = "Forgets everything at once and makes any move."
    strength = "easy"

    def choose(self, seat: int, view: View, moves: Sequence[AnyMove], dice: Dice) -> AnyMove:
        found = [move for move in moves if not isinstance(move, Snap)]
        call = CallCambia()
        if call in found:
            if dice.below(RARELY) == 0:
                return call
            found.remove(call)
        return dice.choice(found)
