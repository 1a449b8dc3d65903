"""``pentathlon data``: the recordings that ``see`` and ``act`` learn from: make, get, merge, export and import."""

from __future__ import annotations

from collections.abc import Iterator, Sized
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import tyro

from pentathlon.core import UsageError, tier_of

if TYPE_CHECKING:
    from pentathlon.events.see.data.demonstrations import DemoSet
    from pentathlon.events.see.protocol import SeeProtocol

Workers = Annotated[int, tyro.conf.arg(aliases=["-w"])]
Folder = Annotated[Path | None, tyro.conf.arg(aliases=["-o"])]


@dataclass(frozen=True)
class Make:
    """Let the experts of control tasks play; the same command again makes only what is missing."""

    tasks: tyro.conf.Positional[tuple[str, ...]]
    """Control tasks or patterns, such as see/metaworld-hammer-v1 or 'see/*-lite-v1' for another tier than full."""
    demos: int | None = None
    """Demonstrations per task; the protocol's number when not given."""
    workers: Workers = 1
    """Processes; the demonstrations do not depend on it."""
    out: Folder = None
    """Folder for the demonstrations; the user's cache when not given."""

    def run(self) -> int:
        """Makes what is missing, task by task."""
        for _ in self.make():
            pass
        return 0

    def make(self) -> Iterator[DemoSet]:
        """Makes what is missing and gives each task's demonstrations."""
        from pentathlon.events.see.data.demonstrations import make_demos

        if self.demos is not None and self.demos < 1:
            raise UsageError(f"Expected at least one demonstration, got --demos {self.demos}.")
        for protocol in _match(self.tasks):

            def show(made: int, wanted: int, name: str = protocol.task.name) -> None:
                print(f"{name}: {made}/{wanted} demonstrations", flush=True)

            count = protocol.demos if self.demos is None else self.demos
            demos = make_demos(protocol.task, count, root=self.out, workers=self.workers, progress=show)
            scores = [demonstration.score for demonstration in demos]
            print(f"{demos.folder}: {len(demos)} demonstrations, mean score {sum(scores) / len(scores):.1f}")
            yield demos


@dataclass(frozen=True)
class Export(Make):
    """Make demonstrations and write each task's as a LeRobotDataset v3 with lossless frames."""

    to: Path = field(kw_only=True)
    """Folder for the written datasets, one per task."""
    renderer: Literal["raycast", "opengl"] = "raycast"
    """Which eyes draw the frames."""

    def run(self) -> int:
        """Makes and writes, task by task."""
        from pentathlon.events.see.data.lerobot import export_lerobot
        from pentathlon.worlds.control.env import ControlEnv

        for demos in self.make():
            folder = self.to / demos.task.name
            env = ControlEnv(demos.task, images=False, renderer=self.renderer)
            export_lerobot(demos, folder, env)
            env.close()
            print(f"{folder}: LeRobotDataset v3 with {len(demos)} episodes")
        return 0


@dataclass(frozen=True)
class Import:
    """Write demonstrations in CortexBench's pickle layout as a LeRobotDataset v3; no code in the file is run."""

    task: tyro.conf.Positional[str]
    """The control task that they show, such as see/adroit-pen-v1."""
    file: tyro.conf.Positional[Path]
    """CortexBench's file, such as pen-v0.pickle."""
    to: Path
    """Folder for the dataset."""

    def run(self) -> int:
        """Reads and writes."""
        from contextlib import closing

        from pentathlon.events.see.data.lerobot import import_cortexbench
        from pentathlon.worlds.control.env import ControlEnv

        named = [protocol.task for protocol in _match((self.task,))]
        if len(named) > 1:
            raise UsageError(
                f"Expected one control task, got {self.task!r}, which names {len(named)}. Name one of them."
            )
        task = named[0]
        with closing(ControlEnv(task, images=False)) as env:
            count = import_cortexbench(self.file, task, self.to, env.rate_hz)
        print(f"{self.to}: LeRobotDataset v3 with {count} episodes")
        return 0


