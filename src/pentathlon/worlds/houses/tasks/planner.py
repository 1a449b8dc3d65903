"""Plans the navigator's actions: A* over the places that its steps and turns can reach."""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pentathlon.worlds.houses.bodies.navigator import Action, Navigator, Pose
from pentathlon.worlds.houses.navigation import CELL_M, NavigationMap
from pentathlon.worlds.houses.tasks.goals import Goal, turning

Floats = NDArray[np.float64]
# What a turn costs in metres of way: enough to prefer straight ways among equally long ones.
TURN_COST_M = 0.01
# Two places are taken for the same when they share a square of this width.
SAME_PLACE_M = CELL_M / 2
# A success place is on the map at every second cell; here and nearer it is worth a precise look.
ARRIVED_M = 2 * CELL_M
# Steps of a quarter metre often end or run exactly where rounding decides which cell they touch; the plan keeps to ways
# that are free whichever it is.
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
    turns = np.arange(-around, around + 1)
    yaws_deg = (pose.yaw_deg + turns * settings.turn_deg) % 360.0
    xs = pose.x_m + settings.step_m * np.cos(np.radians(yaws_deg))
    ys = pose.y_m + settings.step_m * np.sin(np.radians(yaws_deg))
    for k in np.flatnonzero(_clear_lines(ways, pose, xs, ys)):
        cost_m = node.cost_m + settings.step_m + TURN_COST_M * abs(int(turns[k]))
        after = Pose(float(xs[k]), float(ys[k]), float(yaws_deg[k]), pose.pitch_deg)
        yield _Node(after, cost_m, int(turns[k]), node)


def _clear_lines(ways: NavigationMap, start: Pose, xs: Floats, ys: Floats) -> NDArray[np.bool_]:
    """Tells for many ends at once what ``NavigationMap.clear_line`` tells for one, on both sides of cells' borders."""
    shares = _shares(math.hypot(xs[0] - start.x_m, ys[0] - start.y_m))
    along_x = (start.x_m + np.outer(xs - start.x_m, shares) - ways.x0_m) / CELL_M
    along_y = (start.y_m + np.outer(ys - start.y_m, shares) - ways.y0_m) / CELL_M
    clear = np.ones(len(xs), dtype=bool)
    for shift_x, shift_y in itertools.product((-BORDER_CELLS, BORDER_CELLS), repeat=2):
        i, j = np.rint(along_x + shift_x).astype(int), np.rint(along_y + shift_y).astype(int)
        clear &= _free(ways, i, j).all(axis=1)
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
