"""Tool paths: way points joined by smooth strokes, as hands move, with a little tremor."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from pentathlon.worlds.tabletop.arm.control import EndEffectorController
from pentathlon.worlds.tabletop.arm.kinematics import Pose
from pentathlon.worlds.tabletop.arm.robot import CONTROL_HZ, Joints
from pentathlon.worlds.tabletop.bench.tools import Tool

Floats = npt.NDArray[np.float64]
Point = tuple[float, float, float]

_TREMOR_WAVES: Final = 4


@dataclass(frozen=True)
class Waypoint:
    """Where a point of the tool shall be, and how the tool is turned there.

    Attributes:
        place_m: of the tool's pivot, in the base frame.
        heading_rad: of the tool's x axis, about the vertical.
        tilt_rad: about the tool's y axis; positive tips the opening ahead, over x.
        seconds: the stroke from the way point before takes.
        bow_m: how far the middle of that stroke bends to the left of the straight line.
        rise_m: how far it bends upwards.
    """

    place_m: npt.ArrayLike
    heading_rad: float
    tilt_rad: float
    seconds: float
    bow_m: float = 0.0
    rise_m: float = 0.0

    def row(self) -> Floats:
        """The five numbers that are interpolated."""
        return np.array([*np.asarray(self.place_m, np.float64), self.heading_rad, self.tilt_rad])


def tool_pose(row: Floats, pivot_m: Point) -> Pose:
    """Returns the tool's pose for (pivot's place, heading, tilt)."""
    cosine, sine = math.cos(row[3]), math.sin(row[3])
    heading = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
    cosine, sine = math.cos(row[4]), math.sin(row[4])
    tilt = np.array([[cosine, 0.0, sine], [0.0, 1.0, 0.0], [-sine, 0.0, cosine]])
    rotation = heading @ tilt
    return Pose(row[:3] - rotation @ np.array(pivot_m), rotation)


def present_waypoint(tool: Pose, pivot_m: Point) -> Waypoint:
    """Returns the way point where the tool already is; its roll is taken for zero."""
    ahead = tool.rotation[:, 0]
    place = tool.position_m + tool.rotation @ np.array(pivot_m)
    return Waypoint(place, math.atan2(ahead[1], ahead[0]), -math.asin(float(np.clip(ahead[2], -1, 1))), 0.0)


class Path(NamedTuple):
    """Rows ``[T, 5]`` at the control rate, and at which of them a stroke ends."""

    rows: Floats
    ends: frozenset[int]


def trace(waypoints: Sequence[Waypoint]) -> Path:
    """Joins way points by strokes that follow the minimum-jerk profile of human reaching."""
    rows = [waypoints[0].row()[None]]
    for before, after in pairwise(waypoints):
        count = max(1, round(after.seconds * CONTROL_HZ))
        share = (np.arange(count) + 1.0) / count
        progress = share**3 * (10.0 - 15.0 * share + 6.0 * share**2)
        stroke = before.row() + progress[:, None] * (after.row() - before.row())
        along = after.row()[:2] - before.row()[:2]
        length = float(np.hypot(*along))
        if length > 1e-6:
            bend = np.sin(math.pi * progress)
            stroke[:, :2] += after.bow_m * bend[:, None] * np.array([-along[1], along[0]]) / length
            stroke[:, 2] += after.rise_m * bend
        rows.append(stroke)
    ends = np.cumsum([len(stroke) for stroke in rows]) - 1
    return Path(np.concatenate(rows), frozenset(ends.tolist()))


def tremor(steps: int, amplitude: npt.ArrayLike, generator: np.random.Generator) -> Floats:
    """Returns slow smooth wobble ``[T, 5]`` that begins and ends at zero."""
    time_s = np.arange(steps) / CONTROL_HZ
    frequency_hz = generator.uniform(0.3, 2.0, (_TREMOR_WAVES, 5))
    phase = generator.uniform(0.0, 2 * math.pi, (_TREMOR_WAVES, 5))
    waves = np.sin(2 * math.pi * frequency_hz * time_s[:, None, None] + phase).mean(axis=1)
    fade = np.minimum(1.0, np.minimum(time_s, time_s[::-1]) / 0.7)
    wobble: Floats = waves * fade[:, None] * np.asarray(amplitude, np.float64)
    return wobble


class Motion(NamedTuple):
    """Joint targets ``[T, 7]``, and how far they miss the worst way point, in metres and radians."""

    targets_rad: Joints
    missed: float


def follow(path: Path, pivot_m: Point, tool: Tool, start_rad: Floats) -> Motion:
    """Leads the tool along a path."""
    controller = EndEffectorController(start_rad)
    targets, missed = [], 0.0
    for step, row in enumerate(path.rows):
        wanted = tool.gripper_for(tool_pose(row, pivot_m))
        targets.append(controller.follow(wanted))
        if step in path.ends:
            missed = max(missed, wanted.distance(controller.gripper))
    return Motion(np.stack(targets), missed)
