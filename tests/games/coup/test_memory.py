"""What is known of hidden cards: whoever imagines the table keeps to all they have ever seen of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from croupier import laws
from croupier.games.coup import memory
from croupier.games.coup.characters import Character
from croupier.games.coup.moves import Block, CallBs, Confirm, Keep, Lose
from croupier.games.coup.options import Options
from croupier.games.coup.position import live
from croupier.games.coup.state import State
from croupier.kernel import Chance
from croupier.kernel.chance import QuickDice
from tests.games.coup.bench import ANN, BOB, CY, Table, cards, coup

ALL_BUT_AMBASSADORS = cards(
    "duke duke duke captain captain captain assassin assassin assassin contessa contessa contessa"
)


def imagined(table: Table, seat: int | None, count: int = 200) -> Iterator[State]:
    dice = QuickDice(1)
    for _ in range(count):
        yield coup.imagine(table.state, seat, dice)


def hands(table: Table, seat: int | None, of: int) -> Counter[tuple[Character, ...]]:
    """The hands that somebody can imagine somebody else to have."""
    return Counter(tuple(sorted(state.faces[card] for card in live(state, of))) for state in imagined(table, seat))


def test_a_newcomer_to_the_table_can_imagine_anything() -> None:
    found = hands(Table(3), ANN, BOB)
    assert len(found) > 12
    assert all(hand.count("duke") < 3 for hand in found)  # Ann has one herself
    assert len({tuple(state.faces) for state in imagined(Table(3), None)}) == 200


def test_own_and_open_cards_are_as_they_are() -> None:
    table = Table(3)
    table.lost(BOB, 0)
    for state in imagined(table, CY):
        view = coup.view(state, CY)
        assert view == coup.view(table.state, CY)
        assert [slot.card for slot in view.cards[CY]] == ["ambassador", "duke"]


def test_a_proven_card_is_known_to_all_until_it_may_be_gone() -> None:
    """U32: in the ruleset note it is not swapped."""
    table = Table(3)
    table.propose(ANN, "tax")
    table.act(CY, CallBs())
    table.act(CY, Lose("ambassador"))
    for observer in (BOB, CY, None):
        assert all("duke" in hand for hand in hands(table, observer, ANN))
    assert len(hands(table, BOB, ANN)) > 3
    table.income(BOB, CY)
    table.propose(ANN, "exchange")
    table.pass_time(60_000)
    table.act(ANN, Keep(cards("captain contessa")))
    found = hands(table, BOB, ANN)
    assert any("duke" in hand for hand in found)
    assert any("duke" not in hand for hand in found)
    for state in imagined(table, BOB):  # but then it is at the bottom of the deck
        where = [*live(state, ANN), *state.deck[-2:]]
        assert "duke" in [state.faces[card] for card in where]


def test_a_proven_card_that_is_turned_over_says_nothing_of_the_other() -> None:
    table = Table(3)
    table.propose(ANN, "tax")
    table.act(CY, CallBs())
    table.act(CY, Lose("ambassador"))
    table.coins[BOB] = 7
    table.propose(BOB, "coup", ANN)
    table.act(ANN, Lose("duke"))
    assert len(hands(table, BOB, ANN)) > 3
    table = Table(3)
    table.propose(ANN, "tax")
    table.act(CY, CallBs())
    table.act(CY, Lose("ambassador"))
    table.coins[BOB] = 7
    table.propose(BOB, "coup", ANN)
    table.act(ANN, Lose("captain"))
    assert set(hands(table, BOB, ANN)) == {("duke",)}


def test_a_caught_bluff_is_remembered() -> None:
    """Whoever was caught does not have that card, until others are drawn."""
    table = Table(3)
    table.propose(ANN, "exchange")
    table.act(BOB, CallBs())
    table.act(ANN, Lose("duke"))
    for observer in (BOB, CY, None):
        found = hands(table, observer, ANN)
        assert ("ambassador",) not in found
        assert len(found) > 2
    table.income(BOB, CY)
    table.propose(ANN, "exchange")
    table.pass_time(60_000)
    table.act(ANN, Keep(("captain",)))
    assert ("ambassador",) in hands(table, BOB, ANN)


def test_who_exchanged_knows_what_lies_at_the_bottom() -> None:
    """U42: in the ruleset note the deck is not shuffled; and who draws those cards has them."""
    table = Table(6, deck=ALL_BUT_AMBASSADORS)
    assert table.deck == cards("ambassador ambassador ambassador")
    table.propose(ANN, "exchange")
    table.pass_time(60_000)
    table.act(ANN, Keep(cards("duke duke")))
    for state in imagined(table, ANN):
        assert tuple(state.faces[card] for card in state.deck[1:]) == cards("ambassador ambassador")
    assert len({tuple(state.faces[card] for card in state.deck) for state in imagined(table, BOB)}) > 3
    table.propose(BOB, "exchange")
    table.pass_time(60_000)  # Bob has drawn the third and one of those that Ann has put back
    for state in imagined(table, ANN):
        assert state.faces[state.drawn[1]] == "ambassador"
        assert state.faces[state.deck[0]] == "ambassador"
    table.act(BOB, Keep(cards("ambassador ambassador")))
    for state in imagined(table, ANN):  # somewhere among Bob's cards and what he put back
        where = [*state.hands[BOB], *state.deck[-2:]]
        assert "ambassador" in [state.faces[card] for card in where]
    assert any(hand.count("ambassador") == 0 for hand in hands(table, ANN, BOB))
    # Everybody can imagine what Ann might know, and does not know it.
    known = {tuple(clue.characters) for state in imagined(table, CY) for clue in state.clues if clue.seat == ANN}
    assert len(known) > 2


def test_official_what_was_put_back_is_somewhere_in_the_deck() -> None:
    """D40: the deck is shuffled then, so not even who put it back knows where."""
    table = Table(3, ruleset="official")
    table.propose(ANN, "exchange")
    table.pass_time(60_000)
    table.act(ANN, Keep(cards("duke captain")))
    for state in imagined(table, ANN):
        deck = Counter(state.faces[card] for card in state.deck)
        assert deck >= Counter(cards("contessa captain"))
    orders = [[state.faces[card] for card in state.deck] for state in imagined(table, ANN)]
    assert all("contessa" in place and "captain" in place for place in zip(*orders, strict=True))
    assert any(
        not Counter(state.faces[card] for card in state.deck) >= Counter(cards("contessa captain"))
        for state in imagined(table, BOB)
    )


def test_official_a_proven_card_is_in_the_deck_or_was_drawn_again() -> None:
    table = Table(3, ruleset="official")
    table.state.chance = Chance(laws.seed_bytes(3))
    table.propose(ANN, "tax")
    table.act(CY, CallBs())
    for state in imagined(table, BOB):
        assert "duke" in [state.faces[card] for card in (*state.deck, *state.hands[ANN])]
    found = hands(table, BOB, ANN)
    assert any("duke" in hand for hand in found) and any("duke" not in hand for hand in found)


def test_who_was_kicked_in_an_exchange_has_seen_the_cards() -> None:
    table = Table(3)
    table.propose(ANN, "exchange")
    table.pass_time(60_000)
    table.kick(ANN)
    for state in imagined(table, ANN):
        assert tuple(state.faces[card] for card in state.deck[-2:]) == cards("contessa captain")


def test_during_an_exchange_only_the_exchanger_knows_the_pool() -> None:
    table = Table(3)
    table.propose(ANN, "exchange")
    table.pass_time(60_000)
    pools = {coup.view(state, ANN).pool for state in imagined(table, ANN)}
    assert pools == {table.view(ANN).pool}
    assert len({tuple(state.faces[card] for card in state.drawn) for state in imagined(table, BOB)}) > 10


def test_after_the_game_only_the_deck_is_unknown() -> None:
    table = Table(2)
    table.kick(BOB)
    for state in imagined(table, BOB, 20):
        assert coup.view(state, BOB) == table.view(BOB)
        assert [state.faces[card] for card in state.hands[ANN]] == list(cards("duke captain"))


@pytest.mark.parametrize("ruleset", ["note", "official"])
def test_imagination_finds_a_way_when_the_clues_leave_little_room(
    ruleset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Step by step from what is, when dealing at random does not come out."""
    monkeypatch.setattr(memory, "TRIES", 0)
    options = Options(ruleset=ruleset, min_wait_ms=0)  # type: ignore[arg-type]
    compared = 0
    for seed in range(6):
        compared += laws.check_secrecy(coup, 4, options, seed)[1]
    assert compared > 300


