"""The bench as a MuJoCo model: table, arm, tool, container, grains, camera and lights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import mujoco
import numpy as np

from pentathlon.worlds.modelling.textures import tile
from pentathlon.worlds.rendering.look_at import look_at_quaternion
from pentathlon.worlds.tabletop.arm.kinematics import Pose
from pentathlon.worlds.tabletop.arm.model import arm_spec
from pentathlon.worlds.tabletop.arm.robot import CONTROL_HZ, TaskName
from pentathlon.worlds.tabletop.bench.tables import Container, Grain, Material
from pentathlon.worlds.tabletop.bench.tools import TOOL_BODY, TOOLS, Tool, add_tool
from pentathlon.worlds.tabletop.bench.vessels import Vessel, add_drawing

SUBSTEPS: Final = 8
CAMERA: Final = "bench"
CONTAINER_BODY: Final = "container"
CAMERA_POSITION_M: Final = (1.34, 0.42, 0.62)
CAMERA_TARGET_M: Final = (0.40, 0.02, 0.17)
CAMERA_FOVY_DEG: Final = 42.5
"""Of an Intel RealSense D435's colour camera."""

_GRAIN_BITS: Final = {"contype": 1, "conaffinity": 1}
_STILL_BITS: Final = {"contype": 0, "conaffinity": 3}
_SHAPES: Final = {
    "sphere": mujoco.mjtGeom.mjGEOM_SPHERE,
    "capsule": mujoco.mjtGeom.mjGEOM_CAPSULE,
    "box": mujoco.mjtGeom.mjGEOM_BOX,
    "ellipsoid": mujoco.mjtGeom.mjGEOM_ELLIPSOID,
}


@dataclass(frozen=True, eq=False)
class Scene:
    """A compiled bench.

    Attributes:
        container: the target cup or the bowl, as grains see it.
        tool: what the gripper holds.
        grain_bodies: ids of the grains' bodies.
        grain_start: first position index of the first grain's free joint; the others follow by sevens.
    """

    model: mujoco.MjModel
    task: TaskName
    container: Vessel
    tool: Tool
    grain_bodies: tuple[int, ...]
    grain_start: int

    @property
    def source(self) -> Vessel:
        """The vessel that holds the grains at first: the held cup, or the bowl."""
        return self.tool.vessel if self.task == "pour" else self.container

    def source_pose(self, data: mujoco.MjData) -> Pose:
        """Where that vessel is."""
        return self.tool_pose(data) if self.task == "pour" else self.container_pose(data)

    def tool_pose(self, data: mujoco.MjData) -> Pose:
        """Where the held cup or spoon is."""
        return _pose(data, TOOL_BODY)

    def container_pose(self, data: mujoco.MjData) -> Pose:
        """Where the target cup or the bowl is."""
        return _pose(data, CONTAINER_BODY)


def _pose(data: mujoco.MjData, body: str) -> Pose:
    found = data.body(body)
    return Pose(found.xpos.copy(), found.xmat.reshape(3, 3).copy())


def grain_name(number: int) -> str:
    """Name of a grain's body."""
    return f"grain{number}"


def build_scene(container: Container, material: Material) -> Scene:
    """Compiles the bench for one container and one material."""
    tool, vessel = TOOLS[container.task], Vessel(container.profile_m, container.sides)
    spec = arm_spec(tool.opening_m)
    _set_physics(spec)
    _add_room(spec)
    add_tool(spec, tool, material.friction)
    _add_container(spec, container, vessel, material.friction)
    for number in range(material.count):
        _add_grain(spec, number, material.grains[number % len(material.grains)], material)
    model = spec.compile()
    bodies = tuple(model.body(grain_name(number)).id for number in range(material.count))
    _damp_spin(model, bodies)
    start = int(model.jnt_qposadr[model.body_jntadr[bodies[0]]])
    return Scene(model, container.task, vessel, tool, bodies, start)


