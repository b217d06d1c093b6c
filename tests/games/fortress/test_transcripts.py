"""The games of the transcripts G1 to G9, as moves and events. (Their bytes are the dialect's affair.)"""

from __future__ import annotations

from croupier.games.fortress import events as ev
from croupier.games.fortress import moves as mv
from tests.games.fortress.bench import ANN, BOB, Table, at, new_game

ALICE = [
    8, 10, 14, 14, 15, 16, 16, 17, 17, 18, 19, 19, 20, 20, 21, 22, 22, 23, 23, 24, 25, 25, 26, 26, 27, 30, 31, 32, 37,
    40, 41, 50, 27, 38, 15, 36, 33, 21, 29, 18, 10, 43, 28, 24, 13, 13, 12, 12, 11, 11, 3,
]  # fmt: skip
BOBS = [
    9, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15, 16, 16, 17, 17, 18, 18, 19, 19, 20, 20, 21, 21, 22, 22, 23, 24, 25, 25,
    26, 26, 27, 29, 32, 34, 36, 41, 44, 45, 47, 31, 37, 24, 33, 46, 42, 23, 30, 35, 27, 5,
]  # fmt: skip


def g1() -> Table:
    table = new_game(decks=(ALICE, BOBS))
    first, second = table.told(ev.Dealt)
    assert first.cards == (11, 11, 12, 12, 13, 13)
    assert second.cards == (27, 35, 30, 23, 42, 46)
    table.act(ANN, mv.Mulligan())
    assert table.events == [ev.Dealt(ANN, (24, 28, 43, 10, 18), 5, 45)]
    table.act(BOB, mv.AcceptHand())
    table.act(ANN, mv.AcceptHand())
    assert table.events[1:] == [ev.CastlesRevealed((3, 5), (140, 50), ANN), ev.TurnStarted(ANN, 1, False)]
    return table


def g2() -> Table:
    table = g1()
    table.play(1, "soldier 1")
    assert table.events == [ev.PlayDeclared(1, ANN, at("hand 1"), at("soldier 1"), 24, BOB)]
    table.allow()
    assert table.events == [
        ev.Played(ANN, at("hand 1"), at("soldier 1"), 24, 5, None, "done", 1),
        ev.GapClosed(ANN, 1, 4),
    ]
    table.play(1, "trickster 1")
    assert table.events == [ev.LayDeclared(2, ANN, at("hand 1"), at("trickster 1"), 28, BOB)]
    table.allow()
    assert table.events == [ev.Laid(ANN, at("hand 1"), at("trickster 1"), 28, 2), ev.GapClosed(ANN, 1, 3)]
    table.play(1, "mage 1")
    table.allow()
    assert table.events[:2] == [
        ev.Played(ANN, at("hand 1"), at("mage 1"), 43, 10, 1, "done", 3),
        ev.GapClosed(ANN, 1, 2),
    ]
    (asked,) = table.told(ev.Asked)
    assert (asked.region, asked.cards, asked.source) == ((at("deck 38"),), (50,), at("mage 1"))
    assert (asked.number, asked.purpose, asked.optional) == (1, "add", False)
    table.choose("deck 38")
    assert table.events == [ev.Drew(ANN, (38,), 3, (50,), None), ev.Shuffled(ANN, 44)]
    table.end_turn()
    assert table.events == [ev.TurnStarted(BOB, 2, True)]
    return table


def g3() -> Table:
    table = g2()
    table.draw()
    for slot in (1, 2):
        table.play(2, f"their trickster {slot}", seat=BOB)
        table.allow()
    table.end_turn()
    table.act(ANN, mv.DrawCard())
    assert table.events == [ev.DrawDeclared(7, ANN, BOB)]
    table.allow()
    assert table.events == [ev.Drew(ANN, (44,), 4, (29,), 7)]
    table.attack("soldier 1", "their castle")
    assert table.events == [ev.AttackDeclared(8, ANN, at("soldier 1"), at("their castle"), BOB, 24, None)]
    table.allow()
    assert table.events == [
        ev.Attacked(ANN, at("soldier 1"), at("their castle"), "castle_hit", 8),
        ev.CastleHit(at("soldier 1"), BOB, 45),
        ev.HealthChanged((140, 45)),
    ]
    return table


