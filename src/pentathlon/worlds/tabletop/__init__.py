"""A Franka arm that pours and scoops grains."""

from pentathlon.worlds.tabletop.robot import (
    CONTROL_HZ,
    JOINTS,
    Robot,
    RobotStoppedError,
    Setup,
    Sight,
    interaction,
)

__all__ = ["CONTROL_HZ", "JOINTS", "Robot", "RobotStoppedError", "Setup", "Sight", "interaction"]
