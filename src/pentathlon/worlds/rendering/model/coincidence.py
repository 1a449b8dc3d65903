"""One rule for surfaces in the same place: of two that move together, the one that MuJoCo draws later is seen.

MuJoCo draws the mirror, then opaque objects by their numbers, then clear ones. Where rounding would decide which of two
surfaces a ray meets first, the later one is lifted outwards, by a few millionths of the scene's extent. That happens
once, when a part is built, so every ray caster that is given the same points and rows sees the same.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from pentathlon.worlds.rendering.kernels import mark_shared_planes
from pentathlon.worlds.rendering.kernels.quadrics import CAPSULE, CYLINDER, ELLIPSOID, LOWER, SIZE, TYPE, UPPER
from pentathlon.worlds.rendering.kernels.reading import NORMAL_CELLS

STEP: Final = 5e-6  # of the scene's extent: above the rounding of rays as long as some extents, and never seen
_THICKNESS: Final = 4  # steps: planes that close are one
_LEAST_OVERLAP: Final = 10  # steps: surfaces that only touch at their rims are left alone

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Pairs = set[tuple[int, int]]


class Flats(NamedTuple):
    """Flat pieces of surface: triangles, discs of cylinders, planes without end."""

    objects: Ints  # [n]
    normals: Floats  # [n, 3] unit, outward
    offsets: Floats  # [n] along the normal
    low: Floats  # [n, 3] bounding boxes
    high: Floats  # [n, 3]

    def joined(self, other: Flats) -> Flats:
        """Returns both tables as one."""
        if not len(other.objects):
            return self
        return Flats(*(np.concatenate(columns) for columns in zip(self, other, strict=True)))


NO_FLATS: Final = Flats(np.zeros(0, np.int64), np.zeros((0, 3)), np.zeros(0), np.zeros((0, 3)), np.zeros((0, 3)))


def triangle_flats(objects: npt.ArrayLike, points: Floats) -> Flats:
    """Returns the flats of triangles, [n, 3, 3]."""
    a, b, c = points.transpose(1, 0, 2)
    (ax, ay, az), (bx, by, bz) = (b - a).T, (c - a).T
    # Thirty times as fast for few triangles as numpy's own cross product, and the same.
    cross = np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=1)
    normals = cross / np.maximum(np.sqrt(np.einsum("ni,ni->n", cross, cross)), 1e-30)[:, None]
    offsets = np.einsum("ni,ni->n", normals, a)
    low, high = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
    return Flats(np.asarray(objects, np.int64), normals, offsets, low, high)


def disc_flats(objects: npt.ArrayLike, rows: Floats) -> Flats:
    """Returns the ends of cylinders among quadrics' rows."""
    chosen = rows[rows[:, TYPE] == CYLINDER]
    if not len(chosen):
        return NO_FLATS
    owners = np.asarray(objects, np.int64)[rows[:, TYPE] == CYLINDER]
    axis, centre = chosen[:, 8:11], _centres(chosen)
    tables = []
    for sign in (-1.0, 1.0):
        normal = sign * axis
        middle = centre + normal * chosen[:, SIZE + 2 : SIZE + 3]
        reach = np.sqrt(np.maximum(1 - axis**2, 0)) * chosen[:, SIZE : SIZE + 1]
        tables.append(Flats(owners, normal, (normal * middle).sum(axis=1), middle - reach, middle + reach))
    return tables[0].joined(tables[1])


def plane_flats(objects: npt.ArrayLike, positions: Floats, normals: Floats) -> Flats:
    """Returns planes without end."""
    everywhere = np.full_like(positions, np.inf)
    return Flats(np.asarray(objects, np.int64), normals, (normals * positions).sum(axis=1), -everywhere, everywhere)


