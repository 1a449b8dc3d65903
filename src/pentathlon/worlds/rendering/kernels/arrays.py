"""The scene as flat arrays, the common ground of every ray caster that may join."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]

# How an object's texture coordinates are found (column 1 of `object_texture`).
MAPPING_NONE: Final = 0
MAPPING_PLANE: Final = 1  # two affine functions of the point
MAPPING_CUBE: Final = 2  # three affine functions of the point, a direction
MAPPING_CORNERS: Final = 3  # interpolated between the triangle's corners

# Column 1 of `triangles`: a row of `corners`, or one of these.
FLAT: Final = -1  # the geometric normal shades it
FLAT_MIRROR: Final = -2  # and it reflects where its material says so
PLANE_FACE: Final = -3  # and it is seen from behind too, faintly
LINE: Final = -1000  # a packet's mark of a lane that has met a line

# Columns of `lights`.
LIGHT_POSITION, LIGHT_IS_POINT, LIGHT_AXIS, LIGHT_CUTOFF_COS, LIGHT_EXPONENT = 0, 3, 4, 7, 8
LIGHT_ATTENUATION, LIGHT_AMBIENT, LIGHT_DIFFUSE, LIGHT_SPECULAR = 9, 12, 15, 18
LIGHT_SHADOW, LIGHT_RADIUS, LIGHT_LOW, LIGHT_HIGH = 21, 22, 23, 26
LIGHT_FLOATS: Final = 29

# Columns of `planes`.
PLANE_ORIGIN, PLANE_X, PLANE_Y, PLANE_NORMAL, PLANE_HALF = 0, 3, 6, 9, 12
PLANE_FLOATS: Final = 14

# Columns of a camera row.
CAMERA_POSITION, CAMERA_RIGHT, CAMERA_UP, CAMERA_BACK, CAMERA_RASTER, CAMERA_ORTHOGRAPHIC = 0, 3, 6, 9, 12, 16
CAMERA_FLOATS: Final = 17

# `limits`: near and far in metres, distance of the sky (0 without one), ambient light where no lamp is lit.
LIMIT_NEAR, LIMIT_FAR, LIMIT_SKY, LIMIT_AMBIENT = 0, 1, 2, 3


class SceneArrays(NamedTuple):
    """Everything a kernel reads, except the camera. Objects are numbered as in `model.numbering`.

    A part is a set of objects that move together: the static world (part 0), one moving body, or what has a new shape
    in every state (skins, tendons, flexes), which comes last and in the world's frame.
    """

    part_first: Ints  # [parts, 2] first row in `triangles` and in `quadrics`
    part_rotation: Floats  # [parts, 9] part to world
    triangles: Ints  # [n, 2] object; row in `corners`, FLAT, FLAT_MIRROR or PLANE_FACE
    corners: Floats  # [n, 16] three normals, three texture coordinates, texture density in 1/m
    quadrics: Ints  # [n] object
    planes: Floats  # [n, 14] planes without end in one or two directions, in the world's frame
    plane_objects: Ints  # [n]
    lines: Floats  # [n, 7] two points in the world's frame, half the width in pixels
    line_objects: Ints  # [n]
    materials: Floats  # [objects, 8] RGBA, emission, specular, shininess * 128, reflectance
    object_texture: Ints  # [objects, 2] texture or -1; mapping
    texture_maps: Floats  # [objects, 14] 3x4 matrix from world to texture coordinates; knee and slope along z
    texture_levels: Ints  # [textures, levels, 3] first texel, width, height
    texture_counts: Ints  # [textures] levels
    texels: npt.NDArray[np.uint32]  # RGBA bytes
    lights: Floats  # [lights, 29] the last six are corners of the box outside of which it does not shine
    limits: Floats  # [4]
    sky: Ints  # [1] texture of the sky, or -1

    def nbytes(self) -> int:
        """Returns the memory that the arrays take."""
        return sum(array.nbytes for array in self)


class MeshTables(NamedTuple):
    """An MjModel's meshes: where each one's rows begin, and the rows of all."""

    first_face: Ints  # [meshes]
    face_count: Ints
    first_vertex: Ints
    first_normal: Ints
    first_texcoord: Ints  # -1 without texture coordinates
    faces: Ints  # [faces, 3] rows counted from the mesh's first
    face_normals: Ints
    face_texcoords: Ints
    vertices: Floats  # [n, 3]
    normals: Floats
    texcoords: Floats  # [n, 2]
