"""Six tasks of the DMControl suite on its model files: the suite's resets and rewards, without its environment loop."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from pentathlon.worlds.control.physics import (
    Array,
    Physics,
    add_position_sensors,
    advance,
    package_folder,
    randomise_joints,
)

STAND_HEIGHT_M = 1.2
WALK_SPEED_M_S = 1.0
RUN_SPEED_M_S = 10.0
SPIN_SPEED_RAD_S = 15.0
SPIN_DAMPING = 0.03
TARGET_RADIUS_M = {"reacher-easy": 0.05, "reacher-hard": 0.015}

_CONTROL_STEP_S = {"walker": 0.025, "cheetah": 0.01, "reacher": 0.02, "finger": 0.02}
_BODY, _GEOM = mujoco.mjtObj.mjOBJ_BODY, mujoco.mjtObj.mjOBJ_GEOM
_POSITIONS = {
    "walker": {"torso_position": (_BODY, "torso")},
    "cheetah": {"torso_position": (_BODY, "torso")},
    "reacher": {"finger_position": (_GEOM, "finger"), "target_position": (_GEOM, "target")},
    "finger": {"fingertip_position": (_GEOM, "fingertip"), "spinner_position": (_BODY, "spinner")},
}


def build_model(name: str) -> Any:
    """Compiles the suite's model of task ``name`` (such as ``walker-walk``) with sensors for planning."""
    domain = name.split("-")[0]
    spec = mujoco.MjSpec.from_file(str(package_folder("dm_control", "dm_control") / "suite" / f"{domain}.xml"))
    add_position_sensors(spec, _POSITIONS[domain])
    if domain in ("walker", "cheetah"):
        spec.add_sensor(name="torso_up", type=mujoco.mjtSensor.mjSENS_FRAMEZAXIS, objtype=_BODY, objname="torso")
    return spec.compile()


class DMControlPhysics(Physics):
    """Base of the suite's tasks: control step and action scaling."""

    def __init__(self, model: Any, name: str) -> None:
        self.model, self.data = model, mujoco.MjData(model)
        self.name = name
        self.substeps = round(_CONTROL_STEP_S[name.split("-")[0]] / model.opt.timestep)

    def reset(self, generator: np.random.Generator) -> None:
        """Draws joint positions; the model's motors are at rest."""
        mujoco.mj_resetData(self.model, self.data)
        self._initialise(generator)
        mujoco.mj_forward(self.model, self.data)

    def _initialise(self, generator: np.random.Generator) -> None:
        randomise_joints(self.model, self.data, generator)

    def step(self, action: Array) -> None:
        """Applies motor commands in [-1, 1]."""
        self.data.ctrl[:] = np.clip(action, -1.0, 1.0)
        advance(self.model, self.data, self.substeps)

    def achieved(self) -> bool:
        """DMControl has no success; a full reward counts as achieved."""
        return self.reward() >= 1.0


class Walker(DMControlPhysics):
    """Planar walker: stand, or walk at 1 m/s."""

    def reward(self) -> float:
        """Standing height and uprightness, times speed when walking."""
        stand = float(stand_reward(self.sensor("torso_position")[2], self.sensor("torso_up")[2]))
        if self.name == "walker-stand":
            return stand
        return stand * (5.0 * float(walk_factor(self.sensor("torso_subtreelinvel")[0])) + 1.0) / 6.0


class Cheetah(DMControlPhysics):
    """Planar cheetah: run at 10 m/s."""

    def _initialise(self, generator: np.random.Generator) -> None:
        limited = self.model.jnt_limited == 1
        self.data.qpos[limited] = generator.uniform(*self.model.jnt_range[limited].T)
        mujoco.mj_step(self.model, self.data, 200)
        self.data.time = 0.0

    def reward(self) -> float:
        """Speed as a share of 10 m/s."""
        return float(np.clip(self.sensor("torso_subtreelinvel")[0] / RUN_SPEED_M_S, 0.0, 1.0))


class Reacher(DMControlPhysics):
    """Two-link arm: hold the fingertip in the target."""

    def _initialise(self, generator: np.random.Generator) -> None:
        target = self.model.geom("target")
        target.size[0] = TARGET_RADIUS_M[self.name]
        randomise_joints(self.model, self.data, generator)
        angle_rad, radius_m = generator.uniform(0.0, 2.0 * np.pi), generator.uniform(0.05, 0.20)
        target.pos[:2] = radius_m * np.sin(angle_rad), radius_m * np.cos(angle_rad)

    def reward(self) -> float:
        """1 while the fingertip touches the target."""
        distance_m = np.linalg.norm(self.sensor("finger_position")[:2] - self.sensor("target_position")[:2])
        return float(distance_m <= self.model.geom("target").size[0] + self.model.geom("finger").size[0])


class Finger(DMControlPhysics):
    """Planar finger: keep the spinner turning at 15 rad/s or more."""

    def _initialise(self, generator: np.random.Generator) -> None:
        self.model.site("target").rgba[3] = 0.0
        self.model.site("tip").rgba[3] = 0.0
        self.model.dof_damping[self.model.joint("hinge").dofadr[0]] = SPIN_DAMPING
        for _ in range(1000):
            randomise_joints(self.model, self.data, generator)
            mujoco.mj_forward(self.model, self.data)
            if self.data.ncon == 0:
                return
        raise RuntimeError("No collision-free posture of the finger was found in 1000 draws.")

    def reward(self) -> float:
        """1 while the spinner is fast enough."""
        return float(self.sensor("hinge_velocity")[0] <= -SPIN_SPEED_RAD_S)


def stand_reward(height_m: Array | float, up: Array | float) -> Array:
    """The suite's standing reward: Gaussian in height below 1.2 m (0.1 at 0.6 m) and linear in uprightness."""
    below = np.maximum(STAND_HEIGHT_M - np.asarray(height_m), 0.0) / (STAND_HEIGHT_M / 2.0)
    standing = np.exp(np.log(0.1) * below**2)
    return np.asarray((3.0 * standing + (1.0 + np.asarray(up)) / 2.0) / 4.0)


def walk_factor(speed_m_s: Array | float) -> Array:
    """The suite's speed tolerance: 1 from 1 m/s, 0.5 at 0.5 m/s, linear, 0 from 0 m/s down."""
    return np.asarray(np.clip(np.asarray(speed_m_s) / WALK_SPEED_M_S, 0.0, 1.0))


DOMAINS: dict[str, type[DMControlPhysics]] = {
    "walker": Walker,
    "cheetah": Cheetah,
    "reacher": Reacher,
    "finger": Finger,
}


def make_physics(name: str, model: Any | None = None) -> DMControlPhysics:
    """Builds task ``name``; ``model`` replaces the one compiled from the suite's files."""
    return DOMAINS[name.split("-")[0]](build_model(name) if model is None else model, name)
