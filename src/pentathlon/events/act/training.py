"""Trains a policy on a dataset of act with a few seeds and writes it into a folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from pentathlon.core import DataError, UsageError, to_plain
from pentathlon.core.making import Pool
from pentathlon.events.act.data.dataset import get_dataset
from pentathlon.events.act.policies.trained import open_encoder, save_policies
from pentathlon.events.act.protocol import TRAINING_SEEDS
from pentathlon.learning.policies.learners import find_learner
from pentathlon.learning.policies.metrics import OfflineErrors, Poses, offline_errors
from pentathlon.learning.policies.policy import OfflinePolicy, Training
from pentathlon.learning.policies.recipes import OfflineRecipe
from pentathlon.learning.policies.trajectories import HELD_OUT, Selection, Split, Trajectory, select, split
from pentathlon.storage.files import refuse_taken
from pentathlon.storage.making import SERIAL
from pentathlon.worlds.tabletop.arm.kinematics import shared_kinematics

HELD_OUT_SHARE = 0.1
Say = Callable[[str], None]
Needed = Callable[[Sequence[Trajectory]], Sequence[Trajectory]]


def make_recipe(learner: str, changes: str) -> OfflineRecipe:
    """The learner's recipe with some fields changed.

    Raises:
        UsageError: when a field is unknown or of another type.
    """
    kind = find_learner(learner).recipe
    default = to_plain(kind())
    try:
        wanted: dict[str, Any] = json.loads(changes)
        unknown = sorted(set(wanted) - set(default))
        if unknown:
            raise ValueError(f"unknown {', '.join(unknown)}")
        recipe: OfflineRecipe = msgspec.convert({**default, **wanted}, kind)
    except (ValueError, TypeError) as error:
        raise UsageError(
            f"Expected changes of {sorted(default)} as JSON for {learner}, got {changes!r}: {error}."
        ) from error
    return recipe


def train_policy(
    learner: str,
    recipe: OfflineRecipe,
    data: str,
    features: str,
    out: Path,
    *,
    seeds: Sequence[int] = TRAINING_SEEDS,
    pool: Pool = SERIAL,
    say: Say = lambda line: None,
) -> None:
    """Trains one policy per seed, measures each on held-out demonstrations and writes them into one folder.

    Raises:
        DataError: when ``out`` holds something already, or the data cannot be learned from.
    """
    from pentathlon.learning.pretraining.loop import default_device

    refuse_taken(out, "the policy")
    parts = hold_out(load_features(data, features, partial(learned_from, recipe.selection), pool=pool, say=say))
    policies: dict[int, OfflinePolicy] = {}
    errors: dict[str, Any] = {}
    for seed in seeds:
        how = Training(seed, default_device().type, partial(_tell, say, seed))
        policy = find_learner(learner).train(parts.train, recipe, how)
        found = offline_errors(policy, parts.validation, gripper_poses)
        say(describe_errors(f"seed {seed}", found))
        policies[seed], errors[str(seed)] = policy, to_plain(found)
    facts = {"data": data, "recipe": to_plain(recipe), "trajectories": len(parts.train), "offline_errors": errors}
    save_policies(out, policies, learner, features, facts)


def learned_from(selection: Selection, trajectories: Sequence[Trajectory]) -> tuple[Trajectory, ...]:
    """Those of a dataset that a learner of that selection is trained on or measured with."""
    parts = hold_out(trajectories)
    return select(parts.train, selection) + parts.validation


def load_features(
    data: str, features: str, needed: Needed = tuple, *, pool: Pool = SERIAL, say: Say = lambda line: None
) -> list[Trajectory]:
    """Reads a dataset with the embeddings of an encoder; makes both if need be.

    Args:
        data: name or folder.
        features: the encoder's reference, or ``none``.
        needed: chooses those whose pictures are encoded; encoding is most of the time of a short training.
        pool: who records.
        say: told how far it is.
    """

    def recorded(made: int, wanted: int) -> None:
        say(f"{data}: {made}/{wanted} episodes")

    def encoded(done: int, wanted: int) -> None:
        if done % 20 == 0 or done == wanted:
            say(f"{features}: {done}/{wanted} episodes encoded")

    dataset = get_dataset(data, pool=pool, progress=recorded)
    encoder = open_encoder(features)
    if encoder is None:
        # TOTO's layout may hold embeddings of its own, by an encoder that nobody here knows.
        return [replace(trajectory, embeddings=None) for trajectory in dataset.trajectories()]
    from pentathlon.events.act.data.features import embedded
    from pentathlon.models.encoders.crew import Crew
    from pentathlon.storage import ArrayCache

    with Crew() as crew:
        ids = {trajectory.id for trajectory in needed(dataset.trajectories())}
        return embedded(dataset, encoder, ArrayCache(), crew=crew, needed=ids, progress=encoded)


def hold_out(trajectories: Sequence[Trajectory]) -> Split:
    """Holds out operated, successful trajectories: the paper's 100, or a tenth of a smaller dataset.

    Raises:
        DataError: when there are too few of them.
    """
    count = min(HELD_OUT, max(1, round(HELD_OUT_SHARE * len(trajectories))))
    shown = [trajectory for trajectory in trajectories if trajectory.source == "teleop" and trajectory.successful]
    if len(shown) <= count:
        raise DataError(
            f"Expected more than {count} operated, successful trajectories, of which {count} are held out, "
            f"got {len(shown)} of {len(trajectories)}. Record more."
        )
    validation = split(shown, seed=0, held_out=count).validation
    held = {trajectory.id for trajectory in validation}
    return Split(tuple(trajectory for trajectory in trajectories if trajectory.id not in held), validation)


def gripper_poses(joints_rad: np.ndarray[Any, np.dtype[np.float32]]) -> Poses:
    """Forward kinematics of many rows of joints."""
    import mujoco

    kinematics = shared_kinematics()
    poses = [kinematics.forward(row) for row in joints_rad]
    quaternions = np.empty((len(poses), 4))
    for quaternion, pose in zip(quaternions, poses, strict=True):
        mujoco.mju_mat2Quat(quaternion, pose.rotation.ravel())
    return Poses(np.stack([pose.position_m for pose in poses]), quaternions)


def describe_errors(who: str, errors: OfflineErrors) -> str:
    """One line for people."""
    return (
        f"{who}: joint error {errors.joint_error_rad2:.5f} rad², gripper {1000 * errors.position_error_m:.1f} mm and "
        f"{np.degrees(errors.orientation_error_rad):.1f}° over {errors.steps} held-out steps"
    )


def _tell(say: Say, seed: int, done: int, total: int, loss: float) -> None:
    if done == total or done % max(1, total // 10) == 0:
        say(f"seed {seed}: {done}/{total}  loss {loss:.5f}")
