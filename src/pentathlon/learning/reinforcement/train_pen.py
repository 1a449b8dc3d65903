"""Trains the expert of Adroit's pen with PPO on full episodes (Schulman et al. 2017)."""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass
from pathlib import Path

import mujoco
import numpy as np
import torch
from torch import Tensor, nn

from pentathlon.learning.descent import descend
from pentathlon.learning.reinforcement.ppo_loss import clipped_gain, generalised_advantages, standardised
from pentathlon.learning.reinforcement.settings import PenExpertSettings
from pentathlon.worlds.control.adroit import Pen, make_physics
from pentathlon.worlds.control.experts.pen_task import (
    ACTION_SIZE,
    HORIZON,
    OBSERVATION_SIZE,
    PenBatch,
    achieved,
    dense_reward,
    observe,
)
from pentathlon.worlds.control.experts.policy import write_network
from pentathlon.worlds.control.physics import Array

SUCCESS_STEPS = 20


class Normaliser:
    """Running mean and deviation of observations."""

    def __init__(self) -> None:
        self.mean, self.variance, self.count = np.zeros(OBSERVATION_SIZE), np.ones(OBSERVATION_SIZE), 1e-4

    def update(self, observations: Array) -> None:
        """Takes a batch ``[N, 45]`` into account."""
        mean, variance, count = observations.mean(0), observations.var(0), len(observations)
        delta, total = mean - self.mean, self.count + count
        spread = self.variance * self.count + variance * count + delta**2 * self.count * count / total
        self.mean, self.variance, self.count = self.mean + delta * count / total, spread / total, total

    def __call__(self, observations: Array) -> Tensor:
        """Normalises, and clips what is far out."""
        scaled = (observations - self.mean) / np.sqrt(self.variance + 1e-6)
        return torch.as_tensor(np.clip(scaled, -10.0, 10.0), dtype=torch.float32)


def _network(outputs: int, gain: float) -> nn.Sequential:
    sizes = (OBSERVATION_SIZE, 128, 128, outputs)
    layers: list[nn.Module] = []
    for index, (inputs, size) in enumerate(itertools.pairwise(sizes)):
        linear = nn.Linear(inputs, size)
        last = index == len(sizes) - 2
        nn.init.orthogonal_(linear.weight, gain if last else 2.0**0.5)
        nn.init.zeros_(linear.bias)
        layers += [linear] if last else [linear, nn.Tanh()]
    return nn.Sequential(*layers)


@dataclass
class Batch:
    """Whole episodes, flattened."""

    observations: Tensor
    actions: Tensor
    log_probabilities: Tensor
    advantages: Tensor
    returns: Tensor
    success_rate: float
    mean_reward: float


