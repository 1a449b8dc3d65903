"""``pentathlon data experts``: how good those are who demonstrate the control tasks."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from pentathlon.core import Runs, UsageError
from pentathlon.events.pool_options import PoolOptions

if TYPE_CHECKING:
    from pentathlon.worlds.control import ControlTask


@dataclass(frozen=True)
class Experts(PoolOptions):
    """Measure the experts of control tasks; the same command again plays only what is missing."""

    tasks: tyro.conf.Positional[tuple[str, ...]]
    """Names of control tasks, such as adroit-relocate; all when none is given."""
    episodes: int = 10
    """Episodes of each."""
    first: int = 0
    """Number of the first episode."""
    steps: int | None = None
    """Control steps instead of the task's horizon."""
    models: Path | None = None
    """Folder of exported models, with which experts need MuJoCo and numpy only."""
    export: Path | None = None
    """Export the tasks' models into this folder, and measure nothing."""
    out: Annotated[Path | None, tyro.conf.arg(aliases=["-o"])] = None
    """Folder for the results; the user's cache when not given."""

    def run(self, runs: Runs) -> int:
        """Prints one JSON line per episode that is played, and one per task."""
        from pentathlon.worlds.control import CONTROL_TASKS, control_task
        from pentathlon.worlds.control.suites import export_model

        if self.episodes < 1:
            raise UsageError(f"Expected at least one episode, got --episodes {self.episodes}.")
        tasks = [control_task(name) for name in self.tasks] or list(CONTROL_TASKS)
        for task in tasks:
            print(export_model(task, self.export) if self.export else self._measure(task, runs), flush=True)
        return 0

    def _measure(self, task: ControlTask, runs: Runs) -> str:
        from pentathlon.worlds.control.experts.evaluate import evaluate
        from pentathlon.worlds.control.experts.table import expert_version

        results = evaluate(
            task,
            range(self.first, self.first + self.episodes),
            steps=self.steps,
            models=self.models,
            root=self.out,
            pool=self.pool(runs),
            tell=lambda result: print(json.dumps(asdict(result)), flush=True),
        )
        scores = [result.score for result in results]
        summary = {"task": task.name, "expert": expert_version(task), "mean": sum(scores) / len(scores)}
        return json.dumps({**summary, "n": len(scores), "min": min(scores), "floor": task.expert_floor})
