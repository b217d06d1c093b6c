"""The rules of Hearts, one by one; and the laws that every game keeps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest
from croupier_hearts import game
from croupier_hearts.bot import Careful
from croupier_hearts.events import AnyEvent, Begun, Pass, Passed, Play, Played, Received, Scored, TookTrick
from croupier_hearts.state import BY_SUIT, MOON, QUEEN, SEATS, Options, State, Trick, points, receiver

from croupier import laws
from croupier.kernel import Chance, Illegal, OutOfTurn, RandomBot
from croupier.kernel.cards import DECK, RANKS
from croupier.kernel.chance import QuickDice

AT = 1_700_000_000_000


def dealt(options: Options | None = None, seed: int = 7) -> State:
    return game.deal(options or Options(), SEATS, Chance(seed.to_bytes(32, "big")), AT)


def position(*hands: str, leader: int = 0, trick: str = "", later: bool = True, broken: bool = False) -> State:
    """In the middle of a hand in which nothing was passed; in its first trick, unless it is ``later``."""
    state = dealt()
    state.phase, state.number, state.leader, state.broken = "play", 3, leader, broken
    state.hands = [sorted(hand.split(), key=BY_SUIT) for hand in hands]
    state.trick = trick.split()
    state.tricks = [Trick(0, ("2♣", "3♣", "4♣", "5♣"), 3)] if later else []
    return state


def playable(state: State, seat: int) -> set[str]:
    return {move.card for move in game.moves(state, seat) if isinstance(move, Play)}


def play(state: State, *cards: str) -> list[AnyEvent]:
    """One after the other, each by whose turn it is."""
    return [event for card in cards for event in game.play(state, state.mover, Play(card), AT)]


def no_card_is_lost(state: State) -> None:
    cards = [*state.trick, *(card for hand in state.hands for card in hand)]
    assert Counter([*cards, *(card for trick in state.tricks for card in trick.cards)]) == Counter(DECK)


def test_thirteen_cards_each() -> None:
    state = dealt()
    assert [len(hand) for hand in state.hands] == [13] * SEATS
    no_card_is_lost(state)


@pytest.mark.parametrize(("number", "to"), [(0, 1), (1, 3), (2, 2), (3, 0), (4, 1), (5, 3)])
def test_cards_go_left_right_across_and_nowhere_in_turn(number: int, to: int) -> None:
    assert receiver(0, number) == to
    assert sorted(receiver(seat, number) for seat in range(SEATS)) == [0, 1, 2, 3]


def test_everybody_passes_three_cards_without_having_seen_those_to_come() -> None:
    state = dealt()
    gifts = [tuple(hand[:3]) for hand in state.hands]
    events: list[AnyEvent] = []
    for seat in (2, 0, 3, 1):
        assert seat in game.awaited(state)
        assert not game.view(state, seat).received
        events += game.play(state, seat, Pass(gifts[seat][::-1]), AT)  # in any order
    assert [event.seat for event in events if isinstance(event, Passed)] == [2, 0, 3, 1]
    for seat in range(SEATS):
        assert set(gifts[(seat - 1) % SEATS]) <= set(state.hands[seat])
        assert not set(gifts[seat]) & set(state.hands[seat])
        assert game.view(state, seat).received == gifts[(seat - 1) % SEATS]
    assert isinstance(events[-1], Begun)
    assert "2♣" in state.hands[events[-1].seat]
    no_card_is_lost(state)


def test_of_what_is_passed_only_those_know_who_have_to_do_with_it() -> None:
    passed, received = Passed(0, ("2♣", "3♣", "4♣")), Received(1, 0, ("2♣", "3♣", "4♣"))
    assert [len(passed.seen_by(seat).cards) for seat in (0, 1, 2, None)] == [3, 0, 0, 0]
    assert [len(received.seen_by(seat).cards) for seat in (0, 1, 2, None)] == [0, 3, 0, 0]


def test_286_passes_are_one_form() -> None:
    state = dealt()
    assert game.moves(state, 0) == ()
    (form,) = game.forms(state, 0)
    assert form.fits(Pass(tuple(state.hands[0][5:8])))
    game.play(state, 0, Pass(tuple(state.hands[0][5:8])), AT)
    assert game.forms(state, 0) == ()


def test_what_can_not_be_passed() -> None:
    state = dealt()
    one, two, three, *_ = state.hands[0]
    for cards in [(one, two), (one, two, two), (one, two, state.hands[1][0]), (one, two, three, state.hands[0][3])]:
        with pytest.raises(Illegal, match="pass three cards out of your hand"):
            game.play(state, 0, Pass(cards), AT)
    game.play(state, 0, Pass((one, two, three)), AT)
    with pytest.raises(OutOfTurn, match="already"):
        game.play(state, 0, Pass((one, two, three)), AT)
    with pytest.raises(OutOfTurn):
        game.play(state, 0, Play(one), AT)


def test_the_two_of_clubs_leads() -> None:
    state = position("2♣ A♣ 4♥", "3♣", "4♣", "5♣", later=False)
    assert playable(state, 0) == {"2♣"}
    with pytest.raises(Illegal, match="two of clubs"):
        play(state, "A♣")


def test_suit_is_followed() -> None:
    state = position("7♦ 9♦ A♠", "3♣ 4♦", "4♣", "5♣", leader=3, trick="2♦")
    assert playable(state, 0) == {"7♦", "9♦"}
    with pytest.raises(Illegal, match="follow suit"):
        play(state, "A♠")
    state = position("7♥ Q♠ A♣", "3♣ 4♦", "4♣", "5♣", leader=3, trick="2♦")
    assert playable(state, 0) == {"7♥", "Q♠", "A♣"}


def test_no_points_in_the_first_trick_unless_there_is_nothing_else() -> None:
    state = position("7♥ Q♠ A♦", "3♣", "4♣", "5♣", leader=3, trick="2♣", later=False)
    assert playable(state, 0) == {"A♦"}
    with pytest.raises(Illegal, match="no points in the first trick"):
        play(state, "Q♠")
    state = position("7♥ Q♠ A♥", "3♣", "4♣", "5♣", leader=3, trick="2♣", later=False)
    assert playable(state, 0) == {"7♥", "Q♠", "A♥"}


def test_hearts_are_not_led_before_one_has_been_played() -> None:
    state = position("7♥ 9♥ A♦", "3♣", "4♣", "5♣")
    assert playable(state, 0) == {"A♦"}
    with pytest.raises(Illegal, match="hearts may not be led"):
        play(state, "7♥")
    assert playable(position("7♥ 9♥ A♦", "3♣", "4♣", "5♣", broken=True), 0) == {"7♥", "9♥", "A♦"}
    assert playable(position("7♥ 9♥", "3♣ 4♦", "4♣ 5♦", "5♣ 6♦"), 0) == {"7♥", "9♥"}, "who has nothing else may"


def test_the_queen_breaks_no_hearts_and_a_heart_does() -> None:
    state = position("A♦ 2♦", "Q♠ 3♣", "5♥ 7♥", "3♦ 4♦")
    assert [event.breaks for event in play(state, "A♦", "Q♠") if isinstance(event, Played)] == [False, False]
    assert not state.broken
    assert play(state, "5♥") == [Played(2, "5♥", breaks=True)]
    assert state.broken


def test_the_highest_of_the_suit_that_was_led_takes_the_trick_and_leads() -> None:
    state = position("9♦ 2♣", "J♦ 3♣", "A♠ 4♣", "10♦ 5♣")
    events = play(state, "9♦", "J♦", "A♠", "10♦")
    assert events[-1] == TookTrick(1, ("9♦", "J♦", "A♠", "10♦"), 0)
    assert state.mover == 1


def test_points() -> None:
    assert sum(map(points, DECK)) == MOON
    assert points(QUEEN) == 13
    assert [points("2♥"), points("A♥"), points("A♠")] == [1, 1, 0]


def last_trick(state: State, *cards: str, taken: Iterable[Iterable[str]] = ((), (), (), ())) -> Scored:
    """The end of a hand in which this was taken before, by seat, and these cards lie in the last trick."""
    state.phase, state.leader, state.trick = "play", 0, []
    state.hands = [[card] for card in cards]
    state.tricks = [Trick(0, tuple(some), seat) for seat, some in enumerate(taken)]
    events = play(state, *cards)
    (scored,) = (event for event in events if isinstance(event, Scored))
    return scored


def test_a_hand_is_counted_and_another_one_is_dealt_after_a_look() -> None:
    state = dealt(Options(pause=5))
    scored = last_trick(state, "9♥", "A♥", "2♥", "Q♠", taken=(["3♥"], [], ["4♥", "5♥"], []))
    assert scored == Scored((1, 16, 2, 0), (1, 16, 2, 0))
    assert (state.phase, game.awaited(state)) == ("score", ())
    (clock,) = game.clocks(state)
    assert (clock.due, clock.seats) == (AT + 5000, ())
    game.expire(state, clock.name, clock.due)
    assert (state.phase, state.number, state.direction) == ("pass", 1, "right")
    no_card_is_lost(state)


def test_whoever_takes_everything_has_shot_the_moon() -> None:
    state = dealt()
    all_but_one = [f"{rank}♥" for rank in RANKS if rank != "A"] + [QUEEN]
    scored = last_trick(state, "A♥", "2♣", "3♣", "4♣", taken=(all_but_one, [], [], []))
    assert scored == Scored((0, MOON, MOON, MOON), (0, MOON, MOON, MOON), shooter=0)


def test_it_ends_with_the_points_that_were_agreed_on_and_the_fewest_win() -> None:
    state = dealt(Options(points=50))
    state.scores = [49, 30, 2, 30]
    last_trick(state, "A♥", "2♣", "3♣", "4♣")
    result = game.result(state)
    assert result is not None
    assert result.placings == ((2,), (1, 3), (0,))
    assert result.scores == (50, 30, 2, 30)
    assert not game.clocks(state)


def test_who_is_late_passes_the_highest_and_plays_the_lowest() -> None:
    state = dealt(Options(turn=10))
    (clock,) = game.clocks(state)
    assert (clock.due, clock.seats) == (AT + 30_000, (0, 1, 2, 3))
    game.play(state, 1, Pass(tuple(state.hands[1][:3])), AT)
    game.expire(state, "pass", clock.due)
    assert state.phase == "play"
    assert {card[:-1] for card in state.given[0]} <= {"9", "10", "J", "Q", "K", "A"}
    game.expire(state, "play", AT)
    assert state.trick == ["2♣"]


def test_the_bot_passes_and_plays_what_it_may_and_better_than_chance() -> None:
    totals: Counter[str] = Counter()
    for seed in range(10):
        state, dice = dealt(Options(points=1), seed), QuickDice(seed)
        bots = [Careful() if (seat + seed) % 2 else RandomBot() for seat in range(SEATS)]
        while game.result(state) is None:
            seat = game.awaited(state)[0]
            moves = game.candidates(state, seat, dice)
            chosen = bots[seat].choose(seat, game.view(state, seat), moves, dice)
            assert game.offers(state, seat, chosen)
            game.play(state, seat, chosen, AT)
        for seat, bot in enumerate(bots):
            totals[bot.name] += state.scores[seat]
    assert totals["careful"] < totals["random"]


def test_it_keeps_the_laws() -> None:
    """A game with each set of options; ``croupier check-game croupier_hearts:game`` plays more of them."""
    laws.check(game, games=len(laws.extremes(game)), conserved=no_card_is_lost)
