"""A small trained policy as an expert: a tanh network of plain arrays, evaluated in numpy."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from pentathlon.core.errors import DataError
from pentathlon.worlds.control.adroit import Pen
from pentathlon.worlds.control.experts.pen_task import ACTION_SIZE, OBSERVATION_SIZE, observe, views_of
from pentathlon.worlds.control.physics import Array


class Network:
    """Normalised observation → tanh layers → action.

    Raises:
        DataError: when the file is not such a network.
    """

    def __init__(self, path: Path) -> None:
        try:
            with np.load(path) as arrays:
                self._mean, self._deviation = arrays["mean"], arrays["deviation"]
                depth = sum(name.startswith("weight_") for name in arrays)
                self._layers = [(arrays[f"weight_{index}"], arrays[f"bias_{index}"]) for index in range(depth)]
        except (OSError, KeyError, ValueError) as error:
            raise DataError(
                f"{path} is no policy: expected an .npz with mean, deviation, weight_i and bias_i, got {error!r}. "
                "Train one with python -m pentathlon.worlds.control.experts.train_pen."
            ) from error

    @property
    def sizes(self) -> tuple[int, int]:
        """Numbers taken and given."""
        return self._layers[0][0].shape[1], self._layers[-1][0].shape[0]

    def __call__(self, observation: Array) -> Array:
        """The mean action, clipped to [-1, 1]."""
        hidden = np.clip((observation - self._mean) / self._deviation, -10.0, 10.0)
        for weight, bias in self._layers[:-1]:
            hidden = np.tanh(weight @ hidden + bias)
        weight, bias = self._layers[-1]
        action: Array = weight @ hidden + bias
        return action.clip(-1.0, 1.0)


class PenExpert:
    """The policy trained by ``train_pen``."""

    def __init__(self, physics: Pen, weights: Path) -> None:
        self._physics = physics
        self._network = Network(weights)
        if self._network.sizes != (OBSERVATION_SIZE, ACTION_SIZE):
            raise DataError(
                f"{weights} maps {self._network.sizes[0]} numbers to {self._network.sizes[1]}: expected "
                f"{OBSERVATION_SIZE} to {ACTION_SIZE} for the pen. Train it with experts.train_pen."
            )

    def reset(self, generator: np.random.Generator) -> None:
        """Nothing to forget."""

    def act(self) -> Array:
        """The network's action for what the hand does now."""
        return self._network(observe(views_of(self._physics)))
