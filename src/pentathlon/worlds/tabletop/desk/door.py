"""A door on its hinge: of a room, a cupboard or a fridge, pushed open or shut against its own inertia."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from pentathlon.worlds.modelling.materials import look
from pentathlon.worlds.modelling.shapes import box, cylinder, rounded_box, sphere
from pentathlon.worlds.modelling.vistas import VIEW_KINDS, window_view
from pentathlon.worlds.rendering import CameraPose, Raycaster
from pentathlon.worlds.rendering.look_at import look_at
from pentathlon.worlds.tabletop.desk.drawing import STEP_S, Drawing

FPS = 12
STIFF, DAMP = 9.0, 5.0


@dataclass(frozen=True)
class DoorKind:
    """A kind of door: what people call it, its size, how high it hangs, and what it is made of."""

    name: str
    wide_m: float
    high_m: float
    foot_m: float
    materials: tuple[str, ...]


KINDS = (
    DoorKind("room door", 0.86, 2.0, 0.0, ("wood", "plaster")),
    DoorKind("cupboard door", 0.5, 0.8, 0.8, ("wood", "plastic")),
    DoorKind("fridge door", 0.6, 1.5, 0.1, ("metal", "plastic")),
)


class Door:
    """A door in a wall, seen from some place before it.

    Args:
        seed: of kind, colours, light, place of the viewer and how far it opens.
        is_open: whether it is open at first.
        side_px: of the pictures.
    """

    def __init__(self, seed: int, is_open: bool, side_px: int = 224) -> None:
        rng = np.random.default_rng(seed)
        self.kind = KINDS[int(rng.integers(len(KINDS)))]
        self.model = _compile(self.kind, rng)
        self.data = mujoco.MjData(self.model)
        self._wide_open_rad = float(rng.uniform(1.1, 1.8))
        self.data.qpos[0] = self._wide_open_rad if is_open else 0.0
        self._eyes = Raycaster(self.model, "fine")
        self._camera = _camera(self.kind, rng)
        self._side_px = side_px
        self._effort = float(rng.uniform(0.6, 1.3))
        mujoco.mj_forward(self.model, self.data)

    @property
    def angle_rad(self) -> float:
        """How far it is open."""
        return float(self.data.qpos[0])

    @property
    def is_open(self) -> bool:
        """Whether it stands open."""
        return self.angle_rad > 0.8 * self._wide_open_rad

    def look(self) -> NDArray[np.uint8]:
        """Returns what is seen, uint8[side, side, 3]."""
        return self._eyes.render(self.data, self._camera, (self._side_px, self._side_px)).rgb.copy()

    def swing(self, opening: bool, frames: int, way: float = 1.0) -> Iterator[None]:
        """Pushes the door towards open or shut, all the way or a share of it; yields once for each frame."""
        first = self.angle_rad
        goal = first + way * ((self._wide_open_rad if opening else 0.0) - first)
        for frame in range(1, frames + 1):
            share = min(1.0, frame / (0.75 * frames))
            self._push(first + (goal - first) * share * share * (3 - 2 * share))
            yield

    def _push(self, goal_rad: float) -> None:
        inertia = float(self.model.dof_M0[0])
        for _ in range(round(1.0 / (FPS * STEP_S))):
            pull = STIFF**2 * (goal_rad - self.data.qpos[0]) - 2 * DAMP * self.data.qvel[0]
            self.data.qfrc_applied[0] = inertia * pull * (0.8 + 0.2 * self._effort)
            mujoco.mj_step(self.model, self.data)


def _camera(kind: DoorKind, rng: np.random.Generator) -> CameraPose:
    middle = kind.foot_m + kind.high_m / 2
    far_m = float(rng.uniform(1.25, 1.7)) * max(kind.high_m, 0.9)
    angle = float(rng.uniform(-0.2, 0.6))
    place = (far_m * math.sin(angle), -far_m * math.cos(angle), middle + float(rng.uniform(-0.1, 0.5)))
    return look_at(place, (0.0, 0.0, middle), float(rng.uniform(40.0, 50.0)))


def _compile(kind: DoorKind, rng: np.random.Generator) -> mujoco.MjModel:
    drawing = Drawing()
    drawing.light(rng)
    world = drawing.spec.worldbody
    names = ("white", "beige", "grey", "cream", "brown", "navy", "green", "red")

    def tint() -> str:
        return names[int(rng.integers(len(names)))]

    wall, half = look("plaster", tint(), rng), kind.wide_m / 2
    top = kind.foot_m + kind.high_m
    for wide, high, x, z in (
        (3.0, top, -half - 1.5, top / 2), (3.0, top, half + 1.5, top / 2), (6.0 + kind.wide_m, 1.5, 0.0, top + 0.75),
        (kind.wide_m, max(kind.foot_m, 0.02), 0.0, kind.foot_m / 2),
    ):  # fmt: skip
        drawing.draw(world, box((wide, 0.1, high)).moved(x=x, y=0.06, z=z), wall)
    drawing.draw(world, box((9.0, 9.0, 0.02)).moved(z=-0.01), look("wood", tint(), rng, texture="planks"))
    _add_behind(drawing, kind, rng, tint())
    leaf = world.add_body(name="leaf", pos=[-half, 0.0, kind.foot_m])
    leaf.add_joint(
        name="hinge", type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0, 0, -1], damping=0.4, frictionloss=0.05,
        range=[-1.0, 130.0], limited=mujoco.mjtLimited.mjLIMITED_TRUE,
    )  # fmt: skip
    leaf.add_geom(
        type=mujoco.mjtGeom.mjGEOM_BOX, size=[half, 0.018, kind.high_m / 2], pos=[half, 0.0, kind.high_m / 2],
        mass=12.0 * kind.wide_m * kind.high_m, contype=0, conaffinity=0, group=3,
    )  # fmt: skip
    matter = kind.materials[int(rng.integers(len(kind.materials)))]
    face = rounded_box((kind.wide_m - 0.01, 0.036, kind.high_m - 0.01), 0.006).moved(x=half, z=kind.high_m / 2)
    drawing.draw(leaf, face, look(matter, tint(), rng))
    _add_handle(drawing, leaf, kind, rng)
    return drawing.spec.compile()


def _add_behind(drawing: Drawing, kind: DoorKind, rng: np.random.Generator, tint: str) -> None:
    """What is seen through the opening: a view behind a room's door, shelves with things behind the others."""
    world, half, middle = drawing.spec.worldbody, kind.wide_m / 2, kind.foot_m + kind.high_m / 2
    if kind.name == "room door":
        view = window_view(rng, VIEW_KINDS[int(rng.integers(len(VIEW_KINDS)))])
        panel = box((5.0, 0.01, 3.4)).moved(y=2.2, z=1.7)
        uvs = (panel.vertices_m[:, [0, 2]] - np.array([-2.5, 0.0])) / np.array([5.0, 3.4])
        drawing.draw(world, type(panel)(panel.vertices_m, panel.faces, panel.normals, uvs),
                     look("paper", "white", texture=view, emission=0.4))  # fmt: skip
        return
    back = look("plastic", "white")
    drawing.draw(world, box((kind.wide_m, 0.02, kind.high_m)).moved(y=0.45, z=middle), back)
    for side in (-half, half):
        drawing.draw(world, box((0.02, 0.45, kind.high_m)).moved(x=side, y=0.23, z=middle), back)
    for shelf in np.linspace(kind.foot_m + 0.03, kind.foot_m + kind.high_m * 0.8, 3):
        drawing.draw(world, box((kind.wide_m, 0.40, 0.015)).moved(y=0.24, z=float(shelf)), back)
        for x in (-0.3, 0.0, 0.3):
            if rng.random() < 0.7:
                jar = cylinder(0.04, 0.14, bevel_m=0.01).moved(x=x * kind.wide_m, y=0.2, z=float(shelf) + 0.08)
                drawing.draw(world, jar, look("plastic", ("red", "green", "orange", tint)[int(rng.integers(4))]))


def _add_handle(drawing: Drawing, leaf: object, kind: DoorKind, rng: np.random.Generator) -> None:
    steel = look("metal", ("silver", "gold", "black")[int(rng.integers(3))])
    x, z = kind.wide_m - 0.07, kind.high_m * 0.5
    if kind.name == "room door":
        drawing.draw(leaf, sphere(0.032).moved(x=x, y=-0.06, z=z), steel)
        drawing.draw(leaf, cylinder(0.012, 0.05).turned("x", 90.0).moved(x=x, y=-0.035, z=z), steel)
        return
    drawing.draw(leaf, cylinder(0.010, 0.24, bevel_m=0.004).moved(x=x, y=-0.045, z=z), steel)
