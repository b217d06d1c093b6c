"""The rules of Faraway, by the numbers: F1 to F62 are rules, D1, D6, … decisions, R14, R23, R24 about leaving and
time, B2, … bad input, c19 to c49 lines of the checklist. Scoring (F40 to F50) has a file of its own."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from itertools import chain, pairwise, product
from typing import Any

import pytest
from click import unstyle
from msgspec.structs import replace

from croupier import laws
from croupier.games.faraway import rounds
from croupier.games.faraway.cards import REGION_DECKS, SANCTUARY_DECKS
from croupier.games.faraway.events import (
    Chose,
    Ended,
    Forfeited,
    Offered,
    Played,
    Revealed,
    RoundBegan,
    ShopOpened,
    Took,
)
from croupier.games.faraway.moves import AnyMove, Choose, Play, Take
from croupier.games.faraway.options import Options
from croupier.games.faraway.state import Private, Standing, State, View
from croupier.kernel import Chance, Clock, Illegal, OutOfTurn, Result, Rig
from croupier.kernel.chance import QuickDice
from croupier.kernel.words import Reader
from croupier.tables import languages, rulings
from croupier.tables.notices import Refused
from croupier.tables.rulings import Newcomer
from tests.games.faraway.positions import (
    FULL,
    GOLDEN,
    OPEN,
    PUBLISHED,
    QUIET,
    SOLO,
    act,
    dealt,
    faraway,
    golden,
    no_card_is_lost,
    numbers,
    read,
    rigged,
    table,
)
from tests.games.faraway.test_scoring import BOARDS


def seen(state: State, seat: int | None = None) -> View:
    return faraway.view(state, seat)


def refused(state: State, action: str) -> str:
    """The code of the refusal, which has changed nothing."""
    before = deepcopy(state)
    with pytest.raises(Illegal) as refusal:
        act(state, action)
    assert state == before
    assert str(refusal.value)
    return refusal.value.code


def round_of(state: State, *plays: int) -> list[Any]:
    """Everybody still in plays the region given for their seat."""
    return [event for seat in list(state.waiting) for event in faraway.play(state, seat, Play(plays[seat]), 0)]


# Set-up


def test_f1_d1_two_to_six_players_and_seven_with_all_cards() -> None:
    assert faraway.seats == range(2, 8)
    assert faraway.seats_for(Options()) == range(2, 7)
    assert faraway.seats_for(FULL) == range(2, 8)
    assert faraway.seats_for(SOLO) == range(1, 7)


def test_f1_tables_have_no_more_seats_than_their_cards_allow() -> None:
    def opened(seats: int | None, **options: Any) -> int:
        entry = rulings.opened(faraway, "", seats, options, "", Newcomer("Ann", "token"), (bytes(32), None))[0]
        return entry.seats  # type: ignore[union-attr]

    assert opened(6) == 6
    assert opened(None) == 4
    assert opened(7, card_set="full") == 7
    assert opened(1, solo=True) == 1
    for seats, options in ((7, {}), (8, {"card_set": "full"}), (1, {})):
        with pytest.raises(Refused, match=r"with these options Faraway is for 2 to \d players") as refusal:
            opened(seats, **options)
        assert refusal.value.code == "bad_seats"


@pytest.mark.parametrize(("options", "regions", "sanctuaries"), [(QUIET, 68, 45), (FULL, 77, 53)])
def test_f2_d2_no_card_from_outside_the_set(options: Options, regions: int, sanctuaries: int) -> None:
    state = dealt(2, options=options)
    assert (len(REGION_DECKS[options.card_set]), len(SANCTUARY_DECKS[options.card_set])) == (regions, sanctuaries)
    no_card_is_lost(state)
    assert Options().card_set == "base"


def test_f4_d50_both_decks_are_shuffled_and_nothing_else_is_left_to_luck() -> None:
    assert dealt(3, seed=1) == dealt(3, seed=1)
    tops = Counter((state.hands[0][0], state.sanctuary_deck[0]) for state in (dealt(2, seed) for seed in range(3000)))
    regions, sanctuaries = Counter[int](), Counter[int]()
    for (region, sanctuary), count in tops.items():
        regions[region] += count
        sanctuaries[sanctuary] += count
    assert len(regions) == 68 and len(sanctuaries) == 45
    assert all(abs(count - 3000 / 68) < 5 * (3000 / 68) ** 0.5 for count in regions.values())
    assert all(abs(count - 3000 / 45) < 5 * (3000 / 45) ** 0.5 for count in sanctuaries.values())
    assert not any(isinstance(getattr(dealt(2), field), Chance) for field in State.__struct_fields__)


def test_f5_c20_the_decks_of_seed_1() -> None:
    state = rigged(2)
    regions = [*chain(*state.hands), *state.shop, *state.region_deck]
    assert regions == numbers(
        "20 19 24 23 13 60 3 17 43 67 47 66 5 26 11 6 4 34 44 37 10 30 61 22 27 12 8 46 65 55 36 48 58 52 57 53 50 "
        "35 40 41 54 21 56 38 15 68 62 45 1 63 39 28 59 2 32 7 14 51 25 42 31 29 49 64 16 33 9 18"
    )
    assert state.sanctuary_deck == numbers(
        "17 19 20 21 7 43 4 31 40 10 14 13 22 3 8 33 29 27 18 9 1 42 0 36 41 38 12 39 16 34 24 6 32 28 5 44 35 23 "
        "11 26 25 15 30 2 37"
    )


def test_f5_drawn_from_the_top() -> None:
    state = faraway.deal(QUIET, 2, Chance(bytes(32), rig=Rig(shuffle=False)), 0)
    assert state.hands == [[1, 2, 3], [4, 5, 6]]
    assert state.shop == [7, 8, 9]
    assert state.region_deck[0] == 10


@pytest.mark.parametrize(("seats", "options"), [*((n, QUIET) for n in range(2, 7)), (7, FULL), (1, SOLO)])
def test_f6_f7_f8_c19_d18_the_deal(seats: int, options: Options) -> None:
    state = dealt(seats, options=options)
    assert list(map(len, state.hands)) == [3] * seats
    shop = max(seats + 1, 3)
    assert len(state.shop) == shop
    view = seen(state)
    everything = 77 if options is FULL else 68
    assert view.regions_left == everything - 3 * seats - shop
    assert view.sanctuaries_left == (53 if options is FULL else 45)
    assert (view.turn, view.phase, view.shop_order) == (0, "play", ())
    assert view.done == view.choosing == (False,) * seats
    assert faraway.awaited(state) == tuple(range(seats))


def test_c19_two_players_leave_59_regions() -> None:
    assert seen(rigged(2)).regions_left == 59


# Rounds and flags


def phases(state: State, seed: int) -> list[tuple[int, str]]:
    """The phases of a random game from here, with their turns."""
    dice = QuickDice(seed)
    found: list[tuple[int, str]] = [(state.turn, state.phase)]
    while awaited := faraway.awaited(state):
        seat = dice.choice(awaited)
        faraway.play(state, seat, dice.choice(faraway.moves(state, seat)), 0)
        if found[-1] != (state.turn, state.phase):
            found.append((state.turn, state.phase))
    return found


@pytest.mark.parametrize("seats", range(2, 7))
def test_f9_f10_c28_d15_phases_in_their_order(seats: int) -> None:
    allowed = {("play", "shop"), ("play", "sanctuary"), ("sanctuary", "shop")}
    for seed in range(20):
        found = phases(dealt(seats, seed), seed)
        assert found[:3] == [(0, "play"), (0, "shop"), (1, "play")]  # c21
        assert found[-1] == (7, "end")
        for (turn, phase), (then, following) in pairwise(found):
            if then == turn + 1:
                assert (phase, following) == ("shop", "play")
            else:
                assert then == turn
                assert (phase, following) in allowed | ({("play", "end"), ("sanctuary", "end")} if turn == 7 else set())
        assert [turn for turn, phase in found if phase == "shop"] == list(range(7))


def test_f11_c31_the_flags() -> None:
    state = rigged(3)

    def flags() -> list[tuple[bool, bool]]:
        view = seen(state)
        return list(zip(view.done, view.choosing, strict=True))

    idle, busy, done = (False, False), (False, True), (True, False)
    assert flags() == [idle, idle, idle]
    act(state, "B:P23")
    assert flags() == [idle, done, idle]
    act(state, "A:P24", f"C:P{state.hands[2][0]}")
    first, second, third = state.shop_order
    assert [flags()[seat] for seat in (first, second, third)] == [busy, idle, idle]
    faraway.play(state, first, Take(state.shop[0]), 0)
    assert [flags()[seat] for seat in (first, second, third)] == [done, busy, idle]
    state = table("5/6 7 8", "30/31 32 33", "9/2 40 41")
    round_of(state, 6, 31, 2)
    assert flags() == [busy, busy, done]
    faraway.play(state, 1, faraway.moves(state, 1)[0], 0)
    assert flags() == [busy, done, done]
    state = golden(40)
    assert flags() == [done, done]


def test_f11_exactly_one_chooses_in_the_shop_and_nobody_in_the_play_phase() -> None:
    for seed in range(30):
        for state, _ in laws.Walk(faraway, 4, QUIET, seed):
            choosing = sum(seen(state).choosing)
            if state.phase == "play":
                assert choosing == 0
            elif state.phase == "shop":
                assert choosing == 1
                assert len(faraway.awaited(state)) == 1
            assert len(faraway.awaited(state)) >= 1 or state.phase == "end"


# The play phase


def test_f12_a_card_goes_from_the_hand_to_the_row() -> None:
    state = rigged(2)
    assert act(state, "A:P19") == [Played(0, 19)]
    assert (state.hands[0], state.rows[0]) == ([20, 24], [19])


def test_f12_b5_a_play_can_not_be_taken_back_or_made_twice() -> None:
    state = rigged(2)
    act(state, "A:P19")
    assert refused(state, "A:P20") == "already_played"
    assert refused(state, "A:P19") == "already_played"


@pytest.mark.parametrize("action", ["A:P23", "A:P3", "A:P99", "A:P-1", "A:P1000000000000"])
def test_b2_b6_only_cards_in_hand(action: str) -> None:
    assert refused(rigged(2), action) == "not_in_hand"


def test_f13_c44_d6_a_choice_is_secret_until_all_have_chosen() -> None:
    state = rigged(2)
    [played] = act(state, "A:P19")
    assert played.seen_by(0) == Played(0, 19)
    assert played.seen_by(1) == played.seen_by(None) == Played(0, None)
    assert seen(state, 0).rows[0] == (19,)  # c45
    for other in (1, None):
        view = seen(state, other)
        assert view.rows[0] == ()
        assert view.hands[0] == (None, None)
        assert view.done[0]
    events = act(state, "B:P60")
    assert events[:2] == [Played(1, 60), Revealed((19, 60))]
    for everybody in (0, 1, None):
        assert seen(state, everybody).rows == ((19,), (60,))
        assert events[1].seen_by(everybody) == events[1]


def test_f13_the_choices_of_earlier_rounds_stay_visible() -> None:
    state = golden(6)  # A has played in the second round
    assert seen(state, 1).rows == ((19,), (60,))
    assert seen(state, 0).rows == ((19, 20), (60,))


def test_f14_c21_no_sanctuaries_in_the_first_round() -> None:
    state = rigged(2)
    events = act(state, "A:P19", "B:P60")
    assert state.phase == "shop"
    assert not any(isinstance(event, Offered) for event in events)


# Sanctuaries


def test_f15_f17_c22_c23_who_went_up_is_offered_one_and_another_for_each_clue() -> None:
    state = golden(6)
    events = act(state, "B:P43")  # 20 after 19; 43 after 60
    assert events == [Played(1, 43), Revealed((20, 43)), Offered(0, 2, (17, 19))]  # 20 has a clue
    assert state.phase == "sanctuary"
    assert faraway.awaited(state) == (0,)
    view = seen(state, 0)
    assert view.offers == ((17, 19), ())
    assert view.sanctuaries_left == 43


def test_f16_d11_clues_of_the_row_the_new_card_and_the_sanctuaries_count() -> None:
    state = table("6/8 30 31/15 25", "30/2 40 41")
    round_of(state, 8, 2)  # 6, and 8 just played; two sanctuaries with a clue
    assert len(state.offers[0]) == 1 + 4


def test_f18_d10_served_from_the_lowest_region_and_one_left_for_everybody() -> None:
    # Entitled to 3, 2 and 1 with 4 cards left: 2, 1 and 1.
    state = table("6/8 20 21", "12/13 22 23", "3/16 40 41", sanctuary_deck=[40, 41, 42, 43])
    events = round_of(state, 8, 13, 16)
    assert [event for event in events if isinstance(event, Offered)] == [
        Offered(0, 2, (40, 41)),
        Offered(1, 1, (42,)),
        Offered(2, 1, (43,)),
    ]
    state = table("3/16 40 41", "6/8 20 21", sanctuary_deck=[9, 8, 7, 6, 5])
    round_of(state, 16, 8)
    assert state.offers == [[6], [9, 8, 7]]  # the lower region first, whatever the seat
    assert state.sanctuary_deck == [5]


def test_f19_c24_one_is_kept_in_any_order() -> None:
    for first, second in (("A", "B"), ("B", "A")):
        state = table("6/8 20 21", "12/33 22 23", shop="1 2 3")
        round_of(state, 8, 33)
        a, b = state.offers
        kept = {"A": a[1], "B": b[0]}
        assert act(state, f"{first}:S{kept[first]}") == [Chose(ord(first) - 65, kept[first])]
        assert seen(state).phase == "sanctuary"
        assert refused(state, f"{first}:S{kept[first]}") == "not_eligible"  # b8
        act(state, f"{second}:S{kept[second]}")
        assert state.sanctuaries == [[kept["A"]], [kept["B"]]]
        assert state.phase == "shop"


def test_f19_d41_what_is_kept_is_public_and_what_was_offered_is_not() -> None:
    state = table("6/8 20 21", "12/33 22 23")
    offered = next(event for event in round_of(state, 8, 33) if isinstance(event, Offered))
    assert offered.seen_by(0) == Offered(0, 3, (0, 1, 2))
    assert offered.seen_by(1) == offered.seen_by(None) == Offered(0, 3, ())
    assert seen(state, 0).offers == ((0, 1, 2), (None, None, None))  # c43, c45
    assert seen(state, 1).offers == ((None, None, None), (3, 4, 5))
    assert seen(state, None).offers == ((None,) * 3, (None,) * 3)
    [chose] = act(state, "A:S1")
    for everybody in (0, 1, None):
        assert seen(state, everybody).sanctuaries == ((1,), ())
        assert seen(state, everybody).offers[0] == ()
        assert chose.seen_by(everybody) == chose
    assert seen(state, None).sanctuaries_left == 45 - 6  # what was not chosen waits for the end of the phase


def test_b8_b9_only_who_is_eligible_and_only_what_is_offered() -> None:
    state = table("6/8 20 21", "12/33 22 23", "40/5 41 42")
    assert refused(state, "A:S0") == "wrong_phase"
    round_of(state, 8, 33, 5)
    assert refused(state, "C:S0") == "not_eligible"
    assert refused(state, "A:S3") == "not_offered"
    assert refused(state, "A:S99") == "not_offered"


def test_f20_d9_c24_the_others_go_under_the_deck_in_the_order_of_serving() -> None:
    state = table("3/16 40 41", "6/8 20 21", sanctuary_deck=[9, 8, 7, 6, 5, 4])
    round_of(state, 16, 8)
    assert state.offers == [[6], [9, 8, 7]]
    act(state, "A:S6", "B:S8")
    assert state.sanctuary_deck == [5, 4, 9, 7]
    state = table("3/33 40 41", "6/8 20 21", sanctuary_deck=[9, 8, 7, 6, 5, 4])
    round_of(state, 33, 8)
    assert state.offers == [[6, 5], [9, 8, 7]]
    act(state, "A:S6", "B:S8")
    assert state.sanctuary_deck == [4, 9, 7, 5]


def test_f20_the_golden_game_counts_its_deck() -> None:
    assert [seen(golden(update)).sanctuaries_left for update in (6, 7, 8)] == [45, 43, 44]


def test_f21_c25_d48_nobody_eligible_no_phase() -> None:
    state = table("30/8 20 21", "40/33 22 23", shop="1 2 3")
    events = round_of(state, 8, 33)
    assert state.phase == "shop"
    assert [type(event) for event in events] == [Played, Played, Revealed, ShopOpened]


def test_f22_d8_sanctuaries_before_the_shop_and_at_last_the_end() -> None:
    state = golden(7)
    events = act(state, "A:S17")
    assert events == [Chose(0, 17), ShopOpened((0, 1))]
    state = golden(39)
    assert (state.turn, state.phase) == (7, "sanctuary")
    *_, ended = act(state, "A:S41")
    assert isinstance(ended, Ended)


# The shop


def test_f23_c26_d20_the_lowest_region_first() -> None:
    state = table("30/8 20 21", "40/33 22 23", "50/3 24 25", shop="1 2 4 5")
    round_of(state, 8, 33, 3)
    assert state.shop_order == [2, 0, 1]
    for seed in range(20):
        for state, _ in laws.Walk(faraway, 5, QUIET, seed):
            if state.phase == "shop":
                latest = [state.rows[seat][-1] for seat in state.shop_order]
                assert latest == sorted(set(latest))


def test_f24_c27_one_after_the_other() -> None:
    state = golden(3)
    assert act(state, "A:H3") == [Took(0, 3)]
    assert state.hands[0] == [20, 24, 3]
    assert state.shop == [17, 43]
    assert faraway.awaited(state) == (1,)
    assert faraway.moves(state, 0) == ()


def test_b7_not_before_your_turn_nor_twice() -> None:
    state = golden(3)
    assert refused(state, "B:H3") == "not_your_turn"
    assert refused(state, "A:H20") == "not_in_shop"
    assert refused(state, "A:H-1") == "not_in_shop"
    act(state, "A:H3")
    assert refused(state, "A:H17") == "not_your_turn"


def test_f25_d17_d19_an_empty_shop_is_passed_by() -> None:
    state = table("8/20 21", "33/22 23", "3/24 25", phase="shop", shop="50", region_deck=[60, 61])
    events = act(state, "C:H50")
    assert events == [Took(2, 50), RoundBegan(1, (60, 61))]
    assert state.phase == "play"
    state = table("30/8 20 21", "40/33 22 23", region_deck=[60, 61])
    events = round_of(state, 8, 33)
    assert events[-2:] == [ShopOpened((0, 1)), RoundBegan(2, (60, 61))]
    assert list(map(len, state.hands)) == [2, 2]


def test_f26_c27_c28_a_new_shop_and_what_was_left_never_returns() -> None:
    state = golden(4)
    events = act(state, "B:H43")
    assert events == [Took(1, 43), RoundBegan(1, (67, 47, 66))]
    assert state.discarded == [17]
    assert (state.turn, state.phase, state.waiting) == (1, "play", [0, 1])
    assert seen(state).regions_left == 56
    for seed in range(20):
        state = dealt(3, seed)
        gone: set[int] = set()
        dice = QuickDice(seed)
        while awaited := faraway.awaited(state):
            faraway.play(state, awaited[0], dice.choice(faraway.moves(state, awaited[0])), 0)
            gone |= set(state.discarded)
            assert not gone & {*state.shop, *state.region_deck, *chain(*state.hands, *state.rows)}


def test_f27_c29_d16_no_shop_in_the_last_round() -> None:
    for update in (38, 39, 40):
        assert seen(golden(update)).shop == ()
    state = golden(37)
    assert (state.turn, state.phase, state.shop) == (7, "play", [])
    left = len(state.region_deck)
    act(state, *GOLDEN[36:])
    assert len(state.region_deck) == left


@pytest.mark.parametrize(
    ("seats", "options", "used"),
    [(2, QUIET, 27), (3, QUIET, 37), (4, QUIET, 47), (5, QUIET, 57), (6, QUIET, 67), (7, FULL, 77)],
)
def test_f28_c34_there_are_enough_regions(seats: int, options: Options, used: int) -> None:
    for seed in range(10):
        state = dealt(seats, seed, options)
        assert phases(state, seed)[-1] == (7, "end")
        assert len(REGION_DECKS[options.card_set]) - len(state.region_deck) == used


# The end


def test_f29_c30_c33_the_golden_game() -> None:
    state = rigged(2)
    *_, ended = act(state, *GOLDEN)
    view = seen(state, 1)
    assert (view.phase, view.turn, view.reason, view.winners) == ("end", 7, "completed", (0,))
    assert view.hands == ((44, 30), (10, 8))
    assert view.rows == ((19, 20, 24, 67, 3, 5, 6, 27), (60, 43, 66, 23, 34, 13, 22, 11))
    assert view.sanctuaries == ((17, 20, 4, 22, 29, 41), (43, 13, 36))
    assert view.offers == ((), ())
    assert view.shop_order == (0, 1)  # d40: of the last shop
    assert view.regions_left == 41
    assert view.region_deck == tuple(
        numbers(
            "1 2 7 9 14 15 16 18 21 25 28 29 31 32 33 35 36 38 39 40 41 42 45 46 48 49 50 51 52 53 54 55 56 57 58 "
            "59 62 63 64 65 68"
        )
    )
    assert view.sanctuary_deck == tuple(
        numbers("0 1 2 3 5 6 7 8 9 10 11 12 14 15 16 18 19 21 23 24 25 26 27 28 30 31 32 33 34 35 37 38 39 40 42 44")
    )
    assert [score and (score.total, score.rounds) for score in view.scores] == [
        (40, (3, 0, 2, 4, 0, 6, 8, 4, 13)),
        (21, (0, 1, 2, 0, 0, 0, 0, 16, 2)),
    ]
    assert view.ranking == (Standing(0, 1, 40, 3), Standing(1, 2, 21, 11))
    assert ended == Ended("completed", (0,), (40, 21), view.hands, view.region_deck, view.sanctuary_deck)
    assert faraway.result(state) == Result(((0,), (1,)), (40, 21))
    assert faraway.awaited(state) == ()
    for seat in (0, 1):
        assert faraway.moves(state, seat) == ()
        for action in ("P10", "S0", "H3"):
            assert refused(state, f"{'AB'[seat]}:{action}") == "wrong_phase"  # b13


def test_f30_three_cards_before_each_play_and_two_at_the_end() -> None:
    for seed in range(20):
        state = dealt(4, seed)
        dice = QuickDice(seed)
        while awaited := faraway.awaited(state):
            for seat in awaited:
                if state.phase == "play":
                    assert len(state.hands[seat]) == 3
            seat = dice.choice(awaited)
            faraway.play(state, seat, dice.choice(faraway.moves(state, seat)), 0)
        assert list(map(len, state.hands)) == [2] * 4
        assert list(map(len, state.rows)) == [8] * 4
        assert [sum(points) for points in state.earned] == [score and score.total for score in seen(state).scores]


def tied(options: Options) -> State:
    """X9: two boards with 39 points each, here about to end in the seats B and C; A has 0."""
    boards = [BOARDS["X2"], BOARDS["X9b"], BOARDS["X9a"]]
    players = [f"{' '.join(map(str, row))}//{' '.join(map(str, kept))}" for row, kept, *_ in boards]
    # The regions of these boards are not all different, which does not matter any more.
    state = table(*players, phase="sanctuary", options=options, region_deck=[])
    rounds.end(state, "completed")
    return state


def test_f31_c41_d14_equal_scores_share_the_first_place() -> None:
    state = tied(QUIET)
    view = seen(state)
    assert view.winners == (1, 2)
    assert [score and score.total for score in view.scores] == [0, 39, 39]
    assert faraway.result(state) == Result(((1, 2), (0,)), (0, 39, 39))


def test_f32_c41_c42_the_lowest_region_decides_between_equals() -> None:
    ranked = (Standing(2, 1, 39, 1), Standing(1, 2, 39, 3), Standing(0, 3, 0, 1))
    assert seen(tied(QUIET)).ranking == ranked
    state = tied(PUBLISHED)
    assert seen(state).ranking == ranked
    assert seen(state).winners == (2,)
    assert faraway.result(state) == Result(((2,), (1,), (0,)), (0, 39, 39))


# Leaving


def test_f60_who_leaves_is_gone_with_all_cards() -> None:
    state = table("6 8/20 21 22/17", "12 13/33 23 24/3", "30 40/41 42 43")
    state.shop_order = [0, 1, 2]
    assert faraway.leave(state, [1], 0) == [Forfeited(1)]
    for everybody in (0, 1, 2, None):
        view = seen(state, everybody)
        assert view.players == (0, 2)
        assert view.shop_order == (0, 2)
        assert (view.hands[1], view.rows[1], view.sanctuaries[1], view.offers[1]) == ((), (), (), ())
    assert faraway.awaited(state) == (0, 2)
    assert faraway.moves(state, 1) == ()
    assert refused(state, "B:P33") == "out_of_turn"
    no_card_is_lost(state)


def test_f60_offers_go_under_the_deck_at_once() -> None:
    state = table("6/8 20 21", "12/33 22 23", "3/16 40 41", sanctuary_deck=range(10))
    round_of(state, 8, 33, 16)
    assert state.offers == [[0, 1, 2], [4, 5, 6], [3]]
    assert state.sanctuary_deck == [7, 8, 9]
    faraway.leave(state, [1], 0)  # still choosing
    assert state.sanctuary_deck == [7, 8, 9, 4, 5, 6]
    act(state, "A:S1")
    faraway.leave(state, [0], 0)  # has chosen, and the rest waits for the end of the phase
    assert state.sanctuary_deck[:8] == [7, 8, 9, 4, 5, 6, 0, 2]
    assert 1 not in state.sanctuary_deck
    assert state.phase == "end"


def test_f60_a_card_laid_face_down_is_never_shown() -> None:
    state = table("6/8 20 21", "12/33 22 23", "3/16 40 41")
    act(state, "B:P33")
    assert faraway.leave(state, [1], 0) == [Forfeited(1)]
    events = act(state, "A:P8", "C:P16")
    assert Revealed((8, None, 16)) in events
    assert not any(33 in view.rows[1] for view in (seen(state, None), seen(state, 0)))


def test_f61_c61_the_play_phase_goes_on_without_who_left() -> None:
    state = table("6/8 20 21", "12/33 22 23", "3/16 40 41")
    act(state, "A:P8", "C:P16")
    events = faraway.leave(state, [1], 5)
    assert events[:2] == [Forfeited(1), Revealed((8, None, 16))]
    assert state.phase == "sanctuary"
    assert state.since == 5


def test_f61_c61_so_does_the_sanctuary_phase() -> None:
    state = table("6/8 20 21", "12/33 22 23", "3/16 40 41", shop="1 2 4 5")
    round_of(state, 8, 33, 16)
    act(state, "A:S0", "B:S4")
    assert faraway.leave(state, [2], 5) == [Forfeited(2), ShopOpened((0, 1))]


def test_f61_c61_and_the_shop() -> None:
    state = table("6/20 21", "12/22 23", "30/40 41", phase="shop", shop="1 2 4 5")
    faraway.leave(state, [0], 5)
    assert faraway.awaited(state) == (1,)
    assert state.since == 5
    act(state, "B:H1")
    # The last chooser goes: the next round, with the shop of two players.
    events = faraway.leave(state, [2], 6)
    assert state.phase == "end"
    state = table("6/20 21", "12/22 23", "30/40 41", phase="shop", shop="1 2 4 5")
    act(state, "A:H1", "B:H2")
    events = faraway.leave(state, [2], 6)
    assert isinstance(events[1], RoundBegan)
    assert len(events[1].shop) == 3  # f26: with the players there are now
    assert faraway.awaited(state) == (0, 1)


def test_f61_others_go_and_the_choosers_time_runs_on() -> None:
    state = table("6/20 21", "12/22 23", "30/40 41", phase="shop", shop="1 2 4 5")
    faraway.leave(state, [2], 5)
    assert faraway.awaited(state) == (0,)
    assert state.since == 0


def test_f62_c60_d36_with_one_player_left_the_game_ends() -> None:
    state = table("17 24/30 31 32/13 10", "12 13/33 23 21")
    act(state, "A:P30")
    events = faraway.leave(state, [1], 0)
    assert events[:2] == [Forfeited(1), Revealed((30, None))]
    view = seen(state, None)
    assert (view.phase, view.reason, view.winners, view.turn) == ("end", "forfeit", (0,), 2)
    score = view.scores[0]
    assert score is not None
    assert score.rounds == (0, 0, 0, 0, 0, 2, 4, 9, 0)  # f49: the card that lay face down counts
    assert view.scores[1] is None
    assert view.ranking == (Standing(0, 1, 15, 17),)
    assert faraway.result(state) == Result(((0,), (1,)), (15, 0))
    no_card_is_lost(state)


def test_f62_nothing_is_on_offer_after_the_end() -> None:
    state = table("6/8 20 21", "12/33 22 23")
    round_of(state, 8, 33)
    faraway.leave(state, [1], 0)
    view = seen(state, 0)
    assert view.offers == ((), ())
    assert (view.done, view.choosing) == ((True, True), (False, False))
    no_card_is_lost(state)


def test_f62_before_the_first_card() -> None:
    state = dealt(2)
    faraway.leave(state, [0], 0)
    assert seen(state).ranking == (Standing(1, 1, 0, None),)
    assert faraway.result(state) == Result(((1,), (0,)), (0, 0))


def test_f62_solo_one_goes_on_alone() -> None:
    state = dealt(2, options=SOLO)
    faraway.leave(state, [0], 0)
    assert state.phase == "play"
    assert phases(state, 1)[-1] == (7, "end")
    assert seen(state).reason == "completed"
    alone = dealt(1, options=SOLO)
    assert phases(alone, 1)[-1] == (7, "end")
    assert seen(alone).winners == (0,)


def test_r14_who_leaves_together_leaves_together() -> None:
    state = dealt(4)
    events = faraway.leave(state, [0, 1, 2, 3], 0)
    assert events[:4] == [Forfeited(seat) for seat in range(4)]
    view = seen(state)
    assert (view.reason, view.winners, view.ranking) == ("abandoned", (), ())
    assert faraway.result(state) == Result(((0, 1, 2, 3),), (0, 0, 0, 0))
    assert faraway.tell(events[-1], "ABCD") == "Everybody has left."
    state = dealt(4)
    faraway.leave(state, [2], 0)
    faraway.leave(state, [0, 1], 0)
    assert seen(state).winners == (3,)
    assert faraway.result(state) == Result(((3,), (0, 1), (2,)), (0, 0, 0, 0))


def test_r14_two_of_three_at_once_do_not_finish_the_phase_twice() -> None:
    state = table("6/8 20 21", "12/33 22 23", "3/16 40 41", "1/2 4 5")
    act(state, "A:P8", "D:P2")
    events = faraway.leave(state, [1, 2], 0)
    assert [type(event) for event in events] == [Forfeited, Forfeited, Revealed, Offered, Offered]
    state = table("6/20 21", "12/22 23", "30/40 41", "31/42 43", phase="shop", shop="1 2 4 5 7")
    faraway.leave(state, [0, 1], 7)
    assert faraway.awaited(state) == (2,)


def test_d37_c64_after_the_end_nothing_changes() -> None:
    state = golden(40)
    before = deepcopy(state)
    assert faraway.leave(state, [0], 0) == []
    assert state == before


def test_leaving_twice_is_leaving_once() -> None:
    state = dealt(4)
    faraway.leave(state, [1], 0)
    before = deepcopy(state)
    assert faraway.leave(state, [1], 9) == []
    assert state == before


# Time


def test_r23_without_a_limit_no_clock_runs() -> None:
    assert faraway.clocks(dealt(3)) == ()
    assert Options().action_timeout == 90


def test_r24_c65_a_clock_for_each_phase_and_each_chooser() -> None:
    limit = Options(action_timeout=30)
    state = faraway.deal(limit, 2, Chance(bytes(32)), 1000)
    assert faraway.clocks(state) == (Clock(31_000, (0, 1), "play"),)
    state = table("6/8 20 21", "12/33 22 23", shop="1 2 3", options=limit)
    act(state, "A:P8", at=5000)
    assert faraway.clocks(state) == (Clock(30_000, (1,), "play"),)  # others being done gives nobody more time
    act(state, "B:P33", at=6000)
    assert faraway.clocks(state) == (Clock(36_000, (0, 1), "sanctuary"),)
    act(state, "B:S3", at=7000)
    assert faraway.clocks(state) == (Clock(36_000, (0,), "sanctuary"),)
    act(state, "A:S0", at=8000)
    assert faraway.clocks(state) == (Clock(38_000, (0,), "shop"),)
    act(state, "A:H1", at=9000)
    assert faraway.clocks(state) == (Clock(39_000, (1,), "shop"),)
    act(state, "B:H2", at=10_000)
    assert faraway.clocks(state) == (Clock(40_000, (0, 1), "play"),)


def test_r24_c65_time_plays_the_lowest_takes_the_first() -> None:
    limit = Options(action_timeout=30)
    state = table("6/40 8 21", "12/33 22 50", "3/16 40 41", shop="9 2 5 4", options=limit)
    act(state, "B:P33", at=1000)
    # One after the other in the order of the seats, each an action of its own, until the phase is over.
    assert faraway.expire(state, "play", 30_000) == [Played(0, 8)]
    assert faraway.clocks(state) == (Clock(30_000, (2,), "play"),)
    events = faraway.expire(state, "play", 30_000)
    assert events[:2] == [Played(2, 16), Revealed((8, 33, 16))]
    assert faraway.clocks(state) == (Clock(60_000, (0, 1, 2), "sanctuary"),)
    offers = deepcopy(state.offers)
    for seat in range(3):
        chose, *_ = faraway.expire(state, "sanctuary", 60_000)
        assert chose == Chose(seat, offers[seat][0])
    assert faraway.expire(state, "shop", 90_000) == [Took(0, 9)]
    assert faraway.clocks(state) == (Clock(120_000, (2,), "shop"),)


# Views, secrets and offers


def test_c43_d7_hands_offers_and_decks_are_hidden() -> None:
    for seed in range(10):
        for state, _ in laws.Walk(faraway, 3, QUIET, seed):
            for viewer in (None, 0, 1, 2):
                view = seen(state, viewer)
                assert view.region_deck is None or state.phase == "end"
                assert view.sanctuary_deck is None or state.phase == "end"
                for owner in state.players:
                    assert len(view.hands[owner]) == len(state.hands[owner])
                    if state.phase == "end" or owner == viewer:
                        assert view.hands[owner] == tuple(state.hands[owner])  # c45
                    else:
                        assert set(view.hands[owner]) <= {None}
                        assert set(view.offers[owner]) <= {None}


def test_c47_with_open_cards_everything_is_seen_at_once() -> None:
    state = faraway.deal(OPEN, 2, Chance(bytes(32)), 0)
    view = seen(state)
    assert view.hands == tuple(map(tuple, state.hands))
    assert view.region_deck == tuple(sorted(state.region_deck))
    assert view.sanctuary_deck == tuple(sorted(state.sanctuary_deck))
    card = state.hands[0][0]
    [played] = faraway.play(state, 0, Play(card), 0)
    assert played.seen_by(1) == played == Played(0, card, True)
    assert seen(state, 1).rows[0] == (card,)
    state = table("6/8 20 21", "12/33 22 23", options=OPEN)
    events = round_of(state, 8, 33)
    assert seen(state, None).offers == ((0, 1, 2), (3, 4, 5))
    assert Offered(0, 3, (0, 1, 2), True) in [event.seen_by(1) for event in events]


def test_c49_exactly_the_legal_moves_in_the_order_of_the_cards() -> None:
    state = rigged(2)
    assert faraway.moves(state, 0) == [Play(20), Play(19), Play(24)]
    act(state, "A:P19")
    assert faraway.moves(state, 0) == ()
    state = golden(39)
    assert faraway.moves(state, 0) == [Choose(card) for card in (41, 38, 12, 39, 16)]
    assert faraway.moves(state, 1) == ()
    state = golden(3)
    assert faraway.moves(state, 0) == [Take(3), Take(17), Take(43)]
    assert faraway.moves(state, 1) == ()


def test_c49_a_move_is_accepted_if_and_only_if_it_is_offered() -> None:
    kinds: tuple[type[Play] | type[Choose] | type[Take], ...] = (Play, Choose, Take)
    anything: list[AnyMove] = [kind(card) for kind, card in product(kinds, range(-1, 78))]
    for seed in range(3):
        for state, _ in laws.Walk(faraway, 3, QUIET, seed):
            for seat in range(3):
                offered = set(faraway.moves(state, seat))
                for move in anything:
                    attempt = deepcopy(state) if move in offered else state
                    try:
                        faraway.play(attempt, seat, move, 0)
                    except Illegal:
                        assert move not in offered
                    else:
                        assert move in offered


def test_b4_every_action_has_its_phase() -> None:
    assert refused(golden(1), "A:H3") == "wrong_phase"
    assert refused(golden(1), "A:S17") == "wrong_phase"
    assert refused(golden(3), "A:P20") == "wrong_phase"
    assert refused(golden(7), "A:P24") == "wrong_phase"
    # The phase before the turn, the turn before the card.
    assert refused(golden(3), "B:P99") == "wrong_phase"
    assert refused(golden(3), "B:H99") == "not_your_turn"
    assert refused(golden(2), "A:P99") == "already_played"
    assert refused(golden(7), "B:S99") == "not_eligible"


def test_the_golden_game_as_both_see_it() -> None:
    """The updates of the transcripts that are told in full, card by card."""
    a, b = 0, 1
    view = seen(golden(1), a)
    assert (view.hands, view.shop) == (((20, 19, 24), (None,) * 3), (3, 17, 43))
    view = seen(golden(3), a)
    assert (view.phase, view.shop_order, view.done, view.choosing) == ("shop", (0, 1), (False, False), (True, False))
    view = seen(golden(5), b)
    assert (view.turn, view.phase, view.shop, view.hands[b]) == (1, "play", (67, 47, 66), (23, 13, 43))
    view = seen(golden(7), b)
    assert (view.phase, view.sanctuaries_left, view.offers, view.rows) == (
        "sanctuary", 43, ((None, None), ()), ((19, 20), (60, 43))
    )  # fmt: skip
    assert (view.done, view.choosing) == ((False, True), (True, False))
    view = seen(golden(8), a)
    assert (view.phase, view.sanctuaries, view.sanctuaries_left) == ("shop", ((17,), ()), 44)
    view = seen(golden(10), a)
    assert (view.turn, view.regions_left, view.shop, view.hands[a]) == (2, 53, (5, 26, 11), (24, 3, 67))
    view = seen(golden(39), b)
    assert (view.sanctuaries_left, view.offers[a]) == (32, (None,) * 5)


def test_c33_the_golden_game_has_39_actions_and_all_of_them_are_offered() -> None:
    state = rigged(2)
    assert len(GOLDEN) == 39
    for action in GOLDEN:
        seat, move = read(action)
        assert move in faraway.moves(state, seat)
        faraway.play(state, seat, move, 0)
    kinds = Counter(action[2] for action in GOLDEN)
    assert (kinds["P"], kinds["H"]) == (16, 14)


def test_d40_the_order_of_the_latest_shop() -> None:
    assert seen(golden(2)).shop_order == ()
    assert seen(golden(21)).shop_order == (1, 0)  # the third round's
    assert seen(golden(39)).shop_order == (0, 1)  # of the seventh; in the eighth B is lower


def test_rows_have_as_many_cards_as_rounds_were_played() -> None:
    for seed in range(20):
        for state, _ in laws.Walk(faraway, 4, QUIET, seed):
            for seat in state.players:
                ahead = state.phase != "play" or seat not in state.waiting
                if state.reason != "forfeit":
                    assert len(state.rows[seat]) == state.turn + ahead


@pytest.mark.parametrize("options", [QUIET, OPEN])
def test_a_player_sees_what_everybody_sees_and_their_own_cards(options: Options) -> None:
    def with_own(some: tuple[Any, ...], seat: int, own: tuple[Any, ...]) -> tuple[Any, ...]:
        return (*some[:seat], own, *some[seat + 1 :])

    phases: set[str] = set()
    for seed in range(20):
        for state, _ in laws.Walk(faraway, 4, options, seed):
            public = seen(state)
            for seat in range(4):
                own = faraway.private(state, seat)
                if own is None:
                    assert seat not in state.players
                    assert seen(state, seat) == replace(public, seat=seat)
                    continue
                assert seen(state, seat) == replace(
                    public,
                    seat=seat,
                    hands=with_own(public.hands, seat, own.hand),
                    rows=with_own(public.rows, seat, own.row),
                    offers=with_own(public.offers, seat, own.offer),
                )
                phases.add(state.phase)
    assert phases == {"play", "sanctuary", "shop", "end"}


# Imagination


def test_what_was_bought_is_known_and_what_was_dealt_is_not() -> None:
    state = golden(5)  # A holds 20 and 24, dealt, and 3, bought; B holds 23, 13 and 43, bought
    hands = [faraway.imagine(state, 0, QuickDice(seed)).hands for seed in range(200)]
    assert {tuple(a) for a, _ in hands} == {(20, 24, 3)}
    assert all(43 in b for _, b in hands)
    dealt_to_b = Counter(card for _, b in hands for card in b if card != 43)
    assert len(dealt_to_b) > 50
    assert not {20, 19, 24, 60, 3, 17, 67, 47, 66} & set(dealt_to_b)  # A has seen these elsewhere


def test_which_card_lies_face_down_is_a_matter_of_chance() -> None:
    state = golden(5)
    act(state, "B:P43")
    rows = Counter(faraway.imagine(state, 0, QuickDice(seed)).rows[1][-1] for seed in range(600))
    assert 150 < rows[43] < 250
    assert all(faraway.imagine(state, 1, QuickDice(seed)).rows[1][-1] == 43 for seed in range(10))


def test_a_sanctuary_is_recognised_under_the_deck() -> None:
    state = golden(8)  # A was offered 17 and 19, and kept 17
    assert state.sanctuary_deck[-1] == 19
    a, b = ([faraway.imagine(state, seat, QuickDice(seed)).sanctuary_deck for seed in range(50)] for seat in (0, 1))
    assert {deck[-1] for deck in a} == {19}
    assert len({deck[-1] for deck in b}) > 20
    assert len({deck[0] for deck in a}) > 20


def test_at_the_end_only_the_order_of_the_decks_is_unknown() -> None:
    state = golden(40)
    imagined = faraway.imagine(state, 1, QuickDice(1))
    assert imagined != state
    assert replace(imagined, region_deck=[], sanctuary_deck=[], seen=[]) == replace(
        state, region_deck=[], sanctuary_deck=[], seen=[]
    )


def test_hands_of_those_who_left_stay_secret_after_the_end() -> None:
    state = dealt(4)
    faraway.leave(state, [1], 0)
    faraway.leave(state, [2], 0)
    phases(state, 3)
    imagined = [faraway.imagine(state, 0, QuickDice(seed)) for seed in range(50)]
    assert len({tuple(other.hands[1]) for other in imagined}) > 5
    for other in imagined:
        assert sorted(other.hands[1] + other.hands[2]) == sorted(state.hands[1] + state.hands[2])
        assert other.hands[3] == state.hands[3]


class TalkativeOffers(type(faraway)):  # type: ignore[misc]
    """Everybody sees what everybody is offered."""

    def view(self, state: State, seat: int | None) -> View:
        view = super().view(state, seat)
        return replace(view, offers=tuple(map(tuple, state.offers)))  # type: ignore[no-any-return]


class QuickReveal(type(faraway)):  # type: ignore[misc]
    """Rows are shown with the card that lies face down."""

    def view(self, state: State, seat: int | None) -> View:
        view = super().view(state, seat)
        return replace(view, rows=tuple(map(tuple, state.rows)))  # type: ignore[no-any-return]


class SecondHand(type(faraway)):  # type: ignore[misc]
    """Who has played sees the hand of the next player as their own."""

    def private(self, state: State, seat: int) -> Private | None:
        whose = seat if seat in state.waiting else (seat + 1) % len(state.hands)
        return super().private(state, whose)  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("leaky", "what"), [(TalkativeOffers(), "view"), (QuickReveal(), "view"), (SecondHand(), "private")]
)
def test_a_leak_is_noticed(leaky: laws.AnyGame, what: str) -> None:
    with pytest.raises(AssertionError, match=rf"imagined one: (after the step, )?{what}"):
        for seed in range(5):
            laws.check_secrecy(leaky, 3, QUIET, seed)


# In words


def test_refusals_are_sentences() -> None:
    with pytest.raises(Illegal, match="region 99 is not in your hand"):
        act(rigged(2), "A:P99")
    with pytest.raises(OutOfTurn):
        state = dealt(3)
        faraway.leave(state, [0], 0)
        act(state, "A:P99")


def test_the_story_of_a_game() -> None:
    state = rigged(2)
    told = [
        sentence
        for action in GOLDEN
        for event in faraway.play(state, *read(action), 0)
        if (public := event.seen_by(None)) and (sentence := faraway.tell(public, ["Ann", "Bob"]))
    ]
    assert told[:4] == [
        "The regions: Ann 19, Bob 60.",
        "The shop opens, for Ann, then Bob.",
        "Ann takes region 3.",
        "Bob takes region 43.",
    ]
    assert told[4] == "New in the shop: 67, 47, 66."
    assert "Ann keeps sanctuary 18: red, thistle." in told
    assert "The last round, without a shop." in told
    assert told[-1] == "The game is over: Ann 40, Bob 21. Won by Ann."
    assert faraway.tell(Offered(1, 1, (3,)), ["Ann", "Bob"]) == "Bob finds a sanctuary."
    assert faraway.tell(Offered(1, 2, (3, 8)), ["Ann", "Bob"]) == "Bob may keep one of 2 sanctuaries: 4, 9."
    assert faraway.tell(Forfeited(1), ["Ann", "Bob"]) == "Bob has left the game."


def test_the_story_speaks_to_whoever_reads_it() -> None:
    names = [Reader("Ann"), "Bob"]
    french = languages.words("fr", faraway)
    ended = Ended("completed", (0, 1), (40, 40), ((), ()), (), ())
    for event, english, in_french in (
        (Played(0, 19), "You choose region 19.", "Vous choisissez la région 19."),
        (Revealed((19, 60)), "The regions: you 19, Bob 60.", "Les régions\u202f: vous 19, Bob 60."),
        (Offered(0, 1, (3,)), "You find a sanctuary.", "Vous trouvez un sanctuaire."),
        (Took(0, 3), "You take region 3.", "Vous prenez la région 3."),
        (Took(1, 3), "Bob takes region 3.", "Bob prend la région 3."),
        (ShopOpened((1, 0)), "The shop opens, for Bob, then you.", "À la rivière\u202f: Bob, puis vous."),
        (
            ended,
            "The game is over: you 40, Bob 40. Won by you and Bob.",
            "La partie est finie\u202f: vous 40, Bob 40. Victoire\u202f: vous et Bob.",
        ),
    ):
        assert faraway.tell(event, names) == english
        assert faraway.tell(event, names, french) == in_french


def test_moves_in_words() -> None:
    view = faraway.view(dealt(2), 0)

    def label(move: AnyMove, seen: View = view) -> str:
        return unstyle(faraway.label(move, seen, ["Ann", "Bob"]))

    assert label(Play(20)) == "play › 20 green, night, clue, needs stone, 2 per night"
    assert label(Take(20)) == "take › 20 green, night, clue, needs stone, 2 per night"
    assert label(Choose(17)) == "keep the sanctuary › red, thistle"
    later = replace(view, rows=((19,), ()))
    assert label(Play(20), later) == label(Play(20)) + " — brings a sanctuary"
    assert label(Play(18), later) == label(Play(18)).split(" — ")[0]
