"""The rules of Coup by their numbers: U1 to U50 are rules, D1, D2, … decisions, c1 to c91 lines of the checklist.

Absence (U60 to U63) is in ``test_absence.py``; what the table does (U5 to U8, U70) in ``test_tables.py``; refusals and
the order of their checks in ``test_refusals.py``.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain

import msgspec
import pytest

from croupier import laws
from croupier.games.coup.characters import ACTIONS, BLOCKS, CLAIMS, DECK
from croupier.games.coup.events import (
    Allowed,
    Blocked,
    Challenged,
    CoinsChanged,
    Drew,
    Ended,
    Exchanged,
    Executed,
    Losing,
    Passed,
    Proposed,
    Revealed,
    Swapped,
    Turn,
    WentOut,
)
from croupier.games.coup.moves import Accept, Allow, Block, CallBs, Confirm, Keep, Lose, Propose, Withdraw
from croupier.games.coup.options import Options
from croupier.kernel import Chance, Clock, Result
from tests.games.coup.bench import ANN, BOB, CY, INJECTED, START, Table, cards, coup, kinds

both = pytest.mark.parametrize("ruleset", ["note", "official"])


# Deck, players, set-up


def test_u1_three_of_each_of_five_characters() -> None:
    """c1, D8."""
    assert len(DECK) == 15
    assert Counter(DECK) == dict.fromkeys(("duke", "ambassador", "assassin", "contessa", "captain"), 3)


def test_u2_the_deck_is_a_list_and_its_top_is_drawn() -> None:
    """D10: the bottom is the last one."""
    state = coup.lobby(Options(), Chance(laws.seed_bytes(1)), 0)
    deck = [state.faces[card] for card in state.deck]
    assert Counter(deck) == Counter(DECK)
    coup.sit(state, 0, 0)
    assert [state.faces[card] for card in state.hands[0]] == deck[:2]
    assert [state.faces[card] for card in state.deck] == deck[2:]
    orders = {tuple(coup.lobby(Options(), Chance(laws.seed_bytes(n)), 0).faces) for n in range(50)}
    assert len(orders) == 50


def test_u2_the_deck_can_be_given() -> None:
    assert (*Table(3).hand(ANN), *Table(3).hand(BOB), *Table(3).hand(CY), *Table(3).deck) == INJECTED


def test_u3_two_to_six_players() -> None:
    """D7: with six, three cards are left, so an exchange can always draw two."""
    assert list(coup.seats) == [2, 3, 4, 5, 6]
    table = Table(6)
    assert len(table.deck) == 3
    table.propose(ANN, "exchange")
    table.pass_time(60_000)
    assert len(table.deck) == 1


def test_u4_two_cards_and_two_coins_on_sitting_down() -> None:
    """c2, c3, D57, D61: nothing is dealt at the start, and nobody starts with less."""
    state = coup.lobby(Options(), Chance(laws.seed_bytes(1)), 0)
    for count, seat in enumerate([3, 5, 8], start=1):
        (dealt,) = coup.sit(state, seat, 0)
        assert len(state.deck) == 15 - 2 * count
        view = coup.view(state, seat)
        assert view.seats == (3, 5, 8)[:count]
        assert view.coins == (2,) * count
        assert [slot.card for slot in view.cards[-1]] == list(dealt.cards or ())  # type: ignore[union-attr]
        assert not any(slot.revealed for slot in view.cards[-1])
        assert view.current is None
    before = list(state.deck)
    state = coup.begin(state, Options(), [3, 5, 8], 7)
    assert state.deck == before


def test_u5_turns_go_round_past_those_who_are_out() -> None:
    """c61, D59."""
    table = Table(4)
    assert table.state.current == ANN
    table.lost(CY, 0)
    table.lost(CY, 1)
    turns = []
    for _ in range(7):
        turns.append(table.state.current)
        table.income(table.state.current)
    assert turns == [0, 1, 3, 0, 1, 3, 0]


def test_u7_a_leaver_s_cards_go_back_and_the_deck_is_shuffled() -> None:
    """D9: else joining and leaving again and again would show the whole deck."""
    bottoms = set()
    for seed in range(30):
        state = coup.lobby(Options(), Chance(laws.seed_bytes(1)), 0)
        for seat in range(3):
            coup.sit(state, seat, 0)
        state.chance = Chance(laws.seed_bytes(seed))  # the same deck each time, and shuffled in another way
        coup.rise(state, 1, 0)
        assert (len(state.deck), state.seats, state.coins) == (11, [0, 2], [2, 2])
        assert Counter(state.faces) == Counter(DECK)
        assert sorted([*state.deck, *chain(*state.hands)]) == list(range(15))
        bottoms.add(tuple(state.faces[card] for card in state.deck[-2:]))
    assert len(bottoms) > 8


def test_u9_coins_are_never_negative_and_never_more_than_twelve() -> None:
    table = Table(2)
    table.coins[ANN] = 9
    table.propose(ANN, "tax")
    table.pass_time(60_000)
    assert table.coins == [12, 2]
    # D62: however many there are. And laws.coup_cards checks the limits in thousands of positions.


def test_u10_what_is_public_and_what_is_secret() -> None:
    """c77: of the deck only how many cards there are."""
    table = Table(3)
    table.lost(BOB, 1)
    view = table.view(ANN)
    assert view.deck == 9
    assert [[slot.card for slot in slots] for slots in view.cards] == [
        ["duke", "captain"],
        [None, "contessa"],
        [None] * 2,
    ]
    assert view.revealed == ((), ("contessa",), ())
    everybody = table.view(None)
    assert [slot.card for slots in everybody.cards for slot in slots] == [None, None, None, "contessa", None, None]
    assert everybody.pool is None


def test_u11_the_start() -> None:
    state = coup.lobby(Options(), Chance(laws.seed_bytes(1)), 0)
    for seat in (0, 4, 9):
        coup.sit(state, seat, 0)
    hands = [list(hand) for hand in state.hands]
    state = coup.begin(state, Options(ruleset="official"), [0, 4, 9], 77)
    assert (state.phase, state.current, state.since) == ("awaiting_action", 0, 77)
    assert (state.hands, state.seats) == (hands, [0, 1, 2])
    assert state.options.ruleset == "official"  # as they are when the game begins


@pytest.mark.parametrize("seats", coup.seats)
def test_a_deal_is_as_if_all_had_sat_down(seats: int) -> None:
    state = coup.lobby(Options(), Chance(laws.seed_bytes(seats)), 5)
    for seat in range(seats):
        coup.sit(state, seat, 6)
    assert coup.deal(Options(), seats, Chance(laws.seed_bytes(seats)), 7) == coup.begin(
        state, Options(), range(seats), 7
    )


# The seven actions


def test_u12_any_action_may_be_proposed_whatever_one_holds() -> None:
    """c30: and the offers don't depend on the hand."""
    offers = set()
    for deck in (INJECTED, tuple(reversed(INJECTED)), tuple(sorted(INJECTED))):
        table = Table(2, deck=deck)
        table.coins[:] = [9, 9]
        offers.add(tuple(table.moves(ANN)))
    (moves,) = offers
    assert {move.action for move in moves if isinstance(move, Propose)} == set(ACTIONS)
    assert all(isinstance(move, Propose) for move in moves)