@dataclass(frozen=True)
class Get:
    """Find datasets of act, record what is missing of them, and print the paper's Table I with their rows."""

    names: tyro.conf.Positional[tuple[str, ...]]
    """Datasets, such as act/pour-lite, or folders that hold one."""
    workers: Workers = 1
    """Processes; the episodes do not depend on it."""
    out: Folder = None
    """Folder for what is recorded; the user's cache when not given."""
    to: Path | None = None
    """Also write each in TOTO's layout into this folder."""

    def run(self) -> int:
        """Makes what is missing, dataset by dataset, and prints the table."""
        from pentathlon.events.act.data.dataset import ActDataset, export_as_toto, get_dataset
        from pentathlon.events.act.data.overview import overview, overview_table, success_by_source

        _refuse_none(self.names, "dataset", "act/pour-lite")
        rows = {}
        for name in self.names:

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


@dataclass(frozen=True)
class Merge:
    """Write a new version of a dataset of act: its episodes, then those that robots or people recorded."""

    data: tyro.conf.Positional[str]
    """The dataset, such as act/pour-lite, or its folder."""
    episodes: tyro.conf.Positional[tuple[Path, ...]]
    """Folders of episodes to add."""
    to: Path
    """Folder for the new version."""
    workers: Workers = 1
    """Processes that record the dataset if it is not there."""
    out: Folder = None
    """Folder for what is recorded; the user's cache when not given."""

    def run(self) -> int:
        """Writes the new version and prints its row of Table I."""
        from pentathlon.events.act.data.dataset import ActDataset, get_dataset, merge
        from pentathlon.events.act.data.overview import overview, overview_table

        _refuse_none(self.episodes, "folder of episodes", "act-server/episodes/pour/SUBMISSION")
        base = get_dataset(self.data, root=self.out, workers=self.workers)
        if not isinstance(base, ActDataset):
            raise UsageError(f"Expected a dataset of act, got one in TOTO's layout at {self.data}, which cannot grow.")
        merged = merge(base, self.episodes, self.to)
        print(overview_table({str(merged.folder): overview(merged.trajectories())}))
        return 0


@dataclass(frozen=True)
class Data:
    """Make, get, merge, export or import the recordings that see and act learn from."""

    action: (
        Annotated[Make, tyro.conf.subcommand("make")]
        | Annotated[Export, tyro.conf.subcommand("export")]
        | Annotated[Import, tyro.conf.subcommand("import")]
        | Annotated[Get, tyro.conf.subcommand("get")]
        | Annotated[Merge, tyro.conf.subcommand("merge")]
    )

    def run(self) -> int:
        """Runs the chosen action."""
        return self.action.run()


def _refuse_none(named: Sized, what: str, example: str) -> None:
    if not len(named):
        raise UsageError(f"Expected at least one {what}, got none. Name one, such as {example}.")


def _match(patterns: tuple[str, ...]) -> list[SeeProtocol]:
    """The protocols that any of ``patterns`` names, in the table's order; a tier other than full must be named."""
    import fnmatch

    from pentathlon.events.see.protocol import make_protocol
    from pentathlon.worlds.control import CONTROL_TASKS, control_task

    _refuse_none(patterns, "control task", "see/metaworld-hammer-v1")
    found: dict[str, SeeProtocol] = {}
    for pattern in patterns:
        protocols = [make_protocol(task.name, tier_of(pattern)) for task in CONTROL_TASKS]
        named = [protocol for protocol in protocols if fnmatch.fnmatchcase(protocol.task_id, pattern)]
        named = named or [make_protocol(control_task(pattern).name, "full")]
        found |= {protocol.task_id: protocol for protocol in named}
    order = [task.name for task in CONTROL_TASKS]
    return sorted(found.values(), key=lambda protocol: order.index(protocol.task.name))
