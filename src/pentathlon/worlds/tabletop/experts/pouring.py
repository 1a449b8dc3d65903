"""How the pouring expert moves: carry the cup beside the target, tip it over its lip, wait, tip back, draw away."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from pentathlon.worlds.tabletop.arm.kinematics import Pose
from pentathlon.worlds.tabletop.bench.tools import CUP
from pentathlon.worlds.tabletop.bench.vessels import Vessel
from pentathlon.worlds.tabletop.experts.paths import Waypoint, present_waypoint
from pentathlon.worlds.tabletop.experts.styles import Style

LIP_M: Final = (CUP.vessel.profile_m[-1][0], 0.0, CUP.vessel.height_m)
_ASIDE_RAD: Final = math.radians(75.0)
_FIRST_GRAIN_RAD: Final = math.radians(50.0)
_LAST_GRAIN_RAD: Final = math.radians(102.0)
_FULL_RAD: Final = math.radians(124.0)
_SHORT_M: Final = 0.018
"""The lip stays this far short of the middle, because grains leave it with some speed."""


def plan_pour(tool: Pose, target: Pose, container: Vessel, style: Style) -> list[Waypoint]:
    """Returns way points of the cup's lip, from where the cup is now to where it is drawn away empty."""
    middle = target.position_m + np.array([*style.miss_m, container.height_m])
    heading = 0.7 * math.atan2(middle[1], middle[0]) + style.side * _ASIDE_RAD + style.heading_rad
    ahead = np.array([math.cos(heading), math.sin(heading), 0.0])
    up = np.array([0.0, 0.0, 1.0])
    height = 0.025 + style.clearance_m
    beside = middle - 0.040 * ahead + (height + 0.02) * up
    over = middle - _SHORT_M * ahead + height * up
    away = middle - 0.08 * ahead + (height + 0.07) * up
    pace, full = style.pace, _FULL_RAD + style.lean_rad
    return [
        present_waypoint(tool, LIP_M),
        Waypoint(beside, heading, 0.0, 2.3 * pace, style.bow_m, style.rise_m),
        Waypoint(beside, heading, 0.02, style.pause_s),
        Waypoint(over, heading, _FIRST_GRAIN_RAD, 1.5 * pace),
        Waypoint(over, heading, _LAST_GRAIN_RAD, 3.1 * pace),
        Waypoint(over, heading, full, 1.2 * pace),
        Waypoint(over, heading, full, 0.3 + style.pause_s),
        Waypoint(over + 0.02 * up, heading, 0.5 * full, 0.9 * pace),
        Waypoint(away, heading, 0.0, 1.2 * pace),
    ]
