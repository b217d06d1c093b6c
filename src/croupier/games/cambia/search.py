"""How to look ahead in Cambia: deal the hidden cards as what was done with them suggests, and play the rounds on.

Most turns have few choices, and a rule that counts what a throw sets off makes them well (``nutcracker``). What no rule
gets right is the race: whether to call Cambia now, how low the others are, what a card is worth that nobody has seen
when somebody else has called. Here playouts say more than any threshold. A tree of one's own further choices says
less: what is drawn next is different in every world, so that no situation comes up twice. The rule makes them.

A playout is worth a little more or less by how far the hands are apart at its end, since that tells two moves apart in
fewer playouts than who has won.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import exp

from croupier.bots.search import AnyGame, Guide, Master
from croupier.games.cambia import debts
from croupier.games.cambia.beliefs import UNKNOWN
from croupier.games.cambia.bot import LONG_GAME, LOW_ENOUGH
from croupier.games.cambia.cards import RANK, SPECIAL, VALUE
from croupier.games.cambia.events import Ended
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
from croupier.games.cambia.nutcracker import LOOK, RISK, Nutcracker
from croupier.games.cambia.state import Outcome, State
from croupier.games.cambia.worlds import Worlds
from croupier.kernel import Budget, Dice, Event, Move, Result

DRAW, DRAW_OPEN, CALL = DrawStockpile(), DrawDiscardpile(), CallCambia()
OWN, OTHERS = 2, 4
"""The highest own cards and the lowest of others, of which an exchange is worth a look."""
LONGEST = 400
"""Moves of a playout."""
MARGIN, SCALE = 0.2, 6.0
"""How much of a playout's worth is by how many points, and how many points are much."""
KEPT_BY = (UNKNOWN, 4.5)
"""What a card of somebody else counts that one has not seen; and one that its owner has."""
OPEN_WORTH = 4
"""The highest card that is worth drawing from the discard pile in a playout."""


