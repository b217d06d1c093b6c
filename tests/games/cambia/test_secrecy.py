"""What nobody may learn in Cambia. The law itself is in tests/test_laws.py; here is what can be said plainly."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

import msgspec
import pytest

from croupier import laws
from croupier.games.cambia.events import (
    AnyEvent,
    Dealt,
    Discarded,
    Drew,
    Ended,
    FirstLook,
    Forfeited,
    Peeked,
    Penalised,
    Revealed,
    SnapFailed,
    Snapped,
)
from croupier.games.cambia.moves import CallCambia, DrawStockpile, Snap
from croupier.games.cambia.options import Options
from croupier.games.cambia.state import State
from croupier.kernel import Chance
from croupier.kernel.chance import QuickDice
from tests.games.cambia.positions import cambia, cards_on, conserved, dealt, play, seen, table, throw, use

SIGNS = "♣♦♥♠★"
RULES = [
    Options(),
    Options(allow_draw_from_discard_pile=True, allow_replace_abilities=True, snap_race=True),
    Options(cards_per_player=6, initial_view_count=1, lock_caller_hand=False, penalty_draw_count=4),
]


def random_game(seats: int, options: Options, seed: int, snaps: int = 6) -> Iterator[tuple[State, list[AnyEvent]]]:
    """Everything that happens in a game of random moves; one in so many is a snap, and calls are rare."""
    dice = QuickDice(seed)
    state = cambia.deal(options, seats, Chance(laws.seed_bytes(seed)), 0)
    while cambia.result(state) is None:
        if not cambia.awaited(state):
            yield state, list(cambia.expire(state, cambia.clocks(state)[0].name, 0))
            continue
        seat = dice.below(seats) if dice.below(snaps) == 0 else dice.choice(cambia.awaited(state))
        moves = [move for move in cambia.moves(state, seat) if dice.below(snaps) == 0 or not isinstance(move, Snap)]
        if moves == [] or (isinstance(move := dice.choice(moves), CallCambia) and dice.below(12)):
            continue
        yield state, list(cambia.play(state, seat, move, 0))


@pytest.mark.parametrize("options", RULES)
@pytest.mark.parametrize("seats", [2, 4])
def test_k87_k88_k89_k90_faces_reach_only_who_may_see_them(seats: int, options: Options) -> None:
    """A second opinion, from the events alone: who is told a face, and by what."""
    for seed in range(25):
        for state, events in random_game(seats, options, seed):
            for event in events:
                for seat in (None, *range(seats)):
                    told = event.seen_by(seat)
                    if told is None or not any(sign in msgspec.json.encode(told).decode() for sign in SIGNS):
                        continue
                    match told:
                        case Drew(source="stockpile") | Peeked() | Revealed() | FirstLook():
                            assert seat == told.seat
                        case Drew() | Discarded() | Snapped() | SnapFailed() | Ended() | Dealt():
                            pass  # open to all
                        case _:
                            raise AssertionError(f"{told} shows a face to {seat}")
            assert state.phase != "over" or cambia.result(state)


def test_k89_a_penalty_card_is_seen_by_nobody() -> None:
    state = table("5h 2c", "3h", pile="9s", stock="4h Ac 2d")
    events = play(state, 0, Snap("a0"))
    assert [type(event) for event in events] == [SnapFailed, Penalised, Penalised]
    for seat in (0, 1, None):
        assert not {"s0", "s1"} & set(cambia.recall(state, seat))
        for event in seen(events[1:], seat):
            assert not any(sign in repr(event) for sign in SIGNS)


@pytest.mark.parametrize("options", RULES)
def test_k91_a_view_shows_what_is_open_now(options: Options) -> None:
    """Nothing but the top card, what you hold, a King's look, the first look, and in the end the hands."""
    for seed in range(15):
        for state, _ in random_game(3, options, seed):
            for seat in (None, 0, 1, 2):
                view = cambia.view(state, seat)
                shown = Counter(letter for letter in msgspec.json.encode(view).decode() if letter in SIGNS)
                allowed = [view.top.face] if view.top else []
                allowed += [view.held.face] if view.held and view.held.face else []
                allowed += view.choice.faces if view.choice else ()
                allowed += [card.face for card in view.shown]
                allowed += [card.face for hand in view.outcome.hands for card in hand] if view.outcome else []
                assert shown == Counter(face[-1] if face[0] != "★" else "★" for face in allowed)
                if view.choice and view.choice.faces:
                    assert seat == view.choice.seat
                if view.held and view.held.face and view.held.source == "stockpile":
                    assert seat == view.held.seat


