"""Where a camera stands to see a house: at random, or aimed at one of its things from near or far."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pentathlon.worlds.houses.graph.scene_graph import Node
from pentathlon.worlds.houses.tasks.targets import ROBOTHOR_TYPES
from pentathlon.worlds.houses.ways.navigation import NavigationMap

Floats = npt.NDArray[np.float64]

EYE_M = 0.87
"""The navigator's camera."""
WIDE_DEG = 90.0
WIDE_SHARE = 0.75
"""Narrower views are made of wide ones too, by zooming."""
TURN_DEG = 30.0
HEIGHTS_M = (0.4, 1.6)
NEAR_M, FAR_M = 0.95, 4.0
RANDOM_SHARE, NEAR_SHARE = 0.38, 0.34
SMALL_THING_M = 0.5
SMALL_WEIGHT, FAVOURED_WEIGHT = 3.0, 2.0
_TRIES = 2000


class Pose(NamedTuple):
    """A camera in a house; a positive pitch looks down."""

    x_m: float
    y_m: float
    yaw_deg: float
    height_m: float
    pitch_deg: float
    fovy_deg: float


class PoseStream:
    """Endless poses in one house; those that only measure are ones that the navigator can take."""

    def __init__(self, ways: NavigationMap, nodes: tuple[Node, ...], rng: np.random.Generator, stepwise: bool) -> None:
        self._ways, self._nodes, self._rng, self._stepwise = ways, nodes, rng, stepwise
        self._chance = _aims(nodes, () if stepwise else ROBOTHOR_TYPES)
        self._spots: Floats = ways.points(np.argwhere(ways.regions == ways.main_region))

    def __iter__(self) -> Iterator[Pose]:
        for _ in range(_TRIES):
            draw = self._rng.random()
            if draw < RANDOM_SHARE:
                yield self._random()
                continue
            near = draw < RANDOM_SHARE + NEAR_SHARE
            pose = self._aimed(*((0.0, NEAR_M) if near else (NEAR_M, FAR_M)))
            if pose is not None:
                yield pose

    def _random(self) -> Pose:
        rng = self._rng
        x, y = self._ways.random_place(rng)
        yaw_deg = TURN_DEG * rng.integers(12) if self._stepwise else rng.uniform(0.0, 360.0)
        pitch_deg = TURN_DEG * float(rng.choice([0, 1, -1], p=[0.6, 0.3, 0.1]))
        if not self._stepwise:
            pitch_deg += rng.normal(0.0, 6.0)
        return Pose(x, y, float(yaw_deg), self._height(), pitch_deg, self._view_deg())

    def _aimed(self, nearest_m: float, farthest_m: float) -> Pose | None:
        """Looks at a thing from a free place whose distance along the floor is within the bounds."""
        rng = self._rng
        node = self._nodes[int(rng.choice(len(self._nodes), p=self._chance))]
        away_m = _gaps(self._spots, node)
        places = np.flatnonzero((away_m >= nearest_m) & (away_m <= farthest_m))
        if not len(places):
            return None
        x, y = (float(value) for value in self._spots[places[rng.integers(len(places))]])
        middle_x, middle_y, middle_z = node.centre_m
        height_m, floor_m = self._height(), max(0.2, math.hypot(middle_x - x, middle_y - y))
        yaw_deg = math.degrees(math.atan2(middle_y - y, middle_x - x)) + rng.normal(0.0, 12.0)
        pitch_deg = math.degrees(math.atan2(height_m - middle_z, floor_m)) + rng.normal(0.0, 8.0)
        if self._stepwise:
            yaw_deg, pitch_deg = TURN_DEG * round(yaw_deg / TURN_DEG), TURN_DEG * round(pitch_deg / TURN_DEG)
        return Pose(x, y, yaw_deg, height_m, float(np.clip(pitch_deg, -60.0, 60.0)), self._view_deg())

    def _height(self) -> float:
        raised = not self._stepwise and self._rng.random() < 0.3
        return float(self._rng.uniform(*HEIGHTS_M)) if raised else EYE_M

    def _view_deg(self) -> float:
        if self._stepwise or self._rng.random() < WIDE_SHARE:
            return WIDE_DEG
        return 63.45 if self._rng.random() < 0.5 else float(self._rng.uniform(50.0, 80.0))


def _aims(nodes: tuple[Node, ...], favoured: tuple[str, ...]) -> Floats:
    """Small things, those of which a house has few and those that are favoured are looked at more often."""
    count = Counter(node.type for node in nodes)

    def weight(node: Node) -> float:
        small = math.dist(node.low_m, node.high_m) < SMALL_THING_M
        favour = FAVOURED_WEIGHT if node.type in favoured else 1.0
        return favour * (SMALL_WEIGHT if small else 1.0) / math.pow(count[node.type], 0.7)

    weights = np.array([weight(node) for node in nodes])
    chance: Floats = weights / weights.sum()
    return chance


def _gaps(spots: Floats, node: Node) -> Floats:
    """Distances along the floor from places to a thing's box."""
    low, high = np.array(node.low_m[:2]), np.array(node.high_m[:2])
    gaps: Floats = np.linalg.norm(np.maximum(low - spots, 0.0) + np.maximum(spots - high, 0.0), axis=1)
    return gaps
