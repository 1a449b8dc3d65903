"""Draws judge's figures that go over several worlds from scores of whole tasks, where those of single sets are gone.

    python bench/judge_figures.py docs/results/judge-full.csv --to docs/pictures/judge/figures

Figures 3, 4, 5 and 16 are means over problem sets of all worlds. The mean of a task and how many sets it has give the
mean over several tasks exactly; how far its sets lie apart follows from its interval, which was made from that. Only an
interval that could not be wider tells less: its sets then count as lying as far apart as they can. ``study
judge-figures`` draws everything from the runs themselves, where they are at hand.
"""

from __future__ import annotations

import argparse
import csv
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pentathlon.core import Outcome, Score
from pentathlon.core.registry import match_tasks
from pentathlon.events.judge import study
from pentathlon.events.judge.records import about
from pentathlon.events.judge.tasks import JudgeTask
from pentathlon.stats.clusters import Sample
from pentathlon.stats.intervals import RATE, Interval, sample_interval

OVER_WORLDS = ("3a", "3b", "4-", "5-", "16-")
METRICS = ("macro_f1", "majority_f1")
STEPS = 60
ROUNDED = 1e-4
"""The rows have four decimals."""


class Task(NamedTuple):
    """One score of one task: its mean over problem sets, and the sum of their squared distances from it."""

    mean: float
    sets: int
    squares: float


def sample_of(task: Task) -> Sample:
    """The task's problem sets as a sample."""
    error = math.sqrt(task.squares / (task.sets * (task.sets - 1))) if task.sets > 1 else 0.0
    return Sample(task.mean, task.sets, task.sets, error, error, error == 0.0, "")


def interval_of(task: Task) -> Interval:
    """The interval that a run would print."""
    return sample_interval(sample_of(task), RATE)


def read_task(mean: float, low: float, high: float, sets: int) -> Task:
    """Finds how far the problem sets of a task lie apart, from its interval."""
    alike = Task(mean, sets, 0.0)
    ends = interval_of(alike)
    if sets == 1 or abs(ends.low - low) + abs(ends.high - high) < 2 * ROUNDED:
        return alike
    least, most = 0.0, sets * mean * (1.0 - mean)
    if high - low >= _width(Task(mean, sets, most)) - ROUNDED:
        return Task(mean, sets, most)
    for _ in range(STEPS):
        middle = (least + most) / 2
        least, most = (middle, most) if _width(Task(mean, sets, middle)) < high - low else (least, middle)
    return Task(mean, sets, most)


def _width(task: Task) -> float:
    ends = interval_of(task)
    return ends.high - ends.low


def together(tasks: Sequence[Task]) -> Task:
    """All problem sets of several tasks as those of one."""
    sets = sum(task.sets for task in tasks)
    mean = sum(task.sets * task.mean for task in tasks) / sets
    squares = sum(task.squares + task.sets * (task.mean - mean) ** 2 for task in tasks)
    return Task(mean, sets, squares if squares > sets * ROUNDED**2 else 0.0)


def pooled_score(outcomes: Sequence[Outcome], metric: str = "macro_f1") -> Score:
    """The score of all problem sets of some tasks."""
    whole = together([outcome.details[metric] for outcome in outcomes])
    ends = interval_of(whole)
    return Score(metric, whole.mean, ends.low, ends.high, n=whole.sets, method=ends.method)


def read_rows(path: Path) -> dict[str, list[Outcome]]:
    """One outcome for each task and judge, in place of those of its problem sets."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            if row["metric"] in METRICS:
                mean, low, high = (float(row[name]) for name in ("value", "low", "high"))
                details = found.setdefault((row["judge"], row["task"]), {})
                details[row["metric"]] = read_task(mean, low, high, int(row["problem_sets"]))
    tasks = {task: _about(task) for _, task in found}
    recorded: dict[str, list[Outcome]] = {}
    for (judge, task), scores in found.items():
        recorded.setdefault(judge, []).append(Outcome(task, {}, details={**tasks[task], **scores}))
    return dict(sorted(recorded.items()))


def _about(task_id: str) -> dict[str, Any]:
    task = match_tasks([task_id])[0].make()
    assert isinstance(task, JudgeTask)
    return about(task.problem_sets[0])


def main() -> None:
    """Writes the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", type=Path)
    parser.add_argument("--to", type=Path, default=Path("study"))
    parser.add_argument("--figures", nargs="+", default=OVER_WORLDS, help="beginnings of their names")
    given = parser.parse_args()
    patched: Any = study
    patched._score = pooled_score
    given.to.mkdir(parents=True, exist_ok=True)
    for name, svg in study.draw_figures(read_rows(given.rows)).items():
        if name.startswith(tuple(given.figures)):
            path = given.to / f"judge-{name}.svg"
            path.write_text(f"{svg}\n")
            print(path)


if __name__ == "__main__":
    main()
