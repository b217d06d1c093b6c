"""Each of the 59 cards does what it says. (What castles and decrees do is told rule by rule in ``test_stack.py``.)"""

from __future__ import annotations

from typing import Any

from croupier.games.fortress import events as ev
from croupier.games.fortress import moves as mv
from tests.games.fortress.bench import ANN, BOB, Table, at


def played(card: int, slot: str = "soldier 1", **fields: Any) -> Table:
    """A table where Ann has just played this card, and Bob has let her."""
    table = Table(hand=[card, *fields.pop("hand", ())], **fields)
    table.play(1, slot)
    table.allow()
    return table


def levelled(card: int, to: int, prepare: Any = None, **fields: Any) -> Table:
    """A table where Ann's mage has just reached this level."""
    table = Table(**fields)
    table.put("mage 1", card, level=to - 1)
    if prepare:
        prepare(table)
    table.level("mage 1")
    table.allow()
    return table


def used(card: int, slot: str, prepare: Any = None, level: int = 0, **fields: Any) -> Table:
    """A table where Ann has just used the ability of this card."""
    table = Table(**fields)
    table.put(slot, card, level=level)
    if prepare:
        prepare(table)
    table.use(slot)
    table.allow()
    return table


def answering(trickster: int, prepare: Any = None, attacker: int = 11, **fields: Any) -> Table:
    """A table where Ann attacks, Bob has answered with this trickster, and she has let him."""
    table = Table(**fields)
    table.put("soldier 1", attacker)
    table.put("their trickster 1", trickster)
    if prepare:
        prepare(table)
    table.attack("soldier 1", "their castle")
    table.activate("their trickster 1")
    table.allow()
    return table


def enemies(*cards: tuple[str, int]) -> Any:
    def prepare(table: Table) -> None:
        for slot, card in cards:
            table.put(slot, card)

    return prepare


# Castles


def test_windshire_hold() -> None:
    table = Table(castles=(0, 3))
    table.put("soldier 1", 24)
    table.put("their soldier 1", 22)
    table.attack("soldier 1", "their soldier 1")
    table.allow()
    table.answer(True)
    assert table.ann.hand == [28]


def test_calterburry_fortress() -> None:
    table = Table(castles=(1, 3), turn=4, their_hand=[23])
    table.put("soldier 1", 24)
    table.put("their mage 1", 50, change=20)
    assert table.points("their mage 1") == 10
    table.play(1, "their soldier 1", seat=BOB)
    table.allow()
    assert table.state.request is None  # nobody to be stunned


def test_wareton_ridge() -> None:
    table = Table(castles=(2, 3), hand=[33] * 11)
    table.end_turn()
    assert table.state.request is None


def test_stonehill_keep() -> None:
    assert Table(castles=(3, 3)).health == (140, 140)


def test_tortmain_fortress() -> None:
    table = Table(castles=(4, 3), hand=[46], deck=[24])
    table.put("soldier 1", 24)
    table.ann.health = 10
    table.play(1, "mage 1")
    table.choose("soldier 1")
    table.allow()  # Death costs 10 health: the castle's last stand in the own turn
    table.answer(True)
    table.choose("deck 1")
    assert (table.ann.health, table.card("soldier 1")) == (1, 24)


def test_chateau_du_draguizon() -> None:
    table = Table(castles=(5, 3))
    table.put("mage 1", 50, level=3)
    table.attack("mage 1", "their castle")
    table.allow()
    assert table.health == (50, 125)


# Decrees


def test_decree_sacrifice() -> None:
    table = played(6, "decree")
    assert table.state.request is None  # no soldier to choose
    table.end_turn()
    assert table.ann.discard == [6]


def test_call_for_arms() -> None:
    table = played(7, "decree", deck=[18, 58, 33])
    assert table.region == ["deck 2", "deck 3"]  # what can be paid for
    table.choose("deck 3")
    assert table.told(ev.Laid)[0].seen_by(BOB).card is None
    assert table.unit("decree").doomed == table.unit("trickster 1").serial


def test_speed_up() -> None:
    table = played(8, "decree")
    table.answer(False)
    assert table.ann.hand == []


def test_decree_destroy() -> None:
    table = used(9, "decree", enemies(("soldier 1", 24), ("their mage 1", 50)))
    table.choose("soldier 1")
    table.choose("their mage 1")
    assert (table.ann.discard, table.bob.discard) == ([24], [50])


