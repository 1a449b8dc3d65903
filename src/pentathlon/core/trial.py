"""The units of work and of record: heats are scheduled, trials are recorded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

Status = Literal["ok", "error"]


@dataclass(frozen=True)
class Origin:
    """What is known of a trial before it is run, so that its record has it however the trial ends.

    Attributes:
        cluster: scene or seed that the trial shares with others, for the interval.
        seed: of the trial's own randomness.
    """

    cluster: str = ""
    seed: int = 0


@dataclass(frozen=True)
class Heat:
    """The trials that one worker runs in one go.

    Attributes:
        id: unique within the task.
        trials: trial ids, unique within the task; on resume only those not yet recorded.
        data: what the task needs to run them, as plain JSON values.
        joint: the trials run together, so an exception fails all of them rather than the one in turn.
        origins: cluster and seed of every trial that the task gave the heat, by id.
    """

    id: str
    trials: tuple[str, ...]
    data: Mapping[str, Any] = field(default_factory=dict)
    joint: bool = False
    origins: Mapping[str, Origin] = field(default_factory=dict)

    def only(self, trials: Iterable[str]) -> Heat:
        """The same heat with some of its trials."""
        return replace(self, trials=tuple(trials))

    def failed(self, trial: str, error: str, wall_time_s: float, details: Mapping[str, Any] | None = None) -> Outcome:
        """The outcome of a trial of this heat that could not be finished."""
        outcome = Outcome(trial, status="error", error=error, wall_time_s=wall_time_s, details=details or {})
        return self.stamped(outcome)

    def stamped(self, outcome: Outcome) -> Outcome:
        """The outcome with its trial's cluster and seed."""
        origin = self.origins.get(outcome.trial, Origin())
        return replace(outcome, cluster=origin.cluster, seed=origin.seed)


@dataclass(frozen=True)
class Outcome:
    """The record of one trial.

    Attributes:
        trial: the trial's id.
        metrics: named numbers; all finite.
        status: ``error`` when the trial could not be finished, which is not the same as a failure.
        error: what went wrong, for people.
        cluster: as the heat's ``origins`` say; the engine fills it in, and ``seed`` too.
        artifacts: name to path relative to the run folder.
        details: further plain JSON shown with the trial (actions taken, a judge's text).
    """

    trial: str
    metrics: Mapping[str, float] = field(default_factory=dict)
    status: Status = "ok"
    error: str = ""
    cluster: str = ""
    seed: int = 0
    steps: int = 0
    wall_time_s: float = 0.0
    artifacts: Mapping[str, str] = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Workspace:
    """Where a heat may leave files, and whether videos are wanted.

    Attributes:
        folder: the run folder.
        videos: whether trials should record what they saw.
    """

    folder: Path
    videos: bool = True

    def artifact(self, trial: str, name: str) -> Path:
        """Returns the path for artifact ``name`` of ``trial``, with its folder made."""
        path = self.folder / "artifacts" / trial.replace("/", "_") / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def relative(self, path: Path) -> str:
        """Returns ``path`` as it is written into an outcome."""
        return path.relative_to(self.folder).as_posix()
