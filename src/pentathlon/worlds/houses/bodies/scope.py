"""What the arm agent can learn of a house: which things it can see, open and weigh from floor that is wide enough.

Nothing is guessed: the arm's plans are made from places where the agent can stand, doors and drawers are pulled open,
and rays go from the camera to the thing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentathlon.worlds.houses.bodies.arm import ArmAgent
from pentathlon.worlds.houses.bodies.arm_actions import ArmAction
from pentathlon.worlds.houses.bodies.arm_model import MAST_TOP_M, RADIUS_M, ROOT, SHOULDER_M
from pentathlon.worlds.houses.bodies.arm_motion import FIRST_HINGE, LIFT, REST, YAW, X, Y
from pentathlon.worlds.houses.bodies.arm_planner import ArmPlanner, Box, Place, Steps
from pentathlon.worlds.houses.graph.visibility import unblocked
from pentathlon.worlds.houses.scene.geometry import ObjectGeometry
from pentathlon.worlds.houses.ways.navigation import CELL_M, NavigationMap

Floats = NDArray[np.float64]
Spot = tuple[float, float]
Postures = Callable[[Place], list[Steps]]
"""What postures would do, standing somewhere."""
Reached = tuple[Place, bool, list[ArmAction]]
"""Where to stand, whether the arm is turned in on the way there, and the moves."""

# Folded with the hand straight down, the arm stays within 0.26 m; as it begins, the hand stands out by 0.47 m.
FOLDED = np.array([0.0, 0.0, 0.0, math.radians(15.0), 0.0, math.radians(75.0), 0.0])
# Turned to the left as well, it stays within the base, and the agent turns wherever it stands.
TURNED_IN_RAD = math.radians(90.0)
NEAR_M, FAR_M, LIKELIEST_M = 0.3, 1.05, 0.65
APART_M, MOST_STANDS, MOST_WAYS = 0.3, 12, 2
LOOKOUT_FAR_M, LOOKOUTS_APART_M, MOST_LOOKOUTS = 3.0, 0.3, 40
# A picture of 224 pixels and 83.6 degrees has so many pixels for each radian in its middle.
PX_PER_RAD = 112.0 / math.tan(math.radians(41.8))
MOST_RAYS_ACROSS = 12


class Scope:
    """What can be learned of a house that is as its file says.

    Args:
        agent: in the house; its state is lost.
        ways: where it can walk.
        inside: what closed thing each hidden thing lies in.
        least_px: so many pixels of a picture of 224 by 224 show a thing.
    """

    def __init__(self, agent: ArmAgent, ways: NavigationMap, inside: Mapping[str, str], least_px: int = 12) -> None:
        self._agent, self._motion = agent, agent.motion
        self._inside, self._least_px = inside, least_px
        self._arm = ArmPlanner(agent)
        self._scene = agent.scene.house_scene
        self._geometry = ObjectGeometry(self._scene)
        self._places = {item.id: place for place, item in enumerate(self._scene.house.objects)}
        self._floor_m = ways.points(np.argwhere(ways.regions == ways.main_region))
        self._opened: dict[str, tuple[bool, Floats]] = {}
        self._known: dict[tuple[str, str], bool] = {}

    @staticmethod
    def of_agent(agent: ArmAgent, inside: Mapping[str, str]) -> Scope:
        """Maps the floor of an agent's house, as its file describes it, first."""
        scene = agent.scene.house_scene
        ignored = frozenset({int(scene.model.body(ROOT).id)})
        ways = NavigationMap.of_scene(
            scene.house, scene.model, scene.new_data(), RADIUS_M + CELL_M / 2, MAST_TOP_M, ignored_bodies=ignored
        )
        return Scope(agent, ways, inside)

    def sees(self, thing: str) -> bool:
        """Tells whether a thing shows in a picture from some place, with what it lies in standing open."""
        return self._once("sees", thing, self._sees)

    def opens(self, thing: str) -> bool:
        """Tells whether every door and drawer of a thing can be pulled open."""
        self._enter(self._inside.get(thing, ""))
        return self._open_up(thing)[0]

    def weighs(self, thing: str) -> bool:
        """Tells whether the finger tips get to a thing, with what it lies in standing open."""
        return self._once("weighs", thing, self._weighs)

    def _once(self, what: str, thing: str, find: Callable[[str], bool]) -> bool:
        if (what, thing) not in self._known:
            self._known[what, thing] = find(thing)
        return self._known[what, thing]

    def _weighs(self, thing: str) -> bool:
        if self._scene.placed[thing].free_joint is None or not self._enter(self._inside.get(thing, "")):
            return False
        low, high = self._geometry.bounds_of(self._motion.data, self._places[thing])
        return (
            self._reached((low + high) / 2, partial(self._arm.goals, thing, Box(_point(low), _point(high)))) is not None
        )

    def _sees(self, thing: str) -> bool:
        self._enter(self._inside.get(thing, ""))
        data, place = self._motion.data, self._places[thing]
        low, high = self._geometry.bounds_of(data, place)
        middle = (low + high) / 2
        away_m = np.hypot(*(self._floor_m - middle[:2]).T)
        nearest = self._floor_m[np.argsort(away_m, kind="stable")[: int((away_m <= LOOKOUT_FAR_M).sum())]]
        eyes_m = self._agent.settings.camera_height_m
        return any(
            self._px(data, place, np.array([*spot, eyes_m]), low, high) >= self._least_px
            for spot in spread(nearest, LOOKOUTS_APART_M, MOST_LOOKOUTS)
        )

    def _px(self, data: Any, place: int, eye_m: Floats, low: Floats, high: Floats) -> float:
        """About how many pixels of a thing a camera sees that looks at it."""
        corners = np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])
        ahead = (low + high) / 2 - eye_m
        away_m = float(np.linalg.norm(ahead))
        ahead = ahead / away_m
        right = np.cross(ahead, [0.0, 0.0, 1.0])
        right /= max(float(np.linalg.norm(right)), 1e-9)
        up = np.cross(right, ahead)
        depth = np.maximum((corners - eye_m) @ ahead, 0.05)
        grids, px = [], 1.0
        for axis in (right, up):
            spots = (corners - eye_m) @ axis / depth
            size = float(np.ptp(spots)) * PX_PER_RAD
            count = int(np.clip(math.ceil(size), 1, MOST_RAYS_ACROSS))
            grids.append(float(spots.min()) + (np.arange(count) + 0.5) / count * float(np.ptp(spots)))
            px *= size / count
        across, along = (grid.ravel() for grid in np.meshgrid(*grids))
        rays = (ahead + across[:, None] * right + along[:, None] * up) * float(depth.max())
        return px * float(unblocked(self._scene, data, place, eye_m, rays, self._body).sum())

    @property
    def _body(self) -> int:
        return int(self._agent.scene.model.body(ROOT).id)

    def _enter(self, container: str) -> bool:
        """Puts the house back to its file, but for one thing that stands open; tells whether all of it could be."""
        if container:
            could, qpos = self._open_up(container)
        else:
            could, qpos = True, None
        self._motion.reset()
        if qpos is not None:
            self._motion.data.qpos[:] = qpos
        self._fold(self._motion.posture[X], self._motion.posture[Y], 0.0, inwards=False)
        return could

    def _open_up(self, container: str) -> tuple[bool, Floats]:
        """Opens all that can be opened of a thing, and of what that lies in."""
        if container not in self._opened:
            could = self._enter(self._inside.get(container, ""))
            for joint, name in self._scene.placed[container].joints.items():
                handle_m = self._motion.data.site(f"{name}/handle").xpos.copy()
                for goals in (self._arm.wide_handle_goals, self._arm.handle_goals):
                    if (found := self._reached(handle_m, partial(goals, container, joint))) is not None:
                        break
                could &= found is not None and self._pull(*found)
            self._opened[container] = could, self._motion.data.qpos.copy()
        return self._opened[container]

    def _pull(self, place: Place, inwards: bool, moves: list[ArmAction]) -> bool:
        self._fold(*place, inwards=inwards)
        return all(self._agent.act(move).ok for move in (*moves, "Open"))

    def _reached(self, point_m: Floats, postures: Postures) -> Reached | None:
        """Finds a place from which a posture can be gone to."""
        away_m = np.hypot(*(self._floor_m - point_m[:2]).T)
        near = self._floor_m[(away_m >= NEAR_M) & (away_m <= FAR_M)]
        ways = 0
        for spot in spread(likeliest_first(near, point_m), APART_M, MOST_STANDS):
            place = (*spot, heading_deg(spot, point_m, self._agent.settings.angle_deg))
            inwards = self._free_fold(place)
            goals = [] if inwards is None else postures(place)
            if not goals or inwards is None:
                continue
            moves = self._arm.way(goals, place)
            if moves is not None:
                return place, inwards, moves
            ways += 1
            if ways == MOST_WAYS:
                break
        return None

    def _free_fold(self, place: Place) -> bool | None:
        """How the arm must be folded to stand somewhere: straight, or turned in; ``None`` where it cannot."""
        for inwards in (False, True):
            self._fold(*place, inwards=inwards)
            if self._arm.is_free(*place):
                return inwards
        return None

    def _fold(self, x_m: float, y_m: float, yaw_deg: float, *, inwards: bool) -> None:
        posture = REST.copy()
        posture[[X, Y, YAW]] = x_m, y_m, math.radians(yaw_deg)
        posture[LIFT:] += FOLDED
        posture[FIRST_HINGE] += TURNED_IN_RAD if inwards else 0.0
        self._motion.put(posture)