class Trainer:
    """Collects episodes and improves the policy."""

    def __init__(self, physics: Pen, settings: PenExpertSettings) -> None:
        torch.manual_seed(settings.seed)
        self.settings = settings
        self.batch = PenBatch(physics, settings.hands, settings.threads, settings.timestep_factor)
        self.generator = np.random.default_rng(settings.seed)
        self.normaliser = Normaliser()
        self.policy, self.value = _network(ACTION_SIZE, 0.01), _network(1, 1.0)
        self.log_std = nn.Parameter(torch.full((ACTION_SIZE,), settings.first_log_std))
        parameters = [*self.policy.parameters(), *self.value.parameters(), self.log_std]
        self.optimizer = torch.optim.Adam(parameters, lr=settings.learning_rate)

    def _log_probability(self, observations: Tensor, actions: Tensor) -> Tensor:
        """Of a Gaussian policy, up to a constant that ratios do not see."""
        scaled = (actions - self.policy(observations)) / self.log_std.exp()
        density: Tensor = (-0.5 * scaled**2 - self.log_std).sum(-1)
        return density

    @torch.no_grad()
    def collect(self) -> Batch:
        """Runs one episode per hand; a fallen pen lies to the end, for an early end would reward letting go."""
        raw = [observe(self.batch.reset(self.generator))]
        states, actions, rewards, held = [], [], [], np.zeros(self.batch.hands)
        self.normaliser.update(raw[0])
        for _ in range(HORIZON):
            states.append(self.normaliser(raw[-1]))
            mean = self.policy(states[-1])
            actions.append(torch.normal(mean, self.log_std.exp().expand_as(mean)))
            views = self.batch.step(actions[-1].double().numpy())
            raw.append(observe(views))
            rewards.append(dense_reward(views))
            held += achieved(views)
        values = self.value(torch.stack([*states, self.normaliser(raw[-1])])).squeeze(-1).double()
        self.normaliser.update(np.concatenate(raw[1:]))
        gained = torch.as_tensor(np.stack(rewards))
        # The horizon cuts an episode but does not end it.
        advantages = generalised_advantages(gained, values, torch.ones_like(gained), self.settings)
        observations, taken = torch.cat(states), torch.cat(actions)
        return Batch(
            observations,
            taken,
            self._log_probability(observations, taken),
            advantages.flatten().float(),
            (advantages + values[:-1]).flatten().float(),
            float((held > SUCCESS_STEPS).mean()),
            float(np.mean(rewards)),
        )

    def improve(self, batch: Batch, learning_rate: float) -> None:
        """Takes PPO's clipped steps, and stops when the policy has moved far enough."""
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate
        advantages = standardised(batch.advantages)
        for _ in range(self.settings.epochs):
            moved = []
            order = torch.randperm(len(advantages))
            for start in range(0, len(order), self.settings.minibatch):
                rows = order[start : start + self.settings.minibatch]
                moved.append(self._step(batch, advantages, rows))
            if float(np.mean(moved)) > self.settings.target_kl:
                break

    def _step(self, batch: Batch, advantages: Tensor, rows: Tensor) -> float:
        settings, observations = self.settings, batch.observations[rows]
        change = self._log_probability(observations, batch.actions[rows]) - batch.log_probabilities[rows]
        ratio = change.exp()
        gain = clipped_gain(ratio, advantages[rows], settings.clip)
        error = nn.functional.mse_loss(self.value(observations).squeeze(-1), batch.returns[rows])
        # A Gaussian's entropy, up to a constant, is the sum of the logarithms of its deviations.
        bonus = settings.entropy * self.log_std.sum()
        loss = -gain + settings.value_weight * error / (batch.returns.var() + 1e-6) - bonus
        descend(self.optimizer, loss, settings.largest_gradient)
        return float(((ratio - 1) - change).mean().detach())

    def save(self, path: Path) -> None:
        """Writes the policy as plain arrays; see ``policy.py``."""
        linears = [layer for layer in self.policy if isinstance(layer, nn.Linear)]
        layers = [(layer.weight.detach().numpy(), layer.bias.detach().numpy()) for layer in linears]
        deviation = np.sqrt(self.normaliser.variance + 1e-6)
        write_network(path, self.normaliser.mean, deviation, layers, squash=False)

    def load(self, path: Path) -> None:
        """Goes on from a saved policy (the value network starts anew)."""
        with np.load(path) as arrays:
            self.normaliser.mean, self.normaliser.variance = arrays["mean"] * 1.0, arrays["deviation"] ** 2.0
            self.normaliser.count = 1e6
            linears = [layer for layer in self.policy if isinstance(layer, nn.Linear)]
            for index, layer in enumerate(linears):
                layer.weight.data = torch.as_tensor(arrays[f"weight_{index}"])
                layer.bias.data = torch.as_tensor(arrays[f"bias_{index}"])


def train_expert(settings: PenExpertSettings) -> None:
    """Trains and writes the policy after every tenth iteration."""
    model = mujoco.MjModel.from_binary_path(str(settings.model)) if settings.model else None
    physics = make_physics("pen", model)
    if not isinstance(physics, Pen):
        raise TypeError("The pen's physics was expected.")
    trainer = Trainer(physics, settings)
    if settings.start:
        trainer.load(settings.start)
    started_s = time.monotonic()
    for iteration in range(settings.iterations):
        batch = trainer.collect()
        trainer.improve(batch, settings.learning_rate * max(0.1, 1.0 - iteration / settings.iterations))
        if iteration % 10 == 0 or iteration == settings.iterations - 1:
            trainer.save(settings.out)
            print(
                f"iteration {iteration}: success {batch.success_rate:.2f}, reward {batch.mean_reward:.3f}, "
                f"deviation {float(trainer.log_std.detach().exp().mean()):.2f}, {time.monotonic() - started_s:.0f} s",
                flush=True,
            )
