"""Tricksters, decrees, castles, the stack, and how a game ends: T85 to T111."""

from __future__ import annotations

import pytest

from croupier.games.fortress import events as ev
from croupier.games.fortress import moves as mv
from croupier.games.fortress.cards import CARDS
from croupier.games.fortress.stack import answerable
from croupier.games.fortress.state import Item
from tests.games.fortress.bench import ANN, BOB, Table, at, fortress

# Tricksters


def test_t85_tricksters_are_laid_in_the_own_turn_only() -> None:
    table = Table(their_hand=[33])
    assert table.refused(BOB, mv.PlayCard(at("their hand 1"), at("their trickster 1"))) == "not_your_turn"
    table.end_turn()
    table.draw()
    table.play(1, "their trickster 1", seat=BOB)
    table.allow()
    assert table.card("their trickster 1") == 33  # D25


def test_t86_only_in_answer_to_the_enemy_in_the_enemys_turn_but_for_specials() -> None:
    table = Table()
    table.put("soldier 1", 24)
    table.put("trickster 1", 33)
    table.put("trickster 2", 28)
    table.put("their trickster 1", 33)
    assert table.refused(ANN, mv.ActivateTrickster(at("trickster 1"))) == "wrong_trigger"
    table.attack("soldier 1", "their castle")
    table.activate("their trickster 1")
    assert table.refused(ANN, mv.ActivateTrickster(at("trickster 1"))) == "not_special"
    assert table.moves(ANN) == [mv.AllowAction(), *table.moves(ANN)[1:]]
    assert {move.place for move in table.moves(ANN)[1:]} == {at("trickster 2")}  # type: ignore[union-attr]
    table.activate("trickster 2")
    assert table.state.holder == BOB


def item(kind: str, card: int, text: int) -> Item:
    return Item(1, ANN, kind, card=card, text=text)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("what", "fits"),
    [
        (item("draw", -1, -1), ""),
        (item("play", 24, -1), ""),
        (item("play", 8, -1), ""),
        (item("play", 6, 0), ""),  # D50: a decree's text is no ability
        (item("ability", 9, 0), ""),
        (item("play", 16, 0), "ability"),
        (item("play", 10, 0), "ability, draw or add"),
        (item("play", 56, 0), "ability, draw or add"),
        (item("level", 44, 1), "ability, in play or on lvl, draw or add"),
        (item("level", 44, -1), ""),
        (item("ability", 14, 1), "ability, in play or on lvl"),
        (item("ability", 18, 1), "ability, in play or on lvl, draw or add"),
        (item("attack", 24, -1), "attack, soldier attack"),
        (item("attack", 50, -1), "attack"),
        (item("trickster", 33, 0), "trickster"),
    ],
    ids=lambda value: f"{value.kind} {value.card}" if isinstance(value, Item) else "",
)
def test_t87_what_a_response_may_answer(what: Item, fits: str) -> None:
    conditions = ("ability", "in play or on lvl", "draw or add", "attack", "soldier attack", "trickster")
    assert ", ".join(condition for condition in conditions if answerable(what, condition)) == fits
    assert answerable(what, "any")
    what = Item(what.number, what.seat, what.kind, card=what.card, text=what.text, cancelled=True)
    assert not answerable(what, "any")


@pytest.mark.parametrize("trickster", [28, 29, 32, 34, 35, 40])
def test_t87_a_trickster_that_does_not_answer_this_is_refused(trickster: int) -> None:
    table = Table(turn=3)
    table.put("their trickster 1", trickster)
    table.state.must_draw = True
    table.act(ANN, mv.DrawCard())
    assert table.refused(BOB, mv.ActivateTrickster(at("their trickster 1"))) == "wrong_trigger"
    assert table.moves(BOB) == (mv.AllowAction(),)


def test_t88_an_activated_trickster_is_turned_up_and_discarded_after_use() -> None:
    table = Table()
    table.put("soldier 1", 24)
    table.put("their trickster 1", 33)
    table.attack("soldier 1", "their castle")
    table.activate("their trickster 1")
    (declared,) = table.told(ev.TricksterDeclared)
    assert declared == ev.TricksterDeclared(2, BOB, at("their trickster 1"), 33, None, 1, ANN, "attack", 24)
    assert not table.unit("their trickster 1").face_down
    table.allow()
    kinds = [type(event) for event in table.events]
    assert kinds == [ev.TricksterUsed, ev.Drew, ev.Retired, ev.Attacked]
    assert table.told(ev.Retired) == [ev.Retired(at("their trickster 1"), 33, at("their discard 1"))]
    assert table.bob.discard == [33]  # D26