# Soldiers


def test_pawn_warrior() -> None:
    assert played(10).ann.hand == [28, 28]


def test_squire() -> None:
    table = played(11, deck=[24, 33])
    table.choose("deck 1")
    assert (table.ann.hand, table.ann.deck) == ([24], [33])


def test_rampant_giant() -> None:
    table = Table(hand=[12])
    table.put("soldier 1", 24)
    table.put("their decree", 8)
    table.play(1, "soldier 1")
    table.choose("soldier 1")
    table.allow()
    table.choose("their decree")
    assert (table.ann.health, table.bob.discard) == (125, [8])


def test_support() -> None:
    table = played(13, deck=[50, 33, 33])
    table.choose("deck 1")
    assert (table.card("mage 1"), table.ann.hand) == (50, [])  # its On play is cancelled


def test_paladin() -> None:
    table = Table(hand=[14], deck=[8])
    for slot, card in (("soldier 1", 24), ("mage 1", 50), ("trickster 1", 33)):
        table.put(slot, card)
    table.ann.health = 100
    table.play(1, "soldier 2")
    for choice in ("soldier 1", "mage 1", "trickster 1"):
        table.choose(choice)
    table.allow()
    table.choose("deck 1")
    assert table.ann.hand == [8]
    table.use("soldier 2")
    table.allow()
    assert table.ann.health == 105


def test_seeker() -> None:
    table = Table(hand=[15])
    table.put("their trickster 2", 33)
    table.play(1, "soldier 1")
    table.allow()
    assert table.told(ev.Asked)[0].cards == (None,)  # not looked at
    table.choose("their trickster 2")
    assert table.bob.discard == [33]


def test_archer() -> None:
    table = Table(hand=[16])
    table.put("trickster 1", 33)
    table.put("their soldier 1", 22)
    table.put("their mage 1", 50)
    table.play(1, "soldier 1")
    table.choose("trickster 1")
    table.allow()
    assert table.region == ["their soldier 1"]
    table.choose("their soldier 1")
    assert table.bob.discard == [22]


def test_cavalry() -> None:
    table = used(17, "soldier 1", deck=[24, 33])
    assert table.region == ["deck 2"]
    table.choose(None)
    assert (table.ann.hand, table.events[1:]) == ([], [ev.Shuffled(ANN, 2)])


def test_cannonmen() -> None:
    table = Table(hand=[18])
    table.put("soldier 1", 24)
    table.play(1, "soldier 1")
    table.choose("soldier 1")
    table.allow()
    assert table.told(ev.CastleHit) == [ev.CastleHit(at("soldier 1"), BOB, 120)]
    table.use("soldier 1")
    table.allow()
    assert table.ann.hand == [28]


def test_siege() -> None:
    table = Table(hand=[19], deck=[18, 10])
    table.put("soldier 2", 24)
    table.play(1, "soldier 1")
    table.allow()
    assert table.state.request is None  # both slots are taken, and only a cost could free one
    table = played(19, deck=[18, 10])
    assert table.region == ["deck 2"]  # D51
    table.choose("deck 2")
    assert (table.card("soldier 2"), table.ann.hand) == (10, [])


def test_soldier_sacrifice() -> None:
    table = used(20, "soldier 1")
    assert (table.ann.discard, len(table.ann.hand)) == ([20], 3)


def test_castle_knight() -> None:
    table = played(21, hand=[10])
    table.choose("hand 1")
    assert (table.points("soldier 1"), table.card("soldier 2"), len(table.ann.hand)) == (0, 10, 2)


def test_knight() -> None:
    table = Table(hand=[22], deck=[33])
    table.put("soldier 1", 11)
    table.put("their mage 1", 50)
    table.play(1, "soldier 1")
    table.choose("soldier 1")
    table.allow()
    table.choose("their mage 1")
    assert (table.ann.hand, table.bob.discard) == ([33], [50])


def test_barbarian() -> None:
    table = Table(hand=[23], their_hand=[10])
    table.put("their soldier 1", 24)
    table.play(1, "soldier 1")
    table.allow()
    table.choose("their soldier 1")
    assert table.unit("their soldier 1").stunned
    assert table.bob.discard == [10]


def test_warlock() -> None:
    table = Table()
    table.put("soldier 1", 24)
    table.put("their soldier 1", 22)
    table.attack("soldier 1", "their castle")
    table.allow()
    assert table.health == (140, 135)


