"""Clones a policy with memory from whole episodes: which of some actions the demonstrator chose at each step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from pentathlon.learning.recurrent.recipe import RecurrentRecipe
from pentathlon.learning.reinforcement.ppo_policy import Encoder, Observations, RecurrentPolicy

Floats = npt.NDArray[np.float32]
LEAST_SPREAD = 1e-3


class TaughtEpisode(NamedTuple):
    """One demonstration of T steps: inputs [T, D] before each action, and actions [T]."""

    inputs: Floats
    actions: npt.NDArray[np.int64]


class ClonedEpoch(NamedTuple):
    """The policy after an epoch, and its mean loss."""

    number: int
    loss: float
    policy: RecurrentPolicy


class StandardisedInputs(Encoder):
    """One layer on inputs less their mean and over their spread in the demonstrations."""

    def __init__(self, mean: Tensor, spread: Tensor, width: int) -> None:
        super().__init__(width)
        self.mean: Tensor
        self.spread: Tensor
        self.register_buffer("mean", mean)
        self.register_buffer("spread", spread)
        self.layer = nn.Linear(len(mean), width)

    def forward(self, observations: Observations, prepared: Any) -> Tensor:
        """Features of a batch."""
        found: Tensor = F.relu(self.layer((observations["inputs"] - self.mean) / self.spread))
        return found


def clone_recurrent(
    episodes: Sequence[TaughtEpisode], choices: int, recipe: RecurrentRecipe, seed: int
) -> Iterator[ClonedEpoch]:
    """Trains by cross-entropy and yields after every epoch; the same seed gives the same policy on one machine.

    Args:
        episodes: the demonstrations.
        choices: how many actions there are.
        recipe: how to train.
        seed: of the weights and the order.
    """
    torch.manual_seed(seed)
    stacked = torch.from_numpy(np.concatenate([episode.inputs for episode in episodes]))
    mean, spread = stacked.mean(0), stacked.std(0, correction=0).clamp(min=LEAST_SPREAD)
    policy = RecurrentPolicy(StandardisedInputs(mean, spread, recipe.memory), choices, recipe.memory)
    optimizer = torch.optim.Adam(policy.parameters(), lr=recipe.learning_rate)
    order = np.random.default_rng(seed)
    for number in range(1, recipe.epochs + 1):
        losses = []
        shuffled = order.permutation(len(episodes))
        for first in range(0, len(episodes), recipe.episodes_per_batch):
            chosen = [episodes[i] for i in shuffled[first : first + recipe.episodes_per_batch]]
            loss = _loss(policy, chosen, recipe)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(policy.parameters(), recipe.largest_gradient)
            optimizer.step()
            losses.append(float(loss.detach()))
        yield ClonedEpoch(number, float(np.mean(losses)), policy)


def _loss(policy: RecurrentPolicy, episodes: Sequence[TaughtEpisode], recipe: RecurrentRecipe) -> Tensor:
    """The mean cross-entropy over real steps; shorter episodes are padded at their end, which nothing reads."""
    longest, count = max(len(episode.actions) for episode in episodes), len(episodes)
    inputs = torch.zeros(longest, count, episodes[0].inputs.shape[1])
    actions = torch.zeros(longest, count, dtype=torch.int64)
    last = torch.full((longest, count), policy.actions)
    weights = torch.zeros(longest, count)
    for place, episode in enumerate(episodes):
        steps = len(episode.actions)
        inputs[:steps, place], actions[:steps, place] = map(torch.from_numpy, episode)
        last[1:steps, place] = actions[: steps - 1, place]
        weights[:steps, place] = 1.0 + (recipe.turning_weight - 1.0) * (actions != last)[:steps, place].float()
    judged = policy.unroll({"inputs": inputs}, last, torch.zeros(count, policy.memory), torch.ones(longest, count))
    errors = F.cross_entropy(judged.logits.flatten(0, 1), actions.flatten(), reduction="none")
    return (errors * weights.flatten()).sum() / weights.sum()


class RecurrentPlayer:
    """Plays a cloned policy: one input after the other, actions drawn by their shares or the likeliest."""

    def __init__(self, policy: RecurrentPolicy, seed: int, *, greedy: bool = False) -> None:
        self._policy, self._greedy = policy, greedy
        self._random = np.random.default_rng(seed)
        self._memory = policy.first_memory(1, torch.device("cpu"))
        self._last, self._prepared = torch.tensor([policy.actions]), policy.encoder.prepare()

    @torch.no_grad()
    def act(self, observations: Observations) -> int:
        """Returns the next action for observations [1, ...]."""
        judged, self._memory = self._policy.step(observations, self._last, self._memory, self._prepared)
        shares = torch.softmax(judged.logits[0].double(), dim=0).numpy()
        action = int(shares.argmax()) if self._greedy else int(self._random.choice(len(shares), p=shares))
        self._last = torch.tensor([action])
        return action
