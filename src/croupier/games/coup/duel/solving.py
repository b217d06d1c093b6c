"""A turn of a duel, solved: how often to do what with which hand, so that no answer to it does well.

Counterfactual regret minimization (CFR+): both sides play the turn again and again with all their hands at once, and
regret what would have been better; their average strategy comes ever nearer to an equilibrium. What the turns to come
are worth is looked up (``worth.py``). So that lies pay where people believe them, a share of the other side plays as
people are known to (``Habits``), and only the rest answers as well as can be.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from operator import mul
from typing import TypeAlias

from croupier.games.coup.duel.hands import HANDS, Fate, Spread, Stock, holders, spreads, ways
from croupier.games.coup.duel.tree import Leaf, Node, Proof, Purses, Ruleset, Said, possible, turn
from croupier.games.coup.duel.worth import worth

Row = list[float]
Table = list[Row]
_Any: TypeAlias = "_End | _Test | _Spoken"
Path = tuple[Said, ...]
"""What has been said in this turn. A proof is not said."""


class Position:
    """The beginning of a turn, as everybody sees it; and how likely the hands are for all that has been said."""

    def __init__(
        self, ruleset: Ruleset, purses: Purses, stock: Stock, lives: tuple[int, int], beliefs: tuple[Row, Row]
    ) -> None:
        self.ruleset = ruleset
        self.purses = purses
        self.stock = stock
        self.lives = lives
        own, other = (HANDS[held] for held in lives)
        table = [
            [ways(stock, one, another) * likely * also for another, also in zip(other, beliefs[1], strict=True)]
            for one, likely in zip(own, beliefs[0], strict=True)
        ]
        total = sum(map(sum, table)) or 1.0
        self.deal: Table = [[chance / total for chance in row] for row in table]
        """How likely these two hands are, by player 0's and the other's."""

    def after(self, leaf: Leaf) -> Table:
        """What the end of the turn is worth to player 0, by hands as they were at its beginning."""
        own, other = (held - fate.lost for held, fate in zip(self.lives, leaf.fates, strict=True))
        if other <= 0 or own <= 0:
            return [[float(other <= 0)] * len(self.deal[0])] * len(self.deal)
        purse, purse_of_other = leaf.coins(self.purses)
        to_come = worth(self.ruleset, (other, own), (purse_of_other, purse))
        table = [[1 - chance for chance in column] for column in zip(*to_come, strict=True)]
        for player in (0, 1):
            fate = leaf.fates[player]
            if fate != Fate():
                liked = self.liking(table, player, own if player else other)
                changed = spreads(fate, self.lives[player], self.stock, liked)
                table = _mixed(table, changed) if player == 0 else _turned(_mixed(_turned(table), changed))
        return table

    def liking(self, table: Table, player: int, held: int) -> Row:
        """Which hands to come are better than others, for who does not know what the other one has."""
        if player == 1:
            seen = [sum(row) for row in self.deal] if len(self.deal) == len(table) else [1.0] * len(table)
            return [-sum(map(mul, column, seen)) for column in zip(*table, strict=True)]
        columns = len(table[0])
        seen = (
            [sum(column) for column in zip(*self.deal, strict=True)]
            if len(self.deal[0]) == columns
            else [1.0] * columns
        )
        return [sum(map(mul, row, seen)) for row in table]


def _turned(table: Table) -> Table:
    return [list(column) for column in zip(*table, strict=True)]


def _mixed(table: Table, changed: Sequence[Spread] | None) -> Table:
    if changed is None:
        return table
    width = len(table[0])
    rows = []
    for spread in changed:
        row = [0.0] * width
        for hand, chance in spread:
            row = [sum_ + chance * value for sum_, value in zip(row, table[hand], strict=True)]
        rows.append(row)
    return rows


class Habits:
    """How somebody is known to speak, whoever asks. A share of what the other side says comes from here."""

    share: float = 0.0

    def says(self, path: Path, said: Sequence[Said], hand: tuple[str, ...]) -> Sequence[float] | None:
        """How often they say which of these, with this hand; None: nobody knows."""
        return None


class _End:
    """The turn is over."""

    def __init__(self, table: Table, deal: Table) -> None:
        self.rows = [
            [(value - 0.5) * chance for value, chance in zip(*pair, strict=True)]
            for pair in zip(table, deal, strict=True)
        ]
        self.columns = _turned(self.rows)

    def walk(self, one: Row, other: Row, weight: float) -> tuple[Row, Row]:
        return (
            [sum(map(mul, row, other)) for row in self.rows],
            [-sum(map(mul, column, one)) for column in self.columns],
        )


class _Test:
    """A card is shown, or can't be."""

    def __init__(self, accused: int, has: Sequence[bool], shown: _Any, caught: _Any) -> None:
        self.accused = accused
        self.has = [float(have) for have in has]
        self.lacks = [float(not have) for have in has]
        self.shown = shown
        self.caught = caught

    def walk(self, one: Row, other: Row, weight: float) -> tuple[Row, Row]:
        has, lacks = self.has, self.lacks
        if self.accused == 0:
            first = self.shown.walk(list(map(mul, one, has)), other, weight)
            second = self.caught.walk(list(map(mul, one, lacks)), other, weight)
            own = [a if have else b for a, b, have in zip(first[0], second[0], has, strict=True)]
            return own, [a + b for a, b in zip(first[1], second[1], strict=True)]
        first = self.shown.walk(one, list(map(mul, other, has)), weight)
        second = self.caught.walk(one, list(map(mul, other, lacks)), weight)
        own = [a if have else b for a, b, have in zip(first[1], second[1], has, strict=True)]
        return [a + b for a, b in zip(first[0], second[0], strict=True)], own


