"""Drivers of robots: factories that the settings name as ``module:factory``."""

from __future__ import annotations

from typing import Protocol

from pentathlon.worlds.tabletop.arm.robot import Robot

SIMULATED = "pentathlon.server.robots.drivers:simulated"


class Driver(Protocol):
    """Makes the robot of a worker.

    The robot may carry ``needs_confirmation = True``: then a person confirms the bench before each trial.
    """

    def __call__(self, name: str, image_size: tuple[int, int]) -> Robot:
        """Connects to the robot ``name`` and lets its camera give pictures of ``image_size`` (height, width)."""
        ...


def simulated(name: str, image_size: tuple[int, int]) -> Robot:
    """A simulated arm on a simulated bench."""
    from pentathlon.worlds.tabletop.arm.simulated import SimulatedRobot

    return SimulatedRobot(name, image_size)
