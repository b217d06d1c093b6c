"""The cards are what is printed on them, and decks are checked. Corrections are those of the game's specification."""

from __future__ import annotations

import json
from collections import Counter
from importlib.resources import files

import pytest

from croupier.games.fortress import game
from croupier.games.fortress.card_definition import Card, Part
from croupier.games.fortress.cards import CARDS, FREE, full_name
from croupier.games.fortress.decks import STARTERS, refusal
from croupier.games.fortress.effects import (
    ALL,
    Add,
    AnyEffect,
    Cancel,
    Damage,
    Destroy,
    DestroySelf,
    Discard,
    Draw,
    Muster,
    Stun,
)
from croupier.tables import languages

PRINTED = """
castle   0 Windshire Hold 60 | 1 Calterburry Fortress 80 | 2 Wareton Ridge 90 | 3 Stonehill Keep 140
castle   4 Tortmain Fortress 75 | 5 Château du Draguizon 50
decree   6 Sacrifice 0 | 7 Call for Arms 0 | 8 Speed Up 0 | 9 Destroy 0
soldier  10 Pawn Warrior 10 | 11 Squire 15 | 12 Rampant Giant 25 | 13 Support 15 | 14 Paladin 30 | 15 Seeker 10
soldier  16 Archer 20 | 17 Cavalry 25 | 18 Cannonmen 25 | 19 Siege 10 | 20 Sacrifice 15 | 21 Castle Knight 0
soldier  22 Knight 25 | 23 Barbarian 10 | 24 Warlock 5 | 25 Centaur 25 | 26 Warrior 20 | 27 Mage's Partner 15
trickster 28 The Jester's Jester 0 | 29 Reinforcements 0 | 30 Anti-Mage 0 | 31 The Wanderer 0 | 32 Opportunist 0
trickster 33 Shaman 0 | 34 Fire Handler 0 | 35 Ice Handler 0 | 36 Slayer 0 | 37 Disciple 0 | 38 Fate 0 | 39 Swap 0
trickster 40 Mirage 0 | 41 Plague 0
mage     42 Sorcerer 10 | 43 Apprentice 10 | 44 Attacker 15 | 45 Defender 15 | 46 Death 20 | 47 Soldiers Partner 15
mage     48 Wizard 20 | 49 Glory 10 | 50 Tribute 10 | 51 Seductress 20 | 52 The Undead 10 | 53 Mut 25 | 54 Light 15
mage     55 Storm 15 | 56 Oracle 10 | 57 Demon 20 | 58 Protector 10
"""
"""Kind, then number, name, and points or health."""

COSTS = {
    12: "15 health, soldier", 14: "soldier, mage, trickster", 16: "trickster", 17: "mage", 18: "soldier", 22: "card 11",
    25: "soldier, trickster, mage", 26: "mage", 46: "soldier", 47: "mage or trickster",
    48: "trickster, soldier, mage of level 2", 51: "trickster, trickster", 53: "mage, trickster", 54: "trickster",
    55: "trickster", 57: "mage",
}  # fmt: skip
"""T31; all others are free."""


def printed() -> list[tuple[int, str, str, int]]:
    found = []
    for line in PRINTED.strip().splitlines():
        kind, cards = line.split(maxsplit=1)
        for card in cards.split(" | "):
            number, *name, value = card.split()
            found.append((int(number), " ".join(name), kind, int(value)))
    return found


def cost(card: Card) -> str:
    def words(part: Part) -> str:
        if part.card is not None:
            return f"card {part.card}"
        return " or ".join(part.kinds) + (f" of level {part.level}" if part.level else "")

    return ", ".join([f"{card.toll} health"] * bool(card.toll) + [words(part) for part in card.cost])


def steps(id: int, text: int = 0) -> tuple[AnyEffect, ...]:
    return CARDS[id].texts[text].effects


def test_there_are_59_cards_in_the_order_of_their_numbers() -> None:
    assert [card.id for card in CARDS] == list(range(59))
    counts = {"castle": 6, "decree": 4, "soldier": 18, "trickster": 14, "mage": 17}
    assert Counter(card.kind for card in CARDS) == counts


@pytest.mark.parametrize(("id", "name", "kind", "value"), printed(), ids=lambda value: str(value))
def test_names_kinds_points_and_health(id: int, name: str, kind: str, value: int) -> None:
    card = CARDS[id]
    assert (card.name, card.kind) == (name, kind)
    assert (card.health if kind == "castle" else card.points) == value
    assert (card.points if kind == "castle" else card.health) == 0


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.name)
def test_costs(card: Card) -> None:
    assert cost(card) == COSTS.get(card.id, "")
    assert bool(FREE >> card.id & 1) == (card.id not in COSTS)


def test_every_card_but_stonehill_keep_says_what_it_does() -> None:
    for card in CARDS:
        assert bool(card.texts) == (card.id != 3)
        for text in card.texts:
            assert text.words.endswith(".")
            assert text.effects or text.features


def test_mages_have_a_text_for_each_level() -> None:
    for card in CARDS:
        if card.kind == "mage":
            assert [text.level for text in card.texts] == [1, 2, 3]


def test_with_its_kind_a_name_is_unique() -> None:
    assert len({full_name(card.id) for card in CARDS}) == 59
    assert (full_name(6), full_name(20)) == ("Decree - Sacrifice", "Soldier - Sacrifice")


