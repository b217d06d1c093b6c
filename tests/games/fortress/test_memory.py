"""What somebody can know of hidden cards is kept in mind by whoever imagines them."""

from __future__ import annotations

from collections.abc import Callable

from croupier.games.fortress import moves as mv
from croupier.games.fortress.cards import KIND, OF_KIND
from croupier.games.fortress.state import State
from croupier.kernel.chance import QuickDice
from tests.games.fortress.bench import ANN, BOB, Table, at, fortress

DECK = [card for card in range(10, 40) if card != 28]


def always(table: Table, seat: int | None, holds: Callable[[State], bool], times: int = 30) -> bool:
    dice = QuickDice(3)
    return all(holds(fortress.imagine(table.state, seat, dice)) for _ in range(times))


def test_own_cards_stay_and_the_own_deck_is_reordered() -> None:
    table = Table(hand=[10, 11], deck=DECK, their_deck=DECK)
    assert always(table, ANN, lambda state: state.sides[ANN].hand == [10, 11])
    assert always(table, ANN, lambda state: sorted(state.sides[ANN].deck) == DECK)
    assert not always(table, ANN, lambda state: state.sides[ANN].deck == DECK)


def test_the_enemys_cards_can_be_any() -> None:
    table = Table(their_hand=[10, 11], their_deck=DECK, deck=DECK)
    table.put("their trickster 1", 28)
    dice = QuickDice(4)
    hands, tricksters = set(), set()
    for _ in range(60):
        side = fortress.imagine(table.state, ANN, dice).sides[BOB]
        hands.add(tuple(side.hand))
        tricksters.add(side.field[4].card)  # type: ignore[union-attr]
    assert len(hands) > 40
    assert len(tricksters) > 5
    assert {KIND[card] for card in tricksters} == {"trickster"}


def test_a_searched_card_is_of_the_kind_that_was_searched_for() -> None:
    table = Table(hand=[11], deck=DECK, their_deck=DECK)
    table.play(1, "soldier 1")
    table.allow()
    table.choose("deck 1")
    for observer in (BOB, None):
        assert always(table, observer, lambda state: KIND[state.sides[ANN].hand[0]] == "soldier")
        assert not always(table, observer, lambda state: state.sides[ANN].hand[0] == DECK[0])


def test_what_was_looked_at_is_known_to_who_looked() -> None:
    table = Table(deck=DECK, their_deck=DECK, hand=[33, 33], their_hand=[24, 10])
    table.put("mage 1", 56)
    table.level("mage 1")
    table.allow()
    table.choose("hand 1")
    table.choose("hand 1")
    assert always(table, ANN, lambda state: state.sides[BOB].hand == [24, 10])
    table.choose("their hand 1")
    assert always(table, ANN, lambda state: state.sides[BOB].hand == [10])
    assert not always(table, None, lambda state: state.sides[BOB].hand == [10])


def test_a_trickster_that_was_looked_at_is_known() -> None:
    table = Table(deck=DECK, their_deck=DECK)
    table.put("mage 1", 54)
    table.put("their trickster 1", 28)
    table.put("their trickster 2", 28)
    table.level("mage 1")
    table.allow()
    table.choose("their trickster 1")
    assert always(table, ANN, lambda state: state.sides[BOB].field[5].card == 28)  # type: ignore[union-attr]


def test_a_deck_that_was_searched_in_vain_has_no_such_card() -> None:
    table = Table(hand=[11], deck=[33] * 2 + [37] * 2, their_deck=DECK)
    table.play(1, "soldier 1")
    table.allow()
    assert table.ann.lacks == OF_KIND["soldier"]
    assert always(table, BOB, lambda state: all(KIND[card] != "soldier" for card in state.sides[ANN].deck))


def test_a_card_on_the_stack_is_what_was_declared_and_a_trickster_is_a_trickster() -> None:
    table = Table(hand=[24, 33], deck=DECK, their_deck=DECK)
    table.play(1, "soldier 1")
    for observer in (BOB, None):
        assert always(table, observer, lambda state: state.sides[ANN].hand[0] == 24)
    table.allow()
    table.play(1, "trickster 1")
    assert always(table, BOB, lambda state: KIND[state.stack[0].card] == "trickster")
    assert always(table, BOB, lambda state: state.stack[0].card == state.sides[ANN].hand[0])
    assert not always(table, BOB, lambda state: state.stack[0].card == 33)


def test_an_open_search_finds_something_in_imagination_too() -> None:
    table = Table(hand=[11], deck=DECK, their_deck=DECK)
    table.play(1, "soldier 1")
    table.allow()

    def fits(state: State) -> bool:
        assert state.request is not None
        cards = [state.sides[ANN].deck[place.number - 1] for place in state.request.region]
        return bool(cards) and all(KIND[card] == "soldier" for card in cards)

    assert always(table, BOB, fits)
    assert always(table, ANN, lambda state: state.sides[ANN].deck == DECK)  # who searches knows where it lies


def test_the_enemy_learns_something_from_an_oracle() -> None:
    table = Table(hand=[56], deck=[10, 11, 12, 13], their_deck=[12, 14, 15])
    table.play(1, "mage 1")
    table.allow()
    table.choose("deck 3")
    table.choose("deck 1")
    assert table.region == ["their deck 1"]
    table.choose(None)
    known = table.ann.clues
    assert all(clue >> 12 & 1 and not clue >> 14 & 1 and clue >> 20 & 1 for clue in known)


def test_imagining_changes_nothing() -> None:
    table = Table(hand=[18], deck=DECK, their_deck=DECK)
    table.put("soldier 1", 24)
    table.play(1, "soldier 2")
    before = fortress.fingerprint(table.state, b"")
    for observer in (ANN, BOB, None):
        fancy = fortress.imagine(table.state, observer, QuickDice(1))
        fortress.play(fancy, ANN, mv.ChooseCard(at("soldier 1")), table.at)
    assert fortress.fingerprint(table.state, b"") == before
