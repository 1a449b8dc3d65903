"""Geometry of MuJoCo's geoms in their own frames: triangles, or rows of exact quadrics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import mujoco
import numpy as np
import numpy.typing as npt

from pentathlon.worlds.rendering.kernels import read_meshes
from pentathlon.worlds.rendering.kernels.arrays import FLAT, FLAT_MIRROR, PLANE_FACE, MeshTables
from pentathlon.worlds.rendering.kernels.quadrics import (
    CAPSULE,
    CYLINDER,
    ELLIPSOID,
    LOWER,
    QUADRIC_FLOATS,
    SIZE,
    TYPE,
    UPPER,
)

Floats = npt.NDArray[np.float64]
_GEOM: Final = mujoco.mjtGeom
QUADRIC_TYPES: Final = {
    int(_GEOM.mjGEOM_SPHERE): ELLIPSOID,
    int(_GEOM.mjGEOM_ELLIPSOID): ELLIPSOID,
    int(_GEOM.mjGEOM_CAPSULE): CAPSULE,
    int(_GEOM.mjGEOM_CYLINDER): CYLINDER,
}
_SMOOTH_COSINE: Final = 0.8  # MuJoCo shades a corner flat where its normal is farther off the face's


@dataclass(frozen=True)
class Triangles:
    """Triangles with what shading needs to know of them.

    Attributes:
        points: [n, 3, 3] corners, counter-clockwise from outside.
        faces: [n] FLAT, FLAT_MIRROR or PLANE_FACE; 0 for triangles shaded by `corners`.
        corners: None, or [n, 16] three normals, three texture coordinates, texture density in 1/m.
    """

    points: Floats | npt.NDArray[np.float32]
    faces: npt.NDArray[np.int32]
    corners: npt.NDArray[np.float32] | None = None


def half_sizes(geom_type: int, size: Floats) -> Floats:
    """Returns the half extents that MuJoCo's renderer scales a unit shape by."""
    if geom_type == _GEOM.mjGEOM_SPHERE:
        return np.array([size[0], size[0], size[0]], np.float64)
    if geom_type in (_GEOM.mjGEOM_CAPSULE, _GEOM.mjGEOM_CYLINDER):
        return np.array([size[0], size[0], size[1]], np.float64)
    return np.asarray(size, np.float64)


def quadric_row(geom_type: int, size: Floats, position: Floats, rotation: Floats) -> npt.NDArray[np.float32]:
    """Returns the kernel's row for a primitive placed in its part's frame."""
    half = np.maximum(half_sizes(geom_type, size), 1e-9)
    row = np.zeros(QUADRIC_FLOATS, np.float64)
    row[:SIZE] = np.hstack([rotation.T, (-rotation.T @ position)[:, None]]).ravel()
    row[SIZE : SIZE + 3] = half
    row[TYPE] = QUADRIC_TYPES[geom_type]
    if geom_type == _GEOM.mjGEOM_CAPSULE:
        reach = np.abs(rotation[:, 2]) * half[2] + half[0]
    elif geom_type == _GEOM.mjGEOM_CYLINDER:
        across = np.sqrt(np.maximum(1 - rotation[:, 2] ** 2, 0))
        reach = np.abs(rotation[:, 2]) * half[2] + across * half[0]
    else:
        reach = np.sqrt(((rotation * half) ** 2).sum(1))
    reach = reach * 1.0001 + 1e-7  # float32 must not cut the surface off
    row[LOWER : LOWER + 3], row[UPPER : UPPER + 3] = position - reach, position + reach
    return row.astype(np.float32)


def box_triangles(size: Floats) -> Triangles:
    """Returns the twelve triangles of a box; its top may mirror."""
    quads, faces = [], []
    for axis in range(3):
        for sign in (-1.0, 1.0):
            first, second = ((axis + 1) % 3, (axis + 2) % 3) if sign > 0 else ((axis + 2) % 3, (axis + 1) % 3)
            quad = np.zeros((4, 3))
            quad[:, axis] = sign
            quad[:, first] = (-1, 1, 1, -1)
            quad[:, second] = (-1, -1, 1, 1)
            quads.append(quad * size)
            faces.append(FLAT_MIRROR if (axis, sign) == (2, 1.0) else FLAT)
    return _from_quads(np.array(quads), np.array(faces, np.int32))


