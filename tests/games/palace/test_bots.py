"""The bots of Palace: what they play, how strong they are, and that they always find a legal move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from croupier import laws
from croupier.games.palace import bot
from croupier.games.palace.bot import ByNumber, LowAndSteady, RandomCard, Spendthrift
from croupier.games.palace.events import Turn
from croupier.games.palace.moves import Choose, Play
from croupier.games.palace.options import Options
from croupier.games.palace.rules import Palace
from croupier.games.palace.state import State
from croupier.kernel import Bot, Chance, Result
from croupier.kernel.cards import rank
from croupier.kernel.chance import QuickDice
from tests.games.palace.test_rules import cards, dealt, table

palace = Palace()


def contest(bots: Sequence[Bot], seed: int, limit: int = 10_000) -> tuple[Result | None, int]:
    """A game among bots, each handed only its own view, moves and events."""
    chance = Chance(laws.seed_bytes(seed))
    state = palace.deal(Options(), len(bots), chance, 0)
    for turn in range(limit):
        if not (awaited := palace.awaited(state)):
            return palace.result(state), turn
        seat = awaited[0]
        moves = palace.moves(state, seat)
        move = bots[seat].choose(seat, palace.view(state, seat), moves, chance)
        assert move in moves
        assert isinstance(move, Choose | Play)
        events = palace.play(state, seat, move, 0)
        for other, watcher in enumerate(bots):
            watcher.observe(other, [seen for event in events if (seen := event.seen_by(other)) is not None])
    return None, limit


def choice(player: Bot, state: State, seat: int = 0, seed: int = 0) -> tuple[str, ...]:
    move = player.choose(seat, palace.view(state, seat), palace.moves(state, seat), QuickDice(seed))
    assert isinstance(move, Choose | Play)
    return move.cards


def test_the_first_bot_is_the_usual_one() -> None:
    assert {name: kind.name for name, kind in palace.bots.items()} == {
        "low-and-steady": "low-and-steady",
        "chancellor": "chancellor",
        "by-number": "by-number",
        "spendthrift": "spendthrift",
        "random": "random",
    }
    assert next(iter(palace.bots.values())) is LowAndSteady


@pytest.mark.parametrize("kind", palace.bots.values())
@pytest.mark.parametrize("seats", [2, 5, 12])
def test_bots_keep_the_dealt_face_up_cards(kind: type[Bot], seats: int) -> None:
    for seed in range(20):
        state = dealt(seats, seed)
        assert choice(kind(), state) == tuple(state.face_up[0])


@pytest.mark.parametrize(
    ("player", "pile", "played"),
    [
        ("5c 5d 9h//", "3c", "5c 5d"),  # the lowest that fits, all of it
        ("5c 5d 9h//", "6c", "9h"),
        ("2c 4c 10c Ac//", "Kc", "Ac"),  # special ranks last: Ten, Two, Four
        ("2c 4c 10c 3c//", "Kc", "10c"),
        ("2c 4c 10c Ac//", "7c", "2c"),
        ("4c 4d Ac//", "7c", "4c 4d"),
        ("/5c 9c Ac/", "8c 4c", "9c"),
        ("/5c 5d 9c/", "Ac", "5c"),  # nothing fits: one card, the lowest
        ("//5c 9c", "Ac", ""),
    ],
)
def test_low_and_steady_plays_low(player: str, pile: str, played: str) -> None:
    state = table(player, "Kd//", "Kh//", pile=pile)
    assert choice(LowAndSteady(), state) == cards(played)


def test_low_and_steady_breaks_ties_by_lot() -> None:
    """Nothing in the hand fits: whichever card is shown, it comes back with the pile."""
    state = table("3c 5c 6c//", "Kd//", pile="Ac")
    assert {choice(LowAndSteady(), state, seed=seed) for seed in range(50)} == {cards("3c"), cards("5c"), cards("6c")}


def test_low_and_steady_is_less_steady_in_a_long_game() -> None:
    state = table("3c 5c 5d 6c//", "Kd//", pile="2c")
    player = LowAndSteady()
    for turn in range(2 * bot.LONG_GAME):
        player.observe(0, [Turn(turn % 2, "play")])
    assert {choice(player, state, seed=seed) for seed in range(100)} == {cards("3c")}
    player.observe(0, [Turn(0, "play")])
    played = Counter(choice(player, state, seed=seed) for seed in range(1000))
    assert 850 < played[cards("3c")] < 1000
    assert set(played) == {cards("3c"), cards("5c"), cards("6c")}


def test_random_plays_any_card_alike() -> None:
    state = table("3c 5c 5d 9c//", "Kd//", pile="Kc")
    player = RandomCard()
    dice = QuickDice(1)
    view, moves = palace.view(state, 0), palace.moves(state, 0)
    played = Counter(rank(player.choose(0, view, moves, dice).cards[0]) for _ in range(4000))
    for value, cards_held in (("3", 1), ("5", 2), ("9", 1)):
        assert abs(played[value] - 1000 * cards_held) < 130  # four standard deviations of the Fives
    assert all(len(player.choose(0, view, moves, dice).cards) == 1 for _ in range(100))


def test_low_and_steady_beats_random() -> None:
    won = 0
    for seed in range(400):
        seat = seed % 2
        bots = [LowAndSteady() if other == seat else RandomCard() for other in range(2)]
        result, _ = contest(bots, seed)
        assert result
        won += result.placings[0] == (seat,)
    assert won >= 0.85 * 400


def test_what_beginners_do_with_their_special_cards() -> None:
    state = table("2c 4c 10c 3c 3d//", "Kd//", pile="3h")
    assert choice(Spendthrift(), state) == cards("10c")
    assert choice(ByNumber(), state) == cards("2c")
    state = table("5c 5d 9c//", "Kd//", pile="3h")
    assert choice(Spendthrift(), state) == cards("5c")
    assert choice(ByNumber(), state) == cards("5c 5d")
    state = table("5c 9c//", "Kd//", pile="Ah")
    assert len(choice(Spendthrift(), state)) == len(choice(ByNumber(), state)) == 1


@pytest.mark.parametrize(
    ("better", "worse"), [(Spendthrift, RandomCard), (ByNumber, Spendthrift), (LowAndSteady, ByNumber)]
)
def test_each_beats_the_one_below(better: type[Bot], worse: type[Bot]) -> None:
    won = 0
    for seed in range(200):
        seat = seed % 2
        result, _ = contest([better() if other == seat else worse() for other in range(2)], seed // 2)
        assert result
        won += result.placings[0] == (seat,)
    assert won > 0.53 * 200


@pytest.mark.parametrize("seats", range(2, 9))
def test_c70_games_of_bots_end(seats: int) -> None:
    for kind, games in ((LowAndSteady, 30), (ByNumber, 4), (Spendthrift, 4)):
        for seed in range(games):
            result, _ = contest([kind() for _ in range(seats)], seed)
            assert result
            assert sorted(sum(result.placings, ())) == list(range(seats))


@pytest.mark.parametrize("seed", [662, 1670, 1811])  # one game of three in 400 is like these
def test_c70_low_and_steady_does_not_go_in_circles(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    result, turns = contest([LowAndSteady() for _ in range(3)], seed)
    assert result
    assert turns < 1000
    monkeypatch.setattr(bot, "LONG_GAME", 1_000_000)
    assert contest([LowAndSteady() for _ in range(3)], seed, limit=3000) == (None, 3000)


@pytest.mark.parametrize("seats", range(2, 9))
def test_c70_random_bots_keep_making_legal_moves(seats: int) -> None:
    for seed in range(3):
        contest([RandomCard() for _ in range(seats)], seed, limit=1500)
    mixed: list[Bot] = [LowAndSteady() if seat % 2 else RandomCard() for seat in range(seats)]
    contest(mixed, 9, limit=1500)


@pytest.mark.parametrize("kind", palace.bots.values())
def test_c70_bots_play_at_the_largest_table(kind: type[Bot]) -> None:
    contest([kind() for _ in range(255)], 1, limit=1200)
