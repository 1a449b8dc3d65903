"""``pentathlon data``: make and export the expert demonstrations that ``see`` and ``act`` learn from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import tyro

from pentathlon.core import UsageError

if TYPE_CHECKING:
    from pentathlon.worlds.control import ControlTask
    from pentathlon.worlds.control.demos import DemoSet


@dataclass(frozen=True)
class Data:
    """Make demonstrations, or export them with frames; the same command again makes only what is missing."""

    action: tyro.conf.Positional[Literal["make", "export", "get", "merge"]]
    """Make: let each task's expert play. Export: also write a LeRobotDataset v3 with lossless frames. Get: find or
    record a dataset of act, which is one; with --to also write it in TOTO's layout. Merge: write a new
    version of a dataset of act with the episodes that a server's robots recorded."""
    tasks: tyro.conf.Positional[tuple[str, ...]]
    """Control tasks or patterns, such as see/metaworld-hammer-v1 or 'see/dmcontrol-*'; with get, datasets of act, such
    as act/pour-lite, or folders that hold one; with merge, a dataset and then folders of episodes."""
    demos: int | None = None
    """Demonstrations per task; the protocol's number when not given."""
    workers: Annotated[int, tyro.conf.arg(aliases=["-w"])] = 1
    """Processes; the demonstrations do not depend on it."""
    out: Annotated[Path | None, tyro.conf.arg(aliases=["-o"])] = None
    """Folder for the demonstrations; the user's cache when not given."""
    to: Path | None = None
    """With export and get: the folder for the written datasets, one per task. With merge: that of the new version."""
    renderer: Literal["raycast", "opengl"] = "raycast"
    """With export: which eyes draw the frames."""

    def run(self) -> int:
        """Makes what is missing, task by task, and exports it if asked to."""
        self._check()
        if self.action == "get":
            return self._get()
        if self.action == "merge":
            return self._merge()
        from pentathlon.worlds.control.demos import make_demos

        for task in _match(self.tasks):

            def show(made: int, wanted: int, name: str = task.name) -> None:
                print(f"{name}: {made}/{wanted} demonstrations", flush=True)

            demos = make_demos(task, self.demos, root=self.out, workers=self.workers, progress=show)
            scores = [demonstration.score for demonstration in demos]
            print(f"{demos.folder}: {len(demos)} demonstrations, mean score {sum(scores) / len(scores):.1f}")
            if self.to is not None:
                self._export(demos, self.to / task.name)
        return 0

    def _check(self) -> None:
        if self.demos is not None and self.demos < 1:
            raise UsageError(f"Expected at least one demonstration, got --demos {self.demos}.")
        if (self.action in ("export", "merge")) != (self.to is not None) and self.action != "get":
            raise UsageError(
                "Expected --to FOLDER with export and merge, not with make. Try: pentathlon data export TASK --to DIR"
            )

    def _get(self) -> int:
        from pentathlon.events.act.dataset import ActDataset, export_as_toto, get_dataset
        from pentathlon.events.act.overview import overview, overview_table, success_by_source

        rows = {}
        for name in self.tasks:

            def show(made: int, wanted: int, name: str = name) -> None:
                print(f"{name}: {made}/{wanted} episodes", flush=True)

            dataset = get_dataset(name, root=self.out, workers=self.workers, videos=True, progress=show)
            trajectories = dataset.trajectories()
            rows[name] = overview(trajectories)
            parts = ", ".join(f"{source} {share:.3f}" for source, share in success_by_source(trajectories).items())
            print(f"{dataset.folder}: success by source: {parts}")
            if self.to is not None and isinstance(dataset, ActDataset):
                export_as_toto(dataset, self.to / Path(name).name)
                print(f"{self.to / Path(name).name}: in TOTO's layout")
        print(overview_table(rows))
        return 0

    def _merge(self) -> int:
        from pentathlon.events.act.dataset import ActDataset, get_dataset, merge
        from pentathlon.events.act.overview import overview, overview_table

        base = get_dataset(self.tasks[0], root=self.out, workers=self.workers)
        if not isinstance(base, ActDataset) or len(self.tasks) < 2 or self.to is None:
            raise UsageError(
                "Expected a dataset of act and folders of episodes: pentathlon data merge DATA DIR --to NEW"
            )
        merged = merge(base, [Path(folder) for folder in self.tasks[1:]], self.to)
        print(overview_table({str(merged.folder): overview(merged.trajectories())}))
        return 0

    def _export(self, demos: DemoSet, folder: Path) -> None:
        from pentathlon.worlds.control.env import ControlEnv
        from pentathlon.worlds.control.lerobot import export_lerobot

        env = ControlEnv(demos.task, images=False, renderer=self.renderer)
        export_lerobot(demos, folder, env)
        env.close()
        print(f"{folder}: LeRobotDataset v3 with {len(demos)} episodes")


def _match(patterns: tuple[str, ...]) -> list[ControlTask]:
    """The control tasks that any of ``patterns`` names, in the table's order."""
    import fnmatch

    from pentathlon.worlds.control import CONTROL_TASKS, control_task

    for pattern in patterns:
        if not any(fnmatch.fnmatchcase(task.id, pattern) for task in CONTROL_TASKS):
            control_task(pattern)
    names = [control_task(pattern).id if "*" not in pattern else pattern for pattern in patterns]
    return [task for task in CONTROL_TASKS if any(fnmatch.fnmatchcase(task.id, name) for name in names)]
