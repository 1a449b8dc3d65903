"""The paper's figures from recorded problem sets: macro F1 by theme, group, level and number of frames."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pentathlon.core import Metric, Outcome, Score
from pentathlon.events.judge.records import METRICS, rescored
from pentathlon.stats import score_outcomes
from pentathlon.stats.charts import Mark, Series, line_chart

MAJORITY = "majority baseline"
THEMES = ("objects", "object properties", "actions")
PICKED = ("objects", "object", "object_identity")
"""Groups that ask which thing was picked up: of a virtual home, of the dataset's cluttered table, of our own."""
BEYOND = ("near_miss", "progress")
"""Groups that the paper has not."""
_FRAMES = (
    re.compile(r"frames(?:-(?P<frames>\d+))?@(?P<model>.+)"),
    re.compile(r"frames-(?P<model>dense)(?:-(?P<frames>\d+))?"),
)
_BUILT_IN, _BUILT_IN_FRAMES = "dense", 16
PAPERS_FRAMES = 32

Recorded = Mapping[str, Sequence[Outcome]]
"""Outcomes of problem sets by the judge's id."""
Key = Callable[[Outcome], object]


@dataclass(frozen=True)
class Figure:
    """A figure: which problem sets it shows, and what its horizontal axis tells them apart by."""

    name: str
    title: str
    x_title: str
    holds: Callable[[Outcome], bool]
    key: Key


def _detail(name: str) -> Key:
    return lambda outcome: outcome.details[name]


def _overview(number: str, words: str, environments: tuple[str, ...]) -> tuple[Figure, Figure]:
    """The paper's overview of one environment: by level, and by group of level 1."""

    def within(one: Outcome) -> bool:
        return one.details["environment"] in environments

    return (
        Figure(
            f"{number}a-levels",
            f"Levels in {words} (the paper's Figure {number}a)",
            "level",
            within,
            _detail("level"),
        ),
        Figure(
            f"{number}b-groups",
            f"Level 1 in {words} (the paper's Figure {number}b)",
            "group",
            lambda one: within(one) and one.details["level"] == 1,
            _detail("group"),
        ),
    )


FIGURES: tuple[Figure, ...] = (
    Figure(
        "3a-themes",
        "Level 1 by theme (the paper's Figure 3a)",
        "theme",
        lambda one: one.details["level"] == 1 and one.details["theme"] in THEMES,
        _detail("theme"),
    ),
    Figure(
        "3b-levels",
        "Several steps (the paper's Figure 3b)",
        "level",
        lambda one: one.details["theme"] in ("permutation", "general"),
        _detail("level"),
    ),
    Figure(
        "4-permutation",
        "Orders of the same steps (the paper's Figure 4)",
        "level",
        lambda one: one.details["theme"] == "permutation",
        _detail("level"),
    ),
    Figure(
        "4-general",
        "General tasks (the paper's Figure 4)",
        "level",
        lambda one: one.details["theme"] == "general",
        _detail("level"),
    ),
    *_overview("13", "a virtual home", ("virtual home",)),
    *_overview("14", "the real world or on a table", ("real world", "tabletop")),
    *_overview("15", "Minecraft or of blocks", ("minecraft", "blocks")),
    Figure(
        "17-objects",
        "Which thing was picked up, by world (the paper's Figure 17)",
        "environment",
        lambda one: one.details["level"] == 1 and one.details["group"] in PICKED,
        _detail("environment"),
    ),
)


def is_drawn(outcome: Outcome) -> bool:
    """Tells whether a problem set is one of the paper's kinds, of which macro F1 is known."""
    return "descriptions" in outcome.details and outcome.details["group"] not in BEYOND


def draw_figures(recorded: Recorded) -> dict[str, str]:
    """Draws every figure that something is recorded for, as SVG by name."""
    shown = _usual(recorded)
    found = {figure.name: _draw(figure, shown) for figure in FIGURES}
    found["5-frames-general"] = _by_frames(recorded, "general", "General tasks by frames (the paper's Figure 5)")
    for theme in THEMES:
        title = f"{theme.capitalize()} by frames (the paper's Figure 16)"
        found[f"16-frames-{theme.replace(' ', '-')}"] = _by_frames(recorded, theme, title)
    return {name: drawn for name, drawn in found.items() if drawn}