def flat_pairs(flats: Flats, step_m: float) -> tuple[Pairs, Bools]:
    """Returns pairs of objects with flats in the same place, and which flats these are."""
    pairs: Pairs = set()
    shared = np.zeros(len(flats.objects), bool)
    if not len(shared):
        return pairs, shared
    for shift in (0.25, 0.75):  # what one grid splits at a border, the other does not
        cells = np.empty((len(flats.objects), 4), np.int64)
        cells[:, :3] = np.floor(flats.normals * NORMAL_CELLS + shift)
        cells[:, 3] = np.floor(flats.offsets / (_THICKNESS * step_m) + shift)
        planes = cells @ np.array([1, 1 << 11, 1 << 22, 1 << 33])
        order = _of_several(planes, flats.objects)
        if not len(order):
            continue
        found, rows = _overlapping(flats, planes, order, step_m)
        pairs |= found
        shared[rows] = True
    return pairs, shared


def _of_several(planes: Ints, objects: Ints) -> Ints:
    """Returns the flats in planes that several objects share, by plane and object: few, of the many of round things."""
    order = np.argsort(planes)
    plane, obj = planes[order], objects[order]
    starts = np.flatnonzero(np.append(True, plane[1:] != plane[:-1]))
    several = np.minimum.reduceat(obj, starts) != np.maximum.reduceat(obj, starts)
    chosen = order[np.repeat(several, np.diff(np.append(starts, len(order))))]
    found: Ints = chosen[np.lexsort((objects[chosen], planes[chosen]))]
    return found


def _overlapping(flats: Flats, planes: Ints, order: Ints, step_m: float) -> tuple[Pairs, Ints]:
    """Returns pairs of objects whose flats of one plane overlap, by the box around each object's, and these flats."""
    plane, obj = planes[order], flats.objects[order]
    begins = np.ones(len(order), bool)
    begins[1:] = (plane[1:] != plane[:-1]) | (obj[1:] != obj[:-1])
    starts = np.flatnonzero(begins)
    plane, obj = plane[starts], obj[starts]
    low, high = np.minimum.reduceat(flats.low[order], starts), np.maximum.reduceat(flats.high[order], starts)
    least, touched = _LEAST_OVERLAP * step_m, np.zeros(len(starts), bool)
    pairs: Pairs = set()
    left = np.arange(len(starts))
    for ahead in range(1, len(starts)):
        left = left[left + ahead < len(starts)]
        left = left[plane[left] == plane[left + ahead]]
        if not len(left):
            break
        right = left + ahead
        overlap = np.minimum(high[left], high[right]) - np.maximum(low[left], low[right])
        together = ((overlap > least).sum(axis=1) >= 2) & (overlap > -least).all(axis=1)
        touched[left[together]] = touched[right[together]] = True
        pairs |= set(zip(obj[left[together]].tolist(), obj[right[together]].tolist(), strict=True))
    return pairs, order[touched[np.cumsum(begins) - 1]]


def round_pairs(objects: npt.ArrayLike, rows: Floats, step_m: float) -> Pairs:
    """Returns pairs of objects whose round surfaces lie in the same place."""
    if len(rows) < 2:
        return set()
    owners = np.asarray(objects, np.int64)
    tolerance = 4 * step_m
    low, high = rows[:, LOWER : LOWER + 3], rows[:, UPPER : UPPER + 3]
    near = (np.minimum(high[:, None], high[None]) > np.maximum(low[:, None], low[None])).all(axis=-1)
    first, second = np.nonzero(np.triu(near, 1))
    a, b = rows[first], rows[second]
    same = _same_ellipsoid(a, b, tolerance) | _same_wall(a, b, tolerance)
    found = zip(owners[first[same]], owners[second[same]], strict=True)
    return {(int(min(pair)), int(max(pair))) for pair in found if pair[0] != pair[1]}


def _centres(rows: Floats) -> Floats:
    centres: Floats = -np.einsum("nij,ni->nj", rows[:, :12].reshape(-1, 3, 4)[:, :, :3], rows[:, [3, 7, 11]])
    return centres


def _same_ellipsoid(a: Floats, b: Floats, tolerance: float) -> Bools:
    kinds = (a[:, TYPE] == ELLIPSOID) & (b[:, TYPE] == ELLIPSOID)
    sizes = (np.abs(a[:, SIZE : SIZE + 3] - b[:, SIZE : SIZE + 3]) < tolerance).all(axis=1)
    size = a[:, SIZE : SIZE + 3]
    ball = np.ptp(size, axis=1) < tolerance if len(size) else np.zeros(0, bool)
    turned = np.abs(a[:, [0, 1, 2, 4, 5, 6]] - b[:, [0, 1, 2, 4, 5, 6]]).max(axis=1, initial=0) < 1e-4
    same: Bools = kinds & sizes & (ball | turned) & (np.abs(_centres(a) - _centres(b)) < tolerance).all(axis=1)
    return same


