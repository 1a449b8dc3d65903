"""A house with a person in it, whose eyes are the camera: what states things are in, and what is in the hand.

Nothing is simulated here: things go where they are put, which makes films that are the same every time.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import msgspec
import mujoco
import numpy as np
from numpy.typing import NDArray

from pentathlon.core.errors import UnknownIdError
from pentathlon.core.eyes import Setting
from pentathlon.worlds.houses.assets.asset import Ability
from pentathlon.worlds.houses.assets.to_mujoco import VISUAL_GROUP, Placed, set_opening, set_state
from pentathlon.worlds.houses.bodies.household.slices import beside, slice_of, upright, whole_of
from pentathlon.worlds.houses.house import State
from pentathlon.worlds.houses.scene.geometry import ObjectGeometry
from pentathlon.worlds.houses.scene.house_scene import HouseScene, conditions
from pentathlon.worlds.rendering import CameraPose, Eyes, open_eyes
from pentathlon.worlds.rendering.look_at import agent_camera

Floats = NDArray[np.float64]
HAND_AHEAD_M, HAND_RIGHT_M, HAND_DOWN_M = 0.42, 0.17, 0.20
OPEN_ENOUGH = 0.5
LEAST_HAND_SHARE = 0.4


@dataclass(frozen=True)
class FilmSettings:
    """How films look and how fast things go in them.

    Attributes:
        walk_m: way walked in one frame; 12 frames are meant to be shown in a second.
        turn_deg: turn in one frame.
        gesture_frames: frames in which a door opens or a thing is picked up.
        rest_frames: frames that show a result.
        eye_m: height of the camera.
    """

    size_px: tuple[int, int] = (320, 240)
    fovy_deg: float = 68.0
    setting: Setting = "fine"
    walk_m: float = 0.10
    turn_deg: float = 9.0
    gesture_frames: int = 8
    rest_frames: int = 6
    eye_m: float = 1.45


class Gaze(NamedTuple):
    """Where the person stands and looks; yaw is counter-clockwise from +x, a positive pitch looks down.

    ``lean_m`` is how far the head is brought forward along the look, to see small things closely.
    """

    x_m: float
    y_m: float
    yaw_deg: float
    pitch_deg: float = 0.0
    lean_m: float = 0.0


class Household:
    """A house that verbs change.

    Attributes:
        states: conditions of every object, by id.
        held: id of the object in the hand.
        gaze: where the person stands and looks.
    """

    def __init__(self, scene: HouseScene, gaze: Gaze, settings: FilmSettings | None = None) -> None:
        self.scene, self.model = scene, scene.model
        self.settings = settings or FilmSettings()
        self.geometry = ObjectGeometry(scene)
        self._eyes: Eyes = open_eyes(scene.model, "raycast", self.settings.setting)
        self._index = {item.id: i for i, item in enumerate(scene.house.objects)}
        self.reset(gaze)

    def reset(self, gaze: Gaze) -> None:
        """Puts the house back to its file and the person in their place."""
        self.data = self.scene.new_data()
        self._boxes: tuple[Floats, Floats] | None = None
        self.states: dict[str, State] = {}
        for item in self.scene.house.objects:
            self.states[item.id] = conditions(item)
            set_state(self.model, self.scene.placed[item.id], self.states[item.id])
        self.gaze = gaze
        self.held: str | None = None
        self._load: dict[str, Floats] = {}
        for object_id, state in self.states.items():
            if state.sliced:
                self._lay_slice(object_id)

    def placed(self, thing_id: str) -> Placed:
        """Returns the handle of an object or a door."""
        found = self.scene.placed.get(thing_id) or self.scene.leaves.get(thing_id)
        if found is None:
            raise UnknownIdError("object or door", thing_id, [*self.scene.placed, *self.scene.leaves])
        return found

    def can(self, thing_id: str, ability: Ability) -> bool:
        """Tells whether an object has an ability."""
        return ability in self.placed(thing_id).asset.abilities

    def state(self, thing_id: str) -> State:
        """Returns the conditions of an object; doors have none."""
        return self.states.get(thing_id, State())

    def change(self, object_id: str, **conditions: bool) -> None:
        """Changes conditions of an object, and how it looks."""
        before = self.states[object_id]
        self.states[object_id] = msgspec.structs.replace(before, **conditions)
        set_state(self.model, self.scene.placed[object_id], self.states[object_id])
        if self.states[object_id].sliced and not before.sliced:
            self._lay_slice(object_id)

    def exists(self, thing_id: str) -> bool:
        """Tells whether a thing is there: a slice is once its food is cut."""
        whole = whole_of(thing_id)
        return whole is None or self.state(whole).sliced

    def opening(self, thing_id: str, joint: str) -> float:
        """Returns how far a joint is open, from 0 to 1."""
        placed = self.placed(thing_id)
        position = float(self.data.qpos[self.model.joint(placed.joints[joint]).qposadr[0]])
        return position / placed.asset.joint(joint).reach

    def is_open(self, thing_id: str, joint: str) -> bool:
        """Tells whether a joint is open enough to reach through."""
        return self.opening(thing_id, joint) > OPEN_ENOUGH

    def set_opening(self, thing_id: str, joint: str, fraction: float, riders: Iterable[str] = ()) -> None:
        """Opens a joint to a fraction; the riders, which lie in that drawer, go with it."""
        body = int(self.model.body(self.placed(thing_id).joints[joint]).id)
        before = np.linalg.inv(self._matrix(body))
        relative = {rider: before @ self.pose(rider) for rider in riders}
        set_opening(self.model, self.data, self.placed(thing_id), joint, fraction)
        self._refresh()
        for rider, inside in relative.items():
            self._set_pose(rider, self._matrix(body) @ inside)
        self._refresh()

    def boxes(self) -> tuple[Floats, Floats]:
        """Returns the corners of all objects' upright boxes, [N, 3] each; kept until something moves."""
        if self._boxes is None:
            self._boxes = self.geometry.bounds(self.data)
        return self._boxes

    def bounds(self, thing_id: str) -> tuple[Floats, Floats]:
        """Returns the corners of an object's upright box; of a door, of its handle."""
        if thing_id in self._index:
            low, high = self.boxes()
            return low[self._index[thing_id]], high[self._index[thing_id]]
        (joint,) = self.placed(thing_id).joints.values()
        handle = self.data.site(f"{joint}/handle").xpos.copy()
        return handle, handle

    def pose(self, thing_id: str) -> Floats:
        """Returns a thing's frame in the house, as a 4 x 4 matrix."""
        return self._matrix(int(self.model.body(self.placed(thing_id).name).id))

    def move(self, object_id: str, pose: Floats, riders: Iterable[str] = ()) -> None:
        """Puts an object somewhere, with what lies on or in it."""
        step = pose @ np.linalg.inv(self.pose(object_id))
        moved = {thing: step @ self.pose(thing) for thing in (object_id, *riders)}
        for thing, goal in moved.items():
            self._set_pose(thing, goal)
        self._refresh()

    def hold(self, object_id: str, riders: Iterable[str] = ()) -> None:
        """Takes an object into the hand, with what lies on or in it."""
        self.held = object_id
        self._load = {rider: np.linalg.inv(self.pose(object_id)) @ self.pose(rider) for rider in riders}
        self._follow()

    def let_go(self) -> tuple[str, ...]:
        """Empties the hand, leaving the object in the air; returns what lies on or in it."""
        riders = tuple(self._load)
        self.held, self._load = None, {}
        return riders

    def hand_pose(self, object_id: str) -> Floats:
        """Returns where an object is held: before the eyes, low on the right, its front towards the person."""
        low, high = self.placed(object_id).asset.bounds_m
        size, middle = high - low, (low + high) / 2
        camera = self.camera()
        right, up, back = np.asarray(camera.camera_to_world).T
        reach = HAND_AHEAD_M + 0.5 * float(size.max())
        offset = HAND_RIGHT_M * right - HAND_DOWN_M * up - reach * back
        grip = np.array(camera.position_m) + self._room_before_eyes(object_id, offset, float(size.max()) / 2) * offset
        pose = upright(grip, self.gaze.yaw_deg - 90.0)
        pose[:3, 3] -= pose[:3, :3] @ middle
        return pose

    def turn_to(self, gaze: Gaze) -> None:
        """Stands and looks elsewhere; what is held comes along."""
        self.gaze = gaze
        self._follow()

    def camera(self) -> CameraPose:
        """Returns the person's eyes."""
        x, y, yaw_deg, pitch_deg, lean_m = self.gaze
        upright_m = self.settings.eye_m
        yaw, pitch = math.radians(yaw_deg), math.radians(pitch_deg)
        ahead_m = lean_m * math.cos(pitch)
        head = x + ahead_m * math.cos(yaw), y + ahead_m * math.sin(yaw), upright_m - lean_m * math.sin(pitch)
        return agent_camera(head[0], head[1], yaw_deg, head[2], pitch_deg, self.settings.fovy_deg)

    def look(self) -> NDArray[np.uint8]:
        """Returns what the person sees."""
        return self._eyes.render(self.data, self.camera(), self.settings.size_px).rgb.copy()

    def close(self) -> None:
        """Frees the eyes."""
        self._eyes.close()

    def _lay_slice(self, object_id: str) -> None:
        """Lays the slice that fell off beside the rest, as hot, cold or dirty as that."""
        piece = slice_of(object_id)
        if piece not in self._index:
            return
        rest = self.states[object_id]
        self.states[piece] = State(dirty=rest.dirty, hot=rest.hot, cold=rest.cold)
        set_state(self.model, self.scene.placed[piece], self.states[piece])
        self._refresh()
        self.move(piece, beside(self, object_id, piece))

    def _room_before_eyes(self, object_id: str, offset: Floats, radius_m: float) -> float:
        """Returns the share of the way to the hand that is free: near walls, things are held closer."""
        start = np.array(self.camera().position_m)
        ahead = -np.asarray(self.camera().camera_to_world)[:, 2]
        side = np.cross(ahead, (0.0, 0.0, 1.0)) * radius_m
        groups = np.zeros(6, dtype=np.uint8)
        groups[VISUAL_GROUP] = 1
        geom = np.zeros(1, dtype=np.int32)
        share = 1.0
        for tip in (offset + ahead * radius_m, offset + side, offset - side):
            hit = mujoco.mj_ray(self.model, self.data, start, tip, groups, True, self.scene.body_id(object_id), geom)
            share = min(share, 0.95 * hit) if hit >= 0 else share
        return max(share, LEAST_HAND_SHARE)

    def _follow(self) -> None:
        if self.held is None:
            return
        pose = self.hand_pose(self.held)
        self._set_pose(self.held, pose)
        for rider, relative in self._load.items():
            self._set_pose(rider, pose @ relative)
        self._refresh()

    def _refresh(self) -> None:
        """Brings bodies and lights in step with the joints."""
        self._boxes = None
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_comPos(self.model, self.data)
        mujoco.mj_camlight(self.model, self.data)

    def _matrix(self, body: int) -> Floats:
        matrix = np.eye(4)
        matrix[:3, :3], matrix[:3, 3] = self.data.xmat[body].reshape(3, 3), self.data.xpos[body]
        return matrix

    def _set_pose(self, object_id: str, pose: Floats) -> None:
        address = self.model.joint(self.scene.placed[object_id].free_joint).qposadr[0]
        self.data.qpos[address : address + 3] = pose[:3, 3]
        mujoco.mju_mat2Quat(self.data.qpos[address + 3 : address + 7], pose[:3, :3].ravel())


def shares(count: int) -> Iterator[float]:
    """Yields the shares of a motion that starts and ends softly, the last one 1."""
    for i in range(1, count + 1):
        yield 0.5 - 0.5 * math.cos(math.pi * i / count)
