"""The TriFinger Pro robot, its arena and a coloured cube as a MuJoCo model.

Kinematics, inertias and meshes come from robot_properties_fingers 2.0.2 (BSD-3-Clause, licence in ``assets``), the
camera's place and lens from trifinger_simulation 2.0.0 (BSD-3-Clause). Collision shapes, arena walls and joint
friction are ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from pentathlon.worlds.rendering.look_at import look_at_quaternion

FINGERS = 3
TIMESTEP_S = 0.004
CUBE_HALF_WIDTH_M = 0.0325
TIP_RADIUS_M = 0.01
ARENA_RADIUS_M = 0.195

_SHELL, _DARK, _TIP = (0.804, 0.764, 0.761, 1.0), (0.17, 0.17, 0.17, 1.0), (0.33, 0.36, 0.37, 1.0)
_CUBE_FACES = {  # Direction of each face and its colour, as on the real cube.
    (1.0, 0.0, 0.0): (0.85, 0.1, 0.1, 1.0),
    (-1.0, 0.0, 0.0): (0.1, 0.65, 0.2, 1.0),
    (0.0, 1.0, 0.0): (0.1, 0.25, 0.8, 1.0),
    (0.0, -1.0, 0.0): (0.95, 0.8, 0.1, 1.0),
    (0.0, 0.0, 1.0): (0.9, 0.4, 0.75, 1.0),
    (0.0, 0.0, -1.0): (0.1, 0.75, 0.8, 1.0),
}
_BOUNDARY_PROFILE_M = ((0.195, 0.0), (0.195, 0.025), (0.222, 0.038), (0.25, 0.107), (0.282, 0.175))


@dataclass(frozen=True)
class _Link:
    name: str
    place_m: tuple[float, float, float]
    axis: tuple[float, float, float]
    range_rad: tuple[float, float]
    mass_kg: float
    centre_m: tuple[float, float, float]
    inertia: tuple[float, float, float, float, float, float]
    capsule: tuple[float, ...]
    capsule_radius_m: float


_LINKS = (
    _Link(
        "upper", (0.0, 0.0, 0.0), (0.0, 1.0, 0.0), (-0.33, 1.0), 0.26689, (0.006, 0.122, 0.0),
        (0.00102362, 0.0000645, 0.00102225, 0.00000889, -0.00000019, 0.00000106),
        (0.0, 0.045, 0.0, 0.0, 0.22, 0.0), 0.022,
    ),
    _Link(
        "middle", (0.01685, 0.0505, 0.0), (1.0, 0.0, 0.0), (0.0, 1.57), 0.27163, (0.03935008, -0.00012438, -0.08666705),
        (0.0009406, 0.00094824, 0.00007573, -0.00000046, -0.00003479, 0.00000164),
        (0.025, 0.0, 0.0, 0.025, 0.0, -0.16), 0.02,
    ),
    _Link(
        "lower", (0.05015, 0.0, -0.16), (1.0, 0.0, 0.0), (-2.7, 0.0), 0.06489, (0.01671, -0.0000094, -0.05862),
        (0.00029, 0.00029, 0.0000072, 0.0, -0.00001, 0.0),
        (0.0138, 0.0, 0.0, 0.019, 0.0, -0.14), 0.009,
    ),
)  # fmt: skip


def build_model() -> Any:
    """Compiles the robot with its arena, the cube, a marker of the goal and camera ``camera60``."""
    spec = mujoco.MjSpec()
    spec.compiler.degree = False
    spec.option.timestep = TIMESTEP_S
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    spec.option.impratio = 10.0
    _add_meshes(spec)
    _add_arena(spec)
    for finger in range(FINGERS):
        _add_finger(spec, finger)
    _add_cube(spec)
    return spec.compile()


def _add_meshes(spec: Any) -> None:
    with np.load(Path(__file__).with_name("assets") / "trifinger_pro.npz") as meshes:
        for name in ("holder", "upper", "middle", "lower", "tip", "motor"):
            vertices = meshes[f"{name}_vertices_um10"].astype(np.float64) * 1e-5
            faces = meshes[f"{name}_faces"].astype(np.int32)
            spec.add_mesh(name=name, uservert=vertices.ravel(), userface=faces.ravel())
    vertices, faces = _lathe(_BOUNDARY_PROFILE_M, segments=72)
    spec.add_mesh(name="boundary", uservert=vertices.ravel(), userface=faces.ravel())


def _lathe(profile_m: tuple[tuple[float, float], ...], segments: int) -> tuple[Any, Any]:
    """Turns (radius, height) points about z into a surface seen from inside; a copy 2 mm behind closes it."""
    inner = np.array(profile_m)
    outline = np.concatenate([inner, inner[::-1] + np.array([0.002, 0.0])])
    angles = np.linspace(0.0, 2.0 * np.pi, segments, endpoint=False)
    ring = np.stack([np.cos(angles), np.sin(angles)], -1)
    points = [np.column_stack([radius * ring, np.full(segments, height)]) for radius, height in outline]
    rows, columns = len(outline), np.arange(segments)
    after = (columns + 1) % segments
    faces = []
    for row in range(rows):
        low, high = row * segments, (row + 1) % rows * segments
        faces += [np.stack([low + columns, high + columns, high + after], -1)]
        faces += [np.stack([low + columns, high + after, low + after], -1)]
    return np.concatenate(points), np.concatenate(faces).astype(np.int32)


def _add_arena(spec: Any) -> None:
    world = spec.worldbody
    world.add_light(pos=(0.3, 0.3, 1.5), dir=(-0.2, -0.2, -1.0), diffuse=(0.6, 0.6, 0.6), specular=(0.1, 0.1, 0.1))
    spec.visual.headlight.ambient[:] = 0.35
    spec.visual.headlight.diffuse[:] = 0.35
    world.add_geom(name="floor", type=mujoco.mjtGeom.mjGEOM_PLANE, size=(1, 1, 0.01), rgba=(0.31, 0.27, 0.25, 1))
    _add_visual(world, "boundary", (0.95, 0.95, 0.95, 1.0))
    for angle in np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False):
        place = (ARENA_RADIUS_M + 0.01) * np.array([np.cos(angle), np.sin(angle), 0.0]) + np.array([0.0, 0.0, 0.03])
        quaternion = (np.cos(angle / 2), 0.0, 0.0, np.sin(angle / 2))
        world.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=(0.01, 0.03, 0.03), pos=place, quat=quaternion, group=3)
    world.add_camera(
        name="camera60",
        pos=(0.25, 0.246, 0.389),
        quat=look_at_quaternion((0.25, 0.246, 0.389), (0.005, 0.001, 0.0)),
        fovy=49.1,
    )
    goal = world.add_body(name="goal")
    goal.add_geom(
        name="goal", type=mujoco.mjtGeom.mjGEOM_BOX, size=(CUBE_HALF_WIDTH_M, CUBE_HALF_WIDTH_M, 0.001),
        pos=(0.0, 0.0, 0.0015), contype=0, conaffinity=0, rgba=(0.2, 0.9, 0.3, 1.0),
    )  # fmt: skip


def _add_finger(spec: Any, finger: int) -> None:
    angle = -finger * 2.0 * np.pi / FINGERS
    body = spec.worldbody.add_body(
        name=f"base_{finger}", pos=(0.0, 0.0, 0.29), quat=(np.cos(angle / 2), 0.0, 0.0, np.sin(angle / 2))
    )
    _add_visual(body, "holder", _DARK)
    for link in _LINKS:
        body = _add_link(body, link, finger)
        motor = spec.add_actuator(name=f"{link.name}_{finger}", target=f"{link.name}_{finger}")
        motor.trntype = mujoco.mjtTrn.mjTRN_JOINT
    tip = body.add_body(name=f"tip_{finger}", pos=(0.019, 0.0, -0.16))
    _add_visual(tip, "tip", _TIP)
    tip.add_geom(
        name=f"tip_{finger}", type=mujoco.mjtGeom.mjGEOM_SPHERE, size=(TIP_RADIUS_M, 0, 0), mass=0.0,
        friction=(1.0, 0.005, 0.0001), condim=4, group=3,
    )  # fmt: skip
    tip.add_site(name=f"tip_{finger}", size=(0.001, 0.001, 0.001), group=3)


def _add_link(parent: Any, link: _Link, finger: int) -> Any:
    body = parent.add_body(name=f"{link.name}_{finger}", pos=link.place_m)
    body.mass, body.ipos, body.fullinertia, body.explicitinertial = link.mass_kg, link.centre_m, link.inertia, True
    body.add_joint(
        name=f"{link.name}_{finger}", axis=link.axis, range=link.range_rad, damping=[0.02, 0.0, 0.0], armature=0.002,
        limited=mujoco.mjtLimited.mjLIMITED_TRUE,
    )  # fmt: skip
    _add_visual(body, link.name, _SHELL)
    if link.name != "lower":
        place = (0.01569, 0.1643, 0.0) if link.name == "upper" else (0.0488, 0.0, -0.0462)
        _add_visual(body, "motor", _DARK, place)
    body.add_geom(
        type=mujoco.mjtGeom.mjGEOM_CAPSULE, fromto=link.capsule, size=(link.capsule_radius_m, 0, 0), mass=0.0, group=3
    )
    return body


def _add_visual(
    body: Any,
    mesh: str,
    rgba: tuple[float, float, float, float],
    place_m: tuple[float, float, float] = (0.0, 0.0, 0.0),
) -> None:
    body.add_geom(
        type=mujoco.mjtGeom.mjGEOM_MESH, meshname=mesh, pos=place_m, rgba=rgba, contype=0, conaffinity=0, mass=0.0,
        group=1,
    )  # fmt: skip


def _add_cube(spec: Any) -> None:
    cube = spec.worldbody.add_body(name="cube", pos=(0.0, 0.0, CUBE_HALF_WIDTH_M))
    cube.add_freejoint(name="cube")
    cube.add_geom(
        name="cube", type=mujoco.mjtGeom.mjGEOM_BOX, size=(CUBE_HALF_WIDTH_M,) * 3, mass=0.094, condim=4,
        friction=(1.0, 0.005, 0.0001), group=3,
    )  # fmt: skip
    for direction, rgba in _CUBE_FACES.items():
        thin = tuple(0.0005 if part else CUBE_HALF_WIDTH_M for part in direction)
        place = tuple(part * (CUBE_HALF_WIDTH_M - 0.0005) for part in direction)
        cube.add_geom(
            type=mujoco.mjtGeom.mjGEOM_BOX, size=thin, pos=place, rgba=rgba, contype=0, conaffinity=0, mass=0.0
        )
