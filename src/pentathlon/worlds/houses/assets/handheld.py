"""Small things that a hand picks up: set down level, touched as simple solids, cut into slices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from pentathlon.worlds.houses.assets.asset import (
    PLAIN,
    Ability,
    Asset,
    Collider,
    Emitter,
    Joint,
    Part,
    Point,
    Receptacle,
)
from pentathlon.worlds.houses.assets.effects import steam
from pentathlon.worlds.modelling.curves import fillet
from pentathlon.worlds.modelling.materials import Look
from pentathlon.worlds.modelling.mesh import Floats, Mesh, from_faces, merge
from pentathlon.worlds.modelling.shapes import lathe
from pentathlon.worlds.modelling.slicing import Slice, slices
from pentathlon.worlds.modelling.sweeps import sheet

Solid = Literal["box", "cylinder", "sphere"]


def thing(
    parts: Sequence[Part],
    *abilities: Ability,
    touch: Solid | Sequence[Mesh] = "box",
    portable: bool = True,
    joints: tuple[Joint, ...] = (),
    receptacles: tuple[Receptacle, ...] = (),
    emitters: tuple[Emitter, ...] = (),
    piece: Asset | None = None,
    mass_kg: float | None = None,
    colours: tuple[str, ...] = (),
    materials: tuple[str, ...] = (),
) -> Asset:
    """Set parts down on z = 0 about the middle of their footprint, as an object that a hand picks up.

    Args:
        parts: What is seen, in any frame with z up and the front towards -y.
        abilities: What else can be done with it.
        touch: The one solid around all that shows, or meshes whose bounding boxes are touched.
        portable: Whether it is pickupable.
        joints: What opens, in the frame of the parts.
        receptacles: What it holds, in the frame of the parts.
        emitters: What shines, in the frame of the parts.
        piece: As in Asset.
        mass_kg: Replaces the sum over parts.
        colours: Replace those of the largest parts.
        materials: Replace those of the largest parts.
    """
    bounds = [part.mesh.bounds_m for part in parts if PLAIN.shows(part.when)]
    low, high = np.min([b[0] for b in bounds], axis=0), np.max([b[1] for b in bounds], axis=0)
    shift = np.array([-(low[0] + high[0]) / 2, -(low[1] + high[1]) / 2, -low[2]])
    if touch == "sphere":
        # A ball rolls away unless its mass lies exactly over the point that it rests on.
        middle = parts[0].mesh.centroid_m + shift
        colliders = [Collider("sphere", _point(middle), _point(np.full(3, 2 * middle[2])))]
    elif isinstance(touch, str):
        colliders = [_collider(touch, low + shift, high + shift)]
    else:
        colliders = [_collider("box", mesh.bounds_m[0] + shift, mesh.bounds_m[1] + shift) for mesh in touch]
    return Asset(
        parts=tuple(replace(part, mesh=part.mesh.moved(*shift)) for part in parts),
        colliders=tuple(colliders),
        joints=tuple(
            replace(item, anchor_m=_point(item.anchor_m + shift), handle_m=_point(item.handle_m + shift))
            for item in joints
        ),
        receptacles=tuple(replace(item, centre_m=_point(item.centre_m + shift)) for item in receptacles),
        emitters=tuple(replace(item, position_m=_point(item.position_m + shift)) for item in emitters),
        declared=frozenset({*abilities, "pickupable"} if portable else abilities),
        piece=piece,
        given_mass_kg=mass_kg,
        given_colours=colours,
        given_materials=materials,
    )


def sliced_food(
    body: Mesh,
    skin: Look,
    flesh: Look,
    *,
    axis: str = "x",
    count: int = 5,
    gap_m: float = 0.014,
    extras: Sequence[Part] = (),
    touch: Solid = "box",
    fill: float = 1.0,
    colours: tuple[str, ...] = (),
) -> Asset:
    """Food that is one body while whole and lies in slices once cut.

    Args:
        body: Closed, with star-shaped sections across the axis.
        skin: Its surface.
        flesh: The surface of a cut.
        axis: Across which it is cut.
        count: Number of slices.
        gap_m: Between slices.
        extras: Other parts; say `when="whole"` for stems and leaves.
        touch: As in `thing`.
        fill: As in Part.
        colours: As in Asset.
    """
    cuts = slices(body, axis, count, gap_m)
    lying = cuts[:-1]  # the last slice is an object of its own
    middle = _point(body.centroid_m)
    shown = [
        Part(body, skin, when="whole", fill=fill),
        *extras,
        Part(merge([item.skin for item in lying]), skin, when="sliced"),
        Part(merge([item.flesh for item in lying]), flesh, when="sliced"),
        steam((middle[0], middle[1], float(body.bounds_m[1][2])), 0.10),
    ]
    piece = _piece(cuts[count // 2], axis, skin, flesh, colours)
    return thing(shown, "heatable", "coolable", touch=touch, piece=piece, colours=colours)


def _piece(one: Slice, axis: str, skin: Look, flesh: Look, colours: tuple[str, ...]) -> Asset:
    """One slice lying flat."""
    flat = one if axis == "z" else one.turned("y" if axis == "x" else "x", 90.0)
    return thing([Part(flat.whole, flesh), Part(flat.skin, skin, fill=0.0)], "heatable", "coolable", colours=colours)


def vessel(
    outside_m: ArrayLike,
    wall_m: float,
    base_m: float,
    *,
    segments: int = 28,
    round_m: float = 0.0,
    crease_deg: float = 40.0,
) -> Mesh:
    """A hollow turned body: the outside profile from foot to rim, a wall, and a base on its inside."""
    outside = np.asarray(outside_m, dtype=np.float64)
    if round_m > 0:
        outside = fillet(outside, round_m)
    inside = outside.copy()
    inside[:, 0] -= wall_m
    clear_m = base_m + min(base_m, float(outside[-1, 1]) - base_m) / 2
    kept = inside[(inside[:, 1] > clear_m) & (inside[:, 0] > 0)]
    low = min(float(kept[0, 0]), float(np.interp(base_m, outside[:, 1], outside[:, 0])) - wall_m)
    rim = [(float(outside[-1, 0]) - wall_m / 2, float(outside[-1, 1]) + wall_m * 0.4)]
    start = [] if outside[0, 0] < 1e-9 else [(0.0, float(outside[0, 1]))]
    profile = [*start, *outside, *rim, *kept[::-1], (max(low, 0.001), base_m), (0.0, base_m)]
    return lathe(profile, segments, crease_deg=crease_deg)


def strip(
    centre_m: ArrayLike,
    widths_m: Sequence[float] | Floats,
    thickness_m: float,
    *,
    dish_m: ArrayLike = 0.0,
    across: int = 5,
) -> Mesh:
    """A flat band along a path in the xz plane, lying across y: blades, spoons, straps.

    Args:
        centre_m: float[N, 2] of x and z.
        widths_m: Width at each point.
        thickness_m: Of the sheet.
        dish_m: How far the middle lies below the edges at each point.
        across: Points across.
    """
    path = np.asarray(centre_m, dtype=np.float64)
    width = np.asarray(widths_m, dtype=np.float64)
    dish = np.broadcast_to(np.asarray(dish_m, dtype=np.float64), len(path))
    share = np.linspace(-1.0, 1.0, across)
    grid = np.empty((len(path), across, 3))
    grid[..., 0] = path[:, :1]
    grid[..., 1] = width[:, None] / 2 * share
    grid[..., 2] = path[:, 1:] + dish[:, None] * (share**2 - 1.0)
    flat = sheet(grid, thickness_m)
    return flat.with_uvs(flat.uvs * (np.ptp(path[:, 0]), width.max()))


def wrapped(mesh: Mesh) -> Mesh:
    """Return a turned body whose picture of 0..1 goes once around it, its middle to the front."""
    low, high = mesh.bounds_m
    around = mesh.uvs[:, 0] / max(float(mesh.uvs[:, 0].max()), 1e-12)
    up = (mesh.vertices_m[:, 2] - low[2]) / (high[2] - low[2])
    return mesh.with_uvs(np.column_stack([around, up])).turned("z", 90.0)


def reshaped(mesh: Mesh, points_m: Floats, *, crease_deg: float = 60.0) -> Mesh:
    """Return the mesh with its vertices moved to other places, smoothed anew, its uvs kept."""
    return from_faces(points_m, mesh.faces, corner_uvs=mesh.uvs[mesh.faces], crease_deg=crease_deg)


def lumpy(mesh: Mesh, rng: np.random.Generator, amount: float, waves: float = 2.5) -> Mesh:
    """Return the mesh with soft irregular bumps, about its own size times the amount."""
    points = mesh.vertices_m
    scale = float(mesh.size_m.max()) / 2
    bump = np.zeros(len(points))
    for _ in range(5):
        direction = rng.normal(size=3)
        bump += np.sin(points / scale @ direction * waves + rng.uniform(0, 6.28))
    middle = mesh.centroid_m
    return reshaped(mesh, middle + (points - middle) * (1 + amount * bump / 2.5)[:, None], crease_deg=80.0)


def _collider(kind: Solid, low: Floats, high: Floats) -> Collider:
    size = high - low
    if kind == "cylinder":
        size = np.array([max(size[:2]), max(size[:2]), size[2]])
    return Collider(kind, _point((low + high) / 2), _point(size))


def _point(values: ArrayLike) -> Point:
    x, y, z = (float(value) for value in np.asarray(values))
    return (x, y, z)
