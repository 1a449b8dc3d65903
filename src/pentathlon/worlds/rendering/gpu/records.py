"""The kernels' records as NumPy types, and scene arrays packed for them."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from pentathlon.worlds.rendering.gpu.tree import build_tree
from pentathlon.worlds.rendering.kernels.arrays import FLAT, FLAT_MIRROR
from pentathlon.worlds.rendering.kernels.quadrics import LOWER, QUADRIC_FLOATS, UPPER
from pentathlon.worlds.rendering.model.parts import PartShape

Floats = npt.NDArray[np.float32]
QUADRIC_FACE: Final = -4
LEVELS: Final = 15

_GEOMETRY: Final = [(name, "<u8") for name in ("nodes", "prims", "looks", "quadrics")]
PART: Final = np.dtype([*_GEOMETRY, ("to_part", "<f4", 12)])
TEXTURE: Final = np.dtype(
    [
        ("texels", "<u8"),
        *((name, "<i4") for name in ("count", "width", "height", "pad")),
        ("first", "<i4", LEVELS + 1),
    ]
)
SCENE: Final = np.dtype(
    [
        *_GEOMETRY,
        *((name, "<u8") for name in ("top", "parts", "planes", "plane_objects", "lines", "line_objects", "materials")),
        *((name, "<u8") for name in ("object_texture", "texture_maps", "textures", "lights")),
        *((name, "<i4") for name in ("still_count", "part_count", "plane_count", "line_count", "light_count")),
        *((name, "<i4") for name in ("sky", "headlight", "pad")),
        *((name, "<f4") for name in ("near_m", "far_m", "sky_m", "ambient")),
    ]
)
# Where the kernels' Light finds its 32 floats in a row of `lights`; -1 is nothing.
LIGHT_ORDER: Final = np.array([
    0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 8, 12, 13, 14, 21,
    15, 16, 17, 22, 18, 19, 20, -1, 23, 24, 25, -1, 26, 27, 28, -1,
])  # fmt: skip


class PackedPart(NamedTuple):
    """One part as the kernels read it.

    Attributes:
        size: how many primitives it holds.
        nodes: of its tree.
        prims: [n, 3, 4] in the order of leaves.
        looks: [n, 12].
        quadrics: [n, QUADRIC_FLOATS].
        box: [6] around it, in its own frame.
        plain: whether it holds nothing but triangles with normals at their corners, or flat ones.
        flat_objects: whose flat triangles it holds.
    """

    size: int
    nodes: Floats
    prims: Floats
    looks: npt.NDArray[np.uint32]
    quadrics: Floats
    box: Floats
    plain: bool
    flat_objects: npt.NDArray[np.int32]


def pack_part(shape: PartShape) -> PackedPart:
    """Builds the tree over a part's triangles and quadrics."""
    points, triangles = shape.points, shape.triangles
    boxes = np.concatenate([
        np.concatenate([points.min(axis=1), points.max(axis=1)], axis=1),
        shape.quadric_rows[:, [*range(LOWER, LOWER + 3), *range(UPPER, UPPER + 3)]],
    ])  # fmt: skip
    count = len(boxes)
    if count == 0:
        none = np.zeros((0, 16), np.float32)
        return PackedPart(
            0, none, none, none.view(np.uint32), none, np.zeros(6, np.float32), True, np.zeros(0, np.int32)
        )
    tree = build_tree(boxes)
    prims, looks = np.zeros((count, 3, 4), np.float32), np.zeros((count, 12), np.uint32)
    prims[: len(points), 0, :3] = points[:, 0]
    prims[: len(points), 1, :3] = points[:, 1] - points[:, 0]
    prims[: len(points), 2, :3] = points[:, 2] - points[:, 0]
    words = prims.view(np.int32)
    words[len(points) :, 0, 3] = np.arange(len(shape.quadrics))
    words[:, 1, 3] = looks[:, 10] = np.concatenate([triangles[:, 0], shape.quadrics])
    words[: len(points), 2, 3] = np.minimum(triangles[:, 1], 0)
    words[len(points) :, 2, 3] = QUADRIC_FACE
    smooth = np.flatnonzero(triangles[:, 1] >= 0)
    corners = shape.corners[triangles[smooth, 1]]
    looks[smooth, :3] = pack_normals(corners[:, :9].reshape(-1, 3, 3))
    flat = np.flatnonzero(np.isin(triangles[:, 1], (FLAT, FLAT_MIRROR)))
    across = np.cross(prims[flat, 1, :3], prims[flat, 2, :3])
    looks[flat, :3] = pack_normals(np.repeat(across[:, None], 3, axis=1))
    looks[smooth, 3] = np.ascontiguousarray(corners[:, 15]).view(np.uint32)
    looks[smooth, 4:10] = np.ascontiguousarray(corners[:, 9:15]).view(np.uint32)
    box = np.concatenate([boxes[:, :3].min(axis=0), boxes[:, 3:].max(axis=0)])
    quadrics = shape.quadric_rows.reshape(-1, QUADRIC_FLOATS)
    plain = len(smooth) + len(flat) == count
    order = tree.order
    return PackedPart(
        count, tree.nodes, prims[order], looks[order], quadrics, box, plain, np.unique(triangles[flat, 0])
    )


