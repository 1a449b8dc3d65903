"""Trains DMControl's experts by soft actor-critic that starts from the planner's episodes.

A network's action follows from the state alone, which makes its demonstrations learnable; a planner's also follows
from its own noise and from what it planned before.
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import torch

from pentathlon.core.identity import derive_seed
from pentathlon.learning.reinforcement.sac import Learner, SacSettings
from pentathlon.learning.reinforcement.settings import DmcontrolExpertSettings
from pentathlon.worlds.control.dmcontrol import DMControlPhysics, make_physics
from pentathlon.worlds.control.experts.dmcontrol_view import View
from pentathlon.worlds.control.experts.table import make_planner
from pentathlon.worlds.control.physics import Array
from pentathlon.worlds.control.suites import load_model
from pentathlon.worlds.control.tasks import ControlTask, control_task

PRIOR_STEPS = 250


class Worlds:
    """Simulations of one task, stepped in turn; each starts anew after ``horizon`` steps."""

    def __init__(self, task: ControlTask, count: int, seed: int, models: Path | None = None) -> None:
        self._physics = [_physics(task, models) for _ in range(count)]
        self._views = [View(physics) for physics in self._physics]
        self._generator = np.random.default_rng(seed)
        self._horizon = task.horizon
        self.restart()
        # So that they do not all start anew at once.
        self._ages = np.linspace(0, task.horizon, count, endpoint=False).astype(int)

    def restart(self) -> None:
        """Starts all anew, for whole episodes."""
        self._ages = np.zeros(len(self._physics), int)
        for physics in self._physics:
            physics.reset(self._generator)
        self.seen = np.stack([view() for view in self._views])

    def step(self, actions: Array) -> Array:
        """Steps all and returns a transition of each; ``seen`` is what they see next."""
        before = self.seen
        for physics, action in zip(self._physics, actions, strict=True):
            physics.step(action)
        rewards = np.array([physics.reward() for physics in self._physics])
        after = np.stack([view() for view in self._views])
        self.seen = after.copy()
        self._ages += 1
        for index in np.flatnonzero(self._ages >= self._horizon):
            self._physics[index].reset(self._generator)
            self._ages[index] = 0
            self.seen[index] = self._views[index]()
        return np.concatenate([before, actions, rewards[:, None], after], axis=1)


def _physics(task: ControlTask, models: Path | None) -> DMControlPhysics:
    return make_physics(task.key, load_model(task, models) if models else None)


def record_prior(task: ControlTask, episodes: int, models: Path | None = None) -> Array:
    """Transitions of the planner's episodes."""
    rows = []
    physics = _physics(task, models)
    view, planner = View(physics), make_planner(task, physics)
    for episode in range(episodes):
        generator = np.random.default_rng(derive_seed("prior", task.name, episode))
        physics.reset(generator)
        planner.reset(generator)
        for _ in range(PRIOR_STEPS):
            before, action = view(), planner.act()
            physics.step(action)
            rows.append(np.concatenate([before, action, [physics.reward()], view()]))
    return np.stack(rows)


def returns(learner: Learner, worlds: Worlds, steps: int) -> Array:
    """Sums of rewards of the policy without noise, over whole episodes."""
    worlds.restart()
    reward_column = -1 - worlds.seen.shape[1]
    total = np.zeros(len(worlds.seen))
    for _ in range(steps):
        total += worlds.step(learner.act(worlds.seen, explore=False))[:, reward_column]
    return total


def train(task: ControlTask, prior: Array, sac: SacSettings, settings: DmcontrolExpertSettings) -> None:
    """Plays and learns until the time is up; the best policy of all tests, the last one included, is kept."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(settings.seed)
    worlds = Worlds(task, sac.worlds, settings.seed, settings.models)
    trial = Worlds(task, sac.worlds, settings.seed + 1, settings.models)
    learner = Learner(prior, worlds.seen.shape[1], sac, device, settings.start)
    learner.learn_from(prior[: sac.worlds])
    began_s = tested_s = time.monotonic()
    best, steps, ended = -np.inf, 0, False
    while not ended:
        actions = learner.act(worlds.seen, explore=True)
        for _ in range(sac.worlds):
            learner.update()
        learner.learn_from(worlds.step(actions))
        steps += sac.worlds
        now_s = time.monotonic()
        ended = now_s - began_s > 60 * settings.minutes
        if ended or now_s - tested_s > settings.test_every_s:
            scores = returns(learner, trial, task.horizon)
            if scores.mean() > best:
                best = scores.mean()
                learner.save(settings.out)
            tested_s = time.monotonic()
            reached = f"{scores.mean():.0f} (least {scores.min():.0f}), best {best:.0f}"
            print(f"{task.name} {tested_s - began_s:.0f} s, {steps} steps: {reached}", flush=True)


def train_expert(settings: DmcontrolExpertSettings) -> None:
    """Records the planner's episodes if need be, and trains."""
    task = control_task(settings.task)
    if settings.prior and settings.prior.exists():
        prior = np.load(settings.prior)
    else:
        prior = record_prior(task, settings.episodes, settings.models)
        if settings.prior:
            with settings.prior.open("wb") as file:
                np.save(file, prior)
    train(task, prior, SacSettings(), settings)
