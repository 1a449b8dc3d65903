"""The arm agent: EXCALIBUR's discrete actions for a mobile base with a 6-DoF arm that feels weights by grasping.

The agent's joints are set, not driven by forces: an action is carried out whole where nothing is in the way and not at
all otherwise. Everything else in the house is simulated, and what the hand holds is tied to it by a weld, so that it
touches, pushes and falls as a solid does.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pentathlon.core.errors import UnknownIdError, UsageError
from pentathlon.worlds.houses.assets.to_mujoco import set_state
from pentathlon.worlds.houses.bodies.arm_actions import (
    ARM_ACTIONS,
    FORCE_ROUNDING_KGF,
    FORCE_STEP_KGF,
    HINGES,
    LIFTS,
    SHIFTS,
    ArmAction,
    ArmSettings,
)
from pentathlon.worlds.houses.bodies.arm_model import MAST_TOP_M, RADIUS_M, ROOT
from pentathlon.worlds.houses.bodies.arm_motion import FIRST_HINGE, HIGHEST, LIFT, LOWEST, REST, YAW, ArmMotion, X, Y
from pentathlon.worlds.houses.bodies.arm_scene import ArmScene
from pentathlon.worlds.houses.bodies.arm_touch import gap_to, grasp_target, mass_kg, nearest_handle
from pentathlon.worlds.houses.graph.relations import AgentState
from pentathlon.worlds.houses.graph.visibility import Viewpoint
from pentathlon.worlds.houses.house import State
from pentathlon.worlds.houses.scene.house_scene import NO_OBJECT, room_of_point
from pentathlon.worlds.rendering import Eyes, open_eyes
from pentathlon.worlds.rendering.look_at import agent_camera

Floats = NDArray[np.float64]
SWING_S = 0.8
SETTLE_S = 0.4
LEAST_SWING = 0.05
# Joints that have taken many steps may be this far beyond the end of their range.
ROUNDING = 1e-6


class Result(NamedTuple):
    """Whether an action was carried out, and why not."""

    ok: bool
    reason: str = ""


class ArmSight(NamedTuple):
    """What the agent sees; the last gives each pixel's place in ``house.objects``, -1 for everything else."""

    rgb: NDArray[np.uint8]
    depth_m: NDArray[np.float32]
    object_index: NDArray[np.int32] | None


DONE = Result(True)


