"""Descriptions that are almost right: steps in another order, another one in place of one, left out or added."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

Steps = tuple[int, ...]
TRIES = 8


def candidates(true: Steps, others: Sequence[int], count: int, longest: int, rng: np.random.Generator) -> list[Steps]:
    """Returns the true list of steps first, then up to ``count`` others, none of them twice.

    Args:
        true: numbers of the steps that were done.
        others: numbers of steps that could be taken for them, such as those of other films in the same kitchen.
        count: wrong lists wanted.
        longest: most steps of a list.
        rng: what is drawn.
    """
    found = {true: None}
    for turn in range(TRIES * count):
        if len(found) > count:
            break
        way = _reordered if len(true) > 1 and turn % 2 else _changed
        drawn = way(true, others, rng)
        if 0 < len(drawn) <= longest:
            found[drawn] = None
    return list(found)


def _reordered(true: Steps, others: Sequence[int], rng: np.random.Generator) -> Steps:
    order = list(true)
    if rng.random() < 0.5:
        at = int(rng.integers(len(order) - 1))
        order[at], order[at + 1] = order[at + 1], order[at]
        return tuple(order)
    return tuple(order[int(i)] for i in rng.permutation(len(order)))


def _changed(true: Steps, others: Sequence[int], rng: np.random.Generator) -> Steps:
    other, at = others[int(rng.integers(len(others)))], int(rng.integers(len(true)))
    match int(rng.integers(4)):
        case 0 | 1:
            return (*true[:at], other, *true[at + 1 :])
        case 2:
            return (*true[:at], *true[at + 1 :])
        case _:
            return (*true[:at], other, *true[at:])
