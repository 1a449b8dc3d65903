"""How far cloning gets in act when the policy acts on where the container stands, in place of a picture's feature.

    cd bench && pentathlon run act/pour-lite-v1 -e act_from_state:squared --no-videos     # or absolute, or read_grid
    python act_from_state.py pour mae-tiny grid@mae-tiny

The recipe, the demonstrations and the trials are those of act. ``squared`` and ``absolute`` are told the true place, in
training and in trials: what they miss is not missed for want of sight. ``read_grid`` is told it in training alone and
reads it in trials, by a linear map of ``grid@mae-tiny``. As a program it prints how far off such maps are. The policy
of a training seed is trained when it is first asked for.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Literal

import numpy as np

from pentathlon.core.entrants import Encoder, Floats, Observation
from pentathlon.events.act.data.dataset import get_dataset
from pentathlon.events.act.policies.trained import JOINTS_IN, PICTURES_IN, open_encoder
from pentathlon.events.act.protocol import Trial
from pentathlon.events.act.training import hold_out, load_features
from pentathlon.learning.policies.chunked_cloning import BcPolicy, train_bc
from pentathlon.learning.policies.policy import Training
from pentathlon.learning.policies.recipes import BcRecipe
from pentathlon.learning.policies.scaling import Standard
from pentathlon.learning.policies.trajectories import Trajectory
from pentathlon.worlds.tabletop.arm.model import LIMITS_RAD
from pentathlon.worlds.tabletop.arm.robot import Robot, Setup, TaskName
from pentathlon.worlds.tabletop.bench.bench import container_place_m

Loss = Literal["squared", "absolute"]

EVERY_STEPS = 9
"""Neighbouring pictures hardly differ; a map is fitted to every third of them."""
RIDGE = 0.01
"""Weight of the map's squares, for each row that it is fitted to."""
MOST_SPREADS = 5.0
"""Further out a feature counts as this far: what hardly varies in training may vary at another location."""
READ = "grid@mae-tiny"


class ToldPlaces:
    """Acts on joints and the container's place."""

    spec = JOINTS_IN

    def __init__(self, loss: Loss, seed: int = 0, place_m: Floats | None = None, task: TaskName = "pour") -> None:
        self._loss, self._seed, self._place_m, self._task = loss, seed, place_m, task

    def for_seed(self, training_seed: int) -> ToldPlaces:
        """The same with another training seed."""
        return type(self)(self._loss, training_seed)

    def for_trial(self, robot: Robot, trial: Trial) -> ToldPlaces:
        """Is told where the container stands."""
        return type(self)(self._loss, self._seed, place_of(trial.setup), trial.setup.task)

    def reset(self) -> None:
        """Has nothing to forget."""

    def place_m(self, observation: Observation) -> Floats:
        """What it was told."""
        assert self._place_m is not None
        return self._place_m

    def predict(self, observation: Observation) -> Floats:
        """Returns the next actions ``[H, 7]``."""
        policy = trained(self._task, self._loss, self._seed)
        actions = policy.act(observation["joints"], self.place_m(observation))
        return np.clip(actions, LIMITS_RAD[:, 0], LIMITS_RAD[:, 1]).astype(np.float32)


class ReadPlaces(ToldPlaces):
    """Reads the place in the first picture and keeps it: the arm hides none of it yet, and containers do not move."""

    spec = PICTURES_IN

    def for_trial(self, robot: Robot, trial: Trial) -> ReadPlaces:
        """Is told which task it is, and no place."""
        return ReadPlaces(self._loss, self._seed, None, trial.setup.task)

    def reset(self) -> None:
        """Forgets what it read."""
        self._place_m = None

    def place_m(self, observation: Observation) -> Floats:
        """What it reads."""
        if self._place_m is None:
            reader, encoder = grid_reader(self._task)
            self._place_m = reader.read(encoder.encode(observation["image"][None]).pooled)[0]
        return self._place_m


