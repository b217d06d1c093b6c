"""Lost connections in a game of Coup: U60 to U63. The clock of a pause, and that nothing waits for who is gone."""

from __future__ import annotations

import pytest

from croupier.games.coup.events import (
    CoinsChanged,
    Drew,
    Ended,
    Executed,
    Kicked,
    Losing,
    Passed,
    Paused,
    Proposed,
    Resumed,
    Revealed,
    Turn,
    WentOut,
)
from croupier.games.coup.moves import Accept, Allow, Block, CallBs, Confirm, Keep, Lose, Propose
from croupier.kernel import Clock, Result
from tests.games.coup.bench import ANN, BOB, CY, DEE, START, Table, cards, coup, kinds


def test_u60_losing_a_living_player_pauses_the_game() -> None:
    """c68."""
    table = Table(3)
    assert table.absent(CY) == [Paused(CY, (CY,))]
    assert table.absent(CY) == []
    view = table.view(ANN)
    assert (view.paused_since, view.missing) == (START, (CY,))
    assert table.absent(ANN) == [Paused(ANN, (ANN, CY))]  # in turn order
    assert table.back(CY) == []
    assert table.view().missing == (ANN,)
    assert table.back(ANN) == [Resumed()]
    assert table.view().paused_since is None


def test_u60_who_is_out_is_not_missed() -> None:
    """c74, D49, B15."""
    table = Table(3)
    table.lost(CY, 0)
    table.lost(CY, 1)
    assert table.absent(CY) == []
    assert table.view().paused_since is None
    assert table.back(CY) == []


def test_u60_nobody_is_missed_after_the_game() -> None:
    table = Table(2)
    table.kick(BOB)
    assert table.absent(ANN) == []
    assert table.view().paused_since is None


def test_u61_nothing_is_accepted_and_nobody_is_waited_for() -> None:
    table = Table(3)
    table.propose(ANN, "tax")
    table.absent(CY)
    for seat in range(3):
        assert table.moves(seat) == ()
        for move in (Propose("income"), Confirm(), CallBs(), Allow(), Accept(), Block("duke"), Lose("duke"), Keep(())):
            assert table.refused(seat, move) == "paused"
    assert coup.awaited(table.state) == ()


def test_u61_paused_time_does_not_count() -> None:
    """c69: two of five seconds have passed, however long the pause."""
    table = Table(3, auto_kick_ms=0)
    table.propose(ANN, "tax")
    table.pass_time(2000)
    table.absent(CY)
    assert coup.clocks(table.state) == ()
    view = table.view()
    assert view.opens is not None and view.closes is not None and view.paused_since is not None
    assert (view.opens - view.paused_since, view.closes - view.paused_since) == (3000, 58_000)
    table.pass_time(9000)
    assert table.back(CY) == [Resumed()]
    assert table.refusal(ANN, Confirm(patient=False)).data == {"retry_ms": 3000}
    assert table.view().opens == table.at + 3000
    assert table.view().closes == table.at + 58_000
    table.pass_time(3000)
    assert table.act(ANN, Confirm("tax", patient=False))[-1] == Turn(BOB)


@pytest.mark.parametrize("phase", ["awaiting_action", "action_window", "block_window", "losing_card", "exchanging"])
def test_u61_every_clock_stands_still(phase: str) -> None:
    """c70: and whatever was owed is still owed after a return."""
    table = Table(3)
    if phase in ("action_window", "block_window", "losing_card"):
        table.propose(ANN, "steal", BOB)
    if phase == "block_window":
        table.act(BOB, Block("captain"))
    if phase == "losing_card":
        table.act(BOB, CallBs())
    if phase == "exchanging":
        table.propose(ANN, "exchange")
        table.act(ANN, Confirm())
        table.pass_time(5000)
    assert table.phase == phase
    table.pass_time(400)
    (clock,) = coup.clocks(table.state)
    left = clock.due - table.at
    owed = [table.moves(seat) for seat in range(3)]
    hands = [table.hand(seat) for seat in range(3)]
    for seat in range(3):
        table.absent(seat)
        table.pass_time(7000)
    for seat in range(3):
        table.back(seat)
    (again,) = coup.clocks(table.state)
    assert (again.due - table.at, again.name, again.seats) == (left, clock.name, clock.seats)
    assert [table.moves(seat) for seat in range(3)] == owed
    assert [table.hand(seat) for seat in range(3)] == hands