@pytest.mark.parametrize("coins", [10, 11, 12])
def test_u13_ten_coins_or_more_must_coup(coins: int) -> None:
    """c26, D6, B7."""
    table = Table(3)
    table.coins[ANN] = coins
    assert table.moves(ANN) == (Propose("coup", BOB), Propose("coup", CY))
    for action in ACTIONS:
        if action != "coup":
            assert table.refused(ANN, Propose(action)) == "must_coup"
    table.propose(ANN, "coup", BOB)
    assert table.coins[ANN] == coins - 7


def test_u13_nine_coins_need_not() -> None:
    table = Table(3)
    table.coins[ANN] = 9
    assert Propose("income") in table.moves(ANN)


def test_u14_the_fee_is_paid_at_the_proposal() -> None:
    """c28, D5."""
    table = Table(2)
    table.coins[ANN] = 3
    events = table.propose(ANN, "assassinate", BOB)
    assert kinds(events) == ["Proposed", "CoinsChanged"]
    assert events[1] == CoinsChanged(((ANN, 0),))


def test_u15_targets() -> None:
    """c27, D38."""
    table = Table(3)
    table.coins[:] = [3, 0, 1]
    targets = {(move.action, move.target) for move in table.moves(ANN) if isinstance(move, Propose) and move.target}
    assert targets == {("steal", CY), ("assassinate", BOB), ("assassinate", CY)}
    for target in (None, ANN, 3, -1, "bob", True, 1.0):
        assert table.refused(ANN, Propose("assassinate", target)) == "bad_target"  # type: ignore[arg-type]
    assert table.refused(ANN, Propose("steal", BOB)) == "bad_target"
    for action in ("income", "foreign_aid", "tax", "exchange"):
        assert table.refused(ANN, Propose(action, BOB)) == "bad_target"
    table.lost(CY, 0)
    table.lost(CY, 1)
    assert table.refused(ANN, Propose("assassinate", CY)) == "bad_target"


def test_u16_income_and_coup_are_immediate() -> None:
    """c21, c24, D27."""
    table = Table(2)
    assert table.propose(ANN, "income") == [
        Proposed(ANN, "income", None, True, False, (), 0, 0),
        Executed(ANN, "income", None, "at_once"),
        CoinsChanged(((ANN, 3),)),
        Turn(BOB),
    ]
    table.coins[BOB] = 7
    assert table.propose(BOB, "coup", ANN) == [
        Proposed(BOB, "coup", ANN, True, False, (), 0, 0),
        Executed(BOB, "coup", ANN, "at_once"),
        CoinsChanged(((BOB, 0),)),
        Losing(ANN, "coup", True, cards("duke captain"), 60_000),
    ]
    assert table.moves(BOB) == ()
    assert table.refused(ANN, Block("contessa")) == "wrong_phase"


@pytest.mark.parametrize("action", ["foreign_aid", "tax", "assassinate", "steal", "exchange"])
def test_u17_all_others_open_a_window(action: str) -> None:
    table = Table(3)
    table.coins[ANN] = 3
    target = BOB if action in ("assassinate", "steal") else None
    proposed, *paid = table.propose(ANN, action, target)
    assert proposed == Proposed(ANN, action, target, False, False, (BOB, CY), 5000, 60_000)  # type: ignore[arg-type]
    assert kinds(paid) == (["CoinsChanged"] if action == "assassinate" else [])  # U14: nothing else costs anything
    assert table.phase == "action_window"


# Windows


def test_u20_a_window_begins_when_it_is_announced() -> None:
    table = Table(2)
    table.pass_time(777)
    assert table.view().opens is None
    table.propose(ANN, "tax")
    assert table.view().opens == START + 777 + 5000
    assert table.view().closes == START + 777 + 60_000


def test_u21_responders() -> None:
    table = Table(4)
    table.lost(3, 0)
    table.lost(3, 1)
    table.propose(ANN, "foreign_aid")
    assert table.view().responders == (BOB, CY)
    table.act(CY, Block("duke"))
    assert table.view().responders == (ANN, BOB)  # the proposer too
    assert coup.awaited(table.state) == (ANN, BOB, CY)


def test_u21_block_only_asks_the_target_alone() -> None:
    table = official_assassination()
    assert table.view().responders == (CY,)
    assert table.moves(ANN) == ()


def test_u22_allowing_is_announced_binding_and_optional() -> None:
    """c36, D20, D33."""
    table = Table(3)
    table.propose(ANN, "foreign_aid")
    assert table.act(BOB, Allow("action")) == [Allowed(BOB, "action", (CY,))]
    assert table.view().allowed == (BOB,)
    assert table.moves(BOB) == ()
    assert table.refused(BOB, Allow("action")) == "already_responded"
    assert table.refused(BOB, Block("duke")) == "already_responded"
    table.act(CY, Block("duke"))
    assert CallBs("block") in table.moves(BOB)  # another window, another word


def test_u23_confirm_after_the_least_wait() -> None:
    """c31, c32, D21, D22, D23: five seconds by the server's clock, whoever has allowed."""
    table = Table(3)
    table.propose(ANN, "tax")
    for seat in (BOB, CY):
        table.act(seat, Allow())
    table.pass_time(4999)
    refusal = table.refusal(ANN, Confirm(patient=False))
    assert (refusal.code, refusal.data, str(refusal)) == ("too_early", {"retry_ms": 1}, "wait 1 ms more")
    table.pass_time(1)
    assert kinds(table.act(ANN, Confirm("tax", patient=False))) == ["Executed", "CoinsChanged", "Turn"]


