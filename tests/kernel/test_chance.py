"""Luck: reproducible by anybody, the same for every outcome, and to be fixed by a test."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from itertools import islice, permutations, product

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.kernel import Chance, Dice, Rig
from croupier.kernel.chance import QuickDice


def words(seed: bytes) -> Iterator[int]:
    """The stream of a seed, written once more from its description."""
    n = 0
    while True:
        block = hashlib.sha256(seed + n.to_bytes(8, "big")).digest()
        for i in range(0, 32, 4):
            yield int.from_bytes(block[i : i + 4], "big")
        n += 1


@given(st.binary(min_size=32, max_size=32), st.integers(1, 2**32))
def test_anybody_can_draw_the_same_numbers(seed: bytes, n: int) -> None:
    drawn = Chance(seed)
    expected = (word % n for word in words(seed) if word < 2**32 // n * n)
    assert [drawn.below(n) for _ in range(40)] == list(islice(expected, 40))


@given(st.integers(1, 2**32))
def test_no_number_is_likelier_than_another(n: int) -> None:
    """Exactly: the words that are accepted are a whole number of rounds of 0 to n - 1."""
    accepted = 2**32 // n * n
    last = Chance(bytes(32), words=[0, accepted - 1])
    assert (last.below(n), last.words) == (n - 1, [0])
    if accepted < 2**32:
        beyond = Chance(bytes(32), words=[0, accepted, 2**32 - 1])
        assert (beyond.below(n), beyond.words) == (0, [])


@pytest.mark.parametrize("size", range(6))
def test_every_order_is_equally_likely(size: int) -> None:
    """Exactly: each of the n! equally likely series of draws makes another one of the n! orders."""
    orders = []
    for script in product(*(range(i + 1) for i in range(size - 1, 0, -1))):
        items = list(range(size))
        Chance(bytes(32), words=list(script[::-1])).shuffle(items, "deck")
        orders.append(tuple(items))
    assert sorted(orders) == sorted(permutations(range(size)))


def test_a_shuffle_draws_as_anything_else_does() -> None:
    """Also where a word is beyond the limit and another one is drawn."""
    beyond = [2**32 - 1] * 2
    one, other = (Chance(b"x" * 32, words=[5, *beyond, 7]) for _ in range(2))
    items, expected = list(range(50)), list(range(50))
    one.shuffle(items, "deck")
    for i in range(49, 0, -1):
        j = other.below(i + 1)
        expected[i], expected[j] = expected[j], expected[i]
    assert (items, one) == (expected, other)


@pytest.mark.parametrize("dice", [Chance(b"chance" + bytes(26)), QuickDice(1)], ids=["chance", "quick"])
def test_large_samples_are_even(dice: Dice) -> None:
    draws = 60_000
    numbers = Counter(dice.below(6) for _ in range(draws))
    chosen = Counter(dice.choice("abcdef") for _ in range(draws))
    firsts = Counter[tuple[int, ...]]()
    for _ in range(draws // 10):
        items = [0, 1, 2]
        dice.shuffle(items, "deck")
        firsts[tuple(items)] += 1
    for counts, total in ((numbers, draws), (chosen, draws), (firsts, draws // 10)):
        assert len(counts) == 6
        chi_squared = sum((count - total / 6) ** 2 / (total / 6) for count in counts.values())
        assert chi_squared < 20.5  # one in a thousand with five degrees of freedom


def test_luck_goes_on_where_the_journal_left_it() -> None:
    one = Chance(bytes(range(32)))
    for n in range(1, 20):
        one.below(n)
    other = msgspec.json.decode(msgspec.json.encode(one), type=Chance)
    assert [one.below(1000) for _ in range(50)] == [other.below(1000) for _ in range(50)]
    assert one == other


def test_no_two_share_their_luck() -> None:
    one, other = Chance(bytes(32)), Chance(bytes(32))
    one.below(6)
    assert other.words == []
    assert Chance(bytes(32)).below(2**32) != Chance(b"\1" + bytes(31)).below(2**32)


def test_a_rig_keeps_the_order() -> None:
    rigged = Chance(bytes(32), rig=Rig(shuffle=False))
    items = list("abc")
    rigged.shuffle(items, "deck")
    assert items == list("abc")
    assert rigged.below(6) == Chance(bytes(32)).below(6)


def test_a_rig_names_an_order() -> None:
    rigged = Chance(bytes(32), rig=Rig(shuffle=False, orders={"deck": ["c", "a"]}))
    items = list("abca")
    rigged.shuffle(items, "deck")
    assert items == ["c", "a", "b", "a"]  # what is not named follows
    items = list("abca")
    rigged.shuffle(items, "other")
    assert items == list("abca")
    # Without a word about other shuffles they are as ever.
    half_rigged, fair = Chance(bytes(32), rig=Rig(orders={"deck": []})), Chance(bytes(32))
    numbers, others = list(range(20)), list(range(20))
    half_rigged.shuffle(numbers, "other")
    fair.shuffle(others, "other")
    assert numbers == others != list(range(20))


def test_a_rig_cannot_invent_cards() -> None:
    items = list("ab")
    with pytest.raises(ValueError, match="'a' once more than there is"):
        Chance(bytes(32), rig=Rig(orders={"deck": ["a", "a"]})).shuffle(items, "deck")
    assert items == list("ab")


def test_a_rig_is_journaled() -> None:
    rig = Rig(shuffle=False, orders={"deck": ["10♦"]})
    assert msgspec.json.decode(msgspec.json.encode(rig), type=Rig) == rig
    assert msgspec.json.encode(Rig()) == b"{}"


def test_quick_dice_can_be_repeated() -> None:
    one, other = QuickDice(5), QuickDice(5)
    assert [one.below(100) for _ in range(20)] == [other.below(100) for _ in range(20)]
    assert {one.below(3) for _ in range(100)} == {0, 1, 2}


def test_a_loose_rig_passes_over_what_is_not_there() -> None:
    chance = Chance(bytes(32), rig=Rig(orders={"deck": ["b", "x", "a"]}, loose=True))
    cards = list("abcd")
    chance.shuffle(cards, "deck")
    assert cards == list("bacd")
