"""Reads a model's meshes and textures, and finds planes in which several objects have triangles.

Compiled without `FASTMATH`: what is read here decides pictures, and must not depend on how LLVM orders sums.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pentathlon.worlds.rendering.kernels.packet import exact_kernel

NORMAL_CELLS = 512
_NO_LOWEST_BITS = np.uint32(0xFEFEFEFE)
_SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio: neighbouring keys land far apart


@exact_kernel
def read_meshes(tables: Any, smooth_cosine: float, points: Any, corners: Any) -> None:
    """Writes the triangles of all meshes with what shading needs to know of them.

    Takes:
        tables: the model's `MeshTables`.
        smooth_cosine: a corner is shaded flat where its normal is farther off the face's.
        points: [faces, 3, 3] written: corners.
        corners: [faces, 16] written: three normals, three texture coordinates, texture density in 1/m.
    """
    for mesh in range(tables.face_count.shape[0]):
        vertex, normal, texcoord = tables.first_vertex[mesh], tables.first_normal[mesh], tables.first_texcoord[mesh]
        for face in range(tables.first_face[mesh], tables.first_face[mesh] + tables.face_count[mesh]):
            for corner in range(3):
                for axis in range(3):
                    points[face, corner, axis] = tables.vertices[vertex + tables.faces[face, corner], axis]
                    own = tables.normals[normal + tables.face_normals[face, corner], axis]
                    corners[face, 3 * corner + axis] = own
            ax, ay, az = _side(points, face, 1)
            bx, by, bz = _side(points, face, 2)
            cx, cy, cz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
            length = np.sqrt(cx * cx + cy * cy + cz * cz)
            least = max(length, 1e-30)
            if texcoord >= 0:
                for corner in range(3):
                    place = texcoord + tables.face_texcoords[face, corner]
                    corners[face, 9 + 2 * corner] = tables.texcoords[place, 0]
                    corners[face, 10 + 2 * corner] = tables.texcoords[place, 1]
                au, av = _texture_side(corners, face, 1)
                bu, bv = _texture_side(corners, face, 2)
                corners[face, 15] = np.float32(np.sqrt(abs(au * bv - av * bu) / least))
                continue
            for i in range(9, 16):
                corners[face, i] = 0.0
            fx, fy, fz = cx / least, cy / least, cz / least
            for corner in range(3):
                row = 3 * corner
                x, y, z = np.float64(corners[face, row]), corners[face, row + 1], corners[face, row + 2]
                if x * fx + y * fy + z * fz < smooth_cosine:
                    corners[face, row] = fx
                    corners[face, row + 1] = fy
                    corners[face, row + 2] = fz


@exact_kernel
def _side(points: Any, face: int, corner: int) -> tuple[float, float, float]:
    x = np.float64(points[face, corner, 0]) - np.float64(points[face, 0, 0])
    y = np.float64(points[face, corner, 1]) - np.float64(points[face, 0, 1])
    z = np.float64(points[face, corner, 2]) - np.float64(points[face, 0, 2])
    return x, y, z


@exact_kernel
def _texture_side(corners: Any, face: int, corner: int) -> tuple[float, float]:
    u = np.float64(corners[face, 9 + 2 * corner]) - np.float64(corners[face, 9])
    v = np.float64(corners[face, 10 + 2 * corner]) - np.float64(corners[face, 10])
    return u, v


@exact_kernel
def mark_shared_planes(
    objects: Any, points: Any, thickness_m: float, keys: Any, owners: Any, places: Any, shared: Any
) -> int:
    """Marks triangles in planes that several objects share, and returns how many there are.

    Takes:
        objects: [n] of each triangle.
        points: [n, 3, 3] float32.
        thickness_m: how far apart two planes count as one.
        keys, owners: work space of a power of two, at least twice n.
        places: [n] work space.
        shared: [n] written.
    """
    count, several, slots = 0, -2, np.uint64(keys.shape[0] - 1)
    shared[:] = False
    for turn in range(2):
        shift = 0.25 + 0.5 * turn  # what one grid splits at a border, the other does not
        owners[:] = -1
        for i in range(objects.shape[0]):
            plane = _plane(points, i, thickness_m, shift)
            slot = (np.uint64(plane) * _SPREAD >> np.uint64(20)) & slots
            while owners[slot] != -1 and keys[slot] != plane:
                slot = (slot + np.uint64(1)) & slots
            places[i] = slot
            if owners[slot] == -1:
                keys[slot], owners[slot] = plane, objects[i]
            elif owners[slot] != objects[i]:
                owners[slot] = several
        for i in range(objects.shape[0]):
            if owners[places[i]] == several and not shared[i]:
                shared[i] = True
                count += 1
    return count


@exact_kernel
def _plane(points: Any, i: int, thickness_m: float, shift: float) -> Any:
    """Returns the number of the cell that a triangle's normal and offset lie in."""
    x, y, z = np.float64(points[i, 0, 0]), np.float64(points[i, 0, 1]), np.float64(points[i, 0, 2])
    ax, ay, az = points[i, 1, 0] - x, points[i, 1, 1] - y, points[i, 1, 2] - z
    bx, by, bz = points[i, 2, 0] - x, points[i, 2, 1] - y, points[i, 2, 2] - z
    nx, ny, nz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
    length = max(np.sqrt(nx * nx + ny * ny + nz * nz), 1e-30)
    nx, ny, nz = nx / length, ny / length, nz / length
    along = np.int64(np.floor((nx * x + ny * y + nz * z) / thickness_m + shift))
    cell_x = np.int64(np.floor(nx * NORMAL_CELLS + shift))
    cell_y = np.int64(np.floor(ny * NORMAL_CELLS + shift))
    cell_z = np.int64(np.floor(nz * NORMAL_CELLS + shift))
    return cell_x + (cell_y << 11) + (cell_z << 22) + (along << 33)


@exact_kernel
def pack_texels(raw: Any, image: Any) -> None:
    """Writes a picture of 1 to 4 channels as RGBA, full where it has no channel."""
    height, width, channels = raw.shape
    for y in range(height):
        for x in range(width):
            for i in range(4):
                channel = i if channels >= 3 else 0
                image[y, x, i] = raw[y, x, channel] if i < channels else 255


@exact_kernel
def halve_texels(image: Any, half: Any) -> None:
    """Writes an image of even sides at half its size, four bytes of a texel at once, rows first."""
    for face in range(half.shape[0]):
        for y in range(half.shape[1]):
            for x in range(half.shape[2]):
                left = _mean(image[face, 2 * y, 2 * x], image[face, 2 * y + 1, 2 * x])
                right = _mean(image[face, 2 * y, 2 * x + 1], image[face, 2 * y + 1, 2 * x + 1])
                half[face, y, x] = _mean(left, right)


@exact_kernel
def _mean(first: Any, second: Any) -> Any:
    """The rounded mean of four bytes: half of the bits in which they differ, without what would carry over."""
    return (first | second) - (((first ^ second) & _NO_LOWEST_BITS) >> np.uint32(1))
