"""Behaviour cloning of action chunks, as TOTO's baseline: one look, a perceptron, the next actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
import torch
from torch import Tensor, nn

from pentathlon.learning.descent import descend
from pentathlon.learning.policies.chunks import Rows, bounds_of, chunk_rows, chunk_starts
from pentathlon.learning.policies.policy import Arrays, Settings, Training, read_settings
from pentathlon.learning.policies.reactive import ReactivePolicy
from pentathlon.learning.policies.recipes import BcRecipe
from pentathlon.learning.policies.scaling import Standard
from pentathlon.learning.policies.training import LearnedPoints, perceptron, report, seeded
from pentathlon.learning.policies.trajectories import JOINTS, Floats, Trajectory, choose


class BcPolicy(ReactivePolicy[BcRecipe, nn.Module]):
    """Predicts ``horizon`` joint targets from one observation."""

    def answer(self, row: Tensor) -> Tensor:
        """Predicts them, ``[1, H * 7]``."""
        predicted: Tensor = self.network(row)
        return predicted

    @classmethod
    def from_state(cls, arrays: Arrays, settings: Settings) -> Self:
        """Makes the policy again."""
        recipe, size = read_settings(settings, BcRecipe)
        return cls.rebuilt(arrays, recipe, size, _network(recipe, size), recipe.horizon)


def train_bc(trajectories: Sequence[Trajectory], recipe: BcRecipe, training: Training) -> BcPolicy:
    """Trains by the mean squared, or absolute, error in radians over whole chunks.

    Raises:
        DataError: when the selection is empty or embeddings differ in length.
    """
    chosen, size = choose(trajectories, recipe.selection)
    bounds = bounds_of(chosen)
    starts = chunk_starts(bounds, recipe.horizon)
    chunks = chunk_rows(starts, bounds.lasts[starts], recipe.horizon)
    x = _inputs(chosen, size, recipe.horizon)
    actions = np.concatenate([trajectory.actions for trajectory in chosen])
    inputs, outputs = Standard.of(x), _target_statistics(actions, chunks)
    with seeded(training.seed, training.device):
        network = _network(recipe, size).to(training.device)
        network.apply(_initialise)
        _fit(network, inputs.apply_in_place(x), actions, chunks, outputs, recipe, training)
    return BcPolicy(recipe, size, network.cpu(), inputs, outputs)


def _inputs(trajectories: Sequence[Trajectory], size: int, horizon: int) -> Floats:
    """The observation at each start of a chunk; filled row by row, since all patches of a dataset are gigabytes."""
    starts = [chunk_starts(bounds_of([trajectory]), horizon) for trajectory in trajectories]
    x = np.empty((sum(map(len, starts)), JOINTS + size), np.float32)
    places = np.cumsum([0, *map(len, starts)])
    for at, rows, trajectory in zip(places, starts, trajectories, strict=False):
        x[at : at + len(rows)] = trajectory.inputs[rows]
    return x


def _network(recipe: BcRecipe, embedding_size: int) -> nn.Sequential:
    outputs = recipe.horizon * JOINTS
    if recipe.points is None:
        return perceptron(JOINTS + embedding_size, recipe.hidden, outputs, recipe.dropout)
    points = LearnedPoints(embedding_size, recipe.cells, recipe.points)
    return nn.Sequential(points, *perceptron(JOINTS + points.size, recipe.hidden, outputs, recipe.dropout))


def _initialise(layer: nn.Module) -> None:
    if isinstance(layer, nn.Linear):
        nn.init.xavier_normal_(layer.weight)


def _target_statistics(actions: Floats, chunks: Rows) -> Standard:
    # One place in the chunk at a time: all chunks at once would be the actions fifty times over.
    places = [Standard.of(actions[rows]) for rows in chunks.T]
    return Standard(np.concatenate([p.mean for p in places]), np.concatenate([p.spread for p in places]))


def _fit(
    network: nn.Module,
    x: Floats,
    actions: Floats,
    chunks: Rows,
    outputs: Standard,
    recipe: BcRecipe,
    training: Training,
) -> None:
    device = training.device
    seen, targets, places = (torch.from_numpy(array).to(device) for array in (x, actions, chunks))
    mean, spread = torch.from_numpy(outputs.mean).to(device), torch.from_numpy(outputs.spread).to(device)
    optimiser = torch.optim.Adam(network.parameters(), lr=recipe.learning_rate)
    error = nn.functional.l1_loss if recipe.loss == "absolute" else nn.functional.mse_loss
    network.train()
    for epoch in range(1, recipe.epochs + 1):
        total = torch.zeros((), device=device)
        for rows in torch.randperm(len(seen)).to(device).split(recipe.batch_size):  # type: ignore[no-untyped-call]
            predicted: Tensor = network(seen[rows]) * spread + mean
            loss = error(predicted, targets[places[rows]].flatten(1))
            descend(optimiser, loss)
            total += loss.detach() * len(rows)
        report(training.progress, epoch, recipe.epochs, total / len(seen))