def g4() -> Table:
    table = g3()
    table.level("mage 1")
    assert table.events == [ev.LevelDeclared(9, ANN, at("mage 1"), 2, BOB, 43)]
    table.allow()
    assert table.events[:2] == [
        ev.Levelled(ANN, at("mage 1"), 2, "done", 9, 43),
        ev.Updated(at("mage 1"), 43, 10, 2, False, 1),
    ]
    (asked,) = table.told(ev.Asked)
    assert (asked.region, asked.purpose, asked.optional, asked.number) == ((at("hand 3"),), "play", True, 2)
    table.choose("hand 3")
    assert table.events[:3] == [
        ev.Played(ANN, at("hand 3"), at("mage 2"), 50, 10, 1, "done", None),
        ev.GapClosed(ANN, 3, 3),
        ev.Drew(ANN, (43, 42), 4, (21, 33), None),
    ]
    (asked,) = table.told(ev.Asked)
    assert (asked.kind, asked.place, asked.level, asked.number) == ("level", at("mage 2"), 2, 3)
    table.answer(True)
    assert table.events == [
        ev.Levelled(ANN, at("mage 2"), 2, "done", None, 50),
        ev.Updated(at("mage 2"), 50, 10, 2, False, 1),
    ]
    return table


def g5() -> Table:
    table = g4()
    table.play(1, "soldier 2")
    table.activate("their trickster 1")
    assert table.events == [ev.TricksterDeclared(11, BOB, at("their trickster 1"), 35, None, 10, ANN, "play", 10)]
    table.activate("trickster 1")
    assert table.events == [ev.TricksterDeclared(12, ANN, at("trickster 1"), 28, None, 11, BOB, "trickster", 35)]
    table.allow()
    assert table.events == [
        ev.TricksterUsed(ANN, at("trickster 1"), 28, 11, "done", 12),
        ev.Retired(at("trickster 1"), 28, at("discard 1")),
        ev.TricksterUsed(BOB, at("their trickster 1"), 35, 10, "cancelled", 11),
        ev.Retired(at("their trickster 1"), 35, at("their discard 1")),
        ev.Played(ANN, at("hand 1"), at("soldier 2"), 10, 10, None, "done", 10),
        ev.GapClosed(ANN, 1, 4),
        ev.Drew(ANN, (41, 40), 5, (36, 15), None),
    ]
    table.end_turn()
    assert table.events == [ev.TurnStarted(BOB, 4, True)]
    return table


def g6() -> Table:
    table = g5()
    table.draw()
    table.play(1, "their soldier 1", seat=BOB)
    table.allow()
    ignoring = mv.AttackCard(at("their soldier 1"), at("soldier 1"))
    assert table.refused(BOB, ignoring) == "must_attack_pawn_warrior"
    table.attack("their soldier 1", "soldier 2")
    assert table.events == [ev.AttackDeclared(15, BOB, at("their soldier 1"), at("soldier 2"), ANN, 27, 10)]
    table.allow()
    assert table.events == [
        ev.Attacked(BOB, at("their soldier 1"), at("soldier 2"), "target_loses", 15),
        ev.Destroyed((at("soldier 2"),), (at("discard 2"),), (10,), False),
    ]
    table.end_turn()
    return table


def g7() -> Table:
    table = g6()
    table.act(ANN, mv.DrawCard())
    table.act(BOB, mv.DestroyCard(at("mage 1")))
    assert table.events == [
        ev.TricksterDeclared(17, BOB, at("their trickster 2"), 30, at("mage 1"), 16, ANN, "draw", None)
    ]
    table.allow()
    assert table.events == [
        ev.TricksterUsed(BOB, at("their trickster 2"), 30, 16, "done", 17),
        ev.Destroyed((at("mage 1"),), (at("discard 3"),), (43,), True),
        ev.Retired(at("their trickster 2"), 30, at("their discard 2")),
        ev.Drew(ANN, (39,), 7, (38,), 16),
    ]
    table.play(1, "soldier 1")
    (asked,) = table.told(ev.Asked)
    assert (asked.region, asked.cards, asked.source, asked.number) == ((at("soldier 1"),), (24,), at("hand 1"), 4)
    table.choose("soldier 1")
    assert table.events == [
        ev.Destroyed((at("soldier 1"),), (at("discard 4"),), (24,), False),
        ev.PlayDeclared(18, ANN, at("hand 1"), at("soldier 1"), 18, BOB),
    ]
    table.allow()
    assert table.events == [
        ev.Played(ANN, at("hand 1"), at("soldier 1"), 18, 25, None, "done", 18),
        ev.GapClosed(ANN, 1, 6),
        ev.CastleHit(at("soldier 1"), BOB, 25),
        ev.HealthChanged((140, 25)),
    ]
    return table


