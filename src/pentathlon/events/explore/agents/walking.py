"""Ways of the arm agent over its own map, as deeds: to places around a point, to frontiers, and looks around."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from pentathlon.events.explore.agents.body import Body, Deed
from pentathlon.events.explore.agents.reaching import fold
from pentathlon.models.navigation.explorers import FrontierExplorer
from pentathlon.models.navigation.facing import distance_from

Cells = npt.NDArray[np.int64]
# The shoulder is so far to the right of the middle; what the arm reaches for is best straight before it.
SHOULDER_LEFT_M = -0.12
MOST_MOVES = 80
MOST_BUMPS = 5
LOOK_PITCH_DEG = 15.0
MOST_STUCK = 4


def unstick(body: Body, blocked: str) -> Deed:
    """Gets away from what blocks an action: back, on, round the other way, longer each time."""
    other = {"RotateLeft": "RotateRight", "RotateRight": "RotateLeft"}.get(blocked, "RotateLeft")
    body.stuck = min(body.stuck + 1, MOST_STUCK)
    body.walk.shut(*body.walk.floor.cell(body.pose.x_m, body.pose.y_m))
    if not body.arm_away:
        yield from fold(body)
    for turn in range(body.stuck):
        yield "MoveBack" if turn % 2 == 0 else "MoveAhead"
        if body.acted:
            return True
        yield other if body.random.random() < 0.7 else blocked
    return False


def tilt(body: Body, pitch_deg: float) -> Deed:
    """Looks up or down to a pitch."""
    step_deg = body.walk.body.look_deg
    while abs(body.pitch_deg - pitch_deg) > step_deg / 2:
        yield "LookDown" if pitch_deg > body.pitch_deg else "LookUp"
        if not body.acted:
            return False
    return True


def turn_to(body: Body, yaw_rad: float) -> Deed:
    """Turns to the heading nearest to one."""
    step = math.radians(body.walk.body.turn_deg)
    turns = round(math.remainder(yaw_rad - body.pose.yaw_rad, 2 * math.pi) / step)
    for _ in range(abs(turns)):
        action = "RotateLeft" if turns > 0 else "RotateRight"
        yield action
        if not body.acted:
            yield from unstick(body, action)
            return False
    return True


def face(body: Body, point_m: tuple[float, float, float], left_m: float = 0.0) -> Deed:
    """Turns so that a point lies ahead, off to the left by so much."""
    dx, dy = point_m[0] - body.pose.x_m, point_m[1] - body.pose.y_m
    away_m = max(math.hypot(dx, dy), abs(left_m) + 1e-6)
    return (yield from turn_to(body, math.atan2(dy, dx) - math.asin(left_m / away_m)))


def look_around(body: Body) -> Deed:
    """Turns once round."""
    for action in body.walk.body.spin:
        yield action
        if not body.acted:
            yield from unstick(body, action)
            return False
    return True


def go_to(body: Body, goals: Callable[[], Cells]) -> Deed:
    """Walks to the nearest of some cells of the chart, which are asked for again at every move."""
    bumps = 0
    for _ in range(MOST_MOVES):
        chart = body.chart()
        cells = goals()
        if not len(cells):
            return False
        if (cells == np.array(chart.here)).all(axis=1).any():
            body.stuck = 0
            return True
        actions = body.walk.towards(chart, cells)
        if not actions:
            return False
        for action in actions:
            yield action
            if not body.acted:
                bumps += 1
                if action != "MoveAhead":
                    yield from unstick(body, action)
                break
        if bumps > MOST_BUMPS:
            return False
    return False


def places_around(body: Body, point_m: tuple[float, float, float], near_m: float, far_m: float) -> Cells:
    """Cells that can be walked to, between two distances of a point."""
    chart = body.chart()
    row, column = body.walk.floor.cell(point_m[0], point_m[1])
    target = np.array([[row - chart.origin.row, column - chart.origin.column]])
    target = np.clip(target, 0, np.array(chart.state.shape) - 1)
    gap_m = distance_from(target, chart.state.shape) * body.walk.floor.cell_m
    good = (gap_m >= near_m) & (gap_m <= far_m) & np.isfinite(chart.distance)
    best = good & chart.open
    cells = np.argwhere(best if best.any() else good)
    return cells


def to_frontier(body: Body, explorer: FrontierExplorer) -> Deed:
    """Walks towards the next frontier by one macro action; false where none is left."""
    chart = body.chart()
    goal = explorer.next_goal(body.walk, chart)
    if goal is None:
        return False
    actions = body.walk.towards(chart, goal[None])
    if not actions:
        # No way leads there: it counts as visited, and the next one's turn comes.
        body.walk.visited[goal[0] + chart.origin.row, goal[1] + chart.origin.column] = True
        yield "RotateLeft"
        return True
    for action in actions:
        yield action
        if not body.acted:
            if action != "MoveAhead":
                yield from unstick(body, action)
            break
    return True
