"""The rules of Cambia, by the numbers: C1 to C21, C34 to C38 and C51 to C61.

C are rules, D decisions, K lines of the checklist. Specials, snaps, clocks and matches have files of their own.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import pytest
from click import unstyle

from croupier.games.cambia import game
from croupier.games.cambia.cards import FACES, RANK, VALUE, Ids, deck, is_id
from croupier.games.cambia.events import (
    AnyEvent,
    Began,
    Called,
    Dealt,
    Discarded,
    Drew,
    Ended,
    FirstLook,
    Given,
    Penalised,
    Replaced,
    Reshuffled,
    SpecialOpened,
    Swapped,
    Turn,
)
from croupier.games.cambia.moves import (
    SKIP,
    AnyMove,
    CallCambia,
    Discard,
    DrawDiscardpile,
    DrawStockpile,
    Give,
    Replace,
    Snap,
)
from croupier.games.cambia.options import Options
from croupier.games.cambia.state import Card, Debt, Held, Outcome, Spot
from croupier.kernel import ENGLISH, Clock, Result, Words
from croupier.kernel.words import Reader
from croupier.tables import languages
from tests.games.cambia.positions import (
    UNKNOWN,
    begun,
    cambia,
    cards_on,
    conserved,
    dealt,
    expire,
    faces,
    kinds,
    leave,
    play,
    refused,
    seen,
    table,
    throw,
    use,
)

# Players, deck, values


def test_c1_d71_two_to_eight_players() -> None:
    assert list(game.seats) == [2, 3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize(
    ("seats", "rules", "size"),
    [
        (2, {}, 54),
        (6, {}, 54),
        (7, {}, 108),
        (8, {}, 108),
        (2, {"use_jokers": False}, 52),
        (8, {"use_jokers": False}, 104),
        (8, {"num_decks": 1}, 54),
        (2, {"num_decks": 4}, 216),
    ],
)
def test_c2_the_deck(seats: int, rules: dict[str, Any], size: int) -> None:
    state = dealt(seats, **rules)
    assert len(state.stock) == size
    conserved(state)


def test_c3_k3_d6_values() -> None:
    values = {
        "Kh Kd": -1, "R B": 0, "Ac Ad Ah As": 1, "2c": 2, "3d": 3, "4h": 4, "5s": 5, "6c": 6, "7d": 7, "8h": 8, "9s": 9,
        "10c 10d": 10, "Jc Jh": 11, "Qd Qs": 12, "Kc Ks": 13,
    }  # fmt: skip
    for cards, value in values.items():
        assert {VALUE[face] for face in faces(cards)} == {value}
    assert sum(VALUE[face] for face in deck(1, jokers=True)) == 336
    assert set(VALUE) == set(FACES) == set(RANK)


def test_c4_only_ranks_match() -> None:
    assert len(set(RANK.values())) == 14
    assert RANK["K♥"] == RANK["K♠"] == "K"
    assert RANK["★R"] == RANK["★B"]
    assert Counter(RANK.values()) == {rank: 2 if rank == "★" else 4 for rank in RANK.values()}


def test_c5_k95_ids_are_random_and_unique() -> None:
    first, second = (dealt(8, seed) for seed in (1, 2))
    ids = [*first.faces, *second.faces]
    assert len(set(ids)) == len(ids) == 216  # K95: no id of one game is in another
    assert all(is_id(id) and id[14] == "4" and id[19] in "89ab" for id in ids)
    assert dealt(8, 1).faces == first.faces
    supply = Ids(bytes(32))
    assert len({*supply.take(500), *supply.take(500)}) == 1000


def test_c5_a_card_keeps_its_id_when_it_moves() -> None:
    state = table("5h Qc", "Kd 8c", stock="2c 3c", pile="9h")
    faces_before = dict(state.faces)
    play(state, 0, DrawStockpile())
    play(state, 0, Replace("a1"))
    assert state.hands[0] == ["a0", "s0"]
    assert state.pile == ["p0", "a1"]
    assert state.faces == faces_before


def test_k94_ids_have_nothing_to_do_with_faces_seats_or_places() -> None:
    """Over many games, the order of the ids is as good as drawn by lot: no correlation beyond four deviations."""
    games = 300
    higher = Counter[str]()
    for seed in range(games):
        state = begun(2, seed)
        (a, b), drawn, later = (min(hand) for hand in state.hands), state.stock[-1], state.stock[0]
        higher["seat"] += a < b
        higher["place"] += state.hands[0][0] < state.hands[0][1]
        higher["depth"] += drawn < later
        one, other = (next(id for id, face in state.faces.items() if face == which) for which in ("A♣", "K♠"))
        higher["face"] += one < other
    for what, count in higher.items():
        assert abs(count - games / 2) < 2 * games**0.5, what


def test_c6_k2_k74_no_card_is_lost_or_doubled() -> None:
    for seed in range(5):
        conserved(begun(4, seed))
    assert len(cards_on(begun(2, 1))) == 54


# Set-up


def test_c7_seats_go_by_the_order_of_joining() -> None:
    assert cambia.customs.seating == "queued"
    assert cambia.customs.players == "present"


def test_c8_the_deck_is_shuffled() -> None:
    assert begun(3, 5) == begun(3, 5)
    assert list(begun(3, 5).faces.values()) != list(begun(3, 6).faces.values())
    games = 1300
    aces = sum("A♣" in map(begun(2, seed).faces.__getitem__, begun(2, seed).hands[0]) for seed in range(games))
    expected = games * 4 / 54
    assert abs(aces - expected) < 4 * expected**0.5


def test_c9_k1_d23_dealt_one_at_a_time_from_seat_0() -> None:
    state = begun(2, order="5h Kd Qc 8c 2s 3h 9d Js 10h 4d")
    hands = [[state.faces[card] for card in hand] for hand in state.hands]
    assert hands == [faces("5h Qc 2s 9d"), faces("Kd 8c 3h Js")]
    assert [state.faces[card] for card in state.pile] == faces("10h")  # C10
    assert state.faces[state.stock[-1]] == "4♦"
    assert len(state.stock) == 45
    state = begun(3, cards_per_player=6)
    assert list(map(len, state.hands)) == [6, 6, 6]


def test_c10_d21_the_first_card_of_the_discard_pile() -> None:
    for seats, left in ((2, 45), (6, 29), (8, 75)):
        state = begun(seats)
        assert (len(state.stock), len(state.pile)) == (left, 1)
    state = begun(2, initial_discard=False)
    assert (len(state.stock), state.pile) == (46, [])


def test_c10_it_may_be_drawn_and_snapped_and_opens_no_special() -> None:
    state = table("10c 2c", "3c 4c", pile="10h", allow_draw_from_discard_pile=True)
    assert cambia.view(state, 0).choice is None
    assert kinds(play(state, 0, Snap("a0"))) == "Snapped"
    state = table("10c 2c", "3c 4c", pile="10h", allow_draw_from_discard_pile=True)
    assert kinds(play(state, 0, DrawDiscardpile())) == "Drew"


def test_c11_d22_the_first_player_is_drawn_by_lot() -> None:
    firsts = Counter(dealt(4, seed).first for seed in range(800))
    assert set(firsts) == {0, 1, 2, 3}
    assert all(abs(count - 200) < 50 for count in firsts.values())
    assert begun(4, first=2).current == 2


def test_c12_k6_d20_the_first_look() -> None:
    state = dealt(2, order="5h Kd Qc 8c 2s 3h 9d Js 10h")
    events = expire(state, "gathering", 1000)
    hands, top = tuple(map(tuple, state.hands)), Card(state.pile[0], "10♥")
    (a0, a1, *_), (b0, b1, *_) = hands
    own = FirstLook(0, (Card(a0, "5♥"), Card(a1, "Q♣")))
    theirs = FirstLook(1, (Card(b0, "K♦"), Card(b1, "8♣")))
    assert events == [Dealt(1, hands, top, 45, 1), own, theirs]
    assert seen(events, 0) == [events[0], own]
    assert seen(events, 1) == [events[0], theirs]
    assert seen(events, None) == [events[0]]
    assert cambia.view(state, 0).shown == own.cards
    assert cambia.view(state, None).shown == ()
    assert cambia.clocks(state) == [Clock(11_000, name="pregame")]
    assert cambia.awaited(state) == ()
    assert cambia.view(state, 0).current is None


def test_c12_k7_k8_nothing_can_be_done_before_turn_0() -> None:
    state = dealt(2, first=1)
    for move in (DrawStockpile(), CallCambia(), Snap(UNKNOWN), Snap(""), use("skip")):
        assert refused(state, 1, move) == "not_started"
    expire(state, "gathering", 0)
    for move in (DrawStockpile(), CallCambia(), Snap(UNKNOWN), Snap(""), use("skip")):
        assert refused(state, 1, move) == "not_started"
    assert cambia.moves(state, 1) == ()
    assert expire(state, "pregame", 10_000) == [Began(), Turn(1, 0, 25_000)]
    assert cambia.view(state, 1).shown == ()  # what was seen has to be remembered


@pytest.mark.parametrize("count", [0, 1, 4])
def test_c12_how_many_cards_are_shown(count: int) -> None:
    state = dealt(2, initial_view_count=count)
    looks = [event for event in expire(state, "gathering", 0) if isinstance(event, FirstLook)]
    assert [len(look.cards) for look in looks] == [count, count]
    assert len(cambia.view(state, 0).shown) == count
    assert set(cambia.recall(state, 0)) == set(state.hands[0][:count])


def test_c12_without_a_pre_game_phase_turn_0_begins_at_once() -> None:
    state = dealt(2, pre_game_sec=0)
    assert kinds(expire(state, "gathering", 0)) == "Dealt FirstLook FirstLook Began Turn"


# The turn


def test_c13_k27_only_the_current_player() -> None:
    state = table("5h", "Kd")
    for move in (DrawStockpile(), DrawDiscardpile(), Discard("s0"), Replace("b0"), CallCambia()):
        assert refused(state, 1, move) == "not_your_turn"
    assert kinds(play(state, 1, Snap("b0"))).startswith("SnapFailed")


def test_c14_k25_the_start_of_a_turn() -> None:
    state = table("5h", "Kd")
    assert cambia.moves(state, 0)[:2] == [DrawStockpile(), CallCambia()]
    assert set(cambia.moves(state, 1)) == {Snap("a0"), Snap("b0")}
    state = table("5h", "Kd", allow_draw_from_discard_pile=True)
    assert cambia.moves(state, 0)[:3] == [DrawStockpile(), DrawDiscardpile(), CallCambia()]
    state = table("5h", "Kd", allow_draw_from_discard_pile=True, pile="")
    assert DrawDiscardpile() not in cambia.moves(state, 0)
    assert refused(state, 0, DrawDiscardpile()) == "pile_empty"
    assert refused(table("5h", "Kd"), 0, DrawDiscardpile()) == "not_allowed"  # K25


def test_c15_k17_after_a_draw() -> None:
    state = table("5h Qc", "Kd")
    play(state, 0, DrawStockpile())
    assert cambia.moves(state, 0)[:3] == [Discard("s0"), Replace("a0"), Replace("a1")]
    assert refused(state, 0, DrawStockpile()) == "already_drawn"
    assert refused(state, 0, DrawDiscardpile()) == "already_drawn"
    assert play(state, 0, Discard("s0")) == [
        Discarded(0, "s0", "7♠", None, 2),
        SpecialOpened(0, "s0", "7", "peek_self", 15_000),  # K29
    ]


def test_c16_k15_k16_only_the_drawer_sees_the_card() -> None:
    state = table("5h", "Kd", stock="4d 2c 3c")
    events = play(state, 0, DrawStockpile())
    assert events == [Drew(0, "s0", "4♦", "stockpile", 2, 1)]
    assert seen(events, 0) == events
    for other in (1, None):
        assert seen(events, other) == [Drew(0, "s0", None, "stockpile", 2, 1)]
    assert cambia.view(state, 0).held == Held(0, "s0", "4♦", "stockpile")
    assert cambia.view(state, 1).held == cambia.view(state, None).held == Held(0, "s0", None, "stockpile")


def test_c17_k26_a_card_from_the_discard_pile() -> None:
    state = table("5h Qc", "Kd", pile="3c 9h", allow_draw_from_discard_pile=True, allow_replace_abilities=True)
    events = play(state, 0, DrawDiscardpile())
    assert events == [Drew(0, "p1", "9♥", "discardpile", 10, 1)]
    assert seen(events, 1) == seen(events, None) == events
    held = cambia.view(state, None).held
    assert held is not None and held.face == "9♥"
    top = cambia.view(state, None).top
    assert top == Card("p0", "3♣")
    # Put back, it is no special; nor is a card that it replaces.
    assert play(state, 0, Discard("p1")) == [Discarded(0, "p1", "9♥", None, 2), Turn(1, 1, 15_000)]
    play(state, 1, DrawDiscardpile())
    assert kinds(play(state, 1, Replace("b0"))) == "Replaced Discarded Turn"  # the King has none either


def test_c18_k18_k20_discarding() -> None:
    state = table("5h", "Kd", stock="4d 2c 3c")
    play(state, 0, DrawStockpile())
    events = play(state, 0, Discard("s0"), at=7)
    assert events == [Discarded(0, "s0", "4♦", None, 2), Turn(1, 1, 15_007)]
    assert seen(events, 1) == seen(events, None) == events
    assert cambia.view(state, 1).top == Card("s0", "4♦")


@pytest.mark.parametrize("face", ["Ac", "2c", "3c", "4c", "5c", "6c", "R", "B"])
def test_c18_k20_ranks_without_a_special(face: str) -> None:
    state = table("5h", "Kd", stock=f"{face} 2d")
    assert kinds(throw(state)) == "Discarded Turn"


def test_c19_k21_k22_d13_d58_replacing() -> None:
    state = table("Kd 8c 3h Js", "5h", stock="2c 3c")
    play(state, 0, DrawStockpile())
    events = play(state, 0, Replace("a1", 1))
    assert events == [Replaced(0, "s0", 1), Discarded(0, "a1", "8♣", 1, 2), Turn(1, 1, 15_000)]
    assert seen(events, 1) == events  # K88: nothing there to hide
    assert "2♣" not in repr(events)
    for seat in (0, 1, None):
        assert cambia.view(state, seat).players[0].hand == ("a0", "s0", "a2", "a3")


@pytest.mark.parametrize("move", [Replace("a1"), Replace(None, 1), Replace("a1", 1), Replace("s0", 1)])
def test_c19_d14_ways_to_name_the_card(move: Replace) -> None:
    state = table("Kd 8c 3h Js", "5h", stock="2c 3c")
    play(state, 0, DrawStockpile())
    assert play(state, 0, move)[0] == Replaced(0, "s0", 1)


def test_c20_an_empty_hand_still_has_turns() -> None:
    state = table("", "5h", stock="2c 3c")
    play(state, 0, DrawStockpile())
    assert cambia.moves(state, 0) == [Discard("s0")]
    assert refused(state, 0, Replace(None, 0)) == "bad_index"
    assert kinds(play(state, 0, Discard("s0"))) == "Discarded Turn"


def test_c21_k28_d86_turns_go_round() -> None:
    state = table("5h", "Kd", "2c", stock="2d 3d 4c 5d", current=1)
    state.forfeited[2] = state.locked[2] = True
    turns = [throw(state)[-1] for _ in range(3)]
    assert turns == [Turn(0, 1, 15_000), Turn(1, 2, 15_000), Turn(0, 3, 15_000)]


# Cambia


def test_c34_c35_k48_k50_when_cambia_may_be_called() -> None:
    state = table("5h", "Kd", "2c")
    assert play(state, 0, CallCambia(), at=5) == [Called(0), Turn(1, 1, 15_005)]  # C35, K48
    assert refused(state, 2, CallCambia()) == "not_your_turn"
    assert refused(state, 1, CallCambia()) == "cambia_called"
    assert CallCambia() not in cambia.moves(state, 1)


def test_c34_k49_d40_not_after_drawing() -> None:
    state = table("5h", "Kd")
    play(state, 0, DrawStockpile())
    assert refused(state, 0, CallCambia()) == "cambia_after_draw"
    assert state.held == "s0"


def test_c34_d41_from_a_round_on() -> None:
    for turn, allowed in ((0, False), (5, False), (6, True), (7, True)):
        state = table("5h", "Kd", "2c", turn=turn, cambia_allowed_round=2)
        assert (CallCambia() in cambia.moves(state, 0)) is allowed
        if not allowed:
            assert refused(state, 0, CallCambia()) == "cambia_too_early"


def test_c36_k52_k69_the_callers_hand_is_locked() -> None:
    state = table("5h 10c", "Kd 10d", "10s", stock="Qc Qd 3h 4h", current=0)
    play(state, 0, CallCambia())
    assert refused(state, 0, Snap("a1")) == "locked"
    assert refused(state, 1, Snap("a1")) == "locked"
    assert cambia.moves(state, 0) == []
    assert Snap("a1") not in cambia.moves(state, 1)
    throw(state)
    assert refused(state, 1, use("swap_blind", "a0", "b0")) == "locked"
    assert kinds(play(state, 1, use("skip"))) == "Skipped Turn"
    assert state.hands[0] == ["a0", "a1"]


def test_c37_k51_everybody_else_has_one_more_turn() -> None:
    state = table("5h", "Kd", "2c", "Ah", stock="2d 3d 4c 5d 6d", current=2)
    play(state, 2, CallCambia())
    seats = []
    while state.phase == "playing":
        seats.append(state.current)
        events = throw(state)
    assert seats == [3, 0, 1]
    assert isinstance(events[-1], Ended)
    assert events[-1].outcome.reason == "cambia"


def test_c37_d42_it_ends_where_the_caller_would_have_been() -> None:
    state = table("5h", "Kd", "2c", "Ah", stock="2d 3d 4c 5d 6d", current=1)
    play(state, 1, CallCambia())
    leave(state, 1)  # the caller has gone
    throw(state)
    leave(state, 0)  # and so has the last one before
    events = throw(state)
    assert isinstance(events[-1], Ended)
    assert events[-1].outcome.reason == "cambia"
    assert events[-1].outcome.forfeited == (0, 1)


def test_c38_without_the_lock() -> None:
    state = table("10c 2c", "10d 3c", stock="Qc Qd", lock_caller_hand=False)
    play(state, 0, CallCambia())
    assert kinds(play(state, 0, Snap("a0"))) == "Snapped"
    throw(state)
    play(state, 1, use("swap_blind", "a1", "b1"))
    assert state.phase == "over"  # C37
    state = table("10c 2c", "Ad 3c", lock_caller_hand=False)
    play(state, 0, CallCambia())
    assert kinds(play(state, 0, Snap("a1"))) == "SnapFailed Penalised Penalised"
    assert kinds(play(state, 1, Snap("a0"))) == "Snapped GiveOwed"


def test_c36_d91_debts_are_settled_before_a_call() -> None:
    for caller, other in ((0, 1), (1, 0)):
        state = table("10c 2c", "10d 3c", current=caller)
        play(state, other, Snap("ba"[other] + "0"))
        (debt,) = state.debts
        assert (debt.seat, debt.target) == (other, caller)
        events = play(state, caller, CallCambia())
        assert kinds(events) == "Given Called Turn"
        assert state.debts == []


# Stockpile


def test_c51_c52_k72_k73_d54_d55_the_reshuffle() -> None:
    state = table("5h", "Kd", stock="Js", pile="2c 3c 4c 9h")
    events = play(state, 0, DrawStockpile())
    assert kinds(events) == "Reshuffled Drew"
    assert events[0] == Reshuffled(4)
    assert isinstance(events[1], Drew)
    assert (events[1].stockpile, events[1].discard) == (3, 1)
    assert [state.faces[card] for card in state.pile] == ["9♥"]
    assert state.pile == ["p3"]
    assert cambia.view(state, 1).top == Card("p3", "9♥")  # D55
    new = {*state.stock, state.held}
    assert sorted(state.faces[card] for card in new if card) == sorted(faces("2c 3c 4c Js"))


def test_c51_not_before_the_last_card() -> None:
    state = table("5h", "Kd", stock="Js 2d", pile="2c 3c 4c 9h")
    assert kinds(play(state, 0, DrawStockpile())) == "Drew"
    state = table("5h", "Kd", stock="Js", pile="9h")  # nothing to reshuffle
    assert play(state, 0, DrawStockpile()) == [Drew(0, "s0", "J♠", "stockpile", 0, 1)]
    state = table("5h", "Kd", stock="", pile="3c 9h")
    assert kinds(play(state, 0, DrawStockpile())) == "Reshuffled Drew"


def test_c51_before_every_single_penalty_card() -> None:
    state = table("5h", "Kd", stock="Js 2d", pile="2c 3c 9h")
    assert kinds(play(state, 0, Snap("a0"))) == "SnapFailed Penalised Reshuffled Penalised"


def test_c51_by_a_timeout_too() -> None:
    state = table("5h", "Kd", stock="Js", pile="2c 3c 9h")
    assert kinds(expire(state, "turn", 15_000)) == "Reshuffled Drew Discarded Turn"


def test_c53_k75_d56_new_ids_after_a_reshuffle() -> None:
    """Nothing links the new ids with the old ones: which card gets which is drawn anew, and old ones are forgotten."""
    places = Counter[int]()
    for seed in range(300):
        state = table("5h", "Kd", stock="Js", pile="2c 3c 4c 5c 9h")
        state.chance.seed = seed.to_bytes(32, "big")
        old = {"s0", "p0", "p1", "p2", "p3"}
        play(state, 0, DrawStockpile())
        new = [*state.stock[::-1], state.held]
        assert not old & {*state.faces, *state.seen}
        assert all(card is not None and is_id(card) for card in new)
        places[[state.faces[card or ""] for card in new].index("2♣")] += 1
    assert set(places) == {0, 1, 2, 3, 4}
    assert all(abs(count - 60) < 32 for count in places.values())


def test_c53_the_ids_do_not_depend_on_the_faces() -> None:
    """The same table with other faces gets the same ids in the same places, so ids tell nothing of faces."""
    one, other = (table("5h", "Kd", stock="Js", pile=f"{pile} 9h") for pile in ("2c 3c 4c", "Kc Qc Ac"))
    for state in (one, other):
        play(state, 0, DrawStockpile())
    assert one.stock == other.stock
    assert one.held == other.held


def test_c54_d57_nothing_left_to_draw() -> None:
    state = table("5h", "Kd", stock="", pile="9h")
    events = play(state, 0, DrawStockpile())
    assert kinds(events) == "Ended"
    assert isinstance(events[0], Ended)
    assert events[0].outcome.reason == "deck_exhausted"
    state = table("5h", "Kd", stock="", pile="9h")
    assert kinds(expire(state, "turn", 15_000)) == "Ended"


def test_c54_who_may_draw_the_discard_need_not_end_the_game() -> None:
    state = table("5h", "Kd", stock="", pile="9h", allow_draw_from_discard_pile=True)
    assert kinds(play(state, 0, DrawDiscardpile())) == "Drew"
    assert kinds(play(state, 0, Replace("a0"))) == "Replaced Discarded Turn"


def test_c55_a_penalty_takes_what_there_is() -> None:
    state = table("5h", "Kd", stock="3d", pile="9h", penalty_draw_count=5)
    events = play(state, 0, Snap("a0"))
    assert kinds(events) == "SnapFailed Penalised"
    assert "count=1, total=1" in repr(events[1])
    assert kinds(play(state, 0, Snap("a0"))) == "SnapFailed"
    assert state.phase == "playing"


# End and scoring


def test_c56_ways_to_end() -> None:
    ends = {
        "cambia": table("5h", "Kd", stock="2c 3c"),
        "deck_exhausted": table("5h", "Kd", stock="", pile="9h"),
        "forfeit": table("5h", "Kd"),
        "max_turns": table("5h", "Kd", stock="2c 3c 4d", max_game_turns=2),
    }
    play(ends["cambia"], 0, CallCambia())
    throw(ends["cambia"])
    play(ends["deck_exhausted"], 0, DrawStockpile())
    leave(ends["forfeit"], 1)
    throw(ends["max_turns"])
    assert ends["max_turns"].phase == "playing"
    throw(ends["max_turns"])
    for reason, state in ends.items():
        assert state.outcome is not None and state.outcome.reason == reason
        assert cambia.result(state) is not None


def test_c57_k97_all_hands_are_turned_over() -> None:
    state = table("5h 2c", "Kd", "3h", stock="4d 6d")
    play(state, 0, DrawStockpile())
    leave(state, 1)
    events = leave(state, 2)
    ended = events[-1]
    assert isinstance(ended, Ended)
    assert ended.outcome.hands == ((Card("a0", "5♥"), Card("a1", "2♣")), (Card("b0", "K♦"),), (Card("c0", "3♥"),))
    assert seen([ended], None) == [ended]
    assert cambia.view(state, None).outcome == ended.outcome
    # The card that was held goes to nobody and counts for nobody.
    assert state.held == "s0"
    assert ended.outcome.scores == (7, None, None)
    assert cambia.view(state, 0).held is None


def test_c58_k53_scores() -> None:
    state = table("Kh Ad R 2s", "5h 3c 4s Js", "", stock="4d 6d 2d")
    play(state, 0, CallCambia())
    throw(state)
    throw(state)
    assert state.outcome is not None
    assert state.outcome.scores == (2, 23, 0)
    assert state.outcome.winners == (2,)
    state = table("Kh Kd", "", stock="4d 6d 2d", current=1)
    play(state, 1, CallCambia())
    throw(state)
    assert state.outcome is not None
    assert state.outcome.scores == (-2, 0)


@pytest.mark.parametrize(
    ("hands", "caller", "winners"),
    [
        ("5h,3c,9c", 0, (1,)),
        ("3h,3c,9c", 0, (0,)),  # a caller among the lowest wins alone
        ("3h,3c,9c", 2, (0, 1)),  # others share
        ("3h,3c,3d", 1, (1,)),
        ("3h,3c,3d", None, (0, 1, 2)),  # D62
        ("9h,9c,3d", None, (2,)),
    ],
)
def test_c59_k54_d62_winners(hands: str, caller: int | None, winners: tuple[int, ...]) -> None:
    state = table(*hands.split(","), stock="4d 6d 2d As Ah Ad", current=caller or 0, max_game_turns=9 if caller else 3)
    if caller is not None:
        play(state, caller, CallCambia())
    while state.phase == "playing":
        throw(state)
    assert state.outcome is not None
    assert state.outcome.winners == winners
    result = cambia.result(state)
    assert result is not None
    assert result.placings[0] == winners
    assert sorted(sum(result.placings, ())) == [0, 1, 2]


def test_c59_who_is_left_wins_whatever_the_score() -> None:
    state = table("Kc Ks", "Kh Kd", "2c")
    leave(state, 1)
    leave(state, 2)
    assert state.outcome is not None
    assert state.outcome.winners == (0,)
    assert cambia.result(state) == Result(((0,), (1, 2)), (26, None, None))


def test_c59_when_all_leave_together_nobody_wins() -> None:
    state = table("Kc Ks", "Kh Kd", "2c")
    events = leave(state, 0, 1, 2)
    assert kinds(events) == "Forfeited Forfeited Forfeited Ended"
    assert state.outcome is not None
    assert state.outcome.winners == ()
    assert cambia.result(state) == Result(((0, 1, 2),), (None, None, None))


def test_c60_d63_no_bonus_and_no_penalty_in_a_single_game() -> None:
    state = table("9c", "2c", stock="4d 6d")
    play(state, 0, CallCambia())
    throw(state)
    assert state.outcome == Outcome(
        reason="cambia",
        caller=0,
        winners=(1,),
        scores=(9, 2),
        raw=(9, 2),
        forfeited=(),
        hands=((Card("a0", "9♣"),), (Card("b0", "2♣"),)),
    )
    assert cambia.result(state) == Result(((1,), (0,)), (9, 2))


def test_c61_k55_nothing_after_the_end() -> None:
    state = table("9c", "2c", "3c")
    leave(state, 1, 2)
    for seat in range(3):
        assert cambia.moves(state, seat) == ()
        for move in (DrawStockpile(), Discard("s0"), Replace(""), CallCambia(), Snap("a0"), use("skip"), use("")):
            assert refused(state, seat, move) == "game_over"
    assert cambia.clocks(state) == ()
    assert cambia.awaited(state) == ()
    before = cambia.fingerprint(state, b"")
    assert leave(state, 0) == []
    assert cambia.fingerprint(state, b"") == before


def test_c44_debts_are_settled_before_scoring() -> None:
    state = table("10c 2c", "10d 3c", "4c", stock="6d 5d", max_game_turns=1)
    play(state, 1, Snap("a0"))
    assert state.debts == [Debt(1, 0, 0, 10_000)]
    events = throw(state)
    assert kinds(events) == "Discarded Given Ended"
    assert events[1] == Given(1, 0, "b1", 0, 1)
    assert state.outcome is not None
    assert state.outcome.scores == (5, 10, 4)


# Options


def test_d69_house_rules_have_the_specified_defaults() -> None:
    assert msgspec.to_builtins(Options()) == {
        "allow_draw_from_discard_pile": False,
        "allow_replace_abilities": False,
        "snap_race": False,
        "forfeit_on_disconnect": True,
        "penalty_draw_count": 2,
        "auto_kick_turn_count": 3,
        "turn_timer_sec": 15,
        "allow_opponent_snapping": True,
        "lock_caller_hand": True,
        "use_jokers": True,
        "cards_per_player": 4,
        "initial_view_count": 2,
        "cambia_allowed_round": 0,
        "num_decks": 0,
        "max_game_turns": 0,
        "initial_discard": True,
        "pre_game_sec": 10,
        "snap_give_sec": 10,
        "disconnect_grace_sec": 60,
        "circuit": False,
        "circuit_mode": "rounds",
        "rounds": 8,
        "target_score": 100,
        "win_bonus": -1,
        "false_cambia_penalty": 1,
        "freeze_user_on_disconnect": True,
        "round_pause_sec": 10,
    }


RANGES = {
    "penalty_draw_count": (0, 10), "auto_kick_turn_count": (0, 100), "turn_timer_sec": (0, 600),
    "cards_per_player": (2, 6), "initial_view_count": (0, 4), "cambia_allowed_round": (0, 100), "num_decks": (0, 4),
    "max_game_turns": (0, 10000), "pre_game_sec": (0, 120), "snap_give_sec": (1, 60), "disconnect_grace_sec": (0, 600),
    "rounds": (1, 40), "target_score": (1, 1000), "win_bonus": (-20, 0), "false_cambia_penalty": (0, 20),
    "round_pause_sec": (0, 120),
}  # fmt: skip
"""As they are, with all other options at their defaults."""


@pytest.mark.parametrize("name", RANGES)
def test_house_rules_have_ranges(name: str) -> None:
    least, most = RANGES[name]
    for good in (least, most):
        assert getattr(msgspec.convert({name: good}, Options), name) == good
    for bad in (least - 1, most + 1, 1.5, True, "1", None):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({name: bad}, Options)


def test_house_rules_that_are_yes_or_no() -> None:
    flags = [name for name, value in msgspec.to_builtins(Options()).items() if isinstance(value, bool)]
    assert len(flags) == 10
    for name in flags:
        for bad in (0, 1, "true", None):
            with pytest.raises(msgspec.ValidationError):
                msgspec.convert({name: bad}, Options)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"circuit_mode": "league"}, Options)


def test_no_more_cards_can_be_shown_than_there_are() -> None:
    assert msgspec.convert({"cards_per_player": 6, "initial_view_count": 6}, Options)
    with pytest.raises(msgspec.ValidationError, match="initial_view_count"):
        msgspec.convert({"cards_per_player": 1}, Options)


# In words


def test_the_game_in_words() -> None:
    state = dealt(2, first=0, order="5h Kd R 8c 2s 3h 9d Js 10h 4d 3c")
    names = ["Ann", "Ben"]
    told = [cambia.tell(event, names) for event in expire(state, "gathering", 0)]
    assert told == [
        "Round 1 is dealt. 10♥ starts the discard pile.",
        "Ann looks at 5♥ Joker.",
        "Ben looks at K♦ 8♣.",
    ]
    shown = unstyle(cambia.show(cambia.view(state, 0), names))
    assert "  Ann          5♥  Jok  ▒3▒▒ ▒4▒▒\n" in shown
    expire(state, "pregame", 0)
    events = play(state, 0, DrawStockpile())
    assert [cambia.tell(event, names) for event in seen(events, 0)] == ["Ann draws 4♦."]
    assert [cambia.tell(event, names) for event in seen(events, 1)] == ["Ann draws a card."]
    shown = unstyle(cambia.show(cambia.view(state, 0), names))
    assert "▸ Ann" in shown and "you have drawn   4♦    counts 4" in shown and "5♥" not in shown
    shown = unstyle(cambia.show(cambia.view(state, 1), names))
    assert "has drawn a card" in shown and "4♦" not in shown


def test_moves_in_words() -> None:
    state = begun(2)
    names, view = ["Ann", "Ben"], cambia.view(state, 0)

    def label(move: AnyMove) -> str:
        return cambia.label(move, view, names)

    mine, theirs = state.hands
    assert label(CallCambia()).startswith("call Cambia — ")
    assert label(Snap(theirs[1])) == "snap › Ben's › card 2"
    assert label(Give(idx=2)) == label(Give(mine[2])) == "give away › your card 3"
    assert label(use("swap_blind", mine[0], theirs[1])) == "exchange › your card 1 + Ben's card 2"
    assert label(use("peek_self", mine[0])) == "look at › your card 1"
    assert label(SKIP) == "do nothing"
    assert label(Snap("gone")) == "snap › a card that is gone"


def test_the_log_speaks_to_its_reader() -> None:
    french = languages.words("fr", cambia)

    def told(event: AnyEvent, reader: int | None, words: Words = ENGLISH) -> str:
        names = [Reader(name) if seat == reader else name for seat, name in enumerate(("Ann", "Ben"))]
        return cambia.tell(event, names, words)

    swap = Swapped(1, "swap_blind", Spot("b", 1, 1), Spot("a", 0, 3))
    assert told(swap, None) == "Ben swaps their own card 2 and Ann's card 4."
    assert told(swap, 0) == "Ben swaps their own card 2 and your card 4."
    assert told(swap, 1) == "You swap your card 2 and Ann's card 4."
    assert told(swap, 0, french) == "Ben échange sa carte 2 et votre carte 4."
    assert told(swap, 1, french) == "Vous échangez votre carte 2 et la carte 4 chez Ann."
    given = Given(1, 0, "b", 0, 0)
    assert [told(given, reader) for reader in (None, 0, 1)] == [
        "Ben gives Ann a card.",
        "Ben gives you a card.",
        "You give Ann a card.",
    ]
    assert [told(given, reader, french) for reader in (None, 0, 1)] == [
        "Ben donne une carte à Ann.",
        "Ben vous donne une carte.",
        "Vous donnez une carte à Ann.",
    ]
    # What a card is called is the same wherever it is spoken of, and a penalty is told once.
    assert told(Replaced(0, "a", 1), 0) == "You keep it as card 2."
    assert [told(Penalised(0, "a", 4 + n, n + 1, 2, 9), 1) for n in range(2)] == ["", "Ann takes 2 penalty cards."]
    outcome = Outcome("cambia", 0, (0,), (5, 9), (5, 9), (), ((Card("a", "5♥"),), (Card("b", "9♦"),)))
    assert told(Ended(outcome), 0) == "All cards are turned over. You have 5 (5♥). Ben has 9 (9♦). You win!"
    tied = Outcome("deck_exhausted", None, (0, 1), (5, 5), (5, 5), (), ((Card("a", "5♥"),), (Card("b", "5♦"),)))
    assert told(Ended(tied), 1).endswith("The win is shared by Ann and you.")
