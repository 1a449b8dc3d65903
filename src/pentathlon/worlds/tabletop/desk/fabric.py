"""Two pieces of fabric and a pin, from close by: pinned together or not, as a pull on one of them shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import mujoco
import numpy as np
from numpy.typing import NDArray

from pentathlon.worlds.modelling.materials import look
from pentathlon.worlds.modelling.mesh import Floats, Mesh
from pentathlon.worlds.modelling.shapes import cylinder, ellipsoid, skin, sphere
from pentathlon.worlds.rendering import Raycaster
from pentathlon.worlds.rendering.look_at import look_at
from pentathlon.worlds.tabletop.desk.drawing import STEP_S, Drawing

Way = Literal["both", "over", "one", "pulled out"]
WAYS: tuple[Way, ...] = ("both", "over", "one", "pulled out")
"""Through both pieces; over them; through one alone; through both and out again."""
FPS = 12
PULL_M = 0.045
FOLD_M, ONE_M = 0.014, 0.085
_LONG_M, _WIDE_M = 0.15, 0.11


class Fabric:
    """Two pieces side by side, the edge of the right one over the left one, both in a fold that a pin goes through.

    Args:
        seed: of colours, light and the viewer's place.
        side_px: of the pictures.
        pace: share of the frames that a movement takes.
    """

    def __init__(self, seed: int, side_px: int = 224, pace: float = 1.0) -> None:
        rng = np.random.default_rng(seed)
        self.model = _compile(rng)
        self.data = mujoco.MjData(self.model)
        self._eyes = Raycaster(self.model, "fine")
        self._camera = look_at((float(rng.uniform(-0.03, 0.03)), -0.17, 0.20), (0.015, 0.0, 0.0), 48.0)
        self._side_px, self._pace = side_px, pace
        self._pin_m: Floats = np.array([0.20, -0.02, 0.05])
        self._move_pin(self._pin_m)
        mujoco.mj_forward(self.model, self.data)

    @property
    def moved_m(self) -> tuple[float, float]:
        """How far the left and the right piece have moved."""
        return float(self.data.joint("left").qpos[0]), float(self.data.joint("right").qpos[0])

    @property
    def together(self) -> bool:
        """Whether the left piece went where the right one was pulled."""
        left, right = self.moved_m
        return right > 0.6 * PULL_M and left > 0.8 * right

    def look(self) -> NDArray[np.uint8]:
        """Returns what is seen, uint8[side, side, 3]."""
        return self._eyes.render(self.data, self._camera, (self._side_px, self._side_px)).rgb.copy()

    def pin(self, way: Way) -> Iterator[None]:
        """Brings the pin in one of the ways; yields once for each frame."""
        high = FOLD_M + 0.012 if way == "over" else 0.0125
        fold = ONE_M if way == "one" else 0.0
        yield from self._lead(np.array([fold + 0.075, 0.0, high + 0.03]), 8)
        yield from self._lead(np.array([fold + 0.060, 0.0, high]), 5)
        yield from self._lead(np.array([fold + 0.018, 0.0, high]), 9)
        if way == "both":
            self.data.eq_active[self.model.eq("pinned").id] = 1
        if way == "pulled out":
            yield from self.wait(4)
            yield from self._lead(np.array([0.075, 0.0, high]), 8)
            yield from self._lead(np.array([0.14, -0.02, 0.05]), 6)
        yield from self.wait(3)

    def pull(self, way: Way) -> Iterator[None]:
        """Pulls the right piece to the side; what is pinned to it comes along."""
        rides = {"both": 1.0, "one": 1.0, "over": 0.0, "pulled out": 0.0}[way]
        count = max(2, round(14 * self._pace))
        first, begin = self._pin_m.copy(), self.moved_m[1]
        for frame in range(1, count + 1):
            self._tick(PULL_M * min(1.0, frame / (0.7 * count)))
            self._move_pin(first + np.array([rides * (self.moved_m[1] - begin), 0.0, 0.0]))
            yield

    def wait(self, frames: int) -> Iterator[None]:
        """Lets time pass."""
        for _ in range(max(1, round(frames * self._pace))):
            self._tick(0.0)
            yield

    def _lead(self, goal_m: Floats, frames: int) -> Iterator[None]:
        count, first = max(1, round(frames * self._pace)), self._pin_m.copy()
        for frame in range(1, count + 1):
            self._move_pin(first + (goal_m - first) * frame / count)
            self._tick(0.0)
            yield

    def _move_pin(self, place_m: Floats) -> None:
        self._pin_m = place_m
        self.data.mocap_pos[0] = place_m

    def _tick(self, goal_m: float) -> None:
        joint = self.data.joint("right")
        for _ in range(round(1.0 / (FPS * STEP_S))):
            joint.qfrc_applied[0] = 60.0 * (goal_m - joint.qpos[0]) - 4.0 * joint.qvel[0] if goal_m else 0.0
            mujoco.mj_step(self.model, self.data)


def _cloth(rng: np.random.Generator, left_m: float, right_m: float, lift_m: float, folds_m: tuple[float, ...]) -> Mesh:
    """A sheet with a fold across at some places, and small waves."""
    x, y = np.meshgrid(np.linspace(left_m, right_m, 60), np.linspace(-_WIDE_M / 2, _WIDE_M / 2, 24), indexing="ij")
    waves = sum(0.0003 * np.sin(2 * np.pi * (fx * x + fy * y) / 0.1 + p) for fx, fy, p in rng.uniform(0.5, 2.5, (5, 3)))
    folds = sum(FOLD_M * np.exp(-(((x - fold) / 0.011) ** 2)) for fold in folds_m)
    points = np.stack([x, y, 0.003 + lift_m + waves + folds], axis=2)
    return skin(points, np.stack([x, y], axis=2), crease_deg=60.0)


def _compile(rng: np.random.Generator) -> mujoco.MjModel:
    drawing = Drawing()
    drawing.desk(rng)
    drawing.light(rng)
    colours = ("navy", "red", "green", "grey", "beige", "black", "purple", "orange")
    first, second = (colours[int(i)] for i in rng.choice(len(colours), 2, replace=False))
    left = _cloth(rng, -_LONG_M, 0.030, 0.0, (0.0,))
    right = _cloth(rng, -0.026, _LONG_M, 0.0050, (0.0, ONE_M))
    for name, mesh, tint in (("left", left, first), ("right", right, second)):
        body = drawing.spec.worldbody.add_body(name=name)
        body.add_joint(name=name, type=mujoco.mjtJoint.mjJNT_SLIDE, axis=[1, 0, 0], frictionloss=0.25, damping=0.6)
        body.add_geom(
            type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.05, 0.05, 0.001], mass=0.03, group=3, contype=0, conaffinity=0
        )
        drawing.draw(body, mesh, look("fabric", tint, rng))
    equal = {"type": mujoco.mjtEq.mjEQ_JOINT, "objtype": mujoco.mjtObj.mjOBJ_JOINT, "active": False}
    drawing.spec.add_equality(
        name="pinned", name1="left", name2="right", data=[0.0, 1.0, *[0.0] * 9], solref=[0.01, 1.0], **equal
    )
    _add_pin(drawing, rng)
    return drawing.spec.compile()


def _add_pin(drawing: Drawing, rng: np.random.Generator) -> None:
    """A pin that points to the left, its middle at the body's origin, between two fingers."""
    body = drawing.spec.worldbody.add_body(name="pin", mocap=True)
    drawing.draw(body, cylinder(0.0009, 0.075, segments=10).turned("y", 90.0), look("metal", "silver"))
    bead = ("red", "yellow", "white", "blue")[int(rng.integers(4))]
    drawing.draw(body, sphere(0.0035, 14).moved(x=0.039), look("plastic", bead))
    fair = look("food", ("beige", "brown", "cream")[int(rng.integers(3))])
    for y, z in ((-0.006, 0.005), (0.007, 0.006)):
        finger = ellipsoid((0.060, 0.014, 0.014), 18).turned("y", 20.0).moved(x=0.068, y=y, z=z + 0.010)
        drawing.draw(body, finger, fair)
