"""Soft actor-critic that also learns from given transitions, on a GPU if there is one.

Haarnoja et al. 2018, with a share of each batch from the given transitions and normalised critics (Ball et al. 2023,
"RLPD").
"""

from __future__ import annotations

import copy
import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from pentathlon.learning.reinforcement.settings import ActorCriticSettings
from pentathlon.worlds.control.experts.policy import write_network
from pentathlon.worlds.control.physics import Array

LOG_2, LOG_2_PI = math.log(2.0), math.log(2.0 * math.pi)


@dataclass(frozen=True)
class SacSettings(ActorCriticSettings):
    """Soft actor-critic's numbers.

    Attributes:
        worlds: simulations stepped in turn; each step is followed by one update.
        widths: of the actor's hidden layers and of the critics'.
        prior_share: share of a batch that comes from the planner's episodes.
        critics_first: updates before a policy that was trained before is changed.
        later_log_temperature: where the temperature of such a policy starts.
        calm: weight of the squared action before squashing: bang-bang commands are hard to clone.
    """

    worlds: int = 16
    batch: int = 512
    prior_share: float = 0.5
    capacity: int = 1_000_000
    widths: tuple[int, int] = (256, 512)
    blend: float = 0.005
    calm: float = 1e-3
    critics_first: int = 15_000
    later_log_temperature: float = -4.0


class Transitions:
    """Observation, action, reward and what followed, in rows on the device; the oldest give way."""

    def __init__(self, capacity: int, observation_size: int, action_size: int, device: torch.device) -> None:
        self.rows = torch.zeros(capacity, 2 * observation_size + action_size + 1, device=device)
        self.sizes = (observation_size, action_size, 1, observation_size)
        self.filled = torch.zeros((), device=device)
        self._next = 0

    def add(self, rows: Array) -> None:
        """Takes rows in."""
        capacity = len(self.rows)
        places = (self._next + torch.arange(len(rows))) % capacity
        self.rows[places.to(self.rows.device)] = torch.as_tensor(rows, dtype=torch.float32).to(self.rows.device)
        self._next += len(rows)
        self.filled.fill_(min(self._next, capacity))

    def draw(self, count: int) -> Tensor:
        """Draws rows evenly."""
        places = (torch.rand(count, device=self.rows.device) * self.filled).long()
        return self.rows[places]


