"""``pentathlon train explorer`` and ``explore-reader``: the paper's QA, Novelty and Novelty+QA agents."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from pentathlon.core import EventCommand, Runs
from pentathlon.events.explore.learned.settings import ReaderSettings, TrainingSettings


@dataclass(frozen=True, kw_only=True)
class TrainExplorer(TrainingSettings):
    """Train an exploring agent on training houses; the same command again goes on where it stopped."""

    to: Path
    """Folder for the weights and the log."""
    device: str = "cpu"
    """Where belief and reader run."""

    def run(self, runs: Runs) -> int:
        """Trains, writes a row of log.jsonl after each episode and the weights after each house."""
        import json

        from pentathlon.core import resolve_entrant
        from pentathlon.events.explore.learned.reader import Reader
        from pentathlon.events.explore.learned.training import Trainer

        trainer = Trainer(resolve_entrant(self.encoder).make(), Reader.open(self.reader, self.device), self)
        self.to.mkdir(parents=True, exist_ok=True)
        trainer.resume(self.to)
        with (self.to / "log.jsonl").open("a", encoding="utf-8") as log:
            for rows in trainer.run():
                print(*map(json.dumps, rows), sep="\n", file=log, flush=True)
                trainer.save(self.to)
        trainer.save(self.to)
        print(f"Wrote {self.to}: {trainer.progress.houses} houses, {trainer.progress.steps} steps.")
        return 0


@dataclass(frozen=True, kw_only=True)
class TrainExploreReader(ReaderSettings):
    """Train the small text-to-text model that reads beliefs, on questions about training houses."""

    workers: Annotated[int, tyro.conf.arg(aliases=["-w"])] = 0
    """Processes that make lessons; 0 takes one per core."""

    def run(self, runs: Runs) -> int:
        """Trains, measures on houses that were not learnt, and names the folder."""
        from pentathlon.events.explore.learned.reading import train_reader

        folder = train_reader(self, runs.pool(self.workers), lambda line: print(line, flush=True))
        print(f"Wrote {folder}.")
        return 0


TABLE: tuple[EventCommand, ...] = (
    EventCommand("explorer", TrainExplorer),
    EventCommand("explore-reader", TrainExploreReader),
)
