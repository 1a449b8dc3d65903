"""A dataset in the layout of the paper's Table I."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np

from pentathlon.core import DataError
from pentathlon.events.act.data.plan import SHARES
from pentathlon.learning.policies.trajectories import Source, Trajectory
from pentathlon.worlds.tabletop.arm.robot import TaskName

SOURCES: tuple[Source, ...] = get_args(Source)


@dataclass(frozen=True)
class Overview:
    """A row of Table I.

    Attributes:
        trials: episodes.
        length: mean control steps.
        success: share of episodes with a positive reward.
        shares: of the ways of collecting.
    """

    trials: int
    length: float
    success: float
    shares: Mapping[Source, float]


PAPER: Mapping[TaskName, Overview] = {
    "scoop": Overview(1895, 495, 0.690, SHARES["scoop"]),
    "pour": Overview(1003, 324, 0.977, SHARES["pour"]),
}


def overview(trajectories: Sequence[Trajectory]) -> Overview:
    """Counts and averages a dataset.

    Raises:
        DataError: when it is empty.
    """
    if not trajectories:
        raise DataError("Expected one or more episodes, got none. Make some with: pentathlon data get act/pour-lite")
    return Overview(
        trials=len(trajectories),
        length=float(np.mean([len(trajectory) for trajectory in trajectories])),
        success=float(np.mean([trajectory.successful for trajectory in trajectories])),
        shares={
            source: float(np.mean([trajectory.source == source for trajectory in trajectories])) for source in SOURCES
        },
    )


def success_by_source(trajectories: Sequence[Trajectory]) -> dict[Source, float]:
    """Share of successful episodes for each way of collecting that occurs."""
    found: dict[Source, list[bool]] = {}
    for trajectory in trajectories:
        found.setdefault(trajectory.source, []).append(trajectory.successful)
    return {source: float(np.mean(values)) for source, values in found.items()}


def overview_table(rows: Mapping[str, Overview]) -> str:
    """Table I as markdown: the paper's rows, then one for each named dataset."""
    lines = [
        "| | Trials | Length | Success | Teleop | BC | Replay | Submitted |",
        "|---|---|---|---|---|---|---|---|",
    ]
    paper = {f"paper, {task}": row for task, row in PAPER.items()}
    for name, row in {**paper, **rows}.items():
        shares = " | ".join(f"{100 * row.shares.get(source, 0.0):.0f} %" for source in SOURCES)
        lines.append(f"| {name} | {row.trials} | {row.length:.0f} | {row.success:.3f} | {shares} |")
    return "\n".join(lines)
