"""Many games stepped at once, for learners that want a batch with every call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from gymnasium.utils import seeding
from numpy.typing import NDArray

from croupier.gym.episode import NOBODY, Episode
from croupier.gym.rewards import rewards
from croupier.gym.setup import Setup


class Batch(NamedTuple):
    """Where all games are now. Every array is a new one, with an entry for each game."""

    observations: NDArray[np.uint8]
    """The row of whoever is asked."""
    masks: NDArray[np.int8]
    """What they can say."""
    seats: NDArray[np.int32]
    """Who is asked."""
    rewards: NDArray[np.float32]
    """By seat, of the game that this step has ended; all zero otherwise."""
    ended: NDArray[np.bool_]
    """Whether this step has ended a game; what is shown is the beginning of the next one."""
    truncated: NDArray[np.bool_]
    """Whether that was because it had taken too long. Then nobody gets anything."""


class Vector:
    """So many games of one kind, each replaced by another when it is over."""

    def __init__(self, setup: Setup, count: int, seed: int | None, max_cycles: int) -> None:
        self.setup = setup
        self.count = count
        self._max_cycles = max_cycles
        self._luck, _ = seeding.np_random(seed)
        self._episodes: list[Episode] = []
        self._cycles: list[int] = []

    def reset(self, seed: int | None = None) -> Batch:
        """Begin all of them anew. After a ``seed`` everything follows from it."""
        if seed is not None:
            self._luck, _ = seeding.np_random(seed)
        self._episodes = [self._begin() for _ in range(self.count)]
        self._cycles = [0] * self.count
        return self._batch({}, [])

    def step(self, actions: Sequence[int] | NDArray[np.integer[Any]]) -> Batch:
        """What is said in each game, by whoever is asked there."""
        episodes, cycles, limit = self._episodes, self._cycles, self._max_cycles
        ended: dict[int, list[float]] = {}
        truncated: list[int] = []
        for game, action in enumerate(actions.tolist() if isinstance(actions, np.ndarray) else actions):
            episode = episodes[game]
            episode.say(action)
            cycles[game] += 1
            if episode.seat == NOBODY:
                assert episode.result is not None
                ended[game] = rewards(episode.result)
            elif cycles[game] >= limit:
                ended[game] = [0.0] * self.setup.encoding.seats
                truncated.append(game)
            else:
                continue
            episodes[game] = self._begin()
            cycles[game] = 0
        return self._batch(ended, truncated)

    def _begin(self) -> Episode:
        return Episode(self.setup, self._luck.bytes(32))

    def _batch(self, ended: dict[int, list[float]], truncated: list[int]) -> Batch:
        episodes, encoding, count = self._episodes, self.setup.encoding, self.count
        rows = bytearray().join([episode.observe(episode.seat) for episode in episodes])
        masks = bytearray().join([episode.mask(episode.seat) for episode in episodes])
        earned = np.zeros((count, encoding.seats), np.float32)
        over, cut = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
        for game, each in ended.items():
            earned[game] = each
            over[game] = True
        cut[truncated] = True
        return Batch(
            observations=np.frombuffer(rows, np.uint8).reshape(count, encoding.observation_size),
            masks=np.frombuffer(masks, np.int8).reshape(count, encoding.action_count),
            seats=np.array([episode.seat for episode in episodes], np.int32),
            rewards=earned,
            ended=over,
            truncated=cut,
        )