# The corrections, one by one


def test_defender_is_45_and_no_second_seeker() -> None:
    assert (CARDS[45].name, CARDS[15].name) == ("Defender", "Seeker")


def test_chateau_has_health_and_its_name() -> None:
    assert (CARDS[5].health, CARDS[5].name) == (50, "Château du Draguizon")


def test_tortmain_is_a_fortress() -> None:
    assert CARDS[4].name == "Tortmain Fortress"


def test_speed_up_has_no_points_and_lasts_three_turns() -> None:
    assert (CARDS[8].points, CARDS[8].lasts) == (0, 3)
    assert "third turn" in CARDS[8].texts[0].words


def test_decrees_last() -> None:
    assert [CARDS[id].lasts for id in range(6, 10)] == [1, 2, 3, 3]


def test_pawn_warrior_has_its_field_ability() -> None:
    assert [text.trigger for text in CARDS[10].texts] == ["on play", "field"]
    assert CARDS[10].texts[1].features == ("taunts",)


@pytest.mark.parametrize("id", [15, 22])
def test_seeker_and_knight_cancel_a_trickster_in_play(id: int) -> None:
    text = CARDS[id].texts[1]
    assert (text.trigger, text.answers, text.effects) == ("in play", "trickster", (Cancel(),))


def test_archer_costs_a_trickster_and_destroys_a_soldier() -> None:
    (step,) = steps(16)
    assert isinstance(step, Destroy)
    assert step.region.words == "an enemy soldier"


def test_cannonmen_deal_20() -> None:
    assert steps(18) == (Damage(20),)


def test_siege_plays_a_soldier_without_a_cost() -> None:
    assert steps(19) == (Muster(("soldier",), free=True),)


def test_the_soldier_sacrifice_is_in_play() -> None:
    assert CARDS[20].texts[0].trigger == "in play"
    assert steps(20) == (DestroySelf(), Draw(3))


def test_barbarian_stuns_and_discards() -> None:
    stun, discard = steps(23)
    assert isinstance(stun, Stun)
    assert discard == Discard("enemy", at_random=True)


def test_mages_partner_adds_in_play() -> None:
    assert (CARDS[27].texts[0].trigger, steps(27)) == ("in play", (Add("mage"),))


def test_jester_answers_tricksters_only() -> None:
    assert (CARDS[28].texts[0].answers, CARDS[28].texts[0].special) == ("trickster", True)


def test_anti_mage_destroys_a_mage() -> None:
    (step,) = steps(30)
    assert isinstance(step, Destroy)
    assert step.region.words == "an enemy mage"


def test_demon_stuns_all_soldiers() -> None:
    assert isinstance(steps(57)[1], Stun)
    assert steps(57)[1].count == ALL  # type: ignore[union-attr]


@pytest.mark.parametrize(("id", "name"), [(42, "Sorcerer"), (37, "Disciple")])
def test_names_have_no_stray_spaces(id: int, name: str) -> None:
    assert CARDS[id].name == name


def test_no_text_says_its_trigger_twice() -> None:
    for card in CARDS:
        for text in card.texts:
            assert not text.words.startswith(("On ", "In play", "Field", "Special"))


# T8 to T11: decks


@pytest.mark.parametrize("language", languages.LANGUAGES)
def test_every_card_has_a_name_of_its_own_in_every_language(language: str) -> None:
    words = languages.words(language, game)
    names = {card.name: words.said(card.name) for card in CARDS}
    assert len(set(names.values())) == len(names)
    if language != "en":
        known = json.loads((files("croupier.games.fortress") / f"{language}.json").read_bytes())
        assert names.keys() <= known.keys()


LEGAL = STARTERS["Assault"]


@pytest.mark.parametrize("name", STARTERS)
def test_t8_the_starter_decks_are_legal(name: str) -> None:
    assert len(STARTERS[name]) == 51
    assert refusal(STARTERS[name]) is None


@pytest.mark.parametrize(
    ("deck", "reason"),
    [
        (LEGAL[1:], "a deck is 50 cards and a castle, 51 in all: this one has 50"),
        ((10, *LEGAL), "51 in all: this one has 52"),
        ((), "this one has 0"),
    ],
)
def test_t8_a_deck_has_50_cards_and_a_castle(deck: tuple[int, ...], reason: str) -> None:
    assert reason in str(refusal(deck))


@pytest.mark.parametrize(
    ("first", "reason"),
    [
        (11, "3 copies of Squire, where 2 are allowed"),
        (6, "2 copies of Sacrifice, where 1 is allowed"),
        (4, "Tortmain Fortress is a castle, and a deck has one only"),
        (59, "there is no card 59"),
        (-1, "there is no card -1"),
    ],
)
def test_t9_copies_are_limited(first: int, reason: str) -> None:
    assert reason in str(refusal((first, *LEGAL[1:])))


def test_t10_a_deck_without_mages_is_legal() -> None:
    deck = [card for card in range(10, 42) for _ in range(2)][:50]
    assert refusal([*deck, 0]) is None


def test_t11_the_castle_comes_last() -> None:
    assert refusal((3, *LEGAL[:-1])) == "the last card of a deck is its castle, and Apprentice is none"
