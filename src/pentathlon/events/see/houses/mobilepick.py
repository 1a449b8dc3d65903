"""MobilePick: bring the hand to a thing nearby and lift it. The demonstrator is the arm's script."""

from __future__ import annotations

import math
from itertools import islice

import numpy as np
import numpy.typing as npt

from pentathlon.events.see.houses.protocol import HouseProtocol
from pentathlon.events.see.houses.worlds import Seen
from pentathlon.worlds.houses.bodies.arm import ArmAgent
from pentathlon.worlds.houses.bodies.arm_actions import ArmAction, ArmSettings
from pentathlon.worlds.houses.bodies.arm_motion import LIFT
from pentathlon.worlds.houses.bodies.arm_scene import compile_with_arm
from pentathlon.worlds.houses.bodies.arm_script import (
    Reaching,
    least_force_kgf,
    lifts,
    reach_for,
    standing_places,
    stands_at,
)
from pentathlon.worlds.houses.scene.geometry import ObjectGeometry
from pentathlon.worlds.houses.splits import split_house

CHOICES: tuple[ArmAction, ...] = (
    "GripperAhead", "GripperBack", "GripperLeft", "GripperRight", "GripperUp", "GripperDown", "ShoulderLeft",
    "ShoulderRight", "RaiseArm", "LowerArm", "Grasp",
)  # fmt: skip
FIRST: tuple[ArmAction, ...] = ("WristDown",) * 3 + ("LookDown",) * 2
MOST_THINGS, MOST_PLACES = 4, 3
ENOUGH_KGF = 5.0
Floats = npt.NDArray[np.float64]


class MobilePickWorld:
    """Episodes of picking up: the agent stands within reach of a thing that its script can get hold of."""

    choices: tuple[str, ...] = CHOICES

    def __init__(self, protocol: HouseProtocol) -> None:
        self._settings = ArmSettings(size_px=(protocol.size_px, protocol.size_px))
        self._agent: ArmAgent | None = None
        self._entered = ("", -1)

    def begin(self, split: str, house: int, seed: int) -> bool:
        """Begins an episode; false where the script reaches none of some things drawn."""
        if self._entered != (split, house):
            self.close()
            self._agent = ArmAgent(compile_with_arm(split_house(split, house)), self._settings)
            self._entered = (split, house)
        agent, rng = self._open(), np.random.default_rng(seed)
        scene = agent.scene.house_scene
        names = [item.id for item in scene.house.objects if scene.placed[item.id].free_joint]
        for name in rng.permutation(names)[:MOST_THINGS]:
            place = self._reachable(str(name), rng)
            if place is not None:
                self._start(str(name), place)
                return True
        return False

    def observe(self) -> Seen:
        """The picture; lift, hinges and finger tips, and, with the first picture only, where the thing is."""
        agent = self._open()
        goal = self._goal_m if self._acted == 0 else np.zeros(3)
        state = np.concatenate([agent.motion.posture[LIFT:], self._from_here(agent.motion.grasp_point_m), goal])
        return Seen(agent.look().rgb, np.append(state, float(self._acted == 0)).astype(np.float32))

    def teach(self) -> int | None:
        """What the script does here; none where it is at its wits' end."""
        action = self._script.next_action()
        return None if action is None or action not in CHOICES else CHOICES.index(action)

    def act(self, choice: int) -> bool:
        """Carries out an action; Grasp closes the hand, raises it and ends the episode."""
        agent, action = self._open(), CHOICES[choice]
        self._acted += 1
        if action == "Grasp":
            force = max(ENOUGH_KGF, least_force_kgf(agent, self._thing))
            self._success = lifts(agent, self._thing, force)
            return True
        self._script.heed(action, ok=agent.act(action).ok)
        return False

    def measures(self) -> dict[str, float]:
        """Whether the thing was lifted."""
        return {"score": float(self._success)}

    def close(self) -> None:
        """Frees the house."""
        if self._agent is not None:
            self._agent.close()
        self._agent, self._entered = None, ("", -1)

    def _reachable(self, thing: str, rng: np.random.Generator) -> tuple[float, float, float] | None:
        """Returns a place from which the script reaches the thing."""
        agent = self._open()
        places = list(islice(standing_places(agent, self._middle(thing)), MOST_PLACES))
        shuffled = [places[int(index)] for index in rng.permutation(len(places))]
        return next((place for place in shuffled if stands_at(agent, place, FIRST) and reach_for(agent, thing)), None)

    def _start(self, thing: str, place: tuple[float, float, float]) -> None:
        stands_at(self._open(), place, FIRST)
        self._thing, self._acted, self._success = thing, 0, False
        self._goal_m = self._from_here(self._middle(thing))
        self._script = Reaching(self._open(), thing)

    def _middle(self, thing: str) -> Floats:
        scene = self._open().scene.house_scene
        index = [item.id for item in scene.house.objects].index(thing)
        low, high = ObjectGeometry(scene).bounds(scene.new_data())
        middle: Floats = (low[index] + high[index]) / 2
        return middle

    def _from_here(self, point_m: Floats) -> Floats:
        """Returns a point as metres ahead and left of the base, and above the floor."""
        x, y, yaw_deg = self._open().pose
        yaw, dx, dy = math.radians(yaw_deg), point_m[0] - x, point_m[1] - y
        ahead, left = dx * math.cos(yaw) + dy * math.sin(yaw), dy * math.cos(yaw) - dx * math.sin(yaw)
        return np.array([ahead, left, point_m[2]])

    def _open(self) -> ArmAgent:
        assert self._agent is not None
        return self._agent
