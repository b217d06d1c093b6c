"""Players, places, decks and first hands: T1 to T18."""

from __future__ import annotations

from collections import Counter

import pytest

from croupier import laws
from croupier.games.fortress import events as ev
from croupier.games.fortress import moves as mv
from croupier.games.fortress.cards import ANY_ID, CARDS
from croupier.games.fortress.decks import STARTERS
from croupier.games.fortress.options import Options
from croupier.games.fortress.places import CASTLE, DECK, DISCARD, FIELD, HAND, Place
from croupier.kernel import Chance
from croupier.kernel.chance import QuickDice
from tests.games.fortress.bench import ANN, BOB, START, Table, at, fortress, new_game

ASSAULT, DISCIPLINE, REFERENCE = STARTERS.values()


def started(**options: int) -> Table:
    return new_game(decks=(ASSAULT, DISCIPLINE), **options)


def test_t1_two_play() -> None:
    assert list(fortress.seats) == [2]
    assert fortress.customs.seating == "kept"


def test_t2_a_side_has_a_castle_a_deck_a_hand_a_discard_pile_and_seven_slots() -> None:
    zones = Counter(place.zone for place in FIELD[ANN])
    assert zones == {"soldier": 2, "mage": 2, "trickster": 2, "decree": 1}
    side = Table().view(ANN).sides[ANN]
    assert (len(side.field), side.castle, side.deck, side.hand, side.discard) == (7, 3, 8, (), ())


def test_t3_places_have_the_names_of_the_protocol() -> None:
    for seat in (ANN, BOB):
        named = {*HAND[seat][:10], *DECK[seat], *DISCARD[seat], *FIELD[seat], CASTLE[seat]}
        assert len(named) == 118
        assert HAND[seat][49] == Place(seat, "hand", 50)


def test_t4_the_top_of_the_deck_is_its_highest_number() -> None:
    table = started()
    top = ASSAULT[49]
    assert table.ann.hand[0] == top
    assert table.ann.deck[0] == ASSAULT[0]


def test_t5_hands_close_up_and_piles_grow() -> None:
    table = Table(hand=[24, 10, 15])
    table.play(2, "soldier 1")
    table.allow()
    assert table.ann.hand[:2] == [24, 15]
    assert table.told(ev.GapClosed) == [ev.GapClosed(ANN, 2, 2)]
    assert table.told(ev.Drew)[0].hand == 3  # the next place, now that the gap is closed


def test_t6_a_card_goes_to_its_owners_pile_and_forgets_what_happened_to_it() -> None:
    table = Table()
    table.put("soldier 1", 24, owner=BOB, change=5)
    table.put("their soldier 1", 22)
    table.attack("soldier 1", "their soldier 1")
    table.allow()
    assert (table.ann.discard, table.bob.discard) == ([], [24])
    assert table.told(ev.Destroyed)[0].graves == (at("their discard 1"),)


def test_t7_hands_and_face_down_tricksters_are_private_and_nobody_sees_a_deck() -> None:
    table = Table(hand=[10], their_hand=[11, 12])
    table.put("trickster 1", 28)
    own, theirs, spectator = table.view(ANN), table.view(BOB), table.view(None)
    assert own.sides[ANN].hand == (10,)
    assert own.sides[BOB].hand is None
    assert own.sides[BOB].hand_size == 2
    assert own.sides[ANN].field[4].card == 28  # type: ignore[union-attr]
    for view in (theirs, spectator):
        assert view.sides[ANN].hand is None
        assert view.sides[ANN].field[4].card is None  # type: ignore[union-attr]
        assert view.sides[ANN].field[4].face_down  # type: ignore[union-attr]
    assert own.sides[ANN].deck == 8


def test_t12_castles_are_revealed_when_both_have_accepted() -> None:
    table = started()
    assert table.view(ANN).sides[ANN].castle == 3
    assert table.view(ANN).sides[BOB].castle is None
    table.act(BOB, mv.AcceptHand())
    assert table.view(ANN).sides[BOB].castle is None
    table.act(ANN, mv.AcceptHand())
    assert table.view(ANN).sides[BOB].castle == 5
    assert table.told(ev.CastlesRevealed) == [ev.CastlesRevealed((3, 5), (140, 50), ANN)]
    kinds = [type(event) for event in table.events]
    assert kinds == [ev.Accepted, ev.CastlesRevealed, ev.TurnStarted]


def test_t13_decks_are_shuffled_and_anybody_may_begin() -> None:
    firsts, tops = Counter[int](), set()
    for seed in range(60):
        state = fortress.deal(Options(), 2, Chance(laws.seed_bytes(seed)), START)
        for seat, deck in enumerate((ASSAULT, DISCIPLINE)):
            fortress.play(state, seat, mv.BringDeck(deck), START)
        tops.add(tuple(state.sides[ANN].hand))
        for seat in (ANN, BOB):
            fortress.play(state, seat, mv.AcceptHand(), START)
        firsts[state.active] += 1
    assert len(tops) == 60
    assert set(firsts) == {ANN, BOB}


