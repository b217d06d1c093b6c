"""The cards: a second transcription of all 130, what is printed how often, and three that others have wrong."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import pytest

from croupier.games.faraway.cards import (
    REGION_DECKS,
    REGIONS,
    REGIONS_WITH_CLUE,
    SANCTUARIES,
    SANCTUARIES_WITH_CLUE,
    SANCTUARY_DECKS,
    Card,
    describe,
)

# Index, biome (X grey), Night or Day, K clue, wonders, quest, fame; '.' is nothing. wSet, cSet: a set of wonders or
# colours.
TRANSCRIBED_REGIONS = """
 0 X D . sct .      .           26 R N . c   .      3×t         52 R D . .   sss    4×c
 1 R D . sc  .      .           27 Y N . .   .      1×Y+B       53 Y D . c   tt     4×R
 2 B D . ss  .      .           28 R N . s   .      3×c         54 G D . c   tt     4×clue
 3 G D . .   .      4           29 Y N . t   .      2×t         55 B D K s   ctt    3×s
 4 R D . st  .      .           30 R N . s   .      2×s         56 Y D . t   scc    4×B
 5 G D . c   .      2           31 Y N . .   .      1×Y+R       57 R D . .   ttt    4×s
 6 B D K s   .      .           32 R N . sc  sss    7           58 G D K .   ccc    3×clue
 7 R D . ct  .      .           33 Y N K .   .      3×t         59 Y D K .   sccc   3×Y+R
 8 G D K c   .      .           34 G N . c   ss     3×c         60 B D K .   sscc   16
 9 B D . .   .      5           35 Y N . c   .      10×cSet     61 G D . t   cccc   17
10 R D . .   .      3×night     36 R N . .   cc     4×t         62 Y D K .   ttt    3×Y+B
11 G D . .   .      2×clue      37 Y N . .   t      3×night     63 G D K .   cct    15
12 Y D K t   .      .           38 G N . s   ct     3×clue      64 B D K .   sstt   18
13 B D . .   .      2×s         39 R N . st  cc     9           65 Y D K .   ttt    3×Y+G
14 R D . t   .      2×night     40 B N . .   sct    3×night     66 B D . .   ssss   20
15 G D K .   .      2×c         41 G D . t   ssc    4×night     67 G D K .   cctt   19
16 R D . c   .      2×c         42 Y D . .   sc     2×Y+G       68 B D . .   sssss  24
17 B D . s   cc     3×s         43 B D . s   .      10×cSet     69 R D K .   .      7×wSet
18 G D . c   .      10×cSet     44 Y D . .   st     2×Y+B       70 X D K .   .      6
19 R D . t   .      2×t         45 G D . s   ccc    13          71 G N . s   .      7×wSet
20 G N K .   s      2×night     46 B D K .   ssc    10          72 X N K .   ccccc  26
21 B N . .   ss     8           47 Y D . .   ct     2×Y+R       73 Y N . c   tttt   5×X
22 G N K .   .      1×clue      48 R D . c   .      3×s         74 X N . t   .      7×wSet
23 R N . sc  .      10×cSet     49 B D K .   sst    12          75 B N K .   ssssss 28
24 B N . s   c      2×night     50 Y D . s   tt     4×G         76 X N . .   sscctt 4×X
25 Y N . .   .      1×Y+G       51 B D . s   ssss   14
"""

TRANSCRIBED_SANCTUARIES = """
 0 G . . .  1×G         14 G . . s  .           28 X . . .  2×t         42 X N . s  .
 1 R . . .  1×R         15 G . K .  .           29 X . . .  2×s         43 X N . c  .
 2 B . . .  1×B         16 R . . c  .           30 X . . .  2×c         44 X N . t  .
 3 Y . . .  1×Y         17 R . . t  .           31 X . . .  2×clue      45 X . . ss .
 4 X . . .  1×B+Y       18 R . . s  .           32 X . K .  4×cSet      46 X . K .  3×wSet
 5 X . . .  1×G+R       19 Y . . s  .           33 G . . .  1×night     47 X . . c  1×X
 6 X . . .  1×R+Y       20 Y . K .  .           34 X . . s  1×night     48 X . . t  1×X
 7 X . . .  1×Y+G       21 Y . . .  4×cSet      35 X . . c  1×clue      49 G . . .  3×wSet
 8 X . . .  1×G+B       22 Y . . .  1×clue      36 X . . s  1×clue      50 B . . .  2×X
 9 X . . .  1×R+B       23 X . . .  5           37 X . K .  1×clue      51 Y N . .  1×X
