"""Draws where episodes begin: anywhere one can walk from, not too near to what is to be found."""

from __future__ import annotations

import numpy as np

from pentathlon.core.errors import DataError
from pentathlon.events.find.episodes.records import Place
from pentathlon.worlds.houses.bodies.navigator import Navigator
from pentathlon.worlds.houses.tasks.goals import InstanceGoal
from pentathlon.worlds.houses.ways.navigation import NavigationMap

SHORTEST_M = 1.0
ATTEMPTS = 400


def draw_starts(
    navigator: Navigator,
    target: str,
    count: int,
    longest_m: float,
    rng: np.random.Generator,
    also: NavigationMap | None = None,
) -> list[Place]:
    """Draws starts from which the shortest way to a target is neither too short nor too long.

    Args:
        navigator: in the house.
        target: id of the object to find.
        count: how many.
        longest_m: of the shortest ways.
        rng: gives the same starts for the same state.
        also: another map of the house, on which the starts must be free too.

    Raises:
        DataError: when there are not enough.
    """
    goal = InstanceGoal(navigator, target)
    found: list[Place] = []
    for _ in range(ATTEMPTS):
        x_m, y_m = navigator.ways.random_place(rng)
        place = Place(x_m, y_m, 30.0 * int(rng.integers(12)))
        if also is not None and not _is_main(also, x_m, y_m):
            continue
        if SHORTEST_M <= goal.distance_m(x_m, y_m) <= longest_m:
            found.append(place)
        if len(found) == count:
            return found
    raise DataError(f"{navigator.scene.house.name!r}: expected {count} starts for {target!r}, got {len(found)}.")


def way_m(goal: InstanceGoal, start: Place) -> float:
    """Length of the straightened shortest way from a start to the nearest place where Stop succeeds."""
    return round(goal.length_m(start.x_m, start.y_m), 3)


def _is_main(ways: NavigationMap, x_m: float, y_m: float) -> bool:
    cell = ways.cell(x_m, y_m)
    return cell is not None and bool(ways.regions[cell] == ways.main_region)