def test_centaur() -> None:
    table = Table(hand=[25], deck=[50])
    for slot, card in (("soldier 1", 24), ("mage 1", 49), ("mage 2", 49), ("trickster 1", 33)):
        table.put(slot, card)
    table.put("their mage 1", 50, level=1)
    assert table.refused(ANN, mv.AttackCard(at("mage 2"), at("their castle"))) == "level_too_low"
    table.play(1, "soldier 1")
    for choice in ("soldier 1", "trickster 1", "mage 1"):
        table.choose(choice)
    table.allow()
    table.choose("deck 1")
    table.attack("mage 2", "their castle")
    table.allow()
    assert table.health == (140, 130)
    table.end_turn()
    table.draw()
    assert table.refused(BOB, mv.AttackCard(at("their mage 1"), at("soldier 1"))) == "level_too_low"  # D52


def test_warrior() -> None:
    table = Table(deck=[24, 50])
    table.put("soldier 1", 26)
    table.put("their soldier 1", 24)
    table.attack("soldier 1", "their soldier 1")
    table.allow()
    table.choose("deck 1")
    assert table.ann.hand == [24]
    assert table.refused(ANN, mv.UseAbility(at("soldier 1"))) == "no_ability"  # D61


def test_mages_partner() -> None:
    table = used(27, "soldier 1", deck=[24, 50])
    table.choose("deck 2")
    assert table.ann.hand == [50]


# Tricksters


def test_the_jesters_jester() -> None:
    table = Table()
    table.put("soldier 1", 24)
    table.put("trickster 1", 28)
    table.put("their trickster 1", 33)
    table.put("their trickster 2", 28)
    table.attack("soldier 1", "their castle")
    table.activate("their trickster 1")
    table.activate("trickster 1")
    table.activate("their trickster 2")  # a Jester's Jester's Jester
    table.allow()
    assert [event.result for event in table.told(ev.TricksterUsed)] == ["done", "cancelled", "done"]
    assert table.told(ev.Attacked)[0].result == "void"


def test_reinforcements() -> None:
    table = answering(29, their_deck=[24, 50])
    assert table.region == ["their deck 1"]
    table.choose("their deck 1")
    assert (table.ann.discard, table.bob.hand, table.bob.discard) == ([11], [24], [29])
    assert table.told(ev.Attacked)[0].result == "fizzled"


def test_anti_mage() -> None:
    table = answering(30, enemies(("mage 1", 50)))
    table.choose("mage 1")
    assert table.ann.discard == [50]


def test_the_wanderer() -> None:
    table = answering(31, enemies(("trickster 1", 33), ("trickster 2", 37)))
    assert table.told(ev.Asked)[0].cards == (33, 37)  # looked at
    table.choose("trickster 2")
    assert table.ann.discard == [37]
    assert table.unit("trickster 1").clue == 1 << 33


def test_opportunist() -> None:
    table = Table()
    table.put("mage 1", 44)
    table.put("their trickster 1", 32)
    table.level("mage 1")
    table.activate("their trickster 1")
    table.allow()
    assert (table.ann.discard, table.ann.hand) == ([44], [])
    assert table.told(ev.Levelled)[0].result == "fizzled"
    table = Table()
    table.put("soldier 1", 20)
    table.put("their trickster 1", 32)
    table.use("soldier 1")
    table.activate("their trickster 1")
    table.allow()
    assert (table.ann.discard, table.ann.hand) == ([20], [])
    assert table.told(ev.AbilityUsed)[0].result == "cancelled"


def test_shaman() -> None:
    assert len(answering(33).bob.hand) == 2


def test_fire_handler() -> None:
    table = Table(hand=[10], their_deck=[24, 23])
    table.put("their trickster 1", 34)
    table.play(1, "soldier 1")
    table.activate("their trickster 1")
    table.allow()
    assert (table.ann.hand, table.bob.hand) == ([], [23, 24])
    assert table.told(ev.Played)[0].result == "ability_cancelled"


