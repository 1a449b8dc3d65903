"""Plans of the arm agent's hinge moves to where the finger tips grasp a thing or a handle, by what is really there.

First the postures that would do are counted out over the lattice of hinge steps, by the arm's own geometry; then those
of them that touch nothing; then a way there, hinge step by hinge step, by A* whose edges are checked as they come up.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import mujoco
import numpy as np
from numpy.typing import NDArray

from pentathlon.worlds.houses.bodies.arm import ArmAgent
from pentathlon.worlds.houses.bodies.arm_actions import HINGES, LIFTS, ArmAction
from pentathlon.worlds.houses.bodies.arm_model import FOREARM_M, HAND_M, SHOULDER_M, UPPER_ARM_M
from pentathlon.worlds.houses.bodies.arm_motion import FIRST_HINGE, HIGHEST, LIFT, LOWEST, REST, YAW, X, Y
from pentathlon.worlds.houses.bodies.arm_touch import grasp_target, nearest_handle

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
Steps = tuple[int, ...]
"""How many steps each joint of the arm is away from where it is: the lift, and the six hinges."""
TIPS_M = HAND_M + 0.02
Place = tuple[float, float, float]
"""X and y in metres, and yaw in degrees."""
ROLLS = range(-4, 5)
NEAR_M = 0.04
HANDLE_NEAR_M = 0.11
MOST_CHECKED, MOST_GOALS, MOST_TRIED = 160, 6, 1200
CHECKS_PER_STEP = 4
# So far open, a door lets the arm in; it is pulled from where the agent is not in its way, if there is such a place.
WIDE_OPEN = 0.6
WEIGHT = 1.3


class Box(NamedTuple):
    """An upright box in the house's frame."""

    low_m: tuple[float, float, float]
    high_m: tuple[float, float, float]


class _Edge(NamedTuple):
    """A step that may be taken: how long a way over it is hoped to be, and where it comes from."""

    most: float
    tick: int
    cost: int
    there: Steps
    origin: tuple[Steps, ArmAction] | None


