"""A desk with things and a gripper that moves them, with physics: what is let go falls, rolls and comes to rest."""

from __future__ import annotations

import math
from collections.abc import Iterator

import mujoco
import numpy as np
from numpy.typing import NDArray

from pentathlon.core.errors import DataError
from pentathlon.worlds.modelling.materials import look
from pentathlon.worlds.modelling.mesh import Floats
from pentathlon.worlds.modelling.shapes import cylinder, rounded_box
from pentathlon.worlds.rendering import Raycaster
from pentathlon.worlds.rendering.look_at import look_at
from pentathlon.worlds.tabletop.desk.drawing import STEP_S, TOUCHED, Drawing
from pentathlon.worlds.tabletop.desk.things import Thing, make_thing

Place = tuple[float, float]
FPS = 12
HOVER_M, LIFT_M, AWAY = 0.18, 0.14, (0.50, 0.55, 0.45)
_SHAPES = {
    "ellipsoid": mujoco.mjtGeom.mjGEOM_ELLIPSOID,
    "capsule": mujoco.mjtGeom.mjGEOM_CAPSULE,
    "cylinder": mujoco.mjtGeom.mjGEOM_CYLINDER,
    "box": mujoco.mjtGeom.mjGEOM_BOX,
}
_ALONG_Y = [math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0]


class Desk:
    """Things on a desk, seen from the front.

    Args:
        names: kinds of the things.
        places: where each stands at first, x to the right, y away from the viewer.
        seed: of how everything looks.
        side_px: of the pictures.
        pace: share of the frames that a movement takes; less than one is hastier.
    """

    def __init__(
        self, names: tuple[str, ...], places: tuple[Place, ...], seed: int, side_px: int = 224, pace: float = 1.0
    ) -> None:
        rng = np.random.default_rng(seed)
        self.things = [make_thing(name, rng) for name in names]
        self.model = _compile(self.things, places, rng)
        self.data = mujoco.MjData(self.model)
        self._eyes = Raycaster(self.model, "fine")
        lean = float(rng.uniform(-0.05, 0.05))
        self._camera = look_at((lean, -0.50, 0.60), (lean / 2, 0.03, 0.0), 42.0)
        self._side_px, self._pace = side_px, pace
        self._hand_m: Floats = np.array(AWAY)
        self._goal_m: Floats = self._hand_m
        self.held: int | None = None
        for _ in range(150):
            mujoco.mj_step(self.model, self.data)

    def look(self) -> NDArray[np.uint8]:
        """Returns what is seen, uint8[side, side, 3]."""
        return self._eyes.render(self.data, self._camera, (self._side_px, self._side_px)).rgb.copy()

    def place_of(self, thing: int) -> Floats:
        """Where a thing is now."""
        return np.array(self.data.body(f"thing{thing}").xpos)

    def rest(self, frames: int) -> Iterator[None]:
        """Lets time pass."""
        for _ in range(frames):
            self._tick()
            yield

    def carry(self, thing: int, to: Place) -> Iterator[None]:
        """Takes a thing and puts it down elsewhere."""
        yield from self.take(thing)
        yield from self.put(thing, to)

    def put(self, thing: int, to: Place) -> Iterator[None]:
        """Puts down what is held."""
        high = self.things[thing].rests_m + LIFT_M
        yield from self._reach(np.array([*to, high]), 5)
        yield from self._reach(np.array([*to, self.things[thing].rests_m + 0.003]), 3)
        self._let_go()
        yield from self.rest(1)
        yield from self._reach(np.array([*to, HOVER_M]), 2)

    def take(self, thing: int, lift_m: float = LIFT_M) -> Iterator[None]:
        """Reaches for a thing, grasps it and lifts it."""
        at = self.place_of(thing)
        yield from self._reach(np.array([at[0], at[1], HOVER_M]), 4)
        yield from self._reach(at, 2)
        self._grasp(thing)
        yield from self.rest(1)
        yield from self._reach(at + np.array([0.0, 0.0, lift_m]), 2)

    def reach_for(self, thing: int) -> Iterator[None]:
        """Reaches for a thing and stays above it."""
        at = self.place_of(thing)
        yield from self._reach(np.array([at[0], at[1], HOVER_M]), 4)
        yield from self._reach(np.array([at[0], at[1], (at[2] + HOVER_M) / 2]), 3)
        yield from self.rest(8)

    def show(self, thing: int) -> Iterator[None]:
        """Takes a thing and holds it up before the viewer."""
        yield from self.take(thing)
        yield from self._reach(np.array([0.0, -0.16, 0.24]), 7)
        yield from self.rest(8)

    def withdraw(self) -> Iterator[None]:
        """Takes the gripper out of the picture."""
        yield from self._reach(np.array(AWAY), 5)

    def _reach(self, goal_m: Floats, frames: int) -> Iterator[None]:
        count = max(1, round(frames * self._pace))
        first = self._hand_m.copy()
        for frame in range(1, count + 1):
            share = frame / count
            self._goal_m = first + (goal_m - first) * share * share * (3 - 2 * share)
            self._tick()
            yield

    def _tick(self) -> None:
        steps = round(1.0 / (FPS * STEP_S))
        first, goal = self._hand_m, self._goal_m
        for step in range(1, steps + 1):
            self.data.mocap_pos[0] = first + (goal - first) * step / steps
            mujoco.mj_step(self.model, self.data)
        self._hand_m = np.array(goal)

    def _grasp(self, thing: int) -> None:
        hand, body = self.data.body("hand"), self.data.body(f"thing{thing}")
        if float(np.linalg.norm(hand.xpos - body.xpos)) > 0.05:
            raise DataError(f"Expected thing {thing} within the gripper, it is elsewhere.")
        weld = self.model.eq(f"grip{thing}")
        weld.data[:3] = 0.0
        weld.data[3:6] = hand.xmat.reshape(3, 3).T @ (body.xpos - hand.xpos)
        mujoco.mju_mulQuat(weld.data[6:10], _inverse(hand.xquat), body.xquat)
        self.data.eq_active[weld.id] = 1
        self.held = thing
        self._open(0.7 * self._width(thing))

    def _let_go(self) -> None:
        self.data.eq_active[:] = 0
        if self.held is not None:
            # Fingers that open slowly leave a thing at rest.
            self.data.joint(f"thing{self.held}").qvel[:] = 0.0
        self.held = None
        self._open(0.055)

    def _width(self, thing: int) -> float:
        shown = self.things[thing]
        return max(0.008, min(0.05, shown.half_m[0] if shown.shape != "capsule" else 0.008))

    def _open(self, half_m: float) -> None:
        for side, sign in (("left", -1.0), ("right", 1.0)):
            self.model.geom(f"finger {side}").pos[0] = sign * (half_m + 0.007)


