"""Shaped rewards that the planners maximise, one per task: the task's own reward plus what leads to it."""

from __future__ import annotations

import numpy as np

from pentathlon.worlds.control.dmcontrol import SPIN_SPEED_RAD_S, STAND_HEIGHT_M, stand_reward, walk_factor
from pentathlon.worlds.control.experts.planner import Objective, Rollouts
from pentathlon.worlds.control.physics import Array


def _norm(vectors: Array) -> Array:
    return np.asarray(np.linalg.norm(vectors, axis=-1))


def _effort(rollouts: Rollouts) -> Array:
    return np.asarray((rollouts.actions**2).sum(-1))


def _risen(height_m: Array) -> Array:
    # Near the floor the walker's reward is flat in height but not in uprightness: by itself it is content to sit.
    return np.minimum(height_m / STAND_HEIGHT_M, 1.0)


def walker_stand(rollouts: Rollouts) -> Array:
    """Stand, and rise from wherever the torso is."""
    height_m, up = rollouts.sensor("torso_position")[..., 2], rollouts.sensor("torso_up")[..., 2]
    return np.asarray(stand_reward(height_m, up) + 2.0 * _risen(height_m) - 0.002 * _effort(rollouts))


def walker_walk(rollouts: Rollouts) -> Array:
    """Stand times speed, and rise from wherever the torso is."""
    height_m, up = rollouts.sensor("torso_position")[..., 2], rollouts.sensor("torso_up")[..., 2]
    speed = walk_factor(rollouts.sensor("torso_subtreelinvel")[..., 0])
    own = stand_reward(height_m, up) * (5.0 * speed + 1.0) / 6.0
    return np.asarray(own + 2.0 * _risen(height_m) - 0.002 * _effort(rollouts))


def cheetah_run(rollouts: Rollouts) -> Array:
    """Speed, with a share for staying upright."""
    speed_m_s = np.minimum(rollouts.sensor("torso_subtreelinvel")[..., 0], 10.5)
    return np.asarray(speed_m_s / 10.0 + 0.15 * np.minimum(rollouts.sensor("torso_up")[..., 2], 0.6))


def reacher(rollouts: Rollouts) -> Array:
    """Reach the target's middle and come to rest there."""
    offset_m = (rollouts.sensor("finger_position") - rollouts.sensor("target_position"))[..., :2]
    distance_m = _norm(offset_m)
    restless = 0.01 * (rollouts.qvel**2).sum(-1) * (distance_m < 0.04)
    return np.asarray((distance_m < 0.02) - 3.0 * distance_m - 0.02 * _effort(rollouts) - restless)


def finger_spin(rollouts: Rollouts) -> Array:
    """Spin fast enough, with the fingertip near the spinner."""
    speed_rad_s = -rollouts.sensor("hinge_velocity")[..., 0]
    offset_m = (rollouts.sensor("fingertip_position") - rollouts.sensor("spinner_position"))[..., [0, 2]]
    fast = 2.0 * (speed_rad_s >= SPIN_SPEED_RAD_S + 0.2)
    return np.asarray(fast + np.clip(speed_rad_s, -5.0, 50.0) / 20.0 - 0.3 * _norm(offset_m))


OBJECTIVES: dict[str, Objective] = {
    "walker-stand": walker_stand,
    "walker-walk": walker_walk,
    "cheetah-run": cheetah_run,
    "reacher-easy": reacher,
    "reacher-hard": reacher,
    "finger-spin": finger_spin,
}
