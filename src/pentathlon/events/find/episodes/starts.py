"""Draws where episodes begin: anywhere one can walk from, not too near to what is to be found."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pentathlon.core.errors import DataError
from pentathlon.events.find.episodes.records import Place
from pentathlon.events.find.episodes.scenes import View
from pentathlon.worlds.houses.tasks.goals import InstanceGoal

SHORTEST_M = 1.0
# A straightened way is never so much shorter than one along the cells of the map.
SLACK_M = 0.3
ATTEMPTS = 400


def draw_starts(
    views: Sequence[View], target: str, count: int, longest_m: float, rng: np.random.Generator
) -> list[Place]:
    """Draws starts from which the shortest way to a target is neither too short nor too long.

    Args:
        views: states of the house; in each of them the starts must do.
        target: id of the object to find.
        count: how many.
        longest_m: of the shortest ways.
        rng: gives the same starts for the same state.

    Raises:
        DataError: when there are not enough.
    """
    found: list[Place] = []
    for _ in range(ATTEMPTS):
        x_m, y_m = views[0].navigator.ways.random_place(rng)
        place = Place(x_m, y_m, 30.0 * int(rng.integers(12)))
        if all(_will_do(view, target, place, longest_m) for view in views):
            found.append(place)
        if len(found) == count:
            return found
    name = views[0].navigator.scene.house.name
    raise DataError(f"{name!r}: expected {count} starts for {target!r}, got {len(found)}.")


def way_m(goal: InstanceGoal, start: Place) -> float:
    """Length of the straightened shortest way from a start to the nearest place where Stop succeeds."""
    return round(goal.length_m(start.x_m, start.y_m), 3)


def _will_do(view: View, target: str, place: Place, longest_m: float) -> bool:
    ways, goal = view.navigator.ways, view.goal(target)
    cell = ways.cell(place.x_m, place.y_m)
    if cell is None or ways.regions[cell] != ways.main_region:
        return False
    along_m = goal.distance_m(place.x_m, place.y_m)
    if not SHORTEST_M <= along_m <= longest_m:
        return False
    return along_m > SHORTEST_M + SLACK_M or way_m(goal, place) >= SHORTEST_M
