"""Sampling-based model predictive control on ``mujoco.rollout``: MPPI over knots joined by straight lines.

Williams et al. 2017, "Information theoretic MPC". Only mujoco and numpy are needed.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
from mujoco import rollout

from pentathlon.worlds.control.experts.table import PlannerSettings
from pentathlon.worlds.control.physics import Array, Physics


@dataclass(frozen=True)
class Rollouts:
    """What the sampled plans lead to, at the end of each control step: arrays ``[samples, horizon, ...]``."""

    model: Any
    states: Array
    sensors: Array
    actions: Array

    @property
    def qpos(self) -> Array:
        """Joint positions."""
        return self.states[..., 1 : 1 + self.model.nq]

    @property
    def qvel(self) -> Array:
        """Joint velocities."""
        return self.states[..., 1 + self.model.nq : 1 + self.model.nq + self.model.nv]

    def sensor(self, name: str) -> Array:
        """A named sensor's readings."""
        sensor = self.model.sensor(name)
        start = int(sensor.adr[0])
        return self.sensors[..., start : start + int(sensor.dim[0])]


Objective = Callable[[Rollouts], Array]
"""Rewards ``[samples, horizon]`` of what plans lead to."""


class Planner:
    """Plans for one simulation; the plan is kept and moved on between calls.

    Attributes:
        physics: the world that is planned for; its model is copied at :meth:`reset`.
    """

    def __init__(
        self,
        physics: Physics,
        objective: Objective,
        settings: PlannerSettings,
        threads: int = 1,
    ) -> None:
        self.physics, self.objective, self.settings = physics, objective, settings
        self._threads = threads
        self._pool = rollout.Rollout(nthread=threads if threads > 1 else 0)
        positions = np.linspace(0, settings.horizon - 1, settings.knots)
        gap = positions[1] - positions[0]
        self._basis = np.maximum(0.0, 1.0 - np.abs(np.arange(settings.horizon)[:, None] - positions) / gap)

    def reset(self, generator: np.random.Generator) -> None:
        """Forgets the plan and takes over the episode's model."""
        self._generator = generator
        self._model = copy.copy(self.physics.model)
        self._model.opt.timestep *= self.settings.timestep_factor
        self._model.opt.noslip_iterations = 0  # A third of the hand's step time; the planned-for world keeps them.
        self._substeps = max(1, round(self.physics.substeps / self.settings.timestep_factor))
        self._datas = [mujoco.MjData(self._model) for _ in range(max(1, self._threads))]
        self._plan = np.zeros((self.settings.horizon, self.physics.action_size))
        self._step = 0

    def act(self) -> Array:
        """Plans if it is time to, and returns the next action."""
        if self._step % self.settings.replan_every == 0:
            self._improve()
        self._step += 1
        action: Array = self._plan[0].copy()
        self._plan = np.concatenate([self._plan[1:], self._plan[-1:]])
        return action

    def _improve(self) -> None:
        actions = self._sample()
        returns = np.nan_to_num(self.objective(self._simulate(actions)).mean(1), nan=-1e9, neginf=-1e9)
        spread = returns.max() - np.median(returns)
        weights = np.exp((returns - returns.max()) / (self.settings.temperature * spread + 1e-9))
        self._plan = np.einsum("k,khn->hn", weights / weights.sum(), actions)

    def _sample(self) -> Array:
        """Actions ``[samples, horizon, size]``: the present plan, and plans with small and with large noise."""
        shape = (self.settings.samples, self.settings.knots, self.physics.action_size)
        scale = self.settings.noise * self._generator.choice([0.3, 1.0], size=(shape[0], 1, 1))
        knots = self._generator.standard_normal(shape) * scale
        knots *= self._generator.random((shape[0], 1, shape[2])) < self.settings.density
        knots[0] = 0.0
        # Only the noise is smooth: fitting the moved-on plan to the knots again would wash it out step by step.
        sampled: Array = self._plan + np.einsum("hp,kpn->khn", self._basis, knots)
        return sampled.clip(-1.0, 1.0)

    def _simulate(self, actions: Array) -> Rollouts:
        signature = mujoco.mjtState.mjSTATE_FULLPHYSICS
        start = np.empty(mujoco.mj_stateSize(self._model, signature))
        mujoco.mj_getState(self.physics.model, self.physics.data, start, signature)
        controls = np.repeat(actions, self._substeps, axis=1)
        states, sensors = self._pool.rollout(self._model, self._datas, np.tile(start, (len(actions), 1)), controls)
        ends = slice(self._substeps - 1, None, self._substeps)
        return Rollouts(self._model, states[:, ends], sensors[:, ends], actions)
