"""A Franka arm that pours and scoops grains."""

from pentathlon.worlds.environments import register_environments
from pentathlon.worlds.tabletop.arm.robot import (
    CONTROL_HZ,
    JOINTS,
    Robot,
    RobotStoppedError,
    Setup,
    Sight,
    interaction,
)

register_environments("pentathlon.worlds.tabletop.env", "Pour", "Scoop")

__all__ = ["CONTROL_HZ", "JOINTS", "Robot", "RobotStoppedError", "Setup", "Sight", "interaction"]
