"""Speed of the engine: durable trials per second beside ``multiprocessing.Pool``, and reading a large run back.

Run with ``python bench/engine.py``.
"""

from __future__ import annotations

import multiprocessing
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pentathlon.core import (
    ArraySpec,
    Briefing,
    ChoiceSpec,
    EntrantEntry,
    Heat,
    InteractionSpec,
    Metric,
    Origin,
    Outcome,
    Score,
    TaskEntry,
    Workspace,
    derive_seed,
)
from pentathlon.core.entrants import Kind
from pentathlon.engine import RunRequest, run
from pentathlon.engine.folders.records import Journal, read_statuses
from pentathlon.stats import score_outcomes

TRIALS = 10_000
WORKERS = 2
LINES = 1_000_000
TASK_ID = "example/bench-v1"
SPEC = InteractionSpec((ArraySpec("number", (), "float64"),), ChoiceSpec(("left", "right")))


@dataclass(frozen=True)
class BenchProtocol:
    """How the trials are cut into heats."""

    heat_size: int


class BenchAgent:
    """Answers at once."""

    spec = SPEC

    def reset(self, briefing: Briefing) -> None:
        """Has nothing to forget."""

    def act(self, observation: dict[str, float]) -> str:
        """Compares one number."""
        return "right" if observation["number"] > 0.5 else "left"


class BenchTask:
    """Trials that draw one number and ask for one action."""

    id = TASK_ID
    kind: Kind = "agent"
    spec = SPEC
    metrics = (Metric("success", "success"),)

    def __init__(self, heat_size: int) -> None:
        self.protocol = BenchProtocol(heat_size)

    def heats(self) -> Sequence[Heat]:
        """Cuts the trials into heats."""
        names, size = trial_names(), self.protocol.heat_size
        return [_heat(str(start), names[start : start + size]) for start in range(0, TRIALS, size)]

    def run(self, heat: Heat, entrant: Any, workspace: Workspace) -> Iterator[Outcome]:
        """Runs them in turn."""
        for trial in heat.trials:
            yield trivial_trial(trial, heat.origins[trial].seed, entrant)

    def scores(self, outcomes: Sequence[Outcome]) -> tuple[Score, ...]:
        """Averages."""
        return score_outcomes(self.metrics, outcomes)


def _heat(name: str, trials: Sequence[str]) -> Heat:
    origins = {trial: Origin(cluster=trial.split("/")[0], seed=derive_seed(TASK_ID, trial)) for trial in trials}
    return Heat(name, tuple(trials), origins=origins)


def trial_names() -> list[str]:
    return [f"house-{index // 10:05}/episode-{index % 10}" for index in range(TRIALS)]


def trivial_trial(trial: str, seed: int, agent: BenchAgent) -> Outcome:
    number = float(np.random.default_rng(seed).random())
    agent.reset(Briefing("go right of one half", seed))
    success = (agent.act({"number": number}) == "right") == (number > 0.5)
    return Outcome(trial, {"success": float(success)}, steps=1)


def pool_trial(trial: str) -> Outcome:
    return trivial_trial(trial, derive_seed(TASK_ID, trial), BenchAgent())


def time_pool() -> float:
    started_s = time.perf_counter()
    with multiprocessing.get_context("spawn").Pool(WORKERS) as pool:
        outcomes = pool.map(pool_trial, trial_names())
    assert len(outcomes) == TRIALS
    return time.perf_counter() - started_s


def time_engine(heat_size: int) -> float:
    task = TaskEntry(TASK_ID, "", "engine:BenchTask", {"heat_size": heat_size})
    entrant = EntrantEntry("bench", "agent", "", "engine:BenchAgent")
    with tempfile.TemporaryDirectory(dir=".") as out:
        started_s = time.perf_counter()
        summary = run(RunRequest(task, entrant, Path(out), workers=WORKERS))
        seconds = time.perf_counter() - started_s
    assert summary.complete
    assert summary.errors == 0
    return seconds


def write_large_run(path: Path) -> None:
    journal = Journal(path, "protocol")
    for start in range(0, LINES, 10_000):
        journal.append(
            [
                Outcome(
                    f"house-{index:07}", {"success": 1.0, "spl": 0.5}, cluster=str(index // 10), seed=index, steps=9
                )
                for index in range(start, start + 10_000)
            ]
        )
        journal.commit()
    journal.close()


def read_large_run(path: Path) -> None:
    started_s = time.perf_counter()
    statuses = read_statuses(path, "protocol")
    seconds = time.perf_counter() - started_s
    peak_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"read back {len(statuses):,} lines: {seconds:.2f} s, peak memory {peak_mib:.0f} MiB")


def main() -> None:
    print(f"{TRIALS:,} trivial trials on {WORKERS} workers, start-up of the workers included")
    for _ in range(3):
        pool_s = time_pool()
        print(f"  Pool.map, nothing kept      {TRIALS / pool_s:8,.0f} trials/s")
        for heat_size in (100, 10, 1):
            seconds = time_engine(heat_size)
            ratio = pool_s / seconds
            print(
                f"  engine, heats of {heat_size:<3} durable {TRIALS / seconds:8,.0f} trials/s  {ratio:.2f} of Pool.map"
            )
    with tempfile.TemporaryDirectory(dir=".") as folder:
        path = Path(folder) / "trials.jsonl"
        write_large_run(path)
        # A process of its own, so that its peak memory is that of reading.
        subprocess.run([sys.executable, __file__, "read", str(path)], check=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["read"]:
        read_large_run(Path(sys.argv[2]))
    else:
        main()