def test_u23_confirmed_by_itself() -> None:
    """c35, D24."""
    table = Table(3)
    table.propose(ANN, "tax")
    assert coup.clocks(table.state) == [Clock(START + 60_000, (ANN,), "response")]
    assert table.pass_time(59_999) == []
    assert kinds(table.pass_time(1)) == ["Executed", "CoinsChanged", "Turn"]
    patient = Table(2, response_timeout_ms=0)
    patient.propose(ANN, "tax")
    assert coup.clocks(patient.state) == []
    assert coup.awaited(patient.state) == (BOB, ANN)


def test_c88_an_early_word_is_remembered() -> None:
    """D25: it takes effect when the wait is over, unless somebody objects first."""
    table = Table(3)
    table.propose(ANN, "tax")
    table.pass_time(1000)
    assert table.act(ANN, Confirm()) == []
    assert table.view(BOB).confirmed
    assert table.act(ANN, Confirm()) == []  # a second one is ignored
    assert table.moves(ANN) == (Withdraw(),)
    assert coup.awaited(table.state) == (BOB, CY)  # who might still object
    assert coup.clocks(table.state)[0] == Clock(START + 5000, (), "confirm")
    assert table.refused(ANN, Confirm(patient=False)) == "too_early"
    assert table.pass_time(3999) == []
    assert kinds(table.pass_time(1)) == ["Executed", "CoinsChanged", "Turn"]

    table.propose(BOB, "tax")
    table.act(BOB, Confirm())
    table.pass_time(1000)
    table.act(CY, CallBs("action"))
    assert table.phase == "losing_card"
    assert not table.view().confirmed


def test_c88_with_no_wait_there_is_nothing_to_remember() -> None:
    table = Table(2, min_wait_ms=0)
    table.propose(ANN, "tax")
    assert kinds(table.act(ANN, Confirm())) == ["Executed", "CoinsChanged", "Turn"]


def test_d25_the_target_may_settle_an_action_and_the_blocked_player_a_block() -> None:
    """D26. On tables of several protocols either side's word does it."""
    table = Table(3)
    table.propose(ANN, "steal", BOB)
    assert Accept("action") in table.moves(BOB)
    assert Allow("action") in table.moves(CY)
    assert table.refused(CY, Accept("action")) == "not_your_action"
    assert table.refused(ANN, Accept("action")) == "not_your_action"
    assert table.act(BOB, Accept("action")) == [Allowed(BOB, "action", (CY,))]
    assert table.act(BOB, Accept("action")) == []  # once more is ignored
    assert table.refused(BOB, Block("captain")) == "already_responded"
    assert kinds(table.pass_time(5000)) == ["Executed", "CoinsChanged", "Turn"]

    table.propose(BOB, "steal", ANN)
    assert table.refused(BOB, Accept("block")) == "wrong_phase"
    table.act(ANN, Block("ambassador"))
    assert table.moves(BOB) == (Accept("block"), CallBs("block"))
    assert table.moves(CY) == (Allow("block"), CallBs("block"))
    assert table.refused(CY, Accept("block")) == "not_your_action"
    assert table.refused(BOB, Accept("action")) == "wrong_phase"
    table.pass_time(5000)
    assert table.act(BOB, Accept("block")) == [Allowed(BOB, "block", (CY,)), Passed("blocked", ANN, BOB), Turn(CY)]


def test_d25_a_silent_word_binds_nobody() -> None:
    """The later protocol's early confirmation: no word of it to anybody, and the target may still object."""
    table = Table(2)
    table.propose(ANN, "steal", BOB)
    assert table.act(BOB, Accept("action", allows=False)) == []
    assert table.view().allowed == ()
    table.pass_time(1000)
    table.act(BOB, Block("captain"))
    assert table.phase == "block_window"
    assert not table.view().confirmed


def test_u24_policy_all() -> None:
    """c33."""
    table = Table(3, confirm_policy="all")
    table.propose(ANN, "tax")
    assert table.view().opens is None
    assert table.events[0] == Proposed(ANN, "tax", None, False, False, (BOB, CY), 0, 60_000)
    refusal = table.refusal(ANN, Confirm())
    assert (refusal.code, refusal.data) == ("too_early", {})
    assert table.moves(ANN) == (Withdraw(),)
    assert coup.awaited(table.state) == (BOB, CY)
    table.act(BOB, Allow())
    assert kinds(table.act(CY, Allow())) == ["Allowed", "Executed", "CoinsChanged", "Turn"]
    table.propose(BOB, "tax")
    assert kinds(table.pass_time(60_000)) == ["Executed", "CoinsChanged", "Turn"]
    table.propose(CY, "steal", ANN)
    assert Allow("action") in table.moves(ANN)
    table.act(BOB, Allow())
    assert kinds(table.act(ANN, Accept("action", allows=False))) == ["Allowed", "Executed", "CoinsChanged", "Turn"]
    table.propose(ANN, "steal", BOB)
    assert kinds(table.act(BOB, Accept("action"))) == ["Allowed"]  # here the target's word is just one of them
    assert kinds(table.act(CY, Allow())) == ["Allowed", "Executed", "CoinsChanged", "Turn"]


def test_u24_policy_all_with_a_block() -> None:
    table = Table(3, confirm_policy="all")
    table.propose(ANN, "foreign_aid")
    blocked = table.act(CY, Block("duke"))[0]
    assert isinstance(blocked, Blocked)
    assert (blocked.wait_ms, blocked.responders) == (0, (ANN, BOB))
    assert table.moves(ANN) == (Allow("block"), CallBs("block"))
    assert table.moves(CY) == ()
    table.act(BOB, Allow("block"))
    assert table.moves(BOB) == ()
    assert table.act(ANN, Accept("block")) == [Allowed(ANN, "block", ()), Passed("blocked", CY, ANN), Turn(BOB)]
    assert coup.awaited(table.state) == (BOB,)


def test_u25_who_may_call_bs() -> None:
    """c37, D28: no claim, no BS."""
    for action in ("tax", "assassinate", "steal", "exchange"):
        table = Table(3)
        table.coins[ANN] = 3
        table.propose(ANN, action, BOB if action in ("assassinate", "steal") else None)
        for seat in (BOB, CY):
            assert CallBs("action") in table.moves(seat)
    table = Table(3)
    table.propose(ANN, "foreign_aid")
    assert CallBs("action") not in table.moves(BOB)
    assert table.refused(BOB, CallBs()) == "not_challengeable"
    own_action = table.refusal(ANN, CallBs())  # c38
    assert (own_action.code, str(own_action)) == ("own_action", "that is your own action")
    table.act(BOB, Block("duke"))
    for seat in (ANN, CY):  # c42
        assert CallBs("block") in table.moves(seat)
    own_block = table.refusal(BOB, CallBs())
    assert (own_block.code, str(own_block)) == ("own_action", "that is your own block")


