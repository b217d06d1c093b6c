"""Many games at once are the same games, one after the other."""

from __future__ import annotations

import numpy as np
import pytest
from gymnasium.utils import seeding
from numpy.typing import NDArray

from croupier import gym
from croupier.gym.episode import NOBODY, Episode
from croupier.gym.rewards import rewards
from croupier.gym.setup import set_up
from tests.gym.games import AnyGame, every_game, seats_of


def legal(batch: gym.Batch, luck: np.random.Generator) -> NDArray[np.int64]:
    found: NDArray[np.int64] = (batch.masks * luck.random(batch.masks.shape)).argmax(axis=1)
    return found


@every_game
def test_each_game_goes_as_it_does_alone(game: AnyGame) -> None:
    seats = seats_of(game)
    games, luck = gym.vector(game, 4, seats, seed=5), np.random.default_rng(1)
    deals, _ = seeding.np_random(5)
    setup = set_up(game, seats)
    alone = [Episode(setup, deals.bytes(32)) for _ in range(4)]
    batch = games.reset()
    for _ in range(150):
        assert batch.observations.tobytes() == b"".join(each.observe(each.seat) for each in alone)
        assert batch.masks.tobytes() == b"".join(each.mask(each.seat) for each in alone)
        assert list(batch.seats) == [each.seat for each in alone]
        actions = legal(batch, luck)
        batch = games.step(actions)
        for number, (each, action) in enumerate(zip(alone, actions.tolist(), strict=True)):
            each.say(action)
            assert batch.ended[number] == (each.seat == NOBODY)
            if each.result is not None:
                assert list(batch.rewards[number]) == pytest.approx(rewards(each.result))
                alone[number] = Episode(setup, deals.bytes(32))
            else:
                assert not batch.rewards[number].any()
        assert not batch.truncated.any()


def test_a_seed_is_all_it_takes() -> None:
    def run(games: gym.Vector, seed: int | None) -> bytes:
        batch, luck = games.reset(seed), np.random.default_rng(1)
        for _ in range(40):
            batch = games.step(legal(batch, luck))
        return batch.observations.tobytes()

    games = gym.vector("coup", 8, seed=3)
    first, second = run(games, None), run(games, None)
    assert first != second
    assert run(games, 3) == first
    assert run(gym.vector("coup", 8, seed=3), None) == first


def test_what_takes_too_long_is_left_off_and_brings_nobody_anything() -> None:
    games, luck = gym.vector("palace", 3, seats=4, seed=1, max_cycles=25), np.random.default_rng(1)
    batch = games.reset()
    for step in range(1, 60):
        batch = games.step(legal(batch, luck))
        assert batch.truncated.all() == batch.ended.all() == (step % 25 == 0)
        assert not batch.rewards.any()


def test_what_was_handed_out_stays_as_it_was() -> None:
    games = gym.vector("faraway", 2, seed=1)
    batch = games.reset()
    kept = [array.copy() for array in batch]
    games.step(batch.masks.argmax(axis=1))
    assert all((now == before).all() for now, before in zip(batch, kept, strict=True))
    batch.observations[:] = 0  # and whoever has it may do with it what they like