def _set_physics(spec: mujoco.MjSpec) -> None:
    spec.option.timestep = 1.0 / (CONTROL_HZ * SUBSTEPS)
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    # Conjugate gradients: twice as fast as Newton's method on heaps of grains, and as calm if it may take many steps.
    spec.option.solver = mujoco.mjtSolver.mjSOL_CG
    spec.option.iterations = 100
    spec.option.tolerance = 1e-6
    spec.option.ccd_tolerance = 1e-4


def _add_room(spec: mujoco.MjSpec) -> None:
    world = spec.worldbody
    _add_wood(spec)
    spec.add_material(name="floor", rgba=[0.42, 0.43, 0.45, 1.0], specular=0.0)
    spec.add_material(name="wall", rgba=[0.72, 0.75, 0.78, 1.0], specular=0.0)
    world.add_geom(
        name="table", type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.60, 0.72, 0.02], pos=[0.36, 0.0, -0.02],
        material="table", **_STILL_BITS,
    )  # fmt: skip
    world.add_geom(
        name="floor", type=mujoco.mjtGeom.mjGEOM_PLANE, size=[3.0, 4.0, 0.1], pos=[1.5, 0.0, -0.75],
        material="floor", **_STILL_BITS,
    )  # fmt: skip
    world.add_geom(
        name="wall", type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.02, 4.0, 1.5], pos=[-1.2, 0.0, 0.75],
        material="wall", contype=0, conaffinity=0,
    )  # fmt: skip
    world.add_light(name="lamp", pos=[0.8, 0.8, 1.8], dir=[-0.3, -0.5, -1.0], diffuse=[0.6] * 3, specular=[0.3] * 3)
    world.add_light(name="window", pos=[0.5, -1.2, 1.6], dir=[0.0, 0.7, -1.0], diffuse=[0.3] * 3, specular=[0.1] * 3)
    world.add_camera(
        name=CAMERA, pos=CAMERA_POSITION_M, quat=look_at_quaternion(CAMERA_POSITION_M, CAMERA_TARGET_M),
        fovy=CAMERA_FOVY_DEG,
    )  # fmt: skip


def _add_wood(spec: mujoco.MjSpec) -> None:
    grain = tile("wood")
    height, width, channels = grain.pixels.shape
    texture = spec.add_texture(name="wood", type=mujoco.mjtTexture.mjTEXTURE_2D)
    texture.width, texture.height, texture.nchannel = width, height, channels
    texture.data = grain.pixels.tobytes()
    table = spec.add_material(name="table", rgba=[0.86, 0.74, 0.58, 1.0], specular=0.15, shininess=0.3)
    table.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = "wood"
    table.texrepeat, table.texuniform = [2.0, 2.0], True


def _add_container(spec: mujoco.MjSpec, container: Container, vessel: Vessel, friction: float) -> None:
    body = spec.worldbody.add_body(name=CONTAINER_BODY, pos=[0.5, 0.0, vessel.floor_m])
    spec.add_material(name="container", rgba=[*container.colour, 1.0], specular=0.4, shininess=0.5)
    vessel.add_plates(body, **_STILL_BITS, friction=friction)
    add_drawing(spec, body, vessel.mesh(), "container", "container")


def _add_grain(spec: mujoco.MjSpec, number: int, grain: Grain, material: Material) -> None:
    body = spec.worldbody.add_body(name=grain_name(number), pos=[0.3, 0.0, 0.5 + 0.03 * number])
    body.add_freejoint(name=grain_name(number))
    size = [*grain.size_m, 0.0, 0.0][:3]
    body.add_geom(
        type=_SHAPES[grain.shape], size=size, rgba=[*grain.colour, 1.0], density=material.density_kg_m3,
        friction=[material.friction, 0.005, 0.0001], solref=[0.01, 1.0], **_GRAIN_BITS,
    )  # fmt: skip


def _damp_spin(model: mujoco.MjModel, bodies: tuple[int, ...]) -> None:
    """Makes grains lose their spin within a fraction of a second, as real ones do that are not perfectly round."""
    for body in bodies:
        first = int(model.body_dofadr[body])
        inertia = float(np.mean(model.body_inertia[body]))
        model.dof_damping[first + 3 : first + 6] = 8.0 * inertia