def test_u26_who_may_block() -> None:
    """c39, c40, D29, B6; the blocker names a character and need not have it."""
    assert BLOCKS == {"foreign_aid": ("duke",), "assassinate": ("contessa",), "steal": ("captain", "ambassador")}
    assert set(CLAIMS) == {"tax", "assassinate", "steal", "exchange"}
    table = Table(3)
    table.propose(ANN, "foreign_aid")
    for seat in (BOB, CY):
        assert [move for move in table.moves(seat) if isinstance(move, Block)] == [Block("duke")]
    table = Table(3)
    table.propose(ANN, "steal", CY)
    assert [move for move in table.moves(CY) if isinstance(move, Block)] == [Block("captain"), Block("ambassador")]
    assert not any(isinstance(move, Block) for move in table.moves(BOB))
    assert table.refused(BOB, Block("captain")) == "not_target"
    assert table.refused(CY, Block("contessa")) == "bad_block_card"
    for action in ("tax", "exchange"):
        table = Table(3)
        table.propose(ANN, action)
        assert table.refused(BOB, Block("duke")) == "not_blockable"
        assert not any(isinstance(move, Block) for move in table.moves(BOB))


def test_u27_first_come_first_served() -> None:
    """c41, D30: a second block or BS hits nothing."""
    table = Table(3)
    table.propose(ANN, "foreign_aid")
    table.act(CY, Block("duke"))
    assert table.refused(BOB, Block("duke")) == "wrong_phase"
    table.act(ANN, CallBs("block"))
    assert table.refused(BOB, CallBs("block")) == "wrong_phase"
    assert table.refused(CY, Confirm("block")) == "wrong_phase"


def test_u27_a_guard_against_answering_something_else() -> None:
    """c44, D32."""
    table = Table(3)
    table.propose(ANN, "steal", BOB)
    assert table.refused(CY, CallBs("block")) == "wrong_phase"
    table.act(BOB, Block("captain"))
    assert table.refused(CY, CallBs("action")) == "wrong_phase"
    assert table.refused(CY, Allow("action")) == "wrong_phase"
    table.act(CY, Allow("block"))


def test_u28_a_block_replaces_the_action() -> None:
    """D18."""
    table = Table(3)
    table.propose(ANN, "foreign_aid")
    table.act(BOB, Allow())
    table.act(ANN, Confirm())
    table.pass_time(3000)
    assert table.act(CY, Block("duke")) == [
        Blocked(CY, "duke", "foreign_aid", None, ANN, (ANN, BOB), 5000, 60_000),
    ]
    view = table.view()
    assert (view.allowed, view.confirmed, view.opens) == ((), False, START + 8000)
    assert (view.action, view.blocker, view.block_as) == ("foreign_aid", CY, "duke")
    assert table.refused(BOB, Block("duke")) == "wrong_phase"  # a block can't be blocked


def test_u29_a_confirmed_block_is_the_end_of_it() -> None:
    """c43: no coins move, and the fee stays spent."""
    table = Table(3)
    table.coins[ANN] = 3
    table.propose(ANN, "assassinate", CY)
    table.act(CY, Block("contessa"))
    table.pass_time(4000)
    assert table.refused(CY, Confirm("block", patient=False)) == "too_early"
    table.pass_time(1000)
    assert table.act(CY, Confirm("block", ANN, patient=False)) == [Passed("blocked", CY, ANN), Turn(BOB)]
    assert table.coins == [0, 2, 2]


def test_c88_a_block_s_early_word_is_remembered_too() -> None:
    """D25: and not asked for again."""
    table = Table(3)
    table.propose(ANN, "foreign_aid")
    table.act(CY, Block("duke"))
    assert table.moves(CY) == (Confirm(),)
    assert table.act(CY, Confirm()) == []
    assert table.moves(CY) == ()
    assert table.pass_time(5000) == [Passed("blocked", CY, ANN), Turn(BOB)]


def test_u30_withdrawing() -> None:
    """D19, D42, c57: only in the ruleset note, not after a block, and without the fee."""
    table = Table(3)
    table.coins[ANN] = 3
    table.propose(ANN, "assassinate", CY)
    assert Withdraw() in table.moves(ANN)
    assert table.act(ANN, Withdraw()) == [Passed("withdrawn", ANN, ANN), Turn(BOB)]
    assert table.coins[ANN] == 0
    table.propose(BOB, "foreign_aid")
    table.act(CY, Block("duke"))
    assert table.refused(BOB, Withdraw()) == "wrong_phase"
    official = Table(3, ruleset="official")
    official.propose(ANN, "tax")
    assert Withdraw() not in official.moves(ANN)
    assert official.refused(ANN, Withdraw()) == "not_allowed"


# Calling BS


@both
def test_u31_proof_is_automatic_and_revealed_cards_prove_nothing(ruleset: str) -> None:
    """c48, D41."""
    table = Table(3, ruleset=ruleset)
    table.propose(ANN, "tax")
    (result, *_) = table.act(BOB, CallBs())
    assert result == Challenged(BOB, ANN, "duke", False, False, BOB)
    table = Table(3, ruleset=ruleset)
    table.lost(ANN, 0)
    table.propose(ANN, "tax")
    (result, *_) = table.act(BOB, CallBs())
    assert result == Challenged(BOB, ANN, "duke", False, True, ANN)


def test_u32_note_bs_on_an_action() -> None:
    """c45, c46, D1, D2: nothing happens but that somebody loses a card; no swap."""
    table = Table(3)
    table.propose(ANN, "tax")
    assert table.act(BOB, CallBs()) == [
        Challenged(BOB, ANN, "duke", False, False, BOB),
        Losing(BOB, "bs_wrong", True, cards("assassin contessa"), 60_000),
    ]
    assert table.view().action is None
    assert table.act(BOB, Lose("contessa")) == [
        Revealed(BOB, "contessa", 1, "bs_wrong", ("contessa",), ("assassin",)),
        Turn(BOB),
    ]
    assert table.hand(ANN) == ("duke", "captain")
    assert table.coins == [2, 2, 2]

    table.propose(BOB, "tax")
    assert table.act(ANN, CallBs()) == [
        Challenged(ANN, BOB, "duke", False, True, BOB),
        Losing(BOB, "bs_caught", False, None, 0),
        Revealed(BOB, "assassin", 0, "bs_caught", ("contessa", "assassin"), ()),
        WentOut(BOB),
        CoinsChanged(((BOB, 0),)),
        Turn(CY),
    ]


