"""What a seat has learned about its own further choices, by situation: an information-set tree."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import log, sqrt
from typing import Any

from croupier.kernel import Dice, Move


class Edge:
    """A move in a situation."""

    __slots__ = ("offered", "then", "total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.total = 0.0
        self.offered = 0
        """How often it could have been chosen: not every world allows every move."""
        self.then: dict[Hashable, Node] = {}
        """By the situation that the seat found itself in next."""

    def follow(self, situation: Hashable) -> Node | None:
        """Where the seat is now; None when it has never been here, which it will have been from now on."""
        node = self.then.get(situation)
        if node is None:
            self.then[situation] = Node()
        return node


class Node:
    """A situation, as the seat sees it."""

    __slots__ = ("edges",)

    def __init__(self) -> None:
        self.edges: dict[Any, Edge] = {}

    def select(self, moves: Sequence[Any], usual: Move, curiosity: float, dice: Dice) -> tuple[Any, Edge]:
        """The most promising move (UCB1, by how often it was on offer); one that was never tried before any other, and
        of those the usual one first."""
        edges = self.edges
        untried = []
        best, best_edge, most = usual, None, -1.0
        for move in moves:
            edge = edges.get(move)
            if edge is None:
                edge = edges[move] = Edge()
            edge.offered += 1
            if not edge.visits:
                untried.append(move)
                continue
            bound = edge.total / edge.visits + curiosity * sqrt(log(edge.offered) / edge.visits)
            if bound > most:
                best, best_edge, most = move, edge, bound
        if untried:
            move = usual if usual in untried else dice.choice(untried)
            return move, edges[move]
        assert best_edge is not None
        return best, best_edge