class ArmPlanner:
    """Plans for an agent in a house as it is now."""

    def __init__(self, agent: ArmAgent) -> None:
        self._agent, self._motion = agent, agent.motion
        self._unit = np.array([agent.settings.arm_step_m, *[math.radians(agent.settings.angle_deg)] * 6])
        self._moves = _moves()

    def is_free(self, x_m: float, y_m: float, yaw_deg: float) -> bool:
        """Tells whether the agent, as its arm is now, would touch nothing at a place."""
        return self._motion.overlap(self._at((x_m, y_m, yaw_deg))) is None

    def goals(self, thing: str, box: Box, place: Place | None = None) -> list[Steps]:
        """Returns postures, in steps from the present one, from which a grasp takes hold of a thing.

        Args:
            thing: its id.
            box: around it.
            place: x, y and yaw in degrees, where the agent would stand; where it is now by default.
        """
        reach_m = self._agent.settings.grasp_reach_m

        def takes() -> bool:
            return grasp_target(self._agent.scene, self._motion.trial, reach_m) == thing

        return self._postures(box, NEAR_M, takes, self._at(place))

    def handle_goals(self, thing: str, joint: str, place: Place | None = None) -> list[Steps]:
        """Returns postures from which the agent pulls a handle of a thing, or pushes it."""
        name = self._agent.scene.house_scene.placed[thing].joints[joint]
        x_m, y_m, z_m = (float(value) for value in self._motion.data.site(f"{name}/handle").xpos)
        reach_m = self._agent.settings.handle_reach_m

        def takes() -> bool:
            found = nearest_handle(self._agent.scene, self._motion.trial, reach_m)
            return found is not None and found.model_joint == name

        return self._postures(Box((x_m, y_m, z_m), (x_m, y_m, z_m)), HANDLE_NEAR_M, takes, self._at(place))

    def wide_handle_goals(self, thing: str, joint: str, place: Place | None = None) -> list[Steps]:
        """Returns such postures, but none where the agent itself would stop the door before it is wide open."""
        found = self.handle_goals(thing, joint, place)
        return found if found and self.swing(thing, joint, place) >= WIDE_OPEN else []

    def swing(self, thing: str, joint: str, place: Place | None = None) -> float:
        """Tells how far, from 0 to 1, a door or drawer opens before it meets an agent that stands there."""
        placed = self._agent.scene.house_scene.placed[thing]
        reach = placed.asset.joint(joint).reach
        posture = np.concatenate([self._at(place)[:LIFT], REST[LIFT:]])
        return self._motion.free_swing(placed.joints[joint], reach, posture) / reach

    def pull(self, thing: str, joint: str, place: Place) -> None:
        """Opens a door or drawer as far as it goes in the state in which postures are tried."""
        placed, model, trial = self._agent.scene.house_scene.placed[thing], self._motion.model, self._motion.trial
        share = self.swing(thing, joint, place)
        trial.qpos[:] = self._motion.data.qpos
        trial.qpos[model.joint(placed.joints[joint]).qposadr[0]] = share * placed.asset.joint(joint).reach
        mujoco.mj_kinematics(model, trial)

    def way(self, goals: Sequence[Steps], place: Place | None = None) -> list[ArmAction] | None:
        """Returns moves to the nearest of some postures that touch nothing; ``None`` where none was found."""
        if not goals:
            return None
        base, wanted = self._at(place), np.array(goals)
        start: Steps = (0,) * 7
        came: dict[Steps, tuple[Steps, ArmAction] | None] = {}
        shut: set[Steps] = set()
        left: list[_Edge] = [_Edge(0.0, 0, 0, start, None)]
        for tick in range(1, MOST_TRIED):
            if not left:
                return None
            edge = heapq.heappop(left)
            here = edge.there
            if here in came or here in shut:
                continue
            if edge.origin is not None and not self._is_free_posture(base, here):
                shut.add(here)
                continue
            if edge.origin is not None and not self._is_free_step(base, edge.origin[0], here):
                continue
            came[here] = edge.origin
            if here in goals:
                return _unwound(came, here)
            for move, change in self._moves:
                there = tuple(a + b for a, b in zip(here, change, strict=True))
                most = edge.cost + 1 + WEIGHT * float(np.abs(wanted - there).sum(axis=1).min())
                heapq.heappush(left, _Edge(most, -tick, edge.cost + 1, there, (here, move)))
        return None

    def _at(self, place: Place | None) -> Floats:
        posture = self._motion.posture
        if place is not None:
            posture[[X, Y, YAW]] = place[0], place[1], math.radians(place[2])
        return posture

    def _shifted(self, base: Floats, steps: Sequence[float]) -> Floats:
        posture = base.copy()
        posture[LIFT:] += self._unit * np.asarray(steps)
        return posture

    def _is_free_posture(self, base: Floats, there: Steps) -> bool:
        goal = self._shifted(base, there)
        return not (np.any(goal < LOWEST) or np.any(goal > HIGHEST)) and self._motion.overlap(goal) is None

    def _is_free_step(self, base: Floats, before: Steps, after: Steps) -> bool:
        """Tells whether nothing is in the way between two postures that are free."""
        start = np.array(before)
        change = np.array(after) - start
        shares = np.arange(1.0, CHECKS_PER_STEP) / CHECKS_PER_STEP
        return all(self._motion.overlap(self._shifted(base, start + change * share)) is None for share in shares)

    def _postures(self, box: Box, near_m: float, takes: Callable[[], bool], base: Floats) -> list[Steps]:
        found: list[Steps] = []
        for steps in _spread(_near_box(base, self._unit, box, near_m)):
            if self._motion.overlap(self._shifted(base, steps)) is None and takes():
                found.append(steps)
            if len(found) == MOST_GOALS:
                break
        return found


