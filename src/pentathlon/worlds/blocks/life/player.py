"""The player: where they stand and look, what they carry, and the arm that is seen of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import mujoco
import numpy as np

from pentathlon.core.errors import DataError
from pentathlon.worlds.blocks.land.ground import FLOOR
from pentathlon.worlds.blocks.looks.display import SLOTS, Grid, Stack
from pentathlon.worlds.modelling.mesh import Floats, rotation
from pentathlon.worlds.rendering.cameras import CameraPose
from pentathlon.worlds.rendering.look_at import agent_camera

EYES_M, FOVY_DEG = 1.62, 70.0
_ARM_M, _TOOL_M, _BLOCK_M = (0.42, -0.30, -0.30), (0.50, -0.30, -0.22), (0.55, -0.34, -0.36)


@dataclass
class Player:
    """Who looks.

    Attributes:
        yaw_rad: 0 looks along x, counter-clockwise from above.
        pitch_rad: positive looks down.
        carried: items in the order of the bar.
        selected: which of them is in the hand.
        swing: how far a blow has come, 0 to 1.
        stride_m: way walked, which sways the view.
        grid: what an open crafting table shows.
    """

    x_m: float
    y_m: float
    yaw_rad: float
    pitch_rad: float = 0.0
    carried: list[Stack] = field(default_factory=list)
    selected: int = 0
    swing: float = 0.0
    stride_m: float = 0.0
    hearts: int = 10
    grid: Grid | None = None

    @property
    def held(self) -> str:
        """The item in the hand; empty for none."""
        return self.carried[self.selected][0] if self.selected < len(self.carried) else ""

    @property
    def eye_m(self) -> Floats:
        """Where the eyes are; they bob with every step."""
        bob = 0.035 * math.sin(self.stride_m * 4.4)
        return np.array([self.x_m, self.y_m, FLOOR + EYES_M + bob])

    def camera(self) -> CameraPose:
        """What the eyes see through."""
        x, y, z = self.eye_m
        return agent_camera(x, y, math.degrees(self.yaw_rad), z, math.degrees(self.pitch_rad), FOVY_DEG)

    def count(self, name: str) -> int:
        """How many of an item are carried."""
        return sum(count for one, count in self.carried if one == name)

    def select(self, name: str) -> None:
        """Takes a carried item into the hand; an empty name takes the first empty place.

        Raises:
            DataError: when it is not carried.
        """
        names = [one for one, _ in self.carried]
        if name and name not in names:
            raise DataError(f"Expected {name} among what is carried, got {', '.join(names) or 'nothing'}.")
        self.selected = names.index(name) if name else len(names)

    def gain(self, name: str, count: int = 1) -> None:
        """Adds items to the bar.

        Raises:
            DataError: when it is full.
        """
        for place, (one, there) in enumerate(self.carried):
            if one == name:
                self.carried[place] = (name, there + count)
                return
        if len(self.carried) >= SLOTS:
            raise DataError(f"Expected room for {name}, all {SLOTS} places are taken.")
        self.carried.append((name, count))

    def lose(self, name: str, count: int = 1) -> None:
        """Takes items from the bar.

        Raises:
            DataError: when there are fewer.
        """
        left = self.count(name) - count
        if left < 0:
            raise DataError(f"Expected {count} of {name}, only {left + count} are carried.")
        held = self.held
        self.carried = [(one, left if one == name else there) for one, there in self.carried]
        self.carried = [stack for stack in self.carried if stack[1] > 0]
        names = [one for one, _ in self.carried]
        self.selected = names.index(held) if held in names else len(names)

    def hand_pose(self, tool: bool, block: bool) -> tuple[Floats, Floats]:
        """Where the arm or what it holds is: position and quaternion in the world.

        Args:
            tool: whether something thin is held.
            block: whether a block is held.
        """
        ahead = rotation("z", math.degrees(self.yaw_rad)) @ rotation("y", math.degrees(self.pitch_rad))
        beat = math.sin(math.pi * self.swing)
        sway = 0.012 * math.sin(self.stride_m * 2.2)
        offset = np.array(_TOOL_M if tool else _BLOCK_M if block else _ARM_M)
        offset = offset + np.array([0.12 * beat, 0.16 * beat + sway, 0.06 * beat - abs(sway)])
        turn = rotation("z", 58.0 if tool else 40.0 if block else 14.0) @ rotation(
            "y", 62.0 * beat - (8.0 if tool else 0.0 if block else 24.0)
        )
        quaternion = np.empty(4)
        mujoco.mju_mat2Quat(quaternion, (ahead @ turn).ravel())
        return self.eye_m + ahead @ offset, quaternion
