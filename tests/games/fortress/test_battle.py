"""Points, battle, and the levels of mages: T40 to T60."""

from __future__ import annotations

import pytest

from croupier.games.fortress import events as ev
from croupier.games.fortress import moves as mv
from tests.games.fortress.bench import ANN, BOB, Table, at


def strike(table: Table, attacker: str, target: str) -> str:
    table.attack(attacker, target)
    table.allow()
    return table.told(ev.Attacked)[0].result


def test_t40_points_are_attack_and_defence() -> None:
    table = Table()
    table.put("soldier 1", 11)
    table.put("their soldier 1", 10)
    assert strike(table, "soldier 1", "their soldier 1") == "target_loses"
    assert table.points("soldier 1") == 15  # unharmed


@pytest.mark.parametrize(
    ("castles", "change", "points"),
    [
        ((3, 3), 0, 10), ((3, 3), 5, 15), ((5, 3), 0, 15), ((5, 3), 5, 20), ((5, 1), 5, 10), ((3, 1), -5, 5),
        ((3, 3), -99, 0),
    ],
)  # fmt: skip
def test_t41_current_points(castles: tuple[int, int], change: int, points: int) -> None:
    table = Table(castles=castles)
    table.put("mage 1", 50, change=change)
    assert table.points("mage 1") == points  # D54: the cap comes last


def test_t41_the_bonus_is_for_mages_and_a_card_with_0_points_stays() -> None:
    table = Table(castles=(5, 3))
    table.put("soldier 1", 24, change=-10)
    assert table.points("soldier 1") == 0
    assert table.card("soldier 1") == 24


def test_t42_nobody_attacks_on_turn_1() -> None:
    table = Table(turn=1)
    table.put("soldier 1", 24)
    assert table.refused(ANN, mv.AttackCard(at("soldier 1"), at("their castle"))) == "no_attack_on_first_turn"
    assert not any(isinstance(move, mv.AttackCard) for move in table.moves(ANN))
    table = Table(turn=2)
    table.put("their soldier 1", 24)
    assert strike(table, "their soldier 1", "castle") == "castle_hit"  # D18


def test_t43_one_attack_each_and_mages_at_level_3() -> None:
    table = Table()
    soldier = table.put("soldier 1", 24)
    mage = table.put("mage 1", 50, level=2)
    attack = mv.AttackCard(at("mage 1"), at("their castle"))
    assert table.refused(ANN, attack) == "level_too_low"
    mage.level = 3
    strike(table, "mage 1", "their castle")
    strike(table, "soldier 1", "their castle")
    assert table.refused(ANN, mv.AttackCard(at("soldier 1"), at("their castle"))) == "already_attacked"
    soldier.extra = 1
    strike(table, "soldier 1", "their castle")
    soldier.attacks, soldier.stunned = 0, True
    assert table.refused(ANN, mv.AttackCard(at("soldier 1"), at("their castle"))) == "stunned"
    assert table.health == (140, 120)


@pytest.mark.parametrize("target", ["their trickster 1", "their decree", "their mage 2", "soldier 2", "castle"])
def test_t44_only_soldiers_mages_and_the_castle_are_targets(target: str) -> None:
    table = Table()
    table.put("soldier 1", 24)
    table.put("soldier 2", 24)
    table.put("their trickster 1", 33)
    table.put("their decree", 8)
    assert table.refused(ANN, mv.AttackCard(at("soldier 1"), at(target))) == "bad_target"


def test_t45_soldiers_protect_the_castle_and_mages_do_not() -> None:
    table = Table()
    table.put("soldier 1", 11)
    table.put("their mage 1", 50)
    assert mv.AttackCard(at("soldier 1"), at("their castle")) in table.moves(ANN)
    table.put("their soldier 2", 23)
    assert table.refused(ANN, mv.AttackCard(at("soldier 1"), at("their castle"))) == "castle_protected"
    assert mv.AttackCard(at("soldier 1"), at("their castle")) not in table.moves(ANN)
    assert mv.AttackCard(at("soldier 1"), at("their mage 1")) in table.moves(ANN)


