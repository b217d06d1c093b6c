"""Turns, playing cards and paying for them: T19 to T39."""

from __future__ import annotations

import pytest

from croupier.games.fortress import events as ev
from croupier.games.fortress import moves as mv
from croupier.games.fortress.cards import CARDS
from tests.games.fortress.bench import ANN, BOB, FILLER, Table, at


def test_t19_turns_alternate() -> None:
    table = Table(turn=3)
    table.end_turn()
    assert table.events == [ev.TurnStarted(BOB, 4, True)]
    table.draw()
    table.end_turn()
    assert table.told(ev.TurnStarted) == [ev.TurnStarted(ANN, 5, True)]


def test_t20_a_turn_is_draw_main_and_end() -> None:
    table = Table(turn=3, hand=[24])
    table.end_turn()
    assert table.moves(BOB) == (mv.DrawCard(),)
    table.draw()
    assert mv.EndTurn() in table.moves(BOB)
    table.end_turn()
    assert table.moves(BOB) == ()


def test_t21_the_draw_comes_first_but_not_on_turn_1() -> None:
    table = Table(turn=1, hand=[24])
    assert table.refused(ANN, mv.DrawCard()) == "no_draw_on_first_turn"
    table.end_turn()
    for move in (mv.EndTurn(), mv.UseAbility(at("their soldier 1")), mv.LevelMage(at("their mage 1"))):
        assert table.refused(BOB, move) == "draw_first"
    table.draw()
    assert table.told(ev.Drew) == [ev.Drew(BOB, (8,), 1, (28,), 1)]
    assert table.refused(BOB, mv.DrawCard()) == "already_drawn"


def test_t22_everything_in_any_order() -> None:
    table = Table(hand=[24, 33])
    table.put("mage 1", 50)
    table.put("soldier 2", 18)
    kinds = {type(move) for move in table.moves(ANN)}
    assert kinds == {mv.EndTurn, mv.PlayCard, mv.AttackCard, mv.LevelMage, mv.UseAbility}
    table.use("soldier 2")
    table.allow()
    table.attack("soldier 2", "their castle")
    table.allow()
    table.level("mage 1")
    table.allow()
    table.play(1, "soldier 1")
    table.allow()
    assert table.card("soldier 1") == 24


def test_t23_a_turn_ends_only_when_nothing_is_open() -> None:
    table = Table(hand=[24, 11], deck=[24])
    table.play(1, "soldier 1")
    assert table.refused(ANN, mv.EndTurn()) == "not_your_move"
    table.allow()
    table.state.sides[ANN].played.clear()
    table.play(1, "soldier 2")
    table.allow()
    assert table.state.request is not None
    assert table.refused(ANN, mv.EndTurn()) == "answer_first"
    table.choose("deck 1")
    table.end_turn()
    assert table.state.active == BOB


def test_t24_the_end_of_a_turn_in_its_order() -> None:
    table = Table(hand=[33] * 12)
    table.put("decree", 8, turns=2)
    table.put("soldier 1", 24, stunned=True, extra=1)
    table.put("their soldier 1", 24, stunned=True)
    table.ann.protected = True
    table.ann.discount = 1
    table.end_turn()
    assert [type(event) for event in table.events] == [ev.Destroyed, ev.Updated, ev.Asked]
    assert (table.told(ev.Asked)[0].purpose, table.told(ev.Asked)[0].source) == ("hand_limit", at("castle"))
    assert not table.unit("soldier 1").stunned
    assert table.unit("their soldier 1").stunned
    assert (table.unit("soldier 1").extra, table.ann.protected, table.ann.discount) == (0, False, 0)
    table.choose("hand 3")
    assert [type(event) for event in table.events] == [ev.Discarded, ev.Asked]
    table.choose("hand 1")
    assert [type(event) for event in table.events] == [ev.Discarded, ev.TurnStarted]
    assert len(table.ann.hand) == 10  # D47