def test_t89_two_tricksters_against_one_action_in_the_order_of_the_players_choice() -> None:
    table = Table()
    table.put("soldier 1", 24)
    table.put("their trickster 1", 33)
    table.put("their trickster 2", 41)
    table.attack("soldier 1", "their castle")
    table.activate("their trickster 1", more=True)
    assert table.told(ev.TricksterDeclared)[0].responder == BOB  # D23
    table.activate("their trickster 2", responds_to=1)
    assert table.told(ev.TricksterDeclared)[0].responder == ANN
    table.allow()
    table.choose("soldier 1")
    used = [event.card for event in table.told(ev.TricksterUsed)]
    assert used == [33]  # the first comes last


def test_t90_only_a_special_trickster_works_in_the_turn_it_was_laid() -> None:
    table = Table(hand=[28])
    table.put("soldier 1", 24)
    table.put("their trickster 1", 33)
    table.play(1, "trickster 1")
    table.allow()
    table.attack("soldier 1", "their castle")
    table.activate("their trickster 1")
    table.activate("trickster 1")
    assert table.state.stack[-1].card == 28
    table = Table()
    table.put("soldier 1", 24)
    table.put("their trickster 1", 33, entered=3)
    table.attack("soldier 1", "their castle")
    assert table.refused(BOB, mv.ActivateTrickster(at("their trickster 1"))) == "not_special"
    assert table.moves(BOB) == (mv.AllowAction(),)


# Decrees


def test_t91_one_decree_at_a_time() -> None:
    table = Table(hand=[8])
    table.put("decree", 9)
    assert table.refused(ANN, mv.PlayCard(at("hand 1"), at("decree"))) == "position_occupied"


def test_t92_own_effects_never_choose_the_own_decree() -> None:
    table = Table()
    table.put("decree", 9)
    table.put("soldier 1", 24)
    table.put("their decree", 8)
    table.use("decree")
    table.allow()
    assert table.region == ["soldier 1"]
    table.choose("soldier 1")
    assert table.region == ["their decree"]
    table.choose("their decree")
    assert table.card("their decree") is None


@pytest.mark.parametrize(("decree", "turns"), [(6, 1), (7, 2), (8, 3), (9, 3)])
def test_t93_a_decree_counts_the_ends_of_its_own_turns(decree: int, turns: int) -> None:
    table = Table(deck=[33] * 20, their_deck=[33] * 20)
    table.put("decree", decree)
    for _ in range(turns):
        assert table.card("decree") == decree
        table.end_turn()
        table.draw()
        table.end_turn()
        table.act(ANN, mv.DrawCard())
        table.allow()
        if table.state.request:
            table.answer(False)
    assert table.card("decree") is None


def test_t94_sacrifice_gives_an_attack_and_takes_the_soldier() -> None:
    table = Table(hand=[6])
    table.put("soldier 1", 24)
    table.play(1, "decree")
    table.allow()
    table.choose("soldier 1")
    assert table.told(ev.Updated)[0].attacks_left == 2
    for _ in range(2):
        table.attack("soldier 1", "their castle")
        table.allow()
    table.end_turn()
    assert [event.cards for event in table.told(ev.Destroyed)] == [(24,), (6,)]


def test_t95_call_for_arms() -> None:
    table = Table(hand=[7], deck=[33, 33, 33, 10])
    table.play(1, "decree")
    table.allow()
    table.choose("deck 4")
    assert (table.card("soldier 1"), len(table.ann.hand)) == (10, 2)  # its On play happens
    table.end_turn()
    table.draw()
    table.end_turn()
    table.draw()
    assert table.card("soldier 1") == 10
    table.end_turn()
    assert [event.cards for event in table.told(ev.Destroyed)] == [(10,), (7,)]


