"""Ways on a chart: walking distances over its cells, and macro actions (some turns, then a move) that follow them."""

from __future__ import annotations

import heapq
import math
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from pentathlon.worlds.houses.bodies.navigator import Action
from pentathlon.worlds.houses.tasks.goals import turning

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@njit(cache=True)
def distance_field(cost: Any, sources: Any) -> Any:
    """Returns each cell's distance from the nearest source, over the eight neighbours; entering a cell has its cost."""
    found = np.full(cost.shape, np.inf)
    heap = [(0.0, 0, 0)]
    heap.pop()
    for k in range(sources.shape[0]):
        found[sources[k, 0], sources[k, 1]] = 0.0
        heap.append((0.0, int(sources[k, 0]), int(sources[k, 1])))
    while heap:
        distance, row, column = heapq.heappop(heap)
        if distance > found[row, column]:
            continue
        for a in range(max(row - 1, 0), min(row + 2, cost.shape[0])):
            for b in range(max(column - 1, 0), min(column + 2, cost.shape[1])):
                length = math.sqrt(float((a - row) ** 2 + (b - column) ** 2))
                after = distance + length * cost[a, b]
                if after < found[a, b]:
                    found[a, b] = after
                    heapq.heappush(heap, (after, a, b))
    return found


def macro_plan(
    cost: Floats,
    left: Floats,
    place: tuple[float, float, float],
    step_cells: float,
    turn_rad: float,
    *,
    banned: bool = False,
    near: float = 1.0,
    deepest: int = 10,
    most: int = 400,
) -> Ints:
    """Plans macro actions by A*: every turn and every move costs one action, and more on dear cells.

    Args:
        cost: of the cells, infinite where closed.
        left: distance that is left from each cell, in cells.
        place: exact row, column and yaw of the agent.
        step_cells: length of a move.
        turn_rad: angle of a turn.
        banned: whether going straight ahead first is out of the question.
        near: the plan ends where less is left.
        deepest: the plan has at most so many macro actions.
        most: places that are looked at.

    Returns:
        The turns before each move, to the left where positive; empty where there is no way.
    """
    found: Ints = _search(cost, left, *place, step_cells, turn_rad, banned, near, deepest, most)
    return found


def actions_of(turns: Ints) -> list[Action]:
    """Returns the actions of a plan."""
    return [action for turn in turns for action in (*turning(int(turn)), "MoveAhead")]


@njit(cache=True)
def _search(
    cost: Any,
    left: Any,
    x: Any,
    y: Any,
    yaw: Any,
    step: Any,
    turn: Any,
    banned: Any,
    near: Any,
    deepest: Any,
    most: Any,
) -> Any:
    around = round(math.pi / turn)
    size = 2 * around * (most + 1)
    xs, ys, spent = np.zeros(size), np.zeros(size), np.zeros(size)
    headings, depths = np.zeros(size, np.int64), np.zeros(size, np.int64)
    parents, turns = np.zeros(size, np.int64), np.zeros(size, np.int64)
    xs[0], ys[0] = x, y
    closed = {(-1, -1, -1)}
    heap = [(0.0, 0)]
    count, looked = 1, 0
    while heap and looked < most:
        node = heapq.heappop(heap)[1]
        if node and (depths[node] == deepest or _left_at(left, xs[node], ys[node]) < near):
            return _backwards(node, parents, turns, depths)
        key = (round(2 * xs[node]), round(2 * ys[node]), headings[node] % (2 * around))
        if key in closed:
            continue
        closed.add(key)
        looked += 1
        for k in range(1 - around, around + 1):
            if node == 0 and k == 0 and banned:
                continue
            end_x, end_y, price = _ahead(cost, xs[node], ys[node], yaw + (headings[node] + k) * turn, step)
            rest = _left_at(left, end_x, end_y)
            if price + rest < np.inf:
                xs[count], ys[count], headings[count], turns[count] = end_x, end_y, headings[node] + k, k
                spent[count], depths[count], parents[count] = spent[node] + abs(k) + price, depths[node] + 1, node
                heapq.heappush(heap, (spent[count] + rest / step, count))
                count += 1
    return _backwards(heap[0][1] if heap else 0, parents, turns, depths)


@njit(cache=True)
def _backwards(node: Any, parents: Any, turns: Any, depths: Any) -> Any:
    found = np.zeros(depths[node], np.int64)
    for k in range(depths[node] - 1, -1, -1):
        found[k] = turns[node]
        node = parents[node]
    return found


@njit(cache=True)
def _ahead(cost: Any, x: Any, y: Any, yaw: Any, step: Any) -> Any:
    """Where a move ends, and the mean cost of the cells on it; the cell that is left does not count."""
    total = 0.0
    for k in range(1, 5):
        x_then, y_then = x + step * math.cos(yaw) * k / 4, y + step * math.sin(yaw) * k / 4
        row, column = round(x_then), round(y_then)
        inside = 0 <= row < cost.shape[0] and 0 <= column < cost.shape[1]
        total += cost[row, column] / 4 if inside else np.inf
    return x_then, y_then, total


@njit(cache=True)
def _left_at(left: Any, x: Any, y: Any) -> Any:
    """The distance that is left at an exact place, by way of the cells around it."""
    row, column, best = round(x), round(y), np.inf
    for a in range(max(row - 1, 0), min(row + 2, left.shape[0])):
        for b in range(max(column - 1, 0), min(column + 2, left.shape[1])):
            best = min(best, left[a, b] + math.hypot(a - x, b - y))
    return best


@njit(cache=True)
def first_beyond(distance: Any, goal: Any, gap: Any) -> Any:
    """Walks back from a goal by falling distance; returns the last cell more than ``gap`` from where that is zero.

    ``distance`` is the field around the agent, so the cell is the first on its way that lies more than ``gap`` away.
    """
    path = [(int(goal[0]), int(goal[1]))]
    row, column = path[0]
    while distance[row, column] > 0.0:
        best, next_row, next_column = distance[row, column], row, column
        for a in range(max(row - 1, 0), min(row + 2, distance.shape[0])):
            for b in range(max(column - 1, 0), min(column + 2, distance.shape[1])):
                if distance[a, b] < best:
                    best, next_row, next_column = distance[a, b], a, b
        if next_row == row and next_column == column:
            break
        row, column = next_row, next_column
        path.append((row, column))
    for k in range(len(path) - 1, -1, -1):
        if math.hypot(path[k][0] - row, path[k][1] - column) > gap:
            return path[k]
    return path[0]