def test_t25_a_turn_starts_with_fresh_counters() -> None:
    table = Table(turn=2)
    table.put("soldier 1", 24, attacks=1, used=True)
    table.put("mage 1", 50, levelled=True)
    table.put("their soldier 1", 24, attacks=1)
    table.ann.played = ["soldier", "mage"]
    table.ann.offered = True
    table.end_turn()
    assert (table.unit("soldier 1").attacks, table.unit("soldier 1").used) == (0, False)
    assert not table.unit("mage 1").levelled
    assert (table.ann.played, table.ann.offered) == ([], False)
    assert table.unit("their soldier 1").attacks == 1


def test_t26_one_soldier_and_one_mage_a_turn_but_any_number_of_others() -> None:
    table = Table(hand=[24, 24, 58, 58, 33, 37, 8], turn=3, deck=[])
    table.play(1, "soldier 1")
    table.allow()
    assert table.refused(ANN, mv.PlayCard(at("hand 1"), at("soldier 2"))) == "already_played"
    table.play(2, "mage 1")
    table.allow()
    assert table.refused(ANN, mv.PlayCard(at("hand 2"), at("mage 2"))) == "already_played"
    for number in (1, 2):
        table.play(3, f"trickster {number}")
        table.allow()
    table.play(3, "decree")
    table.allow()
    assert table.ann.hand == [24, 58]


def test_t27_what_an_effect_plays_does_not_count() -> None:
    table = Table(hand=[21, 24, 24])
    table.play(1, "soldier 1")
    table.allow()
    table.choose("hand 1")
    assert (table.card("soldier 1"), table.card("soldier 2")) == (21, 24)
    assert table.ann.played == ["soldier"]
    assert table.told(ev.Played)[0].number is None


@pytest.mark.parametrize("slot", ["mage 1", "trickster 1", "decree", "their soldier 1", "hand 1", "castle"])
def test_t28_a_card_needs_a_slot_of_its_kind(slot: str) -> None:
    assert Table(hand=[24]).refused(ANN, mv.PlayCard(at("hand 1"), at(slot))) == "bad_position"


def test_t29_a_slot_is_empty_or_freed_by_the_cost() -> None:
    table = Table(hand=[24, 18, 22])
    table.put("soldier 1", 23)
    table.put("soldier 2", 11)
    assert table.refused(ANN, mv.PlayCard(at("hand 1"), at("soldier 1"))) == "position_occupied"
    assert table.refused(ANN, mv.PlayCard(at("hand 3"), at("soldier 1"))) == "position_occupied"  # only 11 pays
    table.play(2, "soldier 1")
    assert table.region == ["soldier 1"]
    table.choose("soldier 1")
    table.allow()
    assert (table.card("soldier 1"), table.ann.discard) == (18, [23])


def test_t30_only_playing_costs_something() -> None:
    for card in CARDS:
        assert card.kind in ("soldier", "mage") or not (card.cost or card.toll)
    table = Table()
    table.put("mage 1", 48)
    table.level("mage 1")
    assert table.state.holder == BOB


def test_t31_a_cost_can_name_a_card_a_level_or_health() -> None:
    table = Table(hand=[22, 48, 12, 47])
    table.put("soldier 1", 24)
    table.put("mage 1", 50, level=1)
    table.put("trickster 1", 33)
    play = [mv.PlayCard(at(f"hand {number}"), at(slot)) for number, slot in ((1, "soldier 2"), (2, "mage 2"))]
    assert [table.refused(ANN, move) for move in play] == ["cost_not_payable", "cost_not_payable"]
    table.unit("mage 1").level = 2
    table.play(2, "mage 2")
    for choice in ("trickster 1", "soldier 1", "mage 1"):  # in the listed order
        assert table.region == [choice]
        table.choose(choice)
    assert table.told(ev.Destroyed)[0].places == (at("soldier 1"), at("mage 1"), at("trickster 1"))  # T81


