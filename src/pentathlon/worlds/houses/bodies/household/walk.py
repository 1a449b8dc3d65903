"""How the person walks: to a free place from where a thing is seen and its doors have room to open."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pentathlon.worlds.houses.bodies.household.person import Gaze, Household, shares
from pentathlon.worlds.houses.graph.visibility import unblocked
from pentathlon.worlds.houses.ways.navigation import RADIUS_M, NavigationMap

Floats = NDArray[np.float64]
NEAREST_M, IDEAL_M, REACH_M = 0.30, 0.55, 1.5
# Tall things are looked at from farther away.
TALL_M, PER_TALL_M = 0.9, 0.4
DOOR_ROOM_M = 0.25
BODY_HEIGHT_M = 1.6
SIDE_STEP_M = 0.6
FRONT_WEIGHT_M = 0.35
DETOUR_WEIGHT = 0.1
TRIED_PLACES = 60
SEEN_SHARE = 0.25
# Small things are looked at from a few times their size away, by leaning over.
LARGE_M, NEAR_SIZES, NEAREST_LOOK_M, MOST_LEAN_M = 0.8, 1.9, 0.32, 1.0
DEGREES_PER_LEAN_M = 120.0


def gap_m(household: Household, thing_id: str, place_m: tuple[float, float]) -> float:
    """Returns the distance on the floor between a place and a thing's box."""
    low, high = household.bounds(thing_id)
    return float(_gaps(low, high, np.array([place_m]))[0])


def walking_map(household: Household) -> NavigationMap:
    """Maps the floor as it is now, with doors as they stand; what is held is no obstacle."""
    held = household.held
    ignored = frozenset() if held is None else frozenset({household.scene.body_id(held)})
    scene = household.scene
    return NavigationMap.of_scene(
        scene.house, scene.model, household.data, RADIUS_M, BODY_HEIGHT_M, ignored_bodies=ignored
    )


def foothold(household: Household, ways: NavigationMap) -> tuple[float, float] | None:
    """Returns the free place nearest to the person, whom an opened door may have come close to."""
    x, y = household.gaze.x_m, household.gaze.y_m
    return (x, y) if ways.is_free(x, y) else ways.nearest_free(x, y, SIDE_STEP_M)