class CambiaGuide(Guide):
    """Everybody plays by a quick rule, with what they have seen in the playout and before."""

    longest = LONGEST + 1

    def __init__(self, game: AnyGame, seat: int, bot: Chronicler) -> None:
        super().__init__(game, seat, bot)
        self.beliefs = bot.rule.beliefs
        self.ended: Outcome | None = None
        self._worlds: Worlds | None = None

    # What is hidden

    def imagine(self, world: State, dice: Dice) -> State:
        """A world in which everybody had reason to do what they did."""
        if self._worlds is None or world.leftovers:  # what is left of a shuffle may be another card each time
            self._worlds = Worlds(self.game.imagine(world, self.seat, dice), self.seat, self.beliefs, dice)
        else:
            self._worlds.deal(dice)
        found: State = self.game.clone(self._worlds.state)
        return found

    # The own moves

    def usual(self, state: State, moves: Sequence[AnyMove], dice: Dice) -> Move:
        view = self.game.view(state, self.seat)
        return self.bot.rule.choose(self.seat, view, moves, dice)  # type: ignore[no-any-return]

    def worth_a_look(self, state: State, moves: Sequence[AnyMove]) -> Sequence[AnyMove]:
        """No snap but of what is known, no look at what is known, and of exchanges those that could bring most."""
        bit = 1 << self.seat
        seen = state.seen
        found: list[AnyMove] = [
            move
            for move in moves
            if not isinstance(move, Snap | UseSpecial)
            or (
                isinstance(move, UseSpecial)
                and move.card2 is None
                and (move.card1 is None or not seen.get(move.card1.card, 0) & bit)
            )
        ]
        if state.step == "choosing" and state.special in ("swap_blind", "swap_peek"):
            found += self._exchanges(state, moves)
        return found or moves[:1]

    def _exchanges(self, state: State, moves: Sequence[AnyMove]) -> list[AnyMove]:
        rule: Nutcracker = self.bot.rule
        mine = sorted(state.hands[self.seat], key=rule.value, reverse=True)[:OWN]
        others = [(card, seat) for seat, hand in enumerate(state.hands) if seat != self.seat for card in hand]
        others.sort(key=lambda there: rule.guess(*there))
        pairs = {frozenset((own, other)) for own in mine for other, _ in others[:OTHERS]}
        return [
            move
            for move in moves
            if isinstance(move, UseSpecial)
            and move.card1 is not None
            and move.card2 is not None
            and frozenset((move.card1.card, move.card2.card)) in pairs
        ]

    def situation(self, state: State, moves: Sequence[AnyMove]) -> Hashable:
        return object()  # never the same twice: the rule goes on

    # How it goes on

    def begin(self, state: State) -> None:
        self.ended = None

    def watch(self, events: Sequence[Event]) -> None:
        for event in events:
            if type(event) is Ended:
                self.ended = event.outcome

    def interject(self, state: State, dice: Dice) -> tuple[int, Move] | None:
        """Whoever has seen a card that matches snaps it; of several, by lot."""
        pile, faces, hands = state.pile, state.faces, state.hands
        if not pile or state.phase != "playing":
            return None
        rank = RANK[faces[pile[-1]]]
        found = [
            (seat, Snap(card))
            for holder, hand in enumerate(hands)
            for card in hand
            if RANK[faces[card]] == rank and (knowers := state.seen.get(card, 0))
            for seat in range(len(hands))
            if knowers >> seat & 1 and self._snaps(state, seat, holder, card)
        ]
        return dice.choice(found) if found else None

    def _snaps(self, state: State, seat: int, holder: int, card: str) -> bool:
        rules = state.rules
        if state.locked[seat] or state.locked[holder] or (rules.snap_race and state.snapped):
            return False
        if debts.owed_by(state, seat) is not None:
            return False
        if seat == holder:
            return VALUE[state.faces[card]] > 0
        return rules.allow_opponent_snapping and bool(state.hands[seat])

    def play_on(self, state: State, seat: int, moves: Sequence[AnyMove], dice: Dice) -> AnyMove:
        hand = state.hands[seat]
        known = _known(state, seat)
        if hand and debts.owed_by(state, seat) is not None:
            return Give(max(hand, key=lambda card: known.get(card, UNKNOWN)))
        match state.step:
            case "start":
                return _begun(state, hand, known, moves)
            case "holding":
                return _kept(state, seat, known)
            case "choosing":
                return _used(state, seat, known)
            case "deciding":
                return _decided(state, seat, moves)

    # What comes of it

    def is_over(self, state: State, steps: int) -> bool:
        return self.ended is not None or steps > LONGEST

    def gain(self, result: Result, state: State) -> float:
        """Of a match, what counts in a playout is the round; and what counts in the end is the match."""
        return super().gain(result, state) if state.match is not None and self.ended is None else self.worth(state)

    def worth(self, state: State) -> float:
        """Of the game, or of the round of a match; and by the cards that lie there, if it is cut before its end."""
        outcome = self.ended or state.outcome
        if outcome is None:
            sums: Sequence[int | None] = [sum([VALUE[state.faces[card]] for card in hand]) for hand in state.hands]
            won = 0.5
        else:
            sums, winners = outcome.raw, outcome.winners
            won = 1 / len(winners) if self.seat in winners else 0.0
        mine = sums[self.seat]
        others = [sum_ for seat, sum_ in enumerate(sums) if seat != self.seat and sum_ is not None]
        if mine is None or not others:
            return won
        return (1 - MARGIN) * won + MARGIN / (1 + exp((mine - min(others)) / SCALE))


def _known(state: State, seat: int) -> dict[str, int]:
    """What the own cards count that one has seen."""
    seen, faces = state.seen, state.faces
    return {card: VALUE[faces[card]] for card in state.hands[seat] if seen.get(card, 0) >> seat & 1}


def _begun(state: State, hand: Sequence[str], known: dict[str, int], moves: Sequence[AnyMove]) -> AnyMove:
    if state.caller is None and CALL in moves:
        unknown = len(hand) - len(known)
        low = sum(known.values()) + UNKNOWN * unknown <= LOW_ENOUGH and (not unknown or len(known) >= 3)
        if low or state.turn >= LONG_GAME * len(state.hands):
            return CALL
    if hand and state.rules.allow_draw_from_discard_pile and state.pile:
        value = VALUE[state.faces[state.pile[-1]]]
        if value <= OPEN_WORTH and value <= max([known.get(card, UNKNOWN) for card in hand]) - 3:
            return DRAW_OPEN
    return DRAW