def test_u61_a_remembered_word_waits_too() -> None:
    table = Table(2)
    table.propose(ANN, "tax")
    table.act(ANN, Confirm())
    table.pass_time(1000)
    table.absent(BOB)
    assert table.pass_time(100_000) == []
    table.back(BOB)
    assert coup.clocks(table.state)[0] == Clock(table.at + 4000, (), "confirm")
    assert kinds(table.pass_time(4000)) == ["Executed", "CoinsChanged", "Turn"]


def test_the_clock_of_a_pause_runs_on() -> None:
    """D53, B16: who is missing for too long is kicked as if by the host, each by a clock of their own."""
    table = Table(4, auto_kick_ms=10_000)
    table.absent(BOB)
    table.pass_time(4000)
    table.absent(CY)
    assert coup.clocks(table.state) == [
        Clock(START + 10_000, (BOB,), "away 1"),
        Clock(START + 14_000, (CY,), "away 2"),
    ]
    assert table.pass_time(5999) == []
    assert kinds(table.pass_time(1)) == ["Kicked", "Revealed", "Revealed", "WentOut", "CoinsChanged"]
    assert table.view().missing == (CY,)
    table.back(CY)
    table.absent(CY)
    assert coup.clocks(table.state) == [Clock(table.at + 10_000, (CY,), "away 2")]  # begins anew
    assert kinds(table.pass_time(10_000))[-1] == "Resumed"


def test_u62_a_kick_shows_the_cards_and_resumes() -> None:
    """c72, D50."""
    table = Table(3)
    table.income(ANN)
    table.absent(BOB)
    assert table.kick(BOB) == [
        Kicked(BOB),
        Revealed(BOB, "assassin", 0, "kicked", ("assassin",), ("contessa",)),
        Revealed(BOB, "contessa", 1, "kicked", ("assassin", "contessa"), ()),
        WentOut(BOB),
        CoinsChanged(((BOB, 0),)),
        Resumed(),
        Turn(CY),
    ]
    view = table.view()
    assert (view.out, view.kicked, view.missing, view.paused_since) == ((BOB,), (BOB,), (), None)
    assert table.kick(BOB) == []  # once is enough
    assert table.absent(BOB) == table.back(BOB) == []  # comes back as an onlooker, and is not missed


def test_u62_with_others_missing_the_game_stays_paused() -> None:
    """A kick is settled at once all the same."""
    table = Table(4)
    table.absent(ANN)
    table.absent(CY)
    table.pass_time(1000)
    assert kinds(table.kick(ANN)) == ["Kicked", "Revealed", "Revealed", "WentOut", "CoinsChanged", "Turn"]
    assert table.view().missing == (CY,)
    assert table.state.current == BOB
    table.pass_time(2000)
    table.back(CY)
    assert coup.clocks(table.state) == [Clock(table.at + 120_000, (BOB,), "turn")]  # a whole turn


def test_u62_somebody_with_one_card_or_no_coins() -> None:
    table = Table(3)
    table.lost(CY, 0)
    table.coins[CY] = 0
    assert table.kick(CY) == [
        Kicked(CY),
        Revealed(CY, "duke", 1, "kicked", ("ambassador", "duke"), ()),
        WentOut(CY),
    ]


def test_u62_the_last_one_there_wins() -> None:
    """c73: and the pause ends."""
    table = Table(3)
    table.absent(ANN)
    table.absent(CY)
    table.kick(ANN)
    events = table.kick(CY)
    assert events[-1] == Ended(BOB, cards("assassin contessa"))
    assert Resumed() not in events
    assert coup.result(table.state) == Result(((BOB,), (CY,), (ANN,)))
    assert table.view().paused_since is None
    assert coup.clocks(table.state) == []
    waited_for = Table(2)
    waited_for.absent(BOB)
    assert waited_for.kick(ANN)[-1] == Ended(BOB, cards("assassin contessa"))
    assert waited_for.view().missing == ()  # U60: after the game nobody is
    assert waited_for.back(BOB) == []
    together = Table(3)
    assert together.kick(ANN, BOB, CY)[-1] == Ended(CY, cards("ambassador duke"))  # somebody has to win