def pack_normals(normals: Floats) -> npt.NDArray[np.uint32]:
    """Returns vectors as two signed 16-bit numbers each: a point on an octahedron, unfolded."""
    length = np.linalg.norm(normals, axis=-1, keepdims=True)
    n = normals / np.maximum(length, 1e-20)
    n = n / np.maximum(np.abs(n).sum(-1, keepdims=True), 1e-20)
    folded = (1 - np.abs(n[..., [1, 0]])) * np.where(n[..., :2] >= 0, 1.0, -1.0)
    xy = np.where(n[..., 2:] < 0, folded, n[..., :2])
    words = np.round(np.clip(xy, -1, 1) * 32767).astype(np.int16).view(np.uint16).astype(np.uint32)
    packed: npt.NDArray[np.uint32] = words[..., 0] | (words[..., 1] << 16)
    return packed


def pack_lights(rows: Floats) -> Floats:
    """Returns [lights, 32] in the order of the kernels' Light."""
    padded = np.concatenate([rows, np.zeros((len(rows), 1), np.float32)], axis=1)
    return np.ascontiguousarray(padded[:, LIGHT_ORDER])


def baked(shapes: list[PartShape]) -> PartShape:
    """Returns all parts as one that does not move, each where it is now."""
    points, corners, triangles, quadrics, rows = [], [], [], [], []
    first = 0
    for shape in shapes:
        rotation, position = shape.to_world[:, :3].astype(np.float64), shape.to_world[:, 3].astype(np.float64)
        points.append((shape.points.astype(np.float64) @ rotation.T + position).astype(np.float32))
        turned = shape.corners.copy()
        turned[:, :9] = (turned[:, :9].reshape(-1, 3) @ rotation.T).reshape(-1, 9)
        corners.append(turned)
        own = shape.triangles.copy()
        own[own[:, 1] >= 0, 1] += first
        first += len(shape.corners)
        triangles.append(own)
        quadrics.append(shape.quadrics)
        rows.append(np.array([_turned_quadric(row, rotation, position) for row in shape.quadric_rows], np.float32))
    return PartShape(
        np.concatenate(points),
        np.concatenate(triangles),
        np.concatenate(corners),
        np.concatenate(quadrics),
        np.concatenate([row.reshape(-1, QUADRIC_FLOATS) for row in rows]),
        np.eye(3, 4, dtype=np.float32),
    )


def _turned_quadric(
    row: Floats, rotation: npt.NDArray[np.float64], position: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Returns a quadric's row in the world's frame, its box grown to hold it however it was turned."""
    turned = row.astype(np.float64)
    to_own = turned[:12].reshape(3, 4)
    matrix = to_own[:, :3] @ rotation.T
    turned[:12] = np.hstack([matrix, (to_own[:, 3] - matrix @ position)[:, None]]).ravel()
    sides = zip(row[LOWER : LOWER + 3], row[UPPER : UPPER + 3], strict=True)
    corners = np.stack(np.meshgrid(*sides), -1).reshape(-1, 3) @ rotation.T + position
    turned[LOWER : LOWER + 3], turned[UPPER : UPPER + 3] = corners.min(axis=0), corners.max(axis=0)
    return turned
