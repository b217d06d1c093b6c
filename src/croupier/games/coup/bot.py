"""The players of Coup that are made of code: one that never lies, and one that believes, doubts and bluffs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from math import comb, exp, log
from typing import Any, TypeVar

from croupier.games.coup.characters import BLOCKS, CHARACTERS, CLAIMS, Action, Character
from croupier.games.coup.events import Allowed, Blocked, Challenged, Exchanged, Executed, Proposed, Revealed, Swapped
from croupier.games.coup.moves import Accept, Allow, AnyMove, Block, CallBs, Confirm, Keep, Lose, Propose
from croupier.games.coup.state import View
from croupier.kernel import Bot, Dice, Event

COPIES = 3
CARDS = 15
WORTH: dict[Character, float] = {"duke": 5.0, "captain": 4.4, "assassin": 4.2, "contessa": 3.6, "ambassador": 3.0}
"""What a card is worth to its owner; in a duel see ``_worth``."""

NODS: frozenset[type[AnyMove]] = frozenset((Allow, Accept, Confirm))

M = TypeVar("M")


def hand_of(view: View, seat: int) -> list[Character]:
    """The face-down cards in one's own view."""
    return [slot.card for slot in view.cards[seat] if slot.card is not None and not slot.revealed]


def living(view: View, seat: int) -> list[int]:
    """The others who are in the game."""
    return [other for other in view.seats if other != seat and other not in view.out]


def live_cards(view: View, seat: int) -> int:
    return 2 - len(view.revealed[seat])


def of_kind(moves: Sequence[AnyMove], kind: type[M]) -> list[M]:
    return [move for move in moves if type(move) is kind]


def wish(moves: Sequence[AnyMove], action: Action, target: int | None = None) -> Propose | None:
    """This proposal, if it is among the moves."""
    return next((m for m in of_kind(moves, Propose) if m.action == action and m.target == target), None)


def strongest(view: View, seats: Iterable[int]) -> list[int]:
    """Who has most cards, then most coins, comes first."""
    return sorted(seats, key=lambda seat: (-live_cards(view, seat), -view.coins[seat]))


def nod(moves: Sequence[AnyMove]) -> AnyMove:
    """Let it pass; or go ahead, if it is one's own."""
    return next(move for move in moves if type(move) in NODS)


def best_to_keep(pool: Sequence[Character], count: int, worth: dict[Character, float]) -> tuple[Character, ...]:
    """The cards of most worth; a second one of a kind is worth less than any other."""
    kept: list[Character] = []
    rest = list(pool)
    for _ in range(count):
        best = max(rest, key=lambda card: worth[card] - 10 * kept.count(card))
        rest.remove(best)
        kept.append(best)
    return tuple(kept)


class Honest(Bot):
    """Claims only what it has, and believes everybody."""

    name = "honest"
    about = "Never lies and never calls BS."
    worth = 27.2

    def __init__(self) -> None:
        self.blocks: set[tuple[Action, int]] = set()
        """What has been blocked by whom: no use trying that again before they have other cards."""
        self.exchanged = False
        """Whether that was its last action."""

    def observe(self, seat: int, events: Sequence[Event]) -> None:
        for event in events:
            match event:
                case Blocked(player, _, action):
                    self.blocks.add((action, player))
                case Revealed(player) | Exchanged(player) | Swapped(player):
                    self.blocks = {(action, other) for action, other in self.blocks if other != player}
                case Proposed(player, action) if player == seat:
                    self.exchanged = action == "exchange"

    def choose(self, seat: int, view: View, moves: Sequence[AnyMove], dice: Dice) -> AnyMove:
        hand = hand_of(view, seat)
        match view.phase:
            case "awaiting_action":
                return self._propose(seat, view, moves, hand)
            case "losing_card":
                (kept,) = best_to_keep(hand, 1, WORTH)
                hand.remove(kept)
                return Lose(hand[0])
            case "exchanging":
                return _keep(moves, best_to_keep(view.pool or (), len(hand), WORTH))
        true = [move for move in of_kind(moves, Block) if move.character in hand]
        return true[0] if true else nod(moves)

    def _propose(self, seat: int, view: View, moves: Sequence[AnyMove], hand: Sequence[Character]) -> AnyMove:
        others = strongest(view, living(view, seat))
        wishes = [wish(moves, "coup", other) for other in others]
        if "assassin" in hand:
            wishes += [wish(moves, "assassinate", other) for other in self._open_to("assassinate", others)]
        if "duke" in hand:
            wishes.append(wish(moves, "tax"))
        if "captain" in hand:
            rich = [other for other in others if view.coins[other] >= 2]
            wishes += [wish(moves, "steal", other) for other in self._open_to("steal", rich)]
        if "ambassador" in hand and not self.exchanged:
            wishes.append(wish(moves, "exchange"))
        if self._open_to("foreign_aid", others) == others:
            wishes.append(wish(moves, "foreign_aid"))
        return next((found for found in wishes if found is not None), moves[0])

    def _open_to(self, action: Action, players: Sequence[int]) -> list[int]:
        """Those who have not blocked this."""
        return [player for player in players if (action, player) not in self.blocks]


