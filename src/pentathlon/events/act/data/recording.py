"""Records an episode: somebody or something gives joint targets, the robot follows, and what happened is kept."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from pentathlon.core import DataError
from pentathlon.events.act.data.episode_files import Recorded, to_png
from pentathlon.learning.policies.policy import OfflinePolicy
from pentathlon.worlds.tabletop.arm.model import LIMITS_RAD
from pentathlon.worlds.tabletop.arm.robot import JOINTS, Joints, Robot
from pentathlon.worlds.tabletop.experts.demonstrators import add_noise

MOST_STEPS = 1000


class Mover(Protocol):
    """Moves the arm: gives joint targets, one control step at a time."""

    def act(self, joints: Joints) -> Joints | None:
        """Returns the next joint targets in radians, or ``None`` to end the episode."""
        ...


class Script:
    """Follows a list of targets, whatever happens."""

    def __init__(self, actions: Joints) -> None:
        self._left = iter(actions)

    def act(self, joints: Joints) -> Joints | None:
        """Returns the next targets of the list."""
        return next(self._left, None)


class Rollout:
    """Lets a policy act that knows joints only, with noise on its targets."""

    def __init__(self, policy: OfflinePolicy, steps: int, noise_rad: float, seed: int) -> None:
        self._policy, self._left, self._noise_rad = policy, steps, noise_rad
        self._seeds = np.random.default_rng(seed)
        self._pending: Joints = np.empty((0, JOINTS), np.float32)
        policy.reset()

    def act(self, joints: Joints) -> Joints | None:
        """Returns the policy's next targets."""
        if not self._left:
            return None
        if not len(self._pending):
            self._pending = add_noise(self._policy.act(joints), self._noise_rad, int(self._seeds.integers(2**31)))
        target: Joints = self._pending[0]
        self._pending = self._pending[1:]
        self._left -= 1
        return target


def record(robot: Robot, mover: Mover, *, frame_every: int, notes: Mapping[str, Any]) -> Recorded:
    """Records one episode on a robot that has been prepared.

    Args:
        robot: prepared.
        mover: moves the arm; its targets are kept within the joints' limits.
        frame_every: control steps per picture.
        notes: kept with the episode, beside a digest of its pictures.

    Raises:
        DataError: when the mover ends it before the first step.
    """
    joints, actions, pictures = [], [], {}
    digest = hashlib.sha256()
    for step in range(MOST_STEPS):
        angles = robot.sense_joints()
        target = mover.act(angles)
        if target is None:
            break
        if step % frame_every == 0:
            image = robot.sense().image
            pictures[step] = to_png(image)
            digest.update(image.tobytes())
        joints.append(np.array(angles, np.float32))
        actions.append(np.clip(target, LIMITS_RAD[:, 0], LIMITS_RAD[:, 1]).astype(np.float32))
        robot.command(actions[-1])
    if not actions:
        raise DataError("Expected an episode of one or more steps, got none. Move the arm before ending it.")
    rewards = np.zeros(len(actions), np.float32)
    rewards[-1] = robot.weigh_g()
    all_notes = {**notes, "pictures": digest.hexdigest()[:32]}
    return Recorded(np.stack(joints), np.stack(actions), rewards, pictures, all_notes)
