"""Lays meshes out as MuJoCo keeps them, each with the tree of boxes by which its rays find a triangle."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from pentathlon.worlds.rendering.kernels.cache import kept_here

DEEPEST = 64  # halves of halves: more than 2^32 triangles would be needed to get there
MARGIN_M = 1e-6  # rays miss boxes without any thickness

with kept_here():
    _compiled: Any = njit(cache=True, nogil=True)

    @_compiled
    def lay_out(
        vertices_m: Any, own_normals: Any, own_faces: Any, origin_m: Any, rotation: Any, vertices: Any, normals: Any,
        faces: Any, face_normals: Any, children: Any, depths: Any, leaves: Any, boxes: Any,
    ) -> None:  # fmt: skip
        """Writes a mesh as seen from a frame, and its tree.

        Takes:
            vertices_m, own_normals, own_faces: the mesh.
            origin_m, rotation: of the frame.
            vertices, normals, faces, face_normals: written.
            children, depths, leaves, boxes: written, as by `grow_tree`.
        """
        turn_rows(vertices_m, origin_m, rotation, vertices)
        turn_rows(own_normals, np.zeros(3), rotation, normals)
        for i in range(own_faces.shape[0]):
            for k in range(3):
                faces[i, k] = face_normals[i, k] = own_faces[i, k]
        grow_tree(vertices, faces, children, depths, leaves, boxes)

    @_compiled
    def turn_rows(rows: Any, origin: Any, rotation: Any, turned: Any) -> None:
        """Writes rows of 3 less the origin, as seen from a frame turned by a rotation."""
        for i in range(rows.shape[0]):
            x, y, z = rows[i, 0] - origin[0], rows[i, 1] - origin[1], rows[i, 2] - origin[2]
            for k in range(3):
                turned[i, k] = x * rotation[0, k] + y * rotation[1, k] + z * rotation[2, k]

    @_compiled
    def grow_tree(vertices: Any, faces: Any, children: Any, depths: Any, leaves: Any, boxes: Any) -> None:
        """Writes a tree over triangles, halved along their longest spread; a node's first child follows it.

        Takes:
            vertices: [n, 3].
            faces: [triangles, 3].
            children: [2 triangles - 1, 2] written: nodes of this tree, -1 below leaves.
            depths: written: of each node below the root.
            leaves: written: each node's triangle, -1 above leaves.
            boxes: [2 triangles - 1, 6] written: middles and half sizes.
        """
        count = faces.shape[0]
        middles = np.empty((count, 3))
        for i in range(count):
            for k in range(3):
                middles[i, k] = vertices[faces[i, 0], k] + vertices[faces[i, 1], k] + vertices[faces[i, 2], k]
        order = np.arange(count)
        todo = np.empty((DEEPEST, 4), np.int64)  # node, first and last triangle, depth
        todo[0, 0], todo[0, 1], todo[0, 2], todo[0, 3] = 0, 0, count - 1, 0
        waiting = 1
        while waiting:
            waiting -= 1
            node, first, last, depth = todo[waiting, 0], todo[waiting, 1], todo[waiting, 2], todo[waiting, 3]
            depths[node] = depth
            if first == last:
                children[node, 0] = children[node, 1] = -1
                leaves[node] = order[first]
                continue
            leaves[node] = -1
            middle = (first + last) // 2
            _halve(middles, order, first, last, middle)
            right = node + 2 * (middle - first + 1)
            children[node, 0], children[node, 1] = node + 1, right
            todo[waiting, 0], todo[waiting, 1], todo[waiting, 2], todo[waiting, 3] = right, middle + 1, last, depth + 1
            waiting += 1
            todo[waiting, 0], todo[waiting, 1], todo[waiting, 2], todo[waiting, 3] = node + 1, first, middle, depth + 1
            waiting += 1
        _bound(vertices, faces, children, leaves, boxes)

    @_compiled
    def _halve(middles: Any, order: Any, first: int, last: int, middle: int) -> None:
        """Sorts a stretch: along its longest spread, nothing before the middle is farther than what follows."""
        axis, longest = 0, -1.0
        for k in range(3):
            low = high = middles[order[first], k]
            for i in range(first + 1, last + 1):
                value = middles[order[i], k]
                low, high = min(low, value), max(high, value)
            if high - low > longest:
                axis, longest = k, high - low
        while first < last:
            pivot = middles[order[(first + last) // 2], axis]
            i, j = first, last
            while i <= j:
                while middles[order[i], axis] < pivot:
                    i += 1
                while middles[order[j], axis] > pivot:
                    j -= 1
                if i <= j:
                    order[i], order[j] = order[j], order[i]
                    i, j = i + 1, j - 1
            if middle <= j:
                last = j
            elif middle >= i:
                first = i
            else:
                return

    @_compiled
    def _bound(vertices: Any, faces: Any, children: Any, leaves: Any, boxes: Any) -> None:
        """Fits boxes round triangles, then round boxes: children come after their parents."""
        for node in range(children.shape[0] - 1, -1, -1):
            for k in range(3):
                if leaves[node] >= 0:
                    face = faces[leaves[node]]
                    a, b, c = vertices[face[0], k], vertices[face[1], k], vertices[face[2], k]
                    low, high = min(a, min(b, c)), max(a, max(b, c))
                    boxes[node, k] = 0.5 * (np.float64(low) + high)
                    boxes[node, 3 + k] = 0.5 * (np.float64(high) - low) + MARGIN_M
                    continue
                left, right = boxes[children[node, 0]], boxes[children[node, 1]]
                lowest = min(left[k] - left[3 + k], right[k] - right[3 + k])
                highest = max(left[k] + left[3 + k], right[k] + right[3 + k])
                boxes[node, k], boxes[node, 3 + k] = 0.5 * (lowest + highest), 0.5 * (highest - lowest)