def plane_triangles(size: Floats) -> Triangles:
    """Returns the two triangles of a plane with an end in both directions."""
    quad = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]) * [size[0], size[1], 1.0]
    return _from_quads(quad[None], np.array([PLANE_FACE], np.int32))


def _from_quads(quads: Floats, faces: npt.NDArray[np.int32]) -> Triangles:
    points = quads[:, [[0, 1, 2], [0, 2, 3]]].reshape(-1, 3, 3)
    return Triangles(points, np.repeat(faces, 2))


def hfield_triangles(model: mujoco.MjModel, number: int) -> Triangles:
    """Returns a height field with its sides and its bottom, split into triangles as MuJoCo splits it."""
    rows, columns = int(model.hfield_nrow[number]), int(model.hfield_ncol[number])
    first = model.hfield_adr[number]
    half_x, half_y, top, base = (float(value) for value in model.hfield_size[number])
    heights = model.hfield_data[first : first + rows * columns].reshape(rows, columns) * top
    x, y = np.meshgrid(np.linspace(-half_x, half_x, columns), np.linspace(-half_y, half_y, rows))
    grid = np.stack([x, y, heights], axis=-1)
    low_left, low_right, up_left, up_right = grid[:-1, :-1], grid[:-1, 1:], grid[1:, :-1], grid[1:, 1:]
    upper = np.stack([up_left, low_left, up_right], axis=2)
    lower = np.stack([low_left, low_right, up_right], axis=2)
    surface = np.concatenate([upper.reshape(-1, 3, 3), lower.reshape(-1, 3, 3)])
    floor = grid.copy()
    floor[..., 2] = -base
    sides = [
        _wall(floor[0], grid[0]),
        _wall(floor[-1, ::-1], grid[-1, ::-1]),
        _wall(floor[::-1, 0], grid[::-1, 0]),
        _wall(floor[:, -1], grid[:, -1]),
        np.array([[floor[0, 0], floor[-1, 0], floor[-1, -1], floor[0, -1]]]),
    ]
    quads = np.concatenate(sides)
    walls = _from_quads(quads, np.full(len(quads), FLAT, np.int32))
    points = np.concatenate([surface, walls.points])
    return Triangles(points, np.full(len(points), FLAT, np.int32))


def _wall(bottom: Floats, top: Floats) -> Floats:
    return np.stack([bottom[:-1], bottom[1:], top[1:], top[:-1]], axis=1)


class MeshTriangles:
    """All meshes of a model with their own normals and texture coordinates, smoothed as MuJoCo smooths them.

    They are read in one go, by a kernel: one by one, the hundreds in a house take long.
    """

    def __init__(self, model: mujoco.MjModel) -> None:
        self._first, self._last = model.mesh_faceadr, model.mesh_faceadr + model.mesh_facenum
        self._points = np.empty((model.nmeshface, 3, 3), np.float32)
        self._corners = np.empty((model.nmeshface, 16), np.float32)
        read_meshes(_mesh_tables(model), _SMOOTH_COSINE, self._points, self._corners)

    def __getitem__(self, number: int) -> Triangles:
        """Returns one mesh."""
        faces = slice(self._first[number], self._last[number])
        points = self._points[faces]
        return Triangles(points, np.zeros(len(points), np.int32), self._corners[faces])


def _mesh_tables(model: mujoco.MjModel) -> MeshTables:
    return MeshTables(
        first_face=model.mesh_faceadr,
        face_count=model.mesh_facenum,
        first_vertex=model.mesh_vertadr,
        first_normal=model.mesh_normaladr,
        first_texcoord=model.mesh_texcoordadr,
        faces=model.mesh_face,
        face_normals=model.mesh_facenormal,
        face_texcoords=model.mesh_facetexcoord,
        vertices=model.mesh_vert,
        normals=model.mesh_normal,
        texcoords=model.mesh_texcoord,
    )


def texture_density(uv: Floats, doubled_area: Floats) -> Floats:
    """Returns texture lengths per metre, from the areas in the texture and in space."""
    a, b = uv[:, 1] - uv[:, 0], uv[:, 2] - uv[:, 0]
    texture_area = np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])
    return np.sqrt(texture_area / np.maximum(doubled_area, 1e-30))
