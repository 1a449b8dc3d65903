"""``pentathlon train bc`` and the like: train a policy of act with any of the offline learners."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, make_dataclass
from pathlib import Path
from typing import Annotated, ClassVar

import tyro

from pentathlon.core import EventCommand, Runs
from pentathlon.events.pool_options import PoolOptions
from pentathlon.learning.policies.learners import LEARNERS, Learner
from pentathlon.learning.policies.recipes import OfflineRecipe


@dataclass(frozen=True)
class TrainPolicy(PoolOptions):
    """What every policy is trained on and with; the command of each learner adds its recipe."""

    learner: ClassVar[str]

    data: str
    """Dataset of act, such as act/pour-lite, or a folder that holds one."""
    out: Annotated[Path | None, tyro.conf.arg(aliases=["-o"])] = None
    """Folder for the policy; policies/<data>-<learner>-<features> when not given."""
    features: str = "moco-tiny"
    """Encoder of the pictures: a registered id, id@weights, or none for joints alone."""
    seeds: tuple[int, ...] = (0, 1, 2)
    """Training seeds, one policy each."""
    recipe: OfflineRecipe = field(default_factory=OfflineRecipe)

    @property
    def folder(self) -> Path:
        """Where the policy goes."""
        names = (Path(self.data).name, self.learner, self.features)
        return self.out or Path("policies") / "-".join(re.sub(r"[^A-Za-z0-9.]+", "-", name)[-40:] for name in names)

    def run(self, runs: Runs) -> int:
        """Trains and prints how to enter the policy."""
        from pentathlon.events.act.training import train_policy

        train_policy(
            self.learner,
            self.recipe,
            self.data,
            self.features,
            self.folder,
            seeds=self.seeds,
            pool=self.pool(runs),
            say=lambda line: print(line, flush=True),
        )
        print(f"Wrote {self.folder}. Enter it as: policy@{self.folder}")
        return 0


def _command(learner: Learner) -> EventCommand:
    kind = make_dataclass(
        learner.name.capitalize(),
        [("recipe", learner.recipe, field(default_factory=learner.recipe))],
        bases=(TrainPolicy,),
        namespace={"learner": learner.name},
        frozen=True,
    )
    kind.__doc__ = f"Train by {learner.meaning}."
    return EventCommand(learner.name, kind)


TABLE: tuple[EventCommand, ...] = tuple(map(_command, LEARNERS.values()))