def test_u33_note_bs_on_a_block() -> None:
    """c47, D3: the action does not happen even when the block was a bluff."""
    table = Table(3)
    table.propose(ANN, "foreign_aid")
    table.act(BOB, Block("duke"))
    assert kinds(table.act(ANN, CallBs())) == ["Challenged", "Losing"]
    assert table.act(BOB, Lose("assassin"))[-1] == Turn(BOB)
    assert table.coins == [2, 2, 2]
    table.propose(BOB, "foreign_aid")
    table.act(CY, Block("duke"))
    table.act(ANN, CallBs())
    assert table.act(ANN, Lose("captain"))[-1] == Turn(CY)
    assert table.hand(CY) == ("ambassador", "duke")
    assert table.coins == [2, 2, 2]


def test_u34_official_a_proven_card_is_swapped_before_the_accuser_chooses() -> None:
    """c52, D2, B14."""
    seen = set()
    for seed in range(60):
        table = Table(3, ruleset="official")
        table.state.chance = Chance(laws.seed_bytes(seed))
        table.propose(ANN, "tax")
        challenged, swapped, losing = table.act(BOB, CallBs())
        assert isinstance(challenged, Challenged)
        assert isinstance(swapped, Swapped)
        assert isinstance(losing, Losing)
        assert swapped.hand == table.hand(ANN)
        assert swapped.hand[1] == "captain"  # into the same slot
        assert len(table.deck) == 9
        assert swapped.seen_by(BOB) == Swapped(ANN, None)
        seen.add(swapped.hand[0])
    assert seen == {"duke", "ambassador", "assassin", "contessa", "captain"}
    table = Table(3, ruleset="official")  # nothing is shuffled here: the card goes to the bottom, the top is drawn
    table.propose(ANN, "tax")
    table.act(BOB, CallBs())
    assert (table.hand(ANN), table.deck[0], table.deck[-1]) == (cards("contessa captain"), "captain", "duke")


def test_u34_official_a_proven_block_stands() -> None:
    table = Table(3, ruleset="official")
    table.propose(ANN, "foreign_aid")
    table.act(CY, Block("duke"))
    assert kinds(table.act(BOB, CallBs())) == ["Challenged", "Swapped", "Losing"]
    assert table.view().action is None
    assert kinds(table.act(BOB, Lose("assassin"))) == ["Revealed", "Turn"]
    assert table.coins == [2, 2, 2]


def test_u35_official_tax_and_exchange_go_on_at_once() -> None:
    """c51."""
    table = Table(3, ruleset="official")
    table.propose(ANN, "tax")
    table.act(BOB, CallBs())
    assert table.view().action == "tax"  # it will go on
    assert table.act(BOB, Lose("contessa"))[1:] == [
        Executed(ANN, "tax", None, "challenge"),
        CoinsChanged(((ANN, 5),)),
        Turn(BOB),
    ]
    table.holds(BOB, "ambassador")
    table.propose(BOB, "exchange")
    table.act(CY, CallBs())
    assert kinds(table.act(CY, Lose("duke"))) == ["Revealed", "Executed", "Drew"]


def official_assassination() -> Table:
    """Bob assassinates Cy, who calls BS wrongly and loses the Ambassador: the block-only window is open."""
    table = Table(3, ruleset="official")
    table.income(ANN, BOB, CY, ANN)
    table.propose(BOB, "assassinate", CY)
    table.pass_time(3000)
    table.act(CY, CallBs())
    table.act(CY, Lose("ambassador"))
    return table


def test_u35_official_the_target_may_still_block() -> None:
    """c53, D31, B12: in a window of its own, with a fresh wait."""
    table = official_assassination()
    assert table.events[-1] == Proposed(BOB, "assassinate", CY, False, True, (CY,), 5000, 60_000)
    assert table.view().block_only
    assert table.moves(CY) == (Accept("action"), Block("contessa"))
    assert table.refused(CY, CallBs()) == "not_challengeable"
    assert table.refused(ANN, CallBs()) == "not_challengeable"
    assert table.refused(ANN, Allow()) == "not_target"
    assert table.refused(ANN, Block("contessa")) == "not_target"
    assert table.refused(BOB, Confirm(patient=False)) == "too_early"
    table.act(CY, Block("contessa"))
    assert not table.view().block_only
    assert table.view().responders == (ANN, BOB)
    assert table.act(ANN, CallBs("block")) == [
        Challenged(ANN, CY, "contessa", True, True, CY),
        Losing(CY, "bs_caught", False, None, 0),
        Revealed(CY, "duke", 1, "bs_caught", ("ambassador", "duke"), ()),
        WentOut(CY),
        CoinsChanged(((CY, 0),)),
        Passed("target_out", CY, BOB),
        Turn(ANN),
    ]


def test_u35_official_the_proposer_or_time_confirms() -> None:
    table = official_assassination()
    table.pass_time(5000)
    assert kinds(table.act(BOB, Confirm(patient=False))) == [
        "Executed", "Losing", "Revealed", "WentOut", "CoinsChanged", "Turn",
    ]  # fmt: skip
    table = official_assassination()
    table.act(CY, Accept("action"))
    assert kinds(table.pass_time(5000))[:2] == ["Executed", "Losing"]
    steal = Table(3, ruleset="official")
    steal.propose(ANN, "steal", BOB)
    steal.act(CY, CallBs())
    steal.act(CY, Lose("duke"))
    assert steal.view().block_only
    assert steal.refused(CY, Allow()) == "not_target"
    assert kinds(steal.pass_time(60_000)) == ["Executed", "CoinsChanged", "Turn"]
    steal.propose(BOB, "tax")
    assert steal.view().responders == (CY, ANN)  # U48: the next action is everybody's again


def test_u35_official_a_target_who_is_out_by_now() -> None:
    """c55."""
    table = Table(3, ruleset="official")
    table.coins[ANN] = 3
    table.holds(ANN, "assassin")
    table.lost(BOB, 0)
    table.propose(ANN, "assassinate", BOB)
    assert kinds(table.act(BOB, CallBs())) == [
        "Challenged", "Swapped", "Losing", "Revealed", "WentOut", "CoinsChanged", "Passed", "Turn",
    ]  # fmt: skip
    assert table.events[-2] == Passed("target_out", BOB, ANN)
    assert table.coins[ANN] == 0  # U37: the fee is spent


