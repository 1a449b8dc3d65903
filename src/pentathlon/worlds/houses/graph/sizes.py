"""Words for the size of a thing among its kind: small, medium, large, or short and long."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from pentathlon.worlds.houses.furnishing.footprint import VARIANTS_PER_TYPE, footprint, known
from pentathlon.worlds.houses.graph.scene_graph import Node

# A difference that people see at a glance.
NOTABLE = 1.12


def size_word(node: Node) -> str:
    """Returns how large a thing is among the variants of its type; "medium" for the usual size, "" for no object."""
    if node.kind != "object" or not known(node.type):
        return ""
    ratio = _measure(np.array(node.size_m), node.shape) / _usual(node.type, node.shape)
    less, more = ("short", "long") if node.shape == "long" else ("small", "large")
    return less if ratio < 1 / NOTABLE else more if ratio > NOTABLE else "medium"


@cache
def _usual(type_name: str, shape: str | None) -> float:
    """Median over the variants of a type."""
    views = [footprint(type_name, seed) for seed in range(VARIANTS_PER_TYPE)]
    return float(np.median([_measure(np.array(view.high_m) - np.array(view.low_m), shape) for view in views]))


def _measure(size_m: NDArray[np.float64], shape: str | None) -> float:
    """Length of long things; otherwise the side of a cube of the same volume, or of a square for flat things."""
    ordered = np.sort(size_m)[::-1]
    count = {"long": 1, "flat": 2}.get(shape or "", 3)
    return float(np.prod(ordered[:count]) ** (1 / count))
