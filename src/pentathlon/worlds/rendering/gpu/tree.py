"""Builds binary trees over boxes by the surface area heuristic, in the layout that the kernels walk.

A node is sixteen floats: x and y of the first child's box, of the second's, z of both, the two children and two unused.
A child is the number of a node, or ``~(first * 8 + count)`` for a leaf of so many primitives.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from pentathlon.worlds.rendering.kernels.cache import kept_here

Floats = npt.NDArray[np.float32]
BINS = 16
MOST_IN_LEAF = 4
DEEPEST = 36  # from here on halves are split off by number, so that the kernels' stacks of 64 suffice
NODE_COST, PRIMITIVE_COST = np.float32(1.0), np.float32(0.6)
MARGIN = np.float32(4e-7)  # of the coordinates: what rounding may cut off a flat box

with kept_here():
    _compiled: Any = njit(cache=True, fastmath=True, nogil=True)

    @_compiled
    def _area(lower: Any, upper: Any) -> Any:
        x, y, z = upper[0] - lower[0], upper[1] - lower[1], upper[2] - lower[2]
        return x * y + y * z + z * x

    @_compiled
    def _grow(lower: Any, upper: Any, more_lower: Any, more_upper: Any) -> None:
        for k in range(3):
            lower[k], upper[k] = min(lower[k], more_lower[k]), max(upper[k], more_upper[k])

    @_compiled
    def _sweep(bin_lower: Any, bin_upper: Any, counts: Any, size: Any) -> Any:
        """Returns the cost and the last bin of the first side of the cheapest split between bins."""
        right = np.full(BINS, np.inf, np.float32)
        lower, upper = np.full(3, np.inf, np.float32), np.full(3, -np.inf, np.float32)
        total = 0
        for b in range(BINS - 1, 0, -1):
            total += counts[b]
            _grow(lower, upper, bin_lower[b], bin_upper[b])
            if total:
                right[b] = _area(lower, upper) * total
        lower[:], upper[:] = np.inf, -np.inf
        total, best, best_bin = 0, np.float32(np.inf), -1
        for b in range(BINS - 1):
            total += counts[b]
            _grow(lower, upper, bin_lower[b], bin_upper[b])
            if 0 < total < size:
                cost = _area(lower, upper) * total + right[b + 1]
                if cost < best:
                    best, best_bin = cost, b
        return best, best_bin

    @_compiled
    def _split(boxes: Any, order: Any, begin: Any, end: Any) -> Any:
        """Sorts a stretch of `order` into two sides and returns where the second begins."""
        lower, upper = np.full(3, np.inf, np.float32), np.full(3, -np.inf, np.float32)
        for i in range(begin, end):
            for k in range(3):
                middle = boxes[order[i], k] + boxes[order[i], 3 + k]
                lower[k], upper[k] = min(lower[k], middle), max(upper[k], middle)
        best, best_axis, best_bin = np.float32(np.inf), -1, -1
        bin_lower, bin_upper = np.empty((BINS, 3), np.float32), np.empty((BINS, 3), np.float32)
        counts = np.empty(BINS, np.int32)
        for axis in range(3):
            if upper[axis] - lower[axis] <= 1e-7:
                continue
            scale = np.float32(BINS * 0.9999) / (upper[axis] - lower[axis])
            bin_lower[:], bin_upper[:], counts[:] = np.inf, -np.inf, 0
            for i in range(begin, end):
                box = boxes[order[i]]
                b = int((box[axis] + box[3 + axis] - lower[axis]) * scale)
                counts[b] += 1
                _grow(bin_lower[b], bin_upper[b], box[:3], box[3:])
            cost, last = _sweep(bin_lower, bin_upper, counts, end - begin)
            if cost < best:
                best, best_axis, best_bin = cost, axis, last
        if best_axis < 0:  # all middles coincide
            return begin + (end - begin) // 2
        scale = np.float32(BINS * 0.9999) / (upper[best_axis] - lower[best_axis])
        i, j = begin, end - 1
        while i <= j:
            box = boxes[order[i]]
            if int((box[best_axis] + box[3 + best_axis] - lower[best_axis]) * scale) <= best_bin:
                i += 1
            else:
                order[i], order[j] = order[j], order[i]
                j -= 1
        return i

    @_compiled
    def _grow_tree(boxes: Any) -> Any:
        """Splits down to single primitives; children come in pairs after their parent."""
        count = len(boxes)
        order = np.arange(count).astype(np.int32)
        spans = np.full((2 * count, 3), -1, np.int32)  # begin, end, first child or -1
        tree = np.empty((2 * count, 6), np.float32)
        depths = np.zeros(2 * count, np.int32)
        spans[0, 0], spans[0, 1] = 0, count
        used, node = 1, 0
        while node < used:
            begin, end = spans[node, 0], spans[node, 1]
            tree[node, :3], tree[node, 3:] = np.inf, -np.inf
            for i in range(begin, end):
                _grow(tree[node, :3], tree[node, 3:], boxes[order[i], :3], boxes[order[i], 3:])
            if end - begin > 1:
                middle = begin + (end - begin) // 2 if depths[node] > DEEPEST else _split(boxes, order, begin, end)
                spans[node, 2] = used
                spans[used, 0], spans[used, 1] = begin, middle
                spans[used + 1, 0], spans[used + 1, 1] = middle, end
                depths[used : used + 2] = depths[node] + 1
                used += 2
            node += 1
        return tree[:used], spans[:used], order

    @_compiled
    def _choose_leaves(tree: Any, spans: Any) -> Any:
        """Returns which nodes are cheaper as leaves than split."""
        cost = np.zeros(len(spans), np.float32)
        leaf = np.zeros(len(spans), np.bool_)
        for node in range(len(spans) - 1, -1, -1):
            size, child = spans[node, 1] - spans[node, 0], spans[node, 2]
            area = _area(tree[node, :3], tree[node, 3:])
            whole = area * size * PRIMITIVE_COST if size <= MOST_IN_LEAF else np.float32(np.inf)
            divided = area * NODE_COST + cost[child] + cost[child + 1] if child >= 0 else np.float32(np.inf)
            leaf[node], cost[node] = whole <= divided, min(whole, divided)
        return leaf

    @_compiled
    def _put_child(nodes: Any, here: Any, side: Any, box: Any, child: Any) -> None:
        for k in range(3):
            margin = MARGIN * max(abs(box[k]), abs(box[3 + k]))
            place = 4 * side + 2 * k if k < 2 else 8 + 2 * side
            nodes[here, place], nodes[here, place + 1] = box[k] - margin, box[3 + k] + margin
        nodes.view(np.int32)[here, 12 + side] = child

    @_compiled
    def _leaf_code(begin: Any, end: Any) -> Any:
        return ~(begin * 8 + end - begin)

    @_compiled
    def _lay_out(tree: Any, spans: Any, leaf: Any) -> Any:
        """Returns the nodes in the kernels' layout."""
        nodes = np.zeros((len(spans) // 2 + 1, 16), np.float32)
        if leaf[0]:  # one leaf alone, beside a box that no ray meets
            _put_child(nodes, 0, 0, tree[0], _leaf_code(spans[0, 0], spans[0, 1]))
            _put_child(nodes, 0, 1, np.array([1, 1, 1, -1, -1, -1], np.float32) * np.float32(1e30), ~0)
            return nodes[:1]
        todo = np.empty(len(nodes), np.int32)
        todo[0] = 0
        used, here = 1, 0
        while here < used:
            for side in range(2):
                child = spans[todo[here], 2] + side
                if leaf[child]:
                    _put_child(nodes, here, side, tree[child], _leaf_code(spans[child, 0], spans[child, 1]))
                else:
                    _put_child(nodes, here, side, tree[child], used)
                    todo[used] = child
                    used += 1
            here += 1
        return nodes[:used].copy()


class Tree(NamedTuple):
    """A tree over boxes: nodes [n, 16], and the boxes' numbers in the order of the leaves."""

    nodes: Floats
    order: npt.NDArray[np.int32]


def build_tree(boxes: Floats) -> Tree:
    """Returns the tree over one or more boxes, [n, 6] lower and upper corners."""
    grown, spans, order = _grow_tree(np.ascontiguousarray(boxes, np.float32))
    return Tree(_lay_out(grown, spans, _choose_leaves(grown, spans)), order)
