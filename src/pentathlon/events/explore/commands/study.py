"""``pentathlon study explore``: Table 2, accuracy by touch and family, and the figures, from runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from pentathlon.core import RUNS, Runs, RunSettings, TaskId, Tier, UsageError, content_hash
from pentathlon.core import resolve_entrant as find_entrant
from pentathlon.core.registry import TASKS
from pentathlon.events.explore.protocol import SUITES, Suite

if TYPE_CHECKING:
    from pentathlon.core import Outcome


@dataclass(frozen=True)
class Study:
    """Run what Table 2 needs and is not recorded yet, and write tables and figures."""

    entrants: Annotated[tuple[str, ...], tyro.conf.arg(aliases=["-e"])] = ()
    """Whose rows; those that come with the event where none are named."""
    tier: Tier = "lite"
    """Lite has 20 generated and three hand-designed houses, full 1,000 and nine."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"])] = RUNS
    """Folder that holds the run folders."""
    to: Path = Path("study")
    """Folder for tables and figures."""
    recorded_only: bool = False
    """Run nothing: lay out what is recorded, and leave the rest open."""
    limit: int | None = None
    """Run the first houses of each task only."""
    workers: Annotated[int, tyro.conf.arg(aliases=["-w"])] = 0
    """Worker processes; 0 takes one per core."""
    rehearse: bool = False
    """Shrink each task to seconds; the scores mean nothing and have their own run folders."""

    def run(self, runs: Runs) -> int:
        """Writes tables and figures and prints their paths."""
        from pentathlon.events.explore.study import ENTRANTS, all_tables, figures
        from pentathlon.storage.files import write_durably

        entrants = self.entrants or ENTRANTS
        recorded = {(entrant, suite): self._outcomes(runs, suite, entrant) for suite in SUITES for entrant in entrants}
        if not any(recorded.values()):
            raise UsageError(f"Expected runs of {', '.join(entrants)} below {self.out}, got none.")
        self.to.mkdir(parents=True, exist_ok=True)
        text = all_tables(entrants, recorded)
        for name, content in {f"explore-{self.tier}.md": text, **figures(entrants, recorded)}.items():
            write_durably(self.to / name, content.encode())
            print(self.to / name)
        print(text)
        return 0

    def _outcomes(self, runs: Runs, suite: Suite, entrant: str) -> Sequence[Outcome]:
        task = TASKS.get(str(TaskId("explore", suite, self.tier)))
        overrides = task.rehearsal if self.rehearse else {}
        if not self.recorded_only:
            settings = RunSettings(workers=self.workers, limit=self.limit, videos=False)
            return list(runs.run(task, find_entrant(entrant), self.out, overrides, settings).outcomes.values())
        records = runs.find(self.out, {content_hash(task.make(**overrides).protocol)})
        own = [list(record.outcomes.values()) for record in records if record.entrant == entrant]
        # Of several builds of an entrant the one that was run furthest.
        return max(own, key=len, default=[])
