"""Games as environments of PettingZoo, held to its own tests."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, max_cycles_test, parallel_seed_test, render_test, seed_test
from pettingzoo.utils import BaseParallelWrapper, parallel_to_aec

from croupier import gym
from croupier.games.coup.options import Options
from tests.gym.games import AnyGame, every_game, seats_of
from tests.toys import Bids

# PettingZoo warns of observations that are no plain arrays, unless it knows the environment by name; and of masks
# without a legal action, which is what those have who are out of the game.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning:pettingzoo")


class Lawful(BaseParallelWrapper):  # type: ignore[misc]
    """For a test that knows no masks: what is not legal stands for the next number that is."""

    def step(self, actions: dict[str, int]) -> Any:
        env = self.unwrapped
        return super().step({agent: legal(env.observe(agent)["action_mask"], actions[agent]) for agent in actions})


def legal(mask: np.ndarray[Any, Any], number: int) -> int:
    numbers = np.flatnonzero(mask)
    return int(next((each for each in numbers if each >= number), numbers[0])) if len(numbers) else number


@every_game
def test_the_interface(game: AnyGame) -> None:
    api_test(gym.env(game, seats_of(game)), num_cycles=60)


@every_game
def test_a_seed_is_all_it_takes(game: AnyGame) -> None:
    seed_test(lambda: gym.env(game, seats_of(game)), num_cycles=40)


@every_game
def test_it_is_left_off_after_so_many_cycles(game: AnyGame) -> None:
    def parallel_env(**settings: Any) -> Any:
        return Lawful(gym.parallel_env(game, seats_of(game), **settings))

    def env(**settings: Any) -> Any:
        return parallel_to_aec(parallel_env(**settings))

    max_cycles_test(SimpleNamespace(parallel_env=parallel_env, env=env))


@every_game
def test_it_can_be_looked_at(game: AnyGame, capsys: pytest.CaptureFixture[str]) -> None:
    drawings = {"svg": lambda drawn: drawn.startswith("<svg"), "ansi": lambda text: "player_0" in text}
    render_test(lambda render_mode: gym.env(game, seats_of(game), render_mode=render_mode), drawings)
    assert "player_0" in capsys.readouterr().out


def play(env: Any, seed: int) -> dict[str, list[float]]:
    """A game to its end, by any legal moves; by agent, all rewards."""
    rewards: dict[str, list[float]] = {agent: [] for agent in env.possible_agents}
    env.reset(seed=seed)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        rewards[agent].append(reward)
        mask = observation["action_mask"]
        env.step(None if terminated or truncated else env.action_space(agent).sample(mask))
    return rewards


def test_whoever_wins_gets_what_the_others_lose() -> None:
    env = gym.env("coup", seats=3)
    for seed in range(3):
        rewards = play(env, seed)
        assert sorted(sum(each) for each in rewards.values()) == [-1, 0, 1]
        assert all(reward == 0 for each in rewards.values() for reward in each[:-1])


def test_nobody_gets_anything_for_a_game_that_is_left_off() -> None:
    env = gym.env("palace", seats=4, max_cycles=20)
    rewards = play(env, 1)
    assert {reward for each in rewards.values() for reward in each} == {0}


def test_at_the_end_everybody_is_told_place_and_score() -> None:
    env = gym.env("faraway", seats=3)
    env.reset(seed=1)
    while not any(env.terminations.values()):
        observation, *_ = env.last()
        env.step(env.action_space(env.agent_selection).sample(observation["action_mask"]))
    best = max(info["score"] for info in env.infos.values())
    assert [info["score"] == best for info in env.infos.values()] == [info["place"] == 1 for info in env.infos.values()]


def test_games_that_follow_each_other_are_not_the_same_and_come_again_with_their_seed() -> None:
    env = gym.env("palace", seats=2)

    def three() -> list[bytes]:
        rows = []
        for seed in (7, None, None):
            env.reset(seed=seed)
            rows.append(env.last()[0]["observation"].tobytes())
        return rows

    first = three()
    assert len(set(first)) == 3
    assert three() == first


def test_a_parallel_one_asks_one_after_the_other() -> None:
    env = gym.parallel_env("faraway", seats=2)
    observations, _ = env.reset(seed=1)
    assert [int(seen["action_mask"].sum()) for seen in observations.values()] == [3, 0]
    actions = {agent: int(seen["action_mask"].argmax()) for agent, seen in observations.items()}
    observations, *_ = env.step(actions)
    assert [int(seen["action_mask"].sum()) for seen in observations.values()] == [0, 3]
    parallel_seed_test(lambda: Lawful(gym.parallel_env("coup")), num_cycles=10)


def test_what_is_not_legal_is_refused() -> None:
    env = gym.env("coup", seats=2)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="9 is not among the choices of seat 0"):
        env.step(9)
    with pytest.raises(ValueError, match="player_0 has to say something"):
        env.step(None)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"game": "chess"}, "there is no game 'chess'; known: cambia, coup, "),
        ({"game": "coup", "seats": 7}, "Coup is for 2 to 6 with these options, and not for 7"),
        ({"game": "coup", "options": {"ruleset": "mine"}}, "Invalid enum value 'mine'"),
        ({"game": "coup", "options": {"rule_set": "official"}}, "Coup has no option 'rule_set'; known: ruleset, "),
        ({"game": "coup", "render_mode": "film"}, "there is no render mode 'film'"),
    ],
)
def test_what_can_not_be_played_is_said(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        gym.env(**settings)


def test_games_are_found_by_name_and_by_place_and_have_the_options_of_the_page() -> None:
    setup = gym.env("coup", options={"ruleset": "official"}).unwrapped.setup
    assert setup.options == Options(ruleset="official", confirm_policy="all")
    assert isinstance(gym.env("tests.toys:Bids").unwrapped.setup.game, Bids)
