"""What comes of an evaluation: scores with intervals, and the trials as a table."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pentathlon.core.errors import MissingDependencyError
from pentathlon.core.scores import Score
from pentathlon.core.trial import Outcome

if TYPE_CHECKING:
    import pyarrow

_COLUMNS = ("trial", "cluster", "seed", "status", "error", "steps", "wall_time_s")


@dataclass(frozen=True)
class Evaluation:
    """The scores of an entrant on a task and the trials behind them.

    Attributes:
        task: the task's id.
        entrant: what the records call the entrant.
        scores: each with its interval, the headline first.
        trials: what was recorded of each, sorted by trial.
        complete: whether every trial of the task was run.
        folder: the run folder; ``None`` where nothing was kept.
    """

    task: str
    entrant: str
    scores: tuple[Score, ...]
    trials: tuple[Outcome, ...]
    complete: bool
    folder: Path | None = None

    @property
    def score(self) -> Score:
        """The headline score."""
        return self.scores[0]

    @property
    def errors(self) -> int:
        """How many trials ended in an error."""
        return sum(trial.status == "error" for trial in self.trials)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The trials as flat rows with equal columns: what was recorded, then ``metric.NAME`` for each metric."""
        names = sorted({name for trial in self.trials for name in trial.metrics})
        return [
            {column: getattr(trial, column) for column in _COLUMNS}
            | {f"metric.{name}": trial.metrics.get(name) for name in names}
            for trial in self.trials
        ]

    def to_arrow(self) -> pyarrow.Table:
        """Returns the rows as an Arrow table."""
        import pyarrow

        return pyarrow.Table.from_pylist(self.rows)

    def to_pandas(self) -> Any:
        """Returns the rows as a pandas data frame.

        Raises:
            MissingDependencyError: when pandas is not installed.
        """
        try:
            import pandas
        except ImportError as error:
            raise MissingDependencyError("pandas", "pip install pandas", why="Or use to_arrow() or rows.") from error
        return pandas.DataFrame(self.rows)

    def __str__(self) -> str:
        lines = [f"{self.task}  {self.entrant}  {score.metric}: {score}" for score in self.scores]
        if self.errors:
            lines.append(f"  {self.errors} of {len(self.trials)} trials ended in an error")
        return "\n".join(lines)
