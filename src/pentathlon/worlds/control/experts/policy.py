"""Small trained policies as experts: tanh networks of plain arrays, evaluated in numpy."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from pentathlon.core.errors import DataError
from pentathlon.worlds.control.adroit import Pen
from pentathlon.worlds.control.dmcontrol import DMControlPhysics
from pentathlon.worlds.control.experts.dmcontrol_view import View
from pentathlon.worlds.control.experts.pen_task import ACTION_SIZE, OBSERVATION_SIZE, observe, views_of
from pentathlon.worlds.control.physics import Array


class Network:
    """Normalised observation → tanh layers → action, which the last layer's own tanh or a clip keeps in [-1, 1].

    Raises:
        DataError: when the file is not such a network, or not of these sizes.
    """

    def __init__(self, path: Path, observation_size: int, action_size: int) -> None:
        try:
            with np.load(path) as arrays:
                self._mean, self._deviation = arrays["mean"], arrays["deviation"]
                depth = sum(name.startswith("weight_") for name in arrays)
                self._layers = [(arrays[f"weight_{index}"], arrays[f"bias_{index}"]) for index in range(depth)]
                self._squash = np.tanh if "squash" in arrays else partial(np.clip, a_min=-1.0, a_max=1.0)
        except (OSError, KeyError, ValueError) as error:
            raise DataError(
                f"{path} is no policy: expected an .npz with mean, deviation, weight_i and bias_i, got {error!r}. "
                "Train one with experts.train_pen or experts.train_dmcontrol."
            ) from error
        sizes = self._layers[0][0].shape[1], self._layers[-1][0].shape[0]
        if sizes != (observation_size, action_size):
            raise DataError(
                f"{path} maps {sizes[0]} numbers to {sizes[1]}: expected {observation_size} to {action_size}. "
                "Train it for this task with experts.train_pen or experts.train_dmcontrol."
            )

    def __call__(self, observation: Array) -> Array:
        """The mean action, in [-1, 1]."""
        hidden = np.clip((observation - self._mean) / self._deviation, -10.0, 10.0)
        for weight, bias in self._layers[:-1]:
            hidden = np.tanh(weight @ hidden + bias)
        weight, bias = self._layers[-1]
        action: Array = self._squash(weight @ hidden + bias)
        return action


def write_network(
    path: Path, mean: Array, deviation: Array, layers: Sequence[tuple[Array, Array]], *, squash: bool
) -> None:
    """Writes what :class:`Network` reads: weights and biases from the first layer to the last."""
    arrays: dict[str, Any] = {"mean": mean, "deviation": deviation, **({"squash": 1.0} if squash else {})}
    for index, (weight, bias) in enumerate(layers):
        arrays |= {f"weight_{index}": weight, f"bias_{index}": bias}
    arrays = {name: np.asarray(values, np.float32) for name, values in arrays.items()}
    np.savez_compressed(path, **arrays)


class PenExpert:
    """The policy trained by ``train_pen``."""

    def __init__(self, physics: Pen, weights: Path) -> None:
        self._physics, self._network = physics, Network(weights, OBSERVATION_SIZE, ACTION_SIZE)

    def reset(self, generator: np.random.Generator) -> None:
        """Nothing to forget."""

    def act(self) -> Array:
        """The network's action for what the hand does now."""
        return self._network(observe(views_of(self._physics)))


class DMControlExpert:
    """A policy trained by ``train_dmcontrol``."""

    def __init__(self, physics: DMControlPhysics, weights: Path) -> None:
        self._view = View(physics)
        self._network = Network(weights, self._view.size, physics.action_size)

    def reset(self, generator: np.random.Generator) -> None:
        """Nothing to forget."""

    def act(self) -> Array:
        """The network's action for the present state."""
        return self._network(self._view())
