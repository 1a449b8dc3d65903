"""What MuJoCo is told of parts that are only seen: meshes with texture coordinates, and mirrors."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import mujoco

from pentathlon.worlds.houses.assets.asset import Part
from pentathlon.worlds.modelling.mesh import Floats, Mesh
from pentathlon.worlds.modelling.textures import Texture

BOX_FACES = 12


class SeenMesh(NamedTuple):
    """A mesh that is only seen, as seen from an origin, and its texture coordinates if it has a texture."""

    mesh: Mesh
    origin_m: Floats
    uvs: Floats | None

    def count(self, kind: str) -> int:
        """How many rows of a kind MuJoCo keeps of it."""
        vertices, faces = len(self.mesh.vertices_m), len(self.mesh.faces)
        textured = vertices if self.uvs is not None else 0
        return {"vert": vertices, "normal": vertices, "texcoord": textured, "face": faces, "bvh": 2 * faces - 1}[kind]


def texture_coordinates(mesh: Mesh, texture: Texture) -> Floats:
    """The mesh's uvs as repetitions of the texture."""
    uvs = mesh.uvs / texture.tile_m if texture.tile_m else mesh.uvs.copy()
    # MuJoCo keeps texture rows in file order, first row at v = 0; our pictures have v = 0 at the bottom.
    uvs[:, 1] = 1.0 - uvs[:, 1]
    return uvs


def is_pane(part: Part) -> bool:
    """Tell whether a part is a flat mirror."""
    return part.look.material.name == "mirror" and len(part.mesh.faces) == BOX_FACES


def pane(mesh: Mesh, origin_m: Floats) -> dict[str, Any]:
    """The box of a flat mirror, its top turned to the front: of all shapes, only tops of boxes and planes reflect."""
    low, high = mesh.bounds_m
    width, depth, height = (high - low) / 2
    half_turn = math.sqrt(0.5)
    return {
        "type": mujoco.mjtGeom.mjGEOM_BOX,
        "pos": list((low + high) / 2 - origin_m),
        "quat": [half_turn, half_turn, 0.0, 0.0],
        "size": [width, height, depth],
    }
