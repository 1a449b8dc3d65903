"""How the arm agent moves: where nothing is in the way, carrying what it holds, while the house is simulated."""

from __future__ import annotations

import math
from typing import NamedTuple

import mujoco
import numpy as np
from numpy.typing import NDArray

from pentathlon.worlds.houses.bodies.arm_model import GRASP_SITE, GRASP_WELD, LINKS
from pentathlon.worlds.houses.bodies.arm_scene import ArmScene

Floats = NDArray[np.float64]
Depths = dict[tuple[int, int], float]
# Places in a posture: x, y, yaw, then the lift and the hinges in the order of LINKS.
X, Y, YAW, LIFT = 0, 1, 2, 3
FIRST_HINGE = 4
LOWEST = np.array([-math.inf] * 3 + [link.lowest for link in LINKS])
HIGHEST = np.array([math.inf] * 3 + [link.highest for link in LINKS])
REST = np.array([0.0] * 3 + [link.rest for link in LINKS])

SPEED_M_S = 0.8
TURN_RAD_S = 2.0
CHECK_STEP_M = 0.025
CHECK_STEP_RAD = math.radians(4.0)
# Solids may sink this far into each other before they count as being in the way.
TOUCH_M = 0.004
# The arm gets no farther than this from the middle of the base, seen from above; what is beyond is in nobody's way.
FARTHEST_M = 1.4
HELD_CONTYPE = 2
# So many that a door of 0.9 m moves by less than the width of a hand from one to the next, and passes through none.
SWING_CHECKS = 40
# What is held trails behind the hand a little; these steps let it catch up.
CATCH_UP_STEPS = 12
REACHED_M = 0.004
GRIP_DEPTH_M = 0.015
ORIENTATION_WEIGHT_M = 0.15
DAMPING = 0.03


class Grip(NamedTuple):
    """What the hand holds: the object, its body, and its pose in the frame of the hand."""

    object_id: str
    body: int
    position_m: Floats
    quaternion: Floats


