"""What the gripper holds: a clear cup to pour from, or a spoon; each in a frame of its own.

A tool's frame has its origin in the middle of its inner floor, z up out of the opening and x ahead: the side that the
cup pours over, the nose of the spoon.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import mujoco
import numpy as np
import numpy.typing as npt

from pentathlon.worlds.modelling.sweeps import sweep
from pentathlon.worlds.tabletop.arm.kinematics import Pose
from pentathlon.worlds.tabletop.arm.model import HAND_BODY
from pentathlon.worlds.tabletop.arm.robot import TaskName
from pentathlon.worlds.tabletop.bench.vessels import Vessel, add_drawing

TOOL_BODY: Final = "tool"
_TOOL_BITS: Final = {"contype": 2, "conaffinity": 1}


@dataclass(frozen=True)
class Tool:
    """A held vessel.

    Attributes:
        vessel: its hollow.
        slope_rad: how far the gripper's approach axis points below the horizontal when the tool is level.
        grip_m: the gripper in the tool's frame.
        opening_m: between the finger pads.
        handle: whether a handle leads from the gripper to the vessel.
    """

    vessel: Vessel
    slope_rad: float
    grip_m: tuple[float, float, float]
    opening_m: float
    handle: bool

    @property
    def in_grip(self) -> Pose:
        """The tool as the gripper's frame sees it."""
        return Pose(np.array(self.grip_m), level_gripper(self.slope_rad)).inverse()

    def gripper_for(self, tool: Pose) -> Pose:
        """Returns where the gripper must be to bring the tool to a pose."""
        return tool @ self.in_grip.inverse()


def level_gripper(slope_rad: float) -> npt.NDArray[np.float64]:
    """Orientation of a gripper that points ahead (x) and ``slope_rad`` below the horizontal."""
    cosine, sine = math.cos(slope_rad), math.sin(slope_rad)
    return np.array([[sine, 0.0, cosine], [0.0, -1.0, 0.0], [cosine, 0.0, -sine]])


CUP: Final = Tool(
    Vessel(((0.028, 0.0), (0.037, 0.105)), sides=16, wall_m=0.0015),
    slope_rad=math.radians(45.0),
    grip_m=(0.0, 0.0, 0.062),
    opening_m=2 * 0.0345,
    handle=False,
)
_HANDLE_SLOPE = math.radians(50.0)
SPOON: Final = Tool(
    Vessel(((0.016, 0.0), (0.029, 0.015)), sides=10, wall_m=0.0015, plate_m=0.002, floor_m=0.0015),
    slope_rad=_HANDLE_SLOPE,
    grip_m=(-0.025 - 0.13 * math.cos(_HANDLE_SLOPE), 0.0, 0.012 + 0.13 * math.sin(_HANDLE_SLOPE)),
    opening_m=0.008,
    handle=True,
)
TOOLS: Final[dict[TaskName, Tool]] = {"pour": CUP, "scoop": SPOON}


def add_tool(spec: mujoco.MjSpec, tool: Tool, friction: float) -> None:
    """Puts a tool between the fingers of an arm."""
    hand = spec.body(HAND_BODY)
    grip = spec.site("grip")
    in_hand = _pose(grip) @ tool.in_grip
    quaternion = np.empty(4)
    mujoco.mju_mat2Quat(quaternion, in_hand.rotation.ravel())
    body = hand.add_body(name=TOOL_BODY, pos=in_hand.position_m.tolist(), quat=quaternion.tolist(), gravcomp=1.0)
    tool.vessel.add_plates(body, **_TOOL_BITS, friction=friction)
    if not tool.handle:
        spec.add_material(name="tool", rgba=[0.86, 0.93, 0.97, 0.28], specular=0.8, shininess=0.9)
    else:
        spec.add_material(name="tool", rgba=[0.80, 0.81, 0.83, 1.0], specular=0.8, shininess=0.7)
        _add_handle(spec, body, tool)
    add_drawing(spec, body, tool.vessel.mesh(), "tool", "tool")


def _add_handle(spec: mujoco.MjSpec, body: mujoco.MjsBody, tool: Tool) -> None:
    rim, height = tool.vessel.profile_m[-1]
    root = np.array([-rim, 0.0, height])
    end = np.array(tool.grip_m)
    beyond = end + 0.25 * (end - root)
    mesh = sweep([root - [-0.004, 0.0, 0.003], root, (root + end) / 2, beyond], [0.002, 0.003, 0.004, 0.004], sides=10)
    add_drawing(spec, body, mesh, "tool", "handle")
    body.add_geom(
        type=mujoco.mjtGeom.mjGEOM_CAPSULE, fromto=[*root, *end], size=[0.003, 0, 0], group=3, mass=0.01, **_TOOL_BITS
    )


def _pose(site: mujoco.MjsSite) -> Pose:
    matrix = np.empty(9)
    mujoco.mju_quat2Mat(matrix, np.asarray(site.quat, np.float64))
    return Pose(np.asarray(site.pos, np.float64), matrix.reshape(3, 3))
