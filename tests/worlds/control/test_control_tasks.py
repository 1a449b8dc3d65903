"""The table, and golden values of the success rules and normalisers as CortexBench has them."""

from __future__ import annotations

import pytest

from pentathlon.core.errors import UnknownIdError, UsageError
from pentathlon.worlds.control import CONTROL_TASKS, control_task, episode_score


def test_table_holds_the_fourteen_tasks_and_reacher_easy() -> None:
    names = {task.name for task in CONTROL_TASKS}
    assert len(CONTROL_TASKS) == len(names) == 15
    counts = {suite: sum(task.suite == suite for task in CONTROL_TASKS) for suite in ("adroit", "metaworld")}
    assert counts == {"adroit": 2, "metaworld": 5}
    assert sum(task.suite == "dmcontrol" for task in CONTROL_TASKS) == 6


@pytest.mark.parametrize(("name", "more_than"), [("adroit-pen", 20), ("adroit-relocate", 25)])
@pytest.mark.parametrize("reward", [0.0, 9.0])
def test_adroit_succeeds_only_with_more_steps_than_the_threshold(name: str, more_than: int, reward: float) -> None:
    task = control_task(name)
    for held, expected in ((more_than, 0.0), (more_than + 1, 100.0)):
        achieved = [True] * held + [False] * (task.horizon - held)
        assert episode_score(task, achieved, [reward] * task.horizon, [0.0] * task.horizon) == expected


def test_metaworld_counts_the_last_step_only() -> None:
    task = control_task("metaworld-hammer")
    assert episode_score(task, [True, True, False], [1.0] * 3, [1.0] * 3) == 0.0
    assert episode_score(task, [False, False, True], [0.0] * 3, [0.0] * 3) == 100.0


@pytest.mark.parametrize("name", ["dmcontrol-cheetah-run", "dmcontrol-walker-stand"])
@pytest.mark.parametrize(("total", "score"), [(971.22, 97.122), (759.0, 75.9), (743.33, 74.333), (0.0, 0.0)])
def test_dmcontrol_divides_the_return_by_ten(name: str, total: float, score: float) -> None:
    task = control_task(name)
    assert task.horizon == 1000
    assert episode_score(task, [False] * 1000, [total / 1000] * 1000, [0.0] * 1000) == pytest.approx(score)


def test_trifinger_scores_the_final_progress() -> None:
    task = control_task("trifinger-push-cube")
    assert episode_score(task, [False] * 3, [0.0] * 3, [0.9, 0.2, 0.65]) == 65.0
    assert episode_score(task, [True, False], [0.9, 0.4], [0.9, 0.4]) == pytest.approx(40.0)


def test_every_suite_has_its_rule() -> None:
    rules = {task.suite: {row.rule for row in CONTROL_TASKS if row.suite == task.suite} for task in CONTROL_TASKS}
    assert rules == {
        "adroit": {"achieved-steps"},
        "metaworld": {"last-step"},
        "dmcontrol": {"return"},
        "trifinger": {"progress"},
    }


def test_empty_episode_and_unknown_name_are_refused() -> None:
    with pytest.raises(UsageError, match="at least one step"):
        episode_score(CONTROL_TASKS[0], [], [], [])
    with pytest.raises(UnknownIdError, match="metaworld-hammer"):
        control_task("metaworld-hamer")
