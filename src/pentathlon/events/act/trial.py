"""Runs one trial of act: a policy moves a robot, and what it transferred is weighed."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from pentathlon.core import EntrantError, Outcome
from pentathlon.core.entrants import Floats, Policy
from pentathlon.events.act.metrics import is_success
from pentathlon.events.act.protocol import ActProtocol, Trial
from pentathlon.worlds.tabletop.arm.model import LIMITS_RAD
from pentathlon.worlds.tabletop.arm.robot import JOINTS, Robot, Sight

WATCH_EVERY_STEPS = 3
LOWEST_RAD, HIGHEST_RAD = LIMITS_RAD.astype(np.float32).T
TOLERANCE_RAD = 0.005
"""How far outside of the limits a target may lie to be moved to them: an arm at its limit sags by up to 0.0003 rad."""


class PolicyError(EntrantError):
    """A policy gave, at ``step`` of a trial, an action that no robot can follow."""

    def __init__(self, message: str, step: int) -> None:
        super().__init__(message)
        self.step = step


def run_trial(
    robot: Robot,
    policy: Policy,
    trial: Trial,
    protocol: ActProtocol,
    watch: Callable[[Sight], None] | None = None,
) -> Outcome:
    """Lets ``policy`` act for ``protocol.horizon_steps`` control periods and weighs what it transferred.

    The policy sees the bench whenever its last action or chunk of actions has been followed. Targets that lie outside
    of the limits by no more than :data:`TOLERANCE_RAD` are moved to them, and ``clamped_rad`` among the details tells
    by how much at most. An action that cannot be followed ends the trial with an error, which counts as nothing
    transferred; what the robot or the policy raises is left to the caller.

    Args:
        robot: set up here for the trial.
        policy: of the trial's training seed.
        trial: one of ``protocol.trials()``.
        protocol: gives the length of the trial.
        watch: is shown the bench every few steps, for videos and live views.
    """
    started = time.perf_counter()
    robot.prepare(trial.setup)
    policy.reset()
    common: dict[str, Any] = {
        "trial": trial.id,
        "cluster": trial.cluster,
        "seed": trial.setup.seed,
        "details": _details(trial),
    }
    try:
        clamped_rad = _follow(robot, policy, protocol.horizon_steps, watch)
    except PolicyError as error:
        wall_time_s = time.perf_counter() - started
        return Outcome(
            status="error", error=f"PolicyError: {error}", steps=error.step, wall_time_s=wall_time_s, **common
        )
    reward_g = robot.weigh_g()
    metrics = {"reward_g": reward_g, "success": float(is_success(reward_g))}
    wall_time_s = time.perf_counter() - started
    if clamped_rad:
        common["details"]["clamped_rad"] = clamped_rad
    return Outcome(metrics=metrics, steps=protocol.horizon_steps, wall_time_s=wall_time_s, **common)


def _follow(robot: Robot, policy: Policy, steps: int, watch: Callable[[Sight], None] | None) -> float:
    """Lets the policy act; returns by how much a target had to be moved at most."""
    pending = np.empty((0, JOINTS), np.float32)
    clamped_rad = 0.0
    for step in range(steps):
        watching = watch is not None and step % WATCH_EVERY_STEPS == 0
        if watching or not len(pending):
            sight = robot.sense()
            if watch is not None and watching:
                watch(sight)
            if not len(pending):
                predicted = policy.predict(sight.observation())
                pending = check_actions(predicted, step)
                clamped_rad = max(clamped_rad, float(np.abs(np.asarray(predicted, np.float32) - pending).max()))
        robot.command(pending[0])
        pending = pending[1:]
    return clamped_rad


def check_actions(predicted: Any, step: int) -> Floats:
    """Returns what a policy predicted as a chunk ``[H, 7]`` within the limits, once a robot can follow it.

    Raises:
        PolicyError: naming what is wrong, in which joint and at which step of the trial.
    """
    try:
        with np.errstate(over="ignore"):  # Too large a number becomes infinity, which is refused below.
            actions = np.asarray(predicted, dtype=np.float32)
    except (TypeError, ValueError, RuntimeError) as error:
        raise PolicyError(
            f"Expected joint targets as numbers, got {type(predicted).__name__} at step {step} ({error}).", step
        ) from error
    if actions.shape[-1:] != (JOINTS,) or actions.ndim not in (1, 2) or not actions.size:
        raise PolicyError(
            f"Expected an action [{JOINTS}] or a chunk [H, {JOINTS}], "
            f"got the shape {list(actions.shape)} at step {step}.",
            step,
        )
    chunk = actions.reshape(-1, JOINTS)
    if not np.isfinite(chunk).all():
        ahead, joint = np.argwhere(~np.isfinite(chunk))[0]
        raise PolicyError(
            f"Expected finite joint targets, got {chunk[ahead, joint]} {_where(step, ahead, joint)}.", step
        )
    outside = (chunk < LOWEST_RAD - TOLERANCE_RAD) | (chunk > HIGHEST_RAD + TOLERANCE_RAD)
    if outside.any():
        ahead, joint = np.argwhere(outside)[0]
        raise PolicyError(
            f"Expected a joint target within [{LOWEST_RAD[joint]:.4f}, {HIGHEST_RAD[joint]:.4f}] rad, "
            f"got {chunk[ahead, joint]:.4f} {_where(step, ahead, joint)}.",
            step,
        )
    return chunk.clip(LOWEST_RAD, HIGHEST_RAD)


def for_seed(policy: Policy, training_seed: int) -> Policy:
    """Chooses the policy that was trained with ``training_seed``, where the entrant holds several."""
    choose = getattr(policy, "for_seed", None)
    return policy if choose is None else choose(training_seed)


def _where(step: int, ahead: int, joint: int) -> str:
    return f"for joint {joint + 1} at step {step + ahead}"


def _details(trial: Trial) -> dict[str, Any]:
    return {
        "container": trial.setup.container,
        "material": trial.setup.material,
        "location": trial.setup.location,
        "seen_location": trial.seen_location,
        "training_seed": trial.training_seed,
    }
