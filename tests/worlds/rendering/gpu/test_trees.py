"""Trees hold every box once, in children's boxes that hold it, and few enough below each other for the kernels."""

from __future__ import annotations

import numpy as np
import pytest

from pentathlon.worlds.rendering.gpu.tree import build_tree


def leaves(nodes: np.ndarray) -> tuple[dict[int, np.ndarray], int]:
    """Returns the box that the tree has around each place in its order, and the tree's depth."""
    found, deepest, todo = {}, 0, [(0, 1)]
    while todo:
        node, depth = todo.pop()
        deepest = max(deepest, depth)
        for side in range(2):
            row = nodes[node]
            box = np.array([*row[4 * side : 4 * side + 4], *row[8 + 2 * side : 10 + 2 * side]])[[0, 2, 4, 1, 3, 5]]
            child = int(row.view(np.int32)[12 + side])
            if child >= 0:
                todo.append((child, depth + 1))
                continue
            code = ~child
            for place in range(code >> 3, (code >> 3) + (code & 7)):
                assert place not in found
                found[place] = box
    return found, deepest


@pytest.mark.parametrize("count", [1, 2, 3, 5, 1000])
def test_every_box_is_in_one_leaf(count: int) -> None:
    rng = np.random.default_rng(count)
    lower = rng.normal(size=(count, 3)).astype(np.float32)
    boxes = np.concatenate([lower, lower + rng.random((count, 3)).astype(np.float32)], axis=1)
    tree = build_tree(boxes)
    assert sorted(tree.order.tolist()) == list(range(count))
    found, deepest = leaves(tree.nodes)
    assert sorted(found) == list(range(count))
    for place, box in found.items():
        own = boxes[tree.order[place]]
        assert (box[:3] <= own[:3]).all()
        assert (box[3:] >= own[3:]).all()
    assert deepest <= 2 * np.log2(count) + 4


@pytest.mark.parametrize("kind", ["same", "doubling"])
def test_depth_is_bounded(kind: str) -> None:
    middle = (
        np.zeros((3000, 3)) if kind == "same" else np.repeat(2.0 ** np.linspace(-120, 60, 3000)[:, None], 3, axis=1)
    )
    boxes = np.concatenate([middle, middle], axis=1).astype(np.float32)
    _, deepest = leaves(build_tree(boxes).nodes)
    assert deepest < 64