def test_t95_call_for_arms_that_plays_nothing_is_destroyed_at_once() -> None:
    table = Table(hand=[7], deck=[24])
    table.play(1, "decree")
    table.allow()
    table.choose(None)
    assert [event.cards for event in table.told(ev.Destroyed)] == [(7,)]
    table = Table(hand=[7], deck=[])
    table.play(1, "decree")
    table.allow()
    assert table.card("decree") is None


def test_t95_the_card_stays_if_the_decree_leaves_earlier_and_is_found_if_it_changes_sides() -> None:
    table = Table(hand=[7], deck=[24])
    table.play(1, "decree")
    table.allow()
    table.choose("deck 1")
    decree = table.unit("decree")
    assert decree.doomed == table.unit("soldier 1").serial
    table.ann.field[6] = None
    table.end_turn()
    assert table.card("soldier 1") == 24  # D83
    table = Table()
    soldier = table.put("their soldier 2", 24, owner=ANN)
    table.put("decree", 7, turns=1, doomed=soldier.serial)
    table.end_turn()
    assert (table.card("their soldier 2"), table.ann.discard) == (None, [24, 7])


def test_t96_speed_up_offers_a_draw_when_played_and_after_the_turns_draw() -> None:
    table = Table(hand=[8])
    table.play(1, "decree")
    table.allow()
    (offer,) = table.told(ev.Asked)
    assert (offer.kind, offer.card, offer.region, offer.place) == ("draw", 8, (at("deck 8"),), at("hand 1"))
    table.answer(True)
    assert table.told(ev.Drew) == [ev.Drew(ANN, (8,), 1, (28,), None)]
    table.end_turn()
    table.draw()
    table.end_turn()
    table.draw()
    assert [type(event) for event in table.events] == [ev.Drew, ev.Asked]
    table.answer(False)
    assert len(table.ann.hand) == 2


def test_t97_destroy_is_an_action_but_not_an_ability() -> None:
    table = Table()
    table.put("decree", 9)
    table.put("soldier 1", 24)
    table.put("their soldier 1", 24)
    table.put("their trickster 1", 35)
    table.use("decree")
    assert table.refused(BOB, mv.ActivateTrickster(at("their trickster 1"))) == "wrong_trigger"
    table.allow()
    table.choose("soldier 1")
    table.choose("their soldier 1")
    assert [event.cards for event in table.told(ev.Destroyed)] == [(24,)]
    assert table.refused(ANN, mv.UseAbility(at("decree"))) == "already_used"  # D58


# Castles


def test_t98_windshire_hold_offers_a_draw_for_a_lost_soldier_once_a_turn() -> None:
    table = Table(castles=(0, 3), hand=[18])
    table.put("soldier 1", 24)
    table.put("soldier 2", 24)
    table.put("their soldier 1", 22)
    table.play(1, "soldier 1")
    table.choose("soldier 1")
    assert [type(event) for event in table.events] == [ev.Destroyed, ev.Asked]  # also as a cost
    assert (table.told(ev.Asked)[0].kind, table.told(ev.Asked)[0].card) == ("draw", 0)
    table.answer(True)
    assert [type(event) for event in table.events] == [ev.Drew, ev.PlayDeclared]
    table.allow()
    table.attack("soldier 2", "their soldier 1")
    table.allow()
    assert table.state.request is None


def test_t98_not_in_the_enemys_turn_and_not_for_enemy_soldiers() -> None:
    table = Table(castles=(0, 0), turn=4)
    table.put("soldier 1", 24)
    table.put("their soldier 1", 22)
    table.attack("their soldier 1", "soldier 1")
    table.allow()
    assert table.state.request is None


def test_t99_calterburry_caps_the_enemy_and_steadies_the_own() -> None:
    table = Table(castles=(1, 5))
    table.put("their mage 1", 50, change=10)
    table.put("mage 1", 50, change=10)
    assert (table.points("their mage 1"), table.points("mage 1")) == (10, 20)


def test_t100_wareton_ridge_has_no_hand_limit() -> None:
    table = Table(castles=(2, 3), hand=[33] * 14)
    table.end_turn()
    assert len(table.ann.hand) == 14
    assert table.state.active == BOB


def test_t101_stonehill_keep_does_nothing() -> None:
    assert (CARDS[3].texts, CARDS[3].health) == ((), 140)


