"""Drivers of robots: factories that the settings name as ``module:factory``."""

from __future__ import annotations

import importlib
from typing import Protocol

from pentathlon.core.errors import UsageError
from pentathlon.worlds.tabletop.arm.robot import Robot

SIMULATED = "pentathlon.server.robots.drivers:simulated"


class Driver(Protocol):
    """Makes the robot of a worker.

    The robot may carry ``needs_confirmation = True``: then a person confirms the bench before each trial.
    """

    def __call__(self, name: str, image_size: tuple[int, int]) -> Robot:
        """Connects to the robot ``name`` and lets its camera give pictures of ``image_size`` (height, width)."""
        ...


def load_driver(reference: str) -> Driver:
    """Imports the driver that ``module:factory`` names."""
    module, colon, name = reference.partition(":")
    try:
        driver: Driver = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise UsageError(f"Expected a driver as module:factory, got {reference!r} ({error}).") from error
    if not colon or not callable(driver):
        raise UsageError(f"Expected a driver as module:factory, got {reference!r}.")
    return driver


def simulated(name: str, image_size: tuple[int, int]) -> Robot:
    """A simulated arm on a simulated bench."""
    from pentathlon.worlds.tabletop.arm.simulated import SimulatedRobot

    return SimulatedRobot(name, image_size)
