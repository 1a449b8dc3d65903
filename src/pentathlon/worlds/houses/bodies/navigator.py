"""The navigator: a LoCoBot-like camera on wheels that moves and turns in steps through a compiled house."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from pentathlon.core.errors import UnknownIdError, UsageError
from pentathlon.core.eyes import Renderer, Setting
from pentathlon.worlds.houses.bodies.limits import check_limits
from pentathlon.worlds.houses.graph.visibility import Viewpoint
from pentathlon.worlds.houses.scene.geometry import ObjectGeometry
from pentathlon.worlds.houses.scene.house_scene import NO_OBJECT, HouseScene
from pentathlon.worlds.houses.ways.navigation import HEIGHT_M, RADIUS_M, NavigationMap
from pentathlon.worlds.rendering import Eyes, open_eyes
from pentathlon.worlds.rendering.look_at import agent_camera

Action = Literal["MoveAhead", "RotateLeft", "RotateRight", "LookUp", "LookDown", "Stop"]
ACTIONS: tuple[Action, ...] = get_args(Action)

# Standard deviations of RoboTHOR's LoCoBot.
MOVE_NOISE_M = 0.005
TURN_NOISE_DEG = 0.5
SLIDE_STEP_M = 0.01


@dataclass(frozen=True)
class NavigatorSettings:
    """How the navigator moves and sees.

    Attributes:
        step_m: length of MoveAhead.
        turn_deg: angle of RotateLeft and RotateRight.
        look_deg: angle of LookUp and LookDown.
        most_look_deg: how far the camera may look up or down.
        noisy: whether moves and turns have RoboTHOR's Gaussian noise.
        collisions: ``stop`` stays in place when the way is blocked, ``slide`` goes on along the obstacle.
        radius_m: of the body.
        height_m: of the body; it passes under what is higher.
        camera_height_m: of the camera above the floor.
        fovy_deg: vertical field of view; 79 degrees wide at 4:3, as RoboTHOR's.
        size_px: width and height of the pictures.
        segmentation: whether pictures tell the object of each pixel.
        renderer: which eyes see.
        setting: the eyes' named setting.
    """

    step_m: float = 0.25
    turn_deg: float = 30.0
    look_deg: float = 30.0
    most_look_deg: float = 60.0
    noisy: bool = False
    collisions: Literal["stop", "slide"] = "stop"
    radius_m: float = RADIUS_M
    height_m: float = HEIGHT_M
    camera_height_m: float = 0.87
    fovy_deg: float = 63.45
    size_px: tuple[int, int] = (224, 224)
    segmentation: bool = False
    renderer: Renderer = "raycast"
    setting: Setting = "fast"

    def __post_init__(self) -> None:
        limits = {"step_m": 5.0, "turn_deg": 180.0, "look_deg": 90.0, "radius_m": 0.6, "fovy_deg": 179.0}
        check_limits(self, limits)
        if not 0.0 <= self.most_look_deg < 90.0:
            raise UsageError(f"Expected most_look_deg from 0 to below 90, got {self.most_look_deg}.")
        if self.collisions not in ("stop", "slide"):
            raise UnknownIdError("collision rule", self.collisions, ("stop", "slide"))


class Pose(NamedTuple):
    """Where the navigator stands and looks; yaw is counter-clockwise from +x, a positive pitch looks down."""

    x_m: float
    y_m: float
    yaw_deg: float
    pitch_deg: float = 0.0


class Sight(NamedTuple):
    """What the navigator sees; the last gives each pixel's place in ``house.objects``, -1 for the building."""

    rgb: NDArray[np.uint8]
    depth_m: NDArray[np.float32]
    object_index: NDArray[np.int32] | None


