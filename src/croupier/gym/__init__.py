"""Environments for agents that learn, straight from the rules: no server, no socket.

>>> from croupier import gym
>>> env = gym.env("palace", seats=3)
>>> env.reset(seed=1)
>>> observation, reward, termination, truncation, info = env.last()
>>> env.agent_selection, observation["observation"].shape, observation["action_mask"].shape
('player_0', (192,), (53,))
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

try:
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(f"{error}: croupier.gym takes pip install 'croupier[gym]'", name=error.name) from None

from croupier.gym.description import described
from croupier.gym.environment import Environment
from croupier.gym.setup import AnyGame, set_up
from croupier.gym.vector import Batch, Vector

__all__ = ["Batch", "Environment", "Vector", "describe", "env", "parallel_env", "vector"]

MAX_CYCLES = 10_000
"""Steps after which a game is left off; people would have got up long before."""


def env(
    game: str | AnyGame,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    *,
    render_mode: str | None = None,
    max_cycles: int = MAX_CYCLES,
) -> Any:
    """A game as an AEC environment of PettingZoo.

    ``game``: a name as in ``croupier games``, ``MODULE:OBJECT``, or the game itself. ``seats``: as few as can play,
    unless you say how many. ``options``: the game's own, where they are not to be the usual ones. ``render_mode``:
    ``"human"``, ``"ansi"``, ``"svg"`` or ``"rgb_array"``. ``max_cycles``: after so many steps it is truncated.
    """
    return OrderEnforcingWrapper(Environment(set_up(game, seats, options), render_mode, max_cycles))


def parallel_env(
    game: str | AnyGame,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    *,
    render_mode: str | None = None,
    max_cycles: int = MAX_CYCLES,
) -> Any:
    """The same as a parallel environment, for learners that know no other: everybody acts at once, and what those say
    who are not asked is not looked at."""
    return turn_based_aec_to_parallel(Environment(set_up(game, seats, options), render_mode, max_cycles))


def vector(
    game: str | AnyGame,
    count: int,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    *,
    seed: int | None = None,
    max_cycles: int = MAX_CYCLES,
) -> Vector:
    """So many games, all of which are stepped by one call; each is replaced by another when it is over."""
    return Vector(set_up(game, seats, options), count, seed, max_cycles)


def describe(game: str | AnyGame, seats: int | None = None, options: Mapping[str, Any] | None = None) -> str:
    """What the numbers of a game mean: a table of its actions and one of its observations, in Markdown."""
    return described(set_up(game, seats, options))
