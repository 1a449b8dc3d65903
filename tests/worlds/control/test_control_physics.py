"""Our physics against the suites' own environments, and states that restore exactly."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from pentathlon.core.errors import DataError, UsageError
from pentathlon.worlds.control import CONTROL_TASKS, ControlTask, control_task
from pentathlon.worlds.control.adroit import AdroitPhysics
from pentathlon.worlds.control.metaworld import MetaWorldPhysics
from pentathlon.worlds.control.physics import Physics, advance
from pentathlon.worlds.control.suites import export_model, load_model, make_physics
from pentathlon.worlds.control.trifinger import PushCube

DMCONTROL = [task for task in CONTROL_TASKS if task.suite == "dmcontrol"]


def _wander(physics: Physics, steps: int, seed: int = 3) -> None:
    generator = np.random.default_rng(seed)
    for _ in range(steps):
        physics.step(generator.uniform(-1.0, 1.0, physics.action_size))


@pytest.mark.parametrize("task", DMCONTROL, ids=lambda task: task.key)
def test_dmcontrol_moves_and_rewards_as_the_suite_does(task: ControlTask) -> None:
    from dm_control import suite

    domain, name = task.key.split("-")
    theirs = suite.load(domain, name, task_kwargs={"random": 5})
    theirs.reset()
    ours = make_physics(task)
    ours.reset(np.random.default_rng(0))
    for array in ("geom_size", "geom_pos", "dof_damping"):
        getattr(ours.model, array)[:] = getattr(theirs.physics.model.ptr, array)
    ours.data.qpos[:], ours.data.qvel[:] = theirs.physics.data.qpos, theirs.physics.data.qvel
    mujoco.mj_forward(ours.model, ours.data)
    generator = np.random.default_rng(1)
    for _ in range(20):
        action = generator.uniform(-1.0, 1.0, ours.action_size)
        reward = theirs.step(action).reward
        ours.step(action)
        np.testing.assert_allclose(ours.data.qpos, theirs.physics.data.qpos, atol=1e-7)
        assert ours.reward() == pytest.approx(reward, abs=1e-6)


@pytest.mark.parametrize("key", ["pen", "relocate"])
def test_adroit_moves_and_succeeds_as_gymnasium_robotics_does(key: str) -> None:
    from gymnasium_robotics.envs.adroit_hand.adroit_pen import AdroitHandPenEnv
    from gymnasium_robotics.envs.adroit_hand.adroit_relocate import AdroitHandRelocateEnv

    theirs = {"pen": AdroitHandPenEnv, "relocate": AdroitHandRelocateEnv}[key]()
    theirs.reset(seed=4)
    ours = make_physics(control_task(f"adroit-{key}"))
    assert isinstance(ours, AdroitPhysics)
    ours.reset(np.random.default_rng(0))
    for array in ("body_pos", "body_quat", "site_pos"):
        getattr(ours.model, array)[:] = getattr(theirs.model, array)
    mujoco.mj_forward(ours.model, ours.data)
    generator = np.random.default_rng(1)
    for _ in range(20):
        action = generator.uniform(-1.0, 1.0, ours.action_size)
        observation, _, _, _, info = theirs.step(action)
        ours.step(action)
        np.testing.assert_allclose(ours.data.qpos, theirs.data.qpos, atol=1e-6)
        np.testing.assert_allclose(ours.proprio(), observation[: ours.proprio_size], atol=1e-6)
        assert ours.achieved() == bool(info["success"])


def test_pen_targets_turn_as_gymnasium_robotics_turns_them() -> None:
    from gymnasium_robotics.utils.rotations import euler2quat

    physics = make_physics(control_task("adroit-pen"))
    physics.reset(np.random.default_rng(8))
    tilt = np.random.default_rng(8).uniform(-1.0, 1.0, 2)
    expected = euler2quat(np.array([*tilt, 0.0]))
    quaternion = physics.model.body("target").quat
    assert abs(float(quaternion @ expected)) == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("task", CONTROL_TASKS, ids=lambda task: task.name)
def test_a_seed_fixes_the_episode_and_states_restore_it(task: ControlTask) -> None:
    physics, other = make_physics(task), make_physics(task)
    other.reset(np.random.default_rng(99))
    _wander(other, 2)
    for each in (physics, other):
        each.reset(np.random.default_rng(7))
        _wander(each, 3)
    np.testing.assert_array_equal(physics.state(), other.state())
    kept, proprio = physics.state(), physics.proprio()
    physics.reset(np.random.default_rng(7))
    physics.set_state(kept)
    np.testing.assert_array_equal(physics.state()[1:], kept[1:])
    np.testing.assert_allclose(physics.proprio(), proprio, atol=1e-9)
    if isinstance(physics, MetaWorldPhysics):
        assert isinstance(other, MetaWorldPhysics)
        np.testing.assert_allclose(physics.observation[:18], other.observation[:18], atol=1e-9)
        np.testing.assert_array_equal(physics.observation[36:], other.observation[36:])


def test_different_seeds_give_different_layouts() -> None:
    for task in CONTROL_TASKS:
        physics = make_physics(task)
        layouts = []
        for seed in (0, 1):
            physics.reset(np.random.default_rng(seed))
            parts = (physics.model.body_pos, physics.model.body_quat, physics.model.site_pos, physics.model.geom_pos)
            layouts.append(np.concatenate([physics.data.qpos, *(part.ravel() for part in parts)]))
        assert np.abs(layouts[0] - layouts[1]).max() > 1e-3, task.name


def test_advance_leaves_what_a_forward_pass_would_compute() -> None:
    physics = make_physics(control_task("dmcontrol-walker-walk"))
    physics.reset(np.random.default_rng(0))
    advance(physics.model, physics.data, 4)
    positions, sensors = physics.data.xpos.copy(), physics.data.sensordata.copy()
    mujoco.mj_forward(physics.model, physics.data)
    np.testing.assert_allclose(physics.data.xpos, positions, atol=1e-12)
    np.testing.assert_allclose(physics.data.sensordata, sensors, atol=1e-9)


def test_trifinger_follows_fingertip_displacements() -> None:
    physics = make_physics(control_task("trifinger-push-cube"))
    assert isinstance(physics, PushCube)
    physics.reset(np.random.default_rng(0))
    before_m = physics.tips_m()
    action = np.zeros(9)
    action[2::3] = 0.5
    physics.step(action)
    moved_m = physics.tips_m() - before_m
    np.testing.assert_allclose(moved_m, np.tile([0.0, 0.0, 0.04], (3, 1)), atol=0.004)


def test_push_score_is_the_share_of_the_way() -> None:
    physics = make_physics(control_task("trifinger-push-cube"))
    assert isinstance(physics, PushCube)
    physics.reset(np.random.default_rng(0))
    assert physics.score() == pytest.approx(0.0, abs=1e-9)
    halfway_m = (physics.cube_m() + physics.goal_m()) / 2
    physics.data.qpos[9:11] = halfway_m[:2]
    mujoco.mj_forward(physics.model, physics.data)
    assert physics.score() == pytest.approx(0.5, abs=1e-3)


def test_exported_models_load_without_the_suite(tmp_path: object) -> None:
    from pathlib import Path

    folder = Path(str(tmp_path))
    task = control_task("dmcontrol-finger-spin")
    export_model(task, folder)
    physics = make_physics(task, load_model(task, folder))
    physics.reset(np.random.default_rng(0))
    assert physics.action_size == 2
    (folder / f"{task.name}.mjb").write_bytes(b"not a model")
    with pytest.raises(DataError, match="Export it again"):
        load_model(task, folder)
    with pytest.raises(UsageError, match="cannot be exported"):
        export_model(control_task("metaworld-hammer"), folder)
