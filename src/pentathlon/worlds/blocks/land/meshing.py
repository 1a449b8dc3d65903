"""The triangles that are seen of the land: faces between a block and the open, gathered by texture."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pentathlon.worlds.blocks.land.kinds import AIR, KINDS
from pentathlon.worlds.modelling.mesh import Floats, Mesh

Codes = NDArray[np.uint8]
Mask = NDArray[np.bool_]

# Of each face: its normal, and the corners in the order in which a texture's (0, 0), (1, 0), (1, 1), (0, 1) lie on
# them, v up, counter-clockwise from outside.
FACES: tuple[tuple[tuple[int, int, int], tuple[tuple[int, int, int], ...]], ...] = (
    ((0, 0, 1), ((0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))),
    ((0, 0, -1), ((0, 1, 0), (1, 1, 0), (1, 0, 0), (0, 0, 0))),
    ((1, 0, 0), ((1, 0, 0), (1, 1, 0), (1, 1, 1), (1, 0, 1))),
    ((-1, 0, 0), ((0, 1, 0), (0, 0, 0), (0, 0, 1), (0, 1, 1))),
    ((0, 1, 0), ((1, 1, 0), (0, 1, 0), (0, 1, 1), (1, 1, 1))),
    ((0, -1, 0), ((0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1))),
)
UVS: Floats = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
TOP, SIDE, BOTTOM, FRONT = range(4)


def side_of(normal: tuple[int, int, int]) -> int:
    """Which of a kind's textures a face shows."""
    return TOP if normal[2] > 0 else BOTTOM if normal[2] < 0 else SIDE


def land_meshes(codes: Codes, hidden: Mask) -> dict[str, Mesh]:
    """Returns the land's meshes by texture.

    Args:
        codes: kinds of blocks, [X, Y, Z]; a block fills the cube from its indices on, a metre wide.
        hidden: blocks drawn by themselves; they count as open, and their faces are left out.
    """
    solid = (codes != AIR) & ~hidden
    parts: dict[str, list[tuple[Floats, tuple[int, int, int]]]] = {}
    for normal, corners in FACES:
        open_beside = _open_beside(solid, normal)
        places = np.argwhere(solid & open_beside)
        names = np.array([kind.sides[side_of(normal)] for kind in KINDS])[codes[tuple(places.T)]]
        for name in np.unique(names):
            quads = places[names == name][:, None, :] + np.array(corners)[None]
            parts.setdefault(str(name), []).append((quads.astype(np.float64), normal))
    return {name: _mesh(quads) for name, quads in parts.items()}


def _open_beside(solid: Mask, normal: tuple[int, int, int]) -> Mask:
    """Which blocks have nothing beside them; beyond the land lies nothing to be seen from, but above it."""
    padded = np.pad(solid, 1, constant_values=True)
    padded[:, :, -1] = False
    x, y, z = (slice(1 + step, 1 + step + size) for step, size in zip(normal, solid.shape, strict=True))
    found: Mask = ~padded[x, y, z]
    return found


def quad_mesh(vertices_m: Floats, normals: Floats, uvs: Floats) -> Mesh:
    """A mesh of squares, four corners each, counter-clockwise from outside."""
    first = 4 * np.arange(len(vertices_m) // 4)[:, None]
    faces = np.concatenate([first + np.array([0, 1, 2]), first + np.array([0, 2, 3])])
    return Mesh(vertices_m, faces, normals, uvs)


def _mesh(parts: list[tuple[Floats, tuple[int, int, int]]]) -> Mesh:
    vertices = np.concatenate([quads.reshape(-1, 3) for quads, _ in parts])
    normals = np.concatenate([np.tile(np.array(normal, float), (4 * len(quads), 1)) for quads, normal in parts])
    return quad_mesh(vertices, normals, np.tile(UVS, (len(vertices) // 4, 1)))


def box_mesh(size_m: tuple[float, float, float], tiles: tuple[tuple[float, float, float, float], ...]) -> Mesh:
    """A box about the origin whose six faces, in the order of :data:`FACES`, show parts of one picture.

    Args:
        size_m: its extents.
        tiles: left, bottom, right and top of each face's part, as shares of the picture.
    """
    quads = [(np.array(corners)[None] - 0.5) * np.array(size_m) for _, corners in FACES]
    mesh = _mesh([(quad, normal) for quad, (normal, _) in zip(quads, FACES, strict=True)])
    uvs = [[(left, low), (right, low), (right, high), (left, high)] for left, low, right, high in tiles]
    return Mesh(mesh.vertices_m, mesh.faces, mesh.normals, np.array(uvs, float).reshape(-1, 2))
