"""Runs an agent's trials where this package is on the path but not installed; `pentathlon run` otherwise.

Usage:
    python -m pentathlon.events.act.evaluate --agent DIR --task pour --tier lite --workers 16 --out RUNS
The records are those of ``pentathlon run TASK --entrant agent@DIR --out RUNS`` without videos; run it where the rest is
installed, with the same paths, to sum them up.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from pentathlon.engine.progress import PlainProgress
from pentathlon.engine.runner import RunRequest, run
from pentathlon.events.act import entrants, tasks
from pentathlon.events.act.protocol import Tier, make_protocol
from pentathlon.learning.arguments import parse_arguments
from pentathlon.worlds.tabletop.robot import TaskName


@dataclass(frozen=True)
class Evaluation:
    """What to run."""

    agent: str
    """Folder of the agent, as it will be named when the records are summed up."""
    task: TaskName
    """What it is to do."""
    tier: Tier
    """How large the pictures are."""
    out: Path = Path("runs")
    """Folder that holds the run folders."""
    workers: int = 0
    """Processes; 0 takes one per core."""


def request_for(wanted: Evaluation) -> RunRequest:
    """The request that ``pentathlon run`` would make."""
    task_id = make_protocol(wanted.task, wanted.tier).task_id
    (task,) = (row for row in tasks.TABLE if row.id == task_id)
    (agent,) = (row for row in entrants.TABLE if row.id == "agent")
    named = replace(agent, id=f"agent@{wanted.agent}", options={**agent.options, "weights": wanted.agent})
    return RunRequest(task, named, wanted.out, workers=wanted.workers, videos=False)


def main() -> None:
    """Runs as the command line says."""
    request = request_for(parse_arguments(Evaluation))
    summary = run(request, PlainProgress(f"{request.task.id}  {request.entrant.id}"))
    for score in summary.scores:
        print(f"{score.metric}: {score}")


if __name__ == "__main__":
    main()
