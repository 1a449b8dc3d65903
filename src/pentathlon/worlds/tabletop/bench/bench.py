"""One simulated bench: set up from a seed, moved by joint targets, weighed at any time."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import mujoco
import numpy as np
import numpy.typing as npt

from pentathlon.worlds.tabletop.arm.kinematics import ArmKinematics, Pose
from pentathlon.worlds.tabletop.arm.robot import JOINTS, Setup, TaskName
from pentathlon.worlds.tabletop.bench.lights import set_lights
from pentathlon.worlds.tabletop.bench.scene import CONTAINER_BODY, SUBSTEPS, Scene, build_scene
from pentathlon.worlds.tabletop.bench.settling import place_grains, settled_grains, turned
from pentathlon.worlds.tabletop.bench.tables import CONTAINERS, JITTER_M, LOCATIONS, MATERIALS

Floats = npt.NDArray[np.float64]

HEAP_M: Final = 0.012
"""Grains whose middle is this far above a rim still count as inside."""
LIFT_M: Final = 0.01
"""Scooped grains count once they are this far above the bowl's rim."""
_CALM_PERIODS: Final = 10


class _StartBox(NamedTuple):
    """Middle and half extent of the tool's place at the start, in metres, and half extent of its heading."""

    middle_m: tuple[float, float, float]
    half_m: tuple[float, float, float]
    heading_rad: float


_STARTS: Final[dict[TaskName, _StartBox]] = {
    "pour": _StartBox((0.45, 0.0, 0.27), (0.04, 0.08, 0.03), 0.30),
    "scoop": _StartBox((0.55, 0.0, 0.22), (0.04, 0.08, 0.03), 0.30),
}


class Bench:
    """The physics of a bench with one container and one material; ``prepare`` may be called again and again."""

    def __init__(self, container: str, material: str) -> None:
        self.scene: Scene = build_scene(CONTAINERS[container], MATERIALS[material])
        self.data = mujoco.MjData(self.scene.model)
        self._material = material
        self._kinematics = ArmKinematics()
        self._grains_g = 1000.0 * self.scene.model.body_mass[list(self.scene.grain_bodies)]

    def prepare(self, setup: Setup) -> None:
        """Sets the bench up: container, grains, start pose and light all follow from the setup."""
        scene, data = self.scene, self.data
        _, start, grains, light = _streams(setup)
        mujoco.mj_resetData(scene.model, data)
        settled = settled_grains(scene, self._material, self._start_joints(_STARTS[scene.task].middle_m, 0.0))
        scene.model.body(CONTAINER_BODY).pos[:2] = container_place_m(setup)
        set_lights(scene.model, light)
        data.qpos[:JOINTS] = data.ctrl[:] = self._sample_start(start)
        mujoco.mj_kinematics(scene.model, data)
        side = 2 * math.pi / scene.source.sides
        place_grains(
            scene, data, scene.source_pose(data), turned(settled, side * int(grains.integers(scene.source.sides)))
        )
        for _ in range(_CALM_PERIODS * SUBSTEPS):
            mujoco.mj_step(scene.model, data)
        data.time = 0.0

    @property
    def joints_rad(self) -> Floats:
        """The measured joint angles."""
        joints: Floats = self.data.qpos[:JOINTS].copy()
        return joints

    def substep(self, joint_targets_rad: Floats) -> None:
        """Follows the targets for one physics step, the ``SUBSTEPS``-th part of a control period."""
        self.data.ctrl[:] = joint_targets_rad
        mujoco.mj_step(self.scene.model, self.data)

    def grams(self) -> float:
        """What was transferred: grains in the target cup, or in the spoon and lifted clear of the bowl."""
        scene, data = self.scene, self.data
        places = data.xpos[list(scene.grain_bodies)]
        container = scene.container_pose(data)
        if scene.task == "pour":
            counted = scene.container.holds(_seen_from(container, places), heap_m=HEAP_M)
        else:
            held = scene.tool.vessel.holds(_seen_from(scene.tool_pose(data), places), heap_m=HEAP_M)
            counted = held & (places[:, 2] > container.position_m[2] + scene.container.height_m + LIFT_M)
        return float(self._grains_g[counted].sum())

    def _sample_start(self, generator: np.random.Generator) -> Floats:
        box = _STARTS[self.scene.task]
        place = np.array(box.middle_m) + generator.uniform(-1.0, 1.0, 3) * box.half_m
        return self._start_joints(place, float(generator.uniform(-box.heading_rad, box.heading_rad)))

    def _start_joints(self, place_m: npt.ArrayLike, heading_rad: float) -> Floats:
        """Returns joints that hold the tool level at a place, turned about the vertical."""
        cosine, sine = math.cos(heading_rad), math.sin(heading_rad)
        rotation = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
        return self._kinematics.solve(self.scene.tool.gripper_for(Pose(np.array(place_m, np.float64), rotation)))


def _seen_from(frame: Pose, places_m: Floats) -> Floats:
    seen: Floats = (places_m - frame.position_m) @ frame.rotation
    return seen


def container_place_m(setup: Setup) -> Floats:
    """Returns where the setup's container stands, x and y: its location, displaced by the seed."""
    location = LOCATIONS[setup.location]
    displaced: Floats = _streams(setup)[0].uniform(-JITTER_M, JITTER_M, 2)
    return np.array([location.x_m, location.y_m]) + displaced


def _streams(setup: Setup) -> list[np.random.Generator]:
    """For the container's place, the start pose, the grains and the light."""
    return [np.random.default_rng(part) for part in np.random.SeedSequence(setup.seed).spawn(4)]
