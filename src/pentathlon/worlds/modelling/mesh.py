"""Triangle meshes: frozen arrays with crease-aware normals and texture coordinates in metres."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pentathlon.core.errors import UsageError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

AXES = {"x": 0, "y": 1, "z": 2}
CREASE_DEG = 40.0
WELD_M = 1e-6


class Measures(NamedTuple):
    """What weighing a mesh needs: volume is positive when the faces point outwards; the centroid is the volume's."""

    volume_m3: float
    area_m2: float
    centroid_m: tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class Mesh:
    """A triangle mesh with per-vertex normals and texture coordinates.

    Attributes:
        vertices_m: Positions, float[V, 3]; a position repeats where normals or uvs differ.
        faces: Vertex indices, counter-clockwise seen from outside, int[F, 3].
        normals: Unit outward normals, float[V, 3].
        uvs: Texture coordinates, float[V, 2]; metres on the surface unless changed, v runs up the picture.
    """

    vertices_m: Floats
    faces: Ints
    normals: Floats
    uvs: Floats

    @cached_property
    def digest(self) -> str:
        """Content hash: equal meshes have equal digests."""
        rounded = (np.round(part, 6) + 0.0 for part in (self.vertices_m, self.normals, self.uvs))
        content = b"".join(part.tobytes() for part in rounded) + self.faces.tobytes()
        return hashlib.blake2b(content, digest_size=12).hexdigest()

    @cached_property
    def bounds_m(self) -> tuple[Floats, Floats]:
        """Lowest and highest corner of the axis-aligned bounding box."""
        return self.vertices_m.min(axis=0), self.vertices_m.max(axis=0)

    @property
    def size_m(self) -> Floats:
        """Extents of the axis-aligned bounding box."""
        low, high = self.bounds_m
        return high - low

    @cached_property
    def measures(self) -> Measures:
        """Volume, area and centroid; the centroid is the middle of the bounds when the mesh encloses no volume."""
        a, b, c = (self.vertices_m[self.faces[:, i]] for i in range(3))
        volumes = np.einsum("ij,ij->i", a, cross(b, c))
        total = float(volumes.sum())
        area_m2 = float(np.linalg.norm(cross(b - a, c - a), axis=1).sum() / 2.0)
        if abs(total) < 1e-12:
            x, y, z = (sum(self.bounds_m, start=np.zeros(3)) / 2.0).tolist()
        else:
            x, y, z = (volumes @ (a + b + c) / (4.0 * total)).tolist()
        return Measures(total / 6.0, area_m2, (x, y, z))

    def measured(self, measures: Measures, bounds_m: tuple[Floats, Floats]) -> Mesh:
        """Tell the mesh measures and bounds that are known already, which saves taking them; returns the mesh."""
        self.__dict__["measures"], self.__dict__["bounds_m"] = measures, bounds_m
        return self

    @property
    def volume_m3(self) -> float:
        """Enclosed volume, positive when the faces point outwards."""
        return self.measures.volume_m3

    @property
    def area_m2(self) -> float:
        """Area of the surface."""
        return self.measures.area_m2

    @property
    def centroid_m(self) -> Floats:
        """Centre of the enclosed volume; the middle of the bounds when the mesh encloses none."""
        return np.array(self.measures.centroid_m)

    def is_closed(self) -> bool:
        """Tell whether every edge is shared by faces running along it in both directions."""
        welded = weld(self.vertices_m)[self.faces]
        starts = welded.ravel()
        ends = np.roll(welded, -1, axis=1).ravel()
        count = int(welded.max()) + 1
        kept = starts != ends
        forward = np.sort(starts[kept] * count + ends[kept])
        backward = np.sort(ends[kept] * count + starts[kept])
        return bool(np.array_equal(forward, backward))

    def moved(self, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Mesh:
        """Return the mesh shifted by (x, y, z) metres."""
        return replace(self, vertices_m=self.vertices_m + np.array([x, y, z]))

    def turned(self, axis: str, angle_deg: float) -> Mesh:
        """Return the mesh rotated about the x, y or z axis through the origin, counter-clockwise."""
        matrix = rotation(axis, angle_deg)
        return replace(self, vertices_m=self.vertices_m @ matrix.T, normals=self.normals @ matrix.T)

    def scaled(self, x: float, y: float | None = None, z: float | None = None) -> Mesh:
        """Return the mesh stretched about the origin by positive factors (one number: all axes)."""
        factors = np.array([x, x if y is None else y, x if z is None else z])
        if not (np.isfinite(factors).all() and (factors > 0).all()):
            raise UsageError(
                f"Scale factors must be positive and finite, got {factors.tolist()}; use mirrored() to flip."
            )
        if y is None and z is None:
            return self._resized(x)
        uvs = self.uvs * float(np.cbrt(factors.prod()))
        return replace(self, vertices_m=self.vertices_m * factors, normals=_unit(self.normals / factors), uvs=uvs)

    def _resized(self, factor: float) -> Mesh:
        resized = Mesh(self.vertices_m * factor, self.faces, self.normals, self.uvs * factor)
        volume_m3, area_m2, (x, y, z) = self.measures
        centroid_m = (x * factor, y * factor, z * factor)
        low, high = self.bounds_m
        measures = Measures(volume_m3 * factor**3, area_m2 * factor**2, centroid_m)
        return resized.measured(measures, (low * factor, high * factor))

    def mirrored(self, axis: str) -> Mesh:
        """Return the mesh reflected through the plane at 0 along the axis, still facing outwards."""
        sign = np.ones(3)
        sign[AXES[axis]] = -1.0
        return replace(self, vertices_m=self.vertices_m * sign, normals=self.normals * sign, faces=self.faces[:, ::-1])

    def tapered(self, top: float, axis: str = "z") -> Mesh:
        """Return the mesh narrowing linearly along the axis, from 1 at its low end to `top` at its high end."""
        along = AXES[axis]
        low, high = self.bounds_m
        share = (self.vertices_m[:, along] - low[along]) / max(high[along] - low[along], 1e-12)
        factors = np.repeat((1.0 + (top - 1.0) * share)[:, None], 3, axis=1)
        factors[:, along] = 1.0
        middle = (low + high) / 2.0
        bent = (self.vertices_m - middle) * factors + middle
        return from_faces(bent, self.faces, corner_uvs=self.uvs[self.faces])

    def with_uvs(self, uvs: ArrayLike) -> Mesh:
        """Return the mesh with other texture coordinates."""
        return replace(self, uvs=np.asarray(uvs, dtype=np.float64))

    def with_unit_uvs(self) -> Mesh:
        """Return the mesh with its uvs stretched to fill 0..1, so that one picture covers it once."""
        low, high = self.uvs.min(axis=0), self.uvs.max(axis=0)
        return self.with_uvs((self.uvs - low) / np.maximum(high - low, 1e-12))

    def with_projected_uvs(self, axis: str = "z") -> Mesh:
        """Return the mesh with a picture of 0..1 projected along an axis.

        The picture is upright seen from the high end of z, the low end of y (the front) or the high end of x.
        """
        low, _ = self.bounds_m
        share = (self.vertices_m - low) / np.maximum(self.size_m, 1e-12)
        across, up = {"x": (1, 2), "y": (0, 2), "z": (0, 1)}[axis]
        return self.with_uvs(share[:, [across, up]])


def from_faces(
    vertices_m: ArrayLike, faces: ArrayLike, *, corner_uvs: Floats | None = None, crease_deg: float = CREASE_DEG
) -> Mesh:
    """Make a mesh from bare triangles: edges sharper than the crease stay sharp, the rest is smooth.

    Args:
        vertices_m: float[V, 3].
        faces: int[F, 3], counter-clockwise from outside; triangles without area are dropped.
        corner_uvs: float[F, 3, 2]; by default each face is projected along its main axis, in metres.
        crease_deg: Angle between neighbouring faces beyond which their shared edge is sharp.
    """
    positions = np.asarray(vertices_m, dtype=np.float64)
    triangles = np.asarray(faces, dtype=np.int64)
    corners = positions[triangles]
    weighted = cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    kept = np.einsum("ij,ij->i", weighted, weighted) > 1e-22
    corners, weighted, triangles = corners[kept], weighted[kept], triangles[kept]
    if not len(corners):
        raise UsageError("A mesh needs at least one triangle with area; got none. Check the sizes passed to the shape.")
    if corner_uvs is None:
        uvs = box_uvs(corners.reshape(-1, 3), np.repeat(weighted, 3, axis=0))
    else:
        uvs = corner_uvs[kept].reshape(-1, 2)
    normals = _corner_normals(weld(positions)[triangles].ravel(), weighted, crease_deg)
    return _index(corners.reshape(-1, 3), normals, uvs)


def merge(meshes: Iterable[Mesh]) -> Mesh:
    """Join meshes into one."""
    parts = list(meshes)
    if not parts:
        raise UsageError("merge() needs at least one mesh, got none.")
    offsets = np.cumsum([0, *(len(part.vertices_m) for part in parts[:-1])])
    return Mesh(
        np.concatenate([part.vertices_m for part in parts]),
        np.concatenate([part.faces + offset for part, offset in zip(parts, offsets, strict=True)]),
        np.concatenate([part.normals for part in parts]),
        np.concatenate([part.uvs for part in parts]),
    )


def rotation(axis: str, angle_deg: float) -> Floats:
    """Rotation matrix about the x, y or z axis."""
    cosine, sine = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    first, second = ((1, 2), (2, 0), (0, 1))[AXES[axis]]
    matrix = np.eye(3)
    matrix[first, first] = matrix[second, second] = cosine
    matrix[second, first], matrix[first, second] = sine, -sine
    return matrix


def cross(first: Floats, second: Floats) -> Floats:
    """Cross products of the rows of float[N, 3]: to the bit numpy's, which takes longer on small arrays."""
    ax, ay, az = first.T
    bx, by, bz = second.T
    product = np.empty_like(first)
    product[:, 0], product[:, 1], product[:, 2] = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
    return product


def weld(vertices_m: Floats) -> Ints:
    """Number the distinct positions: equal numbers are the same point within a micrometre."""
    cells = np.round(vertices_m / WELD_M).astype(np.int64).astype(np.uint64)
    return _distinct(cells)[1]


def box_uvs(positions_m: Floats, normals: Floats) -> Floats:
    """Project points along the main axis of their normals; v follows the longer extent, the way wood grain runs."""
    size = np.ptp(positions_m, axis=0)
    planes = ((1, 2), (0, 2), (0, 1))
    ordered = np.array([pair if size[pair[0]] <= size[pair[1]] * 1.001 else pair[::-1] for pair in planes])
    return np.take_along_axis(positions_m, ordered[np.abs(normals).argmax(axis=1)], axis=1)


def _corner_normals(welded: Ints, weighted: Floats, crease_deg: float) -> Floats:
    """Sum, for each face corner, the area-weighted normals of the faces that meet it smoothly."""
    face_of = np.repeat(np.arange(len(weighted)), 3)
    order = np.argsort(welded, kind="stable")
    counts = np.bincount(welded)
    starts = np.cumsum(counts) - counts
    valence = counts[welded]
    own = np.repeat(np.arange(len(welded)), valence)
    step = np.arange(len(own)) - np.repeat(np.cumsum(valence) - valence, valence)
    other = face_of[order[np.repeat(starts[welded], valence) + step]]
    units = _unit(weighted)
    smooth = np.einsum("ij,ij->i", units[face_of[own]], units[other]) > math.cos(math.radians(crease_deg))
    own, other = own[smooth], other[smooth]
    sums = [np.bincount(own, weights=weighted[other, i], minlength=len(welded)) for i in range(3)]
    return _unit(np.stack(sums, axis=1))


def _index(positions: Floats, normals: Floats, uvs: Floats) -> Mesh:
    rows = np.concatenate([positions / WELD_M, normals * 1e4, uvs * 1e5], axis=1)
    first, inverse = _distinct(np.round(rows).astype(np.int64).astype(np.uint64))
    return Mesh(positions[first], inverse.reshape(-1, 3), normals[first], uvs[first])


def _distinct(cells: NDArray[np.uint64]) -> tuple[Ints, Ints]:
    """First index and number of each distinct row, by hashing rows to 64 bits (much faster than sorting rows)."""
    primes = _primes(cells.shape[1])
    mixed = cells * primes
    mixed ^= mixed >> np.uint64(29)
    keys = (mixed * primes[::-1]).sum(axis=1, dtype=np.uint64)
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    return first.astype(np.int64), inverse.astype(np.int64)


@cache
def _primes(count: int) -> NDArray[np.uint64]:
    return np.array([0x9E3779B97F4A7C15 * (2 * i + 1) ** 5 % 2**64 | 1 for i in range(count)], dtype=np.uint64)


def _unit(vectors: Floats) -> Floats:
    units: Floats = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-300)
    return units
