"""Abilities and effects in general: T61 to T84."""

from __future__ import annotations

import pytest

from croupier.games.fortress import events as ev
from croupier.games.fortress import moves as mv
from croupier.games.fortress.effects import (
    ALLY_CARD,
    ALLY_FIGHTER,
    ALLY_SOLDIER,
    ANY_CARD,
    ANY_FIGHTER,
    ANY_MAGE,
    ANY_TRICKSTER,
    ENEMY_CARD,
    ENEMY_FIGHTER,
    ENEMY_MAGE,
    ENEMY_SOLDIER,
    ENEMY_TRICKSTER,
    OTHER_ATTACKER,
    Region,
)
from croupier.games.fortress.position import choosable
from tests.games.fortress.bench import ANN, BOB, Table, at, words


def full() -> Table:
    """Both fields full, Ann's mage 1 being the card that asks."""
    table = Table()
    for side in ("", "their "):
        for slot, card in (
            ("soldier 1", 24), ("soldier 2", 23), ("mage 1", 50), ("mage 2", 49), ("trickster 1", 33),
            ("trickster 2", 37), ("decree", 8),
        ):  # fmt: skip
            table.put(side + slot, card)
    return table


def test_t61_in_play_once_in_each_own_turn() -> None:
    table = Table()
    table.put("soldier 1", 18)
    table.use("soldier 1")
    table.allow()
    assert len(table.ann.hand) == 1
    assert table.refused(ANN, mv.UseAbility(at("soldier 1"))) == "already_used"
    table.end_turn()
    table.draw()
    assert table.refused(ANN, mv.UseAbility(at("soldier 1"))) == "not_your_turn"
    table.end_turn()
    table.draw()
    table.use("soldier 1")


def test_t61_field_abilities_are_on_while_stunned() -> None:
    table = Table()
    table.put("soldier 1", 24)
    table.put("their soldier 1", 10, stunned=True)
    assert table.refused(ANN, mv.AttackCard(at("soldier 1"), at("their castle"))) == "must_attack_pawn_warrior"
    table.put("soldier 1", 25, stunned=True)
    table.put("mage 1", 50)
    assert mv.AttackCard(at("mage 1"), at("their soldier 1")) in table.moves(ANN)


@pytest.mark.parametrize("canceller", [15, 22])
def test_t62_seeker_and_knight_cancel_only_as_a_response_in_the_own_turn(canceller: int) -> None:
    table = Table()
    table.put("soldier 1", canceller)
    table.put("soldier 2", 24)
    table.put("their trickster 1", 33)
    assert table.refused(ANN, mv.UseAbility(at("soldier 1"))) == "wrong_trigger"
    table.attack("soldier 2", "their castle")
    table.activate("their trickster 1")
    assert mv.UseAbility(at("soldier 1")) in table.moves(ANN)
    table.use("soldier 1")
    assert table.told(ev.AbilityDeclared)[0].responds_to == 2
    table.allow()
    assert [event.result for event in table.told(ev.TricksterUsed)] == ["cancelled"]
    assert table.health == (140, 135)
    assert table.unit("soldier 1").used


def test_t62_not_in_the_enemys_turn() -> None:
    table = Table(turn=4)
    table.put("soldier 1", 15)
    table.put("trickster 1", 33)
    table.put("their soldier 1", 24)
    table.put("their trickster 1", 28)
    table.act(BOB, mv.AttackCard(at("their soldier 1"), at("soldier 1")))
    table.activate("trickster 1")
    table.activate("their trickster 1")
    assert table.refused(ANN, mv.UseAbility(at("soldier 1"))) == "wrong_trigger"
    assert table.moves(ANN) == (mv.AllowAction(),)


def test_t63_choices_are_made_by_the_controller_while_it_resolves() -> None:
    table = Table(hand=[22], deck=[33])
    table.put("soldier 1", 11)
    table.put("their soldier 1", 24)
    table.play(1, "soldier 1")
    table.choose("soldier 1")
    assert table.state.request is None
    table.allow()
    kinds = [type(event) for event in table.events]
    assert kinds == [ev.Played, ev.Drew, ev.Asked]  # in printed order
    assert table.state.request is not None
    assert table.state.request.seat == ANN


def test_t64_a_step_without_a_choice_is_skipped_and_the_rest_goes_on() -> None:
    table = Table(their_hand=[24])
    table.put("mage 1", 50, level=3)
    table.put("their soldier 1", 24)
    table.use("mage 1")
    table.allow()
    assert table.told(ev.Destroyed)[0].cards == (50,)
    table.choose("their soldier 1")  # one of two
    assert table.state.request is None
    table = Table(hand=[23], their_hand=[24])
    table.play(1, "soldier 1")
    table.allow()
    assert table.bob.discard == [24]  # nobody to stun


