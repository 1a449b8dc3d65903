"""Plans of the arm agent's steps and turns over the floor, by what is really there."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from pentathlon.worlds.houses.bodies.arm import ArmAgent
from pentathlon.worlds.houses.bodies.arm_actions import ArmAction
from pentathlon.worlds.houses.bodies.arm_model import MAST_TOP_M, RADIUS_M, ROOT
from pentathlon.worlds.houses.bodies.arm_motion import LIFT, YAW, Depths, X, Y
from pentathlon.worlds.houses.ways.navigation import CELL_M, NavigationMap

Floats = NDArray[np.float64]
Spot = tuple[float, float]
WITHIN_M = 0.09
# Above its base, which goes under table tops, the agent is slim. Where there is no wide way, the map hopes for a narrow
# one: each step is checked anyway.
SLIM_M = 0.12
# The base's underside, which clears what is lower; a racket on the floor is in its way.
UNDERSIDE_M = 0.02
# What a narrow way is worth in metres of a wide one.
NARROW_M = 20.0
# With so much room around its middle the agent touches nothing, however it is turned.
ROOMY_M = 0.36
KEY_M = 0.08
# A search that weighs what is left little finds short ways, but no long ones; a greedier one comes after it.
ROUNDS = ((1.4, 800), (3.0, 4000))
CHECK_M, CHECK_DEG = 0.05, 5.0
STEPS: dict[ArmAction, float] = {"MoveAhead": 1.0, "MoveBack": -1.0}
MOST_TURNS_BACK = 4


class Standing(NamedTuple):
    """Where the agent is in a plan: x and y, and how many turns from the heading it has now."""

    x_m: float
    y_m: float
    turns: int

    @property
    def key(self) -> tuple[int, int, int]:
        """The same for places that are nearly the same."""
        return round(self.x_m / KEY_M), round(self.y_m / KEY_M), self.turns


Moves = tuple[ArmAction, ...]
Origin = tuple[Standing, Moves]
"""Where a way comes from, and the moves from there."""


class _Edge(NamedTuple):
    most: float
    tick: int
    cost: int
    there: Standing
    origin: Origin | None


class _Floor:
    """A map, and distances on it that every place has: the nearest free cell's, and the way to that."""

    def __init__(self, ways: NavigationMap) -> None:
        self.map = ways
        self._away, self._places = ndimage.distance_transform_edt(~ways.free, return_indices=True)

    def field(self, spots: Sequence[Spot]) -> Floats:
        """Every cell's walking distance to the nearest of some places; infinite where there is no way."""
        free = [near for spot in spots if (near := self.map.nearest_free(*spot)) is not None]
        return self.map.distances_to(free) if free else np.full(self.map.free.shape, np.inf)

    def one(self, field: Floats, x_m: float, y_m: float) -> float:
        """A field's value at a place; infinite off the map."""
        cell = self.map.cell(x_m, y_m)
        if cell is None:
            return math.inf
        return float(field[tuple(self._places[:, cell[0], cell[1]])]) + float(self._away[cell]) * CELL_M

    def at(self, field: Floats, points_m: Floats) -> Floats:
        """A field's values at places ``[N, 2]`` of the map."""
        cells = self._cells(points_m)
        found: Floats = field[tuple(self._places[:, cells[0], cells[1]])] + self._away[cells] * CELL_M
        return found

    def regions_of(self, points_m: Floats) -> NDArray[np.int32]:
        """The region of the free cell nearest to each place."""
        cells = self._cells(points_m)
        found: NDArray[np.int32] = self.map.regions[tuple(self._places[:, cells[0], cells[1]])]
        return found

    def _cells(self, points_m: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        first = np.array([self.map.x0_m, self.map.y0_m])
        cells = np.rint((np.reshape(points_m, (-1, 2)) - first) / CELL_M).astype(np.int64)
        rows, columns = np.clip(cells, 0, np.array(self.map.free.shape) - 1).T
        return rows, columns


def slim_map(agent: ArmAgent, data: Any) -> NavigationMap:
    """Maps the floor in some state of the house, for as much of the agent as is above its base."""
    house, model = agent.scene.house_scene.house, agent.scene.model
    ignored = frozenset({int(model.body(ROOT).id)})
    return NavigationMap.of_scene(house, model, data, SLIM_M, MAST_TOP_M, ignored, UNDERSIDE_M)


class WalkPlanner:
    """Plans through a house as it is when this is made."""

    def __init__(self, agent: ArmAgent) -> None:
        self._agent, self._motion = agent, agent.motion
        slim = slim_map(agent, agent.motion.data)
        self._ways, self._wide = _Floor(slim), _Floor(replace(slim, radius_m=RADIUS_M))
        self._cut_off: set[int] = set()
        self._parted: set[tuple[int, int, bytes]] = set()
        self._free: dict[tuple[Standing, Standing], bool] = {}
        self._free_as = b""

    @property
    def map(self) -> NavigationMap:
        """The floor that is planned over, for as much of the agent as is above its base."""
        return self._ways.map

    @property
    def wide(self) -> NavigationMap:
        """The floor on which its base has room."""
        return self._wide.map

    def spots(self, x_m: float, y_m: float, near_m: float, far_m: float) -> Floats:
        """Free places ``[N, 2]`` between two distances of a point, the soonest reached first."""
        ways = self._ways.map
        points = ways.points(np.argwhere(ways.free))
        away_m = np.hypot(points[:, 0] - x_m, points[:, 1] - y_m)
        points = points[(away_m >= near_m) & (away_m <= far_m)]
        points = points[~np.isin(self._wide.regions_of(points), list(self._cut_off))]
        here = [self._agent.pose[:2]]
        wide_m, slim_m = (floor.at(floor.field(here), points) for floor in (self._wide, self._ways))
        way_m = np.where(np.isfinite(slim_m), np.minimum(wide_m, slim_m + NARROW_M), np.inf)
        order = np.argsort(way_m, kind="stable")
        found: Floats = points[order[: int(np.isfinite(way_m).sum())]]
        return found

    def way(self, spot: Spot) -> list[ArmAction] | None:
        """Returns moves to a place, by the arm as it is held; ``None`` where none was found."""
        here, there = (int(region) for region in self._wide.regions_of(np.array([self._agent.pose[:2], spot])))
        # What parts two regions lets the same arm through from nowhere in them.
        pair = here, there, np.round(self._motion.posture[LIFT:], 2).tobytes() + self._held
        if pair in self._parted or not self._is_joined(spot):
            return None
        rounds = [(self._wide, *effort) for effort in ROUNDS] + [(self._ways, *ROUNDS[-1])]
        found = next((moves for each in rounds if (moves := self._search(*each, spot)) is not None), None)
        if found is None and here != there:
            self._parted.add(pair)
            sizes = np.bincount(self._wide.map.regions.ravel())
            if sizes[there] < sizes[here]:
                self._cut_off.add(there)
        return found

    def _is_joined(self, spot: Spot) -> bool:
        """Tells whether the slim part of the agent could get to where a place counts as reached."""
        ways = self._ways.map
        around = ways.free & (np.hypot(*(ways.points(np.indices(ways.free.shape).T) - spot).T) <= WITHIN_M + CELL_M)
        return int(self._ways.regions_of(np.array([self._agent.pose[:2]]))[0]) in ways.regions[around]

    def _search(self, floor: _Floor, weight: float, most: int, spot: Spot) -> list[ArmAction] | None:
        field, before = floor.field([spot]), self._motion.depths()
        self._remember()
        x_m, y_m, _ = self._agent.pose
        came: dict[tuple[int, int, int], Origin | None] = {}
        left = [_Edge(0.0, 0, 0, Standing(x_m, y_m, 0), None)]
        for tick in range(1, most):
            if not left:
                return None
            edge = heapq.heappop(left)
            here = edge.there
            if here.key in came or (edge.origin and not self._is_free_way(*edge.origin, here, before)):
                continue
            came[here.key] = edge.origin
            if math.hypot(here.x_m - spot[0], here.y_m - spot[1]) <= WITHIN_M:
                return _unwound(came, here)
            for moves, there in self._steps(here):
                hope = weight * floor.one(field, there.x_m, there.y_m) / self._agent.settings.step_m
                if math.isfinite(hope) and there.key not in came:
                    cost = edge.cost + len(moves)
                    heapq.heappush(left, _Edge(cost + hope, -tick, cost, there, (here, moves)))
        return None

    def _steps(self, here: Standing) -> Iterator[tuple[Moves, Standing]]:
        """Where turns and one step lead to: turns alone bring nobody nearer, and to search them singly takes long."""
        settings, heading_deg = self._agent.settings, self._agent.pose[2]
        around = round(360.0 / settings.angle_deg)
        for turn in range(-around // 2 + 1, around // 2 + 1):
            turns = (here.turns + turn) % around
            yaw = math.radians(heading_deg + turns * settings.angle_deg)
            for action, length_m in STEPS.items():
                if action == "MoveBack" and abs(turn) > MOST_TURNS_BACK:
                    continue
                dx, dy = (length_m * settings.step_m * part for part in (math.cos(yaw), math.sin(yaw)))
                moves: Moves = (*_turned(turn), action)
                yield moves, Standing(here.x_m + dx, here.y_m + dy, turns)

    def _is_free_way(self, start: Standing, moves: Moves, end: Standing, before: Depths) -> bool:
        """Tells whether the agent can turn, turn by turn, and then step."""
        around = round(360.0 / self._agent.settings.angle_deg)
        here = start
        for action in moves[:-1]:
            there = here._replace(turns=(here.turns + (1 if action == "RotateLeft" else -1)) % around)
            if not self._is_free_step(here, there, before):
                return False
            here = there
        return self._is_free_step(here, end, before)

    @property
    def _held(self) -> bytes:
        grip = self._motion.grip
        return b"" if grip is None else grip.object_id.encode()

    def _remember(self) -> None:
        """Keeps what was found out about turns and steps for as long as nothing in the house moves."""
        now = self._motion.data.qpos.tobytes() + self._held
        if now != self._free_as:
            self._free, self._free_as = {}, now

    def _is_free_step(self, start: Standing, end: Standing, before: Depths) -> bool:
        """Tells whether a turn or a step is free; ways, and rounds of a search, have most of them in common."""
        found = self._free.get((start, end))
        if found is None:
            found = self._free[start, end] = self._touches_nothing(start, end, before)
        return found

    def _touches_nothing(self, start: Standing, end: Standing, before: Depths) -> bool:
        ways = self._ways.map
        cells = [ways.cell(place.x_m, place.y_m) for place in (start, end)]
        if all(cell is not None and ways.clearance_m[cell] >= ROOMY_M for cell in cells):
            return True
        angle_deg = self._agent.settings.angle_deg
        turned = math.remainder((end.turns - start.turns) * angle_deg, 360.0)
        checks = math.ceil(max(math.hypot(end.x_m - start.x_m, end.y_m - start.y_m) / CHECK_M, abs(turned) / CHECK_DEG))
        posture = self._motion.posture
        yaw = float(posture[YAW]) + math.radians(start.turns * angle_deg)
        for check in range(1, checks + 1):
            share = check / checks
            posture[X] = start.x_m + (end.x_m - start.x_m) * share
            posture[Y] = start.y_m + (end.y_m - start.y_m) * share
            posture[YAW] = yaw + math.radians(turned) * share
            if self._motion.overlap(posture, before) is not None:
                return False
        return True


def _unwound(came: dict[tuple[int, int, int], Origin | None], here: Standing) -> list[ArmAction]:
    actions: list[ArmAction] = []
    while (origin := came[here.key]) is not None:
        here, moves = origin
        actions += moves[::-1]
    return actions[::-1]


def _turned(turn: int) -> Moves:
    action: ArmAction = "RotateLeft" if turn > 0 else "RotateRight"
    return (action,) * abs(turn)
