"""Policies to measure others by: one that does nothing, one that repeats a demonstration, one that knows everything."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from pentathlon.core import EntrantError
from pentathlon.core.entrants import Floats, Observation, Policy
from pentathlon.core.identity import derive_seed
from pentathlon.events.act.policies.trained import JOINTS_IN, NOTES, TrainedPolicy
from pentathlon.events.act.protocol import Trial
from pentathlon.worlds.tabletop.arm.robot import Joints, Robot
from pentathlon.worlds.tabletop.arm.simulated import SimulatedRobot
from pentathlon.worlds.tabletop.experts import demonstrators as experts
from pentathlon.worlds.tabletop.experts.demonstrators import blend_in

CHUNK_STEPS = 50


class HoldStill:
    """Stays where it is."""

    spec = JOINTS_IN

    def __init__(self) -> None:
        self._held: Joints | None = None

    def reset(self) -> None:
        """Forgets where it stood."""
        self._held = None

    def predict(self, observation: Observation) -> Floats:
        """Returns the pose that was seen first."""
        if self._held is None:
            self._held = np.array(observation["joints"], np.float32)
        return np.tile(self._held, (CHUNK_STEPS, 1))


class ReplayDemonstration:
    """Repeats a demonstration drawn at random, then holds its last pose.

    The draw follows from the start pose, so that it depends neither on the order of trials nor on the workers.
    """

    spec = JOINTS_IN

    def __init__(self, demonstrations: Sequence[Joints]) -> None:
        self._demonstrations = demonstrations
        self._over = False

    def reset(self) -> None:
        """Forgets what was repeated."""
        self._over = False

    def predict(self, observation: Observation) -> Floats:
        """Returns a whole demonstration at first, and its end afterwards."""
        start = np.array(observation["joints"], np.float32)
        if self._over:
            return np.tile(start, (CHUNK_STEPS, 1))
        self._over = True
        seed = derive_seed("replay", start.tobytes().hex())
        chosen = self._demonstrations[int(np.random.default_rng(seed).integers(len(self._demonstrations)))]
        return blend_in(chosen, start)


class ScriptedExpert:
    """The expert of the training data, which knows where everything stands: a ceiling for every policy."""

    spec = JOINTS_IN

    def __init__(self, trial: Trial | None = None, robot: SimulatedRobot | None = None) -> None:
        self._trial, self._robot = trial, robot
        self._planned = False

    def for_trial(self, robot: Robot, trial: Trial) -> ScriptedExpert:
        """Lets it look at the whole state of a simulated bench."""
        if not isinstance(robot, SimulatedRobot):
            raise EntrantError(f"The scripted expert needs a simulated robot, got {type(robot).__name__}.")
        return ScriptedExpert(trial, robot)

    def reset(self) -> None:
        """Forgets its plan."""
        self._planned = False

    def predict(self, observation: Observation) -> Floats:
        """Returns the whole plan at first, and its last pose afterwards."""
        if self._trial is None or self._robot is None:
            raise EntrantError("The scripted expert must see the whole bench. Run it locally: pentathlon run.")
        if self._planned:
            return self._last
        self._planned = True
        actions = experts.plan(self._robot.bench, style_seed=self._trial.setup.seed)
        self._last: Floats = np.tile(actions[-1], (CHUNK_STEPS, 1))
        return actions


def load_policy_folder(weights: str) -> Policy:
    """Loads a policy's folder; code in it is run, so only load your own."""
    from pentathlon.events.act.policies.folder import load_policy

    folder = Path(weights).expanduser()
    return TrainedPolicy.load(folder) if (folder / NOTES).is_file() else load_policy(folder)


def make_replay(weights: str) -> ReplayDemonstration:
    """Makes the policy that repeats successful demonstrations of a dataset, by name or folder."""
    from pentathlon.events.act.data.dataset import get_dataset
    from pentathlon.learning.policies.trajectories import select

    chosen = select(get_dataset(weights).trajectories(), "successful")
    return ReplayDemonstration([trajectory.actions for trajectory in chosen])