def _kept(state: State, seat: int, known: dict[str, int]) -> AnyMove:
    """What brings most, with what can be snapped then."""
    held, faces, hand = state.held, state.faces, state.hands[seat]
    assert held is not None
    face = faces[held]
    value, rank = VALUE[face], RANK[face]
    values = [known.get(card, UNKNOWN) for card in hand]
    worst = max(values, default=0)
    most = _special_worth(state, face, len(known) < len(hand), worst)
    ranks = [RANK[faces[card]] if card in known else "" for card in hand]
    if value > 0:
        most += value * ranks.count(rank)
    for other, cards in enumerate(state.hands):
        if other != seat and not state.locked[other] and hand:
            for card in cards:
                if RANK[faces[card]] == rank and state.seen.get(card, 0) >> seat & 1:
                    most += 2 * worst - value
    move: AnyMove = Discard(held)
    for card, own, its_rank in zip(hand, values, ranks, strict=True):
        gain = own - value
        if its_rank:
            gain += max(0, own) * (ranks.count(its_rank) - 1)
        if gain > most:
            move, most = Replace(card), gain
    return move


def _special_worth(state: State, face: str, has_unknown: bool, worst: float) -> float:
    special = SPECIAL.get(face)
    if special is None or state.source != "stockpile":
        return 0.0
    if special == "peek_self":
        return LOOK[special] if has_unknown else 0.0
    gain = 0.0 if special == "peek_other" else max(0.0, 2 * (worst - KEPT_BY[1]))
    return LOOK[special] + gain


def _used(state: State, seat: int, known: dict[str, int]) -> AnyMove:
    special, hand, seen = state.special, state.hands[seat], state.seen
    assert special is not None
    if special == "peek_self":
        return next((UseSpecial(special, Named(card)) for card in hand if card not in known), SKIP)
    others = [(card, other) for other, cards in enumerate(state.hands) if other != seat for card in cards]
    if special == "peek_other":
        unseen = (card for card, _ in others if not seen.get(card, 0) >> seat & 1)
        return next((UseSpecial(special, Named(card)) for card in unseen), SKIP)
    best, lowest, whose = "", float("inf"), 0
    for card, other in others:
        if not state.locked[other]:
            knowers = seen.get(card, 0)
            value = VALUE[state.faces[card]] if knowers >> seat & 1 else KEPT_BY[knowers >> other & 1]
            if value < lowest:
                best, lowest, whose = card, value, other
    worst = max(hand, key=lambda card: known.get(card, UNKNOWN), default="")
    if not best or not worst or (special == "swap_blind" and known.get(worst, UNKNOWN) - lowest <= RISK):
        return SKIP
    first, second = (worst, best) if seat < whose else (best, worst)
    return UseSpecial(special, Named(first), Named(second))


def _decided(state: State, seat: int, moves: Sequence[AnyMove]) -> AnyMove:
    one, other = state.revealed
    mine, theirs = (one, other) if one.owner == seat else (other, one)
    lower = VALUE[state.faces[theirs.id]] < VALUE[state.faces[mine.id]]
    return SWAP if lower and theirs.owner != seat and SWAP in moves else SKIP


class Chronicler(Master):
    """Asks what everybody has done since the deal, and plays on from what it makes of that."""

    name = "chronicler"
    about = "Notes what everybody has looked at and kept, and knows when your hand is higher than its own."
    worth = 42.9
    guide = CambiaGuide
    fallback = Nutcracker
    reacts = (3.5, 10.5)

    @property
    def rule(self) -> Nutcracker:
        """What it plays without a thought."""
        assert isinstance(self.second, Nutcracker)
        return self.second

    def search(
        self, game: AnyGame, world: State, seat: int, moves: Sequence[AnyMove], dice: Dice, budget: Budget
    ) -> Move:
        """Who thinks about a snap comes too late for it."""
        snap = self.rule.interject(seat, game.view(world, seat), moves, dice)
        return super().search(game, world, seat, moves, dice, budget) if snap is None else snap
