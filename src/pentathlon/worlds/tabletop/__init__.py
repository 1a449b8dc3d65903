"""A Franka arm that pours and scoops grains."""

from pentathlon.worlds.tabletop.arm.robot import (
    CONTROL_HZ,
    JOINTS,
    Robot,
    RobotStoppedError,
    Setup,
    Sight,
    interaction,
)
from pentathlon.worlds.tabletop.registration import register_environments

register_environments()

__all__ = ["CONTROL_HZ", "JOINTS", "Robot", "RobotStoppedError", "Setup", "Sight", "interaction"]