def test_fire_handler_takes_the_enemys_amounts_and_leaves_the_rest() -> None:
    table = Table(their_deck=[33] * 5)
    table.put("mage 1", 44)
    table.put("mage 2", 45)
    table.put("their trickster 1", 34)
    table.level("mage 1")
    table.activate("their trickster 1")
    table.allow()
    assert len(table.bob.hand) == 3  # D82: Ann controls a Defender
    assert table.unit("mage 1").level == 2
    table = Table(deck=[24], their_deck=[24, 50])
    table.put("mage 1", 42, level=3)
    table.put("soldier 1", 11)
    table.put("their trickster 1", 34)
    table.put("their soldier 1", 24)
    table.use("mage 1")
    table.activate("their trickster 1")
    table.allow()
    assert table.region == ["their deck 1", "their deck 2"]
    assert (table.told(ev.Asked)[0].card, table.told(ev.Asked)[0].source) == (34, at("their trickster 1"))
    table.choose("their deck 2")
    assert (table.bob.hand, table.card("soldier 1")) == ([50], 11)  # the destruction is no draw


def test_ice_handler() -> None:
    table = Table(hand=[10], their_deck=[24, 33])
    table.put("their trickster 1", 35)
    table.play(1, "soldier 1")
    table.activate("their trickster 1")
    table.allow()
    table.choose("their deck 2")
    assert (table.card("soldier 1"), table.ann.hand, table.bob.hand) == (10, [], [33])


def test_slayer() -> None:
    table = answering(36, their_deck=[10, 33, 33])
    table.choose("their deck 1")
    assert (table.card("their soldier 1"), table.bob.hand) == (10, [])
    assert table.told(ev.Attacked)[0].result == "void"


def test_disciple() -> None:
    def mages(table: Table) -> None:
        table.put("mage 1", 50, level=3)
        table.put("mage 2", 49, level=1)

    assert len(answering(37, mages).bob.hand) == 4


def test_fate() -> None:
    table = answering(38, enemies(("their soldier 1", 23)), attacker=24)
    table.choose("their soldier 1")
    table.choose("soldier 1")
    assert (table.ann.discard, table.bob.discard) == ([24], [23, 38])


def test_swap() -> None:
    table = answering(39, enemies(("soldier 2", 24), ("their soldier 2", 22)), attacker=24)
    assert table.state.request is not None
    assert (table.state.request.seat, table.region) == (BOB, ["their soldier 2"])
    table.choose("their soldier 2")
    assert table.state.request.seat == ANN  # D59
    table.choose("soldier 2")
    assert (table.card("soldier 2"), table.card("their soldier 2")) == (22, 24)
    assert table.unit("soldier 2").owner == BOB
    changed = table.told(ev.ChangedSides)[0].places
    assert set(changed) == {
        (at("soldier 2"), at("their soldier 2")), (at("their soldier 2"), at("soldier 2")),
    }  # fmt: skip
    assert len(table.told(ev.Updated)) == 2
    assert answering(39).state.request is None  # nothing to swap with


def test_swap_takes_an_ability_user_away() -> None:
    table = Table()
    table.put("soldier 1", 18)
    table.put("their soldier 1", 24)
    table.put("their trickster 1", 39)
    table.use("soldier 1")
    table.activate("their trickster 1")
    table.allow()
    table.choose("their soldier 1")
    table.choose("soldier 1")
    assert table.told(ev.AbilityUsed)[0].result == "fizzled"


def test_mirage() -> None:
    table = answering(40, enemies(("mage 1", 50)))
    table.choose("mage 1")
    assert table.ann.discard == [50]
    assert table.told(ev.Attacked)[0].target == at("mage 1")
    assert answering(40).told(ev.Attacked)[0].result == "castle_hit"  # nobody else to be hit


def test_plague() -> None:
    table = answering(41, enemies(("their mage 1", 50)))
    assert table.region == ["their mage 1", "soldier 1"]  # D81; the own side is listed first
    table.choose("soldier 1")
    assert table.unit("soldier 1").stunned


# Mages


def test_sorcerer() -> None:
    table = played(42, "mage 1", deck=[33])
    table.choose("deck 1")
    assert table.ann.hand == [33]
    table = levelled(42, 2, deck=[10])
    table.choose("deck 1")
    assert (table.card("soldier 1"), table.ann.hand) == (10, [])
    table = used(42, "mage 1", enemies(("their soldier 1", 24)), level=3, deck=[8])
    table.choose("deck 1")
    table.choose("their soldier 1")
    assert (table.ann.hand, table.bob.discard) == ([8], [24])


