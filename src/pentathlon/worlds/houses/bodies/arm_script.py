"""Scripted behaviour of the arm agent, by its own discrete actions: reach for an object, and lift it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentathlon.core.errors import UsageError
from pentathlon.worlds.houses.bodies.arm import ArmAgent
from pentathlon.worlds.houses.bodies.arm_actions import FORCE_STEP_KGF, ArmAction
from pentathlon.worlds.houses.bodies.arm_model import MAST_TOP_M, RADIUS_M, ROOT, SHOULDER_M
from pentathlon.worlds.houses.bodies.arm_touch import grasp_target, mass_kg, nearest_handle
from pentathlon.worlds.houses.scene.geometry import ObjectGeometry
from pentathlon.worlds.houses.ways.navigation import CELL_M, NavigationMap

Floats = NDArray[np.float64]
ABOVE_M = 0.14
DISTANCES_M = (0.72, 0.60, 0.85)
SPREAD_DEG = 30.0
MOST_ACTIONS = 80
LIFTED_M = 0.03
RISE_STEPS, RISE_TRIES = 2, 8
RISES: tuple[ArmAction, ...] = ("RaiseArm", "GripperUp", "ShoulderUp")
RETREATS: tuple[ArmAction, ...] = ("GripperBack", "MoveBack")
HAND_PITCHES: tuple[tuple[ArmAction, ...], ...] = (("WristDown",) * 3, ("WristDown",) * 5, ())


def lifts(agent: ArmAgent, object_id: str, force_kgf: float) -> bool:
    """Grasps what the finger tips are at and raises them; tells whether the object came along."""
    body = agent.scene.house_scene.body_id(object_id)
    before_m = float(agent.motion.data.xpos[body][2])
    agent.act("Grasp", force_kgf)
    risen = 0
    for _ in range(RISE_TRIES):
        # Under a shelf, the way up begins with a way out.
        if any(agent.act(action).ok for action in RISES):
            risen += 1
        else:
            any(agent.act(action).ok for action in RETREATS)
        if risen == RISE_STEPS:
            break
    agent.motion.wait(0.2)
    return float(agent.motion.data.xpos[body][2]) - before_m > LIFTED_M


def least_force_kgf(agent: ArmAgent, object_id: str) -> float:
    """Returns the smallest grasp force, in steps, that lifts an object."""
    return math.ceil(mass_kg(agent.scene, object_id) / FORCE_STEP_KGF - 1e-9) * FORCE_STEP_KGF


def stand_and_reach(agent: ArmAgent, object_id: str) -> bool:
    """Puts the agent down beside an object and brings its finger tips there; tells whether it could."""
    low, high = _box(agent, object_id, agent.scene.house_scene.new_data())
    return any(
        stands_at(agent, place, pitch) and reach_for(agent, object_id)
        for place in standing_places(agent, (low + high) / 2)
        for pitch in HAND_PITCHES
    )


def stand_and_reach_handle(agent: ArmAgent, thing_id: str, joint: str) -> bool:
    """Puts the agent down before a door or drawer and brings its finger tips to the handle; tells whether it could."""
    handle_m = agent.scene.house_scene.new_data().site(f"{_model_joint(agent, thing_id, joint)}/handle").xpos.copy()
    return any(
        stands_at(agent, place, pitch) and reach_handle(agent, thing_id, joint)
        for place in standing_places(agent, handle_m)
        for pitch in HAND_PITCHES
    )


def reach_handle(agent: ArmAgent, thing_id: str, joint: str) -> bool:
    """Moves the finger tips to a handle by the agent's actions; tells whether they got there."""
    model_joint = _model_joint(agent, thing_id, joint)

    def arrived() -> bool:
        found = nearest_handle(agent.scene, agent.motion.data, agent.settings.handle_reach_m)
        return found is not None and found.model_joint == model_joint

    return _approach(agent, agent.motion.data.site(f"{model_joint}/handle").xpos.copy(), arrived)


def standing_places(agent: ArmAgent, point_m: Floats, most: int = 6) -> Iterator[tuple[float, float, float]]:
    """Yields free places (x, y, yaw in degrees) around a point from where the shoulder points at it."""
    house, model = agent.scene.house_scene, agent.scene.model
    ignored = frozenset({int(model.body(ROOT).id)})
    ways = NavigationMap.of_scene(
        house.house, model, house.new_data(), RADIUS_M + CELL_M / 2, MAST_TOP_M, ignored_bodies=ignored
    )
    found = 0
    for distance_m in DISTANCES_M:
        for yaw_deg in np.arange(0.0, 360.0, SPREAD_DEG):
            yaw = math.radians(yaw_deg)
            # The shoulder is off the middle; the place is moved the other way.
            side_m = SHOULDER_M[1]
            x = float(point_m[0]) - distance_m * math.cos(yaw) + side_m * math.sin(yaw)
            y = float(point_m[1]) - distance_m * math.sin(yaw) - side_m * math.cos(yaw)
            if ways.is_free(x, y):
                yield x, y, float(yaw_deg)
                found += 1
            if found == most:
                return