def test_u36_official_a_caught_action_does_not_occur() -> None:
    """c56."""
    table = Table(3, ruleset="official")
    table.coins[ANN] = 3
    table.propose(ANN, "assassinate", BOB)
    assert table.act(CY, CallBs()) == [
        Challenged(CY, ANN, "assassin", False, True, ANN),
        CoinsChanged(((ANN, 3),)),
        Losing(ANN, "bs_caught", True, cards("duke captain"), 60_000),
    ]
    assert kinds(table.act(ANN, Lose("duke"))) == ["Revealed", "Turn"]


def test_u36_official_a_caught_block_lets_the_action_happen() -> None:
    """c54, D3: with two cards the target loses both in one turn."""
    table = Table(3, ruleset="official")
    table.coins[ANN] = 3
    table.propose(ANN, "assassinate", CY)
    table.act(CY, Block("contessa"))
    assert kinds(table.act(BOB, CallBs("block"))) == ["Challenged", "Losing"]
    view = table.view()
    assert (view.phase, view.action, view.target, view.blocker) == ("losing_card", "assassinate", CY, None)
    assert table.act(CY, Lose("ambassador")) == [
        Revealed(CY, "ambassador", 0, "bs_caught", ("ambassador",), ("duke",)),
        Executed(ANN, "assassinate", CY, "challenge"),
        Losing(CY, "assassinate", False, None, 0),
        Revealed(CY, "duke", 1, "assassinate", ("ambassador", "duke"), ()),
        WentOut(CY),
        CoinsChanged(((CY, 0),)),
        Turn(BOB),
    ]
    aid = Table(3, ruleset="official")
    aid.propose(ANN, "foreign_aid")
    aid.act(BOB, Block("duke"))
    aid.act(CY, CallBs("block"))
    assert kinds(aid.act(BOB, Lose("assassin"))) == ["Revealed", "Executed", "CoinsChanged", "Turn"]
    assert aid.coins == [4, 2, 2]


@pytest.mark.parametrize(
    ("ruleset", "holds", "steps", "coins"),
    [
        ("note", "duke", "confirm", 0),
        ("note", "duke", "bs", 3),
        ("note", "assassin", "bs", 3),
        ("note", "duke", "block confirm", 0),
        ("note", "duke", "block bs", 0),
        ("note", "duke", "withdraw", 0),
        ("official", "duke", "confirm", 0),
        ("official", "duke", "bs", 3),
        ("official", "assassin", "bs", 0),
        ("official", "duke", "block confirm", 0),
        ("official", "duke", "block bs", 0),
    ],
)
def test_u37_the_assassination_fee(ruleset: str, holds: str, steps: str, coins: int) -> None:
    """c49, D4, B13."""
    table = Table(3, ruleset=ruleset)
    table.holds(ANN, holds)
    table.coins[ANN] = 3
    table.propose(ANN, "assassinate", CY)
    if steps.startswith("block"):
        table.act(CY, Block("contessa"))
    if steps.endswith("bs"):
        table.act(BOB, CallBs())
    elif steps == "withdraw":
        table.act(ANN, Withdraw())
    else:
        table.pass_time(60_000)
    table.pass_time(60_000)
    assert table.coins[ANN] == coins
    assert max(table.coins[BOB], table.coins[CY]) <= 2  # and nobody else gets it


def test_u37_the_coup_fee_is_never_returned() -> None:
    table = Table(2)
    table.coins[ANN] = 7
    table.propose(ANN, "coup", BOB)
    table.act(BOB, Lose("assassin"))
    assert table.coins[ANN] == 0


@both
def test_u38_losses_per_turn(ruleset: str) -> None:
    """c50: note at most one card in a turn, official at most two; on random games, with nobody leaving."""
    most = 0
    for seed in range(150):
        losses = 0
        for state, step in laws.Walk(coup, 4, Options(ruleset=ruleset), seed):  # type: ignore[arg-type]
            if step is None or isinstance(step, laws.Left) or "away" in getattr(step, "clock", ""):
                break
            turn, lost = state.current, sum(map(len, state.lost))
            laws_state = msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=type(state))
            events = step.take(coup, laws_state)
            losses += sum(map(len, laws_state.lost)) - lost
            if any(isinstance(event, Turn | Ended) for event in events):
                most = max(most, losses)
                losses = 0
            assert turn == state.current
    assert most == (1 if ruleset == "note" else 2)


# Effects


def test_u40_income_foreign_aid_and_tax() -> None:
    """c22: only after confirmation."""
    for action, gain in (("income", 1), ("foreign_aid", 2), ("tax", 3)):
        table = Table(2)
        table.propose(ANN, action)
        if action != "income":
            assert table.coins == [2, 2]
            table.pass_time(60_000)
        assert table.coins == [2 + gain, 2]


@pytest.mark.parametrize(("before", "stolen"), [(5, 2), (2, 2), (1, 1)])
def test_u41_steal(before: int, stolen: int) -> None:
    """c23."""
    table = Table(2)
    table.coins[BOB] = before
    table.propose(ANN, "steal", BOB)
    table.pass_time(60_000)
    assert table.coins == [2 + stolen, before - stolen]
    assert CoinsChanged(((ANN, 2 + stolen), (BOB, before - stolen))) in table.events


def test_u41_nothing_left_to_steal() -> None:
    table = Table(2)
    table.propose(ANN, "steal", BOB)
    table.coins[BOB] = 0
    assert kinds(table.pass_time(60_000)) == ["Executed", "Turn"]


def exchange(ruleset: str = "note") -> Table:
    table = Table(3, ruleset=ruleset)
    table.income(ANN, BOB)
    table.propose(CY, "exchange")
    table.pass_time(5000)
    table.act(CY, Confirm())
    return table


def test_u42_exchange_with_two_cards() -> None:
    """c63, c64, c65, D40, B3: four to choose from; the rest goes to the bottom in the order of the pool."""
    table = exchange()
    pool = cards("ambassador duke contessa captain")
    assert table.events == [Executed(CY, "exchange", None, "window"), Drew(CY, pool, 2, 60_000)]
    assert coup.awaited(table.state) == (CY,)
    assert table.view(CY).pool == pool
    assert table.view(ANN).pool is None
    assert table.view(ANN).deck == 7
    assert table.refused(CY, Keep(cards("duke duke"))) == "bad_keep"
    assert table.act(CY, Keep(cards("duke captain"))) == [Exchanged(CY, cards("duke captain")), Turn(ANN)]
    assert table.hand(CY) == cards("duke captain")
    assert table.deck == cards("duke assassin ambassador contessa captain assassin ambassador ambassador contessa")