def _keep(moves: Sequence[AnyMove], wanted: Sequence[Character]) -> AnyMove:
    """The offered move that keeps these cards."""
    return next(move for move in of_kind(moves, Keep) if Counter(move.cards) == Counter(wanted))


class Believer(Bot):
    """Keeps in mind what everybody has claimed, shown and let pass, and what that makes likely."""

    name = "believer"
    about = "Remembers who claimed what, bluffs where it is believed, and calls BS on what is unlikely."
    strength = "strong"
    worth = 35.2

    def __init__(self) -> None:
        self.evidence: dict[int, dict[Character, float]] = {}
        """By player and character: what speaks for the player having it, as log odds."""
        self.burnt: set[Character] = set()
        """What the others will not believe any more."""
        self.claimed: Counter[Character] = Counter()
        """What it has claimed itself since its cards last changed."""
        self.buried: list[Character] = []
        """What it has put at the bottom of a deck that nobody shuffles."""
        self.credit: Counter[int] = Counter()
        """By player: how often a claim was proven, less how often one was caught."""
        self.called: Counter[int] = Counter()
        """By player: how often they have called BS …"""
        self.answered: Counter[int] = Counter()
        """… and how often they have answered a claim at all."""
        self.rounds = 0

    def twin(self) -> Believer:
        """Another one that remembers the same, for a while in which it may hear something else."""
        twin = copy(self)
        twin.evidence = {player: known.copy() for player, known in self.evidence.items()}
        twin.burnt, twin.claimed = self.burnt.copy(), self.claimed.copy()
        twin.credit, twin.called, twin.answered = self.credit.copy(), self.called.copy(), self.answered.copy()
        return twin

    # Beliefs

    def observe(self, seat: int, events: Sequence[Event]) -> None:
        for event in events:
            learn = LEARNS.get(type(event))
            if learn is not None:
                learn(self, seat, event)

    def _proposed(self, seat: int, event: Proposed) -> None:
        if not event.block_only:
            self.rounds += event.seat == seat
            if event.action in CLAIMS:
                self._claims(seat, event.seat, CLAIMS[event.action])

    def _blocked(self, seat: int, event: Blocked) -> None:
        self._claims(seat, event.seat, event.character)

    def _allowed(self, seat: int, event: Allowed) -> None:
        self.answered[event.seat] += 1

    def _executed(self, seat: int, event: Executed) -> None:
        target = event.target
        if event.action == "foreign_aid":
            for other in self.evidence:
                if other != event.seat:
                    self._weigh(other, "duke", -0.7)
        elif target is None or target == seat:
            return
        elif event.action == "steal":
            self._weigh(target, "captain", -0.7)
            self._weigh(target, "ambassador", -0.7)
        elif event.action == "assassinate":
            self._of(target)["contessa"] = -3.0

    def _revealed(self, seat: int, event: Revealed) -> None:
        known = self._of(event.seat)
        known[event.card] = min(known[event.card], 0.0)

    def _of(self, player: int) -> dict[Character, float]:
        return self.evidence.get(player) or self.evidence.setdefault(player, dict.fromkeys(CHARACTERS, 0.0))

    def _weigh(self, player: int, character: Character, weight: float) -> None:
        known = self._of(player)
        if known[character] < 8:  # what has been proven is beyond doubt
            known[character] += weight

    def _claims(self, seat: int, player: int, character: Character) -> None:
        if player == seat:
            self.claimed[character] += 1
        else:
            # The word of somebody who was caught is worth nothing, and less.
            self._weigh(player, character, max(-0.5, min(2.0, 1.0 + 0.8 * self.credit[player])))

    def _challenged(self, seat: int, event: Challenged) -> None:
        self.called[event.seat] += 1
        self.answered[event.seat] += 1
        self.credit[event.accused] += -1 if event.correct else 1
        if event.accused == seat:
            if event.correct:
                self.burnt.add(event.character)
        else:
            self._of(event.accused)[event.character] = -4.0 if event.correct else 9.0

    def _swapped(self, seat: int, event: Swapped) -> None:
        """The card that was proven is gone, and another one has come."""
        player = event.seat
        if player == seat:
            self.claimed.clear()
            self.burnt.clear()
            return
        known = self._of(player)
        for character in CHARACTERS:
            known[character] = 0.0 if known[character] > 8 else 0.8 * known[character]

    def _exchanged(self, seat: int, event: Exchanged) -> None:
        player = event.seat
        if player == seat:
            self.claimed.clear()
            self.burnt.clear()
            return
        known = self._of(player)
        for character in CHARACTERS:
            known[character] = 0.3 * min(known[character], 3.0)

    def chance_of(self, seat: int, view: View, player: int, character: Character) -> float:
        """How likely somebody is to have a character: what counting says, shifted by the evidence."""
        hand = hand_of(view, seat)
        open_cards = [card for revealed in view.revealed for card in revealed]
        seen = [*hand, *open_cards, *self.buried]
        unseen = COPIES - seen.count(character)
        cards = CARDS - len(seen)
        held = live_cards(view, player)
        if unseen <= 0 or held == 0:
            return 0.0
        without = comb(cards - unseen, held) / comb(cards, held)
        if without == 0.0:
            return 1.0
        odds = (1 - without) / without
        return 1 / (1 + exp(-(log(odds) + self._of(player)[character])))

    # Choices

    def choose(self, seat: int, view: View, moves: Sequence[AnyMove], dice: Dice) -> AnyMove:
        for other in living(view, seat):
            self._of(other)
        hand = hand_of(view, seat)
        match view.phase:
            case "awaiting_action":
                return self._propose(seat, view, moves, hand, dice)
            case "action_window" if view.current != seat:
                return self._answer_action(seat, view, moves, hand, dice)
            case "block_window" if view.blocker != seat:
                return self._answer_block(seat, view, moves, dice)
            case "losing_card":
                worth = self._worth(seat, view)
                (kept,) = best_to_keep(hand, 1, worth)
                hand.remove(kept)
                return Lose(hand[0])
            case "exchanging":
                return self._choose_cards(seat, view, moves, len(hand))
        return nod(moves)

    def _propose(
        self, seat: int, view: View, moves: Sequence[AnyMove], hand: Sequence[Character], dice: Dice
    ) -> AnyMove:
        others = strongest(view, living(view, seat))
        coup = next((move for other in others if (move := wish(moves, "coup", other))), None)
        if coup is not None:
            return coup
        if "assassin" in hand:
            for other in sorted(others, key=lambda other: self.chance_of(seat, view, other, "contessa")):
                found = wish(moves, "assassinate", other)
                if found is not None and self.chance_of(seat, view, other, "contessa") < 0.35:
                    return found
        steal = self._theft(seat, view, moves, hand)
        if steal is not None and len(others) == 1:
            return steal  # it swings four coins
        if "duke" in hand:
            return wish(moves, "tax") or moves[0]
        if steal is not None:
            return steal
        if self._believed(seat, view, "duke"):
            return wish(moves, "tax") or moves[0]
        if "ambassador" in hand:
            return wish(moves, "exchange") or moves[0]
        free = 1.0
        for other in others:
            free *= 1 - self.chance_of(seat, view, other, "duke")
        return (wish(moves, "foreign_aid") if free > 0.5 else wish(moves, "income")) or moves[0]

    def _theft(self, seat: int, view: View, moves: Sequence[AnyMove], hand: Sequence[Character]) -> AnyMove | None:
        """Somebody to steal from, if that is likely to succeed."""
        if "captain" not in hand:
            return None
        found = []
        for other in living(view, seat):
            move = wish(moves, "steal", other)
            stop = [self.chance_of(seat, view, other, character) for character in BLOCKS["steal"]]
            if move is not None and view.coins[other] >= 2 and sum(stop) < 0.8:
                found.append((sum(stop), move))
        return min(found, key=lambda pair: pair[0])[1] if found else None

    def _believed(self, seat: int, view: View, character: Character) -> bool:
        """Whether claiming a card one does not have may go well."""
        open_cards = Counter(card for revealed in view.revealed for card in revealed)
        if character in self.burnt or open_cards[character] >= 2:
            return False
        # Never more characters than there are cards to be: a third one asks to be called.
        return (character in self.claimed or len(self.claimed) < 2) and self._doubt(seat, view) < 0.25

    def _doubt(self, seat: int, view: View) -> float:
        """How likely a claim is to be called by anybody, going by how they have answered so far."""
        trust = 1.0
        for other in living(view, seat):
            trust *= 1 - (self.called[other] + 0.3) / (self.answered[other] + 3)
        return 1 - trust

    def _answer_action(
        self, seat: int, view: View, moves: Sequence[AnyMove], hand: Sequence[Character], dice: Dice
    ) -> AnyMove:
        assert view.action is not None and view.current is not None
        blocks = of_kind(moves, Block)
        true = [move for move in blocks if move.character in hand]
        if true:
            return true[0]
        bluff = self._bluffed(seat, view, view.current, CLAIMS.get(view.action))
        doubts = of_kind(moves, CallBs)
        if view.action == "assassinate" and view.target == seat:
            return self._save(seat, view, moves, bluff)
        if doubts and bluff > self._threshold(seat, view):
            return doubts[0]
        if blocks and self._bluffs_block(seat, view, dice):
            return self._likeliest(seat, view, blocks)
        return nod(moves)

    def _save(self, seat: int, view: View, moves: Sequence[AnyMove], bluff: float) -> AnyMove:
        """Somebody wants to assassinate it: nothing is lost by fighting back, or little."""
        doubts = of_kind(moves, CallBs)
        last = live_cards(view, seat) == 1
        limit = 0.5 if view.ruleset == "note" or last else 0.7
        if doubts and bluff > limit:
            return doubts[0]
        blocks = of_kind(moves, Block)
        return blocks[0] if blocks else nod(moves)

    def _threshold(self, seat: int, view: View) -> float:
        """From which chance of a bluff on it calls BS on an action."""
        others = len(living(view, seat))
        limit = 0.75
        if view.action == "steal" and view.target == seat:
            limit = 0.70
        elif view.action == "exchange":
            limit = 0.85
        if view.ruleset == "note":
            limit += 0.05
        if live_cards(view, seat) == 1:
            limit += 0.06
        if self.rounds <= 1:
            limit += 0.05
        if others >= 3:
            limit += 0.04  # let others do the calling
        return min(limit, 0.99)

    def _bluffs_block(self, seat: int, view: View, dice: Dice) -> bool:
        others = len(living(view, seat))
        if self._doubt(seat, view) > 0.3:
            return False
        if view.action == "steal":
            return dice.below(100) < 80  # as BLOCKS has it, the other one is foreign aid
        return (
            view.action == "foreign_aid" and "duke" not in self.burnt and dice.below(100) < (60 if others == 1 else 10)
        )

    def _likeliest(self, seat: int, view: View, blocks: Sequence[Block]) -> AnyMove:
        """The block that is easiest to believe: claimed before, or with more copies unseen."""
        open_cards = Counter([*hand_of(view, seat), *(card for revealed in view.revealed for card in revealed)])
        return max(
            blocks,
            key=lambda move: (
                move.character not in self.burnt, self.claimed[move.character] > 0, -open_cards[move.character],
            ),
        )  # fmt: skip

    def _answer_block(self, seat: int, view: View, moves: Sequence[AnyMove], dice: Dice) -> AnyMove:
        doubts = of_kind(moves, CallBs)
        assert view.blocker is not None
        bluff = self._bluffed(seat, view, view.blocker, view.block_as)
        limit = 0.43 if view.current == seat else 0.75
        if view.ruleset == "note":
            limit += 0.1  # the action is lost in any case
        if live_cards(view, seat) == 1:
            limit += 0.06
        return doubts[0] if doubts and bluff > limit else nod(moves)

    def _bluffed(self, seat: int, view: View, player: int, character: Character | None) -> float:
        return 0.0 if character is None else 1 - self.chance_of(seat, view, player, character)

    def _worth(self, seat: int, view: View) -> dict[Character, float]:
        """What cards are worth now: what was claimed is worth more than what nobody expects."""
        worth = dict(WORTH)
        others = living(view, seat)
        if len(others) == 1:
            worth["captain"] += 1.0
            if view.coins[others[0]] >= 3:
                worth["contessa"] += 0.8
        for character in self.claimed:
            worth[character] += 0.2
        return worth

    def _choose_cards(self, seat: int, view: View, moves: Sequence[AnyMove], count: int) -> AnyMove:
        pool = view.pool or ()
        kept = best_to_keep(pool, count, self._worth(seat, view))
        if view.ruleset == "note":
            self.buried = list((Counter(pool) - Counter(kept)).elements())
        return _keep(moves, kept)


LEARNS: dict[type[Event], Callable[[Believer, int, Any], None]] = {
    Proposed: Believer._proposed,
    Blocked: Believer._blocked,
    Allowed: Believer._allowed,
    Executed: Believer._executed,
    Challenged: Believer._challenged,
    Swapped: Believer._swapped,
    Revealed: Believer._revealed,
    Exchanged: Believer._exchanged,
}
"""What it makes of each kind of event. The cardinal's playouts ask for everybody at the table, and a ``match`` would
hold each event against one struct after the other.
"""
