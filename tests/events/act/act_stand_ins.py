"""A bench of a few lines: moves at once, and weighs a gram for each step in which joint 7 was turned far."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pentathlon.core.entrants import Observation
from pentathlon.worlds.tabletop.arm.robot import Joints, Setup, Sight, interaction

START = np.array([0.1828, -0.4909, -0.0093, -2.4412, 0.2554, 0.3310, 0.0], np.float32)
SIZE = (12, 16)


class StandInRobot:
    name = "stand-in"

    def __init__(self) -> None:
        self.looks = 0
        self.setups: list[Setup] = []

    def prepare(self, setup: Setup) -> None:
        self.setups.append(setup)
        self._joints = START + np.float32(setup.seed % 7) / 100
        self._grams = 0.0

    def sense(self) -> Sight:
        self.looks += 1
        image = np.full((*SIZE, 3), self.looks % 256, np.uint8)
        return Sight(self._joints, image, np.ones(SIZE, np.float32))

    def sense_joints(self) -> Joints:
        return self._joints

    def command(self, joint_targets_rad: Joints) -> None:
        self._joints = joint_targets_rad
        self._grams += float(joint_targets_rad[6] > 1.0)

    def weigh_g(self) -> float:
        return self._grams

    def stop(self) -> None: ...


class StandInPolicy:
    """Gives the listed predictions one after the other, then the last one for ever."""

    spec = interaction(*SIZE)

    def __init__(self, predictions: Sequence[object]) -> None:
        self._predictions = predictions
        self.calls = 0

    def reset(self) -> None:
        self.calls = 0

    def predict(self, observation: Observation) -> np.ndarray:
        self.calls += 1
        return self._predictions[min(self.calls, len(self._predictions)) - 1]


def turned(angle_rad: float) -> np.ndarray:
    action = START.copy()
    action[6] = angle_rad
    return action