def test_apprentice() -> None:
    table = played(43, "mage 1", deck=[50])
    table.choose("deck 1")
    assert table.ann.hand == [50]
    table = levelled(43, 2, hand=[49])
    table.choose("hand 1")
    table.answer(True)
    assert table.unit("mage 2").level == 2
    table = levelled(43, 3, hand=[24], deck=[50, 33, 33])
    assert (table.ann.discard, table.told(ev.Asked)[0].source) == ([43], at("discard 1"))
    table.choose("deck 1")
    assert len(table.ann.hand) == 3  # Tribute's On play
    table.answer(True)
    assert (table.unit("mage 1").card, table.unit("mage 1").level) == (50, 3)


def test_attacker() -> None:
    table = played(44, "mage 1", deck=[45, 46])
    assert table.region == ["deck 1"]
    table.choose("deck 1")
    assert len(levelled(44, 2).ann.hand) == 2
    assert len(levelled(44, 2, enemies(("mage 2", 45))).ann.hand) == 3
    table = used(44, "mage 1", enemies(("their soldier 1", 24), ("their decree", 8)), level=3)
    table.choose("their decree")
    assert table.bob.discard == [8]
    table = used(44, "mage 1", enemies(("mage 2", 45), ("their soldier 1", 24), ("their decree", 8)), level=3)
    assert table.bob.discard == [24, 8]


def test_defender() -> None:
    table = played(45, "mage 1", deck=[44])
    table.choose("deck 1")
    assert table.ann.hand == [44]
    assert len(levelled(45, 2, enemies(("mage 2", 44))).ann.hand) == 3

    def hurt(*allies: int) -> Any:
        def prepare(table: Table) -> None:
            table.ann.health = 50
            for card in allies:
                table.put("mage 2", card)

        return prepare

    assert used(45, "mage 1", hurt(), level=3).ann.health == 65
    assert used(45, "mage 1", hurt(44), level=3).ann.health == 140


def test_death() -> None:
    table = Table(hand=[46])
    table.put("soldier 1", 24)
    table.put("soldier 2", 23)
    table.put("their trickster 1", 33)
    table.play(1, "mage 1")
    table.choose("soldier 1")
    table.allow()
    assert table.told(ev.CastleHit) == [ev.CastleHit(at("mage 1"), ANN, 130)]
    assert table.region == ["soldier 2", "their trickster 1"]  # D80: not itself
    table.choose("their trickster 1")
    table = levelled(46, 2, enemies(("soldier 1", 24)))
    table.choose("soldier 1")
    assert table.ann.discard == [24]
    foes = enemies(("their soldier 1", 24), ("their soldier 2", 24), ("their mage 1", 50), ("their decree", 8))
    table = used(46, "mage 1", foes, level=3)
    for choice in ("their soldier 1", "their soldier 2", "their mage 1"):
        table.choose(choice)
    assert (table.ann.discard, table.bob.discard) == ([46], [24, 24, 50])


def test_soldiers_partner() -> None:
    table = Table(hand=[47], deck=[10, 33, 33])
    table.put("trickster 1", 33)
    table.play(1, "mage 1")
    table.choose("trickster 1")
    table.allow()
    table.choose("deck 1")
    assert (table.card("soldier 1"), table.ann.hand) == (10, [])
    table = used(47, "mage 1", enemies(("soldier 1", 24)), level=2)
    table.choose("soldier 1")
    assert table.unit("soldier 1").extra == 1
    table = levelled(47, 3, deck=[24, 33, 33])
    table.choose("deck 1")
    assert table.ann.hand == [33, 33, 24]


def test_wizard() -> None:
    table = Table(hand=[48])
    for slot, card in (
        ("trickster 1", 33),
        ("soldier 1", 24),
        ("mage 1", 50),
        ("their mage 1", 50),
        ("their mage 2", 49),
    ):
        table.put(slot, card)
    table.unit("mage 1").level = 2
    table.play(1, "mage 1")
    for choice in ("trickster 1", "soldier 1", "mage 1"):
        table.choose(choice)
    table.allow()
    table.choose("their mage 2")
    assert (table.told(ev.Asked)[0].kind, table.told(ev.Asked)[0].level) == ("level", 2)
    table.answer(True)
    assert (table.points("mage 1"), table.unit("mage 1").level) == (25, 2)
    foes = enemies(("their soldier 1", 24), ("their soldier 2", 23))
    table = used(48, "mage 1", foes, level=3, hand=[33, 33])
    for choice in ("hand 2", "hand 1", "their soldier 1", "their soldier 2"):
        table.choose(choice)
    assert (table.ann.discard, table.bob.discard, len(table.ann.hand)) == ([33, 33], [24, 23], 2)


