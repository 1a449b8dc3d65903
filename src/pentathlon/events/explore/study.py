"""Table 2 of the paper filled from runs, accuracy by family and touch, and the figures beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pentathlon.core import Metric, Outcome
from pentathlon.core.numbers import MISSING, number
from pentathlon.events.explore.metrics import (
    ACC_EXP,
    ACC_REF,
    EXQA,
    REENTRY,
    accuracy_by,
    asked,
    by_family,
    by_touch,
)
from pentathlon.events.explore.paper import TABLE_2
from pentathlon.events.explore.protocol import SUITES, Suite
from pentathlon.stats import score_outcomes
from pentathlon.stats.charts import Mark, Series, line_chart
from pentathlon.stats.intervals import mean_interval

Recorded = Mapping[tuple[str, Suite], Sequence[Outcome]]
"""Outcomes by entrant and set of houses."""
COLUMNS: tuple[Metric, ...] = (ACC_EXP, ACC_REF, REENTRY, EXQA)
TITLES = {"acc_exp": "Acc_exp, %", "acc_ref": "Acc_ref, %", "t3_steps": "T3, steps", "exqa": "ExQA, %"}
ENTRANTS = (
    "explore-random",
    "explore-language",
    "explore-qa",
    "explore-novelty",
    "explore-novelty-qa",
    "explore-symbolic",
)


def table_2(entrants: Sequence[str], recorded: Recorded) -> str:
    """Writes Table 2 in Markdown, the paper's rows below ours."""
    heads = [f"{suite}: {TITLES[metric.name]}" for suite in SUITES for metric in COLUMNS]
    lines = ["| | houses | " + " | ".join(heads) + " |", "|---" * (2 + len(heads)) + "|"]
    for entrant in entrants:
        own = [recorded.get((entrant, suite), ()) for suite in SUITES]
        cells = [_cell(metric, outcomes) for outcomes in own for metric in COLUMNS]
        lines.append(f"| {entrant} | {' + '.join(_count(outcomes) for outcomes in own)} | " + " | ".join(cells) + " |")
    for title in TABLE_2["architect"]:
        rows = [TABLE_2[suite].get(title) for suite in SUITES]
        values = [None if row is None else getattr(row, metric.name) for row in rows for metric in COLUMNS]
        lines.append(
            f"| *paper: {title}* | | " + " | ".join(MISSING if v is None else f"{v:.1f}" for v in values) + " |"
        )
    return "\n".join(lines)


def split_table(entrants: Sequence[str], recorded: Recorded, group: Callable[[Mapping[str, Any]], str]) -> str:
    """Writes accuracy after phase I and after phase III by group of questions, both sets of houses together."""
    by_entrant = {
        entrant: accuracy_by(asked(o for suite in SUITES for o in recorded.get((entrant, suite), ())), group)
        for entrant in entrants
    }
    names = sorted({name for groups in by_entrant.values() for name in groups})
    lines = ["| | n | " + " | ".join(entrants) + " |", "|---" * (2 + len(entrants)) + "|"]
    for name in names:
        found = [groups.get(name) for groups in by_entrant.values()]
        most = max((one[2] for one in found if one), default=0)
        cells = [MISSING if one is None else f"{100 * one[0]:.1f} → {100 * one[1]:.1f}" for one in found]
        lines.append(f"| {name} | {most} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def all_tables(entrants: Sequence[str], recorded: Recorded) -> str:
    """Writes Table 2 and both splits."""
    parts = [table_2(entrants, recorded)]
    parts += [split_table(entrants, recorded, group) for group in (by_touch, by_family)]
    return "\n\n".join(parts) + "\n"


def figures(entrants: Sequence[str], recorded: Recorded) -> dict[str, str]:
    """Draws coverage, objects seen and lifted over time, and phase II against phase IV, by file name."""
    drawn: dict[str, str] = {}
    for name, title, curve in (
        ("coverage.svg", "Floor covered", _coverage),
        ("seen.svg", "Objects seen", _share_of("seen")),
        ("lifted.svg", "Objects lifted", _share_of("lifted")),
    ):
        series = [Series(entrant, marks) for entrant in entrants if (marks := _mean_curve(entrant, recorded, curve))]
        if series:
            whose = f"{title}: {series[0].label}" if len(series) == 1 else title
            drawn[name] = line_chart(whose, "step of phase I", "%", series)
    questions = {entrant: found for entrant in entrants if (found := asked(_of(entrant, recorded)))}
    names = sorted({by_touch(one) for found in questions.values() for one in found})
    columns = [f"{name}, phase {phase}" for name in names for phase in ("II", "IV")]
    shares = [Series(entrant, _accuracies(names, found)) for entrant, found in questions.items()]
    if shares:
        drawn["touch.svg"] = line_chart(
            "Accuracy", "", "%", shares, x_names=columns, y_range=(0.0, 100.0), joined=False
        )
    return drawn


Curve = Callable[[Outcome], list[tuple[float, float]]]


def _of(entrant: str, recorded: Recorded) -> list[Outcome]:
    return [outcome for suite in SUITES for outcome in recorded.get((entrant, suite), ()) if outcome.status == "ok"]


def _coverage(outcome: Outcome) -> list[tuple[float, float]]:
    return [(float(step), 100.0 * share) for step, share in outcome.details["phases"]["explore"]["coverage"]]


def _share_of(what: str) -> Curve:
    def curve(outcome: Outcome) -> list[tuple[float, float]]:
        happened = outcome.details["phases"]["explore"][what].values()
        steps = sorted(float(one[0] if isinstance(one, list | tuple) else one) for one in happened)
        return [(step, 100.0 * (place + 1) / outcome.details["objects"]) for place, step in enumerate(steps)]

    return curve


def _mean_curve(entrant: str, recorded: Recorded, curve: Curve, points: int = 26) -> tuple[Mark, ...]:
    """The mean over houses at evenly spread steps; each keeps its last value, and has 0 where nothing happened."""
    curves = [curve(outcome) for outcome in _of(entrant, recorded)]
    last = max((one[-1][0] for one in curves if one), default=0.0)
    marks = []
    for place in range(points) if any(curves) else ():
        step = round(last * place / (points - 1))
        values = [max((value for at, value in one if at <= step), default=0.0) for one in curves]
        mean = sum(values) / len(values)
        marks.append(Mark(step, mean, mean, mean))
    return tuple(marks)


def _accuracies(names: Sequence[str], questions: Sequence[Mapping[str, Any]]) -> tuple[Mark, ...]:
    """Accuracy in each group after phases I and III, with its interval over houses."""
    marks = []
    for place, (name, phase) in enumerate((name, phase) for name in names for phase in (0, 1)):
        own = [one for one in questions if by_touch(one) == name]
        values = [100.0 * bool(one["right"][phase]) for one in own]
        if values:
            low, high, _ = mean_interval(values, [str(one["house"]) for one in own], bounds=(0.0, 100.0))
            marks.append(Mark(place, sum(values) / len(values), low, high))
    return tuple(marks)


def _cell(metric: Metric, outcomes: Sequence[Outcome]) -> str:
    if not outcomes:
        return MISSING
    score = score_outcomes((metric,), outcomes)[0]
    return f"{number(score.value, score.low, score.high)} {score.interval_text}"


def _count(outcomes: Sequence[Outcome]) -> str:
    errors = sum(outcome.status == "error" for outcome in outcomes)
    return f"{len(outcomes)}" + (f" ({errors} errors)" if errors else "")