def test_t14_six_cards_from_the_top() -> None:
    table = started()
    assert table.ann.hand == [*ASSAULT[49:43:-1]]
    dealt = table.told(ev.Dealt)
    assert [(event.seat, event.count, event.deck) for event in dealt] == [(ANN, 6, 44), (BOB, 6, 44)]
    assert dealt[0].seen_by(ANN) == dealt[0]
    assert dealt[0].seen_by(BOB).cards is None


def test_t15_each_mulligan_is_one_card_fewer_down_to_one() -> None:
    table = started()
    before = list(table.bob.hand)
    for size in (5, 4, 3, 2, 1):
        table.act(ANN, mv.Mulligan())
        assert table.told(ev.Dealt)[0].count == size == len(table.ann.hand)
        assert len(table.ann.deck) == 50 - size
        assert sorted(table.ann.hand + table.ann.deck) == sorted(ASSAULT[:50])
    assert table.refused(ANN, mv.Mulligan()) == "no_mulligan_left"  # D13
    assert mv.Mulligan() not in table.moves(ANN)
    assert table.bob.hand == before


def test_t15_without_shuffling_the_hand_goes_to_the_bottom() -> None:
    table = started()
    hand = list(table.ann.hand)
    table.act(ANN, mv.Mulligan())
    assert table.ann.deck[:6] == hand
    assert table.ann.hand == [*ASSAULT[43:38:-1]]


def test_t16_both_decide_for_themselves_and_accepting_is_final() -> None:
    table = started()
    assert fortress.awaited(table.state) == [ANN, BOB]
    table.act(BOB, mv.AcceptHand())
    assert fortress.awaited(table.state) == [ANN]
    for move in (mv.Mulligan(), mv.AcceptHand(), mv.ReturnCard(at("their hand 1"))):
        assert table.refused(BOB, move) == "already_accepted"
    table.act(ANN, mv.Mulligan())
    table.act(ANN, mv.AcceptHand())
    assert (table.state.phase, table.state.turn) == ("main", 1)


def test_t17_a_single_card_may_be_given_back_without_another_for_it() -> None:
    table = started()
    hand = list(table.ann.hand)
    table.act(ANN, mv.ReturnCard(at("hand 4")))
    assert table.ann.hand == hand[:3] + hand[4:]
    assert table.ann.deck[0] == hand[3]
    assert table.events == [ev.Returned(ANN, 4, 5), ev.Shuffled(ANN, 45)]
    table.act(ANN, mv.Mulligan())
    assert len(table.ann.hand) == 5  # D14: by the last deal, not by what was left of it
    assert table.refused(ANN, mv.ReturnCard(at("hand 6"))) == "bad_position"
    assert table.refused(ANN, mv.ReturnCard(at("their hand 1"))) == "bad_position"
    for seat in (ANN, BOB):
        table.act(seat, mv.AcceptHand())
    assert table.refused(ANN, mv.ReturnCard(at("hand 1"))) == "not_now"


@pytest.mark.parametrize("castle", range(6))
def test_t18_a_castle_starts_with_its_printed_health(castle: int) -> None:
    table = new_game(decks=((*ASSAULT[:50], castle), DISCIPLINE))
    assert table.ann.health == CARDS[castle].health


def test_a_deck_is_brought_before_anything_is_dealt() -> None:
    table = new_game()
    assert fortress.awaited(table.state) == [ANN, BOB]
    assert table.moves(ANN) == tuple(mv.BringDeck(deck) for deck in STARTERS.values())
    assert table.refused(ANN, mv.AcceptHand()) == "not_started"
    assert table.refused(ANN, mv.BringDeck(ASSAULT[1:])) == "bad_deck"
    table.act(ANN, mv.BringDeck(ASSAULT))
    assert table.events == [ev.Brought(ANN)]
    assert table.refused(ANN, mv.BringDeck(ASSAULT)) == "already_accepted"
    assert table.moves(ANN) == ()
    table.act(BOB, mv.BringDeck(REFERENCE))
    assert [type(event) for event in table.events] == [ev.Brought, ev.Dealt, ev.Dealt]
    assert table.refused(BOB, mv.BringDeck(REFERENCE)) == "not_started"


def test_which_deck_somebody_has_brought_is_a_secret() -> None:
    table = new_game(decks=(ASSAULT,))
    imagined = [fortress.imagine(table.state, BOB, QuickDice(seed)).sides[ANN] for seed in range(20)]
    assert len({tuple(side.deck) for side in imagined}) == 20
    assert len({side.castle for side in imagined}) > 1
    assert all(ANY_ID >> card & 1 for side in imagined for card in side.deck)
