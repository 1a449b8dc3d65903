"""Finds where a thing can stand on what carries it: as near to where it was as there is room."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from pentathlon.worlds.houses.files.procthor.document import Wanted
from pentathlon.worlds.houses.files.procthor.fitting import Fit
from pentathlon.worlds.houses.furnishing.footprint import Footprint, turned
from pentathlon.worlds.houses.furnishing.placing import Pose
from pentathlon.worlds.houses.furnishing.surfaces import EDGE_M, Surface
from pentathlon.worlds.houses.plan.polygons import Rect

SHARES = tuple(i / 10 for i in range(11))
SMALLER = (1.0, 0.85, 0.7)


class Seat(NamedTuple):
    """A place on a surface, and the thing at the size that fits there."""

    surface: Surface
    fit: Fit
    pose: Pose


def find_seat(
    chosen: Fit, wanted: Wanted, surfaces: Sequence[Surface], avoided: Sequence[Pose] = (), apart_m: float = 0.0
) -> Seat | None:
    """Returns a free place, at the nearest level first, and takes it; ``None`` when nothing has room.

    Args:
        chosen: what is to stand there.
        wanted: where it stood.
        surfaces: where it may stand.
        avoided: places that did not hold it.
        apart_m: how far from those it must be.
    """
    for factor in SMALLER:
        fitted = chosen if factor == 1.0 else chosen.smaller(factor)
        for surface in sorted(surfaces, key=lambda surface: _effort(surface, wanted)):
            for pose in _poses(surface, fitted, wanted):
                if all(math.hypot(pose.x - old.x, pose.y - old.y) >= apart_m for old in avoided):
                    surface.take(fitted.view, 1.0, pose)
                    return Seat(surface, fitted, pose)
    return None


def _effort(surface: Surface, wanted: Wanted) -> float:
    """How far a thing would have to be moved to come onto a surface."""
    rect = surface.rect
    aside = math.hypot(
        max(rect.x0 - wanted.x_m, 0.0, wanted.x_m - rect.x1), max(rect.y0 - wanted.y_m, 0.0, wanted.y_m - rect.y1)
    )
    return abs(surface.height_m - wanted.bottom_m) + aside


def _poses(surface: Surface, chosen: Fit, wanted: Wanted) -> Iterator[Pose]:
    yaw_deg = (wanted.yaw_deg + chosen.turn_deg) % 360.0
    area = surface.rect.grown(-EDGE_M)
    view = chosen.view if chosen.view.pickupable else _overhanging(chosen.view, yaw_deg, area)
    own = turned(view.rect, yaw_deg)
    across = _share(wanted.x_m - own.width / 2 - area.x0, area.width - own.width)
    along = _share(wanted.y_m - own.depth / 2 - area.y0, area.depth - own.depth)
    places = sorted(
        ((u, v) for u in SHARES for v in SHARES),
        key=lambda place: math.hypot((place[0] - across) * area.width, (place[1] - along) * area.depth),
    )
    for u, v in ((across, along), *places):
        pose = surface.pose(view, 1.0, yaw_deg, u, v)
        if pose is not None:
            yield pose


def _overhanging(view: Footprint, yaw_deg: float, area: Rect) -> Footprint:
    """A fixed thing that is wider than what carries it stands out on both sides, as televisions do."""
    own = turned(view.rect, yaw_deg)
    share = min(1.0, 0.99 * area.width / own.width, 0.99 * area.depth / own.depth)
    x, y = view.rect.centre
    half_x, half_y = share * view.rect.width / 2, share * view.rect.depth / 2
    low, high = (x - half_x, y - half_y, view.low_m[2]), (x + half_x, y + half_y, view.high_m[2])
    return replace(view, low_m=low, high_m=high)


def _share(offset: float, spare: float) -> float:
    return min(1.0, max(0.0, offset / spare)) if spare > 0 else 0.5