def test_t65_only_what_says_so_and_plays_are_optional() -> None:
    table = Table(hand=[11], deck=[24])
    table.play(1, "soldier 1")
    table.allow()
    assert table.refused(ANN, mv.ChooseCard(None)) == "target_required"
    table = Table(hand=[19], deck=[24])
    table.play(1, "soldier 1")
    table.allow()
    assert mv.ChooseCard(None) in table.moves(ANN)
    table.choose(None)
    assert table.events == [ev.Declined(ANN, 1, "target", "play"), ev.Shuffled(ANN, 1)]


THEIRS = [
    "their soldier 1",
    "their soldier 2",
    "their mage 1",
    "their mage 2",
    "their trickster 1",
    "their trickster 2",
]


@pytest.mark.parametrize(
    ("region", "expected"),
    [
        (ENEMY_SOLDIER, THEIRS[:2]),
        (ENEMY_MAGE, THEIRS[2:4]),
        (ENEMY_TRICKSTER, THEIRS[4:]),
        (ENEMY_FIGHTER, THEIRS[:4]),
        (ENEMY_CARD, [*THEIRS, "their decree"]),
        (ALLY_SOLDIER, ["soldier 1", "soldier 2"]),
        (ALLY_FIGHTER, ["soldier 1", "soldier 2", "mage 1", "mage 2"]),
        (ALLY_CARD, ["soldier 1", "soldier 2", "mage 2", "trickster 1", "trickster 2"]),
        (ANY_FIGHTER, ["soldier 1", "soldier 2", "mage 2", *THEIRS[:4]]),
        (ANY_MAGE, ["mage 2", *THEIRS[2:4]]),
        (ANY_TRICKSTER, ["trickster 1", "trickster 2", *THEIRS[4:]]),
        (ANY_CARD, ["soldier 1", "soldier 2", "mage 2", "trickster 1", "trickster 2", *THEIRS, "their decree"]),
        (OTHER_ATTACKER, THEIRS[1:4]),
    ],
    ids=lambda value: value.words if isinstance(value, Region) else "",
)
def test_t66_what_there_is_to_choose_from(region: Region, expected: list[str]) -> None:
    table = full()
    source, attacker = table.unit("mage 1").serial, table.unit("their soldier 1").serial
    assert [words(place) for place in choosable(table.state, ANN, region, source, attacker)] == expected


def test_t67_an_activated_trickster_can_not_be_chosen() -> None:
    table = full()
    table.unit("their trickster 1").face_down = False
    assert at("their trickster 1") not in choosable(table.state, ANN, ENEMY_CARD, 0)


def test_t68_a_mages_partner_hides_mages_from_abilities_but_not_from_tricksters_decrees_and_all() -> None:
    table = Table(hand=[22])
    table.put("soldier 1", 11)
    table.put("their soldier 1", 27)
    table.put("their mage 1", 50)
    table.put("decree", 9)
    table.put("soldier 2", 24)
    table.play(1, "soldier 1")
    table.choose("soldier 1")
    table.allow()
    assert table.region == ["their soldier 1"]
    table.choose("their soldier 1")
    table.put("their soldier 1", 27)
    table.use("decree")
    table.allow()
    table.choose("soldier 2")
    assert table.region == ["their soldier 1", "their mage 1"]
    table = Table()
    table.put("mage 1", 44, level=3)
    table.put("mage 2", 45)
    table.put("their soldier 1", 27)
    table.put("their mage 1", 50)
    table.use("mage 1")
    table.allow()
    assert table.told(ev.Destroyed)[0].cards == (27, 50)


def test_t69_several_cards_are_chosen_first_and_destroyed_together() -> None:
    table = full()
    table.unit("mage 1").level = 3  # Tribute: itself and 2 enemy cards
    table.use("mage 1")
    table.allow()
    table.choose("their mage 1")
    assert not table.told(ev.Destroyed)
    assert "their mage 1" not in table.region
    table.choose("their soldier 2")
    assert table.told(ev.Destroyed)[0].places == (at("their soldier 2"), at("their mage 1"))  # T81


@pytest.mark.parametrize("mage", [48, 53])
def test_t70_an_ability_that_discards_needs_the_cards(mage: int) -> None:
    table = Table(hand=[33])
    table.put("mage 1", mage, level=3)
    assert table.refused(ANN, mv.UseAbility(at("mage 1"))) == "not_enough_cards"
    assert mv.UseAbility(at("mage 1")) not in table.moves(ANN)
    table = Table(hand=[52])
    table.play(1, "mage 1")
    table.allow()
    assert table.state.request is None  # On play takes what there is