@dataclass(frozen=True)
class Reader:
    """A linear map from features to places."""

    inputs: Standard
    weights: Floats
    middle_m: Floats

    @classmethod
    def fitted(cls, trajectories: list[Trajectory], task: TaskName) -> Reader:
        """By least squares with a ridge."""
        rows = np.concatenate([seen_by(trajectory) for trajectory in trajectories])
        places_m = np.concatenate([np.repeat(own(each, task)[None], len(seen_by(each)), 0) for each in trajectories])
        inputs, middle_m = Standard.of(rows), places_m.mean(axis=0)
        x = scaled(inputs, rows)
        squares = x.T @ x + RIDGE * len(x) * np.eye(x.shape[1], dtype=np.float32)
        return cls(inputs, np.linalg.solve(squares, x.T @ (places_m - middle_m)).astype(np.float32), middle_m)

    def read(self, features: Floats) -> Floats:
        """Returns x and y in metres for each row."""
        return (scaled(self.inputs, features) @ self.weights + self.middle_m).astype(np.float32)

    def off_mm(self, trajectories: list[Trajectory], task: TaskName, *, pictures: int | None = None) -> float:
        """Mean distance from the true places, over the trajectories' first pictures or all of them."""
        distances_m = [
            np.linalg.norm(self.read(seen_by(each)[:pictures]) - own(each, task), axis=1).mean()
            for each in trajectories
        ]
        return 1000.0 * float(np.mean(distances_m))


def scaled(inputs: Standard, rows: Floats) -> Floats:
    """Standardised rows without what is far out."""
    return inputs.apply(rows).clip(-MOST_SPREADS, MOST_SPREADS)


def seen_by(trajectory: Trajectory) -> Floats:
    """Features of some of its pictures."""
    assert trajectory.embeddings is not None
    return trajectory.embeddings[::EVERY_STEPS]


@cache
def grid_reader(task: TaskName) -> tuple[Reader, Encoder]:
    """The map that reads places in trials, with its encoder."""
    encoder = open_encoder(READ)
    assert encoder is not None
    return Reader.fitted(list(hold_out(load_features(f"act/{task}-lite", READ)).train), task), encoder


@lru_cache(maxsize=3)
def trained(task: TaskName, loss: Loss, seed: int) -> BcPolicy:
    """The policy of a training seed."""
    parts = hold_out([told(trajectory, task) for trajectory in get_dataset(f"act/{task}-lite").trajectories()])
    return train_bc(parts.train, BcRecipe(loss=loss), Training(seed))


def told(trajectory: Trajectory, task: TaskName) -> Trajectory:
    """The trajectory with the container's place as its embedding."""
    return replace(trajectory, embeddings=np.repeat(own(trajectory, task)[None], len(trajectory), axis=0))


def own(trajectory: Trajectory, task: TaskName) -> Floats:
    """Where the container stood in a recording."""
    facts = trajectory.facts
    return place_of(Setup(task, facts["container"], facts["material"], facts["location"], facts["seed"]))


def place_of(setup: Setup) -> Floats:
    """Where its container stands, x and y in metres."""
    return container_place_m(setup).astype(np.float32)


def squared() -> ToldPlaces:
    """Cloned by the squared error, as in the paper."""
    return ToldPlaces("squared")


def absolute() -> ToldPlaces:
    """Cloned by the absolute error."""
    return ToldPlaces("absolute")


def read_grid() -> ReadPlaces:
    """Cloned by the squared error on true places, and reads them in trials."""
    return ReadPlaces("squared")


def main(task: TaskName, *features: str) -> None:
    """Prints how far off the map of each feature is: in held-out demonstrations, and at locations left out."""
    for name in features:
        parts = hold_out(load_features(f"act/{task}-lite", name))
        shown, validation = list(parts.train), list(parts.validation)
        tell(f"{name}, held-out demonstrations", [errors_mm(shown, validation, task)])
        left_out_mm = []
        for location in sorted({trajectory.facts["location"] for trajectory in shown}):
            kept, out = ([t for t in shown if (t.facts["location"] == location) is left] for left in (False, True))
            left_out_mm.append(errors_mm(kept, out, task))
        tell(f"{name}, locations left out", left_out_mm)


def errors_mm(fitted: list[Trajectory], tested: list[Trajectory], task: TaskName) -> tuple[float, float]:
    """How far off a map is in the first pictures, and in all."""
    reader = Reader.fitted(fitted, task)
    return reader.off_mm(tested, task, pictures=1), reader.off_mm(tested, task)


def tell(what: str, errors: list[tuple[float, float]]) -> None:
    """Prints the mean of both."""
    first_mm, all_mm = np.mean(errors, axis=0)
    print(f"{what}: {first_mm:.0f} mm in first pictures, {all_mm:.0f} mm in all", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])  # type: ignore[arg-type]
