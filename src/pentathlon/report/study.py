"""A study of encoders on see: the paper's Figures 3, 5 and 6 as SVG, and the numbers behind them as Markdown."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pentathlon.core.errors import PentathlonError, UsageError
from pentathlon.core.scores import Score
from pentathlon.engine import RunFolder
from pentathlon.report import standings
from pentathlon.report.tables import Cell, Row, Table
from pentathlon.stats import mean_rank
from pentathlon.stats.charts import Mark, Series, line_chart, rank_chart

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
class Subject:
    """An encoder that ran every task: its means, its rank on each benchmark, its size and its training."""

    name: str
    mean_success: float
    low: float
    high: float
    mean_rank: float
    ranks: tuple[float, ...]
    parameters: int | None
    pretraining: Pretraining


def write_study(
    runs: Sequence[RunFolder], folder: Path, read: Callable[[RunFolder], Cell] = standings.cell_of
) -> list[Path]:
    """Writes the figures and ``study.md`` about ``runs`` of one tier and returns their paths.

    Args:
        runs: encoders by tasks.
        folder: where the files go.
        read: tells the scores of a run.

    Raises:
        UsageError: when the runs are of several tiers or protocols, or no encoder ran every task.
    """
    tables = standings.build(runs, read).tables
    if len(tables) != 1:
        titles = ", ".join(table.title for table in tables) or "none"
        raise UsageError(f"Expected runs of one tier and protocol, got: {titles}. Choose the tasks of one.")
    subjects = find_subjects(tables[0], runs)
    if not subjects:
        raise UsageError("Expected an encoder that ran every task to the end, got none. Run some with --entrants.")
    folder.mkdir(parents=True, exist_ok=True)
    pages = {**figures(tables[0], subjects), "study.md": markdown(tables[0], subjects, runs)}
    for name, text in pages.items():
        (folder / name).write_text(text)
    return [folder / name for name in pages]


def find_subjects(table: Table, runs: Sequence[RunFolder]) -> list[Subject]:
    """Gathers the encoders whose rows are complete, the best mean rank first."""
    rows = [row for row in table.rows if row.complete]
    groups = list(table.benchmarks().values())
    by_path = {str(run.path): run for run in runs}
    if not rows:
        return []
    values = np.array([[cell.scores[0].value for cell in row.cells if cell] for row in rows])
    benchmarks = np.stack([values[:, group].mean(axis=1) for group in groups], axis=1)
    ranks = np.stack([mean_rank(benchmarks[:, [index]]) for index in range(len(groups))], axis=1)
    return [_subject(row, groups, own, by_path) for row, own in zip(rows, ranks, strict=True)]


def _subject(row: Row, groups: list[list[int]], ranks: Iterable[float], runs: dict[str, RunFolder]) -> Subject:
    scores = [cell.scores[0] for cell in row.cells if cell]
    weights = {index: 1.0 / (len(groups) * len(group)) for group in groups for index in group}
    # Tasks are independent, so their errors add in quadrature.
    below = math.sqrt(sum((weights[i] * (score.value - score.low)) ** 2 for i, score in enumerate(scores)))
    above = math.sqrt(sum((weights[i] * (score.high - score.value)) ** 2 for i, score in enumerate(scores)))
    run = runs[next(cell.run for cell in row.cells if cell)]
    mean = row.mean_success or 0.0
    ranked = tuple(float(rank) for rank in ranks)
    return Subject(
        row.entrant,
        mean,
        mean - below,
        mean + above,
        row.mean_rank or 0.0,
        ranked,
        parameters_of(run),
        pretraining(run),
    )


def parameters_of(run: RunFolder) -> int | None:
    """Reads how many parameters the encoder of a run has, where its trials tell."""
    found = (outcome.details.get("parameters") for outcome in run.outcomes().values())
    return next((int(count) for count in found if count is not None), None)


def pretraining(run: RunFolder) -> Pretraining:
    """Tells what the encoder of a run was trained on, from the file that ``pentathlon train`` wrote."""
    factory = run.info.factory.rpartition(":")[2]
    if factory in ("random_vit", "pixels", "blind"):
        return Pretraining(NO_PRETRAINING)
    reference = run.info.options.get("name" if factory == "builtin" else "weights")
    history = _history(str(reference)) if factory in ("builtin", "trained") else {}
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


def figures(table: Table, subjects: Sequence[Subject]) -> dict[str, str]:
    """Draws the paper's figures for which there is something to show, by file name."""
    drawn = {}
    sized = [subject for subject in subjects if subject.parameters]
    if sized:
        title = f"Mean Success against size ({table.title})"
        series = [Series(label, _marks(group)) for label, group in _by_data(sized).items()]
        drawn["figure3a-size.svg"] = line_chart(title, "parameters", "Mean Success, %", series, log_x=True)
    title = f"Mean Success against pre-training data ({table.title})"
    drawn["figure3b-data.svg"] = _data_figure(title, subjects)
    own = [subject for subject in subjects if subject.pretraining.images]
    existing = [subject for subject in subjects if not subject.pretraining.images]
    for name, words, group in (
        ("figure5-ranks-existing.svg", "encoders not trained here", existing),
        ("figure6-ranks-trained.svg", "encoders trained here", own),
        ("figure6-ranks-all.svg", "all encoders", subjects),
    ):
        if group:
            ranks = {subject.name: subject.ranks for subject in group}
            drawn[name] = rank_chart(f"Ranks of {words} ({table.title})", ranks)
    return drawn


