"""A small network in NumPy: it looks at a row, and answers with a preference for each move and what it expects to get
out of the game."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier_learning.fitting import WIDEST, AnyEncoding, Fit, fit

Floats = NDArray[np.float32]
Weights = dict[str, Floats]
HIDDEN = 64
FORBIDDEN = np.float32(-1e9)
"""The preference for what the mask does not allow."""


class Answer(NamedTuple):
    """For each row of a batch. The hidden layers are kept for ``gradients``."""

    preferences: Floats
    value: Floats
    first: Floats
    second: Floats


class Network:
    """Two hidden layers, and two answers of the same size for tables of every size (``fitting``)."""

    def __init__(self, encoding: type[AnyEncoding], weights: Weights) -> None:
        self.encoding = encoding
        self.weights = weights
        self._fits: dict[int, Fit] = {}

    @classmethod
    def new(cls, encoding: type[AnyEncoding], seed: int, hidden: int = HIDDEN) -> Network:
        """One that knows nothing: all moves are about equally good to it."""
        luck, widest = np.random.default_rng(seed), encoding(WIDEST)

        def layer(inputs: int, outputs: int, size: float) -> Floats:
            drawn: Floats = luck.standard_normal((inputs, outputs), np.float32) * np.float32(size / np.sqrt(inputs))
            return drawn

        return cls(
            encoding,
            {
                "look": layer(widest.observation_size, hidden, 2.0),
                "look_bias": np.zeros(hidden, np.float32),
                "think": layer(hidden, hidden, 1.4),
                "think_bias": np.zeros(hidden, np.float32),
                "prefer": layer(hidden, widest.action_count, 0.01),
                "prefer_bias": np.zeros(widest.action_count, np.float32),
                "expect": layer(hidden, 1, 0.1),
                "expect_bias": np.zeros(1, np.float32),
            },
        )

    @classmethod
    def load(cls, encoding: type[AnyEncoding], file: Path) -> Network:
        """As ``save`` has written it. Raises ``ValueError`` if it was trained with other numbers."""
        with np.load(file) as stored:
            version = int(stored["version"])
            if version != encoding.version:
                raise ValueError(
                    f"{file.name} was trained with version {version} of {encoding.__name__}, which has version "
                    f"{encoding.version} now: train it again"
                )
            return cls(encoding, {name: stored[name].astype(np.float32) for name in stored.files if name != "version"})

    def save(self, file: Path) -> None:
        """In half precision, which makes no difference to how it plays."""
        halved = {name: each.astype(np.float16) for name, each in self.weights.items()}
        np.savez_compressed(file, version=np.array(self.encoding.version), **halved)  # type: ignore[arg-type]

    def fit(self, seats: int) -> Fit:
        if seats not in self._fits:
            self._fits[seats] = fit(self.encoding(seats))
        return self._fits[seats]

    def answer(self, seats: int, looks: Floats, masks: NDArray[np.int8]) -> Answer:
        """For rows of a table of so many seats, as ``Fit.look`` makes them."""
        fitted, weights = self.fit(seats), self.weights
        look = weights["look"][fitted.inputs] * fitted.shares[:, None]
        first = np.maximum(looks @ look + weights["look_bias"], 0)
        second = np.maximum(first @ weights["think"] + weights["think_bias"], 0)
        preferences = second @ weights["prefer"][:, fitted.outputs] + weights["prefer_bias"][fitted.outputs]
        value = (second @ weights["expect"] + weights["expect_bias"])[:, 0]
        return Answer(np.where(masks, preferences, FORBIDDEN), value, first, second)

    def gradients(self, seats: int, looks: Floats, answer: Answer, preferences: Floats, value: Floats) -> Weights:
        """How a loss depends on each weight, given how it depends on the two answers."""
        fitted, weights = self.fit(seats), self.weights
        found = {name: np.zeros_like(each) for name, each in weights.items()}
        np.add.at(found["prefer"].T, fitted.outputs, (answer.second.T @ preferences).T)
        np.add.at(found["prefer_bias"], fitted.outputs, preferences.sum(axis=0))
        found["expect"] = answer.second.T @ value[:, None]
        found["expect_bias"] = value.sum(keepdims=True)
        second = preferences @ weights["prefer"][:, fitted.outputs].T + value[:, None] * weights["expect"].T
        second *= answer.second > 0
        found["think"] = answer.first.T @ second
        found["think_bias"] = second.sum(axis=0)
        first = (second @ weights["think"].T) * (answer.first > 0)
        np.add.at(found["look"], fitted.inputs, (looks.T @ first) * fitted.shares[:, None])
        found["look_bias"] = first.sum(axis=0)
        return found


class Adam:
    """The optimiser (Kingma and Ba, 2015), with gradients cut to a length of at most 1."""

    def __init__(self, rate: float) -> None:
        self.rate = rate
        self._steps = 0
        self._mean: Weights = {}
        self._square: Weights = {}

    def step(self, weights: Weights, gradients: Weights) -> None:
        self._steps += 1
        length = np.sqrt(sum(float(np.vdot(each, each)) for each in gradients.values()))
        cut = np.float32(1 / max(1.0, length))
        rate = np.float32(self.rate * np.sqrt(1 - 0.999**self._steps) / (1 - 0.9**self._steps))
        for name, gradient in gradients.items():
            gradient = gradient * cut
            mean = self._mean.setdefault(name, np.zeros_like(gradient))
            square = self._square.setdefault(name, np.zeros_like(gradient))
            mean += np.float32(0.1) * (gradient - mean)
            square += np.float32(0.001) * (gradient * gradient - square)
            weights[name] -= rate * mean / (np.sqrt(square) + np.float32(1e-8))