def test_t71_a_search_takes_a_matching_card_and_tells_nobody_which() -> None:
    table = Table(hand=[11], deck=[24, 33, 23])
    table.play(1, "soldier 1")
    table.allow()
    asked = table.told(ev.Asked)[0]
    assert (table.region, asked.cards) == (["deck 1", "deck 3"], (24, 23))
    assert (asked.seen_by(BOB).region, asked.seen_by(BOB).cards, asked.seen_by(BOB).card) == ((), (), 11)
    table.choose("deck 1")
    assert table.events == [ev.Drew(ANN, (1,), 1, (24,), None), ev.Shuffled(ANN, 2)]
    assert table.told(ev.Drew)[0].seen_by(BOB).cards is None
    assert table.refused(ANN, mv.ChooseCard(at("deck 1"))) == "nothing_asked"
    table = Table(hand=[11])
    table.play(1, "soldier 1")
    table.allow()
    assert [type(event) for event in table.events] == [ev.Played]  # nothing found, nothing shuffled


def test_t72_a_searched_deck_is_shuffled_also_when_nothing_is_taken() -> None:
    table = Table(deck=[24])
    table.put("soldier 1", 14)
    table.put("mage 1", 50)
    table.put("trickster 1", 33)
    table.ann.hand, table.ann.clues, table.ann.fewer = [14], [-1], [0]
    table.play(1, "soldier 1")
    for choice in ("soldier 1", "mage 1", "trickster 1"):
        table.choose(choice)
    table.allow()
    table.choose(None)
    assert table.events == [ev.Declined(ANN, 4, "target", "add"), ev.Shuffled(ANN, 1)]


def test_t73_drawing_from_the_top_one_after_the_other() -> None:
    table = Table(hand=[10], deck=[24, 23, 22])
    table.play(1, "soldier 1")
    table.allow()
    assert table.told(ev.Drew) == [ev.Drew(ANN, (3, 2), 1, (22, 23), None)]


def test_t74_a_played_card_takes_the_lowest_free_slot_unless_another_is_named() -> None:
    for to, slot in ((None, "mage 1"), ("mage 2", "mage 2")):
        table = Table(hand=[13], deck=[58])
        table.play(1, "soldier 1")
        table.allow()
        table.choose("deck 1", to=None if to is None else at(to))
        assert table.card(slot) == 58
    table = Table(hand=[13], deck=[58])
    table.put("mage 1", 50)
    table.play(1, "soldier 1")
    table.allow()
    for bad in ("mage 1", "soldier 2", "their mage 2"):
        assert table.refused(ANN, mv.ChooseCard(at("deck 1"), at(bad))) == "bad_position"
    assert table.refused(ANN, mv.ChooseCard(at("deck 1"), card=50)) == "wrong_card"


def test_t75_healing_stops_at_the_printed_value() -> None:
    table = Table()
    table.put("soldier 1", 14)
    table.ann.health = 137
    table.use("soldier 1")
    table.allow()
    assert table.told(ev.HealthChanged) == [ev.HealthChanged((140, 140))]  # D63
    table.unit("soldier 1").used = False
    table.use("soldier 1")
    table.allow()
    assert not table.told(ev.HealthChanged)


def test_t76_discards_become_public_and_random_ones_are_fair() -> None:
    gone = set()
    for seed in range(30):
        table = Table(hand=[23], their_hand=[10, 11, 12])
        table.state.chance.seed = bytes([seed]) * 32
        table.play(1, "soldier 1")
        table.allow()
        (event,) = table.told(ev.Discarded)
        assert event.seen_by(None) == event
        assert (event.discard, event.left) == (1, 2)
        gone.add(event.card)
    assert gone == {10, 11, 12}


def test_t77_stun_lasts_through_the_controllers_turn() -> None:
    table = Table(hand=[23])
    table.put("their soldier 1", 18)
    table.play(1, "soldier 1")
    table.allow()
    table.choose("their soldier 1")
    assert [event.stunned for event in table.told(ev.Updated)] == [True]
    table.end_turn()
    assert table.unit("their soldier 1").stunned
    table.draw()
    assert table.refused(BOB, mv.AttackCard(at("their soldier 1"), at("soldier 1"))) == "stunned"
    assert table.refused(BOB, mv.UseAbility(at("their soldier 1"))) == "stunned"
    table.end_turn()
    assert not table.unit("their soldier 1").stunned
    assert table.told(ev.Updated)[0].stunned is False


def test_t77_stunning_a_stunned_card_changes_nothing() -> None:
    table = Table(hand=[23])
    table.put("their soldier 1", 18, stunned=True)
    table.play(1, "soldier 1")
    table.allow()
    table.choose("their soldier 1")
    assert not table.told(ev.Updated)