def likeliest_first(spots_m: Floats, point_m: Sequence[float] | Floats) -> Floats:
    """Orders places by how well the arm reaches a point from so far away."""
    away_m = np.hypot(spots_m[:, 0] - point_m[0], spots_m[:, 1] - point_m[1])
    found: Floats = spots_m[np.argsort(np.abs(away_m - LIKELIEST_M), kind="stable")]
    return found


def spread(spots_m: Floats, apart_m: float, most: int, taken: Sequence[Spot] = ()) -> Iterator[Spot]:
    """Yields places in their order, none near to one before it or to one that is taken."""
    left = list(taken)
    for x_m, y_m in spots_m.tolist():
        if len(left) - len(taken) == most:
            return
        if all(math.hypot(x_m - x, y_m - y) >= apart_m for x, y in left):
            left.append((x_m, y_m))
            yield x_m, y_m


def heading_deg(spot: Spot, point_m: Floats, step_deg: float) -> float:
    """The heading, in steps of the agent's turns, that brings a point before its shoulder."""
    dx, dy = float(point_m[0]) - spot[0], float(point_m[1]) - spot[1]
    away_m = max(math.hypot(dx, dy), abs(SHOULDER_M[1]) + 1e-6)
    return step_deg * round(math.degrees(math.atan2(dy, dx) - math.asin(SHOULDER_M[1] / away_m)) / step_deg)


def _point(values: Floats) -> tuple[float, float, float]:
    x, y, z = (float(value) for value in values)
    return x, y, z