def test_t46_warlock_goes_past_soldiers() -> None:
    table = Table()
    table.put("soldier 1", 24)
    table.put("their soldier 1", 23)
    assert mv.AttackCard(at("soldier 1"), at("their castle")) in table.moves(ANN)
    assert strike(table, "soldier 1", "their castle") == "castle_hit"


def test_t47_a_pawn_warrior_draws_all_attacks() -> None:
    table = Table()
    table.put("soldier 1", 24)
    table.put("mage 1", 50, level=3)
    table.put("their soldier 1", 23)
    table.put("their soldier 2", 10)
    for attacker in ("soldier 1", "mage 1"):  # D53
        for target in ("their soldier 1", "their castle"):
            assert table.refused(ANN, mv.AttackCard(at(attacker), at(target))) == "must_attack_pawn_warrior"
        assert mv.AttackCard(at(attacker), at("their soldier 2")) in table.moves(ANN)
    attacks = [move for move in table.moves(ANN) if isinstance(move, mv.AttackCard)]
    assert {move.target for move in attacks} == {at("their soldier 2")}


def test_t48_a_mages_partner_keeps_mages_from_being_attacked() -> None:
    table = Table()
    table.put("soldier 1", 24)
    table.put("their mage 1", 50)
    table.put("their soldier 1", 27)
    assert table.refused(ANN, mv.AttackCard(at("soldier 1"), at("their mage 1"))) == "target_protected"
    assert mv.AttackCard(at("soldier 1"), at("their mage 1")) not in table.moves(ANN)
    assert mv.AttackCard(at("soldier 1"), at("their soldier 1")) in table.moves(ANN)


@pytest.mark.parametrize(
    ("own", "enemy", "result", "left"),
    [(11, 10, "target_loses", (11, None)), (10, 11, "attacker_loses", (None, 11)), (10, 23, "both_lose", (None, None))],
)
def test_t49_fewer_points_lose_and_equal_points_lose_both(
    own: int, enemy: int, result: str, left: tuple[int | None, int | None]
) -> None:
    table = Table()
    table.put("soldier 1", own)
    table.put("their soldier 1", enemy)
    assert strike(table, "soldier 1", "their soldier 1") == result
    assert (table.card("soldier 1"), table.card("their soldier 1")) == left
    assert table.health == (140, 140)
    if result == "both_lose":
        assert table.told(ev.Destroyed)[0].places == (at("soldier 1"), at("their soldier 1"))  # T81


def test_t50_the_castle_loses_the_attackers_points() -> None:
    table = Table()
    table.put("soldier 1", 22, change=3)
    strike(table, "soldier 1", "their castle")
    assert table.events[1:] == [ev.CastleHit(at("soldier 1"), BOB, 112), ev.HealthChanged((140, 112))]
    assert table.card("soldier 1") == 22


def answered_attack(trickster: int, castle: bool = True) -> Table:
    table = Table(their_deck=[24, 33, 33])
    table.put("soldier 1", 11)
    table.put("their trickster 1", trickster)
    if not castle:
        table.put("their soldier 1", 23)
    table.attack("soldier 1", "their castle" if castle else "their soldier 1")
    table.activate("their trickster 1")
    table.allow()
    return table


def test_t51_an_attack_that_is_answered_is_void_and_not_used_up() -> None:
    table = answered_attack(33)
    assert table.told(ev.Attacked)[0].result == "void"
    assert (table.unit("soldier 1").attacks, table.health) == (0, (140, 140))
    assert strike(table, "soldier 1", "their castle") == "castle_hit"


def test_t51_a_cancelled_answer_voids_nothing() -> None:
    table = Table()
    table.put("soldier 1", 11)
    table.put("trickster 1", 28)
    table.put("their trickster 1", 33)
    table.attack("soldier 1", "their castle")
    table.activate("their trickster 1")
    table.activate("trickster 1")
    table.allow()
    assert table.told(ev.Attacked)[0].result == "castle_hit"  # D24