def _inverse(quaternion: Floats) -> Floats:
    turned = np.empty(4)
    mujoco.mju_negQuat(turned, quaternion)
    return turned


def _compile(things: list[Thing], places: tuple[Place, ...], rng: np.random.Generator) -> mujoco.MjModel:
    drawing = Drawing()
    drawing.desk(rng)
    drawing.light(rng)
    _add_hand(drawing)
    for number, (thing, place) in enumerate(zip(things, places, strict=True)):
        _add_thing(drawing, number, thing, place, rng)
    return drawing.spec.compile()


def _add_hand(drawing: Drawing) -> None:
    """A parallel gripper on a wrist, its finger tips at the body's origin."""
    body = drawing.spec.worldbody.add_body(name="hand", mocap=True, pos=list(AWAY))
    steel, dark = look("metal", "silver"), look("plastic", "black")
    drawing.draw(body, rounded_box((0.11, 0.040, 0.032), 0.008).moved(z=0.085), look("plastic", "white"))
    drawing.draw(body, cylinder(0.020, 0.25, segments=24).moved(z=0.23), steel)
    for side, sign in (("left", -1.0), ("right", 1.0)):
        body.add_geom(
            name=f"finger {side}", type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.006, 0.012, 0.045],
            pos=[sign * 0.062, 0.0, 0.03], material=drawing.material(dark), contype=0, conaffinity=0,
        )  # fmt: skip


def _add_thing(drawing: Drawing, number: int, thing: Thing, place: Place, rng: np.random.Generator) -> None:
    body = drawing.spec.worldbody.add_body(name=f"thing{number}", pos=[*place, thing.rests_m + 0.001])
    body.add_freejoint(name=f"thing{number}")
    quat = _ALONG_Y if thing.lies else [1.0, 0.0, 0.0, 0.0]
    body.add_geom(
        type=_SHAPES[thing.shape], size=[*thing.half_m, 0.0, 0.0][:3], quat=quat, mass=thing.mass_kg, condim=6,
        friction=[0.8, 0.02, 0.004], **TOUCHED,
    )  # fmt: skip
    for mesh, seen in thing.parts:
        drawing.draw(body, mesh, seen)
    drawing.spec.add_equality(
        name=f"grip{number}", type=mujoco.mjtEq.mjEQ_WELD, objtype=mujoco.mjtObj.mjOBJ_BODY, name1="hand",
        name2=f"thing{number}", active=False, solref=[0.008, 1.0],
    )  # fmt: skip