def test_t31_soldiers_partner_takes_a_trickster_or_a_mage() -> None:
    for slot, card in (("mage 1", 50), ("trickster 2", 33)):
        table = Table(hand=[47])
        table.put(slot, card)
        table.play(1, "mage 2")
        assert table.region == [slot]
    table = Table(hand=[47])
    table.put("mage 1", 50)
    table.put("trickster 1", 33)
    table.play(1, "mage 2")
    assert table.region == ["mage 1", "trickster 1"]


@pytest.mark.parametrize(("health", "payable"), [(15, False), (16, True)])
def test_t32_castle_health_can_be_paid_as_long_as_some_is_left(health: int, payable: bool) -> None:
    table = Table(hand=[12])
    table.put("soldier 1", 24, stunned=True)
    table.ann.health = health
    if payable:
        table.play(1, "soldier 2")
        table.choose("soldier 1")
        assert [type(event) for event in table.events] == [ev.HealthChanged, ev.Destroyed, ev.PlayDeclared]
        assert table.ann.health == 1  # D64
    else:
        assert table.refused(ANN, mv.PlayCard(at("hand 1"), at("soldier 2"))) == "cost_not_payable"
        assert mv.PlayCard(at("hand 1"), at("soldier 2")) not in table.moves(ANN)


def test_t32_face_down_tricksters_pay_and_used_ones_and_decrees_do_not() -> None:
    table = Table(hand=[16])
    table.put("trickster 1", 33)
    table.put("trickster 2", 33, face_down=False)
    table.put("decree", 8)
    table.play(1, "soldier 1")
    assert table.region == ["trickster 1"]


def test_t33_the_slot_that_is_wanted_is_the_one_that_is_freed() -> None:
    table = Table(hand=[14])
    for slot, card in (("soldier 1", 24), ("soldier 2", 24), ("mage 1", 50), ("trickster 1", 33), ("trickster 2", 33)):
        table.put(slot, card)
    table.play(1, "soldier 2")
    assert table.region == ["soldier 2"]
    assert table.refused(ANN, mv.ChooseCard(None)) == "target_required"
    table.choose("soldier 2")
    assert table.region == ["mage 1"]
    table.choose("mage 1")
    assert table.region == ["trickster 1", "trickster 2"]
    asked = table.told(ev.Asked)[0]
    assert (asked.purpose, asked.source, asked.card) == ("cost", at("hand 1"), 14)
    assert asked.seen_by(BOB).card is None
    assert asked.seen_by(BOB).source is None


def test_t33_an_effect_frees_a_slot_through_the_cost() -> None:
    table = Table(hand=[21], deck=[])
    table.put("soldier 2", 24)
    table.state.sides[ANN].hand.append(18)
    table.ann.clues.append(-1)
    table.ann.fewer.append(0)
    table.play(1, "soldier 1")
    table.allow()
    table.choose("hand 1")
    assert table.region == ["soldier 1", "soldier 2"]
    table.choose("soldier 1")
    assert (table.card("soldier 1"), table.card("soldier 2")) == (18, 24)


def test_t34_costs_are_paid_before_anybody_can_respond_and_stay_paid() -> None:
    table = Table(hand=[18], their_deck=[])
    table.put("soldier 1", 24)
    table.put("their trickster 1", 35)
    table.play(1, "soldier 2")
    table.choose("soldier 1")
    kinds = [type(event) for event in table.events]
    assert kinds == [ev.Destroyed, ev.PlayDeclared]
    assert not table.told(ev.Destroyed)[0].in_response
    table.activate("their trickster 1")
    table.allow()
    assert table.ann.discard == [24]
    assert table.told(ev.Played)[0].result == "ability_cancelled"
    assert table.health == (140, 140)


def test_t35_cards_played_by_effects_cost_the_same() -> None:
    table = Table(deck=[18])
    table.put("their soldier 1", 24)
    table.put("trickster 1", 36)
    table.state.active, table.state.turn = BOB, 4
    table.attack("their soldier 1", "castle")
    table.activate("trickster 1")
    table.allow()
    assert table.state.request is None  # nothing to pay with
    table = Table(hand=[19], deck=[18, 24])
    table.play(1, "soldier 1")
    table.allow()
    assert table.region == ["deck 2"]