def test_t102_tortmain_stands_once_and_calls_a_soldier() -> None:
    table = Table(castles=(3, 4), their_deck=[10, 33, 33, 33])
    table.put("soldier 1", 22)
    table.put("soldier 2", 22)
    table.bob.health = 20
    table.attack("soldier 1", "their castle")
    table.allow()
    (asked,) = table.told(ev.Asked)
    assert (asked.kind, asked.seat, asked.place) == ("last_stand", BOB, at("their castle"))
    table.answer(True)
    assert table.events[:2] == [ev.CastleHit(at("soldier 1"), BOB, 1), ev.HealthChanged((140, 1))]
    assert table.region == ["their deck 1"]
    table.choose("their deck 1")
    assert table.card("their soldier 1") == 10
    assert len(table.bob.hand) == 2  # its On play happens
    table.bob.field[0] = None
    table.attack("soldier 2", "their castle")
    table.allow()
    assert table.told(ev.Ended) == [ev.Ended(ANN, "castle")]


def test_t102_no_means_defeat() -> None:
    table = Table(castles=(3, 4))
    table.put("soldier 1", 22)
    table.bob.health = 20
    table.attack("soldier 1", "their castle")
    table.allow()
    table.answer(False)
    assert [type(event) for event in table.events] == [ev.Declined, ev.CastleHit, ev.HealthChanged, ev.Ended]


def test_t103_chateau_gives_mages_five_points() -> None:
    table = Table(castles=(5, 3))
    table.put("mage 1", 50)
    table.put("their mage 1", 50)
    assert (table.points("mage 1"), table.points("their mage 1")) == (15, 10)


# The stack


def test_t104_every_action_opens_a_window_even_against_nothing() -> None:
    table = Table(turn=2, hand=[24, 33], deck=[33] * 8)
    table.put("mage 1", 44)
    table.put("soldier 2", 18)
    table.put("decree", 9)
    table.end_turn()
    actions: list[mv.AnyMove] = [
        mv.DrawCard(),
        mv.PlayCard(at("hand 1"), at("soldier 1")),
        mv.LevelMage(at("mage 1")),
        mv.UseAbility(at("soldier 2")),
        mv.AttackCard(at("soldier 1"), at("their castle")),
        mv.UseAbility(at("decree")),
    ]
    for number, move in enumerate(actions, start=1):
        table.act(ANN, move)
        assert (table.state.holder, table.moves(BOB)) == (BOB, (mv.AllowAction(),))  # D21
        assert table.state.stack[0].number == number
        table.allow()
        while table.state.request:
            table.choose(None if table.state.request.optional else "soldier 2")
    table.end_turn()
    assert table.state.holder is None


def test_t105_a_response_is_answered_in_its_turn() -> None:
    table = Table(hand=[10])
    table.put("trickster 1", 28)
    table.put("their trickster 1", 35)
    table.play(1, "soldier 1")
    assert table.refused(ANN, mv.AllowAction()) == "not_your_move"
    table.activate("their trickster 1")
    assert table.state.holder == ANN
    assert table.refused(ANN, mv.ActivateTrickster(at("trickster 1"), responds_to=1)) == "bad_responds_to"
    assert table.refused(ANN, mv.ActivateTrickster(at("trickster 1"), responds_to=9)) == "bad_responds_to"
    table.activate("trickster 1")
    assert [(entry.kind, entry.card, entry.responds_to) for entry in table.view(None).stack] == [
        ("play", 10, None), ("trickster", 35, 1), ("trickster", 28, 2),
    ]  # fmt: skip
    assert table.view(None).responder == BOB


def test_t105_what_waits_can_be_told_to_who_comes_back() -> None:
    table = Table(hand=[33])
    table.put("mage 1", 50)
    table.level("mage 1")
    assert table.view(BOB).stack[0].level == 2
    table.allow()
    table.play(1, "trickster 1")
    assert [table.view(seat).stack[0].card for seat in (ANN, BOB, None)] == [33, None, None]
    table.allow()
    table.put("decree", 9)
    table.put("their soldier 1", 24)
    table.act(ANN, mv.DestroyCard(at("their soldier 1")))
    assert table.view(BOB).stack[0].named == at("their soldier 1")