10 B . . c  .           24 B . K .  .           38 X . . s  1×s         52 R . . .  3×wSet
11 B . . s  .           25 X . K s  .           39 X . . c  1×c
12 B . . t  .           26 X . K c  .           40 X . . t  1×t
13 G . . c  .           27 X . K t  .           41 R N . .  .
"""

LETTERS = {
    "stone": "s",
    "chimera": "c",
    "thistle": "t",
    "red": "R",
    "green": "G",
    "blue": "B",
    "yellow": "Y",
    "colorless": "X",
    "wonder_set": "wSet",
    "color_set": "cSet",
}


def letters(card: Card, day: str) -> tuple[str, ...]:
    """A card as the transcription writes it, without number and quest."""
    fame = "."
    if card.fame is not None:
        per = "+".join(LETTERS.get(counted, counted) for counted in card.fame.per)
        fame = f"{card.fame.points}×{per}" if per else str(card.fame.points)
    wonders = "".join(LETTERS[wonder] for wonder in card.wonders) or "."
    return LETTERS[card.biome], "N" if card.night else day, "K" if card.clue else ".", wonders, fame


def test_every_region_is_as_transcribed() -> None:
    written = re.findall(r"(\d+) ([RGBYX]) ([DN]) ([K.]) ([sct.]+) +([sct.]+) +(\S+)", TRANSCRIBED_REGIONS)
    assert len(written) == 77
    for number, biome, night, clue, wonders, quest, fame in written:
        region = REGIONS[int(number)]
        assert letters(region, "D") == (biome, night, clue, wonders, fame), describe(region)
        assert ("".join(LETTERS[wonder] for wonder in region.quest) or ".") == quest, describe(region)


def test_every_sanctuary_is_as_transcribed() -> None:
    written = re.findall(r"(\d+) ([RGBYX]) ([N.]) ([K.]) ([sct.]+) +(\S+)", TRANSCRIBED_SANCTUARIES)
    assert len(written) == 53
    for number, *card in written:
        sanctuary = SANCTUARIES[int(number)]
        assert letters(sanctuary, ".") == tuple(card), describe(sanctuary)
        assert sanctuary.quest == ()  # F47


def test_f2_d2_two_card_sets() -> None:
    assert REGION_DECKS["base"] == tuple(range(1, 69))
    assert SANCTUARY_DECKS["base"] == tuple(range(45))
    assert REGION_DECKS["full"] == tuple(range(77))
    assert SANCTUARY_DECKS["full"] == tuple(range(53))


def test_f3_d4_d5_indexes() -> None:
    assert [region.value for region in REGIONS] == list(range(77))
    assert [sanctuary.tile for sanctuary in SANCTUARIES] == list(range(1, 54))


def counts(cards: Sequence[Card], edition: str) -> dict[str, object]:
    some = [card for card in cards if card.set == edition]
    biomes = Counter(card.biome for card in some)
    wonders = Counter(wonder for card in some for wonder in card.wonders)
    fames = ["none" if card.fame is None else "per" if card.fame.per else "flat" for card in some]
    return {
        "cards": len(some),
        "biomes": [biomes[biome] for biome in ("red", "green", "blue", "yellow", "colorless")],
        "night": sum(card.night for card in some),
        "clues": sum(card.clue for card in some),
        "wonders": [wonders[wonder] for wonder in ("stone", "chimera", "thistle")],
        "quests": sum(bool(card.quest) for card in some),
        "fame": [fames.count(kind) for kind in ("none", "flat", "per")],
    }


@pytest.mark.parametrize(
    ("cards", "edition", "cards_in_it", "biomes", "night", "clues", "wonders", "quests", "fame"),
    [
        (REGIONS, "base", 68, [17, 17, 17, 17, 0], 21, 18, [18, 14, 10], 37, [7, 17, 44]),
        (REGIONS, "below", 9, [1, 1, 1, 1, 5], 6, 4, [2, 2, 2], 4, [1, 3, 5]),
        (SANCTUARIES, "base", 45, [5, 5, 5, 5, 25], 4, 8, [9, 7, 5], 0, [19, 1, 25]),
        (SANCTUARIES, "below", 8, [1, 1, 1, 1, 4], 1, 1, [2, 1, 1], 0, [1, 0, 7]),
    ],
)
def test_how_much_there_is_of_everything(
    cards: Sequence[Card],
    edition: str,
    cards_in_it: int,
    biomes: list[int],
    night: int,
    clues: int,
    wonders: list[int],
    quests: int,
    fame: list[int],
) -> None:
    assert counts(cards, edition) == {
        "cards": cards_in_it,
        "biomes": biomes,
        "night": night,
        "clues": clues,
        "wonders": wonders,
        "quests": quests,
        "fame": fame,
    }


def test_d3_c40_three_cards_that_others_have_wrong() -> None:
    assert REGIONS[38].wonders == ("stone",)
    assert REGIONS[55].fame is not None
    assert (REGIONS[55].fame.points, REGIONS[55].fame.per) == (3, ("stone",))
    assert REGIONS[71].night


def test_what_is_remarkable() -> None:
    assert [region.value for region in REGIONS if region.night] == [*range(20, 41), *range(71, 77)]
    assert REGIONS[76].quest == ("stone", "stone", "chimera", "chimera", "thistle", "thistle")
    cards: list[Card] = [*REGIONS, *SANCTUARIES]
    doubled = [card for card in cards if len(set(card.wonders)) < len(card.wonders)]
    assert doubled == [REGIONS[2], SANCTUARIES[45]]
    assert [card for card in cards if len(card.wonders) == 3] == [REGIONS[0]]
    for card in cards:  # two counters only where they are biomes
        if card.fame is not None and len(card.fame.per) > 1:
            assert set(card.fame.per) < {"red", "green", "blue", "yellow"}


def test_clues() -> None:
    assert {region.value for region in REGIONS if region.clue} == REGIONS_WITH_CLUE
    assert {tile for tile, sanctuary in enumerate(SANCTUARIES) if sanctuary.clue} == SANCTUARIES_WITH_CLUE


def test_cards_in_words() -> None:
    assert describe(REGIONS[2]) == "2 blue, 2 stones"
    assert describe(REGIONS[76]) == "76 grey, night, needs 2 stones and 2 chimeras and 2 thistles, 4 per grey"
    assert describe(SANCTUARIES[23]) == "grey, 5 points"
    assert describe(SANCTUARIES[21]) == "yellow, 4 per set of colours"
    cards: list[Card] = [*REGIONS, *SANCTUARIES]
    assert len(set(map(describe, REGIONS))) == len(REGIONS)
    assert all(map(describe, cards))
