"""Act's bench in random states, to learn places from: training containers and materials, anywhere within reach."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import mujoco
import numpy as np

from pentathlon.core.errors import UsageError
from pentathlon.worlds.tabletop.arm.kinematics import ArmKinematics, Pose
from pentathlon.worlds.tabletop.arm.model import LIMITS_RAD
from pentathlon.worlds.tabletop.arm.robot import JOINTS, TaskName
from pentathlon.worlds.tabletop.bench.lights import set_lights
from pentathlon.worlds.tabletop.bench.scene import CAMERA, CONTAINER_BODY, Scene, build_scene
from pentathlon.worlds.tabletop.bench.settling import place_grains, settled_grains
from pentathlon.worlds.tabletop.bench.tables import containers, materials

CONTAINER_M: Final = ((0.45, -0.28), (0.70, 0.28))
TOOL_M: Final = ((0.40, -0.35, 0.08), (0.70, 0.35, 0.42))
LEVEL_M: Final = (0.50, 0.0, 0.25)
HEADING_RAD: Final = 0.5
JOINT_NOISE_RAD: Final = 0.35
COLOURS: Final = (0.05, 0.95)
SIZE: Final = (320, 240)
"""Width and height of act's lite pictures."""


class BenchState(NamedTuple):
    """A bench to draw, and which of its bodies are no grains."""

    model: Any
    data: Any
    camera: str
    bodies: Any


def bench_states(task: TaskName, count: int, rng: np.random.Generator) -> Iterator[BenchState]:
    """Yields ``count`` states of one bench: one training container in any colours, one training material."""
    vessels, stuffs = containers(task, training=True), materials(task, training=True)
    container, material = vessels[int(rng.integers(len(vessels)))], stuffs[int(rng.integers(len(stuffs)))]
    scene, arm = build_scene(container, material), ArmKinematics()
    data = mujoco.MjData(scene.model)
    level = _joints(scene, arm, LEVEL_M, 0.0)
    grains = settled_grains(scene, material.name, level)
    bodies = np.setdiff1d(np.arange(1, scene.model.nbody), scene.grain_bodies)
    for _ in range(count):
        set_lights(scene.model, rng)
        scene.model.body(CONTAINER_BODY).pos[:2] = rng.uniform(*CONTAINER_M)
        # Those of the trials have other colours than those of training.
        scene.model.material("container").rgba[:3] = rng.uniform(*COLOURS, 3)
        moved = _reachable_joints(scene, arm, rng) + rng.normal(size=JOINTS) * JOINT_NOISE_RAD * rng.random() ** 2
        data.qpos[:JOINTS] = np.clip(moved, *LIMITS_RAD.T)
        mujoco.mj_kinematics(scene.model, data)
        place_grains(scene, data, scene.source_pose(data), grains)
        mujoco.mj_fwdPosition(scene.model, data)
        yield BenchState(scene.model, data, CAMERA, bodies)


def _reachable_joints(scene: Scene, arm: ArmKinematics, rng: np.random.Generator) -> Any:
    """Draws until the arm reaches; nearly all draws are within reach."""
    while True:
        try:
            return _joints(scene, arm, rng.uniform(*TOOL_M), float(rng.uniform(-HEADING_RAD, HEADING_RAD)))
        except UsageError:
            continue


def _joints(scene: Scene, arm: ArmKinematics, place_m: Any, heading_rad: float) -> Any:
    cosine, sine = np.cos(heading_rad), np.sin(heading_rad)
    rotation = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
    return arm.solve(scene.tool.gripper_for(Pose(np.asarray(place_m, np.float64), rotation)))
