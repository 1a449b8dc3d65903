"""What must hold of every task on films of our own: logs follow from recipes, so all plans are asked, unfilmed."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from pentathlon.core import Workspace, match_tasks
from pentathlon.core.entrants import Judge
from pentathlon.events.judge import trial
from pentathlon.events.judge.baselines import MajorityJudge, ObjectsOnlyOracle, OracleJudge, OrderBlindOracle
from pentathlon.events.judge.data.films import FilmLog
from pentathlon.events.judge.films.blocks.vocabulary import step_words as blocks_words
from pentathlon.events.judge.films.home.vocabulary import step_words as home_words
from pentathlon.events.judge.films.shooting import film_log
from pentathlon.events.judge.films.tabletop.recipe import shown
from pentathlon.events.judge.tasks import FILMS, JudgeTask

WORDS: dict[str, Callable[[Any], Any]] = {
    "virtual home": lambda recipe: [home_words(deed) for deed in recipe.deeds],
    "blocks": lambda recipe: [blocks_words(deed) for deed in recipe.deeds],
    "tabletop": shown,
}
LITE = [row.id for row in FILMS if "-lite-" in row.id]
PERMUTATIONS = [
    row.id
    for row in FILMS
    if row.id.endswith("-permutation-v1") and "-lite-" not in row.id and "-sprint-" not in row.id
]
BLANK = np.zeros((1, 1, 1, 3), np.uint8)


@pytest.fixture(autouse=True)
def unfilmed(monkeypatch: pytest.MonkeyPatch) -> dict[Path, FilmLog]:
    logs: dict[Path, FilmLog] = {}
    monkeypatch.setattr(trial, "make_films", lambda problem_set: None)
    monkeypatch.setattr(trial, "has_log", lambda path: True)
    monkeypatch.setattr(trial, "read_log", logs.__getitem__)
    monkeypatch.setattr(trial, "read_frames", lambda path, count: BLANK)
    monkeypatch.setattr(trial, "read_prefixes", lambda path, count, prefixes: [BLANK] * prefixes)
    return logs


def build(task_id: str, logs: dict[Path, FilmLog]) -> JudgeTask:
    (row,) = match_tasks([task_id])
    task = row.make()
    assert isinstance(task, JudgeTask)
    for one in task.problem_sets:
        maker = import_module(one.maker.partition(":")[0])
        for clip in one.clips:
            recipe = msgspec.convert(clip.recipe, maker.Recipe)
            steps = WORDS[one.environment](recipe)
            timed = tuple((words, 10 * i, 10 * i + 10) for i, words in enumerate(steps))
            logs[clip.path] = film_log(maker.WORLD, recipe, 10 * len(steps), timed)
    return task


def scored(task: JudgeTask, judge: Judge, folder: Path) -> dict[str, Any]:
    outcomes = [one for heat in task.heats() for one in task.run(heat, judge, Workspace(folder))]
    return {one.metric: one for one in task.scores(outcomes)}


@pytest.mark.parametrize("task_id", LITE)
def test_who_reads_the_log_is_always_right(task_id: str, unfilmed: dict[Path, FilmLog], tmp_path: Path) -> None:
    task = build(task_id, unfilmed)
    found = scored(task, OracleJudge(), tmp_path)
    assert found[task.metrics[0].name].value == 1.0


@pytest.mark.parametrize("task_id", PERMUTATIONS)
@pytest.mark.parametrize("judge", [OrderBlindOracle(), ObjectsOnlyOracle()], ids=["steps", "things"])
def test_who_sees_no_order_is_within_the_majority_s_interval(
    task_id: str, judge: Judge, unfilmed: dict[Path, FilmLog], tmp_path: Path
) -> None:
    task = build(task_id, unfilmed)
    majority = scored(task, MajorityJudge(), tmp_path)["macro_f1"]
    assert majority.low <= scored(task, judge, tmp_path)["macro_f1"].value <= majority.high


def test_all_worlds_and_kinds_are_asked() -> None:
    assert len(LITE) == 24 + 2 + 7 + 6
    assert len(PERMUTATIONS) == 7 + 2
