"""Shapes drawn along something: tubes along paths, outlines pushed through space, lofts, sheets, panels, handles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from pentathlon.core.errors import UsageError
from pentathlon.worlds.modelling.curves import ellipse, fillet
from pentathlon.worlds.modelling.mesh import Floats, Mesh, from_faces
from pentathlon.worlds.modelling.shapes import skin

BEVEL_TRIES = 6


def sweep(
    path_m: ArrayLike,
    radius_m: float | Sequence[float] | Floats,
    *,
    sides: int = 10,
    outline: ArrayLike | None = None,
    closed: bool = False,
) -> Mesh:
    """A tube along a path in space.

    Args:
        path_m: float[N, 3].
        radius_m: One number, or one per path point for a taper; with an outline it is that outline's scale.
        sides: Corners of the round cross-section.
        outline: Another closed cross-section, float[K, 2], counter-clockwise.
        closed: Whether the tube returns to its start (the path does not repeat its first point).
    """
    path = np.asarray(path_m, dtype=np.float64)
    if path.ndim != 2 or path.shape[1] != 3 or len(path) < 2:
        raise UsageError(f"A sweep needs a path float[N >= 2, 3], got shape {path.shape}.")
    section = ellipse(2.0, 2.0, sides) if outline is None else np.asarray(outline, dtype=np.float64)
    radii = np.broadcast_to(np.asarray(radius_m, dtype=np.float64), len(path))
    first, second = _frames(path, closed)
    rings = path[:, None] + radii[:, None, None] * (
        section[None, :, :1] * first[:, None] + section[None, :, 1:] * second[:, None]
    )
    # Round tubes stay smooth with as few as seven sides; other outlines keep their corners.
    return loft(list(rings), closed=closed, crease_deg=60.0 if outline is None else 40.0)


def loft(sections_m: Sequence[ArrayLike], *, closed: bool = False, crease_deg: float = 40.0) -> Mesh:
    """Join cross-sections, each a closed ring float[K, 3], into one body with flat ends.

    Rings run counter-clockwise seen from the end that they lead to (the last section's side).
    """
    rings = np.array([np.asarray(section, dtype=np.float64) for section in sections_m])
    if rings.ndim != 3 or rings.shape[0] < 2 or rings.shape[2] != 3:
        raise UsageError(f"A loft needs two or more rings float[K, 3] of equal K, got shape {rings.shape}.")
    if closed:
        rings = np.concatenate([rings, rings[:1]])
    else:
        low, high = (np.repeat(rings[i].mean(axis=0)[None], rings.shape[1], axis=0) for i in (0, -1))
        rings = np.concatenate([low[None], rings, high[None]])
    rings = np.concatenate([rings, rings[:, :1]], axis=1)
    along = np.linalg.norm(np.diff(rings.mean(axis=1), axis=0), axis=1)
    around = np.linalg.norm(np.diff(rings, axis=1), axis=2).max(axis=0)
    v, u = np.meshgrid(_run(along), _run(around), indexing="ij")
    grid = rings.transpose(1, 0, 2)
    return skin(grid, np.stack([u.T, v.T], axis=2), crease_deg=crease_deg)


def extrude(outline_m: ArrayLike, height_m: float, *, bevel_m: float = 0.0, crease_deg: float = 30.0) -> Mesh:
    """Push a flat outline, float[K, 2] counter-clockwise and possibly concave, up from z = 0.

    Args:
        outline_m: Simple polygon in the xy plane.
        height_m: Thickness along z.
        bevel_m: Width of the sloping edge cut around both ends; less where a tight corner has no room for it.
        crease_deg: See `from_faces`.
    """
    outline = np.asarray(outline_m, dtype=np.float64)
    if _signed_area(outline) < 0:
        outline = outline[::-1]
    inner, bevel_m = _bevelled(outline, bevel_m)
    flats, heights = [inner, inner], [0.0, height_m]
    if bevel_m > 0:
        flats, heights = [inner, outline, outline, inner], [0.0, bevel_m, height_m - bevel_m, height_m]
    rings = [np.column_stack([flat, np.full(len(flat), z)]) for flat, z in zip(flats, heights, strict=True)]
    count = len(outline)
    vertices = np.concatenate(rings)
    step = np.arange(count)
    after = (step + 1) % count
    faces = []
    for i in range(len(rings) - 1):
        low, high = i * count, (i + 1) * count
        faces.append(np.stack([low + step, low + after, high + after], axis=1))
        faces.append(np.stack([low + step, high + after, high + step], axis=1))
    cap = _triangulate(inner)
    faces += [cap[:, ::-1], cap + (len(rings) - 1) * count]
    return from_faces(vertices, np.concatenate(faces), crease_deg=crease_deg)


def sheet(points_m: Floats, thickness_m: float, *, crease_deg: float = 50.0) -> Mesh:
    """Give a grid of points, float[M, N, 3], a thickness: cloth, leaves, paper, curtains, shells.

    The outside is du x dv; the sheet grows inwards from the points. uvs are 0..1 over the grid on both sides.
    """
    rows, columns = points_m.shape[:2]
    u, v = np.meshgrid(np.linspace(0, 1, rows), np.linspace(0, 1, columns), indexing="ij")
    uvs = np.stack([u, v], axis=2)
    du, dv = np.gradient(points_m, axis=0), np.gradient(points_m, axis=1)
    normals = np.cross(du, dv)
    inside = points_m - thickness_m * normals / np.maximum(np.linalg.norm(normals, axis=2, keepdims=True), 1e-12)
    # Each row runs along the outside and back along the inside; folding the end rows flat closes both ends.
    around = np.concatenate([points_m, inside[:, ::-1], points_m[:, :1]], axis=1)
    around_uvs = np.concatenate([uvs, uvs[:, ::-1], uvs[:, :1]], axis=1)
    folded = np.concatenate([points_m, points_m[:, ::-1], points_m[:, :1]], axis=1)
    grid = np.concatenate([folded[:1], around, folded[-1:]])
    grid_uvs = np.concatenate([around_uvs[:1], around_uvs, around_uvs[-1:]])
    return skin(grid, grid_uvs, crease_deg=crease_deg)


def panel(width_m: float, height_m: float, thickness_m: float = 0.002) -> Mesh:
    """A thin upright plate facing the front (-y), its front at y = 0, carrying a picture of 0..1 once."""
    w, h, t = width_m / 2.0, height_m / 2.0, thickness_m
    flat = np.array([(-w, 0, -h), (w, 0, -h), (w, 0, h), (-w, 0, h)])
    vertices = np.concatenate([flat, flat + np.array([0.0, t, 0.0])])
    quads = [(0, 1, 2, 3), (5, 4, 7, 6), (1, 5, 6, 2), (4, 0, 3, 7), (3, 2, 6, 7), (4, 5, 1, 0)]
    faces = np.array([[(a, b, c), (a, c, d)] for a, b, c, d in quads]).reshape(-1, 3)
    uvs = np.array([(0, 0), (1, 0), (1, 1), (0, 1)] * 2, dtype=np.float64)
    return from_faces(vertices, faces, corner_uvs=uvs[faces])


def handle(width_m: float, reach_m: float, radius_m: float, *, steps: int = 3, sides: int = 8) -> Mesh:
    """A bar handle: a round bar along x that bends back to the surface y = 0, reaching out to y = -reach."""
    half = width_m / 2.0
    corners = [(-half, 0.004, 0), (-half, -reach_m, 0), (half, -reach_m, 0), (half, 0.004, 0)]
    return sweep(fillet(corners, reach_m * 0.6, steps), radius_m, sides=sides)


def _run(lengths: Floats) -> Floats:
    return np.concatenate([[0.0], np.cumsum(lengths)])


def _frames(path: Floats, closed: bool) -> tuple[Floats, Floats]:
    """Two unit vectors across the path at each point, carried along without twist."""
    padded = (
        np.vstack([path[-1], path, path[0]])
        if closed
        else np.vstack([2 * path[0] - path[1], path, 2 * path[-1] - path[-2]])
    )
    steps = np.diff(padded, axis=0)
    steps /= np.maximum(np.linalg.norm(steps, axis=1, keepdims=True), 1e-12)
    tangents = steps[:-1] + steps[1:]
    tangents /= np.maximum(np.linalg.norm(tangents, axis=1, keepdims=True), 1e-12)
    first = np.empty_like(path)
    before = tangents[0]
    across = np.cross(before, np.eye(3)[np.abs(before).argmin()])
    for i, tangent in enumerate(tangents):
        # The rotation that takes one tangent to the next, applied to a vector across the first.
        across = across - (across @ tangent) / max(1.0 + before @ tangent, 1e-6) * (before + tangent)
        across = across / np.linalg.norm(across)
        first[i], before = across, tangent
    return first, np.cross(tangents, first)


def _signed_area(outline: Floats) -> float:
    x, y = outline.T
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum() / 2.0)


def _bevelled(outline: Floats, bevel_m: float) -> tuple[Floats, float]:
    """Return the outline that a bevel leaves, and its width: halved while it turns edges of a tight corner round."""
    for width_m in bevel_m * 0.5 ** np.arange(BEVEL_TRIES):
        inner = _inset(outline, width_m)
        if not _crosses_itself(inner):
            return inner, float(width_m)
    raise UsageError("An outline must be a simple polygon; this one crosses itself. Check its points' order.")


def _inset(outline: Floats, distance: float) -> Floats:
    """Move each edge of a counter-clockwise outline inwards."""
    edges = np.roll(outline, -1, axis=0) - outline
    inwards = np.stack([-edges[:, 1], edges[:, 0]], axis=1)
    inwards /= np.maximum(np.linalg.norm(inwards, axis=1, keepdims=True), 1e-12)
    before = np.roll(inwards, 1, axis=0)
    mitre = (before + inwards) / np.maximum(1.0 + (before * inwards).sum(axis=1, keepdims=True), 0.3)
    inset: Floats = outline + mitre * distance
    return inset


def _triangulate(outline: Floats) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Cut a simple counter-clockwise polygon into triangles by clipping ears."""
    remaining = list(range(len(outline)))
    triangles: list[tuple[int, int, int]] = []
    while len(remaining) > 3:
        ear = next(i for i in range(len(remaining)) if _is_ear(outline, remaining, i))
        triangles.append((remaining[ear - 1], remaining[ear], remaining[(ear + 1) % len(remaining)]))
        del remaining[ear]
    triangles.append((remaining[0], remaining[1], remaining[2]))
    return np.array(triangles, dtype=np.int64)


def _crosses_itself(outline: Floats) -> bool:
    starts, ends = outline, np.roll(outline, -1, axis=0)
    for i, (a, b) in enumerate(zip(starts, ends, strict=True)):
        others = np.arange(i + 2, len(outline) - (i == 0))
        c, d = starts[others], ends[others]
        apart = _turn(a, b, c) * _turn(a, b, d) < 0
        across = np.array([_turn(p, q, a) * _turn(p, q, b) < 0 for p, q in zip(c, d, strict=True)], dtype=bool)
        if np.any(apart & across):
            return True
    return False


def _is_ear(outline: Floats, remaining: list[int], i: int) -> bool:
    names = remaining[i - 1], remaining[i], remaining[(i + 1) % len(remaining)]
    a, b, c = (outline[name] for name in names)
    if _turn(a, b, c) <= 1e-14:
        return False
    others = outline[[name for name in remaining if name not in names]]
    inside = (_turn(a, b, others) > 1e-14) & (_turn(b, c, others) > 1e-14) & (_turn(c, a, others) > -1e-14)
    return not bool(np.any(inside))


def _turn(a: Floats, b: Floats, c: Floats) -> Floats:
    """Twice the signed area of the triangle a, b, c (c may be many points)."""
    result: Floats = (b[0] - a[0]) * (c[..., 1] - a[1]) - (b[1] - a[1]) * (c[..., 0] - a[0])
    return result
