"""The rules of Palace, by the numbers: P1 to P29 are rules, D3, D4, … decisions, c33 to c70 lines of the checklist."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from copy import deepcopy
from itertools import chain, combinations, product
from math import comb

import msgspec
import pytest

from croupier import laws
from croupier.games.palace.events import AnyEvent, Burned, Chose, Ended, Flipped, PickedUp, Played, Turn, WentOut
from croupier.games.palace.moves import Choose, Play
from croupier.games.palace.offers import NO_CARDS, RankGroup
from croupier.games.palace.options import Options
from croupier.games.palace.pile import effective_top, fits, run_on_top
from croupier.games.palace.rules import Palace, deck
from croupier.games.palace.state import State
from croupier.kernel import Chance, Clock, Event, Illegal, OutOfTurn, Result, Rig
from croupier.kernel.cards import DECK, ORDER, RANKS, SUITS, rank, suit
from croupier.kernel.chance import QuickDice

palace = Palace()
SIGNS = dict(zip("cdhs", SUITS, strict=True))


def cards(text: str) -> tuple[str, ...]:
    """``"10c Kd"`` for short."""
    return tuple(card[:-1] + SIGNS[card[-1]] for card in text.split())


def play(state: State, seat: int, text: str, at: int = 0) -> Sequence[AnyEvent]:
    return palace.play(state, seat, Play(cards(text)), at)


def choose(state: State, seat: int, text: str, at: int = 0) -> Sequence[AnyEvent]:
    return palace.play(state, seat, Choose(cards(text)), at)


def dealt(seats: int, seed: int = 0, turn_timer: int = 50) -> State:
    return palace.deal(Options(turn_timer), seats, Chance(laws.seed_bytes(seed)), 0)


def table(*players: str, pile: str = "", active: int = 0) -> State:
    """A position of the play phase. A player is written as ``"hand / face up / face down"``."""
    zones = [[list(cards(zone)) for zone in player.split("/")] for player in players]
    return State(
        turn_timer=50,
        since=0,
        hands=[zone[0] for zone in zones],
        known=[[] for _ in zones],
        face_up=[zone[1] for zone in zones],
        face_down=[zone[2] for zone in zones],
        undealt=[],
        pile=list(cards(pile)),
        phase="play",
        active=active,
    )


def refused(state: State, seat: int, move: Choose | Play) -> str:
    """P25: the reason why a move is refused, having changed nothing."""
    before = deepcopy(state)
    with pytest.raises(Illegal) as refusal:
        palace.play(state, seat, move, 1000)
    assert state == before
    return str(refusal.value)


# Cards, deck and deal


def test_p1_suits_have_no_influence() -> None:
    assert RANKS == ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
    assert Counter(DECK) == Counter(value + sign for value, sign in product(RANKS, SUITS))
    for mine, other in product("cdhs", repeat=2):
        assert play(table(f"9{mine} 3c//", "5c//", pile=f"8{other}"), 0, f"9{mine}")[-1] == Turn(1, "play")


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 8, 255])
def test_p2_a_card_of_every_rank_for_every_player(seats: int) -> None:
    pack = deck(seats)
    assert len(pack) == 13 * seats
    assert Counter(map(rank, pack)) == dict.fromkeys(RANKS, seats)
    # c35: never a suit beyond the first ones
    assert set(map(suit, pack)) == set(SUITS[:seats])


def test_p2_contents_of_the_deck() -> None:
    complete = {suits: [rank + suit for rank, suit in product(RANKS, SUITS[:suits])] for suits in (2, 3, 4)}
    assert Counter(deck(2)) == Counter(complete[2])  # D5: complete suits
    assert Counter(deck(3)) == Counter(complete[3])
    assert Counter(deck(4)) == Counter(DECK)
    more = cards("2c 3d 4h 5s 6c 7d 8h 9s 10c Jd Qh Ks Ac")
    assert Counter(deck(5)) == Counter(DECK) + Counter(more)
    assert Counter(deck(8)) == Counter(DECK * 2)
    assert Counter(deck(255)) == Counter(DECK * 63) + Counter(deck(255)[: 3 * 13])


def test_p3_every_game_is_shuffled_anew() -> None:
    assert dealt(4, seed=1) == dealt(4, seed=1)
    assert dealt(4, seed=1) != dealt(4, seed=2)
    # A card is equally likely to be dealt to any zone: 6, 3 and 3 in 13 for one of two players, 1 in 13 undealt.
    games = 2600
    found = Counter[str]()
    for seed in range(games):
        state = dealt(2, seed)
        for name, zone in (("hand", state.hands[0]), ("up", state.face_up[0]), ("down", state.face_down[0])):
            found[name] += "A♣" in zone
        found["undealt"] += "A♣" in state.undealt
    for name, cards_of_26 in (("hand", 6), ("up", 3), ("down", 3), ("undealt", 2)):
        expected = games * cards_of_26 / 26
        assert abs(found[name] - expected) < 4 * expected**0.5  # four standard deviations


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 8, 255])
def test_p4_c34_twelve_cards_for_everybody(seats: int) -> None:
    state = dealt(seats)
    assert list(map(len, state.hands)) == [6] * seats
    assert list(map(len, state.face_up)) == [3] * seats
    assert list(map(len, state.face_down)) == [3] * seats
    assert len(state.undealt) == seats
    assert state.pile == state.cleared == []
    laid_out = [*chain(*state.hands, *state.face_up, *state.face_down), *state.undealt]
    assert Counter(laid_out) == Counter(deck(seats))
    for zone in state.hands + state.face_up:
        assert zone == sorted(zone, key=ORDER.__getitem__)


def test_p4_a_test_can_fix_the_deal() -> None:
    state = transcript_deal()
    assert state.face_up == [list(cards("9c Jd Qc")), list(cards("6c 10d Ad"))]
    assert state.face_down == [list(cards("8d 3c Kd")), list(cards("2c Jc 8c"))]
    assert state.hands == [list(cards("4d 5c 7d 9d 10c Kc")), list(cards("3d 5d 6d 7c Qd Ac"))]
    assert state.undealt == list(cards("4c 2d"))


def test_p4_c39_nothing_is_drawn() -> None:
    state = table("5c 9d/3c/2c", "Kc//")
    play(state, 0, "5c")
    assert state.hands[0] == list(cards("9d"))


def test_p5_c33_seats_are_drawn_by_lot() -> None:
    assert palace.customs.seating == "shuffled"


def test_p5_c53_the_turn_goes_round_and_skips_who_is_out() -> None:
    state = table("2c 2d//", "//", "5c 6d//", "6c 7d//")
    state.order = [1]
    turns = []
    for text in ("2c", "5c", "6c", "2d"):
        turns.append(state.active)
        play(state, state.active, text)
    assert turns == [0, 2, 3, 0]


# Setup


def test_p6_c34_setup_begins_with_player_0() -> None:
    state = dealt(3)
    view = palace.view(state, None)
    assert (view.phase, view.active, view.pile, view.cleared) == ("setup", 0, (), 0)
    assert view.face_up == tuple(map(tuple, state.face_up))
    assert palace.awaited(state) == (0,)


def test_p7_c36_any_three_of_nine() -> None:
    state = transcript_deal()
    events = choose(state, 0, "10c Kc Qc")
    assert events == [Chose(0, cards("10c Qc Kc")), Turn(1, "setup")]
    assert state.face_up[0] == list(cards("10c Qc Kc"))
    assert state.hands[0] == list(cards("4d 5c 7d 9c 9d Jd"))


def test_p7_keeping_the_dealt_cards_changes_nothing() -> None:
    state = transcript_deal()
    hands, face_up = deepcopy((state.hands, state.face_up))
    choose(state, 0, "Qc 9c Jd")
    assert (state.hands, state.face_up) == (hands, face_up)


@pytest.mark.parametrize("seed", range(20))
def test_p7_all_choices_are_offered_once(seed: int) -> None:
    assert len(palace.moves(dealt(4, seed), 0)) == comb(9, 3)
    # With identical cards there are fewer choices, and still none twice.
    state = dealt(12, seed)
    offered = palace.moves(state, 0)
    nine = Counter(state.hands[0] + state.face_up[0])
    distinct = {tuple(sorted(three)) for three in combinations(nine.elements(), 3)}
    assert len(offered) == len(distinct)
    assert {tuple(sorted(move.cards)) for move in offered} == distinct


def test_p7_identical_cards_count_as_often_as_held() -> None:
    state = dealt(5)
    state.hands[0], state.face_up[0] = list(cards("2c 2c 3d 5d 6d 7d")), list(cards("2c 8d 9d"))
    assert refused(state, 0, Choose(cards("2d 2c 2c"))) == "those cards are not all yours to choose from"
    choose(state, 0, "2c 2c 2c")
    assert state.hands[0] == list(cards("3d 5d 6d 7d 8d 9d"))


def test_p8_c38_in_turn_then_player_0_leads() -> None:
    state = dealt(3)
    for seat in range(3):
        assert palace.awaited(state) == (seat,)
        assert state.phase == "setup"
        _, turn = palace.play(state, seat, palace.moves(state, seat)[0], 0)
    assert turn == Turn(0, "play")
    assert palace.view(state, None).phase == "play"
    assert palace.awaited(state) == (0,)


def test_c37_refused_choices() -> None:
    state = transcript_deal()
    assert refused(state, 1, Choose(cards("6c 10d Ad"))) == "it is not your turn"
    assert refused(state, 0, Choose(cards("9c Jd"))) == "exactly three face-up cards are required"
    assert refused(state, 0, Choose(cards("9c Jd Qc Kc"))) == "exactly three face-up cards are required"
    assert refused(state, 0, Choose(cards("9c Jd 2s"))) == "those cards are not all yours to choose from"
    assert refused(state, 0, Choose(cards("9c 9c Qc"))) == "those cards are not all yours to choose from"
    assert refused(state, 0, Choose(cards("9c Jd 8d"))) == "those cards are not all yours to choose from"  # face down
    assert refused(state, 0, Choose(("", "?", "no card"))) == "those cards are not all yours to choose from"
    assert refused(state, 0, Play(cards("5c"))) == "cards can only be played in the play phase"
    assert refused(state, 0, Play(())) == "cards can only be played in the play phase"
    state = table("9c Jd Qc//", "5c//")
    assert refused(state, 0, Choose(cards("9c Jd Qc"))) == "face-up cards can only be chosen in the setup phase"
    assert refused(state, 1, Choose(cards("9c"))) == "it is not your turn"  # the turn is looked at first


# Playing


def test_p9_c47_hand_then_face_up_then_face_down() -> None:
    state = table("5c/6c 6d/7c 8c", "2c 2d 2h 3d//", pile="3c")
    assert palace.view(state, 0).zone == "hand"
    assert refused(state, 0, Play(cards("6c"))) == "you do not have those cards there"
    for mine, other in (("5c", "2c"), ("6c", "2d"), ("6d", "2h")):
        play(state, 0, mine)
        play(state, 1, other)
        assert palace.view(state, 0).zone == ("face_down" if mine == "6d" else "face_up")
    assert play(state, 0, "")[0] == Flipped(0, "8♣")
    assert palace.view(state, None).zone is None


def test_p10_c40_several_cards_of_one_rank() -> None:
    state = table("5c 5d 5h 6d/6c/", "Kc//", "Kd//", "Kh//")
    assert refused(state, 0, Play(cards("5c 6d"))) == "all played cards must have the same value"
    assert refused(state, 0, Play(cards("5c 9s"))) == "all played cards must have the same value"  # before possession
    assert refused(state, 0, Play(cards("6d 6c"))) == "you do not have those cards there"  # no mixing of zones
    assert refused(state, 0, Play(cards("5c 5d 5s"))) == "you do not have those cards there"
    assert play(state, 0, "5h 5c") == [Played(0, "hand", cards("5h 5c")), Turn(1, "play")]
    assert palace.view(state, 1).pile == palace.view(state, 1).last_cards == cards("5h 5c")  # the order named


def test_p10_offers_one_play_for_each_number_of_cards() -> None:
    state = table("3c 5c 5d 5h Ks/6c/", "Kc//", "Kd//", "Kh//")
    offered = [move.cards for move in palace.moves(state, 0)]
    assert offered == [cards(text) for text in ("3c", "5c", "5c 5d", "5c 5d 5h", "Ks")]
    assert palace.moves(state, 1) == ()


def test_p10_offers_of_many_identical_cards() -> None:
    state = table("3c " * 7 + "3d " * 6 + "9s/6c/", "Kc//")
    offered = [move.cards for move in palace.moves(state, 0)]
    assert offered == [(cards("3c " * 7 + "3d " * 6))[:count] for count in range(1, 14)] + [cards("9s")]
    assert max(map(len, groups())) <= 4  # the memory of offers is bounded


def groups() -> set[tuple[str, ...]]:
    """What the offers remember."""
    found: dict[tuple[str, ...], RankGroup] = {}
    waiting = [NO_CARDS]
    while waiting:
        group = waiting.pop()
        if group.play.cards not in found:
            found[group.play.cards] = group
            waiting.extend(group.values())
    return set(found)


def test_p10_d25_identical_cards_are_a_multiset() -> None:
    state = table("7c 7c 7d//", *["Kc//"] * 7)
    assert refused(state, 0, Play(cards("7c 7c 7c"))) == "you do not have those cards there"
    assert refused(state, 0, Play(cards("7d 7d"))) == "you do not have those cards there"
    play(state, 0, "7c 7d 7c")
    assert state.hands[0] == []


@pytest.mark.parametrize("seed", range(30))
def test_d25_every_card_held_can_be_named_in_any_order(seed: int) -> None:
    dice = QuickDice(seed)
    for position, step in laws.Walk(palace, 2 + seed % 6, Options(), seed, limit=150):
        if step is None or position.phase != "play":
            continue
        zone = position.hands[position.active] or position.face_up[position.active]
        if zone:
            value = rank(dice.choice(zone))
            group = [card for card in zone if rank(card) == value]
            dice.shuffle(group, "order")
            palace.play(deepcopy(position), position.active, Play(tuple(group[: 1 + dice.below(len(group))])), 0)


@pytest.mark.parametrize(
    ("pile", "top"),
    [("", "2"), ("4c", "2"), ("4c 4d", "2"), ("9c", "9"), ("9c 4c", "9"), ("3c 9c 4c 4d 4h", "9"), ("4c 7d", "7")],
)
def test_p11_fours_are_looked_through(pile: str, top: str) -> None:
    assert effective_top(cards(pile)) == top


MATRIX = {
    "2": "2 3 4 5 6 7 8 9 10 J Q K A",
    "3": "2 3 4 5 6 7 8 9 10 J Q K A",
    "5": "2 4 5 6 7 8 9 10 J Q K A",
    "6": "2 4 6 7 8 9 10 J Q K A",
    "7": "2 3 4 5 6 7",
    "8": "2 4 8 9 10 J Q K A",
    "9": "2 4 9 10 J Q K A",
    "J": "2 4 10 J Q K A",
    "Q": "2 4 10 Q K A",
    "K": "2 4 10 K A",
    "A": "2 4 10 A",
}


@pytest.mark.parametrize("top", MATRIX)
@pytest.mark.parametrize("fours", [0, 1, 2])
def test_p12_matrix(top: str, fours: int) -> None:
    for value in RANKS:
        playable = value in MATRIX[top].split()
        assert fits(value, top) == playable
        # The same in a game, on a pile with or without Fours; four cards of a rank are too few to burn.
        state = table(f"{value}s Kd//", *["Kc//"] * 7, pile=f"{top}c" + " 4h" * fours)
        assert palace.view(state, 0).playable == tuple(MATRIX[top].split())
        before = len(state.pile)
        events = play(state, 0, f"{value}s")
        if not playable:
            assert events == [Played(0, "hand", (f"{value}♠",)), PickedUp(0, before + 1), Turn(1, "play")]
        elif value == "10":
            assert events == [Played(0, "hand", ("10♠",)), Burned(0, before + 1), Turn(0, "play")]
        else:
            assert events == [Played(0, "hand", (f"{value}♠",)), Turn(1, "play")]


def test_p12_anything_goes_on_an_empty_pile_and_on_fours() -> None:
    for pile, value in product(("", "4c", "4c 4d"), RANKS):
        state = table(f"{value}s Kd//", *["Kc//"] * 7, pile=pile)
        assert palace.view(state, 0).playable == RANKS
        assert not any(isinstance(event, PickedUp) for event in play(state, 0, f"{value}s"))


def test_p13_c41_a_two_resets_the_pile() -> None:
    state = table("2c Kc//", "3c Kd//", "Kh//", pile="As")
    play(state, 0, "2c")
    assert play(state, 1, "3c") == [Played(1, "hand", cards("3c")), Turn(2, "play")]


def test_p13_c42_a_four_is_transparent() -> None:
    state = table("4c Kc//", "Qd Kd//", "Kh//", pile="Ks")
    assert play(state, 0, "4c") == [Played(0, "hand", cards("4c")), Turn(1, "play")]
    assert play(state, 1, "Qd") == [Played(1, "hand", cards("Qd")), PickedUp(1, 3), Turn(2, "play")]


def test_p13_c43_a_seven_asks_for_less() -> None:
    for value in RANKS:
        state = table(f"{value}s Kd//", *["Kc//"] * 7, pile="7c 4c")
        picked_up = any(isinstance(event, PickedUp) for event in play(state, 0, f"{value}s"))
        assert picked_up == (value in ("8", "9", "10", "J", "Q", "K", "A"))


def test_p14_d3_c46_an_unplayable_play_is_a_pick_up() -> None:
    state = table("9c 9d Kd//", "5c 6c//", "5d//", pile="3c 7c")
    state.cleared = list(cards("10c"))
    events = play(state, 0, "9d 9c")
    assert events == [Played(0, "hand", cards("9d 9c")), PickedUp(0, 4), Turn(1, "play")]
    view = palace.view(state, 0)
    assert view.hand == cards("3c 7c 9c 9d Kd")
    assert (view.pile, view.cleared, view.active, view.order) == ((), 1, 1, ())
    assert (view.last_cards, view.last_zone) == (cards("9d 9c"), "hand")


def test_p14_c43_d6_a_ten_on_a_seven_is_picked_up() -> None:
    state = table("10c 10d Kd//", "5c 6c//", pile="7c 4c")
    events = play(state, 0, "10c 10d")  # two Tens of two: neither P15 nor P16
    assert events == [Played(0, "hand", cards("10c 10d")), PickedUp(0, 4), Turn(1, "play")]
    assert state.cleared == []


def test_p14_no_rank_burns_by_an_unplayable_play() -> None:
    state = table("9c 9d Kd//", "5c 6c//", pile="Kc")
    assert play(state, 0, "9c 9d") == [Played(0, "hand", cards("9c 9d")), PickedUp(0, 3), Turn(1, "play")]


def test_d36_the_pile_can_be_picked_up_on_purpose() -> None:
    state = table("3c Ad//", "5c 6c//", pile="Kc")
    assert fits("A", "K")
    assert play(state, 0, "3c") == [Played(0, "hand", cards("3c")), PickedUp(0, 2), Turn(1, "play")]
    state = table("Qc Ad//", "5c 6c//", pile="3c")
    assert refused(state, 0, Play(())) == "name at least one card"  # no message for it, and no passing


@pytest.mark.parametrize("pile", ["", "Kc", "3c 3d 4h Ah"])
@pytest.mark.parametrize("tens", ["10c", "10c 10d 10h"])
def test_p15_c44_a_ten_burns(pile: str, tens: str) -> None:
    state = table("10c 10d 10h Kd//", "5c//", "5d//", "5h//", pile=pile)
    count = len(cards(pile)) + len(cards(tens))
    assert play(state, 0, tens) == [Played(0, "hand", cards(tens)), Burned(0, count), Turn(0, "play")]
    view = palace.view(state, 0)
    assert (view.pile, view.cleared, view.active, view.last_cards) == ((), count, 0, cards(tens))


@pytest.mark.parametrize(
    ("seats", "pile", "burns"),
    [
        (4, "3c 3d 3h 3s", True),
        (4, "3c 3d 4c 3h 4d 3s", True),
        (4, "Ac 4c 4d 4h 4s", True),
        (4, "3c 3d 3h 4c", False),
        (2, "Kc 4c Kd", True),
        (2, "5c 5d", True),
        (2, "Kc 4c 4d", True),
        (3, "5c 5d", False),
        (3, "5c 5d 5h", True),
        (4, "3c 3d 5c 3h 3s", False),
        (4, "3c 3d 3h 4c 4d 4h 4s", True),
        (2, "Kc 2c Kd", False),
        (5, "3c 3d 3h 3s", False),
        (5, "3c 3d 3d 4d 3h 3s", True),
    ],
)
def test_p16_c45_d4_a_complete_rank_burns(seats: int, pile: str, burns: bool) -> None:
    assert (run_on_top(cards(pile)) >= seats) == burns
    *before, last = pile.split()
    others = ["As Ks//"] * (seats - 1)
    state = table(f"{last} As//", *others, pile=" ".join(before))
    played = play(state, 0, last)
    assert (Burned(0, len(pile.split())) in played) == burns
    assert (state.active == 0) == burns


def test_p16_c45_whoever_played_them_and_one_play_alone() -> None:
    state = table("5c 9c//", "5d 5h 9d//", "Kc//")
    play(state, 0, "5c")
    assert play(state, 1, "5d 5h")[1:] == [Burned(1, 3), Turn(1, "play")]
    state = table("5c 5d 5h 9c//", "9d//", "Kc//", pile="3c")
    assert play(state, 0, "5c 5d 5h")[1:] == [Burned(0, 4), Turn(0, "play")]


def test_p16_counts_the_players_of_the_start() -> None:
    state = table("5c 9c//", "5d 9d//", "//")
    state.order = [2]
    play(state, 0, "5c")
    assert play(state, 1, "5d") == [Played(1, "hand", cards("5d")), Turn(0, "play")]


def test_p17_who_burns_plays_again() -> None:
    state = table("10c 3c//", "9d//", pile="Kc")
    play(state, 0, "10c")
    assert palace.awaited(state) == (0,)
    assert refused(state, 1, Play(cards("9d"))) == "it is not your turn"
    assert play(state, 0, "3c")[-1] == Ended((0, 1))


def test_p17_c53_out_with_a_burn_the_next_player_leads() -> None:
    state = table("10c//", "9d//", "Kd//", pile="Kc")
    assert play(state, 0, "10c") == [Played(0, "hand", cards("10c")), WentOut(0, 1), Burned(0, 2), Turn(1, "play")]
    assert (state.pile, state.active) == ([], 1)


def test_p18_c39_a_playable_play_passes_the_turn() -> None:
    state = table("5c 9d//", "6c//", pile="3c")
    assert play(state, 0, "5c") == [Played(0, "hand", cards("5c")), Turn(1, "play")]
    assert palace.view(state, 1).pile == cards("3c 5c")


def test_p19_c48_c49_face_down_cards_are_played_blindly() -> None:
    state = table("//3c Qc 5c", "2c 2d//", pile="8c")
    assert refused(state, 0, Play(cards("5c"))) == "a face-down play must name no cards"
    assert palace.moves(state, 0) == (Play(()),)
    # The one dealt last does not fit: it comes into the hand with the pile.
    assert play(state, 0, "") == [Flipped(0, "5♣"), PickedUp(0, 2), Turn(1, "play")]
    view = palace.view(state, 0)
    assert (view.hand, view.face_down[0], view.zone) == (cards("5c 8c"), 2, "hand")
    assert (view.last_cards, view.last_zone) == (cards("5c"), "face_down")
    play(state, 1, "2c")
    assert refused(state, 0, Play(())) == "name at least one card"
    play(state, 0, "8c")
    play(state, 1, "2d")


def test_p19_a_face_down_card_that_fits_is_played() -> None:
    state = table("//3c Qc", "2c//", pile="8c")
    assert play(state, 0, "") == [Flipped(0, "Q♣"), Turn(1, "play")]
    state = table("//3c 10c", "2c//", pile="8c")
    assert play(state, 0, "") == [Flipped(0, "10♣"), Burned(0, 2), Turn(0, "play")]
    assert play(state, 0, "")[:2] == [Flipped(0, "3♣"), WentOut(0, 1)]


def test_p20_going_out() -> None:
    state = table("3c//", "2c 3d//", "5c 6d//")
    assert play(state, 0, "3c") == [Played(0, "hand", cards("3c")), WentOut(0, 1), Turn(1, "play")]
    assert state.order == [0]
    assert refused(state, 0, Play(cards("3c"))) == "it is not your turn"
    assert palace.view(state, 0).zone is None


@pytest.mark.parametrize("player", ["3c//", "/3c/", "//3c"])
def test_p20_who_picks_up_is_not_out(player: str) -> None:
    state = table(player, "5c 6c//", "5d 6d//", pile="Kc")
    events = play(state, 0, "" if player == "//3c" else "3c")
    assert events[1:] == [PickedUp(0, 2), Turn(1, "play")]
    assert (state.order, state.hands[0]) == ([], list(cards("3c Kc")))


def test_p21_the_pile_stays_when_somebody_goes_out() -> None:
    state = table("Ac//", "Kc 3d//", "5c 6d//", pile="Kd")
    play(state, 0, "Ac")
    assert palace.view(state, 1).pile == cards("Kd Ac")
    assert PickedUp(1, 3) in play(state, 1, "Kc")


# End


def test_p22_c54_the_game_ends_when_one_is_left() -> None:
    state = table("5c//", "7c//", "6c//", "Kd//")
    play(state, 0, "5c")
    assert palace.result(state) is None
    play(state, 1, "7c")
    events = play(state, 2, "6c")
    assert events == [Played(2, "hand", cards("6c")), WentOut(2, 3), Ended((0, 1, 2, 3))]
    assert palace.result(state) == Result(((0,), (1,), (2,), (3,)))
    assert palace.view(state, None).order == (0, 1, 2, 3)


@pytest.mark.parametrize(("pile", "last"), [("Kc", "10c"), ("5d", "5c"), ("Kc 4c", "4d")])
def test_p23_d11_the_last_play_burns_nothing(pile: str, last: str) -> None:
    state = table(f"{last}//", "9c 9d//", pile=pile)
    assert play(state, 0, last) == [Played(0, "hand", cards(last)), WentOut(0, 1), Ended((0, 1))]
    view = palace.view(state, 1)
    assert (view.phase, view.active, view.cleared) == ("complete", 0, 0)
    assert view.pile == cards(f"{pile} {last}")
    assert not (palace.awaited(state) or palace.clocks(state) or palace.moves(state, 0) or palace.moves(state, 1))
    assert refused(state, 0, Play(())) == "cards can only be played in the play phase"
    assert refused(state, 1, Play(cards("9c"))) == "it is not your turn"


def test_p24_another_game_is_another_deal() -> None:
    state = table("10c//", "9c//")
    play(state, 0, "10c")
    assert palace.result(state) is not None
    assert palace.result(dealt(2, seed=2)) is None
    assert dealt(2, seed=2) != dealt(2, seed=3)
    assert (palace.customs.keep_absent, palace.customs.absent_host) == (False, "close")  # D21


# Invariants


def test_p25_c50_a_refusal_changes_nothing() -> None:
    state = table("5c 6c/7c/8c", "9c//", pile="3c")
    attempts: list[tuple[int, Choose | Play]] = [
        (1, Play(cards("9c"))),
        (0, Choose(cards("5c 6c 7c"))),
        (0, Play(())),
        (0, Play(cards("5c 6c"))),
        (0, Play(cards("7c"))),
        (0, Play(cards("5c 5d"))),
        (0, Play(cards("5c 5c"))),
        (0, Play(("5",))),
        (0, Play(("",))),
        (0, Play(("5♣", "5?"))),
        (7, Play(cards("5c"))),
        (-1, Play(cards("5c"))),
    ]
    for seat, move in attempts:
        assert refused(state, seat, move)
    assert palace.clocks(state) == (Clock(50_000, (0,)),)
    with pytest.raises(OutOfTurn):
        play(state, 1, "9c")


@pytest.mark.parametrize(("seats", "games"), [(2, 900), (3, 150), (4, 50), (5, 20), (8, 5)])
def test_p26_c51_no_card_is_lost_or_invented(seats: int, games: int) -> None:
    pack = Counter(deck(seats))
    for seed in range(games):
        undealt = dealt(seats, seed).undealt
        cleared: list[str] = []
        for state, _ in laws.Walk(palace, seats, Options(), seed, limit=500):
            zones = [*state.hands, *state.face_up, *state.face_down, state.pile, state.cleared]
            assert sum(map(len, zones)) == 12 * seats
            assert Counter(chain(state.undealt, *zones)) == pack
            assert state.undealt == undealt  # these two never come back
            assert state.cleared[: len(cleared)] == cleared
            cleared = state.cleared.copy()


@pytest.mark.parametrize(("seats", "games"), [(2, 60), (3, 20), (4, 8), (5, 4)])
def test_p27_c52_nobody_sees_a_hidden_card(seats: int, games: int) -> None:
    for seed in range(games):
        for state, _ in laws.Walk(palace, seats, Options(), seed):
            for viewer in (None, *range(seats)):
                view = palace.view(state, viewer)
                assert view.hand == (() if viewer is None else tuple(state.hands[viewer]))
                # c51: what is told adds up.
                told = sum(view.hands) + sum(map(len, view.face_up)) + sum(view.face_down)
                assert told + len(view.pile) + view.cleared == 12 * seats
                # All cards that are named lie open, are the viewer's own, or were in the last play.
                visible = Counter(chain(view.hand, state.pile, state.last_cards, *state.face_up))
                assert named_cards(view) <= visible


def named_cards(message: msgspec.Struct) -> Counter[str]:
    return Counter(re.findall(r"(?:10|[2-9JQKA])[♣♦♥♠]", msgspec.json.encode(message).decode()))


def test_p27_events_name_only_cards_that_lie_open() -> None:
    for seed in range(100):
        for before, step in laws.Walk(palace, 3, Options(), seed):
            if not isinstance(step, laws.Moved):
                continue
            state = deepcopy(before)
            for event in step.take(palace, state):
                assert event.seen_by(None) is event  # nothing in it that anybody may not see
                opened = Counter(chain(state.pile, state.last_cards, *state.face_up))
                assert named_cards(event) <= opened


def test_p27_what_was_seen_is_remembered() -> None:
    """Nobody imagines a card elsewhere that they have seen going into a hand."""
    state = transcript_deal()
    choose(state, 0, "10c Kc Qc")  # 9c and Jd were face up
    choose(state, 1, "6c 10d Ad")
    assert Counter(state.known[0]) == Counter(cards("9c Jd"))
    assert state.known[1] == []
    dice = QuickDice(1)
    assert all({"9♣", "J♦"} <= set(palace.imagine(state, 1, dice).hands[0]) for _ in range(50))
    play(state, 0, "9c")
    assert state.known[0] == list(cards("Jd"))
    play(state, 1, "3d")  # picked up together with the Nine
    assert Counter(state.known[1]) == Counter(cards("9c 3d"))
    for viewer in (None, 0):
        assert all({"9♣", "3♦"} <= set(palace.imagine(state, viewer, dice).hands[1]) for _ in range(50))
    # What nobody has seen may be anywhere, even what the owner of the state knows to be face down.
    somewhere = {card for _ in range(200) for card in palace.imagine(state, None, dice).hands[1]}
    assert set(chain(state.hands[1], state.undealt, *state.face_down)) <= somewhere
    # One's own hand is certain; one's own face-down cards are not.
    imagined = [palace.imagine(state, 1, dice) for _ in range(50)]
    assert all(other.hands[1] == state.hands[1] for other in imagined)
    assert any(other.face_down[1] != state.face_down[1] for other in imagined)


def test_p27_identical_cards_are_remembered_as_often_as_seen() -> None:
    state = table("5c 5c 9d//", *["Kc Kd//"] * 4, pile="")
    state.known[0] = list(cards("5c"))
    play(state, 0, "5c")  # the one that was seen, as far as anybody can know
    assert state.known[0] == []
    assert state.hands[0] == list(cards("5c 9d"))
    # In setup: of two that were face up, one has gone into the hand.
    state = dealt(5)
    state.hands[0], state.face_up[0] = list(cards("3d 5d 6d 7d 8d 9d")), list(cards("2c 2c Kd"))
    choose(state, 0, "2c 3d 5d")
    assert Counter(state.known[0]) == Counter(cards("2c Kd"))


# Time


def test_p28_d15_every_action_has_a_clock_of_its_own() -> None:
    state = palace.deal(Options(), 2, transcript_chance(), 1000)
    assert palace.clocks(state) == (Clock(due=51_000, seats=(0,), name="turn"),)
    choose(state, 0, "10c Kc Qc", at=3000)
    assert palace.clocks(state) == (Clock(due=53_000, seats=(1,)),)
    choose(state, 1, "6c 10d Ad", at=4000)
    play(state, 0, "5c", at=6000)
    assert palace.clocks(state) == (Clock(due=56_000, seats=(1,)),)
    play(state, 1, "5d", at=9000)  # burns, and the same player has the full time again
    assert palace.clocks(state) == (Clock(due=59_000, seats=(1,)),)


def test_p28_the_limit_is_an_option() -> None:
    assert palace.clocks(dealt(2, turn_timer=1)) == (Clock(1000, (0,)),)
    assert palace.clocks(dealt(2, turn_timer=0)) == ()
    assert Options() == Options(turn_timer=50)
    for bad in (-1, 256, 1.5, "50", None, True):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({"turn_timer": bad}, Options)


def test_p29_a_bot_takes_over() -> None:
    customs = palace.customs
    assert (customs.late, customs.absent, customs.away_limit) == ("stand_in", "stand_in", 50)


# A whole game, as in the specification of the wire protocol


def transcript_chance() -> Chance:
    order = "9c Jd Qc  8d 3c Kd  4d 5c 7d 9d 10c Kc   6c 10d Ad  2c Jc 8c  3d 5d 6d 7c Qd Ac   4c 2d"
    return Chance(bytes(32), rig=Rig(orders={"deck": list(cards(order))}))


def transcript_deal() -> State:
    return palace.deal(Options(), 2, transcript_chance(), 0)


TRANSCRIPT: list[tuple[int, str, tuple[int, int], int, int, int, str]] = [
    # who, plays what; then: cards in hand, on the pile, burned; whose turn; what was played
    (0, "5c", (5, 6), 1, 0, 1, "5c"),
    (1, "5d", (5, 5), 0, 2, 1, "5d"),
    (1, "7c", (5, 4), 1, 2, 0, "7c"),
    (0, "9c 9d", (6, 4), 0, 2, 1, "9c 9d"),
    (1, "6c 6d", (6, 2), 0, 4, 1, "6c 6d"),
    (1, "3d", (6, 1), 1, 4, 0, "3d"),
    (0, "4d", (5, 1), 2, 4, 1, "4d"),
    (1, "Qd", (5, 0), 3, 4, 0, "Qd"),
    (0, "Jd", (8, 0), 0, 4, 1, "Jd"),
    (1, "Ac Ad", (8, 0), 0, 6, 1, "Ac Ad"),
    (1, "10d", (8, 0), 0, 7, 1, "10d"),
    (1, "", (8, 0), 1, 7, 0, "8c"),
    (0, "9c 9d", (6, 0), 0, 10, 0, "9c 9d"),
    (0, "Qd", (5, 0), 1, 10, 1, "Qd"),
    (1, "", (5, 2), 0, 10, 0, "Jc"),
    (0, "7c 7d", (3, 2), 0, 12, 0, "7c 7d"),
    (0, "4d", (2, 2), 1, 12, 1, "4d"),
    (1, "Jc", (2, 1), 2, 12, 0, "Jc"),
    (0, "Jd", (1, 1), 0, 15, 0, "Jd"),
    (0, "3d", (0, 1), 1, 15, 1, "3d"),
    (1, "Qd", (0, 0), 2, 15, 0, "Qd"),
    (0, "10c", (0, 0), 0, 18, 0, "10c"),
    (0, "Qc", (0, 0), 1, 18, 1, "Qc"),
    (1, "", (0, 0), 2, 18, 1, "2c"),
]


def test_the_game_of_the_specification() -> None:
    state = transcript_deal()
    choose(state, 0, "10c Kc Qc")
    choose(state, 1, "Ac 10d Ad")
    for seat, text, hands, pile, cleared, active, last in TRANSCRIPT:
        play(state, seat, text)
        view = palace.view(state, None)
        shown = (view.hands, len(view.pile), view.cleared, view.active, view.last_cards)
        assert shown == (hands, pile, cleared, active, cards(last))
    assert palace.result(state) == Result(((1,), (0,)))


def test_a_client_can_follow_by_the_events_alone() -> None:
    """From the first view on, events say all that later views show."""
    for seed in range(60):
        seats = 2 + seed % 4
        follower: Follower | None = None
        for state, step in laws.Walk(palace, seats, Options(), seed, limit=300):
            view = palace.view(state, 0)
            if follower is None:
                follower = Follower(view.hand, view.face_up)
            assert follower.hand == Counter(view.hand)
            assert follower.hands == list(view.hands)
            assert follower.face_up == [Counter(zone) for zone in view.face_up]
            assert follower.face_down == list(view.face_down)
            assert tuple(follower.pile) == view.pile
            assert follower.cleared == view.cleared
            assert follower.order == list(view.order)
            assert (follower.phase, follower.active) == (view.phase, view.active)
            if step is not None:
                for event in step.take(palace, deepcopy(state)):
                    follower.follow(event)


class Follower:
    """Seat 0's client, knowing how cards lie on a table and nothing of the rules."""

    def __init__(self, hand: Sequence[str], face_up: Sequence[Sequence[str]]) -> None:
        self.hand = Counter(hand)
        self.hands = [6] * len(face_up)
        self.face_up = [Counter(zone) for zone in face_up]
        self.face_down = [3] * len(face_up)
        self.pile: list[str] = []
        self.cleared = 0
        self.order: list[int] = []
        self.phase = "setup"
        self.active = 0

    def follow(self, event: Event) -> None:
        match event:
            case Chose(seat, chosen):
                if seat == 0:
                    self.hand = self.hand + self.face_up[0] - Counter(chosen)
                self.face_up[seat] = Counter(chosen)
            case Played(seat, "hand", played):
                self.hands[seat] -= len(played)
                if seat == 0:
                    self.hand -= Counter(played)
                self.pile += played
            case Played(seat, _, played):
                self.face_up[seat] -= Counter(played)
                self.pile += played
            case Flipped(seat, card):
                self.face_down[seat] -= 1
                self.pile.append(card)
            case PickedUp(seat, count):
                assert count == len(self.pile)
                self.hands[seat] += count
                if seat == 0:
                    self.hand += Counter(self.pile)
                self.pile = []
            case Burned(_, count):
                assert count == len(self.pile)
                self.cleared += count
                self.pile = []
            case WentOut(seat, place):
                self.order.append(seat)
                assert place == len(self.order)
            case Turn(seat, phase):
                self.active, self.phase = seat, phase
            case Ended(order):
                self.order, self.phase = list(order), "complete"