class ArmAgent:
    """A mobile base with an arm in a house.

    Attributes:
        pitch_deg: of the camera; positive looks down.
        motion: the simulated body.
    """

    def __init__(self, scene: ArmScene, settings: ArmSettings | None = None) -> None:
        self.scene = scene
        self.settings = settings or ArmSettings()
        self.motion = ArmMotion(scene)
        self.pitch_deg = 0.0
        self._eyes: Eyes = open_eyes(scene.model, "raycast", self.settings.setting)

    @property
    def held(self) -> str | None:
        """Id of the object in the hand."""
        return None if self.motion.grip is None else self.motion.grip.object_id

    @property
    def pose(self) -> tuple[float, float, float]:
        """X and y in metres, and yaw in degrees, counter-clockwise from +x."""
        x, y, yaw = self.motion.posture[[X, Y, YAW]]
        return float(x), float(y), math.degrees(float(yaw)) % 360.0

    def place(self, x_m: float, y_m: float, yaw_deg: float) -> None:
        """Puts the house back to its file and the agent down in it, its arm tucked in.

        Raises:
            UsageError: when the place is in no room, or inside a wall or furniture.
        """
        self._require_indoors(x_m, y_m, yaw_deg)
        self.motion.reset()
        self.pitch_deg = 0.0
        self._show_hand()
        posture = REST.copy()
        posture[[X, Y, YAW]] = x_m, y_m, math.radians(yaw_deg)
        blocker = self.motion.overlap(posture)
        if blocker is not None:
            raise UsageError(f"Expected a free place for the arm agent, got ({x_m:.2f}, {y_m:.2f}) inside {blocker}.")
        self.motion.put(posture)
        self.motion.wait(SETTLE_S)

    def act(self, action: ArmAction, force_kgf: float = 0.0) -> Result:
        """Carries out one action.

        Args:
            action: one of ``ARM_ACTIONS``.
            force_kgf: for Grasp: a multiple of 0.05 kilogram-force; it lifts what weighs no more than that.
        """
        verbs: dict[str, Callable[[], Result]] = {
            "Grasp": lambda: self._grasp(force_kgf),
            "Release": self._release,
            "Open": lambda: self._swing(1.0),
            "Close": lambda: self._swing(0.0),
            "Done": lambda: DONE,
            "LookUp": lambda: self._look(-self.settings.angle_deg),
            "LookDown": lambda: self._look(self.settings.angle_deg),
        }
        if action in verbs:
            return verbs[action]()
        if action not in ARM_ACTIONS:
            raise UnknownIdError("action", action, ARM_ACTIONS)
        goal = self._goal(action)
        if goal is None or np.any(goal < LOWEST - ROUNDING) or np.any(goal > HIGHEST + ROUNDING):
            return Result(False, f"{action} is beyond the arm's reach.")
        blocker = self.motion.blocker(goal)
        if blocker is not None:
            return Result(False, f"{action} is blocked by {blocker}.")
        self.motion.move(goal)
        return DONE

    def look(self) -> ArmSight:
        """Sees through the camera on the mast."""
        settings = self.settings
        x, y, yaw_deg = self.pose
        camera = agent_camera(x, y, yaw_deg, settings.camera_height_m, self.pitch_deg, settings.fovy_deg)
        frame = self._eyes.render(self.motion.data, camera, settings.size_px)
        ids = frame.ids(self.scene.house_scene.object_of_geom, background=NO_OBJECT) if settings.segmentation else None
        return ArmSight(frame.rgb, frame.depth_m, ids)

    def as_node(self) -> AgentState:
        """Returns the agent as the scene graph wants it: its eyes, the box of its base, and what it holds."""
        x, y, yaw_deg = self.pose
        settings = self.settings
        width, height = settings.size_px
        half_width = math.tan(math.radians(settings.fovy_deg) / 2) * width / height
        view = Viewpoint(
            (x, y, settings.camera_height_m),
            yaw_deg,
            self.pitch_deg,
            math.degrees(2 * math.atan(half_width)),
            settings.fovy_deg,
            int(self.scene.model.body(ROOT).id),
        )
        low, high = (x - RADIUS_M, y - RADIUS_M, 0.0), (x + RADIUS_M, y + RADIUS_M, MAST_TOP_M)
        return AgentState(view, low, high, self.held)

    def close(self) -> None:
        """Frees the eyes."""
        self._eyes.close()

    def _require_indoors(self, x_m: float, y_m: float, yaw_deg: float) -> None:
        if not all(map(math.isfinite, (x_m, y_m, yaw_deg))):
            raise UsageError(f"Expected a finite place and yaw for the arm agent, got ({x_m}, {y_m}, {yaw_deg}).")
        house = self.scene.house_scene.house
        if room_of_point(house, x_m, y_m) is None:
            raise UsageError(
                f"Expected a place for the arm agent in one of the {len(house.rooms)} rooms, got ({x_m:g}, {y_m:g})."
            )

    def _goal(self, action: str) -> Floats | None:
        posture, settings = self.motion.posture, self.settings
        step = math.radians(settings.angle_deg)
        if action in ("MoveAhead", "MoveBack"):
            length = settings.step_m if action == "MoveAhead" else -settings.step_m
            posture[[X, Y]] += length * np.array([math.cos(posture[YAW]), math.sin(posture[YAW])])
        elif action in ("RotateLeft", "RotateRight"):
            posture[YAW] += step if action == "RotateLeft" else -step
        elif action in LIFTS:
            posture[LIFT] += LIFTS[action] * settings.arm_step_m
        elif action in HINGES:
            hinge, direction = HINGES[action]
            posture[FIRST_HINGE + hinge] += direction * step
        else:
            ahead, left, up = SHIFTS[action]
            cosine, sine = math.cos(posture[YAW]), math.sin(posture[YAW])
            shift = np.array([cosine * ahead - sine * left, sine * ahead + cosine * left, up])
            return self.motion.reach(shift * settings.arm_step_m)
        return posture

    def _look(self, angle_deg: float) -> Result:
        if abs(self.pitch_deg + angle_deg) > self.settings.most_look_deg:
            return Result(False, f"The camera tilts no further than {self.settings.most_look_deg} degrees.")
        self.pitch_deg += angle_deg
        return DONE

    def _grasp(self, force_kgf: float) -> Result:
        steps = force_kgf / FORCE_STEP_KGF
        if not (0.0 < steps < math.inf and abs(steps - round(steps)) < 1e-4):
            raise UsageError(
                f"Expected a grasp force that is a positive multiple of {FORCE_STEP_KGF} kgf, got {force_kgf}."
            )
        if self.held is not None:
            return Result(False, f"The hand already holds {self.held}; release it first.")
        object_id = grasp_target(self.scene, self.motion.data, self.settings.grasp_reach_m)
        if object_id is None:
            return Result(False, f"Nothing to grasp within {self.settings.grasp_reach_m} m of the finger tips.")
        if force_kgf + FORCE_ROUNDING_KGF < mass_kg(self.scene, object_id):
            return Result(False, f"{object_id} slips: {force_kgf:.2f} kgf do not lift it.")
        gap_m = gap_to(self.scene, self.motion.data, object_id)
        assert gap_m is not None
        self.motion.close_on(object_id, gap_m)
        self._show_hand()
        return DONE

    def _release(self) -> Result:
        if self.held is None:
            return Result(False, "The hand holds nothing.")
        self.motion.release()
        self._show_hand()
        self.motion.wait(SETTLE_S)
        return DONE

    def _swing(self, fraction: float) -> Result:
        """Opens or closes what the finger tips are near; the arm tucks itself in, out of the way of the door."""
        verb, past = ("open", "open") if fraction > 0 else ("close", "closed")
        if self.held is not None:
            return Result(False, f"The hand holds {self.held} and cannot {verb} anything.")
        found = nearest_handle(self.scene, self.motion.data, self.settings.handle_reach_m)
        if found is None:
            return Result(False, f"No handle within {self.settings.handle_reach_m} m of the finger tips.")
        joint, reach = found.model_joint, found.reach
        before = self.motion.posture
        self.motion.put(np.concatenate([before[:LIFT], REST[LIFT:]]))
        start = float(self.motion.data.qpos[self.scene.model.joint(joint).qposadr[0]])
        reached = self.motion.free_swing(joint, reach * fraction)
        if abs(reached - start) < LEAST_SWING * reach:
            self.motion.put(before)
            return Result(False, f"{found.owner} is {past} already, or something stands in its way.")
        self.motion.swing(joint, reached, SWING_S)
        return DONE

    def _show_hand(self) -> None:
        set_state(self.scene.model, self.scene.hand, State(on=self.held is not None))
