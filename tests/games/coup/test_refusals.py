"""What the rules of Coup refuse, with which code, and which check comes first: the list of bad input by event.

In the game's own protocol the codes are written in capitals. Refusals that are the table's affair, such as those of
START_GAME, KICK_PLAYER and NEW_GAME, are not the rules' to make.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from croupier.games.coup.moves import Accept, Allow, AnyMove, Block, CallBs, Confirm, Keep, Lose, Propose, Withdraw
from tests.games.coup.bench import ANN, BOB, CY, DEE, Table, cards, coup


def turn(**options: Any) -> Table:
    """Ann is to act. Dee is out."""
    table = Table(4, **options)
    table.lost(DEE, 0)
    table.lost(DEE, 1)
    return table


def action(name: str = "tax", target: int | None = None, **options: Any) -> Table:
    table = turn(**options)
    table.coins[ANN] = 3
    table.propose(ANN, name, target)
    return table


def block() -> Table:
    table = action("steal", BOB)
    table.act(BOB, Block("captain"))
    return table


def losing() -> Table:
    """Bob has to lose a card."""
    table = action()
    table.act(BOB, CallBs())
    return table


def exchanging() -> Table:
    table = action("exchange")
    table.pass_time(60_000)
    return table


def over() -> Table:
    table = turn()
    for seat in (BOB, CY):
        table.kick(seat)
    return table


def paused() -> Table:
    table = action()
    table.absent(BOB)
    return table


def rich() -> Table:
    table = turn()
    table.coins[ANN] = 10
    return table


def poor() -> Table:
    table = turn()
    table.coins[:] = [2, 0, 2, 0]
    return table


def allowed(name: str = "tax", target: int | None = None) -> Table:
    table = action(name, target)
    table.act(BOB, Allow())
    return table


def block_only() -> Table:
    """The steal from Bob is proven; only he may answer."""
    table = action("steal", BOB, ruleset="official")
    table.act(CY, CallBs())
    table.act(CY, Lose("duke"))
    return table


def one_card() -> Table:
    """Bob has to choose, and then has one card; it is Ann's turn again to be called BS."""
    table = losing()
    table.act(BOB, Lose("contessa"))
    table.propose(BOB, "income")
    table.propose(CY, "income")
    table.propose(ANN, "tax")
    return table