def write_table(recorded: Recorded) -> str:
    """Writes macro F1 by world, level and group, a column for each judge, the majority's last."""
    judges = list(recorded)
    rows = sorted({_place(one) for outcomes in recorded.values() for one in outcomes})
    lines = [
        " | ".join(["| world", "level", "group", "problem sets", *judges, f"{MAJORITY} |"]),
        "|---" * (len(judges) + 5) + "|",
    ]
    for place in rows:
        cells = {name: [one for one in outcomes if _place(one) == place] for name, outcomes in recorded.items()}
        most = max(cells.values(), key=len)
        shown = [_cell(_score(outcomes)) if outcomes else "–" for outcomes in cells.values()]
        told = [str(part) for part in (*place, len(most))]
        lines.append(f"| {' | '.join([*told, *shown, _cell(_score(most, 'majority_f1'))])} |")
    return "\n".join(lines)


def _place(outcome: Outcome) -> tuple[str, int, str]:
    told = outcome.details
    return told["environment"], told["level"], told["group"]


def _draw(figure: Figure, recorded: Recorded) -> str:
    chosen = {name: [one for one in outcomes if figure.holds(one)] for name, outcomes in recorded.items()}
    chosen = {name: outcomes for name, outcomes in chosen.items() if outcomes}
    if not chosen:
        return ""
    keys = _ordered({figure.key(one) for outcomes in chosen.values() for one in outcomes})
    series = [_series(name, outcomes, figure.key, keys, "macro_f1") for name, outcomes in chosen.items()]
    longest = max(chosen.values(), key=len)
    series.append(_series(MAJORITY, longest, figure.key, keys, "majority_f1"))
    names = [str(key).replace("_", " ") for key in keys]
    ordered = figure.x_title == "level"
    return line_chart(
        figure.title, figure.x_title, "macro F1", series, x_names=names, y_range=(0.0, 1.0), joined=ordered
    )


def _by_frames(recorded: Recorded, theme: str, title: str) -> str:
    """One line for each image-text model, over the numbers of frames that it was run with."""
    lines: dict[str, list[Mark]] = {}
    for name, outcomes in recorded.items():
        model, frames = _averaged(name)
        own = [one for one in outcomes if one.details["theme"] == theme]
        if model and own:
            lines.setdefault(model, []).append(_mark(float(frames), _score(own)))
    series = [Series(name, tuple(sorted(marks, key=lambda mark: mark.x))) for name, marks in lines.items()]
    return line_chart(title, "frames", "macro F1", series, log_x=True, y_range=(0.0, 1.0)) if series else ""


def _usual(recorded: Recorded) -> Recorded:
    """Of each averaging model the judge with its usual number of frames, where that was run; all others as they are.

    The majority is drawn beside every judge and needs no line of its own.
    """
    recorded = {name: outcomes for name, outcomes in recorded.items() if name != "judge-majority"}
    usual = {model for model, frames in map(_averaged, recorded) if model and frames == _usual_frames(model)}
    return {
        name: outcomes
        for name, outcomes in recorded.items()
        if (read := _averaged(name))[0] not in usual or read[1] == _usual_frames(read[0])
    }


def _usual_frames(model: str) -> int:
    return _BUILT_IN_FRAMES if model == _BUILT_IN else PAPERS_FRAMES


def _averaged(name: str) -> tuple[str, int]:
    """The image-text model of a judge that averages, and over how many frames; nothing of another judge."""
    for pattern in _FRAMES:
        if match := pattern.fullmatch(name):
            return match["model"], int(match["frames"] or _usual_frames(match["model"]))
    return "", 0


def _series(name: str, outcomes: Sequence[Outcome], key: Key, keys: Sequence[object], metric: str) -> Series:
    marks = []
    for place, wanted in enumerate(keys):
        own = [one for one in outcomes if key(one) == wanted]
        if own:
            marks.append(_mark(float(place), _score(own, metric)))
    return Series(name, tuple(marks))


def _ordered(keys: set[object]) -> list[object]:
    """Themes in the paper's order, all else sorted."""
    ranked: list[Any] = list(keys)
    return sorted(ranked, key=lambda key: (THEMES.index(key) if key in THEMES else 0, key))


def _score(outcomes: Sequence[Outcome], metric: str = "macro_f1") -> Score:
    wanted: Metric = next(one for one in METRICS["match"] if one.name == metric)
    again = [replace(rescored(one, "match"), cluster=one.trial) for one in outcomes]
    return score_outcomes([wanted], again)[0]


def _mark(x: float, score: Score) -> Mark:
    low, high = (score.value if end is None else end for end in (score.low, score.high))
    return Mark(x, score.value, low, high, str(score))


def _cell(score: Score) -> str:
    return f"{score.value:.2f} {score.interval_text}"
