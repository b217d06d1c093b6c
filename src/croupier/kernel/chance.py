"""Randomness as data: everything a game leaves to luck follows from one seed.

The derivation is simple enough to be written again in any language, so that anyone can check a deal afterwards. It is
published in docs/fair-deals.md, and never changes:

* A seed is 32 bytes. The stream of a seed is ``SHA-256(seed ‖ n)`` for n = 0, 1, 2, … (n as 8 bytes, big-endian),
  concatenated and read as 32-bit big-endian words.
* ``below(n)``: take words until one is smaller than the largest multiple of n that fits into 32 bits; the answer is
  that word modulo n. No value is likelier than another.
* ``shuffle(items)``: Fisher-Yates from the end: for i = len-1 down to 1, swap items[i] with items[below(i + 1)].

>>> chance = Chance(bytes(32))
>>> [chance.below(6) for _ in range(8)]
[1, 2, 3, 3, 1, 5, 5, 3]
>>> cards = list("abcdef")
>>> chance.shuffle(cards, "letters")
>>> "".join(cards)
'dbfcea'
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from hashlib import sha256
from random import Random
from struct import Struct, unpack
from typing import Any, Protocol, TypeVar

import msgspec

T = TypeVar("T")

_WORDS = Struct("<8I")
"""Of a block that is read from its end."""
_SPAN = 1 << 32
_MANY = 16
"""Words that it pays to read at once."""


class Dice(Protocol):
    """A source of luck: a table's own ``Chance``, or any quicker one where nobody will ask for a proof."""

    def below(self, n: int) -> int:
        """A uniform number from 0 to n - 1."""

    def shuffle(self, items: MutableSequence[Any], what: str) -> None:
        """Put items into a uniformly random order, in place.

        ``what`` names the shuffle, ``chance.shuffle(deck, "deck")``: a test rigs it by that name (``Rig.orders``), so
        that shuffles of different things need different ones. What people know a card by must not survive it: an id
        that does tells where a known card went.
        """

    def choice(self, items: Sequence[T]) -> T:
        """One of the items, each as likely as the others."""


class Rig(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a test has fixed the luck of a table. Journaled with the start of the game, so that replay is exact."""

    shuffle: bool = True
    """False: every shuffle leaves the order as it is."""
    orders: dict[str, list[Any]] = {}
    """The order that the shuffle of this name ends in: items as JSON writes them."""
    loose: bool = False
    """True: what an order names and is not there is passed over, as when a deck is shuffled once more later on."""


class Chance(msgspec.Struct):
    """The luck of one game, drawn from its seed. Part of the game's state: it continues where the journal left it."""

    seed: bytes
    blocks: int = 0
    """How many 32-byte blocks of the stream have been begun."""
    words: list[int] = []
    """What is left of the current block, next word last."""
    rig: Rig | None = None

    def below(self, n: int) -> int:
        limit = _SPAN - _SPAN % n
        while True:
            word = (self.words or self._next_block()).pop()
            if word < limit:
                return word % n

    def _next_block(self) -> list[int]:
        block = sha256(self.seed + self.blocks.to_bytes(8, "big")).digest()
        self.words = [*_WORDS.unpack(block[::-1])]
        self.blocks += 1
        return self.words

    def _fetch(self, count: int) -> None:
        """So many words more, and what is left of their last block."""
        first = self.blocks
        self.blocks += -(-count // 8)
        blocks = [sha256(self.seed + block.to_bytes(8, "big")).digest() for block in range(first, self.blocks)]
        self.words = [*unpack(f"<{8 * len(blocks)}I", b"".join(blocks)[::-1]), *self.words]

    def shuffle(self, items: MutableSequence[Any], what: str) -> None:
        if self.rig is not None:
            if what in self.rig.orders:
                _arrange(items, self.rig.orders[what], what, self.rig.loose)
                return
            if not self.rig.shuffle:
                return
        # ``below``, written out: a shuffle draws fifty times and more, and half of its time were the calls. The limits
        # of all its draws are near the end of the span, so that hardly a word has to be held against its own one.
        last = len(items)
        nearest = _SPAN - last
        if (missing := last - 1 - len(self.words)) > _MANY:
            self._fetch(missing)
        words = self.words
        while last > 1:
            word = (words or (words := self._next_block())).pop()
            if word >= nearest and word >= _SPAN - _SPAN % last:
                continue
            j = word % last
            last -= 1
            items[last], items[j] = items[j], items[last]

    def choice(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]


class QuickDice:
    """Luck for bots, imagination and playouts, where speed counts and nobody will ask for a proof."""

    __slots__ = ("_random", "choice")

    def __init__(self, seed: int | None = None) -> None:
        self._random = Random(seed)
        self.choice = self._random.choice

    def below(self, n: int) -> int:
        return int(self._random.random() * n)

    def shuffle(self, items: MutableSequence[Any], what: str) -> None:
        self._random.shuffle(items)


def _arrange(items: MutableSequence[Any], order: Sequence[Any], what: str, loose: bool) -> None:
    left, first = list(items), []
    for item in order:
        if item in left:
            left.remove(item)
            first.append(item)
        elif not loose:
            raise ValueError(f"the rigged order of {what!r} names {item!r} once more than there is")
    # What the rig leaves out follows in its natural order.
    items[:] = [*first, *left]
