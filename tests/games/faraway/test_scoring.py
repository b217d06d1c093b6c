"""Scoring, F40 to F50: worked boards X1 to X10 to the point, each rule alone, and a second opinion on random boards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.games.faraway.cards import REGIONS, SANCTUARIES, Card
from croupier.games.faraway.scoring import earned, explained

BOARDS: dict[str, tuple[list[int], list[int], list[int], int]] = {
    "X1": ([51, 46, 21, 32, 3, 9, 1, 2], [], [0, 0, 5, 4, 7, 8, 10, 14, 0], 48),
    "X2": ([2, 1, 4, 7, 46, 60, 63, 68], [], [0] * 9, 0),
    "X3": ([43, 18, 23, 35, 50, 53, 7, 12], [21, 3, 16, 11], [0, 0, 8, 0, 0, 0, 10, 10, 10], 38),
    "X4": ([41, 37, 40, 10, 36, 24, 39, 7], [41, 44, 33, 34], [0, 0, 8, 0, 15, 18, 21, 28, 14], 104),
    "X5": ([65, 58, 54, 62, 22, 12, 15, 8], [31, 37, 27, 22], [0, 2, 0, 6, 0, 28, 0, 0, 36], 72),
    "X6": ([55, 38, 48, 13, 20, 19, 4, 2], [40, 29], [0, 0, 6, 2, 6, 9, 3, 15, 13], 54),
    "X7": ([76, 73, 72, 69, 71, 74, 70, 0], [45, 46, 47, 50, 33], [0, 6, 14, 14, 14, 0, 0, 32, 35], 115),
    "X8": ([57, 52, 36, 59, 19, 28, 26, 7], [30, 39, 38, 43, 25, 26], [0, 3, 15, 4, 15, 8, 20, 0, 18], 83),
    "X9a": ([17, 45, 5, 16, 31, 33, 1, 6], [23], [0, 0, 0, 3, 4, 2, 13, 12, 5], 39),
    "X9b": ([30, 26, 22, 19, 10, 9, 4, 3], [5, 44], [4, 0, 5, 3, 6, 1, 9, 4, 7], 39),
    "X10": ([17, 24, 5], [13], [0, 0, 0, 0, 0, 2, 2, 6, 0], 10),
}


@pytest.mark.parametrize("board", BOARDS)
def test_c36_the_worked_scores(board: str) -> None:
    row, sanctuaries, rounds, total = BOARDS[board]
    assert earned(row, sanctuaries) == rounds
    score = explained(row, sanctuaries)
    assert (score.total, list(score.rounds)) == (total, rounds)


# What is in sight after each step, as far as it is not nothing, and whether the quest is fulfilled: X3 and X4 in full.
WALKS: dict[str, list[tuple[int, str, bool | None, int]]] = {
    "X3": [
        (12, "s1 c1 t1 clue1 R1 B1 Y3 wSet1", None, 0),
        (7, "s1 c2 t2 clue1 R2 B1 Y3 wSet1", None, 0),
        (53, "s1 c3 t2 clue1 R2 B1 Y4 wSet1", True, 8),
        (50, "s2 c3 t2 clue1 R2 B1 Y5 wSet2", True, 0),
        (35, "s2 c4 t2 clue1 night1 R2 B1 Y6 wSet2", None, 0),
        (23, "s3 c5 t2 clue1 night2 R3 B1 Y6 wSet2", None, 0),
        (18, "s3 c6 t2 clue1 night2 R3 G1 B1 Y6 wSet2 cSet1", None, 10),
        (43, "s4 c6 t2 clue1 night2 R3 G1 B2 Y6 wSet2 cSet1", None, 10),
    ],
    "X4": [
        (7, "s1 c1 t2 night2 R2 G1 X2 wSet1", None, 0),
        (39, "s2 c1 t3 night3 R3 G1 X2 wSet1", False, 0),
        (24, "s3 c1 t3 night4 R3 G1 B1 X2 wSet1", True, 8),
        (36, "s3 c1 t3 night5 R4 G1 B1 X2 wSet1", False, 0),
        (10, "s3 c1 t3 night5 R5 G1 B1 X2 wSet1", None, 15),
        (40, "s3 c1 t3 night6 R5 G1 B2 X2 wSet1", True, 18),
        (37, "s3 c1 t3 night7 R5 G1 B2 Y1 X2 wSet1 cSet1", True, 21),
        (41, "s3 c1 t4 night7 R5 G2 B2 Y1 X2 wSet1 cSet1", True, 28),
    ],
    "X10": [(5, "c2 G2", None, 2), (24, "s1 c2 night1 G2 B1", True, 2), (17, "s2 c2 night1 G2 B2", True, 6)],
}
SHORT = {"s": "stone", "c": "chimera", "t": "thistle", "R": "red", "G": "green", "B": "blue", "Y": "yellow"}
SHORT |= {"X": "colorless", "wSet": "wonder_set", "cSet": "color_set", "clue": "clue", "night": "night"}


@pytest.mark.parametrize("board", WALKS)
def test_f40_f42_the_walk_back_step_by_step(board: str) -> None:
    row, sanctuaries, *_ = BOARDS[board]
    score = explained(row, sanctuaries)
    total = 0
    for step, (card, shown, quest, points) in zip(score.walk, WALKS[board], strict=True):
        total += points
        counters = {SHORT[word.rstrip("0123456789")]: int(word[-1]) for word in shown.split()}
        assert (step.card, step.shown, step.quest, step.points, step.total) == (card, counters, quest, points, total)
    assert total + sum(score.sanctuaries) == score.total


def test_f40_at_first_nothing_is_in_sight() -> None:
    assert earned([], []) == [0] * 9
    assert explained([68], []).walk[0].shown == {"blue": 1}


def test_f41_regions_and_sanctuaries_show_alike() -> None:
    [step] = explained([20], [41, 45]).walk
    assert step.shown == {"stone": 2, "clue": 1, "night": 2, "red": 1, "green": 1, "colorless": 1}


def test_f42_c39_grey_completes_no_set() -> None:
    # 43 is blue and gives 10 for each set of colours: with red, green and yellow it has one, with grey it has not.
    assert earned([43, 3, 1, 12], [])[7] == 10
    assert earned([43, 3, 1], [23, 28, 45])[7] == 0
    assert earned([35, 3, 1], [23, 28, 45])[7] == 0
    assert earned([70, 0], [47, 50])[8] == 3 + 2 * 3  # grey regions and grey sanctuaries count as grey


def test_f43_c38_sanctuaries_are_in_sight_from_the_first_step_on() -> None:
    assert earned([21], [])[7] == 0
    assert earned([21], [45])[7] == 8  # two stones
    # Their own fame comes last: the stone of the first region counts for it.
    assert earned([6, 3], [29])[8] == 2


def test_f44_c37_d13_a_region_sees_itself_and_what_is_to_its_right() -> None:
    assert earned([13, 2], [])[7] == 4  # 2 per stone, and two of them to its right
    assert earned([2, 13], [])[6] == 0
    assert earned([30], [])[7] == 2  # its own stone


def test_f45_d12_quests_count_the_regions_own_wonders_and_use_none_up() -> None:
    # 51 needs four stones and has one itself.
    assert earned([51, 2, 6], [])[7] == 14
    assert earned([51, 2], [])[7] == 0
    # The same four stones for both.
    assert earned([66, 51, 2, 6], [])[6:8] == [14, 20]
    # Every kind of wonder must be there as often as asked.
    assert earned([40, 0], [])[7] == 3
    assert earned([40, 1], [])[7] == 0


def test_f46_fame() -> None:
    assert earned([9], [])[7] == 5  # flat
    assert earned([19, 12], [])[7] == 4  # per wonder
    assert earned([25, 3, 12], [])[7] == 3  # per card of two biomes
    assert earned([1], [])[7] == 0  # none
    # A quest that is not fulfilled: no points, but what the card shows stays in sight.
    assert earned([13, 32], [])[6:8] == [0, 2]


def test_f47_sanctuaries_score_last_and_together() -> None:
    assert earned([3, 3, 5], [0, 22, 23])[8] == 4 + 0 + 5
    assert explained([3, 3, 5], [0, 22, 23]).sanctuaries == (4, 0, 5)


def test_f48_c35_nine_numbers_and_their_sum() -> None:
    for row, sanctuaries, rounds, total in BOARDS.values():
        assert len(earned(row, sanctuaries)) == 9
        assert sum(rounds) == total


def test_f49_what_is_missing_of_a_row_counts_nothing() -> None:
    assert earned([9], []) == [0] * 7 + [5, 0]
    assert len(explained([9, 3], []).walk) == 2


boards = st.tuples(
    st.lists(st.sampled_from(range(77)), max_size=8, unique=True),
    st.lists(st.sampled_from(range(53)), max_size=7, unique=True),
)


@given(boards)
def test_f50_points_are_whole_numbers_and_never_negative(board: tuple[list[int], list[int]]) -> None:
    assert all(type(points) is int and points >= 0 for points in earned(*board))


def second_opinion(row: Sequence[int], sanctuaries: Sequence[int]) -> list[int]:
    """The rules word by word: for each region look at all that lies to its right."""

    def fame(card: Card, visible: Sequence[Card]) -> int:
        seen = Counter[str]()
        for other in visible:
            seen.update(other.wonders)
            seen.update({"clue": int(other.clue), "night": int(other.night), other.biome: 1})
        seen["wonder_set"] = min(seen[kind] for kind in ("stone", "chimera", "thistle"))
        seen["color_set"] = min(seen[kind] for kind in ("red", "green", "blue", "yellow"))
        if card.fame is None or not Counter[str](card.quest) <= seen:
            return 0
        return card.fame.points * (sum(seen[kind] for kind in card.fame.per) if card.fame.per else 1)

    kept = [SANCTUARIES[card] for card in sanctuaries]
    regions = [REGIONS[card] for card in row]
    points = [fame(region, [*regions[i:], *kept]) for i, region in enumerate(regions)]
    everything = [*regions, *kept]
    return [0] * (8 - len(row)) + points[::-1] + [sum(fame(card, everything) for card in kept)]


@given(boards)
def test_a_second_opinion(board: tuple[list[int], list[int]]) -> None:
    rounds = second_opinion(*board)
    assert earned(*board) == rounds
    score = explained(*board)
    assert list(score.rounds) == rounds
    assert sum(score.sanctuaries) == rounds[8]
    assert [step.points for step in score.walk] == rounds[8 - len(board[0]) : 8]
    assert [step.total for step in score.walk] == [sum(rounds[: 9 - n]) for n in range(len(board[0]), 0, -1)]
