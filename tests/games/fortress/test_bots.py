"""The players made of code. How often one wins against the other in 1,000 games: ``python -m benchmarks.contests``."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.contests import play, wins
from croupier.games.fortress import moves as mv
from croupier.games.fortress.bot import Warden, first_hand
from croupier.games.fortress.options import Options
from croupier.kernel import RandomBot
from croupier.kernel.chance import QuickDice
from tests.games.fortress.bench import ANN, BOB, Table, at, fortress, new_game
from tests.games.fortress.test_laws import AnyDecks


class KeepsTheHand(RandomBot):
    """Does anything, but gives no cards away before the game: a little harder to beat."""

    def choose(self, seat: int, view: Any, moves: Any, dice: Any) -> Any:
        return mv.AcceptHand() if view.phase == "mulligan" else super().choose(seat, view, moves, dice)


def chosen(table: Table, seat: int = ANN) -> mv.AnyMove:
    move = Warden().choose(seat, table.view(seat), table.moves(seat), QuickDice(1))
    assert isinstance(move, mv.AnyMove)
    return move


@pytest.mark.parametrize("game", [fortress, AnyDecks()], ids=["starters", "random decks"])
@pytest.mark.parametrize("other", [RandomBot, KeepsTheHand])
def test_warden_beats_random(game: Any, other: Any) -> None:
    assert wins(game, Warden, other, 2, 100, Options()) >= 90


def test_two_wardens_come_to_an_end() -> None:
    for seed in range(30):
        assert play(AnyDecks(), [Warden(), Warden()], Options(), seed) is not None


def test_it_looks_for_a_soldier_to_begin_with() -> None:
    assert isinstance(chosen(new_game()), mv.BringDeck)
    assert first_hand(Table(hand=[24, 33]).view(ANN).sides[ANN]) == mv.AcceptHand()
    assert first_hand(Table(hand=[18, 33]).view(ANN).sides[ANN]) == mv.Mulligan()


def test_it_develops() -> None:
    table = Table(hand=[33, 11, 24])
    assert chosen(table) == mv.PlayCard(at("hand 2"), at("soldier 1"))
    table.put("mage 1", 50)
    assert chosen(table) == mv.LevelMage(at("mage 1"))


def test_it_attacks_the_open_castle_and_what_it_beats() -> None:
    table = Table()
    table.put("soldier 1", 11)
    assert chosen(table) == mv.AttackCard(at("soldier 1"), at("their castle"))
    table.put("their soldier 1", 23)
    table.put("their soldier 2", 22)
    assert chosen(table) == mv.AttackCard(at("soldier 1"), at("their soldier 1"))
    table.put("their soldier 1", 22)
    assert chosen(table) == mv.EndTurn()
    table.put("their soldier 1", 13)
    assert chosen(table) == mv.EndTurn()  # an even trade would leave the castle open
    table.put("soldier 2", 23)
    assert chosen(table) == mv.AttackCard(at("soldier 1"), at("their soldier 1"))


def test_it_does_not_give_cards_up_for_little() -> None:
    table = Table(deck=[33] * 20)
    table.put("mage 1", 50, level=3, attacks=1)
    table.put("their soldier 1", 22)
    assert chosen(table) == mv.EndTurn()
    table.put("their mage 1", 50)
    assert chosen(table) == mv.UseAbility(at("mage 1"))


def test_it_answers_an_attack_that_hurts_and_allows_the_rest() -> None:
    for attacker, answer in ((22, mv.ActivateTrickster(at("their trickster 1"))), (24, mv.AllowAction())):
        table = Table()
        table.put("soldier 1", attacker)
        table.put("their trickster 1", 29)
        table.attack("soldier 1", "their castle")
        assert chosen(table, BOB) == answer


def test_it_cancels_with_what_costs_nothing() -> None:
    table = Table()
    table.put("soldier 1", 15)
    table.put("their trickster 1", 33)
    table.put("trickster 1", 28)
    table.attack("soldier 1", "their castle")
    table.activate("their trickster 1")
    assert chosen(table) == mv.UseAbility(at("soldier 1"))


def test_it_pays_with_the_weakest_and_destroys_the_strongest() -> None:
    table = Table(hand=[12])
    table.put("soldier 1", 11)
    table.put("soldier 2", 24)
    table.put("their soldier 1", 24)
    table.put("their soldier 2", 22)
    table.play(1, "soldier 1")
    table.choose("soldier 1")
    table.allow()
    assert chosen(table) == mv.ChooseCard(at("their soldier 2"))
    table = Table(hand=[46])
    table.put("soldier 1", 11)
    table.put("soldier 2", 24)
    table.play(1, "mage 1")
    assert chosen(table) == mv.ChooseCard(at("soldier 2"))


def test_it_stops_drawing_in_time() -> None:
    for left, yes in ((9, True), (8, False)):
        table = Table(hand=[8], deck=[33] * left)
        table.play(1, "decree")
        table.allow()
        assert chosen(table) == mv.Answer(yes)
