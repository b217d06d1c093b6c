"""Who is asked, and when: what the rules leave to real time, brought into an order."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy

import msgspec
import pytest

from croupier import laws
from croupier.games.cambia.moves import Give, Snap
from croupier.games.cambia.state import State as Cambia
from croupier.games.fortress.moves import AllowAction, DrawCard
from croupier.gym.episode import NOBODY, Episode
from croupier.gym.setup import set_up
from croupier.kernel import Move
from croupier.kernel.chance import QuickDice
from tests.gym.games import AnyGame, every_game

SEED = bytes(32)
LIMIT = 300


def moves(episode: Episode) -> list[Move]:
    """What whoever is asked can do in one step."""
    return [choice for choice in episode.choices.values() if isinstance(choice, Move)]


def say(episode: Episode, kind: type[Move]) -> None:
    """A move of this kind, whatever it is about."""
    for number, choice in episode.choices.items():
        if isinstance(choice, kind):
            return episode.say(number)
        if callable(choice) and kind in map(type, choice().values()):
            episode.say(number)
            return say(episode, kind)
    raise AssertionError(f"{kind} is not among {episode.choices}")


def play(episode: Episode, dice: QuickDice, limit: int = LIMIT) -> list[int]:
    """Any legal steps; the seats that were asked."""
    asked: list[int] = []
    while episode.seat != NOBODY and len(asked) < limit:
        asked.append(episode.seat)
        episode.say(dice.choice(list(episode.choices)))
    return asked


@every_game
def test_no_game_hangs_with_its_options_at_their_extremes(game: AnyGame) -> None:
    ended = 0
    for number, (seats, options) in enumerate(laws.plan(game)):
        episode = Episode(set_up(game, seats, msgspec.to_builtins(options)), SEED)
        asked = play(episode, QuickDice(number))
        assert len(asked) == LIMIT or episode.result is not None
        assert set(asked) <= set(range(seats))
        ended += episode.result is not None
    assert ended


def test_simultaneous_choices_are_made_one_after_the_other_and_not_shown() -> None:
    episode = Episode(set_up("faraway", 3), SEED)
    rows = [episode.observe(seat) for seat in range(3)]
    asked = []
    for _ in range(3):
        asked.append(episode.seat)
        before = episode.observe(2)
        episode.say(next(iter(episode.choices)))
        if len(asked) < 3:
            assert hidden(episode.observe(2), before)
    assert asked == [0, 1, 2]
    assert [episode.observe(seat) for seat in range(3)] != rows


def hidden(row: bytes, before: bytes) -> bool:
    """All that may have changed is who has chosen: ``done`` follows phase and turn."""
    return row[:4] == before[:4] and row[7:] == before[7:]


def test_everybody_answers_in_a_window_in_turn_order() -> None:
    episode = Episode(set_up("coup", 4), SEED)
    tax = episode.setup.encoding.starts["propose"] + 2
    episode.say(tax)
    asked = []
    while episode.state.phase == "action_window":
        asked.append(episode.seat)
        episode.say(episode.setup.encoding.starts["go_on"])
    assert asked == [1, 2, 3]
    assert (episode.seat, episode.state.coins[0]) == (1, 5)


def test_what_goes_ahead_by_a_clock_goes_ahead() -> None:
    setup = set_up("coup", 3, {"confirm_policy": "wait"})
    episode = Episode(setup, SEED)
    episode.say(setup.encoding.starts["propose"] + 2)
    for _ in range(3):  # two who let it pass, and its owner, who has to wait for a while
        episode.say(setup.encoding.starts["go_on"])
    assert (episode.seat, episode.state.coins[0]) == (1, 5)


def test_nobody_is_asked_about_the_obvious() -> None:
    setup = set_up("fortress")
    episode, dice = Episode(setup, SEED), QuickDice(1)
    for _ in range(LIMIT):
        if episode.seat == NOBODY:
            break
        assert [type(move) for move in moves(episode)] not in ([AllowAction], [DrawCard])
        episode.say(dice.choice(list(episode.choices)))
    assert episode.state.turn > 3


# Cambia: races out of turn


@pytest.fixture
def cambia() -> Episode:
    """Three players, of whom the second is about to draw."""
    seed = next(n for n in range(99) if Episode(set_up("cambia", 3), bytes([n] * 32)).seat == 1)
    return Episode(set_up("cambia", 3), bytes([seed] * 32))


def rig(episode: Episode, hand: int, card: int, face: str, known_to: int | None) -> str:
    """Give a card another face, and show it to somebody."""
    state: Cambia = episode.state
    name = state.hands[hand][card]
    other = next(each for each, there in state.faces.items() if there == face)
    state.faces[name], state.faces[other] = face, state.faces[name]
    for seat, notes in enumerate(episode._notes):
        notes.faces.pop(name, None)  # type: ignore[union-attr]
        if seat == known_to:
            notes.faces[name] = face  # type: ignore[union-attr]
    return name


def test_only_those_are_asked_to_snap_who_know_a_card_that_matches(cambia: Episode) -> None:
    rig(cambia, hand=0, card=0, face="6♣", known_to=0)
    rig(cambia, hand=2, card=0, face="6♦", known_to=None)
    cambia.state.stock.append(next(card for card, face in cambia.state.faces.items() if face == "6♥"))
    cambia.say(cambia.setup.encoding.starts["draw"])
    cambia.say(cambia.setup.encoding.starts["discard"])
    numbers = cambia.setup.encoding.starts
    assert (cambia.seat, numbers["snap"] in cambia.choices) == (
        2,
        True,
    )  # in turn, people may snap what they don't know
    cambia.say(numbers["draw"])
    assert (cambia.seat, list(cambia.choices)) == (0, [numbers["snap"], numbers["pass"]])
    cambia.say(numbers["pass"])
    assert cambia.seat == 2  # and neither the one who has thrown the card, nor anybody twice


def test_whoever_snaps_another_hand_is_asked_what_to_give(cambia: Episode) -> None:
    rig(cambia, hand=2, card=1, face="6♣", known_to=0)
    cambia.state.stock.append(next(card for card, face in cambia.state.faces.items() if face == "6♥"))
    cambia.say(cambia.setup.encoding.starts["draw"])
    cambia.say(cambia.setup.encoding.starts["discard"])
    while cambia.seat != 0:  # the next player may be asked first, and draws
        say(cambia, next(type(move) for move in moves(cambia)))
    snap, first = cambia.setup.encoding.starts["snap"], cambia.setup.encoding.starts["card"]
    cambia.say(snap)
    assert list(cambia.observe(0)[-cambia.setup.encoding.action_count :]).index(1) == snap
    cambia.say(first + 2 * 8 + 1)
    while cambia.seat != 0:
        say(cambia, next(type(move) for move in moves(cambia)))
    assert {type(move) for move in moves(cambia)} == {Give}
    say(cambia, Give)
    assert list(map(len, cambia.state.hands)) == [3, 4, 4]


def test_a_snap_that_is_wrong_asks_nobody_else(cambia: Episode) -> None:
    say(cambia, Snap)
    assert cambia.seat == 1
    assert Counter(map(len, cambia.state.hands))[6] == 1


def test_a_copy_goes_its_own_way() -> None:
    episode = Episode(set_up("palace", 3), SEED, log=[])
    play(episode, QuickDice(1), 30)
    twin = deepcopy(episode)
    rows = [episode.observe(seat) for seat in range(3)]
    log = list(episode.log or ())
    play(twin, QuickDice(2), 40)
    assert [episode.observe(seat) for seat in range(3)] == rows
    assert episode.log == log
    again = deepcopy(episode)
    play(again, QuickDice(2), 40)
    assert [again.observe(seat) for seat in range(3)] == [twin.observe(seat) for seat in range(3)]


def test_a_match_goes_on_to_its_end_by_itself() -> None:
    setup = set_up("cambia", 2, {"circuit": True, "rounds": 2, "max_game_turns": 6})
    episode = Episode(setup, SEED)
    play(episode, QuickDice(3), 5000)
    assert episode.state.round == 2
    assert episode.result is not None