class Navigator:
    """A camera agent in a house. Nothing is simulated: where it may go follows from the navigation map.

    Attributes:
        collided: whether the last action was blocked.
        travelled_m: length of the way since ``place``.
    """

    def __init__(self, scene: HouseScene, settings: NavigatorSettings | None = None) -> None:
        self.scene = scene
        self.settings = settings or NavigatorSettings()
        self.data = scene.new_data()
        self.geometry = ObjectGeometry(scene)
        self.ways = NavigationMap.of_scene(
            scene.house, scene.model, self.data, self.settings.radius_m, self.settings.height_m
        )
        self._eyes: Eyes = open_eyes(scene.model, self.settings.renderer, self.settings.setting)
        self._random = np.random.default_rng(0)
        self.start = self.pose = Pose(0.0, 0.0, 0.0)
        self.collided = False
        self.travelled_m = 0.0

    def place(self, pose: Pose, seed: int = 0) -> None:
        """Puts the navigator down and seeds its noise.

        Raises:
            UsageError: when the place is inside a wall or furniture, or the pitch beyond what the camera can do.
        """
        self.ways.require_free(pose.x_m, pose.y_m)
        if abs(pose.pitch_deg) > self.settings.most_look_deg:
            raise UsageError(
                f"Expected a pitch within {self.settings.most_look_deg} degrees of level, got {pose.pitch_deg}."
            )
        self.start = self.pose = pose
        self.collided, self.travelled_m = False, 0.0
        self._random = np.random.default_rng(seed)

    def act(self, action: Action) -> None:
        """Carries out one action; ``collided`` tells afterwards whether it was blocked."""
        settings = self.settings
        self.collided = False
        if action == "MoveAhead":
            self._move(settings.step_m + self._noise(MOVE_NOISE_M))
        elif action == "RotateLeft":
            self._turn(settings.turn_deg)
        elif action == "RotateRight":
            self._turn(-settings.turn_deg)
        elif action == "LookUp":
            self._tilt(-settings.look_deg)
        elif action == "LookDown":
            self._tilt(settings.look_deg)
        elif action != "Stop":
            raise UnknownIdError("action", action, ACTIONS)

    def look(self, pose: Pose | None = None) -> Sight:
        """Sees from the present pose or another."""
        settings, pose = self.settings, pose or self.pose
        camera = agent_camera(
            pose.x_m, pose.y_m, pose.yaw_deg, settings.camera_height_m, pose.pitch_deg, settings.fovy_deg
        )
        frame = self._eyes.render(self.data, camera, settings.size_px)
        if not settings.segmentation:
            return Sight(frame.rgb, frame.depth_m, None)
        return Sight(frame.rgb, frame.depth_m, frame.ids(self.scene.object_of_geom, background=NO_OBJECT))

    def viewpoint(self, pose: Pose) -> Viewpoint:
        """Returns the camera of a pose for questions of visibility."""
        width, height = self.settings.size_px
        half_width = math.tan(math.radians(self.settings.fovy_deg) / 2) * width / height
        return Viewpoint(
            (pose.x_m, pose.y_m, self.settings.camera_height_m),
            pose.yaw_deg,
            pose.pitch_deg,
            math.degrees(2 * math.atan(half_width)),
            self.settings.fovy_deg,
        )

    @property
    def gps_m(self) -> tuple[float, float]:
        """The present place as seen from the start: metres ahead and to the left."""
        yaw = math.radians(self.start.yaw_deg)
        dx, dy = self.pose.x_m - self.start.x_m, self.pose.y_m - self.start.y_m
        return dx * math.cos(yaw) + dy * math.sin(yaw), dy * math.cos(yaw) - dx * math.sin(yaw)

    @property
    def compass_rad(self) -> float:
        """The turn since the start, counter-clockwise, from -pi to pi."""
        return math.remainder(math.radians(self.pose.yaw_deg - self.start.yaw_deg), 2 * math.pi)

    def close(self) -> None:
        """Frees the eyes."""
        self._eyes.close()

    def _turn(self, angle_deg: float) -> None:
        yaw_deg = self.pose.yaw_deg + angle_deg + self._noise(TURN_NOISE_DEG)
        self.pose = self.pose._replace(yaw_deg=yaw_deg % 360.0)

    def _tilt(self, angle_deg: float) -> None:
        pitch_deg = self.pose.pitch_deg + angle_deg
        self.collided = abs(pitch_deg) > self.settings.most_look_deg
        if not self.collided:
            self.pose = self.pose._replace(pitch_deg=pitch_deg)

    def _move(self, length_m: float) -> None:
        start = self.pose
        yaw = math.radians(start.yaw_deg)
        x, y = start.x_m + length_m * math.cos(yaw), start.y_m + length_m * math.sin(yaw)
        self.collided = not self.ways.clear_line((start.x_m, start.y_m), (x, y))
        if not self.collided:
            self.travelled_m += math.dist((start.x_m, start.y_m), (x, y))
        elif self.settings.collisions == "slide":
            x, y = self._slide(x - start.x_m, y - start.y_m)
        else:
            return
        self.pose = start._replace(x_m=x, y_m=y)

    def _slide(self, dx: float, dy: float) -> tuple[float, float]:
        """Goes the blocked move in small parts, each along x or y where it cannot go both ways at once."""
        x, y = self.pose.x_m, self.pose.y_m
        parts = max(1, math.ceil(math.hypot(dx, dy) / SLIDE_STEP_M))
        part_x, part_y = dx / parts, dy / parts
        for _ in range(parts):
            for go_x, go_y in ((part_x, part_y), (part_x, 0.0), (0.0, part_y)):
                if self.ways.is_free(x + go_x, y + go_y):
                    x, y = x + go_x, y + go_y
                    self.travelled_m += math.hypot(go_x, go_y)
                    break
        return x, y

    def _noise(self, deviation: float) -> float:
        return float(self._random.normal(0.0, deviation)) if self.settings.noisy else 0.0