@pytest.mark.parametrize("options", RULES)
def test_k91_d60_what_can_be_recalled_was_shown_before(options: Options) -> None:
    for seed in range(15):
        known: dict[int | None, dict[str, str]] = defaultdict(dict)
        for state, events in random_game(3, options, seed):
            for seat in (None, 0, 1, 2):
                for event in seen(events, seat):
                    match event:
                        case FirstLook(cards=cards):
                            known[seat].update((card.id, card.face) for card in cards)
                        case Drew(card=card, face=str(face)) | Discarded(card=card, face=face):
                            known[seat][card] = face
                        case Peeked(card=spot, face=str(face)):
                            known[seat][spot.id] = face
                        case SnapFailed(card=spot, face=str(face)) if spot is not None:
                            known[seat][spot.id] = face
                        case Revealed(card1=one, card2=other, faces=(first, second)):
                            known[seat] |= {one.id: first, other.id: second}
                in_hands = {card for hand in state.hands for card in hand}
                recalled = {card: face for card, face in known[seat].items() if card in in_hands}
                assert cambia.recall(state, seat) == recalled


def test_k75_no_card_comes_back_under_an_old_id() -> None:
    reshuffles = 0
    for seed in range(30):
        thrown: set[str] = set()
        for state, events in random_game(4, RULES[2], seed):
            for event in events:
                match event:
                    case Discarded(card=card) | Snapped(card=card):
                        thrown.add(card)
                    case Drew(card=card, source="stockpile") | Penalised(card=card):
                        assert card not in thrown
            reshuffles += sum(type(event).__name__ == "Reshuffled" for event in events)
            assert not thrown & set(state.stock)
    assert reshuffles > 20


def test_imagination_respects_what_was_in_a_reshuffled_pile() -> None:
    """Whoever counts along knows that a face that was in the pile is not in a hand that was dealt before."""
    dice = QuickDice(1)
    for seed in range(20):
        old: set[str] = set()
        pile: Counter[str] = Counter()
        for state, events in random_game(2, RULES[2], seed, snaps=3):
            if any(type(event).__name__ == "Reshuffled" for event in events) and len(state.leftovers) == 1:
                old = {card for card in cards_on(state) if card not in state.epochs}
                pile = Counter(state.faces[card] for card in state.epochs)
            if old and len(state.leftovers) == 1:
                for seat in (0, 1, None):
                    imagined = cambia.imagine(state, seat, dice)
                    conserved(imagined)
                    faces = Counter(imagined.faces[card] for card in imagined.epochs)
                    # All but one card of the new stockpile are known to have been in the pile.
                    assert (faces - pile).total() <= 1
                    for card, face in cambia.recall(state, seat).items():
                        assert imagined.faces[card] == face


def test_imagination_leaves_nothing_settled_that_is_unknown() -> None:
    """Every unknown card could be many things; a known one is what it is; and the card left over could be any."""
    state = table("5h 2c", "3h 4h", pile="6c 7c 8c 9s", stock="Qd")
    play(state, 0, DrawStockpile())
    dice = QuickDice(1)
    found: dict[str, set[str]] = defaultdict(set)
    for _ in range(300):
        imagined = cambia.imagine(state, 0, dice)
        for card in cards_on(imagined):
            found[card].add(imagined.faces[card])
    assert state.held is not None
    assert found[state.held] == {state.faces[state.held]}
    hidden = {"5♥", "2♣", "3♥", "4♥", "Q♦"} - {state.faces[state.held]}
    for card in ("a0", "a1", "b0", "b1"):
        assert found[card] == hidden
    assert found["p3"] == {"9♠"}


def test_k97_all_hands_are_shown_at_the_end_only() -> None:
    for seed in range(20):
        for state, events in random_game(3, RULES[0], seed):
            ends = [event for event in events if isinstance(event, Ended)]
            assert bool(ends) == (state.outcome is not None)


def test_a_forfeit_shows_everybody_their_own_view() -> None:
    state = table("5h 2c", "3h", "4h", stock="Kd 6d 5d")
    throw(state)
    play(state, 0, use("swap_peek", "a0", "b0"))
    (forfeited,) = (event for event in cambia.leave(state, [2], 0) if isinstance(event, Forfeited))
    for seat in (0, 1, 2, None):
        told = forfeited.seen_by(seat)
        assert told is not None
        assert len(told.views) == 1
        choice = told.views[0].choice
        assert choice is not None
        assert choice.faces == (("5♥", "3♥") if seat == 0 else ())


def test_who_begins_is_not_said_before_turn_0() -> None:
    state = dealt(4, 1, first=3)
    cambia.expire(state, "gathering", 0)
    assert cambia.view(state, 3).current is None


def test_c6_k74_thousands_of_random_games_lose_no_card() -> None:
    games = 0
    for seed in range(1500):
        for number, (state, _) in enumerate(random_game(2 + seed % 5, RULES[seed % 3], seed)):
            if number % 8 == 0 or state.outcome is not None:
                conserved(state)
        games += 1
    assert games == 1500
