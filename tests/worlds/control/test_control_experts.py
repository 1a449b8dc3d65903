"""Experts: scripted ones succeed, planners improve on doing nothing, trained policies load safely."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pentathlon.core.errors import DataError
from pentathlon.core.identity import derive_seed
from pentathlon.engine import make_pool
from pentathlon.worlds.control import CONTROL_TASKS, ControlTask, control_task
from pentathlon.worlds.control.adroit import Pen
from pentathlon.worlds.control.experts import DISTURBANCES, expert_version, make_expert
from pentathlon.worlds.control.experts.evaluate import Job, evaluate, run_episode
from pentathlon.worlds.control.experts.objectives import OBJECTIVES
from pentathlon.worlds.control.experts.pen_task import PenBatch, observe, views_of
from pentathlon.worlds.control.experts.planner import Planner
from pentathlon.worlds.control.experts.policy import Network
from pentathlon.worlds.control.experts.relocate import FIRST_GUESS, Grasp, read_grasp, write_grasp
from pentathlon.worlds.control.experts.table import TRAINED, PlannerSettings, expert_score, make_planner
from pentathlon.worlds.control.suites import make_physics

SCRIPTED = [task for task in CONTROL_TASKS if task.suite in ("metaworld", "trifinger")]


@pytest.mark.parametrize("task", SCRIPTED, ids=lambda task: task.name)
def test_scripted_experts_succeed(task: ControlTask) -> None:
    result = run_episode(Job(task.name, 0))
    assert result.score >= 80.0


def play_planner(name: str, episode: int, steps: int) -> float:
    """The mean reward in percent of the planner from which a trained expert starts."""
    task = control_task(name)
    physics = make_physics(task)
    planner = make_planner(task, physics)
    seed = derive_seed("expert-evaluation", task.name, episode)
    physics.reset(np.random.default_rng(seed))
    planner.reset(np.random.default_rng(seed + 1))
    rewards = []
    for _ in range(steps):
        physics.step(planner.act())
        rewards.append(physics.reward())
    return 100.0 * float(np.mean(rewards))


def test_reacher_planner_holds_the_target() -> None:
    assert play_planner("dmcontrol-reacher-hard", 0, 120) > 50.0


@pytest.mark.parametrize(("task", "episode", "sitting"), [("stand", 3, 26.0), ("walk", 5, 14.0)])
def test_walker_planner_gets_up_from_where_it_used_to_sit(task: str, episode: int, sitting: float) -> None:
    assert play_planner(f"dmcontrol-walker-{task}", episode, 120) > 2 * sitting


@pytest.mark.parametrize("key", sorted(DISTURBANCES))
def test_trained_experts_of_dmcontrol_reach_their_floor(key: str) -> None:
    result = run_episode(Job(f"dmcontrol-{key}", 0))
    floor = control_task(f"dmcontrol-{key}").expert_floor
    assert floor is not None
    assert result.score > floor


@pytest.mark.parametrize("key", sorted(OBJECTIVES))
def test_every_objective_prefers_some_plans_and_stays_finite(key: str) -> None:
    physics = make_physics(control_task(f"dmcontrol-{key}"))
    seen = []

    def objective(rollouts: object) -> object:
        rewards = OBJECTIVES[key](rollouts)  # type: ignore[arg-type]
        seen.append(rewards)
        return rewards

    settings = PlannerSettings(horizon=4, knots=2, samples=6, noise=0.8, temperature=0.1)
    planner = Planner(physics, objective, settings)  # type: ignore[arg-type]
    physics.reset(np.random.default_rng(0))
    planner.reset(np.random.default_rng(1))
    action = planner.act()
    assert action.shape == (physics.action_size,)
    assert np.abs(action).max() <= 1.0
    assert seen[0].shape == (6, 4)
    assert np.isfinite(seen[0]).all()
    assert seen[0].std() > 0.0


def test_plans_do_not_depend_on_the_number_of_threads() -> None:
    actions = []
    for threads in (1, 2):
        physics = make_physics(control_task("dmcontrol-walker-walk"))
        expert = make_planner(control_task("dmcontrol-walker-walk"), physics, threads)
        physics.reset(np.random.default_rng(0))
        expert.reset(np.random.default_rng(1))
        actions.append(expert.act())
    np.testing.assert_array_equal(actions[0], actions[1])


def test_planning_leaves_the_world_alone() -> None:
    physics = make_physics(control_task("dmcontrol-walker-walk"))
    settings = PlannerSettings(horizon=3, knots=2, samples=2, noise=0.5, temperature=0.1, timestep_factor=2.5)
    planner = Planner(physics, OBJECTIVES["walker-walk"], settings)
    physics.reset(np.random.default_rng(0))
    before, timestep_s = physics.state(), physics.model.opt.timestep
    planner.reset(np.random.default_rng(1))
    planner.act()
    np.testing.assert_array_equal(physics.state(), before)
    assert physics.model.opt.timestep == timestep_s


def test_many_hands_step_as_one_does() -> None:
    physics = make_physics(control_task("adroit-pen"))
    assert isinstance(physics, Pen)
    batch = PenBatch(physics, hands=2, threads=1)
    batch.reset(np.random.default_rng(3))
    actions = np.random.default_rng(4).uniform(-0.3, 0.3, (5, 24))
    for action in actions:
        views = batch.step(np.stack([action, -action]))
    physics.reset(np.random.default_rng(3))
    for action in actions:
        physics.step(action)
    alone = views_of(physics)
    np.testing.assert_allclose(views.joints[0], alone.joints, atol=1e-6)
    np.testing.assert_allclose(views.goal_axis[0], alone.goal_axis, atol=1e-12)
    assert observe(views).shape == (2, 45)
    assert np.abs(views.joints[0] - views.joints[1]).max() > 1e-3


def test_a_network_computes_tanh_layers(tmp_path: Path) -> None:
    path = tmp_path / "policy.npz"
    np.savez(
        path,
        mean=np.array([1.0, 0.0]),
        deviation=np.array([2.0, 1.0]),
        weight_0=np.array([[1.0, -1.0]]),
        bias_0=np.array([0.5]),
        weight_1=np.array([[0.3], [4.0]]),
        bias_1=np.array([0.0, 0.0]),
    )
    hidden = np.tanh((3.0 - 1.0) / 2.0 - 0.25 + 0.5)
    np.testing.assert_allclose(Network(path, 2, 2)(np.array([3.0, 0.25])), [0.3 * hidden, 1.0])
    with pytest.raises(DataError, match="maps 2 numbers to 2: expected 3 to 2"):
        Network(path, 3, 2)
    path.write_bytes(b"junk")
    with pytest.raises(DataError, match="is no policy"):
        Network(path, 2, 2)


def test_the_pen_policy_holds_some_pens() -> None:
    results = [run_episode(Job("adroit-pen", episode)) for episode in range(8)]
    assert sum(result.score for result in results) >= 200.0


def test_versions_follow_from_settings_and_weights(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    task = control_task("dmcontrol-walker-walk")
    trained = expert_version(task)
    monkeypatch.setitem(DISTURBANCES, "walker-walk", 0.5)
    disturbed = expert_version(task)
    (tmp_path / "other.npz").write_bytes(b"other weights")
    monkeypatch.setitem(TRAINED, "walker-walk", tmp_path / "other.npz")
    other = expert_version(task)
    assert len({trained, disturbed, other}) == 3
    relocate = control_task("adroit-relocate")
    script = expert_version(relocate)
    (tmp_path / "grasp.json").write_text("another grasp")
    monkeypatch.setattr("pentathlon.worlds.control.experts.table.GRASP", tmp_path / "grasp.json")
    assert expert_version(relocate) != script


@pytest.mark.parametrize("task", CONTROL_TASKS, ids=lambda task: task.name)
def test_the_ceiling_that_is_shown_is_what_the_expert_reaches(task: ControlTask) -> None:
    shown = expert_score(task)
    assert shown is not None
    reached = np.mean([run_episode(Job(task.name, episode)).score for episode in range(4)])
    # Of the hand's episodes a tenth fails, so four of them say little.
    assert reached == pytest.approx(shown, abs=40.0 if task.suite == "adroit" else 6.0)


def test_the_script_of_relocate_has_no_memory() -> None:
    physics = make_physics(control_task("adroit-relocate"))
    expert = make_expert(control_task("adroit-relocate"), physics)
    physics.reset(np.random.default_rng(3))
    expert.reset(np.random.default_rng(0))
    for _ in range(60):
        physics.step(expert.act())
    stranger = make_expert(control_task("adroit-relocate"), physics)
    np.testing.assert_array_equal(stranger.act(), expert.act())


def test_a_grasp_comes_back_from_its_file(tmp_path: Path) -> None:
    write_grasp(tmp_path / "grasp.json", FIRST_GUESS)
    assert read_grasp(tmp_path / "grasp.json") == FIRST_GUESS
    assert Grasp.from_array(FIRST_GUESS.to_array()) == FIRST_GUESS


def test_tuning_writes_a_grasp_that_was_played(tmp_path: Path) -> None:
    from pentathlon.learning.reinforcement.settings import RelocateExpertSettings
    from pentathlon.learning.reinforcement.tune_relocate import Played, tune

    tune(RelocateExpertSettings(out=tmp_path / "grasp.json", iterations=1, samples=5, episodes=1))
    assert read_grasp(tmp_path / "grasp.json") != FIRST_GUESS
    assert Played(80, 60, 0.0, 0.0).merit == 1.3
    assert Played(0, 0, 1.0, 1.0).merit == pytest.approx(-0.3)


def test_experts_not_measured_at_a_length_have_no_ceiling() -> None:
    assert expert_score(replace(control_task("dmcontrol-walker-walk"), horizon=7)) is None


def test_what_was_measured_is_not_measured_again(tmp_path: Path) -> None:
    task, told = control_task("trifinger-reach-cube"), []
    first = evaluate(task, range(2), root=tmp_path, tell=told.append)
    again = evaluate(task, range(3), root=tmp_path, pool=make_pool(2), tell=told.append)
    assert again[:2] == first == told[:2]
    assert [result.episode for result in told] == [0, 1, 2]
    assert replace(run_episode(Job(task.name, 2)), cpu_s=0.0) == replace(again[2], cpu_s=0.0)
    assert evaluate(task, range(1), steps=2, root=tmp_path)[0].score != first[0].score