WAYS: list[tuple[Callable[[], Table], int, AnyMove, str]] = [
    # Row 13: while the game is paused nothing else is looked at.
    (paused, ANN, Confirm(), "paused"),
    (paused, CY, CallBs(), "paused"),
    (paused, DEE, Propose("income"), "paused"),
    (paused, BOB, Lose("duke"), "paused"),
    # PROPOSE_ACTION
    (action, ANN, Propose("nonsense"), "wrong_phase"),  # type: ignore[arg-type]
    (action, DEE, Propose("income"), "wrong_phase"),
    (turn, DEE, Propose("nonsense"), "you_are_out"),  # type: ignore[arg-type]
    (turn, BOB, Propose("nonsense"), "not_your_turn"),  # type: ignore[arg-type]
    (turn, ANN, Propose("nonsense"), "bad_action"),  # type: ignore[arg-type]
    (turn, ANN, Propose("block"), "bad_action"),  # type: ignore[arg-type]
    (turn, ANN, Propose("TAX"), "bad_action"),  # type: ignore[arg-type]
    (turn, ANN, Propose(6), "bad_action"),  # type: ignore[arg-type]
    (turn, ANN, Propose(None), "bad_action"),  # type: ignore[arg-type]
    (turn, ANN, Propose(["tax"]), "bad_action"),  # type: ignore[arg-type]
    (rich, ANN, Propose("nonsense"), "bad_action"),  # type: ignore[arg-type]
    (rich, ANN, Propose("steal", ANN), "must_coup"),
    (rich, ANN, Propose("coup", ANN), "bad_target"),
    (poor, ANN, Propose("coup"), "bad_target"),
    (poor, ANN, Propose("coup", DEE), "bad_target"),
    (poor, ANN, Propose("coup", 9), "bad_target"),
    (poor, ANN, Propose("steal", BOB), "bad_target"),
    (poor, ANN, Propose("tax", BOB), "bad_target"),
    (poor, ANN, Propose("coup", BOB), "not_enough_coins"),  # c25
    (poor, ANN, Propose("assassinate", BOB), "not_enough_coins"),
    # CONFIRM_ACTION
    (turn, ANN, Confirm("tax"), "wrong_phase"),  # also after INCOME and COUP
    (losing, ANN, Confirm("tax"), "wrong_phase"),
    (action, DEE, Confirm("steal"), "you_are_out"),
    (action, BOB, Confirm("steal"), "not_your_action"),  # c34
    (block, ANN, Confirm("steal"), "not_your_action"),
    (action, ANN, Confirm("steal", patient=False), "action_mismatch"),
    (action, ANN, Confirm("block", patient=False), "action_mismatch"),
    (action, ANN, Confirm("tax", BOB, patient=False), "action_mismatch"),
    (action, ANN, Confirm("", patient=False), "action_mismatch"),  # type: ignore[arg-type]
    (block, BOB, Confirm("steal", patient=False), "action_mismatch"),
    (block, BOB, Confirm("block", BOB, patient=False), "action_mismatch"),  # the blocked player is Ann
    (block, BOB, Confirm("block", ANN, patient=False), "too_early"),
    (action, ANN, Confirm("tax", patient=False), "too_early"),
    (lambda: action(confirm_policy="all"), ANN, Confirm("tax"), "too_early"),
    # CALL_BS
    (turn, BOB, CallBs(), "wrong_phase"),
    (losing, CY, CallBs(), "wrong_phase"),  # the second one in a race
    (action, DEE, CallBs("block"), "wrong_phase"),
    (action, DEE, CallBs("anything"), "wrong_phase"),  # type: ignore[arg-type]
    (action, DEE, CallBs(), "you_are_out"),
    (lambda: action("foreign_aid"), ANN, CallBs(), "own_action"),  # c38
    (block, BOB, CallBs(), "own_action"),
    (lambda: allowed("foreign_aid"), BOB, CallBs(), "not_challengeable"),
    (block_only, CY, CallBs(), "not_challengeable"),
    (allowed, BOB, CallBs(), "already_responded"),  # c36
    # BLOCK_ACTION
    (turn, BOB, Block("duke"), "wrong_phase"),  # a coup can't be blocked
    (block, BOB, Block("captain"), "wrong_phase"),
    (action, DEE, Block("nonsense"), "you_are_out"),  # type: ignore[arg-type]
    (action, ANN, Block("nonsense"), "own_action"),  # type: ignore[arg-type]
    (action, BOB, Block("nonsense"), "not_blockable"),  # type: ignore[arg-type]
    (lambda: action("exchange"), BOB, Block("duke"), "not_blockable"),
    (lambda: action("steal", BOB), CY, Block("nonsense"), "not_target"),  # type: ignore[arg-type]
    (lambda: action("steal", BOB), BOB, Block("nonsense"), "bad_card"),  # type: ignore[arg-type]
    (lambda: action("steal", BOB), BOB, Block("Captain"), "bad_card"),  # type: ignore[arg-type]
    (lambda: action("steal", BOB), BOB, Block(4), "bad_card"),  # type: ignore[arg-type]
    (lambda: action("steal", BOB), BOB, Block(None), "bad_card"),  # type: ignore[arg-type]
    (lambda: allowed("steal", BOB), BOB, Block("duke"), "bad_block_card"),
    (lambda: allowed("steal", BOB), BOB, Block("captain"), "already_responded"),
    # ALLOW_ACTION
    (turn, BOB, Allow(), "wrong_phase"),
    (action, DEE, Allow("block"), "wrong_phase"),
    (action, DEE, Allow(), "you_are_out"),
    (action, ANN, Allow(), "own_action"),
    (block, BOB, Allow(), "own_action"),
    (block_only, ANN, Allow(), "own_action"),
    (block_only, CY, Allow(), "not_target"),
    (allowed, BOB, Allow(), "already_responded"),
    # The later protocol's confirmation by the other side
    (turn, BOB, Accept(), "wrong_phase"),
    (action, BOB, Accept("block"), "wrong_phase"),
    (action, DEE, Accept(), "you_are_out"),
    (action, BOB, Accept(), "not_your_action"),  # nobody's: the action has no target
    (lambda: action("steal", BOB), ANN, Accept(), "not_your_action"),
    (block, BOB, Accept("block"), "not_your_action"),
    (block, CY, Accept("block"), "not_your_action"),
    # NEVERMIND_ACTION
    (turn, ANN, Withdraw(), "wrong_phase"),
    (block, ANN, Withdraw(), "wrong_phase"),
    (action, DEE, Withdraw(), "you_are_out"),
    (lambda: action(ruleset="official"), BOB, Withdraw(), "not_your_action"),
    (lambda: action(ruleset="official"), ANN, Withdraw(), "not_allowed"),
    # PLAYER_LOSE_CARD
    (action, BOB, Lose("nonsense"), "wrong_phase"),  # type: ignore[arg-type]
    (losing, DEE, Lose("nonsense"), "you_are_out"),  # type: ignore[arg-type]
    (losing, ANN, Lose("nonsense"), "not_your_choice"),  # type: ignore[arg-type]
    (losing, BOB, Lose("nonsense"), "bad_card"),  # type: ignore[arg-type]
    (losing, BOB, Lose(2), "bad_card"),  # type: ignore[arg-type]
    (losing, BOB, Lose("duke"), "card_not_held"),
    # EXCHANGE_CARDS
    (action, ANN, Keep(()), "wrong_phase"),
    (exchanging, DEE, Keep(()), "you_are_out"),
    (exchanging, BOB, Keep(()), "not_your_choice"),
    (exchanging, ANN, Keep(()), "bad_keep"),
    (exchanging, ANN, Keep(("duke",)), "bad_keep"),
    (exchanging, ANN, Keep(cards("duke captain duke")), "bad_keep"),
    (exchanging, ANN, Keep((1, 2)), "bad_keep"),  # type: ignore[arg-type]
    (exchanging, ANN, Keep(("Duke", "Captain")), "bad_keep"),  # type: ignore[arg-type]
    (exchanging, ANN, Keep(cards("contessa contessa")), "bad_keep"),
    # After the game everything is out of phase, whoever asks.
    (over, BOB, Propose("income"), "wrong_phase"),
    (over, ANN, CallBs(), "wrong_phase"),
]


