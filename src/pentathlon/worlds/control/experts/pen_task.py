"""Adroit pen as a reinforcement-learning problem over many hands at once, in numpy on ``mujoco.rollout``."""

from __future__ import annotations

import copy
from typing import Any, NamedTuple

import mujoco
import numpy as np
from mujoco import rollout

from pentathlon.worlds.control.adroit import PEN_DISTANCE_M, Pen, pen_error
from pentathlon.worlds.control.physics import Array

OBSERVATION_SIZE = 45
ACTION_SIZE = 24
HORIZON = 100
FALLEN_HEIGHT_M = 0.075
_STATE = mujoco.mjtState.mjSTATE_FULLPHYSICS


class Views(NamedTuple):
    """What policies and rewards are computed from; arrays ``[hands, ...]``."""

    joints: Array
    velocity: Array
    pen: Array
    axis: Array
    goal_axis: Array
    goal: Array


def observe(views: Views) -> Array:
    """The environment's 45 numbers: hand joints, pen place, velocity and direction, and how far they are off."""
    return np.concatenate(
        [
            views.joints,
            views.pen,
            views.velocity,
            views.axis,
            views.goal_axis,
            views.pen - views.goal,
            views.axis - views.goal_axis,
        ],
        axis=-1,
    )


def dense_reward(views: Views) -> Array:
    """The environment's dense reward, a tenth of it: closeness, and bonuses at 26 and 18 degrees."""
    distance_m = np.linalg.norm(views.pen - views.goal, axis=-1)
    cosine = (views.axis * views.goal_axis).sum(-1)
    near = distance_m < PEN_DISTANCE_M
    reward = -distance_m + cosine + 10.0 * (near & (cosine > 0.9)) + 50.0 * (near & (cosine > 0.95))
    return np.asarray(0.1 * (reward - 5.0 * (views.pen[..., 2] < FALLEN_HEIGHT_M)))


def views_of(physics: Pen) -> Views:
    """Looks at one simulated hand."""
    sensor = physics.sensor
    return Views(
        np.array(physics.data.qpos[:ACTION_SIZE]),
        np.array(physics.data.qvel[-6:]),
        np.array(sensor("object")),
        _unit(sensor("object_top") - sensor("object_bottom")),
        _unit(sensor("target_top") - sensor("target_bottom")),
        np.array(sensor("goal")),
    )


class PenBatch:
    """``hands`` simulations stepped together; they share one model, since targets touch nothing.

    Args:
        physics: the task; its model is copied.
        hands: how many.
        threads: for the rollouts.
        timestep_factor: coarser physics for cheaper training; 1 is the task's own.
    """

    def __init__(self, physics: Pen, hands: int, threads: int, timestep_factor: float = 1.0) -> None:
        self.hands = hands
        self._physics = physics
        self._model = copy.copy(physics.model)
        self._model.opt.timestep *= timestep_factor
        if timestep_factor > 1.0:
            self._model.opt.noslip_iterations = 0
        self._substeps = max(1, round(physics.substeps / timestep_factor))
        self._datas = [mujoco.MjData(self._model) for _ in range(max(1, threads))]
        self._pool = rollout.Rollout(nthread=threads if threads > 1 else 0)

    def reset(self, generator: np.random.Generator) -> Views:
        """Starts ``hands`` episodes with targets drawn from ``generator``."""
        starts = [self._start(generator) for _ in range(self.hands)]
        self._states = np.stack([state for state, _ in starts])
        self._views = Views(*(np.stack(parts) for parts in zip(*(views for _, views in starts), strict=True)))
        return self._views

    def _start(self, generator: np.random.Generator) -> tuple[Array, Views]:
        self._physics.reset(generator)
        state = np.empty(mujoco.mj_stateSize(self._model, _STATE))
        mujoco.mj_getState(self._physics.model, self._physics.data, state, _STATE)
        return state, views_of(self._physics)

    def step(self, actions: Array) -> Views:
        """Applies ``actions[hands, 24]``."""
        controls = self._physics.to_control(np.clip(actions, -1.0, 1.0))
        controls = np.repeat(controls[:, None], self._substeps, axis=1)
        states, sensors = self._pool.rollout(self._model, self._datas, self._states, controls)
        self._states = states[:, -1].copy()
        self._views = self._look(self._states, sensors[:, -1])
        return self._views

    def _look(self, states: Array, sensors: Array) -> Views:
        model = self._model
        joints = states[:, 1 : 1 + ACTION_SIZE]
        velocity = states[:, 1 + model.nq + model.nv - 6 : 1 + model.nq + model.nv]
        top, bottom = self._read(sensors, "object_top"), self._read(sensors, "object_bottom")
        pen = self._read(sensors, "object")
        return Views(joints, velocity, pen, _unit(top - bottom), self._views.goal_axis, self._views.goal)

    def _read(self, sensors: Array, name: str) -> Array:
        start = int(self._model.sensor(name).adr[0])
        return sensors[:, start : start + 3]


def achieved(views: Views) -> Array:
    """Whether each hand holds its pen at the goal."""
    zero = np.zeros(3)
    distance_m, cosine = pen_error(views.pen, views.goal, views.axis, zero, views.goal_axis, zero)
    return np.asarray((distance_m < PEN_DISTANCE_M) & (cosine > 0.95))


def _unit(vectors: Any) -> Array:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True))