def test_two_clues_about_different_cards_are_both_remembered_when_they_are_mixed() -> None:
    """Ann has put back two Dukes; Bob draws both; then they are among his cards and what he has put back."""
    table = Table(
        6, deck=cards("duke duke captain captain captain assassin assassin assassin contessa contessa contessa")
    )
    table.holds(ANN, "duke duke")
    table.propose(ANN, "exchange")
    table.pass_time(60_000)
    drawn = table.view(ANN).pool
    assert drawn is not None
    table.act(ANN, Keep(drawn[2:]))
    table.propose(BOB, "exchange")
    table.pass_time(60_000)
    table.act(BOB, Keep(table.view(BOB).pool[1:3]))  # type: ignore[index]
    table.propose(CY, "exchange")
    table.pass_time(60_000)
    for state in imagined(table, ANN):
        where = [*state.hands[BOB], *state.deck, *state.hands[CY], *state.drawn]
        assert [state.faces[card] for card in where].count("duke") >= 2


def test_blocks_prove_and_are_caught_like_actions() -> None:
    table = Table(3)
    table.propose(ANN, "foreign_aid")
    table.act(CY, Block("duke"))
    table.act(ANN, CallBs("block"))
    table.act(ANN, Lose("captain"))
    assert all("duke" in hand for hand in hands(table, BOB, CY))
    table.propose(BOB, "steal", CY)
    table.act(CY, Block("captain"))
    table.pass_time(1)
    table.act(BOB, CallBs("block"))
    table.act(CY, Lose("ambassador"))
    assert set(hands(table, ANN, CY)) == {("duke",)}
    table.propose(CY, "tax")
    table.act(CY, Confirm())
