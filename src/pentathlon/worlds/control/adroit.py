"""Adroit pen and relocate on gymnasium-robotics' model files: their resets, actions and goals."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import mujoco
import numpy as np

from pentathlon.worlds.control.physics import Array, Physics, add_position_sensors, advance, package_folder

PEN_DISTANCE_M = 0.075
PEN_COSINE = 0.95
RELOCATE_DISTANCE_M = 0.1

_BODY, _SITE = mujoco.mjtObj.mjOBJ_BODY, mujoco.mjtObj.mjOBJ_SITE
_POSITIONS = {
    "pen": {
        "object": (_BODY, "Object"),
        "goal": (_SITE, "eps_ball"),
        **{name: (_SITE, name) for name in ("object_top", "object_bottom", "target_top", "target_bottom")},
    },
    "relocate": {
        "object": (_BODY, "Object"),
        "goal": (_SITE, "target"),
        "palm": (_SITE, "S_grasp"),
        **{name: (_SITE, f"S_{name}") for name in ("fftip", "mftip", "rftip", "lftip", "thtip")},
    },
}


def build_model(name: str) -> Any:
    """Compiles the model of ``pen`` or ``relocate`` with the environment's position gains and planning sensors."""
    assets = package_folder("gymnasium_robotics", "gymnasium-robotics") / "envs" / "assets" / "adroit_hand"
    spec = mujoco.MjSpec.from_file(str(assets / f"adroit_{name}.xml"))
    add_position_sensors(spec, _POSITIONS[name])
    model = spec.compile()
    _set_gain(model, "A_WRJ1", "A_WRJ0", 10.0)
    _set_gain(model, "A_FFJ3", "A_THJ0", 1.0)
    return model


def _set_gain(model: Any, first: str, last: str, gain: float) -> None:
    rows = slice(model.actuator(first).id, model.actuator(last).id + 1)
    model.actuator_gainprm[rows, :3] = gain, 0.0, 0.0
    model.actuator_biasprm[rows, :3] = 0.0, -gain, 0.0


class AdroitPhysics(Physics):
    """The 24-joint hand; actions are joint targets, scaled to each actuator's range."""

    substeps = 5
    proprio_size: int

    def __init__(self, model: Any) -> None:
        self.model, self.data = model, mujoco.MjData(model)
        low, high = model.actuator_ctrlrange.T
        self.control_centre, self.control_range = (low + high) / 2.0, (high - low) / 2.0

    def reset(self, generator: np.random.Generator) -> None:
        """Places the target, and in relocate the ball."""
        mujoco.mj_resetData(self.model, self.data)
        self._place(generator)
        mujoco.mj_forward(self.model, self.data)

    @abstractmethod
    def _place(self, generator: np.random.Generator) -> None: ...

    def step(self, action: Array) -> None:
        """Applies joint targets in [-1, 1]."""
        self.data.ctrl[:] = self.to_control(np.clip(action, -1.0, 1.0))
        advance(self.model, self.data, self.substeps)

    def to_control(self, action: Array) -> Array:
        """Scales actions to joint targets, over any leading axes."""
        return np.asarray(self.control_centre + action * self.control_range)

    def reward(self) -> float:
        """1 while the goal holds: the environments' dense rewards are no measure of skill."""
        return float(self.achieved())

    def proprio(self) -> Array:
        """Joint positions of hand and, in relocate, arm."""
        return np.array(self.data.qpos[: self.proprio_size])


class Pen(AdroitPhysics):
    """Turn the pen in the hand to a given direction."""

    proprio_size = 24

    def _place(self, generator: np.random.Generator) -> None:
        tilt_rad = generator.uniform(-1.0, 1.0, 2)
        quaternion = np.empty(4)
        mujoco.mju_euler2Quat(quaternion, np.array([tilt_rad[0], tilt_rad[1], 0.0]), "xyz")
        self.model.body("target").quat[:] = quaternion

    def achieved(self) -> bool:
        """Within 7.5 cm of the start place and 18 degrees of the direction."""
        distance_m, cosine = pen_error(*(self.sensor(name) for name in _POSITIONS["pen"]))
        return bool(distance_m < PEN_DISTANCE_M and cosine > PEN_COSINE)


class Relocate(AdroitPhysics):
    """Carry the ball to a place in the air."""

    proprio_size = 30

    def _place(self, generator: np.random.Generator) -> None:
        self.model.body("Object").pos[:2] = generator.uniform((-0.15, -0.15), (0.15, 0.3))
        self.model.site("target").pos[:] = generator.uniform((-0.2, -0.2, 0.15), (0.2, 0.2, 0.35))

    def achieved(self) -> bool:
        """The ball is within 10 cm of the target."""
        return bool(np.linalg.norm(self.sensor("object") - self.sensor("goal")) < RELOCATE_DISTANCE_M)


def pen_error(
    pen: Array, goal: Array, top: Array, bottom: Array, goal_top: Array, goal_bottom: Array
) -> tuple[Array, Array]:
    """Distance in metres and cosine between pen and target, over any leading axes."""
    axis, goal_axis = top - bottom, goal_top - goal_bottom
    lengths = np.linalg.norm(axis, axis=-1) * np.linalg.norm(goal_axis, axis=-1)
    return np.linalg.norm(pen - goal, axis=-1), (axis * goal_axis).sum(-1) / lengths


def make_physics(name: str, model: Any | None = None) -> AdroitPhysics:
    """Builds ``pen`` or ``relocate``; ``model`` replaces the one compiled from the package's files."""
    return {"pen": Pen, "relocate": Relocate}[name](build_model(name) if model is None else model)
