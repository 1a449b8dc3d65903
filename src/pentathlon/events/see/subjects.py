"""What a study compares: encoders that ran every task, what they were trained on, their means and ranks."""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pentathlon.core.errors import PentathlonError, UsageError
from pentathlon.core.identity import content_hash
from pentathlon.core.registry import resolve_entrant
from pentathlon.core.runs import RunRecord
from pentathlon.core.scores import Score
from pentathlon.core.task import Task
from pentathlon.core.tiers import suite_of, tier_of
from pentathlon.stats import mean_rank, mean_success, suite_means

NO_PRETRAINING, RELEASED = "no pre-training", "released weights"


@dataclass(frozen=True)
class Pretraining:
    """What an encoder was trained on, as far as its file tells.

    Attributes:
        label: the sources' names.
        images: images seen in training; 0 where unknown.
    """

    label: str
    images: int = 0


@dataclass(frozen=True)
class Studied:
    """An encoder that ran every task.

    Attributes:
        scores: its headline scores, in the order of the study's tasks.
        parameters: how many it has, where its trials tell.
    """

    name: str
    scores: tuple[Score, ...]
    pretraining: Pretraining
    parameters: int | None = None


@dataclass(frozen=True)
class Study:
    """Encoders by tasks of one tier and protocol.

    Attributes:
        title: event and tier in words.
        tasks: their ids.
        encoders: those that ran every task.
        left_out: names of those that did not.
        commands: what made the runs.
    """

    title: str
    tasks: tuple[str, ...]
    encoders: tuple[Studied, ...]
    left_out: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()


@dataclass(frozen=True)
class Subject:
    """A studied encoder beside the others: its means and its rank on each benchmark."""

    encoder: Studied
    mean_success: float
    low: float
    high: float
    mean_rank: float
    ranks: tuple[float, ...]

    @property
    def name(self) -> str:
        """The encoder's name."""
        return self.encoder.name


def gather(tasks: Sequence[Task], runs: Sequence[RunRecord], limit: int | None = None) -> Study:
    """Gathers from recorded runs what a study compares.

    Args:
        tasks: of one tier.
        runs: of these tasks under their protocols.
        limit: compare on the first trials of each task only.
    """
    rows: dict[str, dict[str, RunRecord]] = defaultdict(dict)
    for name, run in zip(_names(runs), runs, strict=True):
        rows[name][run.task] = run
    scored = {name: [_headline(task, row.get(task.id), limit) for task in tasks] for name, row in rows.items()}
    complete = {name: tuple(filter(None, scores)) for name, scores in scored.items() if None not in scores}
    encoders = (_studied(name, scores, next(iter(rows[name].values()))) for name, scores in complete.items())
    return Study(
        title=f"see · {tier_of(tasks[0].id)}",
        tasks=tuple(task.id for task in tasks),
        encoders=tuple(encoders),
        left_out=tuple(sorted(rows.keys() - complete.keys())),
        commands=tuple(sorted({run.command for run in runs})),
    )


def _names(runs: Sequence[RunRecord]) -> list[str]:
    """Names each run by its entrant, and by what built it where one id was built in several ways."""
    builds = [(run.entrant, content_hash([run.factory, dict(run.options)], length=6)) for run in runs]
    several = Counter(entrant for entrant, _ in set(builds))
    return [f"{entrant} ({mark})" if several[entrant] > 1 else entrant for entrant, mark in builds]


def _headline(task: Task, run: RunRecord | None, limit: int | None) -> Score | None:
    """The headline score over the wanted trials, or none where one of them is missing."""
    wanted = [trial for heat in task.heats() for trial in heat.trials][:limit]
    if run is None or any(trial not in run.outcomes for trial in wanted):
        return None
    return task.scores([run.outcomes[trial] for trial in wanted])[0]


def _studied(name: str, scores: tuple[Score, ...], run: RunRecord) -> Studied:
    told = (outcome.details.get("parameters") for outcome in run.outcomes.values())
    parameters = next((int(count) for count in told if count is not None), None)
    return Studied(name, scores, pretraining(run.factory, run.options), parameters)


def find_subjects(study: Study) -> list[Subject]:
    """Ranks the encoders over the suites, the best mean rank first."""
    suites = [suite_of(task) for task in study.tasks]
    values = [[score.value for score in encoder.scores] for encoder in study.encoders]
    benchmarks = suite_means(values, suites)
    columns = range(benchmarks.shape[1])
    ranks = [mean_rank(benchmarks[:, [column]]) for column in columns]
    means, mean_ranks = mean_success(benchmarks), mean_rank(benchmarks)
    subjects = [
        Subject(
            encoder,
            float(means[row]),
            *_ends(float(means[row]), encoder.scores, suites),
            mean_rank=float(mean_ranks[row]),
            ranks=tuple(float(rank[row]) for rank in ranks),
        )
        for row, encoder in enumerate(study.encoders)
    ]
    return sorted(subjects, key=lambda subject: (subject.mean_rank, subject.name))


def _ends(mean: float, scores: Sequence[Score], suites: Sequence[str]) -> tuple[float, float]:
    """The interval of a mean over suites: tasks are independent, so their errors add in quadrature."""
    weights = [1.0 / (len(set(suites)) * suites.count(suite)) for suite in suites]
    below = math.hypot(*(weight * _side(score, score.low) for weight, score in zip(weights, scores, strict=True)))
    above = math.hypot(*(weight * _side(score, score.high) for weight, score in zip(weights, scores, strict=True)))
    return mean - below, mean + above


def _side(score: Score, end: float | None) -> float:
    if end is None:
        raise UsageError(f"Expected an interval for {score.metric}, got none. Give the metric bounds.")
    return score.value - end


def pretraining(factory: str, options: Mapping[str, Any]) -> Pretraining:
    """Tells what an encoder was trained on, from the file that ``pentathlon train`` wrote.

    Args:
        factory: what built the encoder, ``module:name``.
        options: what it was called with.
    """
    name = factory.rpartition(":")[2]
    if name in ("random_vit", "pixels", "blind"):
        return Pretraining(NO_PRETRAINING)
    reference = options.get("name" if name == "builtin" else "weights")
    if name == "grid":
        entry = resolve_entrant(str(reference))
        return pretraining(entry.factory, entry.options)
    history = _history(str(reference)) if name in ("builtin", "trained") else {}
    if not history:
        return Pretraining(RELEASED)
    paths = [Path(source.partition("=")[0]) for source in history.get("data", [])]
    # Packed frames lie in a folder named by their hash, within one named by their origin.
    sources = "+".join(path.parent.name if path.name.startswith("frames-") else path.name for path in paths)
    label = f"adapted on {sources}" if history.get("start") else sources
    return Pretraining(label, int(history.get("done", 0)) * int(history.get("batch_size", 0)))


def _history(reference: str) -> dict[str, Any]:
    from safetensors import SafetensorError, safe_open

    from pentathlon.models.weights import resolve_weights

    try:
        with safe_open(str(resolve_weights(reference)), framework="numpy") as file:
            return dict(json.loads((file.metadata() or {}).get("history", "{}")))
    except (PentathlonError, SafetensorError, OSError):
        # The figures can be drawn where the weights are no longer at hand.
        return {}