def reach_for(agent: ArmAgent, object_id: str) -> bool:
    """Moves the finger tips over an object and down to it by the agent's actions; tells whether they got there."""
    low, high = _box(agent, object_id, agent.motion.data)
    middle = (low + high) / 2
    above = np.array([middle[0], middle[1], high[2] + ABOVE_M])
    at = np.array([middle[0], middle[1], max(low[2] + 0.02, high[2] - 0.03)])

    def arrived() -> bool:
        return grasp_target(agent.scene, agent.motion.data, agent.settings.grasp_reach_m) == object_id

    return _approach(agent, above, arrived) or _approach(agent, at, arrived)


class Reaching:
    """What `reach_for` does, action by action: over the object, down to it, then Grasp.

    Args:
        agent: who reaches, already beside the object.
        object_id: what for.
    """

    def __init__(self, agent: ArmAgent, object_id: str) -> None:
        low, high = _box(agent, object_id, agent.motion.data)
        middle = (low + high) / 2
        heights_m = high[2] + ABOVE_M, max(low[2] + 0.02, high[2] - 0.03)
        self._agent, self._object = agent, object_id
        self._goals_m = [np.array([middle[0], middle[1], height_m]) for height_m in heights_m]
        self._refused: set[ArmAction] = set()

    def next_action(self) -> ArmAction | None:
        """Returns the next action, Grasp where the finger tips have arrived; none where nothing helps any more."""
        agent = self._agent
        if grasp_target(agent.scene, agent.motion.data, agent.settings.grasp_reach_m) == self._object:
            return "Grasp"
        while self._goals_m:
            for action in _helpful(agent, self._goals_m[0]):
                if action not in self._refused:
                    return action
            del self._goals_m[0]
            self._refused.clear()
        return None

    def heed(self, action: ArmAction, *, ok: bool) -> None:
        """Takes note of how an action went, which one that was refused is not tried again at once."""
        if ok:
            self._refused.clear()
        else:
            self._refused.add(action)


def _model_joint(agent: ArmAgent, thing_id: str, joint: str) -> str:
    house = agent.scene.house_scene
    return (house.placed.get(thing_id) or house.leaves[thing_id]).joints[joint]


def stands_at(agent: ArmAgent, place: tuple[float, float, float], first: tuple[ArmAction, ...]) -> bool:
    """Puts the agent at a place and lets it act; ``False`` where it does not fit."""
    try:
        agent.place(*place)
    except UsageError:
        return False
    for action in first:
        agent.act(action)
    return True


def _approach(agent: ArmAgent, goal_m: Floats, arrived: Callable[[], bool]) -> bool:
    """Takes the action that shortens the largest gap, until the finger tips have arrived or nothing helps."""
    refused: set[ArmAction] = set()
    for _ in range(MOST_ACTIONS):
        if arrived():
            return True
        options = [action for action in _helpful(agent, goal_m) if action not in refused]
        if not options:
            return False
        if agent.act(options[0]).ok:
            refused.clear()
        else:
            refused.add(options[0])
    return False


def _helpful(agent: ArmAgent, goal_m: Floats) -> list[ArmAction]:
    """The actions that bring the finger tips nearer to a point, the largest gap first."""
    gap = goal_m - agent.motion.grasp_point_m
    yaw = math.radians(agent.pose[2])
    ahead, left = gap[0] * math.cos(yaw) + gap[1] * math.sin(yaw), gap[1] * math.cos(yaw) - gap[0] * math.sin(yaw)
    rows: list[tuple[float, tuple[ArmAction, ...], tuple[ArmAction, ...]]] = [
        (ahead, ("GripperAhead",), ("GripperBack",)),
        (left, ("GripperLeft", "ShoulderLeft"), ("GripperRight", "ShoulderRight")),
        (gap[2], ("RaiseArm", "GripperUp"), ("LowerArm", "GripperDown")),
    ]
    half_step = agent.settings.arm_step_m / 2
    rows = sorted((row for row in rows if abs(row[0]) > half_step), key=lambda row: -abs(row[0]))
    return [action for length, more, less in rows for action in (more if length > 0 else less)]


def _box(agent: ArmAgent, object_id: str, data: Any) -> tuple[Floats, Floats]:
    index = [item.id for item in agent.scene.house_scene.house.objects].index(object_id)
    low, high = ObjectGeometry(agent.scene.house_scene).bounds(data)
    return low[index], high[index]
