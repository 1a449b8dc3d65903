"""The arm agent's actions and the size of their steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from pentathlon.core.eyes import Setting
from pentathlon.worlds.houses.bodies.limits import check_limits

ArmAction = Literal[
    "MoveAhead", "MoveBack", "RotateLeft", "RotateRight", "LookUp", "LookDown", "RaiseArm", "LowerArm",
    "GripperAhead", "GripperBack", "GripperLeft", "GripperRight", "GripperUp", "GripperDown",
    "ShoulderLeft", "ShoulderRight", "ShoulderUp", "ShoulderDown", "ElbowUp", "ElbowDown",
    "ForearmLeft", "ForearmRight", "WristUp", "WristDown", "WristLeft", "WristRight",
    "Grasp", "Release", "Open", "Close", "Done",
]  # fmt: skip
ARM_ACTIONS: tuple[ArmAction, ...] = get_args(ArmAction)

FORCE_STEP_KGF = 0.05
# Grasp forces are multiples of the step; this much is the rounding of their arithmetic.
FORCE_ROUNDING_KGF = 1e-6

# The place in the posture that an action changes, and the direction.
LIFTS: dict[str, float] = {"RaiseArm": 1.0, "LowerArm": -1.0}
HINGES: dict[str, tuple[int, float]] = {
    "ShoulderLeft": (0, 1.0), "ShoulderRight": (0, -1.0), "ShoulderUp": (1, -1.0), "ShoulderDown": (1, 1.0),
    "ElbowUp": (2, -1.0), "ElbowDown": (2, 1.0), "ForearmLeft": (3, -1.0), "ForearmRight": (3, 1.0),
    "WristUp": (4, -1.0), "WristDown": (4, 1.0), "WristLeft": (5, -1.0), "WristRight": (5, 1.0),
}  # fmt: skip
SHIFTS: dict[str, tuple[float, float, float]] = {
    "GripperAhead": (1.0, 0.0, 0.0), "GripperBack": (-1.0, 0.0, 0.0), "GripperLeft": (0.0, 1.0, 0.0),
    "GripperRight": (0.0, -1.0, 0.0), "GripperUp": (0.0, 0.0, 1.0), "GripperDown": (0.0, 0.0, -1.0),
}  # fmt: skip


@dataclass(frozen=True)
class ArmSettings:
    """How the arm agent moves and sees; the steps are EXCALIBUR's.

    Attributes:
        step_m: of MoveAhead and MoveBack.
        angle_deg: of turning the body, looking, and every hinge of the arm.
        arm_step_m: of the gripper's moves and the arm's lift.
        grasp_reach_m: how far from the finger tips an object's surface may be.
        handle_reach_m: how far from the finger tips a handle may be.
        camera_height_m: of the camera, at the top of the mast.
        fovy_deg: vertical field of view; 100 degrees wide at 4:3.
        size_px: width and height of the pictures.
        segmentation: whether pictures tell the object of each pixel.
        setting: the eyes' named setting.
    """

    step_m: float = 0.25
    angle_deg: float = 15.0
    arm_step_m: float = 0.05
    most_look_deg: float = 75.0
    grasp_reach_m: float = 0.05
    handle_reach_m: float = 0.15
    camera_height_m: float = 1.38
    fovy_deg: float = 83.6
    size_px: tuple[int, int] = (800, 600)
    segmentation: bool = False
    setting: Setting = "fast"

    def __post_init__(self) -> None:
        limits = {"step_m": 5.0, "angle_deg": 90.0, "arm_step_m": 0.5, "grasp_reach_m": 0.3, "fovy_deg": 179.0}
        check_limits(self, limits)
