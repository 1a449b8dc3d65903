"""Records an episode: somebody or something gives joint targets, the robot follows, and what happened is kept."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from pentathlon.core.entrants import Floats
from pentathlon.events.act.episode_files import Recorded, to_png
from pentathlon.learning.offline.policy import OfflinePolicy
from pentathlon.worlds.tabletop.arm import LIMITS_RAD
from pentathlon.worlds.tabletop.robot import JOINTS, Joints, Robot, Setup

NOISE_MEMORY = 0.9
"""Share of the noise that stays from one control step to the next; a real arm does not tremble at 30 Hz."""
BLEND_STEPS = 30
"""Over which a replay moves from its own start pose onto the replayed targets."""


class Operator(Protocol):
    """Gives joint targets, one control step at a time."""

    def act(self, joints: Joints) -> Joints | None:
        """Returns the next joint targets in radians, or ``None`` to end the episode."""
        ...


class Replay:
    """Follows recorded targets, after a smooth way from wherever the arm stands."""

    def __init__(self, actions: Floats) -> None:
        self._actions = actions
        self._step = 0
        self._start: Joints | None = None

    def act(self, joints: Joints) -> Joints | None:
        """Returns the next recorded targets."""
        if self._step == len(self._actions):
            return None
        if self._start is None:
            self._start = joints.copy()
        share = np.float32(min(1.0, (self._step + 1) / BLEND_STEPS))
        target: Joints = (1 - share) * self._start + share * self._actions[self._step]
        self._step += 1
        return target


class Rollout:
    """Lets a policy act that knows joints only."""

    def __init__(self, policy: OfflinePolicy, steps: int) -> None:
        self._policy, self._left = policy, steps
        self._pending: Floats = np.empty((0, JOINTS), np.float32)
        policy.reset()

    def act(self, joints: Joints) -> Joints | None:
        """Returns the policy's next targets."""
        if not self._left:
            return None
        if not len(self._pending):
            self._pending = self._policy.act(joints)
        target: Joints = self._pending[0]
        self._pending = self._pending[1:]
        self._left -= 1
        return target


class Noisy:
    """Adds noise to another's targets: smooth in time, with the standard deviation ``noise_rad``."""

    def __init__(self, operator: Operator, noise_rad: float, rng: np.random.Generator) -> None:
        self._operator, self._rng = operator, rng
        self._fresh_rad = noise_rad * np.sqrt(1 - NOISE_MEMORY**2)
        self._noise = rng.normal(0.0, noise_rad, JOINTS)

    def act(self, joints: Joints) -> Joints | None:
        """Returns the other's targets, disturbed."""
        target = self._operator.act(joints)
        if target is None:
            return None
        self._noise = NOISE_MEMORY * self._noise + self._rng.normal(0.0, self._fresh_rad, JOINTS)
        return (target + self._noise).astype(np.float32)


def record(
    robot: Robot, setup: Setup, operator: Operator, *, frame_every: int, notes: Mapping[str, Any], most_steps: int
) -> Recorded:
    """Records one episode.

    Args:
        robot: set up here.
        setup: what stands on the bench.
        operator: moves the arm; its targets are kept within the joints' limits.
        frame_every: control steps per picture.
        notes: kept with the episode, beside a digest of its pictures.
        most_steps: after which it ends in any case.
    """
    robot.prepare(setup)
    joints, actions, pictures = [], [], {}
    digest = hashlib.sha256()
    for step in range(most_steps):
        if step % frame_every == 0:
            sight = robot.sense()
            angles, picture = sight.joints, sight.image
        else:
            angles, picture = robot.sense_joints(), None
        target = operator.act(angles)
        if target is None:
            break
        action = np.clip(target, LIMITS_RAD[:, 0], LIMITS_RAD[:, 1]).astype(np.float32)
        joints.append(np.array(angles, np.float32))
        actions.append(action)
        if picture is not None:
            pictures[step] = to_png(picture)
            digest.update(picture.tobytes())
        robot.command(action)
    rewards = np.zeros(len(actions), np.float32)
    rewards[-1] = robot.weigh_g()
    return Recorded(
        np.stack(joints), np.stack(actions), rewards, pictures, {**notes, "pictures": digest.hexdigest()[:32]}
    )
