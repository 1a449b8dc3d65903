"""Policies that the sprint trains on first use, from its own few demonstrations."""

from __future__ import annotations

import fcntl
from pathlib import Path

from pentathlon.core import content_hash
from pentathlon.core.entrants import Floats, Observation
from pentathlon.events.act.data.dataset import dataset_folder, get_dataset
from pentathlon.events.act.data.plan import find_recipe
from pentathlon.events.act.policies.trained import NOTES, PICTURES_IN, TrainedPolicy
from pentathlon.events.act.training import make_recipe, train_policy
from pentathlon.learning.policies.recipes import OfflineRecipe

DATA = "act/pour-sprint"
FEATURES = {"bc": "pixels-16", "vinn": "moco-tiny"}
"""By learner. A policy cloned from twelve demonstrations on a pooled token hits no cup; pixels keep places."""
CHANGES = {"bc": '{"loss": "absolute"}', "vinn": "{}"}
"""Of the learner's recipe: the mean of twelve demonstrations pours seldom, their median follows most of them."""


class SprintPolicy:
    """Trains when it is first asked for a seed, so that naming it costs nothing.

    Attributes:
        fingerprint: of what it learns from and how; other data or another recipe begin a run of their own.
    """

    spec = PICTURES_IN

    def __init__(self, learner: str) -> None:
        self._learner = learner
        self.fingerprint = _folder(learner).name
        self._policy: TrainedPolicy | None = None

    def for_seed(self, training_seed: int) -> TrainedPolicy:
        """The trained policy."""
        if self._policy is None:
            self._policy = train_once(self._learner)
        return self._policy.for_seed(training_seed)

    def reset(self) -> None:
        """Forgets the episode so far."""
        self.for_seed(0).reset()

    def predict(self, observation: Observation) -> Floats:
        """Returns the next actions ``[H, 7]``."""
        return self.for_seed(0).predict(observation)


def train_once(learner: str) -> TrainedPolicy:
    """Trains the learner, whichever process comes first, and loads it."""
    folder = _folder(learner)
    folder.parent.mkdir(parents=True, exist_ok=True)
    # Outside of the lock, so that all who wait for the policy record its data together.
    get_dataset(DATA)
    with (folder.parent / "sprint.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / NOTES).exists():
            train_policy(learner, _recipe(learner), DATA, FEATURES[learner], folder, seeds=(0,))
    return TrainedPolicy.load(folder)


def _recipe(learner: str) -> OfflineRecipe:
    return make_recipe(learner, CHANGES[learner])


def _folder(learner: str) -> Path:
    """Where the policy lies; what it learns from and how names it."""
    data = dataset_folder(find_recipe(DATA))
    return data.parent / f"sprint-{learner}-{content_hash([data.name, _recipe(learner), FEATURES[learner]], length=12)}"
