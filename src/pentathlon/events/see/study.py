"""A study of encoders on see: the paper's Figures 3, 5 and 6 as SVG, and the numbers behind them as Markdown."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from pentathlon.core.errors import UsageError
from pentathlon.core.numbers import interval, number
from pentathlon.events.see.subjects import NO_PRETRAINING, Study, Subject, find_subjects
from pentathlon.stats.charts import Mark, Series, line_chart, rank_chart


def write_study(study: Study, folder: Path) -> list[Path]:
    """Writes the figures and ``study.md`` and returns their paths.

    Raises:
        UsageError: when no encoder ran every task.
    """
    if not study.encoders:
        raise UsageError(
            "Expected an encoder that ran every task to the end, got none. Run: pentathlon study --entrants"
        )
    subjects = find_subjects(study)
    folder.mkdir(parents=True, exist_ok=True)
    pages = {**figures(study.title, subjects), "study.md": markdown(study, subjects)}
    for name, text in pages.items():
        (folder / name).write_text(text)
    return [folder / name for name in pages]


def figures(title: str, subjects: Sequence[Subject]) -> dict[str, str]:
    """Draws the paper's figures for which there is something to show, by file name."""
    drawn = {}
    sized = [subject for subject in subjects if subject.encoder.parameters]
    if sized:
        series = [Series(label, _marks(group)) for label, group in _by_data(sized).items()]
        heading = f"Mean Success against size ({title})"
        drawn["figure3a-size.svg"] = line_chart(heading, "parameters", "Mean Success, %", series, log_x=True)
    drawn["figure3b-data.svg"] = _data_figure(f"Mean Success against pre-training data ({title})", subjects)
    own = [subject for subject in subjects if subject.encoder.pretraining.images]
    existing = [subject for subject in subjects if not subject.encoder.pretraining.images]
    for name, words, group in (
        ("figure5-ranks-existing.svg", "encoders not trained here", existing),
        ("figure6-ranks-trained.svg", "encoders trained here", own),
        ("figure6-ranks-all.svg", "all encoders", subjects),
    ):
        if group:
            ranks = {subject.name: subject.ranks for subject in group}
            drawn[name] = rank_chart(f"Ranks of {words} ({title})", ranks)
    return drawn


def _by_data(subjects: Sequence[Subject]) -> dict[str, list[Subject]]:
    groups: dict[str, list[Subject]] = defaultdict(list)
    for subject in sorted(subjects, key=lambda one: one.encoder.parameters or 0):
        groups[subject.encoder.pretraining.label].append(subject)
    return groups


def _marks(subjects: Sequence[Subject]) -> tuple[Mark, ...]:
    return tuple(_mark(subject, subject.encoder.parameters or 0) for subject in subjects)


def _mark(subject: Subject, x: float) -> Mark:
    return Mark(x, subject.mean_success, subject.low, subject.high, subject.name)


def _data_figure(title: str, subjects: Sequence[Subject]) -> str:
    images: dict[str, int] = defaultdict(int)
    for subject in subjects:
        trained = subject.encoder.pretraining
        images[trained.label] = max(images[trained.label], trained.images)
    labels = sorted(images, key=lambda label: (label != NO_PRETRAINING, images[label], label))
    series = []
    for size in sorted({subject.encoder.parameters or 0 for subject in subjects}):
        group = [subject for subject in subjects if (subject.encoder.parameters or 0) == size]
        marks = [_mark(subject, labels.index(subject.encoder.pretraining.label)) for subject in group]
        name = f"{size / 1e6:.1f} M parameters" if size else "no parameters"
        series.append(Series(name, tuple(sorted(marks, key=lambda mark: mark.x))))
    return line_chart(title, "pre-training data, the most images last", "Mean Success, %", series, x_names=labels)


def markdown(study: Study, subjects: Sequence[Subject]) -> str:
    """Writes the table with intervals and the commands that made it."""
    labels = [task.partition("/")[2] for task in study.tasks]
    heads = ["encoder", "parameters", "data", "Mean Success, %", "Mean Rank", *labels]
    lines = [f"# Study: {study.title}", "", f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    lines += [f"| {' | '.join(_row(subject))} |" for subject in subjects]
    lines += ["", "Values are `value [low, high] n`, 95 % intervals; Mean Success and Mean Rank are over suites."]
    if study.left_out:
        lines.append(f"Left out, since not every task was run: {', '.join(study.left_out)}.")
    return "\n".join([*lines, "", "Commands:", "", *(f"    {command}" for command in study.commands), ""])


def _row(subject: Subject) -> list[str]:
    encoder, low, high = subject.encoder, subject.low, subject.high
    size = "unknown" if encoder.parameters is None else f"{encoder.parameters:,}"
    mean = f"{number(subject.mean_success, low, high)} {interval(low, high, subject.mean_success)}"
    return [encoder.name, size, encoder.pretraining.label, mean, f"{subject.mean_rank:.2f}", *map(str, encoder.scores)]