def _moves() -> list[tuple[ArmAction, Steps]]:
    """Each action of one joint with the steps that it makes."""
    found: list[tuple[ArmAction, Steps]] = []
    for name, sign in LIFTS.items():
        found.append((name, (round(sign), 0, 0, 0, 0, 0, 0)))  # type: ignore[arg-type]
    for name, (hinge, sign) in HINGES.items():
        change = [0] * 7
        change[1 + hinge] = round(sign)
        found.append((name, tuple(change)))  # type: ignore[arg-type]
    return [(name, change) for name, change in found if not change[6]]


class _Reaches(NamedTuple):
    """Where the finger tips are by every combination of steps of pitch, elbow, roll and wrist, as the arm points ahead.

    Attributes:
        steps: ``[N, 4]``.
        ahead_m: of the shoulder.
        left_m: of the shoulder.
        drop_m: below the shoulder.
        away_m: from the shoulder, seen from above.
    """

    steps: Whole
    ahead_m: Floats
    left_m: Floats
    drop_m: Floats
    away_m: Floats


@lru_cache(maxsize=4)
def _reaches(hinges: tuple[float, ...], unit_rad: float) -> _Reaches:
    """Counts out the steps of four hinges from their angles; from most places the arm reaches out of the same fold."""
    pitch, elbow, roll, wrist = _lattice(hinges, unit_rad)
    upper, fore = pitch.angle, pitch.angle + elbow.angle
    ahead, side, up = (
        np.cos(wrist.angle),
        np.sin(wrist.angle) * np.sin(roll.angle),
        np.sin(wrist.angle) * np.cos(roll.angle),
    )
    ahead_m = (
        UPPER_ARM_M * np.cos(upper) + FOREARM_M * np.cos(fore) + TIPS_M * (ahead * np.cos(fore) - up * np.sin(fore))
    )
    drop_m = (
        UPPER_ARM_M * np.sin(upper) + FOREARM_M * np.sin(fore) + TIPS_M * (ahead * np.sin(fore) + up * np.cos(fore))
    )
    left_m = np.broadcast_to(TIPS_M * side, ahead_m.shape)
    steps = np.stack(np.meshgrid(*(axis.steps for axis in (pitch, elbow, roll, wrist)), indexing="ij"), axis=-1)
    return _Reaches(
        steps.reshape(-1, 4), ahead_m.ravel(), left_m.ravel(), drop_m.ravel(), np.hypot(ahead_m, left_m).ravel()
    )


def _near_box(base: Floats, unit: Floats, box: Box, near_m: float) -> Whole:
    """Counts out the postures ``[N, 7]`` whose finger tips are near to a box, those of the fewest steps first."""
    reaches = _reaches(tuple(round(float(angle), 6) for angle in base[FIRST_HINGE + 1 : FIRST_HINGE + 5]), unit[1])
    shoulder = base[[X, Y]] + _turned(base[YAW], SHOULDER_M[0], SHOULDER_M[1])
    (x_low, y_low, _), (x_high, y_high, _) = box
    nearest_m = math.hypot(*(float(_beyond(shoulder[i], box.low_m[i], box.high_m[i])) for i in (0, 1)))
    farthest_m = max(math.hypot(x - shoulder[0], y - shoulder[1]) for x in (x_low, x_high) for y in (y_low, y_high))
    likely = np.flatnonzero((reaches.away_m >= nearest_m - near_m) & (reaches.away_m <= farthest_m + near_m))
    ahead_m, left_m = reaches.ahead_m[likely], reaches.left_m[likely]
    turned, flat = [], []
    for turn in _turns(base, unit, box, shoulder):
        yaw = base[YAW] + base[FIRST_HINGE] + turn * unit[1]
        x_m = shoulder[0] + ahead_m * math.cos(yaw) - left_m * math.sin(yaw)
        y_m = shoulder[1] + ahead_m * math.sin(yaw) + left_m * math.cos(yaw)
        away_m = np.hypot(_beyond(x_m, x_low, x_high), _beyond(y_m, y_low, y_high))
        near = np.flatnonzero(away_m <= near_m)
        turned.append(np.stack([np.full(len(near), turn), likely[near]], axis=1))
        flat.append(away_m[near])
    if not turned:
        return np.zeros((0, 7), dtype=np.int64)
    return _lifted(base, unit, box, near_m, reaches, np.concatenate(turned), np.concatenate(flat))