def find_stand(household: Household, thing_id: str, ways: NavigationMap) -> tuple[float, float] | None:
    """Returns a place that can be walked to, near a thing, before its front and out of its doors' way."""
    start = foothold(household, ways)
    if start is None:
        return None
    cells = np.argwhere(ways.regions == ways.regions[ways.cell(*start)])
    places = np.array([ways.point(*cell) for cell in cells])
    low, high = household.bounds(thing_id)
    gaps = _gaps(low, high, places)
    fit = (gaps >= NEAREST_M) & (gaps <= REACH_M - 0.1) & _out_of_the_way(household, thing_id, places)
    ideal = IDEAL_M + PER_TALL_M * max(0.0, float(high[2] - low[2]) - TALL_M)
    cost = np.abs(gaps - ideal) + FRONT_WEIGHT_M * _sideways(household, thing_id, places)
    cost += DETOUR_WEIGHT * np.hypot(*(places - (household.gaze.x_m, household.gaze.y_m)).T)
    order = [i for i in np.argsort(cost) if fit[i]]
    # Neighbouring places see the same: a few spread over the best ones are enough.
    best, best_share = None, 0.0
    for i in order[:: max(1, len(order) // TRIED_PLACES)]:
        share = seen_share(household, thing_id, (float(places[i][0]), float(places[i][1])))
        if share > best_share:
            best, best_share = i, share
        if share >= SEEN_SHARE:
            break
    return None if best is None else (float(places[best][0]), float(places[best][1]))


def seen_share(household: Household, thing_id: str, place_m: tuple[float, float]) -> float:
    """Returns the share of a thing's sampled surface that is seen from the eyes above a place."""
    ids = [item.id for item in household.scene.house.objects]
    if thing_id not in ids:
        return 1.0
    index = ids.index(thing_id)
    eye = np.array([*place_m, household.settings.eye_m])
    rays = household.geometry.samples(household.data, index) - eye
    return float(np.mean(unblocked(household.scene, household.data, index, eye, rays))) if len(rays) else 0.0


def walk(household: Household, ways: NavigationMap, goal_m: tuple[float, float]) -> Iterator[None]:
    """Walks the shortest way, turning at its corners; yields once for each frame."""
    first = foothold(household, ways)
    assert first is not None
    path = ways.path(first, goal_m)
    assert path is not None
    corners = np.vstack([(household.gaze.x_m, household.gaze.y_m), path.points_m])
    for start, end in pairwise(corners):
        length = float(np.hypot(*(end - start)))
        if length < 1e-6:
            continue
        heading = math.degrees(math.atan2(end[1] - start[1], end[0] - start[0]))
        yield from turn(household, heading, 5.0, lean_m=0.0)
        for share in np.linspace(0.0, 1.0, max(2, math.ceil(length / household.settings.walk_m) + 1))[1:]:
            x, y = start + (end - start) * share
            household.turn_to(household.gaze._replace(x_m=float(x), y_m=float(y)))
            yield


def lean_towards(household: Household, thing_id: str) -> Iterator[None]:
    """Brings the head so near to a small thing that it is seen large; yields once for each frame."""
    low, high = household.bounds(thing_id)
    size_m = float(np.linalg.norm(high - low))
    eye = np.array([household.gaze.x_m, household.gaze.y_m, household.settings.eye_m])
    far_m = float(np.linalg.norm((low + high) / 2 - eye))
    if 0.0 < size_m < LARGE_M:
        lean_m = min(max(far_m - max(NEAR_SIZES * size_m, NEAREST_LOOK_M), 0.0), MOST_LEAN_M)
        yield from turn(household, household.gaze.yaw_deg, household.gaze.pitch_deg, lean_m=lean_m)


def face(household: Household, point_m: Floats) -> Iterator[None]:
    """Turns and tilts the eyes towards a point; yields once for each frame."""
    gaze = household.gaze
    dx, dy = point_m[0] - gaze.x_m, point_m[1] - gaze.y_m
    pitch = math.degrees(math.atan2(household.settings.eye_m - point_m[2], math.hypot(dx, dy)))
    yield from turn(household, math.degrees(math.atan2(dy, dx)), min(max(pitch, -60.0), 70.0))


def turn(household: Household, yaw_deg: float, pitch_deg: float, *, lean_m: float | None = None) -> Iterator[None]:
    """Turns to a yaw and a pitch, softly, and leans as far as asked; yields once for each frame."""
    start = household.gaze
    bend = 0.0 if lean_m is None else lean_m - start.lean_m
    sweep = math.remainder(yaw_deg - start.yaw_deg, 360.0)
    tilt = pitch_deg - start.pitch_deg
    largest = max(abs(sweep), abs(tilt), abs(bend) * DEGREES_PER_LEAN_M)
    if largest < 0.5:
        return
    for share in shares(math.ceil(largest / household.settings.turn_deg)):
        yaw, pitch, lean = start.yaw_deg + sweep * share, start.pitch_deg + tilt * share, start.lean_m + bend * share
        household.turn_to(Gaze(start.x_m, start.y_m, yaw, pitch, lean))
        yield


def _gaps(low: Floats, high: Floats, places: Floats) -> Floats:
    outside = np.maximum(low[:2] - places, 0.0) + np.maximum(places - high[:2], 0.0)
    gaps: Floats = np.hypot(outside[:, 0], outside[:, 1])
    return gaps


def _out_of_the_way(household: Household, thing_id: str, places: Floats) -> NDArray[np.bool_]:
    """Which places no door or drawer of the thing comes near to while it opens."""
    clear = np.ones(len(places), dtype=bool)
    placed = household.placed(thing_id)
    frame = household.pose(thing_id)
    for joint in placed.asset.joints:
        anchor, handle = (frame[:3, :3] @ np.array(point) + frame[:3, 3] for point in (joint.anchor_m, joint.handle_m))
        if joint.kind == "slide":
            axis = frame[:3, :3] @ np.array(joint.axis)
            tip = handle + joint.reach * axis
            clear &= np.hypot(*(places - tip[:2]).T) > DOOR_ROOM_M + RADIUS_M
        else:
            sweep = float(np.linalg.norm(handle - anchor))
            clear &= np.hypot(*(places - anchor[:2]).T) > sweep + DOOR_ROOM_M
    return clear


def _sideways(household: Household, thing_id: str, places: Floats) -> Floats:
    """How far, in radians, places are off the front of furniture or off either side of a door; 0 for small things."""
    placed = household.placed(thing_id)
    if placed.free_joint or not (placed.asset.joints or placed.asset.receptacles):
        return np.zeros(len(places))
    low, high = household.bounds(thing_id)
    rays = places - (low + high)[:2] / 2
    front = -household.pose(thing_id)[:2, 1]
    cosine = rays @ front / np.maximum(np.linalg.norm(rays, axis=1), 1e-9)
    if thing_id in household.scene.leaves:
        cosine = np.abs(cosine)
    angles: Floats = np.arccos(np.clip(cosine, -1.0, 1.0))
    return angles
