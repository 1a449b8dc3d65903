"""Solid shapes: boxes, turned bodies, balls, rings and cushions, all closed and facing outwards.

Shapes are centred at the origin unless their profile says otherwise. Sizes are metres.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from pentathlon.core.errors import UsageError
from pentathlon.worlds.modelling.curves import arc, fillet
from pentathlon.worlds.modelling.mesh import Floats, Ints, Mesh, box_uvs, from_faces

Size = Sequence[float]


def box(size_m: Size) -> Mesh:
    """A sharp-edged box."""
    unit = _unit_box()
    vertices = unit.vertices_m * _checked(size_m)
    return replace(unit, vertices_m=vertices, uvs=box_uvs(vertices, unit.normals))


@cache
def _unit_box() -> Mesh:
    return _cube_grid([np.array([-0.5, 0.5])] * 3, lambda points: points)


def rounded_box(size_m: Size, radius_m: float, steps: int = 2) -> Mesh:
    """A box with round edges and corners; the radius is cut to half the shortest side."""
    size = _checked(size_m)
    radius = min(radius_m, float(size.min()) / 2.0 * 0.999)
    core = size / 2.0 - radius
    bend = np.tan(np.linspace(0.0, math.pi / 4.0, steps + 1)[1:])
    ticks = [np.concatenate([-(half + radius * bend)[::-1], [-half, half], half + radius * bend]) for half in core]

    def round_off(points: Floats) -> Floats:
        inner = np.clip(points, -core, core)
        outwards = points - inner
        rounded: Floats = inner + radius * outwards / np.maximum(np.linalg.norm(outwards, axis=1, keepdims=True), 1e-12)
        return rounded

    return _cube_grid(ticks, round_off)


def cushion(size_m: Size, *, roundness: float = 0.55, steps: int = 8) -> Mesh:
    """A plump pillow-like body: a box whose faces bulge and whose edges are soft.

    Args:
        size_m: Outer extents.
        roundness: 0 is nearly a box, 1 an ellipsoid.
        steps: Grid cells along each edge.
    """
    half = _checked(size_m) / 2.0
    ticks = np.sin(np.linspace(-1.0, 1.0, steps + 1) * math.pi / 2.0)
    power = 2.0 + 8.0 * (1.0 - roundness)

    def swell(points: Floats) -> Floats:
        length = (np.abs(points) ** power).sum(axis=1, keepdims=True) ** (1.0 / power)
        swollen: Floats = points / length * half
        return swollen

    return _cube_grid([ticks] * 3, swell, crease_deg=75.0)


def lathe(profile_m: ArrayLike, segments: int = 28, *, crease_deg: float = 35.0) -> Mesh:
    """Turn a profile of (radius, height) about the z axis.

    The profile runs with the solid on its left: up the outside, then down the inside. It is closed by discs at
    ends of non-zero radius unless it returns to its start (a ring).
    """
    profile = np.asarray(profile_m, dtype=np.float64)
    if profile.ndim != 2 or profile.shape[1] != 2 or len(profile) < 2 or profile[:, 0].min() < -1e-9:
        raise UsageError(f"A lathe profile is float[N >= 2, 2] of radius >= 0 and height; got shape {profile.shape}.")
    if not np.allclose(profile[0], profile[-1]):
        start = [] if profile[0, 0] < 1e-9 else [(0.0, profile[0, 1])]
        end = [] if profile[-1, 0] < 1e-9 else [(0.0, profile[-1, 1])]
        profile = np.vstack([*start, profile, *end])
    angles = np.linspace(0.0, 2.0 * math.pi, segments + 1)
    # The last column is the first one again: exact, so that the seam welds.
    turn = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    turn[-1] = turn[0]
    grid = np.concatenate(
        [
            turn[:, None, :] * profile[None, :, :1],
            np.broadcast_to(profile[None, :, 1:], (segments + 1, len(profile), 1)),
        ],
        axis=2,
    )
    run = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(profile, axis=0), axis=1))])
    u, v = np.meshgrid(angles * profile[:, 0].max(), run, indexing="ij")
    return skin(grid, np.stack([u, v], axis=2), crease_deg=crease_deg)


def cylinder(
    radius_m: float, height_m: float, *, bevel_m: float = 0.0, top_radius_m: float | None = None, segments: int = 24
) -> Mesh:
    """A cylinder, or a cone when the top radius differs, with its edges bevelled round."""
    top = radius_m if top_radius_m is None else top_radius_m
    low, high = -height_m / 2.0, height_m / 2.0
    profile = fillet([(0.0, low), (radius_m, low), (top, high), (0.0, high)], bevel_m)
    return lathe(profile, segments)


def sphere(radius_m: float, segments: int = 24) -> Mesh:
    """A ball."""
    return ellipsoid((2 * radius_m, 2 * radius_m, 2 * radius_m), segments)


def ellipsoid(size_m: Size, segments: int = 24) -> Mesh:
    """A ball stretched to the given extents."""
    x, y, z = _checked(size_m) / 2.0
    return _ball(segments).scaled(x, y, z)


@cache
def _ball(segments: int) -> Mesh:
    """The ball of radius 1, of which thousands are stretched."""
    profile = arc((0.0, 0.0), 1.0, -90.0, 90.0, max(segments // 2, 4))
    profile[[0, -1], 0] = 0.0
    return lathe(profile, segments, crease_deg=80.0)


def torus(radius_m: float, tube_radius_m: float, segments: int = 32, sides: int = 12) -> Mesh:
    """A ring lying in the xy plane; `radius_m` reaches to the middle of the tube."""
    profile = arc((radius_m, 0.0), tube_radius_m, 0.0, 360.0, sides)
    profile[-1] = profile[0]
    return lathe(profile, segments, crease_deg=80.0)


def skin(points_m: Floats, uvs: Floats, *, crease_deg: float = 40.0) -> Mesh:
    """Cover a grid of points, float[M, N, 3], with triangles; outside is du x dv."""
    rows, columns = points_m.shape[:2]
    index = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = (part.ravel() for part in (index[:-1, :-1], index[1:, :-1], index[1:, 1:], index[:-1, 1:]))
    faces = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    return from_faces(points_m.reshape(-1, 3), faces, corner_uvs=uvs.reshape(-1, 2)[faces], crease_deg=crease_deg)


def _cube_grid(ticks: list[Floats], shape: Callable[[Floats], Floats], *, crease_deg: float = 40.0) -> Mesh:
    """Cover a cube's six faces with a grid at the ticks and pass the points through `shape`."""
    vertices: list[Floats] = []
    faces: list[Ints] = []
    offset = 0
    for axis in range(3):
        across, up = (axis + 1) % 3, (axis + 2) % 3
        u, v = np.meshgrid(ticks[across], ticks[up], indexing="ij")
        index = np.arange(u.size).reshape(u.shape)
        a, b, c, d = (part.ravel() for part in (index[:-1, :-1], index[1:, :-1], index[1:, 1:], index[:-1, 1:]))
        quads = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
        for end, winding in ((0, quads[:, ::-1]), (-1, quads)):
            points = np.empty((u.size, 3))
            points[:, axis], points[:, across], points[:, up] = ticks[axis][end], u.ravel(), v.ravel()
            vertices.append(points)
            faces.append(winding + offset)
            offset += u.size
    points = shape(np.concatenate(vertices))
    return from_faces(points, np.concatenate(faces), crease_deg=crease_deg)


def _checked(size_m: Size) -> Floats:
    size = np.asarray(size_m, dtype=np.float64)
    if size.shape != (3,) or not np.isfinite(size).all() or size.min() <= 0:
        raise UsageError(f"A size is three positive finite metres (x, y, z), got {size.tolist()}.")
    return size