def test_u42_slots_are_filled_as_named() -> None:
    table = exchange()
    table.act(CY, Keep(cards("captain ambassador")))
    assert table.hand(CY) == cards("captain ambassador")
    assert table.deck[-2:] == cards("duke contessa")


def test_u42_exchange_with_one_card() -> None:
    """c63, D39: three to choose from, one to keep."""
    table = Table(3)
    table.lost(ANN, 0)
    table.propose(ANN, "exchange")
    table.pass_time(60_000)
    assert table.events[-1] == Drew(ANN, cards("captain contessa captain"), 1, 60_000)
    assert table.moves(ANN) == (Keep(("contessa",)), Keep(("captain",)))
    refusal = table.refusal(ANN, Keep(cards("captain contessa")))
    assert (refusal.code, str(refusal)) == ("bad_keep", "keep 1 of the offered cards")
    table.act(ANN, Keep(("contessa",)))
    slots = table.view(ANN).cards[ANN]
    assert [(slot.card, slot.revealed) for slot in slots] == [("duke", True), ("contessa", False)]
    assert table.deck[-2:] == cards("captain captain")


def test_u42_note_shuffles_nothing() -> None:
    """c65, D40: what was put back is known to lie at the bottom."""
    for seed in range(5):
        table = exchange()
        table.state.chance = Chance(laws.seed_bytes(seed))
        table.act(CY, Keep(cards("duke captain")))
        assert table.deck == cards("duke assassin ambassador contessa captain assassin ambassador ambassador contessa")


def test_u42_official_shuffles_afterwards() -> None:
    bottoms = set()
    for seed in range(40):
        table = exchange("official")
        table.state.chance = Chance(laws.seed_bytes(seed))
        table.act(CY, Keep(cards("duke captain")))
        assert len(table.deck) == 9
        bottoms.add(table.deck[-2:])
    assert len(bottoms) > 8


def test_u42_nobody_else_learns_a_card() -> None:
    """c79."""
    table = exchange()
    drew = table.events[-1]
    assert drew.seen_by(ANN) == Drew(CY, None, 2, 60_000)
    assert drew.seen_by(None) == drew.seen_by(ANN)
    exchanged = table.act(CY, Keep(cards("duke captain")))[0]
    assert exchanged.seen_by(BOB) == Exchanged(CY, None)
    assert exchanged.seen_by(CY) == exchanged


def test_u43_coup_and_assassination_make_the_target_lose_a_card() -> None:
    table = Table(3)
    table.coins[ANN] = 3
    table.propose(ANN, "assassinate", BOB)
    table.pass_time(5000)
    assert kinds(table.act(ANN, Confirm())) == ["Executed", "Losing"]
    assert table.view().action is None
    assert table.act(BOB, Lose("assassin"))[-1] == Turn(BOB)


# Losing cards, elimination, end


def test_u44_the_loser_chooses_unless_it_is_the_last_card() -> None:
    """c58, D34, D35."""
    table = Table(2)
    table.coins[ANN] = 7
    losing = table.propose(ANN, "coup", BOB)[-1]
    assert losing.seen_by(BOB) == losing
    assert losing.seen_by(ANN) == Losing(BOB, "coup", True, None, 60_000)
    assert (table.view().losing, table.view().reason) == (BOB, "coup")
    assert table.moves(BOB) == (Lose("assassin"), Lose("contessa"))
    assert coup.awaited(table.state) == (BOB,)
    table.act(BOB, Lose("contessa"))
    table.income(BOB)
    table.coins[ANN] = 7
    assert "Losing" in kinds(table.propose(ANN, "coup", BOB))
    assert table.phase == "game_over"


def test_u44_two_of_a_kind_are_one_choice() -> None:
    table = Table(2, deck=cards("duke duke captain captain"))
    table.coins[ANN] = 7
    table.propose(ANN, "coup", BOB)
    assert table.moves(BOB) == (Lose("captain"),)
    table.act(BOB, Lose("captain"))
    assert [slot.revealed for slot in table.view().cards[BOB]] == [True, False]


def test_u45_a_revealed_card_stays_in_its_slot() -> None:
    """D36: one event for each card."""
    table = Table(3)
    table.propose(ANN, "tax")
    table.act(CY, CallBs())
    revealed = table.act(CY, Lose("duke"))[0]
    assert revealed == Revealed(CY, "duke", 1, "bs_wrong", ("duke",), ("ambassador",))
    assert revealed.seen_by(ANN) == Revealed(CY, "duke", 1, "bs_wrong", ("duke",), None)
    slots = table.view(ANN).cards[CY]
    assert [(slot.card, slot.revealed) for slot in slots] == [(None, False), ("duke", True)]


def test_u46_elimination() -> None:
    """c60, c61, D37, B5."""
    table = Table(3)
    table.lost(BOB, 0)
    table.coins[:] = [7, 4, 2]
    events = table.propose(ANN, "coup", BOB)
    assert kinds(events)[-4:] == ["Revealed", "WentOut", "CoinsChanged", "Turn"]
    assert events[-2] == CoinsChanged(((BOB, 0),))
    assert table.state.current == CY
    assert [coup.done(table.state, seat) for seat in (ANN, BOB, CY)] == [False, True, False]
    table.propose(CY, "foreign_aid")
    assert table.view().responders == (ANN,)
    assert table.moves(BOB) == ()
    for move in (Allow(), CallBs(), Block("duke"), Confirm(), Withdraw()):
        assert table.refused(BOB, move) == "you_are_out"
    table.pass_time(60_000)
    table.income(ANN)
    assert table.refused(CY, Propose("assassinate", BOB)) == "bad_target"
    broke = Table(3)
    broke.lost(BOB, 0)
    broke.coins[:] = [7, 0, 2]
    assert kinds(broke.propose(ANN, "coup", BOB))[-3:] == ["Revealed", "WentOut", "Turn"]


def test_u47_the_last_one_wins() -> None:
    """c62, D58: no turn follows, and nothing is accepted any more."""
    table = Table(2)
    table.lost(BOB, 0)
    table.coins[:] = [10, 4]
    assert table.propose(ANN, "coup", BOB)[-4:] == [
        Revealed(BOB, "contessa", 1, "coup", ("assassin", "contessa"), ()),
        WentOut(BOB),
        CoinsChanged(((BOB, 0),)),
        Ended(ANN, cards("duke captain")),
    ]
    assert coup.result(table.state) == Result(((ANN,), (BOB,)))
    assert table.view().winner == ANN
    assert [slot.card for slot in table.view().cards[ANN]] == ["duke", "captain"]  # c85: open to all
    assert coup.awaited(table.state) == ()
    assert coup.clocks(table.state) == []
    for seat in (ANN, BOB):
        assert table.moves(seat) == ()
        for move in (Propose("income"), Allow(), CallBs(), Block("duke"), Confirm(), Lose("duke"), Keep(())):
            assert table.refused(seat, move) == "wrong_phase"