def test_g1_to_g8_a_game_from_the_mulligan_to_the_fall_of_a_castle() -> None:
    table = g7()
    table.attack("soldier 1", "their soldier 1")
    table.allow()
    table.end_turn()
    table.draw()
    table.end_turn()
    table.draw()
    table.attack("soldier 1", "their castle")
    assert table.events == [ev.AttackDeclared(22, ANN, at("soldier 1"), at("their castle"), BOB, 18, None)]
    table.allow()
    assert table.events == [
        ev.Attacked(ANN, at("soldier 1"), at("their castle"), "castle_hit", 22),
        ev.CastleHit(at("soldier 1"), BOB, 0),
        ev.HealthChanged((140, 0)),
        ev.Ended(ANN, "castle"),
    ]
    assert table.refused(ANN, mv.EndTurn()) == "game_over"


def test_the_state_after_g5_is_the_one_of_the_specification() -> None:
    table = g4()
    table.play(1, "soldier 2")
    table.activate("their trickster 1")
    table.activate("trickster 1")
    table.allow()
    view = table.view(ANN)
    own, theirs = view.sides
    assert (view.phase, view.turn, view.active, view.must_draw) == ("main", 3, ANN, False)
    assert (own.health, theirs.health, own.deck) == (140, 45, 39)
    assert own.hand == (18, 29, 21, 33, 36, 15)
    assert (own.discard, theirs.discard, theirs.hand_size) == ((28,), (35,), 5)
    assert [card and (card.card, card.points, card.level, card.attacks_left) for card in own.field] == [
        (24, 5, None, 0), (10, 10, None, 1), (43, 10, 2, 1), (50, 10, 2, 1), None, None, None,
    ]  # fmt: skip
    (face_down,) = (card for card in theirs.field if card)
    assert (face_down.card, face_down.face_down, face_down.points, face_down.attacks_left) == (None, True, None, 0)


def test_g9_an_attack_made_void_then_reinforcements() -> None:
    alice = [
        8, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15, 16, 16, 17, 17, 18, 19, 19, 20, 20, 21, 21, 22, 22, 23, 23, 24,
        25, 25, 26, 26, 27, 27, 30, 31, 32, 33, 36, 37, 38, 40, 41, 50, 29, 18, 10, 43, 28, 24, 3,
    ]  # fmt: skip
    bob = [
        9, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15, 16, 16, 17, 17, 18, 18, 19, 19, 20, 20, 21, 21, 22, 22, 23, 24, 24,
        25, 25, 26, 26, 27, 31, 32, 34, 36, 37, 41, 42, 44, 45, 46, 47, 23, 30, 35, 27, 29, 33, 5,
    ]  # fmt: skip
    table = new_game(decks=(alice, bob))
    for seat in (ANN, BOB):
        table.act(seat, mv.AcceptHand())
    table.play(1, "soldier 1")
    table.allow()
    table.end_turn()
    table.draw()
    for slot in (1, 2):
        table.play(1, f"their trickster {slot}", seat=BOB)
        table.allow()
    table.end_turn()
    table.draw()
    table.attack("soldier 1", "their castle")
    table.activate("their trickster 1")
    table.allow()
    assert table.events == [
        ev.TricksterUsed(BOB, at("their trickster 1"), 33, 6, "done", 7),
        ev.Drew(BOB, (43, 42), 6, (46, 45), None),
        ev.Retired(at("their trickster 1"), 33, at("their discard 1")),
        ev.Attacked(ANN, at("soldier 1"), at("their castle"), "void", 6),
    ]
    table.attack("soldier 1", "their castle")
    table.activate("their trickster 2")
    table.allow()
    assert table.events[:2] == [
        ev.TricksterUsed(BOB, at("their trickster 2"), 29, 8, "done", 9),
        ev.Destroyed((at("soldier 1"),), (at("discard 1"),), (24,), True),
    ]
    assert (table.region[0], table.region[-1]) == ("their deck 2", "their deck 33")
    table.choose("their deck 33")
    assert table.events == [
        ev.Drew(BOB, (33,), 8, (27,), None),
        ev.Shuffled(BOB, 40),
        ev.Retired(at("their trickster 2"), 29, at("their discard 2")),
        ev.Attacked(ANN, at("soldier 1"), at("their castle"), "fizzled", 8),
    ]