def _by_data(subjects: Sequence[Subject]) -> dict[str, list[Subject]]:
    groups: dict[str, list[Subject]] = defaultdict(list)
    for subject in sorted(subjects, key=lambda one: one.parameters or 0):
        groups[subject.pretraining.label].append(subject)
    return groups


def _marks(subjects: Sequence[Subject]) -> tuple[Mark, ...]:
    return tuple(Mark(s.parameters or 0, s.mean_success, s.low, s.high, s.name) for s in subjects)


def _data_figure(title: str, subjects: Sequence[Subject]) -> str:
    images: dict[str, int] = defaultdict(int)
    for subject in subjects:
        images[subject.pretraining.label] = max(images[subject.pretraining.label], subject.pretraining.images)
    labels = sorted(images, key=lambda label: (label != NO_PRETRAINING, images[label], label))
    series = []
    for size in sorted({subject.parameters or 0 for subject in subjects}):
        group = [subject for subject in subjects if (subject.parameters or 0) == size]
        marks = [Mark(labels.index(s.pretraining.label), s.mean_success, s.low, s.high, s.name) for s in group]
        name = f"{size / 1e6:.1f} M parameters" if size else "no parameters"
        series.append(Series(name, tuple(sorted(marks, key=lambda mark: mark.x))))
    return line_chart(title, "pre-training data, the most images last", "Mean Success, %", series, x_names=labels)


def markdown(table: Table, subjects: Sequence[Subject], runs: Sequence[RunFolder]) -> str:
    """Writes the table with intervals and the commands that made it."""
    labels = [column.label for column in table.columns]
    heads = ["encoder", "parameters", "data", "Mean Success, %", "Mean Rank", *labels]
    lines = [f"# Study: {table.title}", "", f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    rows = {row.entrant: row for row in table.rows}
    for s in subjects:
        size = f"{s.parameters:,}" if s.parameters is not None else "unknown"
        mean = f"{s.mean_success:.1f} [{s.low:.1f}, {s.high:.1f}]"
        cells = [_cell(cell.scores[0]) for cell in rows[s.name].cells if cell]
        lines.append(f"| {' | '.join([s.name, size, s.pretraining.label, mean, f'{s.mean_rank:.2f}', *cells])} |")
    left_out = [row.entrant for row in table.rows if not row.complete]
    lines += ["", "Values are `value [low, high] n`, 95 % intervals; Mean Success and Mean Rank are over suites."]
    lines += [f"Left out, since not every task was run: {', '.join(left_out)}."] if left_out else []
    commands = sorted({run.info.command for run in runs})
    return "\n".join([*lines, "", "Commands:", "", *(f"    {command}" for command in commands), ""])


def _cell(score: Score) -> str:
    return f"{score.value:.1f} [{score.low:.1f}, {score.high:.1f}] n={score.n}"
