"""``pentathlon find categories``: a run by what was to be found, as the paper's tables 7 to 11 are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from pentathlon.core.runs import RUNS, Runs

if TYPE_CHECKING:
    from pentathlon.core import Outcome


@dataclass(frozen=True)
class Categories:
    """Print success, SPL and failures of a run by category."""

    task: Annotated[str, tyro.conf.Positional]
    """Id of the task, such as find/objectnav-v1."""
    entrant: str
    """Whose run."""
    runs_folder: Path = RUNS
    """Where the runs are."""

    def run(self, runs: Runs) -> int:
        """Prints the table."""
        from pentathlon.events.find.commands.finding import find_run

        _, record = find_run(runs, self.task, self.entrant, self.runs_folder)
        print(category_table(list(record.outcomes.values())))
        return 0


def category_table(outcomes: Sequence[Outcome]) -> str:
    """Writes a row for each category, and one for all, in Markdown."""
    from pentathlon.events.find.metrics import ENDINGS, SPL, SUCCESS, by_category, ending
    from pentathlon.stats import score_outcomes

    failed = ENDINGS[1:]
    lines = [f"| category | success | SPL | {' | '.join(failed)} |", "|---" * (3 + len(failed)) + "|"]
    for name, own in {**by_category(outcomes), "all": list(outcomes)}.items():
        success, spl = score_outcomes((SUCCESS, SPL), own)
        endings = [ending(outcome) for outcome in own]
        counts = " | ".join(str(endings.count(one)) for one in failed)
        lines.append(f"| {name or 'unknown'} | {success} | {spl.value_text} {spl.interval_text} | {counts} |")
    return "\n".join(lines)
