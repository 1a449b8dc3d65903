"""Scripted experts that know the whole state, in place of people who teleoperate; and replays of what they did."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from pentathlon.core.errors import UsageError
from pentathlon.worlds.tabletop.arm.model import LIMITS_RAD
from pentathlon.worlds.tabletop.arm.robot import CONTROL_HZ, Joints, Robot, Setup, Sight
from pentathlon.worlds.tabletop.arm.simulated import SimulatedRobot
from pentathlon.worlds.tabletop.bench.bench import Bench
from pentathlon.worlds.tabletop.experts.paths import Motion, Path, follow, trace, tremor
from pentathlon.worlds.tabletop.experts.pouring import LIP_M, plan_pour
from pentathlon.worlds.tabletop.experts.scooping import NOSE_M, plan_scoop
from pentathlon.worlds.tabletop.experts.styles import Style, draw_style

Watch = Callable[[Sight], None]

_TREMOR: Final = (0.003, 0.003, 0.002, 0.02, 0.015)
"""Of the tool's place (metres), heading and tilt (radians)."""
_NEAR_ENOUGH: Final = 0.03
_BLEND_S: Final = 1.0
_NOISE_MEMORY: Final = 0.9
"""Share of replay noise that carries over to the next step: hands err smoothly."""


@dataclass(frozen=True, eq=False)
class Recording:
    """One trajectory.

    Attributes:
        setup: what stood on the bench.
        joints: measured before each action, float32[T, 7] in radians.
        actions: absolute joint targets, float32[T, 7] in radians.
        grams: weighed after the last action.
    """

    setup: Setup
    joints: Joints
    actions: Joints
    grams: float


def plan(bench: Bench, style_seed: int) -> Joints:
    """Returns the joint targets ``[T, 7]`` by which an expert would do the bench's task from its present state."""
    generator = np.random.default_rng(style_seed)
    style = draw_style(generator)
    scene, data = bench.scene, bench.data
    tool, target = scene.tool_pose(data), scene.container_pose(data)
    method, pivot = (plan_pour, LIP_M) if scene.task == "pour" else (plan_scoop, NOSE_M)
    best: Motion | None = None
    for manner in _second_thoughts(style):
        path = trace(method(tool, target, scene.container, manner))
        wobble = tremor(len(path.rows), style.tremor * np.array(_TREMOR), generator)
        motion = follow(Path(path.rows + wobble, path.ends), pivot, scene.tool, bench.joints_rad)
        if best is None or motion.missed < best.missed:
            best = motion
        if best.missed < _NEAR_ENOUGH:
            break
    assert best is not None
    return best.targets_rad


def _second_thoughts(style: Style) -> Iterator[Style]:
    """Yields the style, then what people do whose arm cannot follow: turn the hand, change the side."""
    for turn_rad in (0.0, 0.25, -0.25, 0.5):
        for side in (style.side, -style.side):
            yield replace(style, side=side, heading_rad=style.heading_rad + side * turn_rad)


def demonstrate(
    setup: Setup, style_seed: int, *, robot: SimulatedRobot | None = None, watch: Watch | None = None
) -> Recording:
    """Lets an expert do a task once.

    Args:
        setup: what stands on the bench.
        style_seed: of the manner of working; equal seeds work alike.
        robot: on which; a new one by default. Keep one for many demonstrations, it remembers its benches.
        watch: called with what the robot sees before each action; without it no pictures are made.
    """
    robot = robot if robot is not None else SimulatedRobot()
    robot.prepare(setup)
    return perform(robot, setup, plan(robot.bench, style_seed), watch)


def replay(
    recording: Recording,
    setup: Setup,
    noise_rad: float,
    noise_seed: int,
    *,
    robot: SimulatedRobot | None = None,
    watch: Watch | None = None,
) -> Recording:
    """Repeats a recording's actions with noise, in a setup of its own, blending in from the start pose.

    Args:
        recording: whose actions are repeated.
        setup: what stands on the bench now.
        noise_rad: standard deviation of the noise on each joint target.
        noise_seed: of that noise.
        robot: on which; a new one by default.
        watch: called with what the robot sees before each action.
    """
    if not (np.isfinite(noise_rad) and noise_rad >= 0):
        raise UsageError(f"Expected noise_rad of 0 or more, got {noise_rad}.")
    robot = robot if robot is not None else SimulatedRobot()
    robot.prepare(setup)
    actions = blend_in(recording.actions, robot.sense_joints())
    return perform(robot, setup, add_noise(actions, noise_rad, noise_seed), watch)


def perform(robot: Robot, setup: Setup, actions: Joints, watch: Watch | None = None) -> Recording:
    """Carries out actions on a prepared robot and weighs the result."""
    joints = np.empty_like(actions)
    for step, action in enumerate(actions):
        if watch is None:
            joints[step] = robot.sense_joints()
        else:
            sight = robot.sense()
            joints[step] = sight.joints
            watch(sight)
        robot.command(action)
    return Recording(setup, joints, actions, robot.weigh_g())


def blend_in(actions: Joints, start_rad: Joints) -> Joints:
    """Returns actions that begin at a start pose and meet the given ones after a second."""
    steps = min(len(actions), round(_BLEND_S * CONTROL_HZ))
    share = np.clip(np.arange(len(actions)) / max(steps, 1), 0.0, 1.0)[:, None]
    blended: Joints = ((1.0 - share) * start_rad + share * actions).astype(np.float32)
    return blended


def add_noise(actions: Joints, noise_rad: float, noise_seed: int) -> Joints:
    """Returns actions with smooth Gaussian noise of a standard deviation, within the joints' limits."""
    generator = np.random.default_rng(noise_seed)
    fresh = generator.normal(0.0, noise_rad * np.sqrt(1.0 - _NOISE_MEMORY**2), actions.shape)
    noise = np.zeros(actions.shape)
    for step in range(1, len(actions)):
        noise[step] = _NOISE_MEMORY * noise[step - 1] + fresh[step]
    noisy: Joints = np.clip(actions + noise, LIMITS_RAD[:, 0], LIMITS_RAD[:, 1]).astype(np.float32)
    return noisy
