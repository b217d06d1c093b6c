"""The contract of a game, for every game in the catalogue and for the toy."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest
from click import unstyle

from croupier import laws
from croupier.games import catalogue
from croupier.kernel import Chance, Game, Illegal, OutOfTurn, RandomBot
from croupier.kernel.cards import DECK, ORDER, RANKS, SUITS, rank, suit
from croupier.kernel.chance import QuickDice
from tests import toys

GAMES: list[laws.AnyGame] = [*catalogue().games.values(), toys.Bids()]
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


@every_game
def test_a_game_introduces_itself(game: laws.AnyGame) -> None:
    assert laws.check_introduction(game) == game.rules


@every_game
def test_its_bots_play_to_the_end(game: laws.AnyGame) -> None:
    for kind in game.bots.values():
        seats = game.seats[0]
        state = laws.deal(game, seats, game.Options(), 3)
        bots = [kind() for _ in range(seats)]
        dice = QuickDice(3)
        for _ in range(3000):
            if awaited := game.awaited(state):
                seat = awaited[0]
                moves = game.moves(state, seat)
                move = bots[seat].choose(seat, game.view(state, seat), moves, dice)
                assert move in moves
                events = game.play(state, seat, move, laws.START)
            elif clocks := game.clocks(state):  # nobody has anything to say: time goes on
                clock = min(clocks, key=lambda clock: clock.due)
                events = game.expire(state, clock.name, clock.due)
            else:
                break
            for event in events:
                for other, bot in enumerate(bots):
                    if (seen := event.seen_by(other)) is not None:
                        bot.observe(other, [seen])
        result = game.result(state)
        assert result is not None
        assert sorted(sum(result.placings, ())) == list(range(seats))


def test_a_fingerprint_tells_states_apart_and_needs_the_seed() -> None:
    game = toys.Bids()
    one, other = (laws.deal(game, 3, toys.Options(), seed) for seed in (1, 2))
    assert game.fingerprint(one, b"seed") == game.fingerprint(laws.deal(game, 3, toys.Options(), 1), b"seed")
    assert game.fingerprint(one, b"seed") != game.fingerprint(other, b"seed")
    assert game.fingerprint(one, b"seed") != game.fingerprint(one, b"another")
    game.play(one, 0, game.moves(one, 0)[0], 0)
    assert game.fingerprint(one, b"seed") != game.fingerprint(laws.deal(game, 3, toys.Options(), 1), b"seed")


class Minimal(toys.Bids):
    """Leaves out all that can be left out."""

    name = "minimal"
    expire = Game.expire  # type: ignore[assignment]
    leave = Game.leave  # type: ignore[assignment]


def test_what_a_game_need_not_answer() -> None:
    game = Minimal()
    state = laws.deal(game, 2, toys.Options(), 1)
    with pytest.raises(NotImplementedError, match="minimal has a clock but no answer to its end"):
        game.expire(state, "bid", 0)
    with pytest.raises(NotImplementedError, match="nobody can leave a game of minimal"):
        game.leave(state, [0], 0)
    assert game.absent(state, 0, 0) == game.back(state, 0, 0) == ()
    assert game.private(state, 0) is game.recall(state, 0) is None
    view = game.view(state, 0)
    shown = game.show(view, ["Ann", "Bob"])
    assert re.search(r"^  Ann +points 0$", unstyle(shown), re.MULTILINE)
    assert unstyle(shown).split("your hand")[1].split() == [str(card) for card in state.hands[0]]
    assert game.label(toys.Bid(3), view, ["Ann", "Bob"]) == "bid › 3"
    assert (Minimal.State, Minimal.Move) == (toys.State, toys.Bid)


def test_a_game_must_answer_the_other_questions() -> None:
    class Nothing(Game[toys.State, toys.View, toys.Options, toys.Bid, toys.Left]):
        pass

    with pytest.raises(TypeError, match="abstract"):
        Nothing()  # type: ignore[abstract]


def test_refusals_have_a_sentence_and_a_code() -> None:
    def codes(refusal: Illegal) -> tuple[str, str]:
        return str(refusal), refusal.code

    assert codes(Illegal("no such card")) == ("no such card", "illegal")
    assert codes(Illegal("the table is full", "full")) == ("the table is full", "full")
    assert codes(OutOfTurn()) == ("it is not your turn", "out_of_turn")
    assert isinstance(OutOfTurn(), Illegal)
    assert Illegal("wait a second", "too_early", retry_ms=1000).data == {"retry_ms": 1000}
    assert OutOfTurn().data == {}


def test_the_random_bot_plays_anything() -> None:
    moves: list[Any] = [toys.Bid(card) for card in range(4)]
    dice = Chance(bytes(32))
    chosen = Counter(RandomBot().choose(0, None, moves, dice) for _ in range(4000))
    assert set(chosen) == set(moves)
    assert all(abs(count - 1000) < 120 for count in chosen.values())


def test_the_ordinary_pack() -> None:
    assert len(DECK) == len(set(DECK)) == 52
    assert [rank(card) + suit(card) for card in DECK] == list(DECK)
    assert {rank(card) for card in DECK} == set(RANKS)
    assert {suit(card) for card in DECK} == set(SUITS)
    assert sorted(DECK, key=ORDER.__getitem__) == list(DECK)