def test_t105_a_response_may_answer_a_deeper_item() -> None:
    table = Table(hand=[10], their_deck=[])
    table.put("soldier 2", 15)
    table.put("their trickster 1", 41)
    table.put("their trickster 2", 35)
    table.play(1, "soldier 1")
    table.activate("their trickster 1")
    table.use("soldier 2")
    offered = [move for move in table.moves(BOB) if isinstance(move, mv.ActivateTrickster)]
    assert [move.responds_to for move in offered] == [None, 1]
    table.activate("their trickster 2", responds_to=1)
    table.allow()
    assert [event.result for event in table.told(ev.Played)] == ["ability_cancelled"]


def test_t106_the_stack_resolves_from_the_top_without_further_windows() -> None:
    table = Table(hand=[10])
    table.put("trickster 1", 28)
    table.put("their trickster 1", 35)
    table.play(1, "soldier 1")
    table.activate("their trickster 1")
    table.activate("trickster 1")
    table.allow()
    assert [type(event) for event in table.events] == [
        ev.TricksterUsed, ev.Retired, ev.TricksterUsed, ev.Retired, ev.Played, ev.Drew,
    ]  # fmt: skip
    assert [event.result for event in table.told(ev.TricksterUsed)] == ["done", "cancelled"]
    assert table.moves(ANN)


def test_t106_who_kept_the_window_passes_it_on() -> None:
    table = Table()
    table.put("soldier 1", 24)
    table.put("trickster 1", 28)
    table.put("their trickster 1", 33)
    table.put("their trickster 2", 33)
    table.attack("soldier 1", "their castle")
    table.activate("their trickster 1", more=True)
    assert table.view(BOB).kept
    table.allow(BOB)
    assert table.events == [ev.WindowPassed(ANN)]
    assert table.state.holder == ANN
    table.activate("trickster 1")
    table.allow(BOB)
    assert table.health == (140, 135)


def test_t106_the_window_can_be_kept_once_only() -> None:
    table = Table()
    table.put("soldier 1", 24)
    table.put("their trickster 1", 33)
    table.put("their trickster 2", 33)
    table.attack("soldier 1", "their castle")
    table.activate("their trickster 1", more=True)
    assert all(not getattr(move, "more", False) for move in table.moves(BOB))
    table.activate("their trickster 2", more=True)
    assert table.state.holder == ANN


# The note's shorthand


@pytest.mark.parametrize(
    ("trickster", "target"),
    [(30, "their mage 1"), (31, "their trickster 1"), (38, "their soldier 1")],
)
def test_d27_destroy_card_in_a_window_finds_a_trickster(trickster: int, target: str) -> None:
    table = Table(turn=4)
    table.put("trickster 1", 33)
    table.put("trickster 2", trickster)
    table.put("soldier 1", 11)
    table.put("their soldier 1", 24)
    table.put("their mage 1", 50)
    table.put("their trickster 1", 33)
    table.state.must_draw = True
    table.act(BOB, mv.DrawCard())
    assert table.refused(ANN, mv.DestroyCard(at("their decree"))) == "no_source"
    assert table.refused(ANN, mv.DestroyCard(at(target), source=at("trickster 1"))) == "no_source"
    table.act(ANN, mv.DestroyCard(at(target)))
    (declared,) = table.told(ev.TricksterDeclared)
    assert (declared.place, declared.card, declared.target) == (at("trickster 2"), trickster, at(target))
    table.allow()
    if trickster == 38:
        assert table.region == ["soldier 1", "trickster 1"]  # what else it asks for is still asked
        table.choose("trickster 1")
    destroyed = [place for event in table.told(ev.Destroyed) for place in event.places]
    assert at(target) in destroyed
    assert table.told(ev.Destroyed)[-1].in_response


