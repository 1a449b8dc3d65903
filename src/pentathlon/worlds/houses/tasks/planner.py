"""Plans the navigator's actions: A* over the places that its steps and turns can reach."""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pentathlon.worlds.houses.bodies.navigator import Action, Navigator, NavigatorSettings, Pose
from pentathlon.worlds.houses.tasks.goals import Goal, turning
from pentathlon.worlds.houses.ways.navigation import CELL_M, NavigationMap

Floats = NDArray[np.float64]
# What a turn costs in metres of way: enough to prefer straight ways among equally long ones.
TURN_COST_M = 0.01
# Two places are taken for the same when they share a square of this width.
SAME_PLACE_M = CELL_M / 2
# A success place is on the map at every second cell; here and nearer it is worth a precise look.
ARRIVED_M = 2 * CELL_M
# Steps of a quarter metre often end or run exactly where rounding decides which cell they touch. Such lines are looked
# at one by one, as the navigator does it.
BORDER_CELLS = 1e-5


class _Node(NamedTuple):
    pose: Pose
    cost_m: float
    turns: int
    parent: _Node | None


def plan(navigator: Navigator, goal: Goal, pose: Pose | None = None) -> list[Action] | None:
    """Returns actions that reach the goal by the shortest way, without Stop; ``None`` if there are none.

    Places are told apart to 2.5 cm and the map's distances are up to 2.8 % long, so the way may be longer than the
    best by about as much. Works with any step length and turn angle; noise is not foreseen.
    """
    ways, root = navigator.ways, _Node(pose or navigator.pose, 0.0, 0, None)
    order = itertools.count()
    queue = [(goal.distance_m(root.pose.x_m, root.pose.y_m), next(order), root)]
    closed: set[tuple[int, int]] = set()
    while queue:
        ahead_m, _, node = heapq.heappop(queue)
        key = _key(node.pose.x_m, node.pose.y_m)
        if key in closed or math.isinf(ahead_m):
            continue
        closed.add(key)
        if ahead_m - node.cost_m <= ARRIVED_M:
            gestures = goal.finish(node.pose)
            if gestures is not None:
                return [*_actions(node), *gestures]
        for after in _successors(navigator, ways, node):
            if _key(after.pose.x_m, after.pose.y_m) not in closed:
                left_m = goal.distance_m(after.pose.x_m, after.pose.y_m)
                heapq.heappush(queue, (after.cost_m + left_m, next(order), after))
    return None


def _successors(navigator: Navigator, ways: NavigationMap, node: _Node) -> Iterator[_Node]:
    """Yields what a turn by any number of steps and then one move lead to."""
    settings, pose = navigator.settings, node.pose
    around = math.floor(180.0 / settings.turn_deg)
    ends = [_ahead(pose, turns, settings) for turns in range(-around, around + 1)]
    for turns, end, clear in zip(range(-around, around + 1), ends, _clear_lines(ways, pose, ends), strict=True):
        if clear:
            cost_m = node.cost_m + settings.step_m + TURN_COST_M * abs(turns)
            yield _Node(end, cost_m, turns, node)


def _ahead(pose: Pose, turns: int, settings: NavigatorSettings) -> Pose:
    """Where so many turns and a move lead, by the navigator's own arithmetic."""
    yaw_deg = (pose.yaw_deg + turns * settings.turn_deg) % 360.0
    yaw = math.radians(yaw_deg)
    x, y = pose.x_m + settings.step_m * math.cos(yaw), pose.y_m + settings.step_m * math.sin(yaw)
    return Pose(x, y, yaw_deg, pose.pitch_deg)


def _clear_lines(ways: NavigationMap, start: Pose, ends: list[Pose]) -> NDArray[np.bool_]:
    """Tells for many ends at once what ``NavigationMap.clear_line`` tells for one."""
    offsets = np.array([(end.x_m - start.x_m, end.y_m - start.y_m) for end in ends])
    shares = _shares(float(np.hypot(*offsets[0])))
    along_x = (start.x_m + np.outer(offsets[:, 0], shares) - ways.x0_m) / CELL_M
    along_y = (start.y_m + np.outer(offsets[:, 1], shares) - ways.y0_m) / CELL_M
    free: NDArray[np.bool_] = np.stack(
        [
            _free(ways, np.rint(along_x + shift_x).astype(int), np.rint(along_y + shift_y).astype(int))
            for shift_x, shift_y in itertools.product((-BORDER_CELLS, BORDER_CELLS), repeat=2)
        ]
    )
    clear: NDArray[np.bool_] = np.all(free, axis=(0, 2))
    doubtful = ~clear & np.all(np.any(free, axis=0), axis=1)
    for k in np.flatnonzero(doubtful):
        clear[k] = ways.clear_line((start.x_m, start.y_m), (ends[k].x_m, ends[k].y_m))
    return clear


def _shares(length_m: float) -> Floats:
    """Where on a line ``clear_line`` looks, whichever way its count of looks is rounded."""
    looks = length_m / (CELL_M / 3)
    counts = {max(2, math.ceil(looks - BORDER_CELLS)), max(2, math.ceil(looks + BORDER_CELLS))}
    return np.concatenate([np.linspace(0.0, 1.0, count) for count in sorted(counts)])


def _free(ways: NavigationMap, i: NDArray[np.int64], j: NDArray[np.int64]) -> NDArray[np.bool_]:
    rows, columns = ways.free.shape
    inside = (i >= 0) & (j >= 0) & (i < rows) & (j < columns)
    free: NDArray[np.bool_] = inside & ways.free[np.clip(i, 0, rows - 1), np.clip(j, 0, columns - 1)]
    return free


def _key(x_m: float, y_m: float) -> tuple[int, int]:
    return round(x_m / SAME_PLACE_M), round(y_m / SAME_PLACE_M)


def _actions(node: _Node) -> list[Action]:
    steps: list[tuple[Action, ...]] = []
    while node.parent is not None:
        steps.append((*turning(node.turns), "MoveAhead"))
        node = node.parent
    return [action for step in reversed(steps) for action in step]