class Actor(nn.Module):
    """Gaussian policy squashed into [-1, 1]; tanh layers, as ``policy.Network`` evaluates them."""

    def __init__(self, observation_size: int, action_size: int, width: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(observation_size, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.mean, self.log_deviation = nn.Linear(width, action_size), nn.Linear(width, action_size)

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """The Gaussian's mean and log deviation before squashing."""
        hidden = self.body(observations)
        return self.mean(hidden), -5.0 + 3.5 * (1.0 + torch.tanh(self.log_deviation(hidden)))

    def sample(self, observations: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Actions, their log densities, and the means before squashing."""
        mean, log_deviation = self(observations)
        noise = torch.randn_like(mean)
        raw = mean + log_deviation.exp() * noise
        density = -0.5 * (noise.square() + LOG_2_PI) - log_deviation
        density = density - 2.0 * (LOG_2 - raw - F.softplus(-2.0 * raw))
        return torch.tanh(raw), density.sum(-1), mean


class Critics(nn.Module):
    """Two values of observation and action in one pass, normalised layer by layer to stay sane off the data."""

    def __init__(self, inputs: int, width: int, count: int = 2) -> None:
        super().__init__()
        self.weights, self.biases = nn.ParameterList(), nn.ParameterList()
        for size, following in itertools.pairwise((inputs, width, width, 1)):
            layers = [nn.Linear(size, following) for _ in range(count)]
            self.weights.append(torch.stack([layer.weight.detach().T for layer in layers]))
            self.biases.append(torch.stack([layer.bias.detach()[None] for layer in layers]))

    def forward(self, observations: Tensor, actions: Tensor) -> Tensor:
        """Values ``[count, B]``."""
        hidden = torch.cat([observations, actions], dim=1).expand(len(self.weights[0]), -1, -1)
        last = len(self.weights) - 1
        for index, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            hidden = torch.baddbmm(bias, hidden, weight)
            if index < last:
                hidden = F.relu(F.layer_norm(hidden, hidden.shape[-1:]))
        return hidden[..., 0]


class Learner:
    """Actor, two critics and their slow copies; one :meth:`update` is one step of each.

    Args:
        prior: rows of observation, action, reward and next observation to learn from besides what is played.
        observation_size: numbers in an observation.
        settings: how to learn.
        device: where to.
        start: a saved policy to go on from.
    """

    def __init__(
        self,
        prior: Array,
        observation_size: int,
        settings: SacSettings,
        device: torch.device,
        start: Path | None = None,
    ) -> None:
        action_size = prior.shape[1] - 2 * observation_size - 1
        sizes = (observation_size, action_size)
        self.settings, self.device = settings, device
        self.mean, self.deviation = prior[:, :observation_size].mean(0), prior[:, :observation_size].std(0) + 1e-2
        if start:
            with np.load(start) as arrays:
                self.mean, self.deviation = arrays["mean"], arrays["deviation"]
        self._prior = Transitions(len(prior), *sizes, device)
        self._prior.add(self._normalise_rows(prior))
        self._played = Transitions(settings.capacity, *sizes, device)
        self.actor = Actor(observation_size, action_size, settings.widths[0]).to(device)
        inputs = observation_size + action_size
        self.critics = Critics(inputs, settings.widths[1]).to(device)
        self.slow = copy.deepcopy(self.critics).requires_grad_(False)
        self.log_temperature = torch.full((), -2.0, device=device, requires_grad=True)
        self.target_entropy = -0.5 * action_size
        fast: dict[str, Any] = {"capturable": True, "fused": True} if device.type == "cuda" else {}
        self._trained: list[list[Tensor]] = [
            [*self.critics.parameters()],
            [*self.actor.parameters()],
            [self.log_temperature],
        ]
        self._optimizers = [torch.optim.Adam(trained, lr=settings.learning_rate, **fast) for trained in self._trained]
        self._replays: dict[bool, Callable[[], None]] = {}
        self._updates = self._critics_first = 0
        if start:
            self._load(start)

    def learn_from(self, rows: Array) -> None:
        """Takes in what was played: rows of observation, action, reward and next observation."""
        self._played.add(self._normalise_rows(rows))

    def _normalise_rows(self, rows: Array) -> Array:
        size = len(self.mean)
        inner = rows[:, size : rows.shape[1] - size]
        return np.concatenate([self._normalise(rows[:, :size]), inner, self._normalise(rows[:, -size:])], axis=1)

    def _normalise(self, observations: Array) -> Array:
        """As ``policy.Network`` does."""
        return np.asarray(((observations - self.mean) / self.deviation).clip(-10.0, 10.0))

    @torch.no_grad()
    def act(self, observations: Array, *, explore: bool) -> Array:
        """Actions for a batch of observations."""
        seen = torch.as_tensor(self._normalise(observations), dtype=torch.float32).to(self.device)
        actions = self.actor.sample(seen)[0] if explore else torch.tanh(self.actor(seen)[0])
        return np.asarray(actions.cpu().double())

    def update(self) -> None:
        """One step; on a GPU it is captured once and replayed, since its many small kernels wait on the host."""
        self._updates += 1
        actor_too = self._updates > self._critics_first
        if self.device.type != "cuda":
            self._update(actor_too)
            return
        if actor_too not in self._replays:
            self._replays[actor_too] = self._capture(actor_too)
        self._replays[actor_too]()

    def _capture(self, actor_too: bool) -> Callable[[], None]:
        side = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                self._update(actor_too)
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self._update(actor_too)
        return graph.replay

    def _update(self, actor_too: bool) -> None:
        settings = self.settings
        old = round(settings.batch * settings.prior_share)
        rows = torch.cat([self._prior.draw(old), self._played.draw(settings.batch - old)])
        observations, actions, rewards, following = torch.split_with_sizes(rows, self._played.sizes, dim=1)
        temperature = self.log_temperature.exp()
        with torch.no_grad():
            next_actions, next_density, _ = self.actor.sample(following)
            value = self.slow(following, next_actions).amin(0) - temperature * next_density
            target = rewards[:, 0] + settings.discount * value
        error = (self.critics(observations, actions) - target).square().mean(1).sum()
        self._step(0, error)
        if actor_too:
            self._improve(observations, temperature)
        with torch.no_grad():
            torch._foreach_lerp_(list(self.slow.parameters()), list(self.critics.parameters()), settings.blend)

    def _improve(self, observations: Tensor, temperature: Tensor) -> None:
        sampled, density, mean = self.actor.sample(observations)
        worth = self.critics(observations, sampled).mean(0)
        calm = self.settings.calm * mean.square().sum(-1)
        self._step(1, (temperature.detach() * density - worth + calm).mean())
        self._step(2, -(temperature * (density.detach() + self.target_entropy)).mean())

    def _step(self, which: int, loss: Tensor) -> None:
        trained = self._trained[which]
        for parameter, gradient in zip(trained, torch.autograd.grad(loss, trained), strict=True):
            parameter.grad = gradient
        self._optimizers[which].step()

    def _load(self, path: Path) -> None:
        """Goes on from a saved policy; critics start anew, and the policy waits until they know it."""
        self._critics_first = self.settings.critics_first
        with np.load(path) as arrays, torch.no_grad():
            self.log_temperature.fill_(self.settings.later_log_temperature)
            for index, layer in enumerate(self._layers()):
                layer.weight.copy_(torch.as_tensor(arrays[f"weight_{index}"]))
                layer.bias.copy_(torch.as_tensor(arrays[f"bias_{index}"]))

    def _layers(self) -> list[nn.Linear]:
        return [*(layer for layer in self.actor.body if isinstance(layer, nn.Linear)), self.actor.mean]

    def save(self, path: Path) -> None:
        """Writes the policy as plain arrays; see ``policy.py``."""
        layers = [(layer.weight.detach().cpu().numpy(), layer.bias.detach().cpu().numpy()) for layer in self._layers()]
        write_network(path, self.mean, self.deviation, layers, squash=True)