def test_glory() -> None:
    table = played(49, "mage 1", hand=[18, 10])
    assert table.region == ["hand 2"]
    table.choose("hand 2")
    assert len(table.ann.hand) == 3
    table = levelled(49, 2, enemies(("their trickster 1", 33)))
    table.choose("their trickster 1")
    assert table.bob.discard == [33]
    table = used(49, "mage 1", level=3, deck=[8])
    table.choose("deck 1")
    assert table.ann.hand == [8]


def test_tribute() -> None:
    assert len(played(50, "mage 1").ann.hand) == 2
    assert levelled(50, 2).ann.discount == 1
    table = used(50, "mage 1", enemies(("their soldier 1", 24), ("their decree", 8)), level=3)
    table.choose("their soldier 1")
    table.choose("their decree")
    assert (table.ann.discard, table.bob.discard) == ([50], [24, 8])


def test_seductress() -> None:
    table = Table(hand=[51], deck=[24])
    table.put("trickster 1", 33)
    table.put("trickster 2", 33)
    table.play(1, "mage 1")
    table.choose("trickster 2")
    assert table.region == ["trickster 1"]
    table.choose("trickster 1")
    table.allow()
    table.choose("deck 1")
    assert table.ann.hand == [24]
    table = levelled(51, 2, hand=[10])
    table.choose("hand 1")
    assert table.card("soldier 1") == 10


def test_seductress_takes_a_soldier_for_as_long_as_she_stays() -> None:
    table = levelled(51, 3, enemies(("soldier 1", 24), ("their soldier 1", 22)))
    table.choose("their soldier 1")
    assert (table.card("soldier 2"), table.card("their soldier 1")) == (22, None)
    assert table.told(ev.ChangedSides)[0].places == ((at("their soldier 1"), at("soldier 2")),)
    table.attack("soldier 2", "their castle")
    table.allow()
    assert table.health == (140, 115)


def test_seductress_gives_back_or_destroys() -> None:
    for room in (True, False):
        table = levelled(51, 3, enemies(("their soldier 1", 22)))
        table.choose("their soldier 1")
        if not room:
            table.put("their soldier 1", 24)
            table.put("their soldier 2", 24)
        table.put("trickster 1", 33)
        table.put("their trickster 1", 30)
        table.unit("soldier 1").attacks = 0
        table.attack("soldier 1", "their castle" if room else "their soldier 1")
        table.activate("their trickster 1")
        table.allow()
        table.choose("mage 1")
        assert table.card("soldier 1") is None
        assert table.card("their soldier 1") == (22 if room else 24)
        assert table.bob.discard == ([30] if room else [22, 30])  # D60


def test_seductress_needs_a_free_slot() -> None:
    table = levelled(51, 3, enemies(("soldier 1", 24), ("soldier 2", 24), ("their soldier 1", 22)))
    assert table.state.request is None


def test_the_undead() -> None:
    table = played(52, "mage 1", hand=[33, 33], deck=[50, 49, 24])
    table.choose("hand 1")
    table.choose("hand 1")
    table.choose("deck 1")
    table.choose("deck 1")
    assert (table.ann.hand, table.ann.discard) == ([50, 49], [33, 33])
    assert len(table.told(ev.Shuffled)) == 1
    assert len(levelled(52, 2).ann.hand) == 3
    assert used(52, "mage 1", level=3).ann.protected


def test_mut() -> None:
    table = Table(hand=[53])
    for slot, card in (("mage 1", 50), ("trickster 1", 33), ("their mage 1", 44)):
        table.put(slot, card)
    table.play(1, "mage 1")
    table.choose("mage 1")
    table.choose("trickster 1")
    table.allow()
    table.choose("their mage 1")
    assert table.points("their mage 1") == 10
    table = levelled(53, 2, enemies(("their mage 1", 44), ("their trickster 1", 33)))
    assert table.region == ["their mage 1"]  # D79: either side, not itself
    table.choose("their mage 1")
    table.choose("their trickster 1")
    table = used(53, "mage 1", level=3, hand=[33, 33], deck=[8, 33])
    for choice in ("hand 1", "hand 1", "deck 1", "deck 1"):
        table.choose(choice)
    assert (table.ann.hand, table.card("trickster 1")) == ([8], 33)