def test_t51_an_answer_to_the_answer_voids_nothing() -> None:
    table = Table(their_deck=[])
    table.put("soldier 1", 15)
    table.put("their trickster 1", 29)
    table.put("their trickster 2", 35)
    table.attack("soldier 1", "their castle")
    table.activate("their trickster 1")
    table.use("soldier 1")  # Seeker cancels Reinforcements
    table.activate("their trickster 2")  # and is cancelled: an answer, but not to the attack
    table.allow()
    assert table.told(ev.Attacked)[0].result == "fizzled"


def test_t52_reinforcements_and_mirage_do_not_void() -> None:
    table = answered_attack(29)
    table.choose("their deck 1")
    assert table.told(ev.Attacked)[0].result == "fizzled"
    assert (table.card("soldier 1"), table.bob.hand) == (None, [24])
    table = Table()
    table.put("soldier 1", 11)
    table.put("soldier 2", 23)
    table.put("their trickster 1", 40)
    table.attack("soldier 1", "their castle")
    table.activate("their trickster 1")
    table.allow()
    table.choose("soldier 2")
    attacked = table.told(ev.Attacked)[0]
    assert (attacked.result, attacked.target) == ("target_loses", at("soldier 2"))
    assert (table.card("soldier 1"), table.card("soldier 2"), table.unit("soldier 1").attacks) == (11, None, 1)


def test_t53_an_attack_fizzles_when_the_attacker_or_the_target_is_not_what_it_was() -> None:
    table = Table()
    table.put("soldier 1", 11)
    table.put("soldier 2", 15)
    table.put("their trickster 1", 40)
    table.put("their soldier 1", 24)
    table.attack("soldier 1", "their soldier 1")
    table.unit("soldier 1").stunned = True
    table.allow()
    assert table.told(ev.Attacked)[0].result == "fizzled"
    assert table.unit("soldier 1").attacks == 0
    table.unit("soldier 1").stunned = False
    table.attack("soldier 1", "their soldier 1")
    table.put("their soldier 1", 24)  # another Warlock in the same place
    table.allow()
    assert table.told(ev.Attacked)[0].result == "fizzled"


def test_t53_void_comes_before_fizzled() -> None:
    table = Table()
    table.put("soldier 1", 11)
    table.put("their trickster 1", 41)
    table.attack("soldier 1", "their castle")
    table.activate("their trickster 1")
    table.allow()
    table.choose("soldier 1")
    assert table.unit("soldier 1").stunned
    assert table.told(ev.Attacked)[0].result == "void"


def test_t54_an_attack_that_happens_is_used_up() -> None:
    table = Table()
    table.put("soldier 1", 11)
    strike(table, "soldier 1", "their castle")
    assert table.unit("soldier 1").attacks == 1
    assert not any(isinstance(move, mv.AttackCard) for move in table.moves(ANN))


def test_t55_warrior_adds_a_card_of_the_kind_it_destroyed_once_a_turn() -> None:
    table = Table(deck=[50, 24])
    table.put("soldier 1", 26, extra=1)
    table.put("their mage 1", 44)
    table.put("their mage 2", 44)
    strike(table, "soldier 1", "their mage 1")
    assert [type(event) for event in table.events] == [ev.Attacked, ev.Destroyed, ev.Asked]
    assert table.region == ["deck 1"]
    table.choose("deck 1")
    assert table.state.holder is None  # D61: no window for it
    strike(table, "soldier 1", "their mage 2")
    assert table.state.request is None


def test_t55_nothing_more_where_destruction_is_prevented() -> None:
    table = Table(deck=[24])
    table.put("soldier 1", 26)
    table.put("their soldier 1", 24)
    table.bob.protected = True
    strike(table, "soldier 1", "their soldier 1")
    assert table.events == [ev.Attacked(ANN, at("soldier 1"), at("their soldier 1"), "target_loses", 1)]
    assert table.state.request is None