def test_t36_a_discount_lets_one_cost_card_be_left_out() -> None:
    table = Table(hand=[25])
    table.put("soldier 1", 24)
    table.put("mage 1", 50, level=1)
    table.put("trickster 1", 33)
    table.level("mage 1")
    table.allow()
    assert table.ann.discount == 1
    table.play(1, "soldier 2")
    assert (table.region, table.told(ev.Asked)[0].optional) == (["soldier 1"], True)
    table.choose(None)
    assert (table.region, table.told(ev.Asked)[0].optional) == (["trickster 1"], False)
    table.choose("trickster 1")
    table.choose("mage 1")
    assert table.ann.discard == [50, 33]
    assert table.ann.discount == 0


def test_t36_what_can_not_be_paid_is_what_is_left_out() -> None:
    table = Table(hand=[25])
    table.put("soldier 1", 24)
    table.put("mage 1", 50)
    table.ann.discount = 1
    table.play(1, "soldier 2")
    assert (table.region, table.told(ev.Asked)[0].optional) == (["soldier 1"], False)
    table.choose("soldier 1")
    table.choose("mage 1")
    assert table.state.holder == BOB


def test_t36_the_discount_ends_with_the_turn_and_is_used_up_by_the_next_costly_card() -> None:
    table = Table(hand=[24, 16])
    table.ann.discount = 1
    table.play(1, "soldier 1")
    table.allow()
    assert table.ann.discount == 1  # no cost, no discount used
    table.end_turn()
    assert table.ann.discount == 0
    table = Table(hand=[18])
    table.put("soldier 1", 24)
    table.ann.discount = 1
    table.play(1, "soldier 2")
    table.choose("soldier 1")
    assert table.ann.discount == 0


def test_t36_the_discount_of_a_demon_sticks_to_the_card() -> None:
    table = Table(deck=[46])
    table.put("mage 1", 57, level=3)
    table.use("mage 1")
    table.allow()
    table.choose("deck 1")
    assert (table.ann.hand, table.ann.fewer) == ([46], [1])
    table.end_turn()
    table.draw()
    table.end_turn()
    table.ann.deck.append(33)
    table.draw()
    assert table.ann.fewer[0] == 1
    table.play(1, "mage 2")
    assert table.state.holder == BOB  # no soldier was asked for


def test_t37_tricksters_lie_face_down_and_everything_else_is_open() -> None:
    table = Table(hand=[33, 24])
    table.play(1, "trickster 1")
    declared = table.told(ev.LayDeclared)[0]
    assert (declared.seen_by(ANN).card, declared.seen_by(BOB).card, declared.seen_by(None).card) == (33, None, None)
    table.allow()
    assert [type(event) for event in table.events] == [ev.Laid, ev.GapClosed]
    assert table.told(ev.Laid)[0].seen_by(BOB).card is None
    assert table.unit("trickster 1").face_down
    table.play(1, "soldier 1")
    declared_open = table.told(ev.PlayDeclared)[0]
    assert declared_open.seen_by(BOB) == declared_open
    table.allow()
    assert not table.unit("soldier 1").face_down


def test_t38_on_play_follows_at_once() -> None:
    table = Table(hand=[10, 24])
    table.play(1, "soldier 1")
    table.allow()
    assert [type(event) for event in table.events] == [ev.Played, ev.GapClosed, ev.Drew]


def test_t39_soldiers_may_act_at_once_and_mages_not() -> None:
    table = Table(hand=[24, 58])
    table.play(1, "soldier 1")
    table.allow()
    table.play(1, "mage 1")
    table.allow()
    assert table.unit("mage 1").level == 1
    assert table.refused(ANN, mv.LevelMage(at("mage 1"))) == "summoned_this_turn"
    table.attack("soldier 1", "their castle")
    table.allow()
    assert table.health == (140, 135)


def test_filler_is_never_searched_for_by_accident() -> None:
    assert all(CARDS[card].kind == "trickster" for card in FILLER)
