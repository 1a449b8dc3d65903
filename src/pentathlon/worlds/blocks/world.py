"""A voxel world in motion: blocks, mobs, things lying about and a player, moved on frame by frame."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pentathlon.core.errors import DataError
from pentathlon.worlds.blocks.land.ground import FLOOR, Cell, Land
from pentathlon.worlds.blocks.life.mobs import MOBS
from pentathlon.worlds.blocks.life.player import Player
from pentathlon.worlds.blocks.looks.display import Display, Stack, draw_over, stacks
from pentathlon.worlds.blocks.looks.heavens import pale, shade_corners
from pentathlon.worlds.blocks.looks.sprites import ITEMS
from pentathlon.worlds.blocks.scene import AWAY_M, DROPS, HURT, SHOWN, BlockScene, code_at
from pentathlon.worlds.modelling.mesh import Floats
from pentathlon.worlds.rendering import Raycaster

FALL_M = 0.12
SPIN_RAD = 0.16


@dataclass
class MobState:
    """A mob that is there.

    Attributes:
        heading_rad: where it looks.
        stride: how far its legs have swung; they rest while it stands.
        blows: it has taken.
        hurt: frames that it stays red.
        fallen: how far it has fallen over, 0 to 1.
        away: whether it has not come yet.
    """

    x_m: float
    y_m: float
    heading_rad: float
    stride: float = 0.0
    blows: int = 0
    hurt: int = 0
    fallen: float = 0.0
    away: bool = False


@dataclass
class Drop:
    """A thing that lies about and turns."""

    item: str
    place_m: Floats
    count: int = 1


@dataclass(frozen=True)
class Start:
    """How a world begins.

    Attributes:
        yaw_rad: where the player looks at first.
        carried: what they carry.
        mobs: angle of each mob from the middle; they stand some metres away.
        away: mobs that come only when they are looked for.
        lying: items that lie about, with the angle at which they do.
    """

    yaw_rad: float
    carried: tuple[Stack, ...] = ()
    mobs: Mapping[str, float] = field(default_factory=dict)
    away: tuple[str, ...] = ()
    lying: tuple[tuple[str, int, float], ...] = ()


MOB_M, LYING_M = 5.6, 4.0


class BlockWorld:
    """The state of everything, and the eyes that see it."""

    def __init__(self, land: Land, side_px: int = 224, setting: str = "fine") -> None:
        self.land, self.scene = land, BlockScene(land)
        self._eyes = Raycaster(self.scene.model, setting)
        self._side_px = side_px
        self.reset(Start(0.0))

    def reset(self, start: Start) -> None:
        """Begins anew: the land as it was, and what the start says."""
        x, y = self.land.middle_m
        self.player = Player(x, y, start.yaw_rad, 0.15, list(start.carried))
        self.blocks = {cell: code_at(self.land, cell) for cell in self.scene.cells}
        self.mobs = {
            name: MobState(
                x + MOB_M * math.cos(angle), y + MOB_M * math.sin(angle), angle + 2.2, away=name in start.away
            )
            for name, angle in start.mobs.items()
        }
        self.drops: list[Drop] = []
        for item, count, angle in start.lying:
            at = np.array([x + LYING_M * math.cos(angle), y + LYING_M * math.sin(angle), FLOOR + 0.35])
            self.drops.append(Drop(item, at, count))
        self.clock = 0
        for cell, name in self.blocks.items():
            self.scene.show_block(cell, name)
        for name in MOBS:
            self.scene.tint(name, SHOWN)
        self._settle()

    def set_block(self, cell: Cell, name: str, stage: int = 0) -> None:
        """Changes a block, or cracks it."""
        self.scene.show_block(cell, name, stage)
        self.blocks[cell] = name

    def spill(self, item: str, from_m: Floats, count: int = 1) -> None:
        """Lets an item fall towards the player."""
        if len(self.drops) >= DROPS:
            raise DataError(f"Expected at most {DROPS} things lying about, got one more: {item}.")
        way = self.player.eye_m[:2] - from_m[:2]
        way = way / max(float(np.linalg.norm(way)), 1e-6)
        aside = np.array([-way[1], way[0]]) * (0.28 * (len(self.drops) % 3 - 1))
        place = np.array([*(from_m[:2] + 0.95 * way + aside), from_m[2]])
        self.drops.append(Drop(item, place, count))

    def tick(self) -> None:
        """Moves everything on by a frame."""
        self.clock += 1
        for drop in self.drops:
            drop.place_m[2] = max(drop.place_m[2] - FALL_M, FLOOR + 0.30)
        for mob in self.mobs.values():
            mob.hurt = max(0, mob.hurt - 1)
        self._settle()

    def look(self) -> NDArray[np.uint8]:
        """Returns what the player sees, uint8[side, side, 3]."""
        frame = self._eyes.render(self.scene.data, self.player.camera(), (self._side_px, self._side_px))
        rgb = pale(shade_corners(frame.rgb, frame.depth_m), frame.depth_m, frame.geom_id >= 0)
        player = self.player
        return draw_over(rgb, Display(stacks(player.carried), player.selected, player.hearts, player.grid))

    def sees(self, mob: str) -> bool:
        """Whether a mob is in the picture, by its direction."""
        return not self.mobs[mob].away and self.faces(mob)

    def faces(self, mob: str) -> bool:
        """Whether the place of a mob is in the picture, by its direction."""
        state, player = self.mobs[mob], self.player
        angle = math.atan2(state.y_m - player.y_m, state.x_m - player.x_m)
        far_m = math.hypot(state.y_m - player.y_m, state.x_m - player.x_m)
        half = math.radians(35.0) + math.atan2(0.75, far_m)
        return abs(turn_between(player.yaw_rad, angle)) < half

    def _settle(self) -> None:
        self._settle_mobs()
        for number in range(DROPS):
            holder = f"drop{number}"
            drop = self.drops[number] if number < len(self.drops) else None
            self.scene.show_item(holder, drop.item if drop else "")
            half = SPIN_RAD * self.clock / 2 + number
            bob = 0.06 * math.sin(0.35 * self.clock + number)
            place = AWAY_M if drop is None else drop.place_m + np.array([0.0, 0.0, bob])
            self.scene.place(holder, place, (math.cos(half), 0.0, 0.0, math.sin(half)))
        self._settle_hand()
        self.scene.refresh()

    def _settle_mobs(self) -> None:
        for name, kind in MOBS.items():
            state = self.mobs.get(name)
            if state is None or state.away:
                self.scene.place(name, AWAY_M)
                continue
            self.scene.tint(name, HURT if state.hurt or state.fallen else SHOWN)
            self.scene.place(name, (state.x_m, state.y_m, FLOOR), _lying(state))
            for limb in kind.limbs:
                nod = 0.10 * math.sin(0.11 * self.clock) if limb.name == "head" else 0.0
                self.scene.bend(name, limb.name, 0.65 * limb.phase * math.sin(state.stride) + nod)

    def _settle_hand(self) -> None:
        item = self.player.held
        tool, block = item in ITEMS, bool(item) and item not in ITEMS
        place, quaternion = self.player.hand_pose(tool, block)
        away = np.array(AWAY_M)
        self.scene.place("hand", away if item else place, quaternion)
        self.scene.show_item("held", item)
        self.scene.place("held", place if item else away, quaternion)


def _lying(state: MobState) -> tuple[float, float, float, float]:
    """Upright and turned, or fallen to the side."""
    half, roll = state.heading_rad / 2, state.fallen * math.pi / 4
    c, s = math.cos(half), math.sin(half)
    return c * math.cos(roll), c * math.sin(roll), s * math.sin(roll), s * math.cos(roll)


def turn_between(first_rad: float, second_rad: float) -> float:
    """The turn from one direction to another, from -pi to pi."""
    return (second_rad - first_rad + math.pi) % (2 * math.pi) - math.pi
