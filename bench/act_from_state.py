"""How far cloning gets in act when the policy is told where the container stands, in place of pictures.

    cd bench && pentathlon run act/pour-lite-v1 -e act_from_state:squared --no-videos     # or act_from_state:absolute

The recipe, the demonstrations and the trials are those of act. What is missing to a full score here is not missing for
want of sight. The policy of a training seed is trained when it is first asked for.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Literal

import numpy as np

from pentathlon.core.entrants import Floats, Observation
from pentathlon.events.act.data.dataset import get_dataset
from pentathlon.events.act.policies.trained import JOINTS_IN
from pentathlon.events.act.protocol import Trial
from pentathlon.events.act.training import hold_out
from pentathlon.learning.policies.chunked_cloning import BcPolicy, train_bc
from pentathlon.learning.policies.policy import Training
from pentathlon.learning.policies.recipes import BcRecipe
from pentathlon.learning.policies.trajectories import Trajectory
from pentathlon.worlds.tabletop.arm.model import LIMITS_RAD
from pentathlon.worlds.tabletop.arm.robot import Robot, Setup, TaskName
from pentathlon.worlds.tabletop.bench.bench import container_place_m

Loss = Literal["squared", "absolute"]


class ToldPlaces:
    """Acts on joints and the container's true place."""

    spec = JOINTS_IN

    def __init__(self, loss: Loss, seed: int = 0, place_m: Floats | None = None, task: TaskName = "pour") -> None:
        self._loss, self._seed, self._place_m, self._task = loss, seed, place_m, task

    def for_seed(self, training_seed: int) -> ToldPlaces:
        """The same with another training seed."""
        return ToldPlaces(self._loss, training_seed)

    def for_trial(self, robot: Robot, trial: Trial) -> ToldPlaces:
        """Is told where the container stands."""
        return ToldPlaces(self._loss, self._seed, place_of(trial.setup), trial.setup.task)

    def reset(self) -> None:
        """Has nothing to forget."""

    def predict(self, observation: Observation) -> Floats:
        """Returns the next actions ``[H, 7]``."""
        actions = trained(self._task, self._loss, self._seed).act(observation["joints"], self._place_m)
        return np.clip(actions, LIMITS_RAD[:, 0], LIMITS_RAD[:, 1]).astype(np.float32)


@lru_cache(maxsize=3)
def trained(task: TaskName, loss: Loss, seed: int) -> BcPolicy:
    """The policy of a training seed."""
    parts = hold_out([told(trajectory, task) for trajectory in get_dataset(f"act/{task}-lite").trajectories()])
    return train_bc(parts.train, BcRecipe(loss=loss), Training(seed))


def told(trajectory: Trajectory, task: TaskName) -> Trajectory:
    """The trajectory with the container's place as its embedding."""
    facts = trajectory.facts
    setup = Setup(task, facts["container"], facts["material"], facts["location"], facts["seed"])
    return replace(trajectory, embeddings=np.repeat(place_of(setup)[None], len(trajectory), axis=0))


def place_of(setup: Setup) -> Floats:
    """Where its container stands, x and y in metres."""
    return container_place_m(setup).astype(np.float32)


def squared() -> ToldPlaces:
    """Cloned by the squared error, as in the paper."""
    return ToldPlaces("squared")


def absolute() -> ToldPlaces:
    """Cloned by the absolute error."""
    return ToldPlaces("absolute")
