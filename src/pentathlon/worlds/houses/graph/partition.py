"""Whether walls part two things: nearness does not go through them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.plan.walls import inner_blocks, walls_of

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
# Walls are taken this much thinner, so that what stands at one is not inside it; they still reach down to the floor,
# where keys and cards lie.
SKIN_M = np.array([0.005, 0.005, 0.0])


class Partition:
    """The walls of a house as boxes, [N, 3] corners."""

    def __init__(self, house: House) -> None:
        blocks = [block for wall in walls_of(house) for block in inner_blocks(wall, house.ceiling_m)]
        self.low_m = np.array([(b.rect.x0, b.rect.y0, b.bottom) for b in blocks]).reshape(-1, 3) + SKIN_M
        self.high_m = np.array([(b.rect.x1, b.rect.y1, b.top) for b in blocks]).reshape(-1, 3) - SKIN_M

    def cuts(self, starts_m: Floats, ends_m: Floats) -> Flags:
        """Tells for each straight line between two points, [N, 3] each, whether it passes through a wall."""
        ways = ends_m - starts_m
        ways = np.where(np.abs(ways) < 1e-9, 1e-9, ways)
        to_low = (self.low_m[None] - starts_m[:, None]) / ways[:, None]
        to_high = (self.high_m[None] - starts_m[:, None]) / ways[:, None]
        enter = np.minimum(to_low, to_high).max(axis=2)
        leave = np.maximum(to_low, to_high).min(axis=2)
        through = (enter < leave) & (enter < 1.0) & (leave > 0.0)
        return np.asarray(through.any(axis=1))


def closest_points(low: Floats, high: Floats, other_low: Floats, other_high: Floats) -> tuple[Floats, Floats]:
    """Returns the ends of the shortest line between upright boxes, in the middle of where they overlap."""
    shared = (np.maximum(low, other_low) + np.minimum(high, other_high)) / 2
    apart = (low > other_high) | (other_low > high)
    first = np.where(apart, np.where(low > other_high, low, high), shared)
    second = np.where(apart, np.where(low > other_high, other_high, other_low), shared)
    return first, second
