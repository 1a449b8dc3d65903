"""How the scooping expert moves: dip the spoon in nose first, sweep it along the floor, level it, lift it out."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from pentathlon.worlds.tabletop.arm.kinematics import Pose
from pentathlon.worlds.tabletop.bench.tools import SPOON
from pentathlon.worlds.tabletop.bench.vessels import Vessel
from pentathlon.worlds.tabletop.experts.paths import Waypoint, present_waypoint
from pentathlon.worlds.tabletop.experts.styles import Style

NOSE_M: Final = (SPOON.vessel.profile_m[-1][0], 0.0, SPOON.vessel.height_m)
_ASIDE_RAD: Final = math.radians(30.0)
_DIP_RAD: Final = math.radians(48.0)
_CARELESS: Final = 2.0
"""Bowls are wider than cups, and people aim at them with less care."""


def plan_scoop(tool: Pose, target: Pose, container: Vessel, style: Style) -> list[Waypoint]:
    """Returns way points of the spoon's nose, from where the spoon is now to where it is held up, loaded."""
    floor = target.position_m + _CARELESS * np.array([*style.miss_m, 0.0])
    heading = 0.7 * math.atan2(floor[1], floor[0]) + style.side * _ASIDE_RAD + style.heading_rad
    ahead = np.array([math.cos(heading), math.sin(heading), 0.0])
    up = np.array([0.0, 0.0, 1.0])
    radius, rim = container.profile_m[0][0], container.height_m
    wall = container.profile_m[-1][0]
    pace, dip = style.pace, _DIP_RAD + style.lean_rad
    above = floor - 0.4 * radius * ahead + (rim + 0.05 + style.clearance_m) * up
    dipped = floor - 0.45 * radius * ahead + (0.006 + style.shy_m) * up
    swept = floor + 0.75 * radius * ahead + (0.010 + style.shy_m) * up
    levelled = floor + 0.5 * (radius + wall) * ahead + 0.040 * up
    lifted = floor + 0.45 * radius * ahead + (rim + 0.05) * up
    held = floor + (rim + 0.12 + style.clearance_m) * up
    return [
        present_waypoint(tool, NOSE_M),
        Waypoint(above, heading, 0.5 * dip, 3.4 * pace, style.bow_m, style.rise_m),
        Waypoint(above, heading, dip, style.pause_s + 0.6),
        Waypoint(dipped, heading, dip, 2.1 * pace),
        Waypoint(swept, heading, 0.45 * dip, 2.8 * pace),
        Waypoint(levelled, heading, -0.05, 2.2 * pace),
        Waypoint(lifted, heading, -0.05, 2.2 * pace),
        Waypoint(lifted, heading, -0.03, style.pause_s),
        Waypoint(held, heading, -0.03, 2.3 * pace),
        Waypoint(held, heading, -0.03, 0.6),
    ]
