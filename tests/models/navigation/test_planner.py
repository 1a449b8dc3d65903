"""Distances and macro actions on charts drawn by hand."""

import math

import numpy as np
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra

from pentathlon.models.navigation.planner import actions_of, distance_field, first_beyond, macro_plan

TURN = math.radians(30)


def chart_of(*lines: str) -> np.ndarray:
    return np.array([[{"#": math.inf, ".": 1.0, "o": 8.0}[character] for character in line] for line in lines])


def slow_distances(cost: np.ndarray, source: tuple[int, int]) -> np.ndarray:
    """The same by scipy, over a graph written out edge by edge."""
    rows, columns = cost.shape
    edges = [
        (a * columns + b, (a + da) * columns + b + db, math.hypot(da, db) * cost[a + da, b + db])
        for a in range(rows)
        for b in range(columns)
        for da in (-1, 0, 1)
        for db in (-1, 0, 1)
        if (da or db) and 0 <= a + da < rows and 0 <= b + db < columns and cost[a + da, b + db] < math.inf
    ]
    start, end, weight = zip(*edges, strict=True)
    graph = coo_array((weight, (start, end)), (cost.size, cost.size)).tocsr()
    return dijkstra(graph, indices=source[0] * columns + source[1]).reshape(cost.shape)


def test_distances_agree_with_a_graph_search() -> None:
    random = np.random.default_rng(3)
    cost = random.choice([1.0, 8.0, math.inf], (15, 18), p=[0.6, 0.2, 0.2])
    cost[7, 7] = 1.0
    assert distance_field(cost, np.array([[7, 7]])) == pytest.approx(slow_distances(cost, (7, 7)))


def test_of_several_sources_the_nearest_counts() -> None:
    field = distance_field(np.ones((1, 9)), np.array([[0, 0], [0, 8]]))
    assert field[0].tolist() == [0, 1, 2, 3, 4, 3, 2, 1, 0]


def plan(cost: np.ndarray, start: tuple[float, float, float], goal: tuple[int, int], banned: bool = False) -> list[str]:
    left = distance_field(cost, np.array([goal]))
    return list(actions_of(macro_plan(cost, left, start, 2.0, TURN, banned=banned)))


def test_straight_ahead_needs_no_turn() -> None:
    assert plan(np.ones((21, 21)), (2.0, 10.0, 0.0), (10, 10)) == ["MoveAhead"] * 4


def test_what_lies_to_the_left_is_turned_to() -> None:
    actions = plan(np.ones((21, 21)), (10.0, 4.0, 0.0), (10, 12))
    assert actions == ["RotateLeft"] * 3 + ["MoveAhead"] * 4


def test_what_lies_behind_is_turned_to_and_walked_to_without_a_circle() -> None:
    actions = plan(np.ones((41, 41)), (30.0, 20.0, 0.0), (20, 20))
    assert actions == ["RotateLeft"] * 6 + ["MoveAhead"] * 5


def test_a_wall_is_walked_around() -> None:
    cost = chart_of("..........", ".########.", ".########.", "..........", "..........")
    actions = plan(cost, (4.0, 1.0, math.pi / 2), (0, 5))
    assert actions.count("MoveAhead") > 2
    assert not set(plan(chart_of(".#.", ".#.", ".#."), (1.0, 0.0, 0.0), (1, 2)))


def test_a_banned_move_is_not_the_first() -> None:
    assert plan(np.ones((21, 21)), (2.0, 10.0, 0.0), (10, 10), banned=True)[0] != "MoveAhead"


def test_dear_cells_are_avoided_where_there_is_a_way_around() -> None:
    cost = np.ones((30, 30))
    cost[10:20, 12:18] = 8.0
    left = distance_field(cost, np.array([[28, 15]]))
    x, y, yaw = 2.0, 15.0, 0.0
    visited = []
    for _ in range(12):
        turns = macro_plan(cost, left, (x, y, yaw), 2.0, TURN)[:1]
        yaw += TURN * float(turns[0])
        x, y = x + 2 * math.cos(yaw), y + 2 * math.sin(yaw)
        visited.append(cost[round(x), round(y)])
    assert max(visited) == 1.0


def test_the_waypoint_is_the_first_cell_of_the_way_beyond_the_gap() -> None:
    field = distance_field(chart_of("......", ".####.", "......"), np.array([[0, 0]]))
    assert first_beyond(field, np.array([2, 5]), 3.5) == (0, 4)
    assert first_beyond(field, np.array([0, 2]), 3.5) == (0, 2)
