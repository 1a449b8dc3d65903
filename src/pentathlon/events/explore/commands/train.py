"""``pentathlon train explorer``: the paper's QA, Novelty and Novelty+QA agents."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pentathlon.core import EventCommand, Runs
from pentathlon.events.explore.learned.settings import TrainingSettings


@dataclass(frozen=True, kw_only=True)
class TrainExplorer(TrainingSettings):
    """Train an exploring agent on training houses."""

    to: Path
    """Folder for the weights and the log."""
    encoder: str = "mae-tiny"
    """Entrant that turns pictures into features."""
    reader: str = "google-t5/t5-small"
    """T5 by folder or hub id; stays frozen."""
    device: str = "cpu"
    """Where belief and reader run."""

    def run(self, runs: Runs) -> int:
        """Trains, and prints a row after each house."""
        import json

        from pentathlon.core import resolve_entrant
        from pentathlon.events.explore.learned.reader import Reader
        from pentathlon.events.explore.learned.training import Trainer

        trainer = Trainer(resolve_entrant(self.encoder).make(), Reader.open(self.reader, self.device), self)
        self.to.mkdir(parents=True, exist_ok=True)
        with (self.to / "log.jsonl").open("a", encoding="utf-8") as log:
            trainer.run(lambda row: print(json.dumps(row), file=log, flush=True))
        trainer.save(self.to)
        return 0


TABLE: tuple[EventCommand, ...] = (EventCommand("explorer", TrainExplorer),)
