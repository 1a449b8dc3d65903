"""A Franka arm that pours and scoops grains."""

from pentathlon.worlds.tabletop.registration import register_environments
from pentathlon.worlds.tabletop.robot import (
    CONTROL_HZ,
    JOINTS,
    Robot,
    RobotStoppedError,
    Setup,
    Sight,
    interaction,
)

register_environments()

__all__ = ["CONTROL_HZ", "JOINTS", "Robot", "RobotStoppedError", "Setup", "Sight", "interaction"]
