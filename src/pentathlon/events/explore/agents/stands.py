"""Where to stand for a deed of the arm, by plans over what is really there: the nearest place from which one exists."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from pentathlon.events.explore.agents.body import Body, Deed
from pentathlon.events.explore.agents.walking import SHOULDER_LEFT_M, Cells, go_to, places_around, turn_to
from pentathlon.worlds.houses.bodies.arm_actions import ArmAction
from pentathlon.worlds.houses.bodies.arm_planner import ArmPlanner, Place, Steps

Postures = Callable[[Place | None], list[Steps]]
"""What postures would do, standing somewhere."""
Point = tuple[float, float, float]
DeedOfMoves = Generator[str, None, list[str] | None]
PlanOfMoves = Generator[str, None, list[ArmAction] | None]
NEAR_M, FAR_M = 0.3, 1.05
APART_M = 0.2
MOST_STANDS, MOST_WAYS, MOST_WALKS = 24, 5, 3
OPPOSITE: dict[str, str] = {
    **{f"{joint}{a}": f"{joint}{b}" for joint in ("Shoulder", "Elbow", "Wrist") for a, b in (("Up", "Down"), ("Down", "Up"))},
    **{f"{joint}{a}": f"{joint}{b}" for joint in ("Shoulder", "Forearm", "Wrist") for a, b in (("Left", "Right"), ("Right", "Left"))},
    "RaiseArm": "LowerArm",
    "LowerArm": "RaiseArm",
}  # fmt: skip


@dataclass
class Planned:
    """Reaches by plans.

    Attributes:
        spent: cells of the map from which a deed was tried in vain, by what the deed is for.
    """

    body: Body
    planner: ArmPlanner
    spent: dict[object, set[tuple[int, int]]] = field(default_factory=dict)

    def reach(self, purpose: object, point_m: Point, postures: Postures) -> DeedOfMoves:
        """Walks to where a plan exists and carries it out; returns the moves that were made, ``None`` for none."""
        spent = self.spent.setdefault(purpose, set())
        for _ in range(MOST_WALKS):
            cell = self._stand(point_m, postures, spent)
            if cell is None:
                return None
            spent.add(cell)
            there = yield from go_to(self.body, partial(self._on_chart, np.array(cell)))
            moves = (yield from self._turn_and_plan(point_m, postures)) if there else None
            if moves is not None:
                spent.discard(cell)
                return (yield from self._carry_out(moves))
        return None

    def undo(self, moves: list[str]) -> Deed:
        """Takes the moves back, the last one first."""
        for action in reversed(moves):
            yield OPPOSITE[action]
            if not self.body.acted:
                return False
        return True

    def _carry_out(self, moves: list[ArmAction]) -> DeedOfMoves:
        done: list[str] = []
        for action in moves:
            yield action
            if not self.body.acted:
                break
            done.append(action)
        return done

    def _turn_and_plan(self, point_m: Point, postures: Postures) -> PlanOfMoves:
        body = self.body
        ahead_deg = self._yaw_deg(body.pose.x_m, body.pose.y_m, point_m)
        for off in (0, 1, -1, 2, -2):
            place = (body.pose.x_m, body.pose.y_m, ahead_deg + off * body.walk.body.turn_deg)
            moves = self._plan(postures, place)
            if moves is not None and (yield from turn_to(body, math.radians(place[2]))):
                return moves
        return None

    def _plan(self, postures: Postures, place: Place) -> list[ArmAction] | None:
        return self.planner.way(postures(place), place) if self.planner.is_free(*place) else None

    def _stand(self, point_m: Point, postures: Postures, spent: set[tuple[int, int]]) -> tuple[int, int] | None:
        ways = 0
        for cell, place in self._candidates(point_m, spent):
            goals = postures(place) if self.planner.is_free(*place) else []
            if goals and self.planner.way(goals, place) is not None:
                return cell
            ways += bool(goals)
            if ways == MOST_WAYS:
                break
        return None

    def _candidates(self, point_m: Point, spent: set[tuple[int, int]]) -> Iterator[tuple[tuple[int, int], Place]]:
        """Cells around a point, none near to another or to one in vain, the soonest reached first."""
        chart, floor = self.body.chart(), self.body.walk.floor
        cells = places_around(self.body, point_m, NEAR_M, FAR_M, tight=True)
        cells = cells[np.argsort(chart.distance[tuple(cells.T)], kind="stable")]
        taken = [np.array(cell) for cell in spent]
        for cell in cells + np.array(chart.origin):
            if len(taken) - len(spent) == MOST_STANDS:
                return
            if all(np.hypot(*(cell - other)) * floor.cell_m >= APART_M for other in taken):
                taken.append(cell)
                x_m, y_m = ((cell - floor.half) * floor.cell_m).tolist()
                yield (int(cell[0]), int(cell[1])), (x_m, y_m, self._yaw_deg(x_m, y_m, point_m))

    def _yaw_deg(self, x_m: float, y_m: float, point_m: Point) -> float:
        """The heading, of those that turns lead to, that brings a point before the shoulder."""
        dx, dy = point_m[0] - x_m, point_m[1] - y_m
        away_m = max(math.hypot(dx, dy), abs(SHOULDER_LEFT_M) + 1e-6)
        wanted_deg = math.degrees(math.atan2(dy, dx) - math.asin(SHOULDER_LEFT_M / away_m))
        step_deg = self.body.walk.body.turn_deg
        return self.body.yaw_deg + step_deg * round(math.remainder(wanted_deg - self.body.yaw_deg, 360.0) / step_deg)

    def _on_chart(self, cell: Cells) -> Cells:
        found: Cells = (cell - np.array(self.body.chart().origin))[None]
        return found
