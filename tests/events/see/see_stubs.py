"""A world of one number and encoders that read it off the picture, so that rollouts can be followed by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from pentathlon.core.entrants import Features, Floats, Images
from pentathlon.core.specs import EncoderSpec
from pentathlon.worlds.control import control_task


class CountingWorld:
    """The picture's brightness is a counter that each action moves; the score is the counter's last value."""

    renderer = "raycast"

    def __init__(self, horizon: int = 5, frame_stack: int = 3, start: int = 10) -> None:
        self.task = replace(control_task("dmcontrol-reacher-easy"), horizon=horizon, frame_stack=frame_stack)
        self.horizon, self.start = horizon, start
        self.actions: list[npt.NDArray[np.float32]] = []

    def reset(self, *, seed: int) -> None:
        self.value = self.start + seed

    def frame(self) -> Images:
        return np.full((8, 8, 3), self.value, np.uint8)

    def proprio(self) -> Floats:
        return np.array([self.value], np.float32)

    def step(self, action: npt.NDArray[np.float32]) -> None:
        self.actions.append(action)
        self.value += round(float(action[0]))

    def success(self) -> float:
        return float(self.value)


class Brightness:
    """Encodes a picture as its mean brightness and the square of it."""

    spec = EncoderSpec(dim=2, image_size=(8, 8))
    fingerprint = "brightness"

    def __init__(self) -> None:
        self.batches: list[int] = []

    def encode(self, images: Images) -> Features:
        self.batches.append(len(images))
        mean = images.astype(np.float32).mean(axis=(1, 2, 3))
        return Features(np.stack([mean, mean**2], axis=1))


class Spoiled:
    """Returns features that do not fit its spec in the way named."""

    def __init__(self, how: str) -> None:
        self.how = how
        self.spec = EncoderSpec(dim=2, image_size=(8, 8))
        self.fingerprint = f"spoiled-{how}"

    def encode(self, images: Images) -> Features:
        pooled: Any = np.zeros((len(images), 2), np.float32)
        if self.how == "nan":
            pooled[-1, 0] = np.nan
        elif self.how == "dimension":
            pooled = np.zeros((len(images), 3), np.float32)
        elif self.how == "batch":
            pooled = pooled[:-1]
        return Features(pooled)


def nan_encoder() -> Spoiled:
    return Spoiled("nan")


def wide_encoder() -> Spoiled:
    return Spoiled("dimension")


def short_encoder() -> Spoiled:
    return Spoiled("batch")
