"""How strong the bots of Cambia are: against each other, and against heuristics that others have published.

``python -m benchmarks.cambia_bots`` plays games for two, seats alternating, the same deals for both seats.

The heuristics here are written after their published descriptions. They remember by place and not by card: what they
know of a hand goes wrong when its cards move up, or are swapped by somebody else.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any

from croupier.games.cambia.bot import Elephant, Magpie, Scatterbrain
from croupier.games.cambia.cards import RANK, VALUE
from croupier.games.cambia.events import FirstLook, Peeked, Replaced, Revealed
from croupier.games.cambia.moves import (
    SKIP,
    SWAP,
    AnyMove,
    CallCambia,
    Discard,
    DrawStockpile,
    Give,
    Named,
    Replace,
    Snap,
    UseSpecial,
)
from croupier.games.cambia.options import Options
from croupier.games.cambia.rules import Cambia
from croupier.games.cambia.state import View
from croupier.kernel import Bot, Chance, Dice, Event, Result
from croupier.kernel.chance import QuickDice

game = Cambia()

RULES = {
    "default": Options(allow_opponent_snapping=False),
    "competitive": Options(allow_draw_from_discard_pile=True, allow_replace_abilities=True, lock_caller_hand=False),
}
"""As the published figures have been measured."""


class NeverCalls(Scatterbrain):
    """Any move but a call of Cambia."""

    def choose(self, seat: int, view: View, moves: Sequence[AnyMove], dice: Dice) -> AnyMove:
        return super().choose(seat, view, [move for move in moves if not isinstance(move, CallCambia)], dice)


class ByPlace(Bot):
    """``imperfect_greedy``: known cards first, an unknown place for a low card; a call with three known cards."""

    name = "imperfect_greedy"
    about = "Remembers places, not cards."
    low_enough = 9.0
    for_unknown = 5
    """The highest card that is put in an unknown place."""

    def __init__(self) -> None:
        self.own: dict[int, str] = {}
        self.theirs: dict[int, str] = {}
        self.drawn = ""

    def observe(self, seat: int, events: Sequence[Event]) -> None:
        for event in events:
            match event:
                case FirstLook(cards=cards):
                    self.own, self.theirs = {idx: card.face for idx, card in enumerate(cards)}, {}
                case Replaced(seat=other, idx=idx) if other == seat:
                    self.own[idx] = self.drawn
                case Peeked(seat=other, card=card, face=str(face)) if other == seat and card.idx is not None:
                    (self.own if card.owner == seat else self.theirs)[card.idx] = face
                case Revealed(card1=one, card2=other, faces=(first, second)):
                    for card, face in ((one, first), (other, second)):
                        if card.idx is not None:
                            (self.own if card.owner == seat else self.theirs)[card.idx] = face

    def known(self, hand: Sequence[str]) -> dict[int, str]:
        return {idx: face for idx, face in self.own.items() if idx < len(hand)}

    def choose(self, seat: int, view: View, moves: Sequence[AnyMove], dice: Dice) -> AnyMove:
        hand, known = view.players[seat].hand, self.known(view.players[seat].hand)
        highest = max(known, key=lambda idx: VALUE[known[idx]], default=None)
        if any(debt.seat == seat for debt in view.debts) and hand:
            return Give(hand[-1 if highest is None else highest])
        snap = self.interject(seat, view, moves, dice)
        if snap is not None:
            return snap
        match view.step:
            case "start":
                return CallCambia() if self.calls(view, hand, known) and CallCambia() in moves else DrawStockpile()
            case "holding":
                assert view.held is not None and view.held.face is not None
                self.drawn = view.held.face
                idx = self.place(hand, known, VALUE[self.drawn])
                return Discard(view.held.id) if idx is None else Replace(hand[idx])
            case "choosing":
                return self.special(view, seat, hand, moves, highest)
        if SWAP not in moves or view.choice is None:
            return SKIP
        values = [VALUE[face] for face in view.choice.faces]
        mine = next(i for i, card in enumerate(view.choice.cards) if card.owner == seat)
        return SWAP if values[1 - mine] < values[mine] else SKIP

    def calls(self, view: View, hand: Sequence[str], known: dict[int, str]) -> bool:
        estimate = sum(VALUE[known[idx]] if idx in known else 6.5 for idx in range(len(hand)))
        return (len(known) >= min(3, len(hand)) and estimate <= self.low_enough) or view.turn >= 20

    def place(self, hand: Sequence[str], known: dict[int, str], value: int) -> int | None:
        gains = {idx: VALUE[face] - value for idx, face in known.items() if VALUE[face] > value}
        if gains:
            return max(gains, key=lambda idx: gains[idx])
        unknown = [idx for idx in range(len(hand)) if idx not in known]
        return unknown[0] if unknown and value <= self.for_unknown else None

    def special(
        self, view: View, seat: int, hand: Sequence[str], moves: Sequence[AnyMove], highest: int | None
    ) -> AnyMove:
        assert view.choice is not None
        theirs = view.players[1 - seat].hand
        unknown = [idx for idx in range(len(hand)) if idx not in self.own]
        secret = [idx for idx in range(len(theirs)) if idx not in self.theirs]
        match view.choice.special:
            case "peek_self" if hand:
                return UseSpecial("peek_self", Named(hand[(unknown or [0])[0]]))
            case "peek_other" if theirs:
                return UseSpecial("peek_other", Named(theirs[(secret or [0])[0]]))
            case "swap_peek" if hand and theirs:
                mine, other = hand[highest or 0], theirs[(secret or [0])[0]]
                pairs = [UseSpecial("swap_peek", Named(a), Named(b)) for a, b in ((mine, other), (other, mine))]
                return next(move for move in pairs if move in moves)
        return SKIP

    def interject(self, seat: int, view: View, moves: Sequence[AnyMove], dice: Dice) -> AnyMove | None:
        if view.top is None:
            return None
        hand = view.players[seat].hand
        for idx, face in self.known(hand).items():
            if RANK[face] == RANK[view.top.face] and Snap(hand[idx]) in moves:
                del self.own[idx]
                return Snap(hand[idx])
        return None


class ByHighest(ByPlace):
    """``memory_heuristic``: the highest known card goes for any lower one."""

    name = "memory_heuristic"
    for_unknown = 3

    def place(self, hand: Sequence[str], known: dict[int, str], value: int) -> int | None:
        highest = max(known, key=lambda idx: VALUE[known[idx]], default=None)
        if highest is not None and VALUE[known[highest]] > value:
            return highest
        return super().place(hand, {}, value) if value <= self.for_unknown and len(known) < len(hand) else None


def contest(bots: Sequence[Bot], seed: int, options: Options, limit: int = 4000) -> Result | None:
    """One game. Whoever is not awaited is asked whether they interject, in an order drawn by lot."""
    dice = QuickDice(seed)
    state = game.deal(options, len(bots), Chance(seed.to_bytes(32, "big")), 0)
    for _ in range(limit):
        if game.result(state) is not None:
            return game.result(state)
        awaited = game.awaited(state)
        step = _interjected(state, bots, awaited, dice) if awaited else None
        if step is not None:
            events = game.play(state, *step, 0)
        elif awaited:
            seat = awaited[-1]  # whoever owes a card, before the turn goes on
            events = game.play(state, seat, _chosen(state, bots[seat], seat, dice), 0)
        else:
            events = game.expire(state, game.clocks(state)[0].name, 0)
        for seat, bot in enumerate(bots):
            bot.observe(seat, [seen for event in events if (seen := event.seen_by(seat)) is not None])
    return None


def _chosen(state: Any, bot: Bot, seat: int, dice: QuickDice) -> AnyMove:
    moves = game.moves(state, seat)
    move = bot.choose(seat, game.view(state, seat), moves, dice)
    assert move in moves
    return move  # type: ignore[return-value]


def _interjected(
    state: Any, bots: Sequence[Bot], awaited: Sequence[int], dice: QuickDice
) -> tuple[int, AnyMove] | None:
    seats = [seat for seat, bot in enumerate(bots) if seat not in awaited and type(bot).interject is not Bot.interject]
    dice.shuffle(seats, "seats")
    for seat in seats:
        moves = game.moves(state, seat)
        move = bots[seat].interject(seat, game.view(state, seat), moves, dice) if moves else None
        if move is not None:
            return seat, move  # type: ignore[return-value]
    return None


def share(bot: Callable[[], Bot], other: Callable[[], Bot], games: int, options: Options) -> float:
    """How many of its games a bot wins; a shared win is half of one."""
    won = 0.0
    for number in range(games):
        seat = number % 2
        bots = [bot(), other()] if seat == 0 else [other(), bot()]
        result = contest(bots, number // 2, options)
        if result is not None and seat in result.placings[0]:
            won += 1 / len(result.placings[0])
    return won / games


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    games = parser.parse_args().games
    others: dict[str, Callable[[], Bot]] = {
        "random": Scatterbrain,
        "random_no_cambia": NeverCalls,
        "imperfect_greedy": ByPlace,
        "memory_heuristic": ByHighest,
    }
    bots: dict[str, Callable[[], Bot]] = {"elephant": Elephant, "magpie": Magpie, "imperfect_greedy": ByPlace}
    print(f"share of {games} games won by the first, under rules as published figures have been measured")
    for rules, options in RULES.items():
        for name, bot in bots.items():
            for opponent, other in others.items():
                if opponent != name:
                    print(f"  {rules:12} {name:18} {opponent:18} {share(bot, other, games, options):.3f}", flush=True)
    for opponent, other in others.items():
        print(f"  {'our default':12} {'elephant':18} {opponent:18} {share(Elephant, other, games, Options()):.3f}")


if __name__ == "__main__":
    main()
