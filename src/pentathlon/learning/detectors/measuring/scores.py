"""Numbers of findings: average precision, precision, recall, false alarms, thresholds, choices among alike things."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from pentathlon.learning.detectors.measuring.findings import Findings
from pentathlon.learning.detectors.queries import FEWEST_PX

Floats = npt.NDArray[np.float32]

FEWEST_FOR_AP = 3
ALARMS_PER_100 = 0.1
"""Share of views without the thing, in percent, that may raise an alarm where a walk ends."""
VIEWS_OF_A_WALK = 30
"""Views of a walk in which something stands near enough to be stopped at."""
FEWEST_TO_STOP_PX = 20


@dataclass(frozen=True)
class Summary:
    """How well some questions are answered at a threshold; things of 60 pixels or more are asked for.

    Attributes:
        views: how often a right thing is in view.
        questions: those with enough views for an average precision.
        mean_ap: over those questions.
        alarms_per_100: views without a right thing that have a peak above the threshold, in percent.
    """

    views: int
    questions: int
    precision: float
    recall: float
    f1: float
    mean_ap: float
    alarms_per_100: float


def average_precision(hits: Floats, alarms: Floats, total: int) -> float:
    """Area under the precision-recall curve, each precision the best at its recall or more."""
    scores = np.concatenate([hits, alarms])
    right = np.concatenate([np.ones(len(hits)), np.zeros(len(alarms))])[np.argsort(-scores, kind="stable")]
    precision = np.cumsum(right) / np.arange(1, len(right) + 1)
    best = np.maximum.accumulate(precision[::-1])[::-1]
    return float((best * right).sum() / total)


def summarize(findings: Findings, chosen: Collection[int], threshold: float) -> Summary:
    """Summarizes the questions whose places are ``chosen``."""
    hits, alarms = findings.hits, findings.alarms
    wanted = np.isin(hits.question, list(chosen)) & (hits.pixels >= FEWEST_PX)
    wrong = np.isin(alarms.question, list(chosen))
    found = int((hits.score[wanted] >= threshold).sum())
    loud = int((alarms.score[wrong] >= threshold).sum())
    precision, recall = found / max(1, found + loud), found / max(1, int(wanted.sum()))
    aps = list(question_aps(findings, chosen).values())
    return Summary(
        views=int(wanted.sum()),
        questions=len(aps),
        precision=round(precision, 4),
        recall=round(recall, 4),
        f1=round(2 * precision * recall / max(1e-9, precision + recall), 4),
        mean_ap=round(float(np.mean(aps)), 4) if aps else 0.0,
        alarms_per_100=round(alarm_rate(findings, chosen, threshold), 4),
    )


def question_aps(findings: Findings, chosen: Collection[int]) -> dict[int, float]:
    """Returns the average precision of each chosen question with enough views."""
    hits, alarms = findings.hits, findings.alarms
    aps: dict[int, float] = {}
    wanted = hits.pixels >= FEWEST_PX
    by_hit, by_alarm = _grouped(hits.question[wanted]), _grouped(alarms.question)
    scores = hits.score[wanted]
    for question in chosen:
        mine = scores[by_hit.get(question, [])]
        if len(mine) >= FEWEST_FOR_AP:
            wrong = alarms.score[by_alarm.get(question, [])]
            aps[question] = average_precision(mine[np.isfinite(mine)], wrong, len(mine))
    return aps


def _grouped(questions: npt.NDArray[np.int64]) -> dict[int, npt.NDArray[np.int64]]:
    order = np.argsort(questions, kind="stable")
    if not len(order):
        return {}
    values, starts = np.unique(questions[order], return_index=True)
    return dict(zip(values.tolist(), np.split(order, starts[1:]), strict=True))


def alarm_rate(findings: Findings, chosen: Collection[int], threshold: float) -> float:
    """Views without a right thing that have a peak above the threshold, in percent of all such views."""
    hits, alarms = findings.hits, findings.alarms
    rows = np.isin(hits.question, list(chosen))
    present = set((hits.question[rows] * findings.frames + hits.frame[rows]).tolist())
    loud = np.isin(alarms.question, list(chosen)) & (alarms.score >= threshold)
    heard = set((alarms.question[loud] * findings.frames + alarms.frame[loud]).tolist())
    return 100 * len(heard - present) / max(1, len(chosen) * findings.frames - len(present))


def best_f_threshold(findings: Findings, chosen: Collection[int], recall_weight: float = 1.0) -> float:
    """Returns the score above which the F measure is best; recall counts ``recall_weight`` times as much."""
    hits, alarms = findings.hits, findings.alarms
    wanted = np.isin(hits.question, list(chosen)) & (hits.pixels >= FEWEST_PX)
    good, bad = np.sort(hits.score[wanted]), np.sort(alarms.score[np.isin(alarms.question, list(chosen))])
    grid = np.arange(-3.55, 8.0, 0.1)
    found = len(good) - np.searchsorted(good, grid)
    loud = len(bad) - np.searchsorted(bad, grid)
    squared = recall_weight**2
    measure = (1 + squared) * found / np.maximum(1, squared * len(good) + found + loud)
    return round(float(grid[np.argmax(measure)]), 2)


def quiet_threshold(findings: Findings, chosen: Collection[int]) -> float:
    """Returns the lowest score at which false alarms are as rare as where a walk ends they must be."""
    grid = np.arange(-3.55, 12.0, 0.1)
    low, high = 0, len(grid) - 1
    while low < high:
        middle = (low + high) // 2
        quiet = alarm_rate(findings, chosen, float(grid[middle])) <= ALARMS_PER_100
        low, high = (low, middle) if quiet else (middle + 1, high)
    return round(float(grid[low]), 2)


def success_threshold(findings: Findings, chosen: Collection[int]) -> float:
    """Returns the score to stop by with which most walks end well.

    A walk ends well if its target is noticed from where Stop counts and nothing else has raised an alarm in the views
    before that could have ended it.
    """
    hits = findings.hits
    near = np.isin(hits.question, list(chosen)) & (hits.pixels >= FEWEST_TO_STOP_PX) & (hits.floor_m <= 1.0)
    found = np.sort(hits.score[near])
    grid = np.arange(-3.55, 12.0, 0.1)
    recall = 1 - np.searchsorted(found, grid) / max(1, len(found))
    loud, absent = _false_peaks(findings, chosen)
    rate = (len(loud) - np.searchsorted(np.sort(loud), grid)) / max(1, absent)
    return round(float(grid[np.argmax(recall * (1 - rate) ** VIEWS_OF_A_WALK)]), 2)


def _false_peaks(findings: Findings, chosen: Collection[int]) -> tuple[Floats, int]:
    """Highest score of each question in each view without a right thing, where there is a peak, and all such views."""
    hits, alarms = findings.hits, findings.alarms
    mine = np.isin(alarms.question, list(chosen))
    right = np.isin(hits.question, list(chosen))
    present = np.unique(hits.question[right] * findings.frames + hits.frame[right])
    at = alarms.question[mine] * findings.frames + alarms.frame[mine]
    false = ~np.isin(at, present)
    at, score = at[false], alarms.score[mine][false]
    order = np.lexsort((-score, at))
    _, firsts = np.unique(at[order], return_index=True)
    return score[order][firsts], len(chosen) * findings.frames - len(present)


def binned_recall(
    findings: Findings,
    chosen: Collection[int],
    threshold: float,
    measure: Floats,
    edges: Sequence[float],
    least_px: int,
) -> dict[str, tuple[float | None, int]]:
    """Returns recall and views between edges of a measure of the hits."""
    hits = findings.hits
    rows = np.isin(hits.question, list(chosen)) & (hits.pixels >= least_px)
    table: dict[str, tuple[float | None, int]] = {}
    for low, high in pairwise(edges):
        found = hits.score[rows & (measure >= low) & (measure < high)] >= threshold
        table[f"{low:g}-{high:g}"] = (round(float(found.mean()), 4) if len(found) else None, len(found))
    return table


@dataclass(frozen=True)
class Telling:
    """How well a detail tells things of one type apart.

    Attributes:
        questions: with views both of things that have it and of things that lack it.
        auc: chance that a view of one that has it scores higher than a view of one that lacks it.
        right: share of views with both kinds of thing where one that has it scores highest.
        choices: how many such views there are.
    """

    questions: int
    auc: float
    right: float
    choices: int


def tell_apart(findings: Findings, chosen: Collection[int]) -> Telling:
    """Compares things of a type that fit a question with those that do not."""
    choices = findings.choices
    aucs, weights, right = [], [], []
    groups = _grouped(choices.question)
    for question in chosen:
        rows = groups.get(question, np.zeros(0, np.int64))
        score, fits, frame = choices.score[rows], choices.fits[rows], choices.frame[rows]
        if fits.any() and not fits.all():
            aucs.append(float((score[fits][:, None] > score[~fits]).mean()))
            weights.append(min(int(fits.sum()), int((~fits).sum())))
        for one in np.unique(frame[fits]):
            beside = score[(frame == one) & ~fits]
            if len(beside):
                right.append(score[(frame == one) & fits].max() > beside.max())
    auc = float(np.average(aucs, weights=weights)) if aucs else 0.0
    return Telling(len(aucs), round(auc, 4), round(float(np.mean(right)), 4) if right else 0.0, len(right))
