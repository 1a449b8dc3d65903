"""What a trial of judge records, a whole problem set with its raw scores, and the numbers that follow from it alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from pentathlon.core import DataError, Metric, Outcome, Score
from pentathlon.events.judge.data.problem_sets import ProblemSet
from pentathlon.events.judge.detection import auroc, calibration, order_correlation
from pentathlon.events.judge.metrics import (
    Marks,
    Numbers,
    chance_f1,
    macro_f1,
    majority_f1,
    marks,
    predict,
    predict_several,
    standardise,
)

Measure = Literal["match", "success", "progress"]

_RATE = (0.0, 1.0)
METRICS: dict[Measure, tuple[Metric, ...]] = {
    "match": (
        Metric("macro_f1", bounds=_RATE),
        Metric("macro_f1_leave_one_out", bounds=_RATE),
        Metric("macro_f1_raw", bounds=_RATE),
        Metric("macro_f1_over_chance", bounds=(-1.0, 1.0)),
        Metric("majority_f1", bounds=_RATE),
    ),
    "success": (Metric("auroc", bounds=_RATE),),
    "progress": (
        Metric("value_order_correlation", bounds=(-1.0, 1.0)),
        Metric("progress_correlation", bounds=(-1.0, 1.0)),
    ),
}
"""``macro_f1`` is the paper's, after standardising; ``leave_one_out`` is its footnote 2, ``raw`` does without.

``over_chance`` is how far the first is above the same answers dealt to the videos at random."""


@dataclass(frozen=True)
class Sheet:
    """The scores of a problem set.

    Attributes:
        labels: of the columns; for progress there is one, and columns are prefixes.
        videos: names of the rows.
        true: label of each video, several where it has several, none where the task was missed.
        scores: raw, ``[V, K]``.
        progress: share of the steps that are done at the end of each prefix, ``[V, P]``.
    """

    labels: tuple[str, ...]
    videos: tuple[str, ...]
    true: tuple[tuple[str, ...], ...]
    scores: Numbers
    progress: Numbers | None = None

    @property
    def truths(self) -> Marks:
        """Which label is true of which video."""
        return np.array([[label in labels for label in self.labels] for labels in self.true], np.bool_)

    def plain(self) -> dict[str, Any]:
        """As plain values, for a record."""
        known = {} if self.progress is None else {"progress": self.progress.tolist()}
        return {
            "labels": list(self.labels),
            "videos": list(self.videos),
            "true": [list(labels) for labels in self.true],
            "scores": self.scores.tolist(),
            **known,
        }

    @staticmethod
    def read(details: Mapping[str, Any]) -> Sheet:
        """Reads what :meth:`plain` wrote."""
        progress = details.get("progress")
        return Sheet(
            tuple(details["labels"]),
            tuple(details["videos"]),
            tuple(tuple(labels) for labels in details["true"]),
            np.array(details["scores"], np.float64),
            None if progress is None else np.array(progress, np.float64),
        )


def sheet_metrics(sheet: Sheet, measure: Measure) -> dict[str, float]:
    """The numbers of one problem set."""
    if measure == "success":
        return {"auroc": auroc(sheet.truths[:, 0], sheet.scores[:, 0])}
    if measure == "progress":
        return _progress(sheet)
    truths, scores = sheet.truths, sheet.scores
    several = bool((truths.sum(axis=1) > 1).any())
    ways = {
        "macro_f1": standardise(scores, several=several),
        "macro_f1_leave_one_out": standardise(scores, leave_one_out=True, several=several),
        "macro_f1_raw": scores,
    }
    answers = {name: _given(final, scores, truths, several) for name, final in ways.items()}
    found = {name: macro_f1(truths, given) for name, given in answers.items()}
    over = found["macro_f1"] - chance_f1(truths, answers["macro_f1"])
    return {**found, "macro_f1_over_chance": over, "majority_f1": majority_f1(truths)}


def about(problem_set: ProblemSet) -> dict[str, Any]:
    """What a record tells of a problem set beside its scores."""
    return {
        "problem_set": problem_set.id,
        "environment": problem_set.environment,
        "level": problem_set.level,
        "group": problem_set.group,
        "theme": problem_set.theme,
        "descriptions": problem_set.descriptions,
    }


def rescored(outcome: Outcome, measure: Measure) -> Outcome:
    """The outcome with its numbers computed again from its raw scores; errors stay as they are."""
    if outcome.status == "error":
        return outcome
    if "scores" not in outcome.details:
        raise DataError(f"Trial {outcome.trial!r} has no raw scores. Run it again.")
    return replace(outcome, metrics=sheet_metrics(Sheet.read(outcome.details), measure))


def pooled_scores(outcomes: Sequence[Outcome], measure: Measure) -> tuple[Score, ...]:
    """Numbers of a whole run that no mean over problem sets is; those of success detection only."""
    sheets = [Sheet.read(outcome.details) for outcome in outcomes if outcome.status == "ok"]
    if measure != "success" or not sheets:
        return ()
    done, scores = [sheet.truths[:, 0] for sheet in sheets], [sheet.scores[:, 0] for sheet in sheets]
    chances = calibration(done, scores)
    values = {
        "auroc_pooled": auroc(np.concatenate(done), np.concatenate(scores)),
        "brier": chances.brier,
        "calibration_error": chances.error,
    }
    return tuple(
        Score(name, value, None, None, n=len(sheets), higher_is_better=name == "auroc_pooled")
        for name, value in values.items()
    )


def _given(final: Numbers, raw: Numbers, truths: Marks, several: bool) -> Marks:
    if several:
        return predict_several(final, truths.sum(axis=1), raw)
    return marks(predict(final, raw), final.shape[1])


def _progress(sheet: Sheet) -> dict[str, float]:
    assert sheet.progress is not None
    pairs = list(zip(sheet.scores, sheet.progress, strict=True))
    ordered = [order_correlation(values, np.arange(len(values), dtype=float)) for values, _ in pairs]
    progress = [order_correlation(values, done) for values, done in pairs]
    return {"value_order_correlation": float(np.mean(ordered)), "progress_correlation": float(np.mean(progress))}
