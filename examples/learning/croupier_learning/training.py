"""Self-play: every seat is played by the same network, which learns from all of them by proximal policy optimisation
(Schulman et al., 2017).

A game is learnt from when it is over. Each seat's own decisions are a line of their own through it: what matters for
one is what this seat thought of its chances when it was next asked, and in the end what it got.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier import gym
from croupier_learning.fitting import AnyEncoding
from croupier_learning.network import Adam, Floats, Network

SEATS = (2, 3, 4)
"""Tables of these sizes are played at."""
GAMES = 32
"""Played at once, for each of them."""
LONGEST = 2000
"""Decisions after which a game is left off. Who knows nothing yet may take long."""
SMOOTHING = 0.95
"""The lambda of generalised advantage estimation. Nothing is discounted: a win is a win."""
CLIP = 0.2
ENTROPY = 0.01
"""What it is worth not to be sure yet."""
LESSON, MINIBATCH = 4096, 1024
EPOCHS = 3
"""How often a lesson is gone through before it is forgotten."""
RATE = 1e-3


class Decision(NamedTuple):
    row: NDArray[np.uint8]
    mask: NDArray[np.int8]
    action: int
    likelihood: float
    """Its logarithm, when it was made."""
    value: float
    """What was expected then."""
    seat: int


class Lesson(NamedTuple):
    """Decisions of games that are over, and how much better than expected each of them turned out."""

    rows: NDArray[np.uint8]
    masks: NDArray[np.int8]
    actions: NDArray[np.intp]
    likelihoods: Floats
    advantages: Floats
    targets: Floats
    """What should have been expected."""

    def some(self, which: NDArray[np.intp]) -> Lesson:
        return Lesson(*(each[which] for each in self))  # type: ignore[arg-type]


class SelfPlay:
    """Games at tables of one size, that go on from one lesson to the next."""

    def __init__(self, network: Network, game: str, seats: int, seed: int) -> None:
        self.seats = seats
        self._network = network
        self._luck = np.random.default_rng(seed)
        self._games = gym.vector(game, GAMES, seats, seed=seed, max_cycles=LONGEST)
        self._batch = self._games.reset()
        self._made: list[list[Decision]] = [[] for _ in range(GAMES)]

    def lesson(self, size: int) -> Lesson:
        """Play on until so many decisions can be learnt from."""
        found: list[tuple[Decision, float, float]] = []
        while len(found) < size:
            found += self._step()
        made, advantages, targets = zip(*found, strict=True)
        return Lesson(
            np.array([each.row for each in made]),
            np.array([each.mask for each in made]),
            np.array([each.action for each in made], np.intp),
            np.array([each.likelihood for each in made], np.float32),
            np.array(advantages, np.float32),
            np.array(targets, np.float32),
        )

    def _step(self) -> Iterator[tuple[Decision, float, float]]:
        batch, network = self._batch, self._network
        answer = network.answer(self.seats, network.fit(self.seats).look(batch.observations), batch.masks)
        # To add such noise and take the best is to draw by the softmax.
        actions = (answer.preferences + self._luck.gumbel(size=answer.preferences.shape)).argmax(axis=1)
        likelihoods = log_softmax(answer.preferences)[np.arange(GAMES), actions]
        told = zip(
            batch.observations,
            batch.masks,
            actions.tolist(),
            likelihoods.tolist(),
            answer.value.tolist(),
            batch.seats.tolist(),
            strict=True,
        )
        for decisions, each in zip(self._made, told, strict=True):
            decisions.append(Decision(*each))
        self._batch = self._games.step(actions)
        for game in np.flatnonzero(self._batch.ended):
            if not self._batch.truncated[game]:
                yield from judged(self._made[game], self._batch.rewards[game].tolist())
            self._made[game] = []


def judged(decisions: Sequence[Decision], rewards: Sequence[float]) -> Iterator[tuple[Decision, float, float]]:
    """The decisions of one game from the last to the first, each with its advantage and with what should have been
    expected.

    >>> made = [Decision(None, None, 0, 0.0, value, 0) for value in (0.0, 0.5)]
    >>> [(advantage, target) for _, advantage, target in judged(made, [1.0, -1.0])]
    [(0.5, 1.0), (0.975, 0.975)]
    """
    ahead = {seat: (reward, 0.0) for seat, reward in enumerate(rewards)}
    for decision in reversed(decisions):
        value, advantage = ahead[decision.seat]
        advantage = value - decision.value + SMOOTHING * advantage
        ahead[decision.seat] = decision.value, advantage
        yield decision, advantage, decision.value + advantage


def log_softmax(preferences: Floats) -> Floats:
    shifted = preferences - preferences.max(axis=1, keepdims=True)
    logarithms: Floats = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return logarithms


class Learner:
    """Trains a network for one game at tables of several sizes in turns."""

    def __init__(self, game: str, encoding: type[AnyEncoding], seed: int, seats: Sequence[int] = SEATS) -> None:
        self.network = Network.new(encoding, seed)
        self.decisions = 0
        """Learnt from so far."""
        self._tables = [SelfPlay(self.network, game, each, seed + each) for each in seats]
        self._luck = np.random.default_rng(seed)
        self._adam = Adam(RATE)

    def learn(self, decisions: int, lesson: int = LESSON) -> Iterator[int]:
        """Until it has learnt from so many; says after every round how many it has been so far. The steps become
        smaller towards the end."""
        while self.decisions < decisions:
            self._adam.rate = RATE * max(0.1, 1 - self.decisions / decisions)
            for table in self._tables:
                each = table.lesson(lesson)
                self.decisions += len(each.actions)
                self._study(table.seats, each)
            yield self.decisions

    def _study(self, seats: int, lesson: Lesson) -> None:
        looks = self.network.fit(seats).look(lesson.rows)
        advantages = (lesson.advantages - lesson.advantages.mean()) / (lesson.advantages.std() + 1e-6)
        for _ in range(EPOCHS):
            order = self._luck.permutation(len(looks))
            for start in range(0, len(order), MINIBATCH):
                some = order[start : start + MINIBATCH]
                self._improve(seats, looks[some], lesson.some(some), advantages[some])

    def _improve(self, seats: int, looks: Floats, lesson: Lesson, advantages: Floats) -> None:
        count, network = len(looks), self.network
        answer = network.answer(seats, looks, lesson.masks)
        logarithms = log_softmax(answer.preferences)
        chances = np.exp(logarithms)
        each = np.arange(count)
        ratio = np.exp(logarithms[each, lesson.actions] - lesson.likelihoods)
        # Beyond the clip there is nothing to be gained in this lesson.
        gains = np.where(advantages > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
        pull = -(advantages * ratio * gains)[:, None]
        taken = np.zeros_like(chances)
        taken[each, lesson.actions] = 1
        preferences = pull * (taken - chances)
        entropy = -(chances * logarithms).sum(axis=1, keepdims=True)
        preferences += ENTROPY * chances * (logarithms + entropy)
        value = answer.value - lesson.targets
        gradients = network.gradients(seats, looks, answer, preferences / np.float32(count), value / np.float32(count))
        self._adam.step(network.weights, gradients)
