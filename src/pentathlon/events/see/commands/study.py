"""``pentathlon study see-encoders``: encoders by tasks of see, and the paper's figures of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import tyro

from pentathlon.core import RUNS, Runs, RunSettings, TaskEntry, UsageError, content_hash, match_tasks, resolve_entrant
from pentathlon.core.tiers import tier_of
from pentathlon.events.see.tasks import FACTORY


@dataclass(frozen=True)
class Study:
    """Run encoders on tasks of see and draw scaling and ranks; without encoders, draw what runs there are.

    With sizes and mixtures, masked autoencoders of each size are trained on each mixture first and entered too.
    """

    tasks: tyro.conf.Positional[tuple[str, ...]]
    """Task ids or patterns of one tier, such as 'see/*-lite-v1'."""
    entrants: Annotated[tuple[str, ...], tyro.conf.arg(aliases=["-e"])] = ()
    """Encoders to run first: registered ids, id@weights or module:factory."""
    sizes: tuple[Literal["tiny", "small", "base", "large"], ...] = ()
    """Sizes of masked autoencoders to train."""
    mixtures: tuple[str, ...] = ()
    """What each size is trained on: frame sources REFERENCE[=WEIGHT] joined by commas, such as houses,control=4."""
    epochs: float = 100.0
    """How often each frame is seen in that training."""
    image_size: int = 128
    """Edge of those encoders' input in pixels."""
    batch_size: int = 1024
    """Frames per update of that training."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"])] = RUNS
    """Folder that holds the run folders."""
    to: Path = Path("study")
    """Folder for the figures and the table."""
    limit: int | None = None
    """Compare on the first trials of each task only; `--limit 10` is one training seed at lite."""
    workers: int = 0
    """Worker processes; 0 takes one per core."""
    adapt: Literal["frozen", "e2e"] = "frozen"
    """Train the encoders together with the policies (e2e), or not."""
    rehearse: bool = False
    """Shrink each task to seconds; the scores mean nothing and have their own run folders."""

    def run(self, runs: Runs) -> int:
        """Trains and runs what is missing, then writes figures and table."""
        from pentathlon.events.see.study import write_study
        from pentathlon.events.see.subjects import gather

        tasks = self._tasks()
        overrides = {task.id: {**(task.rehearsal if self.rehearse else {}), "adapt": self.adapt} for task in tasks}
        entrants = (*self.entrants, *self._train())
        for reference in entrants:
            entrant = resolve_entrant(reference)
            for task in tasks:
                settings = RunSettings(workers=self.workers, limit=self.limit)
                runs.run(task, entrant, self.out, overrides[task.id], settings)
        made = [task.make(**overrides[task.id]) for task in tasks]
        found = runs.find(self.out, {content_hash(task.protocol) for task in made})
        chosen = [one for one in found if not entrants or one.entrant in entrants]
        for path in write_study(gather(made, chosen, self.limit), self.to):
            print(path)
        return 0

    def _tasks(self) -> tuple[TaskEntry, ...]:
        named = match_tasks(self.tasks)
        for task in named:
            if task.event != "see":
                raise UsageError(f"Expected tasks of see, got {task.id}. Name some of see, such as 'see/*-lite-v1'.")
        # Tasks in houses have other policies and tables of their own; a pattern for all of see passes them over.
        tasks = tuple(task for task in named if task.factory == FACTORY)
        if not tasks:
            raise UsageError(
                f"Expected a control task, got {named[0].id}. Name some, such as 'see/metaworld-*-lite-v1'."
            )
        tiers = {tier_of(task.id) for task in tasks}
        if len(tiers) > 1:
            raise UsageError(f"Expected tasks of one tier, got {' and '.join(sorted(tiers))}. Choose the tasks of one.")
        return tasks

    def _train(self) -> list[str]:
        """Trains what is missing of sizes × mixtures and returns the encoders' references."""
        if bool(self.sizes) != bool(self.mixtures):
            raise UsageError(
                f"Expected sizes and mixtures together, got sizes {list(self.sizes)} and mixtures "
                f"{list(self.mixtures)}. Give both, or neither."
            )
        return [f"trained@{self._train_one(size, mixture)}" for size in self.sizes for mixture in self.mixtures]

    def _train_one(self, size: Literal["tiny", "small", "base", "large"], mixture: str) -> Path:
        from pentathlon.learning.pretraining.settings import MaeSettings

        shape = (size, mixture, self.epochs, self.image_size, self.batch_size)
        settings = MaeSettings(
            data=tuple(mixture.split(",")),
            out=self.to / "encoders" / f"mae-{size}-{content_hash(shape, length=8)}",
            epochs=self.epochs,
            batch_size=self.batch_size,
            size=size,
            image_size=self.image_size,
        )
        encoder = settings.out / "encoder.safetensors"
        if encoder.exists():
            return encoder
        from pentathlon.learning.pretraining.loop import default_device, train
        from pentathlon.learning.pretraining.mae import MaskedObjective

        print(f"training mae {size} on {mixture} into {settings.out}", flush=True)
        return train(MaskedObjective(settings, default_device()), settings)
