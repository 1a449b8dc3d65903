"""Golden values of the success rules and normalisers, as CortexBench has them."""

from __future__ import annotations

import pytest

from pentathlon.worlds.control import CONTROL_TASKS, control_task
from pentathlon.worlds.control.tasks import episode_score


@pytest.mark.parametrize(
    ("name", "held", "score"),
    [("adroit-pen", 20, 0.0), ("adroit-pen", 21, 100.0), ("adroit-relocate", 25, 0.0), ("adroit-relocate", 26, 100.0)],
)
def test_adroit_counts_steps_in_which_the_goal_holds(name: str, held: int, score: float) -> None:
    task = control_task(name)
    achieved = [True] * held + [False] * (task.horizon - held)
    assert episode_score(task, achieved, [9.0] * task.horizon, [0.0] * task.horizon) == score


def test_metaworld_looks_at_the_last_step() -> None:
    task = control_task("metaworld-hammer")
    assert episode_score(task, [True, True, False], [1.0] * 3, [1.0] * 3) == 0.0
    assert episode_score(task, [False, False, True], [0.0] * 3, [0.0] * 3) == 100.0


@pytest.mark.parametrize(("total", "score"), [(971.22, 97.122), (743.33, 74.333), (0.0, 0.0)])
def test_dmcontrol_divides_the_return_by_ten(total: float, score: float) -> None:
    task = control_task("dmcontrol-walker-stand")
    rewards = [total / task.horizon] * task.horizon
    assert episode_score(task, [False] * task.horizon, rewards, [0.0] * task.horizon) == pytest.approx(score)


def test_trifinger_scores_the_progress_in_the_end() -> None:
    task = control_task("trifinger-push-cube")
    assert episode_score(task, [False] * 3, [0.0] * 3, [0.9, 0.2, 0.65]) == 65.0


def test_every_suite_has_its_rule() -> None:
    rules = {task.suite: {row.rule for row in CONTROL_TASKS if row.suite == task.suite} for task in CONTROL_TASKS}
    assert rules == {
        "adroit": {"achieved-steps"},
        "metaworld": {"last-step"},
        "dmcontrol": {"return"},
        "trifinger": {"progress"},
    }
