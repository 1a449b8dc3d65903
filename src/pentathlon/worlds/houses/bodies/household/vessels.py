"""What is done with vessels: filling them under a tap, pouring them out, dropping them so that they break."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pentathlon.worlds.houses.bodies.household.chores import basin_of, under_tap
from pentathlon.worlds.houses.bodies.household.deeds import (
    Step,
    Verb,
    glide,
    not_in_hand,
    rest,
    too_far,
)
from pentathlon.worlds.houses.bodies.household.person import Household
from pentathlon.worlds.houses.bodies.household.places import receptacle_frame
from pentathlon.worlds.houses.bodies.household.slices import upright
from pentathlon.worlds.houses.bodies.household.walk import face, lean_towards, walking_map
from pentathlon.worlds.houses.scene.house_scene import room_of_point

Floats = NDArray[np.float64]
OVER_M = 0.10
TILT_DEG = 105.0
FALL_STEPS = 4


def _fill_refusal(household: Household, step: Step) -> str | None:
    if not household.can(step.object, "fillable"):
        return f"{step.object} cannot be filled."
    if not _is_sink(household, step.target):
        return f"{step.target} is no sink."
    if household.state(step.object).filled:
        return f"{step.object} is full already."
    return not_in_hand(household, step.object) or too_far(household, step.target)


def _fill(household: Household, step: Step) -> Iterator[None]:
    yield from under_tap(household, step, filled=True, hot=False)


def _pour_refusal(household: Household, step: Step) -> str | None:
    if not household.can(step.object, "fillable"):
        return f"{step.object} cannot be filled."
    reason = not_in_hand(household, step.object)
    if reason is None and not household.state(step.object).filled:
        return f"{step.object} is empty."
    if not _is_sink(household, step.target):
        if not household.can(step.target, "fillable"):
            return f"Nothing can be poured into {step.target}."
        if household.state(step.target).filled:
            return f"{step.target} is full already."
    return reason or too_far(household, step.target)


def _is_sink(household: Household, thing_id: str) -> bool:
    return household.can(thing_id, "cleans") and basin_of(household, thing_id) is not None


def _pour(household: Household, step: Step) -> Iterator[None]:
    """Brings the vessel over the target, tilts it until it is empty, and takes it back."""
    mouth = _mouth(household, step.target)
    yield from face(household, mouth)
    over = household.hand_pose(step.object)
    # Its rim comes over the middle when it is tilted to its left.
    aside = over[:3, 0] * float(household.placed(step.object).asset.size_m[2]) / 2
    over[:3, 3] = mouth + (0.0, 0.0, OVER_M) + aside * (1, 1, 0)
    things = household.let_go()
    yield from glide(household, step.object, over, things)
    yield from _tilt(household, step.object, over, 0.0, TILT_DEG)
    household.change(step.object, filled=False, hot=False)
    if not _is_sink(household, step.target):
        household.change(step.target, filled=True)
    yield from rest(household)
    yield from _tilt(household, step.object, over, TILT_DEG, 0.0)
    yield from glide(household, step.object, household.hand_pose(step.object), things)
    household.hold(step.object, things)
    yield from rest(household)


def _mouth(household: Household, thing_id: str) -> Floats:
    """Returns where to pour: into the basin of a sink, into the top of a vessel."""
    basin = basin_of(household, thing_id) if household.can(thing_id, "cleans") else None
    if basin is not None:
        return receptacle_frame(household, thing_id, basin)[:3, 3] + (0.0, 0.0, OVER_M)
    low, high = household.bounds(thing_id)
    return np.array([*(low + high)[:2] / 2, high[2]])


def _tilt(household: Household, object_id: str, pose: Floats, start_deg: float, end_deg: float) -> Iterator[None]:
    """Turns a vessel over to its left about the middle of its height."""
    low, high = household.placed(object_id).asset.bounds_m
    centre = np.array([0.0, 0.0, float(low[2] + high[2]) / 2])
    for angle_deg in np.linspace(start_deg, end_deg, household.settings.gesture_frames):
        angle = -math.radians(float(angle_deg))
        spin = np.array(
            [[math.cos(angle), 0, math.sin(angle)], [0, 1, 0], [-math.sin(angle), 0, math.cos(angle)]], dtype=float
        )
        turned = pose.copy()
        turned[:3, :3] = pose[:3, :3] @ spin
        turned[:3, 3] = pose[:3, 3] + pose[:3, :3] @ (centre - spin @ centre)
        household.move(object_id, turned)
        yield


def _break_refusal(household: Household, step: Step) -> str | None:
    if not household.can(step.object, "breakable"):
        return f"{step.object} cannot be broken."
    return not_in_hand(household, step.object)


def _break(household: Household, step: Step) -> Iterator[None]:
    """Lets the object fall to the floor, where it breaks."""
    x, y = _floor_ahead(household)
    landing = upright(np.array([x, y, 0.001]), household.gaze.yaw_deg - 90.0)
    yield from face(household, landing[:3, 3])
    above = household.pose(step.object)
    above[:2, 3] = x, y
    things = household.let_go()
    yield from glide(household, step.object, above, things)
    start_m = float(above[2, 3])
    for step_number in range(1, FALL_STEPS + 1):
        above[2, 3] = start_m + (0.001 - start_m) * (step_number / FALL_STEPS) ** 2
        household.move(step.object, above, things)
        yield
    household.move(step.object, landing, things)
    household.change(step.object, broken=True, filled=False, hot=False, cold=False)
    yield from lean_towards(household, step.object)
    yield from rest(household, 1.5)


def _floor_ahead(household: Household) -> tuple[float, float]:
    """Returns a free place on the floor, before the person if there is one."""
    ways, gaze = walking_map(household), household.gaze
    for turn_deg in (0.0, 35.0, -35.0, 70.0, -70.0, 110.0, -110.0, 150.0, -150.0):
        for far_m in (0.75, 0.55):
            angle = math.radians(gaze.yaw_deg + turn_deg)
            x, y = gaze.x_m + far_m * math.cos(angle), gaze.y_m + far_m * math.sin(angle)
            if room_of_point(household.scene.house, x, y) is not None and ways.is_free(x, y):
                return x, y
    return gaze.x_m, gaze.y_m


VESSELS: dict[str, Verb] = {
    "fill": Verb(True, _fill_refusal, _fill),
    "pour": Verb(True, _pour_refusal, _pour),
    "break": Verb(False, _break_refusal, _break),
}