def _same_wall(a: Floats, b: Floats, tolerance: float) -> Bools:
    """Tells where tubes of capsules and cylinders have one axis and one radius."""
    kinds = np.isin(a[:, TYPE], (CAPSULE, CYLINDER)) & np.isin(b[:, TYPE], (CAPSULE, CYLINDER))
    axis = a[:, 8:11]
    parallel = np.abs((axis * b[:, 8:11]).sum(axis=1)) > 1 - 1e-6
    apart = _centres(b) - _centres(a)
    beside = apart - axis * (apart * axis).sum(axis=1)[:, None]
    radii = np.abs(a[:, SIZE] - b[:, SIZE]) < tolerance
    same: Bools = kinds & parallel & radii & (np.linalg.norm(beside, axis=1) < tolerance)
    return same


def steps_up(pairs: Pairs, order: Ints) -> dict[int, int]:
    """Returns by how many steps each object is lifted: more than every one that is drawn before it in its place."""
    before: dict[int, list[int]] = {}
    for one, other in pairs:
        early, late = (one, other) if order[one] < order[other] else (other, one)
        before.setdefault(late, []).append(early)
    steps: dict[int, int] = {}
    for obj in sorted(before, key=lambda number: order[number]):
        steps[obj] = 1 + max(steps.get(early, 0) for early in before[obj])
    return steps


def lift_surfaces(
    objects: npt.NDArray[np.int32],
    points: npt.NDArray[np.float32],
    quadric_objects: list[int],
    quadric_rows: npt.NDArray[np.float32],
    planes: Flats,
    order: Ints,
    step_m: float,
) -> dict[int, int]:
    """Lifts, in place, triangles and quadrics of one part that lie where an object drawn earlier has a surface.

    Args:
        objects: of each triangle.
        points: [n, 3, 3] the triangles.
        quadric_objects: of each quadric.
        quadric_rows: as Embree's callbacks read them.
        planes: planes without end that move with the part.
        order: by object's number, when it is drawn.
        step_m: how far to lift for each object that is drawn before.

    Returns:
        Steps by object, those of planes among them.
    """
    rows = quadric_rows.astype(np.float64)
    others = disc_flats(quadric_objects, rows).joined(planes)
    near = np.arange(len(objects)) if len(others.objects) else in_shared_planes(objects, points, step_m)
    if not len(near) and not len(others.objects) and len(rows) < 2:
        return {}
    flats = triangle_flats(objects[near], points[near].astype(np.float64)).joined(others)
    pairs, shared = flat_pairs(flats, step_m)
    steps = steps_up(pairs | round_pairs(quadric_objects, rows, step_m), order)
    if steps:
        table = np.zeros(len(order))
        table[list(steps)] = list(steps.values())
        heights = np.where(shared[: len(near)], table[objects[near]], 0) * step_m
        points[near] += (heights[:, None] * flats.normals[: len(near)])[:, None].astype(np.float32)
        growth = (table[quadric_objects] * step_m)[:, None].astype(np.float32)
        quadric_rows[:, SIZE : SIZE + 3] += growth
        quadric_rows[:, LOWER : LOWER + 3] -= growth
        quadric_rows[:, UPPER : UPPER + 3] += growth
    return steps


def in_shared_planes(objects: npt.NDArray[np.int32], points: npt.NDArray[np.float32], step_m: float) -> Ints:
    """Returns the triangles in planes of several objects: few, of the many of round things."""
    objects = np.ascontiguousarray(objects)
    slots = 1 << (2 * len(objects)).bit_length()
    keys, owners = np.empty(slots, np.int64), np.empty(slots, np.int32)
    places, shared = np.empty(len(objects), np.int64), np.empty(len(objects), np.bool_)
    if not mark_shared_planes(objects, points, _THICKNESS * step_m, keys, owners, places, shared):
        return np.zeros(0, np.int64)
    return np.flatnonzero(shared)
