"""Act's tasks as runs: heats, baselines, videos and scores."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from act_stand_ins import START, StandInRobot

from pentathlon.core import TASKS, DataError, EntrantError, Outcome, RunFolderError, Workspace, resolve_entrant
from pentathlon.engine import RunFolder, RunRequest, run
from pentathlon.events.act.baselines import HoldStill, ReplayDemonstration, ScriptedExpert
from pentathlon.events.act.heats import run_heat
from pentathlon.events.act.protocol import make_protocol, rehearsal
from pentathlon.events.act.tasks import TABLE, ActTask, make_task
from pentathlon.events.act.trial import run_trial
from pentathlon.storage import read_mp4


def test_six_tasks_and_one_of_them_in_the_sprint() -> None:
    ids = [row.id for row in TABLE]
    assert sorted(ids) == sorted(
        f"act/{task}{tier}-v1" for task in ("pour", "scoop") for tier in ("", "-lite", "-sprint")
    )
    assert [row.id for row in TABLE if row.sprint] == ["act/pour-sprint-v1"]
    for row in TABLE:
        assert row.make().id == row.id


def test_heats_hold_every_trial_once() -> None:
    task = make_task("pour", "lite")
    trials = [trial for heat in task.heats() for trial in heat.trials]
    assert sorted(trials) == sorted(trial.id for trial in task.protocol.trials())
    assert len(task.heats()) == 12
    for heat in task.heats():
        assert {trial.split("-")[1] for trial in heat.trials} == {str(heat.data["training_seed"])}


def test_only_the_full_tier_is_compared_with_the_paper() -> None:
    values = [metric.paper.value for metric in make_task("scoop", "full").metrics if metric.paper]
    assert values == [7.42, 83.3]
    assert all(metric.paper is None for metric in make_task("scoop", "lite").metrics)


def test_a_rehearsal_runs_in_processes_and_continues(tmp_path: Path) -> None:
    row = TASKS.get("act/pour-lite-v1")
    request = RunRequest(row, resolve_entrant("hold-still"), tmp_path, workers=2, overrides=row.rehearsal)
    summary = run(request)
    assert summary.complete
    assert [score.metric for score in summary.scores][:2] == ["reward_g", "success"]
    outcomes = RunFolder.open(summary.folder).outcomes()
    assert len(outcomes) == 2
    for outcome in outcomes.values():
        assert outcome.status == "ok"
        film = read_mp4(summary.folder / outcome.artifacts["video"])
        assert film.shape == (2, 24, 32, 3)
        assert film.std() > 5.0
    assert run(request).recorded == 2
    with pytest.raises(RunFolderError):
        RunFolder.open(tmp_path)


def test_order_and_company_do_not_change_a_trial(tmp_path: Path) -> None:
    protocol = replace(rehearsal(make_protocol("scoop", "lite")), horizon_steps=12)
    (first, second) = ActTask(protocol).heats()
    joined = replace(first, trials=(*second.trials, *first.trials))
    apart = [o for heat in (first, second) for o in run_heat(protocol, heat, HoldStill(), Workspace(tmp_path / "a"))]
    together = list(run_heat(protocol, joined, HoldStill(), Workspace(tmp_path / "b")))
    for outcome in apart:
        (same,) = [other for other in together if other.trial == outcome.trial]
        assert (same.metrics, same.seed) == (outcome.metrics, outcome.seed)
        films = [(tmp_path / name / outcome.artifacts["video"]).read_bytes() for name in ("a", "b")]
        assert films[0] == films[1]


def test_who_holds_still_stays() -> None:
    policy = HoldStill()
    policy.reset()
    first = policy.predict({"joints": START})
    drifted = policy.predict({"joints": START + 0.1})
    np.testing.assert_array_equal(first[0], START)
    np.testing.assert_array_equal(drifted, first)
    policy.reset()
    assert (policy.predict({"joints": START + 0.1}) != first).any()


def test_replays_begin_where_the_arm_stands_and_depend_on_the_start_alone() -> None:
    demonstrations = [np.tile(START + np.float32(0.01 * number), (60, 1)) for number in range(20)]
    policy = ReplayDemonstration(demonstrations)
    chosen = []
    for start in (START, START + np.float32(0.05), START):
        policy.reset()
        actions = policy.predict({"joints": start})
        np.testing.assert_allclose(actions[0], start, atol=1e-6)
        chosen.append(actions[-1])
    np.testing.assert_array_equal(chosen[0], chosen[2])
    assert (chosen[0] != chosen[1]).any()
    assert any((chosen[0] == demonstration[-1]).all() for demonstration in demonstrations)


def test_the_expert_is_no_entrant_where_it_cannot_see_everything() -> None:
    protocol = make_protocol("pour", "sprint")
    with pytest.raises(EntrantError, match="must see the whole bench"):
        run_trial(StandInRobot(), ScriptedExpert(), protocol.trials()[0], protocol)
    with pytest.raises(EntrantError, match="needs a simulated robot, got StandInRobot"):
        ScriptedExpert().for_trial(StandInRobot(), protocol.trials()[0])


def test_weights_that_changed_under_one_name_are_refused() -> None:
    task = make_task("pour", "sprint")
    first, second = (trial.id for trial in task.protocol.trials()[:2])
    metrics = {"reward_g": 1.0, "success": 1.0}
    outcomes = [
        Outcome(first, metrics, details={"policy": "a" * 32}),
        Outcome(second, metrics, details={"policy": "b" * 32}),
    ]
    assert task.scores(outcomes[:1])[0].value == 1.0
    with pytest.raises(DataError, match="Expected one policy in one run"):
        task.scores(outcomes)
