"""Policies that the sprint trains on first use, from its own few demonstrations."""

from __future__ import annotations

import fcntl
from pathlib import Path

from pentathlon.core import content_hash
from pentathlon.engine.provenance import usable_cpus
from pentathlon.events.act.dataset import dataset_folder
from pentathlon.events.act.plan import find_recipe
from pentathlon.events.act.trained import NOTES, TrainedPolicy
from pentathlon.events.act.training import make_recipe, train_agent

DATA = "act/pour-sprint"
FEATURES = "moco-tiny"


def make_agent(learner: str) -> TrainedPolicy:
    """Trains the learner once, whichever worker comes first, and loads it."""
    recipe = make_recipe(learner, "{}")
    data = dataset_folder(find_recipe(DATA))
    folder = data.parent / f"sprint-{learner}-{content_hash([data.name, recipe, FEATURES], length=12)}"
    folder.mkdir(parents=True, exist_ok=True)
    # Both learners wait for the same data.
    with Path(data.parent / "sprint.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / NOTES).exists():
            train_agent(learner, recipe, DATA, FEATURES, folder, seeds=(0,), workers=usable_cpus())
    return TrainedPolicy.load(folder)
