"""Kitchen counters of ProcTHOR, straight, L and C, as rows of counters that are two feet deep."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pentathlon.worlds.houses.files.procthor.document import Wanted
from pentathlon.worlds.houses.files.procthor.fitting import Fit, fit_size
from pentathlon.worlds.houses.furnishing.footprint import moved
from pentathlon.worlds.houses.furnishing.placing import Pose
from pentathlon.worlds.houses.plan.polygons import Rect

ARM_DEPTH_M = 0.61
TYPE = "CounterTop"
MOST_PIECES = 8
ON_EDGE_M = 0.05


class Arm(NamedTuple):
    """A straight run of counter in the frame of the whole: its rectangle, and the yaw in which it faces."""

    rect: Rect
    yaw_deg: float


def is_counter(wanted: Wanted) -> bool:
    """Tells whether an object is a counter of known size."""
    return wanted.asset.type == TYPE and wanted.asset.size_m[0] > 0


def counter_pieces(wanted: Wanted, x_m: float, y_m: float, open_side: bool) -> list[tuple[Fit, Pose]]:
    """Returns the pieces of a counter whose whole has its middle at a place.

    Args:
        wanted: the counter.
        x_m: middle of the whole.
        y_m: middle of the whole.
        open_side: of an L, whether its short arm is at the low end of its width when nothing lies on either.
    """
    return [piece for arm in _arms(wanted, open_side) for piece in _row(arm, wanted, x_m, y_m)]


def _arms(wanted: Wanted, low_end: bool) -> list[Arm]:
    width, depth, _ = wanted.asset.size_m
    half_x, half_y = width / 2, depth / 2
    shape = wanted.asset_id.split("_")[1] if "_" in wanted.asset_id else "I"
    if shape not in ("L", "C") or depth <= 1.2 * ARM_DEPTH_M:
        return [Arm(Rect(-half_x, -half_y, half_x, half_y), 0.0)]
    inner = half_y - ARM_DEPTH_M
    back = Arm(Rect(-half_x, inner, half_x, half_y), 0.0)
    left = Arm(Rect(-half_x, -half_y, -half_x + ARM_DEPTH_M, inner), 90.0)
    right = Arm(Rect(half_x - ARM_DEPTH_M, -half_y, half_x, inner), 270.0)
    if shape == "C":
        return [back, left, right]
    on_left, on_right = (sum(_lies_on(child, wanted, arm) for child in wanted.children) for arm in (left, right))
    at_left = low_end if on_left == on_right else on_left > on_right
    return [back, left if at_left else right]


def _lies_on(child: Wanted, counter: Wanted, arm: Arm) -> bool:
    x, y = moved((child.x_m - counter.x_m, child.y_m - counter.y_m), -counter.yaw_deg, 0.0, 0.0)
    rect = arm.rect.grown(ON_EDGE_M)
    return rect.x0 <= x <= rect.x1 and rect.y0 <= y <= rect.y1


def _row(arm: Arm, wanted: Wanted, x_m: float, y_m: float) -> Iterator[tuple[Fit, Pose]]:
    """Cuts an arm into as many counters as need the least stretching."""
    upright = arm.yaw_deg % 180.0 == 0.0
    length, depth = (arm.rect.width, arm.rect.depth) if upright else (arm.rect.depth, arm.rect.width)
    height = wanted.asset.size_m[2]
    rows = [[fit_size(TYPE, (length / count, depth, height))] * count for count in range(1, MOST_PIECES + 1)]
    row = min(rows, key=lambda fits: abs(fits[0].stretch[0] - 1.0) + (0.0 if _fills(fits, length) else 10.0))
    for i, piece in enumerate(row):
        share = (i + 0.5) / len(row)
        if upright:
            middle = arm.rect.x0 + share * arm.rect.width, arm.rect.centre[1]
        else:
            middle = arm.rect.centre[0], arm.rect.y0 + share * arm.rect.depth
        x, y = moved(middle, wanted.yaw_deg, x_m, y_m)
        yield piece, centred(piece, x, y, wanted.yaw_deg + arm.yaw_deg)


def _fills(row: list[Fit], length: float) -> bool:
    width = row[0].view.rect.width
    return row[0].turn_deg == 0.0 and abs(width * len(row) - length) < 0.02 * length


def centred(piece: Fit, x_m: float, y_m: float, yaw_deg: float, z_m: float = 0.0) -> Pose:
    """Returns the pose that puts the middle of a piece's footprint at a place."""
    yaw_deg = (yaw_deg + piece.turn_deg) % 360.0
    dx, dy = moved(piece.view.rect.centre, yaw_deg, 0.0, 0.0)
    return Pose(x_m - dx, y_m - dy, z_m, yaw_deg)
