"""``pentathlon data make|export|import``: the demonstrations that see learns from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from pentathlon.core import Runs, UsageError
from pentathlon.core.eyes import Renderer
from pentathlon.events.pool_options import PoolOptions

if TYPE_CHECKING:
    from pentathlon.events.see.data.demonstrations import DemonstrationSet


@dataclass(frozen=True)
class Make(PoolOptions):
    """Let the experts of control tasks play; the same command again makes only what is missing."""

    tasks: tyro.conf.Positional[tuple[str, ...]]
    """Control tasks or patterns, such as see/metaworld-hammer-v1 or 'see/*-lite-v1' for another tier than full."""
    demonstrations: Annotated[int | None, tyro.conf.arg(aliases=["-n"])] = None
    """How many per task; the protocol's number when not given."""
    out: Annotated[Path | None, tyro.conf.arg(aliases=["-o"])] = None
    """Folder for the demonstrations; the user's cache when not given."""

    def run(self, runs: Runs) -> int:
        """Makes what is missing, task by task."""
        for _ in self.make(runs):
            pass
        return 0

    def make(self, runs: Runs) -> Iterator[DemonstrationSet]:
        """Makes what is missing and gives each task's demonstrations."""
        from pentathlon.events.see.data.demonstrations import make_demonstrations
        from pentathlon.events.see.protocol import match_protocols

        if self.demonstrations is not None and self.demonstrations < 1:
            raise UsageError(f"Expected at least one demonstration, got --demonstrations {self.demonstrations}.")
        for protocol in match_protocols(self.tasks):

            def show(made: int, wanted: int, name: str = protocol.task.name) -> None:
                print(f"{name}: {made}/{wanted} demonstrations", flush=True)

            count = protocol.demonstrations if self.demonstrations is None else self.demonstrations
            made = make_demonstrations(protocol.shown_task, count, root=self.out, pool=self.pool(runs), progress=show)
            scores = [demonstration.score for demonstration in made]
            print(f"{made.folder}: {len(made)} demonstrations, mean score {sum(scores) / len(scores):.1f}")
            yield made


@dataclass(frozen=True)
class Export(Make):
    """Make demonstrations and write each task's as a LeRobotDataset v3 with lossless frames."""

    to: Path = field(kw_only=True)
    """Folder for the written datasets, one per task."""
    renderer: Renderer = "raycast"
    """Which eyes draw the frames."""

    def run(self, runs: Runs) -> int:
        """Makes and writes, task by task."""
        from pentathlon.events.see.data.lerobot import export_lerobot
        from pentathlon.worlds.control.env import ControlEnv

        for made in self.make(runs):
            folder = self.to / made.task.name
            env = ControlEnv(made.task, images=False, renderer=self.renderer)
            export_lerobot(made, folder, env)
            env.close()
            print(f"{folder}: LeRobotDataset v3 with {len(made)} episodes")
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

    def run(self, runs: Runs) -> int:
        """Reads and writes."""
        from contextlib import closing

        from pentathlon.events.see.data.lerobot import import_cortexbench
        from pentathlon.events.see.protocol import match_protocols
        from pentathlon.worlds.control.env import ControlEnv

        named = [protocol.task for protocol in match_protocols((self.task,))]
        if len(named) > 1:
            raise UsageError(
                f"Expected one control task, got {self.task!r}, which names {len(named)}. Name one of them."
            )
        task = named[0]
        with closing(ControlEnv(task, images=False)) as env:
            count = import_cortexbench(self.file, task, self.to, env.rate_hz)
        print(f"{self.to}: LeRobotDataset v3 with {count} episodes")
        return 0