def test_light() -> None:
    table = Table(hand=[54], deck=[24])
    table.put("trickster 1", 33)
    table.play(1, "mage 1")
    table.choose("trickster 1")
    table.allow()
    table.choose("deck 1")
    assert table.ann.hand == [24]
    table = levelled(54, 2, enemies(("their trickster 1", 33)))
    assert table.told(ev.Asked)[0].cards == (33,)
    table = used(54, "mage 1", level=3, deck=[50, 10, 33, 33])
    table.choose("deck 1")
    table.choose("deck 1")
    assert (table.card("mage 2"), table.card("soldier 1"), table.ann.hand) == (50, 10, [])


def test_storm() -> None:
    table = Table(hand=[55])
    table.put("trickster 1", 33)
    table.put("their soldier 1", 24)
    table.play(1, "mage 1")
    table.choose("trickster 1")
    table.allow()
    table.choose("their soldier 1")
    assert table.unit("their soldier 1").stunned
    table = levelled(55, 2, enemies(("their soldier 1", 24)))
    table.choose("their soldier 1")
    assert len(table.ann.hand) == 1
    table = used(55, "mage 1", enemies(("their soldier 1", 24)), level=3, deck=[23])
    table.choose("their soldier 1")
    table.choose("deck 1")
    assert table.ann.hand == [23]


def test_oracle() -> None:
    table = played(56, "mage 1", deck=[24, 10, 11, 12, 13], their_deck=[33, 12, 13])
    assert table.region == ["deck 5", "deck 4", "deck 3", "deck 2"]  # from the top down
    table.choose("deck 5")
    assert table.region == ["deck 4", "deck 3", "deck 2"]
    table.choose("deck 4")
    assert table.ann.hand == [13, 12]
    assert table.state.request is not None
    assert (table.state.request.seat, table.region) == (BOB, ["their deck 2", "their deck 3"])  # D56
    table.choose("their deck 3")
    assert table.bob.hand == [13]
    assert table.told(ev.Shuffled) == [ev.Shuffled(BOB, 2)]
    table = played(56, "mage 1", deck=[10, 11], their_deck=[33])
    table.choose("deck 1")
    table.choose("deck 1")
    assert table.state.request is None
    table = levelled(56, 2, hand=[33, 33], their_hand=[24, 10])
    table.choose("hand 1")
    table.choose("hand 1")
    assert table.told(ev.Asked)[0].cards == (24, 10)
    table.choose("their hand 2")
    assert table.bob.discard == [10]
    table = levelled(56, 3, deck=[8, 9])
    table.choose("deck 1")
    table.choose("deck 1")
    assert (table.ann.hand, table.card("decree")) == ([8], 9)


def test_demon() -> None:
    table = Table(hand=[57, 33])
    table.put("mage 1", 50)
    table.put("their soldier 1", 24)
    table.put("their soldier 2", 24)
    table.play(1, "mage 1")
    table.choose("mage 1")
    table.allow()
    table.choose("hand 1")
    assert table.unit("their soldier 1").stunned
    assert table.unit("their soldier 2").stunned
    table = levelled(57, 2)
    table.attack("mage 1", "their castle")
    table.allow()
    assert table.health == (140, 120)
    table.end_turn()
    assert not table.unit("mage 1").may_attack
    table = used(57, "mage 1", level=3, deck=[46])
    table.choose("deck 1")
    assert table.ann.fewer == [1]  # D57


def test_protector() -> None:
    table = Table(hand=[58])
    table.put("soldier 1", 24)
    table.put("their soldier 1", 22)
    table.play(1, "mage 1")
    table.allow()
    table.attack("soldier 1", "their soldier 1")
    table.allow()
    table.answer(True)
    assert table.card("soldier 1") == 24
    table = levelled(58, 2)
    table.choose("mage 1")
    assert table.points("mage 1") == 15
    table = used(58, "mage 1", level=3, deck=[50, 33, 33])
    table.choose("deck 1")
    assert (table.card("mage 1"), table.points("mage 1"), len(table.ann.hand)) == (50, 20, 2)
    assert table.ann.discard == [58]
