"""A scripted expert for Adroit's relocate: reach from above, close the hand, carry.

It has no memory: what it does follows from the hand's joints, the ball and the goal, as it must for a policy that sees
them to learn it. A planner's finger actions have the spread of its noise, which nobody can predict.
"""

from __future__ import annotations

import json
from dataclasses import astuple, dataclass
from pathlib import Path

import msgspec
import numpy as np

from pentathlon.core.identity import to_plain
from pentathlon.storage.files import write_durably
from pentathlon.worlds.control.adroit import Relocate
from pentathlon.worlds.control.physics import Array

FINGERS = np.array([(9, 10, 11), (13, 14, 15), (17, 18, 19), (22, 23, 24)])
"""Joints that bend each finger, from its base to its tip."""
SPREADING = np.array([8, 12, 16, 21])
SPREAD_SHARES = np.array([1.0, 0.3, -0.3, -1.0])
THUMB = slice(25, 30)
ARM_GAIN_RAD = 2.5
"""Joint angle of arm and shoulder at a control of 1: their actuators are position servos with a gain."""

MOST_M = 0.12
NEAR_M = 0.035
HELD_M = 0.12
LIFTED_M = 0.06
CLEAR_M = 0.08


@dataclass(frozen=True)
class Grasp:
    """Where the palm goes and how the fingers are held, found by ``pentathlon train relocate-expert``.

    Attributes:
        offset_m: of the palm from the ball when it closes.
        hover_m: higher by so much while the hand comes from the side.
        roll_rad: of the forearm.
        wrist_rad: of the wrist's two joints.
        bend_rad: of each closed finger's three joints, from base to tip.
        thumb_rad: of the closed thumb's five joints.
        open_thumb_rad: of the open thumb's first two joints.
        spread_rad: of the fingers.
    """

    offset_m: tuple[float, float, float]
    hover_m: float
    roll_rad: float
    wrist_rad: tuple[float, float]
    bend_rad: tuple[float, float, float]
    thumb_rad: tuple[float, float, float, float, float]
    open_thumb_rad: tuple[float, float]
    spread_rad: float

    def to_array(self) -> Array:
        """All numbers, in order."""
        return np.concatenate([np.atleast_1d(value) for value in astuple(self)])

    @classmethod
    def from_array(cls, numbers: Array) -> Grasp:
        """Reads what :meth:`to_array` wrote."""
        values = iter(float(number) for number in numbers)

        def take(count: int) -> tuple[float, ...]:
            return tuple(next(values) for _ in range(count))

        return cls(take(3), next(values), next(values), take(2), take(3), take(5), take(2), next(values))  # type: ignore[arg-type]


FIRST_GUESS = Grasp(
    offset_m=(0.0, -0.02, 0.03),
    hover_m=0.06,
    roll_rad=0.0,
    wrist_rad=(0.0, 0.0),
    bend_rad=(1.1, 0.9, 0.7),
    thumb_rad=(0.6, 1.0, 0.0, 0.2, -0.6),
    open_thumb_rad=(0.6, 0.2),
    spread_rad=0.0,
)


def write_grasp(path: Path, grasp: Grasp) -> None:
    """Writes a grasp as JSON; four decimals are a tenth of a millimetre."""
    rounded = Grasp.from_array(np.round(grasp.to_array(), 4))
    write_durably(path, json.dumps(to_plain(rounded), indent=1).encode())


def read_grasp(path: Path) -> Grasp:
    """Reads what :func:`write_grasp` wrote."""
    return msgspec.json.decode(path.read_bytes(), type=Grasp)


class RelocateExpert:
    """Carries the ball to the goal."""

    def __init__(self, physics: Relocate, grasp: Grasp) -> None:
        self._physics, self._grasp = physics, grasp

    def reset(self, generator: np.random.Generator) -> None:
        """Nothing to forget."""

    def act(self) -> Array:
        """Comes from above, closes when the ball is within the hand, and carries it once the fingers are bent."""
        physics, joints = self._physics, self._physics.data.qpos
        palm, ball, goal = (physics.sensor(name) for name in ("palm", "object", "goal"))
        held = bool(ball[2] > LIFTED_M and np.linalg.norm(palm - ball) < HELD_M)
        place = ball + self._grasp.offset_m
        aside_m = float(np.linalg.norm((palm - place)[:2]))
        around = held or (aside_m < NEAR_M and abs(palm[2] - place[2]) < NEAR_M)
        if not around:
            wanted = place + np.array([0.0, 0.0, self._grasp.hover_m * np.clip((aside_m - 0.01) / 0.04, 0.0, 1.0)])
        elif held or self._is_closed(joints):
            wanted = palm + _carry(ball, goal)
        else:
            wanted = place
        control = self._arm(joints, np.clip(wanted - palm, -MOST_M, MOST_M))
        control[8:] = self._hand(closed=around)
        return np.asarray(np.clip((control - physics.control_centre) / physics.control_range, -1.0, 1.0))

    def _is_closed(self, joints: Array) -> bool:
        """Whether the fingers' first joints are bent by more than half of the way."""
        return bool(joints[FINGERS[:3, 0]].mean() > 0.56 * self._grasp.bend_rad[0])

    def _arm(self, joints: Array, move_m: Array) -> Array:
        """Controls of arm and wrist for a movement of the palm: sliders for x and y, shoulder and lift for z."""
        control = np.zeros(30)
        control[0] = (joints[0] - 3.0 * move_m[0]) / ARM_GAIN_RAD
        control[2] = (joints[2] + 3.0 * move_m[1]) / ARM_GAIN_RAD
        control[3] = np.clip(joints[3] - 3.5 * move_m[2], -0.7, 0.7) / ARM_GAIN_RAD
        # The lift follows what the shoulder cannot reach, and holds the hand's weight.
        control[1] = np.clip(joints[1] + 3.0 * move_m[2] + 0.1, 0.0, 0.5) / ARM_GAIN_RAD
        control[5] = self._grasp.roll_rad / ARM_GAIN_RAD
        control[6:8] = self._grasp.wrist_rad
        return control

    def _hand(self, *, closed: bool) -> Array:
        """Joint targets of fingers and thumb, from the ninth on."""
        targets = np.zeros(30)
        targets[FINGERS] = np.array(self._grasp.bend_rad) if closed else 0.0
        targets[SPREADING] = self._grasp.spread_rad * SPREAD_SHARES
        targets[THUMB] = self._grasp.thumb_rad if closed else (*self._grasp.open_thumb_rad, 0.0, 0.0, 0.0)
        return targets[8:]


def _carry(ball: Array, goal: Array) -> Array:
    """How the palm moves with the ball in it: up first, then towards the goal."""
    way = goal - ball
    if ball[2] < CLEAR_M:
        return np.array([0.0, 0.0, 0.05]) + 0.2 * way
    length_m = float(np.linalg.norm(way))
    return np.asarray(way / (length_m + 1e-9) * min(length_m, MOST_M))
