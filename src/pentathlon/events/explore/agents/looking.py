"""Looks at what carries and holds things, from near and from several sides: a bath hides what lies in it."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from pentathlon.events.explore.agents.body import Body, Deed
from pentathlon.events.explore.agents.stands import Planned
from pentathlon.events.explore.agents.walking import LOOK_PITCH_DEG, face, look_around, tilt
from pentathlon.events.explore.perception import Sighting
from pentathlon.worlds.houses.bodies.scope import spread
from pentathlon.worlds.houses.bodies.walk_planner import Spot

# So far from the box of what is looked at, and from each other.
NEAR_M, FAR_M, APART_M = 0.2, 0.75, 1.0
MOST_SIDES = 4
# What is smaller carries nothing that hides behind it.
LEAST_TOP_M2 = 0.06
HIGHEST_DEG, LOWEST_DEG = -30.0, 60.0
LOOK_DOWN_DEG = 45.0
TOUR_APART_M = 1.2


def is_worth_a_look(sighting: Sighting) -> bool:
    """Tells whether other things may lie in, on or behind a thing."""
    width_m, depth_m, _ = (high - low for low, high in zip(sighting.low_m, sighting.high_m, strict=True))
    return sighting.thing.portable is False and width_m * depth_m >= LEAST_TOP_M2


def look_at(body: Body, planned: Planned, sighting: Sighting) -> Deed:
    """Goes round a thing and looks at it from each side that can be walked to."""
    looked = False
    for spot in sides(planned, sighting):
        if (yield from planned.walk(spot)) and (yield from face(body, sighting.middle_m)):
            for pitch_deg in sorted({_pitch_deg(body, sighting), LOOK_DOWN_DEG}):
                yield from tilt(body, pitch_deg)
            yield from tilt(body, LOOK_PITCH_DEG)
            looked = True
    return looked


def sides(planned: Planned, sighting: Sighting) -> list[Spot]:
    """Places beside a thing, apart from each other, the soonest reached first."""
    low, high = np.array(sighting.low_m[:2]), np.array(sighting.high_m[:2])
    middle, half_m = (low + high) / 2, float(np.hypot(*(high - low))) / 2
    spots = planned.plans.floor().spots(float(middle[0]), float(middle[1]), 0.0, half_m + FAR_M)
    gap_m = np.linalg.norm(np.maximum(np.maximum(low - spots, spots - high), 0.0), axis=1)
    return list(spread(spots[(gap_m >= NEAR_M) & (gap_m <= FAR_M)], APART_M, MOST_SIDES))


def tour(body: Body, planned: Planned) -> Deed:
    """Looks around, level and down, everywhere that a plan leads to."""
    left = list(_everywhere(planned))
    while left:
        x_m, y_m = body.pose.x_m, body.pose.y_m
        left.sort(key=lambda spot: math.hypot(spot[0] - x_m, spot[1] - y_m))
        if (yield from planned.walk(left.pop(0))):
            for pitch_deg in (LOOK_DOWN_DEG, LOOK_PITCH_DEG):
                yield from tilt(body, pitch_deg)
                yield from look_around(body)
    return True


def _everywhere(planned: Planned) -> Iterator[Spot]:
    pose = planned.body.pose
    spots = planned.plans.floor().spots(pose.x_m, pose.y_m, 0.0, math.inf)
    return spread(spots, TOUR_APART_M, len(spots))


def _pitch_deg(body: Body, sighting: Sighting) -> float:
    """The tilt, in steps of the head, that brings a thing's middle before the camera."""
    x_m, y_m, z_m = sighting.middle_m
    away_m = math.hypot(x_m - body.pose.x_m, y_m - body.pose.y_m)
    wanted_deg = math.degrees(math.atan2(body.walk.body.camera.height_m - z_m, away_m))
    step_deg = body.walk.body.look_deg
    return step_deg * round(min(max(wanted_deg, HIGHEST_DEG), LOWEST_DEG) / step_deg)
