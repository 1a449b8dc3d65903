"""Where to stand for a deed of the arm, by plans over what is really there: the nearest place from which one exists."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field

import numpy as np

from pentathlon.events.explore.agents.body import Body, Deed
from pentathlon.events.explore.agents.reaching import ARM_STEP_M, HINGE_RAD, HINGES, fold
from pentathlon.events.explore.agents.walking import SHOULDER_LEFT_M, turn_to
from pentathlon.worlds.houses.bodies.arm_actions import ArmAction
from pentathlon.worlds.houses.bodies.arm_planner import Place, Steps
from pentathlon.worlds.houses.bodies.plans import Plans
from pentathlon.worlds.houses.bodies.scope import FAR_M, NEAR_M, TURNED_IN_RAD, likeliest_first, spread
from pentathlon.worlds.houses.bodies.walk_planner import Spot

Postures = Callable[[Place | None], list[Steps]]
"""What postures would do, standing somewhere."""
Point = tuple[float, float, float]
DeedOfMoves = Generator[str, None, list[str] | None]
PlanOfMoves = Generator[str, None, list[ArmAction] | None]
APART_M = 0.2
# How far to go from where the agent is wedged, and how many free cells lie between two places that are tried.
LEAVE_M = (0.7, 1.5)
LEAVE_EACH = 40
CLEAR_M = 0.22
# Heights, in steps of the lift, at which an arm that is caught in something may be folded in.
FOLD_LIFTS = (0, 2, -2, 4, -4)
MOST_STANDS, MOST_LIKELY, MOST_WAYS, MOST_WALKS = 24, 16, 8, 4
_PAIRS = (*HINGES, ("RaiseArm", "LowerArm"))
OPPOSITE: dict[str, str] = {**dict(_PAIRS), **{second: first for first, second in _PAIRS}}


@dataclass
class Planned:
    """Walks and reaches by plans.

    Attributes:
        spent: places from which a deed was tried in vain, by what the deed is for.
    """

    body: Body
    plans: Plans
    spent: dict[object, list[Spot]] = field(default_factory=dict)
    _caught: bytes = b""

    def reach(self, purpose: object, point_m: Point, postures: Postures) -> DeedOfMoves:
        """Walks to where a plan exists and carries it out; returns the moves that were made, ``None`` for none."""
        for inwards in (False, True):
            self.body.turn_in(inwards)
            if not self.body.arm_away:
                yield from self.fold()
            moves = yield from self._reach((purpose, inwards), point_m, postures)
            if moves is not None:
                break
        self.body.turn_in(False)
        return moves

    def _reach(self, purpose: object, point_m: Point, postures: Postures) -> DeedOfMoves:
        spent = self.spent.setdefault(purpose, [])
        for _ in range(MOST_WALKS):
            spot = self._stand(point_m, postures, spent)
            if spot is None:
                return None
            there = yield from self.walk(spot)
            moves = (yield from self._turn_and_plan(point_m, postures)) if there else None
            if moves is not None:
                return (yield from self._carry_out(moves))
            spent.append(spot)
        return None

    def walk(self, spot: Spot) -> Deed:
        """Walks to a place, planning again where something is in the way after all."""
        for _ in range(MOST_WALKS):
            moves = self.plans.floor().way(spot)
            for change in (self._turn_in, self._lift_over):
                if moves is None and (yield from change()):
                    moves = self.plans.floor().way(spot)
            if moves is None:
                return False
            done = yield from self._carry_out(moves)
            if len(done) == len(moves):
                return True
            self.plans.forget()
        return False

    def leave(self) -> Deed:
        """Walks a little away from where the agent is, to the soonest reached place that a plan leads to."""
        x_m, y_m = self.body.pose.x_m, self.body.pose.y_m
        for spot in self.plans.floor().spots(x_m, y_m, *LEAVE_M)[::LEAVE_EACH][:MOST_WALKS].tolist():
            if (yield from self.walk((spot[0], spot[1]))):
                return True
        return False

    def fold(self) -> Deed:
        """Folds the arm in; where that does not go hinge by hinge, as out of a cupboard, by a plan."""
        if (yield from fold(self.body)):
            return True
        # The same search from the same posture is in vain again.
        where = np.round([*self.body.posture, self.body.pose.x_m, self.body.pose.y_m, self.body.yaw_deg], 2).tobytes()
        moves = None if where == self._caught else self.plans.arm.way(self._folded())
        if moves is None:
            self._caught = where
            return False
        yield from self._carry_out(moves)
        return self.body.arm_away

    def _folded(self) -> list[Steps]:
        """Folded postures, straight and turned in, in steps from the present one."""
        body = self.body
        assert body.rest is not None
        lift, straight, *hinges = (float(value) for value in body.rest - body.posture)
        straight += body.straight_rad - float(body.rest[1])
        home = [round(angle / HINGE_RAD) for angle in hinges]
        turns = [round((straight + turn) / HINGE_RAD) for turn in (0.0, TURNED_IN_RAD)]
        return [(round(lift / ARM_STEP_M) + more, turn, *home) for turn in turns for more in FOLD_LIFTS]

    def _turn_in(self) -> Deed:
        """Brings the arm within the base."""
        before = self.body.posture.copy()
        self.body.turn_in(True)
        yield from self.fold()
        return bool(abs(self.body.posture - before).max() > 0.1)

    def _lift_over(self) -> Deed:
        """Raises the arm above tables and backs of chairs, which it may be wedged between."""
        body = self.body
        assert body.rest is not None
        before_m = float(body.posture[0])
        while body.posture[0] < body.rest[0] + CLEAR_M:
            yield "RaiseArm"
            if not body.acted:
                break
        return bool(body.posture[0] > before_m)

    def undo(self, moves: list[str]) -> Deed:
        """Takes the moves back, the last one first."""
        for action in reversed(moves):
            yield OPPOSITE[action]
            if not self.body.acted:
                return False
        return True

    def _carry_out(self, moves: list[ArmAction]) -> Generator[str, None, list[str]]:
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
        arm = self.plans.arm
        return arm.way(postures(place), place) if arm.is_free(*place) else None

    def _stand(self, point_m: Point, postures: Postures, spent: list[Spot]) -> Spot | None:
        ways = 0
        for x_m, y_m in self._candidates(point_m, spent):
            place = (x_m, y_m, self._yaw_deg(x_m, y_m, point_m))
            goals = postures(place) if self.plans.arm.is_free(*place) else []
            if goals and self.plans.arm.way(goals, place) is not None:
                return x_m, y_m
            ways += bool(goals)
            if ways == MOST_WAYS:
                break
        return None

    def _candidates(self, point_m: Point, spent: list[Spot]) -> Iterator[Spot]:
        """Places around a point, none near to another or to one in vain: the soonest reached, then the likeliest."""
        spots = self.plans.floor().spots(point_m[0], point_m[1], NEAR_M, FAR_M)
        soonest = list(spread(spots, APART_M, MOST_STANDS, spent))
        yield from soonest
        yield from spread(likeliest_first(spots, point_m), APART_M, MOST_LIKELY, [*spent, *soonest])

    def _yaw_deg(self, x_m: float, y_m: float, point_m: Point) -> float:
        """The heading, of those that turns lead to, that brings a point before the shoulder."""
        dx, dy = point_m[0] - x_m, point_m[1] - y_m
        away_m = max(math.hypot(dx, dy), abs(SHOULDER_LEFT_M) + 1e-6)
        wanted_deg = math.degrees(math.atan2(dy, dx) - math.asin(SHOULDER_LEFT_M / away_m))
        step_deg = self.body.walk.body.turn_deg
        return self.body.yaw_deg + step_deg * round(math.remainder(wanted_deg - self.body.yaw_deg, 360.0) / step_deg)
