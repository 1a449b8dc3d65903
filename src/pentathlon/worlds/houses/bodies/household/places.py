"""Where things are in a household: what lies on or in what, what hides it, and where there is room."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import islice

import mujoco
import numpy as np
from numpy.typing import NDArray

from pentathlon.worlds.houses.assets.asset import Receptacle
from pentathlon.worlds.houses.assets.to_mujoco import VISUAL_GROUP, Placed
from pentathlon.worlds.houses.bodies.household.person import Household
from pentathlon.worlds.houses.bodies.household.slices import upright

Floats = NDArray[np.float64]
ABOVE_M, BELOW_M = 0.03, 0.07
APART_M = 0.01
LIFT_M = 0.0005
GRID = 9
MOST_SPOTS = 40
SEEN_MARGIN = 0.02
HANDY_M = 0.8


def contents(household: Household, holder_id: str, receptacle: Receptacle) -> list[str]:
    """Returns what lies on a receptacle."""
    frame = receptacle_frame(household, holder_id, receptacle)
    low, high = household.boxes()
    middle = (low + high) / 2
    local = (middle - frame[:3, 3]) @ frame[:3, :3]
    gap = low[:, 2] - frame[2, 3]
    over = (np.abs(local[:, :2]) <= np.array(receptacle.size_m) / 2 + APART_M).all(axis=1)
    lies = over & (gap <= ABOVE_M) & (gap >= -BELOW_M) & (high[:, 2] <= frame[2, 3] + receptacle.clearance_m + ABOVE_M)
    objects = household.scene.house.objects
    return [
        objects[i].id
        for i in np.flatnonzero(lies)
        if objects[i].id not in (holder_id, household.held) and household.scene.placed[objects[i].id].free_joint
    ]


def riders(household: Household, object_id: str) -> list[str]:
    """Returns what lies on or in a thing, and on or in that."""
    found: list[str] = []
    for receptacle in household.placed(object_id).asset.receptacles:
        for thing in contents(household, object_id, receptacle):
            if thing not in found:
                found += [thing, *riders(household, thing)]
    return found


def riders_of_joint(household: Household, holder_id: str, joint: str) -> list[str]:
    """Returns what lies in a drawer."""
    asset = household.placed(holder_id).asset
    own = [receptacle for receptacle in asset.receptacles if receptacle.joint == joint]
    things = [thing for receptacle in own for thing in contents(household, holder_id, receptacle)]
    return [*things, *(rider for thing in things for rider in riders(household, thing))]


def hidden_in(household: Household, object_id: str) -> str | None:
    """Returns the closed thing that an object is in, as "holder/door" where another door of it would open first."""
    for holder_id, placed in household.scene.placed.items():
        for receptacle in placed.asset.receptacles:
            closed = receptacle.door and not household.is_open(holder_id, receptacle.door)
            if closed and object_id in contents(household, holder_id, receptacle):
                first = next(joint for joint in leaders(placed) if not household.is_open(holder_id, joint))
                return holder_id if first == receptacle.door else f"{holder_id}/{receptacle.door}"
    return None


def leaders(placed: Placed) -> list[str]:
    """Returns the joints that a hand moves by themselves."""
    return [joint.name for joint in placed.asset.joints if not joint.leader]


def door_of(household: Household, name: str) -> tuple[str, str | None]:
    """Reads "holder" or "holder/door" and returns the thing and the door that is meant, if one is."""
    known = name in household.scene.placed or name in household.scene.leaves
    holder, _, door = name.rpartition("/")
    if known or not holder or door not in household.placed(holder).joints:
        return name, None
    return holder, door


def reachable_receptacles(household: Household, holder_id: str, relation: str) -> list[Receptacle]:
    """Returns the receptacles of a kind that no closed door bars."""
    return [
        receptacle
        for receptacle in household.placed(holder_id).asset.receptacles
        if receptacle.relation == relation
        and (not receptacle.door or household.is_open(holder_id, receptacle.door))
        and (not receptacle.joint or household.is_open(holder_id, receptacle.joint))
    ]


def find_spot(household: Household, object_id: str, holder_id: str, receptacles: Sequence[Receptacle]) -> Floats | None:
    """Returns the frame of a free place for a thing on one of the receptacles.

    Those that the person sees come first, and of these the ones at a handy height.
    """
    order = sorted(receptacles, key=lambda item: abs(receptacle_frame(household, holder_id, item)[2, 3] - HANDY_M))
    hidden: Floats | None = None
    for item in order:
        for spot in islice(_spots(household, object_id, holder_id, item), MOST_SPOTS):
            if _is_seen(household, object_id, spot):
                return spot
            hidden = spot if hidden is None else hidden
    return hidden


def _is_seen(household: Household, object_id: str, spot: Floats) -> bool:
    """Tells whether the middle and the top of a thing at a spot could be seen from the eyes."""
    low, high = household.placed(object_id).asset.bounds_m
    eye = np.array(household.camera().position_m)
    groups = np.zeros(6, dtype=np.uint8)
    groups[VISUAL_GROUP] = 1
    geom = np.zeros(1, dtype=np.int32)
    body = household.scene.body_id(object_id)
    for share in (0.6, 1.0):
        point = spot[:3, 3] + spot[:3, :3] @ np.array([*(low + high)[:2] / 2, low[2] + share * (high - low)[2]])
        hit = mujoco.mj_ray(household.model, household.data, eye, point - eye, groups, True, body, geom)
        if 0 <= hit < 1.0 - SEEN_MARGIN:
            return False
    return True


def _spots(household: Household, object_id: str, holder_id: str, receptacle: Receptacle) -> Iterator[Floats]:
    frame = receptacle_frame(household, holder_id, receptacle)
    low, high = household.placed(object_id).asset.bounds_m
    size, middle = high - low, (low + high) / 2
    if size[2] > receptacle.clearance_m:
        return
    yaw_deg = math.degrees(math.atan2(frame[1, 0], frame[0, 0]))
    taken = [_footprint(household, thing, frame) for thing in contents(household, holder_id, receptacle)]
    # Across first, then lengthwise: long things may fit only one way.
    for turn_deg, width, depth in ((0.0, size[0], size[1]), (90.0, size[1], size[0])):
        room = (np.array(receptacle.size_m) - (width, depth)) / 2
        if (room < -APART_M).any():
            continue
        for x, y in _grid(np.maximum(room, 0.0)):
            half = np.array([width, depth]) / 2 + APART_M
            if any((np.abs((x, y) - centre) < half + reach).all() for centre, reach in taken):
                continue
            place = frame[:3, 3] + frame[:3, :3] @ np.array([x, y, LIFT_M])
            pose = upright(place, yaw_deg + turn_deg)
            pose[:3, 3] -= pose[:3, :3] @ np.array([middle[0], middle[1], low[2]])
            yield pose


def _grid(room: Floats) -> list[tuple[float, float]]:
    """Places in a rectangle of these half sides, the middle first."""
    ticks = np.linspace(-1.0, 1.0, GRID)
    places = [(float(x * room[0]), float(y * room[1])) for x in ticks for y in ticks]
    return sorted(places, key=lambda place: math.hypot(*place))


def _footprint(household: Household, thing: str, frame: Floats) -> tuple[Floats, Floats]:
    """Middle and half sides of a thing's box in the plane of a receptacle."""
    low, high = household.bounds(thing)
    local = ((low + high) / 2 - frame[:3, 3]) @ frame[:3, :3]
    reach = np.abs(frame[:3, :3].T) @ ((high - low) / 2)
    return local[:2], reach[:2]


def receptacle_frame(household: Household, holder_id: str, receptacle: Receptacle) -> Floats:
    """Returns the frame of a receptacle: the middle of its surface, x across, y to the back."""
    placed = household.placed(holder_id)
    if receptacle.joint:
        body = household.data.body(placed.joints[receptacle.joint])
        anchor = np.array(placed.asset.joint(receptacle.joint).anchor_m)
    else:
        body, anchor = household.data.body(placed.name), np.zeros(3)
    frame = np.eye(4)
    frame[:3, :3] = body.xmat.reshape(3, 3)
    frame[:3, 3] = body.xpos + frame[:3, :3] @ (np.array(receptacle.centre_m) - anchor)
    return frame