# U63: what waits for somebody who is kicked


def test_u63_a_turn_is_skipped() -> None:
    table = Table(3)
    assert table.kick(ANN)[-1] == Turn(BOB)
    assert table.kick(CY)[-1] == Ended(BOB, cards("assassin contessa"))


def test_u63_somebody_else_s_turn_goes_on() -> None:
    table = Table(3)
    table.pass_time(1000)
    assert kinds(table.kick(CY)) == ["Kicked", "Revealed", "Revealed", "WentOut", "CoinsChanged"]
    assert coup.clocks(table.state) == [Clock(START + 120_000, (ANN,), "turn")]


@pytest.mark.parametrize("gone", [ANN, BOB])
def test_u63_an_open_action_of_the_kicked_or_against_them_is_dropped(gone: int) -> None:
    """D51, U37: and its fee is spent."""
    table = Table(4)
    table.coins[ANN] = 3
    table.propose(ANN, "assassinate", BOB)
    events = table.kick(gone)
    assert events[-2:] == [Passed("kicked", gone, ANN), Turn(BOB if gone == ANN else CY)]
    assert table.coins[ANN] == 0


@pytest.mark.parametrize("gone", [ANN, CY])
def test_u63_an_open_block_is_dropped(gone: int) -> None:
    table = Table(4)
    table.propose(ANN, "foreign_aid")
    table.act(CY, Block("duke"))
    assert table.kick(gone)[-2:] == [Passed("kicked", gone, ANN), Turn(BOB)]
    assert table.coins[BOB] == 2


def test_u63_a_mere_responder_stops_counting() -> None:
    table = Table(4)
    table.propose(ANN, "tax")
    table.act(BOB, Allow())
    assert kinds(table.kick(CY))[-1] == "CoinsChanged"
    assert table.view().responders == (DEE,)
    assert table.phase == "action_window"
    every = Table(4, confirm_policy="all")
    every.propose(ANN, "tax")
    every.act(BOB, Allow())
    every.act(DEE, Allow())
    assert every.kick(CY)[-3:] == [Executed(ANN, "tax", None, "window"), CoinsChanged(((ANN, 5),)), Turn(BOB)]


def test_u63_who_is_kicked_decides_nothing_for_the_others() -> None:
    """U23: in the policy wait, an action goes ahead by its player's word alone, however few are left to object."""
    table = Table(3)
    table.propose(ANN, "tax")
    table.act(BOB, Allow())
    assert kinds(table.kick(CY))[-1] == "CoinsChanged"
    assert (table.phase, table.view().responders) == ("action_window", ())
    every = Table(5, confirm_policy="all")
    every.propose(ANN, "tax")
    every.act(BOB, Allow())
    every.kick(BOB)  # whose word was in already
    assert every.view().responders == (CY, DEE, 4)
    every.kick(CY)
    assert (every.phase, every.view().responders) == ("action_window", (DEE, 4))  # they have not allowed it yet


def test_u63_in_a_pause_too() -> None:
    """Policy all: the last silent one is kicked while somebody who has allowed is missing."""
    every = Table(4, confirm_policy="all")
    every.propose(ANN, "tax")
    every.act(BOB, Allow())
    every.act(DEE, Allow())
    every.absent(BOB)
    every.absent(CY)
    every.pass_time(5000)
    assert kinds(every.kick(CY))[-3:] == ["Executed", "CoinsChanged", "Turn"]
    assert every.view().missing == (BOB,)
    every.back(BOB)
    assert coup.clocks(every.state) == [Clock(every.at + 120_000, (BOB,), "turn")]


def test_u63_a_window_that_opens_in_a_pause_waits_for_its_end() -> None:
    """U61: those who are missing have all the time to answer that the others would have."""
    table = Table(4, ruleset="official")
    table.propose(ANN, "steal", BOB)
    table.act(CY, CallBs())
    table.absent(BOB)
    table.absent(CY)
    table.pass_time(5000)
    assert isinstance(table.kick(CY)[-1], Proposed)  # the wrong call cost a card, and the theft goes on (U35)
    table.pass_time(7000)
    table.back(BOB)
    assert (table.view().opens, table.view().closes) == (table.at + 5000, table.at + 60_000)