def test_u47_nothing_pending_is_executed() -> None:
    """Even in the middle of a resolution: the last other player loses by a wrong BS, and the tax goes nowhere."""
    table = Table(2, ruleset="official")
    table.lost(BOB, 0)
    table.propose(ANN, "tax")
    events = table.act(BOB, CallBs())
    assert kinds(events)[-2:] == ["CoinsChanged", "Ended"]
    assert table.coins == [2, 0]
    assert table.view().action is None


def test_u47_placings_are_in_the_order_of_going_out() -> None:
    table = Table(4)
    for loser in (CY, ANN, 3):
        table.state.current = BOB
        table.lost(loser, 0)
        table.coins[BOB] = 7
        table.propose(BOB, "coup", loser)
    assert coup.result(table.state) == Result(((BOB,), (3,), (ANN,), (CY,)))


def test_u48_the_next_turn_begins_with_nothing_pending() -> None:
    table = Table(3, ruleset="official")
    table.propose(ANN, "steal", BOB)
    table.act(BOB, Block("captain"))
    table.act(CY, Allow())
    table.pass_time(60_000)
    view = table.view()
    assert (view.phase, view.current) == ("awaiting_action", BOB)
    assert (view.action, view.target, view.blocker, view.block_as, view.losing, view.reason) == (None,) * 6
    assert (view.allowed, view.responders, view.confirmed, view.block_only) == ((), (), False, False)
    assert view.winner is None
    table.propose(BOB, "tax")
    table.act(BOB, Confirm())  # D25: an early word
    table.pass_time(5000)
    assert (table.view().phase, table.view().confirmed) == ("awaiting_action", False)


def test_u49_no_card_is_lost() -> None:
    """c66: checked after every step by the bench, and in thousands of positions by tests/test_laws.py."""
    table = exchange()
    assert len(table.state.drawn) == 2
    assert len(table.deck) + 2 + 6 == 15


# Silence


def test_u50_a_silent_loser_loses_the_first_card() -> None:
    """c67."""
    table = Table(2)
    table.coins[ANN] = 7
    table.propose(ANN, "coup", BOB)
    assert coup.clocks(table.state) == [Clock(START + 60_000, (BOB,), "choice")]
    assert table.view().closes == START + 60_000
    assert table.pass_time(60_000) == [
        Revealed(BOB, "assassin", 0, "coup", ("assassin",), ("contessa",)),
        Turn(BOB),
    ]


def test_u50_a_silent_exchanger_keeps_the_cards() -> None:
    table = exchange()
    assert coup.clocks(table.state) == [Clock(table.at + 60_000, (CY,), "choice")]
    assert table.pass_time(60_000) == [Exchanged(CY, cards("ambassador duke")), Turn(ANN)]
    assert table.deck[-2:] == cards("contessa captain")


def test_u50_a_silent_player_takes_income_or_coups() -> None:
    table = Table(3)
    assert coup.clocks(table.state) == [Clock(START + 120_000, (ANN,), "turn")]
    assert kinds(table.pass_time(120_000)) == ["Proposed", "Executed", "CoinsChanged", "Turn"]
    table.coins[BOB] = 10
    table.lost(CY, 0)
    table.lost(CY, 1)
    assert table.pass_time(120_000)[1] == Executed(BOB, "coup", ANN, "at_once")


def test_u50_without_limits_nobody_is_hurried() -> None:
    table = Table(2, response_timeout_ms=0, choice_timeout_ms=0, turn_timeout_ms=0)
    assert (coup.clocks(table.state), table.view().closes) == ([], None)
    table.propose(ANN, "exchange")
    assert (coup.clocks(table.state), table.view().closes) == ([], None)
    table.pass_time(5000)
    table.act(ANN, Confirm())
    assert (coup.clocks(table.state), table.view().closes) == ([], None)


# Options


@pytest.mark.parametrize(
    ("options", "fine"),
    [
        ({}, True),
        ({"ruleset": "official"}, True),
        ({"ruleset": "house"}, False),
        ({"confirm_policy": "all"}, True),
        ({"confirm_policy": "some"}, False),
        ({"min_wait_ms": 0}, True),
        ({"min_wait_ms": 60_000}, True),
        ({"min_wait_ms": 60_001}, False),
        ({"min_wait_ms": -1}, False),
        ({"min_wait_ms": 5.5}, False),
        ({"min_wait_ms": "5000"}, False),
        ({"min_wait_ms": True}, False),
        ({"response_timeout_ms": 0}, True),
        ({"response_timeout_ms": 999, "min_wait_ms": 0}, False),
        ({"response_timeout_ms": 1000, "min_wait_ms": 1000}, True),
        ({"response_timeout_ms": 4999}, False),
        ({"response_timeout_ms": 600_000}, True),
        ({"response_timeout_ms": 600_001}, False),
        ({"choice_timeout_ms": 999}, False),
        ({"choice_timeout_ms": 1000}, True),
        ({"choice_timeout_ms": 0}, True),
        ({"turn_timeout_ms": 1}, False),
        ({"turn_timeout_ms": 600_000}, True),
        ({"turn_timeout_ms": 600_001}, False),
        ({"auto_kick_ms": 0}, True),
        ({"auto_kick_ms": 9_999}, False),
        ({"auto_kick_ms": 10_000}, True),
        ({"auto_kick_ms": 3_600_000}, True),
        ({"auto_kick_ms": 3_600_001}, False),
        ({"require_token": True}, True),
        ({"require_token": 1}, False),
        ({"sounds": False}, True),
        ({"sounds": None}, False),
    ],
)
def test_options(options: dict[str, object], fine: bool) -> None:
    """Table options: types, ranges, and that what is confirmed by itself is not so before the least wait."""
    if fine:
        assert isinstance(msgspec.convert(options, Options), Options)
    else:
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(options, Options)


def test_options_of_the_sound_board() -> None:
    """D64."""
    assert len(coup.sounds(Options())) == 8
    assert coup.sounds(Options(sounds=False)) == ()


def test_options_by_default() -> None:
    assert Options() == Options("note", "wait", 5000, 60_000, 60_000, 120_000, 300_000, False, True)