def test_t78_soldiers_of_calterburry_can_not_be_stunned() -> None:
    table = Table(castles=(3, 1), hand=[23, 57], deck=[])
    table.put("their soldier 1", 18)
    table.put("their mage 1", 50)
    table.put("mage 1", 50)
    table.play(1, "soldier 1")
    table.allow()
    assert table.state.request is None
    table.play(1, "mage 1")
    table.choose("mage 1")
    table.allow()
    assert not table.unit("their soldier 1").stunned


def test_t79_no_window_opens_while_the_stack_resolves() -> None:
    table = Table(hand=[21, 10])
    table.put("their trickster 1", 35)
    table.play(1, "soldier 1")
    table.allow()
    table.choose("hand 1")
    assert table.state.holder is None
    assert len(table.ann.hand) == 2  # Pawn Warrior has drawn, unanswered


def test_t80_an_ability_or_level_whose_card_is_gone_fizzles() -> None:
    table = Table()
    table.put("mage 1", 50)
    table.put("their trickster 1", 30)
    table.level("mage 1")
    table.activate("their trickster 1")
    table.allow()
    table.choose("mage 1")
    assert [(event.level, event.result) for event in table.told(ev.Levelled)] == [(1, "fizzled")]
    table = Table()
    table.put("mage 1", 49, level=3)
    table.put("their trickster 1", 30)
    table.use("mage 1")
    table.activate("their trickster 1")
    table.allow()
    table.choose("mage 1")
    assert [event.result for event in table.told(ev.AbilityUsed)] == ["fizzled"]
    assert table.ann.hand == []


def test_t81_destroyed_cards_are_listed_in_a_fixed_order() -> None:
    table = full()
    table.put("mage 1", 44, level=3)
    table.put("mage 2", 45)
    table.use("mage 1")
    table.allow()
    (event,) = table.told(ev.Destroyed)
    assert [words(place) for place in event.places] == [*THEIRS, "their decree"]
    assert event.cards == (24, 23, 50, 49, 33, 37, 8)
    assert [grave.number for grave in event.graves] == list(range(1, 8))


def test_t82_the_undead_protect_for_the_rest_of_the_turn() -> None:
    table = Table()
    table.put("mage 1", 52, level=3)
    table.put("soldier 1", 24)
    table.put("their soldier 1", 22)
    table.use("mage 1")
    table.allow()
    table.attack("soldier 1", "their soldier 1")
    table.allow()
    assert (table.card("soldier 1"), table.told(ev.Destroyed)) == (24, [])
    table.end_turn()
    assert not table.ann.protected


def test_t83_protector_saves_once() -> None:
    table = Table()
    table.put("soldier 1", 24)
    table.put("mage 1", 58)
    table.put("their soldier 1", 22)
    table.attack("soldier 1", "their soldier 1")
    table.allow()
    asked = table.told(ev.Asked)[0]
    assert (asked.kind, asked.place, asked.source, asked.card) == ("protect", at("soldier 1"), at("mage 1"), 58)
    table.answer(True)
    assert (table.card("soldier 1"), table.unit("mage 1").spent) == (24, True)
    table.unit("soldier 1").attacks = 0
    table.attack("soldier 1", "their soldier 1")
    table.allow()
    assert table.card("soldier 1") is None


def test_t83_a_no_keeps_it_for_later_and_stun_prevents_it() -> None:
    for stunned in (False, True):
        table = Table()
        table.put("soldier 1", 24)
        table.put("mage 1", 58, stunned=stunned)
        table.put("their soldier 1", 22)
        table.attack("soldier 1", "their soldier 1")
        table.allow()
        if not stunned:
            table.answer(False)
        assert (table.card("soldier 1"), table.unit("mage 1").spent) == (None, False)


def test_t83_protector_saves_itself() -> None:
    table = Table(turn=4)
    table.put("mage 1", 58)
    table.put("their soldier 1", 22)
    table.attack("their soldier 1", "mage 1")
    table.allow()
    table.answer(True)
    assert table.card("mage 1") == 58


def test_t84_costs_sacrifices_and_expiry_are_not_saved() -> None:
    table = Table(hand=[18])
    table.put("mage 1", 58)
    table.put("mage 2", 50, level=3)
    soldier = table.put("soldier 1", 24)
    table.put("soldier 2", 20)
    decree = table.put("decree", 6)
    table.ann.protected = True
    table.play(1, "soldier 1")
    table.choose("soldier 1")
    assert table.ann.discard == [24]  # a cost
    table.allow()
    for sacrifice in ("soldier 2", "mage 2"):  # cards that destroy themselves
        table.use(sacrifice)
        table.allow()
        assert table.card(sacrifice) is None
    decree.doomed = table.unit("soldier 1").serial
    table.end_turn()
    assert (table.card("soldier 1"), table.card("decree")) == (None, None)
    assert soldier.serial != decree.doomed
