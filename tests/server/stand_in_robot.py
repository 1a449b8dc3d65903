"""A robot of a few lines that keeps the contract, for tests of the server."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import numpy as np

from pentathlon.events.act.trial import LOWEST_RAD
from pentathlon.worlds.tabletop.arm.robot import Joints, RobotStoppedError, Setup, Sight

START = np.array([0.0, -0.5, 0.0, -2.4, 0.0, 0.3, 0.0], np.float32)


class StandInRobot:
    """Gives one gram for each joint target above 0.1 rad in the first joint, up to the setup's seed modulo 50."""

    def __init__(self, name: str, image_size: tuple[int, int], *, step_s: float = 0.0) -> None:
        self.name = name
        self._image_size = image_size
        self._step_s = step_s
        self._joints = START
        self._grams = 0.0
        self._stopped = False

    def prepare(self, setup: Setup) -> None:
        self._joints, self._grams, self._stopped = START, 0.0, False
        self._most = float(setup.seed % 50)

    def sense(self) -> Sight:
        image = np.full((*self._image_size, 3), int(self._grams) % 256, np.uint8)
        return Sight(self._joints, image, np.ones(self._image_size, np.float32))

    def sense_joints(self) -> Joints:
        return self._joints

    def command(self, joint_targets_rad: Joints) -> None:
        if self._stopped:
            raise RobotStoppedError(self.name)
        self._joints = joint_targets_rad
        self._grams = min(self._most, self._grams + (joint_targets_rad[0] > 0.1))
        if self._step_s:
            time.sleep(self._step_s)

    def weigh_g(self) -> float:
        return self._grams

    def stop(self) -> None:
        self._stopped = True


class SaggingRobot(StandInRobot):
    """Hangs a little below the limits of its joints, as a real arm does under its own weight."""

    def prepare(self, setup: Setup) -> None:
        super().prepare(setup)
        self._joints = LOWEST_RAD - np.float32(0.0003)

    def command(self, joint_targets_rad: Joints) -> None:
        assert (joint_targets_rad >= LOWEST_RAD).all()
        super().command(joint_targets_rad)
        self._joints = LOWEST_RAD - np.float32(0.0003)


class CarefulRobot(StandInRobot):
    """Wants a person to confirm the bench."""

    needs_confirmation = True


class WiredRobot(StandInRobot):
    """Depends on a controller process that can be killed; a file is named after the process's id."""

    def prepare(self, setup: Setup) -> None:
        super().prepare(setup)
        self._controller = subprocess.Popen(["sleep", "600"])
        Path(os.environ["CONTROLLER_FOLDER"], str(self._controller.pid)).touch()

    def command(self, joint_targets_rad: Joints) -> None:
        if self._controller.poll() is not None:
            raise ConnectionError("the controller is gone")
        super().command(joint_targets_rad)

    def weigh_g(self) -> float:
        self._controller.kill()
        self._controller.wait()
        return super().weigh_g()


def slow(name: str, image_size: tuple[int, int]) -> StandInRobot:
    return StandInRobot(name, image_size, step_s=0.0005)