@pytest.mark.parametrize(("card", "level"), [(9, 0), (42, 3), (44, 3), (46, 3), (48, 3), (50, 3)])
def test_d27_destroy_card_in_the_own_turn_finds_a_source(card: int, level: int) -> None:
    table = Table(hand=[33, 33], deck=[33, 33, 33, 33])
    slot = "decree" if card == 9 else "mage 1"
    table.put(slot, card, level=level)
    table.put("soldier 1", 24)
    table.put("their soldier 1", 24)
    table.act(ANN, mv.DestroyCard(at("their soldier 1")))
    (declared,) = table.told(ev.AbilityDeclared)
    assert (declared.place, declared.target) == (at(slot), at("their soldier 1"))
    table.allow()
    while table.state.request:
        table.choose({"discard": "hand 1", "add": "deck 1", "destroy": "soldier 1"}[str(table.state.request.purpose)])
    assert table.card("their soldier 1") is None


def test_d27_attacker_with_a_defender_destroys_all_and_is_no_source() -> None:
    table = Table()
    table.put("mage 1", 44, level=3)
    table.put("mage 2", 45)
    table.put("their soldier 1", 24)
    assert table.refused(ANN, mv.DestroyCard(at("their soldier 1"))) == "no_source"
    assert table.refused(ANN, mv.DestroyCard(at("mage 2"))) == "no_source"


# The end


def test_t107_a_fallen_castle_or_an_impossible_draw_loses() -> None:
    table = Table()
    table.put("soldier 1", 22)
    table.bob.health = 25
    table.attack("soldier 1", "their castle")
    table.allow()
    assert table.events[-1] == ev.Ended(ANN, "castle")
    table = Table(their_deck=[])
    table.end_turn()
    table.draw()
    assert table.events == [ev.Ended(ANN, "deck_out")]
    table = Table(hand=[10], deck=[33])
    table.play(1, "soldier 1")
    table.allow()
    assert [type(event) for event in table.events] == [ev.Played, ev.Drew, ev.Ended]  # D48: by an effect, too
    assert fortress.result(table.state).placings == ((BOB,), (ANN,))  # type: ignore[union-attr]


def test_t107_an_optional_draw_is_not_offered_from_an_empty_deck() -> None:
    table = Table(hand=[8], deck=[])
    table.play(1, "decree")
    table.allow()
    assert table.state.request is None
    table = Table(castles=(0, 3), deck=[])
    table.put("soldier 1", 24)
    table.put("their soldier 1", 22)
    table.attack("soldier 1", "their soldier 1")
    table.allow()
    assert table.state.request is None


def test_t108_health_is_never_below_0_and_nothing_happens_after_the_end() -> None:
    table = Table()
    table.put("soldier 1", 22)
    table.bob.health = 3
    table.attack("soldier 1", "their castle")
    table.allow()
    assert table.told(ev.HealthChanged) == [ev.HealthChanged((140, 0))]
    for seat in (ANN, BOB):
        assert table.moves(seat) == ()
        for move in (mv.EndTurn(), mv.AllowAction(), mv.ChooseCard(None)):
            assert table.refused(seat, move) == "game_over"
    assert (fortress.awaited(table.state), fortress.clocks(table.state)) == ((), [])


def test_t108_the_rest_of_the_stack_is_not_carried_out() -> None:
    table = Table(hand=[10], their_deck=[33], deck=[33, 33, 33])
    table.put("their trickster 1", 33)
    table.play(1, "soldier 1")
    table.activate("their trickster 1")
    table.allow()
    assert table.events[-1] == ev.Ended(ANN, "deck_out")
    assert not table.told(ev.Played)


def test_t109_who_leaves_has_lost() -> None:
    table = Table()
    assert fortress.leave(table.state, [ANN], table.at) == [ev.Ended(BOB, "forfeit")]
    assert fortress.leave(table.state, [BOB], table.at) == []
    assert fortress.result(table.state).placings == ((BOB,), (ANN,))  # type: ignore[union-attr]


def test_t110_there_is_no_draw() -> None:
    table = Table()
    assert fortress.leave(table.state, [ANN, BOB], table.at) == [ev.Ended(BOB, "forfeit")]


def test_t111_decks_only_shrink() -> None:
    table = Table(hand=[11], deck=[24, 24])
    sizes = [len(table.ann.deck)]
    table.play(1, "soldier 1")
    table.allow()
    table.choose("deck 1")
    sizes.append(len(table.ann.deck))
    assert sizes == [2, 1]
    assert table.refused(ANN, mv.ReturnCard(at("hand 1"))) == "not_now"  # D14
