"""The bots of Coup: what they make of what they see, how strong they are, and that they always find a legal move.

Larger numbers of games: ``python -m benchmarks.contests coup believer honest``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from benchmarks.contests import play, wins
from croupier.games.coup.bot import WORTH, Believer, Honest, best_to_keep
from croupier.games.coup.characters import CLAIMS
from croupier.games.coup.moves import Accept, Allow, AnyMove, Block, CallBs, Confirm, Keep, Lose, Propose, Withdraw
from croupier.games.coup.options import Options
from croupier.games.coup.state import View
from croupier.kernel import Bot, Dice, Event, Move, RandomBot
from croupier.kernel.chance import QuickDice
from tests.games.coup.bench import ANN, BOB, CY, Table, cards, coup

both = pytest.mark.parametrize("ruleset", ["note", "official"])


def choice(bot: Bot, table: Table, seat: int, seed: int = 1) -> AnyMove:
    move = bot.choose(seat, table.view(seat), table.moves(seat), QuickDice(seed))
    assert move in table.moves(seat)
    return move  # type: ignore[return-value]


def watch(bot: Bot, seat: int, table: Table) -> None:
    """Show somebody what has just happened."""
    bot.observe(seat, [seen for event in table.events if (seen := event.seen_by(seat)) is not None])


# How strong they are


@both
def test_the_believer_beats_a_bot_that_never_lies_and_never_calls(ruleset: Any) -> None:
    """At least 60 of 100; the script shows about 88."""
    assert wins(coup, Believer, Honest, 2, 200, Options(ruleset=ruleset)) >= 120


@both
def test_the_believer_beats_three_random_ones(ruleset: Any) -> None:
    """At least 45 of 100; the script shows about 80."""
    assert wins(coup, Believer, RandomBot, 4, 120, Options(ruleset=ruleset)) >= 54


def test_the_believer_is_the_usual_opponent() -> None:
    assert next(iter(coup.bots)) == "believer"


# Always a legal move, to the end


class Checked(Bot):
    """Asks another bot, and sees that it answers with one of the moves."""

    name = "checked"
    about = "For tests."

    def __init__(self, bot: Bot) -> None:
        self.bot = bot

    def observe(self, seat: int, events: Sequence[Event]) -> None:
        self.bot.observe(seat, events)

    def choose(self, seat: int, view: View, moves: Sequence[AnyMove], dice: Dice) -> Move:
        move = self.bot.choose(seat, view, moves, dice)
        assert move in moves
        return move


@both
@pytest.mark.parametrize("seats", range(2, 7))
def test_games_of_all_sorts_of_bots_end(seats: int, ruleset: Any) -> None:
    kinds = list(coup.bots.values())
    for seed in range(12):
        for policy in ("wait", "all"):
            bots = [Checked(kinds[(seed + seat) % 3]()) for seat in range(seats)]
            options = Options(ruleset=ruleset, confirm_policy=policy)
            assert play(coup, bots, options, seed) is not None


# The honest one


class Witness(Honest):
    """Complains when it catches itself lying or doubting."""

    def choose(self, seat: int, view: View, moves: Sequence[AnyMove], dice: Dice) -> AnyMove:
        move = super().choose(seat, view, moves, dice)
        hand = [slot.card for slot in view.cards[seat] if not slot.revealed]
        match move:
            case Propose(action) if action in CLAIMS:
                assert CLAIMS[action] in hand
            case Block(character):
                assert character in hand
            case CallBs() | Withdraw():
                raise AssertionError(move)
        return move


@both
def test_the_honest_one_never_lies_and_never_calls(ruleset: Any) -> None:
    for seed in range(40):
        seats = 2 + seed % 5
        bots: list[Bot] = [Witness() if seat % 2 else RandomBot() for seat in range(seats)]
        assert play(coup, bots, Options(ruleset=ruleset), seed) is not None


def test_the_honest_one_plays_what_it_has() -> None:
    table = Table(3)
    assert choice(Honest(), table, ANN) == Propose("tax")
    table.coins[ANN] = 7
    assert choice(Honest(), table, ANN) == Propose("coup", BOB)
    table.income(ANN, BOB)
    assert choice(Honest(), table, CY) == Propose("tax")
    table.propose(CY, "foreign_aid")
    assert choice(Honest(), table, ANN) == Block("duke")
    assert choice(Honest(), table, BOB) == Allow("action")
    assert choice(Honest(), table, CY) == Confirm()


def test_the_honest_one_does_not_try_again_what_was_blocked() -> None:
    table, bot = Table(2, deck=cards("captain contessa captain contessa")), Honest()
    assert choice(bot, table, ANN) == Propose("steal", BOB)
    table.propose(ANN, "steal", BOB)
    table.act(BOB, Block("captain"))
    watch(bot, ANN, table)
    table.pass_time(60_000)
    table.income(BOB)
    assert choice(bot, table, ANN) == Propose("foreign_aid")
    table.propose(ANN, "foreign_aid")
    table.act(BOB, Block("duke"))
    watch(bot, ANN, table)
    table.pass_time(60_000)
    table.income(BOB)
    assert choice(bot, table, ANN) == Propose("income")


# The believer: what it believes


def test_beliefs_begin_with_counting() -> None:
    """Three unseen among 13 cards, two, one, none."""
    for held, expected in (("contessa assassin", 0.423), ("duke assassin", 0.295), ("duke duke", 0.154)):
        table = Table(2, deck=cards(held))
        assert Believer().chance_of(ANN, table.view(ANN), BOB, "duke") == pytest.approx(expected, abs=0.001)
    table = Table(2, deck=cards("duke duke captain duke"))
    table.lost(BOB, 1)
    assert Believer().chance_of(ANN, table.view(ANN), BOB, "duke") == 0
    # With one card left, the unseen ones over all that are unseen.
    assert Believer().chance_of(ANN, table.view(ANN), BOB, "captain") == pytest.approx(3 / 12)


def believes(bot: Believer, table: Table, player: int, character: Any, seat: int = ANN) -> float:
    return bot.chance_of(seat, table.view(seat), player, character)


def test_a_claim_makes_it_likelier_and_a_proof_certain() -> None:
    table, bot = Table(3), Believer()
    table.income(ANN, BOB)
    before = believes(bot, table, CY, "duke")
    table.propose(CY, "tax")
    watch(bot, ANN, table)
    claimed = believes(bot, table, CY, "duke")
    assert before < claimed < 0.9
    table.act(BOB, CallBs())
    watch(bot, ANN, table)
    assert believes(bot, table, CY, "duke") > 0.99


def test_a_caught_bluff_makes_it_unlikely_and_the_next_claim_weigh_less() -> None:
    table, bot = Table(3), Believer()
    table.income(ANN)
    table.propose(BOB, "tax")
    watch(bot, ANN, table)
    table.act(CY, CallBs())
    watch(bot, ANN, table)
    assert believes(bot, table, BOB, "duke") < 0.02
    table.act(BOB, Lose("contessa"))
    watch(bot, ANN, table)
    before = believes(bot, table, BOB, "captain")
    bot.observe(ANN, [])
    table.income(CY, ANN)
    table.propose(BOB, "steal", CY)
    watch(bot, ANN, table)
    assert believes(bot, table, BOB, "captain") < before + 0.1


def test_letting_things_pass_says_something_too() -> None:
    table, bot = Table(3), Believer()
    choice(bot, table, ANN)  # knows who is there
    before = believes(bot, table, BOB, "duke"), believes(bot, table, BOB, "contessa")
    table.propose(ANN, "foreign_aid")
    table.pass_time(60_000)
    watch(bot, ANN, table)
    assert believes(bot, table, BOB, "duke") < before[0]
    table.coins[:] = [2, 2, 3]
    table.income(BOB)
    table.propose(CY, "assassinate", BOB)
    table.pass_time(60_000)
    watch(bot, ANN, table)
    assert believes(bot, table, BOB, "contessa") < before[1] / 4


def test_a_swap_and_an_exchange_make_beliefs_stale() -> None:
    table, bot = Table(3, ruleset="official"), Believer()
    table.income(ANN, BOB)
    table.propose(CY, "tax")
    watch(bot, ANN, table)
    table.act(BOB, CallBs())
    watch(bot, ANN, table)
    assert believes(bot, table, CY, "duke") < 0.5  # proven, and gone
    table.act(BOB, Lose("contessa"))
    table.income(ANN, BOB)
    table.propose(CY, "steal", ANN)
    watch(bot, ANN, table)
    claimed = believes(bot, table, CY, "captain")
    table.pass_time(60_000)
    table.income(ANN, BOB)
    table.propose(CY, "exchange")
    table.pass_time(60_000)
    table.pass_time(60_000)
    watch(bot, ANN, table)
    assert believes(bot, table, CY, "captain") < claimed


# The believer: what it does


def test_it_coups_and_assassinates_where_that_is_likely_to_hit() -> None:
    table = Table(3)
    table.coins[:] = [7, 2, 5]
    assert choice(Believer(), table, ANN) == Propose("coup", CY)  # the richer one
    table.coins[:] = [2, 3, 2]
    table.income(ANN)
    bot = Believer()
    assert choice(bot, table, BOB) in (Propose("assassinate", ANN), Propose("assassinate", CY))


def test_it_never_bluffs_more_than_two_cards_could_be() -> None:
    table, bot = Table(3), Believer()
    bot.claimed.update(["captain", "contessa"])
    table.holds(ANN, "contessa contessa")
    assert choice(bot, table, ANN) not in (Propose("tax"),)


def test_it_claims_the_duke_where_nobody_ever_calls_and_not_where_they_do() -> None:
    table = Table(2, deck=cards("contessa contessa"))
    believed, doubted = Believer(), Believer()
    believed.answered[BOB] = doubted.answered[BOB] = 10
    doubted.called[BOB] = 6
    assert choice(believed, table, ANN) == Propose("tax")
    assert choice(doubted, table, ANN) != Propose("tax")


def test_it_calls_what_can_not_be() -> None:
    table = Table(3, deck=cards("duke duke captain captain duke"))
    table.lost(CY, 0)
    table.propose(ANN, "income")
    table.propose(BOB, "tax")
    assert choice(Believer(), table, ANN) == CallBs("action")


def test_it_fights_an_assassin() -> None:
    """Nothing is lost by it in the ruleset note."""
    table = Table(2, deck=cards("duke captain duke captain"))
    table.coins[BOB] = 3
    table.income(ANN)
    table.propose(BOB, "assassinate", ANN)
    assert choice(Believer(), table, ANN) in (CallBs("action"), Block("contessa"))


def test_it_blocks_with_the_real_card() -> None:
    table = Table(2, deck=cards("captain duke duke duke"))
    table.income(ANN)
    table.propose(BOB, "steal", ANN)
    assert choice(Believer(), table, ANN) == Block("captain")


def test_it_calls_a_doubtful_block_of_its_own_action() -> None:
    table, bot = Table(2, deck=cards("captain captain captain duke")), Believer()
    table.propose(ANN, "steal", BOB)
    table.act(BOB, Block("captain"))
    assert choice(bot, table, ANN) == CallBs("block")


def test_it_lets_pass_what_it_believes() -> None:
    table, bot = Table(3), Believer()
    table.income(ANN, BOB)
    table.propose(CY, "tax")
    watch(bot, ANN, table)
    assert choice(bot, table, ANN) == Allow("action")
    assert choice(bot, table, CY) == Confirm()
    table.pass_time(60_000)
    table.propose(ANN, "foreign_aid")
    table.act(CY, Block("duke"))
    bot._of(CY)["duke"] = 9
    assert choice(bot, table, ANN) == Accept("block")


def test_it_keeps_the_better_cards() -> None:
    assert best_to_keep(cards("duke duke captain ambassador"), 2, WORTH) == ("duke", "captain")
    table = Table(2, deck=cards("ambassador contessa duke duke duke captain"))
    table.propose(ANN, "exchange")
    table.pass_time(60_000)
    kept = choice(Believer(), table, ANN)
    assert isinstance(kept, Keep)
    assert Counter(kept.cards) == Counter(["duke", "captain"])
    assert choice(Honest(), table, ANN) == kept


def test_it_gives_up_the_worse_card() -> None:
    table = Table(3, deck=cards("duke contessa ambassador duke"))
    table.coins[ANN] = 7
    table.propose(ANN, "coup", BOB)
    assert choice(Believer(), table, BOB) == Lose("ambassador")
    assert choice(Honest(), table, BOB) == Lose("ambassador")
