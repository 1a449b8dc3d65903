"""Cutting meshes with planes, so that food can lie in slices."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pentathlon.core.errors import UsageError
from pentathlon.worlds.modelling.mesh import AXES, Floats, Mesh, from_faces, merge


class Slice(NamedTuple):
    """A slab cut from a body: its own skin, and the fresh faces of the cuts."""

    skin: Mesh
    flesh: Mesh

    @property
    def whole(self) -> Mesh:
        """Skin and flesh together: a closed surface."""
        return merge([self.skin, self.flesh])

    def moved(self, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Slice:
        """Return the slice shifted by (x, y, z) metres."""
        return Slice(self.skin.moved(x, y, z), self.flesh.moved(x, y, z))

    def turned(self, axis: str, angle_deg: float) -> Slice:
        """Return the slice rotated about an axis through the origin."""
        return Slice(self.skin.turned(axis, angle_deg), self.flesh.turned(axis, angle_deg))


def cut(mesh: Mesh, axis: str, low_m: float, high_m: float) -> Slice:
    """Cut the slab between two planes out of a closed body whose sections are star-shaped."""
    along = AXES[axis]
    corners = np.concatenate([mesh.vertices_m, mesh.uvs], axis=1)[mesh.faces]
    caps: list[Floats] = []
    for sign, level in ((1.0, low_m), (-1.0, high_m)):
        corners, edges = _clip(corners, along, sign, level)
        if len(edges):
            caps.append(_cap(edges, along, sign))
    if not len(corners) or not caps:
        raise UsageError(
            f"The planes at {axis} = {low_m} and {high_m} must cut the mesh; its bounds are {mesh.bounds_m}."
        )
    return Slice(_soup(corners), _soup(np.concatenate(caps)))


def slices(mesh: Mesh, axis: str, count: int, gap_m: float) -> list[Slice]:
    """Cut a body into slices of equal thickness, spread apart by gaps about their middle."""
    along = AXES[axis]
    low, high = (float(bound[along]) for bound in mesh.bounds_m)
    levels = np.linspace(low, high, count + 1)
    result = []
    for i in range(count):
        shift = [0.0, 0.0, 0.0]
        shift[along] = (i - (count - 1) / 2.0) * gap_m
        result.append(cut(mesh, axis, float(levels[i]), float(levels[i + 1])).moved(*shift))
    return result


def _soup(corners: Floats) -> Mesh:
    positions = corners[..., :3].reshape(-1, 3)
    return from_faces(positions, np.arange(len(positions)).reshape(-1, 3), corner_uvs=corners[..., 3:])


def _clip(corners: Floats, along: int, sign: float, level: float) -> tuple[Floats, Floats]:
    """Keep what lies beyond the plane; also return the edges, float[E, 2, 5], that the cut leaves on it."""
    distance = sign * (corners[:, :, along] - level)
    # A corner on the plane counts as beyond it, by a hair, so that every cut makes a proper edge.
    inside = distance >= 0
    kept = [corners[inside.all(axis=1)]]
    edges: list[Floats] = []
    for count in (1, 2):
        some = inside.sum(axis=1) == count
        lone = inside[some] if count == 1 else ~inside[some]
        order = (lone.argmax(axis=1)[:, None] + np.arange(3)) % 3
        ordered = np.take_along_axis(corners[some], order[..., None], axis=1)
        reach = np.take_along_axis(distance[some], order, axis=1)
        a, b, c = ordered[:, 0], ordered[:, 1], ordered[:, 2]
        share_b = (reach[:, 0] / (reach[:, 0] - reach[:, 1]))[:, None]
        share_c = (reach[:, 0] / (reach[:, 0] - reach[:, 2]))[:, None]
        on_b, on_c = a + share_b * (b - a), a + share_c * (c - a)
        if count == 1:
            kept.append(np.stack([a, on_b, on_c], axis=1))
            edges.append(np.stack([on_c, on_b], axis=1))
        else:
            kept += [np.stack([on_b, b, c], axis=1), np.stack([on_b, c, on_c], axis=1)]
            edges.append(np.stack([on_b, on_c], axis=1))
    return np.concatenate(kept), np.concatenate(edges)


def _cap(edges: Floats, along: int, sign: float) -> Floats:
    """Close a cut by a fan about its middle; uvs lie in the plane, in metres."""
    points = edges[..., :3].copy()
    middle = np.broadcast_to(points.reshape(-1, 3).mean(axis=0), (len(points), 3))
    fan = np.stack([points[:, 0], points[:, 1], middle], axis=1)
    plane = [axis for axis in range(3) if axis != along]
    return np.concatenate([fan, fan[..., plane]], axis=2)
