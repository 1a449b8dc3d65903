"""What there is to beat in a task: what was measured with this package, what a paper says, and what an expert reaches.

The measured rows lie in ``baselines.csv`` and are those of ``docs/results``. They are shown beside the standings and
never ranked, since they were not handed in here.
"""

from __future__ import annotations

import csv
import functools
from dataclasses import dataclass
from importlib.resources import files

from pentathlon.core.scores import Metric
from pentathlon.core.tiers import public_id
from pentathlon.server.api.schemas import ScoreView
from pentathlon.server.queue.offers import server_task
from pentathlon.server.settings import ServerSettings


@dataclass(frozen=True)
class Baseline:
    """One row to compare with.

    Attributes:
        name: what it is called.
        about: where the numbers come from.
        scores: by metric.
    """

    name: str
    about: str
    scores: dict[str, ScoreView]


@functools.cache
def baselines(settings: ServerSettings, task: str) -> tuple[Baseline, ...]:
    """Lists what there is to beat in a task that the server offers."""
    metrics = server_task(settings, task).metrics
    return (*_measured(public_id(task)), *_from_papers(metrics), *_ceiling(metrics))


def _measured(task: str) -> list[Baseline]:
    found: dict[str, dict[str, ScoreView]] = {}
    for row in _rows():
        if row["task"] == task:
            found.setdefault(row["name"], {})[row["metric"]] = _score(row)
    return [Baseline(name, "measured with this package, on public trials", scores) for name, scores in found.items()]


@functools.cache
def _rows() -> tuple[dict[str, str], ...]:
    text = files(__package__).joinpath("baselines.csv").read_text()
    return tuple(csv.DictReader(text.splitlines()))


def _score(row: dict[str, str]) -> ScoreView:
    low, high = float(row["low"]), float(row["high"])
    return _view(row["metric"], float(row["value"]), row["unit"], low=low, high=high, n=int(row["n"]))


def _from_papers(metrics: tuple[Metric, ...]) -> list[Baseline]:
    sources = dict.fromkeys(metric.paper.source for metric in metrics if metric.paper is not None)
    return [
        Baseline(
            source,
            "as the paper reports it, on its own robots",
            {
                metric.name: _view(metric.name, metric.paper.value, metric.unit)
                for metric in metrics
                if metric.paper is not None and metric.paper.source == source
            },
        )
        for source in sources
    ]


def _ceiling(metrics: tuple[Metric, ...]) -> list[Baseline]:
    known = {
        metric.name: _view(metric.name, metric.ceiling, metric.unit) for metric in metrics if metric.ceiling is not None
    }
    return [Baseline("expert", "knows the whole state: a ceiling", known)] if known else []


def _view(
    metric: str, value: float, unit: str, *, low: float | None = None, high: float | None = None, n: int = 0
) -> ScoreView:
    return ScoreView(metric=metric, value=value, low=low, high=high, n=n, errors=0, unit=unit, higher_is_better=True)