def _lifted(
    base: Floats, unit: Floats, box: Box, near_m: float, reaches: _Reaches, turned: Whole, flat_m: Floats
) -> Whole:
    """Adds the lift to turns and places among the reaches whose finger tips are over or under a box."""
    drop_m, found = reaches.drop_m[turned[:, 1]], []
    for height_m in np.linspace(box.low_m[2], box.high_m[2] + near_m, 4):
        lift = np.round((height_m + drop_m - base[LIFT]) / unit[0])
        raised_m = base[LIFT] + lift * unit[0]
        gap_m = np.hypot(flat_m, _beyond(raised_m - drop_m, box.low_m[2], box.high_m[2]))
        good = np.flatnonzero((gap_m <= near_m) & (raised_m >= LOWEST[LIFT]) & (raised_m <= HIGHEST[LIFT]))
        rows = [lift[good], turned[good, 0], *reaches.steps[turned[good, 1]].T, np.zeros(len(good))]
        found.append(np.stack(rows, axis=1).astype(np.int64))
    every = np.concatenate(found)
    return every[np.argsort(np.abs(every).sum(axis=1), kind="stable")]


class _Axis(NamedTuple):
    """The steps that a hinge may take, and its angles, shaped to be combined with those of other hinges."""

    steps: Whole
    angle: Floats


def _lattice(hinges: tuple[float, ...], unit_rad: float) -> list[_Axis]:
    wanted: list[Iterable[int]] = [range(-14, 15), range(-22, 23), ROLLS, range(-16, 17)]
    axes = []
    for place, (angle, steps) in enumerate(zip(hinges, wanted, strict=True)):
        joint = FIRST_HINGE + 1 + place
        allowed = [n for n in steps if LOWEST[joint] <= angle + n * unit_rad <= HIGHEST[joint]]
        shape = [1] * len(hinges)
        shape[place] = -1
        taken = np.array(allowed, dtype=np.int64)
        angles: Floats = np.asarray(angle + taken * unit_rad, dtype=np.float64)
        axes.append(_Axis(taken, angles.reshape(shape)))
    return axes


def _turns(base: Floats, unit: Floats, box: Box, shoulder: Floats) -> list[int]:
    """Turns of the shoulder that point at the middle of a box, or a step beside it."""
    middle = [(low + high) / 2 for low, high in zip(box.low_m, box.high_m, strict=True)]
    bearing = math.atan2(middle[1] - shoulder[1], middle[0] - shoulder[0]) - float(base[YAW])
    straight = round((math.remainder(bearing, 2 * math.pi) - float(base[FIRST_HINGE])) / float(unit[1]))
    angles = {turn: base[FIRST_HINGE] + turn * unit[1] for turn in range(straight - 1, straight + 2)}
    return [turn for turn, angle in angles.items() if LOWEST[FIRST_HINGE] <= angle <= HIGHEST[FIRST_HINGE]]


def _spread(postures: Whole) -> Iterator[Steps]:
    """The nearest postures, and some of all others."""
    half = MOST_CHECKED // 2
    far = postures[half:]
    chosen = np.concatenate([postures[:half], far[:: max(1, len(far) // half)][:half]])
    return (tuple(int(value) for value in row) for row in chosen)


def _unwound(came: dict[Steps, tuple[Steps, ArmAction] | None], here: Steps) -> list[ArmAction]:
    actions: list[ArmAction] = []
    while (origin := came[here]) is not None:
        here, action = origin
        actions.append(action)
    return actions[::-1]


def _turned(yaw_rad: float, x: float, y: float) -> Floats:
    cosine, sine = math.cos(yaw_rad), math.sin(yaw_rad)
    return np.array([x * cosine - y * sine, x * sine + y * cosine])


def _beyond(value: Floats, low: float, high: float) -> Floats:
    found: Floats = np.maximum(np.maximum(low - value, value - high), 0.0)
    return found