class ArmMotion:
    """The posture of an arm agent in a simulated house.

    Attributes:
        data: the state of the house, in step with the posture.
        grip: what the hand holds.
        trial: the state in which postures are tried; after :meth:`overlap` that of the posture asked about.
    """

    def __init__(self, scene: ArmScene) -> None:
        self.scene, self.model = scene, scene.model
        self.data = scene.house_scene.new_data()
        self.grip: Grip | None = None
        self.trial = mujoco.MjData(self.model)
        self._qpos, self._qvel = scene.joint_addresses
        self._hand = self.model.body(scene.hand.name).id
        self._site = self.model.site(GRASP_SITE).id
        self._weld = self.model.eq(GRASP_WELD).id
        self._affinity = self.model.geom_conaffinity.copy()
        self._own_affinity = np.where(scene.agent_geoms, self._affinity, 0)
        self._body_bits = self.model.body_contype.copy(), self.model.body_conaffinity.copy()
        self._within_m2 = (_extents_m(self.model, scene.agent_geoms) + FARTHEST_M) ** 2

    @property
    def posture(self) -> Floats:
        """Base, lift and hinges at present."""
        found: Floats = self.data.qpos[self._qpos].copy()
        return found

    @property
    def grasp_point_m(self) -> Floats:
        """The point between the finger tips."""
        found: Floats = self.data.site_xpos[self._site].copy()
        return found

    def reset(self) -> None:
        """Puts the house back to its file."""
        self.release()
        self.data = self.scene.house_scene.new_data()

    def put(self, posture: Floats) -> None:
        """Sets a posture at once."""
        self.data.qpos[self._qpos] = posture
        self.data.qvel[self._qvel] = 0.0
        mujoco.mj_forward(self.model, self.data)

    def overlap(self, posture: Floats, before: Depths | None = None) -> str | None:
        """Tells what the agent would be inside of in a posture, farther than ``before``; ``None`` for nothing."""
        return self._first_beyond(self._depths(posture), before or {})

    def depths(self) -> Depths:
        """How deep the agent and what it holds are in other solids at present, by pair of geoms."""
        return self._depths(self.posture)

    def blocker(self, goal: Floats, ignored_body: int = -1) -> str | None:
        """Tells what, other than an ignored thing, is in the way of moving straight to a posture."""
        start = self.posture
        change = goal - start
        turning = float(np.abs(change[[YAW, *range(FIRST_HINGE, len(goal))]]).max()) / CHECK_STEP_RAD
        moving = float(np.abs(change[[X, Y, LIFT]]).max()) / CHECK_STEP_M
        parts = max(1, math.ceil(max(turning, moving)))
        before = self._depths(start)
        for part in range(1, parts + 1):
            found = self._first_beyond(self._depths(start + change * part / parts), before, ignored_body)
            if found is not None:
                return found
        return None

    def move(self, goal: Floats) -> None:
        """Goes straight to a posture while the house is simulated; where nothing in it stirs, it is there at once."""
        start = self.posture
        if self._is_quiet and not self._touches_at(goal):
            return
        change = goal - start
        turning_s = float(np.abs(change[[YAW, *range(FIRST_HINGE, len(goal))]]).max()) / TURN_RAD_S
        seconds = max(turning_s, float(np.abs(change[[X, Y, LIFT]]).max()) / SPEED_M_S)
        steps = max(1, math.ceil(seconds / self.model.opt.timestep))
        for step in range(1, steps + 1):
            self._step(start + change * step / steps)
        for _ in range(CATCH_UP_STEPS if self.grip is not None else 0):
            self._step(goal)
        mujoco.mj_forward(self.model, self.data)

    def wait(self, seconds: float) -> None:
        """Lets the house be for a while."""
        if self._is_quiet:
            return
        posture = self.posture
        for _ in range(math.ceil(seconds / self.model.opt.timestep)):
            self._step(posture)
        mujoco.mj_forward(self.model, self.data)

    def swing(self, joint: str, goal: float, seconds: float) -> None:
        """Moves a joint of the house to a position, evenly; what lies in a drawer goes with it."""
        handle, posture = self.model.joint(joint), self.posture
        address, dof = handle.qposadr[0], handle.dofadr[0]
        start = float(self.data.qpos[address])
        steps = max(1, math.ceil(seconds / self.model.opt.timestep))
        for step in range(1, steps + 1):
            self.data.qvel[dof] = (goal - start) / seconds
            self._step(posture)
            self.data.qpos[address] = start + (goal - start) * step / steps
        self.data.qvel[dof] = 0.0
        mujoco.mj_forward(self.model, self.data)

    def free_swing(self, joint: str, goal: float, posture: Floats | None = None) -> float:
        """Returns how far a joint of the house can go towards a position before it meets the agent or the building.

        Args:
            joint: its name in the model.
            goal: the position.
            posture: of the agent; as it is now by default.
        """
        address = self.model.joint(joint).qposadr[0]
        moved = self.model.geom_bodyid == self.model.joint(joint).bodyid[0]
        fixed = (self.model.body_weldid[self.model.geom_bodyid] == 0) | self.scene.agent_geoms
        start = reached = float(self.data.qpos[address])
        self.trial.qpos[:] = self.data.qpos
        if posture is not None:
            self.trial.qpos[self._qpos] = posture
        for share in np.linspace(1.0 / SWING_CHECKS, 1.0, SWING_CHECKS):
            self.trial.qpos[address] = start + (goal - start) * share
            mujoco.mj_kinematics(self.model, self.trial)
            mujoco.mj_collision(self.model, self.trial)
            a, b = self.trial.contact.geom.T
            meets = (moved[a] & fixed[b]) | (moved[b] & fixed[a])
            if np.any(meets & (self.trial.contact.dist < -TOUCH_M)):
                break
            reached = float(self.trial.qpos[address])
        return reached

    def close_on(self, object_id: str, gap_m: Floats) -> None:
        """Brings the finger tips the last bit to an object, where nothing else is in the way, and holds it."""
        body = self.scene.house_scene.body_id(object_id)
        self._set_contype(body, HELD_CONTYPE)
        goal = self.reach(gap_m * (1.0 + GRIP_DEPTH_M / max(float(np.linalg.norm(gap_m)), GRIP_DEPTH_M)))
        if goal is not None and self.blocker(goal, body) is None:
            self.move(goal)
        self._tie(object_id, body)

    def release(self) -> None:
        """Lets go of what is held."""
        if self.grip is not None:
            self.data.eq_active[self._weld] = 0
            self._set_contype(self.grip.body, 1)
            self.grip = None

    def reach(self, shift_m: Floats) -> Floats | None:
        """Returns the posture that shifts the grasp point, keeping the hand's direction as well as it can.

        Damped least squares over the six hinges; ``None`` where the arm does not reach.
        """
        trial, posture = self.trial, self.posture
        trial.qpos[:] = self.data.qpos
        goal_m, goal_turn = self.grasp_point_m + shift_m, self.data.site_xmat[self._site].reshape(3, 3)
        jacobian_m, jacobian_rad = np.zeros((3, self.model.nv)), np.zeros((3, self.model.nv))
        hinges = self._qvel[FIRST_HINGE:]
        for _ in range(60):
            trial.qpos[self._qpos] = posture
            mujoco.mj_kinematics(self.model, trial)
            mujoco.mj_comPos(self.model, trial)
            gap_m = goal_m - trial.site_xpos[self._site]
            gap_rad = _turn_between(trial.site_xmat[self._site].reshape(3, 3), goal_turn)
            if np.linalg.norm(gap_m) < REACHED_M and np.linalg.norm(gap_rad) < 0.02:
                break
            mujoco.mj_jacSite(self.model, trial, jacobian_m, jacobian_rad, self._site)
            rows = np.vstack([jacobian_m[:, hinges], ORIENTATION_WEIGHT_M * jacobian_rad[:, hinges]])
            gap = np.concatenate([gap_m, ORIENTATION_WEIGHT_M * gap_rad])
            posture[FIRST_HINGE:] += rows.T @ np.linalg.solve(rows @ rows.T + DAMPING**2 * np.eye(6), gap)
            posture = np.clip(posture, LOWEST, HIGHEST)
        return posture if np.linalg.norm(gap_m) < REACHED_M else None

    def _tie(self, object_id: str, body: int) -> None:
        turn = self.data.xmat[self._hand].reshape(3, 3)
        position = turn.T @ (self.data.xpos[body] - self.data.xpos[self._hand])
        inverse, quaternion = np.zeros(4), np.zeros(4)
        mujoco.mju_negQuat(inverse, self.data.xquat[self._hand])
        mujoco.mju_mulQuat(quaternion, inverse, self.data.xquat[body])
        self.grip = Grip(object_id, body, position, quaternion)
        self.model.eq_obj2id[self._weld] = body
        self.model.eq_data[self._weld] = np.concatenate([np.zeros(3), position, quaternion, [1.0]])
        self.data.eq_active[self._weld] = 1

    def _step(self, posture: Floats) -> None:
        self.data.qpos[self._qpos] = posture
        self.data.qvel[self._qvel] = 0.0
        mujoco.mj_step(self.model, self.data)
        self.data.qpos[self._qpos] = posture

    @property
    def _is_quiet(self) -> bool:
        """Whether everything but the agent, which never sleeps, is at rest."""
        return self.grip is None and int(self.data.ntree_awake) <= 1

    def _touches_at(self, posture: Floats) -> bool:
        """Sets a posture at once, and tells whether the agent touches something there that could move."""
        self.put(posture)
        mine, contact = self.scene.agent_geoms, self.data.contact
        a, b = contact.geom.T
        other = np.where(mine[a], b, a)
        loose = self.model.body_weldid[self.model.geom_bodyid[other]] != 0
        return bool(np.any((mine[a] != mine[b]) & loose & (contact.dist < 0.0)))

    def _own_geoms(self) -> NDArray[np.bool_]:
        if self.grip is None:
            return self.scene.agent_geoms
        held: NDArray[np.bool_] = self.model.body_rootid[self.model.geom_bodyid] == self.grip.body
        return held | self.scene.agent_geoms

    def _depths(self, posture: Floats) -> Depths:
        """How deep the agent and what it holds are in other solids, by pair of geoms."""
        trial = self.trial
        trial.qpos[:] = self.data.qpos
        trial.qpos[self._qpos] = posture
        mujoco.mj_kinematics(self.model, trial)
        if self.grip is not None:
            self._carry(trial, self.grip)
        mine = self._own_geoms()
        self._collide_with(mine, trial)
        if not trial.ncon:
            return {}
        a, b = trial.contact.geom.T
        hits = np.flatnonzero((mine[a] != mine[b]) & (trial.contact.dist < 0.0))
        return {(int(a[i]), int(b[i])): -float(trial.contact.dist[i]) for i in hits}

    def _collide_with(self, mine: NDArray[np.bool_], trial: mujoco.MjData) -> None:
        """Finds contacts of some geoms with others; those of the others among themselves cost most and tell nothing."""
        model = self.model
        if self.grip is None:
            model.geom_conaffinity[:] = self._own_affinity
            x_m, y_m = trial.qpos[self._qpos[:2]]
            far = (trial.xpos[:, 0] - x_m) ** 2 + (trial.xpos[:, 1] - y_m) ** 2 > self._within_m2
            model.body_contype[far] = model.body_conaffinity[far] = 0
        else:
            model.geom_conaffinity[:] = np.where(mine, self._affinity, 0)
        mujoco.mj_collision(model, trial)
        model.geom_conaffinity[:] = self._affinity
        model.body_contype[:], model.body_conaffinity[:] = self._body_bits

    def _first_beyond(self, depths: Depths, before: Depths, ignored_body: int = -1) -> str | None:
        if not depths:
            return None
        mine = self._own_geoms()
        for (a, b), depth in depths.items():
            other = b if mine[a] else a
            ignored = self.model.body_rootid[self.model.geom_bodyid[other]] == ignored_body
            if depth > before.get((a, b), 0.0) + TOUCH_M and not ignored:
                return self.scene.name_of_geom(other)
        return None

    def _carry(self, trial: mujoco.MjData, grip: Grip) -> None:
        address = self.model.joint(self.model.body_jntadr[grip.body]).qposadr[0]
        turn = trial.xmat[self._hand].reshape(3, 3)
        trial.qpos[address : address + 3] = trial.xpos[self._hand] + turn @ grip.position_m
        mujoco.mju_mulQuat(trial.qpos[address + 3 : address + 7], trial.xquat[self._hand], grip.quaternion)
        mujoco.mj_kinematics(self.model, trial)

    def _set_contype(self, body: int, contype: int) -> None:
        """What is held must not push the hand that holds it; see `add_arm` for the agent's own bits."""
        own = (self.model.body_rootid[self.model.geom_bodyid] == body) & (self.model.geom_conaffinity == 1)
        self.model.geom_contype[own] = contype


def _extents_m(model: mujoco.MjModel, agent_geoms: NDArray[np.bool_]) -> Floats:
    """How far each body's geoms are from its origin at most; infinitely far for the building's and the agent's."""
    found = np.zeros(model.nbody)
    solid = (model.geom_contype | model.geom_conaffinity) != 0
    rounds = np.where(model.geom_rbound > 0.0, np.linalg.norm(model.geom_pos, axis=1) + model.geom_rbound, np.inf)
    np.maximum.at(found, model.geom_bodyid[solid], rounds[solid])
    found[model.geom_bodyid[agent_geoms]] = np.inf
    found[0] = np.inf
    return found


def _turn_between(start: Floats, goal: Floats) -> Floats:
    """Returns the rotation vector, in the world, that turns one orientation into the other."""
    quaternion, turn = np.zeros(4), np.zeros(3)
    mujoco.mju_mat2Quat(quaternion, (goal @ start.T).ravel())
    mujoco.mju_quat2Vel(turn, quaternion, 1.0)
    return turn
