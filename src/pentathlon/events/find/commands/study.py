"""``pentathlon study find-tables`` and ``study find-figures``: the paper's tables 1, 2 and 6, and figures 5 and 6."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import tyro

from pentathlon.core import RUNS, Runs, RunSettings, TaskEntry, TaskId, Tier, UsageError, content_hash
from pentathlon.core import resolve_entrant as find_entrant
from pentathlon.core.registry import TASKS

if TYPE_CHECKING:
    from pentathlon.core import Outcome
    from pentathlon.events.find.episodes.records import Capability
    from pentathlon.events.find.study import Recorded


@dataclass(frozen=True, kw_only=True)
class Sources:
    """Which runs a study takes, and how it runs those that are missing."""

    tier: Tier = "lite"
    """Lite has four targets of every house, full all."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"])] = RUNS
    """Folder that holds the run folders."""
    to: Path = Path("study")
    """Folder for tables and figures."""
    recorded_only: bool = False
    """Run nothing: lay out what is recorded, and leave the rest open."""
    limit: int | None = None
    """Run the first trials of each task only."""
    workers: Annotated[int, tyro.conf.arg(aliases=["-w"])] = 0
    """Worker processes; 0 takes one per core."""
    rehearse: bool = False
    """Shrink each task to seconds; the scores mean nothing and have their own run folders."""

    def gather(self, runs: Runs, entrants: Sequence[str], capabilities: Sequence[Capability]) -> Recorded:
        """Runs what is missing, or nothing, and returns what is recorded."""
        found: dict[tuple[str, Capability], Sequence[Outcome]] = {}
        for capability in capabilities:
            task = TASKS.get(str(TaskId("find", capability, self.tier, 1)))
            for entrant in entrants:
                found[entrant, capability] = self._outcomes(runs, task, entrant)
        return found

    def _outcomes(self, runs: Runs, task: TaskEntry, entrant: str) -> Sequence[Outcome]:
        overrides = task.rehearsal if self.rehearse else {}
        if not self.recorded_only:
            settings = RunSettings(workers=self.workers, limit=self.limit, videos=False)
            return list(runs.run(task, find_entrant(entrant), self.out, overrides, settings).outcomes.values())
        records = runs.find(self.out, {content_hash(task.make(**overrides).protocol)})
        own = [list(record.outcomes.values()) for record in records if record.entrant == entrant]
        # Of several builds of an entrant the one that was run furthest.
        return max(own, key=len, default=[])

    def write(self, name: str, text: str) -> Path:
        """Writes a file of the study."""
        from pentathlon.storage.files import write_durably

        self.to.mkdir(parents=True, exist_ok=True)
        write_durably(self.to / name, text.encode())
        return self.to / name


@dataclass(frozen=True)
class Tables:
    """Run what a table of the paper needs and is not recorded yet, and write the table."""

    table: tyro.conf.Positional[Literal["localizers", "exploration", "prompts"]]
    """Localizers: table 1, by post-processing, with controls. Exploration: table 2. Prompts: table 6, for CLIP."""
    localizers: tuple[str, ...] = ("builtin",)
    """For tables 1 and 2: localizers such as owl:google/owlvit-base-patch32; table 2 takes the first."""
    clip: tuple[str, ...] = ("openai/clip-vit-base-patch32",)
    """For table 6: hub ids or folders of CLIP."""
    sources: Sources = field(default_factory=Sources)

    def run(self, runs: Runs) -> int:
        """Writes the table and prints it."""
        from pentathlon.events.find.study import lay_out, make_table

        if not self.localizers or not self.clip:
            raise UsageError("Expected at least one localizer and one CLIP, got none. Leave the option out.")
        table = make_table(self.table, self.localizers, self.clip)
        text = lay_out(table, self.sources.gather(runs, table.entrants, table.capabilities))
        print(f"{text}\n{self.sources.write(f'{self.table}-{self.sources.tier}.md', text)}")
        return 0


@dataclass(frozen=True)
class Figures:
    """Draw figure 5, descriptions against object goals, and figure 6, how trials end, from runs."""

    entrants: Annotated[tuple[str, ...], tyro.conf.arg(aliases=["-e"])] = ("cow", "cow-centre", "find-true-masks")
    """Whose runs."""
    sources: Sources = field(default_factory=Sources)

    def run(self, runs: Runs) -> int:
        """Writes the figures and prints their paths."""
        from pentathlon.events.find.paper import PASTURE
        from pentathlon.events.find.pictures.figures import figure_5, figure_6

        recorded = self.sources.gather(runs, self.entrants, ("objectnav", *PASTURE))
        drawn = {**figure_5(self.entrants, recorded), **figure_6(self.entrants, recorded)}
        if not drawn:
            raise UsageError(f"Expected runs of {', '.join(self.entrants)} below {self.sources.out}, got none.")
        for name, text in drawn.items():
            print(self.sources.write(name, text))
        return 0
