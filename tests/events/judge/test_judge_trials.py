"""A trial: every video and every description scored, every score kept, every number found again from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pentathlon.core import Briefing, EntrantError, JudgeSpec, Workspace
from pentathlon.core.errors import DataError
from pentathlon.events.judge.baselines import (
    MajorityJudge,
    ObjectsOnlyOracle,
    OracleJudge,
    OrderBlindOracle,
    RandomJudge,
    steps_of,
)
from pentathlon.events.judge.data.problem_sets import ProblemSet
from pentathlon.events.judge.protocol import make_protocol
from pentathlon.events.judge.records import rescored
from pentathlon.events.judge.tasks import JudgeTask
from pentathlon.events.judge.trial import run_trial

NAMES = ("red", "green", "blue")


class ColourJudge:
    """Scores a colour's word by how much of it there is."""

    spec = JudgeSpec(frames=4)

    def __init__(self) -> None:
        self.heard: list[Briefing] = []
        self.shapes: list[tuple[int, ...]] = []

    def brief(self, briefing: Briefing) -> None:
        self.heard.append(briefing)

    @property
    def remarks(self) -> dict[str, Any]:
        return {"said": f"it was {self.heard[-1].facts['clip']}"}

    def score(self, clip: np.ndarray, descriptions: Sequence[str]) -> np.ndarray:
        self.shapes.append(clip.shape)
        shares = clip.mean(axis=(0, 1, 2)) / 255
        return np.array([shares[NAMES.index(text.split()[-1])] for text in descriptions])


def task_of(problem_set: ProblemSet) -> JudgeTask:
    return JudgeTask(make_protocol("colours", "full", "match", [problem_set]), [problem_set])


def test_raw_scores_are_kept_and_give_the_numbers_again(coloured: ProblemSet, tmp_path: Path) -> None:
    judge, task = ColourJudge(), task_of(coloured)
    (outcome,) = task.run(task.heats()[0], judge, Workspace(tmp_path))
    assert outcome.metrics["macro_f1"] == outcome.metrics["macro_f1_raw"] == 1.0
    scores = np.array(outcome.details["scores"])
    assert scores.shape == (6, 3)
    assert (scores.argmax(axis=1) == [0, 0, 1, 1, 2, 2]).all()
    assert judge.shapes == [(4, 32, 32, 3)] * 6
    assert outcome.details["remarks"][5] == {"said": "it was blue-1.mp4"}
    assert len(outcome.artifacts) == 6
    assert (tmp_path / outcome.artifacts["video 6"]).stat().st_size > 0
    forgotten = replace(outcome, metrics={})
    assert rescored(forgotten, "match").metrics == outcome.metrics
    assert task.scores([forgotten])[0].value == 1.0


def test_a_judge_is_told_nothing_that_it_does_not_declare(coloured: ProblemSet, tmp_path: Path) -> None:
    judge = ColourJudge()
    run_trial(coloured, judge, task_of(coloured).protocol, Workspace(tmp_path, videos=False))
    assert set(judge.heard[0].facts) == {"labels", "example", "environment", "multi_label", "clip"}


@pytest.mark.parametrize(
    ("judge", "macro_f1"),
    [(OracleJudge(), 1.0), (OrderBlindOracle(), 1.0), (ObjectsOnlyOracle(), 1.0), (MajorityJudge(), 0.5 / 3)],
)
def test_what_judges_that_are_told_score(coloured: ProblemSet, tmp_path: Path, judge: Any, macro_f1: float) -> None:
    outcome = run_trial(coloured, judge, task_of(coloured).protocol, Workspace(tmp_path))
    assert outcome.metrics["macro_f1"] == pytest.approx(macro_f1)
    assert outcome.metrics["majority_f1"] == pytest.approx(0.5 / 3)
    assert outcome.details["told"] == list(judge.spec.told)


def test_guessing_follows_from_problem_set_and_clip(coloured: ProblemSet, tmp_path: Path) -> None:
    first, second = (
        run_trial(coloured, RandomJudge(), task_of(coloured).protocol, Workspace(tmp_path)) for _ in range(2)
    )
    assert first.details["scores"] == second.details["scores"]
    assert len({tuple(row) for row in first.details["scores"]}) == 6


class Broken:
    spec = JudgeSpec(frames=1)

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def score(self, clip: np.ndarray, descriptions: Sequence[str]) -> Any:
        return self.answer


@pytest.mark.parametrize("answer", [[1.0, 2.0], [1.0, float("nan"), 0.0], [[1.0], [2.0], [3.0]]])
def test_other_than_one_finite_score_each_is_refused(coloured: ProblemSet, tmp_path: Path, answer: Any) -> None:
    with pytest.raises(EntrantError, match=r"Expected 3 finite scores for red-0.mp4 in colours/level_1"):
        run_trial(coloured, Broken(answer), task_of(coloured).protocol, Workspace(tmp_path))


def test_a_video_that_is_gone_is_named(coloured: ProblemSet, tmp_path: Path) -> None:
    lost = replace(coloured, clips=(replace(coloured.clips[0], path=tmp_path / "gone.mp4"),))
    with pytest.raises(DataError, match=r"Expected a video at .*gone.mp4, got nothing"):
        run_trial(lost, ColourJudge(), task_of(lost).protocol, Workspace(tmp_path))


def test_sentences_are_taken_apart() -> None:
    assert steps_of("First, we open it, then we wait, and finally we close it") == ["open it", "wait", "close it"]
    assert steps_of("First, we open it, and then we close it") == ["open it", "close it"]
    assert steps_of("We open it") == ["open it"]
