"""``pentathlon study judge-figures``: the paper's figures 3–5 and 13–17 from recorded runs, and a table."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from pentathlon.core import RUNS, Runs, Tier, UsageError, content_hash, match_tasks

if TYPE_CHECKING:
    from pentathlon.core import Outcome


@dataclass(frozen=True)
class Figures:
    """Draw the paper's figures from what is recorded, and write macro F1 by level and group."""

    tasks: tyro.conf.Positional[tuple[str, ...]] = ()
    """Task ids or patterns; without any, all on films of our own in the tier."""
    tier: Tier = "lite"
    """Of the tasks on films of our own."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"])] = RUNS
    """Folder that holds the run folders."""
    to: Path = Path("study")
    """Folder for table and figures."""
    vista: Path | None = None
    """Folder 'data' of the released ViSTa dataset, for judge/vista-*."""

    def run(self, runs: Runs) -> int:
        """Prints the table and the path of every figure."""
        from pentathlon.events.judge.study import draw_figures, write_table
        from pentathlon.storage.files import write_durably

        recorded = self._recorded(runs)
        table = write_table(recorded)
        self.to.mkdir(parents=True, exist_ok=True)
        files = {"judge-table.md": table, **{f"judge-{name}.svg": svg for name, svg in draw_figures(recorded).items()}}
        for name, text in files.items():
            write_durably(self.to / name, f"{text}\n".encode())
        print(table)
        for name in files:
            print(self.to / name)
        return 0

    def _recorded(self, runs: Runs) -> dict[str, list[Outcome]]:
        from pentathlon.events.judge.study import is_drawn

        given = {} if self.vista is None else {"vista": str(self.vista.absolute())}
        tier = "" if self.tier == "full" else f"-{self.tier}"
        tasks = match_tasks(self.tasks or (f"judge/*{tier}-v1",), given)
        protocols = {content_hash(row.make(**(given if row.needs else {})).protocol) for row in tasks}
        found: dict[str, list[Outcome]] = {}
        for record in runs.find(self.out, protocols):
            whole = [outcome for outcome in record.outcomes.values() if outcome.status == "ok"]
            found.setdefault(record.entrant, []).extend(one for one in whole if is_drawn(one))
        if not any(found.values()):
            raise UsageError(
                f"Expected runs of these tasks below {self.out}, got none. Run some: pentathlon run 'judge/*'"
            )
        return {name: outcomes for name, outcomes in sorted(found.items()) if outcomes}
