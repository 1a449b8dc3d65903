"""The Franka arm of gymnasium-robotics as an editable MuJoCo model.

The files are read from the installed package; its code is never imported. Their joint angles are those of TOTO's data:
joints 6 and 7 read 1.57 and 0.785 rad less than on Franka's own display.
"""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path
from typing import Final

import mujoco
import numpy as np
import numpy.typing as npt

from pentathlon.core.errors import MissingDependencyError
from pentathlon.worlds.tabletop.arm.robot import JOINTS

GRIP_SITE: Final = "grip"
HAND_BODY: Final = "panda0_link7"
GRIP_OFFSET_M: Final = 0.210
"""From the flange to the middle between the finger tips, along the approach axis."""
LIMITS_RAD: Final[npt.NDArray[np.float64]] = np.array(
    [
        [-2.8973, 2.8973], [-1.7628, 1.7628], [-2.8973, 2.8973], [-3.0718, -0.4], [-2.8973, 2.8973],
        [-1.6573, 2.1127], [-2.8973, 2.8973],
    ]
)  # fmt: skip
"""Lowest and highest angle of each joint, as in the files."""
LIMITS_RAD.setflags(write=False)

# Joint stiffness and damping of Franka's own impedance example, and its torque limits.
_STIFFNESS = (600.0, 600.0, 600.0, 600.0, 250.0, 150.0, 50.0)
_DAMPING = (50.0, 50.0, 50.0, 30.0, 20.0, 15.0, 5.0)
_TORQUE_NM = (87.0, 87.0, 87.0, 87.0, 12.0, 12.0, 12.0)
_HAND_TURN = (0.9238795325112867, 0.0, 0.0, -0.3826834323650898)
_WHITE, _DARK = (0.93, 0.94, 0.93, 1.0), (0.22, 0.23, 0.25, 1.0)


def joint_name(number: int) -> str:
    """Name of joint 0 to 6 in the model."""
    return f"robot:panda0_joint{number + 1}"


def arm_spec(opening_m: float, *, shapes: bool = True) -> mujoco.MjSpec:
    """Returns the arm with its base at the origin and its fingers fixed around something.

    Args:
        opening_m: distance between the finger pads.
        shapes: whether it has geoms; without them it serves for kinematics only and compiles at once.
    """
    spec = _read()
    spec.delete(spec.site("end_effector"))
    hand = spec.body(HAND_BODY)
    hand.add_site(name=GRIP_SITE, pos=[0.0, 0.0, GRIP_OFFSET_M], quat=list(_HAND_TURN), size=[0.005] * 3, group=4)
    _fix_fingers(spec, opening_m)
    for number in range(JOINTS):
        _add_drive(spec, number)
    if shapes:
        _dress(spec)
    else:
        _undress(spec)
    return spec


@cache
def _asset_folder() -> Path:
    found = importlib.util.find_spec("gymnasium_robotics")
    for place in (found.submodule_search_locations or ()) if found else ():
        folder = Path(place) / "envs" / "assets" / "kitchen_franka" / "franka_assets"
        if (folder / "chain.xml").is_file():
            return folder
    raise MissingDependencyError("gymnasium-robotics (the Franka arm's files)", "pip install gymnasium-robotics")


def _read() -> mujoco.MjSpec:
    folder = _asset_folder()
    include = {name: (folder / name).read_bytes() for name in ("assets.xml", "chain.xml")}
    meshes = {f"franka_assets/{path.relative_to(folder)}": path.read_bytes() for path in folder.rglob("*.stl")}
    text = '<mujoco><include file="assets.xml"/><worldbody><include file="chain.xml"/></worldbody></mujoco>'
    return mujoco.MjSpec.from_string(text, include=include, assets=meshes)


def _fix_fingers(spec: mujoco.MjSpec, opening_m: float) -> None:
    for side, sign in (("left", 1.0), ("right", -1.0)):
        finger = spec.body(f"panda0_{side}finger")
        shift = np.zeros(3)
        mujoco.mju_rotVecQuat(shift, np.array([0.0, sign * opening_m / 2, 0.0]), np.array(_HAND_TURN))
        finger.pos = np.asarray(finger.pos) + shift
        for joint in finger.joints:
            spec.delete(joint)


def _add_drive(spec: mujoco.MjSpec, number: int) -> None:
    """Adds a PD loop with a torque limit; gravity is compensated, as in the real arm's controller."""
    joint = spec.joint(joint_name(number))
    joint.damping, joint.armature = [1.0, 0.0, 0.0], 0.1
    body = joint.parent
    body.gravcomp = 1.0
    drive = spec.add_actuator(name=joint.name, target=joint.name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
    drive.set_to_position(kp=_STIFFNESS[number], kv=_DAMPING[number])
    drive.forcelimited, drive.forcerange = True, [-_TORQUE_NM[number], _TORQUE_NM[number]]


def _dress(spec: mujoco.MjSpec) -> None:
    for geom in spec.geoms:
        if geom.contype == 0 and geom.conaffinity == 0:
            geom.rgba = list(_DARK if "finger" in geom.meshname else _WHITE)
            geom.group = 0
        else:
            geom.group, geom.contype, geom.conaffinity, geom.condim = 3, 2, 1, 3


def _undress(spec: mujoco.MjSpec) -> None:
    for geom in list(spec.geoms):
        spec.delete(geom)
    for mesh in list(spec.meshes):
        spec.delete(mesh)
    for body in spec.bodies[1:]:
        body.mass, body.inertia, body.explicitinertial = 1.0, [0.01] * 3, True
