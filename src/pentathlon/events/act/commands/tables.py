"""``pentathlon study act-tables``: the paper's Tables II, III and IV."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import tyro

from pentathlon.core import Outcome, Runs, RunSettings, Tier, UsageError, match_tasks, resolve_entrant

if TYPE_CHECKING:
    from pentathlon.events.act.study import Cell


@dataclass(frozen=True)
class Tables:
    """Train and test what a table of the paper needs and is not there yet, and write the table."""

    table: tyro.conf.Positional[Literal["features", "learners", "sizes"]]
    """Features: Table II, five encoders with BC. Learners: Table III. Sizes: Table IV, BC on shares of the data."""
    tasks: tuple[Literal["pour", "scoop"], ...] = ("scoop", "pour")
    """Columns of the table."""
    tier: Tier = "lite"
    """Size of data and pictures."""
    features: tuple[str, ...] = ("moco-generic=moco-tiny",)
    """ROW=ENCODER for rows byol, moco, moco-generic, resnet50 and r3m, such as byol=trained@FILE."""
    recipes: tuple[str, ...] = ()
    """LEARNER=JSON where a recipe is not the paper's, such as 'iql={"steps": 100000}'."""
    data: tuple[str, ...] = ()
    """TASK=FOLDER where a dataset lies elsewhere, such as pour=DIR."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"])] = Path("runs/act")
    """Folder for policies, runs and the table."""
    workers: Annotated[int, tyro.conf.arg(aliases=["-w"])] = 0
    """Worker processes; 0 takes one per core."""
    videos: bool = True
    """Record what each trial saw."""

    def run(self, runs: Runs) -> int:
        """Runs what is missing and prints the table."""
        from pentathlon.events.act.study import Study, run_study
        from pentathlon.events.act.training import make_recipe
        from pentathlon.storage.files import write_durably

        recipes = {learner: make_recipe(learner, changes) for learner, changes in _pairs(self.recipes).items()}
        study = Study(self.table, self.tasks, self.tier, _pairs(self.features), recipes, _pairs(self.data))
        text = run_study(study, self.out / "policies", partial(self._train, runs), partial(self._test, runs))
        path = self.out / f"{self.table}-{self.tier}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_durably(path, f"{text}\n".encode())
        print(f"{text}\n{path}")
        return 0

    def _train(self, runs: Runs, cell: Cell, folder: Path) -> None:
        from pentathlon.events.act.training import train_policy

        print(f"{cell.task}: training {cell.row} into {folder}", flush=True)
        train_policy(
            cell.learner,
            cell.recipe,
            cell.data,
            cell.features,
            folder,
            pool=runs.pool(self.workers),
            say=lambda line: print(line, flush=True),
        )

    def _test(self, runs: Runs, cell: Cell, folder: Path) -> Sequence[Outcome]:
        (task,) = match_tasks([cell.task_id])
        entrant = resolve_entrant(f"policy@{folder}")
        settings = RunSettings(workers=self.workers, videos=self.videos)
        return list(runs.run(task, entrant, self.out / "runs", {}, settings).outcomes.values())


def _pairs(words: Sequence[str]) -> dict[str, str]:
    pairs = [word.partition("=") for word in words]
    if wrong := [word for word, (_, equals, _) in zip(words, pairs, strict=True) if not equals]:
        raise UsageError(f"Expected NAME=VALUE, got {wrong[0]!r}.")
    return {name: value for name, _, value in pairs}