@pytest.mark.parametrize(
    ("position", "seat", "move", "code"), WAYS, ids=[f"{number}-{way[3]}" for number, way in enumerate(WAYS)]
)
def test_a_refusal_and_its_code(position: Callable[[], Table], seat: int, move: AnyMove, code: str) -> None:
    """Rows of bad input by event: the first check that fails decides. Nothing changes (c19)."""
    table = position()
    assert table.refused(seat, move) == code
    assert move not in table.moves(seat)


def test_acting_twice_is_out_of_phase() -> None:
    """c29: proposing twice, confirming twice, answering what is over."""
    table = turn()
    table.propose(ANN, "tax")
    assert table.refused(ANN, Propose("tax")) == "wrong_phase"
    assert table.refused(BOB, Propose("tax")) == "wrong_phase"
    table.pass_time(5000)
    table.act(ANN, Confirm("tax", patient=False))
    assert table.refused(ANN, Confirm("tax", patient=False)) == "wrong_phase"
    assert table.refused(ANN, Propose("tax")) == "not_your_turn"


def test_a_card_that_is_face_up_can_not_be_lost() -> None:
    """c59: revealed cards do not count."""
    table = Table(3)
    table.lost(ANN, 0)
    table.state.hands[BOB], table.state.hands[ANN] = table.state.hands[ANN], table.state.hands[BOB]
    table.state.lost = [[], [], []]
    table.coins[ANN] = 7
    table.propose(ANN, "coup", BOB)
    table.act(BOB, Lose("duke"))
    table.propose(BOB, "exchange")
    table.pass_time(60_000)
    assert table.refused(BOB, Keep(("duke",))) == "bad_keep"  # nor be kept in an exchange
    table.act(BOB, Keep(("captain",)))
    assert table.view(BOB).revealed[BOB] == ("duke",)


def test_refusals_tell_nothing_of_other_people_s_cards() -> None:
    """c81: the sentence is the same whatever the others hold."""
    sentences = set()
    for deck in (None, tuple(reversed(cards("duke duke duke captain captain captain assassin assassin assassin")))):
        table = action() if deck is None else action(deck=deck)
        sentences.add(tuple(str(table.refusal(seat, Block("contessa"))) for seat in (ANN, BOB, CY, DEE)))
    assert len(sentences) == 1


def test_every_code_of_the_rules_has_been_seen() -> None:
    codes = {way[3] for way in WAYS}
    assert codes == {
        "paused", "wrong_phase", "you_are_out", "not_your_turn", "bad_action", "must_coup", "bad_target",
        "not_enough_coins", "not_your_action", "action_mismatch", "too_early", "own_action", "not_challengeable",
        "already_responded", "not_blockable", "not_target", "bad_card", "bad_block_card", "not_allowed",
        "not_your_choice", "card_not_held", "bad_keep",
    }  # fmt: skip


def test_what_is_offered_does_not_depend_on_the_hand() -> None:
    """Nobody can tell a bluff from the truth by who is offered what: only choices among one's own cards differ."""
    for position in (turn, action, block, lambda: action("steal", BOB), block_only):
        offers = set()
        for swap in (False, True):
            table = position()
            if swap:
                faces = table.state.faces
                table.state.faces = faces[::-1]
            offers.add(str([coup.moves(table.state, seat) for seat in range(4)]))
        assert len(offers) == 1