def test_t55_warrior_lost_in_the_same_battle_still_adds() -> None:
    table = Table(deck=[24])
    table.put("soldier 1", 26)
    table.put("their soldier 1", 16)
    strike(table, "soldier 1", "their soldier 1")
    assert table.told(ev.Asked)[0].source == at("discard 1")
    assert table.region == ["deck 1"]


# Mages


def test_t56_levels_are_free() -> None:
    table = Table()
    table.put("mage 1", 44)
    table.level("mage 1")
    assert table.told(ev.LevelDeclared) == [ev.LevelDeclared(1, ANN, at("mage 1"), 2, BOB, 44)]
    table.allow()
    assert table.unit("mage 1").level == 2
    assert [type(event) for event in table.events] == [ev.Levelled, ev.Updated, ev.Drew]


def test_t57_one_level_a_turn_for_each_mage() -> None:
    table = Table()
    mage = table.put("mage 1", 58)
    table.put("mage 2", 58)
    level = mv.LevelMage(at("mage 1"))
    for field, value, code in (
        ("level", 3, "max_level"),
        ("entered", 3, "summoned_this_turn"),
        ("levelled", True, "already_levelled"),
        ("stunned", True, "stunned"),  # D66
    ):
        before = getattr(mage, field)
        setattr(mage, field, value)
        assert table.refused(ANN, level) == code
        assert level not in table.moves(ANN)
        setattr(mage, field, before)
    assert table.refused(ANN, mv.LevelMage(at("their mage 1"))) == "bad_position"
    for number in (1, 2):
        table.level(f"mage {number}")
        table.allow()
        table.choose("mage 1")
    assert table.refused(ANN, level) == "already_levelled"


def test_t58_on_lvl_is_used_at_once_and_as_far_as_possible() -> None:
    table = Table(hand=[33], their_hand=[24, 10])
    table.put("mage 1", 56)
    table.level("mage 1")
    table.allow()
    table.choose("hand 1")  # two should be discarded, one is there
    assert table.region == ["their hand 1", "their hand 2"]
    table.choose("their hand 2")
    assert (table.bob.hand, table.bob.discard) == ([24], [10])


def test_t59_abilities_of_lower_levels_remain() -> None:
    table = Table()
    table.put("mage 1", 47, level=3)  # its In play is a text of level 2
    table.put("soldier 1", 24)
    table.use("mage 1")
    table.allow()
    table.choose("soldier 1")
    assert table.unit("soldier 1").extra == 1
    table.put("mage 2", 42, level=2)
    assert table.refused(ANN, mv.UseAbility(at("mage 2"))) == "no_ability"
    assert mv.UseAbility(at("mage 2")) not in table.moves(ANN)


def test_t60_levels_at_once_are_offered_and_gained_one_by_one() -> None:
    table = Table(hand=[44], deck=[33, 33, 33])
    table.put("mage 1", 43, level=2)
    table.level("mage 1")
    table.allow()
    table.choose("hand 1")
    offer = table.told(ev.Asked)[0]
    assert (offer.kind, offer.place, offer.level) == ("level", at("mage 1"), 3)
    table.answer(True)
    assert [event.level for event in table.told(ev.Levelled)] == [2, 3]
    assert [type(event) for event in table.events] == [ev.Levelled, ev.Updated, ev.Drew, ev.Levelled, ev.Updated]
    assert all(event.number is None for event in table.told(ev.Levelled))
    assert table.refused(ANN, mv.LevelMage(at("mage 1"))) == "max_level"


def test_t60_an_offered_level_counts_as_this_turns_and_may_be_declined() -> None:
    for yes in (True, False):
        table = Table(hand=[49])
        table.put("mage 1", 43)
        table.level("mage 1")
        table.allow()
        table.choose("hand 1")
        table.answer(yes)
        assert table.unit("mage 2").level == (2 if yes else 1)
        assert table.unit("mage 2").levelled == yes