def test_u63_a_card_that_had_to_be_lost_counts_as_lost() -> None:
    table = Table(3)
    table.propose(ANN, "tax")
    table.act(BOB, CallBs())
    assert kinds(table.kick(BOB)) == ["Kicked", "Revealed", "Revealed", "WentOut", "CoinsChanged", "Turn"]
    assert table.state.current == CY


def test_u63_official_the_action_goes_on() -> None:
    table = Table(3, ruleset="official")
    table.propose(ANN, "tax")
    table.act(BOB, CallBs())
    assert kinds(table.kick(BOB))[-3:] == ["Executed", "CoinsChanged", "Turn"]
    steal = Table(4, ruleset="official")
    steal.propose(ANN, "steal", BOB)
    steal.act(CY, CallBs())
    assert steal.kick(CY)[-1] == Proposed(ANN, "steal", BOB, False, True, (BOB,), 5000, 60_000)
    steal = Table(4, ruleset="official")
    steal.propose(ANN, "steal", BOB)
    steal.act(BOB, CallBs())
    assert steal.kick(BOB)[-2:] == [Passed("target_out", BOB, ANN), Turn(CY)]


def test_u63_official_the_proposer_goes_while_somebody_else_chooses() -> None:
    """The loser still has to choose; then nothing comes of the action."""
    table = Table(4, ruleset="official")
    table.propose(ANN, "tax")
    table.act(BOB, CallBs())
    assert kinds(table.kick(ANN))[-1] == "CoinsChanged"
    assert table.view().losing == BOB
    assert table.act(BOB, Lose("assassin"))[1:] == [Passed("kicked", ANN, ANN), Turn(BOB)]
    target = Table(4, ruleset="official")
    target.propose(ANN, "steal", BOB)
    target.act(CY, CallBs())
    target.kick(BOB)
    assert target.act(CY, Lose("duke"))[1:] == [Passed("target_out", BOB, ANN), Turn(CY)]


def test_u63_the_winner_of_a_coup_is_gone_before_the_loser_chooses() -> None:
    table = Table(3)
    table.coins[ANN] = 7
    table.propose(ANN, "coup", BOB)
    table.kick(ANN)
    assert table.act(BOB, Lose("assassin"))[-1] == Turn(BOB)


def test_u63_an_exchange_draw_goes_back_to_the_bottom() -> None:
    table = Table(3)
    table.propose(ANN, "exchange")
    table.pass_time(60_000)
    assert isinstance(table.events[-1], Drew)
    assert table.kick(ANN)[-1] == Turn(BOB)
    assert table.deck[-2:] == cards("contessa captain")
    assert len(table.deck) == 9
    other = Table(3)
    other.propose(ANN, "exchange")
    other.pass_time(60_000)
    other.kick(BOB)
    assert other.view(ANN).pool == cards("duke captain contessa captain")  # hers to choose from as before
    pair = Table(2)
    pair.propose(ANN, "exchange")
    pair.pass_time(60_000)
    assert isinstance(pair.kick(BOB)[-1], Ended)
    assert len(pair.deck) == 11  # the exchange is over with the game


def test_u63_the_loser_s_clock_is_not_touched_by_somebody_else_s_kick() -> None:
    table = Table(4)
    table.propose(ANN, "tax")
    table.act(BOB, CallBs())
    table.pass_time(1000)
    table.kick(DEE)
    assert coup.clocks(table.state) == [Clock(START + 60_000, (BOB,), "choice")]
    assert table.view(BOB).losing == BOB
    assert isinstance(table.pass_time(59_000)[0], Revealed)


def test_losing_has_no_secrets_for_others_when_it_is_the_last_card() -> None:
    table = Table(3)
    table.lost(BOB, 0)
    table.propose(ANN, "tax")
    losing = next(event for event in table.act(BOB, CallBs()) if isinstance(event, Losing))
    assert (losing.asked, losing.cards) == (False, None)
