"""A game as an environment of PettingZoo, in which one agent acts at a time (AEC)."""

from __future__ import annotations

from typing import Any

import click
import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from croupier.gym import pixels, svg
from croupier.gym.episode import NOBODY, Episode
from croupier.gym.rewards import rewards
from croupier.gym.setup import Setup

RENDER_MODES = ("human", "ansi", "svg", "rgb_array")


class Environment(AECEnv):  # type: ignore[misc]
    """One game after the other. Agents are called ``player_0`` and so on, by their seats.

    An observation is a dict: ``observation``, the row of numbers of this seat, and ``action_mask``, which is zero for
    everybody who is not asked.
    """

    def __init__(self, setup: Setup, render_mode: str | None, max_cycles: int) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"there is no render mode {render_mode!r}; known: {', '.join(RENDER_MODES)}")
        self.setup = setup
        self.render_mode = render_mode
        self.metadata = {
            "name": f"{setup.game.name}_v{setup.encoding.version}",
            "render_modes": list(RENDER_MODES),
            "render_fps": 2,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(setup.encoding.seats)]
        self._max_cycles = max_cycles
        self._luck, _ = seeding.np_random()
        self._observations = {agent: observation_space(setup) for agent in self.possible_agents}
        self._actions = {agent: spaces.Discrete(setup.encoding.action_count) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._observations[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin another game. After a ``seed`` everything follows from it, also the games of later resets."""
        if seed is not None:
            self._luck, _ = seeding.np_random(seed)
        self._episode = Episode(self.setup, self._luck.bytes(32))
        self._cycles = 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self._episode.seat]

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} has to say something")
        episode = self._episode
        episode.say(int(action))
        self._cycles += 1
        if episode.seat != NOBODY:
            self.agent_selection = self.possible_agents[episode.seat]
            if self._cycles < self._max_cycles:
                return  # nobody is rewarded before the end
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self._end()
        self._accumulate_rewards()
        self._deads_step_first()

    def _end(self) -> None:
        result = self._episode.result
        assert result is not None
        self.terminations = dict.fromkeys(self.agents, True)
        self.rewards = dict(zip(self.agents, rewards(result), strict=True))
        scores = result.scores or [None] * len(self.agents)
        for place, seats in enumerate(result.placings, start=1):
            for seat in seats:
                self.infos[self.agents[seat]] = {"place": place, "score": scores[seat]}

    def observe(self, agent: str) -> dict[str, np.ndarray[Any, Any]]:
        seat = self.possible_agents.index(agent)
        return {
            "observation": np.frombuffer(bytearray(self._episode.observe(seat)), np.uint8),
            "action_mask": np.frombuffer(self._episode.mask(seat), np.int8),
        }

    def render(self) -> str | np.ndarray[Any, Any] | None:
        """The table as whoever is asked sees it; when it is over, as everybody does."""
        episode, game = self._episode, self.setup.game
        view = game.view(episode.state, None if episode.seat == NOBODY else episode.seat)
        text = game.show(view, self.possible_agents)
        match self.render_mode:
            case "human":
                click.echo(text)
            case "ansi":
                return text
            case "svg":
                return svg.written(text)
            case "rgb_array":
                return pixels.painted(text)
        return None

    def close(self) -> None:
        """There is nothing to be closed."""


def observation_space(setup: Setup) -> spaces.Dict:
    """Each number is at most what its section says."""
    most = [section.most for section in setup.encoding.observation for _ in range(section.size)]
    return spaces.Dict(
        {
            "observation": spaces.Box(0, np.array(most, np.uint8), dtype=np.uint8),
            "action_mask": spaces.MultiBinary(setup.encoding.action_count),
        }
    )
