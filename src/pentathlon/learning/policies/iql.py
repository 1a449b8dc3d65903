"""Implicit Q-learning (Kostrikov et al. 2021) on embeddings and joints, with grams as the reward at the end."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
import torch
from torch import Tensor, nn

from pentathlon.learning.descent import descend
from pentathlon.learning.policies.policy import Arrays, Settings, Training, read_settings
from pentathlon.learning.policies.reactive import ReactivePolicy
from pentathlon.learning.policies.recipes import IqlRecipe
from pentathlon.learning.policies.scaling import Standard
from pentathlon.learning.policies.training import perceptron, report, seeded
from pentathlon.learning.policies.trajectories import JOINTS, Floats, Trajectory, choose

LOG_SPREADS = (-5.0, 2.0)


def expectile_loss(differences: Tensor, expectile: float) -> Tensor:
    """Mean of ``|expectile - 1(u < 0)| u²`` over ``u = Q - V`` (eq. 5)."""
    weights = torch.where(differences < 0, 1.0 - expectile, expectile)
    return (weights * differences.square()).mean()


def advantage_weights(advantages: Tensor, temperature: float, largest: float) -> Tensor:
    """``exp(temperature * A)``, cut at ``largest`` (eq. 7)."""
    return (temperature * advantages).exp().clamp(max=largest)


class Actor(nn.Module):
    """A Gaussian over standardised actions whose spread is the same everywhere.

    The original squashes the mean into the bounds of its actions; standardised joint targets have none.
    """

    def __init__(self, inputs: int, hidden: tuple[int, ...]) -> None:
        super().__init__()
        self.mean = perceptron(inputs, hidden, JOINTS)
        self.log_spread = nn.Parameter(torch.zeros(JOINTS))

    def log_likelihood(self, states: Tensor, actions: Tensor) -> Tensor:
        """Log-density of ``actions[B, 7]``, ``[B]``."""
        spread = self.log_spread.clamp(*LOG_SPREADS).exp()
        # Checking its arguments would make every step wait for a GPU.
        gaussian = torch.distributions.Normal(self.mean(states), spread, validate_args=False)
        densities: Tensor = gaussian.log_prob(actions).sum(dim=1)  # type: ignore[no-untyped-call]
        return densities


class Critics(nn.Module):
    """Two judges of an action; the lower of the two is believed."""

    def __init__(self, inputs: int, hidden: tuple[int, ...]) -> None:
        super().__init__()
        self.pair = nn.ModuleList(perceptron(inputs + JOINTS, hidden, 1) for _ in range(2))

    def forward(self, states: Tensor, actions: Tensor) -> Tensor:
        """Values of both, ``[2, B]``."""
        joined = torch.cat([states, actions], dim=1)
        return torch.stack([critic(joined)[:, 0] for critic in self.pair])

    def believed(self, states: Tensor, actions: Tensor) -> Tensor:
        """The lower value of the two, ``[B]``."""
        lower: Tensor = self(states, actions).amin(dim=0)
        return lower


class Batch(NamedTuple):
    """Transitions, each a row; ``going_on`` is 0 at the last step of a trajectory."""

    states: Tensor
    actions: Tensor
    rewards: Tensor
    next_states: Tensor
    going_on: Tensor


class IqlPolicy(ReactivePolicy[IqlRecipe, Actor]):
    """Takes the mean of the actor at every step."""

    def answer(self, row: Tensor) -> Tensor:
        """Returns the mean, ``[1, 7]``."""
        mean: Tensor = self.network.mean(row)
        return mean

    @classmethod
    def from_state(cls, arrays: Arrays, settings: Settings) -> Self:
        """Makes the policy again."""
        recipe, size = read_settings(settings, IqlRecipe)
        return cls.rebuilt(arrays, recipe, size, Actor(JOINTS + size, recipe.hidden), horizon=1)


def train_iql(trajectories: Sequence[Trajectory], recipe: IqlRecipe, training: Training) -> IqlPolicy:
    """Learns values by expectile regression and the actor by advantage-weighted regression.

    Raises:
        DataError: when the selection is empty or embeddings differ in length.
    """
    chosen, size = choose(trajectories, recipe.selection)
    states = np.concatenate([trajectory.inputs for trajectory in chosen])
    actions = np.concatenate([trajectory.actions for trajectory in chosen])
    inputs, outputs = Standard.of(states), Standard.of(actions)
    with seeded(training.seed, training.device):
        device = training.device
        transitions = _Transitions.of(chosen, inputs.apply_in_place(states), outputs.apply_in_place(actions), device)
        learner = _Learner(JOINTS + size, recipe, device)
        for number in range(1, recipe.steps + 1):
            loss = learner.learn(transitions.draw(recipe.batch_size))
            report(training.progress, number, recipe.steps, loss)
    return IqlPolicy(recipe, size, learner.actor.cpu(), inputs, outputs)


@dataclass(frozen=True, eq=False)
class _Transitions:
    states: Tensor
    actions: Tensor
    rewards: Tensor
    going_on: Tensor

    @classmethod
    def of(cls, chosen: Sequence[Trajectory], states: Floats, actions: Floats, device: str) -> Self:
        going_on = np.ones(len(states), np.float32)
        going_on[np.cumsum([len(trajectory) for trajectory in chosen]) - 1] = 0.0
        rewards = np.concatenate([trajectory.rewards for trajectory in chosen])
        return cls(*(torch.from_numpy(array).to(device) for array in (states, actions, rewards, going_on)))

    def draw(self, count: int) -> Batch:
        rows = torch.randint(len(self.states), (count,)).to(self.states.device)
        going_on = self.going_on[rows]
        next_states = self.states[rows + going_on.long()]
        return Batch(self.states[rows], self.actions[rows], self.rewards[rows], next_states, going_on)


class _Learner:
    """Actor, value and critics with their optimisers."""

    def __init__(self, inputs: int, recipe: IqlRecipe, device: str) -> None:
        self.recipe = recipe
        self.actor = Actor(inputs, recipe.hidden).to(device)
        self.value = perceptron(inputs, recipe.hidden, 1).to(device)
        self.critics = Critics(inputs, recipe.hidden).to(device)
        self.target = copy.deepcopy(self.critics).requires_grad_(False)
        rate = recipe.learning_rate
        self._actor_optimiser = torch.optim.Adam(self.actor.parameters(), lr=rate)
        self._value_optimiser = torch.optim.Adam(self.value.parameters(), lr=rate)
        self._critic_optimiser = torch.optim.Adam(self.critics.parameters(), lr=rate)
        self._schedule = torch.optim.lr_scheduler.CosineAnnealingLR(self._actor_optimiser, recipe.steps)

    def learn(self, batch: Batch) -> Tensor:
        """Takes one step with each network and returns the actor's loss."""
        recipe = self.recipe
        differences = self.target.believed(batch.states, batch.actions) - self.value(batch.states)[:, 0]
        descend(self._value_optimiser, expectile_loss(differences, recipe.expectile))

        weights = advantage_weights(differences.detach(), recipe.temperature, recipe.largest_weight)
        actor_loss = -(weights * self.actor.log_likelihood(batch.states, batch.actions)).mean()
        descend(self._actor_optimiser, actor_loss)
        self._schedule.step()

        with torch.no_grad():
            goals = batch.rewards + recipe.discount * batch.going_on * self.value(batch.next_states)[:, 0]
        descend(self._critic_optimiser, (self.critics(batch.states, batch.actions) - goals).square().mean(dim=1).sum())
        self._follow()
        return actor_loss.detach()

    @torch.no_grad()
    def _follow(self) -> None:
        for slow, fast in zip(self.target.parameters(), self.critics.parameters(), strict=True):
            slow.lerp_(fast, self.recipe.target_rate)