class _Spoken:
    """Somebody says something."""

    def __init__(self, player: int, said: tuple[Said, ...], then: list[_Any], hands: int) -> None:
        self.player = player
        self.said = said
        self.then = then
        self.regrets = [[0.0] * hands for _ in said]
        self.sums = [[0.0] * hands for _ in said]
        self.habit: list[Row] | None = None
        """By what is said and hand, already times the share."""
        self.free: Row = []

    def strategy(self) -> list[Row]:
        regrets = self.regrets
        totals = [sum(column) for column in zip(*regrets, strict=True)]
        even = 1 / len(regrets)
        shares = [1 / total if total > 1e-12 else 0.0 for total in totals]
        if not all(totals):
            found = [[r * share if share else even for r, share in zip(row, shares, strict=True)] for row in regrets]
        else:
            found = [list(map(mul, row, shares)) for row in regrets]
        if self.habit is not None:
            free = self.free
            return [
                [usual + share * chance for usual, share, chance in zip(one, free, other, strict=True)]
                for one, other in zip(self.habit, found, strict=True)
            ]
        return found

    def walk(self, one: Row, other: Row, weight: float) -> tuple[Row, Row]:
        strategy = self.strategy()
        if self.player == 0:
            reach = one
            found = [
                child.walk(list(map(mul, one, row)), other, weight)
                for row, child in zip(strategy, self.then, strict=True)
            ]
            own = [values[0] for values in found]
            rest = [values[1] for values in found]
        else:
            reach = other
            found = [
                child.walk(one, list(map(mul, other, row)), weight)
                for row, child in zip(strategy, self.then, strict=True)
            ]
            own = [values[1] for values in found]
            rest = [values[0] for values in found]
        mean = [
            sum(map(mul, column, values))
            for column, values in zip(zip(*strategy, strict=True), zip(*own, strict=True), strict=True)
        ]
        self.regrets = [
            [regret if (regret := r + value - m) > 0 else 0.0 for r, value, m in zip(row, values, mean, strict=True)]
            for row, values in zip(self.regrets, own, strict=True)
        ]
        self.sums = [
            [total + weight * share * r for total, share, r in zip(row, shares, reach, strict=True)]
            for row, shares in zip(self.sums, strategy, strict=True)
        ]
        against = [sum(column) for column in zip(*rest, strict=True)]
        return (mean, against) if self.player == 0 else (against, mean)


class Solution:
    """The strategies of both for a turn, as good as they have become so far."""

    def __init__(
        self, position: Position, own: int = 0, habits: Habits | None = None, barred: Sequence[Said] = ()
    ) -> None:
        """``own`` is the side that is asked for, the other one has ``habits``; ``barred`` is not to be proposed."""
        self.position = position
        self.own = own
        self.habits = habits
        self.barred = barred
        self.spoken: dict[Path, _Spoken] = {}
        self.root = self._made(turn(position.ruleset, position.lives), ())
        self.rounds = 0

    def _made(self, node: Node, path: Path) -> _Any:
        position = self.position
        match node:
            case Leaf():
                table = position.after(node)
                return _End(table, position.deal)
            case Proof():
                has = holders(position.lives[node.accused], node.character)
                return _Test(node.accused, has, self._made(node.shown, path), self._made(node.caught, path))
        said, then = node.said, node.then
        if not path:
            legal = [may and action not in self.barred for action, may in possible(position.purses).items()]
            said, then = tuple(compress(said, legal)), tuple(compress(then, legal))
        children = [self._made(child, (*path, word)) for word, child in zip(said, then, strict=True)]
        hands = HANDS[position.lives[node.player]]
        spoken = _Spoken(node.player, said, children, len(hands))
        self.spoken[path] = spoken
        if self.habits is not None and node.player != self.own:
            self._used_to(spoken, path, hands, self.habits)
        return spoken

    def _used_to(self, spoken: _Spoken, path: Path, hands: Sequence[tuple[str, ...]], habits: Habits) -> None:
        usual = [habits.says(path, spoken.said, hand) for hand in hands]
        spoken.free = [1.0 if known is None else 1 - habits.share for known in usual]
        spoken.habit = [
            [0.0 if known is None else habits.share * known[word] for known in usual]
            for word in range(len(spoken.said))
        ]

    def improve(self, rounds: int = 1) -> None:
        ones = [[1.0] * len(HANDS[held]) for held in self.position.lives]
        for _ in range(rounds):
            self.rounds += 1
            self.root.walk(ones[0], ones[1], float(self.rounds))

    def mix(self, path: Path, hand: int) -> dict[Said, float]:
        """How often to say what at this point of the turn, with this hand."""
        spoken = self.spoken[path]
        shares = [row[hand] for row in spoken.sums]
        total = sum(shares)
        if total <= 0:
            return dict.fromkeys(spoken.said, 1 / len(shares))
        return {word: share / total for word, share in zip(spoken.said, shares, strict=True)}
